//! What certifies answers: a file for the certificate, and the checker that reads along.
//!
//! With `--check-unsat` the steps of a certificate, once it is found, go to the checker through a pipe as
//! well. It carries them out in a thread of its own, from its own reading of the script, and keeps no more of
//! them than it needs; `unsat` is said when it agrees. What is not a file of SMT-LIB 2 it cannot read; there
//! each step is carried out by its kernel alone, as it is for every certificate. Limits of time and memory of
//! the run hold while steps are written and carried out, too.

use crate::args::Invocation;
use bivalve_checker::budget::GoesOn;
use bivalve_checker::check::Checker;
use bivalve_session::{Certification, Form};
use std::io::{self, BufReader, BufWriter, PipeReader, PipeWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What the checker says of a check: its number, or what is wrong.
type Verdict = Result<u64, String>;

/// What certifies the answers to a script, if that is asked for. `script` is a file of SMT-LIB 2.
pub(crate) fn certification(
    invocation: &Invocation,
    script: Option<&Path>,
    goes_on: &GoesOn,
) -> Result<Option<Certification>, String> {
    if invocation.certificate.is_none() && !invocation.check_unsat {
        return Ok(None);
    }
    let mut outputs: Vec<Box<dyn Write>> = vec![];
    let mut form = Form::Binary;
    if let Some(path) = &invocation.certificate {
        if path.extension().is_some_and(|extension| extension == "txt") {
            form = Form::Text;
        }
        let file = crate::outputs::create(path)?;
        outputs.push(Box::new(BufWriter::new(file)));
    }
    let mut verdicts = None;
    if let Some(script) = script.filter(|_| invocation.check_unsat) {
        let (steps, receiver) =
            start(script, goes_on.clone()).map_err(|error| format!("{}: {error}", script.display()))?;
        outputs.push(Box::new(BufWriter::new(steps)));
        verdicts = Some(receiver);
    }
    let certification =
        Certification::new(Box::new(All { outputs, goes_on: goes_on.clone() }), form, invocation.check_unsat);
    let mut certification = certification.map_err(|error| error.to_string())?;
    if invocation.check_unsat {
        certification.certify_models();
    }
    if let Some(verdicts) = verdicts {
        let mut refusal = None;
        certification.confirm_by(Box::new(move |check| agreed(&verdicts, check, &mut refusal)));
    }
    Ok(Some(certification))
}

/// Why the checker does not read a script to its end, if it does not.
pub(crate) fn unread(script: &Path, goes_on: &GoesOn) -> Option<String> {
    let text = std::fs::read_to_string(script).ok()?;
    let mut checker = Checker::new(&text, &b"bvc 1\n"[..]).ok()?;
    checker.ask(goes_on.clone());
    // At the limits of the run it was only interrupted.
    checker.next_verified().err().filter(|_| goes_on())
}

/// Starts the checker of a script; gives the pipe for the steps, and what it says.
fn start(script: &Path, goes_on: GoesOn) -> io::Result<(PipeWriter, Receiver<Verdict>)> {
    let text = std::fs::read_to_string(script)?;
    let (reader, writer) = io::pipe()?;
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name("checker".into())
        .spawn(move || carry_out(&text, reader, &sender, goes_on))?;
    Ok((writer, receiver))
}

/// Says of each check whether its steps are right, until one is wrong or there are no more.
fn carry_out(script: &str, steps: PipeReader, verdicts: &Sender<Verdict>, goes_on: GoesOn) {
    let said = Checker::new(script, BufReader::new(steps)).and_then(|mut checker| {
        checker.ask(goes_on);
        while let Some(check) = checker.next_verified()? {
            if verdicts.send(Ok(check)).is_err() {
                break;
            }
        }
        Ok(())
    });
    if let Err(why) = said {
        // Nobody waits for it when the run was ended.
        let _ = verdicts.send(Err(why));
    }
}

/// Waits for what the checker says of this check. After a refusal it says no more: that counts for later
/// checks, too.
fn agreed(verdicts: &Receiver<Verdict>, check: u64, refusal: &mut Option<String>) -> Result<(), String> {
    match (verdicts.recv(), &*refusal) {
        (Ok(Ok(verified)), _) if verified == check => Ok(()),
        (Ok(Ok(other)), _) => Err(format!("the checker verified check {other} in place of {check}")),
        (Ok(Err(why)), _) => Err(refusal.insert(format!("the checker disagrees: {why}")).clone()),
        (Err(_), Some(why)) => Err(why.clone()),
        (Err(_), None) => Err("the checker has ended".into()),
    }
}

/// Writes the same to all, as long as the limits of the run allow it.
struct All {
    outputs: Vec<Box<dyn Write>>,
    goes_on: GoesOn,
}

/// Bytes that are written between two looks at the limits.
const PIECE: usize = 1 << 16;

impl Write for All {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !(self.goes_on)() {
            return Err(io::Error::other("the limit of time or memory of this run is reached"));
        }
        let bytes = &bytes[..bytes.len().min(PIECE)];
        self.outputs.iter_mut().try_for_each(|output| output.write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.outputs.iter_mut().try_for_each(|output| output.flush())
    }
}
