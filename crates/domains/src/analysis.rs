//! The domains of all terms below some conjuncts.
//!
//! [`Analysis::forward`] computes them bottom-up: what holds in every assignment, or, with [`Facts`], in
//! every assignment in which the facts hold. [`Analysis::under`] takes all conjuncts to be true, and goes
//! down and up again until nothing changes or [`ROUNDS`] are over: what it finds holds in their models only.
//! A domain that becomes empty on the way says that there is no model.
//!
//! Who uses domains that hold in models only must keep what they were derived from; how is the business of
//! the passes.
//!
//! Only Booleans and bit-vectors of at most [`WIDEST`] bits have domains. Cost: a few operations on machine
//! words for each term and round.

use super::{Domain, backward, forward};
use bivalve_limits::Deadline;
use bivalve_terms::{Pool, Term, TermMap};

/// Wider terms are left alone.
const WIDEST: u32 = 1024;

/// Rounds down and up, at most.
const ROUNDS: u32 = 6;

/// What is taken for granted of some terms.
pub type Facts = TermMap<Domain>;

/// The domains of terms.
#[derive(Default)]
pub struct Analysis {
    /// Where the domain of a term is; of most terms nothing is known, and they have none.
    places: TermMap<u32>,
    domains: Vec<Domain>,
    /// The number of the walk in which each domain has changed last; a walk looks at what has changed since
    /// the last one in its direction.
    changed: Vec<u32>,
    /// By width: the domains of those of which nothing is known.
    unknown: Vec<Option<Domain>>,
}

impl Analysis {
    /// Bottom-up through `terms`, children before parents, under facts; `None` if they contradict each other.
    /// What is found until the deadline is over is right.
    pub fn forward(pool: &Pool, terms: &[Term], facts: &Facts, deadline: &Deadline) -> Option<Analysis> {
        let mut analysis = Analysis::default();
        for &term in terms {
            if !deadline.step(1) {
                break;
            }
            let Some(width) = width(pool, term) else { continue };
            let place = width as usize;
            if analysis.unknown.len() <= place {
                analysis.unknown.resize(place + 1, None);
            }
            analysis.unknown[place].get_or_insert_with(|| Domain::all(width));
            let found = analysis.transfer(pool, term, width);
            let found = match (found, facts.get(term)) {
                (Some(found), Some(fact)) => found.meet(fact)?,
                (None, Some(fact)) => fact.clone(),
                (Some(found), None) => found,
                (None, None) => continue,
            };
            if !found.is_all() {
                analysis.set(term, found, 0);
            }
        }
        Some(analysis)
    }

    /// What holds in all models of the conjuncts, which `terms` are the terms of, children first; `None` if
    /// there is no model.
    pub fn under(pool: &Pool, terms: &[Term], conjuncts: &[Term], deadline: &Deadline) -> Option<Analysis> {
        let mut facts = Facts::new();
        for &conjunct in conjuncts {
            facts.insert(conjunct, Domain::truth(true));
        }
        let mut analysis = Analysis::forward(pool, terms, &facts, deadline)?;
        for round in 0..ROUNDS {
            if !deadline.step(2 * terms.len() as u64) {
                break;
            }
            let walk = 2 * round + 1;
            if !analysis.down(pool, terms, walk)? || !analysis.up(pool, terms, walk + 1)? {
                break;
            }
        }
        Some(analysis)
    }

    /// What is known of a term, if anything is.
    pub fn domain(&self, term: Term) -> Option<&Domain> {
        self.places.get(term).map(|&place| &self.domains[place as usize])
    }

    /// What follows for a term from what is known of its arguments; `None` if that is nothing, because of
    /// none of them is anything known.
    pub fn transfer(&self, pool: &Pool, term: Term, width: u32) -> Option<Domain> {
        if pool.is_const(term) {
            let value = pool.as_bitvec(term).map(Domain::one);
            return value.or_else(|| pool.as_bool(term).map(Domain::truth));
        }
        let (args, count) = self.of_args(pool, term)?;
        Some(forward::transfer(pool.op(term), pool.index(term), width, &args[..count]))
    }

    /// The same, if of some of them anything is known.
    fn of_args(&self, pool: &Pool, term: Term) -> Option<([&Domain; 3], usize)> {
        let args = pool.args(term);
        if args.iter().any(|&arg| self.places.contains(arg)) { self.domains_below(pool, term) } else { None }
    }

    /// The domain of a term among those that are walked; `None` if it cannot have any.
    fn or_unknown(&self, pool: &Pool, term: Term) -> Option<&Domain> {
        self.domain(term).or_else(|| self.unknown.get(width(pool, term)? as usize)?.as_ref())
    }

    /// Is something new about the term or its arguments since the last walk in this direction? In the first
    /// one, everything is.
    fn is_new(&self, pool: &Pool, term: Term, walk: u32) -> bool {
        let since =
            |term: Term| self.places.get(term).is_some_and(|&place| self.changed[place as usize] + 2 >= walk);
        since(term) || pool.args(term).iter().any(|&arg| since(arg))
    }

    fn set(&mut self, term: Term, domain: Domain, walk: u32) {
        match self.places.get(term) {
            Some(&place) => {
                self.domains[place as usize] = domain;
                self.changed[place as usize] = walk;
            }
            None => {
                self.places.insert(term, u32::try_from(self.domains.len()).expect("fewer than 2^32 terms"));
                self.domains.push(domain);
                self.changed.push(walk);
            }
        }
    }

    /// One walk from parents to children; whether something changed, `None` for a contradiction.
    fn down(&mut self, pool: &Pool, terms: &[Term], walk: u32) -> Option<bool> {
        let mut changed = false;
        for &term in terms.iter().rev() {
            let Some(result) = self.domain(term) else { continue };
            if !self.is_new(pool, term, walk) {
                continue;
            }
            let Some((args, count)) = self.domains_below(pool, term) else { continue };
            if args[..count].iter().all(|arg| arg.value().is_some()) {
                continue;
            }
            let refined = backward::refine(pool.op(term), pool.index(term), result, &args[..count])?;
            for (&arg, domain) in pool.args(term).iter().zip(refined) {
                // An argument that occurs twice is refined twice.
                let known = self.or_unknown(pool, arg).expect("all arguments have domains");
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

    /// The domains of the arguments, if there are up to three and all have one.
    fn domains_below(&self, pool: &Pool, term: Term) -> Option<([&Domain; 3], usize)> {
        let args = pool.args(term);
        if args.len() > 3 {
            return None;
        }
        let first = self.or_unknown(pool, *args.first()?)?;
        let mut domains = [first; 3];
        for (domain, &arg) in domains.iter_mut().zip(args).skip(1) {
            *domain = self.or_unknown(pool, arg)?;
        }
        Some((domains, args.len()))
    }

    /// One walk from children to parents.
    fn up(&mut self, pool: &Pool, terms: &[Term], walk: u32) -> Option<bool> {
        let mut changed = false;
        for &term in terms {
            if pool.args(term).is_empty() || !self.is_new(pool, term, walk) {
                continue;
            }
            let Some(width) = width(pool, term) else { continue };
            let Some(found) = self.transfer(pool, term, width) else { continue };
            let known = self.or_unknown(pool, term).expect("it has a width");
            let met = known.meet(&found)?;
            if met != *known {
                changed = true;
                self.set(term, met, walk);
            }
        }
        Some(changed)
    }
}

/// The width of a term that has a domain; 1 for Booleans.
pub fn width(pool: &Pool, term: Term) -> Option<u32> {
    if pool.sort(term).is_bool() {
        return Some(1);
    }
    pool.width(term).filter(|&width| width <= WIDEST)
}
