//! Measures circuits and encodings:
//! `cargo run --release -p bivalve-bitblast --features bivalve-sat-adapter/cadical --example encodings`.
//!
//! First sizes: gates, variables and clauses of 32-bit circuits, plain Tseitin over conjunctions for
//! comparison, and the speed of building and encoding. Then search: small identities that are hard for their
//! size, and factoring, given to CaDiCaL in both encodings with several seeds. Times are of this thread's
//! processor, not of the clock on the wall. Arguments: `sizes`, `speed`, or `search` with the number of seeds
//! and a part of a problem's name.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a program for people who measure"
)]

use bivalve_bitblast::circuits::{adder, comparator, equality, multiplier, overflow, reduction, shifter};
use bivalve_bitblast::{AndGraph, CnfEncoder, Edge, GateGraph, Gates};
use bivalve_sat_adapter::{Budget, ClauseSink, CnfLog, Lit, SatResult, create};
use std::collections::BTreeMap;
use std::io::Write;

/// An encoding to compare.
#[derive(Clone, Copy)]
enum Encoding {
    /// Three clauses for each conjunction of the AIG.
    Tseitin,
    /// The clauses of the solver.
    Gates,
}

/// The encodings, with their names.
const ENCODINGS: [(&str, Encoding); 2] = [("tseitin", Encoding::Tseitin), ("gates", Encoding::Gates)];

fn inputs(g: &mut GateGraph, width: usize) -> Vec<Edge> {
    (0..width).map(|_| g.input()).collect()
}

fn add(g: &mut GateGraph, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    adder::add(g, a, b, Edge::FALSE)
}

fn differ(g: &mut GateGraph, a: &[Edge], b: &[Edge]) -> Edge {
    !equality::equal(g, a, b)
}

/// Clauses of plain Tseitin that make the roots true.
fn tseitin(graph: &GateGraph, roots: &[Edge], assert: bool, sink: &mut dyn ClauseSink) {
    let ands = AndGraph::new(graph, roots);
    let mut literals: Vec<Lit> = vec![];
    for _ in 0..ands.inputs().len() + ands.ands().len() {
        literals.push(sink.new_var());
    }
    let lit = |code: u32| {
        let positive = literals[code as usize / 2 - 1];
        if code & 1 == 1 { !positive } else { positive }
    };
    for (i, &[a, b]) in ands.ands().iter().enumerate() {
        let out = literals[ands.inputs().len() + i];
        sink.add_clause(&[!out, lit(a)]);
        sink.add_clause(&[!out, lit(b)]);
        sink.add_clause(&[out, !lit(a), !lit(b)]);
    }
    for &output in ands.outputs().iter().filter(|_| assert) {
        sink.add_clause(&[lit(output)]);
    }
}

fn encode(encoding: Encoding, graph: &GateGraph, roots: &[Edge], assert: bool, sink: &mut dyn ClauseSink) {
    match encoding {
        Encoding::Tseitin => tseitin(graph, roots, assert, sink),
        Encoding::Gates => {
            let mut encoder = CnfEncoder::new();
            for &root in roots {
                if assert {
                    encoder.assert_root(graph, root, sink);
                } else {
                    encoder.literal(graph, root, sink);
                }
            }
        }
    }
}

/// Nanoseconds this thread has spent on a processor.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn sizes() {
    type Circuit = fn(&mut GateGraph, &[Edge], &[Edge]) -> Vec<Edge>;
    let circuits: [(&str, Circuit); 7] = [
        ("add", add),
        ("mul", multiplier::mul),
        ("square", |g, a, _| multiplier::mul(g, a, a)),
        ("udiv+urem", |g, a, b| {
            let (q, r) = g.divide(a, b);
            [q, r].concat()
        }),
        ("shl", shifter::shl),
        ("ult", |g, a, b| vec![comparator::ult(g, a, b)]),
        ("umulo", |g, a, b| vec![overflow::umul(g, a, b)]),
    ];
    for (name, circuit) in circuits {
        let mut g = GateGraph::new();
        let (a, b) = (inputs(&mut g, 32), inputs(&mut g, 32));
        let roots = circuit(&mut g, &a, &b);
        let counts = g.counts();
        let ands = AndGraph::new(&g, &roots).ands().len();
        println!("{name} 32: {} gates {counts:?}, {ands} in conjunctions", counts.gates());
        for (encoding_name, encoding) in ENCODINGS {
            let mut log = CnfLog::new();
            encode(encoding, &g, &roots, false, &mut log);
            let (variables, clauses, literals) = (log.variables(), log.len(), log.literals());
            println!(
                "  {encoding_name:14} {variables:7} variables {clauses:7} clauses {literals:8} literals"
            );
        }
    }
}

fn speed() {
    type Circuit = fn(&mut GateGraph, &[Edge], &[Edge]) -> Vec<Edge>;
    let circuits: [(&str, usize, Circuit); 4] = [
        ("mul", 64, multiplier::mul),
        ("udiv+urem", 64, |g, a, b| [g.divide(a, b).0, g.divide(a, b).1].concat()),
        ("mul", 1024, multiplier::mul),
        ("udiv+urem", 1024, |g, a, b| [g.divide(a, b).0, g.divide(a, b).1].concat()),
    ];
    for (name, width, circuit) in circuits {
        let rounds = if width < 100 { 200 } else { 1 };
        let (mut build_time, mut encode_time) = (0.0, 0.0);
        let (mut gates, mut clauses, mut bytes) = (0, 0, 0);
        for _ in 0..rounds {
            let mut g = GateGraph::new();
            let (a, b) = (inputs(&mut g, width), inputs(&mut g, width));
            let start = processor_time();
            let roots = circuit(&mut g, &a, &b);
            let middle = processor_time();
            let mut log = CnfLog::new();
            let mut encoder = CnfEncoder::new();
            for root in roots {
                encoder.literal(&g, root, &mut log);
            }
            encode_time += processor_time() - middle;
            build_time += middle - start;
            (gates, clauses, bytes) = (g.len(), log.len(), g.heap_bytes());
        }
        let (build, encode) = (build_time / f64::from(rounds), encode_time / f64::from(rounds));
        println!(
            "{name} {width}: {gates} gates in {:.3} ms ({:.1} M gates/s), {:.1} bytes a gate; {clauses} clauses in {:.3} ms ({:.1} M clauses/s)",
            build * 1e3,
            gates as f64 / build / 1e6,
            bytes as f64 / gates as f64,
            encode * 1e3,
            clauses as f64 / encode / 1e6
        );
    }
}

fn problems() -> Vec<(String, GateGraph, Vec<Edge>, bool)> {
    let mut all = vec![];
    let mut problem = |name: String, sat: bool, build: &dyn Fn(&mut GateGraph) -> Vec<Edge>| {
        let mut g = GateGraph::new();
        let roots = build(&mut g);
        all.push((name, g, roots, sat));
    };
    for w in [24, 32] {
        problem(format!("add re-association, 4 operands, w={w}"), false, &|g| {
            let v: Vec<Vec<Edge>> = (0..4).map(|_| inputs(g, w)).collect();
            let (ab, cd) = (add(g, &v[0], &v[1]), add(g, &v[2], &v[3]));
            let (ac, bd) = (add(g, &v[0], &v[2]), add(g, &v[1], &v[3]));
            let (left, right) = (add(g, &ab, &cd), add(g, &ac, &bd));
            vec![differ(g, &left, &right)]
        });
    }
    for w in [8, 9] {
        problem(format!("x*y = y*x, w={w}"), false, &|g| {
            let (x, y) = (inputs(g, w), inputs(g, w));
            let (xy, yx) = (multiplier::mul(g, &x, &y), multiplier::mul(g, &y, &x));
            vec![differ(g, &xy, &yx)]
        });
    }
    for w in [6, 7] {
        problem(format!("x*(y+z) = x*y+x*z, w={w}"), false, &|g| {
            let (x, y, z) = (inputs(g, w), inputs(g, w), inputs(g, w));
            let sum = add(g, &y, &z);
            let left = multiplier::mul(g, &x, &sum);
            let (xy, xz) = (multiplier::mul(g, &x, &y), multiplier::mul(g, &x, &z));
            let right = add(g, &xy, &xz);
            vec![differ(g, &left, &right)]
        });
    }
    for w in [10, 11] {
        problem(format!("(x/y)*y + x%y = x, w={w}"), false, &|g| {
            let (x, y) = (inputs(g, w), inputs(g, w));
            let (q, r) = g.divide(&x, &y);
            let product = multiplier::mul(g, &q, &y);
            let again = add(g, &product, &r);
            vec![differ(g, &again, &x)]
        });
    }
    for w in [12, 14] {
        problem(format!("x <= y gives x/z <= y/z, w={w}"), false, &|g| {
            let (x, y, z) = (inputs(g, w), inputs(g, w), inputs(g, w));
            let (of_x, of_y) = (g.divide(&x, &z).0, g.divide(&y, &z).0);
            vec![comparator::ule(g, &x, &y), comparator::ult(g, &of_y, &of_x)]
        });
    }
    problem("a double shift is one shift, w=64".into(), false, &|g| {
        let (x, s, t) = (inputs(g, 64), inputs(g, 64), inputs(g, 64));
        let (once, sum) = (shifter::shl(g, &x, &s), add(g, &s, &t));
        let (twice, direct) = (shifter::shl(g, &once, &t), shifter::shl(g, &x, &sum));
        let small = |g: &mut GateGraph, v: &[Edge]| !reduction::or(g, &v[6..]);
        vec![small(g, &s), small(g, &t), differ(g, &twice, &direct)]
    });
    for (p, w, sat) in
        [((1u64 << 33) - 9, 17, false), ((1 << 35) - 31, 18, false), (222_317 * 259_993, 18, true)]
    {
        problem(format!("x*y = {p}, {w} bits"), sat, &|g| {
            let (mut x, mut y) = (inputs(g, w), inputs(g, w));
            let mut roots = vec![];
            for v in [&mut x, &mut y] {
                roots.push(!equality::equal(g, v, &[vec![Edge::TRUE], vec![Edge::FALSE; w - 1]].concat()));
                v.resize(2 * w, Edge::FALSE);
            }
            let product = multiplier::mul(g, &x, &y);
            let number: Vec<Edge> = (0..2 * w).map(|i| Edge::constant(p >> i & 1 == 1)).collect();
            roots.push(equality::equal(g, &product, &number));
            roots
        });
    }
    all
}

fn search(seeds: u64, filter: &str) {
    let mut by_encoding: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (name, graph, roots, sat) in problems().into_iter().filter(|problem| problem.0.contains(filter)) {
        print!("{name:40}");
        for (encoding_name, encoding) in ENCODINGS {
            let mut logs = 0.0;
            for seed in 0..seeds {
                let mut solver = create(&format!("cadical:seed={seed}")).unwrap();
                let start = processor_time();
                encode(encoding, &graph, &roots, true, &mut *solver);
                let result = solver.solve(&[], &Budget::conflicts(1_000_000));
                assert!(
                    result == if sat { SatResult::Sat } else { SatResult::Unsat }
                        || matches!(result, SatResult::Unknown(_))
                );
                logs += (processor_time() - start).ln();
            }
            let mean = (logs / seeds as f64).exp();
            by_encoding.entry(encoding_name).or_default().push(mean);
            print!(" {encoding_name} {mean:.2}");
        }
        println!();
        std::io::stdout().flush().unwrap();
    }
    for (name, times) in &by_encoding {
        let mean = (times.iter().map(|t| t.ln()).sum::<f64>() / times.len() as f64).exp();
        println!("{name:14} geometric mean {mean:.3}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("sizes") => sizes(),
        Some("speed") => speed(),
        Some("search") => search(
            arguments.get(1).map_or(3, |n| n.parse().unwrap()),
            arguments.get(2).map_or("", String::as_str),
        ),
        _ => {
            sizes();
            speed();
            search(3, "");
        }
    }
}
