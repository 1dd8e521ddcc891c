//! Queries: the literals that a check assumes, their owners, and cores.
//!
//! Each literal belongs to a level (its conjuncts hold while the level is there), to a tracked assertion or
//! to an assumption of the caller. After unsat the SAT solver names failed literals; their owners are the
//! *core*: the highest level involved, the tracked assertions, and the caller's assumptions. If two owners
//! share a literal, the first of them owns it, so the lowest level comes before the others.
//!
//! If no assumption of the caller is in the core, the contradiction is a fact about the stack, until the
//! highest level involved is popped.
//!
//! A core is minimised by deletion (Chinneck and Dravnieks, 1991): a member is left out; if the rest is still
//! contradictory, its failed literals are the next candidate. Levels are not deleted. Cost: one search a
//! member.

use bivalve_sat_adapter::Lit;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashSet;

/// The owner of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// Untracked assertions of the level of this index.
    Level(usize),
    /// A tracked assertion: the index of its level, and its number.
    Tracked(usize, usize),
    /// An assumption of the caller, by position.
    Assumption(usize),
}

/// What a check assumes.
#[derive(Default)]
pub(crate) struct Query {
    literals: Vec<Lit>,
    owners: Vec<Owner>,
    seen: FxHashSet<Lit>,
}

/// Why the answer is unsat.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Core {
    /// The index of the highest level involved.
    pub(crate) level: usize,
    /// Numbers of tracked assertions, increasing.
    pub(crate) tracked: Vec<usize>,
    /// Positions of assumptions, increasing.
    pub(crate) assumptions: Vec<usize>,
}

/// Is it a symbol, or the negation of one?
pub(crate) fn is_literal(pool: &Pool, formula: Term) -> bool {
    let atom = if pool.op(formula) == Op::Not { pool.args(formula)[0] } else { formula };
    pool.args(atom).is_empty()
}

/// What a search under some of the literals of a query found.
pub(crate) enum Searched {
    /// They are contradictory; these are the failed ones.
    Unsat(FxHashSet<Lit>),
    /// They are not, as far as was found out.
    Open,
    /// The check cannot go on: the stop flag was raised, or its budget is used up.
    Stopped,
}

/// Searches under some literals.
pub(crate) type Search<'a> = &'a mut dyn FnMut(&[Lit]) -> Searched;

impl Query {
    /// Assumes a literal for its owner.
    pub(crate) fn assume(&mut self, literal: Lit, owner: Owner) {
        if self.seen.insert(literal) {
            self.literals.push(literal);
            self.owners.push(owner);
        }
    }

    /// What is assumed.
    pub(crate) fn literals(&self) -> &[Lit] {
        &self.literals
    }

    /// What is assumed for levels.
    pub(crate) fn of_levels(&self) -> Vec<Lit> {
        let pairs = self.literals.iter().zip(&self.owners);
        pairs.filter(|(_, owner)| matches!(owner, Owner::Level(_))).map(|(&literal, _)| literal).collect()
    }

    /// The owners of failed literals.
    pub(crate) fn core(&self, failed: &FxHashSet<Lit>) -> Core {
        let owners = self.literals.iter().zip(&self.owners).filter(|(literal, _)| failed.contains(literal));
        Core::of(owners.map(|(_, &owner)| owner))
    }

    /// The failed literals, without redundant ones of tracked assertions and assumptions. Ends
    /// early, with a core that may not be minimal, when a search is stopped.
    pub(crate) fn minimize(&self, mut failed: FxHashSet<Lit>, search: Search<'_>) -> FxHashSet<Lit> {
        for (candidate, owner) in self.literals.iter().zip(&self.owners) {
            if matches!(owner, Owner::Level(_)) || !failed.contains(candidate) {
                continue;
            }
            let is_kept = |literal: &Lit, owner: &Owner| {
                matches!(owner, Owner::Level(_)) || (literal != candidate && failed.contains(literal))
            };
            let pairs = self.literals.iter().zip(&self.owners);
            let rest: Vec<Lit> =
                pairs.filter(|(literal, owner)| is_kept(literal, owner)).map(|(&l, _)| l).collect();
            match search(&rest) {
                Searched::Unsat(fewer) => failed = fewer,
                Searched::Open => {}
                Searched::Stopped => break,
            }
        }
        failed
    }
}

impl Core {
    /// The core that consists of these owners.
    pub(crate) fn of(owners: impl IntoIterator<Item = Owner>) -> Core {
        let mut core = Core::default();
        for owner in owners {
            match owner {
                Owner::Level(level) => core.level = core.level.max(level),
                Owner::Tracked(level, number) => {
                    core.level = core.level.max(level);
                    core.tracked.push(number);
                }
                Owner::Assumption(position) => core.assumptions.push(position),
            }
        }
        core.tracked.sort_unstable();
        core.assumptions.sort_unstable();
        core
    }
}
