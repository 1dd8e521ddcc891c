//! Certificates that show something wrong, one for each condition of a rule that a hostile one would like to
//! be missing; and certificates that ask for more than a machine has. All are refused, soon.

use bivalve_checker::check::check;

/// What the checker says of these steps for the first check of the script.
fn says(script: &str, steps: &str) -> String {
    let certificate = format!("bvc 1\ncheck 0\n{steps}\n");
    check(script, certificate.as_bytes()).expect_err("the certificate shows something wrong")
}

fn refused(script: &str, steps: &str, why: &str) {
    let said = says(script, steps);
    assert!(said.contains(why), "{said}");
}

const P: &str = "(declare-const p Bool) (declare-const q Bool) (assert (or p q)) (check-sat)";

#[test]
fn theorems_do_not_depend_on_suppositions() {
    // Supposing that a truth value is false, it is false: not for all truth values.
    let steps =
        "assertion 0\nsort 0\ntheorem 1 0\nterm false 0\nsuppose 1 0\nproved 0 1\ninstance 0 1 0\nend 0";
    refused(P, steps, "the theorem was not proved");
}

#[test]
fn a_bit_is_the_value_of_truth_values_alone() {
    // Both x and 1 have a lowest bit that is known; that does not make them equal.
    let script = "(declare-const x (_ BitVec 2)) (assert (= ((_ extract 0 0) x) #b1))
        (assert (not (= x #b01))) (check-sat)";
    let steps =
        "assertion 0\nassertion 1\nsymbol \"x\"\nvalue 2 #1\nunit 0\nderive 1 0 0\ntruth 2 0\ntruth 3 1
        term = 2 2 3\nequation 4\nend 0";
    refused(script, steps, "no truth value");
}

#[test]
fn clauses_and_ends_do_not_depend_on_suppositions() {
    // p is supposed to be false; what follows holds below the supposition alone.
    refused(P, "symbol \"p\"\nsuppose 1 0\nunit 0\nend 0", "what is supposed");
    refused(P, "symbol \"p\"\nsuppose 2 0 1\nend 0", "no contradiction");
    refused(P, "symbol \"p\"\nsuppose 1 0\nretract\nunit 0\nend 0", "not known");
    refused(
        P,
        "symbol \"p\"\nsymbol \"q\"\nsuppose 1 0\nterm = 2 0 1\nshare 0 1\nend 0",
        "known to be equal",
    );
    refused(P, "symbol \"p\"\nsuppose 1 0\nsuppose 1 1\nend 0", "supposed already");
    refused(P, "symbol \"p\"\nsuppose 1 0\ndischarge\nend 0", "not contradictory");
}

#[test]
fn elements_have_enough_bits() {
    // Three elements do not fit into one bit, wherever the third comes from.
    let script = "(declare-sort S 0) (declare-const a S) (declare-const b S) (declare-const c S)
        (assert (distinct a b c)) (check-sat)";
    let said = says(script, "elements 1\nassertion 0\nbits 0\nunit 0\nend 0");
    assert!(said.contains("no contradiction"), "{said}");
}

#[test]
fn large_things_are_refused_before_they_are_made() {
    let script = |width: u32| {
        let sort = format!("(_ BitVec {width})");
        format!("(declare-const x {sort}) (declare-const y {sort}) (assert (bvult x y)) (check-sat)")
    };
    for (op, width) in [("bvmul", 1 << 15), ("bvudiv", 1 << 15), ("bvurem", 1 << 15), ("bvashr", 1 << 24)] {
        let steps = format!("symbol \"x\"\nsymbol \"y\"\nterm {op} 2 0 1\nbits 2\nend 0");
        refused(&script(width), &steps, "too many gates");
    }
}

#[test]
fn long_lists_of_different_terms_are_refused_soon() {
    let sort = "(_ BitVec 16)";
    let names: Vec<String> = (0..5000).map(|at| format!("x{at}")).collect();
    let symbols: String = names.iter().map(|name| format!("(declare-const {name} {sort})")).collect();
    let script = format!("{symbols} (assert (distinct {})) (check-sat)", names.join(" "));
    refused(&script, "end 0", "distinct of more than 1024 arguments");
}

#[test]
fn powers_and_wide_numbers_are_refused_soon() {
    // x to the power of 2 to the power of 60.
    let script = "(declare-const x (_ BitVec 64)) (assert (= x x)) (check-sat)";
    let squares: String = (0..60).map(|at| format!("term bvmul 2 {at} {at}\n")).collect();
    refused(script, &format!("symbol \"x\"\n{squares}polynomial 60 60\nend 0"), "too large");
    // Quotients and inverses of millions of bits.
    let script =
        "(declare-const x (_ BitVec 16777216)) (declare-const y (_ BitVec 16777216)) (assert (= x y))
        (check-sat)";
    let ones = "term bvnot 1 0\nevaluate 1\nvalue 16777216 #5\n";
    refused(
        script,
        &format!("value 16777216 #0\n{ones}term bvudiv 2 1 2\nevaluate 3\nend 0"),
        "no known value",
    );
    let sides = "symbol \"x\"\nsymbol \"y\"\nvalue 16777216 #3\nterm bvmul 2 0 2\nterm bvmul 2 1 2\nterm bvmul 2 3 2\n";
    refused(script, &format!("{sides}term = 2 3 1\nterm = 2 5 4\npolynomial 6 7\nend 0"), "too wide");
}
