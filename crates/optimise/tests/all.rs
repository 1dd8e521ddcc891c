//! Optima compared with enumeration.

mod enumeration;
mod kinds;
