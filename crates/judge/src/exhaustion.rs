//! The answer by trying all assignments, with the reference semantics as the only judge.
//!
//! Nothing of the solver is used: no rule, no circuit, no SAT, no lemma. It serves formulas whose symbols
//! have few values: Booleans and bit-vectors of few bits, arrays over few indices, functions of few argument
//! lists.
//!
//! Of a declared sort two elements are tried. A model found is a model, since the reference semantics
//! gives the sort further elements; that none is found decides nothing.
//!
//! Cost: as many evaluations as there are assignments in the worst case, the first model ends it.

use bivalve_terms::{
    ArrayValue, Assignment, BitVec, Evaluator, FunctionValue, Pool, Sort, SortKind, Term, Value, evaluations,
    free_symbols,
};

/// Elements tried of a declared sort.
const ELEMENTS: u64 = 2;

/// Is there an assignment under which all assertions hold? `None` if the symbols, those that are bound among
/// them, have together more than 2^`most` values, or if none was found but not all were tried.
pub fn satisfiable(pool: &Pool, assertions: &[Term], most: u32) -> Option<bool> {
    let symbols = free_symbols(pool, assertions);
    let sizes: Option<Vec<u64>> = symbols.iter().map(|&symbol| size(pool, pool.sort(symbol))).collect();
    let sizes = sizes?;
    let total = sizes.iter().try_fold(1u64, |all, &more| all.checked_mul(more));
    // Each assignment has an evaluation for each of the values of bound variables.
    let bound = assertions.iter().try_fold(1, |most, &of| Some(evaluations(pool, of)?.max(most)))?;
    let total = total.filter(|&total| total.saturating_mul(bound) <= 1 << most)?;
    let found = (0..total).any(|code| {
        let mut digits = code;
        let mut assignment = Assignment::new();
        for &symbol in &symbols {
            assignment.set(symbol, decode(pool, pool.sort(symbol), &mut digits));
        }
        let mut evaluator = Evaluator::new(pool, &assignment);
        assertions.iter().all(|&assertion| evaluator.eval(assertion).expect_bool())
    });
    (found || !symbols.iter().any(|&symbol| is_cut(pool, pool.sort(symbol)))).then_some(found)
}

/// How many values of a sort are tried; `None` if they do not fit into a number.
fn size(pool: &Pool, sort: Sort) -> Option<u64> {
    match pool.sorts().kind(sort) {
        SortKind::Bool => Some(2),
        SortKind::BitVec(width) => 1u64.checked_shl(width),
        SortKind::Theory(_) => None,
        SortKind::Uninterpreted(_) => Some(ELEMENTS),
        SortKind::Array { index, element } => power(size(pool, element)?, size(pool, index)?),
        SortKind::Function { params, result } => {
            let lists = params.iter().try_fold(1u64, |all, &param| all.checked_mul(size(pool, param)?))?;
            power(size(pool, result)?, lists)
        }
    }
}

fn power(base: u64, exponent: u64) -> Option<u64> {
    base.checked_pow(u32::try_from(exponent).ok()?)
}

/// Has the sort other values than those tried?
fn is_cut(pool: &Pool, sort: Sort) -> bool {
    match pool.sorts().kind(sort) {
        SortKind::Bool | SortKind::BitVec(_) => false,
        SortKind::Theory(_) | SortKind::Uninterpreted(_) => true,
        SortKind::Array { index, element } => is_cut(pool, index) || is_cut(pool, element),
        SortKind::Function { params, result } => {
            is_cut(pool, result) || params.iter().any(|&param| is_cut(pool, param))
        }
    }
}

/// The value that the last digits of `code` say, which are taken away.
fn decode(pool: &Pool, sort: Sort, code: &mut u64) -> Value {
    let size = size(pool, sort).expect("sizes were computed before");
    let mut own = *code % size;
    *code /= size;
    match pool.sorts().kind(sort) {
        SortKind::Bool => Value::Bool(own == 1),
        SortKind::BitVec(width) => BitVec::from_u64(own, width).into(),
        SortKind::Theory(_) => unreachable!("sorts without a size"),
        SortKind::Uninterpreted(_) => Value::Element(sort, u32::try_from(own).expect("few are tried")),
        SortKind::Array { index, element } => {
            let first = decode(pool, element, &mut own);
            let mut array = ArrayValue::constant(pool.sorts(), sort, first);
            for mut place in 1..self::size(pool, index).expect("smaller than the whole") {
                let index = decode(pool, index, &mut place);
                array = array.store(&index, &decode(pool, element, &mut own));
            }
            array.into()
        }
        SortKind::Function { params, result } => {
            let mut function = FunctionValue::constant(decode(pool, result, &mut own));
            let lists: u64 =
                params.iter().map(|&p| self::size(pool, p).expect("smaller than the whole")).product();
            for mut place in 1..lists {
                let list = params.iter().map(|&param| decode(pool, param, &mut place)).collect();
                function.define(list, decode(pool, result, &mut own));
            }
            function.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// All arrays and all functions, each once.
    #[test]
    fn every_value_has_a_code() {
        let mut pool = Pool::new();
        let two = Sort::bitvec(2).unwrap();
        let array = pool.sorts_mut().array(two, Sort::BOOL).unwrap();
        let nested = pool.sorts_mut().array(Sort::BOOL, array).unwrap();
        let function = pool.sorts_mut().function(&[Sort::BOOL, two], Sort::BOOL).expect("a first-order sort");
        for (sort, count) in [(Sort::BOOL, 2), (two, 4), (array, 16), (nested, 256), (function, 256)] {
            assert_eq!(size(&pool, sort), Some(count));
            let values: BTreeSet<Value> = (0..count).map(|mut code| decode(&pool, sort, &mut code)).collect();
            assert_eq!(values.len() as u64, count);
        }
    }
}
