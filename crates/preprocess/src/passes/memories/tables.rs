//! Constant tables: a read of an array whose elements are written down becomes a choice by the bits of the
//! index.
//!
//! An array that is a chain of writes of constants to constant indices is a table. A read of it at an index
//! that is not known is left to lemmas otherwise: one for each element that the search comes upon, each time
//! with a search in between. Here it becomes a tree of choices: by the bits of the index from the top, with a
//! comparison for each run of bits that the indices below have in common, and what lies below the table where
//! none of them agrees. The circuits of the choices share what is equal, bit by bit, so what is left is the
//! decision diagram of each bit of the table, in the order of the bits of the index.
//!
//! Measured: the number of ones of 32 bits, by a table of 256 and by a sum, 5.8 s to 0.4 s; an S-box of 8
//! bits is injective, 0.9 s to 0.2 s, and one of 10 bits, more than 10 s to 6 s. Files with other small
//! tables take what they took.
//!
//! Why it is right: by the axioms of arrays a read of the table is the element of the last write to its
//! index, or what a read of the array below the writes gives.
//!
//! Cost: each table is collected once for each chain that is read, and makes at most two choices for each of
//! its elements, [`MOST_ELEMENTS`] in all.

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Smaller tables are as good in lemmas.
const LEAST_ELEMENTS: usize = 4;

/// Elements of tables, once for each read.
const MOST_ELEMENTS: usize = 50_000;

/// See [`super::super::Run`].
pub(in crate::passes) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if !pool.sorts().has_arrays() {
        return None;
    }
    let below = problem.cone(pool);
    let is_read = |term: Term| pool.op(term) == Op::Select && pool.op(pool.args(term)[0]) == Op::Store;
    if !below.iter().any(|&term| is_read(term)) {
        return None;
    }
    let mut tables = Tables { found: FxHashMap::default(), left: MOST_ELEMENTS };
    problem.rebuilt(pool, &Reason::Law, |pool, _, image| {
        let (Op::Select, &[array, index]) = (pool.op(image), pool.args(image)) else { return None };
        tables.read(pool, array, index)
    })
}

/// Indices and elements in the order of the indices, and the array below.
struct Table {
    elements: Vec<(u64, Term)>,
    below: Term,
}

/// The tables by array; `None` if it is none.
struct Tables {
    found: FxHashMap<Term, Option<Table>>,
    /// So many elements may still be read.
    left: usize,
}

impl Tables {
    /// The choice that a read is, if it is one of a table.
    fn read(&mut self, pool: &mut Pool, array: Term, index: Term) -> Option<Term> {
        if pool.op(array) != Op::Store || pool.is_const(index) {
            return None;
        }
        let left = &mut self.left;
        let table = self.found.entry(array).or_insert_with(|| Table::of(pool, array, left)).as_ref()?;
        self.left = self.left.checked_sub(table.elements.len())?;
        let default = match (pool.op(table.below), pool.args(table.below)) {
            (Op::ConstArray, &[element]) => element,
            _ => make::app(pool, Op::Select, &[table.below, index]),
        };
        let width = pool.width(index)?;
        Some(Choice { index, default }.tree(pool, &table.elements, width))
    }
}

impl Table {
    fn of(pool: &Pool, array: Term, left: &mut usize) -> Option<Table> {
        let mut elements: BTreeMap<u64, Term> = BTreeMap::new();
        let mut at = array;
        while let (Op::Store, &[below, index, element]) = (pool.op(at), pool.args(at)) {
            *left = left.checked_sub(1)?;
            if !pool.is_const(element) {
                return None;
            }
            elements.entry(pool.as_u64(index)?).or_insert(element);
            at = below;
        }
        if let (Op::ConstArray, &[default]) = (pool.op(at), pool.args(at)) {
            elements.retain(|_, element| *element != default);
        }
        (elements.len() >= LEAST_ELEMENTS)
            .then(|| Table { elements: elements.into_iter().collect(), below: at })
    }
}

/// What is chosen by.
struct Choice {
    index: Term,
    /// The element at all indices that are not in the table.
    default: Term,
}

impl Choice {
    /// The element at the index, if all bits from `width` on are those of the elements here, of which there
    /// is one.
    fn tree(&self, pool: &mut Pool, elements: &[(u64, Term)], width: u32) -> Term {
        let (first, last) = (elements[0], elements[elements.len() - 1]);
        // The bits below this place differ.
        let open = u64::BITS - (first.0 ^ last.0).leading_zeros();
        let whole = open < u64::BITS && elements.len() as u64 == 1 << open;
        let inner = if whole && elements.iter().all(|&(_, element)| element == first.1) {
            first.1
        } else {
            let split = elements.partition_point(|&(index, _)| index >> (open - 1) & 1 == 0);
            let [low, high] =
                [&elements[..split], &elements[split..]].map(|half| self.tree(pool, half, open - 1));
            let is_high = self.agrees(pool, open - 1, open - 1, 1);
            make::ite(pool, is_high, high, low)
        };
        if open == width {
            return inner;
        }
        let agrees = self.agrees(pool, width - 1, open, first.0.checked_shr(open).unwrap_or(0));
        make::ite(pool, agrees, inner, self.default)
    }

    /// Are these bits of the index those of a constant?
    fn agrees(&self, pool: &mut Pool, high: u32, low: u32, bits: u64) -> Term {
        let constant = pool.bv_u64(bits, high - low + 1);
        let slice = make::extract(pool, self.index, high, low);
        make::eq(pool, constant, slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use bivalve_terms::cone;
    use bivalve_terms::{Assignment, BitVec, Sort, Value, eval};

    /// Tables of all sizes, over a constant array and over a symbol, read at every index.
    #[test]
    fn every_index_finds_its_element() {
        let mut changed = 0;
        for seed in 0..300 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut pool = Pool::new();
            let width = [3, 4, 70][random.usize(..3)];
            let (index, byte) = (Sort::bitvec(width), Sort::bitvec(2));
            let (index, byte) = (index.expect("a legal width"), byte.expect("a legal width"));
            let sort = pool.sorts_mut().array(index, byte).expect("not too deep");
            let i = pool.symbol("i", index);
            let symbol = pool.symbol("a", sort);
            let zero = pool.bv_u64(0, 2);
            let mut array = if random.bool() { make::const_array(&mut pool, sort, zero) } else { symbol };
            // Some indices have high bits of their own.
            let far = if random.u8(..3) == 0 { 1 << 63 } else { 0 };
            for _ in 0..random.u64(1..20) {
                let place = random.u64(..1 << width.min(4)) | (far * random.u64(..2));
                let [place, element] = [pool.bv_u64(place, width), pool.bv_u64(random.u64(..4), 2)];
                array = pool.mk(Op::Store, &[array, place, element]);
            }
            let read = pool.mk(Op::Select, &[array, i]);
            let one = pool.bv_u64(1, 2);
            let conjunct = pool.mk(Op::Eq, &[one, read]);
            let Some(found) = alone(run, &mut pool, &[conjunct]) else { continue };
            changed += 1;
            let tree = pool.args(found[0])[1];
            for place in (0..16).chain((0..16).map(|place| place | 1 << 63)) {
                let mut assignment = Assignment::new();
                assignment.set(i, BitVec::from_u64(place, width));
                let mut value = Value::default_of(pool.sorts(), sort);
                let (at, three) = (BitVec::from_u64(place, width), BitVec::from_u64(3, 2));
                value = value.expect_array().store(&Value::BitVec(at), &Value::BitVec(three)).into();
                assignment.set(symbol, value);
                let [before, after] = [read, tree].map(|term| eval(&pool, term, &assignment));
                assert_eq!(before, after, "seed {seed}, index {place:x}");
            }
        }
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// A full table needs no array, and equal halves no choice.
    #[test]
    fn equal_parts_are_one() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).expect("a legal width");
        let sort = pool.sorts_mut().array(byte, byte).expect("not too deep");
        let (i, mut array) = (pool.symbol("i", byte), pool.symbol("a", sort));
        for place in 0..256 {
            let [place, element] = [place, place >> 7].map(|value| pool.bv_u64(value, 8));
            array = pool.mk(Op::Store, &[array, place, element]);
        }
        let read = pool.mk(Op::Select, &[array, i]);
        let conjunct = pool.mk(Op::BvUlt, &[i, read]);
        let found = alone(run, &mut pool, &[conjunct]).expect("a table is read");
        assert!(cone(&pool, &found).iter().filter(|&&term| pool.op(term) == Op::Ite).count() == 1);
        let empty = pool.mk(Op::Select, &[symbol_of(&pool, array), i]);
        let conjunct = pool.mk(Op::BvUlt, &[i, empty]);
        assert_eq!(alone(run, &mut pool, &[conjunct]), None);
    }

    fn symbol_of(pool: &Pool, mut array: Term) -> Term {
        while pool.op(array) == Op::Store {
            array = pool.args(array)[0];
        }
        array
    }
}
