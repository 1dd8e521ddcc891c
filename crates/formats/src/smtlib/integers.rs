//! Integer literals, and what is refused of integer terms.
//!
//! Integer terms are terms like others. A term that `bivalve-lowering` does not decide is refused as it is
//! read, where its place in the text is known: a divisor that may be zero, a number of too many bits, and
//! `Int` where a declaration asks for a sort.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::reading::Reading;
use bivalve_terms::{BigInt, Op, Sort, Term, TheorySort};

/// Longer numerals are refused before they are converted, which takes time quadratic in the digits. A digit
/// has more than three bits, so these have more than lowering takes.
const MOST_DIGITS: usize = (1 << 16) / 3;

impl Reading<'_> {
    /// The current numeral as a term; with a minus before its digits, if it is negative.
    pub(crate) fn integer_literal(&mut self, is_negative: bool) -> Parsed<Term> {
        let digits = &self.lexer.text()[usize::from(is_negative)..];
        if digits.len() > MOST_DIGITS {
            let found = format!("{} digits", digits.len());
            return Err(self.refuse_token(DiagnosticKind::Literal, "a shorter numeral", found));
        }
        let value = BigInt::parse_bytes(digits, 10).expect("a numeral is digits");
        let mut term = self.pool.int(&value);
        if is_negative {
            term = self.pool.mk(Op::IntNeg, &[term]);
        }
        self.decided(term, self.work.args.len(), self.lexer.place())
    }

    /// The number that the current symbol is, if it is a minus and digits: `-1.0`, as Z3 reads and prints it.
    pub(crate) fn negative_number(&mut self) -> Parsed<Option<Term>> {
        let Some(number) = self.lexer.text().strip_prefix(b"-") else { return Ok(None) };
        let mut parts = number.split(|&byte| byte == b'.');
        if !parts.by_ref().take(2).all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
            || parts.next().is_some()
        {
            return Ok(None);
        }
        if number.contains(&b'.') { self.decimal() } else { self.integer_literal(true) }.map(Some)
    }

    /// The sort of a definition: a sort, `Int`, or `Real`.
    pub(crate) fn result_sort(&mut self) -> Parsed<Sort> {
        let token = self.lexer.next()?;
        let is_declared =
            |name| self.symbols.names.find(name).is_some_and(|id| self.symbols.sorts.names.contains_key(&id));
        if token == Token::Symbol && self.lexer.text() == b"Int" && !is_declared(b"Int") {
            return Ok(Sort::INT);
        }
        if token == Token::Symbol && self.lexer.text() == b"Real" && !is_declared(b"Real") {
            return Ok(self.pool.sorts_mut().theory(TheorySort::Real));
        }
        self.sort_from(token)
    }

    /// The term, which begins at `place` and has the arguments from `start` on, unless its theory does not
    /// decide it.
    #[inline]
    pub(crate) fn decided(&mut self, term: Term, start: usize, place: u64) -> Parsed<Term> {
        if self.pool.has_lowered() { self.decided_by_theory(term, start, place) } else { Ok(term) }
    }

    fn decided_by_theory(&mut self, term: Term, start: usize, place: u64) -> Parsed<Term> {
        let Err(refusal) = self.symbols.lowering.check(self.pool, term) else { return Ok(term) };
        let span = match refusal.argument {
            Some(argument) => self.extent(self.work.places[start + argument]),
            None => place..self.lexer.end(),
        };
        Err(self.lexer.refuse(DiagnosticKind::Unsupported, span, refusal.expected, refusal.found))
    }
}
