//! `bivalve-check SCRIPT CERTIFICATE`: says which checks of a script are shown to be unsatisfiable.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program")]

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

const USAGE: &str = "usage: bivalve-check SCRIPT CERTIFICATE

Checks that a certificate shows what it says of a script of SMT-LIB 2. Prints one line for each check of the
script: 'verified' where the certificate shows that it is unsatisfiable, 'open' where it says nothing.

Exit status: 0 if each step is right, 1 if one is wrong or the script is not understood, 2 if a file cannot be
read or the command line is wrong.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [flag] if flag == "--help" || flag == "-h" => println!("{USAGE}"),
        [flag] if flag == "--version" => println!("bivalve-check {}", env!("CARGO_PKG_VERSION")),
        [script, certificate] => return check(script, certificate),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn check(script: &str, certificate: &str) -> ExitCode {
    let text = match std::fs::read_to_string(script) {
        Ok(text) => text,
        Err(error) => return unreadable(script, &error),
    };
    let file = match File::open(certificate) {
        Ok(file) => BufReader::with_capacity(1 << 16, file),
        Err(error) => return unreadable(certificate, &error),
    };
    match bivalve_checker::check::check(&text, file) {
        Ok(verified) => {
            for check in 0..verified.checks {
                let is_verified = verified.unsatisfiable.binary_search(&check).is_ok();
                println!("check {check}: {}", if is_verified { "verified" } else { "open" });
            }
            let counts = verified.counts;
            println!(
                "{} steps, {} of them clauses by propagation, {} theorems, 0 trusted steps",
                counts.steps, counts.derived, counts.theorems
            );
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("wrong: {why}");
            ExitCode::from(1)
        }
    }
}

fn unreadable(path: &str, error: &std::io::Error) -> ExitCode {
    eprintln!("{path}: {error}");
    ExitCode::from(2)
}
