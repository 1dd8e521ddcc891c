//! Quantified formulas: read, printed and read again, and refused at their places.

use bivalve_formats::smtlib::{Command, Parser, ParserOptions, print};
use bivalve_terms::{
    Assignment, BitVec, Op, Pool, Sort, Term, eval, free_symbols, is_enumerable, outermost_binders,
};

/// The assertions of a script, as they are written.
fn written(pool: &mut Pool, text: &str) -> Result<Vec<Term>, String> {
    let mut parser = Parser::new(text.as_bytes(), "f", ParserOptions::default());
    let mut assertions = vec![];
    loop {
        match parser.next_written_command(pool, &mut |_| None) {
            Ok(Some(Command::Assert { term, .. })) => assertions.push(term),
            Ok(Some(_)) => {}
            Ok(None) => return Ok(assertions),
            Err(refusal) => return Err(refusal.to_string()),
        }
    }
}

/// Scopes: each of these is true for all values of what is declared.
const TRUE: &[&str] = &[
    "(forall ((y (_ BitVec 2))) (= y y))",
    "(exists ((y (_ BitVec 2)) (z Bool)) (and (= y #b10) z))",
    "(not (forall ((x (_ BitVec 2))) (= x #b01)))",
    // Variables are shadowed by variables, and by those of 'let'; a 'let' does not look into its own list.
    "(exists ((x (_ BitVec 2))) (and (= x #b11) (forall ((x Bool)) (or x (not x)))))",
    "(forall ((y (_ BitVec 2))) (let ((y (bvadd y #b01)) (z y)) (= (bvsub y #b01) z)))",
    "(let ((y x)) (exists ((x (_ BitVec 2))) (= x y)))",
    "(forall ((y (_ BitVec 2))) (exists ((z (_ BitVec 2))) (= (bvadd y z) x)))",
    // Patterns and names of quantifiers are passed over.
    "(forall ((y (_ BitVec 2))) (! (= (bvadd y x) (bvadd x y)) :pattern ((bvadd y x)) :qid |q 1|))",
    "(is-own #b01)",
    // Names of variables are those of symbols, and the printer keeps them apart.
    "(exists ((x! (_ BitVec 2))) (forall ((|x!| (_ BitVec 2))) (bvule x #b11)))",
    "(forall ((a (Array (_ BitVec 1) (_ BitVec 1)))) (exists ((i (_ BitVec 1))) (= (select a i) (select a #b0))))",
];

const DECLARED: &str = "(declare-const x (_ BitVec 2))
    (define-fun is-own ((y (_ BitVec 2))) Bool (exists ((z (_ BitVec 2))) (and (= z y) (forall ((y Bool)) (= y y)))))";

#[test]
fn quantified_formulas_are_read_and_printed() {
    for text in TRUE {
        let mut pool = Pool::new();
        let all = written(&mut pool, &format!("{DECLARED}(assert {text})"))
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        let script = print::script(&pool, &print::Script { assertions: &all, ..print::Script::default() });
        let mut other = Pool::new();
        let again = written(&mut other, &script).unwrap_or_else(|e| panic!("{script}: {e}"));
        assert!(!outermost_binders(&other, &again).is_empty(), "{script}");
        for (pool, terms) in [(&pool, &all), (&other, &again)] {
            assert!(is_enumerable(pool, terms[0]));
            assert!(eval(pool, terms[0], &Assignment::new()).expect_bool(), "{text}\n{script}");
        }
    }
}

/// What is shared below a binder and mentions its variables is bound within it.
#[test]
fn shared_terms_stay_within_their_binder() {
    let mut pool = Pool::new();
    let text = "(assert (forall ((y (_ BitVec 2))) (let ((z (bvmul y y))) (let ((u (bvadd z z))) (= (bvsub u u) #b00)))))";
    let all = written(&mut pool, text).unwrap();
    let shown = pool.display(all[0]).to_string();
    assert!(shown.starts_with("(forall ((y (_ BitVec 2))) (let ((_t0 (bvmul y y)))"), "{shown}");
    assert_eq!(written(&mut Pool::new(), &format!("(assert {shown})")).unwrap().len(), 1);
    // A negated formula for all values of what is negated is one for some.
    let text = "(assert (exists ((y Bool)) y))";
    let all = written(&mut pool, text).unwrap();
    assert_eq!(pool.display(all[0]).to_string(), "(exists ((y Bool)) y)");
    assert_eq!(pool.op(all[0]), Op::Not);
}

/// Quantifiers one below the other, with and without negations between them: the text says the same.
#[test]
fn any_nesting_is_printed() {
    const WORDS: [&str; 5] = [
        "(forall ((? (_ BitVec 2))) ",
        "(exists ((? (_ BitVec 2))) ",
        "(not ",
        "(or ",
        "(let ((q (= a b))) ",
    ];
    let mut wrong = vec![];
    for number in 0..5u32.pow(4) {
        let words: Vec<&str> = (0..4).map(|place| WORDS[(number / 5u32.pow(place) % 5) as usize]).collect();
        let opened: String =
            words.iter().zip(["a", "b", "a", "c"]).map(|(word, v)| word.replace('?', v)).collect();
        let text = format!(
            "(declare-const a (_ BitVec 2))(declare-const b (_ BitVec 2))(declare-const c (_ BitVec 2))
            (assert {opened}(bvult (bvmul a c) b){}",
            ")".repeat(5)
        );
        let mut pool = Pool::new();
        let all = written(&mut pool, &text).unwrap();
        let script = print::script(&pool, &print::Script { assertions: &all, ..Default::default() });
        let mut other = Pool::new();
        match written(&mut other, &script) {
            Ok(read) if said(&pool, all[0]) == said(&other, read[0]) => {}
            read => wrong.push(format!("{opened}: {script} {read:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong[0]);
}

/// The truth of a formula for all values of `a`, `b` and `c`.
fn said(pool: &Pool, formula: Term) -> Vec<bool> {
    let free = free_symbols(pool, &[formula]);
    let value = |number: u64, name: &str| {
        let symbol = free.iter().find(|&&symbol| pool.name(symbol) == Some(name));
        symbol.map(|&symbol| (symbol, BitVec::from_u64(number, 2)))
    };
    let points = (0..64).map(|number| {
        let mut assignment = Assignment::new();
        let values = [value(number % 4, "a"), value(number / 4 % 4, "b"), value(number / 16, "c")];
        values.into_iter().flatten().for_each(|(symbol, value)| assignment.set(symbol, value));
        eval(pool, formula, &assignment).expect_bool()
    });
    points.collect()
}

/// A list of variables stands for one quantifier in the other, so the last of the same name is meant.
#[test]
fn of_variables_with_one_name_the_last_is_meant() {
    let mut pool = Pool::new();
    let text = "(assert (forall ((y Bool) (y (_ BitVec 4))) (= y #x0)))";
    let all = written(&mut pool, text).unwrap();
    let (variables, body) = pool.binder(all[0]).unwrap();
    assert_eq!(pool.args(body)[0], variables[1]);
    assert_eq!(pool.sort(variables[0]), Sort::BOOL);
    let shown = pool.display(all[0]).to_string();
    assert_eq!(written(&mut Pool::new(), &format!("(assert {shown})")).unwrap().len(), 1, "{shown}");
    // Different variables that have one name are told apart in texts.
    let sort = Sort::bitvec(4).unwrap();
    let [x, y] = ["x", "x"].map(|name| pool.symbol(name, sort));
    let less = pool.mk(Op::BvUlt, &[x, y]);
    let none = pool.bind(&[x, y], less).unwrap();
    let shown = pool.display(none).to_string();
    let mut other = Pool::new();
    let read = written(&mut other, &format!("(assert {shown})")).unwrap();
    let (variables, body) = other.binder(read[0]).unwrap();
    assert_eq!(other.args(body), variables, "{shown}");
}

#[test]
fn faults_are_told_at_their_places() {
    let cases = [
        (
            "(define-fun f ((y Bool) (y Bool)) Bool y)",
            "f:1:26: expected different parameters, found 'y' twice",
        ),
        (
            "(assert (forall ((y (_ BitVec 2))) y))",
            "f:1:9: expected a body of sort Bool, found a body of sort",
        ),
        ("(assert (forall ((y Bool)) y y))", "f:1:30: expected ')'"),
        ("(assert (forall ((y Bool))))", "f:1:27: expected a term"),
        ("(assert (and (forall ((y Bool)) y) y))", "f:1:36: expected a declared"),
        (
            "(assert (forall ((y Bool)) (! y :named n)))",
            "f:1:40: expected a name of a term without variables of quantifiers",
        ),
        (
            "(declare-sort S 0)(assert (forall ((y S)) true))",
            "quantifiers over declared sorts are not supported",
        ),
    ];
    let mut wrong = vec![];
    for (text, expected) in cases {
        let refusal = written(&mut Pool::new(), text).unwrap_err();
        if !refusal.contains(expected) {
            wrong.push(format!("{text}: {refusal}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who is handed images is told so.
#[test]
fn images_have_no_quantifiers() {
    let text = "(assert (exists ((y Bool)) y))";
    let mut parser = Parser::new(text.as_bytes(), "f", ParserOptions::default());
    let refusal = parser.next_command(&mut Pool::new()).unwrap_err().to_string();
    assert!(refusal.contains("quantifiers are not known here"), "{refusal}");
}
