//! Data types without recursion: their declarations, terms and printing, and what is refused of them.

use bivalve_formats::smtlib::{Command, Parser, ParserOptions, print};
use bivalve_terms::print::{BitVecFormat, Values};
use bivalve_terms::{Assignment, Pool, Term, eval};

const PROLOGUE: &str = "(declare-datatypes ((Color 0) (Pair 0))
  (((red) (green) (blue)) ((mk (left (_ BitVec 2)) (right Shade)))))
";

/// Declarations that all cases may use.
const DECLARATIONS: &str = "(declare-datatypes ((Pair 0) (Color 0))
  (((mk (left (_ BitVec 2)) (right Color))) ((red) (green) (blue))))
(declare-datatypes ((Option 1)) ((par (X) ((none) (some (val X))))))
(declare-datatypes ((Either 2)) ((par (X Y) ((ours (our X)) (theirs (their Y))))))
(declare-datatype Quad (par (A B) ((quad (fst (Option A)) (snd B)))))
(define-sort Maybe (T) (Option (Option T)))
";

/// The terms of `get-value` and of assertions, as they are written, or the first refusal.
fn read(text: &str, unused_data_types: bool) -> Result<(Pool, Vec<Term>), String> {
    let options = ParserOptions { strict: false, unused_data_types };
    let mut parser = Parser::new(text.as_bytes(), "records.smt2", options);
    let (mut pool, mut terms) = (Pool::new(), vec![]);
    loop {
        match parser.next_written_command(&mut pool, &mut |_| None) {
            Ok(None) => return Ok((pool, terms)),
            Ok(Some(Command::Assert { term, .. })) => terms.push(term),
            Ok(Some(Command::GetValue(list))) => terms.extend(list.iter().map(|&(_, term)| term)),
            Ok(Some(command)) => parser.symbols_mut().follow(&command),
            Err(refusal) => return Err(refusal.to_string()),
        }
    }
}

/// The values of terms without symbols.
fn values(terms: &str) -> String {
    let (pool, terms) = read(&format!("{DECLARATIONS}(get-value ({terms}))"), false).expect("it is read");
    let values = Values::new(&pool, BitVecFormat::Binary);
    let shown =
        terms.iter().map(|&term| values.value(pool.sort(term), &eval(&pool, term, &Assignment::new())));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn terms_of_data_types_are_read() {
    assert_eq!(values("red (mk #b01 blue) (left (mk #b01 blue))"), "red (mk #b01 blue) #b01");
    assert_eq!(values("(some red) (as none (Option Bool))"), "(some red) (as none (Option Bool))");
    assert_eq!(values("((as some (Option Bool)) true) (is-some (some red))"), "(some true) true");
    assert_eq!(
        values("((_ is none) (some red)) ((_ update left) (mk #b01 red) #b11)"),
        "false (mk #b11 red)"
    );
    assert_eq!(values("((as ours (Either Bool Color)) true)"), "((as ours (Either Bool Color)) true)");
    assert_eq!(
        values("(quad (some #b1) (as none (Maybe Bool)))"),
        "(quad (some #b1) (as none (Option (Option Bool))))"
    );
    assert_eq!(
        values("((_ update our) ((as theirs (Either Bool Bool)) true) false)"),
        "((as theirs (Either Bool Bool)) true)"
    );
    assert_eq!(values("(let ((red (mk #b00 green))) (right red))"), "green");
}

#[test]
fn cases_are_chosen_by_constructors() {
    let number = "((red #b00) (green #b01) (blue #b10))";
    assert_eq!(values(&format!("(match blue {number})")), "#b10");
    assert_eq!(
        values("(match (mk #b01 blue) (((mk l r) (some (mk (bvnot l) r)))))"),
        "(some (mk #b10 blue))"
    );
    assert_eq!(values("(match (some #b1) ((none #b0) ((some x) x)))"), "#b1");
    assert_eq!(values("(match red ((green false) (other (= other red))))"), "true");
    assert_eq!(values("(match red ((_ true) (red false)))"), "true");
    assert_eq!(
        values("(match (mk #b01 blue) (((mk _ _) (match (some red) (((some c) c) (none blue))))))"),
        "red"
    );
    // A variable hides what has its name, and only in its case.
    assert_eq!(values("(let ((x true)) (match (some false) (((some x) x) (none x))))"), "false");
    assert_eq!(values("(let ((x true)) (match (as none (Option Bool)) (((some x) x) (none x))))"), "true");
}

#[test]
fn what_is_printed_is_read_again() {
    let text = format!(
        "{DECLARATIONS}(declare-const o (Option Pair))\n(declare-const e (Either Bool Color))\n\
         (assert ((_ is some) ((_ update val) o (mk #b00 red))))\n\
         (assert (= (val o) (mk #b01 (their e))))\n\
         (assert (= e ((as ours (Either Bool Color)) true)))\n"
    );
    let (pool, terms) = read(&text, false).expect("it is read");
    let shown: Vec<String> = terms.iter().map(|&term| print::term(&pool, term)).collect();
    for shown in &shown {
        assert!(text.contains(&format!("(assert {shown})")), "{shown}");
    }
}

/// The standard's version 2.0 has another form, without parentheses around constructors.
#[test]
fn the_older_form_is_read() {
    let text = "(declare-datatypes () ((Color red green) (Both (both (one Color) (other Bool)))))
        (declare-datatypes (S T) ((Pair (pair (left S) (right T))) (Twice (twice (first Pair) (second Bool)))))
        (get-value ((pair red (both green true)) (left (pair true red)) (twice (pair red red) true)))";
    let (pool, terms) = read(text, false).expect("it is read");
    let shown: Vec<String> =
        terms.iter().map(|&term| eval(&pool, term, &Assignment::new()).to_string()).collect();
    assert_eq!(shown, ["(pair red (both green true))", "true", "(twice (pair red red) true)"]);
    let options = ParserOptions { strict: true, unused_data_types: false };
    let mut parser = Parser::new(text.as_bytes(), "records.smt2", options);
    assert!(parser.next_written_command(&mut Pool::new(), &mut |_| None).is_err());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        "(declare-datatype L ((nil) (cons (hd Bool) (tl L))))",
        "(declare-datatypes ((A 0) (B 0)) (((a (b B))) ((c (d (Array Bool A))))))",
        "(assert (match red ((red true) (blue false))))",
        "(assert (left red))",
        "(assert (= none none))",
        "(assert (= (ours true) (ours true)))",
        "(assert (= (mk #b0 red) (mk #b00 red)))",
        "(assert (= (mk #b00) (mk #b00 red)))",
        "(assert ((_ is left) red))",
        "(assert ((_ is rod) red))",
        "(assert (match (mk #b00 red) (((mk x) true))))",
        "(assert (match (mk #b00 red) (((mk x x) true))))",
        "(assert (match true ((red true))))",
        "(assert (match red ((red true) (_ #b1))))",
        "(assert (= red (as red Pair)))",
        "(declare-const x (Option Bool Bool))",
        "(declare-const x Option)",
        "(declare-datatype D ((red)))",
        "(declare-datatype D ((d (e Bool) (e Bool))))",
        "(declare-datatype D ())",
        "(declare-datatypes ((D 1)) ((par (X Y) ((d)))))",
        "(declare-const mk Bool)",
        "(declare-sort S 0) (declare-datatype D ((d (s S)) (e))) (declare-const x D) (assert (= x x))",
    ];
    let refused = cases.map(|case| {
        let refusal = read(&format!("{DECLARATIONS}{case}"), false).err().unwrap_or_default();
        format!("{case}\n  {refusal}\n")
    });
    insta::assert_snapshot!("refused_records", refused.concat());
    let refusal = read(PROLOGUE, false).err().unwrap_or_default();
    assert_eq!(refusal, "records.smt2:2:59: expected a declared sort, found 'Shade'");
}

/// A declaration that is refused leaves nothing behind; where declarations are only passed over, uses are
/// refused.
#[test]
fn recursion_is_refused_at_the_declaration_or_at_its_uses() {
    let list = "(declare-datatypes ((L 0) (C 0)) (((nil) (cons (tl L))) ((red))))\n";
    assert!(read(list, false).is_err());
    let older = "(declare-datatypes (T) ((List nil (cons (head T) (tail List)))))";
    let refusal = read(older, false).err().unwrap_or_default();
    assert_eq!(
        refusal,
        "records.smt2:1:56: expected data types without recursion, found 'List' within itself"
    );
    assert!(read(list, true).is_ok());
    let refusal = read(&format!("{list}(declare-const x L)"), true).err().unwrap_or_default();
    let expected = "expected a supported sort, found 'L': data types with recursion are not supported";
    assert_eq!(refusal, format!("records.smt2:2:18: {expected}"));
}

/// A thousand types in one declaration, each of which mentions the next one: the order is found, and what is
/// nested too deep is refused, whatever the order of the text.
#[test]
fn many_types_are_put_in_order() {
    let nested = |count: usize| {
        let headers: String = (0..=count).map(|i| format!("(T{i} 0)")).collect();
        let types: String = (0..count).map(|i| format!("((c{i} (s{i} T{})))", i + 1)).collect();
        read(&format!("(declare-datatypes ({headers}) ({types} ((last))))"), false)
    };
    assert!(nested(200).is_ok());
    let refusal = nested(3000).err().unwrap_or_default();
    assert!(refusal.contains("arrays and records nested at most 256 deep"), "{refusal}");
    let doubled: String =
        (0..64).map(|i| format!("(declare-datatype D{} ((d{i} (a{i} D{i}) (b{i} D{i}))))", i + 1)).collect();
    let refusal = read(&format!("(declare-datatype D0 ((z)))\n{doubled}"), false).err().unwrap_or_default();
    assert!(refusal.contains("records of at most 16777216 bits"), "{refusal}");
}
