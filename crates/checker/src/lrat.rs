//! The clausal part of a proof as DIMACS CNF and LRAT, for other checkers to look at.
//!
//! A [`Trace`] keeps each stored clause; if it was derived, with the hints that forced a literal or were
//! violated. At the end of a proof, what its *conclusions* need is marked backwards. Conclusions are the
//! empty clause, and derived clauses that other rules have read (`truth`, `relation`). Clauses of gates, and
//! stored ones that other rules gave, are the formula, numbered from 1; derived clauses follow as additions.
//! If none is empty, a last clause of the formula is the claim, negated: what `truth` has read does not all
//! hold.
//!
//! Why it is right: [`Clauses::follows`](crate::clause::Clauses::follows) is unit propagation along hints as
//! LRAT has it (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, CADE 2017), but that it passes over
//! satisfied hints, which are not kept here. Variables keep their numbers. The constant, variable 0, is left
//! out: a clause with a true literal is satisfied wherever it is a hint, so it is never needed.
//!
//! Cost: time and memory linear in clauses and hints; without a trace, a comparison for each.

use crate::clause::Name;
use crate::gate::{FALSE, Gate, Gates, Lit};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Clauses, and what they were derived from.
#[derive(Clone, Default)]
pub struct Trace {
    /// By number: the clause, the rule that gave it, and where its hints end.
    clauses: Vec<(Box<[Lit]>, &'static str, usize)>,
    /// The hints of all clauses, one after the other.
    hints: Vec<Name>,
    /// The clauses that other rules have read; as a truth value?
    read: Vec<(usize, bool)>,
}

/// The clausal part of a proof, as two files.
pub struct Refutation {
    /// The proof: `check-0`, `theorem-3`.
    pub name: String,
    /// The number of clauses of the formula.
    pub inputs: usize,
    /// The number of clauses that are derived.
    pub derived: usize,
    /// The formula, in DIMACS CNF; comments say where its clauses come from.
    pub cnf: String,
    /// The derivation, in LRAT; it ends in the empty clause.
    pub lrat: String,
}

impl Trace {
    /// A hint forced a literal, or is violated.
    pub fn hint(&mut self, hint: Name) {
        self.hints.push(hint);
    }

    /// A rule stores a clause. The hints since the last clause are those that it is derived by.
    pub fn push(&mut self, clause: &[Lit], rule: &'static str) {
        self.clauses.push((clause.into(), rule, self.hints.len()));
    }

    /// Another rule reads a stored clause.
    pub fn read(&mut self, number: u64, is_truth: bool) {
        self.read.push((number as usize, is_truth));
    }

    /// The hints of a clause; none if it is not derived, or true by itself.
    fn hints(&self, number: usize) -> &[Name] {
        let start = number.checked_sub(1).map_or(0, |before| self.clauses[before].2);
        &self.hints[start..self.clauses[number].2]
    }

    /// The clausal part of a proof; `None` if no conclusion was derived.
    pub fn refutation(&self, name: String, gates: &Gates) -> Option<Refutation> {
        let empty = self.clauses.iter().position(|(clause, ..)| literals(clause).is_empty());
        let end = empty.map_or(self.clauses.len(), |empty| empty + 1);
        let is_derived = |number: usize| number < end && !self.hints(number).is_empty();
        let read = self.read.iter().filter(|&&(number, _)| is_derived(number));
        // By literal: a clause that is this literal; one of two that are opposites.
        let mut truths = BTreeMap::new();
        for &(number, _) in read.clone().filter(|read| read.1) {
            let lit = literals(&self.clauses[number].0).first().copied();
            truths.extend(lit.filter(|lit| !truths.contains_key(&-lit)).map(|lit| (lit, number)));
        }
        let is_refuted = empty.map_or(!truths.is_empty(), is_derived);
        if !is_refuted {
            return None;
        }
        let (stored, of_gates) = self.needed(end, read.map(|read| read.0).chain(empty), gates);
        let mut files = Files::default();
        for number in (0..end).filter(|&number| stored[number] && !is_derived(number)) {
            let (clause, rule, _) = &self.clauses[number];
            let origin = format!("clause {number} of the certificate, by {rule}");
            files.input(Some(Name::Stored(number as u64)), literals(clause), &origin);
        }
        for (var, clauses) in (0..).zip(of_gates) {
            for number in (0..u8::BITS).filter(|number| clauses >> number & 1 == 1) {
                let origin = format!("{var} = {}", describe(gates.gate_of(var)));
                files.input(Some(Name::Gate(var, number)), literals(&gates.clause(var, number)?), &origin);
            }
        }
        if empty.is_none() {
            files.input(None, truths.keys().map(|lit| -lit).collect(), "the claim, negated");
        }
        let claim = files.clauses;
        for number in (0..end).filter(|&number| stored[number] && is_derived(number)) {
            let hints: Vec<i64> = self.hints(number).iter().map(|hint| files.numbers[hint]).collect();
            files.addition(Some(Name::Stored(number as u64)), literals(&self.clauses[number].0), hints);
        }
        if empty.is_none() {
            let truths = truths.values().map(|&number| files.numbers[&Name::Stored(number as u64)]);
            let hints = truths.chain([claim]).collect();
            files.addition(None, vec![], hints);
        }
        Some(files.finish(name, claim))
    }

    /// The first clauses that are needed for conclusions among them; and, by variable, the clauses of its
    /// gate, as bits.
    fn needed(
        &self,
        end: usize,
        conclusions: impl Iterator<Item = usize>,
        gates: &Gates,
    ) -> (Vec<bool>, Vec<u8>) {
        let (mut stored, mut of_gates) = (vec![false; end], vec![0; gates.len()]);
        conclusions.for_each(|number| stored[number] = true);
        for number in (0..end).rev() {
            let hints = if stored[number] { self.hints(number) } else { &[] };
            for &hint in hints {
                match hint {
                    Name::Stored(number) => stored[number as usize] = true,
                    Name::Gate(var, number) => of_gates[var as usize] |= 1 << number,
                }
            }
        }
        (stored, of_gates)
    }
}

/// The literals of a clause in DIMACS, each once, without the constant.
fn literals(clause: &[Lit]) -> Vec<i64> {
    let number = |lit: Lit| if lit.is_negated() { -i64::from(lit.var()) } else { i64::from(lit.var()) };
    let mut numbers: Vec<i64> = clause.iter().filter(|&&lit| lit != FALSE).map(|&lit| number(lit)).collect();
    numbers.sort_unstable_by_key(|number| (number.abs(), *number));
    numbers.dedup();
    numbers
}

/// Each number and a blank.
fn words(numbers: &[i64]) -> String {
    let append = |mut text: String, number: &i64| {
        let _ = write!(text, "{number} ");
        text
    };
    numbers.iter().fold(String::new(), append)
}

/// What a gate is, in words.
fn describe(gate: Gate) -> String {
    let (word, inputs) = match gate {
        Gate::Free => ("free", vec![]),
        Gate::And(a, b) => ("and", vec![a, b]),
        Gate::Xor(a, b) => ("xor", vec![a, b]),
        Gate::Mux(c, a, b) => ("choice", vec![c, a, b]),
        Gate::Maj(a, b, c) => ("majority", vec![a, b, c]),
    };
    let inputs: String =
        inputs.iter().map(|&lit| format!(" {}", words(&literals(&[lit])).trim_end())).collect();
    format!("{word}{inputs}")
}

/// The files while they are written.
#[derive(Default)]
struct Files {
    origins: String,
    formula: String,
    lrat: String,
    /// The number of the last clause.
    clauses: i64,
    numbers: FxHashMap<Name, i64>,
    /// The largest variable.
    largest: i64,
}

impl Files {
    /// The next clause; gives its literals as text.
    fn clause(&mut self, name: Option<Name>, clause: &[i64]) -> String {
        self.clauses += 1;
        self.numbers.extend(name.map(|name| (name, self.clauses)));
        self.largest = clause.iter().fold(self.largest, |largest, lit| largest.max(lit.abs()));
        words(clause) + "0"
    }

    fn input(&mut self, name: Option<Name>, clause: Vec<i64>, origin: &str) {
        let text = self.clause(name, &clause);
        self.formula += &format!("{text}\n");
        self.origins += &format!("c {}: {origin}\n", self.clauses);
    }

    fn addition(&mut self, name: Option<Name>, clause: Vec<i64>, hints: Vec<i64>) {
        let text = self.clause(name, &clause);
        self.lrat += &format!("{} {text} {}0\n", self.clauses, words(&hints));
    }

    fn finish(self, name: String, inputs: i64) -> Refutation {
        let Files { origins, formula, lrat, clauses, largest, .. } = self;
        let head = format!("c the clauses of {name} that are not derived, and where they come from");
        Refutation {
            cnf: format!("{head}\n{origins}p cnf {largest} {inputs}\n{formula}"),
            name,
            inputs: inputs as usize,
            derived: (clauses - inputs) as usize,
            lrat,
        }
    }
}
