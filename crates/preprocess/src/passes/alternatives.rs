//! Alternatives: what is said in one shape of many operands is said once, of operands that are chosen.
//!
//! `(or (and p (= x (+ a b))) (and q (= x (+ c d))) ...)` needs an adder for each alternative. With a fresh
//! `s_i` for each alternative and a fresh word for each place where they differ, it is `(or s_1 s_2 ...)`,
//! `s_1 => p`, `s_1 => u = a and v = b`, ..., and `x = u + v` under the `s_i` that say so: one adder, and a
//! search that chooses operands before it computes. Searches for programs, for circuits and for plans ask
//! such questions: each step applies one of many operators to some of many operands.
//!
//! What several terms have in common is their least general generalization (Plotkin, *A note on inductive
//! generalization*, 1970): equal operators stay, what differs becomes a word, and the same differences the
//! same word. Words of different shapes that no alternative tells apart are one, too, so that their circuits
//! are shared: what is above or below a bound is the same sum.
//!
//! Why it is right: if an alternative holds, the assignment that chooses it and no other one, with its
//! operands as the values of the words, satisfies all that is asserted; and what is chosen holds, since its
//! operands are the values of the words then. Words that are not chosen are free.
//!
//! Measured on 28 problems of multiplication by constants: 23 solved in 20 s, Bitwuzla 10, and a seventh of
//! the clauses. Cost: linear in the conjuncts, and a step for each pair of what is said and a shape. Sums and
//! differences are different shapes, so two adders are left where one would do.

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_limits::Deadline;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Sort, Term, TermMap, TermSet};
use rustc_hash::FxHashSet;

/// Fewer alternatives stay as they are.
const FEWEST: usize = 4;

/// Terms of one shape, if there are no more, stay as they are.
const FEWEST_ALIKE: usize = 2;

/// Alternatives that say more things stay as they are.
const MOST_SAID: usize = 2_048;

/// Conjuncts with fewer gates stay as they are.
const FEWEST_GATES: u64 = 400;

/// How much of two terms is compared to see whether they are alike.
const LIKENESS_DEPTH: u32 = 3;

/// Terms are generalized no deeper than this.
const MOST_DEPTH: u32 = 8;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let mut candidates = vec![];
    for (place, &conjunct) in problem.conjuncts.iter().enumerate() {
        if !problem.is_frozen(conjunct)
            && let Some(alternatives) = alternatives(pool, conjunct)
        {
            candidates.push((place, alternatives));
        }
    }
    if candidates.is_empty() {
        return None;
    }
    let gates = Gates { owners: owners(pool, problem)?, problem };
    let mut changes = vec![];
    for (place, alternatives) in candidates {
        let before = gates.of(pool, &[problem.conjuncts[place]]);
        if before < FEWEST_GATES {
            continue;
        }
        let shapes = shapes(pool, &alternatives, problem.deadline)?;
        let choice = Choice { words: vec![], gates: &gates, place };
        let stated = choice.stated(pool, &shapes);
        if !problem.deadline.step(1) {
            return None;
        }
        if 2 * gates.of(pool, &stated) < before {
            changes.push(Change::new(problem.conjuncts[place], stated[0], Reason::Fresh));
            changes.extend(stated[1..].iter().map(|&said| Change::added(said, Reason::Fresh)));
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// The alternatives that a conjunct leaves, each as all that it says; `None` if it is not worth a choice.
fn alternatives(pool: &mut Pool, conjunct: Term) -> Option<Vec<Vec<Term>>> {
    let disjuncts = parts(pool, conjunct, true).filter(|disjuncts| disjuncts.len() >= FEWEST)?;
    let mut said = 0;
    let mut alternatives = vec![];
    for disjunct in disjuncts {
        let says = parts(pool, disjunct, false)?;
        said += says.len();
        alternatives.push(says);
        if said > MOST_SAID {
            return None;
        }
    }
    let is_compound = |says: &&Vec<Term>| says.iter().any(|&said| is_compound(pool, said));
    (alternatives.iter().filter(is_compound).count() >= FEWEST).then_some(alternatives)
}

/// Does a term compute something, beneath a relation?
fn is_compound(pool: &Pool, term: Term) -> bool {
    pool.args(term).iter().any(|&arg| !pool.args(arg).is_empty())
}

/// What a disjunction, or else a conjunction, consists of; `None` if that is too much.
fn parts(pool: &mut Pool, root: Term, is_disjunction: bool) -> Option<Vec<Term>> {
    let (mut found, mut todo) = (vec![], vec![(root, false)]);
    let mut seen = FxHashSet::default();
    while let Some((term, is_negated)) = todo.pop() {
        if !seen.insert((term, is_negated)) {
            continue;
        }
        let is_split = match pool.op(term) {
            Op::Not => {
                todo.push((pool.args(term)[0], !is_negated));
                continue;
            }
            Op::And => is_negated == is_disjunction,
            Op::Or => is_negated != is_disjunction,
            _ => false,
        };
        if is_split {
            todo.extend(pool.args(term).iter().rev().map(|&arg| (arg, is_negated)));
        } else {
            found.push(if is_negated { make::not(pool, term) } else { term });
        }
        if found.len() + todo.len() > MOST_SAID {
            return None;
        }
    }
    Some(found)
}

/// How many gates terms take, by the cost model.
struct Gates<'a> {
    /// The conjunct that each term is below, see [`owners`].
    owners: TermMap<Option<usize>>,
    problem: &'a Problem<'a>,
}

impl Gates<'_> {
    /// About how many gates some terms take, without what other conjuncts need as well.
    fn of(&self, pool: &Pool, roots: &[Term]) -> u64 {
        let (mut seen, mut todo) = (TermSet::new(), roots.to_vec());
        let mut gates = 0;
        while let Some(term) = todo.pop() {
            if self.owners.get(term) != Some(&None) && seen.insert(term) {
                gates += self.problem.cost(pool, term);
                todo.extend(pool.args(term));
            }
        }
        gates
    }
}

/// The conjunct that each term is below, or `None` where that is several of them. Frozen terms are below
/// others as well.
fn owners(pool: &Pool, problem: &Problem<'_>) -> Option<TermMap<Option<usize>>> {
    let mut owners: TermMap<Option<usize>> = TermMap::new();
    let mut todo = vec![];
    for (place, &conjunct) in problem.conjuncts.iter().enumerate() {
        todo.push(conjunct);
        while let Some(term) = todo.pop() {
            let owner = match owners.get(term) {
                None => Some(place).filter(|_| !problem.is_frozen(term)),
                Some(&Some(other)) if other != place => None,
                Some(_) => continue,
            };
            if !problem.deadline.step(1) {
                return None;
            }
            owners.insert(term, owner);
            if !problem.is_frozen(term) {
                todo.extend(pool.args(term));
            }
        }
    }
    Some(owners)
}

/// What alternatives say in one shape: one term of each, or none.
struct Shape(Vec<Option<Term>>);

impl Shape {
    fn first(&self) -> Term {
        self.0.iter().flatten().copied().next().expect("a shape is that of some term")
    }

    fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }
}

/// Sorts what alternatives say into shapes: each of its terms into that of which the first term is most like
/// it, among those with the same operators at the top. The longest alternatives come first, so that each of
/// their terms has a shape of its own. `None` when the deadline is over.
fn shapes(pool: &Pool, alternatives: &[Vec<Term>], deadline: &Deadline) -> Option<Vec<Shape>> {
    let mut order: Vec<usize> = (0..alternatives.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(alternatives[number].len()));
    let mut shapes: Vec<Shape> = vec![];
    for number in order {
        let says = &alternatives[number];
        let mut pairs = vec![];
        if !deadline.step((says.len() * (shapes.len() + 1)) as u64) {
            return None;
        }
        for (place, &term) in says.iter().enumerate() {
            for (shape, other) in shapes.iter().enumerate() {
                if are_alike(pool, term, other.first(), LIKENESS_DEPTH) {
                    let likeness = likeness(pool, term, other.first(), LIKENESS_DEPTH);
                    pairs.push((std::cmp::Reverse(likeness), place, shape));
                }
            }
        }
        pairs.sort_unstable();
        let mut placed = vec![false; says.len()];
        for (_, place, shape) in pairs {
            if !placed[place] && shapes[shape].0[number].is_none() {
                placed[place] = true;
                shapes[shape].0[number] = Some(says[place]);
            }
        }
        for (&term, _) in says.iter().zip(placed).filter(|&(_, placed)| !placed) {
            let mut shape = Shape(vec![None; alternatives.len()]);
            shape.0[number] = Some(term);
            shapes.push(shape);
        }
    }
    shapes.sort_by_key(|shape| std::cmp::Reverse(shape.count()));
    Some(shapes)
}

/// Do two terms have the same operators, so far down?
fn are_alike(pool: &Pool, a: Term, b: Term, depth: u32) -> bool {
    let are_leaves = pool.args(a).is_empty() && pool.args(b).is_empty() && pool.sort(a) == pool.sort(b);
    if a == b || are_leaves || (depth == 0 && pool.sort(a) == pool.sort(b)) {
        return true;
    }
    if !is_alike(pool, a, b) {
        return false;
    }
    let among = |a: &[Term], b: &[Term]| a.iter().zip(b).all(|(&a, &b)| are_alike(pool, a, b, depth - 1));
    match (pool.args(a), pool.args(b)) {
        (args, &[first, second]) if pool.op(a).info().commutative => {
            among(args, &[first, second]) || among(args, &[second, first])
        }
        (args, others) => among(args, others),
    }
}

/// How much two terms have in common at the top. What is equal counts more than anything below it could.
fn likeness(pool: &Pool, a: Term, b: Term, depth: u32) -> u32 {
    if a == b {
        return 4 << (2 * depth);
    }
    if !is_alike(pool, a, b) {
        return 0;
    }
    if depth == 0 {
        return 1;
    }
    let among = |a: &[Term], b: &[Term]| -> u32 {
        a.iter().zip(b).map(|(&a, &b)| likeness(pool, a, b, depth - 1)).sum()
    };
    let (a_args, b_args) = (pool.args(a), pool.args(b));
    let straight = among(a_args, b_args);
    1 + match *b_args {
        [first, second] if pool.op(a).info().commutative => straight.max(among(a_args, &[second, first])),
        _ => straight,
    }
}

/// Are two terms the same operator over other arguments of the same sorts?
fn is_alike(pool: &Pool, a: Term, b: Term) -> bool {
    let sorts = |term: Term| pool.args(term).iter().map(|&arg| pool.sort(arg));
    !pool.args(a).is_empty()
        && pool.op(a) == pool.op(b)
        && pool.index(a) == pool.index(b)
        && pool.sort(a) == pool.sort(b)
        && sorts(a).eq(sorts(b))
}

/// The place of a word: the operator above it, the number of the argument, and another argument.
type Role = (Op, usize, Option<Term>);

/// A word that each alternative has a value for, or none.
struct Word {
    symbol: Term,
    role: Role,
    values: Vec<Option<Term>>,
}

/// A choice between alternatives, while it is made.
struct Choice<'a> {
    words: Vec<Word>,
    gates: &'a Gates<'a>,
    /// The conjunct that states the alternatives.
    place: usize,
}

impl Choice<'_> {
    /// What is asserted instead of the alternatives.
    fn stated(mut self, pool: &mut Pool, shapes: &[Shape]) -> Vec<Term> {
        let mut says: Vec<Vec<Term>> = vec![vec![]; shapes.first().map_or(0, |shape| shape.0.len())];
        for shape in shapes {
            let common = self.cheaper(pool, shape);
            for (number, term) in shape.0.iter().enumerate() {
                says[number].extend(term.map(|term| common.unwrap_or(term)));
            }
        }
        for word in &self.words {
            for (number, value) in word.values.iter().enumerate() {
                says[number].extend(value.map(|value| make::eq(pool, word.symbol, value)));
            }
        }
        let (mut stated, mut chosen) = (vec![], vec![]);
        for says in says {
            if let [said] = says[..] {
                chosen.push(make::not(pool, said));
                continue;
            }
            let selector = pool.symbol("chosen", Sort::BOOL);
            chosen.push(make::not(pool, selector));
            for said in says {
                let not_said = make::not(pool, said);
                let contrary = make::and(pool, selector, not_said);
                stated.push(make::not(pool, contrary));
            }
        }
        let none = make::app(pool, Op::And, &chosen);
        stated.insert(0, make::not(pool, none));
        stated
    }

    /// What the terms of a shape have in common, if that takes fewer gates than they do.
    fn cheaper(&mut self, pool: &mut Pool, shape: &Shape) -> Option<Term> {
        if shape.count() <= FEWEST_ALIKE {
            return None;
        }
        let words = self.words.len();
        let common = self.common(pool, &shape.0, None, 0)?;
        let mut after = vec![common];
        for word in &self.words[words..] {
            after.extend(word.values.iter().flatten().map(|&value| make::eq(pool, word.symbol, value)));
        }
        let before: Vec<Term> = shape.0.iter().flatten().copied().collect();
        if self.gates.of(pool, &after) < self.gates.of(pool, &before) {
            return Some(common);
        }
        self.words.truncate(words);
        None
    }

    /// The least general generalization of some terms, with words where they differ. `None` where that would
    /// be a word at the top, or an array, and when the deadline is over.
    fn common(
        &mut self,
        pool: &mut Pool,
        terms: &[Option<Term>],
        role: Option<Role>,
        depth: u32,
    ) -> Option<Term> {
        let mut present = terms.iter().flatten().copied();
        let first = present.next()?;
        if !self.gates.problem.deadline.step(terms.len() as u64) {
            return None;
        }
        if present.clone().all(|term| term == first) {
            return Some(first);
        }
        let is_same = present.all(|term| is_alike(pool, first, term));
        let owned = terms
            .iter()
            .flatten()
            .filter(|&&term| self.gates.owners.get(term) == Some(&Some(self.place)))
            .count();
        if is_same && depth < MOST_DEPTH && 2 * owned > terms.iter().flatten().count() {
            let words = self.words.len();
            if let Some(term) = self.common_below(pool, first, terms, depth) {
                return Some(term);
            }
            self.words.truncate(words);
        }
        self.word(pool, terms, role?)
    }

    /// The same for terms that are one operator: this operator over what their arguments have in common.
    fn common_below(
        &mut self,
        pool: &mut Pool,
        first: Term,
        terms: &[Option<Term>],
        depth: u32,
    ) -> Option<Term> {
        let op = pool.op(first);
        let model = pool.args(first).to_vec();
        let aligned = |&term: &Option<Term>| {
            let mut args = pool.args(term?).to_vec();
            if let ([a, b], [c, d], true) = (&model[..], &args[..], op.info().commutative) {
                let likeness = |a: Term, b: Term| likeness(pool, a, b, LIKENESS_DEPTH);
                if likeness(*a, *d) + likeness(*b, *c) > likeness(*a, *c) + likeness(*b, *d) {
                    args.swap(0, 1);
                }
            }
            Some(args)
        };
        let rows: Vec<Option<Vec<Term>>> = terms.iter().map(aligned).collect();
        let column = |place: usize| rows.iter().map(move |row| Some(row.as_ref()?[place]));
        let is_same = |&place: &usize| column(place).flatten().all(|term| term == model[place]);
        let same = (0..model.len()).find(is_same).map(|place| model[place]);
        let mut args = vec![];
        for place in 0..model.len() {
            let column: Vec<Option<Term>> = column(place).collect();
            args.push(self.common(pool, &column, Some((op, place, same)), depth + 1)?);
        }
        Some(pool.rebuild(first, &args))
    }

    /// A word that has these values: one that has them already where it has any, or one whose alternatives
    /// are other ones.
    fn word(&mut self, pool: &mut Pool, values: &[Option<Term>], role: Role) -> Option<Term> {
        let sort = pool.sort(values.iter().flatten().copied().next()?);
        if !sort.is_bool() && !sort.is_bitvec() {
            return None;
        }
        let agreement = |word: &Word| {
            let mut count = 0;
            for (known, value) in word.values.iter().zip(values) {
                match (known, value) {
                    (Some(known), Some(value)) if known == value => count += 1,
                    (Some(_), Some(_)) => return None,
                    _ => {}
                }
            }
            (count > 0 || word.role == role).then_some((count, word.role == role))
        };
        let known = (0..self.words.len())
            .filter(|&place| pool.sort(self.words[place].symbol) == sort)
            .filter_map(|place| Some((agreement(&self.words[place])?, std::cmp::Reverse(place))))
            .max();
        if let Some((_, std::cmp::Reverse(place))) = known {
            let word = &mut self.words[place];
            for (known, value) in word.values.iter_mut().zip(values) {
                *known = known.or(*value);
            }
            return Some(word.symbol);
        }
        let symbol = pool.symbol("operand", sort);
        self.words.push(Word { symbol, role, values: values.to_vec() });
        Some(symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, alone, check_with_fresh};

    /// Alternatives of sums and products of symbols, some of them under conditions: what is asserted instead
    /// is true for some choice of operands where they are, and for none where they are not.
    #[test]
    fn an_assignment_is_left_by_some_choice_if_it_was_left() {
        let changed = check_with_fresh(run, 40, 17, |pool, trial| {
            let result = trial.symbol();
            let alternatives: Vec<Term> = (0..FEWEST).map(|_| alternative(pool, trial, result)).collect();
            vec![pool.mk(Op::Or, &alternatives)]
        });
        assert!(changed > 5, "{changed} changed: too easy");
    }

    /// A product of two words that is this one, most often with what was chosen not to be zero.
    fn alternative(pool: &mut Pool, trial: &mut Trial, result: Term) -> Term {
        let words = [trial.symbol(), trial.symbol()];
        let product = pool.mk(Op::BvMul, &words);
        let quotient = pool.mk(Op::BvUdiv, &[product, words[0]]);
        let equation = pool.mk(Op::Eq, &[quotient, result]);
        if trial.chance(4) {
            return equation;
        }
        let zero = pool.bv_u64(0, 3);
        let condition = pool.mk(Op::Distinct, &[words[1], zero]);
        pool.mk(Op::And, &[condition, equation])
    }

    /// Sums of 32 bits, each of two of five symbols: one adder is left, and one word for each operand.
    #[test]
    fn one_adder_is_left() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(32).expect("a legal width");
        let symbols = ["a", "b", "c", "d", "e"].map(|name| pool.symbol(name, sort));
        let [result, factor] = ["r", "f"].map(|name| pool.symbol(name, sort));
        let mut alternatives = vec![];
        for pair in symbols.windows(2) {
            let products = [pair[0], pair[1]].map(|symbol| pool.mk(Op::BvMul, &[symbol, factor]));
            let sum = pool.mk(Op::BvAdd, &products);
            let guard = pool.mk(Op::BvUlt, &[pair[0], sum]);
            let equation = pool.mk(Op::Eq, &[result, sum]);
            alternatives.push(pool.mk(Op::And, &[guard, equation]));
        }
        let any = pool.mk(Op::Or, &alternatives);
        let found = alone(run, &mut pool, &[any]).expect("four adders are too many");
        let cone = bivalve_terms::cone(&pool, &found);
        let count = |op: Op| cone.iter().filter(|&&term| pool.op(term) == op).count();
        assert_eq!([count(Op::BvAdd), count(Op::BvMul), count(Op::BvUlt)], [1, 2, 1]);
        let frozen = crate::passes::tests::alone_frozen(run, &mut pool, &[any], &[any]);
        assert_eq!(frozen, None, "what is in use elsewhere stays");
    }
}
