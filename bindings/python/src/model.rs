//! Models: values of symbols at the time of a check, from which values of all terms follow.
//!
//! A model is a copy of the values and stays as it is, whatever becomes of the solver. Values are computed
//! when they are asked for and remembered. Symbols that the assertions do not mention have the default of
//! their sort (false, zero, the constant array), and do not appear when the model is walked through.

use crate::errors::{BivalveError, IllSorted, not_pickled};
use crate::html;
use crate::operand::Operand;
use crate::store::Store;
use crate::term::PyTerm;
use crate::values::{Shape, to_object};
use bivalve::rewrite::{Level, Rewriter};
use bivalve::terms::float::Float;
use bivalve::terms::print::{BitVecFormat, Naming, Values};
use bivalve::terms::{
    Assignment, Op, Pool, Rebuild, Sort, Term, TermSet, Valuation, Value, cone, free_symbols, is_enumerable,
    print,
};
use parking_lot::Mutex;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The values under which all assertions and assumptions of a check hold.
///
/// `model[term]` is the value of any term: a `bool`, an unsigned `int`, a `FloatValue`, the name of a
/// rounding mode, an `ArrayValue`, a `FunctionValue` or an `Element`. Walking through a model gives its
/// symbols.
#[pyclass(name = "Model", module = "bivalve", frozen)]
pub(crate) struct PyModel {
    store: Arc<Store>,
    assignment: Assignment,
    valuation: Mutex<Valuation>,
}

impl PyModel {
    /// A model of these formulas. It has all of their symbols, those that the solver left at the default of
    /// their sort as well, since with another value the formulas may not hold; and no symbol that the solver
    /// made itself.
    pub(crate) fn new(
        store: &Arc<Store>,
        pool: &Pool,
        formulas: &[Term],
        assignment: &Assignment,
    ) -> PyModel {
        let mut valuation = Valuation::new();
        let mut values = Assignment::new();
        for symbol in free_symbols(pool, formulas) {
            values.set(symbol, valuation.eval(pool, assignment, symbol).clone());
        }
        PyModel { store: store.clone(), assignment: values, valuation: Mutex::default() }
    }

    /// The symbols of the formulas: not what stands for results that operators leave open.
    fn written(&self, pool: &Pool) -> Vec<Term> {
        let symbols = self.assignment.symbols().into_iter();
        symbols.filter(|&symbol| !pool.is_open_symbol(symbol)).collect()
    }

    fn evaluate(&self, pool: &Pool, term: Term) -> PyResult<Value> {
        match is_enumerable(pool, term) {
            true => Ok(self.valuation.lock().eval(pool, &self.assignment, term).clone()),
            false => Err(BivalveError::new_err("the value of a quantified formula is not known")),
        }
    }

    /// The value of a term that is to be of a kind.
    fn value_of<'py>(
        &self,
        py: Python<'py>,
        term: &PyTerm,
        expected: &str,
        is_expected: impl Fn(&Value) -> bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let of = term.of(&self.store)?;
        let (value, shape) =
            self.store.with(py, |pool| Ok((self.evaluate(pool, of)?, Shape::of(pool, term.sort))))?;
        match is_expected(&value) {
            true => to_object(py, &value, &shape),
            false => Err(IllSorted::new_err(format!("expected {expected}, found sort {}", shape.text()))),
        }
    }

    /// What is made of each symbol, its name and its value. Names are all different, as in `Solver.to_smt2`.
    fn named<T>(&self, py: Python<'_>, make: impl Fn(&Pool, Term, &str, &Value) -> T) -> PyResult<Vec<T>> {
        self.store.with(py, |pool| {
            let symbols = self.written(pool);
            let naming = Naming::unique(pool, &symbols);
            let made = |&symbol: &Term| {
                let value = self.assignment.get(symbol)?;
                Some(make(pool, symbol, &naming.symbol(pool, symbol), value))
            };
            Ok(symbols.iter().filter_map(made).collect())
        })
    }

    /// The symbols and their values as text.
    fn rows(&self, py: Python<'_>) -> PyResult<Vec<[String; 2]>> {
        let text = |value: &Value| value.as_float().map_or_else(|| value.to_string(), Float::to_decimal);
        self.named(py, |_, _, name, value| [name.to_owned(), text(value)])
    }
}

#[pymethods]
impl PyModel {
    /// The value of a term.
    fn __getitem__<'py>(&self, term: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = term.py();
        let operand = Operand::read(&self.store, term, None)?;
        let (value, shape) = self.store.with(py, |pool| {
            let term = operand.term(pool);
            Ok((self.evaluate(pool, term)?, Shape::of(pool, pool.sort(term))))
        })?;
        to_object(py, &value, &shape)
    }

    /// The value of a bit-vector, an `int`; an `IllSorted` if the term is none.
    fn bv<'py>(&self, py: Python<'py>, term: &PyTerm) -> PyResult<Bound<'py, PyAny>> {
        self.value_of(py, term, "a bit-vector", |value| matches!(value, Value::BitVec(_)))
    }

    /// The value of a Boolean, a `bool`; an `IllSorted` if the term is none.
    fn bool<'py>(&self, py: Python<'py>, term: &PyTerm) -> PyResult<Bound<'py, PyAny>> {
        self.value_of(py, term, "a Boolean", |value| matches!(value, Value::Bool(_)))
    }

    /// The value of a floating-point number, a `FloatValue`; an `IllSorted` if the term is none.
    fn float<'py>(&self, py: Python<'py>, term: &PyTerm) -> PyResult<Bound<'py, PyAny>> {
        self.value_of(py, term, "a floating-point number", |value| value.as_float().is_some())
    }

    /// The value of an array, an `ArrayValue`; an `IllSorted` if the term is none.
    fn array<'py>(&self, py: Python<'py>, term: &PyTerm) -> PyResult<Bound<'py, PyAny>> {
        self.value_of(py, term, "an array", |value| matches!(value, Value::Array(_)))
    }

    /// The value of a function symbol, a `FunctionValue`; an `IllSorted` if the term is none.
    fn function<'py>(&self, py: Python<'py>, term: &PyTerm) -> PyResult<Bound<'py, PyAny>> {
        self.value_of(py, term, "a function", |value| matches!(value, Value::Function(_)))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a model", "send its values, by to_dict"))
    }

    /// The value of a bit-vector as a number in two's complement; other values as they are.
    fn signed<'py>(&self, py: Python<'py>, term: &PyTerm) -> PyResult<Bound<'py, PyAny>> {
        let of = term.of(&self.store)?;
        let (value, shape) =
            self.store.with(py, |pool| Ok((self.evaluate(pool, of)?, Shape::of(pool, term.sort))))?;
        let unsigned = to_object(py, &value, &shape)?;
        match value.as_bitvec() {
            Some(bits) if bits.msb() => {
                let modulus = 1_u8.into_pyobject(py)?.into_any().lshift(bits.width())?;
                unsigned.sub(modulus)
            }
            _ => Ok(unsigned),
        }
    }

    /// The value of a term as a constant term; an array is a chain of `store` over a constant array. Elements
    /// of declared sorts and functions have no constants, and stay as they are.
    fn constant(&self, py: Python<'_>, term: &PyTerm) -> PyResult<PyTerm> {
        let of = term.of(&self.store)?;
        PyTerm::build(&self.store, py, |pool| {
            let value = self.evaluate(pool, of)?;
            Ok(constant(pool, term.sort, &value).unwrap_or(of))
        })
    }

    /// The term with the values of the symbols that the model has put in their place, simplified; symbols
    /// that it does not have stay.
    fn partial(&self, py: Python<'_>, term: &PyTerm) -> PyResult<PyTerm> {
        let of = term.of(&self.store)?;
        PyTerm::build(&self.store, py, |pool| {
            let known = known(pool, of, &self.assignment);
            let mut rebuild = Rebuild::new();
            for part in cone(pool, &[of]).into_iter().filter(|&part| known.contains(part)) {
                let value = self.evaluate(pool, part)?;
                if let Some(constant) = constant(pool, pool.sort(part), &value) {
                    rebuild.set(part, constant);
                }
            }
            let image = rebuild.apply(pool, of, || true, |_, _, _| None).unwrap_or(of);
            Ok(Rewriter::new(Level::Local).rewrite(pool, image))
        })
    }

    /// The symbols that have a value.
    #[getter]
    fn symbols(&self, py: Python<'_>) -> PyResult<Vec<PyTerm>> {
        self.store.with(py, |pool| Ok(PyTerm::list(&self.store, pool, &self.written(pool))))
    }

    /// The values by the names of the symbols. Where several symbols have one name, the value is that of the
    /// last.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = self.store.with(py, |pool| {
            let symbols = self.written(pool).into_iter();
            let value = |symbol| {
                let value = self.assignment.get(symbol)?.clone();
                Some((pool.name(symbol)?.to_owned(), value, Shape::of(pool, pool.sort(symbol))))
            };
            Ok(symbols.filter_map(value).collect::<Vec<_>>())
        })?;
        let dict = PyDict::new(py);
        for (name, value, shape) in values {
            dict.set_item(name, to_object(py, &value, &shape)?)?;
        }
        Ok(dict)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.store.with(py, |pool| Ok(self.written(pool).len()))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.symbols(py)?.into_pyobject(py)?.try_iter()?.into_any().unbind())
    }

    /// Whether the model itself has a value for a symbol; the value of others is the default of their sort.
    fn __contains__(&self, term: &PyTerm) -> bool {
        Arc::ptr_eq(&self.store, &term.store) && self.assignment.get(term.term).is_some()
    }

    /// The definitions of the symbols in SMT-LIB syntax, one a line.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let lines = self.named(py, |pool, symbol, name, value| {
            let text = Values::new(pool, BitVecFormat::default()).definition(symbol, value);
            // The definition of the symbol by its own name, which another one may have, too.
            let own = format!("(define-fun {} ", print::symbol(pool.name(symbol).unwrap_or_default()));
            format!("(define-fun {name} {}\n", text.strip_prefix(&own).unwrap_or(&text))
        })?;
        Ok(lines.concat())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let rows = self.rows(py)?.into_iter().map(|[name, value]| format!("{name} = {value}"));
        Ok(html::shortened(&format!("[{}]", rows.collect::<Vec<_>>().join(", ")), 2000))
    }

    /// For notebooks: a table of symbols and values.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(html::table(["symbol", "value"], self.rows(py)?))
    }
}

/// The terms at and below `root` whose symbols all have values, function symbols aside. Those of quantified
/// formulas that are not evaluated have none.
fn known(pool: &Pool, root: Term, assignment: &Assignment) -> TermSet {
    let mut known = TermSet::new();
    for term in cone(pool, &[root]) {
        let is_known = match pool.op(term) {
            Op::Symbol => assignment.get(term).is_some(),
            Op::Forall => {
                let free = free_symbols(pool, &[term]);
                free.iter().all(|&symbol| assignment.get(symbol).is_some()) && is_enumerable(pool, term)
            }
            _ => pool.args(term).iter().all(|&arg| known.contains(arg)),
        };
        if is_known {
            known.insert(term);
        }
    }
    known
}

/// The constant of a value; `None` if it has none.
fn constant(pool: &mut Pool, sort: Sort, value: &Value) -> Option<Term> {
    match value {
        Value::Bool(_) | Value::BitVec(_) | Value::Theory(_) => pool.constant(value),
        Value::Array(array) => {
            let (index, element) = pool.sorts().array_parts(sort)?;
            let default = constant(pool, element, array.default())?;
            let mut term = pool.const_array(sort, default).ok()?;
            for (at, what) in array.entries() {
                let (at, what) = (constant(pool, index, at)?, constant(pool, element, what)?);
                term = pool.store(term, at, what).ok()?;
            }
            Some(term)
        }
        Value::Element(..) | Value::Function(_) => None,
    }
}
