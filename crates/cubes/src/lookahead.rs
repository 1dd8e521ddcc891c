//! On which term a node is split: the one whose two halves are smallest.
//!
//! The question is simplified first, as the solver does it. Of the candidates ([`crate::candidates`]) the
//! [`LOOKED_AT`] on which most hangs are assumed true and false, and it is counted what the domains of words
//! leave of the circuits, without building any. The best [`SIMPLIFIED`] of these are assumed once more, and
//! what is left is simplified. The product of what both halves have lost decides, as in lookahead solvers:
//! a term that decides much on one side and nothing on the other is worth little.
//!
//! Simplification brings in symbols. Those that are bits of a symbol of the script are read as that
//! ([`Pieces`]). Where no candidate is left, as with floats, which are bit-vectors of other symbols once
//! simplified, the terms of the script itself are looked at.
//!
//! Cost: an analysis of domains for each candidate and side, and a simplification for each of the best.

use crate::candidates::{candidates, cost};
use crate::problem::{Fault, Opened};
use bivalve::rewrite::{Level, Rewriter};
use bivalve::terms::print;
use bivalve::terms::{Op, Pool, Term, TermMap, TermSet, cone};
use bivalve::{Settings, Solver};
use bivalve_domains::Analysis;
use bivalve_harness::Cancel;
use bivalve_limits::Deadline;
use std::cmp::Reverse;

/// Candidates whose domains are looked at, but no more than so many terms in all.
const LOOKED_AT: usize = 48;
const MOST_TERMS: usize = 1 << 19;

/// Candidates whose halves are simplified.
const SIMPLIFIED: usize = 3;

/// The term on which a question is split, if there is one; `cancel` ends the search with any.
///
/// # Errors
///
/// When a self-check of the solver fails.
pub(crate) fn choose(mut opened: Opened, cancel: &Cancel) -> Result<Option<String>, Fault> {
    let (solver, pool) = opened.solver();
    solver.stop_handle().listen_to(cancel.flag());
    let asserted = solver.assertions().to_vec();
    let mut named = TermSet::new();
    for term in cone(pool, &asserted).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
        named.insert(term);
    }
    let settings = solver.settings().clone();
    // What was stopped is not looked at.
    let Ok(simplified) = solver.simplified(pool) else { return Ok(None) };
    let mut rewriter = Rewriter::new(Level::default());
    let rewritten = asserted.iter().map(|&term| rewriter.rewrite(pool, term)).collect();
    let pieces = Pieces::of(pool, named, &simplified.definitions);
    for conjuncts in [simplified.conjuncts, rewritten] {
        let found = candidates(pool, &conjuncts, &|symbol| pieces.has(symbol));
        if let Some(best) = best(pool, &conjuncts, found, &settings, cancel) {
            let best = pieces.read(pool, best);
            return Ok(Some(print::term(pool, best)));
        }
    }
    Ok(None)
}

/// What symbols are to the script: its own, and those that stand for some bits of one.
struct Pieces {
    named: TermSet,
    bits: TermMap<Term>,
}

impl Pieces {
    /// From the symbols of the script and what simplification says of those that it has eliminated.
    fn of(pool: &mut Pool, named: TermSet, definitions: &[(Term, Term)]) -> Pieces {
        let mut bits = TermMap::new();
        for &(symbol, solution) in definitions.iter().filter(|(symbol, _)| named.contains(*symbol)) {
            let Some(mut end) = pool.width(symbol) else { continue };
            // Parts of a concatenation, from the highest bit down.
            let mut stack = vec![solution];
            while let Some(part) = stack.pop() {
                let args = pool.args(part).to_vec();
                let Some(width) = pool.width(part) else { continue };
                match pool.op(part) {
                    Op::Concat => stack.extend(args.into_iter().rev()),
                    Op::Symbol if !named.contains(part) => {
                        let indices = [end - 1, end - width];
                        bits.insert(part, pool.mk_indexed(Op::Extract, &indices, &[symbol]));
                        end -= width;
                    }
                    _ => end -= width,
                }
            }
        }
        Pieces { named, bits }
    }

    fn has(&self, symbol: Term) -> bool {
        self.named.contains(symbol) || self.bits.contains(symbol)
    }

    /// A term over symbols of the script.
    fn read(&self, pool: &mut Pool, term: Term) -> Term {
        let mut images: TermMap<Term> = TermMap::new();
        for part in cone(pool, &[term]) {
            let args = pool.args(part).iter().map(|&arg| images.get(arg).copied().unwrap_or(arg));
            let args: Vec<Term> = args.collect();
            let image = match self.bits.get(part) {
                Some(&bits) => bits,
                None if args.is_empty() => part,
                None => pool.rebuild(part, &args),
            };
            images.insert(part, image);
        }
        images.get(term).copied().unwrap_or(term)
    }
}

/// The candidate with the smallest halves.
fn best(
    pool: &mut Pool,
    conjuncts: &[Term],
    mut found: Vec<Term>,
    settings: &Settings,
    cancel: &Cancel,
) -> Option<Term> {
    let affordable = MOST_TERMS / cone(pool, conjuncts).len().max(1);
    found.truncate(affordable.clamp(SIMPLIFIED, LOOKED_AT));
    let whole = under(pool, conjuncts)?;
    let gain_by_domains = |pool: &mut Pool, term: Term| {
        let halves = halves(pool, conjuncts, term).map(|half| under(pool, &half));
        gain(whole, halves)
    };
    let mut found: Vec<(Reverse<u128>, Term)> =
        found.into_iter().map(|term| (Reverse(gain_by_domains(pool, term)), term)).collect();
    found.sort_by_key(|&(gain, _)| gain);
    found.truncate(SIMPLIFIED);
    let whole = size(pool, conjuncts);
    let mut best = None;
    for (_, term) in found {
        if cancel.is_raised() {
            return None;
        }
        let halves = halves(pool, conjuncts, term).map(|half| simplified(pool, &half, settings, cancel));
        let gain = gain(whole, halves);
        // The first one stays where others are no better.
        if best.is_none_or(|(known, _)| gain > known) {
            best = Some((gain, term));
        }
    }
    best.map(|(_, term)| term)
}

/// The conjuncts with a term that is true, and with one that is false.
fn halves(pool: &mut Pool, conjuncts: &[Term], term: Term) -> [Vec<Term>; 2] {
    let negated = pool.mk(Op::Not, &[term]);
    [term, negated].map(|literal| [conjuncts, &[literal]].concat())
}

/// How good halves of these sizes are, where `None` has no model. What follows by itself is no split.
fn gain(whole: u64, halves: [Option<u64>; 2]) -> u128 {
    let lost = |half: Option<u64>| half.map(|size| u128::from(whole.saturating_sub(size)));
    match halves.map(lost) {
        [Some(one), Some(two)] => one * two,
        [None, None] => u128::MAX,
        _ => 0,
    }
}

/// What domains leave of the circuits of conjuncts, about; `None` if there is no model.
fn under(pool: &Pool, conjuncts: &[Term]) -> Option<u64> {
    let terms = cone(pool, conjuncts);
    let domains = Analysis::under(pool, &terms, conjuncts, &Deadline::unlimited())?;
    Some(terms.iter().map(|&term| left(pool, &domains, term)).fold(0, u64::saturating_add))
}

/// What domains leave of the circuit of a term: nothing of one whose value is known, and of others the part
/// of its arguments that is not known; of products and quotients that of both.
fn left(pool: &Pool, domains: &Analysis, term: Term) -> u64 {
    let cost = u128::from(cost(pool, term));
    if cost == 0 || domains.domain(term).is_some_and(|domain| domain.value().is_some()) {
        return 0;
    }
    // Bits that are not known, and all bits.
    let open = |&arg: &Term| {
        let width = u128::from(pool.width(arg).unwrap_or(1).max(1));
        let known = domains.domain(arg).map_or(0, |domain| u128::from(domain.known().0.count_ones()));
        (width.saturating_sub(known), width)
    };
    let args = pool.args(term);
    let left = match pool.op(term) {
        Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
            args.iter().map(open).fold(cost, |cost, (open, all)| cost * open / all)
        }
        Op::Ite if open(&args[0]).0 == 0 => 0,
        _ => args.iter().map(open).map(|(open, all)| cost * open / all).max().unwrap_or(cost),
    };
    u64::try_from(left).unwrap_or(u64::MAX)
}

/// What simplification leaves of conjuncts; `None` if that is a contradiction.
fn simplified(pool: &mut Pool, conjuncts: &[Term], settings: &Settings, cancel: &Cancel) -> Option<u64> {
    let mut solver = Solver::new(settings.clone());
    solver.stop_handle().listen_to(cancel.flag());
    if solver.assert_all(pool, conjuncts).is_err() {
        return Some(size(pool, conjuncts));
    }
    match solver.simplified(pool) {
        Ok(left) if left.conjuncts.iter().any(|&term| pool.as_bool(term) == Some(false)) => None,
        Ok(left) => Some(size(pool, &left.conjuncts)),
        Err(_) => Some(size(pool, conjuncts)),
    }
}

/// About how many gates conjuncts have.
fn size(pool: &Pool, conjuncts: &[Term]) -> u64 {
    cone(pool, conjuncts).iter().map(|&term| cost(pool, term)).fold(0, u64::saturating_add)
}
