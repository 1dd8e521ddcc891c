//! A set of literals that is cheap to fill, to ask and to empty again.
//!
//! One flag per literal code, and a list of the flags that are up: emptying costs as much as filling did,
//! however many variables there are. The backends use it for the assumptions of the last call, since `failed`
//! must answer false for every other literal.

use crate::Lit;

/// A reusable set of literals.
#[derive(Debug, Default)]
pub(crate) struct LitMarks {
    flags: Vec<bool>,
    members: Vec<Lit>,
}

impl LitMarks {
    /// Makes the set hold exactly these literals.
    pub(crate) fn set(&mut self, lits: &[Lit]) {
        for lit in self.members.drain(..) {
            self.flags[lit.code()] = false;
        }
        for &lit in lits {
            if self.flags.len() <= lit.code() {
                self.flags.resize(lit.code() + 1, false);
            }
            if !std::mem::replace(&mut self.flags[lit.code()], true) {
                self.members.push(lit);
            }
        }
    }

    /// Whether the literal is in the set.
    pub(crate) fn contains(&self, lit: Lit) -> bool {
        self.flags.get(lit.code()).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_forgets_what_was_set_before() {
        let (x, y) = (Lit::positive(1), Lit::positive(200));
        let mut marks = LitMarks::default();
        assert!(!marks.contains(x));
        marks.set(&[x, x, !y]);
        assert!(marks.contains(x) && marks.contains(!y) && !marks.contains(y) && !marks.contains(!x));
        marks.set(&[y]);
        assert!(!marks.contains(x) && !marks.contains(!y) && marks.contains(y));
    }
}
