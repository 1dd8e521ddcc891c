//! Terms whose circuits are those of their normal forms.
//!
//! Most rules about truth values and short words change what a term looks like and not its gates, which are
//! simplified when they are made. Such a term is equal to its normal form by one step, however many rules
//! were applied below it. Where gates differ is found out here, arguments first, with circuits apart from
//! those of the certificate; there the term is shown as if there were no circuits, and has the bits of its
//! normal form from then on, so that terms above may agree again. Long words are not looked into: a rule
//! costs less than their gates.
//!
//! Cost: the gates of each short term and of its normal form, once.

use crate::encode::cells;
use crate::recorder::Recorder;
use crate::translate::{Translation, arguments};
use bivalve_checker::circuit::Circuits;
use bivalve_checker::term as to;
use bivalve_rewrite::Rewriter;
use bivalve_terms::{Op, Pool, Sort, Term, TermSet};

/// Words of more bits are long. (With 32 bits symbolic executions take a quarter longer, and nothing was
/// quicker.)
const MOST_BITS: u32 = 4;

/// What is known of the circuits of terms.
#[derive(Default)]
pub(crate) struct Agreement {
    circuits: Circuits,
    seen: TermSet,
    /// Terms whose circuits are not those of their normal forms.
    differing: TermSet,
    /// Terms that were asked for.
    asked: TermSet,
    /// Terms with products or quotients of longer words below them.
    large: TermSet,
}

impl Agreement {
    /// Does this term, which was compared, have the circuit of its normal form?
    pub(crate) fn agrees(&self, pool: &Pool, term: Term) -> bool {
        is_short(pool, term) && !self.differing.contains(term) && !self.large.contains(term)
    }

    /// The terms below one, which agrees, that must be shown and share the bits of their normal forms so that
    /// its circuit is that of its normal form; only those that were not asked for before.
    pub(crate) fn inputs(&mut self, pool: &Pool, root: Term) -> Vec<Term> {
        let mut found = vec![];
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.asked.insert(term) {
                continue;
            }
            if self.differing.contains(term) {
                found.push(term);
            } else if is_short(pool, term) {
                stack.extend_from_slice(arguments(pool, term));
            }
        }
        found
    }

    /// Compares a term and those below it with their normal forms, arguments first.
    pub(crate) fn compare(
        &mut self,
        pool: &mut Pool,
        root: Term,
        rewriter: &mut Rewriter,
        translation: &mut Translation,
        out: &mut Recorder,
    ) -> Result<(), String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.seen.contains(term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let missing = |arg: &&Term| !self.seen.contains(**arg);
            stack.extend(arguments(pool, term).iter().filter(missing));
            let normal = rewriter.rewrite(pool, term);
            if !self.seen.contains(normal) && normal != term {
                stack.push(normal);
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            self.seen.insert(term);
            let made = translation.term(pool, term, out)?;
            self.note_size(pool, [term, normal], made, out);
            if is_long(pool, term) || self.large.contains(term) {
                continue;
            }
            let terms = &out.kernel.terms;
            if is_short(pool, term) {
                self.circuits.build(terms, made)?;
            }
            let form = translation.term(pool, normal, out)?;
            if normal != term && self.circuits.known(made) != self.circuits.known(form) {
                self.differing.insert(term);
                self.circuits.share(&out.kernel.terms, made, form)?;
            } else if self.circuits.known(made).is_none() {
                self.circuits.free(&out.kernel.terms, made)?;
            }
        }
        Ok(())
    }

    /// Are there products or quotients of more than short words below a term or its normal form?
    fn note_size(&mut self, pool: &Pool, [term, normal]: [Term; 2], made: to::Term, out: &Recorder) {
        let is_large = match pool.op(term) {
            Op::Select | Op::Apply => false,
            Op::BvSdiv | Op::BvSrem | Op::BvSmod => true,
            _ => {
                let of_this = cells(&out.kernel.terms, made);
                of_this > u64::from(MOST_BITS * MOST_BITS)
                    || arguments(pool, term).iter().any(|&arg| self.large.contains(arg))
            }
        };
        if is_large || self.large.contains(normal) {
            self.large.insert(term);
        }
    }
}

/// The bits of a term's values, if they have bits.
fn bits(pool: &Pool, term: Term) -> Option<u32> {
    if pool.sort(term) == Sort::BOOL { Some(1) } else { pool.width(term) }
}

fn is_long(pool: &Pool, term: Term) -> bool {
    bits(pool, term).is_none_or(|bits| bits > MOST_BITS)
}

/// Is this a circuit over the bits of its arguments, with few inputs?
fn is_short(pool: &Pool, term: Term) -> bool {
    let is_circuit = !matches!(pool.op(term), Op::Symbol | Op::Select | Op::Apply);
    is_circuit && !is_long(pool, term) && !arguments(pool, term).iter().any(|&arg| is_long(pool, arg))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::{Certifier, Form};
    use bivalve_limits::Stop;

    /// Forty connectives over a comparison of words, in two forms: the comparison needs a theorem, the
    /// connectives do not, though rules apply to each of them.
    #[test]
    fn only_what_no_circuit_shows_takes_theorems() {
        let mut pool = Pool::new();
        let (word, bit) = (Sort::bitvec(64).unwrap(), Sort::bitvec(1).unwrap());
        let x = pool.symbol("x", word);
        let [zero, one] = [0, 1].map(|value| pool.bv_u64(value, 64));
        let [low, high] = [0, 1].map(|value| pool.bv_u64(value, 1));
        let is_zero = [pool.mk(Op::BvUlt, &[x, one]), pool.mk(Op::Eq, &[x, zero])];
        let [mut a, mut b] = is_zero.map(|condition| pool.mk(Op::Ite, &[condition, high, low]));
        for level in 0..40 {
            let symbol = pool.symbol(&format!("b{level}"), bit);
            let sum = pool.mk(Op::BvXor, &[a, symbol]);
            a = pool.mk(Op::BvNot, &[sum]);
            let other = pool.mk(Op::BvNot, &[symbol]);
            b = pool.mk(Op::BvXor, &[other, b]);
        }
        let assertions = [pool.mk(Op::Eq, &[a, high]), pool.mk(Op::Eq, &[b, low])];
        let refutation = Certifier::new(Form::Text, &Stop::new()).certify(&mut pool, 0, &assertions, None);
        let text = String::from_utf8(refutation.unwrap().steps).unwrap();
        let instances = text.lines().filter(|line| line.starts_with("instance")).count();
        assert!((1..=4).contains(&instances), "{instances} instances in\n{text}");
    }
}
