//! Clauses, and reverse unit propagation with hints.
//!
//! A clause follows from clauses if, when all of its literals are false, the hinted clauses, taken in order,
//! each force one more literal, and the last one is violated (LRAT without RAT: Cruz-Filipe, Heule, Hunt,
//! Kaufmann and Schneider-Kamp, CADE 2017). So each step is checked in time linear in its hints.
//!
//! A hint names a stored clause, or a clause that defines a gate, which is made when it is asked for.

use crate::budget::Budget;
use crate::gate::{Gates, Lit};
use crate::lrat::Trace;

/// What a proof calls a clause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    /// The stored clause of this number.
    Stored(u64),
    /// A clause that defines a gate: variable and number.
    Gate(u32, u32),
}

impl Name {
    /// One number for a name.
    pub fn code(self) -> u64 {
        match self {
            Name::Stored(number) => number << 1,
            Name::Gate(var, number) => (u64::from(var) << 3 | u64::from(number)) << 1 | 1,
        }
    }

    /// The name with this code.
    pub fn from_code(code: u64) -> Name {
        let number = code >> 1;
        match code & 1 {
            0 => Name::Stored(number),
            _ => Name::Gate((number >> 3) as u32, (number & 7) as u32),
        }
    }
}

/// The stored clauses.
#[derive(Clone, Default)]
pub struct Clauses {
    stored: Vec<Option<Box<[Lit]>>>,
    /// By variable: the step that assigned it, with the value in the lowest bit.
    assigned: Vec<u64>,
    step: u64,
    /// What was derived from what, if that is asked for.
    pub trace: Option<Box<Trace>>,
}

impl Clauses {
    /// Stores a clause that the rule of this word gives; gives its number.
    pub fn push(&mut self, clause: &[Lit], rule: &'static str) -> u64 {
        if let Some(trace) = &mut self.trace {
            trace.push(clause, rule);
        }
        self.stored.push(Some(clause.into()));
        self.stored.len() as u64 - 1
    }

    /// The number that the next clause will have.
    pub fn next(&self) -> u64 {
        self.stored.len() as u64
    }

    /// Another rule reads a stored clause; as a truth value?
    pub fn conclude(&mut self, number: u64, is_truth: bool) {
        if let Some(trace) = &mut self.trace {
            trace.read(number, is_truth);
        }
    }

    /// A stored clause.
    pub fn get(&self, number: u64) -> Option<&[Lit]> {
        self.stored.get(usize::try_from(number).ok()?)?.as_deref()
    }

    /// Forgets a clause.
    pub fn delete(&mut self, number: u64) -> Result<(), String> {
        let slot = usize::try_from(number).ok().and_then(|at| self.stored.get_mut(at));
        match slot.and_then(Option::take) {
            Some(_) => Ok(()),
            None => Err(format!("there is no clause {number} to delete")),
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        if lit.var() == 0 {
            return Some(!lit.is_negated());
        }
        let mark = self.assigned[lit.var() as usize];
        (mark >> 1 == self.step).then(|| (mark & 1 == 1) != lit.is_negated())
    }

    fn assign(&mut self, lit: Lit) {
        self.assigned[lit.var() as usize] = self.step << 1 | u64::from(!lit.is_negated());
    }

    /// Does the clause follow by unit propagation along the hints?
    pub fn follows(
        &mut self,
        gates: &Gates,
        budget: &Budget,
        clause: &[Lit],
        hints: impl Iterator<Item = Name>,
    ) -> Result<(), String> {
        self.step += 1;
        budget.take(50 + 4 * clause.len() as u64, 0)?;
        self.assigned.resize(gates.len(), 0);
        for &lit in clause {
            if lit.var() as usize >= gates.len() {
                return Err("a literal of no variable".into());
            }
            match self.value(lit) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None => self.assign(!lit),
            }
        }
        for hint in hints {
            if self.propagate(gates, budget, hint)? {
                return Ok(());
            }
        }
        Err("no hinted clause is violated".into())
    }

    /// Looks at a hinted clause; says whether it is violated.
    fn propagate(&mut self, gates: &Gates, budget: &Budget, hint: Name) -> Result<bool, String> {
        let unit = match hint {
            Name::Stored(number) => {
                let clause = self.get(number).ok_or_else(|| format!("there is no clause {number}"))?;
                budget.take(30 + 2 * clause.len() as u64, 0)?;
                self.unit(clause)
            }
            Name::Gate(var, number) => {
                budget.take(30, 0)?;
                let clause = gates.clause(var, number);
                self.unit(&clause.ok_or_else(|| format!("gate {var} has no clause {number}"))?)
            }
        };
        if let (Some(trace), Unit::Violated | Unit::Forces(_)) = (&mut self.trace, &unit) {
            trace.hint(hint);
        }
        match unit {
            Unit::Violated => Ok(true),
            Unit::Forces(lit) => {
                self.assign(lit);
                Ok(false)
            }
            Unit::Satisfied => Ok(false),
            Unit::Open => Err(format!("the hint {hint:?} forces nothing")),
        }
    }

    fn unit(&self, clause: &[Lit]) -> Unit {
        let mut forced = None;
        for &lit in clause {
            match self.value(lit) {
                Some(true) => return Unit::Satisfied,
                Some(false) => {}
                None if forced.is_none() || forced == Some(lit) => forced = Some(lit),
                None => return Unit::Open,
            }
        }
        forced.map_or(Unit::Violated, Unit::Forces)
    }
}

/// What a clause says under an assignment.
enum Unit {
    Violated,
    Forces(Lit),
    Satisfied,
    Open,
}
