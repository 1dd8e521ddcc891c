//! Command lines of other solvers: their flags in our words.
//!
//! A client starts the solver it was written for with the flags of that solver. Here a table has what each
//! flag means; what is on no list stays as it is, and is refused by the parser of our own flags. The same
//! letter means different things to different solvers (`-t 5` is five seconds to Yices and five milliseconds
//! to Bitwuzla), so there is a table for each solver, chosen by `--compat NAME` or by the name the program
//! was called by, and one for flags that mean the same to all who have them. Without such a name none of them
//! is in force.
//!
//! Flags that print something, convert, dump, or set a limit are given their meaning. Many others mean
//! nothing here: models and incremental solving are always on, and what steers a part that another solver has
//! and this one lacks changes no answer. They are listed one by one all the same (`rows`), so that no unknown
//! flag is ignored; those of which the effect would be missed are not listed, and so refused.

mod rows;

use crate::compat::rows::{ALL, BITWUZLA, BOOLECTOR, CVC5, MATHSAT, STP, YICES, Z3};
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
    /// `-flag`, `-flag=VALUE`, where the value may be that it is off, or `--no-flag`.
    Switch,
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
    /// Our flag with the same value in this unit. A limit of 0 or less is none.
    Limit(&'static str, &'static str),
    /// Our flag with the same value.
    Flag(&'static str),
    /// Our flag with the same value, and these words.
    FlagAnd(&'static str, &'static [&'static str]),
    /// Where it is off, these passes of simplification are left out.
    Passes(&'static [&'static str]),
    /// `--set-option` with the same name and value.
    Option,
}

/// A row: the ways to write a flag, what it takes, and what it is.
type Row = (&'static [&'static str], Takes, Becomes);

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
            // Hexadecimal where the width is a multiple of four.
            Persona::Z3 => &["--set-option", "function-values=stores", "--bv-output-format", "16"],
            Persona::Yices => &["--set-option", "function-values=stores"],
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
    let mut without: Vec<&str> = vec![];
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next_if(|word| word != "--") {
        let found = word.to_str().and_then(|text| {
            rows().find_map(|(flags, takes, becomes)| {
                flags.iter().find_map(|flag| matches(text, flag, *takes)).map(|value| (*becomes, value))
            })
        });
        match found {
            None => ours.push(word),
            Some((Becomes::Passes(passes), given)) => {
                if matches!(given, Given::Off) {
                    without.extend(passes);
                }
            }
            Some((_, Given::Off)) => {}
            Some((becomes, Given::Nothing)) => say(becomes, &word, "", &mut ours),
            Some((becomes, Given::Here(value))) => say(becomes, &word, &value, &mut ours),
            Some((becomes, Given::Next)) => match words.next() {
                Some(value) => say(becomes, &word, &value.to_string_lossy(), &mut ours),
                // The parser reports that a value is missing.
                None => ours.push(word),
            },
        }
    }
    if !without.is_empty() {
        ours.push(format!("--without-passes={}", without.join(",")).into());
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
    /// The flag is switched off.
    Off,
    Here(String),
    Next,
}

/// Is this word the flag, and what is its value?
fn matches(word: &str, flag: &str, takes: Takes) -> Option<Given> {
    let is_off = || word.strip_prefix("--no-").zip(flag.strip_prefix("--")).is_some_and(|(a, b)| a == b);
    if matches!(takes, Takes::Switch) && is_off() {
        return Some(Given::Off);
    }
    let rest = word.strip_prefix(flag)?;
    match takes {
        Takes::Nothing => rest.is_empty().then_some(Given::Nothing),
        Takes::Switch if rest.is_empty() => Some(Given::Nothing),
        Takes::Switch => rest.strip_prefix('=').map(|value| match &*value.to_ascii_lowercase() {
            "0" | "false" | "off" | "no" => Given::Off,
            _ => Given::Nothing,
        }),
        Takes::Joined => Some(Given::Here(rest.to_owned())),
        Takes::Parameter => {
            let (name, value) = rest.split_once('=')?;
            let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
            (is_name && !word.starts_with("--")).then(|| Given::Here(value.to_owned()))
        }
        Takes::Value if rest.is_empty() => Some(Given::Next),
        Takes::Value => rest.strip_prefix('=').map(|value| Given::Here(value.to_owned())),
    }
}

/// Adds what a flag, which is or begins `word`, is in our words.
fn say(becomes: Becomes, word: &OsString, value: &str, ours: &mut Vec<OsString>) {
    match becomes {
        Becomes::Option => ours.extend(["--set-option".into(), word.clone()]),
        Becomes::Nothing | Becomes::Passes(_) => {}
        Becomes::Words(words) => ours.extend(words.iter().map(OsString::from)),
        Becomes::Limit(_, _) if value == "0" || value.starts_with('-') => {}
        Becomes::Limit(flag, unit) => ours.extend([flag.into(), format!("{value}{unit}").into()]),
        Becomes::Flag(flag) => ours.push(format!("{flag}={value}").into()),
        Becomes::FlagAnd(flag, words) => {
            ours.push(format!("{flag}={value}").into());
            ours.extend(words.iter().map(OsString::from));
        }
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
            ("stp --SMTLIB2 -k 5 f", "stp --lang smt2 --time-limit 5s f"),
            // CryptoSMT.
            ("stp f.stp --CVC", "stp f.stp --lang cvc"),
            ("stp --print-back-SMTLIB2 f.stp --CVC", "stp --print-formula=smt2 f.stp --lang cvc"),
            (
                "stp --exit-after-CNF --output-CNF f.stp --CVC --disable-simplifications",
                "stp --exit-after-dump --dump-cnf output_{}.cnf f.stp --lang cvc --rewrite-level 0",
            ),
            ("stp -k -1 -g -1 --flattening false --incremental=on -p f", "stp --print-model f"),
            ("z3 -model dump_models=false f", "z3 --print-model f"),
            ("z3 dump_models=true -dimacs f", "z3 --print-model --lang dimacs f"),
            ("cvc5 --dump-models --produce-models=true f", "cvc5 --print-model f"),
            ("mathsat -model f", "mathsat --print-model f"),
            ("yices-smt2 --dimacs=f.cnf f", "yices-smt2 --dump-cnf=f.cnf --exit-after-dump f"),
            ("bitwuzla -P --print-model f", "bitwuzla --parse-only --print-model f"),
            (
                "bitwuzla -p --no-pp-embedded f",
                "bitwuzla --print-formula f --without-passes=embedded-constraints",
            ),
            (
                "bitwuzla --pp-normalize=0 --no-pp-variable-subst --write-cnf f.cnf -- g",
                "bitwuzla --dump-cnf=f.cnf --without-passes=normalization,substitution,conditional-substitution -- g",
            ),
            (
                "mathsat -input=smt2 -theory.bv.eager=true -interpolation=TRUE -unsat_core_generation=1 f",
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
            ("boolector --smt2 f -m", "boolector f --print-model=end"),
            (
                "boolector --smt2 -m --output-format=smt2 --no-exit-codes --incremental",
                "boolector --print-model=end --exit-codes=off",
            ),
            (
                "boolector -x --no-model-gen --dump-smt f",
                "boolector --bv-output-format 16 --print-formula=smt2 f",
            ),
            ("boolector -dd f -o g", "boolector --dump-cnf /dev/stdout --exit-after-dump f -o g"),
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
