//! The array graph: what is known of the arrays, functions and accesses of a formula, whatever the model.
//!
//! Nodes are the terms of array sort and the function symbols. A store, an if-then-else and a constant array
//! know what they are made of; everything else of array sort (symbols, results of functions, elements of
//! arrays of arrays) is a *base*: an array of which nothing is known but what is read. A function symbol is a
//! base whose index is the list of arguments, and that nobody ever writes (thesis, section 2.13:
//! uninterpreted functions are arrays without writes).
//!
//! *Reads* are `select` and application, the terms that the rest of the house takes for variables.
//! *Equalities* are the atoms `a = b` between arrays, taken for Boolean variables.
//!
//! Terms come in with [`Graph::register`], and go again, last in first out, with the scope they came in:
//! everything lies in vectors that are cut back, so undoing costs what doing cost. Nodes that use others come
//! after them.
//!
//! Cost: one visit for each term below what is registered, about 40 bytes a node.

use bivalve_terms::{Op, Pool, Sort, Term, TermMap, TermSet};
use rustc_hash::FxHashMap;

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

/// The graph, and the trail by which it is cut back.
#[derive(Default)]
pub(crate) struct Graph {
    terms: Vec<Term>,
    nodes: Vec<Node>,
    /// Stores over a node, and if-then-elses that may choose it, in the order they came.
    parents: Vec<Vec<NodeId>>,
    numbers: TermMap<NodeId>,
    reads: Vec<Read>,
    equalities: Vec<Equality>,
    /// By the two sides, the smaller node first.
    atoms: FxHashMap<[NodeId; 2], Term>,
    /// Arrays that serve as an index or as an argument, of one sort each.
    interface: Vec<(Sort, NodeId)>,
    /// Terms looked at, and in what order.
    seen: TermSet,
    trail: Vec<Term>,
    scopes: Vec<Lengths>,
}

/// How long the vectors of the graph were when a scope was opened.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    nodes: usize,
    reads: usize,
    equalities: usize,
    interface: usize,
    trail: usize,
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn term(&self, node: NodeId) -> Term {
        self.terms[node.index()]
    }

    pub(crate) fn node(&self, node: NodeId) -> Node {
        self.nodes[node.index()]
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
        &self.interface
    }

    /// The atom that says two arrays are equal, if there is one.
    pub(crate) fn atom(&self, a: NodeId, b: NodeId) -> Option<Term> {
        self.atoms.get(&[a.min(b), a.max(b)]).copied()
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Was the term registered, itself or as part of another one?
    pub(crate) fn has_seen(&self, term: Term) -> bool {
        self.seen.contains(term)
    }

    /// The terms looked at, in the order in which they came.
    pub(crate) fn seen_terms(&self) -> &[Term] {
        &self.trail
    }

    /// Takes in every array, function, read and equality at and below `root`.
    pub(crate) fn register(&mut self, pool: &Pool, root: Term) {
        let mut todo = vec![root];
        let mut fresh = vec![];
        while let Some(term) = todo.pop() {
            if self.seen.insert(term) {
                fresh.push(term);
                todo.extend_from_slice(pool.args(term));
            }
        }
        fresh.sort_unstable();
        fresh.iter().for_each(|&term| self.enter(pool, term));
        self.trail.append(&mut fresh);
    }

    /// Takes in one term, whose arguments were taken in.
    fn enter(&mut self, pool: &Pool, term: Term) {
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
                self.reads.push(Read { term, node: self.of(args[0]) });
                self.meet(pool, &args[1..]);
            }
            Op::Store => self.meet(pool, &args[1..2]),
            Op::Eq if pool.sorts().array_parts(pool.sort(args[0])).is_some() => {
                let &[a, b] = args else { unreachable!("equalities between arrays are binary") };
                let sides = [self.of(a), self.of(b)];
                self.atoms.entry([sides[0].min(sides[1]), sides[0].max(sides[1])]).or_insert(term);
                self.equalities.push(Equality { atom: term, sides });
            }
            _ => {}
        }
    }

    /// Remembers the arrays among indices and arguments.
    fn meet(&mut self, pool: &Pool, indices: &[Term]) {
        for &index in indices {
            let sort = pool.sort(index);
            if pool.sorts().array_parts(sort).is_some() {
                let met = (sort, self.of(index));
                if !self.interface.contains(&met) {
                    self.interface.push(met);
                }
            }
        }
    }

    fn add(&mut self, term: Term, node: Node) {
        let number = NodeId(self.nodes.len() as u32);
        for child in children(node) {
            self.parents[child.index()].push(number);
        }
        self.terms.push(term);
        self.nodes.push(node);
        self.parents.push(vec![]);
        self.numbers.insert(term, number);
    }

    /// Opens a scope.
    pub(crate) fn push(&mut self) {
        self.scopes.push(Lengths {
            nodes: self.nodes.len(),
            reads: self.reads.len(),
            equalities: self.equalities.len(),
            interface: self.interface.len(),
            trail: self.trail.len(),
        });
    }

    /// Forgets what was taken in since the last scope was opened.
    pub(crate) fn pop(&mut self) {
        let lengths = self.scopes.pop().expect("a scope was opened");
        for term in self.trail.drain(lengths.trail..) {
            self.seen.remove(term);
        }
        while self.nodes.len() > lengths.nodes {
            let node = self.nodes.pop().expect("longer than a length");
            self.parents.pop();
            let term = self.terms.pop().expect("one term a node");
            self.numbers.remove(term);
            for child in children(node) {
                self.parents[child.index()].pop();
            }
        }
        self.reads.truncate(lengths.reads);
        self.interface.truncate(lengths.interface);
        for equality in self.equalities.drain(lengths.equalities..) {
            let [a, b] = equality.sides;
            let pair = [a.min(b), a.max(b)];
            // The same equality may be written both ways round; the older term stands here.
            if self.atoms.get(&pair) == Some(&equality.atom) {
                self.atoms.remove(&pair);
            }
        }
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
