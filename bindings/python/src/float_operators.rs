//! The operators of floating point as methods of terms: the names of SMT-LIB with `_` for the point.
//!
//! What rounds takes a mode, a name (`"RTZ"`) or a term, and rounds to nearest even without one, as Python
//! and C do. Conversions to bit-vectors want it said: a cast in C rounds towards zero. Reals, which
//! `fp_to_real` gives, are compared and rounded.

use crate::floats::{expect_format, is_real, mode_operand};
use crate::operand::Operand;
use crate::sort::PySort;
use crate::term::PyTerm;
use bivalve::terms::Op;
use pyo3::prelude::*;

/// The operator of floating point that an operator of Python stands for, by the one of bit-vectors.
pub(crate) fn on_floats(op: Op) -> Option<Op> {
    Some(match op {
        Op::BvAdd => Op::FpAdd,
        Op::BvSub => Op::FpSub,
        Op::BvMul => Op::FpMul,
        Op::BvSdiv => Op::FpDiv,
        Op::BvSmod => Op::FpRem,
        Op::BvNeg => Op::FpNeg,
        Op::BvSlt => Op::FpLt,
        Op::BvSle => Op::FpLe,
        Op::BvSgt => Op::FpGt,
        Op::BvSge => Op::FpGe,
        _ => return None,
    })
}

/// The comparison of reals that an operator of Python stands for, by the one of bit-vectors.
fn on_reals(op: Op) -> Option<Op> {
    Some(match op {
        Op::BvSlt => Op::IntLt,
        Op::BvSle => Op::IntLe,
        Op::BvSgt => Op::IntGt,
        Op::BvSge => Op::IntGe,
        _ => return None,
    })
}

/// Whether the first argument is a rounding mode.
fn rounds(op: Op) -> bool {
    matches!(op, Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv)
}

impl PyTerm {
    /// The operator of floats or reals that an operator of Python on this term is; `None` for other terms.
    pub(crate) fn float_op(&self, py: Python<'_>, op: Op) -> PyResult<Option<Op>> {
        let Some(on_floats) = on_floats(op) else { return Ok(None) };
        if is_real(&self.store, py, self.sort)? {
            return Ok(on_reals(op));
        }
        Ok(crate::floats::format_of(&self.store, py, self.sort)?.map(|_| on_floats))
    }

    /// An operator on floats, rounding to nearest even, with this term on the left or on the right.
    pub(crate) fn float_binary(
        &self,
        py: Python<'_>,
        op: Op,
        other: Operand,
        left: bool,
    ) -> PyResult<PyTerm> {
        let mine = Operand::Term(self.term);
        let [first, second] = if left { [mine, other] } else { [other, mine] };
        let mode = rounds(op).then(|| mode_operand(&self.store, None)).transpose()?;
        self.build_of(py, op, &[], mode.into_iter().chain([first, second]).collect())
    }

    /// An operator with a rounding mode before this term, and others behind it.
    fn rounded(
        &self,
        py: Python<'_>,
        op: Op,
        indices: &[u32],
        mode: Option<&Bound<'_, PyAny>>,
        others: &[&Bound<'_, PyAny>],
    ) -> PyResult<PyTerm> {
        let mut args = vec![mode_operand(&self.store, mode)?, Operand::Term(self.term)];
        for other in others {
            args.push(Operand::read(&self.store, other, Some(self.sort))?);
        }
        self.build_of(py, op, indices, args)
    }

    /// The indices of a conversion to a sort.
    fn indices_of(&self, py: Python<'_>, sort: &PySort) -> PyResult<[u32; 2]> {
        // Formats of another context are looked up there.
        let format = expect_format(&sort.store, py, sort.sort)?;
        Ok([format.exponent_bits(), format.significand_bits()])
    }
}

/// Conversions.
#[pymethods]
impl PyTerm {
    /// The number of a floating-point sort that is nearest to this one, to this real, or to this bit-vector
    /// in two's complement.
    #[pyo3(signature = (sort, mode = None))]
    fn to_fp(&self, py: Python<'_>, sort: &PySort, mode: Option<&Bound<'_, PyAny>>) -> PyResult<PyTerm> {
        let op = if self.sort.is_bitvec() {
            Op::FpFromSbv
        } else if is_real(&self.store, py, self.sort)? {
            Op::FpFromReal
        } else {
            Op::FpFromFloat
        };
        self.rounded(py, op, &self.indices_of(py, sort)?, mode, &[])
    }

    /// The number of a floating-point sort that is nearest to this bit-vector without a sign.
    #[pyo3(signature = (sort, mode = None))]
    fn to_fp_unsigned(
        &self,
        py: Python<'_>,
        sort: &PySort,
        mode: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTerm> {
        self.rounded(py, Op::FpFromUbv, &self.indices_of(py, sort)?, mode, &[])
    }

    /// The number whose bits this bit-vector is: sign, exponent, fraction.
    fn bits_to_fp(&self, py: Python<'_>, sort: &PySort) -> PyResult<PyTerm> {
        self.build_beside(py, Op::FpFromBits, &self.indices_of(py, sort)?, vec![])
    }

    /// This float times `y`, plus `z`, rounded once.
    #[pyo3(signature = (y, z, mode = None))]
    fn fp_fma(
        &self,
        y: &Bound<'_, PyAny>,
        z: &Bound<'_, PyAny>,
        mode: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTerm> {
        self.rounded(y.py(), Op::FpFma, &[], mode, &[y, z])
    }

    /// The magnitude of a float.
    fn __abs__(&self, py: Python<'_>) -> PyResult<PyTerm> {
        self.fp_abs(py)
    }
}

macro_rules! methods {
    (
        unary { $($u:ident $uname:ident $udoc:literal;)* }
        binary { $($b:ident $bname:ident $bdoc:literal;)* }
        rounded { $($r:ident $rname:ident $rdoc:literal;)* }
        rounded_binary { $($s:ident $sname:ident $sdoc:literal;)* }
        to_bits { $($t:ident $tname:ident $tdoc:literal;)* }
    ) => {
        #[pymethods]
        impl PyTerm {
            $(#[doc = $udoc]
            fn $uname(&self, py: Python<'_>) -> PyResult<PyTerm> {
                self.build_beside(py, Op::$u, &[], vec![])
            })*
            $(#[doc = $bdoc]
            fn $bname(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
                self.apply_op(other.py(), Op::$b, &[], &[(other, Some(self.sort))])
            })*
            $(#[doc = $rdoc]
            #[pyo3(signature = (mode = None))]
            fn $rname(&self, py: Python<'_>, mode: Option<&Bound<'_, PyAny>>) -> PyResult<PyTerm> {
                self.rounded(py, Op::$r, &[], mode, &[])
            })*
            $(#[doc = $sdoc]
            #[pyo3(signature = (other, mode = None))]
            fn $sname(
                &self,
                other: &Bound<'_, PyAny>,
                mode: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<PyTerm> {
                self.rounded(other.py(), Op::$s, &[], mode, &[other])
            })*
            $(#[doc = $tdoc]
            fn $tname(
                &self,
                py: Python<'_>,
                width: crate::numbers::Count,
                mode: &Bound<'_, PyAny>,
            ) -> PyResult<PyTerm> {
                self.rounded(py, Op::$t, &[width.0], Some(mode), &[])
            })*
        }
    };
}

methods! {
    unary {
        FpAbs fp_abs "The magnitude of a float.";
        FpNeg fp_neg "The float with the other sign.";
        FpIsNormal fp_is_normal "Boolean: is it a number with the hidden bit?";
        FpIsSubnormal fp_is_subnormal "Boolean: is it a number without the hidden bit, but no zero?";
        FpIsZero fp_is_zero "Boolean: is it one of the zeros?";
        FpIsInfinite fp_is_infinite "Boolean: is it one of the infinities?";
        FpIsNan fp_is_nan "Boolean: is it not a number?";
        FpIsNegative fp_is_negative "Boolean: is it a number with the sign? -0 is, NaN is not.";
        FpIsPositive fp_is_positive "Boolean: is it a number without the sign? +0 is, NaN is not.";
        FpToReal fp_to_real "The number as a real, which is compared and rounded; any real for what is no number.";
        FpToIeee fp_to_ieee_bv "The bits of a float; of NaN those of the quiet one without the sign.";
    }
    binary {
        FpRem fp_rem "x - y * n, with n the integer nearest to x / y; as `math.remainder`, and no `fmod`.";
        FpMin fp_min "The lesser float; of a number and NaN the number, of zeros of opposite sign either.";
        FpMax fp_max "The greater float; of a number and NaN the number, of zeros of opposite sign either.";
        FpEq fp_eq "Equality of numbers: the zeros are equal, and NaN equals nothing. `==` is identity.";
        FpLt fp_lt "Less than, as `<`.";
        FpLe fp_leq "Less than or equal, as `<=`.";
        FpGt fp_gt "Greater than, as `>`.";
        FpGe fp_geq "Greater than or equal, as `>=`.";
    }
    rounded {
        FpSqrt fp_sqrt "The square root.";
        FpRoundToIntegral fp_round_to_integral "The nearest integer, as a float.";
    }
    rounded_binary {
        FpAdd fp_add "The sum.";
        FpSub fp_sub "The difference.";
        FpMul fp_mul "The product.";
        FpDiv fp_div "The quotient.";
    }
    to_bits {
        FpToUbv fp_to_ubv "The integer as a bit-vector without a sign; any value where it does not fit.";
        FpToSbv fp_to_sbv "The integer in two's complement; any value where it does not fit.";
    }
}
