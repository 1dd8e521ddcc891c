//! Values: what terms evaluate to.
//!
//! A value is a Boolean, a bit-vector, one of a theory that is lowered, an element of an uninterpreted sort
//! (numbered from 0), an array or a function. Values of one sort are equal exactly when they mean the same:
//! arrays and functions, too, have a canonical form (see [`ArrayValue`]). A function keeps no entry that
//! equals its default; no term is of a function sort, so functions over finite domains need not be compared
//! argument by argument.
//!
//! Cost: a value is 32 bytes, wide bit-vectors and the contents of arrays and functions aside. Copies of
//! arrays and functions share their contents.

use crate::BitVec;
use crate::array_value::ArrayValue;
use crate::sort::{Sort, SortKind, Sorts};
use crate::theories::TheoryValue;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A value of some sort. The order is total within a sort: Booleans, bit-vectors (unsigned), values of
/// theories, and elements by number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// A value of a theory that is lowered.
    Theory(Arc<TheoryValue>),
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
                SortKind::Theory(sort) => break sort.default_value(sorts).into(),
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

    /// Whether this is a value of `sort`. Cost: linear in the entries of arrays and functions, one look-up a
    /// level of nesting each.
    pub fn is_of(&self, sorts: &Sorts, sort: Sort) -> bool {
        let mut todo = vec![(self, sort)];
        while let Some((value, sort)) = todo.pop() {
            let fits = match (value, sorts.kind(sort)) {
                (Value::Bool(_), SortKind::Bool) => true,
                (Value::BitVec(bits), SortKind::BitVec(width)) => bits.width() == width,
                (Value::Theory(value), SortKind::Theory(sort)) => {
                    if let TheoryValue::Record(record) = &**value {
                        let of = &record.definition().constructors()[record.constructor() as usize];
                        todo.extend(record.fields().iter().zip(of.fields.iter().map(|&(_, sort)| sort)));
                    }
                    value.kind() == sort
                }
                (Value::Element(of, _), SortKind::Uninterpreted(_)) => *of == sort,
                (Value::Array(array), SortKind::Array { index, element }) => {
                    todo.push((array.default(), element));
                    todo.extend(array.entries().flat_map(|(at, value)| [(at, index), (value, element)]));
                    array.is_indexed_by(sorts, index)
                }
                (Value::Function(function), SortKind::Function { params, result }) => {
                    todo.push((&function.default, result));
                    for (args, value) in &function.entries {
                        todo.push((value, result));
                        todo.extend(args.iter().zip(params.iter().copied()));
                    }
                    function.entries.keys().all(|args| args.len() == params.len())
                }
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// The Boolean; `None` for a value of another sort.
    #[inline]
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// The bit-vector; `None` for a value of another sort.
    #[inline]
    pub fn as_bitvec(&self) -> Option<&BitVec> {
        if let Value::BitVec(value) = self { Some(value) } else { None }
    }

    /// The integer; `None` for a value of another sort.
    #[inline]
    pub fn as_int(&self) -> Option<&BigInt> {
        if let Value::Theory(value) = self { value.as_int() } else { None }
    }

    /// The unsigned number; `None` for a value that is no bit-vector, or a number of 2^64 or more.
    pub fn to_u64(&self) -> Option<u64> {
        self.as_bitvec()?.to_u64()
    }

    /// The number in two's complement; `None` for a value that is no bit-vector, or out of range.
    pub fn to_i64(&self) -> Option<i64> {
        self.as_bitvec()?.to_i64()
    }

    /// The array; `None` for a value of another sort.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        if let Value::Array(value) = self { Some(value) } else { None }
    }

    /// The function; `None` for a value of another sort.
    pub fn as_function(&self) -> Option<&FunctionValue> {
        if let Value::Function(value) = self { Some(value) } else { None }
    }

    /// The Boolean, where the sort is known.
    ///
    /// # Panics
    ///
    /// On a value of another sort.
    #[inline]
    pub fn expect_bool(&self) -> bool {
        self.as_bool().unwrap_or_else(|| self.is_no("a Boolean"))
    }

    /// The bit-vector, where the sort is known.
    ///
    /// # Panics
    ///
    /// On a value of another sort.
    #[inline]
    pub fn expect_bitvec(&self) -> &BitVec {
        self.as_bitvec().unwrap_or_else(|| self.is_no("a bit-vector"))
    }

    /// The integer, where the sort is known.
    ///
    /// # Panics
    ///
    /// On a value of another sort.
    #[inline]
    pub fn expect_int(&self) -> &BigInt {
        self.as_int().unwrap_or_else(|| self.is_no("an integer"))
    }

    /// The array, where the sort is known.
    ///
    /// # Panics
    ///
    /// On a value of another sort.
    pub fn expect_array(&self) -> &ArrayValue {
        self.as_array().unwrap_or_else(|| self.is_no("an array"))
    }

    /// The function, where the sort is known.
    ///
    /// # Panics
    ///
    /// On a value of another sort.
    pub fn expect_function(&self) -> &FunctionValue {
        self.as_function().unwrap_or_else(|| self.is_no("a function"))
    }

    #[cold]
    fn is_no(&self, expected: &str) -> ! {
        panic!("internal: expected {expected} value, found {self:?}")
    }
}

/// Booleans, bit-vectors and values of theories as in SMT-LIB. Elements of declared sorts are `@0`, `@1`
/// and so on; arrays and functions list what differs from the default, as in
/// `[#b01 -> true, else -> false]`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::BitVec(value) => write!(f, "{value}"),
            Value::Theory(value) => write!(f, "{value}"),
            Value::Element(_, number) => write!(f, "@{number}"),
            Value::Array(array) => {
                f.write_str("[")?;
                array.entries().try_for_each(|(index, element)| write!(f, "{index} -> {element}, "))?;
                write!(f, "else -> {}]", array.default())
            }
            Value::Function(function) => {
                f.write_str("[")?;
                for (args, result) in function.entries() {
                    let args: Vec<String> = args.iter().map(Value::to_string).collect();
                    write!(f, "({}) -> {result}, ", args.join(", "))?;
                }
                write!(f, "else -> {}]", function.default())
            }
        }
    }
}

/// The hexadecimal digits of a bit-vector; other values as `Display` prints them.
impl fmt::LowerHex for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::BitVec(value) => fmt::LowerHex::fmt(value, f),
            _ => fmt::Display::fmt(self, f),
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

impl From<BigInt> for Value {
    fn from(value: BigInt) -> Value {
        TheoryValue::Int(value).into()
    }
}

impl From<TheoryValue> for Value {
    fn from(value: TheoryValue) -> Value {
        Value::Theory(Arc::new(value))
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

    /// How many argument lists have a result other than the default.
    pub fn size(&self) -> usize {
        self.entries.len()
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
        assert!(
            function.apply(&[&true.into()]).expect_bool() && !function.apply(&[&false.into()]).expect_bool()
        );
        assert_eq!(function.entries().count(), 1);
        function.define(vec![true.into()], false.into());
        assert_eq!(function, constant);
    }

    #[test]
    fn values_are_read_without_panics_and_printed() {
        let byte = Value::from(BitVec::from_u64(0xf5, 8));
        assert_eq!((byte.to_u64(), byte.to_i64(), byte.as_bool()), (Some(0xf5), Some(-11), None));
        assert_eq!(format!("{byte} {byte:x} {byte:#x}"), "#b11110101 f5 0xf5");
        let wide = |value: u64| BitVec::from_u64(value, 100);
        assert_eq!(wide(5).neg().to_i64(), Some(-5));
        assert_eq!((wide(1 << 63).to_i64(), wide(1 << 63).neg().to_i64()), (None, Some(i64::MIN)));
        assert_eq!(format!("{:x}", BitVec::from_u64(0x1f, 5)), "1f");
        let mut function = FunctionValue::constant(false.into());
        function.define(vec![byte.clone(), true.into()], true.into());
        assert_eq!(Value::from(function).to_string(), "[(#b11110101, true) -> true, else -> false]");
        let mut sorts = Sorts::default();
        let array = sorts.array(Sort::BOOL, Sort::BOOL).unwrap();
        let zero = Value::default_of(&sorts, array);
        let one = Value::from(zero.expect_array().store(&true.into(), &true.into()));
        assert_eq!(one.to_string(), "[true -> true, else -> false]");
        assert_eq!(one.as_bitvec(), None);
    }

    #[test]
    fn values_are_of_their_sort_alone() {
        let mut sorts = Sorts::default();
        let [two, four] = [2, 4].map(|width| Sort::bitvec(width).unwrap());
        let array = |sorts: &mut Sorts, index, element| sorts.array(index, element).unwrap();
        let all = [
            Sort::BOOL,
            two,
            four,
            sorts.declare("S"),
            sorts.declare("T"),
            array(&mut sorts, two, four),
            array(&mut sorts, four, four),
            array(&mut sorts, four, two),
            sorts.function(&[two], four).unwrap(),
            sorts.function(&[two, two], four).unwrap(),
        ];
        for (i, &sort) in all.iter().enumerate() {
            let value = Value::default_of(&sorts, sort);
            // A constant function is one of any number of arguments.
            let is_expected = |j: usize| i == j || (i.min(j) == 8 && i.max(j) == 9);
            assert!((0..all.len()).all(|j| value.is_of(&sorts, all[j]) == is_expected(j)), "{sort:?}");
        }
        let [small, large] = [2, 4].map(|width| Value::from(BitVec::one(width)));
        let stored = |index: &Value, element: &Value| -> Value {
            Value::default_of(&sorts, all[5]).expect_array().store(index, element).into()
        };
        assert!(stored(&small, &large).is_of(&sorts, all[5]));
        assert!(!stored(&large, &large).is_of(&sorts, all[5]));
        assert!(!stored(&small, &small).is_of(&sorts, all[5]));
        let mut function = FunctionValue::constant(BitVec::zero(4).into());
        function.define(vec![small.clone()], large);
        assert!(Value::from(function.clone()).is_of(&sorts, all[8]));
        assert!(!Value::from(function).is_of(&sorts, all[9]));
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
            value = value.expect_array().select(&true.into());
        }
        assert_eq!(*value, BitVec::zero(3).into());
    }
}
