//! What multiplying out decides: equations of sums, and sums that are the same.
//!
//! Rewriting applies the laws of addition and multiplication one operator at a time, and a SAT solver does
//! not know them: circuits of two polynomials that are the same after distribution are among the hardest for
//! it. Here the sides of equations, and the sums that other operators read, become polynomials of the
//! checker's kernel, so one step of the certificate shows whatever is found.
//!
//! Cost: each side is multiplied out once, within bounds of the kernel; the terms that are looked at are
//! counted.

use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_checker::polynomial::Polynomial;
use bivalve_terms::{Op, Pool, Term, TermSet, cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Looks that a product of two terms is worth, since it is multiplied out.
const PRODUCT: usize = 100;

/// Equations below `roots` with their truth values, and sums with other sums of the same value. Those in
/// `seen` were looked at before; looks are taken from `left`.
pub(crate) fn multiplied_out(
    pool: &mut Pool,
    roots: &[Term],
    seen: &mut TermSet,
    left: &mut usize,
) -> Vec<(Term, Term)> {
    let below = cone(pool, roots);
    let is_new = |&term: &Term| !seen.contains(term);
    let equations: Vec<Term> =
        below.iter().copied().filter(|&term| is_equation_of_sums(pool, term)).filter(is_new).collect();
    let sums = sums(pool, &below);
    if equations.is_empty() && !sums.iter().any(is_new) {
        return vec![];
    }
    equations.iter().chain(&sums).for_each(|&term| {
        seen.insert(term);
    });
    let mut reader = Reader { out: Recorder::new(None), translation: Translation::default(), left };
    let mut found = vec![];
    for equation in equations {
        if let Some(value) = reader.decided(pool, equation) {
            found.push((equation, pool.bool(value)));
        }
    }
    let mut first: FxHashMap<(Option<u32>, Polynomial), Term> = FxHashMap::default();
    for sum in sums {
        let Some(polynomial) = reader.polynomial(pool, sum) else { continue };
        match first.entry((pool.width(sum), polynomial)) {
            Entry::Occupied(earlier) => found.push((sum, *earlier.get())),
            Entry::Vacant(entry) => {
                entry.insert(sum);
            }
        }
    }
    found
}

fn is_sum(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg)
}

fn is_equation_of_sums(pool: &Pool, term: Term) -> bool {
    pool.op(term) == Op::Eq && pool.args(term).iter().any(|&side| is_sum(pool, side))
}

/// The sums that something reads which is not one, in order.
fn sums(pool: &Pool, below: &[Term]) -> Vec<Term> {
    let readers = below.iter().filter(|&&term| !is_sum(pool, term));
    let read: FxHashSet<Term> = readers.flat_map(|&term| pool.args(term)).copied().collect();
    below.iter().copied().filter(|&term| is_sum(pool, term) && read.contains(&term)).collect()
}

/// Reads terms as polynomials.
struct Reader<'a> {
    out: Recorder,
    translation: Translation,
    left: &'a mut usize,
}

impl Reader<'_> {
    /// The truth value of an equation whose sides differ by a value.
    fn decided(&mut self, pool: &Pool, equation: Term) -> Option<bool> {
        let &[a, b] = pool.args(equation) else { return None };
        let [mut a, mut b] = [self.polynomial(pool, a)?, self.polynomial(pool, b)?];
        let values = [a.remove(&vec![]), b.remove(&vec![])];
        (a == b).then(|| values[0] == values[1])
    }

    /// `None` if it is too large.
    fn polynomial(&mut self, pool: &Pool, term: Term) -> Option<Polynomial> {
        *self.left = self.left.checked_sub(looks(pool, term, *self.left)?)?;
        let term = self.translation.term(pool, term, &mut self.out).ok()?;
        self.out.kernel.polynomial_of(term).ok()
    }
}

/// How many looks a polynomial costs; `None` if there are more than `most`.
fn looks(pool: &Pool, root: Term, most: usize) -> Option<usize> {
    let mut seen = FxHashSet::default();
    let (mut stack, mut looks) = (vec![root], 0);
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            looks += if pool.op(term) == Op::BvMul { PRODUCT } else { 1 };
            if looks > most {
                return None;
            }
            if is_sum(pool, term) {
                stack.extend(pool.args(term));
            }
        }
    }
    Some(looks)
}
