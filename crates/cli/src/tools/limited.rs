//! Limits of tools that write one text at their end.
//!
//! Reading, unrolling and rewriting look at no clock there. A thread of its own does, and ends the process
//! with a sentence when a limit is reached before the text is written; nothing is written then, not half of
//! it.

use crate::limits::{Limits, check_limits, granted_memory};
use crate::messages::error;
use crate::units::{parse_bytes, parse_duration};
use bivalve::Stop;
use bivalve_harness::Cancel;
use bivalve_harness::watch::{Watched, watch};
use clap::{Arg, ArgMatches};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit code of these tools where no text comes of an input.
const ERROR_EXIT: u8 = 1;

/// The options.
pub(super) fn args() -> [Arg; 2] {
    let limit = |name: &'static str, short, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).short(short).value_name(value).help(help).help_heading("Limits")
    };
    [
        limit(
            "time-limit",
            't',
            "TIME",
            "10 (seconds), 1.5s, 500ms, 2min; nothing is written then; 0 is no limit",
        )
        .value_parser(parse_duration),
        limit(
            "memory-limit",
            'm',
            "SIZE",
            "resident memory: 800 (megabytes), 512MiB, 2G; three quarters of `ulimit -v`, if that is set; 0 is no limit",
        )
        .value_parser(parse_bytes),
    ]
}

/// The limits that these options give.
pub(super) fn limits(matches: &ArgMatches) -> Limits {
    let memory = matches.get_one::<u64>("memory-limit").copied().or_else(granted_memory);
    Limits {
        total_time: matches.get_one::<Duration>("time-limit").copied().filter(|time| !time.is_zero()),
        memory: memory.filter(|&bytes| bytes > 0),
    }
}

/// Ends work that looks at a flag when a limit is reached, as long as this is kept; the reason is that of the
/// stop.
pub(super) fn ending(cancel: &Cancel, limits: Limits) -> (Stop, Watched) {
    let (stop, flag) = (Stop::new(), cancel.flag().clone());
    let deadline = limits.total_time.and_then(|time| Instant::now().checked_add(time));
    let asked =
        move || check_limits(deadline, limits.memory).inspect_err(|_| flag.store(true, Ordering::SeqCst));
    let watched = watch(&stop, asked);
    (stop, watched)
}

/// Work that ends the process at its limits; to be settled or dropped before a file is written.
pub(crate) struct Limited {
    /// The work is done, or the process ends: whichever is first.
    is_settled: Arc<AtomicBool>,
    /// The work was found to be done.
    is_done: Cell<bool>,
}

impl Limited {
    /// The work begins.
    pub(crate) fn by(limits: Limits) -> Limited {
        Limited::or_end(limits, ERROR_EXIT)
    }

    /// The same with another exit code.
    pub(super) fn or_end(limits: Limits, exit: u8) -> Limited {
        let is_settled = Arc::new(AtomicBool::new(false));
        let settled = is_settled.clone();
        let deadline = limits.total_time.and_then(|time| Instant::now().checked_add(time));
        let look = move || {
            while !settled.load(Ordering::SeqCst) {
                match check_limits(deadline, limits.memory) {
                    Ok(nap) => std::thread::sleep(nap),
                    Err(why) if !settled.swap(true, Ordering::SeqCst) => {
                        error(&format!("nothing is written: {why}"));
                        signal_hook::low_level::exit(i32::from(exit));
                    }
                    Err(_) => {}
                }
            }
        };
        if deadline.is_some() || limits.memory.is_some() {
            std::thread::spawn(look);
        }
        Limited { is_settled, is_done: Cell::new(false) }
    }

    /// The work is done, and what came of it can be written.
    pub(super) fn settle(&self) {
        while !self.is_done.get() && self.is_settled.swap(true, Ordering::SeqCst) {
            // The process is ending.
            std::thread::park();
        }
        self.is_done.set(true);
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        self.settle();
    }
}
