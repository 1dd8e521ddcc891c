//! The file that `write_btor -i` of Yosys writes beside a system: the name of the design and its clocks.
//!
//! A line is a word and what it is about: `name counter`, `posedge 2`, `negedge 2`, and `event 2` for a clock
//! on whose every edge something happens; a number is that of a node of the system. Lines with other words
//! are about other things and skipped.

use super::read::{MOST_IDS, Meaning, wrong};
use crate::lines::cursor::lines;
use crate::text::{Read, Text};
use bivalve_systems::{Clock, Design, Edge};
use bivalve_terms::{Pool, Sort, Term};
use rustc_hash::FxHashMap;

/// Reads the text; `nodes` are the lines of the system.
pub(super) fn read(pool: &Pool, text: Text<'_>, nodes: &FxHashMap<u64, Meaning>) -> Read<Design> {
    let mut design = Design::default();
    for mut line in lines(text) {
        let word = line.word("a word")?;
        let edge = match text.of(&word) {
            b"name" => {
                let name = line.symbol();
                design.top = name.map(|name| line.string(&name));
                line.end()?;
                continue;
            }
            b"posedge" | b"event" => Edge::Rising,
            b"negedge" => Edge::Falling,
            _ => continue,
        };
        let expected = "the number of a node of the system that is a bit";
        let (node, place) = line.number(expected, 1, MOST_IDS)?;
        match nodes.get(&node) {
            Some(&Meaning::Node(term)) if is_bit(pool, term) => design.clocks.push(Clock { term, edge }),
            other => return Err(wrong(&line, place, expected, other)),
        }
        line.end()?;
    }
    Ok(design)
}

fn is_bit(pool: &Pool, term: Term) -> bool {
    pool.sort(term) == Sort::BOOL || pool.sort(term).width() == Some(1)
}
