//! The values of terms that have few, each listed.
//!
//! A choice between constants has the values of its branches, and what is computed from terms with few values has few. Bits and
//! intervals do not tell `{1, 4, 9}` from the numbers from 0 to 15; the list does, so that a comparison with 5 is decided.
//!
//! A list over-approximates, as it does not remember which values of two terms go together. It is met with what else is
//! known of the term. STP has such lists beside bits and intervals. Cost: at most [`MOST_COMBINATIONS`]
//! evaluations for a term, and a word for all terms over operands without lists.

use super::Domain;
use bivalve_terms::{Args, BitVec, Op, Pool, Term, TermMap, Value};

/// Longer lists say little.
const MOST_VALUES: usize = 12;

/// With more combinations of values of its operands, the values of a term are not listed.
const MOST_COMBINATIONS: usize = 48;

/// Lists by term.
#[derive(Default)]
pub(super) struct Values {
    lists: TermMap<Vec<BitVec>>,
}

impl Values {
    /// What is known of a term, with the list of its values, which is kept, taken into account; `None` if nothing is left.
    pub(super) fn tighten(&mut self, pool: &Pool, term: Term, known: Domain) -> Option<Domain> {
        let Some(mut values) = self.of(pool, term) else { return Some(known) };
        values.sort_unstable_by(|a, b| b.ule(a).cmp(&a.ule(b)));
        values.dedup();
        values.retain(|value| known.contains(value));
        let hull = values.iter().cloned().map(Domain::one).reduce(|a, b| a.join(&b))?;
        // Of a Boolean or a bit a list says no more than a domain.
        if (2..=MOST_VALUES).contains(&values.len()) && hull.width() > 1 {
            self.lists.insert(term, values);
        }
        known.meet(&hull)
    }

    /// The values of a term; `None` if they are too many or not known.
    fn of(&self, pool: &Pool, term: Term) -> Option<Vec<BitVec>> {
        let args = pool.args(term);
        if let (Op::Ite, &[_, yes, no]) = (pool.op(term), args) {
            let mut values = self.listed(pool, yes)?;
            values.extend(self.listed(pool, no)?);
            return Some(values);
        }
        if !args.iter().any(|&arg| self.lists.contains(arg)) {
            return None;
        }
        let width = super::width(pool, term)?;
        let lists: Vec<Vec<BitVec>> = args.iter().map(|&arg| self.listed(pool, arg)).collect::<Option<_>>()?;
        let count = lists.iter().try_fold(1usize, |count, list| count.checked_mul(list.len()))?;
        (count <= MOST_COMBINATIONS).then(|| (0..count).map(|number| value(pool, term, width, &lists, number)).collect())
    }

    fn listed(&self, pool: &Pool, term: Term) -> Option<Vec<BitVec>> {
        match self.lists.get(term) {
            Some(values) => Some(values.clone()),
            None => Some(vec![pool.as_bitvec(term)?]),
        }
    }
}

/// The value of a term in a combination of values of its operands.
fn value(pool: &Pool, term: Term, width: u32, lists: &[Vec<BitVec>], mut number: usize) -> BitVec {
    let mut operands = vec![];
    for list in lists {
        operands.push(Value::from(list[number % list.len()].clone()));
        number /= list.len();
    }
    let values: Vec<&Value> = operands.iter().collect();
    match (pool.op(term).info().meaning)(&Args { values: &values, index: pool.index(term), width }) {
        Value::Bool(truth) => BitVec::from_bool(truth),
        value => value.as_bitvec().clone(),
    }
}
