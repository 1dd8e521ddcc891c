//! Checks of overflow, in the forms that compilers emit, against sums and products that are wide enough.

use super::maker::{Claim, Maker, claim, only_if};
use super::{Identity, identity};
use bivalve_terms::Expr;

pub(super) const TABLE: &[Identity] = &[
    identity("add-overflow", 5, "overflow of unsigned sums", add_overflow),
    identity("sub-overflow", 3, "overflow of unsigned differences", sub_overflow),
    identity("mul-overflow", 3, "overflow of unsigned products", mul_overflow),
    identity("signed-add-overflow", 3, "overflow of signed sums and differences", signed_add_overflow),
    identity("signed-mul-overflow", 2, "overflow of signed products", signed_mul_overflow),
];

fn add_overflow(m: &mut Maker) -> Claim {
    let [a, b, c] = m.words(["a", "b", "c"]);
    let (sum, greatest) = (&a + &b, m.greatest());
    let carries = (a.zero_extend(1) + b.zero_extend(1)).bit(m.width).equals(1);
    match m.form {
        0 => claim(sum.ult(&a).equals(&carries), sum.ule(&a).equals(carries)),
        1 => claim((&greatest - &a).ult(&b).equals(&carries), (greatest - &a).ule(&b).equals(carries)),
        2 => claim((!&a).ult(&b).equals(&carries), (-&a).ult(&b).equals(carries)),
        3 => claim(sum.ult(&b).equals(sum.ult(&a)), sum.ult(&b).equals(b.ult(&a))),
        _ => {
            let three = [&a, &b, &c].map(|x| x.zero_extend(2));
            let fits = (&three[0] + &three[1] + &three[2]).extract(m.width + 1, m.width).equals(0);
            let (first, second) = (sum.uge(&a), (&sum + &c).uge(&c));
            claim((first & &second).equals(&fits), second.equals(fits))
        }
    }
}

fn sub_overflow(m: &mut Maker) -> Claim {
    let [a, b] = m.words(["a", "b"]);
    let difference = &a - &b;
    let borrows = (a.zero_extend(1) - b.zero_extend(1)).bit(m.width).equals(1);
    match m.form {
        0 => claim(difference.ugt(&a).equals(a.ult(&b)), difference.uge(&a).equals(a.ult(&b))),
        1 => claim(borrows.equals(a.ult(&b)), borrows.equals(a.ule(&b))),
        _ => only_if(&b.ule(&a), &(difference.ule(&a) & (&difference + &b).uge(&b))),
    }
}

fn mul_overflow(m: &mut Maker) -> Claim {
    let [a, b] = m.words(["a", "b"]);
    let (product, fits) = (&a * &b, m.fits(&a, &b));
    match m.form {
        0 => {
            let grows = m.is_zero(&a) | product.uge(&b);
            claim(m.fits_by_division(&a, &b).equals(&fits), grows.equals(fits))
        }
        1 => {
            let is_any = !m.is_zero(&a);
            let bound = m.greatest().udiv(&a);
            claim((&is_any & bound.ult(&b)).equals(!&fits), (is_any & bound.ule(&b)).equals(!fits))
        }
        _ => {
            let back = b.equals(m.div(&product, &a));
            claim((m.is_zero(&a) | &back).equals(&fits), back.equals(fits))
        }
    }
}

fn signed_add_overflow(m: &mut Maker) -> Claim {
    let ([a, b], zero) = (m.words(["a", "b"]), m.number(0));
    let (sum, difference) = (&a + &b, &a - &b);
    let wide = a.sign_extend(1) + b.sign_extend(1);
    let overflows = wide.distinct(sum.sign_extend(1));
    let is_negative = |x: &Expr| x.slt(&zero);
    match m.form {
        0 => {
            let wrong = |below: Expr| (!is_negative(&b) & &below) | (is_negative(&b) & !below);
            claim(wrong(sum.slt(&a)).equals(&overflows), wrong(sum.sle(&a)).equals(overflows))
        }
        1 => {
            let (one, other) = (&a ^ &sum, &b ^ &sum);
            claim(
                is_negative(&(&one & &other)).equals(&overflows),
                is_negative(&(one | other)).equals(overflows),
            )
        }
        _ => {
            let wide = a.sign_extend(1) - b.sign_extend(1);
            let overflows = wide.distinct(difference.sign_extend(1));
            let signs = &a ^ &b;
            claim(
                is_negative(&(&signs & (&a ^ &difference))).equals(&overflows),
                is_negative(&(signs & (&b ^ &difference))).equals(overflows),
            )
        }
    }
}

fn signed_mul_overflow(m: &mut Maker) -> Claim {
    let ([a, b], w) = (m.words(["a", "b"]), m.width);
    let product = &a * &b;
    let wide = a.sign_extend(w) * b.sign_extend(w);
    let overflows = wide.distinct(product.sign_extend(w));
    let is_wrong = !(m.is_zero(&a) | b.equals(product.sdiv(&a)));
    let is_odd_case = a.slt(m.number(0)) & b.equals(m.least());
    match m.form {
        // Not seen by the division alone: -1 times the least number.
        0 => claim((is_odd_case | &is_wrong).equals(&overflows), is_wrong.equals(overflows)),
        _ => {
            let high = m.high(&wide);
            let signs = product.ashr(w - 1);
            claim(high.distinct(&signs).equals(&overflows), high.distinct(m.number(0)).equals(overflows))
        }
    }
}
