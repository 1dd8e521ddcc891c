//! `cargo xtask sessions`: random sessions, each answer judged.
//!
//! Sessions are made by number and carried out inside this process (see the library `campaign`); some are
//! printed and given to the binary as well, whose output is judged as text. A finding is made smaller before
//! it is saved: a script that shows it, with what is wrong in its head.

use crate::args::SessionsArgs;
use crate::error::{Error, Result};
use crate::place::Place;
use crate::ticker::Ticker;
use bivalve_oracle::Watch;
use campaign::formula::Recipe;
use campaign::session::Session;
use campaign::session_judge::{Outcome, make_and_run, run as carry_out, settings_of};
use campaign::session_output::judge_output;
use campaign::{reduce, session_judge};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// After this long a solver of ours is stopped.
const LONG: Duration = Duration::from_secs(10);

/// Counts of a campaign.
#[derive(Default)]
struct Tally {
    steps: u64,
    checks: [u64; 3],
    blamed: u64,
    values: u64,
    lemmas: u64,
    rebuilds: u64,
    through_binary: u64,
    compared: u64,
    findings: u64,
}

/// Runs the campaign.
///
/// # Errors
/// When a file cannot be written or the binary not be started; findings are no error but the exit code.
pub(crate) fn run(place: &Place, args: &SessionsArgs) -> Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(|| place.findings());
    fs::create_dir_all(&out).map_err(Error::io(&out))?;
    let binary = args.bivalve.clone().unwrap_or_else(|| place.release_binary());
    let (size, max_width, theory) = (args.size, args.max_width, args.theory.into());
    let recipe = Recipe { seed: args.seed, max_width, size, theory };
    let (mut tally, mut ticker) = (Tally::default(), Ticker::start(args.count));
    let watch = Watch::new(LONG);
    for number in args.from..args.from + args.count {
        let (mut session, done) = make_and_run(&recipe, number, args.steps, &watch);
        tally.steps += session.steps.len() as u64;
        let finding = match done {
            Err(finding) => {
                reduce::session(&mut session, &|smaller| {
                    carry_out(smaller, settings_of(number), &watch).is_err()
                });
                Some((finding, vec![]))
            }
            Ok(outcome) => {
                tally.add(&outcome);
                let through = args.binary_every.is_some_and(|every| number.is_multiple_of(every));
                let judged =
                    if through { through_binary(&binary, &session, &outcome, number, &out)? } else { Ok(0) };
                tally.through_binary += u64::from(through);
                tally.compared += judged.as_ref().copied().unwrap_or(0);
                judged.err().map(|finding| (format!("the binary: {finding}"), outcome.answers))
            }
        };
        if let Some((finding, answers)) = finding {
            tally.findings += 1;
            let path = out.join(format!("session-{number}.smt2"));
            let head = format!(
                "; session {number} ({theory:?}, {:?})\n; {}\n",
                settings_of(number),
                finding.replace('\n', "\n; ")
            );
            ticker.shout(&format!("FINDING in session {number}: {}\n{head}", path.display()));
            fs::write(&path, head + &session.script(&answers)).map_err(Error::io(&path))?;
        }
        ticker.reached(number + 1 - args.from, &tally.line());
    }
    ticker.finish();
    println!("{}", tally.summary());
    Ok(ExitCode::from(u8::from(tally.findings > 0)))
}

/// What the binary says to the session's script, judged.
fn through_binary(
    binary: &Path,
    session: &Session,
    outcome: &Outcome,
    number: u64,
    out: &Path,
) -> Result<std::result::Result<u64, String>> {
    let file: PathBuf = out.join(format!("session-{}.smt2", std::process::id()));
    fs::write(&file, session.script(&outcome.answers)).map_err(Error::io(&file))?;
    let output = Command::new(binary)
        .args(session_judge::options_of(number))
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .map_err(Error::io(binary))?;
    fs::remove_file(&file).map_err(Error::io(&file))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let judged = judge_output(session, &outcome.answers, &text);
    Ok(judged.map_err(|finding| {
        format!("{finding}; exit {}; {}", output.status, errors.chars().take(600).collect::<String>())
    }))
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        for answer in &outcome.answers {
            self.checks[answer.map_or(2, usize::from)] += 1;
        }
        self.blamed += outcome.blamed;
        self.values += outcome.values;
        self.lemmas += outcome.lemmas;
        self.rebuilds += outcome.rebuilds;
    }

    fn line(&self) -> String {
        let [unsat, sat, unknown] = self.checks;
        format!("{sat} sat, {unsat} unsat, {unknown} unknown, {} findings", self.findings)
    }

    fn summary(&self) -> String {
        format!(
            "{} commands, checks: {}\ncores and failed assumptions of several members: {}; values: {}; lemmas: {}; \
             gates thrown away: {} times\nsessions through the binary: {}, names and values compared: {}",
            self.steps,
            self.line(),
            self.blamed,
            self.values,
            self.lemmas,
            self.rebuilds,
            self.through_binary,
            self.compared
        )
    }
}
