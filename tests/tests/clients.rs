//! Sessions of real clients, byte by byte: what they send, under the name and with the flags they start their
//! solver with, and what they get.
//!
//! Each `clients/*.smt2` opens with the command line (`; argv:`) and a sentence on what the client depends
//! on. The program is called through a link of that name. The script is sent through a pipe several times: at
//! once, in pieces that end anywhere with pauses between some of them, with a byte order mark and the line
//! ends of Windows, and with every command held back until the one before was answered; standard error is
//! merged into standard output, as several clients do. The answers must be those in `clients/*.out`, which
//! `UPDATE_EXPECT=1` writes anew.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use workspace_tests::{bivalve, root};

struct Client {
    script: String,
    argv: Vec<String>,
    link: PathBuf,
}

fn clients() -> Vec<(PathBuf, Client)> {
    let folder = root().join("tests/clients");
    let links = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("clients");
    std::fs::create_dir_all(&links).expect("a temporary folder");
    let entries = std::fs::read_dir(&folder).expect("the folder of clients");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "smt2"));
    paths.sort();
    let client = |path: PathBuf| {
        let script = std::fs::read_to_string(&path).expect("a script is text");
        let argv = script.lines().next().and_then(|line| line.strip_prefix("; argv: "));
        let argv = argv.unwrap_or_else(|| panic!("{}: no command line", path.display()));
        let argv: Vec<String> = argv.split(' ').map(str::to_owned).collect();
        let link = links.join(&argv[0]);
        if std::fs::read_link(&link).ok().as_deref() != Some(bivalve()) {
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(bivalve(), &link).expect("a link to the binary");
        }
        (path, Client { script, argv, link })
    };
    paths.into_iter().map(client).collect()
}

impl Client {
    /// The running solver; its errors go where its answers go.
    fn start(&self) -> Child {
        let mut words: Vec<String> = vec![self.link.display().to_string()];
        words.extend(self.argv[1..].iter().cloned());
        let line: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("exec {} 2>&1", line.join(" ")));
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell")
    }

    /// Everything that comes back, and the exit code, when the pieces are sent with pauses between some.
    fn send(&self, pieces: &[&[u8]], pause_every: usize) -> String {
        let mut child = self.start();
        let mut to = child.stdin.take().expect("piped");
        let mut from = child.stdout.take().expect("piped");
        let reader = std::thread::spawn(move || {
            let mut answers = String::new();
            from.read_to_string(&mut answers).expect("answers are text");
            answers
        });
        for (number, piece) in pieces.iter().enumerate() {
            // After `exit` nobody reads.
            if to.write_all(piece).and_then(|()| to.flush()).is_err() {
                break;
            }
            if number % pause_every == pause_every - 1 {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        drop(to);
        let answers = reader.join().expect("the reader ends");
        let code = child.wait().expect("the solver ends").code();
        format!("{answers}exit code {}\n", code.map_or("none".into(), |code| code.to_string()))
    }
}

#[test]
fn clients_get_what_they_expect_however_the_bytes_arrive() {
    let mut seen = 0;
    for (path, client) in clients() {
        let bytes = client.script.as_bytes();
        let whole = client.send(&[bytes], usize::MAX);
        let pieces: Vec<&[u8]> = bytes.chunks(37).collect();
        assert_eq!(client.send(&pieces, 9), whole, "{}: in pieces", path.display());
        let windows = format!("\u{feff}{}", client.script.replace('\n', "\r\n"));
        assert_eq!(client.send(&[windows.as_bytes()], usize::MAX), whole, "{}: CRLF", path.display());
        let expected = path.with_extension("out");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, &whole).expect("the answers can be written");
        }
        let expected = std::fs::read_to_string(&expected).expect("answers beside the script");
        assert_eq!(whole, expected, "{}", path.display());
        seen += 1;
    }
    assert!(seen >= 27, "{seen} clients");
}

/// One answer for each command, with `success` on, before the next command is sent, without a line feed.
#[test]
fn every_command_is_answered_before_the_next_is_sent() {
    for (path, client) in clients() {
        if !client.script.contains(":print-success true") {
            continue;
        }
        let mut child = client.start();
        let mut to = child.stdin.take().expect("piped");
        let mut from = BufReader::new(child.stdout.take().expect("piped"));
        let mut dialogue = String::new();
        for command in commands(&client.script) {
            to.write_all(command.as_bytes()).and_then(|()| to.flush()).expect("the solver listens");
            let mut answer = String::new();
            while answer.is_empty() || depth(&answer) > 0 {
                let read = from.read_line(&mut answer).expect("answers are text");
                assert!(read > 0, "{}: no answer to {command}", path.display());
            }
            dialogue.push_str(&answer);
        }
        drop(to);
        child.wait().expect("the solver ends");
        let whole = client.send(&[client.script.as_bytes()], usize::MAX);
        let whole = whole.rsplit_once("exit code").map_or("", |(answers, _)| answers);
        assert_eq!(without_places(&dialogue), without_places(whole), "{}", path.display());
    }
}

/// Answers without lines and columns, which depend on line feeds.
fn without_places(answers: &str) -> String {
    let mut parts = answers.split("<stdin>:");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':').to_owned();
    parts.fold(first, |text, part| text + &rest(part))
}

/// The commands of a script, without comments and what is between them.
fn commands(script: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in script.lines() {
        let code = line.split(';').next().unwrap_or("");
        let current = all.last_mut().expect("never empty");
        current.push_str(code);
        if !current.trim().is_empty() && depth(current) == 0 {
            all.push(String::new());
        }
    }
    all.retain(|command| !command.trim().is_empty());
    all
}

/// Parentheses that are open, strings and bars aside.
fn depth(text: &str) -> i32 {
    let mut quote = None;
    let mut depth = 0;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '|') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, _) => {}
        }
    }
    depth
}

/// Nothing that a client waits for may fail because it lives in a gigabyte of address space.
#[test]
fn a_session_fits_into_a_gigabyte_of_virtual_memory() {
    let script = "(set-logic QF_BV)(declare-const x (_ BitVec 64))(assert (= (bvmul x x) #x0000000000000051))(check-sat)";
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gigabyte.smt2");
    std::fs::write(&path, script).expect("a temporary file");
    let line =
        format!("ulimit -v 1048576; exec '{}' --time-limit 60 '{}'", bivalve().display(), path.display());
    let output = Command::new("sh").arg("-c").arg(line).output().expect("a shell");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "sat\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn exit_codes_are_those_of_the_solver_that_is_asked_for() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let script = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path
    };
    let sat = script("sat.smt2", "(declare-const p Bool)(assert p)(check-sat)");
    let unsat = script("unsat.smt2", "(assert false)(check-sat)(exit)");
    let wrong = script("wrong.smt2", "(assert false)(check-sat)(frobnicate)");
    for (options, codes) in [
        (&[][..], [0, 0, 1]),
        (&["--exit-codes"], [10, 20, 1]),
        (&["--compat", "boolector"], [10, 20, 1]),
        (&["--compat=boolector", "--no-exit-codes"], [0, 0, 1]),
        (&["--compat=boolector", "-e", "0"], [0, 0, 1]),
        (&["--compat=boolector", "-e=1"], [10, 20, 1]),
        (&["--compat=z3"], [0, 0, 1]),
        (&["--compat=bitwuzla"], [0, 0, 1]),
    ] {
        for (path, code) in [&sat, &unsat, &wrong].into_iter().zip(codes) {
            let status = Command::new(bivalve()).args(options).arg(path).output().expect("it runs").status;
            assert_eq!(status.code(), Some(code), "{options:?} {}", path.display());
        }
    }
}

#[test]
fn help_and_version_have_what_clients_look_for() {
    let output = |option: &str| {
        let output = Command::new(bivalve()).arg(option).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(output("--help").contains("--lang"));
    let version = output("--version");
    let words: Vec<&str> = version.lines().next().unwrap_or_default().split(' ').collect();
    let numbers: Vec<&str> = words.get(1).copied().unwrap_or_default().split('.').collect();
    assert!(words.len() == 2 && words[0] == "bivalve" && numbers.len() == 3, "{version}");
    assert!(numbers.iter().all(|number| number.parse::<u32>().is_ok()), "{version}");
}
