//! `include/bivalve.h` is what cbindgen makes of the functions. `UPDATE_EXPECT=1` writes it anew.

use cbindgen::{Config, EnumConfig, ExportConfig, Language, RenameRule};
use std::path::Path;

const HEAD: &str = "/* Bivalve: an SMT solver for bit-vectors, floating-point numbers, arrays and functions.
 *
 * Made by a test from the sources of bindings/c; not edited by hand.
 *
 * Handles (managers, sorts, terms, solvers) are numbers in a struct, never addresses, so that a wrong one is
 * refused: of a failed call, freed, of another kind, of another manager, made up. The handle of a failed call
 * has the id 0. Nothing but managers and solvers has to be freed.
 *
 * A call that fails returns a status other than BIVALVE_STATUS_OK, the handle 0, a null pointer, or what its
 * comment says; bivalve_error() has the message and bivalve_error_code() the code. Where a comment names no
 * error, a call fails with ARGUMENT, HANDLE or THREAD for wrong handles only. No call ends the process.
 *
 * Addresses: a null pointer is refused. Any other has to lead to what is asked for: a text that ends with a
 * zero byte, so many members, a place for a result.
 *
 * Threads: a manager belongs to the thread that made it. Different threads have different managers.
 */";

fn header() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = [
        ("Status", "bivalve_status"),
        ("Kind", "bivalve_kind"),
        ("SortTag", "bivalve_sort_tag"),
        ("Answer", "bivalve_answer"),
        ("Rounding", "bivalve_rounding"),
        ("Priority", "bivalve_priority"),
    ];
    let export = ExportConfig {
        rename: names.map(|(from, to)| (from.to_owned(), to.to_owned())).into(),
        include: vec!["Kind".into(), "Rounding".into(), "Priority".into()],
        ..ExportConfig::default()
    };
    let config = Config {
        language: Language::C,
        header: Some(HEAD.into()),
        include_guard: Some("BIVALVE_H".into()),
        cpp_compat: true,
        documentation_style: cbindgen::DocumentationStyle::C99,
        line_length: 110,
        sort_by: cbindgen::SortKey::None,
        enumeration: EnumConfig {
            rename_variants: RenameRule::QualifiedScreamingSnakeCase,
            ..EnumConfig::default()
        },
        export,
        ..Config::default()
    };
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in [
        "handles",
        "fault",
        "kinds",
        "api/library",
        "api/sorts",
        "api/floats",
        "api/terms",
        "api/solving",
        "api/values",
        "api/optima",
        "api/models",
        "api/interpolants",
    ] {
        builder = builder.with_src(root.join(format!("src/{file}.rs")));
    }
    let mut text = vec![];
    builder.generate().expect("the sources can be read").write(&mut text);
    String::from_utf8(text).expect("a header is text")
}

#[test]
fn the_header_is_that_of_the_functions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/bivalve.h");
    let made = header();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &made).expect("the header can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(made == kept, "include/bivalve.h is not up to date; UPDATE_EXPECT=1 writes it");
    assert!(kept.contains("bivalve_check_assuming(") && kept.contains("BIVALVE_KIND_BV_ADD = "), "{kept}");
}
