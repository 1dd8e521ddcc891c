//! From terms to bits, on demand.
//!
//! Asked for bits of a term, the blaster walks down to what it has not seen yet and applies the circuit of
//! each operator to the bits of the arguments, bit range by bit range: what a range of bits does not depend
//! on ([`crate::demand`]) has no gates. Bits that are asked for later are added; those that were handed out
//! stay what they are, and gates that both need are found again in the graph. To bound what is found again,
//! the third part of a sum, product, shift or quotient that is asked for brings the whole.
//!
//! The walk keeps its own stack, so depth costs memory and never the stack; each bit of a term is made once,
//! and stays in one array, found by a side table over terms. The bits of an extract are the bits of its
//! argument, in place.
//!
//! *Leaves* are the terms that stand for themselves: symbols, and what only the theory of arrays or of
//! functions could open - `select`, applications, equalities between arrays. A leaf that has bits becomes
//! inputs of the graph, one a bit, all at once: inputs cost nothing until a clause mentions them.
//!
//! Terms of declared sorts have bits, too: an element is a number of as many bits as the owner says, at most
//! [`MOST_ELEMENT_BITS`]. No formula without quantifiers can tell a sort of 2^n elements from an infinite one
//! if it has at most 2^n terms of such sorts. A term of array or function sort has no bits: asking for them
//! is an error.
//!
//! What is asserted needs less: an equation between vectors is one edge for each bit ([`BitBlaster::roots`]).
//!
//! Cost: 4 bytes a bit of each term visited and 8 bytes a term, beside the gates.

use crate::circuits::partial::apply_range;
use crate::circuits::{self, Shape};
use crate::demand::{Bits, Dependence, Piece, dependence, needs, pieces};
use crate::edge::Edge;
use crate::gates::Gates;
use crate::graph::{Gate, GateGraph, POLL};
use crate::limits::{BlastError, Limits};
use bivalve_sat_adapter::{Stop, Why};
use bivalve_terms::{BitVec, Op, Pool, Sort, Sorts, Term, TermMap, Value};
use rustc_hash::FxHashMap;
use std::num::NonZeroU32;
use std::ops::Range;

/// Where the bits of a term stand, and in the highest bit of the width whether all of them are built.
#[derive(Clone, Copy)]
struct Place {
    start: u32,
    width: NonZeroU32,
}

/// All bits are built.
const COMPLETE: u32 = 1 << 31;

/// The widths that a place can hold.
const WIDEST: u64 = COMPLETE as u64 - 1;

/// A bit that is not built.
const UNBUILT: Edge = Edge::from_code(u32::MAX);

/// The parts of a term that are built as they are asked for, before the next one brings the whole.
const PARTS: u8 = 2;

/// So many opened terms are a step, of some ten microseconds. The graph counts steps of its own for many
/// gates.
const VISITS: u64 = 64;

impl Place {
    /// So many bits, of which none is built, or all.
    fn new(start: u32, width: u32, is_complete: bool) -> Place {
        let width = if is_complete { width | COMPLETE } else { width };
        Place { start, width: NonZeroU32::new(width).expect("a term that has bits has one at least") }
    }

    /// Where all of so many bits are built.
    fn complete(start: u32, width: u32) -> Place {
        Place::new(start, width, true)
    }

    fn is_complete(self) -> bool {
        self.width.get() & COMPLETE != 0
    }

    fn width(self) -> u32 {
        self.width.get() & !COMPLETE
    }

    fn of(self, bits: &[Edge]) -> &[Edge] {
        &bits[self.start as usize..][..self.width() as usize]
    }
}

/// The bits of terms of one pool, and the graph they live in.
pub struct BitBlaster {
    graph: GateGraph,
    /// The number of bits of an element of a declared sort.
    element_bits: u32,
    places: TermMap<Place>,
    bits: Vec<Edge>,
    /// The leaves in the order in which they became inputs, with the number of their first input.
    leaves: Vec<(Term, u32)>,
    /// Equations of which the bits alone are asserted.
    split: FxHashMap<Term, Place>,
    /// The sides of equations between words that were built, none of them constant.
    compared: Vec<[Term; 2]>,
    /// The number of parts built of terms that were not built at once.
    parts: FxHashMap<Term, u8>,
    /// Terms that were opened.
    visited: u64,
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
        assert!((1..=MOST_ELEMENT_BITS).contains(&element_bits), "{element_bits} bits for an element");
        BitBlaster {
            graph: GateGraph::new(),
            element_bits,
            places: TermMap::new(),
            bits: vec![],
            leaves: vec![],
            split: FxHashMap::default(),
            compared: vec![],
            parts: FxHashMap::default(),
            visited: 0,
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
        let width = self.width_of(pool, term).unwrap_or(0);
        self.range_within(pool, term, 0..width, limits)
    }

    /// Some of the bits of a term, least significant first, within limits; gates are built for what these
    /// depend on. Panics if the term has fewer bits.
    ///
    /// # Errors
    ///
    /// As [`BitBlaster::bits_within`].
    pub fn range_within(
        &mut self,
        pool: &Pool,
        term: Term,
        bits: Range<u32>,
        limits: &Limits<'_>,
    ) -> Result<&[Edge], BlastError> {
        let Some(width) = self.width_of(pool, term) else {
            return Err(BlastError::NotBits { term, sort: pool.sorts().display(pool.sort(term)) });
        };
        assert!(bits.end <= width, "bits {bits:?} of a term of {width}");
        self.walk(pool, term, bits.clone(), limits)?;
        // Nothing was made if nothing was asked for.
        let start = self.places.get(term).map_or(0, |place| place.start);
        Ok(&self.bits[(start + bits.start) as usize..(start + bits.end) as usize])
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
        self.note_comparison(pool, sides);
        let [left, right] = sides.map(|side| self.place(side));
        let width = u64::from(left.width());
        check_room(equation, width, limits.room(&self.graph))?;
        check_room(equation, width, u64::from(u32::MAX) - self.bits.len() as u64)?;
        let start = self.bits.len() as u32;
        for bit in 0..left.width() {
            let [a, b] = [left, right].map(|side| side.of(&self.bits)[bit as usize]);
            let same = self.graph.xnor(a, b);
            self.bits.push(same);
        }
        self.split.insert(equation, Place::complete(start, left.width()));
        Ok(())
    }

    /// Remembers the sides of an equation, for [`BitBlaster::compared`].
    fn note_comparison(&mut self, pool: &Pool, sides: [Term; 2]) {
        if sides.iter().all(|&side| pool.width(side) > Some(1) && !pool.is_const(side)) {
            self.compared.push(sides);
        }
    }

    /// The words that are compared in equations, both sides, where neither is constant, from this number on;
    /// `None` if not all of their bits were asked for.
    pub(crate) fn compared(&self, first: usize) -> impl Iterator<Item = Option<[&[Edge]; 2]>> {
        let bits = |&[a, b]: &[Term; 2]| Some([self.known_bits(a)?, self.known_bits(b)?]);
        self.compared[first..].iter().map(bits)
    }

    /// What [`BitBlaster::roots`] gave, or would give without making anything.
    pub fn known_roots(&self, term: Term) -> Option<&[Edge]> {
        let split = || self.split.get(&term).map(|place| place.of(&self.bits));
        self.known_bits(term).map(|bits| &bits[..1]).or_else(split)
    }

    /// The bits of a term that were all asked for before, by themselves or for another term.
    pub fn known_bits(&self, term: Term) -> Option<&[Edge]> {
        let place = self.places.get(term)?;
        let bits = place.of(&self.bits);
        (place.is_complete() || !bits.contains(&UNBUILT)).then_some(bits)
    }

    /// The leaves that became inputs, in that order.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.leaves.iter().map(|&(term, _)| term)
    }

    /// The number of the first input of each leaf, in order.
    pub(crate) fn first_inputs(&self) -> Vec<u32> {
        self.leaves.iter().map(|&(_, first)| first).collect()
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

    /// Builds bits of a term, and what they depend on.
    fn walk(&mut self, pool: &Pool, root: Term, bits: Bits, limits: &Limits<'_>) -> Result<(), BlastError> {
        let mut todo = vec![(root, bits)];
        let mut below = vec![];
        while let Some((term, bits)) = todo.last() {
            let term = *term;
            let Some(bits) = self.unbuilt(term, bits) else {
                todo.pop();
                continue;
            };
            self.visited += 1;
            let is_step = self.visited.is_multiple_of(VISITS);
            let why = if is_step { limits.stop.reason() } else { limits.stop.glance() };
            if let Some(why) = why {
                return Err(BlastError::Stopped(why));
            }
            let width = self.width_of(pool, term).expect("terms below a term of bits have bits, if opened");
            check_room(term, width.into(), WIDEST)?;
            if is_leaf(pool, term) || pool.op(term) == Op::Const {
                self.blast_leaf(pool, term, width, limits)?;
                continue;
            }
            let before = todo.len();
            if pool.op(term) == Op::Extract {
                let (inside, index) = (pool.args(term)[0], pool.index(term));
                let bits = bits.start + index..bits.end + index;
                if self.unbuilt(inside, &bits).is_some() {
                    todo.push((inside, bits));
                } else {
                    let inside = self.place(inside);
                    let place = Place::new(inside.start + index, width, inside.is_complete());
                    self.places.insert(term, place);
                }
                continue;
            }
            let bits = self.part(pool, term, bits, width);
            needs(pool, term, &bits, |arg| self.width_of(pool, arg).unwrap_or(0), &mut below);
            let is_missing = |(arg, bits): &(Term, Bits)| self.unbuilt(*arg, bits).is_some();
            todo.extend(below.drain(..).rev().filter(is_missing));
            if todo.len() == before {
                todo.pop();
                self.blast(pool, term, bits, width, limits)?;
            }
        }
        Ok(())
    }

    /// Where the bits of a term stand that has some.
    fn place(&self, term: Term) -> Place {
        *self.places.get(term).expect("bits were asked for before")
    }

    /// The bits among these, and between them, that are not built.
    fn unbuilt(&self, term: Term, bits: &Bits) -> Option<Bits> {
        if bits.is_empty() {
            return None;
        }
        let Some(place) = self.places.get(term) else { return Some(bits.clone()) };
        if place.is_complete() {
            return None;
        }
        let edges = &place.of(&self.bits)[bits.start as usize..bits.end as usize];
        let first = edges.iter().position(|&edge| edge == UNBUILT)? as u32;
        let last = edges.iter().rposition(|&edge| edge == UNBUILT).unwrap_or(0) as u32;
        Some(bits.start + first..bits.start + last + 1)
    }

    /// The bits to build when these are asked for.
    fn part(&self, pool: &Pool, term: Term, bits: Bits, width: u32) -> Bits {
        match dependence(pool, term) {
            Dependence::Columns | Dependence::Moved => bits,
            Dependence::Whole => 0..width,
            _ if self.parts.get(&term).is_some_and(|&parts| parts >= PARTS) => 0..width,
            _ => bits,
        }
    }

    /// Makes the bits of a leaf or of a constant.
    fn blast_leaf(
        &mut self,
        pool: &Pool,
        term: Term,
        width: u32,
        limits: &Limits<'_>,
    ) -> Result<(), BlastError> {
        let start = self.next_start(term, width)?;
        if pool.op(term) == Op::Const {
            constant_bits(pool, term, &mut self.bits);
        } else {
            check_room(term, u64::from(width), limits.room(&self.graph))?;
            self.leaves.push((term, self.graph.counts().inputs));
            self.bits.extend((0..width).map(|_| self.graph.input()));
        }
        self.places.insert(term, Place::complete(start, width));
        Ok(())
    }

    /// Where the bits of a term will stand that has none yet.
    fn next_start(&self, term: Term, width: u32) -> Result<u32, BlastError> {
        check_room(term, u64::from(width), u64::from(u32::MAX) - self.bits.len() as u64)?;
        Ok(self.bits.len() as u32)
    }

    /// Makes bits of a term; the bits of the arguments that they depend on are built.
    fn blast(
        &mut self,
        pool: &Pool,
        term: Term,
        bits: Bits,
        width: u32,
        limits: &Limits<'_>,
    ) -> Result<(), BlastError> {
        let start = self.next_start(term, width)?;
        let (first, made) = match dependence(pool, term) {
            Dependence::Moved => (bits.start, self.moved(pool, term, &bits)),
            _ => self.circuit(pool, term, &bits, width, limits)?,
        };
        let is_complete = made.len() == width as usize;
        let known = self.places.get(term).copied();
        if known.is_none() && is_complete {
            self.bits.extend(made);
            self.places.insert(term, Place::complete(start, width));
            return Ok(());
        }
        let place = known.unwrap_or_else(|| {
            self.bits.resize(self.bits.len() + width as usize, UNBUILT);
            Place::new(start, width, false)
        });
        let stored = &mut self.bits[(place.start + first) as usize..][..made.len()];
        for (stored, made) in stored.iter_mut().zip(made) {
            if *stored == UNBUILT {
                *stored = made;
            }
        }
        self.places.insert(term, Place::new(place.start, place.width(), is_complete));
        if is_complete {
            self.parts.remove(&term);
        } else if !matches!(dependence(pool, term), Dependence::Columns | Dependence::Moved) {
            *self.parts.entry(term).or_insert(0) += 1;
        }
        Ok(())
    }

    /// Bits of a term that moves bits.
    fn moved(&self, pool: &Pool, term: Term, bits: &Bits) -> Vec<Edge> {
        let mut moved = Vec::with_capacity(bits.len());
        let of = |arg: Term| self.place(arg).of(&self.bits);
        pieces(pool, term, bits, |piece| match piece {
            Piece::Of(arg, bits) => {
                moved.extend_from_slice(&of(arg)[bits.start as usize..bits.end as usize]);
            }
            Piece::Copies(arg, bit, count) => {
                moved.extend(std::iter::repeat_n(of(arg)[bit as usize], count as usize));
            }
            Piece::Zeros(count) => moved.extend(std::iter::repeat_n(Edge::FALSE, count as usize)),
        });
        moved
    }

    /// Applies the circuit of the operator, if there is room for it: at least these bits, and the number of
    /// the first one that was made.
    fn circuit(
        &mut self,
        pool: &Pool,
        term: Term,
        range: &Bits,
        width: u32,
        limits: &Limits<'_>,
    ) -> Result<(u32, Vec<Edge>), BlastError> {
        let op = pool.op(term);
        if let (Op::Eq, &[left, right]) = (op, pool.args(term)) {
            self.note_comparison(pool, [left, right]);
        }
        let BitBlaster { graph, bits, places, .. } = self;
        let of = |&arg: &Term| places.get(arg).map_or(&[][..], |place| place.of(bits));
        let mut args: Vec<&[Edge]> = pool.args(term).iter().map(of).collect();
        let mut shape = Shape { index: pool.index(term) as usize, width: width as usize };
        let Range { start, end } = range.start as usize..range.end as usize;
        let is_whole = *range == (0..width);
        let dependence = dependence(pool, term);
        if !is_whole && dependence == Dependence::Columns {
            // A slice of a connective is the connective of slices.
            let sliced = usize::from(op == Op::Ite);
            args[sliced..].iter_mut().for_each(|arg| *arg = &arg[start..end]);
            shape.width = end - start;
        }
        if dependence == Dependence::Below {
            args.iter_mut().for_each(|arg| *arg = &arg[..end]);
            shape.width = end;
        }
        // Shifts and quotients read no bit that is not built, but they copy some.
        let built: Vec<Edge>;
        if !is_whole
            && matches!(dependence, Dependence::ShiftLeft | Dependence::ShiftRight | Dependence::Quotient)
        {
            built = args[0].iter().map(|&edge| if edge == UNBUILT { Edge::FALSE } else { edge }).collect();
            args[0] = &built;
        }
        let needed = circuits::most_gates(graph, op, shape, &args);
        check_room(term, needed, limits.room(graph))?;
        if needed > POLL as u64 {
            graph.stop_by(limits.stop);
        }
        #[cfg(feature = "faults")]
        if is_whole && let Some(wrong) = crate::planted::circuit(graph, op, shape, &args) {
            return Ok((0, wrong));
        }
        let made = match dependence {
            Dependence::Columns => circuits::apply(graph, op, shape, &args).map(|made| (start, made)),
            _ => apply_range(graph, op, shape, &args, start..end),
        };
        let (first, made) = made.ok_or(BlastError::NoCircuit { term, operator: op.name() })?;
        if graph.was_stopped() {
            return Err(BlastError::Stopped(limits.stop.reason().unwrap_or(Why::Interrupted)));
        }
        Ok((first as u32, made))
    }
}

/// The number of bits of an element of a declared sort, unless fewer are known to be enough.
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
