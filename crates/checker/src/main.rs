//! `bivalve-check SCRIPT CERTIFICATE`: says which checks of a script are shown to be unsatisfiable.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program")]

use bivalve_checker::check::{Checker, Verified};
use bivalve_checker::lrat::Refutation;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: bivalve-check [--lrat FOLDER] SCRIPT CERTIFICATE

Checks that a certificate shows what it says of a script of SMT-LIB 2. Prints one line for each check of the
script: 'verified' where the certificate shows that it is unsatisfiable, 'open' where it says nothing.

  --lrat FOLDER  Write the clausal part of each verified check to FOLDER, for other checkers: check-N.cnf in
                 DIMACS and check-N.lrat in LRAT; the same for theorems that clauses prove: theorem-N.cnf and
                 theorem-N.lrat. FOLDER is made where there is none; files of these names are replaced.

Exit status: 0 if each step is right, 1 if one is wrong or the script is not understood, 2 if a file cannot be
read or written or the command line is wrong.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        ["--version"] => {
            println!("bivalve-check {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        ["--lrat", folder, script, certificate] => check(script, certificate, Some(Path::new(folder))),
        [script, certificate] if !script.starts_with("--") => check(script, certificate, None),
        _ => Err(Fault::Files(USAGE.into())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Fault::Wrong(why)) => {
            println!("wrong: {why}");
            ExitCode::from(1)
        }
        Err(Fault::Files(why)) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
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

fn check(script: &str, certificate: &str, lrat: Option<&Path>) -> Result<(), Fault> {
    let text = at(Path::new(script), std::fs::read_to_string(script))?;
    let file = BufReader::with_capacity(1 << 16, at(Path::new(certificate), File::open(certificate))?);
    let mut checker = Checker::new(&text, file)?;
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
        println!("check {check}: {}", if is_verified { "verified" } else { "open" });
    }
    exported.iter().for_each(|line| println!("{line}"));
    println!(
        "{} steps, {} of them clauses by propagation, {} theorems, 0 trusted steps",
        counts.steps, counts.derived, counts.theorems
    );
    Ok(())
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
