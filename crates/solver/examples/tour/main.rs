//! A tour of the interface: thirteen small programs, one for each of Bitwuzla's examples, by the same names.
//!
//! `cargo run --release -p bivalve --example tour -- NAME` runs one, without a name all; its tests run all.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "programs that show something")]

mod arrays;
mod checksatassuming;
mod functions;
mod options;
mod parsing;
mod printing;
mod pushpop;
mod quickstart;
mod reset;
mod resetassertions;
mod termination;
mod unsatassumptions;
mod unsatcore;

/// What each program returns.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A name and what it runs.
type Program = (&'static str, fn() -> Outcome);

/// The programs by name.
const PROGRAMS: [Program; 13] = [
    ("quickstart", quickstart::run),
    ("options", options::run),
    ("pushpop", pushpop::run),
    ("checksatassuming", checksatassuming::run),
    ("unsatcore", unsatcore::run),
    ("unsatassumptions", unsatassumptions::run),
    ("termination", termination::run),
    ("printing", printing::run),
    ("parsing", parsing::run),
    ("reset", reset::run),
    ("resetassertions", resetassertions::run),
    ("arrays", arrays::run),
    ("functions", functions::run),
];

fn main() -> Outcome {
    let name = std::env::args().nth(1);
    for (program, run) in PROGRAMS.iter().filter(|(program, _)| name.as_deref().is_none_or(|n| n == *program))
    {
        println!("== {program}");
        run()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_program_ends_as_it_says() {
        for (program, run) in super::PROGRAMS {
            assert!(run().is_ok(), "{program}");
        }
    }
}
