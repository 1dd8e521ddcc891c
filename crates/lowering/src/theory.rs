//! What a theory has to say to be lowered. Its operators, sorts, values and their printing are rows of
//! `bivalve-terms`.

use bivalve_terms::{Pool, Sort, Term, Value};
use thiserror::Error;

/// A theory that is defined by bit-vectors.
pub trait LoweredTheory {
    /// Whether the pool may have terms of the theory. As long as it has not, lowering costs nothing.
    fn is_present(&self, pool: &Pool) -> bool {
        pool.has_lowered()
    }

    /// Does this sort belong to the theory?
    fn owns(&self, pool: &Pool, sort: Sort) -> bool;

    /// Is asked once for each term whose sort belongs to the theory, or that of an argument, and whose
    /// arguments were accepted; but for symbols and what is made with functions and arrays.
    ///
    /// # Errors
    ///
    /// Why the theory does not decide the term.
    fn accept(&mut self, pool: &Pool, term: Term) -> Result<(), Refusal>;

    /// A term that is equal to this one and has the simpler image, if there is one; the image is made of it.
    fn simpler(&self, pool: &mut Pool, term: Term) -> Option<Term> {
        let _ = (pool, term);
        None
    }

    /// The image of a term that was accepted, given those of its arguments.
    fn image(&mut self, pool: &mut Pool, term: Term, images: &[Term]) -> Term;

    /// The sort whose values stand for those of a sort of the theory, where symbols have that sort, and
    /// functions and arrays; `None` where there is none.
    fn image_sort(&self, pool: &Pool, sort: Sort) -> Option<Sort> {
        let _ = (pool, sort);
        None
    }

    /// What a message calls a sort of the theory that has no such sort.
    fn refused(&self, pool: &Pool, sort: Sort) -> String {
        format!("sort {}", pool.sorts().display(sort))
    }

    /// Whether symbols of a sort stand for open results alone: others, and arrays and functions over the
    /// sort, are refused.
    fn is_of_open_results(&self, pool: &Pool, sort: Sort) -> bool {
        let _ = (pool, sort);
        false
    }

    /// Whether each value of the image's sort stands for one of the sort, each for another.
    fn is_one_to_one(&self, pool: &Pool, sort: Sort) -> bool {
        let _ = (pool, sort);
        true
    }

    /// What has to hold of an image that comes from a symbol or a function, to stand for a value.
    fn condition(&self, pool: &mut Pool, sort: Sort, image: Term) -> Option<Term> {
        let _ = (pool, sort, image);
        None
    }

    /// What defines symbols that the image made last has brought with it, if it has; exactly one choice of
    /// values for them makes it true, whatever the other symbols are.
    fn definition(&mut self) -> Option<Term> {
        None
    }

    /// The value of a sort of the theory that the value of an image stands for; `None` if it stands for none.
    fn lift(&self, pool: &Pool, sort: Sort, image: &Value) -> Option<Value>;

    /// Forgets what it knows of terms.
    fn forget(&mut self) {}
}

/// Why a term is not lowered.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("expected {expected}, found {found}")]
pub struct Refusal {
    /// The least term that is not.
    pub term: Term,
    /// The argument that is to blame, counted from 0, if it is one.
    pub argument: Option<usize>,
    /// For example "a divisor that is not zero".
    pub expected: String,
    /// For example "one between 0 and 255".
    pub found: String,
}
