//! The scores by family of files: where a solver is good, and where it is not.
//!
//! A sum over a whole set hides that one family decides it. For each family this gives the PAR-2 of one
//! solver, the subject, beside that of the solver that is best *on that family* among the others. A file that
//! a solver did not run on counts as unsolved for it. Families come in the order of seconds lost to the best
//! one, the worst first: a list of what to work on.

use crate::log::{Log, Run};
use crate::setup::Setup;
use std::collections::BTreeMap;

/// One family's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// Files of it that the subject ran on.
    pub files: usize,
    /// How the subject did.
    pub ours: Standing,
    /// The best other and how it did; `None` without others.
    pub best: Option<(String, Standing)>,
}

/// How one solver did on one family.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Files solved.
    pub solved: usize,
    /// CPU seconds, unsolved files at twice the limit.
    pub par2: f64,
}

impl Family {
    /// Seconds of PAR-2 lost to the best other; negative when the subject is best.
    pub fn lost(&self) -> f64 {
        self.best.as_ref().map_or(0.0, |(_, best)| self.ours.par2 - best.par2)
    }
}

/// All families on which `subject` ran, those where it loses most first.
pub fn families(log: &Log, setup: &Setup, subject: &str) -> Vec<Family> {
    let family_of: BTreeMap<&str, &str> =
        setup.subjects.iter().map(|one| (one.file.as_str(), one.family.as_str())).collect();
    let mut members = BTreeMap::<&str, Vec<&Run>>::new();
    for run in log.of(subject) {
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
            ours: standing(log, subject, &runs),
            best: log
                .others(subject)
                .map(|other| (other.to_owned(), standing(log, other, &runs)))
                .min_by(|(_, a), (_, b)| a.par2.total_cmp(&b.par2)),
        })
        .collect();
    families.sort_by(|a, b| b.lost().total_cmp(&a.lost()).then_with(|| a.name.cmp(&b.name)));
    families
}

/// How a solver did on the instances of these runs of the subject.
fn standing(log: &Log, solver: &str, files: &[&Run]) -> Standing {
    files.iter().fold(Standing::default(), |sum, ours| match log.get(solver, &ours.instance()) {
        Some(run) => {
            Standing { solved: sum.solved + usize::from(run.status.is_solved()), par2: sum.par2 + run.par2() }
        }
        None => Standing { par2: sum.par2 + 2.0 * ours.timeout, ..sum },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sample, verdict};

    #[test]
    fn the_best_other_may_differ_from_family_to_family() {
        let mut log = sample::log();
        verdict::judge(&mut log, &sample::index());
        let families = families(&log, &sample::setup(&log), "bivalve");
        let [worst, other] = &families[..] else { panic!("two families") };
        // disputed (wrong), hard, heavy: 20 + 2 + 20, 3 + 20 + 4 for Bitwuzla; Yices does not read one.
        let (name, standing) = (worst.name.as_str(), Standing { solved: 1, par2: 42.0 });
        assert_eq!((name, worst.files, worst.ours), ("b", 3, standing));
        assert_eq!(worst.best, Some(("bitwuzla".to_owned(), Standing { solved: 2, par2: 27.0 })));
        assert_eq!(other.ours, Standing { solved: 2, par2: 22.0 });
        assert_eq!(other.best, Some(("bitwuzla".to_owned(), Standing { solved: 3, par2: 9.0 })));
        assert_eq!((worst.lost(), other.lost()), (15.0, 13.0));
    }

    #[test]
    fn without_others_there_is_no_best() {
        let mut log = sample::log();
        log.retain(|run| run.solver == "bivalve");
        let families = families(&log, &sample::setup(&log), "bivalve");
        assert_eq!((families[0].best.as_ref(), families[0].lost()), (None, 0.0));
    }
}
