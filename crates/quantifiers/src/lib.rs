//! # bivalve-quantifiers
//!
//! Formulas for all values of variables, decided by formulas without them.
//!
//! A [`Grounding`] replaces each outermost binder of a formula by a Boolean symbol, its *atom*. What an atom
//! stands for is said by lemmas, which hold whatever else is asserted: an atom that is true implies each
//! instance of its formula, one that is false implies that the body is false for new symbols. A solver for
//! formulas without quantifiers finds a candidate; the loop above it (in `bivalve`) asks of each atom that
//! matters ([`Grounding::needs`]) whether the candidate is right about it. [`Frozen`] puts the values of the
//! candidate into a body, so that another solver can look for values of the variables for which the body is
//! false; [`Terms`] finds terms that have these values, which make an instance.
//!
//! Before it gets an atom, a binder is replaced by an equivalent formula that is easier: [`Eliminator`].
//!
//! ```
//! use bivalve_limits::Stop;
//! use bivalve_quantifiers::Grounding;
//! use bivalve_terms::{Op, Pool, Sort, outermost_binders};
//!
//! let mut pool = Pool::new();
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(8).expect("a legal width")));
//! let square = pool.app(Op::BvMul, &[x, x])?;
//! let differs = pool.app(Op::Distinct, &[square, y])?;
//! let is_no_square = pool.forall(&[x], differs)?;
//! let mut grounding = Grounding::new();
//! let ground = grounding.ground(&mut pool, is_no_square, &Stop::new());
//! assert!(outermost_binders(&pool, &[ground]).is_empty());
//! let (atom, need) = grounding.needs(&pool, ground)[0];
//! assert!(need.if_true && !need.if_false && grounding.atom(atom).symbol == ground);
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `eliminate` | binders replaced by equivalent formulas |
//! | `forms` | formulas up to the names of their variables |
//! | `grounding` | atoms in the place of binders, lemmas about them |
//! | `polarity` | which values of an atom matter to a formula |
//! | `values` | values of a candidate as terms, put into a formula |
//! | `instances` | terms that have given values |

mod eliminate;
mod forms;
mod grounding;
mod instances;
mod polarity;
mod values;

pub use eliminate::{Eliminator, Guide};
pub use grounding::{Atom, Grounding};
pub use instances::Terms;
pub use polarity::Need;
pub use values::Frozen;
