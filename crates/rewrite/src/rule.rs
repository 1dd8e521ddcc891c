//! Rules: rows made ready for use.
//!
//! Compiling a row means: bring its sides into normal form ([`crate::normal`]), infer sorts
//! ([`bivalve_statements::Typing`]), list the variants of the left side, and turn trees into [`Pattern`]s,
//! conditions into [`Expr`]s and the right side into an [`Out`]. What could go wrong in use is refused here:
//! a right side that would be ill-sorted for some match of the left one, a literal whose width cannot be
//! looked up, an operator over constants on the left (no term in normal form has one).
//!
//! A negated metavariable on the left matches any term, as the complement (see [`crate::matcher`]), if the
//! negation was brought in by an elimination or if the metavariable occurs elsewhere on the left too;
//! otherwise the row is about the negation, and the term must have one.

use crate::matcher::{Bindings, Match, Pattern};
use crate::normal::{Eliminations, is_constant, top_negation, variants};
use crate::row::{Row, RuleFunction};
use crate::statement::{Statement, stated};
use bivalve_statements::Head;
use bivalve_statements::functions::{self, Function, Meaning};
use bivalve_statements::make;
use bivalve_statements::{Class, Kind, SortSource, Typing};
use bivalve_statements::{Literal, Node, Slot, Tree, names_constant};
use bivalve_terms::{Args, Op, Pool, Sort, Term, Value};
use std::borrow::Cow;

/// A rewrite rule, compiled from a row of the table.
pub struct Rule {
    name: Cow<'static, str>,
    row: Row,
    slots: Vec<char>,
    head: Op,
    /// Metavariables that the row states to be Boolean, where the pattern alone would match more.
    booleans: Vec<Slot>,
    condition: Option<Expr>,
    action: Action,
}

/// The right side.
enum Action {
    Build(Out),
    Function(RuleFunction),
}

/// A right side to be built.
enum Out {
    Slot(Slot),
    Constant(Expr),
    App { op: Op, indices: Vec<u32>, args: Vec<Out> },
    ConstArray { sort: SortSource, element: Box<Out> },
}

/// A term over constants, to be evaluated, not built.
enum Expr {
    Slot(Slot),
    Literal(Literal, SortSource),
    App { op: Op, index: u32, width: u32, args: Vec<Expr> },
    Call(&'static Function, Box<Expr>),
    Ask(&'static Function, Vec<Slot>),
}

/// Everything that evaluation and building look at.
struct Scene<'a> {
    head: &'a Head<'a>,
    bindings: &'a Bindings,
}

impl Rule {
    /// The rule's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The left side as stated, in the SMT-LIB syntax of the table.
    pub fn left(&self) -> Cow<'static, str> {
        self.text(self.row.left)
    }

    /// Why the right side may be larger than the left one.
    pub fn grows(&self) -> Option<&'static str> {
        self.row.grows
    }

    /// A text of the row; a rule that is not called like its row is the Boolean twin.
    fn text(&self, text: &'static str) -> Cow<'static, str> {
        stated(text, self.name != self.row.name)
    }

    /// The operator of the terms that the rule rewrites. Rules stated with an eliminated operator start from
    /// what it is eliminated to.
    pub fn head(&self) -> Op {
        self.head
    }

    /// Does the condition ask for terms of a single bit?
    pub(crate) fn asks_for_bits(&self) -> bool {
        matches!(&self.condition, Some(Expr::Ask(Function { meaning: Meaning::Bit, .. }, _)))
    }

    /// Compiles a statement; also gives the argument patterns of its variants.
    pub(crate) fn compile(
        row: &Row,
        statement: Statement,
        eliminations: &Eliminations,
    ) -> Result<(Rule, Vec<Vec<Pattern>>), String> {
        let name = statement.name.clone();
        compile(row, statement, eliminations).map_err(|why| format!("row '{name}': {why}"))
    }

    /// The right side for a match of the left one; `None` if the condition does not hold, or if a function
    /// declines.
    pub(crate) fn apply(&self, pool: &mut Pool, head: &Head<'_>, bindings: &Bindings) -> Option<Term> {
        let scene = Scene { head, bindings };
        if self.booleans.iter().any(|&slot| !pool.sort(bindings.edge(slot).term).is_bool()) {
            return None;
        }
        if let Some(condition) = &self.condition
            && !scene.evaluate(pool, condition).expect_bool()
        {
            return None;
        }
        match &self.action {
            Action::Build(out) => Some(scene.build(pool, out)),
            Action::Function(function) => {
                function(pool, &Match { head: *head, bindings: *bindings, slots: &self.slots })
            }
        }
    }
}

impl Scene<'_> {
    fn sort(&self, pool: &Pool, source: SortSource) -> Sort {
        match source {
            SortSource::Slot(slot) => pool.sort(self.bindings.edge(slot).term),
            SortSource::Root => self.head.sort,
            SortSource::Fixed(sort) => sort,
        }
    }

    /// Recursive: right sides are shallow.
    fn build(&self, pool: &mut Pool, out: &Out) -> Term {
        match out {
            Out::Slot(slot) => make::edge(pool, self.bindings.edge(*slot)),
            Out::Constant(expr) => {
                let value = self.evaluate(pool, expr);
                make::constant(pool, &value)
            }
            Out::App { op, indices, args } => match &args[..] {
                [a] if indices.is_empty() => {
                    let a = self.build(pool, a);
                    make::app(pool, *op, &[a])
                }
                _ => {
                    let args: Vec<Term> = args.iter().map(|arg| self.build(pool, arg)).collect();
                    match indices.is_empty() {
                        true => make::app(pool, *op, &args),
                        false => make::indexed(pool, *op, indices, &args),
                    }
                }
            },
            Out::ConstArray { sort, element } => {
                let element = self.build(pool, element);
                make::const_array(pool, self.sort(pool, *sort), element)
            }
        }
    }

    fn evaluate(&self, pool: &Pool, expr: &Expr) -> Value {
        match expr {
            Expr::Slot(slot) => {
                let edge = self.bindings.edge(*slot);
                make::value(pool, edge.term).expect("constants alone are bound to k, m, n and h")
            }
            Expr::Literal(literal, source) => literal.value(self.sort(pool, *source)),
            Expr::App { op, index, width, args } => {
                let values: Vec<Value> = args.iter().map(|arg| self.evaluate(pool, arg)).collect();
                let values: Vec<&Value> = values.iter().collect();
                (op.info().meaning)(&Args::native(&values, *index, *width))
            }
            Expr::Call(function, arg) => functions::apply(function, &self.evaluate(pool, arg)),
            Expr::Ask(function, slots) => {
                let terms: Vec<_> = slots.iter().map(|&slot| self.bindings.edge(slot)).collect();
                functions::ask(function, pool, &terms).expect("only functions of terms are asked").into()
            }
        }
    }
}

fn compile(
    row: &Row,
    statement: Statement,
    eliminations: &Eliminations,
) -> Result<(Rule, Vec<Vec<Pattern>>), String> {
    let Statement { name, slots, left, right, condition } = statement;
    let stated = left.clone();
    let (left, removed) = if row.definition { (left, vec![]) } else { normal_left(left, eliminations) };
    let right = right.map(|right| eliminations.normalise(right));
    let right = removed.iter().fold(right, |right, &op| right.map(|right| Tree::complement(op, right)));
    if row.function.is_some() && !removed.is_empty() {
        return Err("a function row starts from a negation".into());
    }
    let Tree::App(node) = &left else {
        return Err("the left side is not an application".into());
    };

    let mut typing = Typing::new(&slots);
    let root = typing.enter(&left, &mut vec![])?;
    let booleans = lost_sorts(&stated, &mut typing, &slots)?;
    let mut trace = vec![];
    if let Some(condition) = &condition {
        typing.enter(condition, &mut trace)?;
        typing.trust(condition)?;
    }
    let before = typing.known(root);
    let mut right_trace = vec![];
    if let Some(right) = &right {
        let class = typing.enter(right, &mut right_trace)?;
        typing.join(root, class)?;
    }
    if typing.known(root) != before {
        return Err("the right side is ill-sorted for some matches of the left one".into());
    }

    let lowering = |trace| Lowering { typing: &typing, root, slots: &slots, trace, next: 0 };
    let action = match (&right, row.function) {
        (Some(right), None) => Action::Build(lowering(right_trace).out(right)?),
        (None, Some(function)) => Action::Function(function),
        _ => unreachable!("a row has a right side or a function"),
    };
    let expr = condition.as_ref().map(|condition| lowering(trace).expr(condition)).transpose()?;
    let patterns = variants(&left, &slots, condition.as_ref())
        .iter()
        .map(|variant| variant.args().iter().map(|arg| pattern(arg, &left, &slots)).collect())
        .collect::<Result<Vec<Vec<Pattern>>, String>>()?;
    let rule = Rule { name, row: *row, head: node.op, booleans, condition: expr, action, slots };
    Ok((rule, patterns))
}

/// Elimination may lose sorts: `(xor x y)` is about Booleans, `(not (= x y))` is not. The metavariables that
/// this happened to are returned, and `typing`, that of the normal form, learns of it.
fn lost_sorts(stated: &Tree, typing: &mut Typing, slots: &[char]) -> Result<Vec<Slot>, String> {
    let mut original = Typing::new(slots);
    original.enter(stated, &mut vec![])?;
    let mut booleans = vec![];
    for slot in 0..slots.len() as Slot {
        if typing.slot_kind(slot) == Kind::Unknown && original.slot_kind(slot) == Kind::Bool {
            typing.set_boolean(slot)?;
            booleans.push(slot);
        }
    }
    match typing.known_slots() == original.known_slots() {
        true => Ok(booleans),
        false => Err("elimination loses sorts".into()),
    }
}

/// A left side in normal form, without the negations that elimination put on top; these come too.
pub(crate) fn normal_left(left: Tree, eliminations: &Eliminations) -> (Tree, Vec<Op>) {
    let (mut left, mut removed) = (eliminations.normalise(left), vec![]);
    while let Some((op, below)) = top_negation(&left) {
        removed.push(op);
        left = below.clone();
    }
    (left, removed)
}

/// A sub-tree of the left side `left` as a pattern.
fn pattern(tree: &Tree, left: &Tree, slots: &[char]) -> Result<Pattern, String> {
    match tree {
        Tree::Slot(slot) if is_constant(tree, slots) => Ok(Pattern::Constant(*slot)),
        Tree::Slot(slot) => Ok(Pattern::Any(*slot)),
        Tree::Literal(literal) => Ok(Pattern::Literal(*literal)),
        Tree::Call(function, _) => Err(format!("'{}' on the left", function.name)),
        Tree::App(node) => {
            if node.args.iter().all(|arg| is_constant(arg, slots)) {
                return Err("an operator over constants on the left".into());
            }
            if let (Op::Not | Op::BvNot, Tree::Slot(slot)) = (node.op, &node.args[0])
                && (!node.stated || left.occurrences(*slot) > 1)
            {
                return Ok(Pattern::Complement { slot: *slot, negation: node.op });
            }
            let args = node.args.iter().map(|arg| pattern(arg, left, slots)).collect::<Result<_, _>>()?;
            if node.indices.iter().any(Option::is_some) {
                return Err("a numbered index on the left".into());
            }
            Ok(Pattern::App { op: node.op, args })
        }
    }
}

/// Turns trees into what is evaluated and built, given the classes of their nodes, parents before children.
struct Lowering<'a> {
    typing: &'a Typing,
    root: Class,
    slots: &'a [char],
    trace: Vec<Class>,
    next: usize,
}

impl Lowering<'_> {
    fn source(&self, class: Class) -> Result<SortSource, String> {
        self.typing.source(class, self.root).ok_or_else(|| "a sort cannot be looked up".into())
    }

    fn out(&mut self, tree: &Tree) -> Result<Out, String> {
        if self.is_expr(tree) {
            return self.expr(tree).map(Out::Constant);
        }
        let class = self.trace[self.next];
        self.next += 1;
        match tree {
            Tree::Slot(slot) => Ok(Out::Slot(*slot)),
            Tree::App(Node { op: Op::ConstArray, args, .. }) => {
                let element = Box::new(self.out(&args[0])?);
                Ok(Out::ConstArray { sort: self.source(class)?, element })
            }
            Tree::App(node) => {
                let args = node.args.iter().map(|arg| self.out(arg)).collect::<Result<_, _>>()?;
                let indices: Option<Vec<u32>> = node.indices.iter().copied().collect();
                Ok(Out::App { op: node.op, indices: indices.ok_or("a named index on the right")?, args })
            }
            Tree::Literal(_) | Tree::Call(..) => Err("a function of something that is no constant".into()),
        }
    }

    fn expr(&mut self, tree: &Tree) -> Result<Expr, String> {
        let class = self.trace[self.next];
        self.next += 1;
        match tree {
            Tree::Slot(slot) => Ok(Expr::Slot(*slot)),
            Tree::Literal(literal) => Ok(Expr::Literal(*literal, self.source(class)?)),
            Tree::App(node) => {
                let args = node.args.iter().map(|arg| self.expr(arg)).collect::<Result<_, _>>()?;
                let (index, width) = match node.indices[..] {
                    [] => (0, 0),
                    [Some(index)] => (index, 0),
                    [Some(high), Some(low)] => (low, high - low + 1),
                    _ => return Err("a named index among constants".into()),
                };
                Ok(Expr::App { op: node.op, index, width, args })
            }
            Tree::Call(function, args) => match function.meaning {
                Meaning::SameSort | Meaning::Bit | Meaning::Structure(_) => {
                    self.next += args.len();
                    let slot = |arg: &Tree| match arg {
                        Tree::Slot(slot) => Ok(*slot),
                        _ => Err("a function of terms needs metavariables"),
                    };
                    Ok(Expr::Ask(function, args.iter().map(slot).collect::<Result<_, _>>()?))
                }
                Meaning::Predicate(_) | Meaning::Number(_) => {
                    Ok(Expr::Call(function, Box::new(self.expr(&args[0])?)))
                }
            },
        }
    }

    /// Is the tree made of constants only?
    fn is_expr(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Slot(slot) => names_constant(self.slots[*slot as usize]),
            Tree::Literal(_) => true,
            Tree::App(Node { op: Op::ConstArray, .. }) => false,
            Tree::App(node) => node.args.iter().all(|arg| self.is_expr(arg)),
            Tree::Call(..) => true,
        }
    }
}
