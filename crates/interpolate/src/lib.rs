//! # bivalve-interpolate
//!
//! Interpolants (Craig, 1957): where two sets of formulas, *A* and *B*, contradict each other, a formula that
//! follows from *A*, contradicts *B*, and has no symbols but those that both have.
//!
//! ```
//! use bivalve::terms::{Op, Pool, Sort};
//! use bivalve::{Settings, Stop};
//! use bivalve_interpolate::{Interpolator, Outcome};
//!
//! // x = y + y is even, and x = z + z + 1 is not.
//! let mut pool = Pool::new();
//! let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::bitvec(8).expect("a width")));
//! let [twice, other] = [pool.bvadd(y, y)?, pool.bvadd(z, z)?];
//! let one = pool.bv(1, 8)?;
//! let odd = pool.bvadd(other, one)?;
//! let [a, b] = [twice, odd].map(|value| pool.mk(Op::Eq, &[x, value]));
//! let interpolator = Interpolator::new(Settings::default(), Stop::new());
//! let Outcome::Interpolant(found) = interpolator.between(&mut pool, &[a], &[b])? else { panic!("none") };
//! assert_eq!(pool.display(found).to_string(), "(= ((_ extract 0 0) x) #b0)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Method
//!
//! No refutation is looked at (Chockler, Ivrii and Matsliah, 2012). Two solvers hold *A* and *B*. A model of
//! *A* is described by literals over shared symbols: first by formulas that *A* and *B* are made of, and if
//! *B* has a model with these, by bits, and by what shared arrays and functions have at the places where the
//! two models differ. The literals that contradict *B*, without those that can be left out, are a cube of the
//! interpolant; it is excluded from *A*, until there is no model left. Where conjuncts of one side over
//! shared symbols contradict the other side, they are all that is needed.
//!
//! Cost: one check for each cube and each literal in it; cubes may be as many as values of shared symbols.
//! What is found is checked: two more checks, by solvers of their own, and a look at the symbols.
//!
//! For a sequence of sets, or a [`Tree`] of them, the interpolants that were found stand in the place of the
//! sets that they follow from: the contradiction stays, and no symbols come in.

mod reads;
mod search;
mod tree;

pub use search::{Interpolator, Outcome};
pub use tree::{NoDivision, Tree};
