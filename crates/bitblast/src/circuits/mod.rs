//! Circuits: for each operator, how its bits are made of the bits of its arguments.
//!
//! One file an idea, each written once over [`Gates`] and therefore built, evaluated and counted from the
//! same text. [`apply`] is the list of all: it has a row for every operator and returns `None` for those
//! that have no circuit (leaves, arrays, functions). [`bound`] says beforehand how many gates `apply` makes
//! at most, so that a product of two vectors of a million bits is refused and not begun.
//!
//! Vectors have their least significant bit first, a Boolean is a vector of one bit. Longer argument lists
//! are folded as the table says. Where the order of the operands is free, vectors with the fewest unknown
//! bits come first, ties are broken by [`Gates::order`]: `x + y + 1` begins with `1 + x`, which others may
//! have built.

pub mod adder;
pub mod bitwise;
pub mod bound;
pub mod comparator;
pub mod divider;
pub mod equality;
pub mod multiplier;
pub mod overflow;
pub(crate) mod partial;
pub mod recoding;
pub mod reduction;
pub mod rotator;
mod rows;
pub mod shifter;
pub mod signed_divider;
pub mod squarer;
pub mod structure;

use crate::gates::Gates;
use bivalve_terms::Op;

type Bit<G> = <G as Gates>::Bit;

/// A circuit over two vectors.
type Circuit<G, Out> = fn(&mut G, &[Bit<G>], &[Bit<G>]) -> Out;

/// The shape of an operator's result.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The stored index: `lo` of an extract, the amount of an extension, rotation or repetition.
    pub index: usize,
    /// The number of bits of the result; 1 for a Boolean.
    pub width: usize,
}

/// The bits of an operator's result; `None` for operators without a circuit (leaves, applications, arrays).
/// The arguments are well-sorted and made of bits.
pub fn apply<G: Gates + ?Sized>(g: &mut G, op: Op, shape: Shape, args: &[&[G::Bit]]) -> Option<Vec<G::Bit>> {
    let Shape { index, width } = shape;
    Some(match op {
        Op::Const | Op::Symbol | Op::Apply | Op::Select | Op::Store | Op::ConstArray => return None,
        Op::Not | Op::BvNot => bitwise::not(g, args[0]),
        Op::Implies => vec![reduction::implies(g, &structure::column(args, 0))],
        Op::And | Op::BvAnd => by_column(g, args, reduction::and),
        Op::Or | Op::BvOr => by_column(g, args, reduction::or),
        Op::Xor | Op::BvXor => by_column(g, args, reduction::xor),
        Op::BvXnor => by_column(g, args, reduction::xnor),
        Op::BvNand => by_column(g, args, reduction::nand),
        Op::BvNor => by_column(g, args, reduction::nor),
        Op::Eq => vec![equality::all_equal(g, args)],
        Op::Distinct => vec![equality::all_different(g, args)],
        Op::BvComp => vec![equality::equal(g, args[0], args[1])],
        Op::Ite => g.choose(args[0][0], args[1], args[2]),

        Op::Concat => structure::concat(args),
        Op::Extract => structure::extract(args[0], index, width),
        Op::Repeat => structure::repeat(args[0], index),
        Op::ZeroExtend => {
            let zero = g.constant(false);
            structure::extend(args[0], index, zero)
        }
        Op::SignExtend => structure::extend(args[0], index, args[0][args[0].len() - 1]),
        Op::RotateLeft => structure::rotate_left(args[0], index),
        Op::RotateRight => structure::rotate_right(args[0], index),
        Op::ExtRotateLeft => rotator::rotate_left(g, args[0], args[1]),
        Op::ExtRotateRight => rotator::rotate_right(g, args[0], args[1]),

        Op::RedAnd => vec![reduction::and(g, args[0])],
        Op::RedOr => vec![reduction::or(g, args[0])],
        Op::RedXor => vec![reduction::xor(g, args[0])],

        Op::BvNeg => adder::neg(g, args[0]),
        Op::BvAdd => fold_ordered(g, args, |g, a, b| {
            let zero = g.constant(false);
            adder::add(g, a, b, zero)
        }),
        Op::BvSub => fold(g, args, adder::sub),
        Op::BvMul => fold_ordered(g, args, multiplier::mul),
        Op::BvUdiv => g.divide(args[0], args[1]).0,
        Op::BvUrem => g.divide(args[0], args[1]).1,
        Op::BvSdiv => signed_divider::sdiv(g, args[0], args[1]),
        Op::BvSrem => signed_divider::srem(g, args[0], args[1]),
        Op::BvSmod => signed_divider::smod(g, args[0], args[1]),
        Op::BvShl => shifter::shl(g, args[0], args[1]),
        Op::BvLshr => shifter::lshr(g, args[0], args[1]),
        Op::BvAshr => shifter::ashr(g, args[0], args[1]),

        Op::BvUlt => vec![comparator::ult(g, args[0], args[1])],
        Op::BvUle => vec![comparator::ule(g, args[0], args[1])],
        Op::BvUgt => vec![comparator::ult(g, args[1], args[0])],
        Op::BvUge => vec![comparator::ule(g, args[1], args[0])],
        Op::BvSlt => vec![comparator::slt(g, args[0], args[1])],
        Op::BvSle => vec![comparator::sle(g, args[0], args[1])],
        Op::BvSgt => vec![comparator::slt(g, args[1], args[0])],
        Op::BvSge => vec![comparator::sle(g, args[1], args[0])],

        Op::BvNego => vec![overflow::neg(g, args[0])],
        Op::BvUaddo => vec![overflow::uadd(g, args[0], args[1])],
        Op::BvSaddo => vec![overflow::sadd(g, args[0], args[1])],
        Op::BvUmulo => ordered_pair(g, args, overflow::umul),
        Op::BvSmulo => ordered_pair(g, args, overflow::smul),
        Op::BvUsubo => vec![overflow::usub(g, args[0], args[1])],
        Op::BvSsubo => vec![overflow::ssub(g, args[0], args[1])],
        Op::BvSdivo => vec![overflow::sdiv(g, args[0], args[1])],
        Op::BvUdivo => vec![g.constant(false)],
    })
}

/// A reduction of each column: of the bits of one place.
fn by_column<G: Gates + ?Sized>(
    g: &mut G,
    args: &[&[G::Bit]],
    reduction: fn(&mut G, &[G::Bit]) -> G::Bit,
) -> Vec<G::Bit> {
    (0..args[0].len()).map(|place| reduction(g, &structure::column(args, place))).collect()
}

/// From the left, in the order given.
fn fold<G: Gates + ?Sized>(g: &mut G, args: &[&[G::Bit]], circuit: Circuit<G, Vec<Bit<G>>>) -> Vec<G::Bit> {
    args[1..].iter().fold(args[0].to_vec(), |folded, next| circuit(g, &folded, next))
}

/// From the left, in the canonical order of the operands.
fn fold_ordered<G: Gates + ?Sized>(
    g: &mut G,
    args: &[&[G::Bit]],
    circuit: Circuit<G, Vec<Bit<G>>>,
) -> Vec<G::Bit> {
    let ordered = in_order(g, args);
    fold(g, &ordered, circuit)
}

/// A predicate over two operands in canonical order.
fn ordered_pair<G: Gates + ?Sized>(
    g: &mut G,
    args: &[&[G::Bit]],
    circuit: Circuit<G, Bit<G>>,
) -> Vec<G::Bit> {
    let ordered = in_order(g, args);
    vec![circuit(g, ordered[0], ordered[1])]
}

fn in_order<'a, G: Gates + ?Sized>(g: &G, args: &[&'a [G::Bit]]) -> Vec<&'a [G::Bit]> {
    let unknown = |bits: &[G::Bit]| bits.iter().filter(|&&bit| g.as_constant(bit).is_none()).count();
    let mut keyed: Vec<(usize, &[G::Bit])> = args.iter().map(|&bits| (unknown(bits), bits)).collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| g.order(a.1, b.1)));
    keyed.into_iter().map(|(_, bits)| bits).collect()
}
