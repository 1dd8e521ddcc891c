//! Memories as registers, for engines and formats without arrays.
//!
//! A state or an input that is an array becomes one symbol for each cell, a write becomes a choice for each
//! cell, and a read a tree of choices over the bits of its index, so a memory of `n` cells costs `n` choices
//! for each write and each read. That pays while memories are small; what is too large is refused.
//!
//! Cost: as said, counted before anything is made.

use crate::system::{Input, Justice, Output, Property, State, System};
use bivalve_terms::{Op, Pool, Rebuild, Sort, Term, TermMap, cone};
use thiserror::Error;

/// The most cells of all terms together.
const MOST_CELLS: u64 = 4_000_000;

/// Why memories do not become registers.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum NoRegisters {
    /// A memory has more bits than it may have.
    #[error("the memory '{name}' has more than {most} bits")]
    TooLarge {
        /// Its name.
        name: String,
        /// The bits that it may have.
        most: u64,
    },
    /// All memories, written again and again, have too many cells.
    #[error("memories have too many cells in all")]
    TooMany,
    /// The caller ended it.
    #[error("stopped")]
    Stopped,
}

/// A system whose memories are registers.
pub struct Registers {
    /// The system.
    pub system: System,
    /// The symbols of memories, each as the array of its registers.
    arrays: Rebuild,
    /// The symbols of registers, each as the cell of its memory.
    cells: Rebuild,
}

impl Registers {
    /// The well-formed system `system` without arrays: each cell of a state or an input has the name of it
    /// with the number of the cell in brackets behind it. `step` is told of so many cells that were made, and
    /// says whether to go on.
    ///
    /// # Errors
    ///
    /// Memories of more than `bits` bits are refused, and systems that would become too large.
    pub fn new(
        pool: &mut Pool,
        system: &System,
        bits: u64,
        step: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Registers, NoRegisters> {
        let terms = cone(pool, &system.terms());
        check_size(pool, &terms, bits)?;
        let mut cells = Cells { scalars: Rebuild::new(), cells: TermMap::new() };
        let mut result =
            Registers { system: System::default(), arrays: Rebuild::new(), cells: Rebuild::new() };
        for input in &system.inputs {
            for (term, cell) in result.split(pool, &mut cells, input.term) {
                let name = input.name.as_ref().map(|name| name.clone() + &cell);
                result.system.inputs.push(Input { term, name });
            }
        }
        let states: Vec<Vec<(Term, String)>> =
            system.states.iter().map(|state| result.split(pool, &mut cells, state.term)).collect();
        for &term in &terms {
            let size = cells.rebuild(pool, term);
            if !step(size as u64) {
                return Err(NoRegisters::Stopped);
            }
        }
        for (state, symbols) in system.states.iter().zip(states) {
            for (i, (term, cell)) in symbols.into_iter().enumerate() {
                let name = state.name.as_ref().map(|name| name.clone() + &cell);
                let init = state.init.map(|init| cells.of(init)[i]);
                let next = state.next.map(|next| cells.of(next)[i]);
                result.system.states.push(State { term, init, next, name });
            }
        }
        let condition =
            |property: &Property| Property { term: cells.of(property.term)[0], name: property.name.clone() };
        result.system.bads = system.bads.iter().map(condition).collect();
        result.system.constraints = system.constraints.iter().map(condition).collect();
        result.system.fairs = system.fairs.iter().map(condition).collect();
        result.system.justices = system
            .justices
            .iter()
            .map(|justice| Justice {
                terms: justice.terms.iter().map(|&term| cells.scalar(term)).collect(),
                name: justice.name.clone(),
            })
            .collect();
        // What has a name may be an array, and is not needed.
        let output = |output: &Output| match cells.cells.contains(output.term) {
            true => None,
            false => Some(Output { term: cells.scalar(output.term), name: output.name.clone() }),
        };
        result.system.outputs = system.outputs.iter().filter_map(output).collect();
        result.system.named = system.named.iter().filter_map(output).collect();
        Ok(result)
    }

    /// A term of the system with memories, over the registers.
    pub fn image(&mut self, pool: &mut Pool, term: Term) -> Term {
        self.arrays.apply(pool, term, || true, |_, _, _| None).expect("nothing stops the walk")
    }

    /// A term over the registers, over the memories: a register is what is read of a cell.
    pub fn preimage(&mut self, pool: &mut Pool, term: Term) -> Term {
        self.cells.apply(pool, term, || true, |_, _, _| None).expect("nothing stops the walk")
    }

    /// The symbols of the cells of a symbol, each with what is put behind its name; a symbol that is no array
    /// stays.
    fn split(&mut self, pool: &mut Pool, cells: &mut Cells, symbol: Term) -> Vec<(Term, String)> {
        let sort = pool.sort(symbol);
        let Some((index, element)) = pool.sorts().array_parts(sort) else {
            cells.scalars.set(symbol, symbol);
            return vec![(symbol, String::new())];
        };
        let name = pool.name(symbol).unwrap_or_default().to_owned();
        let mut symbols = vec![];
        for cell in 0..count(index) {
            let suffix = format!("[{cell}]");
            let register = pool.symbol(&format!("{name}{suffix}"), element);
            let at = constant(pool, index, cell);
            let read = pool.mk(Op::Select, &[symbol, at]);
            self.cells.set(register, read);
            symbols.push((register, suffix));
        }
        let mut array = pool.const_array(sort, symbols[0].0).expect("the element has its sort");
        for (cell, &(term, _)) in symbols.iter().enumerate().skip(1) {
            let at = constant(pool, index, cell as u64);
            array = pool.mk(Op::Store, &[array, at, term]);
        }
        self.arrays.set(symbol, array);
        cells.cells.insert(symbol, symbols.iter().map(|&(term, _)| term).collect());
        symbols
    }
}

/// The images of terms while a system is rebuilt.
struct Cells {
    /// Of terms that are no arrays.
    scalars: Rebuild,
    /// Of arrays: their cells.
    cells: TermMap<Vec<Term>>,
}

impl Cells {
    /// The cells of a term; one if it is no array.
    fn of(&self, term: Term) -> Vec<Term> {
        match self.cells.get(term) {
            Some(cells) => cells.clone(),
            None => vec![self.scalar(term)],
        }
    }

    fn scalar(&self, term: Term) -> Term {
        self.scalars.image(term).expect("children come first")
    }

    /// Gives a term its image; those below it have theirs. Returns the number of cells that were looked at.
    fn rebuild(&mut self, pool: &mut Pool, term: Term) -> usize {
        if self.scalars.image(term).is_some() || self.cells.contains(term) {
            return 1;
        }
        let args = pool.args(term).to_vec();
        let size = args.first().and_then(|&arg| self.cells.get(arg)).map_or(1, Vec::len);
        let over_arrays = args.last().is_some_and(|&arg| self.cells.contains(arg));
        let image = match pool.op(term) {
            Op::Select => {
                let index = self.scalar(args[1]);
                select(pool, self.of(args[0]), index)
            }
            Op::Eq | Op::Distinct if over_arrays => self.compare(pool, term, &args),
            _ if pool.sorts().array_parts(pool.sort(term)).is_some() => {
                let cells = self.array(pool, term, &args);
                let size = cells.len();
                self.cells.insert(term, cells);
                return size;
            }
            _ => {
                let args: Vec<Term> = args.iter().map(|&arg| self.scalar(arg)).collect();
                if args == pool.args(term) { term } else { pool.rebuild(term, &args) }
            }
        };
        self.scalars.set(term, image);
        size
    }

    fn array(&self, pool: &mut Pool, term: Term, args: &[Term]) -> Vec<Term> {
        let (index, _) = pool.sorts().array_parts(pool.sort(term)).expect("an array");
        match pool.op(term) {
            Op::ConstArray => vec![self.scalar(args[0]); count(index) as usize],
            Op::Store => {
                let (at, element) = (self.scalar(args[1]), self.scalar(args[2]));
                let mut cells = self.of(args[0]);
                for (cell, old) in cells.iter_mut().enumerate() {
                    let here = constant(pool, index, cell as u64);
                    let here = pool.mk(Op::Eq, &[at, here]);
                    *old = pool.mk(Op::Ite, &[here, element, *old]);
                }
                cells
            }
            Op::Ite => {
                let condition = self.scalar(args[0]);
                let (yes, no) = (self.of(args[1]), self.of(args[2]));
                let pairs = yes.into_iter().zip(no);
                pairs.map(|(yes, no)| pool.mk(Op::Ite, &[condition, yes, no])).collect()
            }
            op => unreachable!("{op:?} makes no array of a system"),
        }
    }

    /// An equality or `distinct` over arrays.
    fn compare(&self, pool: &mut Pool, term: Term, args: &[Term]) -> Term {
        let arrays: Vec<Vec<Term>> = args.iter().map(|&arg| self.of(arg)).collect();
        let equal = |pool: &mut Pool, a: usize, b: usize| {
            let cells = arrays[a].iter().zip(&arrays[b]);
            let cells: Vec<Term> = cells.map(|(&a, &b)| pool.mk(Op::Eq, &[a, b])).collect();
            pool.and_all(&cells)
        };
        let mut conditions = vec![];
        for a in 0..args.len() {
            for b in a + 1..args.len() {
                let same = equal(pool, a, b);
                conditions.push(if pool.op(term) == Op::Eq { same } else { pool.mk(Op::Not, &[same]) });
            }
        }
        pool.and_all(&conditions)
    }
}

/// The cell at an index: choices over its bits, the lowest first.
fn select(pool: &mut Pool, mut cells: Vec<Term>, index: Term) -> Term {
    let mut bit = 0;
    while cells.len() > 1 {
        let is_set = if pool.sort(index).is_bool() {
            index
        } else {
            let (one, set) = (pool.bv_u64(1, 1), pool.mk_indexed(Op::Extract, &[bit, bit], &[index]));
            pool.mk(Op::Eq, &[set, one])
        };
        let pairs = cells.chunks(2).map(|pair| match *pair {
            [even, odd] if even != odd => pool.mk(Op::Ite, &[is_set, odd, even]),
            _ => pair[0],
        });
        cells = pairs.collect();
        bit += 1;
    }
    cells[0]
}

/// Refuses what is too large.
fn check_size(pool: &Pool, terms: &[Term], bits: u64) -> Result<(), NoRegisters> {
    let mut cells: u64 = 0;
    for &term in terms {
        let array = if pool.op(term) == Op::Select { pool.args(term)[0] } else { term };
        let Some((index, element)) = pool.sorts().array_parts(pool.sort(array)) else { continue };
        let width = index.width().unwrap_or(1);
        let size = 1u64.checked_shl(width).filter(|_| width < 32).unwrap_or(u64::MAX);
        let is_symbol = pool.op(term) == Op::Symbol;
        if is_symbol && size.saturating_mul(u64::from(element.width().unwrap_or(1))) > bits {
            let name = pool.name(term).unwrap_or_default().to_owned();
            return Err(NoRegisters::TooLarge { name, most: bits });
        }
        cells = cells.saturating_add(size);
        if cells > MOST_CELLS {
            return Err(NoRegisters::TooMany);
        }
    }
    Ok(())
}

/// The number of values of an index.
fn count(index: Sort) -> u64 {
    1 << index.width().unwrap_or(1)
}

fn constant(pool: &mut Pool, sort: Sort, value: u64) -> Term {
    match sort.width() {
        Some(width) => pool.bv_u64(value, width),
        None => pool.bool(value != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of cells of all terms is beyond 64 bits here.
    #[test]
    fn sizes_may_be_beyond_all_bounds() {
        let mut pool = Pool::new();
        let [index, element] = [64, 8].map(|width| Sort::bitvec(width).expect("a width"));
        let small = pool.sorts_mut().array(Sort::bitvec(4).expect("a width"), element).expect("a sort");
        let large = pool.sorts_mut().array(index, element).expect("a sort");
        let memory = pool.symbol("memory", small);
        let at = pool.bv_u64(3, 4);
        let read = pool.mk(Op::Select, &[memory, at]);
        let [same, zero] =
            [read, pool.bv_u64(0, 8)].map(|cell| pool.const_array(large, cell).expect("its sort"));
        let bad = pool.mk(Op::Eq, &[same, zero]);
        let state = State { term: memory, init: None, next: Some(memory), name: None };
        let bads = vec![Property { term: bad, name: None }];
        let system = System { states: vec![state], bads, ..System::default() };
        let refused = Registers::new(&mut pool, &system, 8192, &mut |_| true).map(|_| ());
        assert_eq!(refused, Err(NoRegisters::TooMany));
    }
}
