//! Identities of many layers: equations of sums that no multiplying out shows, because every step of a loop
//! chooses between two states and multiplies by a quotient.
//!
//! Bezout's identity `x a + y b = g` after 68 steps of Euclid's algorithm has more monomials than can be
//! written. It is opened from the top, as the pass of that name does: of the atoms with the most quotients on
//! top of each other, a choice becomes one of its branches, or two cases (a branch `0` that stands for `q`
//! where `q` is zero becomes `q` again, and if that fails, it does not); a remainder becomes what is left of
//! a multiple ([`crate::remainder`]); and when nothing is left to open, all coefficients of the powers of one
//! atom have to be zero. So it comes down to a few smaller differences a step, each of which is shown once.
//!
//! The plan is made on terms alone. Then each difference, from the last to the first, is a clause: it is
//! zero, or a condition of its case does not hold. That it follows from those it comes down to is shown by
//! supposing the opposite, by choices and polynomials; two cases are one by propagation. Conditions and
//! equations have free bits, so there are no circuits.
//!
//! Cost: [`MOST_STEPS`] monomials and terms for all equations of a formula.

mod case;
mod places;
mod plan;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;

use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_checker::clause::Name;
use bivalve_checker::gate::Lit;
use bivalve_checker::term::{Op, Term};
use bivalve_checker::theorem::Theorem;
use bivalve_terms::{Pool, Term as From, TermSet, cone};
use case::connective;
use places::Places;
use plan::Goal;
pub(crate) use plan::Plan;
use rustc_hash::FxHashSet;

/// Monomials and terms that are looked at for one formula.
pub(crate) const MOST_STEPS: usize = 200_000;

/// Formulas with more terms, and with more equations, are left alone.
const MOST_TERMS: usize = 50_000;
const MOST_EQUATIONS: usize = 1000;

/// Equations below `roots`, other than the roots, whose sides are always the same. Those in `seen` were
/// looked at before; steps are taken from `left`.
pub(crate) fn identities(pool: &Pool, roots: &[From], seen: &mut TermSet, left: &mut usize) -> Vec<From> {
    use bivalve_terms::Op;
    let below = cone(pool, roots);
    let has = |op: Op| below.iter().any(|&term| pool.op(term) == op);
    if below.len() > MOST_TERMS || !has(Op::BvMul) || !has(Op::Ite) {
        return vec![];
    }
    let is_opened = |&side: &From| {
        matches!(pool.op(side), Op::BvAdd | Op::BvMul | Op::BvNeg | Op::Ite | Op::BvUrem | Op::BvSrem)
    };
    let asserted: FxHashSet<From> = roots.iter().copied().collect();
    let mut found = below;
    found.retain(|&term| {
        pool.op(term) == Op::Eq
            && pool.width(pool.args(term)[0]) > Some(1)
            && pool.args(term).iter().any(is_opened)
            && !asserted.contains(&term)
            && seen.insert(term)
    });
    if found.len() > MOST_EQUATIONS {
        return vec![];
    }
    let (mut out, mut translation) = (Recorder::default(), Translation::default());
    let translated: Result<Vec<Term>, String> =
        found.iter().map(|&candidate| translation.term(pool, candidate, &mut out)).collect();
    let Ok(equations) = translated else { return vec![] };
    let mut places = Places::new(&out.kernel.terms, &equations);
    // The equation that a program is about stands above those of its conditions, and gets the steps first.
    let mut has_plan = |equation| Plan::new(&mut out.kernel, &mut places, equation, left).is_some();
    found
        .into_iter()
        .zip(equations)
        .rev()
        .filter(|&(_, equation)| has_plan(equation))
        .map(|(term, _)| term)
        .collect()
}

/// How an equation can be shown in a kernel in which nothing is known yet.
///
/// # Errors
///
/// When it is no such identity.
pub(crate) fn plan(out: &mut Recorder, equation: Term) -> Result<Plan, String> {
    let mut places = Places::new(&out.kernel.terms, &[equation]);
    let plan = Plan::new(&mut out.kernel, &mut places, equation, &mut MOST_STEPS.clone());
    plan.ok_or_else(|| "an equation is no identity of layers".into())
}

/// Shows an equation in the kernel of its plan. `rest` is the theorem that says what remainders of that width
/// are.
///
/// # Errors
///
/// When it was not shown.
pub(crate) fn show(
    out: &mut Recorder,
    equation: Term,
    plan: &Plan,
    rest: Option<(u64, &Theorem)>,
) -> Result<(), String> {
    for remainder in plan.remainders(&out.kernel.terms) {
        let (number, theorem) = rest.ok_or("no theorem says what a remainder is")?;
        let args = out.kernel.terms.args(remainder).to_vec();
        out.instance(number, theorem, &args)?;
    }
    let mut clauses: Vec<Option<(u64, Term)>> = vec![None; plan.goals.len()];
    for at in plan.order() {
        let shown = show_goal(out, plan, &plan.goals[at], &clauses)?;
        clauses[at] = Some(shown);
    }
    let (clause, is_zero) = clauses[0].ok_or("a plan has a first goal")?;
    out.truth(is_zero, clause)?;
    out.polynomial(is_zero, equation)
}

/// The clause of a goal whose parts are shown, and the equation in it.
fn show_goal(
    out: &mut Recorder,
    plan: &Plan,
    goal: &Goal,
    clauses: &[Option<(u64, Term)>],
) -> Result<(u64, Term), String> {
    let zero = plan.zero;
    let is_zero = equation(out, goal.zero, zero)?;
    let mut literals: Vec<(Term, bool)> =
        goal.case.iter().map(|&(condition, value)| (condition, !value)).collect();
    for &(condition, _) in &literals {
        free(out, condition)?;
    }
    literals.push((is_zero, true));
    let mut clause: Vec<Lit> = vec![];
    for &(term, value) in &literals {
        clause.push(out.bits(term)?[0].flip(!value));
    }
    let mut parts = vec![];
    for &part in &goal.parts {
        parts.push(equation(out, part, zero)?);
    }
    let children: Vec<u64> = goal
        .children
        .iter()
        .map(|&child| clauses[child].map(|(clause, _)| clause))
        .collect::<Option<_>>()
        .ok_or("parts come first")?;
    let mut hints: Vec<Name> = vec![];
    let is_itself = goal.parts == [goal.zero];
    if !is_itself {
        out.polynomial(goal.result, goal.sum)?;
        let mut supposed: Vec<(Term, bool)> = parts.iter().map(|&part| (part, false)).collect();
        supposed.extend(&literals);
        out.suppose(&supposed)?;
        refute(out, goal, zero, &parts)?;
        out.equation(is_zero)?;
        let lemma = out.discharge()?;
        if parts.is_empty() {
            return Ok((lemma, is_zero));
        }
        hints.push(Name::Stored(lemma));
    }
    match goal.children.len() > goal.parts.len() {
        true => hints.extend(children.into_iter().map(Name::Stored)),
        false => hints.splice(0..0, children.into_iter().map(Name::Stored)).for_each(drop),
    }
    Ok((out.derive(&clause, &hints)?, is_zero))
}

/// Shows that what has to be zero is, where the parts are.
fn refute(out: &mut Recorder, goal: &Goal, zero: Term, parts: &[Term]) -> Result<(), String> {
    for &(condition, value) in &goal.case {
        if value && out.kernel.terms.op(condition) == Op::Eq && !connective(&out.kernel.terms, condition) {
            out.split(condition)?;
        }
    }
    for &condition in &goal.connectives {
        if out.kernel.value(condition).is_none() {
            out.evaluate(condition)?;
        }
    }
    for &(from, to) in &goal.steps {
        if out.kernel.equal(from, to) {
            continue;
        }
        match out.kernel.terms.op(from) {
            Op::Ite if goal.opened.contains_key(&from) => out.choose(from)?,
            _ => out.congruence(from, to)?,
        }
    }
    if out.kernel.equal(goal.result, zero) {
        return Ok(());
    }
    for &part in parts {
        out.split(part)?;
    }
    if !out.kernel.equal(goal.sum, zero) {
        out.polynomial(goal.sum, zero)?;
    }
    Ok(())
}

fn equation(out: &mut Recorder, term: Term, zero: Term) -> Result<Term, String> {
    let equation = out.kernel.terms.mk(Op::Eq, &[term, zero])?;
    free(out, equation)?;
    Ok(equation)
}

fn free(out: &mut Recorder, term: Term) -> Result<(), String> {
    if out.kernel.bits(term).is_none() { out.free_bits(term) } else { Ok(()) }
}
