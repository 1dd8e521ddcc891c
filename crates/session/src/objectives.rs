//! Objectives: what is to be minimised or maximised, and how a check finds it (`bivalve-optimise`).
//!
//! While there are objectives, every check looks for their optimum. They belong to the level on which they
//! were stated. Soft constraints of one name are one objective, at the place of the first of them.
//! `(get-objectives)` answers in the form of Z3: the text of a term or its `:id`, and the optimum as a
//! number; where a check was not decided, the interval in which it lies.
//!
//! A session that certifies does so for optima, too: that nothing is better is a question of its own, which
//! is written as a script, refuted, and checked by the checker from that text.

use crate::certification::Certificate;
use crate::reply::{Evidence, Reply};
use crate::session::Session;
use bivalve::terms::float::Rational;
use bivalve::terms::{Pool, Renaming, Term};
use bivalve::{CheckError, CheckResult, Why};
use bivalve_certificate::Form;
use bivalve_formats::smtlib::print;
use bivalve_optimise::{Objective, Optimiser, Priority, Range, Sense, Soft};

/// What is said where an optimum should have a certificate.
const UNCERTIFIED: Why = Why::Incomplete("the optimum has no certificate");

/// The objectives of a session.
#[derive(Default)]
pub(crate) struct Objectives {
    stated: Vec<Stated>,
    /// What the last check found of them.
    ranges: Vec<Range>,
    /// What excludes the Pareto-optimal values that earlier checks with the same assumptions have found.
    excluded: Vec<Term>,
    assumptions: Vec<Term>,
}

/// An objective or a soft constraint, and the level that it belongs to.
struct Stated {
    level: u64,
    name: String,
    what: What,
}

enum What {
    Term { term: Term, sense: Sense, is_signed: bool },
    Soft(Soft),
}

impl Objectives {
    /// Something is to be minimised or maximised.
    pub(crate) fn optimise(&mut self, level: u64, name: String, term: Term, maximise: bool, is_signed: bool) {
        let sense = if maximise { Sense::Maximise } else { Sense::Minimise };
        self.state(level, name, What::Term { term, sense, is_signed });
    }

    /// A formula should hold.
    pub(crate) fn soften(&mut self, level: u64, name: String, formula: Term, weight: Rational) {
        self.state(level, name, What::Soft(Soft { formula, weight }));
    }

    fn state(&mut self, level: u64, name: String, what: What) {
        self.stated.push(Stated { level, name, what });
        self.changed();
    }

    /// The assertions, the objectives or the options are others now: what was found is void.
    pub(crate) fn changed(&mut self) {
        self.ranges.clear();
        self.excluded.clear();
    }

    /// The levels above this one are gone.
    pub(crate) fn pop_to(&mut self, level: u64) {
        self.stated.retain(|stated| stated.level <= level);
        self.changed();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.stated.is_empty()
    }

    /// The terms that it holds.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = Term> + '_ {
        let stated = self.stated.iter().map(|stated| match &stated.what {
            What::Term { term, .. } | What::Soft(Soft { formula: term, .. }) => *term,
        });
        stated.chain(self.excluded.iter().copied()).chain(self.assumptions.iter().copied())
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        for stated in &mut self.stated {
            match &mut stated.what {
                What::Term { term, .. } | What::Soft(Soft { formula: term, .. }) => {
                    *term = renaming.of(*term)
                }
            }
        }
        let others = self.excluded.iter_mut().chain(&mut self.assumptions);
        others.for_each(|term| *term = renaming.of(*term));
    }

    /// The objectives with their names, in the order in which they were stated first.
    fn named(&self, pool: &mut Pool) -> Vec<(&str, Objective)> {
        let mut all: Vec<(&str, Objective)> = vec![];
        let mut sums: Vec<&str> = vec![];
        for stated in &self.stated {
            let name = stated.name.as_str();
            match &stated.what {
                What::Term { term, sense, is_signed } => {
                    let objective = Objective::of(pool, *term, *sense, *is_signed);
                    all.push((name, objective.expect("the reader has taken words and floats alone")));
                }
                What::Soft(_) if sums.contains(&name) => {}
                What::Soft(_) => {
                    sums.push(name);
                    let of_name = self.stated.iter().filter(|other| other.name == name);
                    let softs: Vec<Soft> = of_name
                        .filter_map(|other| match &other.what {
                            What::Soft(soft) => Some(soft.clone()),
                            What::Term { .. } => None,
                        })
                        .collect();
                    all.push((name, Objective::soft(pool, &softs)));
                }
            }
        }
        all
    }

    /// The reply to `(get-objectives)` after a check with this answer.
    pub(crate) fn reply(&self, last: Option<CheckResult>) -> Option<Reply> {
        if !self.stated.is_empty() && (last.is_none() || self.ranges.is_empty()) {
            return None;
        }
        let mut sums: Vec<&str> = vec![];
        let mut text = String::from("(objectives\n");
        let mut ranges = self.ranges.iter();
        for stated in &self.stated {
            let name = match stated.what {
                What::Term { .. } => stated.name.clone(),
                What::Soft(_) if sums.contains(&stated.name.as_str()) => continue,
                What::Soft(_) => {
                    sums.push(&stated.name);
                    if stated.name.is_empty() {
                        String::new()
                    } else {
                        print::symbol(&stated.name).into_owned()
                    }
                }
            };
            let Some(range) = ranges.next() else { break };
            text.push_str(&format!(" ({name} {range})\n"));
        }
        Some(Reply::Evidence(Evidence::Objectives, text + ")"))
    }
}

impl Session {
    /// The answer of a check while there are objectives.
    pub(crate) fn check_optimising(&mut self, assumptions: &[Term]) -> Result<CheckResult, CheckError> {
        self.objectives.ranges.clear();
        if self.objectives.assumptions != assumptions {
            self.objectives.excluded.clear();
            self.objectives.assumptions = assumptions.to_vec();
        }
        let is_first = self.objectives.excluded.is_empty();
        if self.certification().is_some() && is_first {
            let answer = self.check_certifying(assumptions)?;
            if answer != CheckResult::Sat {
                return Ok(answer);
            }
        }
        let is_certified = self.certification().is_some();
        let mut excluded = std::mem::take(&mut self.objectives.excluded);
        let Session { solver, pool, objectives, options, .. } = self;
        let all: Vec<Objective> =
            objectives.named(pool).into_iter().map(|(_, objective)| objective).collect();
        let optimiser = Optimiser::new(solver, pool);
        let optimiser = if is_certified { optimiser.stating_claims() } else { optimiser };
        let found = match options.priority {
            Priority::Pareto => optimiser.next_pareto(&all, assumptions, &mut excluded)?,
            priority => optimiser.optimise(&all, priority, assumptions)?,
        };
        if found.answer == CheckResult::Unsat {
            // The next check begins with the first of them again.
            excluded.clear();
        }
        self.objectives.excluded = excluded;
        if is_certified
            && !matches!(found.answer, CheckResult::Unknown(_))
            && !self.certify(found.claims.iter().map(|claim| [self.solver.assertions(), claim].concat()))
        {
            return Ok(CheckResult::Unknown(UNCERTIFIED));
        }
        let is_missing = self.missing().is_some();
        if found.answer == CheckResult::Unsat && !is_first && is_missing {
            return Ok(CheckResult::Unknown(Why::Incomplete("an assertion was refused")));
        }
        if !is_missing {
            self.objectives.ranges = found.ranges;
        }
        Ok(found.answer)
    }

    /// Whether each of these sets of formulas has a certificate that it has no model, if such are required.
    pub(crate) fn certify(&self, questions: impl IntoIterator<Item = Vec<Term>>) -> bool {
        let is_required = self.certification().is_some_and(|certification| certification.is_required());
        let stop = self.solver.stop_handle();
        !is_required
            || questions.into_iter().all(|question| {
                let certificate = Certificate::of(&self.pool, &question, Form::Binary, &stop);
                certificate.is_ok_and(|Certificate { script, steps }| {
                    let verified = bivalve_checker::check::check(&script, &steps[..]);
                    verified.is_ok_and(|verified| verified.unsatisfiable == [0])
                })
            })
    }
}
