//! The domains of all terms below some conjuncts.
//!
//! [`Analysis::forward`] computes them bottom-up: what holds in every assignment, or, with [`Facts`], in every assignment in
//! which the facts hold. [`Analysis::under`] takes all conjuncts to be true, and goes down and up again until
//! nothing changes or [`ROUNDS`] are over: what it finds holds in their models only. A domain that becomes empty on the way
//! says that there is no model.
//!
//! Who uses domains that hold in models only must keep what they were derived from; how is the business of the passes.
//!
//! Only Booleans and bit-vectors of at most [`WIDEST`] bits have domains. Cost: a few operations on machine words for
//! each term and round.

use super::{Domain, backward, forward};
use bivalve_terms::{Pool, Term, TermMap};

/// Wider terms are left alone.
const WIDEST: u32 = 1024;

/// Rounds down and up, at most.
const ROUNDS: u32 = 6;

/// What is taken for granted of some terms.
pub(crate) type Facts = TermMap<Domain>;

/// The domains of terms.
pub(crate) struct Analysis {
    domains: TermMap<Domain>,
    /// The number of the walk in which the domain of a term has changed last; a walk looks at what has changed since the last
    /// one in its direction.
    changed: TermMap<u32>,
}

impl Analysis {
    /// Bottom-up through `terms`, children before parents, under facts; `None` if they contradict each other.
    pub(crate) fn forward(pool: &Pool, terms: &[Term], facts: &Facts) -> Option<Analysis> {
        let mut analysis = Analysis { domains: TermMap::new(), changed: TermMap::new() };
        for &term in terms {
            if let Some(width) = width(pool, term) {
                let mut domain = analysis.transfer(pool, term, width);
                if let Some(fact) = facts.get(term) {
                    domain = domain.meet(fact)?;
                }
                analysis.domains.insert(term, domain);
            }
        }
        Some(analysis)
    }

    /// What holds in all models of the conjuncts, which `terms` are the terms of, children first; `None` if there is no
    /// model.
    pub(crate) fn under(pool: &Pool, terms: &[Term], conjuncts: &[Term]) -> Option<Analysis> {
        let mut facts = Facts::new();
        for &conjunct in conjuncts {
            facts.insert(conjunct, Domain::truth(true));
        }
        let mut analysis = Analysis::forward(pool, terms, &facts)?;
        for round in 0..ROUNDS {
            let walk = 2 * round + 1;
            if !analysis.down(pool, terms, walk)? || !analysis.up(pool, terms, walk + 1)? {
                break;
            }
        }
        Some(analysis)
    }

    /// What is known of a term; `None` if it has no domain.
    pub(crate) fn domain(&self, term: Term) -> Option<&Domain> {
        self.domains.get(term)
    }

    /// What follows for a term from what is known of its arguments.
    pub(crate) fn transfer(&self, pool: &Pool, term: Term, width: u32) -> Domain {
        if pool.is_const(term) {
            let value = pool.as_bitvec(term).map(Domain::one);
            return value
                .or_else(|| pool.as_bool(term).map(Domain::truth))
                .unwrap_or_else(|| Domain::all(width));
        }
        match self.of_args(pool, term) {
            Some((args, count)) => forward::transfer(pool.op(term), pool.index(term), width, &args[..count]),
            None => Domain::all(width),
        }
    }

    /// The domains of the arguments, if there are up to three and all have one.
    fn of_args(&self, pool: &Pool, term: Term) -> Option<([&Domain; 3], usize)> {
        let args = pool.args(term);
        let first = self.domains.get(*args.first()?)?;
        let mut domains = [first; 3];
        if args.len() > domains.len() {
            return None;
        }
        for (domain, &arg) in domains.iter_mut().zip(args) {
            *domain = self.domains.get(arg)?;
        }
        Some((domains, args.len()))
    }

    /// Is something new about the term or its arguments since the last walk in this direction? In the first one, everything is.
    fn is_new(&self, pool: &Pool, term: Term, walk: u32) -> bool {
        let since = |term: Term| self.changed.get(term).is_some_and(|&last| last + 2 >= walk);
        walk == 1 || since(term) || pool.args(term).iter().any(|&arg| since(arg))
    }

    fn set(&mut self, term: Term, domain: Domain, walk: u32) {
        self.domains.insert(term, domain);
        self.changed.insert(term, walk);
    }

    /// One walk from parents to children; whether something changed, `None` for a contradiction.
    fn down(&mut self, pool: &Pool, terms: &[Term], walk: u32) -> Option<bool> {
        let mut changed = false;
        for &term in terms.iter().rev() {
            if !self.is_new(pool, term, walk) {
                continue;
            }
            let Some(result) = self.domains.get(term).filter(|result| !result.is_all()) else { continue };
            let Some((args, count)) = self.of_args(pool, term) else { continue };
            if args.iter().all(|arg| arg.value().is_some()) {
                continue;
            }
            let refined = backward::refine(pool.op(term), pool.index(term), result, &args[..count])?;
            for (&arg, domain) in pool.args(term).iter().zip(refined) {
                // An argument that occurs twice is refined twice.
                let known = self.domains.get(arg).expect("all arguments have domains");
                if *known != domain {
                    let met = known.meet(&domain)?;
                    if met != *known {
                        changed = true;
                        self.set(arg, met, walk);
                    }
                }
            }
        }
        Some(changed)
    }

    /// One walk from children to parents.
    fn up(&mut self, pool: &Pool, terms: &[Term], walk: u32) -> Option<bool> {
        let mut changed = false;
        for &term in terms {
            let Some(known) = self.domains.get(term) else { continue };
            if pool.args(term).is_empty() || !self.is_new(pool, term, walk) {
                continue;
            }
            let met = known.meet(&self.transfer(pool, term, known.width()))?;
            if met != *known {
                changed = true;
                self.set(term, met, walk);
            }
        }
        Some(changed)
    }
}

/// The width of a term that has a domain; 1 for Booleans.
pub(crate) fn width(pool: &Pool, term: Term) -> Option<u32> {
    if pool.sort(term).is_bool() {
        return Some(1);
    }
    pool.width(term).filter(|&width| width <= WIDEST)
}
