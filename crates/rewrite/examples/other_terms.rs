//! Simplifies the terms of another tool: they are read into a pool, rewritten there, and written back.
//! `cargo run -p bivalve-rewrite --example other_terms`

#![allow(clippy::print_stdout, reason = "an example that speaks")]

use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{Op, Pool, Sort, SortError, Term};

/// A term of the other tool, over words of 32 bits.
#[derive(Clone, Debug)]
enum Word {
    Name(&'static str),
    Number(u64),
    Apply(&'static str, Vec<Word>),
}

fn read(word: &Word, pool: &mut Pool) -> Result<Term, SortError> {
    match word {
        Word::Name(name) => Ok(pool.symbol(name, Sort::bitvec(32)?)),
        Word::Number(number) => pool.bv(*number, 32),
        Word::Apply(name, words) => {
            let op = Op::named().find(|op| op.name() == *name).expect("an operator of SMT-LIB");
            let args = words.iter().map(|word| read(word, pool)).collect::<Result<Vec<_>, _>>()?;
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
    let (mut pool, mut rewriter) = (Pool::new(), Rewriter::new(Level::Local));
    let mut report = String::new();
    for word in words {
        let term = read(&word, &mut pool)?;
        let simpler = rewriter.rewrite(&mut pool, term);
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
