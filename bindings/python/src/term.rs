//! Terms as Python objects: what they are made of, their text, and what Python does with any object.
//!
//! A term is a number of its context's pool with its sort beside it. Building the same term twice gives the
//! same number, so hashes and structural equality cost nothing. `==` builds the formula that says so;
//! `bool(x == y)` is structural, which is what sets and dictionaries need, and the truth of any other formula
//! is a question to a solver, so asking for it is an error.

use crate::errors::{IllSorted, ill_sorted, not_pickled};
use crate::html;
use crate::operand::Operand;
use crate::records;
use crate::sort::PySort;
use crate::store::Store;
use crate::values::{Shape, to_object};
use bivalve::rewrite::simplify;
use bivalve::terms::{Op, Pool, Sort, Substitution, Term, print};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Characters of the text that `repr` shows.
const MOST_REPR: usize = 2000;

/// What is said of a function that is given another number of arguments.
pub(crate) fn arguments_expected(function: &str, expected: usize, found: usize) -> String {
    let plural = if expected == 1 { "" } else { "s" };
    format!("{function} expects {expected} argument{plural}, found {found}")
}

/// A term of a context: a formula, a bit-vector, a floating-point number, an array, a function symbol.
///
/// Operators build terms; integers and Booleans beside a term become constants of its sort. On bit-vectors `<
/// <= > >=`, `/`, `%` and `>>` are signed, as in z3; `ult`, `udiv`, `urem`, `lshr` and so on are the unsigned
/// ones. On floating-point numbers they are those of IEEE 754, rounding to nearest even; `==` is identity
/// there, `fp_eq` is equality of numbers. `x[7:0]` and `x[3]` are bits of a bit-vector, `a[i]` is an element
/// of an array, and `f(x)` applies a function. Whatever cannot be built raises `IllSorted` and names the
/// sorts.
#[pyclass(name = "Term", module = "bivalve", frozen)]
pub(crate) struct PyTerm {
    pub(crate) store: Arc<Store>,
    pub(crate) term: Term,
    pub(crate) sort: Sort,
}

impl PyTerm {
    /// The term for a store that is to be the one it belongs to.
    pub(crate) fn of(&self, store: &Arc<Store>) -> PyResult<Term> {
        if Arc::ptr_eq(&self.store, store) {
            return Ok(self.term);
        }
        Err(IllSorted::new_err("expected a term of the same context, found one of another"))
    }

    /// Builds a term in a store.
    pub(crate) fn build(
        store: &Arc<Store>,
        py: Python<'_>,
        build: impl FnOnce(&mut Pool) -> PyResult<Term>,
    ) -> PyResult<PyTerm> {
        store.with(py, |pool| {
            let term = build(pool)?;
            Ok(PyTerm { store: store.clone(), term, sort: pool.sort(term) })
        })
    }

    /// An operator applied to arguments.
    pub(crate) fn build_of(
        &self,
        py: Python<'_>,
        op: Op,
        indices: &[u32],
        args: Vec<Operand>,
    ) -> PyResult<PyTerm> {
        PyTerm::build(&self.store, py, |pool| {
            let args: Vec<Term> = args.into_iter().map(|arg| arg.term(pool)).collect();
            pool.indexed(op, indices, &args).map_err(|refusal| ill_sorted(&refusal))
        })
    }

    /// Several terms as objects.
    pub(crate) fn list(store: &Arc<Store>, pool: &Pool, terms: &[Term]) -> Vec<PyTerm> {
        let object = |&term: &Term| PyTerm { store: store.clone(), term, sort: pool.sort(term) };
        terms.iter().map(object).collect()
    }

    /// An operator applied to this term and to others; `sort` is what integers among these become.
    pub(crate) fn apply_op(
        &self,
        py: Python<'_>,
        op: Op,
        indices: &[u32],
        others: &[(&Bound<'_, PyAny>, Option<Sort>)],
    ) -> PyResult<PyTerm> {
        let read =
            |&(other, sort): &(&Bound<'_, PyAny>, Option<Sort>)| Operand::read(&self.store, other, sort);
        let others = others.iter().map(read).collect::<PyResult<Vec<Operand>>>()?;
        self.build_beside(py, op, indices, others)
    }

    /// The same with one argument, read already; for the operators that are asked for most.
    pub(crate) fn build_beside(
        &self,
        py: Python<'_>,
        op: Op,
        indices: &[u32],
        others: Vec<Operand>,
    ) -> PyResult<PyTerm> {
        self.build_of(py, op, indices, std::iter::once(Operand::Term(self.term)).chain(others).collect())
    }

    /// The sorts of index and element of an array.
    pub(crate) fn array_parts(&self, py: Python<'_>) -> PyResult<Option<(Sort, Sort)>> {
        self.store.with(py, |pool| Ok(pool.sorts().array_parts(self.sort)))
    }

    fn look<T>(&self, py: Python<'_>, look: impl FnOnce(&Pool, Term) -> T) -> PyResult<T> {
        self.store.with(py, |pool| Ok(look(pool, self.term)))
    }

    /// Whether it is a function symbol. Other sorts, but those of arrays, say so without a look at the pool.
    pub(crate) fn is_function(&self, py: Python<'_>) -> PyResult<bool> {
        let is_other = self.sort.is_bool() || self.sort.is_bitvec();
        Ok(!is_other && self.look(py, |pool, _| pool.sorts().is_function(self.sort))?)
    }

    /// Whether this formula is true of the objects themselves, where that can be said.
    fn structural(pool: &Pool, term: Term) -> Option<bool> {
        let args = pool.args(term);
        match pool.op(term) {
            Op::Const => pool.as_bool(term),
            Op::Eq if args.len() == 2 => Some(args[0] == args[1]),
            Op::Distinct if args.len() == 2 => Some(args[0] != args[1]),
            Op::Not if pool.op(args[0]) == Op::Eq => PyTerm::structural(pool, args[0]).map(|same| !same),
            _ => None,
        }
    }
}

/// What it is made of.
#[pymethods]
impl PyTerm {
    /// The sort.
    #[getter]
    fn sort(&self) -> PySort {
        PySort::new(&self.store, self.sort)
    }

    /// The number of bits of a bit-vector; `None` for other terms.
    #[getter]
    fn width(&self) -> Option<u32> {
        self.sort.width()
    }

    /// The context.
    #[getter]
    fn context(&self) -> crate::context::PyContext {
        crate::context::PyContext { store: self.store.clone() }
    }

    /// The operator by its SMT-LIB name; `"constant"`, `"symbol"` and `"apply"` for what has none there, and
    /// `"constructor"`, `"tester"`, `"selector"`, `"update"` on records.
    #[getter]
    fn op(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.look(py, |pool, term| match pool.op(term) {
            Op::Const if pool.sorts().as_record(pool.sort(term)).is_some() => "constructor",
            Op::Const => "constant",
            Op::Symbol => "symbol",
            Op::Apply => "apply",
            op => records::name_of(op).unwrap_or(op.info().name),
        })
    }

    /// The arguments of the operator; for an application the function symbol comes first, for a formula for
    /// all values of symbols these, and the body in which they are free.
    #[getter]
    fn args(&self, py: Python<'_>) -> PyResult<Vec<PyTerm>> {
        self.store.with(py, |pool| {
            let args = match (records::opened(pool, self.term), pool.opened(self.term)) {
                (Some((_, args)), _) => args,
                (_, Some((symbols, body))) => [&symbols[..], &[body]].concat(),
                _ => pool.written_args(self.term).to_vec(),
            };
            Ok(PyTerm::list(&self.store, pool, &args))
        })
    }

    /// The indices of an indexed operator in the order of the text: `[high, low]` for `extract`; on records
    /// the number of a constructor or a field comes last.
    #[getter]
    fn indices(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.store.with(py, |pool| {
            Ok(records::opened(pool, self.term)
                .map_or_else(|| pool.indices(self.term), |(indices, _)| indices))
        })
    }

    /// The name of a symbol; `None` for other terms.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.look(py, |pool, term| pool.name(term).map(str::to_owned))
    }

    /// The value of a constant: a `bool`, an `int` (unsigned), a `FloatValue`, the name of a rounding mode, a
    /// `Fraction`; `None` for other terms.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let found =
            self.look(py, |pool, term| Some((records::value_of(pool, term)?, Shape::of(pool, self.sort))))?;
        found.map(|(value, shape)| Ok(to_object(py, &value, &shape)?.unbind())).transpose()
    }

    /// A number that no other term of the context has. Arguments have smaller numbers than what is built of
    /// them.
    #[getter]
    fn id(&self) -> usize {
        self.term.index()
    }

    /// Are they the same term of the same context?
    pub(crate) fn is_same(&self, other: &PyTerm) -> bool {
        Arc::ptr_eq(&self.store, &other.store) && self.term == other.term
    }

    /// This term with others put in place of some, all at once. Keys and values of the dictionary are terms,
    /// of one sort each, function symbols included; a value may be an integer or a Boolean.
    fn substitute(&self, py: Python<'_>, pairs: &Bound<'_, PyDict>) -> PyResult<PyTerm> {
        let mut read = vec![];
        for (from, to) in pairs.iter() {
            let from = from.cast::<PyTerm>().map_err(|_| PyTypeError::new_err("keys are terms"))?.get();
            let of = from.of(&self.store)?;
            read.push((of, Operand::read(&self.store, &to, Some(from.sort))?));
        }
        PyTerm::build(&self.store, py, |pool| {
            let mut substitution = Substitution::new();
            for (from, to) in read {
                let to = to.term(pool);
                if pool.sort(from) != pool.sort(to) {
                    let [from, to] = [from, to].map(|term| pool.sorts().display(pool.sort(term)));
                    let text = format!("expected a term of sort {from} in place of one, found sort {to}");
                    return Err(IllSorted::new_err(text));
                }
                substitution.insert(pool, from, to);
            }
            Ok(substitution.apply(pool, self.term))
        })
    }

    /// A term of the same value under every assignment, in normal form by the local rules, with equal
    /// summands collected.
    fn simplify(&self, py: Python<'_>) -> PyResult<PyTerm> {
        self.store.with_detached(py, |pool| {
            let term = simplify(pool, self.term);
            Ok(PyTerm { store: self.store.clone(), term, sort: pool.sort(term) })
        })
    }

    /// This function symbol applied to arguments.
    #[pyo3(signature = (*args))]
    fn __call__(&self, py: Python<'_>, args: &Bound<'_, PyTuple>) -> PyResult<PyTerm> {
        let params =
            self.look(py, |pool, _| pool.sorts().function_parts(self.sort).map(|(p, _)| p.to_vec()))?;
        let Some(params) = params else {
            let sort = self.look(py, |pool, _| pool.sorts().display(self.sort))?;
            return Err(IllSorted::new_err(format!("expected a function symbol to call, found sort {sort}")));
        };
        if args.len() != params.len() {
            let name = self.name(py)?.unwrap_or_default();
            let text = arguments_expected(&format!("'{name}'"), params.len(), args.len());
            return Err(IllSorted::new_err(text));
        }
        let mut operands = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(params) {
            operands.push(Operand::read(&self.store, &arg, Some(param))?);
        }
        self.build_beside(py, Op::Apply, &[], operands)
    }
}

/// What Python does with any object.
#[pymethods]
impl PyTerm {
    /// The text in SMT-LIB syntax, with `let` for what is shared.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, print::term)
    }

    /// The text, cut short where it is long.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(html::shortened(&self.__str__(py)?, MOST_REPR))
    }

    /// For notebooks: the text and the sort.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let sort = self.look(py, |pool, _| pool.sorts().display(self.sort))?;
        Ok(html::term(&self.__str__(py)?, &sort))
    }

    fn __hash__(&self) -> usize {
        // Of terms whose hashes are equal Python asks for equality, which those of two contexts do not have.
        self.term.index() ^ (Arc::as_ptr(&self.store) as usize).rotate_left(24)
    }

    /// Whether two terms are the same one, for an equality or a disequality of two; the value of a Boolean
    /// constant. Others have no truth value without a model.
    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.look(py, PyTerm::structural)?.ok_or_else(|| {
            PyTypeError::new_err("a term has no truth value: check a solver, or ask a model for its value")
        })
    }

    /// The bits of a bit-vector, the least significant first; of one bit each.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let Some(width) = self.sort.width() else {
            return Err(PyTypeError::new_err("only the bits of a bit-vector can be walked through"));
        };
        let bits = (0..width).map(|bit| self.build_beside(py, Op::Extract, &[bit, bit], vec![]));
        let bits = bits.collect::<PyResult<Vec<PyTerm>>>()?;
        Ok(bits.into_pyobject(py)?.try_iter()?.into_any().unbind())
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        let _ = item;
        Err(PyTypeError::new_err("a term has no members"))
    }

    fn __reduce__(&self) -> PyResult<()> {
        let advice = "send a formula as text, by Context.to_smt2, and read it there by Context.parse";
        Err(not_pickled("a term", advice))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }
}
