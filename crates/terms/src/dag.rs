//! Walks over the term DAG: the cone below some roots, and simultaneous substitution.
//!
//! Children have smaller ids than parents, so the terms below a root, by increasing id, come children first;
//! whoever computes something bottom-up loops over a [`cone`]. A [`Substitution`] remembers what it has
//! rebuilt, so that applying it to many roots costs each shared term once.
//!
//! Cost: linear in the size of the cone (and in sorting its ids); no recursion.

use crate::pool::Pool;
use crate::side_table::{TermMap, TermSet};
use crate::term::Term;

/// All terms at and below `roots`, each once, children before parents.
pub fn cone(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut seen = TermSet::new();
    unseen(pool, roots, &mut seen)
}

/// The terms at and below `roots` that can be reached past no term of `seen`, each once, children before
/// parents; they are seen from now on. The walk itself may be in any order, and looks at one bit for each
/// child; what the caller does with larger things then goes through memory in the order of ids.
pub(crate) fn unseen(pool: &Pool, roots: &[Term], seen: &mut TermSet) -> Vec<Term> {
    let mut found: Vec<Term> = roots.iter().copied().filter(|&root| seen.insert(root)).collect();
    let mut next = 0;
    while let Some(&term) = found.get(next) {
        next += 1;
        found.extend(pool.args(term).iter().filter(|&&arg| seen.insert(arg)));
    }
    found.sort_unstable();
    found
}

/// A simultaneous substitution of terms by terms of the same sort.
#[derive(Default)]
pub struct Substitution {
    pairs: Vec<(Term, Term)>,
    /// The given pairs and what was rebuilt so far; empty when pairs were added since.
    images: TermMap<Term>,
    /// The terms that have an image.
    seen: TermSet,
}

impl Substitution {
    /// The substitution that maps nothing.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Maps `from` to `to`, in place of what it was mapped to before. Pairs are best given before the first
    /// use: what was rebuilt without them is forgotten.
    ///
    /// # Panics
    ///
    /// If their sorts differ.
    pub fn insert(&mut self, pool: &Pool, from: Term, to: Term) {
        assert_eq!(pool.sort(from), pool.sort(to), "internal: a substitution keeps sorts");
        self.pairs.push((from, to));
        self.images.clear();
        self.seen.clear();
    }

    /// `root` with every mapped term replaced, all at once: images are not substituted again.
    pub fn apply(&mut self, pool: &mut Pool, root: Term) -> Term {
        if self.seen.is_empty() {
            for &(from, to) in &self.pairs {
                self.images.insert(from, to);
                self.seen.insert(from);
            }
        }
        let mut args = Vec::new();
        for term in unseen(pool, &[root], &mut self.seen) {
            args.clear();
            args.extend(pool.args(term).iter().map(|&arg| self.image(arg)));
            let image = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
            self.images.insert(term, image);
        }
        self.image(root)
    }

    /// The image of a term that has one.
    fn image(&self, term: Term) -> Term {
        *self.images.get(term).expect("children come first")
    }
}
