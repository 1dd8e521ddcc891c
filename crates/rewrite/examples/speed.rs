//! How fast is rewriting? Random DAGs of a given size, and the compilation of the table.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program for people who measure")]

use bivalve_rewrite::{Level, Rewriter, RuleTable};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Pool, Sort, cone};

/// Seconds that this thread has run: the machine may be shared.
fn now() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    statistics.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

fn main() {
    let start = now();
    for _ in 0..std::env::args().nth(1).map_or(100, |n| n.parse().expect("a number")) {
        RuleTable::new();
    }
    println!("table: {:.1} ms in all", (now() - start) * 1e3);
    for seed in 0..std::env::args().nth(2).map_or(3, |n| n.parse().expect("a number")) {
        let mut pool = Pool::new();
        let mut random = TermGen::new(seed);
        let mut roots = vec![];
        while pool.len() < 2_000_000 {
            roots.push(random.term(&mut pool, Sort::BOOL, 200));
        }
        let before = pool.len();
        let size = cone(&pool, &roots).len();
        let mut rewriter = Rewriter::new(Level::Local);
        let start = now();
        let results: Vec<_> = roots.iter().map(|&root| rewriter.rewrite(&mut pool, root)).collect();
        let seconds = now() - start;
        let steps: u64 = rewriter.applications().map(|(_, count)| count).sum();
        println!(
            "random: {size} terms, {:.2} M terms/s, {steps} steps, {} new terms, {} after",
            size as f64 / seconds / 1e6,
            pool.len() - before,
            cone(&pool, &results).len()
        );
        let start = now();
        let mut again = Rewriter::new(Level::Local);
        results.iter().for_each(|&root| _ = again.rewrite(&mut pool, root));
        let size = cone(&pool, &results).len();
        println!("normal forms: {:.2} M terms/s", size as f64 / (now() - start) / 1e6);
    }
}
