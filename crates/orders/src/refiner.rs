//! The refiner: comparisons as variables, and what a model says of them.

use crate::graph::{Contradiction, Edge, Graph};
use crate::support::Support;
use crate::survey::{Atom, atom, ordered};
use bivalve_backtrack::BacktrackSet;
use bivalve_limits::{Deadline, Why};
use bivalve_refine::{Counters, Lemma, ModelView, Refinement, Refiner};
use bivalve_terms::{BitVec, Evaluator, Op, Pool, Sort, Term, TermMap, Value};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Orders by lemmas on demand.
#[derive(Default)]
pub struct Orders {
    /// Components of at least so many comparisons are ordered; none if it is 0.
    least: usize,
    /// Symbols that were only compared when formulas were surveyed, and whether as signed numbers.
    ordered: TermMap<bool>,
    entries: Vec<Entry>,
    by_comparison: FxHashMap<Comparison, usize>,
    by_symbol: TermMap<usize>,
    support: Support,
    /// Entries whose symbols are taken in.
    live: BacktrackSet<usize>,
    /// So many of them have given their eager lemmas.
    told: usize,
    /// Lemmas about cycles and paths since the search began.
    ruled_out: u64,
    /// Ordered symbols that are taken in themselves, and so have a meaning beyond comparisons.
    used: BacktrackSet<Term>,
    /// Entries that are defined by circuits.
    exact: BacktrackSet<usize>,
    statistics: Statistics,
}

/// `less` is less than `greater`; one of them is a symbol, and the other one a symbol or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Comparison {
    less: Term,
    greater: Term,
    is_signed: bool,
}

/// A comparison and the variable that stands for it.
struct Entry {
    comparison: Comparison,
    term: Term,
    symbol: Term,
}

/// A comparison, by number, and its value.
type Said = (usize, bool);

/// After so many lemmas for a comparison, comparisons get circuits: what is left of the order is searched
/// better bit by bit.
const MOST_LEMMAS: u64 = 2;

/// Longer cycles are left as they are.
const LONGEST_TO_SPLIT: usize = 32;

/// What the refinement has cost so far.
#[derive(Clone, Copy, Default)]
struct Statistics {
    /// Comparisons replaced.
    comparisons: u64,
    /// Lemmas about cycles and paths.
    lemmas: u64,
    /// Comparisons that got circuits.
    circuits: u64,
}

impl Refiner for Orders {
    fn name(&self) -> &'static str {
        "orders"
    }

    fn is_concerned(&self, _: &Pool) -> bool {
        !self.entries.is_empty()
    }

    fn survey(&mut self, pool: &Pool, formulas: &[Term], deadline: &Deadline) {
        if self.least > 0 && self.entries.is_empty() {
            self.ordered = ordered(pool, formulas, self.least, deadline).unwrap_or_default();
        }
    }

    fn abstracted(&mut self, pool: &mut Pool, term: Term, _: &Deadline) -> Option<Term> {
        let Some(Atom { is_signed: own, is_strict, sides: [left, right] }) = atom(pool, term) else {
            return Some(term);
        };
        let signs = [left, right].map(|side| self.ordered.get(side).copied());
        let Some(is_signed) = signs[0].or(signs[1]) else { return Some(term) };
        let is_ordered =
            |side: Term, sign: Option<bool>| pool.as_bitvec(side).is_some() || sign == Some(is_signed);
        if !is_ordered(left, signs[0])
            || !is_ordered(right, signs[1])
            || own.is_some_and(|own| own != is_signed)
        {
            return Some(term);
        }
        let less = |less: Term, greater: Term| Comparison { less, greater, is_signed };
        Some(match own {
            // Equal words are not less than each other.
            None => {
                let orders = [less(left, right), less(right, left)].map(|comparison| {
                    let variable = self.variable(pool, comparison);
                    pool.mk(Op::Not, &[variable])
                });
                pool.mk(Op::And, &orders)
            }
            Some(_) if is_strict => self.variable(pool, less(left, right)),
            Some(_) => {
                let variable = self.variable(pool, less(right, left));
                pool.mk(Op::Not, &[variable])
            }
        })
    }

    fn replaced_by(&self, symbol: Term) -> Option<Term> {
        self.by_symbol.get(symbol).map(|&entry| self.entries[entry].term)
    }

    fn hold(&mut self, pool: &Pool, formula: Term) {
        if !self.entries.is_empty() {
            let is_variable = |term: Term| self.by_symbol.contains(term);
            self.support.hold(pool, formula, is_variable);
        }
    }

    fn take_in(&mut self, pool: &Pool, new: &[Term], _: &mut Vec<Term>) {
        for &term in new {
            self.support.take_in(pool, term);
            if let Some(&entry) = self.by_symbol.get(term) {
                self.live.insert(entry);
            }
            if self.ordered.contains(term) {
                self.used.insert(term);
            }
        }
    }

    fn eager(&mut self, pool: &mut Pool) -> Vec<Lemma> {
        let new = self.live.as_slice()[self.told..].to_vec();
        self.told = self.live.len();
        let mut lemmas: Vec<Lemma> = new.iter().flat_map(|&entry| self.neighbours(pool, entry)).collect();
        if !self.used.is_empty() {
            let is_used = |entry: &usize| {
                let Comparison { less, greater, .. } = self.entries[*entry].comparison;
                self.used.contains(&less) || self.used.contains(&greater)
            };
            let found: Vec<usize> = self.open().filter(is_used).collect();
            lemmas.extend(self.circuits(&found));
        }
        lemmas
    }

    fn check(&mut self, pool: &mut Pool, model: &mut ModelView<'_>, deadline: &Deadline) -> Refinement {
        let with_bits = model.read(pool, |values| self.with_bits(values));
        if !with_bits.is_empty() {
            return Refinement::Lemmas(self.circuits(&with_bits));
        }
        let words = model.read(pool, |values| self.words(values));
        if words.symbols.is_empty() {
            return Refinement::Consistent(vec![]);
        }
        match words.graph.solve(deadline) {
            None => Refinement::Unknown(deadline.reason().unwrap_or(Why::Interrupted)),
            Some(Err(contradictions)) => Refinement::Lemmas(self.lemmas(&words, &contradictions, deadline)),
            Some(Ok(least)) => {
                let values = words.values(pool, &least);
                model.read(pool, |evaluator| self.tell(evaluator, &values));
                Refinement::Consistent(values)
            }
        }
    }

    fn push(&mut self) {
        self.support.push();
        self.live.push();
        self.used.push();
        self.exact.push();
    }

    fn pop(&mut self) {
        self.support.pop();
        self.live.pop();
        self.told = self.told.min(self.live.len());
        self.used.pop();
        self.exact.pop();
    }

    fn clear(&mut self) {
        self.support.clear();
        self.live = BacktrackSet::new();
        self.told = 0;
        self.ruled_out = 0;
        self.used = BacktrackSet::new();
        self.exact = BacktrackSet::new();
    }

    fn statistics(&self) -> Counters {
        let Statistics { comparisons, lemmas, circuits } = self.statistics;
        Counters::new(&[("comparisons", comparisons), ("lemmas", lemmas), ("circuits", circuits)])
    }
}

impl Orders {
    /// Orders components of at least so many comparisons, or none if that is 0.
    pub fn new(least: u64) -> Orders {
        Orders { least: usize::try_from(least).unwrap_or(usize::MAX), ..Orders::default() }
    }

    /// The variable of a comparison; always the same. False if no word has that place.
    fn variable(&mut self, pool: &mut Pool, comparison: Comparison) -> Term {
        if let Some(&entry) = self.by_comparison.get(&comparison) {
            return self.entries[entry].symbol;
        }
        let Comparison { less, greater, is_signed } = comparison;
        let (least, greatest) = extremes(pool, less, is_signed);
        if less == greatest || greater == least {
            return pool.bool(false);
        }
        let term = pool.mk(if is_signed { Op::BvSlt } else { Op::BvUlt }, &[less, greater]);
        let symbol = pool.symbol("a comparison", Sort::BOOL);
        self.by_comparison.insert(comparison, self.entries.len());
        self.by_symbol.insert(symbol, self.entries.len());
        self.entries.push(Entry { comparison, term, symbol });
        self.statistics.comparisons += 1;
        symbol
    }

    /// The live entries without circuits.
    fn open(&self) -> impl Iterator<Item = usize> {
        self.live.as_slice().iter().copied().filter(|entry| !self.exact.contains(entry))
    }

    /// Those that compare a symbol that has bits all the same, since circuits outlive scopes.
    fn with_bits(&self, values: &mut Evaluator<'_>) -> Vec<usize> {
        let mut has_bits = |entry: &usize| {
            let Comparison { less, greater, .. } = self.entries[*entry].comparison;
            [less, greater]
                .into_iter()
                .any(|side| self.ordered.contains(side) && values.known(side).is_some())
        };
        self.open().filter(|entry| has_bits(entry)).collect()
    }

    /// What follows from a comparison at once: the opposite one does not hold; the lesser word is not the
    /// greatest number, and the greater one not the least.
    fn neighbours(&self, pool: &mut Pool, number: usize) -> Vec<Lemma> {
        let Entry { comparison: Comparison { less, greater, is_signed }, term, symbol } =
            self.entries[number];
        let (least, greatest) = extremes(pool, less, is_signed);
        let others = [(greater, less, false), (least, greater, true), (less, greatest, true)];
        let lemma = |(less, greater, value): (Term, Term, bool)| {
            let other = *self.by_comparison.get(&Comparison { less, greater, is_signed })?;
            let is_new = other != number && self.live.contains(&other);
            is_new.then(|| {
                let mut literals = vec![(symbol, false), (self.entries[other].symbol, value)];
                // What two comparisons say of each other is said once.
                literals.sort_unstable();
                Lemma::new("order", literals).from_terms([term, self.entries[other].term])
            })
        };
        others.into_iter().filter_map(lemma).collect()
    }

    /// Lemmas that define comparisons.
    fn circuits(&mut self, found: &[usize]) -> Vec<Lemma> {
        let mut lemmas = vec![];
        for &number in found {
            self.exact.insert(number);
            let Entry { term, symbol, .. } = self.entries[number];
            for value in [false, true] {
                let lemma = Lemma::new("comparator", vec![(symbol, value), (term, !value)]);
                lemmas.push(lemma.from_terms([term]));
            }
        }
        self.statistics.circuits += found.len() as u64;
        lemmas
    }

    /// What a model says of words without bits.
    fn words(&self, values: &mut Evaluator<'_>) -> Words {
        let mut words = Words::default();
        let pool = values.pool();
        let needed = self.support.needed(values);
        for number in self.open() {
            let Entry { comparison, symbol, .. } = self.entries[number];
            let Comparison { less, greater, is_signed } = comparison;
            let [from, to] = [less, greater].map(|side| words.side(pool, side, is_signed));
            let Some(value) = values.known(symbol).map(Value::expect_bool) else { continue };
            if needed.contains(symbol) || self.support.is_fixed(symbol) {
                let reason = words.said.len();
                words.said.push((number, value));
                words.say(from, to, value, reason);
            }
        }
        words
    }

    /// What rules contradictions out, or circuits, when that was too much. When the deadline is over, only
    /// some are ruled out.
    fn lemmas(&mut self, words: &Words, contradictions: &[Contradiction], deadline: &Deadline) -> Vec<Lemma> {
        if self.ruled_out > MOST_LEMMAS * self.live.len() as u64 {
            let open: Vec<usize> = self.open().collect();
            return self.circuits(&open);
        }
        let mut clauses = IndexSet::<Vec<Said>, FxBuildHasher>::default();
        for Contradiction { reasons, is_cycle } in contradictions {
            let steps = (reasons.len() * reasons.len()) as u64;
            if !deadline.step(steps) && !clauses.is_empty() {
                break;
            }
            let said: Vec<Said> = reasons.iter().map(|&reason| words.said[reason]).collect();
            match is_cycle {
                true => self.split(said, &mut clauses),
                false => _ = clauses.insert(said),
            }
        }
        self.ruled_out += clauses.len() as u64;
        self.statistics.lemmas += clauses.len() as u64;
        clauses.iter().map(|said| self.lemma(said)).collect()
    }

    /// Cuts a cycle along chords: comparisons that there are of words on it. What is left is shorter, and
    /// belongs to other cycles, too.
    fn split(&self, cycle: Vec<Said>, clauses: &mut IndexSet<Vec<Said>, FxBuildHasher>) {
        let mut todo = vec![cycle];
        while let Some(cycle) = todo.pop() {
            match self.chord(&cycle) {
                Some((from, to, [inner, outer])) => {
                    todo.push([&cycle[from..to], &[inner]].concat());
                    todo.push([&cycle[..from], &[outer], &cycle[to..]].concat());
                }
                None => {
                    let mut clause = cycle;
                    clause.sort_unstable();
                    clauses.insert(clause);
                }
            }
        }
    }

    /// A comparison of words on a cycle that are no neighbours: the edges from which and before which it cuts
    /// off a part, the shortest one there is, and what closes this part and what closes the rest.
    fn chord(&self, cycle: &[Said]) -> Option<(usize, usize, [Said; 2])> {
        let length = cycle.len();
        if length > LONGEST_TO_SPLIT {
            return None;
        }
        let is_signed = self.entries[cycle[0].0].comparison.is_signed;
        let is_strict = |part: &[Said]| part.iter().any(|said| said.1);
        let find = |less: Term, greater: Term| {
            let number = *self.by_comparison.get(&Comparison { less, greater, is_signed })?;
            (self.live.contains(&number) && !self.exact.contains(&number)).then_some(number)
        };
        let start = |edge: usize| {
            let (number, value) = cycle[edge];
            let Comparison { less, greater, .. } = self.entries[number].comparison;
            if value { less } else { greater }
        };
        let cut = |(from, to): (usize, usize)| {
            let (left, right) = (start(from), start(to));
            if is_strict(&cycle[from..to])
                && let Some(number) = find(left, right)
            {
                return Some((from, to, [(number, false), (number, true)]));
            }
            if is_strict(&cycle[..from]) || is_strict(&cycle[to..]) {
                let number = find(right, left)?;
                return Some((from, to, [(number, true), (number, false)]));
            }
            None
        };
        let mut cuts = (2..length.saturating_sub(1))
            .flat_map(|part| (0..length - part).map(move |from| (from, from + part)));
        cuts.find_map(cut)
    }

    /// Not all of these comparisons have these values.
    fn lemma(&self, said: &[Said]) -> Lemma {
        let literals = said.iter().map(|&(number, value)| (self.entries[number].symbol, !value)).collect();
        Lemma::new("order", literals).from_terms(said.iter().map(|said| self.entries[said.0].term))
    }

    /// Completes a model: words have these values, and comparisons of which it says nothing what follows.
    fn tell(&self, evaluator: &mut Evaluator<'_>, values: &[(Term, Value)]) {
        for (symbol, value) in values {
            evaluator.set(*symbol, value.clone());
        }
        for &number in self.live.as_slice().iter() {
            let Entry { term, symbol, .. } = self.entries[number];
            if evaluator.known(symbol).is_none() {
                let value = evaluator.eval(term).clone();
                evaluator.set(symbol, value);
            }
        }
    }
}

/// The least and the greatest number of the sort of a word.
fn extremes(pool: &mut Pool, word: Term, is_signed: bool) -> (Term, Term) {
    let width = pool.width(word).expect("words are compared");
    let (least, greatest) = match is_signed {
        false => (BitVec::zero(width), BitVec::ones(width)),
        true => (BitVec::min_signed(width), BitVec::max_signed(width)),
    };
    (pool.bitvec(&least), pool.bitvec(&greatest))
}

/// Words and what a model says of them.
#[derive(Default)]
struct Words {
    graph: Graph,
    /// Symbols by number, and whether they are signed.
    symbols: Vec<(Term, bool)>,
    numbers: TermMap<usize>,
    /// Comparisons and their values.
    said: Vec<Said>,
}

/// A side of a comparison: the number of a word, or a constant, by its place in the order.
#[derive(Clone, Copy)]
enum Side {
    Word(usize),
    Constant(u64),
}

impl Words {
    fn side(&mut self, pool: &Pool, side: Term, is_signed: bool) -> Side {
        let width = pool.width(side).expect("words are compared");
        if let Some(value) = pool.as_bitvec(side) {
            let value = value.to_u64().expect("words of few bits are ordered");
            return Side::Constant(if is_signed { value ^ 1 << (width - 1) } else { value });
        }
        if let Some(&number) = self.numbers.get(side) {
            return Side::Word(number);
        }
        let number = self.graph.add_word(u64::MAX >> (u64::BITS - width));
        self.numbers.insert(side, number);
        self.symbols.push((side, is_signed));
        Side::Word(number)
    }

    /// One side is less than the other one, or, with `false`, it is not.
    fn say(&mut self, less: Side, greater: Side, value: bool, reason: usize) {
        let (less, greater) = if value { (less, greater) } else { (greater, less) };
        match (less, greater) {
            (Side::Word(from), Side::Word(to)) => {
                self.graph.add_edge(Edge { from, to, is_strict: value, reason });
            }
            (Side::Constant(bound), Side::Word(word)) => {
                self.graph.bound_below(word, u128::from(bound) + u128::from(value), reason);
            }
            (Side::Word(word), Side::Constant(bound)) => {
                self.graph.bound_above(word, u128::from(bound) + u128::from(!value), reason);
            }
            (Side::Constant(_), Side::Constant(_)) => unreachable!("one side is a symbol"),
        }
    }

    /// The values of symbols that have these places in the order.
    fn values(&self, pool: &Pool, places: &[u128]) -> Vec<(Term, Value)> {
        let value = |(&(symbol, is_signed), &place): (&(Term, bool), &u128)| {
            let width = pool.width(symbol).expect("words are compared");
            let place = u64::try_from(place).expect("no value is above the bound of its word");
            let value = if is_signed { place ^ 1 << (width - 1) } else { place };
            (symbol, Value::BitVec(BitVec::from_u64(value, width)))
        };
        self.symbols.iter().zip(places).map(value).collect()
    }
}
