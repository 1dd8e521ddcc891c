//! The equivalent formulas of Becker's table 2 as they stand there: over integers, as text.
//!
//! Bivalve has no integer variables, so these formulas cannot be terms. What is kept of one is the
//! operation it is about and the terms in its places; a transformation that replaces a symbol replaces it
//! in these too, and the text is made when it is asked for. The forms follow the table, with its misprints
//! put right: the lower part of `bvand` and `bvor` is `extract(m-2, 0)`, that of `bvor` is joined by
//! `bvor`, and the existential bit is a free symbol of the formula, which is as good where the formula is
//! asserted.
//!
//! `bv2nat` and `(_ int2bv m)` are the names that Z3, cvc5 and CVC4 have in common; SMT-LIB 2.7 calls them
//! `ubv_to_int` and `int_to_bv`. `div` and `mod` are those of the theory Ints.

use bivalve_formats::smtlib::print::{BitVecFormat, Naming, Printer};
use bivalve_terms::{BitVec, Op, Pool, Substitution, Term};

/// The operators that the table writes over integers; `bvand` and `bvor` it writes without any.
const TABLE_2: [Op; 11] = [
    Op::Concat,
    Op::Extract,
    Op::BvNot,
    Op::BvNeg,
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvUlt,
];

/// An equation `op(args) = result`, to be written over integers.
#[derive(Clone, Debug)]
pub struct IntegerForm {
    /// The operator.
    pub op: Op,
    /// Its indices, as in the text.
    pub indices: Vec<u32>,
    /// Its arguments.
    pub args: Vec<Term>,
    /// What the operation is equal to.
    pub result: Term,
}

impl IntegerForm {
    /// The form with terms replaced.
    pub(crate) fn substituted(&self, pool: &mut Pool, substitution: &mut Substitution) -> IntegerForm {
        let args = self.args.iter().map(|&arg| substitution.apply(pool, arg)).collect();
        IntegerForm { args, result: substitution.apply(pool, self.result), ..self.clone() }
    }

    /// Has the table a form over integers for the operator?
    pub(crate) fn exists(&self) -> bool {
        TABLE_2.contains(&self.op)
    }

    /// The formula as text; `None` if the table has no form over integers for the operator.
    pub fn text(&self, pool: &Pool, format: BitVecFormat) -> Option<String> {
        let naming = Naming::default();
        let printer = Printer::new(pool, &naming, format);
        let places: Vec<String> = self.args.iter().map(|&arg| printer.term(arg)).collect();
        let result = printer.term(self.result);
        let m = pool.width(self.args[0])?;
        let nat = |place: usize| format!("(bv2nat {})", places[place]);
        let bits = |width: u32, integer: &str| format!("((_ int2bv {width}) {integer})");
        let equal = |left: String| format!("(= {left} {result})");
        let modulus = power(m);
        Some(match self.op {
            Op::Concat => {
                let n = pool.width(self.args[1])?;
                equal(bits(m + n, &format!("(+ (* {} {}) {})", nat(0), power(n), nat(1))))
            }
            Op::Extract => {
                let (high, low) = (*self.indices.first()?, *self.indices.get(1)?);
                let width = high - low + 1;
                let left = format!("(bvshl {} {})", places[0], bits(m, &(m - 1 - high).to_string()));
                let right = format!("(bvlshr {left} {})", bits(m, &(m - width).to_string()));
                equal(bits(width, &format!("(bv2nat {right})")))
            }
            Op::BvNot => equal(bits(m, &format!("(- {} 1 {})", modulus, nat(0)))),
            Op::BvNeg => equal(bits(m, &format!("(- {} {})", modulus, nat(0)))),
            Op::BvAdd => equal(bits(m, &format!("(+ {} {})", nat(0), nat(1)))),
            Op::BvMul => equal(bits(m, &format!("(* {} {})", nat(0), nat(1)))),
            Op::BvUdiv => {
                let quotient = equal(bits(m, &format!("(div {} {})", nat(0), nat(1))));
                let otherwise = equal(bits(m, &format!("(- {modulus} 1)")));
                format!("(ite (> {} 0) {quotient} {otherwise})", nat(1))
            }
            Op::BvUrem => {
                let remainder = equal(bits(m, &format!("(mod {} {})", nat(0), nat(1))));
                format!("(ite (> {} 0) {remainder} {})", nat(1), equal(places[0].clone()))
            }
            Op::BvUlt => equal(format!("(< {} {})", nat(0), nat(1))),
            Op::BvShl | Op::BvLshr => {
                let shifted = |by: u32| match (by, self.op) {
                    (0, _) => places[0].clone(),
                    (_, Op::BvShl) => {
                        format!("(concat ((_ extract {} 0) {}) {})", m - by - 1, places[0], zeros(by))
                    }
                    _ => format!("(concat {} ((_ extract {} {by}) {}))", zeros(by), m - 1, places[0]),
                };
                let case = |by: u32| format!("(and (= {} {by}) {})", nat(1), equal(shifted(by)));
                let cases: Vec<String> = (0..m).map(case).collect();
                format!("(or {} (and (>= {} {m}) {}))", cases.join(" "), nat(1), equal(zeros(m)))
            }
            _ => return None,
        })
    }
}

/// 2^exponent in decimal digits, whatever the exponent.
fn power(exponent: u32) -> String {
    BitVec::one(exponent + 1).shl_by(exponent).to_decimal_string()
}

fn zeros(width: u32) -> String {
    format!("#b{}", "0".repeat(width as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::{Assignment, Sort, Value, eval};
    use std::collections::BTreeMap;

    /// A value of the small language that the forms are written in; bit-vectors with their width.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Worth {
        Bool(bool),
        Int(i64),
        Bits(i64, u32),
    }

    /// Evaluates a text from the token at `at` on: another reading of SMT-LIB than that of the printer above.
    fn evaluate(tokens: &[&str], at: &mut usize, values: &BTreeMap<&str, Worth>) -> Worth {
        let mut next = || {
            *at += 1;
            tokens[*at - 1]
        };
        let token = next();
        if token != "(" {
            return match (token.strip_prefix("#b"), token.parse::<i64>()) {
                (Some(digits), _) => {
                    Worth::Bits(i64::from_str_radix(digits, 2).unwrap(), digits.len() as u32)
                }
                (_, Ok(number)) => Worth::Int(number),
                _ => values[token],
            };
        }
        let mut head = vec![next()];
        if head[0] == "(" {
            head.clear();
            while !head.contains(&")") {
                head.push(next());
            }
            head.remove(0);
        }
        let mut args = vec![];
        while tokens[*at] != ")" {
            args.push(evaluate(tokens, at, values));
        }
        *at += 1;
        apply(&head, &args)
    }

    fn apply(head: &[&str], args: &[Worth]) -> Worth {
        use Worth::{Bits, Bool, Int};
        let modulo = |number: i64, width: u32| Bits(number.rem_euclid(1 << width), width);
        match (head[0], args) {
            ("=", [a, b]) => Bool(a == b),
            ("<", [Int(a), Int(b)]) => Bool(a < b),
            (">", [Int(a), Int(b)]) => Bool(a > b),
            (">=", [Int(a), Int(b)]) => Bool(a >= b),
            ("and", all) => Bool(all.iter().all(|arg| *arg == Bool(true))),
            ("or", all) => Bool(all.contains(&Bool(true))),
            ("ite", [Bool(c), a, b]) => {
                if *c {
                    *a
                } else {
                    *b
                }
            }
            ("+", [Int(a), Int(b)]) => Int(a + b),
            ("*", [Int(a), Int(b)]) => Int(a * b),
            ("-", [Int(a), rest @ ..]) => {
                Int(rest.iter().fold(*a, |a, b| if let Int(b) = b { a - b } else { panic!() }))
            }
            ("div", [Int(_), Int(0)]) | ("mod", [Int(_), Int(0)]) => Int(77),
            ("div", [Int(a), Int(b)]) => Int(a / b),
            ("mod", [Int(a), Int(b)]) => Int(a % b),
            ("bv2nat", [Bits(a, _)]) => Int(*a),
            ("int2bv", [Int(a)]) => modulo(*a, head[1].parse().unwrap()),
            ("bvshl", [Bits(a, width), Bits(by, _)]) => modulo(if *by < 32 { a << by } else { 0 }, *width),
            ("bvlshr", [Bits(a, width), Bits(by, _)]) => Bits(a >> by, *width),
            ("concat", [Bits(a, high), Bits(b, low)]) => Bits(a << low | b, high + low),
            ("extract", [Bits(a, _)]) => {
                let [high, low] = [1, 2].map(|place| head[place].parse::<u32>().unwrap());
                modulo(a >> low, high - low + 1)
            }
            other => panic!("{other:?}"),
        }
    }

    fn worth(value: &Value) -> Worth {
        match value {
            Value::Bool(value) => Worth::Bool(*value),
            Value::BitVec(value) => Worth::Bits(value.low_u64() as i64, value.width()),
            _ => panic!("no other values here"),
        }
    }

    /// All values of all places, at widths 1 to 3: the text has the meaning of the equation.
    #[test]
    fn texts_mean_their_equations() {
        let mut judged = 0;
        for (op, width) in TABLE_2.iter().flat_map(|&op| (1..=3).map(move |width| (op, width))) {
            let slices = || (0..width).flat_map(|high| (0..=high).map(move |low| vec![high, low]));
            for indices in if op == Op::Extract { slices().collect() } else { vec![vec![]] } {
                judged += judge(op, width, indices);
            }
        }
        assert!(judged > 5000, "{judged}");
    }

    fn judge(op: Op, width: u32, indices: Vec<u32>) -> u32 {
        let mut pool = Pool::new();
        let bits = Sort::bitvec(width).unwrap();
        let count = if matches!(op, Op::Extract | Op::BvNot | Op::BvNeg) { 1 } else { 2 };
        let args: Vec<Term> = ["s", "t"][..count].iter().map(|name| pool.symbol(name, bits)).collect();
        let term = pool.mk_indexed(op, &indices, &args);
        let result = pool.symbol("res", pool.sort(term));
        let equation = pool.mk(Op::Eq, &[term, result]);
        let form = IntegerForm { op, indices, args: args.clone(), result };
        let text = form.text(&pool, BitVecFormat::Binary).expect("the table has a form");
        let text = text.replace('(', " ( ").replace(')', " ) ");
        let places: Vec<(Term, u32)> =
            args.iter().chain([&result]).map(|&place| (place, pool.width(place).unwrap_or(1))).collect();
        let total: u32 = places.iter().map(|place| place.1).sum();
        for mut code in 0..1u64 << total {
            let (mut model, mut values) = (Assignment::new(), BTreeMap::new());
            for &(place, width) in &places {
                let value = BitVec::from_u64(code, width);
                code >>= width;
                let value: Value = if pool.sort(place).is_bool() { value.lsb().into() } else { value.into() };
                values.insert(pool.name(place).unwrap(), worth(&value));
                model.set(place, value);
            }
            let found = evaluate(&text.split_whitespace().collect::<Vec<_>>(), &mut 0, &values);
            assert_eq!(found, worth(&eval(&pool, equation, &model)), "{text} under {values:?}");
        }
        1 << total
    }
}
