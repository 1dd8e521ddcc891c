//! One step towards showing that a polynomial is zero in a case.

use super::context::Context;
use super::{Layers, is_opened};
use bivalve_algebra::expansion::{Opened, WordPolynomial};
use bivalve_algebra::polynomial::{Limits, Polynomial, quotient};
use bivalve_algebra::ring::Words;
use bivalve_limits::Deadline;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term};

/// A larger polynomial is given up.
const LIMITS: Limits = Limits { monomials: 256, degree: 64 };

/// A polynomial that has to be zero in a case.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Goal {
    pub(super) zero: WordPolynomial,
    pub(super) context: Context,
}

/// What becomes of a goal.
pub(super) enum Next {
    Shown,
    Failed,
    /// All of these have to be shown.
    Goals(Vec<Goal>),
}

impl Goal {
    /// The same goal for a polynomial and for its negation.
    pub(super) fn normalize(&mut self) {
        let first = self.zero.monomials().next().map(|(_, coefficient)| coefficient);
        if let Some(inverse) = first.and_then(BitVec::odd_inverse).filter(|inverse| !inverse.is_one()) {
            self.zero = self.zero.scaled(&inverse);
        }
    }
}

impl Layers {
    /// Opens the highest atoms of a goal until it is shown, or comes down to others.
    pub(super) fn next(&mut self, pool: &mut Pool, goal: Goal) -> Next {
        let Goal { mut zero, context } = goal;
        // Whether what can be opened comes before what is on top.
        let mut opens_first = false;
        loop {
            let Some(atom) = self.highest(pool, &zero, opens_first) else {
                // Without atoms it is a constant.
                return if zero.constant().is_zero() { Next::Shown } else { Next::Failed };
            };
            if !self.spend(zero.len()) {
                return Next::Failed;
            }
            let constant = context.constant(pool, atom);
            let opened = match constant.filter(|_| !self.keeps_words || !is_opened(pool, atom)) {
                Some(constant) => Some(constant_of(pool, constant)),
                None if pool.op(atom) == Op::Ite => {
                    let &[condition, then, other] = pool.args(atom) else { unreachable!("a choice") };
                    match context.value(pool, condition) {
                        Some(value) => {
                            let branches = if value { [then, other] } else { [other, then] };
                            let branch =
                                if self.keeps_words { kept(pool, &context, branches) } else { branches[0] };
                            Some(Polynomial::of_atom(*zero.ring(), branch))
                        }
                        None => {
                            let case = |value| Goal {
                                zero: zero.clone(),
                                context: context.with(pool, condition, value),
                            };
                            return Next::Goals(vec![case(false), case(true)]);
                        }
                    }
                }
                None => self.opened(pool, atom),
            };
            match opened {
                Some(opened) => {
                    let substituted = zero.substituted(&atom, &opened, LIMITS);
                    let Some(substituted) = substituted.filter(|zero| self.spend(zero.len())) else {
                        return Next::Failed;
                    };
                    zero = substituted;
                }
                None if self.reduce(&mut zero) => opens_first = false,
                None => {
                    let coefficients: Vec<_> = zero.by_powers(&atom).into_values().collect();
                    // What is not zero by itself may be by an asserted equation with what is lower.
                    if coefficients.iter().any(|of_power| of_power.is_constant()) {
                        if opens_first || self.rules.is_empty() {
                            return Next::Failed;
                        }
                        opens_first = true;
                        continue;
                    }
                    return Next::Goals(
                        coefficients
                            .into_iter()
                            .map(|zero| Goal { zero, context: context.clone() })
                            .collect(),
                    );
                }
            }
        }
    }

    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps.max(1));
        self.steps > 0
    }

    /// An atom of the highest level, one that is opened if there is one, and the latest of these; or one that
    /// is opened before any other.
    fn highest(&mut self, pool: &Pool, zero: &WordPolynomial, opens_first: bool) -> Option<Term> {
        let atoms = zero.monomials().flat_map(|(monomial, _)| monomial.iter().copied());
        atoms.max_by_key(|&atom| {
            let is_opened = is_opened(pool, atom);
            (opens_first && is_opened, self.places.level(pool, atom), is_opened, atom)
        })
    }

    /// What an atom is by its own operator; nothing for one that is opaque.
    fn opened(&mut self, pool: &mut Pool, atom: Term) -> Option<WordPolynomial> {
        let width = pool.width(atom).expect("atoms are words");
        let args = pool.args(atom).to_vec();
        let parts: Vec<WordPolynomial> = match pool.op(atom) {
            Op::Ite => vec![],
            // Such as reads, whose arguments are no words.
            _ if !is_opened(pool, atom) => vec![],
            _ => args.iter().map(|&arg| of_term(pool, arg)).collect(),
        };
        let minus_one = BitVec::ones(width);
        let mut result = Polynomial::zero(Words(width));
        match pool.op(atom) {
            Op::Const => return Some(constant_of(pool, atom)),
            Op::BvAdd => parts.iter().for_each(|part| result.add_scaled(part, &BitVec::one(width))),
            Op::BvNeg => result.add_scaled(&parts[0], &minus_one),
            Op::BvNot => {
                result.add_scaled(&parts[0], &minus_one);
                result.add_monomial(vec![], minus_one);
            }
            Op::BvSub => {
                result.add_scaled(&parts[0], &BitVec::one(width));
                parts[1..].iter().for_each(|part| result.add_scaled(part, &minus_one));
            }
            Op::BvMul => {
                result.add_monomial(vec![], BitVec::one(width));
                result = parts.iter().fold(result, |product, part| product.times(part));
            }
            Op::BvShl => {
                let by = u32::try_from(pool.as_u64(args[1])?).ok().filter(|&by| by < width);
                let factor = by.map_or(BitVec::zero(width), |by| BitVec::from_fn(width, |place| place == by));
                result.add_scaled(&parts[0], &factor);
            }
            Op::BvUrem | Op::BvSrem => {
                let division = if pool.op(atom) == Op::BvUrem { Op::BvUdiv } else { Op::BvSdiv };
                let quotient = make::app(pool, division, &args);
                let whole = parts[1].times(&of_term(pool, quotient));
                result.add_scaled(&parts[0], &BitVec::one(width));
                result.add_scaled(&whole, &minus_one);
            }
            _ => {
                // Such as shifts, of which nothing but slices is left.
                let zero = make::zeros(pool, width);
                let (mut budget, deadline) = (LIMITS.monomials, Deadline::unlimited());
                result = WordPolynomial::difference(
                    pool,
                    [atom, zero],
                    Opened::Arithmetic,
                    &mut budget,
                    &deadline,
                )?;
                let is_itself = result.coefficient(&[atom]).is_some();
                return (!is_itself).then_some(result);
            }
        }
        Some(result)
    }

    /// Replaces a monomial by what an asserted equation says of it; whether there was one.
    fn reduce(&mut self, zero: &mut WordPolynomial) -> bool {
        for rule in self.rules.iter().filter(|rule| rule.zero.width() == zero.width()) {
            let found = zero.monomials().find_map(|(monomial, coefficient)| {
                Some((quotient(monomial, &rule.monomial)?, rule.factor(coefficient)?))
            });
            if let Some((rest, factor)) = found {
                let rest = Polynomial::of_monomial(*zero.ring(), rest, factor.neg());
                zero.add_scaled(&rest.times(&rule.zero), &BitVec::one(zero.width()));
                self.steps = self.steps.saturating_sub(1 + rule.zero.len());
                return zero.len() <= LIMITS.monomials && self.steps > 0;
            }
        }
        false
    }
}

/// The branch that a choice is; if that is a constant, then rather a word that is the constant in this
/// context and an argument of the other branch. A step that keeps `q` if it is zero, and else goes on with
/// `p % q`, has been rewritten to a choice of `0`, but what is known of the state before is known of `q`.
fn kept(pool: &Pool, context: &Context, [branch, other]: [Term; 2]) -> Term {
    let words = if pool.is_const(branch) { pool.args(other) } else { &[] };
    let is_kept = |&&word: &&Term| {
        pool.width(word) == pool.width(branch)
            && !pool.is_const(word)
            && context.is_always(pool, word, branch)
    };
    words.iter().find(is_kept).copied().unwrap_or(branch)
}

/// The polynomial of a constant, or of an atom.
fn of_term(pool: &Pool, term: Term) -> WordPolynomial {
    match pool.is_const(term) {
        true => constant_of(pool, term),
        false => Polynomial::of_atom(Words(pool.width(term).expect("parts of words are words")), term),
    }
}

fn constant_of(pool: &Pool, constant: Term) -> WordPolynomial {
    let value = pool.as_bitvec(constant).expect("a constant word");
    Polynomial::of_constant(Words(value.width()), value)
}
