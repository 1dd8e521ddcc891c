//! Shifts, packed words, masks, sign extension: what compilers make of types narrower than a word.

use super::maker::{Claim, Maker, claim, only_if, under};
use super::{Identity, identity};
use bivalve_terms::Expr;

pub(super) const TABLE: &[Identity] = &[
    identity("shift-constant", 5, "shifts by constants and arithmetic with powers of two", shift_constant),
    identity("shift-variable", 5, "shifts by terms and arithmetic with powers of two", shift_variable),
    identity("pack-bytes", 3, "a word and its bytes", pack_bytes),
    identity("packed-field", 3, "a field of a word written, this or another one read", packed_field),
    identity("selector", 3, "the first bytes of a word: function selectors", selector),
    identity("address", 3, "the low five eighths of a word: addresses", address),
    identity("sign-extend", 3, "sign extension by a variable number of bytes", sign_extend),
];

fn shift_constant(m: &mut Maker) -> Claim {
    let (x, k, w) = (m.word("x"), m.between(2, m.width - 2), m.width);
    let (power, mask) = (m.power(k), m.mask(k));
    match m.form {
        0 => claim((&x << k).equals(&x * &power), (&x << k).equals(&x * m.power(k - 1))),
        1 => claim(x.lshr(k).equals(x.udiv(&power)), x.ashr(k).equals(x.udiv(&power))),
        2 => claim(x.urem(&power).equals(&x & &mask), x.urem(&power).equals(&x & m.mask(k - 1))),
        3 => {
            let (quotient, bias) = (x.sdiv(&power), x.ashr(w - 1) & &mask);
            claim(quotient.equals((&x + bias).ashr(k)), quotient.equals(x.ashr(k)))
        }
        _ => {
            let there_and_back = (&x * &power).udiv(&power);
            claim(there_and_back.equals(&x & m.mask(w - k)), there_and_back.equals(&x))
        }
    }
}

fn shift_variable(m: &mut Maker) -> Claim {
    let ([x, y, z], w) = (m.words(["x", "y", "z"]), m.width);
    let power = m.number(1) << &y;
    match m.form {
        0 => claim(
            (&x << &y).equals(&x * &power),
            (&x << &y).equals(&x * (m.number(1) << (&y & m.number(u64::from(w - 1))))),
        ),
        1 => claim(x.lshr(&y).equals(m.div(&x, &power)), x.lshr(&y).equals(x.udiv(&power))),
        2 => {
            let low = &x & (&power - m.number(1));
            claim(low.equals(x.urem(&power)), low.equals(m.rem(&x, &power)))
        }
        3 => {
            let cleared = x.lshr(&y) << &y;
            claim(cleared.equals(&x - x.urem(&power)), cleared.equals(&x - m.rem(&x, &power)))
        }
        _ => {
            let most = m.number(u64::from(w - 1));
            let twice = x.lshr(&y).lshr(&z).equals(x.lshr(&y + &z));
            only_if(&(y.ule(&most) & z.ule(&most)), &twice)
        }
    }
}

/// Bytes in a row, the first the highest.
fn concat(bytes: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    bytes.into_iter().reduce(|high, low| high.concat(low))
}

/// The disjunction of words.
fn any(words: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    words.into_iter().reduce(|one, other| one | other)
}

/// The byte of this number of a word, as a byte.
fn byte_of(m: &Maker, x: &Expr, number: u32) -> Expr {
    x.extract((number + 1) * m.byte() - 1, number * m.byte())
}

fn pack_bytes(m: &mut Maker) -> Claim {
    let (x, size, count) = (m.word("x"), m.byte(), m.bytes());
    let (wrong, other) = (m.between(0, count / 2 - 1), m.between(count / 2, count - 1));
    let swapped = |i| if i == wrong { other } else { i };
    let equal = |left: Option<Expr>, right: Option<Expr>| match (left, right) {
        (Some(left), Some(right)) => left.equals(right),
        _ => m.context().bool(true),
    };
    match m.form {
        0 => {
            let bytes: Vec<Expr> =
                (0..count).map(|i| m.context().bv_symbol(&format!("b{i}"), size)).collect();
            let whole = concat(bytes.iter().rev().cloned());
            let ored = |place: &dyn Fn(u32) -> u32| {
                any(bytes
                    .iter()
                    .zip(0..)
                    .map(|(byte, i)| byte.zero_extend(m.width - size) << (size * place(i))))
            };
            claim(equal(whole.clone(), ored(&|i| i)), equal(whole, ored(&swapped)))
        }
        1 => {
            let sum = |last: u32| {
                let part = |i: u32| {
                    let bits = if i == wrong { last } else { size };
                    (x.lshr(size * i) & m.mask(bits)) << (size * i)
                };
                (0..count).map(part).reduce(|one, other| one + other)
            };
            claim(equal(sum(size), Some(x.clone())), equal(sum(size - 1), Some(x.clone())))
        }
        _ => {
            let reversed = concat((0..count).map(|i| byte_of(m, &x, i)));
            let back = |place: &dyn Fn(u32) -> u32| {
                let byte =
                    |i: u32| reversed.as_ref().map(|y| y.lshr(size * (count - 1 - place(i))) & m.mask(size));
                any((0..count).filter_map(|i| Some(byte(i)? << (size * i))))
            };
            claim(equal(back(&|i| i), Some(x.clone())), equal(back(&swapped), Some(x.clone())))
        }
    }
}

/// A word whose field of `size` bits from `low` on is the value.
fn with_field(m: &Maker, word: &Expr, low: u32, size: u32, value: &Expr) -> Expr {
    (word & !(m.mask(size) << low)) | ((value & m.mask(size)) << low)
}

/// A field of a word.
fn field(m: &Maker, word: &Expr, low: u32, size: u32) -> Expr {
    word.lshr(low) & m.mask(size)
}

fn packed_field(m: &mut Maker) -> Claim {
    let ([slot, v, u], byte, count) = (m.words(["slot", "v", "u"]), m.byte(), m.bytes());
    // Two fields of whole bytes, the first below the second.
    let split = m.between(2, count - 2);
    let (low, end) = (m.between(0, split - 2), m.between(split + 1, count));
    let (low, size, above, rest) = (byte * low, byte * (split - low), byte * split, byte * (end - split));
    let written = with_field(m, &slot, low, size, &v);
    match m.form {
        0 => {
            let back = field(m, &written, low, size);
            claim(back.equals(&v & m.mask(size)), back.equals(&v))
        }
        1 => {
            let kept = |word: &Expr| field(m, word, above, rest).equals(field(m, &slot, above, rest));
            claim(kept(&written), kept(&((&slot & !(m.mask(size) << low)) | (&v << low))))
        }
        _ => {
            let commutes = |size: u32| {
                let one = with_field(m, &with_field(m, &slot, low, size, &v), above, rest, &u);
                let other = with_field(m, &with_field(m, &slot, above, rest, &u), low, size, &v);
                one.equals(other)
            };
            claim(commutes(size), commutes(size + 1))
        }
    }
}

fn selector(m: &mut Maker) -> Claim {
    let (x, q, w) = (m.word("x"), m.width / 8, m.width);
    let selector = m.context().bv_symbol("selector", q);
    let args = m.context().bv_symbol("args", w - q);
    let called = m.between(1, (1u32 << q.min(31)) - 1);
    let data = selector.concat(&args);
    match m.form {
        0 => {
            let wide = selector.zero_extend(w - q);
            claim(data.lshr(w - q).equals(&wide), data.lshr(w - q - 1).equals(wide))
        }
        1 => {
            let first = x.udiv(m.power(w - q));
            claim(x.lshr(w - q).equals(&first & m.mask(q)), x.lshr(w - q).equals(&first & m.mask(q - 1)))
        }
        _ => {
            let is_called = selector.equals(called);
            let placed = m.number(called.into()) << (w - q);
            let masked = &data & (m.mask(q) << (w - q));
            under([&is_called], &masked.equals(&placed), &data.equals(&placed))
        }
    }
}

fn address(m: &mut Maker) -> Claim {
    let (x, bits, w) = (m.word("x"), m.width / 8 * 5, m.width);
    let clean = |bits: u32| &x & m.mask(bits);
    match m.form {
        0 => {
            let address = x.extract(bits - 1, 0).zero_extend(w - bits);
            claim(clean(bits).equals(&address), clean(bits - 1).equals(address))
        }
        1 => {
            let up = &x << (w - bits);
            claim(up.lshr(w - bits).equals(clean(bits)), up.ashr(w - bits).equals(clean(bits)))
        }
        _ => {
            let is_clean = x.equals(clean(bits));
            claim(is_clean.equals(x.ult(m.power(bits))), is_clean.equals(x.ule(m.power(bits))))
        }
    }
}

/// The virtual machine's sign extension of the lowest `b + 1` bytes.
fn extended(m: &Maker, b: &Expr, x: &Expr) -> Expr {
    let byte = u64::from(m.byte());
    let sign = b * m.number(byte) + m.number(byte - 1);
    let mask = (m.number(1) << (&sign + m.number(1))) - m.number(1);
    let is_negative = (x.lshr(&sign) & m.number(1)).equals(m.number(1));
    let value = is_negative.ite(&(x | !&mask), x & &mask);
    b.ult(m.number(u64::from(m.bytes()))).ite(&value, x)
}

fn sign_extend(m: &mut Maker) -> Claim {
    let ([x, b], byte) = (m.words(["x", "b"]), u64::from(m.byte()));
    let is_short = b.ult(m.number(u64::from(m.bytes())));
    let amount = m.number(u64::from(m.width) - byte) - &b * m.number(byte);
    let by_shifts = |amount: &Expr| (&x << amount).ashr(amount);
    match m.form {
        0 => under(
            [&is_short],
            &extended(m, &b, &x).equals(by_shifts(&amount)),
            &extended(m, &b, &x).equals(by_shifts(&(&amount + m.number(byte)))),
        ),
        1 => {
            let sign = &b * m.number(byte) + m.number(byte - 1);
            let (mask, sign) = ((m.number(2) << &sign) - m.number(1), m.number(1) << &sign);
            let masked = ((&x & mask) ^ &sign) - &sign;
            let plain = (&x ^ &sign) - &sign;
            under([&is_short], &masked.equals(by_shifts(&amount)), &plain.equals(by_shifts(&amount)))
        }
        _ => {
            let next = &b + m.number(1);
            let (once, longer) = (extended(m, &b, &x), extended(m, &next, &x));
            claim(extended(m, &b, &once).equals(&once), extended(m, &b, &longer).equals(&longer))
        }
    }
}
