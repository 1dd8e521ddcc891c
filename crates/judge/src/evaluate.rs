//! Is a model one? By our evaluator, on the assertions as they were written.
//!
//! The model's definitions are put in the place of the declarations of the script, and the reader does the
//! rest: what was a symbol is now expanded into its value, the assertions have no symbols left (but for
//! elements of declared sorts and for what the model does not mention, which has the default of its sort),
//! and the reference semantics decides whether they are true. Neither solver, rewriter nor circuit of ours is
//! asked, so a judgement is independent of what is judged.
//!
//! An answer to `get-value` is judged likewise: the value of a symbol is its definition; the value of another
//! term is one more equation that must hold. Where values alone are known, and not of all symbols, evaluation
//! cannot tell: then a solver is asked whether the rest can be chosen.

use crate::definitions::{Definition, Definitions};
use crate::stack::{Piece, Stack, at_checks};
use bivalve_formats::sexpr::{bare, list, tokens};
use bivalve_formats::smtlib::{Command, MOST_TERMS, Parser, ParserOptions, few_terms};
use bivalve_harness::Cancel;
use bivalve_harness::Oracle;
use bivalve_harness::{Check, Verdict};
use bivalve_terms::{Assignment, Evaluator, Pool, Term, Value, cone, is_enumerable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is wrong with the model or the values that were given at the check of this number, counted from 0;
/// `None` if nothing is. `trusted` is asked where values are not given for all symbols.
pub fn model_fault(script: &str, number: usize, check: &Check, trusted: &dyn Oracle) -> Option<String> {
    let worth = |at, stack: &Stack<'_>| (at == number).then(|| judge(stack, check, trusted));
    match at_checks(script, worth)? {
        Worth::Holds | Worth::Consistent => None,
        Worth::Violates(formula) => Some(format!("the model violates {formula}")),
        Worth::Unreadable(why) => Some(format!("the model cannot be read: {why}")),
    }
}

/// What a model is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    /// All assertions and assumptions hold.
    Holds,
    /// No contradiction was found.
    Consistent,
    /// This formula does not.
    Violates(String),
    /// The model, or the script, could not be read, and why.
    Unreadable(String),
}

/// Judges the model and the values of a check at which this stack is in force.
pub(crate) fn judge(stack: &Stack<'_>, check: &Check, trusted: &dyn Oracle) -> Worth {
    let mut definitions = Definitions::read(check.model.as_deref().unwrap_or(""));
    let mut equations = vec![];
    for pair in check.values.iter().filter_map(|values| list(values)).flatten() {
        let parts: Vec<&str> = list(pair).into_iter().flatten().collect();
        let [term, value] = parts[..] else { return Worth::Unreadable(format!("not a pair: {pair}")) };
        match sort_of(stack, term) {
            Some(sort) if definitions.all.iter().all(|other| bare(&other.name) != bare(term)) => {
                definitions.all.push(Definition::constant(term, sort, value));
            }
            _ => equations.push(format!("(= {term} {value})")),
        }
    }
    for definition in definitions.all.iter_mut().filter(|definition| definition.is_function()) {
        if let Some(array) = sort_of(stack, &definition.name).and_then(|sort| definition.as_array(sort)) {
            *definition = array;
        }
    }
    definitions.settle(&mut equations);
    let text = closed(stack, &definitions, &equations);
    if check.model.is_none() && is_open(stack, &definitions) {
        return consistency(text, &definitions.elements, trusted);
    }
    match evaluate(&text, &definitions.elements) {
        Ok(None) => Worth::Holds,
        // What the standard leaves open, no model says.
        Ok(Some((_, true))) => consistency(text, &definitions.elements, trusted),
        Ok(Some((position, false))) => Worth::Violates(formula(stack, &equations, position)),
        Err(problem) => Worth::Unreadable(problem),
    }
}

/// Are there symbols that are not defined?
fn is_open(stack: &Stack<'_>, definitions: &Definitions) -> bool {
    let is_defined = |name: &str| definitions.all.iter().any(|definition| bare(&definition.name) == name);
    stack.pieces.iter().any(|piece| matches!(piece, Piece::Declaration { name, .. } if !is_defined(name)))
}

/// Can what is not defined be chosen so that all holds?
fn consistency(mut text: String, elements: &[String], trusted: &dyn Oracle) -> Worth {
    let mut sorts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for element in elements {
        let parts: Vec<&str> = list(element).into_iter().flatten().collect();
        if let (Some(name), Some(sort)) = (parts.get(1), parts.last()) {
            sorts.entry(sort).or_default().push(name);
        }
    }
    for names in sorts.values().filter(|names| names.len() > 1) {
        text += &format!("(assert (distinct {}))\n", names.join(" "));
    }
    let reply = trusted.ask(&(text + "(check-sat)\n"), &Cancel::new());
    match (reply.errors.first(), reply.verdict()) {
        (Some(error), _) => Worth::Unreadable(error.clone()),
        (None, Some(Verdict::Unsat)) => Worth::Violates("the script: its values contradict it".to_owned()),
        (None, _) => Worth::Consistent,
    }
}

/// The sort of a declared constant, as written.
fn sort_of<'a>(stack: &Stack<'a>, term: &str) -> Option<&'a str> {
    stack.pieces.iter().rev().find_map(|piece| match piece {
        Piece::Declaration { name, text } if *name == bare(term) => {
            let parts: Vec<&str> = list(text).into_iter().flatten().collect();
            match parts[..] {
                ["declare-const", _, sort] | ["declare-fun", _, "()", sort] => Some(sort),
                _ => None,
            }
        }
        _ => None,
    })
}

/// The script with definitions in the place of declarations.
fn closed(stack: &Stack<'_>, definitions: &Definitions, equations: &[String]) -> String {
    let mut text = String::new();
    let mut own = FxHashSet::default();
    for piece in &stack.pieces {
        match piece {
            Piece::Sort(sort) => text = text + sort + "\n",
            Piece::Definition(definition) => {
                own.extend(list(definition).and_then(|mut parts| parts.nth(1)).map(bare));
            }
            Piece::Assertion { text, .. } => own.extend(names_within(text)),
            Piece::Declaration { .. } => {}
        }
    }
    definitions.elements.iter().for_each(|element| text = std::mem::take(&mut text) + element + "\n");
    let mut defined = FxHashSet::default();
    // What the script defines, by a command or by `:named`, is not the model's to define; Z3 does so.
    for definition in definitions.all.iter().filter(|definition| !own.contains(bare(&definition.name))) {
        defined.insert(bare(&definition.name));
        text += &definition.command();
    }
    for piece in &stack.pieces {
        match piece {
            Piece::Sort(_) => {}
            Piece::Declaration { name, .. } if defined.contains(name) => {}
            Piece::Declaration { text: piece, .. }
            | Piece::Definition(piece)
            | Piece::Assertion { text: piece, .. } => {
                text = text + piece + "\n";
            }
        }
    }
    let more = stack.assumptions.iter().copied().chain(equations.iter().map(String::as_str));
    more.for_each(|formula| text += &format!("(assert {formula})\n"));
    text
}

/// The names that `:named` gives within an assertion, without bars.
fn names_within(assertion: &str) -> impl Iterator<Item = &str> {
    let mut is_next = false;
    tokens(assertion.as_bytes()).filter_map(move |token| {
        let is_name = std::mem::replace(&mut is_next, token.text == b":named");
        is_name.then(|| bare(&assertion[token.range()]))
    })
}

/// The first assertion that is false, by number, and whether results that the standard leaves open may be
/// why: the first where they are not, if there is one.
fn evaluate(text: &str, elements: &[String]) -> Result<Option<(usize, bool)>, String> {
    let mut parser = Parser::new(text.as_bytes(), "model", ParserOptions::default());
    let (mut pool, mut assertions, mut assignment) = (Pool::new(), vec![], Assignment::new());
    let mut counts = FxHashMap::default();
    let (mut left, mut terms) = (elements.len(), 0);
    let mut guard = few_terms(MOST_TERMS, &mut terms);
    while let Some(command) =
        parser.next_written_command(&mut pool, &mut guard).map_err(|refusal| refusal.to_string())?
    {
        match command {
            Command::Assert { term, .. } => assertions.push(term),
            // Elements are declared before anything else.
            Command::DeclareConst { symbol } if left > 0 => {
                left -= 1;
                let sort = pool.sort(symbol);
                if pool.sorts().is_uninterpreted(sort) {
                    let count = counts.entry(sort).or_insert(0u32);
                    assignment.set(symbol, Value::Element(sort, *count));
                    *count += 1;
                }
            }
            _ => {}
        }
    }
    if assertions.iter().any(|&assertion| !is_enumerable(&pool, assertion)) {
        return Err("a quantified formula has too many values to be evaluated".into());
    }
    let mut evaluator = Evaluator::new(&pool, &assignment);
    let is_open = |assertion: Term| {
        pool.has_lowered() && cone(&pool, &[assertion]).iter().any(|&term| pool.is_open_symbol(term))
    };
    let wrong =
        assertions.iter().enumerate().filter(|&(_, &assertion)| !evaluator.eval(assertion).expect_bool());
    Ok(wrong.map(|(position, &assertion)| (position, is_open(assertion))).min_by_key(|&(_, open)| open))
}

/// The formula of that number, as written.
fn formula(stack: &Stack<'_>, equations: &[String], position: usize) -> String {
    let asserted = stack.pieces.iter().filter_map(|piece| match piece {
        Piece::Assertion { text, .. } => Some(*text),
        _ => None,
    });
    let all = asserted.chain(stack.assumptions.iter().copied()).chain(equations.iter().map(String::as_str));
    all.into_iter().nth(position).unwrap_or("an assertion").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::Inside;
    use std::time::Duration;

    const SCRIPT: &str =
        "(declare-sort S 0)(declare-const x (_ BitVec 4))(declare-fun |a b| () (Array (_ BitVec 4) Bool))
        (declare-fun f (S) S)(declare-const s S)(define-fun twice () (_ BitVec 4) (bvadd x x))
        (assert (= twice #x6))(assert (select |a b| (! x :named |a 0|)))(assert (distinct s (f s)))(check-sat)";

    fn worth(model: &str, values: &[&str]) -> Worth {
        let values = values.iter().map(|&text| text.to_owned()).collect();
        let model = (!model.is_empty()).then(|| model.to_owned());
        let trusted = Inside::new("judge", bivalve::Settings::default(), Duration::from_secs(10));
        let check = Check { model, values, ..Check::of(Verdict::Sat) };
        at_checks(SCRIPT, |_, stack| Some(judge(stack, &check, &trusted))).unwrap()
    }

    #[test]
    fn models_are_worth_what_the_assertions_say() {
        let model = |x: &str| {
            format!(
                "(model (declare-fun S!val!0 () S) (declare-fun S!val!1 () S) (define-fun x () (_ BitVec 4) {x})
                (define-fun |a b| () (Array (_ BitVec 4) Bool) (_ as-array k!0)) (define-fun s () S S!val!1)
                (define-fun k!0 ((y (_ BitVec 4))) Bool (ite (= y #b0011) true false)) (define-fun f ((y S)) S S!val!0))"
            )
        };
        assert_eq!(worth(&model("#x3"), &[]), Worth::Holds);
        assert_eq!(worth(&model("#x4"), &[]), Worth::Violates("(assert (= twice #x6))".to_owned()));
        assert_eq!(
            worth(&model("#xb"), &[]),
            Worth::Violates("(assert (select |a b| (! x :named |a 0|)))".to_owned())
        );
        assert!(matches!(worth(&model("#b1"), &[]), Worth::Unreadable(_)));
        // What a model does not mention has the default.
        assert_eq!(worth("()", &[]), Worth::Violates("(assert (= twice #x6))".to_owned()));
        assert_eq!(worth(&model("#x3"), &["((twice #x6))"]), Worth::Holds);
        assert_eq!(worth(&model("#x3"), &["((twice #x7))"]), Worth::Violates("(= twice #x7)".to_owned()));
        // A name that the script defines itself, within an assertion as well.
        let twice = "(define-fun twice () (_ BitVec 4) (bvadd x x))(define-fun |a 0| () Bool false)";
        assert_eq!(worth(&format!("({twice}{}", &model("#x3")[6..]), &[]), Worth::Holds);
        // Values alone leave the rest open.
        assert_eq!(worth("", &["((x #x3) (s (as @S_0 S)))", "(((f s) (as @S_1 S)))"]), Worth::Consistent);
        assert!(matches!(
            worth("", &["((x #x3) (s (as @S_0 S)))", "(((f s) (as @S_0 S)))"]),
            Worth::Violates(_)
        ));
        assert!(matches!(worth("", &["((x #x4))"]), Worth::Violates(_)));
    }
}
