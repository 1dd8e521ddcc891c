//! A job that is done in this process, node by node.

use bivalve::Settings;
use bivalve::terms::BigInt;
use bivalve_cubes::{Cube, Fault, Job, Optimum, Outcome, Problem, State, Tree};
use bivalve_harness::Cancel;
use bivalve_session::Form;
use std::collections::BTreeMap;

/// The tree of a job, with the steps of its certificates.
pub(crate) struct Done {
    pub(crate) tree: Tree,
    /// The values of the objectives, and how many questions it took to find them.
    pub(crate) values: Vec<BigInt>,
    pub(crate) questions: usize,
    pub(crate) steps: BTreeMap<String, Vec<u8>>,
}

pub(crate) fn job(script: &str, budget: u64, certificates: Option<Form>) -> Result<Job, Fault> {
    let problem = Problem::read(script.to_owned(), "script.smt2", Settings::default())?;
    Ok(Job { problem, budget, certificates })
}

/// Looks at nodes until there is an answer, those of a round from the right to the left if `is_backwards`.
pub(crate) fn done(job: &Job, is_backwards: bool) -> Done {
    let mut known: BTreeMap<String, Outcome> = BTreeMap::new();
    let mut steps = BTreeMap::new();
    loop {
        let Optimum { tree, values, questions } =
            Optimum::grown(job.problem.goals(), |cube| known.get(&cube.to_string()));
        let State::Open(missing) = &tree.state else { return Done { tree, values, questions, steps } };
        let mut missing: Vec<&Cube> = missing.iter().collect();
        if is_backwards {
            missing.reverse();
        }
        for cube in missing {
            let (outcome, shown) = job.run(cube, &Cancel::new()).unwrap().expect("it was not ended");
            steps.insert(cube.to_string(), shown);
            known.insert(cube.to_string(), outcome);
        }
    }
}

/// Factors of a number: with a budget of a few conflicts, trees of some dozens of nodes.
pub(crate) fn factors(product: u32, width: u32) -> String {
    let (half, zeros) = (width / 2, "0".repeat((width - width / 2) as usize));
    format!(
        "(set-logic QF_BV)\n(declare-const |a b| (_ BitVec {width}))\n(declare-const y (_ BitVec {width}))\n\
         (push 1)\n(assert (bvult |a b| (concat #b{zeros} (bvnot (_ bv0 {half})))))\n\
         (assert (bvule |a b| y))\n(assert (bvult y (concat #b{zeros} (bvnot (_ bv0 {half})))))\n\
         (assert (bvugt |a b| (_ bv1 {width})))\n(assert (= (bvmul |a b| y) (_ bv{product} {width})))\n\
         (check-sat-assuming ((bvult |a b| y)))\n(get-model)\n(assert nonsense)\n"
    )
}
