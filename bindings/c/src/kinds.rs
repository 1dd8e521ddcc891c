//! The kinds of terms, as numbers that C programs are compiled with.
//!
//! A kind stands for an operator of the table in `bivalve-terms`, or for one of the leaves. The numbers are
//! part of the binary interface: a new operator gets the next number, none is used again. A test compares the
//! list with the table of operators, so that none is missing.

use bivalve::terms::Op;

/// What a term is: a leaf, or the operator at its root.
///
/// The meaning of each operator is that of SMT-LIB 2.7, and the comment of a kind has its name there.
/// Operators of bit-vectors begin with `BV`, those of floating-point numbers with `FP`, those of integers
/// with `INT`, those of Booleans with none of these.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No term: the answer to a call that failed.
    None = 0,
    /// A constant.
    Const = 1,
    /// A declared symbol of any sort.
    Symbol = 2,
    /// A function symbol applied to arguments; the symbol is the first child.
    Apply = 3,
    /// Negation: `not`.
    Not = 4,
    /// Implication, to the right: `=>`.
    Implies = 5,
    /// Conjunction: `and`.
    And = 6,
    /// Disjunction: `or`.
    Or = 7,
    /// Exclusive disjunction: `xor`.
    Xor = 8,
    /// Equality of any first-class sort; arrays are equal when all their elements are: `=`.
    Eq = 9,
    /// All arguments differ from each other: `distinct`.
    Distinct = 10,
    /// If-then-else: `ite`.
    Ite = 11,
    /// The element of an array at an index: `select`.
    Select = 12,
    /// An array that differs from another at one index at most: `store`.
    Store = 13,
    /// The array whose elements are all equal, `((as const S) v)`; built by a constructor of its own.
    ConstArray = 14,
    /// Concatenation, the first argument holds the most significant bits: `concat`.
    Concat = 15,
    /// Bits `hi` down to `lo`; the stored index is `lo`: `extract`.
    Extract = 16,
    /// Several copies in a row: `repeat`.
    Repeat = 17,
    /// Zeros put in front: `zero_extend`.
    ZeroExtend = 18,
    /// Copies of the sign bit put in front: `sign_extend`.
    SignExtend = 19,
    /// Rotation to the left by a constant, modulo the width: `rotate_left`.
    RotateLeft = 20,
    /// Rotation to the right by a constant, modulo the width: `rotate_right`.
    RotateRight = 21,
    /// Rotation to the left by a term, read as unsigned, modulo the width: `ext_rotate_left`.
    ExtRotateLeft = 22,
    /// Rotation to the right by a term, read as unsigned, modulo the width: `ext_rotate_right`.
    ExtRotateRight = 23,
    /// Bitwise complement: `bvnot`.
    BvNot = 24,
    /// Bitwise conjunction: `bvand`.
    BvAnd = 25,
    /// Bitwise disjunction: `bvor`.
    BvOr = 26,
    /// Bitwise exclusive disjunction: `bvxor`.
    BvXor = 27,
    /// Complement of the conjunction: `bvnand`.
    BvNand = 28,
    /// Complement of the disjunction: `bvnor`.
    BvNor = 29,
    /// Complement of the exclusive disjunction; longer lists fold from the left: `bvxnor`.
    BvXnor = 30,
    /// One bit: are the arguments equal?: `bvcomp`.
    BvComp = 31,
    /// One bit: conjunction of all bits: `bvredand`.
    RedAnd = 32,
    /// One bit: disjunction of all bits: `bvredor`.
    RedOr = 33,
    /// One bit: parity: `bvredxor`.
    RedXor = 34,
    /// Two's complement negation: `bvneg`.
    BvNeg = 35,
    /// Sum: `bvadd`.
    BvAdd = 36,
    /// Difference: `bvsub`.
    BvSub = 37,
    /// Product: `bvmul`.
    BvMul = 38,
    /// Unsigned quotient, all ones when the divisor is zero: `bvudiv`.
    BvUdiv = 39,
    /// Unsigned remainder, the dividend when the divisor is zero: `bvurem`.
    BvUrem = 40,
    /// Signed quotient, rounded towards zero: `bvsdiv`.
    BvSdiv = 41,
    /// Signed remainder, with the sign of the dividend: `bvsrem`.
    BvSrem = 42,
    /// Signed remainder, with the sign of the divisor: `bvsmod`.
    BvSmod = 43,
    /// Shift to the left: `bvshl`.
    BvShl = 44,
    /// Shift to the right, zeros move in: `bvlshr`.
    BvLshr = 45,
    /// Shift to the right, copies of the sign move in: `bvashr`.
    BvAshr = 46,
    /// Unsigned less than: `bvult`.
    BvUlt = 47,
    /// Unsigned less than or equal: `bvule`.
    BvUle = 48,
    /// Unsigned greater than: `bvugt`.
    BvUgt = 49,
    /// Unsigned greater than or equal: `bvuge`.
    BvUge = 50,
    /// Signed less than: `bvslt`.
    BvSlt = 51,
    /// Signed less than or equal: `bvsle`.
    BvSle = 52,
    /// Signed greater than: `bvsgt`.
    BvSgt = 53,
    /// Signed greater than or equal: `bvsge`.
    BvSge = 54,
    /// Negation overflows: the argument is the least signed value: `bvnego`.
    BvNego = 55,
    /// Unsigned sum overflows: `bvuaddo`.
    BvUaddo = 56,
    /// Signed sum overflows: `bvsaddo`.
    BvSaddo = 57,
    /// Unsigned product overflows: `bvumulo`.
    BvUmulo = 58,
    /// Signed product overflows: `bvsmulo`.
    BvSmulo = 59,
    /// Unsigned difference underflows: `bvusubo`.
    BvUsubo = 60,
    /// Signed difference overflows: `bvssubo`.
    BvSsubo = 61,
    /// Signed quotient overflows: the least signed value by -1: `bvsdivo`.
    BvSdivo = 62,
    /// Unsigned quotient overflows: never: `bvudivo`.
    BvUdivo = 63,
    /// The number with a sign, an exponent and a fraction, three bit-vectors: `fp`.
    Fp = 64,
    /// The number whose bits a bit-vector is; the indices are the bits of exponent and significand, as of all
    /// that make numbers of a format: `to_fp`.
    FpFromBits = 65,
    /// The nearest number of another format, in a rounding mode: `to_fp`.
    FpFromFp = 66,
    /// The number nearest to a real constant, which texts have: `to_fp`.
    FpFromReal = 67,
    /// The number nearest to a bit-vector in two's complement: `to_fp`.
    FpFromSbv = 68,
    /// The number nearest to a bit-vector without a sign: `to_fp_unsigned`.
    FpFromUbv = 69,
    /// Magnitude: `fp.abs`.
    FpAbs = 70,
    /// The number with the other sign: `fp.neg`.
    FpNeg = 71,
    /// Sum; the first argument of this and all that round is the rounding mode: `fp.add`.
    FpAdd = 72,
    /// Difference: `fp.sub`.
    FpSub = 73,
    /// Product: `fp.mul`.
    FpMul = 74,
    /// Quotient: `fp.div`.
    FpDiv = 75,
    /// Product of the first two numbers plus the third, rounded once: `fp.fma`.
    FpFma = 76,
    /// Square root: `fp.sqrt`.
    FpSqrt = 77,
    /// Remainder by the nearest integer, as `remainder` of C, not `fmod`: `fp.rem`.
    FpRem = 78,
    /// The nearest integer, as a number of the format: `fp.roundToIntegral`.
    FpRti = 79,
    /// The lesser number, either of zeros of opposite sign: `fp.min`.
    FpMin = 80,
    /// The greater number, either of zeros of opposite sign: `fp.max`.
    FpMax = 81,
    /// The integer without a sign, of the width that the index says, any where it does not fit: `fp.to_ubv`.
    FpToUbv = 82,
    /// The integer in two's complement, likewise: `fp.to_sbv`.
    FpToSbv = 83,
    /// The bits; of NaN those of the quiet one: `fp.to_ieee_bv`.
    FpToBits = 84,
    /// Less than or equal, false for NaN: `fp.leq`.
    FpLeq = 85,
    /// Less than: `fp.lt`.
    FpLt = 86,
    /// Greater than or equal: `fp.geq`.
    FpGeq = 87,
    /// Greater than: `fp.gt`.
    FpGt = 88,
    /// Equality of numbers, the `==` of C; `EQ` is identity: `fp.eq`.
    FpEqual = 89,
    /// A number with the hidden bit: `fp.isNormal`.
    FpIsNormal = 90,
    /// A number without the hidden bit, but no zero: `fp.isSubnormal`.
    FpIsSubnormal = 91,
    /// One of the zeros: `fp.isZero`.
    FpIsZero = 92,
    /// One of the infinities: `fp.isInfinite`.
    FpIsInf = 93,
    /// Not a number: `fp.isNaN`.
    FpIsNan = 94,
    /// A number with the sign: `fp.isNegative`.
    FpIsNeg = 95,
    /// A number without the sign: `fp.isPositive`.
    FpIsPos = 96,
    /// The integer that a bit-vector without a sign is: `ubv_to_int`.
    UbvToInt = 97,
    /// The integer that a bit-vector in two's complement is: `sbv_to_int`.
    SbvToInt = 98,
    /// An integer modulo 2^width, of the width that the index says: `int_to_bv`.
    IntToBv = 99,
    /// Negation of an integer: `-`.
    IntNeg = 100,
    /// Difference of integers: `-`.
    IntSub = 101,
    /// Sum of integers: `+`.
    IntAdd = 102,
    /// Product of integers: `*`.
    IntMul = 103,
    /// Quotient of integers: `div`.
    IntDiv = 104,
    /// Remainder of integers, never negative: `mod`.
    IntMod = 105,
    /// Magnitude of an integer: `abs`.
    IntAbs = 106,
    /// Less than, of integers: `<`.
    IntLt = 107,
    /// Less than or equal, of integers: `<=`.
    IntLeq = 108,
    /// Greater than, of integers: `>`.
    IntGt = 109,
    /// Greater than or equal, of integers: `>=`.
    IntGeq = 110,
    /// A formula for all values of symbols; these come first, then the body: `forall`.
    Forall = 111,
    /// The record of a constructor with these fields, which texts have.
    RecordNew = 112,
    /// Has the record this constructor: `is`.
    RecordIs = 113,
    /// A field of a record: a selector.
    RecordGet = 114,
    /// The record with another value in a field: `update`.
    RecordSet = 115,
    /// The exact value of a float as a real: `fp.to_real`.
    FpToReal = 116,
}

/// Each kind with its operator.
const KINDS: &[(Kind, Op)] = &[
    (Kind::Const, Op::Const),
    (Kind::Symbol, Op::Symbol),
    (Kind::Apply, Op::Apply),
    (Kind::Not, Op::Not),
    (Kind::Implies, Op::Implies),
    (Kind::And, Op::And),
    (Kind::Or, Op::Or),
    (Kind::Xor, Op::Xor),
    (Kind::Eq, Op::Eq),
    (Kind::Distinct, Op::Distinct),
    (Kind::Ite, Op::Ite),
    (Kind::Select, Op::Select),
    (Kind::Store, Op::Store),
    (Kind::ConstArray, Op::ConstArray),
    (Kind::Concat, Op::Concat),
    (Kind::Extract, Op::Extract),
    (Kind::Repeat, Op::Repeat),
    (Kind::ZeroExtend, Op::ZeroExtend),
    (Kind::SignExtend, Op::SignExtend),
    (Kind::RotateLeft, Op::RotateLeft),
    (Kind::RotateRight, Op::RotateRight),
    (Kind::ExtRotateLeft, Op::ExtRotateLeft),
    (Kind::ExtRotateRight, Op::ExtRotateRight),
    (Kind::BvNot, Op::BvNot),
    (Kind::BvAnd, Op::BvAnd),
    (Kind::BvOr, Op::BvOr),
    (Kind::BvXor, Op::BvXor),
    (Kind::BvNand, Op::BvNand),
    (Kind::BvNor, Op::BvNor),
    (Kind::BvXnor, Op::BvXnor),
    (Kind::BvComp, Op::BvComp),
    (Kind::RedAnd, Op::RedAnd),
    (Kind::RedOr, Op::RedOr),
    (Kind::RedXor, Op::RedXor),
    (Kind::BvNeg, Op::BvNeg),
    (Kind::BvAdd, Op::BvAdd),
    (Kind::BvSub, Op::BvSub),
    (Kind::BvMul, Op::BvMul),
    (Kind::BvUdiv, Op::BvUdiv),
    (Kind::BvUrem, Op::BvUrem),
    (Kind::BvSdiv, Op::BvSdiv),
    (Kind::BvSrem, Op::BvSrem),
    (Kind::BvSmod, Op::BvSmod),
    (Kind::BvShl, Op::BvShl),
    (Kind::BvLshr, Op::BvLshr),
    (Kind::BvAshr, Op::BvAshr),
    (Kind::BvUlt, Op::BvUlt),
    (Kind::BvUle, Op::BvUle),
    (Kind::BvUgt, Op::BvUgt),
    (Kind::BvUge, Op::BvUge),
    (Kind::BvSlt, Op::BvSlt),
    (Kind::BvSle, Op::BvSle),
    (Kind::BvSgt, Op::BvSgt),
    (Kind::BvSge, Op::BvSge),
    (Kind::BvNego, Op::BvNego),
    (Kind::BvUaddo, Op::BvUaddo),
    (Kind::BvSaddo, Op::BvSaddo),
    (Kind::BvUmulo, Op::BvUmulo),
    (Kind::BvSmulo, Op::BvSmulo),
    (Kind::BvUsubo, Op::BvUsubo),
    (Kind::BvSsubo, Op::BvSsubo),
    (Kind::BvSdivo, Op::BvSdivo),
    (Kind::BvUdivo, Op::BvUdivo),
    (Kind::Fp, Op::FpFields),
    (Kind::FpFromBits, Op::FpFromBits),
    (Kind::FpFromFp, Op::FpFromFloat),
    (Kind::FpFromReal, Op::FpFromReal),
    (Kind::FpFromSbv, Op::FpFromSbv),
    (Kind::FpFromUbv, Op::FpFromUbv),
    (Kind::FpAbs, Op::FpAbs),
    (Kind::FpNeg, Op::FpNeg),
    (Kind::FpAdd, Op::FpAdd),
    (Kind::FpSub, Op::FpSub),
    (Kind::FpMul, Op::FpMul),
    (Kind::FpDiv, Op::FpDiv),
    (Kind::FpFma, Op::FpFma),
    (Kind::FpSqrt, Op::FpSqrt),
    (Kind::FpRem, Op::FpRem),
    (Kind::FpRti, Op::FpRoundToIntegral),
    (Kind::FpMin, Op::FpMin),
    (Kind::FpMax, Op::FpMax),
    (Kind::FpToUbv, Op::FpToUbv),
    (Kind::FpToSbv, Op::FpToSbv),
    (Kind::FpToBits, Op::FpToIeee),
    (Kind::FpLeq, Op::FpLe),
    (Kind::FpLt, Op::FpLt),
    (Kind::FpGeq, Op::FpGe),
    (Kind::FpGt, Op::FpGt),
    (Kind::FpEqual, Op::FpEq),
    (Kind::FpIsNormal, Op::FpIsNormal),
    (Kind::FpIsSubnormal, Op::FpIsSubnormal),
    (Kind::FpIsZero, Op::FpIsZero),
    (Kind::FpIsInf, Op::FpIsInfinite),
    (Kind::FpIsNan, Op::FpIsNan),
    (Kind::FpIsNeg, Op::FpIsNegative),
    (Kind::FpIsPos, Op::FpIsPositive),
    (Kind::UbvToInt, Op::UbvToInt),
    (Kind::SbvToInt, Op::SbvToInt),
    (Kind::IntToBv, Op::IntToBv),
    (Kind::IntNeg, Op::IntNeg),
    (Kind::IntSub, Op::IntSub),
    (Kind::IntAdd, Op::IntAdd),
    (Kind::IntMul, Op::IntMul),
    (Kind::IntDiv, Op::IntDiv),
    (Kind::IntMod, Op::IntMod),
    (Kind::IntAbs, Op::IntAbs),
    (Kind::IntLt, Op::IntLt),
    (Kind::IntLeq, Op::IntLe),
    (Kind::IntGt, Op::IntGt),
    (Kind::IntGeq, Op::IntGe),
    (Kind::Forall, Op::Forall),
    (Kind::RecordNew, Op::RecordNew),
    (Kind::RecordIs, Op::RecordIs),
    (Kind::RecordGet, Op::RecordGet),
    (Kind::RecordSet, Op::RecordSet),
    (Kind::FpToReal, Op::FpToReal),
];

/// The operator of this number; `None` if there is none.
pub(crate) fn op_of(kind: u32) -> Option<Op> {
    KINDS.iter().find(|(row, _)| *row as u32 == kind).map(|&(_, op)| op)
}

/// The kind of an operator.
pub(crate) fn kind_of(op: Op) -> Kind {
    KINDS.iter().find(|(_, row)| *row == op).map_or(Kind::None, |&(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_one_kind_and_every_kind_one_operator() {
        for op in Op::all() {
            assert_eq!(KINDS.iter().filter(|(_, row)| *row == op).count(), 1, "{op:?}");
            assert_eq!(op_of(kind_of(op) as u32), Some(op));
        }
        for (position, (kind, _)) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, position + 1, "numbers without gaps, in the order of the list");
        }
        assert_eq!((op_of(0), op_of(10_000)), (None, None));
    }
}
