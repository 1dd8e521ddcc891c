//! Whether two systems are the same but for their symbols.
//!
//! Terms are hash-consed: with the symbols of one system in the place of the other's, two systems are the
//! same exactly if their terms are. Cost: linear in the terms of the second system.

use crate::system::System;
use bivalve_terms::{Pool, Substitution, Term};

impl System {
    /// What distinguishes `other`, a system over the same pool, from this one when the symbols of both are
    /// matched in their order; `None` if they are the same, names as given included.
    pub fn difference(&self, other: &System, pool: &mut Pool) -> Option<String> {
        if self.states.len() != other.states.len() || self.inputs.len() != other.inputs.len() {
            return Some("the numbers of states or inputs differ".into());
        }
        let mut substitution = Substitution::new();
        for (mine, its) in self.symbols().zip(other.symbols()) {
            if pool.sort(mine) != pool.sort(its) {
                return Some(format!("the sorts of {} and {} differ", pool.display(mine), pool.display(its)));
            }
            substitution.insert(pool, its, mine);
        }
        let (mine, its) = (self.parts(|term| term), other.parts(|term| substitution.apply(pool, term)));
        let place = (0..mine.len().max(its.len())).find(|&i| mine.get(i) != its.get(i))?;
        let show = |parts: &[Part]| match parts.get(place) {
            Some((what, Some(term), name)) => format!("{what} {} named {name:?}", pool.display(*term)),
            Some((what, None, name)) => format!("{what} absent, named {name:?}"),
            None => "nothing".into(),
        };
        Some(format!("{}\nagainst {}", show(&mine), show(&its)))
    }

    /// Everything but symbols, in a fixed order: what it is, its image, its name.
    fn parts(&self, mut image: impl FnMut(Term) -> Term) -> Vec<Part> {
        let mut parts: Vec<Part> = vec![];
        for state in &self.states {
            parts.push(("the initial value", state.init.map(&mut image), state.name.clone()));
            parts.push(("the next value", state.next.map(&mut image), None));
        }
        for input in &self.inputs {
            parts.push(("an input", None, input.name.clone()));
        }
        let lists = [("bad", &self.bads), ("constraint", &self.constraints), ("fair", &self.fairs)];
        for (what, list) in lists {
            parts.extend(list.iter().map(|p| (what, Some(image(p.term)), p.name.clone())));
        }
        for justice in &self.justices {
            parts.push(("justice", None, justice.name.clone()));
            parts.extend(justice.terms.iter().map(|&term| ("a condition", Some(image(term)), None)));
        }
        for (what, list) in [("output", &self.outputs), ("name", &self.named)] {
            let mut shown: Vec<Part> =
                list.iter().map(|o| (what, Some(image(o.term)), o.name.clone())).collect();
            // Names of inner terms have no order.
            shown.sort_by_key(|part| if what == "name" { part.1 } else { None });
            parts.extend(shown);
        }
        parts
    }
}

/// What it is, the term, the name.
type Part = (&'static str, Option<Term>, Option<String>);
