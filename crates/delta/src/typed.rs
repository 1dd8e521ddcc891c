//! Reduction of a script on its terms: the passes, and their order.
//!
//! The passes go from coarse to fine. First commands go, because most of a long script has nothing to do with
//! the failure. Then all widths shrink at once, if they can: that makes everything that follows easy for the
//! solver, where a candidate with a wide product may take all the time there is. Then operands of long
//! conjunctions, disjunctions and sums go; a new root is looked for in the Boolean layer; nodes are replaced
//! in bulk, the nearest to the root first, so that one success cuts off much. What that leaves is mostly
//! constant, and folds away in one test. Only then, on a formula of a few dozen nodes, each node is tried
//! with all that may stand for it, widths are narrowed one by one, and Boolean nodes from anywhere become the
//! root (Brummayer, thesis, 4.3: the second root search).
//!
//! Rounds are repeated until one changes nothing. In the end the text is read again and all is done once
//! more, until the text stays the same: reducing a result again takes the same steps from the same text and
//! therefore changes nothing.
//!
//! Each step makes the script smaller in the order of [`Weight`], so the reduction ends.

use crate::ddmin::Ddmin;
use crate::edit::Edit;
use crate::nodes::Nodes;
use crate::parts::{self, Part, Parts};
use crate::proposals::{self, Depth, Leaf};
use crate::render::{Style, render};
use crate::script::{Script, Step};
use crate::verdicts::{Verdicts, Weight};
use crate::widths::Widths;
use crate::{fold, weigh};
use bivalve_terms::{Op, Pool, cone};
use rustc_hash::FxHashSet;

/// Nodes that are tried as new roots in one go.
const ROOTS: usize = 16;

/// Fewer nodes than these are not replaced in bulk: trying them one by one costs no more.
const BULK: usize = 14;

/// Fewer nodes than these are replaced in bulk by zeros alone.
const MUCH: usize = 40;

/// A script that is being reduced.
pub(crate) struct Typed<'j, 'a> {
    verdicts: &'j mut Verdicts<'a>,
    pool: Pool,
    script: Script,
    weight: Weight,
    style: Style,
}

/// Reduces a text that reads as a script; `None` if it does not, or if it fails no more when printed in this
/// style.
pub(crate) fn reduce(verdicts: &mut Verdicts<'_>, text: &str, style: Style) -> Option<String> {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut text = text.to_owned();
    loop {
        let mut typed = Typed::start(verdicts, &text, style)?;
        typed.settle();
        let smaller = render(&typed.pool, &typed.script, style);
        if verdicts.stopped() || smaller == text || !seen.insert(smaller.clone()) {
            return Some(smaller);
        }
        text = smaller;
    }
}

impl<'j, 'a> Typed<'j, 'a> {
    fn start(verdicts: &'j mut Verdicts<'a>, text: &str, style: Style) -> Option<Typed<'j, 'a>> {
        let mut pool = Pool::new();
        let script = Script::read(&mut pool, text.as_bytes(), "the input").ok()?;
        let candidate = weigh(&pool, &script, style);
        verdicts.pass("printing");
        if !verdicts.fails(&candidate, None) {
            return None;
        }
        Some(Typed { verdicts, pool, script, weight: candidate.weight, style })
    }

    /// Goes on until nothing changes.
    fn settle(&mut self) {
        loop {
            let before = self.weight;
            self.coarse();
            self.fine();
            if self.weight == before || self.verdicts.stopped() {
                return;
            }
        }
    }

    /// Passes that try much at once.
    fn coarse(&mut self) {
        self.commands();
        self.widths(|family| family.bold());
        self.nodes("operands", |pool, script| proposals::operands(pool, script), 1);
        self.roots(Depth::Layer);
        if self.inner_nodes() < BULK {
            return self.fold();
        }
        self.nodes("zeros", |pool, script| proposals::by_leaves(pool, script, Leaf::Zero), 2);
        self.fold();
        if self.inner_nodes() < MUCH {
            return;
        }
        for (name, kind) in [("symbols", Leaf::Symbol), ("ones", Leaf::One)] {
            self.nodes(name, |pool, script| proposals::by_leaves(pool, script, kind), 2);
        }
        self.fold();
        self.nodes("chains", |pool, script| proposals::by_bottoms(pool, script), 1);
        for number in 0..3 {
            self.nodes("children", |pool, script| proposals::by_children(pool, script, number), 2);
        }
        self.fold();
    }

    /// Passes that try all there is, one by one.
    fn fine(&mut self) {
        loop {
            let before = self.weight;
            self.single("nodes", proposals::alternatives);
            self.single("symbols", proposals::symbols);
            self.fold();
            self.widths(|family| family.ddmin());
            self.roots(Depth::Anywhere);
            self.single("terms as roots", |pool, script| proposals::lifted(pool, script, ROOTS));
            self.commands();
            self.join();
            if self.weight == before || self.verdicts.stopped() {
                return;
            }
        }
    }

    fn commands(&mut self) {
        self.parts("levels", parts::levels);
        self.parts("commands", parts::steps);
        self.parts("assumptions, labels and values", parts::details);
    }

    fn parts(&mut self, name: &'static str, list: fn(&Script) -> Vec<Part>) {
        let list = list(&self.script);
        self.verdicts.pass(name);
        let mut ddmin = Ddmin::new(list.len(), list.len().div_ceil(2), 1);
        let mut family = Parts { pool: &self.pool, script: &self.script, parts: list, style: self.style };
        self.weight = self.verdicts.sweep(&mut ddmin, &mut family, self.weight);
        if !ddmin.accepted().is_empty() {
            self.script = family.rest(ddmin.accepted());
            self.settle_ids();
        }
    }

    /// A sweep over edits of nodes, from half of them at once down to `least`.
    fn nodes(&mut self, name: &'static str, list: impl Fn(&mut Pool, &Script) -> Vec<Edit>, least: usize) {
        let edits = list(&mut self.pool, &self.script);
        let chunk = edits.len().div_ceil(2);
        self.edits(name, edits, chunk, least);
    }

    /// A sweep over edits of nodes one by one.
    fn single(&mut self, name: &'static str, list: impl Fn(&mut Pool, &Script) -> Vec<Edit>) {
        let edits = list(&mut self.pool, &self.script);
        self.edits(name, edits, 1, 1);
    }

    fn edits(&mut self, name: &'static str, edits: Vec<Edit>, chunk: usize, least: usize) -> bool {
        self.verdicts.pass(name);
        let mut ddmin = Ddmin::new(edits.len(), chunk, least);
        let mut family = Nodes::new(&mut self.pool, &self.script, edits, self.style);
        self.weight = self.verdicts.sweep(&mut ddmin, &mut family, self.weight);
        if ddmin.accepted().is_empty() {
            return false;
        }
        self.script = family.edited(ddmin.accepted());
        self.settle_ids();
        true
    }

    /// Simplifies as long as that finds something: all at once, or the half or a quarter of it. What is left
    /// is tried node by node later anyway.
    fn fold(&mut self) {
        loop {
            let edits = fold::simplifications(&mut self.pool, &self.script);
            let count = edits.len();
            if count == 0 || !self.edits("folding", edits, count, count.div_ceil(4)) {
                return;
            }
        }
    }

    /// How many nodes have operands.
    fn inner_nodes(&self) -> usize {
        let all = cone(&self.pool, &self.script.roots());
        all.into_iter().filter(|&term| !self.pool.args(term).is_empty()).count()
    }

    /// Looks for new roots as long as there are some.
    fn roots(&mut self, depth: Depth) {
        loop {
            let edits = proposals::roots(&self.pool, &self.script, depth, ROOTS);
            if !self.edits("roots", edits, 1, 1) {
                return;
            }
        }
    }

    fn widths(&mut self, sweep: fn(&Widths<'_>) -> Ddmin) {
        self.verdicts.pass("widths");
        let mut family = Widths::new(&mut self.pool, &self.script, self.style);
        let mut ddmin = sweep(&family);
        self.weight = self.verdicts.sweep(&mut ddmin, &mut family, self.weight);
        if let (false, Some(narrowed)) = (ddmin.accepted().is_empty(), family.narrowed(ddmin.accepted())) {
            self.script = narrowed;
            self.settle_ids();
        }
    }

    /// One assertion in the place of several in a row, where that is shorter.
    fn join(&mut self) {
        self.verdicts.pass("joining");
        let mut joined: Vec<Step> = vec![];
        for step in &self.script.steps {
            match (joined.last_mut(), step) {
                (Some(Step::Assert { term, labels }), Step::Assert { term: next, labels: more })
                    if labels.is_empty() && more.is_empty() =>
                {
                    let mut operands = match self.pool.op(*term) {
                        Op::And => self.pool.args(*term).to_vec(),
                        _ => vec![*term],
                    };
                    operands.push(*next);
                    *term = self.pool.mk(Op::And, &operands);
                }
                _ => joined.push(step.clone()),
            }
        }
        let joined = Script { steps: joined };
        let candidate = weigh(&self.pool, &joined, self.style);
        if candidate.weight < self.weight && self.verdicts.fails(&candidate, None) {
            self.script = joined;
            self.weight = candidate.weight;
            self.settle_ids();
        }
    }

    /// Reads the script again from its text. That throws away the terms of candidates; and ids, by which
    /// nodes are listed, then do not depend on how the script was found.
    fn settle_ids(&mut self) {
        let text = render(&self.pool, &self.script, self.style);
        let mut pool = Pool::new();
        if let Ok(script) = Script::read(&mut pool, text.as_bytes(), "a candidate") {
            (self.pool, self.script) = (pool, script);
            return;
        }
        // A script that fails need not be one that can be read: names may be declared twice, say.
        let roots = self.script.roots();
        let renaming = self.pool.compact(&roots);
        let roots: Vec<_> = roots.into_iter().map(|root| renaming.of(root)).collect();
        self.script = self.script.with_roots(&roots);
    }
}
