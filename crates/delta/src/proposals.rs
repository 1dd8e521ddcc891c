//! The lists of edits: by what each node may be replaced, one function for each list.
//!
//! Brummayer's recipe (thesis, section 4.3): substitute nodes, the nearest to the root first, by constants
//! and by their children of the same sort; skip chains of unary operators and of writes at once; replace the
//! root by Boolean nodes, at first within the Boolean layer, in the end from anywhere. To that come
//! descendants of the same sort at any depth, symbols, operands that are left out of long conjunctions and
//! sums, and a term that is no formula made the root by an equation. All lists are in the order in which
//! edits are tried, and the order follows from the DAG alone.

use crate::edit::{Change, Edit, by_distance, drops_operands};
use crate::script::Script;
use bivalve_terms::float::Float;
use bivalve_terms::{BitVec, Op, Pool, Sort, SortKind, Term, TermSet, TheorySort, cone, free_symbols};
use rustc_hash::FxHashMap;

/// Descendants of a node that are tried in its place.
const DESCENDANTS: usize = 6;

/// Which leaf is put in the place of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// `false` and zero.
    Zero,
    /// `true` and one.
    One,
    /// All ones.
    Ones,
    /// A symbol of the same sort.
    Symbol,
}

/// Makes leaves; symbols are those of the script, or one new one a sort.
pub(crate) struct Leaves {
    symbols: FxHashMap<Sort, Term>,
}

impl Leaves {
    /// The leaves for a script.
    pub(crate) fn new(pool: &Pool, roots: &[Term]) -> Leaves {
        let mut symbols = FxHashMap::default();
        for symbol in free_symbols(pool, roots) {
            if !is_open(pool, symbol) {
                symbols.entry(pool.sort(symbol)).or_insert(symbol);
            }
        }
        Leaves { symbols }
    }

    /// The leaf of this kind and sort, if there is one.
    pub(crate) fn of(&mut self, pool: &mut Pool, kind: Leaf, sort: Sort) -> Option<Term> {
        match (kind, sort.width()) {
            (Leaf::Zero, Some(width)) => Some(pool.bv_u64(0, width)),
            (Leaf::One, Some(width)) => Some(pool.bv_u64(1, width)),
            (Leaf::Ones, Some(width)) if width > 1 => Some(pool.bitvec(&BitVec::ones(width))),
            (Leaf::Zero, None) if sort.is_bool() => Some(pool.bool(false)),
            (Leaf::One, None) if sort.is_bool() => Some(pool.bool(true)),
            (Leaf::Zero | Leaf::One | Leaf::Ones, None) => special(pool, kind, sort),
            (Leaf::Symbol, None) if is_of_constants(pool, sort) => None,
            (Leaf::Symbol, _) => Some(*self.symbols.entry(sort).or_insert_with(|| pool.symbol("v", sort))),
            (Leaf::Ones, _) => None,
        }
    }
}

/// A leaf of floating point: zero, one and NaN, or a rounding mode for zero.
fn special(pool: &mut Pool, kind: Leaf, sort: Sort) -> Option<Term> {
    match (pool.sorts().kind(sort), kind) {
        (SortKind::Theory(TheorySort::Float(format)), _) => {
            let value = match kind {
                Leaf::Zero => Float::zero(format, false),
                Leaf::One => Float::one(format, false),
                _ => Float::nan(format),
            };
            Some(pool.float(&value))
        }
        (SortKind::Theory(TheorySort::RoundingMode), Leaf::Zero) => {
            Some(pool.rounding_mode(bivalve_terms::float::RoundingMode::NearestEven))
        }
        _ => None,
    }
}

/// Is it a sort without symbols?
fn is_of_constants(pool: &Pool, sort: Sort) -> bool {
    matches!(pool.sorts().kind(sort), SortKind::Theory(TheorySort::Int | TheorySort::Real))
}

/// What stands for a result that a theory leaves open is not in the text, so no edit is about it.
fn is_open(pool: &Pool, term: Term) -> bool {
    let symbol = if pool.op(term) == Op::Apply { pool.args(term)[0] } else { term };
    pool.is_open_symbol(symbol)
}

/// Terms that edits are about: no function symbols.
fn nodes(pool: &Pool, script: &Script) -> Vec<Term> {
    let mut nodes = by_distance(pool, &script.roots());
    nodes.retain(|&term| !pool.sorts().is_function(pool.sort(term)) && !is_open(pool, term));
    nodes
}

/// All inner nodes by leaves of one kind.
pub(crate) fn by_leaves(pool: &mut Pool, script: &Script, kind: Leaf) -> Vec<Edit> {
    let mut leaves = Leaves::new(pool, &script.roots());
    let mut edits = vec![];
    for at in nodes(pool, script) {
        if !pool.args(at).is_empty()
            && let Some(leaf) = leaves.of(pool, kind, pool.sort(at))
        {
            edits.push(Edit { at, change: Change::Leaf(leaf) });
        }
    }
    edits
}

/// Operands left out, the last first.
pub(crate) fn operands(pool: &Pool, script: &Script) -> Vec<Edit> {
    let nodes = nodes(pool, script).into_iter().filter(|&at| drops_operands(pool, at));
    let edits = nodes.flat_map(|at| {
        let count = pool.args(at).len() as u32;
        (0..count).rev().map(move |position| Edit { at, change: Change::Without(position) })
    });
    edits.collect()
}

/// Nodes by their `number`-th child of the same sort.
pub(crate) fn by_children(pool: &Pool, script: &Script, number: usize) -> Vec<Edit> {
    let edit = |at: Term| {
        let same = pool.written_args(at).iter().filter(|&&arg| pool.sort(arg) == pool.sort(at));
        let child = *same.into_iter().nth(number)?;
        Some(Edit { at, change: Change::Below(child) })
    };
    nodes(pool, script).into_iter().filter_map(edit).collect()
}

/// Nodes at the top of a chain by what is at its bottom.
pub(crate) fn by_bottoms(pool: &Pool, script: &Script) -> Vec<Edit> {
    let edit = |at: Term| {
        let mut bottom = chained(pool, at).and_then(|below| chained(pool, below))?;
        while let Some(below) = chained(pool, bottom) {
            bottom = below;
        }
        Some(Edit { at, change: Change::Below(bottom) })
    };
    nodes(pool, script).into_iter().filter_map(edit).collect()
}

/// The next node of a chain of unary operators, of writes, or of the first branches of if-then-else.
fn chained(pool: &Pool, term: Term) -> Option<Term> {
    let args = pool.args(term);
    let next = match (pool.op(term), args) {
        (Op::Store, [array, ..]) => *array,
        (Op::Ite, [_, _, otherwise]) => *otherwise,
        (_, [one]) => *one,
        _ => return None,
    };
    (pool.sort(next) == pool.sort(term)).then_some(next)
}

/// Everything that may stand for a single node, node by node.
pub(crate) fn alternatives(pool: &mut Pool, script: &Script) -> Vec<Edit> {
    let mut leaves = Leaves::new(pool, &script.roots());
    let shared = shared(pool, script);
    let mut edits = vec![];
    for at in nodes(pool, script) {
        let sort = pool.sort(at);
        if drops_operands(pool, at) {
            let count = pool.args(at).len() as u32;
            edits.extend((0..count).rev().map(|position| Edit { at, change: Change::Without(position) }));
        }
        for below in descendants(pool, at, sort) {
            edits.push(Edit { at, change: Change::Below(below) });
        }
        let mut others = reshaped(pool, at);
        others.extend(equations(pool, &mut leaves, at));
        others.extend(unshared(pool, &mut leaves, at, &shared));
        edits.extend(others.into_iter().map(|other| Edit { at, change: Change::Instead(other) }));
        for kind in [Leaf::Zero, Leaf::One, Leaf::Symbol, Leaf::Ones] {
            let leaf = leaves.of(pool, kind, sort).filter(|&leaf| leaf != at);
            if let Some(leaf) = leaf.filter(|_| !pool.is_const(at)) {
                edits.push(Edit { at, change: Change::Leaf(leaf) });
            }
        }
    }
    edits
}

/// The inner nodes that are an operand more than once.
fn shared(pool: &Pool, script: &Script) -> TermSet {
    let (mut once, mut more) = (TermSet::new(), TermSet::new());
    for term in cone(pool, &script.roots()) {
        for &arg in pool.args(term).iter().filter(|&&arg| !pool.args(arg).is_empty()) {
            if !once.insert(arg) {
                more.insert(arg);
            }
        }
    }
    more
}

/// The node with zero in the place of one operand that is used elsewhere too. To edit that operand is to edit
/// all its uses.
fn unshared(pool: &mut Pool, leaves: &mut Leaves, at: Term, shared: &TermSet) -> Vec<Term> {
    let args = pool.args(at).to_vec();
    let written = pool.written_args(at).len();
    let places = (0..written).rev().filter(|&i| shared.contains(args[i]));
    let with_zero = places.filter_map(|i| {
        let mut args = args.clone();
        args[i] = leaves.of(pool, Leaf::Zero, pool.sort(args[i]))?;
        Some(pool.rebuild(at, &args))
    });
    with_zero.collect()
}

/// A predicate as an equation between zero and what is below its operands: the operators between them go.
fn equations(pool: &mut Pool, leaves: &mut Leaves, at: Term) -> Vec<Term> {
    let args = pool.args(at).to_vec();
    if !pool.sort(at).is_bool() || args.is_empty() || args.iter().any(|&arg| pool.sort(arg).is_bool()) {
        return vec![];
    }
    let mut below = by_distance(pool, &args);
    below.retain(|&t| {
        !pool.args(t).is_empty() && !is_open(pool, t) && (pool.op(at) != Op::Eq || !args.contains(&t))
    });
    below.truncate(DESCENDANTS);
    let mut equations = vec![];
    for term in below {
        if let Some(zero) = leaves.of(pool, Leaf::Zero, pool.sort(term)) {
            equations.push(pool.mk(Op::Eq, &[term, zero]));
        }
    }
    equations
}

/// The same material in a plainer shape: a Boolean if-then-else as a conjunction of two of its operands, a
/// conjunction of conjunctions as one.
fn reshaped(pool: &mut Pool, at: Term) -> Vec<Term> {
    let args = pool.args(at).to_vec();
    match (pool.op(at), args.as_slice()) {
        (Op::Ite, &[condition, yes, no]) if pool.sort(at).is_bool() => {
            [[condition, yes], [condition, no], [yes, no]].map(|pair| pool.mk(Op::And, &pair)).to_vec()
        }
        (op @ (Op::And | Op::Or | Op::Xor), _) if args.iter().any(|&arg| pool.op(arg) == op) => {
            let inner = |&arg: &Term| if pool.op(arg) == op { pool.args(arg).to_vec() } else { vec![arg] };
            let flat: Vec<Term> = args.iter().flat_map(inner).collect();
            vec![pool.mk(op, &flat)]
        }
        _ => vec![],
    }
}

/// The nearest nodes of a sort below a node.
fn descendants(pool: &Pool, at: Term, sort: Sort) -> Vec<Term> {
    let below = by_distance(pool, pool.args(at));
    let is_other = |&t: &Term| pool.sort(t) == sort && !pool.is_const(t) && !is_open(pool, t);
    let mut found: Vec<Term> = below.into_iter().filter(is_other).collect();
    found.truncate(DESCENDANTS);
    found
}

/// Symbols by other symbols of their sort, and by constants.
pub(crate) fn symbols(pool: &mut Pool, script: &Script) -> Vec<Edit> {
    let mut all = cone(pool, &script.roots());
    all.retain(|&term| pool.op(term) == Op::Symbol && !is_open(pool, term));
    let (mut leaves, mut edits) = (Leaves::new(pool, &[]), vec![]);
    for &at in all.iter().rev() {
        let sort = pool.sort(at);
        let others = all.iter().copied().filter(|&other| other < at && pool.sort(other) == sort).take(3);
        edits.extend(others.map(|other| Edit { at, change: Change::Leaf(other) }));
        for kind in [Leaf::Zero, Leaf::One, Leaf::Ones] {
            let leaf = leaves.of(pool, kind, sort);
            edits.extend(leaf.map(|leaf| Edit { at, change: Change::Leaf(leaf) }));
        }
    }
    edits
}

/// Where a new root is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// Boolean operators alone.
    Layer,
    /// Everywhere.
    Anywhere,
}

/// The Boolean nodes that may be the root in the place of an assertion, about `most` in all, the farthest
/// from the root first: a small one that fails ends the search at once.
pub(crate) fn roots(pool: &Pool, script: &Script, depth: Depth, most: usize) -> Vec<Edit> {
    let mut edits = vec![];
    let roots = formulas(pool, script);
    let most = share(most, roots.len());
    for root in roots {
        let mut found: Vec<Term> = match depth {
            Depth::Layer => layer(pool, root),
            Depth::Anywhere => by_distance(pool, &[root]),
        };
        found.retain(|&term| term != root && pool.sort(term).is_bool() && !pool.is_const(term));
        if found.len() > most {
            let step = found.len() as f64 / most as f64;
            found = (0..most).map(|i| found[(i as f64 * step) as usize]).collect();
        }
        edits.extend(found.into_iter().rev().map(|below| Edit { at: root, change: Change::Below(below) }));
    }
    edits
}

/// The Boolean roots.
fn formulas(pool: &Pool, script: &Script) -> Vec<Term> {
    script.roots().into_iter().filter(|&root| pool.sort(root).is_bool()).collect()
}

/// The share of one of `count`, at least two.
fn share(whole: usize, count: usize) -> usize {
    (whole / count.max(1)).max(2)
}

/// The Boolean layer below a root: what is reached through Boolean operators, by distance.
fn layer(pool: &Pool, root: Term) -> Vec<Term> {
    let mut found = vec![root];
    let mut seen = TermSet::new();
    let mut next = 0;
    while let Some(&term) = found.get(next) {
        next += 1;
        let args = pool.args(term).iter().copied();
        found.extend(args.filter(|&arg| pool.sort(arg).is_bool() && seen.insert(arg)));
    }
    found
}

/// Formulas by an equation between a term below them and a symbol or zero, and by such an equation beside
/// `false`: that is what is left where only the operator matters, and that the script is contradictory.
pub(crate) fn lifted(pool: &mut Pool, script: &Script, most: usize) -> Vec<Edit> {
    let mut leaves = Leaves::new(pool, &script.roots());
    let mut edits = vec![];
    let roots = formulas(pool, script);
    let most = share(most, 2 * roots.len());
    for root in roots {
        let mut below = by_distance(pool, &[root]);
        let says_it = |term: Term| pool.op(root) == Op::Eq && pool.args(root).contains(&term);
        below.retain(|&term| {
            let is_inner = !pool.args(term).is_empty() && !is_open(pool, term);
            is_inner && !pool.sort(term).is_bool() && !says_it(term)
        });
        let step = below.len().div_ceil(most.max(1)).max(1);
        for &term in below.iter().rev().step_by(step) {
            let sort = pool.sort(term);
            for kind in [Leaf::Zero, Leaf::Symbol] {
                if let Some(leaf) = leaves.of(pool, kind, sort) {
                    let equation = pool.mk(Op::Eq, &[term, leaf]);
                    edits.push(Edit { at: root, change: Change::Instead(equation) });
                    if kind == Leaf::Zero {
                        let never = pool.bool(false);
                        let contradiction = pool.mk(Op::And, &[equation, never]);
                        edits.push(Edit { at: root, change: Change::Instead(contradiction) });
                    }
                }
            }
        }
    }
    edits
}
