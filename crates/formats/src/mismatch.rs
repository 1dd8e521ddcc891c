//! Refusals of the pool in the words of a diagnostic: which argument is wrong, what was expected, and what
//! was found.

use bivalve_terms::{BitVec, SortError};

/// What is wrong with an application or a sort.
pub(crate) struct Mismatch {
    /// The position of the argument that is wrong, if it is one.
    pub(crate) argument: Option<usize>,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl Mismatch {
    /// A refusal; `name` is what the text calls the operator, if that is not its name in SMT-LIB.
    pub(crate) fn new(error: SortError, name: Option<&str>) -> Mismatch {
        let said = |own: &str| format!("'{}'", name.unwrap_or(own));
        let (argument, expected, found) = match error {
            SortError::Argument { op, position, expected, found } => {
                let expected = expected.strip_prefix("of ").unwrap_or(&expected);
                let expected = format!("{expected} as argument {position} of {}", said(&op));
                (Some(position), expected, format!("sort {found}"))
            }
            SortError::Arity { op, expected, found } => {
                (None, format!("{expected} of {}", said(op)), found.to_string())
            }
            SortError::Indices { op, expected, found } => {
                let indices = if expected == 1 { "index" } else { "indices" };
                (None, format!("{expected} {indices} of {}", said(op)), found.to_string())
            }
            SortError::Range { op, problem } => {
                let problem = problem.strip_prefix("expects ").unwrap_or(&problem);
                let (expected, found) = problem.split_once(", found ").unwrap_or((problem, "others"));
                (None, format!("{expected} in {}", said(op)), found.to_owned())
            }
            SortError::NoSort { problem } => {
                let (rule, found) = problem.split_once(", found ").unwrap_or((&problem, "another"));
                (None, format!("a sort that exists ({rule})"), found.to_owned())
            }
            SortError::TooLarge { value, width } => {
                let place = name.map_or(String::new(), |name| format!(" in '{name}'"));
                (None, format!("a number of at most {width} bits{place}"), value.to_string())
            }
            SortError::TooWide { op, width } => {
                (None, format!("at most {} bits of {}", BitVec::MAX_WIDTH, said(op)), width.to_string())
            }
        };
        Mismatch { argument, expected, found }
    }
}

/// The width of a bit-vector, as it is expected.
pub(crate) fn a_width() -> String {
    format!("a width from 1 to {}", BitVec::MAX_WIDTH)
}

/// "1 argument", "2 arguments".
pub(crate) fn arguments(count: usize) -> String {
    format!("{count} {}", if count == 1 { "argument" } else { "arguments" })
}
