//! Any SAT solver that is a program: the clauses go out as a DIMACS file, the answer comes back as text.
//!
//! The command is given as words, separated by spaces, without any shell between; the file's name is appended
//! as the last word: `dimacs:kissat -q`. The conventions are those of the SAT competition: a status line `s
//! SATISFIABLE` or `s UNSATISFIABLE`, a model in lines that begin with `v` and end with `0`, exit code 10 or
//! 20 (or 0). Everything else the program prints is passed over.
//!
//! A program can die, be killed, or fill a disk, so an answer is believed only when all signs agree. *Unsat*
//! needs its status line and an exit code that does not speak against it. *Sat* needs a model, and the
//! adapter checks that model on every clause. Anything else is an unknown that says what was missing.
//!
//! The program's output goes to a second temporary file, so that no reader thread is needed: the call looks
//! after the process and its [`Stop`] flag by turns, sleeping longer the longer it takes, and kills the
//! process when the flag is raised. Both files vanish with the call; on Linux they have no entry in a folder,
//! so that they vanish with a killed process, too.
//!
//! The engine is one-shot; [`Incremental<Dimacs>`](crate::Incremental) is the backend `dimacs`. Starting a
//! process costs about a millisecond per call.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Seek, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempPath;

use crate::{Answer, Budget, Capabilities, CnfLog, Lit, OneShot, Stop, Why};

/// The longest sleep between two looks at the process.
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// The engine behind the backend `dimacs`: a command.
#[derive(Clone, Debug)]
pub struct Dimacs {
    words: Vec<String>,
}

impl Dimacs {
    /// The engine that runs the first word as a program with the other words as arguments. With no words,
    /// every call answers unknown.
    pub fn new(words: impl IntoIterator<Item = String>) -> Dimacs {
        Dimacs { words: words.into_iter().collect() }
    }

    /// The engine of a command whose words are separated by spaces.
    ///
    /// # Errors
    /// A sentence, when its program does not exist or may not be executed.
    pub(crate) fn of_command(command: &str) -> Result<Dimacs, String> {
        let dimacs = Dimacs::new(command.split_whitespace().map(str::to_owned));
        match dimacs.words.first().map(which::which) {
            Some(Err(_)) => Err(format!("there is no program '{}' that can be executed", dimacs.words[0])),
            Some(Ok(_)) | None => Ok(dimacs),
        }
    }

    fn run(&self, cnf: &CnfLog, units: &[Lit], stop: &Stop) -> Result<Answer, Why> {
        let [program, arguments @ ..] = &self.words[..] else {
            return Err(Why::Backend("there is no command"));
        };
        let problem =
            Problem::write(cnf, units).map_err(|_| Why::Backend("the problem could not be written"))?;
        let mut output =
            tempfile::tempfile().map_err(|_| Why::Backend("there is no place for its output"))?;
        let stdout = output.try_clone().map_err(|_| Why::Backend("there is no place for its output"))?;
        let child = Command::new(program)
            .args(arguments)
            .arg(&problem.path)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|failure| cannot_start(&failure))?;
        let status = wait(child, stop)?;
        let report = output.rewind().and_then(|()| Report::read(output));
        let report = report.map_err(|_| Why::Backend("its output could not be read"))?;
        report.judge(status.code(), cnf.variables())
    }
}

impl OneShot for Dimacs {
    fn name(&self) -> &'static str {
        "dimacs"
    }

    fn signature(&self) -> String {
        format!("dimacs {}", self.words.join(" "))
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ONE_SHOT
    }

    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], _budget: &Budget, stop: &Stop) -> Answer {
        self.run(cnf, units, stop).unwrap_or_else(Answer::Unknown)
    }
}

/// The clauses in a file that exists as long as this value.
struct Problem {
    /// What the program opens.
    path: PathBuf,
    file: File,
    /// The entry in the folder of temporary files, if there is one.
    _entry: Option<TempPath>,
}

impl Problem {
    fn write(cnf: &CnfLog, units: &[Lit]) -> io::Result<Problem> {
        let problem = Problem::create()?;
        let mut out = BufWriter::new(&problem.file);
        cnf.write_dimacs(units, &mut out)?;
        out.flush()?;
        drop(out);
        Ok(problem)
    }

    /// An empty file: one without an entry, opened by way of this process, where the system can do that.
    fn create() -> io::Result<Problem> {
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd;
            let file = tempfile::tempfile()?;
            let path = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
            if path.exists() {
                return Ok(Problem { path, file, _entry: None });
            }
        }
        let (file, entry) =
            tempfile::Builder::new().prefix("bivalve-").suffix(".cnf").tempfile()?.into_parts();
        Ok(Problem { path: entry.to_path_buf(), file, _entry: Some(entry) })
    }
}

fn cannot_start(failure: &io::Error) -> Why {
    Why::Backend(match failure.kind() {
        ErrorKind::NotFound => "its command was not found",
        ErrorKind::PermissionDenied => "its command may not be executed",
        _ => "its command could not be started",
    })
}

/// Waits for the process; kills it when the flag is raised.
fn wait(mut child: Child, stop: &Stop) -> Result<ExitStatus, Why> {
    let mut nap = Duration::from_micros(100);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) => {}
            Err(_) => return Err(Why::Backend("its process got lost")),
        }
        if let Some(why) = stop.reason() {
            // Killing fails only when the process is gone already, and then waiting returns at once.
            let _ = child.kill();
            let _ = child.wait();
            return Err(why);
        }
        thread::sleep(nap);
        nap = LONGEST_NAP.min(nap * 2);
    }
}

/// What the program printed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Report {
    /// The text of the status line.
    status: Option<Vec<u8>>,
    /// The true literals of the `v` lines; `None` when there was no such line.
    model: Option<Vec<Lit>>,
}

impl Report {
    fn read(output: File) -> io::Result<Report> {
        Report::parse(BufReader::new(output))
    }

    fn parse(output: impl BufRead) -> io::Result<Report> {
        let mut report = Report::default();
        for line in output.split(b'\n') {
            let line = line?;
            match line.split_first() {
                Some((b's', rest)) if begins_with_blank(rest) => {
                    report.status = Some(rest.trim_ascii().to_vec())
                }
                Some((b'v', rest)) if begins_with_blank(rest) => {
                    let words = rest.split(u8::is_ascii_whitespace);
                    let numbers = words.filter_map(|word| std::str::from_utf8(word).ok()?.parse().ok());
                    report.model.get_or_insert_default().extend(numbers.filter_map(Lit::from_dimacs));
                }
                _ => {}
            }
        }
        Ok(report)
    }

    /// The answer, when the report and the exit code (none for a process that was killed) agree on one.
    fn judge(self, code: Option<i32>, variables: u32) -> Result<Answer, Why> {
        match (self.status.as_deref(), code) {
            (Some(b"UNSATISFIABLE"), Some(0 | 20)) => Ok(Answer::Unsat),
            (Some(b"SATISFIABLE"), Some(0 | 10)) | (None, Some(10)) => {
                let model = self.model.ok_or(Why::Backend("it said satisfiable but gave no model"))?;
                Ok(Answer::Sat(values(&model, variables)))
            }
            (Some(b"SATISFIABLE" | b"UNSATISFIABLE"), Some(_)) => {
                Err(Why::Backend("its exit code speaks against its status line"))
            }
            (_, None) => Err(Why::Backend("it was killed")),
            (Some(_), Some(_)) => Err(Why::Backend("it did not decide")),
            (None, Some(_)) => Err(Why::Backend("it ended without a status line")),
        }
    }
}

fn begins_with_blank(rest: &[u8]) -> bool {
    rest.first().is_none_or(u8::is_ascii_whitespace)
}

/// Variable `v` at index `v - 1`. Variables that do not exist are passed over. A model mentions each variable
/// at most once; should it not, the last one counts, and the check of the model decides.
fn values(model: &[Lit], variables: u32) -> Vec<bool> {
    let mut values = vec![false; variables as usize];
    for lit in model.iter().filter(|lit| lit.var() <= variables) {
        values[lit.var() as usize - 1] = !lit.is_negative();
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(output: &str, code: Option<i32>) -> Result<Answer, Why> {
        Report::parse(output.as_bytes()).unwrap().judge(code, 3)
    }

    fn why(output: &str, code: Option<i32>) -> String {
        judge(output, code).unwrap_err().to_string()
    }

    #[test]
    fn answers_of_the_competition_format() {
        let sat = "c hello\ns SATISFIABLE\r\nv 1 -2\nv 3 0\nv\n";
        assert_eq!(judge(sat, Some(10)), Ok(Answer::Sat(vec![true, false, true])));
        assert_eq!(judge(sat, Some(0)), Ok(Answer::Sat(vec![true, false, true])));
        assert_eq!(judge("v 2 99 2147483647 0\n", Some(10)), Ok(Answer::Sat(vec![false, true, false])));
        assert_eq!(judge("s UNSATISFIABLE\n", Some(20)), Ok(Answer::Unsat));
        assert_eq!(judge("s UNSATISFIABLE", Some(0)), Ok(Answer::Unsat));
    }

    #[test]
    fn signs_that_disagree_are_not_believed() {
        assert!(why("s UNSATISFIABLE\n", Some(10)).ends_with("its exit code speaks against its status line"));
        assert!(
            why("s SATISFIABLE\nv 1 0\n", Some(1)).ends_with("its exit code speaks against its status line")
        );
        assert!(why("s UNSATISFIABLE\n", None).ends_with("it was killed"));
        assert!(why("s SATISFIABLE\n", Some(10)).ends_with("it said satisfiable but gave no model"));
        assert!(why("UNSATISFIABLE\n", Some(20)).ends_with("it ended without a status line"));
        assert!(why("s UNKNOWN\n", Some(0)).ends_with("it did not decide"));
        assert!(why("version 1\nstatus\n", Some(0)).ends_with("it ended without a status line"));
    }

    #[test]
    fn a_command_that_cannot_run_is_an_unknown() {
        let mut cnf = CnfLog::new();
        crate::ClauseSink::new_var(&mut cnf);
        let ask = |words: &[&str]| {
            let mut engine = Dimacs::new(words.iter().map(|&word| word.to_owned()));
            engine.solve(&cnf, &[], &Budget::UNLIMITED, &Stop::new())
        };
        assert_eq!(ask(&[]), Answer::Unknown(Why::Backend("there is no command")));
        assert_eq!(ask(&["./no/such/solver"]), Answer::Unknown(Why::Backend("its command was not found")));
    }
}
