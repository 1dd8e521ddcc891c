//! Sort inference for statements.
//!
//! Metavariables have no declared sorts, and literals no widths: both follow from the operators around them.
//! Each node of a statement gets a class of a union-find; operators of the same family join classes or fix
//! them. What comes of it is (a) a refusal of ill-sorted rows when the table is compiled, and (b) for each
//! literal of a right side the place where its width can be looked up once a term has matched: a metavariable
//! of the same sort, or the matched term itself ([`SortSource`]).
//!
//! Widths that are sums (concatenations) or computed from indices are fresh classes: such a statement can be
//! too lax here, but never wrong in use, because every term that is built passes the sort check of the pool.

use crate::functions::{Function, Meaning};
use crate::tree::{Literal, Node, Slot, Tree, names_constant};
use bivalve_terms::{Op, Sort, SortRule};

/// A class of nodes of equal sort.
pub type Class = usize;

/// Where to look up a sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortSource {
    /// The sort of what the slot is bound to.
    Slot(Slot),
    /// The sort of the matched term.
    Root,
    /// This one.
    Fixed(Sort),
}

/// What is known of a class.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// Any sort.
    Unknown,
    /// A Boolean.
    Bool,
    /// A bit-vector, perhaps of known width.
    BitVec(Option<u32>),
    /// An array.
    Array {
        /// The class of its indices.
        index: Class,
        /// The class of its elements.
        element: Class,
    },
}

/// The classes of a statement.
#[derive(Default)]
pub struct Typing {
    parents: Vec<Class>,
    kinds: Vec<Kind>,
    slots: Vec<Class>,
}

impl Typing {
    /// The classes of a row over these metavariables; `k m n h` are bit-vectors.
    pub fn new(slots: &[char]) -> Typing {
        let mut typing = Typing::default();
        for &name in slots {
            let class = typing.fresh(if names_constant(name) { Kind::BitVec(None) } else { Kind::Unknown });
            typing.slots.push(class);
        }
        typing
    }

    /// The class of a tree, whose nodes are entered on the way; their classes are pushed to `trace`, parents
    /// before children. Recursive: statements are shallow.
    ///
    /// # Errors
    ///
    /// The tree is ill-sorted.
    pub fn enter(&mut self, tree: &Tree, trace: &mut Vec<Class>) -> Result<Class, String> {
        let place = trace.len();
        trace.push(0);
        let args = tree.args().iter().map(|arg| self.enter(arg, trace)).collect::<Result<Vec<_>, _>>()?;
        trace[place] = self.node(tree, &args)?;
        Ok(trace[place])
    }

    /// Adds what a condition requires of sorts: all its conjuncts.
    ///
    /// # Errors
    ///
    /// The condition contradicts what is known.
    pub fn trust(&mut self, condition: &Tree) -> Result<(), String> {
        match condition {
            Tree::App(Node { op: Op::And, args, .. }) => args.iter().try_for_each(|arg| self.trust(arg)),
            Tree::Call(Function { meaning, .. }, args) => match (meaning, &args[..]) {
                (Meaning::SameSort, &[Tree::Slot(a), Tree::Slot(b)]) => {
                    let (a, b) = (self.slot(a), self.slot(b));
                    self.join(a, b)
                }
                (Meaning::Bit, &[Tree::Slot(slot)]) => {
                    let class = self.slot(slot);
                    self.fix(class, Kind::BitVec(Some(1)))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn node(&mut self, tree: &Tree, args: &[Class]) -> Result<Class, String> {
        match tree {
            Tree::Slot(slot) => Ok(self.slot(*slot)),
            Tree::Literal(Literal::Bool(_)) => Ok(self.fresh(Kind::Bool)),
            Tree::Literal(Literal::Bit(_)) => Ok(self.fresh(Kind::BitVec(Some(1)))),
            Tree::Literal(_) => Ok(self.fresh(Kind::BitVec(None))),
            Tree::App(node) => self.app(node, args),
            Tree::Call(function, _) => {
                if let Meaning::Predicate(_) | Meaning::Number(_) = function.meaning {
                    self.fix(args[0], Kind::BitVec(None))?;
                }
                match function.meaning {
                    Meaning::Number(_) => Ok(args[0]),
                    _ => Ok(self.fresh(Kind::Bool)),
                }
            }
        }
    }

    /// The class of a slot.
    fn slot(&self, slot: Slot) -> Class {
        self.slots[slot as usize]
    }

    /// How many classes there are, those that were joined counted.
    pub fn classes(&self) -> usize {
        self.parents.len()
    }

    /// The classes of the slots.
    pub fn slots(&self) -> &[Class] {
        &self.slots
    }

    /// What is known of a class.
    pub fn kind(&self, class: Class) -> Kind {
        self.kinds[self.find(class)]
    }

    /// All that is known of the sorts of the slots and of `root`, less what the classes are called: two equal
    /// answers mean that nothing was learnt in between.
    pub fn known(&self, root: Class) -> Vec<(usize, Kind)> {
        self.describe(self.slots.iter().copied().chain([root]).collect())
    }

    /// The same of the slots alone.
    pub fn known_slots(&self) -> Vec<(usize, Kind)> {
        self.describe(self.slots.clone())
    }

    fn describe(&self, classes: Vec<Class>) -> Vec<(usize, Kind)> {
        let name = |class: Class| match self.kind(class) {
            Kind::Bool | Kind::BitVec(Some(_)) => 0,
            _ => classes.iter().position(|&c| self.same(c, class)).unwrap_or(usize::MAX),
        };
        let describe = |&class: &Class| match self.kind(class) {
            Kind::Array { index, element } => {
                (name(class), Kind::Array { index: name(index), element: name(element) })
            }
            kind => (name(class), kind),
        };
        classes.iter().map(describe).collect()
    }

    /// What is known of a slot.
    pub fn slot_kind(&self, slot: Slot) -> Kind {
        self.kind(self.slot(slot))
    }

    /// Makes a slot Boolean.
    ///
    /// # Errors
    ///
    /// The slot is known to be something else.
    pub fn set_boolean(&mut self, slot: Slot) -> Result<(), String> {
        self.fix(self.slot(slot), Kind::Bool)
    }

    /// Whether two classes are known to be one.
    pub fn same(&self, a: Class, b: Class) -> bool {
        self.find(a) == self.find(b)
    }

    /// Where the sort of `class` can be looked up, given the class of the matched term.
    pub fn source(&self, class: Class, root: Class) -> Option<SortSource> {
        match self.kind(class) {
            Kind::Bool => return Some(SortSource::Fixed(Sort::BOOL)),
            Kind::BitVec(Some(width)) => return Sort::bitvec(width).ok().map(SortSource::Fixed),
            Kind::BitVec(None) | Kind::Unknown | Kind::Array { .. } => {}
        }
        let slot = self.slots.iter().position(|&slot| self.same(slot, class));
        match slot {
            Some(slot) => Some(SortSource::Slot(slot as Slot)),
            None => self.same(class, root).then_some(SortSource::Root),
        }
    }

    /// Joins two classes.
    ///
    /// # Errors
    ///
    /// They are known to be of different sorts.
    pub fn join(&mut self, a: Class, b: Class) -> Result<(), String> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        let other = self.kinds[b];
        self.parents[b] = a;
        self.fix(a, other)
    }

    fn fresh(&mut self, kind: Kind) -> Class {
        self.parents.push(self.parents.len());
        self.kinds.push(kind);
        self.parents.len() - 1
    }

    /// The representative of a class.
    pub fn find(&self, mut class: Class) -> Class {
        while self.parents[class] != class {
            class = self.parents[class];
        }
        class
    }

    fn fix(&mut self, class: Class, kind: Kind) -> Result<(), String> {
        let class = self.find(class);
        self.kinds[class] = match (self.kinds[class], kind) {
            (known, Kind::Unknown) | (Kind::Unknown, known) => known,
            (Kind::Bool, Kind::Bool) => Kind::Bool,
            (Kind::BitVec(known), Kind::BitVec(None)) | (Kind::BitVec(None), Kind::BitVec(known)) => {
                Kind::BitVec(known)
            }
            (Kind::BitVec(a), Kind::BitVec(b)) if a == b => Kind::BitVec(a),
            (Kind::Array { index, element }, Kind::Array { index: i, element: e }) => {
                self.join(index, i)?;
                self.join(element, e)?;
                Kind::Array { index, element }
            }
            (known, new) => return Err(format!("ill-sorted: {known:?} and {new:?}")),
        };
        Ok(())
    }

    fn all(&mut self, args: &[Class], kind: Kind) -> Result<Class, String> {
        self.fix(args[0], kind)?;
        args[1..].iter().try_for_each(|&arg| self.join(args[0], arg))?;
        Ok(args[0])
    }

    fn array(&mut self, class: Class) -> Result<(Class, Class), String> {
        let (index, element) = (self.fresh(Kind::Unknown), self.fresh(Kind::Unknown));
        self.fix(class, Kind::Array { index, element })?;
        match self.kind(class) {
            Kind::Array { index, element } => Ok((index, element)),
            _ => unreachable!("the class was fixed to be an array"),
        }
    }

    /// The sort rules of the operator table, over classes. The pool checks terms whose sorts exist; here a
    /// rule determines which unknown sorts are equal.
    fn app(&mut self, node: &Node, args: &[Class]) -> Result<Class, String> {
        let bits = Kind::BitVec(None);
        match node.op.info().rule {
            SortRule::Bools => self.all(args, Kind::Bool),
            SortRule::SameSort => self.all(args, Kind::Unknown).map(|_| self.fresh(Kind::Bool)),
            SortRule::Ite => {
                self.fix(args[0], Kind::Bool)?;
                self.all(&args[1..], Kind::Unknown)
            }
            SortRule::Select => {
                let (index, element) = self.array(args[0])?;
                self.join(index, args[1]).map(|()| element)
            }
            SortRule::Store => {
                let (index, element) = self.array(args[0])?;
                self.join(index, args[1])?;
                self.join(element, args[2]).map(|()| args[0])
            }
            SortRule::Annotated => {
                let index = self.fresh(Kind::Unknown);
                Ok(self.fresh(Kind::Array { index, element: args[0] }))
            }
            SortRule::Concat | SortRule::Extract | SortRule::Repeat | SortRule::Extend => {
                args.iter().try_for_each(|&arg| self.fix(arg, bits))?;
                let width = match node.indices[..] {
                    [Some(high), Some(low)] if node.op == Op::Extract && low <= high => Some(high - low + 1),
                    _ => None,
                };
                Ok(self.fresh(Kind::BitVec(width)))
            }
            SortRule::Rotate | SortRule::SameWidth => self.all(args, bits),
            SortRule::Comp => self.all(args, bits).map(|_| self.fresh(Kind::BitVec(Some(1)))),
            SortRule::Compare => self.all(args, bits).map(|_| self.fresh(Kind::Bool)),
            // Leaves, applications, and what is lowered.
            _ => Err(format!("{:?} cannot stand in a statement", node.op)),
        }
    }
}
