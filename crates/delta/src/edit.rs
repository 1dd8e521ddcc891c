//! Typed edits of the term DAG, many at once.
//!
//! An edit replaces a node by one of these: a leaf of the same sort, the image of another node below
//! it, or the same operator over fewer operands. Edits are given for the nodes of one *base*; any subset of
//! them is applied together, bottom up, in one pass, so that what a node is replaced by is edited itself.
//! Each image has the sort of its node by construction, hence every candidate is well-sorted.
//!
//! A node that the edits cut off is not built, and edits below it have no effect any more: after a success a
//! pass drops them from its list ([`Edited::reached`]).
//!
//! Cost: linear in what is left of the base.

use bivalve_terms::{Arity, Op, Pool, Renaming, Term, TermMap, TermSet};

/// What stands in the place of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// A constant or symbol of the node's sort.
    Leaf(Term),
    /// The image of a node of the same sort below it.
    Below(Term),
    /// The node without the operand at this position.
    Without(u32),
    /// The operator of another term over the images of its operands, which are nodes below or leaves.
    Instead(Term),
}

impl Change {
    /// The term in it.
    pub(crate) fn term(self) -> Option<Term> {
        match self {
            Change::Leaf(term) | Change::Below(term) | Change::Instead(term) => Some(term),
            Change::Without(_) => None,
        }
    }

    /// The same after a compaction of the pool.
    pub(crate) fn renamed(self, renaming: &Renaming) -> Change {
        match self {
            Change::Leaf(term) => Change::Leaf(renaming.of(term)),
            Change::Below(term) => Change::Below(renaming.of(term)),
            Change::Instead(term) => Change::Instead(renaming.of(term)),
            Change::Without(position) => Change::Without(position),
        }
    }
}

/// A node and what stands in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    pub(crate) at: Term,
    pub(crate) change: Change,
}

/// The outcome of some edits.
pub(crate) struct Edited {
    /// The images of the roots.
    pub(crate) roots: Vec<Term>,
    /// The nodes of the base that still matter.
    pub(crate) reached: TermSet,
}

/// All edits of a node together.
#[derive(Clone)]
enum Resolved {
    By(Change),
    Fewer(Vec<u32>),
}

/// The roots under the edits, of which the last one wins where several replace a node.
pub(crate) fn apply(pool: &mut Pool, roots: &[Term], edits: impl Iterator<Item = Edit>) -> Edited {
    let mut resolved: TermMap<Resolved> = TermMap::new();
    for Edit { at, change } in edits {
        let now = match (change, resolved.get(at)) {
            (Change::Without(position), Some(Resolved::Fewer(dropped))) => {
                let mut dropped = dropped.clone();
                dropped.push(position);
                Resolved::Fewer(dropped)
            }
            (Change::Without(_), Some(Resolved::By(_))) => continue,
            (Change::Without(position), None) => Resolved::Fewer(vec![position]),
            (change, _) => Resolved::By(change),
        };
        resolved.insert(at, now);
    }
    let (order, reached) = reach(pool, roots, &resolved);
    let mut images: TermMap<Term> = TermMap::new();
    let mut args = vec![];
    for term in order {
        // A new constant or symbol under `Instead` is younger than the node; leaves that are no nodes stand
        // for themselves.
        let image = |of: Term| images.get(of).copied().unwrap_or(of);
        let new = match resolved.get(term) {
            Some(&Resolved::By(Change::Leaf(leaf))) => leaf,
            Some(&Resolved::By(Change::Below(other))) => image(other),
            Some(&Resolved::By(Change::Instead(other))) => {
                args.clear();
                args.extend(pool.args(other).iter().map(|&arg| image(arg)));
                rebuilt(pool, other, &args)
            }
            Some(Resolved::Fewer(dropped)) => {
                let kept: Vec<Term> = kept(pool, term, dropped).map(image).collect();
                fewer(pool, term, &kept)
            }
            Some(Resolved::By(Change::Without(_))) => unreachable!("dropped operands are collected"),
            None => {
                args.clear();
                args.extend(pool.args(term).iter().map(|&arg| image(arg)));
                if args == pool.args(term) { term } else { rebuilt(pool, term, &args) }
            }
        };
        images.insert(term, new);
    }
    let roots = roots.iter().map(|&root| *images.get(root).expect("roots are reached")).collect();
    Edited { roots, reached }
}

/// The operator of a term over images of its operands. A binder keeps the variables in whose place nothing
/// was put, and without any it is its body.
fn rebuilt(pool: &mut Pool, term: Term, args: &[Term]) -> Term {
    let Some((&body, images)) = args.split_last().filter(|_| pool.op(term) == Op::Forall) else {
        return pool.rebuild(term, args);
    };
    let kept = pool.args(term).iter().zip(images).filter(|(variable, image)| variable == image);
    let mut args: Vec<Term> = kept.map(|(_, &variable)| variable).collect();
    if args.is_empty() {
        return body;
    }
    args.push(body);
    pool.mk(Op::Forall, &args)
}

/// The nodes that matter under the edits, children first.
fn reach(pool: &Pool, roots: &[Term], resolved: &TermMap<Resolved>) -> (Vec<Term>, TermSet) {
    let mut reached = TermSet::new();
    let mut order: Vec<Term> = vec![];
    let mut todo: Vec<Term> = roots.to_vec();
    while let Some(term) = todo.pop() {
        if !reached.insert(term) {
            continue;
        }
        order.push(term);
        match resolved.get(term) {
            Some(Resolved::By(Change::Leaf(_))) => {}
            Some(&Resolved::By(Change::Below(other))) => todo.push(other),
            Some(&Resolved::By(Change::Instead(other))) => todo.extend_from_slice(pool.args(other)),
            Some(Resolved::Fewer(dropped)) => todo.extend(kept(pool, term, dropped)),
            Some(Resolved::By(Change::Without(_))) | None => todo.extend_from_slice(pool.args(term)),
        }
    }
    order.sort_unstable();
    (order, reached)
}

/// The operands that are not dropped.
fn kept<'a>(pool: &'a Pool, term: Term, dropped: &'a [u32]) -> impl Iterator<Item = Term> + 'a {
    let args = pool.args(term).iter().enumerate();
    args.filter(|(position, _)| !dropped.contains(&(*position as u32))).map(|(_, &arg)| arg)
}

/// The operator of `term` over fewer operands than it had: over one it is that operand, over none what is
/// neutral.
fn fewer(pool: &mut Pool, term: Term, args: &[Term]) -> Term {
    let op = pool.op(term);
    match *args {
        [] if pool.sort(term).is_bool() => pool.bool(op != Op::Or && op != Op::Xor),
        [] => leaf(pool, pool.sort(term)).unwrap_or(term),
        [_] if matches!(op, Op::Eq | Op::Distinct) || op.info().arity == Arity::Chainable => pool.bool(true),
        [one] => one,
        _ => pool.mk(op, args),
    }
}

/// May single operands of this term be dropped?
pub(crate) fn drops_operands(pool: &Pool, term: Term) -> bool {
    let op = pool.op(term);
    match op {
        Op::Eq | Op::Distinct => pool.args(term).len() > 2,
        // One operand alone is no formula.
        _ if op.info().arity == Arity::Chainable => pool.args(term).len() > 2,
        Op::Concat | Op::Apply | Op::Forall => false,
        _ => pool.is_variadic(term) && pool.args(term).len() >= 2,
    }
}

/// The plainest constant of a sort: `false` or zero.
pub(crate) fn leaf(pool: &mut Pool, sort: bivalve_terms::Sort) -> Option<Term> {
    match sort.width() {
        Some(width) => Some(pool.bv_u64(0, width)),
        None if sort.is_bool() => Some(pool.bool(false)),
        None => None,
    }
}

/// The nodes below the roots by their distance from them, the nearest first; of equally near ones the
/// youngest first.
pub(crate) fn by_distance(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut seen = TermSet::new();
    let mut order: Vec<Term> = vec![];
    let mut level: Vec<Term> = roots.iter().copied().filter(|&root| seen.insert(root)).collect();
    while !level.is_empty() {
        level.sort_unstable_by(|a, b| b.cmp(a));
        order.extend_from_slice(&level);
        let args = level.iter().flat_map(|&term| pool.args(term)).copied();
        level = args.filter(|&arg| seen.insert(arg)).collect();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{Sort, cone};

    #[test]
    fn edits_are_applied_together_and_from_below() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, byte));
        let product = pool.mk(Op::BvMul, &[x, y]);
        let sum = pool.mk(Op::BvAdd, &[x, product, y]);
        let not = pool.mk(Op::BvNot, &[sum]);
        let zero = pool.bv_u64(0, 8);
        let edits = [
            Edit { at: not, change: Change::Below(sum) },
            Edit { at: sum, change: Change::Without(0) },
            Edit { at: product, change: Change::Leaf(zero) },
            Edit { at: x, change: Change::Leaf(y) },
        ];
        let edited = apply(&mut pool, &[not], edits.into_iter());
        assert_eq!(edited.roots, [pool.mk(Op::BvAdd, &[zero, y])]);
        assert!(edited.reached.contains(product) && !edited.reached.contains(x));
    }

    #[test]
    fn images_keep_their_sorts() {
        let mut random = TermGen::new(7);
        for _ in 0..200 {
            let mut pool = Pool::new();
            random.forget();
            let root = random.term(&mut pool, Sort::BOOL, 30);
            let nodes = cone(&pool, &[root]);
            let edits: Vec<Edit> = nodes
                .iter()
                .step_by(3)
                .filter_map(|&at| {
                    let sort = pool.sort(at);
                    let same = pool.args(at).iter().copied().find(|&arg| pool.sort(arg) == sort);
                    let change = match same {
                        _ if drops_operands(&pool, at) => Change::Without(0),
                        Some(arg) => Change::Below(arg),
                        None => Change::Leaf(leaf(&mut pool, sort)?),
                    };
                    Some(Edit { at, change })
                })
                .collect();
            let edited = apply(&mut pool, &[root], edits.into_iter());
            assert!(pool.sort(edited.roots[0]).is_bool());
        }
    }
}
