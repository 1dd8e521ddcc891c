//! Sorts.
//!
//! Open sorts lie on a stack of their own. Each level of an array sort may mention the level below twice, so
//! the text of a deep one does not fit into any memory; messages cut it short.

use super::Naming;
use crate::sort::{MAX_DISPLAY, Sort, SortKind, Sorts};

/// The sort in SMT-LIB syntax, uninterpreted sorts under the names they were declared with.
pub fn sort(sorts: &Sorts, sort: Sort) -> String {
    let mut text = String::new();
    write_sort(&mut text, sorts, &Naming::default(), sort);
    text
}

/// Appends the sort under the names of `naming`. A function sort is not first class; it is printed as `(-> S
/// ... S)`.
pub fn write_sort(out: &mut String, sorts: &Sorts, naming: &Naming, sort: Sort) {
    write_within(usize::MAX, out, sorts, naming, sort);
}

/// The sort for messages: cut short with `...` after [`MAX_DISPLAY`] bytes.
pub(crate) fn short_sort(sorts: &Sorts, sort: Sort) -> String {
    let mut text = String::new();
    if !write_within(MAX_DISPLAY, &mut text, sorts, &Naming::default(), sort) {
        text.push_str("...");
    }
    text
}

/// Appends the sort, until the text is longer than `limit`; says whether all of it was appended.
fn write_within(limit: usize, out: &mut String, sorts: &Sorts, naming: &Naming, sort: Sort) -> bool {
    enum Step {
        Sort(Sort),
        Text(&'static str),
    }
    let mut todo = vec![Step::Sort(sort)];
    while let Some(step) = todo.pop() {
        if out.len() > limit {
            return false;
        }
        let sort = match step {
            Step::Sort(sort) => sort,
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
        };
        if let Some(width) = sort.width() {
            out.push_str("(_ BitVec ");
            out.push_str(&width.to_string());
            out.push(')');
            continue;
        }
        match sorts.kind(sort) {
            SortKind::Bool | SortKind::BitVec(_) => out.push_str("Bool"),
            SortKind::Theory(_) if let Some(record) = sorts.as_record(sort) => out.push_str(record.name()),
            SortKind::Theory(sort) => out.push_str(&sort.to_string()),
            SortKind::Uninterpreted(name) => out.push_str(naming.sort(sort).unwrap_or(&name)),
            SortKind::Array { index, element } => {
                out.push_str("(Array ");
                todo.extend([Step::Text(")"), Step::Sort(element), Step::Text(" "), Step::Sort(index)]);
            }
            SortKind::Function { params, result } => {
                out.push_str("(->");
                todo.extend([Step::Text(")"), Step::Sort(result), Step::Text(" ")]);
                todo.extend(params.iter().rev().flat_map(|&param| [Step::Sort(param), Step::Text(" ")]));
            }
        }
    }
    true
}
