//! What is shown of a tree: its nodes, its state, and how many workers would help.

use super::Args;
use crate::tools::flags::{print, write};
use bivalve::terms::BigInt;
use bivalve_cubes::simulate::{Course, Measured, WEATHERS, course};
use bivalve_cubes::{Answer, Cube, Goal, Optimum, Outcome, State, Tree};
use bivalve_experiment::plot::{self, Line, Lines};
use bivalve_harness::Table;
use serde_json::json;

/// The word for an answer.
fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Unsat => "unsat",
        Answer::Sat { .. } => "sat",
        Answer::Split { .. } => "split",
        Answer::Unknown { .. } => "unknown",
    }
}

/// A line about a node.
pub(super) fn line(cube: &Cube, outcome: &Outcome) -> String {
    let on = match &outcome.answer {
        Answer::Split { term } => format!(" on {term}"),
        _ => String::new(),
    };
    let Outcome { conflicts, seconds, .. } = outcome;
    let cube = if cube.0.is_empty() { "the root".to_owned() } else { cube.to_string() };
    format!("{}{on} ({conflicts} conflicts, {seconds:.1} s): {cube}\n", word(&outcome.answer))
}

/// The tree in a line.
pub(super) fn summary(tree: &Tree) -> String {
    let seconds = tree.nodes.iter().fold(0.0, |all, (_, outcome)| all + outcome.seconds);
    let conflicts: u64 = tree.nodes.iter().map(|(_, outcome)| outcome.conflicts).sum();
    let (nodes, leaves) = (tree.nodes.len(), tree.leaves().len());
    format!("{nodes} nodes, {leaves} leaves refuted, {conflicts} conflicts, {seconds:.1} s of work\n")
}

/// Prints what is known of a tree that is not whole.
pub(super) fn state(args: &Args, tree: &Tree) -> Result<(), String> {
    if args.output.json {
        return print(&(tree_as_json(tree).to_string() + "\n"));
    }
    let mut table = Table::new(["Round", "Nodes", "Unsat", "Sat", "Split", "Open", "Conflicts", "Seconds"]);
    for round in 0..=tree.rounds() {
        let nodes: Vec<&Outcome> =
            tree.nodes.iter().filter(|(cube, _)| cube.0.len() == round).map(|(_, outcome)| outcome).collect();
        let open = if round == tree.rounds() { tree.round.len() - nodes.len() } else { 0 };
        let count = |wanted: &str| nodes.iter().filter(|node| word(&node.answer) == wanted).count();
        let conflicts: u64 = nodes.iter().map(|node| node.conflicts).sum();
        let seconds = nodes.iter().fold(0.0, |all, node| all + node.seconds);
        table.row([
            round.to_string(),
            (nodes.len() + open).to_string(),
            count("unsat").to_string(),
            count("sat").to_string(),
            count("split").to_string(),
            open.to_string(),
            conflicts.to_string(),
            format!("{seconds:.1}"),
        ]);
    }
    print(&table.text())
}

/// What the objectives are worth, as a session says it.
pub(super) fn objectives(found: &Optimum, goals: &[Goal]) -> String {
    let line = |(goal, number): (&Goal, &BigInt)| match *number < BigInt::ZERO {
        true => format!(" ({} (- {}))\n", goal.name, number.magnitude()),
        false => format!(" ({} {number})\n", goal.name),
    };
    format!("(objectives\n{})", goals.iter().zip(&found.values).map(line).collect::<String>())
}

/// Prints the tree as JSON, without times, and the objectives: it is the same in every run.
pub(super) fn json(found: &Optimum, goals: &[Goal]) -> Result<(), String> {
    let mut whole = tree_as_json(&found.tree);
    if !goals.is_empty() && matches!(found.tree.state, State::Sat { .. }) {
        let value =
            |(goal, number): (&Goal, &BigInt)| json!({ "name": goal.name, "value": number.to_string() });
        whole["objectives"] = goals.iter().zip(&found.values).map(value).collect();
    }
    print(&(whole.to_string() + "\n"))
}

fn tree_as_json(tree: &Tree) -> serde_json::Value {
    let node = |(cube, outcome): &(Cube, Outcome)| {
        let bytes = outcome.certificate.as_ref().map(|(_, bytes)| bytes);
        json!({ "cube": cube.to_string(), "found": outcome.answer, "conflicts": outcome.conflicts, "certificate": bytes })
    };
    let answer = match &tree.state {
        State::Open(_) => "open",
        State::Sat { .. } => "sat",
        State::Unsat => "unsat",
        State::Unknown(_) => "unknown",
    };
    let nodes: Vec<_> = tree.nodes.iter().map(node).collect();
    json!({ "answer": answer, "rounds": tree.rounds() + 1, "nodes": nodes })
}

/// The numbers of workers that are simulated.
const WORKERS: [usize; 7] = [10, 30, 100, 300, 1000, 3000, 10_000];

/// All chance of simulations comes from it.
const SEED: u64 = 1;

/// Prints how fast many workers would be, and draws it.
pub(super) fn simulate(args: &Args, tree: &Tree, leaves: u64) -> Result<(), String> {
    let mut measured = Measured::default();
    for (_, outcome) in &tree.nodes {
        match &outcome.answer {
            Answer::Unsat => {
                let bytes = outcome.certificate.as_ref().map_or(0, |(_, bytes)| *bytes);
                measured.leaves.push((outcome.seconds, bytes));
            }
            Answer::Split { .. } => measured.inner.push(outcome.seconds),
            _ => {}
        }
    }
    if measured.leaves.is_empty() {
        return Err(
            "--simulate: expected leaves with times in the log, found none; run without it first".into()
        );
    }
    let mut table =
        Table::new(["<What goes wrong", "Workers", "Seconds", "Speed-up", "Busy", "Waste", "Certificate"]);
    let mut lines: Vec<Line> = vec![];
    for weather in WEATHERS {
        let mut points = vec![];
        for workers in WORKERS {
            let Some(seen) = course(&measured, leaves, workers, weather, SEED) else { continue };
            let Course { seconds, speedup, busy, waste, bytes } = seen;
            points.push((workers as f64, speedup));
            table.row([
                weather.name.to_owned(),
                workers.to_string(),
                format!("{seconds:.0}"),
                format!("{speedup:.1}"),
                format!("{:.0} %", busy * 100.0),
                format!("{:.1} %", waste * 100.0),
                format!("{:.1} GB", bytes as f64 / 1e9),
            ]);
        }
        lines.push((weather.name.to_owned(), points));
    }
    let title = format!("{leaves} leaves, times of {}", measured.leaves.len());
    print(&(format!("{title} measured ones\n") + &table.text()))?;
    let Some(path) = &args.output.output else { return Ok(()) };
    let title = format!("{title} measured leaves");
    let drawn = Lines { title: &title, axes: ["workers", "speed-up over one worker"], lines: &lines };
    write(path, &plot::lines(&drawn).map_err(|error| error.to_string())?)
}
