//! Every operation on all operands of 1 to 4 bits, against definitions by machine integers.
//!
//! The definitions are as naive as can be and share nothing with the other tests: a quotient is searched, a
//! shift is a repeated doubling, a rotation moves one bit at a time.

use super::super::BitVec;

/// The signed reading of the `w`-bit number `a`.
fn signed(a: i64, w: u32) -> i64 {
    if a < 1 << (w - 1) { a } else { a - (1 << w) }
}

/// The truncated quotient: the number `q` of the greatest magnitude with |q * b| <= |a| and the right sign.
fn truncated(a: i64, b: i64) -> i64 {
    let mut q = 0;
    while (q + 1) * b.abs() <= a.abs() {
        q += 1;
    }
    if (a < 0) == (b < 0) { q } else { -q }
}

/// `f` applied `n` times.
fn times(n: i64, a: i64, f: impl Fn(i64) -> i64) -> i64 {
    (0..n).fold(a, |a, _| f(a))
}

/// The expected number of every binary operation that gives a value.
fn expected_values(w: u32, a: i64, b: i64) -> [i64; 19] {
    let modulus = 1i64 << w;
    let ones = modulus - 1;
    let (sa, sb) = (signed(a, w), signed(b, w));
    let bitwise =
        |f: fn(bool, bool) -> bool| (0..w).map(|i| i64::from(f(a >> i & 1 == 1, b >> i & 1 == 1)) << i).sum();
    let (udiv, urem) = if b == 0 { (ones, a) } else { (truncated(a, b), a - truncated(a, b) * b) };
    let sdiv = match (b, sa < 0) {
        (0, true) => 1,
        (0, false) => -1,
        _ => truncated(sa, sb),
    };
    let srem = if b == 0 { sa } else { sa - sdiv * sb };
    // The one number congruent to sa modulo sb that lies between 0 and sb.
    let smod = match sb {
        0 => sa,
        _ => (-8..=8)
            .find(|m| (sa - m) % sb == 0 && m.abs() < sb.abs() && (*m == 0 || (*m < 0) == (sb < 0)))
            .unwrap(),
    };
    let rotated = |n: i64| times(n % i64::from(w), a, |a| (2 * a) % modulus + (2 * a) / modulus);
    [
        a + b,
        a - b,
        a * b,
        udiv,
        urem,
        sdiv,
        srem,
        smod,
        bitwise(|a, b| a && b),
        bitwise(|a, b| a || b),
        bitwise(|a, b| a != b),
        bitwise(|a, b| !(a && b)),
        bitwise(|a, b| !(a || b)),
        bitwise(|a, b| a == b),
        times(b, a, |a| a * 2 % modulus),
        times(b, a, |a| a / 2),
        times(b, sa, |a| a.div_euclid(2)),
        rotated(b),
        rotated(i64::from(w) - b % i64::from(w)),
    ]
}

/// The same operations of the type, in the same order.
fn actual_values(x: &BitVec, y: &BitVec) -> [BitVec; 19] {
    [
        x.add(y),
        x.sub(y),
        x.mul(y),
        x.udiv(y),
        x.urem(y),
        x.sdiv(y),
        x.srem(y),
        x.smod(y),
        x.and(y),
        x.or(y),
        x.xor(y),
        x.nand(y),
        x.nor(y),
        x.xnor(y),
        x.shl(y),
        x.lshr(y),
        x.ashr(y),
        x.rotate_left_by(y),
        x.rotate_right_by(y),
    ]
}

/// Expected and actual truth of every binary predicate.
fn truths(x: &BitVec, y: &BitVec, w: u32, a: i64, b: i64) -> [(bool, bool); 16] {
    let (sa, sb) = (signed(a, w), signed(b, w));
    let beyond = |n: i64| !(0..1 << w).contains(&n);
    let signed_beyond = |n: i64| !(-(1 << (w - 1))..1 << (w - 1)).contains(&n);
    [
        (a == b, x.comp(y)),
        (a < b, x.ult(y)),
        (a <= b, x.ule(y)),
        (a > b, x.ugt(y)),
        (a >= b, x.uge(y)),
        (sa < sb, x.slt(y)),
        (sa <= sb, x.sle(y)),
        (sa > sb, x.sgt(y)),
        (sa >= sb, x.sge(y)),
        (beyond(a + b), x.uadd_overflows(y)),
        (beyond(a - b), x.usub_overflows(y)),
        (beyond(a * b), x.umul_overflows(y)),
        (signed_beyond(sa + sb), x.sadd_overflows(y)),
        (signed_beyond(sa - sb), x.ssub_overflows(y)),
        (signed_beyond(sa * sb), x.smul_overflows(y)),
        (b != 0 && signed_beyond(truncated(sa, sb)), x.sdiv_overflows(y)),
    ]
}

#[test]
fn all_pairs_of_one_to_four_bits_agree_with_machine_integers() {
    for w in 1..=4 {
        for a in 0..1i64 << w {
            for b in 0..1i64 << w {
                let (x, y) = (BitVec::from_u64(a as u64, w), BitVec::from_u64(b as u64, w));
                for (i, (got, want)) in actual_values(&x, &y).iter().zip(expected_values(w, a, b)).enumerate()
                {
                    let want = BitVec::from_u64(want.rem_euclid(1 << w) as u64, w);
                    assert_eq!(*got, want, "operation {i} of {x:?} and {y:?}");
                }
                for (i, (want, got)) in truths(&x, &y, w, a, b).into_iter().enumerate() {
                    assert_eq!(got, want, "predicate {i} of {x:?} and {y:?}");
                }
            }
        }
    }
}

#[test]
fn all_values_of_one_to_four_bits_are_negated_and_inverted_right() {
    for w in 1..=4 {
        for a in 0..1i64 << w {
            let x = BitVec::from_u64(a as u64, w);
            assert_eq!(x.not().to_u64(), Some(((1 << w) - 1 - a) as u64));
            assert_eq!(x.neg().to_u64(), Some((-a).rem_euclid(1 << w) as u64));
            assert_eq!(x.neg_overflows(), signed(a, w) == -(1 << (w - 1)));
            let inverse = (0..1i64 << w).find(|b| a * b % (1 << w) == 1);
            assert_eq!(x.odd_inverse().map(|x| x.low_u64() as i64), inverse, "inverse of {x:?}");
            for low in 0..w {
                for high in low..w {
                    let want = BitVec::from_u64((a >> low) as u64 % (1 << (high - low + 1)), high - low + 1);
                    assert_eq!(x.extract(high, low), want);
                }
            }
        }
    }
}
