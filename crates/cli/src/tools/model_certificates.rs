//! Certificates of properties of transition systems.
//!
//! What a proof comes down to (that the invariant holds at first, that steps keep it, that it excludes bad
//! states; or the bases and the step of an induction) is a set of scripts that are unsatisfiable. Each is
//! written with its certificate, and both are read by the checker before the property counts as certified.
//! The scripts are over the frames of the system in normal form, as it was unrolled, not simplified: that
//! they are the questions about the system which was read is not part of what is checked.

use super::flags::print;
use crate::limits::{Limits, Watchdog};
use crate::messages::complain;
use crate::outputs;
use bivalve::Stop;
use bivalve::terms::Pool;
use bivalve_checker::check::check;
use bivalve_model_check::Obligation;
use bivalve_session::{Certificate, Form};
use std::path::Path;

/// Writes and checks certificates of all properties that have obligations, and prints a line for each;
/// `false` if one is missing.
///
/// # Errors
/// A sentence, when a file cannot be written.
pub(super) fn write(
    pool: &Pool,
    proofs: &[(String, &Vec<Obligation>)],
    folder: &Path,
    limits: Limits,
) -> Result<bool, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (mut watchdog, stop) = (Watchdog::new(limits), Stop::new());
    watchdog.catch_interrupts(false).map_err(|error| format!("Ctrl-C: {error}"))?;
    watchdog.begin(&stop, None);
    let mut is_whole = true;
    for (name, obligations) in proofs.iter().filter(|(_, obligations)| !obligations.is_empty()) {
        let mut steps = 0;
        let missing = obligations.iter().try_for_each(|obligation| {
            let path = folder.join(format!("{name}-{}", obligation.name));
            certify(pool, obligation, &path, &stop).map(|more| steps += more)
        });
        match missing {
            Ok(()) => {
                print(&format!("{name}: {} certificates, verified in {steps} steps\n", obligations.len()))?
            }
            Err(Missing::File(problem)) => return Err(problem),
            Err(Missing::Certificate(why)) => {
                is_whole = false;
                complain(&format!("{name}: there is no certificate: {why}\n"));
            }
        }
    }
    watchdog.end();
    Ok(is_whole)
}

/// Why something was not certified.
enum Missing {
    /// A file could not be written.
    File(String),
    Certificate(String),
}

/// Writes the script and the certificate of an obligation beside each other; gives the number of steps.
fn certify(pool: &Pool, obligation: &Obligation, path: &Path, stop: &Stop) -> Result<u64, Missing> {
    let Obligation { name, fault, conditions } = obligation;
    let missing = |why: String| Missing::Certificate(format!("{name}: {why}"));
    let made = Certificate::of(pool, conditions, Form::Binary, stop);
    let made = made.map_err(|why| missing(why.to_string()))?;
    let script = format!("; If this had a model: {fault}.\n{}", made.script);
    for (ending, bytes) in [("smt2", script.as_bytes()), ("bvc", &made.steps[..])] {
        let path = path.with_extension(ending);
        outputs::write(&path, bytes).map_err(Missing::File)?;
    }
    let verified =
        check(&script, &made.steps[..]).map_err(|why| missing(format!("the checker disagrees: {why}")))?;
    match verified.unsatisfiable[..] {
        [0] => Ok(verified.counts.steps),
        _ => Err(missing("the checker finds it open".into())),
    }
}
