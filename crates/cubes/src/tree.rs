//! The tree of cubes, as far as outcomes are known.
//!
//! It grows in rounds: all nodes of a round have cubes of one length, and those that ran out have two
//! children in the next. Nothing else decides where a node is or what it asks, so the tree is the same
//! whichever process looked at its nodes, in which order and how often. The answer is that of the first
//! round with a model, by the leftmost node that has one; so nodes behind it need not be looked at.

use crate::cube::Cube;
use crate::job::{Answer, Outcome};

/// Where the search stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// These nodes of the round have no outcome yet.
    Open(Vec<Cube>),
    /// A node has a model.
    Sat {
        /// The node.
        cube: Cube,
        /// The model.
        model: String,
        /// The numbers that the objectives are in it.
        values: Vec<String>,
    },
    /// No leaf has a model.
    Unsat,
    /// No leaf has a model that was found, and of some it is not known whether they have one.
    Unknown(String),
}

/// What is known of the tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// The nodes with their outcomes, round by round, from left to right.
    pub nodes: Vec<(Cube, Outcome)>,
    /// The nodes of the last round, whether they have outcomes or not: tasks are counted in this order.
    pub round: Vec<Cube>,
    /// Where the search stands.
    pub state: State,
}

impl Tree {
    /// The tree with this root that follows from what is known of its nodes.
    pub fn grown<'a>(root: Cube, known: impl Fn(&Cube) -> Option<&'a Outcome>) -> Tree {
        let mut tree = Tree { nodes: vec![], round: vec![root], state: State::Unsat };
        let mut unknown = None;
        loop {
            let mut children = vec![];
            let mut missing = vec![];
            for cube in &tree.round {
                let Some(outcome) = known(cube) else {
                    missing.push(cube.clone());
                    continue;
                };
                tree.nodes.push((cube.clone(), outcome.clone()));
                match &outcome.answer {
                    Answer::Unsat => {}
                    Answer::Unknown { reason } => unknown = unknown.or_else(|| Some(reason.clone())),
                    Answer::Split { term } => children.extend(cube.split(term)),
                    Answer::Sat { model, values } if missing.is_empty() => {
                        let (cube, model, values) = (cube.clone(), model.clone(), values.clone());
                        tree.state = State::Sat { cube, model, values };
                        return tree;
                    }
                    // Nothing behind it can be the answer.
                    Answer::Sat { .. } => break,
                }
            }
            tree.state = match (missing.is_empty(), children.is_empty()) {
                (false, _) => State::Open(missing),
                (true, true) => unknown.map_or(State::Unsat, State::Unknown),
                (true, false) => {
                    tree.round = children;
                    continue;
                }
            };
            return tree;
        }
    }

    /// The number of the round, from 0.
    pub fn rounds(&self) -> usize {
        self.round.first().map_or(0, |cube| cube.0.len())
    }

    /// The nodes that were refuted, from left to right: the leaves, if the state is [`State::Unsat`].
    pub fn leaves(&self) -> Vec<(&Cube, &Outcome)> {
        let refuted = self.nodes.iter().filter(|(_, outcome)| outcome.answer == Answer::Unsat);
        let mut leaves: Vec<_> = refuted.map(|(cube, outcome)| (cube, outcome)).collect();
        leaves.sort_by(|one, two| one.0.order(two.0));
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn outcome(answer: Answer) -> Outcome {
        Outcome { answer, conflicts: 1, certificate: None, uncertified: None, seconds: 0.0 }
    }

    fn split(term: &str) -> Outcome {
        outcome(Answer::Split { term: term.into() })
    }

    fn grown(known: &BTreeMap<&str, Outcome>) -> Tree {
        Tree::grown(Cube::default(), |cube| known.get(cube.to_string().as_str()))
    }

    #[test]
    fn a_tree_grows_in_rounds_and_the_leftmost_model_wins() {
        let mut known = BTreeMap::new();
        let open = |known: &BTreeMap<&str, Outcome>| match grown(known).state {
            State::Open(cubes) => cubes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            state => panic!("{state:?}"),
        };
        assert_eq!(open(&known), [""]);
        known.insert("", split("p"));
        assert_eq!(open(&known), ["p", "(not p)"]);
        known.insert("(not p)", split("q"));
        assert_eq!(open(&known), ["p"]);
        known.insert("p", outcome(Answer::Unsat));
        assert_eq!(open(&known), ["(not p) q", "(not p) (not q)"]);
        known.insert("(not p) (not q)", outcome(Answer::Unsat));
        known.insert("(not p) q", outcome(Answer::Unsat));
        let tree = grown(&known);
        assert_eq!((tree.state.clone(), tree.rounds()), (State::Unsat, 2));
        let leaves: Vec<String> = tree.leaves().iter().map(|(cube, _)| cube.to_string()).collect();
        assert_eq!(leaves, ["p", "(not p) q", "(not p) (not q)"]);
        // A model further to the right waits for what is to the left of it.
        known.insert("(not p) (not q)", outcome(Answer::Sat { model: "()".into(), values: vec![] }));
        known.remove("(not p) q");
        assert_eq!(open(&known), ["(not p) q"]);
        known.insert("(not p) q", outcome(Answer::Unknown { reason: "incomplete".into() }));
        assert!(matches!(grown(&known).state, State::Sat { .. }));
        known.insert("(not p) (not q)", outcome(Answer::Unsat));
        assert_eq!(grown(&known).state, State::Unknown("incomplete".into()));
    }
}
