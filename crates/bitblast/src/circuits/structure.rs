//! Wiring: results whose bits are bits of the operands. No gates.

/// The bits `lo` to `lo + width - 1`.
pub fn extract<B: Copy>(a: &[B], lo: usize, width: usize) -> Vec<B> {
    a[lo..lo + width].to_vec()
}

/// The first vector holds the most significant bits.
pub fn concat<B: Copy>(vectors: &[&[B]]) -> Vec<B> {
    vectors.iter().rev().flat_map(|v| v.iter().copied()).collect()
}

/// The vector `count` times in a row.
pub fn repeat<B: Copy>(a: &[B], count: usize) -> Vec<B> {
    a.repeat(count)
}

/// `extra` copies of `fill` put in front.
pub fn extend<B: Copy>(a: &[B], extra: usize, fill: B) -> Vec<B> {
    let mut bits = a.to_vec();
    bits.resize(a.len() + extra, fill);
    bits
}

/// Rotation to the left by a constant, modulo the width.
pub fn rotate_left<B: Copy>(a: &[B], amount: usize) -> Vec<B> {
    let mut bits = a.to_vec();
    bits.rotate_right(amount % a.len());
    bits
}

/// Rotation to the right by a constant, modulo the width.
pub fn rotate_right<B: Copy>(a: &[B], amount: usize) -> Vec<B> {
    let mut bits = a.to_vec();
    bits.rotate_left(amount % a.len());
    bits
}

/// The bits at one place of several vectors.
pub fn column<B: Copy>(vectors: &[&[B]], place: usize) -> Vec<B> {
    vectors.iter().map(|v| v[place]).collect()
}
