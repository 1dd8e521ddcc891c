//! Python integers as bit-vectors, and back, at any width.
//!
//! An integer fits into `w` bits if it is at least -2^(w-1) and below 2^w, so both readings of a bit-vector
//! can be written; what does not fit is a `ValueError`, not cut off. Bit-vectors come back as unsigned
//! integers.
//!
//! Cost: a machine word where it fits, else a conversion through bytes, linear in the width.

use bivalve::terms::{BigInt, BitVec};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// An argument that is a width, the position of a bit, or a number of bits.
pub(crate) struct Count(pub(crate) u32);

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(found: Borrowed<'_, 'py, PyAny>) -> PyResult<Count> {
        found.extract().map(Count).or_else(|_| Err(no_natural(&found, 32)?))
    }
}

/// An argument that is a number of levels, conflicts, gates or questions.
pub(crate) struct Natural(pub(crate) u64);

impl<'py> FromPyObject<'_, 'py> for Natural {
    type Error = PyErr;

    fn extract(found: Borrowed<'_, 'py, PyAny>) -> PyResult<Natural> {
        found.extract().map(Natural).or_else(|_| Err(no_natural(&found, 64)?))
    }
}

/// The refusal of what is no integer of so many bits without a sign.
fn no_natural(found: &Bound<'_, PyAny>, bits: u32) -> PyResult<PyErr> {
    let expected = |found: &str| format!("expected an integer from 0 to 2^{bits} - 1, found {found}");
    Ok(match found.is_instance_of::<PyInt>() {
        true => PyValueError::new_err(expected(&short_text(found))),
        false => PyTypeError::new_err(expected(&format!("'{}'", found.get_type().name()?))),
    })
}

/// The bit-vector of `width` bits that an integer stands for.
pub(crate) fn to_bits(value: &Bound<'_, PyAny>, width: u32) -> PyResult<BitVec> {
    if let Ok(small) = value.extract::<i64>() {
        let fits = width > 64 || (i128::from(small) >= -(1 << (width - 1)) && i128::from(small) < 1 << width);
        if !fits {
            return Err(does_not_fit(value, width));
        }
        let low = BitVec::from_u64(small as u64, width.min(64));
        return Ok(match width.saturating_sub(64) {
            0 => low,
            more => low.sign_extend(more),
        });
    }
    let is_negative = value.lt(0)?;
    let magnitude = if is_negative { value.call_method0("__invert__")? } else { value.clone() };
    let bits: u64 = magnitude.call_method0("bit_length")?.extract()?;
    if bits > u64::from(width) - u64::from(is_negative) {
        return Err(does_not_fit(value, width));
    }
    let kwargs = pyo3::types::PyDict::new(value.py());
    kwargs.set_item("signed", true)?;
    let length = (width as usize).div_ceil(64) * 8 + 8;
    let bytes = value.call_method("to_bytes", (length, "little"), Some(&kwargs))?;
    let bytes: &Bound<'_, PyBytes> = bytes.cast()?;
    let words: Vec<u64> = bytes
        .as_bytes()
        .chunks_exact(8)
        .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
        .collect();
    Ok(BitVec::from_words(&words, width))
}

fn does_not_fit(value: &Bound<'_, PyAny>, width: u32) -> PyErr {
    let found = short_text(value);
    PyValueError::new_err(format!("expected an integer that fits into {width} bits, found {found}"))
}

/// The digits of an integer, cut short where there are many.
fn short_text(integer: &Bound<'_, PyAny>) -> String {
    // Python refuses to print integers of many thousands of digits in decimal.
    let text = integer.str().map_or_else(|_| "a larger one".to_owned(), |text| text.to_string());
    if text.len() > 80 { format!("{}...", &text[..77]) } else { text }
}

/// The integer of any size.
pub(crate) fn to_big(value: &Bound<'_, PyAny>) -> PyResult<BigInt> {
    let bits: u64 = value.call_method0("bit_length")?.extract()?;
    let kwargs = pyo3::types::PyDict::new(value.py());
    kwargs.set_item("signed", true)?;
    let bytes = value.call_method("to_bytes", (bits / 8 + 1, "little"), Some(&kwargs))?;
    Ok(BigInt::from_signed_bytes_le(bytes.cast::<PyBytes>()?.as_bytes()))
}

/// The unsigned integer.
pub(crate) fn to_int<'py>(py: Python<'py>, bits: &BitVec) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = bits.to_u64() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    let bytes: Vec<u8> = bits.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))
}

/// The integer of the same value.
pub(crate) fn from_int<'py>(py: Python<'py>, value: &BigInt) -> PyResult<Bound<'py, PyAny>> {
    let kwargs = pyo3::types::PyDict::new(py);
    kwargs.set_item("signed", true)?;
    let bytes = PyBytes::new(py, &value.to_signed_bytes_le());
    py.get_type::<PyInt>().call_method("from_bytes", (bytes, "little"), Some(&kwargs))
}
