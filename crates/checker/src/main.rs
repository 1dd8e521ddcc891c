//! `bivalve-check SCRIPT CERTIFICATE`: says which checks of a script are shown to be unsatisfiable.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program")]

use bivalve_checker::check::{Checker, Verified};
use bivalve_checker::lrat::Refutation;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: bivalve-check [--lrat FOLDER] [--budget N] SCRIPT CERTIFICATE

Checks that a certificate shows what it says of a script of SMT-LIB 2. Prints one line for each check of the
script: 'verified' where the certificate shows that it is unsatisfiable, 'open' where it says nothing.

  --lrat FOLDER  Write the clausal part of each verified check to FOLDER, for other checkers: check-N.cnf in
                 DIMACS and check-N.lrat in LRAT; the same for theorems that clauses prove: theorem-N.cnf and
                 theorem-N.lrat. FOLDER is made where there is none; files of these names are replaced.
  --budget N     Spend N times the steps and bytes of memory that are usual for so long a script and
                 certificate (default 1); what would take more is refused.

Exit status: 0 if each step is right, 1 if one is wrong or the script is not understood, 2 if a file cannot be
read or written or the command line is wrong.";

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (text, code) = match run(&args) {
        Ok(text) => (text, 0),
        Err(Fault::Wrong(why)) => (format!("wrong: {why}\n"), 1),
        Err(Fault::Files(why)) => {
            // Nothing is left to tell where this fails, too.
            let _ = writeln!(std::io::stderr(), "{why}");
            return ExitCode::from(2);
        }
    };
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "standard output cannot be written: {error}");
            ExitCode::from(2)
        }
    }
}

/// What is printed.
fn run(args: &[OsString]) -> Result<String, Fault> {
    let (mut lrat, mut budget, mut next) = (None, 1, 0);
    // Names of files need not be text.
    let words: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
    let path = |at: usize| Path::new(&args[at]);
    loop {
        match words[next..] {
            ["--help" | "-h"] => return Ok(format!("{USAGE}\n")),
            ["--version" | "-V"] => return Ok(format!("bivalve-check {}\n", env!("CARGO_PKG_VERSION"))),
            ["--lrat", _, ..] => lrat = Some(path(next + 1)),
            ["--budget", factor, ..] if factor.parse().is_ok_and(|factor: u64| factor > 0) => {
                budget = factor.parse().unwrap_or(1);
            }
            [script, _] if !script.starts_with("--") => {
                return check(path(next), path(next + 1), lrat, budget);
            }
            _ => return Err(Fault::Files(USAGE.into())),
        }
        next += 2;
    }
}

/// Why there is no answer.
enum Fault {
    /// A step is wrong, or the script is not understood.
    Wrong(String),
    /// The command line, or a file that cannot be read or written.
    Files(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Fault {
        Fault::Wrong(why)
    }
}

fn at<T>(path: &Path, result: std::io::Result<T>) -> Result<T, Fault> {
    result.map_err(|error| Fault::Files(format!("{}: {error}", path.display())))
}

fn check(script: &Path, certificate: &Path, lrat: Option<&Path>, budget: u64) -> Result<String, Fault> {
    let text = at(script, std::fs::read_to_string(script))?;
    let file = BufReader::with_capacity(1 << 16, at(certificate, File::open(certificate))?);
    let mut checker = Checker::new(&text, file)?;
    checker.allow(budget);
    if let Some(folder) = lrat {
        at(folder, std::fs::create_dir_all(folder))?;
        checker.keep_refutations();
    }
    let mut exported = vec![];
    while let Some(number) = checker.next_verified()? {
        if let Some(folder) = lrat {
            exported.extend(export(folder, number, &checker.take_refutations())?);
        }
    }
    let Verified { checks, unsatisfiable, counts } = checker.verified();
    let mut lines = vec![];
    for check in 0..checks {
        let is_verified = unsatisfiable.binary_search(&check).is_ok();
        lines.push(format!("check {check}: {}", if is_verified { "verified" } else { "open" }));
    }
    lines.extend(exported);
    lines.push(format!(
        "{} steps, {} of them clauses by propagation, {} theorems, 0 trusted steps\n",
        counts.steps, counts.derived, counts.theorems
    ));
    Ok(lines.join("\n"))
}

/// Writes the clausal parts of a check and of the theorems before it; gives a line about each.
fn export(folder: &Path, check: u64, refutations: &[Refutation]) -> Result<Vec<String>, Fault> {
    let mut lines = vec![];
    for Refutation { name, inputs, derived, cnf, lrat } in refutations {
        for (extension, text) in [("cnf", cnf), ("lrat", lrat)] {
            let path = folder.join(format!("{name}.{extension}"));
            at(&path, std::fs::write(&path, text))?;
        }
        lines.push(format!("{name}.lrat: {derived} clauses derived from {inputs}"));
    }
    let name = format!("check-{check}");
    if refutations.iter().all(|refutation| refutation.name != name) {
        lines.push(format!("{name}: a contradiction of terms, without clauses"));
    }
    Ok(lines)
}
