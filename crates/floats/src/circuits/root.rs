//! The integer square root, digit by digit.

use super::{kit::Kit, words::Words};

/// The square root of a word of even width, rounded down, and what is left, by trial subtraction: each step
/// takes two bits of the operand and finds one of the root. This is for builders that have nothing better.
pub fn restoring_root<B: Words>(builder: &mut B, a: &B::Word) -> (B::Word, B::Word) {
    let kit = &mut Kit::new(builder);
    let half = kit.width(a) / 2;
    // What is left of the bits taken so far, less the square of the root so far; and that root.
    let mut rest = kit.zeros(half + 2);
    let mut root = kit.zeros(half);
    for step in (0..half).rev() {
        let next = kit.extract(a, 2 * step + 1, 2 * step);
        let shifted = kit.shl(&rest, 2);
        let next = kit.extend(&next, half + 2);
        let taken = kit.or(&shifted, &next);
        // The square of `2 * root + 1` less that of `2 * root` is `4 * root + 1`.
        let one = kit.constant(2, 1u32);
        let trial = kit.concat(&root, &one);
        let is_too_much = kit.ult(&taken, &trial);
        let reduced = kit.sub(&taken, &trial);
        rest = kit.ite(&is_too_much, &taken, &reduced);
        let digit = kit.not(&is_too_much);
        let doubled = kit.shl(&root, 1);
        root = kit.with_last(&doubled, &digit);
    }
    let rest = kit.low(&rest, half + 1);
    (root, rest)
}
