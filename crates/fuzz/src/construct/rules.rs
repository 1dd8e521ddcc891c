//! The rewrite rules as equivalences: each states that two terms are equal.
//!
//! A term in the shape of a rule's left side, with random small terms for its variables, is rewritten by all
//! rules. What comes out is equal to it, so to say of a variable that it differs from the one and equals the
//! other is a contradiction. Nothing is taken on trust: the rules are judged in their own crate, and the
//! tests of this one judge the contradictions again.

use super::sat::made;
use crate::case::{Case, Evidence};
use crate::shaped;
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool};

/// How many instances of each rule are tried.
const INSTANCES: u64 = 8;

/// How many cases there are at most, for rules about arrays or about bits.
pub(super) fn size(arrays: bool) -> u64 {
    INSTANCES * shaped::count(arrays) as u64
}

/// An instance of a rule; `None` if none of these sorts fits, or if nothing is rewritten.
pub(super) fn case(arrays: bool, width: u32, seed: u64, code: u64) -> Option<Case> {
    let rule = (code / INSTANCES) as usize;
    let mut random = TermGen::new(crate::seed_of(seed, code));
    random.ops.retain(|op| !matches!(op, Op::Select | Op::Store | Op::ConstArray | Op::Apply));
    random.max_width = width;
    let mut pool = Pool::new();
    let term = shaped::instance_of(&mut random, &mut pool, arrays, rule)?;
    let other = Rewriter::new(Level::Local).rewrite(&mut pool, term);
    if other == term {
        return None;
    }
    let sort = pool.sort(term);
    let result = pool.symbol("res", sort);
    let [left, right] = [term, other].map(|side| pool.mk(Op::Eq, &[side, result]));
    let negated = pool.mk(Op::Not, &[left]);
    let assertions = vec![negated.into(), right.into()];
    let origin = format!("rule {}", shaped::name(arrays, rule));
    Some(made(pool, assertions, Evidence::Core(vec![0, 1]), origin))
}
