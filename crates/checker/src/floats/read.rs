//! Literals and names of floating point in SMT-LIB.

use super::{FloatOp, Format, MODES, PLAIN};
use crate::term::{Op, SortKind, Term, Terms};
use num_bigint::BigUint;

type Made = Result<Option<Term>, String>;

/// Longer decimals are refused.
const MOST_DIGITS: usize = 1 << 16;

/// The sort of a name.
pub(crate) fn named_sort(name: &str) -> Option<SortKind> {
    let (exponent, significand) = match name {
        "RoundingMode" => return Some(SortKind::Mode),
        "Float16" => (5, 11),
        "Float32" => (8, 24),
        "Float64" => (11, 53),
        "Float128" => (15, 113),
        _ => return None,
    };
    Some(SortKind::Float(Format { exponent, significand }))
}

/// The rounding mode of a name.
pub(crate) fn mode(terms: &mut Terms, name: &str) -> Made {
    let place = MODES.iter().position(|&(short, long)| name == short || name == long);
    place.map(|place| terms.mk(Op::Float(FloatOp::Mode(place as u8)), &[])).transpose()
}

/// `(_ NaN eb sb)` and its like.
pub(crate) fn special(terms: &mut Terms, name: &str, format: Format) -> Made {
    let (ones, above) = (BigUint::from(format.special()), BigUint::from(1u8) << (format.width() - 1));
    let infinity = ones << format.fraction();
    let bits = match name {
        "NaN" => infinity + 1u8,
        "+oo" => infinity,
        "-oo" => infinity + above,
        "+zero" => BigUint::default(),
        "-zero" => above,
        _ => return Ok(None),
    };
    let word = terms.value(format.width(), bits)?;
    terms.mk(Op::Float(FloatOp::FromBits(format)), &[word]).map(Some)
}

/// A fraction.
pub fn real(terms: &mut Terms, negative: bool, above: BigUint, below: BigUint) -> Result<Term, String> {
    let mut part = |value: BigUint| terms.value((value.bits() as u32).max(1), value);
    let (above, below) = (part(above)?, part(below)?);
    terms.mk(Op::Float(FloatOp::Real(negative)), &[above, below])
}

/// A numeral or a decimal, which may have a minus before it.
pub(crate) fn decimal(terms: &mut Terms, text: &str) -> Result<Term, String> {
    let words = text.len() as u64 / 19;
    if text.len() > MOST_DIGITS {
        return Err("integers are not known here, nor numbers with so many digits".into());
    }
    terms.budget.take(words * words, 0)?;
    let magnitude = text.trim_start_matches('-');
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let digits = BigUint::parse_bytes(format!("{whole}{fraction}").as_bytes(), 10).ok_or("no number")?;
    real(terms, text != magnitude, digits, BigUint::from(10u8).pow(fraction.len() as u32))
}

/// The parts of a real constant: its sign, and a fraction.
pub(super) fn parts(terms: &Terms, real: Term) -> Option<(bool, BigUint, BigUint)> {
    let (Op::Float(FloatOp::Real(negative)), &[above, below]) = (terms.op(real), terms.args(real)) else {
        return None;
    };
    Some((negative, terms.as_value(above)?.clone(), terms.as_value(below)?.clone()))
}

/// An operator that is applied to real constants.
fn of_reals(terms: &mut Terms, name: &str, args: &[Term]) -> Made {
    let all: Option<Vec<_>> = args.iter().map(|&arg| parts(terms, arg)).collect();
    match (name, &all.unwrap_or_default()[..]) {
        ("-", [(negative, above, below)]) => real(terms, !negative, above.clone(), below.clone()).map(Some),
        ("/", [_, (_, zero, _)]) if zero.bits() == 0 => Err("a fraction over zero".into()),
        ("/", [(n, a, b), (m, c, d)]) => {
            terms.budget.take((a.bits() + d.bits()) * (b.bits() + c.bits()) / 4096, 0)?;
            real(terms, n != m, a * d, b * c).map(Some)
        }
        _ => Ok(None),
    }
}

/// The application of an operator of floating point. Those that are abbreviations are written out.
pub fn apply(terms: &mut Terms, name: &str, indices: &[u32], args: &[Term]) -> Made {
    use FloatOp as F;
    if indices.is_empty()
        && let Some(made) = of_reals(terms, name, args)?
    {
        return Ok(Some(made));
    }
    let (op, args) = match (name, indices, args) {
        ("to_fp", &[exponent, significand], _) => {
            let format = Format::new(exponent, significand)?;
            match *args {
                [_] => (F::FromBits(format), args.to_vec()),
                [_, x] => match terms.kind_of(x) {
                    SortKind::Float(_) => (F::FromFloat(format), args.to_vec()),
                    SortKind::Real => (F::FromReal(format), args.to_vec()),
                    _ => (F::FromSigned(format), args.to_vec()),
                },
                [mode, real, power] => {
                    let scaled = scaled(terms, real, power)?;
                    (F::FromReal(format), vec![mode, scaled])
                }
                _ => return Ok(None),
            }
        }
        // The same number, with a sign.
        ("to_fp_unsigned", &[exponent, significand], &[mode, word]) => {
            (F::FromSigned(Format::new(exponent, significand)?), vec![mode, terms.zero_extend(1, word)?])
        }
        ("fp.to_ubv", &[width], _) => (F::ToUnsigned(width), args.to_vec()),
        ("fp.to_sbv", &[width], _) => (F::ToSigned(width), args.to_vec()),
        ("fp.to_ieee_bv" | "to_ieee_bv", [], _) => (F::ToBits, args.to_vec()),
        ("fp.to_real", [], _) => (F::ToReal, args.to_vec()),
        ("fp", [], &[sign, exponent, fraction]) if terms.width(sign) == Some(1) => {
            let bits = [exponent, fraction].map(|part| terms.width(part).unwrap_or(0));
            let word = terms.chain(Op::Concat, args)?;
            (F::FromBits(Format::new(bits[0], bits[1].saturating_add(1))?), vec![word])
        }
        ("fp.sub", [], &[mode, x, y]) => (F::Add, vec![mode, x, terms.mk(Op::Float(F::Neg), &[y])?]),
        ("fp.leq" | "fp.lt" | "fp.geq" | "fp.gt" | "fp.eq" | "<" | "<=" | ">" | ">=", [], [_, _, ..]) => {
            let pairs = args.windows(2).map(|pair| compared(terms, name, pair[0], pair[1]));
            let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
            return terms.chain(Op::And, &pairs).map(Some);
        }
        (_, [], _) => match PLAIN.iter().find(|&&(plain, ..)| plain == name) {
            Some(&(_, op, ..)) => (op, args.to_vec()),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    terms.mk(Op::Float(op), &args).map(Some)
}

/// A real times two to the power of another one, which is an integer.
fn scaled(terms: &mut Terms, of: Term, power: Term) -> Result<Term, String> {
    let both = parts(terms, of).zip(parts(terms, power));
    let ((sign, above, below), (is_down, power, _)) =
        both.ok_or("'to_fp' with 3 arguments is not known here")?;
    let by =
        u32::try_from(&power).ok().filter(|by| by >> 26 == 0).ok_or("'to_fp' with so large an exponent")?;
    let [above, below] = if is_down { [above, below << by] } else { [above << by, below] };
    real(terms, sign, above, below)
}

/// A comparison of numbers or, by operators whose names have no letters, of reals.
fn compared(terms: &mut Terms, name: &str, a: Term, b: Term) -> Result<Term, String> {
    let args = if name.starts_with("fp.g") || name.starts_with('>') { [b, a] } else { [a, b] };
    if name.ends_with(['<', '>']) {
        return terms.mk(Op::Float(FloatOp::RealLt), &args);
    }
    if name.ends_with('=') {
        return terms.mk(Op::Float(FloatOp::RealLt), &[args[1], args[0]]).and_then(|more| terms.not(more));
    }
    let less = (name != "fp.eq").then(|| terms.mk(Op::Float(FloatOp::Lt), &args)).transpose()?;
    let equal = matches!(name, "fp.eq" | "fp.leq" | "fp.geq");
    let equal = equal.then(|| terms.mk(Op::Float(FloatOp::Eq), &args)).transpose()?;
    terms.chain(Op::Or, &less.into_iter().chain(equal).collect::<Vec<_>>())
}
