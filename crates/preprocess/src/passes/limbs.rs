//! Sums that are computed limb by limb, each with the carry of the one before, are one wide sum.
//!
//! Long numbers are kept in limbs of a machine word: `s = x0 + y0` in one bit more, the low bits of `s` are a
//! limb of the result, its top bit is added to `x1 + y1`, and so on. What is true of the numbers is hard to
//! see in their limbs. So let `u + (t >> w)` be a sum with what is above the `w` low bits of another sum `t`.
//! Its bits, followed by those low bits, are `(u << w) + t`, whatever overflows in `u`; and if no sum along
//! the chain but the last one overflows, its operands can be put together across the limbs, into as many wide
//! words as a limb has operands. Limbs of the result are slices of the wide sum, and the last carry is its
//! top bit.
//!
//! Which operand of a limb continues which one of the limb below is free, and matters only for what is to be
//! found again: two words go together if they are neighbours elsewhere in the formula, parts of one word or
//! of one chain, or the same operator over such words.
//!
//! Why it is right: laws of whole numbers, with the overflow ruled out by the width of operands. Whose idea:
//! the reverse of what compilers do to wide integers. Cost: a walk over the cone, and terms for each limb.
//! The wide sum has the gates of its limbs, so a change is kept only if carries are not wanted elsewhere
//! ([`crate::gain`]).

use super::parts::significant;
use crate::change::{Applied, Change};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{BigInt, BitVec, Op, Pool, Term, TermMap, TermSet};
use rustc_hash::FxHashSet;

/// A sum of more operands is no limb.
const MOST_OPERANDS: usize = 8;

/// Wider sums are not made.
const MOST_WIDTH: u32 = 1 << 13;

/// So deep it is looked for zeros in front of an operand, and for what makes two operands neighbours.
const DEPTH: u32 = 4;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let chains = Chains::new(pool, problem)?;
    let mut changes = chains.without_carry(pool, problem);
    // Chains come after those that they use.
    let mut applied = Applied::new(&[], TermMap::new(), problem.deadline);
    for chain in &chains.chains {
        let wide = chains.wide(pool, chain)?;
        let wide = applied.image(pool, wide)?;
        let mut change = |from: Term, to: Term| {
            applied.add_law(from, to);
            changes.push(Change::law(from, to));
        };
        let mut low = 0;
        for (place, limb) in chain.iter().enumerate() {
            if place + 1 == chain.len() {
                change(limb.sum, make::extract(pool, wide, low + limb.width - 1, low));
                break;
            }
            for &(slice, high, from) in chains.slices.get(limb.sum).into_iter().flatten() {
                if high < limb.digits {
                    change(slice, make::extract(pool, wide, low + high, low + from));
                }
            }
            low += limb.digits;
        }
    }
    (!changes.is_empty() && problem.deadline.step(changes.len() as u64)).then_some(changes)
}

/// A sum in a chain.
struct Limb {
    sum: Term,
    width: u32,
    /// How many of its low bits are the limb, without the carry.
    digits: u32,
    /// What is added, without constants and the carry.
    operands: Vec<Term>,
    constant: BigInt,
    /// The carry of the limb before.
    carry: Option<Term>,
}

/// The chains of a formula, and what is known of neighbours.
struct Chains {
    chains: Vec<Vec<Limb>>,
    /// The slices of sums: the term, its highest and its lowest bit.
    slices: TermMap<Vec<(Term, u32, u32)>>,
    /// The sum whose carry a sum takes.
    before: TermMap<Term>,
    /// A word and the one that follows it below in a concatenation.
    neighbours: FxHashSet<(Term, Term)>,
}

impl Chains {
    /// `None` if there are none, or if the deadline is over.
    fn new(pool: &Pool, problem: &Problem<'_>) -> Option<Chains> {
        let terms = problem.cone(pool);
        let mut chains = Chains {
            chains: vec![],
            slices: TermMap::new(),
            before: TermMap::new(),
            neighbours: FxHashSet::default(),
        };
        for &term in terms {
            match (pool.op(term), pool.args(term)) {
                (Op::Extract, &[sum]) if pool.op(sum) == Op::BvAdd && !problem.is_frozen(sum) => {
                    let &[high, low] = &pool.indices(term)[..] else { continue };
                    let mut slices = chains.slices.remove(sum).unwrap_or_default();
                    slices.push((term, high, low));
                    chains.slices.insert(sum, slices);
                }
                (Op::Concat, args) => {
                    for pair in args.windows(2) {
                        chains.neighbours.insert((outer(pool, pair[0], true), outer(pool, pair[1], false)));
                    }
                }
                _ => {}
            }
        }
        let mut after: TermMap<Limb> = TermMap::new();
        let mut digits: TermMap<u32> = TermMap::new();
        for &sum in terms.iter().filter(|&&term| pool.op(term) == Op::BvAdd && !problem.is_frozen(term)) {
            if !problem.deadline.step(1) {
                return None;
            }
            let Some(limb) = chains.limb(pool, sum, true) else { continue };
            let carry = limb.carry.and_then(|carry| chains.carried(pool, carry));
            let Some((before, low)) = carry else { continue };
            if after.get(before).is_some_and(|known| known.operands.len() >= limb.operands.len()) {
                continue;
            }
            digits.insert(before, low);
            chains.before.insert(sum, before);
            after.insert(before, limb);
        }
        let mut in_chain = TermSet::new();
        for &first in terms.iter().filter(|&&term| digits.contains(term)) {
            if in_chain.contains(first) || chains.before.contains(first) {
                continue;
            }
            let Some(first) = chains.limb(pool, first, false) else { continue };
            let mut chain = vec![first];
            while let Some(limb) = chain.last().and_then(|last| after.remove(last.sum)) {
                in_chain.insert(limb.sum);
                chain.push(limb);
            }
            for limb in &mut chain {
                limb.digits = digits.get(limb.sum).copied().unwrap_or(limb.width);
            }
            chains.chains.extend(parts_without_overflow(pool, chain));
        }
        chains.chains.sort_by_key(|chain| chain.last().map(|last| last.sum));
        Some(chains)
    }

    /// Sums in more bits than their operands have, of which only bits are used that operands have as well:
    /// their slices are slices of sums of that many bits.
    fn without_carry(&self, pool: &mut Pool, problem: &Problem<'_>) -> Vec<Change> {
        let mut whole = TermSet::new();
        for &term in problem.cone(pool).iter().filter(|&&term| pool.op(term) != Op::Extract) {
            pool.args(term)
                .iter()
                .filter(|&&arg| self.slices.contains(arg))
                .for_each(|&arg| _ = whole.insert(arg));
        }
        let in_chains: FxHashSet<Term> = self.chains.iter().flatten().map(|limb| limb.sum).collect();
        let mut changes = vec![];
        let sums =
            problem.cone(pool).iter().filter(|&&sum| !whole.contains(sum) && !in_chains.contains(&sum));
        for &sum in sums {
            let Some(slices) = self.slices.get(sum) else { continue };
            let Some(width) = slices.iter().map(|&(_, high, _)| high + 1).max() else { continue };
            let Some(limb) = self.limb(pool, sum, false) else { continue };
            if width == limb.width || !limb.operands.iter().all(|&operand| is_extended(pool, operand, width))
            {
                continue;
            }
            let constant = BitVec::from_int(&limb.constant, width);
            let mut words: Vec<Term> = vec![];
            for operand in limb.operands {
                words.push(match (pool.op(operand), pool.args(operand)) {
                    (Op::BvNeg, &[word]) => {
                        let low = make::extract(pool, word, width - 1, 0);
                        make::app(pool, Op::BvNeg, &[low])
                    }
                    _ => make::extract(pool, operand, width - 1, 0),
                });
            }
            if !constant.is_zero() {
                words.push(pool.bitvec(&constant));
            }
            let Some(narrow) = words.into_iter().reduce(|sum, word| make::app(pool, Op::BvAdd, &[sum, word]))
            else {
                continue;
            };
            for &(slice, high, low) in slices {
                changes.push(Change::law(slice, make::extract(pool, narrow, high, low)));
            }
        }
        changes
    }

    /// A sum as a limb, with the carry that it takes, if one is looked for.
    fn limb(&self, pool: &Pool, sum: Term, has_carry: bool) -> Option<Limb> {
        let width = pool.width(sum)?;
        let (operands, constant, carry) = Default::default();
        let mut limb = Limb { sum, width, digits: width, operands, constant, carry };
        let mut todo = vec![sum];
        while let Some(term) = todo.pop() {
            match pool.op(term) {
                Op::BvAdd if limb.operands.len() + todo.len() < MOST_OPERANDS => {
                    todo.extend(pool.args(term).iter().rev());
                }
                _ => match pool.as_bitvec(term) {
                    Some(value) => limb.constant += value.to_int(),
                    None if has_carry && limb.carry.is_none() && self.carried(pool, term).is_some() => {
                        limb.carry = Some(term);
                    }
                    None => limb.operands.push(term),
                },
            }
        }
        (limb.operands.len() <= MOST_OPERANDS).then_some(limb)
    }

    /// The sum whose upper bits a term is, and the number of those below.
    fn carried(&self, pool: &Pool, term: Term) -> Option<(Term, u32)> {
        let slice = stripped(pool, term);
        let &[sum] = pool.args(slice) else { return None };
        let is_carry = pool.op(slice) == Op::Extract
            && self.slices.contains(sum)
            && pool.index(slice) + 1 == pool.width(sum)?;
        let low = *pool.indices(slice).get(1)?;
        (is_carry && low > 0).then_some((sum, low))
    }

    /// The wide sum of a chain.
    fn wide(&self, pool: &mut Pool, chain: &[Limb]) -> Option<Term> {
        let last = chain.last()?;
        let low: u32 = chain[..chain.len() - 1].iter().map(|limb| limb.digits).sum();
        let width = low + last.width;
        let columns = self.columns(pool, chain);
        let (mut constant, mut at) = (BigInt::ZERO, 0);
        for limb in chain {
            constant += &limb.constant << at;
            at += limb.digits;
        }
        let constant = BitVec::from_int(&constant, width);
        let mut sum = (!constant.is_zero()).then(|| pool.bitvec(&constant));
        for column in columns {
            let mut parts = vec![];
            for (place, (limb, operand)) in chain.iter().zip(column).enumerate() {
                let is_last = place + 1 == chain.len();
                let Some(operand) = operand else {
                    parts.push(make::zeros(pool, if is_last { limb.width } else { limb.digits }));
                    continue;
                };
                let part = low_bits(pool, operand, significant(pool, operand, DEPTH).max(1));
                parts.push(if is_last { part } else { extended(pool, part, limb.digits) });
            }
            parts.reverse();
            let word = joined(pool, &parts, DEPTH);
            let word = extended(pool, word, width);
            sum = Some(sum.map_or(word, |sum| make::app(pool, Op::BvAdd, &[sum, word])));
        }
        sum
    }

    /// Operands put together across the limbs, the lowest limb first.
    fn columns(&self, pool: &Pool, chain: &[Limb]) -> Vec<Vec<Option<Term>>> {
        let most = chain.iter().map(|limb| limb.operands.len()).max().unwrap_or_default();
        let mut columns: Vec<Vec<Option<Term>>> = vec![vec![]; most];
        for limb in chain {
            let mut left = limb.operands.clone();
            let mut chosen = vec![None; most];
            for (column, chosen) in columns.iter().zip(&mut chosen) {
                let Some(below) = column.iter().rev().find_map(|&below| below) else { continue };
                let fits = |&operand: &Term| {
                    self.are_neighbours(pool, stripped(pool, operand), stripped(pool, below), DEPTH)
                };
                if let Some(place) = left.iter().position(fits) {
                    *chosen = Some(left.remove(place));
                }
            }
            let mut left = left.into_iter();
            for (column, chosen) in columns.iter_mut().zip(chosen) {
                column.push(chosen.or_else(|| left.next()));
            }
        }
        columns
    }

    /// Do two words seem to be parts of one, the first one above the second?
    fn are_neighbours(&self, pool: &Pool, high: Term, low: Term, depth: u32) -> bool {
        if self.neighbours.contains(&(high, low)) || (pool.is_const(high) && pool.is_const(low)) {
            return true;
        }
        let op = pool.op(high);
        if op != pool.op(low) || depth == 0 {
            return false;
        }
        let (a, b) = (pool.args(high), pool.args(low));
        match op {
            Op::Extract => {
                let is_above =
                    a == b && Some(&pool.index(low)) == pool.indices(high).get(1).map(|low| low - 1).as_ref();
                is_above || self.before.get(a[0]) == Some(&b[0])
            }
            Op::Ite if a[0] != b[0] => false,
            Op::Ite => [1, 2].iter().all(|&at| self.are_neighbours(pool, a[at], b[at], depth - 1)),
            Op::BvNot => self.are_neighbours(pool, stripped(pool, a[0]), stripped(pool, b[0]), depth - 1),
            _ => false,
        }
    }
}

/// Is nothing but a constant above the low bits of a word, or of what it negates?
fn is_extended(pool: &Pool, word: Term, width: u32) -> bool {
    match (pool.op(word), pool.args(word)) {
        (Op::BvNeg, &[negated]) if pool.op(negated) == Op::Concat => is_extended(pool, negated, width),
        (Op::Concat, &[high, low]) if pool.is_const(high) => pool.width(low).is_some_and(|low| low <= width),
        _ => significant(pool, word, DEPTH) <= width,
    }
}

/// The part of a concatenation at one end, or the word.
fn outer(pool: &Pool, mut word: Term, is_low: bool) -> Term {
    while pool.op(word) == Op::Concat {
        let args = pool.args(word);
        word = if is_low { args[args.len() - 1] } else { args[0] };
    }
    word
}

/// A word without the zeros in front.
fn stripped(pool: &Pool, word: Term) -> Term {
    match (pool.op(word), pool.args(word)) {
        (Op::Concat, &[high, low]) if pool.as_bitvec(high).is_some_and(|high| high.is_zero()) => low,
        _ => word,
    }
}

/// A bit that is repeated as a choice between all ones and zero; any other word as it is.
fn chosen(pool: &mut Pool, word: Term) -> Term {
    let is_complement = pool.op(word) == Op::BvNot;
    let repeated = if is_complement { pool.args(word)[0] } else { word };
    let (Op::SignExtend, &[bit]) = (pool.op(repeated), pool.args(repeated)) else { return word };
    let (Some(1), Some(width)) = (pool.width(bit), pool.width(word)) else { return word };
    let one = pool.bv_u64(1, 1);
    let is_set = make::eq(pool, one, bit);
    let (ones, zeros) = (pool.bitvec(&BitVec::ones(width)), make::zeros(pool, width));
    if is_complement { make::ite(pool, is_set, zeros, ones) } else { make::ite(pool, is_set, ones, zeros) }
}

/// The low bits of a word; choices between constants stay choices.
fn low_bits(pool: &mut Pool, word: Term, bits: u32) -> Term {
    let word = stripped(pool, word);
    let word = chosen(pool, word);
    if pool.width(word).is_some_and(|width| width <= bits) {
        return word;
    }
    match (pool.op(word), pool.args(word)) {
        (Op::Ite, &[condition, then, other]) if pool.is_const(then) && pool.is_const(other) => {
            let [then, other] = [then, other].map(|branch| low_bits(pool, branch, bits));
            make::ite(pool, condition, then, other)
        }
        _ => match pool.as_bitvec(word) {
            Some(value) => pool.bitvec(&value.extract(bits - 1, 0)),
            None => make::extract(pool, word, bits - 1, 0),
        },
    }
}

/// A word with zeros in front.
fn extended(pool: &mut Pool, word: Term, width: u32) -> Term {
    let zeros = make::zeros_or_none(pool, width - pool.width(word).unwrap_or(width));
    make::concat(pool, &[zeros, Some(word)])
}

/// Parts put together, the highest one first; choices by one condition are one choice.
fn joined(pool: &mut Pool, parts: &[Term], depth: u32) -> Term {
    let first = parts[0];
    let is_one = |op: Op, pool: &Pool| depth > 0 && parts.iter().all(|&part| pool.op(part) == op);
    let below = |pool: &Pool, at: usize| parts.iter().map(|&part| pool.args(part)[at]).collect::<Vec<_>>();
    if is_one(Op::Ite, pool) {
        let condition = pool.args(first)[0];
        if below(pool, 0).iter().all(|&other| other == condition) {
            let branches = [1, 2].map(|at| below(pool, at));
            let [then, other] = branches.map(|branch| joined(pool, &branch, depth - 1));
            return make::ite(pool, condition, then, other);
        }
    }
    let parts: Vec<Option<Term>> = parts.iter().map(|&part| Some(part)).collect();
    make::concat(pool, &parts)
}

/// The parts of a chain in which only the last sum may overflow, and of which the others' operands fit into
/// their limbs; without those of a single sum.
fn parts_without_overflow(pool: &Pool, chain: Vec<Limb>) -> Vec<Vec<Limb>> {
    let (mut parts, mut part) = (vec![], vec![]);
    let mut carry = BigInt::ZERO;
    for mut limb in chain {
        if part.is_empty() {
            limb.operands.extend(limb.carry);
            carry = BigInt::ZERO;
        }
        let (mut most, mut fits) = (&limb.constant + &carry, limb.digits < limb.width);
        for &operand in &limb.operands {
            let bits = significant(pool, operand, DEPTH);
            fits &= bits <= limb.digits;
            most += (BigInt::from(1) << bits) - 1;
        }
        fits &= most < BigInt::from(1) << limb.width;
        carry = (BigInt::from(1) << (limb.width - limb.digits)) - 1;
        part.push(limb);
        if !fits {
            parts.push(std::mem::take(&mut part));
        }
    }
    parts.push(part);
    let width = |part: &Vec<Limb>| part.iter().map(|limb| limb.width).sum::<u32>();
    parts.retain(|part| part.len() > 1 && width(part) <= MOST_WIDTH);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{alone, check};
    use bivalve_terms::Sort;

    /// A sum of two or three words in one bit more, with a carry, which may overflow.
    fn limb(pool: &mut Pool, words: &[Term], carry: Option<Term>) -> Term {
        let wide = |pool: &mut Pool, word: Term| {
            let zeros = make::zeros(pool, 4 - pool.width(word).expect("a word"));
            pool.mk(Op::Concat, &[zeros, word])
        };
        let mut sum = wide(pool, words[0]);
        for &word in words[1..].iter().chain(&carry) {
            let word = wide(pool, word);
            sum = pool.mk(Op::BvAdd, &[sum, word]);
        }
        sum
    }

    /// Chains of two and three limbs with constants, complements and choices, some of which overflow.
    #[test]
    fn wide_sums_have_the_bits_of_their_limbs() {
        let changed = check(run, 600, |pool, trial| {
            let (mut carry, mut parts) = (None, vec![]);
            let condition = trial.bit(pool);
            for _ in 0..2 + trial.number(2) {
                let mut words = vec![];
                for _ in 0..if trial.chance(6) { 3 } else { 2 } {
                    let word = if trial.chance(5) { trial.constant(pool) } else { trial.symbol() };
                    words.push(match trial.number(4) {
                        0 => pool.mk(Op::BvNot, &[word]),
                        1 => {
                            let other = trial.constant(pool);
                            pool.mk(Op::Ite, &[condition, word, other])
                        }
                        _ => word,
                    });
                }
                let sum = limb(pool, &words, carry);
                let digits = if trial.chance(6) { 2 } else { 3 };
                carry = Some(make::extract(pool, sum, 3, digits));
                parts.push(make::extract(pool, sum, digits - 1, 0));
            }
            if trial.chance(2) {
                parts.extend(carry);
            }
            parts.reverse();
            let result = parts.into_iter().reduce(|high, low| pool.mk(Op::Concat, &[high, low]));
            let result = result.expect("a limb");
            let word = trial.symbol();
            let other = pool.mk_indexed(Op::ZeroExtend, &[pool.width(result).expect("a word") - 3], &[word]);
            let op = [Op::Eq, Op::BvUlt][trial.number(2) as usize];
            vec![pool.mk(op, &[result, other])]
        });
        assert!(changed > 300, "{changed} changed: too easy");
    }

    /// Operands of limbs are put together as they stand together elsewhere, in whichever order they are.
    #[test]
    fn operands_go_together_that_do_elsewhere() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(3).expect("a legal width");
        let [a0, b0, b1, a1, c] = ["a0", "b0", "b1", "a1", "c"].map(|name| pool.symbol(name, sort));
        let (a, b) = (pool.mk(Op::Concat, &[a1, a0]), pool.mk(Op::Concat, &[b1, b0]));
        let low = limb(&mut pool, &[a0, b0], None);
        let carry = make::extract(&mut pool, low, 3, 3);
        let high = limb(&mut pool, &[b1, a1], Some(carry));
        let digits = [high, low].map(|sum| make::extract(&mut pool, sum, 2, 0));
        let result = pool.mk(Op::Concat, &digits);
        let zero = make::zeros(&mut pool, 3);
        let other = pool.mk(Op::Concat, &[zero, c]);
        let conjuncts = [pool.mk(Op::BvUlt, &[result, a]), pool.mk(Op::BvUlt, &[b, other])];
        let found = alone(run, &mut pool, &conjuncts).expect("a chain");
        let sums = bivalve_terms::cone(&pool, &found).into_iter().filter(|&term| pool.op(term) == Op::BvAdd);
        let words: Vec<Vec<Term>> =
            sums.map(|sum| pool.args(sum).iter().map(|&arg| stripped(&pool, arg)).collect()).collect();
        assert_eq!(words, [[a, b]]);
    }
}
