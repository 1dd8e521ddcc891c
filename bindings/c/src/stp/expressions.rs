//! Building expressions, with the widths that STP asks for.

use super::vc::{Handle, Vc};
use crate::fault::{Fault, Outcome, Status};
use bivalve::terms::{Op, Sort, SortKind, Term};

/// A number of bits from C, where it is signed.
pub(super) fn width(bits: i32) -> Outcome<u32> {
    u32::try_from(bits).map_err(|_| Fault::argument(format!("expected a number of bits, found {bits}")))
}

impl Vc {
    /// An operator over expressions.
    pub(super) fn apply(&mut self, op: Op, args: &[Handle]) -> Outcome<Handle> {
        let args = args.iter().map(|&arg| self.term(arg)).collect::<Outcome<Vec<_>>>()?;
        let term = self.pool.app(op, &args)?;
        Ok(self.hand_out(term))
    }

    /// An operator over lists of any length: one is itself, none is the constant.
    pub(super) fn apply_all(&mut self, op: Op, args: &[Handle]) -> Outcome<Handle> {
        match args {
            [] => Err(Fault::argument("at least one expression is expected")),
            [one] => Ok(self.hand_out(self.term(*one)?)),
            _ => self.apply(op, args),
        }
    }

    /// An operator of bit-vectors whose width is said.
    pub(super) fn sized(&mut self, bits: i32, op: Op, args: &[Handle]) -> Outcome<Handle> {
        for &arg in args {
            let found = self.width(arg)?;
            if found != width(bits)? {
                let message = format!("expected expressions of {bits} bits, found {found}");
                return Err(Fault::new(Status::Sort, message));
            }
        }
        self.apply_all(op, args)
    }

    /// The number of bits of an expression.
    pub(super) fn width(&self, expr: Handle) -> Outcome<u32> {
        let width = self.pool.width(self.term(expr)?);
        width.ok_or_else(|| Fault::new(Status::Sort, "a bit-vector is expected"))
    }

    /// The widths of indices and elements: of arrays both, of bit-vectors the latter, else zero.
    pub(super) fn widths(&self, expr: Handle) -> Outcome<(u32, u32)> {
        let term = self.term(expr)?;
        Ok(match self.pool.sort_kind(term) {
            SortKind::BitVec(width) => (0, width),
            SortKind::Array { index, element } => (index.width().unwrap_or(0), element.width().unwrap_or(0)),
            _ => (0, 0),
        })
    }

    pub(super) fn constant(&mut self, value: u64, bits: i32) -> Outcome<Handle> {
        let term = self.pool.bv(value, width(bits)?)?;
        Ok(self.hand_out(term))
    }

    pub(super) fn extract(&mut self, expr: Handle, high: i32, low: i32) -> Outcome<Handle> {
        let term = self.term(expr)?;
        let term = self.pool.extract(width(high)?, width(low)?, term)?;
        Ok(self.hand_out(term))
    }

    /// Whether a bit has a value.
    pub(super) fn bit_is(&mut self, expr: Handle, bit: i32, value: u64) -> Outcome<Handle> {
        let (bit, value) = (self.extract(expr, bit, bit)?, self.constant(value, 1)?);
        self.apply(Op::Eq, &[bit, value])
    }

    /// The old shift to the left by a number: zeros are put behind, the result has more bits.
    pub(super) fn put_zeros_behind(&mut self, amount: i32, expr: Handle) -> Outcome<Handle> {
        if amount == 0 {
            return Ok(self.hand_out(self.term(expr)?));
        }
        let zeros = self.constant(0, amount)?;
        self.apply(Op::Concat, &[expr, zeros])
    }

    /// The old shift to the right by a number; the width stays.
    pub(super) fn shift_right(&mut self, amount: i32, expr: Handle) -> Outcome<Handle> {
        let (amount, found, term) = (width(amount)?, self.width(expr)?, self.term(expr)?);
        let term = match amount {
            0 => term,
            _ if amount >= found => self.pool.bv_u64(0, found),
            _ => {
                let upper = self.pool.extract(found - 1, amount, term)?;
                self.pool.zero_extend(amount, upper)?
            }
        };
        Ok(self.hand_out(term))
    }

    /// A shift by an expression of any width; amounts of 32 and more give zeros.
    pub(super) fn shift_by(&mut self, op: Op, amount: Handle, expr: Handle) -> Outcome<Handle> {
        let (wide, found) = (self.width(amount)?, self.width(expr)?);
        let (amount, term) = (self.term(amount)?, self.term(expr)?);
        let common = wide.max(found);
        let amount = self.extended(amount, common)?;
        let shifted = self.extended(term, common)?;
        let shifted = self.pool.app(op, &[shifted, amount])?;
        let shifted = if common == found { shifted } else { self.pool.extract(found - 1, 0, shifted)? };
        let zero = self.pool.bv_u64(0, found);
        let limit = if common > 5 { Some(self.pool.bv_u64(32, common)) } else { None };
        let term = match limit {
            Some(limit) => {
                let is_small = self.pool.bvult(amount, limit)?;
                self.pool.ite(is_small, shifted, zero)?
            }
            None => shifted,
        };
        Ok(self.hand_out(term))
    }

    fn extended(&mut self, term: Term, width: u32) -> Outcome<Term> {
        let found = self.pool.width(term).unwrap_or(width);
        Ok(if found == width { term } else { self.pool.zero_extend(width - found, term)? })
    }

    /// The quotient by an expression that is a power of two; zero if it is none.
    pub(super) fn divide_by_power(&mut self, expr: Handle, divisor: Handle) -> Outcome<Handle> {
        let (term, divisor) = (self.term(expr)?, self.term(divisor)?);
        let width = self.width(expr)?;
        if width != 32 || self.pool.width(divisor) != Some(32) {
            return Err(Fault::new(Status::Sort, "expressions of 32 bits are expected"));
        }
        let mut found = self.pool.bv_u64(0, 32);
        for count in 0..32 {
            let (power, amount) = (self.pool.bv_u64(1 << count, 32), self.pool.bv_u64(count, 32));
            let (is_power, quotient) = (self.pool.eq(divisor, power)?, self.pool.bvlshr(term, amount)?);
            found = self.pool.ite(is_power, quotient, found)?;
        }
        Ok(self.hand_out(found))
    }

    /// The expression in so many bits, by copies of the sign or without the upper ones.
    pub(super) fn sign_extend(&mut self, expr: Handle, bits: i32) -> Outcome<Handle> {
        let (found, wanted, term) = (self.width(expr)?, width(bits)?, self.term(expr)?);
        let term = if wanted > found {
            self.pool.sign_extend(wanted - found, term)?
        } else {
            self.pool.extract(wanted.wrapping_sub(1), 0, term)?
        };
        Ok(self.hand_out(term))
    }

    fn byte_at(&mut self, index: Handle, offset: i32) -> Outcome<Handle> {
        let offset = self.constant(u64::from(width(offset)?), 32)?;
        self.sized(32, Op::BvAdd, &[index, offset])
    }

    /// Bytes of a memory, the first one lowest.
    pub(super) fn read_bytes(&mut self, array: Handle, index: Handle, count: i32) -> Outcome<Handle> {
        expect_bytes(count)?;
        let mut bytes = self.apply(Op::Select, &[array, index])?;
        for offset in 1..count {
            let at = self.byte_at(index, offset)?;
            let byte = self.apply(Op::Select, &[array, at])?;
            bytes = self.apply(Op::Concat, &[byte, bytes])?;
        }
        Ok(bytes)
    }

    /// A memory with bytes written into it, the first one lowest.
    pub(super) fn write_bytes(
        &mut self,
        array: Handle,
        index: Handle,
        element: Handle,
        count: i32,
    ) -> Outcome<Handle> {
        expect_bytes(count)?;
        let mut array = array;
        for offset in 0..count {
            let byte = self.extract(element, 8 * offset + 7, 8 * offset)?;
            let at = if offset == 0 { index } else { self.byte_at(index, offset)? };
            array = self.apply(Op::Store, &[array, at, byte])?;
        }
        Ok(array)
    }

    /// One bit: whether a formula holds.
    pub(super) fn bit_of(&mut self, formula: Handle) -> Outcome<Handle> {
        let formula = self.term(formula)?;
        let (one, zero) = (self.pool.bv_u64(1, 1), self.pool.bv_u64(0, 1));
        let term = self.pool.ite(formula, one, zero)?;
        Ok(self.hand_out(term))
    }

    pub(super) fn array_sort(&mut self, index: Sort, element: Sort) -> Outcome<Sort> {
        if index.is_bitvec() && element.is_bitvec() {
            return Ok(self.pool.sorts_mut().array(index, element)?);
        }
        Err(Fault::new(Status::Sort, "arrays are from bit-vectors to bit-vectors"))
    }
}

fn expect_bytes(count: i32) -> Outcome<()> {
    let message = || Fault::argument(format!("expected a number of bytes, found {count}"));
    if (1..=1 << 20).contains(&count) { Ok(()) } else { Err(message()) }
}
