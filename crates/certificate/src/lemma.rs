//! Lemmas about arrays, functions and equality, shown by congruence closure.
//!
//! The literals of the lemma are supposed to be false. Then, until nothing changes or there is a
//! contradiction: known truth values are split, equal arguments make equal terms, reads of written, constant
//! and chosen arrays are what they say, arrays that differ do so at an index. Reads are made of every array
//! that is known to be equal to the one that is read. This finds what the refiner of arrays found, since its
//! lemmas are paths of such steps (Brummayer's thesis, section 2.6; Nelson and Oppen 1980 for congruence).
//!
//! Cost: the number of rounds is at most the length of the longest path, and each is linear in the terms of
//! the lemma and the reads made for it.

use crate::encode::is_arithmetic;
use crate::fingerprint::Fingerprints;
use crate::instances;
use crate::recorder::Recorder;
use crate::remainder::resolved;
use bivalve_checker::term::{Op, SortKind, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// More terms than this are not looked at.
const MOST_TERMS: usize = 50_000;

/// More sums than this are not unfolded.
const MOST_SUMS: usize = 40;

/// Shows that one of the literals has its truth value; gives the number of a clause of some of them. There
/// are no more than so many instances of axioms.
///
/// # Errors
///
/// When no contradiction was found.
pub(crate) fn show(out: &mut Recorder, literals: &[(Term, bool)], instances: usize) -> Result<u64, String> {
    if let Some(clause) = refute(out, literals)? {
        return Ok(clause);
    }
    let shown = instances::show(out, literals, instances)?;
    if let [(term, _)] = *literals {
        out.truth(term, shown)?;
    }
    Ok(shown)
}

/// The same by congruence closure alone.
pub(crate) fn show_by_closure(out: &mut Recorder, literals: &[(Term, bool)]) -> Result<u64, String> {
    refute(out, literals)?.ok_or_else(|| "an instance does not follow".into())
}

/// Supposes that the literals are false; the clause that says that they are not, if that is contradictory.
fn refute(out: &mut Recorder, literals: &[(Term, bool)]) -> Result<Option<u64>, String> {
    out.suppose(literals)?;
    let mut closure = Closure::default();
    literals.iter().for_each(|&(term, _)| closure.take_in(out, term));
    closure.close(out)?;
    if !out.kernel.contradictory() && closure.read_everywhere(out)? {
        closure.close(out)?;
    }
    if !out.kernel.contradictory() && (closure.relate_arguments(out)? | closure.unfold_sums(out)?) {
        closure.close(out)?;
    }
    if !out.kernel.contradictory() && closure.resolve_choices(out)? {
        closure.close(out)?;
    }
    if out.kernel.contradictory() {
        return out.discharge().map(Some);
    }
    out.retract()?;
    Ok(None)
}

#[derive(Default)]
struct Closure {
    terms: Vec<Term>,
    seen: FxHashSet<Term>,
    /// Equations of arrays that differ and were given an index.
    apart: FxHashSet<Term>,
    /// Operators whose values were computed.
    evaluated: FxHashSet<Term>,
}

impl Closure {
    /// Looks at a term and what it is made of, down to operators on bits.
    fn take_in(&mut self, out: &Recorder, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.terms.len() >= MOST_TERMS || !self.seen.insert(term) {
                continue;
            }
            self.terms.push(term);
            stack.extend_from_slice(out.kernel.terms.args(term));
        }
    }

    /// Takes steps until nothing changes, or there is a contradiction. Polynomials, which take the longest,
    /// are compared when nothing else is left.
    fn close(&mut self, out: &mut Recorder) -> Result<(), String> {
        while !out.kernel.contradictory() && (self.round(out)? || same_polynomials(out, &self.terms)) {}
        Ok(())
    }

    /// Reads written arrays where they are written, and constant ones at all indices; says whether there is
    /// such a read that was not made before.
    fn read_everywhere(&mut self, out: &mut Recorder) -> Result<bool, String> {
        let before = self.terms.len();
        for term in self.terms.clone() {
            if out.kernel.terms.op(term) == Op::Store {
                let index = out.kernel.terms.args(term)[1];
                let read = out.kernel.terms.mk(Op::Select, &[term, index])?;
                self.take_in(out, read);
            }
        }
        for term in self.terms.clone() {
            let is_constant = matches!(out.kernel.terms.op(term), Op::ConstArray(_));
            // Terms of other sorts are no indices.
            for index in self.terms.clone().into_iter().filter(|_| is_constant) {
                if let Ok(read) = out.kernel.terms.mk(Op::Select, &[term, index]) {
                    self.take_in(out, read);
                }
            }
        }
        Ok(self.terms.len() > before)
    }

    /// Terms that should differ, but are one operator on sums: an equation between the sums may be a true one
    /// in another form. Says whether there is one.
    fn relate_arguments(&mut self, out: &mut Recorder) -> Result<bool, String> {
        let is_equation = |term: &Term| out.kernel.terms.op(*term) == Op::Eq;
        let equations: Vec<Term> = self.terms.iter().copied().filter(is_equation).collect();
        let known: Vec<Term> = equations.iter().copied().filter(|&term| out.kernel.is(term, true)).collect();
        let mut changed = false;
        for &equation in equations.iter().filter(|term| !known.contains(term)) {
            let sides = out.kernel.terms.args(equation).to_vec();
            let [left, right] = [sides[0], sides[1]].map(|side| out.kernel.terms.args(side).to_vec());
            if out.kernel.terms.op(sides[0]) != out.kernel.terms.op(sides[1]) || left.len() != right.len() {
                continue;
            }
            for (x, y) in left.into_iter().zip(right) {
                // The parts of two concatenations may have different widths.
                if !is_sum(out, x, y) || out.kernel.terms.sort_of(x) != out.kernel.terms.sort_of(y) {
                    continue;
                }
                let wanted = out.kernel.terms.mk(Op::Eq, &[x, y])?;
                if known.iter().any(|&known| out.polynomial(known, wanted).is_ok()) {
                    self.take_in(out, wanted);
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// Compares the sides of equations as polynomials, with the branches of choices in their places. Says
    /// whether some are equal.
    fn resolve_choices(&mut self, out: &mut Recorder) -> Result<bool, String> {
        let mut changed = false;
        for equation in self.terms.clone() {
            let terms = &out.kernel.terms;
            let (op, &[a, b]) = (terms.op(equation), terms.args(equation)) else { continue };
            let is_open = op == Op::Eq && terms.width(a).is_some() && !out.kernel.equal(a, b);
            if is_open && (is_sum(out, a, b) || is_choice(out, a) || is_choice(out, b)) {
                let [x, y] = [resolved(out, a)?, resolved(out, b)?];
                if (x, y) != (a, b) && out.polynomial(x, y).is_ok() {
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// Sums of what is equal to a sum, with that in its place, so that their polynomials tell more. Says
    /// whether there are some.
    fn unfold_sums(&mut self, out: &mut Recorder) -> Result<bool, String> {
        let before = self.terms.len();
        let is_sum = |term: &Term| is_arithmetic(out.kernel.terms.op(*term));
        let sums: Vec<Term> = self.terms.iter().copied().filter(is_sum).take(MOST_SUMS).collect();
        for &sum in &sums {
            let args = out.kernel.terms.args(sum).to_vec();
            for (place, &arg) in args.iter().enumerate() {
                for &other in sums.iter().filter(|&&other| other != arg) {
                    if out.kernel.equal(arg, other) {
                        let mut unfolded = args.clone();
                        unfolded[place] = other;
                        let unfolded = out.kernel.terms.mk(out.kernel.terms.op(sum), &unfolded)?;
                        self.take_in(out, unfolded);
                    }
                }
            }
        }
        Ok(self.terms.len() > before)
    }

    /// Takes each step that is possible; says whether something changed.
    fn round(&mut self, out: &mut Recorder) -> Result<bool, String> {
        let mut changed = false;
        let terms = self.terms.clone();
        let arrays = arrays_by_class(out, &terms);
        for &term in &terms {
            if out.kernel.contradictory() {
                return Ok(true);
            }
            changed |= self.step(out, term, &arrays)?;
        }
        changed |= self.read_above(out, &terms)?;
        Ok(congruences(out, &self.terms)? || changed || self.terms.len() > terms.len())
    }

    fn step(
        &mut self,
        out: &mut Recorder,
        term: Term,
        arrays: &FxHashMap<u32, Vec<Term>>,
    ) -> Result<bool, String> {
        let args = out.kernel.terms.args(term).to_vec();
        let (is_true, is_false) = (out.kernel.is(term, true), out.kernel.is(term, false));
        match out.kernel.terms.op(term) {
            Op::Not => {
                let (a, b) = (out.kernel.is(args[0], true), out.kernel.is(args[0], false));
                if (is_true && !b) || (is_false && !a) {
                    return out.split(term).map(|()| true);
                }
                return self.evaluate(out, term, &args);
            }
            Op::And if is_true && !args.iter().all(|&arg| out.kernel.is(arg, true)) => {
                return out.split(term).map(|()| true);
            }
            Op::Or if is_false && !args.iter().all(|&arg| out.kernel.is(arg, false)) => {
                return out.split(term).map(|()| true);
            }
            Op::Eq => return self.equation(out, term, &args),
            Op::Ite => {
                let is_known = out.kernel.value(args[0]).is_some() || out.kernel.equal(args[1], args[2]);
                let chosen = if out.kernel.is(args[0], false) { args[2] } else { args[1] };
                if is_known && !out.kernel.equal(term, chosen) {
                    return out.choose(term).map(|()| true);
                }
            }
            Op::Select => return self.read(out, term, &args, arrays),
            Op::Symbol(_)
            | Op::Apply(_)
            | Op::Store
            | Op::ConstArray(_)
            | Op::Value(_)
            | Op::Forall
            | Op::True
            | Op::False => {}
            _ => return self.evaluate(out, term, &args),
        }
        Ok(false)
    }

    /// An operator whose arguments are known.
    fn evaluate(&mut self, out: &mut Recorder, term: Term, args: &[Term]) -> Result<bool, String> {
        let decisive = match out.kernel.terms.op(term) {
            Op::And => Some(false),
            Op::Or => Some(true),
            _ => None,
        };
        let is_decided = decisive.is_some_and(|truth| args.iter().any(|&arg| out.kernel.is(arg, truth)));
        let is_known = is_decided || args.iter().all(|&arg| out.kernel.value(arg).is_some());
        match is_known && self.evaluated.insert(term) {
            true => out.evaluate(term).map(|()| true),
            false => Ok(false),
        }
    }

    fn equation(&mut self, out: &mut Recorder, term: Term, args: &[Term]) -> Result<bool, String> {
        let kernel = &out.kernel;
        let (is_true, is_false) = (kernel.is(term, true), kernel.is(term, false));
        let is_equal = kernel.equal(args[0], args[1]);
        if is_true && !is_equal {
            return out.split(term).map(|()| true);
        }
        let values = (kernel.value(args[0]), kernel.value(args[1]));
        let is_of_truths = kernel.terms.sort_of(args[0]) == kernel.terms.bool_sort();
        if is_false && is_of_truths && values.0.is_some() != values.1.is_some() {
            return out.split(term).map(|()| true);
        }
        let is_different = matches!(values, (Some(a), Some(b)) if a != b);
        if (is_equal && !is_true) || (is_different && !is_false) {
            return out.equation(term).map(|()| true);
        }
        if !is_equal && !is_false && is_sum(out, args[0], args[1]) && out.equation(term).is_ok() {
            return Ok(true);
        }
        let kernel = &out.kernel;
        let is_of_arrays = matches!(kernel.terms.kind_of(args[0]), SortKind::Array(..));
        if is_false && is_of_arrays && self.apart.insert(term) {
            let index = out.witness(term)?;
            out.differ(term)?;
            let reads = args.iter().map(|&array| out.kernel.terms.mk(Op::Select, &[array, index]));
            let reads = reads.collect::<Result<Vec<Term>, String>>()?;
            let elements = out.kernel.terms.mk(Op::Eq, &reads)?;
            self.take_in(out, elements);
            return Ok(true);
        }
        Ok(false)
    }

    /// A read of an array that is known to be equal to others: it reads each of them.
    fn read(
        &mut self,
        out: &mut Recorder,
        read: Term,
        args: &[Term],
        arrays: &FxHashMap<u32, Vec<Term>>,
    ) -> Result<bool, String> {
        let mut changed = false;
        for &array in arrays.get(&out.kernel.class(args[0])).into_iter().flatten() {
            let twin = out.kernel.terms.mk(Op::Select, &[array, args[1]])?;
            if !self.seen.contains(&twin) {
                self.take_in(out, twin);
                changed = true;
            }
            if !out.kernel.equal(read, twin) {
                out.congruence(read, twin)?;
                changed = true;
            }
        }
        Ok(self.resolve(out, read, args)? || changed)
    }

    /// What is read of an array is read of the arrays that are made of it, too.
    fn read_above(&mut self, out: &mut Recorder, terms: &[Term]) -> Result<bool, String> {
        let mut indices: FxHashMap<u32, Vec<Term>> = FxHashMap::default();
        for &term in terms {
            if let (Op::Select, &[array, index]) = (out.kernel.terms.op(term), out.kernel.terms.args(term)) {
                indices.entry(out.kernel.class(array)).or_default().push(index);
            }
        }
        let before = self.terms.len();
        for &array in terms {
            let args = out.kernel.terms.args(array);
            let is_array = matches!(out.kernel.terms.kind_of(array), SortKind::Array(..));
            let below = match out.kernel.terms.op(array) {
                Op::Store => vec![args[0]],
                Op::Ite if is_array => vec![args[1], args[2]],
                _ => continue,
            };
            for below in below {
                for &index in indices.get(&out.kernel.class(below)).into_iter().flatten() {
                    let read = out.kernel.terms.mk(Op::Select, &[array, index])?;
                    self.take_in(out, read);
                }
            }
        }
        Ok(self.terms.len() > before)
    }

    /// A read of an array whose form is known.
    fn resolve(&mut self, out: &mut Recorder, read: Term, args: &[Term]) -> Result<bool, String> {
        let (array, index) = (args[0], args[1]);
        let parts = out.kernel.terms.args(array).to_vec();
        match out.kernel.terms.op(array) {
            Op::ConstArray(_) if !out.kernel.equal(read, parts[0]) => out.read_constant(read).map(|()| true),
            Op::Store if out.kernel.equal(parts[1], index) => match out.kernel.equal(read, parts[2]) {
                true => Ok(false),
                false => out.read_written(read).map(|()| true),
            },
            Op::Store => {
                let equation = out.kernel.terms.mk(Op::Eq, &[parts[1], index])?;
                self.take_in(out, equation);
                let deeper = out.kernel.terms.mk(Op::Select, &[parts[0], index])?;
                if out.kernel.equal(read, deeper) || !out.kernel.is(equation, false) {
                    return Ok(false);
                }
                out.read_written(read)?;
                self.take_in(out, deeper);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// Is one of the terms made by arithmetic?
fn is_sum(out: &Recorder, a: Term, b: Term) -> bool {
    [a, b].iter().any(|&term| is_arithmetic(out.kernel.terms.op(term)))
}

fn is_choice(out: &Recorder, term: Term) -> bool {
    out.kernel.terms.op(term) == Op::Ite
}

/// Arrays that say something about their elements, by class.
fn arrays_by_class(out: &Recorder, terms: &[Term]) -> FxHashMap<u32, Vec<Term>> {
    let mut arrays: FxHashMap<u32, Vec<Term>> = FxHashMap::default();
    for &term in terms {
        if matches!(out.kernel.terms.kind_of(term), SortKind::Array(..)) {
            arrays.entry(out.kernel.class(term)).or_default().push(term);
        }
    }
    arrays
}

/// Equal arguments make equal terms; says whether something changed.
fn congruences(out: &mut Recorder, terms: &[Term]) -> Result<bool, String> {
    let mut changed = false;
    let mut known: FxHashMap<(Op, Vec<u32>), Term> = FxHashMap::default();
    for &term in terms {
        let op = out.kernel.terms.op(term);
        if out.kernel.terms.args(term).is_empty() {
            continue;
        }
        let mut classes: Vec<u32> =
            out.kernel.terms.args(term).iter().map(|&arg| out.kernel.class(arg)).collect();
        if op.is_commutative() {
            classes.sort_unstable();
        }
        match known.get(&(op, classes.clone())) {
            Some(&twin) if !out.kernel.equal(term, twin) => {
                out.congruence(term, twin)?;
                changed = true;
            }
            Some(_) => {}
            None => {
                known.insert((op, classes), term);
            }
        }
    }
    Ok(changed)
}

/// Sums that are one polynomial are equal; says whether something changed.
fn same_polynomials(out: &mut Recorder, terms: &[Term]) -> bool {
    let (mut fingerprints, mut changed) = (Fingerprints::default(), false);
    for &term in terms {
        if !out.kernel.terms.args(term).is_empty() && is_arithmetic(out.kernel.terms.op(term)) {
            changed |= fingerprints.twin(out, term).is_some_and(|(_, is_new)| is_new);
        }
    }
    changed
}
