//! A validity checker: assertions, questions, counterexamples.

use crate::checker::{Checker, constant};
use crate::fault::{Fault, Outcome};
use crate::opaque::{Tag, parts, place_in, pointer};
use crate::registry::{self, Registry};
use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Model};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_formats::{Language, Problem};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};

thread_local! {
    static CHECKERS: Registry<Vc> = Registry::default();
}

/// Every handle of STP is a `void *`.
pub(super) type Handle = *mut c_void;

/// A validity checker.
pub(super) struct Vc {
    number: u32,
    pub(super) pool: Pool,
    pub(super) checker: Checker,
    sorts: Vec<Sort>,
    sort_places: FxHashMap<Sort, u32>,
    pub(super) named: BTreeMap<String, Term>,
    names: FxHashMap<Term, CString>,
    /// The counterexample to the last question, and those that the program holds.
    model: Option<Model>,
    kept: BTreeMap<u32, Model>,
    next_kept: u32,
    pub(super) last_query: Option<Term>,
}

/// Makes a checker.
pub(super) fn make() -> Outcome<Handle> {
    let made = registry::enter(&CHECKERS, |number| Vc {
        number,
        pool: Pool::new(),
        checker: Checker::new(),
        sorts: vec![],
        sort_places: FxHashMap::default(),
        named: BTreeMap::new(),
        names: FxHashMap::default(),
        model: None,
        kept: BTreeMap::new(),
        next_kept: 0,
        last_query: None,
    });
    Ok(pointer(Tag::Checker, made?, 0))
}

/// Destroys a checker.
pub(super) fn destroy(vc: Handle) -> Outcome<()> {
    registry::remove(&CHECKERS, parts(Tag::Checker, vc)?.0, "VC")
}

/// Does something with a checker.
pub(super) fn with<R>(vc: Handle, body: impl FnOnce(&mut Vc) -> Outcome<R>) -> Outcome<R> {
    registry::with(&CHECKERS, parts(Tag::Checker, vc)?.0, "VC", body)
}

/// Does something with the checker of a handle of another kind.
pub(super) fn with_owner<R>(
    tag: Tag,
    handle: Handle,
    body: impl FnOnce(&mut Vc) -> Outcome<R>,
) -> Outcome<R> {
    registry::with(&CHECKERS, parts(tag, handle)?.0, "VC", body)
}

impl Vc {
    pub(super) fn hand_out(&self, term: Term) -> Handle {
        pointer(Tag::Expr, self.number, term.index() as u32)
    }

    pub(super) fn term(&self, expr: Handle) -> Outcome<Term> {
        let place = place_in(Tag::Expr, expr, self.number)? as usize;
        let missing = || Fault::argument("the pointer is of no expression that was made");
        if place < self.pool.len() { Ok(self.pool.nth(place)) } else { Err(missing()) }
    }

    pub(super) fn hand_out_sort(&mut self, sort: Sort) -> Handle {
        let next = self.sorts.len() as u32;
        let place = *self.sort_places.entry(sort).or_insert(next);
        if place == next {
            self.sorts.push(sort);
        }
        pointer(Tag::Type, self.number, place)
    }

    pub(super) fn sort(&self, sort: Handle) -> Outcome<Sort> {
        let place = place_in(Tag::Type, sort, self.number)?;
        let missing = || Fault::argument("the pointer is of no type that was made");
        self.sorts.get(place as usize).copied().ok_or_else(missing)
    }

    /// The symbol of a name; the same for the same name.
    pub(super) fn symbol(&mut self, name: &str, sort: Sort) -> Outcome<Term> {
        match self.named.get(name) {
            Some(&symbol) if self.pool.sort(symbol) == sort => Ok(symbol),
            Some(_) => Err(Fault::argument(format!("the variable '{name}' has another type"))),
            None => {
                let symbol = self.pool.symbol(name, sort);
                self.adopt(name, symbol);
                Ok(symbol)
            }
        }
    }

    fn adopt(&mut self, name: &str, symbol: Term) {
        self.names.insert(symbol, crate::fault::c_string(name));
        self.named.insert(name.to_owned(), symbol);
    }

    /// The name of a symbol, which lives as long as the checker.
    pub(super) fn name(&self, expr: Handle) -> Outcome<*const std::ffi::c_char> {
        let name = self.names.get(&self.term(expr)?);
        name.map(|name| name.as_ptr()).ok_or_else(|| Fault::argument("the expression is no variable"))
    }

    /// Whether a formula follows from the assertions: 1 if so, 0 if not, 3 if that was not decided.
    pub(super) fn query(&mut self, expr: Handle, milliseconds: u64) -> Outcome<i32> {
        let formula = self.term(expr)?;
        let negated = self.pool.not(formula)?;
        self.model = None;
        self.last_query = Some(formula);
        self.checker.limits.milliseconds = milliseconds;
        match self.checker.check(&mut self.pool, &[negated])? {
            CheckResult::Unsat => Ok(1),
            CheckResult::Sat => {
                self.model = self.checker.solver().model().cloned();
                Ok(0)
            }
            CheckResult::Unknown(_) => Ok(3),
        }
    }

    fn model(&self) -> Outcome<&Model> {
        let none = "there is no counterexample: the last query was not answered invalid";
        self.model.as_ref().ok_or_else(|| Fault::state(none))
    }

    /// The value of an expression in the counterexample, as a constant.
    pub(super) fn value(&mut self, expr: Handle) -> Outcome<Handle> {
        let term = self.term(expr)?;
        let value = self.model()?.value(&self.pool, term);
        let sort = self.pool.sort(term);
        let constant = constant(&mut self.pool, sort, &value)?;
        Ok(self.hand_out(constant))
    }

    /// The entries of an array in the counterexample, as constants.
    pub(super) fn entries(&mut self, expr: Handle) -> Outcome<(Vec<Handle>, Vec<Handle>)> {
        let array = self.term(expr)?;
        let sort = self.pool.sort(array);
        let parts = self.pool.sorts().array_parts(sort);
        let (index, element) = parts.ok_or_else(|| Fault::argument("the expression is no array"))?;
        let value = self.model()?.value(&self.pool, array);
        let (mut indices, mut elements) = (vec![], vec![]);
        for (at, what) in value.as_array().into_iter().flat_map(|array| array.entries()) {
            let (at, what) = (constant(&mut self.pool, index, at)?, constant(&mut self.pool, element, what)?);
            indices.push(self.hand_out(at));
            elements.push(self.hand_out(what));
        }
        Ok((indices, elements))
    }

    /// How many symbols have a value in the counterexample; 0 if there is none.
    pub(super) fn size_of_counterexample(&self) -> i32 {
        self.model.as_ref().map_or(0, |model| model.assignment().symbols().len() as i32)
    }

    /// The counterexample as a text: one equation for each symbol, and for each cell of an array.
    pub(super) fn print_counterexample(&self) -> Outcome<String> {
        use bivalve::terms::print::{BitVecFormat, Values};
        use bivalve_formats::ModelFormat;
        let Some(model) = &self.model else { return Ok(String::new()) };
        let values = Values::new(&self.pool, BitVecFormat::default());
        let symbols = model.assignment().symbols();
        let pairs: Vec<_> =
            symbols.into_iter().map(|symbol| (symbol, model.value(&self.pool, symbol))).collect();
        let text = ModelFormat::Cvc.print(&self.pool, &values, None, &pairs);
        Ok(if text.is_empty() { text } else { text + "\n" })
    }

    pub(super) fn keep_counterexample(&mut self) -> Outcome<Handle> {
        let model = self.model()?.clone();
        let place = self.next_kept;
        self.next_kept = place.checked_add(1).ok_or_else(|| Fault::state("no more counterexamples"))?;
        self.kept.insert(place, model);
        Ok(pointer(Tag::Counterexample, self.number, place))
    }

    pub(super) fn value_in(&mut self, expr: Handle, counterexample: Handle) -> Outcome<Handle> {
        let place = place_in(Tag::Counterexample, counterexample, self.number)?;
        let term = self.term(expr)?;
        let model = self.kept.get(&place).ok_or_else(|| Fault::argument("the counterexample was deleted"))?;
        let (value, sort) = (model.value(&self.pool, term), self.pool.sort(term));
        let constant = constant(&mut self.pool, sort, &value)?;
        Ok(self.hand_out(constant))
    }

    pub(super) fn delete_counterexample(&mut self, counterexample: Handle) -> Outcome<()> {
        let place = place_in(Tag::Counterexample, counterexample, self.number)?;
        let removed = self.kept.remove(&place);
        removed.map(drop).ok_or_else(|| Fault::argument("the counterexample was deleted"))
    }

    /// Reads a text in the language of STP, SMT-LIB 1 or 2: the conjunction of its assertions, and its query.
    /// Symbols that are known by name are those of the checker.
    pub(super) fn parse(&mut self, text: &[u8], file: &str) -> Outcome<(Term, Term)> {
        let mut query = None;
        let mut assertions = vec![];
        let mut symbols = vec![];
        let mut depth = 0;
        match Language::of_other(text, true).flatten() {
            Some(language) => {
                let options = ParserOptions::default();
                let problem = Problem::read(&mut self.pool, language, text, file, options)?;
                symbols = problem.symbols;
                for command in problem.commands {
                    match command {
                        Command::Push(levels) => depth += levels,
                        Command::Pop(levels) => depth -= levels,
                        // A query of the language of STP is a check of its negation on a level of its own.
                        Command::Assert { term, .. } if depth > 0 => query = Some(self.pool.not(term)?),
                        Command::Assert { term, .. } => assertions.push(term),
                        _ => {}
                    }
                }
            }
            None => {
                let mut parser = Parser::new(text, file, ParserOptions::default());
                while let Some(command) = parser.next_command(&mut self.pool)? {
                    match command {
                        Command::Assert { term, .. } => assertions.push(term),
                        Command::DeclareConst { symbol } | Command::DeclareFun { symbol } => {
                            symbols.push(symbol);
                        }
                        Command::Push(_) | Command::Pop(_) => {
                            return Err(Fault::unsupported("a text with levels is no expression"));
                        }
                        _ => {}
                    }
                }
            }
        }
        let falsehood = self.pool.bool(false);
        let asserted = self.pool.and_all(&assertions);
        let (asserted, query) = self.united(&symbols, asserted, query.unwrap_or(falsehood))?;
        Ok((asserted, query))
    }

    /// Puts the symbols of the checker into the place of those of a text.
    fn united(&mut self, symbols: &[Term], asserted: Term, query: Term) -> Outcome<(Term, Term)> {
        let mut substitution = bivalve::terms::Substitution::new();
        for &symbol in symbols {
            let name = self.pool.name(symbol).unwrap_or_default().to_owned();
            match self.named.get(&name) {
                Some(&known) if self.pool.sort(known) == self.pool.sort(symbol) => {
                    substitution.insert(&self.pool, symbol, known);
                }
                Some(_) => {
                    return Err(Fault::argument(format!("the variable '{name}' has another type")));
                }
                None => self.adopt(&name, symbol),
            }
        }
        let asserted = substitution.apply(&mut self.pool, asserted);
        Ok((asserted, substitution.apply(&mut self.pool, query)))
    }

    /// The number that a constant is.
    pub(super) fn number(&self, expr: Handle) -> Outcome<u64> {
        let term = self.term(expr)?;
        let value = self.pool.as_bitvec(term).filter(|_| self.pool.op(term) == Op::Const);
        Ok(value.ok_or_else(|| Fault::argument("the expression is no constant bit-vector"))?.low_u64())
    }
}
