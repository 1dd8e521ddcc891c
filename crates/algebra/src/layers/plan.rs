//! The differences that an equation comes down to.

use super::PolynomialOver;
use super::case::{Case, Conditions};
use super::language::{Kind, Language};
use super::places::Places;
use crate::opening::Polynomials;
use crate::polynomial::{Limits, Monomial, Polynomial, quotient};
use crate::ring::{Ring, Words};
use bivalve_terms::BitVec;
use rustc_hash::FxHashMap;

/// A larger polynomial is given up.
const LIMITS: Limits = Limits { monomials: 256, degree: 64 };

/// A polynomial that has to be zero in a case, and why it is.
#[derive(Debug)]
pub struct Goal<T: Ord> {
    /// What has to be zero.
    pub zero: Polynomial<Words, T>,
    /// Where.
    pub case: Case<T>,
    /// Terms that others were put in the place of: branches of choices, values, what remainders are.
    pub opened: FxHashMap<T, T>,
    /// The connectives that show what the conditions of these choices are.
    pub connectives: Vec<T>,
    /// What is left then.
    pub end: End<T>,
}

/// What has to be shown for a goal, once it is opened.
#[derive(Debug)]
pub enum End<T> {
    /// Nothing.
    Shown,
    /// What is left is a multiple of one polynomial, which is zero by either of two goals.
    Cases(BitVec, [usize; 2]),
    /// What is left is the sum of powers of this atom, with exponents and numbers, each times the
    /// polynomial of a goal.
    Powers(T, Vec<(usize, BitVec, usize)>),
}

/// All goals; the first one is the difference of the sides of the equation.
#[derive(Debug)]
pub struct Plan<T: Ord> {
    /// The goals, by number.
    pub goals: Vec<Goal<T>>,
}

impl<T: Ord> Plan<T> {
    /// The goals, each after those that it comes down to.
    pub fn order(&self) -> Vec<usize> {
        let (mut order, mut seen, mut stack) = (vec![], vec![false; self.goals.len()], vec![(0, false)]);
        while let Some((at, is_visited)) = stack.pop() {
            if is_visited {
                order.push(at);
            } else if !std::mem::replace(&mut seen[at], true) {
                stack.push((at, true));
                match &self.goals[at].end {
                    End::Shown => {}
                    End::Cases(_, both) => stack.extend(both.map(|child| (child, false))),
                    End::Powers(_, parts) => stack.extend(parts.iter().map(|&(.., child)| (child, false))),
                }
            }
        }
        order
    }
}

/// A polynomial that is asserted to be zero, and its greatest monomial, whose coefficient is `2^zeros`.
pub struct Rule<T: Ord> {
    monomial: Monomial<T>,
    zeros: u32,
    zero: Polynomial<Words, T>,
}

impl<T: Ord + Clone> Rule<T> {
    /// For monomials that have the greatest one of this polynomial as a factor.
    pub fn of(zero: &Polynomial<Words, T>) -> Option<Rule<T>> {
        let greatest = zero.monomials().max_by_key(|&(monomial, _)| (monomial.len(), monomial.clone()))?;
        let (monomial, zeros) = (greatest.0.clone(), greatest.1.trailing_zeros());
        let odd = greatest.1.lshr_by(zeros).odd_inverse()?;
        (!monomial.is_empty()).then(|| Rule { monomial, zeros, zero: zero.scaled(&odd) })
    }

    /// By what the polynomial has to be multiplied to have this coefficient, if there is such a number.
    fn factor(&self, coefficient: &BitVec) -> Option<BitVec> {
        (coefficient.trailing_zeros() >= self.zeros).then(|| coefficient.lshr_by(self.zeros))
    }
}

/// Makes plans.
pub struct Planner<'a, L: Language> {
    terms: &'a mut L,
    places: &'a mut Places<L::Term>,
    rules: &'a [Rule<L::Term>],
    /// Steps that are left.
    steps: &'a mut usize,
    /// Whether words that are opened stay what they are where the case says that they have a value.
    keeps_words: bool,
    numbers: FxHashMap<(PolynomialOver<L>, Case<L::Term>), usize>,
    /// Polynomials and cases that are goals, in the order of their numbers.
    waiting: Vec<(PolynomialOver<L>, Case<L::Term>)>,
}

impl<'a, L: Language> Planner<'a, L> {
    /// A planner that uses what is asserted, and takes steps from a budget. The terms that it is asked for
    /// have places.
    pub fn new(
        terms: &'a mut L,
        places: &'a mut Places<L::Term>,
        rules: &'a [Rule<L::Term>],
        steps: &'a mut usize,
    ) -> Planner<'a, L> {
        let (numbers, waiting) = Default::default();
        Planner { terms, places, rules, steps, keeps_words: true, numbers, waiting }
    }

    /// Why two words are always the same, if they are.
    pub fn plan(&mut self, [a, b]: [L::Term; 2]) -> Option<Plan<L::Term>> {
        let ring = Words(self.terms.width(a)?);
        let mut zero = Polynomial::of_atom(ring, a);
        zero.add_monomial(vec![b], ring.number(-1));
        [true, false].into_iter().find_map(|keeps_words| {
            self.keeps_words = keeps_words;
            self.numbers.clear();
            self.waiting = vec![(zero.clone(), Case::default())];
            let mut goals = vec![];
            while let Some((zero, case)) = self.waiting.get(goals.len()).cloned() {
                goals.push(self.goal(zero, case)?);
            }
            Some(Plan { goals })
        })
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.steps.checked_sub(steps + 1);
        *self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// The number by which a polynomial is a multiple of that of a goal; the goals of that polynomial, each
    /// in a case of no other conditions than those in it.
    fn numbers<const N: usize>(
        &mut self,
        mut zero: PolynomialOver<L>,
        cases: [Case<L::Term>; N],
    ) -> Option<(BitVec, [usize; N])> {
        // The same goal for a polynomial and for its negation.
        let first = zero.monomials().next().map(|(_, coefficient)| coefficient.clone())?;
        let inverse = first.odd_inverse();
        let factor = if inverse.is_some() { first } else { zero.ring().number(1) };
        if let Some(inverse) = inverse.filter(|inverse| !inverse.is_one()) {
            zero = zero.scaled(&inverse);
        }
        let numbers = cases.map(|mut case| {
            let atoms = || zero.monomials().flat_map(|(monomial, _)| monomial.iter().copied());
            case.retain(|condition| self.places.has(self.terms, atoms(), condition));
            let next = self.waiting.len();
            let number = *self.numbers.entry((zero.clone(), case.clone())).or_insert(next);
            if number == next {
                self.waiting.push((zero.clone(), case));
            }
            number
        });
        Some((factor, numbers))
    }

    /// Opens the highest atoms of a goal until it is shown, or comes down to others.
    fn goal(&mut self, zero: PolynomialOver<L>, case: Case<L::Term>) -> Option<Goal<L::Term>> {
        let (mut opened, mut conditions) = (FxHashMap::default(), Conditions::default());
        let mut left = zero.clone();
        // Whether what can be opened comes before what is on top.
        let mut opens_first = false;
        let end = loop {
            self.spend(left.len())?;
            let Some(atom) = self.highest(&left, opens_first) else {
                // Without atoms it is a constant.
                break left.is_nothing().then_some(End::Shown)?;
            };
            let other = match self.other(&case, &mut conditions, atom) {
                Ok(other) => other,
                Err(condition) => {
                    let cases = [true, false].map(|value| case.with(condition, value));
                    let (factor, children) = self.numbers(left, cases)?;
                    break End::Cases(factor, children);
                }
            };
            let by = match other {
                Some(other) => {
                    opened.insert(atom, other);
                    Some(self.of_term(other, *left.ring()))
                }
                None => self.opened(atom),
            };
            if let Some(by) = by {
                left = left.substituted(&atom, &by, LIMITS)?;
                continue;
            }
            if self.reduce(&mut left)? {
                opens_first = false;
                continue;
            }
            let powers = left.by_powers(&atom);
            // What is not zero by itself may be by an asserted equation with what is lower.
            if powers.values().any(|of_power| of_power.is_constant()) {
                if opens_first || self.rules.is_empty() {
                    return None;
                }
                opens_first = true;
                continue;
            }
            let mut parts = vec![];
            for (exponent, of_power) in powers {
                let (factor, [child]) = self.numbers(of_power, [case.clone()])?;
                parts.push((exponent, factor, child));
            }
            break End::Powers(atom, parts);
        };
        Some(Goal { zero, case, opened, connectives: conditions.into_connectives(), end })
    }

    /// An atom of the highest level, one that is opened if there is one, and the latest of these; or one that
    /// is opened before any other.
    fn highest(&mut self, zero: &PolynomialOver<L>, opens_first: bool) -> Option<L::Term> {
        let atoms = zero.monomials().flat_map(|(monomial, _)| monomial.iter().copied());
        atoms.max_by_key(|&atom| {
            let is_opened = self.terms.kind(atom).is_opened();
            (opens_first && is_opened, self.places.level(self.terms, atom), is_opened, atom)
        })
    }

    /// The term that an atom is in a case: a branch, a value, or what is left of a multiple; or the condition
    /// that has to be known for it.
    fn other(
        &mut self,
        case: &Case<L::Term>,
        conditions: &mut Conditions<L::Term>,
        atom: L::Term,
    ) -> Result<Option<L::Term>, L::Term> {
        let kind = self.terms.kind(atom);
        let value = case.constant(self.terms, atom).filter(|_| !self.keeps_words || !kind.is_opened());
        Ok(match (value, kind) {
            (Some(value), _) => Some(value),
            (None, Kind::Choice) => {
                let branches = conditions.branch(self.terms, case, atom)?;
                Some(if self.keeps_words {
                    kept(self.terms, case, branches, conditions)
                } else {
                    branches[0]
                })
            }
            (None, Kind::Remainder) => self.terms.rest(atom),
            _ => None,
        })
    }

    /// The polynomial of a constant, or of an atom.
    fn of_term(&self, term: L::Term, ring: Words) -> PolynomialOver<L> {
        match self.terms.value(term) {
            Some(value) => Polynomial::of_constant(ring, value),
            None => Polynomial::of_atom(ring, term),
        }
    }

    /// What an atom is by its own operator; nothing for one that is opaque.
    fn opened(&mut self, atom: L::Term) -> Option<PolynomialOver<L>> {
        let kind = self.terms.kind(atom);
        if !kind.is_arithmetic() {
            return self.terms.opened(atom);
        }
        let ring = Words(self.terms.width(atom)?);
        if kind == Kind::Value {
            return Some(self.of_term(atom, ring));
        }
        let parts: Vec<_> = self.terms.args(atom).iter().map(|&arg| self.of_term(arg, ring)).collect();
        self.terms.law(atom)?.of(&mut Polynomials::new(ring, LIMITS), &parts)
    }

    /// Replaces a monomial by what an asserted equation says of it; whether there was one.
    fn reduce(&mut self, zero: &mut PolynomialOver<L>) -> Option<bool> {
        let ring = *zero.ring();
        for rule in self.rules.iter().filter(|rule| *rule.zero.ring() == ring) {
            let found = zero.monomials().find_map(|(monomial, coefficient)| {
                Some((quotient(monomial, &rule.monomial)?, rule.factor(coefficient)?))
            });
            if let Some((rest, factor)) = found {
                let rest = Polynomial::of_monomial(ring, rest, factor.neg());
                zero.add_scaled(&rest.times(&rule.zero), &ring.number(1));
                self.spend(rule.zero.len())?;
                return (zero.len() <= LIMITS.monomials && zero.degree() <= LIMITS.degree).then_some(true);
            }
        }
        Some(false)
    }
}

/// The branch that a choice is; if that is a value, then rather a word that has the value in this case and is
/// an argument of the other branch. A step that keeps `q` if it is zero, and else goes on with `p % q`, has
/// been rewritten to a choice of `0`, but what is known of the state before is known of `q`.
fn kept<L: Language>(
    terms: &L,
    case: &Case<L::Term>,
    [branch, other]: [L::Term; 2],
    conditions: &mut Conditions<L::Term>,
) -> L::Term {
    let is_value = |term: L::Term| terms.kind(term) == Kind::Value;
    let words = if is_value(branch) { terms.args(other) } else { &[] };
    let mut words = words.iter().copied().filter(|&word| !is_value(word));
    words
        .find(|&word| {
            terms.width(word) == terms.width(branch) && conditions.value(terms, case, word) == Some(branch)
        })
        .unwrap_or(branch)
}
