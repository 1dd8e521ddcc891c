//! Reading what was printed gives what was read.

use crate::smtlib::transcript::{LENIENT, Transcript, corpus, difference, read, read_well};
use bivalve_formats::smtlib::print::{self, BitVecFormat, Script};
use bivalve_formats::smtlib::{Command, Formulas};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Pool, Sort, Term};

fn check_script(pool: &Pool, assertions: &[Term], format: BitVecFormat, what: &str) {
    let text = print::script(pool, &Script { assertions, format, ..Script::default() });
    let again = read(text.as_bytes(), LENIENT);
    assert_eq!(again.refusals, vec![], "{what}: {text}");
    let found = difference((pool, assertions), (&again.pool, &again.assertions()));
    assert_eq!(found, None, "{what}");
}

/// Printing command by command keeps everything but the expansion of definitions.
fn check_commands(transcript: &Transcript, what: &str) {
    let texts: Vec<String> =
        transcript.commands.iter().map(|c| print::command(&transcript.pool, c)).collect();
    let again = read(texts.join("\n").as_bytes(), LENIENT);
    assert_eq!(again.refusals, vec![], "{what}");
    // Labels of inner terms have become definitions.
    let bodies = |transcript: &Transcript| {
        let kept = transcript
            .commands
            .iter()
            .filter(|c| !matches!(c, Command::DefineFun { .. } | Command::DefineConst { .. }));
        let kept = Transcript { pool: Pool::new(), commands: kept.cloned().collect(), refusals: vec![] };
        kept.terms()
    };
    let found = difference((&transcript.pool, &bodies(transcript)), (&again.pool, &bodies(&again)));
    assert_eq!(found, None, "{what}");
}

#[test]
fn random_scripts_are_read_as_they_were_printed() {
    let formats = [BitVecFormat::Binary, BitVecFormat::Hexadecimal, BitVecFormat::Decimal];
    for seed in 0..600 {
        let mut pool = Pool::new();
        let mut random = TermGen::with_everything(seed);
        let assertions: Vec<Term> =
            (0..1 + seed % 5).map(|_| random.term(&mut pool, Sort::BOOL, 5 + (seed % 60) as usize)).collect();
        check_script(&pool, &assertions, formats[seed as usize % 3], &format!("seed {seed}"));
    }
}

#[test]
fn random_values_are_read_as_they_were_printed() {
    for seed in 0..200 {
        let mut pool = Pool::new();
        let mut random = TermGen::new(seed);
        (random.arrays, random.nested_arrays) = (true, true);
        let sort = random.sort(&mut pool);
        let value = random.value(&pool, sort);
        let text = print::Values::new(&pool, BitVecFormat::default()).value(sort, &value);
        let transcript = read_well(&format!("(get-value ({text}))"));
        let term = transcript.terms()[0];
        let found = bivalve_terms::eval(&transcript.pool, term, &bivalve_terms::Assignment::new());
        assert_eq!(found, value, "seed {seed}: {text}");
    }
}

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn scripts_of_other_projects_are_read_as_they_were_printed() {
    for (i, path) in corpus(&["parser", "regress"]).iter().enumerate() {
        let text = std::fs::read(path).expect("a readable file");
        // All small ones, and some of the others.
        if text.len() > 20_000 && i % 10 != 0 || text.len() > 500_000 {
            continue;
        }
        let transcript = read(&text[..], LENIENT);
        let what = path.display().to_string();
        check_script(&transcript.pool, &transcript.assertions(), BitVecFormat::Hexadecimal, &what);
        if transcript.refusals.is_empty() && !String::from_utf8_lossy(&text).contains("define-sort") {
            check_commands(&transcript, &what);
        }
    }
}

/// Groups of interpolants are printed with their members, and named once where they are asked for.
#[test]
fn groups_of_interpolants_are_read_as_they_were_printed() {
    let text = "(declare-const p Bool)\n(declare-const q Bool)\n\
                (assert (! (! p :interpolation-group |g 1|) :named n :interpolation-group h))\n\
                (assert (! q :interpolation-group |g 1| :weight 3))\n\
                (assert (or (! (not p) :interpolation-group inner) q))\n\
                (get-interpolant (|g 1|))\n(get-interpolants (h |g 1|) (n))\n(get-interpolants h |g 1|)\n";
    let printed = |text: &str| -> Vec<String> {
        let transcript = read_well(text);
        transcript.commands.iter().map(|command| print::command(&transcript.pool, command)).collect()
    };
    let first = printed(text);
    assert_eq!(first[2], "(assert (! (! (! p :named n) :interpolation-group |g 1|) :interpolation-group h))");
    assert_eq!(first[4], "(assert (or (not p) q))");
    let asked =
        ["(get-interpolant (|g 1|))", "(get-interpolants (h |g 1|) (n))", "(get-interpolants h |g 1|)"];
    assert_eq!(first[5..], asked);
    assert_eq!(printed(&first.join("\n")), first);
}

/// Sorts of records are declared in the order in which they mention each other.
#[test]
fn scripts_declare_the_records_that_they_use() {
    let text = "(declare-datatype Color ((red) (|a b|)))\n(declare-sort S 0)\n\
                (declare-datatypes ((Pair 0) (Unused 0)) (((pair (left Color) (right Bool))) ((unused))))\n\
                (declare-const p Pair)(declare-const x S)\n\
                (assert (or ((_ is red) (left p)) (= p (pair |a b| (= x x)))))\n";
    let printed = |text: &str| {
        let mut pool = Pool::new();
        let (assertions, _) = Formulas::terms(&mut pool, &[], text).unwrap();
        print::script(&pool, &Script { assertions: &assertions, ..Script::default() })
    };
    let script = printed(text);
    let expected = "(set-logic ALL)\n(declare-sort S 0)\n(declare-datatype Color ((red) (|a b|)))\n\
                    (declare-datatype Pair ((pair (left Color) (right Bool))))\n(declare-fun p () Pair)\n";
    assert!(script.starts_with(expected), "{script}");
    assert_eq!(printed(&script), script);
}
