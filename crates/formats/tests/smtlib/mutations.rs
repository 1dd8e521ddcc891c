//! Broken scripts: whatever is done to a text, reading it ends, with commands and refusals.
//!
//! A longer run: `MUTATIONS=1000000 cargo test --release -p bivalve-formats mutations`.

use crate::smtlib::streaming::Dripping;
use crate::smtlib::transcript::{LENIENT, STRICT, Transcript, corpus, difference, read};
use bivalve_formats::smtlib::print;
use fastrand::Rng;

/// Texts to break where no corpus is present, and beside it.
const SEEDS: &[&str] = &[
    "(set-logic QF_AUFBV)(declare-fun a () (Array (_ BitVec 8) (_ BitVec 4)))(declare-fun f (Bool (_ BitVec 4)) Bool)
     (assert (let ((x (select a #x0f)) (y #b1010)) (! (f (bvult x y) ((_ extract 3 0) (concat y x))) :named l)))
     (push 1)(define-fun g ((x (_ BitVec 4))) (_ BitVec 4) (bvadd x (_ bv3 4)))(check-sat-assuming (l (not l)))
     (get-value ((g #x1) \"s\"\"t\" |q u|)) ; comment\n(pop 1)(define-sort S (T) (Array T T))(declare-const c (S Bool))",
    "(declare-sort U 2)(declare-const u (U Bool Bool))(assert (= u (as u (U Bool Bool))))(set-info :s |a\nb|)(echo \"x\")
     (assert (= ((as const (Array Bool Bool)) true) (store ((as const (Array Bool Bool)) false) true true)))(exit)",
];

/// Pieces that mean something to a reader.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "((",
    "))",
    "|",
    "\"",
    ";",
    "\n",
    "let",
    "_",
    "as",
    "!",
    ":named",
    "bv1",
    "#b",
    "#x1",
    "0",
    "99999999999999999999",
    "true",
    "x",
    "assert",
    "(assert",
    "define-fun",
    "declare-const",
    "Bool",
    "(_ BitVec 8)",
    "Array",
    "extract",
    "const",
    "push",
    "pop",
    "é",
    "\0",
    "\u{feff}",
    " ",
    "and",
    "BitVec",
    "bvadd",
    "ite",
    "=",
    "(let ((x",
    "reset",
    "select",
];

fn mutate(rng: &mut Rng, text: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..rng.usize(1..6) {
        let at = rng.usize(0..text.len() + 1);
        let length = rng.usize(0..20).min(text.len() - at);
        match rng.u8(0..7) {
            0 if at < text.len() => text[at] = rng.u8(..),
            1 => drop(text.drain(at..at + length)),
            2 => drop(text.splice(at..at, rng.choice(TOKENS).expect("tokens").bytes())),
            3 => drop(text.splice(at..at + length, rng.choice(TOKENS).expect("tokens").bytes())),
            4 => {
                let piece = text[at..at + length].to_vec();
                let there = rng.usize(0..text.len() + 1);
                text.splice(there..there, piece);
            }
            5 if !other.is_empty() => {
                let from = rng.usize(0..other.len());
                let to = (from + rng.usize(0..60)).min(other.len());
                text.splice(at..at, other[from..to].iter().copied());
            }
            _ => text.truncate(at),
        }
    }
}

#[test]
fn broken_scripts_are_read_to_their_end() {
    #[expect(clippy::disallowed_methods, reason = "how long to test is the caller's choice")]
    let rounds = std::env::var("MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(6000u64);
    let mut texts: Vec<Vec<u8>> = SEEDS.iter().map(|text| text.as_bytes().to_vec()).collect();
    let files = corpus(&["parser", "regress"]);
    texts.extend(
        files.iter().map(|path| std::fs::read(path).expect("a readable file")).filter(|t| t.len() < 4000),
    );
    for round in 0..rounds {
        let mut rng = Rng::with_seed(round);
        let mut text = texts[rng.usize(0..texts.len())].clone();
        let other = &texts[rng.usize(0..texts.len())];
        mutate(&mut rng, &mut text, other);
        let transcript = read(&text[..], if round % 5 == 0 { STRICT } else { LENIENT });
        for refusal in &transcript.refusals {
            assert!(
                refusal.span.start <= refusal.span.end && refusal.span.end <= text.len() as u64 + 1,
                "round {round}"
            );
            assert!(!refusal.expected.is_empty() && !refusal.found.is_empty());
            refusal.render();
        }
        if round % 5 == 1 {
            check_in_pieces(&text, &transcript, round);
            check_script(&transcript, round);
        }
    }
}

/// The same in small pieces.
fn check_in_pieces(text: &[u8], whole: &Transcript, round: u64) {
    let pieces = read(Dripping { text, chunk: 1 + round as usize % 3 }, LENIENT);
    assert_eq!(whole.commands, pieces.commands, "round {round}");
    let plain = |t: &Transcript| t.refusals.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(plain(whole), plain(&pieces), "round {round}");
}

/// What was read can be printed and read again.
fn check_script(transcript: &Transcript, round: u64) {
    let assertions = transcript.assertions();
    let text =
        print::script(&transcript.pool, &print::Script { assertions: &assertions, ..Default::default() });
    let again = read(text.as_bytes(), LENIENT);
    assert_eq!(again.refusals, vec![], "round {round}");
    let found = difference((&transcript.pool, &assertions), (&again.pool, &again.assertions()));
    assert_eq!(found, None, "round {round}");
}
