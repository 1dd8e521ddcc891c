//! Arrays that are written to, too: their elements become narrow.
//!
//! What is read from such an array was written, or was there at the index of the read. So no more elements of
//! the arrays that there were matter than there are reads, and if elements are only compared, stored and
//! chosen from, they are numbered as symbols are. Arrays get narrower elements; where one is a symbol it is
//! defined by what the new one has at the indices of all reads.
//!
//! Cost: a write for each read and symbol when a model is made.

use super::code::Code;
use super::{Classes, Defined};
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Rebuild, Sort, Term};

/// So many writes may define symbols.
pub(super) const MOST_WRITES: usize = 1 << 12;

/// The width of the elements, of an array of bit-vectors.
pub(super) fn element_width(pool: &Pool, term: Term) -> Option<u32> {
    let (_, element) = pool.sorts().array_parts(pool.sort(term))?;
    element.width()
}

/// The arrays of classes whose values are numbered.
#[derive(Default)]
pub(super) struct Memories {
    /// By representative: the symbols with the new ones, and the reads.
    symbols: Vec<(Term, Term, Term)>,
    reads: Vec<(Term, Term)>,
}

impl Memories {
    /// What an array, or a read of one, becomes; it is of a class with this representative.
    pub(super) fn image(
        &mut self,
        pool: &mut Pool,
        term: Term,
        (code, representative): (&Code, Term),
        images: &Rebuild,
    ) -> Option<Term> {
        let args = pool.args(term).to_vec();
        let image = |place: usize| images.image(args[place]).expect("arguments come first");
        Some(match pool.op(term) {
            Op::Symbol => {
                let sort = narrow_sort(pool, term, code);
                let fresh = pool.symbol("narrow", sort);
                self.symbols.push((representative, term, fresh));
                fresh
            }
            Op::Store => {
                let element = code.number(pool, args[2], images);
                make::app(pool, Op::Store, &[image(0), image(1), element])
            }
            Op::ConstArray => {
                let sort = narrow_sort(pool, term, code);
                let element = code.number(pool, args[0], images);
                make::const_array(pool, sort, element)
            }
            Op::Select => {
                self.reads.push((representative, image(1)));
                make::app(pool, Op::Select, &[image(0), image(1)])
            }
            _ => return None,
        })
    }

    /// The definitions of the symbols.
    pub(super) fn defined(&self, pool: &mut Pool, code_of: impl Fn(Term) -> Code) -> Vec<Defined> {
        let definition = |&(representative, symbol, fresh): &(Term, Term, Term)| {
            let code = code_of(representative);
            let width = element_width(pool, symbol).expect("an array of bit-vectors");
            let mut array = pool.symbol("rest", pool.sort(symbol));
            for &(_, index) in self.reads.iter().filter(|read| read.0 == representative) {
                let number = make::app(pool, Op::Select, &[fresh, index]);
                let value = code.value(pool, number, width);
                array = make::app(pool, Op::Store, &[array, index, value]);
            }
            Defined { symbol, term: array, restricts: true }
        };
        self.symbols.iter().map(definition).collect()
    }
}

/// The sort of an array whose elements are numbers.
fn narrow_sort(pool: &mut Pool, array: Term, code: &Code) -> Sort {
    let (index, _) = pool.sorts().array_parts(pool.sort(array)).expect("an array");
    let element = code.sort();
    pool.sorts_mut().array(index, element).expect("an index stays one")
}

impl Classes {
    /// Takes in an array or a read of one. Whether it is.
    pub(super) fn look_at_array(&mut self, pool: &Pool, term: Term, is_used: bool) -> bool {
        let args = pool.args(term);
        let is_read = pool.op(term) == Op::Select && pool.sort(term).is_bitvec();
        if !is_read && element_width(pool, term).is_none() {
            return false;
        }
        match pool.op(term) {
            Op::Symbol => {
                let class = self.class(term);
                class.spoiled |= is_used;
                class.memories += 1;
            }
            Op::Select if is_read => {
                self.join(pool, [term, args[0]].into_iter(), |class| {
                    class.symbols += 1;
                    class.reads += 1;
                });
                self.spoil(pool, args[1]);
            }
            Op::Store => {
                self.join(pool, [term, args[0], args[2]].into_iter(), |_| {});
                self.spoil(pool, args[1]);
            }
            Op::ConstArray => self.join(pool, [term, args[0]].into_iter(), |_| {}),
            Op::Ite => self.join(pool, [term, args[1], args[2]].into_iter(), |_| {}),
            _ => return false,
        }
        true
    }
}
