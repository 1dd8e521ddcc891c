//! Where two models differ in the arrays and functions that both sides have.
//!
//! Bits of shared words may not be enough: a model of *B* may have them all, and another array. Then what a
//! model of *A* has at the places where the arrays differ describes it further. Places are constants, so no
//! symbol comes in.

use bivalve::Model;
use bivalve::terms::{BitVec, Op, Pool, Sort, SortKind, Term, Value};
use std::collections::BTreeSet;

/// The reads of shared arrays and functions, at constant places, that have other values in two models.
pub(crate) fn different(pool: &mut Pool, shared: &BTreeSet<Term>, [one, other]: [&Model; 2]) -> Vec<Term> {
    let mut reads = vec![];
    for &symbol in shared {
        let (op, sorts) = match pool.sort_kind(symbol) {
            SortKind::Array { index, .. } => (Op::Select, vec![index]),
            SortKind::Function { params, .. } => (Op::Apply, params.to_vec()),
            _ => continue,
        };
        let mut places = entries(&one.value(pool, symbol));
        places.extend(entries(&other.value(pool, symbol)));
        places.extend(elsewhere(pool, &sorts, &places));
        places.sort();
        places.dedup();
        for place in places {
            let constants: Option<Vec<Term>> = place.iter().map(|value| pool.constant(value)).collect();
            let Some(constants) = constants else { continue };
            let read = pool.mk(op, &[&[symbol], &constants[..]].concat());
            if one.value(pool, read) != other.value(pool, read) {
                reads.push(read);
            }
        }
    }
    reads
}

/// The places at which a value has an entry.
fn entries(value: &Value) -> Vec<Vec<Value>> {
    match value {
        Value::Array(array) => array.entries().map(|(at, _)| vec![at.clone()]).collect(),
        Value::Function(function) => function.entries().map(|(at, _)| at.to_vec()).collect(),
        _ => vec![],
    }
}

/// A place of arguments of these sorts that is none of those, for the values that models have elsewhere; if
/// there is one among the first that are tried.
fn elsewhere(pool: &Pool, sorts: &[Sort], places: &[Vec<Value>]) -> Option<Vec<Value>> {
    let value = |sort: Sort, number: usize| match pool.sorts().kind(sort) {
        SortKind::Bool => Some(Value::Bool(number % 2 == 1)),
        SortKind::BitVec(width) => {
            Some(Value::BitVec(BitVec::from_fn(width, |bit| bit < usize::BITS && number >> bit & 1 == 1)))
        }
        _ => None,
    };
    let place = |number| sorts.iter().map(|&sort| value(sort, number)).collect::<Option<Vec<Value>>>();
    (0..=places.len()).filter_map(place).find(|place| !places.contains(place))
}
