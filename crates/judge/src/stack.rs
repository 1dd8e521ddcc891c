//! What is on the stack of a script at each of its checks.
//!
//! What a foreign solver answered is judged on the script as it was sent, so its commands are looked at one
//! by one as text; terms are made later and only of what a judgement is about. [`Stack`] follows `push`,
//! `pop` and the resets: at a check it has the sorts, declarations and definitions that are visible and the
//! assertions in force, each with the name that cores call it by. From those pieces scripts of one check each
//! are put together: the same with values in place of the declarations, or with some assertions left out.
//! There is one stack, which is shown at each check and never copied, so a script with thousands of checks
//! costs no more memory than one.

use bivalve_formats::sexpr::{bare, head, items, list};

/// Levels that one command may open; a script with more of them is not judged further than that.
const MANY: usize = 1 << 20;

/// A piece of a script that is in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece<'a> {
    /// `declare-sort` and `define-sort`.
    Sort(&'a str),
    /// A symbol and its declaration.
    Declaration { name: &'a str, text: &'a str },
    /// `define-fun` and its like.
    Definition(&'a str),
    /// A formula, with its brackets, and the name of it as a whole.
    Assertion { text: &'a str, name: Option<&'a str> },
}

/// What is in force at some place of a script.
#[derive(Default, Debug)]
pub(crate) struct Stack<'a> {
    pub(crate) pieces: Vec<Piece<'a>>,
    marks: Vec<usize>,
    global: bool,
    /// The assumptions of the check at hand.
    pub(crate) assumptions: Vec<&'a str>,
}

/// Calls `see` at each check of a script, with its number from 0 and the stack at that place, until `see`
/// returns something.
pub(crate) fn at_checks<'a, T>(
    script: &'a str,
    mut see: impl FnMut(usize, &Stack<'a>) -> Option<T>,
) -> Option<T> {
    let (mut stack, mut number) = (Stack::default(), 0);
    items(script).find_map(|command| {
        if !stack.step(command) {
            return None;
        }
        number += 1;
        see(number - 1, &stack)
    })
}

impl<'a> Stack<'a> {
    /// Carries out a command; is it a check?
    fn step(&mut self, command: &'a str) -> bool {
        let argument = |n: usize| list(command).and_then(|mut parts| parts.nth(n));
        let levels = || argument(1).map_or(1, |count| count.parse().unwrap_or(0));
        match head(command) {
            "check-sat" => {
                self.assumptions.clear();
                return true;
            }
            "check-sat-assuming" => {
                self.assumptions = argument(1).and_then(list).map(Iterator::collect).unwrap_or_default();
                return true;
            }
            "declare-sort" | "define-sort" => self.pieces.push(Piece::Sort(command)),
            "declare-fun" | "declare-const" => {
                let name = argument(1).map_or("", bare);
                self.pieces.push(Piece::Declaration { name, text: command });
            }
            "define-fun" | "define-const" => self.pieces.push(Piece::Definition(command)),
            "assert" => {
                let name = argument(1).and_then(name_of);
                self.pieces.push(Piece::Assertion { text: command, name });
            }
            "push" => (0..levels().min(MANY)).for_each(|_| self.marks.push(self.pieces.len())),
            // More levels than there are is an error, and changes nothing.
            "pop" if levels() <= self.marks.len() => (0..levels()).for_each(|_| self.pop()),
            "reset" => *self = Stack::default(),
            "reset-assertions" => {
                self.marks.clear();
                self.leave(0);
            }
            "set-option" if argument(1) == Some(":global-declarations") => {
                self.global = argument(2) == Some("true");
            }
            _ => {}
        }
        false
    }

    fn pop(&mut self) {
        if let Some(mark) = self.marks.pop() {
            self.leave(mark);
        }
    }

    /// Drops what came after a mark; declarations stay if they are global.
    fn leave(&mut self, mark: usize) {
        let above = self.pieces.split_off(mark);
        let stays = |piece: &Piece<'_>| self.global && !matches!(piece, Piece::Assertion { .. });
        self.pieces.extend(above.into_iter().filter(stays));
    }

    /// The names of assertions, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Assertion { name, .. } => *name,
            _ => None,
        })
    }
}

/// The name that `(! t :named n)` gives to the whole of a formula, without bars.
fn name_of(formula: &str) -> Option<&str> {
    let mut parts = list(formula)?;
    (parts.next()? == "!").then_some(())?;
    parts.find(|&part| part == ":named")?;
    parts.next().map(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_is_what_is_in_force() {
        let script = "(set-logic QF_BV)(declare-const p Bool)(push 1)(declare-const q Bool)(assert (! (and p q) :named |a|))
            (check-sat) (pop 1) (assert p) (check-sat-assuming (p (not p))) (pop 2) (reset-assertions) (check-sat)";
        let shapes = |script: &str| {
            let mut shapes = vec![];
            at_checks::<()>(script, |_, stack| {
                let words = |words: &mut dyn Iterator<Item = &str>| words.collect::<Vec<_>>().join(" ");
                let names = words(&mut stack.names());
                shapes.push((stack.pieces.len(), names, words(&mut stack.assumptions.iter().copied())));
                None
            });
            shapes
        };
        let shape = |pieces, names: &str, assumed: &str| (pieces, names.to_owned(), assumed.to_owned());
        assert_eq!(shapes(script), [shape(3, "a", ""), shape(2, "", "p (not p)"), shape(0, "", "")]);
        let global = format!("(set-option :global-declarations true){script}");
        let pieces: Vec<usize> = shapes(&global).into_iter().map(|shape| shape.0).collect();
        assert_eq!(pieces, [3, 3, 2]);
    }
}
