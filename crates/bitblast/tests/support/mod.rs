//! What the integration tests share: comparing circuits with the reference semantics, 64 assignments at a
//! time.

#![allow(dead_code, reason = "each test binary uses a part of this")]

mod simulation;

pub(crate) use simulation::Simulation;

use bivalve_bitblast::{BitBlaster, Edge, Gate, GateGraph, MOST_ELEMENT_BITS, value_of_bits};
use bivalve_terms::{Arity, Assignment, BitVec, Evaluator, Op, Pool, Sort, Term, Value, cone};

/// The bit-vector sort of a width, where 0 stands for `Bool`.
pub(crate) fn sort(width: u32) -> Sort {
    if width == 0 { Sort::BOOL } else { Sort::bitvec(width).expect("a legal width") }
}

/// The bits of a value.
pub(crate) fn bits_of(value: &Value) -> Vec<bool> {
    match value {
        Value::Bool(bit) => vec![*bit],
        Value::BitVec(value) => value.bits().collect(),
        Value::Element(_, number) => (0..MOST_ELEMENT_BITS).map(|bit| number >> bit & 1 == 1).collect(),
        other => panic!("{other:?} has no bits"),
    }
}

/// A constant term of the value.
pub(crate) fn constant(pool: &mut Pool, value: &Value) -> Term {
    match value {
        Value::Bool(bit) => pool.bool(*bit),
        Value::BitVec(value) => pool.bitvec(value),
        other => panic!("{other:?} has no bits"),
    }
}

/// The `i`-th value of `Bool` (width 0) or of a bit-vector sort.
pub(crate) fn value(i: u64, width: u32) -> Value {
    if width == 0 { Value::Bool(i & 1 == 1) } else { BitVec::from_u64(i, width).into() }
}

/// Checks that each term below the root that has bits evaluates to them under each of at most 64 assignments.
/// Leaves get the bits of their values, whatever the leaf is.
pub(crate) fn agrees_under(pool: &Pool, root: Term, assignments: &[Assignment]) {
    assert!(assignments.len() <= 64);
    let mut blaster = BitBlaster::new();
    blaster.bits(pool, root).expect("a root of bits");
    let mut evaluators: Vec<Evaluator> = assignments.iter().map(|a| Evaluator::new(pool, a)).collect();
    let mut words = vec![0u64; blaster.graph().counts().inputs as usize];
    for (term, bit, edge) in blaster.inputs() {
        assert_eq!(blaster.origin(edge), Some((term, bit)));
        let Gate::Input(number) = blaster.graph().gate_of(edge) else { panic!("an input is an input") };
        for (k, evaluator) in evaluators.iter_mut().enumerate() {
            words[number as usize] |= u64::from(bits_of(evaluator.eval(term))[bit as usize]) << k;
        }
    }
    let simulation = Simulation::new(blaster.graph(), |number| words[number as usize]);
    for term in cone(pool, &[root]) {
        let Some(edges) = blaster.known_bits(term) else { continue };
        for (k, evaluator) in evaluators.iter_mut().enumerate() {
            let found = edges.iter().map(|&edge| simulation.word(edge) >> k & 1 == 1);
            let found = value_of_bits(pool.sorts(), pool.sort(term), found);
            let meant = evaluator.eval(term);
            assert_eq!(found, *meant, "{} under {:?}", show(pool, term), assignments[k]);
        }
    }
}

/// [`agrees_under`] all values of the symbols below the root.
pub(crate) fn agrees_everywhere(pool: &Pool, root: Term) {
    for chunk in all_assignments(pool, root).chunks(64) {
        agrees_under(pool, root, chunk);
    }
}

/// All assignments of the symbols below a root, which must have few bits.
pub(crate) fn all_assignments(pool: &Pool, root: Term) -> Vec<Assignment> {
    let symbols: Vec<Term> = cone(pool, &[root]).into_iter().filter(|&t| pool.op(t) == Op::Symbol).collect();
    let width_of = |&t: &Term| pool.width(t).unwrap_or(0);
    let total: u32 = symbols.iter().map(|t| width_of(t).max(1)).sum();
    assert!(total <= 14, "few enough assignments");
    (0..1u64 << total)
        .map(|mut code| {
            let mut assignment = Assignment::new();
            for symbol in &symbols {
                assignment.set(*symbol, value(code, width_of(symbol)));
                code >>= width_of(symbol).max(1);
            }
            assignment
        })
        .collect()
}

/// A short rendering for messages.
pub(crate) fn show(pool: &Pool, term: Term) -> String {
    let args: Vec<String> = pool.args(term).iter().map(|a| format!("{a:?}:{:?}", pool.sort(*a))).collect();
    format!("{term:?} = {:?} {:?} {}", pool.op(term), pool.indices(term), args.join(" "))
}

/// The operators that have circuits.
pub(crate) fn operators() -> impl Iterator<Item = Op> {
    let closed = [Op::Const, Op::Symbol, Op::Apply, Op::Select, Op::Store, Op::ConstArray];
    Op::native().filter(move |op| !closed.contains(op))
}

/// A way to apply an operator: its indices and the widths of its arguments, 0 for `Bool`.
pub(crate) type Use = (Vec<u32>, Vec<u32>);

/// The ways to apply an operator over vectors of about one width: lists of two and three arguments where the
/// operator takes any number, all small indices, both kinds of arguments where there are two.
pub(crate) fn uses(op: Op, width: u32) -> Vec<Use> {
    let counts: Vec<usize> = match op.info().arity {
        Arity::Exactly(n) => vec![n as usize],
        Arity::Leaf | Arity::Application | Arity::Binder | Arity::Fields => vec![],
        Arity::LeftAssoc | Arity::RightAssoc | Arity::Chainable | Arity::Pairwise => vec![2, 3],
    };
    let of_width = |w: u32| counts.iter().map(move |&n| (vec![], vec![w; n])).collect::<Vec<Use>>();
    match op {
        Op::Not | Op::Implies | Op::And | Op::Or | Op::Xor => of_width(0),
        Op::Eq | Op::Distinct => [of_width(0), of_width(width)].concat(),
        Op::Ite => vec![(vec![], vec![0, 0, 0]), (vec![], vec![0, width, width])],
        Op::Concat => [of_width(width), vec![(vec![], vec![width, 1]), (vec![], vec![1, width])]].concat(),
        Op::Extract => {
            (0..width).flat_map(|hi| (0..=hi).map(move |lo| (vec![hi, lo], vec![width]))).collect()
        }
        Op::Repeat => (1..=3).map(|n| (vec![n], vec![width])).collect(),
        Op::ZeroExtend | Op::SignExtend => (0..=3).map(|n| (vec![n], vec![width])).collect(),
        Op::RotateLeft | Op::RotateRight => (0..=2 * width).map(|n| (vec![n], vec![width])).collect(),
        _ => of_width(width),
    }
}

/// Builds random gates over existing edges; the operands lean towards recent ones.
pub(crate) fn random_graph(rng: &mut fastrand::Rng, inputs: usize, gates: usize) -> (GateGraph, Vec<Gate>) {
    let mut graph = GateGraph::new();
    let mut edges: Vec<bivalve_bitblast::Edge> = (0..inputs).map(|_| graph.input()).collect();
    let mut asked = Vec::new();
    for _ in 0..gates {
        let mut pick = || {
            let back = if rng.bool() { edges.len().min(6) } else { edges.len() };
            edges[edges.len() - 1 - rng.usize(..back)] ^ rng.bool()
        };
        let (a, b, c) = (pick(), pick(), pick());
        let gate = match rng.u8(..5) {
            0 | 1 => Gate::And(a, b),
            2 => Gate::Xor(a, b),
            3 => Gate::Ite(a, b, c),
            _ => Gate::Maj(a, b, c),
        };
        edges.push(graph.build(gate));
        asked.push(gate);
    }
    (graph, asked)
}
