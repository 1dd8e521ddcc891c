//! What a run cost, by phase: seconds and counts.
//!
//! Libraries do not read the clock; whoever wants seconds hands in a [`Clock`]. Counts are the same in every
//! run of the same input with the same options; seconds are not, and nothing is decided by them.

use bivalve_preprocess as preprocess;
use serde::Serialize;
use std::ops::AddAssign;
use std::time::Duration;

/// A source of time since some fixed moment.
pub type Clock = fn() -> Duration;

/// What a solver has spent so far, for those who ask often: no look is taken at terms and gates.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct Effort {
    /// Checks answered.
    pub checks: u64,
    /// Clauses written for all SAT solvers.
    pub clauses: u64,
    /// What all SAT solvers say of themselves.
    pub sat: bivalve_sat_adapter::Statistics,
}

/// Time and counts of all checks of one solver so far.
#[derive(Clone, Default, Debug, Serialize)]
pub struct Statistics {
    /// Checks answered.
    pub checks: u64,
    /// Checks answered by the model of an earlier check.
    pub former_models: u64,
    /// Checks answered by lemmas before circuits.
    pub lemmas_first: u64,
    /// Checks answered by another solver, which was asked afresh.
    pub asked_afresh: u64,
    /// Assertions taken.
    pub assertions: u64,
    /// Terms in the pool.
    pub terms: u64,
    /// Seconds spent in each phase.
    pub seconds: Seconds,
    /// Applications of rewrite rules.
    pub rewrites: u64,
    /// The rules that were applied, with counts, most frequent first.
    pub rules: Vec<(String, u64)>,
    /// The passes that were tried, in the order of the pipeline.
    pub passes: Vec<PassStatistics>,
    /// Symbols eliminated by definitions.
    pub eliminated: u64,
    /// Times that everything was preprocessed anew, because a symbol that had been unconstrained was
    /// mentioned.
    pub restarts: u64,
    /// Times that gates and clauses were thrown away because most of them were dead.
    pub rebuilds: u64,
    /// Gates built, in all.
    pub gates: u64,
    /// Gates there are at or below what is asserted or assumed, and all other gates there are.
    pub gates_live: u64,
    /// See there.
    pub gates_dead: u64,
    /// What was written for the SAT solver.
    pub clauses: bivalve_bitblast::CnfStatistics,
    /// What comparing words as sums of weighted bits came to.
    pub words: bivalve_bitblast::WordStatistics,
    /// What under-approximation came to.
    pub approx: bivalve_approx::Statistics,
    /// What local search came to.
    pub local_search: LocalSearch,
    /// What small models took.
    pub shrinking: Shrinking,
    /// Rounds and lemmas of the refiners, by name.
    #[serde(flatten)]
    pub refiners: bivalve_refine::RefinerStatistics,
    /// What the SAT backend says of itself; absent when none was started.
    pub sat: Option<bivalve_sat_adapter::Statistics>,
}

impl Statistics {
    /// Takes over what the encoder counts.
    pub(crate) fn set_encoder(&mut self, encoder: bivalve_bitblast::EncoderStatistics) {
        self.gates = encoder.gates_built;
        self.gates_live = encoder.gates_live;
        self.gates_dead = encoder.gates - encoder.gates_live;
        self.rebuilds = encoder.rebuilds;
        self.clauses = encoder.clauses;
        self.sat = encoder.sat;
        self.words = encoder.words;
        let Seconds { blast, encode, sat, words, .. } = &mut self.seconds;
        let of = encoder.seconds;
        (*blast, *encode, *sat, *words) = (of.blast, of.encode, of.sat, of.words);
    }

    /// Takes over the counts of preprocessing: passes that were tried, and rules that were applied.
    pub(crate) fn set_preprocessing(&mut self, counts: preprocess::Statistics) {
        (self.eliminated, self.restarts) = (counts.eliminated, counts.restarts);
        let tried = counts.passes.into_iter().filter(|(_, counts)| counts.tried > 0);
        let row = |(name, counts): (&'static str, preprocess::PassCounts)| PassStatistics {
            name,
            tried: counts.tried,
            changed: counts.changed,
            seconds: counts.time.as_secs_f64(),
            terms_before: counts.terms_before,
            terms_after: counts.terms_after,
        };
        self.passes = tried.map(row).collect();
        self.rules = counts.rules;
        self.rules.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        self.rewrites = self.rules.iter().map(|(_, count)| count).sum();
    }
}

impl AddAssign for Statistics {
    /// Adds what a later solver counted. What there is now, of assertions, terms and gates, is what that one
    /// has.
    fn add_assign(&mut self, later: Statistics) {
        // All fields by name, so that a new one is not forgotten.
        let Statistics {
            checks,
            former_models,
            lemmas_first,
            asked_afresh,
            assertions,
            terms,
            seconds,
            rewrites,
            rules,
            passes,
            eliminated,
            restarts,
            rebuilds,
            gates,
            gates_live,
            gates_dead,
            clauses,
            words,
            approx,
            local_search: LocalSearch { moves, violated },
            shrinking: Shrinking { searches, smaller },
            refiners,
            sat,
        } = later;
        self.checks += checks;
        self.former_models += former_models;
        self.lemmas_first += lemmas_first;
        self.asked_afresh += asked_afresh;
        (self.assertions, self.terms) = (assertions, terms);
        self.seconds += seconds;
        self.rewrites += rewrites;
        for (rule, count) in rules {
            match self.rules.iter_mut().find(|row| row.0 == rule) {
                Some((_, total)) => *total += count,
                None => self.rules.push((rule, count)),
            }
        }
        self.rules.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        for pass in passes {
            match self.passes.iter_mut().find(|row| row.name == pass.name) {
                Some(total) => *total += pass,
                None => self.passes.push(pass),
            }
        }
        self.eliminated += eliminated;
        self.restarts += restarts;
        self.rebuilds += rebuilds;
        self.gates += gates;
        (self.gates_live, self.gates_dead) = (gates_live, gates_dead);
        self.clauses += clauses;
        self.words += words;
        self.approx += approx;
        self.local_search.moves += moves;
        self.local_search.violated += violated;
        self.shrinking.searches += searches;
        self.shrinking.smaller += smaller;
        refiners.iter().for_each(|(refiner, counters)| self.refiners.add(refiner, counters));
        match (&mut self.sat, sat) {
            (Some(total), Some(sat)) => *total += sat,
            (total, sat) => *total = total.take().or(sat),
        }
    }
}

/// What one pass of simplification did.
#[derive(Clone, Debug, Serialize)]
pub struct PassStatistics {
    /// Its name.
    pub name: &'static str,
    /// Times it was tried.
    pub tried: u64,
    /// Times it changed something.
    pub changed: u64,
    /// Seconds it took, without those of the local rules after it.
    pub seconds: f64,
    /// Terms there were whenever it changed something, in all.
    pub terms_before: u64,
    /// Terms there were after it and the local rules.
    pub terms_after: u64,
}

impl AddAssign for PassStatistics {
    fn add_assign(&mut self, later: PassStatistics) {
        let PassStatistics { name: _, tried, changed, seconds, terms_before, terms_after } = later;
        self.tried += tried;
        self.changed += changed;
        self.seconds += seconds;
        self.terms_before += terms_before;
        self.terms_after += terms_after;
    }
}

/// Local search before gates are built.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct LocalSearch {
    /// Symbols that were given another value.
    pub moves: u64,
    /// Conjuncts that were false in the end; 0 if there was a model, or no search.
    pub violated: u64,
}

/// Making models small.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct Shrinking {
    /// Searches for smaller models.
    pub searches: u64,
    /// Those that found one.
    pub smaller: u64,
}

/// Seconds by phase.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct Seconds {
    /// Simplifying assertions.
    pub rewrite: f64,
    /// Trying assignments that come to mind.
    pub probe: f64,
    /// Changing symbols of what is false.
    pub local_search: f64,
    /// Building gates.
    pub blast: f64,
    /// Writing clauses.
    pub encode: f64,
    /// In the SAT solver.
    pub sat: f64,
    /// Of these, under approximations.
    pub approx: f64,
    /// Comparing words as sums of weighted bits.
    pub words: f64,
    /// Checking arrays and functions.
    pub arrays: f64,
    /// Making models smaller, searching, refining, reading and validating included.
    pub shrink: f64,
    /// Reading and validating models.
    pub model: f64,
}

impl AddAssign for Seconds {
    fn add_assign(&mut self, later: Seconds) {
        let Seconds {
            rewrite,
            probe,
            local_search,
            blast,
            encode,
            sat,
            approx,
            words,
            arrays,
            shrink,
            model,
        } = later;
        self.rewrite += rewrite;
        self.probe += probe;
        self.local_search += local_search;
        self.blast += blast;
        self.encode += encode;
        self.sat += sat;
        self.approx += approx;
        self.words += words;
        self.arrays += arrays;
        self.shrink += shrink;
        self.model += model;
    }
}

/// Adds the seconds that `work` takes to `total`.
pub(crate) fn timed<T>(clock: Clock, total: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = clock();
    let result = work();
    *total += (clock() - start).as_secs_f64();
    result
}

/// The clock of those who hand in none: time stands still.
pub(crate) fn no_clock() -> Duration {
    Duration::ZERO
}
