//! What the words of a text are, for an editor that colours them.
//!
//! Words are told apart by how they are written, where they stand in their list, and what is declared. So it
//! works on text that is being typed, and takes one walk. Cost: linear, and a look-up for each name.

use crate::analysis::{Analysis, Kind};
use crate::document::Document;
use crate::lines::Line;
use bivalve::terms::Op;
use bivalve_formats::sexpr;
use std::collections::BTreeSet;
use std::ops::Range;

/// The kinds of words, as the protocol names them; their numbers are their places here.
pub(crate) const KINDS: [&str; 10] = [
    "keyword",
    "type",
    "function",
    "variable",
    "parameter",
    "number",
    "string",
    "comment",
    "property",
    "operator",
];

/// The kind of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Keyword,
    Type,
    Function,
    Variable,
    Parameter,
    Number,
    String,
    Comment,
    Property,
    Operator,
}

/// Words of terms that are no operators.
const BINDERS: [&str; 8] = ["!", "_", "as", "exists", "forall", "lambda", "let", "match"];

const SORTS: [&str; 8] =
    ["Array", "BitVec", "Bool", "FloatingPoint", "Int", "Real", "RoundingMode", "String"];

/// The words that touch a range, five numbers for each: lines and units since the one before, length, kind,
/// and whether the word is declared there.
pub(crate) fn tokens(document: &Document, range: Range<usize>) -> Vec<u32> {
    let words = match document.is_btor2() {
        true => system(&document.text),
        false => script(&document.text, &document.analysis),
    };
    let (mut last, mut numbers) = ((0, 0), vec![]);
    let touching = words.into_iter().filter(|(place, _)| place.start < range.end && range.start < place.end);
    for (place, word) in touching {
        let is_declared = document.analysis.names.get(sexpr::bare(&document.text[place.clone()]));
        let is_declared = is_declared.is_some_and(|names| names.iter().any(|name| name.place == place));
        // A word of several lines is one for each line.
        let mut start = place.start;
        for line in document.text[place].split_inclusive('\n') {
            let content = line.trim_end_matches(['\r', '\n']);
            let at = document.position(start);
            start += line.len();
            let length: usize = content.chars().map(char::len_utf16).sum();
            if length == 0 {
                continue;
            }
            let units = if at.line == last.0 { at.character - last.1 } else { at.character };
            numbers.extend([at.line - last.0, units, length as u32, word as u32, u32::from(is_declared)]);
            last = (at.line, at.character);
        }
    }
    numbers
}

type Words = Vec<(Range<usize>, Word)>;

fn script(text: &str, analysis: &Analysis) -> Words {
    let operators: BTreeSet<&str> = Op::names().collect();
    let (mut words, mut at, mut depth, mut before) = (vec![], 0, 0_usize, "");
    for token in sexpr::tokens(text.as_bytes()) {
        comments(text, at..token.start, &mut words);
        let place = token.range();
        at = place.end;
        let word = &text[place.clone()];
        match word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {
                let is_first = before == "(";
                let declared = || analysis.declaration(sexpr::bare(word), place.start).map(|name| name.kind);
                let kind = match word.as_bytes()[0] {
                    b'"' => Word::String,
                    b':' => Word::Property,
                    b'#' | b'0'..=b'9' => Word::Number,
                    _ if is_first && (depth == 1 || BINDERS.contains(&word)) => Word::Keyword,
                    _ if word == "true" || word == "false" => Word::Keyword,
                    _ if before == "_"
                        && word.starts_with("bv")
                        && word.len() > 2
                        && is_digits(&word[2..]) =>
                    {
                        Word::Number
                    }
                    _ => match declared() {
                        Some(Kind::Sort) => Word::Type,
                        Some(Kind::Function) => Word::Function,
                        Some(_) => Word::Variable,
                        None if SORTS.contains(&word) => Word::Type,
                        None if operators.contains(word) => Word::Operator,
                        None => Word::Parameter,
                    },
                };
                words.push((place, kind));
            }
        }
        before = word;
    }
    comments(text, at..text.len(), &mut words);
    words
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The comments between two words: a semicolon begins one, the end of the line ends it.
fn comments(text: &str, gap: Range<usize>, words: &mut Words) {
    let mut start = gap.start;
    for line in text[gap].split_inclusive('\n') {
        if let Some(at) = line.find(';') {
            let end = start + line.trim_end().len();
            words.push((start + at..end, Word::Comment));
        }
        start += line.len();
    }
}

fn system(text: &str) -> Words {
    let (mut words, mut start) = (vec![], 0);
    for text in text.split_inclusive('\n') {
        let line = Line::new(text, start);
        let mut own: Words = vec![];
        own.extend(line.number().map(|place| (place, Word::Variable)));
        own.extend(line.operator().map(|(_, place)| (place, Word::Keyword)));
        own.extend(line.references().map(|(_, place)| (place, Word::Variable)));
        own.extend(line.others().map(|place| (place, Word::Number)));
        own.extend(line.name().map(|(_, place)| (place, Word::Property)));
        own.extend(line.comment.clone().map(|place| (place, Word::Comment)));
        own.sort_by_key(|(place, _)| place.start);
        words.extend(own);
        start += text.len();
    }
    words
}
