//! The scores by family of files: where Bivalve stands well, and where it does not.
//!
//! A sum over a whole set hides that one family decides it. For each family this gives Bivalve's PAR-2 beside
//! that of the peer that is best *on that family*, so the comparison is with the strongest there, not with
//! one peer throughout. A file that a peer does not read counts as unsolved for it, as a user would see it.
//! Families come in the order of seconds lost to the best peer, the worst first: a list of what to work on.

use super::OURS;
use super::select::Problem;
use bivalve_experiment::log::{Log, Run};
use std::collections::BTreeMap;

/// One family's line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Family {
    /// Its name.
    pub(crate) name: String,
    /// Files of it that Bivalve ran on.
    pub(crate) files: usize,
    /// How Bivalve did.
    pub(crate) ours: Standing,
    /// The best peer and how it did; `None` without peers.
    pub(crate) best: Option<(String, Standing)>,
}

/// How one solver did on one family.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Standing {
    /// Files solved.
    pub(crate) solved: usize,
    /// CPU seconds, unsolved files at twice the limit.
    pub(crate) par2: f64,
}

impl Family {
    /// Seconds of PAR-2 lost to the best peer; negative when Bivalve is best.
    pub(crate) fn lost(&self) -> f64 {
        self.best.as_ref().map_or(0.0, |(_, best)| self.ours.par2 - best.par2)
    }
}

/// All families on which Bivalve ran, those where it loses most first.
pub(crate) fn families(log: &Log, problems: &[Problem]) -> Vec<Family> {
    let family_of: BTreeMap<&str, &str> =
        problems.iter().map(|one| (one.file.as_str(), one.family.as_str())).collect();
    let mut members = BTreeMap::<&str, Vec<&Run>>::new();
    for run in log.of(OURS) {
        members
            .entry(family_of.get(run.file.as_str()).copied().unwrap_or("(unknown)"))
            .or_default()
            .push(run);
    }
    let mut families: Vec<Family> = members
        .into_iter()
        .map(|(name, runs)| Family {
            name: name.to_owned(),
            files: runs.len(),
            ours: standing(log, OURS, &runs),
            best: log
                .others(OURS)
                .map(|peer| (peer.to_owned(), standing(log, peer, &runs)))
                .min_by(|(_, a), (_, b)| a.par2.total_cmp(&b.par2)),
        })
        .collect();
    families.sort_by(|a, b| b.lost().total_cmp(&a.lost()).then_with(|| a.name.cmp(&b.name)));
    families
}

/// How a solver did on the files of these runs of ours.
fn standing(log: &Log, solver: &str, files: &[&Run]) -> Standing {
    files.iter().fold(Standing::default(), |sum, ours| match log.get(solver, &ours.file) {
        Some(run) => {
            Standing { solved: sum.solved + usize::from(run.status.is_solved()), par2: sum.par2 + run.par2() }
        }
        None => Standing { par2: sum.par2 + 2.0 * ours.timeout, ..sum },
    })
}

#[cfg(test)]
mod tests {
    use super::super::{index, sample};
    use super::*;
    use bivalve_experiment::verdict;

    #[test]
    fn the_best_peer_may_differ_from_family_to_family() {
        let mut log = sample::log();
        verdict::judge(&mut log, &index(&sample::problems()));
        let [worst, other] = &families(&log, &sample::problems())[..] else { panic!("two families") };
        // disputed (wrong), hard, heavy: 20 + 2 + 20 for us, 3 + 20 + 4 for Bitwuzla; Yices does not read
        // one.
        assert_eq!(
            (worst.name.as_str(), worst.files, worst.ours),
            ("hard things", 3, Standing { solved: 1, par2: 42.0 })
        );
        assert_eq!(worst.best, Some(("bitwuzla".to_owned(), Standing { solved: 2, par2: 27.0 })));
        assert_eq!(other.ours, Standing { solved: 2, par2: 22.0 });
        assert_eq!(other.best, Some(("bitwuzla".to_owned(), Standing { solved: 3, par2: 9.0 })));
        assert_eq!((worst.lost(), other.lost()), (15.0, 13.0));
    }

    #[test]
    fn without_peers_there_is_no_best() {
        let mut log = sample::log();
        log.retain(|run| run.solver == OURS);
        let families = families(&log, &[]);
        assert_eq!(families.len(), 1, "no selection: one unknown family");
        assert_eq!((families[0].best.as_ref(), families[0].lost()), (None, 0.0));
    }
}
