//! # bivalve-terms
//!
//! Formulas over bit-vectors, arrays, uninterpreted functions and floats: sorts, operators, terms, values,
//! text, and the executable reference semantics on which every other crate of Bivalve is tested.
//!
//! Formulas are built by hand with a [`Context`], whose expressions have the operators of Rust and a method
//! for every operator of SMT-LIB. An expression that cannot be built carries its error.
//!
//! ```
//! use bivalve_terms::{Assignment, BitVec, Context, eval};
//!
//! let ctx = Context::new();
//! let x = ctx.bv_symbol("x", 8);
//! let goal = (&x * &x).equals(9);
//! assert_eq!(goal.to_string(), "(= (bvmul x x) #b00001001)");
//!
//! let mut assignment = Assignment::new();
//! assignment.set(x.term()?, BitVec::from_u64(3, 8));
//! let goal = goal.term()?;
//! assert_eq!(ctx.with_pool(|pool| eval(pool, goal, &assignment)).as_bool(), Some(true));
//! # Ok::<(), bivalve_terms::ExprError>(())
//! ```
//!
//! Programs that work on terms, such as passes, use the [`Pool`] itself: there a [`Term`] is an id of four
//! bytes, and every constructor returns a `Result`.
//!
//! ```
//! use bivalve_terms::{Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let x = pool.symbol("x", Sort::bitvec(8)?);
//! let square = pool.bvmul(x, x)?;
//! let nine = pool.bv(9, 8)?;
//! let goal = pool.eq(square, nine)?;
//! assert_eq!(pool.display(goal).to_string(), "(= (bvmul x x) #b00001001)");
//! assert!(pool.bvult(x, goal).is_err());
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `sort` | sorts as 32-bit ids, the width being part of the id |
//! | `op` | the operator table: name, theory, arity, sort rule and meaning of each operator, a row each |
//! | `sort_rule` | the families of sort rules, and what they say to the ill-sorted |
//! | `pool`, `node`, `table`, `term` | hash-consed terms: constructors, nodes of 16 bytes, ids |
//! | `build`, `context` | a builder for each operator, expressions |
//! | `binders` | formulas for all values of variables: bound and free symbols, evaluation by enumeration |
//! | `binding` | binders for programs, which bind symbols of their own |
//! | `print` | text in SMT-LIB syntax |
//! | `compact` | a pool rebuilt with the terms in use |
//! | `side_table`, `union_find`, `dag` | maps and sets by term; classes; cones and substitution |
//! | `bitvec`, `integers`, `value`, `array_value` | what terms evaluate to |
//! | `floats` | floating-point terms, and what stands for results that the standard leaves open |
//! | `records` | record sorts, their values and operators |
//! | `theories` | sorts and values of theories that are lowered |
//! | `semantics` | evaluation under an assignment |
//! | `testing` | random terms, values and assignments (feature `testing`) |

mod array_value;
mod binders;
mod binding;
mod bitvec;
mod build;
mod compact;
mod context;
mod dag;
mod floats;
mod integers;
mod node;
mod op;
mod pool;
pub mod print;
mod records;
mod semantics;
mod side_table;
mod sort;
mod sort_rule;
mod table;
mod term;
#[cfg(feature = "testing")]
pub mod testing;
mod theories;
mod union_find;
mod value;

pub use array_value::ArrayValue;
pub use binders::{
    bound_variables, evaluations, free_symbols, ground_cone, is_enumerable, outermost_binders,
};
pub use bitvec::BitVec;
pub use bivalve_floats as float;
pub use compact::{Mirror, Renaming};
pub use context::{Context, Expr, ExprError, Operand, Problem};
pub use dag::{Rebuild, Substitution, cone, unseen};
pub use num_bigint::BigInt;
pub use op::{Args, Arity, Op, OpInfo, Theory};
pub use pool::Pool;
pub use records::{Constructor, RecordSort, RecordValue};
pub use semantics::{Assignment, Evaluator, Leaves, Valuation, eval, meaning};
pub use side_table::{TermMap, TermSet};
pub use sort::{MAX_DISPLAY, MAX_NESTING, Sort, SortKind, Sorts};
pub use sort_rule::{SortError, SortRule};
pub use term::Term;
pub use theories::{TheorySort, TheoryValue};
pub use union_find::UnionFind;
pub use value::{FunctionValue, Value};

/// Terms and values may go from thread to thread.
const _: () = {
    const fn is_send<T: Send + Sync>() {}
    is_send::<Pool>();
    is_send::<Value>();
    is_send::<Assignment>();
    is_send::<Substitution>();
};
