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
    for (op, width, why) in [
        ("bvmul", 1 << 15, "too many gates"),
        ("bvudiv", 1 << 15, "too many gates"),
        ("bvurem", 1 << 15, "too many gates"),
        ("bvashr", 1 << 24, "beyond the budget"),
    ] {
        let steps = format!("symbol \"x\"\nsymbol \"y\"\nterm {op} 2 0 1\nbits 2\nend 0");
        refused(&script(width), &steps, why);
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
    refused(script, &format!("symbol \"x\"\n{squares}polynomial 60 59\nend 0"), "too large");
    // Quotients and inverses of millions of bits.
    let script =
        "(declare-const x (_ BitVec 16777216)) (declare-const y (_ BitVec 16777216)) (assert (= x y))
        (check-sat)";
    let ones = "term bvnot 1 0\nevaluate 1\nvalue 16777216 #5\n";
    refused(
        script,
        &format!("value 16777216 #0\n{ones}term bvudiv 2 1 2\nevaluate 3\nend 0"),
        "beyond the budget",
    );
    let sides = "symbol \"x\"\nsymbol \"y\"\nvalue 16777216 #3\nterm bvmul 2 0 2\nterm bvmul 2 1 2\nterm bvmul 2 3 2\n";
    refused(script, &format!("{sides}term = 2 3 1\nterm = 2 5 4\npolynomial 6 7\nend 0"), "too wide");
}

/// Two symbols of two bits: variables 1 and 2, 3 and 4. What follows is about their difference.
/// Arrays from a sort to itself, of which each is made of the one before, are 2^60 parts when they are taken
/// apart. A theorem about the last one has an instance, and shows nothing.
#[test]
fn sorts_that_share_parts_are_looked_at_once() {
    let arrays = 60;
    let sorts: String = (0..arrays).map(|below| format!("sort 2 {below} {below}\n")).collect();
    let theorem = format!("theorem 1 {arrays}\nproved 0 0\n");
    let terms: String = (0..arrays).map(|below| format!("term const {} 1 {below}\n", below + 1)).collect();
    let steps = format!("sort 0\n{sorts}{theorem}term true 0\n{terms}instance 0 1 {arrays}\nend 0");
    refused(P, &steps, "no contradiction");
}

fn about_words(steps: &str) -> String {
    let script = "(declare-const x (_ BitVec 2)) (declare-const y (_ BitVec 2)) (check-sat)";
    says(script, &format!("symbol \"x\"\nsymbol \"y\"\nbits 0\nbits 1\n{steps}\nend 0"))
}

#[test]
fn relations_hold_and_leave_nothing_of_a_difference() {
    let cases = [
        // Different words, words without bits, of different widths, and what is about no difference.
        ("subtract 0 1\ncancel", "something is left"),
        ("term bvadd 2 0 1\nsubtract 0 2\ncancel", "no bits"),
        ("term extract 0 0 1 0\nbits 2\nsubtract 0 2\ncancel", "different widths"),
        ("relation 0 0 0 #0 0", "no difference"),
        ("subtract 0 0\ncancel\ncancel", "no difference"),
        // A constant that is not 0 modulo 4, and one that is.
        ("subtract 0 1\nrelation 0 0 0 #3 0", "does not hold"),
        ("subtract 0 1\nrelation 0 0 0 #4 0\ncancel", "something is left"),
        // A free bit is not 0; one without a value, and a gate without inputs, tell nothing.
        ("subtract 0 1\nrelation 1 1 0 1 2 #1 #0 0", "does not hold"),
        ("subtract 0 1\nrelation 0 0 1 2 #1 #0 0", "no value"),
        ("gate 0 2 2 4\nsubtract 0 1\nrelation 1 1 1 5 1 10 #1 #0 0", "no values"),
        ("subtract 0 1\nrelation 1 1 1 2 1 2 #1 #0 0", "no values"),
        // An exclusive or is not the sum of its operands.
        ("gate 1 2 2 4\nsubtract 0 1\nrelation 2 1 2 1 5 3 2 #1 4 #1 10 #3 #0 0", "does not hold"),
        // Clauses that there are not, and more inputs than are tried.
        ("subtract 0 1\nrelation 0 0 0 #0 1 7", "no clause 7"),
        ("subtract 0 1\nrelation 7 1 2 3 4 1 2 3 0 0 #0 0", "more than 6 inputs"),
        // Gates that there are not, of literals that there are not.
        ("gate 4 2 2 4", "no such gate"),
        ("gate 0 3 2 4 6", "no such gate"),
        ("gate 0 2 2 400", "literal of no variable"),
        // Equal words are no contradiction.
        ("subtract 0 0\ncancel", "no contradiction"),
    ];
    for (steps, why) in cases {
        let said = about_words(steps);
        assert!(said.contains(why), "{steps}: {said}");
    }
}

/// What is refused above is refused for what is wrong with it: the difference of two sums modulo 2 is four
/// relations of an exclusive or with its operands.
#[test]
fn relations_may_leave_nothing() {
    let script =
        "(declare-const x (_ BitVec 1)) (declare-const y (_ BitVec 1)) (declare-const z (_ BitVec 1))
        (assert (distinct (bvadd (bvadd x y) z) (bvadd x (bvadd y z)))) (check-sat)";
    let steps = |relation: &str| {
        format!(
            "bvc 1\ncheck 0\nassertion 0\nsplit 0\nsymbol \"x\"\nsymbol \"y\"\nsymbol \"z\"
            term bvadd 2 1 2\nterm bvadd 2 4 3\nbits 5\nterm bvadd 2 2 3\nterm bvadd 2 1 6\nbits 7
            subtract 5 7\nrelation 2 1 4 1 5 3 2 #1 8 #1 10 #1 #0 0
            relation 2 2 3 1 4 3 4 #1 6 #1 8 #1 #0 0\nrelation 2 1 2 1 6 3 2 #1 4 #1 12 #1 #0 0
            relation {relation}\ncancel\nterm = 2 5 7\nbits 8\nunit 8\nderive 1 10 3 4 129 0
            derive 0 4 6 2 4 131\nend 5"
        )
    };
    assert_eq!(check(script, steps("2 3 6 1 7 3 6 #1 12 #1 14 #1 #0 0").as_bytes()).map(|_| ()), Ok(()));
    let left = check(script, steps("2 3 6 1 7 3 6 #1 12 #1 14 #3 #0 0").as_bytes());
    assert_eq!(left.map(|_| ()), Ok(()), "3 is 1 modulo 2");
    let wrong = check(script, steps("2 1 2 1 6 3 2 #1 4 #1 12 #1 #0 0").as_bytes());
    assert!(wrong.is_err_and(|why| why.contains("something is left")));
}
