//! The array graph: what is known of the arrays, functions and accesses of a formula, whatever the model.
//!
//! Nodes are the terms of array sort and the function symbols. A store, an if-then-else and a constant array
//! know what they are made of; everything else of array sort (symbols, results of functions, elements of
//! arrays of arrays) is a *base*: an array of which nothing is known but what is read. A function symbol is a
//! base whose index is the list of arguments, and that nobody ever writes (thesis, section 2.13:
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
    /// Stores over a node, and if-then-elses that may choose it, in the order they came.
    parents: Vec<Vec<NodeId>>,
    numbers: TermMap<NodeId>,
    reads: BacktrackVec<Read>,
    /// The terms of the reads.
    read_terms: BacktrackSet<Term>,
    equalities: BacktrackVec<Equality>,
    /// By the two sides, the smaller node first.
    atoms: BacktrackMap<[NodeId; 2], Term>,
    /// Arrays that serve as an index or as an argument, of one sort each.
    interface: BacktrackSet<(Sort, NodeId)>,
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

    pub(crate) fn interface(&self) -> &[(Sort, NodeId)] {
        self.interface.as_slice()
    }

    /// The atom that says two arrays are equal, if there is one.
    pub(crate) fn atom(&self, a: NodeId, b: NodeId) -> Option<Term> {
        self.atoms.get(&[a.min(b), a.max(b)]).copied()
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
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
            self.add(term, node);
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
                let pair = [sides[0].min(sides[1]), sides[0].max(sides[1])];
                // The same equality may be written both ways round; the older term stands here.
                if !self.atoms.contains(&pair) {
                    self.atoms.insert(pair, term);
                }
                self.equalities.append(Equality { atom: term, sides });
            }
            _ => {}
        }
    }

    /// Remembers the arrays among indices and arguments.
    fn meet(&mut self, pool: &Pool, indices: &[Term]) {
        for &index in indices {
            let sort = pool.sort(index);
            if pool.sorts().array_parts(sort).is_some() {
                self.interface.insert((sort, self.of(index)));
            }
        }
    }

    fn add(&mut self, term: Term, node: Node) {
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
        self.reads.push();
        self.read_terms.push();
        self.equalities.push();
        self.atoms.push();
        self.interface.push();
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
        self.atoms.pop();
        self.interface.pop();
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
