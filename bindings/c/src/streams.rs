//! Streams and memory of the C library: `FILE` of the program, `malloc` for what it frees itself.
#![expect(unsafe_code, reason = "functions of the C library are called")]

use crate::fault::{Fault, Outcome, c_string};
use libc::FILE;
use std::ffi::c_char;
use std::io::{Error, Write};

/// Writes a text to a stream of the program.
///
/// # Safety
///
/// The address is null, or that of an open stream.
pub(crate) unsafe fn write(stream: *mut FILE, text: &str) -> Outcome<()> {
    if stream.is_null() {
        return Err(Fault::argument("'file' must not be NULL"));
    }
    let written = unsafe { libc::fwrite(text.as_ptr().cast(), 1, text.len(), stream) };
    if written == text.len() { Ok(()) } else { Err(Fault::state("the stream cannot be written")) }
}

/// Writes a text to the standard output, as `printf` of the program does.
pub(crate) fn print(text: &str) -> Outcome<()> {
    let text = c_string(text);
    let written = unsafe { libc::printf(c"%s".as_ptr(), text.as_ptr()) };
    if written >= 0 { Ok(()) } else { Err(Fault::state("the standard output cannot be written")) }
}

/// All that is left in a stream of the program.
///
/// # Safety
///
/// The address is null, or that of an open stream.
pub(crate) unsafe fn read(stream: *mut FILE) -> Outcome<Vec<u8>> {
    if stream.is_null() {
        return Err(Fault::argument("'infile' must not be NULL"));
    }
    let (mut text, mut block) = (vec![], [0u8; 1 << 16]);
    loop {
        let count = unsafe { libc::fread(block.as_mut_ptr().cast(), 1, block.len(), stream) };
        if count == 0 {
            break;
        }
        text.extend_from_slice(&block[..count]);
    }
    let is_whole = unsafe { libc::ferror(stream) } == 0;
    if is_whole { Ok(text) } else { Err(Fault::state("the stream cannot be read")) }
}

/// Writes a text to a file descriptor of the program.
pub(crate) fn write_to(descriptor: i32, text: &str) -> Outcome<()> {
    struct Descriptor(i32);
    impl Write for Descriptor {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let count = unsafe { libc::write(self.0, bytes.as_ptr().cast(), bytes.len()) };
            usize::try_from(count).map_err(|_| Error::last_os_error())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let refused =
        |error| Fault::state(format!("the file descriptor {descriptor} cannot be written: {error}"));
    Descriptor(descriptor).write_all(text.as_bytes()).map_err(refused)
}

/// A block of memory that the program frees with `free`.
pub(crate) fn allocated<T: Copy>(values: &[T]) -> Outcome<*mut T> {
    let bytes = size_of_val(values).max(1);
    let block: *mut T = unsafe { libc::malloc(bytes) }.cast();
    if block.is_null() {
        return Err(Fault::state("out of memory"));
    }
    for (position, &value) in values.iter().enumerate() {
        unsafe { block.add(position).write(value) };
    }
    Ok(block)
}

/// A text that the program frees with `free`, and its length.
pub(crate) fn allocated_text(text: &str) -> Outcome<(*mut c_char, usize)> {
    let text = c_string(text);
    let bytes = text.as_bytes_with_nul();
    Ok((allocated(bytes)?.cast(), bytes.len() - 1))
}
