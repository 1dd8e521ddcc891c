//! The last words of a process that finds no memory any more.
//!
//! Where `ulimit -v` limits the address space, an allocation may find none left, however early searches are
//! stopped: a list that grows is moved, and takes twice the memory meanwhile. The libraries of Rust and of
//! C++ call `abort` then, and a client that waits for a line would get none. So the signal of `abort` is
//! caught: a running check is answered by `unknown`, another command by an error, and the exit code is 2.
//! Where half of what is granted is free, the process has another fault, and ends by the signal as ever.
#![expect(unsafe_code, reason = "no type says what a signal handler may do")]

use crate::FAULT_EXIT;
use crate::limits::{granted_memory, named_bytes};
use crate::messages::complain;
use signal_hook::consts::SIGABRT;
use signal_hook::low_level;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// From now on an `abort` for want of memory is told on standard error, and in `answers`, if there are any.
/// `is_idle`: no check runs.
pub(crate) fn tell(answers: Option<&dyn AsFd>, is_idle: Arc<AtomicBool>) {
    let Some(granted) = granted_memory() else { return };
    let twin = |of: &dyn AsFd| of.as_fd().try_clone_to_owned().ok().map(File::from);
    let (complaints, answers) = (twin(&io::stderr()), answers.and_then(twin));
    let act = move || {
        if used().is_some_and(|used| used < granted / 2) {
            return;
        }
        let answer: &[u8] = match is_idle.load(Ordering::SeqCst) {
            true => b"(error \"out of memory\")\n",
            false => b"unknown\n",
        };
        let complaint = b"error: out of memory: no more of the address space is granted (`ulimit -v`)\n";
        for (file, words) in [(&answers, answer), (&complaints, complaint)] {
            // If it cannot be written, the exit code is all that can be said.
            let _ = file.as_ref().map(|mut file| file.write_all(words));
        }
        low_level::exit(i32::from(FAULT_EXIT));
    };
    // SAFETY: the handler opens, reads and writes files, which are calls of the system, and reads an atomic.
    // It takes neither memory nor locks.
    if let Err(error) = unsafe { low_level::register(SIGABRT, act) } {
        complain(&format!("warning: want of memory will not be told: {error}\n"));
    }
}

/// The address space that is used, in bytes; takes no memory.
fn used() -> Option<u64> {
    let mut text = [0; 4096];
    let length = File::open("/proc/self/status").ok()?.read(&mut text).ok()?;
    named_bytes(str::from_utf8(&text[..length]).ok()?, "VmSize:")
}
