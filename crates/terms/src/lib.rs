//! # bivalve-terms
//!
//! What a formula over bit-vectors, arrays and uninterpreted functions *is*, and what it *means*: sorts, the
//! operator table, bit-vector and array values, the hash-consed term pool, and the executable reference
//! semantics. Every other crate of Bivalve builds on it; it uses `bivalve-limits` alone.
//!
//! | file | what |
//! |---|---|
//! | `sort` | sorts as 32-bit ids, the width being part of the id |
//! | `op` | the operator table: name, arity, sort rule and meaning of each operator, a row each |
//! | `sort_rule` | the families of sort rules, and what they say to the ill-sorted |
//! | `pool`, `node`, `table` | hash-consed terms: the door, the 16 bytes of a node, the hash table |
//! | `compact` | a pool rebuilt with the terms in use |
//! | `side_table`, `dag` | maps and sets by term; cones and substitution |
//! | `bitvec`, `value`, `array_value` | what terms evaluate to |
//! | `semantics` | evaluation under an assignment: the judge of all other crates |
//! | `testing` | random terms, values and assignments (feature `testing`) |
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
//! assert!(eval(&pool, goal, &assignment).expect_bool());
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

mod array_value;
mod bitvec;
mod compact;
mod dag;
mod node;
mod op;
mod pool;
mod semantics;
mod side_table;
mod sort;
mod sort_rule;
mod table;
mod term;
#[cfg(feature = "testing")]
pub mod testing;
mod value;

pub use array_value::ArrayValue;
pub use bitvec::BitVec;
pub use compact::Renaming;
pub use dag::{Rebuild, Substitution, cone};
pub use op::{Args, Arity, Op, OpInfo};
pub use pool::Pool;
pub use semantics::{Assignment, Evaluator, Leaves, Valuation, eval};
pub use side_table::{TermMap, TermSet};
pub use sort::{MAX_DISPLAY, MAX_NESTING, Sort, SortKind, Sorts};
pub use sort_rule::SortError;
pub use term::Term;
pub use value::{FunctionValue, Value};

/// Terms and values may go from thread to thread.
const _: () = {
    const fn is_send<T: Send + Sync>() {}
    is_send::<Pool>();
    is_send::<Value>();
    is_send::<Assignment>();
    is_send::<Substitution>();
};
