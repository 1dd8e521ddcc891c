//! Equalities: terms that have the value of a variable, or of a constant (Becker, tables 4 and 9, and more
//! like them).
//!
//! A row builds, for a term `s`, another one that is equal to it. Rows of variables are numbered as in the
//! tables: `NC1` to `NC12` over bit-vectors; `T9` are those of table 9, reads of constant arrays, one for
//! each index sort; rows without a number are new. Rows of constants say which constants they are about. In
//! table 4 the all-ones vector stands twice where one is meant (products and quotients by `1^m`); here it is
//! one.
//!
//! Constants within a row stand in it, or *apart*: as a fresh variable that a further assertion equates to
//! the constant, the "if t = 0" of the table. Other variables of a row are unconstrained.

use crate::construct::Theory;
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, Value};

/// Where the constants of a row stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// In the row.
    Within,
    /// In further assertions.
    Apart,
}

/// What is made beside the term of a row.
pub(super) struct Scene<'a> {
    pub(super) pool: &'a mut Pool,
    mode: Mode,
    /// What must be asserted beside it.
    pub(super) conditions: Vec<Term>,
    /// Values of the fresh variables under which the conditions hold.
    pub(super) values: Vec<(Term, Value)>,
}

/// What a row is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    /// Terms of any sort, by operators of the theory Core.
    Any,
    /// Booleans.
    Booleans,
    /// Bit-vectors of this many bits or more.
    Bits(u32),
    /// Arrays.
    Arrays,
    /// Booleans and bit-vectors, by reads of arrays.
    Elements,
}

/// An equality of variables.
pub(super) struct Row {
    /// Its number in the tables, or what it is.
    pub(super) name: &'static str,
    about: About,
    build: fn(&mut Scene<'_>, Term) -> Term,
}

/// An equality of constants.
pub(super) struct ConstantRow {
    /// Its number in the table, or what it is.
    pub(super) name: &'static str,
    about: fn(&Value) -> bool,
    build: fn(&mut Scene<'_>, &Value) -> Term,
}

impl<'a> Scene<'a> {
    pub(super) fn new(pool: &'a mut Pool, mode: Mode) -> Scene<'a> {
        Scene { pool, mode, conditions: vec![], values: vec![] }
    }

    /// A new variable, under a name that no symbol of the pool has.
    pub(super) fn fresh(pool: &mut Pool, sort: Sort) -> Term {
        let name = format!("x{}", pool.len());
        pool.symbol(&name, sort)
    }

    /// A constant of the row.
    fn constant(&mut self, value: BitVec) -> Term {
        let constant = self.pool.bitvec(&value);
        if self.mode == Mode::Within {
            return constant;
        }
        let variable = Scene::fresh(self.pool, Sort::of_bitvec(&value));
        self.conditions.push(self.pool.mk(Op::Eq, &[variable, constant]));
        self.values.push((variable, value.into()));
        variable
    }

    /// A variable that may be anything.
    fn any(&mut self, sort: Sort) -> Term {
        let variable = Scene::fresh(self.pool, sort);
        self.values.push((variable, Value::default_of(self.pool.sorts(), sort)));
        variable
    }

    fn width(&self, term: Term) -> u32 {
        self.pool.width(term).expect("the row is about bit-vectors")
    }

    /// The term beside a constant.
    fn beside(&mut self, op: Op, s: Term, constant: fn(u32) -> BitVec) -> Term {
        let constant = self.constant(constant(self.width(s)));
        self.pool.mk(op, &[s, constant])
    }

    /// The constant beside the term.
    fn behind(&mut self, op: Op, constant: fn(u32) -> BitVec, s: Term) -> Term {
        let constant = self.constant(constant(self.width(s)));
        self.pool.mk(op, &[constant, s])
    }

    fn twice(&mut self, op: Op, s: Term) -> Term {
        let inner = self.pool.mk(op, &[s]);
        self.pool.mk(op, &[inner])
    }

    /// A read, at any index of the sort, of an array that has the term everywhere.
    fn read(&mut self, s: Term, index: Sort) -> Term {
        let element = self.pool.sort(s);
        let sort = self.pool.sorts_mut().array(index, element).expect("flat arrays are legal");
        let array = self.pool.const_array(sort, s).expect("the element has the element sort");
        let index = self.any(index);
        self.pool.mk(Op::Select, &[array, index])
    }
}

macro_rules! row {
    ($name:literal, $about:expr, $build:expr) => {
        Row { name: $name, about: $about, build: $build }
    };
}

/// The equalities of variables.
pub(super) const ROWS: &[Row] = &[
    row!("same", About::Any, |_, s| s),
    row!("NC1", About::Bits(1), |x, s| {
        let top = x.width(s) - 1;
        x.pool.mk_indexed(Op::Extract, &[top, 0], &[s])
    }),
    row!("NC2", About::Bits(1), |x, s| x.twice(Op::BvNot, s)),
    row!("NC3", About::Bits(1), |x, s| x.beside(Op::BvAdd, s, BitVec::zero)),
    row!("NC4", About::Bits(1), |x, s| x.behind(Op::BvAdd, BitVec::zero, s)),
    row!("NC5", About::Bits(1), |x, s| x.beside(Op::BvMul, s, BitVec::one)),
    row!("NC6", About::Bits(1), |x, s| x.behind(Op::BvMul, BitVec::one, s)),
    row!("NC7", About::Bits(1), |x, s| x.beside(Op::BvUdiv, s, BitVec::one)),
    row!("NC8", About::Bits(1), |x, s| x.beside(Op::BvUrem, s, BitVec::zero)),
    row!("NC9", About::Bits(1), |x, s| x.beside(Op::BvShl, s, BitVec::zero)),
    row!("NC10", About::Bits(1), |x, s| x.beside(Op::BvLshr, s, BitVec::zero)),
    row!("NC11", About::Bits(1), |x, s| x.pool.mk(Op::BvAnd, &[s, s])),
    row!("NC12", About::Bits(1), |x, s| x.pool.mk(Op::BvOr, &[s, s])),
    row!("difference with zero", About::Bits(1), |x, s| x.beside(Op::BvSub, s, BitVec::zero)),
    row!("exclusive or with zero", About::Bits(1), |x, s| x.beside(Op::BvXor, s, BitVec::zero)),
    row!("conjunction with ones", About::Bits(1), |x, s| x.beside(Op::BvAnd, s, BitVec::ones)),
    row!("two negations", About::Bits(1), |x, s| x.twice(Op::BvNeg, s)),
    row!("sum and difference", About::Bits(1), |x, s| {
        let t = x.any(x.pool.sort(s));
        let sum = x.pool.mk(Op::BvAdd, &[s, t]);
        x.pool.mk(Op::BvSub, &[sum, t])
    }),
    row!("quotient and remainder", About::Bits(1), |x, s| {
        let t = x.any(x.pool.sort(s));
        let [quotient, remainder] = [Op::BvUdiv, Op::BvUrem].map(|op| x.pool.mk(op, &[s, t]));
        let product = x.pool.mk(Op::BvMul, &[quotient, t]);
        x.pool.mk(Op::BvAdd, &[product, remainder])
    }),
    row!("two parts", About::Bits(2), |x, s| {
        let (top, middle) = (x.width(s) - 1, x.width(s) / 2);
        let high = x.pool.mk_indexed(Op::Extract, &[top, middle], &[s]);
        let low = x.pool.mk_indexed(Op::Extract, &[middle - 1, 0], &[s]);
        x.pool.mk(Op::Concat, &[high, low])
    }),
    row!("there and back", About::Bits(2), |x, s| {
        let there = x.pool.mk_indexed(Op::RotateLeft, &[1], &[s]);
        x.pool.mk_indexed(Op::RotateRight, &[1], &[there])
    }),
    row!("not not", About::Booleans, |x, s| x.twice(Op::Not, s)),
    row!("and with itself", About::Booleans, |x, s| x.pool.mk(Op::And, &[s, s])),
    row!("or with itself", About::Booleans, |x, s| x.pool.mk(Op::Or, &[s, s])),
    row!("xor with another, twice", About::Booleans, |x, s| {
        let t = x.any(Sort::BOOL);
        x.pool.mk(Op::Xor, &[t, s, t])
    }),
    row!("no choice", About::Any, |x, s| {
        let c = x.any(Sort::BOOL);
        x.pool.mk(Op::Ite, &[c, s, s])
    }),
    row!("T9, Boolean index", About::Elements, |x, s| x.read(s, Sort::BOOL)),
    row!("T9, bit-vector index", About::Elements, |x, s| {
        let width = x.pool.width(s).unwrap_or(2).min(8);
        x.read(s, Sort::bitvec(width).expect("a legal width"))
    }),
    row!("write what is there", About::Arrays, |x, s| {
        let (index, _) = x.pool.sorts().array_parts(x.pool.sort(s)).expect("the row is about arrays");
        let index = x.any(index);
        let there = x.pool.mk(Op::Select, &[s, index]);
        x.pool.mk(Op::Store, &[s, index, there])
    }),
    row!("write and undo", About::Arrays, |x, s| {
        let (index, element) = x.pool.sorts().array_parts(x.pool.sort(s)).expect("the row is about arrays");
        let (index, element) = (x.any(index), x.any(element));
        let there = x.pool.mk(Op::Select, &[s, index]);
        let written = x.pool.mk(Op::Store, &[s, index, element]);
        x.pool.mk(Op::Store, &[written, index, there])
    }),
];

impl Row {
    /// May the row be used for terms of this sort, where formulas are about `theory`?
    pub(super) fn fits(&self, pool: &Pool, sort: Sort, theory: Theory) -> bool {
        let flat = |sort: Sort| sort.is_bool() || sort.is_bitvec();
        match self.about {
            About::Any => true,
            About::Booleans => sort.is_bool(),
            About::Bits(least) => {
                theory != Theory::Arrays && sort.width().is_some_and(|width| width >= least)
            }
            About::Arrays => pool.sorts().array_parts(sort).is_some(),
            About::Elements => theory != Theory::Bits && flat(sort),
        }
    }

    /// A term equal to `s`, in a scene.
    pub(super) fn build(&self, scene: &mut Scene<'_>, s: Term) -> Term {
        (self.build)(scene, s)
    }
}

fn is(value: &Value, test: fn(&BitVec) -> bool) -> bool {
    matches!(value, Value::BitVec(value) if test(value))
}

fn width_of(value: &Value) -> u32 {
    value.expect_bitvec().width()
}

/// An operator over two corners.
fn corners(scene: &mut Scene<'_>, value: &Value, op: Op, corners: [fn(u32) -> BitVec; 2]) -> Term {
    let [a, b] = corners.map(|corner| scene.pool.bitvec(&corner(width_of(value))));
    scene.pool.mk(op, &[a, b])
}

/// An operator over a variable that may be anything and zero, in this order or the other.
fn any_and_zero(scene: &mut Scene<'_>, value: &Value, op: Op, any_first: bool) -> Term {
    let zero = BitVec::zero(width_of(value));
    let any = scene.any(Sort::of_bitvec(&zero));
    let zero = scene.pool.bitvec(&zero);
    scene.pool.mk(op, &if any_first { [any, zero] } else { [zero, any] })
}

macro_rules! constants {
    ($($name:literal, $about:expr, $build:expr;)*) => {
        /// The equalities of constants.
        pub(super) const CONSTANT_ROWS: &[ConstantRow] =
            &[$(ConstantRow { name: $name, about: $about, build: $build }),*];
    };
}

constants! {
    "C1", |v| is(v, BitVec::is_zero), |x, v| corners(x, v, Op::BvAdd, [BitVec::zero, BitVec::zero]);
    "C2", |v| is(v, BitVec::is_ones), |x, v| corners(x, v, Op::BvAdd, [BitVec::ones, BitVec::zero]);
    "C3", |v| is(v, BitVec::is_ones), |x, v| corners(x, v, Op::BvAdd, [BitVec::zero, BitVec::ones]);
    "C4", |v| is(v, BitVec::is_zero), |x, v| corners(x, v, Op::BvMul, [BitVec::zero, BitVec::zero]);
    "C5", |v| is(v, BitVec::is_zero), |x, v| any_and_zero(x, v, Op::BvMul, true);
    "C6", |v| is(v, BitVec::is_zero), |x, v| any_and_zero(x, v, Op::BvMul, false);
    "C7", |v| is(v, BitVec::is_zero), |x, v| corners(x, v, Op::BvShl, [BitVec::zero, BitVec::zero]);
    "C8", |v| is(v, BitVec::is_zero), |x, v| corners(x, v, Op::BvLshr, [BitVec::zero, BitVec::zero]);
    "C9", |v| is(v, BitVec::is_zero), |x, v| corners(x, v, Op::BvAnd, [BitVec::zero, BitVec::zero]);
    "C10", |v| is(v, BitVec::is_zero), |x, v| any_and_zero(x, v, Op::BvAnd, true);
    "C11", |v| is(v, BitVec::is_zero), |x, v| any_and_zero(x, v, Op::BvAnd, false);
    "C12", |v| is(v, BitVec::is_zero), |x, v| corners(x, v, Op::BvOr, [BitVec::zero, BitVec::zero]);
    "C13", |v| is(v, BitVec::is_ones), |x, v| corners(x, v, Op::BvOr, [BitVec::ones, BitVec::zero]);
    "C14", |v| is(v, BitVec::is_ones), |x, v| corners(x, v, Op::BvOr, [BitVec::zero, BitVec::ones]);
    "C15", |v| *v == Value::Bool(false), |x, _| {
        let s = x.any(Sort::bitvec(4).expect("a legal width"));
        x.pool.mk(Op::BvUlt, &[s, s])
    };
    "not below itself", |v| *v == Value::Bool(true), |x, _| {
        let s = x.any(Sort::bitvec(4).expect("a legal width"));
        x.pool.mk(Op::BvUle, &[s, s])
    };
    "one times one", |v| is(v, BitVec::is_one), |x, v| corners(x, v, Op::BvMul, [BitVec::one, BitVec::one]);
    "quotient by itself", |v| is(v, BitVec::is_one), |x, v| corners(x, v, Op::BvUdiv, [BitVec::ones, BitVec::ones]);
    "quotient by zero", |v| is(v, BitVec::is_ones), |x, v| any_and_zero(x, v, Op::BvUdiv, true);
    "remainder by zero", |v| is(v, BitVec::is_ones), |x, v| corners(x, v, Op::BvUrem, [BitVec::ones, BitVec::zero]);
    "complement", |v| matches!(v, Value::BitVec(_)), |x, v| {
        let flipped = x.pool.bitvec(&v.expect_bitvec().not());
        x.pool.mk(Op::BvNot, &[flipped])
    };
    "sum of neighbours", |v| matches!(v, Value::BitVec(_)), |x, v| {
        let one = BitVec::one(width_of(v));
        let [below, one] = [v.expect_bitvec().sub(&one), one].map(|value| x.pool.bitvec(&value));
        x.pool.mk(Op::BvAdd, &[below, one])
    };
}

impl ConstantRow {
    /// Is the row about this constant?
    pub(super) fn fits(&self, value: &Value) -> bool {
        (self.about)(value)
    }

    /// A term that has this value.
    pub(super) fn build(&self, scene: &mut Scene<'_>, value: &Value) -> Term {
        (self.build)(scene, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_judge::exhaustion::satisfiable;

    /// Whatever the conditions allow, the term of a row is equal to what it is about.
    #[test]
    fn rows_are_equalities() {
        let mut judged = 0;
        for row in ROWS {
            for mode in [Mode::Within, Mode::Apart] {
                let mut pool = Pool::new();
                let flat = [1, 2, 3].map(|width| Sort::bitvec(width).unwrap());
                let array = pool.sorts_mut().array(flat[0], flat[0]).unwrap();
                for sort in [Sort::BOOL, flat[0], flat[1], flat[2], array] {
                    if !row.fits(&pool, sort, Theory::Both) {
                        continue;
                    }
                    let s = pool.symbol("s", sort);
                    let mut scene = Scene::new(&mut pool, mode);
                    let term = row.build(&mut scene, s);
                    let Scene { conditions, values, .. } = scene;
                    let differs = pool.mk(Op::Distinct, &[s, term]);
                    let all = [&conditions[..], &[differs]].concat();
                    assert_eq!(satisfiable(&pool, &all, 16), Some(false), "{} at {sort:?}", row.name);
                    let mut model = bivalve_terms::Assignment::new();
                    values.into_iter().for_each(|(variable, value)| model.set(variable, value));
                    let holds =
                        |&condition: &Term| bivalve_terms::eval(&pool, condition, &model).expect_bool();
                    assert!(conditions.iter().all(holds), "{}", row.name);
                    judged += 1;
                }
            }
        }
        assert!(judged > 120, "{judged}");
    }

    #[test]
    fn constant_rows_have_their_values() {
        for row in CONSTANT_ROWS {
            let mut met = 0;
            for width in 1..=3 {
                let values = (0..1u64 << width).map(|bits| Value::from(BitVec::from_u64(bits, width)));
                for value in values.chain([false.into(), true.into()]).filter(|value| row.fits(value)) {
                    let mut pool = Pool::new();
                    let mut scene = Scene::new(&mut pool, Mode::Within);
                    let term = row.build(&mut scene, &value);
                    let sort = scene.pool.sort(term);
                    let constant = crate::construct::stage::literal(&mut pool, sort, &value);
                    let differs = pool.mk(Op::Distinct, &[term, constant]);
                    assert_eq!(satisfiable(&pool, &[differs], 16), Some(false), "{} of {value:?}", row.name);
                    met += 1;
                }
            }
            assert!(met > 0, "{} is about nothing", row.name);
        }
    }
}
