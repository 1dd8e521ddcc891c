//! Integer terms mean what integers are: random terms are read, evaluated as they are written and as
//! bit-vectors, and compared with big integers of a library that terms do not use.

use crate::smtlib::transcript::{LENIENT, read, read_well};
use bivalve_formats::DiagnosticKind;
use bivalve_formats::smtlib::{Command, Parser, print};
use bivalve_lowering::Lowering;
use bivalve_terms::{Assignment, BitVec, Pool, Term, eval};
use dashu_int::ops::{DivEuclid, RemEuclid};
use dashu_int::{IBig, UBig};
use fastrand::Rng;

/// Bit-vectors with the values that they have.
struct Variables(Vec<(String, BitVec)>);

impl Variables {
    fn new(rng: &mut Rng) -> Variables {
        let variable = |name: &str| {
            let width = [1, 2, 3, 8, 33, 70][rng.usize(..6)];
            let words = [rng.u64(..), rng.u64(..)];
            let value = match rng.u8(..5) {
                0 => BitVec::min_signed(width),
                1 => BitVec::ones(width),
                _ => BitVec::from_words(&words, width),
            };
            (name.to_owned(), value)
        };
        Variables(["x", "y", "z"].map(variable).into())
    }

    fn declarations(&self) -> String {
        let declaration =
            |(name, value): &(String, BitVec)| format!("(declare-const {name} (_ BitVec {}))", value.width());
        self.0.iter().map(declaration).collect()
    }

    fn assignment(&self, parser: &Parser<&[u8]>) -> Assignment {
        let mut assignment = Assignment::new();
        for (name, value) in &self.0 {
            assignment.set(parser.symbols().lookup(name).expect("it is declared"), value.clone());
        }
        assignment
    }
}

fn unsigned(value: &BitVec) -> IBig {
    IBig::from_str_radix(&value.to_decimal_string(), 10).expect("digits")
}

fn signed(value: &BitVec) -> IBig {
    match value.msb() {
        true => unsigned(value) - (IBig::ONE << value.width() as usize),
        false => unsigned(value),
    }
}

/// A random integer term and its value.
fn term(rng: &mut Rng, variables: &Variables, size: u32) -> (String, IBig) {
    if size == 0 {
        let (name, value) = &variables.0[rng.usize(..variables.0.len())];
        return match rng.u8(..4) {
            0 => (format!("(ubv_to_int {name})"), unsigned(value)),
            1 => (format!("(bv2nat {name})"), unsigned(value)),
            2 => (format!("(sbv_to_int {name})"), signed(value)),
            _ => {
                let number = rng.u64(..) >> rng.u32(..64);
                (number.to_string(), number.into())
            }
        };
    }
    let part = |rng: &mut Rng| {
        let size = rng.u32(..size);
        term(rng, variables, size)
    };
    let (a, b) = (part(rng), part(rng));
    match rng.u8(..10) {
        0 => {
            let c = part(rng);
            (format!("(+ {} {} {})", a.0, b.0, c.0), a.1 + b.1 + c.1)
        }
        1 => {
            let c = part(rng);
            (format!("(- {} {} {})", a.0, b.0, c.0), a.1 - b.1 - c.1)
        }
        2 => (format!("(- {})", a.0), -a.1),
        3 => (format!("(* {} {})", a.0, b.0), a.1 * b.1),
        4 => (format!("(abs {})", a.0), magnitude(a.1)),
        5 => {
            let (condition, holds) = comparison(rng, &a, &b);
            (format!("(ite {condition} {} {})", a.0, b.0), if holds { a.1 } else { b.1 })
        }
        6 => (format!("(let ((n {})) (+ n n))", a.0), IBig::from(2) * a.1),
        kind => {
            let least = rng.u64(1..9);
            let divisor = match rng.u8(..4) {
                0 => (format!("(+ (abs {}) {least})", b.0), magnitude(b.1) + least),
                1 => (format!("(- (- {least}) (abs {}))", b.0), -magnitude(b.1) - least),
                2 => (format!("(- {least})"), -IBig::from(least)),
                _ => (least.to_string(), least.into()),
            };
            match kind {
                7 => (format!("(div {} {})", a.0, divisor.0), a.1.div_euclid(divisor.1)),
                _ => (format!("(mod {} {})", a.0, divisor.0), a.1.rem_euclid(divisor.1).into()),
            }
        }
    }
}

fn magnitude(value: IBig) -> IBig {
    if value < IBig::ZERO { -value } else { value }
}

fn comparison(rng: &mut Rng, (a, x): &(String, IBig), (b, y): &(String, IBig)) -> (String, bool) {
    let (op, holds) = match rng.u8(..6) {
        0 => ("<", x < y),
        1 => ("<=", x <= y),
        2 => (">", x > y),
        3 => (">=", x >= y),
        4 => ("=", x == y),
        _ => ("distinct", x != y),
    };
    (format!("({op} {a} {b})"), holds)
}

/// The terms of the last `get-value` of a script.
fn terms(text: &str, pool: &mut Pool, parser: &mut Parser<&[u8]>) -> Vec<Term> {
    let mut terms = vec![];
    while let Some(command) =
        parser.next_written_command(pool, &mut |_| None).unwrap_or_else(|e| panic!("{}{text}", e.render()))
    {
        if let Command::GetValue(values) = command {
            terms = values.into_iter().map(|(_, term)| term).collect();
        }
    }
    terms
}

#[test]
fn random_terms_have_the_values_of_big_integers() {
    for seed in 0..3000 {
        let rng = &mut Rng::with_seed(seed);
        let variables = Variables::new(rng);
        let (text, value) = term(rng, &variables, 4);
        let other = term(rng, &variables, 2);
        let (condition, holds) = comparison(rng, &(text.clone(), value.clone()), &other);
        let width = [1, 5, 64, 200][rng.usize(..4)];
        let script = format!(
            "{}(get-value ({text} ((_ int_to_bv {width}) {text}) ((_ int2bv {width}) {text}) {condition}))",
            variables.declarations()
        );
        let (mut pool, mut parser) = (Pool::new(), Parser::new(script.as_bytes(), "test", LENIENT));
        let terms = terms(&script, &mut pool, &mut parser);
        let mut lowered = Lowering::new();
        terms.iter().for_each(|&term| lowered.check(&pool, term).unwrap());
        let assignment = variables.assignment(&parser);
        let found = eval(&pool, terms[0], &assignment);
        assert_eq!(found.expect_int().to_string(), value.to_string(), "seed {seed}: {script}");
        let image = lowered.formula(&mut pool, terms[0]);
        let found = eval(&pool, image, &assignment);
        assert_eq!(signed(found.expect_bitvec()), value, "seed {seed}: {script}");
        let low: UBig = value.rem_euclid(IBig::ONE << width);
        for vector in &terms[1..3] {
            let found = eval(&pool, *vector, &assignment);
            assert_eq!(unsigned(found.expect_bitvec()), IBig::from(low.clone()), "seed {seed}: {script}");
            assert_eq!(found.expect_bitvec().width() as usize, width);
        }
        assert_eq!(eval(&pool, terms[3], &assignment).expect_bool(), holds, "seed {seed}: {script}");
    }
}

#[test]
fn definitions_with_integer_results_are_expanded_over_their_arguments() {
    let text = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
        (define-fun double ((a (_ BitVec 8))) Int (* 2 (ubv_to_int a)))
        (define-const n Int (- (double x) 1))
        (define-fun same ((a (_ BitVec 8)) (b (_ BitVec 8))) Bool (= (double a) (double b)))
        (assert (= n (double y))) (assert (same x y))";
    let transcript = read_well(text);
    let asserted: Vec<String> =
        transcript.assertions().iter().map(|&term| print::term(&transcript.pool, term)).collect();
    assert!(asserted.iter().all(|text| text.contains('x') && text.contains('y')), "{asserted:?}");
    assert!(asserted.iter().all(|text| !text.contains("sbv_to_int")), "{asserted:?}");
}

/// What is printed of an integer term is what was written, and reads as the same again.
#[test]
fn integer_terms_are_printed_as_they_are_written() {
    let declaration = "(declare-const x (_ BitVec 2))";
    let text = "(ite (< (- (ubv_to_int x)) 3 (sbv_to_int ((_ int_to_bv 7) (- 4 1 2)))) \
                (div (* 2 (+ (ubv_to_int x) 1)) 3 5) (mod (abs (sbv_to_int x)) 7))";
    let mut printed = text.to_owned();
    for _ in 0..2 {
        let (mut pool, script) = (Pool::new(), format!("{declaration}(get-value ({printed}))"));
        let mut parser = Parser::new(script.as_bytes(), "test", LENIENT);
        let terms = terms(&script, &mut pool, &mut parser);
        printed = print::term(&pool, terms[0]);
        assert_eq!(
            printed,
            "(let ((_t0 (ubv_to_int x))) (ite (< (- _t0) 3 (sbv_to_int ((_ int_to_bv 7) (- 4 1 2)))) \
             (div (* 2 (+ _t0 1)) 3 5) (mod (abs (sbv_to_int x)) 7)))"
        );
    }
}

/// By default, for readers who know no integers, images stand in the place of integer terms.
#[test]
fn images_stand_where_integers_are_not_known() {
    let transcript = read_well(
        "(declare-const x (_ BitVec 2))(get-value ((ubv_to_int x) (- 4)))
        (assert (= (ubv_to_int x) 3))(assert (bvult x #b10))",
    );
    let texts = |terms: &[Term]| -> Vec<String> {
        terms.iter().map(|&term| print::term(&transcript.pool, term)).collect()
    };
    assert_eq!(
        texts(&transcript.terms()),
        [
            "((_ zero_extend 1) x)",
            "(bvneg ((_ extract 2 0) #b0100))",
            "(= ((_ zero_extend 1) x) #b011)",
            "(bvult x #b10)"
        ]
    );
}

/// Names of integer operators are free for declarations, as in logics without integers.
#[test]
fn names_of_integer_operators_can_be_declared() {
    read_well(
        "(set-logic QF_UFBV)(declare-fun abs ((_ BitVec 8)) (_ BitVec 8))(declare-sort Int 0)(declare-const i Int)
        (define-fun mod ((x (_ BitVec 8)) (y (_ BitVec 8))) (_ BitVec 8) (bvurem (abs x) y))
        (declare-fun - (Int) Int)(assert (= (mod #x05 #x03) (abs #x01)))(assert (= (- i) i))",
    );
}

#[test]
fn terms_that_grow_without_bound_are_refused() {
    let mut text = String::from("(declare-const x (_ BitVec 64))(define-const n0 Int (ubv_to_int x))");
    for i in 0..40 {
        text.push_str(&format!("(define-const n{} Int (* n{i} n{i}))", i + 1));
    }
    let transcript = read(text.as_bytes(), LENIENT);
    assert!(transcript.commands.len() > 8, "{}", transcript.commands.len());
    assert_eq!(transcript.refusals[0].kind, DiagnosticKind::Unsupported);
    assert!(transcript.refusals[0].to_string().contains("an integer of at most 65536 bits"));
    let digits = format!("(assert (= {} 0))", "9".repeat(1_000_000));
    assert_eq!(read(digits.as_bytes(), LENIENT).refusals[0].kind, DiagnosticKind::Literal);
}
