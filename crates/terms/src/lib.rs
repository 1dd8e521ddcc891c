//! Sorts, operators, values and hash-consed terms.
