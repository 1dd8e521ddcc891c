//! Declarations of data types: records, enumerations, options.
//!
//! All types of one declaration may mention each other, so the whole command is read before a sort is made: a
//! type that is not there yet is a stand-in (see `sort_table`). Where a type is within itself, it is refused
//! at the field that closes the circle. A type with parameters is a pattern, of which each list of arguments
//! makes a sort of its own.
//!
//! Beside the standard's form stands the one of its version 2.0, which clients of other solvers write:
//! `(declare-datatypes (T) ((Pair (mk (left T) (right T)))))`.
//!
//! Where declarations are only to be passed over, what is refused of a type is its uses.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::smtlib::command::Command;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::logics::Feature;
use crate::smtlib::names::NameId;
use crate::smtlib::reading::Reading;
use crate::smtlib::sort_table::{DataConstructor, SortMeaning};
use crate::smtlib::symbols::Meaning;
use bivalve_terms::{MAX_NESTING, Sort};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The types of one command.
#[derive(Default)]
struct Group {
    headers: Vec<Header>,
    /// Constructors and selectors: all names are different.
    names: FxHashSet<NameId>,
}

/// A type that is being declared.
struct Header {
    id: NameId,
    name: String,
    /// Its place among the data types.
    number: u32,
    span: Range<u64>,
    /// Its arity was given.
    is_listed: bool,
    constructors: Vec<(NameId, Vec<Field>)>,
}

/// A field: its selector, and its sort with the place in the text.
struct Field {
    id: NameId,
    sort: Sort,
    span: Range<u64>,
}

impl Reading<'_> {
    /// Behind `declare-datatype` or `declare-datatypes`, up to the end of the command.
    pub(crate) fn declare_data_types(&mut self, is_list: bool) -> Parsed<Command> {
        self.check_logic(Feature::DataTypes)?;
        self.lexer.source.pin_token();
        let (start, mark) = (self.lexer.place(), self.symbols.mark());
        let mut group = Group::default();
        let read = match is_list {
            true => self.data_type_list(&mut group),
            false => self.single_data_type(&mut group),
        };
        match read.and_then(|()| self.finish_data_types(&group)) {
            Err(refusal) if self.unused_data_types && refusal.kind == DiagnosticKind::Unsupported => {
                self.symbols.roll_back(mark);
                group.headers.iter().for_each(|header| {
                    self.symbols.bind_sort(header.id, SortMeaning::Refused);
                });
                self.skip_rest()?;
            }
            done => done?,
        }
        let text = self.lexer.source.slice(start, self.lexer.end());
        let text = format!("({}", String::from_utf8_lossy(text));
        self.lexer.source.unpin();
        Ok(Command::DeclareDataTypes { text })
    }

    /// `T ((c ...) ...))`.
    fn single_data_type(&mut self, group: &mut Group) -> Parsed<()> {
        self.data_type_header(group, false)?;
        self.open()?;
        self.data_type(&mut group.headers[0], &mut group.names)?;
        self.close()
    }

    /// `((T n) ...) (((c ...) ...) ...))`, or `(P ...) ((T (c ...) ...) ...))` as in SMT-LIB 2.0.
    fn data_type_list(&mut self, group: &mut Group) -> Parsed<()> {
        self.open()?;
        let mut token = self.lexer.next()?;
        if token != Token::Open {
            return self.older_data_types(group, token);
        }
        loop {
            match token {
                Token::Open => {}
                Token::Close => break,
                _ => return Err(self.lexer.unexpected(token, "'(' and a name of a sort, or ')'")),
            }
            self.data_type_header(group, true)?;
            token = self.lexer.next()?;
        }
        self.open()?;
        let Group { headers, names } = group;
        for header in headers {
            self.open()?;
            self.data_type(header, names)?;
        }
        self.close()?;
        self.close()
    }

    fn older_data_types(&mut self, group: &mut Group, first: Token) -> Parsed<()> {
        self.only_lenient("'(' and a name of a sort", self.lexer.describe(first))?;
        let mark = self.symbols.mark();
        let params = self.sort_parameters(first)?;
        self.open()?;
        loop {
            match self.lexer.next()? {
                Token::Open => {}
                Token::Close => break,
                token => return Err(self.lexer.unexpected(token, "'(' and a data type, or ')'")),
            }
            self.data_type_header(group, false)?;
            let header = group.headers.last_mut().expect("it was just read");
            self.symbols.sorts.set_parameters(header.number, params.clone());
            self.symbols.sorts.set_older(header.number);
            self.constructors(header, &mut group.names)?;
        }
        self.close()?;
        // The parameters are forgotten, the types are not.
        self.symbols.roll_back(mark);
        for header in &group.headers {
            self.symbols.bind_sort(header.id, SortMeaning::DataType(header.number));
        }
        Ok(())
    }

    /// The name of a type; with its arity and `)` in a list of them.
    fn data_type_header(&mut self, group: &mut Group, is_listed: bool) -> Parsed<()> {
        let (id, name) = self.new_sort_name()?;
        let span = self.lexer.place()..self.lexer.end();
        let arity = if is_listed { self.arity()? } else { 0 };
        let printed = crate::smtlib::print::symbol(&name).into_owned();
        let number = self.symbols.sorts.add_data_type(printed, arity as usize);
        self.symbols.bind_sort(id, SortMeaning::DataType(number));
        group.headers.push(Header { id, name, number, span, is_listed, constructors: vec![] });
        Ok(())
    }

    /// Behind the parenthesis that opens a type: `(c ...) ...)` or `par (P ...) ((c ...) ...))`.
    fn data_type(&mut self, header: &mut Header, names: &mut FxHashSet<NameId>) -> Parsed<()> {
        let Header { number, .. } = *header;
        let arity = self.symbols.sorts.arity(SortMeaning::DataType(number));
        let token = self.lexer.next()?;
        let is_parametric = token == Token::Symbol && self.lexer.text() == b"par";
        let mark = self.symbols.mark();
        let mut params = vec![];
        if is_parametric {
            self.open()?;
            let token = self.lexer.next()?;
            params = self.sort_parameters(token)?;
            self.open()?;
        }
        // Of a single type the parameters say how many there are.
        if params.len() != arity && header.is_listed {
            let plural = if arity == 1 { "" } else { "s" };
            let expected = format!("{arity} parameter{plural} of '{}'", header.name);
            return Err(self.refuse_token(DiagnosticKind::Sort, expected, params.len().to_string()));
        }
        self.symbols.sorts.set_parameters(number, params);
        match is_parametric {
            true => {
                self.constructors(header, names)?;
                self.close()?;
            }
            false => self.constructors_from(token, header, names)?,
        }
        self.symbols.roll_back(mark);
        Ok(())
    }

    /// Constructors, and the parenthesis behind them.
    fn constructors(&mut self, header: &mut Header, names: &mut FxHashSet<NameId>) -> Parsed<()> {
        let token = self.lexer.next()?;
        self.constructors_from(token, header, names)
    }

    fn constructors_from(
        &mut self,
        first: Token,
        header: &mut Header,
        names: &mut FxHashSet<NameId>,
    ) -> Parsed<()> {
        let mut token = first;
        loop {
            match token {
                Token::Open => {
                    let id = self.new_part_name("a constructor", names)?;
                    let fields = self.fields(names)?;
                    header.constructors.push((id, fields));
                }
                Token::Symbol | Token::Quoted if !self.strict => {
                    self.check_reserved(token, "a constructor")?;
                    let id = self.intern(token);
                    self.check_part_name(id, token, names)?;
                    header.constructors.push((id, vec![]));
                }
                Token::Close if !header.constructors.is_empty() => return Ok(()),
                _ => return Err(self.lexer.unexpected(token, "'(' and a constructor")),
            }
            token = self.lexer.next()?;
        }
    }

    /// `(s S) ...)`.
    fn fields(&mut self, names: &mut FxHashSet<NameId>) -> Parsed<Vec<Field>> {
        let mut fields = vec![];
        loop {
            match self.lexer.next()? {
                Token::Open => {}
                Token::Close => return Ok(fields),
                token => return Err(self.lexer.unexpected(token, "'(' and a selector, or ')'")),
            }
            let id = self.new_part_name("a selector", names)?;
            let token = self.lexer.next()?;
            let place = self.lexer.place();
            let sort = self.sort_from(token)?;
            fields.push(Field { id, sort, span: place..self.lexer.end() });
            self.close()?;
        }
    }

    fn new_part_name(&mut self, expected: &str, names: &mut FxHashSet<NameId>) -> Parsed<NameId> {
        let (id, token) = self.fresh_symbol(expected)?;
        self.check_part_name(id, token, names)?;
        Ok(id)
    }

    /// Refuses the current symbol as a constructor or selector if it is taken.
    fn check_part_name(&mut self, id: NameId, token: Token, names: &mut FxHashSet<NameId>) -> Parsed<()> {
        self.check_free(id, token)?;
        if !names.insert(id) {
            let found = format!("'{}' twice", self.lexer.name(token));
            return Err(self.refuse_token(
                DiagnosticKind::Taken,
                "different names of constructors and selectors",
                found,
            ));
        }
        Ok(())
    }

    /// All types of a command have been read: they are what their names mean, and so are their parts.
    fn finish_data_types(&mut self, group: &Group) -> Parsed<()> {
        self.check_order(group)?;
        for header in &group.headers {
            let name = |id| self.symbols.names.name(id).trim_matches('|').into();
            let constructors: Vec<DataConstructor> = header
                .constructors
                .iter()
                .map(|(id, fields)| DataConstructor {
                    name: name(*id),
                    fields: fields.iter().map(|field| (name(field.id), field.sort)).collect(),
                })
                .collect();
            self.symbols.sorts.complete(header.number, constructors);
        }
        for header in &group.headers {
            let meaning = SortMeaning::DataType(header.number);
            if self.symbols.sorts.arity(meaning) == 0
                && self.symbols.sorts.apply(self.pool, meaning, &[]).is_none()
            {
                return Err(self.too_large(header.span.clone()));
            }
            let mut number = 0;
            for (place, (id, fields)) in header.constructors.iter().enumerate() {
                self.symbols.bind(*id, Meaning::Constructor(header.number, place as u16));
                for field in fields {
                    self.symbols.bind(field.id, Meaning::Selector(header.number, number));
                    number += 1;
                }
            }
        }
        Ok(())
    }

    /// A sort has too many parts.
    pub(crate) fn too_large(&self, span: Range<u64>) -> Box<Diagnostic> {
        self.lexer.refuse(DiagnosticKind::Sort, span, too_large(), "more")
    }

    /// Refuses types that are within themselves, and those that are too deep.
    fn check_order(&mut self, group: &Group) -> Parsed<()> {
        let fields =
            |header: &Header| header.constructors.iter().flat_map(|(_, fields)| fields.iter()).count();
        if let Some(header) = group
            .headers
            .iter()
            .find(|header| fields(header).max(header.constructors.len()) > usize::from(u16::MAX))
        {
            return Err(self.too_large(header.span.clone()));
        }
        let first = group.headers.first().map_or(0, |header| header.number);
        // For each type the others of the group that its fields mention, with the place of the field.
        let uses: Vec<Vec<(usize, Range<u64>)>> = group
            .headers
            .iter()
            .map(|header| {
                let fields = header.constructors.iter().flat_map(|(_, fields)| fields);
                let of_field = |field: &Field| {
                    let mentioned = self.symbols.sorts.stand_ins_in(self.pool, field.sort);
                    let new = mentioned.into_iter().filter(|&number| number >= first);
                    new.map(|number| ((number - first) as usize, field.span.clone())).collect::<Vec<_>>()
                };
                fields.flat_map(of_field).collect()
            })
            .collect();
        let order = match order(&uses) {
            Ok(order) => order,
            Err((at, span)) => {
                let found = format!("'{}' within itself", group.headers[at].name);
                let expected = "data types without recursion";
                return Err(self.lexer.refuse(DiagnosticKind::Unsupported, span, expected, found));
            }
        };
        for place in order {
            let header = &group.headers[place];
            let fields = header.constructors.iter().flat_map(|(_, fields)| fields);
            let depths = fields.map(|field| self.symbols.sorts.depth(self.pool, field.sort));
            let depth = 1 + depths.max().unwrap_or(0);
            if depth > MAX_NESTING {
                return Err(self.too_large(header.span.clone()));
            }
            self.symbols.sorts.set_depth(header.number, depth);
        }
        Ok(())
    }
}

/// What is expected of sorts with parts.
pub(crate) fn too_large() -> String {
    use crate::smtlib::sort_table::LONGEST_SORT;
    format!(
        "arrays and records nested at most {MAX_NESTING} deep, records of at most {} bits and {} parts, and \
         sorts of at most {LONGEST_SORT} characters",
        bivalve_terms::BitVec::MAX_WIDTH,
        u16::MAX
    )
}

/// The places of `uses` so that each uses earlier ones alone; or one that uses itself, over others, and where
/// the circle is closed.
fn order(uses: &[Vec<(usize, Range<u64>)>]) -> Result<Vec<usize>, (usize, Range<u64>)> {
    let mut open: Vec<usize> = uses.iter().map(Vec::len).collect();
    let mut users = vec![vec![]; uses.len()];
    for (place, used) in uses.iter().enumerate() {
        used.iter().for_each(|&(other, _)| users[other].push(place));
    }
    let mut order: Vec<usize> = (0..uses.len()).filter(|&place| open[place] == 0).collect();
    let mut next = 0;
    while let Some(&place) = order.get(next) {
        next += 1;
        for &user in &users[place] {
            open[user] -= 1;
            if open[user] == 0 {
                order.push(user);
            }
        }
    }
    let Some(start) = (0..uses.len()).find(|&place| open[place] > 0) else { return Ok(order) };
    // Each of these uses another one of them, so the way comes to a place where it was.
    let (mut seen, mut at) = (vec![false; uses.len()], start);
    loop {
        seen[at] = true;
        let (next, span) =
            uses[at].iter().find(|(other, _)| open[*other] > 0).expect("it waits for another").clone();
        if seen[next] {
            return Err((next, span));
        }
        at = next;
    }
}
