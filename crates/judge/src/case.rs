//! Cases: scripts that say what is known of them.
//!
//! A case is a plain SMT-LIB script, so every solver reads it, and a folder of them is a campaign's input.
//! What is known stands in attributes before the check it is about:
//!
//! - `(set-info :status sat)`, `unsat` or `unknown`, as benchmarks have it;
//! - `(set-info :bivalve-core "a0 a2")`: assertions `(! t :named a0)` that are contradictory by themselves,
//!   names separated by blanks; an expected core of the next check;
//! - `(set-info :bivalve-model "(define-fun x () Bool true) ...")`: a model, which need not be the one a
//!   solver finds;
//! - `(set-info :bivalve-group "arrays")`: the row of the table that the case counts in; else the folder it
//!   lies in.
//!
//! Before a case is sent, what is to be judged is added: models where it may be satisfiable, cores
//! where it may be unsatisfiable and assertions have names. A script that asks for these itself is left as it
//! is.

use bivalve_formats::sexpr::{head, items, list, string};
use bivalve_harness::Verdict;
use bivalve_harness::{Question, questions};

/// What is known of one check.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its verdict, `sat` or `unsat`.
    pub status: Option<Verdict>,
    /// Names of assertions that are contradictory, without bars.
    pub core: Option<Vec<String>>,
    /// Definitions of the symbols, one after the other.
    pub model: Option<String>,
}

/// A script and what is known of its checks.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name in tables and logs: a path, or how it is made again.
    pub name: String,
    /// The row of the table it counts in.
    pub group: String,
    /// The script, which is what judges look at.
    pub text: String,
    /// The same over integers, for solvers that have the conversions between integers and bit-vectors.
    pub integers: Option<String>,
    /// What is known of each check, in order.
    pub known: Vec<Known>,
}

/// What a solver is asked for beside verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Models.
    pub models: bool,
    /// Unsatisfiable cores.
    pub cores: bool,
}

impl Case {
    /// The case of this text. `group` is the row it counts in if the text names none.
    pub fn new(name: impl Into<String>, group: impl Into<String>, text: impl Into<String>) -> Case {
        let (text, mut group) = (text.into(), group.into());
        let (mut known, mut next) = (vec![], Known::default());
        for command in items(&text) {
            match head(command) {
                "check-sat" | "check-sat-assuming" => known.push(std::mem::take(&mut next)),
                "set-info" => {
                    let mut parts = list(command).into_iter().flatten().skip(1);
                    let (keyword, value) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
                    let content = string(value).unwrap_or_else(|| value.to_owned());
                    match keyword {
                        ":status" => {
                            next.status = Verdict::parse(&content).filter(|verdict| verdict.is_definite())
                        }
                        ":bivalve-core" => {
                            next.core = Some(content.split_whitespace().map(str::to_owned).collect());
                        }
                        ":bivalve-model" => next.model = Some(content),
                        ":bivalve-group" => group = content,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        Case { name: name.into(), group, text, integers: None, known }
    }

    /// The status, if that of every check is known: `sat` if all are, else `unsat` (most cases have one
    /// check).
    pub fn status(&self) -> Option<Verdict> {
        let all: Option<Vec<Verdict>> = self.known.iter().map(|known| known.status).collect();
        all.filter(|all| !all.is_empty()).map(|all| all.into_iter().max().expect("not empty"))
    }

    /// The script with the questions that were wanted and with the options they need.
    pub fn script(&self, wanted: Wanted, integers: bool) -> String {
        let text = self.integers.as_deref().filter(|_| integers).unwrap_or(&self.text);
        let asked = questions(text);
        let asks = |question: Question| asked.contains(&question);
        let models = wanted.models && !asks(Question::Model) && !asks(Question::Values);
        let cores = wanted.cores && !asks(Question::Core) && text.contains(":named");
        let may_be = |at: usize, verdict: Verdict| {
            self.known.get(at).and_then(|k| k.status).is_none_or(|s| s == verdict)
        };
        let mut script = String::with_capacity(text.len() + 128);
        if models && (0..self.known.len()).any(|at| may_be(at, Verdict::Sat)) {
            script += "(set-option :produce-models true)\n";
        }
        if cores && (0..self.known.len()).any(|at| may_be(at, Verdict::Unsat)) {
            script += "(set-option :produce-unsat-cores true)\n";
        }
        let plain = !wanted.cores && !asks(Question::Core);
        let mut check = 0;
        for command in items(text) {
            // Attributes of ours are of no interest to a solver, and long.
            if head(command) == "set-info" && command.contains(":bivalve-") {
                continue;
            }
            match without_name(command, text).filter(|_| plain) {
                Some(formula) => script += &format!("(assert {formula})"),
                None => script += command,
            }
            script.push('\n');
            if matches!(head(command), "check-sat" | "check-sat-assuming") {
                if models && may_be(check, Verdict::Sat) {
                    script += "(get-model)\n";
                }
                if cores && may_be(check, Verdict::Unsat) {
                    script += "(get-unsat-core)\n";
                }
                check += 1;
            }
        }
        script
    }
}

/// The formula of an assertion `(assert (! t :named n))` whose name is used nowhere else: some solvers know
/// no names, and others track what has one, which costs time and simplifications.
fn without_name<'a>(command: &'a str, script: &str) -> Option<&'a str> {
    let named = list(command).filter(|_| head(command) == "assert")?.nth(1)?;
    let parts: Vec<&str> = list(named)?.collect();
    match parts[..] {
        ["!", formula, ":named", name] if uses(script, name) == 1 => Some(formula),
        _ => None,
    }
}

/// How often a text has a word, at most two.
fn uses(text: &str, word: &str) -> usize {
    let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || "()\"".contains(c));
    let is_word =
        |at: usize| is_end(text[..at].chars().next_back()) && is_end(text[at + word.len()..].chars().next());
    text.match_indices(word).filter(|&(at, _)| is_word(at)).take(2).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: Wanted = Wanted { models: true, cores: true };

    #[test]
    fn what_is_known_is_read_and_asked_for() {
        let text = "(set-info :bivalve-group \"bits\")(declare-const p Bool)(set-info :status sat)
            (set-info :bivalve-model \"(define-fun p () Bool true)\")(assert (! p :named a))(check-sat)
            (set-info :status unsat)(set-info :bivalve-core \"a b\")(assert (! (not p) :named b))(check-sat)";
        let case = Case::new("it", "else", text);
        assert_eq!((case.group.as_str(), case.status()), ("bits", Some(Verdict::Unsat)));
        assert_eq!(case.known[0].model.as_deref(), Some("(define-fun p () Bool true)"));
        assert_eq!(case.known[1].core.as_deref(), Some(&["a".to_owned(), "b".to_owned()][..]));
        let script = case.script(BOTH, false);
        assert!(
            script.starts_with("(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n")
        );
        assert_eq!(
            questions(&script),
            [Question::Check, Question::Model, Question::Check, Question::Core],
            "{script}"
        );
        assert!(!script.contains("bivalve-"), "{script}");
        let unknown = Case::new("it", "else", "(check-sat)");
        assert_eq!((unknown.status(), unknown.group.as_str()), (None, "else"));
        assert_eq!(questions(&unknown.script(BOTH, false)), [Question::Check, Question::Model]);
        let none = Wanted { models: false, cores: false };
        let named = "(assert (! (or p q) :named a)) (assert (! p :named b)) (check-sat-assuming (b))";
        let script = "(assert (or p q))\n(assert (! p :named b))\n(check-sat-assuming (b))\n";
        assert_eq!(Case::new("", "", named).script(none, false), script);
        let own = "(check-sat)(get-value (p))";
        assert_eq!(questions(&Case::new("", "", own).script(BOTH, false)), questions(own));
    }
}
