//! Printed models, read again.
//!
//! What a client sees of a model is text. So the text is put back into the script it came from: a value becomes an
//! equation, a function's definition stands where the function was declared, and an element of a declared sort, which is
//! printed as an abstract constant `(as @S_3 S)`, becomes a symbol that is distinct from its like. The script must then
//! be satisfiable still.

use bivalve::Model;
use bivalve_formats::smtlib::{BitVecFormat, Command, Parser, ParserOptions, print};
use bivalve_terms::{Op, Pool, Term, cone};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The script with the printed values of all symbols below its assertions.
pub(crate) fn with_model(script: &str, pool: &Pool, assertions: &[Term], model: &Model) -> String {
    let printer = print::Values::new(pool, BitVecFormat::Hexadecimal);
    let (mut definitions, mut equations) = (BTreeMap::new(), String::new());
    for &symbol in cone(pool, assertions).iter().filter(|&&term| pool.op(term) == Op::Symbol) {
        let (name, value) = (print::term(pool, symbol), model.value(pool, symbol));
        if pool.sorts().is_function(pool.sort(symbol)) {
            definitions.insert(format!("(declare-fun {name} ("), printer.definition(symbol, &value));
        } else {
            let value = printer.value(pool.sort(symbol), &value);
            let _ = writeln!(equations, "(assert (= {name} {value}))");
        }
    }
    let mut text = String::new();
    for line in script.lines() {
        let definition = definitions.iter().find(|(declaration, _)| line.starts_with(declaration.as_str()));
        text += definition.map_or(line, |(_, definition)| definition);
        text.push('\n');
    }
    named_elements(&(text + &equations))
}

/// The script with symbols in place of abstract constants.
pub(crate) fn named_elements(script: &str) -> String {
    let (mut text, mut elements) = (String::new(), BTreeMap::<&str, BTreeSet<String>>::new());
    let mut rest = script;
    while let Some(at) = rest.find("(as @").or_else(|| rest.find("(as |@")) {
        let (before, from) = rest.split_at(at);
        let end = from.find(')').expect("the printer closes its brackets");
        let words: Vec<&str> = from[..end].split_whitespace().collect();
        let name = format!("element-{}", words[1].trim_matches(['|', '@']));
        text = text + before + &name;
        elements.entry(words[2]).or_default().insert(name);
        rest = &from[end + 1..];
    }
    text += rest;
    let mut declared = String::new();
    for (sort, names) in elements {
        names.iter().for_each(|name| declared += &format!("(declare-const {name} {sort})\n"));
        if names.len() > 1 {
            declared += &format!("(assert (distinct {}))\n", names.into_iter().collect::<Vec<_>>().join(" "));
        }
    }
    // After the sorts and before what is defined by elements.
    let is_first = |line: &&str| {
        ["(declare-fun ", "(declare-const ", "(define-fun "].iter().any(|s| line.starts_with(s))
    };
    match text.lines().find(is_first) {
        Some(line) => text.replacen(line, &format!("{declared}{line}"), 1),
        None => declared + &text,
    }
}

/// The assertions of a script without faults.
///
/// # Errors
/// What the reader says to a fault.
pub(crate) fn read(script: &str) -> Result<(Pool, Vec<Term>), String> {
    let mut parser = Parser::new(script.as_bytes(), "formula.smt2", ParserOptions::default());
    let (mut pool, mut assertions) = (Pool::new(), vec![]);
    while let Some(command) = parser.next_command(&mut pool).map_err(|refusal| refusal.render())? {
        if let Command::Assert { term, .. } = command {
            assertions.push(term);
        }
    }
    Ok((pool, assertions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_become_symbols() {
        let script = "(declare-sort S 0)\n(declare-const x S)\n(assert (= x (as @S_1 S)))\n(assert (distinct x (as @S_0 S)))\n";
        let named = named_elements(script);
        assert!(named.contains("(assert (= x element-S_1))"), "{named}");
        assert!(named.contains("(assert (distinct element-S_0 element-S_1))"), "{named}");
        assert_eq!(read(&named).map(|(_, assertions)| assertions.len()), Ok(3));
    }
}
