//! Reading whole scripts as a session would, and comparing what was read.

use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_terms::{Op, Pool, Sort, SortKind, Term};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The habits of other solvers are accepted.
pub(crate) const LENIENT: ParserOptions = ParserOptions { strict: false, unused_data_types: true };

/// The standard is kept.
pub(crate) const STRICT: ParserOptions = ParserOptions { strict: true, unused_data_types: true };

/// What was read of a script.
pub(crate) struct Transcript {
    pub(crate) pool: Pool,
    pub(crate) commands: Vec<Command>,
    pub(crate) refusals: Vec<Diagnostic>,
}

/// Reads a script to its end.
pub(crate) fn read(input: impl Read, options: ParserOptions) -> Transcript {
    let mut parser = Parser::new(input, "test.smt2", options);
    let mut transcript = Transcript { pool: Pool::new(), commands: vec![], refusals: vec![] };
    loop {
        match parser.next_command(&mut transcript.pool) {
            Ok(None) => return transcript,
            Ok(Some(command)) => {
                parser.symbols_mut().follow(&command);
                transcript.commands.push(command);
            }
            Err(refusal) => transcript.refusals.push(refusal),
        }
    }
}

/// Reads a script without faults.
pub(crate) fn read_well(text: &str) -> Transcript {
    let transcript = read(text.as_bytes(), LENIENT);
    let refusals: Vec<String> = transcript.refusals.iter().map(Diagnostic::render).collect();
    assert!(refusals.is_empty(), "{}in: {text}", refusals.concat());
    transcript
}

impl Transcript {
    /// The terms of all commands, in order, those inside of definitions too.
    pub(crate) fn terms(&self) -> Vec<Term> {
        let mut terms = vec![];
        for command in &self.commands {
            match command {
                Command::Assert { term, .. } => terms.push(*term),
                Command::DefineFun { body, .. } | Command::DefineConst { body, .. } => terms.push(*body),
                Command::CheckSatAssuming(list) | Command::GetValue(list) => {
                    terms.extend(list.iter().map(|&(_, term)| term));
                }
                _ => {}
            }
        }
        terms
    }

    /// The asserted terms in order.
    pub(crate) fn assertions(&self) -> Vec<Term> {
        let asserted = |command: &Command| match command {
            Command::Assert { term, .. } => Some(*term),
            _ => None,
        };
        self.commands.iter().filter_map(asserted).collect()
    }
}

/// Why two lists of terms are not the same up to the choice of symbols; `None` if they are.
pub(crate) fn difference(left: (&Pool, &[Term]), right: (&Pool, &[Term])) -> Option<String> {
    let ((a, left), (b, right)) = (left, right);
    if left.len() != right.len() {
        return Some(format!("{} terms and {}", left.len(), right.len()));
    }
    let (mut there, mut back, mut sorts) = (BTreeMap::new(), BTreeMap::new(), vec![]);
    let mut todo: Vec<(Term, Term)> = left.iter().copied().zip(right.iter().copied()).collect();
    while let Some((s, t)) = todo.pop() {
        let known = (there.insert(s, t), back.insert(t, s));
        if known == (Some(t), Some(s)) {
            continue;
        }
        sorts.push((a.sort(s), b.sort(t)));
        let same = known == (None, None)
            && a.op(s) == b.op(t)
            && a.index(s) == b.index(t)
            && a.args(s).len() == b.args(t).len()
            && (a.op(s) != Op::Const || (a.as_bool(s), a.as_bitvec(s)) == (b.as_bool(t), b.as_bitvec(t)));
        if !same {
            let [s, t] = [(a, s), (b, t)]
                .map(|(p, t)| format!("{:?} {:?} of {}", t, p.op(t), p.sorts().display(p.sort(t))));
            return Some(format!("{s} is not {t}; known: {known:?}"));
        }
        todo.extend(a.args(s).iter().copied().zip(b.args(t).iter().copied()));
    }
    difference_of_sorts(a, b, sorts)
}

/// Why pairs of sorts are not the same up to the names of declared sorts.
fn difference_of_sorts(a: &Pool, b: &Pool, mut todo: Vec<(Sort, Sort)>) -> Option<String> {
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    while let Some((s, t)) = todo.pop() {
        let known = (there.insert(s, t), back.insert(t, s));
        if known == (Some(t), Some(s)) {
            continue;
        }
        match (a.sorts().kind(s), b.sorts().kind(t)) {
            (SortKind::Uninterpreted(_), SortKind::Uninterpreted(_)) if known == (None, None) => {}
            (SortKind::Array { index: i, element: e }, SortKind::Array { index: j, element: f }) => {
                todo.extend([(i, j), (e, f)]);
            }
            (SortKind::Function { params: p, result: r }, SortKind::Function { params: q, result: s })
                if p.len() == q.len() =>
            {
                todo.extend(p.iter().copied().zip(q.iter().copied()).chain([(r, s)]));
            }
            (left, right) if left == right && known == (None, None) => {}
            (left, right) => return Some(format!("{left:?} is not {right:?}")),
        }
    }
    None
}

/// Where scripts of other projects may be.
pub(crate) fn corpus_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/dev")
}

/// Scripts of other projects below these folders, in a fixed order; empty, with a note, where there are none.
#[expect(clippy::print_stdout, reason = "a test that does not test says so")]
pub(crate) fn corpus(folders: &[&str]) -> Vec<PathBuf> {
    let root = corpus_root();
    let mut files = vec![];
    let mut todo: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("note: {} is absent, its scripts are not tested", folder.display());
            continue;
        };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
