//! # bivalve-waveforms
//!
//! Runs of transition systems as waveforms: [`write_vcd`] for every viewer, [`write_fst`] for large runs,
//! [`write_svg`] for a page.
//!
//! Frame `k` is the time `k`; where a [`Design`](bivalve_systems::Design) has clocks, it is the times `2k`,
//! where the edge is on which states change, and `2k + 1`, where the other one is. Names are a hierarchy,
//! split at dots, below the name of the design. A memory is a scope with the cells that are touched, which
//! are those that a run reads or writes, or that it has values of its own for. Several runs of one length can
//! be shown as one: a bit on which they differ is `x`. That is how the unknown part of a witness is shown, by
//! runs that fill it differently.
//!
//! ```
//! use bivalve_systems::{Claim, Design, Frame, Property, State, System, Witness};
//! use bivalve_terms::{Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let count = pool.symbol("count", Sort::bitvec(8)?);
//! let [zero, one, two] = [0, 1, 2].map(|value| pool.bv_u64(value, 8));
//! let (next, bad) = (pool.bvadd(count, one)?, pool.eq(count, two)?);
//! let system = System {
//!     states: vec![State {
//!         term: count,
//!         init: Some(zero),
//!         next: Some(next),
//!         name: Some("top.count".into()),
//!     }],
//!     bads: vec![Property { term: bad, name: None }],
//!     ..System::default()
//! };
//! let frames = vec![Frame::default(); 3];
//! let witness = Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
//! let run = system.replay(&pool, &witness)?;
//! let mut text = vec![];
//! let design = Design { top: Some("counter".into()), clocks: vec![] };
//! bivalve_waveforms::write_vcd(&mut text, &pool, &system, &design, &[run])?;
//! assert!(String::from_utf8_lossy(&text).contains("$scope module counter $end"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `signals` | the signals of runs, with a value for each frame |
//! | `touched` | the cells of memories that runs touch |
//! | `write` | VCD and FST |
//! | `svg` | pictures |

mod signals;
mod svg;
mod touched;
mod write;

pub use svg::write_svg;
pub use write::{write_fst, write_vcd};
