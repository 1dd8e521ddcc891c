//! Every assignment to a few symbols, for tests by brute force.

use crate::BitVec;
use crate::pool::Pool;
use crate::semantics::Assignment;
use crate::term::Term;
use crate::value::Value;

/// The bits of Booleans and bit-vectors together.
pub fn bits(pool: &Pool, symbols: &[Term]) -> u32 {
    symbols.iter().map(|&symbol| pool.width(symbol).unwrap_or(1)).sum()
}

/// Every assignment to symbols that are Booleans or bit-vectors and have less than 64 [`bits`]; the first one
/// changes fastest.
pub fn every_assignment<'a>(pool: &'a Pool, symbols: &'a [Term]) -> impl Iterator<Item = Assignment> + 'a {
    (0..1u64 << bits(pool, symbols)).map(move |code| {
        let (mut assignment, mut rest) = (Assignment::new(), code);
        for &symbol in symbols {
            let width = pool.width(symbol);
            let value = match width {
                None => Value::Bool(rest & 1 == 1),
                Some(width) => Value::BitVec(BitVec::from_u64(rest & ((1 << width) - 1), width)),
            };
            assignment.set(symbol, value);
            rest >>= width.unwrap_or(1);
        }
        assignment
    })
}
