//! A symbol of which bits are constant, as constants and fresh symbols for its other bits.

use crate::Domain;
use bivalve_terms::{BitVec, Pool, Sort, Term};

/// More pieces make more wiring than they save.
const MOST_PIECES: usize = 6;

/// Bits of a symbol that are not constant.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// A symbol that stands for them.
    pub symbol: Term,
    /// The highest of them.
    pub high: u32,
    /// The lowest of them.
    pub low: u32,
}

/// What a symbol is put together from, lowest bits first, and those of it that are symbols; `None` if none of
/// its bits are known, or they are too scattered.
pub fn pieces(pool: &mut Pool, symbol: Term, domain: &Domain) -> Option<(Vec<Term>, Vec<Piece>)> {
    let (known, must) = domain.known();
    let runs = runs(&known);
    if known.is_zero() || runs.len() > MOST_PIECES {
        return None;
    }
    let name = pool.name(symbol).unwrap_or_default().to_owned();
    let (mut parts, mut pieces) = (vec![], vec![]);
    for (low, high, is_known) in runs {
        parts.push(if is_known {
            pool.bitvec(&must.extract(high, low))
        } else {
            let symbol = pool.symbol(&format!("{name}[{high}:{low}]"), Sort::bitvec(high - low + 1).ok()?);
            pieces.push(Piece { symbol, high, low });
            symbol
        });
    }
    Some((parts, pieces))
}

/// Runs of bits that are all set or all clear, from below: the lowest, the highest, and which.
fn runs(bits: &BitVec) -> Vec<(u32, u32, bool)> {
    let mut runs: Vec<(u32, u32, bool)> = vec![];
    for (place, bit) in (0..).zip(bits.bits()) {
        match runs.last_mut() {
            Some((_, high, kind)) if *kind == bit => *high = place,
            _ => runs.push((place, place, bit)),
        }
    }
    runs
}
