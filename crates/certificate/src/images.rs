//! Formulas of floating point as the checker has them.
//!
//! The checker asserts the images of what it reads. So the search is about these: a formula is made a term of
//! the checker's parser, the checker gives its image, and the image is made a formula of the pool. Each of
//! the checker's operators is one of the pool's, so that the translation of that formula is the image again.
//!
//! Symbols and functions whose images are others have new ones of the same name in the pool.

use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_checker::floats::boxes::{Boxes, Tree};
use bivalve_checker::floats::lower::Lowering;
use bivalve_checker::floats::sums::Sums;
use bivalve_checker::term as to;
use bivalve_limits::Stop;
use bivalve_local_search::floats::boxes;
use bivalve_terms::float::{Float, RoundingMode};
use bivalve_terms::{Assignment, BitVec, Op, Pool, Sort, Term, TheorySort, Value, cone};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The images of formulas.
#[derive(Default)]
pub(crate) struct Images {
    out: Recorder,
    translation: Translation,
    lowering: Lowering,
    /// The pool's terms for the checker's.
    terms: FxHashMap<to::Term, Term>,
    functions: FxHashMap<to::Function, Term>,
    /// The symbols whose images are others, and these.
    symbols: Vec<(Term, Term)>,
}

impl Images {
    /// The formulas that the checker asserts for these.
    pub(crate) fn all(&mut self, pool: &mut Pool, all: &[Term], stop: &Stop) -> Result<Vec<Term>, String> {
        self.out = std::mem::take(&mut self.out).stopped_by(stop);
        all.iter().map(|&formula| self.formula(pool, formula)).collect()
    }

    /// What formulas with images say of numbers.
    pub(crate) fn sums(&mut self, pool: &Pool, formulas: &[Term]) -> Result<Sums, String> {
        let read = |&formula| self.translation.term(pool, formula, &mut self.out);
        let formulas = formulas.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Sums::new(&self.lowering, &self.out.kernel.terms, &formulas)
    }

    /// The same for boxes, and a tree of the pool's terms as one of theirs.
    pub(crate) fn boxes(
        &mut self,
        pool: &Pool,
        formulas: &[Term],
        tree: &boxes::Tree,
    ) -> Result<(Boxes, Tree), String> {
        let read = |&formula| self.translation.term(pool, formula, &mut self.out);
        let formulas = formulas.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let boxes = Boxes::new(&self.lowering, &self.out.kernel.terms, &formulas)?;
        let mut split = |(term, key): &(Term, BigUint)| {
            let read = self.translation.term(pool, *term, &mut self.out)?;
            Ok((boxes.place(read).ok_or("a box of what is not there")? as u64, key.clone()))
        };
        let tree = tree.iter().map(|node| node.as_ref().map(&mut split).transpose());
        let tree = tree.collect::<Result<_, String>>()?;
        Ok((boxes, tree))
    }

    fn formula(&mut self, pool: &mut Pool, formula: Term) -> Result<Term, String> {
        let read = self.translation.term(pool, formula, &mut self.out)?;
        let image = self.lowering.formula(&mut self.out.kernel.terms, read)?;
        for symbol in cone(pool, &[formula]) {
            if pool.op(symbol) == Op::Symbol {
                self.symbol(pool, symbol)?;
            }
        }
        self.open(pool)?;
        self.back(pool, image)
    }

    /// Notes what stands for a symbol.
    fn symbol(&mut self, pool: &mut Pool, symbol: Term) -> Result<(), String> {
        let name = pool.name(symbol).unwrap_or_default().to_owned();
        if let Some(read) = self.translation.known(symbol) {
            let image = self.lowering.symbol(read);
            if !self.terms.contains_key(&image) {
                let of = if image == read { symbol } else { self.new_symbol(pool, &name, image)? };
                self.terms.insert(image, of);
                self.symbols.extend((of != symbol).then_some((symbol, of)));
            }
        }
        if let Some(read) = self.translation.known_function(symbol) {
            let image = self.lowering.function(read);
            if !self.functions.contains_key(&image) {
                let of = if image == read { symbol } else { self.new_function(pool, &name, image)? };
                self.functions.insert(image, of);
            }
        }
        Ok(())
    }

    /// Notes what stands for open results.
    fn open(&mut self, pool: &mut Pool) -> Result<(), String> {
        let (symbols, functions) = self.lowering.open();
        let mut symbols: Vec<_> = symbols.iter().map(|(name, &term)| (name.clone(), term)).collect();
        let mut functions: Vec<_> = functions.iter().map(|(name, &of)| (name.clone(), of)).collect();
        symbols.sort_unstable();
        functions.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (name, image) in symbols {
            if !self.terms.contains_key(&image) {
                let of = self.new_symbol(pool, &name, image)?;
                self.terms.insert(image, of);
            }
        }
        for (name, image) in functions {
            if !self.functions.contains_key(&image) {
                let of = self.new_function(pool, &name, image)?;
                self.functions.insert(image, of);
            }
        }
        Ok(())
    }

    fn new_symbol(&self, pool: &mut Pool, name: &str, image: to::Term) -> Result<Term, String> {
        let sort = self.sort(pool, self.out.kernel.terms.sort_of(image))?;
        Ok(pool.symbol(name, sort))
    }

    fn new_function(&self, pool: &mut Pool, name: &str, image: to::Function) -> Result<Term, String> {
        let (domain, range) = self.out.kernel.terms.signature(image);
        let domain = domain.iter().map(|&sort| self.sort(pool, sort)).collect::<Result<Vec<_>, _>>()?;
        let range = self.sort(pool, range)?;
        let sort = pool.sorts_mut().function(&domain, range).map_err(|error| error.to_string())?;
        Ok(pool.symbol(name, sort))
    }

    /// Sorts are as deep as the formula nests arrays.
    fn sort(&self, pool: &mut Pool, sort: to::Sort) -> Result<Sort, String> {
        match self.out.kernel.terms.kind(sort) {
            to::SortKind::Bool => Ok(Sort::BOOL),
            to::SortKind::BitVec(width) => Sort::bitvec(width).map_err(|error| error.to_string()),
            to::SortKind::Array(index, element) => {
                let (index, element) = (self.sort(pool, index)?, self.sort(pool, element)?);
                pool.sorts_mut().array(index, element).map_err(|error| error.to_string())
            }
            _ => self.translation.sort_of(sort).ok_or_else(|| "a sort of an image is not known".into()),
        }
    }

    /// The pool's term for an image.
    fn back(&mut self, pool: &mut Pool, root: to::Term) -> Result<Term, String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.terms.contains_key(&term) {
                stack.pop();
                continue;
            }
            let (before, args) = (stack.len(), self.out.kernel.terms.parts(term));
            stack.extend(args.iter().copied().filter(|arg| !self.terms.contains_key(arg)));
            if stack.len() == before {
                stack.pop();
                let made = self.made(pool, term)?;
                self.terms.insert(term, made);
            }
        }
        Ok(self.terms[&root])
    }

    fn made(&self, pool: &mut Pool, term: to::Term) -> Result<Term, String> {
        let terms = &self.out.kernel.terms;
        let args: Vec<Term> = terms.parts(term).iter().map(|arg| self.terms[arg]).collect();
        match terms.op(term) {
            to::Op::True | to::Op::False => Ok(pool.bool(terms.op(term) == to::Op::True)),
            to::Op::Value(_) => {
                let value = terms.value_of(term).ok_or("a value has a number")?;
                Ok(pool.bitvec(&BitVec::from_int(&value.number.into(), value.width)))
            }
            to::Op::Apply(function) => {
                let symbol = *self.functions.get(&function).ok_or("a function of an image is not known")?;
                Ok(pool.mk(Op::Apply, &[&[symbol], &args[..]].concat()))
            }
            to::Op::ConstArray(sort) => {
                let sort = self.sort(pool, sort)?;
                pool.const_array(sort, args[0]).map_err(|error| error.to_string())
            }
            to::Op::Forall => {
                let (&body, variables) = args.split_last().ok_or("a quantifier has a body")?;
                pool.forall(variables, body).map_err(|error| error.to_string())
            }
            to::Op::Extract(high, low) => Ok(pool.mk_indexed(Op::Extract, &[high, low], &args)),
            to::Op::SignExtend(more) => Ok(pool.mk_indexed(Op::SignExtend, &[more], &args)),
            to::Op::Symbol(_) | to::Op::Float(_) | to::Op::Record(..) => {
                Err("a symbol of an image is not known".into())
            }
            op => plain(op).map(|op| pool.mk(op, &args)).ok_or_else(|| format!("{op:?} in an image")),
        }
    }

    /// A model of images gives the symbols of floating-point sorts their values; `None` if there are others
    /// whose images are others.
    pub(crate) fn lift(&self, pool: &Pool, model: &mut Assignment) -> Option<()> {
        for &(symbol, image) in &self.symbols {
            let Some(bits) = model.get(image).and_then(Value::as_bitvec).cloned() else { continue };
            let value: Value = match pool.sorts().as_theory(pool.sort(symbol))? {
                TheorySort::Float(format) => Float::from_bits(format, bits.to_int().magnitude())?.into(),
                TheorySort::RoundingMode => RoundingMode::from_code(bits.to_u64()?)?.into(),
                TheorySort::Int | TheorySort::Real | TheorySort::Record(_) => return None,
            };
            model.set(symbol, value);
        }
        self.symbols.iter().all(|&(symbol, _)| pool.sorts().is_theory(pool.sort(symbol))).then_some(())
    }
}

/// The operators that are terms as they are.
fn plain(op: to::Op) -> Option<Op> {
    Some(match op {
        to::Op::Not => Op::Not,
        to::Op::And => Op::And,
        to::Op::Or => Op::Or,
        to::Op::Xor => Op::Xor,
        to::Op::Eq => Op::Eq,
        to::Op::Ite => Op::Ite,
        to::Op::BvNot => Op::BvNot,
        to::Op::BvNeg => Op::BvNeg,
        to::Op::BvAnd => Op::BvAnd,
        to::Op::BvOr => Op::BvOr,
        to::Op::BvXor => Op::BvXor,
        to::Op::BvAdd => Op::BvAdd,
        to::Op::BvMul => Op::BvMul,
        to::Op::BvUdiv => Op::BvUdiv,
        to::Op::BvUrem => Op::BvUrem,
        to::Op::BvShl => Op::BvShl,
        to::Op::BvLshr => Op::BvLshr,
        to::Op::BvAshr => Op::BvAshr,
        to::Op::BvUlt => Op::BvUlt,
        to::Op::BvSlt => Op::BvSlt,
        to::Op::Concat => Op::Concat,
        to::Op::Select => Op::Select,
        to::Op::Store => Op::Store,
        _ => return None,
    })
}
