//! Words that have the same bits, because their difference is a sum of relations between few bits.
//!
//! A relation says that a sum of bits with weights is 0 modulo `2^w`, as what an adder makes of three bits is
//! their sum. It is looked at for all values of the bits that are its inputs, but for those that a stored
//! clause or a gate excludes; the other bits are what their gates make of the inputs. Relations are added to
//! the difference of two words of `w` bits until nothing is left of it: then the words are equal.
//!
//! Cost of a relation: its size, up to 64 times.

use crate::clause::Clauses;
use crate::gate::{Gate, Gates, Lit, TRUE};
use crate::token::Tokens;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::io::BufRead;

/// More inputs of a relation are refused.
const MOST_INPUTS: usize = 6;

/// Wider words are refused.
const MOST_BITS: usize = 1 << 10;

/// A sum of bits with weights is 0.
#[derive(Clone, Default, Debug)]
pub struct Relation {
    /// Variables.
    pub inputs: Vec<u32>,
    /// Variables whose gates are looked at, in this order.
    pub gates: Vec<u32>,
    /// What is added up.
    pub summands: Vec<(Lit, BigUint)>,
    /// A constant summand.
    pub constant: BigUint,
    /// Stored clauses.
    pub clauses: Vec<u64>,
}

impl Relation {
    /// What is written after the word of the step.
    pub(crate) fn read<R: BufRead>(tokens: &mut Tokens<R>) -> Result<Relation, String> {
        let mut relation = Relation::default();
        for variables in [&mut relation.inputs, &mut relation.gates] {
            for _ in 0..tokens.number()? {
                variables.push(tokens.small()?);
            }
        }
        for _ in 0..tokens.number()? {
            relation.summands.push((Lit::from_code(tokens.small()?), tokens.large()?));
        }
        relation.constant = tokens.large()?;
        for _ in 0..tokens.number()? {
            relation.clauses.push(tokens.number()?);
        }
        Ok(relation)
    }
}

/// The values of variables.
type Values = FxHashMap<u32, bool>;

fn value(values: &Values, lit: Lit) -> Option<bool> {
    let positive = if lit.var() == 0 { Some(true) } else { values.get(&lit.var()).copied() };
    positive.map(|positive| positive != lit.is_negated())
}

/// The value of a variable, as its gate has it.
fn value_of_gate(gates: &Gates, values: &Values, var: u32) -> Option<bool> {
    let of = |lit: Lit| value(values, lit);
    Some(match gates.gate_of(var) {
        Gate::Free => return None,
        Gate::And(a, b) => of(a)? && of(b)?,
        Gate::Xor(a, b) => of(a)? != of(b)?,
        Gate::Mux(c, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            if of(c)? { a } else { b }
        }
        Gate::Maj(a, b, c) => [of(a)?, of(b)?, of(c)?].into_iter().filter(|&bit| bit).count() >= 2,
    })
}

impl Relation {
    /// Does the relation hold modulo a power of two?
    pub fn check(&self, gates: &Gates, clauses: &Clauses, modulus: &BigUint) -> Result<(), String> {
        if self.inputs.len() > MOST_INPUTS {
            return Err(format!("a relation of more than {MOST_INPUTS} inputs"));
        }
        for row in 0..1u32 << self.inputs.len() {
            let mut values: Values =
                self.inputs.iter().enumerate().map(|(at, &var)| (var, row >> at & 1 == 1)).collect();
            let mut is_excluded = false;
            for &var in &self.gates {
                let is = value_of_gate(gates, &values, var).ok_or("a gate whose inputs have no values")?;
                // An input that has another value than its gate never has it.
                is_excluded |= values.insert(var, is).is_some_and(|was| was != is);
            }
            for &number in &self.clauses {
                let clause = clauses.get(number).ok_or_else(|| format!("there is no clause {number}"))?;
                is_excluded |= clause.iter().all(|&lit| value(&values, lit) == Some(false));
            }
            if is_excluded {
                continue;
            }
            let mut sum = self.constant.clone();
            for (lit, weight) in &self.summands {
                if value(&values, *lit).ok_or("a summand that has no value")? {
                    sum += weight;
                }
            }
            if (sum % modulus).bits() > 0 {
                return Err("the relation does not hold".into());
            }
        }
        Ok(())
    }
}

/// What is left of the difference of two words.
#[derive(Clone)]
pub struct Difference {
    words: Vec<(Lit, Lit)>,
    modulus: BigUint,
    constant: BigUint,
    /// By variable.
    weights: BTreeMap<u32, BigUint>,
}

impl Difference {
    /// The difference of two words of one width.
    pub fn new(a: &[Lit], b: &[Lit]) -> Result<Difference, String> {
        if a.len() != b.len() || a.len() > MOST_BITS {
            return Err(format!("words of different widths, or of more than {MOST_BITS} bits"));
        }
        let words: Vec<(Lit, Lit)> = a.iter().copied().zip(b.iter().copied()).collect();
        let (modulus, constant) = (BigUint::from(1u8) << words.len(), BigUint::default());
        let mut difference = Difference { words: vec![], modulus, constant, weights: BTreeMap::new() };
        for (place, &(a, b)) in words.iter().enumerate() {
            let weight = BigUint::from(1u8) << place;
            difference.add(b, &(&difference.modulus - &weight));
            difference.add(a, &weight);
        }
        Ok(Difference { words, ..difference })
    }

    /// Adds a bit with a weight below the modulus.
    fn add(&mut self, lit: Lit, weight: &BigUint) {
        // A negated bit is one minus the bit.
        let (plus, minus) = (weight.clone(), (&self.modulus - weight) % &self.modulus);
        if lit.is_negated() != (lit.var() == 0) {
            self.constant = (&self.constant + &plus) % &self.modulus;
        }
        if lit.var() > 0 {
            let sum = self.weights.entry(lit.var()).or_default();
            *sum = (&*sum + if lit.is_negated() { minus } else { plus }) % &self.modulus;
            if sum.bits() == 0 {
                self.weights.remove(&lit.var());
            }
        }
    }

    /// Adds a relation that holds.
    pub fn add_relation(
        &mut self,
        relation: &Relation,
        gates: &Gates,
        clauses: &Clauses,
    ) -> Result<(), String> {
        relation.check(gates, clauses, &self.modulus)?;
        let constant = &relation.constant % &self.modulus;
        self.add(TRUE, &constant);
        relation.summands.iter().for_each(|(lit, weight)| self.add(*lit, &(weight % &self.modulus)));
        Ok(())
    }

    /// The pairs of bits of the words if nothing is left of their difference.
    pub fn equal_bits(self) -> Result<Vec<(Lit, Lit)>, String> {
        match self.weights.is_empty() && self.constant.bits() == 0 {
            true => Ok(self.words),
            false => Err("something is left of the difference".into()),
        }
    }
}
