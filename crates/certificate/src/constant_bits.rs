//! Constant bits of symbols: `x < 10` and `x[0] = 0` make four bits of a word of 64, so a symbol with such
//! bounds is replaced by constants and parts of itself, and circuits of what is computed from it end early.
//!
//! Domains of all conjuncts together (`bivalve-domains`) tell which symbols are worth a look. What is known
//! of one is taken from few small conjuncts that mention it, since from these it is shown: by their clauses
//! and the negation of the equation. A part has a symbol in the pool, which is an extract to the checker, so
//! the equation of a symbol and its parts is no definition by itself.
//!
//! Cost: a few walks over the terms, [`ANALYSES`] times at most; one over [`MOST_SOURCES`] conjuncts of
//! [`MOST_TERMS`] terms for each symbol of which something is known. Gain: a program that compares strings of
//! bounded lengths has 76,000 clauses instead of 201,000, and is certified in half of the time.

use crate::prove::{Outcome, refute_negation};
use crate::recorder::Recorder;
use bivalve_checker::term as to;
use bivalve_domains::{Analysis, Piece, pieces};
use bivalve_limits::{Deadline, Stop};
use bivalve_terms::{Op, Pool, Term, TermSet, cone};
use rustc_hash::FxHashMap;

/// The analyses of all conjuncts.
pub(crate) const ANALYSES: u32 = 4;

/// Larger conjuncts are not used.
const MOST_TERMS: usize = 64;

/// The conjuncts that are used for one symbol.
const MOST_SOURCES: usize = 16;

/// Conflicts of the proof that the bits are constant.
const CONFLICTS: u64 = 5_000;

/// A symbol of which bits are constant.
pub(crate) struct Split {
    pub(crate) symbol: Term,
    /// The equation of the symbol and its parts, and what it is then.
    pub(crate) equation: Term,
    pub(crate) whole: Term,
    /// Its other bits.
    pub(crate) parts: Vec<Piece>,
    /// The places of the conjuncts that it follows from.
    pub(crate) sources: Vec<usize>,
}

impl Split {
    /// The terms of the checker for the symbols of the parts.
    pub(crate) fn terms(
        &self,
        symbol: to::Term,
        out: &mut Recorder,
    ) -> Result<Vec<(Term, to::Term)>, String> {
        let mut made = |part: &Piece| {
            let bits = to::Op::Extract(part.high, part.low);
            Ok((part.symbol, out.kernel.terms.mk(bits, &[symbol])?))
        };
        self.parts.iter().map(&mut made).collect()
    }
}

/// Symbols with constant bits, each at most once.
pub(crate) fn split(
    pool: &mut Pool,
    conjuncts: &[Term],
    tried: &mut TermSet,
    deadline: &Deadline,
) -> Vec<Split> {
    let terms = cone(pool, conjuncts);
    // Bounds that contradict each other are left to the search.
    let Some(known) = Analysis::under(pool, &terms, conjuncts, deadline) else { return vec![] };
    let is_wanted = |&term: &Term| {
        let has_bits = pool.op(term) == Op::Symbol && pool.width(term).is_some();
        has_bits
            && !tried.contains(term)
            && known.domain(term).is_some_and(|domain| !domain.known().0.is_zero())
    };
    let wanted: Vec<Term> = terms.iter().copied().filter(is_wanted).collect();
    if wanted.is_empty() {
        return vec![];
    }
    let mut mentions: FxHashMap<Term, Vec<usize>> = wanted.iter().map(|&symbol| (symbol, vec![])).collect();
    for (place, &conjunct) in conjuncts.iter().enumerate() {
        let below = cone(pool, &[conjunct]);
        for symbol in below.iter().filter(|_| below.len() <= MOST_TERMS) {
            if let Some(places) = mentions.get_mut(symbol).filter(|places| places.len() < MOST_SOURCES) {
                places.push(place);
            }
        }
    }
    let mut found = vec![];
    for symbol in wanted {
        tried.insert(symbol);
        let sources = mentions.remove(&symbol).unwrap_or_default();
        let roots: Vec<Term> = sources.iter().map(|&place| conjuncts[place]).collect();
        let below = cone(pool, &roots);
        let known = Analysis::under(pool, &below, &roots, deadline);
        let Some(domain) = known.as_ref().and_then(|known| known.domain(symbol)) else { continue };
        if let Some((all, parts)) = pieces(pool, symbol, domain) {
            let whole = all.into_iter().reduce(|below, part| pool.mk(Op::Concat, &[part, below]));
            let whole = whole.unwrap_or(symbol);
            let equation = pool.mk(Op::Eq, &[symbol, whole]);
            found.push(Split { symbol, equation, whole, parts, sources });
        }
    }
    found
}

/// Shows that an equation follows from what is known to be true.
pub(crate) fn show(
    out: &mut Recorder,
    sources: &[to::Term],
    equation: to::Term,
    stop: &Stop,
) -> Result<(), String> {
    let mut clauses = vec![];
    for &source in sources {
        let bit = out.bits(source)?[0];
        clauses.push((vec![bit], out.unit(source)?));
    }
    match refute_negation(out, equation, &[], &clauses, CONFLICTS, stop)? {
        Outcome::Proved => Ok(()),
        Outcome::Refuted | Outcome::Open => Err("bits of a symbol were not shown to be constant".into()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::translate::Translation;
    use bivalve_terms::{Assignment, BitVec, Sort, Value, eval};

    const WIDTH: u32 = 4;

    /// Random conjuncts over two words.
    fn conjuncts(pool: &mut Pool, words: [Term; 2], random: &mut fastrand::Rng) -> Vec<Term> {
        let comparisons = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::Eq, Op::BvUgt];
        (0..3)
            .map(|_| {
                let [mut a, mut b] = words.map(|_| words[random.usize(..2)]);
                if random.bool() {
                    b = pool.bv_u64(random.u64(..16), WIDTH);
                }
                if random.bool() {
                    a = pool.mk([Op::BvAnd, Op::BvAdd, Op::BvLshr][random.usize(..3)], &[a, b]);
                    b = pool.bv_u64(random.u64(..8), WIDTH);
                }
                let compared = pool.mk(comparisons[random.usize(..5)], &[a, b]);
                if random.u8(..4) == 0 { pool.mk(Op::Not, &[compared]) } else { compared }
            })
            .collect()
    }

    #[test]
    fn constant_bits_follow_from_their_sources_and_are_shown() {
        let mut random = fastrand::Rng::with_seed(30);
        let mut splits = 0;
        for _ in 0..400 {
            let mut pool = Pool::new();
            let words = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(WIDTH).unwrap()));
            let conjuncts = conjuncts(&mut pool, words, &mut random);
            for found in split(&mut pool, &conjuncts, &mut TermSet::default(), &Deadline::unlimited()) {
                splits += 1;
                let sources: Vec<Term> = found.sources.iter().map(|&place| conjuncts[place]).collect();
                let place = usize::from(found.symbol == words[1]);
                for number in 0..1 << (2 * WIDTH) {
                    let values = [number & 15, number >> WIDTH].map(|value| BitVec::from_u64(value, WIDTH));
                    let mut assignment = Assignment::new();
                    for (&word, value) in words.iter().zip(&values) {
                        assignment.set(word, Value::BitVec(value.clone()));
                    }
                    for part in &found.parts {
                        let bits = values[place].extract(part.high, part.low);
                        assignment.set(part.symbol, Value::BitVec(bits));
                    }
                    let holds = |term: Term| eval(&pool, term, &assignment) == Value::Bool(true);
                    if sources.iter().all(|&source| holds(source)) {
                        assert!(holds(found.equation), "{values:?}");
                    }
                }
                let (mut out, mut translation) = (Recorder::new(None), Translation::default());
                let symbol = translation.term(&pool, found.symbol, &mut out).unwrap();
                for (part, term) in found.terms(symbol, &mut out).unwrap() {
                    translation.define(part, term);
                }
                let mut known = vec![];
                for (place, &source) in sources.iter().enumerate() {
                    known.push(translation.term(&pool, source, &mut out).unwrap());
                    out.assert(place as u64, known[place]);
                }
                let equation = translation.term(&pool, found.equation, &mut out).unwrap();
                show(&mut out, &known, equation, &Stop::new()).unwrap();
                assert!(out.kernel.is(equation, true));
            }
        }
        assert!(splits > 100, "{splits}: too few");
    }
}
