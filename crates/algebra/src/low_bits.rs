//! The low bits of a word as a word of its own.
//!
//! The low bits of sums, products, complements and bitwise terms are those of their operands, so a slice from
//! the bottom of such a term is the same term at a smaller width. Rules leave it as it is, because the wide
//! term may be needed anyhow; who asks what is equal wants it cut. Two sums of the same words, one of them
//! made in a wider word, meet only that way.
//!
//! Cost: a walk down the operators, a bounded number of terms.

use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashMap;

/// More terms are not cut for one word.
const MOST_TERMS: usize = 1 << 9;

/// The low bits of a word, cut as far down as its operators allow.
pub fn low_bits(pool: &mut Pool, word: Term, width: u32) -> Option<Term> {
    let mut cut: FxHashMap<(Term, u32), Term> = FxHashMap::default();
    let mut stack = vec![(word, width)];
    while let Some(&(term, width)) = stack.last() {
        if cut.len() > MOST_TERMS {
            return None;
        }
        if cut.contains_key(&(term, width)) || pool.width(term) == Some(width) {
            cut.entry((term, width)).or_insert(term);
            stack.pop();
            continue;
        }
        let below = operands(pool, term, width);
        let before = stack.len();
        stack.extend(below.iter().filter(|operand| !cut.contains_key(operand)));
        if stack.len() == before {
            stack.pop();
            let args: Vec<Term> = below.iter().map(|operand| cut[operand]).collect();
            let low = rebuilt(pool, term, width, &args);
            cut.insert((term, width), low);
        }
    }
    cut.get(&(word, width)).copied()
}

/// The words whose low bits make those of a word, and how many of each.
fn operands(pool: &Pool, term: Term, width: u32) -> Vec<(Term, u32)> {
    let args = pool.args(term);
    match (pool.op(term), args) {
        (Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor, _) => {
            args.iter().map(|&arg| (arg, width)).collect()
        }
        (Op::Ite, &[_, then, other]) => vec![(then, width), (other, width)],
        (Op::Concat, &[high, low]) => match pool.width(low) {
            Some(cut) if cut < width => vec![(high, width - cut), (low, cut)],
            _ => vec![(low, width)],
        },
        (Op::ZeroExtend | Op::SignExtend, &[low]) => {
            vec![(low, width.min(pool.width(low).unwrap_or(width)))]
        }
        _ => vec![],
    }
}

/// The low bits of a term, from those of its operands.
fn rebuilt(pool: &mut Pool, term: Term, width: u32, args: &[Term]) -> Term {
    let op = pool.op(term);
    match (op, args) {
        (_, []) => match (op, pool.as_bitvec(term)) {
            (_, Some(value)) => pool.bitvec(&value.extract(width - 1, 0)),
            (Op::Extract, _) => {
                let (whole, from) = (pool.args(term)[0], pool.index(term));
                make::extract(pool, whole, from + width - 1, from)
            }
            _ => make::extract(pool, term, width - 1, 0),
        },
        (Op::Ite, &[then, other]) => {
            let condition = pool.args(term)[0];
            make::ite(pool, condition, then, other)
        }
        (Op::Concat, &[low]) => low,
        (Op::ZeroExtend | Op::SignExtend, &[low]) => match width - pool.width(low).unwrap_or(width) {
            0 => low,
            more => make::indexed(pool, op, &[more], &[low]),
        },
        _ => make::app(pool, op, args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{Sort, eval};

    #[test]
    fn low_bits_are_those_of_the_word() {
        let mut pushed = 0;
        for seed in 0..2000 {
            let mut pool = Pool::new();
            let mut generator = TermGen::new(seed);
            let width = 2 + generator.rng().u32(..7);
            let word = generator.term(&mut pool, Sort::bitvec(width).unwrap(), 4);
            let kept = 1 + generator.rng().u32(..width - 1);
            let Some(low) = low_bits(&mut pool, word, kept) else { continue };
            let slice = pool.mk_indexed(Op::Extract, &[kept - 1, 0], &[word]);
            pushed += usize::from(low != slice);
            for _ in 0..10 {
                let assignment = generator.assignment(&pool, &[slice, low]);
                assert_eq!(eval(&pool, slice, &assignment), eval(&pool, low, &assignment), "{seed}");
            }
        }
        assert!(pushed > 500, "{pushed} pushed: too easy");
    }
}
