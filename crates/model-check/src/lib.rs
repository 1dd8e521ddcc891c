//! # bivalve-model-check
//!
//! Word-level model checking: which bad states of a transition system can be reached?
//!
//! ```
//! use bivalve::{Stop, terms::{Pool, Sort}};
//! use bivalve_model_check::{Options, Verdict, check};
//! use bivalve_systems::{Property, State, System};
//!
//! // A counter of 8 bits that begins with 0, counts by 2, and must reach neither 7 nor 6.
//! let mut pool = Pool::new();
//! let count = pool.symbol("count", Sort::bitvec(8)?);
//! let [zero, two, six, seven] = [0, 2, 6, 7].map(|value| pool.bv_u64(value, 8));
//! let next = pool.bvadd(count, two)?;
//! let bads = [pool.eq(count, seven)?, pool.eq(count, six)?];
//! let system = System {
//!     states: vec![State { term: count, init: Some(zero), next: Some(next), name: None }],
//!     bads: bads.map(|term| Property { term, name: None }).to_vec(),
//!     ..System::default()
//! };
//! let verdicts = check(&mut pool, &system, &Options::default(), &Stop::new(), &mut |_| {})?.bads;
//! assert!(matches!(&verdicts[0], Verdict::Holds(_)));
//! assert!(matches!(&verdicts[1], Verdict::Violated(witness) if witness.frames.len() == 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `checker` | engines in turn until every property is decided |
//! | `engine` | what an engine is, and the table of engines |
//! | `crew`, `threads`, `pace` | engines in their rounds, on one thread or several, by steps |
//! | `problem` | systems that pass from one pool to another |
//! | `property` | a property, and what is known of it |
//! | `normalize`, `slices` | the system in normal form, with narrow words |
//! | `influence` | the part of it that matters |
//! | `prophecy` | the system with some cells of its memories |
//! | `unroll` | its terms, frame by frame |
//! | `bmc`, `induction`, `ic3`, `interpolation` | the engines |
//! | `cuts` | IC3 on a system whose arithmetic is cut |
//! | `proving` | IC3, cuts and interpolation with memories |
//! | `correspondence` | induction with registers that are equal |
//! | `lanes`, `simulation` | many runs at once, at random |
//! | `leaps` | violations in frames far ahead |
//! | `shorter` | shorter violations than one that is known |
//! | `liveness` | justice properties as bad states |
//! | `trace`, `recheck` | runs and proofs, checked by others |
//! | `circuit` | witness circuits: proofs as systems, for other checkers |

mod bmc;
mod checker;
mod circuit;
mod correspondence;
mod crew;
mod cuts;
mod engine;
mod ic3;
mod induction;
mod influence;
mod interpolation;
mod lanes;
mod leaps;
mod liveness;
mod normalize;
mod options;
mod pace;
mod problem;
mod property;
mod prophecy;
mod proving;
#[cfg(test)]
mod random;
mod recheck;
mod shorter;
mod simulation;
mod slices;
mod threads;
mod trace;
mod unroll;
mod verdict;

pub use checker::{Progress, Verdicts, check};
pub use circuit::{NoCircuit, check_circuit, circuit_obligations, over_symbols_of_model};
pub use options::{Engine, Options};
pub use recheck::{Obligation, Outcome};
pub use verdict::{Error, Proof, Verdict};
