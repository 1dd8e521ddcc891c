//! What multiplying out decides: equations of sums, and sums and equations that are the same.
//!
//! Rewriting applies the laws of addition and multiplication one operator at a time, and a SAT solver does
//! not know them: circuits of two polynomials that are the same after distribution are among the hardest for
//! it. Here the sides of equations, and the sums that other operators read, become polynomials of the
//! checker's kernel, so one step of the certificate shows whatever is found.
//!
//! Cost: each side is multiplied out once, within bounds of the kernel; the terms that are looked at are
//! counted.

use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_checker::polynomial::{MOST_INVERTED, Polynomial};
use bivalve_terms::{Op, Pool, Term, TermSet, cone};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Looks that a product of two terms is worth, since it is multiplied out.
const PRODUCT: usize = 100;

/// Equations below `roots` with their truth values, or with others that say the same, and sums with other
/// sums of the same value. Those in `seen` were looked at before; looks are taken from `left`.
pub(crate) fn multiplied_out(
    pool: &mut Pool,
    roots: &[Term],
    seen: &mut TermSet,
    left: &mut usize,
) -> Vec<(Term, Term)> {
    let below = cone(pool, roots);
    let is_new = |&term: &Term| !seen.contains(term);
    let equations: Vec<Term> =
        below.iter().copied().filter(|&term| is_equation_of_sums(pool, term)).filter(is_new).collect();
    let sums = sums(pool, &below);
    if equations.is_empty() && !sums.iter().any(is_new) {
        return vec![];
    }
    equations.iter().chain(&sums).for_each(|&term| {
        seen.insert(term);
    });
    let mut reader = Reader { out: Recorder::new(None), translation: Translation::default(), left };
    let mut found = vec![];
    let mut first: FxHashMap<(Option<u32>, Polynomial), Term> = FxHashMap::default();
    for equation in equations {
        let width = pool.width(pool.args(equation)[0]);
        let Some(zero) = reader.zero(pool, equation) else { continue };
        let is_value = zero.keys().all(Vec::is_empty);
        match first.entry((width, zero)) {
            Entry::Vacant(entry) if is_value => found.push((equation, pool.bool(entry.key().1.is_empty()))),
            // The kernel takes no inverses there.
            _ if width.map(u64::from) >= Some(MOST_INVERTED) => {}
            Entry::Occupied(earlier) => found.push((equation, *earlier.get())),
            Entry::Vacant(entry) => drop(entry.insert(equation)),
        }
    }
    let mut first: FxHashMap<(Option<u32>, Polynomial), Term> = FxHashMap::default();
    for sum in sums {
        let Some(polynomial) = reader.polynomial(pool, sum) else { continue };
        match first.entry((pool.width(sum), polynomial)) {
            Entry::Occupied(earlier) => found.push((sum, *earlier.get())),
            Entry::Vacant(entry) => {
                entry.insert(sum);
            }
        }
    }
    found
}

fn is_sum(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg)
}

fn is_equation_of_sums(pool: &Pool, term: Term) -> bool {
    pool.op(term) == Op::Eq && pool.args(term).iter().any(|&side| is_sum(pool, side))
}

/// The sums that something reads which is not one, in order.
fn sums(pool: &Pool, below: &[Term]) -> Vec<Term> {
    let readers = below.iter().filter(|&&term| !is_sum(pool, term));
    let read: FxHashSet<Term> = readers.flat_map(|&term| pool.args(term)).copied().collect();
    below.iter().copied().filter(|&term| is_sum(pool, term) && read.contains(&term)).collect()
}

/// Reads terms as polynomials.
struct Reader<'a> {
    out: Recorder,
    translation: Translation,
    left: &'a mut usize,
}

impl Reader<'_> {
    /// What an equation says to be zero: the same polynomial for its odd multiples if one coefficient is odd,
    /// else for its negation; but not of words that are too wide for an inverse.
    fn zero(&mut self, pool: &Pool, equation: Term) -> Option<Polynomial> {
        let &[a, b] = pool.args(equation) else { return None };
        let modulus = BigUint::from(1u8) << pool.width(a)?;
        let [mut zero, other] = [self.polynomial(pool, a)?, self.polynomial(pool, b)?];
        for (monomial, coefficient) in other {
            let sum = zero.remove(&monomial).unwrap_or_default() + &modulus - coefficient;
            zero.insert(monomial, sum % &modulus);
        }
        zero.retain(|_, coefficient| coefficient.bits() > 0);
        if u64::from(pool.width(a)?) >= MOST_INVERTED {
            return Some(zero);
        }
        let odd = zero.iter().find(|(monomial, coefficient)| !monomial.is_empty() && coefficient.bit(0));
        let factor = odd.and_then(|(_, odd)| odd.modinv(&modulus)).unwrap_or_else(|| &modulus - 1u8);
        let is_odd = odd.is_some();
        let multiple = |(monomial, coefficient): (&Vec<u64>, &BigUint)| {
            (monomial.clone(), coefficient * &factor % &modulus)
        };
        let other: Polynomial = zero.iter().map(multiple).collect();
        Some(if is_odd { other } else { zero.min(other) })
    }

    /// `None` if it is too large.
    fn polynomial(&mut self, pool: &Pool, term: Term) -> Option<Polynomial> {
        *self.left = self.left.checked_sub(looks(pool, term, *self.left)?)?;
        let term = self.translation.term(pool, term, &mut self.out).ok()?;
        self.out.kernel.polynomial_of(term).ok()
    }
}

/// How many looks a polynomial costs; `None` if there are more than `most`.
fn looks(pool: &Pool, root: Term, most: usize) -> Option<usize> {
    let mut seen = FxHashSet::default();
    let (mut stack, mut looks) = (vec![root], 0);
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            looks += if pool.op(term) == Op::BvMul { PRODUCT } else { 1 };
            if looks > most {
                return None;
            }
            if is_sum(pool, term) {
                stack.extend(pool.args(term));
            }
        }
    }
    Some(looks)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::{Certifier, Form, NoCertificate};
    use bivalve_limits::{Stop, Why};
    use bivalve_terms::{Op, Pool, Sort, Term};

    /// `x x y + 2 z = 2 w + shift`, each summand times a number.
    fn equation(pool: &mut Pool, [x, y, z, w]: [Term; 4], scale: u64, shift: u64) -> Term {
        let [scale, two, shift] = [scale, 2 * scale, scale * shift].map(|number| pool.bv_u64(number, 32));
        let products = [vec![scale, x, x, y], vec![two, z], vec![two, w]];
        let [square, z, w] = products.map(|factors| pool.mk(Op::BvMul, &factors));
        let sides = [[square, z], [w, shift]].map(|summands| pool.mk(Op::BvAdd, &summands));
        pool.mk(Op::Eq, &sides)
    }

    /// Equations whose products no circuit compares soon.
    #[test]
    fn equations_are_the_same_if_one_is_a_multiple_of_the_other() {
        let cases =
            [((1, 7), (3, 7), true), ((2, 5), (2, 5 + (1 << 31)), true), ((2, 5), (0xffff_fffe, 5), true)];
        for ((scale, shift), (other_scale, other_shift), is_same) in
            cases.into_iter().chain([((1, 7), (3, 8), false), ((2, 5), (6, 6), false)])
        {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(32).unwrap();
            let symbols = ["x", "y", "z", "w"].map(|name| pool.symbol(name, sort));
            let one = equation(&mut pool, symbols, scale, shift);
            let other = equation(&mut pool, symbols, other_scale, other_shift);
            let not = pool.mk(Op::Not, &[other]);
            let certified =
                Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[one, not], Some(0));
            match certified {
                Ok(_) => assert!(is_same, "{scale} {shift} {other_scale} {other_shift}"),
                Err(NoCertificate::Unknown(Why::Budget) | NoCertificate::Satisfiable) => {
                    assert!(!is_same, "{scale} {shift} {other_scale} {other_shift}");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}
