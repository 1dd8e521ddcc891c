//! Formulas of known status by construction (O. Becker, *Automatically Testing SMT Solvers*, bachelor thesis,
//! ETH Zürich 2021, after A. Bugariu and P. Müller, *Automatically Testing String Solvers*, ICSE 2020).
//!
//! A fuzzer needs a second solver to tell which one is wrong. Here the status is known by construction:
//! formulas are made from the executable semantics of `terms`, from equivalent formulas, from
//! equalities. Each case carries its model or a core ([`Case`]). The thesis' kinds are in `sat` and `unsat`;
//! three go beyond it:
//!
//! - *chain*: transformations several times, of any case (`transform`);
//! - *fusion*: two cases become one (`fusion`);
//! - *rule*: the rewrite rules of `rewrite` as equivalences (`rules`).
//!
//! Differences to the thesis: no integers and strings (the forms of table 2 over integers exist as text,
//! [`integers`]); no quantifiers, hence no rows "\[p\]", because the existential variables of the table stand
//! in assertions and are free; arrays have equivalent formulas, too, and so all of its transformations; any
//! width; all operators if wanted.
//!
//! **Nothing is listed.** The thesis ran out of memory. Here each kind is a *space* of numbers, one for each
//! combination of choices (operation, values, form, variable, equality ...), in mixed radix.
//! [`Construction::case`] makes the case of a number from nothing else; numbers whose choices do not fit, or
//! that would repeat another formula, have none. [`Construction::all`] is an iterator over a space,
//! [`Construction::sample`] draws from it. So a campaign can stop at a number and go on there, and two
//! machines can share one. Kinds made by chance (chain, fusion, rule) have as many numbers as
//! [`Options::samples`] gives, or some for each rule.
//!
//! Cost: 2 to 30 µs a case; a construction keeps a table of the operations over initial values, a few hundred
//! entries.

mod equality;
mod equivalent;
mod fusion;
pub mod integers;
mod rules;
mod sat;
mod stage;
mod transform;
mod unsat;

use crate::case::Case;
use crate::seed_of;
use bivalve_terms::Op;
use fastrand::Rng;
use stage::Stage;

/// What formulas are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Theory {
    /// Bit-vectors.
    Bits,
    /// Arrays; indices and elements are Booleans or bit-vectors.
    Arrays,
    /// Both in one formula; those that only have one are not made.
    Both,
}

/// The operators that formulas start from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Operators {
    /// Those of the thesis, tables 1 and 5.
    #[default]
    Thesis,
    /// All of the operator table.
    All,
}

/// How cases are made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// One operation, everything free.
    Single,
    /// One operation, constants in some of its places.
    Constants,
    /// Operations in the places of an operation.
    Synthesis,
    /// An equation negated, and its equivalent.
    Contradiction,
    /// A contradiction with a larger core: variables replaced.
    Growth,
    /// A contradiction with a constant replaced.
    Constant,
    /// A contradiction with something superfluous.
    Redundancy,
    /// Constants and a wrong result.
    Wrong,
    /// Constants and another operation with a wrong result.
    WrongComplex,
    /// Any of these, transformed several times.
    Chain,
    /// Two of these in one.
    Fusion,
    /// A rewrite rule's two sides.
    Rule,
}

/// What is constructed.
#[derive(Clone, Debug)]
pub struct Options {
    /// What formulas are about.
    pub theory: Theory,
    /// The width of bit-vectors, 1 to [`MAX_WIDTH`].
    pub width: u32,
    /// Where formulas start from.
    pub operators: Operators,
    /// Operations tried for each place of a synthesis; at least 1, and no more than there are.
    pub breadth: u64,
    /// Transformations of a chain, at most.
    pub depth: u32,
    /// Numbers of the kinds made by chance.
    pub samples: u64,
    /// What chance there is follows from this and the number.
    pub seed: u64,
}

/// No construction is wider: a shift in other words has a case for each amount.
pub const MAX_WIDTH: u32 = 1024;

impl Default for Options {
    /// The thesis: bit-vectors of 4 bits.
    fn default() -> Options {
        Options {
            theory: Theory::Bits,
            width: 4,
            operators: Operators::Thesis,
            breadth: 4,
            depth: 4,
            samples: 1000,
            seed: 1,
        }
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 12] = [
        Kind::Single,
        Kind::Constants,
        Kind::Synthesis,
        Kind::Contradiction,
        Kind::Growth,
        Kind::Constant,
        Kind::Redundancy,
        Kind::Wrong,
        Kind::WrongComplex,
        Kind::Chain,
        Kind::Fusion,
        Kind::Rule,
    ];

    /// Its name on command lines and in names of files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Single => "single",
            Kind::Constants => "constants",
            Kind::Synthesis => "synthesis",
            Kind::Contradiction => "contradiction",
            Kind::Growth => "growth",
            Kind::Constant => "constant",
            Kind::Redundancy => "redundancy",
            Kind::Wrong => "wrong",
            Kind::WrongComplex => "wrong-complex",
            Kind::Chain => "chain",
            Kind::Fusion => "fusion",
            Kind::Rule => "rule",
        }
    }
}

impl Theory {
    /// All of them.
    pub const ALL: [Theory; 3] = [Theory::Bits, Theory::Arrays, Theory::Both];

    /// Its name on command lines and in names of files.
    pub fn name(self) -> &'static str {
        match self {
            Theory::Bits => "bv",
            Theory::Arrays => "arrays",
            Theory::Both => "both",
        }
    }
}

/// A number read digit by digit, in mixed radix.
struct Digits(u64);

impl Digits {
    /// The next digit, below `radix`, which is not zero.
    fn next(&mut self, radix: u64) -> u64 {
        let digit = self.0 % radix;
        self.0 /= radix;
        digit
    }
}

/// Families of numbers, one after the other.
struct Space {
    /// Where each family ends.
    ends: Vec<u64>,
}

impl Space {
    fn new(sizes: impl Iterator<Item = u64>) -> Space {
        let ends = sizes.scan(0u64, |end, size| {
            *end = end.saturating_add(size);
            Some(*end)
        });
        Space { ends: ends.collect() }
    }

    fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The family of a number, and the number within.
    fn locate(&self, code: u64) -> Option<(usize, u64)> {
        let family = self.ends.partition_point(|&end| end <= code);
        let start = if family == 0 { 0 } else { self.ends[family - 1] };
        (family < self.ends.len()).then(|| (family, code - start))
    }
}

/// Makes cases.
pub struct Construction {
    options: Options,
    stage: Stage,
    /// Operation and form of each contradiction.
    contradictions: Vec<(usize, usize)>,
    /// By kind.
    spaces: Vec<Space>,
}

/// How many numbers and cases of a kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Numbers.
    pub numbers: u64,
    /// Satisfiable cases.
    pub sat: u64,
    /// Unsatisfiable cases.
    pub unsat: u64,
}

/// A draw from a space gives up after so many numbers without a case.
const DRAWS: u64 = 1000;

impl Construction {
    /// Prepares a construction.
    ///
    /// # Errors
    /// A sentence, if the width or the breadth is out of range.
    pub fn new(mut options: Options) -> Result<Construction, String> {
        if !(1..=MAX_WIDTH).contains(&options.width) {
            return Err(format!("a construction is 1 to {MAX_WIDTH} bits wide, not {}", options.width));
        }
        if options.breadth == 0 {
            return Err("a synthesis tries at least one operation for each place".to_owned());
        }
        let stage = Stage::new(options.theory, options.width, options.operators);
        // More choices than there are would be numbers without cases.
        options.breadth = options.breadth.min(stage.most_made_alike());
        let contradictions = unsat::contradictions(&stage);
        let spaces = Kind::ALL.iter().map(|&kind| space(&stage, &options, &contradictions, kind)).collect();
        Ok(Construction { options, stage, contradictions, spaces })
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// How many numbers a kind has.
    pub fn len(&self, kind: Kind) -> u64 {
        // A single operation belongs to one theory, whatever stands in its places.
        let is_pure = matches!(kind, Kind::Single | Kind::Constants | Kind::Wrong);
        if is_pure && self.options.theory == Theory::Both { 0 } else { self.spaces[kind as usize].len() }
    }

    /// Has a kind no numbers?
    pub fn is_empty(&self, kind: Kind) -> bool {
        self.len(kind) == 0
    }

    /// The case of a number, if it has one.
    pub fn case(&self, kind: Kind, number: u64) -> Option<Case> {
        let mut case = self.part(kind, number)?;
        let Options { theory, width, .. } = self.options;
        if theory == Theory::Both && !mixes(&case) {
            return None;
        }
        let (theory, kind) = (theory.name(), kind.name());
        case.group = format!("{theory} {kind}");
        case.origin = format!("construct {theory} {width} bits {kind} {number}: {}", case.origin);
        Some(case)
    }

    /// The case of a number, whether it mixes theories or not.
    fn part(&self, kind: Kind, number: u64) -> Option<Case> {
        let (family, code) = self.spaces[kind as usize].locate(number)?;
        let (stage, options) = (&self.stage, &self.options);
        let base = || base(stage, &self.contradictions, family);
        match kind {
            Kind::Single => Some(sat::single(stage, family)),
            Kind::Constants => sat::constants(stage, family, code),
            Kind::Synthesis => sat::synthesis(stage, family, code, options.breadth),
            Kind::Contradiction => Some(base().case),
            Kind::Growth => unsat::growth(stage, base(), code),
            Kind::Constant => unsat::constant(base(), code),
            Kind::Redundancy => unsat::redundancy(stage, base(), code),
            Kind::Wrong => unsat::wrong(stage, family, code),
            Kind::WrongComplex => unsat::wrong_complex(stage, family, code),
            Kind::Chain => self.chain(code),
            Kind::Fusion => self.fusion(code),
            Kind::Rule => rules::case(options.theory != Theory::Bits, options.width, options.seed, code),
        }
    }

    /// All cases of a kind with their numbers.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = (u64, Case)> {
        self.from(kind, 0)
    }

    /// All cases of a kind from a number on, with their numbers.
    pub fn from(&self, kind: Kind, first: u64) -> impl Iterator<Item = (u64, Case)> {
        (first..self.len(kind)).filter_map(move |number| Some((number, self.case(kind, number)?)))
    }

    /// The draw of this index: a case by chance, with its number. `None` if none was met; then there are
    /// hardly any, and other draws will meet none either. Two draws may be the same.
    pub fn sample(&self, kind: Kind, index: u64) -> Option<(u64, Case)> {
        let len = self.len(kind);
        let mut random = Rng::with_seed(seed_of(self.options.seed ^ (kind as u64) << 32, index));
        (0..DRAWS.min(len.saturating_mul(8))).find_map(|_| {
            let number = random.u64(..len);
            Some((number, self.case(kind, number)?))
        })
    }

    /// Counts the cases of a kind, by making them.
    pub fn tally(&self, kind: Kind) -> Tally {
        let mut tally = Tally { numbers: self.len(kind), ..Tally::default() };
        for (_, case) in self.all(kind) {
            match case.status() {
                Some(true) => tally.sat += 1,
                Some(false) => tally.unsat += 1,
                None => {}
            }
        }
        tally
    }

    /// A case that others are made of, of a status if one is given.
    fn any_part(&self, random: &mut Rng, status: Option<bool>) -> Option<Case> {
        const PARTS: [Kind; 10] = [
            Kind::Single,
            Kind::Constants,
            Kind::Synthesis,
            Kind::Synthesis,
            Kind::Contradiction,
            Kind::Contradiction,
            Kind::Growth,
            Kind::Constant,
            Kind::WrongComplex,
            Kind::Rule,
        ];
        (0..50).find_map(|_| {
            let kind = PARTS[random.usize(..PARTS.len())];
            let len = self.spaces[kind as usize].len();
            let part = if len == 0 { None } else { self.part(kind, random.u64(..len)) };
            part.filter(|part| status.is_none() || part.status() == status)
        })
    }

    fn chain(&self, code: u64) -> Option<Case> {
        let mut random = Rng::with_seed(seed_of(self.options.seed, code));
        let mut case = self.any_part(&mut random, None)?;
        let mut left = random.u32(1..=self.options.depth.max(1));
        for _ in 0..20 * self.options.depth.max(1) {
            if left == 0 {
                break;
            }
            left -= u32::from(transform::any(&mut case, self.options.theory, &mut random));
        }
        Some(case)
    }

    fn fusion(&self, code: u64) -> Option<Case> {
        let mut random = Rng::with_seed(seed_of(!self.options.seed, code));
        (0..20).find_map(|_| {
            let first = self.any_part(&mut random, None)?;
            let second = self.any_part(&mut random, first.status())?;
            fusion::fuse(first, &second, &mut random)
        })
    }
}

/// The contradiction of a family.
fn base(stage: &Stage, contradictions: &[(usize, usize)], family: usize) -> unsat::Base {
    let (operation, form) = contradictions[family];
    unsat::contradiction(stage, operation, form).expect("contradictions are those that exist")
}

/// The numbers of a kind: a family for each operation, or for each contradiction.
fn space(stage: &Stage, options: &Options, contradictions: &[(usize, usize)], kind: Kind) -> Space {
    let operations = |size: &dyn Fn(usize) -> u64| Space::new((0..stage.operations.len()).map(size));
    let bases = |size: &dyn Fn(&unsat::Base) -> u64| {
        Space::new((0..contradictions.len()).map(|family| size(&base(stage, contradictions, family))))
    };
    let one = |size: u64| Space::new(std::iter::once(size));
    match kind {
        Kind::Single => operations(&|_| 1),
        Kind::Constants => operations(&|operation| sat::constants_size(stage, operation)),
        Kind::Synthesis => operations(&|operation| sat::synthesis_size(stage, operation, options.breadth)),
        Kind::Contradiction => bases(&|_| 1),
        Kind::Growth => bases(&unsat::growth_size),
        // The equalities of constants are over bit-vectors.
        Kind::Constant if options.theory == Theory::Arrays => one(0),
        Kind::Constant => bases(&unsat::constant_size),
        Kind::Redundancy => bases(&unsat::redundancy_size),
        Kind::Wrong => operations(&|operation| unsat::wrong_size(stage, operation)),
        Kind::WrongComplex => operations(&|operation| unsat::wrong_complex_size(stage, operation)),
        Kind::Chain | Kind::Fusion => one(options.samples),
        Kind::Rule => one(rules::size(options.theory != Theory::Bits)),
    }
}

/// Has the formula both an operator on arrays and one on bit-vectors? Those of the theory Core belong to
/// both.
fn mixes(case: &Case) -> bool {
    let [mut arrays, mut bits] = [false; 2];
    for op in case.operators() {
        match op {
            Op::Select | Op::Store | Op::ConstArray => arrays = true,
            Op::Const | Op::Symbol | Op::Apply | Op::Eq | Op::Distinct | Op::Ite => {}
            Op::Not | Op::Implies | Op::And | Op::Or | Op::Xor => {}
            _ => bits = true,
        }
    }
    arrays && bits
}
