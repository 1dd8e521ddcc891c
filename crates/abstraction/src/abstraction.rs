//! The terms that were replaced, and how far each is refined.

use crate::facts::FACTS;
use crate::guided::{self, GUIDED, Hints};
use crate::maker::Maker;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Sort, Term, TermMap, eval};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Low bits of a product that get a circuit of their own, one after the other, before the whole does.
const LOW_BITS: &[u32] = &[16, 32];

/// One in so many bits of the width is the number of lemmas about values that a term gets before its circuit.
const VALUES: u32 = 8;

/// One in so many bits of the width is the number of lemmas that values suggest, before lemmas about values:
/// there are many of them, and each costs a search.
const GUIDES: u32 = 4;

/// Narrow terms get this many of them all the same.
const FEWEST_GUIDES: u32 = 16;

/// What the refinement cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Statistics {
    /// Terms replaced.
    pub terms: u64,
    /// Facts added.
    pub facts: u64,
    /// Lemmas that values suggested.
    pub guided: u64,
    /// Lemmas about values.
    pub values: u64,
    /// Circuits of low bits.
    pub low_bits: u64,
    /// Circuits.
    pub circuits: u64,
}

/// Replaced terms and their symbols.
#[derive(Default)]
pub struct Abstraction {
    entries: Vec<Entry>,
    by_term: FxHashMap<Term, usize>,
    by_symbol: TermMap<usize>,
    /// By sort: symbols for two operands and a result, for lemmas to be tried on.
    trial: FxHashMap<Sort, [Term; 3]>,
    statistics: Statistics,
}

struct Entry {
    /// The operator applied to its operands.
    term: Term,
    symbol: Term,
    guided: u32,
    values: u32,
    low: usize,
    done: bool,
}

/// Results that a model gets wrong: by entry, the values of the operands and of the result.
pub struct Violations(Vec<(usize, [BitVec; 3])>);

impl Violations {
    /// Is every result right?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Is a term worth being replaced? It is a product, quotient or remainder of at least `width` bits, and not
/// one by a constant of few digits.
pub fn is_wide(pool: &Pool, term: Term, width: u32) -> bool {
    let is_wide = || pool.width(term).is_some_and(|own| own >= width.max(3));
    let is_sparse = |&arg: &Term| {
        pool.as_bitvec(arg).is_some_and(|value| value.count_ones().min(value.neg().count_ones()) <= width / 8)
    };
    match pool.op(term) {
        Op::BvMul => pool.args(term).len() == 2 && is_wide() && !pool.args(term).iter().any(is_sparse),
        Op::BvUdiv | Op::BvUrem => {
            is_wide() && pool.as_bitvec(pool.args(term)[1]).is_none_or(|value| value.log2_exact().is_none())
        }
        _ => false,
    }
}

impl Abstraction {
    /// Nothing is replaced.
    pub fn new() -> Abstraction {
        Abstraction::default()
    }

    /// Was nothing replaced?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What the refinement cost so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The symbol that stands for a product, quotient or remainder of two bit-vectors of at least 3 bits;
    /// always the same.
    pub fn symbol_for(&mut self, pool: &mut Pool, term: Term) -> Term {
        if let Some(&entry) = self.by_term.get(&term) {
            return self.entries[entry].symbol;
        }
        let sort = pool.sort(term);
        let symbol = pool.symbol("a result", sort);
        self.by_term.insert(term, self.entries.len());
        self.by_symbol.insert(symbol, self.entries.len());
        self.entries.push(Entry { term, symbol, guided: 0, values: 0, low: 0, done: false });
        self.statistics.terms += 1;
        self.trial.entry(sort).or_insert_with(|| ["x", "s", "t"].map(|name| pool.symbol(name, sort)));
        symbol
    }

    /// The term that a symbol stands for.
    pub fn term_of(&self, symbol: Term) -> Option<Term> {
        self.by_symbol.get(symbol).map(|&entry| self.entries[entry].term)
    }

    /// Forgets which lemmas were made, because nobody has them any more.
    pub fn forget_lemmas(&mut self) {
        for entry in &mut self.entries {
            (entry.guided, entry.values, entry.low, entry.done) = (0, 0, 0, false);
        }
    }

    /// Looks at the symbols for which `is_live` holds. One that has no value in the model yet gets the right
    /// one.
    pub fn inspect(&self, values: &mut Evaluator<'_>, is_live: impl Fn(Term) -> bool) -> Violations {
        let mut violations = vec![];
        let pool = values.pool();
        for (number, entry) in self.entries.iter().enumerate() {
            if entry.done || !is_live(entry.symbol) {
                continue;
            }
            let [x, s] = [0, 1].map(|i| values.eval(pool.args(entry.term)[i]).expect_bitvec().clone());
            let right = meaning(pool.op(entry.term), &x, &s);
            match values.known(entry.symbol).map(|value| value.expect_bitvec().clone()) {
                None => values.set(entry.symbol, right.into()),
                Some(found) if found == right => {}
                Some(found) => violations.push((number, [x, s, found])),
            }
        }
        Violations(violations)
    }

    /// Lemmas that the violations break, one each: Boolean terms that hold. Lemmas about single values and
    /// circuits come only when nothing better is left for any of them.
    pub fn lemmas(&mut self, pool: &mut Pool, violations: &Violations) -> Vec<Term> {
        let mut lemmas = vec![];
        let mut hard = vec![];
        for violation in &violations.0 {
            match self.easy(pool, violation) {
                Some(lemma) => lemmas.push(lemma),
                None => hard.push(violation),
            }
        }
        if lemmas.is_empty() {
            lemmas.extend(hard.into_iter().map(|violation| self.hard(pool, violation)));
        }
        lemmas
    }

    /// A fact or a guided lemma.
    fn easy(&mut self, pool: &mut Pool, (number, values): &(usize, [BitVec; 3])) -> Option<Term> {
        let Entry { term, symbol, guided, .. } = self.entries[*number];
        let op = pool.op(term);
        let &[x, s] = pool.args(term) else { unreachable!("replaced terms have two operands") };
        let trial = self.trial[&pool.sort(term)];
        let orders: &[bool] = if op == Op::BvMul { &[false, true] } else { &[false] };
        for &swapped in orders {
            let mut values = values.clone();
            let mut terms = [x, s, symbol];
            if swapped {
                values.swap(0, 1);
                terms.swap(0, 1);
            }
            for fact in FACTS.iter().filter(|fact| fact.op == op) {
                if is_broken(pool, trial, &values, &mut |m, _| Some((fact.make)(m))) {
                    self.statistics.facts += 1;
                    return Some((fact.make)(&mut maker(pool, terms)));
                }
            }
            if guided >= (values[0].width() / GUIDES).max(FEWEST_GUIDES) {
                continue;
            }
            for (_, _, make) in GUIDED.iter().filter(|row| row.1 == op) {
                if is_broken(pool, trial, &values, &mut |m, hints| make(m, hints)) {
                    self.statistics.guided += 1;
                    self.entries[*number].guided += 1;
                    let hints = Hints { x: &values[0], s: &values[1] };
                    return make(&mut maker(pool, terms), hints);
                }
            }
        }
        None
    }

    /// Low bits, values, or the circuit.
    fn hard(&mut self, pool: &mut Pool, (number, values): &(usize, [BitVec; 3])) -> Term {
        let Abstraction { entries, statistics, trial, .. } = self;
        let entry = &mut entries[*number];
        let (op, width) = (pool.op(entry.term), values[0].width());
        let &[x, s] = pool.args(entry.term) else { unreachable!("replaced terms have two operands") };
        let terms = [x, s, entry.symbol];
        let trial = trial[&pool.sort(entry.term)];
        while op == Op::BvMul && entry.low < LOW_BITS.len() {
            let bits = LOW_BITS[entry.low];
            entry.low += 1;
            if is_broken(pool, trial, values, &mut |m, _| guided::product_low(m, bits))
                && let Some(lemma) = guided::product_low(&mut maker(pool, terms), bits)
            {
                statistics.low_bits += 1;
                return lemma;
            }
        }
        if entry.values < width / VALUES {
            entry.values += 1;
            statistics.values += 1;
            let result = meaning(op, &values[0], &values[1]);
            let hints = Hints { x: &values[0], s: &values[1] };
            return guided::value(&mut maker(pool, terms), op, hints, &result);
        }
        entry.done = true;
        statistics.circuits += 1;
        pool.mk(Op::Eq, &[entry.symbol, entry.term])
    }
}

fn maker(pool: &mut Pool, [x, s, t]: [Term; 3]) -> Maker<'_> {
    Maker { pool, x, s, t }
}

/// Does a lemma fail for these values?
fn is_broken(
    pool: &mut Pool,
    trial: [Term; 3],
    values: &[BitVec; 3],
    make: &mut dyn FnMut(&mut Maker<'_>, Hints<'_>) -> Option<Term>,
) -> bool {
    let hints = Hints { x: &values[0], s: &values[1] };
    let Some(lemma) = make(&mut maker(pool, trial), hints) else { return false };
    let mut assignment = Assignment::new();
    for (symbol, value) in trial.into_iter().zip(values) {
        assignment.set(symbol, value.clone());
    }
    !eval(pool, lemma, &assignment).expect_bool()
}

/// What the operator makes of values.
pub(crate) fn meaning(op: Op, x: &BitVec, s: &BitVec) -> BitVec {
    match op {
        Op::BvMul => x.mul(s),
        Op::BvUdiv => x.udiv(s),
        Op::BvUrem => x.urem(s),
        _ => unreachable!("only products, quotients and remainders are replaced"),
    }
}
