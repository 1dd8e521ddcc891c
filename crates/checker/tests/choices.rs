//! Choices between sums are opened where sums are compared.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_checker::equality::Classes;
use bivalve_checker::polynomial;
use bivalve_checker::term::{Op, Term, Terms};

/// What is taken from one account is what another one gets, if there is as much: the sum of all accounts
/// stays as it was, however often something is moved.
#[test]
fn transfers_keep_the_sum_of_all_accounts() {
    let mut terms = Terms::new();
    let (sort, truth) = (terms.bitvec_sort(256).unwrap(), terms.bool_sort());
    let before = [(); 7].map(|()| terms.fresh(sort));
    let sum = |terms: &mut Terms, all: &[Term]| {
        let add = |sum, &account: &Term| terms.mk(Op::BvAdd, &[sum, account]).unwrap();
        all[1..].iter().fold(all[0], add)
    };
    let mut accounts = before;
    for transfer in 1..=100 {
        let (from, to) = (transfer % 7, (transfer * transfer + 1) % 7);
        let [wanted, amount] = [truth, sort].map(|sort| terms.fresh(sort));
        let mut mk = |op, args: &[Term]| terms.mk(op, args).unwrap();
        let enough = mk(Op::BvUlt, &[amount, accounts[from]]);
        let condition = mk(Op::And, &[wanted, enough]);
        let minus = mk(Op::BvNeg, &[amount]);
        let less = mk(Op::BvAdd, &[accounts[from], minus]);
        let taken = mk(Op::Ite, &[condition, less, accounts[from]]);
        accounts[from] = taken;
        let more = mk(Op::BvAdd, &[accounts[to], amount]);
        accounts[to] = mk(Op::Ite, &[condition, more, accounts[to]]);
        let [now, once] = [accounts, before].map(|all| sum(&mut terms, &all));
        assert_eq!(polynomial::equal(&terms, &Classes::default(), now, once), Ok(true), "{transfer}");
        assert_eq!(polynomial::equal(&terms, &Classes::default(), now, taken), Ok(false), "{transfer}");
    }
}

/// The low bits of a choice are the choice between the low bits, however many choices are below it: those
/// are not opened, since shifts by a distance have a product of conditions for each of their values.
#[test]
fn low_bits_of_choices_are_choices_of_low_bits() {
    let mut terms = Terms::new();
    let (wide, truth) = (terms.bitvec_sort(128).unwrap(), terms.bool_sort());
    let [mut shifted, other] = [(); 2].map(|()| terms.fresh(wide));
    for level in 0..40 {
        let condition = terms.fresh(truth);
        let distance = terms.value(128, (1 + level % 7u32).into()).unwrap();
        let moved = terms.mk(Op::BvShl, &[shifted, distance]).unwrap();
        let sum = terms.mk(Op::BvAdd, &[shifted, other]).unwrap();
        let choice = terms.mk(Op::Ite, &[condition, moved, sum]).unwrap();
        let mut low = |of: Term| terms.mk(Op::Extract(50, 0), &[of]).unwrap();
        let [of_choice, first, second] = [choice, moved, sum].map(&mut low);
        let of_bits = terms.mk(Op::Ite, &[condition, first, second]).unwrap();
        let swapped = terms.mk(Op::Ite, &[condition, second, first]).unwrap();
        let denied = terms.mk(Op::Not, &[condition]).unwrap();
        let twice = terms.mk(Op::Ite, &[denied, second, first]).unwrap();
        let classes = Classes::default();
        for same in [of_bits, twice] {
            assert_eq!(polynomial::equal(&terms, &classes, of_choice, same), Ok(true), "{level}");
        }
        if level < 3 {
            assert_eq!(polynomial::equal(&terms, &classes, of_choice, swapped), Ok(false), "{level}");
        }
        shifted = choice;
    }
}
