//! Random quantified formulas, of so few values that enumeration decides them.
//!
//! A formula is made from the inside out: a random term over Booleans, words of up to three bits, and in half
//! of the formulas arrays of such or functions; some of its symbols are bound, for all or for some of their
//! values; connectives join it with another such formula, and so on. What was bound below stays bound there,
//! so a symbol may be free beside a formula that binds it. The product of the numbers of values along nested
//! quantifiers is bounded, so that each formula is evaluated in no time.

use crate::theory::{ARRAYS, FUNCTIONS, REST, leave_some_out};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Sort, Term, evaluations, free_symbols};

/// Evaluations of bodies within one formula.
const MOST: u64 = 1 << 12;

/// Quantifiers and connectives, one within the other.
const LEVELS: u32 = 5;

/// Sets a generator up: which sorts and operators, and how wide.
pub(crate) fn set_up(random: &mut TermGen, max_width: u32) {
    let class = random.rng().u32(..8);
    random.arrays = class < 3;
    random.functions = class == 3 || class == 4;
    let mut urn: Vec<Op> = REST.to_vec();
    urn.extend([Op::Eq, Op::Eq, Op::BvUle, Op::BvSlt]);
    if random.arrays {
        urn.extend(ARRAYS);
    }
    if random.functions {
        urn.extend(FUNCTIONS);
    }
    if random.rng().bool() {
        leave_some_out(random, &mut urn);
    }
    random.ops = urn;
    let most = if random.arrays { 2 } else { 3 };
    random.max_width = random.rng().u32(1..=most).min(max_width.max(1));
    random.symbols_per_sort = random.rng().usize(1..=3);
}

/// A random formula, quantified most often.
pub(crate) fn formula(random: &mut TermGen, pool: &mut Pool, size: usize) -> Term {
    nested(random, pool, size, LEVELS)
}

fn nested(random: &mut TermGen, pool: &mut Pool, size: usize, levels: u32) -> Term {
    if levels == 0 || size < 2 {
        return random.term(pool, Sort::BOOL, size);
    }
    match random.rng().u32(..8) {
        0 => random.term(pool, Sort::BOOL, size),
        1 => {
            let of = nested(random, pool, size - 1, levels - 1);
            pool.mk(Op::Not, &[of])
        }
        2 | 3 => {
            let op = [Op::And, Op::Or, Op::Eq, Op::Xor, Op::Implies][random.rng().usize(..5)];
            let halves = [(); 2].map(|()| nested(random, pool, size / 2, levels - 1));
            pool.mk(op, &halves)
        }
        _ => {
            let body = nested(random, pool, size - 1, levels - 1);
            bound(random, pool, body)
        }
    }
}

/// A formula with one or two of its symbols bound; itself if they have too many values.
fn bound(random: &mut TermGen, pool: &mut Pool, body: Term) -> Term {
    let Some(mut count) = evaluations(pool, body) else { return body };
    let mut free = free_symbols(pool, &[body]);
    let (mut chosen, wanted) = (vec![], random.rng().usize(1..=2));
    while chosen.len() < wanted && !free.is_empty() {
        let symbol = free.swap_remove(random.rng().usize(..free.len()));
        let sort = pool.sort(symbol);
        let values = pool.sorts().small_cardinality(sort).filter(|_| !pool.sorts().is_function(sort));
        if let Some(values) = values.filter(|values| count.saturating_mul(*values) <= MOST) {
            count *= values;
            chosen.push(symbol);
        }
    }
    let made = match random.rng().bool() {
        true => pool.bind(&chosen, body),
        false => pool.bind_some(&chosen, body),
    };
    made.expect("different symbols are bound in a formula")
}

#[cfg(test)]
mod tests {
    use crate::formula::Recipe;
    use crate::theory::Theory;
    use bivalve_terms::{is_enumerable, outermost_binders};

    /// Most formulas are quantified, all are evaluated, and some are nested.
    #[test]
    fn formulas_are_quantified_and_few_values_decide_them() {
        let recipe = Recipe { seed: 5, max_width: 40, size: 24, theory: Theory::Quantifiers };
        let (mut quantified, mut nested) = (0, 0);
        for number in 0..200 {
            let formula = recipe.formula(number);
            let outer = outermost_binders(&formula.pool, &formula.assertions);
            assert!(formula.assertions.iter().all(|&of| is_enumerable(&formula.pool, of)));
            let bodies: Vec<_> =
                outer.iter().map(|&of| formula.pool.binder(of).expect("it is a binder").1).collect();
            quantified += usize::from(!outer.is_empty());
            nested += usize::from(!outermost_binders(&formula.pool, &bodies).is_empty());
        }
        assert!(quantified > 100 && nested > 25, "{quantified} {nested}");
    }
}
