//! The certificate of a tree: those of its leaves, one after the other.
//!
//! A leaf's certificate refutes the script with the leaf's cube, so it is made without knowing of other
//! leaves. Written from left to right, each with the terms that the leaf before did not have, they are all
//! that the checker needs to see that no case is missing. One leaf is held at a time.

use crate::cube::{Cube, Literal};
use bivalve_certificate::Form;
use std::io::{self, Write};

/// Writes the certificate of the first check of a script, from its leaves, which come from left to right
/// with what refutes them.
///
/// # Errors
///
/// When `out` cannot be written, a leaf cannot be read, or the leaves are not all leaves of a tree.
pub fn merge<'a>(
    out: &mut dyn Write,
    form: Form,
    leaves: impl Iterator<Item = (&'a Cube, io::Result<Vec<u8>>)>,
) -> io::Result<()> {
    form.write_head(out)?;
    let mut path: Option<Vec<Literal>> = Some(vec![]);
    for (Cube(literals), steps) in leaves {
        let missing = || io::Error::other("a leaf of the tree is missing or comes twice");
        let known = path.take().ok_or_else(missing)?;
        let more = literals.strip_prefix(&known[..]).ok_or_else(missing)?;
        if more.iter().any(|literal| !literal.truth) {
            return Err(missing());
        }
        let terms: Vec<&str> = more.iter().map(|literal| literal.term.as_str()).collect();
        form.write_case(out, 0, &terms, &steps?)?;
        path = next(literals.clone());
    }
    if path.is_some() {
        return Err(io::Error::other("the last leaf of the tree is missing"));
    }
    out.flush()
}

/// What is open when the leaf at the end of a path is refuted; nothing behind the last one.
fn next(mut path: Vec<Literal>) -> Option<Vec<Literal>> {
    while path.pop_if(|literal| !literal.truth).is_some() {}
    path.last_mut()?.truth = false;
    Some(path)
}
