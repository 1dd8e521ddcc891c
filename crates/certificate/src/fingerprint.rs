//! Numbers that are the same for terms that are the same polynomial.
//!
//! A polynomial has one value for any values of its variables. So terms are evaluated, with two values for
//! each variable, which are its class, mixed. Terms with different numbers are different polynomials; those
//! with the same are most likely one (Schwartz 1980), and are compared by the checker's rule. Variables and
//! operators are those of [`bivalve_checker::polynomial`], but what is extended has the low bits of what it
//! is made of, and of long words only the lowest bits are looked at; so there are different polynomials with
//! the same numbers, if few.
//!
//! Cost: two numbers for each term, in place of a polynomial for each.

use crate::recorder::Recorder;
use bivalve_checker::kernel::Kernel;
use bivalve_checker::polynomial::choice;
use bivalve_checker::term::{Op, Term};
use rustc_hash::FxHashMap;

/// So many terms with the same numbers are kept to be compared with others.
const MOST_TWINS: usize = 4;

/// The values of a term.
pub(crate) type Fingerprint = [u128; 2];

/// Those of terms that were looked at. A class that grows later does not change them.
#[derive(Default)]
pub(crate) struct Fingerprints {
    known: FxHashMap<Term, Fingerprint>,
    /// By width and values: terms that are different polynomials.
    terms: FxHashMap<(Option<u32>, Fingerprint), Vec<Term>>,
}

impl Fingerprints {
    /// An earlier term that is the same polynomial, which is shown, and whether that was not known.
    pub(crate) fn twin(&mut self, out: &mut Recorder, term: Term) -> Option<(Term, bool)> {
        let values = self.of(&out.kernel, term);
        let earlier = self.terms.entry((out.kernel.terms.width(term), values)).or_default();
        let known = earlier.iter().find(|&&twin| out.kernel.equal(twin, term));
        if let Some(&known) = known {
            return Some((known, false));
        }
        let shown = earlier.iter().find(|&&twin| out.polynomial(twin, term).is_ok());
        if shown.is_none() && earlier.len() < MOST_TWINS {
            earlier.push(term);
            return None;
        }
        shown.map(|&twin| (twin, true))
    }

    /// The term is known to be equal to this one, and has its numbers from now on.
    pub(crate) fn share(&mut self, kernel: &Kernel, term: Term, twin: Term) {
        let values = self.of(kernel, twin);
        self.known.insert(term, values);
    }

    /// That of a bit-vector term.
    pub(crate) fn of(&mut self, kernel: &Kernel, root: Term) -> Fingerprint {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if kernel.value(term).is_none() {
                let open = inner(kernel, term).iter().filter(|arg| !self.known.contains_key(arg));
                stack.extend(open);
            }
            if stack.len() == before {
                stack.pop();
                let width = kernel.terms.width(term).unwrap_or_default();
                let values = [0, 1].map(|which| self.value(kernel, term, which) & ones(width));
                self.known.insert(term, values);
            }
        }
        self.known[&root]
    }

    /// One of the values of a term whose arguments are known where they count, but for bits above its width.
    fn value(&self, kernel: &Kernel, term: Term, which: usize) -> u128 {
        if let Some(value) = kernel.value(term) {
            return number(kernel, value);
        }
        let terms = &kernel.terms;
        let args = terms.args(term);
        let of = |at: usize| self.known[&args[at]][which];
        let variable = |of: Term, kind: u64| mixed(u64::from(kernel.class(of)), kind << 1 | which as u64);
        if let Some([condition, a, b]) = choice(terms, term)
            && let (Some(a), Some(b)) = (kernel.value(a), kernel.value(b))
        {
            let [a, b] = [a, b].map(|value| number(kernel, value));
            return a.wrapping_sub(b).wrapping_mul(variable(condition, 0)).wrapping_add(b);
        }
        match terms.op(term) {
            Op::BvAdd => args.iter().fold(0, |sum: u128, arg| sum.wrapping_add(self.known[arg][which])),
            Op::BvMul => {
                args.iter().fold(1, |product: u128, arg| product.wrapping_mul(self.known[arg][which]))
            }
            Op::BvNeg => of(0).wrapping_neg(),
            Op::BvNot => !of(0),
            Op::Extract(_, 0) => of(0),
            Op::BvShl => match kernel.value(args[1]) {
                Some(by) => shifted(of(0), number(kernel, by)),
                None => of(0).wrapping_mul(variable(args[1], 1)),
            },
            Op::SignExtend(_) | Op::Concat => {
                let low = args.len() - 1;
                let width = terms.width(args[low]).unwrap_or_default();
                match has_zeros_below(kernel, term) {
                    true => shifted(of(0), u128::from(width)),
                    false => variable(term, 0) & !ones(width) | of(low),
                }
            }
            _ => variable(term, 0),
        }
    }
}

/// The arguments that the value of a term is made of.
fn inner(kernel: &Kernel, term: Term) -> &[Term] {
    let args = kernel.terms.args(term);
    match kernel.terms.op(term) {
        Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::Extract(_, 0) => args,
        Op::BvShl => &args[..1],
        Op::Concat if has_zeros_below(kernel, term) => &args[..1],
        Op::SignExtend(_) | Op::Concat => &args[args.len() - 1..],
        _ => &[],
    }
}

/// Is it a word with zeros after it?
fn has_zeros_below(kernel: &Kernel, term: Term) -> bool {
    let is_zero = |&low: &Term| kernel.terms.as_value(low).is_some_and(|low| low.bits() == 0);
    kernel.terms.op(term) == Op::Concat && kernel.terms.args(term).last().is_some_and(is_zero)
}

/// The low bits of a value.
fn number(kernel: &Kernel, value: Term) -> u128 {
    let digits =
        kernel.terms.as_value(value).map(|value| value.iter_u64_digits().take(2).collect::<Vec<_>>());
    digits.unwrap_or_default().iter().rev().fold(0, |number, &digit| number << 64 | u128::from(digit))
}

fn shifted(value: u128, by: u128) -> u128 {
    u32::try_from(by).ok().and_then(|by| value.checked_shl(by)).unwrap_or_default()
}

/// So many ones, or as many as there are.
fn ones(width: u32) -> u128 {
    1u128.checked_shl(width).unwrap_or_default().wrapping_sub(1)
}

/// A number that looks like any other (the mixing of splitmix64, twice).
fn mixed(class: u64, kind: u64) -> u128 {
    let half = |half: u64| {
        let mut x = (class << 3 | kind << 1 | half).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(x ^ (x >> 31))
    };
    half(0) << 64 | half(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// A random term of this width over some leaves.
    fn random(kernel: &mut Kernel, leaves: &[Term], width: u32, rng: &mut Rng, depth: u32) -> Term {
        if depth == 0 || rng.u32(0..6) == 0 {
            let leaf = leaves[rng.usize(0..leaves.len())];
            let have = kernel.terms.width(leaf).unwrap();
            return match width.checked_sub(have) {
                Some(0) => leaf,
                Some(more) if rng.bool() => kernel.terms.mk(Op::SignExtend(more), &[leaf]).unwrap(),
                Some(more) => {
                    let zeros = kernel.terms.value(more, 0u8.into()).unwrap();
                    let parts = if rng.bool() { [zeros, leaf] } else { [leaf, zeros] };
                    kernel.terms.mk(Op::Concat, &parts).unwrap()
                }
                None => kernel.terms.mk(Op::Extract(width - 1, 0), &[leaf]).unwrap(),
            };
        }
        let choice = rng.u32(0..8);
        let inner = if choice == 6 { width + rng.u32(1..70) } else { width };
        let a = random(kernel, leaves, inner, rng, depth - 1);
        let b = random(kernel, leaves, width, rng, depth - 1);
        let by = kernel.terms.number_like(b, rng.u32(0..5)).unwrap();
        let (op, args) = match choice {
            0 => (Op::BvNeg, vec![a]),
            1 => (Op::BvNot, vec![a]),
            2 => (Op::BvShl, vec![a, if rng.bool() { by } else { b }]),
            3 => (Op::BvMul, vec![a, b]),
            4 | 5 => (Op::BvAdd, vec![a, b]),
            7 => {
                let condition = kernel.terms.mk(Op::BvUlt, &leaves[..2]).unwrap();
                let not = kernel.terms.mk(Op::Not, &[condition]).unwrap();
                let value = kernel.terms.number_like(a, rng.u32(0..5)).unwrap();
                (Op::Ite, vec![if rng.bool() { condition } else { not }, by, value])
            }
            _ => (Op::Extract(width - 1, 0), vec![a]),
        };
        kernel.terms.mk(op, &args).unwrap()
    }

    #[test]
    fn they_are_the_same_where_polynomials_are() {
        let mut rng = Rng::with_seed(40);
        let (mut same, mut colliding, mut different) = (0, 0, 0);
        for round in 0..300 {
            let mut kernel = Kernel::default();
            let width = if round % 3 == 0 { 150 } else { 9 };
            let sort = kernel.terms.bitvec_sort(width - 1).unwrap();
            let [x, y] = [(); 2].map(|()| kernel.terms.fresh(sort));
            let two = kernel.terms.value(width - 1, 2u8.into()).unwrap();
            let mut fingerprints = Fingerprints::default();
            let made: Vec<_> = (0..40)
                .map(|_| {
                    let term = random(&mut kernel, &[x, y, two], width, &mut rng, 3);
                    (kernel.polynomial_of(term), fingerprints.of(&kernel, term), term)
                })
                .collect();
            for (at, (polynomial, fingerprint, term)) in made.iter().enumerate() {
                for (other, other_fingerprint, twin) in &made[..at] {
                    if polynomial.is_ok() && other.is_ok() {
                        let (is_same, collides) = (polynomial == other, fingerprint == other_fingerprint);
                        assert!(collides || !is_same, "{polynomial:?} {other:?}");
                        same += usize::from(is_same && term != twin);
                        different += usize::from(!is_same);
                        colliding += usize::from(!is_same && collides);
                    }
                }
            }
        }
        assert!(same > 200 && colliding * 100 < different, "{same}, {colliding} of {different}");
    }
}
