//! The two forms of a certificate: bytes, and text for people.
//!
//! Both are sequences of the same tokens. A number is seven bits a byte, least significant first, in bytes,
//! and decimal in text; a large number or a name is its length and its bytes (large numbers least significant
//! byte first), in text `#` and hexadecimal digits, or `"` and the name up to the next `"`. Text has a word
//! for the number of a step, and comments from `;` to the end of the line.

use crate::step::{CONST, WORDS, operator_word};
use num_bigint::BigUint;
use std::io::BufRead;

/// What a binary certificate starts with.
pub const MAGIC: [u8; 4] = [b'B', b'V', b'C', 0];
/// What a certificate in text starts with.
pub const TITLE: &str = "bvc";
/// The version of both forms.
pub const VERSION: u64 = 1;

/// Longer names and larger numbers are refused.
const MOST_BYTES: u64 = 1 << 24;

/// A certificate that is read.
pub struct Tokens<R> {
    input: R,
    is_text: bool,
    /// Bytes read, or lines.
    place: u64,
    /// Bytes read.
    read: u64,
}

impl<R: BufRead> Tokens<R> {
    /// Reads what a certificate starts with.
    pub fn new(mut input: R) -> Result<Tokens<R>, String> {
        let start = input.fill_buf().map_err(|error| format!("cannot be read: {error}"))?;
        let is_text = start.first() != Some(&MAGIC[0]);
        let mut tokens = Tokens { input, is_text, place: u64::from(is_text), read: 0 };
        match is_text {
            true if tokens.word()? == TITLE => {}
            true => return Err("not a certificate".into()),
            false => {
                for expected in MAGIC {
                    if tokens.byte()? != expected {
                        return Err("not a certificate".into());
                    }
                }
            }
        }
        match tokens.number()? {
            VERSION => Ok(tokens),
            other => Err(format!("version {other} of certificates is not known here")),
        }
    }

    /// Where the reader stands.
    pub fn place(&self) -> String {
        if self.is_text { format!("line {}", self.place) } else { format!("byte {}", self.place) }
    }

    /// The bytes that were read.
    pub fn read(&self) -> u64 {
        self.read
    }

    fn byte(&mut self) -> Result<u8, String> {
        match self.peek()? {
            Some(byte) => {
                self.input.consume(1);
                self.read += 1;
                if !self.is_text || byte == b'\n' {
                    self.place += 1;
                }
                Ok(byte)
            }
            None => Err("the certificate ends in the middle of a step".into()),
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, String> {
        let bytes = self.input.fill_buf().map_err(|error| format!("cannot be read: {error}"))?;
        Ok(bytes.first().copied())
    }

    /// Text: skips what separates words.
    fn skip(&mut self) -> Result<(), String> {
        while let Some(byte) = self.peek()? {
            match byte {
                b';' => {
                    while self.peek()?.is_some_and(|byte| byte != b'\n') {
                        self.byte()?;
                    }
                }
                _ if byte.is_ascii_whitespace() => {
                    self.byte()?;
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// Text: a word.
    fn word(&mut self) -> Result<String, String> {
        self.skip()?;
        let mut word = String::new();
        while let Some(byte) = self.peek()?
            && !byte.is_ascii_whitespace()
        {
            word.push(char::from(self.byte()?));
            if word.len() as u64 > MOST_BYTES {
                return Err("a word is too long".into());
            }
        }
        if word.is_empty() { Err("the certificate ends in the middle of a step".into()) } else { Ok(word) }
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, String> {
        if self.is_text {
            let word = self.word()?;
            return word.parse().map_err(|_| format!("a number was expected, not '{word}'"));
        }
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            let digits = u64::from(byte & 0x7f);
            if shift >= 64 || digits << shift >> shift != digits {
                return Err("a number is too large".into());
            }
            number |= digits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    /// The number of an operator; in text, its word.
    pub fn operator(&mut self) -> Result<usize, String> {
        if !self.is_text {
            return self.small().map(|number| number as usize);
        }
        let word = self.word()?;
        let number = (0..=CONST).find(|&number| operator_word(number) == Some(&word));
        number.ok_or_else(|| format!("'{word}' is no operator"))
    }

    /// A number of 32 bits.
    pub fn small(&mut self) -> Result<u32, String> {
        let number = self.number()?;
        u32::try_from(number).map_err(|_| format!("{number} is too large"))
    }

    /// A number of any size.
    pub fn large(&mut self) -> Result<BigUint, String> {
        if !self.is_text {
            let bytes = self.bytes()?;
            return Ok(BigUint::from_bytes_le(&bytes));
        }
        let word = self.word()?;
        let digits = word.strip_prefix('#').and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 16));
        digits.ok_or_else(|| format!("a hexadecimal number was expected, not '{word}'"))
    }

    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let len = self.number()?;
        if len > MOST_BYTES {
            return Err("a name or a number is too long".into());
        }
        (0..len).map(|_| self.byte()).collect()
    }

    /// A name.
    pub fn name(&mut self) -> Result<String, String> {
        let mut bytes = vec![];
        if self.is_text {
            self.skip()?;
            if self.byte()? != b'"' {
                return Err("a name was expected".into());
            }
            loop {
                match self.byte()? {
                    b'"' => break,
                    byte => bytes.push(byte),
                }
            }
        } else {
            bytes = self.bytes()?;
        }
        String::from_utf8(bytes).map_err(|_| "a name is not UTF-8".into())
    }

    /// The number of the next step; `None` at the end.
    pub fn step(&mut self) -> Result<Option<usize>, String> {
        if self.is_text {
            self.skip()?;
        }
        if self.peek()?.is_none() {
            return Ok(None);
        }
        if !self.is_text {
            return Ok(Some(usize::from(self.byte()?)));
        }
        let word = self.word()?;
        let step = WORDS.iter().position(|&known| known == word);
        step.map(Some).ok_or_else(|| format!("'{word}' is no step"))
    }
}
