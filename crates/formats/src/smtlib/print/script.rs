//! Whole scripts: logic, declarations, assertions, check.
//!
//! A node that several assertions use is defined once, by `define-fun`, so that the text is linear in the
//! DAG. Which nodes these are is found by one walk from parents to children: a node whose parents all belong
//! to one *unit* (an assertion or a definition) belongs to it too and is printed inside; a node with parents
//! in different units becomes a unit of its own. Reading the script again expands the definitions and gives
//! the same DAG.

use super::{BitVecFormat, Naming, Printer, all_sorts, free_sorts, symbol, write_sort};
use bivalve_terms::{Op, Pool, RecordSort, Sort, SortKind, Term, bound_variables, cone, ground_cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{Result, Write};

/// What a script says.
#[derive(Clone, Copy, Default, Debug)]
pub struct Script<'a> {
    /// The logic; if none is given it is chosen by [`logic_of`].
    pub logic: Option<&'a str>,
    /// Symbols to be declared even if no assertion mentions them.
    pub declare: &'a [Term],
    /// Symbols that are defined, not declared, each as a term that mentions none of them.
    pub defined: &'a [(Term, Term)],
    /// Boolean terms.
    pub assertions: &'a [Term],
    /// How bit-vector constants are written.
    pub format: BitVecFormat,
}

/// The text of a script that ends with `(check-sat)`.
pub fn script(pool: &Pool, script: &Script<'_>) -> String {
    let mut text = Vec::new();
    write_script(&mut text, pool, script).expect("writing into memory does not fail");
    String::from_utf8(text).expect("the printer writes text")
}

/// The terms that are written below some roots.
fn written_terms(pool: &Pool, roots: &[Term]) -> impl Iterator<Item = Term> {
    let (mut seen, mut todo) = (FxHashSet::default(), roots.to_vec());
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            todo.extend(pool.written_args(term));
        }
    }
    seen.into_iter()
}

/// Writes a script that ends with `(check-sat)`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_script(out: &mut dyn Write, pool: &Pool, script: &Script<'_>) -> Result<()> {
    let meanings = script.defined.iter().map(|(_, term)| term);
    let units: Vec<Term> = script.assertions.iter().chain(meanings).copied().collect();
    let symbols = script.defined.iter().map(|(symbol, _)| symbol);
    let roots: Vec<Term> = units.iter().chain(script.declare).chain(symbols).copied().collect();
    let terms = cone(pool, &roots);
    let naming = Naming::unique(pool, &terms);
    let logic = script.logic.map_or_else(|| logic_of(pool, &roots), String::from);
    writeln!(out, "(set-logic {logic})")?;
    let defined: FxHashSet<Term> = script.defined.iter().map(|(symbol, _)| *symbol).collect();
    let bound = bound_variables(pool, &terms);
    // What stands for results that are open has a name only in formulas over the words of an image.
    let is_open = |&term: &Term| pool.is_open_symbol(term);
    let mentioned: FxHashSet<Term> = match terms.iter().any(is_open) {
        true => written_terms(pool, &units).filter(is_open).collect(),
        false => FxHashSet::default(),
    };
    let is_declared = |term: &Term| {
        let is_named = !is_open(term) || mentioned.contains(term);
        is_named && !defined.contains(term) && !bound.contains(*term)
    };
    let declared: Vec<Term> = terms.iter().copied().filter(is_declared).collect();
    write_declarations(out, pool, &naming, &declared)?;
    let mut printer = Printer::new(pool, &naming, script.format);
    let mut text = String::new();
    let mut symbols: FxHashMap<Term, Term> = FxHashMap::default();
    for &(symbol, term) in script.defined {
        symbols.entry(term).or_insert(symbol);
    }
    let define = |text: &mut String, name: &str, sort: Sort| {
        text.clear();
        text.push_str(&format!("(define-fun {name} () "));
        write_sort(text, pool.sorts(), &naming, sort);
        text.push(' ');
    };
    let mut said: FxHashSet<Term> = FxHashSet::default();
    // What is below a binder may mention its variables.
    let terms = ground_cone(pool, &roots);
    for (number, term) in definitions(pool, &units, &terms).into_iter().enumerate() {
        // What is called something by the script has no other name.
        let name = match symbols.get(&term) {
            Some(&symbol) => {
                said.insert(symbol);
                naming.symbol(pool, symbol).to_string()
            }
            None => format!("{}d{number}", naming.prefix().expect("a unique naming has a prefix")),
        };
        define(&mut text, &name, pool.sort(term));
        printer.write(&mut text, term);
        writeln!(out, "{text})")?;
        printer.define(term, name);
    }
    for &(symbol, term) in script.defined.iter().filter(|(symbol, _)| !said.contains(symbol)) {
        define(&mut text, &naming.symbol(pool, symbol), pool.sort(symbol));
        printer.write_mention(&mut text, term);
        writeln!(out, "{text})")?;
    }
    for assertion in script.assertions {
        text.clear();
        printer.write_mention(&mut text, *assertion);
        writeln!(out, "(assert {text})")?;
    }
    writeln!(out, "(check-sat)")
}

/// The declarations of the sorts and symbols among these terms.
fn write_declarations(out: &mut dyn Write, pool: &Pool, naming: &Naming, terms: &[Term]) -> Result<()> {
    for sort in free_sorts(pool, terms) {
        let mut name = String::new();
        write_sort(&mut name, pool.sorts(), naming, sort);
        writeln!(out, "(declare-sort {name} 0)")?;
    }
    for sort in all_sorts(pool, terms) {
        // Instances of a declaration with parameters have no declaration of their own.
        if let Some(record) = pool.sorts().as_record(sort).filter(|record| !record.name().starts_with('(')) {
            writeln!(out, "{}", data_type(pool, naming, record))?;
        }
    }
    let mut text = String::new();
    for &symbol in terms.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
        text.clear();
        let sort = pool.sort(symbol);
        let (params, result) = pool.sorts().function_parts(sort).unwrap_or((&[], sort));
        for (i, &param) in params.iter().enumerate() {
            text.push_str(if i > 0 { " " } else { "" });
            write_sort(&mut text, pool.sorts(), naming, param);
        }
        text.push_str(") ");
        write_sort(&mut text, pool.sorts(), naming, result);
        writeln!(out, "(declare-fun {} ({text})", naming.symbol(pool, symbol))?;
    }
    Ok(())
}

/// `(declare-datatype Option ((none) (some (value (_ BitVec 8)))))`.
fn data_type(pool: &Pool, naming: &Naming, record: &RecordSort) -> String {
    let mut text = format!("(declare-datatype {} (", record.name());
    for (number, constructor) in record.constructors().iter().enumerate() {
        text.push_str(if number > 0 { " (" } else { "(" });
        text.push_str(&symbol(&constructor.name));
        for (field, sort) in &constructor.fields {
            text.push_str(&format!(" ({} ", symbol(field)));
            write_sort(&mut text, pool.sorts(), naming, *sort);
            text.push(')');
        }
        text.push(')');
    }
    text + "))"
}

/// The nodes that more than one unit uses, children first; assertions and meanings of symbols are units.
/// `terms` is the cone of these and may be more.
fn definitions(pool: &Pool, assertions: &[Term], terms: &[Term]) -> Vec<Term> {
    /// The unit of a node: the assertion or definition by its root.
    enum Unit {
        Of(Term),
        Own,
    }
    let mut units: FxHashMap<Term, Unit> = FxHashMap::default();
    let mut asserted: Vec<Term> = assertions.to_vec();
    asserted.sort_unstable();
    let mut own = Vec::new();
    for &term in terms.iter().rev() {
        if pool.args(term).is_empty() {
            continue;
        }
        let is_root = asserted.binary_search(&term).is_ok();
        let unit = match units.get(&term) {
            // An assertion is a unit, and a definition if something else mentions it too.
            Some(_) if is_root => Some(term),
            Some(Unit::Own) => Some(term),
            Some(&Unit::Of(unit)) => {
                mark_children(pool, &mut units, term, unit);
                None
            }
            None => {
                mark_children(pool, &mut units, term, term);
                None
            }
        };
        if let Some(unit) = unit {
            own.push(unit);
            mark_children(pool, &mut units, unit, unit);
        }
    }
    own.reverse();
    return own;

    fn mark_children(pool: &Pool, units: &mut FxHashMap<Term, Unit>, term: Term, unit: Term) {
        let is_open = pool.op(term) == Op::Forall;
        for &child in pool.args(term).iter().filter(|_| !is_open) {
            match units.get_mut(&child) {
                None => {
                    units.insert(child, Unit::Of(unit));
                }
                Some(Unit::Of(other)) if *other == unit => {}
                Some(mark) => *mark = Unit::Own,
            }
        }
    }
}

/// The least logic of the usual names that has everything in these terms; `ALL` if none has.
pub fn logic_of(pool: &Pool, roots: &[Term]) -> String {
    let below = cone(pool, roots);
    let kinds: Vec<SortKind> =
        all_sorts(pool, &below).into_iter().map(|sort| pool.sorts().kind(sort)).collect();
    let any = |test: fn(&SortKind) -> bool| kinds.iter().any(test);
    let arrays = any(|kind| matches!(kind, SortKind::Array { .. }));
    let odd_arrays = any(
        |kind| matches!(kind, SortKind::Array { index, element } if !index.is_bitvec() || !element.is_bitvec()),
    );
    let bits = any(|kind| matches!(kind, SortKind::BitVec(_)));
    let functions = any(|kind| matches!(kind, SortKind::Function { .. }));
    let free = any(|kind| matches!(kind, SortKind::Uninterpreted(_)));
    if any(|kind| matches!(kind, SortKind::Theory(_))) {
        return "ALL".into();
    }
    let logic = match (bits, arrays) {
        (true, true) if odd_arrays => "ALL",
        (true, true) if functions || free => "QF_AUFBV",
        (true, true) => "QF_ABV",
        (true, false) if functions || free => "QF_UFBV",
        (true, false) => "QF_BV",
        (false, true) if functions => "ALL",
        (false, true) => "QF_AX",
        (false, false) => "QF_UF",
    };
    let is_quantified = below.iter().any(|&term| pool.op(term) == Op::Forall);
    logic.strip_prefix("QF_").filter(|_| is_quantified).unwrap_or(logic).into()
}
