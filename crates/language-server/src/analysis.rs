//! What a text is made of: its faults, its commands, what they declare, and where the checks are.
//!
//! A script is read command by command, as the solver does, and reading goes on behind a fault. A system in
//! BTOR2 is read as a whole, up to its first fault; its lines declare their numbers.

use crate::tree::Tree;
use bivalve::terms::Pool;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_formats::{Diagnostic, Language, read_system, sexpr};
use std::ops::Range;

/// A name and where it is given its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    /// Without bars.
    pub(crate) name: String,
    /// The name itself, in bytes.
    pub(crate) place: Range<usize>,
    /// What it stands for, as it is written: a sort, a signature, a line.
    pub(crate) detail: String,
}

/// A command, or a line of BTOR2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    pub(crate) declares: Option<Name>,
    pub(crate) is_check: bool,
}

/// What is known of a text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Analysis {
    /// What is wrong, with the bytes that are.
    pub(crate) faults: Vec<(Range<usize>, String)>,
    pub(crate) parts: Vec<Part>,
}

impl Analysis {
    pub(crate) fn new(text: &str, is_btor2: bool) -> Analysis {
        if is_btor2 { system(text) } else { script(text) }
    }

    /// The declaration of a name that counts at a place: the last one before it, or else the first.
    pub(crate) fn declaration(&self, name: &str, offset: usize) -> Option<&Name> {
        let all = || self.parts.iter().filter_map(|part| part.declares.as_ref()).filter(|n| n.name == name);
        all().rfind(|declared| declared.place.start <= offset).or_else(|| all().next())
    }

    /// The command or line at a place.
    pub(crate) fn part_at(&self, offset: usize) -> Option<usize> {
        let part = self.parts.partition_point(|part| part.range.start <= offset).checked_sub(1)?;
        (offset <= self.parts[part].range.end).then_some(part)
    }
}

fn fault(text: &str, diagnostic: &Diagnostic) -> (Range<usize>, String) {
    let [start, end] = [diagnostic.span.start, diagnostic.span.end].map(|at| (at as usize).min(text.len()));
    let message = match &diagnostic.unclosed {
        Some(opening) => format!(
            "expected {}, found {}; the parenthesis at {}:{} is not closed",
            diagnostic.expected, diagnostic.found, opening.line, opening.column
        ),
        None => format!("expected {}, found {}", diagnostic.expected, diagnostic.found),
    };
    (start..end.max(start), message)
}

fn script(text: &str) -> Analysis {
    let (mut parser, mut pool) = (Parser::new(text.as_bytes(), "", ParserOptions::default()), Pool::new());
    let mut analysis = Analysis::default();
    let mut at = 0;
    loop {
        let result = parser.next_command(&mut pool);
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
        analysis.parts.push(Part { range: start..end, declares, is_check });
        at = end;
    }
    analysis
}

/// What a command declares or defines.
fn declared(text: &str, range: Range<usize>) -> Option<Name> {
    let tree = Tree::new(text, range);
    let parts: Vec<usize> = tree.parts(0).collect();
    let part = |number: usize| parts.get(number).map(|&node| tree.text(text, node));
    let detail = match part(0)? {
        "declare-const" | "define-const" => part(2)?.to_owned(),
        "declare-fun" | "define-fun" => match part(2)? {
            "()" => part(3)?.to_owned(),
            arguments => format!("{arguments} → {}", part(3)?),
        },
        "declare-sort" | "define-sort" => "a sort".to_owned(),
        _ => return None,
    };
    let name = sexpr::bare(part(1)?).to_owned();
    Some(Name { name, place: tree.nodes[parts[1]].range.clone(), detail })
}

fn system(text: &str) -> Analysis {
    let mut analysis = Analysis::default();
    let read = read_system(&mut Pool::new(), Language::Btor2, text.as_bytes(), "", ParserOptions::default());
    if let Some(Err(diagnostic)) = read {
        analysis.faults.push(fault(text, &diagnostic));
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split(';').next().unwrap_or("").trim_end();
        let number = content.split_whitespace().next().filter(|word| word.parse::<u64>().is_ok());
        let declares = number.map(|number| {
            let at = start + line.find(number).unwrap_or(0);
            Name { name: number.to_owned(), place: at..at + number.len(), detail: line.trim().to_owned() }
        });
        analysis.parts.push(Part { range: start..start + line.trim_end().len(), declares, is_check: false });
        start += line.len();
    }
    analysis
}
