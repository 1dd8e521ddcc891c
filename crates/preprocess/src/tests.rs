//! The loop and the stage by brute force: satisfiability is kept, and models lift, on levels that come and
//! go.

use crate::scheduler::{Scheduler, Simplified, Task};
use crate::substitution::Substitution;
use crate::{PassSet, Preprocessor, Request, Settings};
use bivalve_limits::{Deadline, Stop, Why};
use bivalve_rewrite::{Level, Rewriter, RuleTable};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, BitVec, Op, Pool, Sort, Term, TermSet, cone, eval};
use std::sync::Arc;
use std::time::Duration;

const WIDTH: u32 = 2;

/// The parts of a preprocessor, without levels.
pub(crate) struct Stage {
    rewriter: Rewriter,
    scheduler: Scheduler,
    pub(crate) substitution: Substitution,
}

impl Default for Stage {
    fn default() -> Stage {
        Stage::with_table(Arc::new(RuleTable::new()))
    }
}

impl Stage {
    pub(crate) fn with_table(table: Arc<RuleTable>) -> Stage {
        Stage {
            rewriter: Rewriter::with_table(Level::Local, table),
            scheduler: Scheduler::new(2, PassSet::default(), || Duration::ZERO),
            substitution: Substitution::default(),
        }
    }

    /// Without the pass that brings in fresh symbols, so that assignments can be enumerated.
    fn without_fresh(self) -> Stage {
        let without = PassSet::parse("constant-bits").unwrap();
        Stage { scheduler: Scheduler::new(2, without, || Duration::ZERO), ..self }
    }

    pub(crate) fn run(
        &mut self,
        pool: &mut Pool,
        conjuncts: &[Term],
        frozen: &[Term],
        others: Option<&[Term]>,
    ) -> Simplified {
        let conjuncts = conjuncts.iter().map(|&conjunct| self.apply(pool, conjunct)).collect();
        let mut set = TermSet::new();
        for term in cone(pool, frozen) {
            set.insert(term);
        }
        let (others, deadline) = (others.map(<[Term]>::to_vec), Deadline::unlimited());
        let task = Task { conjuncts, frozen: &set, others, deadline: &deadline };
        self.scheduler.run(pool, &mut self.rewriter, Some(&mut self.substitution), task)
    }

    pub(crate) fn apply(&mut self, pool: &mut Pool, term: Term) -> Term {
        self.substitution.apply(pool, term, &Deadline::unlimited()).expect("nothing ends it")
    }

    pub(crate) fn is_invalidated_by(&mut self, pool: &mut Pool, term: Term) -> bool {
        self.substitution.is_invalidated_by(pool, term, &Deadline::unlimited()).expect("nothing ends it")
    }
}

/// All assignments of two-bit values to the symbols.
fn assignments(symbols: &[Term]) -> impl Iterator<Item = Assignment> {
    (0..1u64 << (WIDTH * symbols.len() as u32)).map(move |code| {
        let mut assignment = Assignment::new();
        for (i, &symbol) in symbols.iter().enumerate() {
            assignment.set(symbol, BitVec::from_u64(code >> (WIDTH * i as u32), WIDTH));
        }
        assignment
    })
}

fn holds(pool: &Pool, conjuncts: &[Term], assignment: &Assignment) -> bool {
    conjuncts.iter().all(|&conjunct| eval(pool, conjunct, assignment).expect_bool())
}

/// Equations between random terms, many of them definitions, many of those cyclic.
fn equations(pool: &mut Pool, seed: u64, symbols: &[Term]) -> Vec<Term> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut generator = TermGen::new(seed);
    generator.max_width = WIDTH;
    let sort = Sort::bitvec(WIDTH).unwrap();
    let mut equation = |pool: &mut Pool| {
        let left = symbols[random.usize(..symbols.len())];
        let mut right = generator.term(pool, sort, 4);
        let mut renaming = bivalve_terms::Substitution::new();
        for other in bivalve_terms::cone(pool, &[right]) {
            if pool.op(other) == Op::Symbol {
                let image = match pool.width(other) {
                    Some(WIDTH) => symbols[random.usize(..symbols.len())],
                    Some(width) => pool.bv_u64(random.u64(..), width),
                    None => pool.bool(random.bool()),
                };
                renaming.insert(pool, other, image);
            }
        }
        right = renaming.apply(pool, right);
        let op = if random.u8(..5) == 0 { Op::Distinct } else { Op::Eq };
        pool.mk(op, &[left, right])
    };
    let mut equations: Vec<Term> = (0..4).map(|_| equation(pool)).collect();
    if seed.is_multiple_of(3) {
        // Two equations under opposite conditions.
        let bound = pool.bv_u64(seed % 4, WIDTH);
        let guard = pool.mk(Op::BvUlt, &[symbols[2], bound]);
        let opposite = pool.mk(Op::Not, &[guard]);
        for (place, guard) in [guard, opposite].into_iter().enumerate() {
            equations[place] = pool.mk(Op::Implies, &[guard, equations[place]]);
        }
    }
    equations
}

/// What is left is satisfiable exactly if the conjuncts were, and its models lift to theirs.
#[test]
fn elimination_keeps_satisfiability_and_models_lift() {
    let (mut eliminated, mut refuted) = (0, 0);
    let table = Arc::new(RuleTable::new());
    for seed in 0..400 {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(WIDTH).unwrap();
        let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
        let original = equations(&mut pool, seed, &symbols);
        let satisfiable = assignments(&symbols).any(|a| holds(&pool, &original, &a));
        let mut stage = Stage::with_table(table.clone()).without_fresh();
        let left = match stage.run(&mut pool, &original, &[], None) {
            Simplified::Conjuncts(left) => left,
            Simplified::False => {
                refuted += 1;
                assert!(!satisfiable, "seed {seed}");
                continue;
            }
        };
        eliminated += stage.substitution.len();
        let mut any = false;
        for mut assignment in assignments(&symbols).filter(|a| holds(&pool, &left, a)) {
            any = true;
            stage.substitution.lift(&pool, &mut assignment);
            assert!(holds(&pool, &original, &assignment), "seed {seed}: {assignment:?}");
        }
        assert_eq!(any, satisfiable, "seed {seed}");
    }
    assert!(eliminated > 100 && refuted > 10, "{eliminated} eliminated, {refuted} refuted: too easy");
}

/// What a scope found is forgotten with it, images included; what is left of a scope joins what was left
/// before.
#[test]
fn scopes_come_and_go_without_a_trace() {
    let (mut inner, mut outer) = (0, 0);
    let table = Arc::new(RuleTable::new());
    for seed in 0..300 {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(WIDTH).unwrap();
        let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
        let below = equations(&mut pool, seed, &symbols)[..1].to_vec();
        let probes = equations(&mut pool, seed + 3000, &symbols);
        let mut stage = Stage::with_table(table.clone()).without_fresh();
        let left = stage.run(&mut pool, &below, &[], None);
        let Simplified::Conjuncts(left) = left else { continue };
        let before: Vec<Term> = probes.iter().map(|&t| stage.apply(&mut pool, t)).collect();
        outer += stage.substitution.len();
        for round in 0..3 {
            stage.substitution.push();
            let above = equations(&mut pool, seed * 3 + round, &symbols)[..2].to_vec();
            let known = stage.substitution.len();
            let more = stage.run(&mut pool, &above, &left, None);
            inner += stage.substitution.len() - known;
            for &term in &probes {
                stage.apply(&mut pool, term);
            }
            let all: Vec<Term> = below.iter().chain(&above).copied().collect();
            let satisfiable = assignments(&symbols).any(|a| holds(&pool, &all, &a));
            let Simplified::Conjuncts(mut more) = more else {
                assert!(!satisfiable, "seed {seed}");
                stage.substitution.pop();
                continue;
            };
            more.extend(&left);
            let models: Vec<Assignment> = assignments(&symbols).filter(|a| holds(&pool, &more, a)).collect();
            assert_eq!(!models.is_empty(), satisfiable, "seed {seed}");
            for mut assignment in models {
                stage.substitution.lift(&pool, &mut assignment);
                assert!(holds(&pool, &all, &assignment), "seed {seed}: {assignment:?}");
            }
            stage.substitution.pop();
            let after: Vec<Term> = probes.iter().map(|&t| stage.apply(&mut pool, t)).collect();
            assert_eq!(before, after, "seed {seed}");
        }
    }
    assert!(inner > 100 && outer > 100, "{inner} and {outer} definitions: too easy");
}

#[test]
fn a_frozen_symbol_and_a_cycle_stay() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(8).unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let (square_y, square_x) = (pool.mk(Op::BvMul, &[y, y]), pool.mk(Op::BvMul, &[x, x]));
    let cycle = [pool.mk(Op::Eq, &[x, square_y]), pool.mk(Op::Eq, &[y, square_x])];
    let quotient = pool.mk(Op::BvUdiv, &[y, x]);
    let frozen = pool.mk(Op::Eq, &[z, quotient]);
    let mut stage = Stage::default().without_fresh();
    let left = stage.run(&mut pool, &[cycle[0], cycle[1], frozen], &[z], None);
    let Simplified::Conjuncts(left) = left else { panic!("nothing here is false") };
    assert_eq!(stage.substitution.len(), 1, "one symbol of the cycle goes");
    assert_eq!(left.len(), 2);
}

/// Definitions found later may mention what was eliminated earlier, and chains are as long as they come.
#[test]
fn chains_of_definitions_are_walked_without_recursion() {
    const LENGTH: usize = 100_000;
    let check = || {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let symbols: Vec<Term> = (0..LENGTH).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
        let mut equation = |pair: &[Term]| {
            let next = pool.mk(Op::BvXor, &[pair[0], symbols[0]]);
            pool.mk(Op::Eq, &[pair[1], next])
        };
        let conjuncts: Vec<Term> = symbols.windows(2).map(&mut equation).collect();
        let mut stage = Stage::default().without_fresh();
        match stage.run(&mut pool, &conjuncts, &[], None) {
            Simplified::Conjuncts(left) => assert!(left.is_empty()),
            Simplified::False => panic!("a chain of definitions is satisfiable"),
        }
        let mut assignment = Assignment::new();
        assignment.set(symbols[0], BitVec::from_u64(3, 8));
        stage.substitution.lift(&pool, &mut assignment);
        assert_eq!(assignment.get(symbols[LENGTH - 1]).map(|v| v.expect_bitvec().low_u64()), Some(0));
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(check).unwrap();
    thread.join().unwrap();
}

/// A random session of a preprocessor, judged at each run: tracked assertions, assumptions, levels.
#[test]
fn sessions_keep_satisfiability_and_models_lift() {
    let (mut runs, mut eliminated, mut anew, mut refuted) = (0, 0, 0, 0);
    for seed in 0..250 {
        let mut pool = Pool::new();
        let mut random = fastrand::Rng::with_seed(seed);
        let sort = Sort::bitvec(WIDTH).unwrap();
        let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
        let without = PassSet::parse(if seed % 2 == 0 { "constant-bits,slices" } else { "none" }).unwrap();
        let mut preprocessor = Preprocessor::new(Settings { without, ..Settings::default() });
        let mut asserted: Vec<Vec<Term>> = vec![vec![]];
        for step in 0..12 {
            let formulas = equations(&mut pool, seed * 100 + step, &symbols);
            match random.u8(..8) {
                0 => {
                    preprocessor.push();
                    asserted.push(vec![]);
                }
                1 if asserted.len() > 1 => {
                    preprocessor.pop();
                    asserted.pop();
                }
                2 => {
                    preprocessor.add_tracked(formulas[0]);
                    asserted.last_mut().unwrap().push(formulas[0]);
                }
                3 | 4 => {
                    preprocessor.add(&formulas[..1]);
                    asserted.last_mut().unwrap().push(formulas[0]);
                }
                _ => {
                    let assumptions = if random.bool() { vec![] } else { vec![formulas[1]] };
                    let deadline = Deadline::unlimited();
                    let request =
                        Request { assumptions: &assumptions, has_empty_levels: false, deadline: &deadline };
                    let run = preprocessor.run(&mut pool, &request).unwrap();
                    runs += 1;
                    anew += usize::from(run.is_anew);
                    let all: Vec<Term> = asserted.iter().flatten().chain(&assumptions).copied().collect();
                    let satisfiable = assignments(&symbols).any(|a| holds(&pool, &all, &a));
                    if run.contradiction.is_some() {
                        refuted += 1;
                        assert!(!satisfiable, "seed {seed}, step {step}");
                        continue;
                    }
                    eliminated += preprocessor.solutions().count();
                    let levels = preprocessor.levels().iter();
                    let mut left: Vec<Term> = levels
                        .flat_map(|level| level.conjuncts().iter().chain(level.tracked()))
                        .copied()
                        .collect();
                    left.extend(preprocessor.images(&mut pool, &assumptions, &deadline).unwrap());
                    let mut any = false;
                    for mut assignment in all_assignments(&pool, &left) {
                        if holds(&pool, &left, &assignment) {
                            any = true;
                            preprocessor.lift(&pool, &mut assignment);
                            assert!(holds(&pool, &all, &assignment), "seed {seed}, step {step}");
                        }
                    }
                    assert_eq!(any, satisfiable, "seed {seed}, step {step}");
                }
            }
        }
    }
    let counts = format!("{runs} runs, {eliminated} eliminated, {anew} anew, {refuted} refuted");
    assert!(runs > 700 && eliminated > 300 && anew > 8 && refuted > 30, "{counts}");
}

/// Bounded model checking of three counters, the third of which counts the difference of the others and stays
/// between its bounds: what a frame assumes contradicts itself, and only passes see it, however many frames
/// there are.
#[test]
fn an_assumption_that_contradicts_itself_is_false() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(4).unwrap();
    let [none, one, most] = [0, 1, 15].map(|number| pool.bv_u64(number, 4));
    let mut preprocessor = Preprocessor::new(Settings::default());
    let deadline = Deadline::unlimited();
    let start = ["first", "second", "third"].map(|name| pool.symbol(name, sort));
    let mut state = start;
    for frame in 0..60 {
        let [up, down] = ["up", "down"].map(|name| pool.symbol(&format!("{name}{frame}"), Sort::BOOL));
        let [up, down] = [(up, most), (down, none)].map(|(enable, bound)| {
            let has_room = pool.mk(Op::Distinct, &[state[2], bound]);
            pool.mk(Op::And, &[enable, has_room])
        });
        let mut changed = |counter, op, enable| {
            let changed = pool.mk(op, &[counter, one]);
            pool.mk(Op::Ite, &[enable, changed, counter])
        };
        let third = changed(state[2], Op::BvAdd, up);
        let values = [
            changed(state[0], Op::BvAdd, up),
            changed(state[1], Op::BvAdd, down),
            changed(third, Op::BvSub, down),
        ];
        state = ["first", "second", "third"].map(|name| pool.symbol(&format!("{name}{frame}"), sort));
        for (symbol, value) in state.into_iter().zip(values) {
            let definition = pool.mk(Op::Eq, &[symbol, value]);
            preprocessor.add(&[definition]);
        }
        let [now, before] = [state, start].map(|[first, second, third]| {
            let difference = pool.mk(Op::BvSub, &[first, second]);
            pool.mk(Op::BvSub, &[difference, third])
        });
        let differs = pool.mk(Op::Distinct, &[now, before]);
        let assumption = pool.mk(Op::And, &[up, differs]);
        let request = Request { assumptions: &[assumption], has_empty_levels: false, deadline: &deadline };
        preprocessor.run(&mut pool, &request).unwrap();
        let images = preprocessor.images(&mut pool, &[assumption, up], &deadline).unwrap();
        assert_eq!(images[0], pool.bool(false), "frame {frame}");
        assert_ne!(images[1], pool.bool(false), "frame {frame}");
    }
}

/// All assignments to the symbols of some formulas, up to 4096.
fn all_assignments(pool: &Pool, formulas: &[Term]) -> Vec<Assignment> {
    let symbols = cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
    let mut all = vec![Assignment::new()];
    for symbol in symbols {
        let width = pool.width(symbol).unwrap_or(1);
        let with = |assignment: &Assignment, value: u64| {
            let mut assignment = assignment.clone();
            match pool.width(symbol) {
                Some(width) => assignment.set(symbol, BitVec::from_u64(value, width)),
                None => assignment.set(symbol, value == 1),
            }
            assignment
        };
        all = all.iter().flat_map(|a| (0..1 << width).map(move |value| with(a, value))).collect();
        assert!(all.len() <= 4096, "too many symbols");
    }
    all
}

/// 60 levels of conjunctions that share both operands: 2^60 ways down, 120 terms.
#[test]
fn shared_conjunctions_are_opened_once() {
    let mut pool = Pool::new();
    let mut last = pool.symbol("x", Sort::BOOL);
    for number in 0..60 {
        let [p, q] = ["p", "q"].map(|name| pool.symbol(&format!("{name}{number}"), Sort::BOOL));
        let [left, right] = [p, q].map(|other| pool.mk(Op::And, &[last, other]));
        last = pool.mk(Op::And, &[left, right]);
    }
    for level in 0..3 {
        let mut preprocessor = Preprocessor::new(Settings { level, ..Settings::default() });
        preprocessor.add(&[last]);
        let deadline = Deadline::new(&Stop::new(), 10_000);
        let request = Request { assumptions: &[], has_empty_levels: false, deadline: &deadline };
        preprocessor.run(&mut pool, &request).unwrap();
        assert!(deadline.left() > 0, "level {level}");
    }
}

/// A run that is stopped says so, and the next one goes on; steps that are used up make the result less
/// simple, not wrong.
#[test]
fn a_run_can_be_stopped_and_continued() {
    for steps in [0, 10, 100, 1000, 10_000, 100_000] {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(WIDTH).unwrap();
        let symbols: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
        let conjuncts: Vec<Term> = (0..5).flat_map(|seed| equations(&mut pool, seed, &symbols[..])).collect();
        let conjuncts = &conjuncts[..3];
        let satisfiable = assignments(&symbols).any(|a| holds(&pool, conjuncts, &a));
        let mut preprocessor = Preprocessor::new(Settings::default());
        preprocessor.add(conjuncts);
        let stop = Stop::new();
        stop.stop(Why::TimeLimit);
        let deadline = Deadline::stopped_by(&stop);
        let request = Request { assumptions: &[], has_empty_levels: true, deadline: &deadline };
        assert_eq!(preprocessor.run(&mut pool, &request), Err(Why::TimeLimit));
        let deadline = Deadline::new(&Stop::new(), steps);
        let request = Request { assumptions: &[], has_empty_levels: true, deadline: &deadline };
        let run = preprocessor.run(&mut pool, &request).unwrap();
        let left = preprocessor.levels()[0].conjuncts().to_vec();
        let any = run.contradiction.is_none()
            && all_assignments(&pool, &left).iter().any(|assignment| holds(&pool, &left, assignment));
        assert_eq!(any, satisfiable, "{steps} steps");
    }
}

/// 3000 runs, each of which adds a term on top of the last one, take steps that are linear in their number.
#[test]
fn what_is_committed_is_not_looked_at_again() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(8).unwrap();
    let mut state = pool.symbol("s", sort);
    let mut preprocessor = Preprocessor::new(Settings::default());
    let total = Deadline::new(&Stop::new(), 1 << 40);
    for number in 0..3000 {
        let input = pool.symbol(&format!("i{number}"), sort);
        let sum = pool.mk(Op::BvXor, &[state, input]);
        state = pool.mk(Op::BvMul, &[sum, state]);
        let bound = pool.bv_u64(number % 200 + 3, 8);
        let assertion = pool.mk(Op::BvUlt, &[state, bound]);
        preprocessor.add(&[assertion]);
        let request = Request { assumptions: &[], has_empty_levels: true, deadline: &total };
        preprocessor.run(&mut pool, &request).unwrap();
    }
    let steps = (1u64 << 40) - total.left();
    assert!(steps < 3000 * 2000, "{steps} steps");
    let problem = preprocessor.levels()[0].conjuncts();
    assert!(problem.len() >= 3000);
}
