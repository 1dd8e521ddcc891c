//! `cargo xtask faults`: are campaigns worth anything?
//!
//! For each deliberate fault of `bivalve-faults` (a mutant, in the words of mutation testing) a Bivalve that
//! has it goes through `bivalve campaign --preset torture` until a finding is confirmed and made small. All
//! solvers that take part have the fault, the plain one and the judge of cores too, as they would have a real
//! one; the reducer confirms a finding with a Bivalve without the fault, which plays the part of other
//! solvers.
//!
//! Faults are in no ordinary build: the binary is built with the feature that brings them in.
//!
//! What is printed, a line for each fault: how long it stayed hidden, in seconds (they depend on the machine)
//! and in cases (they do not); the kind of the finding, as in the log of `bivalve campaign`; the generator
//! that made the case; and the bytes of the small script, without the comments in its head.

use crate::args::FaultsArgs;
use crate::error::{Error, Result};
use crate::place::Place;
use bivalve_faults::{FAULTS, FaultRow};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Scripts that a reader sees at a glance.
const SMALL: usize = 300;

/// What became of a fault.
struct Hunt {
    cases: usize,
    /// Until it was found.
    seconds: f64,
    /// The line of the log in which it was found, and the small script.
    found: Option<(Value, String)>,
}

/// Hunts all faults, or those that are named.
///
/// # Errors
/// When there is no fault of a name, when the build fails, or when a file cannot be written.
pub(crate) fn run(place: &Place, args: &FaultsArgs) -> Result<ExitCode> {
    if let Some(name) = args.names.iter().find(|name| FAULTS.iter().all(|row| row.name != **name)) {
        return Err(Error::Usage(format!("there is no fault '{name}'")));
    }
    let binary = build(place)?;
    let wanted = |row: &&FaultRow| args.names.is_empty() || args.names.iter().any(|name| name == row.name);
    println!(
        "{:<18} {:<8} {:>8} {:>7}  {:<11} {:<18} {:>6}",
        "fault", "part", "seconds", "cases", "kind", "generator", "after"
    );
    let (mut all, mut found, mut small) = (0, 0, 0);
    for row in FAULTS.iter().filter(wanted) {
        let hunt = hunt(&binary, row, args)?;
        println!("{}", line(row, &hunt));
        all += 1;
        if let Some((_, text)) = &hunt.found {
            found += 1;
            small += usize::from(body(text) < SMALL);
            if let Some(out) = &args.out {
                let path = out.join(format!("{}.smt2", row.name));
                let kept = fs::create_dir_all(out).and_then(|()| fs::write(&path, text));
                kept.map_err(Error::io(&path))?;
            }
        }
    }
    println!("seed {}: {found} of {all} found, {small} of them under {SMALL} bytes", args.seed);
    Ok(ExitCode::from(u8::from(found < all)))
}

/// The binary, built with faults.
fn build(place: &Place) -> Result<PathBuf> {
    let target = place.root().join("target/faults");
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    cargo.current_dir(place.root()).args(["build", "--release", "--package", "cli", "--features", "faults"]);
    let status = cargo.arg("--target-dir").arg(&target).status().map_err(Error::io(Path::new("cargo")))?;
    match status.success() {
        true => Ok(target.join("release/bivalve")),
        false => Err(Error::Failed {
            command: "cargo build -p cli --features faults".to_owned(),
            status,
            tail: String::new(),
        }),
    }
}

/// Runs a campaign on a Bivalve with a fault until something is found, which is made small.
fn hunt(binary: &Path, row: &FaultRow, args: &FaultsArgs) -> Result<Hunt> {
    let folder = std::env::temp_dir().join(format!("bivalve-fault-{}-{}", row.name, std::process::id()));
    let mut campaign = Command::new(binary);
    campaign.args(["campaign", "--preset", "torture", "--json", "--quiet", "--stop-after", "1"]);
    campaign.args(["--always", &format!("plant={}", row.name)]);
    campaign.args(["--count", &args.cases.to_string(), "--seed", &args.seed.to_string()]);
    campaign.args(["--jobs", &args.jobs.unwrap_or(0).to_string()]).arg("--reduce").arg(&folder);
    let begin = Instant::now();
    let output = campaign.stderr(Stdio::null()).output().map_err(Error::io(binary))?;
    let seconds = begin.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().and_then(|line| serde_json::from_str(line).ok());
    let texts: Result<Vec<String>> = match folder.is_dir() {
        true => {
            scripts(&folder)?.iter().map(|path| fs::read_to_string(path).map_err(Error::io(path))).collect()
        }
        false => Ok(vec![]),
    };
    let smallest = texts?.into_iter().min_by_key(|text| body(text));
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(Error::io(&folder))?;
    }
    Ok(Hunt { cases: text.lines().count(), seconds, found: last.zip(smallest) })
}

/// The scripts below a folder, sorted.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (vec![], vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
            let path = entry.map_err(Error::io(&folder))?.path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|extension| extension == "smt2") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The bytes of a script without its comments.
fn body(text: &str) -> usize {
    text.lines().filter(|line| !line.starts_with(';')).map(|line| line.len() + 1).sum()
}

/// Whether a result in the log of a campaign is wrong, or a crash.
fn is_finding(result: &Value) -> bool {
    let is_wrong = result["kind"].as_str().is_some_and(|kind| kind.starts_with("Wrong"));
    result["crash"] == true || is_wrong && result["imprecise"] != true
}

fn line(row: &FaultRow, hunt: &Hunt) -> String {
    let (generator, kind, after) = match &hunt.found {
        None => ("not found", "-", "-".to_owned()),
        Some((record, text)) => {
            let results = record["results"].as_array().into_iter().flatten();
            let kind = results.filter(|result| is_finding(result)).find_map(|result| result["kind"].as_str());
            (record["group"].as_str().unwrap_or("?"), kind.unwrap_or("?"), body(text).to_string())
        }
    };
    format!(
        "{:<18} {:<8} {:>8.1} {:>7}  {kind:<11} {generator:<18} {after:>6}",
        row.name,
        row.part.name(),
        hunt.seconds,
        hunt.cases,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The field names are those of `bivalve-judge`, on which this crate does not depend, so that it is
    /// built in seconds.
    #[test]
    fn findings_are_told_by_the_log() {
        let finding = |text: &str| is_finding(&serde_json::from_str(text).expect("JSON"));
        assert!(finding(r#"{"kind":"WrongModel","detail":"x"}"#));
        assert!(finding(r#"{"kind":"Error","crash":true}"#));
        assert!(!finding(r#"{"kind":"WrongCore","imprecise":true}"#));
        assert!(!finding(r#"{"kind":"Passed"}"#));
    }
}
