//! Rows made ready for use: from text to trees, and from trees to terms.
//!
//! The metavariables are fixed: `v` is the fresh symbol; `x` and `y` are operands that are free; `k` is a
//! constant; `c`, `s` and `t` are any operands. Literals have the width of `x`, and constant arrays its sort.

use super::rows::{Row, Sorts};
use super::{Defined, Step, symbol};
use crate::constant;
use crate::make;
use crate::matcher::literal_value;
use crate::statement::{self, Slot, Tree};
use bivalve_terms::{Op, Pool, Sort, Term, TermSet};

/// The metavariables, by slot.
pub(super) const SLOTS: [char; 7] = ['v', 'x', 'y', 'k', 'c', 's', 't'];

/// The slot of the fresh symbol, and that of the operand that gives literals their width.
const FRESH: usize = 0;
const FREE: usize = 1;

/// A row as trees.
pub(super) struct Template {
    row: &'static Row,
    pub(super) op: Op,
    /// The metavariables that stand for the operands.
    operands: Vec<Slot>,
    becomes: Tree,
    /// By slot of a free operand.
    witnesses: Vec<(usize, Tree)>,
    condition: Option<Tree>,
}

/// Terms by slot.
type Bindings = [Option<Term>; SLOTS.len()];

impl Template {
    /// Reads a row, or says what is wrong with it.
    pub(super) fn new(row: &'static Row) -> Result<Template, String> {
        let explain = |why: String| format!("row '{}': {why}", row.name);
        let tree = |text: &str| statement::tree(text, &SLOTS).map_err(explain);
        let Tree::App(head) = tree(row.term)? else { return Err(explain("no operator".into())) };
        let operand = |arg: &Tree| match arg {
            Tree::Slot(slot) => Ok(*slot),
            _ => Err(explain("an operand that is no metavariable".into())),
        };
        let operands = head.args.iter().map(operand).collect::<Result<Vec<Slot>, String>>()?;
        let witness = |&(name, text): &(char, &str)| {
            let slot = SLOTS
                .iter()
                .position(|&slot| slot == name)
                .ok_or_else(|| explain("a witness for nothing".into()))?;
            Ok((slot, tree(text)?))
        };
        let witnesses = row.witnesses.iter().map(witness).collect::<Result<Vec<_>, String>>()?;
        let condition = row.condition.map(tree).transpose()?;
        Ok(Template { row, op: head.op, operands, becomes: tree(row.becomes)?, witnesses, condition })
    }

    /// The metavariables that stand for the operands.
    #[cfg(test)]
    pub(super) fn operands(&self) -> &[Slot] {
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
        let becomes = build(pool, &self.becomes, &bindings);
        let define = |(slot, witness): &(usize, Tree)| {
            let symbol = bindings[*slot].expect("witnesses are those of free operands");
            Defined { symbol, term: build(pool, witness, &bindings), loose: !self.row.onto }
        };
        Some(Step { fresh, becomes, defined: self.witnesses.iter().map(define).collect() })
    }

    /// The operands by metavariable, if there are as many and they are what the metavariables say.
    fn bind(&self, pool: &Pool, operands: &[Term], free: &TermSet) -> Option<Bindings> {
        let mut bindings = [None; SLOTS.len()];
        for (&slot, &operand) in self.operands.iter().zip(operands) {
            let fits = match SLOTS[slot as usize] {
                'x' | 'y' => free.contains(operand),
                'k' => pool.is_const(operand),
                _ => true,
            };
            if !fits {
                return None;
            }
            bindings[slot as usize] = Some(operand);
        }
        let sort = pool.sort(bindings[FREE].expect("every row has a free operand"));
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
            let term = build(pool, condition, bindings);
            pool.as_bool(term).expect("a condition is about constants")
        })
    }
}

/// The term of a tree. Recursive: rows are shallow.
fn build(pool: &mut Pool, tree: &Tree, bindings: &Bindings) -> Term {
    let like = |pool: &Pool| pool.sort(bindings[FREE].expect("every row has a free operand"));
    match tree {
        Tree::Slot(slot) => bindings[*slot as usize].expect("rows mention what they bind"),
        Tree::Literal(literal) => {
            let sort: Sort = like(pool);
            make::constant(pool, &literal_value(*literal, sort))
        }
        Tree::App(node) => {
            let args: Vec<Term> = node.args.iter().map(|arg| build(pool, arg, bindings)).collect();
            match node.op {
                Op::ConstArray => {
                    let sort = like(pool);
                    make::const_array(pool, sort, args[0])
                }
                op => make::app(pool, op, &args),
            }
        }
        Tree::Call(function, args) => {
            let arg = build(pool, &args[0], bindings);
            let value = make::value(pool, arg).expect("functions are called with constants");
            make::constant(pool, &constant::apply(function, &value))
        }
    }
}
