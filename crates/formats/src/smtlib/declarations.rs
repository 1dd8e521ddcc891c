//! Commands that give names a meaning: sorts, constants, functions and definitions.
//!
//! A declaration makes a fresh symbol; a definition gives its body a name, and a body with parameters becomes
//! a macro (see `definitions.rs`). The name is entered when the whole command has been read, so nothing
//! refers to itself, and a command that is refused half-way leaves no trace.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::command::Command;
use crate::smtlib::definitions::Macro;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::logics::Feature;
use crate::smtlib::names::NameId;
use crate::smtlib::reading::Reading;
use crate::smtlib::sort_table::SortMeaning;
use crate::smtlib::sorts::number;
use crate::smtlib::symbols::Meaning;
use bivalve_terms::{Sort, Term, cone};
use rustc_hash::FxHashSet;

/// More parameters than this would only exhaust memory.
const MOST_SORT_PARAMETERS: u64 = 1 << 16;

impl Reading<'_> {
    /// Reads a name that is not taken as a function symbol.
    fn new_function_name(&mut self) -> Parsed<(NameId, String)> {
        let (id, token) = self.fresh_symbol("a name to declare")?;
        self.check_free(id, token)?;
        Ok((id, self.lexer.name(token).to_owned()))
    }

    /// Reads a name that is not taken as a sort.
    pub(crate) fn new_sort_name(&mut self) -> Parsed<(NameId, String)> {
        let (id, token) = self.fresh_symbol("a name of a sort")?;
        let name = self.lexer.name(token).to_owned();
        if matches!(&*name, "Bool" | "Array" | "BitVec") || self.symbols.sorts.names.contains_key(&id) {
            let found = format!("'{name}', which is declared already");
            return Err(self.refuse_token(DiagnosticKind::Taken, "a new name of a sort", found));
        }
        Ok((id, name))
    }

    pub(crate) fn declare_sort(&mut self) -> Parsed<Command> {
        let (id, name) = self.new_sort_name()?;
        self.check_logic(Feature::Sorts)?;
        let arity = self.arity()?;
        let printed = crate::smtlib::print::symbol(&name).into_owned();
        let meaning = match arity {
            0 => SortMeaning::Sort(self.symbols.sorts.declare(self.pool, &printed)),
            arity => self.symbols.sorts.add_family(printed, arity as usize),
        };
        self.symbols.bind_sort(id, meaning);
        Ok(Command::DeclareSort { name, arity })
    }

    /// `n)` or, where the standard need not be kept, `)`.
    pub(crate) fn arity(&mut self) -> Parsed<u32> {
        let token = self.lexer.next()?;
        if token == Token::Close && !self.strict {
            return Ok(0);
        }
        if token != Token::Numeral {
            return Err(self.lexer.unexpected(token, "a numeral, the arity"));
        }
        let Some(arity) = number(self.lexer.text()).filter(|&n| n <= MOST_SORT_PARAMETERS) else {
            let found = self.lexer.describe(token);
            let expected = format!("an arity up to {MOST_SORT_PARAMETERS}");
            return Err(self.refuse_token(DiagnosticKind::Literal, expected, found));
        };
        self.close()?;
        Ok(arity as u32)
    }

    pub(crate) fn define_sort(&mut self) -> Parsed<Command> {
        let (id, name) = self.new_sort_name()?;
        self.open()?;
        let mark = self.symbols.mark();
        let token = self.lexer.next()?;
        let params = self.sort_parameters(token)?;
        let body = self.sort()?;
        self.symbols.roll_back(mark);
        let meaning = match params.is_empty() {
            true => SortMeaning::Sort(body),
            false => self.symbols.sorts.add_template(params, body),
        };
        self.symbols.bind_sort(id, meaning);
        Ok(Command::DefineSort { name })
    }

    /// Names of sorts and `)`, from the current token on: placeholders, which the names mean from now on.
    pub(crate) fn sort_parameters(&mut self, first: Token) -> Parsed<Vec<Sort>> {
        let (mut params, mut seen) = (Vec::new(), FxHashSet::default());
        let mut token = first;
        loop {
            match token {
                Token::Close => return Ok(params),
                Token::Symbol | Token::Quoted => {
                    self.check_reserved(token, "a sort parameter")?;
                    let placeholder = self.symbols.sorts.declare(self.pool, self.lexer.name(token));
                    let param = self.intern(token);
                    if !seen.insert(param) {
                        let found = format!("'{}' twice", self.lexer.name(token));
                        return Err(self.refuse_token(
                            DiagnosticKind::Taken,
                            "different sort parameters",
                            found,
                        ));
                    }
                    self.symbols.bind_sort(param, SortMeaning::Sort(placeholder));
                    params.push(placeholder);
                }
                _ => return Err(self.lexer.unexpected(token, "a sort parameter or ')'")),
            }
            token = self.lexer.next()?;
        }
    }

    pub(crate) fn declare_const(&mut self) -> Parsed<Command> {
        let (id, name) = self.new_function_name()?;
        let sort = self.sort()?;
        let symbol = self.pool.symbol(&name, sort);
        self.symbols.declare(id, symbol, Meaning::Value(symbol));
        Ok(Command::DeclareConst { symbol })
    }

    pub(crate) fn declare_fun(&mut self) -> Parsed<Command> {
        let (id, name) = self.new_function_name()?;
        self.open()?;
        let mut params = Vec::new();
        loop {
            match self.lexer.next()? {
                Token::Close => break,
                token => {
                    self.check_logic(Feature::Functions)?;
                    params.push(self.sort_from(token)?);
                }
            }
        }
        let result = self.sort()?;
        if params.is_empty() {
            let symbol = self.pool.symbol(&name, result);
            self.symbols.declare(id, symbol, Meaning::Value(symbol));
            return Ok(Command::DeclareConst { symbol });
        }
        let sort = self.pool.sorts_mut().function(&params, result);
        let sort = sort.expect("parameters and results are read as first-class sorts");
        let symbol = self.pool.symbol(&name, sort);
        self.symbols.declare(id, symbol, Meaning::Function(symbol));
        Ok(Command::DeclareFun { symbol })
    }

    pub(crate) fn define_const(&mut self) -> Parsed<Command> {
        let (id, name) = self.new_function_name()?;
        let (_, body) = self.definiens()?;
        self.check_free_still(id)?;
        self.symbols.bind(id, Meaning::Value(body));
        Ok(Command::DefineConst { name, body })
    }

    pub(crate) fn define_fun(&mut self) -> Parsed<Command> {
        let (id, name) = self.new_function_name()?;
        let mark = self.symbols.enter();
        let params = self.parameters()?;
        let (result, body) = self.definiens()?;
        self.symbols.leave(mark);
        self.check_free_still(id)?;
        self.check_labels_closed(&params)?;
        let meaning = if params.is_empty() {
            Meaning::Value(body)
        } else {
            self.symbols.macros.push(Macro::new(self.pool, &params, body));
            Meaning::Macro(self.symbols.macros.len() as u32 - 1)
        };
        self.symbols.bind(id, meaning);
        Ok(Command::DefineFun { name, params, result, body })
    }

    /// A label inside of the definition may have taken its name.
    fn check_free_still(&self, id: NameId) -> Parsed<()> {
        if self.work.labels.iter().any(|label| label.id == id) {
            let found = format!("the label '{}' inside of its own definition", self.symbols.names.name(id));
            return Err(self.refuse_token(DiagnosticKind::Taken, "a new name", found));
        }
        Ok(())
    }

    /// Labels inside of a definition must not contain its parameters.
    fn check_labels_closed(&self, params: &[Term]) -> Parsed<()> {
        if params.is_empty() || self.work.labels.is_empty() {
            return Ok(());
        }
        let labelled: Vec<Term> = self.work.labels.iter().map(|label| label.term).collect();
        let mut open: FxHashSet<Term> = params.iter().copied().collect();
        for term in cone(self.pool, &labelled) {
            if self.pool.args(term).iter().any(|arg| open.contains(arg)) {
                open.insert(term);
            }
        }
        let Some(label) = self.work.labels.iter().find(|label| open.contains(&label.term)) else {
            return Ok(());
        };
        let found = format!("'{}' for one with parameters", self.symbols.names.name(label.id));
        let span = self.extent(label.place);
        Err(self.lexer.refuse(DiagnosticKind::Syntax, span, "the name of a closed term", found))
    }

    /// A sort and a term of it.
    fn definiens(&mut self) -> Parsed<(Sort, Term)> {
        let sort = self.result_sort()?;
        let token = self.lexer.next()?;
        let place = self.lexer.place();
        let body = self.term_from(token)?;
        self.check_sort(body, sort, place)?;
        Ok((sort, body))
    }

    /// `((x S) ...)`: fresh symbols, bound as locals.
    fn parameters(&mut self) -> Parsed<Vec<Term>> {
        self.variables("a parameter", "'(' and a parameter, or ')'", Some("different parameters"))
    }

    /// The same for other variables than parameters; these are the words for one, for more of them, and for
    /// all. Without the last, one name may come several times, and means the last of its variables.
    pub(crate) fn variables(&mut self, one: &str, next: &str, all: Option<&str>) -> Parsed<Vec<Term>> {
        self.open()?;
        let (mut bound, mut names): (Vec<Term>, FxHashSet<NameId>) = Default::default();
        loop {
            match self.lexer.next()? {
                Token::Close => break,
                Token::Open => {}
                token => return Err(self.lexer.unexpected(token, next)),
            }
            let (id, token) = self.fresh_symbol(one)?;
            let name = self.lexer.name(token).to_owned();
            if let Some(all) = all.filter(|_| !names.insert(id)) {
                let found = format!("'{name}' twice");
                return Err(self.refuse_token(DiagnosticKind::Taken, all, found));
            }
            let sort = self.sort()?;
            let symbol = self.pool.symbol(&name, sort);
            self.symbols.bind_local(id, symbol);
            bound.push(symbol);
            self.close()?;
        }
        Ok(bound)
    }
}
