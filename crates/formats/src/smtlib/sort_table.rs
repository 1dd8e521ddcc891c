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
use bivalve_terms::{Constructor, Pool, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// A data type, by its place.
    DataType(u32),
    /// A data type whose uses are refused.
    Refused,
}

/// A data type: records over placeholder sorts. Until its declaration has been read as a whole, sorts of it
/// are stand-ins, and they stay such within the fields of the types of that declaration.
struct DataType {
    name: String,
    arity: usize,
    params: Vec<Sort>,
    /// `None` until the declaration has been read.
    constructors: Option<Vec<DataConstructor>>,
    /// How deep records and arrays are nested in it.
    depth: u32,
    /// In the form of SMT-LIB 2.0 the types of a declaration share their parameters, which are not written
    /// where they mention each other.
    is_older: bool,
}

/// A constructor of a data type.
pub(crate) struct DataConstructor {
    pub(crate) name: Box<str>,
    /// Selectors and sorts over the parameters of the type.
    pub(crate) fields: Vec<(Box<str>, Sort)>,
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

/// Names, families, templates and data types.
#[derive(Default)]
pub(crate) struct SortTable {
    pub(crate) names: FxHashMap<NameId, SortMeaning>,
    families: Vec<Family>,
    templates: Vec<Template>,
    data_types: Vec<DataType>,
    /// Members of families and instances of templates and data types by their arguments.
    made: FxHashMap<(SortMeaning, Box<[Sort]>), Sort>,
    /// What stands for instances of data types that are being declared.
    stand_ins: FxHashMap<(SortMeaning, Box<[Sort]>), Sort>,
    /// What each member of a family, each instance of a data type and each stand-in was made of.
    parts: FxHashMap<Sort, (SortMeaning, Box<[Sort]>)>,
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
            SortMeaning::Sort(_) | SortMeaning::Refused => 0,
            SortMeaning::DataType(place) => self.data_types[place as usize].arity,
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

    /// The sort of a meaning applied to as many arguments as it takes; `None` if arrays or records are nested
    /// too deep, or have too many parts, or the sort is too long.
    pub(crate) fn apply(&mut self, pool: &mut Pool, meaning: SortMeaning, args: &[Sort]) -> Option<Sort> {
        match meaning {
            SortMeaning::Sort(sort) => Some(sort),
            SortMeaning::Refused => None,
            SortMeaning::Array => {
                let length = args.iter().map(|arg| self.length(*arg)).sum::<usize>() + "(Array  )".len();
                let sort =
                    pool.sorts_mut().array(args[0], args[1]).ok().filter(|_| length <= LONGEST_SORT)?;
                self.lengths.insert(sort, length);
                Some(sort)
            }
            SortMeaning::Family(_) | SortMeaning::Template(_) | SortMeaning::DataType(_) => {
                let key = (meaning, Box::from(args));
                if let Some(&sort) = self.made.get(&key) {
                    return Some(sort);
                }
                let sort = match meaning {
                    SortMeaning::Template(template) => self.instance(pool, template, args)?,
                    SortMeaning::Family(family) => self.member(pool, family, args),
                    SortMeaning::DataType(number) => return self.record(pool, number, key),
                    SortMeaning::Sort(_) | SortMeaning::Array | SortMeaning::Refused => {
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
        self.parts.insert(sort, (SortMeaning::Family(family), args.into()));
        sort
    }

    fn instance(&mut self, pool: &mut Pool, template: u32, args: &[Sort]) -> Option<Sort> {
        let Template { params, body } = &self.templates[template as usize];
        let (params, body) = (params.clone(), *body);
        self.substituted(pool, &params, args, body)
    }

    /// The sort with arguments in the places of placeholders; data types that were stood in for are there
    /// now.
    fn substituted(&mut self, pool: &mut Pool, params: &[Sort], args: &[Sort], body: Sort) -> Option<Sort> {
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
                let image = self.apply(pool, meaning, &parts)?;
                images.insert(sort, image);
            }
        }
        Some(images[&body])
    }

    /// The head of a sort and its arguments; a sort that has no sorts inside is its own head.
    pub(crate) fn take_apart(&self, pool: &Pool, sort: Sort) -> (SortMeaning, Vec<Sort>) {
        if let Some((index, element)) = pool.sorts().array_parts(sort) {
            return (SortMeaning::Array, vec![index, element]);
        }
        match self.parts.get(&sort) {
            Some((meaning, parts)) => (*meaning, parts.to_vec()),
            None => (SortMeaning::Sort(sort), vec![]),
        }
    }
}

/// Data types.
impl SortTable {
    /// A new data type, whose constructors are not known yet; `name` is in SMT-LIB syntax.
    pub(crate) fn add_data_type(&mut self, name: String, arity: usize) -> u32 {
        self.data_types.push(DataType {
            name,
            arity,
            params: vec![],
            constructors: None,
            depth: 1,
            is_older: false,
        });
        self.data_types.len() as u32 - 1
    }

    /// Gives a data type its parameters, placeholders.
    pub(crate) fn set_parameters(&mut self, number: u32, params: Vec<Sort>) {
        let data_type = &mut self.data_types[number as usize];
        data_type.arity = params.len();
        data_type.params = params;
    }

    /// The data type is declared in the form of SMT-LIB 2.0.
    pub(crate) fn set_older(&mut self, number: u32) {
        self.data_types[number as usize].is_older = true;
    }

    /// The arguments that a sort has where they are not written: within declarations of the form of SMT-LIB
    /// 2.0 alone.
    pub(crate) fn unwritten(&self, meaning: SortMeaning) -> Option<Vec<Sort>> {
        let SortMeaning::DataType(number) = meaning else { return None };
        let data_type = &self.data_types[number as usize];
        let is_open = data_type.is_older && data_type.constructors.is_none();
        is_open.then(|| data_type.params.clone())
    }

    /// How deep records and arrays are nested in a data type whatever its arguments are.
    pub(crate) fn set_depth(&mut self, number: u32, depth: u32) {
        self.data_types[number as usize].depth = depth;
    }

    /// Gives a data type its constructors: from now on there are sorts of it.
    pub(crate) fn complete(&mut self, number: u32, constructors: Vec<DataConstructor>) {
        self.data_types[number as usize].constructors = Some(constructors);
    }

    /// The name of a data type in SMT-LIB syntax.
    pub(crate) fn data_type_name(&self, number: u32) -> &str {
        &self.data_types[number as usize].name
    }

    /// The parameters of a data type and its constructors.
    pub(crate) fn data_type(&self, number: u32) -> (&[Sort], &[DataConstructor]) {
        let data_type = &self.data_types[number as usize];
        (&data_type.params, data_type.constructors.as_deref().unwrap_or_default())
    }

    /// The data type that a sort is an instance of.
    pub(crate) fn data_type_of(&self, sort: Sort) -> Option<u32> {
        match self.parts.get(&sort)?.0 {
            SortMeaning::DataType(number) => Some(number),
            _ => None,
        }
    }

    /// The data types that have stand-ins within a sort.
    pub(crate) fn stand_ins_in(&self, pool: &Pool, sort: Sort) -> Vec<u32> {
        let (mut found, mut seen, mut todo) = (vec![], FxHashSet::default(), vec![sort]);
        while let Some(sort) = todo.pop() {
            if seen.insert(sort) {
                found.extend(self.data_type_of(sort).filter(|_| pool.sorts().is_uninterpreted(sort)));
                todo.extend(self.take_apart(pool, sort).1);
            }
        }
        found
    }

    /// How deep records and arrays are nested in a sort, stand-ins included.
    pub(crate) fn depth(&self, pool: &Pool, sort: Sort) -> u32 {
        let within = self.stand_ins_in(pool, sort).into_iter();
        let deepest = within.map(|number| self.data_types[number as usize].depth).max().unwrap_or(0);
        pool.sorts().nesting(sort).saturating_add(deepest)
    }

    /// The instance of a data type, which is not made yet. Recursive: data types are nested at most
    /// [`MAX_NESTING`](bivalve_terms::MAX_NESTING) deep.
    fn record(&mut self, pool: &mut Pool, number: u32, key: (SortMeaning, Box<[Sort]>)) -> Option<Sort> {
        let DataType { name, params, constructors, .. } = &self.data_types[number as usize];
        let args = &key.1;
        let text = match args.is_empty() {
            true => name.clone(),
            false => {
                let length = name.len() + args.iter().map(|&arg| self.length(arg) + 1).sum::<usize>();
                if length + 2 > LONGEST_SORT {
                    return None;
                }
                let args: Vec<String> = args.iter().map(|&arg| pool.sorts().display(arg)).collect();
                format!("({name} {})", args.join(" "))
            }
        };
        let Some(constructors) = constructors else {
            if let Some(&sort) = self.stand_ins.get(&key) {
                return Some(sort);
            }
            let sort = self.declare(pool, &text);
            self.parts.insert(sort, key.clone());
            self.stand_ins.insert(key, sort);
            return Some(sort);
        };
        let params = params.clone();
        let fields = |constructor: &DataConstructor| constructor.fields.clone();
        let parts: Vec<_> =
            constructors.iter().map(|constructor| (constructor.name.clone(), fields(constructor))).collect();
        let mut made = vec![];
        for (name, mut fields) in parts {
            let is_ambiguous = !self.mentions_all(pool, &params, &fields);
            for (_, sort) in &mut fields {
                *sort = self.substituted(pool, &params, &key.1, *sort)?;
            }
            made.push(Constructor { name, fields, is_ambiguous });
        }
        let sort = pool.sorts_mut().record(&text, made).ok()?;
        self.lengths.insert(sort, text.len());
        self.parts.insert(sort, key.clone());
        self.made.insert(key, sort);
        Some(sort)
    }

    /// Do the sorts of these fields mention all parameters?
    fn mentions_all(&self, pool: &Pool, params: &[Sort], fields: &[(Box<str>, Sort)]) -> bool {
        if params.is_empty() {
            return true;
        }
        let mut seen: FxHashSet<Sort> = FxHashSet::default();
        let mut todo: Vec<Sort> = fields.iter().map(|&(_, sort)| sort).collect();
        while let Some(sort) = todo.pop() {
            if seen.insert(sort) {
                todo.extend(self.take_apart(pool, sort).1);
            }
        }
        params.iter().all(|param| seen.contains(param))
    }

    /// The arguments of a data type with which a constructor takes fields of these sorts; `None` where they
    /// do not say all of them. Whether the sorts agree is for others to say.
    pub(crate) fn inferred(
        &self,
        pool: &Pool,
        number: u32,
        constructor: u16,
        found: &[Sort],
    ) -> Option<Vec<Sort>> {
        let (params, constructors) = self.data_type(number);
        let fields = &constructors[usize::from(constructor)].fields;
        let mut known: FxHashMap<Sort, Sort> = FxHashMap::default();
        let mut seen: FxHashSet<(Sort, Sort)> = FxHashSet::default();
        let mut todo: Vec<(Sort, Sort)> =
            fields.iter().map(|&(_, sort)| sort).zip(found.iter().copied()).rev().collect();
        while let Some((pattern, sort)) = todo.pop() {
            if params.contains(&pattern) {
                known.entry(pattern).or_insert(sort);
            } else if pattern != sort && seen.insert((pattern, sort)) {
                let ((one, patterns), (other, sorts)) =
                    (self.take_apart(pool, pattern), self.take_apart(pool, sort));
                if one == other {
                    todo.extend(patterns.into_iter().zip(sorts));
                }
            }
        }
        params.iter().map(|param| known.get(param).copied()).collect()
    }
}
