//! One formula, decided in every way there is inside this process.
//!
//! - by the solver, straight from the pool, all assertions at once, CaDiCaL searching;
//! - by the solver, from the printed script read again, at the other rewrite level, in two steps with a check between,
//!   BatSat and CaDiCaL taking turns;
//! - by the solver once more, the simple backends taking turns, if the first time was easy: these have no budgets or no
//!   speed;
//! - by [`exhaustion`] where symbols have few bits;
//! - by construction, where the formula is made so that its answer is known.
//!
//! Two definite opinions that differ are a disagreement. A model is asked for a value of every symbol, as `get-value`
//! would give it; those values, and nothing else, must satisfy the assertions, and what is printed of them, read
//! again as equations, must be consistent with the script. `unknown` agrees with everybody.
//!
//! Which level goes which way, and which backend searches, follows from the number of the formula, so that over
//! eight numbers every combination has had its turn.

use crate::exhaustion;
use crate::formula::Formula;
use crate::watch::Watch;
use crate::{settings, switch};
use bivalve::{Answer, Solver};
use bivalve_formats::smtlib::{BitVecFormat, Command, Parser, ParserOptions, print};
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Term, cone};
use std::any::Any;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Conflicts that one check may cost.
pub const CONFLICTS: u64 = 3_000;

/// Gates and conflicts up to which the simple SAT backends get their turn.
const FEW_GATES: u64 = 4_000;
const FEW_CONFLICTS: u64 = 300;

/// The backends that take turns on every formula, and on easy ones.
const STRONG: [&str; 2] = ["batsat", "cadical"];
const SIMPLE: [&str; 2] = ["splr", "naive"];

/// Bits of symbols up to which all assignments are tried.
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
struct Way<'a> {
    sat: &'a str,
    rewrite_level: u8,
    /// Rewrite small formulas, too.
    rewrite_small: bool,
    /// Try a few assignments before gates are built.
    probe: bool,
    /// Stops what takes too long.
    watch: &'a Watch,
}

/// Decides the formula in all ways. `number` chooses who searches; `watch` stops what takes too long.
pub fn judge(formula: &mut Formula, number: u64, watch: &Watch) -> Case {
    let mut case = Case::default();
    let turn = (number / 2 % 2) as usize;
    let way =
        Way { sat: "cadical", rewrite_level: (number % 2) as u8, rewrite_small: true, probe: false, watch };
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
        rewrite_level: 1 - way.rewrite_level,
        rewrite_small: (number / 4).is_multiple_of(2),
        probe: true,
        watch,
    };
    case.hear(&way, ", from text", caught(|| read_and_decide(&script, way)));
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
            Err(panic) => self.faults.push(format!("{who}: panic: {}", message(&*panic))),
        }
        self.says(who, None);
    }
}

/// What a panic says.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}

fn solver(way: Way<'_>) -> Solver {
    let mut settings = settings(&[
        ("sat", way.sat),
        ("rewrite-level", &way.rewrite_level.to_string()),
        ("probe", switch(way.probe)),
        ("conflict-limit", &CONFLICTS.to_string()),
        ("gate-limit", "3000000"),
    ]);
    if way.rewrite_small {
        settings.set("rewrite-from", "0").expect("an option of the table");
    }
    let solver = Solver::new(settings);
    way.watch.begin(&solver.stop_handle());
    solver
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
    let answer = check(&mut solver, &mut formula.pool, &formula.assertions)?;
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
        let answer = check(&mut solver, &mut pool, &assertions[..part.end])?;
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

/// The assertions of a script without faults.
fn read(script: &str) -> Result<(Pool, Vec<Term>), String> {
    let mut parser = Parser::new(script.as_bytes(), "formula.smt2", ParserOptions::default());
    let (mut pool, mut assertions) = (Pool::new(), vec![]);
    while let Some(command) = parser.next_command(&mut pool).map_err(|refusal| refusal.render())? {
        if let Command::Assert { term, .. } = command {
            assertions.push(term);
        }
    }
    Ok((pool, assertions))
}

/// Checks; after `sat` the values of the symbols alone must satisfy the assertions.
fn check(solver: &mut Solver, pool: &mut Pool, assertions: &[Term]) -> Result<Option<bool>, String> {
    match solver.check(pool).map_err(|fault| fault.to_string())? {
        Answer::Unknown(_) => return Ok(None),
        Answer::Unsat => return Ok(Some(false)),
        Answer::Sat => {}
    }
    let model = solver.model().ok_or("sat without a model")?;
    let below = cone(pool, assertions);
    let mut values = Assignment::new();
    for &symbol in below.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
        values.set(symbol, model.value(pool, symbol));
    }
    let mut evaluator = Evaluator::new(pool, &values);
    let violated = assertions.iter().position(|&assertion| !evaluator.eval(assertion).as_bool());
    if let Some(position) = violated {
        return Err(format!("the values given violate assertion {}", position + 1));
    }
    let odd = below.iter().find(|&&term| model.value(pool, term) != *evaluator.eval(term));
    odd.map_or(Ok(Some(true)), |term| Err(format!("the value of {term:?} does not follow from the symbols")))
}

/// The script with the printed values of all symbols as equations is still satisfiable.
fn replay(
    script: &str,
    pool: &Pool,
    assertions: &[Term],
    solved: &Solver,
    way: Way<'_>,
) -> Result<(), String> {
    let model = solved.model().ok_or("sat without a model")?;
    let printer = print::Values::new(pool, BitVecFormat::Hexadecimal);
    let mut text = script.to_owned();
    for &symbol in cone(pool, assertions).iter().filter(|&&term| pool.op(term) == Op::Symbol) {
        let value = printer.value(pool.sort(symbol), &model.value(pool, symbol));
        let _ = writeln!(text, "(assert (= {} {value}))", print::term(pool, symbol));
    }
    let (mut pool, pinned) = read(&text)?;
    let mut solver = solver(Way { sat: "cadical", rewrite_level: 0, ..way });
    for &assertion in &pinned {
        solver.assert(&pool, assertion).map_err(|refusal| refusal.to_string())?;
    }
    match check(&mut solver, &mut pool, &pinned)? {
        Some(false) => Err("the printed model contradicts the script".to_owned()),
        _ => Ok(()),
    }
}
