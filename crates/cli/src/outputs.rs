//! Outputs that are no inputs: the one place where that is decided.
//!
//! Files are compared by identity (device and number), so another spelling of a path, a symbolic link and a
//! hard link are recognised, and so is a file that standard input was redirected from.

use same_file::Handle;
use std::fs::File;
use std::path::Path;

/// Refuses to write to a file that is read. `inputs` are paths; `-` is standard input.
///
/// # Errors
///
/// A sentence that names both.
pub(crate) fn distinct_from_inputs<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), String> {
    // What does not exist yet is no input, and what is no file, such as a pipe, is not overwritten.
    let is_file = output.metadata().is_ok_and(|metadata| metadata.is_file());
    let Some(written) = is_file.then(|| Handle::from_path(output).ok()).flatten() else { return Ok(()) };
    for input in inputs {
        let read = if input == Path::new("-") { Handle::stdin() } else { Handle::from_path(input) };
        if read.is_ok_and(|read| read == written) {
            let input =
                if input == Path::new("-") { "standard input".into() } else { input.display().to_string() };
            return Err(format!(
                "{}: expected a file that is no input, found that it is {input}, which would be overwritten",
                output.display()
            ));
        }
    }
    Ok(())
}

/// Writes a file that is none of the inputs.
///
/// # Errors
///
/// A sentence: it is an input, or it cannot be written.
pub(crate) fn write<'a>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
    contents: &[u8],
) -> Result<(), String> {
    distinct_from_inputs(output, inputs)?;
    let written = File::create(output).and_then(|mut file| std::io::Write::write_all(&mut file, contents));
    written.map_err(|error| format!("{}: cannot be written: {error}", output.display()))
}
