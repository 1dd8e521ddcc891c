//! Intervals: terms with a known value become constants, and operators over numbers that are known to be
//! small become cheaper.
//!
//! Two rounds of the same analysis (`bivalve-domains`). The first one assumes nothing: what it finds holds
//! in every assignment, and is used everywhere. The second one assumes the conjuncts that bound a term by a
//! constant, such as `(bvult x 10)` or `(= #x0 ((_ extract 31 28) x))`, and is used in all *other* conjuncts.
//!
//! Why it is correct: the conjuncts that are assumed stay as they are, so whatever was derived from them
//! still follows; and nothing is derived from the conjuncts that change.
//!
//! What changes: comparisons and terms with one value left; signed division, shifts and order of numbers that
//! are not negative, which become unsigned; divisions that leave few quotients ([`few_quotients`]); products,
//! quotients and remainders of small numbers, which are computed in as many bits as the result has, and
//! extended; the order of sums and products with a common operand that do not overflow; words that are all
//! different, where there are too few values ([`different`]). Sums stay: in the circuits carries end where
//! constants allow.
//!
//! Cost: two walks over the cone, a few operations on machine words for each term.

use super::{different, few_quotients};
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_domains::{Analysis, Domain, Facts, width};
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term, TermMap, TermSet};
use std::rc::Rc;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let (terms, conjuncts, deadline) = (problem.cone(pool), problem.conjuncts, problem.deadline);
    let always = Analysis::forward(pool, terms, &Facts::new(), deadline)?;
    let images = Images::new(pool, problem, &always);
    if deadline.is_over() {
        return None;
    }
    if conjuncts.iter().any(|&conjunct| images.of(conjunct) != conjunct) {
        return Some(images.changes(terms, &Reason::Law));
    }
    let Some((facts, sources)) = believed(pool, conjuncts) else {
        let is_false = different::are_contradictory(pool, &always, conjuncts, deadline);
        return is_false.then(|| Change::refutation(pool, Reason::Unshown));
    };
    let believed: Rc<[Term]> = sources.iter().collect();
    let because = Reason::Implied(believed);
    let Some(facts) = facts else { return Some(Change::refutation(pool, because)) };
    let Some(under) = Analysis::forward(pool, terms, &facts, deadline) else {
        return Some(Change::refutation(pool, because));
    };
    if different::are_contradictory(pool, &under, conjuncts, deadline) {
        return Some(Change::refutation(pool, Reason::Unshown));
    }
    let images = Images::new(pool, problem, &under);
    if deadline.is_over() {
        return None;
    }
    Some(images.changes(terms, &because))
}

/// What bounds say of terms, and the conjuncts that are bounds; nothing if there are none, no facts if two
/// bounds contradict each other.
pub(super) fn believed(pool: &Pool, conjuncts: &[Term]) -> Option<(Option<Facts>, TermSet)> {
    let (mut facts, mut sources) = (Facts::new(), TermSet::new());
    for &conjunct in conjuncts {
        let Some((term, domain)) = bound(pool, conjunct) else { continue };
        sources.insert(conjunct);
        let met = facts.get(term).map_or(Some(domain.clone()), |known| known.meet(&domain));
        let Some(met) = met else { return Some((None, sources)) };
        facts.insert(term, met);
    }
    (!sources.is_empty()).then_some((Some(facts), sources))
}

/// The term that a conjunct bounds by a constant, and the values that it leaves.
fn bound(pool: &Pool, conjunct: Term) -> Option<(Term, Domain)> {
    let (atom, holds) = match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Not, &[atom]) => (atom, false),
        _ => (conjunct, true),
    };
    let &[a, b] = pool.args(atom) else { return None };
    let whole = Domain::all(width(pool, a)?);
    let fact = |a: &Domain, b: &Domain| Domain::compared(pool.op(atom), holds, a, b);
    match (pool.as_bitvec(a), pool.as_bitvec(b)) {
        (Some(k), None) => {
            let [_, domain] = fact(&Domain::one(k), &whole)?;
            // A slice bounds the term that it is cut from.
            match pool.op(b) {
                Op::Extract if pool.op(atom) == Op::Eq => {
                    let term = pool.args(b)[0];
                    Some((term, domain.around(pool.index(b), width(pool, term)?)))
                }
                _ => Some((b, domain)),
            }
        }
        (None, Some(k)) => {
            let [domain, _] = fact(&whole, &Domain::one(k))?;
            Some((a, domain))
        }
        _ => None,
    }
    .filter(|(_, domain)| !domain.is_all())
}

/// The images of those terms that change under what is known of them.
struct Images {
    images: TermMap<Term>,
    /// Those that circuits do not show: the order of products, choices of quotients, and what is over them.
    unshown: TermSet,
}

impl Images {
    /// Children before parents.
    fn new(pool: &mut Pool, problem: &Problem<'_>, known: &Analysis) -> Images {
        let mut images = Images { images: TermMap::new(), unshown: TermSet::new() };
        let mut args = vec![];
        for &term in problem.cone(pool) {
            if !problem.deadline.step(1) {
                break;
            }
            if pool.is_const(term) {
                continue;
            }
            let image = match known.domain(term).and_then(Domain::value) {
                Some(value) if pool.sort(term).is_bool() => pool.bool(value.lsb()),
                Some(value) => pool.bitvec(value),
                None => {
                    args.clear();
                    args.extend(pool.args(term).iter().map(|&arg| images.of(arg)));
                    if pool.args(term).iter().any(|&arg| images.unshown.contains(arg)) {
                        images.unshown.insert(term);
                    }
                    match images.cheaper(pool, known, term, &args) {
                        Some(cheaper) => cheaper,
                        None if args == pool.args(term) => continue,
                        None => pool.rebuild(term, &args),
                    }
                }
            };
            images.images.insert(term, image);
        }
        images
    }

    /// The image of a term, which is itself if it does not change.
    fn of(&self, term: Term) -> Term {
        self.images.get(term).copied().unwrap_or(term)
    }

    /// The changes of some terms.
    fn changes(&self, terms: &[Term], because: &Reason) -> Vec<Change> {
        let is_unshown = |term: Term| because.is_law() && self.unshown.contains(term);
        let reason = |term: Term| if is_unshown(term) { Reason::Unshown } else { because.clone() };
        let changed = terms.iter().map(|&term| (term, self.of(term)));
        changed
            .filter(|(term, image)| term != image)
            .map(|(term, image)| Change::new(term, image, reason(term)))
            .collect()
    }

    /// A cheaper term over the images of the arguments, if what is known of the arguments allows one.
    fn cheaper(&mut self, pool: &mut Pool, known: &Analysis, term: Term, args: &[Term]) -> Option<Term> {
        let unshown = match pool.op(term) {
            Op::Eq => few_quotients::is_multiple(pool, known, term, |term| self.of(term)),
            _ => few_quotients::choice(pool, known, term, args),
        };
        let is_product = |&side: &Term| pool.op(side) == Op::BvMul;
        let is_order = matches!(pool.op(term), Op::BvUlt | Op::Eq) && pool.args(term).iter().all(is_product);
        let is_unshown = unshown.is_some() || is_order;
        let cheaper = unshown.or_else(|| cheaper(pool, known, term, args, self))?;
        if is_unshown {
            self.unshown.insert(term);
        }
        Some(cheaper)
    }
}

/// A cheaper term over the images of the arguments, if what is known of the arguments allows one.
fn cheaper(pool: &mut Pool, known: &Analysis, term: Term, args: &[Term], images: &Images) -> Option<Term> {
    let of = |number: usize| known.domain(pool.args(term)[number]);
    let plus = |number: usize| of(number).and_then(Domain::sign) == Some(false);
    let op = match pool.op(term) {
        Op::BvUlt | Op::Eq => return ordered(pool, known, term, images),
        Op::Distinct => {
            return different::are_too_many(pool, known, pool.args(term)).then(|| pool.bool(false));
        }
        Op::BvSdiv if plus(0) && plus(1) => Op::BvUdiv,
        Op::BvSrem | Op::BvSmod if plus(0) && plus(1) => Op::BvUrem,
        Op::BvAshr if plus(0) => Op::BvLshr,
        Op::SignExtend if plus(0) => {
            let zeros = make::zeros_or_none(pool, pool.index(term));
            return Some(make::concat(pool, &[zeros, Some(args[0])]));
        }
        Op::BvSlt if of(0)?.sign().is_some() && of(0)?.sign() == of(1)?.sign() => Op::BvUlt,
        Op::BvUrem if of(0)?.greatest().ult(of(1)?.least()) => return Some(args[0]),
        op @ (Op::BvMul | Op::BvUdiv | Op::BvUrem) => {
            let (domain, a, b) = (known.domain(term)?, of(0)?, of(1)?);
            return narrowed(pool, op, domain, [a, b], args);
        }
        _ => return None,
    };
    Some(make::app(pool, op, args))
}

/// Two sums or products with an operand in common, neither of which overflows, are in the order of their
/// other operands, unless both are zero because the common factor is.
fn ordered(pool: &mut Pool, known: &Analysis, term: Term, images: &Images) -> Option<Term> {
    let &[a, b] = pool.args(term) else { return None };
    let op = pool.op(a);
    let (&[p, q], &[r, s]) = (pool.args(a), pool.args(b)) else { return None };
    if pool.op(b) != op || !matches!(op, Op::BvAdd | Op::BvMul) {
        return None;
    }
    let pairs = [(p, r, q, s), (p, s, q, r), (q, r, p, s), (q, s, p, r)];
    let (common, _, x, y) = pairs.into_iter().find(|(one, other, _, _)| one == other)?;
    let greatest = |term: Term| known.domain(term).map(Domain::greatest);
    let most = greatest(common)?;
    let overflows = |other: &BitVec| match op {
        Op::BvAdd => most.uadd_overflows(other),
        _ => most.umul_overflows(other),
    };
    if overflows(greatest(x)?) || overflows(greatest(y)?) {
        return None;
    }
    let (x, y) = (images.of(x), images.of(y));
    let is_order = pool.op(term) == Op::BvUlt;
    let compared = if is_order { make::app(pool, Op::BvUlt, &[x, y]) } else { make::eq(pool, x, y) };
    if op == Op::BvAdd || !known.domain(common)?.least().is_zero() {
        return Some(compared);
    }
    let zero = make::zeros(pool, pool.width(common)?);
    let is_zero = make::eq(pool, zero, images.of(common));
    let is_not = make::not(pool, is_zero);
    if is_order {
        return Some(make::and(pool, is_not, compared));
    }
    let differ = make::not(pool, compared);
    let neither = make::and(pool, is_not, differ);
    Some(make::not(pool, neither))
}

/// The same in as many bits as operands and result have, with zeros in front.
fn narrowed(pool: &mut Pool, op: Op, domain: &Domain, of: [&Domain; 2], args: &[Term]) -> Option<Term> {
    let width = domain.width();
    let bits = |value: &BitVec| width - value.leading_zeros();
    let operands = bits(of[0].greatest()).max(bits(of[1].greatest()));
    let needed = match op {
        // Products with constants are summands of sums, which are better left alone.
        Op::BvMul if args.iter().any(|&arg| pool.is_const(arg)) => return None,
        Op::BvMul if of[0].greatest().umul_overflows(of[1].greatest()) => return None,
        Op::BvMul => operands.max(bits(domain.greatest())),
        // A quotient by zero has all bits set.
        Op::BvUdiv if of[1].least().is_zero() => return None,
        _ => operands,
    };
    if needed == 0 || needed >= width {
        return None;
    }
    let cut = [args[0], args[1]].map(|arg| make::extract(pool, arg, needed - 1, 0));
    let narrow = make::app(pool, op, &cut);
    let zeros = make::zeros_or_none(pool, width - needed);
    Some(make::concat(pool, &[zeros, Some(narrow)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use crate::passes::tests::check;

    /// Bounds, and arithmetic that is small or not under them.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 700, |pool, trial| {
            let mut conjuncts = vec![];
            for _ in 0..2 + trial.number(2) {
                let (term, bound) = (trial.sum(pool, 0), trial.constant(pool));
                let op = [Op::BvUlt, Op::BvUgt, Op::BvSlt, Op::BvUle][trial.number(4) as usize];
                conjuncts.push(pool.mk(op, &[term, bound]));
            }
            let [a, b, c] = [trial.sum(pool, 1), trial.sum(pool, 0), trial.sum(pool, 0)];
            let ops = [
                Op::BvMul,
                Op::BvUdiv,
                Op::BvUrem,
                Op::BvSdiv,
                Op::BvSrem,
                Op::BvSmod,
                Op::BvAshr,
                Op::BvAdd,
            ];
            let term = pool.mk(ops[trial.number(8) as usize], &[b, c]);
            let op = [Op::BvUlt, Op::BvSlt, Op::Eq, Op::BvUle][trial.number(4) as usize];
            let compared = pool.mk(op, &[a, term]);
            let other = trial.comparison(pool);
            conjuncts.push(pool.mk(Op::Xor, &[compared, other]));
            conjuncts
        });
        assert!(changed > 120, "{changed} changed: too easy");
    }

    /// Comparisons of sums and products with a common operand.
    #[test]
    fn common_operands_are_left_out() {
        let changed = check(run, 500, |pool, trial| {
            let mut conjuncts = vec![];
            let [a, b, c] = [(); 3].map(|()| trial.sum(pool, 0));
            for term in [a, b, c] {
                let bound = trial.constant(pool);
                conjuncts.push(pool.mk(Op::BvUlt, &[term, bound]));
            }
            let op = [Op::BvMul, Op::BvAdd][trial.number(2) as usize];
            let (x, y) = (pool.mk(op, &[a, c]), pool.mk(op, &[c, b]));
            let op = [Op::BvUlt, Op::BvUle, Op::Eq, Op::BvSlt][trial.number(4) as usize];
            let (compared, other) = (pool.mk(op, &[x, y]), trial.comparison(pool));
            conjuncts.push(pool.mk(Op::Xor, &[compared, other]));
            conjuncts
        });
        assert!(changed > 120, "{changed} changed: too easy");
    }

    /// Words that are to be different, between bounds.
    #[test]
    fn too_few_values_are_noticed() {
        let mut few = 0;
        let changed = check(run, 3000, |pool, trial| {
            let words: Vec<Term> = (0..3).map(|_| trial.sum(pool, 0)).collect();
            let mut conjuncts = vec![];
            for (place, &word) in words.iter().enumerate() {
                let (from, to) = (trial.number(3), 2 + trial.number(4));
                let (least, most) = (pool.bv_u64(from, 3), pool.bv_u64(to, 3));
                conjuncts.push(pool.mk(Op::BvUlt, &[word, most]));
                let low = pool.mk(Op::BvUlt, &[word, least]);
                conjuncts.push(make::not(pool, low));
                for &other in &words[..place] {
                    let equal = pool.mk(Op::Eq, &[word, other]);
                    conjuncts.push(make::not(pool, equal));
                }
                few += usize::from(to - from.min(to) < 3);
            }
            if trial.chance(3) {
                conjuncts.truncate(4);
                conjuncts.push(pool.mk(Op::Distinct, &words));
            }
            conjuncts
        });
        assert!(changed > 500 && few > 1000, "{changed} changed, {few} with few values: too easy");
    }

    /// As many pigeons as holes have a model, one more has none, whatever else is different from some.
    #[test]
    fn pigeons_are_counted() {
        for (pigeons, holes) in [(20, 19), (19, 19)] {
            let mut pool = Pool::new();
            let sort = bivalve_terms::Sort::bitvec(8).expect("a legal width");
            let words: Vec<Term> = (0..pigeons + 5).map(|at| pool.symbol(&format!("p{at}"), sort)).collect();
            let bound = pool.bv_u64(holes, 8);
            let mut conjuncts = vec![];
            for (place, &word) in words.iter().enumerate() {
                conjuncts.push(pool.mk(Op::BvUlt, &[word, bound]));
                let is_other = place >= pigeons as usize;
                for &earlier in &words[..if is_other { 3 } else { place }] {
                    let equal = pool.mk(Op::Eq, &[word, earlier]);
                    conjuncts.push(make::not(&mut pool, equal));
                }
            }
            let found = alone(run, &mut pool, &conjuncts);
            let is_false = found == Some(vec![pool.bool(false)]);
            assert_eq!(is_false, pigeons > holes, "{found:?}");
        }
    }

    #[test]
    fn a_product_of_small_numbers_is_narrow() {
        let mut pool = Pool::new();
        let sort = bivalve_terms::Sort::bitvec(32).expect("a legal width");
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
        let (ten, hundred) = (pool.bv_u64(10, 32), pool.bv_u64(100, 32));
        let small = [pool.mk(Op::BvUlt, &[x, ten]), pool.mk(Op::BvUlt, &[y, hundred])];
        let product = pool.mk(Op::BvMul, &[x, y]);
        let compared = pool.mk(Op::BvUlt, &[z, product]);
        let found = alone(run, &mut pool, &[small[0], small[1], compared]).expect("it is small");
        assert_eq!(found[..2], small);
        let product = pool.args(found[2])[1];
        assert_eq!(pool.op(product), Op::Concat);
        // 9 times 99 is 891.
        assert_eq!(pool.width(pool.args(product)[1]), Some(10));
        // Under a bound that is too large for it, nothing changes.
        assert_eq!(alone(run, &mut pool, &[small[0], compared]), None);
    }
}
