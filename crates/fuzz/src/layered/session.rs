//! Layered formulas over time: levels, names, assumptions, cores, with the status of each check known.
//!
//! A hidden assignment satisfies what is asserted, each formula being negated where it has to be; that is
//! `sat`, whatever is pushed and popped. On a level of its own, or among assumptions, now and then the
//! negation of something asserted comes in an equivalent form; as long as both are in scope that is
//! `unsat`, and after a pop it is `sat` again. In *doubtful* sessions formulas are asserted as they are;
//! then nothing is known while one that fails under the assignment is in scope.
//!
//! The result is a [`Session`], so it is printed, carried out and made smaller like any other.

use super::{Division, Maker, Shape};
use crate::seed_of;
use crate::session::{Session, Step};
use bivalve_terms::{Evaluator, Op, Term, cone};

/// How sessions are made.
#[derive(Clone, Copy, Debug)]
pub struct Timeline {
    /// Commands, declarations not counted.
    pub steps: usize,
    /// Levels open at a time, at most.
    pub depth: usize,
    /// Of a hundred assertions, so many have a name.
    pub named: u32,
    /// Of a hundred checks, so many are under assumptions.
    pub assuming: u32,
    /// Of a hundred assertions, so many are asserted though they may fail under the hidden assignment.
    pub doubt: u32,
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline { steps: 30, depth: 6, named: 50, assuming: 40, doubt: 0 }
    }
}

/// A formula of the session: it holds under the hidden assignment, and its negation in other words.
#[derive(Clone, Copy)]
struct Fact {
    holds: Term,
    negation: Term,
}

/// What is in scope: facts asserted, negations asserted, formulas nothing is known of.
#[derive(Clone, Default)]
struct Level {
    facts: Vec<usize>,
    negations: Vec<usize>,
    doubts: usize,
}

/// Makes the session of this number, and the answer to each of its checks as far as it is known.
pub fn session(shape: &Shape, timeline: &Timeline, seed: u64, number: u64) -> (Session, Vec<Option<bool>>) {
    let mut maker = Maker::new(shape, seed_of(seed, number));
    maker.input_layer();
    maker.main_layer();
    let formulas: Vec<Term> = (0..4 + timeline.steps / 3)
        .map(|_| match maker.below(4) {
            0 if *shape.equations.end() > 0 => maker.equation(),
            _ => maker.small_formula(),
        })
        .collect();
    let guards = if shape.division == Division::Guarded { maker.guarded(vec![]) } else { vec![] };
    let roots = [&formulas[..], &guards].concat();
    let model = maker.model(&roots);
    let mut evaluator = Evaluator::new(&maker.pool, &model);
    let values: Vec<bool> = roots.iter().map(|&root| evaluator.eval(root).expect_bool()).collect();
    let facts = formulas.iter().zip(&values).map(|(&formula, &value)| {
        let holds = if value { formula } else { maker.negated(formula, &model) };
        Fact { holds, negation: maker.negation_in_other_words(holds) }
    });
    let facts: Vec<Fact> = facts.collect();
    let mut course =
        Course { maker, timeline, facts, levels: vec![Level::default()], steps: vec![], answers: vec![] };
    course.steps.extend(guards.into_iter().map(|guard| Step::Assert(guard, false)));
    for _ in 0..timeline.steps {
        course.step();
    }
    if !matches!(course.steps.last(), Some(Step::Check(..))) {
        course.check();
    }
    let scoped = course.chance(50);
    (Session { pool: course.maker.pool, steps: course.steps, scoped }, course.answers)
}

/// A session in the making.
struct Course<'a> {
    maker: Maker<'a>,
    timeline: &'a Timeline,
    facts: Vec<Fact>,
    levels: Vec<Level>,
    steps: Vec<Step>,
    answers: Vec<Option<bool>>,
}

impl Course<'_> {
    fn chance(&mut self, of_hundred: u32) -> bool {
        self.maker.below(100) < of_hundred as usize
    }

    fn step(&mut self) {
        match self.maker.below(20) {
            0..3 if self.levels.len() <= self.timeline.depth => {
                self.steps.push(Step::Push(1));
                self.levels.push(Level::default());
            }
            3..6 if self.levels.len() > 1 => {
                let levels = 1 + self.maker.below(2.min(self.levels.len() - 1));
                self.levels.truncate(self.levels.len() - levels);
                self.steps.push(Step::Pop(u32::try_from(levels).expect("at most two")));
            }
            6 if self.levels.len() > 1 => self.contradict(),
            7 if self.chance(10) => {
                self.levels = vec![Level::default()];
                self.steps.push(Step::Reset);
            }
            8..14 => self.assert(),
            _ => self.check(),
        }
    }

    fn assert(&mut self) {
        let fact = self.maker.below(self.facts.len());
        let Fact { holds, negation } = self.facts[fact];
        let named = self.chance(self.timeline.named);
        let level = self.levels.last_mut().expect("the lowest level stays");
        if self.maker.below(100) < self.timeline.doubt as usize && self.maker.below(2) == 0 {
            // The negation may contradict nothing, so nothing is known.
            level.doubts += 1;
            level.negations.push(fact);
            self.steps.push(Step::Assert(negation, named));
        } else {
            level.facts.push(fact);
            self.steps.push(Step::Assert(holds, named));
        }
    }

    /// Asserts the negation of something in scope.
    fn contradict(&mut self) {
        let Some(fact) = self.asserted() else { return self.assert() };
        let named = self.chance(self.timeline.named);
        self.levels.last_mut().expect("the lowest level stays").negations.push(fact);
        self.steps.push(Step::Assert(self.facts[fact].negation, named));
    }

    /// A fact in scope.
    fn asserted(&mut self) -> Option<usize> {
        let facts: Vec<usize> = self.levels.iter().flat_map(|level| &level.facts).copied().collect();
        (!facts.is_empty()).then(|| facts[self.maker.below(facts.len())])
    }

    fn check(&mut self) {
        let mut scope = Level::default();
        for level in &self.levels {
            scope.facts.extend(&level.facts);
            scope.negations.extend(&level.negations);
            scope.doubts += level.doubts;
        }
        let mut assumptions = vec![];
        if self.chance(self.timeline.assuming) {
            for _ in 0..1 + self.maker.below(3) {
                let fact = self.maker.below(self.facts.len());
                assumptions.push(self.facts[fact].holds);
                scope.facts.push(fact);
            }
            if self.chance(40)
                && let Some(fact) = self.asserted()
            {
                assumptions.push(self.facts[fact].negation);
                scope.negations.push(fact);
            }
        }
        let contradictory = scope.negations.iter().any(|fact| scope.facts.contains(fact));
        let known =
            (contradictory || (scope.doubts == 0 && scope.negations.is_empty())).then_some(!contradictory);
        self.answers.push(known);
        let questions = self.questions();
        self.steps.push(Step::Check(assumptions, questions));
    }

    /// Symbols that were used, functions aside, and a few nodes.
    fn questions(&mut self) -> Vec<Term> {
        let used: Vec<Term> = self.steps.iter().flat_map(Step::terms).copied().collect();
        let pool = &self.maker.pool;
        let mut questions = cone(pool, &used);
        questions.retain(|&term| pool.op(term) == Op::Symbol && !pool.sorts().is_function(pool.sort(term)));
        for _ in 0..2 {
            questions.push(self.maker.bit_vector());
        }
        questions
    }
}
