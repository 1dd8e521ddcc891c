//! The search for a refutation: gates, clauses, and lemmas about arrays on demand.
//!
//! Conjuncts become clauses by the checker's circuits. The SAT solver decides the abstraction in which reads,
//! applications and equations of arrays are free bits; the refiner of arrays judges its models and gives
//! lemmas, until there is no model (Brummayer's thesis, section 2.6). Circuits are written as steps when they
//! are built, so that the variables of a refutation have the numbers that the checker gives them.

use crate::NoCertificate;
use crate::division::Division;
use crate::encode::Encoder;
use crate::order;
use crate::recorder::Recorder;
use crate::sat::{Problem, Proof, Sat};
use crate::simplify::Facts;
use crate::translate::Translation;
use crate::words::{Comparison, Words};
use bivalve_arrays::{ArrayRefiner, LemmasPerRound, Reason, STRATEGIES};
use bivalve_checker::gate::{FALSE, Lit};
use bivalve_checker::term as to;
use bivalve_limits::{Deadline, Stop, Why};
use bivalve_refine::{Lemma, Refinement, Refiners};
use bivalve_sat_adapter::SatResult;
use bivalve_terms::{Assignment, BitVec, Op, Pool, SortKind, Term, Value, cone};
use rustc_hash::FxHashSet;

/// Where a clause that is no gate's comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// The fact of this number.
    Fact(usize),
    /// The lemma of this number.
    Lemma(usize),
    /// The clause of this number about quotients and remainders.
    Divided(usize),
    /// What is true of the order of words, the one of this number.
    Order(usize),
    /// The clause of this number of a comparison of words.
    Words(usize, u32),
}

/// A refutation of conjuncts.
pub(crate) struct Found {
    /// The circuits that were built, written as steps.
    pub(crate) out: Recorder,
    pub(crate) translation: Translation,
    /// The numbers of clauses about quotients and remainders.
    pub(crate) divided: Vec<u64>,
    /// The facts that are used, and the form in which they were encoded.
    pub(crate) facts: Vec<(usize, Term)>,
    /// The lemmas that are used, by number.
    pub(crate) lemmas: Vec<(Source, Vec<(Term, bool)>)>,
    pub(crate) proof: Proof<Source>,
    /// What is used of the order of words.
    pub(crate) order: Vec<(Source, to::Term)>,
    /// The comparisons of words.
    comparisons: Vec<Comparison>,
}

impl Found {
    /// The comparisons that are used, with their numbers.
    pub(crate) fn used_comparisons(&self) -> impl Iterator<Item = (usize, &Comparison)> {
        let used: FxHashSet<usize> = self
            .proof
            .used()
            .filter_map(|source| match source {
                Source::Words(number, _) => Some(number),
                _ => None,
            })
            .collect();
        self.comparisons.iter().enumerate().filter(move |(number, _)| used.contains(number))
    }
}

fn negation(pool: &mut Pool, term: Term) -> Term {
    match (pool.op(term), pool.args(term)) {
        (Op::Not, &[inner]) => inner,
        _ => pool.mk(Op::Not, &[term]),
    }
}

/// The bits of elements of declared sorts, if there are such sorts. Lemmas about arrays over them make terms,
/// so there are numbers for `room` times as many as there are now.
fn element_bits(pool: &Pool, room: u64) -> Option<u32> {
    let is_element = |&number: &usize| pool.sorts().is_uninterpreted(pool.sort(pool.nth(number)));
    let elements = (0..pool.len()).filter(is_element).count() as u64;
    let numbers = ((elements + 8) * room).next_power_of_two();
    pool.sorts().has_uninterpreted().then(|| numbers.trailing_zeros())
}

/// Conflicts of the search in which comparisons of wide words have no circuits.
const ORDER_CONFLICTS: u64 = 1_000;

/// A conflict over so many gates counts one; over more it counts more, over fewer less, half at least.
const GATES: u64 = 1 << 14;

/// A search, which can be stopped and go on.
pub(crate) struct Search {
    out: Recorder,
    encoder: Encoder,
    sat: Sat<Source>,
    refiners: Refiners,
    encoded: Vec<Term>,
    /// The facts that were encoded, and in which form.
    facts: Vec<(usize, Term)>,
    lemmas: Vec<Lemma>,
    /// What is true of the order of words.
    order: Vec<to::Term>,
    /// Comparisons of wide words, and those that have no clauses yet.
    comparisons: order::Comparisons,
    closed: Vec<Lit>,
    words: Words,
    /// The clauses about quotients and remainders that the SAT solver has.
    divided: usize,
    /// The facts that hold for one check, in which form they were encoded, and their bits.
    assumed: Vec<(usize, Term, Lit)>,
    /// The values of arrays and functions in the model that was found.
    extension: Vec<(Term, Value)>,
    stop: Stop,
}

impl Search {
    /// A search for a refutation of the conjuncts of some facts, with room for so many times as many elements
    /// of declared sorts as there are. Its circuits are written to `out`.
    pub(crate) fn new(
        pool: &mut Pool,
        facts: &Facts,
        (division, is_ordered): (Division, bool),
        room: u64,
        mut out: Recorder,
        stop: &Stop,
    ) -> Result<Search, NoCertificate> {
        let sat = Sat::new(Problem::Hard, stop)
            .ok_or_else(|| NoCertificate::Unsupported("no SAT backend tells its reasons".into()))?;
        let mut encoder = Encoder::new(division, stop);
        encoder.is_ordered = is_ordered;
        let arrays = ArrayRefiner::new(LemmasPerRound::default(), (STRATEGIES[0].make)());
        if let Some(bits) = element_bits(pool, room) {
            out.element_bits(bits).map_err(NoCertificate::Unsupported)?;
        }
        let defined = facts.define_parts(pool, &mut encoder.translation, &mut out);
        defined.map_err(NoCertificate::Unsupported)?;
        let refiners = Refiners::new(vec![Box::new(arrays)]);
        let (encoded, lemmas, order, closed, assumed, extension) = Default::default();
        let mut search = Search {
            out,
            encoder,
            sat,
            refiners,
            encoded,
            facts: vec![],
            lemmas,
            order,
            comparisons: order::Comparisons::default(),
            closed,
            words: Words::default(),
            divided: 0,
            assumed,
            extension,
            stop: stop.clone(),
        };
        search.hold(pool, facts, &facts.conjuncts)?;
        search.add_order(pool).map_err(NoCertificate::Unsupported)?;
        Ok(search)
    }

    /// These facts hold from now on.
    pub(crate) fn hold(
        &mut self,
        pool: &mut Pool,
        facts: &Facts,
        conjuncts: &[usize],
    ) -> Result<(), NoCertificate> {
        self.refiners.pop_to(0);
        for &fact in conjuncts {
            let (term, bit) = self.encode(pool, facts, fact)?;
            self.sat.add(self.out.kernel.gates(), &[bit], Source::Fact(fact));
            self.facts.push((fact, term));
        }
        Ok(())
    }

    /// These facts hold until others are assumed; no, if they contradict each other as they are.
    pub(crate) fn assume(
        &mut self,
        pool: &mut Pool,
        facts: &Facts,
        assumed: &[usize],
    ) -> Result<bool, NoCertificate> {
        self.refiners.pop_to(0);
        self.refiners.push_to(1);
        self.assumed.clear();
        for &fact in assumed {
            let (term, bit) = self.encode(pool, facts, fact)?;
            self.assumed.push((fact, term, bit));
        }
        let bits: FxHashSet<Lit> = self.assumed.iter().map(|&(_, _, bit)| bit).collect();
        Ok(!bits.iter().any(|&bit| bit == FALSE || bits.contains(&!bit)))
    }

    /// The abstracted form of a fact, and its bit.
    fn encode(&mut self, pool: &mut Pool, facts: &Facts, fact: usize) -> Result<(Term, Lit), NoCertificate> {
        let deadline = Deadline::stopped_by(&self.stop);
        let ended = || NoCertificate::Unknown(deadline.reason().unwrap_or(Why::Interrupted));
        let term = self.refiners.abstracted(pool, facts.facts[fact].term, &deadline).ok_or_else(ended)?;
        let term = self.said_otherwise(pool, term).map_err(NoCertificate::Unsupported)?;
        let bit = self.bit(pool, term)?;
        self.close(pool, Some(term)).map_err(NoCertificate::Unsupported)?;
        self.add_divided();
        self.refiners.hold(pool, term, &deadline).ok_or_else(ended)?;
        Ok((term, bit))
    }

    /// A formula that the checker knows to be true (an instance is, or an assertion that is quantified) has a
    /// bit that says nothing of what it is made of; the dual form of a disjunction does.
    fn said_otherwise(&mut self, pool: &mut Pool, term: Term) -> Result<Term, String> {
        let known = self.encoder.translation.term(pool, term, &mut self.out)?;
        if !self.out.kernel.is(known, true) {
            return Ok(term);
        }
        let (inner, dual, is_negated) = match (pool.op(term), pool.args(term)) {
            (Op::Not, &[inner]) if pool.op(inner) == Op::And => (inner, Op::Or, false),
            (Op::Or, _) => (term, Op::And, true),
            _ => return Ok(term),
        };
        let args = pool.args(inner).to_vec();
        let args: Vec<Term> = args.into_iter().map(|arg| negation(pool, arg)).collect();
        let term = pool.mk(dual, &args);
        Ok(if is_negated { pool.mk(Op::Not, &[term]) } else { term })
    }

    /// What was found. If the search goes on after that, its circuits are copied.
    pub(crate) fn found(&mut self, goes_on: bool) -> Result<Found, NoCertificate> {
        let assumed: Vec<(Lit, Source)> =
            self.assumed.iter().map(|&(fact, _, bit)| (bit, Source::Fact(fact))).collect();
        let proof = self.sat.proof(self.out.kernel.gates(), &assumed).map_err(NoCertificate::Unsupported)?;
        let used: FxHashSet<Source> = proof.used().collect();
        let order = self.order.iter().enumerate();
        let order = order.map(|(number, &axiom)| (Source::Order(number), axiom));
        let all = self.lemmas.iter().enumerate();
        let all = all.filter(|(number, _)| used.contains(&Source::Lemma(*number)));
        let facts = self.assumed.iter().map(|&(fact, term, _)| (fact, term));
        let facts = self.facts.iter().copied().chain(facts);
        Ok(Found {
            facts: facts.filter(|&(fact, _)| used.contains(&Source::Fact(fact))).collect(),
            lemmas: all.map(|(number, lemma)| (Source::Lemma(number), lemma.literals.clone())).collect(),
            order: order.filter(|(source, _)| used.contains(source)).collect(),
            out: if goes_on { self.out.clone() } else { std::mem::take(&mut self.out) },
            translation: match goes_on {
                true => self.encoder.translation.clone(),
                false => std::mem::take(&mut self.encoder.translation),
            },
            divided: self.encoder.divided.iter().map(|&(_, number)| number).collect(),
            proof,
            comparisons: match goes_on {
                true => self.words.comparisons.clone(),
                false => std::mem::take(&mut self.words.comparisons),
            },
        })
    }

    /// Leaves comparisons of wide words below this fact, and below what is said of quotients, without clauses
    /// for now, if the order of words is told.
    fn close(&mut self, pool: &Pool, fact: Option<Term>) -> Result<(), String> {
        let Search { encoder, out, sat, comparisons, closed, .. } = self;
        let Some(mut roots) = encoder.ordered().map(|free| std::mem::take(&mut free.said)) else {
            return Ok(());
        };
        if let Some(fact) = fact {
            roots.push(encoder.translation.term(pool, fact, out)?);
        }
        let new = comparisons.below(&out.kernel.terms, &roots);
        let bits: Vec<Lit> =
            new.iter().filter_map(|&term| out.kernel.bits(term)).flatten().copied().collect();
        closed.extend(sat.close(out.kernel.gates(), &bits));
        Ok(())
    }

    /// Tells the SAT solver what is true of the order of words that are compared, if they are few.
    fn add_order(&mut self, pool: &Pool) -> Result<(), String> {
        if self.encoder.ordered().is_none() {
            return Ok(());
        }
        for words in self.comparisons.words(&self.out.kernel.terms) {
            if let Some(free) = self.encoder.ordered() {
                let clauses = free.congruences(&mut self.out, &words)?;
                self.encoder.divided.extend(clauses);
            }
        }
        self.close(pool, None)?;
        self.add_divided();
        for words in self.comparisons.words(&self.out.kernel.terms) {
            for axiom in order::axioms(&mut self.out.kernel.terms, &words)? {
                self.add_axiom(&axiom)?;
            }
        }
        if self.order.is_empty() {
            self.open();
        }
        Ok(())
    }

    /// Gives comparisons of wide words their clauses.
    fn open(&mut self) {
        let closed = std::mem::take(&mut self.closed);
        self.sat.open(self.out.kernel.gates(), &closed);
    }

    /// Searches without clauses for comparisons of wide words, if they have none; was there a refutation?
    fn run_closed(&mut self, conflicts: Option<u64>) -> Result<bool, NoCertificate> {
        if self.closed.is_empty() {
            return Ok(false);
        }
        let most = conflicts.map_or(ORDER_CONFLICTS, |conflicts| conflicts.min(ORDER_CONFLICTS));
        match self.sat.solve(self.out.kernel.gates(), &[], Some(most)) {
            SatResult::Unsat => return Ok(true),
            SatResult::Sat | SatResult::Unknown(Why::Budget) => {}
            SatResult::Unknown(why) => return Err(NoCertificate::Unknown(why)),
        }
        self.open();
        Ok(false)
    }

    /// Tells it that one of these comparisons has its truth value. Those that are new have no circuits.
    fn add_axiom(&mut self, axiom: &[(to::Term, bool)]) -> Result<(), String> {
        let mut literals = axiom.to_vec();
        for (term, _) in &mut literals {
            let terms = &mut self.out.kernel.terms;
            let (op, words) = (terms.op(*term), terms.args(*term).to_vec());
            let (to::Op::Eq | to::Op::BvUlt, &[a, b]) = (op, &words[..]) else { continue };
            // Those of two values are known by their circuits.
            let is_known = terms.is_value(a) && terms.is_value(b);
            let other_way = if op == to::Op::Eq { terms.mk(op, &[b, a])? } else { *term };
            if self.out.kernel.bits(*term).is_some() || is_known {
                continue;
            }
            match self.out.kernel.bits(other_way) {
                Some(_) => *term = other_way,
                None => self.out.free_bits(*term)?,
            }
        }
        let either = order::disjunction(&mut self.out.kernel.terms, &literals)?;
        let bit = self.out.bits(either)?[0];
        self.sat.add(self.out.kernel.gates(), &[bit], Source::Order(self.order.len()));
        self.order.push(either);
        Ok(())
    }

    /// Tells the SAT solver of new clauses about quotients and remainders.
    fn add_divided(&mut self) {
        for (place, (clause, _)) in self.encoder.divided.iter().enumerate().skip(self.divided) {
            self.sat.add(self.out.kernel.gates(), clause, Source::Divided(place));
        }
        self.divided = self.encoder.divided.len();
    }

    /// The bit of a truth value.
    fn bit(&mut self, pool: &Pool, term: Term) -> Result<Lit, NoCertificate> {
        let bits = self.encoder.bits(pool, term, &mut self.out);
        self.encoded.push(term);
        bits.map(|bits| bits[0]).map_err(|problem| match self.stop.asked() {
            Some(why) => NoCertificate::Unknown(why),
            None => NoCertificate::Unsupported(problem),
        })
    }

    /// The conflicts over these gates that take about as long as so many over [`GATES`].
    pub(crate) fn affordable(&self, conflicts: u64) -> u64 {
        let gates = self.out.kernel.gates().len() as u64;
        conflicts.saturating_mul(GATES).checked_div(gates).map_or(conflicts, |most| most.min(2 * conflicts))
    }

    /// The conflicts and lemmas so far.
    pub(crate) fn spent(&self) -> u64 {
        self.sat.conflicts() + self.lemmas.len() as u64
    }

    /// The hints of all that the SAT solver has derived.
    pub(crate) fn hints(&self) -> usize {
        self.sat.hints()
    }

    /// Searches and adds lemmas until there is no model, or after so many conflicts and lemmas together. It
    /// can go on later.
    pub(crate) fn run(
        &mut self,
        pool: &mut Pool,
        conflicts: Option<u64>,
        stop: &Stop,
    ) -> Result<(), NoCertificate> {
        if self.run_closed(conflicts)? {
            return Ok(());
        }
        loop {
            let left = conflicts.map(|conflicts| conflicts.saturating_sub(self.spent()));
            let patience = self.patience(pool);
            if patience == Some(0) {
                self.compare()?;
                continue;
            }
            let now = [left, patience].into_iter().flatten().min();
            let assumed: Vec<Lit> = self.assumed.iter().map(|&(_, _, bit)| bit).collect();
            match self.sat.solve(self.out.kernel.gates(), &assumed, now) {
                SatResult::Unsat => return Ok(()),
                SatResult::Unknown(Why::Budget) if now < left || left.is_none() => continue,
                SatResult::Unknown(why) => return Err(NoCertificate::Unknown(why)),
                SatResult::Sat => {}
            }
            for lemma in self.refine(pool, stop)? {
                self.refiners.learn(pool, &lemma);
                if lemma.reason == Reason::Witness.name() {
                    self.name_witness(pool, &lemma)?;
                }
                let mut clause = vec![];
                for &(atom, value) in &lemma.literals {
                    clause.push(self.bit(pool, atom)?.flip(!value));
                }
                self.add_divided();
                self.sat.add(self.out.kernel.gates(), &clause, Source::Lemma(self.lemmas.len()));
                self.lemmas.push(lemma);
            }
        }
    }

    /// The conflicts before words are compared.
    fn patience(&mut self, pool: &Pool) -> Option<u64> {
        let Search { words, encoded, encoder, out, sat, .. } = self;
        words.patience(pool, encoded, &encoder.translation, out, sat.conflicts())
    }

    /// Compares words, and tells the SAT solver which are equal.
    fn compare(&mut self) -> Result<(), NoCertificate> {
        let Search { words, encoder, out, sat, stop, .. } = self;
        let clauses = words.compare(&encoder.translation, out, stop).map_err(NoCertificate::Unsupported)?;
        clauses.iter().for_each(|(source, clause)| sat.add(out.kernel.gates(), clause, *source));
        Ok(())
    }

    /// Notes the symbol that stands for the index at which arrays differ: `a = b` or `a[k] != b[k]`.
    /// Equations that are one to the checker have one, as they have where the steps are written.
    fn name_witness(&mut self, pool: &Pool, lemma: &Lemma) -> Result<(), NoCertificate> {
        let [(equation, _), (elements, _)] = lemma.literals[..] else { return Ok(()) };
        let mut reads = pool.args(elements).iter().filter(|&&side| pool.op(side) == Op::Select);
        if let Some(&read) = reads.next() {
            let index = pool.args(read)[1];
            let (out, translation) = (&mut self.out, &mut self.encoder.translation);
            let named = translation.term(pool, equation, out).and_then(|equation| out.witness(equation));
            translation.define(index, named.map_err(NoCertificate::Unsupported)?);
        }
        Ok(())
    }

    /// Lemmas that the model violates.
    fn refine(&mut self, pool: &mut Pool, stop: &Stop) -> Result<Vec<Lemma>, NoCertificate> {
        let Search { out, encoder, sat, refiners, .. } = self;
        let mut leaves = |pool: &Pool, term: Term| leaf_value(pool, term, &encoder.translation, out, sat);
        match refiners.check(pool, &mut leaves, &Deadline::stopped_by(stop)) {
            Refinement::Lemmas(lemmas) => Ok(lemmas),
            Refinement::Consistent(extension) => {
                self.extension = extension;
                Err(NoCertificate::Satisfiable)
            }
            Refinement::Unknown(why) => Err(NoCertificate::Unknown(why)),
        }
    }

    /// The values of symbols in the model that was found last, those aside that are in no conjunct.
    pub(crate) fn assignment(&mut self, pool: &Pool) -> Assignment {
        let Search { out, encoder, sat, encoded, extension, .. } = self;
        let mut assignment = Assignment::new();
        extension.iter().for_each(|(symbol, value)| assignment.set(*symbol, value.clone()));
        for symbol in cone(pool, encoded).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
            if let Some(value) = leaf_value(pool, symbol, &encoder.translation, out, sat) {
                assignment.set(symbol, value);
            }
        }
        assignment
    }
}

/// The value of a leaf in the model: other terms have gates, which need not be variables of the SAT solver.
fn leaf_value(
    pool: &Pool,
    term: Term,
    translation: &Translation,
    out: &Recorder,
    sat: &mut Sat<Source>,
) -> Option<Value> {
    let is_leaf = match pool.op(term) {
        Op::Symbol | Op::Select | Op::Apply => true,
        Op::Eq => matches!(pool.sorts().kind(pool.sort(pool.args(term)[0])), SortKind::Array { .. }),
        _ => false,
    };
    let bits = translation.known(term).filter(|_| is_leaf).and_then(|made| out.kernel.bits(made))?;
    let values: Vec<bool> = bits.iter().map(|&bit| sat.value(bit).unwrap_or(false)).collect();
    Some(match pool.width(term) {
        Some(width) => Value::BitVec(BitVec::from_fn(width, |at| values[at as usize])),
        None if pool.sorts().is_uninterpreted(pool.sort(term)) => {
            let number =
                values.iter().enumerate().fold(0, |number, (at, &bit)| number | u32::from(bit) << at);
            Value::Element(pool.sort(term), number)
        }
        None => Value::Bool(values[0]),
    })
}
