//! Comparisons and counts without branches: absolute values, minima, averages, bytes reversed, bits counted.

use super::maker::{Claim, Maker, claim, only_if, under};
use super::{Identity, identity};
use bivalve_terms::{BitVec, Expr};

pub(super) const TABLE: &[Identity] = &[
    identity("sign-flip", 3, "signed comparison by unsigned comparison", sign_flip),
    identity("absolute", 4, "absolute values without branches", absolute),
    identity("min-max", 4, "minima and maxima without branches", min_max),
    identity("average", 3, "averages without overflow", average),
    identity("power-of-two", 3, "is it a power of two?", power_of_two),
    identity("byte-swap", 2, "bytes reversed by halves", byte_swap),
    identity("popcount", 3, "ones counted by halves", popcount),
    identity("leading-zeros", 3, "leading zeros counted by halves", leading_zeros),
];

fn sign_flip(m: &mut Maker) -> Claim {
    let ([a, b], least) = (m.words(["a", "b"]), m.least());
    let is_less = a.slt(&b);
    match m.form {
        0 => {
            let flipped = [&a ^ &least, &b ^ &least];
            claim(is_less.equals(flipped[0].ult(&flipped[1])), is_less.equals(flipped[0].ule(&flipped[1])))
        }
        1 => {
            let moved = |by: &Expr| is_less.equals((&a + by).ult(&b + by));
            claim(moved(&least), moved(&(&least - m.number(1))))
        }
        _ => {
            let (difference, zero) = (&a - &b, m.number(0));
            let sign = &difference ^ ((&a ^ &b) & (&difference ^ &a));
            claim(is_less.equals(sign.slt(&zero)), is_less.equals(difference.slt(&zero)))
        }
    }
}

fn absolute(m: &mut Maker) -> Claim {
    let [x, y] = m.words(["x", "y"]);
    let (sign, value) = (x.ashr(m.width - 1), m.absolute(&x));
    match m.form {
        0 => claim(((&x ^ &sign) - &sign).equals(&value), ((&x ^ &sign) + &sign).equals(&value)),
        1 => claim(((&x + &sign) ^ &sign).equals(&value), ((&x - &sign) ^ &sign).equals(&value)),
        2 => claim(value.ule(m.least()), value.ult(m.least())),
        _ => {
            let sum = &x + &y;
            let is_right = !((&x ^ &sum) & (&y ^ &sum)).slt(m.number(0));
            let (left, right) = (m.absolute(&sum), &value + m.absolute(&y));
            under([&is_right], &left.ule(&right), &left.equals(&right))
        }
    }
}

fn min_max(m: &mut Maker) -> Claim {
    let [x, y] = m.words(["x", "y"]);
    let (below, above) = (x.ult(&y), y.ult(&x));
    let chosen = |is: &Expr| &y ^ ((&x ^ &y) & -m.bit(is));
    let (least, greatest) = (below.ite(&x, &y), below.ite(&y, &x));
    match m.form {
        0 => claim(chosen(&below).equals(&least), chosen(&above).equals(&least)),
        1 => claim(chosen(&above).equals(&greatest), chosen(&x.slt(&y)).equals(&greatest)),
        2 => {
            let is_less = x.slt(&y);
            claim(chosen(&is_less).equals(is_less.ite(&x, &y)), chosen(&below).equals(is_less.ite(&x, &y)))
        }
        _ => claim(
            (chosen(&below) + chosen(&above)).equals(&x + &y),
            (chosen(&below) + chosen(&y.ule(&x))).equals(&x + &x),
        ),
    }
}

fn average(m: &mut Maker) -> Claim {
    let [a, b] = m.words(["a", "b"]);
    let (both, differ) = (&a & &b, (&a ^ &b).lshr(1));
    let sum = a.zero_extend(1) + b.zero_extend(1);
    let half = |sum: &Expr| sum.extract(m.width, 1);
    match m.form {
        0 => claim((both + differ).equals(half(&sum)), (&a + &b).lshr(1).equals(half(&sum))),
        1 => {
            let above = (&a | &b) - &differ;
            claim(above.equals(half(&(&sum + 1))), above.equals(half(&sum)))
        }
        _ => only_if(&a.ule(&b), &(&a + (&b - &a).lshr(1)).equals(half(&sum))),
    }
}

/// The bits added up one by one, as a word.
fn ones(m: &Maker, x: &Expr) -> Expr {
    (0..m.width).fold(m.number(0), |sum, bit| sum + x.bit(bit).zero_extend(m.width - 1))
}

fn power_of_two(m: &mut Maker) -> Claim {
    let ([x, y], one) = (m.words(["x", "y"]), m.number(1));
    let is_any = !m.is_zero(&x);
    let at_most_one = m.is_zero(&(&x & (&x - &one)));
    match m.form {
        0 => {
            let counted = ones(m, &x).equals(&one);
            claim((&is_any & &at_most_one).equals(&counted), at_most_one.equals(counted))
        }
        1 => {
            let lowest = x.equals(&x & -&x);
            claim(at_most_one.equals(&lowest), (&is_any & at_most_one).equals(lowest))
        }
        _ => {
            let power = &one << &y;
            let is_power = !m.is_zero(&power) & m.is_zero(&(&power & (&power - &one)));
            only_if(&y.ult(m.number(u64::from(m.width))), &is_power)
        }
    }
}

/// Ones where the bit's number has a zero at the place of `size`: the lower halves of blocks.
fn lower_halves(m: &Maker, size: u32) -> BitVec {
    BitVec::from_fn(m.width, |bit| bit & size == 0)
}

/// Powers of two from one on, below another.
fn doublings(from: u32, below: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(from), |&size| Some(2 * size)).take_while(move |&size| size < below)
}

fn byte_swap(m: &mut Maker) -> Claim {
    let (x, size, count) = (m.word("x"), m.byte(), m.bytes());
    let wrong = size << m.between(0, count.ilog2() - 1);
    let hole = m.between(0, m.width - 1);
    let swapped = |x: &Expr, wrong: u32| {
        doublings(size, m.width).fold(x.clone(), |x, size| {
            let mask = lower_halves(m, size);
            let bad = BitVec::one(m.width).shl_by(hole & !size).not();
            let mask = m.constant(&if size == wrong { mask.and(&bad) } else { mask });
            ((&x & &mask) << size) | (x.lshr(size) & mask)
        })
    };
    let plain = (1..count)
        .fold(x.extract(size - 1, 0), |high, i| high.concat(x.extract((i + 1) * size - 1, i * size)));
    match m.form {
        0 => claim(swapped(&x, 0).equals(&plain), swapped(&x, wrong).equals(&plain)),
        _ => claim(swapped(&swapped(&x, 0), 0).equals(&x), swapped(&swapped(&x, wrong), 0).equals(&x)),
    }
}

/// Ones counted by halves; the mask of one step is wrong.
fn counted(m: &Maker, x: &Expr, wrong: u32) -> Expr {
    doublings(1, m.width).fold(x.clone(), |x, size| {
        let mask = lower_halves(m, size);
        let mask = m.constant(&if size == wrong { mask.lshr_by(size) } else { mask });
        (&x & &mask) + (x.lshr(size) & mask)
    })
}

fn popcount(m: &mut Maker) -> Claim {
    let x = m.word("x");
    let wrong = 1 << m.between(0, m.width.ilog2() - 1);
    match m.form {
        0 => claim(counted(m, &x, 0).equals(ones(m, &x)), counted(m, &x, wrong).equals(ones(m, &x))),
        1 => {
            let (count, most) = (counted(m, &x, 0), m.number(u64::from(m.width)));
            claim(count.ule(&most), count.ult(&most))
        }
        _ => {
            let folded = |from: u32| doublings(from, m.width).fold(x.clone(), |x, size| &x ^ x.lshr(size));
            let parity = counted(m, &x, 0) & m.number(1);
            claim((folded(1) & m.number(1)).equals(&parity), (folded(2) & m.number(1)).equals(&parity))
        }
    }
}

/// The number of the highest one by halves; zero for zero.
fn highest(m: &Maker, x: &Expr) -> Expr {
    let sizes: Vec<u32> = doublings(1, m.width).collect();
    let (mut rest, mut place) = (x.clone(), m.number(0));
    for &size in sizes.iter().rev() {
        let is_above = rest.uge(m.power(size));
        place = place + is_above.ite(&m.number(u64::from(size)), m.number(0));
        rest = is_above.ite(&rest.lshr(size), &rest);
    }
    place
}

fn leading_zeros(m: &mut Maker) -> Claim {
    let (x, last) = (m.word("x"), m.number(u64::from(m.width - 1)));
    let place = highest(m, &x);
    let is_any = !m.is_zero(&x);
    match m.form {
        0 => {
            let searched = (0..m.width).fold(m.number(0), |found, bit| {
                let is_one = x.bit(bit).equals(1);
                is_one.ite(&m.number(u64::from(bit)), found)
            });
            let lowest = (0..m.width).rev().fold(m.number(0), |found, bit| {
                let is_one = x.bit(bit).equals(1);
                is_one.ite(&m.number(u64::from(bit)), found)
            });
            claim(place.equals(searched), place.equals(lowest))
        }
        1 => only_if(&is_any, &(&x << (&last - &place)).slt(m.number(0))),
        _ => under([&is_any], &x.lshr(&place).equals(m.number(1)), &x.equals(m.number(1) << &place)),
    }
}
