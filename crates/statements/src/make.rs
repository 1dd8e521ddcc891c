//! Building terms with the simplifications that cost nothing: the right sides of rules, and what passes make.
//!
//! These constructors do the little that saves building a term only to rewrite it away at once: constants are
//! folded, double negations cancel, arguments of commutative operators are put into their order (constants
//! first, then by age), full slices vanish, and lists of arguments become chains of binary operators.
//! Whatever else can be simplified is left to the rules, which are applied to every new term.
//!
//! Callers guarantee well-sorted arguments, as [`bivalve_terms::Pool::mk`] requires.

use crate::edge::{Edge, Head};
use bivalve_terms::float::Rational;
use bivalve_terms::{Args, Arity, BitVec, Op, Pool, Sort, Term, TheoryValue, Value};

/// The term an edge means.
pub fn edge(pool: &mut Pool, edge: Edge) -> Term {
    if edge.negated { not(pool, edge.term) } else { edge.term }
}

/// The complement of a Boolean or of a bit-vector.
pub fn not(pool: &mut Pool, term: Term) -> Term {
    let op = if pool.sort(term).is_bool() { Op::Not } else { Op::BvNot };
    if pool.op(term) == op { pool.args(term)[0] } else { indexed(pool, op, &[], &[term]) }
}

/// An operator without indices, over at least as many arguments as it takes.
pub fn app(pool: &mut Pool, op: Op, args: &[Term]) -> Term {
    match *args {
        [arg] if matches!(op, Op::Not | Op::BvNot) => not(pool, arg),
        [a, b] if op.info().commutative => {
            let (a, b) = ordered(pool, a, b);
            indexed(pool, op, &[], &[a, b])
        }
        _ => indexed(pool, op, &[], args),
    }
}

/// An operator with its indices as in the text.
pub fn indexed(pool: &mut Pool, op: Op, indices: &[u32], args: &[Term]) -> Term {
    let term = pool.mk_indexed(op, indices, args);
    if !args.iter().all(|&arg| pool.is_const(arg)) {
        return term;
    }
    let head = Head { op, index: indices.last().copied().unwrap_or(0), sort: pool.sort(term), args };
    fold(pool, &head).unwrap_or(term)
}

/// The two arguments of a commutative operator in the order of the normal form: constants first, then by age.
#[inline]
pub fn ordered(pool: &Pool, a: Term, b: Term) -> (Term, Term) {
    let swap = match (pool.is_const(a), pool.is_const(b)) {
        (true, false) => false,
        (false, true) => true,
        _ => b < a,
    };
    if swap { (b, a) } else { (a, b) }
}

/// The constant that an operator over constants is equal to; `None` if an argument is no constant, or for
/// operators whose value is no constant term. Where a theory leaves results open, that of these constants is
/// to be the same whatever it is otherwise.
pub fn fold(pool: &mut Pool, head: &Head<'_>) -> Option<Term> {
    let foldable = head.sort.is_bool() || head.sort.is_bitvec() || pool.sorts().is_theory(head.sort);
    if !foldable || head.op == Op::RecordNew || head.args.is_empty() {
        return None;
    }
    let known = |&arg: &Term| value(pool, arg).or_else(|| pool.as_value(arg));
    let mut values = head.args[..written(head)].iter().map(known).collect::<Option<Vec<Value>>>()?;
    let (width, format) = (head.sort.width().unwrap_or(0), pool.sorts().float_format(head.sort));
    let meaning = |values: &[Value]| {
        let values: Vec<&Value> = values.iter().collect();
        (head.op.info().meaning)(&Args { format, ..Args::native(&values, head.index, width) })
    };
    let result = if head.op == Op::RecordGet {
        // What a record does not have is left open.
        values[0].as_record()?.field(head.index)?.clone()
    } else if head.op.is_open() {
        let open: [Value; 2] = match pool.width(head.args[written(head)]) {
            Some(width) => [BitVec::zero(width), BitVec::ones(width)].map(Value::from),
            None => [0, 1].map(|real| TheoryValue::Real(Rational::from_integer(real)).into()),
        };
        let results = open.map(|open| {
            values.push(open);
            let result = meaning(&values);
            values.pop();
            result
        });
        let [result, other] = results;
        (result == other).then_some(result)?
    } else {
        meaning(&values)
    };
    pool.constant(&result)
}

/// What an operator makes of a record whose constructor is applied below it.
pub fn of_new_record(pool: &mut Pool, head: &Head<'_>) -> Option<Term> {
    if !head.op.is_record() || head.op == Op::RecordNew || pool.op(head.args[0]) != Op::RecordNew {
        return None;
    }
    let (record, sort) = (head.args[0], pool.sort(head.args[0]));
    let (fields, constructor) = (pool.args(record).to_vec(), pool.index(record));
    if head.op == Op::RecordIs {
        return Some(pool.bool(constructor == head.index));
    }
    let (other, place) = pool.sorts().as_record(sort)?.place_of(head.index)?;
    match head.op {
        Op::RecordGet if other == constructor => Some(fields[place]),
        Op::RecordSet if other == constructor => {
            let mut fields = fields;
            fields[place] = head.args[1];
            pool.record_new(sort, constructor, &fields).ok()
        }
        Op::RecordSet => Some(record),
        _ => None,
    }
}

/// The number of arguments that are written: behind them stands what a theory leaves open.
pub fn written(head: &Head<'_>) -> usize {
    head.op.written_count().unwrap_or(head.args.len())
}

/// The value of a constant.
pub fn value(pool: &Pool, term: Term) -> Option<Value> {
    match pool.as_bool(term) {
        Some(value) => Some(value.into()),
        None => pool.as_bitvec(term).map(Value::from),
    }
}

/// The constant of a Boolean or bit-vector value.
pub fn constant(pool: &mut Pool, value: &Value) -> Term {
    match value {
        Value::Bool(value) => pool.bool(*value),
        value => pool.bitvec(value.expect_bitvec()),
    }
}

/// The zero of `width` bits.
pub fn zeros(pool: &mut Pool, width: u32) -> Term {
    pool.bitvec(&BitVec::zero(width))
}

/// Bits `high` down to `low`.
pub fn extract(pool: &mut Pool, term: Term, high: u32, low: u32) -> Term {
    let full = low == 0 && Some(high + 1) == pool.width(term);
    if full { term } else { indexed(pool, Op::Extract, &[high, low], &[term]) }
}

/// The operator of `term` over bits `high` down to `low` of its children, those before number `from` as they
/// are.
pub fn inward(pool: &mut Pool, term: Term, high: u32, low: u32, from: usize) -> Term {
    let mut args = pool.args(term).to_vec();
    for arg in &mut args[from..] {
        *arg = extract(pool, *arg, high, low);
    }
    let op = pool.op(term);
    app(pool, op, &args)
}

/// Bits `high` down to `low` of a concatenation, as slices of its parts.
pub fn slice_of_concat(pool: &mut Pool, term: Term, high: u32, low: u32) -> Term {
    let &[x, y] = pool.args(term) else { unreachable!("a concatenation in normal form has two parts") };
    let cut = pool.width(y).expect("a bit-vector is concatenated");
    let upper = (high >= cut).then(|| extract(pool, x, high - cut, low.max(cut) - cut));
    let lower = (low < cut).then(|| extract(pool, y, high.min(cut - 1), low));
    concat(pool, &[upper, lower])
}

/// The concatenation of the parts that are there, the most significant one first. Panics if none is.
pub fn concat(pool: &mut Pool, parts: &[Option<Term>]) -> Term {
    let mut parts = parts.iter().rev().flatten().copied();
    let last = parts.next().expect("a concatenation has a part");
    parts.fold(last, |low, high| app(pool, Op::Concat, &[high, low]))
}

/// The zero of `width` bits, or nothing if there are none.
pub fn zeros_or_none(pool: &mut Pool, width: u32) -> Option<Term> {
    (width > 0).then(|| zeros(pool, width))
}

/// Equality.
pub fn eq(pool: &mut Pool, a: Term, b: Term) -> Term {
    if a == b { pool.bool(true) } else { app(pool, Op::Eq, &[a, b]) }
}

/// Conjunction of two Booleans.
pub fn and(pool: &mut Pool, a: Term, b: Term) -> Term {
    app(pool, Op::And, &[a, b])
}

/// If-then-else.
pub fn ite(pool: &mut Pool, condition: Term, then: Term, other: Term) -> Term {
    if then == other { then } else { indexed(pool, Op::Ite, &[], &[condition, then, other]) }
}

/// A constant array.
pub fn const_array(pool: &mut Pool, sort: Sort, element: Term) -> Term {
    pool.const_array(sort, element).expect("rules preserve sorts")
}

/// An operator over more than two arguments as binary ones, see [`Arity`]; `None` if the list is short or the
/// operator keeps its lists. Conjunctions become balanced trees in the given order: the beginnings of lists
/// that happen to be equal would be shared by chains, and a shared conjunction is no clause any more. Other
/// operators that associate become chains to the left; arguments that may be permuted are sorted before, so
/// that equal lists make equal chains. Chains of comparisons become conjunctions. Neighbouring constants of a
/// concatenation are joined first: one by one they would be a chain of ever wider constants.
pub fn chain(pool: &mut Pool, op: Op, args: &[Term]) -> Option<Term> {
    if args.len() <= 2 {
        return None;
    }
    let terms = || args.iter().copied();
    match (op, op.info().arity) {
        (Op::And, _) => Some(conjunction(pool, args.to_vec())),
        (Op::Or, _) => {
            let complements: Vec<Term> = terms().map(|arg| not(pool, arg)).collect();
            let none = conjunction(pool, complements);
            Some(not(pool, none))
        }
        (Op::Concat, _) => {
            let runs = args.chunk_by(|&a, &b| pool.is_const(a) && pool.is_const(b)).collect::<Vec<_>>();
            let join =
                |pool: &mut Pool, run: &[Term]| if let &[one] = run { one } else { app(pool, op, run) };
            let parts: Vec<Term> = runs.into_iter().map(|run| join(pool, run)).collect();
            parts.into_iter().rev().reduce(|low, high| app(pool, op, &[high, low]))
        }
        // Exclusive nor does not associate.
        (_, Arity::LeftAssoc) if op.info().commutative && op != Op::BvXnor => {
            let mut sorted: Vec<Term> = terms().collect();
            sorted.sort_unstable_by_key(|&arg| (!pool.is_const(arg), Edge::of(pool, arg).term));
            sorted.into_iter().reduce(|left, arg| app(pool, op, &[left, arg]))
        }
        (_, Arity::LeftAssoc) => terms().reduce(|left, arg| app(pool, op, &[left, arg])),
        (_, Arity::RightAssoc) => terms().rev().reduce(|right, arg| app(pool, op, &[arg, right])),
        (_, Arity::Chainable) => {
            let links = args.windows(2).map(|pair| app(pool, op, pair)).collect();
            Some(conjunction(pool, links))
        }
        (_, Arity::Leaf | Arity::Exactly(_) | Arity::Pairwise) => None,
        (_, Arity::Application | Arity::Binder | Arity::Fields) => None,
    }
}

/// The conjunction of Booleans, at least one, as a balanced tree in the given order, without what is there
/// twice; false if a term is there with its complement.
pub fn conjunction(pool: &mut Pool, mut terms: Vec<Term>) -> Term {
    let mut edges: Vec<(Edge, usize)> =
        terms.iter().enumerate().map(|(place, &term)| (Edge::of(pool, term), place)).collect();
    edges.sort_unstable_by_key(|&(edge, place)| (edge.term, edge.negated, place));
    let contradictory = edges.windows(2).any(|pair| {
        let [(a, _), (b, _)] = [pair[0], pair[1]];
        a.term == b.term && a.negated != b.negated
    });
    if contradictory {
        return pool.bool(false);
    }
    edges.dedup_by_key(|&mut (edge, _)| edge);
    if edges.len() < terms.len() {
        let mut places: Vec<usize> = edges.into_iter().map(|(_, place)| place).collect();
        places.sort_unstable();
        terms = places.into_iter().map(|place| terms[place]).collect();
    }
    while terms.len() > 1 {
        let pairs = terms.chunks(2);
        terms = pairs.map(|pair| if let &[a, b] = pair { and(pool, a, b) } else { pair[0] }).collect();
    }
    terms[0]
}
