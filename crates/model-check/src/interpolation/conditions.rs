//! From edges of a circuit over its latches to conditions on the states of the system.

use crate::ic3::circuit::Circuit;
use bivalve::bitblast::{Edge, Gate, GateGraph};
use bivalve::terms::{Op, Pool, Sort, Term};

/// The edges whose conjunction an edge is.
pub(super) fn conjuncts(graph: &GateGraph, edge: Edge) -> Vec<Edge> {
    let (mut conjuncts, mut todo) = (vec![], vec![edge]);
    while let Some(edge) = todo.pop() {
        match graph.gate_of(edge) {
            Gate::And(a, b) if !edge.is_negated() => todo.extend([b, a]),
            _ => conjuncts.push(edge),
        }
    }
    conjuncts
}

/// Edges as Boolean terms over the states; a gate that several others read is one term.
pub(super) fn terms(pool: &mut Pool, circuit: &Circuit, edges: &[Edge]) -> Vec<Term> {
    let graph = circuit.graph();
    let below = graph.below(edges.iter().copied());
    let mut images: Vec<Term> = vec![pool.bool(false); graph.len()];
    for latch in circuit.latches.iter().filter(|latch| below[latch.now.index()]) {
        let bit = bit(pool, latch.of);
        images[latch.now.index()] = signed(pool, bit, latch.now.is_negated());
    }
    for node in (0..graph.len()).filter(|&node| below[node]) {
        let mut at = |edge: Edge| signed(pool, images[edge.index()], edge.is_negated());
        let (op, args) = match graph.gate(node as u32) {
            Gate::Constant | Gate::Input(_) => continue,
            Gate::And(a, b) => (Op::And, vec![at(a), at(b)]),
            Gate::Xor(a, b) => (Op::Xor, vec![at(a), at(b)]),
            Gate::Ite(a, b, c) => (Op::Ite, vec![at(a), at(b), at(c)]),
            Gate::Maj(a, b, c) => {
                let [a, b, c] = [at(a), at(b), at(c)];
                let [both, any] = [Op::And, Op::Or].map(|op| pool.mk(op, &[a, b]));
                (Op::Ite, vec![c, any, both])
            }
        };
        images[node] = pool.mk(op, &args);
    }
    edges.iter().map(|edge| signed(pool, images[edge.index()], edge.is_negated())).collect()
}

/// Whether a bit of a state is set.
fn bit(pool: &mut Pool, (state, bit): (Term, u32)) -> Term {
    if pool.sort(state) == Sort::BOOL {
        return state;
    }
    let bit = pool.mk_indexed(Op::Extract, &[bit, bit], &[state]);
    let one = pool.bv_u64(1, 1);
    pool.mk(Op::Eq, &[bit, one])
}

fn signed(pool: &mut Pool, term: Term, is_negated: bool) -> Term {
    match is_negated {
        true => pool.mk(Op::Not, &[term]),
        false => term,
    }
}
