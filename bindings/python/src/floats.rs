//! Floating-point numbers from Python and back.
//!
//! A Python number is exact, whether it is a `float`, an `int` or a `Fraction`, and so is a decimal or
//! hexadecimal number in a text; each is rounded to the format once. Values come back as a small class: a
//! Python `float` holds no number of more than 64 bits, has no format, and does not tell what SMT-LIB tells
//! apart.

use crate::errors::IllSorted;
use crate::numbers::{from_int, to_big};
use crate::operand::Operand;
use crate::store::Store;
use crate::term::PyTerm;
use bivalve::terms::float::{Float, Format, Integers, Number, Outcome, Rational, RoundingMode, Semantics};
use bivalve::terms::{BigInt, Sort, TheorySort};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Characters of a text that is converted: that takes time quadratic in the digits.
const MOST_CHARACTERS: usize = 1 << 16;

/// The format of a floating-point sort; `None` for other sorts.
pub(crate) fn format_of(store: &Arc<Store>, py: Python<'_>, sort: Sort) -> PyResult<Option<Format>> {
    if sort.is_bool() || sort.is_bitvec() {
        return Ok(None);
    }
    store.with(py, |pool| Ok(pool.sorts().float_format(sort)))
}

/// The format of a sort that is to have one.
pub(crate) fn expect_format(store: &Arc<Store>, py: Python<'_>, sort: Sort) -> PyResult<Format> {
    let found = || store.with(py, |pool| Ok(pool.sorts().display(sort)));
    match format_of(store, py, sort)? {
        Some(format) => Ok(format),
        None => Err(IllSorted::new_err(format!("expected a floating-point sort, found {}", found()?))),
    }
}

/// Whether it is the sort of reals.
pub(crate) fn is_real(store: &Arc<Store>, py: Python<'_>, sort: Sort) -> PyResult<bool> {
    if sort.is_bool() || sort.is_bitvec() {
        return Ok(false);
    }
    store.with(py, |pool| Ok(pool.sorts().as_theory(sort) == Some(TheorySort::Real)))
}

/// The real that a float is, which must be a number.
fn exact(value: &Float) -> PyResult<Rational> {
    match Integers::to_real(value) {
        Outcome::Value(real) => Ok(real),
        Outcome::Unspecified => Err(PyValueError::new_err(format!("expected a real, found {value}"))),
    }
}

/// The real that a Python number is; `None` for what is no number.
pub(crate) fn exact_number(of: &Bound<'_, PyAny>) -> PyResult<Option<Rational>> {
    if of.is_instance_of::<PyBool>() {
        return Ok(None);
    }
    if let Ok(number) = of.cast::<PyFloat>() {
        return exact(&Float::from(number.extract::<f64>()?)).map(Some);
    }
    if let Ok(value) = of.cast::<PyFloatValue>() {
        return exact(&value.get().0).map(Some);
    }
    if of.is_instance_of::<PyInt>() || of.hasattr("__index__")? {
        let number = if of.is_instance_of::<PyInt>() { of.clone() } else { of.call_method0("__index__")? };
        return Ok(Some(Rational::from_integer(to_big(&number)?)));
    }
    fraction(of)
}

/// What a fraction is, by the protocol of Python's `numbers.Rational`.
fn fraction(of: &Bound<'_, PyAny>) -> PyResult<Option<Rational>> {
    if !of.hasattr("numerator")? || !of.hasattr("denominator")? {
        return Ok(None);
    }
    let [above, below] = [to_big(&of.getattr("numerator")?)?, to_big(&of.getattr("denominator")?)?];
    let ratio = Rational::new(above, below.magnitude().clone());
    ratio.map(Some).ok_or_else(|| PyValueError::new_err("expected a denominator that is positive"))
}

/// The real that a number is, or its text: a decimal number or a fraction.
pub(crate) fn real_of(of: &Bound<'_, PyAny>) -> PyResult<Rational> {
    let Ok(text) = of.cast::<PyString>() else {
        let wrong = || PyTypeError::new_err(format!("expected a number or its text, found '{}'", kind(of)));
        return exact_number(of)?.ok_or_else(wrong);
    };
    let text = short(text)?;
    text.parse().map_err(|error| PyValueError::new_err(format!("{error}")))
}

/// The number of a format that is nearest to a Python number, in this mode; `None` for what is no number.
pub(crate) fn of_number(
    of: &Bound<'_, PyAny>,
    format: Format,
    mode: RoundingMode,
) -> PyResult<Option<Float>> {
    if of.is_instance_of::<PyBool>() {
        return Ok(None);
    }
    if let Ok(number) = of.cast::<PyFloat>() {
        return Ok(Some(Integers::convert(format, mode, &Float::from(number.extract::<f64>()?))));
    }
    if let Ok(value) = of.cast::<PyFloatValue>() {
        return Ok(Some(Integers::convert(format, mode, &value.get().0)));
    }
    if of.is_instance_of::<PyInt>() || of.hasattr("__index__")? {
        let number = if of.is_instance_of::<PyInt>() { of.clone() } else { of.call_method0("__index__")? };
        return Ok(Some(Integers::from_integer(format, mode, &to_big(&number)?)));
    }
    Ok(fraction(of)?.map(|ratio| Integers::from_rational(format, mode, &ratio)))
}

/// A text that is not too long to be converted.
fn short(text: &Bound<'_, PyString>) -> PyResult<String> {
    let text = text.to_cow()?;
    if text.len() > MOST_CHARACTERS {
        let found = format!("expected at most {MOST_CHARACTERS} characters, found {}", text.len());
        return Err(PyValueError::new_err(found));
    }
    Ok(text.into_owned())
}

/// The same, or what a text says: a decimal or hexadecimal number, a fraction, `inf`, `-inf` or `nan`.
pub(crate) fn of_text_or_number(
    of: &Bound<'_, PyAny>,
    format: Format,
    mode: RoundingMode,
) -> PyResult<Float> {
    let Ok(text) = of.cast::<PyString>() else {
        let wrong = || PyTypeError::new_err(format!("expected a number or its text, found '{}'", kind(of)));
        return of_number(of, format, mode)?.ok_or_else(wrong);
    };
    let text = short(text)?;
    let wrong = |error: String| PyValueError::new_err(error);
    match text.to_ascii_lowercase().as_str() {
        "nan" => Ok(Float::nan(format)),
        "inf" | "+inf" => Ok(Float::infinity(format, false)),
        "-inf" => Ok(Float::infinity(format, true)),
        _ if text.contains('/') => {
            let ratio: Rational = text.parse().map_err(|error| wrong(format!("{error}")))?;
            Ok(Integers::from_rational(format, mode, &ratio))
        }
        _ => Float::from_number(format, mode, &text).map_err(|error| wrong(error.to_string())),
    }
}

fn kind(of: &Bound<'_, PyAny>) -> String {
    of.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}

/// The rounding mode of a name.
pub(crate) fn mode_named(name: &str) -> PyResult<RoundingMode> {
    RoundingMode::named(name).ok_or_else(|| {
        PyValueError::new_err(format!("expected one of RNE, RNA, RTP, RTN and RTZ, found '{name}'"))
    })
}

/// A rounding mode beside a term: a name, a term, or nearest even where none is given.
pub(crate) fn mode_operand(store: &Arc<Store>, of: Option<&Bound<'_, PyAny>>) -> PyResult<Operand> {
    let Some(of) = of.filter(|of| !of.is_none()) else {
        return Ok(Operand::Mode(RoundingMode::NearestEven));
    };
    if let Ok(term) = of.cast::<PyTerm>() {
        return Ok(Operand::Term(term.get().of(store)?));
    }
    match of.cast::<PyString>() {
        Ok(name) => Ok(Operand::Mode(mode_named(&name.to_cow()?)?)),
        Err(_) => {
            let text = format!("expected a rounding mode or its name, found '{}'", kind(of));
            Err(PyTypeError::new_err(text))
        }
    }
}

/// A fraction of Python.
pub(crate) fn to_fraction<'py>(py: Python<'py>, value: &Rational) -> PyResult<Bound<'py, PyAny>> {
    let parts = [value.numerator().clone(), BigInt::from(value.denominator().clone())];
    let [above, below] = [from_int(py, &parts[0])?, from_int(py, &parts[1])?];
    py.import("fractions")?.getattr("Fraction")?.call1((above, below))
}

/// A floating-point number of some format: the value of a term, or of a constant.
///
/// Two are equal if they are the same value of the same format, as `=` of SMT-LIB has it: NaN equals NaN, and
/// the two zeros differ. `float(value)` is the nearest Python `float`, the same number for formats of up to
/// 64 bits; compare these where equality of numbers is meant.
#[pyclass(name = "FloatValue", module = "bivalve", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyFloatValue(pub(crate) Float);

#[pymethods]
impl PyFloatValue {
    /// The bits as a number, the sign first, then exponent and fraction; of NaN those of the quiet one.
    #[getter]
    fn bits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_int(py, &Integers::to_ieee_bits(&self.0).into())
    }

    /// The number of bits of the exponent.
    #[getter]
    fn exponent_bits(&self) -> u32 {
        self.0.format().exponent_bits()
    }

    /// The number of bits of the significand, the hidden one included.
    #[getter]
    fn significand_bits(&self) -> u32 {
        self.0.format().significand_bits()
    }

    /// Whether the sign bit is set; false for NaN.
    #[getter]
    fn sign(&self) -> bool {
        self.0.sign()
    }

    /// The field of the exponent, biased: 0 for zeros and subnormal numbers.
    #[getter]
    fn exponent(&self) -> u32 {
        self.0.exponent_field()
    }

    /// The field of the fraction: the significand without the hidden bit.
    #[getter]
    fn fraction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_int(py, &self.0.fraction().into())
    }

    /// Is it not a number?
    #[getter]
    fn is_nan(&self) -> bool {
        self.0.is_nan()
    }

    /// Is it one of the infinities?
    #[getter]
    fn is_infinite(&self) -> bool {
        Integers::is_infinite(&self.0)
    }

    /// Is it one of the zeros?
    #[getter]
    fn is_zero(&self) -> bool {
        Integers::is_zero(&self.0)
    }

    /// Is it a number with the hidden bit?
    #[getter]
    fn is_normal(&self) -> bool {
        Integers::is_normal(&self.0)
    }

    /// Is it a number without the hidden bit, but no zero?
    #[getter]
    fn is_subnormal(&self) -> bool {
        Integers::is_subnormal(&self.0)
    }

    /// The exact value, a `Fraction`, as `float.as_integer_ratio` gives its parts; an error for infinities
    /// and NaN.
    fn as_fraction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.number() {
            Number::Nan => Err(PyValueError::new_err("NaN has no value that is a fraction")),
            Number::Infinite(_) => Err(PyOverflowError::new_err("an infinity is no fraction")),
            Number::Zero(_) => to_fraction(py, &Rational::from_integer(0)),
            Number::Finite(value) => to_fraction(py, &value),
        }
    }

    /// The exact value as `float.hex` writes it: `0x1.8p+3`.
    fn hex(&self) -> String {
        self.0.to_hexadecimal()
    }

    /// The nearest Python `float`.
    fn __float__(&self) -> f64 {
        let double = Integers::convert(Format::FLOAT64, RoundingMode::NearestEven, &self.0);
        double.to_f64().unwrap_or(f64::NAN)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    /// The shortest decimal number that is rounded to the value: `0.1`, `-1.5e-45`; `NaN`, `+oo`, `-oo`.
    fn __str__(&self) -> String {
        self.0.to_decimal()
    }

    fn __repr__(&self) -> String {
        self.0.to_decimal()
    }
}
