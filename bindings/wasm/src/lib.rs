//! # bivalve-wasm
//!
//! What JavaScript calls: `Run` carries out a script command by command, `check` reads it only. Both return
//! JSON, whose fields are those of [`Answer`] and [`Fault`]; places are bytes of UTF-8.
//!
//! The solver runs on the thread of the caller and cannot be interrupted from there, so a page puts it into a
//! worker and ends the worker. Time comes from `performance.now()`. A panic becomes an exception with the
//! message of the panic; memory may be in any state then, so the instance must not be used again.
//!
//! ```
//! use bivalve_wasm::Script;
//!
//! let text = "(declare-const x (_ BitVec 8)) (assert (= (bvmul x #x03) #x01)) (check-sat) (chek-sat)";
//! let mut script = Script::new(text.into(), || std::time::Duration::ZERO);
//! let answers: Vec<_> = std::iter::from_fn(|| script.step()).collect();
//! assert_eq!(answers[2].text.as_deref(), Some("sat"));
//! assert!(answers[2].model.as_ref().is_some_and(|model| model.contains("#b10101011")));
//! let fault = answers[3].fault.as_ref().unwrap();
//! assert_eq!(&text[fault.start..fault.end], "chek-sat");
//! ```

#[cfg(target_arch = "wasm32")]
mod module;
mod reading;
mod script;

#[cfg(target_arch = "wasm32")]
pub use module::{Run, check, start, version};
pub use reading::{Fault, Severity, faults};
pub use script::{Answer, Script};
