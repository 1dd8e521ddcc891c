//! From text to trees.
//!
//! A [`Tree`] is a term over *slots*: the metavariables of a statement, numbered. Which operators may be
//! used, and how many arguments and indices they take, is read from the operator table of `terms`; sorts are
//! checked by [`crate::Typing`].

use crate::functions::{self, Function};
use crate::sexpr::{Sexpr, read};
use bivalve_terms::{Arity, BitVec, Op, Sort, Value};

/// The number of a metavariable within its statement.
pub type Slot = u8;

/// No statement may have more metavariables.
pub const MAX_SLOTS: usize = 8;

/// A constant whose width follows from its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A number modulo 2^w.
    Number(u64),
    /// All bits are one.
    Ones,
    /// The least signed value.
    Min,
    /// The greatest signed value.
    Max,
    /// `#b0` or `#b1`: the only literal with a width.
    Bit(bool),
}

impl Literal {
    /// The value of the literal in a place of this sort.
    pub fn value(self, sort: Sort) -> Value {
        let width = sort.width().unwrap_or(1);
        match self {
            Literal::Bool(value) => value.into(),
            Literal::Number(number) => BitVec::from_u64(number, width).into(),
            Literal::Ones => BitVec::ones(width).into(),
            Literal::Min => BitVec::min_signed(width).into(),
            Literal::Max => BitVec::max_signed(width).into(),
            Literal::Bit(bit) => BitVec::from_bool(bit).into(),
        }
    }
}

/// A term with metavariables.
#[derive(Clone, PartialEq, Debug)]
pub enum Tree {
    /// A metavariable.
    Slot(Slot),
    /// A constant.
    Literal(Literal),
    /// An operator over trees.
    App(Node),
    /// A function of [`crate::functions`].
    Call(&'static Function, Vec<Tree>),
}

/// An operator over trees.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The operator.
    pub op: Op,
    /// As in the text; `None` is an index that is named, not numbered, which only function rows have.
    pub indices: Vec<Option<u32>>,
    /// The arguments.
    pub args: Vec<Tree>,
    /// Whether the text has it; otherwise a normal form brought it in.
    pub stated: bool,
}

impl Tree {
    /// An application that the text did not state itself.
    pub fn app(op: Op, args: Vec<Tree>) -> Tree {
        Tree::App(Node { op, indices: vec![], args, stated: false })
    }

    /// The complement of a bit-vector or a Boolean, as `op` is.
    pub fn complement(op: Op, arg: Tree) -> Tree {
        match arg {
            Tree::App(node) if node.op == op => {
                node.args.into_iter().next().expect("negation has an argument")
            }
            arg => Tree::app(op, vec![arg]),
        }
    }

    /// The children.
    pub fn args(&self) -> &[Tree] {
        match self {
            Tree::Slot(_) | Tree::Literal(_) => &[],
            Tree::App(node) => &node.args,
            Tree::Call(_, args) => args,
        }
    }

    /// How often a slot occurs.
    pub fn occurrences(&self, slot: Slot) -> usize {
        match self {
            Tree::Slot(s) => usize::from(*s == slot),
            _ => self.args().iter().map(|arg| arg.occurrences(slot)).sum(),
        }
    }
}

/// Whether a metavariable of this name matches constants only.
pub fn names_constant(name: char) -> bool {
    matches!(name, 'k' | 'm' | 'n' | 'h')
}

/// Reads trees over one list of metavariables.
#[derive(Default)]
pub struct Reader {
    slots: Vec<char>,
    is_closed: bool,
}

impl Reader {
    /// Metavariables are numbered as they appear, until the list is closed.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Trees over these metavariables and no others.
    pub fn over(slots: &[char]) -> Reader {
        Reader { slots: slots.to_vec(), is_closed: true }
    }

    /// From now on no new metavariable may appear.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// The names of the slots.
    pub fn into_slots(self) -> Vec<char> {
        self.slots
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn read(&mut self, text: &str) -> Result<Tree, String> {
        self.tree(&read(text)?)
    }

    /// Resolves the operators of an expression. Recursive: statements are shallow.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression.
    pub fn tree(&mut self, sexpr: &Sexpr<'_>) -> Result<Tree, String> {
        match sexpr {
            Sexpr::Atom(atom) => self.atom(atom),
            Sexpr::List(items) => {
                let (head, args) = items.split_first().ok_or("an empty list")?;
                let args = args.iter().map(|arg| self.tree(arg)).collect::<Result<Vec<_>, _>>()?;
                if let Sexpr::Atom(name) = head
                    && let Some(function) = functions::function(name)
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
        if self.is_closed || self.slots.len() == MAX_SLOTS {
            return Err(format!("'{name}' is not among the metavariables, or is one too many"));
        }
        self.slots.push(name);
        Ok((self.slots.len() - 1) as Slot)
    }
}

/// An operator by its SMT-LIB name, with its indices.
///
/// # Errors
///
/// The expression names no operator.
pub fn operator(head: &Sexpr<'_>) -> Result<(Op, Vec<Option<u32>>), String> {
    let (name, indices) = match head {
        Sexpr::Atom(name) => (*name, &[][..]),
        Sexpr::List(items) => match &items[..] {
            [Sexpr::Atom("_"), Sexpr::Atom(name), indices @ ..] => (*name, indices),
            _ => return Err(format!("'{head}' is not an operator")),
        },
    };
    let op = Op::native()
        .find(|op| op.name() == name && op.info().arity != Arity::Leaf && *op != Op::Apply)
        .ok_or_else(|| format!("'{name}' is not an operator"))?;
    let index = |index: &Sexpr<'_>| match index {
        Sexpr::Atom(atom) => atom.parse().ok(),
        Sexpr::List(_) => None,
    };
    Ok((op, indices.iter().map(index).collect()))
}
