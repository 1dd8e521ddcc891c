//! Tests of the whole workspace live in the test targets of this package.
