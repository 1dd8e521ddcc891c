//! Statements ready for use: built as terms, or evaluated on values.
//!
//! A [`Template`] is read once and used often. Its literals take their width from a sort that is given when
//! it is used, so a template is about words of one width, and about what operators with indices make of
//! them.
//!
//! Cost: linear in the text, which is short; building and evaluating recurse over it.

use crate::functions;
use crate::make;
use crate::tree::{Reader, Tree};
use bivalve_terms::{Args, Op, Pool, Sort, Term, Value};

/// A term with metavariables.
pub struct Template(Tree);

impl Template {
    /// Reads a template over some metavariables.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn parse(text: &str, metavariables: &[char]) -> Result<Template, String> {
        let tree = Reader::over(metavariables).read(text).map_err(|why| format!("'{text}': {why}"))?;
        if has_named_index(&tree) {
            return Err(format!("'{text}': an index that is not a number"));
        }
        Ok(Template(tree))
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

    /// The value for these values of Booleans and bit-vectors, by position of their metavariable. Literals
    /// are of the sort `like`. Panics if a value is missing, and for constant arrays.
    pub fn eval(&self, values: &[Option<&Value>], like: Sort) -> Value {
        eval(&self.0, values, like)
    }
}

fn has_named_index(tree: &Tree) -> bool {
    let is_named = matches!(tree, Tree::App(node) if node.indices.contains(&None));
    is_named || tree.args().iter().any(has_named_index)
}

fn build(pool: &mut Pool, tree: &Tree, operands: &[Option<Term>], like: Sort) -> Term {
    match tree {
        Tree::Slot(slot) => operands[usize::from(*slot)].expect("a template mentions what is given"),
        Tree::Literal(literal) => make::constant(pool, &literal.value(like)),
        Tree::App(node) => {
            let args: Vec<Term> = node.args.iter().map(|arg| build(pool, arg, operands, like)).collect();
            let indices: Vec<u32> = node.indices.iter().copied().flatten().collect();
            match node.op {
                Op::ConstArray => make::const_array(pool, like, args[0]),
                op if indices.is_empty() => make::app(pool, op, &args),
                op => make::indexed(pool, op, &indices, &args),
            }
        }
        Tree::Call(function, args) => {
            let arg = build(pool, &args[0], operands, like);
            let value = make::value(pool, arg).expect("functions are called with constants");
            make::constant(pool, &functions::apply(function, &value))
        }
    }
}

fn eval(tree: &Tree, values: &[Option<&Value>], like: Sort) -> Value {
    match tree {
        Tree::Slot(slot) => values[usize::from(*slot)].expect("a template mentions what is given").clone(),
        Tree::Literal(literal) => literal.value(like),
        Tree::App(node) => {
            let args: Vec<Value> = node.args.iter().map(|arg| eval(arg, values, like)).collect();
            let args: Vec<&Value> = args.iter().collect();
            let (index, width) = match node.indices[..] {
                [Some(high), Some(low)] => (low, high - low + 1),
                [Some(index)] => (index, 0),
                _ => (0, 0),
            };
            (node.op.info().meaning)(&Args::native(&args, index, width))
        }
        Tree::Call(function, args) => functions::apply(function, &eval(&args[0], values, like)),
    }
}
