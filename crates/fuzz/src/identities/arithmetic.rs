//! Products, quotients and remainders: modular arithmetic, fixed-point numbers, bounds, powers.

use super::maker::{Claim, Maker, always, claim, given, only_if, under};
use super::{Identity, identity};
use bivalve_terms::Expr;

pub(super) const TABLE: &[Identity] = &[
    identity("mulmod", 5, "remainders of wide products", mulmod),
    identity("addmod", 3, "remainders of wide sums", addmod),
    identity("mul-div", 4, "a product divided by a constant: bounds and rounding", mul_div),
    identity("fixed-point", 4, "fixed-point numbers, shares and fees", fixed_point),
    identity("power", 2, "powers with constant exponents", power),
    identity("division", 5, "quotients and remainders together, and their bounds", division),
    identity("monotone", 4, "quotients and products grow with their operands", monotone),
    identity("signed-division", 3, "signed quotients and remainders", signed_division),
];

/// `a * b` modulo `n`, through the wide product.
fn mod_product(m: &Maker, a: &Expr, b: &Expr, n: &Expr) -> Expr {
    m.low(&m.product(a, b).urem(m.wide(n)))
}

fn mulmod(m: &mut Maker) -> Claim {
    let [a, b, n] = m.words(["a", "b", "n"]);
    let result = mod_product(m, &a, &b, &n);
    match m.form {
        0 => claim(mod_product(m, &b, &a, &n).equals(&result), (&a * &b).urem(&n).equals(result)),
        1 => only_if(&!m.is_zero(&n), &result.ult(&n)),
        2 => {
            let half = m.power(m.width / 2);
            let are_short = a.ult(&half) & b.ult(&half);
            only_if(&are_short, &result.equals((&a * &b).urem(&n)))
        }
        3 => {
            let reduced = mod_product(m, &a.urem(&n), &b, &n);
            claim(reduced.equals(&result), mod_product(m, &(&a + &n), &b, &n).equals(result))
        }
        _ => {
            // The upper half of a product by the remainder modulo 2^w - 1.
            let (low, high) = (&a * &b, m.high(&m.product(&a, &b)));
            let rest = mod_product(m, &a, &b, &m.greatest());
            let borrow = m.bit(&rest.ult(&low));
            claim((&rest - &low - borrow).equals(&high), (rest - low).equals(high))
        }
    }
}

fn addmod(m: &mut Maker) -> Claim {
    let [a, b, n] = m.words(["a", "b", "n"]);
    let modulo = |b: &Expr| {
        let sum = a.zero_extend(1) + b.zero_extend(1);
        sum.urem(n.zero_extend(1)).extract(m.width - 1, 0)
    };
    match m.form {
        0 => only_if(&!m.is_zero(&n), &modulo(&b).ult(&n)),
        1 => {
            let (sum, are_reduced) = (&a + &b, a.ult(&n) & b.ult(&n));
            let by_choice = |is_above: Expr| modulo(&b).equals(is_above.ite(&(&sum - &n), &sum));
            under([&are_reduced], &by_choice(sum.ult(&a) | sum.uge(&n)), &by_choice(sum.uge(&n)))
        }
        _ => claim(
            modulo(&m.number(0)).equals(a.urem(&n)),
            modulo(&m.number(1)).equals((&a + m.number(1)).urem(&n)),
        ),
    }
}

fn mul_div(m: &mut Maker) -> Claim {
    let ([a, b], d) = (m.words(["a", "b"]), m.number(m.unit()));
    let (product, fits, one) = (&a * &b, m.fits_by_division(&a, &b), m.number(1));
    let quotient = product.udiv(&d);
    match m.form {
        0 => {
            let bounded = |most: &Expr| given([&fits, &b.ule(most)], &quotient.ule(&a));
            Claim { holds: bounded(&d), fails: bounded(&(&d + &d)) }
        }
        1 => {
            let bias = &d - &one;
            let has_room = product.ule(m.greatest() - &bias);
            let (step, rest) = ((&product + bias).udiv(&d) - &quotient, product.urem(&d));
            let expected = m.is_zero(&rest).ite(&m.number(0), &one);
            under([&fits, &has_room], &step.equals(expected), &step.equals(&one))
        }
        2 => {
            let wide = m.product(&a, &b).udiv(m.wide(&d));
            let bounded = |most: &Expr| given([&b.ule(most)], &wide.ule(m.wide(&a)));
            Claim { holds: bounded(&d), fails: bounded(&(&d + &d)) }
        }
        _ => {
            let has_room = product.ule(m.greatest() - &d);
            let above = &quotient + &one;
            under([&fits, &has_room], &(&quotient * &d).ule(&product), &(above * &d).ule(&product))
        }
    }
}

fn fixed_point(m: &mut Maker) -> Claim {
    let ([x, y], unit) = (m.words(["x", "y"]), m.number(m.unit()));
    let (scaled, one) = (&x * &unit, m.number(1));
    let is_small = x.ule(m.greatest().udiv(&unit) - &one);
    match m.form {
        0 => only_if(&is_small, &scaled.udiv(&unit).equals(&x)),
        1 => {
            // A product of two fixed-point numbers, divided again: rounding loses, and never gains.
            let product = (&x * &y).udiv(&unit);
            let again = (&product * &unit).udiv(&y);
            let conditions = [&m.fits_by_division(&x, &y), &!m.is_zero(&y)];
            under(conditions, &again.ule(&x), &again.equals(&x))
        }
        2 => {
            let all = m.number(10u64.pow((m.width / 8 + 1).min(4)));
            let fee = (&x * &y).udiv(&all);
            let fits = m.fits_by_division(&y, &x);
            let share = |most: &Expr| given([&fits, &y.ule(most)], &fee.ule(&x));
            Claim { holds: share(&all), fails: share(&(&all + &all)) }
        }
        _ => {
            let rounded = |bias: &Expr| (&scaled + bias).udiv(&unit).equals(&x);
            under([&is_small], &rounded(&unit.lshr(1)), &rounded(&unit))
        }
    }
}

/// `x` to the `k`, at least 1, by squares.
fn by_squares(x: &Expr, k: u32) -> Expr {
    let half = if k > 1 { by_squares(x, k / 2) } else { return x.clone() };
    let square = &half * &half;
    if k % 2 == 1 { square * x } else { square }
}

fn power(m: &mut Maker) -> Claim {
    let ([x, y], k) = (m.words(["x", "y"]), m.between(3, 9));
    let in_a_row = |x: &Expr, k: u32| (1..k).fold(x.clone(), |power, _| power * x);
    match m.form {
        0 => claim(by_squares(&x, k).equals(in_a_row(&x, k)), by_squares(&x, k).equals(in_a_row(&x, k + 1))),
        _ => {
            let apart = by_squares(&x, k) * by_squares(&y, k);
            claim(by_squares(&(&x * &y), k).equals(&apart), by_squares(&(&x + &y), k).equals(apart))
        }
    }
}

fn division(m: &mut Maker) -> Claim {
    let [a, b] = m.words(["a", "b"]);
    let (quotient, rest) = (a.udiv(&b), a.urem(&b));
    let back = &quotient * &b;
    match m.form {
        0 => claim((&back + &rest).equals(&a), (m.div(&a, &b) * &b + m.rem(&a, &b)).equals(&a)),
        1 => only_if(&!m.is_zero(&b), &rest.ult(&b)),
        2 => claim(m.div(&a, &b).ule(&a), quotient.ule(&a)),
        3 => claim(back.ule(&a), back.equals(&a)),
        _ => claim(rest.equals(&a - &back), m.rem(&a, &b).equals(&a - back)),
    }
}

fn monotone(m: &mut Maker) -> Claim {
    let [a, b, c, d] = m.words(["a", "b", "c", "d"]);
    match m.form {
        0 => {
            let (is_ordered, left, right) = (a.ule(&b), a.udiv(&c), b.udiv(&c));
            under([&is_ordered], &left.ule(&right), &left.ult(&right))
        }
        1 => {
            let (is_ordered, is_any) = (c.ule(&d), !m.is_zero(&c));
            let less = m.div(&a, &d).ule(m.div(&a, &c));
            Claim { holds: given([&is_ordered, &is_any], &less), fails: given([&is_ordered], &less) }
        }
        2 => {
            let (is_ordered, fits) = (a.ule(&b), m.fits_by_division(&b, &c));
            let less = (&a * &c).ule(&b * &c);
            Claim { holds: given([&is_ordered, &fits], &less), fails: given([&is_ordered], &less) }
        }
        _ => {
            // Of a value in the ratio of a part and the whole, no more than the value.
            let (is_part, is_any, fits) = (a.ule(&b), !m.is_zero(&b), m.fits_by_division(&a, &c));
            let less = (&a * &c).udiv(&b).ule(&c);
            Claim { holds: given([&is_part, &is_any, &fits], &less), fails: given([&is_any, &fits], &less) }
        }
    }
}

fn signed_division(m: &mut Maker) -> Claim {
    let ([a, b], zero) = (m.words(["a", "b"]), m.number(0));
    let (quotient, rest) = (a.sdiv(&b), a.srem(&b));
    match m.form {
        0 => claim((&quotient * &b + &rest).equals(&a), (&quotient * &b + a.smod(&b)).equals(&a)),
        1 => {
            let conditions = [&a.slt(&zero), &b.distinct(&zero)];
            under(conditions, &rest.sle(&zero), &a.smod(&b).sle(&zero))
        }
        _ => {
            let less = m.absolute(&rest).ult(m.absolute(&b));
            let is_any = b.distinct(&zero);
            Claim { holds: given([&is_any], &less), fails: always(less) }
        }
    }
}
