//! How the drop-in headers report what is wrong: as the solvers that they stand for, which end the process.
//!
//! Boolector and STP call a function of the program with a message; without one they print it and exit. The
//! function may throw an exception of C++: it is called when nothing of ours is borrowed or half done,
//! through frames that may be unwound. If it returns, the call returns null or zero.
#![expect(unsafe_code, reason = "functions of C are called: the one of the program, and `exit`")]

use crate::fault::{Failed, Fault, Outcome, c_string, caught};
use crate::registry::locked;
use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::Mutex;

/// A function of the program that is told what is wrong.
pub(crate) type Report = unsafe extern "C-unwind" fn(*const c_char);

/// Where a solver keeps it.
pub(crate) type Reporter = Mutex<Option<Report>>;

/// Carries a call out and returns what it gives, or reports what is wrong.
pub(crate) fn carried_out<T: Failed>(
    reporter: &Reporter,
    function: &str,
    body: impl FnOnce() -> Outcome<T>,
) -> T {
    match caught(body) {
        Ok(result) => result,
        Err(fault) => {
            report(reporter, function, &fault);
            T::FAILED
        }
    }
}

fn report(reporter: &Reporter, function: &str, fault: &Fault) {
    let message = c_string(format!("[bivalve] {function}: {}\n", fault.message));
    let report = *locked(reporter);
    match report {
        Some(report) => unsafe { report(message.as_ptr()) },
        None => unsafe {
            libc::fflush(null_mut());
            // Nothing is left to be done if the message cannot be written.
            let _ = libc::write(2, message.as_ptr().cast(), message.as_bytes().len());
            libc::exit(1)
        },
    }
}
