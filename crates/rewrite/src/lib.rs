//! # bivalve-rewrite
//!
//! Local rewriting of terms: every rule is a row of a table, an equation in SMT-LIB syntax that is at once
//! applied, judged, documented and counted (`rules`). The engine ([`Rewriter`]) applies them bottom-up to a
//! fixpoint and remembers results across calls. Simplifications that look at all assertions together are in
//! `bivalve-preprocess`, which uses the builders of this crate ([`make`], [`Template`]).
//!
//! The normal form has a small core of operators; all others are eliminated:
//! - Booleans: `not`, `and`, `=`, `ite`, and `distinct` over many terms;
//! - bit-vectors: `bvnot bvand bvxor`, `bvneg bvadd bvmul bvudiv bvurem bvsdiv bvsrem bvsmod`, `bvshl bvlshr
//!   bvashr`, `concat extract sign_extend ite`, `bvult bvslt bvumulo bvsmulo`;
//! - arrays and functions: `select`, `store`, constant arrays, application.
//!
//! All but `distinct` and application have fixed arity: longer lists become chains. Arguments of commutative
//! operators are ordered, constants first, then by age.
//!
//! ```
//! use bivalve_rewrite::{Level, Rewriter};
//! use bivalve_terms::{Op, Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let mut rewriter = Rewriter::new(Level::Local);
//! let x = pool.symbol("x", Sort::bitvec(8).expect("a legal width"));
//! let minus_x = pool.app(Op::BvNeg, &[x])?;
//! let sum = pool.app(Op::BvAdd, &[x, minus_x])?;
//! assert_eq!(rewriter.rewrite(&mut pool, sum), pool.bv_u64(0, 8));
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

mod engine;
mod index;
#[cfg(test)]
mod judge;
mod matcher;
mod normal;
#[cfg(feature = "faults")]
mod planted;
mod row;
mod rule;
mod rules;
mod statement;
mod sums;
mod table;

#[cfg(test)]
mod tests;

pub use bivalve_statements::{Edge, Template, always_different, make};
pub use engine::{Application, Level, Rewriter};
pub use rule::Rule;
pub use sums::simplify;
pub use table::RuleTable;
