//! Terms of data types: constructors, selectors, testers, updates, and `match`.
//!
//! A name of a declaration stands for operators on all instances of its type. Which instance is meant follows
//! from the arguments, or from the sort that is written with a constructor: `(as none (Option Bool))`.
//!
//! A `match` is a choice of its bodies by the constructors of what is matched. A variable of a pattern is the
//! field itself, so nothing is substituted. Within its case the record has the field; so what a variable is
//! for other records is not left open, but the default of its sort, where there are constants of it.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::names::NameId;
use crate::smtlib::reading::Reading;
use crate::smtlib::symbols::Meaning;
use crate::smtlib::terms::{Frame, Head, Step};
use bivalve_terms::{Op, RecordSort, Sort, Term, Value};
use std::sync::Arc;

/// The case of a pattern: a constructor, or all others.
pub(crate) type Case = Option<u32>;

impl Reading<'_> {
    /// The name of a constructor.
    fn constructor_name(&self, data_type: u32, constructor: u16) -> String {
        let (_, constructors) = self.symbols.sorts.data_type(data_type);
        constructors[usize::from(constructor)].name.to_string()
    }

    /// A constructor that stands alone, the current token.
    pub(crate) fn lone_constructor(&mut self, data_type: u32, constructor: u16) -> Parsed<Term> {
        let (params, constructors) = self.symbols.sorts.data_type(data_type);
        let fields = constructors[usize::from(constructor)].fields.len();
        let name = self.constructor_name(data_type, constructor);
        if fields > 0 {
            let found = format!("the constructor '{name}' without arguments");
            return Err(self.refuse_token(DiagnosticKind::Sort, "a constant", found));
        }
        if !params.is_empty() {
            let span = self.lexer.place()..self.lexer.end();
            return Err(self.without_sort(data_type, &name, span));
        }
        let sort = self.plain_instance(data_type);
        Ok(self.pool.record_new(sort, constructor.into(), &[]).expect("a constructor without fields"))
    }

    /// A constructor does not say which instance is meant.
    fn without_sort(&self, data_type: u32, name: &str, span: std::ops::Range<u64>) -> Box<Diagnostic> {
        let of = self.symbols.sorts.data_type_name(data_type);
        let expected = format!("a constructor with its sort, (as {name} ({of} ...))");
        self.lexer.refuse(DiagnosticKind::Sort, span, expected, format!("'{name}' alone"))
    }

    /// The sort of a data type without parameters, which was made when it was declared.
    fn plain_instance(&mut self, data_type: u32) -> Sort {
        let meaning = crate::smtlib::sort_table::SortMeaning::DataType(data_type);
        self.symbols.sorts.apply(self.pool, meaning, &[]).expect("the sort was made with its declaration")
    }

    /// Behind `(as c`, where `c` is a constructor: its sort.
    pub(crate) fn constructor_sort(&mut self, data_type: u32) -> Parsed<Sort> {
        let token = self.lexer.next()?;
        let place = self.lexer.place();
        let sort = self.sort_from(token)?;
        if self.symbols.sorts.data_type_of(sort) == Some(data_type) {
            return Ok(sort);
        }
        let expected = format!("a sort of '{}'", self.symbols.sorts.data_type_name(data_type));
        let found = format!("sort {}", self.pool.sorts().display(sort));
        Err(self.lexer.refuse(DiagnosticKind::Sort, place..self.lexer.end(), expected, found))
    }

    /// Behind `(as c`, where a constant is expected.
    pub(crate) fn qualified_constructor(&mut self, data_type: u32, constructor: u16) -> Parsed<Term> {
        let sort = self.constructor_sort(data_type)?;
        self.close()?;
        match self.pool.record_new(sort, constructor.into(), &[]) {
            Ok(term) => Ok(term),
            Err(error) => {
                let name = self.constructor_name(data_type, constructor);
                Err(self.sort_refusal(error, &name, self.work.args.len(), self.lexer.place()))
            }
        }
    }

    /// Behind `((_`, at `is` or `update`: the part that follows, and `)`.
    pub(crate) fn record_head(&mut self) -> Parsed<Option<Head>> {
        let is_tester = match self.lexer.text() {
            b"is" => true,
            b"update" => false,
            b"update-field" if !self.strict => false,
            _ => return Ok(None),
        };
        let token = self.lexer.next()?;
        let expected = if is_tester { "a constructor" } else { "a selector" };
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, expected));
        }
        let id = self.intern(token);
        let head = match (self.symbols.meaning(id), is_tester) {
            (Meaning::Constructor(data_type, number), true) => Head::Tester(data_type, number),
            (Meaning::Selector(data_type, number), false) => Head::Update(data_type, number),
            (Meaning::Unbound, _) => return Err(self.undeclared(token, expected)),
            _ => {
                let found = format!("'{}'", self.lexer.name(token));
                return Err(self.refuse_token(DiagnosticKind::Sort, expected, found));
            }
        };
        self.close()?;
        Ok(Some(head))
    }

    /// The current token, which has no meaning, as a tester by its older name `is-c`.
    pub(crate) fn older_tester(&mut self, token: Token) -> Option<Head> {
        let name = self.lexer.name(token).strip_prefix("is-").filter(|_| !self.strict)?;
        let id = self.symbols.names.find(name.as_bytes())?;
        match self.symbols.meaning(id) {
            Meaning::Constructor(data_type, number) => Some(Head::Tester(data_type, number)),
            _ => None,
        }
    }

    /// The application of a constructor, of this sort if one was written.
    pub(crate) fn construct(
        &mut self,
        (data_type, constructor): (u32, u16),
        sort: Option<Sort>,
        start: usize,
        place: u64,
    ) -> Parsed<Term> {
        let name = self.constructor_name(data_type, constructor);
        let (params, constructors) = self.symbols.sorts.data_type(data_type);
        let count = constructors[usize::from(constructor)].fields.len();
        if count == 0 {
            self.only_lenient("a function", format!("the constant '{name}'"))?;
        }
        let has_parameters = !params.is_empty();
        self.check_count(&format!("'{name}'"), count, start, place)?;
        let sort = match sort {
            Some(sort) => sort,
            None if !has_parameters => self.plain_instance(data_type),
            None => {
                let found: Vec<Sort> =
                    self.work.args[start..].iter().map(|&arg| self.pool.sort(arg)).collect();
                let span = place..self.lexer.end();
                let Some(args) = self.symbols.sorts.inferred(self.pool, data_type, constructor, &found)
                else {
                    return Err(self.without_sort(data_type, &name, span));
                };
                let meaning = crate::smtlib::sort_table::SortMeaning::DataType(data_type);
                match self.symbols.sorts.apply(self.pool, meaning, &args) {
                    Some(sort) => sort,
                    None => return Err(self.too_large(span)),
                }
            }
        };
        match self.pool.record_new(sort, constructor.into(), &self.work.args[start..]) {
            Ok(term) => self.decided(term, start, place),
            Err(error) => Err(self.sort_refusal(error, &name, start, place)),
        }
    }

    /// The application of a selector, a tester or an update.
    pub(crate) fn apply_to_record(
        &mut self,
        op: Op,
        (data_type, number): (u32, u32),
        start: usize,
        place: u64,
    ) -> Parsed<Term> {
        let (_, constructors) = self.symbols.sorts.data_type(data_type);
        let is_tester = op == Op::RecordIs;
        let fields = || constructors.iter().flat_map(|constructor| &constructor.fields);
        let name = match is_tester {
            true => constructors[number as usize].name.to_string(),
            false => fields().nth(number as usize).expect("the selector of a field").0.to_string(),
        };
        let is_open = op == Op::RecordGet && constructors.len() > 1;
        let name = match op {
            Op::RecordIs => format!("is {name}"),
            Op::RecordSet => format!("update {name}"),
            _ => name,
        };
        self.check_count(&format!("'{name}'"), 1 + usize::from(op == Op::RecordSet), start, place)?;
        let found = self.pool.sort(self.work.args[start]);
        if self.symbols.sorts.data_type_of(found) != Some(data_type) {
            let expected = format!("a term of a sort '{}'", self.symbols.sorts.data_type_name(data_type));
            let span = self.extent(self.work.places[start]);
            let found = format!("sort {}", self.pool.sorts().display(found));
            return Err(self.lexer.refuse(DiagnosticKind::Sort, span, expected, found));
        }
        if is_open && self.images {
            let (expected, span) = ("a selector of all records of its sort", place..self.lexer.end());
            let found = format!("'{name}': results that the standard leaves open are not known here");
            return Err(self.lexer.refuse(DiagnosticKind::Unsupported, span, expected, found));
        }
        match self.pool.indexed(op, &[number], &self.work.args[start..]) {
            Ok(term) => self.decided(term, start, place),
            Err(error) => Err(self.sort_refusal(error, &name, start, place)),
        }
    }

    /// Behind `(match`, which begins at `place`.
    pub(crate) fn open_match(&mut self, place: u64) {
        let step = Step::Match { cases: self.work.cases.len() };
        self.work.frames.push(Frame { step, start: self.work.args.len(), place });
    }

    /// What is matched has been read: the first case is opened.
    pub(crate) fn matched(&mut self, term: Term, place: u64) -> Parsed<()> {
        if self.pool.sorts().as_record(self.pool.sort(term)).is_none() {
            let found = format!("sort {}", self.pool.sorts().display(self.pool.sort(term)));
            let span = self.extent(place);
            return Err(self.lexer.refuse(DiagnosticKind::Sort, span, "a term of a data type", found));
        }
        self.work.args.push(term);
        self.work.places.push(place);
        self.open()?;
        self.open()?;
        self.pattern()
    }

    /// The body of a case has been read: the next one is opened, or the whole is there.
    pub(crate) fn case_done(&mut self, body: Term, place: u64, mark: usize) -> Parsed<Option<(Term, u64)>> {
        self.close()?;
        self.symbols.leave(mark);
        self.work.frames.pop();
        self.work.args.push(body);
        self.work.places.push(place);
        match self.lexer.next()? {
            Token::Open => self.pattern().map(|()| None),
            Token::Close => {
                self.close()?;
                self.choice().map(Some)
            }
            token => Err(self.lexer.unexpected(token, "'(' and a case, or ')'")),
        }
    }

    /// The record that is matched, and its definition.
    fn matched_record(&self) -> (Term, Arc<RecordSort>) {
        let frame = self.work.frames.last().expect("a match is open");
        let record = self.work.args[frame.start];
        let of = self.pool.sorts().as_record(self.pool.sort(record)).expect("it is of a data type");
        (record, of.clone())
    }

    /// Behind the parenthesis of a case: its pattern, whose variables get their meaning.
    fn pattern(&mut self) -> Parsed<()> {
        let mark = self.symbols.enter();
        let (record, of) = self.matched_record();
        let data_type = self.symbols.sorts.data_type_of(self.pool.sort(record));
        let token = self.lexer.next()?;
        let place = self.lexer.place();
        let case = match token {
            Token::Open => {
                let token = self.lexer.next()?;
                let number = self.pattern_constructor(token, &of, data_type)?;
                let mut variables: Vec<NameId> = vec![];
                loop {
                    let token = self.lexer.next()?;
                    if token == Token::Close {
                        break;
                    }
                    variables.push(self.pattern_variable(token, &variables)?);
                }
                let fields = of.fields_of(number.into());
                if variables.len() != fields.len() || variables.is_empty() {
                    let name = &of.constructors()[usize::from(number)].name;
                    let expected = format!("a variable for each of the {} fields of '{name}'", fields.len());
                    let span = place..self.lexer.end();
                    let found = variables.len().to_string();
                    return Err(self.lexer.refuse(DiagnosticKind::Sort, span, expected, found));
                }
                for (&variable, field) in variables.iter().zip(fields) {
                    let value = self.sure_field(record, &of, field);
                    self.symbols.bind_local(variable, value);
                }
                Some(number.into())
            }
            Token::Symbol | Token::Quoted => match self.constructor_of(token, &of, data_type) {
                Some(number) => {
                    if !of.fields_of(number.into()).is_empty() {
                        let expected = "a pattern with a variable for each field";
                        let found = format!("'{}' alone", self.lexer.name(token));
                        return Err(self.refuse_token(DiagnosticKind::Sort, expected, found));
                    }
                    Some(number.into())
                }
                None => {
                    let variable = self.pattern_variable(token, &[])?;
                    self.symbols.bind_local(variable, record);
                    None
                }
            },
            _ => return Err(self.lexer.unexpected(token, "a pattern")),
        };
        self.work.cases.push(case);
        self.work.frames.push(Frame { step: Step::Case { mark }, start: self.work.args.len(), place });
        Ok(())
    }

    /// The constructor of what is matched that the current token names. A variable around the match hides
    /// none: patterns are about what is declared.
    fn constructor_of(&mut self, token: Token, of: &RecordSort, data_type: Option<u32>) -> Option<u16> {
        let id = self.intern(token);
        match self.symbols.meaning(id) {
            Meaning::Constructor(of, number) if Some(of) == data_type => Some(number),
            Meaning::Local(_) if data_type.is_some() => {
                let name = self.lexer.name(token);
                let place = of.constructors().iter().position(|constructor| *constructor.name == *name);
                place.and_then(|place| place.try_into().ok())
            }
            _ => None,
        }
    }

    /// The same where there has to be one.
    fn pattern_constructor(&mut self, token: Token, of: &RecordSort, data_type: Option<u32>) -> Parsed<u16> {
        let expected = "a constructor of the data type that is matched";
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, expected));
        }
        if let Some(number) = self.constructor_of(token, of, data_type) {
            return Ok(number);
        }
        let id = self.intern(token);
        if let Meaning::Unbound = self.symbols.meaning(id) {
            return Err(self.undeclared(token, expected));
        }
        let found = format!("'{}'", self.lexer.name(token));
        Err(self.refuse_token(DiagnosticKind::Sort, expected, found))
    }

    /// The current token as a variable of a pattern; `_` has no name.
    fn pattern_variable(&mut self, token: Token, others: &[NameId]) -> Parsed<NameId> {
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, "a variable"));
        }
        if token == Token::Symbol && self.lexer.text() == b"_" {
            // A name that no text has, so that nothing refers to it.
            return Ok(self.symbols.intern(b"|_ |", false));
        }
        self.check_reserved(token, "a variable")?;
        let id = self.intern(token);
        if others.contains(&id) {
            let found = format!("'{}' twice", self.lexer.name(token));
            return Err(self.refuse_token(DiagnosticKind::Taken, "different variables in a pattern", found));
        }
        Ok(id)
    }

    /// The field of a record that has it.
    fn sure_field(&mut self, record: Term, of: &Arc<RecordSort>, field: u32) -> Term {
        let (_, sort) = of.field(field).expect("a field of the record");
        let default = Value::default_of(self.pool.sorts(), sort);
        let made = match self.pool.constant(&default) {
            Some(default) => self.pool.record_get_or(field, record, default),
            None => self.pool.indexed(Op::RecordGet, &[field], &[record]),
        };
        made.expect("a field of the record")
    }

    /// The choice, with its place, that the innermost frame, a `match` whose cases have been read, stands
    /// for.
    fn choice(&mut self) -> Parsed<(Term, u64)> {
        let &Frame { step, start, place } = self.work.frames.last().expect("a match is open");
        let Step::Match { cases: first } = step else { unreachable!("the cases are those of a match") };
        let (record, of) = self.matched_record();
        let cases: Vec<Case> = self.work.cases.split_off(first);
        let bodies = start + 1..self.work.args.len();
        let wanted = self.pool.sort(self.work.args[bodies.start]);
        if let Some(wrong) = bodies.clone().find(|&body| self.pool.sort(self.work.args[body]) != wanted) {
            return Err(self.wrong_sort(wanted, wrong));
        }
        let mut seen = vec![false; of.constructors().len()];
        let mut chosen: Vec<(Case, Term)> = vec![];
        for (case, body) in cases.into_iter().zip(bodies) {
            let is_new = match case {
                Some(constructor) => !std::mem::replace(&mut seen[constructor as usize], true),
                None => seen.contains(&false),
            };
            // What comes behind a case for all others is never chosen.
            if is_new {
                chosen.push((case, self.work.args[body]));
            }
            if case.is_none() {
                seen.fill(true);
            }
        }
        if let Some(missing) = seen.iter().position(|&is_seen| !is_seen) {
            let found = format!("none for '{}'", of.constructors()[missing].name);
            let span = place..self.lexer.end();
            let expected = "a case for each constructor";
            return Err(self.lexer.refuse(DiagnosticKind::Sort, span, expected, found));
        }
        let (_, mut term) = chosen.pop().expect("a data type has constructors");
        for (case, body) in chosen.into_iter().rev() {
            let constructor = case.expect("a case for all others is the last one");
            let is = self.pool.mk_indexed(Op::RecordIs, &[constructor], &[record]);
            term = self.pool.mk(Op::Ite, &[is, body, term]);
        }
        let term = self.decided(term, start, place)?;
        self.work.args.truncate(start);
        self.work.places.truncate(start);
        self.work.frames.pop();
        Ok((term, place))
    }
}
