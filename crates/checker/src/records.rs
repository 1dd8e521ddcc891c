//! Records: data types that are not within themselves, as bit-vectors.
//!
//! The parser makes terms of their operators; what is asserted is their image, as with floats
//! ([`crate::floats::lower`]). A record's word has the number of its constructor above, in as few bits as
//! count them all, and the fields below, the first one lowest; what a constructor does not use is zero. So
//! different records have different words, and a word is one of a record if `Shape::condition` holds of it.
//! What a selector gives for a record of another constructor is a fixed function of the record.

use crate::floats::{lower::Lowering, read};
use crate::lexer::{Id, Tree};
use crate::script::{Binding, Script};
use crate::term::{BYTES, MOST_BITS, Op, Sort, SortKind, Term, Terms};
use std::ops::Range;

/// Records are within each other at most so deep.
const MOST_NESTING: u32 = 256;

/// A record sort.
#[derive(Clone)]
pub struct Record {
    /// Its name, which no other one has.
    pub(crate) name: String,
    /// The sorts of the fields of each constructor.
    constructors: Vec<Vec<Sort>>,
    /// The fields of all constructors in a row: the constructor and the sort.
    fields: Vec<(u32, Sort)>,
    nesting: u32,
}

/// An operator on the records of a sort, for a constructor or a field of this number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordOp {
    /// The record of a constructor and its fields.
    New,
    /// Has it this constructor?
    Is,
    /// A field.
    Get,
    /// The record with another value in a field; itself if it has none such.
    Set,
}

impl Terms {
    /// A sort of records, from the sorts of the fields of each constructor.
    pub fn record_sort(&mut self, name: &str, constructors: Vec<Vec<Sort>>) -> Result<Sort, String> {
        let all = (0..).zip(&constructors);
        let all = all.flat_map(|(constructor, sorts)| sorts.iter().map(move |&sort| (constructor, sort)));
        let fields: Vec<(u32, Sort)> = all.collect();
        let nesting = |&(_, sort): &(u32, Sort)| match self.kind(sort) {
            SortKind::Record(number) => 1 + self.records[number as usize].nesting,
            _ => 0,
        };
        let nesting = fields.iter().map(nesting).max().unwrap_or(0);
        if constructors.is_empty() || nesting > MOST_NESTING {
            return Err("data types without constructors, or so deep, are not known here".into());
        }
        let parts = (constructors.len() + fields.len()) as u64;
        self.budget.take(self.records.len() as u64, BYTES * parts)?;
        let same = self.records.iter().filter(|other| other.name.split('|').next() == Some(name)).count();
        let name = if same == 0 { name.into() } else { format!("{name}|{same}") };
        self.records.push(Record { name, constructors, fields, nesting });
        Ok(self.sort(SortKind::Record(self.records.len() as u32 - 1)))
    }

    /// How many constructors a sort of records has.
    pub(crate) fn constructors(&self, sort: u32) -> u32 {
        self.records[sort as usize].constructors.len() as u32
    }

    /// The numbers of the fields of a constructor.
    pub(crate) fn fields(&self, sort: u32, constructor: u32) -> Range<u32> {
        let all = &self.records[sort as usize].constructors;
        let below = |count: u32| all[..count as usize].iter().map(Vec::len).sum::<usize>() as u32;
        below(constructor)..below(constructor + 1)
    }

    /// The sort of an application, if the arguments have the right ones.
    pub(crate) fn sort_of_record(
        &mut self,
        (op, number, index): (RecordOp, u32, u32),
        args: &[Term],
    ) -> Option<Sort> {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort_of(arg)).collect();
        let own = self.sort(SortKind::Record(number));
        let record = self.records.get(number as usize)?;
        let field = record.fields.get(index as usize).map(|field| field.1);
        let constructor = record.constructors.get(index as usize);
        match op {
            RecordOp::New => constructor.filter(|&fields| *fields == sorts).map(|_| own),
            RecordOp::Is => constructor.filter(|_| sorts == [own]).map(|_| self.bool_sort()),
            RecordOp::Get => field.filter(|_| sorts == [own]),
            RecordOp::Set => field.filter(|&field| sorts == [own, field]).map(|_| own),
        }
    }
}

/// How the records of a sort lie in words.
pub(crate) struct Shape {
    pub(crate) width: u32,
    /// The bits of the constructor's number.
    pub(crate) tag: u32,
    /// By number of the field its constructor and sort, its lowest bit and its width.
    fields: Vec<(u32, Sort, u32, u32)>,
    /// For each constructor the bits of its fields.
    used: Vec<u32>,
}

impl Shape {
    /// The shape of a sort, if the images of all sorts of fields are words.
    pub(crate) fn new(terms: &Terms, number: u32, image: impl Fn(Sort) -> Sort) -> Option<Shape> {
        let record = &terms.records[number as usize];
        let (mut fields, mut used) = (vec![], vec![0; record.constructors.len()]);
        for &(constructor, sort) in &record.fields {
            let width = match terms.kind(image(sort)) {
                SortKind::Bool => 1,
                SortKind::BitVec(width) => width,
                _ => return None,
            };
            let low = &mut used[constructor as usize];
            fields.push((constructor, sort, *low, width));
            *low = Some(*low + width).filter(|&all| all <= MOST_BITS)?;
        }
        let tag = (used.len() - 1).checked_ilog2().map_or(0, |log| log + 1);
        let width = (tag + used.iter().max()?).max(1);
        Some(Shape { width, tag, fields, used })
    }

    /// Has a word the number of this constructor?
    fn is(&self, terms: &mut Terms, word: Term, constructor: u32) -> Result<Term, String> {
        if self.tag == 0 {
            return Ok(terms.truth(true));
        }
        let tag = terms.mk(Op::Extract(self.width - 1, self.width - self.tag), &[word])?;
        let number = terms.value(self.tag, constructor.into())?;
        terms.mk(Op::Eq, &[tag, number])
    }

    /// A field of a word, as if it had that field.
    fn part(&self, terms: &mut Terms, word: Term, field: usize) -> Result<Term, String> {
        let (_, sort, low, width) = self.fields[field];
        let bits = terms.mk(Op::Extract(low + width - 1, low), &[word])?;
        let one = terms.value(1, 1u8.into())?;
        if sort == terms.bool_sort() { terms.mk(Op::Eq, &[bits, one]) } else { Ok(bits) }
    }

    /// The word of a constructor's number, zeros, and fields.
    fn whole(&self, terms: &mut Terms, constructor: u32, fields: &[Term]) -> Result<Term, String> {
        let mut parts = vec![];
        let rest = self.width - self.tag - self.used[constructor as usize];
        for (width, number) in [(self.tag, constructor), (rest, 0)] {
            parts.extend((width > 0).then(|| terms.value(width, number.into())).transpose()?);
        }
        for &field in fields.iter().rev() {
            let is_truth = terms.sort_of(field) == terms.bool_sort();
            parts.push(if is_truth { terms.bit(field)? } else { field });
        }
        terms.chain(Op::Concat, &parts)
    }

    /// The image of an operator's application to images; `open` is what a selector gives for other records.
    pub(crate) fn image(
        &self,
        terms: &mut Terms,
        (op, index): (RecordOp, u32),
        args: &[Term],
        open: Option<Term>,
    ) -> Result<Term, String> {
        let (made, at) = match op {
            RecordOp::New => return self.whole(terms, index, args),
            RecordOp::Is => return self.is(terms, args[0], index),
            RecordOp::Get => (self.part(terms, args[0], index as usize)?, index as usize),
            RecordOp::Set => {
                let (at, mut fields) = (index as usize, vec![]);
                terms.budget.take(self.fields.len() as u64, 0)?;
                for other in (0..self.fields.len()).filter(|&other| self.fields[other].0 == self.fields[at].0)
                {
                    fields.push(if other == at { args[1] } else { self.part(terms, args[0], other)? });
                }
                (self.whole(terms, self.fields[at].0, &fields)?, at)
            }
        };
        if self.tag == 0 {
            return Ok(made);
        }
        let has = self.is(terms, args[0], self.fields[at].0)?;
        terms.mk(Op::Ite, &[has, made, open.unwrap_or(args[0])])
    }

    /// What says that a word is one of a record.
    pub(crate) fn condition(&self, of: &Lowering, terms: &mut Terms, word: Term) -> Result<Term, String> {
        terms.budget.take((self.used.len() + self.fields.len()) as u64, 0)?;
        let (mut all, mut holds) = (vec![], vec![vec![]; self.used.len()]);
        if !self.used.len().is_power_of_two() {
            let tag = terms.mk(Op::Extract(self.width - 1, self.width - self.tag), &[word])?;
            let last = terms.value(self.tag, (self.used.len() - 1).into())?;
            all.push(terms.at_most(Op::BvUlt, tag, last)?);
        }
        for (field, &(constructor, sort, ..)) in self.fields.iter().enumerate() {
            if !matches!(terms.kind(sort), SortKind::Bool | SortKind::BitVec(_)) {
                let part = self.part(terms, word, field)?;
                holds[constructor as usize].extend(of.condition_of_word(terms, sort, part)?);
            }
        }
        for ((constructor, &used), mut holds) in (0..).zip(&self.used).zip(holds) {
            if self.tag + used < self.width {
                let rest = terms.mk(Op::Extract(self.width - self.tag - 1, used), &[word])?;
                let zero = terms.value(self.width - self.tag - used, 0u8.into())?;
                holds.push(terms.mk(Op::Eq, &[rest, zero])?);
            }
            if !holds.is_empty() {
                let (has, holds) = (self.is(terms, word, constructor)?, terms.chain(Op::And, &holds)?);
                all.push(terms.implies(has, holds)?);
            }
        }
        all.push(terms.truth(true));
        terms.chain(Op::And, &all)
    }
}

/// A constructor that is read: its name, and those of selectors with the sorts of fields.
type Constructor<'t> = (&'t str, Vec<(&'t str, Sort)>);

impl Script<'_> {
    /// `(declare-datatype T (c ...))`, `(declare-datatypes ((T 0) ...) ((c ...) ...))`
    pub(crate) fn declare_data_types(&mut self, tree: &Tree, parts: &[Id]) -> Result<(), String> {
        let &[_, headers, of] = parts else { return Err("data types have other parts".into()) };
        let mut open = match tree.symbol(headers) {
            Some(name) => vec![(name, of)],
            None => {
                let (headers, of) = (tree.list(headers)?, tree.list(of)?);
                let pair = |(&header, &of): (&Id, &Id)| match *tree.list(header)? {
                    [name, arity] if tree.number(arity) == Some(0) => Ok((tree.name(name)?, of)),
                    _ => Err("data types with parameters are not known here".to_string()),
                };
                let pairs = headers.iter().zip(of).map(pair).collect::<Result<Vec<_>, _>>()?;
                if pairs.len() == headers.len().max(of.len()) { pairs } else { vec![] }
            }
        };
        if open.is_empty() || open.iter().any(|(name, _)| read::named_sort(name).is_some()) {
            return Err("data types in this form, or with names of other sorts, are not known here".into());
        }
        // The sorts of fields are there before those of records.
        while !open.is_empty() {
            let mut refusal = String::new();
            let read = open.iter().enumerate().find_map(|(at, &(_, of))| {
                let read = |of: &[Id]| of.iter().map(|&id| self.constructor(tree, id)).collect();
                let read: Result<Vec<Constructor<'_>>, String> = tree.list(of).and_then(read);
                read.map_err(|why| refusal = why).ok().map(|read| (at, read))
            });
            let (at, constructors) = read
                .ok_or_else(|| format!("data types within themselves are not known here, or: {refusal}"))?;
            let (name, _) = open.remove(at);
            let sorts = constructors.iter().map(|(_, fields)| fields.iter().map(|field| field.1).collect());
            let sort = self.terms.record_sort(name, sorts.collect())?;
            self.bind_sort(name, vec![], sort)?;
            let SortKind::Record(sort) = self.terms.kind(sort) else { return Err("no data type".into()) };
            let mut next = 0..;
            for (number, (name, fields)) in (0..).zip(constructors) {
                self.bind(name, Binding::Record(RecordOp::New, sort, number))?;
                for ((name, _), field) in fields.into_iter().zip(&mut next) {
                    self.bind(name, Binding::Record(RecordOp::Get, sort, field))?;
                }
            }
        }
        Ok(())
    }

    fn constructor<'t>(&mut self, tree: &'t Tree, id: Id) -> Result<Constructor<'t>, String> {
        self.terms.budget.take(20, 0)?;
        let Ok((&name, fields)) = tree.list(id).map(|parts| parts.split_first().unwrap_or((&id, &[]))) else {
            return Ok((tree.name(id)?, vec![]));
        };
        let field = |&field: &Id| match *tree.list(field)? {
            [name, sort] => Ok((tree.name(name)?, self.parser(tree).sort(sort)?)),
            _ => Err("a field was expected".to_string()),
        };
        Ok((tree.name(name)?, fields.iter().map(field).collect::<Result<_, _>>()?))
    }
}
