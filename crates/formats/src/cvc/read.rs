//! The commands of CVC.

use super::lexer::{Lexer, Token};
use super::words::{mismatch, types};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::mismatch::{Mismatch, a_width};
use crate::problem::Problem;
use crate::smtlib::Command;
use crate::text::{Read, Text};
use bivalve_terms::{Op, Pool, Sort, Term};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Reads a text of CVC into commands over terms of `pool`. Messages call the text `file`.
///
/// ```
/// use bivalve_formats::cvc;
/// use bivalve_terms::Pool;
///
/// let mut pool = Pool::new();
/// let text = b"x : BITVECTOR(8); ASSERT x = 0hex0f; QUERY x[3:0] = 0bin1111;";
/// let problem = cvc::read(&mut pool, text, "low.cvc")?;
/// assert_eq!(pool.display(problem.symbols[0]).to_string(), "x");
/// # Ok::<(), bivalve_formats::Diagnostic>(())
/// ```
///
/// # Errors
///
/// The first fault of the text, with its place.
pub fn read(pool: &mut Pool, text: &[u8], file: &str) -> Result<Problem, Diagnostic> {
    let mut reader = Reader {
        pool,
        lexer: Lexer::new(Text::new(text, file)),
        names: FxHashMap::default(),
        sorts: FxHashMap::default(),
        variables: FxHashMap::default(),
        problem: Problem::default(),
        start: 0,
        is_open: false,
    };
    reader.text().map_err(|refusal| *refusal)?;
    Ok(reader.problem)
}

/// The state of a reader.
pub(super) struct Reader<'p, 't> {
    pub(super) pool: &'p mut Pool,
    pub(super) lexer: Lexer<'t>,
    /// Declared and defined constants and functions.
    names: FxHashMap<&'t [u8], Term>,
    sorts: FxHashMap<&'t [u8], Sort>,
    /// The values of the variables of `LET`, innermost last.
    pub(super) variables: FxHashMap<&'t [u8], Vec<Term>>,
    problem: Problem,
    /// Where the command at hand begins.
    start: usize,
    /// A query has opened a level that is still open.
    is_open: bool,
}

impl<'t> Reader<'_, 't> {
    fn text(&mut self) -> Read<()> {
        loop {
            let token = self.lexer.next()?;
            let bytes = self.lexer.bytes();
            match token {
                Token::End => return Ok(()),
                Token::Word => {}
                token => return Err(self.lexer.unexpected(token, "a command or a declaration")),
            }
            self.start = self.lexer.place.start;
            let is_question = matches!(bytes, b"COUNTEREXAMPLE" | b"COUNTERMODEL");
            if self.is_open && !is_question {
                self.command(Command::Pop(1));
                self.is_open = false;
            }
            match bytes {
                b"ASSERT" => {
                    let term = self.formula()?;
                    self.command(Command::Assert { term, named: vec![], groups: vec![] });
                }
                b"QUERY" => {
                    let formula = self.formula()?;
                    // Whether the assertions contradict each other.
                    let negation = match self.pool.as_bool(formula) {
                        Some(false) => None,
                        _ => Some(self.pool.mk(Op::Not, &[formula])),
                    };
                    self.check(negation);
                }
                b"CHECKSAT" => {
                    let formula = match self.lexer.peek()? {
                        Token::Sign(";") => None,
                        _ => Some(self.formula()?),
                    };
                    self.check(formula);
                }
                b"COUNTEREXAMPLE" | b"COUNTERMODEL" => self.command(Command::GetModel),
                b"PUSH" => self.command(Command::Push(1)),
                b"POP" => self.command(Command::Pop(1)),
                // Options are those of another program.
                b"OPTION" => self.lexer.skip_command(),
                _ => self.declaration(bytes)?,
            }
            self.lexer.expect(";")?;
        }
    }

    /// A check of the assertions and a formula on a level of its own.
    fn check(&mut self, formula: Option<Term>) {
        self.command(Command::Push(1));
        if let Some(term) = formula {
            self.command(Command::Assert { term, named: vec![], groups: vec![] });
        }
        self.command(Command::CheckSat);
        self.is_open = true;
    }

    /// A command of the problem, which the command at hand means.
    fn command(&mut self, command: Command) {
        self.problem.commands.push(command);
        self.problem.places.push(self.start);
    }

    fn formula(&mut self) -> Read<Term> {
        let (term, place) = self.expression()?;
        if self.pool.sort(term).is_bool() {
            return Ok(term);
        }
        let found = types(&format!("sort {}", self.pool.sorts().display(self.pool.sort(term))));
        Err(self.lexer.text.refuse(DiagnosticKind::Sort, place, "a formula", found))
    }

    /// `x, y : T`, `x : T = e`, `T : TYPE` and `T : TYPE = U`, behind the first name.
    fn declaration(&mut self, first: &'t [u8]) -> Read<()> {
        let mut names = vec![(first, self.lexer.place.clone())];
        loop {
            match self.lexer.next()? {
                Token::Sign(",") => {
                    let token = self.lexer.next()?;
                    if token != Token::Word {
                        return Err(self.lexer.unexpected(token, "a name"));
                    }
                    names.push((self.lexer.bytes(), self.lexer.place.clone()));
                }
                Token::Sign(":") => break,
                _ if names.len() == 1 => {
                    let (_, place) = &names[0];
                    let found = self.lexer.text.shown(place);
                    let expected = "a command or a declaration";
                    return Err(self.lexer.text.refuse(
                        DiagnosticKind::UnknownCommand,
                        place.clone(),
                        expected,
                        found,
                    ));
                }
                token => return Err(self.lexer.unexpected(token, "':' and a type")),
            }
        }
        if self.is_word(b"TYPE")? {
            return self.types(&names);
        }
        let sort = self.sort()?;
        if self.lexer.peek()? == Token::Sign("=") {
            self.lexer.next()?;
            let (term, place) = self.expression()?;
            if self.pool.sort(term) != sort {
                let [expected, found] =
                    [sort, self.pool.sort(term)].map(|sort| self.pool.sorts().display(sort));
                let [expected, found] = [expected, found].map(|sort| types(&format!("sort {sort}")));
                return Err(self.lexer.text.refuse(DiagnosticKind::Sort, place, expected, found));
            }
            return names.into_iter().try_for_each(|(name, place)| self.define(name, place, term));
        }
        for (name, place) in names {
            let symbol = self.pool.symbol(&String::from_utf8_lossy(name), sort);
            self.define(name, place, symbol)?;
            self.problem.symbols.push(symbol);
        }
        Ok(())
    }

    fn define(&mut self, name: &'t [u8], place: Range<usize>, term: Term) -> Read<()> {
        if self.names.insert(name, term).is_none() {
            return Ok(());
        }
        let found = self.lexer.text.shown(&place);
        Err(self.lexer.text.refuse(DiagnosticKind::Taken, place, "a name that is free", found))
    }

    fn types(&mut self, names: &[(&'t [u8], Range<usize>)]) -> Read<()> {
        let given = match self.lexer.peek()? {
            Token::Sign("=") => {
                self.lexer.next()?;
                Some(self.sort()?)
            }
            _ => None,
        };
        for (name, _) in names {
            let sort = given.unwrap_or_else(|| self.pool.sorts_mut().declare(&String::from_utf8_lossy(name)));
            self.sorts.insert(name, sort);
        }
        Ok(())
    }

    /// Reads this key word, if it is the next token.
    fn is_word(&mut self, word: &[u8]) -> Read<bool> {
        if !self.lexer.is_next(word)? {
            return Ok(false);
        }
        self.lexer.next()?;
        Ok(true)
    }

    /// A type: arrays of types, and functions of types to a type.
    pub(super) fn sort(&mut self) -> Read<Sort> {
        // The indices of the arrays that are open.
        let mut indices = vec![];
        while self.is_word(b"ARRAY")? {
            indices.push(self.simple_sort()?);
            self.lexer.expect_word("OF")?;
        }
        let (params, start) = match self.lexer.peek()? {
            Token::Sign("(") if indices.is_empty() => (self.params()?, self.lexer.place.start),
            _ => (vec![self.simple_sort()?], self.lexer.place.start),
        };
        let is_function = indices.is_empty() && self.lexer.peek()? == Token::Sign("->");
        let sort = match params[..] {
            _ if is_function => {
                self.lexer.next()?;
                let result = self.simple_sort()?;
                self.pool.sorts_mut().function(&params, result)
            }
            [sort] => Ok(sort),
            _ => {
                let token = self.lexer.next()?;
                return Err(self.lexer.unexpected(token, "'->' and a type"));
            }
        };
        let sort = indices.into_iter().rev().fold(sort, |element, index| {
            element.and_then(|element| self.pool.sorts_mut().array(index, element))
        });
        sort.map_err(|refusal| {
            let place = start..self.lexer.place.end;
            let Mismatch { expected, found, .. } = mismatch(refusal, None);
            self.lexer.text.refuse(DiagnosticKind::Sort, place, expected, found)
        })
    }

    /// `(T, U)`.
    fn params(&mut self) -> Read<Vec<Sort>> {
        self.lexer.expect("(")?;
        let mut params = vec![self.simple_sort()?];
        loop {
            match self.lexer.next()? {
                Token::Sign(",") => params.push(self.simple_sort()?),
                Token::Sign(")") => return Ok(params),
                token => return Err(self.lexer.unexpected(token, "',' or ')'")),
            }
        }
    }

    /// `BITVECTOR(n)`, `BOOLEAN`, or the name of a type.
    fn simple_sort(&mut self) -> Read<Sort> {
        let token = self.lexer.next()?;
        let bytes = self.lexer.bytes();
        match (token, bytes) {
            (Token::Word, b"BOOLEAN") => Ok(Sort::BOOL),
            (Token::Word, b"BITVECTOR" | b"BV") => {
                self.lexer.expect("(")?;
                let width = self.lexer.numeral()?;
                let place = self.lexer.place.clone();
                self.lexer.expect(")")?;
                Sort::bitvec(width).map_err(|_| {
                    self.lexer.text.refuse(DiagnosticKind::Sort, place, a_width(), width.to_string())
                })
            }
            (Token::Word, name) if self.sorts.contains_key(name) => Ok(self.sorts[name]),
            _ => Err(self.lexer.unexpected(token, "a type (BITVECTOR(n), BOOLEAN, ARRAY ... OF ...)")),
        }
    }

    /// The value of a name.
    pub(super) fn named(&mut self, name: &[u8]) -> Read<Term> {
        let local = self.variables.get(name).and_then(|values| values.last());
        match local.or_else(|| self.names.get(name)) {
            Some(&term) => Ok(term),
            None => {
                let (place, found) = (self.lexer.place.clone(), self.lexer.text.shown(&self.lexer.place));
                Err(self.lexer.text.refuse(DiagnosticKind::Undeclared, place, "an expression", found))
            }
        }
    }
}
