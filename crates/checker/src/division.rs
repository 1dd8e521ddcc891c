//! What holds of quotients and remainders, whatever their operands are.
//!
//! A circuit for division is large, and most of what is said of quotients and remainders follows from a few
//! facts about their size. Such a term may have free bits instead of a circuit
//! ([`crate::kernel::Kernel::free_bits`]), and these facts. Each is tested for all operands of small widths.

use crate::term::{Op, Term, Terms};

/// The conjunction of the facts about a term `x / s` or `x % s`.
pub fn facts(terms: &mut Terms, term: Term) -> Result<Term, String> {
    let (op, &[x, s]) = (terms.op(term), terms.args(term)) else { return Err("not a division".into()) };
    let width = terms.width(term).ok_or("not a division")?;
    let zero = terms.value(width, 0u8.into())?;
    let by_zero = terms.mk(Op::Eq, &[s, zero])?;
    let by_some = terms.mk(Op::Not, &[by_zero])?;
    let below = terms.mk(Op::BvUlt, &[x, s])?;
    let reaches = terms.mk(Op::Not, &[below])?;
    let greater = terms.mk(Op::BvUlt, &[x, term])?;
    let not_above = terms.mk(Op::Not, &[greater])?;
    let large = terms.mk(Op::BvSlt, &[s, zero])?;
    let once = terms.mk(Op::And, &[reaches, large])?;
    let all = match op {
        // x / 0 = -1; x < s implies x / s = 0; otherwise 0 < x / s <= x; x / 1 = x; x / x = 1;
        // x / s = 1 if x >= s and the top bit of s is set.
        Op::BvUdiv => {
            let one = terms.value(width, 1u8.into())?;
            let ones = terms.mk(Op::BvNot, &[zero])?;
            let mut equal = |a: Term, b: Term| terms.mk(Op::Eq, &[a, b]);
            let (is_ones, is_zero, is_one) = (equal(term, ones)?, equal(term, zero)?, equal(term, one)?);
            let (is_x, by_one, by_x) = (equal(term, x)?, equal(s, one)?, equal(s, x)?);
            let is_some = terms.mk(Op::Not, &[is_zero])?;
            let by_x = terms.mk(Op::And, &[by_x, by_some])?;
            let size = [(below, is_zero), (reaches, is_some), (by_some, not_above)];
            [&size[..], &[(by_zero, is_ones), (by_one, is_x), (by_x, is_one), (once, is_one)]].concat()
        }
        // x % 0 = x; x < s implies x % s = x; otherwise x % s < s; x % s <= x;
        // x % s = x - s if x >= s and the top bit of s is set.
        Op::BvUrem => {
            let is_x = terms.mk(Op::Eq, &[term, x])?;
            let less = terms.mk(Op::BvUlt, &[term, s])?;
            let minus = terms.mk(Op::BvNeg, &[s])?;
            let rest = terms.mk(Op::BvAdd, &[x, minus])?;
            let is_rest = terms.mk(Op::Eq, &[term, rest])?;
            let always = terms.truth(true);
            vec![(by_zero, is_x), (below, is_x), (by_some, less), (always, not_above), (once, is_rest)]
        }
        _ => return Err("not a division".into()),
    };
    implications(terms, &all)
}

/// What makes `x / s` the quotient, and `x % s` the remainder, in twice as many bits, in which nothing
/// overflows: `q s <= x < q s + s`, and `q s + r = x`, where q is `x / s`, unless s is 0. In as many bits the
/// latter holds always.
pub fn exact(terms: &mut Terms, term: Term) -> Result<Term, String> {
    let (op, &[x, s]) = (terms.op(term), terms.args(term)) else { return Err("not a division".into()) };
    let width = terms.width(term).ok_or("not a division")?;
    let zero = terms.value(width, 0u8.into())?;
    let by_zero = terms.mk(Op::Eq, &[s, zero])?;
    let by_some = terms.mk(Op::Not, &[by_zero])?;
    let quotient = terms.mk(Op::BvUdiv, &[x, s])?;
    let mut wide = |term: Term| terms.zero_extend(width, term);
    let (wide_x, wide_s, wide_q, wide_term) = (wide(x)?, wide(s)?, wide(quotient)?, wide(term)?);
    let product = terms.mk(Op::BvMul, &[wide_q, wide_s])?;
    let all = match op {
        Op::BvUdiv => {
            let above = terms.mk(Op::BvAdd, &[product, wide_s])?;
            let greater = terms.mk(Op::BvUlt, &[wide_x, product])?;
            let not_greater = terms.mk(Op::Not, &[greater])?;
            let less = terms.mk(Op::BvUlt, &[wide_x, above])?;
            vec![(by_some, not_greater), (by_some, less)]
        }
        Op::BvUrem => {
            let sum = terms.mk(Op::BvAdd, &[product, wide_term])?;
            let narrow = terms.mk(Op::BvMul, &[quotient, s])?;
            let narrow = terms.mk(Op::BvAdd, &[narrow, term])?;
            let always = terms.truth(true);
            vec![(by_some, terms.mk(Op::Eq, &[sum, wide_x])?), (always, terms.mk(Op::Eq, &[narrow, x])?)]
        }
        _ => return Err("not a division".into()),
    };
    implications(terms, &all)
}

/// Each condition implies its conclusion.
pub(crate) fn implications(terms: &mut Terms, all: &[(Term, Term)]) -> Result<Term, String> {
    all.iter().try_fold(terms.truth(true), |conjunction, &(condition, conclusion)| {
        let otherwise = terms.mk(Op::Not, &[condition])?;
        let implication = terms.mk(Op::Or, &[otherwise, conclusion])?;
        terms.mk(Op::And, &[conjunction, implication])
    })
}
