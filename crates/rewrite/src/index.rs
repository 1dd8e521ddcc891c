//! Which rules may match a term? The discrimination structure of the rule table.
//!
//! Almost every term matches no rule, so the question must be cheap to deny. For each head operator the
//! variants of its rules are numbered in the order of the table, and a set of them is a row of bits. Each
//! child of a term falls into one of some 150 *classes*: its operator (for a negation, that of the term
//! below, marked), or for a constant whether it is zero, one, all ones and so on. For every position and
//! class the variants whose pattern admits such a child are known beforehand; their intersection over the
//! positions are the candidates. One more row of bits is for equality of the last two children,
//! complements or neither, which answers for patterns like `x ∧ x` that otherwise would be candidates always.
//!
//! This is a discrimination tree of depth one, laid flat: three or four loads and conjunctions for each 64
//! variants of an operator, whatever the number of rules. Candidates that a deeper look would have ruled out
//! are left to the matcher, which gives up at the first difference.
//!
//! The table of classes of one operator takes a kilobyte for each position and 64 variants.

use crate::matcher::{Bindings, Pattern, match_args};
use bivalve_statements::Edge;
use bivalve_statements::Literal;
use bivalve_terms::{Op, Pool, Term};
use std::ops::Range;

/// The number of operators: their classes come first, plain and below a negation.
const OPS: usize = Op::BvUdivo as usize + 1;

/// Classes of constants follow.
const FALSE: usize = 2 * OPS;
const TRUE: usize = FALSE + 1;
const ZERO: usize = FALSE + 2;
/// The 1 of one bit, which is also all ones and the least signed value.
const BIT: usize = FALSE + 3;
const ONE: usize = FALSE + 4;
const ONES: usize = FALSE + 5;
const MIN: usize = FALSE + 6;
/// Any other constant of at most 64 bits.
const OTHER: usize = FALSE + 7;
/// Any constant of more than 64 bits.
const WIDE: usize = FALSE + 8;
const CLASSES: usize = FALSE + 9;

/// How the last two children relate, and whether they are single bits: the last position.
const EQUAL: usize = 0;
const COMPLEMENT: usize = 1;
const UNRELATED: usize = 2;
/// Added for single bits.
const SINGLE: usize = 3;
const RELATIONS: usize = 6;

/// Positions of children that are looked at.
const POSITIONS: usize = 3;

/// The class of a child in normal form.
#[inline]
fn class(pool: &Pool, term: Term) -> usize {
    match pool.op(term) {
        Op::Const => constant_class(pool, term),
        Op::Not | Op::BvNot => OPS + pool.op(pool.args(term)[0]) as usize,
        op => op as usize,
    }
}

#[inline]
fn constant_class(pool: &Pool, term: Term) -> usize {
    let Some(value) = pool.as_u64(term) else {
        return match pool.as_bool(term) {
            Some(false) => FALSE,
            Some(true) => TRUE,
            None => WIDE,
        };
    };
    let width = pool.width(term).expect("a bit-vector constant has a width");
    match value {
        0 => ZERO,
        1 if width == 1 => BIT,
        1 => ONE,
        _ if value == u64::MAX >> (64 - width) => ONES,
        _ if value == 1 << (width - 1) => MIN,
        _ => OTHER,
    }
}

fn relation(pool: &Pool, a: Term, b: Term) -> usize {
    let single = if pool.width(a) == Some(1) { SINGLE } else { 0 };
    let (a, b) = (Edge::of(pool, a), Edge::of(pool, b));
    let relation = match (a.term == b.term, a.negated == b.negated) {
        (true, true) => EQUAL,
        (true, false) => COMPLEMENT,
        (false, _) => UNRELATED,
    };
    single + relation
}

/// The classes of children that may match the pattern.
#[expect(clippy::single_range_in_vec_init, reason = "a list of ranges, often of one")]
fn admitted(pattern: &Pattern) -> Vec<Range<usize>> {
    match pattern {
        Pattern::Any(_) | Pattern::Complement { .. } => vec![0..CLASSES],
        Pattern::Constant(_) => vec![ZERO..CLASSES],
        Pattern::Literal(literal) => {
            let classes: &[usize] = match literal {
                Literal::Bool(false) => &[FALSE],
                Literal::Bool(true) => &[TRUE],
                Literal::Number(0) => &[ZERO, WIDE],
                Literal::Number(1) => &[ONE, BIT, WIDE],
                Literal::Ones => &[ONES, BIT, WIDE],
                Literal::Min => &[MIN, BIT, WIDE],
                Literal::Bit(false) => &[ZERO],
                Literal::Bit(true) => &[BIT],
                Literal::Number(_) | Literal::Max => return vec![ZERO..CLASSES],
            };
            classes.iter().map(|&class| class..class + 1).collect()
        }
        Pattern::App { op: Op::Not | Op::BvNot, args } => match &args[0] {
            Pattern::App { op, .. } => vec![OPS + *op as usize..OPS + *op as usize + 1],
            _ => vec![OPS..2 * OPS],
        },
        Pattern::App { op, .. } => vec![*op as usize..*op as usize + 1],
    }
}

/// May children in this relation match the patterns?
fn admits_relation(a: &Pattern, b: &Pattern, bits_only: bool, relation: usize) -> bool {
    if bits_only && relation < SINGLE {
        return false;
    }
    let slot = |pattern: &Pattern| match pattern {
        Pattern::Any(slot) => Some((*slot, false)),
        Pattern::Complement { slot, .. } => Some((*slot, true)),
        _ => None,
    };
    match (slot(a), slot(b)) {
        (Some((a, not_a)), Some((b, not_b))) if a == b => {
            relation % SINGLE == if not_a == not_b { EQUAL } else { COMPLEMENT }
        }
        _ => true,
    }
}

/// One variant of a rule.
pub(crate) struct Variant {
    /// Position of the rule in the table.
    pub(crate) rule: u32,
    /// Patterns of the children.
    pub(crate) args: Vec<Pattern>,
    /// May more children follow?
    pub(crate) list: bool,
    /// Does the rule ask for children of one bit?
    pub(crate) bits_only: bool,
}

impl Variant {
    /// Matches an operator over `args`; gives what the metavariables are bound to.
    #[inline]
    pub(crate) fn matches(&self, pool: &Pool, args: &[Term]) -> Option<Bindings> {
        let fits = if self.list { args.len() > self.args.len() } else { args.len() == self.args.len() };
        let mut bindings = Bindings::new();
        (fits && match_args(pool, &self.args, args, &mut bindings)).then_some(bindings)
    }
}

/// The variants of all rules with one head operator.
#[derive(Default)]
pub(crate) struct HeadIndex {
    variants: Vec<Variant>,
    /// Words of a set of variants.
    words: usize,
    /// Sets by position and class, then by relation.
    sets: Vec<u64>,
}

impl HeadIndex {
    /// An index over variants in the order in which they are to be tried.
    pub(crate) fn new(variants: Vec<Variant>) -> HeadIndex {
        let words = variants.len().div_ceil(64);
        // Most patterns admit every child at most positions, so these sets start with those variants in them.
        let mut start = vec![0; POSITIONS * words];
        let free = |pattern: Option<&Pattern>| {
            matches!(pattern, None | Some(Pattern::Any(_) | Pattern::Complement { .. }))
        };
        for (number, variant) in variants.iter().enumerate() {
            for position in (0..POSITIONS).filter(|&position| free(variant.args.get(position))) {
                start[position * words + number / 64] |= 1 << (number % 64);
            }
        }
        let mut sets = Vec::with_capacity((POSITIONS * CLASSES + RELATIONS) * words);
        for position in 0..POSITIONS {
            let row = &start[position * words..(position + 1) * words];
            (0..CLASSES).for_each(|_| sets.extend_from_slice(row));
        }
        sets.resize(sets.len() + RELATIONS * words, 0);
        let mut index = HeadIndex { sets, words, variants };
        for number in 0..index.variants.len() {
            let Variant { args, list, bits_only, .. } = &index.variants[number];
            let mut members = vec![];
            for (position, pattern) in args.iter().take(POSITIONS).enumerate().filter(|(_, p)| !free(Some(p)))
            {
                let first = position * CLASSES;
                members.extend(
                    admitted(pattern).into_iter().map(|range| range.start + first..range.end + first),
                );
            }
            let related = |relation: &usize| match &args[..] {
                [.., a, b] if !list => admits_relation(a, b, *bits_only, *relation),
                _ => true,
            };
            let relations = (0..RELATIONS).filter(related).map(|relation| POSITIONS * CLASSES + relation);
            members.extend(relations.map(|set| set..set + 1));
            for set in members.into_iter().flatten() {
                index.sets[set * words + number / 64] |= 1 << (number % 64);
            }
        }
        index
    }

    /// How many variants there are.
    pub(crate) fn len(&self) -> usize {
        self.variants.len()
    }

    /// The variants that may match an operator over `args`, in order.
    #[inline]
    pub(crate) fn candidates<'a>(
        &'a self,
        pool: &Pool,
        args: &[Term],
    ) -> impl Iterator<Item = &'a Variant> + use<'a> {
        let mut rows = [0; POSITIONS + 1];
        let mut count = 0;
        for (position, &arg) in args.iter().take(POSITIONS).enumerate() {
            rows[count] = (position * CLASSES + class(pool, arg)) * self.words;
            count += 1;
        }
        if let [.., a, b] = *args {
            rows[count] = (POSITIONS * CLASSES + relation(pool, a, b)) * self.words;
            count += 1;
        }
        (0..self.words).flat_map(move |word| {
            let set = rows[..count].iter().fold(u64::MAX, |set, row| set & self.sets[row + word]);
            bits(set).map(move |bit| &self.variants[word * 64 + bit])
        })
    }
}

/// The positions of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (lowest < 64).then_some(lowest)
    })
}
