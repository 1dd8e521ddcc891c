//! Small sessions out of large ones.
//!
//! A session that shows a finding goes through the delta debugger as a script, in which each check is
//! followed by its questions; what comes back is read as a session again. Candidates that are no session any
//! more show nothing.

use crate::session::{Session, Step};
use bivalve_delta::{Cancel, Options};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_terms::{Pool, Term};

/// Makes a session smaller as long as `fails` holds of it.
pub fn session(session: &mut Session, fails: &(dyn Fn(&mut Session) -> bool + Sync)) {
    let checks = session.steps.iter().filter(|step| matches!(step, Step::Check(..))).count();
    let text = session.script(&vec![Some(true); checks]);
    let scoped = session.scoped;
    let oracle = |text: &str| read(text, scoped).is_some_and(|mut candidate| fails(&mut candidate));
    let reduced = bivalve_delta::reduce(&text, &Options::default(), &oracle, &Cancel::new(), &mut |_| {});
    // What does not fail as a script, or not every time, stays as it is.
    if let Some(smaller) = reduced.ok().and_then(|reduction| read(&reduction.text, scoped)) {
        *session = smaller;
    }
}

/// The session of a script; `None` if a command is refused or has no place in a session.
fn read(text: &str, scoped: bool) -> Option<Session> {
    let mut parser = Parser::new(text.as_bytes(), "session.smt2", ParserOptions::default());
    let mut session = Session { pool: Pool::new(), steps: vec![], scoped };
    let terms = |terms: Vec<(String, Term)>| terms.into_iter().map(|(_, term)| term).collect();
    while let Some(command) = parser.next_command(&mut session.pool).ok()? {
        let symbols = parser.symbols_mut();
        match command {
            Command::Push(levels) => {
                symbols.push(levels);
                session.steps.push(Step::Push(levels));
            }
            Command::Pop(levels) => {
                // Too many levels are refused, which a session may be about.
                symbols.pop(levels);
                session.steps.push(Step::Pop(levels));
            }
            Command::ResetAssertions => {
                symbols.reset_assertions();
                session.steps.push(Step::Reset);
            }
            Command::SetOption { keyword, value } if keyword == ":global-declarations" => {
                symbols.set_global_declarations(value.is_some_and(|value| value.as_bool() == Some(true)));
            }
            Command::Assert { term, named } => session.steps.push(Step::Assert(term, !named.is_empty())),
            Command::CheckSat => session.steps.push(Step::Check(vec![], vec![])),
            Command::CheckSatAssuming(assumed) => session.steps.push(Step::Check(terms(assumed), vec![])),
            Command::GetValue(asked) => match session.steps.last_mut() {
                Some(Step::Check(_, questions)) => questions.extend::<Vec<Term>>(terms(asked)),
                _ => return None,
            },
            Command::SetInfo { .. }
            | Command::SetLogic(_)
            | Command::SetOption { .. }
            | Command::DeclareSort { .. }
            | Command::DeclareConst { .. }
            | Command::DeclareFun { .. }
            | Command::DefineFun { .. } => {}
            _ => return None,
        }
    }
    Some(session)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::{Op, Sort, cone};

    #[test]
    fn what_does_not_matter_goes() {
        let mut pool = Pool::new();
        let byte = Sort::bitvec(8).unwrap();
        let (x, y) = (pool.symbol("x", byte), pool.symbol("y", byte));
        let product = pool.mk(Op::BvMul, &[x, y]);
        let sum = pool.mk(Op::BvAdd, &[product, x]);
        let less = pool.mk(Op::BvUlt, &[sum, y]);
        let more = pool.mk(Op::BvUlt, &[y, x]);
        let steps = vec![
            Step::Push(1),
            Step::Assert(less, true),
            Step::Check(vec![more], vec![x, product]),
            Step::Reset,
            Step::Pop(1),
        ];
        let multiplies = |session: &Session, steps: &[Step]| {
            let terms: Vec<Term> = steps.iter().flat_map(Step::terms).copied().collect();
            cone(&session.pool, &terms).iter().any(|&t| session.pool.op(t) == Op::BvMul)
        };
        let mut small = Session { pool, steps, scoped: false };
        session(&mut small, &|session| multiplies(session, &session.steps));
        assert_eq!(small.steps.len(), 1, "{:?}", small.steps);
        assert!(multiplies(&small, &small.steps));
    }
}
