//! Objectives: `(minimize t)`, `(maximize t)`, `(assert-soft t)`, commands of Z3, with their attributes.
//!
//! A weight is a numeral or a decimal, with a sign if there is one, or a term of these: `-2`, `(- 0.5)`,
//! `(/ 1 3)`. It is read exactly.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::command::Command;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::reading::Reading;
use bivalve_terms::float::Rational;
use bivalve_terms::{BigInt, Sort, SortKind, Term, TheorySort};

/// More digits would only take time, in every sum that the weight is part of.
const MOST_DIGITS: usize = 1000;

/// The attributes of an objective.
#[derive(Default)]
struct Attributes {
    is_signed: bool,
    weight: Option<Rational>,
    id: Option<String>,
}

impl Reading<'_> {
    /// Behind `minimize` or `maximize`.
    pub(crate) fn objective(&mut self, name: &str, maximise: bool) -> Parsed<Command> {
        self.only_lenient("a command of SMT-LIB", format!("'{name}'"))?;
        let (place, term) = self.quoted_term()?;
        let sort = self.pool.sort(term.1);
        if !matches!(
            self.pool.sorts().kind(sort),
            SortKind::BitVec(_) | SortKind::Theory(TheorySort::Float(_))
        ) {
            let (expected, found) =
                ("a bit-vector or a floating-point number", self.pool.sorts().display(sort));
            let (span, found) = (self.extent(place), found.to_string());
            return Err(self.lexer.refuse(DiagnosticKind::Sort, span, expected, found));
        }
        let attributes = self.attributes_of_objective(false)?;
        let Attributes { is_signed, id, .. } = attributes;
        Ok(Command::Optimise { term, maximise, is_signed, id })
    }

    /// Behind `assert-soft`.
    pub(crate) fn soft_constraint(&mut self, name: &str) -> Parsed<Command> {
        self.only_lenient("a command of SMT-LIB", format!("'{name}'"))?;
        let (place, term) = self.quoted_term()?;
        self.check_sort(term.1, Sort::BOOL, place)?;
        let Attributes { weight, id, .. } = self.attributes_of_objective(true)?;
        let weight = weight.unwrap_or_else(|| Rational::from_integer(1));
        Ok(Command::AssertSoft { term, weight, id })
    }

    /// A term with its place and its text as sent.
    fn quoted_term(&mut self) -> Parsed<(u64, (String, Term))> {
        self.lexer.source.pin();
        let token = self.lexer.next()?;
        let place = self.lexer.place();
        let term = self.term_from(token)?;
        let text = String::from_utf8_lossy(self.lexer.source.slice(place, self.lexer.end())).into_owned();
        Ok((place, (text, term)))
    }

    /// The attributes, and the parenthesis that closes the command.
    fn attributes_of_objective(&mut self, is_soft: bool) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            let token = self.lexer.next()?;
            match (token, self.lexer.text()) {
                (Token::Close, _) => return Ok(attributes),
                (Token::Keyword, b":id") => {
                    let token = self.lexer.next()?;
                    if !matches!(token, Token::Symbol | Token::Quoted) {
                        return Err(self.lexer.unexpected(token, "the name of an objective"));
                    }
                    attributes.id = Some(self.lexer.name(token).to_owned());
                }
                (Token::Keyword, b":weight") if is_soft => {
                    let token = self.lexer.next()?;
                    attributes.weight = Some(self.weight(token)?);
                }
                (Token::Keyword, b":signed") if !is_soft => attributes.is_signed = true,
                _ => {
                    let expected =
                        if is_soft { "':weight', ':id' or ')'" } else { "':signed', ':id' or ')'" };
                    return Err(self.lexer.unexpected(token, expected));
                }
            }
        }
    }

    /// The weight that begins with the current token.
    fn weight(&mut self, token: Token) -> Parsed<Rational> {
        const EXPECTED: &str = "a weight: a numeral, a decimal, '(- w)' or '(/ w w)'";
        let text = self.lexer.text();
        match token {
            Token::Numeral | Token::Decimal | Token::Symbol if text.len() > MOST_DIGITS => {
                let expected = format!("a weight of at most {MOST_DIGITS} characters");
                let found = format!("{} characters", text.len());
                Err(self.refuse_token(DiagnosticKind::Literal, expected, found))
            }
            Token::Numeral | Token::Decimal => Ok(decimal(text)),
            Token::Symbol if is_negative_number(text) => Ok(-&decimal(&text[1..])),
            Token::Open => {
                let place = self.lexer.place();
                let token = self.lexer.next()?;
                let is_quotient = match (token, self.lexer.text()) {
                    (Token::Symbol, b"/") => true,
                    (Token::Symbol, b"-") => false,
                    _ => return Err(self.lexer.unexpected(token, "'-' or '/'")),
                };
                let mut numbers = vec![];
                for _ in 0..if is_quotient { 2 } else { 1 } {
                    let token = self.lexer.next()?;
                    if token == Token::Open {
                        return Err(self.lexer.unexpected(token, "a numeral or a decimal"));
                    }
                    numbers.push(self.weight(token)?);
                }
                self.close()?;
                let [first, rest @ ..] = &numbers[..] else { unreachable!("one number was read at least") };
                let Some(divisor) = rest.first() else { return Ok(-first) };
                let quotient = Rational::new(
                    first.numerator() * BigInt::from(divisor.denominator().clone()) * sign(divisor),
                    first.denominator() * divisor.numerator().magnitude(),
                );
                quotient.ok_or_else(|| {
                    let span = self.extent(place);
                    self.lexer.refuse(DiagnosticKind::Literal, span, EXPECTED, "a division by zero")
                })
            }
            _ => Err(self.lexer.unexpected(token, EXPECTED)),
        }
    }
}

fn sign(number: &Rational) -> i32 {
    if number.is_negative() { -1 } else { 1 }
}

/// Digits, with a point or without one.
fn decimal(text: &[u8]) -> Rational {
    let (whole, fraction) = match text.iter().position(|&byte| byte == b'.') {
        Some(point) => (&text[..point], &text[point + 1..]),
        None => (text, &text[..0]),
    };
    let digits = [whole, fraction].concat();
    let number = BigInt::parse_bytes(&digits, 10).expect("the token has digits");
    let ten = BigInt::from(10).pow(fraction.len() as u32);
    Rational::new(number, ten.magnitude().clone()).expect("a power of ten is not zero")
}

/// Whether a symbol is a number behind a minus.
fn is_negative_number(text: &[u8]) -> bool {
    let Some(number) = text.strip_prefix(b"-") else { return false };
    let mut parts = number.split(|&byte| byte == b'.');
    let is_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_digits) && parts.next().is_none_or(is_digits) && parts.next().is_none()
}
