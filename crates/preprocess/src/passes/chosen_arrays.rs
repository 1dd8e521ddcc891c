//! Chosen arrays: alternatives that all say what an array is define it, by a choice of arrays.
//!
//! `(or (and p (= b (store a i e))) (and q (= b a)))` becomes `(= b (ite s (store a i e) a))` and
//! `(ite s p q)` with a fresh `s` that says which alternative holds; so do implications under conditions that
//! exclude each other and of which one holds: `(=> c (= b (store a i e)))` and `(=> (not c) (= b a))` need no
//! fresh symbol.
//! Bounded model checkers write steps of programs and protocols in these forms. As definitions they are
//! eliminated by substitution; as they stand each equation is an atom, and lemmas have to say of each index
//! that equal arrays have equal elements, and of arrays that are not equal that they have a witness.
//!
//! Why it is right: if a disjunction holds, one of its alternatives does; let `s` choose the first of these,
//! and what is left is true. If what is left is true, the alternative that `s` chooses holds. A member of an
//! alternative that each later one contradicts is such an `s`, as the alternatives tell that themselves.
//!
//! Words are left to [`super::joined_equations`], which sees the choice that is left; where alternatives say
//! nothing of arrays they stay, since that lost more than it gained.
//!
//! Cost: [`MOST_VISITS`] steps for each conjunct and symbol, [`MOST_SYMBOLS`] symbols of each conjunct.

use super::memories::is_array;
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::{Edge, always_different, make};
use bivalve_terms::{Op, Pool, Sort, Term};
use rustc_hash::FxHashSet;

/// More places of a conjunct are not looked at for one symbol.
const MOST_VISITS: u32 = 1_024;

/// Alternatives that are nested deeper than this are left as they are.
const MOST_DEPTH: u32 = 64;

/// More symbols of one conjunct are not tried.
const MOST_SYMBOLS: usize = 16;

/// More conditions of one implication, and more members of one alternative that could tell it from others,
/// are not looked at.
const MOST_CONDITIONS: usize = 8;

/// Implications of one symbol are compared with no more others.
const MOST_PARTS: usize = 32;

/// Terms that are visited to find out whether a value leads back to its symbol.
const MOST_BELOW: usize = 1_024;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if !pool.sorts().has_arrays() {
        return None;
    }
    let mut stated: Vec<(std::cmp::Reverse<Term>, usize)> = vec![];
    for (place, &conjunct) in problem.conjuncts.iter().enumerate() {
        if matches!(pool.op(conjunct), Op::Not | Op::Ite) {
            let symbols = symbols(pool, problem, conjunct)?;
            stated.extend(symbols.into_iter().map(|symbol| (std::cmp::Reverse(symbol), place)));
        }
    }
    stated.sort_unstable();
    let mut conjuncts = problem.conjuncts.to_vec();
    let mut added = vec![];
    for same in stated.chunk_by(|one, other| one.0 == other.0) {
        let symbol = same[0].0.0;
        let parts = parts(pool, problem, symbol, same.iter().map(|&(_, place)| (place, conjuncts[place])))?;
        if parts.is_empty() {
            continue;
        }
        let value = define(pool, symbol, parts, &mut conjuncts);
        added.push(Change::added(make::eq(pool, symbol, value), Reason::Fresh));
    }
    let places = problem.conjuncts.iter().zip(conjuncts).filter(|(before, after)| *before != after);
    added.extend(places.map(|(&before, after)| Change::new(before, after, Reason::Fresh)));
    (!added.is_empty()).then_some(added)
}

/// The arrays that a part of the conjunct has a value for; `None` when the deadline is over. Those come first
/// that were declared last: later ones are computed from earlier ones.
fn symbols(pool: &Pool, problem: &Problem<'_>, conjunct: Term) -> Option<Vec<Term>> {
    let (mut symbols, mut todo) = (vec![], vec![(conjunct, true)]);
    let mut visits = 0;
    while let Some((term, truth)) = todo.pop() {
        visits += 1;
        if visits > MOST_VISITS {
            break;
        }
        match (pool.op(term), pool.args(term)) {
            (Op::Not, &[inner]) => todo.push((inner, !truth)),
            (Op::And, members) => todo.extend(members.iter().map(|&member| (member, truth))),
            (Op::Ite, &[_, then, other]) => todo.extend([(then, truth), (other, truth)]),
            (Op::Eq, &[a, b]) if truth && is_array(pool, a) => symbols.extend([a, b]),
            _ => {}
        }
    }
    symbols.retain(|&symbol| pool.op(symbol) == Op::Symbol && !problem.is_frozen(symbol));
    symbols.sort_unstable_by_key(|&symbol| std::cmp::Reverse(symbol));
    symbols.dedup();
    symbols.truncate(MOST_SYMBOLS);
    problem.deadline.step(u64::from(visits)).then_some(symbols)
}

/// A conjunct that says what a symbol is, where some conditions hold.
struct Part {
    place: usize,
    conditions: Vec<Term>,
    /// The disjunction of these holds there, and each says it.
    alternatives: Vec<Term>,
}

/// Conjuncts that say together what the symbol is, each under conditions that exclude those of the others;
/// none if they do not say it in all cases, or if its value would lead back to it. `None` when the deadline
/// is over.
fn parts(
    pool: &mut Pool,
    problem: &Problem<'_>,
    symbol: Term,
    conjuncts: impl Iterator<Item = (usize, Term)>,
) -> Option<Vec<Part>> {
    let mut walk = Walk { symbol, visits: 0, values: vec![] };
    let mut parts: Vec<Part> = vec![];
    for (place, conjunct) in conjuncts.take(MOST_PARTS) {
        walk.visits = 0;
        let known = walk.values.len();
        let disjuncts = members(pool, conjunct, false);
        let (alternatives, others): (Vec<Term>, Vec<Term>) =
            disjuncts.into_iter().partition(|&disjunct| walk.states(pool, disjunct, true, 0));
        if !problem.deadline.step(u64::from(walk.visits)) {
            return None;
        }
        let conditions: Vec<Term> = others.into_iter().map(|other| make::not(pool, other)).collect();
        let differ = |part: &Part| {
            let mut pairs = conditions.iter().flat_map(|&a| part.conditions.iter().map(move |&b| (a, b)));
            pairs.any(|(a, b)| exclude(pool, a, b))
        };
        let fits = !alternatives.is_empty() && conditions.len() <= MOST_CONDITIONS;
        if fits && parts.iter().all(differ) {
            walk.values.extend(&conditions);
            parts.push(Part { place, conditions, alternatives });
        } else {
            walk.values.truncate(known);
        }
    }
    // Where fewer conditions are asked for comes first, so that the others need not deny them again.
    parts.sort_by_key(|part| part.conditions.len());
    let edges = |part: &Part| part.conditions.iter().map(|&term| Edge::of(pool, term)).collect();
    let cases: Vec<Vec<Edge>> = parts.iter().map(edges).collect();
    let is_definition = cover(&cases, &mut { MOST_VISITS }) && !leads_to(pool, &walk.values, symbol);
    Some(if is_definition { parts } else { vec![] })
}

/// What a conjunction consists of, or a disjunction.
fn members(pool: &mut Pool, root: Term, is_conjunction: bool) -> Vec<Term> {
    let (mut found, mut todo) = (vec![], vec![(root, true)]);
    while let Some((term, truth)) = todo.pop() {
        match (pool.op(term), pool.args(term)) {
            (Op::Not, &[inner]) => todo.push((inner, !truth)),
            (Op::And, members) if truth == is_conjunction && found.len() < MOST_VISITS as usize => {
                todo.extend(members.iter().rev().map(|&member| (member, truth)));
            }
            _ => found.push(if truth { term } else { make::not(pool, term) }),
        }
    }
    found
}

/// Is it seen that two Booleans are never both true?
fn exclude(pool: &Pool, a: Term, b: Term) -> bool {
    let edges = [a, b].map(|term| Edge::of(pool, term));
    if edges[0].term == edges[1].term {
        return edges[0].negated != edges[1].negated;
    }
    let (Op::Eq, Op::Eq) = (pool.op(a), pool.op(b)) else { return false };
    let differ = |one: Term, other: Term| {
        pool.sort(one) == pool.sort(other)
            && always_different(pool, Edge::of(pool, one), Edge::of(pool, other))
    };
    let [a, b] = [a, b].map(|term| pool.args(term));
    (0..2).any(|i| (0..2).any(|j| a[i] == b[j] && differ(a[1 - i], b[1 - j])))
}

/// Does one of the cases hold in any case? They are conjunctions of Booleans that are taken as independent.
fn cover(cases: &[Vec<Edge>], budget: &mut u32) -> bool {
    if cases.iter().any(Vec::is_empty) {
        return true;
    }
    let (Some(first), Some(left)) = (cases.first(), budget.checked_sub(cases.len() as u32)) else {
        return false;
    };
    *budget = left;
    let split = first[0].term;
    [false, true].into_iter().all(|negated| {
        let contrary = Edge { term: split, negated: !negated };
        let left = cases.iter().filter(|case| !case.contains(&contrary));
        let left = left.map(|case| case.iter().copied().filter(|edge| edge.term != split).collect());
        cover(&left.collect::<Vec<_>>(), budget)
    })
}

/// Is the symbol found below the terms, as far as these are looked at? Substitution finds out the rest.
fn leads_to(pool: &Pool, terms: &[Term], symbol: Term) -> bool {
    let (mut seen, mut todo) = (FxHashSet::default(), terms.to_vec());
    while let Some(term) = todo.pop() {
        if term == symbol {
            return true;
        }
        // Terms are numbered after their arguments.
        if term > symbol && seen.len() < MOST_BELOW && seen.insert(term) {
            todo.extend(pool.args(term));
        }
    }
    false
}

/// Leaves of the conjuncts what else they say, and returns the value of the symbol.
fn define(pool: &mut Pool, symbol: Term, parts: Vec<Part>, conjuncts: &mut [Term]) -> Term {
    let mut walk = Walk { symbol, visits: 0, values: vec![] };
    let mut chain: Vec<(Term, Term)> = vec![];
    let mut denied = vec![];
    for Part { place, conditions, alternatives } in parts {
        walk.visits = 0;
        let says = walk.chosen(pool, alternatives, 0);
        let holds = conjunction(pool, &conditions);
        let fails = make::not(pool, holds);
        let rest = make::not(pool, says.rest);
        let contrary = make::and(pool, holds, rest);
        conjuncts[place] = make::not(pool, contrary);
        let needed: Vec<Term> = conditions.into_iter().filter(|term| !denied.contains(term)).collect();
        chain.push((conjunction(pool, &needed), says.value));
        denied.push(fails);
    }
    let (_, last) = chain.pop().expect("a symbol has a value in some part");
    chain.into_iter().rev().fold(last, |other, (holds, value)| make::ite(pool, holds, value, other))
}

fn conjunction(pool: &mut Pool, members: &[Term]) -> Term {
    let Some((&first, others)) = members.split_first() else { return pool.bool(true) };
    others.iter().fold(first, |all, &member| make::and(pool, all, member))
}

/// What a formula says: the symbol has this value, and the rest is true.
struct Says {
    value: Term,
    rest: Term,
}

/// A walk through the alternatives of a conjunct.
struct Walk {
    symbol: Term,
    visits: u32,
    /// What the symbol is said to be, and by which conditions.
    values: Vec<Term>,
}

impl Walk {
    /// The other side of an equation of the symbol.
    fn other_side(&self, pool: &Pool, term: Term) -> Option<Term> {
        match (pool.op(term), pool.args(term)) {
            (Op::Eq, &[a, b]) if a == self.symbol => Some(b),
            (Op::Eq, &[a, b]) if b == self.symbol => Some(a),
            _ => None,
        }
    }

    /// Does it say what the symbol is that the term has this truth value?
    fn states(&mut self, pool: &Pool, term: Term, truth: bool, depth: u32) -> bool {
        self.visits += 1;
        if self.visits > MOST_VISITS || depth > MOST_DEPTH {
            return false;
        }
        match (pool.op(term), pool.args(term)) {
            (Op::Eq, _) if truth => {
                let side = self.other_side(pool, term);
                self.values.extend(side);
                side.is_some()
            }
            (Op::Not, &[inner]) => self.states(pool, inner, !truth, depth + 1),
            (Op::And, args) if truth => args.iter().any(|&arg| self.states(pool, arg, true, depth + 1)),
            (Op::And, args) => args.iter().all(|&arg| self.states(pool, arg, false, depth + 1)),
            (Op::Ite, args) => {
                self.values.push(args[0]);
                args[1..].iter().all(|&arg| self.states(pool, arg, truth, depth + 1))
            }
            _ => false,
        }
    }

    /// What a term says that states what the symbol is.
    fn says(&mut self, pool: &mut Pool, term: Term, depth: u32) -> Says {
        if let Some(value) = self.other_side(pool, term) {
            return Says { value, rest: pool.bool(true) };
        }
        match (pool.op(term), pool.args(term)) {
            (Op::And, _) => {
                let mut parts = members(pool, term, true);
                let place = parts.iter().position(|&part| {
                    self.visits = 0;
                    self.states(pool, part, true, depth)
                });
                let says = parts.remove(place.expect("a member says what the symbol is"));
                let Says { value, rest } = self.says(pool, says, depth + 1);
                parts.push(rest);
                Says { value, rest: conjunction(pool, &parts) }
            }
            (Op::Ite, &[condition, then, other]) => {
                let [then, other] = [then, other].map(|branch| self.says(pool, branch, depth + 1));
                let value = make::ite(pool, condition, then.value, other.value);
                Says { value, rest: make::ite(pool, condition, then.rest, other.rest) }
            }
            (Op::Not, &[inner]) if pool.op(inner) == Op::Ite => {
                let &[condition, then, other] = pool.args(inner) else {
                    unreachable!("a choice has two branches")
                };
                let [then, other] = [then, other].map(|branch| make::not(pool, branch));
                let choice = pool.mk(Op::Ite, &[condition, then, other]);
                self.says(pool, choice, depth + 1)
            }
            _ => {
                let alternatives = members(pool, term, false);
                self.chosen(pool, alternatives, depth + 1)
            }
        }
    }

    /// What some alternatives say, one of which holds.
    fn chosen(&mut self, pool: &mut Pool, alternatives: Vec<Term>, depth: u32) -> Says {
        let mut rows: Vec<Vec<Term>> = alternatives.iter().map(|&term| members(pool, term, true)).collect();
        let mut chosen = vec![];
        for number in 0..rows.len() - 1 {
            let selector = match self.selector(pool, &rows, number) {
                Some(selector) => selector,
                None => pool.symbol("chosen", Sort::BOOL),
            };
            rows[number].retain(|&member| member != selector);
            let denied = make::not(pool, selector);
            rows[number + 1..].iter_mut().for_each(|row| row.retain(|&member| member != denied));
            chosen.push(selector);
        }
        let terms: Vec<Term> = rows.iter().map(|row| conjunction(pool, row)).collect();
        let mut says: Vec<Says> = terms.into_iter().map(|term| self.says(pool, term, depth + 1)).collect();
        let last = says.pop().expect("there is an alternative");
        says.into_iter().zip(chosen).rev().fold(last, |other, (says, selector)| Says {
            value: make::ite(pool, selector, says.value, other.value),
            rest: make::ite(pool, selector, says.rest, other.rest),
        })
    }

    /// A member of an alternative that excludes all later ones, and says nothing of the symbol.
    fn selector(&self, pool: &Pool, rows: &[Vec<Term>], number: usize) -> Option<Term> {
        let denies = |row: &Vec<Term>, term: Term| {
            row.iter().take(MOST_CONDITIONS).any(|&member| exclude(pool, member, term))
        };
        let mut members = rows[number].iter().take(MOST_CONDITIONS).copied();
        members.find(|&member| {
            rows[number + 1..].iter().all(|row| denies(row, member))
                && !leads_to(pool, &[member], self.symbol)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{alone, alone_frozen};
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::{Assignment, BitVec, Value, cone, eval};

    /// Three arrays of two bits, two indices of one bit, and three conditions.
    struct Trial {
        pool: Pool,
        arrays: Vec<Term>,
        words: Vec<Term>,
        conditions: Vec<Term>,
        random: fastrand::Rng,
    }

    impl Trial {
        fn new(seed: u64) -> Trial {
            let mut pool = Pool::new();
            let bit = Sort::bitvec(1).expect("a legal width");
            let sort = pool.sorts_mut().array(bit, bit).expect("not too deep");
            let arrays = ["a", "b", "c"].map(|name| pool.symbol(name, sort)).to_vec();
            let words = ["i", "j"].map(|name| pool.symbol(name, bit)).to_vec();
            let conditions = ["p", "q"].map(|name| pool.symbol(name, Sort::BOOL)).to_vec();
            Trial { pool, arrays, words, conditions, random: fastrand::Rng::with_seed(seed) }
        }

        fn one_of(&mut self, terms: &[Term]) -> Term {
            terms[self.random.usize(..terms.len())]
        }

        /// An array, seldom the last one.
        fn base(&mut self) -> Term {
            let known = if self.random.u8(..16) == 0 { 3 } else { 2 };
            let place = self.random.usize(..known);
            self.arrays[place]
        }

        fn word(&mut self) -> Term {
            if self.random.u8(..3) > 0 {
                return self.one_of(&self.words.clone());
            }
            let (base, index) = (self.base(), self.one_of(&self.words.clone()));
            self.pool.mk(Op::Select, &[base, index])
        }

        /// A symbol, an equation of words, or a complement of these.
        fn condition(&mut self) -> Term {
            let [a, b] = [self.word(), self.word()];
            let found = match self.random.u8(..4) {
                0 => self.pool.mk(Op::Eq, &[a, b]),
                _ => self.one_of(&self.conditions.clone()),
            };
            if self.random.bool() { found } else { self.pool.mk(Op::Not, &[found]) }
        }

        fn array(&mut self) -> Term {
            let base = self.base();
            let [index, element] = [self.word(), self.word()];
            if self.random.bool() { self.pool.mk(Op::Store, &[base, index, element]) } else { base }
        }

        /// Mostly what says that the last array is something, perhaps by a choice.
        fn saying(&mut self, depth: u32) -> Term {
            let value = self.array();
            let symbol = if self.random.u8(..8) == 0 { self.array() } else { self.arrays[2] };
            let equation = self.pool.mk(Op::Eq, &[symbol, value]);
            let condition = self.condition();
            match self.random.u8(..if depth == 0 { 3 } else { 8 }) {
                0 | 1 => equation,
                2 => self.pool.mk(Op::And, &[condition, equation]),
                3 => {
                    let [then, other] = [(); 2].map(|()| self.saying(depth - 1));
                    self.pool.mk(Op::Ite, &[condition, then, other])
                }
                4 => {
                    let [then, other] = [(); 2].map(|()| self.saying(depth - 1));
                    let [then, other] = [then, other].map(|term| self.pool.mk(Op::Not, &[term]));
                    let choice = self.pool.mk(Op::Ite, &[condition, then, other]);
                    self.pool.mk(Op::Not, &[choice])
                }
                5 => {
                    let (denied, mut other) = (self.pool.mk(Op::Not, &[condition]), self.saying(depth - 1));
                    other = self.pool.mk(Op::And, &[denied, other]);
                    let then = self.pool.mk(Op::And, &[condition, equation]);
                    self.pool.mk(Op::Or, &[then, other])
                }
                _ => {
                    let more: Vec<Term> = (0..2).map(|_| self.saying(depth - 1)).collect();
                    self.pool.mk(Op::Or, &more)
                }
            }
        }

        /// A disjunction, or implications under conditions; and something else.
        fn conjuncts(&mut self) -> Vec<Term> {
            let mut conjuncts = vec![];
            if self.random.bool() {
                let more: Vec<Term> = (0..self.random.usize(2..4)).map(|_| self.saying(1)).collect();
                conjuncts.push(self.pool.mk(Op::Or, &more));
            } else {
                let [first, second] = [(); 2].map(|()| self.condition());
                let [not_first, not_second] = [first, second].map(|term| self.pool.mk(Op::Not, &[term]));
                let cases = match self.random.u8(..3) {
                    0 => vec![vec![first], vec![not_first]],
                    1 => vec![vec![first, not_second], vec![not_first], vec![first, second]],
                    _ => vec![vec![not_first], vec![second, first], vec![first]],
                };
                for case in cases {
                    let (condition, says) = (conjunction(&mut self.pool, &case), self.saying(1));
                    conjuncts.push(self.pool.mk(Op::Implies, &[condition, says]));
                }
            }
            let (condition, word) = (self.condition(), self.word());
            let index = self.words[0];
            let read = self.pool.mk(Op::Select, &[self.arrays[2], index]);
            let equation = self.pool.mk(Op::Eq, &[read, word]);
            conjuncts.push(self.pool.mk(Op::Or, &[condition, equation]));
            let mut rewriter = Rewriter::new(Level::Local);
            conjuncts.into_iter().map(|conjunct| rewriter.rewrite(&mut self.pool, conjunct)).collect()
        }

        fn assignment(&self, mut code: u64) -> Assignment {
            let (mut assignment, mut next) = (Assignment::new(), || {
                code >>= 1;
                code << 63 != 0
            });
            for &array in &self.arrays {
                let mut value = Value::default_of(self.pool.sorts(), self.pool.sort(array));
                for index in 0..2 {
                    let [index, element] =
                        [index, u64::from(next())].map(|bits| Value::BitVec(BitVec::from_u64(bits, 1)));
                    value = value.expect_array().store(&index, &element).into();
                }
                assignment.set(array, value);
            }
            for &word in &self.words {
                assignment.set(word, BitVec::from_u64(u64::from(next()), 1));
            }
            for &condition in &self.conditions {
                assignment.set(condition, next());
            }
            assignment
        }

        /// Do both hold in the same assignments, the second for some values of symbols that are fresh?
        fn agree(&self, before: &[Term], after: &[Term]) -> bool {
            let known: Vec<Term> =
                [&self.arrays, &self.words, &self.conditions].into_iter().flatten().copied().collect();
            let is_fresh = |&term: &Term| self.pool.op(term) == Op::Symbol && !known.contains(&term);
            let fresh: Vec<Term> = cone(&self.pool, after).into_iter().filter(is_fresh).collect();
            assert!(fresh.len() < 8, "{} fresh symbols", fresh.len());
            let holds = |terms: &[Term], assignment: &Assignment| {
                terms.iter().all(|&term| eval(&self.pool, term, assignment).expect_bool())
            };
            (0..1 << 10).all(|code| {
                let mut assignment = self.assignment(code << 1);
                let found = (0..1u64 << fresh.len()).any(|values| {
                    let bits = fresh.iter().enumerate();
                    bits.for_each(|(place, &symbol)| assignment.set(symbol, values >> place & 1 == 1));
                    holds(after, &assignment)
                });
                holds(before, &assignment) == found
            })
        }
    }

    #[test]
    fn the_same_assignments_are_left() {
        let (mut changed, mut fresh) = (0, 0);
        for seed in 0..500 {
            let mut trial = Trial::new(seed);
            let before = trial.conjuncts();
            let Some(after) = alone(run, &mut trial.pool, &before) else { continue };
            assert!(trial.agree(&before, &after), "seed {seed}");
            changed += 1;
            let is_symbol = |&term: &Term| trial.pool.op(term) == Op::Symbol;
            fresh += usize::from(cone(&trial.pool, &after).into_iter().filter(is_symbol).count() > 7);
        }
        assert!(changed > 100 && fresh > 20, "{changed} changed, {fresh} with fresh symbols: too easy");
    }

    /// What alternatives say beside equations counts, and so does the choice: without either of them other
    /// assignments are left, and that is seen.
    #[test]
    fn wrong_definitions_are_seen() {
        let mut wrong = [0; 2];
        for seed in 0..200 {
            let mut trial = Trial::new(seed);
            let before = trial.conjuncts();
            let Some(after) = alone(run, &mut trial.pool, &before) else { continue };
            let definition = after[after.len() - 1];
            let mut without = before[before.len() - 1..].to_vec();
            without.push(definition);
            wrong[0] += usize::from(!trial.agree(&before, &without));
            // The other branch of the choice.
            let &[symbol, value] = trial.pool.args(definition) else { continue };
            let &[condition, then, other] = trial.pool.args(value) else { continue };
            let value = trial.pool.mk(Op::Ite, &[condition, other, then]);
            let mut swapped = after.clone();
            *swapped.last_mut().expect("a definition") = make::eq(&mut trial.pool, symbol, value);
            wrong[1] += usize::from(!trial.agree(&before, &swapped));
        }
        assert!(wrong.into_iter().all(|count| count > 20), "{wrong:?}");
    }

    /// Conditions that tell the cases apart are used; a frozen symbol stays where it is, and so does one that
    /// its value would lead back to, or that not all cases define.
    #[test]
    fn conditions_choose() {
        let Trial { mut pool, arrays, words, conditions, .. } = Trial::new(0);
        let &[a, b, c] = &arrays[..] else { unreachable!("three arrays") };
        let (p, q) = (conditions[0], conditions[1]);
        let stored = pool.mk(Op::Store, &[a, words[0], words[1]]);
        let [c_is_stored, c_is_a] = [stored, a].map(|value| make::eq(&mut pool, c, value));
        let not_p = pool.mk(Op::Not, &[p]);
        let both = pool.mk(Op::And, &[not_p, q]);
        let rest = pool.mk(Op::And, &[both, c_is_a]);
        let first = pool.mk(Op::And, &[p, c_is_stored]);
        let any = pool.mk(Op::Or, &[first, rest]);
        let implied = pool.mk(Op::Implies, &[p, c_is_stored]);
        let neither = pool.mk(Op::Implies, &[not_p, c_is_a]);
        let mut rewriter = Rewriter::new(Level::Local);
        let [any, implied, neither] = [any, implied, neither].map(|term| rewriter.rewrite(&mut pool, term));
        let value = make::ite(&mut pool, p, stored, a);
        let definition = make::eq(&mut pool, c, value);
        let found = alone(run, &mut pool, &[any]).expect("both alternatives define it");
        assert_eq!(rewriter.rewrite(&mut pool, found[1]), rewriter.rewrite(&mut pool, definition));
        let choice = [p, q].map(|term| pool.mk(Op::Not, &[term]));
        let choice = pool.mk(Op::And, &choice);
        let choice = pool.mk(Op::Not, &[choice]);
        assert_eq!(rewriter.rewrite(&mut pool, found[0]), rewriter.rewrite(&mut pool, choice));
        let found = alone(run, &mut pool, &[implied, neither]).expect("both cases define it");
        assert_eq!(rewriter.rewrite(&mut pool, found[2]), rewriter.rewrite(&mut pool, definition));
        assert_eq!(alone(run, &mut pool, &[implied]), None);
        assert_eq!(alone_frozen(run, &mut pool, &[any], &[a, c]), None);
        let own = pool.mk(Op::Store, &[c, words[0], words[1]]);
        let [own, other] = [own, b].map(|value| make::eq(&mut pool, c, value));
        let own = pool.mk(Op::And, &[own, q]);
        let any = pool.mk(Op::Or, &[own, other]);
        let any = rewriter.rewrite(&mut pool, any);
        assert_eq!(alone_frozen(run, &mut pool, &[any], &[b]), None);
    }
}
