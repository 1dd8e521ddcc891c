//! The bits that conjuncts are contradictory by.
//!
//! Each place where a symbol occurs gets a value of its own, so that the conjuncts know nothing of each
//! other, nor a conjunct of itself: `x` becomes `(x & m) | (x' & ~m)`, with a mask `m` for the symbol and a
//! fresh symbol `x'` for the place. A bit that is assumed to be one in the mask has one value at all places.
//! The result is a minimal set of such bits for which the conjuncts stay contradictory; the other bits do not
//! matter even if each place has another value for them. For a mask without bits, the contradiction is in
//! what stands around the symbol.
//!
//! An application of a function is such a place for the bits of the function's results, and a read of an
//! array for those of its elements, if the array is only ever read. Other arrays, and symbols of declared
//! sorts, are taken as a whole. Cost: the conjuncts are copied one by one; two questions for each bit of the
//! first core.

use crate::minimum::minimum;
use crate::questions::{Budget, Questions};
use bivalve::terms::{BitVec, Op, Pool, Sort, Term, TermMap, TermSet, cone};
use bivalve::{InternalError, Settings, Stop};

/// The bits that conjuncts are contradictory by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relevance {
    /// All symbols of the conjuncts.
    pub symbols: Vec<Relevant>,
    /// None of the relevant bits can be left out.
    pub is_minimal: bool,
}

/// What is relevant of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relevant {
    /// The symbol.
    pub symbol: Term,
    /// What the bits are.
    pub unit: Unit,
    /// The relevant bits; one bit for a Boolean and for [`Unit::Whole`].
    pub relevant: BitVec,
}

/// What the relevant bits of a symbol are bits of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Of its value, a bit-vector or a Boolean.
    Value,
    /// Of all elements of the array.
    Elements,
    /// Of all results of the function.
    Results,
    /// The value is relevant as a whole, or not at all: arrays that are written or compared, declared sorts.
    Whole,
}

impl Relevance {
    /// The same with other names of the symbols.
    pub(crate) fn renamed(mut self, names: &TermMap<Term>) -> Relevance {
        for relevant in &mut self.symbols {
            relevant.symbol = *names.get(relevant.symbol).expect("internal: a symbol of the formulas");
        }
        self
    }
}

/// Terms that conjuncts may have together, at most, each counted for itself.
const MOST_TERMS: usize = 200_000;

/// A minimal set of bits by which the conjuncts are contradictory; `None` where the budget ended before it
/// was found that they are.
pub(crate) fn relevance(
    pool: &mut Pool,
    conjuncts: &[Term],
    settings: &Settings,
    budget: &Budget,
    stop: &Stop,
) -> Result<Option<Relevance>, InternalError> {
    let decoupling = Decoupling::new(pool, conjuncts);
    let mut terms = 0;
    let mut apart = vec![];
    for &conjunct in conjuncts {
        let below = cone(pool, &[conjunct]);
        terms += below.len();
        if terms > MOST_TERMS {
            return Ok(None);
        }
        apart.push(decoupling.conjunct(pool, &below));
    }
    let (bits, assumptions) = decoupling.assumptions(pool);
    let mut questions = Questions::new(settings, budget, stop);
    let mut solver = questions.solver(pool, &apart);
    let ask = &mut |chosen: &[usize]| questions.ask(pool, &mut solver, &assumptions, chosen);
    let found = minimum(assumptions.len(), ask);
    questions.end()?;
    Ok(found.map(|found| {
        let mut symbols = decoupling.sources;
        for number in found.kept {
            let (source, bit) = bits[number];
            let relevant = &mut symbols[source].relevant;
            *relevant = relevant.or(&BitVec::one(relevant.width()).shl_by(bit));
        }
        Relevance { symbols, is_minimal: found.is_minimal }
    }))
}

struct Decoupling {
    /// Symbols, without relevant bits.
    sources: Vec<Relevant>,
    /// The number of each symbol among them, and its mask: a bit-vector, or a Boolean.
    masks: TermMap<(usize, Term)>,
    /// Arrays that occur elsewhere than in reads.
    written: TermSet,
}

impl Decoupling {
    /// Masks for all symbols.
    fn new(pool: &mut Pool, conjuncts: &[Term]) -> Decoupling {
        let below = cone(pool, conjuncts);
        let mut written = TermSet::new();
        for &term in &below {
            for (place, &arg) in pool.args(term).iter().enumerate() {
                if pool.op(term) != Op::Select || place > 0 {
                    written.insert(arg);
                }
            }
        }
        let mut decoupling = Decoupling { sources: vec![], masks: TermMap::new(), written };
        for term in below {
            if pool.op(term) == Op::Symbol {
                decoupling.add(pool, term);
            }
        }
        decoupling
    }

    fn add(&mut self, pool: &mut Pool, symbol: Term) {
        let sort = pool.sort(symbol);
        let result = pool.sorts().function_parts(sort).map(|(_, result)| result);
        let element = pool.sorts().array_parts(sort).filter(|_| !self.written.contains(symbol));
        let (masked, unit) = match (result, element) {
            (Some(result), _) => (result, Unit::Results),
            (None, Some((_, element))) => (element, Unit::Elements),
            (None, None) => (sort, Unit::Value),
        };
        let is_bits = masked.is_bool() || masked.is_bitvec();
        let unit = if is_bits { unit } else { Unit::Whole };
        let mask = pool.symbol("mask", if masked.is_bitvec() { masked } else { Sort::BOOL });
        let relevant = BitVec::zero(masked.width().unwrap_or(1));
        self.masks.insert(symbol, (self.sources.len(), mask));
        self.sources.push(Relevant { symbol, unit, relevant });
    }

    /// A conjunct in which each occurrence has a value of its own; `below` are its terms, itself the last.
    fn conjunct(&self, pool: &mut Pool, below: &[Term]) -> Term {
        let mut images: TermMap<Term> = TermMap::new();
        let mut image = None;
        for &term in below {
            let args = pool.args(term).to_vec();
            let is_applied = self.source(pool, term).is_some_and(|symbol| symbol != term);
            let place = |(place, &arg): (usize, &Term)| -> Term {
                let known = *images.get(arg).expect("children come first");
                if is_applied && place == 0 { known } else { self.occurrence(pool, arg, known) }
            };
            let rebuilt: Vec<Term> = args.iter().enumerate().map(place).collect();
            let made = pool.rebuild(term, &rebuilt);
            images.insert(term, made);
            image = Some((term, made));
        }
        let (term, made) = image.expect("a conjunct is a term");
        self.occurrence(pool, term, made)
    }

    /// The symbol whose bits a term has as its own: the term itself, a function that is applied, or an array
    /// that is read.
    fn source(&self, pool: &Pool, term: Term) -> Option<Term> {
        match pool.op(term) {
            Op::Symbol if pool.sorts().is_function(pool.sort(term)) => None,
            Op::Symbol => Some(term),
            Op::Apply => Some(pool.args(term)[0]),
            Op::Select => {
                let array = pool.args(term)[0];
                (pool.op(array) == Op::Symbol && !self.written.contains(array)).then_some(array)
            }
            _ => None,
        }
    }

    /// What stands at one place where `term` occurs, whose image is `image`.
    fn occurrence(&self, pool: &mut Pool, term: Term, image: Term) -> Term {
        let Some(symbol) = self.source(pool, term) else { return image };
        let &(_, mask) = self.masks.get(symbol).expect("every symbol has a mask");
        let sort = pool.sort(term);
        let fresh = pool.symbol("occurrence", sort);
        if !sort.is_bitvec() {
            return pool.mk(Op::Ite, &[mask, image, fresh]);
        }
        let shared = pool.mk(Op::BvAnd, &[image, mask]);
        let others = pool.mk(Op::BvNot, &[mask]);
        let own = pool.mk(Op::BvAnd, &[fresh, others]);
        pool.mk(Op::BvOr, &[shared, own])
    }

    /// The bits of all masks, as number of the symbol and of the bit, and that they are ones.
    fn assumptions(&self, pool: &mut Pool) -> (Vec<(usize, u32)>, Vec<Term>) {
        let (mut bits, mut assumptions) = (vec![], vec![]);
        for (number, source) in self.sources.iter().enumerate() {
            let &(_, mask) = self.masks.get(source.symbol).expect("every symbol has a mask");
            for bit in (0..source.relevant.width()).rev() {
                let is_one = match pool.width(mask) {
                    None => mask,
                    Some(_) => {
                        let (one, bit) =
                            (pool.bv_u64(1, 1), pool.mk_indexed(Op::Extract, &[bit, bit], &[mask]));
                        pool.mk(Op::Eq, &[bit, one])
                    }
                };
                bits.push((number, bit));
                assumptions.push(is_one);
            }
        }
        (bits, assumptions)
    }
}
