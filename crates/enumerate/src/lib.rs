//! # bivalve-enumerate
//!
//! All values that some terms have in models of the assertions of a [`Solver`](bivalve::Solver): listed by
//! [`Models`], counted by [`count`].
//!
//! ```
//! use bivalve::terms::{Op, Pool, Sort};
//! use bivalve::{Settings, Solver};
//! use bivalve_enumerate::{Models, Next, count};
//!
//! // x < 3, and nothing is said of y.
//! let mut pool = Pool::new();
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(32).expect("a width")));
//! let three = pool.bv(3, 32)?;
//! let is_small = pool.bvult(x, three)?;
//! let mut solver = Solver::new(Settings::default());
//! solver.assert(&pool, is_small)?;
//! let number = count(&mut solver, &mut pool, &[x, y], &[])?;
//! assert_eq!(number.exact().expect("no limit was set").to_string(), (3u64 << 32).to_string());
//!
//! let mut models = Models::new(&mut pool, &[x], &[])?;
//! let mut values = vec![];
//! while let Next::Cube(cube) = models.next(&mut solver, &mut pool)? {
//!     values.extend(cube.points().map(|point| point[0].to_u64().expect("a bit-vector")));
//! }
//! values.sort();
//! assert_eq!(values, [0, 1, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Method
//!
//! A model is made a *cube*: the bits that the formulas need to be true, as read off their terms
//! (`bivalve_systems::needed`), are kept, and the others may have any value. Terms that are not symbols stand
//! for new symbols that equal them. What is not in the cube is searched next: the deepest of its bits behind
//! which there are models is turned, under those before it, then one before it, and so on (chronological
//! backtracking; Grumberg, Schuster and Yadgar, 2004). So no clause excludes a model, cubes never overlap,
//! the memory needed is one bit of the terms each, and the assertions stay as they are.
//!
//! Where formulas are about bits alone and there are more than a few cubes, the formulas become clauses once,
//! and a small search on these goes from one model to the next without a check. What is too hard for it is
//! left to checks: most often two for each cube, one that finds it and one that finds nothing deeper. Each
//! model is evaluated on the formulas, wherever it comes from. Cost: without checks, what a changed bit
//! propagates to, and two walks over the formulas.
//!
//! A count is the sum of the sizes of cubes; assertions that share no symbols are counted apart, and their
//! numbers multiplied.

mod clauses;
mod count;
mod cube;
mod models;
mod quick;

pub use count::{Count, count, count_stating_claims};
pub use cube::{Cube, Points, Word};
pub use models::{Models, Next, NotFinite};

use bivalve::CheckError;
use thiserror::Error;

/// Why models are not listed or counted.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
pub enum EnumerateError {
    /// A term has a sort whose values are not listed.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// A check could not be carried out.
    #[error(transparent)]
    Check(#[from] CheckError),
}
