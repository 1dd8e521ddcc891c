//! What a registry asks of every package: words, licences, versions, and a front page with an example; and
//! that packages of the solver have the checker of its certificates.
//!
//! `cargo package --workspace` warns about some of it and says nothing of the rest, so it is held here, from
//! `cargo metadata`.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use workspace_tests::{root, rust_files};

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata runs")
}

fn is_published(package: &Package) -> bool {
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}

#[test]
fn every_package_says_what_it_is() {
    let metadata = metadata();
    for package in metadata.packages.iter().filter(|package| is_published(package)) {
        let name = &package.name;
        assert!(package.description.is_some() && package.repository.is_some(), "{name}");
        assert!(package.license.as_deref() == Some("MIT OR Apache-2.0"), "{name}");
        assert!((1..=5).contains(&package.keywords.len()), "{name}: {:?}", package.keywords);
        assert!(package.keywords.iter().all(|word| word.len() <= 20), "{name}: {:?}", package.keywords);
        assert!(!package.categories.is_empty(), "{name}");
        let folder = package.manifest_path.parent().expect("a manifest is in a folder");
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(folder.join(file).exists(), "{name}: {file}");
        }
        let readme = std::fs::read_to_string(folder.join("README.md")).expect("a readable file");
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}: {readme}");
        let description = package.description.as_deref().unwrap_or_default();
        assert!(readme.contains(description), "{name}: the README has another description");
    }
}

/// A registry takes a package after those that it asks for, so there must be an order. Dependencies of tests
/// without a version are not asked for.
#[test]
fn packages_can_be_published_one_after_the_other() {
    let metadata = metadata();
    let mut left: Vec<&Package> = metadata.packages.iter().filter(|package| is_published(package)).collect();
    for package in &left {
        let inside = package.dependencies.iter().filter(|dependency| dependency.path.is_some());
        for dependency in inside.filter(|dependency| dependency.kind != DependencyKind::Development) {
            assert_ne!(dependency.req.to_string(), "*", "{}: {}", package.name, dependency.name);
        }
    }
    while !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|package| package.name.as_str()).collect();
        let asks_for = |package: &Package| {
            let mut asked = package.dependencies.iter().filter(|asked| asked.req.to_string() != "*");
            asked.any(|asked| names.contains(&asked.name.as_str()))
        };
        let waiting: Vec<&Package> = left.iter().copied().filter(|package| asks_for(package)).collect();
        assert!(waiting.len() < left.len(), "these ask for each other: {names:?}");
        left = waiting;
    }
}

#[test]
fn every_front_page_has_an_example() {
    let metadata = metadata();
    for package in metadata.packages.iter().filter(|package| is_published(package)) {
        let Some(library) = package.targets.iter().find(|target| target.is_lib()) else { continue };
        let text = std::fs::read_to_string(&library.src_path).expect("a readable file");
        let has_example = text.lines().any(|line| line == "//! ```");
        assert!(has_example, "{}", package.name);
    }
}

/// A library without unit tests says so, and is not built a second time for them.
#[test]
fn libraries_are_built_for_tests_if_they_have_some() {
    for package in metadata().packages {
        let Some(library) = package.targets.iter().find(|target| target.is_lib() || target.is_cdylib())
        else {
            continue;
        };
        let sources = library.src_path.parent().expect("a source is in a folder");
        let sources = sources.strip_prefix(root()).expect("a package is in the workspace");
        let mut own = rust_files().into_iter().filter(|file| file.starts_with(sources));
        let has_tests = own.any(|file| {
            let text = std::fs::read_to_string(root().join(file)).expect("a readable file");
            text.lines().any(|line| line.trim_start().starts_with("#[cfg(test)]"))
        });
        assert_eq!(library.test, has_tests, "{}", package.name);
    }
}

/// `cargo install`, the package of Debian, the wheel and the image have `bivalve-check`;
/// `tests/packages/try.sh` runs it in each.
#[test]
fn the_checker_is_in_every_package() {
    let metadata = metadata();
    let cli =
        metadata.packages.iter().find(|package| package.name == "cli").expect("there is a command line");
    let programs = cli.targets.iter().filter(|target| target.is_bin() && target.required_features.is_empty());
    assert_eq!(programs.map(|target| target.name.as_str()).collect::<Vec<_>>(), ["bivalve", "bivalve-check"]);
    assert_eq!(cli.default_run.as_deref(), Some("bivalve"));
    for (file, line) in [
        ("crates/cli/Cargo.toml", "[\"target/release/bivalve-check\", \"usr/bin/\", \"755\"]"),
        ("bindings/python/pyproject.toml", "bivalve-check = \"bivalve._check:main\""),
        ("Containerfile", "/dist/bivalve-check "),
        ("docs/install.md", "`bivalve-check` verifies"),
    ] {
        let text = std::fs::read_to_string(root().join(file)).expect("a readable file");
        assert!(text.contains(line), "{file}: {line}");
    }
}

/// The README and the page about packages say with which Rust it is built, as the manifest does.
#[test]
fn documents_have_the_version_of_rust() {
    let metadata = metadata();
    let cli =
        metadata.packages.iter().find(|package| package.name == "cli").expect("there is a command line");
    let version = cli.rust_version.as_ref().expect("the workspace has a version of Rust");
    let rust = format!("Rust {}.{} ", version.major, version.minor);
    for file in ["README.md", "docs/install.md"] {
        let text = std::fs::read_to_string(root().join(file)).expect("a readable file");
        assert!(text.contains(&rust), "{file}: {rust}");
    }
}

/// What a release build leaves as it is, what is handed out has optimised.
#[test]
fn the_same_packages_are_named_in_both_profiles() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("a readable file");
    let rows = |section: &str, level: &str| -> Vec<String> {
        let (_, rest) = text.split_once(&format!("[{section}]\n")).expect("there is this section");
        let rows = rest.lines().take_while(|line| !line.is_empty());
        let name = |row: &str| row.strip_suffix(level).expect("each row has the level").to_owned();
        rows.map(name).collect()
    };
    let quick = rows("profile.release.package", ".opt-level = 0");
    assert!(!quick.is_empty());
    assert_eq!(quick, rows("profile.dist.package", ".opt-level = 3"));
}
