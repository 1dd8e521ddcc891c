//! Terms and formulas, with a stack of what is open.

use super::lexer::Token;
use super::read::Reader;
use super::words::{Head, Word, constant, head};
use crate::diagnostic::DiagnosticKind;
use crate::lines::bits::{bits, truth, width};
use crate::lines::operators::alike;
use crate::mismatch::Mismatch;
use crate::text::Read;
use bivalve_terms::{BitVec, Op, Pool, Term};
use std::ops::Range;

/// An open parenthesis and what has been read behind it.
struct Open<'t> {
    kind: Kind<'t>,
    /// The parenthesis.
    start: usize,
    args: Vec<Term>,
    places: Vec<Range<usize>>,
}

enum Kind<'t> {
    /// An operator with indices.
    Operator(Head, Vec<u32>),
    /// A declared function or constant.
    Symbol(Term),
    /// `(let (?x value) body)` with the variable.
    Let(&'t [u8]),
    /// Parentheses around one term.
    Group,
}

impl<'t> Reader<'_, 't> {
    /// The next term, and its place.
    pub(super) fn term(&mut self) -> Read<(Term, Range<usize>)> {
        let mut stack: Vec<Open<'t>> = vec![];
        loop {
            let token = self.lexer.next()?;
            let place = self.lexer.place.clone();
            let value = match token {
                Token::Open => {
                    let open = self.open(place.start)?;
                    stack.push(open);
                    continue;
                }
                Token::Attribute if !stack.is_empty() => {
                    self.skip_value()?;
                    continue;
                }
                Token::Close => match stack.pop() {
                    Some(open) => {
                        let place = open.start..self.lexer.place.end;
                        (self.close(open)?, place)
                    }
                    None => return Err(self.lexer.unexpected(token, "a term")),
                },
                Token::Word => match stack.last().map(|open| &open.kind) {
                    // The places of an old shift are a number.
                    Some(Kind::Operator(Head::Shift { .. }, _)) if self.lexer.bytes()[0].is_ascii_digit() => {
                        self.places(&mut stack)?;
                        continue;
                    }
                    _ => (self.atom()?, place),
                },
                token => return Err(self.lexer.unexpected(token, "a term")),
            };
            match stack.last_mut() {
                None => return Ok(value),
                Some(open) => {
                    open.args.push(value.0);
                    open.places.push(value.1);
                    if let (Kind::Let(variable), 1) = (&open.kind, open.args.len()) {
                        let variable = *variable;
                        self.variables.entry(variable).or_default().push(value.0);
                        self.lexer.expect(Token::Close, "')' behind the value of the variable")?;
                    }
                }
            }
        }
    }

    /// What stands behind an opening parenthesis, before the first argument.
    fn open(&mut self, start: usize) -> Read<Open<'t>> {
        let kind = match self.lexer.peek()? {
            Token::Word => {
                self.lexer.next()?;
                self.head()?
            }
            _ => Kind::Group,
        };
        Ok(Open { kind, start, args: vec![], places: vec![] })
    }

    fn head(&mut self) -> Read<Kind<'t>> {
        let bytes = self.lexer.bytes();
        if let Some(&symbol) = self.symbols.get(bytes) {
            return Ok(Kind::Symbol(symbol));
        }
        let word = Word::new(bytes);
        match (head(word.name), word.indices) {
            (Some(Head::Let | Head::Flet), Some(indices)) if indices.is_empty() => {
                self.lexer.expect(Token::Open, "'(' and a variable")?;
                self.lexer.expect(Token::Word, "a variable")?;
                Ok(Kind::Let(self.lexer.bytes()))
            }
            (Some(head), Some(indices)) => Ok(Kind::Operator(head, indices)),
            _ => self.atom().map(Kind::Symbol),
        }
    }

    /// The number behind the term of an old shift.
    fn places(&mut self, stack: &mut [Open<'t>]) -> Read<()> {
        let digits = std::str::from_utf8(self.lexer.bytes()).ok();
        let (Some(places), Some(open)) = (digits.and_then(|text| text.parse().ok()), stack.last_mut()) else {
            return Err(self.lexer.unexpected(Token::Word, "a number of places"));
        };
        if let Kind::Operator(_, indices) = &mut open.kind {
            indices.push(places);
        }
        Ok(())
    }

    /// The constant, variable or symbol that the current token is.
    fn atom(&mut self) -> Read<Term> {
        let bytes = self.lexer.bytes();
        if let Some(&value) = self.variables.get(bytes).and_then(|values| values.last()) {
            return Ok(value);
        }
        if let Some(&symbol) = self.symbols.get(bytes) {
            return Ok(symbol);
        }
        match bytes {
            b"true" => return Ok(self.pool.bool(true)),
            b"false" => return Ok(self.pool.bool(false)),
            _ => {}
        }
        if let Some(value) = constant(&Word::new(bytes)) {
            return Ok(self.pool.bitvec(&value));
        }
        let found = self.lexer.text.shown(&self.lexer.place);
        let place = self.lexer.place.clone();
        Err(self.lexer.text.refuse(DiagnosticKind::Undeclared, place, "a term", found))
    }

    /// The term of a closed parenthesis.
    fn close(&mut self, open: Open<'t>) -> Read<Term> {
        let Open { kind, start, args, places } = open;
        let whole = start..self.lexer.place.end;
        let built = match (kind, &args[..]) {
            (Kind::Group, &[term]) => return Ok(term),
            (Kind::Symbol(symbol), []) => return Ok(symbol),
            (Kind::Symbol(symbol), args) => self.pool.apply(symbol, args),
            (Kind::Let(variable), &[_, body]) => {
                if let Some(values) = self.variables.get_mut(variable) {
                    values.pop();
                }
                return Ok(body);
            }
            // A connective of one formula is that formula.
            (Kind::Operator(Head::Op(Op::And | Op::Or), _), &[formula]) => return Ok(formula),
            (Kind::Operator(Head::Op(op), indices), args) => match self.pool.indexed(op, &indices, args) {
                Ok(term) => Ok(term),
                Err(refusal) => {
                    let other = self.converted(op, args);
                    self.pool.indexed(op, &indices, &other).map_err(|_| refusal)
                }
            },
            (Kind::Operator(Head::Shift { left, ones }, indices), args) => match (args, &indices[..]) {
                (&[arg], &[count]) if self.pool.width(arg).is_some() => {
                    return Ok(self.shifted(arg, count, left, ones));
                }
                _ => {
                    let found = self.lexer.text.shown(&whole);
                    let expected = "a bit-vector and a number of places";
                    return Err(self.lexer.text.refuse(DiagnosticKind::Sort, whole, expected, found));
                }
            },
            (Kind::Group | Kind::Let(_) | Kind::Operator(..), _) => {
                let found = format!("{} terms", args.len());
                return Err(self.lexer.text.refuse(DiagnosticKind::Syntax, whole, "one term", found));
            }
        };
        built.map_err(|refusal| {
            let Mismatch { argument, expected, found } = Mismatch::new(refusal, None);
            let place = argument.and_then(|position| places.get(position - 1)).cloned().unwrap_or(whole);
            self.lexer.text.refuse(DiagnosticKind::Sort, place, expected, found)
        })
    }

    /// Arguments in the sorts that an operator has, where a bit stands for a formula or a formula for a bit.
    fn converted(&mut self, op: Op, args: &[Term]) -> Vec<Term> {
        let pool = &mut *self.pool;
        let to_truth =
            |pool: &mut Pool, term| if width(pool, term) == Some(1) { truth(pool, term) } else { term };
        match op {
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => {
                args.iter().map(|&arg| to_truth(pool, arg)).collect()
            }
            Op::Eq | Op::Distinct => alike(pool, args),
            Op::Ite if args.len() == 3 => {
                let condition = to_truth(pool, args[0]);
                [&[condition], &alike(pool, &args[1..])[..]].concat()
            }
            _ => args.iter().map(|&arg| bits(pool, arg)).collect(),
        }
    }

    /// The bits of `arg` moved by `count` places.
    fn shifted(&mut self, arg: Term, count: u32, left: bool, ones: bool) -> Term {
        let width = self.pool.width(arg).expect("the argument of a shift is a bit-vector");
        let count = count.min(width);
        let fill = |width| if ones { BitVec::ones(width) } else { BitVec::zero(width) };
        if count == 0 {
            return arg;
        }
        let new = self.pool.bitvec(&fill(count));
        if count == width {
            return new;
        }
        match left {
            true => {
                let kept = self.pool.mk_indexed(Op::Extract, &[width - 1 - count, 0], &[arg]);
                self.pool.mk(Op::Concat, &[kept, new])
            }
            false => {
                let kept = self.pool.mk_indexed(Op::Extract, &[width - 1, count], &[arg]);
                self.pool.mk(Op::Concat, &[new, kept])
            }
        }
    }
}
