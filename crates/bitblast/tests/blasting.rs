//! The blaster's behaviour beside meaning: leaves, demand, sharing, refusals, depth, determinism, and sizes.

use crate::support::sort;
use bivalve_bitblast::circuits::{adder, multiplier};
use bivalve_bitblast::{
    AigerFormat, BitBlaster, BlastError, CnfEncoder, Edge, GateGraph, Gates, Limits, write_aiger,
};
use bivalve_sat_adapter::{CnfLog, Meter, Stop, Why};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{BitVec, Op, Pool, Sort, Term};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn what_a_theory_would_open_is_a_leaf() {
    let mut pool = Pool::new();
    let byte = sort(8);
    let memory_sort = pool.sorts_mut().array(byte, byte).expect("an array sort");
    let (memory, other) = (pool.symbol("m", memory_sort), pool.symbol("n", memory_sort));
    let x = pool.symbol("x", byte);
    let read = pool.mk(Op::Select, &[memory, x]);
    let same = pool.mk(Op::Eq, &[memory, other]);
    let ones = pool.bitvec(&BitVec::ones(8));
    let is_ones = pool.mk(Op::Eq, &[read, ones]);
    let goal = pool.mk(Op::And, &[same, is_ones]);

    let mut blaster = BitBlaster::new();
    assert_eq!(blaster.bits(&pool, goal).expect("a Boolean has a bit").len(), 1);
    assert_eq!(blaster.leaves().collect::<Vec<_>>(), vec![same, read]);
    assert_eq!(blaster.inputs().count(), 9);
    assert_eq!(blaster.inputs_of(same).map(<[Edge]>::len), Some(1));
    assert_eq!(blaster.inputs_of(read).map(<[Edge]>::len), Some(8));
    assert_eq!(blaster.inputs_of(goal), None, "no leaf");
    assert_eq!(blaster.inputs_of(x), None, "not asked for: the index of a read is not opened");
    assert_eq!(blaster.known_bits(x), None);
    for (leaf, bit, edge) in blaster.inputs() {
        assert_eq!(blaster.origin(edge), Some((leaf, bit)));
        assert_eq!(blaster.origin(!edge), Some((leaf, bit)));
    }
    let refused = blaster.bits(&pool, memory).expect_err("an array has no bits");
    let expected = "a term of sort (Array (_ BitVec 8) (_ BitVec 8)) has no bits";
    assert_eq!(refused.to_string(), expected);
    assert_eq!(blaster.bits(&pool, x).expect("now it is asked for").len(), 8);
    assert_eq!(blaster.inputs_of(x).map(<[Edge]>::len), Some(8));
}

#[test]
fn an_asserted_equation_gathers_no_bits() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", sort(8)), pool.symbol("y", sort(8)));
    let ones = pool.bitvec(&BitVec::ones(8));
    let (equal, constant) = (pool.mk(Op::Eq, &[x, y]), pool.mk(Op::Eq, &[x, ones]));
    let differ = pool.mk(Op::Not, &[equal]);
    let stop = Stop::new();
    let limits = Limits { gates: 1000, stop: &stop };

    let mut blaster = BitBlaster::new();
    assert_eq!(blaster.known_roots(equal), None);
    let roots = blaster.roots(&pool, equal, &limits).expect("eight bits").to_vec();
    assert_eq!((roots.len(), blaster.graph().counts().gates()), (8, 8), "an exclusive or each");
    assert_eq!(blaster.known_roots(equal), Some(&roots[..]));
    assert_eq!(blaster.known_bits(equal), None, "the equation was not asked for");
    let bits = blaster.known_bits(x).expect("its side was asked for").to_vec();
    assert_eq!(blaster.roots(&pool, constant, &limits), Ok(&bits[..]), "no gate at all");

    let whole = blaster.root(&pool, equal, &limits).expect("one bit");
    assert_eq!(blaster.graph().counts().and, 7);
    assert_eq!(blaster.roots(&pool, equal, &limits), Ok(&[whole][..]), "now there is one edge for it");
    assert_eq!(blaster.roots(&pool, differ, &limits), Ok(&[!whole][..]), "no equation");
    let few = Limits { gates: 1, stop: &stop };
    let mut blaster = BitBlaster::new();
    assert!(matches!(blaster.roots(&pool, equal, &few), Err(BlastError::TooLarge { .. })));
}

#[test]
fn only_what_is_asked_for_has_gates() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", sort(32)), pool.symbol("y", sort(32)));
    let product = pool.mk(Op::BvMul, &[x, y]);
    let sum = pool.mk(Op::BvAdd, &[x, y]);
    let mut blaster = BitBlaster::new();
    blaster.bits(&pool, sum).expect("a sum has bits");
    assert!(blaster.graph().counts().gates() < 100);
    assert_eq!(blaster.known_bits(product), None);
    blaster.bits(&pool, product).expect("a product has bits");
    assert!(blaster.graph().counts().gates() > 1000);
}

/// Both orders of a commutative operation, and all divisions of the same operands, are built once.
/// A word of many bytes, put together one by one: each word on the way had its bits, 16 bytes of memory for
/// each pair of bytes.
#[test]
fn a_word_is_put_together_at_once() {
    let mut pool = Pool::new();
    let bytes: Vec<Term> = (0..100).map(|number| pool.symbol(&format!("b{number}"), sort(8))).collect();
    let mut words = vec![bytes[0]];
    for &byte in &bytes[1..] {
        let before = words[words.len() - 1];
        let op = if words.len() % 3 == 0 { [before, byte] } else { [byte, before] };
        words.push(pool.mk(Op::Concat, &op));
    }
    let mut blaster = BitBlaster::new();
    let whole = blaster.bits(&pool, words[99]).unwrap().to_vec();
    assert!(words[1..99].iter().all(|&word| blaster.known_bits(word).is_none()));
    // What is asked for later is made of the same bits.
    let part = blaster.bits(&pool, words[98]).unwrap().to_vec();
    assert!(whole.starts_with(&part) || whole.ends_with(&part));
    assert_eq!(part.len(), 99 * 8);
}

#[test]
fn equal_work_is_shared() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", sort(16)), pool.symbol("y", sort(16)));
    let mut blaster = BitBlaster::new();
    for op in [Op::BvAdd, Op::BvMul, Op::BvUmulo, Op::BvSmulo, Op::Eq] {
        let (one, two) = (pool.mk(op, &[x, y]), pool.mk(op, &[y, x]));
        let bits = blaster.bits(&pool, one).expect("bits").to_vec();
        assert_eq!(blaster.bits(&pool, two), Ok(&bits[..]), "{op:?}");
    }
    let size = |blaster: &BitBlaster| blaster.graph().len();
    let quotient = pool.mk(Op::BvUdiv, &[x, y]);
    blaster.bits(&pool, quotient).expect("bits");
    let before = size(&blaster);
    let remainder = pool.mk(Op::BvUrem, &[x, y]);
    blaster.bits(&pool, remainder).expect("bits");
    assert_eq!(size(&blaster), before, "the remainder comes with the quotient");
    let signed = pool.mk(Op::BvSdiv, &[x, y]);
    blaster.bits(&pool, signed).expect("bits");
    let before = size(&blaster);
    let remainder = pool.mk(Op::BvSrem, &[x, y]);
    blaster.bits(&pool, remainder).expect("bits");
    assert!(size(&blaster) - before < 100, "only the sign of the remainder is new");
    // A comparison is made of the carries of the difference.
    let less = pool.mk(Op::BvUlt, &[x, y]);
    blaster.bits(&pool, less).expect("bits");
    let before = size(&blaster);
    let underflow = pool.mk(Op::BvUsubo, &[x, y]);
    blaster.bits(&pool, underflow).expect("bits");
    assert_eq!(size(&blaster), before);
}

#[test]
fn what_is_too_large_is_refused_at_once() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", sort(1 << 20)), pool.symbol("y", sort(1 << 20)));
    let mut blaster = BitBlaster::new();
    for op in [Op::BvMul, Op::BvUdiv, Op::BvSrem, Op::BvSmod, Op::BvUmulo, Op::BvSmulo] {
        let term = pool.mk(op, &[x, y]);
        let refused = blaster.bits(&pool, term).expect_err("too many gates");
        assert!(matches!(refused, BlastError::TooLarge { term: t, .. } if t == term), "{op:?}");
        assert_eq!(Why::from(refused), Why::Budget);
    }
    // It can be used on, also for these operands.
    let small = pool.mk_indexed(Op::Extract, &[7, 0], &[x]);
    assert_eq!(blaster.bits(&pool, small).expect("an extract has bits").len(), 8);
}

#[test]
fn limits_are_kept() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol("x", sort(32)), pool.symbol("y", sort(32)));
    let product = pool.mk(Op::BvMul, &[x, y]);
    let mut blaster = BitBlaster::new();
    let stop = Stop::new();
    let refused = blaster.bits_within(&pool, product, &Limits { gates: 1000, stop: &stop });
    assert!(matches!(refused, Err(BlastError::TooLarge { term, .. }) if term == product));
    assert!(blaster.known_bits(x).is_some(), "what was built stays");
    stop.stop(Why::TimeLimit);
    let limits = Limits { gates: 1_000_000, stop: &stop };
    assert_eq!(blaster.bits_within(&pool, product, &limits), Err(BlastError::Stopped(Why::TimeLimit)));
    stop.reset();
    assert_eq!(blaster.bits_within(&pool, product, &limits).expect("there is room").len(), 32);
}

/// Counts steps.
#[derive(Default)]
struct Steps(AtomicU64);

impl Meter for Steps {
    fn spend(&self, _: &Stop, steps: u64) -> Option<Why> {
        self.0.fetch_add(steps, Ordering::Relaxed);
        None
    }

    fn is_over(&self) -> bool {
        false
    }
}

/// Each term was a step once, a microsecond: engines that run by steps beside each other were given a
/// hundredth of the time of others.
#[test]
fn many_small_terms_are_few_steps() {
    let mut pool = Pool::new();
    let mut blaster = BitBlaster::new();
    let (stop, steps) = (Stop::new(), Arc::new(Steps::default()));
    stop.set_meter(Some(steps.clone()));
    let mut last = pool.symbol("x", Sort::BOOL);
    for number in 0..6400 {
        let symbol = pool.symbol(&format!("x{number}"), Sort::BOOL);
        last = pool.mk(Op::And, &[last, symbol]);
        let limits = Limits { gates: 1 << 20, stop: &stop };
        blaster.bits_within(&pool, last, &limits).expect("there is room");
    }
    let steps = steps.0.load(Ordering::Relaxed);
    assert!((100..=400).contains(&steps), "{steps} steps for 12,800 terms");
}

/// A million levels, on a small stack: blasting, encoding, asserting, writing.
#[test]
fn deep_terms_do_not_need_the_stack() {
    let work = || {
        let mut pool = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, Sort::BOOL));
        let mut term = c;
        for level in 0..1_000_000 {
            let (op, with) = if level % 2 == 0 { (Op::And, a) } else { (Op::Xor, b) };
            term = pool.mk(op, &[with, term]);
        }
        // Conjunctions and negations of different symbols, so that a long conjunction and a long disjunction
        // arise.
        let mut long = pool.symbol("first", Sort::BOOL);
        for _ in 0..300_000 {
            let next = pool.symbol("next", Sort::BOOL);
            long = pool.mk(Op::And, &[next, long]);
        }
        let negated = pool.mk(Op::Not, &[long]);
        let mut blaster = BitBlaster::new();
        let root = blaster.bits(&pool, term).expect("a deep term has a bit")[0];
        assert!(!root.is_constant());
        let (all, any) =
            (blaster.bits(&pool, long).expect("bits")[0], blaster.bits(&pool, negated).expect("bits")[0]);
        let graph = blaster.graph();
        let mut clauses = CnfLog::new();
        CnfEncoder::new().literal(graph, root, &mut clauses);
        CnfEncoder::new().assert_root(graph, root, &mut clauses);
        CnfEncoder::new().literal(graph, all, &mut clauses);
        CnfEncoder::new().assert_root(graph, all, &mut clauses);
        CnfEncoder::new().assert_root(graph, any, &mut clauses);
        let longest = clauses.clauses().map(<[_]>::len).max();
        assert_eq!(longest, Some(300_001), "a disjunction of all symbols");
        write_aiger(&blaster, &pool, &[root, all], AigerFormat::Binary, &mut std::io::sink())
            .expect("written");
    };
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no overflow");
}

/// The same terms give the same clauses, down to the numbers.
#[test]
fn nothing_is_left_to_chance() {
    let run = || {
        let mut pool = Pool::new();
        let mut random = TermGen::with_everything(42);
        let mut blaster = BitBlaster::new();
        let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
        for _ in 0..20 {
            let goal = random.term(&mut pool, Sort::BOOL, 50);
            let root = blaster.bits(&pool, goal).expect("bits")[0];
            encoder.assert_root(blaster.graph(), root, &mut clauses);
        }
        let mut text = Vec::new();
        clauses.write_dimacs(&[], &mut text).expect("memory takes everything");
        text
    };
    let first = run();
    assert!(first.len() > 1000);
    assert_eq!(first, run());
}

/// A node is three edges and a table entry.
#[test]
fn a_gate_is_small() {
    let mut graph = GateGraph::new();
    let (a, b): (Vec<Edge>, Vec<Edge>) = (0..128).map(|_| (graph.input(), graph.input())).unzip();
    graph.divide(&a, &b);
    multiplier::mul(&mut graph, &a, &b);
    let gates = graph.len();
    assert!(gates > 60_000 && graph.heap_bytes() <= 32 * gates, "{} bytes for {gates}", graph.heap_bytes());
}

/// Gates, variables of gates, and clauses of a circuit over two vectors of 8 bits.
fn measure(circuit: impl FnOnce(&mut GateGraph, &[Edge], &[Edge]) -> Vec<Edge>) -> (u32, u32, usize) {
    let mut graph = GateGraph::new();
    let a: Vec<Edge> = (0..8).map(|_| graph.input()).collect();
    let b: Vec<Edge> = (0..8).map(|_| graph.input()).collect();
    let roots = circuit(&mut graph, &a, &b);
    let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
    let inputs: Vec<Edge> = a.into_iter().chain(b).collect();
    for &edge in inputs.iter().chain(&roots) {
        encoder.literal(&graph, edge, &mut clauses);
    }
    (graph.counts().gates(), clauses.variables() - graph.counts().inputs, clauses.len())
}

/// Sizes of the circuits everything is made of. A change here is a change of every answer's cost: look before
/// blessing.
#[test]
fn sizes_of_circuits() {
    let constant = |n: u64| (0..8).map(|i| Edge::constant(n >> i & 1 == 1)).collect::<Vec<Edge>>();
    let sizes = [
        ("add", measure(|g, a, b| adder::add(g, a, b, Edge::FALSE))),
        ("mul", measure(multiplier::mul)),
        ("square", measure(|g, a, _| multiplier::mul(g, a, a))),
        ("mul by 119", measure(|g, a, _| multiplier::mul(g, a, &constant(119)))),
        ("udiv and urem", measure(|g, a, b| [g.divide(a, b).0, g.divide(a, b).1].concat())),
        ("urem by 10", measure(|g, a, _| g.divide(a, &constant(10)).1)),
    ];
    // Gates, variables of gates, clauses.
    let expected = [
        ("add", (22, 22, 99)),
        ("mul", (106, 106, 412)),
        ("square", (45, 39, 144)),
        ("mul by 119", (27, 27, 107)),
        ("udiv and urem", (150, 149, 703)),
        ("urem by 10", (41, 40, 163)),
    ];
    assert_eq!(sizes.to_vec(), expected.to_vec());
}
