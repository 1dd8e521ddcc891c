//! What texts mean: each is read and printed again.

use crate::smtlib::transcript::{LENIENT, difference, read, read_well};
use bivalve_formats::smtlib::{AttributeValue, Command, Parser, print};
use bivalve_terms::{Op, Pool, Sort};

const PROLOGUE: &str = "(declare-const p Bool)(declare-const q Bool)
(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const b (_ BitVec 1))
(declare-const mem (Array (_ BitVec 4) (_ BitVec 8)))
(declare-sort U 0)(declare-const u U)(declare-fun f ((_ BitVec 8) U) (_ BitVec 8))
";

/// Reads a term in the prologue's scope and prints it.
fn meaning(term: &str) -> String {
    let transcript = read_well(&format!("{PROLOGUE}(get-value ({term}))"));
    print::term(&transcript.pool, transcript.terms()[0])
}

fn same(left: &str, right: &str) {
    assert_eq!(meaning(left), meaning(right), "{left}");
}

#[test]
fn every_operator_is_read_by_its_name() {
    let mut pool = Pool::new();
    let mut random = bivalve_terms::testing::TermGen::with_everything(1);
    random.max_width = 9;
    for op in Op::native().filter(|&op| !matches!(op, Op::Const | Op::Symbol)) {
        random.ops = vec![op];
        let found = (0..2000).find_map(|_| {
            let sort = random.sort(&mut pool);
            let term = random.term(&mut pool, sort, 1);
            (pool.op(term) == op).then_some(term)
        });
        let term = found.unwrap_or_else(|| panic!("{op:?} is never generated"));
        let goal = pool.app(Op::Eq, &[term, term]).expect("a term of first-class sort");
        let text = print::script(&pool, &print::Script { assertions: &[goal], ..print::Script::default() });
        let again = read_well(&text);
        assert_eq!(difference((&pool, &[goal]), (&again.pool, &again.assertions())), None, "{text}");
    }
}

#[test]
fn literals_are_values() {
    for (text, value) in [
        ("#b00000101", "#b00000101"),
        ("#x0F", "#b00001111"),
        ("#xAb", "#b10101011"),
        ("(_ bv5 3)", "#b101"),
        ("(_ bv007 3)", "#b111"),
        ("(_ bv0 1)", "#b0"),
        ("true", "true"),
    ] {
        assert_eq!(meaning(text), value);
    }
    assert_eq!(
        meaning("(_ bv340282366920938463463374607431768211455 128)"),
        format!("#b{}", "1".repeat(128))
    );
    assert_eq!(meaning("#xffffffffffffffffffffffffffffffff"), format!("#b{}", "1".repeat(128)));
}

#[test]
fn quoted_and_plain_symbols_are_one() {
    same("(and |p| q)", "(and p |q|)");
    same("(|bvadd| x y)", "(bvadd x y)");
    let transcript = read_well(
        "(declare-const |a b| Bool)(declare-const || Bool)(declare-const |let| Bool)(assert (and |a b| || |let|))",
    );
    let text = print::term(&transcript.pool, transcript.assertions()[0]);
    assert_eq!(text, "(and |a b| || |let|)");
}

#[test]
fn lets_bind_at_once_and_shadow() {
    same("(let ((x y) (y x)) (bvsub x y))", "(bvsub y x)");
    same(
        "(let ((x (bvnot x))) (let ((x (bvneg x)) (y x)) (bvsub x y)))",
        "(bvsub (bvneg (bvnot x)) (bvnot x))",
    );
    same("(bvand (let ((x y)) x) x)", "(bvand y x)");
    same("(let ((f x)) (bvand f (let ((f y)) f)))", "(bvand x y)");
    same("(let ((bvadd x)) (bvsub bvadd bvadd))", "(bvsub x x)");
    same("(let ((z (let ((x y)) (bvnot x)))) (bvor z x))", "(bvor (bvnot y) x)");
}

#[test]
fn definitions_are_their_bodies() {
    let text = "(declare-const x (_ BitVec 8))
        (define-fun c () (_ BitVec 8) (bvnot x))
        (define-const d (_ BitVec 8) (bvneg c))
        (define-fun add ((x (_ BitVec 8)) (y (_ BitVec 8))) (_ BitVec 8) (bvadd x y c))
        (define-fun id ((x (_ BitVec 8))) (_ BitVec 8) x)
        (define-fun k ((x (_ BitVec 8))) (_ BitVec 8) d)
        (get-value ((add d (id x)) (k (id c)) (let ((x c)) (add x (bvnot x)))))";
    let transcript = read_well(text);
    let terms: Vec<String> =
        transcript.terms().iter().rev().take(3).rev().map(|&t| print::term(&transcript.pool, t)).collect();
    assert_eq!(terms[0], "(let ((_t0 (bvnot x))) (bvadd (bvneg _t0) x _t0))");
    assert_eq!(terms[1], "(bvneg (bvnot x))");
    assert_eq!(terms[2], "(let ((_t0 (bvnot x))) (bvadd _t0 (bvnot _t0) _t0))");
}

#[test]
fn labels_name_terms_from_there_on() {
    let text = "(declare-const p Bool)(assert (! (and (! (not p) :named |in ner|) |in ner|) :pattern (p (q r)) :named outer :w))
        (assert (or outer |in ner|))";
    let transcript = read_well(text);
    let Command::Assert { term, named, .. } = &transcript.commands[1] else { panic!("an assertion") };
    let names: Vec<&str> = named.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["in ner", "outer"]);
    assert_eq!(named[1].1, *term);
    assert_eq!(print::term(&transcript.pool, *term), "(let ((_t0 (not p))) (and _t0 _t0))");
    assert!(matches!(&transcript.commands[2], Command::Assert { named, .. } if named.is_empty()));
}

#[test]
fn sorts_have_names_parameters_and_definitions() {
    let text = "(declare-sort Pair 2)(declare-sort |my sort| 0)
        (define-sort Byte () (_ BitVec 8))
        (define-sort Mem (I) (Array I Byte))
        (define-sort Two (A) (Pair A (Mem A)))
        (declare-const a (Pair Bool |my sort|))(declare-const b (Pair Bool |my sort|))(declare-const c (Pair |my sort| Bool))
        (declare-const m (Mem (_ BitVec 4)))(declare-const n (Array (_ BitVec 4) (_ BitVec 8)))
        (declare-const s (Two Bool))(declare-const t (Pair Bool (Array Bool (_ BitVec 8))))
        (assert (and (= a b) (= m n) (= s t)))";
    let transcript = read_well(text);
    let sort = |i: usize| match &transcript.commands[i] {
        Command::DeclareConst { symbol } => {
            print::sort(transcript.pool.sorts(), transcript.pool.sort(*symbol))
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(sort(5), "(Pair Bool |my sort|)");
    assert_ne!(sort(5), sort(7));
    assert_eq!(sort(8), "(Array (_ BitVec 4) (_ BitVec 8))");
    assert_eq!(sort(10), "(Pair Bool (Array Bool (_ BitVec 8)))");
}

#[test]
fn qualified_names_are_names() {
    same("(as x (_ BitVec 8))", "x");
    same("((as f (_ BitVec 8)) x u)", "(f x u)");
    assert_eq!(
        meaning("((as const (Array (_ BitVec 4) (_ BitVec 8))) x)"),
        "((as const (Array (_ BitVec 4) (_ BitVec 8))) x)"
    );
}

#[test]
fn lists_stay_as_they_are_written() {
    for text in [
        "(and p q p)",
        "(=> p q p)",
        "(= x y x)",
        "(distinct x y x)",
        "(bvadd x y x y)",
        "(bvsub x y x)",
        "(concat x y b)",
    ] {
        assert_eq!(meaning(text), text);
    }
}

#[test]
fn habits_of_other_solvers_are_read() {
    same("(and p)", "p");
    same("(bvadd x)", "x");
    same("(distinct x)", "true");
    same("(implies p q)", "(=> p q)");
    same("(iff p q)", "(= p q)");
    same("(bvnand x y x)", "(bvnand (bvnand x y) x)");
    same("(bvnor x y x y)", "(bvnor (bvnor (bvnor x y) x) y)");
    same("(rotate_left x y)", "(ext_rotate_left x y)");
    same("(rotate_right 3 x)", "((_ rotate_right 3) x)");
    same("(extract 5 2 x)", "((_ extract 5 2) x)");
    same("(zero_extend 3 x)", "((_ zero_extend 3) x)");
    same("(bvite b x y)", "(ite (= b #b1) x y)");
    same("(bvite p x y)", "(ite p x y)");
    same("(bvinc x)", "(bvadd x #x01)");
    same("(bvdec x)", "(bvsub x #x01)");
    same("(bvumul_noovfl x y)", "(not (bvumulo x y))");
    same("(p)", "p");
    same("(and (p) (true))", "(and p true)");
}

/// Z3's two one-sided overflow predicates, against exact products.
#[test]
fn one_sided_overflow_is_told_by_the_signs() {
    for width in 1..=4u32 {
        let text = format!(
            "(declare-const s (_ BitVec {width}))(declare-const t (_ BitVec {width}))
             (assert (bvsmul_noovfl s t))(assert (bvsmul_noudfl s t))"
        );
        let mut transcript = read_well(&text);
        let [above, below] = transcript.assertions()[..] else { panic!("two assertions") };
        let symbols = bivalve_terms::cone(&transcript.pool, &[above]);
        let [s, t] = symbols[..2] else { panic!("two symbols") };
        let half = 1i64 << (width - 1);
        for (a, b) in (-half..half).flat_map(|a| (-half..half).map(move |b| (a, b))) {
            let mut values = bivalve_terms::Assignment::new();
            values.set(s, bivalve_terms::BitVec::from_u64(a as u64, width));
            values.set(t, bivalve_terms::BitVec::from_u64(b as u64, width));
            let holds = |term| bivalve_terms::eval(&transcript.pool, term, &values).expect_bool();
            assert_eq!(holds(above), a * b < half, "{a} * {b} in {width} bits");
            assert_eq!(holds(below), a * b >= -half, "{a} * {b} in {width} bits");
        }
        assert!(transcript.pool.bool(true) != above);
    }
}

#[test]
fn names_of_absent_theories_are_free() {
    let text =
        "(set-logic QF_BV)(declare-fun select (Bool) Bool)(declare-const + Bool)(declare-const bvredor Bool)
        (declare-const implies Bool)(declare-const Int Bool)(declare-const lambda Bool)
        (assert (and (select +) bvredor implies Int lambda))";
    assert_eq!(read_well(text).assertions().len(), 1);
    assert_eq!(
        read("(set-logic QF_ABV)(declare-fun select (Bool) Bool)".as_bytes(), LENIENT).refusals.len(),
        1
    );
    assert_eq!(read("(declare-fun select (Bool) Bool)".as_bytes(), LENIENT).refusals.len(), 1);
}

#[test]
fn scopes_open_and_close() {
    let text = "(declare-const x Bool)(push 2)(declare-const y Bool)(define-fun z () Bool y)(declare-sort S 0)(push 1)
        (assert (! x :named n))(pop 1)(assert (and y z))(pop 2)
        (declare-const y (_ BitVec 2))(declare-const n (_ BitVec 2))(declare-sort S 1)(assert (= y n))
        (reset-assertions)(declare-const x (_ BitVec 3))";
    read_well(text);
    let gone = "(push 1)(declare-const y Bool)(pop 1)(assert y)";
    assert_eq!(read(gone.as_bytes(), LENIENT).refusals.len(), 1);
    let global = "(set-option :global-declarations true)(push 1)(declare-const y Bool)(define-fun z ((a Bool)) Bool (or a y))
        (declare-sort S 0)(assert (! y :named n))(pop 1)(declare-const s S)(assert (and y (z y) n))
        (reset-assertions)(assert (z y))";
    read_well(global);
    let after_reset = "(set-option :global-declarations true)(declare-const y Bool)(reset)(assert y)";
    assert_eq!(read(after_reset.as_bytes(), LENIENT).refusals.len(), 1);
}

#[test]
fn the_symbol_table_tells_what_is_declared() {
    let mut pool = Pool::new();
    let mut parser = Parser::new(
        "(declare-const a Bool)(push 1)(declare-fun g (Bool) Bool)(declare-const c Bool)(assert (! c :named l))".as_bytes(),
        "t",
        LENIENT,
    );
    while let Some(command) = parser.next_command(&mut pool).expect("a good script") {
        if let Command::Push(levels) = command {
            parser.symbols_mut().push(levels);
        }
    }
    let names = |parser: &Parser<&[u8]>| -> Vec<String> {
        parser.symbols().declared().iter().map(|&s| pool.name(s).expect("a symbol").to_owned()).collect()
    };
    assert_eq!(names(&parser), ["a", "g", "c"]);
    assert_eq!(parser.symbols().lookup("c"), Some(parser.symbols().declared()[2]));
    assert_eq!(parser.symbols().named().map(|(name, _)| name).collect::<Vec<_>>(), ["l"]);
    assert_eq!(parser.symbols().depth(), 1);
    assert!(!parser.symbols_mut().pop(2));
    assert!(parser.symbols_mut().pop(1));
    assert_eq!(names(&parser), ["a"]);
    assert_eq!(parser.symbols().lookup("c"), None);
    assert_eq!(parser.symbols().named().count(), 0);
    parser.symbols_mut().push(u32::MAX);
    parser.symbols_mut().push(u32::MAX);
    assert!(parser.symbols_mut().pop(u32::MAX));
    assert_eq!(parser.symbols().depth(), u64::from(u32::MAX));
}

#[test]
fn text_is_kept_as_it_was_sent() {
    let text = "(declare-const x (_ BitVec 8))(get-value ( x (bvadd  x ; here\n #x01)((_ extract 3 0)x)))
        (declare-const p Bool)(check-sat-assuming (p (not  p)))(check-sat-assuming ())";
    let transcript = read_well(text);
    let Command::GetValue(pairs) = &transcript.commands[1] else { panic!("get-value") };
    let texts: Vec<&str> = pairs.iter().map(|(text, _)| &**text).collect();
    assert_eq!(texts, ["x", "(bvadd  x ; here\n #x01)", "((_ extract 3 0)x)"]);
    let Command::CheckSatAssuming(pairs) = &transcript.commands[3] else { panic!("check-sat-assuming") };
    assert_eq!(pairs[1].0, "(not  p)");
    assert_eq!(transcript.commands[4], Command::CheckSatAssuming(vec![]));
}

#[test]
fn every_command_of_the_standard_is_read() {
    let text = "(set-logic QF_BV)(set-option :produce-models true)(set-option :verbosity 3)
        (set-info :source |several
        words|)(set-info :notes (a (b \")\") |)|))(set-info :flag)
        (declare-sort S 0)(define-sort T () S)(declare-const c T)(declare-fun g (T) S)(define-fun h () T (g c))
        (define-const k T h)(assert (= k h))(check-sat)(check-sat-assuming ())(get-value (c))(get-model)
        (get-assertions)(get-assignment)(get-proof)(get-unsat-core)(get-unsat-assumptions)(get-info :version)
        (get-option :verbosity)(echo \"a \"\"b\"\"\")(push 1)(pop 1)(push)(pop)(reset-assertions)(simplify (and a)) (reset)(exit)";
    let transcript = read_well(text);
    assert_eq!(transcript.commands.len(), 33);
    let value = |text: &str| AttributeValue::List(text.into());
    assert!(
        transcript.commands.contains(&Command::SetInfo {
            keyword: ":notes".into(),
            value: Some(value("(a (b \")\") |)|)"))
        })
    );
    assert!(transcript.commands.contains(&Command::Echo("a \"b\"".into())));
    assert!(transcript.commands.contains(&Command::Unsupported { name: "simplify".into() }));
    assert_eq!(Sort::BOOL.width(), None);
}

/// No command would declare what stands for results that the standard leaves open.
#[test]
fn open_results_of_floats_are_refused_where_images_are_handed_out() {
    let open = "(get-value (((_ fp.to_sbv 8) RTP (_ +oo 8 24))))(get-value ((fp.isNaN (_ NaN 8 24))))";
    let transcript = read(open.as_bytes(), LENIENT);
    let [refusal] = &transcript.refusals[..] else { panic!("{:?}", transcript.refusals) };
    assert_eq!((refusal.line, refusal.column), (1, 13));
    assert_eq!(transcript.commands.len(), 1);
}
