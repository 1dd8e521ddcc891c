//! Cases: formulas that carry what is known of them.
//!
//! A case is a conjunction of assertions and its *evidence*: a model, or a set of assertions that are
//! contradictory by themselves, or nothing where only a vote of solvers can tell. As text it is an ordinary
//! script that any solver reads; what is known stands in its head, as attributes:
//!
//! - `(set-info :status sat)` or `unsat`; missing where nothing is known;
//! - `(set-info :bivalve-model "(define-fun x () Bool true) ...")`, the definitions of all declared symbols;
//! - `(set-info :bivalve-core "a0 a2")`, names of assertions `(! t :named a0)`, separated by blanks;
//! - `(set-info :bivalve-group "bv constants sat")`, the row of a table that the case counts in;
//! - `(set-info :source |...|)`, how the case was made.
//!
//! A model need not be the one a solver finds, nor a core: solvers may give any model, and any set of
//! assertions that is contradictory. Beside a core of minimal size there may be others, so who judges a core
//! that is not contained in the expected one has to ask whether it is contradictory by itself.
//!
//! Some assertions have a second text over integers (`bv2nat`, `int2bv`), for solvers that have these; our
//! reader does not, so that form exists as text only ([`Case::integer_script`]).
//!
//! Symbols of one case have different, simple names, none of which is `a` and a number.

use crate::construct::integers::IntegerForm;
use crate::plain;
use bivalve_formats::smtlib::print::{self, BitVecFormat, Naming, Printer, Values};
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Sort, SortKind, Term, cone};

/// What is known of a formula.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Nothing.
    Nothing,
    /// It is satisfiable: values of its symbols.
    Model(Assignment),
    /// It is unsatisfiable: positions of assertions that are contradictory by themselves, increasing.
    Core(Vec<usize>),
}

/// One assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// A Boolean term.
    pub term: Term,
    /// The same over integers, if there is such a form.
    pub integers: Option<IntegerForm>,
}

/// A formula and what is known of it.
pub struct Case {
    /// Where terms live.
    pub pool: Pool,
    /// The formula is the conjunction of these.
    pub assertions: Vec<Assertion>,
    /// What is known.
    pub evidence: Evidence,
    /// How bit-vector constants are printed.
    pub format: BitVecFormat,
    /// How the case was made, in a few words without bars.
    pub origin: String,
    /// The row of a table that the case counts in, its status aside.
    pub group: String,
}

impl From<Term> for Assertion {
    fn from(term: Term) -> Assertion {
        Assertion { term, integers: None }
    }
}

impl Case {
    /// Is the formula satisfiable, if that is known?
    pub fn status(&self) -> Option<bool> {
        match self.evidence {
            Evidence::Nothing => None,
            Evidence::Model(_) => Some(true),
            Evidence::Core(_) => Some(false),
        }
    }

    /// The terms of the assertions.
    pub fn terms(&self) -> Vec<Term> {
        self.assertions.iter().map(|assertion| assertion.term).collect()
    }

    /// The operators of the formula, once for each distinct term.
    pub fn operators(&self) -> impl Iterator<Item = Op> {
        cone(&self.pool, &self.terms()).into_iter().map(|term| self.pool.op(term))
    }

    /// The symbols that occur, in the order of their making.
    pub fn symbols(&self) -> Vec<Term> {
        let mut below = cone(&self.pool, &self.terms());
        below.retain(|&term| self.pool.op(term) == Op::Symbol);
        below
    }

    /// Do all assertions hold under the model? `None` if there is no model.
    pub fn model_holds(&self) -> Option<bool> {
        let Evidence::Model(model) = &self.evidence else { return None };
        let mut evaluator = Evaluator::new(&self.pool, model);
        Some(self.assertions.iter().all(|assertion| evaluator.eval(assertion.term).expect_bool()))
    }

    /// Writes the case without operators beyond SMT-LIB 2.0, for solvers that do not have them; what is known
    /// stays.
    pub fn say_plainly(&mut self) {
        let terms = self.terms();
        let plain = plain::translate(&mut self.pool, &terms);
        for (assertion, term) in self.assertions.iter_mut().zip(plain) {
            assertion.term = term;
        }
    }

    /// The script of the case, over bit-vectors, arrays and functions only.
    pub fn script(&self) -> String {
        self.write(|_| None)
    }

    /// The script with integers where an assertion has such a form; `None` if none has.
    pub fn integer_script(&self) -> Option<String> {
        self.assertions
            .iter()
            .any(|assertion| assertion.integers.is_some())
            .then(|| self.write(|assertion| assertion.integers.as_ref()?.text(&self.pool, self.format)))
    }

    fn write(&self, instead: impl Fn(&Assertion) -> Option<String>) -> String {
        let texts: Vec<Option<String>> = self.assertions.iter().map(instead).collect();
        let (naming, symbols) = (Naming::default(), self.symbols());
        let logic = if texts.iter().any(Option::is_some) { "ALL" } else { &*self.logic() };
        let mut text = format!("(set-logic {logic})\n");
        self.write_head(&mut text, &symbols);
        for &symbol in &symbols {
            text += &declaration(&self.pool, symbol);
        }
        let printer = Printer::new(&self.pool, &naming, self.format);
        let named = !matches!(self.evidence, Evidence::Model(_));
        for (number, (assertion, instead)) in self.assertions.iter().zip(texts).enumerate() {
            text += if named { "(assert (! " } else { "(assert " };
            match instead {
                Some(instead) => text += &instead,
                None => printer.write(&mut text, assertion.term),
            }
            text += &if named { format!(" :named {}))\n", name(number)) } else { ")\n".to_owned() };
        }
        text + "(check-sat)\n"
    }

    fn write_head(&self, text: &mut String, symbols: &[Term]) {
        if !self.origin.is_empty() {
            *text += &format!("(set-info :source |{}|)\n", self.origin);
        }
        if !self.group.is_empty() {
            let status = match self.status() {
                Some(true) => "sat",
                Some(false) => "unsat",
                None => "unknown",
            };
            let group = print::string(&format!("{} {status}", self.group));
            *text += &format!("(set-info :bivalve-group {group})\n");
        }
        match &self.evidence {
            Evidence::Nothing => {}
            Evidence::Model(model) => {
                let values = Values::new(&self.pool, self.format);
                let given = |&symbol: &Term| Some(values.definition(symbol, model.get(symbol)?));
                let definitions: Vec<String> = symbols.iter().filter_map(given).collect();
                let definitions = print::string(&definitions.join(" "));
                *text += &format!("(set-info :status sat)\n(set-info :bivalve-model {definitions})\n");
            }
            Evidence::Core(core) => {
                let names: Vec<String> = core.iter().map(|&number| name(number)).collect();
                let names = names.join(" ");
                *text += &format!("(set-info :status unsat)\n(set-info :bivalve-core \"{names}\")\n");
            }
        }
    }

    /// The least usual logic; the names of logics with arrays promise neither constant arrays nor other sorts
    /// than bit-vectors.
    fn logic(&self) -> String {
        let terms = self.terms();
        let odd =
            |&term: &Term| self.pool.op(term) == Op::ConstArray || is_odd(&self.pool, self.pool.sort(term));
        let below = cone(&self.pool, &terms);
        if below.iter().any(odd) { "ALL".to_owned() } else { logic_of(&self.pool, &below) }
    }
}

/// The name of an assertion in a script.
pub fn name(position: usize) -> String {
    format!("a{position}")
}

/// Is this a sort of arrays that have not bit-vectors only?
fn is_odd(pool: &Pool, sort: Sort) -> bool {
    pool.sorts().array_parts(sort).is_some_and(|(index, element)| !index.is_bitvec() || !element.is_bitvec())
}

/// The logic of terms whose arrays have bit-vectors only.
fn logic_of(pool: &Pool, below: &[Term]) -> String {
    let any = |test: fn(&SortKind) -> bool| below.iter().any(|&term| test(&pool.sort_kind(term)));
    let arrays = any(|kind| matches!(kind, SortKind::Array { .. }));
    let functions = any(|kind| matches!(kind, SortKind::Function { .. } | SortKind::Uninterpreted(_)));
    format!("QF_{}{}BV", if arrays { "A" } else { "" }, if functions { "UF" } else { "" })
}

/// The declaration of a symbol, with a line feed.
fn declaration(pool: &Pool, symbol: Term) -> String {
    let name = print::symbol(pool.name(symbol).expect("a symbol has a name"));
    let sorts = pool.sorts();
    let whole = pool.sort(symbol);
    let (params, result) = sorts.function_parts(whole).unwrap_or((&[], whole));
    let params: Vec<String> = params.iter().map(|&param| print::sort(sorts, param)).collect();
    format!("(declare-fun {name} ({}) {})\n", params.join(" "), print::sort(sorts, result))
}
