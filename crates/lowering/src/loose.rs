//! Records that are no words: tuples with an array or an element of a declared sort in them.
//!
//! Such a record is taken apart where it stands: a symbol is one symbol for each field, a comparison compares
//! the fields, and a field of a choice is a choice of fields. All of this is said in terms, so no term of
//! such a sort has an image, and none needs one; within arrays, functions and quantifiers there are no such
//! records.
//!
//! Cost: a term for each field of each record below a comparison, shared as records are.

use crate::Lowering;
use bivalve_terms::{Assignment, Op, Pool, Sort, SortKind, Term, Value};

impl Lowering {
    /// Is it a sort of records that are taken apart? Recursive: sorts are nested at most
    /// [`MAX_NESTING`](bivalve_terms::MAX_NESTING) deep, and each record sort is looked at once.
    pub(crate) fn is_loose(&self, pool: &Pool, sort: Sort) -> bool {
        if let Some(&known) = self.loose.borrow().get(&sort) {
            return known;
        }
        let Some(of) = pool.sorts().as_record(sort) else { return false };
        let is_word = || {
            self.owner(pool, sort)
                .is_some_and(|theory| self.theories[theory].image_sort(pool, sort).is_some())
        };
        let [constructor] = of.constructors() else { return false };
        let known = !is_word()
            && constructor
                .fields
                .iter()
                .all(|&(_, field)| self.is_loose(pool, field) || self.has_image(pool, field));
        self.loose.borrow_mut().insert(sort, known);
        known
    }

    /// Has a sort one that stands for it?
    fn has_image(&self, pool: &Pool, sort: Sort) -> bool {
        if let Some(theory) = self.owner(pool, sort) {
            return self.has_symbols(pool, theory, sort, false);
        }
        match pool.sorts().kind(sort) {
            SortKind::Array { index, element } => {
                self.has_image(pool, index) && self.has_image(pool, element)
            }
            _ => true,
        }
    }

    /// A term that is equal to this one, which is about records that are taken apart or a field of one, and
    /// closer to their fields.
    pub(crate) fn taken_apart(&mut self, pool: &mut Pool, term: Term) -> Option<Term> {
        let op = pool.op(term);
        let of = match op {
            Op::Eq | Op::Distinct | Op::RecordGet | Op::RecordIs => pool.sort(pool.args(term)[0]),
            _ => return None,
        };
        if !self.is_loose(pool, of) {
            return None;
        }
        let args = pool.args(term).to_vec();
        Some(match op {
            Op::RecordIs => pool.bool(true),
            Op::RecordGet => {
                let field = pool.index(term);
                self.field_of(pool, args[0], field)
            }
            Op::Eq if args.len() == 2 => self.equal_fields(pool, args[0], args[1]),
            Op::Eq => {
                let pairs: Vec<Term> = args.windows(2).map(|pair| pool.mk(Op::Eq, pair)).collect();
                pool.and_all(&pairs)
            }
            _ => {
                let mut pairs = vec![];
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[..i] {
                        let same = pool.mk(Op::Eq, &[b, a]);
                        pairs.push(pool.mk(Op::Not, &[same]));
                    }
                }
                pool.and_all(&pairs)
            }
        })
    }

    fn equal_fields(&self, pool: &mut Pool, a: Term, b: Term) -> Term {
        let count = pool.sorts().as_record(pool.sort(a)).expect("a record").field_count();
        let fields: Vec<Term> = (0..count)
            .map(|field| {
                let [a, b] = [a, b].map(|record| pool.mk_indexed(Op::RecordGet, &[field], &[record]));
                pool.mk(Op::Eq, &[a, b])
            })
            .collect();
        pool.and_all(&fields)
    }

    /// The field of a record: what was put into it, or that of a smaller record.
    fn field_of(&mut self, pool: &mut Pool, record: Term, field: u32) -> Term {
        let mut record = record;
        loop {
            let args = pool.args(record).to_vec();
            match pool.op(record) {
                Op::RecordNew => return args[field as usize],
                Op::RecordSet if pool.index(record) == field => return args[1],
                Op::RecordSet => record = args[0],
                Op::Ite => {
                    let [then, other] =
                        [args[1], args[2]].map(|record| pool.mk_indexed(Op::RecordGet, &[field], &[record]));
                    return pool.mk(Op::Ite, &[args[0], then, other]);
                }
                // A record within one that is taken apart, or it would be a word.
                Op::RecordGet => {
                    let outer = pool.index(record);
                    record = self.field_of(pool, args[0], outer);
                }
                _ => return self.parts_of(pool, record)[field as usize],
            }
        }
    }

    /// The symbols of the fields of a symbol.
    fn parts_of(&mut self, pool: &mut Pool, symbol: Term) -> Vec<Term> {
        if let Some(&place) = self.places.get(symbol) {
            return self.parts[place as usize].1.clone();
        }
        let of = pool.sorts().as_record(pool.sort(symbol)).expect("a record").clone();
        let name = pool.name(symbol).unwrap_or_default().to_owned();
        let parts: Vec<Term> = (0..of.field_count())
            .map(|field| {
                let (selector, sort) = of.field(field).expect("a field of the record");
                pool.symbol(&format!("{name}.{selector}"), sort)
            })
            .collect();
        self.places.insert(symbol, self.parts.len() as u32);
        self.parts.push((symbol, parts.clone()));
        parts
    }

    /// Gives symbols of records that were taken apart their values, by those of the fields.
    pub(crate) fn put_together(&self, pool: &Pool, assignment: &mut Assignment) {
        // Records within records were made later.
        for (symbol, parts) in self.parts.iter().rev() {
            let of = pool.sorts().as_record(pool.sort(*symbol)).expect("a record");
            let value = |&part: &Term| {
                let value = assignment.get(part).cloned();
                value.unwrap_or_else(|| Value::default_of(pool.sorts(), pool.sort(part)))
            };
            let fields: Vec<Value> = parts.iter().map(value).collect();
            assignment.set(*symbol, Value::from(of.value(0, fields)));
        }
    }
}
