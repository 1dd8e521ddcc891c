//! Binders for programs, which have symbols of their own.
//!
//! A symbol that a binder binds is free nowhere (see `binders`), but a program binds what it has: `x` may be
//! free beside a formula for all `x`, and be bound by two binders, one within the other. So another symbol,
//! its *twin*, stands for it below the binder, where no program sees it: who looks into a binder is shown the
//! body with symbols that are free there, the same ones each time.
//!
//! A symbol has one twin, so that two formulas that are written alike are one term; where a binder within the
//! body binds it already, it gets another one.
//!
//! Cost: linear in the body.

use crate::binders::bound_variables;
use crate::dag::{Substitution, cone};
use crate::op::Op;
use crate::pool::Pool;
use crate::sort_rule::{Query, SortError};
use crate::term::Term;
use rustc_hash::FxHashMap;

/// What programs see of binders.
#[derive(Default)]
pub(crate) struct Outside {
    /// The symbols that stand below binders, by those that programs have.
    twins: FxHashMap<Term, Term>,
    /// What programs see in the place of a binder's variables.
    symbols: FxHashMap<Term, Vec<Term>>,
}

impl Pool {
    /// The formula that holds if `body` does for all values of these symbols, which may be used elsewhere:
    /// they are not changed there. The body itself if there are no symbols.
    ///
    /// # Errors
    ///
    /// As [`Pool::forall`].
    pub fn bind(&mut self, symbols: &[Term], body: Term) -> Result<Term, SortError> {
        if symbols.is_empty() {
            return Ok(body);
        }
        let args = [symbols, &[body]].concat();
        Query { pool: self, op: Op::Forall, args: &args, indices: &[] }.result()?;
        let within = bound_variables(self, &cone(self, &[body]));
        let (mut variables, mut substitution) = (vec![], Substitution::new());
        for &symbol in symbols {
            let twin = self.outside.twins.get(&symbol).copied().filter(|&twin| !within.contains(twin));
            let twin = twin.unwrap_or_else(|| {
                let name = self.name(symbol).expect("a symbol has a name").to_owned();
                let made = self.symbol(&name, self.sort(symbol));
                self.outside.twins.entry(symbol).or_insert(made);
                made
            });
            substitution.insert(self, symbol, twin);
            variables.push(twin);
        }
        let body = substitution.apply(self, body);
        let made = self.forall(&variables, body)?;
        self.outside.symbols.entry(made).or_insert_with(|| symbols.to_vec());
        Ok(made)
    }

    /// The formula that holds if `body` does for some values of these symbols, as [`Pool::bind`].
    ///
    /// # Errors
    ///
    /// As [`Pool::forall`].
    pub fn bind_some(&mut self, symbols: &[Term], body: Term) -> Result<Term, SortError> {
        if symbols.is_empty() {
            return Ok(body);
        }
        let never = self.app(Op::Not, &[body])?;
        let never = self.bind(symbols, never)?;
        self.app(Op::Not, &[never])
    }

    /// A binder's variables and body for programs: the symbols are free in the body, and [`Pool::bind`] makes
    /// the binder of them again. `None` for other terms.
    pub fn opened(&mut self, binder: Term) -> Option<(Vec<Term>, Term)> {
        let (variables, body) = self.binder(binder)?;
        let variables = variables.to_vec();
        if !self.outside.symbols.contains_key(&binder) {
            let mut symbols = vec![];
            for &variable in &variables {
                let name = self.name(variable).expect("a variable is a symbol").to_owned();
                let symbol = self.symbol(&name, self.sort(variable));
                self.outside.twins.insert(symbol, variable);
                symbols.push(symbol);
            }
            self.outside.symbols.insert(binder, symbols);
        }
        let symbols = self.outside.symbols[&binder].clone();
        let mut substitution = Substitution::new();
        variables.iter().zip(&symbols).for_each(|(&from, &to)| substitution.insert(self, from, to));
        Some((symbols, substitution.apply(self, body)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binders::free_symbols;
    use crate::{Assignment, BitVec, Sort, eval};

    fn put(pool: &mut Pool, formula: Term, from: Term, to: Term) -> Term {
        let mut substitution = Substitution::new();
        substitution.insert(pool, from, to);
        substitution.apply(pool, formula)
    }

    #[test]
    fn symbols_are_bound_and_stay_free_elsewhere() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(2).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let less = pool.mk(Op::BvUle, &[x, y]);
        let all = pool.bind(&[x], less).unwrap();
        assert_eq!(pool.bind(&[x], less), Ok(all));
        assert_eq!(free_symbols(&pool, &[all, less]), [x, y]);
        assert_eq!(pool.opened(all), Some((vec![x], less)));
        assert_eq!(pool.opened(less), None);
        let some = pool.bind_some(&[x], less).unwrap();
        for value in 0..4 {
            let mut assignment = Assignment::new();
            assignment.set(y, BitVec::from_u64(value, 2));
            assert_eq!(eval(&pool, all, &assignment).expect_bool(), value == 3);
            assert!(eval(&pool, some, &assignment).expect_bool());
        }
        assert!(pool.bind(&[x, x], less).is_err() && pool.bind(&[less], less).is_err());
        assert_eq!(pool.bind(&[], less), Ok(less));
    }

    /// `x` is put for a symbol below a binder of `x`: it is not caught, neither there, nor when the binder is
    /// looked into, nor when it is bound in turn.
    #[test]
    fn no_symbol_is_caught() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(2).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let less = pool.mk(Op::BvUle, &[x, y]);
        let least = pool.bind_some(&[x], less).unwrap();
        let greatest = pool.bind(&[x], less).unwrap();
        let of_x = put(&mut pool, greatest, y, x);
        assert_eq!(free_symbols(&pool, &[of_x]), [x]);
        let (symbols, body) = pool.opened(of_x).unwrap();
        assert!(symbols[0] != x && free_symbols(&pool, &[body]).contains(&x));
        assert_eq!(pool.opened(of_x), Some((symbols.clone(), body)));
        assert_eq!(pool.bind(&symbols, body), Ok(of_x));
        // Some x is the greatest, and not each one is.
        let (some, all) = (pool.bind_some(&[x], of_x).unwrap(), pool.bind(&[x], of_x).unwrap());
        let both = pool.mk(Op::And, &[of_x, least]);
        let shadowed = pool.bind(&[x], both).unwrap();
        let decided = |term| eval(&pool, term, &Assignment::new()).expect_bool();
        assert!(free_symbols(&pool, &[some, all]).is_empty() && free_symbols(&pool, &[shadowed]) == [y]);
        assert!(decided(some) && !decided(all));
    }

    /// What a reader made is looked into, and made again.
    #[test]
    fn other_binders_are_looked_into() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(2).unwrap();
        let x = pool.symbol("x", sort);
        let same = pool.mk(Op::Eq, &[x, x]);
        let all = pool.forall(&[x], same).unwrap();
        let (symbols, body) = pool.opened(all).unwrap();
        assert!(symbols[0] != x && pool.name(symbols[0]) == Some("x"));
        assert_eq!(pool.bind(&symbols, body), Ok(all));
        let mut copy = pool.copy(&[all]).0;
        let all = crate::binders::outermost_binders(&copy, &[Term::word(copy.len() as u32 - 1)])[0];
        assert!(copy.opened(all).is_some());
    }
}
