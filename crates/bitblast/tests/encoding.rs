//! Clauses mean what the gates mean.
//!
//! Under any values of the inputs unit propagation alone computes every literal that was asked for; and
//! whatever is asserted, in whatever order and way, allows exactly the inputs that make it true. Judged by
//! simulation on one side and by the naive solver behind the seam on the other, for all assignments of small
//! random graphs and for every operator.

use crate::support::{Simulation, operators, random_graph, sort, uses};
use bivalve_bitblast::{BitBlaster, CnfEncoder, Edge, Gate, GateGraph};
use bivalve_sat_adapter::{Budget, CnfLog, Lit, SatSolver, create};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Pool, Sort, Term};

fn inputs(graph: &GateGraph) -> Vec<Edge> {
    (0..graph.len() as u32)
        .filter(|&node| matches!(graph.gate(node), Gate::Input(_)))
        .map(Edge::positive)
        .collect()
}

/// The literals that give the inputs the bits of a code, as far as the inputs were encoded.
fn assumptions(encoder: &CnfEncoder, inputs: &[Edge], code: u64) -> Vec<Lit> {
    let literal = |(i, &edge): (usize, &Edge)| encoder.lookup(edge ^ (code >> i & 1 == 0));
    inputs.iter().enumerate().filter_map(literal).collect()
}

/// Simulates all assignments of up to six inputs: bit `k` of a word belongs to the code `k`.
fn simulate(graph: &GateGraph) -> Simulation {
    Simulation::new(graph, |number| {
        let pattern = |code: u64| code >> number & 1;
        (0..64).fold(0, |word, code| word | pattern(code) << code)
    })
}

/// Whether propagation alone finds a model, without a decision.
fn propagates(solver: &mut dyn SatSolver, given: &[Lit]) -> bool {
    let result = solver.solve(given, &Budget::UNLIMITED);
    result.is_sat() && solver.statistics().decisions == Some(0)
}

#[test]
fn propagation_computes_the_literals_of_random_graphs() {
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..150 {
        let (graph, _) = random_graph(&mut rng, 4, 5 + round / 5);
        let simulation = simulate(&graph);
        let mut solver = create("naive").unwrap();
        let mut encoder = CnfEncoder::new();
        let roots: Vec<Edge> =
            (0..3).map(|_| Edge::positive(rng.u32(..graph.len() as u32)) ^ rng.bool()).collect();
        let literals: Vec<Lit> =
            roots.iter().map(|&root| encoder.literal(&graph, root, &mut *solver)).collect();
        for code in 0..16 {
            let given = assumptions(&encoder, &inputs(&graph), code);
            assert!(propagates(&mut *solver, &given), "propagation is enough");
            for (root, literal) in roots.iter().zip(&literals) {
                let expected = simulation.word(*root) >> code & 1 == 1;
                assert_eq!(solver.value(*literal), Some(expected), "round {round}");
            }
        }
    }
}

/// What was said about a graph.
enum Said {
    True(Edge),
    TrueIf(usize, Edge),
    Any(Vec<Edge>),
}

#[test]
fn assertions_allow_exactly_what_makes_them_true() {
    let mut rng = fastrand::Rng::with_seed(2);
    for round in 0..600 {
        let (graph, _) = random_graph(&mut rng, 5, 3 + round / 15);
        let simulation = simulate(&graph);
        let mut solver = create("naive").unwrap();
        let mut encoder = CnfEncoder::new();
        let guards = [solver.new_var(), solver.new_var()];
        let (mut said, mut asked) = (Vec::new(), Vec::new());
        for _ in 0..rng.usize(1..6) {
            let mut pick = || Edge::positive(graph.len() as u32 - 1 - rng.u32(..graph.len().min(12) as u32));
            let (a, b, c) = (pick(), pick(), pick());
            let (a, b, c) = (a ^ rng.bool(), b ^ rng.bool(), c ^ rng.bool());
            match rng.u8(..5) {
                0 => asked.push((a, encoder.literal(&graph, a, &mut *solver))),
                1 | 2 => {
                    encoder.assert_root(&graph, a, &mut *solver);
                    said.push(Said::True(a));
                }
                3 => {
                    let guard = rng.usize(..2);
                    encoder.assert_root_if(&graph, guards[guard], a, &mut *solver);
                    said.push(Said::TrueIf(guard, a));
                }
                _ => {
                    encoder.assert_clause(&graph, &[a, b, c], &mut *solver);
                    said.push(Said::Any(vec![a, b, c]));
                }
            }
        }
        for (code, on) in (0..32).flat_map(|code| [(code, [false, true]), (code, [true, false])]) {
            let is_true = |edge: &Edge| simulation.word(*edge) >> code & 1 == 1;
            let expected = said.iter().all(|one| match one {
                Said::True(edge) => is_true(edge),
                Said::TrueIf(guard, edge) => !on[*guard] || is_true(edge),
                Said::Any(edges) => edges.iter().any(is_true),
            });
            let mut given = assumptions(&encoder, &inputs(&graph), code);
            given.extend(guards.iter().zip(on).map(|(&guard, on)| if on { guard } else { !guard }));
            // Inputs without a literal do not matter, so all of their values are answered alike.
            let result = solver.solve(&given, &Budget::UNLIMITED);
            assert_eq!(result.is_sat(), expected, "round {round}");
            for (edge, literal) in asked.iter().filter(|_| expected) {
                assert_eq!(solver.value(*literal), Some(is_true(edge)));
            }
        }
    }
}

/// Every operator at width 3 (2 where there are three arguments), each bit of the result.
#[test]
fn propagation_computes_every_operator() {
    for op in operators() {
        for (indices, widths) in uses(op, 3).into_iter().chain(uses(op, 2)) {
            let total: u32 = widths.iter().map(|&w| w.max(1)).sum();
            if total > 6 {
                continue;
            }
            let mut pool = Pool::new();
            let args: Vec<Term> = widths.iter().map(|&w| pool.symbol("x", sort(w))).collect();
            let term = pool.mk_indexed(op, &indices, &args);
            let mut blaster = BitBlaster::new();
            let bits = blaster.bits(&pool, term).unwrap().to_vec();
            let graph = blaster.graph();
            let simulation = simulate(graph);
            let (mut solver, mut encoder) = (create("naive").unwrap(), CnfEncoder::new());
            let literals: Vec<Lit> =
                bits.iter().map(|&bit| encoder.literal(graph, bit, &mut *solver)).collect();
            for code in 0..1 << total {
                let given = assumptions(&encoder, &inputs(graph), code);
                assert!(propagates(&mut *solver, &given), "{op:?}");
                for (bit, literal) in bits.iter().zip(&literals) {
                    let expected = simulation.word(*bit) >> code & 1 == 1;
                    assert_eq!(solver.value(*literal), Some(expected), "{op:?} {widths:?}");
                }
            }
        }
    }
}

#[test]
fn random_terms_are_satisfiable_when_some_value_is() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..150 {
        let mut random = TermGen::new(seed);
        random.max_width = 3;
        random.symbols_per_sort = 1;
        let mut pool = Pool::new();
        let term = random.term(&mut pool, Sort::BOOL, 25);
        let mut blaster = BitBlaster::new();
        let root = blaster.bits(&pool, term).unwrap()[0];
        let graph = blaster.graph();
        if graph.counts().inputs > 6 || root.is_constant() {
            continue;
        }
        let (mut solver, mut encoder) = (create("naive").unwrap(), CnfEncoder::new());
        encoder.assert_root(graph, root, &mut *solver);
        let word = simulate(graph).word(root);
        let result = solver.solve(&[], &Budget::UNLIMITED);
        assert_eq!(result.is_sat(), word != 0, "seed {seed}");
        *(if word != 0 { &mut sat } else { &mut unsat }) += 1;
        if word != 0 {
            let model = inputs(graph).iter().enumerate().fold(0, |code, (i, &input)| {
                let value = encoder.lookup(input).and_then(|lit| solver.value(lit));
                code | u64::from(value == Some(true)) << i
            });
            assert_eq!(word >> model & 1, 1, "seed {seed}: the model makes the root true");
        }
    }
    assert!(sat > 40, "{sat} satisfiable, {unsat} unsatisfiable");
}

#[test]
fn constants_and_contradictions() {
    let graph = GateGraph::new();
    let mut clauses = CnfLog::new();
    let mut encoder = CnfEncoder::new();
    assert_eq!(encoder.lookup(Edge::TRUE), None);
    encoder.assert_root(&graph, Edge::TRUE, &mut clauses);
    assert!(clauses.is_empty());
    let truth = encoder.literal(&graph, Edge::TRUE, &mut clauses);
    assert_eq!(encoder.literal(&graph, Edge::FALSE, &mut clauses), !truth);
    assert_eq!(encoder.lookup(Edge::FALSE), Some(!truth));
    encoder.assert_root(&graph, Edge::FALSE, &mut clauses);
    assert!(clauses.has_empty_clause());
}

#[test]
fn a_gate_is_encoded_once() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (graph, _) = random_graph(&mut rng, 6, 80);
    let root = Edge::positive(graph.len() as u32 - 1);
    let mut clauses = CnfLog::new();
    let mut encoder = CnfEncoder::new();
    let literal = encoder.literal(&graph, root, &mut clauses);
    let count = clauses.len();
    assert!(count > 0);
    assert_eq!(encoder.literal(&graph, !root, &mut clauses), !literal);
    assert_eq!(encoder.lookup(root), Some(literal));
    assert_eq!(clauses.len(), count);
    let statistics = encoder.statistics();
    assert_eq!(statistics.clauses, clauses.len() as u64);
    assert_eq!(statistics.literals, clauses.literals() as u64);
    assert_eq!(statistics.variables, u64::from(clauses.variables()));
}

/// The clauses an assertion becomes, as DIMACS numbers, sorted.
fn clauses_of(build: impl FnOnce(&mut GateGraph, &[Edge]) -> Edge) -> Vec<Vec<i32>> {
    let mut graph = GateGraph::new();
    let edges: Vec<Edge> = (0..5).map(|_| graph.input()).collect();
    let root = build(&mut graph, &edges);
    let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
    for &edge in &edges {
        encoder.literal(&graph, edge, &mut clauses);
    }
    encoder.assert_root(&graph, root, &mut clauses);
    // The variable behind the inputs is the constant, and its unit is of no interest here.
    let mut found: Vec<Vec<i32>> = clauses
        .clauses()
        .map(|clause| clause.iter().map(|lit| lit.to_dimacs()).collect())
        .filter(|clause| *clause != vec![6])
        .collect();
    found.iter_mut().for_each(|clause| clause.sort_unstable_by_key(|number| number.abs()));
    found.sort();
    found
}

#[test]
fn a_long_clause_has_each_literal_once() {
    let mut graph = GateGraph::new();
    let inputs: Vec<Edge> = (0..20).map(|_| graph.input()).collect();
    let clauses_of = |edges: &[Edge]| {
        let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
        encoder.assert_clause(&graph, edges, &mut clauses);
        clauses.clauses().map(<[Lit]>::len).collect::<Vec<_>>()
    };
    assert_eq!(clauses_of(&[&inputs[..], &inputs].concat()), [20]);
    for position in [0, 7, 8, 19] {
        let no_clause: Vec<usize> = vec![];
        assert_eq!(clauses_of(&[&inputs[..], &[!inputs[position]]].concat()), no_clause, "{position}");
    }
}

#[test]
fn the_top_needs_no_variables() {
    use bivalve_bitblast::Gates;
    let conjunction = clauses_of(|g, e| {
        let left = g.and(e[0], !e[1]);
        g.and(left, e[2])
    });
    assert_eq!(conjunction, vec![vec![-2], vec![1], vec![3]]);
    let disjunction = clauses_of(|g, e| {
        let (left, right) = (g.or(e[0], !e[1]), g.or(e[2], e[3]));
        g.or(left, right)
    });
    assert_eq!(disjunction, vec![vec![1, -2, 3, 4]]);
    assert_eq!(clauses_of(|g, e| g.xor(e[0], e[1])), vec![vec![-1, -2], vec![1, 2]]);
    assert_eq!(clauses_of(|g, e| g.xnor(e[0], e[1])), vec![vec![-1, 2], vec![1, -2]]);
    assert_eq!(clauses_of(|g, e| g.ite(e[0], e[1], e[2])), vec![vec![-1, 2], vec![1, 3], vec![2, 3]]);
    assert_eq!(clauses_of(|g, e| !g.maj(e[0], e[1], e[2])), vec![vec![-2, -3], vec![-1, -3], vec![-1, -2]]);
}

/// The half sum has a variable, and the carry is a choice by it.
#[test]
fn an_adder_bit_is_14_clauses() {
    use bivalve_bitblast::Gates;
    let mut graph = GateGraph::new();
    let [a, b, c] = [graph.input(), graph.input(), graph.input()];
    let (sum, carry) = (graph.sum(a, b, c), graph.maj(a, b, c));
    let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
    encoder.literal(&graph, sum, &mut clauses);
    encoder.literal(&graph, carry, &mut clauses);
    assert_eq!((clauses.len(), clauses.variables()), (14, 3 + 3));
}
