//! The encoder: from Boolean terms to a SAT solver, and back to values.
//!
//! It owns everything below the terms: the gate graph, the clauses made of it, and the SAT solver that
//! searches, which a [`SolverFactory`] makes when the first clause comes. Everything that was encoded stays
//! for later checks.
//!
//! Terms are asserted on levels. Those of the lowest level hold for ever and become clauses. Those of a level
//! above hold while it is there, so something is assumed for them: up to [`DIRECT`] terms of a level are
//! assumed by their own literals, so that a small query that is pushed and popped over and over finds
//! everything in place; the others depend on one *activation literal* of the level (Een and Sorensson,
//! *Temporal induction by incremental SAT solving*, 2003). The activation literal of a popped level is made
//! false, which lets the SAT solver delete the clauses that contain it. Definitions of gates depend on no
//! activation literal, because they hold whatever is asserted.
//!
//! What popped levels and former assumptions leave behind is garbage. [`Encoder::collect_garbage`] encodes
//! everything that is live in a new graph and a new SAT solver when most of the old ones is garbage; when
//! that is, and why it costs a constant factor, is told in [`garbage`]. Lemmas ([`Encoder::clause`]) are kept
//! if the caller still has a use for their terms. A restart changes no answer, since all clauses are made of
//! the same terms again.
//!
//! Work that is stopped in the middle of encoding a term starts everything again, too: literals that were
//! handed out before mean nothing from then on, and no search is made until the next check has begun.
//!
//! Cost: of a call, what is new below its terms; of a restart, all that is live.

mod comparing;
mod garbage;
mod habit;
mod lemmas;
mod statistics;

use crate::blaster::{BitBlaster, value_of_bits};
use crate::cnf::CnfEncoder;
use crate::edge::Edge;
use crate::limits::{BlastError, Limits};
use bivalve_sat_adapter::{Budget, Lit, SatResult, SatSolver, Stop, Why};
use bivalve_terms::{Op, Pool, Term, Value};
use comparing::Comparing;
use garbage::Garbage;
use habit::Habit;
use lemmas::Lemmas;
pub use statistics::{Clock, EncoderSeconds, EncoderStatistics};
use statistics::{Totals, timed};

/// Terms of one level that are assumed one by one.
const DIRECT: usize = 32;

/// Makes new SAT solvers, without variables and clauses.
pub type SolverFactory = Box<dyn Fn() -> Box<dyn SatSolver>>;

/// What a term was encoded as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoded {
    /// It has this value whatever the symbols are.
    Constant(bool),
    /// A literal with the value of the term in every model.
    Literal(Lit),
}

/// Terms, gates, clauses and a SAT solver; see the head of this file. All calls take the same pool.
pub struct Encoder {
    factory: SolverFactory,
    stop: Stop,
    clock: Clock,
    gate_limit: u64,
    blaster: BitBlaster,
    cnf: CnfEncoder,
    /// Made with the first clause.
    backend: Option<Box<dyn SatSolver>>,
    /// The lowest level first; there is always one.
    levels: Vec<Level>,
    lemmas: Lemmas,
    /// The terms whose literals were asked for since the check began.
    assumed: Vec<Term>,
    /// Some terms of levels or lemmas have to be encoded again.
    is_pending: bool,
    garbage: Garbage,
    habit: Habit,
    comparing: Comparing,
    totals: Totals,
}

/// What is asserted on one level.
#[derive(Default)]
struct Level {
    asserted: Vec<Term>,
    /// So many of them are encoded.
    encoded: usize,
    /// The literals of the first terms, each assumed by itself.
    direct: Vec<Lit>,
    /// The literal to assume for all other terms.
    activation: Option<Lit>,
}

impl Encoder {
    /// Nothing asserted. SAT solvers are made by `factory`, and end their work when `stop` is raised.
    /// Elements of declared sorts have one bit, see [`Encoder::set_element_bits`].
    pub fn new(factory: SolverFactory, stop: &Stop) -> Encoder {
        Encoder {
            factory,
            stop: stop.clone(),
            clock: statistics::no_clock,
            gate_limit: BitBlaster::DEFAULT_GATE_LIMIT,
            blaster: BitBlaster::with_element_bits(1),
            cnf: CnfEncoder::stopped_by(stop),
            backend: None,
            levels: vec![Level::default()],
            lemmas: Lemmas::default(),
            assumed: vec![],
            is_pending: false,
            garbage: Garbage::default(),
            habit: Habit::default(),
            comparing: Comparing::default(),
            totals: Totals::default(),
        }
    }

    /// Measures its phases with `clock`.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Refuses terms whose gates might take the graph beyond this number of nodes.
    pub fn set_gate_limit(&mut self, gates: u64) {
        self.gate_limit = gates;
    }

    /// The number of nodes of the graph that may not be exceeded.
    pub fn gate_limit(&self) -> u64 {
        self.gate_limit
    }

    /// Collects no garbage before so many variables and gates exist.
    pub fn set_rebuild_from(&mut self, size: u64) {
        self.garbage.set_least(size);
    }

    /// Makes SAT solvers by another factory; everything live is encoded again by the next check.
    pub fn set_factory(&mut self, factory: SolverFactory) {
        self.factory = factory;
        self.restart(&|_| true);
    }

    /// The number of bits of an element of a declared sort.
    pub fn element_bits(&self) -> u32 {
        self.blaster.element_bits()
    }

    /// Gives elements of declared sorts so many bits; everything live is encoded again by the next check.
    pub fn set_element_bits(&mut self, bits: u32) {
        self.restart(&|_| true);
        self.blaster = BitBlaster::with_element_bits(bits);
    }

    /// Forgets all terms: levels, lemmas, gates and clauses. Statistics and settings stay.
    pub fn reset(&mut self) {
        self.levels = vec![Level::default()];
        self.lemmas = Lemmas::default();
        self.assumed.clear();
        self.garbage.forget_terms();
        self.restart(&|_| false);
        self.is_pending = false;
        self.habit = Habit::after(self.conflicts());
    }

    /// The first check is one of a session: others are to be expected. To be told before the first clause.
    pub fn expect_session(&mut self) {
        self.habit.expect_session();
    }

    /// Prepares for a check: the literals of the last one are no longer in use, and what a restart has left
    /// over is encoded.
    ///
    /// # Errors
    ///
    /// When something is not encoded yet, because there is no room or the work was stopped.
    pub fn begin_check(&mut self, pool: &Pool) -> Result<(), BlastError> {
        self.assumed.clear();
        self.encode_pending(pool)
    }

    /// Asserts a Boolean term on a level, the lowest being 0; levels up to that one are opened. Returns
    /// `false` and changes nothing if the term is false by itself.
    ///
    /// # Errors
    ///
    /// When the term has no room, or the work was stopped; nothing is asserted then.
    pub fn assert(&mut self, pool: &Pool, level: usize, term: Term) -> Result<bool, BlastError> {
        self.encode_pending(pool)?;
        let roots = self.roots(pool, level, term)?;
        if roots.contains(&Edge::FALSE) {
            return Ok(false);
        }
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Level::default);
        }
        if roots.iter().any(|&root| root != Edge::TRUE) {
            self.levels[level].asserted.push(term);
            self.levels[level].encoded += 1;
            self.assert_roots(level, &roots);
            if let Err(error) = self.check_encoded() {
                self.levels[level].asserted.pop();
                return Err(error);
            }
        }
        Ok(true)
    }

    /// Drops the levels from this one on; 1 drops all but the lowest, which stays.
    pub fn pop_to(&mut self, levels: usize) {
        assert!(levels > 0, "the lowest level stays");
        while self.levels.len() > levels {
            let level = self.levels.pop().expect("there are more");
            if let (Some(activation), Some(backend)) = (level.activation, &mut self.backend) {
                backend.add_clause(&[!activation]);
            }
        }
    }

    /// What has to be assumed so that the terms of a level hold; nothing for the lowest.
    pub fn level_literals(&self, level: usize) -> impl Iterator<Item = Lit> + '_ {
        let level = self.levels.get(level);
        level.into_iter().flat_map(|level| level.direct.iter().chain(&level.activation)).copied()
    }

    /// The literal of a Boolean term, to be assumed. It is in use until the next check begins.
    ///
    /// # Errors
    ///
    /// When the term has no room, or the work was stopped.
    pub fn literal(&mut self, pool: &Pool, term: Term) -> Result<Encoded, BlastError> {
        self.encode_pending(pool)?;
        let root = self.root(pool, term)?;
        if let Some(value) = root.as_constant() {
            return Ok(Encoded::Constant(value));
        }
        self.assumed.push(term);
        let literal = self.counted(term, |encoder| {
            let Encoder { blaster, cnf, backend, factory, habit, stop, .. } = encoder;
            cnf.literal(blaster.graph(), root, started(backend, factory, habit, stop))
        });
        self.check_encoded()?;
        Ok(Encoded::Literal(literal))
    }

    /// Adds a clause that holds for ever: one of the Boolean terms has the value that goes with it. Returns
    /// `false` if the clause is there already.
    ///
    /// # Errors
    ///
    /// When a term has no room, or the work was stopped; nothing is added then.
    pub fn clause(&mut self, pool: &Pool, clause: &[(Term, bool)]) -> Result<bool, BlastError> {
        self.encode_pending(pool)?;
        if self.lemmas.contains(clause) {
            return Ok(false);
        }
        let edges = self.clause_edges(pool, clause)?;
        self.add_clause(&edges);
        self.check_encoded()?;
        self.lemmas.insert(clause);
        Ok(true)
    }

    /// Where clauses about literals can be added, which are not encoded again after a restart.
    pub fn sink(&mut self) -> &mut dyn SatSolver {
        started(&mut self.backend, &self.factory, &mut self.habit, &self.stop)
    }

    /// Is there a model of everything asserted on the lowest level, of all clauses and of the literals? The
    /// literals of the levels above ([`Encoder::level_literals`]) have to be among them.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        if self.is_pending {
            // Work was stopped, and clauses are missing.
            return SatResult::Unknown(self.stop.reason().unwrap_or(Why::Interrupted));
        }
        let before = self.conflicts();
        let first = self.before_comparing(budget);
        let result = match self.search(assumptions, &first) {
            SatResult::Unknown(Why::Budget) if self.conflicts_to_comparing() == Some(0) => {
                let spent = self.conflicts() - before;
                let conflicts = budget.conflicts.map(|most| most.saturating_sub(spent));
                match self.compare() {
                    _ if conflicts == Some(0) => SatResult::Unknown(Why::Budget),
                    Ok(()) => self.search(assumptions, &Budget { conflicts }),
                    Err(error) => SatResult::Unknown(error.into()),
                }
            }
            result => result,
        };
        self.habit.note(result);
        result
    }

    /// One call of the SAT solver.
    fn search(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        let Encoder { backend, totals, clock, .. } = self;
        let Some(backend) = backend else { return SatResult::Sat };
        timed(*clock, &mut totals.seconds.sat, || backend.solve(assumptions, budget))
    }

    /// After unsat: is the literal among the assumptions that suffice for it?
    pub fn failed(&mut self, literal: Lit) -> bool {
        self.backend.as_mut().is_some_and(|backend| backend.failed(literal))
    }

    /// The value of a literal in the model; `None` if either value would do.
    pub fn literal_value(&mut self, literal: Lit) -> Option<bool> {
        self.backend.as_mut().and_then(|backend| backend.value(literal))
    }

    /// The value of a term in the model; `None` if not all of its bits are built, or if clauses do not fix
    /// them. A symbol always has a value once it has bits: what no clause mentions may have any.
    pub fn value(&mut self, pool: &Pool, term: Term) -> Option<Value> {
        let is_symbol = pool.op(term) == Op::Symbol;
        let bits = self.bit_values(term)?.into_iter();
        let bits: Option<Vec<bool>> =
            bits.map(|bit| if is_symbol { Some(bit.unwrap_or(false)) } else { bit }).collect();
        Some(value_of_bits(pool.sorts(), pool.sort(term), bits?.into_iter()))
    }

    /// The value of a leaf, see [`BitBlaster`]; `None` for all other terms, and for leaves that no clause
    /// mentions.
    pub fn leaf_value(&mut self, pool: &Pool, term: Term) -> Option<Value> {
        if !matches!(pool.op(term), Op::Symbol | Op::Select | Op::Apply | Op::Eq) {
            return None;
        }
        self.blaster.inputs_of(term)?;
        let bits = self.bit_values(term)?;
        if bits.iter().all(Option::is_none) {
            return None;
        }
        let bits = bits.into_iter().map(|bit| bit.unwrap_or(false));
        Some(value_of_bits(pool.sorts(), pool.sort(term), bits))
    }

    /// The literals of all bits of a leaf, least significant first; `None` if no clause mentions any of them.
    pub fn vector(&mut self, leaf: Term) -> Option<Vec<Lit>> {
        let Encoder { blaster, cnf, backend, .. } = self;
        let (edges, backend) = (blaster.inputs_of(leaf)?, backend.as_mut()?);
        edges.iter().find(|&&edge| cnf.lookup(edge).is_some())?;
        let graph = blaster.graph();
        Some(edges.iter().map(|&edge| cnf.literal(graph, edge, &mut **backend)).collect())
    }

    /// Terms and their bits.
    pub fn blaster(&self) -> &BitBlaster {
        &self.blaster
    }

    /// The edges of each lemma, one of which is true; `None` if some of them have to be encoded again.
    pub fn lemma_edges(&self) -> Option<Vec<Vec<Edge>>> {
        let edge = |&(atom, value): &(Term, bool)| Some(self.blaster.known_bits(atom)?[0] ^ !value);
        self.lemmas.all().map(|lemma| lemma.iter().map(edge).collect()).collect()
    }

    /// Whether there is a SAT solver yet.
    pub fn has_clauses(&self) -> bool {
        self.backend.is_some()
    }

    /// The clauses of the present SAT solver.
    pub fn clauses(&self) -> u64 {
        self.cnf.statistics().clauses
    }

    /// The conflicts of all searches; 0 if the SAT solver does not count them.
    pub fn conflicts(&self) -> u64 {
        let now = self.backend.as_ref().and_then(|backend| backend.statistics().conflicts);
        self.totals.conflicts() + now.unwrap_or(0)
    }

    /// What was done so far, restarts included.
    pub fn statistics(&self) -> EncoderStatistics {
        EncoderStatistics { gates_live: self.live_size(&|_| true).gates, ..self.counts() }
    }

    /// The same without a walk over the gates: none of them counts as live.
    pub fn counts(&self) -> EncoderStatistics {
        let sat = self.backend.as_ref().map(|backend| backend.statistics());
        self.totals.with(self.blaster.graph(), self.cnf.statistics(), sat)
    }

    /// What the model says of the bits of a term.
    fn bit_values(&mut self, term: Term) -> Option<Vec<Option<bool>>> {
        let Encoder { blaster, cnf, backend, .. } = self;
        let mut bit = |&edge: &Edge| match (edge.as_constant(), cnf.lookup(edge), backend.as_mut()) {
            (Some(constant), _, _) => Some(constant),
            (None, Some(literal), Some(backend)) => backend.value(literal),
            (None, _, _) => None,
        };
        Some(blaster.known_bits(term)?.iter().map(&mut bit).collect())
    }
}

/// Building and encoding.
impl Encoder {
    /// The edge of a Boolean term.
    fn root(&mut self, pool: &Pool, term: Term) -> Result<Edge, BlastError> {
        let Encoder { blaster, stop, gate_limit, totals, clock, .. } = self;
        let limits = Limits { gates: *gate_limit, stop };
        timed(*clock, &mut totals.seconds.blast, || blaster.root(pool, term, &limits))
    }

    /// The edges that are asserted for a term on a level. What holds for ever needs no edge of its own.
    fn roots(&mut self, pool: &Pool, level: usize, term: Term) -> Result<Vec<Edge>, BlastError> {
        if level > 0 {
            return Ok(vec![self.root(pool, term)?]);
        }
        let Encoder { blaster, stop, gate_limit, totals, clock, .. } = self;
        let limits = Limits { gates: *gate_limit, stop };
        timed(*clock, &mut totals.seconds.blast, || Ok(blaster.roots(pool, term, &limits)?.to_vec()))
    }

    /// Makes the last term encoded on a level true while the level is there.
    fn assert_roots(&mut self, level: usize, roots: &[Edge]) {
        if level == 0 {
            let Encoder { blaster, cnf, backend, factory, habit, stop, totals, clock, .. } = self;
            let backend = started(backend, factory, habit, stop);
            return timed(*clock, &mut totals.seconds.encode, || {
                // The bits of a word that was sign-extended are one edge.
                for same in roots.chunk_by(PartialEq::eq) {
                    cnf.assert_root(blaster.graph(), same[0], backend);
                }
            });
        }
        let Level { asserted, encoded, .. } = &self.levels[level];
        let term = asserted[encoded - 1];
        self.counted(term, |encoder| {
            let Encoder { blaster, cnf, backend, factory, habit, stop, levels, .. } = encoder;
            let (backend, level) = (started(backend, factory, habit, stop), &mut levels[level]);
            for &root in roots {
                if level.direct.len() < DIRECT {
                    level.direct.push(cnf.literal(blaster.graph(), root, backend));
                } else {
                    let activation = *level.activation.get_or_insert_with(|| backend.new_var());
                    cnf.assert_root_if(blaster.graph(), activation, root, backend);
                }
            }
        });
    }

    /// Encodes a term that may become garbage, and lets the policy see how many variables that took.
    fn counted<T>(&mut self, term: Term, encode: impl FnOnce(&mut Encoder) -> T) -> T {
        let (before, start) = (self.cnf.statistics().variables, (self.clock)());
        let done = encode(self);
        self.totals.seconds.encode += ((self.clock)() - start).as_secs_f64();
        self.garbage.note_root(term, self.cnf.statistics().variables - before);
        done
    }

    /// The edges of a clause over terms.
    fn clause_edges(&mut self, pool: &Pool, clause: &[(Term, bool)]) -> Result<Vec<Edge>, BlastError> {
        clause.iter().map(|&(atom, value)| Ok(self.root(pool, atom)? ^ !value)).collect()
    }

    /// A clause over edges. What is true in it makes it superfluous, what is false is left out. It may be the
    /// first: a formula that needs no gates can still speak of arrays.
    fn add_clause(&mut self, edges: &[Edge]) {
        if edges.contains(&Edge::TRUE) {
            return;
        }
        let Encoder { blaster, cnf, backend, factory, habit, stop, totals, clock, .. } = self;
        let backend = started(backend, factory, habit, stop);
        timed(*clock, &mut totals.seconds.encode, || {
            let edges = edges.iter().filter(|edge| !edge.is_constant());
            let clause: Vec<Lit> = edges.map(|&edge| cnf.literal(blaster.graph(), edge, backend)).collect();
            backend.add_clause(&clause);
        });
    }

    /// Starts again if encoding was stopped in the middle of a term.
    fn check_encoded(&mut self) -> Result<(), BlastError> {
        if !self.cnf.is_stopped() {
            return Ok(());
        }
        self.restart(&|_| true);
        Err(BlastError::Stopped(self.stop.reason().unwrap_or(Why::Interrupted)))
    }

    /// Encodes the terms of levels and lemmas that a restart has left over.
    fn encode_pending(&mut self, pool: &Pool) -> Result<(), BlastError> {
        if !self.is_pending {
            return Ok(());
        }
        for level in 0..self.levels.len() {
            while let Some(&term) = self.levels[level].asserted.get(self.levels[level].encoded) {
                let roots = self.roots(pool, level, term)?;
                self.levels[level].encoded += 1;
                self.assert_roots(level, &roots);
                self.check_encoded()?;
            }
        }
        while let Some(clause) = self.lemmas.next_pending() {
            let edges = self.clause_edges(pool, &clause)?;
            self.lemmas.advance();
            self.add_clause(&edges);
            self.check_encoded()?;
        }
        self.is_pending = false;
        let size = self.size();
        self.garbage.restarted(size);
        Ok(())
    }
}

/// The SAT solver, made now if there is none.
fn started<'a>(
    backend: &'a mut Option<Box<dyn SatSolver>>,
    factory: &SolverFactory,
    habit: &mut Habit,
    stop: &Stop,
) -> &'a mut dyn SatSolver {
    &mut **backend.get_or_insert_with(|| {
        let mut backend = factory();
        habit.tell(&mut *backend);
        backend.set_stop(stop.clone());
        backend
    })
}
