//! Optima: a tree for each question whether there is something better.
//!
//! The tree of the script has a model, or there is no optimum. Then the best value that is known and the best
//! that there could be are the ends of an interval, and a question halves it: is there a model no worse than
//! the middle? Each question is a tree whose root is a cube of one literal, so nodes of all questions are
//! tasks of one job, in one log. A model moves one end to its own value, a refutation the other one past the
//! middle. Of several objectives the first is decided before the next, which is optimal among what is optimal
//! for those before it, as in Z3 ("lex").
//!
//! The questions follow from the outcomes of nodes alone, so the optimum is the same for any number of
//! workers. Cost: as many questions as the objective has bits, and one; most of them are easy, since they lie
//! far from the optimum.

use crate::cube::{Cube, Literal};
use crate::job::Outcome;
use crate::tree::{State, Tree};
use bivalve::terms::{BigInt, BitVec};

/// What is to be minimised or maximised: a word of the script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The term, in the language of the script.
    pub text: String,
    /// What it is called: its `:id`, or the text in the script.
    pub name: String,
    /// Its bits.
    pub width: u32,
    /// Whether it is to be as great as possible.
    pub maximise: bool,
    /// Whether its value is one in two's complement.
    pub is_signed: bool,
}

impl Goal {
    /// The number that a value of the term stands for.
    pub fn number(&self, value: &BitVec) -> BigInt {
        if self.is_signed { value.to_signed_int() } else { value.to_int() }
    }

    /// The best number that there could be.
    fn ideal(&self) -> BigInt {
        let value = match (self.maximise, self.is_signed) {
            (true, true) => BitVec::max_signed(self.width),
            (true, false) => BitVec::ones(self.width),
            (false, true) => BitVec::min_signed(self.width),
            (false, false) => BitVec::zero(self.width),
        };
        self.number(&value)
    }

    /// That the term is in this relation to a number, in the language of the script.
    fn compared(&self, relation: &str, number: &BigInt) -> String {
        let modulus = BigInt::from(1) << self.width;
        let value = if *number < BigInt::ZERO { number + modulus } else { number.clone() };
        format!("({relation} {} (_ bv{value} {}))", self.text, self.width)
    }

    /// That the term is no worse than a number.
    fn no_worse(&self, number: &BigInt) -> String {
        let relation = match (self.maximise, self.is_signed) {
            (true, true) => "bvsge",
            (true, false) => "bvuge",
            (false, true) => "bvsle",
            (false, false) => "bvule",
        };
        self.compared(relation, number)
    }
}

/// What is known of the optimum.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimum {
    /// The nodes of all questions so far, and the round and the state of the last one. Once the optimum is
    /// known the state is that of the question whose model has it.
    pub tree: Tree,
    /// The values of the objectives in the best model that is known, if there is one.
    pub values: Vec<BigInt>,
    /// How many questions were decided.
    pub questions: usize,
}

impl Optimum {
    /// What follows from what is known of the nodes. Without objectives that is the tree of the script.
    pub fn grown<'a>(goals: &[Goal], known: impl Fn(&Cube) -> Option<&'a Outcome>) -> Optimum {
        let tree = Tree::grown(Cube::default(), &known);
        let mut optimum = Optimum { tree, values: vec![], questions: 0 };
        let mut best = optimum.see();
        let mut fixed = vec![];
        for (place, goal) in goals.iter().enumerate() {
            let mut ideal = goal.ideal();
            while let Some(reached) = optimum.values.get(place).filter(|&reached| *reached != ideal) {
                // Towards the ideal, so that each answer moves an end.
                let middle = &ideal + (reached - &ideal) / 2;
                let mut all: Vec<String> = fixed.clone();
                all.push(goal.no_worse(&middle));
                let root = Cube(vec![Literal { term: conjunction(&all), truth: true }]);
                let before = std::mem::take(&mut optimum.tree.nodes);
                let question = Tree::grown(root, &known);
                optimum.tree.round = question.round;
                optimum.tree.state = question.state;
                optimum.tree.nodes = before.into_iter().chain(question.nodes).collect();
                match &optimum.tree.state {
                    State::Sat { .. } => best = optimum.see(),
                    State::Unsat => {
                        optimum.questions += 1;
                        ideal = if goal.maximise { middle - 1 } else { middle + 1 };
                    }
                    State::Open(_) | State::Unknown(_) => return optimum,
                }
            }
            fixed.extend(optimum.values.get(place).map(|reached| goal.compared("=", reached)));
        }
        if let Some(best) = best {
            optimum.tree.state = best;
        }
        optimum
    }

    /// Takes what a question has found, if it is a model.
    fn see(&mut self) -> Option<State> {
        let State::Sat { values, .. } = &self.tree.state else { return None };
        self.values = values.iter().filter_map(|value| value.parse().ok()).collect();
        self.questions += 1;
        Some(self.tree.state.clone())
    }
}

/// What is true if all of these are.
fn conjunction(all: &[String]) -> String {
    if let [one] = all { one.clone() } else { format!("(and {})", all.join(" ")) }
}
