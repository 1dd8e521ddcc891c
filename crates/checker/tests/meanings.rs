//! Circuits, polynomials and abbreviations, compared with what operators mean.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_checker::circuit::Circuits;
use bivalve_checker::equality::Classes;
use bivalve_checker::evaluate::{Value, apply};
use bivalve_checker::gate::{FALSE, Gates, Lit};
use bivalve_checker::polynomial;
use bivalve_checker::term::{Op, Term, Terms};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The operators on bits: their number of arguments and whether these are truth values.
const BINARY: [Op; 13] = [
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvSlt,
    Op::Eq,
];

fn value(width: u32, number: u64) -> Value {
    Value { width, number: number.into() }
}

/// The value of a term, symbols having these values.
fn evaluate(terms: &Terms, term: Term, symbols: &FxHashMap<Term, Value>) -> Value {
    if let Some(value) = symbols.get(&term) {
        return value.clone();
    }
    if terms.is_value(term) {
        return terms.value_of(term).unwrap();
    }
    let args: Vec<Value> = terms.args(term).iter().map(|&arg| evaluate(terms, arg, symbols)).collect();
    apply(terms.op(term), &args).unwrap()
}

/// The values of all variables, from those of the free ones: the one value that satisfies the clauses of each
/// gate.
fn simulate(gates: &Gates, free: &FxHashMap<u32, bool>) -> Vec<bool> {
    let mut values = vec![true];
    for var in 1..gates.len() as u32 {
        let clauses: Vec<[Lit; 4]> =
            (0..gates.clauses_of(var)).map(|number| gates.clause(var, number).unwrap()).collect();
        if clauses.is_empty() {
            values.push(free[&var]);
            continue;
        }
        values.push(false);
        let holds = |values: &[bool]| {
            clauses
                .iter()
                .all(|clause| clause.iter().any(|lit| values[lit.var() as usize] != lit.is_negated()))
        };
        let with_false = holds(&values);
        values[var as usize] = true;
        let with_true = holds(&values);
        assert!(with_false != with_true, "a gate is a function of its inputs");
        values[var as usize] = with_true;
    }
    values
}

fn number_of(bits: &[Lit], values: &[bool]) -> BigUint {
    let bit = |lit: &Lit| values[lit.var() as usize] != lit.is_negated();
    bits.iter()
        .rev()
        .fold(BigUint::default(), |number, lit| (number << 1) | BigUint::from(u8::from(bit(lit))))
}

/// Compares the circuit of a term over symbols with its meaning, for all values of the symbols.
fn compare(terms: &Terms, term: Term, symbols: &[Term]) {
    let mut circuits = Circuits::default();
    let output = circuits.build(terms, term).unwrap().to_vec();
    let inputs: Vec<Vec<Lit>> =
        symbols.iter().map(|&symbol| circuits.build(terms, symbol).unwrap().to_vec()).collect();
    let total: u32 = symbols.iter().map(|&symbol| terms.bits(symbol).unwrap()).sum();
    for choice in 0..1u64 << total {
        let (mut rest, mut given, mut free) = (choice, FxHashMap::default(), FxHashMap::default());
        for (&symbol, bits) in symbols.iter().zip(&inputs) {
            let width = terms.bits(symbol).unwrap();
            let number = rest & ((1 << width) - 1);
            rest >>= width;
            given.insert(symbol, value(width, number));
            for (at, bit) in bits.iter().enumerate() {
                free.insert(bit.var(), number >> at & 1 == 1);
            }
        }
        let values = simulate(&circuits.gates, &free);
        let expected = evaluate(terms, term, &given);
        assert_eq!(number_of(&output, &values), expected.number, "{:?} on {given:?}", terms.op(term));
    }
}

/// The values of four bits, in all ways.
const TABLES: [u16; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/// Random gates over four bits, each beside the truth table that its kind asks for.
#[test]
fn gates_mean_what_they_are_asked_for() {
    let mut chance = Chance(7);
    for _ in 0..300 {
        let mut gates = Gates::default();
        let mut known: Vec<(Lit, u16)> = vec![(FALSE, 0)];
        known.extend(TABLES.map(|table| (gates.free(), table)));
        for _ in 0..40 {
            let [(a, x), (b, y), (c, z)] = [(); 3].map(|()| {
                let (lit, table) = known[chance.next(known.len() as u64) as usize];
                if chance.next(2) == 0 { (lit, table) } else { (!lit, !table) }
            });
            known.push(match chance.next(4) {
                0 => (gates.and(a, b), x & y),
                1 => (gates.xor(a, b), x ^ y),
                2 => (gates.mux(a, b, c), x & y | !x & z),
                _ => (gates.maj(a, b, c), x & y | x & z | y & z),
            });
        }
        for place in 0..16 {
            let free = TABLES.iter().zip(1..).map(|(table, var)| (var, table >> place & 1 == 1)).collect();
            let values = simulate(&gates, &free);
            for &(lit, table) in &known {
                let value = values[lit.var() as usize] != lit.is_negated();
                assert_eq!(value, table >> place & 1 == 1, "{lit:?}");
            }
        }
    }
}

#[test]
fn circuits_mean_what_operators_mean() {
    for width in 1..=4 {
        let mut terms = Terms::new();
        let (bits, truth) = (terms.bitvec_sort(width).unwrap(), terms.bool_sort());
        let (x, y, c) = (terms.fresh(bits), terms.fresh(bits), terms.fresh(truth));
        for op in BINARY {
            let term = terms.mk(op, &[x, y]).unwrap();
            compare(&terms, term, &[x, y]);
        }
        for op in [Op::BvNot, Op::BvNeg, Op::SignExtend(3), Op::Extract(width - 1, width / 2)] {
            let term = terms.mk(op, &[x]).unwrap();
            compare(&terms, term, &[x]);
        }
        let choice = terms.mk(Op::Ite, &[c, x, y]).unwrap();
        let both = terms.mk(Op::Concat, &[x, y]).unwrap();
        compare(&terms, choice, &[c, x, y]);
        compare(&terms, both, &[x, y]);
    }
}

/// Rows of a divider are only as wide as the divisor can be.
/// Facts hold for all values of symbols of these widths.
fn holds_always(terms: &Terms, facts: Term, symbols: &[(Term, u32)]) {
    let total: u32 = symbols.iter().map(|&(_, width)| width).sum();
    for code in 0..1u64 << total {
        let (mut rest, mut given) = (code, FxHashMap::default());
        for &(symbol, width) in symbols {
            given.insert(symbol, value(width, rest & ((1 << width) - 1)));
            rest >>= width;
        }
        assert_eq!(evaluate(terms, facts, &given).number, 1u8.into(), "{given:?}");
    }
}

#[test]
fn facts_about_products_hold() {
    use bivalve_checker::product::{facts, pair};
    for (p_width, q_width, width) in [(1, 1, 2), (2, 2, 4), (3, 2, 5), (2, 3, 6), (3, 3, 6), (1, 4, 5)] {
        let mut terms = Terms::new();
        let mut symbol = |short: u32| {
            let sort = terms.bitvec_sort(short).unwrap();
            let symbol = terms.fresh(sort);
            (symbol, terms.zero_extend(width - short, symbol).unwrap())
        };
        let [(p, wide_p), (r, wide_r), (q, wide_q)] = [p_width, p_width, q_width].map(&mut symbol);
        let mut product = |a: Term, b: Term| terms.mk(Op::BvMul, &[a, b]).unwrap();
        let products = [product(wide_p, wide_q), product(wide_q, wide_r), product(wide_r, wide_q)];
        let all = [(p, p_width), (r, p_width), (q, q_width)];
        let one = facts(&mut terms, products[0]).unwrap();
        holds_always(&terms, one, &all);
        for other in [products[1], products[2], products[0]] {
            let both = pair(&mut terms, products[0], other).unwrap();
            holds_always(&terms, both, &all);
        }
        let three = terms.value(width, 3u8.into()).unwrap();
        let by_value = terms.mk(Op::BvMul, &[wide_p, three]).unwrap();
        assert_eq!(facts(&mut terms, by_value).is_ok(), p_width + 2 <= width);
        if let Ok(facts) = facts(&mut terms, by_value) {
            holds_always(&terms, facts, &all[..1]);
        }
        // One bit more, and it could overflow.
        let longer = terms.bitvec_sort(width - q_width + 1).unwrap();
        let long = terms.fresh(longer);
        let long = terms.zero_extend(q_width - 1, long).unwrap();
        let product = terms.mk(Op::BvMul, &[long, wide_q]).unwrap();
        assert!(facts(&mut terms, product).is_err() && pair(&mut terms, products[0], product).is_err());
        assert!(facts(&mut terms, wide_p).is_err());
    }
    let mut terms = Terms::new();
    let sort = terms.bitvec_sort(2).unwrap();
    let [a, b, c, d] = [(); 4].map(|()| {
        let symbol = terms.fresh(sort);
        terms.zero_extend(2, symbol).unwrap()
    });
    let (left, right) = (terms.mk(Op::BvMul, &[a, b]).unwrap(), terms.mk(Op::BvMul, &[c, d]).unwrap());
    assert!(pair(&mut terms, left, right).is_err(), "they share no factor");
}

#[test]
fn what_makes_a_quotient_holds() {
    for width in 1..=5 {
        let mut terms = Terms::new();
        let bits = terms.bitvec_sort(width).unwrap();
        let (x, s) = (terms.fresh(bits), terms.fresh(bits));
        for op in [Op::BvUdiv, Op::BvUrem] {
            let term = terms.mk(op, &[x, s]).unwrap();
            let facts = bivalve_checker::division::exact(&mut terms, term).unwrap();
            holds_always(&terms, facts, &[(x, width), (s, width)]);
        }
        assert!(bivalve_checker::division::exact(&mut terms, x).is_err());
    }
}

#[test]
fn dividers_for_short_divisors_mean_what_operators_mean() {
    for (low, high) in [(1, 3), (2, 2), (3, 1), (2, 3)] {
        let mut terms = Terms::new();
        let [short, wide] = [low, low + high].map(|width| terms.bitvec_sort(width).unwrap());
        let (x, s) = (terms.fresh(wide), terms.fresh(short));
        let zeros = terms.value(high, 0u8.into()).unwrap();
        let long = terms.mk(Op::Concat, &[zeros, s]).unwrap();
        for op in [Op::BvUdiv, Op::BvUrem] {
            let term = terms.mk(op, &[x, long]).unwrap();
            compare(&terms, term, &[x, s]);
            for number in 0..1u8 << (low + high) {
                let divisor = terms.value(low + high, number.into()).unwrap();
                let term = terms.mk(op, &[x, divisor]).unwrap();
                compare(&terms, term, &[x]);
            }
        }
    }
}

/// Products have few rows for words that repeat bits, quotients few for dividends with zeros in front.
#[test]
fn circuits_over_extended_words_mean_what_operators_mean() {
    for (low, high) in [(1, 3), (2, 2), (3, 2), (2, 4)] {
        let mut terms = Terms::new();
        let [short, wide] = [low, low + high].map(|width| terms.bitvec_sort(width).unwrap());
        let (x, s, t) = (terms.fresh(wide), terms.fresh(short), terms.fresh(short));
        let zeros = terms.value(high, 0u8.into()).unwrap();
        let signed = [s, t].map(|word| terms.mk(Op::SignExtend(high), &[word]).unwrap());
        let zero_extended = terms.mk(Op::Concat, &[zeros, s]).unwrap();
        // A run in the middle: the sign of s many times below t.
        let bits = terms.mk(Op::Extract(high - 1, 0), &[signed[1]]).unwrap();
        let below = terms.mk(Op::Concat, &[s, bits]).unwrap();
        for long in [signed[0], zero_extended, below] {
            for op in [Op::BvMul, Op::BvUdiv, Op::BvUrem] {
                for pair in [[long, x], [x, long], [long, signed[1]], [long, long]] {
                    let term = terms.mk(op, &pair).unwrap();
                    compare(&terms, term, &[x, s, t]);
                }
            }
        }
    }
}

#[test]
fn choices_between_a_word_and_its_negation_flip_bits() {
    for width in 1..=4 {
        let mut terms = Terms::new();
        let (bits, truth) = (terms.bitvec_sort(width).unwrap(), terms.bool_sort());
        let (x, c) = (terms.fresh(bits), terms.fresh(truth));
        let minus = terms.mk(Op::BvNeg, &[x]).unwrap();
        for [yes, no] in [[minus, x], [x, minus]] {
            let choice = terms.mk(Op::Ite, &[c, yes, no]).unwrap();
            compare(&terms, choice, &[x, c]);
        }
        // The size of an extended word has as few bits.
        let longer = terms.mk(Op::SignExtend(3), &[x]).unwrap();
        let minus = terms.mk(Op::BvNeg, &[longer]).unwrap();
        let (sign, one) =
            (terms.mk(Op::Extract(width - 1, width - 1), &[x]).unwrap(), terms.value(1, 1u8.into()).unwrap());
        let is_negative = terms.mk(Op::Eq, &[sign, one]).unwrap();
        let size = terms.mk(Op::Ite, &[is_negative, minus, longer]).unwrap();
        compare(&terms, size, &[x]);
        let mut circuits = Circuits::default();
        let high = circuits.build(&terms, size).unwrap()[width as usize + 1..].to_vec();
        assert!(high.iter().all(|&bit| bit == FALSE), "{high:?}");
    }
}

#[test]
fn facts_about_divisions_hold() {
    for width in 1..=5 {
        let mut terms = Terms::new();
        let bits = terms.bitvec_sort(width).unwrap();
        let (x, s) = (terms.fresh(bits), terms.fresh(bits));
        let mut mentioned = terms.mk(Op::BvAdd, &[x, s]).unwrap();
        assert!(bivalve_checker::division::facts(&mut terms, mentioned).is_err());
        for op in [Op::BvUdiv, Op::BvUrem] {
            let term = terms.mk(op, &[x, s]).unwrap();
            let facts = bivalve_checker::division::facts(&mut terms, term).unwrap();
            for code in 0..1u64 << (2 * width) {
                let (a, b) = (code % (1 << width), code >> width);
                let given = [(x, value(width, a)), (s, value(width, b))].into_iter().collect();
                assert_eq!(
                    evaluate(&terms, facts, &given).number,
                    1u8.into(),
                    "{op:?} {a} {b} of {width} bits"
                );
            }
            mentioned = term;
        }
        let mut circuits = Circuits::default();
        circuits.free(&terms, mentioned).unwrap();
        assert_eq!(circuits.known(mentioned).unwrap().len(), width as usize);
        assert!(circuits.free(&terms, mentioned).is_err(), "bits stay what they are");
    }
}

#[test]
fn circuits_of_truth_values() {
    let mut terms = Terms::new();
    let truth = terms.bool_sort();
    let (a, b) = (terms.fresh(truth), terms.fresh(truth));
    for op in [Op::And, Op::Or, Op::Xor, Op::Eq] {
        let term = terms.mk(op, &[a, b]).unwrap();
        compare(&terms, term, &[a, b]);
    }
    let not = terms.not(a).unwrap();
    compare(&terms, not, &[a]);
}

#[test]
fn circuits_over_values_on_one_side() {
    let width = 5;
    let mut terms = Terms::new();
    let bits = terms.bitvec_sort(width).unwrap();
    let x = terms.fresh(bits);
    for op in BINARY {
        for number in 0..1u64 << width {
            let constant = terms.value(width, number.into()).unwrap();
            for args in [[x, constant], [constant, x], [x, x]] {
                let term = terms.mk(op, &args).unwrap();
                compare(&terms, term, &[x]);
            }
        }
    }
}

/// Signed numbers of a width.
fn signed(width: u32, number: u64) -> i64 {
    let half = 1 << (width - 1);
    number as i64 - if number & half != 0 { 1 << width } else { 0 }
}

#[test]
fn abbreviations_mean_what_the_standard_says() {
    for width in 1..=4u32 {
        let mut terms = Terms::new();
        let bits = terms.bitvec_sort(width).unwrap();
        let (x, y) = (terms.fresh(bits), terms.fresh(bits));
        let made = [
            terms.sub(x, y).unwrap(),
            terms.sdiv(x, y).unwrap(),
            terms.srem(x, y).unwrap(),
            terms.smod(x, y).unwrap(),
            terms.addo(false, x, y).unwrap(),
            terms.addo(true, x, y).unwrap(),
            terms.mulo(false, x, y).unwrap(),
            terms.mulo(true, x, y).unwrap(),
            terms.smul_fits(true, x, y).unwrap(),
            terms.smul_fits(false, x, y).unwrap(),
            terms.usubo(x, y).unwrap(),
            terms.ssubo(x, y).unwrap(),
            terms.sdivo(x, y).unwrap(),
            terms.rotate_by(true, x, y).unwrap(),
            terms.rotate_by(false, x, y).unwrap(),
            terms.at_most(Op::BvUlt, x, y).unwrap(),
            terms.at_most(Op::BvSlt, x, y).unwrap(),
            terms.nego(x).unwrap(),
            terms.reduce(true, x).unwrap(),
            terms.reduce(false, x).unwrap(),
            terms.parity(x).unwrap(),
            terms.comp(x, y).unwrap(),
        ];
        for (a, b) in (0..1u64 << (2 * width)).map(|both| (both >> width, both & ((1 << width) - 1))) {
            let symbols = FxHashMap::from_iter([(x, value(width, a)), (y, value(width, b))]);
            let found: Vec<BigUint> =
                made.iter().map(|&term| evaluate(&terms, term, &symbols).number).collect();
            let expected: Vec<BigUint> = expected(width, a, b).into_iter().map(BigUint::from).collect();
            assert_eq!(found, expected, "{a} {b} of {width} bits");
        }
    }
}

/// The same by arithmetic on integers.
fn expected(width: u32, a: u64, b: u64) -> Vec<u64> {
    let mask = (1u64 << width) - 1;
    let (s, t) = (signed(width, a), signed(width, b));
    let cut = |number: i64| number as u64 & mask;
    let fits = |number: i64| (-(1 << (width - 1))..1 << (width - 1)).contains(&number);
    let rotated = |by: u64| (a << by | a >> (u64::from(width) - by)) & mask;
    let by = b % u64::from(width);
    let division = if t == 0 { if s < 0 { 1 } else { -1 } } else { s / t };
    let remainder = if t == 0 { s } else { s % t };
    let modulus = match remainder != 0 && (remainder < 0) != (t < 0) && t != 0 {
        true => remainder + t,
        false => remainder,
    };
    let numbers = [a.wrapping_sub(b) & mask, cut(division), cut(remainder), cut(modulus)];
    let half = 1 << (width - 1);
    let sums = [a + b > mask, !fits(s + t)];
    let products = [a * b > mask, !fits(s * t), s * t < half, s * t >= -half];
    let differences = [a < b, !fits(s - t)];
    let overflows =
        [&sums[..], &products, &differences].concat().into_iter().map(u64::from).collect::<Vec<_>>();
    let rest = [
        u64::from(s == -(1 << (width - 1)) && t == -1),
        rotated(by),
        rotated((u64::from(width) - by) % u64::from(width)),
        u64::from(a <= b),
        u64::from(s <= t),
        u64::from(s == -(1 << (width - 1))),
        u64::from(a == mask),
        u64::from(a != 0),
        u64::from(a.count_ones() % 2),
        u64::from(a == b),
    ];
    [&numbers[..], &overflows, &rest].concat()
}

/// A random number generator with a fixed start.
struct Chance(u64);

impl Chance {
    fn next(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

fn random_sum(terms: &mut Terms, leaves: &[Term], chance: &mut Chance, depth: u64) -> Term {
    if depth == 0 || chance.next(5) == 0 {
        return leaves[chance.next(leaves.len() as u64) as usize];
    }
    let a = random_sum(terms, leaves, chance, depth - 1);
    let width = terms.width(a).unwrap();
    let zero = terms.value(1, 0u8.into()).unwrap();
    match chance.next(8) {
        5 if width > 1 => {
            // What is narrower, with a zero below.
            let low = |&leaf: &Term| terms.mk(Op::Extract(width - 2, 0), &[leaf]).unwrap();
            let lows: Vec<Term> = [a].iter().chain(leaves).map(low).collect();
            let sum = random_sum(terms, &lows, chance, depth - 1);
            terms.mk(Op::Concat, &[sum, zero]).unwrap()
        }
        6 => {
            // The low bits of what is wider, by a bit below or above.
            let bit = terms.mk(Op::Extract(0, 0), &[a]).unwrap();
            let wide = |&leaf: &Term| match chance.next(4) {
                0 => terms.mk(Op::Concat, &[zero, leaf]).unwrap(),
                1 => terms.mk(Op::Concat, &[bit, leaf]).unwrap(),
                2 => terms.mk(Op::SignExtend(1), &[leaf]).unwrap(),
                _ => terms.mk(Op::Concat, &[leaf, zero]).unwrap(),
            };
            let wide: Vec<Term> = [a].iter().chain(leaves).map(wide).collect();
            let sum = random_sum(terms, &wide, chance, depth - 1);
            terms.mk(Op::Extract(width - 1, 0), &[sum]).unwrap()
        }
        7 => {
            let less = terms.mk(Op::BvUlt, &leaves[..2]).unwrap();
            let not = terms.mk(Op::Not, &[less]).unwrap();
            let condition = [less, not, terms.mk(Op::Not, &[not]).unwrap()][chance.next(3) as usize];
            let branches = [(); 2].map(|()| match chance.next(3) {
                0 => random_sum(terms, leaves, chance, depth - 1),
                _ => terms.number_like(a, chance.next(4) as u32).unwrap(),
            });
            terms.mk(Op::Ite, &[condition, branches[0], branches[1]]).unwrap()
        }
        0 => terms.mk(Op::BvNeg, &[a]).unwrap(),
        1 => terms.mk(Op::BvNot, &[a]).unwrap(),
        2 => {
            let by = terms.number_like(a, chance.next(5) as u32).unwrap();
            terms.mk(Op::BvShl, &[a, by]).unwrap()
        }
        op => {
            let b = random_sum(terms, leaves, chance, depth - 1);
            terms.mk(if op == 3 { Op::BvAdd } else { Op::BvMul }, &[a, b]).unwrap()
        }
    }
}

#[test]
fn equal_polynomials_have_equal_values() {
    let (width, mut chance, mut found) = (3, Chance(7), [0; 2]);
    for _ in 0..25_000 {
        let mut terms = Terms::new();
        let sort = terms.bitvec_sort(width).unwrap();
        let (x, y) = (terms.fresh(sort), terms.fresh(sort));
        let constant = terms.value(width, chance.next(8).into()).unwrap();
        let [a, b, c, d] = [(); 4].map(|()| random_sum(&mut terms, &[x, y, constant], &mut chance, 3));
        let equations = [terms.mk(Op::Eq, &[a, c]).unwrap(), terms.mk(Op::Eq, &[b, d]).unwrap()];
        for (kind, [left, right]) in [[a, b], equations].into_iter().enumerate() {
            if !polynomial::equal(&terms, &Classes::default(), left, right).unwrap() {
                continue;
            }
            found[kind] += usize::from(left != right);
            for choice in 0..1u64 << (2 * width) {
                let symbols =
                    FxHashMap::from_iter([(x, value(width, choice >> width)), (y, value(width, choice & 7))]);
                let values = [left, right].map(|side| evaluate(&terms, side, &symbols));
                assert_eq!(values[0], values[1]);
            }
        }
    }
    assert!(found.iter().all(|&found| found > 200), "{found:?}: too few");
}

/// Sums over two sums that are supposed to be equal, where these are, and as leaves of each other's.
#[test]
fn what_is_known_to_be_equal_may_stand_for_each_other() {
    let (width, mut chance, mut found) = (3, Chance(11), [0; 2]);
    for _ in 0..20_000 {
        let mut terms = Terms::new();
        let sort = terms.bitvec_sort(width).unwrap();
        let (x, y) = (terms.fresh(sort), terms.fresh(sort));
        let constant = terms.value(width, chance.next(8).into()).unwrap();
        let supposed = [(); 2].map(|()| random_sum(&mut terms, &[x, y, constant], &mut chance, 2));
        let leaves = [x, y, supposed[0], supposed[1]];
        let [left, right] = [(); 2].map(|()| random_sum(&mut terms, &leaves, &mut chance, 3));
        let mut classes = Classes::default();
        classes.unite(&terms, supposed[0], supposed[1]);
        if classes.contradictory() || !polynomial::equal(&terms, &classes, left, right).unwrap() {
            continue;
        }
        let always = polynomial::equal(&terms, &Classes::default(), left, right).unwrap();
        found[usize::from(always)] += usize::from(left != right);
        for choice in 0..1u64 << (2 * width) {
            let symbols =
                FxHashMap::from_iter([(x, value(width, choice >> width)), (y, value(width, choice & 7))]);
            let [left, right, one, other] =
                [left, right, supposed[0], supposed[1]].map(|term| evaluate(&terms, term, &symbols));
            assert!(left == right || one != other);
        }
    }
    assert!(found.iter().all(|&found| found > 100), "{found:?}: too few");
}

/// Two chains of sums, each member of which is known to be equal to the one beside it: the next members are
/// compared without a look at what is below, of which the polynomials would be too large.
#[test]
fn long_sums_are_compared_by_what_is_known_below() {
    let mut terms = Terms::new();
    let sort = terms.bitvec_sort(8).unwrap();
    let summands: Vec<Term> = (0..400).map(|_| terms.fresh(sort)).collect();
    let mut classes = Classes::default();
    let [mut left, mut right] = [(); 2].map(|()| {
        let one = terms.fresh(sort);
        summands.chunks(2).fold(one, |product, pair| {
            let sum = terms.mk(Op::BvAdd, pair).unwrap();
            terms.mk(Op::BvMul, &[product, sum]).unwrap()
        })
    });
    assert!(polynomial::equal(&terms, &classes, left, right).is_err(), "it is multiplied out");
    classes.unite(&terms, left, right);
    for &summand in &summands {
        let complement = terms.mk(Op::BvNot, &[right]).unwrap();
        let minus = terms.mk(Op::BvNeg, &[complement]).unwrap();
        let one = terms.value(8, 1u8.into()).unwrap();
        right = terms.mk(Op::BvAdd, &[summand, minus]).unwrap();
        let more = terms.mk(Op::BvAdd, &[left, one]).unwrap();
        left = terms.mk(Op::BvAdd, &[more, summand]).unwrap();
        assert_eq!(polynomial::equal(&terms, &classes, left, right), Ok(true));
        classes.unite(&terms, left, right);
    }
}
