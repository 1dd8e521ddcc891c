//! Reading sorts.
//!
//! A sort is a name, `(_ BitVec w)`, `(_ FloatingPoint eb sb)`, or a name applied to sorts. Open
//! applications lie on a stack of their own, so nesting is bounded by memory and then by
//! [`bivalve_terms::MAX_NESTING`], never by the machine's stack.

use crate::diagnostic::DiagnosticKind;
use crate::mismatch::{a_width, arguments};
use crate::smtlib::floats::float_sort;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::logics::Feature;
use crate::smtlib::reading::Reading;
use crate::smtlib::sort_table::SortMeaning;
use crate::smtlib::vocabulary::foreign;
use bivalve_terms::{BitVec, Sort};

/// An application whose arguments are being read.
struct Open {
    meaning: SortMeaning,
    place: u64,
    /// Where its arguments begin among the sorts read so far.
    start: usize,
}

impl Reading<'_> {
    /// Reads a sort.
    pub(crate) fn sort(&mut self) -> Parsed<Sort> {
        let token = self.lexer.next()?;
        self.sort_from(token)
    }

    /// Reads a sort that begins with the current token.
    pub(crate) fn sort_from(&mut self, first: Token) -> Parsed<Sort> {
        let mut open: Vec<Open> = Vec::new();
        let mut sorts: Vec<Sort> = Vec::new();
        let mut token = first;
        loop {
            let done = match token {
                Token::Symbol | Token::Quoted => Some(self.named_sort(token)?),
                Token::Open => self.open_sort(&mut open, sorts.len())?,
                Token::Close if !open.is_empty() => {
                    let last = open.pop().expect("an application is open");
                    Some(self.close_sort(&last, &mut sorts)?)
                }
                Token::Numeral | Token::Keyword | Token::String | Token::Close | Token::End => {
                    return Err(self.lexer.unexpected(token, "a sort"));
                }
                Token::Decimal | Token::Hexadecimal | Token::Binary => {
                    return Err(self.lexer.unexpected(token, "a sort"));
                }
            };
            match done {
                Some(sort) if open.is_empty() => return Ok(sort),
                Some(sort) => sorts.push(sort),
                None => {}
            }
            token = self.lexer.next()?;
        }
    }

    /// A sort without arguments.
    fn named_sort(&mut self, token: Token) -> Parsed<Sort> {
        let meaning = self.sort_meaning(token)?;
        let arity = self.symbols.sorts.arity(meaning);
        match (meaning, arity) {
            (SortMeaning::Sort(sort), _) => Ok(sort),
            _ if let Some(args) = self.symbols.sorts.unwritten(meaning).or((arity == 0).then(Vec::new)) => {
                let span = self.lexer.place()..self.lexer.end();
                let sort = self.symbols.sorts.apply(self.pool, meaning, &args);
                sort.ok_or_else(|| self.too_large(span))
            }
            _ => {
                let found = format!("'{}' alone", self.lexer.name(token));
                let expected = format!("a sort with {arity} arguments");
                Err(self.refuse_token(DiagnosticKind::Sort, expected, found))
            }
        }
    }

    /// What the current symbol means as a sort.
    fn sort_meaning(&mut self, token: Token) -> Parsed<SortMeaning> {
        let id = self.intern(token);
        let name = self.lexer.name(token);
        if let Some(&meaning) = self.symbols.sorts.names.get(&id) {
            if meaning == SortMeaning::Refused {
                let found = format!("'{name}': data types with recursion are not supported");
                return Err(self.refuse_token(DiagnosticKind::Unsupported, "a supported sort", found));
            }
            if matches!(meaning, SortMeaning::DataType(_)) {
                self.check_known(name)?;
            }
            return Ok(meaning);
        }
        match name {
            "Bool" => Ok(SortMeaning::Sort(Sort::BOOL)),
            "Array" => {
                self.check_logic(Feature::Arrays)?;
                Ok(SortMeaning::Array)
            }
            name if let Some(sort) = float_sort(name) => {
                self.check_logic(Feature::Floats)?;
                self.check_known(name)?;
                Ok(SortMeaning::Sort(self.pool.sorts_mut().theory(sort)))
            }
            _ => {
                let (kind, found) = match foreign(name) {
                    Some(missing) => (DiagnosticKind::Unsupported, format!("sort {name}: {missing}")),
                    None => (DiagnosticKind::Undeclared, format!("'{name}'")),
                };
                Err(self.refuse_token(kind, "a declared sort", found))
            }
        }
    }

    /// Behind an opening parenthesis: `(_ BitVec w)` is complete, others wait for arguments.
    fn open_sort(&mut self, open: &mut Vec<Open>, start: usize) -> Parsed<Option<Sort>> {
        let place = self.lexer.place();
        match self.lexer.next()? {
            Token::Symbol if self.lexer.text() == b"_" => self.indexed_sort().map(Some),
            token @ (Token::Symbol | Token::Quoted) => {
                let meaning = self.sort_meaning(token)?;
                if self.symbols.sorts.arity(meaning) == 0 {
                    // As Z3 has it, a name alone may stand in parentheses.
                    let found = format!("'{}', which takes none", self.lexer.name(token));
                    self.only_lenient("a sort that takes arguments", found)?;
                }
                open.push(Open { meaning, place, start });
                Ok(None)
            }
            token => Err(self.lexer.unexpected(token, "'_' or the name of a sort")),
        }
    }

    /// Behind `(_`.
    fn indexed_sort(&mut self) -> Parsed<Sort> {
        match self.lexer.next()? {
            Token::Symbol | Token::Quoted if self.lexer.text() == b"BitVec" => {}
            Token::Symbol | Token::Quoted if self.lexer.text() == b"FloatingPoint" => {
                self.check_known("FloatingPoint")?;
                let format = self.format_indices()?;
                return Ok(self.pool.float_sort(format));
            }
            token @ (Token::Symbol | Token::Quoted) => {
                let name = self.lexer.name(token);
                let (kind, found) = match foreign(name) {
                    Some(missing) => (DiagnosticKind::Unsupported, format!("sort {name}: {missing}")),
                    None => (DiagnosticKind::Undeclared, format!("'{name}'")),
                };
                return Err(self.refuse_token(kind, "'BitVec' or 'FloatingPoint'", found));
            }
            token => return Err(self.lexer.unexpected(token, "'BitVec' or 'FloatingPoint'")),
        }
        let token = self.lexer.next()?;
        let width = self.width(token)?;
        self.close()?;
        Ok(Sort::bitvec(width).expect("the width was checked"))
    }

    /// The current token as a width of bit-vectors.
    pub(crate) fn width(&mut self, token: Token) -> Parsed<u32> {
        if token != Token::Numeral {
            return Err(self.lexer.unexpected(token, "a numeral, the width"));
        }
        self.check_logic(Feature::BitVectors)?;
        let width = number(self.lexer.text()).and_then(|n| u32::try_from(n).ok());
        match width.filter(|width| (1..=BitVec::MAX_WIDTH).contains(width)) {
            Some(width) => Ok(width),
            None => {
                let expected = a_width();
                let found = self.lexer.describe(token);
                Err(self.refuse_token(DiagnosticKind::Literal, expected, found))
            }
        }
    }

    fn close_sort(&mut self, open: &Open, sorts: &mut Vec<Sort>) -> Parsed<Sort> {
        let (arity, found) = (self.symbols.sorts.arity(open.meaning), sorts.len() - open.start);
        let span = open.place..self.lexer.end();
        if arity != found {
            let expected = format!("{} of the sort", arguments(arity));
            return Err(self.lexer.refuse(DiagnosticKind::Sort, span, expected, found.to_string()));
        }
        let sort = self.symbols.sorts.apply(self.pool, open.meaning, &sorts[open.start..]);
        sorts.truncate(open.start);
        sort.ok_or_else(|| self.too_large(span))
    }
}

/// The number of decimal digits, if it is below 2^64.
pub(crate) fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |n, &digit| n.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}
