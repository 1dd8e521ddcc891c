//! How many formulas a second: `cargo run --release -p bivalve-fuzz --example making_speed`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints"
)]

use bivalve_fuzz::formula::Recipe;
use bivalve_fuzz::layered::{Goal, Shape, Timeline, session};
use bivalve_fuzz::theory::Theory;
use std::time::Instant;

/// Runs `make` for numbers from zero on, a second long, and says how many there were and how long their
/// texts.
fn measure(name: &str, make: &dyn Fn(u64) -> usize) {
    let (start, mut count, mut bytes) = (Instant::now(), 0, 0);
    while start.elapsed().as_secs_f64() < 1.0 {
        bytes += make(count);
        count += 1;
    }
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!("{name:32} {rate:9.0} a second, {:6.0} bytes each", bytes as f64 / count as f64);
}

fn main() {
    let shapes = [
        ("bits", Shape::default()),
        ("arrays", Shape::arrays()),
        ("everything", Shape::everything()),
        ("thesis, no division", Shape::no_division()),
        ("thesis, arrays", Shape::arrays_of_thesis()),
    ];
    for (name, shape) in shapes {
        measure(&format!("{name}, terms only"), &|number| shape.case(1, number).assertions.len());
        measure(&format!("{name}, with text"), &|number| shape.case(1, number).script().len());
    }
    for goal in [Goal::Planted, Goal::Refuted] {
        let shape = Shape { goal, ..Shape::default() };
        measure(&format!("bits, {goal:?}, with text"), &|number| shape.case(1, number).script().len());
    }
    measure("sessions of 30 commands", &|number| {
        let (made, answers) = session(&Shape::default(), &Timeline::default(), 1, number);
        made.script(&answers).len()
    });
    let recipe = Recipe { seed: 1, max_width: 16, size: 14, theory: Theory::Bits };
    measure("from the root down, with text", &|number| recipe.formula(number).script().len());
}
