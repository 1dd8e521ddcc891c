//! Random values and assignments.
//!
//! Uniform 64-bit numbers never meet: a test that draws them does not see a division by zero, an overflow by
//! one, an equality or a shift by the width. So most values are corners: zero, one, minus one, the least and
//! the greatest signed number, powers of two and their neighbours and complements, small numbers, numbers
//! near the width, and runs of ones. The rest is uniform. Arrays and functions get a random default and a few
//! entries at such corners.
//!
//! Values of deeply nested arrays have entries on the two outer levels only, so that they stay small.

use super::TermGen;
use crate::BitVec;
use crate::array_value::ArrayValue;
use crate::binders::free_symbols;
use crate::pool::Pool;
use crate::semantics::Assignment;
use crate::sort::{Sort, SortKind};
use crate::term::Term;
use crate::value::{FunctionValue, Value};

/// Arrays within arrays beyond this level are constant.
const LEVELS: u32 = 2;

impl TermGen {
    /// A random bit-vector; corners are likely. Panics unless `1 <= width <= 2^24`.
    pub fn bitvec(&mut self, width: u32) -> BitVec {
        let small = |value: u32| BitVec::from_u64(u64::from(value), width);
        let value = match self.rng.u32(..10) {
            0 => BitVec::zero(width),
            1 => BitVec::one(width),
            2 => self.power_of_two(width),
            3 => self.power_of_two(width).sub(&small(1)),
            4 => small(self.rng.u32(..16)),
            5 => small((width - 1).saturating_add(self.rng.u32(..3))),
            6 => self.power_of_two(width).sub(&self.power_of_two(width)),
            _ => return self.uniform(width),
        };
        if self.rng.u32(..3) == 0 { value.not() } else { value }
    }

    /// A random value of any sort, function sorts included.
    pub fn value(&mut self, pool: &Pool, sort: Sort) -> Value {
        self.value_at(pool, sort, 0)
    }

    /// A random value for every free symbol at or below `roots`.
    pub fn assignment(&mut self, pool: &Pool, roots: &[Term]) -> Assignment {
        let mut assignment = Assignment::new();
        for symbol in free_symbols(pool, roots) {
            assignment.set(symbol, self.value(pool, pool.sort(symbol)));
        }
        assignment
    }

    fn value_at(&mut self, pool: &Pool, sort: Sort, level: u32) -> Value {
        match pool.sorts().kind(sort) {
            SortKind::Bool => self.rng.bool().into(),
            SortKind::BitVec(width) => self.bitvec(width).into(),
            SortKind::Theory(sort) => {
                let number = self.rng.i64(..) >> self.rng.u32(..64);
                sort.value_of_number(pool.sorts(), number).into()
            }
            SortKind::Uninterpreted(_) => Value::Element(sort, self.rng.u32(..4)),
            SortKind::Array { .. } if level > LEVELS => Value::default_of(pool.sorts(), sort),
            SortKind::Array { index, element } => {
                let default = self.value_at(pool, element, level + 1);
                let mut array = ArrayValue::constant(pool.sorts(), sort, default);
                for _ in 0..self.rng.u32(..6) {
                    let place = self.value_at(pool, index, level + 1);
                    array = array.store(&place, &self.value_at(pool, element, level + 1));
                }
                array.into()
            }
            SortKind::Function { params, result } => {
                let mut function = FunctionValue::constant(self.value_at(pool, result, level + 1));
                for _ in 0..self.rng.u32(..6) {
                    let args = params.iter().map(|&param| self.value_at(pool, param, level + 1)).collect();
                    function.define(args, self.value_at(pool, result, level + 1));
                }
                function.into()
            }
        }
    }

    /// One bit is set, the highest one often.
    fn power_of_two(&mut self, width: u32) -> BitVec {
        let place = if self.rng.u32(..4) == 0 { width - 1 } else { self.rng.u32(..width) };
        BitVec::one(width).shl_by(place)
    }

    /// Each value is as likely as any other.
    fn uniform(&mut self, width: u32) -> BitVec {
        let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.rng.u64(..)).collect();
        BitVec::from_words(&words, width)
    }
}
