//! # bivalve-algebra
//!
//! Polynomials over rings, and how terms are opened into sums and products.
//!
//! - [`ring`]: the numbers that coefficients are: modulo a power of two, modulo any number, or modulo two;
//! - [`polynomial`]: sums of products of atoms, over any ring and any kind of atom;
//! - [`opening`]: the table of operators that are sums and products, over the integers or modulo a power of
//!   two;
//! - [`expansion`]: terms of one width multiplied out, and polynomials as terms again;
//! - [`matrix`]: linear equations modulo a power of two, solved together;
//! - [`moebius`]: from the values of a function of truth values to its coefficients;
//! - [`truth_tables`], [`choices`], [`bitwise`]: what functions of few words and truth values are as sums;
//! - [`layers`]: equations that are shown one layer of choices and quotients at a time;
//! - [`low_bits`]: the low bits of a word as a word of its own.
//!
//! What a search may spend is an argument everywhere; the values that are usual stand beside what spends
//! them.
//!
//! ```
//! use bivalve_algebra::expansion::{BUDGET, Opened, WordPolynomial};
//! use bivalve_limits::Deadline;
//! use bivalve_terms::{Op, Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let sort = Sort::bitvec(8).expect("a legal width");
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
//! let sum = pool.app(Op::BvAdd, &[x, y])?;
//! let square = pool.app(Op::BvMul, &[sum, sum])?;
//! let zero = pool.bv_u64(0, 8);
//! let (sides, mut budget) = ([square, zero], BUDGET);
//! let deadline = Deadline::unlimited();
//! let opened = WordPolynomial::difference(&mut pool, sides, Opened::Arithmetic, &mut budget, &deadline);
//! // x^2 + 2 x y + y^2
//! assert_eq!(opened.map(|polynomial| polynomial.len()), Some(3));
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

pub mod bitwise;
pub mod choices;
pub mod expansion;
pub mod layers;
pub mod low_bits;
pub mod matrix;
pub mod moebius;
pub mod opening;
pub mod polynomial;
pub mod ring;
pub mod truth_tables;
