//! The carries of full adders: gates that are the majority of what an exclusive or of three bits adds up.
//!
//! A netlist need not have a gate for a majority: it is `ab | c (a | b)`, or `a ^ b ? c : a`, or one of many
//! other forms, of bits or of their complements, and neighbouring gates may have simplified it further. So
//! each majority that could be the carry is made, and a gate that has its values under random assignments is
//! proved to be the same. With it the exclusive or is what it is as an integer, `a + b + c - 2 m`, in one
//! step and with the right signs, and the carry meets itself in the next column.
//!
//! The idea of finding adders first is that of Yu, Ciesielski and Mishchenko (*Fast algebraic rewriting based
//! on and-inverter graphs*, TCAD 2018), who look for them by cuts; that was built, too, found no more, and
//! took 80 lines more. Cost: four gates for each exclusive or of three, and a small question for each carry.

use super::image::Image;
use super::prover::Prover;
use super::values::Values;
use crate::edge::Edge;
use crate::gates::Gates;
use crate::graph::Gate;
use rustc_hash::FxHashMap;

/// A majority: of which edges, and what was proved if that is no gate of this form.
#[derive(Clone, Copy)]
pub(super) struct Carry {
    pub(super) edge: Edge,
    pub(super) operands: [Edge; 3],
    pub(super) equal: Option<[Edge; 2]>,
}

/// The gates of an image by their values under random assignments, as far as the image went.
pub(super) struct Carries(FxHashMap<Values, Edge>);

impl Carries {
    pub(super) fn of(image: &mut Image<'_>) -> Carries {
        let mut edges = FxHashMap::default();
        for node in 0..image.graph.len() as u32 {
            let edge = Edge::positive(node);
            let (values, is_negated) = normal(image.values(edge));
            edges.entry(values).or_insert(edge ^ is_negated);
        }
        Carries(edges)
    }

    /// The carry of the adder whose sum is an exclusive or, and the sum as its operands have it: the edge
    /// that is true where an odd number of them is.
    pub(super) fn of_sum(
        &self,
        image: &mut Image<'_>,
        prover: &mut Prover<'_>,
        node: u32,
    ) -> Option<(Carry, Edge)> {
        let Gate::Xor(a, b) = image.graph.gate(node) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(half, third)| {
            let Gate::Xor(first, second) = image.graph.gate_of(half) else { return None };
            let carry = self.of_operands(image, prover, [first, second, third])?;
            let negated = [half, first, second, third].into_iter().chain(carry.operands);
            let is_odd = negated.filter(|edge| edge.is_negated()).count() % 2 == 1;
            Some((carry, Edge::positive(node) ^ is_odd))
        })
    }

    /// A gate that is proved to be the majority of three edges, some of them complemented.
    fn of_operands(
        &self,
        image: &mut Image<'_>,
        prover: &mut Prover<'_>,
        [a, b, c]: [Edge; 3],
    ) -> Option<Carry> {
        [[a, b], [!a, b], [a, !b], [!a, !b]].into_iter().find_map(|[a, b]| {
            let majority = image.graph.maj(a, b, c);
            let (values, is_negated) = normal(image.values(majority));
            let edge = *self.0.get(&values).filter(|edge| !edge.is_constant())? ^ is_negated;
            let equal = (edge != majority).then_some([edge, majority]);
            let is_carry = equal.is_none() || prover.are_equal(&image.graph, edge, majority);
            is_carry.then_some(Carry { edge, operands: [a, b, c], equal })
        })
    }
}

/// The values of an edge or of its complement, whichever are false first, and whether that is the complement.
fn normal(values: Values) -> (Values, bool) {
    match values[0] & 1 == 1 {
        true => (values.map(|word| !word), true),
        false => (values, false),
    }
}
