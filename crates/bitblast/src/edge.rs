//! Edges: a node of the gate graph, or its negation.
//!
//! Negation is a bit on the edge (Bryant's inverted edges, as in And-Inverter Graphs since Kuehlmann and
//! others), so it costs nothing and `x` and `not x` are one node. The numbering is that of AIGER: twice the
//! node, plus one when negated; node 0 is the constant, so edge 0 is false and edge 1 is true.

use std::fmt;
use std::ops::{BitXor, Not};

/// A node of a [`GateGraph`](crate::GateGraph) or its negation. Only meaningful with the graph that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Edge(u32);

impl Edge {
    /// The constant false.
    pub const FALSE: Edge = Edge(0);
    /// The constant true.
    pub const TRUE: Edge = Edge(1);

    /// The edge to `node` that is not negated.
    #[inline]
    pub fn positive(node: u32) -> Edge {
        Edge(node << 1)
    }

    /// The constant edge of this value.
    #[inline]
    pub fn constant(value: bool) -> Edge {
        Edge(u32::from(value))
    }

    /// The edge with this code, see [`Edge::code`].
    #[inline]
    pub(crate) const fn from_code(code: u32) -> Edge {
        Edge(code)
    }

    /// Twice the node, plus one when negated: the literal of AIGER.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The number of the node this edge points to; 0 is the constant.
    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// The position of the node in a dense side table.
    #[inline]
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Does the edge negate?
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Does the edge point to the constant node?
    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The value of a constant edge.
    #[inline]
    pub fn as_constant(self) -> Option<bool> {
        self.is_constant().then_some(self == Edge::TRUE)
    }

    /// The same node without negation.
    #[inline]
    pub fn abs(self) -> Edge {
        Edge(self.0 & !1)
    }
}

impl Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// Negates if the right side is true.
impl BitXor<bool> for Edge {
    type Output = Edge;

    #[inline]
    fn bitxor(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.node())
    }
}
