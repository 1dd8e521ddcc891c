//! Truth tables: the reference for small formulas.
//!
//! All assignments of a few variables, each with a flag that says whether it satisfies every clause so far.

use crate::Lit;

/// The assignments that satisfy the clauses added so far; bit `v - 1` of an assignment is variable `v`.
pub(super) struct TruthTable {
    alive: Vec<bool>,
}

impl TruthTable {
    /// As many variables as a table has.
    pub(super) const VARIABLES: u32 = 8;

    pub(super) fn new() -> TruthTable {
        TruthTable { alive: vec![true; 1 << TruthTable::VARIABLES] }
    }

    pub(super) fn add_clause(&mut self, clause: &[Lit]) {
        for (assignment, alive) in self.alive.iter_mut().enumerate() {
            *alive &= clause.iter().any(|&lit| is_true(lit, assignment));
        }
    }

    /// Whether the assignment satisfies the clauses.
    pub(super) fn admits(&self, assignment: usize) -> bool {
        self.alive[assignment]
    }

    /// Whether some assignment satisfies the clauses and makes all the literals true.
    pub(super) fn is_satisfiable(&self, assumptions: &[Lit]) -> bool {
        let mut models = (0..self.alive.len()).filter(|&assignment| self.alive[assignment]);
        models.any(|assignment| assumptions.iter().all(|&lit| is_true(lit, assignment)))
    }
}

/// The value of a literal under an assignment.
pub(super) fn is_true(lit: Lit, assignment: usize) -> bool {
    lit.under(assignment >> (lit.var() - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_count_models() {
        let (x, y) = (Lit::positive(1), Lit::positive(8));
        let mut table = TruthTable::new();
        table.add_clause(&[x, !y]);
        assert!(
            table.is_satisfiable(&[x, y])
                && table.is_satisfiable(&[!x, !y])
                && !table.is_satisfiable(&[!x, y])
        );
        assert!(table.admits(0b1000_0001) && !table.admits(0b1000_0000));
        table.add_clause(&[]);
        assert!(!table.is_satisfiable(&[]));
    }
}
