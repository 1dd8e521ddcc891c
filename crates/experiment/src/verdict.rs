//! Wrong answers and disagreements.
//!
//! An answer is *wrong* when it contradicts what the file states for that check (the runner compares
//! these, and takes over what a solver reports itself), or what the index of the collection holds. Two
//! solvers *disagree* when one answers sat and the other unsat to the same check; it is unknown which one
//! is wrong, so both are named. So are two runs of one solver from different seeds. Answers after a
//! rejected command are not compared, because from there on the solver works on another problem
//! ([`Run::is_comparable`]).

use crate::log::{Log, Run, Status};
use std::collections::BTreeMap;

/// One solver against what is stated.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The solver.
    pub solver: String,
    /// The file.
    pub file: String,
    /// What the solver answered, check by check.
    pub answers: String,
    /// What is stated, and where.
    pub stated: String,
}

/// Two answers to one check of one file.
#[derive(Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The file.
    pub file: String,
    /// The check, from 1.
    pub check: usize,
    /// Solvers by answer.
    pub camps: BTreeMap<String, Vec<String>>,
}

/// All wrong answers and disagreements.
#[derive(Debug, Default)]
pub struct Verdict {
    /// By solver, then by file.
    pub wrong: Vec<Wrong>,
    /// By file; the first disputed check of each.
    pub disagreements: Vec<Disagreement>,
}

impl Verdict {
    /// Whether there is nothing to report.
    pub fn is_clean(&self) -> bool {
        self.wrong.is_empty() && self.disagreements.is_empty()
    }

    /// Wrong answers and disagreements as Markdown, or a sentence that there are none.
    pub fn findings(&self) -> String {
        if self.is_clean() {
            return "No wrong answers, no disagreements.\n\n".to_owned();
        }
        let (wrong, disputed) = (self.wrong.len(), self.disagreements.len());
        let mut text = format!("## WRONG ANSWERS: {wrong}, DISAGREEMENTS: {disputed}\n\n");
        for one in &self.wrong {
            let Wrong { solver, answers, stated, file } = one;
            text.push_str(&format!("- WRONG {solver}: answers {answers}, stated {stated}: {file}\n"));
        }
        for one in &self.disagreements {
            let camps: Vec<String> = one
                .camps
                .iter()
                .map(|(answer, solvers)| format!("{answer}: {}", solvers.join(", ")))
                .collect();
            let (check, camps, file) = (one.check, camps.join("; "), &one.file);
            text.push_str(&format!("- DISAGREE on check {check} ({camps}): {file}\n"));
        }
        text.push('\n');
        text
    }
}

/// What is known of files from elsewhere: a word for each check.
pub type Index = BTreeMap<String, Vec<String>>;

/// Compares all answers with what is stated and with each other, and marks runs that the index shows to be
/// wrong.
pub fn judge(log: &mut Log, index: &Index) -> Verdict {
    let mut wrong = Vec::new();
    for run in log.runs_mut() {
        let known = index.get(&run.file).map_or(&[][..], Vec::as_slice);
        let by = if run.status == Status::Wrong {
            format!("{} (the file)", listed(run.stated.iter().map(|one| one.as_deref().unwrap_or("-"))))
        } else if run.is_comparable()
            && run.answers.iter().zip(known).any(|(answer, known)| opposed(answer, known))
        {
            run.status = Status::Wrong;
            format!("{} (the index)", listed(known.iter().map(String::as_str)))
        } else {
            continue;
        };
        wrong.push(Wrong {
            solver: run.solver.clone(),
            file: run.instance(),
            answers: listed(run.answers.iter().map(String::as_str)),
            stated: by,
        });
    }
    let mut files = BTreeMap::<&str, Vec<&Run>>::new();
    for run in log.runs().filter(|run| run.is_comparable()) {
        files.entry(&run.file).or_default().push(run);
    }
    let disagreements = files.into_iter().filter_map(|(file, runs)| dispute(file, &runs)).collect();
    Verdict { wrong, disagreements }
}

/// Whether one word is sat and the other unsat.
fn opposed(one: &str, other: &str) -> bool {
    matches!((one, other), ("sat", "unsat") | ("unsat", "sat"))
}

/// At most five words, so that a session of a thousand checks does not flood the page.
fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<&str> = words.collect();
    let head = words.iter().take(5).copied().collect::<Vec<_>>().join(" ");
    if words.len() > 5 { format!("{head} ... ({} in all)", words.len()) } else { head }
}

/// The first check of a file to which two runs answer differently.
fn dispute(file: &str, runs: &[&Run]) -> Option<Disagreement> {
    let checks = runs.iter().map(|run| run.answers.len()).max()?;
    (0..checks).find_map(|check| {
        let mut camps = BTreeMap::<String, Vec<String>>::new();
        for run in runs {
            if let Some(answer) = run.answers.get(check).filter(|answer| *answer != "unknown") {
                let camp = camps.entry(answer.clone()).or_default();
                // Runs come by solver, so seeds of one are neighbours.
                if camp.last() != Some(&run.solver) {
                    camp.push(run.solver.clone());
                }
            }
        }
        (camps.len() > 1).then(|| Disagreement { file: file.to_owned(), check: check + 1, camps })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_sample_has_one_dispute_and_one_answer_against_the_index() {
        let mut log = sample::log();
        let verdict = judge(&mut log, &sample::index());
        let [dispute] = &verdict.disagreements[..] else { panic!("{verdict:?}") };
        assert_eq!((dispute.file.as_str(), dispute.check), ("perf/b/disputed.smt2", 1));
        assert_eq!(dispute.camps["sat"], ["bivalve"]);
        assert_eq!(dispute.camps["unsat"], ["bitwuzla", "yices"]);
        let [wrong] = &verdict.wrong[..] else { panic!("{verdict:?}") };
        assert_eq!((wrong.solver.as_str(), wrong.answers.as_str()), ("bivalve", "sat"));
        assert_eq!(wrong.stated, "unsat (the index)");
        assert_eq!(log.get("bivalve", "perf/b/disputed.smt2").unwrap().status, Status::Wrong);
    }

    #[test]
    fn without_bivalve_only_the_peers_are_to_blame() {
        let mut log = sample::log();
        log.retain(|run| run.solver != "bivalve");
        assert!(judge(&mut log, &sample::index()).is_clean());
        let mut turned = log.get("yices", "perf/b/disputed.smt2").unwrap().clone();
        turned.answers = vec!["sat".to_owned()];
        log.insert(turned);
        let verdict = judge(&mut log, &Index::new());
        let solvers = verdict.disagreements[0].camps.values().flatten();
        assert!(!verdict.is_clean() && solvers.into_iter().all(|solver| solver != "bivalve"));
    }

    #[test]
    fn two_seeds_of_one_solver_may_disagree() {
        let mut log = sample::log();
        log.retain(|run| run.solver == "yices");
        let run = log.get("yices", "perf/a/quick.smt2").unwrap().clone();
        log.insert(Run { seed: 1, answers: vec!["unsat".to_owned()], ..run.clone() });
        log.insert(Run { seed: 2, ..run });
        let verdict = judge(&mut log, &Index::new());
        let [dispute] = &verdict.disagreements[..] else { panic!("{verdict:?}") };
        assert_eq!(
            (&dispute.camps["sat"][..], &dispute.camps["unsat"][..]),
            (&["yices".to_owned()][..], &["yices".to_owned()][..])
        );
    }

    #[test]
    fn answers_after_a_rejected_command_are_not_compared() {
        let mut log = sample::log();
        let mut rejected = log.get("bivalve", "perf/b/disputed.smt2").unwrap().clone();
        rejected.status = Status::Error;
        rejected.note = "(error \"unknown logic\")".to_owned();
        log.insert(rejected);
        assert!(judge(&mut log, &sample::index()).is_clean());
    }

    #[test]
    fn the_runners_own_finding_is_kept() {
        let mut log = sample::log();
        let mut run = log.get("yices", "perf/a/quick.smt2").unwrap().clone();
        run.status = Status::Wrong;
        log.insert(run);
        let verdict = judge(&mut log, &sample::index());
        assert!(
            verdict.wrong.iter().any(|one| one.solver == "yices" && one.stated == "sat (the file)"),
            "{verdict:?}"
        );
    }

    #[test]
    fn long_sessions_are_shortened() {
        assert_eq!(listed(["sat"; 1000].into_iter()), "sat sat sat sat sat ... (1000 in all)");
    }
}
