//! The assertions as preprocessing leaves them, for callers that go on without the solver.

mod elimination;

use crate::Solver;
use bivalve_limits::Deadline;
use bivalve_rewrite::{Level, Rewriter};
use bivalve_sat_adapter::Why;
use bivalve_terms::print::all_sorts;
use bivalve_terms::{Op, Pool, Term, TermSet, cone};

/// The assertions after preprocessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplification {
    /// Boolean terms that have a model together exactly if all assertions have; the term false alone if the
    /// assertions are contradictory.
    pub conjuncts: Vec<Term>,
    /// Symbols that were eliminated, and their solutions. No symbol among them occurs in solutions or
    /// conjuncts, so a model of the conjuncts gives one of the assertions.
    pub definitions: Vec<(Term, Term)>,
}

impl Solver {
    /// Preprocesses the assertions of all levels as a check would, tracked ones each by itself, and returns
    /// what is left of them. Where symbols have values that are no bit-vectors, such as floats, the
    /// assertions stay about these: the laws of their theories and rewriting make them simpler, one by one,
    /// and symbols that they define are eliminated, unless they have quantifiers.
    ///
    /// # Errors
    ///
    /// When it was stopped.
    pub fn simplified(&mut self, pool: &mut Pool) -> Result<Simplification, Why> {
        if self.has_lowered_symbols(pool) {
            return self.simplified_in_theories(pool);
        }
        self.forget_answer();
        self.preprocess(pool)?;
        let definitions = self.preprocessor.solved(pool, &Deadline::stopped_by(&self.stop))?;
        let conjuncts = match self.contradiction {
            Some(_) => vec![pool.bool(false)],
            None => self.conjuncts().collect(),
        };
        Ok(Simplification { conjuncts, definitions })
    }

    /// Whether an assertion has a symbol whose values are no bit-vectors.
    fn has_lowered_symbols(&self, pool: &Pool) -> bool {
        let is_lowered = |&term: &Term| {
            let is_symbol = pool.op(term) == Op::Symbol;
            is_symbol && all_sorts(pool, &[term]).into_iter().any(|sort| pool.sorts().is_theory(sort))
        };
        !self.lowering.is_idle(pool) && cone(pool, self.assertions()).iter().any(is_lowered)
    }

    fn simplified_in_theories(&self, pool: &mut Pool) -> Result<Simplification, Why> {
        let deadline = Deadline::stopped_by(&self.stop);
        let asserted = self.assertions().to_vec();
        let is_quantified = cone(pool, &asserted).iter().any(|&term| pool.op(term) == Op::Forall);
        let mut left = Simplification { conjuncts: asserted, definitions: vec![] };
        loop {
            left.conjuncts = self.rewritten_in_theories(pool, &left.conjuncts, &deadline)?;
            if self.settings.rewrite_level == 0 || is_quantified {
                return Ok(left);
            }
            let before = left.definitions.len();
            let round = elimination::round(pool, &left.conjuncts, &left.definitions, &deadline)?;
            left = Simplification { conjuncts: round.conjuncts, definitions: round.definitions };
            if left.definitions.len() == before {
                return Ok(left);
            }
        }
    }

    /// Each conjunct by the laws of theories and by rewriting; the term false alone if one is.
    fn rewritten_in_theories(
        &self,
        pool: &mut Pool,
        asserted: &[Term],
        deadline: &Deadline,
    ) -> Result<Vec<Term>, Why> {
        let mut rewriter = (self.settings.rewrite_level > 0).then(|| Rewriter::new(Level::Local));
        let (mut conjuncts, mut seen) = (vec![], TermSet::new());
        let mut todo: Vec<Term> = asserted.iter().rev().copied().collect();
        while let Some(term) = todo.pop() {
            let conjunct = match &mut rewriter {
                None => term,
                Some(rewriter) => {
                    let simpler = self.lowering.simplified(pool, term, || deadline.step(1));
                    rewriter.rewrite_within(pool, simpler, deadline)
                }
            };
            if let Some(why) = deadline.reason() {
                return Err(why);
            }
            match (pool.op(conjunct), pool.as_bool(conjunct)) {
                (_, Some(true)) => {}
                (_, Some(false)) => return Ok(vec![conjunct]),
                (Op::And, _) => todo.extend(pool.args(conjunct).iter().rev()),
                _ if seen.insert(conjunct) => conjuncts.push(conjunct),
                _ => {}
            }
        }
        Ok(conjuncts)
    }
}
