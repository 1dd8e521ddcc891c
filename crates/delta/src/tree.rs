//! A script as a tree of parentheses.
//!
//! The least that all SMT-LIB scripts have in common: atoms (symbols, numerals, strings, keywords) and lists
//! of them. Comments and layout are gone. The tree is flat: nodes lie in one array in the order of the text,
//! and each has the position behind its subtree, so that no depth of nesting needs any stack.
//!
//! What is no tree (a string or quoted symbol without end, a parenthesis too much) is cut into atoms line by
//! line.

use bivalve_formats::sexpr::tokens;
use std::ops::Range;

/// A node: an atom, or a list whose elements follow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// Where its text is, for an atom.
    start: usize,
    end: usize,
    /// The position behind its subtree.
    pub(crate) next: usize,
    pub(crate) is_list: bool,
}

/// A text and its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Tree<'t> {
    text: &'t str,
    pub(crate) nodes: Vec<Node>,
}

impl<'t> Tree<'t> {
    /// The tree of a text.
    pub(crate) fn read(text: &'t str) -> Tree<'t> {
        Tree::parse(text).unwrap_or_else(|| Tree::lines(text))
    }

    fn parse(text: &'t str) -> Option<Tree<'t>> {
        let (mut nodes, mut open) = (vec![], vec![]);
        for token in tokens(text.as_bytes()) {
            let Range { start, end } = token.range();
            match token.text {
                b"(" => {
                    open.push(nodes.len());
                    nodes.push(Node { start, end: start, next: 0, is_list: true });
                }
                b")" => {
                    let list: usize = open.pop()?;
                    nodes[list].next = nodes.len();
                }
                _ if token.is_closed => {
                    nodes.push(Node { start, end, next: nodes.len() + 1, is_list: false })
                }
                _ => return None,
            }
        }
        open.is_empty().then_some(Tree { text, nodes })
    }

    /// The lines of a text as atoms.
    pub(crate) fn lines(text: &'t str) -> Tree<'t> {
        let mut nodes = vec![];
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let next = nodes.len() + 1;
            nodes.push(Node { start, end: start + line.trim_end_matches('\n').len(), next, is_list: false });
            start += line.len();
        }
        Tree { text, nodes }
    }

    /// All of it.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// The text of an atom.
    pub(crate) fn atom(&self, node: usize) -> &'t str {
        let Node { start, end, .. } = self.nodes[node];
        &self.text[start..end]
    }

    /// The nodes at the top.
    pub(crate) fn top(&self) -> Vec<usize> {
        self.among(0, self.nodes.len())
    }

    /// The elements of a list.
    pub(crate) fn elements(&self, list: usize) -> Vec<usize> {
        if self.nodes[list].is_list { self.among(list + 1, self.nodes[list].next) } else { vec![] }
    }

    fn among(&self, from: usize, to: usize) -> Vec<usize> {
        let (mut at, mut found) = (from, vec![]);
        while at < to {
            found.push(at);
            at = self.nodes[at].next;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_read_and_what_is_none_is_cut_into_lines() {
        let tree = Tree::read("(a |b (| \"c \"\" )\") ; (d\n(e (f))");
        let top = tree.top();
        assert_eq!(top.len(), 2);
        let atoms: Vec<&str> = tree.elements(top[0]).into_iter().map(|node| tree.atom(node)).collect();
        assert_eq!(atoms, ["a", "|b (|", "\"c \"\" )\""]);
        assert_eq!(tree.elements(top[1]).len(), 2);
        for broken in ["(a\n)b)", "(\"a\nb", "(a"] {
            assert_eq!(Tree::read(broken).top().len(), broken.lines().count());
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let deep = "(".repeat(500_000) + &")".repeat(500_000);
        assert_eq!(Tree::read(&deep).nodes.len(), 500_000);
    }
}
