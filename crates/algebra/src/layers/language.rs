//! What has to be known of terms to open them.

use super::PolynomialOver;
use crate::opening::Law;
use bivalve_terms::BitVec;
use std::fmt::Debug;
use std::hash::Hash;

/// What a term is to who opens it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A constant word.
    Value,
    /// A constant truth value.
    Truth(bool),
    /// A sum, difference, product, negation, complement or multiple of words of its width.
    Arithmetic,
    /// The remainder of a division that is rounded as the quotient is.
    Remainder,
    /// A word chosen by a condition, which is the first argument, from the others.
    Choice,
    /// The negation of a truth value.
    Not,
    /// A conjunction.
    And,
    /// A disjunction.
    Or,
    /// An exclusive or.
    Xor,
    /// An equation of two truth values.
    Iff,
    /// An equation of what is no truth value.
    Equation,
    /// Something else.
    Other,
}

impl Kind {
    /// Is it made of truth values, so that it is known where these are?
    pub fn is_connective(self) -> bool {
        matches!(self, Kind::Not | Kind::And | Kind::Or | Kind::Xor | Kind::Iff)
    }

    /// Is it a word that is opened by what its operator is?
    pub fn is_opened(self) -> bool {
        self.is_arithmetic() || matches!(self, Kind::Remainder | Kind::Choice)
    }

    /// Is it a polynomial of its arguments?
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Kind::Value | Kind::Arithmetic)
    }
}

/// Terms of some kind. Arguments are less than what they are arguments of.
pub trait Language {
    /// A term.
    type Term: Copy + Ord + Hash + Debug;
    /// What it is.
    fn kind(&self, term: Self::Term) -> Kind;
    /// Its arguments.
    fn args(&self, term: Self::Term) -> &[Self::Term];
    /// The width of a word.
    fn width(&self, term: Self::Term) -> Option<u32>;
    /// The value of a constant word.
    fn value(&self, term: Self::Term) -> Option<BitVec>;
    /// What an arithmetic word is, given its arguments, or as many of them as there are weights.
    fn law(&self, word: Self::Term) -> Option<Law>;
    /// A remainder as the dividend less a multiple of the divisor.
    fn rest(&mut self, remainder: Self::Term) -> Option<Self::Term>;
    /// A word that is none of the kinds that are opened, as another polynomial than itself.
    fn opened(&mut self, word: Self::Term) -> Option<PolynomialOver<Self>>
    where
        Self: Sized;
}
