//! Jobs on one machine: which deadlines can be kept, and when does each begin? In Python: `schedule.py`.
#![allow(clippy::print_stdout, reason = "a program that shows something")]

use bivalve::{Bivalve, CheckLimits, CheckResult, Context, Error, Expr, Settings};

/// Name, length, earliest begin, deadline.
const JOBS: [(&str, u8, u8, u8); 4] =
    [("cut", 4, 0, 9), ("weld", 5, 1, 6), ("paint", 3, 2, 7), ("pack", 2, 5, 20)];

fn main() -> Result<(), Error> {
    let ctx = Context::new();
    let begins: Vec<Expr> = JOBS.iter().map(|job| ctx.bv_symbol(job.0, 8)).collect();
    let ends: Vec<Expr> = begins.iter().zip(JOBS).map(|(begin, job)| begin + job.1).collect();
    let mut solver = Bivalve::with_settings(&ctx, Settings::builder().minimize_core(true).build());
    for (i, job) in JOBS.iter().enumerate() {
        solver.assert(&(begins[i].uge(job.2) & begins[i].ult(100)))?;
        for j in 0..i {
            solver.assert(&(ends[i].ule(&begins[j]) | ends[j].ule(&begins[i])))?;
        }
    }

    // All deadlines together: which of them contradict each other?
    let mut deadlines: Vec<Expr> = ends.iter().zip(JOBS).map(|(end, job)| end.ule(job.3)).collect();
    while solver.check_assuming(&deadlines)? == CheckResult::Unsat {
        let failed = solver.unsat_assumptions()?;
        println!("cannot all be: {failed:?}");
        deadlines.retain(|deadline| *deadline != failed[0]);
    }

    // As early as possible, with the deadlines that are left.
    solver.push(1)?;
    for deadline in &deadlines {
        solver.assert_tracked(deadline)?;
    }
    let mut plan = None;
    for makespan in (1..50).rev() {
        solver.assert_tracked(&ctx.all(&ends.iter().map(|end| end.ule(makespan)).collect::<Vec<_>>()))?;
        match solver.check_within(CheckLimits::new().conflicts(10_000), [])? {
            CheckResult::Sat => {
                let model = solver.model()?;
                plan = Some(begins.iter().map(|begin| model.value(begin)).collect::<Result<Vec<_>, _>>()?);
            }
            CheckResult::Unsat => {
                println!("not by {makespan}: {} formulas contradict each other", solver.unsat_core()?.len());
                break;
            }
            CheckResult::Unknown(why) => println!("not decided: {why}"),
        }
    }
    solver.pop(1)?;
    for (job, begin) in JOBS.iter().zip(plan.iter().flatten()) {
        println!("{} begins at {}", job.0, begin.to_u64().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn it_runs() {
    assert_eq!(main(), Ok(()));
}
