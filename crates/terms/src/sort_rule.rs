//! Sort rules: which argument sorts an operator accepts, and the sort of its result.
//!
//! There are few of them, because operators come in families: all bitwise and arithmetic operators keep the
//! width, all comparisons give `Bool`. A row of the operator table names its rule; the pool applies it
//! whenever a term is built, in release builds too, so an ill-sorted term cannot exist. A refusal is a
//! [`SortError`] that says which argument is wrong, what was expected there and what was found; readers put
//! the place in the text beside it.
//!
//! Cost: a few comparisons per argument; text is made only for a refusal.

use crate::BitVec;
use crate::op::{Arity, Op};
use crate::pool::Pool;
use crate::sort::Sort;
use crate::term::Term;
use crate::theories::TheorySort;
use bivalve_floats::Format;
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
    #[error("'{op}' expects {}, found {found}", indices(*.expected))]
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
        /// Counted from 1; the function symbol of an application is not counted.
        position: usize,
        /// For example "a bit-vector" or "of sort Bool".
        expected: String,
        /// The sort found.
        found: String,
    },
    /// An index outside of what the argument allows, or an operator that is not applied in this way.
    #[error("'{op}' {problem}")]
    Range {
        /// The operator's SMT-LIB name.
        op: &'static str,
        /// What is expected and what was found, for example "expects at least 1 repetition, found 0".
        problem: String,
    },
    /// There is no such sort: an empty or too wide bit-vector, arrays nested too deep, a function as a value.
    #[error("{problem}")]
    NoSort {
        /// What is expected and what was found.
        problem: String,
    },
    /// A constant with more bits than its sort has.
    #[error("{value} does not fit into {width} bits")]
    TooLarge {
        /// The constant.
        value: u64,
        /// The width of its sort.
        width: u32,
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

/// "no index", "1 index", "2 indices".
fn indices(count: usize) -> String {
    match count {
        0 => "no index".into(),
        1 => "1 index".into(),
        count => format!("{count} indices"),
    }
}

/// The families of sort rules: which sorts an operator accepts, and the sort of its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortRule {
    /// Constants and symbols: made by constructors of their own.
    Leaf,
    /// A constant array: its sort is given with it.
    Annotated,
    /// A function symbol and arguments of the sorts of its parameters.
    Application,
    /// Different symbols of first-class sorts, and a Boolean; a Boolean.
    Binder,
    /// Booleans; a Boolean.
    Bools,
    /// Arguments of one first-class sort; a Boolean.
    SameSort,
    /// A Boolean and two arguments of one first-class sort, which is the result's.
    Ite,
    /// An array and an index; an element.
    Select,
    /// An array, an index and an element; the array's sort.
    Store,
    /// Bit-vectors; the sum of their widths.
    Concat,
    /// A bit-vector; the width that the indices say.
    Extract,
    /// A bit-vector; a multiple of its width.
    Repeat,
    /// A bit-vector; its width and the index.
    Extend,
    /// A bit-vector; its own sort, for any index.
    Rotate,
    /// Bit-vectors of one width; that width.
    SameWidth,
    /// Bit-vectors of one width; one bit.
    Comp,
    /// Bit-vectors of one width; a Boolean.
    Compare,
    /// A bit-vector; an integer.
    BvToInt,
    /// An integer; the width that the index says.
    IntToBv,
    /// Integers; an integer.
    Ints,
    /// Integers, or reals; a Boolean.
    NumberCompare,
    /// Bit-vectors: a sign, an exponent and a fraction; the format that has them.
    FloatFields,
    /// A bit-vector of the width of the format that the indices say; that format.
    FloatFromBits,
    /// A rounding mode and a floating-point number; the format that the indices say.
    FloatFromFloat,
    /// A rounding mode and a real; the format that the indices say.
    FloatFromReal,
    /// A rounding mode and a bit-vector; the format that the indices say.
    FloatFromBv,
    /// Floating-point numbers of one format; that format.
    Floats,
    /// A rounding mode and floating-point numbers of one format; that format.
    FloatsRounded,
    /// Floating-point numbers of one format; a Boolean.
    FloatCompare,
    /// A rounding mode and a floating-point number; the width that the index says.
    FloatToBv,
    /// A floating-point number; its width.
    FloatToIeee,
    /// A floating-point number; a real.
    FloatToReal,
    /// Fields, or a record: see `records`.
    Record,
}

/// A question to a rule: an operator, its arguments and its indices.
pub(crate) struct Query<'a> {
    pub(crate) pool: &'a Pool,
    pub(crate) op: Op,
    pub(crate) args: &'a [Term],
    pub(crate) indices: &'a [u32],
}

/// What rules return while they look. A refusal is boxed so that the way of the well-sorted goes through
/// registers.
pub(crate) type Checked<T> = Result<T, Box<SortError>>;

impl Query<'_> {
    /// The sort of the result.
    #[inline]
    pub(crate) fn result(&self) -> Result<Sort, SortError> {
        self.check().map_err(|refusal| *refusal)
    }

    fn check(&self) -> Checked<Sort> {
        self.check_counts()?;
        match self.op.info().rule {
            SortRule::Leaf | SortRule::Annotated => Err(self.range("has a constructor of its own".into())),
            SortRule::Application => self.application(),
            SortRule::Binder => self.binder(),
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
                self.is(2, element).map(|()| self.sort(0))
            }
            SortRule::Concat => {
                let width = |sum: u64, i| self.width(i).map(|width| sum + u64::from(width));
                self.bitvec((0..self.args.len()).try_fold(0, width)?)
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
            SortRule::Rotate => self.width(0).map(|_| self.sort(0)),
            SortRule::SameWidth => self.same_width(),
            SortRule::Comp => self.same_width().and_then(|_| self.bitvec(1)),
            SortRule::Compare => self.same_width().map(|_| Sort::BOOL),
            SortRule::BvToInt => self.width(0).map(|_| Sort::INT),
            SortRule::IntToBv => {
                self.all_of(Sort::INT)?;
                Ok(Sort::bitvec(self.indices[0])?)
            }
            SortRule::Ints => self.all_of(Sort::INT).map(|()| Sort::INT),
            SortRule::NumberCompare => {
                let is_real = self.pool.sorts().as_theory(self.sort(0)) == Some(TheorySort::Real);
                self.all_of(if is_real { self.sort(0) } else { Sort::INT }).map(|()| Sort::BOOL)
            }
            SortRule::Record => self.record(),
            rule => self.float_rule(rule),
        }
    }

    #[cold]
    fn float_rule(&self, rule: SortRule) -> Checked<Sort> {
        match rule {
            SortRule::FloatFields => {
                self.is(0, Sort::bitvec(1)?)?;
                self.format(self.width(1)?.into(), u64::from(self.width(2)?) + 1)
            }
            SortRule::FloatFromBits => {
                let (width, sort) = (self.width(0)?, self.indexed_format()?);
                let format = self.pool.sorts().float_format(sort).expect("a floating-point sort");
                if width != format.width() {
                    return Err(self.unexpected(0, format!("of sort (_ BitVec {})", format.width())));
                }
                Ok(sort)
            }
            SortRule::FloatFromFloat => {
                self.rounding_mode()?;
                self.float(1)?;
                self.indexed_format()
            }
            SortRule::FloatFromReal => {
                self.rounding_mode()?;
                if self.pool.sorts().as_theory(self.sort(1)) != Some(TheorySort::Real) {
                    return Err(self.unexpected(1, "of sort Real".into()));
                }
                self.indexed_format()
            }
            SortRule::FloatFromBv => {
                self.rounding_mode()?;
                self.width(1)?;
                self.indexed_format()
            }
            SortRule::Floats => self.floats(0),
            SortRule::FloatsRounded => {
                self.rounding_mode()?;
                self.floats(1)
            }
            SortRule::FloatCompare => self.floats(0).map(|_| Sort::BOOL),
            SortRule::FloatToBv => {
                self.rounding_mode()?;
                self.float(1)?;
                Ok(Sort::bitvec(self.indices[0])?)
            }
            SortRule::FloatToIeee => Ok(Sort::bitvec(self.float(0)?.width())?),
            SortRule::FloatToReal => {
                self.float(0)?;
                let real = self.pool.sorts().find_theory(TheorySort::Real);
                Ok(real.expect("the sort of the result is made before"))
            }
            rule => unreachable!("{rule:?} is not about floating point"),
        }
    }

    /// A rounding mode comes first.
    fn rounding_mode(&self) -> Checked<()> {
        match self.pool.sorts().as_theory(self.sort(0)) {
            Some(TheorySort::RoundingMode) => Ok(()),
            _ => Err(self.unexpected(0, "of sort RoundingMode".into())),
        }
    }

    fn float(&self, i: usize) -> Checked<Format> {
        let format = self.pool.sorts().float_format(self.sort(i));
        format.ok_or_else(|| self.unexpected(i, "a floating-point number".into()))
    }

    /// From argument `first` on all are floating-point numbers of one format.
    fn floats(&self, first: usize) -> Checked<Sort> {
        self.float(first)?;
        let sort = self.sort(first);
        (first..self.args.len()).try_for_each(|i| self.is(i, sort)).map(|()| sort)
    }

    fn indexed_format(&self) -> Checked<Sort> {
        let &[eb, sb] = self.indices else { unreachable!("the number of indices was checked") };
        self.format(eb.into(), sb.into())
    }

    /// The sort of a format, which was made before if there is one.
    fn format(&self, eb: u64, sb: u64) -> Checked<Sort> {
        let format = Format::new(eb, sb).map_err(|error| SortError::NoSort { problem: error.to_string() })?;
        let sort = self.pool.sorts().find_theory(TheorySort::Float(format));
        Ok(sort.expect("the sort of the result is made before"))
    }

    #[inline]
    fn check_counts(&self) -> Checked<()> {
        let info = self.op.info();
        if !info.arity.admits(self.args.len()) {
            return Err(self.miscounted());
        }
        if self.indices.len() != info.indices as usize {
            let expected = info.indices as usize;
            return Err(SortError::Indices { op: self.name(), expected, found: self.indices.len() }.into());
        }
        Ok(())
    }

    fn application(&self) -> Checked<Sort> {
        let Some((params, result)) = self.pool.sorts().function_parts(self.sort(0)) else {
            let found = self.pool.sorts().display(self.sort(0));
            return Err(self.range(format!("expects a function symbol at its head, found sort {found}")));
        };
        let found = self.args.len() - 1;
        if params.len() != found {
            let expected = format!("{} arguments", params.len());
            return Err(SortError::Arity { op: self.name(), expected, found }.into());
        }
        params.iter().enumerate().try_for_each(|(i, &param)| self.is(i + 1, param))?;
        Ok(result)
    }

    fn binder(&self) -> Checked<Sort> {
        let (&body, variables) = self.args.split_last().expect("the number of arguments was checked");
        for (i, variable) in variables.iter().enumerate() {
            if self.pool.op(*variable) != Op::Symbol {
                return Err(
                    self.range(format!("expects a symbol to bind, found a term at position {}", i + 1))
                );
            }
            self.first_class(i)?;
            if variables[..i].contains(variable) {
                return Err(
                    self.range(format!("expects different symbols, found one twice at position {}", i + 1))
                );
            }
        }
        if self.pool.sort(body) != Sort::BOOL {
            return Err(self.unexpected(self.args.len() - 1, "of sort Bool".into()));
        }
        Ok(Sort::BOOL)
    }

    fn ite(&self) -> Checked<Sort> {
        self.is(0, Sort::BOOL)?;
        let branch = self.first_class(1)?;
        self.is(2, branch).map(|()| branch)
    }

    fn extract(&self) -> Checked<Sort> {
        let width = self.width(0)?;
        let &[hi, lo] = self.indices else { unreachable!("the number of indices was checked") };
        if hi < lo || hi >= width {
            let problem = format!("expects {} >= hi >= lo >= 0, found hi = {hi} and lo = {lo}", width - 1);
            return Err(self.range(problem));
        }
        self.bitvec(u64::from(hi - lo) + 1)
    }

    #[inline]
    fn same_width(&self) -> Checked<Sort> {
        self.width(0)?;
        self.all_of(self.sort(0)).map(|()| self.sort(0))
    }

    #[inline]
    pub(crate) fn sort(&self, i: usize) -> Sort {
        self.pool.sort(self.args[i])
    }

    fn first_class(&self, i: usize) -> Checked<Sort> {
        if self.pool.sorts().is_function(self.sort(i)) {
            return Err(self.unexpected(i, "a term, not a function symbol".into()));
        }
        Ok(self.sort(i))
    }

    fn array(&self, i: usize) -> Checked<(Sort, Sort)> {
        let parts = self.pool.sorts().array_parts(self.sort(i));
        parts.ok_or_else(|| self.unexpected(i, "an array".into()))
    }

    #[inline]
    fn width(&self, i: usize) -> Checked<u32> {
        self.sort(i).width().ok_or_else(|| self.unexpected(i, "a bit-vector".into()))
    }

    #[inline]
    pub(crate) fn is(&self, i: usize, sort: Sort) -> Checked<()> {
        if self.sort(i) == sort { Ok(()) } else { Err(self.not_of_sort(i, sort)) }
    }

    #[inline]
    fn all_of(&self, sort: Sort) -> Checked<()> {
        (0..self.args.len()).try_for_each(|i| self.is(i, sort))
    }

    fn bitvec(&self, width: u64) -> Checked<Sort> {
        let sort = u32::try_from(width).ok().and_then(|width| Sort::bitvec(width).ok());
        sort.ok_or_else(|| SortError::TooWide { op: self.name(), width }.into())
    }

    /// What refusals call the operator.
    pub(crate) fn name(&self) -> &'static str {
        match self.op {
            Op::Const => "constant",
            Op::Symbol => "symbol",
            Op::Apply => "function application",
            Op::RecordNew => "constructor",
            Op::RecordIs => "tester",
            Op::RecordGet => "selector",
            Op::RecordSet => "update",
            op => op.name(),
        }
    }

    #[cold]
    fn miscounted(&self) -> Box<SortError> {
        let info = self.op.info();
        let expected = match info.arity {
            Arity::Leaf => "no arguments".into(),
            Arity::Exactly(1) => "1 argument".into(),
            Arity::Exactly(n) => format!("{n} arguments"),
            Arity::Application => "a function symbol and its arguments".into(),
            Arity::Binder => "variables and a formula".into(),
            Arity::Fields => "at least 1 argument".into(),
            Arity::LeftAssoc | Arity::RightAssoc | Arity::Chainable | Arity::Pairwise => {
                "at least 2 arguments".into()
            }
        };
        SortError::Arity { op: self.name(), expected, found: self.args.len() }.into()
    }

    #[cold]
    fn not_of_sort(&self, i: usize, sort: Sort) -> Box<SortError> {
        self.unexpected(i, format!("of sort {}", self.pool.sorts().display(sort)))
    }

    #[cold]
    pub(crate) fn unexpected(&self, i: usize, expected: String) -> Box<SortError> {
        let (op, position) = match self.op {
            Op::Apply => (self.pool.name(self.args[0]).unwrap_or(self.name()), i),
            _ => (self.name(), i + 1),
        };
        let op = op.to_owned();
        let found = self.pool.sorts().display(self.sort(i));
        SortError::Argument { op, position, expected, found }.into()
    }

    #[cold]
    pub(crate) fn range(&self, problem: String) -> Box<SortError> {
        SortError::Range { op: self.name(), problem }.into()
    }
}
