//! Sorts as 32-bit ids.
//!
//! `Bool` and `(_ BitVec w)` are by far the most frequent sorts, and the width is what every pass asks for,
//! so both are encoded in the id itself: 0 is `Bool`, `1..=MAX_WIDTH` is the bit-vector sort of that width,
//! and ids with the top bit set index the table of a [`Sorts`] store. Equality of sorts is equality of ids,
//! because the store interns: asking twice for the same array or function sort yields the same id, and each
//! declared (uninterpreted) sort is a new one, whatever its name.
//!
//! Widths are at most [`BitVec::MAX_WIDTH`](crate::BitVec::MAX_WIDTH) = 2^24 bits. SMT-LIB sets no bound, but
//! a value has to fit into memory, and a script that asks for 2^31 bits gets a located error instead of a
//! crash.
//!
//! Cost: 4 bytes per mention; one hash look-up to build an array or function sort, none for the others.

use crate::BitVec;
use crate::print::short_sort;
use crate::records::RecordSort;
use crate::sort_rule::SortError;
use crate::theories::TheorySort;
use bivalve_floats::Format;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// A sort: `Copy`, compared by id. Everything but its width is asked of the [`Sorts`] store that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sort(u32);

/// Arrays of arrays may be this deep. Values of array sort are compared and dropped level by level on the
/// stack.
pub const MAX_NESTING: u32 = 256;

/// Longer texts of sorts are cut short.
pub const MAX_DISPLAY: usize = 1 << 20;

/// Set in the ids that index the store.
const INTERNED: u32 = 1 << 31;

impl Sort {
    /// The sort `Bool`.
    pub const BOOL: Sort = Sort(0);

    /// The sort `Int`: the first one in every store.
    pub const INT: Sort = Sort(INTERNED);

    /// The sort `(_ BitVec width)`.
    ///
    /// # Errors
    ///
    /// Unless `1 <= width <= 2^24`.
    #[inline]
    pub fn bitvec(width: u32) -> Result<Sort, SortError> {
        if (1..=BitVec::MAX_WIDTH).contains(&width) { Ok(Sort(width)) } else { Err(no_width(width)) }
    }

    /// The sort of a bit-vector value.
    pub fn of_bitvec(value: &BitVec) -> Sort {
        Sort(value.width())
    }

    /// Is this `Bool`?
    pub fn is_bool(self) -> bool {
        self == Sort::BOOL
    }

    /// Is this `Int`?
    #[inline]
    pub fn is_int(self) -> bool {
        self == Sort::INT
    }

    /// Is this a bit-vector sort?
    pub fn is_bitvec(self) -> bool {
        self.width().is_some()
    }

    /// The width in bits of a bit-vector sort; `None` for any other sort.
    pub fn width(self) -> Option<u32> {
        (self.0 != 0 && self.0 & INTERNED == 0).then_some(self.0)
    }

    /// The id itself.
    #[inline]
    pub(crate) fn id(self) -> u32 {
        self.0
    }

    /// Is this a sort that only its store knows?
    #[inline]
    pub(crate) fn is_stored(self) -> bool {
        self.0 & INTERNED != 0
    }

    fn interned(self) -> Option<usize> {
        (self.0 & INTERNED != 0).then_some((self.0 & !INTERNED) as usize)
    }
}

#[cold]
fn no_width(width: u32) -> SortError {
    let problem = format!("a bit-vector has between 1 and {} bits, found {width}", BitVec::MAX_WIDTH);
    SortError::NoSort { problem }
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.width(), self.interned()) {
            (Some(width), _) => write!(f, "BitVec{width}"),
            (None, Some(0)) => write!(f, "Int"),
            (None, Some(index)) => write!(f, "Sort#{index}"),
            (None, None) => write!(f, "Bool"),
        }
    }
}

/// What a sort is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// `Bool`.
    Bool,
    /// `(_ BitVec w)` with its width in bits.
    BitVec(u32),
    /// A sort of a theory that is lowered.
    Theory(TheorySort),
    /// `(Array index element)`.
    Array {
        /// Sort of the indices.
        index: Sort,
        /// Sort of the elements.
        element: Sort,
    },
    /// A sort declared by `declare-sort`, applied to nothing; the name is for printing only.
    Uninterpreted(Box<str>),
    /// The sort of a declared function symbol: parameters (at least one) and result. Not a first-class sort.
    Function {
        /// Sorts of the parameters, at least one.
        params: Box<[Sort]>,
        /// Sort of the result.
        result: Sort,
    },
}

/// The store of array, function and declared sorts, and of those of theories that are lowered.
#[derive(Clone, Debug)]
pub struct Sorts {
    kinds: Vec<SortKind>,
    /// The definitions of record sorts, by number.
    records: Vec<Arc<RecordSort>>,
    /// The number of values of each stored sort, see [`Sorts::small_cardinality`].
    cardinalities: Vec<Option<u64>>,
    /// How deep arrays, records and functions are nested in each stored sort.
    nestings: Vec<u32>,
    has_arrays: bool,
    has_functions: bool,
    has_uninterpreted: bool,
    ids: FxHashMap<SortKind, Sort>,
}

impl Default for Sorts {
    fn default() -> Sorts {
        Sorts {
            kinds: vec![SortKind::Theory(TheorySort::Int)],
            records: vec![],
            cardinalities: vec![None],
            nestings: vec![0],
            has_arrays: false,
            has_functions: false,
            has_uninterpreted: false,
            ids: FxHashMap::from_iter([(SortKind::Theory(TheorySort::Int), Sort::INT)]),
        }
    }
}

impl Sorts {
    /// The sort `(Array index element)`.
    ///
    /// # Errors
    ///
    /// If arrays would be nested more than [`MAX_NESTING`] deep, or if a part is a function sort.
    pub fn array(&mut self, index: Sort, element: Sort) -> Result<Sort, SortError> {
        self.first_class(&[index, element])?;
        if self.nesting(index).max(self.nesting(element)) >= MAX_NESTING {
            return Err(SortError::NoSort {
                problem: format!("arrays are nested at most {MAX_NESTING} deep"),
            });
        }
        Ok(self.intern(SortKind::Array { index, element }))
    }

    /// The sort of functions from `params` to `result`.
    ///
    /// # Errors
    ///
    /// If `params` is empty (a constant has its result sort) or if a sort among them is a function sort.
    pub fn function(&mut self, params: &[Sort], result: Sort) -> Result<Sort, SortError> {
        if params.is_empty() {
            return Err(SortError::NoSort { problem: "a function has at least one parameter".into() });
        }
        self.first_class(params)?;
        self.first_class(&[result])?;
        Ok(self.intern(SortKind::Function { params: params.into(), result }))
    }

    /// Refuses function sorts.
    fn first_class(&self, sorts: &[Sort]) -> Result<(), SortError> {
        match sorts.iter().find(|&&sort| self.is_function(sort)) {
            None => Ok(()),
            Some(&sort) => {
                let problem =
                    format!("functions are first order, found {} within a sort", self.display(sort));
                Err(SortError::NoSort { problem })
            }
        }
    }

    /// A sort of a theory that is lowered.
    pub fn theory(&mut self, sort: TheorySort) -> Sort {
        self.intern(SortKind::Theory(sort))
    }

    /// The definitions of record sorts, by number.
    pub(crate) fn records(&self) -> &[Arc<RecordSort>] {
        &self.records
    }

    /// The sort of a new definition, whose number is that of the definitions before it.
    pub(crate) fn add_record(&mut self, record: RecordSort) -> Sort {
        let sort = TheorySort::Record(record.number());
        self.records.push(Arc::new(record));
        self.theory(sort)
    }

    /// The sort of a theory that is lowered, if it has been made.
    pub(crate) fn find_theory(&self, sort: TheorySort) -> Option<Sort> {
        self.ids.get(&SortKind::Theory(sort)).copied()
    }

    /// The sort of a theory that is lowered that this is.
    #[inline]
    pub fn as_theory(&self, sort: Sort) -> Option<TheorySort> {
        match self.kinds[sort.interned()?] {
            SortKind::Theory(sort) => Some(sort),
            _ => None,
        }
    }

    /// The format of a floating-point sort.
    #[inline]
    pub fn float_format(&self, sort: Sort) -> Option<Format> {
        match self.as_theory(sort)? {
            TheorySort::Float(format) => Some(format),
            TheorySort::Int | TheorySort::Real | TheorySort::RoundingMode | TheorySort::Record(_) => None,
        }
    }

    /// Is this a sort of a theory that is lowered?
    #[inline]
    pub fn is_theory(&self, sort: Sort) -> bool {
        sort.interned().is_some_and(|index| matches!(self.kinds[index], SortKind::Theory(_)))
    }

    /// A new uninterpreted sort, different from all before, even of the same name.
    pub fn declare(&mut self, name: &str) -> Sort {
        self.push(SortKind::Uninterpreted(name.into()))
    }

    /// How many array, function and declared sorts there are.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// What `sort` is made of.
    pub fn kind(&self, sort: Sort) -> SortKind {
        match (sort.width(), sort.interned()) {
            (Some(width), _) => SortKind::BitVec(width),
            (None, Some(index)) => self.kinds[index].clone(),
            (None, None) => SortKind::Bool,
        }
    }

    /// Has an array sort been made?
    pub fn has_arrays(&self) -> bool {
        self.has_arrays
    }

    /// Whether a function sort has been made.
    pub fn has_functions(&self) -> bool {
        self.has_functions
    }

    /// Whether an uninterpreted sort has been declared.
    pub fn has_uninterpreted(&self) -> bool {
        self.has_uninterpreted
    }

    /// Index and element sort of an array sort.
    pub fn array_parts(&self, sort: Sort) -> Option<(Sort, Sort)> {
        match self.kinds.get(sort.interned()?) {
            Some(&SortKind::Array { index, element }) => Some((index, element)),
            _ => None,
        }
    }

    /// Parameters and result of a function sort.
    pub fn function_parts(&self, sort: Sort) -> Option<(&[Sort], Sort)> {
        match self.kinds.get(sort.interned()?) {
            Some(SortKind::Function { params, result }) => Some((params, *result)),
            _ => None,
        }
    }

    /// Is this a function sort?
    pub fn is_function(&self, sort: Sort) -> bool {
        self.function_parts(sort).is_some()
    }

    /// Is this a sort made by [`Sorts::declare`]?
    pub fn is_uninterpreted(&self, sort: Sort) -> bool {
        sort.interned().is_some_and(|i| matches!(self.kinds[i], SortKind::Uninterpreted(_)))
    }

    /// The number of values of `sort` when it is finite and at most 2^32, else `None`.
    pub fn small_cardinality(&self, sort: Sort) -> Option<u64> {
        match (sort.width(), sort.interned()) {
            (Some(width), _) => (width <= 32).then(|| 1 << width),
            (None, Some(index)) => self.cardinalities[index],
            (None, None) => Some(2),
        }
    }

    /// The sort in SMT-LIB syntax, for messages. Deep array sorts are printed without recursion. The text is
    /// cut short with `...` after [`MAX_DISPLAY`] bytes: each level of an array sort may mention the level
    /// below twice, so that the full text of a deep one does not fit into any memory.
    pub fn display(&self, sort: Sort) -> String {
        short_sort(self, sort)
    }

    /// Counted when a sort is made, from the counts of its parts, so that deep sorts need no recursion.
    fn count_values(&self, kind: &SortKind) -> Option<u64> {
        match kind {
            SortKind::Theory(TheorySort::Record(number)) => {
                return self.records[*number as usize].count_values(|sort| self.small_cardinality(sort));
            }
            SortKind::Theory(sort) => return sort.small_cardinality(),
            _ => {}
        }
        let SortKind::Array { index, element } = *kind else { return None };
        let (values, places) = (self.small_cardinality(element)?, self.small_cardinality(index)?);
        let all = values.checked_pow(u32::try_from(places).ok()?)?;
        (all <= 1 << 32).then_some(all)
    }

    /// How many array, record and function sorts lie within each other, elements, indices, fields and
    /// arguments alike.
    pub fn nesting(&self, sort: Sort) -> u32 {
        sort.interned().map_or(0, |index| self.nestings[index])
    }

    fn intern(&mut self, kind: SortKind) -> Sort {
        if let Some(&sort) = self.ids.get(&kind) {
            return sort;
        }
        let sort = self.push(kind.clone());
        self.ids.insert(kind, sort);
        sort
    }

    fn push(&mut self, kind: SortKind) -> Sort {
        let index = u32::try_from(self.kinds.len()).expect("fewer than 2^31 sorts");
        assert!(index < INTERNED, "fewer than 2^31 sorts");
        self.cardinalities.push(self.count_values(&kind));
        let nesting = match &kind {
            SortKind::Array { index, element } => {
                self.has_arrays = true;
                1 + self.nesting(*index).max(self.nesting(*element))
            }
            SortKind::Function { params, result } => {
                self.has_functions = true;
                let parts = params.iter().chain([result]);
                1 + parts.map(|&part| self.nesting(part)).max().unwrap_or(0)
            }
            SortKind::Uninterpreted(_) => {
                self.has_uninterpreted = true;
                0
            }
            SortKind::Theory(TheorySort::Record(number)) => {
                let parts = self.records[*number as usize].constructors().iter();
                let fields = parts.flat_map(|constructor| &constructor.fields);
                1 + fields.map(|&(_, sort)| self.nesting(sort)).max().unwrap_or(0)
            }
            SortKind::Bool | SortKind::BitVec(_) | SortKind::Theory(_) => 0,
        };
        self.nestings.push(nesting);
        self.kinds.push(kind);
        Sort(INTERNED | index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_read_off_the_id_and_bounded() {
        assert!(Sort::bitvec(0).is_err());
        let refusal = Sort::bitvec(BitVec::MAX_WIDTH + 1).unwrap_err();
        assert_eq!(refusal.to_string(), "a bit-vector has between 1 and 16777216 bits, found 16777217");
        assert_eq!(Sort::bitvec(17).unwrap().width(), Some(17));
        assert_eq!(Sort::BOOL.width(), None);
    }

    /// Both parts of a sort are the sort before: a walk over its tree did not end.
    #[test]
    fn the_depth_of_sorts_that_share_parts_is_known() {
        let mut sorts = Sorts::default();
        let bit = Sort::bitvec(1).unwrap();
        let sort = (0..200).fold(bit, |sort, _| sorts.array(sort, sort).unwrap());
        assert_eq!(sorts.nesting(sort), 200);
        let function = sorts.function(&[sort, bit], bit).unwrap();
        assert_eq!(sorts.nesting(function), 201);
    }

    #[test]
    fn array_and_function_sorts_are_interned_and_declared_ones_are_not() {
        let mut sorts = Sorts::default();
        let bv = Sort::bitvec(8).unwrap();
        let array = sorts.array(bv, Sort::BOOL).unwrap();
        assert_eq!(Ok(array), sorts.array(bv, Sort::BOOL));
        assert_ne!(Ok(array), sorts.array(Sort::BOOL, bv));
        assert_eq!(array.width(), None);
        assert_eq!(sorts.function(&[bv, array], bv), sorts.function(&[bv, array], bv));
        let function = sorts.function(&[bv, array], bv).unwrap();
        assert!(sorts.function(&[], bv).is_err() && sorts.function(&[bv], function).is_err());
        assert!(sorts.array(bv, function).unwrap_err().to_string().contains("first order"));
        assert_ne!(sorts.declare("S"), sorts.declare("S"));
        let nested = sorts.array(array, array).unwrap();
        assert_eq!(sorts.display(nested), "(Array (Array (_ BitVec 8) Bool) (Array (_ BitVec 8) Bool))");
        assert_eq!(sorts.small_cardinality(array), None);
        let small = sorts.array(Sort::bitvec(2).unwrap(), Sort::bitvec(3).unwrap()).unwrap();
        assert_eq!(sorts.small_cardinality(small), Some(4096));
    }

    #[test]
    fn arrays_are_nested_up_to_a_bound() {
        let mut sorts = Sorts::default();
        let mut sort = Sort::BOOL;
        for _ in 0..MAX_NESTING {
            sort = sorts.array(Sort::BOOL, sort).expect("within the bound");
        }
        assert!(sorts.array(sort, Sort::BOOL).is_err());
        assert!(sorts.display(sort).ends_with(&")".repeat(MAX_NESTING as usize)));
    }

    #[test]
    fn sorts_too_large_to_print_are_cut_short() {
        let mut sorts = Sorts::default();
        let mut sort = Sort::BOOL;
        for _ in 0..MAX_NESTING {
            sort = sorts.array(sort, sort).expect("within the bound");
        }
        let text = sorts.display(sort);
        assert!(text.ends_with("...") && text.len() < MAX_DISPLAY + 100);
    }
}
