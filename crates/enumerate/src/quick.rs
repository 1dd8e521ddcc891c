//! Next models by clauses alone, where formulas are about bits alone.
//!
//! The formulas become clauses once, as they are: nothing is eliminated, so the bits of all symbols are
//! there. Decisions of the search for all models are levels of a search on these clauses ([`Clauses`]), which
//! goes from one model to the next without a check. Each model is evaluated on the formulas before it counts.

use crate::clauses::{Clauses, Completion};
use bivalve::bitblast::{BitBlaster, CnfEncoder, Edge, Limits};
use bivalve::sat::{CnfLog, Lit, Stop};
use bivalve::terms::{Assignment, BitVec, Op, Pool, Sort, Term, Valuation, Value, cone};
use bivalve::{CheckError, InternalError};

/// The formulas may have so many gates. More are left to the solver, which may need fewer for what it has
/// simplified.
const MOST_GATES: u64 = 1 << 18;

/// A model may take so many conflicts. Harder ones are left to the solver.
const MOST_CONFLICTS: u32 = 200;

/// What is found next to the decisions.
pub(crate) enum Turn {
    /// With the decision of this number turned there is a model, which [`Quick::value`] reads.
    Model(usize),
    /// There is none with a decision turned.
    Nothing,
    /// It is too hard.
    GivenUp,
}

/// The clauses of formulas.
pub(crate) struct Quick {
    clauses: Clauses,
    formulas: Vec<Term>,
    /// The symbols of the formulas with the literals of their bits; `None` for what no clause mentions.
    symbols: Vec<(Term, Vec<Option<Lit>>)>,
    /// The literals of the bits that are listed.
    bits: Vec<Lit>,
    assignment: Assignment,
    valuation: Valuation,
    /// The first so many decisions are on levels.
    held: usize,
}

impl Quick {
    /// The clauses of formulas, whose bits of these symbols, highest first, are decided; `None` if formulas
    /// speak of other things than bits, or have too many gates.
    pub(crate) fn new(
        pool: &Pool,
        formulas: &[Term],
        listed: impl Iterator<Item = Term>,
        stop: &Stop,
    ) -> Option<Quick> {
        let below = cone(pool, formulas);
        let is_word = |sort: Sort| sort.is_bool() || sort.is_bitvec();
        let is_plain = |&term: &Term| is_word(pool.sort(term)) && pool.op(term) != Op::Forall;
        if !below.iter().all(is_plain) {
            return None;
        }
        let (mut blaster, mut encoder, mut clauses) = (BitBlaster::new(), CnfEncoder::new(), CnfLog::new());
        let limits = Limits { gates: MOST_GATES, stop };
        let mut bits = vec![];
        for symbol in listed {
            let edges: Vec<Edge> = blaster.bits_within(pool, symbol, &limits).ok()?.to_vec();
            bits.extend(edges.iter().rev().map(|&edge| encoder.literal(blaster.graph(), edge, &mut clauses)));
        }
        for &formula in formulas {
            let roots = blaster.roots(pool, formula, &limits).ok()?.to_vec();
            roots.iter().for_each(|&root| encoder.assert_root(blaster.graph(), root, &mut clauses));
        }
        let mut inputs = bits.clone();
        let mut symbols = vec![];
        for symbol in below.into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
            let edges = blaster.bits_within(pool, symbol, &limits).ok()?;
            let literals: Vec<Option<Lit>> = edges.iter().map(|&edge| encoder.lookup(edge)).collect();
            inputs.extend(literals.iter().flatten());
            symbols.push((symbol, literals));
        }
        Some(Quick {
            clauses: Clauses::new(&clauses, &inputs),
            formulas: formulas.to_vec(),
            symbols,
            bits,
            assignment: Assignment::new(),
            valuation: Valuation::new(),
            held: 0,
        })
    }

    /// Only the first so many decisions are as they were.
    pub(crate) fn keep(&mut self, decisions: usize) {
        self.held = self.held.min(decisions);
    }

    /// Turns the last of these decisions, bits with their values, from `start` on, behind which there is a
    /// model.
    pub(crate) fn turn(
        &mut self,
        pool: &Pool,
        decisions: &[(usize, bool)],
        start: usize,
    ) -> Result<Turn, CheckError> {
        self.clauses.forget();
        self.held = self.held.min(self.clauses.level());
        self.clauses.backtrack(self.held);
        for &decision in &decisions[self.held..] {
            if !self.clauses.decide(self.literal(decision)) {
                return Err(internal("the clauses of formulas have none of their models"));
            }
        }
        self.held = decisions.len();
        let mut conflicts = MOST_CONFLICTS;
        for at in (start..decisions.len()).rev() {
            self.clauses.backtrack(at);
            self.held = at;
            if !self.clauses.decide(!self.literal(decisions[at])) {
                continue;
            }
            match self.clauses.complete(&mut conflicts) {
                Completion::Nothing => {}
                Completion::GivenUp => return Ok(Turn::GivenUp),
                Completion::Model => {
                    self.read(pool)?;
                    self.held = at + 1;
                    return Ok(Turn::Model(at));
                }
            }
        }
        Ok(Turn::Nothing)
    }

    /// The value of a term in the model.
    pub(crate) fn value(&self, term: Term) -> &Value {
        self.valuation.get(term).expect("the formulas were evaluated")
    }

    fn literal(&self, (bit, value): (usize, bool)) -> Lit {
        if value { self.bits[bit] } else { !self.bits[bit] }
    }

    /// Reads the model off the clauses and evaluates the formulas.
    fn read(&mut self, pool: &Pool) -> Result<(), CheckError> {
        let mut assignment = Assignment::new();
        for (symbol, literals) in &self.symbols {
            let is_set =
                |literal: &Option<Lit>| literal.and_then(|literal| self.clauses.value(literal)) == Some(true);
            let value = match pool.width(*symbol) {
                None => Value::Bool(is_set(&literals[0])),
                Some(width) => BitVec::from_fn(width, |bit| is_set(&literals[bit as usize])).into(),
            };
            assignment.set(*symbol, value);
        }
        let former = std::mem::replace(&mut self.assignment, assignment);
        self.valuation.revise(pool, &former, &self.assignment);
        for &formula in &self.formulas {
            if !self.valuation.eval(pool, &self.assignment, formula).expect_bool() {
                return Err(internal("a model of the clauses of formulas is none of the formulas"));
            }
        }
        Ok(())
    }
}

fn internal(text: &str) -> CheckError {
    CheckError::Internal(InternalError(text.into()))
}
