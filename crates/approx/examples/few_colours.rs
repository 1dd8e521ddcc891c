//! Colours a graph with few colours if it can: a colour is a byte, and small ones are tried first.
//! `cargo run -p bivalve-approx --example few_colours`

#![allow(clippy::print_stdout, reason = "an example that speaks")]

use bivalve_approx::{Approximation, Kind, Parameters, encodings::encoding, policies::policy};
use bivalve_sat_adapter::{Budget, Lit, create};

/// The colours of so many vertices, no two of an edge the same, and the bits that colours have got for that.
fn colours(count: usize, edges: &[(usize, usize)]) -> Option<(Vec<u32>, u32)> {
    let (encoding, policy) = (encoding("zero")?, policy("global")?);
    let parameters = Parameters { encoding: (encoding.make)(), policy: (policy.make)(), width: 1 };
    let (mut solver, mut approximation) = (create("naive").ok()?, Approximation::new(parameters));
    let vertices: Vec<[Lit; 8]> = (0..count).map(|_| [(); 8].map(|()| solver.new_var())).collect();
    vertices.iter().for_each(|bits| approximation.add(Kind::Symbol, bits, &mut *solver));
    for &(a, b) in edges {
        // A fresh literal for each bit implies that the bit differs, and one of them is true.
        let differences = vertices[a].iter().zip(vertices[b]).map(|(&p, q)| {
            let differ = solver.new_var();
            solver.add_clause(&[!differ, p, q]);
            solver.add_clause(&[!differ, !p, !q]);
            differ
        });
        let differences: Vec<Lit> = differences.collect();
        solver.add_clause(&differences);
    }
    let mut assumptions: Vec<Lit> = approximation.assumptions().collect();
    while !solver.solve(&assumptions, &Budget::UNLIMITED).is_sat() {
        let failed = assumptions.into_iter().filter(|&lit| solver.failed(lit)).collect();
        if !approximation.refine(&failed, &mut *solver) {
            return None;
        }
        assumptions = approximation.assumptions().collect();
    }
    let mut is_true = |lit| u32::from(solver.value(lit) == Some(true));
    let colours = vertices.iter().map(|bits| bits.iter().rev().fold(0, |c, &lit| 2 * c + is_true(lit)));
    Some((colours.collect(), approximation.vectors()[0].effective))
}

fn report() -> Option<String> {
    // The graph of Petersen: two cycles of five, and the edges between them.
    let edges = (0..5).flat_map(|v| [(v, (v + 1) % 5), (v + 5, (v + 2) % 5 + 5), (v, v + 5)]);
    let (colours, bits) = colours(10, &edges.collect::<Vec<_>>())?;
    Some(format!("of {bits} bits: {colours:?}\n"))
}

fn main() {
    print!("{}", report().unwrap_or_default());
}

#[test]
fn it_prints_what_the_page_shows() {
    assert!(include_str!("../README.md").contains(&report().unwrap()), "{}", report().unwrap());
}
