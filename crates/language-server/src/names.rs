//! All places of a name, and giving it another one.
//!
//! A word stands for a name where both have the same origin, so bindings that hide a declaration are told
//! apart from it. A name is changed only if the text is as right afterwards as before, and the new name is
//! not in it: then it cannot take or lose the meaning of another. Cost: the commands that have the name are
//! looked at; changing it reads the text once more.

use crate::analysis::{Analysis, Kind, Name};
use crate::document::Document;
use crate::explore::Place;
use crate::lines::Line;
use bivalve::terms::print;
use bivalve_formats::sexpr;
use std::ops::Range;

/// Where the name at a place gets its meaning.
pub(crate) fn origin(document: &Document, offset: usize) -> Option<Name> {
    if document.is_btor2() {
        let (name, _) = line_at(document, offset)?.1;
        return document.analysis.declaration(&name, offset).cloned();
    }
    let place = Place::new(&document.text, &document.analysis, offset)?;
    place.is_name().then(|| place.origin())?
}

/// The number of a line that is used or declared at a place of a system, and the line that it is in.
fn line_at(document: &Document, offset: usize) -> Option<(usize, (String, Range<usize>))> {
    let part = document.analysis.part_at(offset)?;
    let range = document.analysis.parts[part].range.clone();
    let line = Line::new(&document.text[range.clone()], range.start);
    let own = line.number().map(|place| (&document.text[place.clone()], place));
    let mut all = own.into_iter().chain(line.references());
    let (name, place) = all.find(|(_, place)| place.start <= offset && offset <= place.end)?;
    Some((part, (name.to_owned(), place)))
}

/// All places of a name, that of its origin among them, in order.
pub(crate) fn references(document: &Document, origin: &Name) -> Vec<Range<usize>> {
    let Document { text, analysis, .. } = document;
    let mut found = vec![];
    for (number, part) in analysis.parts.iter().enumerate() {
        let part_text = &text[part.range.clone()];
        if !part_text.contains(&origin.name) {
            continue;
        }
        if document.is_btor2() {
            let line = Line::new(part_text, part.range.start);
            let own = line.number().filter(|place| *place == origin.place);
            let used = line.references().filter(|(name, _)| *name == origin.name).map(|(_, place)| place);
            found.extend(own.into_iter().chain(used));
        } else {
            let same = Place::all_of(text, analysis, number).filter(|place| {
                let is_same = || place.origin().is_some_and(|other| other.place == origin.place);
                place.name() == Some(&origin.name) && place.is_name() && is_same()
            });
            found.extend(same.map(|place| place.range()));
        }
    }
    found
}

/// The places that are to be changed, and to what, for a name to become another one.
///
/// # Errors
///
/// A sentence, when it cannot become that one.
pub(crate) fn renamed(
    document: &Document,
    offset: usize,
    new_name: &str,
) -> Result<(Vec<Range<usize>>, String), String> {
    if document.is_btor2() {
        return Err("expected a name of a script; the lines of a system have numbers".to_owned());
    }
    let origin = origin(document, offset).ok_or("there is no name here that the script declares")?;
    let bare = sexpr::bare(new_name);
    if bare.is_empty() || bare.contains(|c: char| c == '|' || c == '\\' || c.is_control()) {
        return Err(format!("expected a symbol without '|' and '\\', found '{new_name}'"));
    }
    let is_sort = |name: &Name| name.kind == Kind::Sort;
    let all = document.analysis.names.get(&origin.name).map_or(&[][..], |names| names);
    if all.iter().any(is_sort) && !all.iter().all(is_sort) {
        return Err(format!("'{}' is a sort and something else", origin.name));
    }
    let text = &document.text;
    let mut words = sexpr::tokens(text.as_bytes()).map(|token| sexpr::bare(&text[token.range()]));
    if bare == origin.name || words.any(|word| word == bare) {
        return Err(format!("'{bare}' is in the script already"));
    }
    let (places, written) = (references(document, &origin), print::symbol(bare).into_owned());
    let mut changed = text.clone();
    for place in places.iter().rev() {
        changed.replace_range(place.clone(), &written);
    }
    let faults = Analysis::new(&changed, false).faults;
    match faults.get(document.analysis.faults.len()) {
        Some(fault) => Err(format!("'{bare}' cannot be the name: {}", fault.message)),
        None => Ok((places, written)),
    }
}
