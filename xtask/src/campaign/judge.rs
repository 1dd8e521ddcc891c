//! One formula, decided in every way there is inside this process.
//!
//! - by the solver, straight from the pool, all assertions at once, CaDiCaL searching;
//! - by the solver, from the printed script read again, at the other rewrite level, in two steps with a check
//!   between, BatSat and CaDiCaL taking turns;
//! - by the solver once more, the simple backends taking turns, if the first time was easy: these have no
//!   budgets or no speed;
//! - by the solver with tracked assertions and assumptions; what it blames is checked (`cores`);
//! - by [`exhaustion`] where symbols have few values;
//! - by the solver after arrays, functions and declared sorts were taken out ([`expansion`]);
//! - by construction, where the formula is made so that its answer is known.
//!
//! Two definite opinions that differ are a disagreement. A model is asked for a value of every symbol, as
//! `get-value` would give it; those values, and nothing else, must satisfy the assertions, and what is
//! printed of them, read again as equations, must be consistent with the script. `unknown` agrees with
//! everybody.
//!
//! Which level goes which way, and which backend searches, follows from the number of the formula, so that
//! over eight numbers every combination has had its turn.

use crate::formula::Formula;
use crate::{cores, exhaustion, expansion, settings, switch};
use bivalve::{CheckResult, Settings, Solver, Why};
use bivalve_formats::smtlib::{BitVecFormat, Command, Parser, ParserOptions, print};
use bivalve_harness::{Check, Verdict};
use bivalve_judge::{Inside, Watch, model_fault, panic_message};
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Term, cone};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Conflicts that one check may cost.
pub const CONFLICTS: u64 = 3_000;

/// The same as an option.
pub(crate) const CONFLICT_LIMIT: &str = "3000";

/// A solver that judges is stopped after this long.
const LONG: Duration = Duration::from_secs(10);

/// Gates and conflicts up to which the simple SAT backends get their turn.
const FEW_GATES: u64 = 4_000;
const FEW_CONFLICTS: u64 = 300;

/// The backends that take turns on every formula, and on easy ones.
const STRONG: [&str; 2] = ["batsat", "cadical"];
const SIMPLE: [&str; 2] = ["splr", "naive"];

/// Widths from which arithmetic is refined by lemmas; 0 is never.
pub(crate) const ABSTRACT_FROM: [&str; 4] = ["1", "0", "4", "33"];

/// How many lemmas about arrays a round gives.
pub(crate) const ARRAY_LEMMAS: [&str; 3] = ["each", "one", "class"];

/// What is said of reads besides lemmas, in turn.
pub(crate) const ARRAY_STRATEGIES: [&str; 4] = ["demand", "eager", "reads", "writes"];
pub(crate) const APPROX: [&str; 7] = ["none", "sign", "classes", "none", "zero", "one", "auto"];
pub(crate) const APPROX_REFINE: [&str; 2] = ["global", "local"];

/// All assignments are tried if there are at most 2 to this power.
const FEW_BITS: u32 = 12;

/// What somebody says about a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// Who.
    pub who: String,
    /// Is the formula satisfiable? `None` is unknown.
    pub satisfiable: Option<bool>,
}

/// Everything that was found out about a formula.
#[derive(Default, Debug)]
pub struct Case {
    /// The opinions, Bivalve's first.
    pub opinions: Vec<Opinion>,
    /// What went wrong: panics, failed self-checks, models that are none.
    pub faults: Vec<String>,
    /// The names of rewrite rules that were applied.
    pub rules: Vec<String>,
}

impl Case {
    /// Adds an opinion.
    pub fn says(&mut self, who: impl Into<String>, satisfiable: Option<bool>) {
        self.opinions.push(Opinion { who: who.into(), satisfiable });
    }

    /// The answer, if somebody knows it; the first one counts.
    pub fn answer(&self) -> Option<bool> {
        self.opinions.iter().find_map(|opinion| opinion.satisfiable)
    }

    /// What is wrong, as lines of text; empty if nothing is.
    pub fn findings(&self) -> Vec<String> {
        let mut findings = self.faults.clone();
        let says = |sat: bool| self.opinions.iter().filter(move |o| o.satisfiable == Some(sat));
        let names = |sat: bool| says(sat).map(|o| o.who.as_str()).collect::<Vec<_>>().join(", ");
        if says(true).next().is_some() && says(false).next().is_some() {
            findings.push(format!("disagreement: sat say {}; unsat say {}", names(true), names(false)));
        }
        findings
    }
}

/// One way to decide.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) sat: &'a str,
    pub(crate) rewrite_level: u8,
    /// Rewrite small formulas, too.
    pub(crate) rewrite_small: bool,
    /// Try a few assignments before gates are built.
    pub(crate) probe: bool,
    /// Chooses how wide arithmetic has to be to be refined by lemmas, and how many lemmas about arrays a
    /// round gives.
    pub(crate) variant: u64,
    /// Stops what takes too long.
    pub(crate) watch: &'a Watch,
}

/// Decides the formula in all ways. `number` chooses who searches; `watch` stops what takes too long.
pub fn judge(formula: &mut Formula, number: u64, watch: &Watch) -> Case {
    let mut case = Case::default();
    let turn = (number / 2 % 2) as usize;
    let way = Way {
        sat: "cadical",
        rewrite_level: (number % 4) as u8,
        rewrite_small: true,
        probe: false,
        variant: number / 2,
        watch,
    };
    let mut easy = false;
    let mut rules = vec![];
    case.hear(&way, "", caught(|| decide(formula, way, &mut easy, &mut rules)));
    if easy {
        let way = Way { sat: SIMPLE[turn], ..way };
        case.hear(&way, "", caught(|| decide(formula, way, &mut easy, &mut rules)));
    }
    case.rules = rules;
    let script = formula.script();
    let way = Way {
        sat: STRONG[turn],
        rewrite_level: 3 - way.rewrite_level,
        rewrite_small: (number / 4).is_multiple_of(2),
        probe: true,
        variant: number / 3 + 1,
        watch,
    };
    case.hear(&way, ", from text", caught(|| read_and_decide(&script, way)));
    let way = Way { probe: false, variant: number / 5 + 2, ..way };
    let (Formula { pool, assertions, .. }, minimize) = (&mut *formula, number.is_multiple_of(3));
    let assumed = if turn == 0 { assertions.len() / 2 } else { 0 };
    let blamed = caught(|| cores::decide(pool, assertions, assumed, minimize, way));
    case.hear(&way, ", with cores", blamed);
    if formula.theory.is_beyond_bits() {
        case.hear(&way, ", without arrays", caught(|| expand_and_decide(formula, way)));
    }
    watch.end();
    if let Some(expected) = formula.expected {
        case.says("its making", Some(expected));
    }
    if let Some(answer) = exhaustion::satisfiable(&formula.pool, &formula.assertions, FEW_BITS) {
        case.says("all assignments", Some(answer));
    }
    case
}

/// An answer or a fault, or what a panic left.
type Outcome = Result<Result<Option<bool>, String>, Box<dyn Any + Send>>;

fn caught(decide: impl FnOnce() -> Result<Option<bool>, String>) -> Outcome {
    catch_unwind(AssertUnwindSafe(decide))
}

impl Case {
    /// The outcome of one way to decide: an answer, a fault, or a panic.
    fn hear(&mut self, way: &Way<'_>, from: &str, outcome: Outcome) {
        let who = format!("bivalve, {}, level {}{from}", way.sat, way.rewrite_level);
        match outcome {
            Ok(Ok(answer)) => return self.says(who, answer),
            Ok(Err(fault)) => self.faults.push(format!("{who}: {fault}")),
            Err(panic) => self.faults.push(format!("{who}: panic: {}", panic_message(&*panic))),
        }
        self.says(who, None);
    }
}

impl Way<'_> {
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = settings(&[
            ("sat", self.sat),
            ("rewrite-level", &self.rewrite_level.to_string()),
            ("probe", switch(self.probe)),
            ("conflict-limit", CONFLICT_LIMIT),
            ("gate-limit", "3000000"),
            ("abstract-from", ABSTRACT_FROM[(self.variant % 4) as usize]),
            ("array-lemmas", ARRAY_LEMMAS[(self.variant / 4 % 3) as usize]),
            ("array-strategy", ARRAY_STRATEGIES[(self.variant / 3 % 4) as usize]),
            ("approx", APPROX[(self.variant % 7) as usize]),
            ("approx-refine", APPROX_REFINE[(self.variant / 7 % 2) as usize]),
        ]);
        if self.rewrite_small {
            settings.set("rewrite-from", "0").expect("an option of the table");
        }
        settings
    }

    pub(crate) fn solver_with(&self, settings: Settings) -> Solver {
        let solver = Solver::new(settings);
        self.watch.begin(&solver.stop_handle());
        solver
    }
}

pub(crate) fn solver(way: Way<'_>) -> Solver {
    way.solver_with(way.settings())
}

/// Has no search of this solver run out of its budget, as far as the backend tells?
pub(crate) fn is_within_budget(solver: &Solver, pool: &Pool) -> bool {
    let conflicts = solver.statistics(pool).sat.and_then(|sat| sat.conflicts);
    conflicts.is_some_and(|conflicts| conflicts < CONFLICTS)
}

/// All assertions at once, from the pool. `easy` becomes true if it was; rules that were applied are added.
fn decide(
    formula: &mut Formula,
    way: Way<'_>,
    easy: &mut bool,
    rules: &mut Vec<String>,
) -> Result<Option<bool>, String> {
    let mut solver = solver(way);
    for &assertion in &formula.assertions {
        solver.assert(&formula.pool, assertion).map_err(|refusal| refusal.to_string())?;
    }
    let answer = check(&mut solver, &mut formula.pool, &formula.assertions, &[])?;
    let statistics = solver.statistics(&formula.pool);
    let conflicts = statistics.sat.and_then(|sat| sat.conflicts).unwrap_or(0);
    rules.extend(statistics.rules.into_iter().map(|(rule, _)| rule));
    *easy = answer.is_some() && statistics.gates <= FEW_GATES && conflicts <= FEW_CONFLICTS;
    Ok(answer)
}

/// From text, with a check after the first half of the assertions, and the printed model asserted in the end.
fn read_and_decide(script: &str, way: Way<'_>) -> Result<Option<bool>, String> {
    let (mut pool, assertions) = read(script)?;
    let mut solver = solver(way);
    let mut before = None;
    for part in [0..assertions.len() / 2, assertions.len() / 2..assertions.len()] {
        for &assertion in &assertions[part.clone()] {
            solver.assert(&pool, assertion).map_err(|refusal| refusal.to_string())?;
        }
        let answer = check(&mut solver, &mut pool, &assertions[..part.end], &[])?;
        if before == Some(false) && answer != Some(false) {
            return Err("a part is unsatisfiable, the whole is not".to_owned());
        }
        before = answer;
    }
    if before == Some(true) {
        replay(script, &pool, &assertions, &solver, way)?;
    }
    Ok(before)
}

/// The formula without arrays and functions; what it says of that is no model of the formula.
fn expand_and_decide(formula: &mut Formula, way: Way<'_>) -> Result<Option<bool>, String> {
    let Some(formulas) = expansion::expand(&mut formula.pool, &formula.assertions) else { return Ok(None) };
    let mut solver = solver(way);
    for &assertion in &formulas {
        solver.assert(&formula.pool, assertion).map_err(|refusal| refusal.to_string())?;
    }
    check(&mut solver, &mut formula.pool, &formulas, &[])
}

/// To give up without a limit that was reached is a fault, but for what is known to be missing: constant
/// arrays that arrays are indices of.
pub(crate) fn undecided(pool: &Pool, why: Why) -> Result<(), String> {
    let is_indexed_by_arrays = |term: Term| {
        let parts = pool.sorts().array_parts(pool.sort(term));
        parts.is_some_and(|(index, _)| pool.sorts().array_parts(index).is_some())
    };
    match why {
        Why::Incomplete(what) if !(0..pool.len()).any(|i| is_indexed_by_arrays(pool.nth(i))) => {
            Err(format!("gave up: {what}"))
        }
        _ => Ok(()),
    }
}

/// Checks; after `sat` the values of the symbols alone must satisfy assertions and assumptions.
pub(crate) fn check(
    solver: &mut Solver,
    pool: &mut Pool,
    assertions: &[Term],
    assumptions: &[Term],
) -> Result<Option<bool>, String> {
    match solver.check_assuming(pool, assumptions).map_err(|fault| fault.to_string())? {
        CheckResult::Unknown(why) => return undecided(pool, why).map(|()| None),
        CheckResult::Unsat => return Ok(Some(false)),
        CheckResult::Sat => {}
    }
    let model = solver.model().ok_or("sat without a model")?;
    let assertions = &[assertions, assumptions].concat();
    let below = cone(pool, assertions);
    let mut values = Assignment::new();
    for &symbol in below.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
        values.set(symbol, model.value(pool, symbol));
    }
    let mut evaluator = Evaluator::new(pool, &values);
    let violated = assertions.iter().position(|&assertion| !evaluator.eval(assertion).expect_bool());
    if let Some(position) = violated {
        return Err(format!("the values given violate assertion {}", position + 1));
    }
    let odd = below.iter().find(|&&term| model.value(pool, term) != *evaluator.eval(term));
    odd.map_or(Ok(Some(true)), |term| Err(format!("the value of {term:?} does not follow from the symbols")))
}

/// The printed values of all symbols satisfy the script, by the evaluator.
fn replay(
    script: &str,
    pool: &Pool,
    assertions: &[Term],
    solved: &Solver,
    way: Way<'_>,
) -> Result<(), String> {
    let model = solved.model().ok_or("sat without a model")?;
    let printer = print::Values::new(pool, BitVecFormat::Hexadecimal);
    let symbols = cone(pool, assertions).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
    let definitions: Vec<String> =
        symbols.map(|symbol| printer.definition(symbol, &model.value(pool, symbol))).collect();
    let text = format!("({})", definitions.join("\n"));
    let trusted = Inside::new("judge", way.settings(), LONG);
    let check = Check { model: Some(text), ..Check::of(Verdict::Sat) };
    match model_fault(script, 0, &check, &trusted) {
        Some(fault) => Err(format!("as printed, {fault}\n{}", check.model.unwrap_or_default())),
        None => Ok(()),
    }
}

/// The assertions of a script without faults.
///
/// # Errors
/// What the reader says to a fault.
pub(crate) fn read(script: &str) -> Result<(Pool, Vec<Term>), String> {
    let mut parser = Parser::new(script.as_bytes(), "formula.smt2", ParserOptions::default());
    let (mut pool, mut assertions) = (Pool::new(), vec![]);
    while let Some(command) = parser.next_command(&mut pool).map_err(|refusal| refusal.render())? {
        if let Command::Assert { term, .. } = command {
            assertions.push(term);
        }
    }
    Ok((pool, assertions))
}
