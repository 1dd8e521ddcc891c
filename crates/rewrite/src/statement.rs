//! From the text of a row to trees.
//!
//! A [`Statement`] holds the two sides and the condition of a row as trees over *slots*: the metavariables of
//! the row, numbered in the order in which they appear on the left. Which operators may be used, and how many
//! arguments and indices they take, is read from the operator table of `terms`; sorts are checked later
//! ([`crate::typing`]). Any mistake in a row is an error with the row's name; a test compiles the whole
//! table, so no user ever sees one.
//!
//! The Boolean twin of a row (see [`Row::and_for_booleans`]) is made here, by renaming atoms.

use crate::constant::{self, Function};
use crate::row::Row;
use crate::sexpr::{Sexpr, read};
use bivalve_terms::{Arity, Op};
use std::borrow::Cow;

/// The number of a metavariable within its row.
pub(crate) type Slot = u8;

/// No row may have more metavariables.
pub(crate) const MAX_SLOTS: usize = 8;

/// A constant whose width follows from its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Literal {
    Bool(bool),
    /// A number modulo 2^w.
    Number(u64),
    Ones,
    /// The least signed value.
    Min,
    /// The greatest signed value.
    Max,
    /// `#b0` or `#b1`: the only literal with a width.
    Bit(bool),
}

/// A term with metavariables.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Tree {
    Slot(Slot),
    Literal(Literal),
    App(Node),
    /// A function of [`crate::constant`].
    Call(&'static Function, Vec<Tree>),
}

/// An operator over trees.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    /// As in the text; `None` is an index that is named, not numbered, which only function rows have.
    pub(crate) indices: Vec<Option<u32>>,
    pub(crate) args: Vec<Tree>,
    /// Written in the row, or brought in by an elimination?
    pub(crate) stated: bool,
}

/// A row as trees.
pub(crate) struct Statement {
    pub(crate) name: Cow<'static, str>,
    /// Names of the slots.
    pub(crate) slots: Vec<char>,
    pub(crate) left: Tree,
    /// `None` for function rows.
    pub(crate) right: Option<Tree>,
    pub(crate) condition: Option<Tree>,
}

impl Tree {
    /// An application that a row did not state itself.
    pub(crate) fn app(op: Op, args: Vec<Tree>) -> Tree {
        Tree::App(Node { op, indices: vec![], args, stated: false })
    }

    /// The complement of a bit-vector or a Boolean, as `op` is.
    pub(crate) fn complement(op: Op, arg: Tree) -> Tree {
        match arg {
            Tree::App(node) if node.op == op => {
                node.args.into_iter().next().expect("negation has an argument")
            }
            arg => Tree::app(op, vec![arg]),
        }
    }

    /// The children.
    pub(crate) fn args(&self) -> &[Tree] {
        match self {
            Tree::Slot(_) | Tree::Literal(_) => &[],
            Tree::App(node) => &node.args,
            Tree::Call(_, args) => args,
        }
    }

    /// How often does a slot occur?
    pub(crate) fn occurrences(&self, slot: Slot) -> usize {
        match self {
            Tree::Slot(s) => usize::from(*s == slot),
            _ => self.args().iter().map(|arg| arg.occurrences(slot)).sum(),
        }
    }
}

/// Does a metavariable of this name match constants only?
pub(crate) fn names_constant(name: char) -> bool {
    matches!(name, 'k' | 'm' | 'n' | 'h')
}

/// The statement of a row, or that of its Boolean twin, under the given name.
pub(crate) fn statement(row: &Row, twin: bool, name: Cow<'static, str>) -> Result<Statement, String> {
    let explain = |why: String| format!("row '{}': {why}", row.name);
    let mut reader = Reader { slots: vec![], left: true };
    let mut tree = |text: &str| {
        let sexpr = read(text).map_err(explain)?;
        let tree = reader.tree(&if twin { boolean(sexpr) } else { sexpr }).map_err(explain);
        reader.left = false;
        tree
    };
    let left = tree(row.left)?;
    let right = if row.function.is_none() { Some(tree(row.right)?) } else { None };
    let condition = row.condition.map(tree).transpose()?;
    Ok(Statement { name, slots: reader.slots, left, right, condition })
}

/// A text as a tree over the given metavariables.
pub(crate) fn tree(text: &str, slots: &[char]) -> Result<Tree, String> {
    let explain = |why: String| format!("'{text}': {why}");
    let mut reader = Reader { slots: slots.to_vec(), left: false };
    reader.tree(&read(text).map_err(explain)?).map_err(explain)
}

/// The operator on top of a text, without reading the rest.
pub(crate) fn outer_operator(text: &str, twin: bool) -> Result<Op, String> {
    let words = text.split([' ', '(', ')']).filter(|word| !word.is_empty() && *word != "_");
    let name = words.into_iter().next().ok_or("an empty left side")?;
    Ok(operator(&Sexpr::Atom(if twin { boolean_atom(name) } else { name }))?.0)
}

/// A text of a row as it is stated, for its Boolean twin if `twin`.
pub(crate) fn stated(text: &'static str, twin: bool) -> Cow<'static, str> {
    match read(text) {
        Ok(sexpr) if twin => boolean(sexpr).to_string().into(),
        _ => text.into(),
    }
}

struct Reader {
    slots: Vec<char>,
    /// New metavariables may appear on the left only.
    left: bool,
}

impl Reader {
    /// Recursive: statements are shallow.
    fn tree(&mut self, sexpr: &Sexpr<'_>) -> Result<Tree, String> {
        match sexpr {
            Sexpr::Atom(atom) => self.atom(atom),
            Sexpr::List(items) => {
                let (head, args) = items.split_first().ok_or("an empty list")?;
                let args = args.iter().map(|arg| self.tree(arg)).collect::<Result<Vec<_>, _>>()?;
                if let Sexpr::Atom(name) = head
                    && let Some(function) = constant::function(name)
                {
                    return Ok(Tree::Call(function, args));
                }
                let (op, indices) = operator(head)?;
                if !op.info().arity.admits(args.len()) || op.info().indices as usize != indices.len() {
                    return Err(format!("'{op:?}' has the wrong number of arguments or indices"));
                }
                Ok(Tree::App(Node { op, indices, args, stated: true }))
            }
        }
    }

    fn atom(&mut self, atom: &str) -> Result<Tree, String> {
        let literal = match atom {
            "true" => Literal::Bool(true),
            "false" => Literal::Bool(false),
            "ones" => Literal::Ones,
            "min" => Literal::Min,
            "max" => Literal::Max,
            "#b0" => Literal::Bit(false),
            "#b1" => Literal::Bit(true),
            _ => match (atom.parse::<u64>(), atom.chars().next()) {
                (Ok(number), _) => Literal::Number(number),
                (_, Some(name)) if atom.len() == 1 && name.is_ascii_lowercase() => {
                    return self.slot(name).map(Tree::Slot);
                }
                _ => return Err(format!("'{atom}' is neither a literal nor a one-letter metavariable")),
            },
        };
        Ok(Tree::Literal(literal))
    }

    fn slot(&mut self, name: char) -> Result<Slot, String> {
        if let Some(slot) = self.slots.iter().position(|&s| s == name) {
            return Ok(slot as Slot);
        }
        if !self.left || self.slots.len() == MAX_SLOTS {
            return Err(format!("'{name}' does not occur on the left, or is one metavariable too many"));
        }
        self.slots.push(name);
        Ok((self.slots.len() - 1) as Slot)
    }
}

/// An operator by its SMT-LIB name, with its indices.
fn operator(head: &Sexpr<'_>) -> Result<(Op, Vec<Option<u32>>), String> {
    let (name, indices) = match head {
        Sexpr::Atom(name) => (*name, &[][..]),
        Sexpr::List(items) => match &items[..] {
            [Sexpr::Atom("_"), Sexpr::Atom(name), indices @ ..] => (*name, indices),
            _ => return Err(format!("'{head}' is not an operator")),
        },
    };
    let op = Op::all()
        .find(|op| op.name() == name && op.info().arity != Arity::Leaf && *op != Op::Apply)
        .ok_or_else(|| format!("'{name}' is not an operator"))?;
    let index = |index: &Sexpr<'_>| match index {
        Sexpr::Atom(atom) => atom.parse().ok(),
        Sexpr::List(_) => None,
    };
    Ok((op, indices.iter().map(index).collect()))
}

/// The same statement about Booleans.
fn boolean(sexpr: Sexpr<'_>) -> Sexpr<'_> {
    match sexpr {
        Sexpr::Atom(atom) => Sexpr::Atom(boolean_atom(atom)),
        Sexpr::List(items) => Sexpr::List(items.into_iter().map(boolean).collect()),
    }
}

fn boolean_atom(atom: &str) -> &str {
    match atom {
        "bvand" => "and",
        "bvor" => "or",
        "bvnot" => "not",
        "bvxor" => "xor",
        "0" => "false",
        "ones" => "true",
        other => other,
    }
}
