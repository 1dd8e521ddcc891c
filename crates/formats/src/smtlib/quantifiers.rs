//! Formulas for all and for some values of variables.
//!
//! The variables of a quantifier are symbols of its own, bound as locals while its body is read, so shadowing
//! is that of `let`. A list is short for nested quantifiers of one variable each, as the standard has it
//! (2.7, 3.6.1), so of two variables of one name the last is meant. Variables lie among the arguments of the
//! frame; the body comes behind them. Attributes of the body, such as patterns, are read and passed over, as
//! those of other terms.
//!
//! A label names a closed term: what mentions a variable of a quantifier that is open cannot have one.
//!
//! Who is handed images knows no quantifiers; there they are refused.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::logics::Feature;
use crate::smtlib::reading::Reading;
use crate::smtlib::terms::{Frame, Step};
use bivalve_terms::{Op, Sort, SortKind, Term, TheorySort, cone};
use rustc_hash::FxHashSet;

impl Reading<'_> {
    /// Behind `(forall` or `(exists`, which begins at `place`: reads the variables and opens the body.
    pub(crate) fn open_quantifier(&mut self, place: u64) -> Parsed<()> {
        let word = self.lexer.name(Token::Symbol).to_owned();
        if self.images {
            let found = format!("'{word}': quantifiers are not known here");
            return Err(self.refuse_token(DiagnosticKind::Unsupported, "a term without quantifiers", found));
        }
        self.check_logic(Feature::Quantifiers)?;
        let (start, mark) = (self.work.args.len(), self.symbols.enter());
        let variables = self.variables("a variable", "'(' and a variable, or ')'", None)?;
        if variables.is_empty() {
            self.only_lenient("a variable", "an empty list of variables")?;
        }
        if let Some((sort, why)) =
            variables.iter().find_map(|&variable| self.unquantified(self.pool.sort(variable)))
        {
            let found = format!("a variable of sort {}: {why}", self.pool.sorts().display(sort));
            let span = place..self.lexer.end();
            let expected = "variables of sorts that are quantified";
            return Err(self.lexer.refuse(DiagnosticKind::Unsupported, span, expected, found));
        }
        for variable in variables {
            self.work.args.push(variable);
            self.work.places.push(place);
        }
        let step = Step::Quantified { mark, exists: word == "exists" };
        self.work.frames.push(Frame { step, start, place });
        Ok(())
    }

    /// The sort in this one over which there are no quantifiers, and why.
    fn unquantified(&self, sort: Sort) -> Option<(Sort, &'static str)> {
        let mut todo = vec![sort];
        while let Some(sort) = todo.pop() {
            if self.is_loose_record(sort) {
                return Some((sort, "quantifiers over records with arrays or elements are not supported"));
            }
            match self.pool.sorts().kind(sort) {
                SortKind::Array { index, element } => todo.extend([index, element]),
                SortKind::Uninterpreted(_) => {
                    return Some((sort, "quantifiers over declared sorts are not supported"));
                }
                SortKind::Theory(TheorySort::Int | TheorySort::Real) => {
                    return Some((sort, "quantifiers over numbers are not supported"));
                }
                SortKind::Theory(_) | SortKind::Bool | SortKind::BitVec(_) | SortKind::Function { .. } => {}
            }
        }
        None
    }

    /// Is it a record with a field that is no word?
    fn is_loose_record(&self, sort: Sort) -> bool {
        let sorts = self.pool.sorts();
        let mut todo = vec![sort];
        let mut seen = FxHashSet::default();
        while let Some(sort) = todo.pop() {
            let Some(record) = sorts.as_record(sort).filter(|_| seen.insert(sort)) else { continue };
            for &(_, field) in record.constructors().iter().flat_map(|constructor| &constructor.fields) {
                if sorts.array_parts(field).is_some() || sorts.is_uninterpreted(field) {
                    return true;
                }
                todo.push(field);
            }
        }
        false
    }

    /// The body of the innermost frame has been read: the formula, behind its closing parenthesis.
    pub(crate) fn quantified(&mut self, body: Term, exists: bool) -> Parsed<Term> {
        let &Frame { start, place, .. } = self.work.frames.last().expect("a quantifier is open");
        self.close()?;
        let variables = self.work.args.split_off(start);
        self.work.places.truncate(start);
        let made = match exists {
            true => self.pool.exists(&variables, body),
            false => self.pool.forall(&variables, body),
        };
        made.map_err(|_| {
            let found = format!("a body of sort {}", self.pool.sorts().display(self.pool.sort(body)));
            let span = place..self.lexer.end();
            self.lexer.refuse(DiagnosticKind::Sort, span, "a body of sort Bool", found)
        })
    }

    /// Refuses the current token, a label, for a term that mentions a variable of a quantifier that is open.
    pub(crate) fn check_closed(&self, term: Term) -> Parsed<()> {
        let is_quantifier = |frame: &&Frame| matches!(frame.step, Step::Quantified { .. });
        let mut open: FxHashSet<Term> = FxHashSet::default();
        for frame in self.work.frames.iter().filter(is_quantifier) {
            // Its variables are the symbols from there on; others beside them do no harm to a closed term.
            let own = self.work.args[frame.start..].iter().zip(&self.work.places[frame.start..]);
            let own = own.take_while(|&(&arg, &at)| at == frame.place && self.pool.op(arg) == Op::Symbol);
            open.extend(own.map(|(&variable, _)| variable));
        }
        if !open.is_empty() && cone(self.pool, &[term]).iter().any(|below| open.contains(below)) {
            let expected = "a name of a term without variables of quantifiers";
            return Err(self.refuse_token(DiagnosticKind::Syntax, expected, "the name of one with them"));
        }
        Ok(())
    }
}
