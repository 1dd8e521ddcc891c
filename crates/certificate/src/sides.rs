//! Sides of equations that stand below other conjuncts: the greater one becomes the lesser one.
//!
//! The solver's pass `embedded-constraints` does that as well, in an order of its own. Here values are less
//! than symbols, these than sums, and sums than other terms, so that sums above become longer ones, which
//! polynomials compare; else the older one is less. Conjuncts that are used stay as they are.
//!
//! Cost: a look at each term below the conjuncts.

use bivalve_terms::{Op, Pool, Term, cone};
use rustc_hash::FxHashMap;

/// A fact says that one term is another.
pub(crate) struct Said {
    pub(crate) of: Term,
    pub(crate) is: Term,
    pub(crate) by: usize,
}

/// The greater sides of equations of bit-vectors that stand below conjuncts, but for the equations.
pub(crate) fn sides(pool: &Pool, facts: &[(usize, Term)]) -> Vec<Said> {
    let rank = |side: Term| {
        let kind = match pool.op(side) {
            _ if pool.is_const(side) => 0,
            Op::Symbol => 1,
            Op::BvAdd => 2,
            _ => 3,
        };
        (kind, side)
    };
    let (mut said, mut below) = (FxHashMap::default(), vec![]);
    for &(fact, term) in facts {
        match (pool.op(term), pool.args(term)) {
            (Op::Eq, &[a, b]) if pool.width(a).is_some() => {
                let (lesser, greater) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
                said.entry(greater).or_insert((lesser, fact));
                below.extend([a, b].iter().flat_map(|&side| pool.args(side)));
            }
            (_, args) => below.extend_from_slice(args),
        }
    }
    let known = |of: Term| said.get(&of).map(|&(is, by)| Said { of, is, by });
    cone(pool, &below).into_iter().filter_map(known).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::{Certifier, Form};
    use bivalve_limits::Stop;
    use bivalve_terms::{Pool, Sort, Term};

    /// A queue of 16 cells: where its ends are, and how many cells are full, after so many steps that may
    /// push and may pop.
    fn queue(pool: &mut Pool, steps: usize) -> [Term; 3] {
        let [zero, one] = [0, 1].map(|number| pool.bv_u64(number, 4));
        let [mut write, mut read] = ["write", "read"].map(|name| pool.symbol(name, Sort::bitvec(4).unwrap()));
        let mut count = pool.bvsub(write, read).unwrap();
        for step in 0..steps {
            let [push, pop] = ["push", "pop"].map(|name| pool.symbol(&format!("{name}{step}"), Sort::BOOL));
            let full = pool.bv_u64(15, 4);
            let (has_room, is_empty) = (pool.bvult(count, full).unwrap(), pool.eq(count, zero).unwrap());
            let has_some = pool.not(is_empty).unwrap();
            let (push, pop) = (pool.and(push, has_room).unwrap(), pool.and(pop, has_some).unwrap());
            let next = [write, read].map(|end| pool.bvadd(end, one).unwrap());
            let more = [push, pop].map(|moves| pool.ite(moves, one, zero).unwrap());
            write = pool.ite(push, next[0], write).unwrap();
            read = pool.ite(pop, next[1], read).unwrap();
            count = pool.bvadd(count, more[0]).unwrap();
            count = pool.bvsub(count, more[1]).unwrap();
        }
        [write, read, count]
    }

    /// The ends of a queue are as far apart as it is full, so a place at its end is not within it. Two sums
    /// of choices are the same once the place is known to be the end, and then there is nothing to search.
    #[test]
    fn the_end_of_a_queue_is_not_within_it() {
        let mut pool = Pool::new();
        let [write, read, count] = queue(&mut pool, 12);
        let [tag, other] = ["tag", "other"].map(|name| pool.symbol(name, Sort::bitvec(4).unwrap()));
        let is_tagged = pool.symbol("tagged", Sort::BOOL);
        let place = pool.ite(is_tagged, tag, other).unwrap();
        let is_end = pool.eq(read, place).unwrap();
        let distance = pool.bvsub(write, place).unwrap();
        let is_within = pool.bvult(distance, count).unwrap();
        let certified =
            Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[is_end, is_within], Some(10));
        assert_eq!(certified.map(|refutation| refutation.used), Ok(vec![0, 1]));
    }
}
