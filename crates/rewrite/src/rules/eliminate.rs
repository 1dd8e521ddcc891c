//! Elimination: operators outside of the core, by operators of the core.
//!
//! Every operator that is left is one that the rules, the passes and the bit-blaster have to handle, so
//! the core is small: it is Boolector's and Bitwuzla's, with these choices. Exclusive-or stays a
//! bit-vector operator, but that of Booleans is a negated equality, which is the same circuit and has a
//! direction for substitution. Subtraction is addition of a negation, and negation stays an operator: `a +
//! (-b)` is one adder with a carry-in, and the rules see the sign. Zero extension is concatenation, so
//! that one family of rules serves both; sign extension stays, because a concatenation would hide which
//! bits are copies. Signed division stays, as STP found it best. Product overflow stays, except by
//! constants.
//!
//! None of these rows costs a gate, except the predicates of signed overflow, which would cost the same if
//! they were blasted directly.

use crate::matcher::Match;
use crate::row::{Row, definition, equation, function};
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, SortKind, Term};

/// `distinct` over more terms than this stays as it is: its pairs are many.
const MAX_DISTINCT: usize = 32;

const BIT: &str = "a choice between the two bits costs nothing";

pub(super) const ROWS: &[Row] = &[
    definition("or", "(or x y)", "(not (and (not x) (not y)))"),
    definition("implies", "(=> x y)", "(not (and x (not y)))"),
    definition("xor", "(xor x y)", "(not (= x y))"),
    definition("bvor", "(bvor x y)", "(bvnot (bvand (bvnot x) (bvnot y)))"),
    definition("bvnand", "(bvnand x y)", "(bvnot (bvand x y))"),
    definition("bvnor", "(bvnor x y)", "(bvand (bvnot x) (bvnot y))"),
    definition("bvxnor", "(bvxnor x y)", "(bvnot (bvxor x y))"),
    definition("bvcomp", "(bvcomp x y)", "(ite (= x y) #b1 #b0)").grows(BIT),
    definition("bvredand", "(bvredand x)", "(ite (= x ones) #b1 #b0)").grows(BIT),
    definition("bvredor", "(bvredor x)", "(ite (= x 0) #b0 #b1)").grows(BIT),
    definition("bvsub", "(bvsub x y)", "(bvadd x (bvneg y))"),
    definition("bvule", "(bvule x y)", "(not (bvult y x))"),
    definition("bvugt", "(bvugt x y)", "(bvult y x)"),
    definition("bvuge", "(bvuge x y)", "(not (bvult x y))"),
    definition("bvsle", "(bvsle x y)", "(not (bvslt y x))"),
    definition("bvsgt", "(bvsgt x y)", "(bvslt y x)"),
    definition("bvsge", "(bvsge x y)", "(not (bvslt x y))"),
    definition("bvnego", "(bvnego x)", "(= x min)"),
    definition("bvuaddo", "(bvuaddo x y)", "(bvult (bvadd x y) x)")
        .grows("sums overflow where they get smaller"),
    definition(
        "bvsaddo",
        "(bvsaddo x y)",
        "(and (= (bvslt x 0) (bvslt y 0)) (not (= (bvslt x 0) (bvslt (bvadd x y) 0))))",
    )
    .grows("sums overflow where equal signs give the other one"),
    definition("bvusubo", "(bvusubo x y)", "(bvult x y)"),
    definition(
        "bvssubo",
        "(bvssubo x y)",
        "(and (not (= (bvslt x 0) (bvslt y 0))) (not (= (bvslt x 0) (bvslt (bvsub x y) 0))))",
    )
    .grows("differences overflow where different signs give not the first one"),
    definition("bvsdivo", "(bvsdivo x y)", "(and (= x min) (= y ones))")
        .grows("the only quotient that does not fit is that of two constants"),
    definition("bvudivo", "(bvudivo x y)", "false"),
    equation("distinct_pair", "(distinct x y)", "(not (= x y))"),
    function("zero_extend", "((_ zero_extend i) x)", "(concat 0 x)", zero_extend),
    function("repeat", "((_ repeat i) x)", "(concat x ... x), of one bit sign_extend", repeat),
    function("rotate_left", "((_ rotate_left i) x)", "the low bits before the high bits", rotate_left),
    function("rotate_right", "((_ rotate_right i) x)", "the low bits before the high bits", rotate_right),
    function(
        "ext_rotate_left",
        "(ext_rotate_left x y)",
        "(bvor (bvshl x r) (bvlshr x (bvsub w r))), r = (bvurem y w)",
        |pool, m| rotate_by_term(pool, m, [Op::BvShl, Op::BvLshr]),
    )
    .grows("two shifters and a remainder are what it takes"),
    function(
        "ext_rotate_right",
        "(ext_rotate_right x y)",
        "(bvor (bvlshr x r) (bvshl x (bvsub w r))), r = (bvurem y w)",
        |pool, m| rotate_by_term(pool, m, [Op::BvLshr, Op::BvShl]),
    )
    .grows("two shifters and a remainder are what it takes"),
    function("bvredxor", "(bvredxor x)", "exclusive-or of halves, again and again", redxor)
        .grows("as many gates, in as many words as the logarithm of the width"),
    function(
        "distinct",
        "(distinct x y)",
        "false if two are the same or there are more than values, else all pairs differ, for at most 32",
        distinct,
    )
    .for_lists()
    .grows("each pair is compared"),
];

fn zero_extend(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let zeros = make::zeros_or_none(pool, m.head.index);
    Some(make::concat(pool, &[zeros, Some(m.head.args[0])]))
}

fn repeat(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let x = m.head.args[0];
    Some(match (m.head.index, pool.width(x)) {
        (1, _) => x,
        (count, Some(1)) => make::indexed(pool, Op::SignExtend, &[count - 1], &[x]),
        (count, _) => (1..count).fold(x, |low, _| make::app(pool, Op::Concat, &[x, low])),
    })
}

fn rotate_left(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let width = m.width();
    Some(cut(pool, m.head.args[0], width - m.head.index % width))
}

fn rotate_right(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    Some(cut(pool, m.head.args[0], m.head.index % m.width()))
}

/// The bits below `place` before the others.
fn cut(pool: &mut Pool, term: Term, place: u32) -> Term {
    let width = pool.width(term).expect("a bit-vector is rotated");
    if place == 0 || place == width {
        return term;
    }
    let (low, high) = (make::extract(pool, term, place - 1, 0), make::extract(pool, term, width - 1, place));
    make::concat(pool, &[Some(low), Some(high)])
}

/// Rotation as two shifts, the first of which goes in the direction of the rotation. The width always fits
/// in as many bits, and where the remainder is 0 the second shift is by the width, which gives zeros.
fn rotate_by_term(pool: &mut Pool, m: &Match<'_>, shifts: [Op; 2]) -> Option<Term> {
    let &[x, y] = m.head.args else { return None };
    let width = pool.bitvec(&BitVec::from_u64(u64::from(m.width()), m.width()));
    let near = make::app(pool, Op::BvUrem, &[y, width]);
    let minus = make::app(pool, Op::BvNeg, &[near]);
    let far = make::app(pool, Op::BvAdd, &[width, minus]);
    let parts = [make::app(pool, shifts[0], &[x, near]), make::app(pool, shifts[1], &[x, far])];
    Some(make::app(pool, Op::BvOr, &parts))
}

fn redxor(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let mut rest = m.head.args[0];
    while let Some(width) = pool.width(rest).filter(|&width| width > 1) {
        let half = width / 2;
        let (low, high) =
            (make::extract(pool, rest, half - 1, 0), make::extract(pool, rest, 2 * half - 1, half));
        let top = (width % 2 == 1).then(|| make::extract(pool, rest, width - 1, width - 1));
        rest = make::app(pool, Op::BvXor, &[low, high]);
        if let Some(top) = top {
            let zeros = make::zeros_or_none(pool, half - 1);
            let top = make::concat(pool, &[zeros, Some(top)]);
            rest = make::app(pool, Op::BvXor, &[rest, top]);
        }
    }
    Some(rest)
}

fn distinct(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let args = m.head.args;
    let mut sorted = args.to_vec();
    sorted.sort_unstable();
    let values = match pool.sort_kind(args[0]) {
        SortKind::Bool => Some(2),
        SortKind::BitVec(width) if width < usize::BITS => Some(1 << width),
        _ => None,
    };
    if sorted.windows(2).any(|pair| pair[0] == pair[1])
        || values.is_some_and(|values: usize| args.len() > values)
    {
        return Some(pool.bool(false));
    }
    if args.len() > MAX_DISTINCT {
        return None;
    }
    let mut pairs = vec![];
    for (i, &a) in args.iter().enumerate() {
        for &b in &args[i + 1..] {
            let equal = make::eq(pool, a, b);
            pairs.push(make::not(pool, equal));
        }
    }
    Some(make::conjunction(pool, pairs))
}
