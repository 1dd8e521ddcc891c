//! # bivalve-cubes
//!
//! Splits a formula into cubes, for many workers on one question.
//!
//! A [`Problem`] is a script up to its first check. A [`Job`] looks at one node of a tree of [`Cube`]s at a
//! time, within a budget of conflicts: the cube has no model, or it has one, or it is split on a term that is
//! chosen by lookahead. What is found of a node follows from the job and the cube alone, so nodes are tasks
//! that any process may do, twice if need be, and [`Tree::grown`] says what is next. Without a model, the
//! certificates of the leaves are [merged](merge::merge) into one. Where the script has objectives,
//! [`Optimum::grown`] says what is next: a tree for each question whether something is better.
//!
//! ```
//! use bivalve_cubes::{Answer, Cube, Job, Problem, State, Tree};
//! use bivalve_harness::Cancel;
//!
//! let script = "(declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x03)) (check-sat)";
//! let problem = Problem::read(script.into(), "squares.smt2", Default::default())?;
//! let job = Job { problem, budget: 1000, certificates: None };
//! let (root, _) = job.run(&Cube::default(), &Cancel::new())?.expect("it was not ended");
//! assert_eq!(root.answer, Answer::Unsat);
//! assert_eq!(Tree::grown(Cube::default(), |_| Some(&root)).state, State::Unsat);
//! # Ok::<(), bivalve_cubes::Fault>(())
//! ```
//!
//! | file | content |
//! |---|---|
//! | `problem` | the script, read anew with each cube |
//! | `cube`, `tree` | cubes, and the tree as far as it is known |
//! | `job` | one node: the budget, the answer, the certificate |
//! | `candidates`, `lookahead` | on which term a node is split |
//! | `optimum` | a tree for each question whether something is better |
//! | [`merge`] | one certificate |
//! | [`simulate`] | many workers, with measured times |

mod candidates;
mod cube;
mod job;
mod lookahead;
pub mod merge;
mod optimum;
mod problem;
pub mod simulate;
mod tree;

pub use cube::{Cube, Literal};
pub use job::{Answer, Job, Outcome};
pub use optimum::{Goal, Optimum};
pub use problem::{Fault, Problem};
pub use tree::{State, Tree};
