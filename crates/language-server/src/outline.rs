//! The outline of a text: what it declares and asks, in order.

use crate::analysis::{Kind, Name, Part};
use crate::document::Document;
use crate::lines::Line;
use serde_json::{Value, json};
use std::ops::Range;

/// Kinds of the protocol.
const CLASS: u8 = 5;
const FUNCTION: u8 = 12;
const VARIABLE: u8 = 13;
const CONSTANT: u8 = 14;
const KEY: u8 = 20;
const EVENT: u8 = 24;

/// The declarations, labels and checks of a script; the named lines of a system, its inputs, states and
/// properties.
pub(crate) fn outline(document: &Document) -> Vec<Value> {
    let parts = document.analysis.parts.iter();
    match document.is_btor2() {
        true => parts.filter_map(|part| of_line(document, part)).collect(),
        false => parts.flat_map(|part| of_command(document, part)).collect(),
    }
}

fn symbol(document: &Document, name: &str, detail: &str, kind: u8, [all, own]: [Range<usize>; 2]) -> Value {
    json!({
        "name": name,
        "detail": detail,
        "kind": kind,
        "range": document.places(all),
        "selectionRange": document.places(own),
    })
}

fn of_command(document: &Document, part: &Part) -> Vec<Value> {
    let of_name = |name: &Name| {
        let kind = match name.kind {
            Kind::Sort => CLASS,
            Kind::Function => FUNCTION,
            Kind::Label => KEY,
            Kind::Constant | Kind::Bound | Kind::Line => CONSTANT,
        };
        let written = &document.text[name.place.clone()];
        symbol(document, written, &name.detail, kind, [part.range.clone(), name.place.clone()])
    };
    let check = part.is_check.then(|| {
        let ranges = [part.range.clone(), part.range.clone()];
        symbol(document, "check-sat", "", EVENT, ranges)
    });
    part.declares.iter().chain(&part.labels).map(of_name).chain(check).collect()
}

fn of_line(document: &Document, part: &Part) -> Option<Value> {
    let line = Line::new(&document.text[part.range.clone()], part.range.start);
    let (operator, place) = line.operator()?;
    let kind = match operator {
        "input" | "state" => VARIABLE,
        "bad" | "constraint" | "fair" | "justice" => EVENT,
        "output" => KEY,
        "sort" => CLASS,
        _ => CONSTANT,
    };
    if line.name().is_none() && kind == CONSTANT {
        return None;
    }
    let number = &document.text[line.number()?];
    let (name, own) = match line.name() {
        Some((name, place)) => (name.to_owned(), place),
        None => (format!("{operator} {number}"), place),
    };
    Some(symbol(document, &name, &format!("{number} {operator}"), kind, [part.range.clone(), own]))
}
