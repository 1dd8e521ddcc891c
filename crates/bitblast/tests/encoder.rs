//! The encoder by itself: levels, assumptions, lemmas, garbage, and statistics that only grow.

use crate::support::sort;
use bivalve_bitblast::{BlastError, Encoded, Encoder};
use bivalve_sat_adapter::backends::naive::Naive;
use bivalve_sat_adapter::{
    Budget, Capabilities, ClauseSink, Incremental, Lit, SatResult, SatSolver, Statistics, Stop, Why,
};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Op, Pool, Sort, Term, Value, cone, eval};
use std::cell::Cell;
use std::rc::Rc;

/// The reference solver, which is slow and part of every build.
fn reference() -> Box<dyn SatSolver> {
    Box::new(Incremental::new(Naive::default()))
}

fn encoder() -> Encoder {
    Encoder::new(Box::new(reference), &Stop::new())
}

/// Everything that is assumed for levels, and these literals.
fn solve(encoder: &mut Encoder, levels: usize, assumed: &[Lit]) -> SatResult {
    let mut literals: Vec<Lit> = (0..levels).flat_map(|level| encoder.level_literals(level)).collect();
    literals.extend(assumed);
    encoder.solve(&literals, &Budget::UNLIMITED)
}

fn literal(encoder: &mut Encoder, pool: &Pool, term: Term) -> Lit {
    match encoder.literal(pool, term).expect("there is room") {
        Encoded::Literal(literal) => literal,
        Encoded::Constant(value) => panic!("it is {value}"),
    }
}

#[test]
fn no_solver_is_made_before_the_first_clause() {
    let mut pool = Pool::new();
    let made = Rc::new(Cell::new(0));
    let count = made.clone();
    let factory = move || -> Box<dyn SatSolver> {
        count.set(count.get() + 1);
        reference()
    };
    let mut encoder = Encoder::new(Box::new(factory), &Stop::new());
    let (yes, no) = (pool.bool(true), pool.bool(false));
    let p = pool.symbol("p", Sort::BOOL);
    assert_eq!(encoder.assert(&pool, 0, yes), Ok(true));
    assert_eq!(encoder.assert(&pool, 3, no), Ok(false), "nothing is asserted");
    assert_eq!(encoder.literal(&pool, no), Ok(Encoded::Constant(false)));
    assert_eq!(encoder.solve(&[], &Budget::UNLIMITED), SatResult::Sat);
    assert!(!encoder.has_clauses() && made.get() == 0);
    assert_eq!(encoder.assert(&pool, 0, p), Ok(true));
    assert_eq!((encoder.solve(&[], &Budget::UNLIMITED), made.get()), (SatResult::Sat, 1));
    assert_eq!(encoder.value(&pool, p), Some(Value::Bool(true)));
}

/// Each bit of a word was a clause, also where sixteen million of them were one edge. That took 8 s.
#[test]
fn bits_that_are_one_edge_are_asserted_once() {
    let mut pool = Pool::new();
    let p = pool.symbol("p", sort(8));
    let [zeros, signs] = [Op::ZeroExtend, Op::SignExtend].map(|op| pool.mk_indexed(op, &[1000], &[p]));
    let equal = pool.mk(Op::Eq, &[zeros, signs]);
    let mut encoder = encoder();
    assert_eq!(encoder.assert(&pool, 0, equal), Ok(true));
    assert!(encoder.clauses() < 10, "{} clauses", encoder.clauses());
}

/// More terms on a level than are assumed one by one, popped and asserted again.
#[test]
fn popped_levels_hold_no_more() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", sort(8));
    let mut encoder = encoder();
    for round in 0..3 {
        for excluded in 0..256 {
            let number = pool.bv_u64(excluded, 8);
            let term = pool.mk(Op::Distinct, &[x, number]);
            let level = if excluded < 100 { 1 } else { 2 };
            assert_eq!(encoder.assert(&pool, level, term), Ok(true));
        }
        assert_eq!(solve(&mut encoder, 3, &[]), SatResult::Unsat, "round {round}");
        encoder.pop_to(2);
        assert_eq!(solve(&mut encoder, 2, &[]), SatResult::Sat);
        let Some(Value::BitVec(value)) = encoder.value(&pool, x) else { panic!("a value") };
        assert!(value.to_u64() >= Some(100));
        encoder.pop_to(1);
        let zero = pool.bv_u64(0, 8);
        let is_zero = pool.mk(Op::Eq, &[x, zero]);
        let assumed = literal(&mut encoder, &pool, is_zero);
        assert_eq!(solve(&mut encoder, 1, &[assumed]), SatResult::Sat);
    }
}

#[test]
fn lemmas_are_there_once_and_survive_restarts() {
    let mut pool = Pool::new();
    let [p, q] = ["p", "q"].map(|name| pool.symbol(name, Sort::BOOL));
    let mut encoder = encoder();
    assert_eq!(encoder.clause(&pool, &[(p, true), (q, false)]), Ok(true));
    assert_eq!(encoder.clause(&pool, &[(p, true), (q, false)]), Ok(false));
    assert_eq!(encoder.assert(&pool, 1, q), Ok(true));
    let not_p = pool.mk(Op::Not, &[p]);
    for _ in 0..2 {
        let assumed = literal(&mut encoder, &pool, not_p);
        assert_eq!(solve(&mut encoder, 2, &[assumed]), SatResult::Unsat);
        assert!(encoder.failed(assumed));
        // Another factory: everything is encoded again.
        encoder.set_factory(Box::new(reference));
    }
    encoder.reset();
    let assumed = literal(&mut encoder, &pool, not_p);
    assert_eq!(encoder.clause(&pool, &[(q, true)]), Ok(true));
    assert_eq!(solve(&mut encoder, 2, &[assumed]), SatResult::Sat);
    let sat = encoder.statistics().sat.expect("there were solvers");
    assert_eq!(sat.solves, 3, "of three solvers together");
}

/// What has no room is refused, and nothing is asserted; a raised flag ends the work.
#[test]
fn limits_leave_everything_as_it_was() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort(64)));
    let product = pool.mk(Op::BvMul, &[a, b]);
    let less = pool.mk(Op::BvUlt, &[product, a]);
    let stop = Stop::new();
    let mut encoder = Encoder::new(Box::new(reference), &stop);
    encoder.set_gate_limit(1000);
    assert!(matches!(encoder.assert(&pool, 0, less), Err(BlastError::TooLarge { .. })));
    encoder.set_gate_limit(1 << 20);
    stop.stop(Why::TimeLimit);
    assert_eq!(encoder.assert(&pool, 0, less), Err(BlastError::Stopped(Why::TimeLimit)));
    stop.reset();
    assert_eq!(encoder.assert(&pool, 0, less), Ok(true));
    // A restart that is stopped goes on later.
    encoder.set_element_bits(2);
    stop.stop(Why::Interrupted);
    assert_eq!(encoder.begin_check(&pool), Err(BlastError::Stopped(Why::Interrupted)));
    stop.reset();
    assert_eq!(encoder.begin_check(&pool), Ok(()));
    assert!(encoder.clauses() > 1000);
}

/// A solver that raises a flag when so many clauses were added.
struct Raising {
    inner: Box<dyn SatSolver>,
    stop: Stop,
    left: Rc<Cell<u64>>,
}

impl ClauseSink for Raising {
    fn new_var(&mut self) -> Lit {
        self.inner.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.left.set(self.left.get().wrapping_sub(1));
        if self.left.get() == 0 {
            self.stop.stop(Why::TimeLimit);
        }
        self.inner.add_clause(clause);
    }
}

impl SatSolver for Raising {
    fn name(&self) -> &'static str {
        "raising"
    }

    fn signature(&self) -> String {
        self.inner.signature()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.inner.solve(assumptions, budget)
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        self.inner.value(lit)
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.inner.failed(lit)
    }

    fn set_stop(&mut self, stop: Stop) {
        self.inner.set_stop(stop);
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}

/// Stopped after any number of clauses, the encoder goes on later as if nothing had been; gates without
/// definitions would have models that are none.
#[test]
fn encoding_that_is_stopped_goes_on_later() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort(64)));
    let product = pool.mk(Op::BvMul, &[a, b]);
    let less = pool.mk(Op::BvUlt, &[product, a]);
    let low = [a, b].map(|symbol| pool.mk_indexed(Op::Extract, &[63, 2], &[symbol]));
    let zero = pool.bv_u64(0, 62);
    let small: Vec<Term> = low.iter().map(|&low| pool.mk(Op::Eq, &[low, zero])).collect();
    let small = pool.mk(Op::And, &small);
    for left in [1, 1000, 20_000, 30_000, 40_000] {
        let stop = Stop::new();
        let (flag, count) = (stop.clone(), Rc::new(Cell::new(left)));
        let factory = move || -> Box<dyn SatSolver> {
            Box::new(Raising { inner: reference(), stop: flag.clone(), left: count.clone() })
        };
        let mut encoder = Encoder::new(Box::new(factory), &stop);
        let first = encoder.assert(&pool, 1, less);
        assert!(matches!(first, Ok(true) | Err(BlastError::Stopped(Why::TimeLimit))), "{first:?}");
        assert!(first.is_err() || left > 20_000, "it was stopped after {left} clauses");
        stop.reset();
        if first.is_err() {
            assert_eq!(encoder.solve(&[], &Budget::UNLIMITED), SatResult::Unknown(Why::Interrupted));
            assert_eq!(encoder.assert(&pool, 1, less), Ok(true));
        }
        let assumed = literal(&mut encoder, &pool, small);
        assert_eq!(solve(&mut encoder, 2, &[assumed]), SatResult::Sat);
        check_answer(&pool, &mut encoder, &[less, small], SatResult::Sat);
    }
}

/// A clause of a lemma about many stores has thousands of literals with small cones. The flag was looked at
/// within a cone alone, so that `-t 5` ended after 18 seconds.
#[test]
fn a_clause_of_many_small_cones_can_be_stopped() {
    let mut pool = Pool::new();
    let symbols: Vec<Term> = (0..2000).map(|at| pool.symbol(&format!("s{at}"), sort(8))).collect();
    let less = |pair: &[Term]| (pool.mk(Op::BvUlt, pair), true);
    let clause: Vec<(Term, bool)> = symbols.windows(2).map(less).collect();
    let stop = Stop::new();
    let (flag, count) = (stop.clone(), Rc::new(Cell::new(100)));
    let left = count.clone();
    let factory = move || -> Box<dyn SatSolver> {
        Box::new(Raising { inner: reference(), stop: flag.clone(), left: left.clone() })
    };
    let mut encoder = Encoder::new(Box::new(factory), &stop);
    assert_eq!(encoder.clause(&pool, &clause), Err(BlastError::Stopped(Why::TimeLimit)));
    let after = count.get().wrapping_neg();
    assert!(after < 20_000, "{after} clauses after it was stopped");
    stop.reset();
    assert_eq!(encoder.clause(&pool, &clause), Ok(true));
    assert_eq!(solve(&mut encoder, 1, &[]), SatResult::Sat);
}

/// A random Boolean term with work behind it.
fn question(random: &mut TermGen, pool: &mut Pool) -> Term {
    random.term(pool, Sort::BOOL, 12)
}

/// Random sessions, restarted as often as the policy allows, against the values of all assignments.
#[test]
fn sessions_mean_what_the_tables_say() {
    for seed in 0..60 {
        let mut random = TermGen::new(seed);
        random.max_width = 3;
        let mut pool = Pool::new();
        let mut encoder = encoder();
        encoder.set_rebuild_from(seed % 3 * 20);
        let mut levels: Vec<Vec<Term>> = vec![vec![]];
        for _ in 0..30 {
            encoder.collect_garbage(&|_| true);
            encoder.begin_check(&pool).expect("there is room");
            match random.rng().u32(..4) {
                0 => levels.push(vec![]),
                1 if levels.len() > 1 => {
                    levels.pop();
                    encoder.pop_to(levels.len());
                }
                _ => {}
            }
            let asserted = question(&mut random, &mut pool);
            let level = levels.len() - 1;
            let is_possible = encoder.assert(&pool, level, asserted).expect("there is room");
            if is_possible && level > 0 {
                levels[level].push(asserted);
            } else if is_possible {
                levels[0].push(asserted);
            }
            let asked = question(&mut random, &mut pool);
            let encoded = encoder.literal(&pool, asked).expect("there is room");
            let assumed: Vec<Lit> = match encoded {
                Encoded::Literal(literal) => vec![literal],
                Encoded::Constant(_) => vec![],
            };
            let found = solve(&mut encoder, levels.len(), &assumed);
            let mut all: Vec<Term> = levels.concat();
            all.extend((!assumed.is_empty()).then_some(asked));
            check_answer(&pool, &mut encoder, &all, found);
        }
    }
}

/// A model satisfies all terms; where there are few assignments, none of them satisfies what is unsat.
fn check_answer(pool: &Pool, encoder: &mut Encoder, all: &[Term], found: SatResult) {
    let symbols = cone(pool, all).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
    let symbols: Vec<Term> = symbols.collect();
    if found == SatResult::Sat {
        let mut model = Assignment::new();
        for &symbol in &symbols {
            if let Some(value) = encoder.value(pool, symbol) {
                model.set(symbol, value);
            }
        }
        assert!(all.iter().all(|&term| eval(pool, term, &model).as_bool() == Some(true)), "a model is one");
        return;
    }
    let bits: u32 = symbols.iter().map(|&symbol| pool.width(symbol).unwrap_or(1)).sum();
    for code in 0..1u64 << bits.min(10) {
        let (mut rest, mut assignment) = (code.wrapping_mul(0x9E37_79B9_7F4A_7C15), Assignment::new());
        if bits <= 10 {
            rest = code;
        }
        for &symbol in &symbols {
            let width = pool.width(symbol).unwrap_or(0);
            assignment.set(symbol, crate::support::value(rest, width));
            rest >>= width.max(1);
        }
        assert!(
            !all.iter().all(|&term| eval(pool, term, &assignment).as_bool() == Some(true)),
            "it has a model"
        );
    }
}

/// Questions about products of the same two symbols: about a thousand variables each.
fn product(pool: &mut Pool, number: u64) -> Term {
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort(16)));
    let number = pool.bv_u64(number, 16);
    let sum = pool.mk(Op::BvXor, &[a, number]);
    let product = pool.mk(Op::BvMul, &[sum, b]);
    pool.mk(Op::BvUlt, &[product, sum])
}

/// One check of a session that only encodes.
fn ask(encoder: &mut Encoder, pool: &Pool, term: Term) {
    encoder.collect_garbage(&|_| true);
    encoder.begin_check(pool).expect("there is room");
    literal(encoder, pool, term);
}

/// Assumptions that do not return are garbage: the graph stays small, and what is built in all is what is new
/// and a constant factor.
#[test]
fn what_does_not_return_is_dropped() {
    let mut pool = Pool::new();
    let mut encoder = encoder();
    let kept = product(&mut pool, 0);
    encoder.assert(&pool, 1, kept).expect("there is room");
    let one = encoder.statistics().gates;
    let rounds = 300;
    let mut largest = 0;
    for number in 1..=rounds {
        let term = product(&mut pool, number);
        ask(&mut encoder, &pool, term);
        largest = largest.max(encoder.statistics().gates);
    }
    let statistics = encoder.statistics();
    assert!(statistics.rebuilds > 10, "{} restarts", statistics.rebuilds);
    assert!(largest < 12 * one, "{largest} gates where {one} are live");
    assert!(statistics.gates_built < 3 * rounds * one, "{} of {one}", statistics.gates_built);
    assert!(statistics.gates_live <= 3 * one && statistics.clauses.variables > statistics.gates_live);
}

/// Assumptions that go round in a circle are dropped once or twice, and then kept.
#[test]
fn what_returns_is_kept() {
    let mut pool = Pool::new();
    let mut encoder = encoder();
    let circle: Vec<Term> = (0..20).map(|number| product(&mut pool, number)).collect();
    for round in 0..40 {
        for &term in &circle {
            ask(&mut encoder, &pool, term);
        }
        if round == 10 {
            assert!(encoder.statistics().rebuilds < 12, "{} restarts", encoder.statistics().rebuilds);
        }
    }
    let before = encoder.statistics();
    circle.iter().for_each(|&term| ask(&mut encoder, &pool, term));
    let after = encoder.statistics();
    assert_eq!((before.rebuilds, before.gates_built), (after.rebuilds, after.gates_built));
}

/// What is asserted for ever is no garbage, whether it is assumed or not.
#[test]
fn asserted_implications_are_live() {
    let mut pool = Pool::new();
    let mut encoder = encoder();
    for number in 0..100 {
        let guard = pool.symbol(&format!("g{number}"), Sort::BOOL);
        let question = product(&mut pool, number);
        let implied = pool.mk(Op::Implies, &[guard, question]);
        encoder.assert(&pool, 0, implied).expect("there is room");
        ask(&mut encoder, &pool, guard);
    }
    assert_eq!(encoder.statistics().rebuilds, 0);
}

/// Two sums of the same words in different orders: after one conflict the words are compared, and what was
/// found stays for the next check, under other assumptions too.
#[test]
fn words_that_are_compared_are_equal() {
    let mut pool = Pool::new();
    let word = sort(24);
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, word));
    let sum = |pool: &mut Pool, x, y, z| {
        let first = pool.mk(Op::BvAdd, &[x, y]);
        pool.mk(Op::BvAdd, &[first, z])
    };
    let (one, other) = (sum(&mut pool, a, b, c), sum(&mut pool, c, b, a));
    let same = pool.mk(Op::Eq, &[one, other]);
    let differ = pool.mk(Op::Not, &[same]);
    let backend =
        || bivalve_sat_adapter::create(bivalve_sat_adapter::default_backend()).expect("compiled in");
    for (after, equal) in [(None, 0), (Some(u64::MAX), 0), (Some(1), 1)] {
        let mut encoder = Encoder::new(Box::new(backend), &Stop::new());
        encoder.set_words_after(after);
        let refuted = literal(&mut encoder, &pool, differ);
        assert!(encoder.solve(&[refuted], &Budget::conflicts(1)) != SatResult::Sat);
        assert_eq!(encoder.solve(&[refuted], &Budget::UNLIMITED), SatResult::Unsat);
        assert_eq!(encoder.statistics().words.equal, equal, "{after:?}");
        assert_eq!(encoder.solve(&[!refuted], &Budget::UNLIMITED), SatResult::Sat);
    }
}
