//! Statements in the normal form of terms.
//!
//! Rules meet terms whose children are rewritten already: no `bvor` is left below, no `bvsub`, no double
//! negation. A statement may well be written with these, so its left side is brought into the same form when
//! the table is compiled, by the elimination rows themselves: `x ∨ (x ∧ y)` becomes `¬(¬x ∧ ¬(x ∧ y))`. Three
//! more steps follow what the engine does to negations: double ones cancel, those below an exclusive-or or a
//! Boolean equality move out, and one that ends up on top is taken off both sides, so that the rule fires on
//! the conjunction below, where the engine looks first. Only negations that an elimination brought in move;
//! one that the row states is what the row is about.
//!
//! Commutative operators keep their arguments in an order that a pattern cannot foresee, except that
//! constants come first. [`variants`] therefore lists a left side with the arguments of every commutative
//! operator in it, nested ones too, in both orders, less those that differ by the names of metavariables
//! only. Three such operators make eight variants at most, and [`crate::index`] looks at all of them at once.

use crate::statement::Statement;
use bivalve_statements::{MAX_SLOTS, Node, Slot, Tree, names_constant};
use bivalve_terms::{Arity, Op};
use rustc_hash::FxHashMap;

/// What operators are defined as: the parameters of the definition are slots 0, 1, ...
#[derive(Default)]
pub(crate) struct Eliminations {
    templates: FxHashMap<Op, Tree>,
}

impl Eliminations {
    /// Enters a statement of the form `(op x y) = template`, whose template uses operators of the core and
    /// such as were entered before. Statements of other forms are refused.
    pub(crate) fn insert(&mut self, statement: &Statement) -> Result<(), String> {
        let parameters =
            |args: &[Tree]| args.iter().enumerate().all(|(i, arg)| *arg == Tree::Slot(i as Slot));
        match (&statement.left, &statement.right) {
            (Tree::App(Node { op, args, .. }), Some(right)) if parameters(args) => {
                let template = self.normalise(unstated(right));
                self.templates.insert(*op, template);
                Ok(())
            }
            _ => Err(format!("row '{}': an elimination equates an operator over variables", statement.name)),
        }
    }

    /// The operator below the negations on top of what `op` is eliminated to; `op` itself if it is not.
    pub(crate) fn head(&self, op: Op) -> Op {
        let mut tree = self.templates.get(&op);
        while let Some((_, below)) = tree.and_then(top_negation) {
            tree = Some(below);
        }
        match tree {
            Some(Tree::App(node)) => node.op,
            _ => op,
        }
    }

    /// A tree in the normal form of terms. Recursive: statements are shallow.
    pub(crate) fn normalise(&self, tree: Tree) -> Tree {
        let node = match tree {
            Tree::Slot(_) | Tree::Literal(_) => return tree,
            Tree::Call(function, args) => {
                return Tree::Call(function, args.into_iter().map(|arg| self.normalise(arg)).collect());
            }
            Tree::App(node) => node,
        };
        let args: Vec<Tree> = node.args.into_iter().map(|arg| self.normalise(arg)).collect();
        let node = Node { args, ..node };
        if node.args.len() > 2 && node.op.info().arity == Arity::LeftAssoc {
            let Node { op, args, stated, .. } = node;
            let binary =
                |a, b| self.normalise(Tree::App(Node { op, indices: vec![], args: vec![a, b], stated }));
            let chained = match op {
                Op::Concat => args.into_iter().rev().reduce(|low, high| binary(high, low)),
                _ => args.into_iter().reduce(binary),
            };
            return chained.expect("more than two arguments");
        }
        match self.templates.get(&node.op) {
            Some(template) => self.normalise(substitute(template, &node.args)),
            None => move_negations(node),
        }
    }
}

/// The template with its slots replaced.
fn substitute(template: &Tree, args: &[Tree]) -> Tree {
    match template {
        Tree::Slot(slot) => args[*slot as usize].clone(),
        Tree::Literal(_) => template.clone(),
        Tree::Call(function, inner) => {
            Tree::Call(function, inner.iter().map(|arg| substitute(arg, args)).collect())
        }
        Tree::App(node) => {
            let inner = node.args.iter().map(|arg| substitute(arg, args)).collect();
            Tree::App(Node { args: inner, ..node.clone() })
        }
    }
}

/// The same tree, as if no operator in it were stated by a row.
fn unstated(tree: &Tree) -> Tree {
    match tree {
        Tree::Slot(_) | Tree::Literal(_) => tree.clone(),
        Tree::Call(function, args) => Tree::Call(function, args.iter().map(unstated).collect()),
        Tree::App(node) => {
            let args = node.args.iter().map(unstated).collect();
            Tree::App(Node { args, stated: false, ..node.clone() })
        }
    }
}

/// One step at the root of a tree whose children are in normal form.
fn move_negations(node: Node) -> Tree {
    let negation = match node.op {
        Op::BvXor => Op::BvNot,
        Op::Eq => Op::Not,
        op => op,
    };
    let brought_in = |arg: &Tree| matches!(arg, Tree::App(n) if n.op == negation && !n.stated);
    match node.op {
        Op::Not | Op::BvNot => match &node.args[0] {
            Tree::App(inner) if inner.op == node.op && !(inner.stated && node.stated) => {
                inner.args[0].clone()
            }
            _ => Tree::App(node),
        },
        Op::BvXor | Op::Eq => match node.args.iter().position(brought_in) {
            Some(position) => {
                let mut node = node;
                node.args[position] = node.args[position].args()[0].clone();
                let inner = move_negations(node);
                move_negations(Node { op: negation, indices: vec![], args: vec![inner], stated: false })
            }
            None => Tree::App(node),
        },
        _ => Tree::App(node),
    }
}

/// The negation that was brought in on top of a tree, and the tree below it.
pub(crate) fn top_negation(tree: &Tree) -> Option<(Op, &Tree)> {
    match tree {
        Tree::App(node) if matches!(node.op, Op::Not | Op::BvNot) && !node.stated => {
            Some((node.op, &node.args[0]))
        }
        _ => None,
    }
}

/// The left side with the arguments of commutative operators in all orders that a term may have. Two orders
/// are one variant if they, and the condition with them, differ by names only.
pub(crate) fn variants(left: &Tree, slots: &[char], condition: Option<&Tree>) -> Vec<Tree> {
    let mut variants: Vec<Tree> = vec![];
    for order in orders(left, slots) {
        let known = variants.iter().any(|variant| {
            let mut names = [None; MAX_SLOTS];
            renames(variant, &order, slots, &mut names)
                && condition.is_none_or(|condition| renames(condition, condition, slots, &mut names))
        });
        if !known {
            variants.push(order);
        }
    }
    variants
}

/// Is `b` the same as `a` but for names? `names` maps slots of `a` to those of `b`, as far as they were met.
fn renames(a: &Tree, b: &Tree, slots: &[char], names: &mut [Option<Slot>; MAX_SLOTS]) -> bool {
    let same = match (a, b) {
        (Tree::Slot(a), Tree::Slot(b)) => {
            let alike = names_constant(slots[*a as usize]) == names_constant(slots[*b as usize]);
            return match names[*a as usize] {
                Some(name) => name == *b,
                None if names.contains(&Some(*b)) => false,
                None => {
                    names[*a as usize] = Some(*b);
                    alike
                }
            };
        }
        (Tree::Literal(a), Tree::Literal(b)) => a == b,
        (Tree::App(a), Tree::App(b)) => (a.op, &a.indices, a.stated) == (b.op, &b.indices, b.stated),
        (Tree::Call(a, _), Tree::Call(b, _)) => a == b,
        _ => false,
    };
    let (a, b) = (a.args(), b.args());
    same && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| renames(a, b, slots, names))
}

fn orders(tree: &Tree, slots: &[char]) -> Vec<Tree> {
    let Tree::App(node) = tree else {
        return vec![tree.clone()];
    };
    let mut lists: Vec<Vec<Tree>> = vec![vec![]];
    for arg in &node.args {
        let choices = orders(arg, slots);
        lists = lists
            .iter()
            .flat_map(|list| choices.iter().map(|choice| [&list[..], std::slice::from_ref(choice)].concat()))
            .collect();
    }
    let commutes = node.op.info().commutative && node.args.len() == 2;
    let build = |args| Tree::App(Node { args, ..node.clone() });
    let mut trees = vec![];
    for list in lists {
        let constant: Vec<bool> = list.iter().map(|arg| is_constant(arg, slots)).collect();
        let swapped: Vec<Tree> = list.iter().rev().cloned().collect();
        match constant[..] {
            [false, true] if commutes => trees.push(build(swapped)),
            [false, false] if commutes => trees.extend([build(list), build(swapped)]),
            _ => trees.push(build(list)),
        }
    }
    trees
}

/// Does a pattern match constants only?
pub(crate) fn is_constant(tree: &Tree, slots: &[char]) -> bool {
    match tree {
        Tree::Slot(slot) => names_constant(slots[*slot as usize]),
        Tree::Literal(_) => true,
        Tree::App(_) | Tree::Call(..) => false,
    }
}
