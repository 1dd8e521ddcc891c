//! Reading what a solver printed.
//!
//! Output is read by lines: a word alone on its line is a verdict or a remark, a line that opens a bracket
//! begins a list that may span lines. Which list is a model and which a core follows from the script: between
//! two verdicts there are as many answers as questions, and they come in order. Where the counts differ (a
//! solver that answers nothing after an error, or one more line than asked for), shapes decide: definitions
//! are a model, pairs are values, names are a core.
//!
//! Errors that a question deserves (a model after `unsat`, a core after `sat`, either after `unknown`) are
//! dropped.

use crate::questions::{Question, questions};
use crate::reply::{Check, Ending, Reply, Verdict};
use bivalve_formats::sexpr::{close, head, list, string};

impl Reply {
    /// The reply of a solver that printed this to a script and ended with 0.
    pub fn read(script: &str, output: &str) -> Reply {
        let mut reply = Reply { output: output.to_owned(), ..Reply::ended(Ending::Exited(0)) };
        read(script, &mut reply);
        reply
    }
}

/// Fills in the checks and errors of a reply from the text it printed.
pub(crate) fn read(script: &str, reply: &mut Reply) {
    let mut asked = questions(script).into_iter().peekable();
    let output = std::mem::take(&mut reply.output);
    let mut answers = answers(&output).peekable();
    // The output before the first verdict.
    let mut segment = segment(&mut answers);
    let before: Vec<Question> = until_check(&mut asked);
    attach(&before, &segment, None, &mut reply.errors);
    while let Some(verdict) = answers.next().and_then(Verdict::parse) {
        asked.next();
        let about = until_check(&mut asked);
        segment = self::segment(&mut answers);
        let mut check = Check::of(verdict);
        attach(&about, &segment, Some(&mut check), &mut reply.errors);
        reply.checks.push(check);
    }
    drop(answers);
    reply.output = output;
}

fn until_check(asked: &mut std::iter::Peekable<std::vec::IntoIter<Question>>) -> Vec<Question> {
    std::iter::from_fn(|| asked.next_if(|&question| question != Question::Check)).collect()
}

/// The answers up to the next verdict.
fn segment<'a>(answers: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Vec<&'a str> {
    std::iter::from_fn(|| answers.next_if(|answer| Verdict::parse(answer).is_none())).collect()
}

/// The verdicts in the output of a solver, in order, for those who need nothing else.
pub fn verdicts(output: &str) -> Vec<Verdict> {
    answers(output).filter_map(Verdict::parse).collect()
}

/// The answers in the output of a solver: lists, and lines.
pub(crate) fn answers(output: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += output[at..].len() - output[at..].trim_start().len();
        let rest = &output[at..];
        if rest.is_empty() {
            return None;
        }
        let end = match rest.starts_with('(') {
            true => close(output, at),
            false => at + rest.find('\n').unwrap_or(rest.len()),
        };
        let answer = output[at..end].trim_end();
        at = end;
        Some(answer)
    })
    .filter(|answer| *answer != "success" && !answer.starts_with(';'))
}

/// The message of an error answer.
pub(crate) fn error_message(answer: &str) -> Option<String> {
    if head(answer) != "error" {
        return None;
    }
    let message = list(answer).and_then(|mut parts| parts.nth(1)).and_then(string);
    Some(message.unwrap_or_else(|| answer.to_owned()))
}

/// What a question is answered by.
fn shape(answer: &str) -> Question {
    let first = list(answer).and_then(|mut parts| parts.next()).unwrap_or("");
    match (head(answer), head(first)) {
        ("model", _) | (_, "define-fun" | "declare-fun" | "define-fun-rec" | "define-const") => {
            Question::Model
        }
        _ if list(answer).is_some_and(|parts| parts.count() > 0 && is_pairs(answer)) => Question::Values,
        _ if answer.starts_with('(') => Question::Core,
        _ => Question::Other,
    }
}

fn is_pairs(answer: &str) -> bool {
    list(answer).is_some_and(|mut parts| parts.all(|part| list(part).is_some_and(|pair| pair.count() == 2)))
}

fn attach(about: &[Question], answers: &[&str], mut check: Option<&mut Check>, errors: &mut Vec<String>) {
    let in_order = about.len() == answers.len();
    // Commands that ask nothing may be answered by errors.
    let between_errors =
        about.len() == answers.iter().filter(|answer| error_message(answer).is_none()).count();
    let verdict = check.as_ref().map(|check| check.verdict);
    let mut next = about.iter().copied();
    for answer in answers {
        let question = match error_message(answer) {
            Some(_) if !in_order => Question::Other,
            _ if in_order || between_errors => next.next().expect("as many questions as answers"),
            _ => shape(answer),
        };
        if let Some(message) = error_message(answer) {
            if between_errors && !in_order || !is_deserved(verdict, in_order.then_some(question), about) {
                errors.push(message);
            }
            continue;
        }
        let text = (*answer).to_owned();
        match (&mut check, question) {
            (Some(check), Question::Model) => check.model = Some(text),
            (Some(check), Question::Values) => check.values.push(text),
            (Some(check), Question::Core) if about.contains(&Question::Core) && check.core.is_none() => {
                check.core = Some(text);
            }
            (Some(check), Question::Core | Question::Failed) => check.failed = Some(text),
            _ => {}
        }
    }
}

/// Is an error what such a question is to be answered by after such a verdict? Without knowing which question
/// it answers, it is if there is one like that.
fn is_deserved(verdict: Option<Verdict>, question: Option<Question>, about: &[Question]) -> bool {
    let is_idle = |question: &Question| match question {
        Question::Model | Question::Values => verdict != Some(Verdict::Sat),
        Question::Core | Question::Failed => verdict != Some(Verdict::Unsat),
        Question::Check | Question::Other => false,
    };
    verdict.is_some() && question.map_or_else(|| about.iter().any(is_idle), |question| is_idle(&question))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_go_to_their_questions() {
        let script = "(check-sat)(get-model)(get-unsat-core)(check-sat)(get-value (x))(get-unsat-core)(get-unsat-assumptions)";
        let output = "sat\n(\n  (define-fun x () Bool true)\n)\n(error \"no core\")\nunsat\n(error \"no model\")\n(a b)\n(p)\n";
        let reply = Reply::read(script, output);
        assert_eq!(reply.errors, Vec::<String>::new());
        assert_eq!(reply.verdicts(), [Verdict::Sat, Verdict::Unsat]);
        assert!(reply.checks[0].model.as_ref().unwrap().contains("define-fun x"));
        assert_eq!(reply.checks[1].core.as_deref(), Some("(a b)"));
        assert_eq!(reply.checks[1].failed.as_deref(), Some("(p)"));
    }

    #[test]
    fn errors_that_answer_no_legal_question_are_kept() {
        let reply =
            Reply::read("(check-sat)(get-model)", "(error \"line 1: no\")\nsat\n(error \"model?\")\n");
        assert_eq!(reply.errors, ["line 1: no", "model?"]);
        assert_eq!(reply.checks, [Check::of(Verdict::Sat)]);
    }

    #[test]
    fn without_order_shapes_decide() {
        let script = "(check-sat)(get-model)(get-value (x y))(get-unsat-core)";
        let reply =
            Reply::read(script, "success\nsat\n(model (define-fun x () Bool true))\n((x true)\n (y #b1))\n");
        assert!(reply.checks[0].model.is_some());
        assert_eq!(reply.checks[0].values, ["((x true)\n (y #b1))"]);
        let reply = Reply::read(
            "(check-sat)(get-unsat-core)(get-unsat-assumptions)(pop 7)",
            "unsat\n(n)\n()\n(error \"7\")\n",
        );
        assert_eq!(
            (reply.checks[0].core.as_deref(), reply.checks[0].failed.as_deref()),
            (Some("(n)"), Some("()"))
        );
        assert_eq!(reply.errors, ["7"]);
        // Words within other words are no verdicts, and a list may be cut off.
        let reply = Reply::read(script, "this is not sat\nsat\n((define-fun x ()");
        assert_eq!(reply.verdicts(), [Verdict::Sat]);
        assert_eq!(reply.errors, Vec::<String>::new());
    }
}
