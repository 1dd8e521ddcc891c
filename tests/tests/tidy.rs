//! Tidiness that a machine can see: heads, lengths, and who prints.
//!
//! Every Rust file opens with an essay; files and functions stay short enough to be read at once; libraries
//! neither print nor exit nor read the clock or the environment; `unsafe` stands where it has a reason. An
//! exception is a row in a table here, with its reason, so that each is a decision somebody can read.

use proc_macro2::Span;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use workspace_tests::{root, rust_files};

/// Lines of a file before its tests.
const FILE_LIMIT: usize = 600;

/// Lines of a function.
const FUNCTION_LIMIT: usize = 100;

/// Files longer than [`FILE_LIMIT`], and why.
const LONG_FILES: &[(&str, &str)] = &[];

/// Lines of the checker of certificates, all of which may have to be read by those who trust it. Reading
/// scripts to the letter took 200 of them, budgets of time and memory 130, and floating point 1,100: its
/// operators and what they mean as bit-vectors. The tree of checks that are refuted case by case took 80,
/// floats that are quantified 20, reals as words 70, and records 300: declarations, operators, and words with
/// what holds of them; `match` took 100 more. Sums of comparisons over floats took 270: their forms and exact
/// arithmetic, since no proof by circuits of what they refute is short; and boxes for the same reason 470:
/// intervals for all operators and classes.
const CHECKER_LIMIT: usize = 6_980;

/// Functions longer than [`FUNCTION_LIMIT`], as `file: function`, and why.
const LONG_FUNCTIONS: &[(&str, &str)] = &[];

/// Columns of a comment; rows of tables are longer where they have to be.
const COMMENT_LIMIT: usize = 110;

/// Where printing, exiting, the environment and the clock are at home.
const SPEAKERS: &[&str] = &["crates/cli/", "xtask/", "tests/"];

/// Who may look at the clock all the same: it runs other people's programs or scripts, under limits of time,
/// or keeps such limits for callers in other languages.
const CLOCK_READERS: &[&str] = &[
    "crates/harness/",
    "crates/judge/",
    "crates/language-server/src/check.rs",
    "bindings/c/src/checker.rs",
    "bindings/python/src/watch.rs",
];

/// What belongs to the speakers alone.
const SPEECH: &[&str] = &[
    "println!",
    "eprintln!",
    "print!(",
    "eprint!(",
    "process::exit",
    "env::var",
    "Instant::now",
    "SystemTime",
];

fn read(path: &Path) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn name_of(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The part of a file before its unit tests, as lines.
fn body(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"))
}

fn is_test_code(path: &Path) -> bool {
    path.components().any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "benches" | "examples")))
}

/// Lines of code without comments at their ends.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    body(text).map(|line| line.split("//").next().unwrap_or("")).filter(|line| !line.trim().is_empty())
}

/// Lines of code of the checker's files below a name, and with their comments.
fn checker_lines(below: &str) -> (usize, usize) {
    let folder = format!("crates/checker/src/{below}");
    let files: Vec<String> = rust_files()
        .iter()
        .filter(|path| name_of(path).starts_with(&folder))
        .map(|path| read(path))
        .collect();
    let written = |text: &String| body(text).filter(|line| !line.trim().is_empty()).count();
    (files.iter().map(|text| code_lines(text).count()).sum(), files.iter().map(written).sum())
}

#[test]
fn the_checker_is_short() {
    let (lines, _) = checker_lines("");
    assert!((1_000..=CHECKER_LIMIT).contains(&lines), "the checker has {lines} lines of code");
}

/// A page says how many lines have to be trusted.
#[test]
fn the_page_about_certificates_says_how_long_the_checker_is() {
    let page = read(Path::new("docs/certificates.md")).replace('\n', " ");
    let round = |lines: usize, to: usize| {
        let rounded = (lines + to / 2) / to * to;
        match rounded {
            1000.. => format!("{},{:03}", rounded / 1000, rounded % 1000),
            _ => rounded.to_string(),
        }
    };
    let ((all, with_comments), (lrat, lrat_with_comments)) = (checker_lines(""), checker_lines("lrat"));
    let told = [
        format!("about {} lines of Rust without `unsafe`", round(all - lrat, 100)),
        format!("({} with comments", round(with_comments - lrat_with_comments, 100)),
        format!("`lrat`, {} lines more", round(lrat, 10)),
        format!("`crates/checker/src/floats`, {} lines", round(checker_lines("floats").0, 10)),
    ];
    for told in told {
        assert!(page.contains(&told), "docs/certificates.md does not say: {told}");
    }
}

#[test]
fn every_file_opens_with_an_essay() {
    for path in rust_files() {
        let first = read(&path).lines().next().unwrap_or_default().to_owned();
        assert!(first.starts_with("//! "), "{}: the first line is not a head (//! ...)", path.display());
    }
}

#[test]
fn comments_are_wrapped() {
    for path in rust_files() {
        for (line, number) in read(&path).lines().zip(1..) {
            let comment = line.trim_start();
            let is_comment = comment.starts_with("//");
            let is_row = comment.trim_start_matches(['/', '!']).trim_start().starts_with('|');
            let columns = line.chars().count();
            assert!(
                !is_comment || is_row || columns <= COMMENT_LIMIT,
                "{}:{number}: {columns} columns, at most {COMMENT_LIMIT}",
                path.display()
            );
        }
    }
}

#[test]
fn files_are_short() {
    for path in rust_files() {
        let lines = body(&read(&path)).count();
        let name = name_of(&path);
        let excused = LONG_FILES.iter().any(|(file, _)| *file == name);
        assert!(
            lines <= FILE_LIMIT || excused,
            "{name}: {lines} lines before its tests, at most {FILE_LIMIT}"
        );
        assert!(lines > FILE_LIMIT || !excused, "{name} is short now: take it off the list");
    }
}

/// Lengths of all functions of a file, found by parsing it.
struct Lengths {
    found: Vec<(String, usize)>,
}

impl Lengths {
    fn note(&mut self, name: &syn::Ident, whole: Span) {
        self.found.push((name.to_string(), whole.end().line - whole.start().line + 1));
    }
}

impl<'a> Visit<'a> for Lengths {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.note(&item.sig.ident, item.block.span());
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.note(&item.sig.ident, item.block.span());
        visit::visit_impl_item_fn(self, item);
    }
}

#[test]
fn functions_are_short() {
    for path in rust_files() {
        let file = syn::parse_file(&read(&path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut lengths = Lengths { found: vec![] };
        lengths.visit_file(&file);
        for (function, lines) in lengths.found {
            let name = format!("{}: {function}", name_of(&path));
            let excused = LONG_FUNCTIONS.iter().any(|(row, _)| *row == name);
            assert!(lines <= FUNCTION_LIMIT || excused, "{name}: {lines} lines, at most {FUNCTION_LIMIT}");
        }
    }
}

#[test]
fn libraries_do_not_speak() {
    for path in rust_files() {
        let name = name_of(&path);
        if SPEAKERS.iter().any(|place| name.starts_with(place)) || is_test_code(&path) {
            continue;
        }
        let looks_at_the_clock = CLOCK_READERS.iter().any(|place| name.starts_with(place));
        let is_excused = |word: &&&str| looks_at_the_clock && **word == "Instant::now";
        for line in code_lines(&read(&path)) {
            let word = SPEECH.iter().find(|word| line.contains(**word) && !is_excused(word));
            assert!(word.is_none(), "{name}: that belongs to the command line: {}", line.trim());
        }
    }
}

/// Where unsafe code may stand, and why.
const UNSAFE: &[(&str, &str)] = &[
    ("crates/sat-adapter/src/backends/ipasir/library.rs", "functions of shared libraries are called"),
    ("crates/cli/src/exhausted.rs", "a signal handler is registered"),
    ("bindings/c/src/pointers.rs", "addresses of C programs are followed"),
    ("bindings/c/src/streams.rs", "streams and memory of the C library"),
    ("bindings/c/src/ending.rs", "functions of C programs are told what is wrong"),
    ("bindings/c/src/api/", "functions have names of C, and hand addresses over to `pointers`"),
    ("bindings/c/src/boolector/abi.rs", "likewise"),
    ("bindings/c/src/boolector/operators.rs", "likewise"),
    ("bindings/c/src/boolector/streams_abi.rs", "likewise"),
    ("bindings/c/src/stp/abi.rs", "likewise"),
    ("bindings/c/src/stp/looking.rs", "likewise"),
    ("bindings/python/src/solver.rs", "a solver of the library's own parts goes from thread to thread"),
];

#[test]
fn unsafe_code_stands_where_it_has_a_reason() {
    for path in rust_files() {
        let name = name_of(&path);
        if UNSAFE.iter().any(|(place, _)| name.starts_with(place)) || is_test_code(&path) {
            continue;
        }
        for line in code_lines(&read(&path)) {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(words.all(|word| word != "unsafe"), "{name}: {}", line.trim());
        }
    }
}

#[test]
fn nothing_is_left_for_later() {
    for path in rust_files().iter().filter(|path| !path.ends_with("tests/tests/tidy.rs")) {
        for mark in ["TODO", "FIXME", "todo!(", "unimplemented!("] {
            let text = read(path);
            let line = text.lines().find(|line| line.contains(mark));
            assert!(
                line.is_none(),
                "{}: {mark}: file an issue instead: {}",
                path.display(),
                line.unwrap_or_default()
            );
        }
    }
}

/// The tests of a crate are modules of one program, so a file that it does not name would not be run.
#[test]
fn every_file_of_tests_is_run() {
    let files = rust_files();
    for all in files.iter().filter(|path| path.ends_with("tests/all.rs")) {
        let folder = all.parent().expect("it is in a folder");
        let manifest = read(&folder.with_file_name("Cargo.toml"));
        let named = read(all);
        for path in files.iter().filter(|path| path.parent() == Some(folder)) {
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            let is_run = named.contains(&format!("mod {name};\n"))
                || manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            assert!(is_run, "{} is in no program of tests", path.display());
        }
    }
}

/// A test that is ignored because it needs something is run where that is, and left out elsewhere: there is a
/// line for each reason. One was forgotten, and would have failed where there is no Yosys.
#[test]
fn what_ignored_tests_need_is_looked_for_before_they_are_run() {
    let script = std::fs::read_to_string(root().join(".ci/run")).expect("a readable file");
    let words = script.lines().filter_map(|line| line.split_once("|| without "));
    let looked_for: Vec<&str> = words.map(|(_, what)| what.trim_matches('"')).collect();
    let mut reasons = 0;
    for file in rust_files() {
        let text = std::fs::read_to_string(root().join(&file)).expect("a readable file");
        for reason in text.lines().filter_map(|line| line.trim().strip_prefix("#[ignore = \"needs ")) {
            let is_known = looked_for.iter().any(|what| reason.starts_with(what));
            assert!(is_known, "{}: .ci/run does not look for {reason}", file.display());
            reasons += 1;
        }
    }
    assert!(reasons > 10, "{reasons}");
}
