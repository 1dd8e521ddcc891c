//! What symbols and sorts are called in the output.
//!
//! In a pool names are free: two symbols may have the same one, or that of an operator, or one that cannot be
//! written. A script needs names that are all different, that no theory owns, and that leave room for the
//! variables the printer makes up itself. A [`Naming`] holds the exceptions; everything else is printed under
//! its own name, so that a script that was read is printed with the names it had.

use super::symbol::{is_simple, is_writable, symbol, taken_in};
use crate::{Op, Pool, Sort, SortKind, Term, cone};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// New names for symbols and sorts whose own name will not do, as they are printed.
#[derive(Default, Debug)]
pub struct Naming {
    symbols: FxHashMap<Term, String>,
    sorts: FxHashMap<Sort, String>,
    prefix: String,
}

impl Naming {
    /// Names for the symbols and sorts in `terms`, all different. Of two with the same name the earlier keeps
    /// it.
    pub fn unique(pool: &Pool, terms: &[Term]) -> Naming {
        let symbols = || terms.iter().copied().filter(|&term| pool.op(term) == Op::Symbol);
        let mut naming =
            Naming { prefix: prefix_for(symbols().filter_map(|s| pool.name(s))), ..Naming::default() };
        let mut taken: FxHashSet<String> = taken_in(pool).map(String::from).collect();
        for symbol_term in symbols() {
            let name = pool.name(symbol_term).expect("a symbol has a name");
            if let Some(other) = unused(&mut taken, name) {
                naming.symbols.insert(symbol_term, symbol(&other).into_owned());
            }
        }
        let mut taken: FxHashSet<String> =
            ["Bool", "BitVec", "Array"].map(String::from).into_iter().collect();
        if pool.has_lowered() {
            let theories = ["Int", "Real", "RoundingMode", "FloatingPoint"];
            let floats = ["Float16", "Float32", "Float64", "Float128"];
            taken.extend(theories.into_iter().chain(floats).map(String::from));
        }
        for sort in free_sorts(pool, terms) {
            let SortKind::Uninterpreted(name) = pool.sorts().kind(sort) else { continue };
            // The reader keeps names of sorts as they are printed, other sources keep them plain.
            let plain = name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(&name);
            let chosen = unused(&mut taken, plain).unwrap_or_else(|| plain.to_owned());
            if symbol(&chosen) != *name {
                naming.sorts.insert(sort, symbol(&chosen).into_owned());
            }
        }
        naming
    }

    /// The shortest names for the symbols and sorts in `terms`, by the order of their ids: `a`, `b`, ... for
    /// symbols, `A`, `B`, ... for sorts, and an underscore and a number for the printer's own variables. No
    /// name is a word of the language or of a theory.
    pub fn short(pool: &Pool, terms: &[Term]) -> Naming {
        let mut naming = Naming { prefix: "_".into(), ..Naming::default() };
        let theory: FxHashSet<&str> = taken_in(pool).collect();
        let free = |name: &String| is_simple(name) && !theory.contains(name.as_str());
        let mut names = (0u64..).map(|number| letters(number, b'a')).filter(free);
        for &term in terms.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
            naming.symbols.insert(term, names.next().expect("there are names without end"));
        }
        let mut names = (0u64..).map(|number| letters(number, b'A')).filter(free);
        for sort in free_sorts(pool, terms) {
            naming.sorts.insert(sort, names.next().expect("there are names without end"));
        }
        naming
    }

    /// Names for the parameters of a definition, so that none of them catches another symbol of the body;
    /// that may have come into the body under the same name by an earlier definition.
    pub fn of_parameters(pool: &Pool, params: &[Term], body: Term) -> Naming {
        let below = cone(pool, &[body]);
        let others = below.iter().filter(|term| !params.contains(term)).filter_map(|&term| pool.name(term));
        let mut taken: FxHashSet<String> = others.map(String::from).collect();
        let mut naming = Naming::default();
        for &param in params {
            if let Some(other) = unused(&mut taken, pool.name(param).expect("a parameter is a symbol")) {
                naming.symbols.insert(param, symbol(&other).into_owned());
            }
        }
        naming
    }

    /// The printed name of a symbol.
    ///
    /// # Panics
    ///
    /// If the term is no symbol.
    pub fn symbol<'a>(&'a self, pool: &'a Pool, term: Term) -> Cow<'a, str> {
        match self.symbols.get(&term) {
            Some(name) => Cow::Borrowed(name),
            None => symbol(pool.name(term).expect("only symbols are named")),
        }
    }

    /// The printed name of an uninterpreted sort, if it is not its own.
    pub(crate) fn sort(&self, sort: Sort) -> Option<&str> {
        self.sorts.get(&sort).map(String::as_str)
    }

    /// The beginning of names for the printer's own variables, if it has been chosen.
    pub fn prefix(&self) -> Option<&str> {
        (!self.prefix.is_empty()).then_some(&*self.prefix)
    }
}

/// The `number`-th word over the 26 letters from `first` on, the short ones first.
fn letters(number: u64, first: u8) -> String {
    let mut bytes = vec![];
    let mut rest = number + 1;
    while rest > 0 {
        rest -= 1;
        bytes.push(first + (rest % 26) as u8);
        rest /= 26;
    }
    bytes.iter().rev().map(|&byte| char::from(byte)).collect()
}

/// A name to be used instead of `name`, or `None` if that is free and can be written. Either way it is taken
/// now.
fn unused(taken: &mut FxHashSet<String>, name: &str) -> Option<String> {
    let writable = is_writable(name);
    if writable && taken.insert(name.to_owned()) {
        return None;
    }
    let base = if writable { name.to_owned() } else { name.replace(['|', '\\'], "_") };
    let candidates = (0u64..).map(|i| format!("{base}!{i}"));
    let mut free = std::iter::once(base.clone()).filter(|_| !writable).chain(candidates);
    free.find(|candidate| taken.insert(candidate.clone()))
}

/// A beginning that none of these names has, nor any name made of one of them by a suffix.
pub(crate) fn prefix_for<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const PREFIX: &str = "_t";
    let underscores = |rest: &str| rest.bytes().take_while(|&b| b == b'_').count() + 1;
    let more = names.filter_map(|name| name.strip_prefix(PREFIX)).map(underscores).max().unwrap_or(0);
    debug_assert!(is_simple(PREFIX));
    format!("{PREFIX}{}", "_".repeat(more))
}

/// The uninterpreted sorts in the sorts of these terms, each once, in order of creation.
pub fn free_sorts(pool: &Pool, terms: &[Term]) -> Vec<Sort> {
    let mut sorts = all_sorts(pool, terms);
    sorts.retain(|&sort| pool.sorts().is_uninterpreted(sort));
    sorts
}

/// The sorts of these terms and the sorts these are made of, each once, in increasing order.
pub fn all_sorts(pool: &Pool, terms: &[Term]) -> Vec<Sort> {
    let mut seen: FxHashSet<Sort> = FxHashSet::default();
    let mut found: Vec<Sort> = terms.iter().map(|&t| pool.sort(t)).filter(|&s| seen.insert(s)).collect();
    let mut next = 0;
    while next < found.len() {
        match pool.sorts().kind(found[next]) {
            SortKind::Theory(_) if let Some(record) = pool.sorts().as_record(found[next]) => {
                let fields = record.constructors().iter().flat_map(|constructor| &constructor.fields);
                found.extend(fields.map(|&(_, sort)| sort).filter(|&s| seen.insert(s)));
            }
            SortKind::Bool | SortKind::BitVec(_) | SortKind::Theory(_) | SortKind::Uninterpreted(_) => {}
            SortKind::Array { index, element } => {
                found.extend([index, element].into_iter().filter(|&s| seen.insert(s)));
            }
            SortKind::Function { params, result } => {
                found.extend(params.iter().copied().chain([result]).filter(|&s| seen.insert(s)));
            }
        }
        next += 1;
    }
    found.sort_unstable();
    found
}
