//! Cores: what is said to be to blame for unsat must be contradictory by itself.
//!
//! All assertions are tracked, or half of them are and the others assumed; after `unsat` a solver that knows
//! nothing of the first is given the core and what was not tracked, and must say `unsat` too. A core that was
//! asked to be minimal must become satisfiable, or at least not contradictory, whichever member is left out.

use crate::judge::{Way, check, is_within_budget, solver};
use bivalve_terms::{Pool, Term};

/// Decides a formula with tracked assertions and assumptions, and checks what is to blame.
///
/// # Errors
/// A sentence on what is wrong.
pub(crate) fn decide(
    pool: &mut Pool,
    assertions: &[Term],
    assumed: usize,
    minimize: bool,
    way: Way<'_>,
) -> Result<Option<bool>, String> {
    let mut settings = way.settings();
    settings.set("minimize-core", if minimize { "on" } else { "off" }).expect("an option of the table");
    let mut tracking = way.solver_with(settings);
    let (assumptions, tracked) = assertions.split_at(assumed);
    for &assertion in tracked {
        tracking.assert_tracked(pool, assertion).map_err(|refusal| refusal.to_string())?;
    }
    let answer = check(&mut tracking, pool, tracked, assumptions)?;
    if answer != Some(false) {
        return Ok(answer);
    }
    let core = tracking.unsat_core().ok_or("unsat without a core")?;
    let failed = tracking.unsat_assumptions().ok_or("unsat without failed assumptions")?;
    let blamed: Vec<Term> =
        core.iter().map(|&i| tracked[i]).chain(failed.iter().map(|&i| assumptions[i])).collect();
    if alone(pool, &blamed, way)? == Some(true) {
        return Err(format!("the core {core:?} {failed:?} of {} is satisfiable", assertions.len()));
    }
    // A search that ran out of its budget may have left a member in.
    let is_minimal = minimize && is_within_budget(&tracking, pool);
    for left_out in 0..if is_minimal { blamed.len() } else { 0 } {
        let rest = [&blamed[..left_out], &blamed[left_out + 1..]].concat();
        if alone(pool, &rest, way)? == Some(false) {
            return Err(format!("member {left_out} of the minimal core {core:?} {failed:?} can be spared"));
        }
    }
    Ok(answer)
}

/// What a fresh solver says.
fn alone(pool: &mut Pool, assertions: &[Term], way: Way<'_>) -> Result<Option<bool>, String> {
    let mut fresh = solver(Way { sat: "cadical", rewrite_level: 3 - way.rewrite_level, ..way });
    for &assertion in assertions {
        fresh.assert(pool, assertion).map_err(|refusal| refusal.to_string())?;
    }
    check(&mut fresh, pool, assertions, &[])
}
