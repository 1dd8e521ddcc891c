//! # bivalve-domains
//!
//! What is known of the values that a term can have, as bits and as an unsigned interval at once.
//!
//! A [`Domain`] over-approximates a set of bit-vectors of one width by two descriptions: each bit is known to
//! be zero, known to be one, or open; and the values lie between `least` and `greatest`. Each description
//! tightens the other: the bounds move to the next values that the bits allow, and the leading bits in which
//! the bounds agree are known. A Boolean is a vector of one bit. There is no empty domain; what is found to
//! be empty is `None`, and says that the assumptions cannot all hold.
//!
//! ```
//! use bivalve_domains::Domain;
//! use bivalve_terms::{BitVec, Op};
//!
//! // `x * 12` is 132 in eight bits, so the low six bits of `x` are those of 11.
//! let byte = |number| BitVec::from_u64(number, 8);
//! let [factor, product] = [12, 132].map(|number| Domain::one(byte(number)));
//! let refined = Domain::arguments(Op::BvMul, 0, &product, &[&Domain::all(8), &factor]).expect("possible");
//! assert!([11, 75, 139, 203].iter().all(|&x| refined[0].contains(&byte(x))));
//! assert!(!refined[0].contains(&byte(12)));
//! ```
//!
//! `forward` has a transfer function for each operator of the normal form of rewriting: from domains of the
//! arguments to one of the result. `backward` goes the other way: from what the result must be to what the
//! arguments can be at most. `analysis` walks the DAG with both. All are tested against the executable
//! meanings: exhaustively at small widths they never lose a value, and how many they keep too many is
//! measured.
//!
//! Why a product of two simple domains: bits alone do not know that a sum of three small numbers is small,
//! and intervals alone do not know alignment. It is the propagation of STP (T. Hansen, *A constraint solver
//! and its application to machine code test generation*, 2012, chapter 4) without its search for the tightest
//! result. Cost: a few machine words for each operation.

mod analysis;
mod backward;
mod forward;
mod pieces;
#[cfg(test)]
mod tests;

pub use analysis::{Analysis, Facts, width};
pub use pieces::{Piece, pieces};

use bivalve_terms::{BitVec, Op};

/// A set of bit-vectors that is not empty: all values with these bits between these bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// The bits that are one in every value.
    must: BitVec,
    /// The bits that are one in some value.
    may: BitVec,
    least: BitVec,
    greatest: BitVec,
}

impl Domain {
    /// All values.
    pub fn all(width: u32) -> Domain {
        let (zero, ones) = (BitVec::zero(width), BitVec::ones(width));
        Domain { must: zero.clone(), may: ones.clone(), least: zero, greatest: ones }
    }

    /// One value.
    pub fn one(value: BitVec) -> Domain {
        Domain { must: value.clone(), may: value.clone(), least: value.clone(), greatest: value }
    }

    /// One truth value.
    pub fn truth(value: bool) -> Domain {
        Domain::one(BitVec::from_bool(value))
    }

    /// The values between two bounds, which are in order.
    pub fn between(least: BitVec, greatest: BitVec) -> Domain {
        let all = Domain::all(least.width());
        Domain { least, greatest, ..all }.tight().expect("a value lies between bounds that are in order")
    }

    /// The values with these bits, all bits of `must` being in `may`.
    fn with_bits(must: BitVec, may: BitVec) -> Domain {
        Domain { least: must.clone(), greatest: may.clone(), must, may }
    }

    /// The width of the values.
    pub fn width(&self) -> u32 {
        self.must.width()
    }

    /// The only value.
    pub fn value(&self) -> Option<&BitVec> {
        (self.must == self.may).then_some(&self.must)
    }

    /// The only truth value of a Boolean.
    pub fn as_bool(&self) -> Option<bool> {
        self.value().map(BitVec::lsb)
    }

    /// The greatest value.
    pub fn greatest(&self) -> &BitVec {
        &self.greatest
    }

    /// The least value.
    pub fn least(&self) -> &BitVec {
        &self.least
    }

    /// The bits that are known, and those of them that are one.
    pub fn known(&self) -> (BitVec, &BitVec) {
        (self.must.or(&self.may.not()), &self.must)
    }

    /// The most significant bit, if it is known.
    pub fn sign(&self) -> Option<bool> {
        (self.must.msb() == self.may.msb()).then(|| self.must.msb())
    }

    /// Is nothing known?
    pub fn is_all(&self) -> bool {
        self.must.is_zero() && self.may.is_ones() && self.least.is_zero() && self.greatest.is_ones()
    }

    /// Is the value in the set?
    pub fn contains(&self, value: &BitVec) -> bool {
        self.least.ule(value) && value.ule(&self.greatest) && self.fits(value)
    }

    /// Does the value have the known bits?
    fn fits(&self, value: &BitVec) -> bool {
        value.and(&self.must) == self.must && value.or(&self.may) == self.may
    }

    /// The values that are in both.
    pub fn meet(&self, other: &Domain) -> Option<Domain> {
        Domain {
            must: self.must.or(&other.must),
            may: self.may.and(&other.may),
            least: greater(&self.least, &other.least),
            greatest: lesser(&self.greatest, &other.greatest),
        }
        .tight()
    }

    /// The values that are in either.
    fn join(&self, other: &Domain) -> Domain {
        Domain {
            must: self.must.and(&other.must),
            may: self.may.or(&other.may),
            least: lesser(&self.least, &other.least),
            greatest: greater(&self.greatest, &other.greatest),
        }
        .tight()
        .expect("a union of sets that are not empty")
    }

    /// The values of `width` bits that have a value of this domain from place `low` on.
    pub fn around(&self, low: u32, width: u32) -> Domain {
        backward::around(self, low, width)
    }

    /// Two values of which a comparison, an operator of the normal form, holds or does not; `None` if there
    /// are none.
    pub fn compared(op: Op, holds: bool, a: &Domain, b: &Domain) -> Option<[Domain; 2]> {
        backward::refine(op, 0, &Domain::truth(holds), &[a, b])?.try_into().ok()
    }

    /// The domains of the arguments of an operator under which its result can be in `result`; `None` if it
    /// cannot. `index` is the one stored with the operator. Of operators that are not in the normal form, the
    /// arguments come back as they were.
    pub fn arguments(op: Op, index: u32, result: &Domain, args: &[&Domain]) -> Option<Vec<Domain>> {
        backward::refine(op, index, result, args)
    }

    /// The values up to a bound; `None` if there are none.
    pub fn at_most(&self, bound: &BitVec) -> Option<Domain> {
        Domain { greatest: lesser(&self.greatest, bound), ..self.clone() }.tight()
    }

    /// The values from a bound on; `None` if there are none.
    pub fn at_least(&self, bound: &BitVec) -> Option<Domain> {
        Domain { least: greater(&self.least, bound), ..self.clone() }.tight()
    }

    /// The values without this one, as far as a bound can say it.
    fn without(&self, value: &BitVec) -> Option<Domain> {
        let one = BitVec::one(self.width());
        if self.value() == Some(value) {
            None
        } else if self.least == *value {
            self.at_least(&value.add(&one))
        } else if self.greatest == *value {
            self.at_most(&value.sub(&one))
        } else {
            Some(self.clone())
        }
    }

    /// The values that are not negative, and those that are.
    fn by_sign(&self) -> [Option<Domain>; 2] {
        let width = self.width();
        [self.at_most(&BitVec::max_signed(width)), self.at_least(&BitVec::min_signed(width))]
    }

    /// The same set with each description as tight as the other one makes it; `None` if it is empty.
    fn tight(mut self) -> Option<Domain> {
        if self.must.or(&self.may) != self.may {
            return None;
        }
        loop {
            if !self.fits(&self.least) {
                self.least = next(&self.least, &self.must, &self.may)?;
            }
            if !self.fits(&self.greatest) {
                let (must, may) = (self.may.not(), self.must.not());
                self.greatest = next(&self.greatest.not(), &must, &may)?.not();
            }
            if self.greatest.ult(&self.least) {
                return None;
            }
            // Leading bits that the bounds share are those of all values between them.
            let differ = self.least.xor(&self.greatest);
            let open = up_to(&differ);
            let must = self.must.or(&self.least.and(&open.not()));
            let may = self.may.and(&self.least.or(&open));
            if must == self.must && may == self.may {
                return Some(self);
            }
            (self.must, self.may) = (must, may);
        }
    }
}

fn lesser(a: &BitVec, b: &BitVec) -> BitVec {
    if b.ult(a) { b.clone() } else { a.clone() }
}

fn greater(a: &BitVec, b: &BitVec) -> BitVec {
    if a.ult(b) { b.clone() } else { a.clone() }
}

/// Ones in all places up to the most significant one of a value.
fn up_to(value: &BitVec) -> BitVec {
    let zeros = value.leading_zeros();
    if zeros == value.width() { BitVec::zero(zeros) } else { BitVec::ones(value.width()).lshr_by(zeros) }
}

/// The `count` least significant bits set.
fn low_ones(count: u32, width: u32) -> BitVec {
    if count >= width { BitVec::ones(width) } else { BitVec::ones(width).shl_by(count).not() }
}

/// The least value above `bound` with the bits `must` and no others than `may`; `bound` itself has not.
fn next(bound: &BitVec, must: &BitVec, may: &BitVec) -> Option<BitVec> {
    let width = bound.width();
    // The most significant place where the bound does not fit.
    let wrong = bound.and(&may.not()).or(&must.and(&bound.not()));
    let place = width - 1 - wrong.leading_zeros();
    let turn = if must.bit(place) {
        // It is zero there and has to be one; what is below follows.
        place
    } else {
        // It is one there and has to be zero, so a zero above becomes a one: the lowest that can.
        let above = bound.not().and(may).and(&low_ones(place + 1, width).not());
        let zeros = above.trailing_zeros();
        if zeros >= width {
            return None;
        }
        zeros
    };
    let upper = bound.and(&low_ones(turn + 1, width).not());
    let one = BitVec::one(width).shl_by(turn);
    Some(upper.or(&one).or(&must.and(&low_ones(turn, width))))
}
