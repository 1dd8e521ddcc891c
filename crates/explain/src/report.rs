//! An explanation in words: names, values and places in the place of terms.
//!
//! A report is data, for text (`text`), JSON (its fields) and pages. Where only a part of a value matters,
//! its *pattern* is its text with a star for each digit that may be anything: binary, or hexadecimal where
//! each digit matters as a whole. Formulas with very many terms are told by their size. Cost: linear in what
//! is printed, and in the assertions, up to a number of terms.

use crate::{Contradiction, Event, Explanation, Inputs, Relevant, Unit};
use bivalve::terms::print::{self, BitVecFormat, Values};
use bivalve::terms::{BitVec, Pool, Sort, Term, TermMap, Value, cone};
use bivalve_systems::Demand;
use serde::Serialize;

/// Where a formula comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Its place in the input, `file:line:column`; empty if there is none.
    pub place: String,
    /// The name that it was given.
    pub name: Option<String>,
}

/// An explanation of one check.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The place of the check, `file:line:column`; empty if there is none.
    pub place: String,
    /// `sat`, `unsat` or `unknown`.
    pub answer: String,
    /// The course of the check.
    pub timeline: Vec<Event>,
    /// Events that were too many to be kept.
    pub left_out: u64,
    /// After `sat`: the parts of the model that matter.
    pub inputs: Option<InputsReport>,
    /// After `unsat`: what is contradictory.
    pub contradiction: Option<ContradictionReport>,
}

/// What matters of a model.
#[derive(Clone, Debug, Serialize)]
pub struct InputsReport {
    /// By symbol; a symbol that is not here may have any value, and so may cells and results that are not.
    pub parts: Vec<PartReport>,
    /// Symbols that may have any value.
    pub free: Vec<String>,
    /// Nothing of it can be left out.
    pub is_minimal: bool,
    /// It was tried to leave out more than the terms show. If not, some values have no terms, as those of
    /// declared sorts; if it was tried and is not minimal, the budget ended.
    pub is_tried: bool,
    /// The symbols that matter to each assertion.
    pub assertions: Vec<RestReport>,
    /// Assertions that were too many to be listed.
    pub assertions_left_out: usize,
}

/// A part of a value that matters.
#[derive(Clone, Debug, Serialize)]
pub struct PartReport {
    /// The symbol, a cell `m[#x05]`, or a result `f(#b1, #x05)`.
    pub of: String,
    /// The name of the symbol.
    pub symbol: String,
    /// Its value in the model; of a floating-point number in decimal and hexadecimal as well, behind a
    /// semicolon.
    pub value: String,
    /// The same, with a star for each digit that may be anything.
    pub pattern: String,
}

/// An assertion and what it rests on.
#[derive(Clone, Debug, Serialize)]
pub struct RestReport {
    /// Its place.
    pub place: String,
    /// Its name.
    pub name: Option<String>,
    /// The symbols that matter, of those that it mentions.
    pub inputs: Vec<String>,
}

/// What is contradictory.
#[derive(Clone, Debug, Serialize)]
pub struct ContradictionReport {
    /// Conjuncts that are contradictory together.
    pub conjuncts: Vec<ConjunctReport>,
    /// The number of all conjuncts.
    pub of: usize,
    /// Without any one of them the others have a model.
    pub is_minimal: bool,
    /// The bits by which they are contradictory, of all symbols that they mention; none if the budget ended.
    pub bits: Option<Vec<BitsReport>>,
    /// None of the bits can be left out.
    pub bits_are_minimal: bool,
}

/// A conjunct.
#[derive(Clone, Debug, Serialize)]
pub struct ConjunctReport {
    /// The place of the assertion that it is a part of.
    pub place: String,
    /// The name of that assertion.
    pub name: Option<String>,
    /// The conjunct, in SMT-LIB.
    pub text: String,
}

/// The bits of a symbol.
#[derive(Clone, Debug, Serialize)]
pub struct BitsReport {
    /// The symbol.
    pub symbol: String,
    /// What the bits are bits of: its `value`, all `elements` of an array, all `results` of a function, or
    /// the
    /// `whole` of it.
    pub unit: &'static str,
    /// The number of its bits; 1 for the whole.
    pub width: u32,
    /// Relevant ones, as pairs of the highest and the lowest of a run, the highest run first.
    pub relevant: Vec<(u32, u32)>,
}

/// Terms of a formula that is printed.
const PRINTED: usize = 400;

/// Terms of all assertions that are looked at for their symbols.
const LOOKED_AT: usize = 2_000_000;

impl Report {
    /// A report about a check at `place`. `formulas` are those that the explanation numbers, with their
    /// origins; the events and the number of those left out are those of a [`Timeline`](crate::Timeline).
    pub fn new(
        pool: &Pool,
        (place, answer): (&str, &str),
        formulas: &[(Term, Origin)],
        explanation: Option<&Explanation>,
        (timeline, left_out): (Vec<Event>, u64),
    ) -> Report {
        let (mut inputs, mut contradiction) = (None, None);
        match explanation {
            Some(Explanation::Inputs(found)) => inputs = Some(InputsReport::new(pool, formulas, found)),
            Some(Explanation::Contradiction(found)) => {
                contradiction = Some(ContradictionReport::new(pool, formulas, found));
            }
            None => {}
        }
        let (place, answer) = (place.to_owned(), answer.to_owned());
        Report { place, answer, timeline, left_out, inputs, contradiction }
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
    }
}

fn name(pool: &Pool, symbol: Term) -> String {
    print::symbol(pool.name(symbol).unwrap_or_default()).into_owned()
}

/// A formula as text.
pub(crate) fn formula(pool: &Pool, term: Term) -> String {
    match cone(pool, &[term]).len() {
        terms if terms > PRINTED => format!("; a formula of {terms} terms"),
        _ => print::term(pool, term),
    }
}

impl InputsReport {
    fn new(pool: &Pool, formulas: &[(Term, Origin)], inputs: &Inputs) -> InputsReport {
        let mut report = InputsReport {
            parts: vec![],
            free: vec![],
            is_minimal: inputs.is_minimal,
            is_tried: inputs.is_tried,
            assertions: vec![],
            assertions_left_out: 0,
        };
        let mut names = TermMap::new();
        for (symbol, value, part) in &inputs.symbols {
            let Some(part) = part else {
                // What stands for open results is no input.
                if !pool.is_open_symbol(*symbol) {
                    report.free.push(name(pool, *symbol));
                }
                continue;
            };
            names.insert(*symbol, name(pool, *symbol));
            Parts { pool, symbol: *symbol, found: &mut report.parts }.add(
                name(pool, *symbol),
                pool.sort(*symbol),
                value,
                part,
            );
        }
        let mut looked_at = 0;
        for (number, (formula, origin)) in formulas.iter().enumerate() {
            let below = cone(pool, &[*formula]);
            looked_at += below.len();
            if looked_at > LOOKED_AT {
                report.assertions_left_out = formulas.len() - number;
                break;
            }
            let inputs = below.into_iter().filter_map(|term| names.get(term).cloned()).collect();
            let Origin { place, name } = origin.clone();
            report.assertions.push(RestReport { place, name, inputs });
        }
        report
    }
}

/// Collects the parts of one value.
struct Parts<'a> {
    pool: &'a Pool,
    symbol: Term,
    found: &'a mut Vec<PartReport>,
}

impl Parts<'_> {
    fn add(&mut self, of: String, sort: Sort, value: &Value, part: &Demand) {
        let sorts = self.pool.sorts();
        match part {
            Demand::Cells(cells) => {
                let (index, element) = sorts.array_parts(sort).expect("internal: cells of another sort");
                for (at, part) in cells {
                    let of = format!("{of}[{}]", self.text(index, at));
                    self.add(of, element, value.expect_array().select(at), part);
                }
            }
            Demand::Results(results) => {
                let (params, result) = sorts.function_parts(sort).expect("internal: results of another sort");
                for (args, part) in results {
                    let texts: Vec<String> =
                        args.iter().zip(params).map(|(arg, &sort)| self.text(sort, arg)).collect();
                    let of = format!("{of}({})", texts.join(", "));
                    let args: Vec<&Value> = args.iter().collect();
                    self.add(of, result, &value.expect_function().apply(&args), part);
                }
            }
            Demand::Bits(_) | Demand::All => {
                let (value, pattern) = match (part, value) {
                    (Demand::Bits(kept), Value::BitVec(bits)) => pattern(bits, kept),
                    _ => {
                        let text = self.text(sort, value);
                        // As people read a floating-point number, behind what is a comment in SMT-LIB.
                        let text = match value.as_float() {
                            Some(x) => format!("{text} ; {}, {}", x.to_decimal(), x.to_hexadecimal()),
                            None => text,
                        };
                        (text.clone(), text)
                    }
                };
                self.found.push(PartReport { of, symbol: name(self.pool, self.symbol), value, pattern });
            }
        }
    }

    fn text(&self, sort: Sort, value: &Value) -> String {
        let values = Values::new(self.pool, BitVecFormat::Hexadecimal);
        match value {
            Value::Function(function) => values.lambda(sort, function),
            value => values.value(sort, value),
        }
    }
}

/// A bit-vector, and the same with stars for digits that are not kept.
fn pattern(value: &BitVec, kept: &BitVec) -> (String, String) {
    let width = value.width();
    let digit = |low: u32| kept.extract(low + 3, low);
    let is_whole = width.is_multiple_of(4)
        && (0..width).step_by(4).all(|low| digit(low).is_zero() || digit(low).is_ones());
    let (text, per_digit) = match value.to_hex_string().filter(|_| is_whole) {
        Some(digits) => (format!("#x{digits}"), 4),
        None => (format!("#b{}", value.to_binary_string()), 1),
    };
    let digits = (width / per_digit) as usize;
    let star = |(place, digit): (usize, char)| match place.checked_sub(2) {
        Some(place) if !kept.bit((digits - 1 - place) as u32 * per_digit) => '*',
        _ => digit,
    };
    let pattern = text.chars().enumerate().map(star).collect();
    (text, pattern)
}

impl ContradictionReport {
    fn new(pool: &Pool, formulas: &[(Term, Origin)], found: &Contradiction) -> ContradictionReport {
        let conjuncts = found.conjuncts.iter().map(|conjunct| {
            let Origin { place, name } = formulas[conjunct.formula].1.clone();
            ConjunctReport { place, name, text: formula(pool, conjunct.term) }
        });
        ContradictionReport {
            conjuncts: conjuncts.collect(),
            of: found.of,
            is_minimal: found.is_minimal,
            bits_are_minimal: found.bits.as_ref().is_some_and(|bits| bits.is_minimal),
            bits: found.bits.as_ref().map(|bits| bits.symbols.iter().map(|of| bits_of(pool, of)).collect()),
        }
    }
}

fn bits_of(pool: &Pool, Relevant { symbol, unit, relevant }: &Relevant) -> BitsReport {
    let unit = match unit {
        Unit::Value => "value",
        Unit::Elements => "elements",
        Unit::Results => "results",
        Unit::Whole => "whole",
    };
    let mut runs: Vec<(u32, u32)> = vec![];
    for bit in (0..relevant.width()).rev().filter(|&bit| relevant.bit(bit)) {
        match runs.last_mut() {
            Some((_, low)) if *low == bit + 1 => *low = bit,
            _ => runs.push((bit, bit)),
        }
    }
    BitsReport { symbol: name(pool, *symbol), unit, width: relevant.width(), relevant: runs }
}
