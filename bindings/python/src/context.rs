//! The context as a Python object: where sorts, symbols and constants are made.

use crate::errors::{IllSorted, ParseError, ill_sorted, not_pickled};
use crate::floats::{expect_format, mode_named, of_text_or_number, real_of};
use crate::numbers::{Count, to_bits};
use crate::operand::{Operand, sort_of};
use crate::records;
use crate::sort::PySort;
use crate::store::Store;
use crate::term::PyTerm;
use crate::watch::{Watch, is_main_thread};
use bivalve::terms::float::Format;
use bivalve::terms::{Assignment, Op, Pool, Sort, SortError, Term, TheorySort};
use bivalve_formats::smtlib::print::{Script, script};
use bivalve_formats::smtlib::{Command, Formulas, ParserOptions};
use bivalve_formats::{Language, Problem, btor};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use std::sync::Arc;

/// A store of terms. Terms of one context go together; a solver takes those of its own.
///
/// Threads may share a context, but while a check runs no other thread can build terms in it: what is to be
/// solved at the same time has a context each. Terms live as long as their context.
#[pyclass(name = "Context", module = "bivalve", frozen)]
#[derive(Default)]
pub(crate) struct PyContext {
    pub(crate) store: Arc<Store>,
}

impl PyContext {
    pub(crate) fn sort_of(&self, of: &PySort) -> PyResult<Sort> {
        let is_plain = of.sort.is_bool() || of.sort.is_bitvec();
        if is_plain || Arc::ptr_eq(&of.store, &self.store) {
            return Ok(of.sort);
        }
        Err(IllSorted::new_err("expected a sort of the same context, found one of another"))
    }

    pub(crate) fn made(&self, sort: Result<Sort, SortError>) -> PyResult<PySort> {
        let sort = sort.map_err(|refusal| PyValueError::new_err(refusal.to_string()))?;
        Ok(PySort::new(&self.store, sort))
    }

    fn new_symbol(&self, py: Python<'_>, name: &str, sort: Sort) -> PyResult<PyTerm> {
        PyTerm::build(&self.store, py, |pool| Ok(pool.symbol(name, sort)))
    }

    /// A connective of any number of Booleans.
    fn join(&self, parts: &Bound<'_, PyTuple>, op: Op, none: bool) -> PyResult<PyTerm> {
        let read = |part: Bound<'_, PyAny>| Operand::read(&self.store, &part, Some(Sort::BOOL));
        let parts_read = parts.iter().map(read).collect::<PyResult<Vec<Operand>>>()?;
        PyTerm::build(&self.store, parts.py(), |pool| {
            let terms: Vec<Term> = parts_read.into_iter().map(|part| part.term(pool)).collect();
            match terms[..] {
                [] => Ok(pool.bool(none)),
                // A single one is to be a Boolean, too.
                [one] if pool.sort(one).is_bool() => Ok(one),
                [one] => pool.app(op, &[one, one]).map_err(|refusal| ill_sorted(&refusal)),
                _ => pool.app(op, &terms).map_err(|refusal| ill_sorted(&refusal)),
            }
        })
    }
}

/// Sorts.
#[pymethods]
impl PyContext {
    #[new]
    fn new() -> PyContext {
        PyContext::default()
    }

    /// The sort of Booleans.
    fn bool_sort(&self) -> PySort {
        PySort::new(&self.store, Sort::BOOL)
    }

    /// The sort of bit-vectors of `width` bits, from 1 to 2^24.
    fn bv_sort(&self, width: Count) -> PyResult<PySort> {
        self.made(Sort::bitvec(width.0))
    }

    /// The sort of floating-point numbers with so many bits of exponent and of significand, the hidden one
    /// included: `float_sort(8, 24)` is C's `float`, `float_sort(11, 53)` its `double`.
    fn float_sort(&self, py: Python<'_>, exponent_bits: Count, significand_bits: Count) -> PyResult<PySort> {
        let format = Format::new(exponent_bits.0.into(), significand_bits.0.into())
            .map_err(|refusal| PyValueError::new_err(refusal.to_string()))?;
        let sort = self.store.with(py, |pool| Ok(pool.float_sort(format)))?;
        Ok(PySort::new(&self.store, sort))
    }

    /// The sort of rounding modes.
    fn rounding_mode_sort(&self, py: Python<'_>) -> PyResult<PySort> {
        let sort = self.store.with(py, |pool| Ok(pool.sorts_mut().theory(TheorySort::RoundingMode)))?;
        Ok(PySort::new(&self.store, sort))
    }

    /// The sort of arrays with these indices and elements.
    fn array_sort(&self, py: Python<'_>, index: &PySort, element: &PySort) -> PyResult<PySort> {
        let (index, element) = (self.sort_of(index)?, self.sort_of(element)?);
        let sort = self.store.with(py, |pool| Ok(pool.sorts_mut().array(index, element)))?;
        self.made(sort)
    }

    /// The sort of functions from `params`, at least one sort, to `result`.
    fn function_sort(
        &self,
        py: Python<'_>,
        params: Vec<PyRef<'_, PySort>>,
        result: &PySort,
    ) -> PyResult<PySort> {
        let params = params.iter().map(|param| self.sort_of(param)).collect::<PyResult<Vec<Sort>>>()?;
        let result = self.sort_of(result)?;
        let sort = self.store.with(py, |pool| Ok(pool.sorts_mut().function(&params, result)))?;
        self.made(sort)
    }

    /// A new sort without operators but equality, different from all others, whatever its name.
    fn declare_sort(&self, py: Python<'_>, name: &str) -> PyResult<PySort> {
        let sort = self.store.with(py, |pool| Ok(pool.sorts_mut().declare(name)))?;
        Ok(PySort::new(&self.store, sort))
    }
}

/// Symbols and constants.
#[pymethods]
impl PyContext {
    /// A new symbol of any sort; each call makes another one, whatever its name.
    fn symbol(&self, py: Python<'_>, name: &str, sort: &PySort) -> PyResult<PyTerm> {
        let sort = self.sort_of(sort)?;
        self.new_symbol(py, name, sort)
    }

    /// A new Boolean symbol.
    fn bool_symbol(&self, py: Python<'_>, name: &str) -> PyResult<PyTerm> {
        self.new_symbol(py, name, Sort::BOOL)
    }

    /// A new bit-vector symbol of `width` bits.
    fn bv_symbol(&self, py: Python<'_>, name: &str, width: Count) -> PyResult<PyTerm> {
        let sort = self.bv_sort(width)?.sort;
        self.new_symbol(py, name, sort)
    }

    /// A new array symbol with indices and elements of these widths.
    fn array_symbol(
        &self,
        py: Python<'_>,
        name: &str,
        index_width: Count,
        element_width: Count,
    ) -> PyResult<PyTerm> {
        let (index, element) = (self.bv_sort(index_width)?, self.bv_sort(element_width)?);
        let sort = self.array_sort(py, &index, &element)?.sort;
        self.new_symbol(py, name, sort)
    }

    /// A new function symbol from `params` to `result`; it is applied by calling it.
    fn function(
        &self,
        py: Python<'_>,
        name: &str,
        params: Vec<PyRef<'_, PySort>>,
        result: &PySort,
    ) -> PyResult<PyTerm> {
        let sort = self.function_sort(py, params, result)?.sort;
        self.new_symbol(py, name, sort)
    }

    /// A Boolean constant.
    fn bool(&self, py: Python<'_>, value: bool) -> PyResult<PyTerm> {
        PyTerm::build(&self.store, py, |pool| Ok(pool.bool(value)))
    }

    /// A bit-vector constant of `width` bits: an integer from -2^(width-1) up to 2^width - 1; a `ValueError`
    /// if it is out of range.
    fn bv(&self, value: &Bound<'_, PyInt>, width: Count) -> PyResult<PyTerm> {
        let Count(bits) = width;
        self.bv_sort(width)?;
        let bits = to_bits(value.as_any(), bits)?;
        PyTerm::build(&self.store, value.py(), |pool| Ok(pool.bitvec(&bits)))
    }

    /// The number of a floating-point sort that is nearest to `value`, in a rounding mode: a `float`, an
    /// `int`, a `Fraction`, a `FloatValue`, or the text of a decimal or hexadecimal number, of a fraction,
    /// `"inf"`, `"-inf"` or `"nan"`.
    #[pyo3(signature = (value, sort, mode = "RNE"))]
    fn float(&self, value: &Bound<'_, PyAny>, sort: &PySort, mode: &str) -> PyResult<PyTerm> {
        let (py, sort) = (value.py(), self.sort_of(sort)?);
        let format = expect_format(&self.store, py, sort)?;
        let number = of_text_or_number(value, format, mode_named(mode)?)?;
        PyTerm::build(&self.store, py, |pool| Ok(pool.float(&number)))
    }

    /// A real: an `int`, a `float`, a `Fraction`, a `FloatValue`, or the text of a decimal number or of a
    /// fraction. Reals are compared with each other and with values of `fp_to_real`, and rounded by `to_fp`.
    fn real(&self, value: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        let number = real_of(value)?;
        PyTerm::build(&self.store, value.py(), |pool| Ok(pool.real(&number)))
    }

    /// The constant of a floating-point sort with these bits, sign, exponent and fraction; a `ValueError` if
    /// they are too many.
    fn float_of_bits(&self, bits: &Bound<'_, PyInt>, sort: &PySort) -> PyResult<PyTerm> {
        let (py, sort) = (bits.py(), self.sort_of(sort)?);
        let format = expect_format(&self.store, py, sort)?;
        let bits = to_bits(bits.as_any(), format.width())?;
        PyTerm::build(&self.store, py, |pool| {
            let bits = pool.bitvec(&bits);
            let indices = [format.exponent_bits(), format.significand_bits()];
            let term = pool.mk_indexed(Op::FpFromBits, &indices, &[bits]);
            let value = bivalve::terms::eval(pool, term, &Assignment::new());
            Ok(pool.constant(&value).expect("floats have constants"))
        })
    }

    /// A rounding mode: `"RNE"`, `"RNA"`, `"RTP"`, `"RTN"`, `"RTZ"`, or one of the long names of SMT-LIB.
    fn rounding_mode(&self, py: Python<'_>, name: &str) -> PyResult<PyTerm> {
        let mode = mode_named(name)?;
        PyTerm::build(&self.store, py, |pool| Ok(pool.rounding_mode(mode)))
    }

    /// An operator, by the name that `Term.op` has for it, applied to terms: what `op`, `indices` and `args`
    /// say of a term makes it again, but for constants, symbols and constant arrays.
    fn app(
        &self,
        py: Python<'_>,
        op: &str,
        indices: Vec<Count>,
        args: Vec<PyRef<'_, PyTerm>>,
    ) -> PyResult<PyTerm> {
        let wrong = || PyValueError::new_err(format!("expected the name of an operator, found '{op}'"));
        let indices: Vec<u32> = indices.iter().map(|index| index.0).collect();
        let args = args.iter().map(|arg| arg.of(&self.store)).collect::<PyResult<Vec<Term>>>()?;
        PyTerm::build(&self.store, py, |pool| {
            let found = match op {
                "apply" => Some(Op::Apply),
                "forall" => Some(Op::Forall),
                _ => records::op_named(op).or_else(|| pool.op_named(op, &args)),
            };
            let found = found.ok_or_else(wrong)?;
            let made = match args.split_last() {
                Some((&body, symbols)) if found == Op::Forall && !symbols.is_empty() => {
                    pool.bind(symbols, body)
                }
                _ => pool.indexed(found, &indices, &args),
            };
            made.map_err(|refusal| ill_sorted(&refusal))
        })
    }

    /// The array of an array sort whose elements are all `element`.
    fn const_array(&self, sort: &PySort, element: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        let (py, sort) = (element.py(), self.sort_of(sort)?);
        let expected = self.store.with(py, |pool| Ok(pool.sorts().array_parts(sort).map(|parts| parts.1)))?;
        let element = Operand::read(&self.store, element, expected)?;
        PyTerm::build(&self.store, py, |pool| {
            let element = element.term(pool);
            pool.const_array(sort, element).map_err(|refusal| ill_sorted(&refusal))
        })
    }

    /// The conjunction of Booleans; true for none.
    #[pyo3(signature = (*parts))]
    fn all(&self, parts: &Bound<'_, PyTuple>) -> PyResult<PyTerm> {
        self.join(parts, Op::And, true)
    }

    /// The disjunction of Booleans; false for none.
    #[pyo3(signature = (*parts))]
    fn any(&self, parts: &Bound<'_, PyTuple>) -> PyResult<PyTerm> {
        self.join(parts, Op::Or, false)
    }

    /// The formula that `body` holds for all values of these symbols, which may be used elsewhere, where
    /// nothing changes; `body` itself for none.
    fn forall(
        &self,
        py: Python<'_>,
        symbols: Vec<PyRef<'_, PyTerm>>,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<PyTerm> {
        self.bound(py, &symbols, body, Pool::bind)
    }

    /// The formula that `body` holds for some values of these symbols. To look at, it is the negation of one
    /// for all.
    fn exists(
        &self,
        py: Python<'_>,
        symbols: Vec<PyRef<'_, PyTerm>>,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<PyTerm> {
        self.bound(py, &symbols, body, Pool::bind_some)
    }

    /// All parts, of one sort, differ from each other; true for fewer than two.
    #[pyo3(signature = (*parts))]
    fn distinct(&self, parts: &Bound<'_, PyTuple>) -> PyResult<PyTerm> {
        let mut sort = None;
        for part in parts {
            sort = sort.or(sort_of(&self.store, &part)?);
        }
        let read = |part: Bound<'_, PyAny>| Operand::read(&self.store, &part, sort);
        let parts_read = parts.iter().map(read).collect::<PyResult<Vec<Operand>>>()?;
        PyTerm::build(&self.store, parts.py(), |pool| {
            let terms: Vec<Term> = parts_read.into_iter().map(|part| part.term(pool)).collect();
            match terms.len() {
                0 | 1 => Ok(pool.bool(true)),
                _ => pool.app(Op::Distinct, &terms).map_err(|refusal| ill_sorted(&refusal)),
            }
        })
    }

    /// The number of terms built so far.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.store.with(py, |pool| Ok(pool.len()))
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyContext>().is_ok_and(|other| Arc::ptr_eq(&self.store, &other.get().store))
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.store) as usize
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Context of {} terms", self.__len__(py)?))
    }
}

/// SMT-LIB.
#[pymethods]
impl PyContext {
    /// Reads an SMT-LIB script: the assertions in force at its end, and the symbols that it declares, by
    /// name. Symbols of `known` are declared before the text begins. A `ParseError` names the place of what
    /// is refused. Formulas in BTOR, BTOR2, SMT-LIB 1 and the language of CVC are read as well; which of them
    /// it is shows the beginning of the text.
    #[pyo3(signature = (text, known = vec![]))]
    fn parse<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        known: Vec<PyRef<'py, PyTerm>>,
    ) -> PyResult<(Vec<PyTerm>, Bound<'py, pyo3::types::PyDict>)> {
        let known = known.iter().map(|term| term.of(&self.store)).collect::<PyResult<Vec<Term>>>()?;
        // Definitions that use each other stand for any number of terms: Ctrl-C ends that.
        let watch = Watch::default();
        watch.begin(None, is_main_thread(py)?);
        let read = self.store.with_detached(py, |pool| {
            if known.iter().any(|&term| pool.op(term) != Op::Symbol) {
                return Err(PyTypeError::new_err("expected symbols as known ones"));
            }
            let (assertions, symbols) = match Language::of_other(text.as_bytes(), true).flatten() {
                None => Formulas::terms_within(pool, &known, text, &mut |_| watch.reason())
                    .map_err(|refusal| ParseError::new_err(refusal.to_string()))?,
                Some(other) => formula(pool, other, text)?,
            };
            let names: Vec<String> =
                symbols.iter().map(|&symbol| pool.name(symbol).unwrap_or_default().to_owned()).collect();
            let symbols = PyTerm::list(&self.store, pool, &symbols);
            Ok((PyTerm::list(&self.store, pool, &assertions), names.into_iter().zip(symbols)))
        });
        watch.end()?;
        let (assertions, symbols) = read?;
        let by_name = pyo3::types::PyDict::new(py);
        for (name, symbol) in symbols {
            by_name.set_item(name, symbol)?;
        }
        Ok((assertions, by_name))
    }

    /// An SMT-LIB script that declares what is needed, asserts these formulas and checks them.
    #[pyo3(signature = (*formulas))]
    fn to_smt2(&self, py: Python<'_>, formulas: &Bound<'_, PyTuple>) -> PyResult<String> {
        self.print(py, formulas, |pool, terms| {
            Ok(script(pool, &Script { assertions: terms, ..Script::default() }))
        })
    }

    /// These formulas as a text in BTOR; a `ValueError` for functions, declared sorts and nested arrays, for
    /// which it has no words.
    #[pyo3(signature = (*formulas))]
    fn to_btor(&self, py: Python<'_>, formulas: &Bound<'_, PyTuple>) -> PyResult<String> {
        self.print(py, formulas, |pool, terms| {
            let printed = btor::print_formulas(pool, terms);
            printed.map_err(|refusal| PyValueError::new_err(refusal.to_string()))
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        let advice = "send formulas as text, by to_smt2, and read them by the parse of a Context there";
        Err(not_pickled("a context", advice))
    }
}

impl PyContext {
    /// A formula over symbols that a quantifier binds.
    fn bound(
        &self,
        py: Python<'_>,
        symbols: &[PyRef<'_, PyTerm>],
        body: &Bound<'_, PyAny>,
        bind: impl FnOnce(&mut Pool, &[Term], Term) -> Result<Term, SortError>,
    ) -> PyResult<PyTerm> {
        let symbols = symbols.iter().map(|symbol| symbol.of(&self.store)).collect::<PyResult<Vec<Term>>>()?;
        let body = Operand::read(&self.store, body, Some(Sort::BOOL))?;
        PyTerm::build(&self.store, py, |pool| {
            let body = body.term(pool);
            bind(pool, &symbols, body).map_err(|refusal| ill_sorted(&refusal))
        })
    }

    /// A text of formulas.
    fn print(
        &self,
        py: Python<'_>,
        formulas: &Bound<'_, PyTuple>,
        print: impl FnOnce(&Pool, &[Term]) -> PyResult<String> + Send,
    ) -> PyResult<String> {
        let read = |of: Bound<'_, PyAny>| Operand::read(&self.store, &of, Some(Sort::BOOL));
        let formulas = formulas.iter().map(read).collect::<PyResult<Vec<Operand>>>()?;
        self.store.with_detached(py, |pool| {
            let terms: Vec<Term> = formulas.into_iter().map(|formula| formula.term(pool)).collect();
            if terms.iter().any(|&term| !pool.sort(term).is_bool()) {
                return Err(IllSorted::new_err("expected terms of sort Bool"));
            }
            print(pool, &terms)
        })
    }
}

/// The assertions and symbols of a formula in a language other than SMT-LIB 2.
fn formula(pool: &mut Pool, language: Language, text: &str) -> PyResult<(Vec<Term>, Vec<Term>)> {
    let read = Problem::read(pool, language, text.as_bytes(), "text", ParserOptions::default());
    let problem = read.map_err(|refusal| ParseError::new_err(refusal.to_string()))?;
    if problem.commands.iter().any(|command| matches!(command, Command::Push(_))) {
        let text = "text: expected assertions, found a query, which is asked on a level of its own";
        return Err(ParseError::new_err(text));
    }
    Ok((problem.assertions(), problem.symbols))
}
