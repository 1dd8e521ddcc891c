//! Random values that show that two terms are not equal, before a proof is tried.
//!
//! Bits are drawn at random, or are zero, ones, one, the least signed number or small; what is read from
//! arrays, and what functions give, is drawn from a hash of the arguments, so equal arguments give equal
//! values. All of it is the same in every run. What has no value here, such as equations of arrays, refutes
//! nothing.
//!
//! Cost: linear in the terms for each trial. Theorems about reads that random values refute took half of the
//! time of certificates for programs with strings, each by a search for instances.

use bivalve_checker::evaluate::{self, Value};
use bivalve_checker::term::{Op, SortKind, Term, Terms};
use num_bigint::BigUint;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::{BuildHasher, Hash};

/// Random assignments that an equation must survive before it is proved.
const TRIALS: u64 = 12;

/// Where random numbers start.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Do some values of the variables `args`, which have these numbers, make the sides different?
pub(crate) fn refuted(
    terms: &Terms,
    left: Term,
    right: Term,
    args: &[Term],
    order: &FxHashMap<Term, u64>,
) -> bool {
    let mut state = SEED;
    (0..TRIALS).any(|trial| {
        let mut values = FxHashMap::default();
        for &arg in args {
            match terms.bits(arg) {
                Some(width) => {
                    let number = random(&mut state, width, trial + order[&arg]);
                    values.insert(arg, Value { width, number });
                }
                None if matches!(terms.kind(terms.sort_of(arg)), SortKind::Array(..)) => {}
                None => return false,
            }
        }
        let sides = [left, right].map(|side| value(terms, side, &mut values, (order, trial)));
        matches!(sides, [Some(a), Some(b)] if a != b)
    })
}

/// Zero, ones, one, the least signed number, small numbers, or any bits.
fn random(state: &mut u64, width: u32, trial: u64) -> BigUint {
    let modulus = BigUint::from(1u8) << width;
    let mut next = || {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    };
    match trial % 6 {
        0 => BigUint::default(),
        1 => modulus - 1u8,
        2 => BigUint::from(1u8) << (width - 1),
        3 => BigUint::from(next() % 4) % modulus,
        _ => {
            let words = width.div_ceil(32);
            BigUint::new((0..words).map(|_| next() as u32).collect()) % modulus
        }
    }
}

/// The value of a term; nothing if it depends on what has none. Arrays have none by themselves, but what is
/// read from them has one.
fn value(
    terms: &Terms,
    root: Term,
    values: &mut FxHashMap<Term, Value>,
    chance: (&FxHashMap<Term, u64>, u64),
) -> Option<Value> {
    let (mut stack, mut passed) = (vec![root], FxHashSet::default());
    while let Some(&term) = stack.last() {
        if values.contains_key(&term) || passed.contains(&term) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        let is_open = |arg: &Term| !values.contains_key(arg) && !passed.contains(arg);
        stack.extend(terms.args(term).iter().copied().filter(is_open));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let Some(width) = terms.bits(term) else {
            passed.insert(term);
            continue;
        };
        let args = terms.args(term);
        let known = || args.iter().map(|arg| values.get(arg).cloned()).collect::<Option<Vec<Value>>>();
        let value = match terms.op(term) {
            _ if terms.is_value(term) => terms.value_of(term)?,
            Op::Select => read(terms, [args[0], args[1]], width, values, chance)?,
            Op::Apply(_) => {
                let numbers: Vec<BigUint> = known()?.into_iter().map(|value| value.number).collect();
                drawn(width, &(terms.op(term), numbers, chance.1))
            }
            op => evaluate::apply(op, &known()?)?,
        };
        values.insert(term, value);
    }
    values.get(&root).cloned()
}

/// What is read from an array.
fn read(
    terms: &Terms,
    [mut array, index]: [Term; 2],
    width: u32,
    values: &FxHashMap<Term, Value>,
    (order, trial): (&FxHashMap<Term, u64>, u64),
) -> Option<Value> {
    let index = values.get(&index)?;
    loop {
        array = match (terms.op(array), terms.args(array)) {
            _ if order.contains_key(&array) => {
                return Some(drawn(width, &(order[&array], index.number.clone(), trial)));
            }
            (Op::Store, &[_, written, element]) if values.get(&written)? == index => {
                return values.get(&element).cloned();
            }
            (Op::Store, &[below, ..]) => below,
            (Op::Ite, &[condition, yes, no]) => {
                if values.get(&condition)?.number.bits() > 0 {
                    yes
                } else {
                    no
                }
            }
            (Op::ConstArray(_), &[element]) => return values.get(&element).cloned(),
            _ => return None,
        };
    }
}

/// A number that what it is drawn for decides.
fn drawn(width: u32, of: &impl Hash) -> Value {
    let mut state = BuildHasher::hash_one(&FxBuildHasher, of) | 1;
    let trial = state % 6;
    Value { width, number: random(&mut state, width, trial) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_holds_of_reads_is_not_refuted_and_what_does_not_is() {
        let mut terms = Terms::new();
        let byte = terms.bitvec_sort(8).unwrap();
        let array = terms.sort(SortKind::Array(byte, byte));
        let (a, b, i, j, x) =
            (terms.fresh(array), terms.fresh(array), terms.fresh(byte), terms.fresh(byte), terms.fresh(byte));
        let order: FxHashMap<Term, u64> = [a, b, i, j, x].into_iter().zip(0..).collect();
        let args = [a, b, i, j, x];
        let mut mk = |op, args: &[Term]| terms.mk(op, args).unwrap();
        let written = mk(Op::Store, &[a, i, x]);
        let [at_i, at_j] = [i, j].map(|index| mk(Op::Select, &[written, index]));
        let [below, other] = [a, b].map(|array| mk(Op::Select, &[array, j]));
        let same = mk(Op::Eq, &[i, j]);
        let expected = mk(Op::Ite, &[same, x, below]);
        let chosen = mk(Op::Ite, &[same, a, b]);
        let (read, both) = (mk(Op::Select, &[chosen, j]), mk(Op::Ite, &[same, below, other]));
        let arrays = mk(Op::Eq, &[a, b]);
        let is_refuted = |left, right| refuted(&terms, left, right, &args, &order);
        for (left, right) in [(at_i, x), (at_j, expected), (read, both), (arrays, same)] {
            assert!(!is_refuted(left, right));
        }
        for (left, right) in [(at_j, x), (below, other), (read, below)] {
            assert!(is_refuted(left, right));
        }
    }
}
