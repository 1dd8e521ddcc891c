//! Joined equations: a choice between formulas that all say what `x` is says it once, by a choice of values.
//!
//! `(ite c (and (= x s) p) (= x t))` becomes `(= x (ite c s t))` and `(ite c p true)`. Translations of
//! programs and of circuits with modes are full of such choices, also nested; as equations they are
//! definitions, and substitution eliminates their symbols.
//!
//! Why it is right: the choice is true where the branch that is chosen is, so `x` has the value that this
//! branch states, and what else the branch says is left. Where both hold, the branch holds again.
//!
//! The whole form of what [`crate::conditional`] does for two conjuncts. Whether the value leads back to `x`
//! is found out by substitution; until then the equation is as good as the choice was. Measured: additions of
//! floating-point numbers with 32 bits of exponent, both ways round, 8.4 s to 0.1 s.
//!
//! Tried and gone again (it stands in the history of this folder): disjunctions and sets of implications
//! whose conditions tell the cases apart; of the files with 256-bit words and functions two were lost by
//! it, and one was slowed down.
//!
//! Cost: [`MOST_VISITS`] steps for each conjunct and symbol, [`MOST_SYMBOLS`] symbols.

use crate::change::Change;
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};

/// More places of a conjunct are not looked at for one symbol.
const MOST_VISITS: u32 = 512;

/// Choices deeper than this are left as they are.
const MOST_DEPTH: u32 = 64;

/// More symbols of one conjunct are not tried.
const MOST_SYMBOLS: usize = 16;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    changes(pool, problem, Kind::Choices)
}

/// The same for equivalences, which are choices as well: `(= (= x s) c)` says what `x` is if it has one bit.
/// A search with a reason for everything gains by it; the solver's sees through them.
pub(crate) fn of_equivalences(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    changes(pool, problem, Kind::Equivalences)
}

/// What is read as a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Choices,
    /// Equations of truth values, too.
    Equivalences,
}

fn changes(pool: &mut Pool, problem: &Problem<'_>, kind: Kind) -> Option<Vec<Change>> {
    let mut changes = vec![];
    for &conjunct in problem.conjuncts {
        if !is_choice(pool, conjunct, kind) {
            continue;
        }
        let mut parts = vec![];
        let rest = joined(pool, problem, (conjunct, kind), &mut parts)?;
        if !parts.is_empty() {
            parts.push(rest);
            changes.push(Change::law(conjunct, pool.mk(Op::And, &parts)));
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// Puts the equations that a conjunct states on all its branches where they belong, and returns the rest of
/// it. `None` when the deadline is over.
fn joined(
    pool: &mut Pool,
    problem: &Problem<'_>,
    (conjunct, kind): (Term, Kind),
    found: &mut Vec<Term>,
) -> Option<Term> {
    let mut rest = conjunct;
    for symbol in symbols(pool, problem, conjunct) {
        let mut walk = Walk { symbol, kind, visits: 0 };
        let stated = walk.stated(pool, rest, true, 0);
        if !problem.deadline.step(u64::from(walk.visits) + 1) {
            return None;
        }
        if let Some(stated) = stated {
            found.push(make::eq(pool, symbol, stated.value));
            rest = stated.rest;
        }
    }
    Some(rest)
}

/// Is it a choice, or the complement of one?
fn is_choice(pool: &Pool, conjunct: Term, kind: Kind) -> bool {
    let inner = if pool.op(conjunct) == Op::Not { pool.args(conjunct)[0] } else { conjunct };
    pool.op(inner) == Op::Ite || kind == Kind::Equivalences && equivalence(pool, inner).is_some()
}

/// The equation in an equivalence, and what it is equivalent to.
fn equivalence(pool: &Pool, term: Term) -> Option<(Term, Term)> {
    let (Op::Eq, &[a, b]) = (pool.op(term), pool.args(term)) else { return None };
    [(a, b), (b, a)].into_iter().find(|&(equation, _)| pool.op(equation) == Op::Eq)
}

/// The symbols that one of the branches has a value for, the youngest first: later ones are computed from
/// earlier ones.
fn symbols(pool: &Pool, problem: &Problem<'_>, conjunct: Term) -> Vec<Term> {
    let (mut symbols, mut todo) = (vec![], vec![(conjunct, true)]);
    let mut visits = 0;
    while let Some((term, value)) = todo.pop() {
        visits += 1;
        if visits > MOST_VISITS {
            break;
        }
        match (pool.op(term), pool.args(term)) {
            (Op::Not, &[inner]) => todo.push((inner, !value)),
            (Op::And, members) if value => todo.extend(members.iter().map(|&member| (member, true))),
            (Op::Ite, &[_, then, _]) => todo.push((then, value)),
            (Op::Eq, &[a, b]) => {
                symbols.extend([a, b]);
                todo.extend(equivalence(pool, term).map(|(equation, _)| (equation, value)));
            }
            _ => symbols.push(term),
        }
    }
    symbols.retain(|&symbol| pool.op(symbol) == Op::Symbol && !problem.is_frozen(symbol));
    symbols.sort_unstable_by_key(|&symbol| std::cmp::Reverse(symbol));
    symbols.dedup();
    symbols.truncate(MOST_SYMBOLS);
    symbols
}

/// What a formula says: the symbol has this value, and the rest is true.
struct Stated {
    value: Term,
    rest: Term,
}

/// A walk through the branches of a conjunct.
struct Walk {
    symbol: Term,
    kind: Kind,
    visits: u32,
}

impl Walk {
    /// What it says of the symbol that the term has this truth value; `None` if it says nothing there.
    fn stated(&mut self, pool: &mut Pool, term: Term, truth: bool, depth: u32) -> Option<Stated> {
        self.visits += 1;
        if self.visits > MOST_VISITS || depth > MOST_DEPTH {
            return None;
        }
        let all = |pool: &mut Pool, value| Some(Stated { value, rest: pool.bool(true) });
        match (pool.op(term), pool.args(term)) {
            (Op::Symbol, _) if term == self.symbol => {
                let value = pool.bool(truth);
                all(pool, value)
            }
            (Op::Eq, &[a, b]) if a == self.symbol || b == self.symbol => {
                let value = if a == self.symbol { b } else { a };
                let is_bit = pool.width(value) == Some(1);
                match (truth, is_bit) {
                    (true, _) => all(pool, value),
                    (false, true) => {
                        let value = make::app(pool, Op::BvNot, &[value]);
                        all(pool, value)
                    }
                    (false, false) => None,
                }
            }
            (Op::Eq, _) if self.kind == Kind::Equivalences => {
                let (equation, condition) = equivalence(pool, term)?;
                let then = self.stated(pool, equation, truth, depth + 1)?;
                let other = self.stated(pool, equation, !truth, depth + 1)?;
                Some(chosen(pool, condition, then, other))
            }
            (Op::Not, &[inner]) => self.stated(pool, inner, !truth, depth + 1),
            (Op::And, members) if truth => {
                let members = members.to_vec();
                let found = members
                    .iter()
                    .enumerate()
                    .find_map(|(place, &member)| Some((place, self.stated(pool, member, true, depth + 1)?)));
                let (place, Stated { value, mut rest }) = found?;
                for (_, &member) in members.iter().enumerate().filter(|&(other, _)| other != place) {
                    rest = make::and(pool, rest, member);
                }
                Some(Stated { value, rest })
            }
            (Op::Ite, &[condition, then, other]) => {
                let [then, other] = [then, other].map(|branch| self.stated(pool, branch, truth, depth + 1));
                Some(chosen(pool, condition, then?, other?))
            }
            _ => None,
        }
    }
}

/// What a choice says.
fn chosen(pool: &mut Pool, condition: Term, then: Stated, other: Stated) -> Stated {
    let value = make::ite(pool, condition, then.value, other.value);
    Stated { value, rest: make::ite(pool, condition, then.rest, other.rest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, alone, alone_frozen, check};
    use bivalve_terms::Sort;

    /// A random choice whose branches are mostly equations of one symbol.
    fn choice(pool: &mut Pool, trial: &mut Trial, symbol: Term, depth: u32) -> Term {
        if depth == 0 || trial.chance(4) {
            let value = trial.sum(pool, 1);
            let equation = pool.mk(Op::Eq, &[symbol, value]);
            return match trial.number(6) {
                0 => trial.comparison(pool),
                1 | 2 => {
                    let more = trial.comparison(pool);
                    pool.mk(Op::And, &[more, equation])
                }
                _ => equation,
            };
        }
        let condition = trial.comparison(pool);
        let [then, other] = [(); 2].map(|()| choice(pool, trial, symbol, depth - 1));
        match trial.chance(4) {
            true => {
                let [then, other] = [then, other].map(|branch| pool.mk(Op::Not, &[branch]));
                let inner = pool.mk(Op::Ite, &[condition, then, other]);
                pool.mk(Op::Not, &[inner])
            }
            false => pool.mk(Op::Ite, &[condition, then, other]),
        }
    }

    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial: &mut Trial| {
            let symbol = trial.symbol();
            vec![choice(pool, trial, symbol, 2), trial.comparison(pool)]
        });
        assert!(changed > 100, "{changed} changed: too easy");
        let changed = check(of_equivalences, 600, |pool, trial: &mut Trial| {
            let (a, b) = (trial.bit(pool), trial.symbol());
            let one = pool.mk_indexed(Op::Extract, &[0, 0], &[b]);
            let part = pool.symbol("part", Sort::bitvec(1).expect("a legal width"));
            let equation = pool.mk(Op::Eq, &[part, one]);
            let other = trial.comparison(pool);
            let choice = pool.mk(Op::Eq, &[equation, other]);
            vec![if trial.chance(2) { choice } else { pool.mk(Op::Not, &[choice]) }, a]
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// Both symbols of nested choices are defined, and what else the branches say is left; a frozen symbol
    /// stays where it is.
    #[test]
    fn two_symbols_of_nested_choices_are_defined() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).expect("a legal width");
        let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| pool.symbol(name, byte));
        let [c, d, p] = ["c", "d", "p"].map(|name| pool.symbol(name, Sort::BOOL));
        let [x_is_a, x_is_b, y_is_a, y_is_b] =
            [(x, a), (x, b), (y, a), (y, b)].map(|(x, a)| make::eq(&mut pool, x, a));
        let first = pool.mk(Op::And, &[x_is_a, y_is_b]);
        let second = pool.mk(Op::And, &[x_is_b, y_is_a]);
        let third = pool.mk(Op::And, &[second, p]);
        let inner = pool.mk(Op::Ite, &[d, second, third]);
        let whole = pool.mk(Op::Ite, &[c, first, inner]);
        let found = alone(run, &mut pool, &[whole]).expect("both are defined");
        let found = pool.args(found[0]).to_vec();
        let [x_value, y_value] = [(a, b), (b, a)].map(|(then, other)| {
            let same = make::ite(&mut pool, d, other, other);
            make::ite(&mut pool, c, then, same)
        });
        let equations = [(y, y_value), (x, x_value)].map(|(x, value)| make::eq(&mut pool, x, value));
        assert_eq!(found[..2], equations);
        assert_eq!(found.len(), 3);
        assert_eq!(alone_frozen(run, &mut pool, &[whole], &[a, b, x, y]), None);
        let found = alone_frozen(run, &mut pool, &[whole], &[a, b, x]).expect("one is defined");
        assert_eq!(pool.args(found[0])[..1], equations[..1]);
    }
}
