//! The clauses of gates that a SAT solver is given.
//!
//! Only gates below what is asked for have clauses, inputs before what reads them: CaDiCaL is faster with
//! them in that order. A conjunction whose inputs are conjunctions that nothing else reads is one of many
//! inputs, so that the inner ones are no variables of the solver. A carry is a choice by the exclusive or of
//! two of its inputs, which the sum bit beside it has as well. The clauses of such definitions follow from
//! those of the gates by unit propagation; where a refutation uses one, it is derived from them first
//! ([`hints`]).
//!
//! Cost: linear in the gates. Exclusive ors of three inputs were tried, and lost.

use bivalve_checker::clause::Name;
use bivalve_checker::gate::{Gate, Gates, Lit};
use rustc_hash::FxHashMap;

/// A conjunction has at most so many inputs; finding the hints of a clause is quadratic in the worst case.
const MOST_INPUTS: usize = 32;

/// A clause, and what it is made of.
pub(crate) enum Made<'a> {
    /// The clause of this number that defines a gate.
    Gate(u32, u32),
    /// It follows from the definitions of these gates, inner ones first.
    Joined(&'a [u32]),
}

/// Which gates have clauses.
#[derive(Default)]
pub(crate) struct Definitions {
    /// By variable: how many gates read it.
    readers: Vec<u32>,
    /// The gates below this number are counted in `readers`.
    counted: u32,
    is_defined: Vec<bool>,
    /// The exclusive ors, by their inputs.
    parities: FxHashMap<(Lit, Lit), u32>,
}

impl Definitions {
    /// Emits the clauses of the gates at and below these literals that have none yet, inputs first. Ends
    /// early, and says so by `false`, once `goes_on` says no.
    pub(crate) fn define(
        &mut self,
        gates: &Gates,
        roots: &[Lit],
        emit: &mut dyn FnMut(&[Lit], Made<'_>),
        goes_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        self.count(gates);
        let mut stack: Vec<u32> = roots.iter().map(|root| root.var()).collect();
        let (mut new, mut inputs, mut inner) = (vec![], vec![], vec![]);
        while let Some(var) = stack.pop() {
            if var > 0 && !std::mem::replace(&mut self.is_defined[var as usize], true) {
                if !goes_on() {
                    return false;
                }
                new.push(var);
                self.inputs(gates, var, &mut inputs, &mut inner);
                stack.extend(inputs.iter().map(|input| input.var()));
            }
        }
        new.sort_unstable();
        for var in new {
            if !goes_on() {
                return false;
            }
            self.inputs(gates, var, &mut inputs, &mut inner);
            if inner.is_empty() {
                for number in 0..gates.clauses_of(var) {
                    if let Some(clause) = gates.clause(var, number) {
                        emit(distinct(&clause), Made::Gate(var, number));
                    }
                }
                continue;
            }
            inner.reverse();
            inner.push(var);
            let output = Lit::from_code(var << 1);
            match gates.gate_of(var) {
                Gate::And(..) => {
                    conjunction(output, &inputs, &mut |clause| emit(clause, Made::Joined(&inner)))
                }
                _ => choice(output, &inputs, &mut |clause| emit(clause, Made::Joined(&inner))),
            }
        }
        true
    }

    /// What a gate is defined over, and the gates that it is defined through, outer ones first.
    fn inputs(&self, gates: &Gates, var: u32, inputs: &mut Vec<Lit>, inner: &mut Vec<u32>) {
        inner.clear();
        inputs.clear();
        match gates.gate_of(var) {
            Gate::Free => {}
            Gate::And(a, b) => self.inputs_of_conjunction(gates, [a, b], inputs, inner),
            Gate::Xor(a, b) => inputs.extend([a, b]),
            Gate::Mux(a, b, c) => inputs.extend([a, b, c]),
            Gate::Maj(a, b, c) => self.inputs_of_carry([a, b, c], inputs, inner),
        }
    }

    /// Takes gates without clauses for defined; gives those that were not.
    pub(crate) fn close(&mut self, gates: &Gates, literals: &[Lit]) -> Vec<Lit> {
        self.count(gates);
        let is_defined = &mut self.is_defined;
        let is_new =
            |lit: &Lit| lit.var() > 0 && !std::mem::replace(&mut is_defined[lit.var() as usize], true);
        literals.iter().copied().filter(is_new).collect()
    }

    /// Takes such gates for what they are.
    pub(crate) fn open(&mut self, closed: &[Lit]) {
        closed.iter().for_each(|lit| self.is_defined[lit.var() as usize] = false);
    }

    /// Counts the readers of variables in gates that are new.
    fn count(&mut self, gates: &Gates) {
        let len = gates.len();
        self.readers.resize(len, 0);
        self.is_defined.resize(len, false);
        for var in self.counted..len as u32 {
            if let Gate::Xor(a, b) = gates.gate_of(var) {
                self.parities.insert((a, b), var);
            }
            let (pair, third) = match gates.gate_of(var) {
                Gate::Free => continue,
                Gate::And(a, b) | Gate::Xor(a, b) => ([a, b], None),
                Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => ([a, b], Some(c)),
            };
            pair.into_iter().chain(third).for_each(|input| self.readers[input.var() as usize] += 1);
        }
        self.counted = len as u32;
    }

    /// Whether nothing but one gate needs this variable, as far as is known. If more come to need it later,
    /// it has clauses of its own then.
    fn is_inner(&self, var: u32) -> bool {
        self.readers[var as usize] == 1 && !self.is_defined[var as usize]
    }

    /// The inputs of a conjunction once conjunctions among them are opened, and the gates that were, outer
    /// ones first.
    fn inputs_of_conjunction(
        &self,
        gates: &Gates,
        ends: [Lit; 2],
        inputs: &mut Vec<Lit>,
        inner: &mut Vec<u32>,
    ) {
        let mut stack = ends.to_vec();
        while let Some(lit) = stack.pop() {
            match gates.gate_of(lit.var()) {
                Gate::And(a, b)
                    if !lit.is_negated()
                        && self.is_inner(lit.var())
                        && inputs.len() + stack.len() + 2 <= MOST_INPUTS =>
                {
                    inner.push(lit.var());
                    stack.extend([a, b]);
                }
                _ => inputs.push(lit),
            }
        }
    }

    /// A carry is a choice by the exclusive or of two of its inputs, if there is one: the third input where
    /// they differ, else one of them. Gives that gate as an inner one, or nothing but the inputs.
    fn inputs_of_carry(&self, ends: [Lit; 3], inputs: &mut Vec<Lit>, inner: &mut Vec<u32>) {
        for (x, y, z) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            let (a, b) = (ends[x], ends[y]);
            let (low, high) = (a.flip(a.is_negated()), b.flip(b.is_negated()));
            let pair = if low <= high { (low, high) } else { (high, low) };
            if let Some(&half) = self.parities.get(&pair) {
                let differ = Lit::from_code(half << 1).flip(a.is_negated() != b.is_negated());
                inputs.extend([differ, ends[z], a]);
                inner.push(half);
                return;
            }
        }
        inputs.extend(ends);
    }
}

/// A clause without its repeated last literals.
fn distinct(clause: &[Lit; 4]) -> &[Lit] {
    let count = if clause[1] == clause[2] { 2 } else { 3 };
    &clause[..count]
}

/// The clauses by which `output` is the conjunction.
fn conjunction(output: Lit, inputs: &[Lit], emit: &mut dyn FnMut(&[Lit])) {
    let mut long = vec![output];
    for &input in inputs {
        emit(&[!output, input]);
        long.push(!input);
    }
    emit(&long);
}

/// The clauses by which `output` is the second input where the first is true, else the third.
fn choice(output: Lit, inputs: &[Lit], emit: &mut dyn FnMut(&[Lit])) {
    let &[condition, yes, no] = inputs else { return };
    for (when, then) in [(!condition, yes), (condition, no)] {
        emit(&[!output, when, then]);
        emit(&[output, when, !then]);
    }
    emit(&[!output, yes, no]);
    emit(&[output, !yes, !no]);
}

/// The clauses of gates along which a clause follows by unit propagation; `None` if it does not.
pub(crate) fn hints(gates: &Gates, clause: &[Lit], of: &[u32]) -> Option<Vec<Name>> {
    let mut truths: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
    let mut hints = vec![];
    loop {
        let before = hints.len();
        for &var in of {
            for number in 0..gates.clauses_of(var) {
                let made = gates.clause(var, number)?;
                let mut open = distinct(&made).iter().copied().filter(|&lit| !truths.contains(&!lit));
                match (open.next(), open.next()) {
                    (None, _) => {
                        hints.push(Name::Gate(var, number));
                        return Some(hints);
                    }
                    (Some(unit), None) if !truths.contains(&unit) => {
                        truths.push(unit);
                        hints.push(Name::Gate(var, number));
                    }
                    _ => {}
                }
            }
        }
        if hints.len() == before {
            return None;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use bivalve_checker::budget::Budget;
    use bivalve_checker::clause::Clauses;
    use bivalve_checker::gate::TRUE;
    use std::cell::Cell;

    /// The value of a gate under values of free bits, which come first.
    fn value(gates: &Gates, lit: Lit, values: &[bool]) -> bool {
        let of = |lit| value(gates, lit, values);
        let positive = match gates.gate_of(lit.var()) {
            Gate::Free => lit.var() == 0 || values[lit.var() as usize - 1],
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Mux(a, b, c) => of(if of(a) { b } else { c }),
            Gate::Maj(a, b, c) => [a, b, c].into_iter().filter(|&lit| of(lit)).count() > 1,
        };
        positive != lit.is_negated()
    }

    /// Every clause holds whatever the free bits are, and a joined one follows along its hints.
    #[test]
    fn clauses_hold_and_joined_ones_follow_from_gates() {
        const FREE: usize = 6;
        let mut random = fastrand::Rng::with_seed(7);
        let mut joined = [0; 2];
        for _ in 0..300 {
            let mut gates = Gates::default();
            let mut made: Vec<Lit> = (0..FREE).map(|_| gates.free()).collect();
            for _ in 0..30 {
                let [a, b, c] = [(); 3].map(|()| made[random.usize(..made.len())].flip(random.bool()));
                let added = match random.u32(..5) {
                    0 => gates.xor(a, b),
                    1 => gates.mux(a, b, c),
                    2 => gates.add(a, b, c).1,
                    _ => gates.and(a, b),
                };
                made.push(added);
            }
            let root = *made.last().unwrap();
            let mut definitions = Definitions::default();
            let last = Cell::new(0);
            let mut emit = |clause: &[Lit], of: Made<'_>| {
                let var = match of {
                    Made::Gate(var, _) => var,
                    Made::Joined(of) => *of.last().unwrap(),
                };
                assert!(last.replace(var) <= var, "inputs come first");
                for values in 0..1u32 << FREE {
                    let values: Vec<bool> = (0..FREE).map(|at| values >> at & 1 == 1).collect();
                    assert!(clause.iter().any(|&lit| value(&gates, lit, &values)), "{clause:?}");
                }
                if let Made::Joined(of) = of {
                    let hints = hints(&gates, clause, of).expect("it follows");
                    let follows =
                        Clauses::default().follows(&gates, &Budget::default(), clause, hints.into_iter());
                    assert_eq!(follows, Ok(()), "{clause:?}");
                    let is_carry = matches!(gates.gate_of(*of.last().unwrap()), Gate::Maj(..));
                    joined[usize::from(is_carry)] += 1;
                }
            };
            assert!(definitions.define(&gates, &[root, TRUE], &mut emit, &mut || true));
            last.set(0);
            assert!(
                definitions.define(&gates, &made, &mut emit, &mut || true),
                "inner gates are defined, too"
            );
        }
        assert!(joined.iter().all(|&count| count > 100), "{joined:?}");
    }
}
