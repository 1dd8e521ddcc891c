//! What a text is made of: its faults, its commands, what they declare, and where the checks are.
//!
//! A script is read command by command, as the solver does, and reading goes on behind a fault. A system in
//! BTOR2 is read as a whole, up to its first fault; its lines declare their numbers.

use crate::lines::Line;
use crate::tree::Tree;
use bivalve::terms::Pool;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions, few_terms};
use bivalve_formats::{Diagnostic, Language, read_system, sexpr};
use std::collections::BTreeMap;
use std::ops::Range;

/// What a name is given to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Sort,
    Function,
    Constant,
    /// A formula with a name.
    Label,
    /// Bound by a term or a definition, and known there only.
    Bound,
    /// A line of BTOR2.
    Line,
}

/// A name and where it is given its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    /// Without bars.
    pub(crate) name: String,
    /// The name itself, in bytes.
    pub(crate) place: Range<usize>,
    /// What it stands for, as it is written: a sort, a signature, a line.
    pub(crate) detail: String,
    pub(crate) kind: Kind,
}

/// A command, or a line of BTOR2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    pub(crate) declares: Option<Name>,
    /// Names that it gives to formulas.
    pub(crate) labels: Vec<Name>,
    pub(crate) is_check: bool,
}

/// What is wrong with a part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// The bytes that are wrong.
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
    /// The name that was probably meant, without bars.
    pub(crate) suggestion: Option<String>,
}

/// What is known of a text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Analysis {
    pub(crate) faults: Vec<Fault>,
    pub(crate) parts: Vec<Part>,
    /// Where each name is given a meaning for the commands behind it, in order.
    pub(crate) names: BTreeMap<String, Vec<Name>>,
}

impl Analysis {
    pub(crate) fn new(text: &str, is_btor2: bool) -> Analysis {
        let mut analysis = if is_btor2 { system(text) } else { script(text) };
        for name in analysis.parts.iter().flat_map(|part| part.declares.iter().chain(&part.labels)) {
            analysis.names.entry(name.name.clone()).or_default().push(name.clone());
        }
        analysis
    }

    /// The declaration of a name that counts at a place: the last one before it, or else the first.
    pub(crate) fn declaration(&self, name: &str, offset: usize) -> Option<&Name> {
        let all = self.names.get(name)?;
        let before = all.partition_point(|declared| declared.place.start <= offset);
        all.get(before.saturating_sub(1))
    }

    /// The command or line at a place.
    pub(crate) fn part_at(&self, offset: usize) -> Option<usize> {
        let part = self.parts.partition_point(|part| part.range.start <= offset).checked_sub(1)?;
        (offset <= self.parts[part].range.end).then_some(part)
    }
}

fn fault(text: &str, diagnostic: &Diagnostic) -> Fault {
    let [start, end] = [diagnostic.span.start, diagnostic.span.end].map(|at| (at as usize).min(text.len()));
    let message = match &diagnostic.unclosed {
        Some(opening) => format!(
            "expected {}, found {}; the parenthesis at {}:{} is not closed",
            diagnostic.expected, diagnostic.found, opening.line, opening.column
        ),
        None => format!("expected {}, found {}", diagnostic.expected, diagnostic.found),
    };
    Fault { range: start..end.max(start), message, suggestion: diagnostic.suggestion().map(str::to_owned) }
}

/// The terms that definitions may stand for: less than a second in all. Definitions that use each other stand
/// for any number of terms.
const FEW_TERMS: u64 = 1 << 21;

fn script(text: &str) -> Analysis {
    let (mut parser, mut pool) = (Parser::new(text.as_bytes(), "", ParserOptions::default()), Pool::new());
    let mut analysis = Analysis::default();
    let (mut at, mut terms) = (0, 0);
    let mut guard = few_terms(FEW_TERMS, &mut terms);
    loop {
        let result = parser.next_written_command(&mut pool, &mut guard);
        // The text was read whole: blanks and comments before the command belong to nothing.
        let end = (parser.position() as usize).clamp(at, text.len());
        let start = sexpr::tokens(&text.as_bytes()[at..end]).next().map_or(end, |token| at + token.start);
        let (declares, is_check) = match &result {
            Ok(None) => break,
            Ok(Some(command)) => {
                parser.symbols_mut().follow(command);
                let is_check = matches!(command, Command::CheckSat | Command::CheckSatAssuming(_));
                (declared(text, start..end), is_check)
            }
            Err(diagnostic) => {
                analysis.faults.push(fault(text, diagnostic));
                (None, false)
            }
        };
        // A fault that takes nothing away would come again.
        if end == at {
            break;
        }
        let labels = labels(text, start..end);
        analysis.parts.push(Part { range: start..end, declares, labels, is_check });
        at = end;
    }
    analysis
}

/// What a command declares or defines.
fn declared(text: &str, range: Range<usize>) -> Option<Name> {
    let tree = Tree::new(text, range);
    let parts: Vec<usize> = tree.parts(0).collect();
    let part = |number: usize| parts.get(number).map(|&node| tree.text(text, node));
    let (detail, kind) = match part(0)? {
        "declare-const" | "define-const" => (part(2)?.to_owned(), Kind::Constant),
        "declare-fun" | "define-fun" => match part(2)? {
            "()" => (part(3)?.to_owned(), Kind::Constant),
            arguments => (format!("{arguments} → {}", part(3)?), Kind::Function),
        },
        "declare-sort" | "define-sort" => ("a sort".to_owned(), Kind::Sort),
        _ => return None,
    };
    let name = sexpr::bare(part(1)?).to_owned();
    Some(Name { name, place: tree.nodes[parts[1]].range.clone(), detail, kind })
}

/// The names that a command gives to formulas by `:named`.
fn labels(text: &str, range: Range<usize>) -> Vec<Name> {
    if !text[range.clone()].contains(":named") {
        return vec![];
    }
    let atoms: Vec<_> = sexpr::tokens(&text.as_bytes()[range.clone()]).collect();
    let named =
        atoms.windows(2).filter(|pair| pair[0].text == b":named" && !b"()".contains(&pair[1].text[0]));
    let label = |pair: &[sexpr::Token<'_>]| {
        let place = range.start + pair[1].start..range.start + pair[1].range().end;
        let name = sexpr::bare(&text[place.clone()]).to_owned();
        Name { name, place, detail: "a label".to_owned(), kind: Kind::Label }
    };
    named.map(label).collect()
}

fn system(text: &str) -> Analysis {
    let mut analysis = Analysis::default();
    let read = read_system(
        &mut Pool::new(),
        Language::Btor2,
        text.as_bytes(),
        "",
        ParserOptions::default(),
        &|| None,
    );
    if let Some(Err(diagnostic)) = read {
        analysis.faults.push(fault(text, &diagnostic));
    }
    let mut start = 0;
    for text in text.split_inclusive('\n') {
        let line = Line::new(text, start);
        let declares = line.number().map(|place| Name {
            name: text[place.start - start..place.end - start].to_owned(),
            place,
            detail: text.trim().to_owned(),
            kind: Kind::Line,
        });
        let range = start..start + text.trim_end().len();
        analysis.parts.push(Part { range, declares, labels: vec![], is_check: false });
        start += text.len();
    }
    analysis
}
