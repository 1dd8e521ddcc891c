//! Expressions and formulas: a stack of values, and one of what is open.

use super::functions::{Function, function};
use super::lexer::Token;
use super::read::Reader;
use super::words::mismatch;
use crate::diagnostic::DiagnosticKind;
use crate::mismatch::Mismatch;
use crate::text::Read;
use bivalve_terms::{BitVec, Op, Sort, SortError, Term};
use std::ops::Range;

/// What is open to the left of the current token.
enum Open<'t> {
    /// An operator between two values or before one.
    Operator(Operator),
    Parenthesis,
    /// A function, the number of values before its arguments, its numbers and the place of its name.
    Call(Function, usize, Vec<u32>, Range<usize>),
    /// An application of a declared function and the number of values before its arguments.
    Apply(Term, usize, Range<usize>),
    /// `a[` with the closing sign.
    Index(&'static str),
    /// `a WITH [`.
    Place,
    /// `IF`: the number of conditions and branches before the current one, and whether `ELSE` was there.
    If(usize, bool),
    /// `LET x =`.
    Binding(&'t [u8]),
    /// `LET ... IN` with the bound names.
    Body(Vec<&'t [u8]>),
}

/// An operator with a precedence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Xor,
    Iff,
    Implies,
    Or,
    And,
    Nand,
    Nor,
    Not,
    Equal,
    Unequal,
    Concat,
    BitOr,
    BitAnd,
    BitNot,
    ShiftLeft,
    ShiftRight,
    /// `a WITH [i] := v`, over three values.
    With,
}

impl Operator {
    fn precedence(self) -> u32 {
        match self {
            Operator::Xor => 1,
            Operator::Iff => 2,
            Operator::Implies => 3,
            Operator::Or => 4,
            Operator::And => 5,
            Operator::Nand => 6,
            Operator::Nor => 7,
            Operator::Not => 8,
            Operator::Equal | Operator::Unequal => 9,
            Operator::Concat => 10,
            Operator::BitOr => 11,
            Operator::BitAnd => 12,
            Operator::BitNot => 13,
            Operator::ShiftLeft | Operator::ShiftRight => 14,
            Operator::With => 15,
        }
    }

    /// How it is written.
    fn sign(self) -> &'static str {
        match self {
            Operator::Xor => "XOR",
            Operator::Iff => "<=>",
            Operator::Implies => "=>",
            Operator::Or => "OR",
            Operator::And => "AND",
            Operator::Nand => "NAND",
            Operator::Nor => "NOR",
            Operator::Not => "NOT",
            Operator::Equal => "=",
            Operator::Unequal => "/=",
            Operator::Concat => "@",
            Operator::BitOr => "|",
            Operator::BitAnd => "&",
            Operator::BitNot => "~",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::With => "WITH",
        }
    }

    /// The operator between two values that a token is.
    fn binary(token: Token, bytes: &[u8]) -> Option<Operator> {
        Some(match (token, bytes) {
            (Token::Word, b"XOR") => Operator::Xor,
            (Token::Word, b"OR") => Operator::Or,
            (Token::Word, b"AND") => Operator::And,
            (Token::Word, b"NAND") => Operator::Nand,
            (Token::Word, b"NOR") => Operator::Nor,
            (Token::Sign("<=>"), _) => Operator::Iff,
            (Token::Sign("=>"), _) => Operator::Implies,
            (Token::Sign("="), _) => Operator::Equal,
            (Token::Sign("/="), _) => Operator::Unequal,
            (Token::Sign("@"), _) => Operator::Concat,
            (Token::Sign("|"), _) => Operator::BitOr,
            (Token::Sign("&"), _) => Operator::BitAnd,
            (Token::Sign("<<"), _) => Operator::ShiftLeft,
            (Token::Sign(">>"), _) => Operator::ShiftRight,
            _ => return None,
        })
    }
}

/// What the reader looks for next.
enum Step {
    /// A value, or what may stand before one.
    Operand,
    /// What may stand behind a value.
    Behind,
    /// Nothing: the expression is complete.
    End,
}

/// The stacks of an expression.
#[derive(Default)]
struct Stacks<'t> {
    values: Vec<(Term, Range<usize>)>,
    open: Vec<Open<'t>>,
}

impl<'t> Reader<'_, 't> {
    /// The expression up to the semicolon behind it, which is the next token.
    pub(super) fn expression(&mut self) -> Read<(Term, Range<usize>)> {
        let mut stacks = Stacks::default();
        let mut step = Step::Operand;
        loop {
            step = match step {
                Step::Operand => self.operand(&mut stacks)?,
                Step::Behind => self.behind(&mut stacks)?,
                Step::End => return Ok(stacks.values.pop().expect("an expression has a value")),
            };
        }
    }

    /// Reads what may stand before a value, and the value.
    fn operand(&mut self, stacks: &mut Stacks<'t>) -> Read<Step> {
        let token = self.lexer.next()?;
        let (bytes, place) = (self.lexer.bytes(), self.lexer.place.clone());
        let value = match token {
            Token::Sign("(") => {
                stacks.open.push(Open::Parenthesis);
                return Ok(Step::Operand);
            }
            Token::Sign("~") => {
                stacks.open.push(Open::Operator(Operator::BitNot));
                return Ok(Step::Operand);
            }
            Token::Literal => self.literal()?,
            Token::Numeral => return self.number(stacks),
            Token::Word => match bytes {
                b"NOT" => {
                    stacks.open.push(Open::Operator(Operator::Not));
                    return Ok(Step::Operand);
                }
                b"IF" => {
                    stacks.open.push(Open::If(0, false));
                    return Ok(Step::Operand);
                }
                b"LET" => {
                    stacks.open.push(Open::Body(vec![]));
                    self.binding(stacks)?;
                    return Ok(Step::Operand);
                }
                b"TRUE" => self.pool.bool(true),
                b"FALSE" => self.pool.bool(false),
                _ => match function(bytes) {
                    Some(function) => {
                        self.lexer.expect("(")?;
                        stacks.open.push(Open::Call(function, stacks.values.len(), vec![], place));
                        return Ok(Step::Operand);
                    }
                    None => self.named(bytes)?,
                },
            },
            token => return Err(self.lexer.unexpected(token, "an expression")),
        };
        if self.pool.sorts().is_function(self.pool.sort(value)) {
            self.lexer.expect("(")?;
            stacks.open.push(Open::Apply(value, stacks.values.len(), place));
            return Ok(Step::Operand);
        }
        stacks.values.push((value, place));
        Ok(Step::Behind)
    }

    /// A decimal number: an argument of a function, or the places of a shift.
    fn number(&mut self, stacks: &mut Stacks<'t>) -> Read<Step> {
        let digits = std::str::from_utf8(self.lexer.bytes()).unwrap_or_default();
        let number = digits.parse().map_err(|_| self.lexer.unexpected(Token::Numeral, "a smaller number"))?;
        match stacks.open.last_mut() {
            Some(Open::Call(_, _, numbers, _)) => {
                numbers.push(number);
                // A number is no value; behind it comes the next argument or the end of the list.
                match self.lexer.peek()? {
                    Token::Sign(",") => {
                        self.lexer.next()?;
                        Ok(Step::Operand)
                    }
                    Token::Sign(")") => Ok(Step::Behind),
                    _ => {
                        let token = self.lexer.next()?;
                        Err(self.lexer.unexpected(token, "',' or ')'"))
                    }
                }
            }
            Some(Open::Operator(shift @ (Operator::ShiftLeft | Operator::ShiftRight))) => {
                let left = *shift == Operator::ShiftLeft;
                stacks.open.pop();
                let (term, place) = stacks.values.pop().expect("a shift is behind a value");
                let moved = self.moved(term, number, left);
                let place = place.start..self.lexer.place.end;
                let moved = moved.map_err(|refusal| {
                    self.refuse(refusal, if left { "<<" } else { ">>" }, &[], place.clone())
                })?;
                stacks.values.push((moved, place));
                Ok(Step::Behind)
            }
            _ => Err(self.lexer.unexpected(Token::Numeral, "an expression")),
        }
    }

    /// `x << n` has n bits more, `x >> n` has as many as x.
    fn moved(&mut self, term: Term, count: u32, left: bool) -> Result<Term, SortError> {
        let Some(width) = self.pool.width(term) else { return self.pool.bvnot(term) };
        let count = if left { count } else { count.min(width) };
        if count == 0 {
            return Ok(term);
        }
        Sort::bitvec(count)?;
        let zeros = self.pool.bitvec(&BitVec::zero(count));
        if left {
            return self.pool.concat(term, zeros);
        }
        if count == width {
            return Ok(zeros);
        }
        let kept = self.pool.extract(width - 1, count, term)?;
        self.pool.concat(zeros, kept)
    }

    fn literal(&mut self) -> Read<Term> {
        let bytes = self.lexer.bytes();
        let value = match bytes {
            [b'0', b'b', b'i', b'n', digits @ ..] | [b'0', b'b', digits @ ..] => BitVec::parse_binary(digits),
            [b'0', b'h', b'e', b'x', digits @ ..] | [b'0', b'x' | b'h', digits @ ..] => {
                BitVec::parse_hex(digits)
            }
            _ => None,
        };
        match value {
            Some(value) => Ok(self.pool.bitvec(&value)),
            None => Err(self.lexer.unexpected(Token::Literal, "binary or hexadecimal digits")),
        }
    }

    /// `x =` or `x : T =` behind `LET` or a comma.
    fn binding(&mut self, stacks: &mut Stacks<'t>) -> Read<()> {
        let token = self.lexer.next()?;
        if token != Token::Word {
            return Err(self.lexer.unexpected(token, "the name of a variable"));
        }
        let name = self.lexer.bytes();
        if self.lexer.peek()? == Token::Sign(":") {
            self.lexer.next()?;
            self.sort()?;
        }
        self.lexer.expect("=")?;
        stacks.open.push(Open::Binding(name));
        Ok(())
    }

    /// Reads what may stand behind a value.
    fn behind(&mut self, stacks: &mut Stacks<'t>) -> Read<Step> {
        if self.lexer.peek()? == Token::Sign(";") {
            self.reduce(stacks, 0)?;
            if stacks.open.is_empty() {
                return Ok(Step::End);
            }
        }
        let token = self.lexer.next()?;
        let bytes = self.lexer.bytes();
        if let Some(operator) = Operator::binary(token, bytes) {
            // To the right means that an equal operator to the left waits.
            self.reduce(stacks, operator.precedence() + u32::from(operator == Operator::Implies))?;
            stacks.open.push(Open::Operator(operator));
            return Ok(Step::Operand);
        }
        match (token, bytes) {
            (Token::Sign("["), _) => return self.bracket(stacks),
            (Token::Sign("("), _) => {
                stacks.open.push(Open::Index(")"));
                return Ok(Step::Operand);
            }
            (Token::Word, b"WITH") => {
                self.reduce(stacks, Operator::With.precedence())?;
                self.lexer.expect("[")?;
                stacks.open.push(Open::Place);
                return Ok(Step::Operand);
            }
            _ => {}
        }
        self.reduce(stacks, 0)?;
        self.closing(stacks, token, bytes)
    }

    /// `[i]` or `[high:low]` behind a value.
    fn bracket(&mut self, stacks: &mut Stacks<'t>) -> Read<Step> {
        if self.lexer.peek()? != Token::Numeral {
            stacks.open.push(Open::Index("]"));
            return Ok(Step::Operand);
        }
        let high = self.lexer.numeral()?;
        self.lexer.expect(":")?;
        let low = self.lexer.numeral()?;
        self.lexer.expect("]")?;
        let (term, place) = stacks.values.pop().expect("a bracket is behind a value");
        let place = place.start..self.lexer.place.end;
        let slice = self.pool.extract(high, low, term);
        let slice = slice.map_err(|refusal| self.refuse(refusal, "[i:j]", &[], place.clone()))?;
        stacks.values.push((slice, place));
        Ok(Step::Behind)
    }

    /// A token that closes what is open, once all operators are reduced.
    fn closing(&mut self, stacks: &mut Stacks<'t>, token: Token, bytes: &[u8]) -> Read<Step> {
        let Some(open) = stacks.open.pop() else { return Err(self.lexer.unexpected(token, "';'")) };
        match (open, token, bytes) {
            (Open::Parenthesis, Token::Sign(")"), _) => Ok(Step::Behind),
            (Open::Call(function, base, numbers, place), Token::Sign(")"), _) => {
                let args = stacks.values.split_off(base);
                let whole = place.start..self.lexer.place.end;
                let (terms, places): (Vec<Term>, Vec<Range<usize>>) = args.into_iter().unzip();
                let Some(built) = function.apply(self.pool, &terms, &numbers) else {
                    let found = format!("{} expressions and {} numbers", terms.len(), numbers.len());
                    let expected = "other arguments";
                    return Err(self.lexer.text.refuse(DiagnosticKind::Syntax, whole, expected, found));
                };
                let name = String::from_utf8_lossy(self.lexer.text.of(&place));
                let term = built.map_err(|refusal| self.refuse(refusal, &name, &places, whole.clone()))?;
                stacks.values.push((term, whole));
                Ok(Step::Behind)
            }
            (open @ (Open::Call(..) | Open::Apply(..)), Token::Sign(","), _) => {
                stacks.open.push(open);
                Ok(Step::Operand)
            }
            (Open::Apply(function, base, place), Token::Sign(")"), _) => {
                let (terms, places): (Vec<Term>, Vec<Range<usize>>) =
                    stacks.values.split_off(base).into_iter().unzip();
                let whole = place.start..self.lexer.place.end;
                let term = self.pool.apply(function, &terms);
                let name = String::from_utf8_lossy(self.lexer.text.of(&place));
                let term = term.map_err(|refusal| self.refuse(refusal, &name, &places, whole.clone()))?;
                stacks.values.push((term, whole));
                Ok(Step::Behind)
            }
            (Open::Index(sign), Token::Sign(found), _) if found == sign => {
                self.build(stacks, Op::Select, "[i]", 2)?;
                Ok(Step::Behind)
            }
            (Open::Place, Token::Sign("]"), _) => {
                self.lexer.expect(":=")?;
                stacks.open.push(Open::Operator(Operator::With));
                Ok(Step::Operand)
            }
            (Open::If(values, false), Token::Word, b"THEN") if values % 2 == 0 => {
                stacks.open.push(Open::If(values + 1, false));
                Ok(Step::Operand)
            }
            (Open::If(values, false), Token::Word, b"ELSE" | b"ELSIF") if values % 2 == 1 => {
                stacks.open.push(Open::If(values + 1, bytes == b"ELSE"));
                Ok(Step::Operand)
            }
            (Open::If(values, true), Token::Word, b"ENDIF") => {
                (0..values / 2).try_for_each(|_| self.build(stacks, Op::Ite, "IF", 3))?;
                Ok(Step::Behind)
            }
            (Open::Binding(name), Token::Sign(","), _) => {
                self.bind(stacks, name);
                self.binding(stacks)?;
                Ok(Step::Operand)
            }
            (Open::Binding(name), Token::Word, b"IN") => {
                self.bind(stacks, name);
                Ok(Step::Operand)
            }
            _ => Err(self.lexer.unexpected(token, "an operator or the end of what is open")),
        }
    }

    fn bind(&mut self, stacks: &mut Stacks<'t>, name: &'t [u8]) {
        let (value, _) = stacks.values.pop().expect("a binding has a value");
        self.variables.entry(name).or_default().push(value);
        if let Some(Open::Body(names)) = stacks.open.last_mut() {
            names.push(name);
        }
    }

    /// Builds the terms of operators of at least this precedence, up to what is open otherwise. The body of a
    /// `LET` ends where everything is reduced.
    fn reduce(&mut self, stacks: &mut Stacks<'t>, least: u32) -> Read<()> {
        loop {
            match stacks.open.last() {
                Some(&Open::Operator(operator)) if operator.precedence() >= least => {
                    stacks.open.pop();
                    self.operator(stacks, operator)?;
                }
                Some(Open::Body(names)) if least == 0 => {
                    for name in names {
                        self.variables.get_mut(name).expect("the variable is bound").pop();
                    }
                    stacks.open.pop();
                }
                _ => return Ok(()),
            }
        }
    }

    fn operator(&mut self, stacks: &mut Stacks<'t>, operator: Operator) -> Read<()> {
        let (op, arity) = match operator {
            Operator::Xor => (Op::Xor, 2),
            Operator::Iff | Operator::Equal => (Op::Eq, 2),
            Operator::Implies => (Op::Implies, 2),
            Operator::Or | Operator::Nor => (Op::Or, 2),
            Operator::And | Operator::Nand => (Op::And, 2),
            Operator::Not => (Op::Not, 1),
            Operator::Unequal => (Op::Distinct, 2),
            Operator::Concat => (Op::Concat, 2),
            Operator::BitOr => (Op::BvOr, 2),
            Operator::BitAnd => (Op::BvAnd, 2),
            Operator::BitNot => (Op::BvNot, 1),
            Operator::ShiftLeft => (Op::BvShl, 2),
            Operator::ShiftRight => (Op::BvLshr, 2),
            Operator::With => (Op::Store, 3),
        };
        self.build(stacks, op, operator.sign(), arity)?;
        if matches!(operator, Operator::Nand | Operator::Nor) {
            self.build(stacks, Op::Not, operator.sign(), 1)?;
        }
        Ok(())
    }

    /// Replaces the last values by an operator over them, which is written so.
    fn build(&mut self, stacks: &mut Stacks<'t>, op: Op, sign: &str, arity: usize) -> Read<()> {
        let args = stacks.values.split_off(stacks.values.len() - arity);
        let whole = args[0].1.start..args[arity - 1].1.end;
        let (terms, places): (Vec<Term>, Vec<Range<usize>>) = args.into_iter().unzip();
        let term = self.pool.app(op, &terms);
        let term = term.map_err(|refusal| self.refuse(refusal, sign, &places, whole.clone()))?;
        stacks.values.push((term, whole));
        Ok(())
    }

    #[cold]
    fn refuse(
        &self,
        refusal: SortError,
        name: &str,
        places: &[Range<usize>],
        whole: Range<usize>,
    ) -> Box<crate::Diagnostic> {
        let Mismatch { argument, expected, found } = mismatch(refusal, Some(name));
        let place = argument.and_then(|position| places.get(position - 1)).cloned().unwrap_or(whole);
        self.lexer.text.refuse(DiagnosticKind::Sort, place, expected, found)
    }
}
