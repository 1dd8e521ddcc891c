//! Random sessions: commands that push, pop, assert, check and ask.
//!
//! A session is data, a list of [`Step`]s over the terms of one pool, so that it can be carried out inside
//! this process, printed as a script for the binary, repeated, and made smaller. It is made step by step
//! together with the answers it gets (see [`Maker::next`]), because a session whose stack is contradictory
//! has nothing more to tell: after `unsat` that no assumption has to do with, levels are popped.
//!
//! What is asserted: definitions (`x = t`, of all sorts), random constraints, facts of the theories in pieces
//! on different levels (see `axioms`), disjunctions of all that, and bursts of more conjuncts than a level
//! assumes one by one. Terms come back: what was asserted once and popped is asserted, negated or assumed
//! later, so that gates, lemmas and witnesses of popped levels are met again.

use crate::formula::Recipe;
use crate::theory::Theory;
use crate::{axioms, seed_of};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Sort, Term, cone};

/// One command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Opens levels.
    Push(u32),
    /// Drops levels; more than there are is a command that is refused.
    Pop(u32),
    /// Asserts a formula, with a name or not.
    Assert(Term, bool),
    /// Checks under assumptions, and asks for the values of terms if the answer is `sat`.
    Check(Vec<Term>, Vec<Term>),
    /// Drops all assertions and levels.
    Reset,
}

/// Commands, and where their terms live.
pub struct Session {
    /// Where terms live.
    pub pool: Pool,
    /// The commands.
    pub steps: Vec<Step>,
    /// In a script, is each symbol declared where it is needed first, and gone when the level is popped?
    pub scoped: bool,
}

/// Makes a session step by step.
pub struct Maker {
    theory: Theory,
    random: TermGen,
    size: usize,
    /// Formulas that were asserted or assumed.
    used: Vec<Term>,
    /// Pieces of facts that were not asserted yet.
    pieces: Vec<Term>,
    /// What a burst has still to assert.
    burst: usize,
}

impl Session {
    /// The session of this number with so many steps.
    pub fn random(recipe: &Recipe, number: u64, steps: usize) -> Session {
        let mut session = Session { pool: Pool::new(), steps: vec![], scoped: number.is_multiple_of(3) };
        let (mut maker, mut levels) = (Maker::new(recipe, number), 0u64);
        for _ in 0..steps {
            let step = maker.next(&mut session.pool, false, levels);
            match &step {
                Step::Push(more) => levels += u64::from(*more),
                // Levels that there are not are refused.
                Step::Pop(fewer) => levels = levels.checked_sub(u64::from(*fewer)).unwrap_or(levels),
                Step::Reset => levels = 0,
                _ => {}
            }
            session.steps.push(step);
        }
        session
    }
}

impl Maker {
    /// The maker of the session of this number.
    pub fn new(recipe: &Recipe, number: u64) -> Maker {
        let mut random = TermGen::new(seed_of(recipe.seed, number));
        random.ops.retain(|op| !matches!(op, Op::Select | Op::Store | Op::ConstArray | Op::Apply));
        if recipe.theory.is_beyond_bits() {
            recipe.theory.set_up(&mut random, recipe.max_width);
        } else {
            random.max_width = [2, 8, recipe.max_width][random.rng().usize(..3)].min(recipe.max_width);
        }
        random.symbols_per_sort = random.symbols_per_sort.max(2);
        Maker { theory: recipe.theory, random, size: recipe.size, used: vec![], pieces: vec![], burst: 0 }
    }

    /// The next step. `stuck` is set if the stack is known to be contradictory, `levels` is their number.
    pub fn next(&mut self, pool: &mut Pool, stuck: bool, levels: u64) -> Step {
        if stuck {
            self.burst = 0;
            let pops = self.random.rng().u32(1..=2);
            return if levels == 0 { Step::Reset } else { Step::Pop(pops.min(levels as u32)) };
        }
        if self.burst > 0 {
            self.burst -= 1;
            let alternatives: Vec<Term> = (0..3).map(|_| self.formula(pool)).collect();
            return Step::Assert(pool.mk(Op::Or, &alternatives), false);
        }
        match self.random.rng().u32(..40) {
            0..6 => Step::Push(self.random.rng().u32(1..=2)),
            6..11 => Step::Pop(self.random.rng().u32(1..=2)),
            11..18 => Step::Assert(self.formula(pool), false),
            18..24 => Step::Assert(self.formula(pool), true),
            24 if self.random.rng().u32(..6) == 0 => {
                self.burst = 34;
                Step::Push(1)
            }
            24 if self.random.rng().u32(..4) == 0 => Step::Reset,
            25..34 => {
                let count = self.random.rng().usize(1..4);
                let assumptions = (0..count).map(|_| self.formula(pool)).collect();
                Step::Check(assumptions, self.questions(pool))
            }
            _ => Step::Check(vec![], self.questions(pool)),
        }
    }

    /// Terms whose values are asked for: symbols that are no functions, and a few random terms.
    fn questions(&mut self, pool: &mut Pool) -> Vec<Term> {
        let mut terms: Vec<Term> = cone(pool, &self.used);
        terms.retain(|&t| pool.op(t) == Op::Symbol && !pool.sorts().is_function(pool.sort(t)));
        for _ in 0..2 {
            let sort = self.theory.sort(&mut self.random, pool);
            terms.push(self.theory.term(&mut self.random, pool, sort, 4));
        }
        terms
    }

    fn formula(&mut self, pool: &mut Pool) -> Term {
        let formula = match self.random.rng().u32(..16) {
            0..4 => self.definition(pool),
            4..6 if !self.used.is_empty() => self.used[self.random.rng().usize(..self.used.len())],
            6 if !self.used.is_empty() => {
                let again = self.used[self.random.rng().usize(..self.used.len())];
                pool.mk(Op::Not, &[again])
            }
            7..10 if self.theory.is_beyond_bits() => self.piece(pool),
            10 => {
                let (a, b) = (self.definition(pool), self.constraint(pool));
                pool.mk(Op::Or, &[a, b])
            }
            11 => {
                let (a, b) = (self.definition(pool), self.constraint(pool));
                pool.mk(Op::And, &[a, b])
            }
            _ => self.constraint(pool),
        };
        self.used.push(formula);
        formula
    }

    fn constraint(&mut self, pool: &mut Pool) -> Term {
        let size = self.random.rng().usize(1..=self.size.max(1));
        self.theory.constraint(&mut self.random, pool, size)
    }

    /// A symbol is equal to a term, or is true, or is false.
    fn definition(&mut self, pool: &mut Pool) -> Term {
        let sort = if self.random.rng().u32(..4) == 0 {
            Sort::BOOL
        } else {
            self.theory.sort(&mut self.random, pool)
        };
        let symbol = self.random.symbol(pool, sort);
        let size = self.random.rng().usize(0..=4);
        let value = self.theory.term(&mut self.random, pool, sort, size);
        pool.mk(Op::Eq, &[symbol, value])
    }

    /// A piece of a fact's negation; the pieces together are contradictory.
    fn piece(&mut self, pool: &mut Pool) -> Term {
        if self.pieces.is_empty() {
            self.pieces = axioms::refutation(self.theory, &mut self.random, pool, self.size);
        }
        self.pieces.pop().expect("a fact has pieces")
    }
}

impl Step {
    /// The terms of a step.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let (one, many, more): (_, &[Term], &[Term]) = match self {
            Step::Push(_) | Step::Pop(_) | Step::Reset => (None, &[], &[]),
            Step::Assert(term, _) => (Some(term), &[], &[]),
            Step::Check(assumptions, questions) => (None, assumptions, questions),
        };
        one.into_iter().chain(many).chain(more)
    }
}
