//! Certificates of trees: the checker verifies them, and finds a leaf that is missing, comes twice, was
//! forged or exchanged.

use crate::support::{Done, done, factors, job};
use bivalve_checker::check::check;
use bivalve_cubes::{Cube, Job, State, merge};
use bivalve_fuzz::mixture::Mixture;
use bivalve_session::Form;

/// The certificate of these leaves.
fn merged(form: Form, leaves: &[(&Cube, Vec<u8>)]) -> std::io::Result<Vec<u8>> {
    let mut certificate = vec![];
    merge::merge(&mut certificate, form, leaves.iter().map(|(cube, steps)| (*cube, Ok(steps.clone()))))?;
    Ok(certificate)
}

/// The leaves of a tree, with what refutes them.
fn leaves(done: &Done) -> Vec<(&Cube, Vec<u8>)> {
    assert_eq!(done.tree.state, State::Unsat);
    let steps = |cube: &Cube| done.steps[&cube.to_string()].clone();
    done.tree.leaves().into_iter().map(|(cube, _)| (cube, steps(cube))).collect()
}

fn prime(form: Form) -> (String, Job) {
    let script = factors(4_111_333, 24);
    let job = job(&script, 20, Some(form)).unwrap();
    // The checker reads to the end, where the solver does not care.
    (script.replace("(assert nonsense)", "(check-sat)"), job)
}

#[test]
fn a_tree_has_one_certificate() {
    for form in [Form::Binary, Form::Text] {
        let (script, job) = prime(form);
        let done = done(&job, false);
        let leaves = leaves(&done);
        assert!(leaves.len() > 3, "{} leaves", leaves.len());
        let certificate = merged(form, &leaves).unwrap();
        let verified = check(&script, &certificate[..]).unwrap();
        assert_eq!((verified.checks, verified.unsatisfiable), (2, vec![0]));
    }
}

#[test]
fn a_leaf_that_is_missing_comes_twice_or_is_another_one_is_found() {
    let (script, job) = prime(Form::Binary);
    let done = done(&job, false);
    let leaves = leaves(&done);
    let whole = merged(Form::Binary, &leaves).unwrap();
    for at in 0..leaves.len() {
        // Who merges leaves sees that they are no tree.
        let mut missing = leaves.clone();
        missing.remove(at);
        assert!(merged(Form::Binary, &missing).is_err(), "leaf {at} is missing");
        let mut twice = leaves.clone();
        twice.insert(at, leaves[at].clone());
        assert!(merged(Form::Binary, &twice).is_err(), "leaf {at} comes twice");
        // Who writes the file by hand is found by the checker.
        let at_leaf = |number: usize| merged_up_to(&leaves, number);
        let without = [&whole[..at_leaf(at)], &whole[at_leaf(at + 1)..]].concat();
        refused(&script, &without, "a leaf is missing");
        let again = [&whole[..at_leaf(at + 1)], &whole[at_leaf(at)..]].concat();
        refused(&script, &again, "a leaf comes twice");
        // The proof of another leaf.
        let mut exchanged = leaves.clone();
        exchanged[at].1 = leaves[(at + 1) % leaves.len()].1.clone();
        if exchanged[at].1 != leaves[at].1 {
            refused(&script, &merged(Form::Binary, &exchanged).unwrap(), "a leaf was exchanged");
        }
        // A proof that is cut off, and one of nothing.
        let mut cut = leaves.clone();
        let length = cut[at].1.len();
        cut[at].1.truncate(length - 1);
        refused(&script, &merged(Form::Binary, &cut).unwrap(), "a leaf was cut off");
    }
    // A tree on another formula.
    let other = script.replace("4111333", "4112783");
    assert_ne!(other, script);
    refused(&other, &whole, "the leaves are those of another formula");
}

/// Where the leaf of this number begins in the certificate.
fn merged_up_to(leaves: &[(&Cube, Vec<u8>)], number: usize) -> usize {
    let mut certificate = vec![];
    let some = leaves[..number].iter().map(|(cube, steps)| (*cube, Ok(steps.clone())));
    // The tree is not whole, but what there is was written.
    let _ = merge::merge(&mut certificate, Form::Binary, some);
    certificate.len()
}

fn refused(script: &str, certificate: &[u8], what: &str) {
    let shown = check(script, certificate);
    assert!(shown.as_ref().is_err(), "{what}: {shown:?}");
}

#[test]
fn every_tree_of_random_formulas_is_verified() {
    let mixture = Mixture::new(61);
    let (mut verified, mut split, mut without) = (0, 0, 0);
    for number in 0..120 {
        let Some((name, script)) = mixture.case(number) else { continue };
        let Ok(job) = job(&script, 1, Some(Form::Binary)) else { continue };
        let done = done(&job, false);
        if done.tree.state != State::Unsat {
            continue;
        }
        if let Some(why) = done.tree.leaves().iter().find_map(|(_, outcome)| outcome.uncertified.clone()) {
            without += 1;
            assert!(without < 6, "{name} {number}: {why}");
            continue;
        }
        let certificate = merged(Form::Binary, &leaves(&done)).unwrap();
        let shown = check(&script, &certificate[..]);
        let shown = shown.unwrap_or_else(|why| panic!("{name} {number}: {why}\n{script}"));
        assert_eq!(shown.unsatisfiable, [0], "{name} {number}");
        verified += 1;
        split += usize::from(done.tree.nodes.len() > 1);
    }
    assert!(verified >= 10 && split >= 3, "{verified} verified, {split} split");
}
