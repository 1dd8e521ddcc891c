//! Sessions carried out inside this process, each answer judged.
//!
//! Beside the long-lived solver stands a mirror of its stack, a list of formulas. Each check is repeated on
//! that list by a solver made for the purpose, at the other rewrite level, and by trying all assignments
//! where there are few. After `sat` every formula and assumption must be true under the values of the
//! symbols, and the values of the terms asked for must follow from them. After `unsat` what is blamed must be
//! contradictory together with all that is not tracked, and, where a minimal core was asked for, without any
//! of its members it must not.

use crate::formula::Recipe;
use crate::judge::{
    ABSTRACT_FROM, APPROX, APPROX_REFINE, ARRAY_LEMMAS, ARRAY_STRATEGIES, CONFLICT_LIMIT, is_within_budget,
    undecided,
};
use crate::session::{Maker, Session, Step};
use crate::{exhaustion, settings, switch};
use bivalve::{CheckResult, Settings, Solver};
use bivalve_judge::{Watch, panic_message};
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Term, cone};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// All assignments are tried if there are at most 2 to this power.
const FEW_BITS: u32 = 9;

/// What a session came to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    /// Is it satisfiable, for each check; `None` is unknown.
    pub answers: Vec<Option<bool>>,
    /// Cores and failed assumptions with more than one member.
    pub blamed: u64,
    /// Values that were compared.
    pub values: u64,
    /// Lemmas about arrays and functions, and times that gates were built anew.
    pub lemmas: u64,
    /// Times that all gates were thrown away.
    pub rebuilds: u64,
}

/// The stack as it should be.
#[derive(Default)]
struct Mirror {
    /// Where each open level begins.
    marks: Vec<usize>,
    assertions: Vec<(Term, bool)>,
}

struct Run<'a> {
    solver: Solver,
    settings: Settings,
    mirror: Mirror,
    outcome: Outcome,
    watch: &'a Watch,
    /// The stack is contradictory, as the last check has found out.
    stuck: bool,
}

/// The settings of the session of a number; all combinations have their turn.
pub fn settings_of(number: u64) -> Settings {
    settings(&choices(number))
}

/// The same as on a command line; there half of the sessions also drop dead terms whenever there can be any.
pub fn options_of(number: u64) -> Vec<String> {
    let compact = ("compact-from", if (number / 6).is_multiple_of(2) { "0" } else { "65536" });
    let all = choices(number).into_iter().chain([compact]);
    all.flat_map(|(name, value)| [format!("--{name}"), value.to_owned()]).collect()
}

fn choices(number: u64) -> [(&'static str, &'static str); 13] {
    let sat = ["cadical", "batsat", "cadical", "batsat", "cadical", "splr", "batsat", "naive"];
    [
        ("sat", sat[(number % 8) as usize]),
        ("rewrite-level", ["0", "2", "3"][(number / 3 % 3) as usize]),
        ("rewrite-from", if (number / 2).is_multiple_of(2) { "0" } else { "150" }),
        ("probe", switch((number / 5).is_multiple_of(2))),
        ("minimize-core", switch((number / 7).is_multiple_of(2))),
        ("rebuild-from", if (number / 4).is_multiple_of(2) { "0" } else { "65536" }),
        ("conflict-limit", CONFLICT_LIMIT),
        ("gate-limit", "3000000"),
        ("abstract-from", ABSTRACT_FROM[(number / 3 % 4) as usize]),
        ("array-lemmas", ARRAY_LEMMAS[(number / 2 % 3) as usize]),
        ("array-strategy", ARRAY_STRATEGIES[(number / 5 % 4) as usize]),
        ("approx", APPROX[(number / 2 % 7) as usize]),
        ("approx-refine", APPROX_REFINE[(number / 14 % 2) as usize]),
    ]
}

/// Makes the session of this number and carries it out; what was done is returned with what it came to.
pub fn make_and_run(
    recipe: &Recipe,
    number: u64,
    steps: usize,
    watch: &Watch,
) -> (Session, Result<Outcome, String>) {
    let mut session = Session { pool: Pool::new(), steps: vec![], scoped: number.is_multiple_of(3) };
    let mut maker = Maker::new(recipe, number);
    let mut run = Run::new(settings_of(number), watch);
    let done = guarded(|| {
        for _ in 0..steps {
            let levels = run.mirror.marks.len() as u64;
            let step = maker.next(&mut session.pool, run.stuck, levels);
            session.steps.push(step.clone());
            run.carry_out(&mut session.pool, &step)?;
        }
        run.finish(&session.pool);
        Ok(run.outcome.clone())
    });
    watch.end();
    (session, done)
}

/// Carries a session out.
///
/// # Errors
/// A sentence on what is wrong.
pub fn run(session: &mut Session, settings: Settings, watch: &Watch) -> Result<Outcome, String> {
    let mut run = Run::new(settings, watch);
    let done = guarded(|| {
        session.steps.iter().try_for_each(|step| run.carry_out(&mut session.pool, step))?;
        run.finish(&session.pool);
        Ok(run.outcome.clone())
    });
    watch.end();
    done
}

/// A panic is a finding too.
fn guarded(run: impl FnOnce() -> Result<Outcome, String>) -> Result<Outcome, String> {
    let caught = catch_unwind(AssertUnwindSafe(run));
    caught.unwrap_or_else(|panic| Err(format!("panic: {}", panic_message(&*panic))))
}

impl Run<'_> {
    fn new(settings: Settings, watch: &Watch) -> Run<'_> {
        let (solver, mirror) = (Solver::new(settings.clone()), Mirror::default());
        Run { solver, settings, mirror, outcome: Outcome::default(), watch, stuck: false }
    }

    fn finish(&mut self, pool: &Pool) {
        let statistics = self.solver.statistics(pool);
        let refuting = ["congruence", "constant", "default", "transitivity", "expansion"];
        self.outcome.lemmas = refuting.iter().map(|reason| statistics.refiners.get("arrays", reason)).sum();
        self.outcome.rebuilds = statistics.rebuilds;
    }

    fn carry_out(&mut self, pool: &mut Pool, step: &Step) -> Result<(), String> {
        match step {
            Step::Push(levels) => {
                self.solver.push(u64::from(*levels)).map_err(|error| error.to_string())?;
                let begin = self.mirror.assertions.len();
                self.mirror.marks.extend(vec![begin; *levels as usize]);
            }
            Step::Pop(levels) => {
                let levels = *levels as usize;
                let popped = self.solver.pop(levels as u64);
                if popped.is_ok() != (levels <= self.mirror.marks.len()) {
                    return Err(format!("{levels} levels of {}: {popped:?}", self.mirror.marks.len()));
                }
                for _ in 0..if popped.is_ok() { levels } else { 0 } {
                    let begin = self.mirror.marks.pop().expect("as many levels as in the solver");
                    self.mirror.assertions.truncate(begin);
                }
                self.stuck = false;
            }
            Step::Assert(formula, tracked) => {
                let done = match tracked {
                    true => self.solver.assert_tracked(pool, *formula).map(drop),
                    false => self.solver.assert(pool, *formula),
                };
                done.map_err(|refusal| refusal.to_string())?;
                self.mirror.assertions.push((*formula, *tracked));
            }
            Step::Check(assumptions, questions) => self.check(pool, assumptions, questions)?,
            Step::Reset => {
                self.solver.reset_assertions();
                self.mirror = Mirror::default();
                self.stuck = false;
            }
        }
        let same = self.solver.assertions().iter().eq(self.mirror.assertions.iter().map(|(term, _)| term));
        if same { Ok(()) } else { Err("the assertions are not those that were made".to_owned()) }
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], questions: &[Term]) -> Result<(), String> {
        self.watch.begin(&self.solver.stop_handle());
        let answer = self.solver.check_assuming(pool, assumptions).map_err(|fault| fault.to_string())?;
        let answer = match answer {
            CheckResult::Sat => Some(true),
            CheckResult::Unsat => Some(false),
            CheckResult::Unknown(why) => undecided(pool, why).map(|()| None)?,
        };
        self.outcome.answers.push(answer);
        let asserted = self.mirror.assertions.iter().map(|&(term, _)| term);
        let all: Vec<Term> = asserted.chain(assumptions.iter().copied()).collect();
        let number = self.outcome.answers.len();
        let at = |fault: String| format!("check {number}: {fault}");
        let others = [
            ("a fresh solver", self.alone(pool, &all)?),
            ("all assignments", exhaustion::satisfiable(pool, &all, FEW_BITS)),
        ];
        for (who, said) in others {
            if answer.is_some() && said.is_some() && answer != said {
                return Err(at(format!("{answer:?}, but {who} says {said:?}")));
            }
        }
        match answer {
            Some(true) => self.judge_model(pool, &all, questions).map_err(at),
            Some(false) => self.judge_blame(pool, assumptions).map_err(at),
            None => Ok(()),
        }
    }

    /// What a solver says that knows nothing else; its level of rewriting is the other one.
    fn alone(&self, pool: &mut Pool, formulas: &[Term]) -> Result<Option<bool>, String> {
        let settings = settings(&[
            ("sat", "cadical"),
            (
                "rewrite-level",
                if self.settings.get("rewrite-level").is_ok_and(|level| level == "0") { "2" } else { "0" },
            ),
            ("rewrite-from", "0"),
            ("probe", "off"),
            ("conflict-limit", CONFLICT_LIMIT),
            ("gate-limit", "3000000"),
        ]);
        let mut fresh = Solver::new(settings);
        self.watch.begin(&fresh.stop_handle());
        for &formula in formulas {
            fresh.assert(pool, formula).map_err(|refusal| refusal.to_string())?;
        }
        match fresh.check(pool).map_err(|fault| format!("a fresh solver: {fault}"))? {
            CheckResult::Sat => Ok(Some(true)),
            CheckResult::Unsat => Ok(Some(false)),
            CheckResult::Unknown(_) => Ok(None),
        }
    }

    fn judge_model(&mut self, pool: &Pool, all: &[Term], questions: &[Term]) -> Result<(), String> {
        if self.solver.unsat_core().is_some() || self.solver.unsat_assumptions().is_some() {
            return Err("a core after sat".to_owned());
        }
        let model = self.solver.model().ok_or("sat without a model")?;
        let roots = [all, questions].concat();
        let mut values = Assignment::new();
        for symbol in cone(pool, &roots).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
            values.set(symbol, model.value(pool, symbol));
        }
        let mut evaluator = Evaluator::new(pool, &values);
        if let Some(position) = all.iter().position(|&formula| !evaluator.eval(formula).expect_bool()) {
            return Err(format!("the values given violate formula {}", position + 1));
        }
        let odd = questions.iter().find(|&&term| model.value(pool, term) != *evaluator.eval(term));
        self.outcome.values += questions.len() as u64;
        odd.map_or(Ok(()), |term| Err(format!("the value of {term:?} does not follow from the symbols")))
    }

    fn judge_blame(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<(), String> {
        if self.solver.model().is_some() {
            return Err("a model after unsat".to_owned());
        }
        let core = self.solver.unsat_core().ok_or("unsat without a core")?.to_vec();
        let failed = self.solver.unsat_assumptions().ok_or("unsat without failed assumptions")?.to_vec();
        let of =
            |wanted: bool| self.mirror.assertions.iter().filter(move |&&(_, t)| t == wanted).map(|&(f, _)| f);
        let (plain, tracked): (Vec<Term>, Vec<Term>) = (of(false).collect(), of(true).collect());
        if !core.is_sorted_by(|a, b| a < b) || !failed.is_sorted_by(|a, b| a < b) {
            return Err(format!("not in order: {core:?} {failed:?}"));
        }
        let members: Vec<Term> =
            core.iter().map(|&i| tracked[i]).chain(failed.iter().map(|&i| assumptions[i])).collect();
        let blamed =
            format!("{core:?} of {} tracked, {failed:?} of {} assumed", tracked.len(), assumptions.len());
        if self.alone(pool, &[&plain[..], &members].concat())? == Some(true) {
            return Err(format!("what is to blame is satisfiable: {blamed}"));
        }
        // A search that ran out of its budget may have left a member in.
        let is_minimal = self.settings.get("minimize-core").is_ok_and(|value| value == "on")
            && is_within_budget(&self.solver, pool);
        for spared in 0..if is_minimal { members.len() } else { 0 } {
            let rest = [&plain[..], &members[..spared], &members[spared + 1..]].concat();
            if self.alone(pool, &rest)? == Some(false) {
                return Err(format!("member {spared} can be spared of a minimal core: {blamed}"));
            }
        }
        self.outcome.blamed += u64::from(members.len() > 1);
        self.stuck = failed.is_empty();
        Ok(())
    }
}
