//! The S-expressions of a command, each with its place and what it lies in.
//!
//! A list comes before what it holds, so its parts are found by going on, and its lists by going back. Made
//! and walked without recursion. Cost: 40 bytes for each token.

use bivalve_formats::sexpr::tokens;
use std::ops::Range;

/// A list or an atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// Its bytes in the whole text.
    pub(crate) range: Range<usize>,
    /// The list that it lies in.
    pub(crate) parent: Option<usize>,
    pub(crate) is_list: bool,
}

/// The S-expressions of a part of a text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// The S-expressions in a range of a text. A list that is not closed goes to the end.
    pub(crate) fn new(text: &str, range: Range<usize>) -> Tree {
        let mut nodes: Vec<Node> = vec![];
        let mut open: Vec<usize> = vec![];
        for token in tokens(&text.as_bytes()[range.clone()]) {
            let place = range.start + token.range().start..range.start + token.range().end;
            match token.text {
                b")" => {
                    if let Some(list) = open.pop() {
                        nodes[list].range.end = place.end;
                    }
                }
                token => {
                    let is_list = token == b"(";
                    nodes.push(Node { range: place, parent: open.last().copied(), is_list });
                    if is_list {
                        open.push(nodes.len() - 1);
                    }
                }
            }
        }
        for list in open {
            nodes[list].range.end = range.end;
        }
        Tree { nodes }
    }

    /// The innermost node at a place: an atom that contains or touches it, or a list.
    pub(crate) fn at(&self, offset: usize) -> Option<usize> {
        let touches = |node: &Node| match node.is_list {
            true => node.range.contains(&offset),
            false => node.range.start <= offset && offset <= node.range.end,
        };
        (0..self.nodes.len()).rev().find(|&node| touches(&self.nodes[node]))
    }

    /// The lists that a node lies in, the innermost first, each with its part that leads to the node.
    pub(crate) fn around(&self, node: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let up = |&(_, from): &(usize, usize)| self.nodes[from].parent.map(|parent| (from, parent));
        std::iter::successors(Some((node, node)), up).skip(1).map(|(part, list)| (list, part))
    }

    /// The nodes of a list: each begins where the one before it has ended, whatever that holds.
    pub(crate) fn parts(&self, list: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[list].range.end;
        let begins = move |&node: &usize| self.nodes.get(node).is_some_and(|node| node.range.start < end);
        std::iter::successors(Some(list + 1).filter(begins), move |&part| {
            let (rest, past) = (&self.nodes[part + 1..], self.nodes[part].range.end);
            let next = part + 1 + rest.partition_point(|node| node.range.start < past);
            Some(next).filter(begins)
        })
    }

    /// The text of a node.
    pub(crate) fn text<'t>(&self, text: &'t str, node: usize) -> &'t str {
        &text[self.nodes[node].range.clone()]
    }

    /// The first part of a list, if it is an atom.
    pub(crate) fn head<'t>(&self, text: &'t str, list: usize) -> &'t str {
        let first = self.parts(list).next().filter(|&part| !self.nodes[part].is_list);
        first.map_or("", |part| self.text(text, part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_know_their_places_and_what_is_around_them() {
        let text = "  (assert (= x\n|y z|)) (";
        let tree = Tree::new(text, 0..text.len());
        let texts: Vec<&str> = (0..tree.nodes.len()).map(|node| tree.text(text, node)).collect();
        assert_eq!(texts, ["(assert (= x\n|y z|))", "assert", "(= x\n|y z|)", "=", "x", "|y z|", "("]);
        let at = |offset| tree.at(offset).map(|node| tree.text(text, node));
        assert_eq!([at(0), at(13), at(14), at(18)], [None, Some("x"), Some("x"), Some("|y z|")]);
        let around: Vec<(usize, usize)> = tree.around(5).collect();
        assert_eq!(around, [(2, 5), (0, 2)]);
        assert_eq!(tree.parts(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(tree.head(text, 2), "=");
    }
}
