//! From a table without conflicts to arrays and functions (thesis, section 2.9).
//!
//! A base array has at each index value the element of the access that is entered there, and elsewhere the
//! element that a connected constant array says, or the neutral one. All other arrays follow by evaluation,
//! and need no table. Elements that are arrays themselves must have their value first, so sorts are done by
//! depth of nesting. A function gets a result for each list of arguments that it is applied to.
//!
//! Nothing here needs to be believed: the house evaluates the original assertions with the values of the
//! symbols.

use crate::consistency::ConsistencyCheck;
use crate::defaults::Defaults;
use crate::graph::{Node, NodeId};
use bivalve_faults::planted;
use bivalve_terms::{ArrayValue, FunctionValue, Op, Pool, Sort, Term, Value};

impl ConsistencyCheck<'_, '_, '_> {
    /// The values of the array and function symbols.
    pub(crate) fn extension(&mut self, defaults: &mut Defaults) -> Vec<(Term, Value)> {
        let pool = self.values.pool();
        let is_base = |node: &NodeId| matches!(self.graph.node(*node), Node::Base);
        let mut bases: Vec<NodeId> = self.graph.nodes().filter(is_base).collect();
        bases.sort_by_key(|&node| depth(pool, pool.sort(self.graph.term(node))));
        let mut entries: Vec<(NodeId, u32)> = self
            .rho
            .iter()
            .filter(|((node, _), _)| is_base(node))
            .map(|((node, _), e)| (*node, e.access))
            .collect();
        entries.sort_unstable();
        let mut found = vec![];
        for node in bases {
            let term = self.graph.term(node);
            let from = entries.partition_point(|entry| entry.0 < node);
            let to = entries.partition_point(|entry| entry.0 <= node);
            let accesses: Vec<u32> = entries[from..to].iter().map(|entry| entry.1).collect();
            let value = self.base_value(node, &accesses, defaults);
            if pool.op(term) == Op::Symbol {
                found.push((term, value.clone()));
            }
            self.values.set(term, value);
        }
        found
    }

    fn base_value(&mut self, node: NodeId, accesses: &[u32], defaults: &mut Defaults) -> Value {
        let pool = self.values.pool();
        let (sorts, sort) = (pool.sorts(), pool.sort(self.graph.term(node)));
        if let Some((_, result)) = sorts.function_parts(sort) {
            let mut function = FunctionValue::constant(Value::default_of(sorts, result));
            for &number in accesses {
                let term = self.accesses[number as usize].term;
                let args = pool.args(term)[1..].iter().map(|&arg| self.values.eval(arg).clone()).collect();
                function.define(args, self.values.eval(term).clone());
            }
            return function.into();
        }
        let (_, element) = sorts.array_parts(sort).expect("a base is an array or a function");
        let default = match defaults
            .of(node)
            .filter(|_| !planted!(DefaultIgnored))
            .map(|constant| self.graph.node(constant))
        {
            Some(Node::Constant { element }) => self.values.eval(element).clone(),
            _ => Value::default_of(sorts, element),
        };
        let mut array = ArrayValue::constant(sorts, sort, default);
        for &number in accesses {
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
}

/// How many array sorts lie within each other, elements and indices alike; functions come last.
fn depth(pool: &Pool, sort: Sort) -> u32 {
    let sorts = pool.sorts();
    if sorts.is_function(sort) {
        return u32::MAX;
    }
    // Sorts are as deep as the text that wrote them, so the walk keeps its own stack.
    let mut deepest = 0;
    let mut todo = vec![(sort, 0)];
    while let Some((sort, level)) = todo.pop() {
        deepest = deepest.max(level);
        if let Some((index, element)) = sorts.array_parts(sort) {
            todo.extend([(index, level + 1), (element, level + 1)]);
        }
    }
    deepest
}
