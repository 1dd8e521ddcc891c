//! Identifiers with indices or a sort: `(_ bv5 8)`, `((_ extract 7 0) x)`, `(as x S)`, `((as const S) x)`;
//! literals.
//!
//! None of these nests terms, so each is read in a straight line. The value of a literal is checked against
//! its width by its number of digits before anything is computed (see `BitVec::parse_decimal`), so a numeral
//! of a million digits in 32 bits is refused at once.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::logics::Feature;
use crate::smtlib::reading::Reading;
use crate::smtlib::sorts::number;
use crate::smtlib::symbols::Meaning;
use crate::smtlib::terms::{Frame, Head, Step};
use crate::smtlib::vocabulary::{Dialect, Word};
use bivalve_terms::{BitVec, Op, Sort, Term};

impl Reading<'_> {
    /// The current binary or hexadecimal literal.
    pub(crate) fn literal(&mut self, token: Token) -> Parsed<Term> {
        self.check_logic(Feature::BitVectors)?;
        let digits = &self.lexer.text()[2..];
        let value = match token {
            Token::Binary => BitVec::parse_binary(digits),
            _ => BitVec::parse_hex(digits),
        };
        match value {
            Some(value) => Ok(self.pool.bitvec(&value)),
            None => {
                let expected = format!("a literal of at most {} bits", BitVec::MAX_WIDTH);
                let found = format!("{} digits", digits.len());
                Err(self.refuse_token(DiagnosticKind::Literal, expected, found))
            }
        }
    }

    /// The current numeral: an index that was written as an argument, or else an integer.
    pub(crate) fn numeral(&mut self) -> Parsed<Option<Term>> {
        let index = number(self.lexer.text()).and_then(|n| u32::try_from(n).ok());
        if !self.strict
            && let Some(Frame { step: Step::Apply(Head::Operator { op, count, indices }), start, .. }) =
                self.work.frames.last_mut()
            && *count < op.info().indices
            && *start == self.work.args.len()
            && let Some(index) = index
        {
            indices[*count as usize] = index;
            *count += 1;
            return Ok(None);
        }
        self.integer_literal(false).map(Some)
    }

    /// Behind `(_` where a term is expected: `bvN w)`.
    pub(crate) fn indexed_constant(&mut self) -> Parsed<Term> {
        let token = self.lexer.next()?;
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, "a symbol with indices"));
        }
        if let Some(float) = self.special_float()? {
            return Ok(float);
        }
        let text = self.lexer.text();
        let Some(digits) =
            text.strip_prefix(b"bv").filter(|d| !d.is_empty() && d.iter().all(u8::is_ascii_digit))
        else {
            return Err(self.not_an_indexed_constant(token));
        };
        let place = self.lexer.place();
        // The digits are read before the width is known, unless they fit into a word.
        let (small, many) = match number(digits) {
            Some(value) => (value, Vec::new()),
            None => (0, digits.to_vec()),
        };
        let token = self.lexer.next()?;
        let width = self.width(token)?;
        self.close()?;
        let value = match many.is_empty() {
            true => (width >= u64::BITS - small.leading_zeros()).then(|| BitVec::from_u64(small, width)),
            false => BitVec::parse_decimal(&many, width),
        };
        match value {
            Some(value) => Ok(self.pool.bitvec(&value)),
            None => {
                let span = place..self.lexer.end();
                let expected = format!("a value below 2^{width}");
                let found =
                    if many.is_empty() { small.to_string() } else { format!("{} digits", many.len()) };
                Err(self.lexer.refuse(DiagnosticKind::Literal, span, expected, found))
            }
        }
    }

    /// Behind `((` where an operator is expected: an identifier with indices or a sort. A function is left on
    /// the stack of arguments.
    pub(crate) fn compound_head(&mut self) -> Parsed<Head> {
        let token = self.lexer.next()?;
        let word = match token {
            Token::Symbol => {
                let id = self.intern(token);
                self.symbols.meaning(id)
            }
            _ => Meaning::Unbound,
        };
        match word {
            Meaning::Word(Word::Index) => self.indexed_head(),
            Meaning::Word(Word::As) => self.qualified_head(),
            _ => Err(self.lexer.unexpected(token, "'_' or 'as'")),
        }
    }

    /// Behind `((_`.
    fn indexed_head(&mut self) -> Parsed<Head> {
        let token = self.lexer.next()?;
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, "an operator with indices"));
        }
        if let Some(head) = self.record_head()? {
            return Ok(head);
        }
        let id = self.intern(token);
        let op = match self.symbols.meaning(id) {
            Meaning::Operator(op) if op.info().indices > 0 => op,
            Meaning::Dialect(Dialect::Same(op)) if op.info().indices > 0 => {
                self.only_lenient("an operator of SMT-LIB", format!("'{}'", self.lexer.name(token)))?;
                op
            }
            Meaning::Unbound => return Err(self.undeclared(token, "an operator with indices")),
            _ => {
                let found = format!("'{}', which has none", self.lexer.name(token));
                return Err(self.refuse_token(DiagnosticKind::Sort, "an operator with indices", found));
            }
        };
        let mut indices = [0; 2];
        let count = op.info().indices;
        if matches!(op, Op::FpFromBits | Op::FpFromUbv) {
            let format = self.format_indices()?;
            indices = [format.exponent_bits(), format.significand_bits()];
            return Ok(Head::Operator { op, count, indices });
        }
        if op.is_lowered() {
            let token = self.lexer.next()?;
            indices[0] = self.width(token)?;
            self.close()?;
            return Ok(Head::Operator { op, count, indices });
        }
        for index in &mut indices[..count as usize] {
            let token = self.lexer.next()?;
            if token != Token::Numeral {
                return Err(self.lexer.unexpected(token, "an index"));
            }
            let Some(value) = number(self.lexer.text()).and_then(|n| u32::try_from(n).ok()) else {
                let found = self.lexer.describe(token);
                return Err(self.refuse_token(DiagnosticKind::Literal, "an index below 2^32", found));
            };
            *index = value;
        }
        self.close()?;
        Ok(Head::Operator { op, count, indices })
    }

    /// Behind `((as`.
    fn qualified_head(&mut self) -> Parsed<Head> {
        let token = self.lexer.next()?;
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, "a function with its result sort"));
        }
        if self.lexer.text() == b"const" {
            self.only_lenient("a function of SMT-LIB", "'const'")?;
            let sort = self.sort()?;
            self.close()?;
            return Ok(Head::ConstArray(sort));
        }
        let id = self.intern(token);
        let place = self.lexer.place();
        let meaning = self.symbols.meaning(id);
        let result = match meaning {
            Meaning::Function(function) => {
                let (_, result) =
                    self.pool.sorts().function_parts(self.pool.sort(function)).expect("a function sort");
                result
            }
            Meaning::Constructor(data_type, number) => {
                let sort = self.constructor_sort(data_type)?;
                self.close()?;
                return Ok(Head::Constructor(data_type, number, Some(sort)));
            }
            Meaning::Unbound => return Err(self.undeclared(token, "a declared function")),
            _ => {
                let found = format!("'{}'", self.lexer.name(token));
                return Err(self.refuse_token(DiagnosticKind::Sort, "a declared function", found));
            }
        };
        self.ascription(result)?;
        self.close()?;
        if let Meaning::Function(function) = meaning {
            self.work.args.push(function);
            self.work.places.push(place);
        }
        Ok(Head::Function)
    }

    /// Behind `(as` where a term is expected: a constant and its sort.
    pub(crate) fn qualified_constant(&mut self) -> Parsed<Term> {
        let token = self.lexer.next()?;
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, "a constant with its sort"));
        }
        let id = self.intern(token);
        let term = match self.symbols.meaning(id) {
            Meaning::Value(term) | Meaning::Local(term) => term,
            Meaning::Unbound if self.work.takes_elements && self.lexer.name(token).starts_with('@') => {
                let name = self.lexer.name(token).to_owned();
                return self.element(&name);
            }
            Meaning::Truth(value) => self.pool.bool(value),
            Meaning::Mode(mode) => self.mode(mode)?,
            Meaning::Constructor(data_type, number) => return self.qualified_constructor(data_type, number),
            _ => return Err(self.not_a_constant(token, id)),
        };
        self.ascription(self.pool.sort(term))?;
        self.close()?;
        Ok(term)
    }

    /// Reads the sort that a name is said to have, which must be `expected`.
    fn ascription(&mut self, expected: Sort) -> Parsed<()> {
        let token = self.lexer.next()?;
        let place = self.lexer.place();
        let found = self.sort_from(token)?;
        if found == expected {
            return Ok(());
        }
        let [expected, found] =
            [expected, found].map(|sort| format!("sort {}", self.pool.sorts().display(sort)));
        Err(self.lexer.refuse(DiagnosticKind::Sort, place..self.lexer.end(), expected, found))
    }
}
