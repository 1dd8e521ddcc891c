//! Side tables: maps and sets by term.
//!
//! Ids are dense, so a table by id is an array. But a pass often looks at a small part of a large pool, many
//! times over, and must not pay for the whole pool each time. So the arrays are paged: pages are made when
//! something is first put there, groups of pages likewise, and a directory has one pointer for each group.
//! Look-ups are three array accesses. [`TermMap`] holds a value by term, [`TermSet`] one bit, and both are
//! walked in increasing order of terms, which is an order with children before parents.
//!
//! Cost: an empty table is free; one that holds anything takes its pages and groups (1 kB each), and 8 bytes
//! for each 8192 (map) or 65536 (set) ids up to the greatest.

use crate::term::Term;

/// Ids of one page of a map.
const MAP_PAGE: usize = 64;

/// Words of one page of a set.
const SET_PAGE: usize = 8;

/// Pages of one group.
const GROUP: usize = 128;

/// Pages of neighbouring numbers.
type Group<P> = Box<[Option<Box<P>>; GROUP]>;

/// Pages by number, made when they are first needed.
#[derive(Clone, Debug)]
struct Pages<P> {
    groups: Vec<Option<Group<P>>>,
}

impl<P> Default for Pages<P> {
    fn default() -> Pages<P> {
        Pages { groups: Vec::new() }
    }
}

impl<P> Pages<P> {
    #[inline]
    fn get(&self, number: usize) -> Option<&P> {
        self.groups.get(number / GROUP)?.as_ref()?[number % GROUP].as_deref()
    }

    #[inline]
    fn get_mut(&mut self, number: usize) -> Option<&mut P> {
        self.groups.get_mut(number / GROUP)?.as_mut()?[number % GROUP].as_deref_mut()
    }

    /// The page of this number, made by `new` if there is none.
    #[inline]
    fn make(&mut self, number: usize, new: impl FnOnce() -> P) -> &mut P {
        if number / GROUP >= self.groups.len() {
            self.groups.resize_with(number / GROUP + 1, || None);
        }
        let group = self.groups[number / GROUP].get_or_insert_with(|| Box::new([const { None }; GROUP]));
        group[number % GROUP].get_or_insert_with(|| Box::new(new()))
    }

    /// The pages that there are, with their numbers, in order.
    fn iter(&self) -> impl Iterator<Item = (usize, &P)> {
        let groups = self.groups.iter().enumerate().filter_map(|(i, group)| Some((i, group.as_ref()?)));
        groups.flat_map(|(i, group)| {
            let pages = group.iter().enumerate();
            pages.filter_map(move |(page, content)| Some((i * GROUP + page, content.as_deref()?)))
        })
    }
}

/// Values by term.
#[derive(Clone, Debug)]
pub struct TermMap<T> {
    pages: Pages<[Option<T>; MAP_PAGE]>,
}

impl<T> Default for TermMap<T> {
    fn default() -> TermMap<T> {
        TermMap { pages: Pages::default() }
    }
}

impl<T> TermMap<T> {
    /// The empty map.
    pub fn new() -> TermMap<T> {
        TermMap::default()
    }

    /// The value of `term`.
    #[inline]
    pub fn get(&self, term: Term) -> Option<&T> {
        self.pages.get(term.index() / MAP_PAGE)?[term.index() % MAP_PAGE].as_ref()
    }

    /// The value of `term`, to be changed.
    #[inline]
    pub fn get_mut(&mut self, term: Term) -> Option<&mut T> {
        self.pages.get_mut(term.index() / MAP_PAGE)?[term.index() % MAP_PAGE].as_mut()
    }

    /// Has `term` a value?
    #[inline]
    pub fn contains(&self, term: Term) -> bool {
        self.get(term).is_some()
    }

    /// Gives `term` a value; returns the one it had.
    #[inline]
    pub fn insert(&mut self, term: Term, value: T) -> Option<T> {
        let page = self.pages.make(term.index() / MAP_PAGE, || [const { None }; MAP_PAGE]);
        page[term.index() % MAP_PAGE].replace(value)
    }

    /// Takes the value of `term` away and returns it.
    pub fn remove(&mut self, term: Term) -> Option<T> {
        self.pages.get_mut(term.index() / MAP_PAGE)?[term.index() % MAP_PAGE].take()
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.pages = Pages::default();
    }

    /// The terms that have a value, and these, by increasing term.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &T)> {
        self.pages.iter().flat_map(|(number, page)| {
            let values = page.iter().enumerate();
            values.filter_map(move |(i, value)| Some((term(number * MAP_PAGE + i), value.as_ref()?)))
        })
    }
}

/// A set of terms.
#[derive(Clone, Default, Debug)]
pub struct TermSet {
    pages: Pages<[u64; SET_PAGE]>,
    len: usize,
}

impl TermSet {
    /// The empty set.
    pub fn new() -> TermSet {
        TermSet::default()
    }

    /// The number of terms in the set.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there no term in the set?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Is `term` in the set?
    #[inline]
    pub fn contains(&self, term: Term) -> bool {
        let (page, word, bit) = place(term);
        self.pages.get(page).is_some_and(|page| page[word] & bit != 0)
    }

    /// Puts `term` into the set; was it not there before?
    #[inline]
    pub fn insert(&mut self, term: Term) -> bool {
        let (number, word, bit) = place(term);
        let word = &mut self.pages.make(number, || [0; SET_PAGE])[word];
        let new = *word & bit == 0;
        *word |= bit;
        self.len += usize::from(new);
        new
    }

    /// Takes `term` out of the set; was it there?
    pub fn remove(&mut self, term: Term) -> bool {
        let (page, word, bit) = place(term);
        let Some(page) = self.pages.get_mut(page) else { return false };
        let old = page[word] & bit != 0;
        page[word] &= !bit;
        self.len -= usize::from(old);
        old
    }

    /// Takes all terms out.
    pub fn clear(&mut self) {
        *self = TermSet::default();
    }

    /// The terms in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = Term> {
        let words = self.pages.iter().flat_map(|(number, page)| {
            let words = page.iter().enumerate();
            words.map(move |(i, &word)| (number * SET_PAGE + i, word))
        });
        words.flat_map(|(number, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(term(number * 64 + bit))
            })
        })
    }
}

/// Page, word and bit of a term in a set.
#[inline]
fn place(term: Term) -> (usize, usize, u64) {
    let word = term.index() / 64;
    (word / SET_PAGE, word % SET_PAGE, 1 << (term.index() % 64))
}

/// The term that has this place, which was made from a term.
fn term(index: usize) -> Term {
    Term::word(index as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Ids in no order, around the borders of words and pages, some twice.
    fn ids() -> impl Iterator<Item = u32> {
        let borders = [0u32, 1, 63, 64, 127, 128, 129, 511, 512, 8191, 8192, 65_535, 65_536, 500_000, 64, 0];
        borders.into_iter().chain((0..1000).map(|i| i * i % 1009 * 97))
    }

    #[test]
    fn maps_hold_what_was_put_in() {
        let (mut map, mut model) = (TermMap::new(), BTreeMap::new());
        for (value, id) in ids().enumerate() {
            assert_eq!(map.get(Term::word(id)), model.get(&id));
            assert_eq!(map.insert(Term::word(id), value), model.insert(id, value));
        }
        assert!(
            map.iter()
                .map(|(term, &value)| (term.id(), value))
                .eq(model.iter().map(|(&id, &value)| (id, value)))
        );
        assert!(
            !map.contains(Term::word(499_999))
                && !map.contains(Term::word(u32::MAX))
                && map.contains(Term::word(63))
        );
        assert!(
            map.remove(Term::word(63)).is_some()
                && map.remove(Term::word(63)).is_none()
                && !map.contains(Term::word(63))
        );
        map.clear();
        assert_eq!(map.iter().count(), 0);
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let (mut set, mut model) = (TermSet::new(), BTreeSet::new());
        assert!(set.is_empty());
        for id in ids() {
            assert_eq!(set.contains(Term::word(id)), model.contains(&id));
            assert_eq!(set.insert(Term::word(id)), model.insert(id));
            assert_eq!(set.len(), model.len());
        }
        assert!(set.iter().map(|term| term.id()).eq(model));
        assert!(
            set.remove(Term::word(63)) && !set.remove(Term::word(63)) && !set.remove(Term::word(u32::MAX))
        );
        assert!(!set.contains(Term::word(63)) && set.contains(Term::word(64)));
        assert!(!set.contains(Term::word(499_999)) && !set.contains(Term::word(u32::MAX)));
    }
}
