//! Systems as they are read.

use bivalve_formats::btor2;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_systems::System;
use bivalve_terms::Pool;

fn read(text: &str) -> (Pool, System) {
    let mut pool = Pool::new();
    let system = btor2::read(&mut pool, text.as_bytes(), "text", ParserOptions::default())
        .unwrap_or_else(|refusal| panic!("{}", refusal.render()));
    assert_eq!(system.check(&pool), Ok(()));
    (pool, system)
}

/// Everything that a system can have, in one text.
const ALL: &str = "; a comment
1 sort bitvec 1
2 sort bitvec 4
3 sort array 2 1
4 zero 2
5 state 2 count ; with a name
6 state 2
7 init 2 5 4
8 input 1 go
9 one 2
10 add 2 5 9 sum
11 ite 2 8 10 5
12 next 2 5 11
13 init 2 6 5
14 state 3 mem
15 zero 1
16 init 3 14 15
17 write 3 14 5 8
18 next 3 14 17
19 ugt 1 5 6
20 and 1 19 -8
21 bad 20 too-much
22 constraint -8
23 fair 8
24 justice 2 8 -19 live
25 output 10 out
26 state 2 count
";

#[test]
fn every_kind_of_line_has_its_place_in_the_system() {
    let (pool, system) = read(ALL);
    let show = |term| pool.display(term).to_string();
    let states: Vec<_> = system.states.iter().map(|state| show(state.term)).collect();
    assert_eq!(states, ["count", "state6", "mem", "count.1"]);
    let names: Vec<_> = system.states.iter().map(|state| state.name.as_deref()).collect();
    assert_eq!(names, [Some("count"), None, Some("mem"), Some("count")]);
    let inits: Vec<_> = system.states.iter().map(|state| state.init.map(show)).collect();
    let array = "((as const (Array (_ BitVec 4) (_ BitVec 1))) #b0)";
    assert_eq!(inits, [Some("#b0000"), Some("count"), Some(array), None].map(|s| s.map(String::from)));
    let next = system.states[0].next.map(show);
    assert_eq!(next.as_deref(), Some("(ite (= go #b1) (bvadd count #b0001) count)"));
    assert_eq!(system.states[2].next.map(show).as_deref(), Some("(store mem count go)"));
    assert_eq!(show(system.bads[0].term), "(and (bvugt count state6) (= (bvnot go) #b1))");
    assert_eq!(system.bads[0].name.as_deref(), Some("too-much"));
    assert_eq!(show(system.constraints[0].term), "(= (bvnot go) #b1)");
    assert_eq!(show(system.fairs[0].term), "(= go #b1)");
    let justice: Vec<_> = system.justices[0].terms.iter().map(|&term| show(term)).collect();
    assert_eq!(justice, ["(= go #b1)", "(not (bvugt count state6))"]);
    assert_eq!(show(system.outputs[0].term), "(bvadd count #b0001)");
    assert_eq!(system.named[0].name.as_deref(), Some("sum"));
    assert!(!system.is_combinational());
}

#[test]
fn layout_is_lenient_where_the_meaning_is_clear() {
    let (mut pool, text) =
        (Pool::new(), "1\tsort bitvec  4\r\n\n 2 input 1 a;b ; c\r\n3 not 1 2;glued\n4 output 3");
    let system = btor2::read(&mut pool, text.as_bytes(), "text", ParserOptions::default()).unwrap();
    assert_eq!(system.inputs[0].name.as_deref(), Some("a;b"));
    assert_eq!(pool.display(system.outputs[0].term).to_string(), "(bvnot |a;b|)");
}

/// A million nodes, each below the next, fit into a small stack; each line is read once.
#[test]
fn depth_costs_no_stack() {
    let mut text = String::from("1 sort bitvec 8\n2 input 1\n");
    for id in 3..1_000_000 {
        text.push_str(&format!("{id} not 1 {}\n", id - 1));
    }
    text.push_str("1000000 output 999999\n");
    let thread = std::thread::Builder::new().stack_size(1 << 17).spawn(move || {
        let mut pool = Pool::new();
        let system = btor2::read(&mut pool, text.as_bytes(), "text", ParserOptions::default()).unwrap();
        assert_eq!((system.outputs.len(), pool.len()), (1, 999_998));
    });
    thread.unwrap().join().unwrap();
}
