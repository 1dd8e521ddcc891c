//! The checker: registered terms on one side, models on the other.
//!
//! A round has three steps, because terms are read while a model is looked at and made while lemmas are
//! written: [`Checker::prepare`] makes the constants that a lemma may need, [`Checker::inspect`] judges a
//! model and drafts lemmas, and [`Checker::lemmas`] writes them. Whoever adds a lemma registers the atoms it
//! is made of, so that the reads and equalities in it are checked from then on.
//!
//! What an inspection looks for, and in which order:
//!
//! 1. Arrays that serve as indices are equal or not: each pair needs an atom ([`Reason::Split`]).
//! 2. An equality that is false needs a witness: a fresh index at which its sides differ. It is introduced
//!    when the equality is false for the first time; equalities that are never false need none (thesis,
//!    section 2.11.3).
//! 3. An equality that is false although others connect its sides ([`Reason::Transitivity`]).
//! 4. The sweep, and where it finds nothing, constant arrays where nobody looks.
//!
//! Lemmas are valid, so the clauses may stay when the assertions are gone from which their terms came.

use crate::defaults::Domains;
use crate::graph::{Graph, Node};
use crate::lemma::{Draft, Lemma, Reason, equality};
use crate::policy::Policy;
use crate::strategy::{Known, MOST_AHEAD, STRATEGIES, Strategy};
use crate::sweep::Sweep;
use bivalve_faults::planted;
use bivalve_terms::{Evaluator, Op, Pool, Sort, SortKind, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// What the checks cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Statistics {
    /// Models judged.
    pub rounds: u64,
    /// Lemmas from accesses that meet.
    pub congruence: u64,
    /// Lemmas from constant arrays that are read.
    pub constant: u64,
    /// Lemmas from constant arrays that are equal.
    pub default: u64,
    /// Lemmas from equalities of equal arrays.
    pub transitivity: u64,
    /// Witnesses of disequalities.
    pub witness: u64,
    /// Equalities between arrays that serve as indices.
    pub split: u64,
    /// Axioms that the strategy asked for.
    pub axiom: u64,
}

/// What a model is worth.
pub enum Inspection {
    /// It extends to arrays and functions: the values of the symbols of those sorts.
    Consistent(Vec<(Term, Value)>),
    /// It does not, and these are the reasons; never empty.
    Violated(Drafts),
    /// This procedure cannot tell, and why.
    Incomplete(&'static str),
    /// It was told to stop before it could tell.
    Stopped,
}

/// Lemmas to be written.
#[derive(Default, Debug)]
pub struct Drafts {
    splits: Vec<(Term, Term)>,
    witnesses: Vec<Term>,
    drafts: Vec<Draft>,
}

/// The arrays and functions of a formula, and what is known of them.
pub struct Checker {
    graph: Graph,
    /// By equality: the lemma that says where its sides differ if it is false. It outlives scopes, so that an
    /// equality that comes back finds the same index.
    witnesses: FxHashMap<Term, Lemma>,
    domains: Domains,
    policy: Policy,
    strategy: Box<dyn Strategy>,
    /// The strategy has seen so many reads.
    shown: usize,
    /// The axioms it asked for. They outlive scopes, as clauses do.
    axioms: FxHashSet<Vec<(Term, bool)>>,
    statistics: Statistics,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker {
            graph: Graph::default(),
            witnesses: FxHashMap::default(),
            domains: Domains::default(),
            policy: Policy::default(),
            strategy: (STRATEGIES[0].make)(),
            shown: 0,
            axioms: FxHashSet::default(),
            statistics: Statistics::default(),
        }
    }
}

impl Checker {
    /// A checker that knows no arrays.
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Forgets all terms, scopes and lemmas; settings stay, and what checks cost is counted on.
    pub fn forget(&mut self) {
        let Checker { policy, strategy, statistics, .. } = std::mem::take(self);
        *self = Checker { policy, strategy, statistics, ..Checker::default() };
    }

    /// Sets what is said of reads besides lemmas.
    pub fn set_strategy(&mut self, strategy: Box<dyn Strategy>) {
        self.strategy = strategy;
    }

    /// Sets how many lemmas a round may give.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Is there nothing to check?
    pub fn is_idle(&self) -> bool {
        self.graph.reads().is_empty() && self.graph.equalities().is_empty()
    }

    /// Takes in the arrays, functions, reads and equalities at and below `root`. Equalities between arrays
    /// must be binary, see [`binary_equalities`](crate::binary_equalities). Returns the terms that are new.
    pub fn register(&mut self, pool: &Pool, root: Term) -> &[Term] {
        let known = self.graph.seen_terms().len();
        let mut equalities = self.graph.equalities().len();
        self.graph.register(pool, root);
        // The lemma of an equality that comes back is still there; what it reads has to be checked again.
        while let Some(equality) = self.graph.equalities().get(equalities) {
            equalities += 1;
            if let Some(lemma) = self.witnesses.get(&equality.atom) {
                self.graph.register(pool, lemma.literals[1].0);
            }
        }
        &self.graph.seen_terms()[known..]
    }

    /// Was the term registered, itself or as part of another one?
    pub fn has_seen(&self, term: Term) -> bool {
        self.graph.has_seen(term)
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.graph.push();
    }

    /// Forgets what was registered since the last scope was opened. Panics if there is none.
    pub fn pop(&mut self) {
        self.graph.pop();
        self.shown = self.shown.min(self.graph.reads().len());
    }

    /// What the strategy wants to say of reads that are new, before a search. To be asked again when this was
    /// added, for axioms may be about new reads.
    pub fn ahead(&mut self, pool: &mut Pool) -> Vec<Lemma> {
        let mut axioms = vec![];
        while self.shown < self.graph.reads().len() && self.axioms.len() < MOST_AHEAD {
            let read = self.graph.reads()[self.shown].term;
            self.shown += 1;
            let found = self.strategy.ahead(pool, &Known::new(&self.graph), read);
            for axiom in found {
                // What it reads is checked, whether the clause is there already or not.
                for &(atom, _) in &axiom.literals {
                    self.register(pool, atom);
                }
                self.say(axiom, &mut axioms);
            }
        }
        axioms
    }

    /// Takes an axiom up, if it was not said before.
    fn say(&mut self, axiom: Lemma, axioms: &mut Vec<Lemma>) {
        if self.axioms.insert(axiom.literals.clone()) {
            self.statistics.axiom += 1;
            axioms.push(axiom);
        }
    }

    /// What the checks cost so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Makes the constants that lemmas may need.
    pub fn prepare(&mut self, pool: &mut Pool) {
        let mut stores: FxHashMap<Sort, u64> = FxHashMap::default();
        let mut sorts: Vec<Sort> = vec![];
        for node in self.graph.nodes() {
            let sort = pool.sort(self.graph.term(node));
            let Some((index, _)) = pool.sorts().array_parts(sort) else { continue };
            match self.graph.node(node) {
                Node::Store { .. } => *stores.entry(index).or_default() += 1,
                Node::Constant { .. } if !sorts.contains(&index) => sorts.push(index),
                _ => {}
            }
        }
        for sort in sorts {
            let written = stores.get(&sort).copied().unwrap_or(0);
            let size = pool.sorts().small_cardinality(sort).unwrap_or(u64::MAX);
            if size <= written
                && !self.domains.contains_key(&sort)
                && let Some(domain) = all_values(pool, sort, size)
            {
                self.domains.insert(sort, domain);
            }
        }
    }

    /// Judges a model of the abstraction. The evaluator's leaves are symbols, reads and equalities between
    /// arrays, with the values the model gives to them; what the model does not mention has no value. Which
    /// values they have must not depend on when they are asked for.
    pub fn inspect(&mut self, values: &mut Evaluator<'_>) -> Inspection {
        self.inspect_until(values, &|| false)
    }

    /// The same; `stop` is asked from time to time whether to give up.
    pub fn inspect_until(&mut self, values: &mut Evaluator<'_>, stop: &dyn Fn() -> bool) -> Inspection {
        self.statistics.rounds += 1;
        let splits = self.splits(values.pool());
        let mut sweep = Sweep::new(&self.graph, values, self.policy, stop);
        let mut witnesses = vec![];
        for equality in self.graph.equalities() {
            let lemma = self.witnesses.get(&equality.atom);
            let is_known = |sweep: &mut Sweep<'_, '_, '_>| {
                // Whoever was stopped before the lemma was added asks for it again.
                let same = lemma.map(|lemma| lemma.literals[1].0).filter(|&same| self.graph.has_seen(same));
                same.is_some_and(|same| sweep.tells_apart(same))
            };
            if !sweep.holds(equality.atom) && !is_known(&mut sweep) && !planted!(WitnessForgotten) {
                witnesses.push(equality.atom);
            }
        }
        sweep.compare_equalities();
        if !splits.is_empty() || !sweep.drafts.is_empty() {
            return Inspection::Violated(Drafts { splits, witnesses, drafts: sweep.drafts });
        }
        sweep.run();
        let mut defaults = None;
        if sweep.drafts.is_empty() {
            match sweep.compare_constants(&self.domains) {
                Ok(found) => defaults = Some(found),
                Err(why) => return Inspection::Incomplete(why),
            }
        }
        if sweep.stopped {
            return Inspection::Stopped;
        }
        match defaults {
            Some(mut defaults) if sweep.drafts.is_empty() && witnesses.is_empty() => {
                Inspection::Consistent(sweep.extension(&mut defaults))
            }
            _ => Inspection::Violated(Drafts { splits, witnesses, drafts: sweep.drafts }),
        }
    }

    /// Pairs of arrays that serve as indices and are not compared yet.
    fn splits(&self, pool: &Pool) -> Vec<(Term, Term)> {
        let interface = self.graph.interface();
        let mut splits = vec![];
        for (i, &(sort, a)) in interface.iter().enumerate() {
            for &(other, b) in &interface[i + 1..] {
                if sort == other && self.graph.atom(a, b).is_none() {
                    splits.push((self.graph.term(a), self.graph.term(b)));
                }
            }
        }
        debug_assert!(splits.iter().all(|&(a, b)| pool.sort(a) == pool.sort(b)));
        splits
    }

    /// Writes the lemmas, each once: two accesses that crossed each other's way meet twice, and say the same.
    pub fn lemmas(&mut self, pool: &mut Pool, drafts: Drafts) -> Vec<Lemma> {
        let mut lemmas = vec![];
        let mut said = FxHashSet::default();
        for (a, b) in drafts.splits {
            let atom = equality(pool, a, b);
            self.statistics.split += 1;
            lemmas.push(Lemma { reason: Reason::Split, literals: vec![(atom, true), (atom, false)] });
        }
        for atom in drafts.witnesses {
            self.statistics.witness += 1;
            lemmas.push(self.witness(pool, atom));
        }
        for draft in drafts.drafts {
            let lemma = draft.lemma(pool);
            let mut clause = lemma.literals.clone();
            clause.sort_unstable();
            if !said.insert(clause) {
                continue;
            }
            match lemma.reason {
                Reason::Congruence => self.statistics.congruence += 1,
                Reason::Constant => self.statistics.constant += 1,
                Reason::Default => self.statistics.default += 1,
                Reason::Transitivity => self.statistics.transitivity += 1,
                Reason::Witness | Reason::Split | Reason::Axiom => unreachable!("these have no draft"),
            }
            lemmas.push(lemma);
            if let Some(read) = draft.broken {
                let axioms = self.strategy.beside(pool, &Known::new(&self.graph), read);
                axioms.into_iter().for_each(|axiom| self.say(axiom, &mut lemmas));
            }
        }
        lemmas
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
            Lemma { reason: Reason::Witness, literals: vec![(atom, true), (same, false)] }
        });
        lemma.clone()
    }
}

/// Constants for all values of a sort that has so many; `None` for sorts without constants.
fn all_values(pool: &mut Pool, sort: Sort, size: u64) -> Option<Vec<Term>> {
    match pool.sorts().kind(sort) {
        SortKind::Bool => Some(vec![pool.bool(false), pool.bool(true)]),
        SortKind::BitVec(width) => Some((0..size).map(|value| pool.bv_u64(value, width)).collect()),
        SortKind::Array { .. } | SortKind::Function { .. } | SortKind::Uninterpreted(_) => None,
    }
}
