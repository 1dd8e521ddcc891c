//! Cubes: terms that are assumed true or false, from the root of the tree to one of its nodes.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// A term of the script's language, or its negation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Literal {
    /// The term.
    pub term: String,
    /// Whether it is assumed to be true.
    pub truth: bool,
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.truth { f.write_str(&self.term) } else { write!(f, "(not {})", self.term) }
    }
}

/// The literals on the way from the root of the tree to a node.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Cube(pub Vec<Literal>);

impl Cube {
    /// The two cubes in which a term is true and false besides, in this order.
    pub fn split(&self, term: &str) -> [Cube; 2] {
        [true, false].map(|truth| {
            let mut literals = self.0.clone();
            literals.push(Literal { term: term.to_owned(), truth });
            Cube(literals)
        })
    }

    /// Which of two nodes of one tree, of which none is above the other, is further to the left.
    pub fn order(&self, other: &Cube) -> Ordering {
        let differs = self.0.iter().zip(&other.0).find(|(one, two)| one.truth != two.truth);
        differs.map_or(Ordering::Equal, |(one, two)| two.truth.cmp(&one.truth))
    }
}

impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, literal) in self.0.iter().enumerate() {
            write!(f, "{}{literal}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
