//! The question: what a script asserts at its first check, read anew for each cube.
//!
//! A cube is text, so that it means the same in every process, in the log and to the checker of certificates.
//! It is read where the script's first check stands, by the reader of the script, with the names that are
//! declared there. What is asserted comes first, then what the check assumes, then the cube; certificates
//! count in this order.

use crate::cube::Cube;
use bivalve::terms::{Pool, Term};
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
}

/// The question with a cube, in a solver that has not begun.
pub struct Opened {
    session: Session,
    /// The symbols that the script declares.
    pub declared: Vec<Term>,
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
        let mut problem = Problem { end: text.len(), name: name.to_owned(), text, settings, key };
        let (mut opened, end) = problem.opened(&Cube::default())?;
        problem.end = end;
        let (solver, pool) = opened.solver();
        if solver.is_quantified(pool, &[]) {
            let why = "expected formulas without quantifiers, found some that are quantified";
            return Err(Fault::Script(format!("{name}: {why}: they are not split")));
        }
        Ok(problem)
    }

    /// A hash of the text and of the settings.
    pub fn key(&self) -> &Key {
        &self.key
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
        let mut session = Session::new(Config { options, compact_from: usize::MAX, ..Config::default() });
        let refused = |diagnostic| Fault::Refused(Box::new(diagnostic));
        let mut assumed = vec![];
        loop {
            match session.read(&mut parser, &NoMonitor).map_err(refused)? {
                Some(Command::CheckSat) => break,
                Some(Command::CheckSatAssuming(assumptions)) => {
                    assumed.extend(assumptions);
                    break;
                }
                None | Some(Command::Exit) => {
                    let (line, column) = parser.location();
                    let found = "expected a (check-sat), found the end of the script";
                    return Err(Fault::Script(format!("{}:{line}:{column}: {found}", self.name)));
                }
                // Options are those of the command line.
                Some(Command::SetOption { keyword, .. }) if keyword != ":global-declarations" => {}
                Some(command) => {
                    let is_about_assertions = changes_assertions(&command);
                    let reply = session.carry_out(command, &mut parser, &mut NoMonitor);
                    if let Some(problem) = reply.error().filter(|_| is_about_assertions) {
                        return Err(Fault::Script(problem.into_owned()));
                    }
                }
            }
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
        Ok((Opened { session, declared }, end))
    }
}

/// Whether the command is about the assertions. Errors of others, such as an unknown logic, do not matter.
fn changes_assertions(command: &Command) -> bool {
    matches!(command, Command::Assert { .. } | Command::Push(_) | Command::Pop(_) | Command::SetOption { .. })
}
