//! Expressions: terms with the pool they belong to, for programs that build formulas by hand.
//!
//! A [`Context`] is a shared pool, an [`Expr`] a term of it. Expressions have a method for each operator, the
//! operators of Rust where they mean the same for every bit-vector (`+ - * & | ^ ! <<`; quotients, right
//! shifts and comparisons are signed or unsigned, so they are methods), and take integers on the right.
//!
//! Building never fails and never panics: an expression that cannot be built (ill-sorted, an integer that
//! does not fit, expressions of two contexts) carries the [`ExprError`] with the place in the source where it
//! was to be built, and so does everything built from it. A function that takes an expression, such as those
//! of a solver, asks for its [`term`](Expr::term) and gets the error.
//!
//! ```
//! use bivalve_terms::Context;
//!
//! let ctx = Context::new();
//! let (x, y) = (ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 16));
//! let goal = (&x * &x + 1).equals(0x52) & x.ugt(100);
//! assert_eq!(goal.to_string(), "(and (= (bvadd (bvmul x x) #b00000001) #b01010010) (bvugt x #b01100100))");
//! let wrong = (&x + &y).ult(5);
//! assert!(wrong.term().unwrap_err().to_string().starts_with("argument 2 of 'bvadd' is expected to be"));
//! ```
//!
//! Cost: two pointers and a reference count an expression; the pool is borrowed for each operator. A context
//! stays on its thread; the pool itself may go to another one.

mod operand;
mod operators;

use crate::BitVec;
use crate::op::Op;
use crate::pool::Pool;
use crate::print;
use crate::sort::Sort;
use crate::sort_rule::SortError;
use crate::term::Term;
use crate::{Substitution, Value};
pub use operand::Operand;
use operand::{Build, Built, Fault};
use std::cell::RefCell;
use std::fmt;
use std::panic::Location;
use std::rc::Rc;
use thiserror::Error;

/// A pool of terms that expressions share. Clones are the same context.
#[derive(Clone, Default)]
pub struct Context {
    pool: Rc<RefCell<Pool>>,
}

/// A term with its context, or the reason why it could not be built.
#[derive(Clone)]
pub struct Expr {
    context: Context,
    term: Result<Term, Rc<ExprError>>,
}

/// Why an expression could not be built, and where that was asked for.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("{problem}, at {location}")]
pub struct ExprError {
    /// What is wrong.
    pub problem: Problem,
    /// The place in the caller's source.
    pub location: &'static Location<'static>,
}

/// What is wrong with an expression.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The pool has refused to build the term or a sort.
    #[error(transparent)]
    Sort(#[from] SortError),
    /// Expressions of two contexts do not go together.
    #[error("expected an expression of the same context, found one of another")]
    OtherContext,
    /// An integer that the bit-vector sort has no place for.
    #[error("expected an integer that fits into {width} bits, found {value}")]
    OutOfRange {
        /// The integer.
        value: i128,
        /// The bits there are.
        width: u32,
    },
    /// A value stands where its sort cannot.
    #[error("expected {expected}, found {found}")]
    Value {
        /// What is expected.
        expected: String,
        /// The value.
        found: String,
    },
}

impl Context {
    /// A context without terms.
    pub fn new() -> Context {
        Context::default()
    }

    /// Works on the pool itself.
    ///
    /// # Panics
    ///
    /// If `work` uses this context or an expression of it: the pool is in use then.
    pub fn with_pool<T>(&self, work: impl FnOnce(&mut Pool) -> T) -> T {
        work(&mut self.pool.borrow_mut())
    }

    /// The expression of a term of this context's pool.
    pub fn expr(&self, term: Term) -> Expr {
        Expr { context: self.clone(), term: Ok(term) }
    }

    /// The sort of bit-vectors of `width` bits.
    ///
    /// # Errors
    ///
    /// Unless `1 <= width <= 2^24`.
    pub fn bv_sort(&self, width: u32) -> Result<Sort, SortError> {
        Sort::bitvec(width)
    }

    /// The sort of arrays.
    ///
    /// # Errors
    ///
    /// If arrays would be nested too deep, or if a part is a function sort.
    pub fn array_sort(&self, index: Sort, element: Sort) -> Result<Sort, SortError> {
        self.with_pool(|pool| pool.sorts_mut().array(index, element))
    }

    /// The sort of functions from `params` to `result`.
    ///
    /// # Errors
    ///
    /// If there are no parameters, or if a part is a function sort.
    pub fn function_sort(&self, params: &[Sort], result: Sort) -> Result<Sort, SortError> {
        self.with_pool(|pool| pool.sorts_mut().function(params, result))
    }

    /// A new uninterpreted sort, different from all others, whatever its name.
    pub fn declare_sort(&self, name: &str) -> Sort {
        self.with_pool(|pool| pool.sorts_mut().declare(name))
    }

    /// The sort in SMT-LIB syntax.
    pub fn sort_text(&self, sort: Sort) -> String {
        self.with_pool(|pool| pool.sorts().display(sort))
    }

    /// A new symbol of any sort (`declare-const`, or `declare-fun` for a function sort); each call makes
    /// another one, whatever its name.
    pub fn symbol(&self, name: &str, sort: Sort) -> Expr {
        self.expr(self.with_pool(|pool| pool.symbol(name, sort)))
    }

    /// A new Boolean symbol.
    pub fn bool_symbol(&self, name: &str) -> Expr {
        self.symbol(name, Sort::BOOL)
    }

    /// A new symbol of `width` bits.
    #[track_caller]
    pub fn bv_symbol(&self, name: &str, width: u32) -> Expr {
        self.build(|pool| Ok(pool.symbol(name, Sort::bitvec(width)?)))
    }

    /// A new array symbol with indices and elements of these widths.
    #[track_caller]
    pub fn array_symbol(&self, name: &str, index_width: u32, element_width: u32) -> Expr {
        self.build(|pool| {
            let (index, element) = (Sort::bitvec(index_width)?, Sort::bitvec(element_width)?);
            let sort = pool.sorts_mut().array(index, element)?;
            Ok(pool.symbol(name, sort))
        })
    }

    /// A new function symbol.
    #[track_caller]
    pub fn function(&self, name: &str, params: &[Sort], result: Sort) -> Expr {
        self.build(|pool| {
            let sort = pool.sorts_mut().function(params, result)?;
            Ok(pool.symbol(name, sort))
        })
    }

    /// A Boolean constant.
    pub fn bool(&self, value: bool) -> Expr {
        self.expr(self.with_pool(|pool| pool.bool(value)))
    }

    /// A bit-vector constant: an integer, signed or unsigned, of `width` bits.
    #[track_caller]
    pub fn bv(&self, value: impl Into<i128>, width: u32) -> Expr {
        let value = value.into();
        self.build(|pool| Ok(pool.bitvec(&operand::integer(value, Sort::bitvec(width)?)?)))
    }

    /// A bit-vector constant of any width.
    pub fn bitvec(&self, value: &BitVec) -> Expr {
        self.expr(self.with_pool(|pool| pool.bitvec(value)))
    }

    /// The constant of a value of `sort`; an array is a chain of `store` over a constant array.
    #[track_caller]
    pub fn value(&self, sort: Sort, value: &Value) -> Expr {
        self.build(|pool| operand::value(pool, sort, value))
    }

    /// The array of an array sort whose elements are all `element`.
    #[track_caller]
    pub fn const_array(&self, sort: Sort, element: impl Operand) -> Expr {
        self.build_from(|context| {
            let expected = context.with_pool(|pool| pool.sorts().array_parts(sort).map(|parts| parts.1));
            let element = element.to_term(context, expected)?;
            Ok(context.with_pool(|pool| pool.const_array(sort, element))?)
        })
    }

    /// The conjunction of Booleans; `true` for none.
    #[track_caller]
    pub fn all<'a>(&self, parts: impl IntoIterator<Item = &'a Expr>) -> Expr {
        self.join(Op::And, true, parts)
    }

    /// The disjunction of Booleans; `false` for none.
    #[track_caller]
    pub fn any<'a>(&self, parts: impl IntoIterator<Item = &'a Expr>) -> Expr {
        self.join(Op::Or, false, parts)
    }

    /// All of them differ from each other; `true` for fewer than two.
    #[track_caller]
    pub fn distinct<'a>(&self, parts: impl IntoIterator<Item = &'a Expr>) -> Expr {
        self.build_from(|context| {
            let parts = context.terms(parts)?;
            Ok(context.with_pool(|pool| match parts.len() {
                0 | 1 => Ok(pool.bool(true)),
                _ => pool.app(Op::Distinct, &parts),
            })?)
        })
    }

    #[track_caller]
    fn join<'a>(&self, op: Op, none: bool, parts: impl IntoIterator<Item = &'a Expr>) -> Expr {
        self.build_from(|context| {
            let parts = context.terms(parts)?;
            Ok(context.with_pool(|pool| match parts[..] {
                [] => Ok(pool.bool(none)),
                [one] if pool.sort(one).is_bool() => Ok(one),
                [one] => pool.app(op, &[one, one]),
                _ => pool.app(op, &parts),
            })?)
        })
    }

    fn terms<'a>(&self, parts: impl IntoIterator<Item = &'a Expr>) -> Built<Vec<Term>> {
        parts.into_iter().map(|part| part.to_term(self, None)).collect()
    }

    #[track_caller]
    fn build(&self, build: impl FnOnce(&mut Pool) -> Result<Term, Problem>) -> Expr {
        self.build_from(|context| Ok(context.with_pool(build)?))
    }

    #[track_caller]
    fn build_from(&self, build: impl FnOnce(&Context) -> Built<Term>) -> Expr {
        let location = Location::caller();
        let term = build(self).map_err(|fault| match fault {
            Fault::Carried(error) => error,
            Fault::New(problem) => Rc::new(ExprError { problem, location }),
        });
        Expr { context: self.clone(), term }
    }

    /// Are they the same context?
    pub fn is(&self, other: &Context) -> bool {
        Rc::ptr_eq(&self.pool, &other.pool)
    }
}

impl Expr {
    /// The term.
    ///
    /// # Errors
    ///
    /// When it could not be built.
    pub fn term(&self) -> Result<Term, ExprError> {
        self.term.clone().map_err(|error| (*error).clone())
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The sort.
    ///
    /// # Errors
    ///
    /// When the expression could not be built.
    pub fn sort(&self) -> Result<Sort, ExprError> {
        self.term().map(|term| self.context.with_pool(|pool| pool.sort(term)))
    }

    /// The number of bits of a bit-vector; `None` for others.
    pub fn width(&self) -> Option<u32> {
        self.sort().ok()?.width()
    }

    /// The operator; `None` if the expression could not be built.
    pub fn op(&self) -> Option<Op> {
        self.look(Pool::op)
    }

    /// The name of a symbol; `None` for others.
    pub fn name(&self) -> Option<String> {
        self.look(|pool, term| pool.name(term).map(str::to_owned))?
    }

    /// The value of a Boolean or bit-vector constant; `None` for others.
    pub fn constant(&self) -> Option<Value> {
        self.look(|pool, term| {
            let bits = || pool.as_bitvec(term).map(Value::from);
            pool.as_bool(term).map(Value::from).or_else(bits)
        })?
    }

    /// The arguments of the operator; for an application the function symbol comes first.
    pub fn args(&self) -> Vec<Expr> {
        let args = self.look(|pool, term| pool.args(term).to_vec()).unwrap_or_default();
        args.into_iter().map(|arg| self.context.expr(arg)).collect()
    }

    /// The indices of an indexed operator, as they stand in the text.
    pub fn indices(&self) -> Vec<u32> {
        self.look(Pool::indices).unwrap_or_default()
    }

    /// Bits `high` down to `low`.
    #[track_caller]
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> Expr {
        self.apply_op(Op::Extract, &[high, low], [])
    }

    /// Bit `index`, as a vector of one bit; bit 0 is the least significant.
    #[track_caller]
    #[must_use]
    pub fn bit(&self, index: u32) -> Expr {
        self.extract(index, index)
    }

    /// If this Boolean is true `then`, else `otherwise`.
    #[track_caller]
    #[must_use]
    pub fn ite(&self, then: &Expr, otherwise: impl Operand) -> Expr {
        let sort = then.sort().ok();
        self.apply_op(Op::Ite, &[], [(then as &dyn Operand, None), (&otherwise, sort)])
    }

    /// This array but for `index`, where the element is `element`.
    #[track_caller]
    #[must_use]
    pub fn store(&self, index: impl Operand, element: impl Operand) -> Expr {
        let (at, of) = self.array_parts().unzip();
        self.apply_op(Op::Store, &[], [(&index as &dyn Operand, at), (&element, of)])
    }

    /// This function symbol applied to arguments.
    #[track_caller]
    #[must_use]
    pub fn apply<'a>(&self, args: impl IntoIterator<Item = &'a Expr>) -> Expr {
        let args: Vec<&Expr> = args.into_iter().collect();
        self.apply_op(Op::Apply, &[], args.iter().map(|&arg| (arg as &dyn Operand, None)))
    }

    /// This expression with some replaced, all at once. Each must be replaced by one of its sort.
    #[track_caller]
    #[must_use]
    pub fn substitute<'a>(&self, pairs: impl IntoIterator<Item = (&'a Expr, &'a Expr)>) -> Expr {
        self.context.build_from(|context| {
            let root = self.to_term(context, None)?;
            let mut substitution = Substitution::new();
            for (from, to) in pairs {
                let (from, to) = (from.to_term(context, None)?, to.to_term(context, None)?);
                context.with_pool(|pool| {
                    pool.eq(from, to)?;
                    substitution.insert(pool, from, to);
                    Ok::<(), Problem>(())
                })?;
            }
            Ok(context.with_pool(|pool| substitution.apply(pool, root)))
        })
    }

    /// The operator applied to this expression and others; integers among them become constants of the sorts
    /// that stand beside them.
    #[track_caller]
    pub(crate) fn apply_op<'a>(
        &self,
        op: Op,
        indices: &[u32],
        others: impl IntoIterator<Item = (&'a dyn Operand, Option<Sort>)>,
    ) -> Expr {
        self.context.build_from(|context| {
            let mut args = vec![self.to_term(context, None)?];
            for (other, sort) in others {
                args.push(other.to_term(context, sort)?);
            }
            Ok(context.with_pool(|pool| pool.indexed(op, indices, &args))?)
        })
    }

    /// The sort that a second argument has, whether it is an integer or not: the index sort of an array that
    /// is read, the sort of the first argument everywhere else.
    pub(crate) fn sort_of_second(&self, op: Op) -> Option<Sort> {
        match op {
            Op::Select => self.array_parts().map(|parts| parts.0),
            _ => self.sort().ok(),
        }
    }

    fn array_parts(&self) -> Option<(Sort, Sort)> {
        self.look(|pool, term| pool.sorts().array_parts(pool.sort(term)))?
    }

    fn look<T>(&self, look: impl FnOnce(&Pool, Term) -> T) -> Option<T> {
        let term = self.term.clone().ok()?;
        Some(self.context.with_pool(|pool| look(pool, term)))
    }
}

/// The text in SMT-LIB syntax, with `let` for what is shared; an error stands between angle brackets.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.term {
            Ok(term) => f.write_str(&self.context.with_pool(|pool| print::term(pool, *term))),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

/// As [`Display`](fmt::Display).
impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context of {} terms", self.with_pool(|pool| pool.len()))
    }
}

/// Are they the same term of the same context? The formula that says so is [`Expr::equals`].
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.context.is(&other.context) && self.term == other.term
    }
}

impl Eq for Expr {}
