//! What multiplying out decides: equations of sums, and sums and equations that are the same.
//!
//! Rewriting applies the laws of addition and multiplication one operator at a time, and a SAT solver does
//! not know them: circuits of two polynomials that are the same after distribution are among the hardest for
//! it. Here the sides of equations, and the sums that other operators read, become polynomials of the
//! checker's kernel, so one step of the certificate shows whatever is found.
//!
//! Cost: a number for each term ([`crate::fingerprint`]). Sides are multiplied out where numbers allow that
//! something is decided, within bounds of the kernel; the terms that are looked at then are counted.

use crate::fingerprint::{Fingerprint, Fingerprints};
use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_checker::polynomial::{MOST_INVERTED, Polynomial};
use bivalve_checker::term as to;
use bivalve_terms::{Op, Pool, Term, TermSet, cone};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

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
    let mut reader = Reader::new(left);
    let mut found = vec![];
    let mut earlier = Earlier::default();
    for equation in equations {
        let Some([one, other]) = reader.numbers(pool, equation) else { continue };
        if one == other
            && let Some(zero) = reader.zero(pool, equation)
            && zero.keys().all(Vec::is_empty)
        {
            found.push((equation, pool.bool(zero.is_empty())));
            continue;
        }
        let width = pool.width(pool.args(equation)[0]);
        // The kernel takes no inverses of wider words.
        if width.map(u64::from) < Some(MOST_INVERTED) {
            let multiple = (width, ratio([one, other], width.unwrap_or_default()));
            let same = earlier.same(multiple, equation, |equation| reader.zero(pool, equation));
            found.extend(same.map(|same| (equation, same)));
        }
    }
    let mut earlier = Earlier::default();
    for sum in sums {
        let Some(numbers) = reader.numbers(pool, sum) else { continue };
        let same = earlier.same((pool.width(sum), numbers), sum, |sum| reader.polynomial(pool, sum));
        found.extend(same.map(|same| (sum, same)));
    }
    found
}

/// So many terms with the same numbers are kept to be compared with others.
const MOST_EARLIER: usize = 4;

/// Terms by width and numbers, and polynomials of those that were compared.
#[derive(Default)]
struct Earlier {
    terms: FxHashMap<(Option<u32>, Fingerprint), Vec<Term>>,
    read: FxHashMap<Term, Option<Polynomial>>,
}

impl Earlier {
    /// An earlier term with the same numbers and the same polynomial.
    fn same(
        &mut self,
        numbers: (Option<u32>, Fingerprint),
        term: Term,
        mut read: impl FnMut(Term) -> Option<Polynomial>,
    ) -> Option<Term> {
        let earlier = self.terms.entry(numbers).or_default();
        if let Some(&first) = earlier.first() {
            self.read.entry(first).or_insert_with(|| read(first));
            let polynomial = read(term);
            let is_same =
                |&&other: &&Term| polynomial.is_some() && self.read.get(&other) == Some(&polynomial);
            if let Some(&same) = earlier.iter().find(is_same) {
                return Some(same);
            }
            self.read.insert(term, polynomial);
        }
        if earlier.len() < MOST_EARLIER {
            earlier.push(term);
        }
        None
    }
}

/// Two numbers that stay what they are when the two values of a difference are multiplied by an odd number:
/// the powers of two in them, and the rest of one by that of the other, as far as both are known.
fn ratio([one, other]: Fingerprint, width: u32) -> Fingerprint {
    let width = width.min(u128::BITS);
    let [twos, other_twos] = [one, other].map(|value| value.trailing_zeros().min(width));
    let [odd, other_odd] = [(one, twos), (other, other_twos)].map(|(value, by)| value.checked_shr(by));
    let rest = match (odd, other_odd) {
        (Some(odd), Some(other_odd)) if odd > 0 && other_odd > 0 => odd.wrapping_mul(inverse(other_odd)),
        _ => 0,
    };
    let known = 1u128.checked_shl(width - twos.max(other_twos)).unwrap_or_default().wrapping_sub(1);
    [u128::from(twos << 8 | other_twos), rest & known]
}

/// What an odd number is to be multiplied by for one, modulo 2^128: each step doubles the right bits.
fn inverse(odd: u128) -> u128 {
    (0..7).fold(1u128, |inverse, _| inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse))))
}

pub(crate) fn is_sum(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg)
}

pub(crate) fn is_equation_of_sums(pool: &Pool, term: Term) -> bool {
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
    fingerprints: Fingerprints,
    left: &'a mut usize,
}

impl Reader<'_> {
    fn new(left: &mut usize) -> Reader<'_> {
        let (translation, fingerprints) = Default::default();
        Reader { out: Recorder::new(None), translation, fingerprints, left }
    }

    /// Two values of a sum, or of the difference of the sides of an equation.
    fn numbers(&mut self, pool: &Pool, term: Term) -> Option<Fingerprint> {
        let mut term = self.translation.term(pool, term, &mut self.out).ok()?;
        let terms = &mut self.out.kernel.terms;
        if let (to::Op::Eq, &[a, b]) = (terms.op(term), terms.args(term)) {
            term = terms.sub(a, b).ok()?;
        }
        Some(self.fingerprints.of(&self.out.kernel, term))
    }

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
    use super::ratio;
    use crate::{Certifier, Form, NoCertificate};
    use bivalve_limits::{Stop, Why};
    use bivalve_terms::{Op, Pool, Sort, Term};

    #[test]
    fn odd_multiples_have_the_ratio_of_what_they_are_multiples_of() {
        let mut rng = fastrand::Rng::with_seed(41);
        for _ in 0..20_000 {
            let width = rng.u32(1..=128);
            let mask = u128::MAX >> (128 - width);
            let numbers = [(); 2].map(|()| rng.u128(..) << rng.u32(0..128) & mask);
            let odd = rng.u128(..) | 1;
            let multiples = numbers.map(|number| number.wrapping_mul(odd) & mask);
            assert_eq!(ratio(numbers, width), ratio(multiples, width), "{numbers:?} {odd} {width}");
        }
        assert_ne!(ratio([3, 1], 8), ratio([5, 1], 8));
    }

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
