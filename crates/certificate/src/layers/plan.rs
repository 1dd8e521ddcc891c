//! The differences that an equation comes down to.

use super::case::{Case, Conditions, constant, with};
use super::places::Places;
use crate::remainder::rest;
use bivalve_checker::kernel::Kernel;
use bivalve_checker::polynomial::{MOST_INVERTED, Polynomial};
use bivalve_checker::term::{Op, Term, Terms};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A polynomial with more monomials is given up.
const MOST_MONOMIALS: usize = 256;

/// A word that has to be zero in a case, and why it is.
pub(super) struct Goal {
    pub(super) zero: Term,
    pub(super) case: Case,
    /// The branches of choices, and what else is in the place of an atom.
    pub(super) opened: FxHashMap<Term, Term>,
    /// The connectives that show what the conditions of these choices are.
    pub(super) connectives: Vec<Term>,
    /// Terms with what they become, those below first; the last one is the word.
    pub(super) steps: Vec<(Term, Term)>,
    /// What the word becomes, and the same as a sum of multiples of the parts.
    pub(super) result: Term,
    pub(super) sum: Term,
    /// The words that have to be zero for that.
    pub(super) parts: Vec<Term>,
    /// The goals that say so: one for each part, or two cases of the one part.
    pub(super) children: Vec<usize>,
}

/// All goals; the first one is the difference of the sides of the equation.
pub(crate) struct Plan {
    pub(super) goals: Vec<Goal>,
    pub(super) zero: Term,
}

/// Makes a plan.
struct Planner<'a> {
    kernel: &'a mut Kernel,
    places: &'a mut Places,
    left: &'a mut usize,
    /// Whether words that are opened stay what they are where the case says that they have a value.
    keeps_words: bool,
    modulus: BigUint,
    width: u32,
    zero: Term,
    numbers: FxHashMap<(Term, Case), usize>,
    /// Words and cases that are goals, in the order of their numbers.
    waiting: Vec<(Term, Case)>,
}

impl Plan {
    /// A plan, if there is one that takes so many steps; those are taken from `left`. Nothing may be known in
    /// the kernel yet, and the equation has a place.
    pub(super) fn new(
        kernel: &mut Kernel,
        places: &mut Places,
        equation: Term,
        left: &mut usize,
    ) -> Option<Plan> {
        let &[a, b] = kernel.terms.args(equation) else { return None };
        let width = kernel.terms.width(a).filter(|&width| u64::from(width) < MOST_INVERTED)?;
        let zero = kernel.terms.value(width, BigUint::default()).ok()?;
        let difference = kernel.terms.sub(a, b).ok()?;
        let modulus = BigUint::from(1u8) << width;
        let (keeps_words, numbers, waiting) = (true, FxHashMap::default(), vec![]);
        let mut planner =
            Planner { kernel, places, left, keeps_words, modulus, width, zero, numbers, waiting };
        let goals = planner.goals(difference).or_else(|| {
            planner.keeps_words = false;
            planner.goals(difference)
        });
        Some(Plan { goals: goals?, zero })
    }

    /// The goals, each after those that it comes down to.
    pub(super) fn order(&self) -> Vec<usize> {
        let (mut order, mut seen, mut stack) = (vec![], vec![false; self.goals.len()], vec![(0, false)]);
        while let Some((at, is_visited)) = stack.pop() {
            if is_visited {
                order.push(at);
            } else if !std::mem::replace(&mut seen[at], true) {
                stack.push((at, true));
                stack.extend(self.goals[at].children.iter().map(|&child| (child, false)));
            }
        }
        order
    }

    /// The remainders that are opened.
    pub(crate) fn remainders(&self, terms: &Terms) -> Vec<Term> {
        let opened = self.goals.iter().flat_map(|goal| goal.opened.keys().copied());
        let remainders: FxHashSet<Term> = opened.filter(|&term| terms.op(term) == Op::BvUrem).collect();
        let mut remainders: Vec<Term> = remainders.into_iter().collect();
        remainders.sort_unstable();
        remainders
    }
}

/// What is opened only as far as that is told.
struct Opened {
    result: Term,
    steps: Vec<(Term, Term)>,
    /// The terms that a polynomial may have as variables.
    atoms: FxHashMap<u64, Term>,
}

impl Planner<'_> {
    /// What a word comes down to, so that it is zero.
    fn goals(&mut self, zero: Term) -> Option<Vec<Goal>> {
        self.numbers.clear();
        self.waiting.clear();
        self.number(zero, vec![]);
        let mut goals = vec![];
        while let Some((zero, case)) = self.waiting.get(goals.len()).cloned() {
            goals.push(self.goal(zero, case)?);
        }
        Some(goals)
    }

    /// The number of a goal, in a case of no other conditions than those in the word.
    fn number(&mut self, zero: Term, mut case: Case) -> usize {
        case.retain(|&(condition, _)| self.places.has(&self.kernel.terms, zero, condition));
        let next = self.waiting.len();
        let number = *self.numbers.entry((zero, case.clone())).or_insert(next);
        if number == next {
            self.waiting.push((zero, case));
        }
        number
    }

    /// Opens what has the most quotients on top of each other, until it is shown or comes down to others.
    fn goal(&mut self, zero: Term, case: Case) -> Option<Goal> {
        let (mut opened, mut conditions) = (FxHashMap::default(), Conditions::default());
        let (open, polynomial, sum, parts, children) = loop {
            let open = self.opened(zero, &opened)?;
            let polynomial = self.kernel.polynomial_over_choices(open.result).ok()?;
            *self.left = self.left.checked_sub(1 + polynomial.len() + open.steps.len())?;
            if polynomial.len() > MOST_MONOMIALS {
                return None;
            }
            let Some(highest) = self.highest(&polynomial, &open.atoms)? else {
                // Without atoms it is a value.
                break (open, polynomial, self.zero, vec![], vec![]);
            };
            match self.open(&case, highest, (&mut opened, &mut conditions))? {
                Ok(true) => {}
                Err(condition) => {
                    let (part, sum) = self.part(&polynomial, &open.atoms)?;
                    let cases = [true, false].map(|truth| with(&case, condition, truth));
                    let children = cases.map(|case| self.number(part, case)).to_vec();
                    break (open, polynomial, sum, vec![part], children);
                }
                Ok(false) => {
                    let (mut sum, mut parts, mut children) = (self.zero, vec![], vec![]);
                    for (power, coefficient) in powers(&polynomial, &open.atoms, highest) {
                        let (part, mut multiple) = self.part(&coefficient, &open.atoms)?;
                        for _ in 0..power {
                            multiple = self.kernel.terms.mk(Op::BvMul, &[multiple, highest]).ok()?;
                        }
                        sum = self.kernel.terms.mk(Op::BvAdd, &[sum, multiple]).ok()?;
                        parts.push(part);
                        children.push(self.number(part, case.clone()));
                    }
                    break (open, polynomial, sum, parts, children);
                }
            }
        };
        let (Opened { result, steps, .. }, connectives) = (open, conditions.connectives);
        let is_shown = !parts.is_empty() || polynomial.is_empty();
        is_shown.then_some(Goal { zero, case, opened, connectives, steps, result, sum, parts, children })
    }

    /// Opens a choice, and the choice that it is, and so on; or a remainder, or what has a value in the case.
    /// Whether something was opened; or the condition that it takes.
    fn open(
        &mut self,
        case: &Case,
        atom: Term,
        (opened, conditions): (&mut FxHashMap<Term, Term>, &mut Conditions),
    ) -> Option<Result<bool, Term>> {
        let terms = &mut self.kernel.terms;
        let mut at = atom;
        while !opened.contains_key(&at) {
            *self.left = self.left.checked_sub(1)?;
            let value = constant(terms, case, at).filter(|_| !self.keeps_words || !is_opened(terms, at));
            let other = match (value, terms.op(at)) {
                (Some(value), _) => value,
                (None, Op::Ite) => match conditions.branch(terms, case, at) {
                    Ok(branches) if self.keeps_words => kept(terms, case, branches, conditions),
                    Ok([branch, _]) => branch,
                    Err(condition) if at == atom => return Some(Err(condition)),
                    Err(_) => break,
                },
                (None, Op::BvUrem) if at == atom => rest(terms, at).ok()?,
                _ => break,
            };
            opened.insert(at, other);
            at = other;
        }
        Some(Ok(at != atom))
    }

    /// The atom with the most quotients on top of each other, one that can be opened if there is one, and the
    /// latest of these.
    fn highest(&mut self, polynomial: &Polynomial, atoms: &FxHashMap<u64, Term>) -> Option<Option<Term>> {
        let variables = polynomial.keys().flatten().map(|variable| atoms.get(variable).copied());
        let variables = variables.collect::<Option<FxHashSet<Term>>>()?;
        let terms = &self.kernel.terms;
        let rank = |&term: &Term| (self.places.level(terms, term), is_opened(terms, term), term);
        Some(variables.into_iter().max_by_key(rank))
    }

    /// A word that is zero if the polynomial is, and a multiple of it that is the polynomial.
    fn part(&mut self, polynomial: &Polynomial, atoms: &FxHashMap<u64, Term>) -> Option<(Term, Term)> {
        let (_, first) = polynomial.first_key_value()?;
        let factor = if first.bit(0) { first.clone() } else { BigUint::from(1u8) };
        let inverse = factor.modinv(&self.modulus)?;
        let mut sum: Option<Term> = None;
        for (monomial, coefficient) in polynomial {
            let coefficient = coefficient * &inverse % &self.modulus;
            let terms = &mut self.kernel.terms;
            let mut product = (coefficient != BigUint::from(1u8) || monomial.is_empty())
                .then(|| terms.value(self.width, coefficient).ok())
                .flatten();
            for variable in monomial {
                let atom = *atoms.get(variable)?;
                product = Some(match product {
                    Some(product) => terms.mk(Op::BvMul, &[product, atom]).ok()?,
                    None => atom,
                });
            }
            sum = Some(match (sum, product?) {
                (Some(sum), product) => terms.mk(Op::BvAdd, &[sum, product]).ok()?,
                (None, product) => product,
            });
        }
        let (sum, terms) = (sum?, &mut self.kernel.terms);
        let factor = terms.value(self.width, factor).ok()?;
        let multiple = terms.mk(Op::BvMul, &[factor, sum]).ok()?;
        // A value that is not zero is no goal.
        (!terms.is_value(sum)).then_some((sum, multiple))
    }

    /// A word in which terms are replaced.
    fn opened(&mut self, root: Term, opened: &FxHashMap<Term, Term>) -> Option<Opened> {
        let terms = &mut self.kernel.terms;
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        let (mut steps, mut atoms, mut stack) = (vec![], FxHashMap::default(), vec![root]);
        while let Some(&term) = stack.last() {
            if made.contains_key(&term) {
                stack.pop();
                continue;
            }
            let args = terms.args(term).to_vec();
            let below: Vec<Term> = match (terms.op(term), opened.get(&term)) {
                (_, Some(&other)) => vec![other],
                (Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvShl, _) => args,
                (Op::Concat, _) if terms.is_value(args[1]) => args,
                _ => vec![],
            };
            let before = stack.len();
            stack.extend(below.iter().filter(|arg| !made.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            let args: Vec<Term> = below.iter().map(|arg| made[arg]).collect();
            let result = match (opened.contains_key(&term), &args[..]) {
                (_, []) => term,
                (true, &[other]) => other,
                _ => terms.mk(terms.op(term), &args).ok()?,
            };
            if args.is_empty() {
                // Nothing is known, so a class is a term.
                atoms.insert((term.index() as u64) << 1, term);
            }
            if result != term {
                steps.push((term, result));
            }
            made.insert(term, result);
        }
        Some(Opened { result: made[&root], steps, atoms })
    }
}

fn is_opened(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Ite | Op::BvUrem)
}

/// The branch that a choice is; if that is a value, then rather a word that has the value in this case and is
/// an argument of the other branch. A step that keeps `q` if it is zero, and else goes on with `p % q`, has
/// been rewritten to a choice of `0`, but what is known of the state before is known of `q`.
fn kept(terms: &Terms, case: &Case, [branch, other]: [Term; 2], conditions: &mut Conditions) -> Term {
    let is_kept = |&&word: &&Term| {
        terms.sort_of(word) == terms.sort_of(branch) && conditions.value(terms, case, word) == Some(branch)
    };
    let words = if terms.is_value(branch) { terms.args(other) } else { &[] };
    words.iter().filter(|&&word| !terms.is_value(word)).find(is_kept).copied().unwrap_or(branch)
}

/// The polynomials that the powers of an atom are multiplied by.
fn powers(polynomial: &Polynomial, atoms: &FxHashMap<u64, Term>, atom: Term) -> BTreeMap<usize, Polynomial> {
    let mut powers: BTreeMap<usize, Polynomial> = BTreeMap::new();
    for (monomial, coefficient) in polynomial {
        let others: Vec<u64> =
            monomial.iter().copied().filter(|variable| atoms.get(variable) != Some(&atom)).collect();
        let power = monomial.len() - others.len();
        powers.entry(power).or_default().insert(others, coefficient.clone());
    }
    powers
}
