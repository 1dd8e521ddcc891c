//! Random formulas in layers: grammar-based black-box fuzzing (R. Brummayer's thesis, section 4.2; his
//! FuzzSMT).
//!
//! A formula grows from its leaves up. The *input* layer declares symbols and constants of random widths. The
//! *main* layer applies random operators to random nodes made before; where widths do not fit, the narrower
//! operand is extended or the wider one sliced, and what is a predicate becomes a bit by if-then-else, so
//! that predicates occur below arithmetic too. The *array* layer is interleaved with it: reads, nested
//! writes, choices between arrays; so reads become indices, elements and operands. Functions are applied
//! likewise. The *predicate* layer compares nodes, arrays too if extensionality is wanted, and the *Boolean*
//! layer joins roots, nodes without parents, by random connectives until as many are left as there shall be
//! assertions.
//!
//! Most operands are nodes without parents, so that little of what is made is dead. Some are related to the
//! operand beside them (`related`), and some assertions are plain equations.
//!
//! Division is absent, free, or *guarded*: top-level constraints say that no divisor is zero, so that the
//! status does not hang on what a solver takes division by zero for (section 4.4.1). A divisor that is zero
//! under a hidden random assignment is complemented, so that the guards can hold together; else most formulas
//! were refuted by their guards alone.
//!
//! A random formula is mostly satisfiable and its status unknown. Two further [`Goal`]s determine it: in
//! *planted* formulas roots are negated where a hidden random assignment does not satisfy them; *refuted*
//! ones assert a root and an equivalent of its negation. [`session`] does both over time: levels, names,
//! assumptions, each check of known status.
//!
//! Cost: a few random numbers a node; a formula of the default [`Shape`] takes some 4 µs to make, and three
//! times as much to print.

mod maker;
mod related;
mod session;

pub use session::{Timeline, session};

use crate::case::{Case, Evidence};
use crate::seed_of;
use bivalve_formats::smtlib::print::BitVecFormat;
use bivalve_terms::{Arity, BitVec, Op, SortRule};
use maker::Maker;
use std::ops::RangeInclusive;

/// No bit-vector of a [`Shape`] may be wider: even a repetition of four stays within what terms can be.
pub const MAX_WIDTH: u32 = BitVec::MAX_WIDTH / 4;

/// What is done about divisions by zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Division {
    /// There are no divisions.
    Absent,
    /// No divisor is zero, say further assertions.
    Guarded,
    /// Divisors are whatever they are.
    #[default]
    Free,
}

/// Which operators there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vocabulary {
    /// Those of SMT-LIB 2.0, in forms that every solver accepts.
    Standard,
    /// All of the operator table.
    #[default]
    All,
}

/// What is known of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// Nothing.
    #[default]
    Free,
    /// It is satisfiable, and a model is known.
    Planted,
    /// It is unsatisfiable, and a core is known.
    Refuted,
}

/// How formulas are made. Ranges are inclusive; a number is drawn from each for each formula.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Bit-vector symbols.
    pub variables: RangeInclusive<u32>,
    /// Bit-vector constants.
    pub constants: RangeInclusive<u32>,
    /// Widths of bit-vectors; no term is wider than the greatest, arguments of a concatenation are cut to
    /// fit.
    pub widths: RangeInclusive<u32>,
    /// Operators of the main layer.
    pub operations: RangeInclusive<u32>,
    /// Comparisons of the predicate layer.
    pub predicates: RangeInclusive<u32>,
    /// Assertions; the last roots are joined until so many are left.
    pub assertions: RangeInclusive<u32>,
    /// Further assertions, each an equation with a symbol on one side.
    pub equations: RangeInclusive<u32>,
    /// Of a hundred pairs of operands, so many are related.
    pub related: u32,
    /// What is done about divisions by zero.
    pub division: Division,
    /// May there be shifts and rotations by terms?
    pub shifts: bool,
    /// Which operators there are.
    pub vocabulary: Vocabulary,
    /// Array symbols, and constant arrays if [`Shape::constant_arrays`].
    pub arrays: RangeInclusive<u32>,
    /// Widths of indices; elements have the widths of bit-vectors.
    pub index_widths: RangeInclusive<u32>,
    /// Reads in the main layer, if there are arrays.
    pub reads: RangeInclusive<u32>,
    /// Writes and choices between arrays, if there are arrays.
    pub writes: RangeInclusive<u32>,
    /// Are arrays compared, and chosen by conditions?
    pub extensional: bool,
    /// Are some of the arrays constant ones?
    pub constant_arrays: bool,
    /// Function symbols, of one to three bit-vectors.
    pub functions: RangeInclusive<u32>,
    /// Applications in the main layer, if there are functions.
    pub applications: RangeInclusive<u32>,
    /// What shall be known.
    pub goal: Goal,
}

impl Default for Shape {
    /// Small bit-vector formulas over all operators.
    fn default() -> Shape {
        Shape {
            variables: 1..=4,
            constants: 0..=2,
            widths: 1..=16,
            operations: 2..=14,
            predicates: 1..=6,
            assertions: 1..=3,
            equations: 0..=2,
            related: 15,
            division: Division::Free,
            shifts: true,
            vocabulary: Vocabulary::All,
            arrays: 0..=0,
            index_widths: 1..=4,
            reads: 1..=5,
            writes: 1..=5,
            extensional: true,
            constant_arrays: true,
            functions: 0..=0,
            applications: 1..=5,
            goal: Goal::Free,
        }
    }
}

impl Shape {
    /// The formulas of the thesis' table 4.1, first column: standard operators without division, widths up
    /// to 16. They have some kilobytes, as there.
    pub fn no_division() -> Shape {
        Shape {
            variables: 1..=10,
            constants: 0..=4,
            operations: 10..=200,
            predicates: 5..=60,
            assertions: 1..=1,
            equations: 0..=0,
            related: 0,
            division: Division::Absent,
            vocabulary: Vocabulary::Standard,
            ..Shape::default()
        }
    }

    /// Second column: with guarded division, widths up to 10.
    pub fn guarded_division() -> Shape {
        Shape { widths: 1..=10, division: Division::Guarded, ..Shape::no_division() }
    }

    /// Table 4.2: reads and writes, but neither comparisons of arrays nor divisions nor shifts.
    pub fn arrays_of_thesis() -> Shape {
        Shape {
            arrays: 1..=3,
            reads: 5..=40,
            writes: 5..=30,
            extensional: false,
            constant_arrays: false,
            shifts: false,
            ..Shape::no_division()
        }
    }

    /// Arrays with everything: comparisons, choices, constant arrays.
    pub fn arrays() -> Shape {
        Shape { arrays: 1..=3, widths: 1..=8, ..Shape::default() }
    }

    /// Arrays and functions with everything.
    pub fn everything() -> Shape {
        Shape { functions: 1..=3, ..Shape::arrays() }
    }

    /// The formula of this number.
    pub fn case(&self, seed: u64, number: u64) -> Case {
        let mut maker = Maker::new(self, seed_of(seed, number));
        maker.input_layer();
        maker.main_layer();
        maker.predicate_layer();
        let roots = maker.boolean_layer();
        let (assertions, evidence) = match self.goal {
            Goal::Free => (maker.guarded(roots), Evidence::Nothing),
            Goal::Planted => maker.planted(roots),
            Goal::Refuted => maker.refuted(roots),
        };
        let formats = [BitVecFormat::Binary, BitVecFormat::Decimal, BitVecFormat::Hexadecimal];
        let format = formats[maker.below(formats.len())];
        let assertions = assertions.into_iter().map(Into::into).collect();
        let origin = format!("layered formula {number} of seed {seed}");
        Case { pool: maker.pool, assertions, evidence, format, origin, group: "layered".to_owned() }
    }
}

/// How an operator is used in the layers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Not by chance: leaves, Boolean connectives, arrays and functions have layers of their own.
    Elsewhere,
    /// One bit-vector to one of the same width.
    Unary,
    /// Two bit-vectors to one of the same width; longer lists where the operator takes them.
    Binary,
    /// The same, the second being a divisor.
    Quotient,
    /// The same, the second being an amount.
    Shift,
    /// One or two bit-vectors of a width to a Boolean.
    Predicate,
    /// One or two bit-vectors of a width to a bit.
    Bit,
    Concat,
    Extract,
    Repeat,
    Extend,
    Rotate,
    /// `=` and `distinct`.
    Equality,
    Ite,
}

impl Family {
    /// What the operator table says of sorts tells the families apart, but for amounts and divisors.
    fn of(op: Op) -> Family {
        match op.info().rule {
            SortRule::Leaf | SortRule::Annotated | SortRule::Application | SortRule::Binder => {
                Family::Elsewhere
            }
            SortRule::Bools | SortRule::Select | SortRule::Store => Family::Elsewhere,
            SortRule::SameSort => Family::Equality,
            SortRule::Ite => Family::Ite,
            SortRule::Concat => Family::Concat,
            SortRule::Extract => Family::Extract,
            SortRule::Repeat => Family::Repeat,
            SortRule::Extend => Family::Extend,
            SortRule::Rotate => Family::Rotate,
            SortRule::Comp => Family::Bit,
            SortRule::Compare => Family::Predicate,
            SortRule::SameWidth => match op {
                Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => Family::Quotient,
                Op::BvShl | Op::BvLshr | Op::BvAshr => Family::Shift,
                Op::ExtRotateLeft | Op::ExtRotateRight => Family::Shift,
                _ if op.info().arity == Arity::Exactly(1) => Family::Unary,
                _ => Family::Binary,
            },
            // What is lowered.
            _ => Family::Elsewhere,
        }
    }
}
