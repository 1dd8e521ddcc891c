//! AIGER: what is read and what is refused.

use bivalve_formats::smtlib::ParserOptions;
use bivalve_formats::{Language, aiger, read_system};
use bivalve_limits::Why;
use bivalve_systems::System;
use bivalve_terms::Pool;
use std::cell::Cell;

fn read(text: &[u8]) -> (Pool, System) {
    let mut pool = Pool::new();
    let system =
        aiger::read(&mut pool, text, "text").unwrap_or_else(|refusal| panic!("{}", refusal.render()));
    assert_eq!(system.check(&pool), Ok(()));
    (pool, system)
}

/// Gates in any order, three kinds of reset, every section, names and a comment.
const ALL: &[u8] =
    b"aag 8 2 3 1 3 1 1 1 1\n2\n4\n6 16\n8 7 1\n10 10 10\n12\n16\n14\n2\n8\n9\n4\n16 14 3\n14 12 6\n12 2 4\n\
    i0 request\nl1 busy\no0 shown\nb0 broken\nc0 sane\nj0 live\nf0 fair\nc\nanything\n";

#[test]
fn sections_have_their_places_in_the_system() {
    let (pool, system) = read(ALL);
    let show = |term| pool.display(term).to_string();
    let states: Vec<_> =
        system.states.iter().map(|s| (show(s.term), s.init.map(show), s.next.map(show))).collect();
    let some = |text: &str| Some(text.to_owned());
    let gate = "(bvand (bvand (bvand request i1) l0) (bvnot request))";
    assert_eq!(
        states,
        [
            ("l0".to_owned(), some("#b0"), some(gate)),
            ("busy".to_owned(), some("#b1"), some("(bvnot l0)")),
            ("l2".to_owned(), None, some("l2")),
        ]
    );
    assert_eq!(show(system.outputs[0].term), "(= (bvand request i1) #b1)");
    assert_eq!(show(system.bads[0].term), format!("(= {gate} #b1)"));
    assert_eq!(show(system.constraints[0].term), "(= (bvand (bvand request i1) l0) #b1)");
    let justice: Vec<_> = system.justices[0].terms.iter().map(|&term| show(term)).collect();
    assert_eq!(justice, ["(= busy #b1)", "(= (bvnot busy) #b1)"]);
    assert_eq!(show(system.fairs[0].term), "(= i1 #b1)");
    let names = [
        &system.inputs[0].name,
        &system.states[1].name,
        &system.outputs[0].name,
        &system.bads[0].name,
        &system.constraints[0].name,
        &system.justices[0].name,
        &system.fairs[0].name,
    ];
    let expected = ["request", "busy", "shown", "broken", "sane", "live", "fair"];
    assert_eq!(names.map(|name| name.as_deref()), expected.map(Some));
    assert_eq!((&system.inputs[1].name, &system.states[0].name), (&None, &None));
}

/// The half adder of the format's definition, ASCII and binary.
#[test]
fn binary_files_are_the_same_systems() {
    let ascii = b"aag 5 2 0 2 3\n2\n4\n10\n6\n10 9 7\n6 4 2\n8 5 3\n";
    let binary = b"aig 5 2 0 2 3\n10\n6\n\x02\x02\x03\x02\x01\x02";
    let mut pool = Pool::new();
    let first = aiger::read(&mut pool, ascii, "f").unwrap();
    let second = aiger::read(&mut pool, binary, "g").unwrap();
    assert_eq!(first.bads.len(), 2);
    assert_eq!(first.difference(&second, &mut pool), None);
}

#[test]
fn faults_are_located() {
    for (text, expected) in [
        ("aig", "f:1:1: expected a header of at least five numbers, found 0 numbers"),
        ("aag 1 1 0 1\n", "f:1:1: expected a header of at least five numbers, found 4 numbers"),
        (
            "aag 99999999999 1 0 1 0\n",
            "f:1:5: expected a number of variables up to 2147483647, found '99999999999'",
        ),
        ("aag 1 1 1 0 0\n", "f:1:1: expected a header whose first number covers inputs, latches and gates"),
        (
            "aag 1 1 0 0 0\n3\n",
            "f:2:1: expected an input: an even literal that is not defined yet, found '3'",
        ),
        ("aag 2 2 0 0 0\n2\n2\n", "f:3:1: expected an input: an even literal that is not defined yet"),
        ("aag 1 1 0 1 0\n2\n4\n", "f:3:1: expected a literal up to 3, found '4'"),
        ("aag 2 1 0 1 0\n2\n4\n", "f:3:1: expected a literal that is defined, found '4'"),
        ("aag 2 0 1 0 0\n2 2 4\n", "f:2:5: expected 0, 1 or the latch itself, found '4'"),
        (
            "aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n",
            "f:5:1: expected a gate over inputs, latches and other gates",
        ),
        ("aag 1 1 0 1 0\n2\n", "f:3:1: expected a literal, found end of input"),
        ("aag 1 1 0 0 0\n2 2\n", "f:2:3: expected end of line, found '2'"),
        ("aag 1 1 0 0 0\n2\nx0 name\n", "f:3:1: expected a symbol, a comment or the end, found 'x'"),
        ("aig 2 1 0 0 1\n", "f:2:1: expected a difference, found end of input"),
        ("aig 2 1 0 0 1\n\x00\x01", "f:2:1: expected a gate over smaller literals"),
    ] {
        let refusal = aiger::read(&mut Pool::new(), text.as_bytes(), "f").expect_err(text).to_string();
        assert!(refusal.starts_with(expected), "{text}: {refusal}");
    }
}

/// A chain of gates, each before the one that it needs.
#[test]
fn depth_costs_no_stack() {
    let depth = 100_000u32;
    let mut text = format!("aag {} 1 0 1 {depth}\n2\n{}\n", depth + 1, 2 * (depth + 1));
    for gate in (2..=depth + 1).rev() {
        text.push_str(&format!("{} {} 2\n", 2 * gate, 2 * gate - 1));
    }
    let thread = std::thread::Builder::new().stack_size(1 << 17).spawn(move || {
        let (pool, _) = read(text.as_bytes());
        assert!(pool.len() > 100_000);
    });
    thread.unwrap().join().unwrap();
}

/// Some bytes that stand for two billions of inputs, and BTOR's functions, which stand for 2^40 terms by
/// forty lines: no limit was heard, and a list of all inputs was made at once.
#[test]
fn what_stands_for_too_much_ends_at_the_limit() {
    let mut btor = "1 var 8 x\n2 param 8\n3 mul 8 2 2\n4 lambda 8 8 2 3\n".to_owned();
    for n in (5..165).step_by(4) {
        let lines = [
            format!("{n} param 8"),
            format!("{} apply 8 {} {n}", n + 1, n - 1),
            format!("{} apply 8 {} {}", n + 2, n - 1, n + 1),
            format!("{} lambda 8 8 {n} {}", n + 3, n + 2),
        ];
        btor += &(lines.join("\n") + "\n");
    }
    for (language, text) in
        [(Language::Aiger, "aig 2147483647 2147483647 0 1 0\n2\n"), (Language::Btor, btor.as_str())]
    {
        let looks = Cell::new(0);
        let over = || {
            looks.set(looks.get() + 1);
            (looks.get() == 5).then_some(Why::TimeLimit)
        };
        let mut pool = Pool::new();
        let read = read_system(&mut pool, language, text.as_bytes(), "f", ParserOptions::default(), &over);
        let refused = read.unwrap().unwrap_err().to_string();
        assert!(
            refused.ends_with("a text within the limits, found that the time limit has passed"),
            "{refused}"
        );
    }
}
