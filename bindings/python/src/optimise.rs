//! Optima over a solver, for the classes of Python on top of it.
//!
//! An objective is a tuple: `("minimize", term, signed)`, `("maximize", term, signed)`, or `("soft",
//! [(formula, numerator, denominator), ...])` with the weight as decimal text. What comes back has an integer
//! for a bit-vector, a `Fraction` for a price, and a `FloatValue` for a floating-point number.

use crate::errors::{IllSorted, not_checked};
use crate::floats::{PyFloatValue, to_fraction};
use crate::numbers::from_int;
use crate::operand::Operand;
use crate::solver::{Movable, PyResultOf, PySolver, State};
use crate::term::PyTerm;
use bivalve::CheckResult;
use bivalve::terms::float::Rational;
use bivalve::terms::{BigInt, Pool, Sort, Term};
use bivalve_optimise::{Objective, Optimiser, Priority, Quantity, Range, Sense, Soft};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// An objective, read.
enum Asked {
    Term(Operand, Sense, bool),
    Soft(Vec<(Operand, Rational)>),
}

impl Asked {
    fn read(solver: &PySolver, of: &Bound<'_, PyAny>) -> PyResult<Asked> {
        let parts = of.cast::<PyTuple>()?;
        let kind: String = parts.get_item(0)?.extract()?;
        let sense = match &*kind {
            "minimize" => Sense::Minimise,
            "maximize" => Sense::Maximise,
            "soft" => {
                let mut softs = vec![];
                for soft in parts.get_item(1)?.try_iter()? {
                    let (formula, above, below): (Bound<'_, PyAny>, String, String) = soft?.extract()?;
                    let formula = Operand::read(&solver.store, &formula, Some(Sort::BOOL))?;
                    softs.push((formula, weight(&above, &below)?));
                }
                return Ok(Asked::Soft(softs));
            }
            other => {
                let text = format!("expected 'minimize', 'maximize' or 'soft', found '{other}'");
                return Err(PyValueError::new_err(text));
            }
        };
        let term = Operand::read(&solver.store, &parts.get_item(1)?, None)?;
        Ok(Asked::Term(term, sense, parts.get_item(2)?.extract()?))
    }

    fn objective(self, pool: &mut Pool) -> PyResult<Objective> {
        match self {
            Asked::Term(term, sense, is_signed) => {
                let term = term.term(pool);
                Objective::of(pool, term, sense, is_signed).ok_or_else(|| {
                    let sort = pool.sorts().display(pool.sort(term));
                    IllSorted::new_err(format!("expected a bit-vector to optimize, found sort {sort}"))
                })
            }
            Asked::Soft(softs) => {
                let soft = |(formula, weight): (Operand, Rational)| {
                    let formula = formula.term(pool);
                    match pool.sort(formula).is_bool() {
                        true => Ok(Soft { formula, weight }),
                        false => Err(IllSorted::new_err("expected a soft constraint of sort Bool")),
                    }
                };
                let softs: Vec<Soft> = softs.into_iter().map(soft).collect::<PyResult<_>>()?;
                Ok(Objective::soft(pool, &softs))
            }
        }
    }
}

fn weight(above: &str, below: &str) -> PyResult<Rational> {
    let parse = |text: &str| BigInt::parse_bytes(text.as_bytes(), 10);
    let parts = parse(above).zip(parse(below));
    let weight = parts.and_then(|(above, below)| Rational::new(above, below.magnitude().clone()));
    weight.ok_or_else(|| PyValueError::new_err(format!("expected a weight, found '{above}/{below}'")))
}

fn quantity<'py>(py: Python<'py>, of: &Quantity) -> PyResult<Bound<'py, PyAny>> {
    match of {
        Quantity::Number(number) => from_int(py, number),
        Quantity::Float(float) => Ok(Bound::new(py, PyFloatValue(float.clone()))?.into_any()),
        Quantity::Price(price) => to_fraction(py, price),
    }
}

/// An answer, the ranges of the objectives, and what excludes Pareto-optimal values.
type Optima<'py> = (PyResultOf, Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>, Vec<PyTerm>);

#[pymethods]
impl PySolver {
    /// The optima of objectives among the models of the assertions and of `assumptions`; `priority` is
    /// `"lex"`, `"box"` or `"pareto"`. The result is the answer, for each objective the least and the
    /// greatest value that its optimum may have, the same if it is known, and for `"pareto"` what is to be
    /// given as `excluded` to get the next values. `model()` has the model of the optima, with `"box"` that
    /// of the first one. An objective is `("minimize", term, signed)`, `("maximize", term, signed)` or
    /// `("soft", [(formula, numerator, denominator), ...])`.
    #[pyo3(signature = (objectives, *assumptions, priority = "lex", excluded = None, time = None))]
    fn optimize<'py>(
        &self,
        py: Python<'py>,
        objectives: &Bound<'py, PyList>,
        assumptions: &Bound<'py, PyTuple>,
        priority: &str,
        excluded: Option<Vec<PyRef<'py, PyTerm>>>,
        time: Option<f64>,
    ) -> PyResult<Optima<'py>> {
        let excluded = excluded.unwrap_or_default();
        let priority = Priority::parse(priority).ok_or_else(|| {
            PyValueError::new_err(format!("expected 'lex', 'box' or 'pareto', found '{priority}'"))
        })?;
        let asked: Vec<Asked> =
            objectives.iter().map(|of| Asked::read(self, &of)).collect::<PyResult<_>>()?;
        let assumed = self.formulas(assumptions.iter())?;
        let mut excluded: Vec<Term> =
            excluded.iter().map(|term| term.of(&self.store)).collect::<PyResult<_>>()?;
        let found = self.with_detached(py, time, |state, pool| {
            let objectives = asked.into_iter().map(|asked| asked.objective(pool));
            let objectives: Vec<Objective> = objectives.collect::<PyResult<_>>()?;
            let assumed: Vec<Term> = assumed.into_iter().map(|formula| formula.term(pool)).collect();
            let State { solver: Movable(solver), .. } = state;
            let optimiser = Optimiser::new(solver, pool);
            let found = match priority {
                Priority::Pareto => optimiser.next_pareto(&objectives, &assumed, &mut excluded),
                priority => optimiser.optimise(&objectives, priority, &assumed),
            };
            let found = found.map_err(|refusal| not_checked(&refusal))?;
            Ok((found.answer, found.ranges, PyTerm::list(&self.store, pool, &excluded)))
        });
        let (answer, ranges, excluded) = found?;
        let range = |Range { lower, upper }: &Range| Ok((quantity(py, lower)?, quantity(py, upper)?));
        let answer = match answer {
            CheckResult::Sat => PyResultOf::Sat,
            CheckResult::Unsat => PyResultOf::Unsat,
            CheckResult::Unknown(_) => PyResultOf::Unknown,
        };
        Ok((answer, ranges.iter().map(range).collect::<PyResult<_>>()?, excluded))
    }
}
