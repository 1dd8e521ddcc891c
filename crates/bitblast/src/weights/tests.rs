//! Words that are said to be equal are equal for all inputs, and circuits that this is for are found equal.

use super::{WordStatistics, equal_words, relations};
use crate::circuits::{adder, multiplier};
use crate::edge::Edge;
use crate::encoder::SolverFactory;
use crate::gates::Gates;
use crate::graph::{Gate, GateGraph};
use crate::simulation::Simulation;
use bivalve_algebra::truth_tables::LEAVES;
use bivalve_sat_adapter::Stop;

fn factory() -> SolverFactory {
    Box::new(|| {
        bivalve_sat_adapter::create(bivalve_sat_adapter::default_backend()).expect("it is compiled in")
    })
}

/// The pairs of words that are found to be equal in a graph whose inputs are one word, bit by bit.
fn equal_bits(graph: &GateGraph, words: &[[Vec<Edge>; 2]]) -> Vec<[Edge; 2]> {
    let found = equal_words(graph, &[0], words, (&factory(), &Stop::new()), &mut WordStatistics::default());
    let bits = |number: usize| words[number][0].iter().zip(&words[number][1]).map(|(&a, &b)| [a, b]);
    found.into_iter().flat_map(bits).collect()
}

/// The pairs of edges that differ for some assignment to at most twelve inputs.
fn wrong(graph: &GateGraph, pairs: &[[Edge; 2]]) -> usize {
    let inputs = graph.counts().inputs;
    assert!(inputs <= 12, "all assignments are tried");
    let mut differ = vec![false; pairs.len()];
    for high in 0..1u64 << inputs.saturating_sub(6) {
        let simulation = Simulation::new(graph, |input| match input {
            0..6 => LEAVES[input as usize],
            _ => (high >> (input - 6) & 1).wrapping_neg(),
        });
        for (differ, &[a, b]) in differ.iter_mut().zip(pairs) {
            *differ |= simulation.word(a) != simulation.word(b);
        }
    }
    differ.into_iter().filter(|&differs| differs).count()
}

/// A random graph, and all of its edges.
fn random_graph(random: &mut fastrand::Rng, inputs: usize, gates: usize) -> (GateGraph, Vec<Edge>) {
    let mut graph = GateGraph::new();
    let mut edges: Vec<Edge> = (0..inputs).map(|_| graph.input()).collect();
    for _ in 0..gates {
        let recent = edges.len().min(12);
        let [a, b, c] = [(); 3].map(|()| edges[edges.len() - 1 - random.usize(..recent)] ^ random.bool());
        edges.push(graph.build(match random.u8(..4) {
            0 | 1 => Gate::And(a, b),
            2 => Gate::Xor(a, b),
            _ => [Gate::Ite(a, b, c), Gate::Maj(a, b, c)][random.usize(..2)],
        }));
    }
    (graph, edges)
}

/// Random words, and words with gates of other words in between, so that some are equal.
#[test]
fn what_is_said_to_be_equal_is_equal() {
    let (mut random, mut found) = (fastrand::Rng::with_seed(7), 0);
    for _ in 0..300 {
        let (mut graph, edges) = random_graph(&mut random, 9, 40);
        let mut pick = || (0..3).map(|_| edges[random.usize(..edges.len())]).collect::<Vec<Edge>>();
        let [a, b, c] = [pick(), pick(), pick()];
        let mut sum = |a: &[Edge], b: &[Edge]| adder::add(&mut graph, a, b, Edge::FALSE);
        let [left, right] = [sum(&a, &b), sum(&b, &c)];
        let words = [[sum(&left, &c), sum(&a, &right)], [left, right], [a, b]];
        let pairs = equal_bits(&graph, &words);
        assert_eq!(wrong(&graph, &pairs), 0);
        found += pairs.len() / 3;
    }
    assert!(found >= 200, "{found} found: too few to say much");
}

/// A product as compressors add its columns up, from below or from above, with a prefix adder at the end; a
/// faulty one drops a reason for a carry.
fn compressed(graph: &mut GateGraph, a: &[Edge], b: &[Edge], from_above: bool, is_faulty: bool) -> Vec<Edge> {
    let width = a.len();
    let mut columns: Vec<Vec<Edge>> = vec![vec![]; width];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate().take(width - i) {
            columns[i + j].push(graph.and(a, b));
        }
    }
    let [x, y] = two_rows(graph, columns, from_above, &|graph, [x, y, z], place| {
        let half = graph.xor(x, y);
        let [one, other] = [graph.and(x, y), graph.and(half, z)];
        if is_faulty && place == width / 2 { other } else { graph.or(one, other) }
    });
    prefix_sum(graph, &x, &y)
}

/// The gates of a carry of three bits in a column.
type Carry<'a> = dyn Fn(&mut GateGraph, [Edge; 3], usize) -> Edge + 'a;

/// Two numbers with the sum of some columns of bits, each of which is compressed to two bits.
fn two_rows(
    graph: &mut GateGraph,
    mut columns: Vec<Vec<Edge>>,
    from_above: bool,
    carry: &Carry<'_>,
) -> [Vec<Edge>; 2] {
    let width = columns.len();
    for place in 0..width {
        while columns[place].len() > 2 {
            if from_above {
                columns[place].rotate_right(3);
            }
            let three: Vec<Edge> = columns[place].drain(..3).collect();
            let [x, y, z] = [three[0], three[1], three[2]];
            let carry = carry(graph, [x, y, z], place);
            let half = graph.xor(x, y);
            columns[place].push(graph.xor(half, z));
            if place + 1 < width {
                columns[place + 1].push(carry);
            }
        }
    }
    [0, 1].map(|n| columns.iter().map(|column| column.get(n).copied().unwrap_or(Edge::FALSE)).collect())
}

/// A sum whose carries are computed in logarithmic depth (Kogge and Stone).
fn prefix_sum(graph: &mut GateGraph, x: &[Edge], y: &[Edge]) -> Vec<Edge> {
    let pairs = x.iter().zip(y);
    let half: Vec<Edge> = pairs.clone().map(|(&x, &y)| graph.xor(x, y)).collect();
    let mut generate: Vec<Edge> = pairs.map(|(&x, &y)| graph.and(x, y)).collect();
    let mut propagate = half.clone();
    let mut distance = 1;
    while distance < x.len() {
        for place in (distance..x.len()).rev() {
            let below = place - distance;
            let passed = graph.and(propagate[place], generate[below]);
            generate[place] = graph.or(generate[place], passed);
            propagate[place] = graph.and(propagate[place], propagate[below]);
        }
        distance *= 2;
    }
    let carries = [Edge::FALSE].into_iter().chain(generate);
    half.into_iter().zip(carries).map(|(half, carry)| graph.xor(half, carry)).collect()
}

/// Is a product of an array the product of a tree of compressors?
fn is_product(width: usize, from_above: bool, is_faulty: bool) -> bool {
    let mut graph = GateGraph::new();
    let [a, b]: [Vec<Edge>; 2] = [(); 2].map(|()| (0..width).map(|_| graph.input()).collect());
    let array = multiplier::mul(&mut graph, &a, &b);
    let other = compressed(&mut graph, &a, &b, from_above, is_faulty);
    let pairs = equal_bits(&graph, &[[array, other]]);
    assert!(width > 6 || wrong(&graph, &pairs) == 0);
    pairs.len() == width
}

#[test]
fn trees_of_compressors_are_products() {
    for width in [3, 6, 12] {
        for from_above in [false, true] {
            assert!(is_product(width, from_above, false), "{width} bits, from above: {from_above}");
        }
    }
}

#[test]
fn a_wrong_compressor_is_no_product() {
    for width in [4, 6, 12] {
        assert!(!is_product(width, false, true), "{width} bits");
    }
}

/// The product of signed numbers after Booth, in twice the bits: a digit of two bits, from -2 to 2, chooses
/// each row, and rows that are negative are complements with a bit added. Carries are written with a
/// disjunction, which no gate of a half adder is, or as choices.
fn booth(graph: &mut GateGraph, a: &[Edge], b: &[Edge], of_choices: bool) -> Vec<Edge> {
    let width = a.len();
    let mut columns: Vec<Vec<Edge>> = vec![vec![]; 2 * width];
    for low in (0..width).step_by(2) {
        let below = if low == 0 { Edge::FALSE } else { b[low - 1] };
        let one = graph.xor(b[low], below);
        let differ = graph.xor(b[low + 1], b[low]);
        let (two, sign) = (graph.and(differ, !one), b[low + 1]);
        for (place, column) in columns.iter_mut().enumerate().skip(low) {
            let single = graph.and(one, extended(a, place - low));
            let double = if place == low { Edge::FALSE } else { extended(a, place - low - 1) };
            let double = graph.and(two, double);
            let row = graph.or(single, double);
            column.push(graph.xor(row, sign));
        }
        columns[low].push(sign);
    }
    let [x, y] = two_rows(graph, columns, false, &|graph, [x, y, z], _| {
        if of_choices {
            let differ = graph.xor(x, y);
            return graph.ite(differ, z, x);
        }
        let [both, one] = [graph.and(x, y), graph.or(x, y)];
        let other = graph.and(one, z);
        graph.or(both, other)
    });
    adder::add(graph, &x, &y, Edge::FALSE)
}

/// A bit of a word whose last bit is repeated.
fn extended(word: &[Edge], place: usize) -> Edge {
    word[place.min(word.len() - 1)]
}

/// The same product as an array.
fn signed_product(graph: &mut GateGraph, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    let [a, b] = [a, b].map(|word| (0..2 * word.len()).map(|i| extended(word, i)).collect::<Vec<Edge>>());
    multiplier::mul(graph, &a, &b)
}

#[test]
fn booths_multipliers_are_products() {
    for width in [4, 6, 10] {
        for of_choices in [false, true] {
            let mut graph = GateGraph::new();
            let [a, b]: [Vec<Edge>; 2] = [(); 2].map(|()| (0..width).map(|_| graph.input()).collect());
            let booth = booth(&mut graph, &a, &b, of_choices);
            let array = signed_product(&mut graph, &a, &b);
            let pairs = equal_bits(&graph, &[[array, booth]]);
            assert!(width > 6 || wrong(&graph, &pairs) == 0);
            assert_eq!(pairs.len(), 2 * width, "{width} bits, carries are choices: {of_choices}");
        }
    }
}

/// The bits of relations are functions of their inputs, by the gates between: also where a carry is made of
/// other bits than those that it is the carry of, which left certificates of Booth's multipliers unfinished.
#[test]
fn relations_are_about_functions_of_their_inputs() {
    for width in [4, 6] {
        let mut graph = GateGraph::plain();
        let [a, b]: [Vec<Edge>; 2] = [(); 2].map(|()| (0..width).map(|_| graph.input()).collect());
        let booth = booth(&mut graph, &a, &b, false);
        let array = signed_product(&mut graph, &a, &b);
        let (factory, stop) = (factory(), Stop::new());
        let found = relations(&mut graph, &[0, width as u32], [&array, &booth], (&factory, &stop));
        for relation in found.expect("the words are equal") {
            let summands = relation.summands.iter().map(|&(edge, _)| edge);
            let mut todo: Vec<u32> =
                summands.chain(relation.equal.iter().copied().flatten()).map(Edge::node).collect();
            while let Some(node) = todo.pop() {
                if relation.inputs.iter().any(|input| input.node() == node) {
                    continue;
                }
                assert!(!matches!(graph.gate(node), Gate::Input(_)), "{relation:?}");
                let (fanins, count) = graph.gate(node).fanins();
                todo.extend(fanins[..count].iter().map(|edge| edge.node()));
            }
        }
    }
}

/// Relations hold wherever their bits that must be equal are, and add up to the difference of the words.
#[test]
fn relations_hold_and_add_up_to_the_difference() {
    for (width, from_above) in [(3, false), (5, true), (6, false)] {
        let mut graph = GateGraph::plain();
        let [a, b]: [Vec<Edge>; 2] = [(); 2].map(|()| (0..width).map(|_| graph.input()).collect());
        let array = multiplier::mul(&mut graph, &a, &b);
        let other = compressed(&mut graph, &a, &b, from_above, false);
        let (factory, stop) = (factory(), Stop::new());
        let found = relations(&mut graph, &[0, width as u32], [&array, &other], (&factory, &stop));
        let found = found.expect("the words are equal");
        let modulus = 1u128 << width;
        let mut left = vec![0u128; graph.len()];
        let mut constant = 0u128;
        let mut add = |edge: Edge, weight: u128| {
            let (weight, sign) =
                if edge.is_negated() { (weight.wrapping_neg(), weight) } else { (weight, 0) };
            constant = constant.wrapping_add(sign);
            left[edge.index()] = left[edge.index()].wrapping_add(weight);
        };
        for (place, (&a, &b)) in array.iter().zip(&other).enumerate() {
            add(a, 1 << place);
            add(b, (1u128 << place).wrapping_neg());
        }
        for relation in &found {
            relation.summands.iter().for_each(|&(edge, weight)| add(edge, weight));
            add(Edge::TRUE, relation.constant);
        }
        assert!(
            constant.is_multiple_of(modulus) && left.iter().skip(1).all(|sum| sum.is_multiple_of(modulus))
        );
        for high in 0..1u64 << (2 * width as u32).saturating_sub(6) {
            let simulation = Simulation::new(&graph, |input| match input {
                0..6 => LEAVES[input as usize],
                _ => (high >> (input - 6) & 1).wrapping_neg(),
            });
            for relation in &found {
                assert!(relation.equal.iter().all(|&[a, b]| simulation.word(a) == simulation.word(b)));
                for place in 0..64 {
                    let bit = |edge: Edge| u128::from(simulation.word(edge) >> place & 1);
                    let summand = |&(edge, weight): &(Edge, u128)| bit(edge).wrapping_mul(weight);
                    let add = |sum: u128, summand: u128| sum.wrapping_add(summand);
                    let sum = relation.summands.iter().map(summand).fold(relation.constant, add);
                    assert!(sum.is_multiple_of(modulus), "{relation:?}");
                }
            }
        }
    }
}
