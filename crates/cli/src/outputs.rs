//! Outputs that are no inputs: the one place where that is decided, and where files are written.
//!
//! Each option that names a file or a folder has a row that says what is done with it; a test finds options
//! without one. What a command line reads is noted before anything runs, and compared with what it writes:
//! at once where an option names the file, and when a file is opened whose name is made later. Files are
//! compared by identity (device and number), so another spelling of a path, a symbolic link and a hard link
//! are recognised, and so is a file that standard input was redirected from. Nor do two options write one
//! file.

use clap::ArgMatches;
use same_file::Handle;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What is done with a file or a folder that an option names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// It is read: a file, or the scripts of a folder.
    Read,
    /// A file is written.
    Write,
    /// Lines are added to a file that may have some.
    Add,
    /// Results of other runs are read; one of these may be what is added to.
    Merge,
    /// Files are written into a folder.
    Fill,
}
use Use::{Add, Fill, Merge, Read, Write as Written};

/// The options of a command, by their ids.
type Row = (&'static str, &'static [(&'static str, Use)]);

static COMMANDS: &[Row] = &[
    (
        "bivalve",
        &[
            ("files", Read),
            ("output", Written),
            ("dump-aiger", Written),
            ("dump-cnf", Written),
            ("certificate", Written),
        ],
    ),
    (
        "check-model",
        &[
            ("file", Read),
            ("witness", Written),
            ("invariant", Written),
            ("certificate", Fill),
            ("witness_circuit", Written),
            ("check_circuit", Read),
        ],
    ),
    (
        "sim",
        &[
            ("file", Read),
            ("info", Read),
            ("witness", Read),
            ("output", Written),
            ("vcd", Written),
            ("fst", Written),
            ("svg", Written),
        ],
    ),
    ("fuzz", &[("scripts", Read), ("output", Fill)]),
    ("construct", &[("output", Fill), ("integers", Fill)]),
    ("identities", &[("output", Fill)]),
    (
        "campaign",
        &[
            ("cases", Read),
            ("output", Fill),
            ("reduce", Fill),
            ("log", Add),
            ("plan", Written),
            ("merge", Merge),
        ],
    ),
    ("certificates", &[("output", Fill)]),
    ("simplify", &[("file", Read), ("output", Written)]),
    ("convert", &[("in", Read), ("out", Written), ("output", Written)]),
    (
        "experiment",
        &[
            ("files", Read),
            ("list", Read),
            ("output", Fill),
            ("log", Add),
            ("plan", Written),
            ("merge", Merge),
        ],
    ),
    (
        "cubes",
        &[
            ("file", Read),
            ("certificate", Written),
            ("output", Written),
            ("log", Add),
            ("plan", Written),
            ("merge", Merge),
        ],
    ),
    ("reduce", &[("file", Read), ("output", Written)]),
    ("btormc", &[("file", Read)]),
    ("btorsim", &[("file", Read), ("witness", Read), ("vcd", Written), ("info", Read)]),
    ("man", &[("folder", Fill)]),
];

/// What this process reads.
static INPUTS: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Notes what a command line reads.
///
/// # Errors
///
/// A sentence: what it writes is among that.
pub(crate) fn note(command: &str, matches: &ArgMatches) -> Result<(), String> {
    let inputs = compared(command, matches)?;
    // A tool that runs as another one reads the same.
    INPUTS.get_or_init(|| inputs);
    Ok(())
}

/// What a command line reads, which is none of the files that it writes.
fn compared(command: &str, matches: &ArgMatches) -> Result<Vec<PathBuf>, String> {
    let options = COMMANDS.iter().find(|row| row.0 == command).map_or(&[][..], |row| row.1);
    let named = |wanted: &'static [Use]| {
        let options = options.iter().filter(move |option| wanted.contains(&option.1));
        options.flat_map(|&(id, _)| {
            let paths = matches.try_get_many::<PathBuf>(id).ok().flatten().unwrap_or_default();
            paths.map(move |path| (id, path))
        })
    };
    let mut inputs: Vec<PathBuf> = named(&[Read]).map(|(_, path)| path.clone()).collect();
    if inputs.is_empty() {
        inputs.push("-".into());
    }
    let merged: Vec<PathBuf> = named(&[Merge]).map(|(_, path)| path.clone()).collect();
    for (id, output) in named(&[Written, Add]) {
        distinct(output, &inputs).map_err(|problem| format!("--{id}: {problem}"))?;
    }
    let outputs: Vec<(&str, &PathBuf)> = named(&[Written, Add]).collect();
    for (at, (id, output)) in outputs.iter().enumerate() {
        if let Some((other, _)) = outputs[..at].iter().find(|(_, other)| is_one_file(output, other)) {
            let name = output.display();
            return Err(format!("--{id}: {name}: expected a file of its own, found that of --{other}"));
        }
    }
    for (id, output) in named(&[Written]) {
        distinct(output, &merged).map_err(|problem| format!("--{id}: {problem}"))?;
    }
    Ok([inputs, merged].concat())
}

/// Whether two paths are one file, which may not exist yet; pipes and devices take what several options
/// write. The number of a check, which a name can have, begins with 0.
fn is_one_file(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(|path| PathBuf::from(path.to_string_lossy().replace("{}", "0")));
    if one.exists() && other.exists() {
        return identity(&one).is_some_and(|one| Some(one) == identity(&other));
    }
    let folder = |path: &Path| {
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        parent.unwrap_or(Path::new(".")).canonicalize().ok()
    };
    one.file_name() == other.file_name() && folder(&one).is_some_and(|one| Some(one) == folder(&other))
}

/// What tells a file from others; nothing for what is no file. To have it the file is opened, which a pipe
/// must not be: its other end would begin, and what it wrote would be lost.
fn identity(path: &Path) -> Option<Handle> {
    path.metadata().ok()?.is_file().then(|| Handle::from_path(path).ok()).flatten()
}

/// Refuses to write to a file that is read. `inputs` are paths; `-` is standard input.
fn distinct(output: &Path, inputs: &[PathBuf]) -> Result<(), String> {
    // What does not exist yet is no input, and what is no file, such as a pipe, is not overwritten.
    let Some(written) = identity(output) else { return Ok(()) };
    for input in inputs {
        let is_standard = input == Path::new("-");
        let read = if is_standard { Handle::stdin().ok() } else { identity(input) };
        if read.is_some_and(|read| read == written) || is_script_below(output, input) {
            let input = if is_standard { "standard input".into() } else { input.display().to_string() };
            return Err(format!(
                "{}: expected a file that is no input, found that {input} is read, which would be overwritten",
                output.display()
            ));
        }
    }
    Ok(())
}

/// Whether a file is a script of this folder.
fn is_script_below(file: &Path, folder: &Path) -> bool {
    let is_script = file.extension().is_some_and(|ending| ending == "smt2");
    let whole = |path: &Path| path.canonicalize().ok();
    is_script
        && folder.is_dir()
        && whole(file).zip(whole(folder)).is_some_and(|(file, folder)| file.starts_with(folder))
}

/// Refuses to write to a file that this process reads.
///
/// # Errors
///
/// A sentence that names both.
pub(crate) fn check(output: &Path) -> Result<(), String> {
    distinct(output, INPUTS.get().map_or(&[], Vec::as_slice))
}

/// Opens a file to be written, which is no input.
///
/// # Errors
///
/// A sentence: it is an input, or it cannot be written.
pub(crate) fn create(output: &Path) -> Result<File, String> {
    check(output)?;
    File::create(output).map_err(|error| unwritable(output, &error))
}

/// Writes a file, which is no input.
///
/// # Errors
///
/// A sentence: it is an input, or it cannot be written.
pub(crate) fn write(output: &Path, contents: impl AsRef<[u8]>) -> Result<(), String> {
    create(output)?.write_all(contents.as_ref()).map_err(|error| unwritable(output, &error))
}

/// Why a file cannot be written, as all tools say it.
pub(crate) fn unwritable(output: &Path, error: &io::Error) -> String {
    format!("{}: cannot be written: {error}", output.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;
    use std::ffi::OsString;

    /// All commands, with the names of their rows.
    fn commands() -> Vec<(String, clap::Command)> {
        let tree = tools::tree();
        let tools: Vec<_> =
            tree.get_subcommands().map(|tool| (tool.get_name().to_owned(), tool.clone())).collect();
        [("bivalve".to_owned(), crate::args::command())].into_iter().chain(tools).collect()
    }

    #[test]
    fn every_option_that_names_a_file_has_a_row() {
        let path = clap::value_parser!(PathBuf).type_id();
        let mut rows = 0;
        for (name, command) in commands() {
            let options = COMMANDS.iter().find(|row| row.0 == name).map_or(&[][..], |row| row.1);
            let takes = |arg: &&clap::Arg| {
                arg.get_value_parser().type_id() == path && arg.get_action().takes_values()
            };
            for arg in command.get_arguments().filter(takes) {
                let id = arg.get_id().as_str();
                assert!(options.iter().any(|option| option.0 == id), "{name}: what is done with '{id}'?");
                rows += 1;
            }
        }
        assert_eq!(rows, COMMANDS.iter().map(|row| row.1.len()).sum::<usize>(), "a row has no option");
    }

    /// The words that give a value to an option.
    fn given(command: &clap::Command, id: &str, path: &Path) -> Vec<OsString> {
        let arg = command.get_arguments().find(|arg| arg.get_id() == id).expect("an option");
        let flag = arg.get_long().map(|long| OsString::from(format!("--{long}")));
        flag.into_iter().chain([path.into()]).collect()
    }

    #[cfg(unix)]
    #[test]
    fn no_output_of_any_command_is_an_input() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).expect("a folder");
        for name in ["f.smt2", "other.smt2"] {
            std::fs::write(at(name), "(check-sat)").expect("a file");
        }
        std::os::unix::fs::symlink(at("f.smt2"), at("symbolic.smt2")).expect("a link");
        std::fs::hard_link(at("f.smt2"), at("hard.smt2")).expect("a link");
        let mut seen = 0;
        for (name, command) in commands() {
            let options = COMMANDS.iter().find(|row| row.0 == name).map_or(&[][..], |row| row.1);
            let of = |wanted: &'static [Use]| options.iter().filter(move |option| wanted.contains(&option.1));
            for (&(input, read), &(output, written)) in
                of(&[Read, Merge]).flat_map(|input| of(&[Written, Add]).map(move |output| (input, output)))
            {
                // Some options go only with others.
                let mut others: Vec<OsString> = match (&*name, input) {
                    ("convert", _) if output == "out" => vec![],
                    ("sim" | "btorsim", "witness") | (_, "list" | "merge") => {
                        let first = of(&[Read]).next().expect("an input").0;
                        given(&command, first, &at("other.smt2"))
                    }
                    _ => vec![],
                };
                if matches!(input, "info" | "check_circuit") {
                    others.extend(given(&command, "file", &at("other.smt2")));
                }
                for spelling in
                    ["f.smt2", "inner/../f.smt2", "symbolic.smt2", "hard.smt2", "other.smt2", "new"]
                {
                    let words = [
                        vec!["bivalve".into()],
                        others.clone(),
                        given(&command, input, &at("f.smt2")),
                        given(&command, output, &at(spelling)),
                    ]
                    .concat();
                    let matches = command.clone().try_get_matches_from(&words);
                    let matches = matches.unwrap_or_else(|refusal| panic!("{words:?}: {refusal}"));
                    let is_fine = spelling == "new"
                        || spelling == "other.smt2" && others.is_empty()
                        || (read, written) == (Merge, Add) && spelling != "other.smt2";
                    assert_eq!(compared(&name, &matches).is_ok(), is_fine, "{name} {words:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }

    #[cfg(unix)]
    #[test]
    fn two_outputs_of_a_command_are_two_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).expect("a folder");
        std::fs::write(at("old"), "").expect("a file");
        std::os::unix::fs::symlink(at("old"), at("symbolic")).expect("a link");
        std::fs::hard_link(at("old"), at("hard")).expect("a link");
        let pairs = [
            ("old", "old", false),
            ("old", "symbolic", false),
            ("hard", "old", false),
            ("new", "inner/../new", false),
            ("new{}", "new0", false),
            ("new", "old", true),
            ("new", "inner/new", true),
            ("/dev/null", "/dev/null", true),
        ];
        let mut seen = 0;
        for (name, command) in commands() {
            let options = COMMANDS.iter().find(|row| row.0 == name).map_or(&[][..], |row| row.1);
            let outputs: Vec<&str> = options
                .iter()
                .filter(|option| [Written, Add].contains(&option.1))
                .map(|option| option.0)
                .collect();
            for (place, &first) in outputs.iter().enumerate() {
                for (&second, (one, other, is_fine)) in outputs[place + 1..]
                    .iter()
                    .flat_map(|second| pairs.iter().map(move |pair| (second, pair)))
                {
                    let inputs = options.iter().filter(|option| option.1 == Read && option.0 != "list");
                    let inputs = inputs.flat_map(|option| given(&command, option.0, &at("input")));
                    let mut words = vec![OsString::from("bivalve")];
                    words.extend(inputs);
                    words.extend(
                        [given(&command, first, &at(one)), given(&command, second, &at(other))].concat(),
                    );
                    // Some do not go together anyway.
                    let Ok(matches) = command.clone().try_get_matches_from(&words) else { continue };
                    assert_eq!(compared(&name, &matches).is_ok(), *is_fine, "{name} {words:?}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 80, "{seen}");
    }

    /// They were, so whatever wrote to one lost its reader, and what read it again waited for ever.
    #[cfg(unix)]
    #[test]
    fn pipes_are_not_opened_to_be_compared() {
        let folder = tempfile::tempdir().expect("a folder");
        let [pipe, old] = ["pipe", "old"].map(|name| folder.path().join(name));
        std::fs::write(&old, "").expect("a file");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        let (sender, receiver) = std::sync::mpsc::channel();
        // An open pipe without another end would hold this thread for ever.
        std::thread::spawn(move || {
            let inputs = [pipe.clone()];
            let found = [
                distinct(&old, &inputs).is_ok(),
                distinct(&pipe, &inputs).is_ok(),
                !is_one_file(&pipe, &old),
                !is_one_file(&pipe, &pipe),
            ];
            sender.send(found).expect("a receiver");
        });
        let found = receiver.recv_timeout(std::time::Duration::from_secs(60));
        assert_eq!(found, Ok([true; 4]));
    }

    #[test]
    fn a_script_of_a_folder_that_is_read_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = [folder.path().to_owned()];
        for (name, is_fine) in [("a.smt2", false), ("table.md", true), ("new.smt2", true)] {
            let file = folder.path().join(name);
            if name != "new.smt2" {
                std::fs::write(&file, "").expect("a file");
            }
            assert_eq!(distinct(&file, &inputs).is_ok(), is_fine, "{name}");
        }
    }
}
