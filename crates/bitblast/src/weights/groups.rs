//! Groups of bits of which a fixed number is true, among bits of one weight.
//!
//! Two bits that are complements; three of which one is true, or two; two that exclude each other beside two
//! that do not leave each other out, with as many true on the whole: a carry and its two reasons, and the
//! reasons that two adders have for one carry. They are found by the values of the bits, and proved.
//!
//! Cost: quadratic in the bits, and a few questions for each group.

use super::image::Image;
use super::prover::Prover;
use super::relation::Relation;
use super::values::{Values, is, of};
use crate::edge::Edge;
use crate::gates::Gates;
use rustc_hash::FxHashMap;

/// More bits of the same weight are not looked at.
const MOST_BITS: usize = 256;

/// Bits with their values.
type Bits = Vec<(Edge, Values)>;

/// Takes groups away from some bits of a place: how many are true in them, and the bits that are left.
pub(super) fn without_groups(
    image: &mut Image<'_>,
    prover: &mut Prover<'_>,
    bits: Vec<Edge>,
    place: u32,
) -> (u128, Vec<Edge>) {
    if bits.len() > MOST_BITS {
        return (0, bits);
    }
    let (mut left, mut count): (Bits, u128) = (vec![], 0);
    for bit in bits {
        let values = image.values(bit);
        let opposite: Values = of(|word| !values[word]);
        let partner = left.iter().position(|(_, other)| *other == opposite);
        match partner {
            Some(at) if are_equal(image, prover, &[[bit, !left[at].0]]) => {
                let (other, _) = left.remove(at);
                image.tell(1 << place, || group(&[bit, other], 1, &[[bit, !other]]));
                count += 1;
            }
            _ => left.push((bit, values)),
        }
    }
    while prover.step(left.len() * left.len())
        && let Some((places, two)) = triple(&left)
    {
        let [a, b, c] = places.map(|place| left[place].0 ^ two);
        // One of them is true: not both a and b are, and c is where neither is.
        let [both, neither] = [image.graph.and(a, b), image.graph.and(!a, !b)];
        let equal = [[both, Edge::FALSE], [c, neither]];
        if !are_equal(image, prover, &equal) {
            break;
        }
        let sum = if two { 2 } else { 1 };
        image.tell(1 << place, || group(&[a ^ two, b ^ two, c ^ two], sum, &equal));
        count += sum;
        remove(&mut left, &places);
    }
    while prover.step(left.len() * left.len())
        && let Some(places) = quadruple(&left)
    {
        let [a, b, c, d] = places.map(|place| left[place].0);
        // Not both of a and b are true, and one of c and d; neither of the former where both of the latter.
        let graph = &mut image.graph;
        let [both, neither, none, all] =
            [graph.and(a, b), graph.and(!c, !d), graph.and(!a, !b), graph.and(c, d)];
        let equal = [[both, Edge::FALSE], [neither, Edge::FALSE], [none, all]];
        if !are_equal(image, prover, &equal) {
            break;
        }
        image.tell(1 << place, || group(&[a, b, c, d], 2, &equal));
        count += 2;
        remove(&mut left, &places);
    }
    (count, left.into_iter().map(|(bit, _)| bit).collect())
}

fn are_equal(image: &Image<'_>, prover: &mut Prover<'_>, pairs: &[[Edge; 2]]) -> bool {
    pairs.iter().all(|&[a, b]| prover.are_equal(&image.graph, a, b))
}

/// So many of these bits are true, because others are equal.
fn group(bits: &[Edge], count: u128, equal: &[[Edge; 2]]) -> Relation {
    let summands = bits.iter().map(|&bit| (bit, u128::MAX)).collect();
    Relation { inputs: bits.to_vec(), summands, constant: count, equal: equal.to_vec() }
}

fn remove(bits: &mut Bits, places: &[usize]) {
    let mut places = places.to_vec();
    places.sort_unstable();
    for place in places.into_iter().rev() {
        bits.swap_remove(place);
    }
}

/// All pairs of bits, with their places.
fn pairs(bits: &Bits) -> impl Iterator<Item = ([usize; 2], [&Values; 2])> {
    let ends = bits.iter().enumerate();
    ends.flat_map(|(i, (_, a))| bits[..i].iter().enumerate().map(move |(j, (_, b))| ([i, j], [a, b])))
}

/// Three bits of which exactly one is true under all assignments tried, or exactly two.
fn triple(bits: &Bits) -> Option<([usize; 3], bool)> {
    let mut places: FxHashMap<&Values, usize> = FxHashMap::default();
    for (place, (_, values)) in bits.iter().enumerate() {
        places.entry(values).or_insert(place);
    }
    pairs(bits).find_map(|([i, j], [a, b])| {
        let (third, two): (Values, bool) = match () {
            () if is(|word| a[word] & b[word] == 0) => (of(|word| !(a[word] | b[word])), false),
            () if is(|word| a[word] | b[word] == !0) => (of(|word| !(a[word] & b[word])), true),
            () => return None,
        };
        let &k = places.get(&third).filter(|&&k| k != i && k != j)?;
        Some(([i, j, k], two))
    })
}

/// Four bits: never both of the first two, always one of the last two, and the first are none where the last
/// are both.
fn quadruple(bits: &Bits) -> Option<[usize; 4]> {
    let exclusive = pairs(bits).filter(|(_, [a, b])| is(|word| a[word] & b[word] == 0));
    let mut unions: FxHashMap<Values, [usize; 2]> = FxHashMap::default();
    for (places, [a, b]) in exclusive {
        unions.entry(of(|word| a[word] | b[word])).or_insert(places);
    }
    pairs(bits).filter(|(_, [a, b])| is(|word| a[word] | b[word] == !0)).find_map(|([i, j], [a, b])| {
        let &[k, l] = unions.get(&of(|word| !(a[word] & b[word])))?;
        (k != i && k != j && l != i && l != j).then_some([k, l, i, j])
    })
}
