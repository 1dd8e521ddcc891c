//! AIGER files say what the graph says: read back by a small reader of both forms, and simulated.

use crate::support::{Simulation, random_graph, sort};
use bivalve_bitblast::{AigerFormat, AndGraph, BitBlaster, Edge, Gate, write_aiger};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Sort};

/// A combinational AIGER file.
struct Aiger {
    inputs: usize,
    ands: Vec<[u32; 2]>,
    outputs: Vec<u32>,
    names: Vec<String>,
}

impl Aiger {
    fn read(mut bytes: &[u8]) -> Aiger {
        let header = line(&mut bytes);
        let numbers: Vec<usize> = header[4..].split(' ').map(|n| n.parse().expect("a number")).collect();
        let &[most, inputs, 0, outputs, ands] = &numbers[..] else {
            panic!("a combinational header: {header}")
        };
        assert_eq!(most, inputs + ands);
        let ascii = header.starts_with("aag ");
        assert!(ascii || header.starts_with("aig "));
        for number in (1..=inputs).filter(|_| ascii) {
            assert_eq!(line(&mut bytes), (2 * number).to_string());
        }
        let outputs = (0..outputs).map(|_| line(&mut bytes).parse().expect("a literal")).collect();
        let ands = (inputs + 1..=most)
            .map(|number| {
                let out = 2 * number as u32;
                if ascii {
                    let text = line(&mut bytes);
                    let literals: Vec<u32> = text.split(' ').map(|n| n.parse().expect("a literal")).collect();
                    assert!(literals[0] == out && out > literals[1] && literals[1] >= literals[2]);
                    [literals[1], literals[2]]
                } else {
                    let large = out - difference(&mut bytes);
                    [large, large - difference(&mut bytes)]
                }
            })
            .collect();
        let names = (0..inputs)
            .map(|i| line(&mut bytes).strip_prefix(&format!("i{i} ")).expect("an input's name").to_owned())
            .collect();
        assert!(bytes.is_empty());
        Aiger { inputs, ands, outputs, names }
    }

    /// The outputs under 64 assignments of the inputs.
    fn simulate(&self, inputs: &[u64]) -> Vec<u64> {
        assert_eq!(inputs.len(), self.inputs);
        let mut words = vec![0];
        words.extend(inputs);
        let value =
            |words: &[u64], literal: u32| words[literal as usize / 2] ^ 0u64.wrapping_sub(literal as u64 & 1);
        for [a, b] in &self.ands {
            words.push(value(&words, *a) & value(&words, *b));
        }
        self.outputs.iter().map(|&output| value(&words, output)).collect()
    }
}

fn line(bytes: &mut &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == b'\n').expect("a line");
    let text = String::from_utf8(bytes[..end].to_vec()).expect("text");
    *bytes = &bytes[end + 1..];
    text
}

fn difference(bytes: &mut &[u8]) -> u32 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (byte, rest) = (bytes[0], &bytes[1..]);
        *bytes = rest;
        value |= u32::from(byte & 0x7F) << shift;
        shift += 7;
        if byte < 0x80 {
            return value;
        }
    }
}

#[test]
fn both_forms_compute_the_outputs() {
    for seed in 0..60 {
        let mut random = TermGen::new(seed);
        random.max_width = 12;
        let mut pool = Pool::new();
        let term = random.term(&mut pool, sort(seed as u32 % 13), 40);
        let mut blaster = BitBlaster::new();
        let mut roots = blaster.bits(&pool, term).expect("a root of bits").to_vec();
        roots.extend([Edge::TRUE, Edge::FALSE, !roots[0]]);
        let words: Vec<u64> = blaster.inputs().map(|_| random.rng().u64(..)).collect();
        let simulation = Simulation::new(blaster.graph(), |number| words[number as usize]);
        let expected: Vec<u64> = roots.iter().map(|&root| simulation.word(root)).collect();
        for format in [AigerFormat::Ascii, AigerFormat::Binary] {
            let mut bytes = Vec::new();
            write_aiger(&blaster, &pool, &roots, format, &mut bytes).expect("memory takes everything");
            let read = Aiger::read(&bytes);
            // The file has the inputs of the cone only; they are found by name.
            let by_name = |name: &String| {
                let found = blaster.inputs().position(|(leaf, bit, _)| {
                    let symbol = pool.name(leaf).expect("a symbol");
                    *name
                        == if pool.sort(leaf).is_bool() { symbol.into() } else { format!("{symbol}[{bit}]") }
                });
                words[found.expect("the name of an input")]
            };
            let inputs: Vec<u64> = read.names.iter().map(by_name).collect();
            assert_eq!(read.simulate(&inputs), expected, "seed {seed}");
        }
    }
}

#[test]
fn random_gates_in_conjunctions() {
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..100 {
        let (graph, _) = random_graph(&mut rng, 6, 60);
        let words: Vec<u64> = (0..6).map(|_| rng.u64(..)).collect();
        let simulation = Simulation::new(&graph, |number| words[number as usize]);
        let roots: Vec<Edge> = (0..graph.len() as u32).map(Edge::positive).collect();
        let ands = AndGraph::new(&graph, &roots);
        let aiger = Aiger {
            inputs: ands.inputs().len(),
            ands: ands.ands().to_vec(),
            outputs: ands.outputs().to_vec(),
            names: vec![],
        };
        let expected: Vec<u64> = roots.iter().map(|&root| simulation.word(root)).collect();
        assert_eq!(aiger.simulate(&words), expected);
    }
}

#[test]
fn a_small_file_to_the_letter() {
    let mut pool = Pool::new();
    let (x, flag) = (pool.symbol("a\nb", Sort::bitvec(2).expect("a width")), pool.symbol("flag", Sort::BOOL));
    let ones = pool.bv_u64(3, 2);
    let is_ones = pool.mk(Op::Eq, &[x, ones]);
    let goal = pool.mk(Op::Xor, &[is_ones, flag]);
    let mut blaster = BitBlaster::new();
    let root = blaster.bits(&pool, goal).expect("a root of bits")[0];
    let mut bytes = Vec::new();
    write_aiger(&blaster, &pool, &[root], AigerFormat::Ascii, &mut bytes).expect("memory takes everything");
    let expected =
        "aag 7 3 0 1 4\n2\n4\n6\n14\n8 4 2\n10 8 6\n12 9 7\n14 13 11\ni0 a?b[0]\ni1 a?b[1]\ni2 flag\n";
    assert_eq!(String::from_utf8(bytes).expect("text"), expected);
    let input = blaster.graph_mut().input();
    assert_eq!(blaster.origin(input), None);
    assert!(matches!(blaster.graph().gate_of(input), Gate::Input(3)));
    let mut bytes = Vec::new();
    write_aiger(&blaster, &pool, &[!input], AigerFormat::Ascii, &mut bytes).expect("memory takes everything");
    assert_eq!(String::from_utf8(bytes).expect("text"), "aag 1 1 0 1 0\n2\n3\ni0 input3\n");
}
