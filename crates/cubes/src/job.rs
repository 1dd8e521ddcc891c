//! A job: the question, the budget of its root, and what is done with one node of the tree.
//!
//! A node is solved within a budget of conflicts. That of the root is small. Where the root runs out, it is
//! split [`LEAP`] times before much is searched again: nodes between have the budget of the root, which finds
//! those that are easy, and those at the end of the leap 4 times as much for each literal. So what is
//! searched for nothing stays a small part of what is searched in the end, there are many nodes for many
//! workers, and every path ends. A node that runs out says the term on which it is split
//! ([`crate::lookahead`]). All of that follows from the script, the settings and the cube, so it is the same
//! wherever and whenever the node is looked at.
//!
//! With certificates, the search for a certificate goes first: it needs as many conflicts as the solver most
//! often, and its answer is the whole answer then. Where only the solver has an answer within the budget, the
//! search goes on with [`PATIENCE`] times as much, and the node is split after that.

use crate::cube::Cube;
use crate::lookahead;
use crate::optimum::Goal;
use crate::problem::{Fault, Opened, Problem};
use bivalve::terms::{Assignment, Term};
use bivalve::{CheckLimits, CheckResult, Why};
use bivalve_certificate::{Certifier, Form, NoCertificate};
use bivalve_formats::ModelFormat;
use bivalve_formats::smtlib::print::{BitVecFormat, Values};
use bivalve_harness::{Cancel, Key, this_build};
use serde::{Deserialize, Serialize};

/// Literals between large budgets. (With twice as much for each literal and no leaps, 45 of 100 conflicts of
/// a proof that a number is prime were those of nodes that ran out.)
const LEAP: usize = 4;

/// Budgets of the search for a certificate of what the solver has refuted within one.
const PATIENCE: u64 = 8;

/// What was found of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "lowercase")]
pub enum Answer {
    /// The cube has no model.
    Unsat,
    /// It has one, in which all was evaluated.
    Sat {
        /// The definitions of the script's symbols.
        model: String,
        /// The numbers that the objectives are, in their order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<String>,
    },
    /// The budget did not suffice.
    Split {
        /// What is true in one half and false in the other.
        term: String,
    },
    /// Neither is known, and more of the same would not help.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// What was found of a node, and what it took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// Conflicts of all searches.
    pub conflicts: u64,
    /// The hash of the certificate and its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<(Key, u64)>,
    /// Why a cube without a model has no certificate, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncertified: Option<String>,
    /// Seconds that it took, by the clock of the caller. They decide nothing.
    #[serde(default)]
    pub seconds: f64,
}

/// A question, and how it is asked.
#[derive(Clone, Debug)]
pub struct Job {
    /// The question.
    pub problem: Problem,
    /// Conflicts of the root.
    pub budget: u64,
    /// The form of certificates, if there are to be some.
    pub certificates: Option<Form>,
}

impl Job {
    /// The hash of everything that outcomes depend on.
    pub fn hash(&self) -> Key {
        let form = format!("{:?}", self.certificates);
        Key::of([this_build().as_str(), self.problem.key().as_str(), &self.budget.to_string(), &form])
    }

    /// The key of what is found of a node; `hash` is that of the job.
    pub fn key(hash: &Key, cube: &Cube) -> Key {
        let literals = cube.0.iter().map(ToString::to_string);
        Key::of([hash.as_str().to_owned()].into_iter().chain(literals))
    }

    /// Conflicts of a node.
    pub fn budget(&self, cube: &Cube) -> u64 {
        let literals = cube.0.len();
        let factor = if literals.is_multiple_of(LEAP) { 4_u64.saturating_pow(literals as u32) } else { 1 };
        self.budget.saturating_mul(factor)
    }

    /// Looks at a node; gives the steps of its certificate, too. Nothing when `cancel` was raised.
    ///
    /// # Errors
    ///
    /// When the cube cannot be read, or a self-check of the solver fails.
    pub fn run(&self, cube: &Cube, cancel: &Cancel) -> Result<Option<(Outcome, Vec<u8>)>, Fault> {
        let mut node = Node::begin(self, cube, cancel)?;
        let mut budget = Some(self.budget(cube));
        loop {
            let answer = node.answer(self.certificates, budget)?;
            if cancel.is_raised() {
                return Ok(None);
            }
            let answer = match answer {
                Some(answer) => answer,
                None => match lookahead::choose(self.problem.open(cube)?, cancel)? {
                    _ if cancel.is_raised() => return Ok(None),
                    Some(term) => Answer::Split { term },
                    // There is nothing to split on.
                    None => {
                        budget = None;
                        node = Node::begin(self, cube, cancel)?;
                        continue;
                    }
                },
            };
            let Node { steps, mut uncertified, conflicts, .. } = node;
            if answer != Answer::Unsat {
                uncertified = None;
            }
            let certificate = steps.as_ref().map(|steps| (Key::of([steps]), steps.len() as u64));
            let outcome = Outcome { answer, conflicts, certificate, uncertified, seconds: 0.0 };
            return Ok(Some((outcome, steps.unwrap_or_default())));
        }
    }
}

/// A node that is looked at.
struct Node {
    opened: Opened,
    steps: Option<Vec<u8>>,
    uncertified: Option<String>,
    conflicts: u64,
}

impl Node {
    fn begin(job: &Job, cube: &Cube, cancel: &Cancel) -> Result<Node, Fault> {
        let mut opened = job.problem.open(cube)?;
        opened.solver().0.stop_handle().listen_to(cancel.flag());
        Ok(Node { opened, steps: None, uncertified: None, conflicts: 0 })
    }

    /// The answer within so many conflicts.
    fn answer(&mut self, form: Option<Form>, budget: Option<u64>) -> Result<Option<Answer>, Fault> {
        let stop = self.opened.solver().0.stop_handle();
        let mut certifier = form.map(|form| Certifier::new(form, &stop));
        let answer = match certifier.as_mut().and_then(|certifier| self.certify(certifier, budget)) {
            Some(answer) => Some(answer),
            None => self.solve(certifier.as_mut(), budget)?,
        };
        self.conflicts += stop.counts().conflicts;
        Ok(answer)
    }

    /// What the search for a certificate finds.
    fn certify(&mut self, certifier: &mut Certifier, budget: Option<u64>) -> Option<Answer> {
        let (solver, pool) = self.opened.solver();
        let asserted = solver.assertions().to_vec();
        match certifier.certify(pool, 0, &asserted, budget) {
            Ok(refutation) => {
                (self.steps, self.uncertified) = (Some(refutation.steps), None);
                return Some(Answer::Unsat);
            }
            Err(NoCertificate::Unsupported(why)) => self.uncertified = Some(why),
            Err(_) => {}
        }
        // A model is believed where all is true in it.
        let model: Assignment = certifier.take_model()?;
        let holds = solver.check_model(pool, &[], model);
        (holds.ok()? == Some(CheckResult::Sat)).then(|| self.model())
    }

    fn solve(
        &mut self,
        certifier: Option<&mut Certifier>,
        budget: Option<u64>,
    ) -> Result<Option<Answer>, Fault> {
        let (solver, pool) = self.opened.solver();
        let limits = budget.map_or(CheckLimits::new(), |budget| CheckLimits::new().conflicts(budget));
        let answer =
            solver.check_within(pool, limits, &[]).map_err(|why| Fault::Internal(why.to_string()))?;
        match (answer, certifier) {
            (CheckResult::Sat, _) => Ok(Some(self.model())),
            (CheckResult::Unsat, Some(certifier)) if self.uncertified.is_none() => {
                let more = budget.map(|budget| budget.saturating_mul(PATIENCE));
                let found = self.certify(certifier, more);
                Ok(found.or_else(|| self.uncertified.is_some().then_some(Answer::Unsat)))
            }
            (CheckResult::Unsat, _) => Ok(Some(Answer::Unsat)),
            (CheckResult::Unknown(Why::Budget), _) => Ok(None),
            (CheckResult::Unknown(why), _) => Ok(Some(Answer::Unknown { reason: why.to_string() })),
        }
    }

    /// The model that the solver has.
    fn model(&mut self) -> Answer {
        let (declared, goals) = (self.opened.declared.clone(), self.opened.goals.clone());
        let (solver, pool) = self.opened.solver();
        let format = Values::new(pool, BitVecFormat::Binary);
        let (mut model, mut values) = (vec![], vec![]);
        if let Some(found) = solver.model() {
            model.extend(declared.iter().map(|&symbol| (symbol, found.value(pool, symbol))));
            let number = |(goal, term): &(Goal, Term)| {
                Some(goal.number(found.value(pool, *term).as_bitvec()?).to_string())
            };
            values.extend(goals.iter().filter_map(number));
        }
        Answer::Sat { model: ModelFormat::SmtLib.print(pool, &format, None, &model), values }
    }
}
