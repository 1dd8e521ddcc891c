//! The rules of inference.
//!
//! A [`Kernel`] holds what follows from what is asserted: classes of equal terms, and clauses over the bits
//! of terms. Each function below is one rule; it adds a consequence, or refuses. Nothing else adds anything,
//! so whatever a certificate says, a contradiction that appears here follows from the assertions. A rule
//! about terms holds in all models of what is asserted *and supposed*; a supposition that leads to a
//! contradiction is discharged as a clause ([`Kernel::discharge`]), and clauses never depend on what is
//! supposed.
//!
//! Gates and witnesses are definitions of new variables: they add no consequence about old ones.

use crate::circuit::Circuits;
use crate::clause::{Clauses, Name};
use crate::division;
use crate::equality::{Classes, Mark};
use crate::evaluate::{self, Value};
use crate::floats::boxes::{Boxes, Tree};
use crate::floats::sums::Sums;
use crate::gate::Lit;
use crate::lrat::Refutation;
use crate::polynomial;
use crate::product;
use crate::term::{Op, SortKind, Term, Terms};
use crate::theorem::Theorem;
use crate::words::{Difference, Relation};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

type Checked = Result<(), String>;

/// What follows from what is asserted.
#[derive(Clone, Default)]
pub struct Kernel {
    /// All terms.
    pub terms: Terms,
    classes: Classes,
    circuits: Circuits,
    clauses: Clauses,
    /// For pairs of arrays: the index at which they differ if they do.
    witnesses: FxHashMap<(Term, Term), Term>,
    supposed: Option<(Vec<(Term, bool)>, Mark)>,
    /// What is left of the difference of two words.
    difference: Option<Difference>,
}

impl Kernel {
    /// Nothing is asserted; the terms are those of the table.
    pub fn new(mut terms: Terms) -> Kernel {
        terms.set_element_bits(None);
        Kernel { terms, ..Kernel::default() }
    }

    /// Gives elements of declared sorts so many bits. Whatever the formula says of them, it can tell no more
    /// of them apart than there are terms: if it has a model, number the values of the terms there, and the
    /// numbers make the same equations true. So circuits over numbers show what circuits over elements would,
    /// if there are at least as many numbers as terms, which [`Kernel::refuted`] asks for.
    pub fn set_element_bits(&mut self, bits: u32) -> Checked {
        if bits == 0 || bits > 64 || !self.circuits.gates.is_empty() {
            return Err("elements have between 1 and 64 bits, before there are circuits".into());
        }
        self.terms.set_element_bits(Some(bits));
        Ok(())
    }

    /// Are two terms known to be equal?
    pub fn equal(&self, a: Term, b: Term) -> bool {
        self.classes.equal(a, b)
    }

    /// Is this known to be the truth value of the term?
    pub fn is(&self, term: Term, truth: bool) -> bool {
        self.classes.is(&self.terms, term, truth)
    }

    /// A number that terms have in common which are known to be equal.
    pub fn class(&self, term: Term) -> u32 {
        self.classes.find(term)
    }

    /// Is what is asserted and supposed known to be contradictory?
    pub fn contradictory(&self) -> bool {
        self.classes.contradictory()
    }

    /// Is something supposed at the moment?
    pub fn supposes(&self) -> bool {
        self.supposed.is_some()
    }

    /// The value that a term is known to have.
    pub fn value(&self, term: Term) -> Option<Term> {
        self.classes.value(&self.terms, term)
    }

    /// The literals of a term whose bits were built.
    pub fn bits(&self, term: Term) -> Option<&[Lit]> {
        self.circuits.known(term)
    }

    /// The gates.
    pub fn gates(&self) -> &crate::gate::Gates {
        &self.circuits.gates
    }

    fn unite(&mut self, a: Term, b: Term) {
        self.classes.unite(&self.terms, a, b);
    }

    fn unite_with_truth(&mut self, term: Term, truth: bool) {
        let value = self.terms.truth(truth);
        self.unite(term, value);
    }

    /// A term is asserted. Only for what the formula asserts.
    pub fn assert(&mut self, term: Term) {
        self.unite_with_truth(term, true);
    }

    /// One operator on equal arguments; those of a commutative operator in any order.
    pub fn congruence(&mut self, a: Term, b: Term) -> Checked {
        let (terms, classes) = (&self.terms, &self.classes);
        let (left, right) = (terms.args(a), terms.args(b));
        let equal = |x: &[Term], y: &[Term]| x.iter().zip(y).all(|(&x, &y)| classes.equal(x, y));
        // What is equal for the symbols that a quantifier binds need not be for all their values.
        let applies = terms.op(a) == terms.op(b) && left.len() == right.len() && terms.op(a) != Op::Forall;
        let swapped = || match (left, right) {
            (&[x, y], &[..]) => terms.op(a).is_commutative() && equal(&[y, x], right),
            _ => false,
        };
        if !applies || !(equal(left, right) || swapped()) {
            return Err("the terms are not one operator on equal arguments".into());
        }
        self.unite(a, b);
        Ok(())
    }

    /// An operator on values; a conjunction of something false, and a disjunction of something true.
    pub fn evaluate(&mut self, term: Term) -> Checked {
        let args = self.terms.args(term);
        let decisive = match self.terms.op(term) {
            Op::And => Some(false),
            Op::Or => Some(true),
            _ => None,
        };
        if let Some(truth) = decisive.filter(|&truth| args.iter().any(|&arg| self.is(arg, truth))) {
            self.unite_with_truth(term, truth);
            return Ok(());
        }
        let value = |&arg: &Term| self.terms.value_of(self.classes.value(&self.terms, arg)?);
        let args: Option<Vec<Value>> = args.iter().map(value).collect();
        if let Some(args) = &args {
            let words = args.iter().map(|arg| u64::from(arg.width) / 64 + 1).max().unwrap_or(1);
            let rows =
                if matches!(self.terms.op(term), Op::BvMul | Op::BvUdiv | Op::BvUrem) { words } else { 4 };
            self.terms.budget.take(20 + words.saturating_mul(rows), 0)?;
        }
        let result = args.and_then(|args| evaluate::apply(self.terms.op(term), &args));
        let result = self.terms.term_of(term, &result.ok_or("an argument has no known value")?)?;
        self.unite(term, result);
        Ok(())
    }

    /// A choice whose condition is known, or whose branches are equal.
    pub fn choose(&mut self, term: Term) -> Checked {
        let &[condition, then, other] = self.terms.args(term) else {
            return Err("not a choice".into());
        };
        let is_choice = self.terms.op(term) == Op::Ite;
        let chosen = match (self.is(condition, true), self.is(condition, false)) {
            (true, _) => then,
            (_, true) => other,
            _ if self.equal(then, other) => then,
            _ => return Err("the condition of the choice is not known".into()),
        };
        if !is_choice {
            return Err("not a choice".into());
        }
        self.unite(term, chosen);
        Ok(())
    }

    /// Equal polynomials, or equivalent equations.
    pub fn polynomial(&mut self, a: Term, b: Term) -> Checked {
        match polynomial::equal(&self.terms, &self.classes, a, b)? {
            true => self.unite(a, b),
            false => return Err("the polynomials differ".into()),
        }
        Ok(())
    }

    /// What a known truth value says of the arguments: those of a true conjunction are true, those of a false
    /// disjunction false, that of a negation is the opposite, the sides of a true equation are equal, those
    /// of a false one between truth values are opposites.
    pub fn split(&mut self, term: Term) -> Checked {
        let args = self.terms.args(term).to_vec();
        match (self.terms.op(term), self.is(term, true), self.is(term, false)) {
            (Op::Not, true, _) => self.unite_with_truth(args[0], false),
            (Op::Not, _, true) => self.unite_with_truth(args[0], true),
            (Op::And, true, _) => args.iter().for_each(|&arg| self.unite_with_truth(arg, true)),
            (Op::Or, _, true) => args.iter().for_each(|&arg| self.unite_with_truth(arg, false)),
            (Op::Eq, true, _) => self.unite(args[0], args[1]),
            (Op::Eq, _, true) => self.unite_opposites(&args)?,
            _ => return Err("nothing follows for the arguments".into()),
        }
        Ok(())
    }

    /// Truth values that differ: where one is known, the other is the opposite.
    fn unite_opposites(&mut self, sides: &[Term]) -> Checked {
        if self.terms.sort_of(sides[0]) != self.terms.bool_sort() {
            return Err("nothing follows for the arguments".into());
        }
        for (known, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            for truth in [false, true] {
                if self.is(known, truth) {
                    self.unite_with_truth(other, !truth);
                    return Ok(());
                }
            }
        }
        Err("nothing follows for the arguments".into())
    }

    /// The sides of an equation are equal, so it is true; or they are different values, or polynomials that
    /// differ by a value, so it is false.
    pub fn equation(&mut self, term: Term) -> Checked {
        let (Op::Eq, &[a, b]) = (self.terms.op(term), self.terms.args(term)) else {
            return Err("not an equation".into());
        };
        let truth = match (self.equal(a, b), self.value(a), self.value(b)) {
            (true, _, _) => true,
            (_, Some(a), Some(b)) if a != b => false,
            _ if polynomial::differ(&self.terms, &self.classes, a, b)? => false,
            _ => return Err("it is not known whether the sides are equal".into()),
        };
        self.unite_with_truth(term, truth);
        Ok(())
    }

    /// The facts about a quotient or remainder, as a term that is true.
    pub fn division(&mut self, term: Term) -> Result<Term, String> {
        let facts = division::facts(&mut self.terms, term)?;
        self.unite_with_truth(facts, true);
        Ok(facts)
    }

    /// What makes a term the quotient or remainder, as a term that is true.
    pub fn exact(&mut self, term: Term) -> Result<Term, String> {
        let facts = division::exact(&mut self.terms, term)?;
        self.unite_with_truth(facts, true);
        Ok(facts)
    }

    /// The facts about a product that does not overflow, as a term that is true.
    pub fn product(&mut self, term: Term) -> Result<Term, String> {
        let facts = product::facts(&mut self.terms, term)?;
        self.unite_with_truth(facts, true);
        Ok(facts)
    }

    /// The facts about two products that do not overflow and share a factor, as a term that is true.
    pub fn products(&mut self, a: Term, b: Term) -> Result<Term, String> {
        let facts = product::pair(&mut self.terms, a, b)?;
        self.unite_with_truth(facts, true);
        Ok(facts)
    }

    /// What is asserted is contradictory if the sum of what it says with these factors is.
    pub fn sums(&mut self, said: &Sums, factors: &[(u64, BigUint)]) -> Checked {
        if !said.is_refuted(&self.terms, factors)? {
            return Err("the sum of the comparisons is not contradictory".into());
        }
        let no = self.terms.truth(false);
        self.unite_with_truth(no, true);
        Ok(())
    }

    /// What is asserted is contradictory if what it says is false on all boxes of the tree.
    pub fn boxes(&mut self, said: &Boxes, tree: &Tree) -> Checked {
        if !said.is_refuted(&self.terms, tree)? {
            return Err("there is a box that is not refuted".into());
        }
        let no = self.terms.truth(false);
        self.unite_with_truth(no, true);
        Ok(())
    }

    /// What a formula for all values of variables says of these terms, as a term that is true.
    pub fn instantiate(&mut self, formula: Term, args: &[Term]) -> Result<Term, String> {
        let said = self.terms.instance_of(formula, args)?;
        self.unite_with_truth(said, true);
        Ok(said)
    }

    /// New symbols for which the body of such a formula is false if the formula is, and that as a term, which
    /// is true.
    pub fn skolem(&mut self, formula: Term) -> Result<(Vec<Term>, Term), String> {
        let (symbols, said) = self.terms.witness_of(formula)?;
        self.unite_with_truth(said, true);
        Ok((symbols, said))
    }

    /// A theorem for these arguments.
    pub fn instance(&mut self, theorem: &Theorem, args: &[Term]) -> Result<(Term, Term), String> {
        let (left, right) = theorem.instance(&mut self.terms, args)?;
        self.unite(left, right);
        Ok((left, right))
    }

    /// Reading what was written: at the same index the element, at another one what was there.
    pub fn read_written(&mut self, read: Term) -> Checked {
        let (array, index) = self.read(read)?;
        let &[below, written, element] = self.terms.args(array) else {
            return Err("the array of the read is not a write".into());
        };
        if self.terms.op(array) != Op::Store {
            return Err("the array of the read is not a write".into());
        }
        if self.equal(index, written) {
            self.unite(read, element);
            return Ok(());
        }
        let equation = self.terms.mk(Op::Eq, &[written, index])?;
        let twin = self.terms.mk(Op::Eq, &[index, written])?;
        let values = (self.value(index), self.value(written));
        let differ = matches!(values, (Some(a), Some(b)) if a != b);
        if !differ && !self.is(equation, false) && !self.is(twin, false) {
            return Err("it is not known whether the indices are equal".into());
        }
        let deeper = self.terms.mk(Op::Select, &[below, index])?;
        self.unite(read, deeper);
        Ok(())
    }

    /// Reading an array whose elements are all the same.
    pub fn read_constant(&mut self, read: Term) -> Checked {
        let (array, _) = self.read(read)?;
        match (self.terms.op(array), self.terms.args(array)) {
            (Op::ConstArray(_), &[element]) => self.unite(read, element),
            _ => return Err("the array of the read is not constant".into()),
        }
        Ok(())
    }

    fn read(&self, read: Term) -> Result<(Term, Term), String> {
        match (self.terms.op(read), self.terms.args(read)) {
            (Op::Select, &[array, index]) => Ok((array, index)),
            _ => Err("not a read".into()),
        }
    }

    /// The index at which the sides of an equation of arrays differ if they are not equal: a new symbol, one
    /// for each equation.
    pub fn witness(&mut self, equation: Term) -> Result<Term, String> {
        let (Op::Eq, &[a, b]) = (self.terms.op(equation), self.terms.args(equation)) else {
            return Err("not an equation".into());
        };
        let SortKind::Array(sort, _) = self.terms.kind_of(a) else {
            return Err("not an equation of arrays".into());
        };
        let terms = &mut self.terms;
        Ok(*self.witnesses.entry((a, b)).or_insert_with(|| terms.fresh(sort)))
    }

    /// Arrays that are not equal differ at the witness of their equation: that of the two elements is false.
    pub fn differ(&mut self, equation: Term) -> Checked {
        let index = self.witness(equation)?;
        if !self.is(equation, false) {
            return Err("it is not known that the arrays differ".into());
        }
        let sides = self.terms.args(equation).to_vec();
        let left = self.terms.mk(Op::Select, &[sides[0], index])?;
        let right = self.terms.mk(Op::Select, &[sides[1], index])?;
        let elements = self.terms.mk(Op::Eq, &[left, right])?;
        self.unite_with_truth(elements, false);
        Ok(())
    }

    /// Supposes that these terms do not have these truth values.
    pub fn suppose(&mut self, literals: &[(Term, bool)]) -> Checked {
        if self.supposed.is_some() {
            return Err("something is supposed already".into());
        }
        let truth = self.terms.bool_sort();
        if literals.iter().any(|&(term, _)| self.terms.sort_of(term) != truth) {
            return Err("a supposition that is no truth value".into());
        }
        self.supposed = Some((literals.to_vec(), self.classes.mark()));
        for &(term, value) in literals {
            self.unite_with_truth(term, !value);
        }
        Ok(())
    }

    /// The supposition is contradictory: its opposite is a clause, whose number is given. A single literal is
    /// known from now on, too.
    pub fn discharge(&mut self) -> Result<u64, String> {
        if !self.classes.contradictory() {
            return Err("what is supposed is not contradictory".into());
        }
        let (literals, mark) = self.supposed.take().ok_or("nothing is supposed")?;
        self.classes.undo(mark);
        let mut clause = vec![];
        for &(term, value) in &literals {
            clause.push(self.build(term)?[0].flip(!value));
        }
        if let [(term, value)] = literals[..] {
            self.unite_with_truth(term, value);
        }
        Ok(self.clauses.push(&clause, "discharge"))
    }

    /// What was supposed is dropped, and all that followed from it.
    pub fn retract(&mut self) -> Checked {
        let (_, mark) = self.supposed.take().ok_or("nothing is supposed")?;
        self.classes.undo(mark);
        Ok(())
    }

    /// Builds the bits of a term.
    pub fn build(&mut self, term: Term) -> Result<&[Lit], String> {
        self.circuits.build(&self.terms, term)
    }

    /// A term gets bits of which nothing is said.
    pub fn free_bits(&mut self, term: Term) -> Checked {
        self.circuits.free(&self.terms, term)
    }

    /// A term that is known to be equal to another one gets its bits.
    pub fn share_bits(&mut self, term: Term, with: Term) -> Checked {
        if self.supposed.is_some() || !self.equal(term, with) {
            return Err("the terms are not known to be equal".into());
        }
        self.circuits.share(&self.terms, term, with)
    }

    /// The polynomial of a term, over classes of equal terms.
    pub fn polynomial_of(&self, term: Term) -> Result<polynomial::Polynomial, String> {
        polynomial::of(&self.terms, &self.classes, term)
    }

    /// The polynomial of a term in which all choices are variables.
    pub fn polynomial_over_choices(&self, term: Term) -> Result<polynomial::Polynomial, String> {
        polynomial::over_choices(&self.terms, &self.classes, term)
    }

    /// Terms whose bits are the same literals are equal.
    pub fn same_bits(&mut self, a: Term, b: Term) -> Checked {
        if self.terms.sort_of(a) != self.terms.sort_of(b) {
            return Err("terms of different sorts".into());
        }
        self.build(a)?;
        self.build(b)?;
        if self.bits(a) != self.bits(b) {
            return Err("the bits differ".into());
        }
        self.unite(a, b);
        Ok(())
    }

    /// A truth value that is known is a clause; gives its number.
    pub fn unit(&mut self, term: Term) -> Result<u64, String> {
        if self.supposed.is_some() {
            return Err("clauses do not depend on what is supposed".into());
        }
        let truth = match (self.is(term, true), self.is(term, false)) {
            (true, _) => true,
            (_, true) => false,
            _ => return Err("the truth value is not known".into()),
        };
        let lit = self.build(term)?[0].flip(!truth);
        Ok(self.clauses.push(&[lit], "unit"))
    }

    /// A clause of the one bit of a term is its truth value.
    pub fn truth(&mut self, term: Term, clause: u64) -> Checked {
        if self.terms.sort_of(term) != self.terms.bool_sort() {
            return Err("a bit of what is no truth value".into());
        }
        let lit = self.build(term)?[0];
        let known = match self.clauses.get(clause) {
            Some(&[unit]) if unit == lit => true,
            Some(&[unit]) if unit == !lit => false,
            _ => return Err("the clause is not the bit of the term".into()),
        };
        self.clauses.conclude(clause, true);
        self.unite_with_truth(term, known);
        Ok(())
    }

    /// A clause that follows by unit propagation; gives its number.
    pub fn propagation(&mut self, clause: &[Lit], hints: impl Iterator<Item = Name>) -> Result<u64, String> {
        self.clauses.follows(&self.circuits.gates, &self.terms.budget, clause, hints)?;
        self.terms.budget.take(0, 32 + 4 * clause.len() as u64)?;
        Ok(self.clauses.push(clause, "derive"))
    }

    /// The number that the next clause will have.
    pub fn next_clause(&self) -> u64 {
        self.clauses.next()
    }

    /// A gate over some literals, by the number of its kind.
    pub fn gate(&mut self, kind: u32, inputs: &[Lit]) -> Result<Lit, String> {
        self.circuits.gate(&self.terms, kind, inputs)
    }

    /// The difference of two words that have bits is looked at.
    pub fn subtract(&mut self, a: Term, b: Term) -> Checked {
        let bits = |term: Term| self.bits(term).ok_or("a word that has no bits");
        self.difference = Some(Difference::new(bits(a)?, bits(b)?)?);
        Ok(())
    }

    /// A relation is added to the difference.
    pub fn relation(&mut self, relation: &Relation) -> Checked {
        let difference = self.difference.as_mut().ok_or("there is no difference")?;
        let clauses: usize =
            relation.clauses.iter().filter_map(|&at| self.clauses.get(at)).map(<[Lit]>::len).sum();
        let size = clauses + relation.gates.len() + relation.summands.len() * 20 + 20;
        self.terms.budget.take(64 * 8 * size as u64, 0)?;
        difference.add_relation(relation, &self.circuits.gates, &self.clauses)?;
        relation.clauses.iter().for_each(|&number| self.clauses.conclude(number, false));
        Ok(())
    }

    /// Nothing is left of the difference: the bits of the words are equal, by two clauses each. Gives the
    /// number of the first one.
    pub fn cancel(&mut self) -> Result<u64, String> {
        let difference = self.difference.take().ok_or("there is no difference")?;
        let numbers = difference.equal_bits()?.into_iter().map(|(a, b)| {
            let first = self.clauses.push(&[a, !b], "cancel");
            self.clauses.push(&[!a, b], "cancel");
            first
        });
        numbers.collect::<Vec<u64>>().first().copied().ok_or_else(|| "words without bits".into())
    }

    /// Clauses are kept with what they are derived from, from now on.
    pub fn trace(&mut self) {
        self.clauses.trace = Some(Box::default());
    }

    /// The clausal part of what was done since [`Kernel::trace`], if there is one.
    pub fn refutation(&self, name: String) -> Option<Refutation> {
        self.clauses.trace.as_ref()?.refutation(name, &self.circuits.gates)
    }

    /// Forgets a clause.
    pub fn delete(&mut self, clause: u64) -> Checked {
        self.clauses.delete(clause)
    }

    /// What is asserted is contradictory: two values are equal, or this clause is empty.
    pub fn refuted(&self, clause: Option<u64>) -> bool {
        let is_empty = clause.and_then(|number| self.clauses.get(number)).is_some_and(<[Lit]>::is_empty);
        let is_contradiction = is_empty || self.classes.contradictory();
        self.supposed.is_none() && is_contradiction && self.terms.has_room_for_elements()
    }
}
