//! Commands that look and change nothing: models, values, cores, assumptions, assertions, infos and options.
//!
//! What a query asks for is there or it is not; where it is not, the texts `model is not available` and
//! `unsat core is not available` are those that clients look for. Terms that a client sent are repeated as
//! they were sent, byte by byte, because clients find them by their text.

use super::{Refusal, Session, reason};
use bivalve::terms::{Sort, Term};
use bivalve::{CheckResult, Model};
use bivalve_formats::smtlib::{Command, Parser, print};
use std::io::{Read, Write};

impl<W: Write> Session<'_, W> {
    /// Answers a query.
    pub(super) fn query<R: Read>(&mut self, command: Command, parser: &Parser<R>) -> Result<(), Refusal> {
        let symbols = parser.symbols();
        let text = match command {
            Command::GetValue(terms) => self.get_value(&terms)?,
            Command::GetModel => self.get_model(symbols.declared())?,
            Command::GetAssignment => self.get_assignment(symbols.named())?,
            Command::GetAssertions => self.get_assertions(),
            Command::GetUnsatCore => self.get_unsat_core()?,
            Command::GetUnsatAssumptions => self.get_unsat_assumptions()?,
            Command::GetInfo(keyword) => self.get_info(&keyword)?,
            Command::GetOption(keyword) => self.options.get(&keyword).ok_or(Refusal::Unsupported)?,
            Command::Echo(text) => print::string(&text),
            Command::GetProof => return Err(Refusal::Error("proofs are not supported".into())),
            _ => unreachable!("no other command is a query"),
        };
        self.answer(&text)
    }

    fn model(&self) -> Result<&Model, Refusal> {
        let missing = || Refusal::Error("model is not available".into());
        if self.last != Some(CheckResult::Sat) {
            Err(missing())
        } else {
            self.solver.model().ok_or_else(missing)
        }
    }

    fn get_value(&self, terms: &[(String, Term)]) -> Result<String, Refusal> {
        let model = self.model()?;
        let printer = print::Values::new(&self.pool, self.options.format);
        let pairs = terms.iter().map(|(text, term)| {
            let value = model.value(&self.pool, *term);
            format!("({text} {})", printer.value(self.pool.sort(*term), &value))
        });
        Ok(format!("({})", pairs.collect::<Vec<_>>().join("\n ")))
    }

    fn get_model(&self, declared: &[Term]) -> Result<String, Refusal> {
        let model = self.model()?;
        let printer = print::Values::new(&self.pool, self.options.format);
        let mut text = String::from("(\n");
        for &symbol in declared {
            let value = model.value(&self.pool, symbol);
            text.push_str("  ");
            text.push_str(&printer.definition(symbol, &value));
            text.push('\n');
        }
        text.push(')');
        Ok(text)
    }

    /// The values of Boolean terms that have names.
    fn get_assignment<'n>(&self, named: impl Iterator<Item = (&'n str, Term)>) -> Result<String, Refusal> {
        let model = self.model()?;
        let booleans = named.filter(|&(_, term)| self.pool.sort(term) == Sort::BOOL);
        let pairs = booleans.map(|(name, term)| {
            let value = model.value(&self.pool, term).expect_bool();
            format!("({} {value})", print::symbol(name))
        });
        Ok(format!("({})", pairs.collect::<Vec<_>>().join(" ")))
    }

    fn get_assertions(&self) -> String {
        let texts = self.solver.assertions().iter().map(|&term| print::term(&self.pool, term));
        format!("({})", texts.collect::<Vec<_>>().join("\n "))
    }

    fn get_unsat_core(&self) -> Result<String, Refusal> {
        let missing = || Refusal::Error("unsat core is not available".into());
        let core = self.solver.unsat_core().filter(|_| self.options.unsat_cores() && self.is_unsat());
        let names = core.ok_or_else(missing)?.iter().map(|&number| print::symbol(&self.names[number]));
        Ok(format!("({})", names.collect::<Vec<_>>().join(" ")))
    }

    fn get_unsat_assumptions(&self) -> Result<String, Refusal> {
        let missing = || Refusal::Error("unsat assumptions are not available".into());
        let failed = self.solver.unsat_assumptions().filter(|_| self.is_unsat());
        let texts = failed.ok_or_else(missing)?.iter().map(|&position| &self.assumptions[position][..]);
        Ok(format!("({})", texts.collect::<Vec<_>>().join(" ")))
    }

    fn is_unsat(&self) -> bool {
        self.last == Some(CheckResult::Unsat)
    }

    fn get_info(&self, keyword: &str) -> Result<String, Refusal> {
        let value = match keyword {
            ":name" => print::string("Bivalve"),
            ":version" => print::string(env!("CARGO_PKG_VERSION")),
            ":authors" => print::string(env!("CARGO_PKG_AUTHORS")),
            ":error-behavior" => "continued-execution".into(),
            ":assertion-stack-levels" => self.solver.levels().to_string(),
            ":reason-unknown" => match self.last {
                Some(CheckResult::Unknown(why)) => reason(why).into(),
                _ => return Err(Refusal::Error("the last answer was not unknown".into())),
            },
            ":all-statistics" => return Ok(self.report().smtlib()),
            _ => return Err(Refusal::Unsupported),
        };
        Ok(format!("({keyword} {value})"))
    }
}
