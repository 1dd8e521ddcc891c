//! The order of wide words.
//!
//! What is said of quotients and remainders by facts about their size is most often a matter of their order:
//! `(s & t) % s <= s & t <= t`. Bit by bit each such step takes a conflict or more for every bit. So there is
//! first a search in which comparisons and equations of wide words have no circuits, but clauses that say
//! what an order is, that a conjunction of bits is not greater than its operands, and that equal operands
//! give equal words.
//!
//! These clauses are instances of theorems. That the order is transitive is proved from the low bits up: it
//! holds of so many bits, so it holds of a few more. A search for all of them at once takes thousands of
//! conflicts.
//!
//! Cost: clauses for all triples of the words that are compared, which are few.

use bivalve_checker::term::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// Narrower words are compared bit by bit soon enough.
const WIDE: u32 = 32;

/// Of wider ones the proofs of the theorems, which are quadratic, take too long.
const WIDEST: u32 = 1024;

/// Of more words of one width the order is not told.
const MOST_WORDS: usize = 16;

/// A step of the proof for low bits has so many more.
const BITS_OF_STEP: u32 = 4;

fn is_wide(terms: &Terms, word: Term) -> bool {
    terms.width(word).is_some_and(|width| (WIDE..=WIDEST).contains(&width))
}

/// The operands of a comparison or an equation of wide words.
fn operands(terms: &Terms, term: Term) -> Option<[Term; 2]> {
    match (terms.op(term), terms.args(term)) {
        (Op::BvUlt | Op::Eq, &[a, b]) if is_wide(terms, a) => Some([a, b]),
        _ => None,
    }
}

/// Comparisons and equations of wide words.
#[derive(Default)]
pub(crate) struct Comparisons {
    found: Vec<Term>,
    seen: FxHashSet<Term>,
    /// So many of those that were found have been given.
    given: usize,
}

impl Comparisons {
    /// Those below these terms that are new.
    pub(crate) fn below(&mut self, terms: &Terms, roots: &[Term]) -> Vec<Term> {
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if self.seen.insert(term) {
                self.found.extend(operands(terms, term).map(|_| term));
                stack.extend_from_slice(terms.args(term));
            }
        }
        let new = self.found[self.given..].to_vec();
        self.given = self.found.len();
        new
    }

    /// The words that are compared, and the branches of those that are choices, those of one width together.
    /// Not those that are too many.
    pub(crate) fn words(&self, terms: &Terms) -> Vec<Vec<Term>> {
        let mut found: Vec<Vec<Term>> = vec![];
        let compared = self.found.iter().filter_map(|&term| operands(terms, term)).flatten();
        let mut waiting: Vec<Term> = compared.collect();
        waiting.reverse();
        while let Some(word) = waiting.pop() {
            let same = found
                .iter()
                .position(|words| words.first().and_then(|&first| terms.width(first)) == terms.width(word));
            let place = same.unwrap_or_else(|| {
                found.push(vec![]);
                found.len() - 1
            });
            if found[place].len() <= MOST_WORDS && !found[place].contains(&word) {
                found[place].push(word);
                if terms.op(word) == Op::Ite {
                    waiting.extend_from_slice(&terms.args(word)[1..]);
                }
            }
        }
        found.retain(|words| words.len() <= MOST_WORDS);
        found
    }
}

/// What is true of the order of these words, as disjunctions of comparisons.
///
/// # Errors
///
/// When there are too many terms.
pub(crate) fn axioms(terms: &mut Terms, words: &[Term]) -> Result<Vec<Vec<(Term, bool)>>, String> {
    let mut found = vec![];
    let width = words.first().and_then(|&word| terms.width(word)).map_or(0, u64::from);
    for (place, &x) in words.iter().enumerate() {
        for &y in &words[..place] {
            let (less, more) = (terms.mk(Op::BvUlt, &[x, y])?, terms.mk(Op::BvUlt, &[y, x])?);
            let same = terms.mk(Op::Eq, &[x, y])?;
            found.push(vec![(less, true), (more, true), (same, true)]);
            for (a, b) in [(less, more), (less, same), (more, same)] {
                found.push(vec![(a, false), (b, false)]);
            }
            // x <= y <= z
            for &z in words.iter().filter(|&&z| z != x && z != y) {
                let (first, second) = (terms.mk(Op::BvUlt, &[z, y])?, terms.mk(Op::BvUlt, &[z, x])?);
                found.push(vec![(more, true), (first, true), (second, false)]);
                found.push(vec![(less, true), (second, true), (first, false)]);
            }
        }
        if let (Op::Ite, &[condition, yes, no]) = (terms.op(x), terms.args(x)) {
            for (branch, value) in [(yes, true), (no, false)] {
                found.push(vec![(condition, !value), (terms.mk(Op::Eq, &[x, branch])?, true)]);
            }
        }
        // Nothing is less than the least word, or more than the greatest.
        let (is_least, is_greatest) = match (terms.op(x), terms.args(x)) {
            (Op::BvNot, &[zero]) => (false, terms.as_value(zero).is_some_and(|value| value.bits() == 0)),
            _ => terms
                .as_value(x)
                .map_or((false, false), |value| (value.bits() == 0, value.count_ones() == width)),
        };
        for &y in words.iter().filter(|&&y| y != x) {
            if is_least {
                found.push(vec![(terms.mk(Op::BvUlt, &[y, x])?, false)]);
            }
            if is_greatest {
                found.push(vec![(terms.mk(Op::BvUlt, &[x, y])?, false)]);
            }
        }
        let parts = if terms.op(x) == Op::BvAnd { terms.args(x).to_vec() } else { vec![] };
        for part in parts {
            found.push(vec![(terms.mk(Op::BvUlt, &[part, x])?, false)]);
        }
    }
    Ok(found)
}

/// One of these has its truth value, as a term.
///
/// # Errors
///
/// When there are too many terms, or none are given.
pub(crate) fn disjunction(terms: &mut Terms, literals: &[(Term, bool)]) -> Result<Term, String> {
    let mut either = None;
    for &(term, value) in literals {
        let literal = if value { term } else { terms.mk(Op::Not, &[term])? };
        either = Some(match either {
            Some(before) => terms.mk(Op::Or, &[before, literal])?,
            None => literal,
        });
    }
    either.ok_or_else(|| "a disjunction of nothing".into())
}

/// What a disjunction of comparisons and their negations says of the low bits of the words, for more and more
/// bits, but not of all; nothing for other terms.
///
/// # Errors
///
/// When there are too many terms.
pub(crate) fn of_low_bits(terms: &mut Terms, term: Term) -> Result<Vec<Term>, String> {
    let (mut comparisons, mut stack) = (vec![], vec![term]);
    while let Some(literal) = stack.pop() {
        if terms.op(literal) == Op::Or {
            stack.extend_from_slice(terms.args(literal));
            continue;
        }
        let is_negated = terms.op(literal) == Op::Not;
        let atom = if is_negated { terms.args(literal)[0] } else { literal };
        match operands(terms, atom) {
            Some(words) => comparisons.push((terms.op(atom), words, is_negated)),
            None => return Ok(vec![]),
        }
    }
    let width = comparisons.first().and_then(|&(_, [word, _], _)| terms.width(word)).unwrap_or_default();
    if comparisons.iter().any(|&(_, [word, _], _)| terms.width(word) != Some(width)) {
        return Ok(vec![]);
    }
    let mut found = vec![];
    for top in (BITS_OF_STEP - 1..width - 1).step_by(BITS_OF_STEP as usize) {
        let mut literals = vec![];
        for &(op, [a, b], is_negated) in &comparisons {
            let (a, b) = (terms.mk(Op::Extract(top, 0), &[a])?, terms.mk(Op::Extract(top, 0), &[b])?);
            literals.push((terms.mk(op, &[a, b])?, !is_negated));
        }
        found.push(disjunction(terms, &literals)?);
    }
    Ok(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::recorder::Recorder;
    use crate::theorem::Library;
    use crate::{Certifier, Form};
    use bivalve_limits::Stop;
    use bivalve_terms::{self as from, Pool};

    #[test]
    fn theorems_say_what_is_true_of_an_order() {
        for width in [32, 100] {
            let (mut library, mut out) = (Library::new(None, &Stop::new()), Recorder::new(None));
            let sort = out.kernel.terms.bitvec_sort(width).unwrap();
            out.variable_sort(sort);
            let [x, y, z] = [0, 1, 2].map(|_| out.variable(sort));
            let terms = &mut out.kernel.terms;
            let zero = terms.value(width, 0u8.into()).unwrap();
            let mut mk = |op, args: &[Term]| terms.mk(op, args).unwrap();
            let (ones, both) = (mk(Op::BvNot, &[zero]), mk(Op::BvAnd, &[x, y]));
            let same = mk(Op::Eq, &[x, y]);
            let choice = mk(Op::Ite, &[same, both, z]);
            let compared = [[x, y], [zero, ones], [choice, x]].map(|words| mk(Op::BvUlt, &words));
            let mut comparisons = Comparisons::default();
            assert_eq!(comparisons.below(terms, &compared).len(), 4);
            let words = comparisons.words(terms);
            assert_eq!(words.iter().map(Vec::len).collect::<Vec<_>>(), [7]);
            let (axioms, truth) = (axioms(terms, &words[0]).unwrap(), terms.truth(true));
            for axiom in axioms {
                let either = disjunction(&mut out.kernel.terms, &axiom).unwrap();
                library.show(&mut out, either, truth).unwrap();
            }
        }
    }

    #[test]
    fn what_follows_from_the_order_of_words_takes_a_few_conflicts_at_any_width() {
        for width in [32, 512] {
            let mut pool = Pool::new();
            let sort = from::Sort::bitvec(width).unwrap();
            let [s, t] = ["s", "t"].map(|name| pool.symbol(name, sort));
            let both = pool.mk(from::Op::BvAnd, &[s, t]);
            let [one, other] = [both, t].map(|dividend| pool.mk(from::Op::BvUrem, &[dividend, s]));
            let masked = pool.mk(from::Op::BvAnd, &[s, other]);
            let (less, same) = (pool.mk(from::Op::BvUle, &[t, one]), pool.mk(from::Op::Eq, &[t, masked]));
            let differ = pool.mk(from::Op::Distinct, &[less, same]);
            let mut certifier = Certifier::new(Form::Binary, &Stop::new());
            let refutation = certifier.certify(&mut pool, 0, &[differ], Some(100)).unwrap();
            assert!(refutation.steps.len() < 2_000 * width as usize, "{} bytes", refutation.steps.len());
        }
    }
}
