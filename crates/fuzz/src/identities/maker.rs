//! What identities are written in: words, constants, and the arithmetic of the virtual machine.
//!
//! Expressions carry their errors, so that a row is as short as the identity. Where SMT-LIB and the virtual
//! machine differ, both are there: a quotient by zero is all ones here and zero there.

use bivalve_terms::{BitVec, Context, Expr, Sort};
use fastrand::Rng;

/// A conclusion under conditions.
pub(super) struct Statement {
    pub(super) given: Vec<Expr>,
    pub(super) then: Expr,
}

/// What holds, and what nearly holds.
pub(super) struct Claim {
    pub(super) holds: Statement,
    pub(super) fails: Statement,
}

/// A statement without conditions.
pub(super) fn always(then: Expr) -> Statement {
    Statement { given: vec![], then }
}

/// A statement under conditions.
pub(super) fn given<const N: usize>(given: [&Expr; N], then: &Expr) -> Statement {
    Statement { given: given.map(Clone::clone).to_vec(), then: then.clone() }
}

/// The first holds always, the second does not.
pub(super) fn claim(holds: Expr, fails: Expr) -> Claim {
    Claim { holds: always(holds), fails: always(fails) }
}

/// Under the same conditions the first holds, the second does not.
pub(super) fn under<const N: usize>(conditions: [&Expr; N], holds: &Expr, fails: &Expr) -> Claim {
    Claim { holds: given(conditions, holds), fails: given(conditions, fails) }
}

/// The conclusion holds if the condition is given, and does not always.
pub(super) fn only_if(condition: &Expr, then: &Expr) -> Claim {
    Claim { holds: given([condition], then), fails: always(then.clone()) }
}

/// Makes one instance.
pub(super) struct Maker {
    context: Context,
    random: Rng,
    /// Bits of a word.
    pub(super) width: u32,
    /// The form of the identity, below its number of forms.
    pub(super) form: u64,
}

impl Maker {
    pub(super) fn new(width: u32, seed: u64, form: u64) -> Maker {
        Maker { context: Context::new(), random: Rng::with_seed(seed), width, form }
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// A number from a range that is not empty, by chance.
    pub(super) fn between(&mut self, least: u32, greatest: u32) -> u32 {
        self.random.u32(least..=greatest)
    }

    /// The same as a word.
    pub(super) fn between_words(&mut self, least: u32, greatest: u32) -> Expr {
        let number = self.between(least, greatest);
        self.number(number.into())
    }

    pub(super) fn words<const N: usize>(&self, names: [&str; N]) -> [Expr; N] {
        names.map(|name| self.context.bv_symbol(name, self.width))
    }

    pub(super) fn word(&self, name: &str) -> Expr {
        self.context.bv_symbol(name, self.width)
    }

    pub(super) fn sort(&self) -> Sort {
        Sort::bitvec(self.width).expect("widths are checked before")
    }

    /// A word with this value.
    pub(super) fn number(&self, value: u64) -> Expr {
        self.constant(&BitVec::from_u64(value, self.width))
    }

    pub(super) fn constant(&self, value: &BitVec) -> Expr {
        self.context.bitvec(value)
    }

    /// `2^k`.
    pub(super) fn power(&self, k: u32) -> Expr {
        self.constant(&BitVec::one(self.width).shl_by(k))
    }

    /// `2^k - 1`.
    pub(super) fn mask(&self, k: u32) -> Expr {
        self.constant(&BitVec::from_fn(self.width, |bit| bit < k))
    }

    /// The greatest unsigned number.
    pub(super) fn greatest(&self) -> Expr {
        self.mask(self.width)
    }

    /// The least signed number.
    pub(super) fn least(&self) -> Expr {
        self.power(self.width - 1)
    }

    /// Bits of a byte; fewer in words that are narrower than eight bytes, so that there are always eight.
    pub(super) fn byte(&self) -> u32 {
        (self.width / 8).min(8)
    }

    /// Bytes of a word, at least 8.
    pub(super) fn bytes(&self) -> u32 {
        self.width / self.byte()
    }

    /// The unit of fixed-point numbers: `10^18` from 64 bits on, fewer digits below.
    pub(super) fn unit(&self) -> u64 {
        10u64.pow((self.width * 18 / 64).min(18))
    }

    pub(super) fn is_zero(&self, x: &Expr) -> Expr {
        x.equals(self.number(0))
    }

    /// 0 or 1 as a word.
    pub(super) fn bit(&self, condition: &Expr) -> Expr {
        condition.ite(&self.number(1), self.number(0))
    }

    /// The quotient of the virtual machine: zero by zero.
    pub(super) fn div(&self, x: &Expr, y: &Expr) -> Expr {
        self.is_zero(y).ite(&self.number(0), x.udiv(y))
    }

    /// The remainder of the virtual machine: zero by zero.
    pub(super) fn rem(&self, x: &Expr, y: &Expr) -> Expr {
        self.is_zero(y).ite(&self.number(0), x.urem(y))
    }

    /// The same number with twice the bits.
    pub(super) fn wide(&self, x: &Expr) -> Expr {
        x.zero_extend(self.width)
    }

    /// The product without overflow, twice as wide.
    pub(super) fn product(&self, x: &Expr, y: &Expr) -> Expr {
        self.wide(x) * self.wide(y)
    }

    /// The upper half of a wide word.
    pub(super) fn high(&self, wide: &Expr) -> Expr {
        wide.extract(2 * self.width - 1, self.width)
    }

    /// The lower half of a wide word.
    pub(super) fn low(&self, wide: &Expr) -> Expr {
        wide.extract(self.width - 1, 0)
    }

    /// The product fits into a word, by the wide product.
    pub(super) fn fits(&self, x: &Expr, y: &Expr) -> Expr {
        self.is_zero(&self.high(&self.product(x, y)))
    }

    /// The product fits into a word, as compilers check it.
    pub(super) fn fits_by_division(&self, x: &Expr, y: &Expr) -> Expr {
        self.is_zero(x) | (x * y).udiv(x).equals(y)
    }

    /// The absolute value by a choice.
    pub(super) fn absolute(&self, x: &Expr) -> Expr {
        x.slt(self.number(0)).ite(&-x, x)
    }
}
