//! CVC: what is read, what is refused, and real files.

use crate::collection::files;
use bivalve_formats::cvc;
use bivalve_formats::smtlib::Command;
use bivalve_terms::{Pool, eval};

fn commands(text: &str) -> Vec<String> {
    let mut pool = Pool::new();
    let problem = cvc::read(&mut pool, text.as_bytes(), "text")
        .unwrap_or_else(|refusal| panic!("{}", refusal.render()));
    let show = |command: Command| match command {
        Command::Assert { term, .. } => pool.display(term).to_string(),
        Command::CheckSat => "check".into(),
        Command::GetModel => "model".into(),
        Command::Push(_) => "push".into(),
        Command::Pop(_) => "pop".into(),
        other => format!("{other:?}"),
    };
    problem.commands.into_iter().map(show).collect()
}

/// The formula of `ASSERT`, over bit-vectors x, y of 4 bits, an array a and Booleans p, q, r.
fn formula(text: &str) -> String {
    let head = "x, y : BITVECTOR(4); a : ARRAY BITVECTOR(4) OF BITVECTOR(8); p, q, r : BOOLEAN; f : BITVECTOR(4) -> BOOLEAN;";
    commands(&format!("{head} ASSERT {text};")).remove(0)
}

#[test]
fn operators_have_the_precedence_of_stp() {
    for (text, expected) in [
        ("p XOR q <=> r => p => q OR r AND NOT p", "(xor p (= q (=> r (=> p (or q (and r (not p)))))))"),
        ("p AND q OR r AND p", "(or (and p q) (and r p))"),
        ("NOT p NAND q NOR r", "(not (and (not p) (not (or q r))))"),
        ("NOT NOT x = y", "(not (not (= x y)))"),
        ("x @ y = y @ x", "(= (concat x y) (concat y x))"),
        (
            "x | y & ~x /= y[2:1] @ x[3:2]",
            "(distinct (bvor x (bvand y (bvnot x))) (concat ((_ extract 2 1) y) ((_ extract 3 2) x)))",
        ),
        ("x @ x << 2 = 0b0000000000", "(= (concat x (concat x #b00)) #b0000000000)"),
        ("x >> 3 = y >> 9", "(= (concat #b000 ((_ extract 3 3) x)) #b0000)"),
        ("x << y = x >> y", "(= (bvshl x y) (bvlshr x y))"),
        ("a[x] = a(y)", "(= (select a x) (select a y))"),
        ("a WITH [x] := 0hex0f WITH [y] := a[x] = a", "(= (store (store a x #b00001111) y (select a x)) a)"),
        ("(a WITH [x] := a[y])[y] = 0hFF", "(= (select (store a x (select a y)) y) #b11111111)"),
        ("f(x) AND f(y | x)", "(and (f x) (f (bvor y x)))"),
        ("IF p THEN x ELSIF q THEN y ELSE x & y ENDIF = x", "(= (ite p x (ite q y (bvand x y))) x)"),
        ("IF p THEN q ELSE r ENDIF", "(ite p q r)"),
        (
            "LET z = x | y, p = z = x IN p AND LET z = p IN z OR q",
            "(let ((_t0 (= (bvor x y) x))) (and _t0 (or _t0 q)))",
        ),
        ("(LET z = x IN z) = LET x : BITVECTOR(4) = y IN x", "(= x y)"),
        (
            "BVPLUS(4, x, y, 0bin1) = BVSUB(6, x, y)[3:0]",
            "(= (bvadd x y ((_ zero_extend 3) #b1)) ((_ extract 3 0) (bvsub ((_ zero_extend 2) x) ((_ zero_extend 2) y))))",
        ),
        (
            "BVMULT(2, x, y) = BVUMINUS(0bin10)",
            "(= (bvmul ((_ extract 1 0) x) ((_ extract 1 0) y)) (bvneg #b10))",
        ),
        (
            "SBVDIV(4, x, y) = BVMOD(4, BVDIV(4, x, y), SBVREM(4, x, y))",
            "(= (bvsdiv x y) (bvurem (bvudiv x y) (bvsrem x y)))",
        ),
        ("BVLT(x, y) OR SBVGE(x, y)", "(or (bvult x y) (bvsge x y))"),
        ("BVSX(x, 6) = BVZEROEXTEND(y, 2)", "(= ((_ sign_extend 2) x) ((_ zero_extend 2) y))"),
        (
            "BVZX(x, 6)[5:5] = BOOLBV(BOOLEXTRACT(x, 3))",
            "(= ((_ extract 5 5) ((_ zero_extend 2) x)) (ite (= ((_ extract 3 3) x) #b1) #b1 #b0))",
        ),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn queries_have_a_level_of_their_own() {
    let text = "% a comment\nOPTION \"x\" 5; x : BITVECTOR(8); T : TYPE = BITVECTOR(8); y : T = BVUMINUS(x);\n\
                ASSERT x = y; QUERY FALSE; COUNTEREXAMPLE; ASSERT TRUE; CHECKSAT x = y; PUSH; CHECKSAT; POP;";
    assert_eq!(
        commands(text),
        [
            "(= x (bvneg x))",
            "push",
            "check",
            "model",
            "pop",
            "true",
            "push",
            "(= x (bvneg x))",
            "check",
            "pop",
            "push",
            "push",
            "check",
            "pop",
            "pop"
        ]
    );
}

#[test]
fn faults_are_located() {
    for (text, expected) in [
        ("ASSERT x;", "f:1:8: expected an expression, found 'x'"),
        ("x : BITVECTOR(8); ASSERT x;", "f:1:26: expected a formula, found type BITVECTOR(8)"),
        (
            "x : BITVECTOR(8); ASSERT x = 0hexf;",
            "f:1:30: expected type BITVECTOR(8) as argument 2 of '=', found type BITVECTOR(4)",
        ),
        ("x : BITVECTOR(0);", "f:1:15: expected a width from 1 to 16777216, found 0"),
        ("x : BOOLEAN = 0b11;", "f:1:15: expected type BOOLEAN, found type BITVECTOR(2)"),
        ("x : INT;", "f:1:5: expected a type (BITVECTOR(n), BOOLEAN, ARRAY ... OF ...), found 'INT'"),
        ("x : BOOLEAN; x : BOOLEAN;", "f:1:14: expected a name that is free, found 'x'"),
        ("QUERY (TRUE;", "f:1:12: expected an operator or the end of what is open, found ';'"),
        ("QUERY TRUE);", "f:1:11: expected ';', found ')'"),
        ("QUERY TRUE", "f:1:11: expected ';', found end of input"),
        (
            "QUERY IF TRUE THEN TRUE ENDIF;",
            "f:1:25: expected an operator or the end of what is open, found 'ENDIF'",
        ),
        ("QUERY BVSX(0b1, 5 @ 0b1) = 0b1;", "f:1:19: expected ',' or ')', found '@'"),
        ("QUERY BVSX(0b1) = 0b1;", "f:1:7: expected other arguments, found 1 expressions and 0 numbers"),
        ("QUERY 5 = 0b1;", "f:1:7: expected an expression, found '5'"),
        ("QUERY 0b12 = 0b1;", "f:1:7: expected binary or hexadecimal digits, found '0b12'"),
        ("QUERY LET x = 0b1 IN x = x AND y;", "f:1:32: expected an expression, found 'y'"),
        ("QUERY (LET x = 0b1 IN x) = x;", "f:1:28: expected an expression, found 'x'"),
        ("FROB 5;", "f:1:1: expected a command or a declaration, found 'FROB'"),
        ("QUERY 0b11[2:0] = 0b1;", "f:1:7: expected 1 >= hi >= lo >= 0 in '[i:j]', found hi = 2 and lo = 0"),
    ] {
        let refusal = cvc::read(&mut Pool::new(), text.as_bytes(), "f").expect_err(text).to_string();
        assert!(refusal.starts_with(expected), "{text}: {refusal}");
    }
}

/// KLEE has names with dashes. A run of them is looked at once.
#[test]
fn dashes_are_inside_of_names() {
    let names = |text: &str| -> Option<Vec<String>> {
        let mut pool = Pool::new();
        let problem = cvc::read(&mut pool, text.as_bytes(), "text").ok()?;
        Some(problem.symbols.iter().map(|&symbol| pool.name(symbol).unwrap_or_default().to_owned()).collect())
    };
    let f = "f : BITVECTOR(4)->BITVECTOR(4); S-1 : TYPE; g : S-1->S-1;";
    assert_eq!(names(f), Some(vec!["f".into(), "g".into()]));
    let a = "A-data-0 : ARRAY BITVECTOR(8) OF BITVECTOR(8); ASSERT A-data-0[0x01] = 0x02;";
    assert_eq!(names(a), Some(vec!["A-data-0".into()]));
    assert_eq!(names("a--b : BOOLEAN;"), Some(vec!["a--b".into()]));
    for faulty in ["a- : BOOLEAN;", "-a : BOOLEAN;", "a : BOOLEAN; ASSERT -a;"] {
        assert_eq!(names(faulty), None, "{faulty}");
    }
    let long = format!("a{}b : BOOLEAN;", "-".repeat(1 << 22));
    assert_eq!(names(&long).map(|names| names.len()), Some(1));
}

#[test]
fn depth_costs_no_stack() {
    let depth = 200_000;
    let text = format!("x : BOOLEAN; QUERY {}x{};", "NOT (".repeat(depth), ")".repeat(depth));
    let thread = std::thread::Builder::new().stack_size(1 << 17).spawn(move || {
        let mut pool = Pool::new();
        let problem = cvc::read(&mut pool, text.as_bytes(), "text").unwrap();
        let Command::Assert { term, .. } = problem.commands[1] else { panic!("a query is asserted") };
        assert_eq!(eval(&pool, term, &Default::default()).as_bool(), Some(true));
    });
    thread.unwrap().join().unwrap();
}

/// Files with records, tuples, data types or integers.
const UNSUPPORTED: &[&str] = &["boolean-terms-rewrite"];

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn real_files_are_read() {
    let (mut read, mut refused) = (0, vec![]);
    let files = files(&["cvc/CVC", "cvc/CVC-A"], &[".cvc"]);
    for (name, text) in &files {
        match cvc::read(&mut Pool::new(), text, name) {
            Ok(_) => read += 1,
            Err(refusal) => refused.push(refusal.to_string()),
        }
    }
    println!("{read} of {} files are read", files.len());
    refused.retain(|refusal| !UNSUPPORTED.iter().any(|name| refusal.contains(name)));
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
