//! # bivalve-systems
//!
//! Transition systems over the terms of one pool, as BTOR2 and AIGER describe them. A [`System`] is data:
//! readers make it, printers and model checkers read it, and [`System::check`] lists what is wrong with it.
//!
//! ```
//! use bivalve_systems::{Property, State, System};
//! use bivalve_terms::{Pool, Sort};
//!
//! // A counter of 8 bits that begins with 0 and must not reach 200.
//! let mut pool = Pool::new();
//! let count = pool.symbol("count", Sort::bitvec(8)?);
//! let (zero, one, limit) = (pool.bv(0, 8)?, pool.bv(1, 8)?, pool.bv(200, 8)?);
//! let (next, bad) = (pool.bvadd(count, one)?, pool.eq(count, limit)?);
//! let system = System {
//!     states: vec![State { term: count, init: Some(zero), next: Some(next), name: Some("count".into()) }],
//!     bads: vec![Property { term: bad, name: None }],
//!     ..System::default()
//! };
//! assert_eq!(system.check(&pool), Ok(()));
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `system` | the data |
//! | `design` | the name and the clocks of the design that a system was made from |
//! | `check` | what makes a system well-formed |
//! | `names` | distinct names for symbols |
//! | `same` | whether two systems are the same |
//! | `witness` | runs that violate properties |
//! | `partial` | values and witnesses of which a part is known |
//! | `simulator` | the values of a system, frame by frame |
//! | `replay` | the check of a witness |
//! | `minimize`, `demand` | the part of a witness, or of a model of formulas, that matters |
//! | `random` | random simulation |
//! | `registers` | memories as registers |
//! | [`explicit`] | small systems decided by enumeration |

mod check;
mod demand;
mod design;
pub mod explicit;
mod minimize;
mod names;
mod partial;
mod random;
mod registers;
mod replay;
mod same;
mod simulator;
mod system;
mod witness;

pub use check::Fault;
pub use demand::{Demand, needed};
pub use design::{Clock, Design, Edge};
pub use names::DistinctNames;
pub use partial::{KnownBits, Partial, PartialFrame, PartialWitness};
pub use random::{Ending, RandomRun, RandomSimulation};
pub use registers::{NoRegisters, Registers};
pub use replay::{ReplayError, Run, RunFrame};
pub use simulator::Simulator;
pub use system::{Input, Justice, Output, Property, State, System};
pub use witness::{Claim, Frame, Witness};
