//! Choices between formulas that all say what a symbol is, as one equation of the symbol.
//!
//! `(ite c (and (= x s) p) (= x t))` is `(= x (ite c s t))` and `(ite c p true)`, so `x` can be replaced. The
//! solver does the same before it searches; here it is a theorem about `c`, `x`, `s`, `t` and `p`. A symbol
//! of one bit, or a truth value, has a value also where it differs from one, or where that is as true as
//! something else.
//!
//! Cost: [`MOST_VISITS`] terms for each choice and symbol, [`MOST_SYMBOLS`] symbols.

use bivalve_terms::{Op, Pool, Sort, Term};

/// More terms of a choice are not looked at for one symbol.
const MOST_VISITS: usize = 512;

/// Choices deeper than this are left as they are.
const MOST_DEPTH: u32 = 64;

/// More symbols of one choice are not tried.
const MOST_SYMBOLS: usize = 16;

/// What a conjunct says of a symbol, if it is a choice between formulas that say what the symbol is.
pub(crate) fn joined(pool: &mut Pool, conjunct: Term) -> Option<(Term, Stated)> {
    let inner = if pool.op(conjunct) == Op::Not { pool.args(conjunct)[0] } else { conjunct };
    if !matches!(pool.op(inner), Op::Ite | Op::Eq) {
        return None;
    }
    symbols(pool, conjunct).into_iter().find_map(|symbol| {
        let mut visits = 0;
        Some((symbol, stated(pool, conjunct, symbol, true, (0, &mut visits))?))
    })
}

/// The symbols that one of the branches has a value for, the youngest first: later ones are computed from
/// earlier ones.
fn symbols(pool: &Pool, conjunct: Term) -> Vec<Term> {
    let (mut symbols, mut todo, mut visits) = (vec![], vec![conjunct], 0);
    while let Some(term) = todo.pop().filter(|_| visits < MOST_VISITS) {
        visits += 1;
        match (pool.op(term), pool.args(term)) {
            (Op::Not | Op::And, args) => todo.extend_from_slice(args),
            (Op::Ite, &[_, then, _]) => todo.push(then),
            (Op::Eq, sides) => {
                symbols.extend_from_slice(sides);
                todo.extend(sides.iter().copied().filter(|&side| pool.op(side) == Op::Eq));
            }
            _ => symbols.push(term),
        }
    }
    symbols.retain(|&symbol| pool.op(symbol) == Op::Symbol);
    symbols.sort_unstable_by_key(|&symbol| std::cmp::Reverse(symbol));
    symbols.dedup();
    symbols.truncate(MOST_SYMBOLS);
    symbols
}

/// What a formula says: the symbol has this value, and the rest is true.
pub(crate) struct Stated {
    pub(crate) value: Term,
    pub(crate) rest: Term,
}

/// What it says of a symbol that the term has this truth value; `None` if it says nothing there.
fn stated(
    pool: &mut Pool,
    term: Term,
    symbol: Term,
    truth: bool,
    (depth, visits): (u32, &mut usize),
) -> Option<Stated> {
    *visits += 1;
    if *visits > MOST_VISITS || depth > MOST_DEPTH {
        return None;
    }
    let all = |pool: &mut Pool, value| Some(Stated { value, rest: pool.bool(true) });
    match (pool.op(term), pool.args(term)) {
        (Op::Symbol, _) if term == symbol => {
            let value = pool.bool(truth);
            all(pool, value)
        }
        (Op::Eq, &[a, b]) if truth && (a == symbol || b == symbol) => {
            all(pool, if a == symbol { b } else { a })
        }
        (Op::Eq, &[a, b]) if has_two_values(pool, a) && (a == symbol || b == symbol) => {
            let not = if pool.width(a).is_some() { Op::BvNot } else { Op::Not };
            let other = pool.mk(not, &[if a == symbol { b } else { a }]);
            all(pool, other)
        }
        (Op::Eq, &[a, b]) if pool.op(a) == Op::Eq || pool.op(b) == Op::Eq => {
            let (a, condition) = if pool.op(a) == Op::Eq { (a, b) } else { (b, a) };
            let then = stated(pool, a, symbol, truth, (depth + 1, visits))?;
            let other = stated(pool, a, symbol, !truth, (depth + 1, visits))?;
            Some(chosen(pool, condition, then, other))
        }
        (Op::Not, &[inner]) => stated(pool, inner, symbol, !truth, (depth + 1, visits)),
        (Op::And, members) if truth => {
            let members = members.to_vec();
            let mut found = members.iter().enumerate();
            let (place, Stated { value, rest }) = found.find_map(|(place, &member)| {
                Some((place, stated(pool, member, symbol, true, (depth + 1, visits))?))
            })?;
            let mut rests = members;
            rests[place] = rest;
            rests.retain(|&member| pool.as_bool(member) != Some(true));
            let rest = match rests[..] {
                [] => pool.bool(true),
                [rest] => rest,
                _ => pool.mk(Op::And, &rests),
            };
            Some(Stated { value, rest })
        }
        (Op::Ite, &[condition, then, other]) => {
            let then = stated(pool, then, symbol, truth, (depth + 1, visits))?;
            let other = stated(pool, other, symbol, truth, (depth + 1, visits))?;
            Some(chosen(pool, condition, then, other))
        }
        _ => None,
    }
}

fn has_two_values(pool: &Pool, term: Term) -> bool {
    pool.width(term) == Some(1) || pool.sort(term) == Sort::BOOL
}

/// What a choice says.
fn chosen(pool: &mut Pool, condition: Term, then: Stated, other: Stated) -> Stated {
    let value = pool.mk(Op::Ite, &[condition, then.value, other.value]);
    let is_same = then.rest == other.rest;
    let rest = if is_same { then.rest } else { pool.mk(Op::Ite, &[condition, then.rest, other.rest]) };
    Stated { value, rest }
}
