//! Sums of products of atoms with coefficients, over any ring.
//!
//! A monomial is a product of *atoms*, of which nothing is known; the empty one stands for the constant. Two
//! terms with the same polynomial are equal under every assignment, since each step is a law of the ring; the
//! reverse fails, for polynomials can be zero everywhere without being zero, and for what atoms have to do
//! with each other.
//!
//! Monomials are in order, so polynomials are equal where they are equal values. Cost: a logarithm for each
//! monomial that is added; products multiply the numbers of monomials, so who makes them counts first.

use crate::ring::Ring;
use bivalve_terms::Term;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Atoms in increasing order, each as often as it is a factor.
pub type Monomial<A = Term> = Vec<A>;

/// How large polynomials may become. A chain of squares doubles the length of monomials with each step, so
/// that their number alone bounds nothing.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most monomials.
    pub monomials: usize,
    /// The most factors of a monomial.
    pub degree: usize,
}

/// A sum of monomials with coefficients that are not zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Polynomial<R: Ring, A: Ord> {
    ring: R,
    monomials: BTreeMap<Monomial<A>, R::Number>,
}

impl<R: Ring, A: Ord + Clone> Polynomial<R, A> {
    /// Nothing.
    pub fn zero(ring: R) -> Self {
        Polynomial { ring, monomials: BTreeMap::new() }
    }

    /// A number.
    pub fn of_constant(ring: R, constant: R::Number) -> Self {
        Self::of_monomial(ring, vec![], constant)
    }

    /// One atom.
    pub fn of_atom(ring: R, atom: A) -> Self {
        let one = ring.number(1);
        Self::of_monomial(ring, vec![atom], one)
    }

    /// A multiple of one monomial.
    pub fn of_monomial(ring: R, monomial: Monomial<A>, coefficient: R::Number) -> Self {
        let mut polynomial = Self::zero(ring);
        polynomial.add_monomial(monomial, coefficient);
        polynomial
    }

    /// The sum of these monomials with their coefficients, no two of them the same and none zero.
    pub fn of(ring: R, monomials: impl Iterator<Item = (Monomial<A>, R::Number)>) -> Self {
        Polynomial { ring, monomials: monomials.collect() }
    }

    /// The ring of its coefficients.
    pub fn ring(&self) -> &R {
        &self.ring
    }

    /// The number of monomials.
    #[allow(clippy::len_without_is_empty, reason = "one without monomials is called zero")]
    pub fn len(&self) -> usize {
        self.monomials.len()
    }

    /// Has it no monomials?
    pub fn is_nothing(&self) -> bool {
        self.monomials.is_empty()
    }

    /// The most factors of a monomial.
    pub fn degree(&self) -> usize {
        self.monomials.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The monomials with their coefficients, in order, that of the constant first.
    pub fn monomials(&self) -> impl DoubleEndedIterator<Item = (&Monomial<A>, &R::Number)> {
        self.monomials.iter()
    }

    /// The coefficient of the constant.
    pub fn constant(&self) -> R::Number {
        self.coefficient(&[]).cloned().unwrap_or_else(|| self.ring.number(0))
    }

    /// The coefficient of a monomial, if it is not zero.
    pub fn coefficient(&self, monomial: &[A]) -> Option<&R::Number> {
        self.monomials.get(monomial)
    }

    /// Is it the same constant everywhere?
    pub fn is_constant(&self) -> bool {
        self.monomials.keys().all(Vec::is_empty)
    }

    /// Takes a monomial away; its coefficient, if it had one.
    pub fn remove(&mut self, monomial: &[A]) -> Option<R::Number> {
        self.monomials.remove(monomial)
    }

    /// Adds a multiple of a monomial.
    pub fn add_monomial(&mut self, monomial: Monomial<A>, coefficient: R::Number) {
        if self.ring.is_zero(&coefficient) {
            return;
        }
        match self.monomials.entry(monomial) {
            Entry::Vacant(entry) => drop(entry.insert(coefficient)),
            Entry::Occupied(mut entry) => {
                self.ring.add(entry.get_mut(), &coefficient);
                if self.ring.is_zero(entry.get()) {
                    entry.remove();
                }
            }
        }
    }

    /// Adds `factor` times `other`.
    pub fn add_scaled(&mut self, other: &Self, factor: &R::Number) {
        for (monomial, coefficient) in &other.monomials {
            self.add_monomial(monomial.clone(), self.ring.mul(coefficient, factor));
        }
    }

    /// The product with a constant.
    pub fn scaled(&self, factor: &R::Number) -> Self {
        let mut product = Self::zero(self.ring.clone());
        product.add_scaled(self, factor);
        product
    }

    /// Changes all coefficients, and leaves those out that become zero.
    pub fn map_coefficients(&mut self, mut change: impl FnMut(&mut R::Number)) {
        self.monomials.retain(|_, coefficient| {
            change(coefficient);
            !self.ring.is_zero(coefficient)
        });
    }

    /// The product with another polynomial.
    pub fn times(&self, other: &Self) -> Self {
        self.times_over(other, |_| false)
    }

    /// The product with another polynomial, where the square of some atoms is the atom.
    pub fn times_over(&self, other: &Self, is_own_square: impl Fn(&A) -> bool) -> Self {
        let mut product = Self::zero(self.ring.clone());
        for (a, a_coefficient) in &self.monomials {
            for (b, b_coefficient) in &other.monomials {
                let monomial = joined(a, b, &is_own_square);
                product.add_monomial(monomial, self.ring.mul(a_coefficient, b_coefficient));
            }
        }
        product
    }

    /// The same, unless more monomials would have to be made than the limits allow, or longer ones.
    pub fn times_within(
        &self,
        other: &Self,
        limits: Limits,
        is_own_square: impl Fn(&A) -> bool,
    ) -> Option<Self> {
        let is_small =
            self.len() * other.len() <= limits.monomials && self.degree() + other.degree() <= limits.degree;
        is_small.then(|| self.times_over(other, is_own_square))
    }

    /// The polynomial with another one in the place of an atom; `None` where one monomial, or all together,
    /// would have more than the limits allow.
    pub fn substituted(&self, atom: &A, by: &Self, limits: Limits) -> Option<Self> {
        let mut result = Self::zero(self.ring.clone());
        let (one, degree) = (self.ring.number(1), by.degree());
        for (monomial, coefficient) in &self.monomials {
            let others = without(monomial, atom);
            let power = monomial.len() - others.len();
            if others.len() + power * degree > limits.degree {
                return None;
            }
            let mut product = Self::of_monomial(self.ring.clone(), others, coefficient.clone());
            for _ in 0..power {
                product = product.times(by);
                if product.len() > limits.monomials {
                    return None;
                }
            }
            result.add_scaled(&product, &one);
        }
        (result.len() <= limits.monomials).then_some(result)
    }

    /// The polynomials that the powers of an atom are multiplied by, by exponent.
    pub fn by_powers(&self, atom: &A) -> BTreeMap<usize, Self> {
        let mut powers: BTreeMap<usize, Self> = BTreeMap::new();
        for (monomial, coefficient) in &self.monomials {
            let others = without(monomial, atom);
            let power = monomial.len() - others.len();
            let of_power = powers.entry(power).or_insert_with(|| Self::zero(self.ring.clone()));
            of_power.monomials.insert(others, coefficient.clone());
        }
        powers
    }
}

/// The product of two monomials, where the square of some atoms is the atom.
pub fn joined<A: Ord + Clone>(a: &[A], b: &[A], is_own_square: impl Fn(&A) -> bool) -> Monomial<A> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(one), Some(other)) if one <= other => a.next(),
            (_, Some(_)) => b.next(),
            (_, None) => a.next(),
        };
        let Some(next) = next else { return all };
        if all.last() != Some(next) || !is_own_square(next) {
            all.push(next.clone());
        }
    }
}

/// A monomial without an atom.
fn without<A: Ord + Clone>(monomial: &[A], atom: &A) -> Monomial<A> {
    monomial.iter().filter(|&factor| factor != atom).cloned().collect()
}

/// What is left of a monomial without the factors of another one, if it has them all.
pub fn quotient<A: Ord + Clone>(monomial: &[A], by: &[A]) -> Option<Monomial<A>> {
    let mut rest = vec![];
    let mut needed = by.iter().peekable();
    for factor in monomial {
        match needed.peek() {
            Some(&next) if next == factor => drop(needed.next()),
            Some(&next) if next < factor => return None,
            _ => rest.push(factor.clone()),
        }
    }
    needed.next().is_none().then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{Parity, Residues, Words};
    use num_bigint::BigInt;

    /// A random polynomial over three atoms.
    fn random<R: Ring>(ring: &R, random: &mut fastrand::Rng) -> Polynomial<R, u32> {
        let mut polynomial = Polynomial::zero(ring.clone());
        for _ in 0..random.usize(..4) {
            let mut monomial: Vec<u32> = (0..random.usize(..3)).map(|_| random.u32(..3)).collect();
            monomial.sort_unstable();
            polynomial.add_monomial(monomial, ring.number(random.i64(-3..4)));
        }
        polynomial
    }

    /// Its value where atoms have some values.
    fn value<R: Ring>(polynomial: &Polynomial<R, u32>, values: &[R::Number; 3]) -> R::Number {
        let ring = polynomial.ring();
        let mut sum = ring.number(0);
        for (monomial, coefficient) in polynomial.monomials() {
            let product = monomial.iter().map(|&atom| &values[atom as usize]);
            let product = product.fold(coefficient.clone(), |product, factor| ring.mul(&product, factor));
            ring.add(&mut sum, &product);
        }
        sum
    }

    /// Sums, products, substitutions and powers are what they are by their values.
    fn check<R: Ring>(ring: &R) {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..500 {
            let values = [(); 3].map(|()| ring.number(rng.i64(-5..6)));
            let [a, b] = [(); 2].map(|()| random(ring, &mut rng));
            let (at_a, at_b) = (value(&a, &values), value(&b, &values));
            assert_eq!(value(&a.times(&b), &values), ring.mul(&at_a, &at_b));
            let mut sum = a.clone();
            sum.add_scaled(&b, &ring.number(3));
            let mut expected = at_a;
            ring.add(&mut expected, &ring.mul(&at_b, &ring.number(3)));
            assert_eq!(value(&sum, &values), expected);
            let replaced = a.substituted(&1, &b, Limits { monomials: 100, degree: 9 }).expect("it is small");
            let instead = [values[0].clone(), at_b, values[2].clone()];
            assert_eq!(value(&replaced, &values), value(&a, &instead));
            let mut again = Polynomial::zero(ring.clone());
            for (power, of_power) in a.by_powers(&1) {
                let atom = Polynomial::of_monomial(ring.clone(), vec![1; power], ring.number(1));
                again.add_scaled(&of_power.times(&atom), &ring.number(1));
            }
            assert_eq!(again, a);
        }
    }

    #[test]
    fn they_have_the_values_of_what_they_are_made_of() {
        check(&Words(3));
        check(&Words(90));
        check(&Residues::INTEGERS);
        check(&Residues(BigInt::from(6)));
        check(&Parity);
    }

    #[test]
    fn monomials_are_multiplied_and_divided() {
        assert_eq!(joined(&[1, 1, 3], &[1, 2], |_| false), [1, 1, 1, 2, 3]);
        assert_eq!(joined(&[1, 3], &[1, 2, 3], |&atom| atom == 3), [1, 1, 2, 3]);
        assert_eq!(quotient(&[1, 1, 2, 3], &[1, 3]), Some(vec![1, 2]));
        assert_eq!(quotient(&[1, 2], &[1, 1]), None);
        assert_eq!(quotient(&[2, 3], &[1]), None);
    }
}
