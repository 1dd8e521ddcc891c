//! Names as 32-bit ids.
//!
//! A name is hashed once, when it is read, and found in one table; its id then indexes dense side tables, so
//! that asking what a name means is an array access. All bytes lie in one string. Ids are never given back: a
//! name that goes out of scope keeps its id, only its meaning is gone.
//!
//! A quoted symbol that spells a reserved word, `|let|`, is a name of its own beside the word `let`. It is
//! kept with its bars, which cannot occur inside of any other name.
//!
//! Cost: the bytes of the name, eight for its place and five in the table.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A name, by the order of first occurrence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NameId(pub(crate) u32);

impl NameId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The table of names.
pub(crate) struct Names {
    text: Vec<u8>,
    /// Where each name begins, and where the last one ends.
    starts: Vec<usize>,
    table: HashTable<u32>,
}

impl Names {
    pub(crate) fn new() -> Names {
        Names { text: Vec::new(), starts: vec![0], table: HashTable::new() }
    }

    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The id of a name, new if it has not occurred.
    #[inline]
    pub(crate) fn intern(&mut self, name: &[u8]) -> NameId {
        let hash = hash(name);
        match self.table.find(hash, |&id| spelling(&self.text, &self.starts, id) == name) {
            Some(&id) => NameId(id),
            None => self.insert(hash, name),
        }
    }

    /// The id of a name that has occurred.
    pub(crate) fn find(&self, name: &[u8]) -> Option<NameId> {
        self.table.find(hash(name), |&id| spelling(&self.text, &self.starts, id) == name).copied().map(NameId)
    }

    /// The name as it is meant: without the bars that tell a quoted reserved word.
    pub(crate) fn name(&self, id: NameId) -> &str {
        let name = spelling(&self.text, &self.starts, id.0);
        std::str::from_utf8(name).expect("the lexer lets only UTF-8 into names").trim_matches('|')
    }

    #[cold]
    fn insert(&mut self, hash_of_name: u64, name: &[u8]) -> NameId {
        let id = u32::try_from(self.len()).expect("fewer than 2^32 names fit into memory");
        self.text.extend_from_slice(name);
        self.starts.push(self.text.len());
        let Names { text, starts, table } = self;
        table.insert_unique(hash_of_name, id, |&id| hash(spelling(text, starts, id)));
        NameId(id)
    }
}

#[inline]
fn spelling<'a>(text: &'a [u8], starts: &[usize], id: u32) -> &'a [u8] {
    &text[starts[id as usize]..starts[id as usize + 1]]
}

#[inline]
fn hash(name: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    hasher.finish()
}
