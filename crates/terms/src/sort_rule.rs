//! Sort rules: which argument sorts an operator accepts, and the sort of its result.
//!
//! There are few of them, because operators come in families: all bitwise and arithmetic operators keep the width,
//! all comparisons give `Bool`. A row of the operator table names its rule; the pool applies it whenever a term is
//! built, in release builds too, so an ill-sorted term cannot exist. A refusal is a [`SortError`] that says which
//! argument is wrong, what was expected there and what was found; readers put the place in the text beside it.
//!
//! Cost: a few comparisons per argument; text is made only for a refusal.

use crate::BitVec;
use crate::op::{Arity, Op};
use crate::sort::{Sort, Sorts};
use thiserror::Error;

/// Why a term cannot be built. Sorts are rendered in SMT-LIB syntax; `position` counts arguments from 1.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum SortError {
    /// Too few or too many arguments.
    #[error("'{op}' expects {expected}, found {found}")]
    Arity {
        /// The operator's SMT-LIB name.
        op: &'static str,
        /// For example "2 arguments".
        expected: String,
        /// The number of arguments found.
        found: usize,
    },
    /// Too few or too many indices.
    #[error("'{op}' expects {expected} indices, found {found}")]
    Indices {
        /// The operator's SMT-LIB name.
        op: &'static str,
        /// How many numerals it takes.
        expected: usize,
        /// How many were found.
        found: usize,
    },
    /// An argument of another sort than the operator accepts.
    #[error("argument {position} of '{op}' is expected to be {expected}, found sort {found}")]
    Argument {
        /// The operator's SMT-LIB name, or the name of the function symbol.
        op: String,
        /// Counted from 1.
        position: usize,
        /// For example "a bit-vector" or "of sort Bool".
        expected: String,
        /// The sort found.
        found: String,
    },
    /// An index outside of what the argument allows.
    #[error("'{op}': {problem}")]
    Range {
        /// The operator's SMT-LIB name.
        op: &'static str,
        /// What is expected and what was found.
        problem: String,
    },
    /// The result would be wider than 2^24 bits.
    #[error("'{op}' would be {width} bits wide; at most {} are supported", BitVec::MAX_WIDTH)]
    TooWide {
        /// The operator's SMT-LIB name.
        op: &'static str,
        /// The width asked for.
        width: u64,
    },
}

/// The families of sort rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SortRule {
    Leaf,
    Annotated,
    Application,
    Bools,
    SameSort,
    Ite,
    Select,
    Store,
    Concat,
    Extract,
    Repeat,
    Extend,
    Rotate,
    SameWidth,
    Comp,
    Compare,
}

/// A question to a rule: an operator, its argument sorts and its indices.
pub(crate) struct Query<'a> {
    pub(crate) sorts: &'a Sorts,
    pub(crate) op: Op,
    pub(crate) args: &'a [Sort],
    pub(crate) indices: &'a [u32],
}

impl Query<'_> {
    /// The sort of the result.
    pub(crate) fn result(&self) -> Result<Sort, SortError> {
        self.check_counts()?;
        match self.op.info().rule {
            SortRule::Leaf | SortRule::Annotated => Err(self.range("has a constructor of its own".into())),
            SortRule::Application => self.application(),
            SortRule::Bools => self.all_of(Sort::BOOL).map(|()| Sort::BOOL),
            SortRule::SameSort => self.first_class(0).and_then(|s| self.all_of(s)).map(|()| Sort::BOOL),
            SortRule::Ite => self.ite(),
            SortRule::Select => {
                let (index, element) = self.array(0)?;
                self.is(1, index).map(|()| element)
            }
            SortRule::Store => {
                let (index, element) = self.array(0)?;
                self.is(1, index)?;
                self.is(2, element).map(|()| self.args[0])
            }
            SortRule::Concat => {
                let widths: Result<Vec<u64>, _> =
                    (0..self.args.len()).map(|i| self.width(i).map(u64::from)).collect();
                self.bitvec(widths?.iter().sum())
            }
            SortRule::Extract => self.extract(),
            SortRule::Repeat => {
                let width = self.width(0)?;
                if self.indices[0] == 0 {
                    return Err(self.range("expects at least 1 repetition, found 0".into()));
                }
                self.bitvec(u64::from(width) * u64::from(self.indices[0]))
            }
            SortRule::Extend => self.bitvec(u64::from(self.width(0)?) + u64::from(self.indices[0])),
            SortRule::Rotate => self.width(0).map(|_| self.args[0]),
            SortRule::SameWidth => {
                self.width(0).and_then(|_| self.all_of(self.args[0])).map(|()| self.args[0])
            }
            SortRule::Comp => {
                self.width(0).and_then(|_| self.all_of(self.args[0])).and_then(|()| self.bitvec(1))
            }
            SortRule::Compare => self.width(0).and_then(|_| self.all_of(self.args[0])).map(|()| Sort::BOOL),
        }
    }

    fn check_counts(&self) -> Result<(), SortError> {
        let info = self.op.info();
        if !info.arity.admits(self.args.len()) {
            let expected = match info.arity {
                Arity::Leaf => "no arguments".into(),
                Arity::Exactly(1) => "1 argument".into(),
                Arity::Exactly(n) => format!("{n} arguments"),
                Arity::Application => "a function and its arguments".into(),
                _ => "at least 2 arguments".into(),
            };
            return Err(SortError::Arity { op: info.name, expected, found: self.args.len() });
        }
        if self.indices.len() != info.indices as usize {
            let expected = info.indices as usize;
            return Err(SortError::Indices { op: info.name, expected, found: self.indices.len() });
        }
        Ok(())
    }

    fn application(&self) -> Result<Sort, SortError> {
        let Some((params, result)) = self.sorts.function_parts(self.args[0]) else {
            return Err(self.unexpected(0, "a function symbol".into()));
        };
        let found = self.args.len() - 1;
        if params.len() != found {
            let expected = format!("{} arguments", params.len());
            return Err(SortError::Arity { op: "function application", expected, found });
        }
        params.iter().enumerate().try_for_each(|(i, &param)| self.is(i + 1, param))?;
        Ok(result)
    }

    fn ite(&self) -> Result<Sort, SortError> {
        self.is(0, Sort::BOOL)?;
        let branch = self.first_class(1)?;
        self.is(2, branch).map(|()| branch)
    }

    fn extract(&self) -> Result<Sort, SortError> {
        let width = self.width(0)?;
        let &[hi, lo] = self.indices else { unreachable!("the number of indices was checked") };
        if hi < lo || hi >= width {
            let problem = format!("expects {} >= hi >= lo >= 0, found hi = {hi} and lo = {lo}", width - 1);
            return Err(self.range(problem));
        }
        self.bitvec(u64::from(hi - lo) + 1)
    }

    fn first_class(&self, i: usize) -> Result<Sort, SortError> {
        if self.sorts.is_function(self.args[i]) {
            return Err(self.unexpected(i, "a term, not a function symbol".into()));
        }
        Ok(self.args[i])
    }

    fn array(&self, i: usize) -> Result<(Sort, Sort), SortError> {
        self.sorts.array_parts(self.args[i]).ok_or_else(|| self.unexpected(i, "an array".into()))
    }

    fn width(&self, i: usize) -> Result<u32, SortError> {
        self.args[i].width().ok_or_else(|| self.unexpected(i, "a bit-vector".into()))
    }

    fn is(&self, i: usize, sort: Sort) -> Result<(), SortError> {
        if self.args[i] == sort {
            return Ok(());
        }
        Err(self.unexpected(i, format!("of sort {}", self.sorts.display(sort))))
    }

    fn all_of(&self, sort: Sort) -> Result<(), SortError> {
        (0..self.args.len()).try_for_each(|i| self.is(i, sort))
    }

    fn bitvec(&self, width: u64) -> Result<Sort, SortError> {
        let too_wide = SortError::TooWide { op: self.op.name(), width };
        u32::try_from(width).ok().and_then(Sort::bitvec).ok_or(too_wide)
    }

    fn unexpected(&self, i: usize, expected: String) -> SortError {
        let (op, position) = match self.op {
            Op::Apply => ("function application".into(), i),
            op => (op.name().to_owned(), i + 1),
        };
        SortError::Argument { op, position, expected, found: self.sorts.display(self.args[i]) }
    }

    fn range(&self, problem: String) -> SortError {
        SortError::Range { op: self.op.name(), problem }
    }
}
