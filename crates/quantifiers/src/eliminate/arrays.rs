//! Reads.
//!
//! A read of an array that was written to, or of one of two arrays, is one of two terms by a condition; each
//! case is a clause that has the condition among its literals. An array variable that is only read is
//! replaced by a variable for each place, which are equal where the places are.
//!
//! A clause that says that elements are equal at all places, or at all but some, says that arrays are equal.

use super::clause::Next;
use super::{Clause, Occurrences, Task};
use bivalve_terms::{Op, Sort, Term, cone};

/// Reads of one array that become variables.
const READS: usize = 12;

impl Task<'_> {
    /// Two cases for a read of an array that was written to, and for a choice.
    pub(super) fn split_read(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for term in cone(self.pool, &clause.literals) {
            if occurrences.is_ground(term) || !occurrences.is_outer(term) {
                continue;
            }
            let args = self.pool.args(term).to_vec();
            let (condition, yes, no) = match self.pool.op(term) {
                Op::Ite if self.pool.sort(term) != Sort::BOOL => (args[0], args[1], args[2]),
                Op::Select if self.pool.op(args[0]) == Op::Store => {
                    let &[base, index, element] = self.pool.args(args[0]) else { unreachable!("a write") };
                    let rest = self.pool.mk(Op::Select, &[base, args[1]]);
                    (self.eq(index, args[1]), element, rest)
                }
                _ => continue,
            };
            let other = self.not(condition);
            let mut cases = vec![];
            for (value, excluded) in [(yes, other), (no, condition)] {
                let mut literals = self.put(&clause.literals, &[(term, value)])?;
                literals.push(excluded);
                cases.push(Clause { literals, ..clause.clone() });
            }
            return Some(Next::Cases(cases));
        }
        Some(Next::Same)
    }

    /// Variables in the place of the reads of an array that has no other use.
    pub(super) fn name_reads(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        for (place, &array) in clause.variables.iter().enumerate() {
            let reads = occurrences.parents(array).to_vec();
            let is_read = |&term: &Term| {
                let args = self.pool.args(term);
                self.pool.op(term) == Op::Select
                    && args[0] == array
                    && occurrences.is_outer(term)
                    && occurrences.mask(args[1]) >> place & 1 == 0
            };
            if self.pool.sorts().array_parts(self.pool.sort(array)).is_none()
                || reads.is_empty()
                || reads.len() > READS
                || !reads.iter().all(is_read)
            {
                continue;
            }
            let mut other = clause.clone();
            other.variables.remove(place);
            let mut named = vec![];
            for &read in &reads {
                let element = self.like(read);
                other.variables.push(element);
                named.push((read, element));
            }
            if self.guides {
                let mut value = self.numbered(self.pool.sort(array), 0)?;
                for &(read, element) in &named {
                    let index = self.pool.args(read)[1];
                    value = self.pool.mk(Op::Store, &[value, index, element]);
                }
                other.values.push((array, value));
            }
            other.literals = self.put(&clause.literals, &named)?;
            for (number, &(left, left_name)) in named.iter().enumerate() {
                for &(right, right_name) in &named[..number] {
                    let [left, right] = [left, right].map(|read| self.pool.args(read)[1]);
                    if self.are_different(left, right) {
                        continue;
                    }
                    let (same, equal) = (self.eq(left, right), self.eq(left_name, right_name));
                    let differ = self.not(equal);
                    other.literals.push(self.pool.mk(Op::And, &[same, differ]));
                }
            }
            // Places may have been named as well.
            let places: Vec<Term> = named.iter().map(|&(read, _)| self.pool.args(read)[1]).collect();
            let has_read = cone(self.pool, &places).iter().any(|term| reads.contains(term));
            if has_read {
                continue;
            }
            return Some(Next::Clause(other));
        }
        Some(Next::Same)
    }

    /// Arrays that are equal at all places, or at all but some.
    pub(super) fn recognise(&mut self, clause: &Clause, occurrences: &Occurrences) -> Option<Next> {
        // Where arrays differ no term says.
        let &[index] = &clause.variables[..] else { return Some(Next::Same) };
        if self.guides {
            return Some(Next::Same);
        }
        let (mut exceptions, mut equation) = (vec![], None);
        for &literal in &clause.literals {
            let (Op::Eq, &[left, right]) = (self.pool.op(literal), self.pool.args(literal)) else {
                return Some(Next::Same);
            };
            if left == index && occurrences.is_ground(right) {
                exceptions.push(right);
            } else if right == index && occurrences.is_ground(left) {
                exceptions.push(left);
            } else if equation.replace((left, right)).is_some() {
                return Some(Next::Same);
            }
        }
        let Some((left, right)) = equation else { return Some(Next::Same) };
        // The array that is read there.
        let read = |task: &Self, term: Term| match (task.pool.op(term), task.pool.args(term)) {
            (Op::Select, &[array, at]) if at == index && occurrences.is_ground(array) => Some(array),
            _ => None,
        };
        let (array, mut same) = match (read(self, left), read(self, right)) {
            (Some(array), Some(other)) => (array, other),
            (Some(array), None) if occurrences.is_ground(right) => (array, self.constant(array, right)?),
            (None, Some(array)) if occurrences.is_ground(left) => (array, self.constant(array, left)?),
            _ => return Some(Next::Same),
        };
        for place in exceptions {
            let element = self.pool.mk(Op::Select, &[array, place]);
            same = self.pool.mk(Op::Store, &[same, place, element]);
        }
        Some(Next::Formula(self.eq(array, same)))
    }

    /// The array of the sort of another one whose elements are all the same.
    fn constant(&mut self, like: Term, element: Term) -> Option<Term> {
        let sort = self.pool.sort(like);
        self.pool.const_array(sort, element).ok()
    }
}
