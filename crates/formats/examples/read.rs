//! Reads scripts and says how long it took, how many commands and terms they have, and what was refused.
//!
//! `cargo run --release -p bivalve-formats --example read -- FILE ...`; `-` is the standard input. Measuring
//! needs a clock, so this is not part of the library.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a measuring tool")]

use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_terms::Pool;
use std::fs::File;
use std::io::Read;
use std::time::Instant;

fn main() {
    for name in std::env::args().skip(1) {
        let input: Box<dyn Read> = match &*name {
            "-" => Box::new(std::io::stdin()),
            path => Box::new(File::open(path).expect("a readable file")),
        };
        let start = Instant::now();
        let mut pool = Pool::new();
        let mut parser = Parser::new(input, &name, ParserOptions::default());
        let (mut commands, mut refused) = (0u64, 0u64);
        loop {
            match parser.next_command(&mut pool) {
                Ok(None) => break,
                Ok(Some(command)) => {
                    commands += 1;
                    parser.symbols_mut().follow(&command);
                }
                Err(diagnostic) => {
                    refused += 1;
                    if refused <= 20 {
                        print!("{}", diagnostic.render());
                    }
                }
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name}: {commands} commands, {refused} refused, {} terms of {} bytes, {seconds:.3} s",
            pool.len(),
            pool.heap_bytes()
        );
    }
}
