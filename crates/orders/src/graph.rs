//! Cycles, paths that are too long, and values.
//!
//! Nodes are words, an edge says that a word is at most, or less than, another one. If no strict edge is on
//! a cycle, words on a cycle are equal, and the least values are the longest paths from lower bounds, strict
//! edges counted. Every other solution has greater values; so if a least value is above an upper bound, the
//! path to it is a contradiction.
//!
//! Contradictions are named by the reasons of their edges and bounds. Cycles are short: each is a shortest
//! one through some strict edge.

use bivalve_limits::Deadline;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::VecDeque;

/// `from` is at most `to`, or less.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) is_strict: bool,
    /// What says so.
    pub(crate) reason: usize,
}

/// A bound of a word, and what says so, if it is not the number of its bits.
pub(crate) type Bound = (u128, Option<usize>);

/// Words and what is said of them.
#[derive(Default)]
pub(crate) struct Graph {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    edges: Vec<Edge>,
}

/// The reasons of a contradiction: in the order of its edges if it is a cycle.
pub(crate) struct Contradiction {
    pub(crate) reasons: Vec<usize>,
    pub(crate) is_cycle: bool,
}

impl Graph {
    /// Adds a word with values from 0 to `most`; gives its number.
    pub(crate) fn add_word(&mut self, most: u64) -> usize {
        self.lower.push((0, None));
        self.upper.push((u128::from(most), None));
        self.lower.len() - 1
    }

    pub(crate) fn add_edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// The word has at least this value.
    pub(crate) fn bound_below(&mut self, word: usize, value: u128, reason: usize) {
        if self.lower[word].0 < value {
            self.lower[word] = (value, Some(reason));
        }
    }

    /// The word has less than this value.
    pub(crate) fn bound_above(&mut self, word: usize, value: u128, reason: usize) {
        match value.checked_sub(1) {
            Some(most) if most < self.upper[word].0 => self.upper[word] = (most, Some(reason)),
            Some(_) => {}
            // Nothing is less than 0.
            None => self.bound_below(word, u128::MAX >> 1, reason),
        }
    }

    /// The least values, or contradictions; `None` if the deadline was over before one was found.
    pub(crate) fn solve(&self, deadline: &Deadline) -> Option<Result<Vec<u128>, Vec<Contradiction>>> {
        let words = self.lower.len();
        if !deadline.step((words + self.edges.len()) as u64) {
            return None;
        }
        let mut graph = DiGraph::<(), ()>::with_capacity(words, self.edges.len());
        (0..words).for_each(|_| _ = graph.add_node(()));
        let mut out = vec![vec![]; words];
        for (number, edge) in self.edges.iter().enumerate() {
            graph.add_edge(NodeIndex::new(edge.from), NodeIndex::new(edge.to), ());
            out[edge.from].push(number);
        }
        // Each component comes before those that lead to it.
        let components = kosaraju_scc(&graph);
        let mut component_of = vec![0; words];
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|word| component_of[word.index()] = number);
        }
        let cycles = self.cycles(&out, &component_of, deadline)?;
        if !cycles.is_empty() {
            return Some(Err(cycles));
        }
        let (values, parents) = self.longest_paths(&out, &components, &component_of);
        let paths = self.paths(&values, &parents);
        Some(if paths.is_empty() { Ok(values) } else { Err(paths) })
    }

    /// Cycles with a strict edge, so many that each strict edge on a cycle is on one of these.
    fn cycles(
        &self,
        out: &[Vec<usize>],
        component_of: &[usize],
        deadline: &Deadline,
    ) -> Option<Vec<Contradiction>> {
        let mut cycles = vec![];
        let mut is_covered = vec![false; self.edges.len()];
        // The edge that a word was reached by, and the search in which it was.
        let mut reached = vec![(0, 0); out.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            let component = component_of[edge.from];
            if !edge.is_strict || is_covered[number] || component != component_of[edge.to] {
                continue;
            }
            let search = number + 1;
            let mut queue = VecDeque::from([edge.to]);
            reached[edge.to] = (number, search);
            while let Some(word) = queue.pop_front().filter(|&word| word != edge.from) {
                if !deadline.step(out[word].len() as u64) {
                    return if cycles.is_empty() { None } else { Some(cycles) };
                }
                for &next in &out[word] {
                    let to = self.edges[next].to;
                    if component_of[to] == component && reached[to].1 != search {
                        reached[to] = (next, search);
                        queue.push_back(to);
                    }
                }
            }
            let mut cycle = vec![];
            let mut word = edge.from;
            loop {
                let by = reached[word].0;
                is_covered[by] = true;
                cycle.push(self.edges[by].reason);
                if by == number {
                    break;
                }
                word = self.edges[by].from;
            }
            cycle.reverse();
            cycles.push(Contradiction { reasons: cycle, is_cycle: true });
        }
        Some(cycles)
    }

    /// The least value of each word, and the edge that it comes from, if it is not the word's own bound. No
    /// strict edge is on a cycle.
    fn longest_paths(
        &self,
        out: &[Vec<usize>],
        components: &[Vec<NodeIndex>],
        component_of: &[usize],
    ) -> (Vec<u128>, Vec<Option<usize>>) {
        let mut values: Vec<u128> = self.lower.iter().map(|bound| bound.0).collect();
        let mut parents = vec![None; values.len()];
        let mut is_reached = vec![false; values.len()];
        for (number, component) in components.iter().enumerate().rev() {
            // Words on a cycle have the greatest of their values.
            let words = component.iter().map(|word| word.index());
            let greatest = words.max_by_key(|&word| values[word]).expect("components have members");
            let mut todo = vec![greatest];
            is_reached[greatest] = true;
            while let Some(word) = todo.pop() {
                for &next in &out[word] {
                    let to = self.edges[next].to;
                    if component_of[to] != number || std::mem::replace(&mut is_reached[to], true) {
                        continue;
                    }
                    todo.push(to);
                    if values[to] < values[word] {
                        (values[to], parents[to]) = (values[word], Some(next));
                    }
                }
            }
            for word in component.iter().map(|word| word.index()) {
                for &next in &out[word] {
                    let Edge { to, is_strict, .. } = self.edges[next];
                    let value = values[word] + u128::from(is_strict);
                    if component_of[to] != number && values[to] < value {
                        (values[to], parents[to]) = (value, Some(next));
                    }
                }
            }
        }
        (values, parents)
    }

    /// Paths from lower bounds to words whose least value is above their upper bound.
    fn paths(&self, values: &[u128], parents: &[Option<usize>]) -> Vec<Contradiction> {
        let is_above = |word: usize| values[word] > self.upper[word].0;
        let mut paths = vec![];
        for word in (0..values.len()).filter(|&word| is_above(word)) {
            // What is above on the way has a path of its own, which is shorter.
            let before = parents[word].map(|edge| self.edges[edge].from);
            if before.is_some_and(is_above) {
                continue;
            }
            let mut path: Vec<usize> = self.upper[word].1.into_iter().collect();
            let mut word = word;
            while let Some(edge) = parents[word] {
                path.push(self.edges[edge].reason);
                word = self.edges[edge].from;
            }
            path.extend(self.lower[word].1);
            paths.push(Contradiction { reasons: path, is_cycle: false });
        }
        paths
    }
}
