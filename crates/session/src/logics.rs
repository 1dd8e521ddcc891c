//! The logics that scripts may set.

use crate::reply::Reply;

/// Logics whose scripts are read; what goes beyond bit-vectors in them is refused assertion by assertion.
pub const LOGICS: &[&str] = &[
    "QF_BV",
    "QF_ABV",
    "QF_UFBV",
    "QF_AUFBV",
    "QF_UF",
    "QF_AX",
    "QF_BOOL",
    "QF_ALL",
    "BV",
    "CORE",
    "ALL",
    // Names that scripts have for what is decided here, or where it is a part.
    "SAT",
    "QF_SAT",
    "UF",
    "QF_AUF",
    "AX",
    "ABV",
    "UFBV",
    "AUFBV",
    "QF_FD",
    "ALL_SUPPORTED",
];

/// Bit-vectors and floating-point numbers, and both with other theories, of which only a part is decided:
/// integers, reals, data types.
fn is_combination(logic: &str) -> bool {
    let theories =
        logic.strip_prefix("QF_").unwrap_or(logic).trim_start_matches('A').trim_start_matches("UF");
    let floats = ["FP", "BVFP", "FPBV", "FPLRA", "BVFPLRA"];
    ["BVLIA", "BVNIA", "BVDT", "BVDTLIA", "BVDTNIA", "DTBV"]
        .iter()
        .chain(&floats)
        .any(|&known| known == theories)
}

/// Carries out `(set-logic ...)`, which changes nothing here: the reader keeps to the logic.
pub(crate) fn set_logic(logic: &str) -> Result<(), Reply> {
    if LOGICS.contains(&logic) || is_combination(logic) {
        return Ok(());
    }
    Err(Reply::Error(format!("expected one of the logics {}, found {logic}", LOGICS.join(" "))))
}
