//! Records as bit-vectors.
//!
//! A record is a word: the number of its constructor above, where there are several, and its fields below,
//! the first one lowest. Constructors share the bits of fields, and what a constructor does not use is zero,
//! so equal records are equal words. A sort of one value is a word of one bit, zero.
//!
//! A field is a Boolean, a bit-vector, a floating-point number, a rounding mode or a record. Symbols, and
//! what functions and arrays give, are told to be words of records; where all words are, nothing has to be
//! told.
//!
//! What is read from a record of another constructor is the argument that is not written, see
//! [`bivalve_terms`]: a function of the record, so one of the word.
//!
//! Cost: shapes are remembered by sort; a condition is linear in the fields of a sort, those within fields
//! counted each time.

use crate::Floats;
use crate::theory::{LoweredTheory, Refusal};
use bivalve_terms::{BitVec, Op, Pool, RecordSort, RecordValue, Sort, SortKind, Term, TheorySort, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// The theory of records.
#[derive(Default)]
pub struct Records {
    /// Those of fields.
    floats: Floats,
    /// By sort the shape of words, unless a field has none.
    shapes: RefCell<FxHashMap<Sort, Option<Arc<Shape>>>>,
}

/// How the values of a record sort lie in words.
struct Shape {
    of: Arc<RecordSort>,
    /// The bits of the constructor's number.
    tag: u32,
    /// The bits of the fields, those of the constructor with the most.
    payload: u32,
    /// By number of the field its lowest bit and its width.
    fields: Vec<(u32, u32)>,
    /// For each constructor the bits that its fields use.
    used: Vec<u32>,
    /// Each word is one of a record.
    is_exact: bool,
}

impl Shape {
    /// A bit-vector has one bit at least.
    fn width(&self) -> u32 {
        (self.tag + self.payload).max(1)
    }

    fn count(&self) -> u32 {
        self.used.len() as u32
    }
}

impl Records {
    /// The bits of a sort's image; `None` if a field of it has none.
    fn width(&self, pool: &Pool, sort: Sort) -> Option<u32> {
        match pool.sorts().kind(sort) {
            SortKind::Bool => Some(1),
            SortKind::BitVec(width) => Some(width),
            SortKind::Theory(TheorySort::Record(_)) => self.shape(pool, sort).map(|shape| shape.width()),
            SortKind::Theory(_) if self.floats.is_of_open_results(pool, sort) => None,
            SortKind::Theory(_) if self.floats.owns(pool, sort) => {
                self.floats.image_sort(pool, sort).and_then(Sort::width)
            }
            _ => None,
        }
    }

    fn is_exact(&self, pool: &Pool, sort: Sort) -> bool {
        match self.owns(pool, sort) {
            true => self.shape(pool, sort).is_some_and(|shape| shape.is_exact),
            false => !self.floats.owns(pool, sort) || self.floats.is_one_to_one(pool, sort),
        }
    }

    /// The shape of words of a record sort. Recursive: records are nested at most
    /// [`MAX_NESTING`](bivalve_terms::MAX_NESTING) deep, and each sort is looked at once.
    fn shape(&self, pool: &Pool, sort: Sort) -> Option<Arc<Shape>> {
        if let Some(known) = self.shapes.borrow().get(&sort) {
            return known.clone();
        }
        let shape = self.find_shape(pool, sort).map(Arc::new);
        self.shapes.borrow_mut().insert(sort, shape.clone());
        shape
    }

    fn find_shape(&self, pool: &Pool, sort: Sort) -> Option<Shape> {
        let of = pool.sorts().as_record(sort)?.clone();
        let count = of.constructors().len() as u32;
        let (mut fields, mut used, mut is_exact) = (vec![], vec![], count.is_power_of_two());
        for constructor in of.constructors() {
            let mut low = 0u32;
            for &(_, sort) in &constructor.fields {
                let width = self.width(pool, sort)?;
                fields.push((low, width));
                low = low.checked_add(width)?;
                is_exact &= self.is_exact(pool, sort);
            }
            used.push(low);
        }
        let payload = used.iter().copied().max().unwrap_or(0);
        let tag = u32::BITS - (count - 1).leading_zeros();
        is_exact &= used.iter().all(|&used| used == payload) && tag + payload > 0;
        let shape = Shape { of, tag, payload, fields, used, is_exact };
        (shape.width() <= BitVec::MAX_WIDTH).then_some(shape)
    }

    fn known_shape(&self, pool: &Pool, sort: Sort) -> Arc<Shape> {
        self.shape(pool, sort).expect("the sort was accepted")
    }

    /// The word of a value; `None` if it is none of a field's sort.
    fn word(&self, pool: &Pool, value: &Value) -> Option<BitVec> {
        match (value, value.as_record()) {
            (_, Some(record)) => {
                let sort = pool.sorts().sort_of_record(record.definition());
                self.record_word(pool, &self.known_shape(pool, sort), record)
            }
            (Value::Bool(value), _) => Some(BitVec::from_bool(*value)),
            (Value::BitVec(bits), _) => Some(bits.clone()),
            (Value::Theory(_), _) => match (value.as_float(), value.as_rounding_mode()) {
                (Some(float), _) => Some(BitVec::from_int(&float.to_bits().into(), float.format().width())),
                (_, Some(mode)) => {
                    let width = bivalve_floats::RoundingMode::CODE_BITS;
                    Some(BitVec::from_u64(mode.code().into(), width))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn record_word(&self, pool: &Pool, shape: &Shape, record: &RecordValue) -> Option<BitVec> {
        let constructor = record.constructor();
        let mut parts = vec![];
        if shape.tag > 0 {
            parts.push(BitVec::from_u64(constructor.into(), shape.tag));
        }
        let unused = shape.width() - shape.tag - shape.used[constructor as usize];
        if unused > 0 {
            parts.push(BitVec::zero(unused));
        }
        for field in record.fields().iter().rev() {
            parts.push(self.word(pool, field)?);
        }
        parts.into_iter().reduce(|high, low| high.concat(&low))
    }

    /// The value of a field's sort that a word stands for.
    fn value(&self, pool: &Pool, sort: Sort, bits: &BitVec) -> Option<Value> {
        match pool.sorts().kind(sort) {
            SortKind::Bool => Some(bits.bit(0).into()),
            SortKind::BitVec(_) => Some(bits.clone().into()),
            SortKind::Theory(TheorySort::Record(_)) => {
                let shape = self.shape(pool, sort)?;
                let of = &shape.of;
                let constructor = match shape.tag {
                    0 => 0,
                    tag => bits.extract(shape.width() - 1, shape.width() - tag).to_u64()? as u32,
                };
                let &used = shape.used.get(constructor as usize)?;
                let unused = shape.width() - shape.tag - used;
                if unused > 0 && !bits.extract(used + unused - 1, used).is_zero() {
                    return None;
                }
                let value = |field: u32| {
                    let (low, width) = shape.fields[field as usize];
                    self.value(pool, of.field(field)?.1, &bits.extract(low + width - 1, low))
                };
                let fields: Option<Vec<Value>> = of.fields_of(constructor).map(value).collect();
                Some(of.value(constructor, fields?).into())
            }
            _ => self.floats.lift(pool, sort, &bits.clone().into()),
        }
    }

    /// What holds of a field's image to stand for a value.
    fn field_condition(&self, pool: &mut Pool, sort: Sort, image: Term) -> Option<Term> {
        match self.owns(pool, sort) {
            true => self.condition(pool, sort, image),
            false if self.floats.owns(pool, sort) => self.floats.condition(pool, sort, image),
            false => None,
        }
    }
}

impl LoweredTheory for Records {
    fn owns(&self, pool: &Pool, sort: Sort) -> bool {
        pool.sorts().as_record(sort).is_some()
    }

    fn accept(&mut self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        let sorts = pool.args(term).iter().map(|&arg| pool.sort(arg)).chain([pool.sort(term)]);
        for (argument, sort) in sorts.enumerate() {
            if self.owns(pool, sort) && self.shape(pool, sort).is_none() {
                return Err(Refusal {
                    term,
                    argument: (argument < pool.written_args(term).len()).then_some(argument),
                    expected: "a record whose fields are words".into(),
                    found: self.refused(pool, sort),
                });
            }
        }
        Ok(())
    }

    fn refused(&self, pool: &Pool, sort: Sort) -> String {
        let mut sort = sort;
        let of = pool.sorts().display(sort);
        // The least record that has none.
        loop {
            let fields = pool.sorts().as_record(sort).into_iter().flat_map(|record| record.constructors());
            let mut fields = fields.flat_map(|constructor| constructor.fields.iter().map(|&(_, sort)| sort));
            match fields.find(|&field| self.width(pool, field).is_none()) {
                Some(field) if self.owns(pool, field) => sort = field,
                Some(field) => {
                    return format!("sort {of}, with a field of sort {}", pool.sorts().display(field));
                }
                None => return format!("sort {of}, with too many bits"),
            }
        }
    }

    fn image(&mut self, pool: &mut Pool, term: Term, images: &[Term]) -> Term {
        let (op, sort, index) = (pool.op(term), pool.sort(term), pool.index(term));
        match op {
            Op::Const => {
                let value = pool.as_value(term).expect("a constant has a value");
                let word = self.word(pool, &value).expect("the sort was accepted");
                return pool.bitvec(&word);
            }
            Op::RecordNew => {
                let shape = self.known_shape(pool, sort);
                return made(pool, &shape, index, images);
            }
            Op::Eq | Op::Distinct | Op::Ite => return pool.mk(op, images),
            _ => {}
        }
        let shape = self.known_shape(pool, pool.sort(pool.args(term)[0]));
        let record = images[0];
        if op == Op::RecordIs {
            return is_of(pool, &shape, record, index);
        }
        let (constructor, _) = shape.of.place_of(index).expect("the field was checked");
        let (low, width) = shape.fields[index as usize];
        let changed = match op {
            Op::RecordGet => {
                let bits = extract(pool, record, low + width - 1, low);
                if sort.is_bool() { is_one(pool, bits) } else { bits }
            }
            _ => {
                let above = low + width;
                let mut parts = vec![];
                if above < shape.width() {
                    parts.push(extract(pool, record, shape.width() - 1, above));
                }
                parts.push(as_bits(pool, images[1]));
                if low > 0 {
                    parts.push(extract(pool, record, low - 1, 0));
                }
                joined(pool, &parts)
            }
        };
        if shape.tag == 0 {
            return changed;
        }
        let has = is_of(pool, &shape, record, constructor);
        let otherwise = if op == Op::RecordGet { images[1] } else { record };
        pool.mk(Op::Ite, &[has, changed, otherwise])
    }

    fn image_sort(&self, pool: &Pool, sort: Sort) -> Option<Sort> {
        Sort::bitvec(self.shape(pool, sort)?.width()).ok()
    }

    fn is_one_to_one(&self, pool: &Pool, sort: Sort) -> bool {
        self.is_exact(pool, sort)
    }

    fn condition(&self, pool: &mut Pool, sort: Sort, image: Term) -> Option<Term> {
        let shape = self.known_shape(pool, sort);
        if shape.is_exact {
            return None;
        }
        let mut all = vec![];
        if !shape.count().is_power_of_two() {
            let tag = extract(pool, image, shape.width() - 1, shape.width() - shape.tag);
            let last = pool.bv_u64((shape.count() - 1).into(), shape.tag);
            all.push(pool.mk(Op::BvUle, &[tag, last]));
        }
        for constructor in 0..shape.count() {
            let used = shape.used[constructor as usize];
            let unused = shape.width() - shape.tag - used;
            let mut holds = vec![];
            if unused > 0 {
                let rest = extract(pool, image, used + unused - 1, used);
                let zero = pool.bitvec(&BitVec::zero(unused));
                holds.push(pool.mk(Op::Eq, &[rest, zero]));
            }
            for field in shape.of.fields_of(constructor) {
                let (low, width) = shape.fields[field as usize];
                let (_, sort) = shape.of.field(field).expect("a field of the record");
                if !self.is_exact(pool, sort) {
                    let part = extract(pool, image, low + width - 1, low);
                    holds.extend(self.field_condition(pool, sort, part));
                }
            }
            if holds.is_empty() {
                continue;
            }
            let holds = pool.and_all(&holds);
            all.push(match shape.tag {
                0 => holds,
                _ => {
                    let has = is_of(pool, &shape, image, constructor);
                    pool.mk(Op::Implies, &[has, holds])
                }
            });
        }
        (!all.is_empty()).then(|| pool.and_all(&all))
    }

    fn lift(&self, pool: &Pool, sort: Sort, image: &Value) -> Option<Value> {
        self.value(pool, sort, image.as_bitvec()?)
    }

    fn forget(&mut self) {
        self.shapes.borrow_mut().clear();
    }
}

/// The word of a record of this constructor, whose fields have these images.
fn made(pool: &mut Pool, shape: &Shape, constructor: u32, fields: &[Term]) -> Term {
    let mut parts = vec![];
    if shape.tag > 0 {
        parts.push(pool.bv_u64(constructor.into(), shape.tag));
    }
    let unused = shape.width() - shape.tag - shape.used[constructor as usize];
    if unused > 0 {
        parts.push(pool.bitvec(&BitVec::zero(unused)));
    }
    for &field in fields.iter().rev() {
        parts.push(as_bits(pool, field));
    }
    joined(pool, &parts)
}

/// Does the word have the number of this constructor?
fn is_of(pool: &mut Pool, shape: &Shape, record: Term, constructor: u32) -> Term {
    if shape.tag == 0 {
        return pool.bool(true);
    }
    let tag = extract(pool, record, shape.width() - 1, shape.width() - shape.tag);
    let number = pool.bv_u64(constructor.into(), shape.tag);
    pool.mk(Op::Eq, &[tag, number])
}

fn extract(pool: &mut Pool, word: Term, high: u32, low: u32) -> Term {
    match pool.width(word) {
        Some(width) if low == 0 && high + 1 == width => word,
        _ => pool.mk_indexed(Op::Extract, &[high, low], &[word]),
    }
}

fn joined(pool: &mut Pool, parts: &[Term]) -> Term {
    match *parts {
        [one] => one,
        _ => pool.mk(Op::Concat, parts),
    }
}

/// A Boolean as one bit; other images are words.
fn as_bits(pool: &mut Pool, image: Term) -> Term {
    if !pool.sort(image).is_bool() {
        return image;
    }
    let [one, zero] = [1, 0].map(|bit| pool.bv_u64(bit, 1));
    pool.mk(Op::Ite, &[image, one, zero])
}

fn is_one(pool: &mut Pool, bit: Term) -> Term {
    let one = pool.bv_u64(1, 1);
    pool.mk(Op::Eq, &[bit, one])
}
