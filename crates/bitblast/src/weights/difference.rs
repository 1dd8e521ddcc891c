//! The difference of two words, taken to pieces.
//!
//! Two words are equal if the difference of their values is 0 modulo `2^w`. With adders opened ([`adders`])
//! the difference of equal words is left with few bits: a carry against its reasons, in small groups of one
//! weight, which are taken away ([`groups`]), from the lowest weight up, since what is proved of carries
//! there helps with the next. What is in no group is written as polynomials over inputs where it depends on
//! few, and what is left then is counted by adders: an even number goes on to the higher weights. So a tree
//! of compressors is compared with an array, or a prefix adder with a chain, without knowing their shapes.
//!
//! Why it is right: all steps are equations over the integers for bits, or were proved for all inputs.
//!
//! In the spirit of algebraic verification of multipliers (Kaufmann, Biere, Kauers, *Verifying large
//! multipliers by combining SAT and computer algebra*, FMCAD 2019). Conjunctions of many inputs are not
//! opened, so nothing grows. Cost: linear in the gates, quadratic in the bits of one weight.

use super::adders;
use super::groups::without_groups;
use super::image::Image;
use super::prover::Prover;
use super::relation::Relation;
use crate::edge::Edge;
use crate::gates::Gates;
use bivalve_algebra::moebius::coefficients;
use std::collections::BTreeMap;

/// Wider words are not compared; the digits of a count of bits stay within 128.
const MOST_BITS: usize = 96;

/// More bits of a weight are not counted.
const MOST_COUNTED: usize = 24;

/// What is left of a difference, modulo a power of two.
struct Difference {
    /// By the place that is their weight.
    bits: BTreeMap<u32, Vec<Edge>>,
    constant: u128,
    mask: u128,
}

impl Difference {
    /// Adds an edge with a weight, or its complement with the opposite weight, whichever has fewer digits.
    fn add(&mut self, edge: Edge, weight: u128) {
        if let Some(value) = edge.as_constant() {
            return self.add_constant(if value { weight } else { 0 });
        }
        let [weight, opposite] = [weight, weight.wrapping_neg()].map(|weight| weight & self.mask);
        let (weight, edge) = match opposite.count_ones() < weight.count_ones() {
            true => {
                // w e = -w !e + w
                self.add_constant(weight);
                (opposite, !edge)
            }
            false => (weight, edge),
        };
        for place in (0..u128::BITS).filter(|place| weight >> place & 1 == 1) {
            self.bits.entry(place).or_default().push(edge);
        }
    }

    fn add_constant(&mut self, constant: u128) {
        self.constant = self.constant.wrapping_add(constant) & self.mask;
    }

    /// Takes the bits of a place away: in groups, as polynomials, by counting them. `false` if they are not
    /// known to be an even number.
    fn take_away(
        &mut self,
        image: &mut Image<'_>,
        prover: &mut Prover<'_>,
        place: u32,
        bits: Vec<Edge>,
    ) -> bool {
        let (count, left) = without_groups(image, prover, bits, place);
        self.add_constant(count << place);
        if left.is_empty() {
            return true;
        }
        for (edge, weight) in polynomials(image, &left, place) {
            self.add(edge, weight << place);
        }
        let bits = self.bits.remove(&place).unwrap_or_default();
        let (count, left) = without_groups(image, prover, bits, place);
        self.add_constant(count << place);
        if left.len() > MOST_COUNTED {
            return false;
        }
        (place..).zip(number_of(image, left, place)).all(|(digit, bit)| {
            let values = image.values(bit);
            let constant = Edge::constant(values[0] & 1 == 1);
            let is_constant = values == image.values(constant);
            if is_constant && prover.are_equal(&image.graph, bit, constant) {
                self.add(constant, 1 << digit);
                image.tell(1 << digit, || Relation {
                    inputs: vec![bit],
                    summands: vec![(bit, u128::MAX), (constant, 1)],
                    constant: 0,
                    equal: vec![[bit, constant]],
                });
            } else if digit > place {
                self.add(bit, 1 << digit);
            } else {
                return false;
            }
            true
        })
    }
}

/// Have the words the same value for all inputs, as far as this can tell? They have the same width.
pub(super) fn is_zero(image: &mut Image<'_>, prover: &mut Prover<'_>, a: &[Edge], b: &[Edge]) -> bool {
    let width = a.len();
    if a == b || width > MOST_BITS || a.iter().zip(b).any(|(&a, &b)| image.values(a) != image.values(b)) {
        return a == b;
    }
    if !prover.step(image.graph.len()) {
        return false;
    }
    let mask = u128::MAX >> (u128::BITS as usize - width);
    let Some(mut sum) = adders::opened(image, prover, a, mask, 1) else { return false };
    let Some(other) = adders::opened(image, prover, b, mask, 1u128.wrapping_neg()) else { return false };
    for (node, weight) in other.weights {
        sum.add(Edge::positive(node), weight.wrapping_neg());
    }
    let constant = sum.constant.wrapping_sub(other.constant) & mask;
    let mut difference = Difference { bits: BTreeMap::new(), constant, mask };
    for (node, weight) in sum.weights {
        difference.add(Edge::positive(node), weight);
    }
    while let Some((place, bits)) = difference.bits.pop_first() {
        if place as usize >= width {
            break;
        }
        if !difference.take_away(image, prover, place, bits) {
            return false;
        }
    }
    difference.constant == 0
}

/// The sum of some bits, where those that depend on few inputs are polynomials over these: products of
/// inputs, and the other bits, with their weights. What is told of is about bits of this place.
fn polynomials(image: &mut Image<'_>, bits: &[Edge], place: u32) -> Vec<(Edge, u128)> {
    let mut sum: BTreeMap<Edge, u128> = BTreeMap::new();
    for &bit in bits {
        let Some((inputs, table)) = image.truth_table(bit) else {
            *sum.entry(bit).or_default() += 1;
            continue;
        };
        let coefficients =
            coefficients((0..1u32 << inputs.len()).map(|row| i64::from(table >> row & 1 == 1)).collect());
        let mut summands = vec![(bit, u128::MAX)];
        for (row, coefficient) in
            coefficients.into_iter().enumerate().filter(|&(_, coefficient)| coefficient != 0)
        {
            let coefficient = i128::from(coefficient).cast_unsigned();
            let factors = inputs.iter().enumerate().filter(|(place, _)| row >> place & 1 == 1);
            let product = factors.fold(Edge::TRUE, |product, (_, &input)| image.graph.and(product, input));
            summands.push((product, coefficient));
            let weight = sum.entry(product).or_default();
            *weight = weight.wrapping_add(coefficient);
        }
        image.tell(1 << place, || Relation { inputs, summands, constant: 0, equal: vec![] });
    }
    sum.into_iter().collect()
}

/// The number of true bits of this place, lowest digit first.
fn number_of(image: &mut Image<'_>, bits: Vec<Edge>, place: u32) -> Vec<Edge> {
    let (mut column, mut number) = (bits, vec![]);
    for place in place.. {
        if column.is_empty() {
            break;
        }
        let mut carries = vec![];
        while let &[a, b, ref others @ ..] = &column[..] {
            let c = others.first().copied().unwrap_or(Edge::FALSE);
            let graph = &mut image.graph;
            let carry = graph.maj(a, b, c);
            carries.push(carry);
            let half = graph.xor(a, b);
            let sum = graph.xor(half, c);
            image.tell(1u128.checked_shl(place).unwrap_or_default(), || Relation {
                inputs: vec![a, b, c],
                summands: vec![(a, u128::MAX), (b, u128::MAX), (c, u128::MAX), (sum, 1), (carry, 2)],
                constant: 0,
                equal: vec![],
            });
            column.drain(..column.len().min(3));
            column.push(sum);
        }
        number.append(&mut column);
        column = carries;
    }
    number
}
