//! Crates that strangers use alone: each has a short program on its front page that needs nothing of Bivalve
//! but the crate and what it depends on. What the programs print is held by tests of their own.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::fs;
use workspace_tests::root;

/// The folder of the crate, and its program.
const PROGRAMS: [(&str, &str); 6] = [
    ("approx", "few_colours"),
    ("arrays", "enumeration"),
    ("bitblast", "factors"),
    ("rewrite", "other_terms"),
    ("sat-adapter", "own_backend"),
    ("terms", "identities"),
];

/// Lines of a program, imports and comments aside.
const MOST_LINES: usize = 40;

/// The program without its head, what it allows itself, and its test.
fn program(text: &str) -> &str {
    let start = text.find("\nuse ").expect("it uses the crate") + 1;
    let end = text.find("#[test]").expect("it has a test");
    text[start..end].trim_end()
}

#[test]
fn front_pages_show_short_programs() {
    for (folder, name) in PROGRAMS {
        let folder = root().join("crates").join(folder);
        let text = fs::read_to_string(folder.join(format!("examples/{name}.rs"))).expect("a program");
        let program = program(&text);
        let is_counted = |line: &&str| {
            !["", "use ", "//"].iter().any(|start| {
                if start.is_empty() { line.trim().is_empty() } else { line.trim_start().starts_with(start) }
            })
        };
        let lines = program.lines().filter(is_counted).count();
        assert!(lines <= MOST_LINES, "{name}: {lines} lines");
        let path = folder.join("README.md");
        let page = fs::read_to_string(&path).expect("a front page");
        let (before, rest) = page.split_once("```rust\n").expect("the page has a program");
        let (shown, after) = rest.split_once("\n```\n").expect("the program ends");
        if shown != program && std::env::var_os("UPDATE_EXPECT").is_some() {
            let page = format!("{before}```rust\n{program}\n```\n{after}");
            fs::write(&path, page).expect("a place for it");
            continue;
        }
        assert_eq!(shown, program, "{}: UPDATE_EXPECT=1 writes it", path.display());
        assert!(before.contains(&format!("examples/{name}.rs")), "{}", path.display());
    }
}

#[test]
fn programs_use_what_their_crate_depends_on() {
    let mut command = MetadataCommand::new();
    let metadata = command.manifest_path(root().join("Cargo.toml")).no_deps().exec().expect("it runs");
    for (folder, name) in PROGRAMS {
        let file = root().join("crates").join(folder).join(format!("examples/{name}.rs"));
        let text = fs::read_to_string(file).expect("a program");
        let crate_name = format!("bivalve-{folder}");
        let package = metadata.packages.iter().find(|package| *package.name == crate_name);
        let package = package.expect("a package of the workspace");
        let normal = package.dependencies.iter().filter(|asked| asked.kind == DependencyKind::Normal);
        let mut below: Vec<String> = normal.map(|asked| asked.name.replace('-', "_")).collect();
        below.push(crate_name.replace('-', "_"));
        let used = text.lines().filter_map(|line| line.strip_prefix("use "));
        for used in used.map(|line| line.split("::").next().unwrap_or(line)).filter(|name| *name != "std") {
            assert!(below.iter().any(|name| name == used), "{folder}/{name}: {used}");
        }
    }
}
