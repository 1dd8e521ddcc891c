//! Models: values of symbols, validated before they are handed out.
//!
//! A model holds a value for each symbol below the assertions: inputs of the circuits have theirs from the
//! SAT solver, eliminated symbols follow from the preprocessor's definitions, and symbols that became
//! irrelevant have the default of their sort. The value of any other term is what the reference semantics
//! makes of these.
//!
//! Before the solver reports `sat`, the model is evaluated on the assertions *as they were made*. So an error
//! in rewriting, in the circuits, in the clauses or in the SAT solver cannot become a wrong answer; it
//! becomes an [`InternalError`] that names the least sub-term on which meaning and circuit differ.
//!
//! The values of terms are kept with the model: validation, `get-value` and the next check share one
//! valuation, and a model that replaces another one evaluates only what depends on symbols whose values
//! differ. Values of what is no longer below the assertions are forgotten when they are the greater part.
//!
//! Cost: one value for each term below the assertions; later models cost what they change, and a scan of what
//! is below the assertions now, whatever was asserted before.

use bivalve_limits::Deadline;
use bivalve_lowering::Lowering;
use bivalve_preprocess::Preprocessor;
use bivalve_sat_adapter::Stop;
use bivalve_terms::{Assignment, Op, Pool, Term, Valuation, Value, cone, is_enumerable, outermost_binders};
use std::cell::RefCell;
use thiserror::Error;

/// A failed self-check: a defect of this program, never a property of the input.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
#[error("internal: {0}")]
pub struct InternalError(pub String);

/// The values of symbols under which all assertions hold.
#[derive(Clone, Default, Debug)]
pub struct Model {
    assignment: Assignment,
    /// The values of terms that were asked for, by validation or by the caller.
    valuation: RefCell<Valuation>,
    /// The valuation has values of quantified formulas, which were found otherwise.
    is_quantified: bool,
}

/// Where values come from: the circuits' view of the model, by term. `None` for what has no circuit.
pub(crate) type CircuitValue<'a> = &'a mut dyn FnMut(&Pool, Term) -> Option<Value>;

/// What makes a model of the assertions of one of what was left of them.
pub(crate) struct WayBack<'a> {
    pub(crate) preprocessor: &'a Preprocessor,
    pub(crate) lowering: &'a Lowering,
}

impl Model {
    /// Reads the symbols below `assertions` and definitions off the circuits, but for those to which refiners
    /// gave values, `extension`, and validates. The valuation of the model before, if there is one, is
    /// revised.
    pub(crate) fn read(
        pool: &Pool,
        assertions: &[Term],
        way_back: &WayBack<'_>,
        extension: Vec<(Term, Value)>,
        former: Option<Model>,
        circuit_value: CircuitValue<'_>,
    ) -> Result<Model, InternalError> {
        let mut assignment = Assignment::new();
        // What stands in for eliminated symbols may be symbols that no assertion mentions.
        let solutions = way_back.preprocessor.solutions().map(|(_, term)| term);
        let images = way_back.lowering.image_symbols();
        let roots: Vec<Term> = assertions.iter().copied().chain(solutions).chain(images).collect();
        let below = cone(pool, &roots);
        for (symbol, value) in extension {
            if below.binary_search(&symbol).is_ok() {
                assignment.set(symbol, value);
            }
        }
        for &symbol in below.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
            if assignment.get(symbol).is_none()
                && let Some(value) = circuit_value(pool, symbol)
            {
                assignment.set(symbol, value);
            }
        }
        // What was popped keeps its values until it outweighs what is there: so a round of a session costs
        // what the round is about, and not all rounds before it.
        let former = former.map(|model| model.restricted_to(&below));
        Model::validate(pool, assertions, way_back, assignment, former, circuit_value)
    }

    /// The same model with the values of other terms forgotten, if these are more than half of all.
    fn restricted_to(self, terms: &[Term]) -> Model {
        let mut valuation = self.valuation.into_inner();
        if valuation.len() / 2 > terms.len() {
            valuation.retain(terms);
        }
        Model { valuation: RefCell::new(valuation), ..self }
    }

    /// Gives eliminated symbols their values, then checks that every assertion is true.
    pub(crate) fn validate(
        pool: &Pool,
        assertions: &[Term],
        way_back: &WayBack<'_>,
        mut assignment: Assignment,
        former: Option<Model>,
        circuit_value: CircuitValue<'_>,
    ) -> Result<Model, InternalError> {
        let WayBack { preprocessor, lowering } = way_back;
        preprocessor.lift(pool, &mut assignment);
        let images = lowering.makes_symbols().then(|| assignment.clone());
        lowering.lift(pool, &mut assignment);
        if preprocessor.makes_symbols() || lowering.makes_symbols() {
            assignment = restricted(pool, assertions, &assignment);
        }
        let mut valuation = Valuation::new();
        if let Some(Model { assignment: before, valuation: values, .. }) = former {
            valuation = values.into_inner();
            valuation.revise(pool, &before, &assignment);
        }
        let violated = assertions.iter().position(|&a| !valuation.eval(pool, &assignment, a).expect_bool());
        match violated {
            None => Ok(Model { assignment, valuation: RefCell::new(valuation), is_quantified: false }),
            Some(position) => {
                let below = cone(pool, assertions);
                let mut meaning = |term| valuation.eval(pool, &assignment, term).clone();
                let mut image = Valuation::new();
                let mut lifted = |term, is_image: bool| match is_image {
                    true => image.eval(pool, images.as_ref().unwrap_or(&assignment), term).clone(),
                    false => meaning(term),
                };
                if let Some((term, meant, found)) = lowering.difference(pool, &below, &mut lifted) {
                    let text = format!(
                        "the model violates assertion {}: {term:?} ({:?}) has the value {meant:?} but its image \
                         stands for {found:?}",
                        position + 1,
                        pool.op(term)
                    );
                    return Err(InternalError(text));
                }
                Err(explain(pool, position, assertions[position], &below, &mut meaning, circuit_value))
            }
        }
    }

    /// The model that another solver found, validated here.
    pub(crate) fn adopt(
        pool: &Pool,
        assertions: &[Term],
        assignment: Assignment,
    ) -> Result<Model, InternalError> {
        if !assertions.iter().all(|&assertion| is_enumerable(pool, assertion)) {
            return Err(InternalError(
                "a quantified formula is not evaluated in a model of another engine".into(),
            ));
        }
        let mut valuation = Valuation::new();
        let violated = assertions.iter().position(|&a| !valuation.eval(pool, &assignment, a).expect_bool());
        let problem = |position| {
            InternalError(format!("a model of another engine violates assertion {}", position + 1))
        };
        match violated {
            None => Ok(Model { assignment, valuation: RefCell::new(valuation), is_quantified: false }),
            Some(position) => Err(problem(position)),
        }
    }

    /// The model of formulas of which some are quantified, validated here. `claims` are values of outermost
    /// binders under which the formulas are true, with whether the value is known to be right; where it is
    /// not, the formulas are true whatever it is.
    pub(crate) fn of_quantified(
        pool: &Pool,
        assertions: &[Term],
        assignment: Assignment,
        claims: &[(Term, bool, bool)],
    ) -> Result<Model, InternalError> {
        let (mut valuation, mut known) = (Valuation::new(), Valuation::new());
        for &(binder, value, is_right) in claims {
            valuation.set(binder, value.into());
            if is_right {
                known.set(binder, value.into());
            }
        }
        for (position, &assertion) in assertions.iter().enumerate() {
            if !valuation.eval(pool, &assignment, assertion).expect_bool() {
                let problem = format!("the model of instances violates assertion {}", position + 1);
                return Err(InternalError(problem));
            }
            known.set(assertion, true.into());
        }
        Ok(Model { assignment, valuation: RefCell::new(known), is_quantified: true })
    }

    /// Does the model know values of quantified formulas that evaluation does not find?
    pub(crate) fn is_quantified(&self) -> bool {
        self.is_quantified
    }

    /// Whether [`value`](Model::value) can be asked for this term. It cannot where the term has a quantified
    /// formula whose value the check did not need, and that has too many values of variables to be evaluated.
    pub fn knows(&self, pool: &Pool, term: Term) -> bool {
        let valuation = self.valuation.borrow();
        let is_known = |binder: Term| valuation.get(binder).is_some() || is_enumerable(pool, binder);
        valuation.get(term).is_some() || outermost_binders(pool, &[term]).into_iter().all(is_known)
    }

    /// Whether these formulas are true in the model; `None` if that was not known when `stop` was raised.
    pub(crate) fn satisfies(&self, pool: &Pool, formulas: &[Term], stop: &Stop) -> Option<bool> {
        let deadline = Deadline::stopped_by(stop);
        let mut valuation = self.valuation.borrow_mut();
        for &formula in formulas {
            if !valuation.eval_within(pool, &self.assignment, formula, &deadline)?.expect_bool() {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The value of `term`. Terms that were evaluated before cost a look-up.
    ///
    /// # Panics
    ///
    /// If the term is not [known](Model::knows).
    pub fn value(&self, pool: &Pool, term: Term) -> Value {
        self.valuation.borrow_mut().eval(pool, &self.assignment, term).clone()
    }

    /// The values of symbols; those that are missing have the default of their sort.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }
}

/// The values of the symbols that assertions mention.
fn restricted(pool: &Pool, assertions: &[Term], assignment: &Assignment) -> Assignment {
    let mut restricted = Assignment::new();
    for symbol in cone(pool, assertions).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
        if let Some(value) = assignment.get(symbol) {
            restricted.set(symbol, value.clone());
        }
    }
    restricted
}

/// Names the assertion that the model violates, and the least term on which semantics and circuits differ.
fn explain(
    pool: &Pool,
    position: usize,
    assertion: Term,
    below: &[Term],
    meaning: &mut dyn FnMut(Term) -> Value,
    circuit_value: CircuitValue<'_>,
) -> InternalError {
    let culprit = below.iter().find_map(|&term| {
        let found = circuit_value(pool, term)?;
        let meant = meaning(term);
        (found != meant).then(|| {
            format!(
                "term {term:?} ({:?}) has the value {meant:?} but its circuit gives {found:?}",
                pool.op(term)
            )
        })
    });
    let culprit =
        culprit.unwrap_or_else(|| "every circuit agrees with its term, so a rewrite rule is wrong".into());
    InternalError(format!("the model violates assertion {} ({assertion:?}): {culprit}", position + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckResult, Settings, Solver};
    use bivalve_terms::Sort;

    /// Rounds of push and pop leave no values behind: a round looks at what it is about.
    #[test]
    fn values_of_what_was_popped_are_forgotten() {
        let mut pool = Pool::new();
        let word = Sort::bitvec(16).unwrap();
        let x = pool.symbol("x", word);
        let mut solver = Solver::new(Settings::default());
        for number in 0..200 {
            let number = pool.bv_u64(number, 16);
            let equation = pool.mk(Op::Eq, &[x, number]);
            solver.push(1).unwrap();
            solver.assert(&pool, equation).unwrap();
            assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
            solver.pop(1).unwrap();
            let (model, _) = solver.former.as_ref().expect("the last check had a model");
            assert!(model.valuation.borrow().len() <= 16);
        }
    }
}
