//! Witnesses of AIGER, as the model checking competition has them: reading and writing.
//!
//! A witness is `1`, a line of claims such as `b0`, a line with the values of all latches in the first frame,
//! a line with those of all inputs for each frame, and a dot. An unknown bit is `x`. A text may hold several
//! witnesses; what follows `c` in a line is a comment.

use crate::btor2::Unknown;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::text::{Read, Text};
use bivalve_systems::{Claim, KnownBits, Partial, PartialFrame, PartialWitness, State, System};
use bivalve_terms::{BitVec, Pool, Sort, Term, Value};
use std::ops::Range;

/// The text of a witness of a system whose states and inputs are bits; none for another system.
pub fn write_witness(
    pool: &Pool,
    system: &System,
    witness: &PartialWitness,
    unknown: Unknown,
) -> Option<String> {
    let is_bit = |term: Term| matches!(pool.sort(term).width(), Some(1)) || pool.sort(term).is_bool();
    if !system.symbols().all(is_bit) {
        return None;
    }
    let bit = |part: Option<&Partial>| match (part, unknown) {
        (Some(Partial::Exact(Value::Bool(value))), _) => char::from(b'0' + u8::from(*value)),
        (Some(Partial::Exact(Value::BitVec(bits))), _) => char::from(b'0' + u8::from(bits.bit(0))),
        (Some(Partial::Bits(bits)), _) if bits.known.bit(0) => char::from(b'0' + u8::from(bits.value.bit(0))),
        (_, Unknown::X) => 'x',
        (_, Unknown::Zero) => '0',
    };
    let listed = |list: &[(usize, Partial)], number: usize| {
        list.iter().find(|(place, _)| *place == number).map(|(_, part)| part.clone())
    };
    let claims: Vec<String> = witness.claims.iter().map(Claim::to_string).collect();
    let first = witness.frames.first()?;
    let latch = |(number, state): (usize, &State)| {
        let initial = state.init.and_then(|init| pool.as_value(init)).map(Partial::Exact);
        bit(initial.or_else(|| listed(&first.states, number)).as_ref())
    };
    let latches: String = system.states.iter().enumerate().map(latch).collect();
    let frame = |frame: &PartialFrame| {
        let inputs = (0..system.inputs.len()).map(|number| bit(listed(&frame.inputs, number).as_ref()));
        inputs.chain(['\n']).collect::<String>()
    };
    let frames: String = witness.frames.iter().map(frame).collect();
    Some(format!("1\n{}\n{latches}\n{frames}.\n", claims.join(" ")))
}

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
    let mut reader = Reader { pool, system, text: Text::new(text, file), at: 0 };
    let mut witnesses = vec![];
    while let Some(line) = reader.line() {
        // Between witnesses there may be lines without one.
        if !line.is_empty() {
            witnesses.push(reader.witness(line).map_err(|diagnostic| *diagnostic)?);
        }
    }
    Ok(witnesses)
}

struct Reader<'t> {
    pool: &'t Pool,
    system: &'t System,
    text: Text<'t>,
    at: usize,
}

impl Reader<'_> {
    /// The next line that is no comment, without what ends it.
    fn line(&mut self) -> Option<Range<usize>> {
        loop {
            let (start, bytes) = (self.at, self.text.bytes);
            if start >= bytes.len() {
                return None;
            }
            let length = bytes[start..].iter().position(|&byte| byte == b'\n');
            let mut end = length.map_or(bytes.len(), |length| start + length);
            self.at = end + 1;
            if bytes[start..end].last() == Some(&b'\r') {
                end -= 1;
            }
            if bytes[start..end].first() != Some(&b'c') {
                return Some(start..end);
            }
        }
    }

    fn expected(&mut self, what: &str) -> Read<Range<usize>> {
        self.line().ok_or_else(|| {
            let end = self.text.bytes.len();
            self.text.refuse(DiagnosticKind::Unterminated, end..end, what, "end of file")
        })
    }

    fn unexpected<T>(&self, place: Range<usize>, expected: &str) -> Read<T> {
        let found = if place.is_empty() { "an empty line".into() } else { self.text.shown(&place) };
        Err(self.text.refuse(DiagnosticKind::Syntax, place, expected, found))
    }

    fn witness(&mut self, status: Range<usize>) -> Read<PartialWitness> {
        if self.text.of(&status) != b"1" {
            return self.unexpected(status, "'1'");
        }
        let claims = self.expected("claims such as 'b0'")?;
        let mut witness = PartialWitness { claims: self.claims(claims)?, ..PartialWitness::default() };
        let latches = self.expected("the values of the latches")?;
        let states = self.bits(latches, "latches", self.system.states.iter().map(|state| state.term))?;
        loop {
            let line = self.expected("'.' after the last frame")?;
            if self.text.of(&line) == b"." {
                let Some(first) = witness.frames.first_mut() else {
                    return self.unexpected(line, "the values of the inputs in the first frame");
                };
                first.states = states;
                return Ok(witness);
            }
            let inputs = self.bits(line, "inputs", self.system.inputs.iter().map(|input| input.term))?;
            witness.frames.push(PartialFrame { states: vec![], inputs });
        }
    }

    fn claims(&self, line: Range<usize>) -> Read<Vec<Claim>> {
        let mut claims = vec![];
        let text = String::from_utf8_lossy(self.text.of(&line)).into_owned();
        for word in text.split_ascii_whitespace() {
            let number = word.get(1..).and_then(|digits| digits.parse::<usize>().ok());
            claims.push(match (word.as_bytes()[0], number) {
                (b'b', Some(number)) if number < self.system.bads.len() => Claim::Bad(number),
                (b'j', Some(number)) if number < self.system.justices.len() => Claim::Justice(number),
                _ => {
                    return self.unexpected(line, "claims such as 'b0' or 'j0', of properties of the system");
                }
            });
        }
        if claims.is_empty() { self.unexpected(line, "claims such as 'b0' or 'j0'") } else { Ok(claims) }
    }

    /// A bit for each term.
    fn bits(
        &self,
        line: Range<usize>,
        what: &str,
        terms: impl ExactSizeIterator<Item = Term>,
    ) -> Read<Vec<(usize, Partial)>> {
        let digits = self.text.of(&line);
        if digits.len() != terms.len() || !digits.iter().all(|digit| matches!(digit, b'0' | b'1' | b'x')) {
            let expected = format!("{} {what}, each '0', '1' or 'x'", terms.len());
            return self.unexpected(line, &expected);
        }
        let mut parts = vec![];
        for (number, (term, digit)) in terms.zip(digits).enumerate() {
            let sort = self.pool.sort(term);
            if sort.width() != Some(1) && !sort.is_bool() {
                return self.unexpected(line, "a witness in BTOR2: not all states and inputs are bits");
            }
            parts.push((number, part(sort, *digit)));
        }
        Ok(parts)
    }
}

fn part(sort: Sort, digit: u8) -> Partial {
    let value = BitVec::from_u64(u64::from(digit == b'1'), 1);
    match digit {
        b'x' => Partial::Bits(KnownBits { value, known: BitVec::zero(1) }),
        _ if sort.is_bool() => Partial::Exact(Value::Bool(digit == b'1')),
        _ => Partial::Exact(Value::BitVec(value)),
    }
}
