//! File by file against one other solver: the worst losses and the best wins.
//!
//! Ordered by seconds of PAR-2 between the two, not by their ratio: a ratio of 30 between 2 ms and 60 ms is
//! the start-up of a process. Files that neither solved are left out.

use crate::log::{Log, Run};

/// One file, both runs.
#[derive(Clone, Copy, Debug)]
pub struct Match<'l> {
    /// The run of the subject.
    pub ours: &'l Run,
    /// The run of the other solver.
    pub theirs: &'l Run,
}

impl Match<'_> {
    /// Seconds of PAR-2 lost to the other; negative when won.
    pub fn lost(&self) -> f64 {
        self.ours.par2() - self.theirs.par2()
    }

    /// PAR-2 over the other's; `None` when the other's is below the resolution of the clock.
    pub fn ratio(&self) -> Option<f64> {
        (self.theirs.par2() > 0.0).then(|| self.ours.par2() / self.theirs.par2())
    }
}

/// The matches lost and the matches won, at most `most` of each, the greatest difference first.
pub fn extremes<'l>(
    log: &'l Log,
    subject: &'l str,
    other: &'l str,
    most: usize,
) -> (Vec<Match<'l>>, Vec<Match<'l>>) {
    let matches: Vec<Match<'l>> = log
        .both(subject, other)
        .filter(|(ours, theirs)| ours.status.is_solved() || theirs.status.is_solved())
        .map(|(ours, theirs)| Match { ours, theirs })
        .collect();
    let by_loss = |sign: f64| {
        let mut sorted: Vec<Match<'l>> =
            matches.iter().filter(|one| sign * one.lost() > 0.0).copied().collect();
        sorted.sort_by(|a, b| {
            (sign * b.lost()).total_cmp(&(sign * a.lost())).then_with(|| a.ours.file.cmp(&b.ours.file))
        });
        sorted.truncate(most);
        sorted
    };
    (by_loss(1.0), by_loss(-1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, verdict};

    fn names(matches: &[Match<'_>]) -> Vec<String> {
        matches.iter().map(|one| one.ours.file.rsplit('/').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn losses_and_wins_are_ordered_by_seconds() {
        let mut log = sample::log();
        verdict::judge(&mut log, &sample::index());
        let (losses, wins) = extremes(&log, "bivalve", "bitwuzla", 10);
        assert_eq!(names(&losses), ["disputed.smt2", "heavy.btor2", "slow.smt2"]);
        assert_eq!(losses.iter().map(Match::lost).collect::<Vec<_>>(), [17.0, 16.0, 14.0]);
        assert_eq!(names(&wins), ["hard.smt2", "quick.smt2", "session.smt2"]);
        assert_eq!(wins[0].ratio(), Some(0.1));
        let (losses, wins) = extremes(&log, "bivalve", "bitwuzla", 1);
        assert_eq!((losses.len(), wins.len()), (1, 1));
    }

    #[test]
    fn files_that_neither_solved_are_left_out() {
        let log = sample::log();
        let (losses, wins) = extremes(&log, "bivalve", "yices", 10);
        assert!(!names(&losses).contains(&"slow.smt2".to_owned()), "time-out against error");
        assert!(names(&wins).contains(&"hard.smt2".to_owned()));
    }
}
