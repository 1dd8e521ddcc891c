//! Identities: equations that multiplying out decides, and sums that are the same once multiplied out.
//!
//! Every equation of bit-vectors below the conjuncts, wherever it stands, whose sides are sums or products
//! is brought to the form `polynomial = 0` ([`bivalve_algebra::expansion`]). If nothing is left, it is
//! true; if a constant is left, or everything but the constant is divisible by a power of two that the
//! constant is not divisible by, it is false. Otherwise it stays as it was written: sharing with other
//! terms saves more than fewer monomials.
//!
//! Sums and products that other operators read become one where they have one polynomial.
//!
//! What polynomials modulo `2^w` do not see because words are taken to pieces is then looked at over their
//! parts ([`super::parts`]); what they do not see because words are extended in between, [`super::digits`]
//! does.
//!
//! This is the part of arithmetic normalisation that pays without a look at costs: circuits of two
//! polynomials that are the same after distribution are among the hardest for a SAT solver. Cost: a few
//! [`samples`] of all terms; and where they do not exclude it, a budget of steps for each equation, and
//! [`MOST_EQUATIONS`] of them.

use super::intervals::believed;
use super::normalization::roots;
use super::parts::{self, Cuts};
use super::samples::{self, Alike};
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_algebra::choices::is_composite;
use bivalve_algebra::expansion::{BUDGET, Opened, WordPolynomial};
use bivalve_algebra::low_bits::low_bits;
use bivalve_algebra::truth_tables::is_bitwise;
use bivalve_domains::Analysis;
use bivalve_rewrite::make;
use bivalve_terms::{Evaluator, Op, Pool, Term, TermSet};
use rustc_hash::FxHashMap;

/// More equations than this are not looked at.
const MOST_EQUATIONS: usize = 2000;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let cone = problem.cone(pool);
    let equations = cone.iter().rev().copied().filter(|&term| is_arithmetic(pool, term));
    let mut equations: Vec<Equation> = equations.take(MOST_EQUATIONS).map(Equation::new).collect();
    let words = words(pool, problem);
    let mut words = Alike::new(pool, words);
    let complete = samples::each(pool, cone.len(), problem.deadline, |evaluator| {
        let mut is_settled = words.is_settled();
        if !is_settled {
            words.look(evaluator);
            is_settled = words.is_settled();
        }
        for equation in equations.iter_mut().filter(|equation| equation.may_be_decided) {
            equation.look(evaluator);
            is_settled = is_settled && !equation.may_be_decided;
        }
        !is_settled
    });
    if !complete {
        return None;
    }
    let mut budget = BUDGET;
    let decided = by_multiplying_out(pool, problem, &equations, &mut budget);
    let mut changes = equal_sums(pool, problem, words, &mut budget);
    changes.extend(decided);
    (!changes.is_empty()).then_some(changes)
}

/// An equation, and whether its polynomial may decide it. One that is never zero, or always, is divisible by
/// one power of two and no greater one under every assignment, so it is in every sample.
struct Equation {
    term: Term,
    zeros: Option<u32>,
    may_be_decided: bool,
}

impl Equation {
    fn new(term: Term) -> Equation {
        Equation { term, zeros: None, may_be_decided: true }
    }

    fn look(&mut self, evaluator: &mut Evaluator<'_>) {
        let &[a, b] = evaluator.pool().args(self.term) else { return };
        let [a, b] = [a, b].map(|side| evaluator.eval(side).as_bitvec().cloned());
        let (Some(a), Some(b)) = (a, b) else { return };
        let zeros = a.sub(&b).trailing_zeros();
        self.may_be_decided = *self.zeros.get_or_insert(zeros) == zeros;
    }
}

/// Sums and products that other operators read, and slices of them, those nearest to the conjuncts first.
fn words(pool: &mut Pool, problem: &Problem<'_>) -> Vec<Term> {
    let roots = roots(pool, problem);
    if !(2..=MOST_EQUATIONS).contains(&roots.len()) {
        return vec![];
    }
    let is_sliced = |&term: &Term| {
        pool.op(term) == Op::Extract
            && !problem.is_frozen(term)
            && roots.binary_search(&pool.args(term)[0]).is_ok()
    };
    let slices: Vec<Term> = problem.cone(pool).iter().copied().filter(is_sliced).collect();
    roots.iter().rev().copied().chain(slices.into_iter().rev()).collect()
}

/// Sums and products that have the polynomial of an earlier one, with that one, and slices of such that are
/// at one place, where the polynomials are the same up to there, as long as there are steps left.
fn equal_sums(pool: &mut Pool, problem: &Problem<'_>, words: Alike, budget: &mut usize) -> Vec<Change> {
    let mut equal: FxHashMap<(WordPolynomial, u32), usize> = FxHashMap::default();
    let mut classes: Vec<Vec<Term>> = vec![];
    for (root, _) in words.left() {
        if problem.deadline.is_over() {
            break;
        }
        let (word, from) = match (pool.op(root), pool.args(root)) {
            (Op::Extract, &[whole]) => {
                let from = pool.index(root);
                (pool.width(root).and_then(|width| low_bits(pool, whole, from + width)), from)
            }
            _ => (Some(root), 0),
        };
        let Some((word, width)) = word.and_then(|word| Some((word, pool.width(word)?))) else { continue };
        let zero = make::zeros(pool, width);
        let polynomial =
            WordPolynomial::difference(pool, [word, zero], Opened::Bitwise, budget, problem.deadline);
        let Some(polynomial) = polynomial else { continue };
        let class = *equal.entry((polynomial, from)).or_insert(classes.len());
        if class == classes.len() {
            classes.push(vec![]);
        }
        classes[class].push(root);
    }
    let replaced = |class: Vec<Term>| {
        let earliest = *class.iter().min().expect("a class has a member");
        let others = class.into_iter().filter(move |&other| other != earliest);
        others.map(move |other| Change::new(other, earliest, Reason::OtherPolynomials))
    };
    classes.into_iter().flat_map(replaced).collect()
}

/// The equations that are decided by their polynomials, or come down to a multiple of one word, with what
/// they are.
fn by_multiplying_out(
    pool: &mut Pool,
    problem: &Problem<'_>,
    equations: &[Equation],
    budget: &mut usize,
) -> Vec<Change> {
    let mut decided = vec![];
    let (cuts, mut budget_of_parts) = (Cuts::new(pool, problem.cone(pool)), parts::BUDGET);
    let mut bounds: Option<Bounds> = None;
    for &Equation { term: equation, may_be_decided, .. } in equations {
        let &[a, b] = pool.args(equation) else { continue };
        let mut becomes = None;
        for opened in [Opened::Choices, Opened::Bitwise] {
            if !may_be_decided {
                break;
            }
            let difference = WordPolynomial::difference(pool, [a, b], opened, budget, problem.deadline);
            let Some(difference) = difference else { break };
            becomes = decided_by(&difference).map(|value| {
                let is_shown = opened == Opened::Choices && difference.is_constant();
                let because = if is_shown { Reason::Polynomials } else { Reason::OtherPolynomials };
                (pool.bool(value), because)
            });
            let is_opened = |&factor: &Term| is_bitwise(pool, factor) || is_composite(pool, factor);
            if becomes.is_some() || !difference.monomials().any(|(factors, _)| factors.iter().any(is_opened))
            {
                break;
            }
        }
        if becomes.is_none() && pool.width(a).is_some_and(|width| parts::WIDTHS.contains(&width)) {
            let mut left = budget_of_parts;
            let bounds = bounds.get_or_insert_with(|| Bounds::new(pool, problem));
            let known = (&cuts, bounds.below(equation));
            let difference = parts::difference(pool, [a, b], known, &mut left, problem.deadline);
            let is_short = |difference: &WordPolynomial| difference.len() <= 1;
            let decided = difference.and_then(|difference| match decided_by(&difference) {
                Some(value) => Some(pool.bool(value)),
                None => is_short(&difference).then(|| difference.is_zero(pool)),
            });
            becomes = decided.map(|decided| (decided, Reason::Unshown));
            if becomes.is_none() {
                budget_of_parts = left;
            }
        }
        let becomes = becomes.filter(|&(becomes, _)| becomes != equation);
        decided.extend(becomes.map(|(becomes, because)| Change::new(equation, becomes, because)));
    }
    decided
}

/// What conjuncts say of words, for the others ([`super::intervals`]).
pub(super) struct Bounds {
    known: Option<Analysis>,
    /// What those conjuncts are made of.
    sources: TermSet,
}

impl Bounds {
    pub(super) fn new(pool: &Pool, problem: &Problem<'_>) -> Bounds {
        let nothing = Bounds { known: None, sources: TermSet::new() };
        let Some((Some(facts), conjuncts)) = believed(pool, problem.conjuncts) else { return nothing };
        let mut sources = TermSet::new();
        let mut stack: Vec<Term> =
            problem.conjuncts.iter().copied().filter(|&conjunct| conjuncts.contains(conjunct)).collect();
        while let Some(term) = stack.pop() {
            if sources.insert(term) {
                stack.extend_from_slice(pool.args(term));
            }
        }
        let known = Analysis::forward(pool, problem.cone(pool), &facts, problem.deadline);
        Bounds { known, sources }
    }

    /// What is known of words; it may not be used to change terms that it was taken from.
    pub(super) fn known(&self) -> Option<&Analysis> {
        self.known.as_ref()
    }

    /// Was it taken from conjuncts in which a term stands?
    pub(super) fn are_from(&self, term: Term) -> bool {
        self.sources.contains(term)
    }

    /// What may be used for a term: nothing for one that stands in what it was taken from.
    fn below(&self, term: Term) -> Option<&Analysis> {
        self.known().filter(|_| !self.are_from(term))
    }
}

/// Whether words are equal that have this difference, if it says so.
fn decided_by(difference: &WordPolynomial) -> Option<bool> {
    match difference.is_constant() {
        true => Some(difference.constant().is_zero()),
        false => difference.is_never_zero().then_some(false),
    }
}

/// Is it an equation with a sum or a product on one of its sides?
pub(super) fn is_arithmetic(pool: &Pool, term: Term) -> bool {
    let is_sum = |&side: &Term| matches!(pool.op(side), Op::BvAdd | Op::BvMul | Op::BvNeg);
    match (pool.op(term), pool.args(term)) {
        (Op::Eq, args @ [a, _]) => pool.width(*a).is_some_and(|width| width > 1) && args.iter().any(is_sum),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, alone, check};
    use bivalve_algebra::choices::summands;
    use bivalve_algebra::expansion::one_if;
    use bivalve_terms::{BitVec, Sort};

    /// Equations of sums that are often the same, or differ by a constant, or in parity.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial| {
            let (a, b, c) = (trial.sum(pool, 1), trial.sum(pool, 1), trial.sum(pool, 0));
            let factored = pool.mk(Op::BvAdd, &[a, b]);
            let left = pool.mk(Op::BvMul, &[factored, c]);
            let products = [a, b].map(|x| pool.mk(Op::BvMul, &[x, c]));
            let mut right = pool.mk(Op::BvAdd, &products);
            if trial.chance(2) {
                let more = trial.sum(pool, 0);
                let even = pool.mk(Op::BvAdd, &[more, more]);
                let odd = trial.constant(pool);
                right = pool.mk(Op::BvAdd, &[right, even, odd]);
            }
            let equation = pool.mk(Op::Eq, &[left, right]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// Slices of sums, one of them made in a wider word.
    #[test]
    fn slices_of_equal_sums_are_equal() {
        let changed = check(run, 400, |pool, trial| {
            let op = [Op::SignExtend, Op::ZeroExtend][trial.number(2) as usize];
            let words = [trial.symbol(), trial.symbol(), trial.symbol()];
            let sum = |pool: &mut Pool, by: u32, order: [usize; 3]| {
                let words = order.map(|at| pool.mk_indexed(op, &[by], &[words[at]]));
                let sum = pool.mk(Op::BvAdd, &words[..2]);
                pool.mk(Op::BvAdd, &[sum, words[2]])
            };
            let low = trial.number(3) as u32;
            let high = low + trial.number(4 - u64::from(low)) as u32;
            let slices = [(1, [0, 1, 2]), (4, [2, 0, 1])].map(|(by, order)| {
                let sum = sum(pool, by, order);
                pool.mk_indexed(Op::Extract, &[high, low], &[sum])
            });
            let (equation, other) = (pool.mk(Op::Eq, &slices), trial.comparison(pool));
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 200, "{changed} changed: too easy");
    }

    /// Words of eight bits made of bounded symbols: low bits of sums and quotients, put together again. What
    /// is cut off is nothing only where bounds say so.
    #[test]
    fn bounds_are_used_beside_what_states_them() {
        let changed = check(run, 1500, |pool, trial| {
            let wide = |pool: &mut Pool, word: Term| {
                let more = 8 - pool.width(word).expect("a word");
                pool.mk_indexed(Op::ZeroExtend, &[more], &[word])
            };
            let (x, y) = (trial.symbol(), trial.symbol());
            let [a, b] = [x, y].map(|word| wide(pool, word));
            let sum = pool.mk(Op::BvAdd, &[a, b]);
            let cut = pool.mk_indexed(Op::Extract, &[1 + trial.number(2) as u32, 0], &[sum]);
            let low = wide(pool, cut);
            let by = pool.bv_u64(2 + trial.number(3), 8);
            let [quotient, rest] = [Op::BvUdiv, Op::BvUrem].map(|op| pool.mk(op, &[low, by]));
            let whole = pool.mk(Op::BvMul, &[quotient, by]);
            let again = pool.mk(Op::BvAdd, &[whole, rest]);
            let mut conjuncts = vec![];
            for word in [x, y] {
                let bound = pool.bv_u64(1 + trial.number(4), 3);
                conjuncts.push(pool.mk(Op::BvUlt, &[word, bound]));
            }
            let equation = pool.mk(Op::Eq, &[again, sum]);
            let other = trial.comparison(pool);
            conjuncts.push(match trial.chance(3) {
                true => equation,
                false => pool.mk(Op::Xor, &[equation, other]),
            });
            conjuncts
        });
        assert!(changed > 300, "{changed} changed: too easy");
    }

    /// A random condition over comparisons and bits.
    fn condition(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return if trial.chance(2) { trial.comparison(pool) } else { trial.bit(pool) };
        }
        let op = [Op::And, Op::Or, Op::Xor, Op::Not, Op::Eq, Op::Ite][trial.number(6) as usize];
        let count = match op {
            Op::Not => 1,
            Op::Ite => 3,
            _ => 2,
        };
        let args: Vec<Term> = (0..count).map(|_| condition(pool, trial, depth - 1)).collect();
        pool.mk(op, &args)
    }

    /// A random choice between constants.
    fn choice(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return trial.constant(pool);
        }
        let under = condition(pool, trial, depth % 2);
        let [then, other] = [(); 2].map(|()| {
            let below = trial.number(u64::from(depth)) as u32;
            choice(pool, trial, below)
        });
        pool.mk(Op::Ite, &[under, then, other])
    }

    /// The sum of the summands, if there are some.
    fn total(pool: &mut Pool, choice: Term) -> Option<Term> {
        let (summands, constant) = summands(pool, choice)?;
        let width = pool.width(choice)?;
        let constant = pool.bitvec(&constant);
        let add = |sum: Term, (truth, coefficient): (Term, BitVec)| {
            let number = one_if(pool, truth, width);
            let coefficient = pool.bitvec(&coefficient);
            let product = pool.mk(Op::BvMul, &[coefficient, number]);
            pool.mk(Op::BvAdd, &[sum, product])
        };
        Some(summands.into_iter().fold(constant, add))
    }

    /// Choices beside their sums, and beside something else: all of the first are equal.
    #[test]
    fn sums_are_the_choices() {
        let changed = check(run, 600, |pool, trial| {
            let choice = choice(pool, trial, 3);
            let sum = total(pool, choice).unwrap_or_else(|| trial.sum(pool, 1));
            let other = trial.sum(pool, 1);
            let [left, right] = [choice, sum].map(|side| pool.mk(Op::BvAdd, &[side, other]));
            let equation = pool.mk(Op::Eq, &[left, right]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 200, "{changed} changed: too easy");
    }

    /// How full a queue is: one more if something is pushed and nothing popped, one less if it is the other
    /// way round. Its ends are as far apart as that.
    #[test]
    fn counters_of_queues_are_differences() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(4).unwrap();
        let [one, minus_one, zero] = [1, 15, 0].map(|number| pool.bv_u64(number, 4));
        let [mut write, mut read] = ["write", "read"].map(|name| pool.symbol(name, sort));
        let mut count = pool.mk(Op::BvNeg, &[read]);
        count = pool.mk(Op::BvAdd, &[write, count]);
        for step in 0..20 {
            let [push, pop] = ["push", "pop"].map(|name| pool.symbol(&format!("{name}{step}"), Sort::BOOL));
            let [stays, waits] = [pop, push].map(|other| pool.mk(Op::Not, &[other]));
            let (up, down) = (pool.mk(Op::And, &[push, stays]), pool.mk(Op::And, &[waits, pop]));
            let less = pool.mk(Op::Ite, &[down, minus_one, zero]);
            let change = pool.mk(Op::Ite, &[up, one, less]);
            count = pool.mk(Op::BvAdd, &[count, change]);
            [write, read] = [(write, push), (read, pop)].map(|(end, moves)| {
                let step = pool.mk(Op::Ite, &[moves, one, zero]);
                pool.mk(Op::BvAdd, &[end, step])
            });
        }
        let minus = pool.mk(Op::BvNeg, &[read]);
        let apart = pool.mk(Op::BvAdd, &[write, minus]);
        let equation = pool.mk(Op::Eq, &[count, apart]);
        assert_eq!(alone(run, &mut pool, &[equation]), Some(vec![pool.bool(true)]));
    }

    /// A random bitwise word over symbols and constants.
    fn word(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return if trial.chance(4) { trial.constant(pool) } else { trial.symbol() };
        }
        let a = word(pool, trial, depth - 1);
        let op = [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvNot][trial.number(4) as usize];
        if op == Op::BvNot {
            return pool.mk(op, &[a]);
        }
        let b = word(pool, trial, depth - 1);
        pool.mk(op, &[a, b])
    }

    /// The sum of the summands.
    fn total_of_word(pool: &mut Pool, word: Term) -> Term {
        let width = pool.width(word).unwrap();
        let (summands, constant) = bivalve_algebra::bitwise::summands(pool, word).expect("it is small");
        let number = |pool: &mut Pool, number: i64| pool.bv_u64(number.rem_euclid(1 << width) as u64, width);
        let mut sum = number(pool, constant);
        for (summand, coefficient) in summands {
            let coefficient = number(pool, coefficient);
            let product = pool.mk(Op::BvMul, &[coefficient, summand]);
            sum = pool.mk(Op::BvAdd, &[sum, product]);
        }
        sum
    }

    /// Bitwise words beside their sums, and beside something else: all of the first are equal.
    #[test]
    fn sums_are_the_words() {
        let changed = check(run, 600, |pool, trial| {
            let word = word(pool, trial, 3);
            let sum = total_of_word(pool, word);
            let other = trial.sum(pool, 1);
            let [left, right] = [word, sum].map(|side| pool.mk(Op::BvAdd, &[side, other]));
            let equation = pool.mk(Op::Eq, &[left, right]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 120, "{changed} changed: too easy");
    }

    #[test]
    fn obfuscated_sums_are_sums() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(64).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let two = pool.bv_u64(2, 64);
        let (xor, and) = (pool.mk(Op::BvXor, &[x, y]), pool.mk(Op::BvAnd, &[x, y]));
        let carries = pool.mk(Op::BvMul, &[two, and]);
        let [obfuscated, plain] = [[xor, carries], [x, y]].map(|args| pool.mk(Op::BvAdd, &args));
        let equation = pool.mk(Op::Eq, &[obfuscated, plain]);
        assert_eq!(alone(run, &mut pool, &[equation]), Some(vec![pool.bool(true)]));
    }
}
