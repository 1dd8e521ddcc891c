//! Images of terms and sorts.
//!
//! A symbol, a function or an array of numbers or records has one of words as its image. Let a model of a
//! formula be given, and let the images have the words of its values (what is at an index that is no number's
//! word does not matter): then each image of a term has the word of the term's value. So the image of a
//! formula is true, and so is what it is conjoined with: that the words of symbols, reads and applications
//! are words of numbers. That is all that a certificate needs; the converse is not asked for.
//!
//! Arrays with numbers as indices may differ in their images alone, so comparing them is refused.
//!
//! The image of a formula for all values of variables is one for all words of numbers, which are as many as
//! the numbers; so it has the formula's truth value. Variables that are arrays of numbers are refused.
//!
//! Results that the standard leaves open are fixed functions of the arguments: new symbols and functions, one
//! for each operator and format, with names that no script can write, since they have bars in them.

use super::meaning::{DOWN, MODE_BITS};
use super::reals::{Constants, SCALE};
use super::words::Words;
use super::{FloatOp, Format, read};
use crate::records::{RecordOp, Shape};
use crate::term::{Function, Op, Sort, SortKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

const NO_WORD: &str = "records with fields that are no words are not known here";

/// The images of terms.
#[derive(Clone, Default)]
pub struct Lowering {
    images: FxHashMap<Term, Term>,
    /// The formulas that images are of. If there are several, they have the same truth value.
    formulas: FxHashMap<Term, Term>,
    sorts: FxHashMap<Sort, Sort>,
    /// How many of the sorts that can have images were looked at.
    known_sorts: usize,
    /// How records lie in words, by the numbers of their sorts.
    shapes: FxHashMap<u32, Arc<Shape>>,
    functions: FxHashMap<Function, Function>,
    /// What stands for open results, by name.
    open_symbols: FxHashMap<String, Term>,
    open_functions: FxHashMap<String, Function>,
    /// The constants that reals were compared with.
    constants: Constants,
}

impl Lowering {
    /// The image of a formula with what is known of the words in it.
    pub fn formula(&mut self, terms: &mut Terms, root: Term) -> Result<Term, String> {
        let image = self.image(terms, root)?;
        if terms.lowered_sorts().is_empty() {
            return Ok(image);
        }
        let (mut conditions, all) = (vec![], below(terms, &[root])?);
        // Terms with variables of quantifiers have no value of their own.
        let is_quantified = |&&term: &&Term| terms.op(term) == Op::Forall;
        let variables = |&term: &Term| terms.parts(term).split_last().map_or(&[][..], |(_, it)| it);
        let mut inner: FxHashSet<Term> =
            all.iter().filter(is_quantified).flat_map(variables).copied().collect();
        for term in all {
            if inner.contains(&term) || terms.parts(term).iter().any(|part| inner.contains(part)) {
                inner.insert(term);
            } else {
                conditions.extend(self.condition(terms, term)?);
            }
        }
        conditions.push(image);
        let said = terms.chain(Op::And, &conditions)?;
        self.formulas.insert(said, root);
        Ok(said)
    }

    /// A formula that this says the same as.
    pub fn said(&self, image: Term) -> Option<Term> {
        self.formulas.get(&image).copied()
    }

    /// The image of a term that was made.
    pub(super) fn known(&self, term: Term) -> Option<Term> {
        self.images.get(&term).copied()
    }

    /// The image of a term.
    pub fn image(&mut self, terms: &mut Terms, root: Term) -> Result<Term, String> {
        if terms.lowered_sorts().is_empty() {
            return Ok(root);
        }
        for term in below(terms, &[root])? {
            if !self.images.contains_key(&term) {
                let image = self.made(terms, term)?;
                if let SortKind::Record(_) = terms.kind_of(image) {
                    return Err(NO_WORD.into());
                }
                self.images.insert(term, image);
            }
        }
        Ok(self.images[&root])
    }

    /// The image of a symbol.
    pub fn symbol(&self, symbol: Term) -> Term {
        self.images.get(&symbol).copied().unwrap_or(symbol)
    }

    /// The image of a function.
    pub fn function(&self, function: Function) -> Function {
        self.functions.get(&function).copied().unwrap_or(function)
    }

    /// What stands for open results, by name.
    pub fn open(&self) -> (&FxHashMap<String, Term>, &FxHashMap<String, Function>) {
        (&self.open_symbols, &self.open_functions)
    }

    fn sort(&mut self, terms: &mut Terms, sort: Sort) -> Result<Sort, String> {
        while let Some(&part) = terms.lowered_sorts().get(self.known_sorts) {
            self.known_sorts += 1;
            let width = match terms.kind(part) {
                SortKind::Float(format) => format.width(),
                SortKind::Record(number) => {
                    let word = |sort| *self.sorts.get(&sort).unwrap_or(&sort);
                    let Some(shape) = Shape::new(terms, number, word) else { continue };
                    let width = shape.width;
                    self.shapes.insert(number, Arc::new(shape));
                    width
                }
                SortKind::Real => SCALE.width(),
                _ => MODE_BITS,
            };
            let image = terms.bitvec_sort(width)?;
            self.sorts.insert(part, image);
        }
        terms.image_of_sort(None, &mut self.sorts, sort)
    }

    /// Refuses a sort that arrays over numbers are a part of, where its values are compared.
    fn is_comparable(&mut self, terms: &mut Terms, sort: Sort) -> Result<(), String> {
        let mut sort = sort;
        while let SortKind::Array(index, element) = terms.kind(sort) {
            if self.sort(terms, index)? != index {
                return Err("arrays over floating-point numbers or records are not compared here".into());
            }
            sort = element;
        }
        Ok(())
    }

    /// The image of a term whose arguments have theirs.
    fn made(&mut self, terms: &mut Terms, term: Term) -> Result<Term, String> {
        let args = terms.args(term).to_vec();
        let images: Vec<Term> = args.iter().map(|arg| self.images[arg]).collect();
        let is_rounded = matches!(terms.op(term), Op::Float(FloatOp::FromReal(_)));
        for (&arg, &image) in args.iter().zip(&images).filter(|_| !is_rounded) {
            let real = read::parts(terms, arg);
            real.map_or(Ok(()), |real| self.constants.insert(terms, real, image))?;
        }
        match terms.op(term) {
            Op::Float(op) => return self.float(terms, term, op, &images),
            Op::Record(op, number, index) => return self.record(terms, term, (op, number, index), &images),
            Op::Forall => return self.for_all(terms, term),
            Op::Symbol(_) => {
                let (sort, before) = (self.sort(terms, terms.sort_of(term))?, terms.sort_of(term));
                return Ok(if sort == before { term } else { terms.fresh(sort) });
            }
            Op::Apply(function) => {
                for &arg in &args {
                    self.is_comparable(terms, terms.sort_of(arg))?;
                }
                let function = self.function_image(terms, function)?;
                return terms.mk(Op::Apply(function), &images);
            }
            Op::ConstArray(sort) => {
                let sort = self.sort(terms, sort)?;
                return terms.mk(Op::ConstArray(sort), &images);
            }
            Op::Eq => self.is_comparable(terms, terms.sort_of(args[0]))?,
            Op::Select | Op::Store => self.is_comparable(terms, terms.sort_of(args[1]))?,
            _ => {}
        }
        if args == images { Ok(term) } else { terms.mk(terms.op(term), &images) }
    }

    /// What holds for all numbers holds for their words.
    fn for_all(&mut self, terms: &mut Terms, term: Term) -> Result<Term, String> {
        let parts = terms.parts(term).to_vec();
        let mut images: Vec<Term> = parts.iter().map(|part| self.images[part]).collect();
        let mut said = images.pop().ok_or("a quantifier without a body")?;
        for (&variable, &image) in parts.iter().zip(&images) {
            if variable != image {
                let known = self.condition(terms, variable)?;
                let known =
                    known.ok_or("variables that are no numbers or arrays of words are not known here")?;
                said = terms.implies(known, said)?;
            }
        }
        images.push(said);
        terms.mk(Op::Forall, &images)
    }

    fn function_image(&mut self, terms: &mut Terms, function: Function) -> Result<Function, String> {
        if let Some(&known) = self.functions.get(&function) {
            return Ok(known);
        }
        let (domain, range) = terms.signature(function);
        let images = domain.iter().map(|&sort| self.sort(terms, sort)).collect::<Result<Vec<_>, _>>()?;
        let range_image = self.sort(terms, range)?;
        let is_same = images == domain && range_image == range;
        let image = if is_same { function } else { terms.fresh_function(images, range_image) };
        self.functions.insert(function, image);
        Ok(image)
    }

    fn float(&mut self, terms: &mut Terms, term: Term, op: FloatOp, args: &[Term]) -> Result<Term, String> {
        let format = |sort| if let SortKind::Float(format) = sort { Some(format) } else { None };
        let own = format(terms.kind_of(term));
        let of = terms.args(term).iter().rev().find_map(|&arg| format(terms.kind_of(arg)));
        let free = of.map_or(Ok(None), |of| self.open_result(terms, op, of, args))?;
        let real = match (op, terms.args(term)) {
            (FloatOp::FromReal(_), &[_, real]) => read::parts(terms, real),
            _ => read::parts(terms, term),
        };
        terms.budget.take(real.as_ref().map_or(0, |(_, above, below)| above.bits() + below.bits()), 0)?;
        let words = Words::new(terms);
        let image = match (op, own, of, real) {
            (FloatOp::Mode(place), ..) => words.value(MODE_BITS, place),
            (_, Some(to), _, Some((negative, above, below))) => {
                words.real(to, args[0], negative, &above, &below)
            }
            (_, _, _, Some((negative, above, below))) => {
                words.place(words.real(SCALE, words.value(MODE_BITS, DOWN), negative, &above, &below))
            }
            (FloatOp::RealLt, ..) => words.mk(Op::BvSlt, args),
            (FloatOp::FromReal(to), ..) if to.has_reals() => {
                let number = [args[0], words.at_place(args[1])];
                words.conversion(FloatOp::FromFloat(to), to, Some(SCALE), &number)
            }
            (FloatOp::FromBits(to) | FloatOp::FromFloat(to) | FloatOp::FromSigned(to), ..) => {
                words.conversion(op, to, of, args)
            }
            (_, _, Some(of), _) => words.meaning(op, of, args, free),
            _ => return Err("an operator without a number".into()),
        };
        words.made(image)
    }

    /// An operator on the records of a sort.
    fn record(
        &mut self,
        terms: &mut Terms,
        term: Term,
        (op, number, index): (RecordOp, u32, u32),
        args: &[Term],
    ) -> Result<Term, String> {
        let range = self.sort(terms, terms.sort_of(term))?;
        let shape = self.shapes.get(&number).ok_or(NO_WORD)?.clone();
        let mut open = None;
        if op == RecordOp::Get && shape.tag > 0 {
            let known = format!("{}|{index}", terms.records[number as usize].name);
            let (known, of) = (self.open_functions.entry(known), vec![terms.sort_of(args[0])]);
            let function = *known.or_insert_with(|| terms.fresh_function(of, range));
            open = Some(terms.mk(Op::Apply(function), args)?);
        }
        shape.image(terms, (op, index), args, open)
    }

    /// What says what an open result is.
    fn open_result(
        &mut self,
        terms: &mut Terms,
        op: FloatOp,
        of: Format,
        args: &[Term],
    ) -> Result<Option<Term>, String> {
        let Format { exponent, significand } = of;
        let width = match op {
            FloatOp::Min | FloatOp::Max => None,
            FloatOp::ToUnsigned(width) | FloatOp::ToSigned(width) => Some(width),
            FloatOp::ToReal => Some(SCALE.width()),
            _ => return Ok(None),
        };
        let name = format!("{op:?}|{exponent}|{significand}");
        if let Some(width) = width {
            let sorts = args.iter().map(|&arg| terms.sort_of(arg)).collect();
            let range = terms.bitvec_sort(width)?;
            let known = self.open_functions.entry(name);
            let function = *known.or_insert_with(|| terms.fresh_function(sorts, range));
            return terms.mk(Op::Apply(function), args).map(Some);
        }
        // The signs of the results where the first argument is +0, in the last bit, and where it is -0.
        let pair = terms.bitvec_sort(2)?;
        Ok(Some(*self.open_symbols.entry(name).or_insert_with(|| terms.fresh(pair))))
    }

    /// What is known of the image of a symbol, a read or an application.
    fn condition(&self, terms: &mut Terms, term: Term) -> Result<Option<Term>, String> {
        match terms.op(term) {
            Op::Symbol(_) | Op::Select | Op::Apply(_) | Op::Record(RecordOp::Get, ..) => {
                self.condition_of_word(terms, terms.sort_of(term), self.images[&term])
            }
            _ => Ok(None),
        }
    }

    /// What says that a word is one of a value of this sort.
    pub(crate) fn condition_of_word(
        &self,
        terms: &mut Terms,
        sort: Sort,
        image: Term,
    ) -> Result<Option<Term>, String> {
        let kind = terms.kind(sort);
        if let SortKind::Record(number) = kind {
            return self.shapes.get(&number).map(|shape| shape.condition(self, terms, image)).transpose();
        }
        let words = Words::new(terms);
        let known = match kind {
            SortKind::Float(format) => words.is_canonical(format, image),
            SortKind::Mode => words.less(image, words.value(MODE_BITS, super::MODES.len() as u8)),
            _ => return Ok(None),
        };
        words.made(known).map(Some)
    }
}

/// The terms that some are made of, with those that are quantified, arguments first.
pub(super) fn below(terms: &Terms, roots: &[Term]) -> Result<Vec<Term>, String> {
    let (mut stack, mut seen, mut all) = (vec![], FxHashSet::default(), vec![]);
    stack.extend(roots.iter().rev().map(|&root| (root, false)));
    while let Some((term, is_done)) = stack.pop() {
        terms.budget.take(20, 0)?;
        if is_done {
            all.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            stack.extend(terms.parts(term).iter().rev().map(|&part| (part, false)));
        }
    }
    Ok(all)
}
