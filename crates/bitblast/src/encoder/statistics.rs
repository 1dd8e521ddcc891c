//! What an encoder did, restarts included.
//!
//! A restart drops the gate graph, the clauses and the SAT solver; what they counted is added to the totals,
//! so the numbers of a session only grow.
//!
//! Cost: a walk over the graph when the statistics are read.

use crate::cnf::CnfStatistics;
use crate::graph::GateGraph;
use crate::weights::WordStatistics;
use bivalve_sat_adapter::Statistics as SatStatistics;
use serde::Serialize;
use std::time::Duration;

/// A source of time since some fixed moment.
pub type Clock = fn() -> Duration;

/// Counts of all graphs and SAT solvers of an encoder.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct EncoderStatistics {
    /// Nodes of all gate graphs.
    pub gates_built: u64,
    /// Nodes of the present gate graph.
    pub gates: u64,
    /// Those at or below what is asserted, was assumed last, or is mentioned by a lemma.
    pub gates_live: u64,
    /// Times that gates and clauses were dropped because most of them were garbage.
    pub rebuilds: u64,
    /// What was written for all SAT solvers.
    pub clauses: CnfStatistics,
    /// What comparing words came to.
    pub words: WordStatistics,
    /// What all SAT solvers say of themselves; absent when none was started.
    pub sat: Option<SatStatistics>,
    /// Time by phase.
    pub seconds: EncoderSeconds,
}

/// Seconds by phase; 0 without a clock.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct EncoderSeconds {
    /// Building gates.
    pub blast: f64,
    /// Writing clauses.
    pub encode: f64,
    /// In the SAT solver.
    pub sat: f64,
    /// Comparing words.
    pub words: f64,
}

/// The counts of what was dropped, and of the encoder itself.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) rebuilds: u64,
    pub(super) seconds: EncoderSeconds,
    pub(super) words: WordStatistics,
    gates: u64,
    clauses: CnfStatistics,
    sat: Option<SatStatistics>,
}

impl Totals {
    /// Adds the counts of what is dropped.
    pub(super) fn add(&mut self, graph: &GateGraph, clauses: CnfStatistics, sat: Option<SatStatistics>) {
        self.gates += graph.len() as u64;
        self.clauses += clauses;
        self.sat = sum(self.sat, sat);
    }

    /// The totals together with the counts of what is there.
    pub(super) fn with(
        &self,
        graph: &GateGraph,
        clauses: CnfStatistics,
        sat: Option<SatStatistics>,
    ) -> EncoderStatistics {
        let mut all = self.clauses;
        all += clauses;
        let gates = graph.len() as u64;
        EncoderStatistics {
            gates_built: self.gates + gates,
            gates,
            gates_live: 0,
            rebuilds: self.rebuilds,
            clauses: all,
            words: self.words,
            sat: sum(self.sat, sat),
            seconds: self.seconds,
        }
    }

    /// The conflicts of SAT solvers that were dropped.
    pub(super) fn conflicts(&self) -> u64 {
        self.sat.and_then(|sat| sat.conflicts).unwrap_or(0)
    }
}

fn sum(one: Option<SatStatistics>, other: Option<SatStatistics>) -> Option<SatStatistics> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one += other;
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// Adds the seconds that `work` takes to `total`.
pub(super) fn timed<T>(clock: Clock, total: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = clock();
    let result = work();
    *total += (clock() - start).as_secs_f64();
    result
}

/// The clock of those who hand in none: time stands still.
pub(super) fn no_clock() -> Duration {
    Duration::ZERO
}
