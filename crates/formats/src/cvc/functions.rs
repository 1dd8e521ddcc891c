//! The functions of CVC, a row each.

use bivalve_terms::{BitVec, Op, Pool, SortError, Term};

/// How a function becomes a term.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// An operator over the arguments.
    Plain(Op),
    /// A number, the width, and arguments that are brought to it.
    Sized(Op),
    /// An argument and a number, the width of the result.
    To(Op),
    /// An argument and the number of an indexed operator.
    By(Op),
    /// A bit of an argument, as a Boolean.
    Bit,
    /// A Boolean as a bit.
    FromBool,
}

/// The function of this name.
pub(super) fn function(name: &[u8]) -> Option<Function> {
    use Function::{Bit, By, FromBool, Plain, Sized, To};
    Some(match name {
        b"BVPLUS" => Sized(Op::BvAdd),
        b"BVSUB" => Sized(Op::BvSub),
        b"BVMULT" => Sized(Op::BvMul),
        b"BVDIV" => Sized(Op::BvUdiv),
        b"BVMOD" => Sized(Op::BvUrem),
        b"SBVDIV" => Sized(Op::BvSdiv),
        b"SBVREM" => Sized(Op::BvSrem),
        b"SBVMOD" => Sized(Op::BvSmod),
        b"BVUDIV" => Plain(Op::BvUdiv),
        b"BVUREM" => Plain(Op::BvUrem),
        b"BVSDIV" => Plain(Op::BvSdiv),
        b"BVSREM" => Plain(Op::BvSrem),
        b"BVSMOD" => Plain(Op::BvSmod),
        b"BVUMINUS" => Plain(Op::BvNeg),
        b"BVXOR" => Plain(Op::BvXor),
        b"BVNAND" => Plain(Op::BvNand),
        b"BVNOR" => Plain(Op::BvNor),
        b"BVXNOR" => Plain(Op::BvXnor),
        b"BVCOMP" => Plain(Op::BvComp),
        b"BVSHL" => Plain(Op::BvShl),
        b"BVLSHR" => Plain(Op::BvLshr),
        b"BVASHR" => Plain(Op::BvAshr),
        b"BVLT" => Plain(Op::BvUlt),
        b"BVLE" => Plain(Op::BvUle),
        b"BVGT" => Plain(Op::BvUgt),
        b"BVGE" => Plain(Op::BvUge),
        b"BVSLT" | b"SBVLT" => Plain(Op::BvSlt),
        b"BVSLE" | b"SBVLE" => Plain(Op::BvSle),
        b"BVSGT" | b"SBVGT" => Plain(Op::BvSgt),
        b"BVSGE" | b"SBVGE" => Plain(Op::BvSge),
        b"DISTINCT" => Plain(Op::Distinct),
        b"BVSX" => To(Op::SignExtend),
        b"BVZX" => To(Op::ZeroExtend),
        b"BVZEROEXTEND" => By(Op::ZeroExtend),
        b"BVREPEAT" => By(Op::Repeat),
        b"BVROTL" => By(Op::RotateLeft),
        b"BVROTR" => By(Op::RotateRight),
        b"BOOLEXTRACT" => Bit,
        b"BOOLBV" => FromBool,
        _ => return None,
    })
}

impl Function {
    /// The term of the function over its arguments and numbers; `None` if these are not as many as it takes.
    pub(super) fn apply(
        self,
        pool: &mut Pool,
        args: &[Term],
        numbers: &[u32],
    ) -> Option<Result<Term, SortError>> {
        Some(match (self, args, numbers) {
            (Function::Plain(op), args, []) => pool.app(op, args),
            (Function::Sized(op), &[_, ..], &[width]) => return sized(pool, op, args, width),
            (Function::To(op), &[arg], &[width]) => match pool.width(arg) {
                Some(from) if from <= width => pool.indexed(op, &[width - from], &[arg]),
                Some(_) => pool.extract(width.checked_sub(1)?, 0, arg),
                None => pool.indexed(op, &[0], &[arg]),
            },
            (Function::By(op), &[arg], &[number]) => pool.indexed(op, &[number], &[arg]),
            (Function::Bit, &[arg], &[place]) => match pool.extract(place, place, arg) {
                Ok(bit) => {
                    let one = pool.bv_u64(1, 1);
                    pool.eq(bit, one)
                }
                refused => refused,
            },
            (Function::FromBool, &[arg], []) => {
                let (one, zero) = (pool.bv_u64(1, 1), pool.bv_u64(0, 1));
                pool.ite(arg, one, zero)
            }
            _ => return None,
        })
    }
}

/// An operator over arguments of the given width; a list of one is its argument.
fn sized(pool: &mut Pool, op: Op, args: &[Term], width: u32) -> Option<Result<Term, SortError>> {
    if !(1..=BitVec::MAX_WIDTH).contains(&width) {
        return None;
    }
    let mut words = vec![];
    for &arg in args {
        let word = match pool.width(arg) {
            Some(from) if from < width => pool.zero_extend(width - from, arg),
            Some(from) if from > width => pool.extract(width - 1, 0, arg),
            _ => Ok(arg),
        };
        match word {
            Ok(word) => words.push(word),
            refused => return Some(refused),
        }
    }
    Some(match words[..] {
        [word] if matches!(op, Op::BvAdd | Op::BvMul) => Ok(word),
        _ => pool.app(op, &words),
    })
}
