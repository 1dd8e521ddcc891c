//! Unit tests of the whole: [`table`] holds what is true of every row, [`behaviour`] what becomes of single
//! terms.

mod behaviour;
mod table;
