//! Queries: the literals that a check assumes, whose they are, and what is to blame when they cannot hold.
//!
//! Each literal belongs to a level (its conjuncts hold while the level is there), to a tracked assertion or
//! to an assumption of the caller. After unsat the engine names literals that suffice; read backwards they
//! are the *blame*: the highest level involved, the tracked assertions (the unsat core), and the caller's
//! assumptions. Two owners of one literal are one fact; the first of them owns it, so the lowest level comes
//! before the others.
//!
//! If no assumption of the caller is to blame, the contradiction is a fact about the stack, and stays one
//! until the highest level involved is popped: pushing under unsat is unsat.
//!
//! A core can be made minimal by deletion (Chinneck and Dravnieks, 1991): leave a member out; if the rest is
//! still contradictory, go on with what is to blame then. Levels are not up for deletion. Afterwards no
//! member can be spared, as far as the budget of each search reaches; one search a member.

use bivalve_sat_adapter::Lit;
use rustc_hash::FxHashSet;

/// Whose literal it is.
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
pub(crate) struct Blame {
    /// The index of the highest level involved.
    pub(crate) level: usize,
    /// Numbers of tracked assertions, increasing.
    pub(crate) tracked: Vec<usize>,
    /// Positions of assumptions, increasing.
    pub(crate) assumptions: Vec<usize>,
}

/// What a search under some of the literals of a query found.
pub(crate) enum Searched {
    /// They are contradictory; these are the failed ones.
    Unsat(FxHashSet<Lit>),
    /// They are not, or the budget of the search was used up.
    Open,
    /// The stop flag was raised.
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

    /// What the owners of failed literals have to do with it.
    pub(crate) fn blame(&self, failed: &FxHashSet<Lit>) -> Blame {
        let owners = self.literals.iter().zip(&self.owners).filter(|(literal, _)| failed.contains(literal));
        Blame::of(owners.map(|(_, &owner)| owner))
    }

    /// The failed literals, without those of tracked assertions and assumptions that can be spared. Ends early,
    /// with a core that may not be minimal, when a search is stopped.
    pub(crate) fn minimise(&self, mut failed: FxHashSet<Lit>, search: Search<'_>) -> FxHashSet<Lit> {
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

impl Blame {
    /// The blame of these owners together.
    pub(crate) fn of(owners: impl IntoIterator<Item = Owner>) -> Blame {
        let mut blame = Blame::default();
        for owner in owners {
            match owner {
                Owner::Level(level) => blame.level = blame.level.max(level),
                Owner::Tracked(level, number) => {
                    blame.level = blame.level.max(level);
                    blame.tracked.push(number);
                }
                Owner::Assumption(position) => blame.assumptions.push(position),
            }
        }
        blame.tracked.sort_unstable();
        blame.assumptions.sort_unstable();
        blame
    }
}
