//! Cubes: words of which some bits are known and the others may have any value.

use bivalve::terms::{BitVec, Value};
use num_bigint::BigUint;
use std::sync::Arc;

/// A bit-vector or a Boolean of which some bits are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The value; zero where it is not known.
    pub value: BitVec,
    /// The bits that are known.
    pub known: BitVec,
    /// It is a Boolean, in a single bit.
    pub is_bool: bool,
}

impl Word {
    /// Whether a bit is known.
    fn knows(&self, bit: u32) -> bool {
        self.known.bit(bit)
    }

    fn filled(value: &BitVec, is_bool: bool) -> Value {
        if is_bool { Value::Bool(value.lsb()) } else { Value::BitVec(value.clone()) }
    }
}

/// Values of terms, some of whose bits may be anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cube {
    /// Different words.
    pub(crate) words: Vec<Word>,
    /// For each term, the number of its word.
    pub(crate) places: Arc<[usize]>,
}

impl Cube {
    /// What is known of each term, in their order.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = &Word> + '_ {
        self.places.iter().map(|&place| &self.words[place])
    }

    /// How many different values the terms have together in it.
    pub fn size(&self) -> BigUint {
        BigUint::from(1u32) << self.open_bits().count()
    }

    /// All of them, one after the other.
    pub fn points(&self) -> Points {
        let values = self.words.iter().map(|word| word.value.clone()).collect();
        Points { cube: self.clone(), open: self.open_bits().collect(), values: Some(values) }
    }

    /// The bits that may have any value: numbers of words, and of bits in them.
    fn open_bits(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.words.iter().enumerate().flat_map(|(place, word)| {
            let bits = (0..word.known.width()).rev().filter(|&bit| !word.knows(bit));
            bits.map(move |bit| (place, bit))
        })
    }
}

/// The values of terms in a cube.
#[derive(Clone, Debug)]
pub struct Points {
    cube: Cube,
    open: Vec<(usize, u32)>,
    /// The next ones.
    values: Option<Vec<BitVec>>,
}

impl Iterator for Points {
    type Item = Vec<Value>;

    fn next(&mut self) -> Option<Vec<Value>> {
        let mut values = self.values.take()?;
        let Points { cube, open, .. } = &*self;
        let value = |&place: &usize| Word::filled(&values[place], cube.words[place].is_bool);
        let point = cube.places.iter().map(value).collect();
        // As in counting: the last open bit that is zero becomes one, those behind it zero.
        for &(place, bit) in open.iter().rev() {
            let was_set = values[place].bit(bit);
            let turned = BitVec::one(values[place].width()).shl_by(bit);
            values[place] = values[place].xor(&turned);
            if !was_set {
                self.values = Some(values);
                break;
            }
        }
        Some(point)
    }
}
