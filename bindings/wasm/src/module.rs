//! What wasm-bindgen exports. It is there for the target of the page alone: elsewhere it has no callers,
//! and every build would include the packages of the registry that it needs.

use crate::{Script, faults};
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

/// The faults of a script, as a JSON array of [`Fault`](crate::Fault)s, without solving anything.
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

    /// Carries out the next command: an [`Answer`](crate::Answer) as JSON; `undefined` at the end of the
    /// script.
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
