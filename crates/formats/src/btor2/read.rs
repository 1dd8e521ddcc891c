//! The reader of BTOR2: one line after the other.

use super::info;
use super::strict::check_layout;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lines::bits::{bits, plain, truth, width};
use crate::lines::cursor::{Cursor, lines};
use crate::lines::numbers;
use crate::lines::operators::{Misfit, Operator, operator, same_sort, shown_sort};
use crate::mismatch::{Mismatch, a_width};
use crate::smtlib::ParserOptions;
use crate::text::{Read, Text};
use bivalve_systems::{Design, DistinctNames, Fault, Input, Justice, Output, Property, State, System};
use bivalve_terms::{BitVec, Op, Pool, Sort, SortError, Term, TermMap};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The greatest number of a line, as in btor2parser.
pub(super) const MOST_IDS: u64 = (1 << 40) - 1;

/// Reads a BTOR2 text into a transition system over terms of `pool`. Messages call the text `file`.
///
/// ```
/// use bivalve_formats::btor2;
/// use bivalve_terms::Pool;
///
/// let text = b"1 sort bitvec 8\n2 state 1 count\n3 one 1\n4 add 1 2 3\n5 next 1 2 4\n";
/// let mut pool = Pool::new();
/// let system = btor2::read(&mut pool, text, "counter.btor2", Default::default())?;
/// let next = system.states[0].next.expect("line 5 defines it");
/// assert_eq!(pool.display(next).to_string(), "(bvadd count #b00000001)");
/// # Ok::<(), bivalve_formats::Diagnostic>(())
/// ```
///
/// # Errors
///
/// The first fault of the text, with its place.
pub fn read(pool: &mut Pool, text: &[u8], file: &str, options: ParserOptions) -> Result<System, Diagnostic> {
    read_text(pool, Text::new(text, file), options).map_err(|refusal| *refusal)
}

pub(crate) fn read_text(pool: &mut Pool, text: Text<'_>, options: ParserOptions) -> Read<System> {
    Ok(reader(pool, text, options)?.system)
}

/// Reads a system as [`read`] does, and what Yosys's `write_btor -i` writes beside it.
///
/// # Errors
///
/// The first fault of either text, with its place.
pub fn read_with_info(
    pool: &mut Pool,
    [text, info]: [&[u8]; 2],
    [file, info_file]: [&str; 2],
    options: ParserOptions,
) -> Result<(System, Design), Diagnostic> {
    let reader = reader(pool, Text::new(text, file), options).map_err(|refusal| *refusal)?;
    let design = info::read(reader.pool, Text::new(info, info_file), &reader.lines);
    Ok((reader.system, design.map_err(|refusal| *refusal)?))
}

/// The numbers of the lines of inputs and states, in the order of the system, of a text that was read.
pub fn numbers(text: &[u8]) -> [Vec<u64>; 2] {
    let mut found = [vec![], vec![]];
    for mut line in lines(Text::new(text, "")) {
        let number = line.number("a number", 1, MOST_IDS);
        if let (Ok((number, _)), Ok(word)) = (number, line.word("a word")) {
            match line.text.of(&word) {
                b"input" => found[0].push(number),
                b"state" => found[1].push(number),
                _ => {}
            }
        }
    }
    found
}

fn reader<'p>(pool: &'p mut Pool, text: Text<'_>, options: ParserOptions) -> Read<Reader<'p>> {
    let mut reader = Reader {
        pool,
        strict: options.strict,
        last: 0,
        lines: FxHashMap::default(),
        states: TermMap::new(),
        order: Vec::new(),
        names: DistinctNames::new(),
        labels: TermMap::new(),
        system: System::default(),
    };
    reader.read(text).map_err(|refusal| *refusal)?;
    Ok(reader)
}

/// What the number of a line stands for.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    Sort(Sort),
    Node(Term),
    /// A line without a value, by its word.
    Nothing(&'static str),
}

/// What the reader remembers of a state beside the system.
struct Place {
    /// The number of the state's line.
    id: u64,
    /// The line of its initial value.
    init: Range<usize>,
}

struct Reader<'p> {
    pool: &'p mut Pool,
    strict: bool,
    /// The greatest number of a line.
    last: u64,
    lines: FxHashMap<u64, Meaning>,
    /// The positions of states in the system, by symbol.
    states: TermMap<usize>,
    order: Vec<Place>,
    names: DistinctNames,
    /// The terms whose name has been noted.
    labels: TermMap<()>,
    system: System,
}

impl Reader<'_> {
    fn read(&mut self, text: Text<'_>) -> Read<()> {
        if self.strict {
            check_layout(text)?;
        }
        for mut line in lines(text) {
            text.go_on(line.line())?;
            self.line(&mut line)?;
            line.end()?;
        }
        self.check(text)
    }

    fn line(&mut self, line: &mut Cursor<'_>) -> Read<()> {
        let (id, place) = line.number("the number of a line", 1, MOST_IDS)?;
        if id <= self.last && (self.strict || self.lines.contains_key(&id)) {
            let expected = format!("a number above {}", self.last);
            return Err(line.unexpected(place, &expected));
        }
        self.last = self.last.max(id);
        let word = line.word("an operator of BTOR2")?;
        let meaning = match line.text.of(&word) {
            b"sort" => Meaning::Sort(self.sort(line)?),
            b"init" => self.init(line)?,
            b"next" => self.next(line)?,
            b"bad" => Meaning::Nothing(self.property(line, "bad", |system| &mut system.bads)?),
            b"constraint" => {
                Meaning::Nothing(self.property(line, "constraint", |system| &mut system.constraints)?)
            }
            b"fair" => Meaning::Nothing(self.property(line, "fair", |system| &mut system.fairs)?),
            b"justice" => self.justice(line)?,
            b"output" => self.output(line)?,
            b"input" => Meaning::Node(self.input(line, id)?),
            b"state" => Meaning::Node(self.state(line, id)?),
            name => {
                let node = self.node(line, name, &word)?;
                // Inputs, states and constants have no other names.
                if let Some(name) = self.name(line)
                    && !self.pool.args(node).is_empty()
                    && self.labels.insert(node, ()).is_none()
                {
                    self.system.named.push(Output { term: node, name: Some(name) });
                }
                Meaning::Node(node)
            }
        };
        self.lines.insert(id, meaning);
        Ok(())
    }

    fn sort(&mut self, line: &mut Cursor<'_>) -> Read<Sort> {
        let word = line.word("'bitvec' or 'array'")?;
        match line.text.of(&word) {
            b"bitvec" => {
                let (bits, _) = line.number(&a_width(), 1, u64::from(BitVec::MAX_WIDTH))?;
                Ok(Sort::bitvec(bits as u32).expect("the width is within its bounds"))
            }
            b"array" => {
                let (index, first) = self.sort_of(line)?;
                let (element, second) = self.sort_of(line)?;
                for (sort, place) in [(index, first), (element, second)] {
                    if !sort.is_bitvec() {
                        let found = shown_sort(self.pool, sort);
                        let expected = "a bit-vector sort (nested arrays are not read)";
                        return Err(line.text.refuse(DiagnosticKind::Unsupported, place, expected, found));
                    }
                }
                Ok(self.pool.sorts_mut().array(index, element).expect("bit-vectors make an array"))
            }
            _ => Err(line.unexpected(word, "'bitvec' or 'array'")),
        }
    }

    /// The sort that the next number stands for.
    fn sort_of(&mut self, line: &mut Cursor<'_>) -> Read<(Sort, Range<usize>)> {
        let (id, place) = line.number("the number of a sort", 1, MOST_IDS)?;
        match self.lines.get(&id) {
            Some(&Meaning::Sort(sort)) => Ok((sort, place)),
            other => Err(wrong(line, place, "the number of a sort", other)),
        }
    }

    /// The node that the next number stands for, complemented if the number is negative.
    fn argument(&mut self, line: &mut Cursor<'_>) -> Read<(Term, Range<usize>)> {
        const EXPECTED: &str = "the number of a node";
        let place = line.word(EXPECTED)?;
        let text = line.text.of(&place);
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let is_number = digits.iter().all(u8::is_ascii_digit) && digits.first().is_some_and(|&d| d != b'0');
        let id = std::str::from_utf8(digits).ok().filter(|_| is_number).and_then(|text| text.parse().ok());
        let Some(id) = id else { return Err(line.unexpected(place, EXPECTED)) };
        let &Meaning::Node(term) = self.lines.get(&id).unwrap_or(&Meaning::Nothing("")) else {
            return Err(wrong(line, place, EXPECTED, self.lines.get(&id)));
        };
        if digits.len() == text.len() {
            return Ok((term, place));
        }
        let not = operator(b"not").expect("the table has a row for it");
        match not.apply(self.pool, &[term]) {
            Ok(term) => Ok((term, place)),
            Err(misfit) => {
                let expected = "a bit-vector below the minus sign";
                Err(line.text.refuse(DiagnosticKind::Sort, place, expected, misfit.found))
            }
        }
    }

    /// A node that is neither input nor state.
    fn node(&mut self, line: &mut Cursor<'_>, name: &[u8], word: &Range<usize>) -> Read<Term> {
        let is_constant = matches!(name, b"one" | b"ones" | b"zero" | b"const" | b"constd" | b"consth");
        // Old files have two operators under their names in BTOR.
        let row = match name {
            b"ne" if !self.strict => operator(b"neq"),
            b"cond" if !self.strict => operator(b"ite"),
            _ => operator(name),
        };
        if row.is_none() && !is_constant && !matches!(name, b"sext" | b"uext" | b"slice") {
            return Err(line.unexpected(word.clone(), "an operator of BTOR2"));
        }
        let (sort, place) = self.sort_of(line)?;
        if is_constant {
            let Some(bits) = sort.width() else {
                let found = shown_sort(self.pool, sort);
                return Err(line.text.refuse(DiagnosticKind::Sort, place, "a bit-vector sort", found));
            };
            let value = constant(line, name, bits)?;
            return Ok(self.pool.bitvec(&value));
        }
        let term = match row {
            Some(row) => self.application(line, row)?,
            None => self.indexed(line, name)?,
        };
        let is_loose = !self.strict && self.is_comparison_of(term, sort);
        if !has_sort(self.pool, term, sort) && !is_loose {
            let expected = format!("the sort of the result, {}", shown_sort(self.pool, self.pool.sort(term)));
            let found = shown_sort(self.pool, sort);
            return Err(line.text.refuse(DiagnosticKind::Sort, place, expected, found));
        }
        Ok(term)
    }

    /// Whether a bit was called by the sort of the words that are compared, as the files of unicorn do, whose
    /// reader makes a bit of it.
    fn is_comparison_of(&self, term: Term, sort: Sort) -> bool {
        let args = self.pool.args(term);
        self.pool.sort(term).is_bool()
            && !args.is_empty()
            && args.iter().all(|&arg| has_sort(self.pool, arg, sort))
    }

    fn application(&mut self, line: &mut Cursor<'_>, row: &Operator) -> Read<Term> {
        let mut args = Vec::with_capacity(row.arity);
        let mut places = Vec::with_capacity(row.arity);
        for _ in 0..row.arity {
            let (arg, place) = self.argument(line)?;
            args.push(arg);
            places.push(place);
        }
        row.apply(self.pool, &args).map_err(|Misfit { argument, expected, found }| {
            line.text.refuse(DiagnosticKind::Sort, places[argument].clone(), expected, found)
        })
    }

    fn indexed(&mut self, line: &mut Cursor<'_>, name: &[u8]) -> Read<Term> {
        let (arg, place) = self.argument(line)?;
        let Some(bits_of_arg) = width(self.pool, arg) else {
            let found = shown_sort(self.pool, self.pool.sort(arg));
            return Err(line.text.refuse(DiagnosticKind::Sort, place, "a bit-vector", found));
        };
        let arg = bits(self.pool, arg);
        let built = if name == b"slice" {
            let most = u64::from(bits_of_arg) - 1;
            let (high, _) = line.number(&format!("a bit from 0 to {most}"), 0, most)?;
            let (low, _) = line.number(&format!("a bit from 0 to {high}"), 0, high)?;
            self.pool.extract(high as u32, low as u32, arg)
        } else {
            let (extra, place) = line.number("a number of bits", 0, u64::from(u32::MAX))?;
            let op = if name == b"sext" { Op::SignExtend } else { Op::ZeroExtend };
            let built = self.pool.indexed(op, &[extra as u32], &[arg]);
            return built.map(|term| plain(self.pool, term)).map_err(|refusal| refused(line, place, refusal));
        };
        let place = line.line();
        built.map(|term| plain(self.pool, term)).map_err(|refusal| refused(line, place, refusal))
    }

    fn name(&mut self, line: &mut Cursor<'_>) -> Option<String> {
        line.symbol().map(|word| line.string(&word))
    }

    /// A new symbol: its name in the text, and the term.
    fn symbol(&mut self, line: &mut Cursor<'_>, kind: &str, id: u64) -> Read<(Option<String>, Term)> {
        let (sort, _) = self.sort_of(line)?;
        let name = self.name(line);
        let distinct = match &name {
            Some(name) => self.names.distinct(name),
            None => self.names.distinct(&format!("{kind}{id}")),
        };
        Ok((name, self.pool.symbol(&distinct, sort)))
    }

    fn input(&mut self, line: &mut Cursor<'_>, id: u64) -> Read<Term> {
        let (name, term) = self.symbol(line, "input", id)?;
        self.system.inputs.push(Input { term, name });
        Ok(term)
    }

    fn state(&mut self, line: &mut Cursor<'_>, id: u64) -> Read<Term> {
        let (name, term) = self.symbol(line, "state", id)?;
        self.states.insert(term, self.system.states.len());
        self.system.states.push(State { term, init: None, next: None, name });
        self.order.push(Place { id, init: 0..0 });
        Ok(term)
    }

    /// The state, the value and their places of a line that defines a value of a state.
    fn definition(&mut self, line: &mut Cursor<'_>) -> Read<(usize, Term, Range<usize>)> {
        let (sort, sort_place) = self.sort_of(line)?;
        let (id, place) = line.number("the number of a state", 1, MOST_IDS)?;
        let state = match self.lines.get(&id) {
            Some(&Meaning::Node(term)) if self.states.contains(term) => term,
            other => return Err(wrong(line, place, "the number of a state", other)),
        };
        if self.pool.sort(state) != sort {
            let expected = format!("the sort of the state, {}", shown_sort(self.pool, self.pool.sort(state)));
            let found = shown_sort(self.pool, sort);
            return Err(line.text.refuse(DiagnosticKind::Sort, sort_place, expected, found));
        }
        let (value, place) = self.argument(line)?;
        Ok((self.states.get(state).copied().unwrap_or_default(), value, place))
    }

    fn init(&mut self, line: &mut Cursor<'_>) -> Read<Meaning> {
        let (index, value, place) = self.definition(line)?;
        if self.strict && self.is_after(line, &place, index) {
            let expected = format!("a node before the state, which is line {}", self.order[index].id);
            return Err(line.unexpected(place, &expected));
        }
        let state = self.system.states[index].term;
        let sort = self.pool.sort(state);
        let element = self.pool.sorts().array_parts(sort).map(|(_, element)| element);
        let value = match element.filter(|&element| has_sort(self.pool, value, element)) {
            Some(_) => {
                let element = bits(self.pool, value);
                if !self.pool.is_const(element) {
                    let expected = "a constant or an array as the initial value of an array";
                    return Err(line.unexpected(place, expected));
                }
                self.pool.const_array(sort, element).expect("the element has its sort")
            }
            None => self.value_of(line, value, state, &place)?,
        };
        if self.system.states[index].init.replace(value).is_some() {
            return Err(line.unexpected(line.line(), "one initial value for a state"));
        }
        self.order[index].init = place;
        self.name(line);
        Ok(Meaning::Nothing("init"))
    }

    /// Whether the node that an argument names has a greater number than a state.
    fn is_after(&self, line: &Cursor<'_>, place: &Range<usize>, state: usize) -> bool {
        let digits = std::str::from_utf8(line.text.of(place)).unwrap_or_default();
        digits.trim_start_matches('-').parse().is_ok_and(|id: u64| id > self.order[state].id)
    }

    fn next(&mut self, line: &mut Cursor<'_>) -> Read<Meaning> {
        let (index, value, place) = self.definition(line)?;
        let state = self.system.states[index].term;
        let value = self.value_of(line, value, state, &place)?;
        if self.system.states[index].next.replace(value).is_some() {
            return Err(line.unexpected(line.line(), "one next value for a state"));
        }
        self.name(line);
        Ok(Meaning::Nothing("next"))
    }

    /// A value in the sort of a state.
    fn value_of(&mut self, line: &Cursor<'_>, value: Term, state: Term, place: &Range<usize>) -> Read<Term> {
        if same_sort(self.pool, value, state) {
            return Ok(bits(self.pool, value));
        }
        let [expected, found] = [state, value].map(|term| shown_sort(self.pool, self.pool.sort(term)));
        Err(line.text.refuse(DiagnosticKind::Sort, place.clone(), expected, found))
    }

    /// A condition: a node of one bit as a Boolean.
    fn condition(&mut self, line: &mut Cursor<'_>) -> Read<Term> {
        let (term, place) = self.argument(line)?;
        match width(self.pool, term) {
            Some(1) => Ok(truth(self.pool, term)),
            _ => {
                let found = shown_sort(self.pool, self.pool.sort(term));
                Err(line.text.refuse(DiagnosticKind::Sort, place, "bitvec 1", found))
            }
        }
    }

    fn property(
        &mut self,
        line: &mut Cursor<'_>,
        word: &'static str,
        list: fn(&mut System) -> &mut Vec<Property>,
    ) -> Read<&'static str> {
        let term = self.condition(line)?;
        let name = self.name(line);
        list(&mut self.system).push(Property { term, name });
        Ok(word)
    }

    fn justice(&mut self, line: &mut Cursor<'_>) -> Read<Meaning> {
        let (count, _) = line.number("a number of conditions", 1, u64::from(u32::MAX))?;
        let terms = (0..count).map(|_| self.condition(line)).collect::<Read<Vec<Term>>>()?;
        let name = self.name(line);
        self.system.justices.push(Justice { terms, name });
        Ok(Meaning::Nothing("justice"))
    }

    fn output(&mut self, line: &mut Cursor<'_>) -> Read<Meaning> {
        let (term, place) = self.argument(line)?;
        if width(self.pool, term).is_none() {
            let found = shown_sort(self.pool, self.pool.sort(term));
            return Err(line.text.refuse(DiagnosticKind::Sort, place, "a bit-vector", found));
        }
        let name = self.name(line);
        self.system.outputs.push(Output { term, name });
        Ok(Meaning::Nothing("output"))
    }

    /// What only the whole text shows: the initial values depend on nothing but earlier states.
    fn check(&self, text: Text<'_>) -> Read<()> {
        let Err(fault) = self.system.check(self.pool) else { return Ok(()) };
        let (state, found) = match &fault {
            Fault::InitDependsOnInput { state, input } => (*state, format!("the input '{input}'")),
            Fault::InitDependsOnLater { state, other } => {
                (*state, format!("the state of line {}", self.order[*other].id))
            }
            _ => unreachable!("the reader makes nothing else ill-formed: {fault}"),
        };
        let Place { id, init } = &self.order[state];
        let expected = format!("an initial value over states before line {id}");
        Err(text.refuse(DiagnosticKind::Syntax, init.clone(), expected, found))
    }
}

/// Whether a term has a sort of BTOR2, where a Boolean is a bit.
fn has_sort(pool: &Pool, term: Term, sort: Sort) -> bool {
    pool.sort(term) == sort || sort.width().is_some() && width(pool, term) == sort.width()
}

/// How digits become a constant of a width.
type Parse = fn(&[u8], u32) -> Option<BitVec>;

fn constant(line: &mut Cursor<'_>, name: &[u8], bits: u32) -> Read<BitVec> {
    let (expected, parse): (String, Parse) = match name {
        b"one" => return Ok(BitVec::one(bits)),
        b"ones" => return Ok(BitVec::ones(bits)),
        b"zero" => return Ok(BitVec::zero(bits)),
        b"const" => (format!("{bits} binary digits"), numbers::binary),
        b"constd" => (format!("a decimal number of {bits} bits"), numbers::signed_decimal),
        _ => (format!("a hexadecimal number of {bits} bits"), numbers::hexadecimal),
    };
    let place = line.word(&expected)?;
    parse(line.text.of(&place), bits).ok_or_else(|| {
        let found = line.text.shown(&place);
        line.text.refuse(DiagnosticKind::Literal, place, expected, found)
    })
}

/// A refusal of a number that stands for something else, or for nothing.
#[cold]
pub(super) fn wrong(
    line: &Cursor<'_>,
    place: Range<usize>,
    expected: &str,
    meaning: Option<&Meaning>,
) -> Box<Diagnostic> {
    let shown = line.text.shown(&place);
    let (kind, found) = match meaning {
        None => (DiagnosticKind::Undeclared, format!("{shown}, which is not defined")),
        Some(Meaning::Sort(_)) => (DiagnosticKind::Syntax, format!("{shown}, a sort")),
        Some(Meaning::Node(_)) => (DiagnosticKind::Syntax, format!("{shown}, another node")),
        Some(Meaning::Nothing(word)) => (DiagnosticKind::Syntax, format!("{shown}, a line '{word}'")),
    };
    line.text.refuse(kind, place, expected, found)
}

#[cold]
fn refused(line: &Cursor<'_>, place: Range<usize>, refusal: SortError) -> Box<Diagnostic> {
    let Mismatch { expected, found, .. } = Mismatch::new(refusal, None);
    line.text.refuse(DiagnosticKind::Sort, place, expected, found)
}
