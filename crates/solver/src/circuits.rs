//! What is below the terms: gates, clauses, and the engine that searches; one of each, across all checks.
//!
//! Conjuncts of the lowest level hold for ever and become hard clauses. Those of a level above hold while it is there, so
//! something is assumed for them: up to [`DIRECT`] conjuncts of a level are assumed by their own literals, which
//! makes a small query that is pushed and popped over and over find everything in place; the rest hangs on one
//! literal of the level, its *guard* (Een and Sorensson, *Temporal induction by incremental SAT solving*, 2003). A guard
//! whose level is popped is made false, so that the engine can drop its clauses. Definitions of gates need no guard:
//! they hold whatever is asserted.
//!
//! What popped levels and assumptions leave behind is dead weight. When most of the gates are dead the whole is thrown
//! away and what is live is built anew ([`Circuits::is_stale`]); since the graph has doubled at least before it is looked
//! at, this costs a constant factor, and a session of a million rounds stays as small as its live part.
//!
//! Cost: a look at the graph whenever it has doubled.

use crate::lower::Lowering;
use crate::scopes::{Level, Scopes};
use bivalve_bitblast::{BitBlaster, CnfEncoder, Edge, value_of_bits};
use bivalve_sat_adapter::{Lit, SatSolver};
use bivalve_terms::{Op, Pool, Term, Value};

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
    /// Guards made.
    guards: u64,
    /// The size at which dead weight is looked for next.
    next_look: u64,
}

impl Circuits {
    /// Nothing built yet; elements of declared sorts will have this many bits.
    pub(crate) fn new(element_bits: u32) -> Circuits {
        let (blaster, encoder) = (BitBlaster::with_element_bits(element_bits), CnfEncoder::new());
        Circuits { blaster, encoder, backend: None, guards: 0, next_look: 0 }
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

    /// Is most of what was built dead? The live edges are asked for only when enough was built since the last time.
    pub(crate) fn is_stale(&mut self, least: u64, live: impl FnOnce(&BitBlaster) -> Vec<Edge>) -> bool {
        let size = self.size();
        if size < self.next_look.max(least) {
            return false;
        }
        let live = self.cone_size(live(&self.blaster));
        self.next_look = 2 * size;
        DEAD * live < size
    }

    /// Nodes of the graph, and guards.
    fn size(&self) -> u64 {
        self.blaster.graph().len() as u64 + self.guards
    }

    /// The number of nodes at and below some edges.
    fn cone_size(&self, roots: Vec<Edge>) -> u64 {
        let graph = self.blaster.graph();
        let mut seen = vec![false; graph.len()];
        let mut todo: Vec<u32> = roots.into_iter().map(Edge::node).collect();
        let mut size = 0;
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                size += 1;
                let (fanins, count) = graph.gate(node).fanins();
                todo.extend(fanins[..count].iter().map(|edge| edge.node()));
            }
        }
        size
    }

    /// A clause over edges, for ever. What is true in it makes it superfluous, what is false is left out. It may be the
    /// first: a formula that needs no gates can still speak of arrays.
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
pub(crate) fn live_edges(blaster: &BitBlaster, lowering: &Lowering, scopes: &Scopes) -> Vec<Edge> {
    let terms = scopes.levels().iter().flat_map(|level| level.conjuncts.iter().chain(&level.tracked));
    let terms = terms.filter_map(|&term| lowering.image(term));
    terms.filter_map(|term| blaster.known_bits(term)).map(|bits| bits[0]).collect()
}
