//! The backend for external commands, with this very program as the command.
//!
//! Started as `external_command --as KIND FILE`, the program plays a SAT solver: `honest` decides the file
//! with the naive engine; the other kinds misbehave in one way each. Started otherwise, it is the test: it
//! hands its own path to the backend. So the test needs no solver on the machine and no shell. It has no test
//! harness for that reason (`harness = false`): it succeeds silently or panics.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use bivalve_sat_adapter::backends::naive::Naive;
use bivalve_sat_adapter::{
    Answer, Budget, ClauseSink, CnfLog, Lit, OneShot, SatResult, Stop, Why, conformance, create,
};

#[expect(clippy::disallowed_methods, reason = "the program reads its own command line to play both parts")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    match &words[1..] {
        [flag, kind, file] if flag == "--as" => play(kind, file),
        _ => {
            let me = std::env::current_exe().expect("a running program has a path");
            test(me.to_str().expect("the path of the build directory is Unicode"));
            ExitCode::SUCCESS
        }
    }
}

/// Behaves like a SAT solver of the given kind.
fn play(kind: &str, file: &str) -> ExitCode {
    let cnf = read(file);
    let answer = Naive::default().solve(&cnf, &[], &Budget::UNLIMITED, &Stop::new());
    let (text, code) = match (kind, answer) {
        ("honest", Answer::Sat(model)) => (satisfiable(&model), 10),
        ("honest", Answer::Unsat) => ("s UNSATISFIABLE\n".to_owned(), 20),
        // The truth, turned round variable by variable.
        ("liar", Answer::Sat(model)) => {
            (satisfiable(&model.iter().map(|value| !value).collect::<Vec<_>>()), 10)
        }
        ("quiet", _) => (String::new(), 0),
        ("sleepy", _) => {
            std::thread::sleep(Duration::from_secs(3600));
            (String::new(), 0)
        }
        _ => ("s UNSATISFIABLE\n".to_owned(), 3),
    };
    std::io::stdout().write_all(text.as_bytes()).expect("the parent reads");
    ExitCode::from(code)
}

fn satisfiable(model: &[bool]) -> String {
    let mut text = "c a model in short lines\ns SATISFIABLE\n".to_owned();
    for (at, &value) in model.iter().enumerate() {
        let lit = Lit::positive(at as u32 + 1);
        text += &format!("v {}\n", if value { lit } else { !lit });
    }
    text + "v 0\n"
}

fn read(file: &str) -> CnfLog {
    let text = std::fs::read_to_string(file).expect("the parent wrote the file");
    let (header, body) = text.split_once('\n').expect("there is a header");
    let variables = header.split(' ').nth(2).and_then(|word| word.parse::<u32>().ok());
    let variables = variables.expect("the header counts variables");
    let mut cnf = CnfLog::new();
    for _ in 0..variables {
        cnf.new_var();
    }
    let mut clause = Vec::new();
    for word in body.split_ascii_whitespace() {
        match Lit::from_dimacs(word.parse().expect("the body consists of numbers")) {
            Some(lit) => clause.push(lit),
            None => cnf.add_clause(&std::mem::take(&mut clause)),
        }
    }
    cnf
}

fn test(me: &str) {
    let solver = |kind: &str| create(&format!("dimacs:{me} --as {kind}")).expect("there is a command");
    // An honest command conforms.
    conformance::run(&|| solver("honest"));
    // A command that misbehaves is not believed.
    for (kind, complaint) in [
        ("liar", "its model does not satisfy the clauses"),
        ("quiet", "it ended without a status line"),
        ("confused", "its exit code speaks against its status line"),
    ] {
        let mut solver = solver(kind);
        let (x, y) = (solver.new_var(), solver.new_var());
        solver.add_clause(&[x, y]);
        solver.add_clause(&[!x, y]);
        let result = solver.solve(&[], &Budget::UNLIMITED);
        assert_eq!(result, SatResult::Unknown(Why::Backend(complaint)), "{kind}");
        assert_eq!(solver.value(y), None, "{kind}");
    }
    // A command that sleeps is killed.
    let mut sleeper = solver("sleepy");
    let x = sleeper.new_var();
    sleeper.add_clause(&[x]);
    let stop = Stop::new();
    sleeper.set_stop(stop.clone());
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.stop(Why::TimeLimit);
    });
    assert_eq!(sleeper.solve(&[], &Budget::UNLIMITED), SatResult::Unknown(Why::TimeLimit));
}
