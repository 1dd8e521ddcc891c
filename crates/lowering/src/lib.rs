//! # bivalve-lowering
//!
//! Theories that are defined by bit-vectors, turned into them: integers made of bit-vectors, floating point,
//! records.
//!
//! Terms of such a theory are terms like all others: the operator table has their sorts, names and executable
//! meanings, values are printed, and a model is evaluated on them as they were written. What lies below knows
//! bit-vectors, arrays and functions only. Between the two stands a [`Lowering`]: it accepts a term or says
//! why not, gives the *image* of a term that was accepted, and *lifts* a model of images to one of the terms.
//!
//! The cut is there, between the assertion stack and the preprocessor, because above it everything is about
//! what was written (models, cores, printing, validation) and below it everything is about how it is decided.
//! Passes, circuits and refiners see images and never ask; a tool that does not know a theory either reads
//! images, which is what the SMT-LIB reader hands out by default, or refuses the term by name.
//!
//! - A theory is a [`LoweredTheory`]: which terms it accepts, their images, the sort that stands for one of
//!   its sorts, what holds of an image that comes from nowhere else, and the value that an image stands for.
//! - Images are remembered, so that shared terms have shared images and later assertions cost what is new.
//! - A symbol of a theory's sort has a symbol as its image, which stays the same as long as the pool does.
//! - Where not all bits stand for a value, [`LoweredTheory::condition`] is conjoined to each formula that
//!   reads them from a symbol or a function, so that an assumption or a popped level takes it along.
//!
//! Why it is right: the image of a term, lifted, is the value of the term under the lifted model, by
//! induction; the solver evaluates each model on the terms before it says `sat`. Walks are loops; an image
//! costs what its theory makes, once for each distinct term.
//!
//! ```
//! use bivalve_lowering::Lowering;
//! use bivalve_terms::{Op, Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let x = pool.symbol("x", Sort::bitvec(4).unwrap());
//! let number = pool.app(Op::UbvToInt, &[x])?;
//! let sum = pool.app(Op::IntAdd, &[number, number])?;
//! let limit = pool.int(&30.into());
//! let goal = pool.app(Op::IntLt, &[limit, sum])?;
//! assert_eq!(pool.display(goal).to_string(), "(let ((_t0 (ubv_to_int x))) (< 30 (+ _t0 _t0)))");
//! let mut lowering = Lowering::new();
//! lowering.check(&pool, goal)?;
//! let image = lowering.formula(&mut pool, goal);
//! assert!(pool.display(image).to_string().contains("bvadd"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod composite;
mod constants;
mod exact;
mod floats;
mod integers;
mod interval;
mod laws;
mod loose;
mod reals;
mod records;
mod theory;
mod thresholds;
mod units;
mod words;

pub use floats::Floats;
pub use integers::Integers;
pub use records::Records;
pub use theory::{LoweredTheory, Refusal};

use bivalve_terms::{Assignment, Op, Pool, Renaming, Sort, Term, TermMap, TermSet, Value, unseen};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The stage: terms of all theories in the pool that it is handed with every call.
pub struct Lowering {
    theories: Vec<Box<dyn LoweredTheory>>,
    /// The terms that were accepted, with everything below them.
    accepted: TermSet,
    /// The terms that have an image.
    seen: TermSet,
    /// The images of terms, where they are others.
    images: TermMap<Term>,
    /// The symbols whose image is another symbol, and these.
    symbols: Vec<(Term, Term)>,
    /// The symbols of records that are taken apart, with those of their fields, and the place of each.
    parts: Vec<(Term, Vec<Term>)>,
    places: TermMap<u32>,
    /// Whether record sorts are taken apart, as far as it is known.
    loose: RefCell<FxHashMap<Sort, bool>>,
    /// What is in the place of terms that are equal to simpler ones.
    replaced: TermMap<Term>,
    /// What holds of the image of a term, where something does.
    conditions: TermMap<Term>,
    has_conditions: bool,
    /// By the sort of their indices, how often arrays are written to, and whether they are compared.
    written: FxHashMap<Sort, (u64, bool)>,
}

impl Default for Lowering {
    fn default() -> Lowering {
        Lowering::new()
    }
}

impl Lowering {
    /// The stage with all theories.
    pub fn new() -> Lowering {
        Lowering::of(vec![
            Box::new(Integers::default()),
            Box::new(Floats::default()),
            Box::new(Records::default()),
        ])
    }

    /// The stage with these theories.
    pub fn of(theories: Vec<Box<dyn LoweredTheory>>) -> Lowering {
        Lowering {
            theories,
            accepted: TermSet::new(),
            seen: TermSet::new(),
            images: TermMap::new(),
            symbols: vec![],
            parts: vec![],
            places: TermMap::new(),
            loose: RefCell::default(),
            replaced: TermMap::new(),
            conditions: TermMap::new(),
            has_conditions: false,
            written: FxHashMap::default(),
        }
    }

    /// Whether the pool has no term that is lowered: then each term is its own image.
    pub fn is_idle(&self, pool: &Pool) -> bool {
        !self.theories.iter().any(|theory| theory.is_present(pool))
    }

    /// Accepts a term with everything below it.
    ///
    /// # Errors
    ///
    /// What is wrong with the least term that no theory decides; nothing changes then.
    pub fn check(&mut self, pool: &Pool, root: Term) -> Result<(), Refusal> {
        if self.is_idle(pool) {
            return Ok(());
        }
        let below = unseen(pool, &[root], &mut self.accepted);
        for (place, &term) in below.iter().enumerate() {
            if let Err(refusal) = self.accept(pool, term) {
                // Nothing from the refused term on may pass later as accepted.
                below[place..].iter().for_each(|&term| _ = self.accepted.remove(term));
                return Err(refusal);
            }
        }
        Ok(())
    }

    fn accept(&mut self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        // Its instances are lowered, never the formula itself.
        if let Some((variables, _)) = pool.binder(term) {
            let loose = variables.iter().position(|&variable| self.is_loose(pool, pool.sort(variable)));
            return match loose {
                None => Ok(()),
                Some(argument) => Err(Refusal {
                    term,
                    argument: Some(argument),
                    expected: "variables of quantifiers that are words or arrays".into(),
                    found: format!("sort {}", pool.sorts().display(pool.sort(variables[argument]))),
                }),
            };
        }
        if pool.op(term) == Op::Symbol && self.is_loose(pool, pool.sort(term)) {
            return Ok(());
        }
        if self.is_carried_over(pool, term) {
            self.check_sort(pool, term)?;
            return self.check_arrays(pool, term);
        }
        match self.theory_of(pool, term) {
            Some(theory) => {
                let sorts = pool.args(term).iter().map(|&arg| pool.sort(arg)).chain([pool.sort(term)]);
                let is_loose = sorts.into_iter().any(|sort| self.is_loose(pool, sort));
                if is_loose { Ok(()) } else { self.theories[theory].accept(pool, term) }
            }
            None => self.check_arrays(pool, term),
        }
    }

    /// The image of a formula that is accepted: it has a model exactly if the formula has one, and the
    /// models correspond.
    ///
    /// # Panics
    ///
    /// As [`Lowering::image`].
    pub fn formula(&mut self, pool: &mut Pool, formula: Term) -> Term {
        let image = self.image(pool, formula);
        if !self.has_conditions || self.is_idle(pool) {
            return image;
        }
        let below = self.image_cone(pool, formula);
        let conditions = below.iter().filter_map(|&term| self.conditions.get(term).copied());
        let all: Vec<Term> = conditions.chain([image]).collect();
        pool.and_all(&all)
    }

    /// The terms that the image of a formula is made of, once each: those in it, and what is in their place.
    fn image_cone(&self, pool: &Pool, formula: Term) -> Vec<Term> {
        let (mut seen, mut found, mut next) = (TermSet::new(), vec![formula], 0);
        seen.insert(formula);
        while let Some(&term) = found.get(next) {
            next += 1;
            let others = pool.args(term).iter().chain(self.replaced.get(term));
            found.extend(others.filter(|&&other| seen.insert(other)));
        }
        found.sort_unstable();
        found
    }

    /// The image of a term that is accepted: of the same sort if no theory owns that, else of the sort that
    /// stands for it there.
    ///
    /// # Panics
    ///
    /// With the refusal, where [`Lowering::check`] has one.
    pub fn image(&mut self, pool: &mut Pool, root: Term) -> Term {
        if self.is_idle(pool) {
            return root;
        }
        // Accepted it was, perhaps by another stage, or before a compaction.
        self.check(pool, root)
            .unwrap_or_else(|refusal| panic!("internal: a term was not accepted: {refusal}"));
        let mut todo = vec![root];
        while let Some(&term) = todo.last() {
            if self.seen.contains(term) {
                todo.pop();
                continue;
            }
            let simpler = self.simpler(pool, term);
            let before = todo.len();
            match simpler {
                Some(simpler) => {
                    todo.extend([simpler].into_iter().filter(|&other| !self.seen.contains(other)))
                }
                None => todo.extend(pool.args(term).iter().rev().filter(|&&arg| !self.seen.contains(arg))),
            }
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let image = match simpler {
                Some(simpler) => {
                    self.replaced.insert(term, simpler);
                    self.known_image(simpler)
                }
                None => {
                    let images: Vec<Term> =
                        pool.args(term).iter().map(|&arg| self.known_image(arg)).collect();
                    self.made(pool, term, &images)
                }
            };
            self.seen.insert(term);
            if image != term {
                self.images.insert(term, image);
            }
        }
        self.known_image(root)
    }

    /// The term with what the theories have in the place of its parts: a term of the same theories, without
    /// new symbols. Formulas with binders stay as they are, and so does the whole term when `goes_on`, which
    /// is asked at each step, says no.
    pub fn simplified(&self, pool: &mut Pool, root: Term, goes_on: impl Fn() -> bool) -> Term {
        let mut known: TermMap<Term> = TermMap::new();
        let mut todo = vec![root];
        while let Some(&term) = todo.last() {
            if !goes_on() {
                return root;
            }
            if known.get(term).is_some() {
                todo.pop();
                continue;
            }
            if pool.binder(term).is_some() {
                known.insert(term, term);
                continue;
            }
            let before = todo.len();
            todo.extend(pool.args(term).iter().filter(|&&arg| known.get(arg).is_none()));
            if todo.len() > before {
                continue;
            }
            let args: Vec<Term> = pool.args(term).iter().filter_map(|&arg| known.get(arg).copied()).collect();
            let made = pool.rebuild(term, &args);
            let theory = self.theory_of(pool, made);
            match theory.and_then(|theory| self.theories[theory].simpler(pool, made)) {
                Some(simpler) => match known.get(simpler).copied() {
                    Some(last) => _ = known.insert(term, last),
                    None => todo.push(simpler),
                },
                None => _ = known.insert(term, made),
            }
        }
        known.get(root).copied().unwrap_or(root)
    }

    /// What a theory has in the place of a term, accepted.
    fn simpler(&mut self, pool: &mut Pool, term: Term) -> Option<Term> {
        let simpler = match self.taken_apart(pool, term) {
            Some(apart) => apart,
            None => {
                let theory = self.theory_of(pool, term)?;
                self.theories[theory].simpler(pool, term)?
            }
        };
        self.check(pool, simpler)
            .unwrap_or_else(|refusal| panic!("internal: a simpler term was not accepted: {refusal}"));
        Some(simpler)
    }

    /// The image of a term of which it was made.
    fn known_image(&self, term: Term) -> Term {
        self.images.get(term).copied().unwrap_or(term)
    }

    /// The image of a term whose children have theirs.
    fn made(&mut self, pool: &mut Pool, term: Term, images: &[Term]) -> Term {
        if self.is_carried_over(pool, term) {
            return self.carried_over(pool, term, images);
        }
        match self.theory_of(pool, term) {
            Some(theory) => {
                let image = self.theories[theory].image(pool, term, images);
                if let Some(definition) = self.theories[theory].definition() {
                    self.require(term, definition);
                }
                image
            }
            None if pool.args(term) == images => term,
            None if matches!(pool.op(term), Op::Eq | Op::Distinct)
                && !self.is_exact(pool, pool.sort(pool.args(term)[0])) =>
            {
                let (image, condition) = self.compared(pool, term, images);
                self.require(term, condition);
                image
            }
            None => {
                let (op, indices) = (pool.op(term), pool.indices(term));
                pool.mk_indexed(op, &indices, images)
            }
        }
    }

    /// Is it a symbol, or an operator on functions or arrays? Its image is the same over images, whatever
    /// theory the sorts belong to.
    fn is_carried_over(&self, pool: &Pool, term: Term) -> bool {
        matches!(pool.op(term), Op::Symbol | Op::Apply | Op::Select | Op::Store | Op::ConstArray)
    }

    fn carried_over(&mut self, pool: &mut Pool, term: Term, images: &[Term]) -> Term {
        let image = match pool.op(term) {
            Op::Symbol => {
                let sort = self.image_sort(pool, pool.sort(term));
                if sort == pool.sort(term) {
                    return term;
                }
                // Known from before a compaction.
                match self.images.get(term) {
                    Some(&image) => image,
                    None => {
                        let name = pool.name(term).unwrap_or_default().to_owned();
                        let image = pool.symbol(&name, sort);
                        self.symbols.push((term, image));
                        image
                    }
                }
            }
            // The indices may have images where the element is its own.
            Op::ConstArray => {
                let sort = self.image_sort(pool, pool.sort(term));
                if sort == pool.sort(term) {
                    return term;
                }
                pool.const_array(sort, images[0]).expect("the image of an element is one of the image's sort")
            }
            _ if pool.args(term) == images => return term,
            op => pool.mk(op, images),
        };
        if let Some(condition) = self.condition(pool, pool.sort(term), image) {
            self.require(term, condition);
        }
        image
    }

    /// From now on the condition goes with formulas that the term is in.
    fn require(&mut self, term: Term, condition: Term) {
        self.conditions.insert(term, condition);
        self.has_conditions = true;
    }

    /// The theory that a sort belongs to.
    fn owner(&self, pool: &Pool, sort: Sort) -> Option<usize> {
        self.theories.iter().position(|theory| theory.owns(pool, sort))
    }

    /// The theory that a term is lowered by: that of its operator or sort, or of its arguments.
    fn theory_of(&self, pool: &Pool, term: Term) -> Option<usize> {
        // A field may be of another theory.
        let own = [pool.sort(term)].into_iter().filter(|_| pool.op(term) == Op::RecordNew);
        let sorts = pool.args(term).iter().map(|&arg| pool.sort(arg)).chain([pool.sort(term)]);
        own.chain(sorts).find_map(|sort| self.owner(pool, sort))
    }

    /// Gives the symbols of theories their values, by those of their images.
    pub fn lift(&self, pool: &Pool, assignment: &mut Assignment) {
        for &(symbol, image) in &self.symbols {
            if let Some(value) = assignment.get(image) {
                let value = self.lifted(pool, pool.sort(symbol), value);
                assignment.set(symbol, value);
            }
        }
        self.put_together(pool, assignment);
    }

    /// Whether symbols have others as their images.
    pub fn makes_symbols(&self) -> bool {
        !self.symbols.is_empty() || !self.parts.is_empty()
    }

    /// The images of symbols that are others.
    pub fn image_symbols(&self) -> impl Iterator<Item = Term> + '_ {
        // A field may have an image of its own.
        let parts = self.parts.iter().flat_map(|(_, parts)| parts.iter().copied());
        let parts = parts.filter(|&part| self.images.get(part).is_none());
        self.symbols.iter().map(|&(_, image)| image).chain(parts)
    }

    /// The least of these terms, which come children first, whose value is not the one that its image stands
    /// for, with both: for messages about a fault. Terms without an image are passed over; `value` is asked
    /// for terms, and with `true` for images.
    pub fn difference(
        &self,
        pool: &Pool,
        terms: &[Term],
        value: &mut dyn FnMut(Term, bool) -> Value,
    ) -> Option<(Term, Value, Value)> {
        terms.iter().find_map(|&term| {
            let image =
                self.images.get(term).copied().filter(|_| !pool.sorts().is_function(pool.sort(term)))?;
            let (meant, found) = (value(term, false), value(image, true));
            let found = self.lifted(pool, pool.sort(term), &found);
            (meant != found).then_some((term, meant, found))
        })
    }

    /// The terms that have to outlive a compaction of the pool.
    pub fn in_use(&self) -> impl Iterator<Item = Term> + '_ {
        let parts = self.parts.iter().flat_map(|(symbol, parts)| parts.iter().copied().chain([*symbol]));
        self.symbols.iter().flat_map(|&(symbol, image)| [symbol, image]).chain(parts)
    }

    /// Follows a compaction of the pool: symbols keep their images, all else is made again when it is asked
    /// for.
    pub fn rename(&mut self, renaming: &Renaming) {
        let symbols = self.symbols.iter().map(|&(symbol, image)| (renaming.of(symbol), renaming.of(image)));
        self.symbols = symbols.collect();
        for (symbol, parts) in &mut self.parts {
            *symbol = renaming.of(*symbol);
            parts.iter_mut().for_each(|part| *part = renaming.of(*part));
        }
        self.forget_terms();
        self.symbols.iter().for_each(|&(symbol, image)| _ = self.images.insert(symbol, image));
    }

    /// Forgets all terms, for another pool.
    pub fn forget(&mut self) {
        self.symbols.clear();
        self.parts.clear();
        self.loose.borrow_mut().clear();
        self.forget_terms();
    }

    fn forget_terms(&mut self) {
        self.theories.iter_mut().for_each(|theory| theory.forget());
        self.accepted = TermSet::new();
        self.seen = TermSet::new();
        self.images = TermMap::new();
        self.replaced = TermMap::new();
        self.conditions = TermMap::new();
        self.has_conditions = false;
        self.written.clear();
        self.places = TermMap::new();
        for ((symbol, _), place) in self.parts.iter().zip(0..) {
            self.places.insert(*symbol, place);
        }
    }
}
