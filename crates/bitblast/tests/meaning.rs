//! Blasting means evaluating: the circuit of every operator computes its meaning.
//!
//! Exhaustive at widths 1 to 4, for free operands, for each operand constant in turn, and for one operand
//! given twice; by evaluation of the bare circuit, and by simulation of the gate graph. At larger widths on
//! random and on corner values, and for random terms over all operators.

use crate::support::{
    agrees_everywhere, agrees_under, bits_of, constant, operators, show, sort, uses, value,
};
use bivalve_bitblast::circuits::{self, Shape};
use bivalve_bitblast::{Estimate, Evaluate, GateGraph, value_of_bits};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Args, Assignment, Op, Pool, Sort, Term, Value};

fn symbols(pool: &mut Pool, widths: &[u32]) -> Vec<Term> {
    widths.iter().zip(["a", "b", "c"]).map(|(&w, name)| pool.symbol(name, sort(w))).collect()
}

/// All value lists of the given widths.
fn all_values(widths: &[u32]) -> impl Iterator<Item = Vec<Value>> {
    let total: u32 = widths.iter().map(|&w| w.max(1)).sum();
    (0..1u64 << total).map(move |mut code| {
        widths
            .iter()
            .map(|&w| {
                let v = value(code, w);
                code >>= w.max(1);
                v
            })
            .collect()
    })
}

/// The greatest width of free operands: 6 for overflow predicates, whose circuits have special columns.
fn most(op: Op) -> u32 {
    use Op::{BvNego, BvSaddo, BvSdivo, BvSmulo, BvSsubo, BvUaddo, BvUmulo, BvUsubo};
    match op {
        BvNego | BvSaddo | BvSdivo | BvSmulo | BvSsubo | BvUaddo | BvUmulo | BvUsubo => 6,
        _ => 4,
    }
}

#[test]
fn bare_circuits_compute_the_meaning() {
    for (op, width) in operators().flat_map(|op| (1..=most(op)).map(move |w| (op, w))) {
        for (indices, widths) in uses(op, width) {
            let mut pool = Pool::new();
            let args = symbols(&mut pool, &widths);
            let term = pool.mk_indexed(op, &indices, &args);
            let (index, out) = (pool.index(term), pool.width(term).unwrap_or(1));
            for values in all_values(&widths) {
                let bits: Vec<Vec<bool>> = values.iter().map(bits_of).collect();
                let bits: Vec<&[bool]> = bits.iter().map(Vec::as_slice).collect();
                let shape = Shape { index: index as usize, width: out as usize };
                let refs: Vec<&Value> = values.iter().collect();
                let width = pool.width(term).unwrap_or(0);
                let meant = (op.info().meaning)(&Args::native(&refs, index, width));
                let found =
                    circuits::apply(&mut Evaluate, op, shape, &bits).expect("the operator has a circuit");
                assert_eq!(found.len(), out as usize);
                let found = value_of_bits(pool.sorts(), pool.sort(term), found.into_iter());
                assert_eq!(found, meant, "{op:?} {indices:?} of {values:?}");
            }
        }
    }
}

#[test]
fn graphs_compute_the_meaning_of_free_operands() {
    for (op, width) in operators().flat_map(|op| (1..=4).map(move |w| (op, w))) {
        for (indices, widths) in uses(op, width) {
            let mut pool = Pool::new();
            let args = symbols(&mut pool, &widths);
            let term = pool.mk_indexed(op, &indices, &args);
            agrees_everywhere(&pool, term);
        }
    }
}

#[test]
fn graphs_compute_the_meaning_of_constant_operands() {
    for (op, width) in operators().flat_map(|op| (1..=4).map(move |w| (op, w))) {
        for (indices, widths) in uses(op, width).into_iter().filter(|(_, widths)| widths.len() <= 2) {
            for fixed in 0..widths.len() {
                for values in all_values(&widths[fixed..=fixed]) {
                    let mut pool = Pool::new();
                    let mut args = symbols(&mut pool, &widths);
                    args[fixed] = constant(&mut pool, &values[0]);
                    let term = pool.mk_indexed(op, &indices, &args);
                    agrees_everywhere(&pool, term);
                }
            }
        }
    }
}

#[test]
fn graphs_compute_the_meaning_of_equal_operands() {
    for (op, width) in operators().flat_map(|op| (1..=6).map(move |w| (op, w))) {
        for (indices, widths) in uses(op, width) {
            let mut pool = Pool::new();
            let mut args = symbols(&mut pool, &widths);
            let last = args.len() - 1;
            if last == 0 || widths[last] != widths[last - 1] {
                continue;
            }
            args[last] = args[last - 1];
            let term = pool.mk_indexed(op, &indices, &args);
            agrees_everywhere(&pool, term);
        }
    }
}

/// Operands some of whose bits are known: masked, padded, shifted by constants.
#[test]
fn graphs_compute_the_meaning_of_partly_known_operands() {
    let mut random = TermGen::new(5);
    for op in operators() {
        for (indices, widths) in uses(op, 6).into_iter().filter(|(_, widths)| widths.len() == 2) {
            for _ in 0..6 {
                let mut pool = Pool::new();
                let args: Vec<Term> = symbols(&mut pool, &widths)
                    .into_iter()
                    .map(|symbol| {
                        if pool.width(symbol) != Some(6) {
                            return symbol;
                        }
                        let known = pool.bitvec(&random.bitvec(6));
                        let ops = [Op::BvAnd, Op::BvOr, Op::BvShl, Op::BvLshr, Op::BvAshr];
                        let op = ops[random.rng().usize(..ops.len())];
                        pool.mk(op, &[symbol, known])
                    })
                    .collect();
                let term = pool.mk_indexed(op, &indices, &args);
                agrees_everywhere(&pool, term);
            }
        }
    }
}

#[test]
fn wide_graphs_compute_the_meaning() {
    for width in [8, 17, 31, 32, 33, 64, 65, 100] {
        for op in operators() {
            for (indices, widths) in uses_at_large_width(op, width) {
                let mut random = TermGen::new(u64::from(width) << 8 | op as u64);
                let mut pool = Pool::new();
                let args = symbols(&mut pool, &widths);
                let term = pool.mk_indexed(op, &indices, &args);
                let assignments: Vec<Assignment> =
                    (0..64).map(|_| random.assignment(&pool, &[term])).collect();
                agrees_under(&pool, term, &assignments);
            }
        }
    }
}

/// The first and last way to apply an operator: there are many extracts.
fn uses_at_large_width(op: Op, width: u32) -> Vec<crate::support::Use> {
    let all = uses(op, width);
    let last = all.len() - 1;
    all.into_iter().enumerate().filter(|(i, _)| *i < 2 || *i == last).map(|(_, way)| way).collect()
}

/// Quotients and remainders whose operands differ much in size, where rows and columns vanish.
#[test]
fn divisions_of_uneven_operands() {
    let mut random = TermGen::new(11);
    for (big, small) in [(40, 1), (40, 7), (33, 32), (64, 63), (9, 8), (12, 5)] {
        for swap in [false, true] {
            let mut pool = Pool::new();
            let (x, y) = (pool.symbol("x", sort(big)), pool.symbol("y", sort(small)));
            let y = pool.mk_indexed(Op::ZeroExtend, &[big - small], &[y]);
            let args = if swap { [y, x] } else { [x, y] };
            let quotient = pool.mk(Op::BvUdiv, &args);
            let remainder = pool.mk(Op::BvUrem, &args);
            let both = pool.mk(Op::Concat, &[quotient, remainder]);
            for _ in 0..4 {
                let assignments: Vec<Assignment> =
                    (0..64).map(|_| random.assignment(&pool, &[both])).collect();
                agrees_under(&pool, both, &assignments);
            }
        }
    }
}

#[test]
fn random_terms_over_all_operators() {
    for seed in 0..300 {
        let mut random = TermGen::new(seed);
        random.max_width = if seed % 3 == 0 { 40 } else { 8 };
        let mut pool = Pool::new();
        let wanted = if seed % 2 == 0 { Sort::BOOL } else { random.sort(&mut pool) };
        let term = random.term(&mut pool, wanted, 40);
        let assignments: Vec<Assignment> = (0..64).map(|_| random.assignment(&pool, &[term])).collect();
        agrees_under(&pool, term, &assignments);
    }
}

/// Reads, applications and equalities of arrays are leaves; whatever stands above them is blasted.
#[test]
fn random_terms_with_arrays_and_functions() {
    for seed in 0..200 {
        let mut random = TermGen::with_everything(seed);
        random.max_width = 8;
        let mut pool = Pool::new();
        let term = random.term(&mut pool, sort(seed as u32 % 9), 60);
        let assignments: Vec<Assignment> = (0..32).map(|_| random.assignment(&pool, &[term])).collect();
        agrees_under(&pool, term, &assignments);
    }
}

/// No circuit makes more gates than was announced, and the estimate is never below the graph.
#[test]
fn bounds_and_estimates_are_upper_bounds() {
    for (op, width) in operators().flat_map(|op| [1, 2, 3, 4, 7, 8, 13, 32, 33].map(move |w| (op, w))) {
        for (indices, widths) in uses(op, width) {
            for known in [false, true] {
                let mut pool = Pool::new();
                let args = symbols(&mut pool, &widths);
                let term = pool.mk_indexed(op, &indices, &args);
                let shape =
                    Shape { index: pool.index(term) as usize, width: pool.width(term).unwrap_or(1) as usize };
                let mut random = TermGen::new(u64::from(width));
                let mut graph = GateGraph::new();
                let mut bits: Vec<Vec<_>> =
                    widths.iter().map(|&w| (0..w.max(1)).map(|_| graph.input()).collect()).collect();
                if known {
                    let last = bits.last_mut().unwrap();
                    for (bit, value) in last.iter_mut().zip(random.bitvec(width).bits()) {
                        *bit = bivalve_bitblast::Edge::constant(value);
                    }
                }
                let args: Vec<&[_]> = bits.iter().map(Vec::as_slice).collect();
                let announced = circuits::most_gates(&graph, op, shape, &args);
                circuits::apply(&mut graph, op, shape, &args).unwrap();
                let made = u64::from(graph.counts().gates());
                assert!(made <= announced, "{}: {made} > {announced}", show(&pool, term));

                let mut estimate = Estimate::new();
                let shapes: Vec<Vec<_>> =
                    bits.iter().map(|v| v.iter().map(|b| b.as_constant()).collect()).collect();
                let shapes: Vec<&[_]> = shapes.iter().map(Vec::as_slice).collect();
                circuits::apply(&mut estimate, op, shape, &shapes).unwrap();
                assert!(made <= estimate.gates(), "{}: {made} > {}", show(&pool, term), estimate.gates());
            }
        }
    }
}
