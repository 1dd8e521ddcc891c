//! Polynomials modulo 2, each with a number of its own.

use bivalve_algebra::polynomial::Polynomial;
use bivalve_algebra::ring::Parity;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a polynomial. Equal polynomials have equal numbers.
pub(super) type Form = u32;

/// The polynomial without monomials.
pub(super) const ZERO: Form = 0;

/// The polynomial whose only monomial is the product of nothing.
pub(super) const ONE: Form = 1;

/// A polynomial. Atoms are variables, each its own square.
type Sum = Polynomial<Parity, u32>;

/// The operators that can have too many monomials.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Join {
    Sum,
    Product,
}

/// The polynomials that were made.
#[derive(Default)]
pub(super) struct Forms {
    sums: Vec<Rc<Sum>>,
    numbers: FxHashMap<Rc<Sum>, Form>,
    variables: u32,
    results: FxHashMap<(Join, Form, Form), Form>,
    steps: u64,
    most: usize,
}

impl Forms {
    /// None but the constants; so many steps for others, of at most so many monomials.
    pub(super) fn new(steps: u64, most: usize) -> Forms {
        let mut forms = Forms { steps, most, ..Forms::default() };
        let constants = [false, true].map(|value| forms.number(Sum::of_constant(Parity, value)));
        debug_assert_eq!(constants, [ZERO, ONE]);
        forms
    }

    fn number(&mut self, sum: Sum) -> Form {
        if let Some(&number) = self.numbers.get(&sum) {
            return number;
        }
        let (number, sum) = (Form::try_from(self.sums.len()).expect("steps bound the forms"), Rc::new(sum));
        self.sums.push(Rc::clone(&sum));
        self.numbers.insert(sum, number);
        number
    }

    fn get(&self, form: Form) -> Rc<Sum> {
        Rc::clone(&self.sums[form as usize])
    }

    /// Takes steps; `None` once there were not enough.
    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.steps.checked_sub(steps as u64);
        self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// The number of monomials.
    pub(super) fn len(&self, form: Form) -> usize {
        self.sums[form as usize].len()
    }

    /// The variables of a polynomial without products, and whether it has the constant; `None` of others.
    pub(super) fn linear(&self, form: Form) -> Option<(Vec<u32>, bool)> {
        let (mut variables, mut is_odd) = (vec![], false);
        for (monomial, _) in self.sums[form as usize].monomials() {
            match monomial[..] {
                [] => is_odd = true,
                [variable] => variables.push(variable),
                _ => return None,
            }
        }
        Some((variables, is_odd))
    }

    /// The variable that was made last.
    pub(super) fn last_variable(&self) -> u32 {
        self.variables
    }

    /// A polynomial of a new variable.
    pub(super) fn variable(&mut self) -> Option<Form> {
        self.spend(1)?;
        self.variables += 1;
        Some(self.number(Sum::of_atom(Parity, self.variables)))
    }

    /// `a + b`
    pub(super) fn sum(&mut self, a: Form, b: Form) -> Option<Form> {
        match (a, b) {
            _ if a == b => return Some(ZERO),
            (ZERO, other) | (other, ZERO) => return Some(other),
            _ => {}
        }
        let (left, right) = (self.get(a), self.get(b));
        self.spend(left.len() + right.len())?;
        let (less, mut sum) =
            if left.len() < right.len() { (left, Sum::clone(&right)) } else { (right, Sum::clone(&left)) };
        sum.add_scaled(&less, &true);
        self.made((Join::Sum, a.min(b), a.max(b)), sum)
    }

    /// `a b`
    pub(super) fn product(&mut self, a: Form, b: Form) -> Option<Form> {
        match (a, b) {
            (ZERO, _) | (_, ZERO) => return Some(ZERO),
            (ONE, other) | (other, ONE) => return Some(other),
            _ if a == b => return Some(a),
            _ => {}
        }
        let key = (Join::Product, a.min(b), a.max(b));
        if let Some(&known) = self.results.get(&key) {
            return Some(known);
        }
        let (left, right) = (self.get(a), self.get(b));
        if left.len() * right.len() > 8 * self.most {
            return self.opaque(key);
        }
        let factors = |sum: &Sum| sum.monomials().map(|(monomial, _)| monomial.len()).sum::<usize>();
        self.spend(left.len() * (right.len() + factors(&right)) + right.len() * factors(&left))?;
        let product = left.times_over(&right, |_| true);
        let product = self.made(key, product)?;
        self.results.insert(key, product);
        Some(product)
    }

    /// `a b + a + b`, which is 1 where one of them is.
    pub(super) fn any(&mut self, a: Form, b: Form) -> Option<Form> {
        let (product, sum) = (self.product(a, b)?, self.sum(a, b)?);
        self.sum(product, sum)
    }

    /// `condition (a + b) + b`
    pub(super) fn choice(&mut self, condition: Form, a: Form, b: Form) -> Option<Form> {
        let sum = self.sum(a, b)?;
        let product = self.product(condition, sum)?;
        self.sum(product, b)
    }

    /// A polynomial of these monomials, or a variable in its place if there are too many.
    fn made(&mut self, key: (Join, Form, Form), sum: Sum) -> Option<Form> {
        if sum.len() > self.most {
            return self.opaque(key);
        }
        Some(self.number(sum))
    }

    /// The variable that stands for a result.
    fn opaque(&mut self, key: (Join, Form, Form)) -> Option<Form> {
        if let Some(&known) = self.results.get(&key) {
            return Some(known);
        }
        let variable = self.variable()?;
        self.results.insert(key, variable);
        Some(variable)
    }
}
