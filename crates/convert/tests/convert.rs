//! Documents from format to format.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../formats/tests/search/mod.rs"]
mod search;

use bivalve::{CheckResult, Settings, Solver};
use bivalve_convert::{ConvertError, Document, Format};
use bivalve_formats::smtlib::{Command, Formulas, Parser};
use bivalve_systems::explicit::decide;
use bivalve_terms::Pool;
use search::seen;
use std::path::Path;

fn read(format: Format, text: &[u8]) -> Document {
    Document::read(format, text, "f").unwrap_or_else(|error| panic!("{error}"))
}

fn print(format: Format, text: &[u8], to: Format) -> Vec<u8> {
    read(format, text).print(to).unwrap_or_else(|error| panic!("{error}"))
}

/// Systems whose states and inputs have a few bits.
const SYSTEMS: &[&str] = &[
    "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 one 1\n5 state 1 s\n6 init 1 5 3\n7 add 1 5 4\n8 next 1 5 7\n\
     9 ones 1\n10 eq 2 5 9\n11 bad 10 full\n12 eq 2 5 4\n13 bad 12\n14 input 2 i\n15 constraint 14\n",
    // Initial values over other states, states without next values, and without initial ones.
    "1 sort bitvec 2\n2 sort bitvec 1\n3 ones 1\n4 state 1 a\n5 state 1 b\n6 not 1 4\n7 init 1 5 6\n8 next 1 5 5\n\
     9 xor 1 4 5\n10 eq 2 9 3\n11 bad 10\n12 neq 2 4 5\n13 bad -12\n14 state 2 c\n15 one 2\n16 init 2 14 15\n\
     17 bad -14\n18 next 1 4 9\n",
    "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1 a\n5 init 1 4 3\n6 state 1 b\n7 init 1 6 4\n8 state 1 c\n\
     9 add 1 4 6\n10 init 1 8 9\n11 input 1 i\n12 mul 1 11 8\n13 next 1 8 12\n14 next 1 6 8\n15 next 1 4 -6\n\
     16 ugt 2 8 4\n17 bad 16\n18 eq 2 6 8\n19 bad 18\n20 slt 2 11 6\n21 constraint -20\n",
];

#[test]
fn aiger_has_the_same_bad_states_in_the_same_frames() {
    for text in SYSTEMS {
        let document = read(Format::Btor2, text.as_bytes());
        let expected = seen(document.pool(), document.system(), 4);
        let [ascii, binary] = [Format::AigerAscii, Format::Aiger]
            .map(|format| read(format, &print(Format::Btor2, text.as_bytes(), format)));
        assert_eq!(seen(ascii.pool(), ascii.system(), 4), expected, "{text}");
        assert_eq!(seen(binary.pool(), binary.system(), 4), expected, "{text}");
        let again = read(Format::Aiger, &binary.print(Format::Aiger).unwrap());
        assert_eq!(seen(again.pool(), again.system(), 4), expected, "{text}");
        // Rewriting changes no frame.
        let mut simple = read(Format::Btor2, text.as_bytes());
        simple.simplify();
        assert_eq!(seen(simple.pool(), simple.system(), 4), expected, "{text}");
    }
}

/// Memories are registers in AIGER, cell by cell: random systems, by enumeration.
#[test]
fn memories_become_latches() {
    // BTOR2 has constant arrays as initial values only, so most of these systems are not printed.
    let mut count = 0;
    for number in 0..4000 {
        let (pool, system) = bivalve_fuzz::systems::small(12, number);
        let is_array = |term| pool.sorts().array_parts(pool.sort(term)).is_some();
        if !system.states.iter().any(|state| is_array(state.term)) {
            continue;
        }
        let Ok(text) = bivalve_formats::btor2::print(&pool, &system) else { continue };
        let expected = decide(&pool, &system).unwrap();
        let aiger = read(Format::Aiger, &print(Format::Btor2, text.as_bytes(), Format::Aiger));
        assert_eq!(decide(aiger.pool(), aiger.system()).unwrap(), expected, "{text}");
        count += 1;
    }
    assert!(count > 40, "{count}");
    let text = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n4 input 1 at\n5 input 2 word\n6 state 3 mem\n\
                7 zero 2\n8 init 3 6 7\n9 write 3 6 4 5\n10 next 3 6 9\n11 read 2 6 4\n12 redand 1 11\n13 bad 12\n";
    let aiger = String::from_utf8(print(Format::Btor2, text.as_bytes(), Format::AigerAscii)).unwrap();
    assert!(["l0 mem[0][0]", "l3 mem[1][1]"].iter().all(|name| aiger.contains(name)), "{aiger}");
}

#[test]
fn aiger_keeps_names_and_every_section() {
    let text = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 2 go\n4 state 1 count\n5 next 1 4 -4\n6 slice 2 4 0 0\n\
                7 bad 6 broken\n8 constraint 3 sane\n9 fair 3 often\n10 justice 2 3 -6 live\n";
    let ascii = String::from_utf8(print(Format::Btor2, text.as_bytes(), Format::AigerAscii)).unwrap();
    assert_eq!(
        ascii,
        "aag 3 1 2 0 0 1 1 1 1\n2\n4 5 4\n6 7 6\n4\n2\n2\n2\n5\n2\n\
         i0 go\nl0 count[0]\nl1 count[1]\nb0 broken\nc0 sane\nf0 often\nj0 live\n"
    );
    let again = read(Format::AigerAscii, ascii.as_bytes());
    assert_eq!(again.system().justices[0].terms.len(), 2);
    assert_eq!(again.print(Format::AigerAscii).unwrap(), ascii.as_bytes());
}

/// AIGER's outputs are properties for ABC, also beside bad states.
#[test]
fn aiger_has_outputs_only_where_nothing_is_asked() {
    let system =
        "1 sort bitvec 2\n2 sort bitvec 1\n3 state 1 count\n4 next 1 3 -3\n5 output 3 shown\n6 redor 2 3\n";
    let ascii = |properties: &str| {
        let text = format!("{system}{properties}");
        String::from_utf8(print(Format::Btor2, text.as_bytes(), Format::AigerAscii)).unwrap()
    };
    let [plain, bad, live] = ["", "7 bad 6\n", "7 justice 1 6\n"].map(ascii);
    assert_eq!(
        plain,
        "aag 2 0 2 2 0 0\n2 3 2\n4 5 4\n2\n4\nl0 count[0]\nl1 count[1]\no0 shown[0]\no1 shown[1]\n"
    );
    assert!(bad.starts_with("aag 3 0 2 0 1 1\n2 3 2\n4 5 4\n7\n"), "{bad}");
    assert!(live.starts_with("aag 3 0 2 0 1 0 0 1\n"), "{live}");
    let again = read(Format::AigerAscii, plain.as_bytes());
    assert_eq!(again.print(Format::AigerAscii).unwrap(), plain.as_bytes());
    // A file that has both loses what is not asked.
    let both = read(Format::AigerAscii, b"aag 1 0 1 1 0 1\n2 3\n2\n3\no0 shown\nb0 high\n");
    assert_eq!(both.print(Format::AigerAscii).unwrap(), b"aag 1 0 1 0 0 1\n2 3\n3\nl0 l0\nb0 high\n");
}

#[test]
fn formulas_go_from_every_format_to_every_other() {
    let texts: [(Format, &[u8]); 6] = [
        (
            Format::SmtLib2,
            b"(declare-fun x () (_ BitVec 4)) (declare-fun p () Bool) (push 1) (assert false) (pop 1)
              (assert (bvult x #x3)) (assert (= p (= x #x1))) (check-sat) (assert false)",
        ),
        (
            Format::SmtLib1,
            b"(benchmark b :extrafuns ((x BitVec[4])) :extrapreds ((p)) :assumption (bvult x bv3[4])
              :formula (iff p (= x bv1[4])) :formula false)",
        ),
        (
            Format::Cvc,
            b"x : BITVECTOR(4); p : BOOLEAN; ASSERT BVLT(x, 0hex3); QUERY NOT (p <=> x = 0hex1); ASSERT FALSE;",
        ),
        (Format::Btor, b"1 var 4 x\n2 var 1 p\n3 constd 4 3\n4 ult 1 1 3\n5 one 4\n6 eq 1 1 5\n7 iff 1 2 6\n8 root 1 4\n9 root 1 7\n"),
        (
            Format::Btor2,
            b"1 sort bitvec 4\n2 sort bitvec 1\n3 input 1 x\n4 input 2 p\n5 constd 1 3\n6 ult 2 3 5\n7 constraint 6\n\
              8 one 1\n9 eq 2 3 8\n10 iff 2 4 9\n11 bad 10\n",
        ),
        (Format::AigerAscii, b"aag 5 5 0 1 0\n2\n4\n6\n8\n10\n1\n"),
    ];
    for (from, text) in texts {
        for to in [
            Format::SmtLib2,
            Format::SmtLib1,
            Format::Btor2,
            Format::Btor,
            Format::Cvc,
            Format::AigerAscii,
            Format::Aiger,
        ] {
            let again = read(to, &print(from, text, to));
            // Names are kept; those of bits have the number of the bit behind them.
            let names: Vec<_> = again.system().inputs.iter().filter_map(|i| i.name.clone()).collect();
            assert!(from == Format::AigerAscii || names[0].starts_with('x'), "{from} to {to}: {names:?}");
            let script = String::from_utf8(again.print(Format::SmtLib2).unwrap()).unwrap();
            let expected = if from == Format::AigerAscii { 32 } else { 3 };
            assert_eq!(models(&script), expected, "{from} to {to}: {script}");
        }
    }
}

/// Reductions and rotations by a term are read by few solvers, so what is written has none.
#[test]
fn formulas_are_written_in_operators_of_the_standard() {
    let text = b"1 sort bitvec 1\n2 sort bitvec 5\n3 input 2 x\n4 redxor 1 3\n5 redor 1 3\n6 redand 1 3\n\
        7 rol 2 3 3\n8 constd 2 7\n9 ult 1 7 8\n10 and 1 4 5\n11 and 1 10 -6\n12 and 1 11 9\n13 bad 12\n";
    let script = String::from_utf8(print(Format::Btor2, text, Format::SmtLib2)).unwrap();
    assert!(["bvred", "rotate"].iter().all(|word| !script.contains(word)), "{script}");
    let rotated = |x: u32| (x << (x % 5) | x >> (5 - x % 5)) & 31;
    let expected = (0..31).filter(|x: &u32| x.count_ones() % 2 == 1 && rotated(*x) < 7).count();
    assert_eq!(models(&script), expected as u32, "{script}");
}

/// The number of models of a script over five bits.
fn models(script: &str) -> u32 {
    let document = read(Format::SmtLib2, script.as_bytes());
    let (pool, system) = (document.pool(), document.system());
    let symbols: Vec<_> = system.symbols().collect();
    let width = |term| pool.width(term).unwrap_or(1);
    assert_eq!(symbols.iter().map(|&symbol| width(symbol)).sum::<u32>(), 5);
    let mut count = 0;
    for bits in 0..32u64 {
        let (mut rest, mut assignment) = (bits, bivalve_terms::Assignment::new());
        for &symbol in &symbols {
            match pool.sort(symbol).is_bool() {
                true => assignment.set(symbol, rest & 1 == 1),
                false => assignment.set(symbol, bivalve_terms::BitVec::from_u64(rest, width(symbol))),
            }
            rest >>= width(symbol);
        }
        let holds = |term| bivalve_terms::eval(pool, term, &assignment) == bivalve_terms::Value::Bool(true);
        count += u32::from(system.constraints.iter().all(|constraint| holds(constraint.term)));
    }
    count
}

#[test]
fn dot_shows_terms_and_roots() {
    let text = "1 sort bitvec 8\n2 input 1 x\\\"\n3 slice 1 2 7 0\n4 output 3 top\n";
    let dot = String::from_utf8(print(Format::Btor2, text.as_bytes(), Format::Dot)).unwrap();
    assert_eq!(
        dot,
        "digraph {\n  node [fontname=monospace];\n  t0 [label=\"x\\\\\\\"\", shape=box];\n  \
         t1 [label=\"extract 7 0\", shape=ellipse];\n  t1 -> t0 [label=0];\n  r0 [label=\"output top\", shape=octagon];\n  \
         r0 -> t1;\n}\n"
    );
}

#[test]
fn what_a_format_cannot_express_is_refused() {
    let arrays = "1 sort bitvec 17\n2 sort array 1 1\n3 state 2 mem\n";
    let nested = "(declare-fun a () (Array (_ BitVec 1) (Array (_ BitVec 1) Bool))) (assert (= a a))";
    let constant = "(assert (= ((as const (Array (_ BitVec 1) Bool)) true) ((as const (Array (_ BitVec 1) Bool)) false)))";
    let truths = "(declare-fun f (Bool) (_ BitVec 4)) (assert (= (f true) (f false)))";
    let system = "1 sort bitvec 1\n2 state 1\n3 next 1 2 -2\n4 bad 2\n";
    let function = "(declare-fun f ((_ BitVec 4)) Bool) (assert (f #x0))";
    let quantified = "(assert (exists ((x (_ BitVec 4))) (forall ((y (_ BitVec 4))) (bvult x y))))";
    for (from, text, to, expected) in [
        (
            Format::Btor2,
            arrays,
            Format::Aiger,
            "AIGER cannot express memories that are too large to become registers: the memory 'mem' has more than 65536 bits",
        ),
        (Format::SmtLib2, function, Format::Aiger, "AIGER cannot express functions ('f')"),
        (Format::SmtLib2, quantified, Format::Aiger, "'forall' has no circuit"),
        (Format::SmtLib2, quantified, Format::Btor2, "BTOR2 cannot express the operator 'forall'"),
        (Format::SmtLib2, nested, Format::Aiger, "AIGER cannot express the sort (Array (_ BitVec 1) "),
        (
            Format::SmtLib2,
            nested,
            Format::SmtLib1,
            "SMT-LIB 1.2 cannot express the sort (Array (_ BitVec 1) ",
        ),
        (Format::SmtLib2, truths, Format::SmtLib1, "SMT-LIB 1.2 cannot express the sort Bool"),
        (Format::SmtLib2, constant, Format::Cvc, "CVC cannot express constant arrays"),
        (Format::SmtLib2, constant, Format::SmtLib1, "SMT-LIB 1.2 cannot express constant arrays"),
        (
            Format::Btor2,
            system,
            Format::SmtLib2,
            "SMT-LIB 2 cannot express a transition system without a bound on its frames",
        ),
        (Format::SmtLib2, function, Format::Btor2, "BTOR2 cannot express the sort (-> (_ BitVec 4) Bool)"),
        (Format::Btor2, system, Format::Cvc, "CVC cannot express a transition system without a bound"),
        (Format::Btor2, system, Format::SmtLib1, "SMT-LIB 1.2 cannot express a transition system"),
    ] {
        let problem = read(from, text.as_bytes()).print(to).expect_err(text).to_string();
        assert!(problem.starts_with(expected), "{problem}");
    }
    let problem = Document::read(Format::Dot, b"digraph {}", "f").map(drop).unwrap_err();
    assert_eq!(problem.to_string(), "dot is not read");
}

/// A formula without assertions was an empty text, which is in no language.
#[test]
fn nothing_is_a_formula_in_every_format() {
    for format in [Format::Btor2, Format::Btor] {
        let text = Document::read(Format::SmtLib2, b"(check-sat)", "f").unwrap().print(format).unwrap();
        assert_eq!(Format::of_text(&text), Some(format));
        let script = Document::read(format, &text, "f").unwrap().print(Format::SmtLib2).unwrap();
        assert!(is_satisfiable(&script));
    }
}

#[test]
fn formats_are_known_by_suffix_and_text() {
    for name in Format::names() {
        let format: Format = name.parse().unwrap();
        assert_eq!(format.to_string(), name);
        assert_eq!(Format::of_path(Path::new(&format!("a.{name}"))), Some(format));
    }
    assert_eq!(Format::of_path(Path::new("b.smt")), Some(Format::SmtLib1));
    assert_eq!(Format::of_text(b"1 sort bitvec 1\n"), Some(Format::Btor2));
    assert_eq!(Format::of_text(b"aig 0 0 0 0 0\n"), Some(Format::Aiger));
    assert_eq!(Format::of_text(b"p cnf 1 1\n"), None);
    assert!("smt3".parse::<Format>().is_err());
}

/// Is the script satisfiable?
fn is_satisfiable(script: &[u8]) -> bool {
    let (mut pool, mut solver) = (Pool::new(), Solver::new(Settings::default()));
    let mut parser = Parser::new(script, "f", Default::default());
    while let Some(command) = parser.next_command(&mut pool).unwrap() {
        if let Command::Assert { term, .. } = command {
            solver.assert(&pool, term).unwrap();
        }
    }
    match solver.check(&mut pool).unwrap() {
        CheckResult::Sat => true,
        CheckResult::Unsat => false,
        CheckResult::Unknown(why) => panic!("{why}"),
    }
}

/// Does one of so many frames have a bad state? Asked of the formula, printed in a format, if it can be.
fn is_reached(text: &[u8], frames: usize, to: Format, simplify: bool) -> Option<bool> {
    let mut document = read(Format::Btor2, text);
    document.unroll(frames).unwrap();
    if simplify {
        document.simplify();
    }
    let printed = match document.print(to) {
        Err(ConvertError::Inexpressible(_)) => return None,
        printed => printed.unwrap(),
    };
    let script = if to == Format::SmtLib2 { printed } else { print(to, &printed, Format::SmtLib2) };
    Some(is_satisfiable(&script))
}

/// The first frames of small systems, through every printer, against enumeration.
#[test]
fn frames_are_formulas_with_the_same_bad_states() {
    let mut texts: Vec<String> = SYSTEMS.iter().map(|&text| text.to_owned()).collect();
    let random = (0..40).map(|number| bivalve_fuzz::systems::small(11, number));
    texts.extend(random.filter_map(|(pool, mut system)| {
        (system.justices, system.fairs) = (vec![], vec![]);
        bivalve_formats::btor2::print(&pool, &system).ok().filter(|_| !system.bads.is_empty())
    }));
    let (mut reached, mut not) = (0, 0);
    for (number, text) in texts.iter().enumerate() {
        let document = read(Format::Btor2, text.as_bytes());
        let first = decide(document.pool(), document.system()).unwrap().bads.into_iter().flatten().min();
        for frames in [1, 2, 3, 5] {
            let expected = first.is_some_and(|first| first < frames);
            *if expected { &mut reached } else { &mut not } += 1;
            for to in [
                Format::SmtLib2,
                Format::SmtLib1,
                Format::Btor2,
                Format::Btor,
                Format::Cvc,
                Format::AigerAscii,
            ] {
                let found = is_reached(text.as_bytes(), frames, to, (number + frames).is_multiple_of(2));
                assert!(found.is_none_or(|found| found == expected), "{frames} frames, {to}: {text}");
            }
        }
    }
    assert!(reached > 20 && not > 20, "{reached} formulas are satisfiable, {not} are not");
}

/// Symbols and states have the names of the system; what comes behind a bad state does not matter.
#[test]
fn frames_have_names_and_bad_states_need_no_way_on() {
    let text = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 2 go\n4 state 1 count\n5 zero 1\n6 init 1 4 5\n\
                7 one 1\n8 add 1 4 7\n9 ite 1 3 8 4\n10 next 1 4 9\n11 state 1 free\n12 eq 2 4 7\n\
                13 bad 12 one\n14 ulte 2 4 5\n15 or 2 14 3\n16 constraint 15\n";
    let mut document = read(Format::Btor2, text.as_bytes());
    document.unroll(2).unwrap();
    let script = String::from_utf8(document.print(Format::SmtLib2).unwrap()).unwrap();
    assert_eq!(
        script,
        "(set-logic QF_BV)\n\
         (declare-fun go@0 () (_ BitVec 1))\n(declare-fun free@0 () (_ BitVec 2))\n\
         (declare-fun go@1 () (_ BitVec 1))\n(declare-fun free@1 () (_ BitVec 2))\n\
         (define-fun _td0 () Bool (= go@0 #b1))\n\
         (define-fun count@1 () (_ BitVec 2) (ite _td0 (bvadd #b00 #b01) #b00))\n\
         (define-fun count@0 () (_ BitVec 2) #b00)\n\
         (assert (let ((_t0 (or (bvule #b00 #b00) _td0))) (or (and _t0 (= #b00 #b01)) \
         (and (and _t0 (or (bvule count@1 #b00) (= go@1 #b1))) (= count@1 #b01)))))\n(check-sat)\n"
    );
    let dead_end = "1 sort bitvec 1\n2 state 1 s\n3 zero 1\n4 init 1 2 3\n5 one 1\n6 next 1 2 5\n\
                    7 bad -2\n8 constraint -2\n";
    for frames in [1, 4] {
        assert_eq!(is_reached(dead_end.as_bytes(), frames, Format::SmtLib2, false), Some(true));
    }
    // Without bad states the question is whether there is a run.
    let run = dead_end.replace("7 bad -2\n", "");
    for (frames, expected) in [(1, true), (2, false)] {
        assert_eq!(is_reached(run.as_bytes(), frames, Format::SmtLib2, false), Some(expected));
    }
    let mut live = read(Format::Btor2, b"1 sort bitvec 1\n2 state 1\n3 next 1 2 -2\n4 justice 1 2\n");
    let problem = live.unroll(3).unwrap_err().to_string();
    assert!(problem.starts_with("a justice property speaks of runs without end"), "{problem}");
}

/// Scopes are those of the solver: a push of billions of levels took all memory, and declarations that the
/// script makes global were gone after a pop.
#[test]
fn scopes_of_scripts_are_followed() {
    let many = "(declare-const p Bool)(push 4294967295)(assert p)(pop 4294967294)(assert (not p))(check-sat)";
    let global = "(set-option :global-declarations true)(push 1)(declare-const p Bool)(assert p)(pop 1)\
                  (assert (not p))(check-sat)(assert p)";
    for (text, assertions) in [(many, 1), (global, 1)] {
        let script = print(Format::SmtLib2, text.as_bytes(), Format::SmtLib2);
        let script = String::from_utf8(script).unwrap();
        assert_eq!(script.matches("(assert").count(), assertions, "{script}");
        assert!(is_satisfiable(script.as_bytes()));
    }
    let refusal = Document::read(Format::SmtLib2, b"(push 2)\n(pop 3)", "f").map(drop).unwrap_err();
    assert_eq!(refusal.to_string(), "f:2:1: more levels are popped than pushed");
}

/// Floats, integers and records become words, in every format: a float has the bits of IEEE 754.
#[test]
fn theories_become_words() {
    let answer = |text: &[u8], bits: Option<(&str, u64)>| {
        let (mut pool, text) = (Pool::new(), std::str::from_utf8(text).unwrap());
        let (assertions, symbols) = Formulas::terms(&mut pool, &[], text).unwrap();
        let mut solver = Solver::new(Settings::default());
        assertions.iter().for_each(|&assertion| solver.assert(&pool, assertion).unwrap());
        let answer = solver.check(&mut pool).unwrap();
        if let Some((name, expected)) = bits {
            let symbol = symbols.iter().find(|&&symbol| pool.name(symbol) == Some(name)).unwrap();
            let value = solver.model().unwrap().value(&pool, *symbol);
            assert_eq!(*value.expect_bitvec(), bivalve_terms::BitVec::from_u64(expected, 32));
        }
        answer
    };
    for (text, said, bits) in [
        (
            "(declare-const x Float32)(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 8 24) RNE 2.25)))\
             (assert (fp.isPositive x))(check-sat)",
            "; x is (_ FloatingPoint 8 24), as x\n",
            Some(("x", 0x3fc0_0000)),
        ),
        (
            "(declare-const x Float16)(assert (not (= (fp.abs (fp.neg x)) (fp.abs x))))(check-sat)",
            "; x is",
            None,
        ),
        (
            "(declare-const x Float16)(declare-const y Float16)(assert (not (= (fp.min x y) (fp.min x y))))\
             (check-sat)",
            "; y is",
            None,
        ),
        (
            "(declare-datatype P ((none) (some (value Float16))))(declare-const p P)(declare-const r RoundingMode)\
             (assert (= (value p) (fp.add r (value p) ((_ to_fp 5 11) RNE 1.0))))(assert ((_ is some) p))(check-sat)",
            "; p is P, as ",
            None,
        ),
        ("(declare-const x (_ BitVec 8))(assert (< 254 (ubv_to_int x)))(check-sat)", "", None),
    ] {
        let expected = answer(text.as_bytes(), None);
        let words = print(Format::SmtLib2, text.as_bytes(), Format::SmtLib2);
        assert!(String::from_utf8_lossy(&words).contains(said), "{text}");
        assert_eq!(answer(&words, bits), expected, "{text}");
        match read(Format::SmtLib2, text.as_bytes()).print(Format::Btor2) {
            Ok(btor) => {
                let back = print(Format::Btor2, &btor, Format::SmtLib2);
                assert_eq!(answer(&back, None), expected, "{text}");
            }
            // What a theory leaves open is a function, which BTOR2 has not.
            Err(ConvertError::Inexpressible(_)) => {
                assert!(text.contains("fp.min") || text.contains("value p"))
            }
            Err(error) => panic!("{text}: {error}"),
        }
    }
    let refused = "(declare-const x (_ BitVec 8))\n(assert (= 1 (div (ubv_to_int x) 0)))(check-sat)";
    let refused = Document::read(Format::SmtLib2, refused.as_bytes(), "f").map(|_| ());
    assert!(matches!(&refused, Err(ConvertError::Read(place)) if (place.line, place.column) == (2, 34)));
}
