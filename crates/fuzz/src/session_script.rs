//! Sessions as scripts.
//!
//! Symbols are declared once and for all, or each where it is needed first: then a declaration goes with its
//! level and is made again later, so that names get new meanings, and what the binary remembers of the old
//! ones (terms, definitions, gates, lemmas, witnesses) has to be dropped or kept apart.

use crate::session::{Session, Step};
use bivalve_formats::smtlib::print::{self, BitVecFormat};
use bivalve_terms::{Op, Term, cone};
use std::fmt::Write as _;

/// What is declared, level by level.
struct Declared(Vec<Vec<String>>);

impl Session {
    /// The session as a script; `answers` has the result of each check, which determines the queries after
    /// it.
    pub fn script(&self, answers: &[Option<bool>]) -> String {
        let mut text =
            String::from("(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n");
        let _ = writeln!(text, "(set-option :produce-unsat-assumptions true)");
        let _ = writeln!(text, "(set-option :global-declarations {})\n(set-logic ALL)", !self.scoped);
        let mut declared = Declared(vec![vec![]]);
        if !self.scoped {
            let all: Vec<Term> = self.steps.iter().flat_map(Step::terms).copied().collect();
            text += &self.declare(&all, &mut declared);
        }
        let (mut checks, mut names) = (answers.iter(), 0);
        for step in &self.steps {
            let needed: Vec<Term> = step.terms().copied().collect();
            text += &self.declare(&needed, &mut declared);
            match step {
                Step::Push(levels) => declared.0.extend(vec![vec![]; *levels as usize]),
                Step::Pop(levels) if (*levels as usize) < declared.0.len() && self.scoped => {
                    declared.0.truncate(declared.0.len() - *levels as usize);
                }
                Step::Reset if self.scoped => declared.0 = vec![vec![]],
                _ => {}
            }
            let answer = if let Step::Check(..) = step { checks.next().copied().flatten() } else { None };
            if let Some(sat) = answer {
                let _ = writeln!(text, "(set-info :status {})", if sat { "sat" } else { "unsat" });
            }
            self.write_step(&mut text, step, answer, &mut names);
        }
        text
    }

    fn write_step(&self, text: &mut String, step: &Step, answer: Option<bool>, names: &mut u32) {
        let term = |term: &Term| print::term(&self.pool, *term);
        let list = |terms: &[Term]| terms.iter().map(term).collect::<Vec<_>>().join("\n ");
        let _ = match step {
            Step::Push(levels) => writeln!(text, "(push {levels})"),
            Step::Pop(levels) => writeln!(text, "(pop {levels})"),
            Step::Reset => writeln!(text, "(reset-assertions)"),
            Step::Assert(formula, false) => writeln!(text, "(assert {})", term(formula)),
            Step::Assert(formula, true) => {
                *names += 1;
                writeln!(text, "(assert (! {} :named n{names}))", term(formula))
            }
            Step::Check(assumptions, questions) => {
                let _ = match assumptions[..] {
                    [] => writeln!(text, "(check-sat)"),
                    _ => writeln!(text, "(check-sat-assuming ({}))", list(assumptions)),
                };
                match answer {
                    Some(true) => writeln!(text, "(get-value ({}))", list(questions)),
                    Some(false) => writeln!(text, "(get-unsat-core)\n(get-unsat-assumptions)"),
                    None => Ok(()),
                }
            }
        };
    }

    /// Logic and declarations of all symbols.
    pub fn declarations(&self) -> String {
        let all: Vec<Term> = self.steps.iter().flat_map(Step::terms).copied().collect();
        "(set-logic ALL)\n".to_owned() + &self.declare(&all, &mut Declared(vec![vec![]]))
    }

    /// Declarations of sorts and symbols below some terms, as far as they are missing.
    fn declare(&self, terms: &[Term], declared: &mut Declared) -> String {
        let mut symbols = cone(&self.pool, terms);
        symbols.retain(|&term| self.pool.op(term) == Op::Symbol);
        let format = BitVecFormat::default();
        let script =
            print::Script { logic: Some("ALL"), declare: &symbols, format, ..print::Script::default() };
        let mut text = String::new();
        for line in print::script(&self.pool, &script).lines().filter(|line| line.starts_with("(declare-")) {
            if !declared.0.iter().flatten().any(|known| known == line) {
                text = text + line + "\n";
                declared.0.last_mut().expect("the lowest level stays").push(line.to_owned());
            }
        }
        text
    }
}
