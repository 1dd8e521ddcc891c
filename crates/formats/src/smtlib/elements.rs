//! Elements of declared sorts as models show them: `(as @S_3 S)`.
//!
//! The standard calls them abstract values: a client may use one in `get-value` as long as the model that has
//! shown it is there (SMT-LIB 2.6, on `get-value`). The reader makes a symbol of each, and the session gives
//! the symbol its value. An assertion with one is refused: the number says nothing outside of the model.
//!
//! Cost: a look-up an occurrence; the table holds the elements of one command.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::lexer::Parsed;
use crate::smtlib::reading::Reading;
use crate::smtlib::symbols::Symbols;
use bivalve_terms::print::element_name;
use bivalve_terms::{Renaming, Sort, Term, Value};
use rustc_hash::FxHashMap;

/// The elements that the last `get-value` mentions, as symbols.
#[derive(Default)]
pub(crate) struct Elements {
    symbols: FxHashMap<(Sort, u32), Term>,
}

impl Elements {
    pub(crate) fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Forgets all elements.
    pub(crate) fn clear(&mut self) {
        self.symbols.clear();
    }

    /// The terms to keep when the pool is compacted.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = Term> {
        self.symbols.values().copied()
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        self.symbols.values_mut().for_each(|symbol| *symbol = renaming.of(*symbol));
    }
}

impl Symbols {
    /// The symbols that stand for elements of declared sorts in the last `get-value`, and the elements.
    pub fn elements(&self) -> impl Iterator<Item = (Term, Value)> {
        self.elements.symbols.iter().map(|(&(sort, number), &symbol)| (symbol, Value::Element(sort, number)))
    }
}

impl Reading<'_> {
    /// Behind `(as @S_3`, the name of an element as models show it: its sort and the parenthesis.
    pub(crate) fn element(&mut self, name: &str) -> Parsed<Term> {
        let place = self.lexer.place();
        let token = self.lexer.next()?;
        let sort = self.sort_from(token)?;
        let span = place..self.lexer.end();
        self.close()?;
        let number = name.rsplit_once('_').and_then(|(_, digits)| digits.parse().ok());
        let sorts = self.pool.sorts();
        let is_name =
            |&number: &u32| sorts.is_uninterpreted(sort) && element_name(sorts, sort, number) == name;
        let Some(number) = number.filter(is_name) else {
            let found = format!("'{name}' of sort {}", sorts.display(sort));
            let expected = "an element of a declared sort as models show it, such as (as @S_0 S)";
            return Err(self.lexer.refuse(DiagnosticKind::Undeclared, span, expected, found));
        };
        let known = self.symbols.elements.symbols.get(&(sort, number));
        Ok(known.copied().unwrap_or_else(|| {
            let symbol = self.pool.symbol(name, sort);
            self.symbols.elements.symbols.insert((sort, number), symbol);
            symbol
        }))
    }
}
