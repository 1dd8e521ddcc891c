//! Any text through reader and solver, as a session of the command line would do it.
//!
//! The binary cannot be called from here, so this is its session once more without output, limits of time and
//! options of scripts: commands are read one by one and carried out, whatever is refused is counted and the
//! next command is read. What is said of answers where something was refused follows the same two rules: a
//! formula missing leaves only `unsat` to be said, a stack unknown nothing. Models and values are printed and
//! dropped, because printing them can fail as well as finding them.
//!
//! What counts as a finding here is a failed self-check or a refusal without a place. Panics, hangs and
//! memory are for the caller to see, who also hands in what is to be done with the flag that stops each new
//! solver.

use crate::{settings, switch};
use bivalve::{AssertError, CheckResult, Settings, Solver, Stop};
use bivalve_formats::smtlib::{BitVecFormat, Command, Parser, ParserOptions, print};
use bivalve_formats::{Diagnostic, DiagnosticKind};
use bivalve_terms::Pool;

/// What a script came to.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Transcript {
    /// Is it satisfiable, for each `check-sat` that was carried out; `None` is unknown.
    pub answers: Vec<Option<bool>>,
    /// Commands that were read and known.
    pub commands: u64,
    /// Commands that were refused, by the reader or by the solver.
    pub refusals: u64,
}

/// The numbers that keep broken input from being expensive input: conflicts and gates of one check. Without
/// rewriting nothing is probed either, so that circuits are built.
pub fn small_budget(sat: &str, rewrite_level: u8) -> Settings {
    settings(&[
        ("sat", sat),
        ("rewrite-level", &rewrite_level.to_string()),
        ("rewrite-from", "0"),
        ("probe", switch(rewrite_level > 0)),
        ("conflict-limit", "200"),
        ("gate-limit", "2000000"),
    ])
}

/// A session in progress.
struct Drive<'a> {
    settings: &'a Settings,
    started: &'a mut dyn FnMut(&Stop),
    pool: Pool,
    solver: Solver,
    /// A formula is missing; the stack is unknown.
    doubts: (bool, bool),
    transcript: Transcript,
}

/// Runs a script. `started` gets the stop flag of each solver before it is used.
///
/// # Errors
/// A sentence on what must not happen: a failed self-check, a refusal without a place.
pub fn drive(
    text: &[u8],
    settings: &Settings,
    options: ParserOptions,
    started: &mut dyn FnMut(&Stop),
) -> Result<Transcript, String> {
    let mut parser = Parser::new(text, "broken.smt2", options);
    let solver = Solver::new(settings.clone());
    started(&solver.stop_handle());
    let (pool, transcript) = (Pool::new(), Transcript::default());
    let mut drive = Drive { settings, started, pool, solver, doubts: (false, false), transcript };
    loop {
        match parser.next_command(&mut drive.pool) {
            Ok(None) => return Ok(drive.transcript),
            Ok(Some(Command::Exit)) => return Ok(drive.transcript),
            Ok(Some(command)) => {
                drive.transcript.commands += 1;
                drive.carry_out(command, &mut parser)?;
            }
            Err(diagnostic) => drive.refused(&diagnostic, text.len())?,
        }
    }
}

impl Drive<'_> {
    fn refused(&mut self, diagnostic: &Diagnostic, length: usize) -> Result<(), String> {
        self.transcript.refusals += 1;
        self.doubts.0 |= diagnostic.kind == DiagnosticKind::Unsupported;
        let (line, column, span) = (diagnostic.line, diagnostic.column, &diagnostic.span);
        let located = line >= 1 && column >= 1 && span.start <= span.end && span.end <= length as u64 + 1;
        match located && !diagnostic.render().is_empty() {
            true => Ok(()),
            false => Err(format!("a refusal without a place: {diagnostic:?}")),
        }
    }

    fn carry_out(&mut self, command: Command, parser: &mut Parser<&[u8]>) -> Result<(), String> {
        match command {
            Command::Assert { term, .. } => match self.solver.assert(&self.pool, term) {
                Ok(()) => {}
                Err(AssertError::Unsupported(_)) => {
                    self.doubts.0 = true;
                    self.transcript.refusals += 1;
                }
                Err(AssertError::NotBoolean) => self.transcript.refusals += 1,
            },
            Command::CheckSat => self.check(parser)?,
            Command::GetValue(terms) => {
                if let Some(model) = self.solver.model() {
                    let printer = print::Values::new(&self.pool, BitVecFormat::Binary);
                    for (_, term) in terms {
                        let _ = printer.value(self.pool.sort(term), &model.value(&self.pool, term));
                    }
                }
            }
            Command::GetAssertions => {
                for &assertion in self.solver.assertions() {
                    let _ = print::term(&self.pool, assertion);
                }
            }
            Command::SetOption { keyword, value: Some(value) } if keyword == ":global-declarations" => {
                parser.symbols_mut().set_global_declarations(value.as_bool() == Some(true));
            }
            Command::Push(_) | Command::Pop(_) => self.doubts.1 = true,
            Command::Reset => {
                parser.symbols_mut().reset();
                self.pool = Pool::new();
                self.start_over();
            }
            Command::ResetAssertions => {
                parser.symbols_mut().reset_assertions();
                self.start_over();
            }
            other => {
                let _ = print::command(&self.pool, &other);
            }
        }
        Ok(())
    }

    fn start_over(&mut self) {
        self.solver = Solver::new(self.settings.clone());
        (self.started)(&self.solver.stop_handle());
        self.doubts = (false, false);
    }

    fn check(&mut self, parser: &Parser<&[u8]>) -> Result<(), String> {
        let answer = match self.solver.check(&mut self.pool).map_err(|fault| fault.to_string())? {
            CheckResult::Sat => Some(true),
            CheckResult::Unsat => Some(false),
            CheckResult::Unknown(_) => None,
        };
        if let Some(model) = self.solver.model() {
            let printer = print::Values::new(&self.pool, BitVecFormat::Hexadecimal);
            for &symbol in parser.symbols().declared() {
                let _ = printer.definition(symbol, &model.value(&self.pool, symbol));
            }
        }
        let (formula_missing, stack_unknown) = self.doubts;
        let said = answer.filter(|&sat| !(stack_unknown || sat && formula_missing));
        self.transcript.answers.push(said);
        Ok(())
    }
}
