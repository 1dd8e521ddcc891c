//! All generators in turn: layered formulas (free, planted, refuted), sessions, constructed formulas (chains,
//! fusions, rewrite rules), formulas from the root down.
//!
//! Case after case is made by number, and everything follows from the seed and the number. This is what a
//! solver is tested with when nothing particular is looked for.

use crate::construct::{Construction, Kind as Made, Operators, Options, Theory};
use crate::formula::{self, Formula, Recipe};
use crate::layered::{Division, Goal, Shape, Timeline, session};
use crate::{seed_of, theory};
use fastrand::Rng;
use std::sync::OnceLock;

/// The cases of a seed. Constructions of small widths are made when they are needed.
pub struct Mixture {
    seed: u64,
    constructions: Vec<OnceLock<Construction>>,
}

/// Widths of constructed cases.
const WIDTHS: usize = 6;

impl Mixture {
    /// The cases of this seed.
    pub fn new(seed: u64) -> Mixture {
        let constructions = (0..Theory::ALL.len() * WIDTHS).map(|_| OnceLock::new()).collect();
        Mixture { seed, constructions }
    }

    /// The name of the generator and the script of a number; `None` if it has no case.
    pub fn case(&self, number: u64) -> Option<(&'static str, String)> {
        let seed = self.seed;
        let mut rng = Rng::with_seed(seed_of(seed, number));
        let (own, index) = (seed_of(seed, number ^ 1 << 63), number / 16);
        let wide = Shape { widths: 1..=rng.u32(4..70), ..Shape::default() };
        let layered = |shape: Shape| shape.case(own, index).script();
        let over_time = |shape: Shape| {
            let (made, answers) = session(&shape, &Timeline::default(), own, index);
            made.script(&answers)
        };
        let recipe = |theory| Recipe { seed: own, max_width: 40, size: 24, theory };
        let stated = |formula: Formula| {
            let status = formula.expected.map(|sat| if sat { "sat" } else { "unsat" });
            status.map_or(String::new(), |status| format!("(set-info :status {status})\n"))
                + &formula.script()
        };
        let root = |theory| stated(recipe(theory).formula(index));
        let near = |theory| stated(recipe(theory).of_kind(formula::Kind::Near, index));
        let (theory, width) = (rng.usize(..Theory::ALL.len()), rng.usize(..WIDTHS));
        let constructed =
            |kind: Made| self.construction(theory, width).sample(kind, own).map(|(_, case)| case.script());
        Some(match number % 16 {
            0 => ("bits", layered(wide)),
            1 => ("bits planted", layered(Shape { goal: Goal::Planted, ..wide })),
            2 => ("bits refuted", layered(Shape { goal: Goal::Refuted, ..wide })),
            3 => ("arrays", layered(Shape::arrays())),
            4 => ("arrays planted", layered(Shape { goal: Goal::Planted, ..Shape::arrays() })),
            5 => ("everything", layered(Shape::everything())),
            6 => ("everything refuted", layered(Shape { goal: Goal::Refuted, ..Shape::everything() })),
            7 => ("divisions", layered(Shape { division: Division::Guarded, ..Shape::no_division() })),
            8 => ("session bits", over_time(Shape::default())),
            9 => ("session everything", over_time(Shape::everything())),
            10 => ("chain", constructed(Made::Chain)?),
            11 => ("fusion", constructed(Made::Fusion)?),
            12 => ("rule", constructed(Made::Rule)?),
            13 => ("root bits", root(theory::Theory::Bits)),
            14 => ("near", near([theory::Theory::Bits, theory::Theory::Arrays][rng.usize(..2)])),
            _ => (
                "root",
                root({
                    use theory::Theory::{All, Arrays, Floats, Functions, Quantifiers};
                    [Arrays, Functions, All, Floats, Quantifiers][rng.usize(..5)]
                }),
            ),
        })
    }
    fn construction(&self, theory: usize, width: usize) -> &Construction {
        self.constructions[theory * WIDTHS + width].get_or_init(|| {
            let options = Options {
                theory: Theory::ALL[theory],
                width: width as u32 + 1,
                operators: if width.is_multiple_of(2) { Operators::All } else { Operators::Thesis },
                depth: 8,
                samples: u64::MAX >> 8,
                ..Options::default()
            };
            Construction::new(options).expect("a small width and a breadth")
        })
    }
}
