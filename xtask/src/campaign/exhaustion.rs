//! The answer by trying all assignments, with the reference semantics as the only judge.
//!
//! Nothing of the solver is used: no rule, no circuit, no SAT. It serves formulas whose symbols have few bits.
//!
//! Cost: 2^bits evaluations in the worst case, the first model ends it.

use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Term, cone};

/// Is there an assignment under which all assertions hold? `None` if the symbols have more than `most` bits, or are
/// neither Booleans nor bit-vectors.
pub fn satisfiable(pool: &Pool, assertions: &[Term], most: u32) -> Option<bool> {
    let symbols: Vec<Term> =
        cone(pool, assertions).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
    let bits: Option<Vec<u32>> = symbols.iter().map(|&symbol| bits_of(pool, symbol)).collect();
    let bits = bits?;
    let total = bits.iter().try_fold(0u32, |sum, &more| sum.checked_add(more)).filter(|&sum| sum <= most)?;
    Some((0..1u64 << total).any(|code| {
        let assignment = decode(pool, &symbols, &bits, code);
        let mut evaluator = Evaluator::new(pool, &assignment);
        assertions.iter().all(|&assertion| evaluator.eval(assertion).as_bool())
    }))
}

fn bits_of(pool: &Pool, symbol: Term) -> Option<u32> {
    if pool.sort(symbol).is_bool() { Some(1) } else { pool.width(symbol) }
}

/// The assignment whose values, one after the other, are the bits of `code`.
fn decode(pool: &Pool, symbols: &[Term], bits: &[u32], mut code: u64) -> Assignment {
    let mut assignment = Assignment::new();
    for (&symbol, &width) in symbols.iter().zip(bits) {
        if pool.sort(symbol).is_bool() {
            assignment.set(symbol, code & 1 == 1);
        } else {
            assignment.set(symbol, BitVec::from_u64(code, width));
        }
        code >>= width;
    }
    assignment
}
