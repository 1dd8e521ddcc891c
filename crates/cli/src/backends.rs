//! The list of SAT backends that `--sat list` prints: names, what each can do, and what it is.

use bivalve::sat::{Argument, backends};

/// An aligned table of the backends that were compiled in, the default first.
pub(crate) fn table() -> String {
    let header =
        ["name", "incremental", "core", "interrupt", "budget", "proof", "what it is"].map(String::from);
    let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let rows = backends().iter().map(|backend| {
        let can = &backend.capabilities;
        let name = match backend.argument {
            Argument::None => backend.name.to_owned(),
            Argument::Optional(argument) => format!("{}[:{argument}]", backend.name),
            Argument::Required(argument) => format!("{}:{argument}", backend.name),
        };
        let core = if can.native_core { "native" } else { "by deletion" }.to_owned();
        let about = backend.about.to_owned();
        [
            name,
            yes_no(can.incremental),
            core,
            yes_no(can.interrupt),
            yes_no(can.budget),
            yes_no(can.proof),
            about,
        ]
    });
    let rows: Vec<[String; 7]> = std::iter::once(header).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |row: &[String; 7]| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
