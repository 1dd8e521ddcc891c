//! From the text of a row to trees.
//!
//! A [`Statement`] holds the two sides and the condition of a row as trees over the metavariables of the row,
//! numbered in the order in which they appear on the left. Any mistake in a row is an error with the row's
//! name; a test compiles the whole table, so no user ever sees one.
//!
//! The Boolean twin of a row (see [`Row::and_for_booleans`]) is made here, by renaming atoms.

use crate::row::Row;
use bivalve_statements::{Reader, Sexpr, Tree, operator, read};
use bivalve_terms::Op;
use std::borrow::Cow;

/// A row as trees.
pub(crate) struct Statement {
    pub(crate) name: Cow<'static, str>,
    /// Names of the slots.
    pub(crate) slots: Vec<char>,
    pub(crate) left: Tree,
    /// `None` for function rows.
    pub(crate) right: Option<Tree>,
    pub(crate) condition: Option<Tree>,
}

/// The statement of a row, or that of its Boolean twin, under the given name.
pub(crate) fn statement(row: &Row, twin: bool, name: Cow<'static, str>) -> Result<Statement, String> {
    let explain = |why: String| format!("row '{}': {why}", row.name);
    let mut reader = Reader::new();
    let mut tree = |text: &str| {
        let sexpr = read(text).map_err(explain)?;
        let tree = reader.tree(&if twin { boolean(sexpr) } else { sexpr }).map_err(explain);
        reader.close();
        tree
    };
    let left = tree(row.left)?;
    let right = if row.function.is_none() { Some(tree(row.right)?) } else { None };
    let condition = row.condition.map(tree).transpose()?;
    Ok(Statement { name, slots: reader.into_slots(), left, right, condition })
}

/// The operator on top of a text, without reading the rest.
pub(crate) fn outer_operator(text: &str, twin: bool) -> Result<Op, String> {
    let words = text.split([' ', '(', ')']).filter(|word| !word.is_empty() && *word != "_");
    let name = words.into_iter().next().ok_or("an empty left side")?;
    Ok(operator(&Sexpr::Atom(if twin { boolean_atom(name) } else { name }))?.0)
}

/// A text of a row as it is stated, for its Boolean twin if `twin`.
pub(crate) fn stated(text: &'static str, twin: bool) -> Cow<'static, str> {
    match read(text) {
        Ok(sexpr) if twin => boolean(sexpr).to_string().into(),
        _ => text.into(),
    }
}

/// The same statement about Booleans.
fn boolean(sexpr: Sexpr<'_>) -> Sexpr<'_> {
    match sexpr {
        Sexpr::Atom(atom) => Sexpr::Atom(boolean_atom(atom)),
        Sexpr::List(items) => Sexpr::List(items.into_iter().map(boolean).collect()),
    }
}

fn boolean_atom(atom: &str) -> &str {
    match atom {
        "bvand" => "and",
        "bvor" => "or",
        "bvnot" => "not",
        "bvxor" => "xor",
        "0" => "false",
        "ones" => "true",
        other => other,
    }
}
