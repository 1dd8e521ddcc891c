//! The array graph: what is known of the arrays, functions and accesses of a formula, whatever the model.
//!
//! Nodes are the terms of array sort and the function symbols. A store, an if-then-else and a constant array
//! know what they are made of; everything else of array sort (symbols, results of functions, elements of
//! arrays of arrays) is a *base*: an array of which nothing is known but what is read. A function symbol is a
//! base whose index is the list of arguments, and that is never written (thesis, section 2.13:
//! uninterpreted functions are arrays without writes).
//!
//! *Reads* are `select` and application, which are variables of the abstraction. *Equalities* are the atoms
//! `a = b` between arrays, Boolean variables of the abstraction.
//!
//! Terms come in with [`Graph::enter`] and go with the scope that they came in. Nodes that use others come
//! after them.
//!
//! Cost: constant for each term, about 40 bytes a node.

use bivalve_backtrack::{BacktrackMap, BacktrackSet, BacktrackVec};
use bivalve_terms::{Op, Pool, Sort, Term, TermMap};

/// A node, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// An array or function of which nothing is known.
    Base,
    /// `base` with `element` at `index`.
    Store { base: NodeId, index: Term, element: Term },
    /// The first branch if the condition holds, else the second.
    Ite { condition: Term, branches: [NodeId; 2] },
    /// All elements are `element`.
    Constant { element: Term },
}

/// A `select` or an application.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) term: Term,
    /// The array or function it reads.
    pub(crate) node: NodeId,
}

/// An equality between arrays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equality {
    pub(crate) atom: Term,
    pub(crate) sides: [NodeId; 2],
}

/// The graph.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: BacktrackVec<(Term, Node)>,
    /// By node: how deep its sort is nested.
    levels: BacktrackVec<u32>,
    /// Stores over a node, and if-then-elses that may choose it, in the order they came.
    parents: Vec<Vec<NodeId>>,
    numbers: TermMap<NodeId>,
    reads: BacktrackVec<Read>,
    /// The terms of the reads.
    read_terms: BacktrackSet<Term>,
    equalities: BacktrackVec<Equality>,
    /// The atoms of the equalities.
    equality_terms: BacktrackSet<Term>,
    /// Arrays that serve as an index or as an argument.
    interface: BacktrackSet<NodeId>,
    /// The index sorts of constant arrays.
    constant_over: BacktrackSet<Sort>,
    /// By index sort: stores.
    stores_over: BacktrackMap<Sort, u64>,
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn term(&self, node: NodeId) -> Term {
        self.nodes[node.index()].0
    }

    pub(crate) fn node(&self, node: NodeId) -> Node {
        self.nodes[node.index()].1
    }

    /// The node of a registered term of array or function sort.
    pub(crate) fn of(&self, term: Term) -> NodeId {
        *self.numbers.get(term).expect("terms below registered terms are registered")
    }

    pub(crate) fn parents(&self, node: NodeId) -> &[NodeId] {
        &self.parents[node.index()]
    }

    pub(crate) fn reads(&self) -> &[Read] {
        &self.reads
    }

    pub(crate) fn equalities(&self) -> &[Equality] {
        &self.equalities
    }

    /// Arrays that serve as an index or as an argument.
    pub(crate) fn interface(&self) -> &[NodeId] {
        self.interface.as_slice()
    }

    /// How deep the sort of a node is nested; the sorts of its indices and elements are less deep.
    pub(crate) fn level(&self, node: NodeId) -> u32 {
        self.levels[node.index()]
    }

    /// The index sorts of constant arrays, and the number of stores over each.
    pub(crate) fn constant_over(&self) -> impl Iterator<Item = (Sort, u64)> {
        let stores = |sort| self.stores_over.get(&sort).copied().unwrap_or(0);
        self.constant_over.as_slice().iter().map(move |&sort| (sort, stores(sort)))
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Whether an equality between arrays is part of the graph.
    pub(crate) fn has_equality(&self, atom: Term) -> bool {
        self.equality_terms.contains(&atom)
    }

    /// Whether a read is part of the graph.
    pub(crate) fn has_read(&self, term: Term) -> bool {
        self.read_terms.contains(&term)
    }

    /// Takes in one term, whose arguments were taken in.
    pub(crate) fn enter(&mut self, pool: &Pool, term: Term) {
        let sort = pool.sort(term);
        let args = pool.args(term);
        if pool.sorts().array_parts(sort).is_some() || pool.sorts().is_function(sort) {
            let node = match (pool.op(term), args) {
                (Op::Store, &[base, index, element]) => Node::Store { base: self.of(base), index, element },
                (Op::Ite, &[condition, yes, no]) => {
                    Node::Ite { condition, branches: [self.of(yes), self.of(no)] }
                }
                (Op::ConstArray, &[element]) => Node::Constant { element },
                _ => Node::Base,
            };
            self.add(term, node, pool.sorts().nesting(sort));
            match (node, pool.sorts().array_parts(sort)) {
                (Node::Constant { .. }, Some((index, _))) => _ = self.constant_over.insert(index),
                (Node::Store { .. }, Some((index, _))) => {
                    let stores = self.stores_over.get(&index).copied().unwrap_or(0);
                    self.stores_over.insert(index, stores + 1);
                }
                _ => {}
            }
        }
        match pool.op(term) {
            Op::Select | Op::Apply => {
                self.reads.append(Read { term, node: self.of(args[0]) });
                self.read_terms.insert(term);
                self.meet(pool, &args[1..]);
            }
            Op::Store => self.meet(pool, &args[1..2]),
            Op::Eq if pool.sorts().array_parts(pool.sort(args[0])).is_some() => {
                let &[a, b] = args else { unreachable!("equalities between arrays are binary") };
                let sides = [self.of(a), self.of(b)];
                self.equality_terms.insert(term);
                self.equalities.append(Equality { atom: term, sides });
            }
            _ => {}
        }
    }

    /// Remembers the arrays among indices and arguments.
    fn meet(&mut self, pool: &Pool, indices: &[Term]) {
        for &index in indices {
            if pool.sorts().array_parts(pool.sort(index)).is_some() {
                self.interface.insert(self.of(index));
            }
        }
    }

    fn add(&mut self, term: Term, node: Node, level: u32) {
        self.levels.append(level);
        let number = NodeId(self.nodes.len() as u32);
        for child in children(node) {
            self.parents[child.index()].push(number);
        }
        self.nodes.append((term, node));
        self.parents.push(vec![]);
        self.numbers.insert(term, number);
    }

    /// Opens a scope.
    pub(crate) fn push(&mut self) {
        self.nodes.push();
        self.levels.push();
        self.reads.push();
        self.read_terms.push();
        self.equalities.push();
        self.equality_terms.push();
        self.interface.push();
        self.constant_over.push();
        self.stores_over.push();
    }

    /// Forgets what was taken in since the last scope was opened.
    pub(crate) fn pop(&mut self) {
        for (term, node) in self.nodes.pop_drain().rev() {
            self.parents.pop();
            self.numbers.remove(term);
            for child in children(node) {
                self.parents[child.index()].pop();
            }
        }
        self.reads.pop();
        self.read_terms.pop();
        self.equalities.pop();
        self.equality_terms.pop();
        self.levels.pop();
        self.interface.pop();
        self.constant_over.pop();
        self.stores_over.pop();
    }
}

/// The arrays a node is made of.
fn children(node: Node) -> impl DoubleEndedIterator<Item = NodeId> {
    let list = match node {
        Node::Base | Node::Constant { .. } => [None, None],
        Node::Store { base, .. } => [Some(base), None],
        Node::Ite { branches: [yes, no], .. } => [Some(yes), Some(no)],
    };
    list.into_iter().flatten()
}
