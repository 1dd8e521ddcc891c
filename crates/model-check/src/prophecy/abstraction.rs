//! The abstract system: tracked cells, reads pushed down to memories, equalities.
//!
//! `A[j]` of a write is a choice between its element and the cell below, of a choice a choice; of a memory
//! it is the register of a tracked cell if `j` is its index, and else an input. An equality of arrays is an
//! input `e`: if it holds, tracked cells are equal; if not, the arrays differ at an index that is an input,
//! too. Cells are tracked for all memories that arrays are carried between, so what a register takes over
//! is a register. An index that never changes needs no prophecy: it is tracked as it is.
//!
//! Cost: the arrays times the indices at which they are looked at, one choice each.

use super::reason;
use bivalve::Why;
use bivalve::terms::{Op, Pool, Rebuild, Sort, Term, TermMap, TermSet, UnionFind, cone};
use bivalve_limits::Deadline;
use bivalve_systems::{Input, Property, State, System};
use std::collections::{BTreeMap, BTreeSet};

/// The most words that the index of one cell is compared with.
const MOST_WORDS: usize = 64;

/// A cell that is tracked, in all memories of a group.
pub(super) struct Cell {
    pub(super) group: usize,
    /// The index, a term of the system with memories.
    pub(super) index: Term,
    /// How many frames before the violation its value counts.
    pub(super) delay: usize,
    /// The symbol for that value; the index itself if it never changes.
    pub(super) at: Term,
}

/// The memories of a system that are abstracted.
pub(super) struct Memories {
    /// By array: those that are carried from one to the other have the same number.
    groups: TermMap<usize>,
    /// The states that never change.
    frozen: TermSet,
}

impl Memories {
    /// The memories of more than `bits` bits.
    pub(super) fn new(pool: &Pool, system: &System, bits: u64) -> Result<Memories, Why> {
        let is_array = |term: &Term| is_large(pool, *term, bits);
        let terms: Vec<Term> = cone(pool, &system.terms());
        let arrays: Vec<Term> = terms.iter().copied().filter(is_array).collect();
        let mut sets = Sets { places: TermMap::new(), classes: UnionFind::new(arrays.len()) };
        for (place, &term) in arrays.iter().enumerate() {
            check_parts(pool, term)?;
            sets.places.insert(term, place as u32);
        }
        for &term in &terms {
            let mut joined: Vec<Term> = pool.args(term).iter().copied().filter(is_array).collect();
            if is_array(&term) {
                joined.push(term);
            }
            // A read has one array, and everything else that has several carries or compares them.
            joined.windows(2).for_each(|pair| sets.join(pair[0], pair[1]));
        }
        for state in system.states.iter().filter(|state| is_array(&state.term)) {
            sets.join(state.term, state.next.expect("the system is in normal form"));
        }
        let mut groups = TermMap::new();
        for &term in &arrays {
            groups.insert(term, sets.root(term) as usize);
        }
        let is_frozen = |state: &&State| state.next == Some(state.term) && !is_array(&state.term);
        let mut frozen = TermSet::new();
        for state in system.states.iter().filter(is_frozen) {
            frozen.insert(state.term);
        }
        Ok(Memories { groups, frozen })
    }

    pub(super) fn group(&self, array: Term) -> Option<usize> {
        self.groups.get(array).copied()
    }

    /// Whether an index has the same value in all frames.
    pub(super) fn is_frozen(&self, pool: &Pool, index: Term) -> bool {
        let is_constant = |&term: &Term| match pool.op(term) {
            Op::Symbol => self.frozen.contains(term),
            Op::Select => false,
            _ => !self.groups.contains(term),
        };
        cone(pool, &[index]).iter().all(is_constant)
    }
}

/// Arrays by what they are joined with.
struct Sets {
    places: TermMap<u32>,
    classes: UnionFind,
}

impl Sets {
    fn root(&mut self, term: Term) -> u32 {
        self.classes.find(*self.places.get(term).expect("an array of the system"))
    }

    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.root(a), self.root(b));
        self.classes.union(a, b);
    }
}

/// Whether a term is an array of more than so many bits.
fn is_large(pool: &Pool, term: Term, bits: u64) -> bool {
    let Some((index, element)) = pool.sorts().array_parts(pool.sort(term)) else { return false };
    let cells = 1u64.checked_shl(index.width().unwrap_or(1)).unwrap_or(u64::MAX);
    cells.saturating_mul(u64::from(element.width().unwrap_or(1))) > bits
}

fn check_parts(pool: &Pool, array: Term) -> Result<(), Why> {
    let is_scalar = |sort: Sort| sort.is_bool() || sort.is_bitvec();
    match pool.sorts().array_parts(pool.sort(array)) {
        Some((index, element)) if is_scalar(index) && is_scalar(element) => Ok(()),
        _ => Err(Why::Incomplete("memories of memories are not abstracted")),
    }
}

/// The symbols of abstract systems, the same in all of them.
#[derive(Default)]
pub(super) struct Symbols {
    /// By memory and index: the register of a cell.
    registers: BTreeMap<(Term, Term), Term>,
    /// By memory and index: what is read where no cell is tracked.
    reads: BTreeMap<(Term, Term), Term>,
    /// By two arrays: whether they are equal, and an index at which they differ if not.
    equalities: BTreeMap<[Term; 2], [Term; 2]>,
    /// By index: its values one, two and more frames ago.
    histories: BTreeMap<Term, Vec<Term>>,
}

impl Symbols {
    fn register(&mut self, pool: &mut Pool, memory: Term, at: Term) -> Term {
        *self.registers.entry((memory, at)).or_insert_with(|| {
            // A name that is quoted has no quotes in it.
            let at = pool.display(at).to_string().replace('|', "");
            let name = format!("{}[{at}]", pool.name(memory).unwrap_or_default());
            element(pool, memory, &name)
        })
    }

    fn read(&mut self, pool: &mut Pool, memory: Term, index: Term) -> Term {
        let number = self.reads.len();
        *self.reads.entry((memory, index)).or_insert_with(|| {
            let name = format!("read {number} of {}", pool.name(memory).unwrap_or_default());
            element(pool, memory, &name)
        })
    }

    fn equality(&mut self, pool: &mut Pool, arrays: [Term; 2]) -> [Term; 2] {
        let number = self.equalities.len();
        *self.equalities.entry(arrays).or_insert_with(|| {
            let (index, _) = pool.sorts().array_parts(pool.sort(arrays[0])).expect("an array");
            let equal = pool.symbol(&format!("equality {number}"), Sort::BOOL);
            [equal, pool.symbol(&format!("difference {number}"), index)]
        })
    }

    /// The values of an index in so many frames before.
    fn history(&mut self, pool: &mut Pool, index: Term, delay: usize) -> Vec<Term> {
        let number = self.histories.len();
        let history = self.histories.entry(index).or_default();
        for ago in history.len()..delay {
            history.push(pool.symbol(&format!("index {number}, {} ago", ago + 1), pool.sort(index)));
        }
        history[..delay].to_vec()
    }
}

fn element(pool: &mut Pool, memory: Term, name: &str) -> Term {
    let (_, element) = pool.sorts().array_parts(pool.sort(memory)).expect("an array");
    pool.symbol(name, element)
}

/// A read of a memory at an index that may not be tracked.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) memory: Term,
    pub(super) index: Term,
    /// What it gives where no cell is tracked, an input.
    pub(super) other: Term,
    /// What it gives.
    pub(super) value: Term,
}

/// The abstract system for some cells.
#[derive(Default)]
pub(super) struct Abstraction {
    pub(super) system: System,
    /// The terms of the system with memories that are no memories, abstract.
    images: Rebuild,
    pub(super) reads: Vec<Read>,
    /// Pairs of arrays that are compared, each with its inputs.
    pub(super) equalities: Vec<([Term; 2], [Term; 2])>,
    /// Indices of writes, each with its group.
    pub(super) writes: Vec<(usize, Term)>,
    /// By memory and tracked index: registers, in the order of cells.
    pub(super) registers: Vec<(Term, Term, Term)>,
}

struct Builder<'b> {
    pool: &'b mut Pool,
    memories: &'b Memories,
    cells: &'b [Cell],
    symbols: &'b mut Symbols,
    deadline: &'b Deadline,
    /// By array and index, a term of the system with memories or a symbol of this one: what is there.
    known: BTreeMap<(Term, Term), Term>,
    result: Abstraction,
}

impl Abstraction {
    pub(super) fn new(
        pool: &mut Pool,
        part: &System,
        memories: &Memories,
        cells: &[Cell],
        congruences: &BTreeSet<(Term, [Term; 2])>,
        symbols: &mut Symbols,
        deadline: &Deadline,
    ) -> Result<Abstraction, Why> {
        let (known, result) = (BTreeMap::new(), Abstraction::default());
        let mut builder = Builder { pool, memories, cells, symbols, deadline, known, result };
        builder.terms(part)?;
        builder.states(part)?;
        builder.equalities()?;
        builder.properties(part);
        for &(memory, [i, j]) in congruences {
            builder.congruence(memory, i, j)?;
        }
        let others = builder.result.reads.iter().map(|read| Input { term: read.other, name: None });
        builder.result.system.inputs.extend(others);
        Ok(builder.result)
    }

    /// A term of the system with memories, or a symbol of this one, in this one.
    pub(super) fn image(&self, term: Term) -> Term {
        self.images.image(term).unwrap_or(term)
    }

    /// For each cell: its index is that term over the states, an index of a memory or a state; a
    /// part of it is that part of the term; it is below that state.
    pub(super) fn predicates(&self, pool: &mut Pool, cells: &[Cell], system: &System) -> Vec<Term> {
        let symbols: Vec<Term> = system.states.iter().map(|state| state.term).collect();
        let words = self.words(pool, &symbols);
        let mut predicates = vec![];
        for cell in cells.iter().filter(|cell| symbols.contains(&cell.at)) {
            let (at, sort) = (cell.at, pool.sort(cell.at));
            let is_other = |word: &&Term| **word != at && pool.sort(**word) == sort;
            let words: Vec<Term> = words.iter().filter(is_other).take(MOST_WORDS).copied().collect();
            for &word in &words {
                predicates.push(pool.mk(Op::Eq, &[word, at]));
                if pool.op(word) == Op::Concat {
                    predicates.extend(parts(pool, word, at));
                }
            }
            if sort.is_bool() {
                continue;
            }
            for &word in words.iter().filter(|&&word| !cells.iter().any(|cell| cell.at == word)) {
                if pool.op(word) == Op::Symbol {
                    predicates.push(pool.mk(Op::BvUlt, &[at, word]));
                }
            }
        }
        predicates
    }

    /// The words over the states that the index of a cell is compared with: indices, and states.
    fn words(&self, pool: &Pool, symbols: &[Term]) -> Vec<Term> {
        let reads = self.reads.iter().map(|read| read.index);
        let indices = reads.chain(self.writes.iter().map(|&(_, index)| index)).map(|index| self.image(index));
        let mut seen = TermSet::new();
        let words = indices.chain(symbols.iter().copied());
        let words: Vec<Term> = words.filter(|&word| seen.insert(word)).collect();
        let over_states = over_states(pool, &words, symbols);
        let is_word = |word: &Term| over_states.contains(*word) && !pool.is_const(*word);
        words.into_iter().filter(is_word).collect()
    }
}

impl Builder<'_> {
    /// Gives all terms but memories their images.
    fn terms(&mut self, part: &System) -> Result<(), Why> {
        for term in cone(self.pool, &part.terms()) {
            if let Some(group) = self.memories.group(term) {
                if self.pool.op(term) == Op::Store {
                    self.result.writes.push((group, self.pool.args(term)[1]));
                }
                continue;
            }
            self.step()?;
            let args = self.pool.args(term).to_vec();
            let over_memories = args.iter().any(|&arg| self.memories.group(arg).is_some());
            let image = match self.pool.op(term) {
                Op::Select if over_memories => self.read(args[0], args[1])?,
                Op::Eq if over_memories => self.compare(args.windows(2).map(|pair| (pair[0], pair[1])), true),
                Op::Distinct if over_memories => {
                    let pairs = (0..args.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
                    self.compare(pairs.map(|(i, j)| (args[i], args[j])), false)
                }
                _ if over_memories => return Err(Why::Incomplete("a use of memories is not abstracted")),
                _ => {
                    let args: Vec<Term> = args.iter().map(|&arg| self.result.image(arg)).collect();
                    if args == self.pool.args(term) { term } else { self.pool.rebuild(term, &args) }
                }
            };
            self.result.images.set(term, image);
        }
        Ok(())
    }

    fn step(&self) -> Result<(), Why> {
        if self.deadline.step(1) { Ok(()) } else { Err(reason(self.deadline)) }
    }

    /// Each pair of arrays is equal, or each is different.
    fn compare(&mut self, pairs: impl Iterator<Item = (Term, Term)>, equal: bool) -> Term {
        let mut conditions = vec![];
        for (a, b) in pairs {
            let arrays = [a.min(b), a.max(b)];
            let condition = if a == b {
                self.pool.bool(true)
            } else {
                let inputs = self.symbols.equality(self.pool, arrays);
                if !self.result.equalities.contains(&(arrays, inputs)) {
                    self.result.equalities.push((arrays, inputs));
                }
                inputs[0]
            };
            conditions.push(if equal { condition } else { self.pool.mk(Op::Not, &[condition]) });
        }
        self.pool.and_all(&conditions)
    }

    /// The element of an array at an index. What is below an array that has not been looked at is put on a
    /// stack first.
    fn read(&mut self, array: Term, index: Term) -> Result<Term, Why> {
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            self.step()?;
            if self.known.contains_key(&(top, index)) {
                stack.pop();
                continue;
            }
            let args = self.pool.args(top).to_vec();
            let below = |position: usize| self.known.get(&(args[position], index)).copied();
            let element = match self.pool.op(top) {
                Op::Symbol => Ok(self.base(top, index)),
                Op::ConstArray => Ok(self.result.image(args[0])),
                Op::Store => match below(0) {
                    None => Err(vec![args[0]]),
                    Some(other) => {
                        let [at, element, index] =
                            [args[1], args[2], index].map(|term| self.result.image(term));
                        let here = equal(self.pool, at, index);
                        Ok(choice(self.pool, here, element, other))
                    }
                },
                Op::Ite => match (below(1), below(2)) {
                    (Some(yes), Some(no)) => {
                        let condition = self.result.image(args[0]);
                        Ok(choice(self.pool, condition, yes, no))
                    }
                    _ => Err(args[1..].to_vec()),
                },
                _ => return Err(Why::Incomplete("a use of memories is not abstracted")),
            };
            match element {
                Ok(element) => {
                    self.known.insert((top, index), element);
                }
                Err(below) => stack.extend(below),
            }
        }
        Ok(self.known[&(array, index)])
    }

    /// The element of a memory at an index.
    fn base(&mut self, memory: Term, index: Term) -> Term {
        let group = self.memories.group(memory).expect("a memory");
        let cells: Vec<Term> =
            self.cells.iter().filter(|cell| cell.group == group).map(|cell| cell.at).collect();
        let image = self.result.image(index);
        if cells.contains(&image) {
            return self.symbols.register(self.pool, memory, image);
        }
        let other = self.symbols.read(self.pool, memory, index);
        let mut value = other;
        for at in cells.into_iter().rev() {
            let register = self.symbols.register(self.pool, memory, at);
            let here = equal(self.pool, image, at);
            value = choice(self.pool, here, register, value);
        }
        self.result.reads.push(Read { memory, index, other, value });
        value
    }

    fn states(&mut self, part: &System) -> Result<(), Why> {
        for state in &part.states {
            let next = state.next.expect("the system is in normal form");
            let Some(group) = self.memories.group(state.term) else {
                let next = Some(self.result.image(next));
                self.result.system.states.push(State { next, ..state.clone() });
                continue;
            };
            // A constant array.
            let init = state.init.map(|init| self.pool.args(init)[0]);
            for cell in self.cells.iter().filter(|cell| cell.group == group) {
                let next = Some(self.read(next, cell.at)?);
                let term = self.symbols.register(self.pool, state.term, cell.at);
                self.result.registers.push((state.term, cell.at, term));
                self.result.system.states.push(State { term, init, next, name: None });
            }
        }
        for input in &part.inputs {
            let Some(group) = self.memories.group(input.term) else {
                self.result.system.inputs.push(input.clone());
                continue;
            };
            for cell in self.cells.iter().filter(|cell| cell.group == group) {
                let term = self.symbols.register(self.pool, input.term, cell.at);
                self.result.registers.push((input.term, cell.at, term));
                self.result.system.inputs.push(Input { term, name: None });
            }
        }
        let mut delays = BTreeMap::new();
        for cell in self.cells.iter().filter(|cell| cell.at != cell.index) {
            self.result.system.states.push(State {
                term: cell.at,
                init: None,
                next: Some(cell.at),
                name: None,
            });
            let delay: &mut usize = delays.entry(cell.index).or_default();
            *delay = cell.delay.max(*delay);
        }
        for (index, delay) in delays {
            let mut next = self.result.image(index);
            for term in self.symbols.history(self.pool, index, delay) {
                self.result.system.states.push(State { term, init: None, next: Some(next), name: None });
                next = term;
            }
        }
        Ok(())
    }

    /// What holds of the inputs for equalities.
    fn equalities(&mut self) -> Result<(), Why> {
        for ([a, b], [is_equal, difference]) in self.result.equalities.clone() {
            let group = self.memories.group(a).expect("an array");
            for cell in self.cells.iter().filter(|cell| cell.group == group) {
                let cells = [self.read(a, cell.at)?, self.read(b, cell.at)?];
                let same = equal(self.pool, cells[0], cells[1]);
                let term = self.pool.mk(Op::Implies, &[is_equal, same]);
                self.result.system.constraints.push(Property { term, name: None });
            }
            let cells = [self.read(a, difference)?, self.read(b, difference)?];
            let same = equal(self.pool, cells[0], cells[1]);
            let term = self.pool.mk(Op::Implies, &[same, is_equal]);
            self.result.system.constraints.push(Property { term, name: None });
            for term in [is_equal, difference] {
                self.result.system.inputs.push(Input { term, name: None });
            }
        }
        Ok(())
    }

    /// Equal indices have equal cells.
    fn congruence(&mut self, memory: Term, i: Term, j: Term) -> Result<(), Why> {
        let cells = [self.read(memory, i)?, self.read(memory, j)?];
        let [i, j] = [i, j].map(|index| self.result.image(index));
        let (here, same) = (equal(self.pool, i, j), equal(self.pool, cells[0], cells[1]));
        let term = self.pool.mk(Op::Implies, &[here, same]);
        self.result.system.constraints.push(Property { term, name: None });
        Ok(())
    }

    /// The constraints, and the bad state of which the cells are those that they are meant to be.
    fn properties(&mut self, part: &System) {
        for constraint in &part.constraints {
            let term = self.result.image(constraint.term);
            self.result.system.constraints.push(Property { term, name: constraint.name.clone() });
        }
        for bad in &part.bads {
            let mut conditions = vec![self.result.image(bad.term)];
            for cell in self.cells.iter().filter(|cell| cell.at != cell.index) {
                let history = self.symbols.history(self.pool, cell.index, cell.delay);
                let index = history.last().copied().unwrap_or_else(|| self.result.image(cell.index));
                conditions.push(self.pool.mk(Op::Eq, &[index, cell.at]));
            }
            let term = self.pool.and_all(&conditions);
            self.result.system.bads.push(Property { term, name: bad.name.clone() });
        }
    }
}

/// For each part of a concatenation: it is what stands at its place in another word.
fn parts(pool: &mut Pool, word: Term, other: Term) -> Vec<Term> {
    let mut predicates = vec![];
    let mut low = 0;
    for part in pool.args(word).to_vec().into_iter().rev() {
        let high = low + pool.width(part).expect("a bit-vector");
        let place = pool.mk_indexed(Op::Extract, &[high - 1, low], &[other]);
        predicates.push(pool.mk(Op::Eq, &[part, place]));
        low = high;
    }
    predicates
}

/// The terms at and below some others that are over these symbols alone, without arrays.
fn over_states(pool: &Pool, terms: &[Term], symbols: &[Term]) -> TermSet {
    let mut over = TermSet::new();
    for &symbol in symbols.iter().filter(|&&symbol| pool.sorts().array_parts(pool.sort(symbol)).is_none()) {
        over.insert(symbol);
    }
    for term in cone(pool, terms) {
        if pool.op(term) != Op::Symbol && pool.args(term).iter().all(|&arg| over.contains(arg)) {
            over.insert(term);
        }
    }
    over
}

fn equal(pool: &mut Pool, a: Term, b: Term) -> Term {
    match () {
        () if a == b => pool.bool(true),
        () if pool.is_const(a) && pool.is_const(b) => pool.bool(false),
        () => pool.mk(Op::Eq, &[a, b]),
    }
}

fn choice(pool: &mut Pool, condition: Term, yes: Term, no: Term) -> Term {
    match pool.as_bool(condition) {
        Some(true) => yes,
        Some(false) => no,
        None if yes == no => yes,
        None => pool.mk(Op::Ite, &[condition, yes, no]),
    }
}
