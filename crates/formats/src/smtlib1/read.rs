//! The attributes of a benchmark.

use super::lexer::{Lexer, Token};
use super::words::Word;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lines::bits::truth;
use crate::problem::Problem;
use crate::smtlib::Command;
use crate::text::{Read, Text};
use bivalve_systems::DistinctNames;
use bivalve_terms::{Pool, Sort, Term};
use rustc_hash::FxHashMap;

/// Reads a benchmark of SMT-LIB 1.2 into terms of `pool`. Messages call the text `file`.
///
/// ```
/// use bivalve_formats::smtlib1;
/// use bivalve_terms::Pool;
///
/// let text = b"(benchmark b :logic QF_BV :extrafuns ((x BitVec[8])) :formula (bvult x bv3[8]))";
/// let mut pool = Pool::new();
/// let problem = smtlib1::read(&mut pool, text, "b.smt")?;
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
        sorts: FxHashMap::default(),
        symbols: FxHashMap::default(),
        variables: FxHashMap::default(),
        names: DistinctNames::new(),
        declared: Vec::new(),
    };
    reader.benchmark().map_err(|refusal| *refusal)
}

/// The state of a reader.
pub(super) struct Reader<'p, 't> {
    pub(super) pool: &'p mut Pool,
    pub(super) lexer: Lexer<'t>,
    sorts: FxHashMap<&'t [u8], Sort>,
    /// Declared constants and functions.
    pub(super) symbols: FxHashMap<&'t [u8], Term>,
    /// The values of variables, innermost last.
    pub(super) variables: FxHashMap<&'t [u8], Vec<Term>>,
    names: DistinctNames,
    declared: Vec<Term>,
}

impl<'t> Reader<'_, 't> {
    fn benchmark(&mut self) -> Read<Problem> {
        self.lexer.expect(Token::Open, "'(benchmark'")?;
        let token = self.lexer.next()?;
        if self.lexer.bytes() != b"benchmark" {
            return Err(self.lexer.unexpected(token, "'benchmark'"));
        }
        self.lexer.expect(Token::Word, "the name of the benchmark")?;
        let (mut commands, mut formulas) = (vec![], 0);
        loop {
            match self.lexer.next()? {
                Token::Close => break,
                Token::Attribute => {}
                token => return Err(self.lexer.unexpected(token, "an attribute or ')'")),
            }
            match self.lexer.bytes() {
                b":extrasorts" => self.sorts()?,
                b":extrafuns" => self.functions(None)?,
                b":extrapreds" => self.functions(Some(Sort::BOOL))?,
                b":logic" => self.lexer.expect(Token::Word, "a logic")?,
                b":assumption" => {
                    let term = self.formula()?;
                    commands.push(Command::Assert { term, named: vec![], groups: vec![] });
                }
                b":formula" => {
                    let term = self.formula()?;
                    formulas += 1;
                    commands.extend([
                        Command::Push(1),
                        Command::Assert { term, named: vec![], groups: vec![] },
                        Command::CheckSat,
                        Command::Pop(1),
                    ]);
                }
                _ => self.skip_value()?,
            }
        }
        let token = self.lexer.next()?;
        if token != Token::End {
            return Err(self.lexer.unexpected(token, "end of input"));
        }
        if formulas <= 1 {
            // One question needs no level, and assumptions behind the formula belong to it, too.
            commands.retain(|command| matches!(command, Command::Assert { .. }));
            commands.push(Command::CheckSat);
        }
        Ok(Problem { symbols: std::mem::take(&mut self.declared), commands, places: vec![] })
    }

    /// Skips the value of an attribute, if it has one.
    pub(super) fn skip_value(&mut self) -> Read<()> {
        let mut depth = 0;
        loop {
            match self.lexer.peek()? {
                Token::Attribute | Token::Close | Token::End if depth == 0 => return Ok(()),
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End => {
                    let token = self.lexer.next()?;
                    return Err(self.lexer.unexpected(token, "')'"));
                }
                _ => {}
            }
            self.lexer.next()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn sorts(&mut self) -> Read<()> {
        self.lexer.expect(Token::Open, "'(' and sorts")?;
        loop {
            match self.lexer.next()? {
                Token::Close => return Ok(()),
                Token::Word => {
                    let name = self.lexer.bytes();
                    let sort = self.pool.sorts_mut().declare(&String::from_utf8_lossy(name));
                    self.sorts.insert(name, sort);
                }
                token => return Err(self.lexer.unexpected(token, "a sort or ')'")),
            }
        }
    }

    /// Declarations of functions; of predicates if their result is given.
    fn functions(&mut self, result: Option<Sort>) -> Read<()> {
        self.lexer.expect(Token::Open, "'(' and declarations")?;
        loop {
            match self.lexer.next()? {
                Token::Close => return Ok(()),
                Token::Open => self.function(result)?,
                token => return Err(self.lexer.unexpected(token, "'(' and a declaration, or ')'")),
            }
        }
    }

    fn function(&mut self, result: Option<Sort>) -> Read<()> {
        self.lexer.expect(Token::Word, "the name of a function")?;
        let (name, place) = (self.lexer.bytes(), self.lexer.place.clone());
        if self.symbols.contains_key(name) || super::words::head(name).is_some() {
            let found = self.lexer.text.shown(&place);
            return Err(self.lexer.text.refuse(DiagnosticKind::Taken, place, "a name that is free", found));
        }
        let mut sorts = vec![];
        loop {
            match self.lexer.next()? {
                Token::Word => {
                    let sort = self.sort()?;
                    sorts.push(sort);
                }
                // Annotations.
                Token::Attribute => self.skip_value()?,
                Token::Close => break,
                token => return Err(self.lexer.unexpected(token, "a sort or ')'")),
            }
        }
        sorts.extend(result);
        let Some((&result, params)) = sorts.split_last() else {
            return Err(self.lexer.unexpected(Token::Close, "the sort of the result"));
        };
        let sort = match params {
            [] => Ok(result),
            params => self.pool.sorts_mut().function(params, result),
        };
        let sort = sort.map_err(|refusal| {
            self.lexer.text.refuse(DiagnosticKind::Sort, place, "sorts of values", refusal.to_string())
        })?;
        let distinct = self.names.distinct(&String::from_utf8_lossy(name));
        let symbol = self.pool.symbol(&distinct, sort);
        self.symbols.insert(name, symbol);
        self.declared.push(symbol);
        Ok(())
    }

    /// The sort that the current token stands for. `U` of QF_UF, `Index`, `Element` and `Array` of QF_AX need
    /// no declaration.
    fn sort(&mut self) -> Read<Sort> {
        let bytes = self.lexer.bytes();
        if let Some(&sort) = self.sorts.get(bytes) {
            return Ok(sort);
        }
        let word = Word::new(bytes);
        let sort = match (word.name, word.indices.as_deref()) {
            (b"Bool", Some([])) => Ok(Sort::BOOL),
            (b"BitVec", Some(&[width])) => Sort::bitvec(width),
            (b"Array", Some(&[index, element])) => {
                let parts = Sort::bitvec(index).and_then(|index| Ok((index, Sort::bitvec(element)?)));
                parts.and_then(|(index, element)| self.pool.sorts_mut().array(index, element))
            }
            (b"Array", Some([])) => {
                let [index, element] = [b"Index".as_slice(), b"Element"].map(|name| self.standard(name));
                self.pool.sorts_mut().array(index, element)
            }
            (b"U" | b"Index" | b"Element", Some([])) => Ok(self.standard(bytes)),
            _ => {
                let found = self.lexer.text.shown(&self.lexer.place);
                let place = self.lexer.place.clone();
                return Err(self.lexer.text.refuse(DiagnosticKind::Undeclared, place, "a sort", found));
            }
        };
        sort.map_err(|refusal| {
            let place = self.lexer.place.clone();
            self.lexer.text.refuse(DiagnosticKind::Sort, place, "a sort", refusal.to_string())
        })
    }

    /// A sort that a logic declares.
    fn standard(&mut self, name: &'t [u8]) -> Sort {
        if let Some(&sort) = self.sorts.get(name) {
            return sort;
        }
        let sort = self.pool.sorts_mut().declare(&String::from_utf8_lossy(name));
        self.sorts.insert(name, sort);
        sort
    }

    fn formula(&mut self) -> Read<Term> {
        let (term, place) = self.term()?;
        if self.pool.sort(term).is_bool() || self.pool.width(term) == Some(1) {
            return Ok(truth(self.pool, term));
        }
        let found = self.pool.sorts().display(self.pool.sort(term));
        Err(self.lexer.text.refuse(DiagnosticKind::Sort, place, "a formula", found))
    }
}
