//! Values: what terms evaluate to.
//!
//! A value is a Boolean, a bit-vector, an element of an uninterpreted sort (numbered from 0), an array or a
//! function. Values of one sort are equal exactly when they mean the same: arrays and functions, too, have a
//! canonical form (see [`ArrayValue`]; a function keeps no entry that says what the default says, and since
//! no term is of a function sort, nobody asks whether functions of finitely many arguments agree everywhere).
//!
//! Cost: a value is 32 bytes, wide bit-vectors and the contents of arrays and functions aside. Copies of
//! arrays and functions share their contents.

use crate::BitVec;
use crate::array_value::ArrayValue;
use crate::sort::{Sort, SortKind, Sorts};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort. The order is total within a sort: Booleans, bit-vectors (unsigned) and elements by
/// number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// An element of an uninterpreted sort.
    Element(Sort, u32),
    /// An array.
    Array(Arc<ArrayValue>),
    /// A function: only symbols have such values, no term of first-class sort.
    Function(Arc<FunctionValue>),
}

/// A function: a default result and the finitely many argument lists that differ from it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionValue {
    default: Value,
    entries: BTreeMap<Vec<Value>, Value>,
}

impl Value {
    /// The value every symbol of `sort` has when nothing is known of it: false, zero, element 0, and the
    /// array or function that is so everywhere.
    pub fn default_of(sorts: &Sorts, sort: Sort) -> Value {
        // Descend to the innermost element sort, then wrap: array sorts may be deep.
        let mut shells = vec![];
        let mut inner = sort;
        let base = loop {
            match sorts.kind(inner) {
                SortKind::Bool => break Value::Bool(false),
                SortKind::BitVec(width) => break Value::BitVec(BitVec::zero(width)),
                SortKind::Uninterpreted(_) => break Value::Element(inner, 0),
                SortKind::Array { element, .. } => {
                    shells.push(inner);
                    inner = element;
                }
                SortKind::Function { result, .. } => {
                    shells.push(inner);
                    inner = result;
                }
            }
        };
        shells.into_iter().rev().fold(base, |value, shell| match sorts.is_function(shell) {
            true => FunctionValue::constant(value).into(),
            false => ArrayValue::neutral(sorts, shell, value).into(),
        })
    }

    /// The Boolean. Panics on a value of another sort, which well-sorted terms never have.
    #[inline]
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            _ => panic!("internal: expected a Boolean value, found {self:?}"),
        }
    }

    /// The bit-vector. Panics on a value of another sort, which well-sorted terms never have.
    #[inline]
    pub fn as_bitvec(&self) -> &BitVec {
        match self {
            Value::BitVec(value) => value,
            _ => panic!("internal: expected a bit-vector value, found {self:?}"),
        }
    }

    /// The array. Panics on a value of another sort, which well-sorted terms never have.
    pub fn as_array(&self) -> &ArrayValue {
        match self {
            Value::Array(value) => value,
            _ => panic!("internal: expected an array value, found {self:?}"),
        }
    }

    /// The function. Panics on a value of another sort, which well-sorted terms never have.
    pub fn as_function(&self) -> &FunctionValue {
        match self {
            Value::Function(value) => value,
            _ => panic!("internal: expected a function value, found {self:?}"),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<BitVec> for Value {
    fn from(value: BitVec) -> Value {
        Value::BitVec(value)
    }
}

impl From<ArrayValue> for Value {
    fn from(value: ArrayValue) -> Value {
        Value::Array(Arc::new(value))
    }
}

impl From<FunctionValue> for Value {
    fn from(value: FunctionValue) -> Value {
        Value::Function(Arc::new(value))
    }
}

impl FunctionValue {
    /// The function whose results are all `default`.
    pub fn constant(default: Value) -> FunctionValue {
        FunctionValue { default, entries: BTreeMap::new() }
    }

    /// Sets the result for one argument list.
    pub fn define(&mut self, args: Vec<Value>, result: Value) {
        if result == self.default {
            self.entries.remove(&args);
        } else {
            self.entries.insert(args, result);
        }
    }

    /// The result for the arguments.
    pub fn apply(&self, args: &[&Value]) -> Value {
        let args: Vec<Value> = args.iter().map(|&v| v.clone()).collect();
        self.entries.get(&args).unwrap_or(&self.default).clone()
    }

    /// The result for all argument lists that are not among the entries.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The argument lists with a result other than the default, in increasing order.
    pub fn entries(&self) -> impl Iterator<Item = (&[Value], &Value)> {
        self.entries.iter().map(|(args, result)| (args.as_slice(), result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_keep_no_entry_that_says_what_the_default_says() {
        let mut function = FunctionValue::constant(false.into());
        let constant = function.clone();
        function.define(vec![true.into()], true.into());
        assert!(function.apply(&[&true.into()]).as_bool() && !function.apply(&[&false.into()]).as_bool());
        assert_eq!(function.entries().count(), 1);
        function.define(vec![true.into()], false.into());
        assert_eq!(function, constant);
    }

    #[test]
    fn defaults_of_deep_sorts_need_no_stack() {
        let mut sorts = Sorts::default();
        let mut sort = Sort::bitvec(3).expect("a legal width");
        for _ in 0..crate::MAX_NESTING {
            sort = sorts.array(Sort::BOOL, sort).expect("within the bound");
        }
        let mut value = &Value::default_of(&sorts, sort);
        for _ in 0..crate::MAX_NESTING {
            value = value.as_array().select(&true.into());
        }
        assert_eq!(*value, BitVec::zero(3).into());
    }
}
