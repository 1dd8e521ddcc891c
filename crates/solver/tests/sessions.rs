//! Random sessions over formulas of a theory against what they mean: what is pushed, popped, assumed and
//! compacted in between makes no difference for answers, models, cores and failed assumptions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Pool, Term};
use bivalve::{CheckResult, Model, Settings, Solver};
use fastrand::Rng;

/// Formulas of a theory, and what is true of them.
pub(crate) trait Theory {
    fn pool(&mut self) -> &mut Pool;

    /// The terms that formulas are made of.
    fn material(&mut self) -> Vec<&mut Term>;

    fn random_formula(&mut self, rng: &mut Rng) -> Term;

    /// Whether some values make all formulas true; `None` if that was not found by trying values.
    fn has_model(&self, formulas: &[Term]) -> Option<bool>;

    /// What else is to hold of a model.
    fn look_at(&self, _model: &Model) {}
}

/// Plays a session of so many steps for each seed; at least `least` checks have each answer.
pub(crate) fn are_answered_by_their_meaning<T: Theory>(
    seeds: u64,
    steps: usize,
    least: usize,
    theory: impl Fn(&mut Rng) -> T,
) {
    let mut answers = [0; 2];
    for seed in 0..seeds {
        let rng = &mut Rng::with_seed(seed);
        let mut theory = theory(rng);
        let mut solver = Solver::new(Settings::builder().minimize_core(seed % 3 == 0).build());
        let mut levels: Vec<Vec<(Term, bool)>> = vec![vec![]];
        for _ in 0..steps {
            match rng.u8(..12) {
                0..=1 => {
                    solver.push(1).unwrap();
                    levels.push(vec![]);
                }
                2..=3 if levels.len() > 1 => {
                    solver.pop(1).unwrap();
                    levels.pop();
                }
                4..=7 => {
                    let formula = theory.random_formula(rng);
                    let is_tracked = rng.bool();
                    match is_tracked {
                        true => _ = solver.assert_tracked(theory.pool(), formula).unwrap(),
                        false => solver.assert(theory.pool(), formula).unwrap(),
                    }
                    levels.last_mut().unwrap().push((formula, is_tracked));
                }
                8 => compact(&mut theory, &mut solver, &mut levels),
                _ => {
                    let assumptions: Vec<Term> =
                        (0..rng.usize(..3)).map(|_| theory.random_formula(rng)).collect();
                    let expected = check(&mut theory, &mut solver, &levels, &assumptions);
                    let answer = expected.unwrap_or_else(|why| panic!("seed {seed}: {why}"));
                    answer.into_iter().for_each(|is_sat| answers[usize::from(is_sat)] += 1);
                }
            }
        }
    }
    assert!(answers.iter().all(|&count| count > least), "{answers:?}");
}

fn compact(theory: &mut impl Theory, solver: &mut Solver, levels: &mut [Vec<(Term, bool)>]) {
    let mut in_use: Vec<Term> = levels.iter().flatten().map(|&(formula, _)| formula).collect();
    in_use.extend(theory.material().into_iter().map(|term| *term));
    in_use.extend(solver.in_use());
    let renaming = theory.pool().compact(&in_use);
    solver.rename(&renaming);
    theory.material().into_iter().for_each(|term| *term = renaming.of(*term));
    levels.iter_mut().flatten().for_each(|(formula, _)| *formula = renaming.of(*formula));
}

/// The answer of a check, where it is known whether it is right; or what is wrong with it.
fn check(
    theory: &mut impl Theory,
    solver: &mut Solver,
    levels: &[Vec<(Term, bool)>],
    assumptions: &[Term],
) -> Result<Option<bool>, String> {
    let asserted: Vec<Term> = levels.iter().flatten().map(|&(formula, _)| formula).collect();
    let all = [&asserted[..], assumptions].concat();
    let answer = solver.check_assuming(theory.pool(), assumptions).unwrap();
    if answer == CheckResult::Sat {
        let model = solver.model().unwrap();
        let holds = |&formula: &Term| model.value(theory.pool(), formula).expect_bool();
        if !all.iter().all(holds) {
            return Err("a model that is not one".into());
        }
        theory.look_at(model);
    } else {
        let tracked: Vec<Term> = solver.tracked().collect();
        let core = solver.unsat_core().ok_or(format!("{answer:?}"))?.iter().map(|&number| tracked[number]);
        let failed = solver.unsat_assumptions().unwrap_or_default().iter().map(|&at| assumptions[at]);
        let untracked = levels.iter().flatten().filter(|(_, is_tracked)| !is_tracked).map(|&(f, _)| f);
        let blamed: Vec<Term> = core.chain(failed).chain(untracked).collect();
        if theory.has_model(&blamed) == Some(true) {
            return Err("a core that is not one".into());
        }
    }
    let Some(expected) = theory.has_model(&all) else { return Ok(None) };
    let is_right = expected == (answer == CheckResult::Sat);
    if is_right { Ok(Some(expected)) } else { Err(format!("{answer:?} is wrong")) }
}
