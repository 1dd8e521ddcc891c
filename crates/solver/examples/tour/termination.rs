//! Ending a check: by limits of steps, by a callback, and from another thread.
#![allow(clippy::disallowed_methods, reason = "a program has a clock, the library has none")]

use bivalve::{Bivalve, CheckLimits, CheckResult, Context, Why};
use std::time::{Duration, Instant};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| ctx.bv_symbol(name, 48));
    // Multiplication is associative, which is hard to see for circuits of so many bits.
    let hard = ((&x * &y) * (&z + 1)).distinct(&x * (&y * (&z + 1)));
    let mut solver = Bivalve::with_settings(&ctx, bivalve::Settings::builder().rewrite_level(0).build());
    solver.assert(&hard)?;

    // Steps are counted alike on every machine.
    let limited = solver.check_within(CheckLimits::new().conflicts(100), [])?;
    assert_eq!(limited, CheckResult::Unknown(Why::Budget));

    // A callback is asked every few thousand steps.
    let end = Instant::now() + Duration::from_millis(100);
    solver.on_terminate(move || Instant::now() > end);
    assert_eq!(solver.check()?, CheckResult::Unknown(Why::Interrupted));

    // The stop handle crosses threads.
    solver.reset();
    solver.assert(&hard)?;
    let stop = solver.stop_handle();
    let clock = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stop.stop(Why::TimeLimit);
    });
    let result = solver.check()?;
    clock.join().map_err(|_| "the clock has failed")?;
    assert_eq!(result, CheckResult::Unknown(Why::TimeLimit));
    println!("{limited:?}, then {result:?}");
    Ok(())
}
