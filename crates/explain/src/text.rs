//! A report as text, for people.
//!
//! Sections with aligned rows; long formulas are cut, long lists are counted. There are no times in it, so
//! the same input has the same text.

use crate::report::{BitsReport, ContradictionReport, InputsReport};
use crate::{Event, Report};
use std::fmt;

/// Lemmas that are shown.
const LEMMAS: usize = 20;

/// Rows of a list that are shown.
const ROWS: usize = 60;

/// Characters of a formula that are shown.
const CHARACTERS: usize = 120;

/// Several lines, with a line break at the end.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.place.is_empty() { String::new() } else { format!(" at {}", self.place) };
        writeln!(f, "{}{at}, explained", self.answer)?;
        self.lemmas(f)?;
        self.inputs.iter().try_for_each(|inputs| write!(f, "{inputs}"))?;
        self.contradiction.iter().try_for_each(|contradiction| write!(f, "{contradiction}"))
    }
}

impl Report {
    fn lemmas(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lemmas: Vec<&Event> =
            self.timeline.iter().filter(|event| matches!(event, Event::Lemma { .. })).collect();
        if lemmas.is_empty() {
            return Ok(());
        }
        let more = if self.left_out > 0 { ", and events that were not kept" } else { "" };
        writeln!(f, "  lemmas that were learned: {}{more}", lemmas.len())?;
        for (number, event) in lemmas.iter().take(LEMMAS).enumerate() {
            let Event::Lemma { rule, meaning, from, clause, .. } = event else { continue };
            writeln!(f, "    {}. {rule}: {meaning}", number + 1)?;
            if !from.is_empty() {
                let from: Vec<String> = from.iter().map(|term| cut(term)).collect();
                writeln!(f, "       from {}", from.join(" and "))?;
            }
            writeln!(f, "       {}", cut(clause))?;
        }
        rest(f, lemmas.len(), LEMMAS)
    }
}

impl fmt::Display for InputsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match (self.is_minimal, self.is_tried) {
            (true, _) => "none of it can be left out",
            (false, true) => "the budget ended before it was found whether some of it can be left out",
            (false, false) => "some of it may be dispensable: there are values without terms",
        };
        if self.parts.is_empty() {
            writeln!(f, "  no input matters: the assertions hold for all values")?;
        } else {
            writeln!(f, "  inputs that matter, * is a digit that may be anything; {words}")?;
            let rows = self.parts.iter().map(|part| [part.of.clone(), cut(&part.pattern)]);
            table(f, &rows.collect::<Vec<_>>())?;
        }
        if !self.free.is_empty() {
            let free: Vec<&str> = self.free.iter().take(ROWS).map(String::as_str).collect();
            let more = self.free.len() - free.len();
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            writeln!(f, "  inputs that may have any value: {}{more}", free.join(", "))?;
        }
        writeln!(f, "  assertions, and the inputs that matter to them")?;
        let rows = self.assertions.iter().map(|assertion| {
            let inputs = match &assertion.inputs[..] {
                [] => "none".to_owned(),
                inputs => cut(&inputs.join(", ")),
            };
            [origin(&assertion.place, assertion.name.as_deref()), inputs]
        });
        table(f, &rows.collect::<Vec<_>>())?;
        match self.assertions_left_out {
            0 => Ok(()),
            more => writeln!(f, "    and {more} more"),
        }
    }
}

impl fmt::Display for ContradictionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.is_minimal {
            true => "none of them can be left out",
            false => "the budget ended before it was found whether some of them can be left out",
        };
        writeln!(f, "  contradictory conjuncts: {} of {}; {words}", self.conjuncts.len(), self.of)?;
        let rows = self
            .conjuncts
            .iter()
            .map(|conjunct| [origin(&conjunct.place, conjunct.name.as_deref()), cut(&conjunct.text)]);
        table(f, &rows.collect::<Vec<_>>())?;
        let Some(bits) = &self.bits else {
            return writeln!(
                f,
                "  the budget ended before it was found which bits they are contradictory by"
            );
        };
        if bits.iter().all(|bits| bits.relevant.is_empty()) {
            return writeln!(f, "  they are contradictory whatever the values of symbols are");
        }
        let words = match self.bits_are_minimal {
            true => "none of them can be left out",
            false => "the budget ended before it was found whether some of them can be left out",
        };
        writeln!(f, "  bits that they are contradictory by; {words}")?;
        let rows: Vec<[String; 2]> = bits.iter().map(|bits| [bits.symbol.clone(), words_of(bits)]).collect();
        table(f, &rows)
    }
}

/// The relevant bits of a symbol in words.
fn words_of(bits: &BitsReport) -> String {
    let of = match bits.unit {
        "elements" => " of all elements",
        "results" => " of all results",
        _ => "",
    };
    match &bits.relevant[..] {
        [] => "none".into(),
        _ if bits.unit == "whole" => "the whole of it".into(),
        [(high, 0)] if high + 1 == bits.width && *high > 0 => format!("all {} bits{of}", bits.width),
        [(0, 0)] if bits.width == 1 => match bits.unit {
            "elements" => "all elements".into(),
            "results" => "all results".into(),
            _ => "its value".into(),
        },
        runs => {
            let run = |&(high, low): &(u32, u32)| match high == low {
                true => high.to_string(),
                false => format!("{high}..{low}"),
            };
            format!("{}{of}, of {}", runs.iter().map(run).collect::<Vec<_>>().join(", "), bits.width)
        }
    }
}

/// Place and name of an assertion.
fn origin(place: &str, name: Option<&str>) -> String {
    match (place, name) {
        ("", None) => "an assertion".into(),
        ("", Some(name)) => name.to_owned(),
        (place, None) => place.to_owned(),
        (place, Some(name)) => format!("{place} {name}"),
    }
}

/// No column is made wider for a name of any length; `format!` would panic beyond 65,535.
const WIDEST: usize = 200;

/// Two columns, the first of which is aligned.
fn table(f: &mut fmt::Formatter<'_>, rows: &[[String; 2]]) -> fmt::Result {
    let shown = &rows[..rows.len().min(ROWS)];
    let width = shown.iter().map(|[first, _]| first.chars().count()).max().unwrap_or(0).min(WIDEST);
    for [first, second] in shown {
        writeln!(f, "    {first:width$}  {second}")?;
    }
    rest(f, rows.len(), ROWS)
}

fn rest(f: &mut fmt::Formatter<'_>, all: usize, shown: usize) -> fmt::Result {
    if all > shown { writeln!(f, "    and {} more", all - shown) } else { Ok(()) }
}

/// Text on one line, cut where it is long.
fn cut(text: &str) -> String {
    let mut line = text.replace('\n', " ");
    if let Some((end, _)) = line.char_indices().nth(CHARACTERS) {
        let missing = line[end..].chars().count();
        line.truncate(end);
        line += &format!("... ({missing} more characters)");
    }
    line
}
