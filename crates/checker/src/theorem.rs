//! Theorems: equations over variables that were proved once and are used for many terms.
//!
//! A theorem is proved in a kernel of its own, in which nothing is asserted, over symbols that stand for all
//! values of their sorts; so it holds whatever terms of these sorts take their places. A declared sort there
//! is any sort, since nothing is known of it: a theorem about one holds for every sort that takes its place.

use crate::kernel::Kernel;
use crate::term::{Op, Sort, SortKind, Term, Terms};
use rustc_hash::FxHashMap;

/// An equation for all values of its variables.
pub struct Theorem {
    terms: Terms,
    variables: Vec<Term>,
    left: Term,
    right: Term,
}

impl Theorem {
    /// The equation of two terms that a kernel knows to be equal, for all values of these symbols. What it
    /// knows under a supposition is not known.
    pub fn new(kernel: Kernel, variables: Vec<Term>, left: Term, right: Term) -> Result<Theorem, String> {
        if kernel.supposes() || !kernel.equal(left, right) || !kernel.terms.has_room_for_elements() {
            return Err("the theorem was not proved".into());
        }
        Ok(Theorem { terms: kernel.terms, variables, left, right })
    }

    /// Both sides for these terms.
    pub fn instance(&self, terms: &mut Terms, args: &[Term]) -> Result<(Term, Term), String> {
        if args.len() != self.variables.len() {
            return Err(format!("the theorem is about {} terms", self.variables.len()));
        }
        let (mut map, mut sorts) = (FxHashMap::default(), FxHashMap::default());
        for (&variable, &arg) in self.variables.iter().zip(args) {
            let (own, given) = (self.terms.sort_of(variable), terms.sort_of(arg));
            if !fits((&self.terms, own), (terms, given), &mut sorts) {
                return Err("an argument of a theorem has another sort".into());
            }
            map.insert(variable, arg);
        }
        self.copy(terms, &mut map, self.left)?;
        self.copy(terms, &mut map, self.right)?;
        Ok((map[&self.left], map[&self.right]))
    }

    fn copy(&self, terms: &mut Terms, map: &mut FxHashMap<Term, Term>, root: Term) -> Result<(), String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if map.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.terms.args(term).iter().copied().filter(|arg| !map.contains_key(arg)));
            if stack.len() == before {
                stack.pop();
                let args: Vec<Term> = self.terms.args(term).iter().map(|arg| map[arg]).collect();
                let copy = match self.terms.op(term) {
                    Op::Value(_) => {
                        let value = self.terms.value_of(term).ok_or("a value has a number")?;
                        terms.value(value.width, value.number)?
                    }
                    Op::Symbol(_) | Op::Apply(_) | Op::ConstArray(_) => {
                        return Err("a theorem mentions what is not one of its variables".into());
                    }
                    op => terms.mk(op, &args)?,
                };
                map.insert(term, copy);
            }
        }
        Ok(())
    }
}

/// Is the second sort what the first one, of a theorem, becomes? Declared sorts become what they became
/// before.
fn fits(a: (&Terms, Sort), b: (&Terms, Sort), declared: &mut FxHashMap<u32, Sort>) -> bool {
    match (a.0.kind(a.1), b.0.kind(b.1)) {
        (SortKind::Bool, SortKind::Bool) => true,
        (SortKind::BitVec(left), SortKind::BitVec(right)) => left == right,
        (SortKind::Array(i, e), SortKind::Array(j, f)) => {
            fits((a.0, i), (b.0, j), declared) && fits((a.0, e), (b.0, f), declared)
        }
        (SortKind::Declared(number), _) => *declared.entry(number).or_insert(b.1) == b.1,
        _ => false,
    }
}
