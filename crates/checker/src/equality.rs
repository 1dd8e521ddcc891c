//! Which terms are known to be equal: classes of terms that only grow, with a way back.
//!
//! Two terms of a class have the same value in every model of what is supposed at the moment. A class knows
//! the value among its members, if there is one; two values in one class are a contradiction. Classes are
//! united by size and never compressed, so that a union is undone by a single store.
//!
//! Cost: the logarithm of the number of terms for each look-up.

use crate::term::{Op, Term, Terms};

/// Classes of equal terms.
#[derive(Clone, Default)]
pub struct Classes {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// By representative: the value that is a member.
    value: Vec<Option<Term>>,
    /// Representatives that were put below others, and whether the union gave the value.
    trail: Vec<(u32, bool)>,
    contradictions: u32,
}

/// A state to come back to.
#[derive(Clone, Copy)]
pub struct Mark {
    unions: usize,
    contradictions: u32,
}

impl Classes {
    fn grow(&mut self, terms: &Terms) {
        for at in self.parent.len()..terms.len() {
            self.parent.push(at as u32);
            self.size.push(1);
            self.value.push(None);
        }
    }

    /// The representative of the class of a term.
    pub fn find(&self, term: Term) -> u32 {
        let mut at = term.index() as u32;
        while let Some(&parent) = self.parent.get(at as usize)
            && parent != at
        {
            at = parent;
        }
        at
    }

    /// Are two terms known to be equal?
    pub fn equal(&self, a: Term, b: Term) -> bool {
        a == b || self.find(a) == self.find(b)
    }

    /// The value of a term, if it is known.
    pub fn value(&self, terms: &Terms, term: Term) -> Option<Term> {
        match terms.is_value(term) {
            true => Some(term),
            false => self.value.get(self.find(term) as usize).copied().flatten(),
        }
    }

    /// Is the truth value of a term known to be this one?
    pub fn is(&self, terms: &Terms, term: Term, truth: bool) -> bool {
        let wanted = if truth { Op::True } else { Op::False };
        self.value(terms, term).is_some_and(|value| terms.op(value) == wanted)
    }

    /// Is what is supposed contradictory?
    pub fn contradictory(&self) -> bool {
        self.contradictions > 0
    }

    /// Takes two terms of one sort for equal.
    pub fn unite(&mut self, terms: &Terms, a: Term, b: Term) {
        self.grow(terms);
        let (a_value, b_value) = (self.value(terms, a), self.value(terms, b));
        let (mut above, mut below) = (self.find(a), self.find(b));
        if above == below {
            return;
        }
        if self.size[above as usize] < self.size[below as usize] {
            (above, below) = (below, above);
        }
        self.parent[below as usize] = above;
        self.size[above as usize] += self.size[below as usize];
        let value = a_value.or(b_value);
        let gives = self.value[above as usize].is_none() && value.is_some();
        if gives {
            self.value[above as usize] = value;
        }
        self.trail.push((below, gives));
        if a_value.is_some() && b_value.is_some() && a_value != b_value {
            self.contradictions += 1;
        }
    }

    /// The state now.
    pub fn mark(&self) -> Mark {
        Mark { unions: self.trail.len(), contradictions: self.contradictions }
    }

    /// Forgets what was united since then.
    pub fn undo(&mut self, mark: Mark) {
        for (below, gave) in self.trail.drain(mark.unions..).rev() {
            let above = self.parent[below as usize];
            self.size[above as usize] -= self.size[below as usize];
            self.parent[below as usize] = below;
            if gave {
                self.value[above as usize] = None;
            }
        }
        self.contradictions = mark.contradictions;
    }
}
