//! Sessions through the binary: what it prints is all that is known, and is judged as text.
//!
//! The answers must be those of the session inside this process. A core's names and the failed assumptions' texts are
//! looked up in the script; the formulas they stand for must be contradictory with all that has no name. Values become
//! equations between the text that was asked for and the text that came back; together with the formulas on the stack
//! they must be satisfiable (see `replay` for abstract constants). As all symbols that are no functions are
//! asked for, there is little room for a wrong value.

use crate::replay::{named_elements, read};
use crate::session::{Session, Step};
use crate::settings;
use bivalve::{Answer, Solver};
use bivalve_formats::smtlib::print;
use bivalve_terms::Term;

/// The stack as text, and what is left of the output.
struct Reading<'a> {
    session: &'a Session,
    declarations: String,
    marks: Vec<usize>,
    /// The formulas, and the names of those that have one.
    assertions: Vec<(Term, Option<String>)>,
    names: usize,
    output: std::vec::IntoIter<&'a str>,
}

/// Judges the output of a session's script, whose checks end as `answers` say. Returns the texts compared.
///
/// # Errors
/// A sentence on what is wrong with the output.
pub fn judge_output(session: &Session, answers: &[Option<bool>], output: &str) -> Result<u64, String> {
    let items = items(output)?;
    let mut reading = Reading {
        session,
        declarations: session.declarations(),
        marks: vec![],
        assertions: vec![],
        names: 0,
        output: items.into_iter(),
    };
    let (mut answers, mut compared) = (answers.iter(), 0);
    for step in &session.steps {
        match step {
            Step::Push(levels) => {
                reading.marks.extend(vec![reading.assertions.len(); *levels as usize]);
            }
            Step::Pop(levels) if *levels as usize > reading.marks.len() => {
                let refusal = reading.next()?;
                if !refusal.starts_with("(error ") {
                    return Err(format!("too many levels were popped, and the answer is {refusal}"));
                }
            }
            Step::Pop(levels) => {
                for _ in 0..*levels {
                    let begin = reading.marks.pop().expect("as many were counted");
                    reading.assertions.truncate(begin);
                }
            }
            Step::Reset => {
                reading.marks.clear();
                reading.assertions.clear();
            }
            Step::Assert(formula, named) => {
                reading.names += usize::from(*named);
                let name = named.then(|| format!("n{}", reading.names));
                reading.assertions.push((*formula, name));
            }
            Step::Check(assumptions, questions) => {
                let answer = answers.next().copied().flatten();
                let said = reading.next()?;
                let word = answer.map(|sat| if sat { "sat" } else { "unsat" });
                match answer {
                    _ if said == "unknown" => {
                        // What was asked then is refused.
                        let queries = answer.map_or(0, |sat| if sat { 1 } else { 2 });
                        (0..queries).try_for_each(|_| reading.next().map(drop))?;
                    }
                    Some(_) if word != Some(said) => {
                        return Err(format!("{said}, and inside this process {answer:?}"));
                    }
                    Some(true) => compared += reading.values(assumptions, questions)?,
                    Some(false) => compared += reading.blame(assumptions)?,
                    None => {}
                }
            }
        }
    }
    match reading.output.next() {
        Some(more) => Err(format!("more output than commands: {more}")),
        None => Ok(compared),
    }
}

impl<'a> Reading<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        self.output.next().ok_or_else(|| "less output than commands".to_owned())
    }

    fn text(&self, term: Term) -> String {
        print::term(&self.session.pool, term)
    }

    /// Is the script of these formulas satisfiable? `None` if it is too hard or cannot be said.
    fn decide(&self, formulas: &[String]) -> Result<Option<bool>, String> {
        let mut script = self.declarations.clone();
        formulas.iter().for_each(|formula| script += &format!("(assert {formula})\n"));
        let (mut pool, assertions) = read(&named_elements(&script))?;
        let mut solver = Solver::new(settings(&[("conflict-limit", "2000"), ("gate-limit", "3000000")]));
        for assertion in assertions {
            if solver.assert(&pool, assertion).is_err() {
                return Ok(None);
            }
        }
        Ok(match solver.check(&mut pool).map_err(|fault| fault.to_string())? {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        })
    }

    /// The answer to `get-value`.
    fn values(&mut self, assumptions: &[Term], questions: &[Term]) -> Result<u64, String> {
        let answer = self.next()?;
        let pairs = inner(answer)?;
        if pairs.len() != questions.len() {
            return Err(format!("{} values for {} terms: {answer}", pairs.len(), questions.len()));
        }
        let mut formulas: Vec<String> = self.assertions.iter().map(|&(term, _)| self.text(term)).collect();
        formulas.extend(assumptions.iter().map(|&term| self.text(term)));
        for (pair, &question) in pairs.iter().zip(questions) {
            let [term, value] = inner(pair)?[..] else { return Err(format!("no pair: {pair}")) };
            if term != self.text(question) {
                return Err(format!("asked for {}, answered for {term}", self.text(question)));
            }
            formulas.push(format!("(= {term} {value})"));
        }
        match self.decide(&formulas)? {
            Some(false) => Err(format!("the values contradict the script: {answer}")),
            _ => Ok(pairs.len() as u64),
        }
    }

    /// The answers to `get-unsat-core` and `get-unsat-assumptions`.
    fn blame(&mut self, assumptions: &[Term]) -> Result<u64, String> {
        let (core, failed) = (self.next()?, self.next()?);
        let mut formulas = vec![];
        let mut names = inner(core)?;
        let mut compared = names.len() as u64;
        for (formula, name) in &self.assertions {
            let at = name.as_ref().map(|name| names.iter().position(|&other| other == name));
            match at {
                None => formulas.push(self.text(*formula)),
                Some(Some(at)) => {
                    names.remove(at);
                    formulas.push(self.text(*formula));
                }
                Some(None) => {}
            }
        }
        if let Some(name) = names.first() {
            return Err(format!("the core names {name}, which is not on the stack: {core}"));
        }
        let texts: Vec<String> = assumptions.iter().map(|&term| self.text(term)).collect();
        for text in inner(failed)? {
            compared += 1;
            if !texts.iter().any(|other| other == text) {
                return Err(format!("{text} was not assumed"));
            }
            formulas.push(text.to_owned());
        }
        match self.decide(&formulas)? {
            Some(true) => Err(format!("what is to blame is satisfiable: {core} {failed}")),
            _ => Ok(compared),
        }
    }
}

/// The items of a list.
fn inner(list: &str) -> Result<Vec<&str>, String> {
    let inside = list.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    items(inside.ok_or_else(|| format!("expected a list, found {list}"))?)
}

/// The S-expressions of a text, one after the other.
fn items(text: &str) -> Result<Vec<&str>, String> {
    let bytes = text.as_bytes();
    let (mut items, mut at) = (vec![], 0);
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (begin, mut depth) = (at, 0usize);
        loop {
            match bytes.get(at) {
                None if depth > 0 => return Err("a bracket is not closed".to_owned()),
                None => break,
                Some(quote @ (b'|' | b'"')) => {
                    let length = text[at + 1..].find(*quote as char).ok_or("a quote is not closed")?;
                    at += length + 2;
                }
                Some(b'(') => (depth, at) = (depth + 1, at + 1),
                Some(b')') => {
                    depth = depth.checked_sub(1).ok_or("a bracket was not opened")?;
                    at += 1;
                }
                Some(byte) if depth == 0 && byte.is_ascii_whitespace() => break,
                Some(_) => at += 1,
            }
            if depth == 0 && matches!(bytes.get(at), None | Some(b'(')) {
                break;
            }
        }
        items.push(&text[begin..at]);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_into_items() {
        let text = "sat\n((x #b1)\n (|a b(| (f (g x) \"c)\"\"\")))(n1 n2)\n()\n(error \"no | at all\")\n";
        let found = items(text).unwrap();
        assert_eq!(found.len(), 5, "{found:?}");
        assert_eq!(inner(found[1]).unwrap(), ["(x #b1)", "(|a b(| (f (g x) \"c)\"\"\"))"]);
        assert_eq!(inner(found[2]).unwrap(), ["n1", "n2"]);
        assert_eq!(inner(found[3]).unwrap(), Vec::<&str>::new());
        assert!(items("(a").is_err() && items("a)").is_err());
    }
}
