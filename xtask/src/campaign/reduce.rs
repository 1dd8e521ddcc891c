//! Small findings out of large ones.
//!
//! What is known of a finding is a function that says whether something still shows it. Commands and formulas are left
//! out, half of them first and single ones in the end (delta debugging: Zeller and Hildebrandt, TSE 2002); then sub-terms
//! are replaced by their children and by plain values, the largest first. That goes on until nothing more can be done
//! or the tries are used up.
//!
//! The terms of one formula or session live in one pool, which only grows meanwhile.

use crate::session::{Session, Step};
use bivalve_terms::{Op, Pool, Sort, Substitution, Term, cone};

/// So often is a finding tried for.
const TRIES: usize = 4_000;

/// Leaves items out as long as `fails` holds of the rest.
fn fewer<T: Clone>(items: Vec<T>, tries: &mut usize, fails: &mut dyn FnMut(&[T]) -> bool) -> Vec<T> {
    let mut items = items;
    let mut chunk = items.len().div_ceil(2).max(1);
    loop {
        let (mut at, before) = (0, items.len());
        while at < items.len() && *tries > 0 {
            let rest: Vec<T> = items[..at].iter().chain(items.iter().skip(at + chunk)).cloned().collect();
            *tries -= 1;
            if fails(&rest) { items = rest } else { at += chunk }
        }
        if *tries == 0 || (chunk == 1 && items.len() == before) {
            return items;
        }
        chunk = (chunk / 2).max(1);
    }
}

/// Makes the formulas smaller as long as `fails` holds of them.
pub fn formulas(
    pool: &mut Pool,
    all: Vec<Term>,
    fails: &mut dyn FnMut(&mut Pool, &[Term]) -> bool,
) -> Vec<Term> {
    let mut tries = TRIES;
    let mut all = fewer(all, &mut tries, &mut |some| fails(pool, some));
    while let Some(smaller) = smaller(pool, &all, &mut tries, fails) {
        all = fewer(smaller, &mut tries, &mut |some| fails(pool, some));
    }
    all
}

/// Makes a session smaller as long as `fails` holds of it.
pub fn session(session: &mut Session, fails: &mut dyn FnMut(&mut Session) -> bool) {
    let mut tries = TRIES;
    loop {
        let steps = std::mem::take(&mut session.steps);
        let steps = fewer(steps, &mut tries, &mut |some| {
            session.steps = some.to_vec();
            fails(session)
        });
        let roots: Vec<Term> = steps.iter().flat_map(Step::terms).copied().collect();
        let mut pool = std::mem::take(&mut session.pool);
        let found = smaller(&mut pool, &roots, &mut tries, &mut |pool, roots| {
            session.steps = with_terms(&steps, roots);
            std::mem::swap(pool, &mut session.pool);
            let fails = fails(session);
            std::mem::swap(pool, &mut session.pool);
            fails
        });
        session.pool = pool;
        session.steps = found.as_ref().map_or_else(|| steps.clone(), |roots| with_terms(&steps, roots));
        if found.is_none() {
            return;
        }
    }
}

/// The steps with other terms in their places.
fn with_terms(steps: &[Step], terms: &[Term]) -> Vec<Step> {
    let mut terms = terms.iter().copied();
    let mut next = |_: &Term| terms.next().expect("as many terms as before");
    let image = |step: &Step| match step {
        Step::Push(_) | Step::Pop(_) | Step::Reset => step.clone(),
        Step::Assert(term, named) => Step::Assert(next(term), *named),
        Step::Check(assumptions, questions) => Step::Check(
            assumptions.iter().map(&mut next).collect(),
            questions.iter().map(&mut next).collect(),
        ),
    };
    steps.iter().map(image).collect()
}

/// One sub-term is replaced by something smaller; `None` if that never fails.
fn smaller(
    pool: &mut Pool,
    roots: &[Term],
    tries: &mut usize,
    fails: &mut dyn FnMut(&mut Pool, &[Term]) -> bool,
) -> Option<Vec<Term>> {
    let below = cone(pool, roots);
    let size = below.len();
    for &term in below.iter().rev() {
        for image in images(pool, term, &below) {
            if *tries == 0 {
                return None;
            }
            let mut substitution = Substitution::new();
            substitution.insert(pool, term, image);
            let images: Vec<Term> = roots.iter().map(|&root| substitution.apply(pool, root)).collect();
            if cone(pool, &images).len() >= size {
                continue;
            }
            *tries -= 1;
            if fails(pool, &images) {
                return Some(images);
            }
        }
    }
    None
}

/// What may stand for a term: values, its descendants of its sort, and a symbol.
fn images(pool: &mut Pool, term: Term, all: &[Term]) -> Vec<Term> {
    let sort = pool.sort(term);
    if pool.sorts().is_function(sort) || pool.is_const(term) {
        return vec![];
    }
    let mut images = match (sort == Sort::BOOL, sort.width()) {
        (true, _) => vec![pool.bool(true), pool.bool(false)],
        (_, Some(width)) => vec![pool.bv_u64(0, width), pool.bv_u64(1, width)],
        _ => vec![],
    };
    let below = cone(pool, &[term]);
    images.extend(below.into_iter().filter(|&other| other != term && pool.sort(other) == sort).take(6));
    images
        .extend(all.iter().copied().find(|&t| pool.op(t) == Op::Symbol && pool.sort(t) == sort && t < term));
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).unwrap();
        let (x, y) = (pool.symbol("x", byte), pool.symbol("y", byte));
        let product = pool.mk(Op::BvMul, &[x, y]);
        let sum = pool.mk(Op::BvAdd, &[product, x]);
        let less = pool.mk(Op::BvUlt, &[sum, y]);
        let more = pool.mk(Op::BvUlt, &[y, x]);
        let is_finding =
            |pool: &mut Pool, some: &[Term]| cone(pool, some).iter().any(|&t| pool.op(t) == Op::BvMul);
        let reduced = formulas(&mut pool, vec![more, less, more], &mut { is_finding });
        assert_eq!(reduced.len(), 1);
        assert!(cone(&pool, &reduced).len() <= 5, "{:?}", cone(&pool, &reduced));

        let steps =
            vec![Step::Push(1), Step::Assert(less, true), Step::Check(vec![more], vec![x]), Step::Pop(1)];
        let mut small = Session { pool, steps, scoped: false };
        session(&mut small, &mut |session| {
            let terms: Vec<Term> = session.steps.iter().flat_map(Step::terms).copied().collect();
            cone(&session.pool, &terms).iter().any(|&t| session.pool.op(t) == Op::BvMul)
        });
        assert!(matches!(small.steps[..], [Step::Assert(..)]), "{:?}", small.steps);
    }
}
