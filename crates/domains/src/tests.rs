//! The judges of all transfer functions: every domain of small widths, every value in it, against the
//! executable meanings.
//!
//! A set of values of up to three bits is a mask of eight bits, so that "no value is lost" is one operation
//! on numbers. How much too much is kept is measured against the tightest domain that there is for the
//! values.

use super::forward::transfer;
use super::{Domain, backward};
use bivalve_terms::{Args, BitVec, Op, Value};

/// A set of values: bit number v is set if v is in it.
type Set = u64;

fn set_of(domain: &Domain) -> Set {
    let width = domain.width();
    (0..1u64 << width)
        .filter(|&v| domain.contains(&BitVec::from_u64(v, width)))
        .fold(0, |set, v| set | 1 << v)
}

/// The tightest domain with these values.
fn hull(set: Set, width: u32) -> Domain {
    let values = (0..1u64 << width).filter(|v| set >> v & 1 == 1);
    values.map(|v| Domain::one(BitVec::from_u64(v, width))).reduce(|a, b| a.join(&b)).expect("a value")
}

/// All domains of a width, with the sets they stand for.
fn domains(width: u32) -> Vec<(Domain, Set)> {
    let mut all = vec![];
    let number = |v: u64| BitVec::from_u64(v, width);
    for must in 0..1u64 << width {
        for may in (0..1u64 << width).filter(|may| must & !may == 0) {
            for least in 0..1u64 << width {
                for greatest in least..1 << width {
                    let loose = Domain {
                        must: number(must),
                        may: number(may),
                        least: number(least),
                        greatest: number(greatest),
                    };
                    let values: Set = (least..=greatest)
                        .filter(|v| v & must == must && v | may == may)
                        .fold(0, |s, v| s | 1 << v);
                    match loose.tight() {
                        // Tightening neither loses nor keeps a value.
                        Some(tight) => {
                            assert_eq!(set_of(&tight), values, "{tight:?}");
                            assert_eq!(tight.least.to_u64(), Some(u64::from(values.trailing_zeros())));
                            assert_eq!(tight.greatest.to_u64(), Some(u64::from(63 - values.leading_zeros())));
                            if all.iter().all(|(known, _)| *known != tight) {
                                all.push((tight, values));
                            }
                        }
                        None => assert_eq!(values, 0),
                    }
                }
            }
        }
    }
    all
}

/// What an operator makes of numbers.
fn meaning(op: Op, index: u32, width: u32, values: &[(u64, u32)], bools: bool) -> u64 {
    let values: Vec<Value> = values
        .iter()
        .map(
            |&(v, width)| {
                if bools && width == 1 { Value::Bool(v == 1) } else { BitVec::from_u64(v, width).into() }
            },
        )
        .collect();
    let values: Vec<&Value> = values.iter().collect();
    match (op.info().meaning)(&Args::native(&values, index, width)) {
        Value::Bool(value) => u64::from(value),
        value => value.expect_bitvec().low_u64(),
    }
}

/// An operator with its stored index, the widths of arguments and result, and whether vectors of one bit are
/// Booleans.
type Row = (Op, u32, Vec<u32>, u32, bool);

/// Every operator that has a transfer function, at a width.
fn rows(w: u32) -> Vec<Row> {
    let mut rows: Vec<Row> = vec![];
    for op in [Op::BvNot, Op::BvNeg] {
        rows.push((op, 0, vec![w], w, false));
    }
    let same = [
        Op::BvAnd,
        Op::BvXor,
        Op::BvAdd,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
    ];
    rows.extend(same.map(|op| (op, 0, vec![w, w], w, false)));
    rows.extend(
        [Op::Eq, Op::BvUlt, Op::BvSlt, Op::BvUmulo, Op::BvSmulo].map(|op| (op, 0, vec![w, w], 1, false)),
    );
    rows.push((Op::Concat, 0, vec![w, 2], w + 2, false));
    rows.push((Op::SignExtend, 2, vec![w], w + 2, false));
    for low in 0..w {
        rows.extend((low..w).map(|high| (Op::Extract, low, vec![w], high - low + 1, false)));
    }
    rows.push((Op::Not, 0, vec![1], 1, true));
    rows.extend([Op::And, Op::Eq].map(|op| (op, 0, vec![1, 1], 1, true)));
    rows
}

/// The values of an operator over sets, by a table over all values.
struct Table {
    row: Row,
    results: Vec<u64>,
}

impl Table {
    fn new(row: Row) -> Table {
        let (op, index, ref widths, width, bools) = row;
        let count = 1u64 << widths.iter().sum::<u32>();
        let results = (0..count)
            .map(|code| {
                let mut rest = code;
                let values: Vec<(u64, u32)> = widths
                    .iter()
                    .map(|&w| {
                        let value = rest % (1 << w);
                        rest >>= w;
                        (value, w)
                    })
                    .collect();
                meaning(op, index, width, &values, bools)
            })
            .collect();
        Table { row, results }
    }

    /// All pairs of codes and results with arguments in these sets.
    fn over<'a>(&'a self, sets: &'a [Set]) -> impl Iterator<Item = (Vec<u64>, u64)> + 'a {
        let widths = &self.row.2;
        self.results.iter().enumerate().filter_map(move |(code, &result)| {
            let mut rest = code as u64;
            let mut values = vec![];
            for (&w, &set) in widths.iter().zip(sets) {
                let value = rest % (1 << w);
                rest >>= w;
                if set >> value & 1 == 0 {
                    return None;
                }
                values.push(value);
            }
            Some((values, result))
        })
    }
}

/// No value is lost; of the values that are possible for all that is known, the share that could be excluded
/// is small.
#[test]
fn forward_functions_lose_no_value() {
    for width in 1..=3 {
        let (all, pairs) = (domains(width), domains(2));
        let booleans = domains(1);
        let of = |w: u32| {
            if w == width {
                &all
            } else if w == 2 {
                &pairs
            } else {
                &booleans
            }
        };
        for row in rows(width) {
            let table = Table::new(row);
            let (op, index, ref widths, result_width, _) = table.row;
            let (mut kept, mut needed) = (0, 0);
            let second: Vec<(Domain, Set)> =
                widths.get(1).map_or_else(|| vec![all[0].clone()], |&w| of(w).clone());
            let step = if widths.len() == 2 && width == 3 { 7 } else { 1 };
            for (place, (a, set_a)) in of(widths[0]).iter().enumerate() {
                for (b, set_b) in second.iter().skip(place % step).step_by(step) {
                    let args = [a, b];
                    let result = transfer(op, index, result_width, &args[..widths.len()]);
                    assert_eq!(
                        result.clone().tight().as_ref(),
                        Some(&result),
                        "{op:?} {a:?} {b:?} is not tight"
                    );
                    let values =
                        table.over(&[*set_a, *set_b][..widths.len()]).fold(0, |set, (_, v)| set | 1 << v);
                    let found = set_of(&result);
                    assert_eq!(values & !found, 0, "{op:?} {index} {a:?} {b:?}: {result:?} loses {values:b}");
                    kept += found.count_ones();
                    needed += set_of(&hull(values, result_width)).count_ones();
                }
            }
            let excess = f64::from(kept) / f64::from(needed);
            assert!(excess < 1.25, "width {width}, {op:?}: keeps {excess:.2} times what it must");
        }
    }
}

/// Arguments that lead to a possible result stay.
#[test]
fn backward_functions_lose_no_argument() {
    for width in 1..=3 {
        let mut refined = 0;
        for row in rows(width) {
            let table = Table::new(row);
            let (op, index, ref widths, result_width, _) = table.row;
            let results = domains(result_width.min(3));
            let mut random = fastrand::Rng::with_seed(u64::from(width));
            let of: Vec<Vec<(Domain, Set)>> = widths.iter().map(|&w| domains(w)).collect();
            for _ in 0..if result_width > 3 { 0 } else { 4_000 } {
                let chosen: Vec<&(Domain, Set)> =
                    of.iter().map(|all| &all[random.usize(..all.len())]).collect();
                let (result, set) = &results[random.usize(..results.len())];
                let args: Vec<&Domain> = chosen.iter().map(|(domain, _)| domain).collect();
                let sets: Vec<Set> = chosen.iter().map(|(_, set)| *set).collect();
                let found = backward::refine(op, index, result, &args);
                for (values, value) in table.over(&sets) {
                    if set >> value & 1 == 0 {
                        continue;
                    }
                    let Some(found) = &found else {
                        panic!("{op:?} {index} {args:?} {result:?}: {values:?} is lost")
                    };
                    for (domain, (&value, &w)) in found.iter().zip(values.iter().zip(widths)) {
                        let stays = domain.contains(&BitVec::from_u64(value, w));
                        assert!(stays, "{op:?} {index} {args:?} {result:?}: {values:?} is lost: {found:?}");
                    }
                }
                refined += usize::from(found.is_none_or(|found| found.iter().zip(args).any(|(a, b)| a != b)));
            }
        }
        assert!(refined > 10_000, "{refined} refined: nothing is learnt");
    }
}

/// Choices, in both directions.
#[test]
fn choices_are_right() {
    let (conditions, words) = (domains(1), domains(2));
    for (c, set_c) in &conditions {
        for (a, set_a) in &words {
            for (b, set_b) in &words {
                let result = transfer(Op::Ite, 0, 2, &[c, a, b]);
                let values =
                    if set_c & 2 != 0 { *set_a } else { 0 } | if set_c & 1 != 0 { *set_b } else { 0 };
                assert_eq!(values & !set_of(&result), 0);
                for (result, set) in words.iter().step_by(3) {
                    let found = backward::refine(Op::Ite, 0, result, &[c, a, b]);
                    let possible = values & set != 0;
                    assert!(found.is_some() || !possible, "{c:?} {a:?} {b:?} {result:?}");
                    let Some(found) = found else { continue };
                    if set_c & 2 != 0 && set_a & set != 0 {
                        assert!(set_of(&found[0]) & 2 != 0 && set_a & set & !set_of(&found[1]) == 0);
                    }
                    if set_c & 1 != 0 && set_b & set != 0 {
                        assert!(set_of(&found[0]) & 1 != 0 && set_b & set & !set_of(&found[2]) == 0);
                    }
                }
            }
        }
    }
}
