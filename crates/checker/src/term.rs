//! Sorts and terms: a hash-consed table in which every term is well-sorted.
//!
//! The operators are few: those of SMT-LIB that are missing are abbreviations ([`crate::define`]), so that
//! meanings, circuits and polynomials have few cases. A term is made by [`Terms::mk`] alone, which refuses
//! what is ill-sorted; so whatever the other parts of the checker are handed is well-sorted. Equal terms have
//! equal numbers.
//!
//! Cost: an entry of a hash table and some 24 bytes per term.

use crate::budget::Budget;
use crate::floats::{self, FloatOp, Format};
use crate::records::{Record, RecordOp};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The widest bit-vector.
pub const MOST_BITS: u32 = 1 << 24;

/// More terms, or arguments of terms, than this are refused, so that their numbers have 32 bits.
const MOST_TERMS: usize = 1 << 30;

/// The bytes that a term or a sort takes in all tables, its arguments aside.
pub(crate) const BYTES: u64 = 128;

/// A sort, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sort(u32);

/// What a sort is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// The truth values.
    Bool,
    /// Bit-vectors of this many bits, at least one.
    BitVec(u32),
    /// Arrays from the first sort to the second.
    Array(Sort, Sort),
    /// The declared sort of this number.
    Declared(u32),
    /// Floating-point numbers. What is asserted is about their images, which are words.
    Float(Format),
    /// Rounding modes.
    Mode,
    /// Reals: constants, and values of `fp.to_real`.
    Real,
    /// The records of this number, see [`crate::records`].
    Record(u32),
}

/// A term, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// The number of the term, counted from 0 in the order in which terms were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// So many arguments, which most terms have at most, need no memory of their own in a table.
const FEW: usize = 3;

/// An operator, its first arguments, and the others.
type Application = (Op, [Term; FEW], Box<[Term]>);

/// A declared function of at least one argument, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Function(u32);

/// An operator with its indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum Op {
    /// A constant without a meaning, by its number.
    Symbol(u32),
    /// A bit-vector, by its number in the table of values.
    Value(u32),
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    /// Equality of any two terms of one sort.
    Eq,
    /// A choice between two terms of one sort.
    Ite,
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvMul,
    BvUdiv,
    BvUrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvSlt,
    Concat,
    /// The bits from the first index down to the second.
    Extract(u32, u32),
    /// As many copies of the sign in front.
    SignExtend(u32),
    Select,
    Store,
    /// The array of this sort whose elements are all the argument.
    ConstArray(Sort),
    /// The application of a declared function.
    Apply(Function),
    /// An operator of floating point, which only the parser makes.
    Float(FloatOp),
    /// An operator of records, likewise: the numbers of the sort, and of a constructor or field.
    Record(RecordOp, u32, u32),
    /// For all values of the arguments but the last: see [`crate::quantifier`].
    Forall,
}

impl Op {
    /// Whether two arguments may change places.
    pub fn is_commutative(self) -> bool {
        use Op::{And, BvAdd, BvAnd, BvMul, BvOr, BvXor, Eq, Or, Xor};
        matches!(self, And | Or | Xor | Eq | BvAnd | BvOr | BvXor | BvAdd | BvMul)
    }
}

#[derive(Clone)]
struct Node {
    op: Op,
    sort: Sort,
    start: u32,
    len: u32,
}

/// All sorts and terms.
#[derive(Clone)]
pub struct Terms {
    sorts: Vec<SortKind>,
    sort_numbers: FxHashMap<SortKind, Sort>,
    nodes: Vec<Node>,
    args: Vec<Term>,
    numbers: FxHashMap<Application, Term>,
    symbols: Vec<Sort>,
    functions: Vec<(Vec<Sort>, Sort)>,
    values: Vec<(u32, BigUint)>,
    value_numbers: FxHashMap<(u32, BigUint), u32>,
    /// The bits of an element of a declared sort, if it has some.
    element_bits: Option<u32>,
    /// The number of terms of declared sorts that are not choices.
    elements: u64,
    /// The sorts that have images.
    lowered_sorts: Vec<Sort>,
    pub(crate) records: Vec<Record>,
    /// What may be spent.
    pub budget: Budget,
    /// The bytes of all tables.
    pub(crate) held: u64,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// The sort `Bool`, and no term.
    pub fn new() -> Terms {
        Terms {
            sorts: vec![SortKind::Bool],
            sort_numbers: FxHashMap::from_iter([(SortKind::Bool, Sort(0))]),
            nodes: vec![],
            args: vec![],
            numbers: FxHashMap::default(),
            symbols: vec![],
            functions: vec![],
            values: vec![],
            value_numbers: FxHashMap::default(),
            element_bits: None,
            elements: 0,
            lowered_sorts: vec![],
            records: vec![],
            budget: Budget::default(),
            held: 0,
        }
    }

    /// The sort of the truth values.
    pub fn bool_sort(&self) -> Sort {
        Sort(0)
    }

    /// The sort of bit-vectors of `width` bits.
    pub fn bitvec_sort(&mut self, width: u32) -> Result<Sort, String> {
        match width {
            1..=MOST_BITS => Ok(self.sort(SortKind::BitVec(width))),
            _ => Err(format!("no bit-vector has {width} bits here")),
        }
    }

    /// A sort that is made of sorts of this table.
    pub fn sort(&mut self, kind: SortKind) -> Sort {
        let next = Sort(self.sorts.len() as u32);
        *self.sort_numbers.entry(kind).or_insert_with(|| {
            if matches!(kind, SortKind::Float(_) | SortKind::Mode | SortKind::Real | SortKind::Record(_)) {
                self.lowered_sorts.push(next);
            }
            self.sorts.push(kind);
            next
        })
    }

    /// The sorts of floating-point numbers, rounding modes, reals and records, those of fields before these.
    pub fn lowered_sorts(&self) -> &[Sort] {
        &self.lowered_sorts
    }

    /// The sorts of the arguments of a function, and of its values.
    pub fn signature(&self, function: Function) -> (Vec<Sort>, Sort) {
        self.functions[function.0 as usize].clone()
    }

    /// What a sort is.
    pub fn kind(&self, sort: Sort) -> SortKind {
        self.sorts[sort.0 as usize]
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no term yet?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator of a term.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    /// The arguments of a term; they have smaller numbers. A quantified formula has none here: no rule looks
    /// into it.
    pub fn args(&self, term: Term) -> &[Term] {
        if self.op(term) == Op::Forall { &[] } else { self.parts(term) }
    }

    /// The same, and the variables and the body of what is quantified.
    pub fn parts(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &self.args[node.start as usize..(node.start + node.len) as usize]
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The kind of the sort of a term.
    pub fn kind_of(&self, term: Term) -> SortKind {
        self.kind(self.sort_of(term))
    }

    /// The number of bits that a term has: 1 for a truth value, `None` for arrays, and for elements of
    /// declared sorts unless [`Terms::set_element_bits`] gave them some.
    pub fn bits(&self, term: Term) -> Option<u32> {
        match self.kind_of(term) {
            SortKind::Bool => Some(1),
            SortKind::BitVec(width) => Some(width),
            SortKind::Declared(_) => self.element_bits,
            _ => None,
        }
    }

    /// Gives elements of declared sorts bits, or takes them away.
    pub fn set_element_bits(&mut self, bits: Option<u32>) {
        self.element_bits = bits;
    }

    /// Do elements have enough bits for each term to have a value of its own? Choices have that of a branch.
    pub fn has_room_for_elements(&self) -> bool {
        self.element_bits.is_none_or(|bits| bits >= 64 || self.elements >> bits == 0)
    }

    /// The number of terms of declared sorts that are not choices.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// The number of bits of a bit-vector.
    pub fn width(&self, term: Term) -> Option<u32> {
        match self.kind_of(term) {
            SortKind::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// A symbol that no other term mentions.
    pub fn fresh(&mut self, sort: Sort) -> Term {
        self.symbols.push(sort);
        self.node(Op::Symbol(self.symbols.len() as u32 - 1), &[], sort)
    }

    /// A function that no term mentions.
    pub fn fresh_function(&mut self, domain: Vec<Sort>, range: Sort) -> Function {
        self.functions.push((domain, range));
        Function(self.functions.len() as u32 - 1)
    }

    /// A bit-vector; the value is taken modulo two to the power of its width.
    pub fn value(&mut self, width: u32, value: BigUint) -> Result<Term, String> {
        let sort = self.bitvec_sort(width)?;
        let value = match value.bits() > u64::from(width) {
            true => value & ((BigUint::from(1u8) << width) - 1u8),
            false => value,
        };
        self.budget.take(1 + u64::from(width) / 64, 0)?;
        let key = (width, value);
        let number = match self.value_numbers.get(&key) {
            Some(&number) => number,
            None => {
                self.hold(BYTES + u64::from(width) / 4)?;
                self.values.push(key.clone());
                self.value_numbers.insert(key, self.values.len() as u32 - 1);
                self.values.len() as u32 - 1
            }
        };
        Ok(self.node(Op::Value(number), &[], sort))
    }

    /// The truth value.
    pub fn truth(&mut self, value: bool) -> Term {
        self.node(if value { Op::True } else { Op::False }, &[], Sort(0))
    }

    /// The number that a term that is a bit-vector value stands for.
    pub fn as_value(&self, term: Term) -> Option<&BigUint> {
        match self.op(term) {
            Op::Value(number) => Some(&self.values[number as usize].1),
            _ => None,
        }
    }

    /// Is the term a value: a bit-vector or a truth value?
    pub fn is_value(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Value(_) | Op::True | Op::False)
    }

    /// The application of an operator. Symbols and values are made by the functions above.
    pub fn mk(&mut self, op: Op, args: &[Term]) -> Result<Term, String> {
        if self.nodes.len().max(self.args.len() + args.len()) > MOST_TERMS {
            return Err("too many terms".into());
        }
        self.budget.take(20 + 4 * args.len() as u64, 0)?;
        let sort = self.sort_of_application(op, args).ok_or_else(|| {
            let sorts: Vec<SortKind> = args.iter().map(|&arg| self.kind_of(arg)).collect();
            format!("{op:?} cannot be applied to arguments of the sorts {sorts:?}")
        })?;
        if op == Op::Forall {
            self.check_binder(args)?;
        }
        let before = self.len();
        let term = self.node(op, args, sort);
        let more = (self.len() - before) as u64 * (BYTES + 8 * args.len() as u64);
        self.hold(more).map(|()| term)
    }

    /// Takes bytes that stay as long as the tables do.
    fn hold(&mut self, bytes: u64) -> Result<(), String> {
        self.held += bytes;
        self.budget.take(0, bytes)
    }

    fn node(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let few = std::array::from_fn(|at| args.get(at).copied().unwrap_or(Term(u32::MAX)));
        let key = (op, few, args.get(FEW..).unwrap_or_default().into());
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let term = Term(self.nodes.len() as u32);
        self.elements += u64::from(op != Op::Ite && matches!(self.kind(sort), SortKind::Declared(_)));
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, start, len: args.len() as u32 });
        self.numbers.insert(key, term);
        term
    }

    /// A sort of this table or another one, with others in the places of those in `map`, which gets more.
    pub fn image_of_sort(
        &mut self,
        from: Option<&Terms>,
        map: &mut FxHashMap<Sort, Sort>,
        root: Sort,
    ) -> Result<Sort, String> {
        let mut stack = vec![root];
        while let Some(&sort) = stack.last() {
            self.budget.take(40, 0)?;
            let (before, sorts) = (stack.len(), self.sorts.len());
            let image = match (map.get(&sort), from.unwrap_or(self).kind(sort)) {
                (Some(&known), _) => known,
                (None, SortKind::Array(index, element)) => {
                    stack.extend([index, element].iter().filter(|part| !map.contains_key(part)));
                    if stack.len() > before {
                        continue;
                    }
                    self.sort(SortKind::Array(map[&index], map[&element]))
                }
                (None, kind) => self.sort(kind),
            };
            map.insert(sort, image);
            stack.pop();
            self.hold((self.sorts.len() - sorts) as u64 * BYTES)?;
        }
        Ok(map[&root])
    }

    /// A term of this table, with others in the places of those in `map`, which gets more; or one of another
    /// table that is made of such and of values.
    pub fn image(
        &mut self,
        from: Option<&Terms>,
        map: &mut FxHashMap<Term, Term>,
        root: Term,
    ) -> Result<Term, String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if map.contains_key(&term) {
                stack.pop();
                continue;
            }
            let (before, table) = (stack.len(), from.unwrap_or(self));
            stack.extend(table.parts(term).iter().copied().filter(|arg| !map.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            self.budget.take(40, 0)?;
            let table = from.unwrap_or(self);
            let args: Vec<Term> = table.parts(term).iter().map(|arg| map[arg]).collect();
            let image = match (from, table.op(term)) {
                (None, _) if args.is_empty() => term,
                (Some(table), Op::Value(_)) => {
                    let value = table.value_of(term).ok_or("a value has a number")?;
                    self.value(value.width, value.number)?
                }
                (Some(_), Op::Symbol(_) | Op::Apply(_) | Op::ConstArray(_) | Op::Forall)
                | (Some(_), Op::Float(_) | Op::Record(..)) => {
                    return Err("a term of another table has no meaning here".into());
                }
                (_, op) => self.mk(op, &args)?,
            };
            map.insert(term, image);
        }
        Ok(map[&root])
    }

    fn sort_of_application(&mut self, op: Op, args: &[Term]) -> Option<Sort> {
        // One more than any operator takes but applications.
        let mut first = [Sort(0); FEW + 1];
        first.iter_mut().zip(args).for_each(|(sort, &arg)| *sort = self.sort_of(arg));
        let sorts = &first[..args.len().min(FEW + 1)];
        let width = |at: usize| match sorts.get(at).map(|&sort| self.kind(sort)) {
            Some(SortKind::BitVec(width)) => Some(width),
            _ => None,
        };
        let same = sorts.windows(2).all(|pair| pair[0] == pair[1]);
        let truth = self.bool_sort();
        let arity = args.len();
        match op {
            Op::Symbol(_) | Op::Value(_) => None,
            Op::True | Op::False => (arity == 0).then_some(truth),
            Op::Not => (sorts == [truth]).then_some(truth),
            Op::And | Op::Or | Op::Xor => (sorts == [truth, truth]).then_some(truth),
            Op::Eq => (arity == 2 && same).then_some(truth),
            Op::Ite => (arity == 3 && sorts[0] == truth && sorts[1] == sorts[2]).then(|| sorts[1]),
            Op::BvNot | Op::BvNeg => width(0).filter(|_| arity == 1).map(|_| sorts[0]),
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul | Op::BvUdiv | Op::BvUrem => {
                width(0).filter(|_| arity == 2 && same).map(|_| sorts[0])
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr => width(0).filter(|_| arity == 2 && same).map(|_| sorts[0]),
            Op::BvUlt | Op::BvSlt => width(0).filter(|_| arity == 2 && same).map(|_| truth),
            Op::Concat => {
                let width = width(0)?.checked_add(width(1)?).filter(|_| arity == 2)?;
                self.bitvec_sort(width).ok()
            }
            Op::Extract(high, low) => {
                width(0).filter(|&width| arity == 1 && low <= high && high < width)?;
                self.bitvec_sort(high - low + 1).ok()
            }
            Op::SignExtend(more) => {
                let width = width(0)?.checked_add(more).filter(|_| arity == 1)?;
                self.bitvec_sort(width).ok()
            }
            Op::Select | Op::Store => self.sort_of_access(op, sorts),
            Op::ConstArray(array) => match self.kind(array) {
                SortKind::Array(_, element) if sorts == [element] => Some(array),
                _ => None,
            },
            Op::Float(op) => floats::sort_of(self, op, args),
            Op::Record(op, sort, index) => self.sort_of_record((op, sort, index), args),
            Op::Forall => (arity > 1 && self.sort_of(args[arity - 1]) == truth).then_some(truth),
            Op::Apply(function) => {
                let (domain, range) = &self.functions[function.0 as usize];
                args.iter().map(|&arg| self.sort_of(arg)).eq(domain.iter().copied()).then_some(*range)
            }
        }
    }

    fn sort_of_access(&self, op: Op, sorts: &[Sort]) -> Option<Sort> {
        let SortKind::Array(index, element) = self.kind(*sorts.first()?) else { return None };
        match op {
            Op::Select => (sorts[1..] == [index]).then_some(element),
            _ => (sorts[1..] == [index, element]).then(|| sorts[0]),
        }
    }
}
