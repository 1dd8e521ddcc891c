//! File by file against one peer: the worst losses and the best wins.
//!
//! Ordered by seconds of PAR-2 between the two, not by their ratio: a ratio of 30 between 2 ms and 60 ms is
//! the start-up of a process. Files that neither solved say nothing and are left out.

use super::OURS;
use bivalve_experiment::log::{Log, Run};

/// One file, both runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bout<'l> {
    /// Bivalve's run.
    pub(crate) ours: &'l Run,
    /// The peer's run.
    pub(crate) theirs: &'l Run,
}

impl Bout<'_> {
    /// Seconds of PAR-2 lost to the peer; negative when won.
    pub(crate) fn lost(&self) -> f64 {
        self.ours.par2() - self.theirs.par2()
    }

    /// PAR-2 over the peer's; `None` when the peer's is below the resolution of the clock.
    pub(crate) fn ratio(&self) -> Option<f64> {
        (self.theirs.par2() > 0.0).then(|| self.ours.par2() / self.theirs.par2())
    }
}

/// The bouts lost and the bouts won, at most `most` of each, the greatest difference first.
pub(crate) fn extremes<'l>(log: &'l Log, peer: &'l str, most: usize) -> (Vec<Bout<'l>>, Vec<Bout<'l>>) {
    let bouts: Vec<Bout<'l>> = log
        .both(OURS, peer)
        .filter(|(ours, theirs)| ours.status.is_solved() || theirs.status.is_solved())
        .map(|(ours, theirs)| Bout { ours, theirs })
        .collect();
    let by_loss = |sign: f64| {
        let mut sorted: Vec<Bout<'l>> =
            bouts.iter().filter(|bout| sign * bout.lost() > 0.0).copied().collect();
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
    use super::super::{index, sample};
    use super::*;
    use bivalve_experiment::verdict;

    fn names(bouts: &[Bout<'_>]) -> Vec<String> {
        bouts.iter().map(|bout| bout.ours.file.rsplit('/').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn losses_and_wins_are_ordered_by_seconds() {
        let mut log = sample::log();
        verdict::judge(&mut log, &index(&sample::problems()));
        let (losses, wins) = extremes(&log, "bitwuzla", 10);
        assert_eq!(names(&losses), ["disputed.smt2", "heavy.btor2", "slow.smt2"]);
        assert_eq!(losses.iter().map(Bout::lost).collect::<Vec<_>>(), [17.0, 16.0, 14.0]);
        assert_eq!(names(&wins), ["hard.smt2", "quick.smt2", "session.smt2"]);
        assert_eq!(wins[0].ratio(), Some(0.1));
        let (losses, wins) = extremes(&log, "bitwuzla", 1);
        assert_eq!((losses.len(), wins.len()), (1, 1));
    }

    #[test]
    fn files_that_neither_solved_are_left_out() {
        let log = sample::log();
        let (losses, wins) = extremes(&log, "yices", 10);
        assert!(!names(&losses).contains(&"slow.smt2".to_owned()), "time-out against error");
        assert!(names(&wins).contains(&"hard.smt2".to_owned()));
    }
}
