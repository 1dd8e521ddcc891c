//! Texts into an instance, and assertions and nodes as texts.
//!
//! Scripts of SMT-LIB 2 are carried out as Boolector does: what is asserted is asserted here, and checks are
//! answered on the stream of the caller.

use super::btor::{Btor, Node, NodePtr};
use crate::fault::{Fault, Outcome, c_string};
use crate::text::{Language, print};
use bivalve::terms::{Op, Pool, Term};
use bivalve_formats::smtlib::{AttributeValue, Command, Parser, ParserOptions};
use bivalve_formats::{Language as Input, Problem};
use std::ffi::c_char;
use std::fmt::Write;

/// What reading a text gave.
#[derive(Default)]
pub(super) struct Parsed {
    /// 10, 20, or 0: the answer to the last check of the text.
    pub(super) result: i32,
    /// What the text says of its status.
    pub(super) status: i32,
    pub(super) is_smt2: bool,
    /// What is to be written.
    pub(super) output: String,
}

fn code(status: &str) -> i32 {
    match status {
        "sat" => 10,
        "unsat" => 20,
        _ => 0,
    }
}

impl Btor {
    /// Reads a text in one of the languages, or in that which it looks like.
    pub(super) fn parse(&mut self, text: &[u8], file: &str, language: Option<Input>) -> Outcome<Parsed> {
        let language = language.or_else(|| Input::of_other(text, true).flatten());
        let Some(language) = language else {
            let parsed = self.parse_smt2(text, file)?;
            return Ok(Parsed { is_smt2: true, ..parsed });
        };
        let problem = Problem::read(&mut self.pool, language, text, file, ParserOptions::default())?;
        for &symbol in &problem.symbols {
            self.adopt(symbol)?;
        }
        for assertion in problem.assertions() {
            self.checker.assert(&self.pool, assertion, false)?;
        }
        Ok(Parsed::default())
    }

    /// Makes a symbol of a text one of the inputs.
    fn adopt(&mut self, symbol: Term) -> Outcome<()> {
        let name = self.pool.name(symbol).unwrap_or_default().to_owned();
        let node = self.hand_out(Node::Term(symbol));
        self.inputs.push(symbol);
        if !name.is_empty() && !self.named.contains_key(&name) {
            self.call(Node::Term(symbol), &name)?;
        }
        self.release(node)
    }

    fn parse_smt2(&mut self, text: &[u8], file: &str) -> Outcome<Parsed> {
        let mut parser = Parser::new(text, file, ParserOptions::default());
        let mut parsed = Parsed::default();
        while let Some(command) = parser.next_command(&mut self.pool)? {
            match command {
                Command::Assert { term, .. } => self.checker.assert(&self.pool, term, false)?,
                Command::DeclareConst { symbol } | Command::DeclareFun { symbol } => self.adopt(symbol)?,
                Command::SetInfo { keyword, value: Some(AttributeValue::Symbol(word)) }
                    if keyword == ":status" =>
                {
                    parsed.status = code(&word);
                }
                Command::Push(levels) => {
                    parser.symbols_mut().push(levels);
                    self.checker.push(levels.into())?;
                }
                Command::Pop(levels) => {
                    self.checker.pop(levels.into())?;
                    parser.symbols_mut().pop(levels);
                }
                Command::CheckSat => {
                    parsed.result = self.check(0)?;
                    let word = match parsed.result {
                        10 => "sat",
                        20 => "unsat",
                        _ => "unknown",
                    };
                    let _ = writeln!(parsed.output, "{word}");
                }
                Command::GetModel => parsed.output += &self.model("smt2")?,
                Command::Echo(text) => {
                    let _ = writeln!(parsed.output, "{text}");
                }
                Command::Exit => break,
                Command::SetLogic(_)
                | Command::SetOption { .. }
                | Command::SetInfo { .. }
                | Command::DeclareSort { .. }
                | Command::DefineSort { .. }
                | Command::DefineFun { .. }
                | Command::DefineConst { .. } => {}
                other => {
                    let (line, column) = parser.location();
                    let command = format!("{other:?}");
                    let name = command.split([' ', '(', '{']).next().unwrap_or_default();
                    let message =
                        format!("{file}:{line}:{column}: the command {name} is not carried out here");
                    return Err(Fault::unsupported(message));
                }
            }
        }
        Ok(parsed)
    }

    /// Keeps a message for the program; its address.
    pub(super) fn keep_message(&mut self, message: &str) -> *mut c_char {
        self.message = c_string(message);
        self.message.as_ptr().cast_mut()
    }

    /// The assertions as a text.
    pub(super) fn dump(&self, language: Language) -> Outcome<String> {
        print(&self.pool, self.checker.solver().assertions(), language)
    }

    /// A node as a text: one of a bit as a formula in BTOR, any in SMT-LIB 2 as a term.
    pub(super) fn dump_node(&mut self, node: NodePtr, language: Language) -> Outcome<String> {
        let term = self.term(node)?;
        if language == Language::SmtLib2 {
            return Ok(format!("{}\n", self.pool.display(term)));
        }
        if self.pool.width(term) != Some(1) {
            return Err(Fault::unsupported("only nodes of bit-width 1 can be dumped in BTOR"));
        }
        let formula = self.condition(term)?;
        print(&self.pool, &[formula], language)
    }
}

/// Whether a term is a constant with this property.
pub(super) fn is_constant(pool: &Pool, term: Term, ask: impl Fn(&bivalve::terms::BitVec) -> bool) -> bool {
    pool.op(term) == Op::Const && pool.as_bitvec(term).is_some_and(|value| ask(&value))
}
