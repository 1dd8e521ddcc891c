//! Walks over the term DAG: the cone below some roots, rebuilding from the bottom, and substitution.
//!
//! Children have smaller ids than parents, so the terms below a root, by increasing id, come children first;
//! whatever is computed bottom-up is a loop over a [`cone`]. [`Rebuild`] is that loop for transformations
//! that replace terms: it remembers the image of every term for as long as it lives, so that many roots cost
//! each shared term once, and asks before each term whether to go on. A [`Substitution`] is a rebuilding with
//! images that are given.
//!
//! Cost: linear in the part of the cone that has no image yet (and in sorting its ids); no recursion.

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
pub fn unseen(pool: &Pool, roots: &[Term], seen: &mut TermSet) -> Vec<Term> {
    let mut found: Vec<Term> = roots.iter().copied().filter(|&root| seen.insert(root)).collect();
    let mut next = 0;
    while let Some(&term) = found.get(next) {
        next += 1;
        found.extend(pool.args(term).iter().filter(|&&arg| seen.insert(arg)));
    }
    found.sort_unstable();
    found
}

/// Images of terms, made from the bottom up and remembered.
#[derive(Default)]
pub struct Rebuild {
    images: TermMap<Term>,
    /// The terms that have an image.
    seen: TermSet,
}

impl Rebuild {
    /// No term has an image yet.
    pub fn new() -> Rebuild {
        Rebuild::default()
    }

    /// The image of a term that was rebuilt or set.
    #[inline]
    pub fn image(&self, term: Term) -> Option<Term> {
        self.images.get(term).copied()
    }

    /// Gives a term its image; what is below the term is not opened for it. Images of terms above it that
    /// were made before stay as they are.
    pub fn set(&mut self, term: Term, image: Term) {
        self.seen.insert(term);
        self.images.insert(term, image);
    }

    /// Forgets all images.
    pub fn clear(&mut self) {
        self.images.clear();
        self.seen.clear();
    }

    /// The image of `root`. For each term below it without an image, children first, `replace` is shown the
    /// term and the same operator over the images of its children, and returns what stands in its place, if
    /// that is not the latter. Before each term `poll` is asked whether to go on; if it refuses, the result
    /// is `None`, and what was made so far is kept.
    pub fn apply(
        &mut self,
        pool: &mut Pool,
        root: Term,
        poll: impl FnMut() -> bool,
        replace: impl FnMut(&mut Pool, Term, Term) -> Option<Term>,
    ) -> Option<Term> {
        if !self.seen.contains(root) {
            let below = unseen(pool, &[root], &mut self.seen);
            if !self.extend(pool, &below, poll, replace) {
                below.iter().filter(|&&term| !self.images.contains(term)).for_each(|&term| {
                    self.seen.remove(term);
                });
                return None;
            }
        }
        self.image(root)
    }

    /// The same for terms that are given, children first: each child of one of them comes before it, or has
    /// an image. Those that have an image keep it. Returns `false` where `poll` refused.
    pub fn extend(
        &mut self,
        pool: &mut Pool,
        terms: &[Term],
        mut poll: impl FnMut() -> bool,
        mut replace: impl FnMut(&mut Pool, Term, Term) -> Option<Term>,
    ) -> bool {
        let mut args = Vec::new();
        for &term in terms {
            if self.images.contains(term) {
                continue;
            }
            if !poll() {
                return false;
            }
            args.clear();
            args.extend(pool.args(term).iter().map(|&arg| self.known(arg)));
            let rebuilt = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
            let image = replace(pool, term, rebuilt).unwrap_or(rebuilt);
            self.seen.insert(term);
            self.images.insert(term, image);
        }
        true
    }

    #[inline]
    fn known(&self, term: Term) -> Term {
        *self.images.get(term).expect("children come first")
    }
}

/// A simultaneous substitution of terms by terms of the same sort.
#[derive(Default)]
pub struct Substitution {
    pairs: Vec<(Term, Term)>,
    /// The given pairs and what was rebuilt so far; empty when pairs were added since.
    images: Rebuild,
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
    }

    /// `root` with every mapped term replaced, all at once: images are not substituted again.
    pub fn apply(&mut self, pool: &mut Pool, root: Term) -> Term {
        self.apply_while(pool, root, || true).expect("nothing ends the walk")
    }

    /// The same as long as `goes_on` is true, which is asked for each term.
    pub fn apply_while(
        &mut self,
        pool: &mut Pool,
        root: Term,
        goes_on: impl FnMut() -> bool,
    ) -> Option<Term> {
        if self.images.seen.is_empty() {
            self.pairs.iter().for_each(|&(from, to)| self.images.set(from, to));
        }
        self.images.apply(pool, root, goes_on, |_, _, _| None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, Sort};

    /// Each term is shown once, over images, however many roots there are; a walk that ends early goes on
    /// later.
    #[test]
    fn a_rebuilding_remembers_and_can_be_interrupted() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let mut roots = vec![x];
        for _ in 0..100 {
            let last = roots[roots.len() - 1];
            roots.push(pool.mk(Op::BvMul, &[last, last]));
        }
        let mut rebuild = Rebuild::new();
        rebuild.set(x, y);
        let (mut shown, mut left) = (0, 30);
        let mut poll = || {
            left -= 1;
            left >= 0
        };
        let mut count = |_: &mut Pool, _, _| {
            shown += 1;
            None
        };
        assert_eq!(rebuild.apply(&mut pool, roots[100], &mut poll, &mut count), None);
        assert_eq!(rebuild.image(roots[31]), None);
        let image = rebuild.image(roots[30]).expect("it was reached");
        let last = rebuild.apply(&mut pool, roots[100], || true, &mut count).expect("it goes on");
        assert_eq!(shown, 100);
        assert!(cone(&pool, &[last]).contains(&image) && !cone(&pool, &[last]).contains(&x));
    }
}
