//! Joined equations: formulas that all say what `x` is, one of which applies, say it once, by a choice of
//! values.
//!
//! `(ite c (and (= x s) p) (= x t))` becomes `(= x (ite c s t))` and `(ite c p true)`. The cases may also be a
//! disjunction, `(or (and c (= x s)) (and (not c) (= x t)))`, or conjuncts of their own,
//! `(=> c (and (= x s) p))` and `(=> (not c) (= x t))`, of any number, where their conditions tell them apart
//! ([`cases`]). Translations of programs, of protocols and of circuits with modes are full of them; as
//! equations they are definitions, and substitution eliminates their symbols.
//!
//! Why it is right: where a case applies `x` has the value that this case states, and what else the case says
//! is left. Whether the value leads back to `x` is found out by substitution; until then the equation is as
//! good as the cases were. The general form of [`crate::conditional`].
//!
//! Measured: additions of floating-point numbers with 32 bits of exponent, both ways round, 8.4 s to 0.1 s.
//! Cost: [`MOST_VISITS`] steps for each conjunct and symbol, [`MOST_SYMBOLS`] symbols.

mod cases;

use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};
use cases::{Case, Literal, literals};
use rustc_hash::FxHashMap;

/// More places are not looked at for one symbol.
const MOST_VISITS: u32 = 512;

/// Choices deeper than this are left as they are.
const MOST_DEPTH: u32 = 64;

/// More symbols of one conjunct are not tried.
const MOST_SYMBOLS: usize = 16;

/// More conjuncts about one symbol are not joined.
const MOST_CASES: usize = 64;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Term>> {
    let mut found = vec![];
    let mut rests = problem.conjuncts.to_vec();
    for rest in &mut rests {
        split(pool, problem, rest, &mut found)?;
    }
    join(pool, problem, &mut rests, &mut found)?;
    if found.is_empty() {
        return None;
    }
    found.append(&mut rests);
    Some(found)
}

/// Puts the equations that all cases of a conjunct state where they belong, and leaves the rest of it. `None`
/// when the deadline is over.
fn split(pool: &mut Pool, problem: &Problem<'_>, rest: &mut Term, found: &mut Vec<Term>) -> Option<()> {
    if !is_choice(pool, *rest) {
        return Some(());
    }
    for symbol in symbols(pool, problem, *rest) {
        let mut walk = Walk { symbol, visits: 0 };
        let stated = walk.stated(pool, (*rest, true), 0);
        if !problem.deadline.step(u64::from(walk.visits) + 1) {
            return None;
        }
        if let Some(stated) = stated {
            found.push(make::eq(pool, symbol, stated.value));
            *rest = stated.rest;
        }
    }
    Some(())
}

/// Joins conjuncts of the form `(=> guard (and (= x t) ..))` whose guards leave no case out. `None` when the
/// deadline is over.
fn join(pool: &mut Pool, problem: &Problem<'_>, rests: &mut [Term], found: &mut Vec<Term>) -> Option<()> {
    let mut about: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
    let mut order = vec![];
    for (place, &conjunct) in rests.iter().enumerate() {
        if !problem.deadline.step(1) {
            return None;
        }
        for symbol in cases::consequents(pool, conjunct, &|symbol| !problem.is_frozen(symbol)) {
            let places = about.entry(symbol).or_default();
            if places.is_empty() {
                order.push(symbol);
            }
            places.push(place);
        }
    }
    order.sort_unstable_by_key(|&symbol| std::cmp::Reverse(symbol));
    for symbol in order {
        let places = &about[&symbol];
        if !(2..=MOST_CASES).contains(&places.len()) {
            continue;
        }
        // A conjunct may have become another by an equation of another symbol.
        let cases = places.iter().map(|&place| cases::implication(pool, rests[place], symbol));
        let Some(cases) = cases.collect::<Option<Vec<Case>>>() else { continue };
        let mut walk = Walk { symbol, visits: 0 };
        let stated = walk.of_implications(pool, cases, 0);
        if !problem.deadline.step(u64::from(walk.visits) + 1) {
            return None;
        }
        if let Some(stated) = stated {
            found.push(make::eq(pool, symbol, stated.value));
            let truth = pool.bool(true);
            places.iter().for_each(|&place| rests[place] = truth);
            rests[places[0]] = stated.rest;
        }
    }
    Some(())
}

/// Is it a choice, or a disjunction, perhaps in a complement?
fn is_choice(pool: &Pool, conjunct: Term) -> bool {
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Not, &[inner]) => matches!(pool.op(inner), Op::Ite | Op::And),
        (op, _) => op == Op::Ite,
    }
}

/// The symbols that one of the cases has a value for, the youngest first: later ones are computed from
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
            (Op::And, members) => todo.push((members[0], false)),
            (Op::Ite, &[_, then, _]) => todo.push((then, value)),
            (Op::Eq, &[a, b]) => symbols.extend([a, b]),
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

/// A walk through the cases of conjuncts.
struct Walk {
    symbol: Term,
    visits: u32,
}

impl Walk {
    /// What it says of the symbol that a term has a truth value; `None` if it says nothing there.
    fn stated(&mut self, pool: &mut Pool, (term, truth): Literal, depth: u32) -> Option<Stated> {
        if !self.may_go_on(depth) {
            return None;
        }
        match (pool.op(term), pool.args(term)) {
            (Op::Symbol, _) if term == self.symbol => {
                let value = pool.bool(truth);
                Some(Stated { value, rest: pool.bool(true) })
            }
            (Op::Eq, &[a, b]) if a == self.symbol || b == self.symbol => {
                let value = if a == self.symbol { b } else { a };
                let value = match truth {
                    true => value,
                    false if pool.width(value) == Some(1) => make::app(pool, Op::BvNot, &[value]),
                    false => return None,
                };
                Some(Stated { value, rest: pool.bool(true) })
            }
            (Op::Not, &[inner]) => self.stated(pool, (inner, !truth), depth + 1),
            (Op::And, _) if truth => {
                let members = literals(pool, (term, true));
                self.of_conjunction(pool, &members, depth)
            }
            (Op::And, _) => {
                let disjuncts = cases::disjuncts(pool, term);
                self.of_disjunction(pool, disjuncts, depth)
            }
            (Op::Ite, &[condition, then, other]) => {
                let then = self.stated(pool, (then, truth), depth + 1)?;
                let other = self.stated(pool, (other, truth), depth + 1)?;
                Some(choice(pool, (condition, true), &then, &other))
            }
            _ => None,
        }
    }

    fn of_conjunction(&mut self, pool: &mut Pool, members: &[Literal], depth: u32) -> Option<Stated> {
        let mut places = members.iter().enumerate();
        let found = places.find_map(|(place, &member)| Some((place, self.stated(pool, member, depth + 1)?)));
        let (place, Stated { value, mut rest }) = found?;
        for (_, &member) in members.iter().enumerate().filter(|&(other, _)| other != place) {
            let member = cases::term(pool, member);
            rest = make::and(pool, rest, member);
        }
        Some(Stated { value, rest })
    }

    /// One of these conjunctions holds.
    fn of_disjunction(
        &mut self,
        pool: &mut Pool,
        disjuncts: Vec<Vec<Literal>>,
        depth: u32,
    ) -> Option<Stated> {
        self.visits += disjuncts.len() as u32;
        if !self.may_go_on(depth) {
            return None;
        }
        if let [members] = &disjuncts[..] {
            return self.of_conjunction(pool, members, depth);
        }
        let (condition, with, without) = cases::split_disjunction(pool, &disjuncts)?;
        let then = self.of_disjunction(pool, with, depth + 1)?;
        let other = self.of_disjunction(pool, without, depth + 1)?;
        Some(choice(pool, condition, &then, &other))
    }

    /// All of these implications hold.
    fn of_implications(&mut self, pool: &mut Pool, cases: Vec<Case>, depth: u32) -> Option<Stated> {
        self.visits += cases.len() as u32;
        if !self.may_go_on(depth) {
            return None;
        }
        if let Some(place) = cases.iter().position(|case| case.guard.is_empty()) {
            let Stated { value, mut rest } = self.of_conjunction(pool, &cases[place].claims, depth)?;
            for (_, case) in cases.iter().enumerate().filter(|&(other, _)| other != place) {
                let implication = case.term(pool);
                rest = make::and(pool, rest, implication);
            }
            return Some(Stated { value, rest });
        }
        let (condition, with, without) = cases::split_implications(pool, &cases)?;
        let then = self.of_implications(pool, with, depth + 1)?;
        let other = self.of_implications(pool, without, depth + 1)?;
        Some(choice(pool, condition, &then, &other))
    }

    fn may_go_on(&mut self, depth: u32) -> bool {
        self.visits += 1;
        self.visits <= MOST_VISITS && depth <= MOST_DEPTH
    }
}

/// The one where the condition holds, else the other.
fn choice(pool: &mut Pool, (condition, truth): Literal, then: &Stated, other: &Stated) -> Stated {
    let (then, other) = if truth { (then, other) } else { (other, then) };
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
    }

    /// Conditions over two bits that exclude each other and leave nothing out, or nearly so.
    fn conditions(pool: &mut Pool, trial: &mut Trial) -> Vec<Term> {
        let [a, b] = [(); 2].map(|()| trial.bit(pool));
        let [not_a, not_b] = [a, b].map(|bit| pool.mk(Op::Not, &[bit]));
        let mut both = |a, b| pool.mk(Op::And, &[a, b]);
        match trial.number(4) {
            0 => vec![a, not_a],
            1 => vec![a, both(not_a, b), both(not_a, not_b)],
            2 => vec![both(a, b), both(a, not_b), not_a],
            _ => vec![a, both(not_a, b)],
        }
    }

    #[test]
    fn cases_that_are_conjuncts_or_disjuncts_leave_the_same_assignments() {
        let changed = check(run, 1500, |pool, trial: &mut Trial| {
            let symbol = trial.symbol();
            let conditions = conditions(pool, trial);
            let mut claims = vec![];
            for _ in &conditions {
                let value = trial.sum(pool, 1);
                let equation = pool.mk(Op::Eq, &[symbol, value]);
                let more = trial.comparison(pool);
                claims.push(if trial.chance(2) { pool.mk(Op::And, &[more, equation]) } else { equation });
            }
            let cases: Vec<(Term, Term)> = conditions.into_iter().zip(claims).collect();
            if trial.chance(2) {
                let cases = cases.into_iter().map(|(guard, claim)| pool.mk(Op::And, &[guard, claim]));
                let cases: Vec<Term> = cases.collect();
                return vec![pool.mk(Op::Or, &cases)];
            }
            cases.into_iter().map(|(guard, claim)| pool.mk(Op::Implies, &[guard, claim])).collect()
        });
        assert!(changed > 200, "{changed} changed: too easy");
    }

    /// Cases by the value of a term exclude each other; where no case is left over the value is a table.
    #[test]
    fn cases_by_constants_are_told_apart() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).expect("a legal width");
        let [s, x, y] = ["s", "x", "y"].map(|name| pool.symbol(name, byte));
        let values = [1, 2, 3].map(|value| pool.bv_u64(value, 8));
        let guards = values.map(|value| make::eq(&mut pool, s, value));
        let results = [y, values[0], values[1]];
        let cases: Vec<Term> = (0..3)
            .map(|case| {
                let equation = make::eq(&mut pool, x, results[case]);
                pool.mk(Op::And, &[guards[case], equation])
            })
            .collect();
        let whole = pool.mk(Op::Or, &cases);
        let whole = bivalve_rewrite::Rewriter::new(bivalve_rewrite::Level::Local).rewrite(&mut pool, whole);
        let found = alone_frozen(run, &mut pool, &[whole], &[y, s]).expect("it says what x is");
        assert_eq!(found.len(), 2);
        let &[one, other] = pool.args(found[0]) else { panic!("an equation") };
        let value = if one == x { other } else { one };
        assert_eq!(pool.op(value), Op::Ite);
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
        let [x_value, y_value] = [(a, b), (b, a)].map(|(then, other)| {
            let same = make::ite(&mut pool, d, other, other);
            make::ite(&mut pool, c, then, same)
        });
        let equations = [(y, y_value), (x, x_value)].map(|(x, value)| make::eq(&mut pool, x, value));
        assert_eq!(found[..2], equations);
        assert_eq!(found.len(), 3);
        assert_eq!(alone_frozen(run, &mut pool, &[whole], &[a, b, x, y]), None);
        let found = alone_frozen(run, &mut pool, &[whole], &[a, b, x]).expect("one is defined");
        assert_eq!(found[..1], equations[..1]);
    }
}
