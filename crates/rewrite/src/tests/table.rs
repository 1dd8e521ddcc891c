//! Tests that quantify over the rule table: what holds for every row, for ever.

use crate::judge::{Case, Chooser, Judge, all, random, refute};
use crate::row::{Row, equation, function};
use crate::rules::{is_eliminated, rows};
use crate::{Level, Rewriter, RuleTable};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Term, cone, eval};
use std::sync::Arc;

/// All values of all constants and symbols at widths up to here, where these are few.
const NARROW: [u32; 4] = [1, 2, 3, 4];

/// Widths around words.
const WIDE: [u32; 6] = [8, 17, 32, 64, 65, 128];

/// Rows that few constants fit: more instances are drawn.
const RARE: [&str; 1] = ["extract_reciprocal"];

/// So many instances, more of a row that few fit.
fn more(case: &Case, instances: usize) -> usize {
    if RARE.contains(&case.rule.name()) { 400 * instances } else { instances }
}

fn every_case(mut check: impl FnMut(&Case)) {
    let judge = Judge::new();
    for row in rows() {
        judge.cases(&row).unwrap().iter().for_each(&mut check);
    }
}

#[test]
fn every_row_is_an_equation_at_small_widths() {
    every_case(|case| {
        let verdicts =
            [refute(case, &NARROW, all(), 5000, 1), refute(case, &NARROW, random(2), more(case, 150), 3)];
        verdicts.iter().for_each(|verdict| assert_eq!(verdict.refutation, None));
        assert!(verdicts.iter().any(|verdict| verdict.fired > 0), "{} never fires", case.rule.name());
    });
}

#[test]
fn every_row_is_an_equation_at_large_widths() {
    every_case(|case| assert_eq!(refute(case, &WIDE, random(4), 60, 5).refutation, None));
}

/// The judge is judged: rows that are nearly right.
#[test]
fn wrong_rows_are_refuted() {
    let wrong = [
        equation("sum", "(bvadd x y)", "(bvor x y)"),
        equation("one_bit_only", "(bvadd x y)", "(bvxor x y)"),
        equation("swapped", "(bvsub x y)", "(bvsub y x)"),
        equation("wider_only", "(bvslt 1 x)", "(and (bvslt 0 x) (not (= 1 x)))"),
        equation("unconditional", "(= m (bvmul k x))", "(= (bvmul (inverse k) m) x)"),
        equation("off_by_one", "(bvult (bvudiv x k) m)", "(bvult x (bvmul m k))").when("(distinct k 0)"),
        equation("overflow", "(bvult x (bvadd k x))", "(distinct k 0)"),
        equation("free", "(= (concat x y) (concat z t))", "(= x z)")
            .when("(and (same_sort x z) (same_sort y t))"),
        equation("wrong_way", "(select (store a i v) j)", "v").when("(differ i j)"),
        equation("twin", "(bvand x (bvor y x))", "(bvand x y)").and_for_booleans(),
        function("cut", "((_ extract h l) (concat x y))", "the wrong part", |pool, m| {
            let low = pool.args(m.head.args[0])[1];
            (pool.width(low) == Some(m.width())).then_some(low)
        }),
    ];
    let judge = Judge::new();
    for row in &wrong {
        for case in judge.cases(row).unwrap() {
            assert!(refute(&case, &NARROW, all(), 5000, 1).refutation.is_some(), "{}", case.rule.name());
        }
    }
}

/// A right side that is ill-sorted for some match of the left one would build a term that cannot exist.
#[test]
fn every_row_compiles_and_is_filed_under_its_head() {
    let rows: Vec<_> = crate::rules::rows().collect();
    let table = RuleTable::compile(&rows).unwrap_or_else(|why| panic!("{why}"));
    assert!(table.rules().len() >= 150, "{} rules", table.rules().len());
    assert!(table.rules().map(|rule| rule.name().to_owned()).eq(table.names().map(|name| name.into_owned())));
}

#[test]
fn every_operator_outside_of_the_core_has_a_row() {
    let table = RuleTable::new();
    let without: Vec<Op> =
        Op::native().filter(|&op| is_eliminated(op) && table.head(op).len() == 0).collect();
    assert_eq!(without, []);
}

#[test]
fn ill_formed_rows_do_not_compile() {
    let wrong = [
        ("(bvadd x", "x"),
        ("(frob x)", "x"),
        ("(bvadd x)", "x"),
        ("(bvadd x word)", "x"),
        ("x", "x"),
        ("(bvadd x y)", "z"),
        ("(bvult x y)", "x"),
        ("(bvand (= x y) z)", "z"),
        ("(ite c x y)", "(bvand x y)"),
        ("(concat x y)", "(bvadd x y)"),
        ("(= (concat x y) (concat z t))", "(= x z)"),
        ("(bvadd x (bvneg k))", "x"),
        ("(bvand x (bvnot k))", "x"),
        ("((_ extract 3 0) x)", "x"),
    ];
    for (left, right) in wrong {
        let definitions = rows().filter(|row| row.definition);
        let rows: Vec<Row> = definitions.chain([equation("wrong", left, right)]).collect();
        assert!(RuleTable::compile(&rows).is_err(), "{left} = {right}");
    }
}

/// All rules together on the left side of each, which other rules may get at first.
#[test]
fn left_sides_keep_their_values() {
    let table = Arc::new(RuleTable::new());
    let mut values = TermGen::new(8);
    every_case(|case| {
        for mut instance in instances(case, &mut random(9), 60) {
            let mut rewriter = Rewriter::with_table(Level::Local, table.clone());
            let result = rewriter.rewrite(&mut instance.pool, instance.left);
            assert_eq!(rewriter.refusals(), 0, "{}", case.rule.name());
            for _ in 0..5 {
                let assignment = values.assignment(&instance.pool, &[instance.left]);
                let [before, after] =
                    [instance.left, result].map(|term| eval(&instance.pool, term, &assignment));
                assert_eq!(before, after, "{}", case.rule.name());
            }
        }
    });
}

/// Instances of a case at small widths, with symbols for metavariables if the case allows that.
fn instances(
    case: &Case,
    chooser: &mut Chooser,
    count: usize,
) -> impl Iterator<Item = crate::judge::Instance> {
    (0..count).filter_map(move |_| case.instance(&[1, 2, 3, 5], chooser))
}

/// Else other rows always come first, and the row is dead.
#[test]
fn every_row_fires_on_its_own_left_side() {
    let table = Arc::new(RuleTable::new());
    let mut dead = vec![];
    every_case(|case| {
        let fires = |instance: &mut crate::judge::Instance| {
            let mut rewriter = Rewriter::with_table(Level::Local, table.clone());
            rewriter.rewrite(&mut instance.pool, instance.left);
            rewriter.applications().any(|(name, count)| name == case.rule.name() && count > 0)
        };
        if !instances(case, &mut random(6), 100_000).any(|mut instance| fires(&mut instance)) {
            dead.push(case.rule.name().to_owned());
        }
    });
    assert_eq!(dead, Vec::<String>::new());
}

/// What a term costs: operators that need gates, each once. A negation below a sum is the sum's carry-in.
fn size(pool: &Pool, term: Term) -> usize {
    let free = |op| {
        matches!(op, Op::Const | Op::Symbol | Op::Not | Op::BvNot)
            || matches!(op, Op::Concat | Op::Extract | Op::SignExtend | Op::Repeat | Op::ZeroExtend)
    };
    let cone = cone(pool, &[term]);
    let negated = |t: Term| pool.op(t) == Op::BvNeg;
    let summed = |t: Term| cone.iter().any(|&sum| pool.op(sum) == Op::BvAdd && pool.args(sum).contains(&t));
    cone.iter().filter(|&&t| !(free(pool.op(t)) || negated(t) && summed(t))).count()
}

/// The count may grow for a reason that the row tells; and what tells a reason does grow.
#[test]
fn no_row_grows_the_term_without_a_reason() {
    let mut wrong = vec![];
    every_case(|case| {
        let mut grows = false;
        for instance in instances(case, &mut random(7), more(case, 300)) {
            let [before, after] = [instance.normal, instance.result].map(|term| size(&instance.pool, term));
            grows |= after > before;
        }
        if grows != case.rule.grows().is_some() {
            wrong.push((case.rule.name().to_owned(), grows));
        }
    });
    assert_eq!(wrong, vec![]);
}

#[test]
fn names_are_unique() {
    let table = RuleTable::new();
    let mut names: Vec<&str> = table.rules().map(crate::Rule::name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(names.len() >= 300);
}

#[test]
fn a_rewriter_can_be_sent() {
    fn send<T: Send>() {}
    send::<Rewriter>();
}

/// Divisions by constants as compilers write them: a product with a reciprocal, of which upper bits are left.
#[test]
fn products_with_reciprocals_are_quotients() {
    let table = Arc::new(RuleTable::new());
    let mut values = TermGen::new(4);
    for width in [16, 32, 64] {
        for divisor in [3u64, 5, 6, 9, 10, 11, 12, 25, 125, 641, 1000] {
            // The least shift for which the reciprocal is close enough, if it has no more bits than the word.
            let reciprocal = |shift: u32| (1u128 << shift).div_ceil(u128::from(divisor));
            let is_close = |&shift: &u32| {
                let excess = reciprocal(shift) * u128::from(divisor) - (1 << shift);
                excess << width < 1 << shift && reciprocal(shift) < 1 << width
            };
            let Some(shift) = (width..2 * width).find(is_close) else { continue };
            let mut pool = Pool::new();
            let x = pool.symbol("x", bivalve_terms::Sort::bitvec(width).unwrap());
            let factor = bivalve_terms::BitVec::from_u64(reciprocal(shift) as u64, width);
            let factor = pool.bitvec(&factor.zero_extend(width));
            let wide = pool.mk_indexed(Op::ZeroExtend, &[width], &[x]);
            let product = pool.mk(Op::BvMul, &[wide, factor]);
            let high = pool.mk_indexed(Op::Extract, &[2 * width - 1, shift], &[product]);
            let mut rewriter = Rewriter::with_table(Level::Local, table.clone());
            let result = rewriter.rewrite(&mut pool, high);
            assert!(cone(&pool, &[result]).iter().any(|&term| pool.op(term) == Op::BvUdiv), "{divisor}");
            for _ in 0..50 {
                let assignment = values.assignment(&pool, &[high]);
                assert_eq!(eval(&pool, high, &assignment), eval(&pool, result, &assignment), "{divisor}");
            }
        }
    }
}
