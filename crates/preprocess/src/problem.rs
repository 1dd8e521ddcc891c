//! What a pass is given: the conjuncts of a round, and what all passes of the round share about them.
//!
//! The cone of the conjuncts (the terms below them, children first) and the table of uses are computed when
//! the first pass of a round asks for them, once. A pass that changes something ends the round, so they are
//! never out of date.
//!
//! Terms that are *frozen* are in use outside of these conjuncts: they were handed out by earlier runs, so
//! their symbols keep their meaning, and all that is below them is frozen, too. Passes have seen them before.
//! So the cone goes only a little further where it meets a frozen term, by about as many terms as are new;
//! the last ones on each way are its *leaves*, which passes leave as they are. That makes the cost of a run
//! linear in what is new, and 10,000 checks of a formula that grows cost 10,000 small steps.
//!
//! All uses of a term that is not frozen are in the cone, since frozen terms are closed downwards.
//!
//! Cost: one walk for each table and round.

use crate::change::{Applied, Change, Reason};
use bivalve_limits::Deadline;
use bivalve_terms::{Op, Pool, Rebuild, Term, TermMap, TermSet};
use std::cell::OnceCell;

/// Frozen terms in a cone, beside as many as there are new terms.
const LEAST_CONTEXT: usize = 64;

/// Conjuncts in normal form, as the passes of one round see them.
pub(crate) struct Problem<'a> {
    pub(crate) conjuncts: &'a [Term],
    /// What a pass polls. When it is over, a pass returns that it found nothing.
    pub(crate) deadline: &'a Deadline,
    frozen: &'a TermSet,
    tables: &'a Tables,
    cost: TermCost,
}

/// About how many gates the operator of a term takes.
pub(crate) type TermCost = fn(&Pool, Term) -> u64;

/// The cost of an operator where there is no cost model.
pub(crate) fn one_gate(_: &Pool, _: Term) -> u64 {
    1
}

/// What all passes of a round share.
#[derive(Default)]
pub(crate) struct Tables {
    cone: OnceCell<Cone>,
    uses: OnceCell<Uses>,
}

/// Terms, children first, and those whose children are not among them.
#[derive(Default)]
pub(crate) struct Cone {
    pub(crate) terms: Vec<Term>,
    leaves: TermSet,
    /// The number of terms that are not frozen.
    pub(crate) new: usize,
}

impl Cone {
    /// The cone of some terms, cut off below frozen ones.
    pub(crate) fn new(pool: &Pool, roots: &[Term], frozen: &TermSet) -> Cone {
        let (mut seen, mut cone) = (TermSet::new(), Cone::default());
        let mut reached: Vec<Term> = vec![];
        for &root in roots.iter().filter(|&&root| seen.insert(root)) {
            let list = if frozen.contains(root) { &mut reached } else { &mut cone.terms };
            list.push(root);
        }
        while let Some(&term) = cone.terms.get(cone.new) {
            cone.new += 1;
            for &arg in pool.args(term).iter().filter(|&&arg| seen.insert(arg)) {
                let list = if frozen.contains(arg) { &mut reached } else { &mut cone.terms };
                list.push(arg);
            }
        }
        // Nearest first.
        let room = cone.new + LEAST_CONTEXT;
        let mut next = 0;
        while let Some(&term) = reached.get(next) {
            next += 1;
            if reached.len() < room {
                reached.extend(pool.args(term).iter().filter(|&&arg| seen.insert(arg)));
            } else if !pool.args(term).iter().all(|&arg| seen.contains(arg)) {
                cone.leaves.insert(term);
            }
        }
        cone.terms.append(&mut reached);
        cone.terms.sort_unstable();
        cone
    }
}

impl<'a> Problem<'a> {
    pub(crate) fn new(
        conjuncts: &'a [Term],
        frozen: &'a TermSet,
        tables: &'a Tables,
        deadline: &'a Deadline,
    ) -> Problem<'a> {
        Problem { conjuncts, deadline, frozen, tables, cost: one_gate }
    }

    /// The same with a cost model. Without one every operator is one gate.
    pub(crate) fn with_cost(self, cost: TermCost) -> Problem<'a> {
        Problem { cost, ..self }
    }

    /// About how many gates the operator of a term takes.
    pub(crate) fn cost(&self, pool: &Pool, term: Term) -> u64 {
        (self.cost)(pool, term)
    }

    /// The same over other conjuncts.
    pub(crate) fn over<'b>(&'b self, conjuncts: &'b [Term], tables: &'b Tables) -> Problem<'b> {
        Problem { conjuncts, tables, ..*self }
    }

    /// Whether a term is in use elsewhere.
    pub(crate) fn is_frozen(&self, term: Term) -> bool {
        self.frozen.contains(term) && !bivalve_faults::planted!(FrozenDefined)
    }

    /// The terms at and below the conjuncts, children first, as far as passes look at them.
    pub(crate) fn cone(&self, pool: &Pool) -> &[Term] {
        &self.whole_cone(pool).terms
    }

    /// The terms of the cone whose children are not in it.
    pub(crate) fn leaves(&self, pool: &Pool) -> &TermSet {
        &self.whole_cone(pool).leaves
    }

    fn whole_cone(&self, pool: &Pool) -> &Cone {
        self.tables.cone.get_or_init(|| Cone::new(pool, self.conjuncts, self.frozen))
    }

    /// The cone of other terms, likewise cut off.
    pub(crate) fn cone_of(&self, pool: &Pool, roots: &[Term]) -> TermSet {
        let mut below = TermSet::new();
        Cone::new(pool, roots, self.frozen).terms.into_iter().for_each(|term| {
            below.insert(term);
        });
        below
    }

    /// How the terms of the cone are used. Complete for terms that are not frozen.
    pub(crate) fn uses(&self, pool: &Pool) -> &Uses {
        self.tables.uses.get_or_init(|| Uses::new(pool, self.conjuncts, self.cone(pool)))
    }

    /// The changes of terms when the conjuncts are rebuilt from the bottom: `replace` is shown each term of
    /// the cone but its leaves, and the same over the images of its arguments, and returns what stands in its
    /// place, if that is not the latter. `None` if nothing changes, or when the deadline is over.
    pub(crate) fn rebuilt(
        &self,
        pool: &mut Pool,
        because: &Reason,
        mut replace: impl FnMut(&mut Pool, Term, Term) -> Option<Term>,
    ) -> Option<Vec<Change>> {
        let mut found: Vec<Change> = vec![];
        let mut images = self.no_images(pool);
        let is_done = images.extend(
            pool,
            self.cone(pool),
            || self.deadline.step(1),
            |pool, term, rebuilt| {
                let image = replace(pool, term, rebuilt).filter(|&image| image != rebuilt)?;
                let from = if because.is_law() { rebuilt } else { term };
                found.push(Change::new(from, image, because.clone()));
                Some(image)
            },
        );
        (is_done && !found.is_empty()).then_some(found)
    }

    /// Images of the leaves of the cone alone, which are themselves.
    pub(crate) fn no_images(&self, pool: &Pool) -> Rebuild {
        let mut images = Rebuild::new();
        self.whole_cone(pool).leaves.iter().for_each(|leaf| images.set(leaf, leaf));
        images
    }

    /// The images of the conjuncts, which have one.
    pub(crate) fn images(&self, images: &Rebuild) -> Vec<Term> {
        let image = |&conjunct: &Term| images.image(conjunct).expect("conjuncts are in their cone");
        self.conjuncts.iter().map(image).collect()
    }

    /// The conjuncts after some changes, all at once ([`crate::change`]); of several changes of one term the
    /// first counts. `None` if that is what they are already, or when the deadline is over.
    pub(crate) fn changed(&self, pool: &mut Pool, changes: &[Change]) -> Option<Vec<Term>> {
        let added = changes.iter().filter(|change| change.from.is_none()).map(|change| change.to);
        if let Some(refuted) = added.clone().find(|&conjunct| pool.as_bool(conjunct) == Some(false)) {
            return Some(vec![refuted]);
        }
        let mut leaves = TermMap::new();
        self.leaves(pool).iter().for_each(|leaf| _ = leaves.insert(leaf, leaf));
        let mut applied = Applied::new(changes, leaves, self.deadline);
        if applied.stated.is_empty() {
            // New terms are numbered like those that they come from.
            for &term in self.cone(pool) {
                applied.image(pool, term)?;
            }
        }
        let mut conjuncts = vec![];
        for &conjunct in self.conjuncts {
            conjuncts.push(applied.conjunct(pool, conjunct)?);
        }
        conjuncts.extend(added);
        (conjuncts != self.conjuncts).then_some(conjuncts)
    }
}

/// How often terms are used: as arguments, each position by itself, and as conjuncts.
pub(crate) struct Uses(TermMap<Use>);

#[derive(Clone, Copy)]
struct Use {
    count: u32,
    /// The operator of the last user; none if that is the list of conjuncts.
    by: Option<Op>,
}

impl Uses {
    /// Counts the uses among the terms of a cone.
    pub(crate) fn new(pool: &Pool, conjuncts: &[Term], cone: &[Term]) -> Uses {
        let mut uses = TermMap::new();
        let mut count = |term: Term, by: Option<Op>| {
            let count = uses.get(term).map_or(0, |known: &Use| known.count);
            uses.insert(term, Use { count: count.saturating_add(1), by });
        };
        conjuncts.iter().for_each(|&conjunct| count(conjunct, None));
        for &term in cone {
            pool.args(term).iter().for_each(|&arg| count(arg, Some(pool.op(term))));
        }
        Uses(uses)
    }

    /// The number of uses.
    pub(crate) fn count(&self, term: Term) -> usize {
        self.0.get(term).map_or(0, |known| known.count as usize)
    }

    /// Whether there is exactly one use.
    pub(crate) fn is_single(&self, term: Term) -> bool {
        self.count(term) == 1
    }

    /// Whether the only use of the term is as an operand of this operator.
    pub(crate) fn is_single_operand_of(&self, term: Term, op: Op) -> bool {
        self.0.get(term).is_some_and(|known| known.count == 1 && known.by == Some(op))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    /// A chain of which all but the last terms are frozen is not walked to its end, and what is new is seen.
    #[test]
    fn a_cone_ends_soon_below_frozen_terms() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BOOL);
        let mut chain = vec![x];
        for number in 0..10_000 {
            let y = pool.symbol(&format!("y{number}"), Sort::BOOL);
            let last = chain[chain.len() - 1];
            chain.push(pool.mk(Op::Xor, &[last, y]));
        }
        let mut frozen = TermSet::new();
        bivalve_terms::cone(&pool, &chain[..9_990]).into_iter().for_each(|term| {
            frozen.insert(term);
        });
        let cone = Cone::new(&pool, &chain[10_000..], &frozen);
        assert!(cone.new == 22 && cone.terms.len() < 200, "{} of {}", cone.new, cone.terms.len());
        assert!(cone.terms.windows(2).all(|pair| pair[0] < pair[1]));
        for &term in &cone.terms {
            let whole = pool.args(term).iter().all(|arg| cone.terms.binary_search(arg).is_ok());
            assert!(whole || cone.leaves.contains(term));
        }
        assert_eq!(Cone::new(&pool, &chain[10_000..], &TermSet::new()).terms.len(), 20_001);
    }
}
