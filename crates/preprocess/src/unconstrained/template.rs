//! Rows made ready for use: from text to trees, and from trees to terms.
//!
//! The metavariables are fixed: `v` is the fresh symbol; `x` and `y` are operands that are free; `k` is a
//! constant; `c`, `s` and `t` are any operands. Literals have the width of `x`, and constant arrays its sort.

use super::rows::{Row, Sorts};
use super::{Defined, Step, symbol};
use bivalve_rewrite::Template as Text;
use bivalve_terms::{Op, Pool, Sort, Term, TermSet};

/// The metavariables, by slot.
pub(super) const SLOTS: [char; 7] = ['v', 'x', 'y', 'k', 'c', 's', 't'];

/// The slot of the fresh symbol, and that of the operand that gives literals their width.
const FRESH: usize = 0;
const FREE: usize = 1;

/// A row, read.
pub(super) struct Template {
    row: &'static Row,
    pub(super) op: Op,
    /// The slots of the metavariables that stand for the operands.
    operands: Vec<usize>,
    becomes: Text,
    /// By slot of a free operand.
    witnesses: Vec<(usize, Text)>,
    condition: Option<Text>,
}

/// Terms by slot.
type Bindings = [Option<Term>; SLOTS.len()];

impl Template {
    /// Reads a row, or says what is wrong with it.
    pub(super) fn new(row: &'static Row) -> Result<Template, String> {
        let explain = |why: String| format!("row '{}': {why}", row.name);
        let read = |text: &str| Text::parse(text, &SLOTS).map_err(explain);
        let head = read(row.term)?.head();
        let (op, operands) = head.ok_or_else(|| explain("no operator over metavariables".into()))?;
        let witness = |&(name, text): &(char, &str)| {
            let slot = SLOTS
                .iter()
                .position(|&slot| slot == name)
                .ok_or_else(|| explain("a witness for nothing".into()))?;
            Ok((slot, read(text)?))
        };
        let witnesses = row.witnesses.iter().map(witness).collect::<Result<Vec<_>, String>>()?;
        let condition = row.condition.map(read).transpose()?;
        Ok(Template { row, op, operands, becomes: read(row.becomes)?, witnesses, condition })
    }

    /// The metavariables that stand for the operands.
    #[cfg(test)]
    pub(super) fn operands(&self) -> &[usize] {
        &self.operands
    }

    /// What the row makes of the operator of `term` over these operands, if it fits.
    pub(super) fn apply(
        &self,
        pool: &mut Pool,
        term: Term,
        operands: &[Term],
        free: &TermSet,
    ) -> Option<Step> {
        let mut bindings = self.bind(pool, operands, free).filter(|bindings| self.holds(pool, bindings))?;
        let fresh = symbol(pool, term);
        bindings[FRESH] = Some(fresh);
        let like = like(pool, &bindings);
        let becomes = self.becomes.build(pool, &bindings, like);
        let define = |(slot, witness): &(usize, Text)| {
            let symbol = bindings[*slot].expect("witnesses are those of free operands");
            Defined { symbol, term: witness.build(pool, &bindings, like), restricts: !self.row.onto }
        };
        Some(Step { fresh, becomes, defined: self.witnesses.iter().map(define).collect() })
    }

    /// The operands by metavariable, if there are as many and each is of the kind of its metavariable.
    fn bind(&self, pool: &Pool, operands: &[Term], free: &TermSet) -> Option<Bindings> {
        let mut bindings = [None; SLOTS.len()];
        for (&slot, &operand) in self.operands.iter().zip(operands) {
            let fits = match SLOTS[slot] {
                'x' | 'y' => free.contains(operand),
                'k' => pool.is_const(operand),
                _ => true,
            };
            if !fits {
                return None;
            }
            bindings[slot] = Some(operand);
        }
        let sort = like(pool, &bindings);
        let fits = match self.row.sorts {
            Sorts::Any => true,
            Sorts::Boolean => sort.is_bool(),
            Sorts::BitVec => sort.is_bitvec(),
        };
        (fits && operands.len() == self.operands.len()).then_some(bindings)
    }

    /// Does the condition hold? It is one of constants.
    fn holds(&self, pool: &mut Pool, bindings: &Bindings) -> bool {
        self.condition.as_ref().is_none_or(|condition| {
            let sort = like(pool, bindings);
            let term = condition.build(pool, bindings, sort);
            pool.as_bool(term).expect("a condition is about constants")
        })
    }
}

/// The sort of the free operand.
fn like(pool: &Pool, bindings: &Bindings) -> Sort {
    pool.sort(bindings[FREE].expect("every row has a free operand"))
}
