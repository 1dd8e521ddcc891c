//! Equality and difference of vectors.
//!
//! Equality is the conjunction of one exclusive nor a bit. Differing from each other, for many vectors, is
//! one difference for each pair; when there are more vectors than values it is false, and nothing is built.

use super::reduction;
use crate::gates::Gates;

/// Are the vectors equal?
pub fn equal<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> G::Bit {
    let same: Vec<G::Bit> = a.iter().zip(b).map(|(&a, &b)| g.xnor(a, b)).collect();
    reduction::and(g, &same)
}

/// Are all neighbours equal, and so all vectors?
pub fn all_equal<G: Gates + ?Sized>(g: &mut G, vectors: &[&[G::Bit]]) -> G::Bit {
    let same: Vec<G::Bit> = vectors.windows(2).map(|pair| equal(g, pair[0], pair[1])).collect();
    reduction::and(g, &same)
}

/// Does each vector differ from each other one?
pub fn all_different<G: Gates + ?Sized>(g: &mut G, vectors: &[&[G::Bit]]) -> G::Bit {
    if has_more_vectors_than_values(vectors) {
        return g.constant(false);
    }
    let mut differ = Vec::new();
    for (i, a) in vectors.iter().enumerate() {
        for b in &vectors[..i] {
            let same = equal(g, a, b);
            differ.push(g.not(same));
        }
    }
    reduction::and(g, &differ)
}

/// Can the vectors not all differ, because there are too few values?
pub fn has_more_vectors_than_values<B>(vectors: &[&[B]]) -> bool {
    let width = vectors.first().map_or(0, |first| first.len());
    width < usize::BITS as usize && vectors.len() > 1 << width
}
