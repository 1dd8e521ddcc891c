//! Edits of nodes as a family of items.
//!
//! The base is a script; the items are [`Edit`]s of the nodes below its roots; a subset of them makes another
//! script (see `edit`). An edit is void when its node was cut off, or replaced already.

use crate::edit::{Change, Edit, apply};
use crate::render::Style;
use crate::script::Script;
use crate::verdicts::{Candidate, Family};
use crate::weigh;
use bivalve_terms::{Pool, Term, TermSet};

/// The family of some edits of a script.
pub(crate) struct Nodes<'a> {
    pool: &'a mut Pool,
    script: &'a Script,
    roots: Vec<Term>,
    edits: Vec<Edit>,
    style: Style,
    /// The number of terms at which those of old candidates are thrown away.
    most: usize,
}

/// So many terms are always kept.
const FEW_TERMS: usize = 1 << 19;

impl<'a> Nodes<'a> {
    /// The family of these edits.
    pub(crate) fn new(pool: &'a mut Pool, script: &'a Script, edits: Vec<Edit>, style: Style) -> Nodes<'a> {
        let roots = script.roots();
        let most = 8 * pool.len() + FEW_TERMS;
        Nodes { pool, script, roots, edits, style, most }
    }

    /// Throws away the terms of old candidates if they have become many.
    fn compact(&mut self) {
        if self.pool.len() < self.most {
            return;
        }
        let mut in_use = self.roots.clone();
        in_use.extend(self.edits.iter().map(|edit| edit.at));
        in_use.extend(self.edits.iter().filter_map(|edit| edit.change.term()));
        let renaming = self.pool.compact(&in_use);
        self.roots.iter_mut().for_each(|root| *root = renaming.of(*root));
        for Edit { at, change } in &mut self.edits {
            *at = renaming.of(*at);
            *change = change.renamed(&renaming);
        }
    }

    /// The script under some edits.
    pub(crate) fn edited(&mut self, chosen: &[u32]) -> Script {
        let edits = chosen.iter().map(|&item| self.edits[item as usize]);
        self.script.with_roots(&apply(self.pool, &self.roots, edits).roots)
    }
}

impl Family for Nodes<'_> {
    fn candidate(&mut self, chosen: &[u32]) -> Option<Candidate> {
        self.compact();
        let script = self.edited(chosen);
        Some(weigh(self.pool, &script, self.style))
    }

    fn alive(&mut self, accepted: &[u32]) -> Option<Vec<bool>> {
        let chosen = accepted.iter().map(|&item| self.edits[item as usize]);
        let edited = apply(self.pool, &self.roots, chosen);
        let mut replaced = TermSet::new();
        for &item in accepted {
            let Edit { at, change } = self.edits[item as usize];
            if !matches!(change, Change::Without(_)) {
                replaced.insert(at);
            }
        }
        let alive = |edit: &Edit| edited.reached.contains(edit.at) && !replaced.contains(edit.at);
        Some(self.edits.iter().map(alive).collect())
    }
}
