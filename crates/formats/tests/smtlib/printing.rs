//! The printers' own choices: sharing, names, values.

use crate::smtlib::transcript::{difference, read_well};
use bivalve_formats::smtlib::print::{self, BitVecFormat, Naming, Printer, Script, Values};
use bivalve_terms::{ArrayValue, BitVec, FunctionValue, Op, Pool, Sort, TermSet, Value};

fn byte() -> Sort {
    Sort::bitvec(8).expect("a width")
}

#[test]
fn what_is_shared_is_bound_level_by_level() {
    let mut pool = Pool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, byte()));
    let a = pool.mk(Op::BvAdd, &[x, y]);
    let b = pool.mk(Op::BvMul, &[x, y]);
    let c = pool.mk(Op::BvAnd, &[a, b]);
    let d = pool.mk(Op::BvOr, &[c, c, a, b]);
    assert_eq!(
        print::term(&pool, d),
        "(let ((_t0 (bvadd x y)) (_t1 (bvmul x y))) (let ((_t2 (bvand _t0 _t1))) (bvor _t2 _t2 _t0 _t1)))"
    );
}

#[test]
fn variables_of_the_printer_clash_with_no_symbol() {
    let mut pool = Pool::new();
    let [x, y] = ["_t0", "_t_1"].map(|name| pool.symbol(name, byte()));
    let a = pool.mk(Op::BvAdd, &[x, y]);
    let b = pool.mk(Op::BvMul, &[a, a]);
    assert_eq!(print::term(&pool, b), "(let ((_t__0 (bvadd _t0 _t_1))) (bvmul _t__0 _t__0))");
}

/// Terms whose text would have 2^1000 symbols without sharing.
#[test]
fn text_is_linear_in_the_dag() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", byte());
    let mut roots = vec![];
    let mut term = x;
    for _ in 0..1000 {
        term = pool.mk(Op::BvMul, &[term, term]);
        roots.push(pool.mk(Op::Eq, &[term, x]));
    }
    assert!(print::term(&pool, term).len() < 50_000);
    let text = print::script(&pool, &Script { assertions: &roots, ..Script::default() });
    assert!(text.len() < 150_000);
    let again = read_well(&text);
    assert_eq!(difference((&pool, &roots), (&again.pool, &again.assertions())), None);
}

#[test]
fn what_assertions_share_is_defined_once() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", byte());
    let square = pool.mk(Op::BvMul, &[x, x]);
    let sum = pool.mk(Op::BvAdd, &[square, x]);
    let twice = pool.mk(Op::BvAnd, &[sum, sum]);
    let first = pool.mk(Op::Eq, &[twice, x]);
    let second = pool.mk(Op::Eq, &[square, x]);
    let third = pool.mk(Op::Or, &[first, second]);
    let text =
        print::script(&pool, &Script { assertions: &[first, second, third, third], ..Script::default() });
    let expected = "(set-logic QF_BV)
(declare-fun x () (_ BitVec 8))
(define-fun _td0 () (_ BitVec 8) (bvmul x x))
(define-fun _td1 () Bool (= (let ((_t0 (bvadd _td0 x))) (bvand _t0 _t0)) x))
(define-fun _td2 () Bool (= _td0 x))
(assert _td1)
(assert _td2)
(assert (or _td1 _td2))
(assert (or _td1 _td2))
(check-sat)
";
    let expected = expected.replace(
        "(= (let ((_t0 (bvadd _td0 x))) (bvand _t0 _t0)) x)",
        "(let ((_t0 (bvadd _td0 x))) (= (bvand _t0 _t0) x))",
    );
    assert_eq!(text, expected);
}

#[test]
fn names_that_cannot_be_used_are_replaced() {
    let mut pool = Pool::new();
    let names = ["x", "x", "bvadd", "a|b", "let", "x!0", "true", "two words", ""];
    let symbols = names.map(|name| pool.symbol(name, Sort::BOOL));
    let sorts = ["Bool", "S", "S", "|q r|"].map(|name| pool.sorts_mut().declare(name));
    let elements = sorts.map(|sort| pool.symbol("e", sort));
    let mut all: Vec<_> = symbols.to_vec();
    all.extend(elements);
    let naming = Naming::unique(&pool, &all);
    let printed: Vec<String> = symbols.iter().map(|&s| naming.symbol(&pool, s).into_owned()).collect();
    assert_eq!(printed, ["x", "x!0", "bvadd!0", "a_b", "let!0", "x!0!0", "true!0", "|two words|", "||"]);
    let mut assertions: Vec<_> = symbols.to_vec();
    assertions.extend(elements.map(|e| pool.mk(Op::Eq, &[e, e])));
    let text = print::script(&pool, &Script { assertions: &assertions, ..Script::default() });
    let again = read_well(&text);
    assert_eq!(again.assertions().len(), assertions.len());
    assert!(text.contains(
        "(declare-sort Bool!0 0)\n(declare-sort S 0)\n(declare-sort S!0 0)\n(declare-sort |q r| 0)\n"
    ));
}

#[test]
fn bit_vectors_have_three_forms_and_the_shortest() {
    let value = BitVec::from_u64(10, 8);
    for (format, text) in [
        (BitVecFormat::Binary, "#b00001010"),
        (BitVecFormat::Hexadecimal, "#x0a"),
        (BitVecFormat::Decimal, "(_ bv10 8)"),
    ] {
        assert_eq!(print::bitvec(&value, format), text);
        let mut pool = Pool::new();
        let term = pool.bitvec(&value);
        assert_eq!(Printer::new(&pool, &Naming::default(), format).term(term), text);
    }
    assert_eq!(print::bitvec(&BitVec::from_u64(5, 3), BitVecFormat::Hexadecimal), "#b101");
    for (value, width, text) in
        [(5, 3, "#b101"), (10, 8, "#x0a"), (10, 64, "(_ bv10 64)"), (5, 15, "(_ bv5 15)")]
    {
        assert_eq!(print::bitvec(&BitVec::from_u64(value, width), BitVecFormat::Shortest), text);
    }
}

#[test]
fn short_names_are_no_words_of_the_language() {
    let mut pool = Pool::new();
    let free = pool.sorts_mut().declare("a long name of a sort");
    let mut terms: Vec<_> = (0..800).map(|i| pool.symbol(&format!("name {i}"), byte())).collect();
    terms.push(pool.symbol("element", free));
    let naming = Naming::short(&pool, &terms);
    let names: Vec<_> = terms.iter().map(|&term| naming.symbol(&pool, term).into_owned()).collect();
    assert_eq!((&*names[0], &*names[25], &*names[26]), ("a", "z", "aa"));
    assert!(names.iter().all(|name| !["as", "or"].contains(&name.as_str())));
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len());
    let mut sort = String::new();
    print::write_sort(&mut sort, pool.sorts(), &naming, free);
    assert_eq!(sort, "A");
}

#[test]
fn only_what_is_chosen_is_bound() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", byte());
    let not = pool.mk(Op::BvNot, &[x]);
    let square = pool.mk(Op::BvMul, &[not, not]);
    let sum = pool.mk(Op::BvAdd, &[square, square]);
    let naming = Naming::default();
    let mut printer = Printer::new(&pool, &naming, BitVecFormat::default());
    let mut chosen = TermSet::new();
    chosen.insert(square);
    printer.bind(chosen);
    assert_eq!(printer.term(sum), "(let ((_t0 (bvmul (bvnot x) (bvnot x)))) (bvadd _t0 _t0))");
}

#[test]
fn values_are_stores_and_conditionals() {
    let mut pool = Pool::new();
    let nibble = Sort::bitvec(4).expect("a width");
    let array = pool.sorts_mut().array(nibble, Sort::BOOL).expect("an array");
    let nested = pool.sorts_mut().array(nibble, array).expect("an array");
    let free = pool.sorts_mut().declare("|my sort|");
    let function = pool.sorts_mut().function(&[nibble, free], nibble).expect("a first-order sort");
    let unary = pool.sorts_mut().function(&[Sort::BOOL], free).expect("a first-order sort");
    let bv = |n| Value::from(BitVec::from_u64(n, 4));
    let inner = ArrayValue::constant(pool.sorts(), array, false.into());
    let one: Value = inner.store(&bv(7), &true.into()).store(&bv(3), &true.into()).into();
    let outer: Value = ArrayValue::constant(pool.sorts(), nested, inner.into()).store(&bv(1), &one).into();
    let [a, f, g, m] = [("a", array), ("f", function), ("g", unary), ("|m|", nested)]
        .map(|(n, s)| pool.symbol(n.trim_matches('|'), s));
    let mut table = FunctionValue::constant(bv(0));
    table.define(vec![bv(2), Value::Element(free, 1)], bv(9));
    table.define(vec![bv(1), Value::Element(free, 0)], bv(0));
    let mut choice = FunctionValue::constant(Value::Element(free, 0));
    choice.define(vec![true.into()], Value::Element(free, 2));
    let printer = Values::new(&pool, BitVecFormat::Hexadecimal);
    let constant = "((as const (Array (_ BitVec 4) Bool)) false)";
    assert_eq!(printer.value(array, &one), format!("(store (store {constant} #x3 true) #x7 true)"));
    assert_eq!(
        printer.definition(a, &one),
        format!("(define-fun a () (Array (_ BitVec 4) Bool) (store (store {constant} #x3 true) #x7 true))")
    );
    let sort = "(Array (_ BitVec 4) (Array (_ BitVec 4) Bool))";
    assert_eq!(
        printer.definition(m, &outer),
        format!(
            "(define-fun m () {sort} (store ((as const {sort}) {constant}) #x1 (store (store {constant} #x3 true) #x7 true)))"
        )
    );
    assert_eq!(
        printer.definition(f, &table.into()),
        "(define-fun f ((x!0 (_ BitVec 4)) (x!1 |my sort|)) (_ BitVec 4) (ite (and (= x!0 #x2) (= x!1 (as |@my sort_1| |my sort|))) #x9 #x0))"
    );
    assert_eq!(
        printer.definition(g, &choice.into()),
        "(define-fun g ((x!0 Bool)) |my sort| (ite (= x!0 true) (as |@my sort_2| |my sort|) (as |@my sort_0| |my sort|)))"
    );
}

#[test]
fn the_logic_is_the_least_that_will_do() {
    for (declarations, logic) in [
        ("(declare-const x Bool)", "QF_UF"),
        ("(declare-const x (_ BitVec 2))", "QF_BV"),
        ("(declare-const x (Array (_ BitVec 2) (_ BitVec 2)))", "QF_ABV"),
        ("(declare-fun f ((_ BitVec 2)) Bool)", "QF_UFBV"),
        ("(declare-sort S 0)(declare-const x S)(declare-const y (_ BitVec 2))", "QF_UFBV"),
        ("(declare-sort S 0)(declare-const x (Array S S))", "QF_AX"),
        ("(declare-fun f ((_ BitVec 2)) (Array (_ BitVec 2) (_ BitVec 2)))", "QF_AUFBV"),
        ("(declare-const x (Array (_ BitVec 2) Bool))", "ALL"),
    ] {
        let transcript = read_well(declarations);
        let symbols: Vec<_> = (0..transcript.pool.len()).map(|i| transcript.pool.nth(i)).collect();
        assert_eq!(print::logic_of(&transcript.pool, &symbols), logic, "{declarations}");
        let text = print::script(&transcript.pool, &Script { declare: &symbols, ..Script::default() });
        assert!(text.starts_with(&format!("(set-logic {logic})\n")));
    }
}

/// A body may mention a symbol under the name of a parameter, because an earlier definition brought it in.
#[test]
fn parameters_catch_no_other_symbol() {
    let text =
        "(declare-const x Bool)(define-fun c () Bool x)(define-fun g ((x Bool) (y Bool)) Bool (and x c y))
        (assert (g true false))";
    let transcript = read_well(text);
    let printed: Vec<String> =
        transcript.commands.iter().map(|c| print::command(&transcript.pool, c)).collect();
    assert_eq!(printed[2], "(define-fun g ((x!0 Bool) (y Bool)) Bool (and x!0 x y))");
    let again = read_well(&printed.join("\n"));
    assert_eq!(difference((&transcript.pool, &transcript.terms()), (&again.pool, &again.terms())), None);
}

/// A query that mentions an element of a model reads back.
#[test]
fn elements_of_models_have_their_sorts() {
    let text = "(declare-sort U 0)(declare-sort |a b| 0)(declare-fun f (U) U)
        (get-value ((f (as @U_3 U)) (as |@a b_0| |a b|)))";
    let transcript = read_well(text);
    let query = print::command(&transcript.pool, transcript.commands.last().expect("there are four"));
    assert_eq!(query, "(get-value ((f (as @U_3 U)) (as |@a b_0| |a b|)))");
}
