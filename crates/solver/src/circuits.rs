//! What is below the terms: gates, clauses, and the engine that searches; one of each, across all checks.
//!
//! Conjuncts of the lowest level hold for ever and become hard clauses. Those of a level above hold while it
//! is there, so something is assumed for them: up to [`DIRECT`] conjuncts of a level are assumed by their own
//! literals, which makes a small query that is pushed and popped over and over find everything in place; the
//! rest hangs on one literal of the level, its *guard* (Een and Sorensson, *Temporal induction by incremental
//! SAT solving*, 2003). A guard whose level is popped is made false, so that the engine can drop its clauses.
//! Definitions of gates need no guard: they hold whatever is asserted.
//!
//! What popped levels and assumptions leave behind is dead weight. When most of the gates are dead the whole
//! is thrown away and what is live is built anew ([`Circuits::is_stale`]); since the graph has doubled at
//! least before it is looked at, this costs a constant factor, and a session of a million rounds stays as
//! small as its live part.
//!
//! Cost: a look at the graph whenever it has doubled.

use crate::auto::Census;
use crate::lower::Lowering;
use crate::scopes::Level;
use crate::solver::conjuncts;
use bivalve_approx::{Approximation, Kind, Strategy};
use bivalve_bitblast::{BitBlaster, CnfEncoder, Edge, Variants, value_of_bits};
use bivalve_preprocess::Preprocessor;
use bivalve_sat_adapter::{Lit, SatSolver};
use bivalve_terms::{Op, Pool, Term, Value};
use rustc_hash::FxHashSet;

/// Conjuncts of one level that are assumed one by one.
const DIRECT: usize = 32;

/// A graph is thrown away when it is so many times as large as its live part.
const DEAD: u64 = 3;

/// Gates, clauses, engine.
pub(crate) struct Circuits {
    pub(crate) blaster: BitBlaster,
    pub(crate) encoder: CnfEncoder,
    /// Started with the first clause.
    pub(crate) backend: Option<Box<dyn SatSolver>>,
    /// Leaves that are approximated, and the number of leaves looked at for that.
    approximation: Option<(Approximation, usize)>,
    /// What the leaves are like.
    census: Census,
    /// Guards made.
    guards: u64,
    /// The size at which dead weight is looked for next.
    next_look: u64,
}

impl Circuits {
    /// Nothing built yet; elements of declared sorts will have this many bits.
    pub(crate) fn new(element_bits: u32, variants: Variants) -> Circuits {
        Circuits {
            blaster: BitBlaster::with_variants(element_bits, variants),
            encoder: CnfEncoder::new(),
            backend: None,
            approximation: None,
            census: Census::default(),
            guards: 0,
            next_look: 0,
        }
    }

    /// Makes `root` true while its level is there; the backend is started with the first clause.
    pub(crate) fn assert(
        &mut self,
        level: &mut Level,
        is_lowest: bool,
        root: Edge,
        start: impl FnOnce() -> Box<dyn SatSolver>,
    ) {
        if root == Edge::TRUE {
            return;
        }
        let backend = &mut **self.backend.get_or_insert_with(start);
        let graph = self.blaster.graph();
        if is_lowest {
            self.encoder.assert_root(graph, root, backend);
        } else if level.direct.len() < DIRECT {
            level.direct.push(self.encoder.literal(graph, root, backend));
        } else {
            let guards = &mut self.guards;
            let guard = *level.guard.get_or_insert_with(|| {
                *guards += 1;
                backend.new_var()
            });
            self.encoder.assert_root_if(graph, guard, root, backend);
        }
    }

    /// The literal of an edge.
    pub(crate) fn literal(&mut self, edge: Edge, start: impl FnOnce() -> Box<dyn SatSolver>) -> Lit {
        let backend = &mut **self.backend.get_or_insert_with(start);
        self.encoder.literal(self.blaster.graph(), edge, backend)
    }

    /// Makes the guard of a popped level false.
    pub(crate) fn retire(&mut self, guard: Lit) {
        self.backend.as_mut().expect("a guard has a backend").add_clause(&[!guard]);
    }

    /// Is most of what was built dead? The live edges are asked for only when enough was built since the last
    /// time.
    pub(crate) fn is_stale(&mut self, least: u64, live: impl FnOnce(&BitBlaster) -> Vec<Edge>) -> bool {
        let size = self.size();
        if size < self.next_look.max(least) {
            return false;
        }
        let live = self.cone(live(&self.blaster)).into_iter().filter(|&is_live| is_live).count() as u64;
        self.next_look = 2 * size;
        DEAD * live < size
    }

    /// Nodes of the graph, and guards.
    fn size(&self) -> u64 {
        self.blaster.graph().len() as u64 + self.guards
    }

    /// By node: is it one of these edges' or below?
    fn cone(&self, roots: Vec<Edge>) -> Vec<bool> {
        let graph = self.blaster.graph();
        let mut seen = vec![false; graph.len()];
        let mut todo: Vec<u32> = roots.into_iter().map(Edge::node).collect();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                let (fanins, count) = graph.gate(node).fanins();
                todo.extend(fanins[..count].iter().map(|edge| edge.node()));
            }
        }
        seen
    }

    /// Begins to approximate the leaves below some edges for which `takes` holds.
    pub(crate) fn approximate(
        &mut self,
        pool: &Pool,
        strategy: Strategy,
        roots: Vec<Edge>,
        takes: impl Fn(Term) -> bool,
    ) {
        self.approximation = Some((Approximation::new(strategy), self.blaster.leaves().len()));
        let leaves = self.live_leaves(roots);
        leaves.into_iter().filter(|&leaf| takes(leaf)).for_each(|leaf| self.approximate_leaf(pool, leaf));
    }

    /// Do the leaves look as if approximations were worth a try?
    pub(crate) fn is_worth_approximating(&mut self, pool: &Pool) -> bool {
        self.census.count(pool, self.blaster.leaves());
        self.census.is_worth_it()
    }

    /// The leaves of which some bit is at or below some edges.
    pub(crate) fn live_leaves(&self, roots: Vec<Edge>) -> Vec<Term> {
        let live = self.cone(roots);
        let bits = |leaf| self.blaster.known_bits(leaf).expect("a leaf has its bits");
        self.blaster.leaves().filter(|&leaf| bits(leaf).iter().any(|bit| live[bit.index()])).collect()
    }

    /// The literals of all bits of a leaf; `None` if no clause mentions any of them.
    pub(crate) fn literals(&mut self, leaf: Term) -> Option<Vec<Lit>> {
        let Circuits { blaster, encoder, backend, .. } = self;
        let (edges, backend) = (blaster.inputs_of(leaf)?, backend.as_mut()?);
        edges.iter().find(|&&edge| encoder.lookup(edge).is_some())?;
        let graph = blaster.graph();
        Some(edges.iter().map(|&edge| encoder.literal(graph, edge, &mut **backend)).collect())
    }

    /// Approximates also the leaves that have come meanwhile, if any are approximated.
    pub(crate) fn approximate_new(&mut self, pool: &Pool, takes: impl Fn(Term) -> bool) {
        let Some((_, seen)) = &mut self.approximation else { return };
        let new: Vec<Term> = self.blaster.leaves().skip(*seen).collect();
        *seen += new.len();
        new.into_iter().filter(|&leaf| takes(leaf)).for_each(|leaf| self.approximate_leaf(pool, leaf));
    }

    /// Approximates a leaf, if it is a bit-vector that clauses mention.
    fn approximate_leaf(&mut self, pool: &Pool, leaf: Term) {
        let kind = match pool.op(leaf) {
            Op::Symbol => Kind::Symbol,
            Op::Select => Kind::Read,
            Op::Apply => Kind::Application,
            _ => return,
        };
        if !pool.sort(leaf).is_bitvec() || self.approximation.is_none() {
            return;
        }
        let Some(bits) = self.literals(leaf) else { return };
        if let (Some(backend), Some((approximation, _))) = (&mut self.backend, &mut self.approximation) {
            approximation.add(kind, &bits, &mut **backend);
        }
    }

    /// What approximations assume.
    pub(crate) fn assumptions(&self) -> Vec<Lit> {
        self.approximation.iter().flat_map(|(approximation, _)| approximation.assumptions()).collect()
    }

    /// Eases the approximations among the failed literals; `false` if there are none.
    pub(crate) fn ease(&mut self, failed: &FxHashSet<Lit>) -> bool {
        let Circuits { backend, approximation, .. } = self;
        let (Some(backend), Some((approximation, _))) = (backend, approximation) else { return false };
        approximation.ease(failed, &mut **backend)
    }

    /// Searches on without approximations.
    pub(crate) fn give_up(&mut self) {
        let Circuits { backend, approximation, .. } = self;
        if let (Some(backend), Some((approximation, _))) = (backend, approximation) {
            approximation.give_up(&mut **backend);
        }
    }

    /// Ends approximation, and hands out what it came to.
    pub(crate) fn end_approximation(&mut self) -> Option<Approximation> {
        let (mut approximation, _) = self.approximation.take()?;
        if let Some(backend) = &mut self.backend {
            approximation.retire(&mut **backend);
        }
        Some(approximation)
    }

    /// A clause over edges, for ever. What is true in it makes it superfluous, what is false is left out. It
    /// may be the first: a formula that needs no gates can still speak of arrays.
    pub(crate) fn add_clause(&mut self, edges: &[Edge], start: impl FnOnce() -> Box<dyn SatSolver>) {
        if edges.iter().any(|edge| edge.as_constant() == Some(true)) {
            return;
        }
        let backend = &mut **self.backend.get_or_insert_with(start);
        let mut clause = vec![];
        for &edge in edges.iter().filter(|edge| !edge.is_constant()) {
            clause.push(self.encoder.literal(self.blaster.graph(), edge, backend));
        }
        backend.add_clause(&clause);
    }

    /// What the engine's model says of a term; `None` if the term has no bits, or if clauses do not fix them.
    /// A symbol always has a value once it has bits: what no clause mentions is free.
    pub(crate) fn value(&mut self, pool: &Pool, term: Term) -> Option<Value> {
        let is_symbol = pool.op(term) == Op::Symbol;
        let bits = self.bits(term)?.into_iter();
        let bits: Option<Vec<bool>> =
            bits.map(|bit| if is_symbol { Some(bit.unwrap_or(false)) } else { bit }).collect();
        Some(value_of_bits(pool.sorts(), pool.sort(term), bits?.into_iter()))
    }

    /// The value of a term that stands for itself; `None` for all others, and for those no clause mentions.
    pub(crate) fn leaf(&mut self, pool: &Pool, term: Term) -> Option<Value> {
        if !matches!(pool.op(term), Op::Symbol | Op::Select | Op::Apply | Op::Eq) {
            return None;
        }
        self.blaster.inputs_of(term)?;
        let bits = self.bits(term)?;
        if bits.iter().all(Option::is_none) {
            return None;
        }
        let bits = bits.into_iter().map(|bit| bit.unwrap_or(false));
        Some(value_of_bits(pool.sorts(), pool.sort(term), bits))
    }

    /// What the engine's model says of the bits of a term.
    fn bits(&mut self, term: Term) -> Option<Vec<Option<bool>>> {
        let Circuits { blaster, encoder, backend, .. } = self;
        let mut bit = |&edge: &Edge| match (edge.as_constant(), encoder.lookup(edge), backend.as_mut()) {
            (Some(constant), _, _) => Some(constant),
            (None, Some(literal), Some(backend)) => backend.value(literal),
            (None, _, _) => None,
        };
        Some(blaster.known_bits(term)?.iter().map(&mut bit).collect())
    }
}

/// The edges of all live conjuncts and tracked assertions that have gates.
pub(crate) fn live_edges(
    blaster: &BitBlaster,
    lowering: &Lowering,
    preprocessor: &Preprocessor,
) -> Vec<Edge> {
    let terms = conjuncts(preprocessor).filter_map(|term| lowering.image(term));
    terms.filter_map(|term| blaster.known_roots(term)).flatten().copied().collect()
}
