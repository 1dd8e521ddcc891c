//! Commands that change nothing: models, values, cores, assumptions, assertions, infos and options.
//!
//! Terms that a client sent are repeated as they were sent, byte by byte, because clients find them by their
//! text.

use crate::frontend::Frontend;
use crate::monitor::Monitor;
use crate::objectives;
use crate::reply::{Evidence, Reply};
use crate::session::Session;
use bivalve::terms::{Sort, Term, Value, eval, is_enumerable};
use bivalve::{CheckResult, Model};
use bivalve_formats::smtlib::{Command, Symbols, print};
use std::borrow::Cow;

/// What `get-info` tells.
pub const INFO_KEYWORDS: &[&str] = &[
    ":all-statistics",
    ":assertion-stack-levels",
    ":authors",
    ":error-behavior",
    ":instances",
    ":name",
    ":reason-unknown",
    ":version",
];

impl Session {
    /// Answers a query.
    pub(crate) fn query(
        &self,
        command: Command,
        symbols: &Symbols,
        monitor: &dyn Monitor,
    ) -> Result<Reply, Reply> {
        let evidence = |kind, text: Option<String>| match text {
            Some(text) => Ok(Reply::Evidence(kind, text)),
            None => Err(self.not_available(kind)),
        };
        match command {
            Command::GetValue(terms) => self
                .known(&terms, symbols)
                .and_then(|()| evidence(Evidence::Values, self.values(&terms, symbols))),
            Command::GetModel => evidence(Evidence::Model, self.definitions(symbols.declared())),
            Command::GetAssignment => evidence(Evidence::Values, self.assignment(symbols.named())),
            Command::GetObjectives => objectives::reply(&self.objectives, self.last)
                .ok_or(())
                .or_else(|()| evidence(Evidence::Objectives, None)),
            Command::GetUnsatCore => evidence(Evidence::Core, self.unsat_core()),
            Command::GetUnsatAssumptions => evidence(Evidence::FailedAssumptions, self.failed_assumptions()),
            Command::GetAssertions if self.config.strict && !self.options.keeps_assertions() => {
                Err(Reply::Error("assertions are not available: set the option :produce-assertions".into()))
            }
            Command::GetAssertions => Ok(Reply::Info(self.assertions())),
            Command::GetInfo(keyword) => self.info(&keyword, monitor).map(Reply::Info),
            Command::GetOption(keyword) => {
                self.options.get(&keyword).map(Reply::Info).ok_or(Reply::Unsupported)
            }
            Command::Echo(text) => Ok(Reply::Info(print::string(&text))),
            _ => unreachable!("no other command is a query"),
        }
    }

    /// The model of the last check, as `get-model` prints it, if there is one.
    pub fn printed_model(&self, input: &dyn Frontend) -> Option<String> {
        self.definitions(input.symbols().declared())
    }

    fn model(&self) -> Option<&Model> {
        self.solver.model().filter(|_| self.last == Some(CheckResult::Sat))
    }

    /// Refuses terms with quantified formulas whose values the model does not have.
    fn known(&self, terms: &[(String, Term)], symbols: &Symbols) -> Result<(), Reply> {
        let Some(model) = self.model() else { return Ok(()) };
        // Beside elements of a model, terms are evaluated once more.
        let has_elements = symbols.elements().next().is_some();
        let is_known = |term| match has_elements {
            true => is_enumerable(&self.pool, term),
            false => model.knows(&self.pool, term),
        };
        let Some((text, _)) = terms.iter().find(|&&(_, term)| !is_known(term)) else { return Ok(()) };
        Err(Reply::Error(format!("the value of a quantified formula is not known: {text}")))
    }

    fn values(&self, terms: &[(String, Term)], symbols: &Symbols) -> Option<String> {
        let model = self.model()?;
        let mut assignment = Cow::Borrowed(model.assignment());
        for (symbol, element) in symbols.elements() {
            assignment.to_mut().set(symbol, element);
        }
        let value = |term: Term| match &assignment {
            Cow::Borrowed(_) => model.value(&self.pool, term),
            Cow::Owned(assignment) => eval(&self.pool, term, assignment),
        };
        let pair = |(text, term): &(String, Term)| format!("({text} {})", self.value(&value, *term));
        Some(format!("({})", terms.iter().map(pair).collect::<Vec<_>>().join("\n ")))
    }

    fn value(&self, value: &dyn Fn(Term) -> Value, term: Term) -> String {
        match value(term) {
            Value::Function(function) => {
                self.options.function_value(&self.pool, self.pool.sort(term), &function)
            }
            value => self.options.printer(&self.pool).value(self.pool.sort(term), &value),
        }
    }

    fn definitions(&self, declared: &[Term]) -> Option<String> {
        let model = self.model()?;
        let value = |&symbol: &Term| (symbol, model.value(&self.pool, symbol));
        Some(self.options.model(&self.pool, &declared.iter().map(value).collect::<Vec<_>>()))
    }

    /// The values of Boolean terms that have names.
    fn assignment<'n>(&self, named: impl Iterator<Item = (&'n str, Term)>) -> Option<String> {
        let model = self.model()?;
        let booleans = named.filter(|&(_, term)| self.pool.sort(term) == Sort::BOOL);
        // What the check did not need has no value.
        let pairs = booleans.filter(|&(_, term)| model.knows(&self.pool, term)).map(|(name, term)| {
            let value = model.value(&self.pool, term).expect_bool();
            format!("({} {value})", print::symbol(name))
        });
        Some(format!("({})", pairs.collect::<Vec<_>>().join(" ")))
    }

    fn assertions(&self) -> String {
        let texts = self.solver.assertions().iter().map(|&term| print::term(&self.pool, term));
        format!("({})", texts.collect::<Vec<_>>().join("\n "))
    }

    fn unsat_core(&self) -> Option<String> {
        let core = self.solver.unsat_core().filter(|_| self.options.unsat_cores() && self.is_unsat());
        let names = core?.iter().map(|&number| print::symbol(&self.names[number]));
        Some(format!("({})", names.collect::<Vec<_>>().join(" ")))
    }

    fn failed_assumptions(&self) -> Option<String> {
        let failed = self.solver.unsat_assumptions().filter(|_| self.is_unsat());
        // What excludes Pareto-optimal values that were found is assumed, too; the script has no name for it.
        let texts = failed?.iter().filter_map(|&position| Some(self.assumptions.get(position)?.as_str()));
        Some(format!("({})", texts.collect::<Vec<_>>().join(" ")))
    }

    /// The reply to a query about the last check that has no answer.
    pub(crate) fn not_available(&self, kind: Evidence) -> Reply {
        let reason = match (kind, self.last) {
            (Evidence::Core, _) if !self.options.unsat_cores() => {
                "set the option :produce-unsat-cores before assertions have names".to_owned()
            }
            (Evidence::Proof, _) if !self.options.proofs() => "set the option :produce-proofs".to_owned(),
            (_, None) => "there is no answer of check-sat at this point".to_owned(),
            (_, Some(CheckResult::Sat)) => "the last answer was sat".to_owned(),
            (_, Some(CheckResult::Unsat)) => "the last answer was unsat".to_owned(),
            (_, Some(CheckResult::Unknown(why))) => {
                format!("the last answer was unknown ({})", why.word())
            }
        };
        Reply::NotAvailable(kind, format!("{}: {reason}", kind.missing()))
    }

    pub(crate) fn is_unsat(&self) -> bool {
        self.last == Some(CheckResult::Unsat)
    }

    fn info(&self, keyword: &str, monitor: &dyn Monitor) -> Result<String, Reply> {
        let value = match keyword {
            ":name" => print::string("Bivalve"),
            ":version" => print::string(env!("CARGO_PKG_VERSION")),
            ":authors" => print::string(env!("CARGO_PKG_AUTHORS")),
            ":error-behavior" => "continued-execution".into(),
            ":assertion-stack-levels" => self.solver.levels().to_string(),
            ":reason-unknown" => match self.last {
                Some(CheckResult::Unknown(why)) => why.word().into(),
                _ if self.config.strict => {
                    return Err(Reply::Error("the last answer was not unknown".into()));
                }
                // The words of Z3, whose clients ask after every answer.
                Some(CheckResult::Sat) => print::string(""),
                Some(CheckResult::Unsat) => print::string("unknown"),
                None => print::string("state of the most recent check-sat command is not known"),
            },
            ":all-statistics" => return Ok(self.report("", monitor).smtlib()),
            _ => return Err(Reply::Unsupported),
        };
        Ok(format!("({keyword} {value})"))
    }
}

/// Whether a command is a check, or asks for something, and changes no assertion. What it asks may be about
/// a check, which is not there where a script is only read.
pub(crate) fn asks(command: &Command) -> bool {
    matches!(
        command,
        Command::CheckSat
            | Command::CheckSatAssuming(_)
            | Command::GetConsequences { .. }
            | Command::GetAllModels { .. }
            | Command::CountModels(_)
            | Command::GetInterpolants(_)
            | Command::GetValue(_)
            | Command::GetModel
            | Command::GetAssertions
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_)
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetAssignment
            | Command::GetObjectives
            | Command::GetProof
    )
}
