//! A proof that is checked while it is written.
//!
//! A [`Recorder`] is a kernel of the checker and the text of what it is told. Each rule is first carried out;
//! only a step that the kernel accepts is written. So a certificate that is finished is one that checks, and
//! what cannot be shown is noticed where it is tried. The last clauses, which refute what was shown, are the
//! SAT solver's word. Terms are written when a step first mentions them.
//!
//! A silent recorder writes nothing: a place to try.

use crate::writer::Writer;
use crate::{Form, Refutation};
use bivalve_checker::clause::Name;
use bivalve_checker::floats::boxes::{Boxes, Tree};
use bivalve_checker::floats::sums::Sums;
use bivalve_checker::gate::Lit;
use bivalve_checker::kernel::Kernel;
use bivalve_checker::step::{self, operator};
use bivalve_checker::term::{Function, Op, Sort, SortKind, Term};
use bivalve_checker::theorem::Theorem;
use bivalve_checker::words::Relation;
use bivalve_limits::Stop;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

type Checked = Result<(), String>;

/// A kernel and what it was told. The default is silent.
#[derive(Clone, Default)]
pub(crate) struct Recorder {
    pub(crate) kernel: Kernel,
    out: Option<Writer>,
    /// The numbers of terms, by their places in the kernel; those that are not written have none.
    terms: Vec<Option<u64>>,
    sorts: FxHashMap<Sort, u64>,
    /// The names of declared constants, functions and sorts.
    pub(crate) constants: FxHashMap<Term, String>,
    pub(crate) functions: FxHashMap<Function, String>,
    pub(crate) declared: FxHashMap<Sort, String>,
    /// The assertions that were used, by number.
    pub(crate) asserted: BTreeSet<usize>,
    next_term: u64,
    next_sort: u64,
    /// The number of the next clause, once what comes is the SAT solver's refutation.
    conclusion: Option<u64>,
}

impl Recorder {
    /// Its steps fail once the handle is raised.
    pub(crate) fn stopped_by(mut self, stop: &Stop) -> Recorder {
        let stop = stop.clone();
        self.kernel.terms.budget.goes_on = Some(Arc::new(move || stop.reason().is_none()));
        self
    }

    /// Writes steps as bytes or text, or nothing at all.
    pub(crate) fn new(form: Option<Form>) -> Recorder {
        Recorder {
            kernel: Kernel::default(),
            out: form.map(Writer::new),
            terms: vec![],
            sorts: FxHashMap::default(),
            constants: FxHashMap::default(),
            functions: FxHashMap::default(),
            declared: FxHashMap::default(),
            asserted: BTreeSet::new(),
            next_term: 0,
            next_sort: 0,
            conclusion: None,
        }
    }

    /// The steps so far.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out.map(Writer::into_bytes).unwrap_or_default()
    }

    /// The steps so far, and the assertions that they use.
    pub(crate) fn into_refutation(self) -> Refutation {
        Refutation { used: self.asserted.iter().copied().collect(), steps: self.into_bytes() }
    }

    /// Appends steps that were written elsewhere.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        if let Some(out) = &mut self.out {
            out.append(bytes);
        }
    }

    /// The sum of what these assertions say, with these factors, is contradictory.
    pub(crate) fn sums(&mut self, assertions: &[usize], said: &Sums, factors: &[(u64, BigUint)]) -> Checked {
        self.kernel.sums(said, factors)?;
        let numbers = assertions.iter().map(|&at| at as u64);
        self.step(step::SUMS, &[assertions.len() as u64]);
        self.numbers(&numbers.chain([factors.len() as u64]).collect::<Vec<_>>());
        for (comparison, factor) in factors {
            self.numbers(&[*comparison]);
            self.large(factor);
        }
        self.asserted.extend(assertions);
        Ok(())
    }

    /// On each box of the tree one of these assertions is false.
    pub(crate) fn boxes(&mut self, assertions: &[usize], said: &Boxes, tree: &Tree) -> Checked {
        self.kernel.boxes(said, tree)?;
        let numbers = assertions.iter().map(|&at| at as u64);
        self.step(step::BOXES, &[assertions.len() as u64]);
        self.numbers(&numbers.chain([tree.len() as u64]).collect::<Vec<_>>());
        for node in tree {
            self.numbers(&[node.as_ref().map_or(0, |(place, _)| place + 1)]);
            if let Some((_, key)) = node {
                self.large(key);
            }
        }
        self.asserted.extend(assertions);
        Ok(())
    }

    /// Writes a step and the numbers after it.
    pub(crate) fn step(&mut self, step: usize, numbers: &[u64]) {
        if let Some(out) = &mut self.out {
            out.step(step);
            numbers.iter().for_each(|&number| out.number(number));
        }
    }

    fn known(&self, term: Term) -> Option<u64> {
        self.terms.get(term.index()).copied().flatten()
    }

    fn number_new(&mut self, term: Term) {
        if self.terms.len() <= term.index() {
            self.terms.resize(self.kernel.terms.len().max(term.index() + 1), None);
        }
        self.terms[term.index()].get_or_insert(self.next_term);
        self.next_term += 1;
    }

    /// The number of a term, which is written if it is new.
    pub(crate) fn number(&mut self, root: Term) -> u64 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known(term).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = self.kernel.terms.args(term);
            stack.extend(args.iter().copied().filter(|&arg| self.known(arg).is_none()));
            if stack.len() == before {
                stack.pop();
                self.write_term(term);
                self.number_new(term);
            }
        }
        self.known(root).expect("a term has a number once it is written")
    }

    fn write_term(&mut self, term: Term) {
        let args: Vec<u64> = self.kernel.terms.args(term).iter().filter_map(|&arg| self.known(arg)).collect();
        let list = |head: &[u64]| [head, &[args.len() as u64], &args].concat();
        match self.kernel.terms.op(term) {
            Op::Symbol(_) => {
                let name = self.constants.get(&term).cloned();
                self.step(step::SYMBOL, &[]);
                self.name_token(&name.expect("symbols of the formula have names, others have numbers"));
            }
            Op::Value(_) => {
                let value = self.kernel.terms.value_of(term).expect("a value");
                self.step(step::VALUE, &[u64::from(value.width)]);
                self.large(&value.number);
            }
            Op::Apply(function) => {
                self.step(step::APPLY, &[]);
                self.name_token(&self.functions[&function].clone());
                self.numbers(&list(&[]));
            }
            Op::ConstArray(sort) => {
                let sort = self.sort(sort);
                self.operator(step::CONST, &list(&[sort]));
            }
            op => {
                let (number, indices) = operator(op).expect("an operator of the table");
                let indices: Vec<u64> = indices.into_iter().map(u64::from).collect();
                self.operator(number, &list(&indices));
            }
        }
    }

    fn operator(&mut self, operator: usize, numbers: &[u64]) {
        self.step(step::TERM, &[]);
        if let Some(out) = &mut self.out {
            out.operator(operator);
        }
        self.numbers(numbers);
    }

    fn name_token(&mut self, name: &str) {
        if let Some(out) = &mut self.out {
            out.name(name);
        }
    }

    fn numbers(&mut self, numbers: &[u64]) {
        if let Some(out) = &mut self.out {
            numbers.iter().for_each(|&number| out.number(number));
        }
    }

    /// The number of a sort, which is written if it is new. Sorts are as deep as the formula nests arrays.
    pub(crate) fn sort(&mut self, sort: Sort) -> u64 {
        if let Some(&known) = self.sorts.get(&sort) {
            return known;
        }
        match self.kernel.terms.kind(sort) {
            SortKind::Bool => self.step(step::SORT, &[0]),
            SortKind::BitVec(width) => self.step(step::SORT, &[1, u64::from(width)]),
            SortKind::Array(index, element) => {
                let (index, element) = (self.sort(index), self.sort(element));
                self.step(step::SORT, &[2, index, element]);
            }
            SortKind::Declared(_) => {
                self.step(step::SORT, &[3]);
                self.name_token(&self.declared[&sort].clone());
            }
            SortKind::Float(_) | SortKind::Mode | SortKind::Real | SortKind::Record(_) => {
                unreachable!("what is written is about images")
            }
        }
        self.variable_sort(sort);
        self.sorts[&sort]
    }

    /// A variable of a theorem; those come first.
    pub(crate) fn variable(&mut self, sort: Sort) -> Term {
        let variable = self.kernel.terms.fresh(sort);
        self.number_new(variable);
        variable
    }

    /// Numbers a sort. Those of a theorem are numbered in the order of its variables.
    pub(crate) fn variable_sort(&mut self, sort: Sort) {
        self.sorts.entry(sort).or_insert(self.next_sort);
        self.next_sort += 1;
    }

    /// Elements of declared sorts have so many bits.
    pub(crate) fn element_bits(&mut self, bits: u32) -> Checked {
        self.kernel.set_element_bits(bits)?;
        self.step(step::ELEMENTS, &[u64::from(bits)]);
        Ok(())
    }

    /// The n-th assertion is this term.
    pub(crate) fn assert(&mut self, number: u64, term: Term) {
        self.kernel.assert(term);
        self.asserted.insert(number as usize);
        self.step(step::ASSERTION, &[number]);
        self.number_new(term);
    }

    /// Has the term a number? A formula for all values of variables gets one where it is met.
    pub(crate) fn can_mention(&self, term: Term) -> bool {
        self.known(term).is_some()
    }

    /// The formulas for all values of variables in a term can be mentioned.
    pub(crate) fn quantified(&mut self, term: Term) -> Checked {
        let found = self.kernel.terms.quantified_in(term)?;
        if !found.is_empty() {
            self.one(step::QUANTIFIED, term);
            found.into_iter().for_each(|formula| self.number_new(formula));
        }
        Ok(())
    }

    /// What such a formula says of these terms.
    pub(crate) fn instantiate(&mut self, formula: Term, args: &[Term]) -> Checked {
        let said = self.kernel.instantiate(formula, args)?;
        let mut numbers = vec![self.number(formula), args.len() as u64];
        numbers.extend(args.iter().map(|&arg| self.number(arg)));
        self.step(step::INSTANTIATE, &numbers);
        self.number_new(said);
        self.quantified(said)
    }

    /// New symbols for which the body of such a formula is false if the formula is.
    pub(crate) fn skolem(&mut self, formula: Term) -> Result<Vec<Term>, String> {
        let (symbols, said) = self.kernel.skolem(formula)?;
        self.one(step::SKOLEM, formula);
        symbols.iter().chain([&said]).for_each(|&term| self.number_new(term));
        self.quantified(said)?;
        Ok(symbols)
    }

    fn one(&mut self, step: usize, term: Term) {
        let number = self.number(term);
        self.step(step, &[number]);
    }

    fn two(&mut self, step: usize, a: Term, b: Term) {
        let numbers = [self.number(a), self.number(b)];
        self.step(step, &numbers);
    }

    pub(crate) fn congruence(&mut self, a: Term, b: Term) -> Checked {
        if self.kernel.equal(a, b) {
            return Ok(());
        }
        self.kernel.congruence(a, b)?;
        self.two(step::CONGRUENCE, a, b);
        Ok(())
    }

    pub(crate) fn evaluate(&mut self, term: Term) -> Checked {
        self.kernel.evaluate(term)?;
        self.one(step::EVALUATE, term);
        Ok(())
    }

    pub(crate) fn choose(&mut self, term: Term) -> Checked {
        self.kernel.choose(term)?;
        self.one(step::CHOOSE, term);
        Ok(())
    }

    pub(crate) fn polynomial(&mut self, a: Term, b: Term) -> Checked {
        self.kernel.polynomial(a, b)?;
        self.two(step::POLYNOMIAL, a, b);
        Ok(())
    }

    pub(crate) fn split(&mut self, term: Term) -> Checked {
        self.kernel.split(term)?;
        self.one(step::SPLIT, term);
        Ok(())
    }

    pub(crate) fn equation(&mut self, term: Term) -> Checked {
        self.kernel.equation(term)?;
        self.one(step::EQUATION, term);
        Ok(())
    }

    pub(crate) fn instance(&mut self, number: u64, theorem: &Theorem, args: &[Term]) -> Checked {
        let (left, right) = self.kernel.instance(theorem, args)?;
        let mut numbers = vec![number, args.len() as u64];
        numbers.extend(args.iter().map(|&arg| self.number(arg)));
        self.step(step::INSTANCE, &numbers);
        self.number_new(left);
        self.number_new(right);
        Ok(())
    }

    pub(crate) fn read_written(&mut self, read: Term) -> Checked {
        self.kernel.read_written(read)?;
        self.one(step::WRITTEN, read);
        Ok(())
    }

    pub(crate) fn read_constant(&mut self, read: Term) -> Checked {
        self.kernel.read_constant(read)?;
        self.one(step::CONSTANT, read);
        Ok(())
    }

    pub(crate) fn witness(&mut self, equation: Term) -> Result<Term, String> {
        let index = self.kernel.witness(equation)?;
        self.one(step::WITNESS, equation);
        self.number_new(index);
        Ok(index)
    }

    pub(crate) fn differ(&mut self, equation: Term) -> Checked {
        self.kernel.differ(equation)?;
        self.one(step::DIFFER, equation);
        Ok(())
    }

    pub(crate) fn suppose(&mut self, literals: &[(Term, bool)]) -> Checked {
        self.kernel.suppose(literals)?;
        let mut numbers = vec![literals.len() as u64];
        numbers.extend(literals.iter().map(|&(term, value)| self.number(term) << 1 | u64::from(!value)));
        self.step(step::SUPPOSE, &numbers);
        Ok(())
    }

    pub(crate) fn discharge(&mut self) -> Result<u64, String> {
        let clause = self.kernel.discharge()?;
        self.step(step::DISCHARGE, &[]);
        Ok(clause)
    }

    pub(crate) fn retract(&mut self) -> Checked {
        self.kernel.retract()?;
        self.step(step::RETRACT, &[]);
        Ok(())
    }

    /// The facts about a quotient or remainder, which are true.
    pub(crate) fn division(&mut self, term: Term) -> Result<Term, String> {
        let facts = self.kernel.division(term)?;
        self.one(step::DIVISION, term);
        self.number_new(facts);
        Ok(facts)
    }

    /// What makes a term the quotient or remainder, which is true.
    pub(crate) fn exact(&mut self, term: Term) -> Result<Term, String> {
        let facts = self.kernel.exact(term)?;
        self.one(step::EXACT, term);
        self.number_new(facts);
        Ok(facts)
    }

    /// The facts about a product that does not overflow, which are true.
    pub(crate) fn product(&mut self, term: Term) -> Result<Term, String> {
        let facts = self.kernel.product(term)?;
        self.one(step::PRODUCT, term);
        self.number_new(facts);
        Ok(facts)
    }

    /// The facts about two products that do not overflow and share a factor, which are true.
    pub(crate) fn products(&mut self, a: Term, b: Term) -> Result<Term, String> {
        let facts = self.kernel.products(a, b)?;
        self.two(step::PRODUCTS, a, b);
        self.number_new(facts);
        Ok(facts)
    }

    pub(crate) fn free_bits(&mut self, term: Term) -> Checked {
        self.kernel.free_bits(term)?;
        self.one(step::FREE, term);
        Ok(())
    }

    pub(crate) fn bits(&mut self, term: Term) -> Result<Vec<Lit>, String> {
        if let Some(known) = self.kernel.bits(term) {
            return Ok(known.to_vec());
        }
        let bits = self.kernel.build(term)?.to_vec();
        self.one(step::BITS, term);
        Ok(bits)
    }

    pub(crate) fn share_bits(&mut self, term: Term, with: Term) -> Checked {
        self.kernel.share_bits(term, with)?;
        self.two(step::SHARE, term, with);
        Ok(())
    }

    pub(crate) fn same_bits(&mut self, a: Term, b: Term) -> Checked {
        self.kernel.same_bits(a, b)?;
        self.two(step::SAME, a, b);
        Ok(())
    }

    pub(crate) fn unit(&mut self, term: Term) -> Result<u64, String> {
        let clause = self.kernel.unit(term)?;
        self.one(step::UNIT, term);
        Ok(clause)
    }

    pub(crate) fn truth(&mut self, term: Term, clause: u64) -> Checked {
        self.kernel.truth(term, clause)?;
        let number = self.number(term);
        self.step(step::TRUTH, &[number, clause]);
        Ok(())
    }

    /// From here on clauses are written as the SAT solver derived them, and not derived a second time: that
    /// would take as long as the check, and nothing is tried any more that could be wrong.
    pub(crate) fn begin_conclusion(&mut self) {
        self.conclusion = Some(self.kernel.next_clause());
    }

    pub(crate) fn derive(&mut self, clause: &[Lit], hints: &[Name]) -> Result<u64, String> {
        let number = match &mut self.conclusion {
            Some(next) => {
                *next += 1;
                *next - 1
            }
            None => self.kernel.propagation(clause, hints.iter().copied())?,
        };
        self.step(step::DERIVE, &[clause.len() as u64]);
        if let Some(out) = &mut self.out {
            clause.iter().for_each(|lit| out.number(u64::from(lit.code())));
            out.number(hints.len() as u64);
            hints.iter().for_each(|hint| out.number(hint.code()));
        }
        Ok(number)
    }

    /// A gate, by the number of its kind.
    pub(crate) fn gate(&mut self, kind: u32, inputs: &[Lit]) -> Result<Lit, String> {
        let made = self.kernel.gate(kind, inputs)?;
        let mut numbers = vec![u64::from(kind), inputs.len() as u64];
        numbers.extend(inputs.iter().map(|lit| u64::from(lit.code())));
        self.step(step::GATE, &numbers);
        Ok(made)
    }

    pub(crate) fn subtract(&mut self, a: Term, b: Term) -> Checked {
        self.kernel.subtract(a, b)?;
        self.two(step::SUBTRACT, a, b);
        Ok(())
    }

    /// A relation that holds where these clauses do.
    pub(crate) fn relation(&mut self, relation: &Relation) -> Checked {
        self.kernel.relation(relation)?;
        let list = |variables: &[u32]| -> Vec<u64> {
            [variables.len() as u64].into_iter().chain(variables.iter().map(|&var| u64::from(var))).collect()
        };
        self.step(step::RELATION, &[list(&relation.inputs), list(&relation.gates)].concat());
        self.numbers(&[relation.summands.len() as u64]);
        for (lit, weight) in &relation.summands {
            self.numbers(&[u64::from(lit.code())]);
            self.large(weight);
        }
        self.large(&relation.constant);
        self.numbers(&[relation.clauses.len() as u64]);
        self.numbers(&relation.clauses);
        Ok(())
    }

    fn large(&mut self, number: &BigUint) {
        if let Some(out) = &mut self.out {
            out.large(number);
        }
    }

    /// The bits of the words are equal; gives the number of the first of the clauses that say so.
    pub(crate) fn cancel(&mut self) -> Result<u64, String> {
        let first = self.kernel.cancel()?;
        self.step(step::CANCEL, &[]);
        Ok(first)
    }

    pub(crate) fn delete(&mut self, clause: u64) -> Checked {
        if self.conclusion.is_none() {
            self.kernel.delete(clause)?;
        }
        self.step(step::DELETE, &[clause]);
        Ok(())
    }

    pub(crate) fn proved(&mut self, a: Term, b: Term) {
        self.two(step::PROVED, a, b);
    }

    pub(crate) fn end(&mut self, clause: Option<u64>) -> Checked {
        let is_concluded = self.conclusion.is_some() && clause.is_some();
        if !is_concluded && !self.kernel.refuted(clause) {
            return Err("no contradiction was reached".into());
        }
        self.step(step::END, &[clause.map_or(0, |clause| clause + 1)]);
        Ok(())
    }
}
