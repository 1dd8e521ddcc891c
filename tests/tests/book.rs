//! README and book say what is so: every command they show prints what they show, and the page of options is
//! that of the table.
//!
//! A block marked `console` is run line by line in the folder of the workspace, with `bivalve` on the path: a
//! line that begins with `$ ` is a command for the shell, the lines below it are what it prints on standard
//! output. `UPDATE_EXPECT=1` writes the page of options anew.

#![cfg(unix)]

use bivalve::{OPTIONS, Settings};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use workspace_tests::{bivalve, pages, root};

/// The commands of a page, each with what it prints.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = vec![];
    let mut is_console = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), line.strip_prefix("$ ")) {
            (Some(language), _) => is_console = language == "console",
            (None, Some(command)) if is_console => commands.push((command.to_owned(), String::new())),
            (None, _) if is_console => {
                let (_, output) = commands.last_mut().expect("a block begins with a command");
                *output += line;
                output.push('\n');
            }
            _ => {}
        }
    }
    commands
}

/// The pictures of the book, by name.
fn pictures() -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(root().join("docs")).expect("the folder of documents");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let pictures = paths.filter(|path| path.extension().is_some_and(|extension| extension == "svg"));
    pictures.map(|path| (path.clone(), std::fs::read(path).expect("a picture"))).collect()
}

/// Commands that draw a picture draw the one that is there.
#[test]
fn every_command_prints_what_is_shown() {
    let shown = pictures();
    let folder = bivalve().parent().expect("the binary is in a folder");
    let path = format!("PATH='{}':\"$PATH\"", folder.display());
    let mut run = 0;
    for (page, text) in pages() {
        for (command, expected) in commands(&text) {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("{path}; {command}")]).current_dir(root());
            let output = shell.output().expect("a shell");
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let printed =
                if printed.is_empty() || printed.ends_with('\n') { printed } else { printed + "\n" };
            assert_eq!(printed, expected, "{}: {command}", page.display());
            run += 1;
        }
    }
    assert!(run >= 15, "only {run} commands");
    let drawn = pictures();
    let changed: Vec<&PathBuf> = drawn.keys().filter(|path| drawn.get(*path) != shown.get(*path)).collect();
    assert!(changed.is_empty(), "{changed:?}");
}

/// The page of options: the two tables of the solver's options, and the short help for the others.
fn options_page() -> String {
    let defaults = Settings::default();
    let mut page = String::from(
        "# Options\n\nMade of the table of options by a test. An option `name` of the solver is `--name VALUE` on the \
         command line,\n`(set-option :name VALUE)` in a script and a field of `Settings` in the library.\n",
    );
    for (heading, is_research) in [("The solver", false), ("Research", true)] {
        let _ = write!(
            page,
            "\n## {heading}\n\n| option | values | default | what it does |\n|---|---|---|---|\n"
        );
        // `plant` is an option of builds with deliberate faults, as that of the tests is.
        let rows = OPTIONS.iter().filter(|row| row.is_research == is_research && row.name != "plant");
        for row in rows {
            let default = defaults.get(row.name).expect("rows have names of options");
            let values = row.placeholder.replace('|', ", ");
            let _ = writeln!(page, "| `{}` | {values} | {default} | {} |", row.name, row.help);
        }
    }
    let help = Command::new(bivalve()).arg("-h").output().expect("the binary runs").stdout;
    let _ = write!(page, "\n## The command line\n\n```text\n{}```\n", String::from_utf8_lossy(&help));
    page
}

#[test]
fn the_page_of_options_is_that_of_the_table() {
    let path: &Path = &root().join("docs/options.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, options_page()).expect("the page can be written");
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == options_page(), "docs/options.md is not up to date; UPDATE_EXPECT=1 writes it");
}
