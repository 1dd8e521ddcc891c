//! Floating-point terms as bit-vectors.
//!
//! A number is its packed word, with one pattern for NaN; a rounding mode is a word of three bits. Symbols,
//! and what functions and arrays give, are told so. The image of an operator is its circuit in
//! `bivalve-floats`, made of terms: equal parts of different operators are one term, since terms are.
//!
//! A truth value of a circuit is a Boolean term, and a word of one bit only where it is a part of a word.
//! Constants are folded as terms are made, by the table's own meanings, and so are operations that one
//! constant argument decides; all else is left to the rewriter.
//!
//! The root of an integer is a new symbol with its defining relation: `n = q * q + r` with `r <= 2 * q`.
//!
//! Reals are words, too: see `reals`.

use crate::theory::{LoweredTheory, Refusal};
use crate::words::{Roots, TermWords, Word};
use crate::{constants, exact, laws, reals, thresholds, units};
use bivalve_floats::circuits::{Application, constant, image, is_canonical, is_mode};
use bivalve_floats::{Float, Format, Operation, RoundingMode};
use bivalve_terms::{Op, Pool, Sort, Term, TheorySort, Value};

/// The theory of floating-point numbers.
#[derive(Default)]
pub struct Floats {
    roots: Roots,
    /// What defines the roots of the image made last.
    definition: Option<Term>,
    reals: reals::Reals,
}

/// The operation of an operator, of which chains are conjunctions; `None` for those without a circuit of
/// their own. `format` is that of the result.
fn operation(op: Op, format: Option<Format>, width: Option<u32>) -> Option<Operation> {
    Some(match op {
        Op::FpAbs => Operation::Abs,
        Op::FpNeg => Operation::Neg,
        Op::FpAdd => Operation::Add,
        Op::FpSub => Operation::Sub,
        Op::FpMul => Operation::Mul,
        Op::FpDiv => Operation::Div,
        Op::FpFma => Operation::Fma,
        Op::FpSqrt => Operation::Sqrt,
        Op::FpRem => Operation::Rem,
        Op::FpRoundToIntegral => Operation::RoundToIntegral,
        Op::FpMin => Operation::Min,
        Op::FpMax => Operation::Max,
        Op::FpLe => Operation::Le,
        Op::FpLt => Operation::Lt,
        Op::FpGe => Operation::Ge,
        Op::FpGt => Operation::Gt,
        Op::FpEq => Operation::Eq,
        Op::FpIsNormal => Operation::IsNormal,
        Op::FpIsSubnormal => Operation::IsSubnormal,
        Op::FpIsZero => Operation::IsZero,
        Op::FpIsInfinite => Operation::IsInfinite,
        Op::FpIsNan => Operation::IsNan,
        Op::FpIsNegative => Operation::IsNegative,
        Op::FpIsPositive => Operation::IsPositive,
        Op::FpFromFloat => Operation::Convert(format?),
        Op::FpFromSbv => Operation::FromSigned(format?),
        Op::FpFromUbv => Operation::FromUnsigned(format?),
        Op::FpFromBits | Op::FpFields => Operation::FromBits(format?),
        Op::FpToUbv => Operation::ToUnsigned(width?),
        Op::FpToSbv => Operation::ToSigned(width?),
        Op::FpToIeee => Operation::ToIeeeBits,
        _ => return None,
    })
}

impl LoweredTheory for Floats {
    fn owns(&self, pool: &Pool, sort: Sort) -> bool {
        matches!(
            pool.sorts().as_theory(sort),
            Some(TheorySort::Float(_) | TheorySort::RoundingMode | TheorySort::Real)
        )
    }

    fn accept(&mut self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        let is_real = |&term: &Term| reals::is_real(pool, pool.sort(term));
        if is_real(&term) || pool.args(term).iter().any(is_real) {
            self.reals.accept(pool, term)?;
        }
        Ok(())
    }

    fn simpler(&self, pool: &mut Pool, term: Term) -> Option<Term> {
        constants::folded(pool, term)
            .or_else(|| exact::simpler(pool, term))
            .or_else(|| laws::simpler(pool, term))
            .or_else(|| units::simpler(pool, term))
            .or_else(|| thresholds::simpler(pool, term))
            .or_else(|| reals::simpler(pool, term))
    }

    fn image(&mut self, pool: &mut Pool, term: Term, images: &[Term]) -> Term {
        let op = pool.op(term);
        match op {
            Op::Const => return constant_image(pool, term),
            Op::Eq | Op::Distinct | Op::Ite => return pool.mk(op, images),
            Op::IntLt | Op::IntLe | Op::IntGt | Op::IntGe => return reals::compared(pool, op, images),
            Op::FpFromReal => {
                let real = pool.as_real(pool.args(term)[1]);
                let format = pool.float_format(term).expect("a conversion to a float");
                let (mode, word) = (Word::Bits(images[0]), Word::Bits(images[1]));
                let words = &mut TermWords::new(pool, &mut self.roots);
                let result = match real {
                    Some(real) => constant(words, format, &mode, &real),
                    None => reals::rounded(words, format, &mode, &word),
                };
                return words.bits(&result);
            }
            Op::FpToReal => {
                let format = pool.float_format(pool.args(term)[0]).expect("a conversion of a float");
                let [x, open] = [images[0], images[1]].map(Word::Bits);
                let words = &mut TermWords::new(pool, &mut self.roots);
                let result = reals::image_of_number(words, format, &x, &open);
                return words.bits(&result);
            }
            _ => {}
        }
        let (format, width) = (pool.float_format(term), pool.width(term));
        let operation = operation(op, format, width).expect("every operator has its case");
        let of = pool.args(term).iter().rev().find_map(|&arg| pool.float_format(arg));
        let format = of.or(format).expect("an argument or the result is a float");
        let is_boolean = pool.sort(term).is_bool();
        let mut free = None;
        let mut images = images.to_vec();
        if op.is_open() {
            free = images.pop();
        }
        if matches!(op, Op::FpAdd | Op::FpMul | Op::FpFma) {
            // Terms that differ in the order of these operands alone have one image.
            images[1..3].sort_unstable();
        }
        let words = &mut TermWords::new(pool, &mut self.roots);
        let mut words_of: Vec<Word> = images.iter().map(|&image| Word::Bits(image)).collect();
        if op == Op::FpFields {
            words_of = vec![words.joined(&words_of)];
        }
        let mode = if operation.rounds() { words_of.remove(0) } else { words_of[0] };
        let free = match (op, free) {
            (Op::FpMin | Op::FpMax, Some(pair)) => words.chosen_bit(&words_of[0], &Word::Bits(pair)),
            (_, Some(result)) => Word::Bits(result),
            (_, None) => mode,
        };
        let apply = |words: &mut TermWords<'_>, operands: &[Word]| {
            let application = Application { operation, format, mode: &mode, operands, free: &free };
            image(words, &application).expect("the sorts were checked")
        };
        let result = if is_boolean && operation.arity() == 2 {
            let pairs: Vec<Word> = words_of.windows(2).map(|pair| apply(words, pair)).collect();
            words.all(&pairs)
        } else {
            apply(words, &words_of)
        };
        let result = if is_boolean { words.truth(&result) } else { words.bits(&result) };
        self.definition = self.roots.take_definition(pool);
        result
    }

    fn definition(&mut self) -> Option<Term> {
        self.definition.take()
    }

    fn image_sort(&self, pool: &Pool, sort: Sort) -> Option<Sort> {
        let width = match pool.sorts().as_theory(sort)? {
            TheorySort::Float(format) => format.width(),
            TheorySort::RoundingMode => RoundingMode::CODE_BITS,
            TheorySort::Real => return Some(reals::image_sort()),
            TheorySort::Int | TheorySort::Record(_) => return None,
        };
        Sort::bitvec(width).ok()
    }

    fn is_one_to_one(&self, _: &Pool, _: Sort) -> bool {
        false
    }

    fn condition(&self, pool: &mut Pool, sort: Sort, image: Term) -> Option<Term> {
        let of = pool.sorts().as_theory(sort)?;
        let mut roots = Roots::default();
        let words = &mut TermWords::new(pool, &mut roots);
        let word = Word::Bits(image);
        let result = match of {
            TheorySort::Float(format) => is_canonical(words, format, &word),
            TheorySort::RoundingMode => is_mode(words, &word),
            TheorySort::Real => reals::is_place(words, &word),
            TheorySort::Int | TheorySort::Record(_) => return None,
        };
        Some(words.truth(&result))
    }

    fn lift(&self, pool: &Pool, sort: Sort, image: &Value) -> Option<Value> {
        let bits = image.as_bitvec()?;
        match pool.sorts().as_theory(sort)? {
            TheorySort::Float(format) => {
                let bits = bits.to_int().magnitude().clone();
                let float = Float::from_bits(format, &bits)?;
                (float.to_bits() == bits).then(|| float.into())
            }
            TheorySort::RoundingMode => RoundingMode::from_code(bits.to_u64()?).map(Value::from),
            TheorySort::Real => self.reals.lift(&bits.to_signed_int()),
            TheorySort::Int | TheorySort::Record(_) => None,
        }
    }

    fn is_of_open_results(&self, pool: &Pool, sort: Sort) -> bool {
        reals::is_real(pool, sort)
    }

    /// Constants are numbers, no terms: words that stand for them may have a value still.
    fn forget(&mut self) {
        *self = Floats { reals: std::mem::take(&mut self.reals), ..Floats::default() };
    }
}

/// The word of a constant.
fn constant_image(pool: &mut Pool, term: Term) -> Term {
    if let Some(float) = pool.as_float(term) {
        let width = float.format().width();
        return pool.bitvec(&bivalve_terms::BitVec::from_int(&float.to_bits().into(), width));
    }
    if let Some(real) = pool.as_real(term) {
        return reals::constant_image(pool, &real);
    }
    match pool.as_value(term).and_then(|value| value.as_rounding_mode()) {
        Some(mode) => pool.bv_u64(mode.code().into(), RoundingMode::CODE_BITS),
        None => term,
    }
}
