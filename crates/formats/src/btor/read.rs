//! The reader of BTOR: one line after the other.

use super::functions::Function;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lines::bits::{bits, plain, truth, width};
use crate::lines::cursor::{Cursor, lines};
use crate::lines::numbers;
use crate::lines::operators::{Misfit, operator, shown_sort};
use crate::mismatch::{a_width, arguments};
use crate::text::{Read, Text};
use bivalve_limits::Why;
use bivalve_systems::{DistinctNames, Input, Property, State, System};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, TermMap, TermSet, cone};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Reads a BTOR text into a system over terms of `pool`. Messages call the text `file`.
///
/// ```
/// use bivalve_formats::btor;
/// use bivalve_terms::Pool;
///
/// let mut pool = Pool::new();
/// let text = b"1 var 8 x\n2 mul 8 1 1\n3 constd 8 9\n4 eq 1 2 3\n5 root 1 4\n";
/// let system = btor::read(&mut pool, text, "square.btor")?;
/// assert_eq!(pool.display(system.constraints[0].term).to_string(), "(= (bvmul x x) #b00001001)");
/// # Ok::<(), bivalve_formats::Diagnostic>(())
/// ```
///
/// # Errors
///
/// The first fault of the text, with its place.
pub fn read(pool: &mut Pool, text: &[u8], file: &str) -> Result<System, Diagnostic> {
    read_text(pool, Text::new(text, file)).map_err(|refusal| *refusal)
}

pub(crate) fn read_text(pool: &mut Pool, text: Text<'_>) -> Read<System> {
    let mut reader = Reader {
        pool,
        lines: FxHashMap::default(),
        leaves: Vec::new(),
        symbols: TermSet::new(),
        next: TermMap::new(),
        params: TermMap::new(),
        roots: Vec::new(),
        names: DistinctNames::new(),
        is_sequential: false,
    };
    reader.read(text)
}

/// What the number of a line stands for.
enum Meaning {
    Node(Term),
    Function(Function),
    Args(Vec<Term>),
    /// A line without a value.
    Nothing,
}

struct Reader<'p> {
    pool: &'p mut Pool,
    lines: FxHashMap<u64, Meaning>,
    /// Variables and arrays with their names.
    leaves: Vec<Input>,
    /// The symbols of these.
    symbols: TermSet,
    /// Next values by variable or array.
    next: TermMap<Term>,
    /// Parameters; whether a function binds them.
    params: TermMap<bool>,
    roots: Vec<(Term, Range<usize>)>,
    names: DistinctNames,
    is_sequential: bool,
}

impl Reader<'_> {
    fn read(&mut self, text: Text<'_>) -> Read<System> {
        for mut line in lines(text) {
            text.go_on(line.line())?;
            self.line(&mut line)?;
            line.end()?;
        }
        self.check_params(text)?;
        let roots = self.roots.drain(..).map(|(term, _)| Property { term, name: None }).collect();
        let mut system = System::default();
        for Input { term, name } in self.leaves.drain(..) {
            match self.next.get(term) {
                None => system.inputs.push(Input { term, name }),
                Some(&next) => {
                    let sort = self.pool.sort(term);
                    let init = sort.width().map(|width| self.pool.bitvec(&BitVec::zero(width)));
                    system.states.push(State { term, init, next: Some(next), name });
                }
            }
        }
        *if self.is_sequential { &mut system.bads } else { &mut system.constraints } = roots;
        Ok(system)
    }

    /// No parameter is used outside of its function.
    fn check_params(&self, text: Text<'_>) -> Read<()> {
        for (term, place) in &self.roots {
            let Some(param) = cone(self.pool, &[*term]).into_iter().find(|&t| self.params.contains(t)) else {
                continue;
            };
            let found = format!("the parameter '{}'", self.pool.name(param).unwrap_or_default());
            let expected = "a root without parameters of functions";
            return Err(text.refuse(DiagnosticKind::Syntax, place.clone(), expected, found));
        }
        Ok(())
    }

    fn line(&mut self, line: &mut Cursor<'_>) -> Read<()> {
        let (id, place) = line.number("the number of a line", 1, i64::MAX as u64)?;
        if self.lines.contains_key(&id) {
            return Err(line.unexpected(place, "a number that is not in use yet"));
        }
        let word = line.word("an operator of BTOR")?;
        let name = line.text.of(&word);
        let meaning = match name {
            b"var" | b"array" | b"param" => Meaning::Node(self.leaf(line, name, id)?),
            b"const" | b"constd" | b"consth" | b"zero" | b"one" | b"ones" => {
                Meaning::Node(self.constant(line, name)?)
            }
            b"slice" | b"uext" | b"sext" => Meaning::Node(self.indexed(line, name)?),
            b"proxy" => {
                let (expected, place) = self.width(line)?;
                let (term, _) = self.argument(line)?;
                self.check_width(line, term, expected, place)?;
                Meaning::Node(term)
            }
            b"root" => Meaning::Node(self.root(line)?),
            b"next" | b"anext" => {
                self.next_line(line, name == b"anext")?;
                Meaning::Nothing
            }
            b"lambda" => self.lambda(line)?,
            b"args" => self.args(line)?,
            b"apply" => Meaning::Node(self.apply(line)?),
            b"nego" => {
                let (expected, place) = self.width(line)?;
                let (arg, _) = self.word_argument(line)?;
                // As the printers write it.
                let least = BitVec::min_signed(width(self.pool, arg).unwrap_or(1));
                let least = self.pool.bitvec(&least);
                let equal = self.pool.mk(Op::Eq, &[arg, least]);
                let term = plain(self.pool, equal);
                self.check_width(line, term, expected, place)?;
                Meaning::Node(term)
            }
            _ => Meaning::Node(self.application(line, name, &word)?),
        };
        self.lines.insert(id, meaning);
        Ok(())
    }

    fn width(&mut self, line: &mut Cursor<'_>) -> Read<(u32, Range<usize>)> {
        let (bits, place) = line.number(&a_width(), 1, u64::from(BitVec::MAX_WIDTH))?;
        Ok((bits as u32, place))
    }

    fn check_width(&self, line: &Cursor<'_>, term: Term, declared: u32, place: Range<usize>) -> Read<()> {
        let found = match self.pool.sorts().array_parts(self.pool.sort(term)) {
            Some((_, element)) => element.width(),
            None => width(self.pool, term),
        };
        if found == Some(declared) {
            return Ok(());
        }
        let expected = format!("the width of the result, {}", found.unwrap_or_default());
        Err(line.unexpected(place, &expected))
    }

    fn leaf(&mut self, line: &mut Cursor<'_>, kind: &[u8], id: u64) -> Read<Term> {
        let (bits, _) = self.width(line)?;
        let mut sort = Sort::bitvec(bits).expect("the width is within its bounds");
        if kind == b"array" {
            let (index, _) = self.width(line)?;
            let index = Sort::bitvec(index).expect("the width is within its bounds");
            sort = self.pool.sorts_mut().array(index, sort).expect("bit-vectors make an array");
        }
        let name = line.symbol().map(|word| line.string(&word));
        let word = String::from_utf8_lossy(kind);
        let distinct = self.names.distinct(name.as_deref().unwrap_or(&format!("{word}{id}")));
        let term = self.pool.symbol(&distinct, sort);
        match kind {
            b"param" => drop(self.params.insert(term, false)),
            _ => {
                self.symbols.insert(term);
                self.leaves.push(Input { term, name });
            }
        }
        Ok(term)
    }

    fn constant(&mut self, line: &mut Cursor<'_>, name: &[u8]) -> Read<Term> {
        let (bits, _) = self.width(line)?;
        let value = match name {
            b"zero" => BitVec::zero(bits),
            b"one" => BitVec::one(bits),
            b"ones" => BitVec::ones(bits),
            _ => {
                let expected = match name {
                    b"const" => format!("{bits} binary digits"),
                    b"constd" => format!("a decimal number of {bits} bits"),
                    _ => format!("a hexadecimal number of {bits} bits"),
                };
                let place = line.word(&expected)?;
                let digits = line.text.of(&place);
                let value = match name {
                    b"const" => numbers::binary(digits, bits),
                    b"constd" => numbers::decimal(digits, bits),
                    _ => numbers::hexadecimal(digits, bits),
                };
                value.ok_or_else(|| {
                    let found = line.text.shown(&place);
                    line.text.refuse(DiagnosticKind::Literal, place, expected, found)
                })?
            }
        };
        Ok(self.pool.bitvec(&value))
    }

    /// What the next number stands for: the place and whether it is negative.
    fn mention(&mut self, line: &mut Cursor<'_>) -> Read<(u64, bool, Range<usize>)> {
        let place = line.word("the number of a node")?;
        let text = line.text.of(&place);
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let is_number = digits.iter().all(u8::is_ascii_digit) && digits.first().is_some_and(|&d| d != b'0');
        let id = std::str::from_utf8(digits).ok().filter(|_| is_number).and_then(|text| text.parse().ok());
        match id {
            Some(id) => Ok((id, digits.len() < text.len(), place)),
            None => Err(line.unexpected(place, "the number of a node")),
        }
    }

    /// The node that the next number stands for, complemented if the number is negative; a function is taken
    /// as the array that it is.
    fn argument(&mut self, line: &mut Cursor<'_>) -> Read<(Term, Range<usize>)> {
        let (id, is_negative, place) = self.mention(line)?;
        let term = match self.lines.get(&id) {
            Some(Meaning::Node(term)) => *term,
            Some(Meaning::Function(function)) => {
                let function = function.clone();
                function.as_array(self.pool).ok_or_else(|| {
                    let found = format!("{}, a function that is no chain of writes", line.text.shown(&place));
                    let expected = "an array or a bit-vector";
                    line.text.refuse(DiagnosticKind::Unsupported, place.clone(), expected, found)
                })?
            }
            Some(_) => return Err(line.unexpected(place, "the number of a node")),
            None => {
                let found = format!("{}, which is not defined", line.text.shown(&place));
                let expected = "the number of a node";
                return Err(line.text.refuse(DiagnosticKind::Undeclared, place, expected, found));
            }
        };
        if !is_negative {
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

    /// An argument that is a bit-vector.
    fn word_argument(&mut self, line: &mut Cursor<'_>) -> Read<(Term, Range<usize>)> {
        let (term, place) = self.argument(line)?;
        if width(self.pool, term).is_none() {
            let found = shown_sort(self.pool, self.pool.sort(term));
            return Err(line.text.refuse(DiagnosticKind::Sort, place, "a bit-vector", found));
        }
        Ok((bits(self.pool, term), place))
    }

    fn indexed(&mut self, line: &mut Cursor<'_>, name: &[u8]) -> Read<Term> {
        let (declared, declared_place) = self.width(line)?;
        let (arg, _) = self.word_argument(line)?;
        let bits_of_arg = width(self.pool, arg).unwrap_or(1);
        let term = if name == b"slice" {
            let most = u64::from(bits_of_arg) - 1;
            let (high, _) = line.number(&format!("a bit from 0 to {most}"), 0, most)?;
            let (low, _) = line.number(&format!("a bit from 0 to {high}"), 0, high)?;
            self.pool.mk_indexed(Op::Extract, &[high as u32, low as u32], &[arg])
        } else {
            let most = u64::from(BitVec::MAX_WIDTH - bits_of_arg);
            let (extra, _) = line.number(&format!("a number of bits from 0 to {most}"), 0, most)?;
            let op = if name == b"sext" { Op::SignExtend } else { Op::ZeroExtend };
            self.pool.mk_indexed(op, &[extra as u32], &[arg])
        };
        self.check_width(line, term, declared, declared_place)?;
        Ok(plain(self.pool, term))
    }

    fn application(&mut self, line: &mut Cursor<'_>, name: &[u8], word: &Range<usize>) -> Read<Term> {
        let row = match name {
            b"ne" => operator(b"neq"),
            b"cond" | b"acond" => operator(b"ite"),
            b"umul" => operator(b"mul"),
            b"neq" | b"ite" => None,
            _ => operator(name),
        };
        let Some(row) = row else { return Err(line.unexpected(word.clone(), "an operator of BTOR")) };
        let (declared, declared_place) = self.width(line)?;
        let index = match name {
            b"acond" => Some(self.width(line)?),
            b"write" if words_left(line) > row.arity => Some(self.width(line)?),
            _ => None,
        };
        let (mut args, mut places) = (vec![], vec![]);
        for _ in 0..row.arity {
            let (arg, place) = self.argument(line)?;
            args.push(arg);
            places.push(place);
        }
        match name {
            b"sll" | b"srl" | b"sra" | b"rol" | b"ror" => args[1] = self.amount(args[0], args[1]),
            b"redand" | b"redor" | b"redxor" if width(self.pool, args[0]) == Some(1) => {
                let expected = "an argument of more than one bit";
                return Err(line.unexpected(places[0].clone(), expected));
            }
            _ => {}
        }
        let term = row.apply(self.pool, &args).map_err(|Misfit { argument, expected, found }| {
            line.text.refuse(DiagnosticKind::Sort, places[argument].clone(), expected, found)
        })?;
        let parts = self.pool.sorts().array_parts(self.pool.sort(term));
        if parts.is_none() && index.is_some() {
            return Err(line.unexpected(word.clone(), "a choice of arrays"));
        }
        self.check_width(line, term, declared, declared_place)?;
        if let (Some((declared, place)), Some((index, _))) = (index, parts)
            && index.width() != Some(declared)
        {
            let expected = format!("the width of the indices, {}", index.width().unwrap_or_default());
            return Err(line.unexpected(place, &expected));
        }
        Ok(term)
    }

    /// The amount of a shift: log2(w) bits where w is a power of two are extended to w bits.
    fn amount(&mut self, shifted: Term, amount: Term) -> Term {
        match (width(self.pool, shifted), width(self.pool, amount)) {
            (Some(w), Some(v)) if w.is_power_of_two() && v == w.trailing_zeros() => {
                let amount = bits(self.pool, amount);
                self.pool.mk_indexed(Op::ZeroExtend, &[w - v], &[amount])
            }
            _ => amount,
        }
    }

    fn root(&mut self, line: &mut Cursor<'_>) -> Read<Term> {
        let (declared, place) = self.width(line)?;
        let (term, arg_place) = self.argument(line)?;
        if width(self.pool, term).is_none() {
            let found = shown_sort(self.pool, self.pool.sort(term));
            return Err(line.text.refuse(DiagnosticKind::Sort, arg_place, "a bit-vector", found));
        }
        self.check_width(line, term, declared, place)?;
        let bit = if declared == 1 { term } else { self.pool.mk(Op::RedOr, &[term]) };
        let condition = truth(self.pool, bit);
        self.roots.push((condition, line.line()));
        Ok(term)
    }

    fn next_line(&mut self, line: &mut Cursor<'_>, is_array: bool) -> Read<()> {
        let (declared, place) = self.width(line)?;
        if is_array {
            self.width(line)?;
        }
        let (register, register_place) = self.argument(line)?;
        let is_leaf = self.symbols.contains(register);
        let parts = self.pool.sorts().array_parts(self.pool.sort(register));
        if !is_leaf || (parts.is_none() && is_array) {
            let expected =
                if is_array { "the number of an array" } else { "the number of a variable or an array" };
            return Err(line.unexpected(register_place, expected));
        }
        self.check_width(line, register, declared, place)?;
        let (value, value_place) = self.argument(line)?;
        let value = bits(self.pool, value);
        if self.pool.sort(value) != self.pool.sort(register) {
            let [expected, found] = [register, value].map(|term| shown_sort(self.pool, self.pool.sort(term)));
            return Err(line.text.refuse(DiagnosticKind::Sort, value_place, expected, found));
        }
        if self.next.insert(register, value).is_some() {
            return Err(line.unexpected(register_place, "a variable without a next value"));
        }
        self.is_sequential = true;
        Ok(())
    }

    fn lambda(&mut self, line: &mut Cursor<'_>) -> Read<Meaning> {
        let (declared, place) = self.width(line)?;
        let (declared_param, param_width_place) = self.width(line)?;
        let (id, is_negative, param_place) = self.mention(line)?;
        let param = match self.lines.get(&id) {
            Some(Meaning::Node(term)) if !is_negative && self.params.get(*term) == Some(&false) => *term,
            _ => return Err(line.unexpected(param_place, "the number of a parameter that is not bound yet")),
        };
        self.check_width(line, param, declared_param, param_width_place)?;
        self.params.insert(param, true);
        let (id, is_negative, body_place) = self.mention(line)?;
        let function = match self.lines.get(&id) {
            Some(Meaning::Function(inner)) if !is_negative => {
                let mut params = vec![param];
                params.extend(&inner.params);
                Function { params, body: inner.body }
            }
            Some(&Meaning::Node(body)) if width(self.pool, body).is_some() => {
                let not = operator(b"not").expect("the table has a row for it");
                let body = match is_negative {
                    true => not.apply(self.pool, &[body]).unwrap_or_else(|_| unreachable!("it has a width")),
                    false => body,
                };
                Function { params: vec![param], body: bits(self.pool, body) }
            }
            _ => return Err(line.unexpected(body_place, "the number of a bit-vector or a function")),
        };
        self.check_width(line, function.body, declared, place)?;
        Ok(Meaning::Function(function))
    }

    /// A list of arguments as Boolector 3 writes it: the sum of the widths, and the arguments.
    fn args(&mut self, line: &mut Cursor<'_>) -> Read<Meaning> {
        let (declared, place) = self.width(line)?;
        let (mut args, mut sum) = (vec![], 0);
        for (arg, _) in self.arguments(line)? {
            sum += u64::from(width(self.pool, arg).unwrap_or_default());
            args.push(arg);
        }
        if sum != u64::from(declared) {
            return Err(line.unexpected(place, &format!("the sum of the widths, {sum}")));
        }
        Ok(Meaning::Args(args))
    }

    /// The arguments up to the end of the line; lists of arguments among them are taken apart.
    fn arguments(&mut self, line: &mut Cursor<'_>) -> Read<Vec<(Term, Range<usize>)>> {
        let mut args = Vec::new();
        while line.more() {
            let mut ahead = line.clone();
            let (id, is_negative, place) = self.mention(&mut ahead)?;
            match self.lines.get(&id) {
                Some(Meaning::Args(list)) if !is_negative => {
                    args.extend(list.iter().map(|&arg| (arg, place.clone())));
                    *line = ahead;
                }
                _ => args.push(self.word_argument(line)?),
            }
        }
        Ok(args)
    }

    /// An array as a function of its index.
    fn apply_array(
        &mut self,
        line: &mut Cursor<'_>,
        array: Term,
        declared: u32,
        place: Range<usize>,
    ) -> Read<Term> {
        let args = self.arguments(line)?;
        let [(index, index_place)] = &args[..] else {
            return Err(line.unexpected(line.line(), "an array and one index"));
        };
        let read = operator(b"read").expect("the table has a row for it");
        let term = read.apply(self.pool, &[array, *index]).map_err(|misfit| {
            let Misfit { expected, found, .. } = misfit;
            line.text.refuse(DiagnosticKind::Sort, index_place.clone(), expected, found)
        })?;
        self.check_width(line, term, declared, place)?;
        Ok(term)
    }

    fn apply(&mut self, line: &mut Cursor<'_>) -> Read<Term> {
        let (declared, place) = self.width(line)?;
        let (id, is_negative, function_place) = self.mention(line)?;
        let function = match self.lines.get(&id) {
            Some(Meaning::Function(function)) if !is_negative => function.clone(),
            Some(&Meaning::Node(array)) if !is_negative && width(self.pool, array).is_none() => {
                return self.apply_array(line, array, declared, place);
            }
            _ => return Err(line.unexpected(function_place, "the number of a function")),
        };
        let args = self.arguments(line)?;
        if args.len() != function.params.len() {
            let expected = arguments(function.params.len());
            let found = format!("{}", args.len());
            return Err(line.text.refuse(DiagnosticKind::Syntax, line.line(), expected, found));
        }
        for (&param, (arg, place)) in function.params.iter().zip(&args) {
            if width(self.pool, *arg) != width(self.pool, param) {
                let [expected, found] = [param, *arg].map(|term| shown_sort(self.pool, self.pool.sort(term)));
                return Err(line.text.refuse(DiagnosticKind::Sort, place.clone(), expected, found));
            }
        }
        let values: Vec<Term> = args.into_iter().map(|(arg, _)| arg).collect();
        let mut over = None;
        let goes_on = || {
            over = line.text.step();
            over.is_none()
        };
        let Some(term) = function.apply(self.pool, &values, goes_on) else {
            return Err(line.text.beyond(line.line(), over.unwrap_or(Why::Budget)));
        };
        self.check_width(line, term, declared, place)?;
        Ok(plain(self.pool, term))
    }
}

/// The number of words up to the end of the line.
fn words_left(line: &Cursor<'_>) -> usize {
    let mut ahead = line.clone();
    std::iter::from_fn(|| if ahead.more() { ahead.word("a word").ok() } else { None }).count()
}
