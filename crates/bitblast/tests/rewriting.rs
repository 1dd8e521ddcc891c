//! Rewriting keeps the function: random gates, the graph against an evaluator that simplifies nothing.
//!
//! Gates are asked for over a few inputs, constants and earlier results, so that operands are often related
//! and every rule fires; 64 patterns cover all assignments of the inputs. Further, what is stored is in
//! normal form, and the graph cannot be asked for the same gate twice and make two.

use crate::support::{Simulation, random_graph};
use bivalve_bitblast::{Edge, Gate, GateGraph};

/// Bit `k` is the value of input `number` under assignment `k`.
fn pattern(number: u32) -> u64 {
    [0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0, 0xFF00_FF00_FF00_FF00]
        .get(number as usize)
        .copied()
        .unwrap_or(if number == 4 { 0xFFFF_0000_FFFF_0000 } else { 0xFFFF_FFFF_0000_0000 })
}

/// What a gate over words computes.
fn evaluate(gate: Gate, word: impl Fn(Edge) -> u64) -> u64 {
    match gate {
        Gate::And(a, b) => word(a) & word(b),
        Gate::Xor(a, b) => word(a) ^ word(b),
        Gate::Ite(c, t, e) => word(c) & word(t) | !word(c) & word(e),
        Gate::Maj(a, b, c) => word(a) & word(b) | word(a) & word(c) | word(b) & word(c),
        Gate::Constant | Gate::Input(_) => panic!("not a gate"),
    }
}

/// Each result of `build` has the truth table of the gate that was asked for. Truth tables are computed
/// beside the graph: a table for each edge is derived from the tables of the edges asked about, never from
/// stored nodes.
#[test]
fn every_gate_computes_what_was_asked_for() {
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let inputs = rng.usize(1..=6);
        let mut graph = GateGraph::new();
        let mut made: Vec<(Edge, u64)> = vec![(Edge::FALSE, 0)];
        made.extend((0..inputs as u32).map(|number| (graph.input(), pattern(number))));
        for _ in 0..80 {
            let mut pick = || {
                let back = if rng.bool() { made.len().min(5) } else { made.len() };
                let (edge, word) = made[made.len() - 1 - rng.usize(..back)];
                if rng.bool() { (edge, word) } else { (!edge, !word) }
            };
            let operands = [pick(), pick(), pick()];
            let [a, b, c] = operands.map(|(edge, _)| edge);
            let gate = match rng.u8(..6) {
                0 | 1 => Gate::And(a, b),
                2 => Gate::Xor(a, b),
                3 | 4 => Gate::Ite(a, b, c),
                _ => Gate::Maj(a, b, c),
            };
            let word = |edge: Edge| operands.iter().find(|(e, _)| *e == edge).expect("an operand").1;
            let expected = evaluate(gate, word);
            let found = graph.build(gate);
            assert_eq!(graph.build(gate), found, "the same question has the same answer");
            made.push((found, expected));
        }
        let simulation = Simulation::new(&graph, pattern);
        for (edge, expected) in made {
            assert_eq!(simulation.word(edge), expected, "seed {seed}, edge {edge:?}");
        }
    }
}

/// All gates over all pairs and triples of edges of small graphs: every rule meets every arrangement of
/// signs.
#[test]
fn every_gate_over_two_levels_is_right() {
    let mut rng = fastrand::Rng::with_seed(77);
    for _ in 0..60 {
        let (mut graph, _) = random_graph(&mut rng, 3, 5);
        let edges: Vec<Edge> =
            (0..graph.len() as u32).flat_map(|node| [Edge::positive(node), !Edge::positive(node)]).collect();
        for (&a, &b) in edges.iter().flat_map(|a| edges.iter().map(move |b| (a, b))) {
            let pairs = [Gate::And(a, b), Gate::Xor(a, b)];
            let triples = edges.iter().flat_map(|&c| [Gate::Ite(a, b, c), Gate::Maj(a, b, c)]);
            let asked: Vec<(Gate, Edge)> =
                pairs.into_iter().chain(triples).map(|gate| (gate, graph.build(gate))).collect();
            let simulation = Simulation::new(&graph, pattern);
            for (gate, found) in asked {
                assert_eq!(simulation.word(found), evaluate(gate, |e| simulation.word(e)), "{gate:?}");
            }
        }
    }
}

/// What is stored: children before parents, no constant operands, signs where the normal forms put them, no
/// gate twice.
#[test]
fn stored_gates_are_in_normal_form_and_unique() {
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..200 {
        let (graph, _) = random_graph(&mut rng, 5, 150);
        let mut all = Vec::new();
        for node in 0..graph.len() as u32 {
            let gate = graph.gate(node);
            let (operands, count) = gate.fanins();
            assert!(
                operands[..count].iter().all(|edge| edge.node() < node && !edge.is_constant()),
                "{gate:?}"
            );
            match gate {
                Gate::Constant => {
                    assert_eq!(node, 0);
                    continue;
                }
                Gate::Input(_) => continue,
                Gate::And(a, b) => assert!(a.node() < b.node()),
                Gate::Xor(a, b) => assert!(a < b && !a.is_negated() && !b.is_negated()),
                Gate::Ite(c, t, e) => {
                    assert!(!c.is_negated() && !t.is_negated());
                    assert!(c != t && c != e.abs() && t != e.abs());
                }
                Gate::Maj(a, b, c) => assert!(!a.is_negated() && a.node() < b.node() && b.node() < c.node()),
            }
            assert_eq!(graph.find(gate), Some(Edge::positive(node)));
            all.push(format!("{gate:?}"));
        }
        let counts = graph.counts();
        assert_eq!(counts.gates() + counts.inputs + 1, graph.len() as u32);
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count, "no gate is stored twice");
    }
}

/// The rules by name: each makes the gate that its equation says.
#[test]
fn named_rules_fire() {
    use bivalve_bitblast::Gates;
    let mut graph = GateGraph::new();
    let g = &mut graph;
    let [a, b, c, d] = [g.input(), g.input(), g.input(), g.input()];
    let (ab, anb, bd) = (g.and(a, b), g.and(a, !b), g.and(b, d));
    let (nanb, nab, x) = (g.and(!a, !b), g.and(!a, b), g.xor(a, b));
    let size = g.len();
    assert_eq!(g.and(ab, !a), Edge::FALSE, "contradiction");
    assert_eq!(g.and(ab, anb), Edge::FALSE, "contradiction, symmetric");
    assert_eq!(g.and(!ab, !a), !a, "subsumption");
    assert_eq!(g.and(!ab, anb), anb, "subsumption, symmetric");
    assert_eq!(g.and(ab, b), ab, "idempotence");
    assert_eq!(g.and(!ab, !anb), !a, "resolution");
    assert_eq!(g.and(!ab, b), nab, "substitution");
    assert_eq!(g.and(!ab, !nanb), x, "exclusive or out of conjunctions");
    assert_eq!(g.and(x, a), anb, "substitution below an exclusive or");
    assert_eq!(g.and(x, !ab), x, "a corner that is not part of it");
    assert_eq!(g.and(x, !anb), nab, "a corner that is");
    assert_eq!(g.xor(x, b), a, "cancellation");
    assert_eq!(g.xor(a, ab), anb, "absorption");
    assert_eq!(g.xor(ab, anb), a, "resolution of an exclusive or");
    assert_eq!(g.xor(x, ab), !nanb, "a corner is added");
    assert_eq!(g.len(), size, "nothing was made");
    let (again, known) = (g.and(!ab, bd), g.and(!a, bd));
    assert_eq!(again, known, "substitution, symmetric");
    let (again, known) = (g.and(!ab, !nab), !b);
    assert_eq!(again, known, "resolution, the other way round");
    let nac = g.and(!a, c);
    let (by_gates, primitive) = (g.and(!ab, !nac), g.ite(a, !b, !c));
    assert_eq!(by_gates, primitive, "if-then-else out of conjunctions");
    let (carry, majority) = (g.ite(x, c, a), g.maj(a, b, c));
    assert_eq!(carry, majority, "a carry is a majority");
    let (carry, majority) = (g.ite(x, b, c), g.maj(!a, b, c));
    assert_eq!(carry, majority, "and with the branches swapped");
    assert_eq!(g.maj(a, b, x), !nanb);
    assert_eq!(g.maj(a, b, ab), ab);
    let majority = g.maj(a, b, c);
    assert_eq!(g.maj(a, b, majority), majority);
}
