//! Which circuit of several: products and quotients can be made in more than one way.
//!
//! No way is best. What the SAT solver makes of a product depends on how its partial products are added up,
//! and on what it has to prove: carry-save columns are many times faster on commutativity and many times
//! slower on distributivity. So the choice is a setting, and whoever builds gates says which is in force
//! ([`Gates::variants`](crate::Gates::variants)). All compute the same function; the tests run over all rows.

/// A way to make products of two operands that are not constant; constants are recoded into few digits in all
/// of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Multiplier {
    /// A row for each bit of the multiplier, added one after the other by ripple-carry adders.
    #[default]
    Rows,
    /// The same rows, added up column by column: three bits of a weight become one, and one of the next
    /// weight.
    Columns,
    /// A row for two bits of the multiplier (Booth, radix 4), one after the other.
    Booth,
    /// Booth's rows, added up column by column.
    BoothColumns,
}

impl Multiplier {
    /// All of them with their names.
    pub const ALL: [(&'static str, Multiplier); 4] = [
        ("rows", Multiplier::Rows),
        ("columns", Multiplier::Columns),
        ("booth", Multiplier::Booth),
        ("booth-columns", Multiplier::BoothColumns),
    ];

    /// Are two bits of the multiplier one row?
    pub(crate) fn is_booth(self) -> bool {
        matches!(self, Multiplier::Booth | Multiplier::BoothColumns)
    }

    /// Are rows added up by columns?
    pub(crate) fn is_by_columns(self) -> bool {
        matches!(self, Multiplier::Columns | Multiplier::BoothColumns)
    }
}

/// A way to make quotients and remainders.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Divider {
    /// Restoring long division.
    #[default]
    Restoring,
    /// The same, and where the dividend is less than the divisor, zero and the dividend are chosen directly:
    /// redundant, for the sake of propagation.
    Guarded,
}

impl Divider {
    /// All of them with their names.
    pub const ALL: [(&'static str, Divider); 2] =
        [("restoring", Divider::Restoring), ("guarded", Divider::Guarded)];
}

/// The circuits that are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Variants {
    /// For products, squares and overflow of products.
    pub multiplier: Multiplier,
    /// For quotients and remainders, signed ones too.
    pub divider: Divider,
}
