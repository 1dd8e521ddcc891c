//! From what a process printed to a status and to numbers.
//!
//! Answers are read by [`bivalve_harness::verdicts`]. The status of a run is the first of these that
//! holds: an answer contradicts what the file states (only answers before the first rejected command
//! count, since a solver works on another problem from there on); it ran out of time or of memory; it
//! crashed, rejected a command, or gave fewer answers than there are checks; an answer is `unknown`; else
//! it is solved.
//!
//! A solver may catch the signal for the end of its CPU time and exit, and the system counts the time of a
//! process that was killed in ticks: a solver that gave fewer answers than there are checks and used
//! nearly all of its time is out of time.
//!
//! Numbers come from a line of standard error that is a JSON object, as Bivalve prints it with
//! `--stats=json`: each number in it has the name of its path, `seconds.sat`. True and false are 1 and 0.

use crate::log::Status;
use bivalve_harness::process::Outcome;
use bivalve_harness::{Ending, verdicts};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// So much of the CPU time is nearly all of it.
const NEARLY: f64 = 0.8;

/// The answers that a solver printed, in order.
pub fn answers(output: &str) -> Vec<String> {
    verdicts(output).into_iter().map(|verdict| verdict.word().to_owned()).collect()
}

/// How a run ended that gave these answers to checks with these stated statuses.
pub fn status(
    outcome: &Outcome,
    answers: &[String],
    stated: &[Option<String>],
    cpu_limit: Duration,
) -> Status {
    let rejected = outcome.output.find("(error");
    let valid = rejected.map_or(answers.len(), |at| self::answers(&outcome.output[..at]).len());
    let is_wrong = |(answer, stated): (&String, &Option<String>)| {
        let pair = (answer.as_str(), stated.as_deref().unwrap_or_default());
        matches!(pair, ("sat", "unsat") | ("unsat", "sat"))
    };
    if answers.iter().take(valid).zip(stated).any(is_wrong) {
        return Status::Wrong;
    }
    let is_short = answers.len() < stated.len();
    match outcome.cause() {
        Ending::TimedOut | Ending::Cancelled => return Status::Timeout,
        Ending::OutOfMemory => return Status::Memout,
        Ending::Signal(_) | Ending::Crashed(_) | Ending::NotStarted(_) => return Status::Error,
        Ending::Exited(_) => {}
    }
    if is_short && outcome.cpu.as_secs_f64() >= NEARLY * cpu_limit.as_secs_f64() {
        return Status::Timeout;
    }
    match answers {
        _ if is_short || rejected.is_some() => Status::Error,
        [] => Status::Error,
        _ if answers.iter().any(|answer| answer == "unknown") => Status::Unknown,
        [one] if one == "sat" => Status::Sat,
        [_] => Status::Unsat,
        _ => Status::Solved,
    }
}

/// The statistics that a solver prints.
pub fn numbers(stderr: &str) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    let objects = stderr.lines().filter(|line| line.trim_start().starts_with('{'));
    for object in objects.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let mut todo = vec![(String::new(), object)];
        while let Some((path, value)) = todo.pop() {
            match value {
                Value::Object(fields) => todo.extend(fields.into_iter().map(|(name, value)| {
                    let path = if path.is_empty() { name } else { format!("{path}.{name}") };
                    (path, value)
                })),
                Value::Number(number) => numbers.extend(number.as_f64().map(|number| (path, number))),
                Value::Bool(yes) => numbers.extend([(path, f64::from(u8::from(yes)))]),
                // Lists are long, and words are no numbers.
                Value::Array(_) | Value::String(_) | Value::Null => {}
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    fn judge(output: &str, stated: &[&str], ending: Ending, cpu: f64) -> Status {
        let outcome = Outcome {
            ending,
            output: output.to_owned(),
            stderr: String::new(),
            time: Duration::ZERO,
            cpu: Duration::from_secs_f64(cpu),
            peak: 0,
        };
        let stated: Vec<Option<String>> =
            stated.iter().map(|&word| Some(word.to_owned()).filter(|word| word != "-")).collect();
        status(&outcome, &answers(output), &stated, LIMIT)
    }

    #[test]
    fn the_worst_that_can_be_said_is_the_status() {
        let ended = |output, stated| judge(output, stated, Ending::Exited(0), 1.0);
        assert_eq!(ended("sat\n", &["sat"]), Status::Sat);
        assert_eq!(ended("unsat\n", &["-"]), Status::Unsat);
        assert_eq!(ended("sat\nunsat\n", &["-", "unsat"]), Status::Solved);
        assert_eq!(ended("sat\nunknown\n", &["sat", "sat"]), Status::Unknown);
        assert_eq!(ended("sat\nsat\n", &["sat", "unsat"]), Status::Wrong);
        assert_eq!(ended("sat\n", &["sat", "sat"]), Status::Error);
        assert_eq!(ended("", &[]), Status::Error);
        assert_eq!(ended("(error \"no\")\nsat\n", &["unsat"]), Status::Error, "on another problem");
        assert_eq!(ended("sat\n(error \"no\")\n", &["unsat"]), Status::Wrong);
        assert_eq!(judge("unsat\n", &["sat"], Ending::TimedOut, 10.0), Status::Wrong);
        assert_eq!(judge("sat\n", &["sat"], Ending::TimedOut, 10.0), Status::Timeout);
        assert_eq!(judge("", &["sat"], Ending::Exited(0), 9.0), Status::Timeout);
        assert_eq!(judge("", &["sat"], Ending::Signal(11), 9.0), Status::Error);
        assert_eq!(judge("std::bad_alloc\n", &["sat"], Ending::Signal(6), 9.0), Status::Memout);
    }

    #[test]
    fn numbers_have_the_names_of_their_paths() {
        let printed = "warning: {\n{\"file\":\"x\",\"checks\":2,\"seconds\":{\"sat\":0.5},\"rules\":[[\"a\",1]],\"on\":true,\"none\":null}\n";
        let expected = [("checks", 2.0), ("on", 1.0), ("seconds.sat", 0.5)];
        let numbers = numbers(printed);
        assert_eq!(numbers.iter().map(|(name, value)| (name.as_str(), *value)).collect::<Vec<_>>(), expected);
        assert!(super::numbers("no object").is_empty());
    }
}
