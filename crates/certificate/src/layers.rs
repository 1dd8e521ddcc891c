//! Identities of many layers ([`bivalve_algebra::layers`]), and their proofs.
//!
//! The plan is made on terms alone. Then each difference, from the last to the first, is a clause: it is
//! zero, or a condition of its case does not hold. That it follows from those it comes down to is shown by
//! supposing the opposite, by choices and polynomials; two cases are one by propagation. Conditions and
//! equations have free bits, so there are no circuits. A remainder becomes what is left of a multiple
//! ([`crate::remainder`]).
//!
//! Cost: [`BUDGET`] monomials for all equations of a formula.

mod terms;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;

use crate::recorder::Recorder;
use crate::translate::Translation;
pub(crate) use bivalve_algebra::layers::BUDGET;
use bivalve_algebra::layers::{End, Kind, Places, Planner, candidates};
use bivalve_checker::clause::Name;
use bivalve_checker::gate::Lit;
use bivalve_checker::polynomial::MOST_INVERTED;
use bivalve_checker::term::{Op, Term, Terms};
use bivalve_checker::theorem::Theorem;
use bivalve_terms::{Pool, Term as From, TermSet, cone};
use terms::{KernelTerms, kind, number, replaced, word};

/// How the sides of an equation are shown to be the same.
pub(crate) type Plan = bivalve_algebra::layers::Plan<Term>;

/// Equations below `roots`, other than the roots, whose sides are always the same. Those in `seen` were
/// looked at before; steps are taken from `left`.
pub(crate) fn identities(pool: &Pool, roots: &[From], seen: &mut TermSet, left: &mut usize) -> Vec<From> {
    let mut found = candidates(pool, &cone(pool, roots), roots);
    found.retain(|&candidate| seen.insert(candidate));
    let (mut out, mut translation) = (Recorder::default(), Translation::default());
    let translated: Result<Vec<Term>, String> =
        found.iter().map(|&candidate| translation.term(pool, candidate, &mut out)).collect();
    let Ok(equations) = translated else { return vec![] };
    let terms = &mut out.kernel.terms;
    let mut places = Places::new(&KernelTerms(terms), &equations);
    // The equation that a program is about stands above those of its conditions, and gets the steps first.
    let mut has_plan = |equation| planned(terms, &mut places, equation, left).is_some();
    found
        .into_iter()
        .zip(equations)
        .rev()
        .filter(|&(_, equation)| has_plan(equation))
        .map(|(term, _)| term)
        .collect()
}

fn planned(terms: &mut Terms, places: &mut Places<Term>, equation: Term, left: &mut usize) -> Option<Plan> {
    let &[a, b] = terms.args(equation) else { return None };
    terms.width(a).filter(|&width| u64::from(width) < MOST_INVERTED)?;
    Planner::new(&mut KernelTerms(terms), places, &[], left).plan([a, b])
}

/// How an equation can be shown in a kernel in which nothing is known yet.
///
/// # Errors
///
/// When it is no such identity.
pub(crate) fn plan(out: &mut Recorder, equation: Term) -> Result<Plan, String> {
    let terms = &mut out.kernel.terms;
    let mut places = Places::new(&KernelTerms(terms), &[equation]);
    let plan = planned(terms, &mut places, equation, &mut BUDGET.clone());
    plan.ok_or_else(|| "an equation is no identity of layers".into())
}

/// The remainders that a plan opens.
pub(crate) fn remainders(plan: &Plan, terms: &Terms) -> Vec<Term> {
    let opened = plan.goals.iter().flat_map(|goal| goal.opened.keys().copied());
    let mut remainders: Vec<Term> = opened.filter(|&term| terms.op(term) == Op::BvUrem).collect();
    remainders.sort_unstable();
    remainders.dedup();
    remainders
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
    for remainder in remainders(plan, &out.kernel.terms) {
        let (number, theorem) = rest.ok_or("no theorem says what a remainder is")?;
        let args = out.kernel.terms.args(remainder).to_vec();
        out.instance(number, theorem, &args)?;
    }
    let mut clauses: Vec<Option<(u64, Term)>> = vec![None; plan.goals.len()];
    for at in plan.order() {
        let goal = Goal::new(&mut out.kernel.terms, plan, at, equation)?;
        clauses[at] = Some(show_goal(out, &goal, &clauses)?);
    }
    let (clause, is_zero) = clauses[0].ok_or("a plan has a first goal")?;
    out.truth(is_zero, clause)?;
    out.polynomial(is_zero, equation)
}

/// A goal of a plan in terms of the checker.
struct Goal<'a> {
    of: &'a bivalve_algebra::layers::Goal<Term>,
    /// The word that has to be zero.
    zero: Term,
    /// No more than that.
    nothing: Term,
    /// Terms with what they become, those below first; the last one is the word.
    steps: Vec<(Term, Term)>,
    /// What the word becomes, and the same as a sum of multiples of the parts.
    result: Term,
    sum: Term,
    /// The words that have to be zero for that.
    parts: Vec<Term>,
    /// The goals that say so: one for each part, or two cases of the one part.
    children: Vec<usize>,
}

impl Goal<'_> {
    fn new<'a>(terms: &mut Terms, plan: &'a Plan, at: usize, equation: Term) -> Result<Goal<'a>, String> {
        let of = &plan.goals[at];
        let zero = match (at, terms.args(equation)) {
            (0, &[a, b]) => terms.sub(a, b)?,
            _ => word(terms, &of.zero)?,
        };
        let nothing = terms.number_like(zero, 0)?;
        let (result, steps) = replaced(terms, zero, &of.opened)?;
        let (mut sum, mut parts, mut children) = (nothing, vec![], vec![]);
        let mut multiple = |terms: &mut Terms, factor, child: usize| {
            let part = word(terms, &plan.goals[child].zero)?;
            let factor = number(terms, factor)?;
            parts.push(part);
            terms.mk(Op::BvMul, &[factor, part])
        };
        match &of.end {
            End::Shown => {}
            End::Cases(factor, both) => {
                sum = multiple(terms, factor, both[0])?;
                children.extend(both);
            }
            End::Powers(atom, powers) => {
                for (exponent, factor, child) in powers {
                    let mut summand = multiple(terms, factor, *child)?;
                    for _ in 0..*exponent {
                        summand = terms.mk(Op::BvMul, &[summand, *atom])?;
                    }
                    sum = terms.mk(Op::BvAdd, &[sum, summand])?;
                    children.push(*child);
                }
            }
        }
        Ok(Goal { of, zero, nothing, steps, result, sum, parts, children })
    }
}

/// The clause of a goal whose parts are shown, and the equation in it.
fn show_goal(
    out: &mut Recorder,
    goal: &Goal<'_>,
    clauses: &[Option<(u64, Term)>],
) -> Result<(u64, Term), String> {
    let zero = goal.nothing;
    let is_zero = equation(out, goal.zero, zero)?;
    let mut literals: Vec<(Term, bool)> =
        goal.of.case.conditions().iter().map(|&(condition, value)| (condition, !value)).collect();
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
        refute(out, goal, &parts)?;
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
fn refute(out: &mut Recorder, goal: &Goal<'_>, parts: &[Term]) -> Result<(), String> {
    let zero = goal.nothing;
    for &(condition, value) in goal.of.case.conditions() {
        if value && kind(&out.kernel.terms, condition) == Kind::Equation {
            out.split(condition)?;
        }
    }
    for &condition in &goal.of.connectives {
        if out.kernel.value(condition).is_none() {
            out.evaluate(condition)?;
        }
    }
    for &(from, to) in &goal.steps {
        if out.kernel.equal(from, to) {
            continue;
        }
        match out.kernel.terms.op(from) {
            Op::Ite if goal.of.opened.contains_key(&from) => out.choose(from)?,
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
