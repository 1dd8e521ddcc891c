//! Scores of the solvers of one measurement.
//!
//! *PAR-2* is the sum of CPU seconds where a run that solved nothing counts as twice the limit; lower is
//! better. It is a sum over the files that the solver ran on (the runner does not give a file to a peer
//! that cannot read its format), so the ratio to the reference peer is taken over the files that both ran
//! on. *CPU on common* is the plain sum over the files that every solver solved: the only time that
//! compares like with like. The *share* is the number of files that the reference solved and this solver
//! solved too, which PAR-2 can hide behind many easy files.
//!
//! Medians are lower medians: an element, not a mean of two.

use crate::log::{Log, Run, Status};
use std::collections::{BTreeMap, BTreeSet};

/// One solver's line in the score table.
#[derive(Clone, Debug)]
pub struct Score {
    /// The solver.
    pub solver: String,
    /// Files it ran on.
    pub files: usize,
    /// How many runs ended in each way.
    counts: BTreeMap<&'static str, usize>,
    /// CPU seconds, unsolved files at twice the limit.
    pub par2: f64,
    /// CPU seconds on the files that all solvers solved.
    pub common_cpu: f64,
    /// PAR-2 over that of the reference, on files that both ran on; `None` without such files or without
    /// cost.
    pub par2_ratio: Option<f64>,
    /// Of the files that the reference solved and this solver ran on: solved, and all.
    pub share: Option<(usize, usize)>,
    /// Median of peak memory, MB.
    pub median_mb: f64,
    /// Maximum of peak memory, MB.
    pub max_mb: f64,
}

impl Score {
    /// How many runs ended like this.
    pub fn count(&self, status: Status) -> usize {
        self.counts.get(status.word()).copied().unwrap_or(0)
    }

    /// How many files were solved.
    pub fn solved(&self) -> usize {
        Status::WORDS.iter().filter(|(_, one)| one.is_solved()).map(|(_, one)| self.count(*one)).sum()
    }
}

/// The scores of all solvers, and what they refer to.
#[derive(Clone, Debug)]
pub struct Board {
    /// Best mean PAR-2 first.
    pub scores: Vec<Score>,
    /// The peer that ratios and shares refer to; `None` when no peer ran.
    pub reference: Option<String>,
    /// How many files all solvers solved.
    pub common: usize,
}

/// Scores every solver of the log.
pub fn board(log: &Log, reference: Option<&str>) -> Board {
    let common = commonly_solved(log);
    let mut scores: Vec<Score> = log.solvers().map(|solver| score(log, solver, reference, &common)).collect();
    scores.sort_by(|a, b| (a.par2 / a.files as f64).total_cmp(&(b.par2 / b.files as f64)));
    Board { scores, reference: reference.map(str::to_owned), common: common.len() }
}

/// The files that every solver of the log solved.
fn commonly_solved(log: &Log) -> BTreeSet<&str> {
    let solved = |solver: &str, file: &str| log.get(solver, file).is_some_and(|run| run.status.is_solved());
    log.instances().into_iter().filter(|file| log.solvers().all(|solver| solved(solver, file))).collect()
}

fn score(log: &Log, solver: &str, reference: Option<&str>, common: &BTreeSet<&str>) -> Score {
    let runs: Vec<&Run> = log.of(solver).collect();
    let mut counts = BTreeMap::new();
    for run in &runs {
        *counts.entry(run.status.word()).or_default() += 1;
    }
    let mut memory: Vec<f64> = runs.iter().map(|run| run.rss_mb).collect();
    memory.sort_by(f64::total_cmp);
    Score {
        solver: solver.to_owned(),
        files: runs.len(),
        counts,
        par2: total(runs.iter().map(|run| run.par2())),
        common_cpu: total(
            runs.iter().filter(|run| common.contains(run.instance().as_str())).map(|run| run.cpu),
        ),
        par2_ratio: reference.and_then(|reference| par2_ratio(log, solver, reference)),
        share: reference.map(|reference| {
            let theirs: Vec<&Run> = log
                .both(reference, solver)
                .filter(|(r, _)| r.status.is_solved())
                .map(|(_, mine)| mine)
                .collect();
            (theirs.iter().filter(|run| run.status.is_solved()).count(), theirs.len())
        }),
        median_mb: memory.get(memory.len().saturating_sub(1) / 2).copied().unwrap_or(0.0),
        max_mb: memory.last().copied().unwrap_or(0.0),
    }
}

/// The mean of a statistic of a solver, over the runs that have it.
pub fn mean(log: &Log, solver: &str, name: &str) -> Option<f64> {
    let values: Vec<f64> = log.of(solver).filter_map(|run| run.stats.get(name).copied()).collect();
    (!values.is_empty()).then(|| total(values.iter().copied()) / values.len() as f64)
}

/// A sum that is plain zero when there is nothing to add (`sum` gives -0.0, and a table would show the sign).
fn total(seconds: impl Iterator<Item = f64>) -> f64 {
    seconds.fold(0.0, |sum, one| sum + one)
}

/// PAR-2 of one solver over that of another, on the files that both ran on.
fn par2_ratio(log: &Log, solver: &str, reference: &str) -> Option<f64> {
    let (mine, theirs) = log
        .both(solver, reference)
        .fold((0.0, 0.0), |(a, b), (mine, theirs)| (a + mine.par2(), b + theirs.par2()));
    (theirs > 0.0).then(|| mine / theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, verdict};

    fn of<'b>(board: &'b Board, solver: &str) -> &'b Score {
        board.scores.iter().find(|score| score.solver == solver).unwrap()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn counts_par2_ratio_and_share_by_hand() {
        let mut log = sample::log();
        verdict::judge(&mut log, &sample::index());
        let board = board(&log, Some("bitwuzla"));
        assert_eq!(board.common, 2, "quick and session");
        let (ours, bitwuzla, yices) = (of(&board, "bivalve"), of(&board, "bitwuzla"), of(&board, "yices"));
        assert_eq!((ours.files, ours.solved()), (6, 3));
        assert_eq!(
            (ours.count(Status::Wrong), ours.count(Status::Timeout), ours.count(Status::Memout)),
            (1, 1, 1)
        );
        assert_eq!((bitwuzla.files, bitwuzla.solved()), (6, 5));
        assert_eq!((yices.files, yices.solved(), yices.count(Status::Error)), (5, 3, 1));
        // bivalve: 0.5 + 2.0 + 1.5 solved, a wrong answer, a time-out and a memory-out at 20 each.
        assert!(close(ours.par2, 64.0), "{}", ours.par2);
        assert!(close(bitwuzla.par2, 1.0 + 4.0 + 3.0 + 6.0 + 2.0 + 20.0), "{}", bitwuzla.par2);
        assert!(close(ours.par2_ratio.unwrap(), 64.0 / 36.0));
        // yices did not run on the BTOR file: the ratio is over the other five.
        assert!(close(yices.par2_ratio.unwrap(), yices.par2 / 32.0), "{yices:?}");
        assert!(close(ours.common_cpu, 0.5 + 1.5) && close(bitwuzla.common_cpu, 1.0 + 2.0));
        assert_eq!((ours.share, bitwuzla.share, yices.share), (Some((2, 5)), Some((5, 5)), Some((3, 4))));
        assert!(close(bitwuzla.par2_ratio.unwrap(), 1.0));
        assert_eq!((ours.median_mb, ours.max_mb), (30.0, 6000.0));
    }

    #[test]
    fn means_are_over_the_runs_that_say_something() {
        let mut log = sample::log();
        let runs = log.runs_mut().filter(|run| run.solver == "yices").take(2).zip([1.0, 4.0]);
        runs.for_each(|(run, rounds)| run.stats.extend([("rounds".to_owned(), rounds)]));
        assert_eq!(mean(&log, "yices", "rounds"), Some(2.5));
        assert_eq!((mean(&log, "yices", "lemmas"), mean(&log, "bivalve", "rounds")), (None, None));
    }

    #[test]
    fn nothing_in_common_is_plain_zero() {
        let mut log = sample::log();
        log.retain(|run| run.solver != "bivalve" || !run.status.is_solved());
        let board = board(&log, Some("bitwuzla"));
        assert_eq!(board.common, 0);
        assert!(board.scores.iter().all(|score| format!("{:.2}", score.common_cpu) == "0.00"));
    }

    #[test]
    fn the_best_mean_comes_first() {
        let log = sample::log();
        let board = board(&log, None);
        let means: Vec<f64> = board.scores.iter().map(|score| score.par2 / score.files as f64).collect();
        assert!(means.is_sorted(), "{means:?}");
        assert!(board.scores.iter().all(|score| score.par2_ratio.is_none() && score.share.is_none()));
    }
}
