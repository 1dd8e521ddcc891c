//! What names mean as sorts, and sorts with parameters.
//!
//! A sort declared with an arity is a family: each list of arguments names a sort of its own, made when it is
//! first mentioned. A sort defined with parameters is a template over placeholder sorts, which are replaced
//! when it is used. Sorts are shared like terms, so the replacement remembers what it has rebuilt: a chain of
//! definitions that doubles at each step costs its length, not two to its length. What such a chain names can
//! still be too long to be printed, in a message or in a model; so a sort of more than [`LONGEST_SORT`]
//! characters is refused where it is mentioned.
//!
//! Cost: a hash look-up per mention; a template costs the number of different sorts below it.

use crate::smtlib::names::NameId;
use bivalve_terms::{Pool, Sort};
use rustc_hash::FxHashMap;

/// What a name stands for as a sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SortMeaning {
    /// A sort without arguments.
    Sort(Sort),
    /// `Array`, of two arguments.
    Array,
    /// A declared family, by its place.
    Family(u32),
    /// A definition with parameters, by its place.
    Template(u32),
    /// A data type, whose uses are refused.
    DataType,
}

/// A sort declared with parameters.
struct Family {
    name: String,
    arity: usize,
}

/// A sort defined with parameters.
struct Template {
    params: Vec<Sort>,
    body: Sort,
}

/// Names, families and templates of sorts.
#[derive(Default)]
pub(crate) struct SortTable {
    pub(crate) names: FxHashMap<NameId, SortMeaning>,
    families: Vec<Family>,
    templates: Vec<Template>,
    /// Members of families and instances of templates by their arguments.
    made: FxHashMap<(SortMeaning, Box<[Sort]>), Sort>,
    /// What each member of a family was made of.
    parts: FxHashMap<Sort, (u32, Box<[Sort]>)>,
    /// The number of characters of sorts made here.
    lengths: FxHashMap<Sort, usize>,
}

/// Longer sorts are refused.
pub(crate) const LONGEST_SORT: usize = 1 << 16;

/// Names of members are cut here: a chain of definitions can make them exponentially long.
const LONGEST_NAME: usize = 200;

impl SortTable {
    /// A new family; `name` is in SMT-LIB syntax.
    pub(crate) fn add_family(&mut self, name: String, arity: usize) -> SortMeaning {
        self.families.push(Family { name, arity });
        SortMeaning::Family(self.families.len() as u32 - 1)
    }

    /// A new template over placeholder sorts.
    pub(crate) fn add_template(&mut self, params: Vec<Sort>, body: Sort) -> SortMeaning {
        self.templates.push(Template { params, body });
        SortMeaning::Template(self.templates.len() as u32 - 1)
    }

    /// The number of arguments a meaning takes.
    pub(crate) fn arity(&self, meaning: SortMeaning) -> usize {
        match meaning {
            SortMeaning::Sort(_) | SortMeaning::DataType => 0,
            SortMeaning::Array => 2,
            SortMeaning::Family(place) => self.families[place as usize].arity,
            SortMeaning::Template(place) => self.templates[place as usize].params.len(),
        }
    }

    /// A new sort without arguments; `name` is in SMT-LIB syntax.
    pub(crate) fn declare(&mut self, pool: &mut Pool, name: &str) -> Sort {
        let sort = pool.sorts_mut().declare(name);
        self.lengths.insert(sort, name.len());
        sort
    }

    /// The sort of a meaning applied to as many arguments as it takes; `None` if arrays are nested too deep
    /// or the sort is too long.
    pub(crate) fn apply(&mut self, pool: &mut Pool, meaning: SortMeaning, args: &[Sort]) -> Option<Sort> {
        match meaning {
            SortMeaning::Sort(sort) => Some(sort),
            SortMeaning::DataType => None,
            SortMeaning::Array => {
                let length = args.iter().map(|arg| self.length(*arg)).sum::<usize>() + "(Array  )".len();
                let sort =
                    pool.sorts_mut().array(args[0], args[1]).ok().filter(|_| length <= LONGEST_SORT)?;
                self.lengths.insert(sort, length);
                Some(sort)
            }
            SortMeaning::Family(_) | SortMeaning::Template(_) => {
                let key = (meaning, Box::from(args));
                if let Some(&sort) = self.made.get(&key) {
                    return Some(sort);
                }
                let sort = match meaning {
                    SortMeaning::Template(template) => self.instance(pool, template, args)?,
                    SortMeaning::Family(family) => self.member(pool, family, args),
                    SortMeaning::Sort(_) | SortMeaning::Array | SortMeaning::DataType => {
                        unreachable!("these are handled above")
                    }
                };
                self.made.insert(key, sort);
                Some(sort)
            }
        }
    }

    fn length(&self, sort: Sort) -> usize {
        self.lengths.get(&sort).copied().unwrap_or("(_ BitVec 16777216)".len())
    }

    fn member(&mut self, pool: &mut Pool, family: u32, args: &[Sort]) -> Sort {
        let base = &self.families[family as usize].name;
        let mut name = format!("({base}");
        for &arg in args {
            name.push(' ');
            name.push_str(&pool.sorts().display(arg));
            if name.len() > LONGEST_NAME {
                name = format!("({base} {}", self.parts.len());
                break;
            }
        }
        name.push(')');
        let sort = self.declare(pool, &name);
        self.parts.insert(sort, (family, args.into()));
        sort
    }

    fn instance(&mut self, pool: &mut Pool, template: u32, args: &[Sort]) -> Option<Sort> {
        let Template { params, body } = &self.templates[template as usize];
        let body = *body;
        let mut images: FxHashMap<Sort, Sort> = params.iter().copied().zip(args.iter().copied()).collect();
        let mut todo = vec![body];
        while let Some(&sort) = todo.last() {
            let (meaning, parts) = self.take_apart(pool, sort);
            let before = todo.len();
            if !images.contains_key(&sort) {
                todo.extend(parts.iter().filter(|part| !images.contains_key(part)));
            }
            if todo.len() > before {
                continue;
            }
            todo.pop();
            if !images.contains_key(&sort) {
                let parts: Vec<Sort> = parts.iter().map(|part| images[part]).collect();
                let image = if parts.is_empty() { sort } else { self.apply(pool, meaning, &parts)? };
                images.insert(sort, image);
            }
        }
        Some(images[&body])
    }

    /// The head of a sort and its arguments, none for sorts that have no sorts inside.
    fn take_apart(&self, pool: &Pool, sort: Sort) -> (SortMeaning, Vec<Sort>) {
        if let Some((index, element)) = pool.sorts().array_parts(sort) {
            return (SortMeaning::Array, vec![index, element]);
        }
        match self.parts.get(&sort) {
            Some((family, parts)) => (SortMeaning::Family(*family), parts.to_vec()),
            None => (SortMeaning::Sort(sort), vec![]),
        }
    }
}
