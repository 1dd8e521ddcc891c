//! The printer of BTOR.
//!
//! A system without states is printed as roots that hold together: its constraints, and one for the
//! disjunction of its bad states, since one of them is asked for and not all at once. In a sequential system
//! BTOR has registers that begin with zero, arrays that begin with anything, and bad states. What else a
//! system may have is expressed with these: a state with another initial value is read through a choice
//! between that value, in the first frame, and the register, later; a register remembers that a constraint
//! was violated. Outputs and the names of inner terms are left out, because BTOR has no place for them.
//!
//! Shift amounts of all bits and constant arrays are printed as Boolector 3 reads them. Reading the text
//! gives the same system, term by term, if the system was read from BTOR.

use crate::lines::emit::{Dialect, Emitter, Inexpressible, Shape, symbol};
use bivalve_systems::{Property, State, System};
use bivalve_terms::{BitVec, Op, Pool, Term, cone};

const BIT: Shape = Shape { width: 1, index: None };

/// The system as a BTOR text.
///
/// # Errors
///
/// When there are no words for it: functions, declared sorts, nested arrays, justice and fairness.
pub fn print(pool: &Pool, system: &System) -> Result<String, Inexpressible> {
    let mut out = Emitter::new(pool, Dialect::Btor);
    if !system.justices.is_empty() || !system.fairs.is_empty() {
        return Err(out.inexpressible("justice and fairness"));
    }
    for input in &system.inputs {
        let number = leaf(&mut out, input.term, input.name.as_deref())?;
        out.set(input.term, number);
    }
    if system.is_combinational() {
        for state in &system.states {
            let number = leaf(&mut out, state.term, state.name.as_deref())?;
            out.set(state.term, number);
        }
        print_roots(&mut out, system)?;
    } else {
        print_registers(&mut out, system)?;
    }
    Ok(out.finish())
}

/// Formulas that hold together, as a BTOR text.
///
/// # Errors
///
/// As [`print()`].
pub fn print_formulas(pool: &Pool, formulas: &[Term]) -> Result<String, Inexpressible> {
    let symbols = cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
    print(pool, &System::of_assertions(pool, symbols.collect(), formulas.to_vec()))
}

/// The declaration of a variable or an array.
fn leaf(out: &mut Emitter<'_>, term: Term, name: Option<&str>) -> Result<u64, Inexpressible> {
    let shape = out.shape(out.pool.sort(term))?;
    let (word, sort) = (if shape.index.is_some() { "array" } else { "var" }, out.sort(shape));
    let name = name.map_or(String::new(), |name| format!(" {}", symbol(name)));
    Ok(out.line(format_args!("{word} {sort}{name}")))
}

fn numbers(out: &mut Emitter<'_>, properties: &[Property]) -> Result<Vec<u64>, Inexpressible> {
    let terms: Vec<Term> = properties.iter().map(|property| property.term).collect();
    out.write(&cone(out.pool, &terms))?;
    Ok(terms.into_iter().map(|term| out.number(term)).collect())
}

fn print_roots(out: &mut Emitter<'_>, system: &System) -> Result<(), Inexpressible> {
    for number in numbers(out, &system.constraints)? {
        out.line(format_args!("root 1 {number}"));
    }
    let bads = numbers(out, &system.bads)?;
    if let Some(bad) = bads.into_iter().reduce(|a, b| out.word("or", 1, &[a, b])) {
        out.line(format_args!("root 1 {bad}"));
    }
    Ok(())
}

/// Whether BTOR gives the state its initial value by itself.
fn begins_by_itself(pool: &Pool, state: &State) -> bool {
    match (pool.width(state.term), state.init) {
        (Some(_), Some(init)) => pool.as_bitvec(init).is_some_and(|value| value.is_zero()),
        (None, init) => init.is_none() && pool.sorts().array_parts(pool.sort(state.term)).is_some(),
        (Some(_), None) => false,
    }
}

fn print_registers(out: &mut Emitter<'_>, system: &System) -> Result<(), Inexpressible> {
    let pool = out.pool;
    let plain = |state: &State| begins_by_itself(pool, state) && state.next.is_some();
    // A bit that is 0 in the first frame and 1 later.
    let later = system.states.iter().any(|state| !plain(state)).then(|| {
        let number = out.line(format_args!("var 1"));
        let one = out.constant(&BitVec::one(1));
        out.line(format_args!("next 1 {number} {one}"));
        number
    });
    let mut registers = Vec::new();
    for state in &system.states {
        let number = leaf(out, state.term, state.name.as_deref())?;
        registers.push(number);
        let shape = out.shape(pool.sort(state.term))?;
        let value = match later.filter(|_| !plain(state)) {
            None => number,
            Some(later) => {
                let first = match state.init {
                    Some(init) => {
                        out.write(&cone(pool, &[init]))?;
                        out.number(init)
                    }
                    None => {
                        let (word, sort) =
                            (if shape.index.is_some() { "array" } else { "var" }, out.sort(shape));
                        out.line(format_args!("{word} {sort}"))
                    }
                };
                out.node("ite", shape, &[later, number, first], &[])
            }
        };
        out.set(state.term, value);
    }
    let constraints = numbers(out, &system.constraints)?;
    let holds = constraints.into_iter().reduce(|a, b| out.word("and", 1, &[a, b])).map(|now| {
        // A bit that is 1 when a constraint was violated before.
        let violated = out.line(format_args!("var 1"));
        let fails = out.word("not", 1, &[now]);
        let next = out.word("or", 1, &[violated, fails]);
        out.line(format_args!("next 1 {violated} {next}"));
        out.word("not", 1, &[next])
    });
    for bad in numbers(out, &system.bads)? {
        let root = holds.map_or(bad, |holds| out.node("and", BIT, &[bad, holds], &[]));
        out.line(format_args!("root 1 {root}"));
    }
    for (state, register) in system.states.iter().zip(registers) {
        let Some(next) = state.next else { continue };
        out.write(&cone(pool, &[next]))?;
        let shape = out.shape(pool.sort(state.term))?;
        let word = if shape.index.is_some() { "anext" } else { "next" };
        let (sort, next) = (out.sort(shape), out.number(next));
        out.line(format_args!("{word} {sort} {register} {next}"));
    }
    Ok(())
}
