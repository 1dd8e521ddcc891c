//! SMT-LIB 1.2: what is read, what is refused, and real files.

use crate::collection::files;
use bivalve_formats::smtlib::Command;
use bivalve_formats::smtlib1;
use bivalve_terms::Pool;

fn commands(text: &str) -> Vec<String> {
    let mut pool = Pool::new();
    let problem = smtlib1::read(&mut pool, text.as_bytes(), "text")
        .unwrap_or_else(|refusal| panic!("{}", refusal.render()));
    let show = |command: Command| match command {
        Command::Assert { term, .. } => pool.display(term).to_string(),
        Command::CheckSat => "check".into(),
        Command::Push(_) => "push".into(),
        Command::Pop(_) => "pop".into(),
        other => format!("{other:?}"),
    };
    problem.commands.into_iter().map(show).collect()
}

fn formula(text: &str) -> String {
    let head = "(benchmark b :logic QF_AUFBV :extrafuns ((x BitVec[4]) (y BitVec[4]) (a Array[4:8]) (f BitVec[4] U Bool) \
                (u U)) :extrapreds ((p) (q) (r BitVec[4]))";
    commands(&format!("{head} :formula {text})")).remove(0)
}

#[test]
fn formulas_become_terms() {
    for (text, expected) in [
        ("(implies p (if_then_else q (iff p q) (xor p q)))", "(=> p (ite q (= p q) (xor p q)))"),
        ("(and p (or q (r x)) (not (f y u)) true)", "(and p (or q (r x)) (not (f y u)) true)"),
        ("(and p)", "p"),
        ("(p)", "p"),
        ("((p))", "p"),
        ("(= (ite p x y) bv10[4])", "(= (ite p x y) #b1010)"),
        ("(= (bvadd x bvbin0011) (bvnot bvhexf))", "(= (bvadd x #b0011) (bvnot #b1111))"),
        ("(= bit1 (bvcomp x y))", "(= #b1 (bvcomp x y))"),
        (
            "(= bv7 bvhex00000007)",
            "(= #b00000000000000000000000000000111 #b00000000000000000000000000000111)",
        ),
        (
            "(= (concat (extract[3:2] x) (rotate_left[1] y)) (sign_extend[2] (zero_extend[0] (rotate_right[5] x))))",
            "(= (concat ((_ extract 3 2) x) ((_ rotate_left 1) y)) ((_ sign_extend 2) ((_ zero_extend 0) ((_ rotate_right 5) x))))",
        ),
        ("(= (select (store a x bv1[8]) y) bv0[8])", "(= (select (store a x #b00000001) y) #b00000000)"),
        ("(distinct x y (shift_left0 x 1))", "(distinct x y (concat ((_ extract 2 0) x) #b0))"),
        ("(= (shift_right1 x 3) (shift_left1 y 9))", "(= (concat #b111 ((_ extract 3 3) x)) #b1111)"),
        ("(and (bvlt x y) (bvsgeq x y) (bvule x y))", "(and (bvult x y) (bvsge x y) (bvule x y))"),
        (
            "(let (?t (bvadd x y)) (flet ($f (= ?t x)) (and $f (let (?t y) (= ?t y)) (= ?t y))))",
            "(let ((_t0 (bvadd x y))) (and (= _t0 x) (= y y) (= _t0 y)))",
        ),
        (
            "(ite (extract[0:0] x) p (bvand bit1 p))",
            "(ite (= ((_ extract 0 0) x) #b1) p (= (bvand #b1 (ite p #b1 #b0)) #b1))",
        ),
        ("(= p : (bvcomp x y))", "(= p (= (bvcomp x y) #b1))"),
        ("(and p :pat { x } q :note)", "(and p q)"),
    ] {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn several_formulas_are_several_questions() {
    let text = "(benchmark b :status sat :source { any (text } :extrapreds ((p) (q)) :assumption p :formula q\n\
                :assumption (not q) ; a comment\n :formula (not p) :notes \"x)\")";
    assert_eq!(
        commands(text),
        ["p", "push", "q", "check", "pop", "(not q)", "push", "(not p)", "check", "pop"]
    );
    assert_eq!(
        commands("(benchmark b :extrapreds ((p)) :formula p :assumption (not p))"),
        ["p", "(not p)", "check"]
    );
}

#[test]
fn faults_are_located() {
    let head = "(benchmark b :extrafuns ((x BitVec[4]))\n";
    for (text, expected) in [
        (
            ":formula (= x bv1[5]))",
            "f:2:15: expected sort (_ BitVec 4) as argument 2 of '=', found sort (_ BitVec 5)",
        ),
        (":formula (= x y))", "f:2:15: expected a term, found 'y'"),
        (":formula x)", "f:2:10: expected a formula, found (_ BitVec 4)"),
        (":formula (not true)", "f:2:20: expected an attribute or ')', found end of input"),
        (":formula (let (?y x) (= ?y ?z)))", "f:2:28: expected a term, found '?z'"),
        (":formula (and (let (?y x) (= ?y ?y)) (= ?y x)))", "f:2:41: expected a term, found '?y'"),
        (
            ":formula (= (extract[5:0] x) x))",
            "f:2:13: expected 3 >= hi >= lo >= 0 in 'extract', found hi = 5 and lo = 0",
        ),
        (":extrafuns ((x BitVec[4])))", "f:2:14: expected a name that is free, found 'x'"),
        (":extrafuns ((z Int)))", "f:2:16: expected a sort, found 'Int'"),
        (":source { no end", "f:2:9: expected '}', found end of input"),
        (":formula true) more", "f:2:16: expected end of input, found 'more'"),
        (":formula (forall (?x BitVec[4]) true))", "f:2:11: expected a term, found 'forall'"),
    ] {
        let text = format!("{head}{text}");
        let refusal = smtlib1::read(&mut Pool::new(), text.as_bytes(), "f").expect_err(&text).to_string();
        assert!(refusal.starts_with(expected), "{text}: {refusal}");
    }
}

#[test]
fn depth_costs_no_stack() {
    let depth = 200_000;
    let text = format!("(benchmark b :formula {}true{})", "(not ".repeat(depth), ")".repeat(depth));
    let thread = std::thread::Builder::new().stack_size(1 << 17).spawn(move || {
        let mut pool = Pool::new();
        assert_eq!(smtlib1::read(&mut pool, text.as_bytes(), "text").unwrap().commands.len(), 2);
    });
    thread.unwrap().join().unwrap();
}

/// Files with an undeclared variable, a width of zero, and parentheses at wrong places.
const MALFORMED: &[&str] = &["regsmtparse0", "smt1perr000", "smtaxiombvsrem"];

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn real_files_are_read() {
    let (mut read, mut refused) = (0, vec![]);
    let files = files(&["smt1/SMT1-QF_BV", "smt1/SMT1-QF_AUFBV"], &[".smt"]);
    for (name, text) in &files {
        match smtlib1::read(&mut Pool::new(), text, name) {
            Ok(_) => read += 1,
            Err(refusal) => refused.push(refusal.to_string()),
        }
    }
    println!("{read} of {} files are read", files.len());
    refused.retain(|refusal| !MALFORMED.iter().any(|name| refusal.contains(name)));
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
