//! Circuits of terms, one for all terms that are equal for simple reasons.
//!
//! Before a circuit is built, terms below it that are the same polynomial, or one operator on equal
//! arguments, are shown to be equal, and the later one shares the bits of the earlier. So a product that is
//! written in another order has no circuit of its own, and an equation of two forms of one polynomial is true
//! without a search. What is done depends on nothing but the terms and their order, so a second encoder makes
//! the same circuits with the same numbers.
//!
//! Cost: a number for each sum and product that has at most [`MOST_MONOMIALS`] monomials before equal ones
//! are collected, and a comparison of polynomials for each that has the number of an earlier one. Circuits
//! are bounded by the cells of their products and quotients, before they are built ([`cells`]).

use crate::division::{Division, Free, WIDE_PRODUCT};
use crate::fingerprint::Fingerprints;
use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_checker::gate::Lit;
use bivalve_checker::term::{Op, Term, Terms};
use bivalve_limits::Stop;
use bivalve_terms::{self as from, Pool};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer polynomials are not compared.
const MOST_MONOMIALS: usize = 64;

/// Cells of products and quotients that a search may have; a cell is some six gates.
const MOST_CELLS: u64 = 1 << 22;

/// Cells of one product or quotient: it is built at one go, in a quarter of a second.
const MOST_CELLS_OF_ONE: u64 = 1 << 19;

/// Circuits are built, and the stop flag is looked at, when those of so many cells and bits are to be built.
const MANY_CELLS: u64 = 1 << 10;

/// What was encoded.
#[derive(Default)]
pub(crate) struct Encoder {
    pub(crate) translation: Translation,
    seen: FxHashSet<Term>,
    fingerprints: Fingerprints,
    applications: FxHashMap<(Op, Vec<u32>), Term>,
    /// Monomials of terms, before equal ones are collected; not more than is compared.
    monomials: FxHashMap<Term, usize>,
    /// What has free bits instead of circuits, if something has.
    free: Option<Free>,
    /// Is the order of wide words told?
    pub(crate) is_ordered: bool,
    /// The clauses about them, and their numbers.
    pub(crate) divided: Vec<(Vec<Lit>, u64)>,
    /// Cells so far.
    cells: u64,
    /// Cells and bits since the stop flag was looked at.
    unlooked: u64,
    stop: Stop,
}

impl Encoder {
    pub(crate) fn new(division: Division, stop: &Stop) -> Encoder {
        Encoder { free: Free::of(division), stop: stop.clone(), ..Encoder::default() }
    }

    /// The bits of a term of the solver.
    pub(crate) fn bits(
        &mut self,
        pool: &Pool,
        term: from::Term,
        out: &mut Recorder,
    ) -> Result<Vec<Lit>, String> {
        let term = self.translation.term(pool, term, out)?;
        self.limit(&out.kernel.terms, term)?;
        if let Some(free) = &mut self.free {
            self.divided.extend(free.free(out, &[term])?);
        }
        self.merge_below(out, term)?;
        out.bits(term)
    }

    /// What has free bits, with what is said of it, in a search in which the order of words is told.
    pub(crate) fn ordered(&mut self) -> Option<&mut Free> {
        self.free.as_mut().filter(|_| self.is_ordered)
    }

    /// Merges terms, arguments before the terms above them.
    fn merge_below(&mut self, out: &mut Recorder, root: Term) -> Result<(), String> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_visited)) = stack.pop() {
            if is_visited {
                self.merge(out, term)?;
                self.look(out, term)?;
            } else if self.seen.insert(term) {
                stack.push((term, true));
                stack.extend(out.kernel.terms.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        Ok(())
    }

    /// Counts the cells of the terms that are new, and refuses what has too many.
    fn limit(&mut self, terms: &Terms, root: Term) -> Result<(), String> {
        let (mut stack, mut new) = (vec![root], FxHashSet::default());
        while let Some(term) = stack.pop() {
            if !self.seen.contains(&term) && new.insert(term) {
                let is_free = self.free.as_ref().is_some_and(|free| free.takes(terms.op(term)));
                let cells = if is_free { 0 } else { cells(terms, term) };
                if cells > MOST_CELLS_OF_ONE {
                    return Err(format!("a product or quotient has {cells} cells"));
                }
                self.cells += cells;
                stack.extend_from_slice(terms.args(term));
            }
        }
        match self.cells > MOST_CELLS {
            true => Err(format!("products and quotients have more than {MOST_CELLS} cells")),
            false => Ok(()),
        }
    }

    /// Looks at the stop flag once there are large circuits below a term, or many, and builds them.
    fn look(&mut self, out: &mut Recorder, term: Term) -> Result<(), String> {
        let terms = &out.kernel.terms;
        self.unlooked += cells(terms, term) + u64::from(terms.bits(term).unwrap_or(1));
        if self.unlooked < MANY_CELLS {
            return Ok(());
        }
        self.unlooked = 0;
        if self.stop.asked().is_some() {
            return Err("the work was stopped".into());
        }
        let is_new = terms.bits(term).is_some() && out.kernel.bits(term).is_none();
        if is_new { out.bits(term).map(drop) } else { Ok(()) }
    }

    /// The monomials of a term whose arguments were merged before, and no more than one too many.
    fn count_monomials(&mut self, terms: &Terms, term: Term) -> usize {
        let of = |&arg: &Term| self.monomials.get(&arg).copied().unwrap_or(1);
        let mut counts = terms.args(term).iter().map(of);
        let count = match terms.op(term) {
            Op::BvAdd => counts.sum(),
            Op::BvMul => counts.product(),
            Op::BvNot => counts.sum::<usize>() + 1,
            _ => counts.next().unwrap_or(1),
        };
        self.monomials.insert(term, count.min(MOST_MONOMIALS + 1));
        count
    }

    /// Shows that a term is equal to an earlier one, if it is for a simple reason.
    fn merge(&mut self, out: &mut Recorder, term: Term) -> Result<(), String> {
        let op = out.kernel.terms.op(term);
        if out.kernel.terms.args(term).is_empty() {
            return Ok(());
        }
        let mut classes: Vec<u32> =
            out.kernel.terms.args(term).iter().map(|&arg| out.kernel.class(arg)).collect();
        if op.is_commutative() {
            classes.sort_unstable();
        }
        let mut earlier = *self.applications.entry((op, classes)).or_insert(term);
        if earlier != term {
            out.congruence(term, earlier)?;
        } else if is_arithmetic(op) && self.count_monomials(&out.kernel.terms, term) <= MOST_MONOMIALS {
            let width = out.kernel.terms.width(term).unwrap_or_default();
            let [one, other] = self.fingerprints.of(&out.kernel, term);
            match if one == other { constant(out, term) } else { None } {
                Some(value) => {
                    // Two points may agree by chance, where all coefficients are even.
                    let value = out.kernel.terms.value(width, value)?;
                    if out.kernel.equal(value, term) || out.polynomial(value, term).is_ok() {
                        earlier = value;
                    }
                }
                None => earlier = self.fingerprints.twin(out, term).map_or(term, |(twin, _)| twin),
            }
        }
        if op == Op::Eq {
            let args = out.kernel.terms.args(term);
            if out.kernel.equal(args[0], args[1]) && !out.kernel.is(term, true) {
                out.equation(term)?;
            }
        }
        if let Some(value) = out.kernel.value(term).filter(|&value| value != term) {
            earlier = value;
        }
        if earlier != term && out.kernel.terms.width(term).is_some() {
            self.fingerprints.share(&out.kernel, term, earlier);
        }
        if earlier != term && out.kernel.terms.bits(term).is_some() && out.kernel.bits(term).is_none() {
            out.bits(earlier)?;
            out.share_bits(term, earlier)?;
        }
        Ok(())
    }
}

/// The cells of the circuit of a product or quotient: one for each bit of each row. Rows of a factor that is
/// a value are its ones.
pub(crate) fn cells(terms: &Terms, term: Term) -> u64 {
    let width = u64::from(terms.width(term).unwrap_or_default());
    match terms.op(term) {
        Op::BvMul => {
            let rows = |&arg: &Term| terms.as_value(arg).map_or(width, |value| value.count_ones());
            width * terms.args(term).iter().map(rows).min().unwrap_or_default()
        }
        Op::BvUdiv | Op::BvUrem => width * width,
        _ => 0,
    }
}

/// Quotients and remainders, and products of two wide words that are not values, among these terms.
pub(crate) fn with_large_circuits(pool: &Pool, among: &[from::Term]) -> [Vec<from::Term>; 2] {
    use from::Op;
    let divisions = [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod];
    let is_division = |&term: &from::Term| divisions.contains(&pool.op(term));
    let is_product = |&term: &from::Term| {
        let is_wide = pool.op(term) == Op::BvMul && pool.width(term) >= Some(WIDE_PRODUCT);
        is_wide && pool.args(term).iter().all(|&factor| pool.op(factor) != Op::Const)
    };
    [among.iter().copied().filter(is_division).collect(), among.iter().copied().filter(is_product).collect()]
}

/// The cells of the circuits of products and quotients below these terms, about: a cell is some six gates of
/// the certificate.
pub fn circuit_cells(pool: &Pool, roots: &[from::Term]) -> u64 {
    let square = |&term: &from::Term| u64::from(pool.width(term).unwrap_or_default()).pow(2);
    with_large_circuits(pool, &from::cone(pool, roots)).iter().flatten().map(square).sum()
}

/// Can polynomials tell more of the operator than its name?
pub(crate) fn is_arithmetic(op: Op) -> bool {
    let is_ring = matches!(op, Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvShl);
    is_ring || matches!(op, Op::Concat | Op::Extract(_, 0))
}

/// The value of a term whose polynomial has no variables.
fn constant(out: &Recorder, term: Term) -> Option<BigUint> {
    let polynomial = out.kernel.polynomial_of(term).ok()?;
    match polynomial.iter().next() {
        None => Some(BigUint::default()),
        Some((monomial, value)) if monomial.is_empty() && polynomial.len() == 1 => Some(value.clone()),
        Some(_) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use bivalve_limits::Why;
    use bivalve_terms::Sort;

    #[test]
    fn the_stop_flag_ends_the_building_of_many_small_circuits() {
        let mut pool = Pool::new();
        let word = Sort::bitvec(64).unwrap();
        let symbols: Vec<from::Term> = (0..200).map(|at| pool.symbol(&format!("s{at}"), word)).collect();
        let stop = Stop::new();
        let (mut encoder, mut out) = (Encoder::new(Division::Circuits, &stop), Recorder::new(None));
        stop.stop(Why::TimeLimit);
        let less = symbols.windows(2).map(|pair| pool.mk(from::Op::BvUlt, pair)).collect::<Vec<_>>();
        let built = less.iter().take_while(|&&term| encoder.bits(&pool, term, &mut out).is_ok()).count();
        assert!(built < 20, "{built} circuits after it was stopped");
    }
}
