//! Wrong answers and disagreements: the only result of a measurement that must never be overlooked.
//!
//! An answer is *wrong* when it contradicts what the file states for that check (the runner compares these, and
//! also believes a solver that says so itself), or what the index of the collection holds. Two solvers *disagree*
//! when one says sat and the other unsat to the same check; then nobody knows yet which one is wrong, so both are
//! named. Answers after a rejected command are not compared, because from there on the solver works on
//! another problem ([`Run::is_comparable`]).
//!
//! The verdict is also the exit code: 1 when Bivalve is involved, 3 when only peers are.

use super::log::{Log, OURS, Run, Status};
use super::select::Problem;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// One solver against what is stated.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The solver.
    pub(crate) solver: String,
    /// The file.
    pub(crate) file: String,
    /// What the solver answered, check by check.
    pub(crate) answers: String,
    /// What is stated, and by whom.
    pub(crate) stated: String,
}

/// Two camps on one check of one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Disagreement {
    /// The file.
    pub(crate) file: String,
    /// The check, from 1.
    pub(crate) check: usize,
    /// Solvers by answer.
    pub(crate) camps: BTreeMap<String, Vec<String>>,
}

/// Everything that should worry us.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// By solver, then by file.
    pub(crate) wrong: Vec<Wrong>,
    /// By file; the first disputed check of each.
    pub(crate) disagreements: Vec<Disagreement>,
}

impl Verdict {
    /// Whether there is nothing to report.
    pub(crate) fn is_clean(&self) -> bool {
        self.wrong.is_empty() && self.disagreements.is_empty()
    }

    /// Whether Bivalve is wrong, or a party to a disagreement.
    pub(crate) fn involves_us(&self) -> bool {
        let party = |one: &Disagreement| one.camps.values().flatten().any(|solver| solver == OURS);
        self.wrong.iter().any(|one| one.solver == OURS) || self.disagreements.iter().any(party)
    }

    /// 0 when clean, 1 when Bivalve is involved, 3 when only peers are.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match (self.is_clean(), self.involves_us()) {
            (true, _) => ExitCode::SUCCESS,
            (false, true) => ExitCode::from(1),
            (false, false) => ExitCode::from(3),
        }
    }
}

/// Compares all answers with what is stated and with each other, and marks runs that the index shows to be wrong.
pub(crate) fn judge(log: &mut Log, problems: &[Problem]) -> Verdict {
    let index: BTreeMap<&str, Vec<&str>> = problems
        .iter()
        .filter_map(|one| Some((one.file.as_str(), one.status.as_deref()?.split(',').collect())))
        .collect();
    let mut wrong = Vec::new();
    for run in log.runs_mut() {
        let known = index.get(run.file.as_str()).map_or(&[][..], Vec::as_slice);
        let by = if run.status == Status::Wrong {
            format!("{} (the file)", listed(run.stated.iter().map(|one| one.as_deref().unwrap_or("-"))))
        } else if run.is_comparable()
            && run.answers.iter().zip(known).any(|(said, known)| opposed(said, known))
        {
            run.status = Status::Wrong;
            format!("{} (the index)", listed(known.iter().copied()))
        } else {
            continue;
        };
        wrong.push(Wrong {
            solver: run.solver.clone(),
            file: run.file.clone(),
            answers: listed(run.answers.iter().map(String::as_str)),
            stated: by,
        });
    }
    let disagreements = log.files().into_iter().filter_map(|file| dispute(log, file)).collect();
    Verdict { wrong, disagreements }
}

/// Whether one word says sat and the other unsat.
fn opposed(one: &str, other: &str) -> bool {
    matches!((one, other), ("sat", "unsat") | ("unsat", "sat"))
}

/// At most five words, so that a session of a thousand checks does not flood the page.
fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<&str> = words.collect();
    let head = words.iter().take(5).copied().collect::<Vec<_>>().join(" ");
    if words.len() > 5 { format!("{head} ... ({} in all)", words.len()) } else { head }
}

/// The first check of a file to which two solvers answer differently.
fn dispute(log: &Log, file: &str) -> Option<Disagreement> {
    let runs: Vec<&Run> =
        log.solvers().filter_map(|solver| log.get(solver, file)).filter(|run| run.is_comparable()).collect();
    let checks = runs.iter().map(|run| run.answers.len()).max()?;
    (0..checks).find_map(|check| {
        let mut camps = BTreeMap::<String, Vec<String>>::new();
        for run in &runs {
            if let Some(answer) = run.answers.get(check).filter(|answer| *answer != "unknown") {
                camps.entry(answer.clone()).or_default().push(run.solver.clone());
            }
        }
        (camps.len() > 1).then(|| Disagreement { file: file.to_owned(), check: check + 1, camps })
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_sample_has_one_dispute_and_one_answer_against_the_index() {
        let mut log = sample::log();
        let verdict = judge(&mut log, &sample::problems());
        let [dispute] = &verdict.disagreements[..] else { panic!("{verdict:?}") };
        assert_eq!((dispute.file.as_str(), dispute.check), ("perf/b/disputed.smt2", 1));
        assert_eq!(dispute.camps["sat"], ["bivalve"]);
        assert_eq!(dispute.camps["unsat"], ["bitwuzla", "yices"]);
        let [wrong] = &verdict.wrong[..] else { panic!("{verdict:?}") };
        assert_eq!((wrong.solver.as_str(), wrong.answers.as_str()), ("bivalve", "sat"));
        assert_eq!(wrong.stated, "unsat (the index)");
        assert_eq!(log.get("bivalve", "perf/b/disputed.smt2").unwrap().status, Status::Wrong);
        assert!(verdict.involves_us());
    }

    #[test]
    fn without_bivalve_only_the_peers_are_to_blame() {
        let mut log = sample::log();
        log.retain(|run| run.solver != OURS);
        assert!(judge(&mut log, &sample::problems()).is_clean());
        let mut turned = log.get("yices", "perf/b/disputed.smt2").unwrap().clone();
        turned.answers = vec!["sat".to_owned()];
        log.insert(turned);
        let verdict = judge(&mut log, &[]);
        assert!(!verdict.is_clean() && !verdict.involves_us());
        assert_eq!(format!("{:?}", verdict.exit_code()), format!("{:?}", ExitCode::from(3)));
    }

    #[test]
    fn answers_after_a_rejected_command_are_not_compared() {
        let mut log = sample::log();
        let mut rejected = log.get("bivalve", "perf/b/disputed.smt2").unwrap().clone();
        rejected.status = Status::Error;
        rejected.note = "(error \"unknown logic\")".to_owned();
        log.insert(rejected);
        assert!(judge(&mut log, &sample::problems()).is_clean());
    }

    #[test]
    fn the_runners_own_finding_is_kept() {
        let mut log = sample::log();
        let mut run = log.get("yices", "perf/a/quick.smt2").unwrap().clone();
        run.status = Status::Wrong;
        log.insert(run);
        let verdict = judge(&mut log, &sample::problems());
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
