//! Checks that are refuted case by case: no case may be missing, come twice, or be another one.

use bivalve_checker::check::{Checker, check};

/// Without a model: where `p` is true, where it is false and `q` true, and where both are false.
const SCRIPT: &str = "(declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
(assert (ite p false (ite q false r))) (assert (not r)) (check-sat) (check-sat)";

const P: &str = "assertion 2 assertion 0 choose 1 end 0";
const Q: &str =
    "assertion 2 split 0 assertion 3 assertion 0 choose 2 symbol \"r\" term false 0 term ite 3 1 4 3
choose 5 end 0";
const NEITHER: &str = "assertion 2 split 0 assertion 3 split 1 assertion 0 choose 2 symbol \"r\" term false 0
symbol \"q\" term ite 3 5 4 3 choose 6 assertion 1 split 7 end 0";

/// The cases of the first check.
const CASES: [(&str, &str); 3] = [("1 \"p\"", P), ("1 \"q\"", Q), ("0", NEITHER)];

fn certificate(cases: &[(&str, &str)]) -> String {
    let case = |(terms, steps): &(&str, &str)| format!("case 0 {terms} {steps}\n");
    format!("bvc 1 {}", cases.iter().map(case).collect::<String>())
}

fn refused(certificate: &str, why: &str) {
    let said = check(SCRIPT, certificate.as_bytes()).expect_err("the certificate shows something wrong");
    assert!(said.contains(why), "{said}");
}

#[test]
fn cases_that_are_all_there_are_show_a_check() {
    let verified = check(SCRIPT, certificate(&CASES).as_bytes()).unwrap();
    assert_eq!((verified.checks, verified.unsatisfiable), (2, vec![0]));
    // What was assumed is forgotten at the next check.
    let next = certificate(&CASES) + "check 1 assertion 2 end 0";
    refused(&next, "there is no assertion 2");
    // A case of nothing is all of the check.
    let script = "(assert false) (check-sat)";
    let verified = check(script, &b"bvc 1 case 0 0 assertion 0 end 0"[..]).unwrap();
    assert_eq!(verified.unsatisfiable, [0]);
}

#[test]
fn a_case_that_is_missing_comes_twice_or_early_is_found() {
    for missing in 0..CASES.len() {
        let mut cases = CASES.to_vec();
        cases.remove(missing);
        refused(&certificate(&cases), "check 0: case");
        for (twice, case) in CASES.iter().enumerate() {
            let mut cases = CASES.to_vec();
            cases[missing] = *case;
            if missing != twice {
                refused(&certificate(&cases), "check 0: case");
            }
        }
        let mut cases = CASES.to_vec();
        cases.insert(missing, CASES[missing]);
        refused(&certificate(&cases), "check 0");
    }
    refused(&certificate(&CASES[..2]), "case 2 is missing");
    refused(&certificate(&[CASES[1], CASES[0], CASES[2]]), "check 0: case 0");
    // All cases are there, and one more comes.
    let more = [CASES[0], CASES[1], CASES[2], CASES[2]];
    refused(&certificate(&more), "check 0 is not next in the script");
    // The cases of another check.
    let other = certificate(&CASES).replacen("case 0 0", "case 1 0", 1);
    refused(&other, "case 2 is missing");
    let other = certificate(&CASES).replacen("case 0 0", "check 0", 1);
    refused(&other, "case 2 is missing");
}

#[test]
fn a_case_that_is_another_one_is_found() {
    let with = |terms: &'static str, steps| certificate(&[(terms, steps), CASES[1], CASES[2]]);
    refused(&with("1 \"q\"", P), "case 0: the condition of the choice is not known");
    refused(&with("1 \"(not p)\"", P), "case 0: the condition of the choice is not known");
    refused(&with("1 \"p\"", "assertion 2 assertion 0 end 0"), "case 0: the end is no contradiction");
    // What is assumed is one term, a truth value, and gives no name.
    refused(&with("1 \"p) (q\"", P), "one term was expected");
    refused(&with("1 \"p q\"", P), "one term was expected");
    refused(&with("1 \"\"", P), "one term was expected");
    refused(&with("1 \"p)\"", P), "')' without '('");
    refused(&with("1 \"p ; q\"", P), "a list is not closed");
    refused(&with("1 \"(! p :named n)\"", P), "gives no names");
    refused(&with("1 \"#b1\"", P), "no truth value");
    refused(&with("1 \"s\"", P), "s");
}

#[test]
fn theorems_of_a_case_are_its_own() {
    // For all v: v = v. The second case has no theorem 0.
    let theorem = "sort 1 2 theorem 1 0 polynomial 0 0 proved 0 0";
    let first = format!("{theorem} {P}");
    let second = format!("value 2 #1 instance 0 1 0 {Q}");
    let cases = [("1 \"p\"", first.as_str()), ("1 \"q\"", second.as_str()), CASES[2]];
    refused(&certificate(&cases), "there is no theorem 0");
}

/// What a case has read may be spent by the cases after it, too. Once it was not, so that trees with large
/// leaves were refused.
#[test]
fn the_budget_grows_from_case_to_case() {
    // Some hundred products of 65,536 bits, a million steps each, and bytes that allow more of them.
    let work = format!(
        " value 65536 #3 term bvmul 2 X X {} ; {}\n end 0",
        " evaluate Y".repeat(100),
        "x".repeat(40_000)
    );
    let with = |steps: &str, terms: u64| {
        let work = work.replace('X', &terms.to_string()).replace('Y', &(terms + 1).to_string());
        steps.replace(" end 0", "").replace("\nend 0", "") + &work
    };
    let steps = [with(P, 2), with(&Q.replace("choose 5 end 0", "choose 5"), 6), with(NEITHER, 8)];
    let cases: Vec<(&str, &str)> =
        CASES.iter().zip(&steps).map(|(case, steps)| (case.0, steps.as_str())).collect();
    let certificate = certificate(&cases);
    let mut checker = Checker::new(SCRIPT, certificate.as_bytes()).unwrap();
    assert_eq!(checker.next_verified(), Ok(Some(0)));
    assert!(checker.spent()[0] > 1 << 28, "{:?} were spent", checker.spent());
}
