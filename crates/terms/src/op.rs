//! The operator table: one row per operator.
//!
//! A row gives the operator's SMT-LIB name, its theory, how many arguments and indices it takes, how longer
//! argument lists associate, whether arguments commute, its sort rule, and its *executable meaning* as a
//! function from values to a value. Everything else about operators derives from these rows: the pool's
//! sort check, the readers and printers, the reference semantics, the random generators and the rewriter's
//! constant folding. A new operator is a row here, a circuit in `bitblast`, and its rules in `rewrite`.
//!
//! Meanings follow the theories Core, ArraysEx and FixedSizeBitVectors of SMT-LIB 2.7: division by zero gives
//! all ones, remainder by zero gives the dividend, shifts by the width or more give zeros (or copies of the
//! sign). Beside the standard stand the operators that other solvers offer: reductions, rotations by a term,
//! the division overflow predicates (`bvudivo` is `false`: an unsigned quotient always fits).
//!
//! Argument lists that are longer than two are kept as written: `LeftAssoc` folds from the left, `RightAssoc`
//! from the right, `Chainable` is the conjunction of neighbours, `Pairwise` that of all pairs. Cost: a row is
//! static data; the look-up is an array access.

use crate::BitVec;
use crate::integers;
use crate::records::RecordSort;
use crate::sort_rule::SortRule;
use crate::value::Value;
use bivalve_floats::{Format, Integers, Semantics};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::sync::Arc;

/// The theories of SMT-LIB that operators are from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theory {
    /// Booleans, equality, choice, symbols and functions.
    Core,
    /// ArraysEx.
    Arrays,
    /// FixedSizeBitVectors.
    BitVectors,
    /// Bit-vectors and arrays beyond the standard, as other solvers offer them.
    Extension,
    /// Ints, with the conversions from and to bit-vectors.
    Integers,
    /// FloatingPoint.
    Floats,
    /// Data types without recursion.
    Records,
    /// Formulas for all values of variables.
    Quantifiers,
}

impl Theory {
    /// Is the theory defined by bit-vectors, or are its formulas decided by instances? Then
    /// `bivalve-lowering` or the loop over quantified formulas replaces its terms, and no stage below knows
    /// its operators and sorts.
    pub fn is_lowered(self) -> bool {
        match self {
            Theory::Core | Theory::Arrays | Theory::BitVectors | Theory::Extension => false,
            Theory::Integers | Theory::Floats | Theory::Records | Theory::Quantifiers => true,
        }
    }
}

/// How many arguments an operator takes, and how long lists are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// No arguments: a constant or a symbol, made by constructors of their own.
    Leaf,
    /// Exactly this many.
    Exactly(u8),
    /// Two or more, `(f a b c)` is `(f (f a b) c)`.
    LeftAssoc,
    /// Two or more, `(f a b c)` is `(f a (f b c))`.
    RightAssoc,
    /// Two or more, `(f a b c)` is `(and (f a b) (f b c))`.
    Chainable,
    /// Two or more, `(f a b c)` is `(and (f a b) (f a c) (f b c))`.
    Pairwise,
    /// A function symbol and one or more arguments of it.
    Application,
    /// One or more symbols that are bound, and a formula.
    Binder,
    /// The fields of a record, one or more.
    Fields,
}

impl Arity {
    /// Does the operator take `count` arguments?
    pub fn admits(self, count: usize) -> bool {
        match self {
            Arity::Leaf => count == 0,
            Arity::Exactly(n) => count == n as usize,
            Arity::LeftAssoc | Arity::RightAssoc | Arity::Chainable | Arity::Pairwise => count >= 2,
            Arity::Application | Arity::Binder => count >= 2,
            Arity::Fields => count >= 1,
        }
    }
}

/// The arguments of a meaning: values of the children, the index of an indexed operator, and the width of the
/// result.
pub struct Args<'a> {
    /// Values of the children, already of the right sorts.
    pub values: &'a [&'a Value],
    /// The stored index: `lo` of an extract, the amount of an extension, rotation or repetition.
    pub index: u32,
    /// The width of the result when it is a bit-vector, else 0.
    pub width: u32,
    /// The format of the result when it is a floating-point number.
    pub format: Option<Format>,
    /// The definition of the result's sort when it is made of fields.
    pub record: Option<&'a Arc<RecordSort>>,
}

/// One row of the operator table.
pub struct OpInfo {
    /// The operator of this row.
    pub op: Op,
    /// Its name in SMT-LIB; empty for leaves and application.
    pub name: &'static str,
    /// The theory that it is from.
    pub theory: Theory,
    /// How many arguments.
    pub arity: Arity,
    /// How many numerals after `_`: 0, 1, or 2 for `extract`.
    pub indices: u8,
    /// May the arguments be permuted?
    pub commutative: bool,
    /// The sort of the result, or what is wrong with the arguments.
    pub rule: SortRule,
    /// The executable meaning.
    pub meaning: fn(&Args<'_>) -> Value,
}

macro_rules! operators {
    ($($(#[$doc:meta])* $op:ident $name:literal $theory:ident, $arity:expr, $indices:literal, $props:ident, $rule:ident, $meaning:expr;)*) => {
        /// Every operator of the term language.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $op),* }

        /// The table, in the order of [`Op`].
        static TABLE: &[OpInfo] = &[$(OpInfo {
            op: Op::$op,
            name: $name,
            theory: Theory::$theory,
            arity: $arity,
            indices: $indices,
            commutative: commutes::$props,
            rule: SortRule::$rule,
            meaning: $meaning,
        }),*];
    };
}

/// The words of the column "properties".
#[expect(non_upper_case_globals, reason = "the words of a table column")]
mod commutes {
    pub(super) const commutes: bool = true;
    pub(super) const ordered: bool = false;
}

use Arity::{Application, Binder, Chainable, Exactly, Fields, Leaf, LeftAssoc, Pairwise, RightAssoc};

operators! {
    // Leaves: their values come from the pool and from the environment, never from here.
    /// A Boolean or bit-vector constant.
    Const "" Core, Leaf, 0, ordered, Leaf, |_| unreachable!("a constant is read from the pool");
    /// A declared symbol of any sort.
    Symbol "" Core, Leaf, 0, ordered, Leaf, |_| unreachable!("a symbol is read from the environment");
    /// A function symbol applied to arguments; the symbol is the first child.
    Apply "" Core, Application, 0, ordered, Application, |x| x.values[0].expect_function().apply(&x.values[1..]);

    // Core.
    /// Negation.
    Not "not" Core, Exactly(1), 0, ordered, Bools, |x| (!x.bool(0)).into();
    /// Implication, to the right.
    Implies "=>" Core, RightAssoc, 0, ordered, Bools, |x| x.fold_right_bool(|a, b| !a || b);
    /// Conjunction.
    And "and" Core, LeftAssoc, 0, commutes, Bools, |x| x.fold_bool(|a, b| a && b);
    /// Disjunction.
    Or "or" Core, LeftAssoc, 0, commutes, Bools, |x| x.fold_bool(|a, b| a || b);
    /// Exclusive disjunction.
    Xor "xor" Core, LeftAssoc, 0, commutes, Bools, |x| x.fold_bool(|a, b| a != b);
    /// Equality of any first-class sort; arrays are equal when all their elements are.
    Eq "=" Core, Chainable, 0, commutes, SameSort, |x| x.values.windows(2).all(|p| p[0] == p[1]).into();
    /// All arguments differ from each other.
    Distinct "distinct" Core, Pairwise, 0, commutes, SameSort, |x| x.all_different();
    /// If-then-else.
    Ite "ite" Core, Exactly(3), 0, ordered, Ite, |x| x.values[if x.bool(0) { 1 } else { 2 }].clone();

    // ArraysEx.
    /// The element of an array at an index.
    Select "select" Arrays, Exactly(2), 0, ordered, Select, |x| x.values[0].expect_array().select(x.values[1]).clone();
    /// An array that differs from another at one index at most.
    Store "store" Arrays, Exactly(3), 0, ordered, Store, |x| x.values[0].expect_array().store(x.values[1], x.values[2]).into();
    /// The array whose elements are all equal, `((as const S) v)`; built by a constructor of its own.
    ConstArray "const" Extension, Exactly(1), 0, ordered, Annotated, |_| unreachable!("the sort of a constant array is in the pool");

    // FixedSizeBitVectors: structure.
    /// Concatenation, the first argument holds the most significant bits.
    Concat "concat" BitVectors, LeftAssoc, 0, ordered, Concat, |x| x.concatenated();
    /// Bits `hi` down to `lo`; the stored index is `lo`.
    Extract "extract" BitVectors, Exactly(1), 2, ordered, Extract, |x| x.bv(0).extract(x.index + x.width - 1, x.index).into();
    /// Several copies in a row.
    Repeat "repeat" BitVectors, Exactly(1), 1, ordered, Repeat, |x| x.bv(0).repeat(x.index).into();
    /// Zeros put in front.
    ZeroExtend "zero_extend" BitVectors, Exactly(1), 1, ordered, Extend, |x| x.bv(0).zero_extend(x.index).into();
    /// Copies of the sign bit put in front.
    SignExtend "sign_extend" BitVectors, Exactly(1), 1, ordered, Extend, |x| x.bv(0).sign_extend(x.index).into();
    /// Rotation to the left by a constant, modulo the width.
    RotateLeft "rotate_left" BitVectors, Exactly(1), 1, ordered, Rotate, |x| x.bv(0).rotate_left(x.index).into();
    /// Rotation to the right by a constant, modulo the width.
    RotateRight "rotate_right" BitVectors, Exactly(1), 1, ordered, Rotate, |x| x.bv(0).rotate_right(x.index).into();
    /// Rotation to the left by a term, read as unsigned, modulo the width.
    ExtRotateLeft "ext_rotate_left" Extension, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).rotate_left_by(x.bv(1)).into();
    /// Rotation to the right by a term, read as unsigned, modulo the width.
    ExtRotateRight "ext_rotate_right" Extension, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).rotate_right_by(x.bv(1)).into();

    // Bitwise.
    /// Bitwise complement.
    BvNot "bvnot" BitVectors, Exactly(1), 0, ordered, SameWidth, |x| x.bv(0).not().into();
    /// Bitwise conjunction.
    BvAnd "bvand" BitVectors, LeftAssoc, 0, commutes, SameWidth, |x| x.fold(BitVec::and);
    /// Bitwise disjunction.
    BvOr "bvor" BitVectors, LeftAssoc, 0, commutes, SameWidth, |x| x.fold(BitVec::or);
    /// Bitwise exclusive disjunction.
    BvXor "bvxor" BitVectors, LeftAssoc, 0, commutes, SameWidth, |x| x.fold(BitVec::xor);
    /// Complement of the conjunction.
    BvNand "bvnand" BitVectors, Exactly(2), 0, commutes, SameWidth, |x| x.bv(0).nand(x.bv(1)).into();
    /// Complement of the disjunction.
    BvNor "bvnor" BitVectors, Exactly(2), 0, commutes, SameWidth, |x| x.bv(0).nor(x.bv(1)).into();
    /// Complement of the exclusive disjunction; longer lists fold from the left.
    BvXnor "bvxnor" BitVectors, LeftAssoc, 0, commutes, SameWidth, |x| x.fold(BitVec::xnor);
    /// One bit: are the arguments equal?
    BvComp "bvcomp" BitVectors, Exactly(2), 0, commutes, Comp, |x| BitVec::from_bool(x.bv(0) == x.bv(1)).into();
    /// One bit: conjunction of all bits.
    RedAnd "bvredand" Extension, Exactly(1), 0, ordered, Comp, |x| BitVec::from_bool(x.bv(0).redand()).into();
    /// One bit: disjunction of all bits.
    RedOr "bvredor" Extension, Exactly(1), 0, ordered, Comp, |x| BitVec::from_bool(x.bv(0).redor()).into();
    /// One bit: parity.
    RedXor "bvredxor" Extension, Exactly(1), 0, ordered, Comp, |x| BitVec::from_bool(x.bv(0).redxor()).into();

    // Arithmetic modulo 2^w.
    /// Two's complement negation.
    BvNeg "bvneg" BitVectors, Exactly(1), 0, ordered, SameWidth, |x| x.bv(0).neg().into();
    /// Sum.
    BvAdd "bvadd" BitVectors, LeftAssoc, 0, commutes, SameWidth, |x| x.fold(BitVec::add);
    /// Difference.
    BvSub "bvsub" BitVectors, LeftAssoc, 0, ordered, SameWidth, |x| x.fold(BitVec::sub);
    /// Product.
    BvMul "bvmul" BitVectors, LeftAssoc, 0, commutes, SameWidth, |x| x.fold(BitVec::mul);
    /// Unsigned quotient, all ones when the divisor is zero.
    BvUdiv "bvudiv" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).udiv(x.bv(1)).into();
    /// Unsigned remainder, the dividend when the divisor is zero.
    BvUrem "bvurem" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).urem(x.bv(1)).into();
    /// Signed quotient, rounded towards zero.
    BvSdiv "bvsdiv" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).sdiv(x.bv(1)).into();
    /// Signed remainder, with the sign of the dividend.
    BvSrem "bvsrem" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).srem(x.bv(1)).into();
    /// Signed remainder, with the sign of the divisor.
    BvSmod "bvsmod" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).smod(x.bv(1)).into();
    /// Shift to the left.
    BvShl "bvshl" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).shl(x.bv(1)).into();
    /// Shift to the right, zeros move in.
    BvLshr "bvlshr" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).lshr(x.bv(1)).into();
    /// Shift to the right, copies of the sign move in.
    BvAshr "bvashr" BitVectors, Exactly(2), 0, ordered, SameWidth, |x| x.bv(0).ashr(x.bv(1)).into();

    // Order.
    /// Unsigned less than.
    BvUlt "bvult" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).ult(x.bv(1)).into();
    /// Unsigned less than or equal.
    BvUle "bvule" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).ule(x.bv(1)).into();
    /// Unsigned greater than.
    BvUgt "bvugt" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).ugt(x.bv(1)).into();
    /// Unsigned greater than or equal.
    BvUge "bvuge" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).uge(x.bv(1)).into();
    /// Signed less than.
    BvSlt "bvslt" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).slt(x.bv(1)).into();
    /// Signed less than or equal.
    BvSle "bvsle" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).sle(x.bv(1)).into();
    /// Signed greater than.
    BvSgt "bvsgt" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).sgt(x.bv(1)).into();
    /// Signed greater than or equal.
    BvSge "bvsge" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).sge(x.bv(1)).into();

    // Overflow: does the exact result not fit?
    /// Negation overflows: the argument is the least signed value.
    BvNego "bvnego" BitVectors, Exactly(1), 0, ordered, Compare, |x| x.bv(0).neg_overflows().into();
    /// Unsigned sum overflows.
    BvUaddo "bvuaddo" BitVectors, Exactly(2), 0, commutes, Compare, |x| x.bv(0).uadd_overflows(x.bv(1)).into();
    /// Signed sum overflows.
    BvSaddo "bvsaddo" BitVectors, Exactly(2), 0, commutes, Compare, |x| x.bv(0).sadd_overflows(x.bv(1)).into();
    /// Unsigned product overflows.
    BvUmulo "bvumulo" BitVectors, Exactly(2), 0, commutes, Compare, |x| x.bv(0).umul_overflows(x.bv(1)).into();
    /// Signed product overflows.
    BvSmulo "bvsmulo" BitVectors, Exactly(2), 0, commutes, Compare, |x| x.bv(0).smul_overflows(x.bv(1)).into();
    /// Unsigned difference underflows.
    BvUsubo "bvusubo" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).usub_overflows(x.bv(1)).into();
    /// Signed difference overflows.
    BvSsubo "bvssubo" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).ssub_overflows(x.bv(1)).into();
    /// Signed quotient overflows: the least signed value by -1.
    BvSdivo "bvsdivo" BitVectors, Exactly(2), 0, ordered, Compare, |x| x.bv(0).sdiv_overflows(x.bv(1)).into();
    /// Unsigned quotient overflows: never.
    BvUdivo "bvudivo" Extension, Exactly(2), 0, ordered, Compare, |_| false.into();

    // Ints, and the conversions of SMT-LIB 2.7. Division and remainder by zero, which the standard leaves to
    // the model, are never asked for: `bivalve-lowering` refuses them. They are Euclidean.
    /// The unsigned number of a bit-vector.
    UbvToInt "ubv_to_int" Integers, Exactly(1), 0, ordered, BvToInt, |x| x.bv(0).to_int().into();
    /// The signed number of a bit-vector.
    SbvToInt "sbv_to_int" Integers, Exactly(1), 0, ordered, BvToInt, |x| x.bv(0).to_signed_int().into();
    /// The bit-vector of the width of the index that is equal modulo 2^width.
    IntToBv "int_to_bv" Integers, Exactly(1), 1, ordered, IntToBv, |x| BitVec::from_int(x.int(0), x.width).into();
    /// The number with the other sign; its name is that of the difference.
    IntNeg "-" Integers, Exactly(1), 0, ordered, Ints, |x| (-x.int(0)).into();
    /// Difference.
    IntSub "-" Integers, LeftAssoc, 0, ordered, Ints, |x| x.fold_ints(|a, b| a - b);
    /// Sum.
    IntAdd "+" Integers, LeftAssoc, 0, commutes, Ints, |x| x.fold_ints(|a, b| a + b);
    /// Product.
    IntMul "*" Integers, LeftAssoc, 0, commutes, Ints, |x| x.fold_ints(|a, b| a * b);
    /// The quotient that leaves a remainder that is not negative; 0 where the divisor is.
    IntDiv "div" Integers, LeftAssoc, 0, ordered, Ints, |x| x.fold_ints(|a, b| integers::euclidean(a, b).0);
    /// The remainder that is not negative; the dividend where the divisor is 0.
    IntMod "mod" Integers, Exactly(2), 0, ordered, Ints, |x| integers::euclidean(x.int(0), x.int(1)).1.into();
    /// Absolute value.
    IntAbs "abs" Integers, Exactly(1), 0, ordered, Ints, |x| BigInt::from(x.int(0).magnitude().clone()).into();
    /// Less than, of integers or of reals.
    IntLt "<" Integers, Chainable, 0, ordered, NumberCompare, |x| x.chain_numbers(Ordering::is_lt);
    /// Less than or equal.
    IntLe "<=" Integers, Chainable, 0, ordered, NumberCompare, |x| x.chain_numbers(Ordering::is_le);
    /// Greater than.
    IntGt ">" Integers, Chainable, 0, ordered, NumberCompare, |x| x.chain_numbers(Ordering::is_gt);
    /// Greater than or equal.
    IntGe ">=" Integers, Chainable, 0, ordered, NumberCompare, |x| x.chain_numbers(Ordering::is_ge);

    // Quantifiers. The meaning is in `binders`: it needs the terms below, not their values.
    /// A formula for all values of the symbols before it, which are bound; no other binder has them.
    Forall "forall" Quantifiers, Binder, 0, ordered, Binder, |_| unreachable!("a binder is evaluated with its body");

    // Records. The text names them as their sort's declaration does: see `records`.
    /// The record of a constructor with these fields.
    RecordNew "" Records, Fields, 2, ordered, Record, |x| x.record_of_fields();
    /// Has the record this constructor?
    RecordIs "" Records, Exactly(1), 1, ordered, Record, |x| x.is_of_constructor().into();
    /// A field of a record.
    RecordGet "" Records, Exactly(1), 1, ordered, Record, |x| x.field();
    /// The record with another value in a field, if it has that.
    RecordSet "" Records, Exactly(2), 1, ordered, Record, |x| x.with_field();

    // FloatingPoint. Where the standard leaves a result open, an argument behind those that are written says
    // what it is: see `floats`.
    /// The number with this sign, exponent and fraction.
    FpFields "fp" Floats, Exactly(3), 0, ordered, FloatFields, |x| x.float_of_fields();
    /// The number with these bits.
    FpFromBits "to_fp" Floats, Exactly(1), 2, ordered, FloatFromBits, |x| x.float_of_bits();
    /// The number of another format, rounded.
    FpFromFloat "to_fp" Floats, Exactly(2), 2, ordered, FloatFromFloat, |x| x.converted();
    /// A real constant, rounded.
    FpFromReal "to_fp" Floats, Exactly(2), 2, ordered, FloatFromReal, |x| x.float_of_real();
    /// The signed number of a bit-vector, rounded.
    FpFromSbv "to_fp" Floats, Exactly(2), 2, ordered, FloatFromBv, |x| x.float_of_integer(&x.bv(1).to_signed_int());
    /// The unsigned number of a bit-vector, rounded.
    FpFromUbv "to_fp_unsigned" Floats, Exactly(2), 2, ordered, FloatFromBv, |x| x.float_of_integer(&x.bv(1).to_int());
    /// The number without its sign.
    FpAbs "fp.abs" Floats, Exactly(1), 0, ordered, Floats, |x| Integers::abs(x.float(0)).into();
    /// The number with the other sign.
    FpNeg "fp.neg" Floats, Exactly(1), 0, ordered, Floats, |x| Integers::neg(x.float(0)).into();
    /// Sum.
    FpAdd "fp.add" Floats, Exactly(3), 0, ordered, FloatsRounded, |x| Integers::add(x.mode(), x.float(1), x.float(2)).into();
    /// Difference.
    FpSub "fp.sub" Floats, Exactly(3), 0, ordered, FloatsRounded, |x| Integers::sub(x.mode(), x.float(1), x.float(2)).into();
    /// Product.
    FpMul "fp.mul" Floats, Exactly(3), 0, ordered, FloatsRounded, |x| Integers::mul(x.mode(), x.float(1), x.float(2)).into();
    /// Quotient.
    FpDiv "fp.div" Floats, Exactly(3), 0, ordered, FloatsRounded, |x| Integers::div(x.mode(), x.float(1), x.float(2)).into();
    /// Product and sum, rounded once.
    FpFma "fp.fma" Floats, Exactly(4), 0, ordered, FloatsRounded, |x| Integers::fma(x.mode(), x.float(1), x.float(2), x.float(3)).into();
    /// Square root.
    FpSqrt "fp.sqrt" Floats, Exactly(2), 0, ordered, FloatsRounded, |x| Integers::sqrt(x.mode(), x.float(1)).into();
    /// What a multiple of the second by the integer nearest to the quotient leaves of the first.
    FpRem "fp.rem" Floats, Exactly(2), 0, ordered, Floats, |x| Integers::rem(x.float(0), x.float(1)).into();
    /// The nearest integer, by the rounding mode.
    FpRoundToIntegral "fp.roundToIntegral" Floats, Exactly(2), 0, ordered, FloatsRounded, |x| Integers::round_to_integral(x.mode(), x.float(1)).into();
    /// The lesser of two.
    FpMin "fp.min" Floats, Exactly(2), 0, ordered, Floats, |x| x.extremum(Integers::min(x.float(0), x.float(1)));
    /// The greater of two.
    FpMax "fp.max" Floats, Exactly(2), 0, ordered, Floats, |x| x.extremum(Integers::max(x.float(0), x.float(1)));
    /// The unsigned bit-vector of the integer that it is rounded to.
    FpToUbv "fp.to_ubv" Floats, Exactly(2), 1, ordered, FloatToBv, |x| x.unsigned();
    /// The signed bit-vector of the integer that it is rounded to.
    FpToSbv "fp.to_sbv" Floats, Exactly(2), 1, ordered, FloatToBv, |x| x.signed();
    /// The bits of the number, as other solvers have it.
    FpToIeee "fp.to_ieee_bv" Floats, Exactly(1), 0, ordered, FloatToIeee, |x| x.ieee_bits();
    /// The exact value as a real; left open of NaN and infinities.
    FpToReal "fp.to_real" Floats, Exactly(1), 0, ordered, FloatToReal, |x| x.exact_real();
    /// Less than or equal, of numbers.
    FpLe "fp.leq" Floats, Chainable, 0, ordered, FloatCompare, |x| x.chain_floats(Integers::le);
    /// Less than, of numbers.
    FpLt "fp.lt" Floats, Chainable, 0, ordered, FloatCompare, |x| x.chain_floats(Integers::lt);
    /// Greater than or equal, of numbers.
    FpGe "fp.geq" Floats, Chainable, 0, ordered, FloatCompare, |x| x.chain_floats(Integers::ge);
    /// Greater than, of numbers.
    FpGt "fp.gt" Floats, Chainable, 0, ordered, FloatCompare, |x| x.chain_floats(Integers::gt);
    /// Equality of numbers: zeros are equal, and NaN is not equal to itself.
    FpEq "fp.eq" Floats, Chainable, 0, commutes, FloatCompare, |x| x.chain_floats(Integers::eq);
    /// Is it finite, with a leading one?
    FpIsNormal "fp.isNormal" Floats, Exactly(1), 0, ordered, FloatCompare, |x| Integers::is_normal(x.float(0)).into();
    /// Is it not zero, and too small for a leading one?
    FpIsSubnormal "fp.isSubnormal" Floats, Exactly(1), 0, ordered, FloatCompare, |x| Integers::is_subnormal(x.float(0)).into();
    /// Is it a zero?
    FpIsZero "fp.isZero" Floats, Exactly(1), 0, ordered, FloatCompare, |x| Integers::is_zero(x.float(0)).into();
    /// Is it an infinity?
    FpIsInfinite "fp.isInfinite" Floats, Exactly(1), 0, ordered, FloatCompare, |x| Integers::is_infinite(x.float(0)).into();
    /// Is it not a number?
    FpIsNan "fp.isNaN" Floats, Exactly(1), 0, ordered, FloatCompare, |x| Integers::is_nan(x.float(0)).into();
    /// Is it a number with the sign?
    FpIsNegative "fp.isNegative" Floats, Exactly(1), 0, ordered, FloatCompare, |x| Integers::is_negative(x.float(0)).into();
    /// Is it a number without the sign?
    FpIsPositive "fp.isPositive" Floats, Exactly(1), 0, ordered, FloatCompare, |x| Integers::is_positive(x.float(0)).into();
}

impl Op {
    /// All operators, in the order of the table.
    pub fn all() -> impl Iterator<Item = Op> {
        TABLE.iter().map(|row| row.op)
    }

    /// The operators that are not lowered, in the order of the table: all that the stages of the solver know.
    pub fn native() -> impl Iterator<Item = Op> {
        Op::all().filter(|op| !op.is_lowered())
    }

    /// The operators, but those that share their name with another one, from which the arguments tell them:
    /// a minus of one argument, and `to_fp` of two. A binder is no operator in the text.
    pub fn named() -> impl Iterator<Item = Op> {
        let others = [Op::IntNeg, Op::FpFromFloat, Op::FpFromReal, Op::FpFromSbv, Op::Forall];
        Op::all().filter(move |op| !op.name().is_empty() && !others.contains(op))
    }

    /// The names of operators, each once.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Op::named().map(Op::name)
    }

    /// Is the operator from a theory that is defined by bit-vectors?
    #[inline]
    pub fn is_lowered(self) -> bool {
        self.info().theory.is_lowered()
    }

    /// The operator's row.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &TABLE[self as usize]
    }

    /// The operator's SMT-LIB name; empty for constants, symbols and application.
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

impl<'a> Args<'a> {
    /// The arguments of an operator that is not lowered.
    pub fn native(values: &'a [&'a Value], index: u32, width: u32) -> Args<'a> {
        Args { values, index, width, format: None, record: None }
    }

    /// The bit-vector value of child `i`.
    #[inline]
    pub fn bv(&self, i: usize) -> &'a BitVec {
        self.values[i].expect_bitvec()
    }

    /// The Boolean value of child `i`.
    #[inline]
    pub fn bool(&self, i: usize) -> bool {
        self.values[i].expect_bool()
    }

    /// The integer value of child `i`.
    #[inline]
    pub fn int(&self, i: usize) -> &'a BigInt {
        self.values[i].expect_int()
    }

    fn fold_ints(&self, f: impl Fn(&BigInt, &BigInt) -> BigInt) -> Value {
        let first = f(self.int(0), self.int(1));
        self.values[2..].iter().fold(first, |acc, value| f(&acc, value.expect_int())).into()
    }

    /// Compares neighbours, which are integers, or reals.
    fn chain_numbers(&self, holds: impl Fn(Ordering) -> bool) -> Value {
        let order = |pair: &[&Value]| match (pair[0].as_real(), pair[1].as_real()) {
            (Some(a), Some(b)) => a.cmp(b),
            _ => pair[0].expect_int().cmp(pair[1].expect_int()),
        };
        self.values.windows(2).all(|pair| holds(order(pair))).into()
    }

    fn fold(&self, f: impl Fn(&BitVec, &BitVec) -> BitVec) -> Value {
        let first = f(self.bv(0), self.bv(1));
        self.values[2..].iter().fold(first, |acc, v| f(&acc, v.expect_bitvec())).into()
    }

    /// All in a row, joined by halves, so that the bits are copied a logarithmic number of times.
    fn concatenated(&self) -> Value {
        if let [high, low] = self.values {
            return high.expect_bitvec().concat(low.expect_bitvec()).into();
        }
        let joined = |pair: &[BitVec]| pair[1..].iter().fold(pair[0].clone(), |high, low| high.concat(low));
        let mut parts: Vec<BitVec> = self.values.iter().map(|value| value.expect_bitvec().clone()).collect();
        while parts.len() > 1 {
            parts = parts.chunks(2).map(joined).collect();
        }
        parts.swap_remove(0).into()
    }

    fn fold_bool(&self, f: impl Fn(bool, bool) -> bool) -> Value {
        self.values.iter().map(|v| v.expect_bool()).reduce(f).expect("two or more arguments").into()
    }

    fn fold_right_bool(&self, f: impl Fn(bool, bool) -> bool) -> Value {
        self.values
            .iter()
            .rev()
            .map(|v| v.expect_bool())
            .reduce(|acc, a| f(a, acc))
            .expect("two or more arguments")
            .into()
    }

    fn all_different(&self) -> Value {
        let mut seen = FxHashSet::default();
        self.values.iter().all(|value| seen.insert(value)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_operators() {
        for (position, row) in TABLE.iter().enumerate() {
            assert_eq!(row.op as usize, position, "{:?}", row.op);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Op::names().collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
