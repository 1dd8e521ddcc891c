//! From accesses without conflicts to arrays and functions (thesis, section 2.9).
//!
//! A base array has at each index value the element of the access that is entered there, and elsewhere the
//! element that a connected constant array says, or a default. All other arrays follow by evaluation. A
//! function gets a result for each list of arguments that it is applied to.
//!
//! **Arrays that serve as indices** should differ where they may: two that have the same value by chance are
//! the same index, and may ask for a lemma that has an equality of arrays in it. So such arrays get different
//! defaults, one for each component of connected arrays; and where there are fewer elements than components,
//! different elements at indices that no access uses as well. Both are free: no read, write or equality says
//! anything about them. Where there is not enough room, arrays coincide, which costs lemmas and no more.
//!
//! Validation evaluates the original assertions with these values, so this module can be slow or give up, but
//! not make an answer wrong.

use crate::consistency::ConsistencyCheck;
use crate::graph::{Node, NodeId};
use bivalve_faults::planted;
use bivalve_terms::{ArrayValue, BitVec, FunctionValue, Op, Sort, SortKind, Sorts, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The components of a level that are to differ.
#[derive(Default)]
struct Diversity {
    /// By representative: the number of the component among those of its sort.
    numbers: FxHashMap<u32, u64>,
    /// By index sort: index values that no access uses, when they are first needed.
    unused: FxHashMap<Sort, Vec<Value>>,
}

/// So many unused index values tell as many arrays apart as there can be.
const MOST_UNUSED: usize = 32;

impl ConsistencyCheck<'_, '_, '_> {
    /// Gives the bases of a level their values; those of symbols are added to `extension`.
    pub(crate) fn extend(&mut self, nodes: &[NodeId], extension: &mut Vec<(Term, Value)>) {
        let pool = self.values.pool();
        let mut diversity = self.diversity(nodes);
        for &node in nodes {
            if !matches!(self.graph.node(node), Node::Base) {
                continue;
            }
            let term = self.graph.term(node);
            let value = self.base_value(node, &mut diversity);
            if pool.op(term) == Op::Symbol {
                extension.push((term, value.clone()));
            }
            self.values.set(term, value);
        }
    }

    /// Numbers the components of the arrays that serve as indices, and of the bases that they are made of.
    fn diversity(&mut self, nodes: &[NodeId]) -> Diversity {
        let pool = self.values.pool();
        let mut diversity = Diversity::default();
        let Some(&first) = nodes.first() else { return diversity };
        let level = self.graph.level(first);
        let mut next: FxHashMap<Sort, u64> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let is_here = |&node: &NodeId| self.graph.level(node) == level;
        let mut todo: Vec<NodeId> = self.graph.interface().iter().copied().filter(is_here).rev().collect();
        while let Some(node) = todo.pop() {
            if !seen.insert(node) {
                continue;
            }
            todo.extend(self.below(node));
            let representative = self.components.find(node.0);
            if matches!(self.graph.node(node), Node::Base) && !diversity.numbers.contains_key(&representative)
            {
                let number = next.entry(pool.sort(self.graph.term(node))).or_default();
                diversity.numbers.insert(representative, *number);
                *number += 1;
            }
        }
        diversity
    }

    fn base_value(&mut self, node: NodeId, diversity: &mut Diversity) -> Value {
        let pool = self.values.pool();
        let (sorts, sort) = (pool.sorts(), pool.sort(self.graph.term(node)));
        let accesses = self.entries.remove(&node).unwrap_or_default();
        if let Some((_, result)) = sorts.function_parts(sort) {
            let mut function = FunctionValue::constant(Value::default_of(sorts, result));
            for number in accesses {
                let term = self.accesses[number as usize].term;
                let args = pool.args(term)[1..].iter().map(|&arg| self.values.eval(arg).clone()).collect();
                function.define(args, self.values.eval(term).clone());
            }
            return function.into();
        }
        let representative = self.components.find(node.0);
        let constant = self.constants.get(&representative).filter(|_| !planted!(DefaultIgnored)).copied();
        let mut array = match constant.map(|constant| self.graph.node(constant)) {
            Some(Node::Constant { element }) => {
                let default = self.values.eval(element).clone();
                ArrayValue::constant(sorts, sort, default)
            }
            _ => {
                let number = diversity.numbers.get(&representative).copied().unwrap_or(0);
                self.distinct(sort, number, diversity)
            }
        };
        for number in accesses {
            let access = self.accesses[number as usize];
            let index = match (pool.op(access.term), pool.args(access.term)) {
                (Op::Store | Op::Select, args) => args[1],
                _ => access.term,
            };
            let (index, element) =
                (self.values.eval(index).clone(), self.values.eval(access.element).clone());
            array = array.store(&index, &element);
        }
        array.into()
    }

    /// The array of this number, among arrays that differ by their defaults and at indices that no access
    /// uses.
    fn distinct(&mut self, sort: Sort, number: u64, diversity: &mut Diversity) -> ArrayValue {
        let sorts = self.values.pool().sorts();
        let (index, element) = sorts.array_parts(sort).expect("a base is an array or a function");
        let (default, mut rest) = nth(sorts, element, number);
        let mut array = ArrayValue::constant(sorts, sort, default);
        if rest > 0 {
            let unused = diversity.unused.entry(index).or_insert_with(|| self.unused(index));
            for place in unused.iter() {
                let (digit, above) = nth(sorts, element, rest);
                array = array.store(place, &digit);
                rest = above;
            }
        }
        array
    }

    /// Values of an index sort that no access uses.
    fn unused(&mut self, index: Sort) -> Vec<Value> {
        let pool = self.values.pool();
        let mut used = FxHashSet::default();
        for number in 0..self.accesses.len() {
            let access = self.accesses[number];
            for term in self.indices(&access) {
                if pool.sort(term) == index {
                    used.insert(self.values.eval(term).clone());
                }
            }
        }
        let candidates: Vec<Value> = match pool.sorts().kind(index) {
            SortKind::Bool => vec![true.into(), false.into()],
            SortKind::BitVec(width) => {
                let last = BitVec::zero(width).not();
                let size = pool.sorts().small_cardinality(index).unwrap_or(u64::MAX);
                let most = (used.len() + MOST_UNUSED) as u64;
                (0..size.min(most)).map(|k| last.sub(&BitVec::from_u64(k, width)).into()).collect()
            }
            SortKind::Uninterpreted(_) => {
                let most = (used.len() + MOST_UNUSED) as u32;
                (0..most).map(|k| Value::Element(index, u32::MAX - k)).collect()
            }
            SortKind::Theory(_) | SortKind::Array { .. } | SortKind::Function { .. } => vec![],
        };
        candidates.into_iter().filter(|value| !used.contains(value)).take(MOST_UNUSED).collect()
    }
}

/// The value of this number among those of a sort, and by how many rounds the number exceeds them. Of arrays,
/// only those are counted that have one element everywhere.
fn nth(sorts: &Sorts, sort: Sort, number: u64) -> (Value, u64) {
    let mut shells = vec![];
    let mut inner = sort;
    while let Some((_, element)) = sorts.array_parts(inner) {
        shells.push(inner);
        inner = element;
    }
    let size = sorts.small_cardinality(inner).unwrap_or(u64::MAX);
    let digit = number % size;
    let value = match sorts.kind(inner) {
        SortKind::Bool => Value::Bool(digit == 1),
        SortKind::BitVec(width) => BitVec::from_u64(digit, width).into(),
        SortKind::Uninterpreted(_) => Value::Element(inner, digit as u32),
        SortKind::Theory(_) | SortKind::Array { .. } | SortKind::Function { .. } => {
            Value::default_of(sorts, inner)
        }
    };
    let wrap = |value, shell: Sort| ArrayValue::constant(sorts, shell, value).into();
    (shells.into_iter().rev().fold(value, wrap), number / size)
}
