//! From terms to bits, on demand.
//!
//! Asked for the bits of a term, the blaster walks down to what it has not seen yet and applies the circuit
//! of each operator to the bits of the arguments. What no one asks for has no gates. The walk keeps its own
//! stack, so depth costs memory and never the stack; each term is done once, and its bits stay in one array,
//! found by a dense table over term ids. The bits of an extract are the bits of its argument, in place.
//!
//! *Leaves* are the terms that stand for themselves: symbols, and what only the theory of arrays or of
//! functions could open - `select`, applications, equalities between arrays. A leaf that has bits becomes
//! inputs of the graph, one a bit; whoever knows the theory adds what relates them.
//!
//! Terms of declared sorts have bits, too: an element is a number of as many bits as the owner says, at most
//! [`MOST_ELEMENT_BITS`]. No formula without quantifiers can tell a sort of 2^n elements from an infinite one
//! if it has at most 2^n terms of such sorts. A term of array or function sort has no bits: asking for them
//! is an error.
//!
//! What is asserted needs less: an equation between vectors is one edge for each bit ([`BitBlaster::roots`]).
//!
//! Cost: 4 bytes a bit and 8 bytes a term id, beside the gates.

use crate::circuits::variants::Variants;
use crate::circuits::{self, Shape, bound};
use crate::edge::Edge;
use crate::gates::Gates;
use crate::graph::{Gate, GateGraph};
use crate::limits::{BlastError, Limits};
use bivalve_sat_adapter::Stop;
use bivalve_terms::{BitVec, Op, Pool, Sort, Sorts, Term, Value};
use rustc_hash::FxHashMap;

/// Where the bits of a term stand; a width of 0 says that they are not known yet.
#[derive(Clone, Copy, Default)]
struct Place {
    start: u32,
    width: u32,
}

impl Place {
    fn is_known(self) -> bool {
        self.width != 0
    }

    fn of(self, bits: &[Edge]) -> &[Edge] {
        &bits[self.start as usize..][..self.width as usize]
    }
}

/// The bits of terms of one pool, and the graph they live in.
pub struct BitBlaster {
    graph: GateGraph,
    /// The number of bits of an element of a declared sort.
    element_bits: u32,
    /// By term id.
    places: Vec<Place>,
    bits: Vec<Edge>,
    /// The leaves in the order in which they became inputs, with the number of their first input.
    leaves: Vec<(Term, u32)>,
    /// Equations of which the bits alone are asserted.
    split: FxHashMap<Term, Place>,
}

impl Default for BitBlaster {
    fn default() -> BitBlaster {
        BitBlaster::new()
    }
}

impl BitBlaster {
    /// The limit on nodes of the graph where none is given.
    pub const DEFAULT_GATE_LIMIT: u64 = 1 << 28;

    /// No bits yet; elements of declared sorts have [`MOST_ELEMENT_BITS`].
    pub fn new() -> BitBlaster {
        BitBlaster::with_element_bits(MOST_ELEMENT_BITS)
    }

    /// No bits yet; elements of declared sorts will have this many, from 1 to [`MOST_ELEMENT_BITS`].
    pub fn with_element_bits(element_bits: u32) -> BitBlaster {
        BitBlaster::with_variants(element_bits, Variants::default())
    }

    /// The same, for these circuits.
    pub fn with_variants(element_bits: u32, variants: Variants) -> BitBlaster {
        assert!((1..=MOST_ELEMENT_BITS).contains(&element_bits), "{element_bits} bits for an element");
        BitBlaster {
            graph: GateGraph::with_variants(variants),
            element_bits,
            places: vec![],
            bits: vec![],
            leaves: vec![],
            split: FxHashMap::default(),
        }
    }

    /// The number of bits of an element of a declared sort.
    pub fn element_bits(&self) -> u32 {
        self.element_bits
    }

    /// The number of bits of a term: 1 for a Boolean, `None` for what has none.
    fn width_of(&self, pool: &Pool, term: Term) -> Option<u32> {
        let sort = pool.sort(term);
        match sort.width() {
            None if sort.is_bool() => Some(1),
            None if pool.sorts().is_uninterpreted(sort) => Some(self.element_bits),
            width => width,
        }
    }

    /// The graph the bits live in.
    pub fn graph(&self) -> &GateGraph {
        &self.graph
    }

    /// The graph the bits live in, to add gates of one's own over them.
    pub fn graph_mut(&mut self) -> &mut GateGraph {
        &mut self.graph
    }

    /// The bits of a term, least significant first; one bit for a Boolean. Always ask with the same pool. The
    /// default limit applies, see [`BitBlaster::bits_within`].
    ///
    /// # Errors
    ///
    /// When the term is neither a Boolean nor a bit-vector, or when it is too large.
    pub fn bits(&mut self, pool: &Pool, term: Term) -> Result<&[Edge], BlastError> {
        let stop = Stop::new();
        self.bits_within(pool, term, &Limits { gates: BitBlaster::DEFAULT_GATE_LIMIT, stop: &stop })
    }

    /// The bits of a term, least significant first, within limits.
    ///
    /// # Errors
    ///
    /// As [`BitBlaster::bits`], and when the work was stopped.
    pub fn bits_within(
        &mut self,
        pool: &Pool,
        term: Term,
        limits: &Limits<'_>,
    ) -> Result<&[Edge], BlastError> {
        if self.width_of(pool, term).is_none() {
            return Err(BlastError::NotBits { term, sort: pool.sorts().display(pool.sort(term)) });
        }
        if self.places.len() <= term.index() {
            self.places.resize(pool.len(), Place::default());
        }
        self.walk(pool, term, limits)?;
        Ok(self.places[term.index()].of(&self.bits))
    }

    /// The one bit of a Boolean (or the lowest of a bit-vector), within limits.
    ///
    /// # Errors
    ///
    /// As [`BitBlaster::bits_within`].
    pub fn root(&mut self, pool: &Pool, term: Term, limits: &Limits<'_>) -> Result<Edge, BlastError> {
        self.bits_within(pool, term, limits).map(|bits| bits[0])
    }

    /// Edges that are all true where a Boolean is, within limits: one for each bit of an equation between
    /// vectors, unless the bit of the equation itself was asked for, and else that of the term. For what is
    /// asserted, which needs no gates that gather the bits.
    ///
    /// # Errors
    ///
    /// As [`BitBlaster::bits_within`].
    pub fn roots(&mut self, pool: &Pool, term: Term, limits: &Limits<'_>) -> Result<&[Edge], BlastError> {
        if self.known_roots(term).is_none() {
            match *pool.args(term) {
                [left, right] if pool.op(term) == Op::Eq && pool.sort(left).is_bitvec() => {
                    self.split(pool, term, [left, right], limits)?;
                }
                _ => drop(self.root(pool, term, limits)?),
            }
        }
        Ok(self.known_roots(term).expect("just made"))
    }

    /// Makes the roots of an equation between vectors.
    fn split(
        &mut self,
        pool: &Pool,
        equation: Term,
        sides: [Term; 2],
        limits: &Limits<'_>,
    ) -> Result<(), BlastError> {
        for side in sides {
            self.bits_within(pool, side, limits)?;
        }
        let [left, right] = sides.map(|side| self.places[side.index()]);
        let width = u64::from(left.width);
        check_room(equation, width, limits.room(&self.graph))?;
        check_room(equation, width, u64::from(u32::MAX) - self.bits.len() as u64)?;
        let start = self.bits.len() as u32;
        for bit in 0..left.width {
            let [a, b] = [left, right].map(|side| side.of(&self.bits)[bit as usize]);
            let same = self.graph.xnor(a, b);
            self.bits.push(same);
        }
        self.split.insert(equation, Place { start, width: left.width });
        Ok(())
    }

    /// What [`BitBlaster::roots`] gave, or would give without making anything.
    pub fn known_roots(&self, term: Term) -> Option<&[Edge]> {
        let split = || self.split.get(&term).map(|place| place.of(&self.bits));
        self.known_bits(term).map(|bits| &bits[..1]).or_else(split)
    }

    /// The bits of a term that was asked for before, itself or as part of another one.
    pub fn known_bits(&self, term: Term) -> Option<&[Edge]> {
        self.places.get(term.index()).filter(|place| place.is_known()).map(|place| place.of(&self.bits))
    }

    /// The leaves that became inputs, in that order.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.leaves.iter().map(|&(term, _)| term)
    }

    /// The inputs that stand for a leaf, one a bit; `None` if the term is no leaf or was not asked for yet.
    pub fn inputs_of(&self, term: Term) -> Option<&[Edge]> {
        self.known_bits(term).filter(|bits| self.origin(bits[0]) == Some((term, 0)))
    }

    /// All inputs that stand for leaves, in the order they were made: leaf, number of the bit, and edge.
    pub fn inputs(&self) -> impl Iterator<Item = (Term, u32, Edge)> + '_ {
        self.leaves.iter().flat_map(|&(term, _)| {
            let bits = self.known_bits(term).expect("a leaf has its bits");
            bits.iter().zip(0..).map(move |(&edge, bit)| (term, bit, edge))
        })
    }

    /// The leaf and the number of the bit an input edge stands for, whatever its sign; `None` for gates, and
    /// for inputs that others have added to the graph.
    pub fn origin(&self, edge: Edge) -> Option<(Term, u32)> {
        let Gate::Input(number) = self.graph.gate_of(edge) else { return None };
        let after = self.leaves.partition_point(|&(_, first)| first <= number);
        let (term, first) = *self.leaves.get(after.checked_sub(1)?)?;
        let bit = number - first;
        (self.known_bits(term)?.get(bit as usize) == Some(&edge.abs())).then_some((term, bit))
    }

    fn walk(&mut self, pool: &Pool, root: Term, limits: &Limits<'_>) -> Result<(), BlastError> {
        let mut todo = vec![root];
        while let Some(&term) = todo.last() {
            if self.places[term.index()].is_known() {
                todo.pop();
                continue;
            }
            let before = todo.len();
            if !is_leaf(pool, term) {
                todo.extend(pool.args(term).iter().rev().filter(|arg| !self.places[arg.index()].is_known()));
            }
            if todo.len() == before {
                todo.pop();
                self.blast(pool, term, limits)?;
            }
        }
        Ok(())
    }

    /// Makes the bits of a term whose arguments have theirs, if it is not a leaf.
    fn blast(&mut self, pool: &Pool, term: Term, limits: &Limits<'_>) -> Result<(), BlastError> {
        if let Some(why) = limits.stop.reason() {
            return Err(BlastError::Stopped(why));
        }
        let width =
            self.width_of(pool, term).expect("terms below a term of bits have bits, if they are opened");
        if pool.op(term) == Op::Extract {
            let inside = self.places[pool.args(term)[0].index()];
            self.places[term.index()] = Place { start: inside.start + pool.index(term), width };
            return Ok(());
        }
        check_room(term, u64::from(width), u64::from(u32::MAX) - self.bits.len() as u64)?;
        let start = self.bits.len() as u32;
        if is_leaf(pool, term) {
            check_room(term, u64::from(width), limits.room(&self.graph))?;
            self.leaves.push((term, self.graph.counts().inputs));
            self.bits.extend((0..width).map(|_| self.graph.input()));
        } else if pool.op(term) == Op::Const {
            constant_bits(pool, term, &mut self.bits);
        } else {
            let result = self.circuit(pool, term, width, limits)?;
            self.bits.extend(result);
        }
        self.places[term.index()] = Place { start, width };
        Ok(())
    }

    /// Applies the circuit of the operator, if there is room for it.
    fn circuit(
        &mut self,
        pool: &Pool,
        term: Term,
        width: u32,
        limits: &Limits<'_>,
    ) -> Result<Vec<Edge>, BlastError> {
        let BitBlaster { graph, bits, places, .. } = self;
        let args: Vec<&[Edge]> = pool.args(term).iter().map(|arg| places[arg.index()].of(bits)).collect();
        let shape = Shape { index: pool.index(term) as usize, width: width as usize };
        let op = pool.op(term);
        check_room(term, bound::gates(graph, op, shape, &args), limits.room(graph))?;
        #[cfg(feature = "faults")]
        if let Some(wrong) = crate::planted::circuit(graph, op, shape, &args) {
            return Ok(wrong);
        }
        Ok(circuits::apply(graph, op, shape, &args)
            .expect("terms without a circuit are leaves or have no bits"))
    }
}

/// The number of bits of an element of a declared sort, unless the owner knows that fewer are enough.
pub const MOST_ELEMENT_BITS: u32 = 32;

/// The value that these bits make, least significant first, of a sort that has bits.
pub fn value_of_bits(sorts: &Sorts, sort: Sort, mut bits: impl Iterator<Item = bool>) -> Value {
    let next = |bits: &mut dyn Iterator<Item = bool>| bits.next().expect("as many bits as the sort has");
    match sort.width() {
        Some(width) => Value::BitVec(BitVec::from_fn(width, |_| next(&mut bits))),
        None if sorts.is_uninterpreted(sort) => {
            Value::Element(sort, bits.enumerate().fold(0, |number, (i, bit)| number | u32::from(bit) << i))
        }
        None => Value::Bool(next(&mut bits)),
    }
}

fn check_room(term: Term, needed: u64, room: u64) -> Result<(), BlastError> {
    if needed <= room { Ok(()) } else { Err(BlastError::TooLarge { term, needed, room }) }
}

/// Does the term stand for itself? Then its arguments are not looked at.
fn is_leaf(pool: &Pool, term: Term) -> bool {
    match pool.op(term) {
        Op::Symbol | Op::Select | Op::Apply => true,
        Op::Eq | Op::Distinct => {
            let sort = pool.sort(pool.args(term)[0]);
            pool.sorts().array_parts(sort).is_some() || pool.sorts().is_function(sort)
        }
        _ => false,
    }
}

fn constant_bits(pool: &Pool, term: Term, bits: &mut Vec<Edge>) {
    match pool.as_bool(term) {
        Some(value) => bits.push(Edge::constant(value)),
        None => {
            let value = pool.as_bitvec(term).expect("constants are Booleans or bit-vectors");
            bits.extend(value.bits().map(Edge::constant));
        }
    }
}
