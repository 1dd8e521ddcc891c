//! Circuits: for each operator, how its bits are made of the bits of its arguments.
//!
//! One file an idea, each written once over [`Gates`] and therefore built, evaluated and counted from the
//! same text. The table has a row for every operator: its circuit ([`apply`], `None` for leaves, arrays and
//! functions), and how many gates that makes at most ([`most_gates`]), so that a product of two vectors of a
//! million bits is refused and not begun.
//!
//! Vectors have their least significant bit first, a Boolean is a vector of one bit. Longer argument lists
//! are folded as the table says. Where the order of the operands is free, vectors with the fewest unknown
//! bits come first, ties are broken by [`Gates::order`]: `x + y + 1` begins with `1 + x`, which others may
//! have built.

pub mod adder;
pub mod bitwise;
mod bound;
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

/// The rows of all operators: what the bits of the result are, and how many gates that makes at most.
///
/// A row sees the gates, the arguments, the index and the width of the result; the bound also the number of
/// arguments and the greatest of their widths.
macro_rules! circuits {
    (
        |$g:ident, $args:ident, $index:ident, $width:ident; $count:ident, $widest:ident|
        $($op:pat => $circuit:expr, $gates:expr;)*
    ) => {
        /// The bits of an operator's result; `None` for operators without a circuit (leaves, applications,
        /// arrays). The arguments are well-sorted and made of bits.
        pub fn apply<G: Gates + ?Sized>(
            $g: &mut G,
            op: Op,
            shape: Shape,
            $args: &[&[G::Bit]],
        ) -> Option<Vec<G::Bit>> {
            let Shape { index: $index, width: $width } = shape;
            Some(match op {
                $($op => $circuit,)*
            })
        }

        /// An upper bound on the gates that [`apply`] makes for the same arguments.
        pub fn most_gates<G: Gates + ?Sized>($g: &G, op: Op, shape: Shape, $args: &[&[G::Bit]]) -> u64 {
            let ($width, $count) = (shape.width as u64, $args.len() as u64);
            let $widest = $args.iter().map(|bits| bits.len()).max().unwrap_or(0) as u64;
            match op {
                $($op => $gates,)*
            }
        }
    };
}

circuits! {
    |g, args, index, width; count, widest|
    Op::Const | Op::Symbol | Op::Apply | Op::Select | Op::Store | Op::ConstArray => return None, 0;
    Op::Not | Op::BvNot => bitwise::not(g, args[0]), 0;
    Op::Implies => vec![reduction::implies(g, &structure::column(args, 0))], count;
    Op::And | Op::BvAnd => by_column(g, args, reduction::and), count * widest;
    Op::Or | Op::BvOr => by_column(g, args, reduction::or), count * widest;
    Op::Xor | Op::BvXor => by_column(g, args, reduction::xor), count * widest;
    Op::BvXnor => by_column(g, args, reduction::xnor), count * widest;
    Op::BvNand => by_column(g, args, reduction::nand), count * widest;
    Op::BvNor => by_column(g, args, reduction::nor), count * widest;
    Op::Eq => vec![equality::all_equal(g, args)], 2 * count * widest;
    Op::Distinct => vec![equality::all_different(g, args)], bound::distinct(args);
    Op::BvComp => vec![equality::equal(g, args[0], args[1])], 2 * count * widest;
    Op::Ite => g.choose(args[0][0], args[1], args[2]), widest;

    Op::Concat => structure::concat(args), 0;
    Op::Extract => structure::extract(args[0], index, width), 0;
    Op::Repeat => structure::repeat(args[0], index), 0;
    Op::ZeroExtend => {
        let zero = g.constant(false);
        structure::extend(args[0], index, zero)
    }, 0;
    Op::SignExtend => structure::extend(args[0], index, args[0][args[0].len() - 1]), 0;
    Op::RotateLeft => structure::rotate_left(args[0], index), 0;
    Op::RotateRight => structure::rotate_right(args[0], index), 0;
    Op::ExtRotateLeft => rotator::rotate_left(g, args[0], args[1]), bound::rotation(width);
    Op::ExtRotateRight => rotator::rotate_right(g, args[0], args[1]), bound::rotation(width);

    Op::RedAnd => vec![reduction::and(g, args[0])], widest;
    Op::RedOr => vec![reduction::or(g, args[0])], widest;
    Op::RedXor => vec![reduction::xor(g, args[0])], widest;

    Op::BvNeg => adder::neg(g, args[0]), 3 * widest;
    Op::BvAdd => fold_ordered(g, args, |g, a, b| {
        let zero = g.constant(false);
        adder::add(g, a, b, zero)
    }), 3 * count * widest;
    Op::BvSub => fold(g, args, adder::sub), 3 * count * widest;
    Op::BvMul => fold_ordered(g, args, multiplier::mul), bound::product(g, args);
    Op::BvUdiv => g.divide(args[0], args[1]).0, bound::division(g, args);
    Op::BvUrem => g.divide(args[0], args[1]).1, bound::division(g, args);
    Op::BvSdiv => signed_divider::sdiv(g, args[0], args[1]), bound::signed_division(widest);
    Op::BvSrem => signed_divider::srem(g, args[0], args[1]), bound::signed_division(widest);
    Op::BvSmod => signed_divider::smod(g, args[0], args[1]), bound::signed_division(widest);
    Op::BvShl => shifter::shl(g, args[0], args[1]), bound::shift(width);
    Op::BvLshr => shifter::lshr(g, args[0], args[1]), bound::shift(width);
    Op::BvAshr => shifter::ashr(g, args[0], args[1]), bound::shift(width);

    Op::BvUlt => vec![comparator::ult(g, args[0], args[1])], widest;
    Op::BvUle => vec![comparator::ule(g, args[0], args[1])], widest;
    Op::BvUgt => vec![comparator::ult(g, args[1], args[0])], widest;
    Op::BvUge => vec![comparator::ule(g, args[1], args[0])], widest;
    Op::BvSlt => vec![comparator::slt(g, args[0], args[1])], widest;
    Op::BvSle => vec![comparator::sle(g, args[0], args[1])], widest;
    Op::BvSgt => vec![comparator::slt(g, args[1], args[0])], widest;
    Op::BvSge => vec![comparator::sle(g, args[1], args[0])], widest;

    Op::BvNego => vec![overflow::neg(g, args[0])], widest;
    Op::BvUaddo => vec![overflow::uadd(g, args[0], args[1])], 2 * widest + 2;
    Op::BvSaddo => vec![overflow::sadd(g, args[0], args[1])], 2 * widest + 2;
    Op::BvUmulo => ordered_pair(g, args, overflow::umul), bound::overflow(g, args);
    Op::BvSmulo => ordered_pair(g, args, overflow::smul), bound::overflow(g, args);
    Op::BvUsubo => vec![overflow::usub(g, args[0], args[1])], 2 * widest + 2;
    Op::BvSsubo => vec![overflow::ssub(g, args[0], args[1])], 2 * widest + 2;
    Op::BvSdivo => vec![overflow::sdiv(g, args[0], args[1])], 2 * widest + 2;
    Op::BvUdivo => vec![g.constant(false)], 0;

    // Operators of theories that are lowered; a test asks for a circuit of each other one.
    _ => return None, 0;
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
