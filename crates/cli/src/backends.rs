//! The list of SAT backends that `--sat list` prints: names, what each can do, and what it is.

use bivalve::sat::{Argument, backends};
use bivalve_harness::Table;

/// An aligned table of the backends that were compiled in, the default first.
pub(crate) fn table() -> String {
    let columns = ["<name", "<incremental", "<core", "<interrupt", "<budget", "<proof", "<what it is"];
    let mut table = Table::new(columns);
    let yes_no = |yes: bool| if yes { "yes" } else { "no" };
    for backend in backends() {
        let can = &backend.capabilities;
        let name = match backend.argument {
            Argument::None => backend.name.to_owned(),
            Argument::Optional(argument) => format!("{}[:{argument}]", backend.name),
            Argument::Required(argument) => format!("{}:{argument}", backend.name),
        };
        let core = if can.native_core { "native" } else { "by deletion" };
        let [incremental, interrupt, budget, proof] =
            [can.incremental, can.interrupt, can.budget, can.proof].map(yes_no);
        table.row([&name, incremental, core, interrupt, budget, proof, backend.about]);
    }
    table.text()
}
