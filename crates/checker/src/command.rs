//! The program `bivalve-check SCRIPT CERTIFICATE`: says which checks of a script are shown to be
//! unsatisfiable.
//!
//! It is a function that writes to what it is given, since several packages have the program: `cli`, the
//! Python package, and this one with the feature `program`.

use crate::check::{Checker, Verified};
use crate::lrat::Refutation;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::Path;

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

/// Carries out a command line, without the name of the program; returns the exit status.
pub fn run(args: &[OsString], out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let outcome = obey(args, out).and_then(|()| wrote(out.flush()));
    let told = match outcome {
        Err(Fault::Wrong(why)) => wrote(writeln!(out, "wrong: {why}").and_then(|()| out.flush())).map(|()| 1),
        outcome => outcome.map(|()| 0),
    };
    match told {
        Ok(status) => status,
        Err(Fault::Wrong(why) | Fault::Files(why)) => {
            // Where nothing can be written any more, the exit status is all that can be said.
            let _ = writeln!(err, "{why}");
            2
        }
        Err(Fault::Unread) => 2,
    }
}

fn obey(mut args: &[OsString], out: &mut dyn Write) -> Result<(), Fault> {
    let (mut lrat, mut budget) = (None, 1);
    loop {
        let words: Vec<&str> = args.iter().map(|word| word.to_str().unwrap_or_default()).collect();
        match (&words[..], args) {
            (["--help" | "-h"], _) => return wrote(writeln!(out, "{USAGE}")),
            (["--version"], _) => return wrote(writeln!(out, "bivalve-check {}", env!("CARGO_PKG_VERSION"))),
            (["--lrat", ..], [_, folder, ..]) => lrat = Some(Path::new(folder)),
            (["--budget", factor, ..], _) if factor.parse().is_ok_and(|factor: u64| factor > 0) => {
                budget = factor.parse().unwrap_or(1);
            }
            ([first, _], [script, certificate]) if !first.starts_with("--") => {
                return check(script.as_ref(), certificate.as_ref(), (lrat, budget), out);
            }
            _ => return Err(Fault::Files(USAGE.into())),
        }
        args = args.get(2..).unwrap_or_default();
    }
}

/// Why there is no answer.
enum Fault {
    /// A step is wrong, or the script is not understood.
    Wrong(String),
    /// The command line, or a file that cannot be read or written.
    Files(String),
    /// The reader of standard output is gone.
    Unread,
}

impl From<String> for Fault {
    fn from(why: String) -> Fault {
        Fault::Wrong(why)
    }
}

fn wrote(result: io::Result<()>) -> Result<(), Fault> {
    result.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Fault::Unread,
        _ => Fault::Files(format!("standard output: {error}")),
    })
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, Fault> {
    result.map_err(|error| Fault::Files(format!("{}: {error}", path.display())))
}

fn check(
    script: &Path,
    certificate: &Path,
    (lrat, budget): (Option<&Path>, u64),
    out: &mut dyn Write,
) -> Result<(), Fault> {
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
    for check in 0..checks {
        let is_verified = unsatisfiable.binary_search(&check).is_ok();
        wrote(writeln!(out, "check {check}: {}", if is_verified { "verified" } else { "open" }))?;
    }
    for line in exported {
        wrote(writeln!(out, "{line}"))?;
    }
    wrote(writeln!(
        out,
        "{} steps, {} of them clauses by propagation, {} theorems, 0 trusted steps",
        counts.steps, counts.derived, counts.theorems
    ))
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
    if !refutations.iter().any(|refutation| refutation.name.starts_with(&name)) {
        lines.push(format!("{name}: a contradiction of terms, without clauses"));
    }
    Ok(lines)
}
