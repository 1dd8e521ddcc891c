//! Records: sorts of a declaration of data types that does not mention itself, their values and operators.
//!
//! A record sort has constructors with fields: tuples have one constructor, enumerations have constructors
//! without fields, options have both. A value is a constructor with values of its fields, so a sort is finite
//! if those of its fields are. [`Sorts::record`] makes a sort; each declaration makes a new one, whatever its
//! name, and a sort can only mention sorts that are there before it.
//!
//! Constructors are numbered from 0, and so are the fields of a sort, those of all constructors in a row.
//! These numbers are the indices of the operators: [`Op::RecordNew`] makes a record of fields (a constructor
//! without fields is a constant), [`Op::RecordIs`] asks for a constructor, [`Op::RecordGet`] reads a field,
//! and [`Op::RecordSet`] replaces one, where the record has it.
//!
//! What is read from a record of another constructor is a free but fixed function of the record, another one
//! for each field. Such a term has one more argument than is written, as with floats: an application of a
//! symbol that no text can name.
//!
//! Cost: a definition is shared by all its values. A sort has at most 2^24 bits and fields, those of its
//! fields counted each time that they are there, so that default values and images fit into memory.

use crate::op::{Args, Op};
use crate::pool::{OpenKey, Pool};
use crate::sort::{MAX_NESTING, Sort, SortKind, Sorts};
use crate::sort_rule::{Checked, Query, SortError};
use crate::term::Term;
use crate::theories::{TheorySort, TheoryValue};
use crate::value::Value;
use crate::{BitVec, print};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// More constructors, or fields, have no numbers.
const MOST_PARTS: usize = u16::MAX as usize;

/// The definition of a record sort.
#[derive(Debug)]
pub struct RecordSort {
    number: u32,
    name: Box<str>,
    constructors: Vec<Constructor>,
    /// For each constructor the number of its first field, and that of all fields.
    firsts: Vec<u32>,
    size: u64,
}

/// A constructor of a record sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    /// Its name, without bars.
    pub name: Box<str>,
    /// Its fields: the names of their selectors, without bars, and their sorts.
    pub fields: Vec<(Box<str>, Sort)>,
    /// It does not say by itself which sort it makes, so its sort is printed with it.
    pub is_ambiguous: bool,
}

/// A record: a constructor and the values of its fields.
#[derive(Clone)]
pub struct RecordValue {
    of: Arc<RecordSort>,
    constructor: u32,
    fields: Box<[Value]>,
}

impl RecordSort {
    /// The sort in SMT-LIB syntax.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The constructors, in the order of their numbers.
    pub fn constructors(&self) -> &[Constructor] {
        &self.constructors
    }

    /// How many fields all constructors have together.
    pub fn field_count(&self) -> u32 {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// The numbers of the fields of a constructor.
    pub fn fields_of(&self, constructor: u32) -> std::ops::Range<u32> {
        let at = constructor as usize;
        self.firsts[at]..self.firsts[at + 1]
    }

    /// The constructor that has the field of this number, and the place of the field there.
    pub fn place_of(&self, field: u32) -> Option<(u32, usize)> {
        let constructor = self.firsts.partition_point(|&first| first <= field).checked_sub(1)?;
        let place = field - self.firsts[constructor];
        (field < self.field_count()).then_some((constructor as u32, place as usize))
    }

    /// The name of the selector of the field of this number, and the sort of the field.
    pub fn field(&self, field: u32) -> Option<(&str, Sort)> {
        let (constructor, place) = self.place_of(field)?;
        let (name, sort) = &self.constructors[constructor as usize].fields[place];
        Some((name, *sort))
    }

    /// The record sort's number among those of its store.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The record of this constructor and these fields.
    ///
    /// # Panics
    ///
    /// If there is no such constructor or it has another number of fields.
    pub fn value(self: &Arc<RecordSort>, constructor: u32, fields: Vec<Value>) -> RecordValue {
        let expected = self.constructors[constructor as usize].fields.len();
        assert_eq!(fields.len(), expected, "internal: a constructor has fields of its own");
        RecordValue { of: self.clone(), constructor, fields: fields.into() }
    }

    /// The value that a symbol has when nothing is known of it.
    pub(crate) fn default_value(self: &Arc<RecordSort>, sorts: &Sorts) -> RecordValue {
        let fields = self.constructors[0].fields.iter();
        self.value(0, fields.map(|&(_, sort)| Value::default_of(sorts, sort)).collect())
    }

    /// The number of values, where those of fields are known and few.
    pub(crate) fn count_values(&self, mut of: impl FnMut(Sort) -> Option<u64>) -> Option<u64> {
        let mut all = 0u64;
        for constructor in &self.constructors {
            let mut records = 1u64;
            for &(_, sort) in &constructor.fields {
                records = records.checked_mul(of(sort)?)?;
            }
            all = all.checked_add(records)?;
        }
        (all <= 1 << 32).then_some(all)
    }

    /// The `i`-th value of a sort with few: constructors in their order, fields as digits. `part` says how
    /// many values there are of a field's sort, and which is the one of a number.
    pub(crate) fn nth(
        self: &Arc<RecordSort>,
        i: u64,
        count: impl Fn(u32) -> u64,
        part: impl Fn(u32, u64) -> Value,
    ) -> RecordValue {
        let mut rest = i;
        for constructor in 0..self.constructors.len() as u32 {
            let fields = self.fields_of(constructor);
            let records: u64 = fields.clone().map(&count).product();
            if rest < records {
                let value = |field| {
                    let values = count(field);
                    let value = part(field, rest % values);
                    rest /= values;
                    value
                };
                return self.value(constructor, fields.map(value).collect());
            }
            rest -= records;
        }
        unreachable!("only the values that there are have numbers")
    }
}

/// Definitions of one store are equal if they are the same.
impl PartialEq for RecordSort {
    fn eq(&self, other: &RecordSort) -> bool {
        self.number == other.number
    }
}

impl RecordValue {
    /// The definition of its sort.
    pub fn definition(&self) -> &Arc<RecordSort> {
        &self.of
    }

    /// The number of its constructor.
    pub fn constructor(&self) -> u32 {
        self.constructor
    }

    /// The values of its fields.
    pub fn fields(&self) -> &[Value] {
        &self.fields
    }

    /// The value of the field of this number, if its constructor has it.
    pub fn field(&self, field: u32) -> Option<&Value> {
        let (constructor, place) = self.of.place_of(field)?;
        (constructor == self.constructor).then(|| &self.fields[place])
    }

    /// The name of the constructor in SMT-LIB syntax, with the sort where that is not clear.
    pub(crate) fn head(&self) -> String {
        let constructor = &self.of.constructors[self.constructor as usize];
        let name = print::symbol(&constructor.name);
        if constructor.is_ambiguous { format!("(as {name} {})", self.of.name) } else { name.into_owned() }
    }

    fn key(&self) -> (u32, u32, &[Value]) {
        (self.of.number, self.constructor, &self.fields)
    }
}

impl PartialEq for RecordValue {
    fn eq(&self, other: &RecordValue) -> bool {
        self.key() == other.key()
    }
}

impl Eq for RecordValue {}

impl Hash for RecordValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialOrd for RecordValue {
    fn partial_cmp(&self, other: &RecordValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RecordValue {
    fn cmp(&self, other: &RecordValue) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl fmt::Debug for RecordValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `red`, `(mk-pair #b01 true)`, `(as none (Option Bool))`.
impl fmt::Display for RecordValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fields.is_empty() {
            return f.write_str(&self.head());
        }
        write!(f, "({}", self.head())?;
        self.fields.iter().try_for_each(|field| write!(f, " {field}"))?;
        f.write_str(")")
    }
}

impl From<RecordValue> for Value {
    fn from(value: RecordValue) -> Value {
        TheoryValue::Record(value).into()
    }
}

impl Value {
    /// The record; `None` for a value of another sort.
    #[inline]
    pub fn as_record(&self) -> Option<&RecordValue> {
        match self {
            Value::Theory(value) => match &**value {
                TheoryValue::Record(record) => Some(record),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Sorts {
    /// A new record sort, different from all before; `name` is the sort in SMT-LIB syntax.
    ///
    /// # Errors
    ///
    /// Without constructors, with a function sort as a field, and where there would be too many fields, bits
    /// or levels of records and arrays.
    pub fn record(&mut self, name: &str, constructors: Vec<Constructor>) -> Result<Sort, SortError> {
        let problem = |problem: String| Err(SortError::NoSort { problem });
        let mut firsts = vec![0];
        let (mut fields, mut size) = (0, constructors.len() as u64);
        for constructor in &constructors {
            fields += constructor.fields.len();
            firsts.push(fields as u32);
            for &(_, sort) in &constructor.fields {
                if self.is_function(sort) {
                    return problem(format!("a field is no function, found {}", self.display(sort)));
                }
                if self.nesting(sort) >= MAX_NESTING {
                    return problem(format!("records and arrays are nested at most {MAX_NESTING} deep"));
                }
                size = size.saturating_add(self.size(sort));
            }
        }
        if constructors.is_empty() {
            return problem("a record sort has a constructor".into());
        }
        if fields.max(constructors.len()) > MOST_PARTS {
            return problem(format!("a record sort has at most {MOST_PARTS} constructors and fields"));
        }
        if size > u64::from(BitVec::MAX_WIDTH) {
            return problem(format!("a record sort has at most {} bits and fields", BitVec::MAX_WIDTH));
        }
        let number = self.records().len() as u32;
        Ok(self.add_record(RecordSort { number, name: name.into(), constructors, firsts, size }))
    }

    /// The definition of a record sort.
    #[inline]
    pub fn as_record(&self, sort: Sort) -> Option<&Arc<RecordSort>> {
        match self.as_theory(sort)? {
            TheorySort::Record(number) => Some(&self.records()[number as usize]),
            _ => None,
        }
    }

    /// The sort of a definition of this store.
    pub fn sort_of_record(&self, record: &RecordSort) -> Sort {
        self.find_theory(TheorySort::Record(record.number)).expect("a definition has a sort")
    }

    /// Bits and fields of a value of the sort, about.
    fn size(&self, sort: Sort) -> u64 {
        match (self.kind(sort), self.as_record(sort)) {
            (_, Some(record)) => record.size,
            (SortKind::BitVec(width), _) => width.into(),
            (SortKind::Theory(TheorySort::Float(format)), _) => format.width().into(),
            _ => 1,
        }
    }
}

impl Op {
    /// Is the operator one of records?
    #[inline]
    pub fn is_record(self) -> bool {
        (Op::RecordNew..=Op::RecordSet).contains(&self)
    }
}

impl Args<'_> {
    fn record(&self) -> &RecordValue {
        self.values[0].as_record().expect("the sorts were checked")
    }

    pub(crate) fn record_of_fields(&self) -> Value {
        let of = self.record.expect("the result is a record");
        of.value(self.index, self.values.iter().map(|&value| value.clone()).collect()).into()
    }

    pub(crate) fn is_of_constructor(&self) -> bool {
        self.record().constructor == self.index
    }

    /// A field; of a record that does not have it, what the hidden argument says.
    pub(crate) fn field(&self) -> Value {
        self.record().field(self.index).unwrap_or_else(|| self.values[1]).clone()
    }

    pub(crate) fn with_field(&self) -> Value {
        let record = self.record();
        let mut fields = record.fields.to_vec();
        match record.of.place_of(self.index) {
            Some((constructor, place)) if constructor == record.constructor => {
                fields[place] = self.values[1].clone();
                record.of.value(constructor, fields).into()
            }
            _ => self.values[0].clone(),
        }
    }
}

impl Query<'_> {
    /// The rule of operators on records.
    #[cold]
    pub(crate) fn record(&self) -> Checked<Sort> {
        let sorts = self.pool.sorts();
        if let (Op::RecordNew, &[number, constructor]) = (self.op, self.indices) {
            let of = sorts.records().get(number as usize).zip(sorts.find_theory(TheorySort::Record(number)));
            let Some((of, sort)) = of else {
                return Err(self.range(format!("expects a record sort, found number {number}")));
            };
            let Some(constructor) = of.constructors.get(constructor as usize) else {
                return Err(self.range(format!("expects a constructor, found number {constructor}")));
            };
            let (expected, found) = (constructor.fields.len(), self.args.len());
            if expected != found {
                let expected =
                    if expected == 1 { "1 argument".into() } else { format!("{expected} arguments") };
                return Err(SortError::Arity { op: self.name(), expected, found }.into());
            }
            constructor.fields.iter().enumerate().try_for_each(|(i, &(_, sort))| self.is(i, sort))?;
            return Ok(sort);
        }
        let Some(of) = sorts.as_record(self.sort(0)) else {
            return Err(self.unexpected(0, "a record".into()));
        };
        let &[index] = self.indices else { unreachable!("the number of indices was checked") };
        let field = of.field(index);
        match (self.op, field) {
            (Op::RecordIs, _) if (index as usize) < of.constructors.len() => Ok(Sort::BOOL),
            (Op::RecordGet, Some((_, sort))) => Ok(sort),
            (Op::RecordSet, Some((_, sort))) => self.is(1, sort).map(|()| self.sort(0)),
            _ => Err(self.range(format!("expects a part of {}, found number {index}", of.name))),
        }
    }
}

impl Pool {
    /// The record of this sort and constructor with these fields.
    ///
    /// # Errors
    ///
    /// Unless the sort is a record sort with such a constructor, whose fields have the sorts of these terms.
    pub fn record_new(&mut self, sort: Sort, constructor: u32, fields: &[Term]) -> Result<Term, SortError> {
        let Some(of) = self.sorts().as_record(sort) else {
            let problem = format!("expects a record sort, found {}", self.sorts().display(sort));
            return Err(SortError::Range { op: "constructor", problem });
        };
        let known = of.constructors.get(constructor as usize);
        if fields.is_empty() && known.is_some_and(|known| known.fields.is_empty()) {
            let value = of.value(constructor, vec![]).into();
            return Ok(self.constant(&value).expect("it has no fields without constants"));
        }
        let number = of.number;
        self.indexed(Op::RecordNew, &[number, constructor], fields)
    }

    /// The field of this number of a record; of one that does not have it, `otherwise` instead of a free
    /// function of the record.
    ///
    /// # Errors
    ///
    /// Unless the first term is a record whose sort has such a field, of the sort of the other term.
    pub fn record_get_or(&mut self, field: u32, record: Term, otherwise: Term) -> Result<Term, SortError> {
        let is_open = self.sorts().as_record(self.sort(record)).is_some_and(|of| of.constructors.len() > 1);
        let args = [record, otherwise];
        self.indexed(Op::RecordGet, &[field], if is_open { &args } else { &args[..1] })
    }

    /// The application of an operator on records to the arguments that are written, or to all: its sort, and
    /// the argument that is not written.
    pub(crate) fn record_term(
        &mut self,
        op: Op,
        indices: &[u32],
        args: &[Term],
    ) -> Result<(Sort, Option<Term>), SortError> {
        let written = if op == Op::RecordGet && args.len() == 2 { &args[..1] } else { args };
        let sort = Query { pool: self, op, args: written, indices }.result()?;
        if op != Op::RecordGet {
            return Ok((sort, None));
        }
        let of = self.sorts().as_record(self.sort(args[0])).expect("the argument is a record");
        let is_open = of.constructors.len() > 1;
        match *args {
            [_, other] if !is_open || self.sort(other) != sort => {
                Err(SortError::Arity { op: "selector", expected: "1 argument".into(), found: 2 })
            }
            [record] if is_open => {
                let key = OpenKey { op, part: indices[0], of: self.sort(record), result: sort };
                let symbol = match self.open_symbol(key) {
                    Some(symbol) => symbol,
                    None => {
                        let function = self.sorts_mut().function(&[key.of], sort).expect("sorts of terms");
                        self.make_open_symbol(key, function)
                    }
                };
                Ok((sort, Some(self.mk(Op::Apply, &[symbol, record]))))
            }
            _ => Ok((sort, None)),
        }
    }

    /// What the text calls the operator on records that a term applies: a constructor with its sort where
    /// that is not clear, a selector, a tester, an update.
    pub(crate) fn record_head(&self, term: Term) -> String {
        let (op, index) = (self.op(term), self.index(term));
        let sort = if op == Op::RecordNew { self.sort(term) } else { self.sort(self.args(term)[0]) };
        let of = self.sorts().as_record(sort).expect("an operator on records has one");
        let selector = || print::symbol(of.field(index).expect("the field was checked").0);
        let constructor = || &of.constructors[index as usize];
        match op {
            Op::RecordNew if constructor().is_ambiguous => {
                format!("(as {} {})", print::symbol(&constructor().name), of.name)
            }
            Op::RecordNew => print::symbol(&constructor().name).into_owned(),
            Op::RecordIs => format!("(_ is {})", print::symbol(&constructor().name)),
            Op::RecordGet => selector().into_owned(),
            _ => format!("(_ update {})", selector()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, eval};

    fn field(name: &str, sort: Sort) -> (Box<str>, Sort) {
        (name.into(), sort)
    }

    /// A constructor of fields.
    pub(crate) fn constructor(name: &str, fields: &[(&str, Sort)]) -> Constructor {
        let fields = fields.iter().map(|&(name, sort)| field(name, sort)).collect();
        Constructor { name: name.into(), fields, is_ambiguous: false }
    }

    fn option(pool: &mut Pool) -> Sort {
        let two = Sort::bitvec(2).unwrap();
        let parts =
            vec![constructor("none", &[]), constructor("some", &[("value", two), ("flag", Sort::BOOL)])];
        pool.sorts_mut().record("Option", parts).unwrap()
    }

    #[test]
    fn records_are_made_read_and_changed() {
        let mut pool = Pool::new();
        let sort = option(&mut pool);
        let [none, three, one] = [(0, 0), (3, 2), (1, 2)].map(|(value, width)| match width {
            0 => pool.record_new(sort, 0, &[]).unwrap(),
            _ => pool.bv_u64(value, width),
        });
        let truth = pool.bool(true);
        let some = pool.record_new(sort, 1, &[three, truth]).unwrap();
        let value = pool.indexed(Op::RecordGet, &[0], &[some]).unwrap();
        let changed = pool.indexed(Op::RecordSet, &[0], &[some, one]).unwrap();
        let same = pool.indexed(Op::RecordSet, &[0], &[none, one]).unwrap();
        let is_some = pool.indexed(Op::RecordIs, &[1], &[none]).unwrap();
        let texts = [none, some, value, changed, is_some].map(|term| pool.display(term).to_string());
        assert_eq!(
            texts,
            [
                "none",
                "(some #b11 true)",
                "(value (some #b11 true))",
                "((_ update value) (some #b11 true) #b01)",
                "((_ is some) none)"
            ]
        );
        let mut value_of = |term| eval(&pool, term, &Assignment::new()).to_string();
        let values = [none, some, value, changed, same, is_some].map(&mut value_of);
        assert_eq!(values, ["none", "(some #b11 true)", "#b11", "(some #b01 true)", "none", "false"]);
        assert!(pool.record_new(sort, 1, &[three]).is_err() && pool.record_new(sort, 2, &[]).is_err());
        assert!(pool.indexed(Op::RecordGet, &[2], &[some]).is_err());
        assert!(pool.indexed(Op::RecordSet, &[1], &[some, one]).is_err());
    }

    /// What a field of another constructor is, is a function of the record.
    #[test]
    fn fields_of_other_constructors_are_open() {
        let mut pool = Pool::new();
        let sort = option(&mut pool);
        let none = pool.record_new(sort, 0, &[]).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let [vx, vy, vnone] = [x, y, none].map(|of| pool.indexed(Op::RecordGet, &[0], &[of]).unwrap());
        let flag = pool.indexed(Op::RecordGet, &[1], &[x]).unwrap();
        let symbol = |term: Term| pool.args(pool.args(term)[1])[0];
        assert!(pool.is_open_symbol(symbol(vx)) && symbol(vx) == symbol(vy) && symbol(vx) != symbol(flag));
        assert_eq!(pool.written_args(vnone), [none]);
        let mut assignment = Assignment::new();
        let mut function = crate::FunctionValue::constant(BitVec::from_u64(0, 2).into());
        function.define(vec![eval(&pool, none, &assignment)], BitVec::from_u64(2, 2).into());
        assignment.set(symbol(vx), Value::from(function));
        assert_eq!(eval(&pool, vnone, &assignment).to_string(), "#b10");
        let (copy, renaming) = pool.copy(&[vx, flag]);
        assert!(copy.is_open_symbol(copy.args(copy.args(renaming.of(vx))[1])[0]));
        assert_eq!(copy.display(renaming.of(flag)).to_string(), "(flag x)");
    }

    #[test]
    fn sorts_are_counted_and_bounded() {
        let mut pool = Pool::new();
        let sort = option(&mut pool);
        assert_eq!(pool.sorts().small_cardinality(sort), Some(9));
        assert_ne!(option(&mut pool), sort, "each declaration is another sort");
        let array = pool.sorts_mut().array(sort, Sort::BOOL).unwrap();
        assert_eq!(pool.sorts().small_cardinality(array), Some(512));
        let twice = |sort| vec![constructor("twice", &[("left", sort), ("right", sort)])];
        let mut deep = sort;
        let refusal = loop {
            match pool.sorts_mut().record("Twice", twice(deep)) {
                Ok(sort) => deep = sort,
                Err(refusal) => break refusal.to_string(),
            }
        };
        assert_eq!(refusal, "a record sort has at most 16777216 bits and fields");
        assert!(pool.sorts_mut().record("Empty", vec![]).is_err());
    }
}
