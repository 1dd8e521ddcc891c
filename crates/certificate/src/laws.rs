//! Laws that passes of the solver find are shown: an example for each pass.

use crate::recorder::Recorder;
use crate::theorem::Library;
use crate::translate::Translation;
use bivalve_limits::{Deadline, Stop};
use bivalve_preprocess::{Change, PASSES, Reason, shown_changes};
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{Op, Pool, Sort, Term};

struct Symbols {
    pool: Pool,
    words: [Term; 4],
    bits: [Term; 2],
    arrays: [Term; 2],
}

fn symbols() -> Symbols {
    let mut pool = Pool::new();
    let word = Sort::bitvec(8).unwrap();
    let sort = pool.sorts_mut().array(word, word).unwrap();
    let words = ["x", "y", "i", "k"].map(|name| pool.symbol(name, word));
    let bits = ["p", "q"].map(|name| pool.symbol(name, Sort::BOOL));
    let arrays = ["a", "b"].map(|name| pool.symbol(name, sort));
    Symbols { pool, words, bits, arrays }
}

/// Each law that a pass finds for a conjunct that it is made for is shown.
fn check(pass: &str, make: impl Fn(&mut Symbols) -> Term) {
    let mut symbols = symbols();
    let conjunct = make(&mut symbols);
    let Symbols { mut pool, .. } = symbols;
    let conjunct = Rewriter::new(Level::Local).rewrite(&mut pool, conjunct);
    let number = PASSES.iter().position(|row| row.name == pass).unwrap();
    let (mut library, mut translation) = (Library::new(None, &Stop::new()), Translation::default());
    let (mut out, mut laws) = (Recorder::new(None), 0);
    let is_new = &mut |pool: &Pool, _: usize, law: &Change| {
        assert_eq!(law.because, Reason::Law, "{pass}");
        laws += 1;
        let to = translation.term(pool, law.to, &mut out).unwrap();
        let from = law.from.map(|from| translation.term(pool, from, &mut out).unwrap());
        let from = from.unwrap_or_else(|| out.kernel.terms.truth(true));
        library.show(&mut out, from, to).unwrap_or_else(|why| panic!("{pass}: {why}"));
        true
    };
    let found = shown_changes(&mut pool, &[conjunct], number, is_new, &Deadline::unlimited());
    assert_eq!(found.map(|(pass, _)| PASSES[pass].name), Some(pass));
    assert!(laws > 0);
}

#[test]
fn joined_equations_are_shown() {
    check("joined-equations", |of| {
        let ([x, y, i, k], pool) = (of.words, &mut of.pool);
        let [first, second] = [y, i].map(|value| pool.mk(Op::Eq, &[k, value]));
        let rest = pool.mk(Op::BvUlt, &[x, y]);
        let both = pool.mk(Op::And, &[first, rest]);
        pool.mk(Op::Ite, &[of.bits[0], both, second])
    });
}

#[test]
fn own_cells_are_shown() {
    check("own-cells", |of| {
        let ([x, _, i, k], [a, b], pool) = (of.words, of.arrays, &mut of.pool);
        let cell = pool.mk(Op::Select, &[b, i]);
        let moved = pool.mk(Op::Store, &[a, i, cell]);
        let read = pool.mk(Op::Select, &[moved, k]);
        pool.mk(Op::BvUlt, &[read, x])
    });
}

#[test]
fn conditional_stores_are_shown() {
    check("conditional-stores", |of| {
        let ([x, y, i, k], [a, _], pool) = (of.words, of.arrays, &mut of.pool);
        let index = pool.mk(Op::Ite, &[of.bits[0], i, k]);
        let written = pool.mk(Op::Store, &[a, index, x]);
        let chosen = pool.mk(Op::Ite, &[of.bits[0], written, a]);
        let read = pool.mk(Op::Select, &[chosen, y]);
        pool.mk(Op::BvUlt, &[read, x])
    });
}

#[test]
fn reads_are_shown() {
    check("reads", |of| {
        let ([x, y, i, _], [a, _], pool) = (of.words, of.arrays, &mut of.pool);
        let written = pool.mk(Op::Store, &[a, i, x]);
        let chosen = pool.mk(Op::Ite, &[of.bits[0], written, a]);
        let read = pool.mk(Op::Select, &[chosen, i]);
        pool.mk(Op::BvUlt, &[read, y])
    });
}

#[test]
fn forwarding_is_shown() {
    check("forwarding", |of| {
        let ([x, y, i, k], [a, _], pool) = (of.words, of.arrays, &mut of.pool);
        let written = pool.mk(Op::Store, &[a, i, x]);
        let read = pool.mk(Op::Select, &[written, k]);
        let (meets, below) = (pool.mk(Op::Eq, &[k, i]), pool.mk(Op::Select, &[a, k]));
        let chosen = pool.mk(Op::Ite, &[meets, x, below]);
        let [one, other] = [read, chosen].map(|word| pool.mk(Op::BvUdiv, &[word, y]));
        pool.mk(Op::BvUlt, &[one, other])
    });
}

#[test]
fn tables_are_shown() {
    check("tables", |of| {
        let ([x, y, ..], [mut array, _], pool) = (of.words, of.arrays, &mut of.pool);
        for number in 0..8 {
            let [index, element] = [number, number * number + 1].map(|value| pool.bv_u64(value, 8));
            array = pool.mk(Op::Store, &[array, index, element]);
        }
        let read = pool.mk(Op::Select, &[array, x]);
        pool.mk(Op::BvUlt, &[read, y])
    });
}

#[test]
fn flags_are_shown() {
    check("flags", |of| {
        let ([x, y, ..], pool) = (of.words, &mut of.pool);
        let difference = pool.mk(Op::BvSub, &[x, y]);
        let [differ, moved] = [(x, y), (x, difference)].map(|(a, b)| pool.mk(Op::BvXor, &[a, b]));
        let overflow = pool.mk(Op::BvAnd, &[differ, moved]);
        let [sign, overflow] =
            [difference, overflow].map(|word| pool.mk_indexed(Op::Extract, &[7, 7], &[word]));
        pool.mk(Op::Distinct, &[sign, overflow])
    });
}

#[test]
fn case_splits_are_shown() {
    check("case-split", |of| {
        let ([x, y, ..], pool) = (of.words, &mut of.pool);
        let minus = pool.mk(Op::BvNeg, &[x]);
        let chosen = pool.mk(Op::Ite, &[of.bits[0], minus, x]);
        let quotients = [chosen, minus, x].map(|word| pool.mk(Op::BvUdiv, &[word, y]));
        let sum = pool.mk(Op::BvXor, &quotients);
        pool.mk(Op::BvUlt, &[sum, x])
    });
}

#[test]
fn intervals_are_shown() {
    check("intervals", |of| {
        let ([x, y, ..], pool) = (of.words, &mut of.pool);
        let zeros = pool.bv_u64(0, 8);
        let [wide, other] = [x, y].map(|word| pool.mk(Op::Concat, &[zeros, word]));
        let product = pool.mk(Op::BvMul, &[wide, other]);
        let most = pool.bv_u64(255 * 255, 16);
        let is_greater = pool.mk(Op::BvUlt, &[most, product]);
        pool.mk(Op::Xor, &[is_greater, of.bits[0]])
    });
}
