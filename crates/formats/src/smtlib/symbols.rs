//! What names mean, by scope.
//!
//! Each name has one current meaning in a dense table; a new meaning writes the old one into a log. Leaving a
//! scope plays the log back. There are two logs: the locals of a term (variables of `let`, parameters of a
//! definition), and the declarations of the assertion levels. The session decides when a level is opened or
//! closed and whether that is allowed; it calls [`Symbols::push`], [`Symbols::pop`] and the like. A reader
//! that has no levels of its own calls [`Symbols::follow`].
//!
//! Under `:global-declarations` a declaration is not written into the log once its command is complete, so no
//! pop can take it back. Within the command it is, because a command that fails must leave no trace.
//!
//! Sorts have a name space of their own, as in the standard, in the same log.
//!
//! Cost: eight bytes a name, twelve a declaration; a level costs nothing however many are pushed at once.

use crate::smtlib::command::Command;
use crate::smtlib::definitions::Macro;
use crate::smtlib::elements::Elements;
use crate::smtlib::names::{NameId, Names};
use crate::smtlib::sort_table::{SortMeaning, SortTable};
use crate::smtlib::vocabulary::{DIALECT, Dialect, OLDER_NAMES, RATIO, WORDS, Word, is_word};
use bivalve_lowering::Lowering;
use bivalve_terms::float::RoundingMode;
use bivalve_terms::{Op, Pool, Renaming, Term};

/// What a name stands for in a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Unbound,
    /// A declared constant, a definition without parameters, or a label.
    Value(Term),
    /// A variable of `let` or a parameter.
    Local(Term),
    /// A declared function.
    Function(Term),
    /// A definition with parameters, by its place among the macros.
    Macro(u32),
    Truth(bool),
    Operator(Op),
    Dialect(Dialect),
    Word(Word),
    Mode(RoundingMode),
    /// A constructor, by its data type and number.
    Constructor(u32, u16),
    /// A selector, by its data type and the number of the field.
    Selector(u32, u32),
}

impl Meaning {
    fn term(self) -> Option<Term> {
        match self {
            Meaning::Value(term) | Meaning::Local(term) | Meaning::Function(term) => Some(term),
            Meaning::Unbound
            | Meaning::Macro(_)
            | Meaning::Truth(_)
            | Meaning::Operator(_)
            | Meaning::Dialect(_)
            | Meaning::Word(_)
            | Meaning::Mode(_)
            | Meaning::Constructor(..)
            | Meaning::Selector(..) => None,
        }
    }

    fn rename(&mut self, renaming: &Renaming) {
        if let Meaning::Value(term) | Meaning::Local(term) | Meaning::Function(term) = self {
            *term = renaming.of(*term);
        }
    }
}

/// One step back.
enum Undo {
    Name(NameId, Meaning),
    Sort(NameId, Option<SortMeaning>),
    Declared(Term),
    Named(NameId),
    /// The last member of a group.
    Member,
}

/// Levels that were opened at the same state of the log.
struct Level {
    log: usize,
    count: u64,
}

/// The scoped table of declared and defined names.
pub struct Symbols {
    pub(crate) names: Names,
    meanings: Vec<Meaning>,
    locals: Vec<(NameId, Meaning)>,
    log: Vec<Undo>,
    levels: Vec<Level>,
    declared: Vec<Term>,
    named: Vec<(NameId, Term)>,
    /// The members of groups, by level.
    members: Vec<(String, Term)>,
    pub(crate) macros: Vec<Macro>,
    pub(crate) sorts: SortTable,
    pub(crate) lowering: Lowering,
    pub(crate) elements: Elements,
    global: bool,
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols::new()
    }
}

/// What the session asks and decides.
impl Symbols {
    pub(crate) fn new() -> Symbols {
        let mut symbols = Symbols {
            names: Names::new(),
            meanings: Vec::new(),
            locals: Vec::new(),
            log: Vec::new(),
            levels: Vec::new(),
            declared: Vec::new(),
            named: Vec::new(),
            members: Vec::new(),
            macros: Vec::new(),
            sorts: SortTable::default(),
            lowering: Lowering::new(),
            elements: Elements::default(),
            global: false,
        };
        symbols.bind_vocabulary();
        symbols
    }

    /// Opens `levels` levels.
    pub fn push(&mut self, levels: u32) {
        let (log, count) = (self.log.len(), u64::from(levels));
        match self.levels.last_mut() {
            Some(level) if level.log == log => level.count += count,
            _ if count > 0 => self.levels.push(Level { log, count }),
            _ => {}
        }
    }

    /// Closes `levels` levels and forgets what was declared in them; false, and nothing happens, if there are
    /// fewer.
    pub fn pop(&mut self, levels: u32) -> bool {
        let mut rest = u64::from(levels);
        if self.depth() < rest {
            return false;
        }
        while rest > 0 {
            let level = self.levels.last_mut().expect("there are as many levels as their sum says");
            let closed = level.count.min(rest);
            level.count -= closed;
            rest -= closed;
            let (log, empty) = (level.log, level.count == 0);
            if empty {
                self.levels.pop();
            }
            self.roll_back(log);
        }
        true
    }

    /// The number of open levels.
    pub fn depth(&self) -> u64 {
        self.levels.iter().map(|level| level.count).sum()
    }

    /// Are declarations global, that is, kept when their level is closed?
    pub fn global_declarations(&self) -> bool {
        self.global
    }

    /// Makes the declarations to come global, or not.
    pub fn set_global_declarations(&mut self, global: bool) {
        self.global = global;
    }

    /// As `(reset)`: everything is forgotten, and declarations are not global.
    pub fn reset(&mut self) {
        *self = Symbols::new();
    }

    /// As `(reset-assertions)`: closes all levels and forgets all declarations but the global ones.
    pub fn reset_assertions(&mut self) {
        self.levels.clear();
        self.roll_back(0);
    }

    /// Does what a command does to scopes; a pop of more levels than there are does nothing.
    pub fn follow(&mut self, command: &Command) {
        match command {
            Command::Push(levels) => self.push(*levels),
            Command::Pop(levels) => _ = self.pop(*levels),
            Command::Reset => self.reset(),
            Command::ResetAssertions => self.reset_assertions(),
            Command::SetOption { keyword, value: Some(value) } if keyword == ":global-declarations" => {
                self.set_global_declarations(value.as_bool() == Some(true));
            }
            _ => {}
        }
    }

    /// Declares symbols under their names, which are all different.
    pub fn declare_all(&mut self, pool: &Pool, symbols: &[Term]) {
        for &symbol in symbols {
            let id = self.intern(pool.name(symbol).unwrap_or_default().as_bytes(), true);
            let is_function = pool.sorts().is_function(pool.sort(symbol));
            let meaning = if is_function { Meaning::Function(symbol) } else { Meaning::Value(symbol) };
            self.declare(id, symbol, meaning);
        }
    }

    /// The declared constants and functions in order of declaration; their names are those of the symbols.
    pub fn declared(&self) -> &[Term] {
        &self.declared
    }

    /// The labels given by `:named`, in order, with what they label.
    pub fn named(&self) -> impl Iterator<Item = (&str, Term)> {
        self.named.iter().map(|&(id, term)| (self.names.name(id), term))
    }

    /// The terms that names hold on to, between two commands.
    pub fn in_use(&self) -> Vec<Term> {
        let undone = self.log.iter().filter_map(|undo| match undo {
            Undo::Name(_, meaning) => meaning.term(),
            Undo::Declared(symbol) => Some(*symbol),
            Undo::Sort(..) | Undo::Named(_) | Undo::Member => None,
        });
        let named = self.named.iter().map(|&(_, term)| term);
        let named = named.chain(self.members.iter().map(|&(_, term)| term));
        let meant = self.meanings.iter().filter_map(|meaning| meaning.term());
        let defined = self.macros.iter().flat_map(Macro::in_use);
        let declared = self.declared.iter().copied().chain(self.lowering.in_use());
        let declared = declared.chain(self.elements.in_use());
        undone.chain(named).chain(meant).chain(defined).chain(declared).collect()
    }

    /// Follows a compaction of the pool.
    pub fn rename(&mut self, renaming: &Renaming) {
        for undo in &mut self.log {
            match undo {
                Undo::Name(_, meaning) => meaning.rename(renaming),
                Undo::Declared(symbol) => *symbol = renaming.of(*symbol),
                Undo::Sort(..) | Undo::Named(_) | Undo::Member => {}
            }
        }
        self.named.iter_mut().for_each(|(_, term)| *term = renaming.of(*term));
        self.members.iter_mut().for_each(|(_, term)| *term = renaming.of(*term));
        self.meanings.iter_mut().for_each(|meaning| meaning.rename(renaming));
        self.macros.iter_mut().for_each(|definition| definition.rename(renaming));
        self.declared.iter_mut().for_each(|symbol| *symbol = renaming.of(*symbol));
        self.lowering.rename(renaming);
        self.elements.rename(renaming);
    }

    /// The constant, function, label or definition without parameters of this name.
    pub fn lookup(&self, name: &str) -> Option<Term> {
        match self.meaning(self.names.find(name.as_bytes())?) {
            Meaning::Value(term) | Meaning::Function(term) => Some(term),
            _ => None,
        }
    }
}

/// What the reader does.
impl Symbols {
    /// The id of a symbol as it was read. A quoted symbol never is a word of the language.
    #[inline]
    pub(crate) fn intern(&mut self, name: &[u8], quoted: bool) -> NameId {
        let id = if quoted && is_word(name) {
            self.names.intern(&[b"|", name, b"|"].concat())
        } else {
            self.names.intern(name)
        };
        if id.index() >= self.meanings.len() {
            self.meanings.resize(id.index() + 1, Meaning::Unbound);
        }
        id
    }

    #[inline]
    pub(crate) fn meaning(&self, id: NameId) -> Meaning {
        self.meanings.get(id.index()).copied().unwrap_or(Meaning::Unbound)
    }

    /// Gives a name a meaning in the current level.
    pub(crate) fn bind(&mut self, id: NameId, meaning: Meaning) {
        let old = std::mem::replace(&mut self.meanings[id.index()], meaning);
        self.log.push(Undo::Name(id, old));
    }

    /// Gives a name a meaning until [`Symbols::leave`].
    #[inline]
    pub(crate) fn bind_local(&mut self, id: NameId, term: Term) {
        let old = std::mem::replace(&mut self.meanings[id.index()], Meaning::Local(term));
        self.locals.push((id, old));
    }

    /// The state of the locals, for [`Symbols::leave`].
    pub(crate) fn enter(&self) -> usize {
        self.locals.len()
    }

    /// Forgets the locals bound since `mark`.
    #[inline]
    pub(crate) fn leave(&mut self, mark: usize) {
        while self.locals.len() > mark
            && let Some((id, meaning)) = self.locals.pop()
        {
            self.meanings[id.index()] = meaning;
        }
    }

    pub(crate) fn bind_sort(&mut self, id: NameId, meaning: SortMeaning) {
        let old = self.sorts.names.insert(id, meaning);
        self.log.push(Undo::Sort(id, old));
    }

    /// Notes a declared symbol.
    pub(crate) fn declare(&mut self, id: NameId, symbol: Term, meaning: Meaning) {
        self.bind(id, meaning);
        self.declared.push(symbol);
        self.log.push(Undo::Declared(symbol));
    }

    /// Notes a label.
    pub(crate) fn label(&mut self, id: NameId, term: Term) {
        self.bind(id, Meaning::Value(term));
        self.named.push((id, term));
        self.log.push(Undo::Named(id));
    }

    /// Adds an assertion to a group of interpolants.
    pub(crate) fn add_to_group(&mut self, group: &str, assertion: Term) {
        self.members.push((group.to_owned(), assertion));
        self.log.push(Undo::Member);
    }

    /// The assertions of a group of interpolants.
    pub(crate) fn members<'s>(&'s self, group: &'s str) -> impl Iterator<Item = Term> + 's {
        self.members.iter().filter(move |(name, _)| name == group).map(|&(_, term)| term)
    }

    /// The state of the log, for [`Symbols::commit`] and [`Symbols::roll_back`].
    pub(crate) fn mark(&self) -> usize {
        self.log.len()
    }

    /// The command that began at `mark` is complete.
    pub(crate) fn commit(&mut self, mark: usize) {
        if self.global {
            // Assertions end with their level, and so do members of groups.
            let kept = self.log.drain(mark..).filter(|undo| matches!(undo, Undo::Member)).count();
            self.log.extend((0..kept).map(|_| Undo::Member));
        }
    }

    /// Goes back to the state of the log at `mark`.
    pub(crate) fn roll_back(&mut self, mark: usize) {
        while self.log.len() > mark
            && let Some(undo) = self.log.pop()
        {
            match undo {
                Undo::Name(id, meaning) => {
                    let gone = std::mem::replace(&mut self.meanings[id.index()], meaning);
                    // No other name has this definition. Only under mixed scopes is it not the last one.
                    if gone == Meaning::Macro(self.macros.len().wrapping_sub(1) as u32) {
                        self.macros.pop();
                    }
                }
                Undo::Sort(id, Some(meaning)) => {
                    self.sorts.names.insert(id, meaning);
                }
                Undo::Sort(id, None) => {
                    self.sorts.names.remove(&id);
                }
                Undo::Declared(symbol) => {
                    let place = self.declared.iter().rposition(|&s| s == symbol);
                    self.declared.remove(place.expect("what is declared once is undone once"));
                }
                Undo::Named(id) => {
                    let place = self.named.iter().rposition(|&(named, _)| named == id);
                    self.named.remove(place.expect("what is labelled once is undone once"));
                }
                Undo::Member => _ = self.members.pop(),
            }
        }
    }

    /// All names with a meaning, to look for one that was meant.
    pub fn bound_names(&self) -> impl Iterator<Item = &str> {
        let bound = |&id: &NameId| self.meaning(id) != Meaning::Unbound;
        (0..self.meanings.len() as u32).map(NameId).filter(bound).map(|id| self.names.name(id))
    }

    fn bind_vocabulary(&mut self) {
        let operators = Op::named().filter(|&op| op != Op::ConstArray);
        let operators = operators.map(|op| (op.name(), Meaning::Operator(op)));
        let words = WORDS.map(|(name, word)| (name, Meaning::Word(word)));
        let dialect =
            DIALECT.into_iter().chain([RATIO]).map(|(name, meaning)| (name, Meaning::Dialect(meaning)));
        let older = OLDER_NAMES.map(|(name, op)| (name, Meaning::Dialect(Dialect::Same(op))));
        let truth = [("true", Meaning::Truth(true)), ("false", Meaning::Truth(false))];
        let modes = RoundingMode::ALL.into_iter();
        let modes = modes.flat_map(|mode| [mode.name(), mode.long_name()].map(|n| (n, Meaning::Mode(mode))));
        for (name, meaning) in operators.chain(words).chain(dialect).chain(older).chain(truth).chain(modes) {
            let id = self.intern(name.as_bytes(), false);
            self.meanings[id.index()] = meaning;
        }
    }
}
