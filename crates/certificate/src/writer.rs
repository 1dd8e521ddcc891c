//! The tokens of a certificate, in either form: what `bivalve_checker::token` reads.

use crate::Form;
use bivalve_checker::step::{WORDS, operator_word};
use bivalve_checker::token::{MAGIC, TITLE, VERSION};
use num_bigint::BigUint;
use std::fmt::Display;

/// Steps that are written.
#[derive(Clone)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    form: Form,
}

impl Writer {
    /// Nothing yet.
    pub(crate) fn new(form: Form) -> Writer {
        Writer { bytes: vec![], form }
    }

    /// What was written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn text(&mut self, token: impl Display) {
        self.bytes.extend(token.to_string().into_bytes());
    }

    /// What a certificate starts with.
    pub(crate) fn head(&mut self) {
        self.bytes.extend(if self.form == Form::Text { TITLE.as_bytes() } else { &MAGIC });
        self.number(VERSION);
    }

    /// A step.
    pub(crate) fn step(&mut self, step: usize) {
        match self.form {
            Form::Text => self.text(format_args!("\n{}", WORDS[step])),
            Form::Binary => self.bytes.push(step as u8),
        }
    }

    /// An operator.
    pub(crate) fn operator(&mut self, number: usize) {
        match operator_word(number).filter(|_| self.form == Form::Text) {
            Some(word) => self.text(format_args!(" {word}")),
            None => self.number(number as u64),
        }
    }

    /// A number.
    pub(crate) fn number(&mut self, mut number: u64) {
        if self.form == Form::Text {
            return self.text(format_args!(" {number}"));
        }
        while number >= 0x80 {
            self.bytes.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A number of any size.
    pub(crate) fn large(&mut self, number: &BigUint) {
        match self.form {
            Form::Text => self.text(format_args!(" #{number:x}")),
            Form::Binary => self.length_and(&number.to_bytes_le()),
        }
    }

    /// A name.
    pub(crate) fn name(&mut self, name: &str) {
        match self.form {
            Form::Text => self.text(format_args!(" \"{name}\"")),
            Form::Binary => self.length_and(name.as_bytes()),
        }
    }

    fn length_and(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend(bytes);
    }

    /// Steps that were written elsewhere in the same form.
    pub(crate) fn append(&mut self, steps: &[u8]) {
        self.bytes.extend(steps);
    }
}
