//! # bivalve-explain
//!
//! Why an answer is what it is, for people.
//!
//! - After `sat`: [`Inputs`], the part of the model that matters. Whatever the rest is replaced by, the
//!   assertions hold.
//! - After `unsat`: [`Contradiction`], conjuncts that are contradictory together, and the bits of their
//!   symbols that they are contradictory by.
//! - In any case: the [`Timeline`], the phases of the check and the lemmas that it learned.
//!
//! [`explain`] asks solvers of its own about a copy of the formulas, so the solver that gave the answer stays
//! as it is. It asks as many questions as its [`Budget`] allows; what it finds is right wherever it ends, and
//! says whether it is minimal. A [`Report`] is the same as text and as JSON.
//!
//! ```
//! use bivalve::terms::{Op, Pool, Sort};
//! use bivalve::{Settings, Solver, Stop};
//! use bivalve_explain::{Budget, Explanation, explain};
//!
//! // An even number that is 9 with some other bits.
//! let mut pool = Pool::new();
//! let x = pool.symbol("x", Sort::bitvec(8)?);
//! let [one, two, nine] = [1, 2, 9].map(|value| pool.bv_u64(value, 8));
//! let rest = pool.bvurem(x, two)?;
//! let is_odd = pool.eq(rest, one)?;
//! let is_even = pool.app(Op::Not, &[is_odd])?;
//! let low = pool.bvand(x, nine)?;
//! let is_nine = pool.eq(low, nine)?;
//! let mut solver = Solver::new(Settings::default());
//! solver.assert(&pool, is_even)?;
//! solver.assert(&pool, is_nine)?;
//! solver.check(&mut pool)?;
//! let explained = explain(&pool, &solver, &Budget::default(), &Stop::new())?;
//! let Some(Explanation::Contradiction(contradiction)) = explained else { panic!("unsat") };
//! assert_eq!(contradiction.conjuncts.len(), 2);
//! let bits = contradiction.bits.expect("small enough");
//! assert!(bits.is_minimal && bits.symbols[0].relevant.is_one(), "bit 0 alone");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `inputs` | the part of a model that matters |
//! | `contradiction` | a minimal set of conjuncts |
//! | `relevance` | the bits by which they are contradictory |
//! | `questions`, `minimum` | solvers that are asked, and minimal sets by leaving out |
//! | `timeline`, `course` | phases and lemmas |
//! | `report`, `text` | all of it in words |

mod contradiction;
mod course;
mod inputs;
mod minimum;
mod questions;
mod relevance;
mod report;
mod text;
mod timeline;

pub use contradiction::{Conjunct, Contradiction};
pub use course::Course;
pub use inputs::Inputs;
pub use questions::Budget;
pub use relevance::{Relevance, Relevant, Unit};
pub use report::{
    BitsReport, ConjunctReport, ContradictionReport, InputsReport, Origin, PartReport, Report, RestReport,
};
pub use timeline::{Event, Timeline};

use bivalve::terms::Pool;
use bivalve::{InternalError, Solver, Stop};

/// Why an answer is what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// The answer was `sat`: what matters of the model.
    Inputs(Inputs),
    /// The answer was `unsat`: what is contradictory.
    Contradiction(Contradiction),
}

/// Explains the answer to the last check of a solver whose terms are in `pool`; `None` unless that was sat or
/// unsat and nothing was asserted, pushed or popped since; likewise if a formula is quantified. Formulas are
/// numbered: the assertions, the lowest level first, then the assumptions of the check. When `stop` is
/// raised, the explanation is what was found until then.
///
/// # Errors
///
/// When a self-check failed.
pub fn explain(
    pool: &Pool,
    solver: &Solver,
    budget: &Budget,
    stop: &Stop,
) -> Result<Option<Explanation>, InternalError> {
    let formulas = [solver.assertions(), solver.assumptions()].concat();
    // What matters is found by evaluating and by searching on the parts of formulas.
    if solver.is_quantified(pool, solver.assumptions()) {
        return Ok(None);
    }
    let settings = solver.settings();
    Ok(if let Some(model) = solver.model() {
        Some(Explanation::Inputs(inputs::inputs(
            pool,
            &formulas,
            model.assignment(),
            settings,
            budget,
            stop,
        )?))
    } else if solver.unsat_core().is_some() {
        let found = contradiction::contradiction(pool, &formulas, settings, budget, stop)?;
        Some(Explanation::Contradiction(found))
    } else {
        None
    })
}
