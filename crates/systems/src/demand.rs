//! Which bits of its arguments decide the demanded bits of a term, under given values.
//!
//! The demanded part of a term keeps its value whatever becomes of the rest, as long as the parts that are
//! demanded of its arguments keep theirs. A conjunction that is false needs one argument that is, a choice
//! needs its condition and one side, a comparison needs the bits down to the first that differ, a sum needs
//! the bits up to the highest that is demanded, a read needs one cell. Where there is a choice, the first
//! argument that will do is taken, constants before others. Each rule is local, so the whole is right by
//! induction over the terms.
//!
//! Cost: linear in the bits of the arguments, and in the cells that are demanded.

use crate::partial::bits_of;
use bivalve_terms::{BitVec, Op, Pool, Term, Value};
use std::collections::BTreeMap;

/// The part of a value that is demanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Demand {
    /// The bits of a bit-vector or of a Boolean that have a one here; at least one has.
    Bits(BitVec),
    /// The bits of some cells of an array.
    Cells(BTreeMap<Value, BitVec>),
    /// All of an array.
    All,
}

impl Demand {
    /// Everything that a value of the term's sort has.
    pub(crate) fn full(pool: &Pool, term: Term) -> Demand {
        match pool.sorts().array_parts(pool.sort(term)) {
            Some(_) => Demand::All,
            None => Demand::Bits(BitVec::ones(pool.width(term).unwrap_or(1))),
        }
    }

    /// This and another part of the same value.
    pub(crate) fn union(self, other: Demand) -> Demand {
        match (self, other) {
            (Demand::Bits(a), Demand::Bits(b)) => Demand::Bits(a.or(&b)),
            (Demand::Cells(mut cells), Demand::Cells(more)) => {
                for (index, bits) in more {
                    let all = cells.get(&index).map_or_else(|| bits.clone(), |known| known.or(&bits));
                    cells.insert(index, all);
                }
                Demand::Cells(cells)
            }
            _ => Demand::All,
        }
    }
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
            demand => return self.array(&demand),
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
            Op::Select => {
                self.all(&args[1..]);
                let cell = BTreeMap::from([((self.value)(args[1]), mask)]);
                (self.demands)(args[0], Demand::Cells(cell));
            }
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

    fn array(&mut self, demand: &Demand) {
        let args = self.pool.args(self.term).to_vec();
        match (self.pool.op(self.term), demand) {
            (Op::Ite, _) => {
                let side = if (self.value)(args[0]).expect_bool() { args[1] } else { args[2] };
                self.all(&args[..1]);
                (self.demands)(side, demand.clone());
            }
            (Op::Store, Demand::Cells(cells)) => {
                let index = (self.value)(args[1]);
                let mut others = BTreeMap::new();
                for (cell, mask) in cells {
                    if *cell == index {
                        self.all(&args[1..2]);
                        self.bits(args[2], mask.clone());
                    } else {
                        // One bit in which the indices differ is enough.
                        self.bits(args[1], lowest(&bits_of(cell).xor(&bits_of(&index))));
                        others.insert(cell.clone(), mask.clone());
                    }
                }
                if !others.is_empty() {
                    (self.demands)(args[0], Demand::Cells(others));
                }
            }
            (Op::ConstArray, Demand::Cells(cells)) => {
                cells.values().for_each(|mask| self.bits(args[0], mask.clone()));
            }
            _ => self.all(&args),
        }
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
            let bit = lowest(&bits_of(&x).xor(&bits_of(&y)));
            return self.each(&[a, b], &bit);
        };
        let mut listed = x.entries().chain(y.entries()).map(|(index, _)| index);
        // Without a difference among the entries the defaults differ, and so does each cell that has no
        // entry.
        let Some(cell) = listed.find(|&index| x.select(index) != y.select(index)) else {
            return self.all(&[a, b]);
        };
        let bit = lowest(&bits_of(x.select(cell)).xor(&bits_of(y.select(cell))));
        for array in [a, b] {
            (self.demands)(array, Demand::Cells(BTreeMap::from([(cell.clone(), bit.clone())])));
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

/// The lowest one of a mask, alone.
fn lowest(mask: &BitVec) -> BitVec {
    mask.and(&mask.neg())
}

/// Ones up to the highest one of a mask.
fn up_to_highest(mask: &BitVec) -> BitVec {
    BitVec::ones(mask.width()).lshr_by(mask.leading_zeros())
}
