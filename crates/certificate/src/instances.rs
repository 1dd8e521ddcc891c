//! Lemmas whose premises need arithmetic or many cases, shown by a search over simple ones.
//!
//! Congruence closure knows no carries. So where it does not show a lemma, the instances of the axioms are
//! written as clauses of their own (what a read of a written array is if the indices are equal, and if they
//! are not; equal arguments make equal results), each of which the closure shows, and a SAT solver refutes
//! them together with the circuits of indices and elements.
//!
//! Equations of arrays that are only conclusions of instances say what their elements are, but no instance
//! asks whether they are true. So at first they have no index at which their sides differ: arrays of arrays
//! could have instances without end. If that does not suffice, they have one.
//!
//! Cost: quadratic in the reads and applications of the lemma, which are few.

use crate::lemma;
use crate::recorder::Recorder;
use crate::sat::{Problem, Sat};
use bivalve_checker::gate::Lit;
use bivalve_checker::term::{Op, Sort, SortKind, Term};
use bivalve_limits::Stop;
use bivalve_sat_adapter::SatResult;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Instances of axioms that a lemma may take.
pub(crate) const FOR_LEMMA: usize = 20_000;

/// Instances that a theorem may take, of which several are tried for one rule.
pub(crate) const FOR_THEOREM: usize = 1_000;

/// Conflicts that a lemma may take.
const CONFLICTS: u64 = 50_000;

/// How often reads at all indices are added.
const ROUNDS: usize = 4;

/// Arrays of arrays, so many times, have values.
const MOST_NESTING: usize = 3;

type Clause = Vec<(Term, bool)>;

/// Shows that one of the literals has its truth value, by instances of axioms; gives the number of a clause
/// of some of the literals. There are no more than `most` instances.
pub(crate) fn show(out: &mut Recorder, literals: &[(Term, bool)], most: usize) -> Result<u64, String> {
    let mut why = String::new();
    for extent in [Extent::Premises, Extent::Equations, Extent::Arrays] {
        let known = Instances { extent, most, ..Instances::default() };
        match known.refute(out, literals) {
            Ok(clause) => return Ok(clause),
            Err(failure) => why = failure,
        }
    }
    Err(why)
}

/// Which instances there are beyond those that every lemma has.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Extent {
    /// None.
    #[default]
    Premises,
    /// An index at which the sides differ for every equation of arrays.
    Equations,
    /// Reads at values that are arrays.
    Arrays,
}

/// Instances of the axioms about the reads, applications and equations of a lemma, and about the reads that
/// these mention.
#[derive(Default)]
struct Instances {
    terms: Vec<Term>,
    seen: FxHashSet<Term>,
    /// So many of the terms have their instances.
    done: usize,
    /// Terms of the lemma, and premises of instances.
    questions: Vec<Term>,
    /// So many of them were looked at.
    asked: usize,
    /// Equations of arrays that have an index at which the sides differ.
    apart: FxHashSet<Term>,
    clauses: Vec<Clause>,
    extent: Extent,
    /// Instances that there may be.
    most: usize,
}

impl Instances {
    /// Adds instances until they show a clause of these literals.
    fn refute(mut self, out: &mut Recorder, literals: &[(Term, bool)]) -> Result<u64, String> {
        literals.iter().for_each(|&(term, _)| self.take_in(out, term));
        self.questions.clone_from(&self.terms);
        self.of_terms(out)?;
        if let Some(clause) = self.search(out, literals)? {
            return Ok(clause);
        }
        // What is written into constant arrays, and elements that are arrays, take more than a round.
        let mut more = vec![];
        for _ in 0..ROUNDS {
            self.of_all_indices(out, &more)?;
            self.of_terms(out)?;
            if let Some(clause) = self.search(out, literals)? {
                return Ok(clause);
            }
            more = self.unwritten(out)?;
        }
        Err("a lemma does not follow".into())
    }

    /// The terms below a term that are new.
    fn take_in(&mut self, out: &Recorder, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.seen.insert(term) {
                self.terms.push(term);
                stack.extend_from_slice(out.kernel.terms.args(term));
            }
        }
    }

    /// Instances for the terms that have none yet.
    fn of_terms(&mut self, out: &mut Recorder) -> Result<(), String> {
        loop {
            let before = self.clauses.len();
            if let Some(&term) = self.terms.get(self.done) {
                let args = out.kernel.terms.args(term).to_vec();
                self.questions.extend((self.extent == Extent::Equations).then_some(term));
                if out.kernel.terms.op(term) == Op::Select {
                    read(out, term, &args, &mut self.clauses)?;
                }
                if matches!(out.kernel.terms.op(term), Op::Select | Op::Apply(_)) {
                    let earlier = &self.terms[..self.done];
                    congruences(out, term, earlier, &mut self.clauses, &mut self.questions)?;
                }
                self.done += 1;
            } else if let Some(&term) = self.questions.get(self.asked) {
                let args = out.kernel.terms.args(term).to_vec();
                let is_of_arrays = out.kernel.terms.op(term) == Op::Eq && is_array(out, args[0]);
                if is_of_arrays && self.apart.insert(term) {
                    witness(out, term, &args, &mut self.clauses)?;
                }
                self.asked += 1;
            } else {
                return Ok(());
            }
            self.take_in_from(out, before)?;
        }
    }

    fn take_in_from(&mut self, out: &Recorder, clause: usize) -> Result<(), String> {
        let new: Vec<Term> = self.clauses[clause..].iter().flatten().map(|&(term, _)| term).collect();
        new.into_iter().for_each(|term| self.take_in(out, term));
        match self.clauses.len() > self.most {
            true => Err("a lemma needs too many instances".into()),
            false => Ok(()),
        }
    }

    /// The indices of all accesses with one of these operators.
    fn indices(&self, out: &Recorder, accesses: &[Op]) -> Vec<Term> {
        let is_access = |term: &&Term| accesses.contains(&out.kernel.terms.op(**term));
        let found = self.terms.iter().filter(is_access);
        let mut indices: Vec<Term> = found.map(|&term| out.kernel.terms.args(term)[1]).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// Values at one of which nothing is written, or all values there are: what is written into constant
    /// arrays leaves them as they were elsewhere.
    fn unwritten(&self, out: &mut Recorder) -> Result<Vec<Term>, String> {
        if !self.terms.iter().any(|&term| matches!(out.kernel.terms.op(term), Op::ConstArray(_))) {
            return Ok(vec![]);
        }
        let mut counts: IndexMap<Sort, u64, FxBuildHasher> = IndexMap::default();
        for index in self.indices(out, &[Op::Store]) {
            *counts.entry(out.kernel.terms.sort_of(index)).or_default() += 1;
        }
        let mut found = vec![];
        for (sort, count) in counts {
            if self.extent == Extent::Arrays || !matches!(out.kernel.terms.kind(sort), SortKind::Array(..)) {
                values_of(out, sort, count + 1, MOST_NESTING, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Reads of all written arrays and all sides of equations, at all indices, and at some more.
    fn of_all_indices(&mut self, out: &mut Recorder, more: &[Term]) -> Result<(), String> {
        let indices = [&self.indices(out, &[Op::Select, Op::Store]), more].concat();
        let before = self.clauses.len();
        for term in self.terms.clone() {
            let args = out.kernel.terms.args(term).to_vec();
            let op = out.kernel.terms.op(term);
            for &index in &indices {
                // Terms of other sorts are no indices.
                if op == Op::Store {
                    if let Ok(read) = out.kernel.terms.mk(Op::Select, &[term, index]) {
                        self.take_in(out, read);
                    }
                } else if op == Op::Eq
                    && let Ok(left) = out.kernel.terms.mk(Op::Select, &[args[0], index])
                    && let Ok(right) = out.kernel.terms.mk(Op::Select, &[args[1], index])
                {
                    let same = equal(out, left, right)?;
                    self.clauses.push(vec![(term, false), (same, true)]);
                }
            }
        }
        self.take_in_from(out, before)
    }

    /// Do the instances refute the negated literals?
    fn search(&self, out: &mut Recorder, literals: &[(Term, bool)]) -> Result<Option<u64>, String> {
        let mut sat =
            Sat::<u64>::new(Problem::Small, &Stop::new()).ok_or("no SAT backend tells its reasons")?;
        let mut clauses = vec![];
        for instance in &self.clauses {
            let number = lemma::show_by_closure(out, instance)?;
            clauses.push((number, bits(out, instance)?));
        }
        let negated: Vec<Lit> = bits(out, literals)?.into_iter().map(|lit| !lit).collect();
        let gates = out.kernel.gates();
        for (number, clause) in clauses {
            sat.add(gates, &clause, number);
        }
        match sat.solve(gates, &negated, Some(CONFLICTS)) {
            SatResult::Unsat => sat.proof(gates, &[])?.write(out, Some).map(Some),
            _ => Ok(None),
        }
    }
}

/// Adds so many different values of a sort, or all there are, and for arrays the indices at which they
/// differ. Declared sorts have none that are known, nor have arrays of arrays of ever more arrays.
fn values_of(
    out: &mut Recorder,
    sort: Sort,
    most: u64,
    nesting: usize,
    found: &mut Vec<Term>,
) -> Result<(), String> {
    match out.kernel.terms.kind(sort) {
        SortKind::Bool => found.extend([false, true].map(|value| out.kernel.terms.truth(value))),
        SortKind::BitVec(width) => {
            let all = 1u64.checked_shl(width).unwrap_or(u64::MAX);
            for number in 0..all.min(most) {
                found.push(out.kernel.terms.value(width, number.into())?);
            }
        }
        SortKind::Array(index, element) if nesting > 0 => {
            let (mut indices, mut elements) = (vec![], vec![]);
            values_of(out, element, most, nesting - 1, &mut elements)?;
            elements.retain(|&term| out.kernel.terms.sort_of(term) == element);
            // So many indices make more arrays than are asked for, if there are two elements.
            values_of(out, index, u64::from(most.ilog2()) + 1, nesting - 1, &mut indices)?;
            found.extend_from_slice(&indices);
            indices.retain(|&term| out.kernel.terms.sort_of(term) == index);
            let Some((&first, others)) = elements.split_first().filter(|_| !indices.is_empty()) else {
                return Ok(());
            };
            let mut arrays = vec![out.kernel.terms.mk(Op::ConstArray(sort), &[first])?];
            for index in indices {
                for array in arrays.clone() {
                    for &other in others.iter().take((most as usize).saturating_sub(arrays.len())) {
                        arrays.push(out.kernel.terms.mk(Op::Store, &[array, index, other])?);
                    }
                }
            }
            found.extend(arrays);
        }
        SortKind::Array(..) | SortKind::Declared(_) => {}
        SortKind::Float(_) | SortKind::Mode | SortKind::Real | SortKind::Record(_) => {}
    }
    Ok(())
}

fn is_array(out: &Recorder, term: Term) -> bool {
    matches!(out.kernel.terms.kind_of(term), SortKind::Array(..))
}

/// The literals of bits that say what literals of terms say.
pub(crate) fn bits(out: &mut Recorder, literals: &[(Term, bool)]) -> Result<Vec<Lit>, String> {
    literals.iter().map(|&(term, value)| Ok(out.bits(term)?[0].flip(!value))).collect()
}

fn equal(out: &mut Recorder, a: Term, b: Term) -> Result<Term, String> {
    out.kernel.terms.mk(Op::Eq, &[a, b])
}

/// What a read is, by the form of its array.
fn read(out: &mut Recorder, read: Term, args: &[Term], result: &mut Vec<Clause>) -> Result<(), String> {
    let parts = out.kernel.terms.args(args[0]).to_vec();
    let mut case =
        |out: &mut Recorder, condition: Option<(Term, bool)>, array: Option<Term>, element: Option<Term>| {
            let element = match (array, element) {
                (Some(array), _) => out.kernel.terms.mk(Op::Select, &[array, args[1]])?,
                (None, Some(element)) => element,
                (None, None) => return Ok(()),
            };
            let same = equal(out, read, element)?;
            result.push(condition.into_iter().chain([(same, true)]).collect());
            Ok::<(), String>(())
        };
    match out.kernel.terms.op(args[0]) {
        Op::Store => {
            let same = equal(out, parts[1], args[1])?;
            case(out, Some((same, false)), None, Some(parts[2]))?;
            case(out, Some((same, true)), Some(parts[0]), None)
        }
        Op::ConstArray(_) => case(out, None, None, Some(parts[0])),
        Op::Ite => {
            case(out, Some((parts[0], false)), Some(parts[1]), None)?;
            case(out, Some((parts[0], true)), Some(parts[2]), None)
        }
        _ => Ok(()),
    }
}

/// Equal arguments make equal results.
fn congruences(
    out: &mut Recorder,
    term: Term,
    earlier: &[Term],
    result: &mut Vec<Clause>,
    premises: &mut Vec<Term>,
) -> Result<(), String> {
    let args = out.kernel.terms.args(term).to_vec();
    for &other in earlier {
        let twins = out.kernel.terms.args(other).to_vec();
        let is_read = out.kernel.terms.op(term) == Op::Select;
        if out.kernel.terms.op(other) != out.kernel.terms.op(term) || (is_read && args[0] != twins[0]) {
            continue;
        }
        let mut clause = vec![];
        for (&x, &y) in args.iter().zip(&twins).filter(|(x, y)| x != y) {
            clause.push((equal(out, x, y)?, false));
        }
        premises.extend(clause.iter().map(|&(premise, _)| premise));
        clause.push((equal(out, term, other)?, true));
        result.push(clause);
    }
    Ok(())
}

/// Arrays that are not equal differ at the witness.
fn witness(
    out: &mut Recorder,
    equation: Term,
    sides: &[Term],
    result: &mut Vec<Clause>,
) -> Result<(), String> {
    let witness = out.witness(equation)?;
    let left = out.kernel.terms.mk(Op::Select, &[sides[0], witness])?;
    let right = out.kernel.terms.mk(Op::Select, &[sides[1], witness])?;
    result.push(vec![(equation, true), (equal(out, left, right)?, false)]);
    Ok(())
}
