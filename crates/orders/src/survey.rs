//! Which symbols are only compared.
//!
//! Symbols that are compared with each other make a component. It is ordered if nothing else is done with its
//! symbols, all comparisons are of one kind, signed or unsigned, there are enough of them, not too many for
//! each symbol, and no more equalities: those become two comparisons each, which pays where comparisons are
//! the rule.
//!
//! Cost: a look at each term below the formulas, and at its arguments.

use bivalve_limits::Deadline;
use bivalve_terms::{Op, Pool, Term, TermMap, TermSet, UnionFind};

/// Words of more bits are not ordered: values are counted with machine integers.
const MOST_BITS: u32 = 64;

/// Where nearly everything is compared with everything, a search does better bit by bit.
const MOST_FOR_A_SYMBOL: usize = 10;

/// What is compared: two symbols, or a symbol and a constant.
pub(crate) struct Atom {
    /// Whether as signed numbers; `None` for an equality.
    pub(crate) is_signed: Option<bool>,
    /// A comparison says that the left side is less; with `false`, that the right side is not.
    pub(crate) is_strict: bool,
    pub(crate) sides: [Term; 2],
}

/// What a term compares, if it does no more than that.
pub(crate) fn atom(pool: &Pool, term: Term) -> Option<Atom> {
    let (is_signed, is_strict) = match pool.op(term) {
        Op::BvUlt => (Some(false), true),
        Op::BvUle => (Some(false), false),
        Op::BvSlt => (Some(true), true),
        Op::BvSle => (Some(true), false),
        Op::Eq => (None, false),
        _ => return None,
    };
    let &[left, right] = pool.args(term) else { return None };
    let is_symbol = |term: Term| pool.op(term) == Op::Symbol && pool.sort(term).is_bitvec();
    let is_side = |term: Term| is_symbol(term) || pool.as_bitvec(term).is_some();
    let is_atom = left != right && is_side(left) && is_side(right) && (is_symbol(left) || is_symbol(right));
    is_atom.then_some(Atom { is_signed, is_strict, sides: [left, right] })
}

/// A component of symbols.
#[derive(Clone, Copy, Default)]
struct Component {
    symbols: usize,
    comparisons: usize,
    equalities: usize,
    /// Comparisons of these kinds.
    has_signed: bool,
    has_unsigned: bool,
    /// One of them is used otherwise.
    is_used: bool,
}

/// The symbols below these formulas that are only compared, in components of at least so many comparisons,
/// and whether they are as signed numbers; `None` if the deadline is over before that is known.
pub(crate) fn ordered(
    pool: &Pool,
    formulas: &[Term],
    least: usize,
    deadline: &Deadline,
) -> Option<TermMap<bool>> {
    let terms = cone(pool, formulas, deadline)?;
    let mut numbers: TermMap<u32> = TermMap::new();
    let mut symbols = vec![];
    for &term in &terms {
        if !deadline.step(1) {
            return None;
        }
        if pool.op(term) == Op::Symbol && pool.width(term).is_some_and(|width| width <= MOST_BITS) {
            numbers.insert(term, symbols.len() as u32);
            symbols.push(term);
        }
    }
    let mut classes = UnionFind::new(symbols.len());
    let mut used: Vec<u32> = vec![];
    let mut atoms: Vec<(u32, Option<bool>)> = vec![];
    for &term in &terms {
        if !deadline.step(1) {
            return None;
        }
        let mut sides = pool.args(term).iter().filter_map(|&arg| numbers.get(arg).copied());
        match atom(pool, term) {
            None => used.extend(sides),
            Some(Atom { is_signed, .. }) => {
                // Words of more bits have no numbers.
                let Some(first) = sides.next() else { continue };
                atoms.push((first, is_signed));
                if let Some(second) = sides.next() {
                    classes.union(first, second);
                }
            }
        }
    }
    let mut components = vec![Component::default(); symbols.len()];
    for (symbol, is_signed) in atoms {
        let component = &mut components[classes.find(symbol) as usize];
        component.comparisons += usize::from(is_signed.is_some());
        component.equalities += usize::from(is_signed.is_none());
        component.has_signed |= is_signed == Some(true);
        component.has_unsigned |= is_signed == Some(false);
    }
    for symbol in used {
        components[classes.find(symbol) as usize].is_used = true;
    }
    for number in 0..symbols.len() as u32 {
        components[classes.find(number) as usize].symbols += 1;
    }
    let mut ordered = TermMap::new();
    for (number, &symbol) in (0..).zip(&symbols) {
        let component = components[classes.find(number) as usize];
        let Component { symbols, comparisons, equalities, has_signed, has_unsigned, is_used } = component;
        let is_sparse = comparisons <= MOST_FOR_A_SYMBOL * symbols;
        if !is_used && has_signed != has_unsigned && comparisons >= least.max(equalities) && is_sparse {
            ordered.insert(symbol, has_signed);
        }
    }
    Some(ordered)
}

/// The terms at and below formulas, arguments first; `None` if the deadline is over.
fn cone(pool: &Pool, formulas: &[Term], deadline: &Deadline) -> Option<Vec<Term>> {
    let (mut seen, mut terms) = (TermSet::new(), vec![]);
    let mut todo = formulas.to_vec();
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            if !deadline.step(1) {
                return None;
            }
            terms.push(term);
            todo.extend_from_slice(pool.args(term));
        }
    }
    terms.sort_unstable();
    Some(terms)
}
