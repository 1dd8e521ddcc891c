//! A person at a terminal: prompt, editing, history, completion, Ctrl-C and Ctrl-D, errors as they are shown.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test that cannot go on may stop, and one that waits for an answer for too long"
)]
#![cfg(all(target_os = "linux", feature = "line-editor"))]

use crate::support::bivalve;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const WAIT: Duration = Duration::from_secs(60);

/// A person who types, and sees what the terminal shows.
struct Person {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// Everything that was shown, and how much of it the person has looked at.
    shown: Vec<u8>,
    seen: usize,
}

impl Person {
    fn start(words: &[&str], term: &str, columns: u16, folder: &Path) -> Person {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&controller, size).unwrap();
        let name = ptsname(&controller, vec![]).unwrap().into_string().unwrap();
        let terminal = || File::options().read(true).write(true).open(&name).unwrap();
        let mut bivalve = bivalve();
        bivalve.args(words).current_dir(folder).env("TERM", term).env("XDG_STATE_HOME", folder);
        bivalve.env_remove("NO_COLOR").stdin(terminal()).stdout(terminal()).stderr(terminal());
        let child = bivalve.spawn().unwrap();
        drop(bivalve);
        let keyboard = File::from(controller);
        let (mut output, (to, screen)) = (keyboard.try_clone().unwrap(), channel());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Linux ends the output of a closed terminal with an error.
            while let Ok(read) = output.read(&mut buffer)
                && read > 0
                && to.send(buffer[..read].to_vec()).is_ok()
            {}
        });
        Person { child, keyboard, screen, shown: vec![], seen: 0 }
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Everything that was shown, without what moves the cursor and colours.
    fn screen(&self) -> String {
        plain(&String::from_utf8_lossy(&self.shown))
    }

    /// Waits for a text, and returns what was shown before it.
    fn sees(&mut self, text: &str) -> String {
        let end = Instant::now() + WAIT;
        loop {
            let screen = self.screen();
            if let Some(at) = screen[self.seen..].find(text) {
                let before = screen[self.seen..self.seen + at].to_owned();
                self.seen += at + text.len();
                return before;
            }
            match self.screen.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(more) => self.shown.extend(more),
                Err(_) => panic!("'{text}' is not shown:\n{}", &screen[self.seen..]),
            }
        }
    }

    /// Ctrl-D, the exit code, and all that was shown.
    fn leaves(mut self) -> (Option<i32>, String) {
        self.types("\u{4}");
        let code = self.child.wait().unwrap().code();
        while let Ok(more) = self.screen.recv_timeout(Duration::from_millis(200)) {
            self.shown.extend(more);
        }
        (code, String::from_utf8_lossy(&self.shown).into_owned())
    }
}

/// A text without control sequences.
fn plain(text: &str) -> String {
    let (mut plain, mut chars) = (String::new(), text.chars());
    while let Some(char) = chars.next() {
        if char != '\u{1b}' {
            plain.push(char);
        } else if chars.next() == Some('[') {
            let _ = chars.by_ref().find(|char| char.is_ascii_alphabetic());
        }
    }
    plain
}

const PROMPT: &str = "bivalve> ";

#[test]
fn a_script_is_typed_with_a_prompt_history_and_completion() {
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::start(&[], "xterm", 80, folder.path());
    person.sees("Ctrl-D ends the session");
    person.sees(PROMPT);
    person.types("(decl\t");
    person.sees("(declare-");
    person.types("const counter (_ BitVec 8))\r");
    person.sees(PROMPT);
    // A command goes on until it is closed.
    person.types("(assert\r(= cou\t #x07))\r");
    person.sees("counter #x07))");
    person.sees(PROMPT);
    person.types("(check-sat)\r");
    person.sees("\nsat\r\n");
    person.sees(PROMPT);
    person.types("(get-value (counter))\r");
    person.sees("((counter #b00000111))");
    person.sees(PROMPT);
    // The line before.
    person.types("\u{1b}[A\r");
    person.sees("((counter #b00000111))");
    person.sees(PROMPT);
    // Ctrl-C clears what was typed.
    person.types("(assert (and false\r\u{3}");
    person.sees(PROMPT);
    person.types("(check-sat)\r");
    person.sees("\nsat\r\n");
    person.sees(PROMPT);
    assert_eq!(person.leaves().0, Some(0));
    // The next session remembers.
    let mut person = Person::start(&[], "xterm", 80, folder.path());
    person.sees(PROMPT);
    person.types("\u{1b}[A\u{1b}[A\r");
    person.sees("(get-value (counter))");
    person.sees("found 'counter'");
    person.sees(PROMPT);
    assert_eq!(person.leaves().0, Some(1));
}

/// The reply and the line with the fault were both shown, with the same words.
#[test]
fn what_is_typed_wrong_is_told_once_within_the_width() {
    let folder = tempfile::tempdir().unwrap();
    for (term, columns) in [("xterm", 60), ("dumb", 60), ("dumb", 120)] {
        let mut person = Person::start(&[], term, columns, folder.path());
        person.sees(PROMPT);
        let padding = "a".repeat(70);
        person.types(&format!("(assert (= |{padding}| conuter |{padding}|))\r"));
        person.sees("error: <stdin>:1:");
        person.sees("^\r\n");
        person.sees(PROMPT);
        let (code, shown) = person.leaves();
        assert_eq!((code, shown.contains("(error")), (Some(1), false), "{shown}");
        assert_eq!(plain(&shown).matches(": expected a").count(), 1, "{shown}");
        assert_eq!(shown.contains('\u{1b}'), term == "xterm", "{shown}");
        let shown = plain(&shown);
        let quoted = shown.lines().find(|line| line.starts_with("1 |")).unwrap();
        assert!(quoted.trim_end().chars().count() <= columns.into(), "{quoted}");
    }
}

/// Ctrl-C ended the session with the check.
#[test]
fn a_check_is_ended_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::start(&["-v"], "dumb", 80, folder.path());
    person.sees(PROMPT);
    person.types(
        "(declare-const x (_ BitVec 256))(declare-const y (_ BitVec 256))(assert (bvult (_ bv1 256) x))\n\
         (assert (bvult x y))(assert (not (bvumulo x y)))(assert (= (bvmul x y)\n\
         (_ bv115792089237316195423570985008687907853269984665640564039457584007913129639747 256)))\n\
         (echo \"now\")\n",
    );
    person.sees("\"now\"\r\n");
    person.sees(PROMPT);
    person.types("(check-sat)\n");
    // It runs when there is a row of progress.
    person.sees("phase");
    kill_process(Pid::from_child(&person.child), Signal::INT).unwrap();
    person.sees("\nunknown\r\n");
    person.types("(push)(assert false)(check-sat)(get-info :reason-unknown)\n");
    person.sees("unsat\r\n");
    person.sees(PROMPT);
    assert_eq!(person.leaves().0, Some(0));
}

/// A client of another solver may use a terminal as a pipe.
#[test]
fn who_stands_in_for_another_solver_has_no_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::start(&["--compat", "z3", "-in"], "xterm", 80, folder.path());
    person.types("(frob)\n(check-sat)\n");
    person.sees("(error \"");
    person.sees("\nsat\r\n");
    let (_, shown) = person.leaves();
    assert!(!shown.contains(PROMPT), "{shown}");
}
