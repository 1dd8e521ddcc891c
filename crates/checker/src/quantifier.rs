//! Formulas for all values of variables.
//!
//! Such a formula is a term whose arguments are the variables, which are symbols that no other formula binds,
//! and a body. No rule looks into it: it has a truth value, about which two things are always true. It
//! implies its body for any terms in the places of the variables ([`Kernel::instantiate`]), and if it is
//! false, so is its body for some values, which new symbols stand for ([`Kernel::skolem`]).
//!
//! [`Kernel::instantiate`]: crate::kernel::Kernel::instantiate
//! [`Kernel::skolem`]: crate::kernel::Kernel::skolem
//!
//! A certificate can only name terms that mention no variable, and a formula within another one binds other
//! symbols (which [`Terms::mk`] sees to), so no term that is put for a variable gets below a formula that
//! binds a symbol of the term. Formulas in what is said of the body are named, and used, in turn.

use crate::term::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

type Made = Result<Term, String>;

impl Terms {
    /// The formula for all values of these symbols, or the one for some values: not for all not.
    pub fn quantified(&mut self, is_for_all: bool, variables: &[Term], body: Term) -> Made {
        let body = if is_for_all { body } else { self.not(body)? };
        let made = self.mk(Op::Forall, &[variables, &[body]].concat())?;
        if is_for_all { Ok(made) } else { self.not(made) }
    }

    /// The variables and the body.
    fn binder(&self, formula: Term) -> Result<(Vec<Term>, Term), String> {
        match (self.op(formula), self.parts(formula)) {
            (Op::Forall, &[ref variables @ .., body]) => Ok((variables.to_vec(), body)),
            _ => Err("not a formula for all values of variables".into()),
        }
    }

    /// Refuses variables that are no symbols, that are there twice, or that are bound in the body as well.
    pub(crate) fn check_binder(&self, args: &[Term]) -> Result<(), String> {
        let (&body, variables) = args.split_last().ok_or("a quantifier without a body")?;
        let own: FxHashSet<Term> = variables.iter().copied().collect();
        if own.len() < variables.len() || variables.iter().any(|&it| !matches!(self.op(it), Op::Symbol(_))) {
            return Err("the variables of a quantifier are different symbols".into());
        }
        let (mut stack, mut seen) = (vec![body], FxHashSet::default());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let args = self.parts(term);
            self.budget.take(20 + args.len() as u64, 0)?;
            if self.op(term) == Op::Forall && args.iter().any(|arg| own.contains(arg)) {
                return Err("a quantifier binds a symbol that is bound within its body".into());
            }
            stack.extend_from_slice(args);
        }
        Ok(())
    }

    /// The formulas for all values of variables in a term that are within no other one, in the order in which
    /// one meets them from left to right, each once.
    pub fn quantified_in(&self, root: Term) -> Result<Vec<Term>, String> {
        let (mut stack, mut seen, mut found) = (vec![root], FxHashSet::default(), vec![]);
        while let Some(term) = stack.pop() {
            self.budget.take(20, 0)?;
            if !seen.insert(term) {
                continue;
            }
            match self.op(term) {
                Op::Forall => found.push(term),
                _ => stack.extend(self.args(term).iter().rev()),
            }
        }
        Ok(found)
    }

    /// The formula is false, or its body is true for these terms in the places of the variables.
    pub(crate) fn instance_of(&mut self, formula: Term, args: &[Term]) -> Made {
        let (variables, body) = self.binder(formula)?;
        let sorts = |list: &[Term]| -> Vec<_> { list.iter().map(|&term| self.sort_of(term)).collect() };
        if sorts(&variables) != sorts(args) {
            return Err("an instance has terms of other sorts than the variables".into());
        }
        let mut map: FxHashMap<Term, Term> = variables.into_iter().zip(args.iter().copied()).collect();
        let said = self.image(None, &mut map, body)?;
        let denied = self.not(formula)?;
        self.mk(Op::Or, &[denied, said])
    }

    /// New symbols for which the body is false, if the formula is; and that, as a term.
    pub(crate) fn witness_of(&mut self, formula: Term) -> Result<(Vec<Term>, Term), String> {
        let (variables, body) = self.binder(formula)?;
        let symbols: Vec<Term> = variables.iter().map(|&it| self.fresh(self.sort_of(it))).collect();
        let mut map: FxHashMap<Term, Term> = variables.into_iter().zip(symbols.iter().copied()).collect();
        let said = self.image(None, &mut map, body)?;
        let denied = self.not(said)?;
        let said = self.mk(Op::Or, &[formula, denied])?;
        Ok((symbols, said))
    }
}
