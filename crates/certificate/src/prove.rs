//! Proofs of equations in which nothing is asserted: by polynomials, by congruence in each case of the
//! conditions of choices, by circuits.
//!
//! Whatever is tried, the kernel carries it out; a proof that fails costs its steps and shows nothing. The
//! cases are for wide products and quotients, whose circuits say nothing that a choice needs.

use crate::division::{self, Division};
use crate::encode::cells;
use crate::instances;
use crate::lemma;
use crate::order;
use crate::recorder::Recorder;
use crate::remainder;
use crate::sat::{Problem, Sat};
use bivalve_checker::clause::Name;
use bivalve_checker::gate::{Lit, TRUE};
use bivalve_checker::term::{Op, Term, Terms};
use bivalve_limits::Stop;
use bivalve_sat_adapter::SatResult;
use rustc_hash::FxHashSet;

/// What became of an attempt to prove an equation.
pub(crate) enum Outcome {
    Proved,
    Refuted,
    Open,
}

impl Outcome {
    fn of(is_proved: bool) -> Outcome {
        if is_proved { Outcome::Proved } else { Outcome::Refuted }
    }
}

/// Shows in a kernel without assertions that two terms are equal, if it succeeds. With `is_first` the axioms
/// of arrays are not used.
pub(crate) fn prove_equal(
    out: &mut Recorder,
    a: Term,
    b: Term,
    division: Division,
    (conflicts, is_first): (u64, bool),
    stop: &Stop,
) -> Result<Outcome, String> {
    if out.kernel.equal(a, b) || out.polynomial(a, b).is_ok() || is_identity(out, a) {
        return Ok(Outcome::of(out.kernel.equal(a, b)));
    }
    if remainder::is_rest(&mut out.kernel.terms, a, b) {
        return remainder::show_rests(out, &[a], stop).map(|()| Outcome::Proved);
    }
    if division == Division::Cases {
        return by_cases(out, a, b, conflicts, stop);
    }
    let has_bits = out.kernel.terms.bits(a).is_some();
    let has_arrays = mentions_arrays(&out.kernel.terms, &[a, b]);
    if has_bits && !has_arrays {
        return by_bits(out, a, b, division, conflicts, stop);
    }
    if has_bits && is_first {
        // Most rules need nothing of the arrays; that they are axioms of it is tried after all forms.
        return Ok(match by_bits(out, a, b, division, conflicts, stop)? {
            Outcome::Proved => Outcome::Proved,
            Outcome::Refuted | Outcome::Open => Outcome::Open,
        });
    }
    let equation = out.kernel.terms.mk(Op::Eq, &[a, b])?;
    if lemma::show(out, &[(equation, true)], instances::FOR_THEOREM).is_err() {
        return Ok(Outcome::Refuted);
    }
    out.split(equation)?;
    Ok(Outcome::of(out.kernel.equal(a, b)))
}

/// Shows that an equation is true because its sides are one polynomial.
fn is_identity(out: &mut Recorder, equation: Term) -> bool {
    let &[a, b] = out.kernel.terms.args(equation) else { return false };
    let is_arithmetic = out.kernel.terms.op(equation) == Op::Eq && out.kernel.terms.width(a).is_some();
    is_arithmetic && out.polynomial(a, b).is_ok() && out.equation(equation).is_ok()
}

/// Products, quotients and remainders of so many bits are worth a distinction of cases.
const WIDE: u32 = 16;

/// So are other words of so many bits.
const WIDE_WORD: u32 = 32;

/// Conditions that cases are distinguished by.
const MOST_CONDITIONS: usize = 4;

/// The conditions of choices, if there are some, but few, and if there are wide words.
pub(crate) fn conditions(terms: &Terms, roots: &[Term], variables: &[Term]) -> Option<Vec<Term>> {
    let (mut found, mut is_wide) = (vec![], false);
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || variables.contains(&term) {
            continue;
        }
        let args = terms.args(term);
        match terms.op(term) {
            Op::Ite if !found.contains(&args[0]) => found.push(args[0]),
            Op::BvMul | Op::BvUdiv | Op::BvUrem => is_wide |= terms.width(term) >= Some(WIDE),
            _ => is_wide |= terms.width(term) >= Some(WIDE_WORD),
        }
        stack.extend_from_slice(args);
    }
    (is_wide && (1..=MOST_CONDITIONS).contains(&found.len())).then_some(found)
}

/// Shows an equation in each case of the conditions of its choices. The sides have free bits: circuits of
/// products say nothing that is needed here.
fn by_cases(out: &mut Recorder, a: Term, b: Term, conflicts: u64, stop: &Stop) -> Result<Outcome, String> {
    let Some(conditions) = conditions(&out.kernel.terms, &[a, b], &[]) else { return Ok(Outcome::Open) };
    let mut remainders = division::divisions(&out.kernel.terms, &[a, b], &[]);
    remainders.retain(|&term| out.kernel.terms.op(term) == Op::BvUrem && term != a && term != b);
    if division::are_few(&remainders) {
        remainder::show_rests(out, &remainders, stop)?;
    }
    for side in [a, b] {
        // Arrays have no bits.
        if !out.kernel.terms.is_value(side) && out.free_bits(side).is_err() {
            return Ok(Outcome::Open);
        }
    }
    let equation = out.kernel.terms.mk(Op::Eq, &[a, b])?;
    let mut clauses = vec![];
    for case in 0..1usize << conditions.len() {
        let mut literals: Vec<(Term, bool)> =
            conditions.iter().enumerate().map(|(place, &term)| (term, case >> place & 1 == 1)).collect();
        literals.push((equation, true));
        let Ok(number) = lemma::show_by_closure(out, &literals) else { return Ok(Outcome::Open) };
        clauses.push((instances::bits(out, &literals)?, number));
    }
    match refute_negation(out, equation, &[], &clauses, conflicts, stop)? {
        Outcome::Proved => Ok(Outcome::Proved),
        // A model with free bits says nothing.
        Outcome::Refuted | Outcome::Open => Ok(Outcome::Open),
    }
}

/// Cells of products and quotients in a proof by circuits. Beyond the width of a few hundred bits only what
/// has one circuit is proved, and that is found where the product is a variable.
const MOST_CELLS: u64 = 1 << 16;

/// Whether the circuits of terms are small enough to prove something by clauses.
fn are_small(terms: &Terms, roots: &[Term], division: Division) -> bool {
    let (mut all, mut seen, mut stack) = (0, FxHashSet::default(), roots.to_vec());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            let is_free = match division {
                Division::Products | Division::Compared => true,
                Division::Facts => terms.op(term) != Op::BvMul,
                Division::Cases | Division::Circuits => false,
            };
            all += if is_free { 0 } else { cells(terms, term) };
            stack.extend_from_slice(terms.args(term));
        }
    }
    all <= MOST_CELLS
}

fn by_bits(
    out: &mut Recorder,
    a: Term,
    b: Term,
    division: Division,
    conflicts: u64,
    stop: &Stop,
) -> Result<Outcome, String> {
    if !are_small(&out.kernel.terms, &[a, b], division) || stop.asked().is_some() {
        return Ok(Outcome::Open);
    }
    let Ok(facts) = division::free(out, &[a, b], division) else { return Ok(Outcome::Open) };
    if out.bits(a)? == out.bits(b)? {
        return out.same_bits(a, b).map(|()| Outcome::Proved);
    }
    let equation = out.kernel.terms.mk(Op::Eq, &[a, b])?;
    let steps = match out.kernel.value(b) == Some(out.kernel.terms.truth(true)) {
        true => order::of_low_bits(&mut out.kernel.terms, a)?,
        false => vec![],
    };
    refute_negation(out, equation, &steps, &facts, conflicts, stop)
}

/// Shows an equation by clauses: its circuit, and others with their numbers. Each of the steps is true, and
/// easy after the ones before.
pub(crate) fn refute_negation(
    out: &mut Recorder,
    equation: Term,
    steps: &[Term],
    clauses: &[(Vec<Lit>, u64)],
    conflicts: u64,
    stop: &Stop,
) -> Result<Outcome, String> {
    let bit = out.bits(equation)?[0];
    let mut true_bits = vec![];
    for &step in steps {
        true_bits.push(out.bits(step)?[0]);
    }
    let mut sat = Sat::new(Problem::Small, stop).ok_or("no SAT backend tells its reasons")?;
    let gates = out.kernel.gates();
    clauses.iter().for_each(|(clause, number)| sat.add(gates, clause, *number));
    for step in true_bits.into_iter().filter(|&bit| bit != TRUE) {
        match sat.solve(gates, &[!step], Some(conflicts)) {
            SatResult::Unsat => {}
            SatResult::Sat => break,
            SatResult::Unknown(_) => return Ok(Outcome::Open),
        }
    }
    match sat.solve(gates, &[!bit], Some(conflicts)) {
        SatResult::Unsat => {}
        SatResult::Sat => return Ok(Outcome::Refuted),
        SatResult::Unknown(_) => return Ok(Outcome::Open),
    }
    let proof = sat.proof(gates, &[])?;
    let mut clause = proof.write(out, Some)?;
    if proof.ends_empty() {
        clause = out.derive(&[bit], &[Name::Stored(clause)])?;
    }
    out.truth(equation, clause)?;
    out.split(equation)?;
    Ok(Outcome::Proved)
}

/// Does a term below these have no bits?
fn mentions_arrays(terms: &Terms, roots: &[Term]) -> bool {
    let mut stack = roots.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if terms.bits(term).is_none() || matches!(terms.op(term), Op::Select) {
            return true;
        }
        if seen.insert(term) {
            stack.extend_from_slice(terms.args(term));
        }
    }
    false
}
