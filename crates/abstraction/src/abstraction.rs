//! The refiner: which terms were replaced, and how far each is refined.
//!
//! A check evaluates the operands of each live abstraction symbol and compares the symbol's value with the
//! right result. A violation gets one lemma, the cheapest kind first; lemmas about two terms, and then those
//! about single values and circuits, come only when nothing better is left for any violation (Niemetz,
//! Preiner and Zohar, section 4).
//!
//! Cost: an evaluation for each live symbol and model, and for each violation a look at up to [`PARTNERS`]
//! other terms.

use crate::facts::FACTS;
use crate::guided::{GUIDED, LOW_BITS, VALUES};
use crate::{related, schema, signed};
use bivalve_backtrack::BacktrackVec;
use bivalve_limits::{Deadline, Why};
use bivalve_refine::{Counters, Lemma, ModelView, Refinement, Refiner};
use bivalve_terms::{BitVec, Evaluator, Op, Pool, Term, TermMap, Value};
use rustc_hash::FxHashMap;

/// One in so many bits of the width is the number of lemmas about values that a term gets before its circuit.
const VALUES_SHARE: u32 = 8;

/// One in so many bits of the width is the number of lemmas that values suggest, before lemmas about values:
/// there are many of them, and each costs a search.
const GUIDED_SHARE: u32 = 4;

/// Narrow terms get this many of them nevertheless.
const FEWEST_GUIDED: u32 = 16;

/// Steps of a deadline that trying all rows on one violation counts as.
const TRIAL_STEPS: u64 = 1000;

/// Quotients and remainders are replaced from so many sixteenths of the width on from which products are: a
/// divider has about twice the gates of a multiplier, and is harder to search.
const QUOTIENTS: u64 = 10;

/// A violation is compared with so many other live terms.
const PARTNERS: usize = 64;

/// What the refinement has cost so far.
#[derive(Clone, Copy, Default)]
struct Statistics {
    /// Terms replaced.
    terms: u64,
    /// Facts added.
    facts: u64,
    /// Lemmas about two terms.
    related: u64,
    /// Lemmas that values suggested.
    guided: u64,
    /// Lemmas about values.
    values: u64,
    /// Circuits of low bits.
    low_bits: u64,
    /// Circuits.
    circuits: u64,
}

/// Abstraction-refinement of wide products, quotients and remainders.
#[derive(Default)]
pub struct Abstraction {
    /// Terms of at least so many bits are replaced; none if it is 0.
    width: u32,
    /// Whether there are no lemmas about single values, and no circuits.
    gives_up: bool,
    entries: Vec<Entry>,
    by_term: FxHashMap<Term, usize>,
    by_symbol: TermMap<usize>,
    /// Entries whose symbols are taken in.
    live: BacktrackVec<usize>,
    statistics: Statistics,
}

pub(crate) struct Entry {
    /// The operator applied to its operands.
    pub(crate) term: Term,
    pub(crate) symbol: Term,
    related: u32,
    guided: u32,
    values: u32,
    low: usize,
    done: bool,
}

/// A kind of lemmas: one that a violation breaks, given others that it may be compared with.
type Find = fn(&mut Abstraction, &mut Pool, &Violation, &[&Violation]) -> Option<Lemma>;

/// A result that a model gets wrong: the entry, and the values of the operands and of the result.
pub(crate) type Violation = (usize, [BitVec; 3]);

/// Whether a term is worth being replaced: it is a product or its overflow of operands of at least `width`
/// bits, or a quotient or remainder of at least ten sixteenths of that, and not one by a constant of
/// few digits.
pub fn is_wide(pool: &Pool, term: Term, width: u32) -> bool {
    let is_wide = || pool.width(pool.args(term)[0]).is_some_and(|own| own >= width.max(3));
    let is_sparse = |&arg: &Term| {
        pool.as_bitvec(arg).is_some_and(|value| value.count_ones().min(value.neg().count_ones()) <= width / 8)
    };
    match pool.op(term) {
        Op::BvMul | Op::BvUmulo => {
            pool.args(term).len() == 2 && is_wide() && !pool.args(term).iter().any(is_sparse)
        }
        Op::BvUdiv | Op::BvUrem => {
            let is_power =
                || pool.as_bitvec(pool.args(term)[1]).is_some_and(|value| value.log2_exact().is_some());
            is_wide_division(pool, term, width) && !is_power()
        }
        _ => false,
    }
}

/// Whether the operands of a quotient or remainder have so many bits.
fn is_wide_division(pool: &Pool, term: Term, width: u32) -> bool {
    let least = (u64::from(width) * QUOTIENTS / 16).max(3);
    pool.width(term).is_some_and(|own| u64::from(own) >= least)
}

impl Refiner for Abstraction {
    fn name(&self) -> &'static str {
        "arithmetic"
    }

    fn is_concerned(&self, _: &Pool) -> bool {
        !self.entries.is_empty()
    }

    fn abstracted(&mut self, pool: &mut Pool, term: Term, _: &Deadline) -> Option<Term> {
        if self.width == 0 {
            return Some(term);
        }
        if signed::is_said(pool, term) && is_wide_division(pool, term, self.width) {
            return Some(signed::by_unsigned(pool, term, &mut |pool, term| self.replaced(pool, term)));
        }
        Some(self.replaced(pool, term))
    }

    fn replaced_by(&self, symbol: Term) -> Option<Term> {
        self.by_symbol.get(symbol).map(|&entry| self.entries[entry].term)
    }

    fn take_in(&mut self, pool: &Pool, new: &[Term], more: &mut Vec<Term>) {
        for &entry in new.iter().filter_map(|&term| self.by_symbol.get(term)) {
            self.live.append(entry);
            more.extend_from_slice(pool.args(self.entries[entry].term));
        }
    }

    fn check(&mut self, pool: &mut Pool, model: &mut ModelView<'_>, deadline: &Deadline) -> Refinement {
        if self.live.is_empty() {
            return Refinement::Consistent(vec![]);
        }
        let Some((violations, right)) = model.read(pool, |values| self.violations(values, deadline)) else {
            return Refinement::Unknown(deadline.reason().unwrap_or(Why::Interrupted));
        };
        if violations.is_empty() {
            return Refinement::Consistent(vec![]);
        }
        let lemmas = self.lemmas(pool, &violations, &right, deadline);
        match lemmas.is_empty() && self.gives_up {
            true => Refinement::Unknown(Why::Incomplete("arithmetic by lemmas alone")),
            false => Refinement::Lemmas(lemmas),
        }
    }

    fn push(&mut self) {
        self.live.push();
    }

    fn pop(&mut self) {
        self.live.pop();
    }

    fn clear(&mut self) {
        self.live = BacktrackVec::new();
        for entry in &mut self.entries {
            (entry.related, entry.guided, entry.values, entry.low, entry.done) = (0, 0, 0, 0, false);
        }
    }

    fn statistics(&self) -> Counters {
        let Statistics { terms, facts, related, guided, values, low_bits, circuits } = self.statistics;
        Counters::new(&[
            ("terms", terms),
            ("facts", facts),
            ("related", related),
            ("guided", guided),
            ("values", values),
            ("low_bits", low_bits),
            ("circuits", circuits),
        ])
    }
}

impl Abstraction {
    /// Replaces terms of at least `width` bits (see [`is_wide`]), or none if that is 0.
    pub fn new(width: u32) -> Abstraction {
        Abstraction { width, ..Abstraction::default() }
    }

    /// The same, which gives up where nothing but lemmas about single values and circuits are left.
    pub fn by_lemmas(width: u32) -> Abstraction {
        Abstraction { gives_up: true, ..Abstraction::new(width) }
    }

    /// The symbol of a term that is worth one, others as they are.
    fn replaced(&mut self, pool: &mut Pool, term: Term) -> Term {
        if is_wide(pool, term, self.width) { self.symbol_for(pool, term) } else { term }
    }

    /// The symbol that stands for a product, its overflow, quotient or remainder of two bit-vectors of at
    /// least 3 bits; always the same.
    fn symbol_for(&mut self, pool: &mut Pool, term: Term) -> Term {
        if let Some(&entry) = self.by_term.get(&term) {
            return self.entries[entry].symbol;
        }
        let sort = pool.sort(term);
        let symbol = pool.symbol("an abstracted result", sort);
        self.by_term.insert(term, self.entries.len());
        self.by_symbol.insert(symbol, self.entries.len());
        self.entries.push(Entry { term, symbol, related: 0, guided: 0, values: 0, low: 0, done: false });
        self.statistics.terms += 1;
        symbol
    }

    /// The live symbols whose value is not the right one, and others that may tell something about those;
    /// `None` if the deadline was over first. A symbol that has no value in the model gets the right one.
    fn violations(
        &self,
        values: &mut Evaluator<'_>,
        deadline: &Deadline,
    ) -> Option<(Vec<Violation>, Vec<Violation>)> {
        let (mut violations, mut partners) = (vec![], vec![]);
        let pool = values.pool();
        for &number in self.live.iter() {
            let entry = &self.entries[number];
            if entry.done && partners.len() >= PARTNERS {
                continue;
            }
            let [x, s] = [0, 1].map(|i| values.eval(pool.args(entry.term)[i]).expect_bitvec().clone());
            if !deadline.step(1 + u64::from(x.width()) * u64::from(x.width()) / 64) {
                return None;
            }
            let right = result(pool.op(entry.term), &x, &s);
            match values.known(entry.symbol).map(bits_of) {
                None => values.set(entry.symbol, value_of(pool, entry.symbol, &right)),
                Some(found) if found == right => {
                    if partners.len() < PARTNERS {
                        partners.push((number, [x, s, found]));
                    }
                }
                Some(_) if entry.done => {}
                Some(found) => violations.push((number, [x, s, found])),
            }
        }
        Some((violations, partners))
    }

    /// Lemmas that the violations break, one each. Lemmas about single values and circuits come only when
    /// nothing better is left for any of them. When the deadline is over, some violations get none.
    fn lemmas(
        &mut self,
        pool: &mut Pool,
        violations: &[Violation],
        right: &[Violation],
        deadline: &Deadline,
    ) -> Vec<Lemma> {
        let mut lemmas = vec![];
        let partners: Vec<&Violation> = violations.iter().take(PARTNERS).chain(right).collect();
        let kinds = [Abstraction::easy as Find, Abstraction::related, Abstraction::hard];
        for find in kinds.into_iter().take(if self.gives_up { 2 } else { 3 }) {
            for violation in violations {
                let is_over = !deadline.step(TRIAL_STEPS);
                if is_over && !lemmas.is_empty() {
                    return lemmas;
                }
                let of = self.entries[violation.0].term;
                let lemma = find(self, pool, violation, &partners);
                lemmas.extend(lemma.map(|lemma| lemma.from_terms([of])));
            }
            if !lemmas.is_empty() {
                break;
            }
        }
        lemmas
    }

    /// A lemma about the term and another one.
    fn related(&mut self, pool: &mut Pool, violation: &Violation, partners: &[&Violation]) -> Option<Lemma> {
        let (number, [x, ..]) = violation;
        if self.entries[*number].related >= (x.width() / GUIDED_SHARE).max(FEWEST_GUIDED) {
            return None;
        }
        // A product of no smaller factors does not overflow, says its symbol.
        let overflow = |pool: &mut Pool, factors: [Term; 2], values: [&BitVec; 2]| {
            partners.iter().find_map(|(number, [p, q, overflows])| {
                let Entry { term, symbol, .. } = self.entries[*number];
                let &[x, y] = pool.args(term) else { return None };
                if pool.op(term) != Op::BvUmulo || !overflows.is_zero() || p.width() != values[0].width() {
                    return None;
                }
                let pairs = [[(x, p), (y, q)], [(y, q), (x, p)]];
                let pair = pairs
                    .iter()
                    .find(|pair| values.iter().zip(*pair).all(|(value, (_, bound))| value.ule(bound)))?;
                let mut conditions = vec![pool.mk(Op::Not, &[symbol])];
                for (factor, (bound, _)) in factors.into_iter().zip(pair) {
                    if factor != *bound {
                        conditions.push(pool.mk(Op::BvUle, &[factor, *bound]));
                    }
                }
                Some(conditions)
            })
        };
        let entry = |number: usize| &self.entries[number];
        let (name, lemma) = related::lemma(pool, &entry, violation, partners, &overflow)?;
        self.entries[*number].related += 1;
        self.statistics.related += 1;
        Some(holds(name, lemma))
    }

    /// A fact or a guided lemma.
    fn easy(&mut self, pool: &mut Pool, (number, values): &Violation, _: &[&Violation]) -> Option<Lemma> {
        let Entry { term, symbol, guided, .. } = self.entries[*number];
        let op = pool.op(term);
        let &[x, s] = pool.args(term) else { unreachable!("replaced terms have two operands") };
        let commutes = matches!(op, Op::BvMul | Op::BvUmulo);
        let orders: &[bool] = if commutes { &[false, true] } else { &[false] };
        for &swapped in orders {
            let mut bits = values.clone();
            let mut terms = [x, s, symbol];
            if swapped {
                bits.swap(0, 1);
                terms.swap(0, 1);
            }
            let values = schema::values(op, &bits);
            let mut facts = FACTS.iter().filter(|fact| fact.op == op);
            if let Some(fact) = facts.find(|fact| fact.schema.is_broken(&values)) {
                self.statistics.facts += 1;
                return Some(holds(fact.name, fact.schema.lemma(pool, &terms)));
            }
            if guided >= (bits[0].width() / GUIDED_SHARE).max(FEWEST_GUIDED) {
                continue;
            }
            for row in GUIDED.iter().filter(|row| row.op == op) {
                let Some(constants) = row.constants(&bits) else { continue };
                if row.schema.is_broken(&[&values[..], &constants].concat()) {
                    self.statistics.guided += 1;
                    self.entries[*number].guided += 1;
                    return Some(holds(row.name, row.schema.lemma_with(pool, &terms, &constants)));
                }
            }
        }
        None
    }

    /// Low bits, values, or the circuit.
    fn hard(&mut self, pool: &mut Pool, (number, bits): &Violation, _: &[&Violation]) -> Option<Lemma> {
        let Abstraction { entries, statistics, .. } = self;
        let entry = &mut entries[*number];
        let (op, width) = (pool.op(entry.term), bits[0].width());
        let &[x, s] = pool.args(entry.term) else { unreachable!("replaced terms have two operands") };
        let terms = [x, s, entry.symbol];
        let values = schema::values(op, bits);
        while op == Op::BvMul && entry.low < LOW_BITS.len() {
            let row = &LOW_BITS[entry.low];
            entry.low += 1;
            if row.constants(bits).is_some() && row.schema.is_broken(&values) {
                statistics.low_bits += 1;
                return Some(holds(row.name, row.schema.lemma(pool, &terms)));
            }
        }
        if entry.values < width / VALUES_SHARE {
            entry.values += 1;
            statistics.values += 1;
            let mut rows = VALUES.iter().filter(|row| row.op == op);
            let (row, constants) = rows.find_map(|row| Some((row, row.constants(bits)?)))?;
            return Some(holds(row.name, row.schema.lemma_with(pool, &terms, &constants)));
        }
        entry.done = true;
        statistics.circuits += 1;
        Some(holds("circuit", pool.mk(Op::Eq, &[entry.symbol, entry.term])))
    }
}

/// The lemma that a Boolean term holds.
fn holds(reason: &'static str, term: Term) -> Lemma {
    Lemma::new(reason, vec![(term, true)])
}

/// The bits of a value; one for a Boolean.
pub(crate) fn bits_of(value: &Value) -> BitVec {
    match value {
        &Value::Bool(value) => BitVec::from_bool(value),
        other => other.expect_bitvec().clone(),
    }
}

/// A value of the sort of a symbol with these bits.
pub(crate) fn value_of(pool: &Pool, symbol: Term, bits: &BitVec) -> Value {
    if pool.sort(symbol).is_bool() { bits.lsb().into() } else { bits.clone().into() }
}

/// The result of the operator; one bit for a predicate.
pub(crate) fn result(op: Op, x: &BitVec, s: &BitVec) -> BitVec {
    match op {
        Op::BvMul => x.mul(s),
        Op::BvUmulo => BitVec::from_bool(x.umul_overflows(s)),
        Op::BvUdiv => x.udiv(s),
        Op::BvUrem => x.urem(s),
        _ => unreachable!("only products, quotients and remainders are replaced"),
    }
}
