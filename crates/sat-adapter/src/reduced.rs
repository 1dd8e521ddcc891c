//! A set of clauses reduced by unit propagation.
//!
//! Repeated literals and tautologies are dropped, unit clauses are propagated until none is left, satisfied
//! clauses and false literals are dropped, and the variables that still occur are renumbered from 1 without
//! gaps. Either a conflict appears, and then the clauses are unsatisfiable, or a [`Reduced`] set remains in
//! which every clause has at least two literals of different variables and every variable occurs. A model of
//! the reduced set and the propagated values together make a model of the original.
//!
//! This is done for engines that stumble over odd inputs (empty clauses, no clauses, contradictory units,
//! tautologies, variables that never occur): by construction they never see one. The cost is linear in the
//! number of literals: a counter of non-false literals per clause and occurrence lists in one array each.

use crate::{CnfLog, Lit};

/// The clauses that propagation leaves.
pub(crate) struct Reduced {
    /// By variable: the value propagation found; index 0 is unused.
    fixed: Vec<Option<bool>>,
    /// The original variables of the new ones; new variable `n` stands at index `n - 1`.
    originals: Vec<u32>,
    /// The clauses over the new variables, as DIMACS numbers.
    pub(crate) clauses: Vec<Vec<i32>>,
}

impl Reduced {
    /// Propagates the clauses of `cnf` and `units`; `None` when that ends in a conflict.
    pub(crate) fn new(cnf: &CnfLog, units: &[Lit]) -> Option<Reduced> {
        let clauses: Vec<Vec<Lit>> = cnf.clauses().chain(units.chunks(1)).filter_map(normalised).collect();
        let fixed = propagate(&clauses, cnf.variables() as usize)?;
        let value = |lit: Lit| fixed[lit.var() as usize].map(|value| lit.under(value));
        let (mut originals, mut rests) = (Vec::new(), Vec::new());
        let mut names = vec![0i32; cnf.variables() as usize + 1];
        for clause in &clauses {
            if clause.iter().any(|&lit| value(lit) == Some(true)) {
                continue;
            }
            let mut rest = Vec::with_capacity(clause.len());
            for &lit in clause.iter().filter(|&&lit| value(lit).is_none()) {
                let name = &mut names[lit.var() as usize];
                if *name == 0 {
                    originals.push(lit.var());
                    *name = i32::try_from(originals.len()).expect("there are fewer than 2^31 variables");
                }
                rest.push(if lit.is_negative() { -*name } else { *name });
            }
            rests.push(rest);
        }
        Some(Reduced { fixed, originals, clauses: rests })
    }

    /// The model of the original made of the true literals of a model of the reduced set. Numbers that name
    /// no variable of it are passed over, and variables without a value become false.
    pub(crate) fn lift(&self, model: &[i32]) -> Vec<bool> {
        let mut values: Vec<bool> = self.fixed[1..].iter().map(|value| *value == Some(true)).collect();
        for &number in model {
            let name = (number.unsigned_abs() as usize).wrapping_sub(1);
            if let Some(&original) = self.originals.get(name) {
                values[original as usize - 1] = number > 0;
            }
        }
        values
    }
}

/// The clause without repetitions; `None` for a tautology.
fn normalised(clause: &[Lit]) -> Option<Vec<Lit>> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits.dedup();
    let tautology = lits.windows(2).any(|pair| pair[0] == !pair[1]);
    (!tautology).then_some(lits)
}

/// The values unit propagation finds, by variable; `None` when it finds a conflict.
fn propagate(clauses: &[Vec<Lit>], variables: usize) -> Option<Vec<Option<bool>>> {
    let occurrences = Occurrences::new(clauses, variables);
    let mut fixed: Vec<Option<bool>> = vec![None; variables + 1];
    let mut open: Vec<usize> = clauses.iter().map(Vec::len).collect();
    let mut queue: Vec<Lit> = Vec::new();
    for clause in clauses {
        match clause[..] {
            [] => return None,
            [unit] => queue.push(unit),
            _ => {}
        }
    }
    while let Some(lit) = queue.pop() {
        match fixed[lit.var() as usize] {
            Some(value) if lit.under(value) => continue,
            Some(_) => return None,
            None => fixed[lit.var() as usize] = Some(!lit.is_negative()),
        }
        for &number in occurrences.of(!lit) {
            open[number] -= 1;
            if open[number] == 1 {
                let is_open = |lit: &&Lit| fixed[lit.var() as usize] != Some(lit.is_negative());
                queue.extend(clauses[number].iter().find(is_open));
            } else if open[number] == 0 {
                return None;
            }
        }
    }
    Some(fixed)
}

/// For every literal the numbers of the clauses it occurs in, all in one vector.
struct Occurrences {
    starts: Vec<usize>,
    numbers: Vec<usize>,
}

impl Occurrences {
    fn new(clauses: &[Vec<Lit>], variables: usize) -> Occurrences {
        let mut starts = vec![0; 2 * variables + 3];
        for lit in clauses.iter().flatten() {
            starts[lit.code() + 1] += 1;
        }
        for code in 1..starts.len() {
            starts[code] += starts[code - 1];
        }
        let mut next = starts.clone();
        let mut numbers = vec![0; starts.last().copied().unwrap_or(0)];
        for (number, clause) in clauses.iter().enumerate() {
            for lit in clause {
                numbers[next[lit.code()]] = number;
                next[lit.code()] += 1;
            }
        }
        Occurrences { starts, numbers }
    }

    fn of(&self, lit: Lit) -> &[usize] {
        &self.numbers[self.starts[lit.code()]..self.starts[lit.code() + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseSink;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().filter_map(|&n| Lit::from_dimacs(n)).collect()
    }

    fn reduced(clauses: &[&[i32]], units: &[i32]) -> Option<Reduced> {
        let mut cnf = CnfLog::new();
        for clause in clauses {
            cnf.add_clause(&lits(clause));
        }
        cnf.mention(&lits(units));
        Reduced::new(&cnf, &lits(units))
    }

    #[test]
    fn units_chain_and_variables_are_renumbered() {
        let rest =
            reduced(&[&[-3, 5], &[-5, 9, 7, 9], &[-5, 7, 2, -9], &[2, -2], &[-3, 8, 7]], &[3]).unwrap();
        assert_eq!(rest.clauses, [vec![1, 2], vec![3, 1, -2], vec![1, 4]]);
        assert_eq!(rest.originals, [7, 9, 2, 8]);
        let model = rest.lift(&[-1, 2, 3, 4, 99, 0]);
        assert_eq!(model, [false, true, true, false, true, false, false, true, true]);
    }

    #[test]
    fn conflicts_are_found() {
        assert!(reduced(&[&[]], &[]).is_none());
        assert!(reduced(&[&[1], &[-1]], &[]).is_none());
        assert!(reduced(&[&[1, 2], &[1, -2], &[-1, 3]], &[-1]).is_none());
        assert!(reduced(&[&[1, 2, 3]], &[-1, -2, -3]).is_none());
        assert!(reduced(&[&[-1, 2], &[-1, 3], &[-2, -3]], &[1]).is_none());
    }

    #[test]
    fn nothing_may_be_left() {
        let rest = reduced(&[&[1], &[1, 2], &[4, -4]], &[]).unwrap();
        assert!(rest.clauses.is_empty());
        assert_eq!(rest.lift(&[]), [true, false, false, false]);
        assert!(reduced(&[], &[]).unwrap().clauses.is_empty());
    }
}
