//! The question: what a script asserts at its first check, read anew for each cube.
//!
//! A cube is text, so that it means the same in every process, in the log and to the checker of certificates.
//! It is read where the script's first check stands, by the reader of the script, with the names that are
//! declared there. What is asserted comes first, then what the check assumes, then the cube; certificates
//! count in this order.

use crate::cube::Cube;
use crate::optimum::Goal;
use bivalve::terms::{Pool, Term, print};
use bivalve::{Settings, Solver};
use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_harness::Key;
use bivalve_session::{Config, NoMonitor, Options, Session};
use std::io::Read;

/// Why a script cannot be split and solved.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A command cannot be read.
    #[error("{0}")]
    Refused(Box<Diagnostic>),
    /// Something in the script is missing or not supported; the sentence has its place.
    #[error("{0}")]
    Script(String),
    /// A self-check of the solver failed.
    #[error("internal: {0}")]
    Internal(String),
}

/// A script, up to its first check.
#[derive(Clone, Debug)]
pub struct Problem {
    text: String,
    name: String,
    /// Where the first check ends.
    end: usize,
    settings: Settings,
    key: Key,
    goals: Vec<Goal>,
}

/// The question with a cube, in a solver that has not begun.
pub struct Opened {
    session: Session,
    /// The symbols that the script declares.
    pub declared: Vec<Term>,
    /// The objectives of the script, with their terms.
    pub goals: Vec<(Goal, Term)>,
}

impl Opened {
    /// The solver with its terms.
    pub fn solver(&mut self) -> (&mut Solver, &mut Pool) {
        self.session.solver_mut()
    }
}

impl Problem {
    /// Reads a script; `name` is what messages call it. Solvers have these settings.
    ///
    /// # Errors
    ///
    /// When a command up to the first check is refused, or there is no check, or a formula is quantified.
    pub fn read(text: String, name: &str, settings: Settings) -> Result<Problem, Fault> {
        let values = bivalve::OPTIONS.iter().filter_map(|row| settings.get(row.name).ok());
        let key = Key::of([text.clone()].into_iter().chain(values));
        let (end, name, goals) = (text.len(), name.to_owned(), vec![]);
        let mut problem = Problem { end, name, text, settings, key, goals };
        let (mut opened, end) = problem.opened(&Cube::default())?;
        problem.end = end;
        problem.goals = opened.goals.iter().map(|(goal, _)| goal.clone()).collect();
        let (solver, pool) = opened.solver();
        if solver.is_quantified(pool, &[]) {
            let why = "expected formulas without quantifiers, found some that are quantified";
            return Err(Fault::Script(format!("{}: {why}: they are not split", problem.name)));
        }
        Ok(problem)
    }

    /// A hash of the text and of the settings.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// What is to be minimised or maximised, the most important first.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The settings of solvers.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What is asserted and assumed at the first check, and the cube, asserted in a new solver.
    ///
    /// # Errors
    ///
    /// When the cube cannot be read.
    pub fn open(&self, cube: &Cube) -> Result<Opened, Fault> {
        self.opened(cube).map(|(opened, _)| opened)
    }

    fn opened(&self, cube: &Cube) -> Result<(Opened, usize), Fault> {
        let more = if cube.0.is_empty() { String::new() } else { format!("\n(check-sat-assuming ({cube}))") };
        let input = self.text.as_bytes()[..self.end].chain(more.as_bytes());
        let mut parser = Parser::new(input, &self.name, ParserOptions::default());
        let options = Options::new(self.settings.clone());
        // Terms are kept by their numbers here.
        let config = Config { options, compact_from: usize::MAX, most_terms: u64::MAX, ..Config::default() };
        let mut session = Session::new(config);
        let refused = |diagnostic| Fault::Refused(Box::new(diagnostic));
        let (mut assumed, mut goals, mut is_lex) = (vec![], vec![], true);
        let here = |parser: &Parser<_>, what: &str| {
            let (line, column) = parser.location();
            Fault::Script(format!("{}:{line}:{column}: {what}", self.name))
        };
        loop {
            match session.read(&mut parser, &NoMonitor).map_err(refused)? {
                Some(Command::CheckSat) => break,
                Some(Command::CheckSatAssuming(assumptions)) => {
                    assumed.extend(assumptions);
                    break;
                }
                None | Some(Command::Exit) => {
                    return Err(here(&parser, "expected a (check-sat), found the end of the script"));
                }
                Some(Command::SetOption { keyword, value }) if keyword == ":opt.priority" => {
                    is_lex = value.is_none_or(|value| value.text() == "lex");
                }
                // Other options are those of the command line.
                Some(Command::SetOption { keyword, .. }) if keyword != ":global-declarations" => {}
                Some(Command::AssertSoft { .. }) => {
                    return Err(here(
                        &parser,
                        "expected an objective that is a word, found a soft constraint",
                    ));
                }
                Some(command) => {
                    let is_about_assertions = changes_assertions(&command);
                    let (solver, pool) = session.solver_mut();
                    if let Command::Optimise { term: (text, term), maximise, is_signed, id } = &command {
                        let Some(width) = pool.width(*term) else {
                            return Err(here(&parser, "expected an objective that is a word, found a float"));
                        };
                        let name = id.clone().unwrap_or_else(|| text.clone());
                        let (maximise, is_signed) = (*maximise, *is_signed);
                        // Names that are given in the text are given.
                        let text = print::term(pool, *term);
                        let goal = Goal { text, name, width, maximise, is_signed };
                        goals.push((solver.levels(), (goal, *term)));
                    }
                    if matches!(command, Command::Reset | Command::ResetAssertions) {
                        goals.clear();
                    }
                    let reply = session.carry_out(command, &mut parser, &mut NoMonitor);
                    if let Some(problem) = reply.error().filter(|_| is_about_assertions) {
                        return Err(Fault::Script(problem.into_owned()));
                    }
                    let levels = session.solver_mut().0.levels();
                    goals.retain(|(level, _)| *level <= levels);
                }
            }
        }
        if goals.len() > 1 && !is_lex {
            return Err(here(&parser, "expected one objective after another (lex), found another priority"));
        }
        let end = usize::try_from(parser.position()).unwrap_or(self.text.len());
        if !cube.0.is_empty() {
            match session.read(&mut parser, &NoMonitor).map_err(refused)? {
                Some(Command::CheckSatAssuming(literals)) if literals.len() == cube.0.len() => {
                    assumed.extend(literals);
                }
                _ => return Err(Fault::Script(format!("{}: expected a cube, found {cube}", self.name))),
            }
        }
        let declared = parser.symbols().declared().to_vec();
        let (solver, pool) = session.solver_mut();
        for (text, term) in assumed {
            let asserted = solver.assert(pool, term);
            asserted.map_err(|why| Fault::Script(format!("{}: {text}: {why}", self.name)))?;
        }
        let goals = goals.into_iter().map(|(_, goal)| goal).collect();
        Ok((Opened { session, declared, goals }, end))
    }
}

/// Whether the command is about the assertions. Errors of others, such as an unknown logic, do not matter.
fn changes_assertions(command: &Command) -> bool {
    matches!(command, Command::Assert { .. } | Command::Push(_) | Command::Pop(_) | Command::SetOption { .. })
}
