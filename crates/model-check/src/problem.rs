//! Systems that pass from one pool to another: each engine has a copy of what it works on.

use bivalve::terms::{Op, Pool, Sort, Term, TermMap, cone};
use bivalve_systems::System;

/// The part of a system, in normal form, that an engine works on.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) system: System,
    /// The numbers of its bad states among the properties.
    pub(crate) numbers: Vec<usize>,
}

/// A system in a pool of its own.
pub(crate) fn copied(pool: &Pool, system: &System) -> (Pool, System) {
    let roots: Vec<Term> = system.terms().into_iter().chain(system.symbols()).collect();
    let (copy, renaming) = pool.copy(&roots);
    let mut system = system.clone();
    system.rename(|term| renaming.of(term));
    (copy, system)
}

/// Makes terms of another pool here. `images` has what is known, and gets what is made; other symbols become
/// new ones of the same name.
pub(crate) fn import(pool: &mut Pool, from: &Pool, roots: &[Term], images: &mut TermMap<Term>) {
    for term in cone(from, roots) {
        if images.contains(term) {
            continue;
        }
        let args: Vec<Term> =
            from.args(term).iter().map(|&arg| *images.get(arg).expect("children come first")).collect();
        let image = match from.op(term) {
            Op::Symbol => {
                let sort = sort(pool, from, from.sort(term));
                pool.symbol(from.name(term).unwrap_or_default(), sort)
            }
            Op::Const => {
                let value = from.as_value(term).and_then(|value| pool.constant(&value));
                value.expect("systems have constants of words")
            }
            Op::ConstArray => {
                let sort = sort(pool, from, from.sort(term));
                pool.const_array(sort, args[0]).expect("it is well-sorted")
            }
            op => pool.mk_indexed(op, &from.indices(term), &args),
        };
        images.insert(term, image);
    }
}

/// A sort of another pool. Systems have bits, words, and arrays of words.
fn sort(pool: &mut Pool, from: &Pool, of: Sort) -> Sort {
    match from.sorts().array_parts(of) {
        Some((index, element)) => {
            let [index, element] = [index, element].map(|part| sort(pool, from, part));
            pool.sorts_mut().array(index, element).expect("it is a sort there")
        }
        None => of,
    }
}
