//! A check of LRAT that shares nothing with the checker: it reads the two files as text, and knows no more
//! than the format (no RAT).

use std::collections::{BTreeMap, BTreeSet};

fn numbers(line: &str) -> Result<Vec<i64>, String> {
    line.split_whitespace().map(|word| word.parse().map_err(|_| format!("'{word}' in '{line}'"))).collect()
}

/// Does the derivation end in the empty clause, each clause by unit propagation along its hints? Says which
/// line is wrong.
pub(crate) fn check(cnf: &str, lrat: &str) -> Result<(), String> {
    let mut clauses: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let mut lines = cnf.lines().skip_while(|line| line.starts_with('c'));
    let head: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let ["p", "cnf", variables, count] = head[..] else { return Err(format!("{head:?} is no head")) };
    let (variables, count) = (numbers(variables)?[0], numbers(count)?[0]);
    for line in lines {
        let [clause @ .., 0] = &numbers(line)?[..] else { return Err(format!("no end: {line}")) };
        if clause.iter().any(|lit| *lit == 0 || lit.abs() > variables || clause.contains(&-lit)) {
            return Err(format!("not a clause: {line}"));
        }
        clauses.insert(clauses.len() as i64 + 1, clause.to_vec());
    }
    if clauses.len() as i64 != count {
        return Err(format!("{} clauses, not {count}", clauses.len()));
    }
    for line in lrat.lines() {
        let wrong = |why: &str| Err(format!("{why}: {line}"));
        let words = numbers(line)?;
        let parts: Vec<&[i64]> = words.split(|&word| word == 0).collect();
        let [[number, clause @ ..], hints, []] = parts[..] else { return wrong("not an addition") };
        let mut falsified: BTreeSet<i64> = clause.iter().copied().collect();
        let mut is_violated = false;
        for hint in hints {
            let Some(hinted) = clauses.get(hint).filter(|_| !is_violated) else { return wrong("a hint") };
            let open: Vec<i64> = hinted.iter().copied().filter(|lit| !falsified.contains(lit)).collect();
            match open[..] {
                [] => is_violated = true,
                [unit] if falsified.insert(-unit) => {}
                _ => return wrong("a hint forces nothing"),
            }
        }
        if !is_violated || *number <= clauses.len() as i64 || clauses.contains_key(number) {
            return wrong("does not follow");
        }
        if clause.is_empty() {
            return Ok(());
        }
        clauses.insert(*number, clause.to_vec());
    }
    Err("no empty clause".into())
}
