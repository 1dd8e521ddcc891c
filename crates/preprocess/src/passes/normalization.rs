//! Normalization: sums and products in normal form, with their common subexpressions computed once.
//!
//! Every sum becomes a list of monomials with coefficients, every monomial a list of factors. Then the pair
//! of members that most lists share becomes a member of its own, again and again ([`super::pairs`]), until
//! no pair is shared; and the lists are built as chains. There are two forms: in the *flat* one products of
//! sums stay products, in the *expanded* one they are multiplied out ([`bivalve_algebra::expansion`]).
//! Which one is better, and whether either is better than what was written, cannot be seen from the terms:
//! the scheduler counts gates, and keeps the form with the fewest.
//!
//! Why it is correct: sums and products of bit-vectors are commutative, associative and distributive.
//!
//! After Bitwuzla's normalization (kept if the number of gates falls) and STP's sharing-aware sums. Cost: a
//! walk, and the pairs of each list, within a budget.

use super::pairs::{MOST_MEMBERS, share};
use crate::change::Change;
use crate::problem::Problem;
use bivalve_algebra::expansion::{BUDGET, Opened, WordPolynomial};
use bivalve_algebra::polynomial::Monomial;
use bivalve_limits::Deadline;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Rebuild, Term, TermMap, TermSet};
use rustc_hash::FxHashMap;

/// Sums and products that are looked at, at most.
const MOST_LISTS: usize = 4_000;

/// The forms there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Flat,
    Expanded,
}

/// Both forms, as far as they differ from what was given.
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Vec<Vec<Change>> {
    let roots = roots(pool, problem);
    if roots.is_empty() || roots.len() > MOST_LISTS {
        return vec![];
    }
    let mut forms: Vec<Vec<Change>> = vec![];
    for form in [Form::Flat, Form::Expanded] {
        let Some(changes) = normalised(pool, problem, &roots, form) else { break };
        if !changes.is_empty() && !forms.contains(&changes) {
            forms.push(changes);
        }
    }
    forms
}

fn is_arithmetic(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAdd | Op::BvNeg | Op::BvMul)
}

/// Sums and products that something else than a sum or a product uses.
pub(super) fn roots(pool: &Pool, problem: &Problem<'_>) -> Vec<Term> {
    let terms = problem.cone(pool);
    let mut used = TermSet::new();
    for &term in terms.iter().filter(|&&term| !is_arithmetic(pool, term)) {
        for &arg in pool.args(term) {
            used.insert(arg);
        }
    }
    let is_root = |&term: &Term| is_arithmetic(pool, term) && used.contains(term) && !problem.is_frozen(term);
    terms.iter().copied().filter(is_root).collect()
}

/// A member of a list.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Member {
    /// A factor.
    Atom(Term),
    /// A coefficient times factors, which are members of the same table.
    Monomial(BitVec, Vec<usize>),
    /// Two members that lists have in common.
    Sum(usize, usize),
    Product(usize, usize),
}

/// Members, each once, by number.
#[derive(Default)]
struct Members {
    all: Vec<Member>,
    numbers: FxHashMap<Member, usize>,
}

impl Members {
    fn number(&mut self, member: Member) -> usize {
        *self.numbers.entry(member.clone()).or_insert_with(|| {
            self.all.push(member);
            self.all.len() - 1
        })
    }
}

/// The sums and products in one of the forms; `None` when the deadline is over.
fn normalised(pool: &mut Pool, problem: &Problem<'_>, roots: &[Term], form: Form) -> Option<Vec<Change>> {
    let mut members = Members::default();
    let deadline = problem.deadline;
    let (planned, mut products, mut sums) = lists(pool, roots, form, &mut members, deadline)?;
    share(&mut products, &mut |a, b| members.number(Member::Product(a, b)), deadline).then_some(())?;
    // A monomial is the chain of its factors, whose pairs are known now.
    let lists: Vec<Vec<(BitVec, usize)>> = std::mem::take(&mut sums);
    let mut sums: Vec<Vec<usize>> = vec![];
    for list in lists {
        let mut sum: Vec<usize> = list
            .into_iter()
            .map(|(coefficient, product)| {
                members.number(Member::Monomial(coefficient, products[product].clone()))
            })
            .collect();
        sum.sort_unstable();
        sums.push(sum);
    }
    share(&mut sums, &mut |a, b| members.number(Member::Sum(a, b)), deadline).then_some(())?;
    let mut build = Build { members: &members, built: FxHashMap::default(), images: problem.no_images(pool) };
    let mut changes = vec![];
    for &term in problem.cone(pool) {
        match planned.get(term) {
            Some(&list) => {
                let width = pool.width(term).expect("a sum is a bit-vector");
                let image = build.sum(pool, &sums[list], width);
                build.images.set(term, image);
                if image != term {
                    changes.push(Change::unshown(term, image));
                }
            }
            None => {
                let images = &mut build.images;
                images.extend(pool, &[term], || deadline.step(1), |_, _, _| None).then_some(())?;
            }
        }
    }
    Some(changes)
}

/// The lists of all sums: which term has which, the factors of products, and sums of coefficients times
/// products by number.
type Lists = (TermMap<usize>, Vec<Vec<usize>>, Vec<Vec<(BitVec, usize)>>);

fn lists(
    pool: &mut Pool,
    roots: &[Term],
    form: Form,
    members: &mut Members,
    deadline: &Deadline,
) -> Option<Lists> {
    let mut planned = TermMap::new();
    let (mut products, mut sums) = (vec![], vec![]);
    let mut todo = roots.to_vec();
    let mut budget = BUDGET;
    let mut next = 0;
    while let Some(&term) = todo.get(next) {
        next += 1;
        if !deadline.step(1) {
            return None;
        }
        if planned.contains(term) || todo.len() > MOST_LISTS {
            continue;
        }
        let Some(list) = (match form {
            Form::Flat => flat(pool, term),
            Form::Expanded => expanded(pool, term, &mut budget, deadline),
        }) else {
            continue;
        };
        let mut sum = vec![];
        for (monomial, coefficient) in list {
            todo.extend(monomial.iter().filter(|&&atom| is_arithmetic(pool, atom)));
            let mut factors: Vec<usize> =
                monomial.into_iter().map(|atom| members.number(Member::Atom(atom))).collect();
            factors.sort_unstable();
            sum.push((coefficient, products.len()));
            products.push(factors);
        }
        planned.insert(term, sums.len());
        sums.push(sum);
    }
    Some((planned, products, sums))
}

/// Monomials with their coefficients.
type Sum = Vec<(Monomial, BitVec)>;

/// The summands of a term; `None` if it is one itself, or there are too many.
fn flat(pool: &Pool, term: Term) -> Option<Sum> {
    let width = pool.width(term)?;
    let mut sum: FxHashMap<Monomial, (usize, BitVec)> = FxHashMap::default();
    let mut todo = vec![(term, BitVec::one(width))];
    let mut steps = 0;
    while let Some((term, factor)) = todo.pop() {
        steps += 1;
        if steps > 4 * MOST_MEMBERS {
            return None;
        }
        match (pool.op(term), pool.args(term)) {
            (Op::BvAdd, args) => todo.extend(args.iter().rev().map(|&arg| (arg, factor.clone()))),
            (Op::BvNeg, &[arg]) => todo.push((arg, factor.neg())),
            (Op::BvMul, &[a, b]) if pool.is_const(a) => {
                todo.push((b, pool.as_bitvec(a)?.mul(&factor)));
            }
            _ => {
                let (monomial, constant) = match pool.as_bitvec(term) {
                    Some(constant) => (vec![], constant.mul(&factor)),
                    None => factors(pool, term, factor),
                };
                let place = sum.len();
                let entry = sum.entry(monomial).or_insert_with(|| (place, BitVec::zero(width)));
                entry.1 = entry.1.add(&constant);
            }
        }
    }
    let mut sum: Vec<(usize, Monomial, BitVec)> =
        sum.into_iter().map(|(monomial, (place, coefficient))| (place, monomial, coefficient)).collect();
    sum.sort_unstable_by_key(|&(place, _, _)| place);
    Some(
        sum.into_iter()
            .map(|(_, monomial, coefficient)| (monomial, coefficient))
            .filter(|(_, k)| !k.is_zero())
            .collect(),
    )
}

/// The factors of a product, the constant ones and the signs in the coefficient.
fn factors(pool: &Pool, term: Term, mut coefficient: BitVec) -> (Monomial, BitVec) {
    let (mut factors, mut todo) = (vec![], vec![term]);
    while let Some(term) = todo.pop() {
        match (pool.op(term), pool.args(term)) {
            (Op::BvMul, args) if factors.len() + todo.len() < MOST_MEMBERS => todo.extend_from_slice(args),
            (Op::BvNeg, &[arg]) => {
                coefficient = coefficient.neg();
                todo.push(arg);
            }
            _ => match pool.as_bitvec(term) {
                Some(constant) => coefficient = coefficient.mul(&constant),
                None => factors.push(term),
            },
        }
    }
    factors.sort_unstable();
    (factors, coefficient)
}

/// The monomials of a term when it is multiplied out; `None` if that takes too long or leaves it as it is.
fn expanded(pool: &mut Pool, term: Term, budget: &mut usize, deadline: &Deadline) -> Option<Sum> {
    let zero = make::zeros(pool, pool.width(term)?);
    let polynomial = WordPolynomial::difference(pool, [term, zero], Opened::Arithmetic, budget, deadline)?;
    let sum: Sum = polynomial.monomials().map(|(monomial, k)| (monomial.clone(), k.clone())).collect();
    (!sum.iter().any(|(monomial, _)| monomial.contains(&term))).then_some(sum)
}

/// Terms of members, bottom-up: the atoms of a list are below its term.
struct Build<'a> {
    members: &'a Members,
    /// By member and width, since the sums of constants alone know none.
    built: FxHashMap<(usize, u32), Term>,
    images: Rebuild,
}

impl Build<'_> {
    /// The image of a term; what was made on the way has none and is its own.
    fn image(&self, term: Term) -> Term {
        self.images.image(term).unwrap_or(term)
    }

    fn sum(&mut self, pool: &mut Pool, list: &[usize], width: u32) -> Term {
        let summands: Vec<Term> = list.iter().map(|&member| self.member(pool, member, width)).collect();
        let sum = summands.into_iter().reduce(|a, b| make::app(pool, Op::BvAdd, &[a, b]));
        sum.unwrap_or_else(|| make::zeros(pool, width))
    }

    /// The term of a member. Members of pairs are older than the pair, so this ends.
    fn member(&mut self, pool: &mut Pool, number: usize, width: u32) -> Term {
        let mut todo = vec![number];
        while let Some(&number) = todo.last() {
            if self.built.contains_key(&(number, width)) {
                todo.pop();
                continue;
            }
            let members = self.members;
            let below: &[usize] = match &members.all[number] {
                Member::Atom(_) => &[],
                Member::Monomial(_, factors) => factors,
                Member::Sum(a, b) | Member::Product(a, b) => &[*a, *b],
            };
            let missing = below.iter().copied().find(|&member| !self.built.contains_key(&(member, width)));
            if let Some(member) = missing {
                todo.push(member);
                continue;
            }
            let parts: Vec<Term> = below.iter().map(|&member| self.built[&(member, width)]).collect();
            let term = match &members.all[number] {
                Member::Atom(atom) => self.image(*atom),
                Member::Sum(..) => make::app(pool, Op::BvAdd, &parts),
                Member::Product(..) => make::app(pool, Op::BvMul, &parts),
                Member::Monomial(coefficient, _) => monomial(pool, coefficient, &parts),
            };
            self.built.insert((number, width), term);
        }
        self.built[&(number, width)]
    }
}

fn monomial(pool: &mut Pool, coefficient: &BitVec, factors: &[Term]) -> Term {
    let constant = pool.bitvec(coefficient);
    match factors.iter().copied().reduce(|a, b| make::app(pool, Op::BvMul, &[a, b])) {
        None => constant,
        Some(product) if coefficient.is_one() => product,
        Some(product) if coefficient.is_ones() => make::app(pool, Op::BvNeg, &[product]),
        Some(product) => make::app(pool, Op::BvMul, &[constant, product]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{alone, check};
    use bivalve_terms::Sort;
    use bivalve_terms::cone;

    /// Sums and products that share parts, in both forms.
    #[test]
    fn the_same_assignments_are_left() {
        for form in [0, 1] {
            let last = if form == 0 {
                |pool: &mut Pool, problem: &Problem<'_>| run(pool, problem).into_iter().next()
            } else {
                |pool: &mut Pool, problem: &Problem<'_>| run(pool, problem).pop()
            };
            let changed = check(last, 200, |pool, trial| {
                let sums = [(); 3].map(|()| trial.sum(pool, 3));
                let mut conjuncts = vec![pool.mk(Op::BvUlt, &[sums[0], sums[1]])];
                let product = pool.mk(Op::BvMul, &[sums[1], sums[2]]);
                let both = pool.mk(Op::BvAdd, &[product, sums[0]]);
                let other = trial.comparison(pool);
                let compared = pool.mk(Op::BvUlt, &[both, sums[2]]);
                conjuncts.push(pool.mk(Op::Xor, &[compared, other]));
                conjuncts
            });
            assert!(changed > 100, "{changed} changed: too easy");
        }
    }

    /// `a + b + c` and `c + d + a` share `a + c`.
    #[test]
    fn what_lists_share_is_computed_once() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).expect("a legal width");
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.symbol(name, sort));
        let sum = |pool: &mut Pool, x, y, z| {
            let two = pool.mk(Op::BvAdd, &[x, y]);
            pool.mk(Op::BvAdd, &[two, z])
        };
        let (one, other) = (sum(&mut pool, a, b, c), sum(&mut pool, c, d, a));
        let compared = pool.mk(Op::BvUlt, &[one, other]);
        let flat = |pool: &mut Pool, problem: &Problem<'_>| run(pool, problem).into_iter().next();
        let flat = alone(flat, &mut pool, &[compared]).expect("they share a sum");
        let sums = cone(&pool, &flat).into_iter().filter(|&term| pool.op(term) == Op::BvAdd).count();
        assert_eq!(sums, 3);
    }
}
