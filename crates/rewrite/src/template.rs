//! Terms written as text with metavariables, for tables outside of this crate.
//!
//! A [`Template`] is read once and built often. Its text is that of the rows of this crate: the operators of
//! SMT-LIB over metavariables, which are single letters that the caller lists, literals whose width follows
//! from a sort given when it is built, and the named functions of constants.
//!
//! Cost: linear in the text, which is short; building recurses over it.

use crate::constant;
use crate::make;
use crate::matcher::literal_value;
use crate::statement::{self, Tree};
use bivalve_terms::{Op, Pool, Sort, Term};

/// A term with metavariables.
pub struct Template(Tree);

impl Template {
    /// Reads a template over some metavariables.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn parse(text: &str, metavariables: &[char]) -> Result<Template, String> {
        statement::tree(text, metavariables).map(Template)
    }

    /// The operator at the top, and the positions of the metavariables that are its operands; `None` if the
    /// template is not an operator over metavariables alone.
    pub fn head(&self) -> Option<(Op, Vec<usize>)> {
        let Tree::App(head) = &self.0 else { return None };
        let operand = |arg: &Tree| match arg {
            Tree::Slot(slot) => Some(usize::from(*slot)),
            _ => None,
        };
        Some((head.op, head.args.iter().map(operand).collect::<Option<Vec<usize>>>()?))
    }

    /// The term over these operands, by position of their metavariable. Literals and constant arrays are of
    /// the sort `like`. Panics if an operand is missing.
    pub fn build(&self, pool: &mut Pool, operands: &[Option<Term>], like: Sort) -> Term {
        build(pool, &self.0, operands, like)
    }
}

fn build(pool: &mut Pool, tree: &Tree, operands: &[Option<Term>], like: Sort) -> Term {
    match tree {
        Tree::Slot(slot) => operands[usize::from(*slot)].expect("a template mentions what is given"),
        Tree::Literal(literal) => make::constant(pool, &literal_value(*literal, like)),
        Tree::App(node) => {
            let args: Vec<Term> = node.args.iter().map(|arg| build(pool, arg, operands, like)).collect();
            match node.op {
                Op::ConstArray => make::const_array(pool, like, args[0]),
                op => make::app(pool, op, &args),
            }
        }
        Tree::Call(function, args) => {
            let arg = build(pool, &args[0], operands, like);
            let value = make::value(pool, arg).expect("functions are called with constants");
            make::constant(pool, &constant::apply(function, &value))
        }
    }
}
