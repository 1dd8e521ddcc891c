//! Floating point: names of sorts, literals, real constants, and the forms of `to_fp`.
//!
//! A name stands for several operators: `to_fp` takes bits, or a rounding mode and a number, a real constant
//! or a signed bit-vector. Which one is meant follows from the arguments. Beside these the forms of other
//! solvers are read: `((_ to_fp eb sb) rm x n)` with a real constant `x` and an integer constant `n` is the
//! conversion of x times 2^n, and `((_ to_fp eb sb) s e m)` of three bit-vectors is `fp`.
//!
//! Reals are constants and values of `fp.to_real`, which are compared, chosen and rounded. A constant is a
//! decimal, a numeral where a real is asked for or stands beside one, and these with a minus or a fraction
//! bar. Each is read as its value.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::apply::is_of_reals;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::logics::Feature;
use crate::smtlib::reading::Reading;
use crate::smtlib::sorts::number;
use bivalve_terms::float::{Float, Format, Rational, RoundingMode};
use bivalve_terms::{BigInt, Op, Pool, Sort, Term, TheorySort};

/// Longer decimals are refused before they are converted, which takes time quadratic in the digits.
const MOST_DIGITS: usize = 1 << 16;

/// The sort of this name.
pub(crate) fn float_sort(name: &str) -> Option<TheorySort> {
    match name {
        "RoundingMode" => Some(TheorySort::RoundingMode),
        _ => Format::named(name).map(TheorySort::Float),
    }
}

impl Reading<'_> {
    /// Refuses the current name of a sort where the caller knows bit-vectors alone.
    pub(crate) fn check_known(&self, name: &str) -> Parsed<()> {
        if !self.images {
            return Ok(());
        }
        let found = format!("sort {name}: symbols of such sorts are not known here");
        Err(self.refuse_token(
            DiagnosticKind::Unsupported,
            "a sort of bit-vectors, arrays and functions",
            found,
        ))
    }

    /// Behind `(_ FloatingPoint`, `(_ NaN` and the like: `eb sb)`.
    pub(crate) fn format_indices(&mut self) -> Parsed<Format> {
        self.check_logic(Feature::Floats)?;
        let mut indices = [0; 2];
        let mut place = 0;
        for (i, index) in indices.iter_mut().enumerate() {
            let token = self.lexer.next()?;
            if token != Token::Numeral {
                let expected =
                    ["a numeral, the bits of the exponent", "a numeral, the bits of the significand"];
                return Err(self.lexer.unexpected(token, expected[i]));
            }
            if i == 0 {
                place = self.lexer.place();
            }
            *index = number(self.lexer.text()).unwrap_or(u64::MAX);
        }
        let span = place..self.lexer.end();
        self.close()?;
        Format::new(indices[0], indices[1]).map_err(|_| {
            let [eb, sb] = indices;
            let expected = format!(
                "2 to {} bits of exponent, 2 or more of significand, and at most {} in all",
                Format::MAX_EXPONENT_BITS,
                Format::MAX_WIDTH
            );
            self.lexer.refuse(DiagnosticKind::Literal, span, expected, format!("{eb} and {sb}"))
        })
    }

    /// A rounding mode.
    pub(crate) fn mode(&mut self, mode: RoundingMode) -> Parsed<Term> {
        self.check_logic(Feature::Floats)?;
        Ok(self.pool.rounding_mode(mode))
    }

    /// Behind `(_`, at a name: `+oo eb sb)`, `NaN eb sb)` and the like.
    pub(crate) fn special_float(&mut self) -> Parsed<Option<Term>> {
        let make: fn(Format) -> Float = match self.lexer.text() {
            b"NaN" => Float::nan,
            b"+oo" => |format| Float::infinity(format, false),
            b"-oo" => |format| Float::infinity(format, true),
            b"+zero" => |format| Float::zero(format, false),
            b"-zero" => |format| Float::zero(format, true),
            _ => return Ok(None),
        };
        let format = self.format_indices()?;
        Ok(Some(self.pool.float(&make(format))))
    }

    /// The current decimal.
    pub(crate) fn decimal(&mut self) -> Parsed<Term> {
        let text = self.lexer.text();
        if text.len() > MOST_DIGITS {
            let found = format!("{} characters", text.len());
            return Err(self.refuse_token(DiagnosticKind::Literal, "a shorter decimal", found));
        }
        let text = String::from_utf8_lossy(text);
        let value: Rational = text.parse().expect("a decimal is digits, a point and digits");
        Ok(self.pool.real(&value))
    }

    /// The integer constant that the term is, with its sign.
    fn integer_constant(&self, term: Term) -> Option<BigInt> {
        match self.pool.op(term) {
            Op::IntNeg => self.pool.as_int(self.pool.args(term)[0]).map(|value| -value),
            _ => self.pool.as_int(term).cloned(),
        }
    }

    /// The real constant that the term is; integers are reals.
    fn real_constant(&self, term: Term) -> Option<Rational> {
        let integer = || self.integer_constant(term).map(Rational::from_integer);
        self.pool.as_real(term).or_else(integer)
    }

    /// Among arguments of which one is a real, integer constants are reals; they are not computed with.
    pub(crate) fn join_reals(&mut self, op: Op, start: usize) -> Parsed<()> {
        if !self.pool.has_lowered() {
            return Ok(());
        }
        let is_real = |pool: &Pool, arg| pool.sorts().as_theory(pool.sort(arg)) == Some(TheorySort::Real);
        let Some(first) = self.work.args[start..].iter().position(|&arg| is_real(self.pool, arg)) else {
            return Ok(());
        };
        if !is_of_reals(op) {
            let span = self.extent(self.work.places[start + first]);
            let found = format!("'{}' of one", op.name());
            let expected = "reals to be constants, compared, or rounded by 'to_fp'";
            return Err(self.lexer.refuse(DiagnosticKind::Unsupported, span, expected, found));
        }
        for place in start..self.work.args.len() {
            if let Some(value) = self.integer_constant(self.work.args[place]) {
                self.work.args[place] = self.pool.real(&Rational::from_integer(value));
            }
        }
        Ok(())
    }

    /// A real constant with a minus before it.
    pub(crate) fn negated_real(&mut self, term: Term) -> Option<Term> {
        let value = -&self.pool.as_real(term)?;
        Some(self.pool.real(&value))
    }

    /// `(/ a b)` of constants.
    pub(crate) fn ratio(&mut self, start: usize, place: u64) -> Parsed<Term> {
        self.check_count("'/'", 2, start, place)?;
        let mut values = [Rational::from_integer(0), Rational::from_integer(1)];
        for (i, value) in values.iter_mut().enumerate() {
            let arg = self.work.args[start + i];
            let span = || self.extent(self.work.places[start + i]);
            *value = match self.real_constant(arg) {
                Some(zero) if i == 1 && zero.is_zero() => {
                    let expected = "a divisor that is not zero";
                    return Err(self.lexer.refuse(DiagnosticKind::Unsupported, span(), expected, "0"));
                }
                Some(value) => value,
                None => {
                    let found = self.pool.sorts().display(self.pool.sort(arg));
                    let found = format!("a term of sort {found} that is none");
                    return Err(self.lexer.refuse(DiagnosticKind::Unsupported, span(), "a constant", found));
                }
            };
        }
        let [above, below] = values;
        Ok(self.pool.real(&(&above / &below)))
    }

    /// What `to_fp` means before the arguments from `start` on. Constants that are to be reals become reals.
    pub(crate) fn conversion(&mut self, start: usize) -> Op {
        match self.work.args[start..] {
            [_, number] => {
                if let Some(value) = self.real_constant(number) {
                    self.work.args[start + 1] = self.pool.real(&value);
                }
                self.pool.conversion(&self.work.args[start..])
            }
            [_, _, _] => Op::FpFields,
            _ => Op::FpFromBits,
        }
    }

    /// `to_fp` of three arguments, as other solvers have it.
    pub(crate) fn float_of_parts(&mut self, indices: &[u32], start: usize, place: u64) -> Parsed<Term> {
        self.only_lenient("1 or 2 arguments of 'to_fp'", "3")?;
        let args = &self.work.args[start..];
        let &[first, second, third] = args else { unreachable!("there are three") };
        let built = if let Some(value) = self.real_constant(second)
            && let Some(exponent) = self.integer_constant(third)
        {
            let Some(exponent) = i32::try_from(&exponent).ok().filter(|e| e.unsigned_abs() < 1 << 26) else {
                let span = self.extent(self.work.places[start + 2]);
                let expected = "an exponent of at most 26 bits";
                return Err(self.lexer.refuse(DiagnosticKind::Literal, span, expected, exponent.to_string()));
            };
            let scale = Rational::scaled(1, exponent.into());
            let real = self.pool.real(&(&value * &scale));
            self.pool.indexed(Op::FpFromReal, indices, &[first, real])
        } else {
            // The widths have to be those of the format.
            let widths = [1, indices[0], indices[1] - 1];
            for (i, width) in widths.into_iter().enumerate() {
                let sort = Sort::bitvec(width).expect("a part of a format");
                if self.pool.sort(self.work.args[start + i]) != sort {
                    return Err(self.wrong_sort(sort, start + i));
                }
            }
            self.pool.app(Op::FpFields, &[first, second, third])
        };
        match built {
            Ok(term) => self.decided(term, start, place),
            Err(error) => Err(self.sort_refusal(error, "to_fp", start, place)),
        }
    }
}
