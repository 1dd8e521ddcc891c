//! The image of an integer term, read as signed, is the value of the term: all terms of one operator over all
//! values of small bit-vectors, and random deep terms.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_lowering::Lowering;
use bivalve_terms::{Assignment, BigInt, BitVec, Op, Pool, Sort, Term, Theory, Value, eval};
use fastrand::Rng;

/// Symbols of these widths.
fn symbols(pool: &mut Pool, widths: &[u32]) -> Vec<Term> {
    widths.iter().map(|&width| pool.symbol("x", Sort::bitvec(width).unwrap())).collect()
}

/// All assignments of the symbols.
fn assignments(pool: &Pool, symbols: &[Term]) -> Vec<Assignment> {
    let widths: Vec<u32> = symbols.iter().map(|&symbol| pool.width(symbol).unwrap()).collect();
    let all = |code: u64| {
        let mut assignment = Assignment::new();
        let mut rest = code;
        for (&symbol, &width) in symbols.iter().zip(&widths) {
            assignment.set(symbol, BitVec::from_u64(rest, width));
            rest >>= width;
        }
        assignment
    };
    (0..1 << widths.iter().sum::<u32>()).map(all).collect()
}

/// What the image of a term stands for.
fn read(value: &Value) -> Value {
    match value {
        Value::BitVec(bits) => bits.to_signed_int().into(),
        value => value.clone(),
    }
}

/// Whether the term was accepted; then its image has its value under all of these assignments.
fn agrees(pool: &mut Pool, lowering: &mut Lowering, term: Term, assignments: &[Assignment]) -> bool {
    if lowering.check(pool, term).is_err() {
        return false;
    }
    let image = lowering.image(pool, term);
    for assignment in assignments {
        let (meant, found) = (eval(pool, term, assignment), eval(pool, image, assignment));
        let found = if pool.sort(term).is_int() { read(&found) } else { found };
        assert_eq!(meant, found, "{} under {assignment:?}", pool.display(term));
    }
    true
}

fn is_integer(op: Op) -> bool {
    op.info().theory == Theory::Integers
}

/// Ways to see bit-vectors as integers of many intervals.
fn numbers(pool: &mut Pool, symbol: Term) -> Vec<Term> {
    let unsigned = pool.mk(Op::UbvToInt, &[symbol]);
    let signed = pool.mk(Op::SbvToInt, &[symbol]);
    let one = pool.int(&1.into());
    let five = pool.int(&(-5).into());
    let positive = pool.mk(Op::IntAdd, &[unsigned, one]);
    let negative = pool.mk(Op::IntSub, &[five, unsigned]);
    vec![unsigned, signed, positive, negative, one, five]
}

#[test]
fn images_of_all_operators_agree_with_their_meanings() {
    let mut accepted = vec![0; Op::all().count()];
    for width in 1..=3 {
        let mut pool = Pool::new();
        let mut lowering = Lowering::new();
        let symbols = symbols(&mut pool, &[width, width]);
        let all = assignments(&pool, &symbols);
        let [xs, ys] = [0, 1].map(|place| numbers(&mut pool, symbols[place]));
        let mut terms = vec![];
        for &x in &xs {
            for op in [Op::IntNeg, Op::IntAbs] {
                terms.push(pool.mk(op, &[x]));
            }
            terms.extend([1, 2, 7, 70].map(|width| pool.mk_indexed(Op::IntToBv, &[width], &[x])));
            for &y in &ys {
                for op in Op::all().filter(|&op| is_integer(op) || matches!(op, Op::Eq | Op::Distinct)) {
                    if !matches!(op, Op::UbvToInt | Op::SbvToInt) && op.info().arity.admits(2) {
                        terms.push(pool.mk(op, &[x, y]));
                    }
                    if op.info().arity.admits(3) {
                        terms.push(pool.mk(op, &[x, y, x]));
                    }
                }
                let condition = pool.mk(Op::IntLt, &[x, y]);
                terms.push(pool.mk(Op::Ite, &[condition, x, y]));
            }
        }
        terms.extend(xs);
        for term in terms {
            accepted[pool.op(term) as usize] += usize::from(agrees(&mut pool, &mut lowering, term, &all));
        }
    }
    for op in Op::all().filter(|&op| is_integer(op)) {
        assert!(accepted[op as usize] > 0, "{op:?} was never accepted");
    }
}

#[test]
fn deep_random_terms_agree_with_their_meanings() {
    let mut accepted = 0;
    for seed in 0..60 {
        let rng = &mut Rng::with_seed(seed);
        let mut pool = Pool::new();
        let mut lowering = Lowering::new();
        let symbols = symbols(&mut pool, &[1, 3, 4]);
        let all = assignments(&pool, &symbols);
        let mut numbers: Vec<Term> = symbols.iter().flat_map(|&symbol| numbers(&mut pool, symbol)).collect();
        for _ in 0..12 {
            let [x, y, z] = [0; 3].map(|_| numbers[rng.usize(..numbers.len())]);
            let term = match rng.u8(..9) {
                0 => pool.mk(Op::IntAdd, &[x, y, z]),
                1 => pool.mk(Op::IntSub, &[x, y]),
                2 => pool.mk(Op::IntMul, &[x, y]),
                3 => pool.mk(Op::IntDiv, &[x, y]),
                4 => pool.mk(Op::IntMod, &[x, y]),
                5 => pool.mk(Op::IntAbs, &[x]),
                6 => pool.mk(Op::IntNeg, &[x]),
                7 => {
                    let condition = pool.mk([Op::IntLe, Op::Eq, Op::IntGt][rng.usize(..3)], &[x, y]);
                    pool.mk(Op::Ite, &[condition, y, z])
                }
                _ => {
                    let bits = pool.mk_indexed(Op::IntToBv, &[rng.u32(1..6)], &[x]);
                    pool.mk([Op::UbvToInt, Op::SbvToInt][rng.usize(..2)], &[bits])
                }
            };
            if agrees(&mut pool, &mut lowering, term, &all) {
                numbers.push(term);
                accepted += 1;
            }
        }
    }
    assert!(accepted > 400, "{accepted}");
}

/// Refusals name the least term and its argument, and what was refused stays refused.
#[test]
fn what_has_no_image_is_refused() {
    let mut pool = Pool::new();
    let mut lowering = Lowering::new();
    let x = symbols(&mut pool, &[8])[0];
    let n = pool.mk(Op::UbvToInt, &[x]);
    let quotient = pool.mk(Op::IntDiv, &[n, n]);
    let above = pool.mk(Op::IntNeg, &[quotient]);
    for _ in 0..2 {
        let refusal = lowering.check(&pool, above).unwrap_err();
        assert_eq!((refusal.term, refusal.argument), (quotient, Some(1)));
        assert_eq!(refusal.to_string(), "expected a divisor that is not zero, found one between 0 and 255");
    }
    let symbol = pool.symbol("n", Sort::INT);
    let refusal = lowering.check(&pool, symbol).unwrap_err();
    assert_eq!(refusal.to_string(), "expected a sort whose values are bit-vectors, found sort Int");
    let function = pool.sorts_mut().function(&[Sort::INT], Sort::BOOL).unwrap();
    let function = pool.symbol("f", function);
    let applied = pool.mk(Op::Apply, &[function, n]);
    assert_eq!(lowering.check(&pool, applied).unwrap_err().term, function);
    let large = pool.int(&(BigInt::from(1) << 65_535u32));
    assert!(lowering.check(&pool, large).unwrap_err().to_string().contains("at most 65536 bits"));
    lowering.check(&pool, n).unwrap();
}

/// A term that doubles at each step is one image a term, and a million levels need no stack.
#[test]
fn images_share_what_terms_share_and_need_no_stack() {
    let mut pool = Pool::new();
    let mut lowering = Lowering::new();
    let x = symbols(&mut pool, &[2])[0];
    let mut number = pool.mk(Op::UbvToInt, &[x]);
    let three = pool.int(&3.into());
    for _ in 0..200_000 {
        let sum = pool.mk(Op::IntAdd, &[number, number]);
        number = pool.mk(Op::IntMod, &[sum, three]);
    }
    let before = pool.len();
    lowering.check(&pool, number).unwrap();
    lowering.image(&mut pool, number);
    assert!(pool.len() < 5 * before, "{} terms of {before}", pool.len());
}

/// After a compaction images are made anew, and are the same.
#[test]
fn a_compaction_changes_no_image() {
    let mut pool = Pool::new();
    let mut lowering = Lowering::new();
    let x = symbols(&mut pool, &[5])[0];
    let n = pool.mk(Op::SbvToInt, &[x]);
    let square = pool.mk(Op::IntMul, &[n, n]);
    lowering.check(&pool, square).unwrap();
    let image = lowering.image(&mut pool, square);
    let text = pool.display(image).to_string();
    let renaming = pool.compact(&[square]);
    lowering.rename(&renaming);
    let square = renaming.of(square);
    lowering.check(&pool, square).unwrap();
    let image = lowering.image(&mut pool, square);
    assert_eq!(pool.display(image).to_string(), text);
}
