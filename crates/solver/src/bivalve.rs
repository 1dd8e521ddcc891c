//! The solver for programs that build formulas by hand: expressions in, values and expressions out.
//!
//! A [`Bivalve`] is a [`Solver`] with the [`Context`] whose expressions it takes, so that no pool has to be
//! handed over. Whatever is wrong comes back as an [`Error`]: an expression that could not be built says so
//! when it is asserted, a model that does not exist when it is asked for. Nothing here panics.
//!
//! While a check runs it has the pool of the context for itself: a callback must not use expressions.

use crate::answer::{AssertError, CheckError, CheckResult, LevelError};
use crate::check_limits::CheckLimits;
use crate::model::Model;
use crate::options::Settings;
use crate::progress::Progress;
use crate::solver::Solver;
use crate::statistics::Statistics;
use bivalve_refine::Lemma;
use bivalve_sat_adapter::Stop;
use bivalve_terms::print::{BitVecFormat, Values};
use bivalve_terms::{Context, Expr, ExprError, Pool, Problem, Term, Value};
use std::fmt;
use thiserror::Error;

/// A solver over the expressions of a [`Context`].
///
/// ```
/// use bivalve::{Bivalve, CheckResult, Context};
///
/// let ctx = Context::new();
/// let (x, y) = (ctx.bv_symbol("x", 16), ctx.bv_symbol("y", 16));
/// let mut solver = Bivalve::new(&ctx);
/// solver.assert(&(&x * &y).equals(391))?;
/// solver.assert(&(x.ugt(1) & x.ult(&y) & y.ult(256)))?;
/// assert_eq!(solver.check()?, CheckResult::Sat);
/// assert_eq!(solver.model()?.value(&x)?.to_u64(), Some(17));
/// let is_even = x.bit(0).equals(0);
/// assert_eq!(solver.check_assuming([&is_even])?, CheckResult::Unsat);
/// assert_eq!(solver.unsat_assumptions()?, [is_even]);
/// # Ok::<(), bivalve::Error>(())
/// ```
pub struct Bivalve {
    context: Context,
    solver: Solver,
}

/// Why a [`Bivalve`] has refused something.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An expression could not be built.
    #[error(transparent)]
    Expr(#[from] ExprError),
    /// An expression belongs to another context.
    #[error("{}", Problem::OtherContext)]
    OtherContext,
    /// A formula cannot be asserted.
    #[error(transparent)]
    Assert(#[from] AssertError),
    /// A check could not be carried out.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// There are not so many levels.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// There is no model.
    #[error("there is no model: the last check was not answered sat, or something was changed since")]
    NoModel,
    /// There is no unsat core.
    #[error("there is no unsat core: the last check was not answered unsat, or something was changed since")]
    NoCore,
}

impl Bivalve {
    /// A solver with the default settings, without assertions.
    pub fn new(context: &Context) -> Bivalve {
        Bivalve::with_settings(context, Settings::default())
    }

    /// A solver with these settings, without assertions.
    pub fn with_settings(context: &Context, settings: Settings) -> Bivalve {
        Bivalve { context: context.clone(), solver: Solver::new(settings) }
    }

    /// The context of its expressions.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        self.solver.settings()
    }

    /// Changes the settings; they are in force from the next check on.
    pub fn set_settings(&mut self, settings: Settings) {
        self.solver.set_settings(settings);
    }

    /// The solver below, to hand parts over or to look at circuits. Its pool is that of the context.
    pub fn solver_mut(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Asserts a formula on the topmost level.
    ///
    /// # Errors
    ///
    /// When the formula could not be built, is not Boolean, or is not supported; nothing changes then.
    pub fn assert(&mut self, formula: &Expr) -> Result<(), Error> {
        self.assert_all([formula])
    }

    /// Asserts all of some formulas, or none.
    ///
    /// # Errors
    ///
    /// As [`assert`](Bivalve::assert), if one of them is refused; nothing changes then.
    pub fn assert_all<'a>(&mut self, formulas: impl IntoIterator<Item = &'a Expr>) -> Result<(), Error> {
        let terms = self.terms(formulas)?;
        let Bivalve { context, solver } = self;
        Ok(context.with_pool(|pool| solver.assert_all(pool, &terms))?)
    }

    /// Asserts a formula that may be part of unsat cores.
    ///
    /// # Errors
    ///
    /// As [`assert`](Bivalve::assert).
    pub fn assert_tracked(&mut self, formula: &Expr) -> Result<(), Error> {
        let term = self.term(formula)?;
        let Bivalve { context, solver } = self;
        context.with_pool(|pool| solver.assert_tracked(pool, term))?;
        Ok(())
    }

    /// The formulas asserted, tracked or not, the lowest level first.
    pub fn assertions(&self) -> Vec<Expr> {
        self.solver.assertions().iter().map(|&term| self.context.expr(term)).collect()
    }

    /// Opens levels on the assertion stack.
    ///
    /// # Errors
    ///
    /// When there would be more than 2^64 - 1 of them; nothing changes then.
    pub fn push(&mut self, levels: u64) -> Result<(), Error> {
        Ok(self.solver.push(levels)?)
    }

    /// Drops the topmost levels with all that was asserted on them.
    ///
    /// # Errors
    ///
    /// When there are fewer; nothing changes then.
    pub fn pop(&mut self, levels: u64) -> Result<(), Error> {
        Ok(self.solver.pop(levels)?)
    }

    /// Drops all assertions and levels; the settings stay.
    pub fn reset_assertions(&mut self) {
        self.solver.reset_assertions();
    }

    /// Begins again as a new solver with the same context and settings. Callbacks, parts that were handed
    /// over, and stop handles belong to the old one.
    pub fn reset(&mut self) {
        self.solver = Solver::new(self.settings().clone());
    }

    /// Is the conjunction of the assertions satisfiable?
    ///
    /// # Errors
    ///
    /// When a self-check failed.
    pub fn check(&mut self) -> Result<CheckResult, Error> {
        self.check_assuming([])
    }

    /// Is the conjunction of the assertions and of these formulas satisfiable? They are assumed for this
    /// check only.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, and nothing changes then; or when a self-check failed.
    pub fn check_assuming<'a>(
        &mut self,
        assumptions: impl IntoIterator<Item = &'a Expr>,
    ) -> Result<CheckResult, Error> {
        self.check_within(CheckLimits::new(), assumptions)
    }

    /// As [`check_assuming`](Bivalve::check_assuming), with limits for this check; where one is reached the
    /// answer is [`CheckResult::Unknown`], and the solver can be used on.
    ///
    /// # Errors
    ///
    /// As [`check_assuming`](Bivalve::check_assuming).
    pub fn check_within<'a>(
        &mut self,
        limits: CheckLimits,
        assumptions: impl IntoIterator<Item = &'a Expr>,
    ) -> Result<CheckResult, Error> {
        let terms = self.terms(assumptions)?;
        let Bivalve { context, solver } = self;
        Ok(context.with_pool(|pool| solver.check_within(pool, limits, &terms))?)
    }

    /// The model of the last check.
    ///
    /// # Errors
    ///
    /// Unless that was answered sat, and nothing was asserted, pushed or popped since.
    pub fn model(&self) -> Result<ExprModel<'_>, Error> {
        let model = self.solver.model().ok_or(Error::NoModel)?;
        Ok(ExprModel { context: &self.context, model })
    }

    /// Tracked assertions that are contradictory together with the untracked ones and with the
    /// [`unsat_assumptions`](Bivalve::unsat_assumptions).
    ///
    /// # Errors
    ///
    /// Unless the last check was answered unsat, and nothing was asserted, pushed or popped since.
    pub fn unsat_core(&self) -> Result<Vec<Expr>, Error> {
        let core = self.solver.unsat_core().ok_or(Error::NoCore)?;
        let tracked: Vec<Term> = self.solver.tracked().collect();
        Ok(core.iter().map(|&number| self.context.expr(tracked[number])).collect())
    }

    /// The assumptions of the last check that are part of the contradiction.
    ///
    /// # Errors
    ///
    /// As [`unsat_core`](Bivalve::unsat_core).
    pub fn unsat_assumptions(&self) -> Result<Vec<Expr>, Error> {
        let failed = self.solver.unsat_assumptions().ok_or(Error::NoCore)?;
        let assumed = self.solver.assumptions();
        Ok(failed.iter().map(|&position| self.context.expr(assumed[position])).collect())
    }

    /// What the checks cost so far.
    pub fn statistics(&self) -> Statistics {
        self.context.with_pool(|pool| self.solver.statistics(pool))
    }

    /// A handle that ends the running check, from any thread.
    pub fn stop_handle(&self) -> Stop {
        self.solver.stop_handle()
    }

    /// Asks `is_over` every few thousand steps of a check, and ends it with
    /// [`Unknown`](CheckResult::Unknown) as soon as the answer is `true`. There is one such callback, the
    /// last.
    pub fn on_terminate(&mut self, is_over: impl Fn() -> bool + Send + Sync + 'static) {
        self.solver.stop_handle().ask(is_over);
    }

    /// Calls `listener` when a check goes on to another phase, and for each assertion that gets gates.
    pub fn on_progress(&mut self, listener: impl Fn(&Progress) + Send + Sync + 'static) {
        self.solver.progress().listen(listener);
    }

    /// Calls `listener` with each lemma about arithmetic, arrays or functions that a check learns: a clause
    /// over terms of the pool, which prints them ([`Pool::display`]).
    pub fn on_lemma(&mut self, listener: impl FnMut(&Pool, &Lemma) + 'static) {
        self.solver.listen_to_lemmas(Some(Box::new(listener)));
    }

    fn terms<'a>(&self, formulas: impl IntoIterator<Item = &'a Expr>) -> Result<Vec<Term>, Error> {
        formulas.into_iter().map(|formula| self.term(formula)).collect()
    }

    fn term(&self, formula: &Expr) -> Result<Term, Error> {
        if formula.context().is(&self.context) { Ok(formula.term()?) } else { Err(Error::OtherContext) }
    }
}

/// A model, with the context of the expressions whose values it has.
#[derive(Clone, Copy)]
pub struct ExprModel<'a> {
    context: &'a Context,
    model: &'a Model,
}

impl ExprModel<'_> {
    /// The value of an expression, of a function symbol, too.
    ///
    /// # Errors
    ///
    /// When the expression could not be built, or is of another context.
    pub fn value(&self, of: &Expr) -> Result<Value, Error> {
        if !of.context().is(self.context) {
            return Err(Error::OtherContext);
        }
        let term = of.term()?;
        Ok(self.context.with_pool(|pool| self.model.value(pool, term)))
    }

    /// The value of an expression as a constant of its sort, to build more from; an array is a chain of
    /// `store` over a constant array. Elements of declared sorts and functions have no constants.
    #[track_caller]
    #[must_use]
    pub fn constant(&self, of: &Expr) -> Expr {
        match (of.sort(), self.value(of)) {
            (Ok(sort), Ok(value)) => self.context.value(sort, &value),
            _ => of.clone(),
        }
    }
}

/// The definitions of the symbols that have a value, in SMT-LIB syntax, one a line.
impl fmt::Display for ExprModel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.context.with_pool(|pool| {
            let values = Values::new(pool, BitVecFormat::default());
            let assignment = self.model.assignment();
            for symbol in assignment.symbols() {
                if let Some(value) = assignment.get(symbol) {
                    writeln!(f, "{}", values.definition(symbol, value))?;
                }
            }
            Ok(())
        })
    }
}
