//! Polynomials modulo 2, each with a number of its own.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a polynomial. Equal polynomials have equal numbers.
pub(super) type Form = u32;

/// The polynomial without monomials.
pub(super) const ZERO: Form = 0;

/// The polynomial whose only monomial is the product of nothing.
pub(super) const ONE: Form = 1;

/// A sorted list of numbers: the variables of a monomial, or the monomials of a polynomial.
type List = Rc<[u32]>;

/// All lists of one kind.
#[derive(Default)]
struct Lists {
    lists: Vec<List>,
    numbers: FxHashMap<List, u32>,
}

impl Lists {
    fn number(&mut self, list: &[u32]) -> u32 {
        if let Some(&number) = self.numbers.get(list) {
            return number;
        }
        let number = u32::try_from(self.lists.len()).expect("steps bound the lists");
        let list: List = list.into();
        self.lists.push(Rc::clone(&list));
        self.numbers.insert(list, number);
        number
    }

    fn get(&self, number: u32) -> List {
        Rc::clone(&self.lists[number as usize])
    }
}

/// The operators that can have too many monomials.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Join {
    Sum,
    Product,
}

/// The polynomials that were made.
#[derive(Default)]
pub(super) struct Forms {
    monomials: Lists,
    forms: Lists,
    variables: u32,
    results: FxHashMap<(Join, Form, Form), Form>,
    steps: u64,
    most: usize,
}

impl Forms {
    /// None but the constants; so many steps for others, of at most so many monomials.
    pub(super) fn new(steps: u64, most: usize) -> Forms {
        let mut forms = Forms { steps, most, ..Forms::default() };
        let one = forms.monomials.number(&[]);
        let constants = [forms.forms.number(&[]), forms.forms.number(&[one])];
        debug_assert_eq!(constants, [ZERO, ONE]);
        forms
    }

    /// Takes steps; `None` once there were not enough.
    pub(super) fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.steps.checked_sub(steps as u64);
        self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// The number of monomials.
    pub(super) fn len(&self, form: Form) -> usize {
        self.forms.get(form).len()
    }

    /// The variables of a polynomial without products, and whether it has the constant; `None` of others.
    pub(super) fn linear(&self, form: Form) -> Option<(Vec<u32>, bool)> {
        let (mut variables, mut is_odd) = (vec![], false);
        for &monomial in self.forms.get(form).iter() {
            match *self.monomials.get(monomial) {
                [] => is_odd = true,
                [variable] => variables.push(variable),
                _ => return None,
            }
        }
        variables.sort_unstable();
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
        let monomial = self.monomials.number(&[self.variables]);
        Some(self.forms.number(&[monomial]))
    }

    /// `a + b`
    pub(super) fn sum(&mut self, a: Form, b: Form) -> Option<Form> {
        match (a, b) {
            _ if a == b => return Some(ZERO),
            (ZERO, other) | (other, ZERO) => return Some(other),
            _ => {}
        }
        let (left, right) = (self.forms.get(a), self.forms.get(b));
        self.spend(left.len() + right.len())?;
        let sum = difference(&left, &right);
        self.made((Join::Sum, a.min(b), a.max(b)), &sum)
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
        let (left, right) = (self.forms.get(a), self.forms.get(b));
        if left.len() * right.len() > 8 * self.most {
            return self.opaque(key);
        }
        let mut products = vec![];
        for &one in left.iter() {
            for &other in right.iter() {
                let (one, other) = (self.monomials.get(one), self.monomials.get(other));
                self.spend(1 + one.len() + other.len())?;
                products.push(self.monomials.number(&union(&one, &other)));
            }
        }
        products.sort_unstable();
        // Modulo 2, equal monomials cancel each other in pairs.
        let mut kept: Vec<u32> = vec![];
        for product in products {
            if kept.last() == Some(&product) {
                kept.pop();
            } else {
                kept.push(product);
            }
        }
        let product = self.made(key, &kept)?;
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
    fn made(&mut self, key: (Join, Form, Form), monomials: &[u32]) -> Option<Form> {
        if monomials.len() > self.most {
            return self.opaque(key);
        }
        Some(self.forms.number(monomials))
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

/// What is in one of two sorted lists.
fn difference(left: &[u32], right: &[u32]) -> Vec<u32> {
    merged(left, right, false)
}

/// What is in one or both of two sorted lists.
fn union(left: &[u32], right: &[u32]) -> Vec<u32> {
    merged(left, right, true)
}

fn merged(left: &[u32], right: &[u32], with_common: bool) -> Vec<u32> {
    let (mut i, mut j) = (0, 0);
    let mut all = Vec::with_capacity(left.len() + right.len());
    while i < left.len() && j < right.len() {
        let (a, b) = (left[i], right[j]);
        if a != b || with_common {
            all.push(a.min(b));
        }
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    all.extend_from_slice(&left[i..]);
    all.extend_from_slice(&right[j..]);
    all
}
