//! A second opinion on arrays and functions: the same formula without them.
//!
//! An array over few indices is the list of its elements: a read is a choice among them, a write changes each
//! element or not, two arrays are equal if all their elements are, and a constant array repeats one. An array
//! that is an index or an argument is compared element by element. A function becomes one symbol for each
//! application and, for each pair of applications, the statement that equal arguments have equal results
//! (Ackermann, *Solvable cases of the decision problem*, 1954). A declared sort is a bit-vector sort with
//! more values than the formula has terms.
//!
//! What is left is a bit-vector formula, which the solver decides without lemmas, refinement, witnesses and
//! defaults: none of what this is the judge of is used.
//!
//! Cost: each array term becomes as many terms as its sort has indices, nested ones the product; so only
//! sorts of up to `CELLS` elements are expanded.

use bivalve_terms::{BitVec, Op, Pool, Sort, SortKind, Term, TermMap, cone};
use std::collections::BTreeMap;

/// No array has more elements, those of its elements counted.
const CELLS: usize = 64;

/// Bits of a declared sort.
const ELEMENT_BITS: u32 = 8;

/// A term of Boolean or bit-vector sort, or the elements of an array by increasing index.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Image {
    Bits(Term),
    Cells(Vec<Image>),
}

/// One application: its arguments, and what stands for its result.
type Application = (Vec<Image>, Image);

struct Expansion {
    images: TermMap<Image>,
    applications: BTreeMap<Term, Vec<Application>>,
    fresh: usize,
}

/// Formulas over Booleans and bit-vectors that are together satisfiable exactly if `assertions` are; `None`
/// if there is an array over too many indices or over a declared sort.
pub(crate) fn expand(pool: &mut Pool, assertions: &[Term]) -> Option<Vec<Term>> {
    let below = cone(pool, assertions);
    if below.len() > 200 {
        // More terms of a declared sort than it gets values, perhaps.
        return None;
    }
    let mut expansion = Expansion { images: TermMap::new(), applications: BTreeMap::new(), fresh: 0 };
    for term in below {
        if pool.sorts().is_function(pool.sort(term)) {
            continue;
        }
        size(pool, pool.sort(term))?;
        let image = expansion.image(pool, term)?;
        expansion.images.insert(term, image);
    }
    let mut formulas: Vec<Term> = assertions.iter().map(|&a| bits(expansion.of(a))).collect();
    for applications in expansion.applications.values() {
        for (i, (args, result)) in applications.iter().enumerate() {
            for (others, other) in &applications[..i] {
                let equal: Vec<Term> = args.iter().zip(others).map(|(a, b)| same(pool, a, b)).collect();
                let (equal, conclusion) = (pool.and_all(&equal), same(pool, result, other));
                formulas.push(pool.mk(Op::Implies, &[equal, conclusion]));
            }
        }
    }
    Some(formulas)
}

/// The elements of a sort's values; 1 for those that have none. `None` if they are too many.
fn size(pool: &Pool, sort: Sort) -> Option<usize> {
    match pool.sorts().kind(sort) {
        SortKind::Array { index, element } => {
            let indices = usize::try_from(pool.sorts().small_cardinality(index)?).ok()?;
            Some(indices.checked_mul(size(pool, element)?)?).filter(|&size| size <= CELLS)
        }
        SortKind::Bool | SortKind::BitVec(_) | SortKind::Uninterpreted(_) => Some(1),
        SortKind::Theory(_) | SortKind::Function { .. } => None,
    }
}

fn bits(image: &Image) -> Term {
    match image {
        Image::Bits(term) => *term,
        Image::Cells(_) => unreachable!("a term that is no array"),
    }
}

impl Expansion {
    fn of(&self, term: Term) -> &Image {
        self.images.get(term).expect("children come first")
    }

    fn image(&mut self, pool: &mut Pool, term: Term) -> Option<Image> {
        let (sort, args) = (pool.sort(term), pool.args(term).to_vec());
        Some(match pool.op(term) {
            Op::Symbol => self.symbol(pool, sort)?,
            Op::Apply => {
                let images = args[1..].iter().map(|&arg| self.of(arg).clone()).collect();
                let result = self.symbol(pool, sort)?;
                self.applications.entry(args[0]).or_default().push((images, result.clone()));
                result
            }
            Op::Select => {
                let (array, index) = (self.of(args[0]).clone(), self.of(args[1]).clone());
                self.read(pool, pool.sort(args[1]), &array, &index)
            }
            Op::Store => {
                let [array, index, element] = [args[0], args[1], args[2]].map(|a| self.of(a).clone());
                let Image::Cells(cells) = array else { unreachable!("an array") };
                let values = values(pool, pool.sort(args[1]));
                let write = |(cell, value): (Image, Image)| {
                    let here = same(pool, &index, &value);
                    choose(pool, here, &element, &cell)
                };
                Image::Cells(cells.into_iter().zip(values).map(write).collect())
            }
            Op::ConstArray => {
                let (index, _) = pool.sorts().array_parts(sort)?;
                let indices = pool.sorts().small_cardinality(index)?;
                Image::Cells((0..indices).map(|_| self.of(args[0]).clone()).collect())
            }
            Op::Ite => {
                let [condition, yes, no] = [args[0], args[1], args[2]].map(|a| self.of(a).clone());
                choose(pool, bits(&condition), &yes, &no)
            }
            Op::Eq => {
                let images: Vec<Image> = args.iter().map(|&a| self.of(a).clone()).collect();
                let links: Vec<Term> = images.windows(2).map(|pair| same(pool, &pair[0], &pair[1])).collect();
                Image::Bits(pool.and_all(&links))
            }
            Op::Distinct => {
                let images: Vec<Image> = args.iter().map(|&a| self.of(a).clone()).collect();
                let mut links = vec![];
                for (i, a) in images.iter().enumerate() {
                    for b in &images[..i] {
                        let equal = same(pool, a, b);
                        links.push(pool.mk(Op::Not, &[equal]));
                    }
                }
                Image::Bits(pool.and_all(&links))
            }
            Op::Const => Image::Bits(term),
            _ => {
                let args: Vec<Term> = args.iter().map(|&arg| bits(self.of(arg))).collect();
                Image::Bits(pool.rebuild(term, &args))
            }
        })
    }

    /// Fresh symbols for a value of a sort.
    fn symbol(&mut self, pool: &mut Pool, sort: Sort) -> Option<Image> {
        let plain = match pool.sorts().kind(sort) {
            SortKind::Bool | SortKind::BitVec(_) => sort,
            SortKind::Uninterpreted(_) => Sort::bitvec(ELEMENT_BITS).expect("a legal width"),
            SortKind::Array { index, element } => {
                let indices = pool.sorts().small_cardinality(index)?;
                let cells: Option<Vec<Image>> = (0..indices).map(|_| self.symbol(pool, element)).collect();
                return cells.map(Image::Cells);
            }
            SortKind::Theory(_) | SortKind::Function { .. } => return None,
        };
        self.fresh += 1;
        Some(Image::Bits(pool.symbol(&format!("cell{}", self.fresh), plain)))
    }

    fn read(&self, pool: &mut Pool, sort: Sort, array: &Image, index: &Image) -> Image {
        let Image::Cells(cells) = array else { unreachable!("an array") };
        let (last, others) = cells.split_last().expect("a sort has values");
        let values = values(pool, sort);
        others.iter().zip(values).rev().fold(last.clone(), |rest, (cell, value)| {
            let here = same(pool, index, &value);
            choose(pool, here, cell, &rest)
        })
    }
}

/// All values of a small sort in the order of cells.
fn values(pool: &mut Pool, sort: Sort) -> Vec<Image> {
    match pool.sorts().kind(sort) {
        SortKind::Bool => vec![Image::Bits(pool.bool(false)), Image::Bits(pool.bool(true))],
        SortKind::BitVec(width) => {
            let constant = |value| Image::Bits(pool.bitvec(&BitVec::from_u64(value, width)));
            (0..1u64 << width).map(constant).collect()
        }
        SortKind::Array { index, element } => {
            let cells = pool.sorts().small_cardinality(index).expect("a small sort has small parts");
            let elements = values(pool, element);
            let mut arrays = vec![vec![]];
            for _ in 0..cells {
                let longer = |array: &Vec<Image>| {
                    let array = array.clone();
                    elements
                        .iter()
                        .map(move |e| [&array[..], std::slice::from_ref(e)].concat())
                        .collect::<Vec<_>>()
                };
                arrays = arrays.iter().flat_map(longer).collect();
            }
            arrays.into_iter().map(Image::Cells).collect()
        }
        SortKind::Theory(_) | SortKind::Uninterpreted(_) | SortKind::Function { .. } => {
            unreachable!("sorts without a size")
        }
    }
}

/// Two images of one sort have one value.
fn same(pool: &mut Pool, a: &Image, b: &Image) -> Term {
    match (a, b) {
        (Image::Bits(a), Image::Bits(b)) => pool.mk(Op::Eq, &[*a, *b]),
        (Image::Cells(a), Image::Cells(b)) => {
            let links: Vec<Term> = a.iter().zip(b).map(|(a, b)| same(pool, a, b)).collect();
            pool.and_all(&links)
        }
        _ => unreachable!("images of one sort have one shape"),
    }
}

fn choose(pool: &mut Pool, condition: Term, yes: &Image, no: &Image) -> Image {
    match (yes, no) {
        (Image::Bits(yes), Image::Bits(no)) => Image::Bits(pool.mk(Op::Ite, &[condition, *yes, *no])),
        (Image::Cells(yes), Image::Cells(no)) => {
            Image::Cells(yes.iter().zip(no).map(|(a, b)| choose(pool, condition, a, b)).collect())
        }
        _ => unreachable!("images of one sort have one shape"),
    }
}
