//! Theorems: equations over variables that were proved once and are used for many terms.
//!
//! A theorem is proved in a kernel of its own, in which nothing is asserted, over symbols that stand for all
//! values of their sorts; so it holds whatever terms of these sorts take their places. A declared sort there
//! is any sort, since nothing is known of it: a theorem about one holds for every sort that takes its place.

use crate::kernel::Kernel;
use crate::term::{Sort, SortKind, Term, Terms};
use rustc_hash::FxHashMap;

/// An equation for all values of its variables.
pub struct Theorem {
    terms: Terms,
    variables: Vec<Term>,
    left: Term,
    right: Term,
}

impl Theorem {
    /// The equation of two terms that a kernel knows to be equal, for all values of these symbols. What it
    /// knows under a supposition is not known.
    pub fn new(kernel: Kernel, variables: Vec<Term>, left: Term, right: Term) -> Result<Theorem, String> {
        if kernel.supposes() || !kernel.equal(left, right) || !kernel.terms.has_room_for_elements() {
            return Err("the theorem was not proved".into());
        }
        Ok(Theorem { terms: kernel.terms, variables, left, right })
    }

    /// Both sides for these terms.
    pub fn instance(&self, terms: &mut Terms, args: &[Term]) -> Result<(Term, Term), String> {
        if args.len() != self.variables.len() {
            return Err(format!("the theorem is about {} terms", self.variables.len()));
        }
        let (mut map, mut sorts) = (FxHashMap::default(), FxHashMap::default());
        for (&variable, &arg) in self.variables.iter().zip(args) {
            let (own, given) = (self.terms.sort_of(variable), terms.sort_of(arg));
            if !fits((&self.terms, own), (terms, given), &mut sorts) {
                return Err("an argument of a theorem has another sort".into());
            }
            map.insert(variable, arg);
        }
        let left = terms.image(Some(&self.terms), &mut map, self.left)?;
        Ok((left, terms.image(Some(&self.terms), &mut map, self.right)?))
    }
}

/// Is the second sort what the first one, of a theorem, becomes? Sorts become what they became before.
fn fits(own: (&Terms, Sort), given: (&Terms, Sort), known: &mut FxHashMap<Sort, Sort>) -> bool {
    let mut stack = vec![(own.1, given.1)];
    while let Some((sort, image)) = stack.pop() {
        if let Some(&before) = known.get(&sort) {
            if before != image {
                return false;
            }
            continue;
        }
        match (own.0.kind(sort), given.0.kind(image)) {
            (SortKind::Array(i, e), SortKind::Array(j, f)) => stack.extend([(i, j), (e, f)]),
            (SortKind::Declared(_), _) => {}
            (kind, other) if kind == other => {}
            _ => return false,
        }
        known.insert(sort, image);
    }
    true
}
