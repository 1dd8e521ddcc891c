//! Values of which a part is known, and witnesses made of them.
//!
//! A witness as text lists some cells of a memory, and a minimised witness some bits of a value: the rest
//! may be anything. Where a free value has to be chosen, the unknown rest is zero; where a value is
//! computed, only the known part is compared.

use crate::system::{State, System};
use crate::witness::{Claim, Frame, Witness};
use bivalve_terms::{ArrayValue, BitVec, Pool, Sort, Sorts, Term, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Some bits of a bit-vector, or a Boolean as one bit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownBits {
    /// The bits.
    pub value: BitVec,
    /// Which of them are known; of the same width.
    pub known: BitVec,
}

/// A value of which a part is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Partial {
    /// All of it.
    Exact(Value),
    /// Some bits.
    Bits(KnownBits),
    /// Some cells of an array.
    Cells {
        /// Elements by index.
        cells: BTreeMap<Value, KnownBits>,
        /// The element of all other cells, if it is known.
        rest: Option<Value>,
    },
}

/// The known part of the free values of one frame. A state or input that is not listed may be anything.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct PartialFrame {
    /// States by number.
    pub states: Vec<(usize, Partial)>,
    /// Inputs by number.
    pub inputs: Vec<(usize, Partial)>,
}

/// A witness of which a part is known; zero is taken where nothing is.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct PartialWitness {
    /// The properties.
    pub claims: Vec<Claim>,
    /// The run.
    pub frames: Vec<PartialFrame>,
    /// The frame whose state follows the last frame, as in [`Witness`].
    pub loop_start: Option<usize>,
}

impl PartialWitness {
    /// A witness with this part, for the system whose terms are in `pool`. All that is free is listed, and
    /// what is not known of it is that of the values that `other` returns, as in [`Partial::filled_by`].
    pub fn filled_by(&self, pool: &Pool, system: &System, other: &mut dyn FnMut(Sort) -> Value) -> Witness {
        let mut fill = |listed: &[(usize, Partial)], free: &mut dyn Iterator<Item = (usize, Term)>| {
            let listed: BTreeMap<usize, &Partial> =
                listed.iter().map(|(place, part)| (*place, part)).collect();
            let value = |(place, term): (usize, Term)| {
                let sort = pool.sort(term);
                let value = match listed.get(&place) {
                    Some(part) => part.filled_by(pool.sorts(), sort, other),
                    None => other(sort),
                };
                (place, value)
            };
            free.map(value).collect::<Vec<_>>()
        };
        let frames = self.frames.iter().enumerate().map(|(number, frame)| {
            let is_free =
                |state: &State| if number == 0 { state.init.is_none() } else { state.next.is_none() };
            let states = system.states.iter().enumerate().filter(|(_, state)| is_free(state));
            let states = fill(&frame.states, &mut states.map(|(place, state)| (place, state.term)));
            let inputs = system.inputs.iter().enumerate().map(|(place, input)| (place, input.term));
            Frame { states, inputs: fill(&frame.inputs, &mut { inputs }) }
        });
        let frames = frames.collect();
        Witness { claims: self.claims.clone(), frames, loop_start: self.loop_start }
    }
}

/// The bits of a Boolean or a bit-vector.
pub(crate) fn bits_of(scalar: &Value) -> BitVec {
    scalar.as_bool().map_or_else(|| scalar.expect_bitvec().clone(), BitVec::from_bool)
}

/// The Boolean or bit-vector with these bits.
pub(crate) fn scalar_of(sort: Sort, bits: BitVec) -> Value {
    if sort.is_bool() { bits.is_one().into() } else { bits.into() }
}

impl KnownBits {
    /// All bits of a Boolean or a bit-vector.
    ///
    /// # Panics
    ///
    /// On a value of another sort.
    pub fn all(scalar: &Value) -> KnownBits {
        let value = bits_of(scalar);
        KnownBits { known: BitVec::ones(value.width()), value }
    }

    fn is_of(&self, sort: Sort) -> bool {
        let width = self.value.width();
        width == self.known.width()
            && width == sort.width().unwrap_or(1)
            && (sort.is_bool() || sort.is_bitvec())
    }

    fn admits(&self, scalar: &Value) -> bool {
        self.value.xor(&bits_of(scalar)).and(&self.known).is_zero()
    }

    fn filled(&self, sort: Sort, other: &Value) -> Value {
        scalar_of(sort, self.value.and(&self.known).or(&bits_of(other).and(&self.known.not())))
    }
}

impl Partial {
    /// Whether this is a part of a value of `sort`.
    pub fn is_of(&self, sorts: &Sorts, sort: Sort) -> bool {
        match (self, sorts.array_parts(sort)) {
            (Partial::Exact(value), _) => value.is_of(sorts, sort),
            (Partial::Bits(bits), _) => bits.is_of(sort),
            (Partial::Cells { cells, rest }, Some((index, element))) => {
                cells.iter().all(|(at, cell)| at.is_of(sorts, index) && cell.is_of(element))
                    && rest.as_ref().is_none_or(|rest| rest.is_of(sorts, element))
            }
            (Partial::Cells { .. }, None) => false,
        }
    }

    /// Whether a value of `sort`, of which this is a part, has that part.
    pub fn admits(&self, sorts: &Sorts, sort: Sort, value: &Value) -> bool {
        match self {
            Partial::Exact(known) => known == value,
            Partial::Bits(bits) => bits.admits(value),
            Partial::Cells { cells, rest } => {
                let array = value.expect_array();
                let is_rest_right = |rest: &Value| {
                    let start = ArrayValue::constant(sorts, sort, rest.clone());
                    cells.keys().fold(start, |all, at| all.store(at, array.select(at))) == *array
                };
                cells.iter().all(|(at, cell)| cell.admits(array.select(at)))
                    && rest.as_ref().is_none_or(is_rest_right)
            }
        }
    }

    /// The value of `sort` that is zero where nothing is known.
    pub fn filled(&self, sorts: &Sorts, sort: Sort) -> Value {
        self.filled_by(sorts, sort, &mut |sort| Value::default_of(sorts, sort))
    }

    /// A value of `sort` with this part. The rest is that of the values that `other` returns: it is asked for
    /// one of `sort` and, for each cell of which a part is known, for one of the sort of elements.
    pub fn filled_by(&self, sorts: &Sorts, sort: Sort, other: &mut dyn FnMut(Sort) -> Value) -> Value {
        match self {
            Partial::Exact(value) => value.clone(),
            Partial::Bits(bits) => bits.filled(sort, &other(sort)),
            Partial::Cells { cells, rest } => {
                let (_, element) = sorts.array_parts(sort).expect("internal: cells of another sort");
                let start = match rest {
                    Some(rest) => ArrayValue::constant(sorts, sort, rest.clone()),
                    None => other(sort).expect_array().clone(),
                };
                let store = |array: ArrayValue, (at, cell): (&Value, &KnownBits)| {
                    array.store(at, &cell.filled(element, &other(element)))
                };
                cells.iter().fold(start, store).into()
            }
        }
    }
}

/// Bits as in BTOR2, an unknown one as `x`; arrays as other values.
impl fmt::Display for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partial::Exact(value) => write!(f, "{value}"),
            Partial::Bits(bits) => write!(f, "{bits}"),
            Partial::Cells { cells, rest } => {
                f.write_str("[")?;
                cells.iter().try_for_each(|(at, cell)| write!(f, "{at} -> {cell}, "))?;
                match rest {
                    Some(rest) => write!(f, "else -> {rest}]"),
                    None => f.write_str("else -> x]"),
                }
            }
        }
    }
}

impl fmt::Display for KnownBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.value.bits().zip(self.known.bits()).rev();
        let text: String = bits
            .map(|(bit, known)| {
                if !known {
                    'x'
                } else if bit {
                    '1'
                } else {
                    '0'
                }
            })
            .collect();
        f.write_str(&text)
    }
}

impl From<&Witness> for PartialWitness {
    fn from(witness: &Witness) -> PartialWitness {
        let exact = |listed: &[(usize, Value)]| {
            listed.iter().map(|(number, value)| (*number, Partial::Exact(value.clone()))).collect()
        };
        let frame =
            |frame: &Frame| PartialFrame { states: exact(&frame.states), inputs: exact(&frame.inputs) };
        PartialWitness {
            claims: witness.claims.clone(),
            frames: witness.frames.iter().map(frame).collect(),
            loop_start: witness.loop_start,
        }
    }
}
