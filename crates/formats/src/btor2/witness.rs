//! Witnesses of BTOR2: reading and writing.
//!
//! A witness is `sat`, a line of claims such as `b0 j1`, frames, and a dot. A frame has a state part, after
//! `#k`, and an input part, after `@k`; each may be missing. A line of a part has the number of the state
//! or input, counted from 0 in the order of the system, bits, and a name that is not looked at. A line for
//! an array has an index before the bits, or `[*]` for all cells that have no line. An unknown bit is `x`.
//! A text may hold several witnesses.
//!
//! A lasso has no mark for the frame at which its loop begins: replaying finds it.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lines::cursor::{Cursor, lines};
use crate::text::{Read, Text};
use bivalve_systems::{Claim, KnownBits, Partial, PartialFrame, PartialWitness, System};
use bivalve_terms::{BitVec, Pool, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// Reads all witnesses of a text.
///
/// # Errors
///
/// The first fault of the text, with its place.
pub fn read_witnesses(
    pool: &Pool,
    system: &System,
    text: &[u8],
    file: &str,
) -> Result<Vec<PartialWitness>, Diagnostic> {
    let text = Text::new(text, file);
    let mut reader = Reader { pool, system, text, listed: FxHashMap::default(), part: None };
    let mut lines = lines(text);
    let mut witnesses = vec![];
    while let Some(first) = lines.next() {
        witnesses.push(reader.witness(first, &mut lines).map_err(|diagnostic| *diagnostic)?);
    }
    Ok(witnesses)
}

/// Which part of a frame is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    States,
    Inputs,
}

struct Reader<'t> {
    pool: &'t Pool,
    system: &'t System,
    text: Text<'t>,
    /// The states or inputs that the part has listed, each with its place in the list.
    listed: FxHashMap<usize, usize>,
    part: Option<Part>,
}

impl<'t> Reader<'t> {
    fn witness(
        &mut self,
        mut line: Cursor<'t>,
        lines: &mut impl Iterator<Item = Cursor<'t>>,
    ) -> Read<PartialWitness> {
        let status = line.word("'sat'")?;
        if self.text.of(&status) != b"sat" {
            return Err(line.unexpected(status, "'sat'"));
        }
        line.end()?;
        let mut witness = PartialWitness::default();
        self.part = None;
        let mut line = lines.next().ok_or_else(|| self.unfinished("claims such as 'b0'"))?;
        while line.more() {
            witness.claims.push(self.claim(&mut line)?);
        }
        loop {
            let mut line = lines.next().ok_or_else(|| self.unfinished("'.' after the last frame"))?;
            let start = line.clone().word("a line")?.start;
            match self.text.bytes[start] {
                b'#' => self.begin(&mut line, &mut witness, Part::States)?,
                b'@' => self.begin(&mut line, &mut witness, Part::Inputs)?,
                b'.' if !witness.frames.is_empty() => {
                    let word = line.word("'.'")?;
                    if word.len() > 1 {
                        return Err(line.unexpected(word, "'.'"));
                    }
                    line.end()?;
                    return Ok(witness);
                }
                _ => self.assignment(&mut line, &mut witness)?,
            }
        }
    }

    fn claim(&self, line: &mut Cursor<'_>) -> Read<Claim> {
        let expected = "a claim such as 'b0' or 'j0'";
        let word = line.word(expected)?;
        let (kind, digits) = self.text.of(&word).split_at(1);
        let (claim, count): (fn(usize) -> Claim, usize) = match kind {
            b"b" => (Claim::Bad, self.system.bads.len()),
            b"j" => (Claim::Justice, self.system.justices.len()),
            _ => return Err(line.unexpected(word, expected)),
        };
        match number(digits) {
            None => Err(line.unexpected(word, expected)),
            Some(number) if number < count => Ok(claim(number)),
            Some(_) => {
                let expected = format!("one of the {count} properties of this kind");
                let found = self.text.shown(&word);
                Err(self.text.refuse(DiagnosticKind::Undeclared, word, expected, found))
            }
        }
    }

    /// The head of a part: states or inputs of a frame.
    fn begin(&mut self, line: &mut Cursor<'_>, witness: &mut PartialWitness, part: Part) -> Read<()> {
        let frames = witness.frames.len();
        let word = line.word("the head of a frame")?;
        let given = number(&self.text.of(&word)[1..]);
        let is_second_part = part == Part::Inputs && self.part == Some(Part::States);
        if is_second_part && given == frames.checked_sub(1) {
            // The inputs of the frame whose states were read.
        } else if given == Some(frames) {
            witness.frames.push(PartialFrame::default());
        } else {
            let expected = match self.part == Some(Part::States) {
                true => format!("'@{}', '#{frames}' or '@{frames}'", frames - 1),
                false => format!("'#{frames}' or '@{frames}'"),
            };
            return Err(line.unexpected(word, &expected));
        }
        line.end()?;
        self.part = Some(part);
        self.listed.clear();
        Ok(())
    }

    /// The value of a state or an input, or a cell of one.
    fn assignment(&mut self, line: &mut Cursor<'_>, witness: &mut PartialWitness) -> Read<()> {
        let (Some(part), Some(frame)) = (self.part, witness.frames.last_mut()) else {
            let word = line.word("a frame")?;
            return Err(line.unexpected(word, "'#0' or '@0'"));
        };
        let (kind, list, terms): (_, _, Vec<Term>) = match part {
            Part::States => ("state", &mut frame.states, self.system.states.iter().map(|s| s.term).collect()),
            Part::Inputs => ("input", &mut frame.inputs, self.system.inputs.iter().map(|i| i.term).collect()),
        };
        let (count, expected) = (terms.len(), format!("the number of a {kind}, a new frame or '.'"));
        let place = line.word(&expected)?;
        let Some(number) = number(self.text.of(&place)) else {
            return Err(line.unexpected(place, &expected));
        };
        let Some(&term) = terms.get(number) else {
            let (expected, found) = (format!("one of {count} {kind}s"), self.text.shown(&place));
            return Err(self.text.refuse(DiagnosticKind::Undeclared, place, expected, found));
        };
        let sort = self.pool.sort(term);
        let twice = |text: Text<'_>, place: Range<usize>| {
            let found = format!("{kind} {number}");
            text.refuse(DiagnosticKind::Taken, place, "each value once in a frame", found)
        };
        let known = self.listed.get(&number).copied();
        match self.pool.sorts().array_parts(sort) {
            None => {
                if known.is_some() {
                    return Err(twice(self.text, place));
                }
                let bits = line.word("bits")?;
                let bits = self.bits(line, bits, sort)?;
                self.listed.insert(number, list.len());
                list.push((number, part_of(sort, bits)));
            }
            Some((index, element)) => {
                let (at, bits) = self.cell(line, index)?;
                let bits = self.bits(line, bits, element)?;
                let known = known.unwrap_or_else(|| {
                    list.push((number, Partial::Cells { cells: BTreeMap::new(), rest: None }));
                    self.listed.insert(number, list.len() - 1);
                    list.len() - 1
                });
                let Partial::Cells { cells, rest } = &mut list[known].1 else {
                    unreachable!("an array has cells")
                };
                let is_new = match at {
                    Some(at) => cells.insert(at, bits).is_none(),
                    None if bits.known.is_ones() => rest.replace(scalar(element, bits.value)).is_none(),
                    None if bits.known.is_zero() => true,
                    None => {
                        let found = "bits of which some are unknown";
                        return Err(self.text.refuse(
                            DiagnosticKind::Unsupported,
                            place,
                            "all bits or none",
                            found,
                        ));
                    }
                };
                if !is_new {
                    return Err(twice(self.text, place));
                }
            }
        }
        line.symbol();
        line.end()
    }

    /// The index of a cell, `None` for all other cells, and where its bits are: in the next word or, as
    /// btorsim prints them, in the same.
    fn cell(&self, line: &mut Cursor<'_>, index: Sort) -> Read<(Option<Value>, Range<usize>)> {
        let expected = "an index in brackets";
        let word = line.word(expected)?;
        let bytes = self.text.of(&word);
        let Some(end) = bytes.iter().position(|&byte| byte == b']').filter(|_| bytes[0] == b'[') else {
            return Err(line.unexpected(word, expected));
        };
        let inside = word.start + 1..word.start + end;
        let at = match self.text.of(&inside) {
            b"*" => None,
            _ => {
                let bits = self.bits(line, inside.clone(), index)?;
                if !bits.known.is_ones() {
                    return Err(line.unexpected(inside, "an index without 'x'"));
                }
                Some(scalar(index, bits.value))
            }
        };
        let rest = word.start + end + 1..word.end;
        Ok((at, if rest.is_empty() { line.word("bits")? } else { rest }))
    }

    /// As many bits as a value of the sort has.
    fn bits(&self, line: &Cursor<'_>, word: Range<usize>, sort: Sort) -> Read<KnownBits> {
        let width = sort.width().unwrap_or(1);
        let digits = self.text.of(&word);
        if digits.len() != width as usize || !digits.iter().all(|digit| matches!(digit, b'0' | b'1' | b'x')) {
            return Err(line.unexpected(word, &format!("{width} bits, each '0', '1' or 'x'")));
        }
        let digit = |i: u32| digits[(width - 1 - i) as usize];
        let value = BitVec::from_fn(width, |i| digit(i) == b'1');
        let known = BitVec::from_fn(width, |i| digit(i) != b'x');
        Ok(KnownBits { value, known })
    }

    fn unfinished(&self, expected: &str) -> Box<Diagnostic> {
        let end = self.text.bytes.len();
        self.text.refuse(DiagnosticKind::Unterminated, end..end, expected, "end of file")
    }
}

/// Decimal digits without a leading zero.
fn number(digits: &[u8]) -> Option<usize> {
    let is_plain =
        digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits.first() != Some(&b'0'));
    std::str::from_utf8(digits).ok().filter(|_| is_plain)?.parse().ok()
}

fn scalar(sort: Sort, bits: BitVec) -> Value {
    if sort.is_bool() { bits.is_one().into() } else { bits.into() }
}

fn part_of(sort: Sort, bits: KnownBits) -> Partial {
    if bits.known.is_ones() { Partial::Exact(scalar(sort, bits.value)) } else { Partial::Bits(bits) }
}

/// How unknown bits are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// As zeros, the value that readers take for what is not listed. Each reader understands that.
    Zero,
    /// As `x`.
    X,
}

/// The text of a witness. What is zero is not left out: the text lists what the witness lists.
///
/// An array whose cells are not zero by default is written cell by cell up to 2^16 of them, and with `[*]`
/// beyond.
pub fn write_witness(pool: &Pool, system: &System, witness: &PartialWitness, unknown: Unknown) -> String {
    let claims: Vec<String> = witness.claims.iter().map(Claim::to_string).collect();
    let frames = witness.frames.iter().enumerate();
    let frames: String =
        frames.map(|(number, frame)| write_frame(pool, system, number, frame, unknown)).collect();
    format!("sat\n{}\n{frames}.\n", claims.join(" "))
}

/// The text of one frame of a witness. A later frame without states has no state part.
pub fn write_frame(
    pool: &Pool,
    system: &System,
    number: usize,
    frame: &PartialFrame,
    unknown: Unknown,
) -> String {
    let mut writer = Writer { pool, text: String::new(), unknown };
    if number == 0 || !frame.states.is_empty() {
        writer.line(format_args!("#{number}"));
    }
    for (place, value) in &frame.states {
        let state = &system.states[*place];
        writer.value(*place, value, state.term, &suffix(&state.name, '#', number));
    }
    writer.line(format_args!("@{number}"));
    for (place, value) in &frame.inputs {
        let input = &system.inputs[*place];
        writer.value(*place, value, input.term, &suffix(&input.name, '@', number));
    }
    writer.text
}

/// The name of a state or input in a frame, with the blank before it.
fn suffix(name: &Option<String>, mark: char, frame: usize) -> String {
    let Some(name) = name else { return String::new() };
    let name: String = name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    format!(" {name}{mark}{frame}")
}

/// Arrays over wider indices are not written cell by cell.
const MAX_INDEX_WIDTH: u32 = 16;

struct Writer<'t> {
    pool: &'t Pool,
    text: String,
    unknown: Unknown,
}

impl Writer<'_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("strings take everything");
    }

    fn value(&mut self, number: usize, value: &Partial, term: Term, suffix: &str) {
        match value {
            Partial::Exact(Value::Array(array)) => {
                let cells = array.entries().map(|(at, cell)| (at.clone(), KnownBits::all(cell))).collect();
                self.cells(number, &cells, Some(array.default()), term, suffix);
            }
            Partial::Exact(value) => {
                let bits = self.bits(&KnownBits::all(value));
                self.line(format_args!("{number} {bits}{suffix}"));
            }
            Partial::Bits(bits) => {
                let bits = self.bits(bits);
                self.line(format_args!("{number} {bits}{suffix}"));
            }
            Partial::Cells { cells, rest } => self.cells(number, cells, rest.as_ref(), term, suffix),
        }
    }

    fn cells(
        &mut self,
        number: usize,
        cells: &BTreeMap<Value, KnownBits>,
        rest: Option<&Value>,
        term: Term,
        suffix: &str,
    ) {
        let sorts = self.pool.sorts();
        let (index, element) = sorts.array_parts(self.pool.sort(term)).expect("internal: cells of a scalar");
        let width = index.width().unwrap_or(1);
        let rest = rest.filter(|rest| **rest != Value::default_of(sorts, element));
        let all;
        let cells = match rest {
            Some(rest) if width <= MAX_INDEX_WIDTH => {
                let index = |i: u64| scalar(index, BitVec::from_u64(i, width));
                let mut full: BTreeMap<Value, KnownBits> =
                    (0..1u64 << width).map(|i| (index(i), KnownBits::all(rest))).collect();
                full.extend(cells.iter().map(|(at, cell)| (at.clone(), cell.clone())));
                all = full;
                &all
            }
            Some(rest) => {
                let bits = self.bits(&KnownBits::all(rest));
                self.line(format_args!("{number} [*] {bits}{suffix}"));
                cells
            }
            None => cells,
        };
        for (at, cell) in cells {
            let (at, bits) = (self.bits(&KnownBits::all(at)), self.bits(cell));
            self.line(format_args!("{number} [{at}] {bits}{suffix}"));
        }
    }

    fn bits(&self, bits: &KnownBits) -> String {
        match self.unknown {
            Unknown::X => bits.to_string(),
            Unknown::Zero => bits.value.and(&bits.known).to_binary_string(),
        }
    }
}
