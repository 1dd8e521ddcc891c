//! What the kernel shows does not depend on the order in which terms were made.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_checker::equality::Classes;
use bivalve_checker::polynomial;
use bivalve_checker::term::{Op, Terms};

/// Whether a sum or what it is compared with was made first does not matter: the search for certificates
/// and the checker number terms in other orders.
#[test]
fn sums_known_to_be_equal_are_found_in_any_order() {
    for first in [true, false] {
        let mut terms = Terms::new();
        let sort = terms.bitvec_sort(1).unwrap();
        let [x, y, z] = [(); 3].map(|()| terms.fresh(sort));
        let early = first.then(|| terms.mk(Op::BvNot, &[z]).unwrap());
        let sum = terms.mk(Op::BvAdd, &[x, y]).unwrap();
        let minus = terms.mk(Op::BvNeg, &[sum]).unwrap();
        let left = terms.mk(Op::BvNeg, &[minus]).unwrap();
        let right = early.unwrap_or_else(|| terms.mk(Op::BvNot, &[z]).unwrap());
        let mut classes = Classes::default();
        classes.unite(&terms, minus, right);
        // Of one bit, -x is x.
        let equal = |a, b| polynomial::equal(&terms, &classes, a, b).unwrap();
        assert!(equal(left, right) && equal(right, left) && !equal(left, z));
    }
}
