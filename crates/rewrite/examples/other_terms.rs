//! Simplifies the terms of another tool: they are read into a pool, rewritten there, and written back.
//! `cargo run -p bivalve-rewrite --example other_terms`

#![allow(clippy::print_stdout, reason = "an example that speaks")]

use bivalve_rewrite::simplify;
use bivalve_terms::{Op, Pool, Sort, SortError, Term};
use std::collections::BTreeMap;

/// A term of the other tool, over words of 32 bits.
#[derive(Clone, Debug)]
enum Word {
    Name(&'static str),
    Number(u64),
    Apply(&'static str, Vec<Word>),
}

fn read(word: &Word, pool: &mut Pool, names: &mut BTreeMap<&str, Term>) -> Result<Term, SortError> {
    let sort = Sort::bitvec(32)?;
    match word {
        // Each call of `symbol` makes another one.
        Word::Name(name) => Ok(*names.entry(name).or_insert_with(|| pool.symbol(name, sort))),
        Word::Number(number) => pool.bv(*number, 32),
        Word::Apply(name, words) => {
            let op = Op::named().find(|op| op.name() == *name).expect("an operator of SMT-LIB");
            let args = words.iter().map(|word| read(word, pool, names)).collect::<Result<Vec<_>, _>>()?;
            pool.app(op, &args)
        }
    }
}

fn report() -> Result<String, SortError> {
    use Word::{Apply, Name, Number};
    let (x, y) = (Name("x"), Name("y"));
    let sum = Apply("bvadd", vec![Apply("bvmul", vec![x.clone(), Number(8)]), y.clone()]);
    let words = [
        Apply("bvsub", vec![sum, y.clone()]),
        Apply("bvor", vec![Apply("bvxor", vec![x.clone(), x.clone()]), y]),
        Apply("bvurem", vec![x, Number(16)]),
    ];
    let (mut pool, mut names, mut report) = (Pool::new(), BTreeMap::new(), String::new());
    for word in words {
        let term = read(&word, &mut pool, &mut names)?;
        let simpler = simplify(&mut pool, term);
        report += &format!("{}  becomes  {}\n", pool.display(term), pool.display(simpler));
    }
    Ok(report)
}

fn main() -> Result<(), SortError> {
    print!("{}", report()?);
    Ok(())
}

#[test]
fn it_prints_what_the_page_shows() {
    assert!(include_str!("../README.md").contains(&report().unwrap()), "{}", report().unwrap());
}
