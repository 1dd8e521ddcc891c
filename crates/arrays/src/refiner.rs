//! The refiner: what was taken in on one side, models on the other.
//!
//! A check has three steps, because terms are read while a model is looked at and made while lemmas are
//! written: the constants that a lemma may need are made, the model is examined and lemmas are drafted, and
//! the drafts become terms.
//!
//! What is examined, in this order:
//!
//! 1. An equality that is false needs an extensionality witness: a fresh index at which its sides differ. It
//!    is introduced when the equality is false for the first time; equalities that are never false need none
//!    (thesis, section 2.11.3).
//! 2. An equality that is false although others connect its sides ([`Reason::Transitivity`]).
//! 3. The accesses (`consistency`), and where they agree, constant arrays at indices that are not accessed
//!    (`defaults`); then the arrays get their values (`extension`).
//!
//! The third is done level by level, by the nesting of sorts. So an index or argument that is an array has a
//! value when it is compared, like one that is a bit-vector, and two such arrays get an equality atom only
//! when they have the same value in the model and a lemma is made of it: interface equalities are lazy. Each
//! level's arrays get different values where they may, so that this is rare.

use crate::consistency::ConsistencyCheck;
use crate::defaults::Domains;
use crate::expansion::Expansions;
use crate::graph::Graph;
use crate::lemma::{Condition, Draft, Reason, equality};
use crate::lower::binary_equality;
use crate::per_round::LemmasPerRound;
use crate::strategy::{Known, MOST_AHEAD, STRATEGIES, Strategy};
use bivalve_faults::planted;
use bivalve_limits::{Deadline, Why};
use bivalve_refine::{Counters, Lemma, ModelView, Refinement, Refiner};
use bivalve_terms::{Evaluator, Op, Pool, Sort, SortKind, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Lemmas with so many conditions are written whatever was paid before.
const SHORT: usize = 2;

/// So many writes and choices may be expanded for each condition of a lemma.
const PRICE: usize = 4;

/// What an examination of a model comes to.
enum Examined {
    /// It extends to arrays and functions: the values of the symbols of those sorts.
    Consistent(Vec<(Term, Value)>),
    /// It does not, and these are the reasons; never empty.
    Violated(Drafts),
    /// This procedure cannot tell, and why.
    Incomplete(&'static str),
    /// The deadline was over first.
    Stopped,
}

/// Lemmas to be written.
#[derive(Default, Debug)]
struct Drafts {
    witnesses: Vec<Term>,
    drafts: Vec<Draft>,
}

/// Extensional arrays and uninterpreted functions.
pub struct ArrayRefiner {
    graph: Graph,
    /// By equality: the lemma that says where its sides differ if it is false. It outlives scopes, so that an
    /// equality that comes back finds the same index.
    witnesses: FxHashMap<Term, Lemma>,
    domains: Domains,
    expansions: Expansions,
    /// Scopes were closed since the last intake.
    has_popped: bool,
    per_round: LemmasPerRound,
    strategy: Box<dyn Strategy>,
    /// So many reads were instantiated eagerly.
    shown: usize,
    axioms: usize,
    rounds: u64,
    /// By reason: lemmas.
    lemmas: [u64; Reason::ALL.len()],
}

impl Default for ArrayRefiner {
    fn default() -> ArrayRefiner {
        ArrayRefiner::new(LemmasPerRound::default(), (STRATEGIES[0].make)())
    }
}

impl Refiner for ArrayRefiner {
    fn name(&self) -> &'static str {
        "arrays"
    }

    fn is_concerned(&self, pool: &Pool) -> bool {
        pool.sorts().has_arrays() || pool.sorts().has_functions()
    }

    fn abstracted(&mut self, pool: &mut Pool, term: Term, deadline: &Deadline) -> Option<Term> {
        let is_equality = matches!(pool.op(term), Op::Eq | Op::Distinct);
        if is_equality { binary_equality(pool, term, deadline) } else { Some(term) }
    }

    fn take_in(&mut self, pool: &Pool, new: &[Term], more: &mut Vec<Term>) {
        let known = self.graph.equalities().len();
        for &term in new {
            self.graph.enter(pool, term);
            self.expansions.enter(pool, term);
        }
        // The lemma of an equality that comes back is still there; what it reads has to be checked again.
        let back = self.graph.equalities()[known..].iter();
        more.extend(back.filter_map(|equality| Some(self.witnesses.get(&equality.atom)?.literals[1].0)));
        // Likewise what the expansion of a read is made of.
        more.extend(new.iter().filter_map(|&term| Some(self.expansions.of(term)?.term)));
        if std::mem::take(&mut self.has_popped) {
            more.extend(self.expansions.lost(&self.graph));
        }
    }

    fn eager(&mut self, pool: &mut Pool) -> Vec<Lemma> {
        let mut axioms = vec![];
        while self.shown < self.graph.reads().len() && self.axioms < MOST_AHEAD {
            let read = self.graph.reads()[self.shown].term;
            self.shown += 1;
            let found = self.strategy.ahead(pool, &Known::new(&self.graph), read);
            self.axioms += found.len();
            self.count(Reason::Axiom, found.len());
            axioms.extend(found);
        }
        axioms
    }

    fn check(&mut self, pool: &mut Pool, model: &mut ModelView<'_>, deadline: &Deadline) -> Refinement {
        if self.graph.reads().is_empty() && self.graph.equalities().is_empty() {
            return Refinement::Consistent(vec![]);
        }
        self.rounds += 1;
        self.prepare(pool);
        match model.read(pool, |values| self.examine(values, deadline)) {
            Examined::Consistent(extension) => Refinement::Consistent(extension),
            Examined::Violated(drafts) => Refinement::Lemmas(self.lemmas(pool, drafts)),
            Examined::Incomplete(why) => Refinement::Unknown(Why::Incomplete(why)),
            Examined::Stopped => Refinement::Unknown(deadline.reason().unwrap_or(Why::Interrupted)),
        }
    }

    fn push(&mut self) {
        self.graph.push();
        self.expansions.push();
    }

    fn pop(&mut self) {
        self.graph.pop();
        self.expansions.pop();
        self.has_popped = true;
        self.shown = self.shown.min(self.graph.reads().len());
    }

    fn clear(&mut self) {
        let strategy = std::mem::replace(&mut self.strategy, (STRATEGIES[0].make)());
        let ArrayRefiner { per_round, rounds, lemmas, .. } = *self;
        *self = ArrayRefiner { rounds, lemmas, ..ArrayRefiner::new(per_round, strategy) };
    }

    fn statistics(&self) -> Counters {
        let mut counters = vec![("rounds", self.rounds)];
        counters.extend(Reason::ALL.iter().map(|&reason| (reason.name(), self.lemmas[reason as usize])));
        Counters::new(&counters)
    }
}

impl ArrayRefiner {
    /// Refines with so many lemmas a round and this strategy.
    pub fn new(per_round: LemmasPerRound, strategy: Box<dyn Strategy>) -> ArrayRefiner {
        ArrayRefiner {
            graph: Graph::default(),
            witnesses: FxHashMap::default(),
            domains: Domains::default(),
            expansions: Expansions::default(),
            has_popped: false,
            per_round,
            strategy,
            shown: 0,
            axioms: 0,
            rounds: 0,
            lemmas: [0; Reason::ALL.len()],
        }
    }

    fn count(&mut self, reason: Reason, number: usize) {
        self.lemmas[reason as usize] += number as u64;
    }

    /// Makes the constants that lemmas may need.
    fn prepare(&mut self, pool: &mut Pool) {
        for (sort, written) in self.graph.constant_over() {
            let size = pool.sorts().small_cardinality(sort).unwrap_or(u64::MAX);
            if size <= written
                && !self.domains.contains_key(&sort)
                && let Some(domain) = all_values(pool, sort, size)
            {
                self.domains.insert(sort, domain);
            }
        }
    }

    /// Examines a model of the abstraction.
    fn examine(&mut self, values: &mut Evaluator<'_>, deadline: &Deadline) -> Examined {
        let pool = values.pool();
        let mut check =
            ConsistencyCheck::new(&self.graph, &self.expansions, values, self.per_round, deadline);
        let mut witnesses = vec![];
        for equality in self.graph.equalities() {
            let lemma = self.witnesses.get(&equality.atom);
            let is_known = |check: &mut ConsistencyCheck<'_, '_, '_>| {
                // The lemma is asked for again if the search was stopped before it was added.
                let same = lemma.map(|lemma| lemma.literals[1].0);
                same.is_some_and(|same| {
                    pool.args(same).iter().all(|&read| self.graph.has_read(read)) && check.tells_apart(same)
                })
            };
            if !check.holds(equality.atom) && !is_known(&mut check) && !planted!(WitnessForgotten) {
                witnesses.push(equality.atom);
                if self.per_round == LemmasPerRound::One {
                    return Examined::Violated(Drafts { witnesses, drafts: vec![] });
                }
            }
        }
        check.compare_equalities();
        if check.stopped {
            return Examined::Stopped;
        }
        let mut extension = vec![];
        for level in check.levels() {
            // What is deeper rests on the values of these arrays.
            if !check.drafts.is_empty() {
                break;
            }
            check.run(&level);
            if check.drafts.is_empty()
                && let Err(why) = check.compare_constants(&level.nodes, &self.domains)
            {
                return Examined::Incomplete(why);
            }
            if check.stopped {
                return Examined::Stopped;
            }
            if !witnesses.is_empty() {
                break;
            }
            check.extend(&level.nodes, &mut extension);
        }
        if check.drafts.is_empty() && witnesses.is_empty() {
            return Examined::Consistent(extension);
        }
        Examined::Violated(Drafts { witnesses, drafts: check.drafts })
    }

    /// Writes the lemmas, each once: two accesses that crossed each other's way meet twice, and say the same.
    fn lemmas(&mut self, pool: &mut Pool, drafts: Drafts) -> Vec<Lemma> {
        let mut lemmas = vec![];
        let mut said = FxHashSet::default();
        for atom in drafts.witnesses {
            self.count(Reason::Witness, 1);
            lemmas.push(self.witness(pool, atom));
        }
        for draft in drafts.drafts {
            if self.expand(pool, &draft, &mut lemmas) {
                continue;
            }
            let lemma = draft.lemma(pool);
            let mut clause = lemma.literals.clone();
            clause.sort_unstable();
            if !said.insert(clause) {
                continue;
            }
            self.count(draft.reason, 1);
            lemmas.push(lemma);
            // A write is an access, too, and so is a constant array at an index, which is a constant.
            let is_read = |read: &Term| matches!(pool.op(*read), Op::Select | Op::Apply);
            if let Some(read) = draft.accesses[0].filter(is_read) {
                let axioms = self.strategy.beside(pool, &Known::new(&self.graph), read);
                self.count(Reason::Axiom, axioms.len());
                lemmas.extend(axioms);
            }
        }
        lemmas
    }

    /// Expands the reads of a conflict and the equalities that they crossed instead of writing its lemma, if
    /// lemmas about them have cost as much. Returns whether it did. A path without choices, equalities and
    /// masked writes is one of few, so its lemma is written: there is one for each write at most.
    fn expand(&mut self, pool: &mut Pool, draft: &Draft, lemmas: &mut Vec<Lemma>) -> bool {
        let Some(first) = draft.accesses[0].filter(|_| self.per_round != LemmasPerRound::One) else {
            return false;
        };
        let is_branch =
            |condition: &Condition| matches!(condition, Condition::Is(..) | Condition::Crossed(..));
        let is_trivial = |condition: &&Condition| matches!(condition, Condition::Same(a, b) if a == b);
        let trivial = draft.conditions.iter().filter(is_trivial).count();
        let has_branch = draft.conditions.iter().any(is_branch);
        if draft.conditions.len() - trivial <= SHORT || !(has_branch || self.expansions.has_masked()) {
            return false;
        }
        let paid = self.expansions.pay(first, draft.conditions.len() * PRICE);
        let reads: Vec<Term> = draft
            .accesses
            .into_iter()
            .flatten()
            .filter(|&read| self.expansions.is_open(pool, &self.graph, read))
            .collect();
        let crossed = draft.conditions.iter().filter_map(|condition| match *condition {
            Condition::Crossed(atom, index) => Some((atom, index)),
            _ => None,
        });
        let crossings: Vec<(Term, Term)> = crossed
            .filter(|&(atom, index)| self.expansions.is_open_crossing(pool, &self.graph, atom, index))
            .collect();
        let sides = crossings
            .iter()
            .flat_map(|&(atom, index)| pool.args(atom).iter().map(move |&side| (side, index)));
        let own = reads.iter().map(|&read| (pool.args(read)[0], pool.args(read)[1]));
        let pairs: Vec<(Term, Term)> = own.chain(sides).collect();
        let Some((_, has_mask)) = self.expansions.cost(pool, &pairs, paid) else { return false };
        if pairs.is_empty() || !(has_mask || has_branch) {
            return false;
        }
        for read in reads {
            let literals = self.expansions.read(pool, read);
            lemmas.push(Lemma::new(Reason::Expansion.name(), literals).from_terms([read]));
            self.count(Reason::Expansion, 1);
        }
        for (atom, index) in crossings {
            let literals = self.expansions.crossing(pool, atom, index);
            lemmas.push(Lemma::new(Reason::Expansion.name(), literals).from_terms([atom]));
            self.count(Reason::Expansion, 1);
        }
        true
    }

    /// The two arrays are equal, or they differ at a fresh index (axiom A4').
    fn witness(&mut self, pool: &mut Pool, atom: Term) -> Lemma {
        let lemma = self.witnesses.entry(atom).or_insert_with(|| {
            let &[a, b] = pool.args(atom) else { unreachable!("equalities between arrays are binary") };
            let (index, _) = pool.sorts().array_parts(pool.sort(a)).expect("an array");
            let fresh = pool.symbol("a witness", index);
            #[cfg(feature = "faults")]
            let fresh = crate::planted::witness(pool, index, fresh);
            let (at_a, at_b) = (pool.mk(Op::Select, &[a, fresh]), pool.mk(Op::Select, &[b, fresh]));
            let same = equality(pool, at_a, at_b);
            Lemma::new(Reason::Witness.name(), vec![(atom, true), (same, false)]).from_terms([atom])
        });
        lemma.clone()
    }
}

/// Constants for all values of a sort that has so many; `None` for sorts without constants.
fn all_values(pool: &mut Pool, sort: Sort, size: u64) -> Option<Vec<Term>> {
    match pool.sorts().kind(sort) {
        SortKind::Bool => Some(vec![pool.bool(false), pool.bool(true)]),
        SortKind::BitVec(width) => Some((0..size).map(|value| pool.bv_u64(value, width)).collect()),
        SortKind::Theory(_)
        | SortKind::Array { .. }
        | SortKind::Function { .. }
        | SortKind::Uninterpreted(_) => None,
    }
}
