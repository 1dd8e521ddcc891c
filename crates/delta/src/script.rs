//! A script as it is reduced: commands over the terms of one pool.
//!
//! What a reader expands is gone (`let`, `define-fun`, `define-sort`), and so is what only describes
//! (`set-info`) or follows from the rest: a script has no declarations, because its printer declares what is
//! used. What is left is a list of [`Step`]s, and every term in them is a *root*: edits of terms map the list
//! of roots to a list of as many.
//!
//! Labels inside of assertions are names for terms and are expanded; a label of a whole assertion is kept,
//! because cores are made of it. Levels are opened and closed one by one, so that each can go alone; only
//! where a script opens very many at once they stay together.
//!
//! A script that the reader refuses in any command, or whose definitions stand for too many terms, has no
//! typed form: reading returns the refusal, and the reduction goes on with text (see `textual`).

use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::{Command, MOST_TERMS, Parser, ParserOptions, few_terms, print};
use bivalve_terms::{Pool, Term, Theory, cone};

/// More levels than these in one command are kept together.
const MANY_LEVELS: u32 = 8;

/// A command that a failure may need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// `assert`, with the attributes that are labels and groups of the whole formula.
    Assert { term: Term, labels: Vec<String> },
    /// `check-sat` if there are no assumptions, else `check-sat-assuming`.
    Check { assumptions: Vec<Term> },
    /// `get-value`, of at least one term.
    Values { terms: Vec<Term> },
    /// `push`.
    Push(u32),
    /// `pop`.
    Pop(u32),
    /// `reset`.
    Reset,
    /// `reset-assertions`.
    ResetAssertions,
    /// `set-option` and `set-logic` as they are written: they stand before declarations.
    Setting(String),
    /// A command without terms as it is written.
    Other(String),
}

/// Commands in order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
}

impl Step {
    /// The terms of a step.
    pub(crate) fn terms(&self) -> &[Term] {
        match self {
            Step::Assert { term, .. } => std::slice::from_ref(term),
            Step::Check { assumptions: terms } | Step::Values { terms } => terms,
            Step::Push(_)
            | Step::Pop(_)
            | Step::Reset
            | Step::ResetAssertions
            | Step::Setting(_)
            | Step::Other(_) => &[],
        }
    }

    /// The terms of a step, to be changed.
    fn terms_mut(&mut self) -> &mut [Term] {
        match self {
            Step::Assert { term, .. } => std::slice::from_mut(term),
            Step::Check { assumptions: terms } | Step::Values { terms } => terms,
            Step::Push(_)
            | Step::Pop(_)
            | Step::Reset
            | Step::ResetAssertions
            | Step::Setting(_)
            | Step::Other(_) => &mut [],
        }
    }
}

impl Script {
    /// Reads a script. `name` is its name in refusals. Terms of theories that are lowered are read as their
    /// images, but for floating point and quantified formulas, which are reduced as they were written.
    pub(crate) fn read(pool: &mut Pool, text: &[u8], name: &str) -> Result<Script, Diagnostic> {
        let written = |parser: &mut Parser<_>, pool: &mut Pool, terms: &mut u64| {
            parser.next_written_command(pool, &mut few_terms(MOST_TERMS, terms))
        };
        let mut scratch = Pool::new();
        let is_kept = Script::read_by(&mut scratch, text, name, written).is_ok_and(|script| {
            let is_kept = |&term: &Term| {
                matches!(scratch.op(term).info().theory, Theory::Floats | Theory::Quantifiers)
                    || scratch.float_format(term).is_some()
            };
            let has_some = scratch.has_lowered() || scratch.has_binders();
            has_some && cone(&scratch, &script.roots()).iter().any(is_kept)
        });
        if is_kept {
            Script::read_by(pool, text, name, written)
        } else {
            Script::read_by(pool, text, name, |parser, pool, _| parser.next_command(pool))
        }
    }

    fn read_by<'a>(
        pool: &mut Pool,
        text: &'a [u8],
        name: &str,
        next: impl Fn(&mut Parser<&'a [u8]>, &mut Pool, &mut u64) -> Result<Option<Command>, Diagnostic>,
    ) -> Result<Script, Diagnostic> {
        let mut parser = Parser::new(text, name, ParserOptions::default());
        let (mut script, mut terms) = (Script::default(), 0);
        while let Some(command) = next(&mut parser, pool, &mut terms)? {
            // A script may fail because it pops too much; names stay the same then.
            parser.symbols_mut().follow(&command);
            if script.take(pool, command) {
                break;
            }
        }
        Ok(script)
    }

    /// Adds a command; true if it was the last.
    fn take(&mut self, pool: &Pool, command: Command) -> bool {
        let levels = |levels: u32, step: fn(u32) -> Step| match levels {
            0..=MANY_LEVELS => vec![step(1); levels as usize],
            _ => vec![step(levels)],
        };
        let ends = command == Command::Exit;
        let terms = |terms: Vec<(String, Term)>| terms.into_iter().map(|(_, term)| term).collect();
        self.steps.extend(match command {
            Command::SetInfo { .. }
            | Command::DeclareSort { .. }
            | Command::DeclareDataTypes { .. }
            | Command::DefineSort { .. }
            | Command::DeclareConst { .. }
            | Command::DeclareFun { .. }
            | Command::DefineFun { .. }
            | Command::DefineConst { .. }
            | Command::PassedOver(_) => vec![],
            Command::Assert { term, named, groups } => {
                let whole = named.iter().filter(|&&(_, inner)| inner == term);
                let labels = whole.map(|(name, _)| format!(":named {}", print::symbol(name)));
                let groups =
                    groups.iter().map(|name| format!(":interpolation-group {}", print::symbol(name)));
                vec![Step::Assert { term, labels: labels.chain(groups).collect() }]
            }
            Command::CheckSat => vec![Step::Check { assumptions: vec![] }],
            Command::CheckSatAssuming(list) => vec![Step::Check { assumptions: terms(list) }],
            Command::GetValue(list) => vec![Step::Values { terms: terms(list) }],
            Command::Push(count) => levels(count, Step::Push),
            Command::Pop(count) => levels(count, Step::Pop),
            Command::Reset => vec![Step::Reset],
            Command::ResetAssertions => vec![Step::ResetAssertions],
            Command::SetLogic(_) | Command::SetOption { .. } => {
                vec![Step::Setting(print::command(pool, &command))]
            }
            Command::GetModel
            | Command::GetAssertions
            | Command::GetAssignment
            | Command::GetProof
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetConsequences { .. }
            | Command::Optimise { .. }
            | Command::AssertSoft { .. }
            | Command::GetInterpolants(_)
            | Command::GetObjectives
            | Command::GetAllModels { .. }
            | Command::CountModels(_)
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_)
            | Command::Exit
            | Command::Unsupported { .. } => vec![Step::Other(print::command(pool, &command))],
        });
        ends
    }

    /// All terms of all steps, in order.
    pub(crate) fn roots(&self) -> Vec<Term> {
        self.steps.iter().flat_map(Step::terms).copied().collect()
    }

    /// The script with other terms in the places of [`Script::roots`].
    pub(crate) fn with_roots(&self, roots: &[Term]) -> Script {
        let mut script = self.clone();
        let places = script.steps.iter_mut().flat_map(Step::terms_mut);
        let mut filled = 0;
        for (place, &root) in places.zip(roots) {
            *place = root;
            filled += 1;
        }
        assert_eq!(filled, roots.len(), "internal: a script has as many roots as before");
        script
    }
}
