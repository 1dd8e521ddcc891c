//! Builders of terms: a method for each operator.
//!
//! One table lists the operators with the names of their methods: on [`Pool`], where terms are ids and a
//! refusal is a [`SortError`] at once, and on [`Expr`], which carries a refusal along. The names are those of
//! SMT-LIB; expressions drop the `bv` where no operator of Rust does the same. A test checks that the table
//! has every operator of the operator table, so a new operator cannot be forgotten here; but for those of
//! theories that are lowered, whose terms are made by [`Pool::app`].

use crate::context::{Expr, Operand};
use crate::op::Op;
use crate::pool::Pool;
use crate::sort_rule::SortError;
use crate::term::Term;

macro_rules! builders {
    (
        unary { $($u:ident $upool:ident $uexpr:ident $udoc:literal;)* }
        binary { $($b:ident $bpool:ident $bexpr:ident $bdoc:literal;)* }
        indexed { $($i:ident $ipool:ident $iexpr:ident $idoc:literal;)* }
    ) => {
        /// A builder for each operator. All of them refuse ill-sorted arguments with a [`SortError`].
        ///
        /// # Errors
        ///
        /// When the operator does not accept arguments of these sorts.
        #[expect(clippy::missing_errors_doc, reason = "it is said once, for all")]
        impl Pool {
            $(#[doc = $udoc] pub fn $upool(&mut self, x: Term) -> Result<Term, SortError> {
                self.app(Op::$u, &[x])
            })*
            $(#[doc = $bdoc] pub fn $bpool(&mut self, x: Term, y: Term) -> Result<Term, SortError> {
                self.app(Op::$b, &[x, y])
            })*
            $(#[doc = $idoc] pub fn $ipool(&mut self, n: u32, x: Term) -> Result<Term, SortError> {
                self.indexed(Op::$i, &[n], &[x])
            })*
        }

        /// A method for each operator.
        impl Expr {
            $(#[doc = $udoc] #[track_caller] #[must_use] pub fn $uexpr(&self) -> Expr {
                self.apply_op(Op::$u, &[], [])
            })*
            $(#[doc = $bdoc] #[track_caller] #[must_use] pub fn $bexpr(&self, other: impl Operand) -> Expr {
                let sort = self.sort_of_second(Op::$b);
                self.apply_op(Op::$b, &[], [(&other as &dyn Operand, sort)])
            })*
            $(#[doc = $idoc] #[track_caller] #[must_use] pub fn $iexpr(&self, n: u32) -> Expr {
                self.apply_op(Op::$i, &[n], [])
            })*
        }

        /// The operators with a row above.
        #[cfg(test)]
        const LISTED: &[Op] = &[$(Op::$u,)* $(Op::$b,)* $(Op::$i,)*];
    };
}

builders! {
    unary {
        Not not not "Negation of a Boolean.";
        BvNot bvnot bvnot "Bitwise complement.";
        BvNeg bvneg bvneg "Two's complement negation.";
        RedAnd bvredand redand "One bit: the conjunction of all bits.";
        RedOr bvredor redor "One bit: the disjunction of all bits.";
        RedXor bvredxor redxor "One bit: the parity.";
        BvNego bvnego neg_overflows "Does negation overflow?";
    }
    binary {
        Implies implies implies "Implication.";
        And and and "Conjunction of Booleans.";
        Or or or "Disjunction of Booleans.";
        Xor xor xor "Exclusive disjunction of Booleans.";
        Eq eq equals "Equality.";
        Distinct distinct distinct "Disequality.";
        Select select select "The element of an array at an index.";
        Concat concat concat "Concatenation; the first holds the most significant bits.";
        ExtRotateLeft ext_rotate_left rotate_left_by "Rotation to the left by a term.";
        ExtRotateRight ext_rotate_right rotate_right_by "Rotation to the right by a term.";
        BvAnd bvand bvand "Bitwise conjunction.";
        BvOr bvor bvor "Bitwise disjunction.";
        BvXor bvxor bvxor "Bitwise exclusive disjunction.";
        BvNand bvnand nand "Complement of the bitwise conjunction.";
        BvNor bvnor nor "Complement of the bitwise disjunction.";
        BvXnor bvxnor xnor "Complement of the bitwise exclusive disjunction.";
        BvComp bvcomp comp "One bit: are they equal?";
        BvAdd bvadd bvadd "Sum.";
        BvSub bvsub bvsub "Difference.";
        BvMul bvmul bvmul "Product.";
        BvUdiv bvudiv udiv "Unsigned quotient, all ones when the divisor is zero.";
        BvUrem bvurem urem "Unsigned remainder, the dividend when the divisor is zero.";
        BvSdiv bvsdiv sdiv "Signed quotient, rounded towards zero.";
        BvSrem bvsrem srem "Signed remainder with the sign of the dividend.";
        BvSmod bvsmod smod "Signed remainder with the sign of the divisor.";
        BvShl bvshl shl "Shift to the left.";
        BvLshr bvlshr lshr "Shift to the right; zeros move in.";
        BvAshr bvashr ashr "Shift to the right; copies of the sign move in.";
        BvUlt bvult ult "Unsigned less than.";
        BvUle bvule ule "Unsigned less than or equal.";
        BvUgt bvugt ugt "Unsigned greater than.";
        BvUge bvuge uge "Unsigned greater than or equal.";
        BvSlt bvslt slt "Signed less than.";
        BvSle bvsle sle "Signed less than or equal.";
        BvSgt bvsgt sgt "Signed greater than.";
        BvSge bvsge sge "Signed greater than or equal.";
        BvUaddo bvuaddo uadd_overflows "Does the unsigned sum overflow?";
        BvSaddo bvsaddo sadd_overflows "Does the signed sum overflow?";
        BvUmulo bvumulo umul_overflows "Does the unsigned product overflow?";
        BvSmulo bvsmulo smul_overflows "Does the signed product overflow?";
        BvUsubo bvusubo usub_overflows "Does the unsigned difference overflow?";
        BvSsubo bvssubo ssub_overflows "Does the signed difference overflow?";
        BvSdivo bvsdivo sdiv_overflows "Does the signed quotient overflow?";
        BvUdivo bvudivo udiv_overflows "Does the unsigned quotient overflow? It never does.";
    }
    indexed {
        Repeat repeat repeat "`n` copies in a row.";
        ZeroExtend zero_extend zero_extend "`n` zeros put in front.";
        SignExtend sign_extend sign_extend "`n` copies of the sign bit put in front.";
        RotateLeft rotate_left rotate_left "Rotation to the left by `n` bits.";
        RotateRight rotate_right rotate_right "Rotation to the right by `n` bits.";
    }
}

/// The operators of other shapes.
impl Pool {
    /// The bit-vector constant `value` of `width` bits.
    ///
    /// # Errors
    ///
    /// Unless `1 <= width <= 2^24`, and unless the value fits.
    pub fn bv(&mut self, value: u64, width: u32) -> Result<Term, SortError> {
        crate::Sort::bitvec(width)?;
        if width < 64 && value >> width != 0 {
            return Err(SortError::TooLarge { value, width });
        }
        Ok(self.bv_u64(value, width))
    }

    /// If-then-else.
    ///
    /// # Errors
    ///
    /// Unless `condition` is Boolean and the branches have one first-class sort.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Result<Term, SortError> {
        self.app(Op::Ite, &[condition, then, otherwise])
    }

    /// The array that differs from `array` at `index` at most, where it has `element`.
    ///
    /// # Errors
    ///
    /// Unless the sorts of index and element are those of the array.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Result<Term, SortError> {
        self.app(Op::Store, &[array, index, element])
    }

    /// Bits `high` down to `low`.
    ///
    /// # Errors
    ///
    /// Unless `x` is a bit-vector and has these bits.
    pub fn extract(&mut self, high: u32, low: u32, x: Term) -> Result<Term, SortError> {
        self.indexed(Op::Extract, &[high, low], &[x])
    }

    /// The function symbol applied to arguments.
    ///
    /// # Errors
    ///
    /// Unless their number and sorts are those of the function's parameters.
    pub fn apply(&mut self, function: Term, args: &[Term]) -> Result<Term, SortError> {
        self.app(Op::Apply, &[&[function], args].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_a_builder() {
        let others = [Op::Const, Op::Symbol, Op::Apply, Op::Ite, Op::Store, Op::Extract, Op::ConstArray];
        for op in Op::native() {
            assert!(LISTED.contains(&op) != others.contains(&op), "{op:?}");
        }
    }
}
