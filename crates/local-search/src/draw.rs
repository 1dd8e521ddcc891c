//! A value out of a domain.
//!
//! Models are often near: half of the values differ from the current one only as far as the domain asks for.
//! Others are at an end of the domain, where corner cases are, or anywhere in it, by bits or by bounds.

use bivalve_domains::Domain;
use bivalve_terms::BitVec;
use fastrand::Rng;

/// A value of the domain.
pub(crate) fn draw(domain: &Domain, current: &BitVec, random: &mut Rng) -> BitVec {
    let (known, ones) = domain.known();
    let fitted = |bits: &BitVec| bits.and(&known.not()).or(ones);
    let choice = random.u8(..8);
    let near = match choice {
        0..4 => fitted(current),
        4 => return domain.least().clone(),
        5 => return domain.greatest().clone(),
        6 => {
            let place = random.u32(..current.width());
            fitted(&current.xor(&BitVec::from_fn(current.width(), |bit| bit == place)))
        }
        _ => fitted(&any(current.width(), random)),
    };
    if domain.contains(&near) {
        return near;
    }
    // Somewhere between the bounds, and the next value from there on.
    let one = BitVec::one(current.width());
    let size = domain.greatest().sub(domain.least()).add(&one);
    let any = any(current.width(), random);
    let offset = if size.is_zero() { any } else { any.urem(&size) };
    let next = domain.at_least(&domain.least().add(&offset));
    next.as_ref().unwrap_or(domain).least().clone()
}

/// Any word.
pub(crate) fn any(width: u32, random: &mut Rng) -> BitVec {
    let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.u64(..)).collect();
    BitVec::from_words(&words, width)
}
