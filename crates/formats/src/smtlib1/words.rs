//! What the words of SMT-LIB 1.2 mean: operators, constants and sorts with their indices.

use bivalve_terms::{BitVec, Op};

/// A word without its indices, and these.
pub(super) struct Word<'t> {
    pub(super) name: &'t [u8],
    /// The numbers between brackets; `None` if there is something else.
    pub(super) indices: Option<Vec<u32>>,
}

impl<'t> Word<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Word<'t> {
        let Some(at) = memchr::memchr(b'[', bytes) else {
            return Word { name: bytes, indices: Some(vec![]) };
        };
        let inside = std::str::from_utf8(&bytes[at + 1..bytes.len() - 1]).unwrap_or_default();
        let indices = inside.split(':').map(|number| number.trim().parse().ok()).collect();
        Word { name: &bytes[..at], indices }
    }
}

/// What an operator does beyond an operator of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Head {
    Op(Op),
    /// `(op t n)`: the bits of `t` moved by `n` places, and this bit moves in.
    Shift {
        left: bool,
        ones: bool,
    },
    Let,
    Flet,
}

/// The operator that a word stands for.
pub(super) fn head(name: &[u8]) -> Option<Head> {
    let name = std::str::from_utf8(name).ok()?;
    Some(match name {
        "let" => Head::Let,
        "flet" => Head::Flet,
        "implies" => Head::Op(Op::Implies),
        "if_then_else" | "ite" => Head::Op(Op::Ite),
        "iff" => Head::Op(Op::Eq),
        // Words of QF_UFBV32 and of early versions.
        "bvlt" => Head::Op(Op::BvUlt),
        "bvleq" => Head::Op(Op::BvUle),
        "bvgt" => Head::Op(Op::BvUgt),
        "bvgeq" => Head::Op(Op::BvUge),
        "bvsleq" => Head::Op(Op::BvSle),
        "bvsgeq" => Head::Op(Op::BvSge),
        "shift_left0" => Head::Shift { left: true, ones: false },
        "shift_left1" => Head::Shift { left: true, ones: true },
        "shift_right0" => Head::Shift { left: false, ones: false },
        "shift_right1" => Head::Shift { left: false, ones: true },
        // An arrow and a constant array are not words of this version.
        "=>" | "const" | "" => return None,
        _ => Head::Op(Op::native().find(|op| op.name() == name)?),
    })
}

/// A constant: `bit0`, `bit1`, `bvbin...`, `bvhex...`, `bv12[8]`, and `bv12` with 32 bits.
pub(super) fn constant(word: &Word<'_>) -> Option<BitVec> {
    let digits = word.name.strip_prefix(b"bv");
    match (word.name, digits, word.indices.as_deref()?) {
        (b"bit0", _, []) => Some(BitVec::zero(1)),
        (b"bit1", _, []) => Some(BitVec::one(1)),
        (_, Some(digits), []) if digits.starts_with(b"bin") => BitVec::parse_binary(&digits[3..]),
        (_, Some(digits), []) if digits.starts_with(b"hex") => BitVec::parse_hex(&digits[3..]),
        (_, Some(digits), []) => BitVec::parse_decimal(digits, 32),
        (_, Some(digits), &[width]) => BitVec::parse_decimal(digits, width),
        _ => None,
    }
}
