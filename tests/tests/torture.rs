//! A short torture, of a fixed number of cases; the long one is `cargo xtask torture`.

use bivalve_harness::Cancel;
use bivalve_judge::{Campaign, Inside, Judge, Kind, Record, Tally, USUAL_PERCENT};
use campaign::torture::{CHUNK, Torture};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

const COUNT: u64 = 280;

fn run(jobs: usize, count: u64) -> (Vec<Record>, Tally) {
    let torture = Arc::new(Torture::new(2026));
    let trusted = Inside::new("judge", bivalve::Settings::default(), Duration::from_secs(20));
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let campaign = Campaign { jobs, task: CHUNK as usize, ..Campaign::new(torture.solvers(0), judge) };
    let (mut records, mut tally) = (vec![], Tally::default());
    let done = campaign.run((0..count).map(|number| torture.case(number)), &Cancel::new(), &mut |outcome| {
        let record = outcome.record.expect("all are asked about");
        tally.add(&record);
        records.push(record);
        ControlFlow::Continue(())
    });
    done.expect("threads start");
    (records, tally)
}

#[test]
fn bivalve_stands_a_short_torture() {
    let (records, tally) = run(2, COUNT);
    let findings: Vec<&Record> = records.iter().filter(|record| record.is_finding()).collect();
    assert!(findings.is_empty(), "{findings:#?}");
    // Nobody passes by saying nothing, and the cases are of both kinds.
    for solver in ["first", "second", "plain"] {
        let total = tally.total(solver);
        assert!(total.of(Kind::Passed) + total.imprecise >= COUNT - COUNT / 20, "{}", tally.table());
        assert_eq!(total.of(Kind::Error), 0, "{}", tally.table());
    }
    let of =
        |status: &str| records.iter().filter(|record| record.expected.as_deref() == Some(status)).count();
    assert!(of("sat") as u64 > COUNT / 4 && of("unsat") as u64 > COUNT / 4, "{}", tally.table());
    // Options are drawn, and differ.
    let options: std::collections::BTreeSet<&str> =
        records.iter().flat_map(|record| &record.results).map(|entry| entry.options.as_str()).collect();
    assert!(options.len() as u64 > COUNT / CHUNK, "{options:?}");
}

/// All follows from the seed, but for the times, whoever is first.
#[test]
fn the_same_seed_is_the_same_torture() {
    let [one, two] = [1, 2].map(|jobs| {
        let mut records = run(jobs, 56).0;
        records.iter_mut().flat_map(|record| &mut record.results).for_each(|entry| entry.us = 0);
        records
    });
    assert_eq!(one, two);
}
