//! The meaning of every operator against the text of the standard, on all arguments of 1 to 4 bits, and on
//! small integers.
//!
//! The definitions below follow the theory `FixedSizeBitVectors` of SMT-LIB 2.7 clause by clause, on machine
//! integers: the signed divisions by their case distinctions on sign bits, rotations one place at a time,
//! overflow by the exact result in a wider integer. They share nothing with the values of the crate. The
//! match in [`meaning`] has every operator but those of floating point, so a new one fails without its
//! definition.
//!
//! Terms go the long way: built by the pool over symbols, evaluated under an assignment. One test turns the
//! judge on itself: operators that are nearly right must be found out.

use bivalve_terms::{Arity, Assignment, BigInt, BitVec, Evaluator, Op, Pool, Sort, Term, Theory, Value};

/// A Boolean, a number and its width, or an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Bool(bool),
    Bits(u128, u32),
    Int(i128),
}
use Word::{Bits, Bool, Int};

impl Word {
    fn bool(self) -> bool {
        let Bool(value) = self else { panic!("not a Boolean: {self:?}") };
        value
    }

    fn bits(self) -> u128 {
        let Bits(value, _) = self else { panic!("not a bit-vector: {self:?}") };
        value
    }

    fn int(self) -> i128 {
        let Int(value) = self else { panic!("not an integer: {self:?}") };
        value
    }

    fn value(self) -> Value {
        match self {
            Int(value) => BigInt::from(value).into(),
            Bool(value) => value.into(),
            Bits(value, width) => BitVec::from_u64(value as u64, width).into(),
        }
    }
}

/// `sbv_to_int`: the signed number that `w` bits denote.
fn signed(s: u128, w: u32) -> i128 {
    if s >> (w - 1) == 0 { s as i128 } else { s as i128 - (1 << w) }
}

/// `nat2bv`: a number modulo 2^w.
fn wrap(s: i128, w: u32) -> u128 {
    s.rem_euclid(1 << w) as u128
}

/// Does a signed number not fit into `w` bits?
fn too_large(s: i128, w: u32) -> bool {
    !(-(1 << (w - 1))..1 << (w - 1)).contains(&s)
}

fn udiv(s: u128, t: u128, w: u32) -> u128 {
    s.checked_div(t).unwrap_or((1 << w) - 1)
}

fn urem(s: u128, t: u128) -> u128 {
    s.checked_rem(t).unwrap_or(s)
}

fn neg(s: u128, w: u32) -> u128 {
    wrap(-(s as i128), w)
}

/// `(let ((?msb_s ...) (?msb_t ...)) (ite ...))` of the standard.
fn sdiv(s: u128, t: u128, w: u32) -> u128 {
    match (s >> (w - 1), t >> (w - 1)) {
        (0, 0) => udiv(s, t, w),
        (1, 0) => neg(udiv(neg(s, w), t, w), w),
        (0, 1) => neg(udiv(s, neg(t, w), w), w),
        _ => udiv(neg(s, w), neg(t, w), w),
    }
}

fn srem(s: u128, t: u128, w: u32) -> u128 {
    match (s >> (w - 1), t >> (w - 1)) {
        (0, 0) => urem(s, t),
        (1, 0) => neg(urem(neg(s, w), t), w),
        (0, 1) => urem(s, neg(t, w)),
        _ => neg(urem(neg(s, w), neg(t, w)), w),
    }
}

fn smod(s: u128, t: u128, w: u32) -> u128 {
    let abs = |x: u128| if x >> (w - 1) == 0 { x } else { neg(x, w) };
    let u = urem(abs(s), abs(t));
    match (s >> (w - 1), t >> (w - 1)) {
        _ if u == 0 => u,
        (0, 0) => u,
        (1, 0) => wrap(neg(u, w) as i128 + t as i128, w),
        (0, 1) => wrap(u as i128 + t as i128, w),
        _ => neg(u, w),
    }
}

/// `times` rotations by one place to the left: the first bit goes to the end.
fn rotate_left(s: u128, times: u128, w: u32) -> u128 {
    (0..times).fold(s, |s, _| ((s << 1) | (s >> (w - 1))) & ((1 << w) - 1))
}

/// `times` rotations by one place to the right: the last bit goes to the front.
fn rotate_right(s: u128, times: u128, w: u32) -> u128 {
    (0..times).fold(s, |s, _| (s >> 1) | ((s & 1) << (w - 1)))
}

fn bit_by_bit(s: u128, t: u128, w: u32, f: impl Fn(bool, bool) -> bool) -> u128 {
    (0..w).map(|i| u128::from(f(s >> i & 1 == 1, t >> i & 1 == 1)) << i).sum()
}

/// The number from 0 up to the absolute value of the divisor that is equal modulo it; the dividend modulo 0.
fn remainder(dividend: i128, divisor: i128) -> i128 {
    let size = if divisor < 0 { -divisor } else { divisor };
    if size == 0 { dividend } else { (0..size).find(|r| (dividend - r) % size == 0).expect("there is one") }
}

/// The operator applied to as few arguments as it takes; `None` for those whose meaning is not about words
/// (their tests are beside arrays). `indices` are in the order of the text.
fn meaning(op: Op, indices: &[u32], args: &[Word]) -> Option<Word> {
    let s = |i: usize| args[i].bits();
    let w = match args.first() {
        Some(&Bits(_, w)) => w,
        _ => 0,
    };
    let bits = |value| Some(Bits(value, w));
    let one = |value| Some(Bits(u128::from(value), 1));
    let (bool, z) = (|value| Some(Bool(value)), |i: usize| signed(s(i), w));
    let n = |i: usize| args[i].int();
    let int = |value| Some(Int(value));
    match op {
        Op::Const | Op::Symbol | Op::Apply | Op::Select | Op::Store | Op::ConstArray => None,
        Op::Not => bool(!args[0].bool()),
        Op::Implies => bool(!args[0].bool() || args[1].bool()),
        Op::And => bool(args[0].bool() && args[1].bool()),
        Op::Or => bool(args[0].bool() || args[1].bool()),
        Op::Xor => bool(args[0].bool() ^ args[1].bool()),
        Op::Eq => bool(args[0] == args[1]),
        Op::Distinct => bool(args[0] != args[1]),
        Op::Ite => Some(if args[0].bool() { args[1] } else { args[2] }),
        Op::Concat => {
            let Bits(low, width) = args[1] else { panic!("ill-sorted") };
            Some(Bits((s(0) << width) + low, w + width))
        }
        Op::Extract => {
            let &[hi, lo] = indices else { panic!("two indices") };
            let value = (lo..=hi).map(|i| (s(0) >> i & 1) << (i - lo)).sum();
            Some(Bits(value, hi - lo + 1))
        }
        Op::Repeat => {
            let copies = (0..indices[0]).fold(0, |sum, _| (sum << w) + s(0));
            Some(Bits(copies, w * indices[0]))
        }
        Op::ZeroExtend => Some(Bits(s(0), w + indices[0])),
        Op::SignExtend => Some(Bits(wrap(z(0), w + indices[0]), w + indices[0])),
        Op::RotateLeft => bits(rotate_left(s(0), u128::from(indices[0]), w)),
        Op::RotateRight => bits(rotate_right(s(0), u128::from(indices[0]), w)),
        Op::ExtRotateLeft => bits(rotate_left(s(0), s(1), w)),
        Op::ExtRotateRight => bits(rotate_right(s(0), s(1), w)),
        Op::BvNot => bits((1 << w) - 1 - s(0)),
        Op::BvAnd => bits(bit_by_bit(s(0), s(1), w, |a, b| a && b)),
        Op::BvOr => bits(bit_by_bit(s(0), s(1), w, |a, b| a || b)),
        Op::BvXor => bits(bit_by_bit(s(0), s(1), w, |a, b| a != b)),
        Op::BvNand => bits(bit_by_bit(s(0), s(1), w, |a, b| !(a && b))),
        Op::BvNor => bits(bit_by_bit(s(0), s(1), w, |a, b| !(a || b))),
        Op::BvXnor => bits(bit_by_bit(s(0), s(1), w, |a, b| a == b)),
        Op::BvComp => one(s(0) == s(1)),
        Op::RedAnd => one((0..w).all(|i| s(0) >> i & 1 == 1)),
        Op::RedOr => one((0..w).any(|i| s(0) >> i & 1 == 1)),
        Op::RedXor => one((0..w).filter(|i| s(0) >> i & 1 == 1).count() % 2 == 1),
        Op::BvNeg => bits(neg(s(0), w)),
        Op::BvAdd => bits(wrap(s(0) as i128 + s(1) as i128, w)),
        Op::BvSub => bits(wrap(s(0) as i128 + neg(s(1), w) as i128, w)),
        Op::BvMul => bits(wrap(s(0) as i128 * s(1) as i128, w)),
        Op::BvUdiv => bits(udiv(s(0), s(1), w)),
        Op::BvUrem => bits(urem(s(0), s(1))),
        Op::BvSdiv => bits(sdiv(s(0), s(1), w)),
        Op::BvSrem => bits(srem(s(0), s(1), w)),
        Op::BvSmod => bits(smod(s(0), s(1), w)),
        Op::BvShl => bits(wrap(s(0) as i128 * (1 << s(1)), w)),
        Op::BvLshr => bits(s(0) / (1 << s(1))),
        Op::BvAshr => bits(wrap(z(0).div_euclid(1 << s(1)), w)),
        Op::BvUlt => bool(s(0) < s(1)),
        Op::BvUle => bool(s(0) <= s(1)),
        Op::BvUgt => bool(s(0) > s(1)),
        Op::BvUge => bool(s(0) >= s(1)),
        Op::BvSlt => bool(z(0) < z(1)),
        Op::BvSle => bool(z(0) <= z(1)),
        Op::BvSgt => bool(z(0) > z(1)),
        Op::BvSge => bool(z(0) >= z(1)),
        Op::BvNego => bool(too_large(-z(0), w)),
        Op::BvUaddo => bool(s(0) + s(1) >= 1 << w),
        Op::BvSaddo => bool(too_large(z(0) + z(1), w)),
        Op::BvUmulo => bool(s(0) * s(1) >= 1 << w),
        Op::BvSmulo => bool(too_large(z(0) * z(1), w)),
        Op::BvUsubo => bool(s(0) < s(1)),
        Op::BvSsubo => bool(too_large(z(0) - z(1), w)),
        Op::BvSdivo => bool(z(1) != 0 && too_large(z(0) / z(1), w)),
        Op::BvUdivo => bool(false),
        Op::UbvToInt => int(s(0) as i128),
        Op::SbvToInt => int(z(0)),
        Op::IntToBv => Some(Bits(wrap(n(0), indices[0]), indices[0])),
        Op::IntNeg => int(-n(0)),
        Op::IntSub => int(n(0) - n(1)),
        Op::IntAdd => int(n(0) + n(1)),
        Op::IntMul => int(n(0) * n(1)),
        // The quotient for which `dividend = divisor * quotient + remainder`, and the remainder is not
        // negative.
        Op::IntDiv if n(1) == 0 => int(0),
        Op::IntDiv => int((n(0) - remainder(n(0), n(1))) / n(1)),
        Op::IntMod => int(remainder(n(0), n(1))),
        Op::IntAbs => int(if n(0) < 0 { -n(0) } else { n(0) }),
        Op::IntLt => bool(n(0) < n(1)),
        Op::IntLe => bool(n(0) <= n(1)),
        Op::IntGt => bool(n(0) > n(1)),
        Op::IntGe => bool(n(0) >= n(1)),
        _ => None,
    }
}

/// The sort lists of 1 to 4 bits (and `Bool` and `Int`) that an operator accepts for `count` arguments,
/// with every legal list of indices up to 9.
fn instances(op: Op, count: usize) -> Vec<(Vec<Sort>, Vec<u32>)> {
    let mut pool = Pool::new();
    let palette = [Sort::BOOL, Sort::INT].into_iter().chain((1..=4).flat_map(Sort::bitvec));
    let symbols: Vec<Term> = palette.map(|sort| pool.symbol("x", sort)).collect();
    let indices: Vec<Vec<u32>> = match op.info().indices {
        0 => vec![vec![]],
        1 => (0..10).map(|i| vec![i]).collect(),
        _ => (0..100).map(|i| vec![i / 10, i % 10]).collect(),
    };
    let mut found = vec![];
    for code in 0..symbols.len().pow(count as u32) {
        let args: Vec<Term> =
            (0..count as u32).map(|i| symbols[code / symbols.len().pow(i) % symbols.len()]).collect();
        for indices in &indices {
            if pool.indexed(op, indices, &args).is_ok() {
                found.push((args.iter().map(|&arg| pool.sort(arg)).collect(), indices.clone()));
            }
        }
    }
    found
}

/// All words of a sort.
fn words(sort: Sort) -> Vec<Word> {
    match sort.width() {
        Some(width) => (0..1 << width).map(|value| Bits(value, width)).collect(),
        None if sort.is_int() => (-5..=5).map(Int).collect(),
        None => vec![Bool(false), Bool(true)],
    }
}

/// Calls `f` with every list of words of the given sorts.
fn for_all(sorts: &[Sort], mut f: impl FnMut(&[Word])) {
    let domains: Vec<Vec<Word>> = sorts.iter().map(|&sort| words(sort)).collect();
    for mut code in 0..domains.iter().map(Vec::len).product() {
        let args: Vec<Word> = domains
            .iter()
            .map(|domain| {
                let word = domain[code % domain.len()];
                code /= domain.len();
                word
            })
            .collect();
        f(&args);
    }
}

/// The number of evaluations that agree with `meaning`, or the first that does not.
fn judge(op: Op, meaning: impl Fn(&[u32], &[Word]) -> Word) -> Result<usize, String> {
    let count = match op.info().arity {
        Arity::Exactly(count) => usize::from(count),
        Arity::Leaf
        | Arity::LeftAssoc
        | Arity::RightAssoc
        | Arity::Chainable
        | Arity::Pairwise
        | Arity::Application
        | Arity::Binder
        | Arity::Fields => 2,
    };
    let mut checked = 0;
    let mut wrong = None;
    for (sorts, indices) in instances(op, count) {
        let mut pool = Pool::new();
        let symbols: Vec<Term> = sorts.iter().map(|&sort| pool.symbol("x", sort)).collect();
        let term = pool.mk_indexed(op, &indices, &symbols);
        for_all(&sorts, |args| {
            let mut assignment = Assignment::new();
            symbols.iter().zip(args).for_each(|(&symbol, word)| assignment.set(symbol, word.value()));
            let expected = meaning(&indices, args).value();
            let found = Evaluator::new(&pool, &assignment).eval(term).clone();
            checked += 1;
            if found != expected {
                wrong.get_or_insert(format!("{op:?} {indices:?} {args:?}: {found:?}, not {expected:?}"));
            }
        });
    }
    wrong.map_or(Ok(checked), Err)
}

#[test]
fn every_operator_means_what_the_standard_says() {
    let elsewhere =
        |op: &Op| matches!(op.info().theory, Theory::Floats | Theory::Records | Theory::Quantifiers);
    let mut judged = 0;
    for op in Op::all() {
        let silent =
            matches!(op, Op::Const | Op::Symbol | Op::Apply | Op::Select | Op::Store | Op::ConstArray);
        if silent || elsewhere(&op) {
            continue;
        }
        let checked = judge(op, |indices, args| meaning(op, indices, args).expect("a meaning on words"));
        assert!(checked.as_ref().is_ok_and(|&count| count >= 2), "{op:?}: {checked:?}");
        judged += 1;
    }
    let elsewhere = Op::all().filter(elsewhere).count();
    assert_eq!(judged + 6 + elsewhere, Op::all().count());
}

#[test]
fn the_judge_finds_a_wrong_meaning() {
    // This one is wrong at a single pair of numbers for each width.
    assert!(
        judge(Op::BvSdivo, |_, args| {
            let overflow = args[0].bits() == 0 && args[1].bits() == 0;
            if overflow { Bool(true) } else { meaning(Op::BvSdivo, &[], args).unwrap() }
        })
        .is_err()
    );
    assert!(judge(Op::BvSmod, |_, args| meaning(Op::BvSrem, &[], args).unwrap()).is_err());
    assert!(judge(Op::RotateLeft, |indices, args| meaning(Op::RotateRight, indices, args).unwrap()).is_err());
}

/// Long argument lists mean what their arity says in terms of short ones.
#[test]
fn long_argument_lists_are_read_as_their_arity_says() {
    let mut long = 0;
    for op in Op::all() {
        let arity = op.info().arity;
        if matches!(
            arity,
            Arity::Leaf | Arity::Exactly(_) | Arity::Application | Arity::Binder | Arity::Fields
        ) {
            continue;
        }
        for (sorts, _) in instances(op, 3).into_iter().chain(instances(op, 4)) {
            let bits: u32 = sorts.iter().map(|sort| sort.width().unwrap_or(1)).sum();
            if bits > 8 {
                continue; // Two bits an argument say it all.
            }
            long += 1;
            let mut pool = Pool::new();
            let x: Vec<Term> = sorts.iter().map(|&sort| pool.symbol("x", sort)).collect();
            let term = pool.mk(op, &x);
            assert_eq!(pool.args(term), &x, "a list is kept as it is written");
            let short = short_form(&mut pool, op, arity, &x);
            assert_eq!(pool.sort(short), pool.sort(term), "{op:?}");
            for_all(&sorts, |args| {
                let mut assignment = Assignment::new();
                x.iter().zip(args).for_each(|(&symbol, word)| assignment.set(symbol, word.value()));
                let mut evaluator = Evaluator::new(&pool, &assignment);
                let expected = evaluator.eval(short).clone();
                assert_eq!(*evaluator.eval(term), expected, "{op:?} {args:?}");
            });
        }
    }
    assert!(long > 50, "{long}");
}

/// The meaning of a long list by applications to two arguments.
fn short_form(pool: &mut Pool, op: Op, arity: Arity, x: &[Term]) -> Term {
    let pair = |pool: &mut Pool, a, b| pool.mk(op, &[a, b]);
    match arity {
        Arity::LeftAssoc => x[1..].iter().fold(x[0], |acc, &arg| pair(pool, acc, arg)),
        Arity::RightAssoc => {
            x.iter().rev().copied().reduce(|acc, arg| pair(pool, arg, acc)).expect("two or more arguments")
        }
        Arity::Chainable => {
            let links: Vec<Term> = x.windows(2).map(|p| pair(pool, p[0], p[1])).collect();
            pool.and_all(&links)
        }
        Arity::Pairwise => {
            let mut pairs = vec![];
            for (i, &a) in x.iter().enumerate() {
                pairs.extend(x[i + 1..].iter().map(|&b| pair(pool, a, b)));
            }
            pool.and_all(&pairs)
        }
        Arity::Leaf | Arity::Exactly(_) | Arity::Application | Arity::Binder | Arity::Fields => {
            unreachable!("not of variable length")
        }
    }
}

/// The column "commutes" is a promise to the rewriter, so it must hold, and where it is not made, it must be
/// for a reason.
#[test]
fn arguments_commute_exactly_where_the_table_says() {
    for op in Op::all() {
        let arity = op.info().arity;
        let binary = arity.admits(2) && !matches!(arity, Arity::Application);
        if !binary {
            assert!(!op.info().commutative, "{op:?}");
            continue;
        }
        let mut symmetric = true;
        let mut compared = false;
        for (sorts, _) in instances(op, 2) {
            for_all(&sorts, |args| {
                let swapped = [args[1], args[0]];
                if let (Some(there), Some(back)) = (meaning(op, &[], args), meaning(op, &[], &swapped)) {
                    compared = true;
                    symmetric &= there == back;
                }
            });
        }
        // `bvudivo` is false whatever the order; so the property has no use.
        if compared && op != Op::BvUdivo {
            assert_eq!(op.info().commutative, symmetric, "{op:?}");
        }
    }
}
