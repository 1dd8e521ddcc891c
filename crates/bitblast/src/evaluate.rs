//! Circuits evaluated directly: a bit is a `bool`.
//!
//! The simplest implementer of [`Gates`]. With it a circuit is an ordinary function from bits to bits that
//! can be compared with the reference semantics without any graph in between: when both this and the graph
//! are wrong, the recipe is; when only the graph is, a rewriting is. No bit counts as a known constant, so
//! every circuit takes its general path. Cost: one machine operation a gate.

use crate::circuits::{bitwise, divider};
use crate::gates::Gates;
use std::cmp::Ordering;

/// Evaluates circuits on `bool`s.
#[derive(Clone, Copy, Default, Debug)]
pub struct Evaluate;

impl Gates for Evaluate {
    type Bit = bool;

    fn constant(&mut self, value: bool) -> bool {
        value
    }

    fn as_constant(&self, _: bool) -> Option<bool> {
        None
    }

    fn is_same(&self, _: bool, _: bool) -> bool {
        false
    }

    fn order(&self, _: &[bool], _: &[bool]) -> Ordering {
        Ordering::Equal
    }

    fn not(&mut self, a: bool) -> bool {
        !a
    }

    fn and(&mut self, a: bool, b: bool) -> bool {
        a & b
    }

    fn xor(&mut self, a: bool, b: bool) -> bool {
        a ^ b
    }

    fn ite(&mut self, cond: bool, then: bool, other: bool) -> bool {
        if cond { then } else { other }
    }

    fn maj(&mut self, a: bool, b: bool, c: bool) -> bool {
        (a & b) | (a & c) | (b & c)
    }

    fn choose(&mut self, cond: bool, then: &[bool], other: &[bool]) -> Vec<bool> {
        bitwise::ite(self, cond, then, other)
    }

    fn divide(&mut self, a: &[bool], b: &[bool]) -> (Vec<bool>, Vec<bool>) {
        divider::divide(self, a, b)
    }
}
