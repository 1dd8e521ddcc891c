//! Reduction of any script as a tree of parentheses: what is left where terms cannot be read.
//!
//! Hierarchical delta debugging (Misherghi and Su, ICSE 2006): the nodes of one level of the tree, beginning
//! with the commands, are left out in chunks, then those of the next level. After that each list is tried as
//! one of its elements and as some words that are terms of many theories; definitions of symbols by `let` are
//! unfolded by that too, since a `let` may become its body. Sorts are not checked, so most candidates are
//! ill-sorted and fail the test.
//!
//! A text that fails no more without its comments and layout is reduced by whole lines.
//!
//! Everything is an [`Edit`] of a node (gone, or in its place a node below it, or a word), and subsets of
//! edits go through the same search and the same tests as those of terms.

use crate::ddmin::Ddmin;
use crate::tree::Tree;
use crate::verdicts::{Candidate, Family, Verdicts, Weight};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words that are terms of many theories.
const WORDS: [&str; 4] = ["true", "false", "0", "0.0"];

/// What stands in the place of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edit {
    Gone(usize),
    /// The second node, which is below the first.
    Below(usize, usize),
    Word(usize, &'static str),
}

impl Edit {
    fn at(self) -> usize {
        match self {
            Edit::Gone(at) | Edit::Below(at, _) | Edit::Word(at, _) => at,
        }
    }
}

/// The family of edits of a tree.
struct Nodes<'t> {
    tree: &'t Tree<'t>,
    edits: Vec<Edit>,
}

impl Nodes<'_> {
    fn resolve(&self, chosen: &[u32]) -> FxHashMap<usize, Edit> {
        chosen.iter().map(|&item| self.edits[item as usize]).map(|edit| (edit.at(), edit)).collect()
    }
}

impl Family for Nodes<'_> {
    fn candidate(&mut self, chosen: &[u32]) -> Option<Candidate> {
        let text = print(self.tree, &self.resolve(chosen), &mut |_| {});
        Some(Candidate { weight: Weight { bytes: text.len(), bits: 0 }, text })
    }

    fn alive(&mut self, accepted: &[u32]) -> Option<Vec<bool>> {
        let edits = self.resolve(accepted);
        let mut printed = vec![false; self.tree.nodes.len()];
        print(self.tree, &edits, &mut |node| printed[node] = true);
        Some(self.edits.iter().map(|edit| printed[edit.at()] && !edits.contains_key(&edit.at())).collect())
    }
}

/// The tree under edits as text, one command a line; `visit` is called with the nodes that are still there.
fn print(tree: &Tree<'_>, edits: &FxHashMap<usize, Edit>, visit: &mut dyn FnMut(usize)) -> String {
    let mut out = String::new();
    for node in tree.top() {
        let before = out.len();
        print_node(tree, edits, node, &mut out, visit);
        if out.len() > before {
            out.push('\n');
        }
    }
    out
}

fn print_node(
    tree: &Tree<'_>,
    edits: &FxHashMap<usize, Edit>,
    root: usize,
    out: &mut String,
    visit: &mut dyn FnMut(usize),
) {
    enum Step {
        Node(usize),
        Close,
    }
    let mut todo = vec![Step::Node(root)];
    let space = |out: &mut String| {
        if !out.is_empty() && !out.ends_with(['(', '\n']) {
            out.push(' ');
        }
    };
    while let Some(step) = todo.pop() {
        let Step::Node(mut node) = step else {
            out.push(')');
            continue;
        };
        let text = loop {
            visit(node);
            match edits.get(&node) {
                Some(Edit::Gone(_)) => break Some(""),
                Some(Edit::Word(_, word)) => break Some(word),
                Some(&Edit::Below(_, below)) => node = below,
                None if tree.nodes[node].is_list => break None,
                None => break Some(tree.atom(node)),
            }
        };
        match text {
            Some("") => {}
            Some(text) => {
                space(out);
                out.push_str(text);
            }
            None => {
                space(out);
                out.push('(');
                todo.push(Step::Close);
                todo.extend(tree.elements(node).into_iter().rev().map(Step::Node));
            }
        }
    }
}

/// Reduces a text.
pub(crate) fn reduce(verdicts: &mut Verdicts<'_>, text: &str) -> String {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut text = text.to_owned();
    while !verdicts.stopped() && seen.insert(text.clone()) {
        let before = text.len();
        let Some(plain) = layout(verdicts, &text) else {
            let lines = Tree::lines(&text);
            let edits: Vec<Edit> = lines.top().into_iter().rev().map(Edit::Gone).collect();
            let half = edits.len().div_ceil(2);
            text = sweep(verdicts, "lines", &lines, edits, half);
            continue;
        };
        text = plain;
        let mut depth = 0;
        while !verdicts.stopped()
            && let tree = Tree::read(&text)
            && let Some(edits) = level(&tree, depth)
        {
            let half = edits.len().div_ceil(2);
            text = sweep(verdicts, "parts of text", &tree, edits, half);
            depth += 1;
        }
        let tree = Tree::read(&text);
        let edits = replacements(&tree);
        text = sweep(verdicts, "replacements in text", &tree, edits, 1);
        if text.len() == before {
            break;
        }
    }
    text
}

/// The text without comments and layout, if it still fails.
fn layout(verdicts: &mut Verdicts<'_>, text: &str) -> Option<String> {
    verdicts.pass("printing");
    let plain = print(&Tree::read(text), &FxHashMap::default(), &mut |_| {});
    if plain.len() >= text.len() {
        return Some(text.to_owned());
    }
    let candidate = Candidate { weight: Weight { bytes: plain.len(), bits: 0 }, text: plain };
    verdicts.fails(&candidate, None).then_some(candidate.text)
}

fn sweep(
    verdicts: &mut Verdicts<'_>,
    name: &'static str,
    tree: &Tree<'_>,
    edits: Vec<Edit>,
    chunk: usize,
) -> String {
    verdicts.pass(name);
    let mut ddmin = Ddmin::new(edits.len(), chunk, 1);
    let mut family = Nodes { tree, edits };
    verdicts.sweep(&mut ddmin, &mut family, Weight { bytes: tree.text().len(), bits: 0 });
    if ddmin.accepted().is_empty() {
        return tree.text().to_owned();
    }
    print(tree, &family.resolve(ddmin.accepted()), &mut |_| {})
}

/// The nodes of one level, to be left out, the last first; `None` if there is no such level.
fn level(tree: &Tree<'_>, depth: usize) -> Option<Vec<Edit>> {
    let mut nodes = tree.top();
    for _ in 0..depth {
        nodes = nodes.into_iter().flat_map(|node| tree.elements(node)).collect();
    }
    (!nodes.is_empty()).then(|| nodes.into_iter().rev().map(Edit::Gone).collect())
}

/// Lists by their elements, the last first, and by words. Commands stay commands.
fn replacements(tree: &Tree<'_>) -> Vec<Edit> {
    let top = tree.top();
    let lists = (0..tree.nodes.len()).filter(|&node| tree.nodes[node].is_list);
    let edits = lists.flat_map(|at| {
        let is_command = top.binary_search(&at).is_ok();
        let elements = tree.elements(at).into_iter().rev();
        let fitting = elements.filter(move |&element| !is_command || tree.nodes[element].is_list);
        let words = if is_command { &[][..] } else { &WORDS[..] };
        let below = fitting.map(move |element| Edit::Below(at, element));
        below.chain(words.iter().map(move |word| Edit::Word(at, word)))
    });
    edits.collect()
}
