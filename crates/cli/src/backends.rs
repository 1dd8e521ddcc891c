//! The table of SAT backends that `--sat list` prints: names, what each can do, what it is, and how to get
//! it.

use bivalve::sat::all_backends;
use bivalve_harness::Table;

/// An aligned table of all backends, the default first, also of those that this build leaves out.
pub(crate) fn table() -> String {
    let columns = [
        "<name",
        "<incremental",
        "<assumptions",
        "<core",
        "<interrupt",
        "<budget",
        "<proof",
        "<licence",
        "<how to get it",
        "<what it is",
    ];
    let mut table = Table::new(columns);
    let yes_no = |yes: bool| if yes { "yes" } else { "no" };
    for backend in all_backends() {
        let can = &backend.capabilities;
        let core = if can.native_core { "native" } else { "by deletion" };
        let assumptions = if can.assumptions { "native" } else { "as units" };
        let [incremental, interrupt, budget, proof] =
            [can.incremental, can.interrupt, can.budget, can.proof].map(yes_no);
        let source = match backend.feature {
            Some(feature) if !backend.is_compiled_in() => &*format!("--features {feature}"),
            _ => "built in",
        };
        let name = &*backend.form();
        let licence = backend.licence;
        let cells = [name, incremental, assumptions, core, interrupt, budget, proof, licence, source];
        table.row(cells.into_iter().chain([backend.about]));
    }
    table.text()
}
