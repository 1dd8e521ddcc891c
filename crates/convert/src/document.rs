//! What was read, and which printer writes it.

use crate::aiger::{self, Refusal};
use crate::dot;
use crate::format::Format;
use crate::unroll::unrolled;
use bivalve_bitblast::{AigerFormat, BlastError};
use bivalve_formats::smtlib::print::{Script, standard, write_script};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_formats::{Diagnostic, Inexpressible, Problem, btor, btor2, cvc, read_system, smtlib1};
use bivalve_lowering::Lowering;
use bivalve_rewrite::{Level, Rewriter};
use bivalve_systems::{Output, System};
use bivalve_terms::{Op, Pool, Term, TermSet, cone};
use thiserror::Error;

/// Why something was not converted.
#[derive(Error, Debug)]
pub enum ConvertError {
    /// The text has a fault.
    #[error("{0}")]
    Read(#[from] Diagnostic),
    /// The format cannot express it.
    #[error("{0}")]
    Inexpressible(#[from] Inexpressible),
    /// The format is only written.
    #[error("{0} is not read")]
    Written(Format),
    /// A script goes on behind what can be converted.
    #[error("{0}")]
    Script(String),
    /// A justice property has no bound.
    #[error("a justice property speaks of runs without end, so there is no formula of so many frames")]
    Justice,
    /// The circuits are too large.
    #[error("{0}")]
    Blast(#[from] BlastError),
}

/// A formula or a transition system, with its terms.
pub struct Document {
    pool: Pool,
    system: System,
    /// Whether its named terms are states of frames.
    is_unrolled: bool,
    left_out: usize,
    /// What symbols were that are words now, a sentence each.
    meanings: Vec<String>,
}

impl Document {
    /// A system over terms of this pool.
    pub fn of(pool: Pool, system: System) -> Document {
        Document { pool, system, is_unrolled: false, left_out: 0, meanings: vec![] }
    }

    /// Reads a text. Messages call it `file`. Of a script the assertions of its first check are read, or
    /// those at its end if it has no check.
    ///
    /// # Errors
    ///
    /// The first fault of the text; a format that is not read.
    pub fn read(format: Format, text: &[u8], file: &str) -> Result<Document, ConvertError> {
        let mut pool = Pool::new();
        let options = ParserOptions::default();
        let (mut left_out, mut meanings) = (0, vec![]);
        let system = match format.language() {
            None if format == Format::SmtLib2 => {
                let (words, checks) = script(&mut pool, text, file, options)?;
                left_out = checks.saturating_sub(1);
                meanings = words.meanings;
                System::of_assertions(&pool, words.symbols, words.assertions)
            }
            None => return Err(ConvertError::Written(format)),
            Some(language) => match read_system(&mut pool, language, text, file, options, &|| None) {
                Some(system) => system?,
                None => {
                    let problem = Problem::read(&mut pool, language, text, file, options)?;
                    let assertions = first_question(&problem.commands);
                    let checks = problem.commands.iter().filter(|command| is_check(command)).count();
                    left_out = checks.saturating_sub(1);
                    System::of_assertions(&pool, problem.symbols, assertions)
                }
            },
        };
        Ok(Document { pool, system, is_unrolled: false, left_out, meanings })
    }

    /// How many checks the text has behind the first, which are not in the document. What is behind a fault
    /// of the text is not counted.
    pub fn checks_left_out(&self) -> usize {
        self.left_out
    }

    /// The system; a formula is one without states, whose constraints are the assertions.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The terms of the system.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Rewrites every term to its normal form by local rules.
    pub fn simplify(&mut self) {
        let mut rewriter = Rewriter::new(Level::Local);
        let pool = &mut self.pool;
        self.system.map_terms(|term| rewriter.rewrite(pool, term));
        // Names of inner terms are names of other terms now. What states are worth is still that.
        if !self.is_unrolled {
            self.system.named.clear();
        }
    }

    /// Makes the formula of the first `frames` frames of the system: does one of them have a bad state, in a
    /// run on which all constraints hold up to there? Symbols and states are called `name@frame`.
    ///
    /// # Errors
    ///
    /// When there are justice properties, which speak of runs without end.
    pub fn unroll(&mut self, frames: usize) -> Result<(), ConvertError> {
        if !self.system.justices.is_empty() {
            return Err(ConvertError::Justice);
        }
        self.system = unrolled(&mut self.pool, &self.system, frames);
        self.is_unrolled = true;
        Ok(())
    }

    /// The text in a format.
    ///
    /// # Errors
    ///
    /// When the format cannot express it, or is not written.
    pub fn print(mut self, format: Format) -> Result<Vec<u8>, ConvertError> {
        let meanings = std::mem::take(&mut self.meanings);
        let text = self.printed(format)?;
        // The formats in which a comment goes up to the end of its line.
        let has_comments = matches!(format, Format::SmtLib2 | Format::Btor2 | Format::Btor);
        let comments = meanings.iter().filter(|_| has_comments).map(|meaning| format!("; {meaning}\n"));
        Ok([comments.collect::<String>().into_bytes(), text].concat())
    }

    fn printed(mut self, format: Format) -> Result<Vec<u8>, ConvertError> {
        let Document { pool, system, is_unrolled, .. } = &mut self;
        match format {
            Format::SmtLib2 => {
                // Other solvers shall read it, too.
                let assertions = assertions(pool, system, "SMT-LIB 2")?;
                let assertions = standard(pool, &assertions);
                let symbols: Vec<Term> = system.symbols().collect();
                let named = if *is_unrolled { &system.named[..] } else { &[] };
                let defined = defined(pool, named);
                let script = Script {
                    declare: &symbols,
                    defined: &defined,
                    assertions: &assertions,
                    ..Script::default()
                };
                let mut text = vec![];
                write_script(&mut text, pool, &script).expect("writing into memory does not fail");
                Ok(text)
            }
            // A text without lines is in no language.
            Format::Btor2 | Format::Btor if system.roots().is_empty() => {
                let truth = pool.bool(true);
                *system = System::of_assertions(pool, vec![], vec![truth]);
                self.printed(format)
            }
            Format::Btor2 => Ok(btor2::print(pool, system)?.into_bytes()),
            Format::Btor => Ok(btor::print(pool, system)?.into_bytes()),
            Format::AigerAscii | Format::Aiger => {
                let form = if format == Format::Aiger { AigerFormat::Binary } else { AigerFormat::Ascii };
                aiger::print(pool, system, form).map_err(|refusal| match refusal {
                    Refusal::Blast(error) => error.into(),
                    Refusal::Function(name) => {
                        Inexpressible { language: "AIGER", what: format!("functions ('{name}')") }.into()
                    }
                    Refusal::Sort(sort) => {
                        Inexpressible { language: "AIGER", what: format!("the sort {sort}") }.into()
                    }
                    Refusal::Memory(refusal) => {
                        let what = format!("memories that are too large to become registers: {refusal}");
                        Inexpressible { language: "AIGER", what }.into()
                    }
                })
            }
            Format::Dot => Ok(dot::print(pool, system).into_bytes()),
            Format::SmtLib1 => {
                let assertions = assertions(pool, system, "SMT-LIB 1.2")?;
                let symbols: Vec<Term> = system.symbols().collect();
                Ok(smtlib1::print(pool, &symbols, &assertions)?.into_bytes())
            }
            Format::Cvc => {
                let assertions = assertions(pool, system, "CVC")?;
                let symbols: Vec<Term> = system.symbols().collect();
                Ok(cvc::print(pool, &symbols, &assertions)?.into_bytes())
            }
        }
    }
}

/// The assertions of a formula; a transition system is none.
fn assertions(pool: &mut Pool, system: &System, language: &'static str) -> Result<Vec<Term>, Inexpressible> {
    if !system.is_combinational() {
        let what = "a transition system without a bound on its frames (--bound N)".into();
        return Err(Inexpressible { language, what });
    }
    Ok(Problem::of_system(pool, system).assertions())
}

/// Symbols with these names, each with the term that is called so, in operators of the standard.
fn defined(pool: &mut Pool, named: &[Output]) -> Vec<(Term, Term)> {
    let (names, terms): (Vec<&str>, Vec<Term>) =
        named.iter().filter_map(|output| Some((output.name.as_deref()?, output.term))).unzip();
    let terms = standard(pool, &terms);
    names.into_iter().zip(terms).map(|(name, term)| (pool.symbol(name, pool.sort(term)), term)).collect()
}

/// Assertions with the levels they are on.
#[derive(Default)]
struct Asserted {
    terms: Vec<(u64, Term)>,
    level: u64,
}

impl Asserted {
    /// Does what a command does to assertions; `false` if more levels are popped than there are.
    fn follow(&mut self, command: &Command) -> bool {
        match command {
            Command::Assert { term, .. } => self.terms.push((self.level, *term)),
            Command::Push(levels) => self.level += u64::from(*levels),
            Command::Pop(levels) => {
                let Some(left) = self.level.checked_sub(u64::from(*levels)) else { return false };
                self.level = left;
                self.terms.truncate(self.terms.partition_point(|&(level, _)| level <= left));
            }
            _ => {}
        }
        true
    }

    fn in_force(self) -> Vec<Term> {
        self.terms.into_iter().map(|(_, term)| term).collect()
    }
}

/// Whether a command is a check.
fn is_check(command: &Command) -> bool {
    matches!(command, Command::CheckSat | Command::CheckSatAssuming(_))
}

/// The declared symbols of a script, the assertions in force at its first check, or at its end, and the
/// number of its checks.
fn script(
    pool: &mut Pool,
    text: &[u8],
    file: &str,
    options: ParserOptions,
) -> Result<(Words, usize), ConvertError> {
    let mut parser = Parser::new(text, file, options);
    let mut asserted = Asserted::default();
    let mut checks = 0;
    while let Some(command) = parser.next_written_command(pool, &mut |_| None)? {
        let problem = match &command {
            Command::ResetAssertions | Command::Reset => Some("a script that begins anew is not converted"),
            Command::CheckSatAssuming(assumptions) => {
                let level = asserted.level;
                asserted.terms.extend(assumptions.iter().map(|&(_, term)| (level, term)));
                checks = 1;
                break;
            }
            Command::CheckSat => {
                checks = 1;
                break;
            }
            Command::Exit => break,
            command => (!asserted.follow(command)).then_some("more levels are popped than pushed"),
        };
        if let Some(problem) = problem {
            let (line, column) = parser.location();
            return Err(ConvertError::Script(format!("{file}:{line}:{column}: {problem}")));
        }
        parser.symbols_mut().follow(&command);
    }
    let symbols = parser.symbols().declared().to_vec();
    if checks > 0 {
        while let Ok(Some(command)) = parser.next_written_command(pool, &mut |_| None)
            && command != Command::Exit
        {
            parser.symbols_mut().follow(&command);
            checks += usize::from(is_check(&command));
        }
    }
    Ok((lowered(pool, &symbols, &asserted.in_force()), checks))
}

/// A formula over words, arrays and functions.
struct Words {
    symbols: Vec<Term>,
    assertions: Vec<Term>,
    /// What those of its symbols were that stand for others, a sentence each.
    meanings: Vec<String>,
}

/// Floats, integers and records become words: a float has the bits of IEEE 754. What has no image the reader
/// has refused.
fn lowered(pool: &mut Pool, symbols: &[Term], assertions: &[Term]) -> Words {
    let mut lowering = Lowering::new();
    let mut words = Words { symbols: vec![], assertions: vec![], meanings: vec![] };
    words.assertions.extend(assertions.iter().map(|&assertion| lowering.formula(pool, assertion)));
    let mut seen = TermSet::new();
    for &symbol in symbols {
        let image = lowering.image(pool, symbol);
        let parts: Vec<Term> =
            cone(pool, &[image]).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
        for &part in &parts {
            seen.insert(part);
        }
        if image != symbol {
            let names: Vec<String> = parts.iter().map(|&part| pool.display(part).to_string()).collect();
            let sort = pool.sorts().display(pool.sort(symbol));
            words.meanings.push(format!("{} is {sort}, as {}", pool.display(symbol), names.join(", ")));
        }
        words.symbols.extend(parts);
    }
    // What a theory leaves open is a function that no text has declared.
    let roots = words.assertions.clone();
    let open = |&term: &Term| pool.op(term) == Op::Symbol && !seen.contains(term);
    words.symbols.extend(cone(pool, &roots).into_iter().filter(open));
    words
}

/// The assertions in force at the first check, or at the end.
fn first_question(commands: &[Command]) -> Vec<Term> {
    let mut asserted = Asserted::default();
    let before = commands.iter().take_while(|command| !matches!(command, Command::CheckSat));
    before.for_each(|command| _ = asserted.follow(command));
    asserted.in_force()
}
