//! Scripts of SMT-LIB 2: what is asserted at each check.
//!
//! The commands that change what is asserted are carried out, those that only ask are skipped, and whatever
//! is not known is an error: a certificate is about a script that is understood to the last word.

use crate::floats::lower::Lowering;
use crate::lexer::{Id, Lexer, Node, Tree};
use crate::parser::Parser;
use crate::records::RecordOp;
use crate::step::Setting;
use crate::term::{Function, Op, Sort, SortKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a name stands for.
pub(crate) enum Binding {
    /// A declared constant.
    Symbol(Term),
    /// A term that has a name.
    Constant(Term),
    Function(Function),
    Macro(Macro),
    /// A constructor, or the selector of a field: the numbers of the sort and its own.
    Record(RecordOp, u32, u32),
}

impl Binding {
    /// What it applies to arguments, if it does.
    pub(crate) fn operator(&self) -> Option<Op> {
        match *self {
            Binding::Function(function) => Some(Op::Apply(function)),
            Binding::Record(op, sort, number) => Some(Op::Record(op, sort, number)),
            _ => None,
        }
    }
}

/// A function that is defined: its parameters are symbols that only its body mentions.
#[derive(Clone)]
pub(crate) struct Macro {
    parameters: Vec<Term>,
    body: Term,
}

impl Macro {
    /// The body for these arguments.
    pub(crate) fn expand(&self, terms: &mut Terms, args: &[Term]) -> Result<Term, String> {
        let sorts = |list: &[Term]| -> Vec<Sort> { list.iter().map(|&term| terms.sort_of(term)).collect() };
        if sorts(args) != sorts(&self.parameters) {
            return Err("a defined function has arguments of other sorts".into());
        }
        let pairs = self.parameters.iter().copied().zip(args.iter().copied());
        terms.image(None, &mut FxHashMap::from_iter(pairs), self.body)
    }
}

/// A sort that has a name: its parameters are declared sorts that it alone mentions.
pub(crate) struct Named {
    parameters: Vec<Sort>,
    sort: Sort,
}

impl Named {
    /// The sort for these arguments.
    pub(crate) fn expand(&self, terms: &mut Terms, args: &[Sort]) -> Result<Sort, String> {
        if args.len() != self.parameters.len() {
            return Err("a defined sort has another number of arguments".into());
        }
        let mut map = FxHashMap::from_iter(self.parameters.iter().copied().zip(args.iter().copied()));
        terms.image_of_sort(None, &mut map, self.sort)
    }
}

/// Names of the core theory, and of that of bit-vectors.
const CORE: [&str; 10] = ["true", "false", "not", "=>", "and", "or", "xor", "=", "distinct", "ite"];
#[rustfmt::skip]
const BIT_VECTORS: [&str; 43] = [
    "concat", "extract", "repeat", "zero_extend", "sign_extend", "rotate_left", "rotate_right",
    "bvnot", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvcomp", "bvneg", "bvadd", "bvsub",
    "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr", "bvult", "bvule",
    "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "bvnego", "bvuaddo", "bvsaddo", "bvumulo",
    "bvsmulo", "bvusubo", "bvssubo", "bvsdivo",
];

/// Queries of other solvers, which change nothing, and objectives: what has no model has no best one.
#[rustfmt::skip]
const FOREIGN: [&str; 22] = [
    "apply", "assert-soft", "count-models", "display", "eval", "get-abduct", "get-abduct-next",
    "get-all-models", "get-difficulty", "get-interpol", "get-interpolant", "get-interpolant-next", "get-interpolants",
    "get-learned-literals", "get-objectives", "get-timeout-core", "get-timeout-core-assuming",
    "get-unsat-core-lemmas", "get-qe", "maximize", "minimize", "simplify",
];

/// Refuses a name that stands twice in a list.
pub(crate) fn are_different(names: &[String]) -> Result<(), String> {
    let mut seen = FxHashSet::default();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(name) => Err(format!("'{name}' twice")),
        None => Ok(()),
    }
}

/// What names stand for.
#[derive(Default)]
pub(crate) struct Scope {
    names: FxHashMap<String, Vec<Binding>>,
    sorts: FxHashMap<String, Vec<Named>>,
    declared_sorts: u32,
    logic: Option<String>,
    /// The names that annotations of the command have given to terms.
    named: Vec<String>,
    /// The quantifiers whose bodies are being read.
    pub(crate) quantifiers: u32,
}

impl Scope {
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.names.get(name)?.last()
    }

    /// What a name means outside of all terms.
    pub(crate) fn declared(&self, name: &str) -> Option<&Binding> {
        self.names.get(name)?.first()
    }

    pub(crate) fn sort(&self, name: &str) -> Option<&Named> {
        self.sorts.get(name)?.last()
    }

    fn bind_sort(&mut self, name: &str, parameters: Vec<Sort>, sort: Sort) {
        self.sorts.entry(name.to_string()).or_default().push(Named { parameters, sort });
    }

    fn unbind_sort(&mut self, name: &str) {
        if let Some(sorts) = self.sorts.get_mut(name) {
            sorts.pop();
        }
    }

    pub(crate) fn bind_local(&mut self, name: &str, binding: Binding) {
        self.names.entry(name.to_string()).or_default().push(binding);
    }

    /// A name that nothing has yet is that of a term.
    pub(crate) fn name(&mut self, name: &str, term: Term) -> Result<(), String> {
        self.is_new(name)?;
        self.bind_local(name, Binding::Constant(term));
        self.named.push(name.to_string());
        Ok(())
    }

    fn is_new(&self, name: &str) -> Result<(), String> {
        match self.get(name) {
            Some(_) => Err(format!("'{name}' is declared already")),
            None if self.is_of_theory(name) => Err(format!("'{name}' has a meaning of its own")),
            None => Ok(()),
        }
    }

    /// Whether a theory of the logic gives a meaning to a name; names outside of the standard are free.
    fn is_of_theory(&self, name: &str) -> bool {
        let logic = self.logic.as_deref().unwrap_or("ALL");
        let letters = logic.strip_prefix("QF_").unwrap_or(logic);
        let is_plain = logic.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        let has_all = !is_plain || ["ALL", "QF_ALL", "ALL_SUPPORTED", "QF_FD"].contains(&logic);
        let has_arrays = has_all || letters.strip_suffix("BV").unwrap_or(letters).starts_with('A');
        CORE.contains(&name)
            || has_arrays && ["select", "store"].contains(&name)
            || (has_all || letters.contains("BV")) && BIT_VECTORS.contains(&name)
    }

    pub(crate) fn unbind(&mut self, name: &str) {
        if let Some(bindings) = self.names.get_mut(name) {
            bindings.pop();
        }
    }
}

/// What ends when a level is popped.
#[derive(Default)]
struct Level {
    /// Levels below this one that have nothing of their own.
    below: u32,
    assertions: usize,
    names: Vec<String>,
    sorts: Vec<String>,
}

/// A script that is read.
pub struct Script<'a> {
    lexer: Lexer<'a>,
    /// The terms of the script.
    pub terms: Terms,
    scope: Scope,
    assertions: Vec<Term>,
    assumptions: Vec<Term>,
    /// What is asserted is about bit-vectors.
    lowering: Lowering,
    levels: Vec<Level>,
    is_global: bool,
    has_ended: bool,
}

impl<'a> Script<'a> {
    /// Reads from the start.
    pub fn new(text: &'a str) -> Script<'a> {
        Script {
            lexer: Lexer::new(text),
            terms: Terms::new(),
            scope: Scope::default(),
            assertions: vec![],
            assumptions: vec![],
            lowering: Lowering::default(),
            levels: vec![Level::default()],
            is_global: false,
            has_ended: false,
        }
    }

    /// Goes on to the next check; `false` at the end.
    pub fn next_check(&mut self) -> Result<bool, String> {
        self.assumptions.clear();
        while !self.has_ended {
            self.lexer.skip();
            let line = self.lexer.line;
            let located = |why: String| format!("line {line}: {why}");
            match self.lexer.command().map_err(located)? {
                None => return Ok(false),
                Some((tree, root)) => {
                    if self.command(&tree, root).map_err(located)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Carries a command out; is it a check?
    fn command(&mut self, tree: &Tree, root: Id) -> Result<bool, String> {
        let parts = tree.list(root)?;
        let name = parts.first().and_then(|&head| tree.word(head)).ok_or("a command was expected")?;
        match (name, &parts[1..]) {
            ("check-sat", []) | ("check-sat-using", [_, ..]) => return Ok(true),
            ("check-sat-assuming", &[list]) => {
                for &assumption in tree.list(list)? {
                    let term = self.truth(tree, assumption)?;
                    self.assumptions.push(term);
                }
                return Ok(true);
            }
            ("assert", &[term]) => {
                let truth = self.truth(tree, term)?;
                self.assertions.push(truth);
            }
            ("push", []) => self.push(1),
            ("pop", []) => self.pop(1)?,
            ("push", &[levels]) => self.push(tree.number(levels).ok_or("a number was expected")?),
            ("pop", &[levels]) => self.pop(tree.number(levels).ok_or("a number was expected")?)?,
            ("reset-assertions", []) => self.reset_assertions(),
            ("reset", []) => {
                self.reset_assertions();
                (self.scope, self.levels, self.is_global) = (Scope::default(), vec![Level::default()], false);
            }
            ("exit", []) => self.has_ended = true,
            ("set-logic", &[logic]) => self.scope.logic = Some(tree.logic(logic)?.into()),
            ("set-option" | "set-info", &[keyword, ref value @ ..]) => {
                self.set(tree, name, keyword, value)?
            }
            ("declare-fun" | "declare-const" | "define-fun" | "define-const", _) => {
                self.declare(tree, name, parts)?
            }
            ("declare-sort" | "define-sort", _) => self.declare_sort(tree, name, parts)?,
            ("declare-datatype" | "declare-datatypes", _) => self.declare_data_types(tree, parts)?,
            ("echo", &[text]) if matches!(tree.node(text), Node::Text) => {}
            ("get-value", &[list]) if !tree.list(list)?.is_empty() => self.values(tree, list)?,
            ("get-consequences", &[assumptions, variables]) => {
                for list in [assumptions, variables] {
                    tree.list(list)?.iter().try_for_each(|&term| self.truth(tree, term).map(drop))?;
                }
            }
            ("get-info" | "get-option", &[keyword]) if tree.keyword(keyword).is_some() => {}
            ("get-assertions" | "get-assignment" | "get-model" | "get-proof", []) => {}
            ("get-unsat-assumptions" | "get-unsat-core", []) => {}
            ("help", _) => {}
            _ if FOREIGN.contains(&name) && tree.has_names() => return Err("a name in a query".into()),
            _ if FOREIGN.contains(&name) => {}
            _ => return Err(format!("the command '{name}' is not known here, or has other arguments")),
        }
        Ok(false)
    }

    /// An option or a remark. Of the options, one changes what later commands mean.
    fn set(&mut self, tree: &Tree, name: &str, keyword: Id, value: &[Id]) -> Result<(), String> {
        let keyword = tree.keyword(keyword).ok_or("a keyword was expected")?;
        if value.len() > 1 || value.iter().any(|&value| tree.keyword(value).is_some()) {
            return Err("one value was expected".into());
        }
        if name == "set-option" && [":global-declarations", ":global-decls"].contains(&keyword) {
            self.is_global = match value.first().and_then(|&value| tree.symbol(value)) {
                Some("true") => true,
                Some("false") => false,
                _ => return Err("true or false was expected".into()),
            };
        }
        Ok(())
    }

    /// What is asked of a model changes nothing, but its terms can have names. A function is asked by its
    /// name.
    fn values(&mut self, tree: &Tree, list: Id) -> Result<(), String> {
        for &term in tree.list(list)? {
            let name = tree.symbol(term).and_then(|name| self.scope.get(name));
            if !matches!(name, Some(Binding::Function(_))) {
                self.parser(tree).term(term)?;
            }
        }
        self.end_names();
        Ok(())
    }

    pub(crate) fn parser<'b>(&'b mut self, tree: &'b Tree) -> Parser<'b> {
        Parser { tree, terms: &mut self.terms, scope: &mut self.scope }
    }

    /// An assertion or assumption.
    fn truth(&mut self, tree: &Tree, id: Id) -> Result<Term, String> {
        let term = self.parser(tree).term(id)?;
        self.end_names();
        self.stated(term)
    }

    /// What a term says, without floating point.
    fn stated(&mut self, term: Term) -> Result<Term, String> {
        if self.terms.sort_of(term) != self.terms.bool_sort() {
            return Err("what is asserted is no truth value".into());
        }
        self.lowering.formula(&mut self.terms, term)
    }

    /// Assumes one more term at this check, or its negation.
    pub fn assume(&mut self, text: &str, truth: bool) -> Result<(), String> {
        let list = if truth { format!("({text})") } else { format!("((not {text}))") };
        let mut lexer = Lexer::new(&list);
        let (tree, root) = lexer.command()?.ok_or("a term was expected")?;
        let (&[term], None) = (tree.list(root)?, lexer.command()?) else {
            return Err(format!("one term was expected, not '{text}'"));
        };
        let term = self.parser(&tree).term(term)?;
        if !self.scope.named.is_empty() {
            return Err("what is assumed gives no names".into());
        }
        let truth = self.stated(term)?;
        self.assumptions.push(truth);
        Ok(())
    }

    /// Takes the last assumption back.
    pub fn take_back(&mut self) {
        self.assumptions.pop();
    }

    /// The names that this command has given end with the level.
    fn end_names(&mut self) {
        let named = std::mem::take(&mut self.scope.named);
        if !self.is_global
            && let Some(level) = self.levels.last_mut()
        {
            level.names.extend(named);
        }
    }

    /// A name that nothing has yet stands for something.
    pub(crate) fn bind(&mut self, name: &str, binding: Binding) -> Result<(), String> {
        self.scope.is_new(name)?;
        self.scope.bind_local(name, binding);
        self.scope.named.push(name.to_string());
        self.end_names();
        Ok(())
    }

    fn declare(&mut self, tree: &Tree, command: &str, parts: &[Id]) -> Result<(), String> {
        let name = tree.name(*parts.get(1).ok_or("a name was expected")?)?;
        self.scope.is_new(name)?;
        let binding = match (command, &parts[2..]) {
            ("declare-const", &[range]) => self.function(tree, &[], range)?,
            ("declare-fun", &[domain, range]) => self.function(tree, tree.list(domain)?, range)?,
            ("define-const", &[range, body]) => self.definition(tree, &[], range, body)?,
            ("define-fun", &[parameters, range, body]) => {
                self.definition(tree, tree.list(parameters)?, range, body)?
            }
            _ => return Err(format!("'{command}' has other parts")),
        };
        self.bind(name, binding)
    }

    fn function(&mut self, tree: &Tree, domain: &[Id], range: Id) -> Result<Binding, String> {
        let mut parser = self.parser(tree);
        let domain: Vec<Sort> = domain.iter().map(|&sort| parser.sort(sort)).collect::<Result<_, _>>()?;
        let range = parser.sort(range)?;
        Ok(match domain.is_empty() {
            true => Binding::Symbol(self.terms.fresh(range)),
            false => Binding::Function(self.terms.fresh_function(domain, range)),
        })
    }

    fn definition(&mut self, tree: &Tree, parameters: &[Id], range: Id, body: Id) -> Result<Binding, String> {
        let (mut names, mut symbols) = (vec![], vec![]);
        for &parameter in parameters {
            let &[name, sort] = tree.list(parameter)? else { return Err("a parameter was expected".into()) };
            let sort = self.parser(tree).sort(sort)?;
            let symbol = self.terms.fresh(sort);
            let name = tree.name(name)?;
            self.scope.bind_local(name, Binding::Constant(symbol));
            names.push(name.to_string());
            symbols.push(symbol);
        }
        are_different(&names)?;
        // Symbols have no such sort.
        let is_real = tree.symbol(range) == Some("Real") && self.scope.sort("Real").is_none();
        let mut parser = self.parser(tree);
        let range = if is_real { parser.terms.sort(SortKind::Real) } else { parser.sort(range)? };
        let body = parser.term(body)?;
        names.iter().for_each(|name| self.scope.unbind(name));
        if self.terms.sort_of(body) != range {
            return Err("a definition has another sort".into());
        }
        if symbols.is_empty() {
            return Ok(Binding::Constant(body));
        }
        // What has a name must not be about the parameters, which end: other ones would be another term.
        let others: Vec<Term> =
            symbols.iter().map(|&symbol| self.terms.fresh(self.terms.sort_of(symbol))).collect();
        let mut map = FxHashMap::from_iter(symbols.iter().copied().zip(others));
        for name in self.scope.named.clone() {
            if let Some(&Binding::Constant(term)) = self.scope.get(&name)
                && self.terms.image(None, &mut map, term)? != term
            {
                return Err(format!("'{name}' is a name of what is about parameters"));
            }
        }
        Ok(Binding::Macro(Macro { parameters: symbols, body }))
    }

    fn declare_sort(&mut self, tree: &Tree, command: &str, parts: &[Id]) -> Result<(), String> {
        let name = tree.name(*parts.get(1).ok_or("a name was expected")?)?;
        let (parameters, sort) = match (command, &parts[2..]) {
            ("declare-sort", &[]) => (vec![], self.fresh_sort()),
            ("declare-sort", &[arity]) if tree.number(arity) == Some(0) => (vec![], self.fresh_sort()),
            ("define-sort", &[parameters, sort]) => {
                self.sort_definition(tree, tree.list(parameters)?, sort)?
            }
            _ => return Err("declared sorts with parameters are not known here".into()),
        };
        self.bind_sort(name, parameters, sort)
    }

    /// A name that no sort has yet is that of a sort.
    pub(crate) fn bind_sort(&mut self, name: &str, parameters: Vec<Sort>, sort: Sort) -> Result<(), String> {
        if self.scope.sort(name).is_some() || ["Bool", "Array", "BitVec"].contains(&name) {
            return Err(format!("the sort '{name}' is declared already"));
        }
        self.scope.bind_sort(name, parameters, sort);
        if !self.is_global
            && let Some(level) = self.levels.last_mut()
        {
            level.sorts.push(name.to_string());
        }
        Ok(())
    }

    fn fresh_sort(&mut self) -> Sort {
        self.scope.declared_sorts += 1;
        self.terms.sort(SortKind::Declared(self.scope.declared_sorts))
    }

    fn sort_definition(&mut self, tree: &Tree, names: &[Id], sort: Id) -> Result<(Vec<Sort>, Sort), String> {
        let names = names.iter().map(|&name| Ok(tree.name(name)?.to_string()));
        let names = names.collect::<Result<Vec<String>, String>>()?;
        are_different(&names)?;
        let parameters: Vec<Sort> = names.iter().map(|_| self.fresh_sort()).collect();
        for (name, &parameter) in names.iter().zip(&parameters) {
            self.scope.bind_sort(name, vec![], parameter);
        }
        let sort = self.parser(tree).sort(sort)?;
        names.iter().for_each(|name| self.scope.unbind_sort(name));
        Ok((parameters, sort))
    }

    fn push(&mut self, count: u32) {
        if let Some(below) = count.checked_sub(1) {
            self.levels.push(Level { below, assertions: self.assertions.len(), ..Level::default() });
        }
    }

    fn pop(&mut self, mut count: u32) -> Result<(), String> {
        while count > 0 {
            let level = if self.levels.len() > 1 { self.levels.pop() } else { None };
            let level = level.ok_or("there is no level to pop")?;
            self.assertions.truncate(level.assertions);
            self.end(&level);
            count -= 1;
            let left = level.below.saturating_sub(count);
            count = count.saturating_sub(level.below);
            self.push(left);
        }
        Ok(())
    }

    fn end(&mut self, level: &Level) {
        level.names.iter().for_each(|name| self.scope.unbind(name));
        level.sorts.iter().for_each(|name| self.scope.unbind_sort(name));
    }

    fn reset_assertions(&mut self) {
        while let Some(level) = self.levels.pop() {
            self.end(&level);
        }
        self.levels.push(Level::default());
        self.assertions.clear();
    }
}

impl Setting for Script<'_> {
    fn assertion(&self, number: u64) -> Option<Term> {
        let mut all = self.assertions.iter().chain(&self.assumptions);
        all.nth(usize::try_from(number).ok()?).copied()
    }

    fn said(&self, assertions: &[u64]) -> Result<(&Lowering, Vec<Term>), String> {
        let said = |&number: &u64| self.assertion(number).and_then(|image| self.lowering.said(image));
        let formulas: Option<Vec<Term>> = assertions.iter().map(said).collect();
        Ok((&self.lowering, formulas.ok_or("there is no such assertion about floats")?))
    }

    fn symbol(&self, name: &str) -> Option<Term> {
        match self.scope.get(name) {
            Some(&Binding::Symbol(term)) => Some(self.lowering.symbol(term)),
            Some(_) => None,
            None => self.lowering.open().0.get(name).copied(),
        }
    }

    fn function(&self, name: &str) -> Option<Function> {
        match self.scope.get(name) {
            Some(&Binding::Function(function)) => Some(self.lowering.function(function)),
            Some(_) => None,
            None => self.lowering.open().1.get(name).copied(),
        }
    }

    fn sort(&self, name: &str) -> Option<Sort> {
        self.scope.sort(name).filter(|named| named.parameters.is_empty()).map(|named| named.sort)
    }
}
