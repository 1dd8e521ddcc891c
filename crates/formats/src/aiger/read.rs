//! The reader of AIGER.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lines::bits::truth;
use crate::text::{Read, Text};
use bivalve_systems::{DistinctNames, Input, Justice, Output, Property, State, System};
use bivalve_terms::{Op, Pool, Sort, Term};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Reads an AIGER file into a transition system over terms of `pool`. Messages call the file `file`.
///
/// ```
/// use bivalve_formats::aiger;
/// use bivalve_terms::Pool;
///
/// // A latch that is negated in each step, and shown.
/// let mut pool = Pool::new();
/// let system = aiger::read(&mut pool, b"aag 1 0 1 1 0\n2 3\n2\nl0 toggle\n", "toggle.aag")?;
/// let next = system.states[0].next.expect("a latch has a next value");
/// assert_eq!(pool.display(next).to_string(), "(bvnot toggle)");
/// # Ok::<(), bivalve_formats::Diagnostic>(())
/// ```
///
/// # Errors
///
/// The first fault of the file, with its place.
pub fn read(pool: &mut Pool, text: &[u8], file: &str) -> Result<System, Diagnostic> {
    read_text(pool, Text::new(text, file)).map_err(|refusal| *refusal)
}

pub(crate) fn read_text(pool: &mut Pool, text: Text<'_>) -> Read<System> {
    Reader::read(pool, text)
}

/// The greatest number of variables: their literals are numbers of 32 bits.
const MOST: u64 = (1 << 31) - 1;

/// The numbers of a header.
#[derive(Default)]
struct Header {
    is_binary: bool,
    most: u64,
    inputs: u64,
    latches: u64,
    outputs: u64,
    ands: u64,
    /// Bad states, constraints, justice and fairness.
    more: [u64; 4],
    is_old: bool,
}

/// A latch as it is written: its variable, the literals of its next and reset values.
struct Latch {
    variable: u64,
    next: (u64, Range<usize>),
    reset: Option<(u64, Range<usize>)>,
}

/// A conjunction that is not a term yet.
struct And {
    variable: u64,
    operands: [u64; 2],
    place: Range<usize>,
}

/// Literals with their places, in the order of the sections.
type Literals = Vec<(u64, Range<usize>)>;

struct Reader<'p, 't> {
    pool: &'p mut Pool,
    text: Text<'t>,
    next: usize,
    header: Header,
    /// Terms by variable.
    terms: FxHashMap<u64, Term>,
}

impl<'t> Reader<'_, 't> {
    fn read(pool: &mut Pool, text: Text<'t>) -> Read<System> {
        let mut reader =
            Reader { pool, text, next: 0, header: Header::default(), terms: FxHashMap::default() };
        reader.header = reader.header()?;
        let inputs = reader.inputs()?;
        let latches = reader.latches(inputs.len() as u64)?;
        let outputs = reader.literals(reader.header.outputs)?;
        let [bads, constraints] = [0, 1].map(|section| reader.header.more[section]);
        let (bads, constraints) = (reader.literals(bads)?, reader.literals(constraints)?);
        let justices = reader.justices()?;
        let fairs = reader.literals(reader.header.more[3])?;
        let ands = reader.ands()?;
        let mut names = reader.symbols()?;
        let mut distinct = DistinctNames::new();
        let mut system = System::default();
        for (number, variable) in inputs.into_iter().enumerate() {
            reader.go_on()?;
            let name = names.remove(&(b'i', number as u64));
            let term = reader.leaf(variable, name.as_deref(), &format!("i{number}"), &mut distinct);
            system.inputs.push(Input { term, name });
        }
        for (number, latch) in latches.iter().enumerate() {
            let name = names.remove(&(b'l', number as u64));
            let term = reader.leaf(latch.variable, name.as_deref(), &format!("l{number}"), &mut distinct);
            system.states.push(State { term, init: None, next: None, name });
        }
        reader.build(ands)?;
        for (state, latch) in system.states.iter_mut().zip(latches) {
            let Latch { variable, next, reset } = latch;
            state.next = Some(reader.term(&next)?);
            state.init = match reset {
                None => Some(reader.pool.bv_u64(0, 1)),
                Some((value @ (0 | 1), _)) => Some(reader.pool.bv_u64(value, 1)),
                Some((value, _)) if value == 2 * variable => None,
                Some((_, place)) => return Err(reader.unexpected(place, "0, 1 or the latch itself")),
            };
        }
        let mut properties =
            |reader: &mut Reader<'_, 't>, literals: Literals, kind: u8| -> Read<Vec<Property>> {
                let numbered = literals.iter().enumerate();
                let property = |(number, literal)| {
                    let bit = reader.term(literal)?;
                    let name = names.remove(&(kind, number as u64));
                    Ok(Property { term: truth(reader.pool, bit), name })
                };
                numbered.map(property).collect()
            };
        let outputs = properties(&mut reader, outputs, b'o')?;
        system.bads = properties(&mut reader, bads, b'b')?;
        system.constraints = properties(&mut reader, constraints, b'c')?;
        system.fairs = properties(&mut reader, fairs, b'f')?;
        for literals in justices {
            let terms = properties(&mut reader, literals, 0)?.into_iter().map(|p| p.term).collect();
            system.justices.push(Justice { terms, name: None });
        }
        for (number, justice) in system.justices.iter_mut().enumerate() {
            justice.name = names.remove(&(b'j', number as u64));
        }
        match reader.header.is_old {
            true => system.bads = outputs,
            false => {
                system.outputs = outputs.into_iter().map(|p| Output { term: p.term, name: p.name }).collect();
            }
        }
        Ok(system)
    }

    fn header(&mut self) -> Read<Header> {
        let tag = self.word("'aag' or 'aig'")?;
        let is_binary = match self.text.of(&tag) {
            b"aag" => false,
            b"aig" => true,
            _ => return Err(self.unexpected(tag, "'aag' or 'aig'")),
        };
        let mut numbers = vec![];
        while !self.at_line_end() {
            let (number, place) = self.number("a number of the header")?;
            match numbers.len() {
                0 if number > MOST => {
                    return Err(self.unexpected(place, &format!("a number of variables up to {MOST}")));
                }
                9 => return Err(self.unexpected(place, "end of line")),
                _ => {}
            }
            numbers.push(number);
        }
        self.end_line()?;
        let &[most, inputs, latches, outputs, ands, ref more @ ..] = &numbers[..] else {
            let found = format!("{} numbers", numbers.len());
            let expected = "a header of at least five numbers";
            return Err(self.text.refuse(DiagnosticKind::Syntax, tag, expected, found));
        };
        let mut sections = [0; 4];
        sections[..more.len()].copy_from_slice(more);
        let sum = inputs.checked_add(latches).and_then(|sum| sum.checked_add(ands));
        if sum.is_none_or(|sum| sum > most || (is_binary && sum != most)) {
            return Err(self.unexpected(tag, "a header whose first number covers inputs, latches and gates"));
        }
        let is_old = more.is_empty();
        Ok(Header { is_binary, most, inputs, latches, outputs, ands, more: sections, is_old })
    }

    /// A step of reading, where it is.
    fn go_on(&self) -> Read<()> {
        self.text.go_on(self.next..self.next)
    }

    /// The variables of the inputs.
    fn inputs(&mut self) -> Read<Vec<u64>> {
        if self.header.is_binary {
            // A header of some bytes has any number of them.
            return (1..=self.header.inputs).map(|variable| self.go_on().map(|()| variable)).collect();
        }
        (0..self.header.inputs)
            .map(|_| self.definition("an input").and_then(|v| self.end_line().map(|()| v)))
            .collect()
    }

    /// The variable that the next literal, which is even, defines.
    fn definition(&mut self, what: &str) -> Read<u64> {
        let (literal, place) = self.number(what)?;
        let is_new = literal >= 2 && literal % 2 == 0 && literal / 2 <= self.header.most;
        if !is_new || self.terms.contains_key(&(literal / 2)) {
            return Err(self.unexpected(place, &format!("{what}: an even literal that is not defined yet")));
        }
        // Its term is made when its name is known.
        let zero = self.pool.bv_u64(0, 1);
        self.terms.insert(literal / 2, zero);
        Ok(literal / 2)
    }

    fn latches(&mut self, inputs: u64) -> Read<Vec<Latch>> {
        let mut latches = vec![];
        for number in 0..self.header.latches {
            self.go_on()?;
            let variable = match self.header.is_binary {
                true => inputs + number + 1,
                false => self.definition("a latch")?,
            };
            let next = self.literal()?;
            let reset = if self.at_line_end() { None } else { Some(self.literal()?) };
            self.end_line()?;
            latches.push(Latch { variable, next, reset });
        }
        Ok(latches)
    }

    fn literal(&mut self) -> Read<(u64, Range<usize>)> {
        let (literal, place) = self.number("a literal")?;
        match literal / 2 <= self.header.most {
            true => Ok((literal, place)),
            false => Err(self.unexpected(place, &format!("a literal up to {}", 2 * self.header.most + 1))),
        }
    }

    fn literals(&mut self, count: u64) -> Read<Literals> {
        (0..count).map(|_| self.literal().and_then(|literal| self.end_line().map(|()| literal))).collect()
    }

    fn justices(&mut self) -> Read<Vec<Literals>> {
        let mut sizes = vec![];
        for _ in 0..self.header.more[2] {
            sizes.push(self.number("a number of conditions")?.0);
            self.end_line()?;
        }
        sizes.into_iter().map(|size| self.literals(size)).collect()
    }

    fn ands(&mut self) -> Read<Vec<And>> {
        let mut ands = vec![];
        for number in 0..self.header.ands {
            self.go_on()?;
            let start = self.next;
            if !self.header.is_binary {
                let variable = self.definition("a gate")?;
                let operands = [self.literal()?.0, self.literal()?.0];
                ands.push(And { variable, operands, place: start..self.next });
                self.end_line()?;
                continue;
            }
            let variable = self.header.inputs + self.header.latches + number + 1;
            let (first, second) = (self.difference()?, self.difference()?);
            let large = (2 * variable).checked_sub(first).filter(|&large| large < 2 * variable);
            let operands = large.and_then(|large| Some([large, large.checked_sub(second)?]));
            let place = start..self.next;
            match operands {
                Some(operands) => ands.push(And { variable, operands, place }),
                None => {
                    let found = "a difference out of range";
                    let expected = "a gate over smaller literals";
                    return Err(self.text.refuse(DiagnosticKind::Lexical, place, expected, found));
                }
            }
        }
        Ok(ands)
    }

    /// Seven bits a byte, least significant first; the highest bit says that more follow.
    fn difference(&mut self) -> Read<u64> {
        let (start, mut value) = (self.next, 0);
        for shift in (0..).step_by(7) {
            let byte = self.text.bytes.get(self.next).copied().filter(|_| shift < 56);
            let Some(byte) = byte else {
                let place = start..self.next;
                return Err(self.text.refuse(DiagnosticKind::Lexical, place, "a difference", "end of input"));
            };
            self.next += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(value)
    }

    /// Names by the letter of their section and the number in it.
    fn symbols(&mut self) -> Read<FxHashMap<(u8, u64), String>> {
        let mut names = FxHashMap::default();
        loop {
            let rest = &self.text.bytes[self.next..];
            let Some(&kind) = rest.first() else { break };
            if kind == b'c' && !rest.get(1).is_some_and(u8::is_ascii_digit) {
                break;
            }
            if !b"ilobcjf".contains(&kind) {
                let place = self.next..self.next + 1;
                return Err(self.unexpected(place, "a symbol, a comment or the end"));
            }
            self.next += 1;
            let (number, _) = self.number("the number of a symbol")?;
            let start = (self.next + 1).min(self.text.bytes.len());
            let end = memchr::memchr(b'\n', &self.text.bytes[start..])
                .map_or(self.text.bytes.len(), |at| start + at);
            let name =
                String::from_utf8_lossy(&self.text.bytes[start..end]).trim_end_matches('\r').to_owned();
            names.insert((kind, number), name);
            self.next = (end + 1).min(self.text.bytes.len());
        }
        Ok(names)
    }

    fn leaf(
        &mut self,
        variable: u64,
        name: Option<&str>,
        otherwise: &str,
        names: &mut DistinctNames,
    ) -> Term {
        let distinct = names.distinct(name.filter(|name| !name.is_empty()).unwrap_or(otherwise));
        let term = self.pool.symbol(&distinct, Sort::bitvec(1).expect("a bit is a sort"));
        self.terms.insert(variable, term);
        term
    }

    /// Builds the gates, which may stand in any order in an ASCII file.
    fn build(&mut self, ands: Vec<And>) -> Read<()> {
        let places: FxHashMap<u64, usize> =
            ands.iter().enumerate().map(|(i, and)| (and.variable, i)).collect();
        // 0: not seen, 1: its operands are being built, 2: built.
        let mut states = vec![0u8; ands.len()];
        for root in 0..ands.len() {
            let mut stack = vec![root];
            while let Some(&top) = stack.last() {
                let And { variable, operands, place } = &ands[top];
                let missing = operands.iter().filter_map(|literal| places.get(&(literal / 2)).copied());
                let missing = missing.into_iter().find(|&below| states[below] != 2);
                match missing {
                    _ if states[top] == 2 => drop(stack.pop()),
                    Some(below) if states[below] == 1 || below == top => {
                        let found = "a cycle of gates";
                        let expected = "a gate over inputs, latches and other gates";
                        return Err(self.text.refuse(DiagnosticKind::Syntax, place.clone(), expected, found));
                    }
                    Some(below) => {
                        states[top] = 1;
                        stack.push(below);
                    }
                    None => {
                        let args = [
                            self.term(&(operands[0], place.clone()))?,
                            self.term(&(operands[1], place.clone()))?,
                        ];
                        let term = self.pool.mk(Op::BvAnd, &args);
                        self.terms.insert(*variable, term);
                        states[top] = 2;
                        stack.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// The term of a literal.
    fn term(&mut self, (literal, place): &(u64, Range<usize>)) -> Read<Term> {
        if *literal < 2 {
            return Ok(self.pool.bv_u64(*literal, 1));
        }
        let Some(&term) = self.terms.get(&(literal / 2)) else {
            return Err(self.unexpected(place.clone(), "a literal that is defined"));
        };
        Ok(if literal % 2 == 0 { term } else { self.pool.mk(Op::BvNot, &[term]) })
    }

    fn skip_blanks(&mut self) {
        while matches!(self.text.bytes.get(self.next), Some(b' ' | b'\t' | b'\r')) {
            self.next += 1;
        }
    }

    fn at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.text.bytes.get(self.next), None | Some(b'\n'))
    }

    fn end_line(&mut self) -> Read<()> {
        if !self.at_line_end() {
            let word = self.word("end of line")?;
            return Err(self.unexpected(word, "end of line"));
        }
        self.next = (self.next + 1).min(self.text.bytes.len());
        Ok(())
    }

    fn word(&mut self, expected: &str) -> Read<Range<usize>> {
        self.skip_blanks();
        let rest = &self.text.bytes[self.next..];
        let length = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let place = self.next..self.next + length;
        if length == 0 {
            let found = if rest.is_empty() { "end of input" } else { "end of line" };
            return Err(self.text.refuse(DiagnosticKind::Syntax, place, expected, found));
        }
        self.next += length;
        Ok(place)
    }

    fn number(&mut self, expected: &str) -> Read<(u64, Range<usize>)> {
        let word = self.word(expected)?;
        let digits = self.text.of(&word);
        let value = std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_digit));
        match value.and_then(|text| text.parse().ok()) {
            Some(value) => Ok((value, word)),
            None => Err(self.unexpected(word, expected)),
        }
    }

    #[cold]
    fn unexpected(&self, place: Range<usize>, expected: &str) -> Box<Diagnostic> {
        let found = self.text.shown(&place);
        self.text.refuse(DiagnosticKind::Syntax, place, expected, found)
    }
}
