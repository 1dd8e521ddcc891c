//! Terms of SMT-LIB 2, from trees to the table of terms, without recursion.

use crate::floats::{Format, read};
use crate::lexer::{Id, Node, Tree, is_decimal, is_number};
use crate::records::RecordOp;
use crate::script::{Binding, Scope, are_different};
use crate::term::{MOST_BITS, Op, Sort, SortKind, Term, Terms};
use num_bigint::BigUint;

/// What is to be done next.
enum Task {
    /// Read the term at this node.
    Read(Id),
    /// Apply the head of this node to as many terms. Whether the head had a meaning of its own is settled
    /// before its arguments are read.
    Apply { id: Id, count: usize, is_bound: bool },
    /// Bind the names of this `let`, then read its body.
    Bind(Id),
    /// As many names end.
    Unbind(Vec<String>),
    /// The term of this annotation has the names that it gives.
    Name(Id),
    /// The body of this quantifier was read, over these symbols.
    Quantify(Id, Vec<Term>),
    /// The record of this `match` was read; its cases are next.
    Match(Id),
    /// Bind the variables of this case of a record, then read its body.
    Case(Id, Term),
    /// The bodies of this `match` were read.
    Choose(Id),
}

/// A case of a `match`: its constructor, its variables with what they stand for, its body.
type Case = (Option<u32>, Vec<(String, Term)>, Id);

/// Reads a term.
pub(crate) struct Parser<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) terms: &'a mut Terms,
    pub(crate) scope: &'a mut Scope,
}

impl Parser<'_> {
    /// The term at a node.
    pub(crate) fn term(&mut self, root: Id) -> Result<Term, String> {
        let mut tasks = vec![Task::Read(root)];
        let mut done: Vec<Term> = vec![];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(id) => self.read(id, &mut tasks, &mut done)?,
                Task::Apply { id, count, is_bound } => {
                    let args = done.split_off(done.len() - count);
                    done.push(self.apply(id, &args, is_bound)?);
                }
                Task::Bind(id) => {
                    let parts = self.tree.list(id)?;
                    let names = self.names(parts[1])?;
                    let values = done.split_off(done.len() - names.len());
                    for (name, value) in names.iter().zip(values) {
                        self.scope.bind_local(name, Binding::Constant(value));
                    }
                    tasks.push(Task::Unbind(names));
                    tasks.push(Task::Read(parts[2]));
                }
                Task::Unbind(names) => names.iter().for_each(|name| self.scope.unbind(name)),
                Task::Quantify(id, variables) => {
                    let parts = self.tree.list(id)?;
                    let body = done.pop().ok_or("a term was expected")?;
                    let is_for_all = self.tree.word(parts[0]) == Some("forall");
                    done.push(self.terms.quantified(is_for_all, &variables, body)?);
                    self.scope.quantifiers -= 1;
                }
                Task::Match(id) => {
                    let &record = done.last().ok_or("a term was expected")?;
                    let cases = self.tree.list(self.tree.list(id)?[2])?;
                    tasks.push(Task::Choose(id));
                    tasks.extend(cases.iter().rev().map(|&case| Task::Case(case, record)));
                }
                Task::Case(id, record) => {
                    let (_, variables, body) = self.case(id, record)?;
                    let names: Vec<String> = variables.iter().map(|(name, _)| name.clone()).collect();
                    are_different(&names)?;
                    for (name, value) in variables {
                        self.scope.bind_local(&name, Binding::Constant(value));
                    }
                    tasks.extend([Task::Unbind(names), Task::Read(body)]);
                }
                Task::Choose(id) => {
                    let cases = self.tree.list(self.tree.list(id)?[2])?;
                    let bodies = done.split_off(done.len() - cases.len());
                    let record = done.pop().ok_or("a term was expected")?;
                    done.push(self.choice(cases, record, &bodies)?);
                }
                Task::Name(id) => {
                    let &term = done.last().ok_or("a term was expected")?;
                    self.annotate(&self.tree.list(id)?[2..], term)?;
                }
            }
        }
        done.pop().ok_or_else(|| "a term was expected".into())
    }

    /// Attributes are keywords, each with a value or without; `:named` gives the term a name.
    fn annotate(&mut self, mut attributes: &[Id], term: Term) -> Result<(), String> {
        while let [keyword, rest @ ..] = attributes {
            let keyword = self.tree.keyword(*keyword).ok_or("an attribute was expected")?;
            let value = rest.first().filter(|&&value| self.tree.keyword(value).is_none());
            if keyword == ":named" {
                if self.scope.quantifiers > 0 {
                    return Err("a name within a quantifier, whose variables end".into());
                }
                self.scope.name(self.tree.name(*value.ok_or("a name was expected")?)?, term)?;
            }
            attributes = &rest[usize::from(value.is_some())..];
        }
        Ok(())
    }

    /// The names that bindings give. Those of a `let` are different; of equal variables the last one counts.
    fn names(&self, bindings: Id) -> Result<Vec<String>, String> {
        let name = |&binding: &Id| match *self.tree.list(binding)? {
            [name, _] => self.tree.name(name).map(str::to_string),
            _ => Err("a binding was expected".into()),
        };
        self.tree.list(bindings)?.iter().map(name).collect()
    }

    fn read(&mut self, id: Id, tasks: &mut Vec<Task>, done: &mut Vec<Term>) -> Result<(), String> {
        let Node::List(parts) = self.tree.node(id) else {
            done.push(self.atom(id)?);
            return Ok(());
        };
        let &head = parts.first().ok_or("an empty list is no term")?;
        match self.tree.word(head) {
            Some("let") => {
                let &[_, bindings, _] = &parts[..] else { return Err("a let has two parts".into()) };
                are_different(&self.names(bindings)?)?;
                tasks.push(Task::Bind(id));
                for &binding in self.tree.list(bindings)?.iter().rev() {
                    tasks.push(Task::Read(self.tree.list(binding)?[1]));
                }
            }
            Some("!") if parts.len() >= 2 => tasks.extend([Task::Name(id), Task::Read(parts[1])]),
            Some("_") => done.push(self.indexed_constant(parts)?),
            Some("as") => done.push(self.qualified_constant(parts)?),
            Some("match") => {
                let &[_, matched, _] = &parts[..] else { return Err("a match has two parts".into()) };
                tasks.extend([Task::Match(id), Task::Read(matched)]);
            }
            Some("forall" | "exists") => self.open_quantifier(id, parts, tasks)?,
            _ => {
                let is_bound = self.tree.symbol(head).is_some_and(|name| self.scope.get(name).is_some());
                let args = &parts[1 + self.written_indices(parts, is_bound)..];
                tasks.push(Task::Apply { id, count: args.len(), is_bound });
                tasks.extend(args.iter().map(|&arg| Task::Read(arg)).rev());
            }
        }
        Ok(())
    }

    /// Binds the variables of a quantifier to new symbols while its body is read.
    fn open_quantifier(&mut self, id: Id, parts: &[Id], tasks: &mut Vec<Task>) -> Result<(), String> {
        let &[_, variables, body] = parts else { return Err("a quantifier has two parts".into()) };
        let (names, mut symbols) = (self.names(variables)?, vec![]);
        for &variable in self.tree.list(variables)? {
            let sort = self.sort(self.tree.list(variable)?[1])?;
            symbols.push(self.terms.fresh(sort));
        }
        for (name, &symbol) in names.iter().zip(&symbols) {
            self.scope.bind_local(name, Binding::Constant(symbol));
        }
        self.scope.quantifiers += 1;
        tasks.extend([Task::Quantify(id, symbols), Task::Unbind(names), Task::Read(body)]);
        Ok(())
    }

    /// A case `((c x ...) t)` or `(x t)` of a record.
    fn case(&mut self, id: Id, record: Term) -> Result<Case, String> {
        let &[pattern, body] = self.tree.list(id)? else { return Err("a case has two parts".into()) };
        let (head, variables) = match self.tree.node(pattern) {
            Node::List(parts) => parts.split_first().map(|(&head, rest)| (head, Some(rest))),
            _ => Some((pattern, None)),
        }
        .ok_or("a pattern was expected")?;
        let SortKind::Record(sort) = self.terms.kind(self.terms.sort_of(record)) else {
            return Err("what is matched is no record".into());
        };
        let named = |parser: &Self, id: Id, value: Term| match parser.tree.word(id) {
            Some("_") => Ok(None),
            _ => Ok::<_, String>(Some((parser.tree.name(id)?.to_string(), value))),
        };
        // A variable around the match hides no constructor here.
        let meaning = self.tree.symbol(head).and_then(|name| self.scope.declared(name));
        let Some(&Binding::Record(RecordOp::New, _, constructor)) = meaning
            .filter(|&binding| matches!(binding, &Binding::Record(RecordOp::New, of, _) if of == sort))
        else {
            return match variables {
                None => Ok((None, named(self, head, record)?.into_iter().collect(), body)),
                Some(_) => Err("a constructor of what is matched was expected".into()),
            };
        };
        let (variables, fields) = (variables.unwrap_or(&[]), self.terms.fields(sort, constructor));
        if variables.len() != fields.len() {
            return Err("a pattern has another number of fields".into());
        }
        let mut bound = vec![];
        for (&variable, field) in variables.iter().zip(fields) {
            let value = self.terms.mk(Op::Record(RecordOp::Get, sort, field), &[record])?;
            bound.extend(named(self, variable, value)?);
        }
        Ok((Some(constructor), bound, body))
    }

    /// The body of the first case that a record has.
    fn choice(&mut self, cases: &[Id], record: Term, bodies: &[Term]) -> Result<Term, String> {
        let (mut made, mut seen) = (None, vec![]);
        for &case in cases {
            seen.push(self.case(case, record)?.0);
        }
        let SortKind::Record(sort) = self.terms.kind(self.terms.sort_of(record)) else {
            return Err("what is matched is no record".into());
        };
        let all: Vec<Option<u32>> = (0..self.terms.constructors(sort)).map(Some).collect();
        // What comes behind a case for all others, or behind the last constructor, is never chosen.
        let is_whole = |first: &[Option<u32>]| first.contains(&None) || all.iter().all(|c| first.contains(c));
        let count = (1..=cases.len()).find(|&count| is_whole(&seen[..count]));
        let count = count.ok_or("a match without a case for each constructor")?;
        for (at, &body) in bodies[..count].iter().enumerate().rev() {
            made = match (made, seen[at]) {
                (None, _) => Some(body),
                (Some(_), again) if seen[..at].contains(&again) => made,
                (Some(rest), Some(constructor)) => {
                    let is = self.terms.mk(Op::Record(RecordOp::Is, sort, constructor), &[record])?;
                    Some(self.terms.mk(Op::Ite, &[is, body, rest])?)
                }
                (Some(_), None) => return Err("a case for all others is the last one".into()),
            };
        }
        let alike = bodies.iter().all(|&body| self.terms.sort_of(body) == self.terms.sort_of(bodies[0]));
        made.filter(|_| alike).ok_or_else(|| "the cases of a match have different sorts".into())
    }

    /// How many indices of an operator are written as its first arguments: `(extract 7 0 x)`.
    fn written_indices(&self, parts: &[Id], is_bound: bool) -> usize {
        let most = match self.tree.symbol(parts[0]) {
            Some("extract") if !is_bound => 2,
            Some("repeat" | "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right") if !is_bound => 1,
            _ => 0,
        };
        parts[1..].iter().take(most).take_while(|&&part| self.tree.number(part).is_some()).count()
    }

    fn atom(&mut self, id: Id) -> Result<Term, String> {
        let is_free = |text: &str| self.scope.get(text).is_none();
        match self.tree.node(id) {
            Node::Bits(text) => self.literal(text),
            Node::Numeral(text) | Node::Decimal(text) => read::decimal(self.terms, text),
            Node::Symbol(text) if text.strip_prefix('-').is_some_and(is_number) && is_free(text) => {
                read::decimal(self.terms, text)
            }
            _ => self.constant(self.tree.name(id)?),
        }
    }

    fn constant(&mut self, name: &str) -> Result<Term, String> {
        match self.scope.get(name) {
            Some(&(Binding::Symbol(term) | Binding::Constant(term))) => Ok(term),
            Some(&Binding::Record(op, sort, number)) => self.terms.mk(Op::Record(op, sort, number), &[]),
            Some(_) => Err(format!("'{name}' is not a constant")),
            None if matches!(name, "true" | "and") => Ok(self.terms.truth(true)),
            None if matches!(name, "false" | "or") => Ok(self.terms.truth(false)),
            None => read::mode(self.terms, name)?.ok_or_else(|| format!("'{name}' is not declared")),
        }
    }

    /// `#b0101`, `#x5`
    fn literal(&mut self, text: &str) -> Result<Term, String> {
        let (radix, bits) = if text.starts_with("#b") { (2, 1) } else { (16, 4) };
        let width = u32::try_from(text.len() - 2).ok().and_then(|digits| digits.checked_mul(bits));
        let width = width.filter(|&width| width <= MOST_BITS).ok_or("a literal of too many bits")?;
        let value = BigUint::parse_bytes(&text.as_bytes()[2..], radix).ok_or("a literal was expected")?;
        self.terms.value(width, value)
    }

    /// `(_ bv5 32)`
    fn indexed_constant(&mut self, parts: &[Id]) -> Result<Term, String> {
        if let &[_, name, ref indices @ ..] = parts
            && let (Some(name), Some((exponent, significand))) = (self.tree.word(name), self.format(indices))
            && let Some(made) = read::special(self.terms, name, Format::new(exponent, significand)?)?
        {
            return Ok(made);
        }
        let &[_, name, width] = parts else { return Err("an indexed constant is not known here".into()) };
        let digits = self.tree.word(name).and_then(|name| name.strip_prefix("bv"));
        let digits = digits.filter(|digits| is_decimal(digits));
        let width = self.tree.number(width).filter(|&width| width <= MOST_BITS);
        let (digits, width) = digits.zip(width).ok_or("an indexed constant is not known here")?;
        // Of a number with more digits, which are not zeros, than that, the value cannot fit.
        let digits = digits.trim_start_matches('0');
        let fits = digits.len() as u64 <= u64::from(width);
        // Numbers are read in a time that is the square of their length.
        let words = if fits { digits.len() as u64 / 19 } else { 0 };
        self.terms.budget.take(words * words, 0)?;
        let value = BigUint::parse_bytes(if digits.is_empty() { b"0" } else { digits.as_bytes() }, 10);
        match value.filter(|value| fits && value.bits() <= u64::from(width)) {
            Some(value) => self.terms.value(width, value),
            None => Err("a value has more bits than its sort".into()),
        }
    }

    /// Two numbers: the bits of an exponent and a significand.
    fn format(&self, indices: &[Id]) -> Option<(u32, u32)> {
        let &[exponent, significand] = indices else { return None };
        self.tree.number(exponent).zip(self.tree.number(significand))
    }

    /// `(as x S)`
    fn qualified_constant(&mut self, parts: &[Id]) -> Result<Term, String> {
        let &[_, name, sort] = parts else { return Err("a constant and its sort were expected".into()) };
        let term = self.constant(self.tree.name(name)?)?;
        match self.sort(sort)? == self.terms.sort_of(term) {
            true => Ok(term),
            false => Err("a constant has another sort".into()),
        }
    }

    fn apply(&mut self, id: Id, args: &[Term], is_bound: bool) -> Result<Term, String> {
        let parts = self.tree.list(id)?;
        if let Some(name) = self.tree.symbol(parts[0]) {
            if !is_bound {
                let indices = &parts[1..parts.len() - args.len()];
                return match (name, args) {
                    _ if let Some(op) = name.strip_prefix("is-").and_then(|of| self.on_record("is", of)) => {
                        self.terms.mk(op, args)
                    }
                    ("true" | "false", []) => Ok(self.terms.truth(name == "true")),
                    (_, []) if indices.is_empty() => self.constant(name),
                    _ => self.operator(name, indices, args),
                };
            }
            return match self.scope.get(name) {
                Some(binding) if let Some(op) = binding.operator() => self.terms.mk(op, args),
                Some(Binding::Macro(definition)) => definition.expand(self.terms, args),
                Some(&(Binding::Symbol(term) | Binding::Constant(term))) if args.is_empty() => Ok(term),
                _ => Err(format!("'{name}' is not a function")),
            };
        }
        let head = self.tree.list(parts[0])?;
        let keyword = head.first().and_then(|&keyword| self.tree.word(keyword));
        match (keyword, head) {
            (Some("_"), &[_, word, of])
                if let (Some(word), Some(of)) = (self.tree.word(word), self.tree.symbol(of))
                    && let Some(op) = self.on_record(word, of) =>
            {
                self.terms.mk(op, args)
            }
            (Some("_"), &[_, name, ref indices @ ..]) if !indices.is_empty() => {
                let name = self.tree.name(name)?;
                match self.scope.get(name) {
                    None => self.operator(name, indices, args),
                    Some(_) => Err(format!("'{name}' has no indices")),
                }
            }
            (Some("as"), &[_, name, sort]) if self.tree.word(name) == Some("const") => {
                let sort = self.sort(sort)?;
                self.terms.mk(Op::ConstArray(sort), args)
            }
            (Some("as"), &[_, name, sort]) => {
                let name = self.tree.name(name)?;
                let Some(op) = self.scope.get(name).and_then(Binding::operator) else {
                    return Err(format!("'{name}' is not a function"));
                };
                let made = self.terms.mk(op, args)?;
                match self.sort(sort)? == self.terms.sort_of(made) {
                    true => Ok(made),
                    false => Err("a function has another sort".into()),
                }
            }
            _ => Err("an operator was expected".into()),
        }
    }

    /// `(_ is c)`, `(_ update s)`
    fn on_record(&self, name: &str, of: &str) -> Option<Op> {
        let &Binding::Record(op, sort, number) = self.scope.get(of)? else { return None };
        match (name, op) {
            ("is", RecordOp::New) => Some(Op::Record(RecordOp::Is, sort, number)),
            ("update" | "update-field", RecordOp::Get) => Some(Op::Record(RecordOp::Set, sort, number)),
            _ => None,
        }
    }

    /// The sort at a node. Its depth is bounded by the stack of nodes that are open, not by recursion.
    pub(crate) fn sort(&mut self, root: Id) -> Result<Sort, String> {
        let mut tasks = vec![(root, false)];
        let mut done: Vec<Sort> = vec![];
        while let Some((id, is_visited)) = tasks.pop() {
            if let Some(name) = self.tree.symbol(id) {
                done.push(self.named_sort(name, &[])?);
                continue;
            }
            let parts = self.tree.list(id)?;
            match parts.first().and_then(|&head| self.tree.word(head)) {
                Some("_") if parts.get(1).and_then(|&name| self.tree.word(name)) == Some("FloatingPoint") => {
                    let (exponent, significand) = self.format(&parts[2..]).ok_or("a format was expected")?;
                    done.push(self.terms.sort(SortKind::Float(Format::new(exponent, significand)?)));
                }
                Some("_") => {
                    let &[_, name, width] = parts else { return Err("a sort was expected".into()) };
                    let width = self.tree.number(width).filter(|_| self.tree.word(name) == Some("BitVec"));
                    done.push(self.terms.bitvec_sort(width.ok_or("a width was expected")?)?);
                }
                _ if parts.is_empty() => return Err("a sort was expected".into()),
                _ if !is_visited => {
                    tasks.push((id, true));
                    tasks.extend(parts[1..].iter().map(|&part| (part, false)).rev());
                }
                _ => {
                    let args = done.split_off(done.len() + 1 - parts.len());
                    done.push(self.named_sort(self.tree.name(parts[0])?, &args)?);
                }
            }
        }
        done.pop().ok_or_else(|| "a sort was expected".into())
    }

    /// A sort by its name, for these arguments.
    fn named_sort(&mut self, name: &str, args: &[Sort]) -> Result<Sort, String> {
        match (self.scope.sort(name), name, args) {
            (Some(named), ..) => named.expand(self.terms, args),
            (None, "Bool", []) => Ok(self.terms.bool_sort()),
            (None, "Array", &[index, element]) => Ok(self.terms.sort(SortKind::Array(index, element))),
            (None, _, []) if let Some(kind) = read::named_sort(name) => Ok(self.terms.sort(kind)),
            _ => Err(format!("the sort '{name}' is not declared, or has other arguments")),
        }
    }

    fn operator(&mut self, name: &str, indices: &[Id], args: &[Term]) -> Result<Term, String> {
        let indices: Option<Vec<u32>> = indices.iter().map(|&at| self.tree.number(at)).collect();
        let indices = indices.ok_or("an index that is no number")?;
        if let Some(made) = read::apply(self.terms, name, &indices, args)? {
            return Ok(made);
        }
        let made = match (&indices[..], args) {
            ([], _) => self.plain(name, args)?,
            (&[index], &[arg]) => self.indexed(name, index, arg)?,
            (&[high, low], &[_]) if name == "extract" => Some(self.terms.mk(Op::Extract(high, low), args)?),
            _ => None,
        };
        made.ok_or_else(|| format!("'{name}' with {} arguments is not known here", args.len()))
    }

    fn indexed(&mut self, name: &str, index: u32, arg: Term) -> Result<Option<Term>, String> {
        let terms = &mut *self.terms;
        Ok(Some(match name {
            "zero_extend" => terms.zero_extend(index, arg)?,
            "sign_extend" => terms.sign_extend(index, arg)?,
            "rotate_left" => terms.rotate_left(index, arg)?,
            "rotate_right" => terms.rotate_right(index, arg)?,
            "repeat" if index > 0 => terms.repeat(index, arg)?,
            _ => return Ok(None),
        }))
    }

    fn plain(&mut self, name: &str, args: &[Term]) -> Result<Option<Term>, String> {
        if let Some(op) = core(name, args.len()) {
            return self.terms.mk(op, args).map(Some);
        }
        let terms = &mut *self.terms;
        if let Some(op) = listed(name)
            && let [first, ..] = *args
        {
            // One argument is the value, if the operator could be applied to it.
            terms.mk(op, &[first, first])?;
            return terms.chain(op, args).map(Some);
        }
        let listed = match (name, args) {
            ("iff", &[first, ..]) if terms.sort_of(first) != terms.bool_sort() => {
                Err("'iff' is about truth values".into())
            }
            ("and" | "or", []) => Ok(terms.truth(name == "and")),
            ("=" | "iff" | "distinct", [_]) => Ok(terms.truth(true)),
            ("=" | "iff", [_, ..]) => terms.neighbours(args, |terms, a, b| terms.mk(Op::Eq, &[a, b])),
            ("distinct", _) => terms.distinct(args),
            ("bvite", &[condition, a, b]) => self.bvite(condition, a, b),
            ("bvsmul_noovfl" | "bvsmul_noudfl", &[a, b]) => terms.smul_fits(name == "bvsmul_noovfl", a, b),
            ("bvumul_noovfl", &[a, b]) => terms.mulo(false, a, b).and_then(|overflows| terms.not(overflows)),
            ("bvsub" | "bvxnor" | "bvnand" | "bvnor", &[first, ref rest @ ..])
                if !rest.is_empty() || ["bvsub", "bvxnor"].contains(&name) =>
            {
                terms.mk(Op::BvAdd, &[first, first])?;
                rest.iter().try_fold(first, |left, &right| match name {
                    "bvsub" => terms.sub(left, right),
                    "bvxnor" => terms.complement(Op::BvXor, left, right),
                    "bvnand" => terms.complement(Op::BvAnd, left, right),
                    _ => terms.complement(Op::BvOr, left, right),
                })
            }
            ("=>" | "implies", [rest @ .., last]) if !rest.is_empty() => {
                rest.iter().rev().try_fold(*last, |right, &left| terms.implies(left, right))
            }
            (_, &[a]) => return self.unary(name, a),
            (_, &[a, b]) => return self.binary(name, a, b),
            _ => return Ok(None),
        };
        listed.map(Some)
    }

    /// A choice whose condition may be one bit.
    fn bvite(&mut self, condition: Term, a: Term, b: Term) -> Result<Term, String> {
        let truth = match self.terms.width(condition) {
            None => condition,
            Some(_) => {
                let one = self.terms.value(1, 1u8.into())?;
                self.terms.mk(Op::Eq, &[condition, one])?
            }
        };
        self.terms.mk(Op::Ite, &[truth, a, b])
    }

    fn unary(&mut self, name: &str, a: Term) -> Result<Option<Term>, String> {
        Ok(Some(match name {
            "bvinc" | "bvdec" => {
                let one = self.terms.number_like(a, 1)?;
                let step = if name == "bvinc" { one } else { self.terms.mk(Op::BvNeg, &[one])? };
                self.terms.mk(Op::BvAdd, &[a, step])?
            }
            "bvnego" => self.terms.nego(a)?,
            "bvredor" => self.terms.reduce(false, a)?,
            "bvredand" => self.terms.reduce(true, a)?,
            "bvredxor" => self.terms.parity(a)?,
            _ => return Ok(None),
        }))
    }

    fn binary(&mut self, name: &str, a: Term, b: Term) -> Result<Option<Term>, String> {
        let terms = &mut *self.terms;
        Ok(Some(match name {
            "bvcomp" => terms.comp(a, b)?,
            "bvule" => terms.at_most(Op::BvUlt, a, b)?,
            "bvsle" => terms.at_most(Op::BvSlt, a, b)?,
            "bvugt" => terms.mk(Op::BvUlt, &[b, a])?,
            "bvsgt" => terms.mk(Op::BvSlt, &[b, a])?,
            "bvuge" => terms.at_most(Op::BvUlt, b, a)?,
            "bvsge" => terms.at_most(Op::BvSlt, b, a)?,
            "bvsdiv" | "bvsdiv_i" => terms.sdiv(a, b)?,
            "bvsrem" | "bvsrem_i" => terms.srem(a, b)?,
            "bvsmod" | "bvsmod_i" => terms.smod(a, b)?,
            "bvuaddo" => terms.addo(false, a, b)?,
            "bvsaddo" => terms.addo(true, a, b)?,
            "bvumulo" => terms.mulo(false, a, b)?,
            "bvsmulo" => terms.mulo(true, a, b)?,
            "bvusubo" => terms.usubo(a, b)?,
            "bvssubo" => terms.ssubo(a, b)?,
            "bvsdivo" => terms.sdivo(a, b)?,
            "bvudivo" => terms.mk(Op::BvUdiv, &[a, b]).map(|_| terms.truth(false))?,
            "ext_rotate_left" | "bvrol" | "rotate_left" => terms.rotate_by(true, a, b)?,
            "ext_rotate_right" | "bvror" | "rotate_right" => terms.rotate_by(false, a, b)?,
            _ => return Ok(None),
        }))
    }
}

/// The operators whose lists are chains from the left.
fn listed(name: &str) -> Option<Op> {
    Some(match name {
        "and" => Op::And,
        "or" => Op::Or,
        "xor" => Op::Xor,
        "bvand" => Op::BvAnd,
        "bvor" => Op::BvOr,
        "bvxor" => Op::BvXor,
        "bvadd" => Op::BvAdd,
        "bvmul" => Op::BvMul,
        "concat" => Op::Concat,
        _ => return None,
    })
}

/// The operators that are terms as they are.
fn core(name: &str, arity: usize) -> Option<Op> {
    Some(match (name, arity) {
        ("not", 1) => Op::Not,
        ("ite", 3) => Op::Ite,
        ("bvnot", 1) => Op::BvNot,
        ("bvneg", 1) => Op::BvNeg,
        ("bvudiv" | "bvudiv_i", 2) => Op::BvUdiv,
        ("bvurem" | "bvurem_i", 2) => Op::BvUrem,
        ("bvshl", 2) => Op::BvShl,
        ("bvlshr", 2) => Op::BvLshr,
        ("bvashr", 2) => Op::BvAshr,
        ("bvult", 2) => Op::BvUlt,
        ("bvslt", 2) => Op::BvSlt,
        ("select", 2) => Op::Select,
        ("store", 3) => Op::Store,
        _ => return None,
    })
}
