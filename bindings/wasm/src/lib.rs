//! # bivalve-wasm
//!
//! What JavaScript calls: [`Run`] carries out a script command by command, [`check`] reads it only. Both
//! return JSON, whose fields are those of [`Answer`] and [`Fault`]; places are bytes of UTF-8.
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

mod reading;
mod script;

pub use reading::{Fault, Severity, faults};
pub use script::{Answer, Script};
use serde::Serialize;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the page was opened.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;
}

/// The clock of the page.
fn clock() -> Duration {
    Duration::from_secs_f64((milliseconds() / 1000.0).max(0.0))
}

/// Called once when the module is loaded: from then on a panic throws its message.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&format!("internal: {panic}"))));
}

/// The version of the solver.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The faults of a script, as a JSON array of [`Fault`]s, without solving anything.
#[wasm_bindgen]
pub fn check(script: &str) -> String {
    json(&faults(script))
}

/// A script that is carried out.
#[wasm_bindgen]
pub struct Run(Script);

#[wasm_bindgen]
impl Run {
    /// Begins to carry out a script.
    #[wasm_bindgen(constructor)]
    pub fn new(script: String) -> Run {
        Run(Script::new(script, clock))
    }

    /// Carries out the next command: an [`Answer`] as JSON; `undefined` at the end of the script.
    pub fn step(&mut self) -> Option<String> {
        self.0.step().map(|answer| json(&answer))
    }

    /// Explains the answer to the last check: a [`Report`](bivalve_explain::Report) as JSON; `undefined` if
    /// there is none about the assertions at hand. A self-check that failed is an exception.
    pub fn explain(&mut self) -> Option<String> {
        let report = self.0.explain().unwrap_or_else(|fault| wasm_bindgen::throw_str(&fault));
        report.map(|report| report.json())
    }

    /// What all of it cost so far: the statistics of the binary, as JSON.
    pub fn statistics(&self) -> String {
        self.0.statistics()
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts, numbers and lists of them are JSON")
}
