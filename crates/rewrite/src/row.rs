//! The rows of the rule table, as they are written down in [`crate::rules`].
//!
//! A row is a statement, "this term equals that one": a name, a left side, a right side, and perhaps a
//! condition on the constants. The statement *is* the code: it is read, normalised, compiled and applied; the
//! same text is checked for all small widths, rendered in the documentation and counted in the statistics.
//!
//! How statements are written:
//! - terms are SMT-LIB; any operator of the table may be used, those that are eliminated ([`crate::rules`])
//!   too;
//! - the one-letter names `k m n h` match constants only, every other single letter matches any term; the
//!   same name twice means the same term twice; sorts are inferred;
//! - `0 1 ones min max` and numerals are constants of whatever width the place has (`min` and `max` are the
//!   extreme signed values); `true`, `false` and `#b1` are what they are in SMT-LIB;
//! - the condition is a Boolean SMT-LIB term over the constants, and may call the functions of
//!   [`bivalve_statements::functions`]; these may also occur on the right;
//! - right sides over constants alone are evaluated.
//!
//! What an equation cannot say (indices that are computed, widths, loops) is a *function row*: the same
//! header, where the left side still is the pattern that selects terms, the right side is documentation, and
//! a Rust function builds the result or declines. Function rows are judged by the very same tests, on
//! instances of their left sides.

use crate::matcher::Match;
use bivalve_terms::{Pool, Term};

/// Builds the right side of a function row, or declines. The result has the sort of the term that matched.
pub(crate) type RuleFunction = fn(&mut Pool, &Match<'_>) -> Option<Term>;

/// A row of the table. Built by [`equation`], [`definition`] and [`function`] and the methods below.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) left: &'static str,
    pub(crate) right: &'static str,
    pub(crate) condition: Option<&'static str>,
    pub(crate) grows: Option<&'static str>,
    pub(crate) twin: bool,
    pub(crate) definition: bool,
    pub(crate) list: bool,
    pub(crate) function: Option<RuleFunction>,
}

/// A row whose right side is a term.
pub(crate) const fn equation(name: &'static str, left: &'static str, right: &'static str) -> Row {
    Row {
        name,
        left,
        right,
        condition: None,
        grows: None,
        twin: false,
        definition: false,
        list: false,
        function: None,
    }
}

/// A row that defines an operator outside of the core, over variables; patterns are normalised by these rows
/// too.
pub(crate) const fn definition(name: &'static str, left: &'static str, right: &'static str) -> Row {
    Row { definition: true, ..equation(name, left, right) }
}

/// A row whose right side is built by `function`; `right` tells the reader what it builds.
pub(crate) const fn function(
    name: &'static str,
    left: &'static str,
    right: &'static str,
    function: RuleFunction,
) -> Row {
    Row { function: Some(function), ..equation(name, left, right) }
}

impl Row {
    /// The row holds, and is applied, only where `condition` is true.
    pub(crate) const fn when(mut self, condition: &'static str) -> Row {
        self.condition = Some(condition);
        self
    }

    /// The right side may be larger than the left one, because of `why`.
    pub(crate) const fn grows(mut self, why: &'static str) -> Row {
        self.grows = Some(why);
        self
    }

    /// The left side shows the first arguments of a longer list.
    pub(crate) const fn for_lists(mut self) -> Row {
        self.list = true;
        self
    }

    /// The row also holds for Booleans, with `and` for `bvand`, `false` for `0` and so on; that makes a
    /// second rule, whose name starts with `bool_`.
    pub(crate) const fn and_for_booleans(mut self) -> Row {
        self.twin = true;
        self
    }
}
