//! Which bits of its arguments decide the demanded bits of a term, under given values.
//!
//! The demanded part of a term keeps its value whatever becomes of the rest, as long as the parts that are
//! demanded of its arguments keep theirs. A conjunction that is false needs one argument that is, a choice
//! needs its condition and one side, a comparison needs the bits down to the first that differ, a sum needs
//! the bits up to the highest that is demanded, a read needs one cell. Where there is a choice, the first
//! argument that will do is taken, constants before others. Each rule is local, so the whole is right by
//! induction over the terms: of systems (`minimize`), and of formulas with all that terms have ([`needed`]).
//!
//! Cost: linear in the bits of the arguments, and in the cells that are demanded.

use crate::partial::{bits_of, scalar_of};
use bivalve_terms::{
    ArrayValue, BitVec, FunctionValue, Op, Pool, Sort, SortKind, Sorts, Term, TermMap, Value, cone,
};
use std::collections::BTreeMap;

/// The part of a value that is demanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Demand {
    /// The bits of a bit-vector or of a Boolean that have a one here; at least one has.
    Bits(BitVec),
    /// Parts of some cells of an array, by index.
    Cells(BTreeMap<Value, Demand>),
    /// Parts of some results of a function, by arguments.
    Results(BTreeMap<Vec<Value>, Demand>),
    /// All of a value: of an array, a function, or an element of a declared sort.
    All,
}

/// The part of the values of symbols that makes these Boolean terms what they are: whatever the rest is
/// replaced by, all at once, each of them keeps its value. Symbols that do not matter have no entry.
///
/// `value` is the value of each term at or below the formulas, under one assignment.
pub fn needed(pool: &Pool, formulas: &[Term], value: &dyn Fn(Term) -> Value) -> TermMap<Demand> {
    let mut demands = TermMap::new();
    formulas.iter().for_each(|&formula| add(&mut demands, formula, Demand::full(pool, formula)));
    for &term in cone(pool, formulas).iter().rev() {
        if pool.op(term) == Op::Symbol {
            continue;
        }
        if let Some(demand) = demands.remove(term) {
            let demands = &mut |term, demand| add(&mut demands, term, demand);
            Step { pool, term, value, demands }.pass(demand);
        }
    }
    demands
}

/// Demands a part of a term, besides what is demanded of it already.
pub(crate) fn add(demands: &mut TermMap<Demand>, term: Term, demand: Demand) {
    let all = match demands.remove(term) {
        Some(known) => known.union(demand),
        None => demand,
    };
    demands.insert(term, all);
}

impl Demand {
    /// Everything that a value of the term's sort has.
    pub fn full(pool: &Pool, term: Term) -> Demand {
        Demand::full_of(pool.sorts(), pool.sort(term))
    }

    /// Everything that a value of a sort has.
    fn full_of(sorts: &Sorts, sort: Sort) -> Demand {
        match sorts.kind(sort) {
            SortKind::Bool => Demand::Bits(BitVec::one(1)),
            SortKind::BitVec(width) => Demand::Bits(BitVec::ones(width)),
            SortKind::Theory(_)
            | SortKind::Array { .. }
            | SortKind::Function { .. }
            | SortKind::Uninterpreted(_) => Demand::All,
        }
    }

    /// A value of `sort` that agrees with `value` where it is demanded. The rest is that of the values that
    /// `other` returns, which is asked for one of `sort` and for one of the sort of each cell and result of
    /// which a part is demanded.
    ///
    /// # Panics
    ///
    /// If this is no part of a value of that sort, or a value is of another one.
    pub fn filled_by(
        &self,
        sorts: &Sorts,
        sort: Sort,
        value: &Value,
        other: &mut dyn FnMut(Sort) -> Value,
    ) -> Value {
        match self {
            Demand::All => value.clone(),
            Demand::Bits(mask) => {
                let rest = bits_of(&other(sort)).and(&mask.not());
                scalar_of(sort, bits_of(value).and(mask).or(&rest))
            }
            Demand::Cells(cells) => {
                let (_, element) = sorts.array_parts(sort).expect("internal: cells of another sort");
                let start: ArrayValue = other(sort).expect_array().clone();
                let fill = |array: ArrayValue, (at, part): (&Value, &Demand)| {
                    let cell = part.filled_by(sorts, element, value.expect_array().select(at), other);
                    array.store(at, &cell)
                };
                cells.iter().fold(start, fill).into()
            }
            Demand::Results(results) => {
                let (_, result) = sorts.function_parts(sort).expect("internal: results of another sort");
                let mut function: FunctionValue = other(sort).expect_function().clone();
                for (args, part) in results {
                    let args_of: Vec<&Value> = args.iter().collect();
                    let here = value.expect_function().apply(&args_of);
                    function.define(args.clone(), part.filled_by(sorts, result, &here, other));
                }
                function.into()
            }
        }
    }

    /// This and another part of the same value.
    pub fn union(self, other: Demand) -> Demand {
        match (self, other) {
            (Demand::Bits(a), Demand::Bits(b)) => Demand::Bits(a.or(&b)),
            (Demand::Cells(a), Demand::Cells(b)) => Demand::Cells(union(a, b)),
            (Demand::Results(a), Demand::Results(b)) => Demand::Results(union(a, b)),
            _ => Demand::All,
        }
    }
}

/// Parts of cells or results; where both have a part, these together.
fn union<K: Ord>(mut parts: BTreeMap<K, Demand>, more: BTreeMap<K, Demand>) -> BTreeMap<K, Demand> {
    for (place, demand) in more {
        let all = match parts.remove(&place) {
            Some(known) => known.union(demand),
            None => demand,
        };
        parts.insert(place, all);
    }
    parts
}

/// One step from a term to its arguments.
pub(crate) struct Step<'s> {
    pub(crate) pool: &'s Pool,
    pub(crate) term: Term,
    /// The value of a term.
    pub(crate) value: &'s dyn Fn(Term) -> Value,
    /// What is demanded of arguments; no part is empty.
    pub(crate) demands: &'s mut dyn FnMut(Term, Demand),
}

impl Step<'_> {
    /// Demands of the arguments what decides the demanded part of the term.
    pub(crate) fn pass(&mut self, demand: Demand) {
        let mask = match demand {
            Demand::Bits(mask) => mask,
            demand => return self.whole(demand),
        };
        let args = self.pool.args(self.term).to_vec();
        match self.pool.op(self.term) {
            Op::And | Op::BvAnd | Op::BvNand => self.dominated(&args, mask, |_, bits| bits.not()),
            Op::Or | Op::BvOr | Op::BvNor => self.dominated(&args, mask, |_, bits| bits.clone()),
            Op::Implies => {
                let last = args.len() - 1;
                self.dominated(&args, mask, |i, bits| if i == last { bits.clone() } else { bits.not() });
            }
            Op::Not | Op::Xor | Op::BvNot | Op::BvXor | Op::BvXnor => self.each(&args, &mask),
            Op::Eq | Op::BvComp => match args.windows(2).find(|p| (self.value)(p[0]) != (self.value)(p[1])) {
                Some(pair) => self.difference(pair[0], pair[1]),
                None => self.all(&args),
            },
            Op::Distinct if args.len() == 2 && (self.value)(args[0]) != (self.value)(args[1]) => {
                self.difference(args[0], args[1]);
            }
            Op::Ite => {
                let side = if (self.value)(args[0]).expect_bool() { args[1] } else { args[2] };
                self.all(&args[..1]);
                self.bits(side, mask);
            }
            Op::Select => self.read(&args, Demand::Bits(mask)),
            Op::Apply => self.applied(&args, Demand::Bits(mask)),
            Op::RedAnd => self.reduction(args[0], |bits| bits.not()),
            Op::RedOr => self.reduction(args[0], BitVec::clone),
            Op::BvNeg | Op::BvAdd | Op::BvSub => self.each(&args, &up_to_highest(&mask)),
            Op::BvMul => {
                let low = up_to_highest(&mask);
                match args.iter().find(|&&arg| bits_of(&(self.value)(arg)).and(&low).is_zero()) {
                    Some(&zero) => self.bits(zero, low),
                    None => self.each(&args, &low),
                }
            }
            Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => {
                let [a, b] = [args[0], args[1]].map(|arg| bits_of(&(self.value)(arg)));
                // Equal values need all their bits.
                let first = a.width() - 1 - a.xor(&b).leading_zeros().min(a.width() - 1);
                self.each(&args, &BitVec::from_fn(a.width(), |bit| bit >= first));
            }
            _ => self.structural(&args, &mask),
        }
    }

    /// Operators that move bits; all arguments of those that do not.
    fn structural(&mut self, args: &[Term], mask: &BitVec) {
        let width = |term: Term| self.pool.width(term).unwrap_or(1);
        let index = self.pool.index(self.term);
        match self.pool.op(self.term) {
            Op::Concat => {
                let mut low = 0;
                for &arg in args.iter().rev() {
                    let high = low + width(arg);
                    self.bits(arg, mask.extract(high - 1, low));
                    low = high;
                }
            }
            Op::Extract => {
                let bit = |i: u32| i >= index && i - index < mask.width() && mask.bit(i - index);
                self.bits(args[0], BitVec::from_fn(width(args[0]), bit));
            }
            Op::ZeroExtend => self.bits(args[0], mask.extract(width(args[0]) - 1, 0)),
            Op::SignExtend => {
                let (width, all) = (width(args[0]), mask.width());
                let low = mask.extract(width - 1, 0);
                let sign = !mask.lshr_by(width).is_zero() && all > width;
                self.bits(args[0], if sign { low.or(&BitVec::min_signed(width)) } else { low });
            }
            Op::Repeat => {
                let width = width(args[0]);
                let bit = |i: u32| (0..index).any(|copy| mask.bit(copy * width + i));
                self.bits(args[0], BitVec::from_fn(width, bit));
            }
            Op::RotateLeft => self.bits(args[0], mask.rotate_right(index)),
            Op::RotateRight => self.bits(args[0], mask.rotate_left(index)),
            op @ (Op::ExtRotateLeft | Op::ExtRotateRight | Op::BvShl | Op::BvLshr | Op::BvAshr) => {
                let amount = bits_of(&(self.value)(args[1]));
                let below = match op {
                    Op::ExtRotateLeft => mask.rotate_right_by(&amount),
                    Op::ExtRotateRight => mask.rotate_left_by(&amount),
                    Op::BvShl => mask.lshr(&amount),
                    Op::BvLshr => mask.shl(&amount),
                    _ => {
                        // Where copies of the sign came in, the sign is demanded.
                        let copies = BitVec::ones(mask.width()).lshr(&amount).not();
                        let sign = BitVec::min_signed(mask.width());
                        let below = mask.shl(&amount);
                        if copies.and(mask).is_zero() { below } else { below.or(&sign) }
                    }
                };
                self.all(&args[1..]);
                self.bits(args[0], below);
            }
            _ => self.all(args),
        }
    }

    /// Arrays, and elements of declared sorts.
    fn whole(&mut self, demand: Demand) {
        let args = self.pool.args(self.term).to_vec();
        match (self.pool.op(self.term), demand) {
            (Op::Ite, demand) => {
                let side = if (self.value)(args[0]).expect_bool() { args[1] } else { args[2] };
                self.all(&args[..1]);
                (self.demands)(side, demand);
            }
            (Op::Select, demand) => self.read(&args, demand),
            (Op::Apply, demand) => self.applied(&args, demand),
            (Op::Store, Demand::Cells(cells)) => {
                let index = (self.value)(args[1]);
                let is_bits = matches!(index, Value::Bool(_) | Value::BitVec(_));
                let mut others = BTreeMap::new();
                for (cell, part) in cells {
                    if cell == index {
                        self.all(&args[1..2]);
                        (self.demands)(args[2], part);
                        continue;
                    }
                    if is_bits {
                        // One bit in which the indices differ is enough.
                        self.bits(args[1], lowest(&bits_of(&cell).xor(&bits_of(&index))));
                    } else {
                        self.all(&args[1..2]);
                    }
                    others.insert(cell, part);
                }
                if !others.is_empty() {
                    (self.demands)(args[0], Demand::Cells(others));
                }
            }
            (Op::ConstArray, Demand::Cells(cells)) => {
                cells.into_values().for_each(|part| (self.demands)(args[0], part));
            }
            _ => self.all(&args),
        }
    }

    /// A part of a cell that is read.
    fn read(&mut self, args: &[Term], part: Demand) {
        self.all(&args[1..]);
        let cells = BTreeMap::from([((self.value)(args[1]), part)]);
        (self.demands)(args[0], Demand::Cells(cells));
    }

    /// A part of a result of a function.
    fn applied(&mut self, args: &[Term], part: Demand) {
        self.all(&args[1..]);
        let values = args[1..].iter().map(|&arg| (self.value)(arg)).collect();
        (self.demands)(args[0], Demand::Results(BTreeMap::from([(values, part)])));
    }

    /// For operators with a value that decides alone: `decides` has a one at each bit where the argument with
    /// that number has it.
    fn dominated(&mut self, args: &[Term], mask: BitVec, decides: impl Fn(usize, &BitVec) -> BitVec) {
        let mut open = mask;
        let is_constant = |&i: &usize| self.pool.is_const(args[i]);
        let (mut order, others): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(is_constant);
        order.extend(others);
        for i in order {
            let decided = decides(i, &bits_of(&(self.value)(args[i]))).and(&open);
            open = open.and(&decided.not());
            self.bits(args[i], decided);
        }
        self.each(args, &open);
    }

    /// A bit that decides the reduction, if there is one, else all bits.
    fn reduction(&mut self, arg: Term, decides: impl Fn(&BitVec) -> BitVec) {
        match lowest(&decides(&bits_of(&(self.value)(arg)))) {
            none if none.is_zero() => self.all(&[arg]),
            bit => self.bits(arg, bit),
        }
    }

    /// Two arguments of different values: a bit, or a bit of a cell, in which they differ.
    fn difference(&mut self, a: Term, b: Term) {
        let (x, y) = ((self.value)(a), (self.value)(b));
        let (Value::Array(x), Value::Array(y)) = (&x, &y) else {
            return match differing_bit(&x, &y) {
                Some(bit) => self.each(&[a, b], &bit),
                None => self.all(&[a, b]),
            };
        };
        let mut listed = x.entries().chain(y.entries()).map(|(index, _)| index);
        // Without a difference among the entries the defaults differ, and so does each cell that has no
        // entry.
        let Some(cell) = listed.find(|&index| x.select(index) != y.select(index)) else {
            return self.all(&[a, b]);
        };
        let part = differing_bit(x.select(cell), y.select(cell)).map_or(Demand::All, Demand::Bits);
        for array in [a, b] {
            (self.demands)(array, Demand::Cells(BTreeMap::from([(cell.clone(), part.clone())])));
        }
    }

    fn each(&mut self, args: &[Term], mask: &BitVec) {
        args.iter().for_each(|&arg| self.bits(arg, mask.clone()));
    }

    fn bits(&mut self, arg: Term, mask: BitVec) {
        if !mask.is_zero() {
            (self.demands)(arg, Demand::Bits(mask));
        }
    }

    fn all(&mut self, args: &[Term]) {
        args.iter().for_each(|&arg| (self.demands)(arg, Demand::full(self.pool, arg)));
    }
}

/// The lowest bit in which two bit-vectors or Booleans differ; `None` for values of other sorts.
fn differing_bit(x: &Value, y: &Value) -> Option<BitVec> {
    let is_bits = |value: &Value| matches!(value, Value::Bool(_) | Value::BitVec(_));
    (is_bits(x) && is_bits(y)).then(|| lowest(&bits_of(x).xor(&bits_of(y))))
}

/// The lowest one of a mask, alone.
fn lowest(mask: &BitVec) -> BitVec {
    mask.and(&mask.neg())
}

/// Ones up to the highest one of a mask.
fn up_to_highest(mask: &BitVec) -> BitVec {
    BitVec::ones(mask.width()).lshr_by(mask.leading_zeros())
}
