//! The numbers that stand for the values of compared words.

use super::Class;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Rebuild, Sort, Term};

/// Symbols that are compared with more constants stay as they are.
pub(super) const MOST_CONSTANTS: usize = 64;

/// How the values of a class are numbered.
#[derive(Clone)]
pub(super) struct Code {
    /// The numbers have so many bits, fewer than the values.
    width: u32,
    values: Values,
}

/// The values of numbers.
#[derive(Clone)]
enum Values {
    /// These constants, in increasing order, are those of the first numbers; the others follow this base, to
    /// which the number is added.
    Renumbered(Vec<u64>, u64),
    /// The number itself.
    Unsigned,
    /// The number itself, as a signed one.
    Signed,
}

impl Code {
    /// Numbers for the values of a class, if they are narrower.
    pub(super) fn new(class: &mut Class, width: u32) -> Option<Code> {
        let mut constants = std::mem::take(&mut class.constants);
        constants.sort_unstable();
        constants.dedup();
        if constants.len() > MOST_CONSTANTS {
            return None;
        }
        match (class.unsigned, class.signed) {
            (false, false) => Code::renumbered(class, constants, width),
            (true, true) => None,
            (_, signed) => Code::in_order(class.symbols as u64, &constants, signed, width),
        }
    }

    /// The constants keep their values, and there are as many values above the greatest of them (and below
    /// the least, of signed ones) as there are symbols.
    fn in_order(symbols: u64, constants: &[u64], signed: bool, width: u32) -> Option<Code> {
        let size = |&value: &u64| {
            let is_negative = signed && width <= 64 && value >> (width - 1) & 1 == 1;
            if is_negative { value.wrapping_neg() & (u64::MAX >> (64 - width)) } else { value }
        };
        let greatest =
            constants.iter().map(size).max().map_or(symbols - 1, |most| most.saturating_add(symbols));
        let narrow = (u64::BITS - greatest.leading_zeros()).max(1) + u32::from(signed);
        let values = if signed { Values::Signed } else { Values::Unsigned };
        (narrow < width && greatest < u64::MAX).then_some(Code { width: narrow, values })
    }

    /// As many numbers as are needed to tell values apart.
    fn renumbered(class: &Class, constants: Vec<u64>, width: u32) -> Option<Code> {
        let fixed = constants.len();
        let edges = class.apart + fixed * fixed.saturating_sub(1) / 2;
        let numbers = (class.symbols + fixed).min(colours(edges)) as u64;
        let narrow = numbers.max(2).next_power_of_two().trailing_zeros();
        if narrow >= width {
            return None;
        }
        let base = base(&constants, narrow, width)?;
        Some(Code { width: narrow, values: Values::Renumbered(constants, base) })
    }

    /// Numbers for the words of a class that are indices of its arrays, for an index at which arrays differ
    /// of each pair that is compared, and one to spare, which is the last; it may be one of the latter.
    pub(super) fn of_indices(class: &mut Class, width: u32) -> Option<Code> {
        let mut constants = std::mem::take(&mut class.constants);
        constants.sort_unstable();
        constants.dedup();
        let numbers = (class.symbols + constants.len() + class.apart.max(1)) as u64;
        let narrow = numbers.next_power_of_two().trailing_zeros();
        if constants.len() > MOST_CONSTANTS || narrow >= width {
            return None;
        }
        let base = base(&constants, narrow, width)?;
        Some(Code { width: narrow, values: Values::Renumbered(constants, base) })
    }

    /// The width of the numbers.
    pub(super) fn bits(&self) -> u32 {
        self.width
    }

    /// The greatest number.
    pub(super) fn last(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// A new symbol for a number.
    pub(super) fn symbol(&self, pool: &mut Pool) -> Term {
        pool.symbol("few", self.sort())
    }

    /// The sort of numbers.
    pub(super) fn sort(&self) -> Sort {
        Sort::bitvec(self.width).expect("narrower than a width that is legal")
    }

    /// The number of a term: of a constant, or what has become of another term.
    pub(super) fn number(&self, pool: &mut Pool, term: Term, images: &Rebuild) -> Term {
        match pool.as_u64(term) {
            Some(value) => {
                let number = match &self.values {
                    Values::Renumbered(constants, _) => {
                        constants.binary_search(&value).expect("the constants of a class are known") as u64
                    }
                    Values::Unsigned | Values::Signed => value & (u64::MAX >> (64 - self.width)),
                };
                pool.bv_u64(number, self.width)
            }
            None => images.image(term).expect("members of a class come before what compares them"),
        }
    }

    /// A choice or a comparison over the numbers of its operands from number `from` on.
    pub(super) fn rebuilt(&self, pool: &mut Pool, term: Term, from: usize, images: &Rebuild) -> Term {
        let args = pool.args(term).to_vec();
        let image = |(place, &arg): (usize, &Term)| {
            if place < from { images.image(arg).unwrap_or(arg) } else { self.number(pool, arg, images) }
        };
        let args: Vec<Term> = args.iter().enumerate().map(image).collect();
        make::app(pool, pool.op(term), &args)
    }

    /// The value of a number.
    pub(super) fn value(&self, pool: &mut Pool, number: Term, width: u32) -> Term {
        let extra = width - self.width;
        if matches!(self.values, Values::Signed) {
            return make::indexed(pool, Op::SignExtend, &[extra], &[number]);
        }
        let zeros = make::zeros(pool, extra);
        let wide = make::app(pool, Op::Concat, &[zeros, number]);
        let Values::Renumbered(constants, base) = &self.values else { return wide };
        let base = pool.bv_u64(*base, width);
        let mut value = make::app(pool, Op::BvAdd, &[base, wide]);
        for (place, &constant) in constants.iter().enumerate() {
            let (place, constant) = (pool.bv_u64(place as u64, self.width), pool.bv_u64(constant, width));
            let is_it = make::eq(pool, place, number);
            value = make::ite(pool, is_it, constant, value);
        }
        value
    }
}

/// No graph with so many edges needs more colours.
fn colours(edges: usize) -> usize {
    let mut colours = 1;
    while (colours + 1) * colours / 2 <= edges {
        colours += 1;
    }
    colours
}

/// A number such that no sum of it and a number of `narrow` bits, but those of the constants, is one of these
/// increasing constants; sums do not exceed `width` bits.
fn base(constants: &[u64], narrow: u32, width: u32) -> Option<u64> {
    let (first, last) = (constants.len() as u64, (1u64 << narrow.min(62)) - 1);
    if narrow > 32 {
        return None;
    }
    let most = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let starts = [0].into_iter().chain(constants.iter().filter_map(|constant| constant.checked_add(1)));
    starts.map(|start| start.saturating_sub(first)).find(|&base| {
        let (low, high) = (base.checked_add(first), base.checked_add(last));
        match (low, high) {
            (Some(low), Some(high)) => high <= most && !constants.iter().any(|k| (low..=high).contains(k)),
            _ => false,
        }
    })
}
