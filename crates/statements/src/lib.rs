//! # bivalve-statements
//!
//! Statements about terms as text: what the tables of rewrite rules, of unconstrained terms and of lemmas
//! about arithmetic are written in. A statement is a term of SMT-LIB over metavariables, which are single
//! letters, and literals (`0`, `ones`, `min`, ...) that take the width of their place.
//!
//! - [`Tree`]: a statement that was read ([`Reader`]), with its operators resolved;
//! - [`Typing`]: which parts have the same sort, and where the sort of a literal can be looked up;
//! - [`functions`]: questions about constants that SMT-LIB has no name for, as conditions may ask them;
//! - [`Template`]: a statement ready for use, which is built as a term, or evaluated on values;
//! - [`make`]: constructors of terms with the simplifications that cost nothing.
//!
//! ```
//! use bivalve_statements::Template;
//! use bivalve_terms::{Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8)?;
//! let (x, y) = (pool.symbol("x", byte), pool.symbol("y", byte));
//! let template = Template::parse("(=> (= s 0) (bvule x ones))", &['x', 's']).expect("well-formed");
//! let term = template.build(&mut pool, &[Some(x), Some(y)], byte);
//! assert!(pool.sort(term).is_bool());
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

mod edge;
pub mod functions;
pub mod make;
mod sexpr;
mod template;
mod tree;
mod typing;

pub use edge::{Edge, Head, always_different};
pub use sexpr::{Sexpr, read};
pub use template::Template;
pub use tree::{Literal, MAX_SLOTS, Node, Reader, Slot, Tree, names_constant, operator};
pub use typing::{Class, Kind, SortSource, Typing};
