//! The dependencies between the crates, as ARCHITECTURE.md has them, compared with `cargo metadata`.
//!
//! A dependency that is not in the table below fails the test, and so does a crate without a row, so that a
//! new crate states its place. Dev-dependencies are free: tests may use any crate.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};

/// Each package and the packages of the workspace that it may depend on.
const LAW: &[(&str, &[&str])] = &[
    ("bivalve-terms", &["bivalve-floats", "bivalve-limits"]),
    ("bivalve-limits", &[]),
    ("bivalve-backtrack", &[]),
    ("bivalve-floats", &[]),
    ("bivalve-sat-adapter", &["bivalve-limits"]),
    ("bivalve-faults", &[]),
    ("bivalve-systems", &["bivalve-terms"]),
    ("bivalve-waveforms", &["bivalve-systems", "bivalve-terms"]),
    ("bivalve-formats", &["bivalve-limits", "bivalve-lowering", "bivalve-systems", "bivalve-terms"]),
    ("bivalve-lowering", &["bivalve-floats", "bivalve-terms"]),
    ("bivalve-statements", &["bivalve-terms"]),
    ("bivalve-algebra", &["bivalve-limits", "bivalve-statements", "bivalve-terms"]),
    ("bivalve-rewrite", &["bivalve-faults", "bivalve-limits", "bivalve-statements", "bivalve-terms"]),
    (
        "bivalve-preprocess",
        &[
            "bivalve-algebra",
            "bivalve-backtrack",
            "bivalve-domains",
            "bivalve-faults",
            "bivalve-limits",
            "bivalve-rewrite",
            "bivalve-terms",
        ],
    ),
    ("bivalve-domains", &["bivalve-limits", "bivalve-terms"]),
    ("bivalve-local-search", &["bivalve-domains", "bivalve-limits", "bivalve-terms"]),
    ("bivalve-bitblast", &["bivalve-algebra", "bivalve-faults", "bivalve-terms", "bivalve-sat-adapter"]),
    ("bivalve-fuzz", &["bivalve-terms", "bivalve-formats", "bivalve-rewrite", "bivalve-systems"]),
    ("bivalve-refine", &["bivalve-backtrack", "bivalve-limits", "bivalve-terms"]),
    (
        "bivalve-arrays",
        &["bivalve-backtrack", "bivalve-faults", "bivalve-limits", "bivalve-refine", "bivalve-terms"],
    ),
    (
        "bivalve-abstraction",
        &["bivalve-backtrack", "bivalve-limits", "bivalve-refine", "bivalve-statements", "bivalve-terms"],
    ),
    ("bivalve-orders", &["bivalve-backtrack", "bivalve-limits", "bivalve-refine", "bivalve-terms"]),
    ("bivalve-quantifiers", &["bivalve-limits", "bivalve-rewrite", "bivalve-terms"]),
    ("bivalve-approx", &["bivalve-sat-adapter"]),
    (
        "bivalve",
        &[
            "bivalve-terms",
            "bivalve-preprocess",
            "bivalve-rewrite",
            "bivalve-arrays",
            "bivalve-abstraction",
            "bivalve-approx",
            "bivalve-bitblast",
            "bivalve-faults",
            "bivalve-limits",
            "bivalve-local-search",
            "bivalve-lowering",
            "bivalve-orders",
            "bivalve-quantifiers",
            "bivalve-refine",
            "bivalve-sat-adapter",
        ],
    ),
    (
        "bivalve-convert",
        &[
            "bivalve-bitblast",
            "bivalve-formats",
            "bivalve-lowering",
            "bivalve-rewrite",
            "bivalve-systems",
            "bivalve-terms",
        ],
    ),
    ("bivalve-delta", &["bivalve-formats", "bivalve-limits", "bivalve-terms"]),
    ("bivalve-harness", &["bivalve-formats", "bivalve-limits"]),
    ("bivalve-explain", &["bivalve", "bivalve-systems"]),
    ("bivalve-optimise", &["bivalve"]),
    ("bivalve-interpolate", &["bivalve"]),
    ("bivalve-enumerate", &["bivalve", "bivalve-systems"]),
    ("bivalve-model-check", &["bivalve", "bivalve-limits", "bivalve-systems"]),
    ("bivalve-checker", &[]),
    (
        "bivalve-certificate",
        &[
            "bivalve-algebra",
            "bivalve-arrays",
            "bivalve-bitblast",
            "bivalve-checker",
            "bivalve-domains",
            "bivalve-limits",
            "bivalve-local-search",
            "bivalve-preprocess",
            "bivalve-refine",
            "bivalve-rewrite",
            "bivalve-sat-adapter",
            "bivalve-terms",
        ],
    ),
    ("bivalve-portfolio", &["bivalve", "bivalve-limits", "bivalve-terms"]),
    (
        "bivalve-session",
        &[
            "bivalve",
            "bivalve-certificate",
            "bivalve-checker",
            "bivalve-enumerate",
            "bivalve-explain",
            "bivalve-formats",
            "bivalve-interpolate",
            "bivalve-optimise",
            "bivalve-portfolio",
        ],
    ),
    ("bivalve-language-server", &["bivalve", "bivalve-formats", "bivalve-session"]),
    ("bivalve-wasm", &["bivalve", "bivalve-explain", "bivalve-formats", "bivalve-session"]),
    (
        "bivalve-cubes",
        &[
            "bivalve",
            "bivalve-certificate",
            "bivalve-domains",
            "bivalve-formats",
            "bivalve-harness",
            "bivalve-limits",
            "bivalve-session",
        ],
    ),
    (
        "bivalve-judge",
        &[
            "bivalve",
            "bivalve-checker",
            "bivalve-delta",
            "bivalve-formats",
            "bivalve-harness",
            "bivalve-session",
            "bivalve-terms",
        ],
    ),
    (
        "bivalve-c",
        &[
            "bivalve",
            "bivalve-checker",
            "bivalve-enumerate",
            "bivalve-explain",
            "bivalve-formats",
            "bivalve-interpolate",
            "bivalve-optimise",
            "bivalve-session",
            "bivalve-systems",
        ],
    ),
    ("bivalve-experiment", &["bivalve-formats", "bivalve-harness"]),
    (
        "cli",
        &[
            "bivalve",
            "bivalve-checker",
            "bivalve-convert",
            "bivalve-cubes",
            "bivalve-delta",
            "bivalve-experiment",
            "bivalve-explain",
            "bivalve-formats",
            "bivalve-fuzz",
            "bivalve-harness",
            "bivalve-judge",
            "bivalve-language-server",
            "bivalve-model-check",
            "bivalve-session",
            "bivalve-systems",
            "bivalve-waveforms",
        ],
    ),
    (
        "bivalve-python",
        &[
            "bivalve",
            "bivalve-checker",
            "bivalve-enumerate",
            "bivalve-explain",
            "bivalve-formats",
            "bivalve-interpolate",
            "bivalve-optimise",
            "bivalve-session",
        ],
    ),
    ("xtask", &["bivalve-faults"]),
    ("workspace-tests", &[]),
];

/// Packages that print.
const SPEAKERS: &[&str] = &["cli", "xtask", "workspace-tests"];

/// Crates from the registry that have no place in a library of this workspace.
const NOT_IN_LIBRARIES: &[&str] = &["clap", "indicatif", "signal-hook", "plotters", "anyhow", "log"];

/// Libraries that have one of these all the same, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("bivalve-experiment", "plotters", "its plots are text that it returns; it writes none of them"),
    ("bivalve-waveforms", "plotters", "its pictures are text, written where the caller says"),
];

fn normal_dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let manifest = workspace_tests::root().join("Cargo.toml");
    let metadata =
        MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata runs");
    let edges = metadata.packages.iter().map(|package| {
        let normal = package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal);
        (package.name.to_string(), normal.map(|d| d.name.clone()).collect())
    });
    edges.collect()
}

#[test]
fn dependencies_are_those_of_the_table() {
    let edges = normal_dependencies();
    let law: BTreeMap<&str, BTreeSet<&str>> =
        LAW.iter().map(|(name, may)| (*name, may.iter().copied().collect())).collect();
    let members: BTreeSet<&str> = edges.keys().map(String::as_str).collect();
    assert_eq!(members, law.keys().copied().collect(), "every package has its row, and only packages have");
    for (package, dependencies) in &edges {
        for dependency in dependencies.iter().map(String::as_str).filter(|d| members.contains(d)) {
            assert!(law[package.as_str()].contains(dependency), "{package} must not depend on {dependency}");
        }
    }
}

#[test]
fn libraries_do_not_depend_on_what_speaks_to_people() {
    for (package, dependencies) in normal_dependencies() {
        if SPEAKERS.contains(&package.as_str()) {
            continue;
        }
        for dependency in &dependencies {
            let is_excused = EXCEPTIONS.iter().any(|(who, what, _)| (*who, *what) == (&package, dependency));
            let is_out_of_place = NOT_IN_LIBRARIES.contains(&dependency.as_str());
            assert!(
                is_out_of_place == is_excused,
                "{package} must not use {dependency}, or is no exception any more"
            );
        }
    }
}
