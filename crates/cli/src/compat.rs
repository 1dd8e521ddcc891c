//! Command lines of other solvers: their flags in our words.
//!
//! A client starts the solver it was written for with the flags of that solver. Here a table has what each
//! flag means; what is on no list stays as it is, and is refused by the parser of our own flags. The same
//! letter means different things to different solvers (`-t 5` is five seconds to Yices and five milliseconds
//! to Bitwuzla), so there is a table for each solver, chosen by `--compat NAME` or by the name the program
//! was called by, and one for flags that mean the same to all who have them. Without such a name none of them
//! is in force.
//!
//! Most flags mean nothing here: models and incremental solving are always on, and other ways to print are
//! not offered. They are listed one by one all the same, so that no unknown flag is ignored.

use std::ffi::OsString;
use std::path::Path;

/// A solver whose command line is understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Persona {
    Z3,
    Cvc5,
    Yices,
    Boolector,
    Bitwuzla,
    Stp,
    MathSat,
}

/// The names for `--compat`.
pub(crate) const PERSONAS: [&str; 7] = ["z3", "cvc5", "yices", "boolector", "bitwuzla", "stp", "mathsat"];

/// How a flag is written.
#[derive(Clone, Copy)]
enum Takes {
    /// `-flag`.
    Nothing,
    /// `-flag VALUE` or `-flag=VALUE`.
    Value,
    /// The flag, whatever separates, and the value are one word: `-T:5`, `pp.max_depth=3`.
    Joined,
    /// `name=value`, a parameter with a name that begins so.
    Parameter,
}

/// What a flag is in our words.
#[derive(Clone, Copy)]
enum Becomes {
    /// It changes nothing here.
    Nothing,
    /// These words.
    Words(&'static [&'static str]),
    /// Our flag with the same value in this unit. A limit of 0 is none.
    Limit(&'static str, &'static str),
    /// Our flag with the same value.
    Flag(&'static str),
    /// `--set-option` with the same name and value.
    Option,
}

use Becomes::{Flag, Limit, Words};
use Takes::{Joined, Parameter, Value};

/// A row: the ways to write a flag, what it takes, and what it is.
type Row = (&'static [&'static str], Takes, Becomes);

const CORES: Becomes = Words(&["--set-option", "produce-unsat-cores=true"]);

const VERSION: Becomes = Words(&["--version"]);

/// Flags that mean the same to every solver that has them.
static ALL: &[Row] = &[
    (&["-i", "--incremental", "-m", "--model-gen", "--produce-models"], Takes::Nothing, Becomes::Nothing),
    (&["--smt2", "-smt2", "-in", "-st", "-q", "--quiet", "-v:0"], Takes::Nothing, Becomes::Nothing),
    (&["--interactive", "--no-interactive", "--arrays-exp"], Takes::Nothing, Becomes::Nothing),
    (&["--produce-unsat-assumptions", "--produce-assignments"], Takes::Nothing, Becomes::Nothing),
    (&["--smt2-model-format", "--abstraction"], Takes::Nothing, Becomes::Nothing),
    (&["--bvconst-in-decimal"], Takes::Nothing, Words(&["--bv-output-format", "10"])),
    (&["--produce-unsat-cores"], Takes::Nothing, CORES),
    (&["--print-success"], Takes::Nothing, Words(&["--set-option", "print-success=true"])),
    (&["-L"], Value, Flag("--lang")),
    (&["--output-format=smt2", "--output-lang=smt2"], Takes::Nothing, Becomes::Nothing),
];

static Z3: &[Row] = &[
    (&["-T:"], Joined, Limit("--time-limit", "s")),
    (&["-t:"], Joined, Limit("--time-limit-per", "ms")),
    (&["-memory:", "memory_max_size="], Joined, Limit("--memory-limit", "M")),
    (&["-nw", "-model", "-sat", "-smt", "/smt2", "/in", "/st", "/nw"], Takes::Nothing, Becomes::Nothing),
    (&["-version", "/version"], Takes::Nothing, VERSION),
    (&["-v:", "/v:"], Joined, Becomes::Nothing),
    // Parameters have the names of options.
    (&[""], Parameter, Becomes::Option),
];

static CVC5: &[Row] = &[
    (&["--tlimit"], Value, Limit("--time-limit", "ms")),
    (&["--tlimit-per"], Value, Limit("--time-limit-per", "ms")),
    (&["--rlimit", "--rlimit-per"], Value, Flag("--conflict-limit")),
    (&["--minimal-unsat-cores"], Takes::Nothing, Words(&["--minimize-core", "on"])),
    (
        &["--dump-models", "--dump-unsat-cores", "--check-models", "--no-check-models"],
        Takes::Nothing,
        Becomes::Nothing,
    ),
    (&["--stats"], Takes::Nothing, Words(&["--stats"])),
    (
        &["--seed", "--sat-random-seed", "--bitblast", "--bv-sat-solver", "--verbosity"],
        Value,
        Becomes::Nothing,
    ),
    (&["--strings-exp", "--fmf-fun", "--no-incremental", "-v"], Takes::Nothing, Becomes::Nothing),
    (&["--bv-div-zero-const", "--fp-exp", "--no-interactive-prompt"], Takes::Nothing, Becomes::Nothing),
    (&["--model-witness-value", "--bv-eager-explanations"], Takes::Nothing, Becomes::Nothing),
    (&["--bv-solver", "--decision", "--simplification", "--force-logic"], Value, Becomes::Nothing),
    (&["--no-strict-parsing", "--no-condense-function-values"], Takes::Nothing, Becomes::Nothing),
    (&["--bv-print-consts-as-indexed-symbols"], Takes::Nothing, Words(&["--bv-output-format", "10"])),
];

static YICES: &[Row] = &[
    (&["-t", "--timeout"], Value, Limit("--time-limit", "s")),
    (&["-s", "--stats"], Takes::Nothing, Words(&["--stats"])),
    (&["--mcsat"], Takes::Nothing, Becomes::Nothing),
    (&["-v", "--verbosity", "--delegate", "-n", "--nthreads"], Value, Becomes::Nothing),
];

static BOOLECTOR: &[Row] = &[
    (&["-t", "--time"], Value, Limit("--time-limit", "s")),
    (&["-e", "--exit-codes"], Value, Flag("--exit-codes")),
    (&["--no-exit-codes"], Takes::Nothing, Words(&["--exit-codes=off"])),
    (&["-x", "--hex"], Takes::Nothing, Words(&["--bv-output-format", "16"])),
    (&["-d", "--dec"], Takes::Nothing, Words(&["--bv-output-format", "10"])),
    (&["--bin"], Takes::Nothing, Words(&["--bv-output-format", "2"])),
    (
        &["-s", "--seed", "-rwl", "--rewrite-level", "-SE", "--sat-engine", "-E", "--engine"],
        Value,
        Becomes::Nothing,
    ),
    (&["--auto-cleanup", "--pretty-print"], Takes::Nothing, Becomes::Nothing),
];

static BITWUZLA: &[Row] = &[
    (&["-t", "--time-limit"], Value, Limit("--time-limit", "ms")),
    (&["-T", "--time-limit-per"], Value, Limit("--time-limit-per", "ms")),
    (&["-M", "--memory-limit"], Value, Limit("--memory-limit", "M")),
    (&["--bv-output-format"], Value, Flag("--bv-output-format")),
    (&["--minimize-unsat-cores"], Takes::Nothing, Words(&["--minimize-core", "on"])),
    (
        &["-s", "--seed", "-S", "--sat-solver", "-rwl", "--rewrite-level", "--bv-solver"],
        Value,
        Becomes::Nothing,
    ),
    // Before 0.1.
    (&["--no-exit-codes"], Takes::Nothing, Becomes::Nothing),
    (&["-P", "--preprocess", "--no-preprocess", "--no-pp"], Takes::Nothing, Becomes::Nothing),
    (&["-j", "--nthreads", "--verbosity", "--logfile"], Value, Becomes::Nothing),
];

static STP: &[Row] = &[
    (&["--SMTLIB2", "--cryptominisat", "--minisat", "-p", "-a", "-w"], Takes::Nothing, Becomes::Nothing),
    (&["-k", "--max-time"], Value, Limit("--time-limit", "s")),
];

static MATHSAT: &[Row] = &[
    (&["-version"], Takes::Nothing, VERSION),
    (&["-input=smt2", "-model", "-stats"], Takes::Nothing, Becomes::Nothing),
    (&["-theory.", "-dpll.", "-preprocessor.", "-printer.", "-model_"], Parameter, Becomes::Nothing),
    (&["-unsat_core_generation=0"], Takes::Nothing, Becomes::Nothing),
    (&["-unsat_core_generation="], Joined, CORES),
];

impl Persona {
    /// The solver of this name.
    fn named(name: &str) -> Option<Persona> {
        match name {
            "z3" => Some(Persona::Z3),
            "cvc5" | "cvc4" => Some(Persona::Cvc5),
            "yices" | "yices-smt2" | "yices_smt2" => Some(Persona::Yices),
            "boolector" => Some(Persona::Boolector),
            "bitwuzla" => Some(Persona::Bitwuzla),
            "stp" => Some(Persona::Stp),
            "mathsat" => Some(Persona::MathSat),
            _ => None,
        }
    }

    fn rows(self) -> &'static [Row] {
        match self {
            Persona::Z3 => Z3,
            Persona::Cvc5 => CVC5,
            Persona::Yices => YICES,
            Persona::Boolector => BOOLECTOR,
            Persona::Bitwuzla => BITWUZLA,
            Persona::Stp => STP,
            Persona::MathSat => MATHSAT,
        }
    }

    /// What is so without any flag.
    fn habits(self) -> &'static [&'static str] {
        match self {
            Persona::Boolector => &["--exit-codes=on", "--set-option", "bools-as-bits=true"],
            Persona::Z3 | Persona::Yices => &["--set-option", "function-values=stores"],
            Persona::Cvc5 | Persona::Bitwuzla | Persona::Stp | Persona::MathSat => &[],
        }
    }
}

/// A command line, the name of the program first, in our words.
pub(crate) fn translate(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words = words.peekable();
    let program = words.next().unwrap_or_default();
    let words: Vec<OsString> = words.collect();
    let persona = persona(&program, &words);
    let rows = || persona.iter().flat_map(|persona| persona.rows().iter().chain(ALL));
    let mut ours: Vec<OsString> = vec![program];
    ours.extend(persona.map_or(&[][..], Persona::habits).iter().map(OsString::from));
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--" {
            ours.push(word);
            break;
        }
        let found = word.to_str().and_then(|text| {
            rows().find_map(|(flags, takes, becomes)| {
                flags.iter().find_map(|flag| matches(text, flag, *takes)).map(|value| (*becomes, value))
            })
        });
        match found {
            None => ours.push(word),
            Some((becomes, Given::Nothing)) => say(becomes, &word, "", &mut ours),
            Some((becomes, Given::Here(value))) => say(becomes, &word, &value, &mut ours),
            Some((becomes, Given::Next)) => match words.next() {
                Some(value) => say(becomes, &word, &value.to_string_lossy(), &mut ours),
                // The parser reports that a value is missing.
                None => ours.push(word),
            },
        }
    }
    ours.extend(words);
    ours
}

/// Whether the command line is one of another solver, for which this program stands in.
pub(crate) fn is_drop_in(words: &[OsString]) -> bool {
    words.split_first().is_some_and(|(program, words)| persona(program, words).is_some())
}

/// The solver that is meant.
fn persona(program: &OsString, words: &[OsString]) -> Option<Persona> {
    let mut asked = None;
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match word.strip_prefix("--compat") {
            Some("") => asked = words.next().map(|name| name.into_owned()),
            Some(rest) => asked = rest.strip_prefix('=').map(str::to_owned).or(asked),
            None => {}
        }
    }
    let called = || Path::new(program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    asked.or_else(called).and_then(|name| Persona::named(&name))
}

/// Where the value of a flag stands.
enum Given {
    Nothing,
    Here(String),
    Next,
}

/// Is this word the flag, and what is its value?
fn matches(word: &str, flag: &str, takes: Takes) -> Option<Given> {
    let rest = word.strip_prefix(flag)?;
    match takes {
        Takes::Nothing => rest.is_empty().then_some(Given::Nothing),
        Joined => Some(Given::Here(rest.to_owned())),
        Parameter => {
            let (name, value) = rest.split_once('=')?;
            let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
            (is_name && !word.starts_with("--")).then(|| Given::Here(value.to_owned()))
        }
        Value if rest.is_empty() => Some(Given::Next),
        Value => rest.strip_prefix('=').map(|value| Given::Here(value.to_owned())),
    }
}

/// Adds what a flag, which is or begins `word`, is in our words.
fn say(becomes: Becomes, word: &OsString, value: &str, ours: &mut Vec<OsString>) {
    match becomes {
        Becomes::Option => ours.extend(["--set-option".into(), word.clone()]),
        Becomes::Nothing => {}
        Words(words) => ours.extend(words.iter().map(OsString::from)),
        Limit(_, _) if value == "0" => {}
        Limit(flag, unit) => ours.extend([flag.into(), format!("{value}{unit}").into()]),
        Flag(flag) => ours.push(format!("{flag}={value}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let words = translate(line.split(' ').map(OsString::from));
        let habits = persona(&words[0], &words[1..]).map_or(0, |persona| persona.habits().len());
        let words = [&words[..1], &words[1 + habits..]].concat();
        words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    /// What clients start, as they do it.
    #[test]
    fn command_lines_of_clients() {
        for (theirs, ours) in [
            ("z3 -smt2 -in -v:0", "z3"),
            ("z3 -smt2 -in -T:20", "z3 --time-limit 20s"),
            (
                "some/folder/z3 -in -t:500 timeout=0 f.smt2",
                "some/folder/z3 --time-limit-per 500ms --set-option timeout=0 f.smt2",
            ),
            ("z3 smtlib2_compliant=true -in", "z3 --set-option smtlib2_compliant=true"),
            (
                "z3 -in pp.max_depth=4294967295 AUTO_CONFIG=false /smt2",
                "z3 --set-option pp.max_depth=4294967295 --set-option AUTO_CONFIG=false",
            ),
            ("z3 --seed=4 a/b=c.smt2", "z3 --seed=4 a/b=c.smt2"),
            ("bivalve model.smt2 pp.f trace1.smt2", "bivalve model.smt2 pp.f trace1.smt2"),
            ("bivalve --compat z3 sat.smt2 smt.smt2", "bivalve --compat z3 sat.smt2 smt.smt2"),
            ("cvc4 --bv-div-zero-const --fp-exp --force-logic=QF_BV --bv-solver bitblast", "cvc4"),
            (
                "cvc4 --lang=smt --no-strict-parsing --no-condense-function-values --incremental",
                "cvc4 --lang=smt",
            ),
            ("bitwuzla --smt2 -m --output-format=smt2 --no-exit-codes --incremental", "bitwuzla"),
            ("stp --SMTLIB2 -k 5 f", "stp --time-limit 5s f"),
            (
                "mathsat -input=smt2 -theory.bv.eager=true -unsat_core_generation=1 f",
                "mathsat --set-option produce-unsat-cores=true f",
            ),
            ("z3 -st -in -memory:1024", "z3 --memory-limit 1024M"),
            ("cvc5 --quiet --lang=smt2 --incremental", "cvc5 --lang=smt2"),
            ("cvc4 -q --no-interactive --lang smt2", "cvc4 --lang smt2"),
            (
                "cvc5 --lang smt2 --tlimit=2000 --tlimit-per 300",
                "cvc5 --lang smt2 --time-limit 2000ms --time-limit-per 300ms",
            ),
            (
                "cvc5 --lang=smt --produce-models --print-success --interactive --arrays-exp",
                "cvc5 --lang=smt --set-option print-success=true",
            ),
            ("yices-smt2 --incremental -t 5", "yices-smt2 --time-limit 5s"),
            ("yices-smt2 --smt2-model-format --bvconst-in-decimal f", "yices-smt2 --bv-output-format 10 f"),
            ("boolector --smt2 -i", "boolector"),
            ("boolector --smt2 f -m", "boolector f"),
            (
                "boolector --smt2 -m --output-format=smt2 --no-exit-codes --incremental",
                "boolector --exit-codes=off",
            ),
            ("boolector --smt2 -e=0 -t 3", "boolector --exit-codes=0 --time-limit 3s"),
            ("bitwuzla --lang smt2 --time-limit 1500", "bitwuzla --lang smt2 --time-limit 1500ms"),
            ("bitwuzla --lang smt2 -t 1500 -m", "bitwuzla --lang smt2 --time-limit 1500ms"),
            (
                "bitwuzla --produce-models --time-limit-per=90 --bv-output-format=16",
                "bitwuzla --time-limit-per 90ms --bv-output-format=16",
            ),
            ("bivalve --compat bitwuzla -t 70 f", "bivalve --compat bitwuzla --time-limit 70ms f"),
            ("bivalve --compat=yices -t 70 f", "bivalve --compat=yices --time-limit 70s f"),
            ("z3 --compat=bitwuzla -t 70", "z3 --compat=bitwuzla --time-limit 70ms"),
            // Flags of others are not read into our own lines: this one dropped -m and read a file 2G.
            ("bivalve -m 2G f", "bivalve -m 2G f"),
            ("bivalve -t 70 -i f", "bivalve -t 70 -i f"),
            ("z3 -version", "z3 --version"),
            ("mathsat -version", "mathsat --version"),
            ("bivalve -- -i -m", "bivalve -- -i -m"),
            ("cvc5 -- -i -m", "cvc5 -- -i -m"),
            ("bivalve --nonsense", "bivalve --nonsense"),
            ("yices-smt2 -t", "yices-smt2 -t"),
        ] {
            assert_eq!(translated(theirs), ours, "{theirs}");
        }
    }

    #[test]
    fn every_name_on_the_list_is_a_persona() {
        assert!(PERSONAS.iter().all(|name| Persona::named(name).is_some()));
        assert_eq!(Persona::named("bivalve"), None);
    }
}
