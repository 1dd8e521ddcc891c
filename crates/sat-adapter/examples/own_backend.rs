//! A SAT solver of one's own behind the seam, tried by the conformance suite that all backends pass:
//! `cargo run --release -p bivalve-sat-adapter --example own_backend`.

#![allow(clippy::print_stdout, reason = "an example that speaks")]

use bivalve_sat_adapter::{Answer, Budget, CnfLog, Incremental, Lit, OneShot, Stop, conformance};

/// Decides, propagates, and turns decisions round (Davis, Logemann and Loveland, 1962).
struct Dpll;

fn search(clauses: &[&[Lit]], mut values: Vec<Option<bool>>) -> Answer {
    let value = |values: &[Option<bool>], lit: Lit| values[lit.var() as usize - 1].map(|v| lit.under(v));
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for clause in clauses {
            let mut open = clause.iter().filter(|&&lit| value(&values, lit) != Some(false));
            match (open.next(), open.next()) {
                (None, _) => return Answer::Unsat,
                (Some(&unit), None) if value(&values, unit).is_none() => {
                    values[unit.var() as usize - 1] = Some(!unit.is_negative());
                    is_new = true;
                }
                _ => {}
            }
        }
    }
    let Some(free) = values.iter().position(Option::is_none) else {
        return Answer::Sat(values.into_iter().flatten().collect());
    };
    values[free] = Some(false);
    match search(clauses, values.clone()) {
        Answer::Unsat => values[free] = Some(true),
        answer => return answer,
    }
    search(clauses, values)
}

impl OneShot for Dpll {
    fn name(&self) -> &'static str {
        "dpll"
    }

    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], _: &Budget, _: &Stop) -> Answer {
        let clauses: Vec<&[Lit]> = cnf.clauses().chain(units.chunks(1)).collect();
        search(&clauses, vec![None; cnf.variables() as usize])
    }
}

fn main() {
    conformance::run(&|| Box::new(Incremental::new(Dpll)));
    println!("it conforms");
}

#[test]
fn it_conforms() {
    main();
}
