//! The rows of products modulo 2^w, and their sum.
//!
//! Rows are added one after the other by ripple-carry adders. This array is what the measurements of others
//! and ours recommend for symbolic operands: carry-save columns win on commutativity and lose more on
//! distributivity. Cost: a full adder for each column of each row but the first.

use super::adder;
use crate::gates::Gates;

/// One summand of a product: `(bits << place) + (carry << place)`; as many bits as there are places above.
pub(super) struct Row<B> {
    pub(super) place: usize,
    pub(super) bits: Vec<B>,
    pub(super) carry: B,
}

/// The sum of rows modulo 2^w; each is made when it is its turn.
pub(super) fn sum<G: Gates + ?Sized, I>(
    g: &mut G,
    width: usize,
    rows: impl Iterator<Item = I>,
    mut make: impl FnMut(&mut G, I) -> Row<G::Bit>,
) -> Vec<G::Bit> {
    let mut sum = vec![g.constant(false); width];
    let mut is_empty = true;
    for row in rows {
        let Row { place, bits, carry } = make(g, row);
        if std::mem::take(&mut is_empty) && g.as_constant(carry) == Some(false) {
            sum[place..].copy_from_slice(&bits);
        } else {
            let high = adder::add(g, &sum[place..], &bits, carry);
            sum[place..].copy_from_slice(&high);
        }
    }
    sum
}
