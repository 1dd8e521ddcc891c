//! Reading terms, without recursion.
//!
//! A term is read left to right by one loop. What is open lies on a stack of frames: applications that wait
//! for arguments, binding lists, bodies of `let`, annotated terms. The arguments of all open applications lie
//! on one other stack, so an application that closes hands a slice of it to the pool and replaces it by the
//! result. A finished term is *delivered* to the innermost frame; frames that wanted just that term close in
//! turn. A million nested `let`s are a million frames of 40 bytes, not a million calls.
//!
//! The variables of quantifiers are in `quantifiers`. Those of a `let` get their meaning when the whole list
//! has been read, so the binding is simultaneous; they stand for terms, so nothing is substituted. Shadowing
//! is the business of the symbol table.
//!
//! Where each argument begins is kept beside it, so that a sort error points at the argument that is wrong.
//!
//! Cost: one frame per open parenthesis, twelve bytes per pending argument, and what the pool charges for the
//! result.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::reading::Reading;
use crate::smtlib::symbols::Meaning;
use crate::smtlib::vocabulary::{Dialect, Word};
use bivalve_terms::{Op, Sort, Term};

/// What is open.
pub(crate) struct Frame {
    pub(crate) step: Step,
    /// Where its arguments begin on the stack of arguments; for a binding list, where its variables begin.
    pub(crate) start: usize,
    /// Where it begins in the text.
    pub(crate) place: u64,
}

/// What an open frame waits for.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Arguments, and the parenthesis that closes the application.
    Apply(Head),
    /// Bindings of a `let`, and the parenthesis that closes their list.
    Bindings,
    /// The term of one binding.
    Binding,
    /// The body of a `let`; then the locals are as at `mark` again.
    Body { mark: usize },
    /// A term to be annotated, and attributes.
    Annotated,
    /// The body of a quantified formula, whose variables lie among the arguments; then the locals are as at
    /// `mark` again.
    Quantified { mark: usize, exists: bool },
    /// What is matched; its cases, which lie behind those of other matches from `cases` on, are frames
    /// within it.
    Match { cases: usize },
    /// The body of a case; then the locals are as at `mark` again.
    Case { mark: usize },
}

/// What is applied.
#[derive(Clone, Copy)]
pub(crate) enum Head {
    /// An operator with the first `count` of these indices.
    Operator { op: Op, count: u8, indices: [u32; 2] },
    /// A dialect name.
    Dialect(Dialect),
    /// A declared function, which lies first among the arguments.
    Function,
    /// A definition with parameters.
    Macro(u32),
    /// `(as const S)`.
    ConstArray(Sort),
    /// A constant in parentheses.
    Nullary(Term),
    /// A constructor by its data type and number, and its sort if that is written.
    Constructor(u32, u16, Option<Sort>),
    /// `(_ is c)`, by the data type and number of the constructor.
    Tester(u32, u16),
    /// A selector by its data type and the number of the field.
    Selector(u32, u32),
    /// `(_ update s)`.
    Update(u32, u32),
}

impl Reading<'_> {
    /// Reads a term that begins with the current token.
    pub(crate) fn term_from(&mut self, first: Token) -> Parsed<Term> {
        debug_assert!(self.work.frames.is_empty() && self.work.args.is_empty());
        let mut token = first;
        loop {
            let mut place = self.lexer.place();
            let term = match token {
                Token::Open => self.open_term(place)?,
                Token::Symbol | Token::Quoted => Some(self.constant(token)?),
                Token::Close => {
                    place = self.work.frames.last().map_or(place, |frame| frame.place);
                    Some(self.close_term()?)
                }
                Token::Binary | Token::Hexadecimal => Some(self.literal(token)?),
                Token::Numeral => self.numeral()?,
                Token::Decimal => Some(self.decimal()?),
                Token::String => return Err(self.foreign_literal(token)),
                Token::Keyword | Token::End => return Err(self.lexer.unexpected(token, "a term")),
            };
            if let Some(term) = term
                && let Some(root) = self.deliver(term, place)?
            {
                return Ok(root);
            }
            token = self.lexer.next()?;
            if let Some(Frame { step: Step::Bindings, .. }) = self.work.frames.last() {
                token = self.binding(token)?;
            }
        }
    }

    /// Gives a finished term to the innermost frame; frames that are finished by it are closed in turn. The
    /// term is returned when no frame is left.
    fn deliver(&mut self, term: Term, place: u64) -> Parsed<Option<Term>> {
        let (mut term, mut place) = (term, place);
        loop {
            let Some(frame) = self.work.frames.last() else { return Ok(Some(term)) };
            match frame.step {
                Step::Apply(_) => break,
                Step::Binding => {
                    place = frame.place;
                    self.close()?;
                    self.work.frames.pop();
                    break;
                }
                Step::Body { mark } => {
                    place = frame.place;
                    self.close()?;
                    self.symbols.leave(mark);
                    self.work.frames.pop();
                }
                Step::Annotated => {
                    place = frame.place;
                    self.attributes(term)?;
                    self.work.frames.pop();
                }
                Step::Quantified { mark, exists } => {
                    place = frame.place;
                    term = self.quantified(term, exists)?;
                    self.symbols.leave(mark);
                    self.work.frames.pop();
                }
                Step::Match { .. } => {
                    self.matched(term, place)?;
                    return Ok(None);
                }
                Step::Case { mark } => match self.case_done(term, place, mark)? {
                    None => return Ok(None),
                    Some(whole) => (term, place) = whole,
                },
                Step::Bindings => unreachable!("a binding list opens a binding before a term is read"),
            }
        }
        self.work.args.push(term);
        self.work.places.push(place);
        Ok(None)
    }

    /// A symbol that stands alone.
    fn constant(&mut self, token: Token) -> Parsed<Term> {
        let id = self.intern(token);
        match self.symbols.meaning(id) {
            Meaning::Value(term) | Meaning::Local(term) => Ok(term),
            Meaning::Truth(value) => Ok(self.pool.bool(value)),
            Meaning::Mode(mode) => self.mode(mode),
            Meaning::Constructor(data_type, number) => self.lone_constructor(data_type, number),
            // As Z3 reads an empty list, which angr writes for no constraints.
            Meaning::Operator(op @ (Op::And | Op::Or)) if !self.strict => Ok(self.pool.bool(op == Op::And)),
            Meaning::Unbound if token == Token::Symbol && !self.strict => match self.negative_number()? {
                Some(number) => Ok(number),
                None => Err(self.not_a_constant(token, id)),
            },
            _ => Err(self.not_a_constant(token, id)),
        }
    }

    /// Behind the opening parenthesis of a term at `place`: opens a frame, or is the whole term if that is
    /// short.
    fn open_term(&mut self, place: u64) -> Parsed<Option<Term>> {
        let token = self.lexer.next()?;
        let head = match token {
            Token::Symbol | Token::Quoted => {
                let id = self.intern(token);
                match self.symbols.meaning(id) {
                    Meaning::Operator(op) | Meaning::Dialect(Dialect::Same(op))
                        if op.is_lowered() && op.info().indices > 0 =>
                    {
                        let found = format!("'{}' alone", self.lexer.name(token));
                        return Err(self.refuse_token(
                            DiagnosticKind::Sort,
                            if op.info().indices == 1 {
                                "an operator with its index"
                            } else {
                                "an operator with its indices"
                            },
                            found,
                        ));
                    }
                    Meaning::Operator(op) => Head::Operator { op, count: 0, indices: [0; 2] },
                    Meaning::Function(function) => return Ok(self.open_function(function, place)),
                    Meaning::Macro(definition) => Head::Macro(definition),
                    Meaning::Word(word) => return self.open_word(word, place),
                    Meaning::Dialect(Dialect::Ratio) => Head::Dialect(Dialect::Ratio),
                    Meaning::Dialect(dialect) => {
                        self.only_lenient("an operator of SMT-LIB", format!("'{}'", self.lexer.name(token)))?;
                        Head::Dialect(dialect)
                    }
                    Meaning::Value(term) | Meaning::Local(term) => {
                        self.only_lenient(
                            "a function",
                            format!("the constant '{}'", self.lexer.name(token)),
                        )?;
                        Head::Nullary(term)
                    }
                    Meaning::Truth(value) => {
                        self.only_lenient("a function", format!("the constant '{value}'"))?;
                        Head::Nullary(self.pool.bool(value))
                    }
                    Meaning::Mode(mode) => {
                        self.only_lenient("a function", format!("the constant '{mode}'"))?;
                        Head::Nullary(self.mode(mode)?)
                    }
                    Meaning::Constructor(data_type, number) => Head::Constructor(data_type, number, None),
                    Meaning::Selector(data_type, number) => Head::Selector(data_type, number),
                    Meaning::Unbound => match self.older_tester(token) {
                        Some(tester) => tester,
                        None => return Err(self.undeclared(token, "a declared function")),
                    },
                }
            }
            Token::Open => match self.compound_head()? {
                Head::Function => return Ok(self.reopen_function(place)),
                head => head,
            },
            _ => return Err(self.lexer.unexpected(token, "an operator or a function")),
        };
        self.open_frame(Step::Apply(head), place);
        Ok(None)
    }

    #[inline]
    fn open_frame(&mut self, step: Step, place: u64) {
        self.work.frames.push(Frame { step, start: self.work.args.len(), place });
    }

    /// Opens an application of a function, which is the first of its own arguments.
    fn open_function(&mut self, function: Term, place: u64) -> Option<Term> {
        self.open_frame(Step::Apply(Head::Function), place);
        self.work.args.push(function);
        self.work.places.push(self.lexer.place());
        None
    }

    /// As [`Reading::open_function`] for a qualified function that [`Reading::compound_head`] left as last
    /// argument.
    fn reopen_function(&mut self, place: u64) -> Option<Term> {
        let function = self.work.args.pop().expect("a qualified function was left on the stack");
        self.work.places.pop();
        self.open_function(function, place)
    }

    /// Behind `(` and a word.
    fn open_word(&mut self, word: Word, place: u64) -> Parsed<Option<Term>> {
        match word {
            Word::Let => {
                self.open()?;
                let start = self.work.variables.len();
                self.work.frames.push(Frame { step: Step::Bindings, start, place });
                Ok(None)
            }
            Word::Annotation => {
                self.open_frame(Step::Annotated, place);
                Ok(None)
            }
            Word::Index => self.indexed_constant().map(Some),
            Word::As => self.qualified_constant().map(Some),
            Word::Quantifier => self.open_quantifier(place).map(|()| None),
            Word::Match => {
                self.open_match(place);
                Ok(None)
            }
        }
    }

    /// In a binding list: opens the next binding, or closes the list and gives all variables their meaning.
    /// Returns the token at which the next term begins.
    fn binding(&mut self, token: Token) -> Parsed<Token> {
        match token {
            Token::Open => {
                let place = self.lexer.place();
                let (id, _) = self.fresh_symbol("a variable to bind")?;
                self.work.variables.push(id);
                self.open_frame(Step::Binding, place);
            }
            Token::Close => self.bind_variables()?,
            _ => return Err(self.lexer.unexpected(token, "'(' and a binding, or ')'")),
        }
        self.lexer.next()
    }

    fn bind_variables(&mut self) -> Parsed<()> {
        let frame = self.work.frames.pop().expect("a binding list is open");
        let count = self.work.variables.len() - frame.start;
        if count == 0 {
            self.only_lenient("a binding", "an empty binding list")?;
        }
        let start = self.work.args.len() - count;
        self.check_distinct(frame.start, start)?;
        let mark = self.symbols.enter();
        for (&id, &term) in self.work.variables[frame.start..].iter().zip(&self.work.args[start..]) {
            self.symbols.bind_local(id, term);
        }
        self.work.variables.truncate(frame.start);
        self.work.args.truncate(start);
        self.work.places.truncate(start);
        self.work.frames.push(Frame { step: Step::Body { mark }, start, place: frame.place });
        Ok(())
    }

    /// Refuses two variables of one name in one list.
    fn check_distinct(&mut self, variables: usize, places: usize) -> Parsed<()> {
        let bound = &self.work.variables[variables..];
        if bound.len() < 2 {
            return Ok(());
        }
        let mut order: Vec<usize> = (0..bound.len()).collect();
        order.sort_unstable_by_key(|&i| (bound[i], i));
        let second =
            order.windows(2).filter(|pair| bound[pair[0]] == bound[pair[1]]).map(|pair| pair[1]).min();
        let Some(second) = second else { return Ok(()) };
        let place = self.work.places[places + second];
        let found = format!("'{}' twice", self.symbols.names.name(bound[second]));
        Err(self.lexer.refuse(
            DiagnosticKind::Taken,
            place..place + 1,
            "different variables in a binding list",
            found,
        ))
    }

    /// At a closing parenthesis: the application that it closes.
    fn close_term(&mut self) -> Parsed<Term> {
        match self.work.frames.last() {
            Some(&Frame { step: Step::Apply(head), start, place }) => {
                let term = self.apply(head, start, place)?;
                self.work.args.truncate(start);
                self.work.places.truncate(start);
                self.work.frames.pop();
                Ok(term)
            }
            _ => Err(self.lexer.unexpected(Token::Close, "a term")),
        }
    }
}
