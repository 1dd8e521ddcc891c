//! What can go wrong, and how a C program learns of it.
//!
//! Inside, a failed call is a [`Fault`]: a code and a sentence. At the boundary it becomes the value that
//! means failure in the type of the function, and the fault is kept for the thread, like `errno`. A panic,
//! which would be a defect of this program, is caught there as well; its manager is not used again.

use bivalve::terms::{BitVec, SortError};
use bivalve::{AssertError, CheckError, InternalError, LevelError, OptionError};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It was carried out.
    Ok = 0,
    /// An argument is null, out of range, or no text.
    Argument = 1,
    /// A handle was freed, is of another kind or of another manager, or never was one.
    Handle = 2,
    /// Terms have the wrong sorts or widths for what is made of them.
    Sort = 3,
    /// What is asked for is not there now: a model after `unsat`, a level below the lowest.
    State = 4,
    /// The manager belongs to another thread.
    Thread = 5,
    /// It is outside of what Bivalve decides, or what a format can express.
    Unsupported = 6,
    /// A text is malformed.
    Parse = 7,
    /// A self-check failed. The manager cannot be used any more; it can be freed.
    Internal = 8,
}

/// A failed call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) status: Status,
    pub(crate) message: String,
}

/// What a call returns inside.
pub(crate) type Outcome<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Fault {
        Fault { status, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Fault {
        Fault::new(Status::Argument, message)
    }

    pub(crate) fn state(message: impl Into<String>) -> Fault {
        Fault::new(Status::State, message)
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Fault {
        Fault::new(Status::Unsupported, message)
    }
}

impl From<SortError> for Fault {
    fn from(error: SortError) -> Fault {
        Fault::new(Status::Sort, error.to_string())
    }
}

impl From<AssertError> for Fault {
    fn from(error: AssertError) -> Fault {
        let status = match error {
            AssertError::NotBoolean => Status::Sort,
            AssertError::Unsupported(_) | AssertError::NotLowered(_) => Status::Unsupported,
        };
        Fault::new(status, error.to_string())
    }
}

impl From<InternalError> for Fault {
    fn from(error: InternalError) -> Fault {
        Fault::new(Status::Internal, error.to_string())
    }
}

impl From<CheckError> for Fault {
    fn from(error: CheckError) -> Fault {
        match error {
            CheckError::Internal(error) => error.into(),
            CheckError::Assumption { ref refusal, .. } => {
                Fault::new(Fault::from(refusal.clone()).status, error.to_string())
            }
        }
    }
}

impl From<LevelError> for Fault {
    fn from(error: LevelError) -> Fault {
        Fault::state(error.to_string())
    }
}

impl From<OptionError> for Fault {
    fn from(error: OptionError) -> Fault {
        Fault::argument(error.to_string())
    }
}

impl From<bivalve_formats::Diagnostic> for Fault {
    fn from(error: bivalve_formats::Diagnostic) -> Fault {
        Fault::new(Status::Parse, error.to_string())
    }
}

impl From<bivalve_formats::Inexpressible> for Fault {
    fn from(error: bivalve_formats::Inexpressible) -> Fault {
        Fault::unsupported(error.to_string())
    }
}

/// The value of a type that means that a call failed.
pub(crate) trait Failed {
    const FAILED: Self;
}

impl Failed for *const c_char {
    const FAILED: *const c_char = null();
}

impl Failed for u32 {
    const FAILED: u32 = 0;
}

impl Failed for usize {
    const FAILED: usize = 0;
}

impl Failed for i32 {
    const FAILED: i32 = -1;
}

/// Failures of the drop-in headers: null, zero, false.
#[cfg(any(feature = "boolector", feature = "stp"))]
mod drop_in {
    use super::Failed;
    use std::ptr::null_mut;

    impl<T> Failed for *mut T {
        const FAILED: *mut T = null_mut();
    }

    impl Failed for () {
        const FAILED: () = ();
    }

    impl Failed for bool {
        const FAILED: bool = false;
    }

    impl Failed for u64 {
        const FAILED: u64 = 0;
    }
}

thread_local! {
    static LAST: RefCell<(Status, CString)> = RefCell::new((Status::Ok, CString::default()));
    static TEXT: RefCell<CString> = RefCell::default();
}

/// A C string of any text; what a zero byte would cut off is left out.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> CString {
    CString::new(text).unwrap_or_else(|error| {
        let end = error.nul_position();
        let mut bytes = error.into_vec();
        bytes.truncate(end);
        CString::new(bytes).unwrap_or_default()
    })
}

/// Remembers what went wrong on this thread.
pub(crate) fn remember(fault: &Fault) {
    // A thread that is ending keeps nothing.
    let _ = LAST.try_with(|last| *last.borrow_mut() = (fault.status, c_string(fault.message.as_str())));
}

/// The code of the last failed call of this thread.
pub(crate) fn last_status() -> Status {
    LAST.try_with(|last| last.borrow().0).unwrap_or(Status::Ok)
}

/// Its message; a pointer that lives until the next failed call of this thread.
pub(crate) fn last_message() -> *const c_char {
    LAST.try_with(|last| last.borrow().1.as_ptr()).unwrap_or(c"".as_ptr())
}

/// Forgets it.
pub(crate) fn forget() {
    let _ = LAST.try_with(|last| *last.borrow_mut() = (Status::Ok, CString::default()));
}

/// Keeps a text for this thread, in the place of the text before; a pointer to it.
pub(crate) fn keep_text(text: impl Into<Vec<u8>>) -> *const c_char {
    let kept = TEXT.try_with(|place| {
        *place.borrow_mut() = c_string(text);
        place.borrow().as_ptr()
    });
    kept.unwrap_or_else(|_| CStr::as_ptr(c""))
}

/// Carries a call out, whatever happens inside.
pub(crate) fn caught<T>(body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        Err(Fault::new(Status::Internal, format!("internal: panic: {}", bivalve::panic_message(&*panic))))
    })
}

/// The result of a call at the boundary.
pub(crate) fn answer<T: Failed>(body: impl FnOnce() -> Outcome<T>) -> T {
    caught(body).unwrap_or_else(|fault| {
        remember(&fault);
        T::FAILED
    })
}

/// A call at the boundary that returns nothing but how it ended.
pub(crate) fn status(body: impl FnOnce() -> Outcome<()>) -> Status {
    match caught(body) {
        Ok(()) => Status::Ok,
        Err(fault) => {
            remember(&fault);
            fault.status
        }
    }
}

/// A call at the boundary that returns a text, which lives until the next one of this thread.
pub(crate) fn text(body: impl FnOnce() -> Outcome<String>) -> *const c_char {
    answer(|| body().map(keep_text))
}

/// A bit-vector of digits in a base: 2, 10 or 16. Decimal digits may have a minus in front.
pub(crate) fn digits(digits: &str, base: u32, width: u32) -> Outcome<BitVec> {
    bivalve::terms::Sort::bitvec(width)?;
    let magnitude = digits.strip_prefix('-').filter(|_| base == 10).unwrap_or(digits);
    let trimmed = magnitude.trim_start_matches('0');
    let trimmed = if trimmed.is_empty() && !magnitude.is_empty() { "0" } else { trimmed };
    let value = match base {
        2 => BitVec::parse_binary(trimmed.as_bytes()),
        10 => BitVec::parse_decimal(trimmed.as_bytes(), width),
        16 => BitVec::parse_hex(trimmed.as_bytes()),
        _ => return Err(Fault::argument(format!("expected base 2, 10 or 16, found {base}"))),
    };
    let fitted = value.and_then(|value| fitted(&value, width)).ok_or_else(|| {
        let shown: String = digits.chars().take(80).collect();
        Fault::argument(format!("'{shown}' is no number of {width} bits in base {base}"))
    })?;
    if magnitude.len() == digits.len() {
        return Ok(fitted);
    }
    let is_too_low = fitted.msb() && !fitted.is_min_signed();
    let refusal = || Fault::argument(format!("the number '{digits}' is too low for {width} bits"));
    if is_too_low { Err(refusal()) } else { Ok(fitted.neg()) }
}

/// The value in other bits, if no one is lost.
fn fitted(value: &BitVec, width: u32) -> Option<BitVec> {
    let found = value.width();
    if found <= width {
        return Some(if found == width { value.clone() } else { value.zero_extend(width - found) });
    }
    (value.leading_zeros() >= found - width).then(|| value.extract(width - 1, 0))
}

/// The digits of a value in a base, of bits and hexadecimal digits as many as there are.
pub(crate) fn shown(value: &BitVec, base: u32) -> Outcome<String> {
    match base {
        2 => Ok(value.to_binary_string()),
        10 => Ok(value.to_decimal_string()),
        16 => {
            let missing = value.width().next_multiple_of(4) - value.width();
            let whole = if missing == 0 { value.clone() } else { value.zero_extend(missing) };
            Ok(whole.to_hex_string().unwrap_or_default())
        }
        _ => Err(Fault::argument(format!("expected base 2, 10 or 16, found {base}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_three_bases_if_they_fit() {
        let read = |text: &str, base, width| digits(text, base, width).ok().map(|v| v.low_u64());
        assert_eq!(
            [read("0101", 2, 8), read("ff", 16, 8), read("255", 10, 8)],
            [Some(5), Some(255), Some(255)]
        );
        assert_eq!([read("000000000001", 2, 4), read("00001f", 16, 5)], [Some(1), Some(31)]);
        assert_eq!(
            [read("-1", 10, 8), read("-128", 10, 8), read("-0", 10, 8)],
            [Some(255), Some(128), Some(0)]
        );
        for (text, base, width) in [
            ("", 2, 8),
            ("-", 10, 8),
            ("256", 10, 8),
            ("-129", 10, 8),
            ("-1", 2, 8),
            ("100", 16, 8),
            ("20", 16, 5),
            ("2", 2, 8),
            ("1", 3, 8),
            ("1", 10, 0),
            ("1", 10, u32::MAX),
        ] {
            assert_eq!(read(text, base, width), None, "{text} {base} {width}");
        }
    }

    #[test]
    fn digits_are_as_many_as_the_width_asks_for() {
        let value = BitVec::from_u64(9, 6);
        let found = [2, 10, 16].map(|base| shown(&value, base).unwrap());
        assert_eq!(found, ["001001", "9", "09"]);
        assert!(shown(&value, 8).is_err());
    }

    #[test]
    fn a_panic_is_a_fault() {
        let fault = caught(|| -> Outcome<()> { panic!("no {}", "way") }).unwrap_err();
        assert_eq!((fault.status, fault.message.as_str()), (Status::Internal, "internal: panic: no way"));
    }
}
