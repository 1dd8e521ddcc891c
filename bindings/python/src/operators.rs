//! The operators of Python on terms, and a method for every operator of SMT-LIB.
//!
//! The table at the end has a row for each operator with fixed arguments; names are those of the Rust
//! library. `& | ^ ~` are bitwise on bit-vectors and the connectives on Booleans. `< <= > >= / % >>` are
//! signed, with the meanings that z3's Python interface documents: `%` is `bvsmod`, `/` is `bvsdiv`, `>>` is
//! `bvashr`. On floating-point numbers they are the operators that `float_operators` says.

use crate::numbers::Count;
use crate::operand::{Operand, sort_of};
use crate::term::PyTerm;
use bivalve::terms::{Op, Sort};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PySlice};

impl PyTerm {
    fn binary(&self, other: &Bound<'_, PyAny>, op: Op) -> PyResult<PyTerm> {
        let operand = Operand::read(&self.store, other, Some(self.sort))?;
        if let Some(op) = self.float_op(other.py(), op)? {
            return self.float_binary(other.py(), op, operand, true);
        }
        self.build_beside(other.py(), op, &[], vec![operand])
    }

    /// The operator with this term on the right.
    fn reflected(&self, other: &Bound<'_, PyAny>, op: Op) -> PyResult<PyTerm> {
        let operand = Operand::read(&self.store, other, Some(self.sort))?;
        if let Some(op) = self.float_op(other.py(), op)? {
            return self.float_binary(other.py(), op, operand, false);
        }
        PyTerm::build(&self.store, other.py(), |pool| {
            let left = operand.term(pool);
            pool.app(op, &[left, self.term]).map_err(|refusal| crate::errors::ill_sorted(&refusal))
        })
    }

    fn unary(&self, py: Python<'_>, op: Op) -> PyResult<PyTerm> {
        let op = self.float_op(py, op)?.unwrap_or(op);
        self.build_beside(py, op, &[], vec![])
    }

    /// The bitwise operator, or the connective for Booleans.
    fn bits_or(&self, bits: Op, boolean: Op) -> Op {
        if self.sort.is_bool() { boolean } else { bits }
    }

    /// The expected sort of the second argument, which an integer there becomes.
    fn second_sort(&self, py: Python<'_>, op: Op) -> PyResult<Option<Sort>> {
        match op {
            Op::Select => Ok(self.array_parts(py)?.map(|parts| parts.0)),
            Op::Concat => Ok(None),
            _ => Ok(Some(self.sort)),
        }
    }

    /// Bits of a bit-vector as Python writes them: `[7:0]`, `[7:]`, `[:4]`, both ends included.
    fn slice(&self, slice: &Bound<'_, PySlice>) -> PyResult<PyTerm> {
        let end = |name: &str| -> PyResult<Option<u32>> { slice.getattr(name)?.extract() };
        let wrong = || PyTypeError::new_err("bits are [high:low], two numbers from 0 on, both included");
        let (high, low) = (end("start").map_err(|_| wrong())?, end("stop").map_err(|_| wrong())?);
        if !slice.getattr("step")?.is_none() {
            return Err(wrong());
        }
        let top = self.sort.width().unwrap_or(1) - 1;
        self.build_beside(slice.py(), Op::Extract, &[high.unwrap_or(top), low.unwrap_or(0)], vec![])
    }
}

/// Operators of two terms, from either side.
#[pymethods]
impl PyTerm {
    /// Sum of bit-vectors, modulo 2^width.
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, Op::BvAdd)
    }

    /// Sum of bit-vectors, modulo 2^width.
    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, Op::BvAdd)
    }

    /// Difference of bit-vectors, modulo 2^width.
    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, Op::BvSub)
    }

    /// Difference of bit-vectors, modulo 2^width.
    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, Op::BvSub)
    }

    /// Product of bit-vectors, modulo 2^width.
    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, Op::BvMul)
    }

    /// Product of bit-vectors, modulo 2^width.
    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, Op::BvMul)
    }

    /// Signed quotient, rounded towards zero.
    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, Op::BvSdiv)
    }

    /// Signed quotient, rounded towards zero.
    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, Op::BvSdiv)
    }

    /// Signed remainder, with the sign of the divisor.
    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, Op::BvSmod)
    }

    /// Signed remainder, with the sign of the divisor.
    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, Op::BvSmod)
    }

    /// Shift to the left.
    fn __lshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, Op::BvShl)
    }

    /// Shift to the left.
    fn __rlshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, Op::BvShl)
    }

    /// Shift to the right; copies of the sign move in.
    fn __rshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, Op::BvAshr)
    }

    /// Shift to the right; copies of the sign move in.
    fn __rrshift__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, Op::BvAshr)
    }

    /// Bitwise conjunction, or that of Booleans.
    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, self.bits_or(Op::BvAnd, Op::And))
    }

    /// Bitwise conjunction, or that of Booleans.
    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, self.bits_or(Op::BvAnd, Op::And))
    }

    /// Bitwise disjunction, or that of Booleans.
    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, self.bits_or(Op::BvOr, Op::Or))
    }

    /// Bitwise disjunction, or that of Booleans.
    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, self.bits_or(Op::BvOr, Op::Or))
    }

    /// Bitwise exclusive disjunction, or that of Booleans.
    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.binary(other, self.bits_or(Op::BvXor, Op::Xor))
    }

    /// Bitwise exclusive disjunction, or that of Booleans.
    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        self.reflected(other, self.bits_or(Op::BvXor, Op::Xor))
    }
}

#[pymethods]
impl PyTerm {
    /// Two's complement negation.
    fn __neg__(&self, py: Python<'_>) -> PyResult<PyTerm> {
        self.unary(py, Op::BvNeg)
    }

    /// Bitwise complement, or the negation of a Boolean.
    fn __invert__(&self, py: Python<'_>) -> PyResult<PyTerm> {
        self.unary(py, self.bits_or(Op::BvNot, Op::Not))
    }

    /// The formula that compares two terms; bit-vectors as signed numbers. For function symbols there is no
    /// such formula, and `==` and `!=` say whether both are the same one.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        if let (CompareOp::Eq | CompareOp::Ne, Ok(function)) = (op, other.cast::<PyTerm>())
            && self.is_function(py)?
            && function.get().is_function(py)?
        {
            let answer = self.is_same(function.get()) == matches!(op, CompareOp::Eq);
            return Ok(PyBool::new(py, answer).to_owned().into_any().unbind());
        }
        let op = match op {
            CompareOp::Eq | CompareOp::Ne if other.is_none() => {
                let differs = matches!(op, CompareOp::Ne);
                return Ok(PyBool::new(py, differs).to_owned().into_any().unbind());
            }
            CompareOp::Eq => Op::Eq,
            CompareOp::Ne => Op::Distinct,
            CompareOp::Lt => Op::BvSlt,
            CompareOp::Le => Op::BvSle,
            CompareOp::Gt => Op::BvSgt,
            CompareOp::Ge => Op::BvSge,
        };
        Ok(self.binary(other, op)?.into_pyobject(py)?.into_any().unbind())
    }

    /// Bits of a bit-vector (`x[7:0]`, both ends included; `x[3]`, one bit), or the element of an array at an
    /// index (`a[i]`).
    fn __getitem__(&self, item: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        if let Ok(slice) = item.cast::<PySlice>() {
            return self.slice(slice);
        }
        let Some(width) = self.sort.width() else { return self.select(item) };
        let bit: u32 = item.extract().map_err(|_| PyTypeError::new_err("a bit is a number from 0 on"))?;
        if bit >= width {
            let text = format!("expected a bit below {width}, found {bit}");
            return Err(PyIndexError::new_err(text));
        }
        self.build_beside(item.py(), Op::Extract, &[bit, bit], vec![])
    }

    /// Bits `high` down to `low`, both included; bit 0 is the least significant. Width: `high - low + 1`.
    fn extract(&self, py: Python<'_>, high: Count, low: Count) -> PyResult<PyTerm> {
        self.build_beside(py, Op::Extract, &[high.0, low.0], vec![])
    }

    /// If this Boolean is true `then`, else `otherwise`; one of them at least is a term, of one sort both.
    fn ite(&self, then: &Bound<'_, PyAny>, otherwise: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        let sort = sort_of(&self.store, then)?.or(sort_of(&self.store, otherwise)?);
        self.apply_op(then.py(), Op::Ite, &[], &[(then, sort), (otherwise, sort)])
    }

    /// This array but for `index`, where the element is `element`.
    fn store(&self, index: &Bound<'_, PyAny>, element: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        let py = index.py();
        let (at, of) = self.array_parts(py)?.unzip();
        self.apply_op(py, Op::Store, &[], &[(index, at), (element, of)])
    }
}

macro_rules! methods {
    (
        unary { $($u:ident $uname:ident $udoc:literal;)* }
        binary { $($b:ident $bname:ident $bdoc:literal;)* }
        indexed { $($i:ident $iname:ident $idoc:literal;)* }
    ) => {
        #[pymethods]
        impl PyTerm {
            $(#[doc = $udoc]
            fn $uname(&self, py: Python<'_>) -> PyResult<PyTerm> {
                self.unary(py, Op::$u)
            })*
            $(#[doc = $bdoc]
            fn $bname(&self, other: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
                let sort = self.second_sort(other.py(), Op::$b)?;
                self.apply_op(other.py(), Op::$b, &[], &[(other, sort)])
            })*
            $(#[doc = $idoc]
            fn $iname(&self, py: Python<'_>, n: Count) -> PyResult<PyTerm> {
                self.build_beside(py, Op::$i, &[n.0], vec![])
            })*
        }
    };
}

methods! {
    unary {
        RedAnd redand "One bit: the conjunction of all bits.";
        RedOr redor "One bit: the disjunction of all bits.";
        RedXor redxor "One bit: the parity.";
        BvNego neg_overflows "Boolean: does negation overflow, as a signed number?";
    }
    binary {
        Implies implies "Implication of Booleans.";
        Eq equals "Equality, as `==`.";
        Distinct distinct "Disequality, as `!=`.";
        Select select "The element of this array at an index, as `a[i]`.";
        Concat concat "Concatenation; this one holds the most significant bits. Width: the sum of both.";
        ExtRotateLeft rotate_left_by "Rotation to the left by a term of the same width, modulo the width.";
        ExtRotateRight rotate_right_by "Rotation to the right by a term of the same width, modulo the width.";
        BvNand nand "Complement of the bitwise conjunction.";
        BvNor nor "Complement of the bitwise disjunction.";
        BvXnor xnor "Complement of the bitwise exclusive disjunction.";
        BvComp comp "One bit: are they equal?";
        BvUdiv udiv "Unsigned quotient; all ones when the divisor is zero.";
        BvUrem urem "Unsigned remainder; the dividend when the divisor is zero.";
        BvSdiv sdiv "Signed quotient, rounded towards zero; 1 or -1 when the divisor is zero.";
        BvSrem srem "Signed remainder with the sign of the dividend, which it is when the divisor is zero.";
        BvSmod smod "Signed remainder with the sign of the divisor; the dividend when that is zero.";
        BvShl shl "Shift to the left.";
        BvLshr lshr "Shift to the right; zeros move in.";
        BvAshr ashr "Shift to the right; copies of the sign move in.";
        BvUlt ult "Unsigned less than.";
        BvUle ule "Unsigned less than or equal.";
        BvUgt ugt "Unsigned greater than.";
        BvUge uge "Unsigned greater than or equal.";
        BvSlt slt "Signed less than.";
        BvSle sle "Signed less than or equal.";
        BvSgt sgt "Signed greater than.";
        BvSge sge "Signed greater than or equal.";
        BvUaddo uadd_overflows "Boolean: does the unsigned sum overflow?";
        BvSaddo sadd_overflows "Boolean: does the signed sum overflow?";
        BvUmulo umul_overflows "Boolean: does the unsigned product overflow?";
        BvSmulo smul_overflows "Boolean: does the signed product overflow?";
        BvUsubo usub_overflows "Boolean: does the unsigned difference overflow?";
        BvSsubo ssub_overflows "Boolean: does the signed difference overflow?";
        BvSdivo sdiv_overflows "Boolean: does the signed quotient overflow?";
    }
    indexed {
        Repeat repeat "`n` copies in a row, `n` at least 1.";
        ZeroExtend zero_extend "`n` zeros put in front.";
        SignExtend sign_extend "`n` copies of the sign bit put in front.";
        RotateLeft rotate_left "Rotation to the left by `n` bits, modulo the width.";
        RotateRight rotate_right "Rotation to the right by `n` bits, modulo the width.";
    }
}
