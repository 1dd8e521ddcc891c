//! The stage: sorts, initial values and operations of a construction, and the terms of one operation that are
//! made of them.
//!
//! The values are Becker's: of bit-vectors 0, 1, 2 and 2^m - 1 (table 3), both Booleans, and of arrays those
//! that are constant with one of these. (Beside arrays he had memory for 0 and 1 only, table 6.) The
//! operations are those of his tables 1 and 5, or all of the operator table; the latter are found by asking
//! the pool which argument sorts and indices it takes, so that a new operator appears by itself.
//!
//! Whatever operation and tuple of values there is, its result is known by the executable semantics;
//! [`Stage::made_with`] lists them by result. That list is the only one kept: it has a few hundred entries,
//! whatever the width.

use super::{Operators, Theory};
use crate::theory::Literals;
use bivalve_terms::{Args, Arity, ArrayValue, BitVec, Op, Pool, Sort, Term, Value};
use std::collections::BTreeMap;

/// An operator at certain sorts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Operation {
    pub(super) op: Op,
    /// As in the text.
    pub(super) indices: Vec<u32>,
    pub(super) args: Vec<Sort>,
    pub(super) result: Sort,
}

/// An operation over initial values, and what it evaluates to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Made {
    pub(super) operation: usize,
    pub(super) tuple: u64,
}

/// Sorts, values, operations.
pub(super) struct Stage {
    pub(super) theory: Theory,
    pub(super) width: u32,
    /// A pool that has the sorts and nothing else.
    blueprint: Pool,
    /// Index and element of each array sort, in the order of their making.
    arrays: Vec<(Sort, Sort)>,
    pub(super) operations: Vec<Operation>,
    made: BTreeMap<(Sort, Value), Vec<Made>>,
    by_sort: BTreeMap<Sort, Vec<(Made, Value)>>,
}

/// The operators of table 1, integers aside, and of table 5.
const TABLE_1: &[Op] = &[
    Op::Concat,
    Op::Extract,
    Op::BvNot,
    Op::BvAnd,
    Op::BvOr,
    Op::BvNeg,
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvUlt,
    Op::Select,
    Op::Store,
];

impl Operation {
    /// The operation over terms of its argument sorts.
    pub(super) fn build(&self, pool: &mut Pool, args: &[Term]) -> Term {
        match self.op {
            Op::ConstArray => pool.const_array(self.result, args[0]).expect("an operation is well-sorted"),
            op => pool.mk_indexed(op, &self.indices, args),
        }
    }
}

impl Stage {
    pub(super) fn new(theory: Theory, width: u32, operators: Operators) -> Stage {
        let bits = Sort::bitvec(width).expect("the width was checked");
        let parts = [Sort::BOOL, bits];
        let arrays: Vec<(Sort, Sort)> = match theory {
            Theory::Bits => vec![],
            Theory::Arrays | Theory::Both => {
                parts.iter().flat_map(|&index| parts.map(|element| (index, element))).collect()
            }
        };
        let mut stage = Stage {
            theory,
            width,
            blueprint: Pool::new(),
            arrays,
            operations: vec![],
            made: BTreeMap::new(),
            by_sort: BTreeMap::new(),
        };
        stage.blueprint = stage.pool();
        stage.operations = stage.find_operations(operators);
        for operation in 0..stage.operations.len() {
            for tuple in 0..stage.tuples(operation) {
                let (made, value) =
                    (Made { operation, tuple }, stage.result(operation, &stage.tuple(operation, tuple)));
                let sort = stage.operations[operation].result;
                stage.made.entry((sort, value.clone())).or_default().push(made);
                stage.by_sort.entry(sort).or_default().push((made, value));
            }
        }
        stage
    }

    /// A pool whose array sorts are those of the stage.
    pub(super) fn pool(&self) -> Pool {
        let mut pool = Pool::new();
        for &(index, element) in &self.arrays {
            pool.sorts_mut().array(index, element).expect("flat arrays are legal");
        }
        pool
    }

    /// The sorts that symbols have.
    fn sorts(&self) -> Vec<Sort> {
        let mut pool = self.pool();
        let mut sorts = vec![Sort::BOOL, Sort::bitvec(self.width).expect("the width was checked")];
        for &(index, element) in &self.arrays {
            sorts.push(pool.sorts_mut().array(index, element).expect("flat arrays are legal"));
        }
        sorts
    }

    fn find_operations(&self, operators: Operators) -> Vec<Operation> {
        let sorts = self.sorts();
        let mut found = vec![];
        for op in Op::native() {
            let listed = operators == Operators::All || TABLE_1.contains(&op);
            let count = match op.info().arity {
                _ if !listed => continue,
                Arity::Leaf | Arity::Application | Arity::Binder | Arity::Fields => continue,
                Arity::Exactly(count) => count as usize,
                Arity::LeftAssoc | Arity::RightAssoc | Arity::Chainable | Arity::Pairwise => 2,
            };
            for code in 0..sorts.len().pow(count as u32) {
                let mut rest = code;
                let args: Vec<Sort> = (0..count).map(|_| sorts[digit(&mut rest, sorts.len())]).collect();
                for indices in self.indices(op) {
                    found.extend(self.operation(op, indices, &args, &sorts));
                }
            }
        }
        found
    }

    /// The operations with this operator, these indices and argument sorts: none, or one; of constant arrays
    /// several.
    fn operation(&self, op: Op, indices: Vec<u32>, args: &[Sort], sorts: &[Sort]) -> Vec<Operation> {
        let mut pool = self.pool();
        let symbols: Vec<Term> = args.iter().map(|&sort| pool.symbol("s", sort)).collect();
        let results: Vec<Sort> = if op == Op::ConstArray {
            sorts.iter().copied().filter(|&sort| pool.const_array(sort, symbols[0]).is_ok()).collect()
        } else {
            pool.indexed(op, &indices, &symbols).map(|term| pool.sort(term)).into_iter().collect()
        };
        let is_array = |&sort: &Sort| pool.sorts().array_parts(sort).is_some();
        let fits = |result: &Sort| self.theory != Theory::Arrays || args.iter().chain([result]).any(is_array);
        let results = results.into_iter().filter(fits);
        results
            .map(|result| Operation { op, indices: indices.clone(), args: args.to_vec(), result })
            .collect()
    }

    /// The indices that are tried: 0, 1 and m - 1, as in section 3.1.3.
    fn indices(&self, op: Op) -> Vec<Vec<u32>> {
        let mut corners = vec![0, 1, self.width - 1];
        corners.sort_unstable();
        corners.dedup();
        match op.info().indices {
            0 => vec![vec![]],
            1 => corners.iter().map(|&index| vec![index]).collect(),
            _ => corners.iter().flat_map(|&high| corners.iter().map(move |&low| vec![high, low])).collect(),
        }
    }

    /// The initial values of a sort; arrays are constant ones.
    pub(super) fn values(&self, sort: Sort) -> Vec<Value> {
        match (sort.width(), self.blueprint.sorts().array_parts(sort)) {
            (Some(width), _) => {
                let one = BitVec::one(width);
                let mut values: Vec<Value> = vec![];
                for corner in [BitVec::zero(width), one.clone(), one.add(&one), BitVec::ones(width)] {
                    if !values.contains(&Value::from(corner.clone())) {
                        values.push(corner.into());
                    }
                }
                values
            }
            (None, Some((_, element))) => {
                let constant = |value| ArrayValue::constant(self.blueprint.sorts(), sort, value).into();
                self.values(element).into_iter().map(constant).collect()
            }
            (None, None) => vec![false.into(), true.into()],
        }
    }

    /// How many tuples of initial values an operation has.
    pub(super) fn tuples(&self, operation: usize) -> u64 {
        self.operations[operation].args.iter().map(|&sort| self.values(sort).len() as u64).product()
    }

    /// One of them.
    pub(super) fn tuple(&self, operation: usize, mut number: u64) -> Vec<Value> {
        let mut value = |&sort: &Sort| {
            let mut values = self.values(sort);
            let count = values.len() as u64;
            let place = (number % count) as usize;
            number /= count;
            values.swap_remove(place)
        };
        self.operations[operation].args.iter().map(&mut value).collect()
    }

    /// What an operation makes of values of its argument sorts.
    pub(super) fn result(&self, operation: usize, values: &[Value]) -> Value {
        let Operation { op, indices, result, .. } = &self.operations[operation];
        if *op == Op::ConstArray {
            return ArrayValue::constant(self.blueprint.sorts(), *result, values[0].clone()).into();
        }
        let (values, index) = (values.iter().collect::<Vec<_>>(), indices.last().copied().unwrap_or(0));
        (op.info().meaning)(&Args::native(&values, index, result.width().unwrap_or(0)))
    }

    /// The terms of one operation over initial values that evaluate to `value`.
    pub(super) fn made_with(&self, sort: Sort, value: &Value) -> &[Made] {
        self.made.get(&(sort, value.clone())).map_or(&[], Vec::as_slice)
    }

    /// The greatest number of terms of one operation over initial values that evaluate to one value; at
    /// least 1.
    pub(super) fn most_made_alike(&self) -> u64 {
        self.made.values().map(|list| list.len() as u64).max().unwrap_or(1)
    }

    /// All terms of one operation over initial values that have this sort, with their values.
    pub(super) fn made_of(&self, sort: Sort) -> &[(Made, Value)] {
        self.by_sort.get(&sort).map_or(&[], Vec::as_slice)
    }
}

/// The lowest digit of a number in base `radix`, which is taken off.
fn digit(number: &mut usize, radix: usize) -> usize {
    let digit = *number % radix;
    *number /= radix;
    digit
}

/// The term for a value of a sort without declared sorts and functions.
pub(super) fn literal(pool: &mut Pool, sort: Sort, value: &Value) -> Term {
    Literals::default()
        .term(pool, sort, value)
        .expect("Booleans, bit-vectors and arrays of them have literals")
}
