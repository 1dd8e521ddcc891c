//! The functions of Boolector 3: lambda terms, expanded where they are applied.
//!
//! A function is a list of parameters, which are symbols that occur nowhere else, and a body. An application
//! is the body with arguments in the place of the parameters. A function of one parameter may also stand
//! where an array is expected, if it is a chain of writes: `(ite (= p i) v rest)`, where the rest at the end
//! reads an array at the parameter, or does not depend on it.
//!
//! Cost: an application costs the body once more, as far as it depends on the parameters.

use crate::lines::bits::bits;
use bivalve_terms::{Op, Pool, Substitution, Term, cone};

/// A function with its parameters, outermost first.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) params: Vec<Term>,
    pub(super) body: Term,
}

impl Function {
    /// The body over as many arguments of the sorts of the parameters, unless `goes_on`, asked for each term,
    /// says no: functions that apply each other stand for any number of terms.
    pub(super) fn apply(
        &self,
        pool: &mut Pool,
        args: &[Term],
        goes_on: impl FnMut() -> bool,
    ) -> Option<Term> {
        let mut substitution = Substitution::new();
        for (&param, &arg) in self.params.iter().zip(args) {
            let arg = bits(pool, arg);
            substitution.insert(pool, param, arg);
        }
        substitution.apply_while(pool, self.body, goes_on)
    }

    /// The array that the function is, if it is a chain of writes.
    pub(super) fn as_array(&self, pool: &mut Pool) -> Option<Term> {
        let [param] = self.params[..] else { return None };
        let mut rest = bits(pool, self.body);
        let (index, element) = (pool.sort(param), pool.sort(rest));
        let sort = pool.sorts_mut().array(index, element).ok()?;
        let mut writes = Vec::new();
        while mentions(pool, rest, param) {
            match (pool.op(rest), pool.args(rest)) {
                (Op::Ite, &[condition, value, below]) => {
                    let at = compared(pool, condition, param)?;
                    if mentions(pool, value, param) {
                        return None;
                    }
                    writes.push((at, value));
                    rest = below;
                }
                (Op::Select, &[array, at]) if at == param && !mentions(pool, array, param) => {
                    return Some(written(pool, array, &writes));
                }
                _ => return None,
            }
        }
        let array = pool.const_array(sort, rest).ok()?;
        Some(written(pool, array, &writes))
    }
}

/// The array with values written to it; the first of the list is the last that is written.
fn written(pool: &mut Pool, array: Term, writes: &[(Term, Term)]) -> Term {
    writes.iter().rev().fold(array, |array, &(at, value)| pool.mk(Op::Store, &[array, at, value]))
}

/// `i` where the condition is `(= p i)` or `(= i p)` and `i` does not depend on `p`.
fn compared(pool: &Pool, condition: Term, param: Term) -> Option<Term> {
    let &[a, b] = pool.args(condition) else { return None };
    let other = if a == param { b } else { a };
    let is_index = pool.op(condition) == Op::Eq && (a == param || b == param);
    (is_index && !mentions(pool, other, param)).then_some(other)
}

fn mentions(pool: &Pool, term: Term, symbol: Term) -> bool {
    // Terms below a symbol in age cannot mention it.
    term >= symbol && cone(pool, &[term]).binary_search(&symbol).is_ok()
}
