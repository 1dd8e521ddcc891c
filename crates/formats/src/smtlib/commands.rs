//! Reading commands.
//!
//! The table below lists every command of SMT-LIB 2.7 and how its arguments are read; a new command is a row.
//! Commands that need theories that are not here are rows too, so that they are refused by name; data types
//! may be declared, because some clients always do, and their uses are refused. Queries of
//! other solvers that change nothing are read over and handed on as [`Command::Unsupported`]; any other name
//! is an error, because an assertion misspelt must not be lost.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::smtlib::command::Command;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::logics::OF_THE_START;
use crate::smtlib::reading::Reading;
use crate::smtlib::similar::most_similar;
use crate::smtlib::sorts::number;
use crate::smtlib::symbols::Meaning;
use bivalve_limits::Why;
use bivalve_terms::Term;

/// How the arguments of a command are read.
#[derive(Clone, Copy)]
enum Form {
    SetLogic,
    SetOption,
    SetInfo,
    DeclareSort,
    DeclareDataType,
    DeclareDataTypes,
    DefineSort,
    DeclareConst,
    DeclareFun,
    DefineConst,
    DefineFun,
    Assert,
    CheckSatAssuming,
    CheckSatUsing,
    GetConsequences,
    Minimise,
    Maximise,
    AssertSoft,
    GetAllModels,
    CountModels,
    GetInterpolant,
    GetInterpolants,
    GetValue,
    GetInfo,
    GetOption,
    Echo,
    Push,
    Pop,
    /// No arguments.
    Plain(fn() -> Command),
    /// A command for which this is missing.
    Missing(&'static str),
    /// A query of another solver.
    Foreign,
}

impl Form {
    /// Whether what is kept grows with each such command.
    fn grows(self) -> bool {
        matches!(
            self,
            Form::Assert
                | Form::Minimise
                | Form::Maximise
                | Form::AssertSoft
                | Form::DeclareSort
                | Form::DeclareDataType
                | Form::DeclareDataTypes
                | Form::DefineSort
                | Form::DeclareConst
                | Form::DeclareFun
                | Form::DefineConst
                | Form::DefineFun
        )
    }
}

/// A row: the name, how to read it, and whether the standard requires a logic to be set before.
struct Row(&'static str, Form, bool);

/// The names of the commands that are read.
pub fn command_names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter(|row| !matches!(row.1, Form::Missing(_))).map(|row| row.0)
}

const NO_CODATA: &str = "data types with infinite values are not supported";

static COMMANDS: &[Row] = &[
    Row("assert", Form::Assert, true),
    Row("check-sat", Form::Plain(|| Command::CheckSat), true),
    Row("check-sat-assuming", Form::CheckSatAssuming, true),
    Row("declare-const", Form::DeclareConst, true),
    Row("declare-datatype", Form::DeclareDataType, true),
    Row("declare-datatypes", Form::DeclareDataTypes, true),
    Row("declare-fun", Form::DeclareFun, true),
    Row("declare-sort", Form::DeclareSort, true),
    Row("declare-sort-parameter", Form::Missing("polymorphic declarations are not supported"), true),
    Row("define-const", Form::DefineConst, true),
    Row("define-fun", Form::DefineFun, true),
    Row("define-fun-rec", Form::Missing("recursive functions are not supported"), true),
    Row("define-funs-rec", Form::Missing("recursive functions are not supported"), true),
    Row("define-sort", Form::DefineSort, true),
    Row("echo", Form::Echo, false),
    Row("exit", Form::Plain(|| Command::Exit), false),
    Row("get-assertions", Form::Plain(|| Command::GetAssertions), true),
    Row("get-assignment", Form::Plain(|| Command::GetAssignment), true),
    Row("get-info", Form::GetInfo, false),
    Row("get-model", Form::Plain(|| Command::GetModel), true),
    Row("get-option", Form::GetOption, false),
    Row("get-proof", Form::Plain(|| Command::GetProof), true),
    Row("get-unsat-assumptions", Form::Plain(|| Command::GetUnsatAssumptions), true),
    Row("get-unsat-core", Form::Plain(|| Command::GetUnsatCore), true),
    Row("get-value", Form::GetValue, true),
    Row("pop", Form::Pop, true),
    Row("push", Form::Push, true),
    Row("reset", Form::Plain(|| Command::Reset), false),
    Row("reset-assertions", Form::Plain(|| Command::ResetAssertions), true),
    Row("set-info", Form::SetInfo, false),
    Row("set-logic", Form::SetLogic, false),
    Row("set-option", Form::SetOption, false),
    // Beyond the standard.
    Row("apply", Form::Foreign, true),
    Row("assert-soft", Form::AssertSoft, true),
    Row("check-sat-using", Form::CheckSatUsing, true),
    Row("count-models", Form::CountModels, true),
    Row("declare-codatatype", Form::Missing(NO_CODATA), true),
    Row("declare-codatatypes", Form::Missing(NO_CODATA), true),
    Row("display", Form::Foreign, true),
    Row("eval", Form::Foreign, true),
    Row("get-all-models", Form::GetAllModels, true),
    Row("get-consequences", Form::GetConsequences, true),
    Row("get-abduct", Form::Foreign, true),
    Row("get-abduct-next", Form::Foreign, true),
    Row("get-difficulty", Form::Foreign, true),
    Row("get-interpol", Form::GetInterpolant, true),
    Row("get-interpolant", Form::GetInterpolant, true),
    Row("get-interpolant-next", Form::Foreign, true),
    Row("get-interpolants", Form::GetInterpolants, true),
    Row("get-learned-literals", Form::Foreign, true),
    Row("get-objectives", Form::Plain(|| Command::GetObjectives), true),
    Row("get-timeout-core", Form::Foreign, true),
    Row("get-timeout-core-assuming", Form::Foreign, true),
    Row("get-unsat-core-lemmas", Form::Foreign, true),
    Row("get-qe", Form::Foreign, true),
    Row("help", Form::Foreign, false),
    // Boogie takes `unsupported` for no labels, so for no errors in a program: this must be an error.
    Row("labels", Form::Missing("labels of terms are not supported"), true),
    Row("maximize", Form::Maximise, true),
    Row("minimize", Form::Minimise, true),
    Row("simplify", Form::Foreign, true),
];

/// Is this the name of a command of the standard?
pub(crate) fn is_command(name: &str) -> bool {
    row(name).is_some_and(|row| !matches!(row.1, Form::Foreign))
}

fn row(name: &str) -> Option<&'static Row> {
    COMMANDS.iter().find(|row| row.0 == name)
}

impl Reading<'_> {
    /// Reads the command whose opening parenthesis is the current token.
    pub(crate) fn command(&mut self) -> Parsed<Command> {
        let token = self.lexer.next()?;
        if token != Token::Symbol {
            return Err(self.lexer.unexpected(token, "the name of a command"));
        }
        let name = self.lexer.name(token);
        let Some(Row(name, form, needs_logic)) = row(name) else {
            let similar = most_similar(name, COMMANDS.iter().map(|row| row.0)).map(str::to_owned);
            return Err(self.unknown(DiagnosticKind::UnknownCommand, token, "a command", similar));
        };
        // Without an objective that was refused, an optimum would be one of another question.
        *self.asserting = matches!(form, Form::Assert | Form::Minimise | Form::Maximise | Form::AssertSoft);
        if *needs_logic && self.logic.is_none() {
            self.only_lenient("'set-logic' first", format!("'{name}'"))?;
        }
        match form.grows().then(|| self.limit()).flatten() {
            Some(why) if *self.asserting => {
                self.skip_rest()?;
                Ok(Command::PassedOver(why))
            }
            Some(why @ Why::MemoryLimit) => {
                let expected = "a command that needs no memory";
                Err(self.refuse_token(DiagnosticKind::Limit, expected, format!("'{name}' when {why}")))
            }
            _ => self.arguments(name, *form),
        }
    }

    /// The arguments of a command and its closing parenthesis.
    fn arguments(&mut self, name: &str, form: Form) -> Parsed<Command> {
        let command = match form {
            Form::SetLogic => self.set_logic()?,
            Form::SetOption | Form::SetInfo => return self.set_attribute(form),
            Form::DeclareSort => return self.declare_sort(),
            Form::DeclareDataType => return self.declare_data_types(false),
            Form::DeclareDataTypes => return self.declare_data_types(true),
            Form::DefineSort => self.define_sort()?,
            Form::DeclareConst => self.declare_const()?,
            Form::DeclareFun => self.declare_fun()?,
            Form::DefineConst => self.define_const()?,
            Form::DefineFun => self.define_fun()?,
            Form::Assert => self.assert()?,
            Form::CheckSatAssuming => Command::CheckSatAssuming(self.quoted_terms(true)?),
            Form::GetConsequences => {
                self.only_lenient("a command of SMT-LIB", format!("'{name}'"))?;
                let assumptions = self.quoted_terms(true)?;
                Command::GetConsequences { assumptions, variables: self.quoted_terms(true)? }
            }
            Form::Minimise | Form::Maximise => {
                return self.objective(name, matches!(form, Form::Maximise));
            }
            Form::AssertSoft => return self.soft_constraint(name),
            Form::GetAllModels => return self.all_models(name),
            Form::CountModels => {
                self.only_lenient("a command of SMT-LIB", format!("'{name}'"))?;
                Command::CountModels(self.finite_terms()?)
            }
            Form::GetInterpolant => return self.interpolant(name),
            Form::GetInterpolants => return self.interpolants(name),
            Form::GetValue => {
                self.symbols.elements.clear();
                self.work.takes_elements = true;
                let terms = self.quoted_terms(false)?;
                self.work.takes_elements = false;
                Command::GetValue(terms)
            }
            Form::GetInfo => Command::GetInfo(self.keyword()?),
            Form::GetOption => Command::GetOption(self.keyword()?),
            Form::Echo => self.echo()?,
            Form::Push | Form::Pop => return self.levels(form),
            Form::Plain(command) => command(),
            Form::CheckSatUsing => return self.check_sat_using(name),
            Form::Missing(missing) => return Err(self.missing(name, missing)),
            Form::Foreign => {
                self.only_lenient("a command of SMT-LIB", format!("'{name}'"))?;
                self.skip_rest()?;
                return Ok(Command::Unsupported { name: name.to_owned() });
            }
        };
        self.close()?;
        Ok(command)
    }

    /// Z3's check by a tactic. How to search is left to us; what is asked is what `check-sat` asks.
    fn check_sat_using(&mut self, name: &str) -> Parsed<Command> {
        self.only_lenient("a command of SMT-LIB", format!("'{name}'"))?;
        let token = self.lexer.next()?;
        if matches!(token, Token::Close | Token::End) {
            return Err(self.lexer.unexpected(token, "a tactic"));
        }
        self.skip_rest()?;
        Ok(Command::CheckSat)
    }

    /// The refusal of a command, whose name is the current token.
    #[cold]
    fn missing(&self, name: &str, missing: &str) -> Box<Diagnostic> {
        let found = format!("'{name}': {missing}");
        self.refuse_token(DiagnosticKind::Unsupported, "a supported command", found)
    }

    /// Reads over the rest of the command.
    pub(crate) fn skip_rest(&mut self) -> Parsed<()> {
        while self.lexer.depth > 0 {
            if self.lexer.next()? == Token::End {
                return Err(self.lexer.unexpected(Token::End, "')'"));
            }
        }
        Ok(())
    }

    fn set_logic(&mut self) -> Parsed<Command> {
        let token = self.lexer.next()?;
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, "the name of a logic"));
        }
        if self.logic.is_some() {
            self.only_lenient("one logic", format!("another one, '{}'", self.lexer.name(token)))?;
        }
        Ok(Command::SetLogic(self.lexer.name(token).to_owned()))
    }

    pub(crate) fn keyword(&mut self) -> Parsed<String> {
        match self.lexer.next()? {
            Token::Keyword => Ok(String::from_utf8_lossy(self.lexer.text()).into_owned()),
            token => Err(self.lexer.unexpected(token, "a keyword")),
        }
    }

    fn set_attribute(&mut self, form: Form) -> Parsed<Command> {
        let keyword = self.keyword()?;
        let is_late = self.logic.is_some() && OF_THE_START.contains(&&*keyword);
        if is_late && matches!(form, Form::SetOption) {
            self.only_lenient("an option that may be set after the logic", format!("'{keyword}'"))?;
        }
        let token = self.lexer.next()?;
        let value = if token == Token::Close {
            None
        } else {
            let value = self.attribute_value(token)?;
            self.close()?;
            Some(value)
        };
        Ok(match form {
            Form::SetOption => Command::SetOption { keyword, value },
            _ => Command::SetInfo { keyword, value },
        })
    }

    fn echo(&mut self) -> Parsed<Command> {
        match self.lexer.next()? {
            Token::String => Ok(Command::Echo(self.string_content())),
            token => Err(self.lexer.unexpected(token, "a string")),
        }
    }

    /// `n)` or, where the standard need not be kept, `)`.
    fn levels(&mut self, form: Form) -> Parsed<Command> {
        let token = self.lexer.next()?;
        let levels = match token {
            Token::Close => {
                self.only_lenient("a numeral", "')'")?;
                1
            }
            Token::Numeral => {
                let Some(levels) = number(self.lexer.text()).and_then(|n| u32::try_from(n).ok()) else {
                    let found = self.lexer.describe(token);
                    return Err(self.refuse_token(DiagnosticKind::Literal, "a numeral below 2^32", found));
                };
                self.close()?;
                levels
            }
            _ => return Err(self.lexer.unexpected(token, "a numeral")),
        };
        Ok(if matches!(form, Form::Push) { Command::Push(levels) } else { Command::Pop(levels) })
    }

    fn assert(&mut self) -> Parsed<Command> {
        let term = self.boolean_term()?;
        let names = &self.symbols.names;
        let named =
            self.work.labels.iter().map(|label| (names.name(label.id).to_owned(), label.term)).collect();
        let mut groups = std::mem::take(&mut self.work.groups);
        groups.retain(|&(_, inner)| inner == term);
        let groups: Vec<String> = groups.into_iter().map(|(name, _)| name).collect();
        groups.iter().for_each(|group| self.symbols.add_to_group(group, term));
        Ok(Command::Assert { term, named, groups })
    }

    /// The declared function that the current token names.
    fn function(&mut self, token: Token) -> Option<Term> {
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return None;
        }
        let id = self.intern(token);
        match self.symbols.meaning(id) {
            Meaning::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Reads a term of sort `Bool`.
    fn boolean_term(&mut self) -> Parsed<Term> {
        let token = self.lexer.next()?;
        let place = self.lexer.place();
        let term = self.term_from(token)?;
        self.check_sort(term, bivalve_terms::Sort::BOOL, place)?;
        Ok(term)
    }

    /// Terms in parentheses with their text as sent; in `check-sat-assuming` they are Boolean, and there may
    /// be none. In `get-value` a declared function may stand for itself.
    pub(crate) fn quoted_terms(&mut self, assuming: bool) -> Parsed<Vec<(String, Term)>> {
        self.open()?;
        let mut terms = Vec::new();
        loop {
            self.lexer.source.pin();
            let token = self.lexer.next()?;
            if token == Token::Close {
                if terms.is_empty() && !assuming {
                    return Err(self.lexer.unexpected(token, "a term"));
                }
                return Ok(terms);
            }
            let place = self.lexer.place();
            let term = match self.function(token) {
                Some(function) if !assuming && !self.strict => function,
                _ => self.term_from(token)?,
            };
            if assuming {
                self.check_sort(term, bivalve_terms::Sort::BOOL, place)?;
            }
            let text = String::from_utf8_lossy(self.lexer.source.slice(place, self.lexer.end())).into_owned();
            if assuming && self.strict && !is_propositional(&text) {
                return Err(self.lexer.refuse(
                    DiagnosticKind::Strict,
                    self.extent(place),
                    "a symbol or its negation",
                    "another term",
                ));
            }
            terms.push((text, term));
        }
    }
}

/// Is this the text of a symbol, or of `(not` symbol `)`? It is the text of a term.
fn is_propositional(text: &str) -> bool {
    let negated = text.strip_prefix('(').and_then(|t| t.trim_start().strip_prefix("not"));
    let mut plain = negated.unwrap_or(text).split('|').step_by(2);
    plain.all(|outside_of_bars| !outside_of_bars.contains('('))
}
