//! Walks over the term DAG: the cone below some roots, and simultaneous substitution.
//!
//! Children have smaller ids than parents, so the terms below a root, sorted by id, come children first; whoever
//! computes something bottom-up loops over a [`cone`]. A [`Substitution`] remembers what it has rebuilt, so that
//! applying it to many roots costs each shared term once.
//!
//! Cost: linear in the size of the cone (and its sorting); no recursion.

use crate::pool::{Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// All terms at and below `roots`, each once, children before parents.
pub fn cone(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found: Vec<Term> = roots.iter().copied().filter(|&root| seen.insert(root)).collect();
    let mut next = 0;
    while next < found.len() {
        let term = found[next];
        next += 1;
        found.extend(pool.args(term).iter().filter(|&&a| seen.insert(a)));
    }
    found.sort_unstable();
    found
}

/// A simultaneous substitution of terms by terms of the same sort.
#[derive(Default)]
pub struct Substitution {
    /// The given pairs and what was rebuilt so far.
    images: FxHashMap<Term, Term>,
}

impl Substitution {
    /// The substitution that maps nothing.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Maps `from` to `to`. Panics if their sorts differ. All pairs are given before the first use.
    pub fn insert(&mut self, pool: &Pool, from: Term, to: Term) {
        assert_eq!(pool.sort(from), pool.sort(to), "internal: a substitution keeps sorts");
        self.images.insert(from, to);
    }

    /// `root` with every mapped term replaced, all at once: images are not substituted again.
    pub fn apply(&mut self, pool: &mut Pool, root: Term) -> Term {
        let mut todo = vec![root];
        let mut args = Vec::new();
        while let Some(&term) = todo.last() {
            if self.images.contains_key(&term) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            let images = &self.images;
            todo.extend(pool.args(term).iter().filter(|a| !images.contains_key(a)));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            args.clear();
            args.extend(pool.args(term).iter().map(|a| self.images[a]));
            let image = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
            self.images.insert(term, image);
        }
        self.images[&root]
    }
}
