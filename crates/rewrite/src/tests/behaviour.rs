//! What becomes of terms: text in, text out, through one [`check`].
//!
//! The names are declared in this order: `x y z t` of 8 bits, `u v` of 4, `p q` of one, the Booleans `b c d`,
//! the arrays `m n` from 8 to 8 bits. Arguments of commutative operators come out with constants first, then
//! by age.

use crate::{Level, Rewriter};
use bivalve_limits::{Deadline, Stop, Why};
use bivalve_statements::{Sexpr, read};
use bivalve_terms::{BitVec, Constructor, Op, Pool, Sort, Term};
use rustc_hash::FxHashMap;

type Names = FxHashMap<String, Term>;

fn declare(pool: &mut Pool) -> Names {
    let bits = |width| Sort::bitvec(width).unwrap();
    let array = pool.sorts_mut().array(bits(8), bits(8)).unwrap();
    let families = [("xyzt", bits(8)), ("uv", bits(4)), ("pq", bits(1)), ("bcd", Sort::BOOL), ("mn", array)];
    let names =
        families.iter().flat_map(|(names, sort)| names.chars().map(move |name| (name.to_string(), *sort)));
    names.map(|(name, sort)| (name.clone(), pool.symbol(&name, sort))).collect()
}

fn term(pool: &mut Pool, names: &Names, sexpr: &Sexpr<'_>) -> Term {
    match sexpr {
        Sexpr::Atom(atom) => match (*atom, atom.split_at(2.min(atom.len()))) {
            ("true" | "false", _) => pool.bool(*atom == "true"),
            (_, ("#x", digits)) => pool.bitvec(&BitVec::parse_hex(digits.as_bytes()).unwrap()),
            (_, ("#b", digits)) => pool.bitvec(&BitVec::parse_binary(digits.as_bytes()).unwrap()),
            _ => names[*atom],
        },
        Sexpr::List(items) => {
            let args: Vec<Term> = items[1..].iter().map(|item| term(pool, names, item)).collect();
            let (name, indices) = match &items[0] {
                Sexpr::Atom(name) => (*name, vec![]),
                Sexpr::List(parts) => {
                    let Sexpr::Atom(name) = parts[1] else { panic!("an operator is expected") };
                    (name, parts[2..].iter().map(|index| index.to_string().parse().unwrap()).collect())
                }
            };
            let op = Op::native().find(|op| op.name() == name).unwrap();
            match op {
                Op::ConstArray => pool.const_array(pool.sort(names["m"]), args[0]).unwrap(),
                _ => pool.indexed(op, &indices, &args).unwrap(),
            }
        }
    }
}

fn text(pool: &Pool, term: Term) -> String {
    if let Some(name) = pool.name(term) {
        return name.to_owned();
    }
    if let Some(value) = pool.as_bool(term) {
        return value.to_string();
    }
    if let Some(value) = pool.as_bitvec(term) {
        let binary = || format!("#b{}", value.to_binary_string());
        return value.to_hex_string().map_or_else(binary, |hex| format!("#x{hex}"));
    }
    let (name, indices) = (pool.op(term).name(), pool.indices(term));
    let indices: String = indices.iter().map(|index| format!(" {index}")).collect();
    let args: String = pool.args(term).iter().map(|&arg| format!(" {}", text(pool, arg))).collect();
    if indices.is_empty() { format!("({name}{args})") } else { format!("((_ {name}{indices}){args})") }
}

#[track_caller]
fn check(before: &str, after: &str) {
    let mut pool = Pool::new();
    let names = declare(&mut pool);
    let given = term(&mut pool, &names, &read(before).unwrap());
    let result = Rewriter::new(Level::Local).rewrite(&mut pool, given);
    assert_eq!(text(&pool, result), after, "{before}");
}

/// The term is in normal form as it is.
#[track_caller]
fn stays(given: &str) {
    check(given, given);
}

#[test]
fn operators_outside_of_the_core_are_eliminated() {
    check("(bvsub x y)", "(bvadd x (bvneg y))");
    check("(or b c)", "(not (and (not b) (not c)))");
    check("(=> b c)", "(not (and b (not c)))");
    check("(xor b c)", "(not (= b c))");
    check("(bvsge x y)", "(not (bvslt x y))");
    check("((_ zero_extend 4) u)", "(concat #x0 u)");
    check("((_ rotate_left 3) x)", "(concat ((_ extract 4 0) x) ((_ extract 7 5) x))");
    check("((_ rotate_right 8) x)", "x");
    check("((_ repeat 3) p)", "((_ sign_extend 2) p)");
    check("(bvredor x)", "(bvnot (ite (= #x00 x) #b1 #b0))");
    check("(distinct x y z)", "(and (not (= y z)) (and (not (= x y)) (not (= x z))))");
    check("(distinct p q (bvnot p))", "false");
}

#[test]
fn lists_become_chains_and_conjunctions_trees() {
    check("(bvadd z x y)", "(bvadd z (bvadd x y))");
    check("(bvand x (bvnot y) z y)", "#x00");
    check("(and d b c)", "(and c (and b d))");
    check("(and d b c b)", "(and c (and b d))");
    check("(or d b c (not b))", "true");
    check("(= x y z)", "(and (= x y) (= y z))");
    check("(concat u v u)", "(concat u (concat v u))");
}

#[test]
fn constants_fold_and_meet() {
    check("(bvmul #x03 (bvadd #x01 #x04))", "#x0f");
    check("(bvadd #x03 (bvadd x #x04))", "(bvadd #x07 x)");
    check("(bvsub (bvadd x #x03) (bvadd x #x05))", "#xfe");
    check("(bvand #x0f (bvand x #xf0))", "#x00");
    check("(concat #x1 (concat #x2 u))", "(concat #x12 u)");
    check("(bvudiv #x07 #x00)", "#xff");
    check("(distinct #x01 #x02 #x01)", "false");
}

#[test]
fn complements_match_without_being_written() {
    check("(bvadd x (bvnot x))", "#xff");
    check("(bvand (bvnot x) (bvor x y))", "(bvand y (bvnot x))");
    check("(or (not b) (and b c))", "(not (and b (not c)))");
    check("(bvor (bvnot x) (bvand x (bvnot y)))", "(bvnot (bvand x y))");
    check("(and (or b c) (not (and b c)))", "(not (= b c))");
    // Only where the row is about the complement it has to be there.
    stays("(bvult x y)");
    check("(bvult (bvnot x) (bvnot y))", "(bvult y x)");
}

#[test]
fn rules_for_booleans_leave_other_sorts_alone() {
    // The exclusive-or of Booleans is an equality, but not every equality is one.
    stays("(= (= x y) (= x z))");
    check("(xor (xor b c) (xor b d))", "(not (= c d))");
    stays("(ite b x (bvnot x))");
    check("(ite b c (not c))", "(= b c)");
}

#[test]
fn equations_are_solved_for_what_is_not_constant() {
    check("(= #x05 (bvadd x #x03))", "(= #x02 x)");
    check("(= (bvmul x #x03) #x01)", "(= #xab x)");
    check("(= (bvmul x #x06) #x03)", "false");
    check("(= (bvmul x #x06) #x04)", "(= #b1010110 ((_ extract 6 0) x))");
    check("(= (bvxor x #x0f) (bvnot y))", "(= y (bvxor #xf0 x))");
    check("(= (bvadd x y) (bvadd z x))", "(= y z)");
    check("(= #xff (bvand x y))", "(and (= #xff x) (= #xff y))");
    check("(= #x30 (bvand x #xf0))", "(= #x3 ((_ extract 7 4) x))");
    check("(= #x31 (bvand x #xf0))", "false");
    check("(= ((_ sign_extend 4) u) #xf8)", "(= #x8 u)");
    check("(= ((_ sign_extend 4) u) #x08)", "false");
    check("(= (concat u v) #x12)", "(and (= #x1 u) (= #x2 v))");
    check("(= ((_ zero_extend 4) u) ((_ zero_extend 4) v))", "(= u v)");
    check("(= (bvudiv x #x0a) #x02)", "(bvult (bvadd #xec x) #x0a)");
    check("(= (bvcomp x y) #b1)", "(= x y)");
    stays("(= x (concat u v))");
}

#[test]
fn equations_over_choices_become_conditions() {
    check("(= x (ite b x y))", "(not (and (not b) (not (= x y))))");
    check("(= #x01 (ite b #x01 (ite c #x02 #x03)))", "b");
    check("(= (bvadd x #x01) (ite b (bvadd x #x02) y))", "(and (not b) (= y (bvadd #x01 x)))");
    check("(= (ite b x y) (ite c x (bvnot x)))", "(= (ite b x y) (ite c x (bvnot x)))");
    check("(= (ite b x (bvnot x)) (ite c x (bvnot x)))", "(= b c)");
}

#[test]
fn comparisons_narrow() {
    check("(bvult x #x00)", "false");
    check("(bvule x #x00)", "(= #x00 x)");
    check("(bvult x #x08)", "(= #b00000 ((_ extract 7 3) x))");
    check("(bvslt x #x00)", "(= #b1 ((_ extract 7 7) x))");
    check("(bvult (concat #x0 u) (concat #x0 v))", "(bvult u v)");
    check("(bvult ((_ zero_extend 4) u) #x23)", "true");
    check("(bvslt ((_ sign_extend 4) u) #x02)", "(bvslt u #x2)");
    check("(bvslt ((_ zero_extend 4) u) ((_ zero_extend 4) v))", "(bvult u v)");
    check("(bvult (bvudiv x #x03) #x10)", "(bvult x #x30)");
    check("(bvult (ite b #x01 #x05) #x03)", "b");
    check("(and (bvult x #x11) (bvult x #x23))", "(bvult x #x11)");
    check("(and (not (bvult x y)) (not (bvult y x)))", "(= x y)");
}

#[test]
fn shifts_by_constants_are_wiring() {
    check("(bvshl x #x03)", "(concat ((_ extract 4 0) x) #b000)");
    check("(bvlshr x #x03)", "(concat #b000 ((_ extract 7 3) x))");
    check("(bvashr x #x03)", "((_ sign_extend 3) ((_ extract 7 3) x))");
    check("(bvshl x #x08)", "#x00");
    check("(bvashr x #xff)", "((_ sign_extend 7) ((_ extract 7 7) x))");
    check("(bvmul x #x04)", "(concat ((_ extract 5 0) x) #b00)");
    check("(bvudiv x #x04)", "(concat #b00 ((_ extract 7 2) x))");
    check("(bvurem x #x04)", "(concat #b000000 ((_ extract 1 0) x))");
    check("(bvlshr (bvshl x y) y)", "(bvand x (bvlshr #xff y))");
}

#[test]
fn slices_move_down_and_join() {
    check("((_ extract 5 2) ((_ extract 6 1) x))", "((_ extract 6 3) x)");
    check("((_ extract 5 2) (concat u v))", "(concat ((_ extract 1 0) u) ((_ extract 3 2) v))");
    check("((_ extract 7 4) ((_ sign_extend 4) u))", "((_ sign_extend 3) ((_ extract 3 3) u))");
    check("((_ extract 3 0) (ite b x (concat u v)))", "(ite b ((_ extract 3 0) x) v)");
    check("(concat ((_ extract 7 3) x) ((_ extract 2 0) x))", "x");
    check("(concat ((_ extract 7 7) x) x)", "((_ sign_extend 1) x)");
    stays("((_ extract 4 1) (bvadd x y))");
    stays("((_ extract 3 0) (bvadd #x13 x))");
    check("(= #x4 ((_ extract 3 0) (bvadd #x13 x)))", "(= #x1 ((_ extract 3 0) x))");
    check("(concat ((_ extract 7 4) (bvadd x y)) ((_ extract 3 0) (bvadd x y)))", "(bvadd x y)");
    stays("((_ extract 3 0) (bvand x y))");
}

#[test]
fn bytes_that_are_put_together_by_masks_are_a_concatenation() {
    check("(bvor ((_ zero_extend 4) u) (bvshl ((_ zero_extend 4) v) #x04))", "(concat v u)");
    check("(bvadd ((_ zero_extend 4) u) (concat v #x0))", "(concat v u)");
    check(
        "(bvadd ((_ zero_extend 7) p) (concat ((_ extract 5 4) x) (concat #b0 (concat v #b0))))",
        "(concat ((_ extract 5 4) x) (concat #b0 (concat v p)))",
    );
    check("(bvand #x0f (concat u v))", "(concat #x0 v)");
    check(
        "(bvor (concat ((_ extract 2 0) u) #b00000) (concat #b000 (concat p v)))",
        "(concat ((_ extract 2 0) u) (concat p v))",
    );
}

#[test]
fn arithmetic_is_done_at_the_width_of_the_numbers() {
    check("(bvmul ((_ zero_extend 7) p) ((_ zero_extend 7) q))", "(ite (= #b1 p) (concat #b0000000 q) #x00)");
    check("(bvurem ((_ zero_extend 4) u) ((_ zero_extend 4) v))", "(concat #x0 (bvurem u v))");
    check("(bvudiv ((_ zero_extend 4) u) #x03)", "(concat #x0 (bvudiv u #x3))");
    check("(bvumulo ((_ zero_extend 4) u) ((_ zero_extend 4) v))", "false");
    check("(bvuaddo ((_ zero_extend 4) u) ((_ zero_extend 4) v))", "false");
    check("(bvsdiv ((_ zero_extend 4) u) #x03)", "(concat #x0 (bvudiv u #x3))");
}

#[test]
fn one_circuit_instead_of_two() {
    check("(ite b (bvmul x y) (bvmul z x))", "(bvmul x (ite b y z))");
    check("(ite b (bvadd x #x01) x)", "(bvadd x (ite b #x01 #x00))");
    check("(bvadd (bvmul x y) (bvmul z x))", "(bvmul x (bvadd y z))");
    check("(bvsub x (bvmul (bvudiv x y) y))", "(bvurem x y)");
    check("(bvsub x (bvmul (bvudiv x #x0a) #x0a))", "(bvurem x #x0a)");
    check("(bvadd (bvand x y) (bvor x y))", "(bvadd x y)");
}

#[test]
fn arrays_are_read_past_writes_elsewhere() {
    check("(select (store m x y) x)", "y");
    check("(select (store (store m x y) #x01 z) #x01)", "z");
    check("(select (store (store m (bvadd x #x01) y) (bvadd x #x02) z) x)", "(select m x)");
    check("(select (const y) x)", "y");
    check("(store (store m x y) x z)", "(store m x z)");
    check("(= m (store m x y))", "(= y (select m x))");
    stays("(select (store m x y) z)");
}

#[test]
fn a_rewriter_whose_deadline_is_over_returns_the_term_and_can_go_on_later() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(8).unwrap();
    let zero = pool.bv_u64(0, 8);
    let x = pool.symbol("x", sort);
    // Each link changes nothing: x + 0 + 0 + ...
    let links = (0..100_000).fold(x, |sum, _| {
        let link = pool.mk(Op::BvSub, &[sum, zero]);
        pool.mk(Op::BvNeg, &[link])
    });
    let stop = Stop::new();
    let mut rewriter = Rewriter::new(Level::Local);
    for _ in 0..2 {
        assert_eq!(rewriter.rewrite_within(&mut pool, links, &Deadline::new(&stop, 5000)), links);
    }
    stop.stop(Why::Interrupted);
    assert_eq!(rewriter.rewrite_within(&mut pool, links, &Deadline::stopped_by(&stop)), links);
    assert_eq!(rewriter.rewrite(&mut pool, links), x);
}

/// What a record does not have stays open, also where the record is a constant.
#[test]
fn fields_of_records_fold_where_they_are() {
    let (mut pool, byte) = (Pool::new(), Sort::bitvec(8).unwrap());
    let constructor = |name: &str, fields: &[&str]| Constructor {
        name: name.into(),
        fields: fields.iter().map(|&field| (field.into(), byte)).collect(),
        is_ambiguous: false,
    };
    let option = vec![constructor("none", &[]), constructor("some", &["value"])];
    let option = pool.sorts_mut().record("Option", option).unwrap();
    let pair = pool.sorts_mut().record("Pair", vec![constructor("pair", &["left", "right"])]).unwrap();
    let (seven, eight, x) = (pool.bv_u64(7, 8), pool.bv_u64(8, 8), pool.symbol("x", byte));
    let (none, some) =
        (pool.record_new(option, 0, &[]).unwrap(), pool.record_new(option, 1, &[seven]).unwrap());
    let both = pool.record_new(pair, 0, &[seven, eight]).unwrap();
    let half = pool.record_new(pair, 0, &[x, eight]).unwrap();
    let get = |pool: &mut Pool, field: u32, of: Term| pool.indexed(Op::RecordGet, &[field], &[of]).unwrap();
    let is = |pool: &mut Pool, number: u32, of: Term| pool.indexed(Op::RecordIs, &[number], &[of]).unwrap();
    let set = |pool: &mut Pool, field: u32, of: Term| {
        let set = pool.indexed(Op::RecordSet, &[field], &[of, eight]).unwrap();
        get(pool, field, set)
    };
    let cases = [
        (get(&mut pool, 0, some), "#b00000111"),
        (get(&mut pool, 0, none), "(value none)"),
        (get(&mut pool, 1, both), "#b00001000"),
        (get(&mut pool, 0, half), "x"),
        (is(&mut pool, 1, some), "true"),
        (is(&mut pool, 1, none), "false"),
        (set(&mut pool, 0, both), "#b00001000"),
        (set(&mut pool, 0, none), "(value none)"),
    ];
    for (term, expected) in cases {
        let normal = Rewriter::new(Level::Local).rewrite(&mut pool, term);
        assert_eq!(pool.display(normal).to_string(), expected);
    }
}
