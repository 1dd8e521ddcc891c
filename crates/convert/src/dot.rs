//! The printer of DOT, the language of Graphviz: a node for each term, an edge to each argument.
//!
//! Symbols are boxes, constants are plain, everything else is named by its operator. What is asserted, and
//! the parts of a transition system, are nodes of their own that point to their terms.

use bivalve_systems::System;
use bivalve_terms::{Op, Pool, Term, cone};
use std::fmt::Write;

/// The terms below the parts of a system, as a directed graph.
pub(crate) fn print(pool: &Pool, system: &System) -> String {
    let mut text = String::from("digraph {\n  node [fontname=monospace];\n");
    for term in cone(pool, &system.terms()) {
        let number = term.index();
        let (label, shape) = match pool.op(term) {
            Op::Symbol => (pool.name(term).unwrap_or_default().to_owned(), "box"),
            Op::Const => (pool.display(term).to_string(), "plaintext"),
            _ => (operator(pool, term), "ellipse"),
        };
        line(&mut text, format_args!("t{number} [label=\"{}\", shape={shape}]", escaped(&label)));
        for (place, arg) in pool.args(term).iter().enumerate() {
            line(&mut text, format_args!("t{number} -> t{} [label={place}]", arg.index()));
        }
    }
    for (number, (kind, name, terms)) in roots(system).into_iter().enumerate() {
        let label = name.map_or(kind.to_owned(), |name| format!("{kind} {name}"));
        line(&mut text, format_args!("r{number} [label=\"{}\", shape=octagon]", escaped(&label)));
        for term in terms {
            line(&mut text, format_args!("r{number} -> t{}", term.index()));
        }
    }
    text.push_str("}\n");
    text
}

/// The parts of a system: kind, name, terms.
fn roots(system: &System) -> Vec<(&'static str, Option<&str>, Vec<Term>)> {
    let mut roots = vec![];
    for state in &system.states {
        roots.extend(state.init.map(|init| ("init", state.name.as_deref(), vec![state.term, init])));
        roots.extend(state.next.map(|next| ("next", state.name.as_deref(), vec![state.term, next])));
    }
    for (kind, list) in [("constraint", &system.constraints), ("bad", &system.bads), ("fair", &system.fairs)]
    {
        roots.extend(list.iter().map(|property| (kind, property.name.as_deref(), vec![property.term])));
    }
    for justice in &system.justices {
        roots.push(("justice", justice.name.as_deref(), justice.terms.clone()));
    }
    roots.extend(system.outputs.iter().map(|o| ("output", o.name.as_deref(), vec![o.term])));
    roots
}

/// The operator with its indices.
fn operator(pool: &Pool, term: Term) -> String {
    let indices: Vec<String> = pool.indices(term).iter().map(u32::to_string).collect();
    let name = match pool.op(term) {
        Op::Apply => "apply",
        op => op.name(),
    };
    if indices.is_empty() { name.to_owned() } else { format!("{name} {}", indices.join(" ")) }
}

fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ")
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "  {content};").expect("a string can be written to");
}
