//! Objectives as commands and interfaces state them, on the levels of an assertion stack.
//!
//! An objective belongs to the level on which it was stated. Soft constraints of one name are one objective,
//! at the place of the first of them.

use crate::objective::{Objective, Sense, Soft};
use crate::optimiser::{Found, Optimiser, Priority};
use crate::quantity::Range;
use bivalve::terms::float::Rational;
use bivalve::terms::{Pool, Renaming, Term};
use bivalve::{CheckError, CheckResult, Solver};

/// Objectives on levels, and what was found of them.
#[derive(Clone, Default, Debug)]
pub struct Objectives {
    stated: Vec<Stated>,
    /// What the last search found of them.
    ranges: Vec<Range>,
    /// What excludes the Pareto-optimal values that earlier searches with the same assumptions have found.
    excluded: Vec<Term>,
    assumptions: Vec<Term>,
}

/// An objective or a soft constraint, and the level that it belongs to.
#[derive(Clone, Debug)]
struct Stated {
    level: u64,
    name: String,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Term { term: Term, sense: Sense, is_signed: bool },
    Soft(Soft),
}

/// The name of an objective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named<'a> {
    /// That of a term.
    Term(&'a str),
    /// That of a sum of prices.
    Price(&'a str),
}

impl Objectives {
    /// Something is to be minimised or maximised. `false`, and nothing changes, unless it is a bit-vector or
    /// a floating-point number.
    pub fn optimise(
        &mut self,
        pool: &Pool,
        (level, name): (u64, String),
        term: Term,
        sense: Sense,
        is_signed: bool,
    ) -> bool {
        let is_one = Objective::of(pool, term, sense, is_signed).is_some();
        if is_one {
            self.state(level, name, What::Term { term, sense, is_signed });
        }
        is_one
    }

    /// A formula should hold.
    pub fn soften(&mut self, (level, name): (u64, String), formula: Term, weight: Rational) {
        self.state(level, name, What::Soft(Soft { formula, weight }));
    }

    fn state(&mut self, level: u64, name: String, what: What) {
        self.stated.push(Stated { level, name, what });
        self.changed();
    }

    /// The assertions, the objectives or the options are others now: what was found is void.
    pub fn changed(&mut self) {
        self.ranges.clear();
        self.excluded.clear();
    }

    /// The ranges that were found are void; the search goes on where it was.
    pub fn forget_ranges(&mut self) {
        self.ranges.clear();
    }

    /// The levels above this one are gone.
    pub fn pop_to(&mut self, level: u64) {
        self.stated.retain(|stated| stated.level <= level);
        self.changed();
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.stated.is_empty()
    }

    /// The terms that it holds.
    pub fn in_use(&self) -> impl Iterator<Item = Term> + '_ {
        let stated = self.stated.iter().map(|stated| match &stated.what {
            What::Term { term, .. } | What::Soft(Soft { formula: term, .. }) => *term,
        });
        stated.chain(self.excluded.iter().copied()).chain(self.assumptions.iter().copied())
    }

    /// Follows a compaction of the pool.
    pub fn rename(&mut self, renaming: &Renaming) {
        for stated in &mut self.stated {
            match &mut stated.what {
                What::Term { term, .. } | What::Soft(Soft { formula: term, .. }) => {
                    *term = renaming.of(*term)
                }
            }
        }
        let others = self.excluded.iter_mut().chain(&mut self.assumptions);
        others.for_each(|term| *term = renaming.of(*term));
    }

    /// What is an objective: all but soft constraints of a name that was there before.
    fn first(&self) -> impl Iterator<Item = &Stated> {
        let mut sums: Vec<&str> = vec![];
        self.stated.iter().filter(move |stated| match stated.what {
            What::Term { .. } => true,
            What::Soft(_) if sums.contains(&stated.name.as_str()) => false,
            What::Soft(_) => {
                sums.push(&stated.name);
                true
            }
        })
    }

    /// The names of the objectives, in the order in which they were stated first.
    pub fn names(&self) -> impl Iterator<Item = Named<'_>> {
        self.first().map(|stated| match stated.what {
            What::Term { .. } => Named::Term(&stated.name),
            What::Soft(_) => Named::Price(&stated.name),
        })
    }

    /// What the last search found of each, in the same order; nothing if something has changed since.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    fn objectives(&self, pool: &mut Pool) -> Vec<Objective> {
        let of_price = |name: &str| {
            let of_name = self.stated.iter().filter(|other| other.name == name);
            let softs = of_name.filter_map(|other| match &other.what {
                What::Soft(soft) => Some(soft.clone()),
                What::Term { .. } => None,
            });
            softs.collect::<Vec<Soft>>()
        };
        let objective = |stated: &Stated| match &stated.what {
            What::Term { term, sense, is_signed } => Objective::of(pool, *term, *sense, *is_signed)
                .expect("what is neither a word nor a float was not stated"),
            What::Soft(_) => Objective::soft(pool, &of_price(&stated.name)),
        };
        self.first().map(objective).collect()
    }

    /// Whether a search with these assumptions begins anew, or looks for values beside those that were found.
    pub fn begins_anew(&self, assumptions: &[Term]) -> bool {
        self.excluded.is_empty() || self.assumptions != assumptions
    }

    /// The optima among the models of the assertions of a solver and these assumptions. With
    /// [`Priority::Pareto`] each search finds others, until the answer is `Unsat`; after that it begins anew.
    /// If `states_claims`, the claims about prices are stated, too.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, or a self-check failed.
    pub fn search(
        &mut self,
        solver: &mut Solver,
        pool: &mut Pool,
        (priority, assumptions): (Priority, &[Term]),
        states_claims: bool,
    ) -> Result<Found, CheckError> {
        self.ranges.clear();
        if self.begins_anew(assumptions) {
            self.excluded.clear();
            self.assumptions = assumptions.to_vec();
        }
        let all = self.objectives(pool);
        let optimiser = Optimiser::new(solver, pool);
        let optimiser = if states_claims { optimiser.stating_claims() } else { optimiser };
        let found = match priority {
            Priority::Pareto => optimiser.next_pareto(&all, assumptions, &mut self.excluded)?,
            priority => optimiser.optimise(&all, priority, assumptions)?,
        };
        if found.answer == CheckResult::Unsat {
            self.excluded.clear();
        }
        self.ranges.clone_from(&found.ranges);
        Ok(found)
    }
}
