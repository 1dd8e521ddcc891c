//! # bivalve-terms
//!
//! What a formula over bit-vectors, arrays and uninterpreted functions *is*, and what it *means*: sorts, the operator
//! table, bit-vector and array values, the hash-consed term pool, and the executable reference semantics. This
//! crate knows no other; every other crate of Bivalve knows it.
//!
//! ```
//! use bivalve_terms::{Assignment, BitVec, Op, Pool, Sort, eval};
//!
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8).expect("a legal width");
//! let x = pool.symbol("x", byte);
//! let square = pool.app(Op::BvMul, &[x, x])?;
//! let nine = pool.bv_u64(9, 8);
//! let goal = pool.app(Op::Eq, &[square, nine])?;
//!
//! let mut assignment = Assignment::new();
//! assignment.set(x, BitVec::from_u64(3, 8));
//! assert!(eval(&pool, goal, &assignment).as_bool());
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

mod array_value;
mod bitvec;
mod dag;
mod node;
mod op;
mod pool;
mod semantics;
mod side_table;
mod sort;
mod sort_rule;
mod table;
#[cfg(feature = "testing")]
pub mod testing;
mod value;

pub use array_value::ArrayValue;
pub use bitvec::BitVec;
pub use dag::{Substitution, cone};
pub use op::{Args, Arity, Op, OpInfo};
pub use pool::{Pool, Term};
pub use semantics::{Assignment, Evaluator, eval};
pub use side_table::{TermMap, TermSet};
pub use sort::{MAX_NESTING, Sort, SortKind, Sorts};
pub use sort_rule::SortError;
pub use value::{FunctionValue, Value};
