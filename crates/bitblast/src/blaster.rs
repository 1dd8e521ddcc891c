//! From terms to bits, on demand.
//!
//! Asked for the bits of a term, the blaster walks down to what it has not seen yet and applies the circuit of each
//! operator to the bits of the arguments. What no one asks for has no gates. The walk keeps its own stack, so depth
//! costs memory and never the stack; each term is done once, and its bits stay in one array, found by a dense table over
//! term ids. The bits of an extract are the bits of its argument, in place.
//!
//! *Leaves* are the terms that stand for themselves: symbols, and what only the theory of arrays or of functions
//! could open - `select`, applications, equalities between arrays or between elements of declared sorts. A leaf of sort
//! `Bool` or `BitVec` becomes inputs of the graph, one a bit; whoever knows the theory adds what relates them. A
//! term of any other sort has no bits: asking for them is an error.
//!
//! Before a circuit is begun its size is bounded; a term that would take the graph beyond the limit is refused with an
//! error, and everything built so far stays usable.
//!
//! Cost: 4 bytes a bit and 4 bytes a term id, beside the gates.

use crate::circuits::{self, Shape, bound};
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term};
use std::fmt;

/// Why a term has no bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlastError {
    /// The term is neither a Boolean nor a bit-vector.
    NotBits {
        /// The term asked for.
        term: Term,
        /// Its sort, in SMT-LIB syntax.
        sort: String,
    },
    /// The gates of the term might not fit within the limit.
    TooLarge {
        /// The term that was refused; at or below the term asked for.
        term: Term,
        /// The gates or bits it may need.
        needed: u64,
        /// The gates or bits there is room for.
        room: u64,
    },
}

impl fmt::Display for BlastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlastError::NotBits { sort, .. } => {
                write!(f, "a term of sort {sort} has no bits")
            }
            BlastError::TooLarge { needed, room, .. } => {
                write!(f, "a term needs up to {needed} gates or bits, and there is room for {room}")
            }
        }
    }
}

impl std::error::Error for BlastError {}

/// Marks a term whose bits are not known yet.
const UNKNOWN: u32 = u32::MAX;

/// The bits of terms of one pool, and the graph they live in.
pub struct BitBlaster {
    graph: GateGraph,
    /// Where the bits of a term begin, by term id.
    starts: Vec<u32>,
    bits: Vec<Edge>,
    /// The leaves in the order in which they became inputs, with the number of their first input.
    leaves: Vec<(Term, u32)>,
    gate_limit: u64,
}

impl Default for BitBlaster {
    fn default() -> BitBlaster {
        BitBlaster::new()
    }
}

impl BitBlaster {
    /// The number of gates beyond which terms are refused, unless [`BitBlaster::set_gate_limit`] says otherwise.
    pub const DEFAULT_GATE_LIMIT: u64 = 1 << 28;

    /// No bits yet.
    pub fn new() -> BitBlaster {
        BitBlaster {
            graph: GateGraph::new(),
            starts: Vec::new(),
            bits: Vec::new(),
            leaves: Vec::new(),
            gate_limit: BitBlaster::DEFAULT_GATE_LIMIT,
        }
    }

    /// Refuses terms that might take the graph beyond this number of nodes (20 to 24 bytes each).
    pub fn set_gate_limit(&mut self, nodes: u64) {
        self.gate_limit = nodes.min(GateGraph::MAX_NODES as u64);
    }

    /// The graph the bits live in.
    pub fn graph(&self) -> &GateGraph {
        &self.graph
    }

    /// The graph the bits live in, to add gates of one's own over them.
    pub fn graph_mut(&mut self) -> &mut GateGraph {
        &mut self.graph
    }

    /// The bits of a term, least significant first; one bit for a Boolean. Always ask with the same pool.
    ///
    /// # Errors
    ///
    /// When the term is neither a Boolean nor a bit-vector, or when it is too large.
    pub fn bits(&mut self, pool: &Pool, term: Term) -> Result<&[Edge], BlastError> {
        let Some(width) = bit_count(pool, term) else {
            return Err(BlastError::NotBits { term, sort: pool.sorts().display(pool.sort(term)) });
        };
        if self.starts.len() <= term.index() {
            self.starts.resize(pool.len(), UNKNOWN);
        }
        self.walk(pool, term)?;
        let start = self.starts[term.index()] as usize;
        Ok(&self.bits[start..start + width])
    }

    /// The bits of a term that was asked for already, itself or as part of another one.
    pub fn known_bits(&self, pool: &Pool, term: Term) -> Option<&[Edge]> {
        let start = self.starts.get(term.index()).copied().filter(|&start| start != UNKNOWN)? as usize;
        Some(&self.bits[start..start + bit_count(pool, term)?])
    }

    /// The leaves that became inputs, in that order.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.leaves.iter().map(|&(term, _)| term)
    }

    /// The inputs that stand for a term; `None` if the term is no leaf or was not asked for yet.
    pub fn inputs_of(&self, pool: &Pool, term: Term) -> Option<&[Edge]> {
        self.known_bits(pool, term).filter(|_| is_leaf(pool, term))
    }

    /// All inputs in the order they were made: leaf, number of the bit, and edge.
    pub fn inputs<'a>(&'a self, pool: &'a Pool) -> impl Iterator<Item = (Term, u32, Edge)> + 'a {
        self.leaves.iter().flat_map(move |&(term, _)| {
            let bits = self.known_bits(pool, term).expect("a leaf has its bits");
            bits.iter().zip(0..).map(move |(&edge, bit)| (term, bit, edge))
        })
    }

    /// The leaf and the number of the bit an input edge stands for; `None` for gates, and for inputs that were added
    /// to the graph by others.
    pub fn origin(&self, edge: Edge) -> Option<(Term, u32)> {
        let Gate::Input(number) = self.graph.gate_of(edge) else { return None };
        let after = self.leaves.partition_point(|&(_, first)| first <= number);
        let (term, first) = *self.leaves.get(after.checked_sub(1)?)?;
        let start = self.starts[term.index()] as usize;
        let bit = number - first;
        (self.bits.get(start + bit as usize) == Some(&edge.abs())).then_some((term, bit))
    }

    fn walk(&mut self, pool: &Pool, root: Term) -> Result<(), BlastError> {
        let mut todo = vec![root];
        while let Some(&term) = todo.last() {
            if self.starts[term.index()] != UNKNOWN {
                todo.pop();
                continue;
            }
            let before = todo.len();
            if !is_leaf(pool, term) {
                todo.extend(pool.args(term).iter().filter(|a| self.starts[a.index()] == UNKNOWN));
            }
            if todo.len() == before {
                todo.pop();
                self.blast(pool, term)?;
            }
        }
        Ok(())
    }

    /// Makes the bits of a term whose arguments have theirs, if it is not a leaf.
    fn blast(&mut self, pool: &Pool, term: Term) -> Result<(), BlastError> {
        let width = bit_count(pool, term).expect("terms below a term of bits have bits, if they are opened");
        check_room(term, width as u64, u64::from(UNKNOWN) - self.bits.len() as u64)?;
        if pool.op(term) == Op::Extract {
            let inside = self.starts[pool.args(term)[0].index()];
            self.starts[term.index()] = inside + pool.index(term);
            return Ok(());
        }
        let start = self.bits.len() as u32;
        if is_leaf(pool, term) {
            check_room(term, width as u64, self.gate_limit.saturating_sub(self.graph.len() as u64))?;
            self.leaves.push((term, self.graph.counts().inputs));
            for _ in 0..width {
                let input = self.graph.input();
                self.bits.push(input);
            }
        } else if pool.op(term) == Op::Const {
            constant_bits(pool, term, &mut self.bits);
        } else {
            let result = self.circuit(pool, term, width)?;
            self.bits.extend(result);
        }
        self.starts[term.index()] = start;
        Ok(())
    }

    /// Applies the circuit of the operator, if there is room for it.
    fn circuit(&mut self, pool: &Pool, term: Term, width: usize) -> Result<Vec<Edge>, BlastError> {
        let BitBlaster { graph, bits, starts, .. } = self;
        let bits_of = |&arg: &Term| {
            let start = starts[arg.index()] as usize;
            &bits[start..start + bit_count(pool, arg).expect("arguments of a circuit have bits")]
        };
        let args: Vec<&[Edge]> = pool.args(term).iter().map(bits_of).collect();
        let shape = Shape { index: pool.index(term) as usize, width };
        let op = pool.op(term);
        let room = self.gate_limit.saturating_sub(graph.len() as u64);
        check_room(term, bound::gates(graph, op, shape, &args), room)?;
        Ok(circuits::apply(graph, op, shape, &args).expect("terms without a circuit are leaves or have no bits"))
    }
}

fn check_room(term: Term, needed: u64, room: u64) -> Result<(), BlastError> {
    if needed <= room { Ok(()) } else { Err(BlastError::TooLarge { term, needed, room }) }
}

/// The number of bits of a term: 1 for a Boolean, `None` for what has none.
fn bit_count(pool: &Pool, term: Term) -> Option<usize> {
    bits_of_sort(pool.sort(term))
}

fn bits_of_sort(sort: Sort) -> Option<usize> {
    if sort.is_bool() { Some(1) } else { sort.width().map(|width| width as usize) }
}

/// Does the term stand for itself? Then its arguments are not looked at.
fn is_leaf(pool: &Pool, term: Term) -> bool {
    match pool.op(term) {
        Op::Symbol | Op::Select | Op::Apply => true,
        Op::Eq | Op::Distinct => bit_count(pool, pool.args(term)[0]).is_none(),
        _ => false,
    }
}

fn constant_bits(pool: &Pool, term: Term, bits: &mut Vec<Edge>) {
    match pool.as_bool(term) {
        Some(value) => bits.push(Edge::constant(value)),
        None => {
            let value: BitVec = pool.as_bitvec(term).expect("constants are Booleans or bit-vectors");
            bits.extend((0..value.width()).map(|i| Edge::constant(value.bit(i))));
        }
    }
}
