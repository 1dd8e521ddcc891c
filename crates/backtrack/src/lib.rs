//! # bivalve-backtrack
//!
//! Containers with scopes: what changed since the last `push` is undone by the matching `pop`.
//!
//! Incremental solving is a stack of scopes, and every stage that derives something from assertions has to
//! take it back when they are popped. These containers are the one place where that is implemented; a stage
//! is made of them and forwards `push` and `pop` to its fields. The model is the folder `backtrack` of
//! Bitwuzla.
//!
//! | container | undone by `pop` |
//! |---|---|
//! | [`BacktrackVec`] | elements that were appended |
//! | [`BacktrackSet`] | elements that were inserted |
//! | [`BacktrackMap`] | entries that were inserted, replaced or removed |
//! | [`BacktrackValue`] | assignments |
//!
//! Outside of all scopes changes are permanent and no undo information is kept. Cost: undoing costs what
//! doing cost; an open scope costs one number a container.
//!
//! ```
//! use bivalve_backtrack::{BacktrackMap, BacktrackVec};
//!
//! let mut definitions = BacktrackMap::new();
//! let mut conjuncts = BacktrackVec::new();
//! definitions.insert("x", 1);
//! conjuncts.append("x is odd");
//!
//! definitions.push();
//! conjuncts.push();
//! definitions.insert("x", 2);
//! definitions.insert("y", 3);
//! conjuncts.append("y is odd");
//! definitions.pop();
//! conjuncts.pop();
//!
//! assert_eq!((definitions.get(&"x"), definitions.get(&"y")), (Some(&1), None));
//! assert_eq!(conjuncts[..], ["x is odd"]);
//! ```

mod map;
mod set;
mod value;
mod vec;

pub use map::BacktrackMap;
pub use set::BacktrackSet;
pub use value::BacktrackValue;
pub use vec::BacktrackVec;
