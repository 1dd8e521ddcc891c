//! Whole numbers as polynomials over atoms, divided by powers of two, and their remainders by powers of two.

use bivalve_algebra::opening::Reckoner;
use bivalve_algebra::polynomial::{Monomial, Polynomial, joined};
use bivalve_algebra::ring::{Residues, Ring, Weight};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// A form with more monomials is not made.
const MOST_MONOMIALS: usize = 1 << 11;

/// Products of more atoms are not made.
const MOST_DEGREE: usize = 16;

/// A number that nothing is known of but that it is between zero and a bound.
pub(super) type Atom = u32;

/// A sum of products of atoms with coefficients that are not zero, divided by 2 to the power of the exponent.
/// Its values are whole numbers. Either the exponent is zero or some coefficient is odd.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Form {
    whole: Polynomial<Residues, Atom>,
    exponent: u32,
}

/// A form, and bounds of its values.
#[derive(Clone, Debug)]
pub(super) struct Number {
    form: Form,
    pub(super) low: BigInt,
    pub(super) high: BigInt,
}

/// What is known of an atom.
struct Known {
    greatest: BigInt,
    /// The form and the exponent of the power of two by which the atom is its remainder.
    remainder: Option<(Form, u32)>,
    /// What the atom is, as a form whose bounds are worse.
    definition: Option<Form>,
}

/// Atoms, and what may be spent on forms.
pub(super) struct Numbers {
    atoms: Vec<Known>,
    remainders: FxHashMap<(Form, u32), Atom>,
    /// Monomials that may still be made.
    pub(super) steps: usize,
}

pub(super) fn power(exponent: u32) -> BigInt {
    BigInt::from(1) << exponent
}

/// How often a number that is not zero is divisible by two.
fn zeros(number: &BigInt) -> u64 {
    number.trailing_zeros().unwrap_or(u64::MAX)
}

impl Form {
    fn constant(value: BigInt) -> Form {
        Form { whole: Polynomial::of_constant(Residues::INTEGERS, value), exponent: 0 }
    }

    /// Nothing, divided by a power of two.
    fn zero(exponent: u32) -> Form {
        Form { whole: Polynomial::zero(Residues::INTEGERS), exponent }
    }

    /// The same divided by a greater power of two.
    fn widen(&mut self, exponent: u32) {
        let more = exponent - self.exponent;
        if more > 0 {
            self.whole.map_coefficients(|coefficient| *coefficient <<= more);
            self.exponent = exponent;
        }
    }

    /// Cancels powers of two.
    fn reduce(&mut self) {
        let common =
            self.whole.monomials().map(|(_, coefficient)| zeros(coefficient)).min().unwrap_or(u64::MAX);
        let by = common.min(u64::from(self.exponent)) as u32;
        if by > 0 {
            self.whole.map_coefficients(|coefficient| *coefficient >>= by);
            self.exponent -= by;
        }
    }
}

impl Number {
    pub(super) fn constant(value: BigInt) -> Number {
        Number { form: Form::constant(value.clone()), low: value.clone(), high: value }
    }

    /// How many monomials it has.
    pub(super) fn size(&self) -> usize {
        self.form.whole.len()
    }

    /// Is it always less than 2 to the power of this, and not negative?
    fn fits(&self, exponent: u32) -> bool {
        self.low >= BigInt::ZERO && self.high < power(exponent)
    }

    /// The same with other bounds that hold, too.
    pub(super) fn within(mut self, low: BigInt, high: BigInt) -> Number {
        self.low = self.low.max(low);
        self.high = self.high.min(high);
        self
    }
}

impl Numbers {
    pub(super) fn new(steps: usize) -> Numbers {
        Numbers { atoms: vec![], remainders: FxHashMap::default(), steps }
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        self.steps = self.steps.checked_sub(steps)?;
        Some(())
    }

    /// A new atom of so many bits.
    pub(super) fn atom(&mut self, width: u32) -> Number {
        let atom = self.new_atom(width, None);
        self.of_atom(atom)
    }

    /// A new atom for what is zero or one.
    pub(super) fn bit(&mut self, definition: Number) -> Number {
        let atom = self.new_atom(1, None);
        self.atoms[atom as usize].definition = Some(definition.form);
        self.of_atom(atom)
    }

    fn new_atom(&mut self, width: u32, remainder: Option<(Form, u32)>) -> Atom {
        self.atoms.push(Known { greatest: power(width) - 1, remainder, definition: None });
        self.atoms.len() as Atom - 1
    }

    fn of_atom(&self, atom: Atom) -> Number {
        let form = Form { whole: Polynomial::of_atom(Residues::INTEGERS, atom), exponent: 0 };
        Number { form, low: BigInt::ZERO, high: self.atoms[atom as usize].greatest.clone() }
    }

    /// The sum of a number and a multiple of another one.
    pub(super) fn plus(&mut self, a: &Number, b: &Number, factor: &BigInt) -> Option<Number> {
        let mut form = a.form.clone();
        self.add_scaled(&mut form, &b.form, factor)?;
        let [one, other] = [&b.low * factor, &b.high * factor];
        let (low, high) = if one <= other { (one, other) } else { (other, one) };
        Some(Number { form, low: &a.low + low, high: &a.high + high })
    }

    fn add_scaled(&mut self, to: &mut Form, summand: &Form, factor: &BigInt) -> Option<()> {
        self.spend(1 + summand.whole.len())?;
        let exponent = to.exponent.max(summand.exponent);
        to.widen(exponent);
        to.whole.add_scaled(&summand.whole, &(factor << (exponent - summand.exponent)));
        to.reduce();
        (to.whole.len() <= MOST_MONOMIALS).then_some(())
    }

    /// The product.
    pub(super) fn times(&mut self, a: &Number, b: &Number) -> Option<Number> {
        self.spend(1 + a.size() * b.size())?;
        let whole = a.form.whole.times_over(&b.form.whole, |&atom| self.is_bit(atom));
        let mut form = Form { whole, exponent: a.form.exponent + b.form.exponent };
        form.reduce();
        if form.whole.len() > MOST_MONOMIALS || form.whole.degree() > MOST_DEGREE {
            return None;
        }
        let ends = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
        let (low, high) = (ends.iter().min()?.clone(), ends.into_iter().max()?);
        Some(Number { form, low, high })
    }

    /// Is an atom zero or one, so that it is its own square?
    fn is_bit(&self, atom: Atom) -> bool {
        self.atoms[atom as usize].greatest == BigInt::from(1)
    }

    /// The number divided by a power of two and rounded down.
    pub(super) fn floor(&mut self, number: &Number, exponent: u32) -> Option<Number> {
        let rest = self.remainder(number, exponent)?;
        self.quotient(number, &rest, exponent)
    }

    /// A number less its remainder by a power of two, divided by that.
    pub(super) fn quotient(&mut self, number: &Number, rest: &Number, exponent: u32) -> Option<Number> {
        let mut form = self.plus(number, rest, &BigInt::from(-1))?.form;
        form.exponent += exponent;
        form.reduce();
        // Shifts round down.
        let (low, high) = (&number.low >> exponent, &number.high >> exponent);
        Some(self.tightened(Number { form, low, high }))
    }

    /// The remainder by a power of two.
    pub(super) fn remainder(&mut self, number: &Number, exponent: u32) -> Option<Number> {
        match self.known_remainder(number, exponent)? {
            Ok(known) => Some(known),
            Err(form) => {
                let key = (form, exponent);
                let atom = match self.remainders.get(&key) {
                    Some(&atom) => atom,
                    None => {
                        let atom = self.new_atom(exponent, Some(key.clone()));
                        self.remainders.insert(key, atom);
                        atom
                    }
                };
                Some(self.of_atom(atom))
            }
        }
    }

    /// The remainder by a power of two, if that takes no atom that is not there yet; or the form, as small
    /// as it can be made modulo that power, which an atom has to be the remainder of.
    pub(super) fn known_remainder(&mut self, number: &Number, exponent: u32) -> Option<Result<Number, Form>> {
        if let Some(shifted) = shifted(number.clone(), exponent) {
            return Some(Ok(shifted));
        }
        let form = self.modulo(&number.form, exponent)?;
        let placed = self.placed(&form, exponent);
        if let Some(placed) = placed {
            return Some(Ok(placed));
        }
        if let Some((low, high, place)) = self.split(&form, exponent) {
            let high = self.remainder(&high, exponent - place)?;
            return Some(Ok(self.plus(&low, &high, &power(place))?));
        }
        let key = (form, exponent);
        Some(match self.remainders.get(&key) {
            Some(&atom) => Ok(self.of_atom(atom)),
            None => Err(key.0),
        })
    }

    /// Two numbers of which the first is less than a power of two, and a form is the first one and the second
    /// one times that power, which is returned, too.
    fn split(&mut self, form: &Form, exponent: u32) -> Option<(Number, Number, u32)> {
        let place = |coefficient: &BigInt| zeros(coefficient).saturating_sub(u64::from(form.exponent));
        let places = form.whole.monomials().map(|(_, coefficient)| place(coefficient));
        let mut places: Vec<u32> = places.filter_map(|place| u32::try_from(place).ok()).collect();
        places.sort_unstable();
        places.dedup();
        self.spend(places.len() * form.whole.len())?;
        places.into_iter().filter(|place| (1..exponent).contains(place)).find_map(|place| {
            let is_low = |coefficient: &BigInt| zeros(coefficient) < u64::from(place + form.exponent);
            let [low, high] = [true, false].map(|low| {
                let part = form.whole.monomials().filter(|(_, coefficient)| is_low(coefficient) == low);
                let part = part.map(|(monomial, coefficient)| (monomial.clone(), coefficient.clone()));
                Polynomial::of(Residues::INTEGERS, part)
            });
            let low = self.of_form(Form { whole: low, exponent: form.exponent });
            let mut high = Form { whole: high, exponent: form.exponent + place };
            high.reduce();
            low.fits(place).then(|| (low, self.of_form(high), place))
        })
    }

    fn of_form(&self, form: Form) -> Number {
        let (low, high) = self.range(&form);
        Number { form, low, high }
    }

    /// A form that is congruent to another one modulo a power of two, with coefficients between zero and
    /// that power. Remainders by such a power or a greater one are what they are taken of.
    fn modulo(&mut self, form: &Form, exponent: u32) -> Option<Form> {
        let mut form = form.clone();
        loop {
            self.spend(1 + form.whole.len())?;
            // Multiples of the power, as whole numbers over the divisor.
            let all = exponent + form.exponent;
            let mask = power(all) - 1;
            form.whole.map_coefficients(|coefficient| *coefficient &= &mask);
            form.reduce();
            let all = exponent + form.exponent;
            let atoms = &self.atoms;
            let opened = form.whole.monomials().rev().find_map(|(monomial, coefficient)| {
                let is_opened = |&&atom: &&Atom| {
                    let by = atoms[atom as usize].remainder.as_ref().map(|&(_, by)| by);
                    by.is_some_and(|by| zeros(coefficient) + u64::from(by) >= u64::from(all))
                };
                let &atom = monomial.iter().rev().find(is_opened)?;
                Some((monomial.clone(), coefficient.clone(), atom))
            });
            let Some((monomial, mut coefficient, atom)) = opened else { return Some(form) };
            form.whole.remove(&monomial);
            // Multiples of the power would be there as multiples of all that the form is made of.
            if coefficient > power(all) >> 1u32 {
                coefficient -= power(all);
            }
            let of = atoms[atom as usize].remainder.as_ref().map(|(of, _)| of.clone())?;
            self.add_instead(&mut form, monomial, &coefficient, atom, &of)?;
        }
    }

    /// Adds a monomial of the same divisor in which a form stands in the place of an atom.
    fn add_instead(
        &mut self,
        to: &mut Form,
        mut monomial: Monomial<Atom>,
        coefficient: &BigInt,
        atom: Atom,
        of: &Form,
    ) -> Option<()> {
        let place = monomial.iter().position(|&other| other == atom)?;
        monomial.remove(place);
        let mut whole = Form::zero(to.exponent + of.exponent);
        self.spend(of.whole.len())?;
        for (other, factor) in of.whole.monomials() {
            let product = joined(&monomial, other, |&atom| self.is_bit(atom));
            if product.len() > MOST_DEGREE {
                return None;
            }
            whole.whole.add_monomial(product, coefficient * factor);
        }
        whole.reduce();
        self.add_scaled(to, &whole, &BigInt::from(1))
    }

    /// The form without atoms that have definitions; `None` if there are none.
    fn without_definitions(&mut self, form: &Form) -> Option<Form> {
        let (mut form, mut is_new) = (form.clone(), false);
        loop {
            self.spend(1 + form.whole.len())?;
            let found = form.whole.monomials().rev().find_map(|(monomial, _)| {
                let atom =
                    monomial.iter().rev().find(|&&atom| self.atoms[atom as usize].definition.is_some())?;
                Some((monomial.clone(), *atom))
            });
            let Some((monomial, atom)) = found else { return is_new.then_some(form) };
            is_new = true;
            let coefficient = form.whole.remove(&monomial)?;
            let of = self.atoms[atom as usize].definition.clone()?;
            self.add_instead(&mut form, monomial, &coefficient, atom, &of)?;
        }
    }

    /// A number between zero and a power of two that is congruent to a form, if it is seen to be one.
    fn placed(&self, form: &Form, exponent: u32) -> Option<Number> {
        [form.clone(), near(form, exponent, true), near(form, exponent, false)]
            .into_iter()
            .find_map(|form| shifted(self.of_form(form), exponent))
    }

    /// The bounds that those of its atoms give a form.
    fn range(&self, form: &Form) -> (BigInt, BigInt) {
        let (mut low, mut high) = (BigInt::ZERO, BigInt::ZERO);
        for (monomial, coefficient) in form.whole.monomials() {
            let most = monomial.iter().map(|&atom| &self.atoms[atom as usize].greatest).product::<BigInt>()
                * coefficient;
            if monomial.is_empty() {
                low += &most;
                high += most;
            } else if most < BigInt::ZERO {
                low += most;
            } else {
                high += most;
            }
        }
        // Whole numbers: the least one up, the greatest one down.
        (-(-low >> form.exponent), high >> form.exponent)
    }

    /// The same within the bounds that its form has.
    pub(super) fn tightened(&self, number: Number) -> Number {
        let (low, high) = self.range(&number.form);
        number.within(low, high)
    }

    /// Whether a number is a multiple of a power of two everywhere, as far as that is seen. What lies between
    /// the power and its negation is zero then, and so a multiple of any smaller power that is greater than
    /// it: remainders by that one can be opened, until nothing is left.
    pub(super) fn is_multiple(&mut self, number: &Number, mut exponent: u32) -> Option<bool> {
        let (mut form, (mut low, mut high)) = (number.form.clone(), self.range(&number.form));
        low = low.max(number.low.clone());
        high = high.min(number.high.clone());
        loop {
            exponent = exponent.min(u32::try_from(low.bits().max(high.bits())).ok()?);
            form = near(&self.modulo(&form, exponent)?, exponent, true);
            if form.whole.is_constant() {
                return Some(form.whole.is_nothing());
            }
            (low, high) = self.range(&form);
            if low.bits().max(high.bits()) >= u64::from(exponent) {
                form = self.without_definitions(&form)?;
                (low, high) = self.range(&form);
            }
        }
    }
}

impl Reckoner for Numbers {
    type Number = Number;

    fn zero(&mut self) -> Number {
        Number::constant(BigInt::ZERO)
    }

    fn one(&mut self) -> Number {
        Number::constant(BigInt::from(1))
    }

    fn add(&mut self, sum: &mut Number, part: &Number, weight: Weight) -> Option<()> {
        *sum = self.plus(sum, part, &Residues::INTEGERS.weight(weight))?;
        Some(())
    }

    fn product(&mut self, a: &Number, b: &Number) -> Option<Number> {
        self.times(a, b)
    }
}

/// The number less a multiple of a power of two, if it is between zero and that power then.
fn shifted(mut number: Number, exponent: u32) -> Option<Number> {
    // Rounded down.
    let offset = (&number.low >> exponent) << exponent;
    number.low -= &offset;
    number.high -= &offset;
    if number.high >= power(exponent) {
        return None;
    }
    number.form.whole.add_monomial(vec![], -offset << number.form.exponent);
    Some(number)
}

/// The same form modulo a power of two with coefficients as near to zero as they can be. Of half of the power
/// there are two that are.
fn near(form: &Form, exponent: u32, is_half_positive: bool) -> Form {
    let all = power(exponent + form.exponent);
    let half = &all >> 1;
    let is_above = |number: &BigInt| if is_half_positive { *number > half } else { *number >= half };
    let mut near = form.clone();
    near.whole.map_coefficients(|coefficient| {
        if is_above(coefficient) {
            *coefficient -= &all;
        }
    });
    near
}
