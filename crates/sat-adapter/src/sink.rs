//! Clauses, seen from the side that makes them.
//!
//! An encoder needs two things only: a fresh variable, and a place to put a clause. [`ClauseSink`] is these
//! two, and nothing an encoder could use to look at the answer. Every [`SatSolver`](crate::SatSolver) is a
//! sink; so is [`CnfLog`], which just remembers. An encoder written against the sink can therefore be tested,
//! counted and written to a DIMACS file without a solver.
//!
//! [`CnfLog`] keeps all literals in one vector and the ends of the clauses in another: two allocations for
//! any number of clauses. It is also the memory of the solvers that cannot remember themselves (see
//! [`Incremental`](crate::Incremental)).

use std::io::{self, Write};

use crate::Lit;

/// Where an encoder puts its clauses.
pub trait ClauseSink {
    /// The positive literal of a fresh variable. Variables are numbered 1, 2, 3, ...
    fn new_var(&mut self) -> Lit;

    /// Adds the disjunction of the literals.
    ///
    /// Legal at any time. The clause may be empty (then everything is unsatisfiable from now on), may repeat
    /// a literal, and may contain a literal with its negation (then it says nothing). It may mention a
    /// variable that `new_var` has not made yet; that variable and all below it then exist.
    fn add_clause(&mut self, clause: &[Lit]);
}

/// A conjunction of clauses that remembers what was said and in which order.
#[derive(Clone, Debug, Default)]
pub struct CnfLog {
    variables: u32,
    literals: Vec<Lit>,
    /// For each clause, where its literals end; they begin where the clause before ends.
    ends: Vec<usize>,
    has_empty_clause: bool,
}

impl ClauseSink for CnfLog {
    fn new_var(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.mention(clause);
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
        self.has_empty_clause |= clause.is_empty();
    }
}

impl CnfLog {
    /// No variables and no clauses.
    pub fn new() -> CnfLog {
        CnfLog::default()
    }

    /// The number of variables, which is also the largest one.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of literals in all clauses together.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    /// Whether the empty clause was added.
    pub fn has_empty_clause(&self) -> bool {
        self.has_empty_clause
    }

    /// The clauses in the order in which they were added.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses_from(0)
    }

    /// The clauses from the given number on, counted from 0.
    pub fn clauses_from(&self, first: usize) -> impl Iterator<Item = &[Lit]> {
        let start =
            if first == 0 { 0 } else { self.ends.get(first - 1).copied().unwrap_or(self.literals.len()) };
        let ends = self.ends.get(first..).unwrap_or_default();
        ends.iter().scan(start, |begin, &end| Some(&self.literals[std::mem::replace(begin, end)..end]))
    }

    /// Makes sure that the variables of these literals exist.
    pub fn mention(&mut self, lits: &[Lit]) {
        let largest = lits.iter().map(|lit| lit.var()).max().unwrap_or(0);
        self.variables = self.variables.max(largest);
    }

    /// Writes the clauses in the DIMACS format, and after them one unit clause for each of `units`.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn write_dimacs(&self, units: &[Lit], out: &mut dyn Write) -> io::Result<()> {
        let variables = units.iter().map(|lit| lit.var()).fold(self.variables, u32::max);
        writeln!(out, "p cnf {variables} {}", self.len() + units.len())?;
        for clause in self.clauses().chain(units.chunks(1)) {
            for lit in clause {
                write!(out, "{lit} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().filter_map(|&n| Lit::from_dimacs(n)).collect()
    }

    fn dimacs(cnf: &CnfLog, units: &[i32]) -> String {
        let mut text = Vec::new();
        cnf.write_dimacs(&lits(units), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn dimacs_text_is_what_was_added() {
        let mut cnf = CnfLog::new();
        let (x, y) = (cnf.new_var(), cnf.new_var());
        cnf.add_clause(&[x, !y]);
        cnf.add_clause(&[]);
        cnf.add_clause(&[!x, !x, y]);
        assert_eq!(dimacs(&cnf, &[]), "p cnf 2 3\n1 -2 0\n0\n-1 -1 2 0\n");
        assert_eq!(dimacs(&cnf, &[-1, 9]), "p cnf 9 5\n1 -2 0\n0\n-1 -1 2 0\n-1 0\n9 0\n");
        assert_eq!(dimacs(&CnfLog::new(), &[]), "p cnf 0 0\n");
    }

    #[test]
    fn clauses_can_be_read_from_any_point() {
        let mut cnf = CnfLog::new();
        let given: [&[i32]; 4] = [&[1], &[], &[2, -3], &[4, 5, 6]];
        for clause in given {
            cnf.add_clause(&lits(clause));
        }
        for first in 0..=5 {
            let read: Vec<Vec<i32>> = cnf
                .clauses_from(first)
                .map(|clause| clause.iter().map(|lit| lit.to_dimacs()).collect())
                .collect();
            assert_eq!(read, given[first.min(4)..]);
        }
        assert!(cnf.has_empty_clause() && cnf.variables() == 6 && cnf.len() == 4 && cnf.literals() == 6);
    }

    #[test]
    fn mentioned_variables_exist() {
        let mut cnf = CnfLog::new();
        cnf.add_clause(&lits(&[-7]));
        assert_eq!(cnf.new_var(), Lit::positive(8));
    }
}
