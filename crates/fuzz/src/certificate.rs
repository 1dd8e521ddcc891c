//! Certificates with one thing altered, as text: what a checker of certificates is tested with.
//!
//! A certificate in text is a line for each step, and each line is words: the step, numbers, operators,
//! names. A step is left out, repeated, moved, taken from another certificate; a number, an operator or a
//! name becomes another one; a conclusion is put where there is none. Numbers become such as are near, small,
//! large, or stand elsewhere in the certificate, so that many alterations are about things that exist.
//! Nothing is known here of what steps mean, so nothing is hidden from the checker by that knowledge. All
//! follows from the generator of random numbers.

use fastrand::Rng;
use std::fmt;

/// A certificate in text, cut into steps. The first is what all certificates start with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    steps: Vec<Vec<String>>,
}

/// What is altered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A number is another one.
    Number,
    /// A word for a step, an operator or a name is another one of the certificate.
    Word,
    /// A step is left out.
    Dropped,
    /// Two steps have changed places.
    Swapped,
    /// A step is there twice.
    Repeated,
    /// A conclusion stands where there is none, or another one than there was.
    Forged,
    /// A step of another certificate.
    Foreign,
    /// Another certificate.
    Other,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 8] = [
        Kind::Number,
        Kind::Word,
        Kind::Dropped,
        Kind::Swapped,
        Kind::Repeated,
        Kind::Forged,
        Kind::Foreign,
        Kind::Other,
    ];

    /// A word for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Word => "word",
            Kind::Dropped => "dropped",
            Kind::Swapped => "swapped",
            Kind::Repeated => "repeated",
            Kind::Forged => "forged",
            Kind::Foreign => "foreign",
            Kind::Other => "other",
        }
    }
}

/// A certificate that was altered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Altered {
    /// What was altered.
    pub kind: Kind,
    /// The certificate.
    pub certificate: Certificate,
    /// The step that was altered, left out or put in, by its place in the altered certificate.
    pub step: usize,
    /// What it was; empty if there was none.
    pub before: String,
    /// What it is; empty if it is gone.
    pub after: String,
}

impl Certificate {
    /// Cuts text into steps. Names in quotes are words, whatever they hold.
    pub fn of(text: &str) -> Certificate {
        let (mut steps, mut step, mut word) = (vec![], vec![], String::new());
        let mut is_quoted = false;
        for c in text.chars() {
            match c {
                '"' => {
                    is_quoted = !is_quoted;
                    word.push(c);
                }
                _ if is_quoted || !c.is_whitespace() => word.push(c),
                _ => {
                    if !word.is_empty() {
                        step.push(std::mem::take(&mut word));
                    }
                    if c == '\n' && !step.is_empty() {
                        steps.push(std::mem::take(&mut step));
                    }
                }
            }
        }
        step.extend((!word.is_empty()).then_some(word));
        steps.extend((!step.is_empty()).then_some(step));
        Certificate { steps }
    }

    /// The number of steps, what certificates start with included.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Is there no step?
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// The words of a step.
    pub fn step(&self, at: usize) -> &[String] {
        self.steps.get(at).map_or(&[], |step| &step[..])
    }

    /// The same with these steps in place of one.
    #[must_use]
    pub fn with(&self, at: usize, steps: &[&str]) -> Certificate {
        let mut other = self.clone();
        let words = |step: &&str| step.split(' ').map(str::to_owned).collect();
        other.steps.splice(at..(at + 1).min(self.len()), steps.iter().map(words));
        other
    }

    /// The certificate with one thing altered, of a kind that is drawn; `other` is a certificate of another
    /// script.
    pub fn altered(&self, other: &Certificate, rng: &mut Rng) -> Altered {
        let kind = match rng.u8(..16) {
            0..=5 => Kind::Number,
            6..=7 => Kind::Word,
            8..=9 => Kind::Dropped,
            10..=11 => Kind::Swapped,
            12 => Kind::Repeated,
            13 => Kind::Forged,
            14 => Kind::Foreign,
            _ if rng.u8(..32) == 0 => Kind::Other,
            _ => Kind::Foreign,
        };
        self.altered_by(kind, other, rng)
    }

    /// The same for this kind.
    pub fn altered_by(&self, kind: Kind, other: &Certificate, rng: &mut Rng) -> Altered {
        if kind == Kind::Other || self.is_empty() {
            let (before, after) = (String::new(), String::new());
            return Altered { kind: Kind::Other, certificate: other.clone(), step: 0, before, after };
        }
        let mut certificate = self.clone();
        let mut at = rng.usize(1..self.len());
        let steps = &mut certificate.steps;
        let mut before = words(&steps[at]);
        match kind {
            Kind::Dropped => drop(steps.remove(at)),
            Kind::Swapped => steps.swap(at, near(at, self.len(), rng)),
            Kind::Repeated => {
                let to = rng.usize(1..=self.len());
                steps.insert(to, self.steps[at].clone());
                (at, before) = (to, String::new());
            }
            Kind::Foreign if !other.is_empty() => {
                let step = other.steps[rng.usize(1..other.len())].clone();
                put(steps, at, step, &mut before, rng);
            }
            Kind::Forged => put(steps, at, self.forged(rng), &mut before, rng),
            _ => self.alter_word(&mut steps[at], kind, rng),
        }
        let after = if kind == Kind::Dropped { String::new() } else { words(certificate.step(at)) };
        Altered { kind, certificate, step: at, before, after }
    }

    /// A conclusion: an end, a clause that is empty, an equation, a literal or a step that has consequences,
    /// about something that exists.
    fn forged(&self, rng: &mut Rng) -> Vec<String> {
        let a = self.number(rng);
        let b = self.number(rng);
        let forged = match rng.u8(..12) {
            0 => "end 0".to_owned(),
            1 => format!("end {a}"),
            2 => "derive 0 0".to_owned(),
            3 => format!("derive 0 1 {a}"),
            4 => format!("derive 1 {a} 1 {b}"),
            5 => format!("proved {a} {b}"),
            6 => format!("suppose 1 {a}"),
            7 => "discharge".to_owned(),
            8 => format!("truth {a} {b}"),
            9 => format!("unit {a}"),
            10 => format!("same {a} {b}"),
            _ => format!("congruence {a} {b}"),
        };
        forged.split(' ').map(str::to_owned).collect()
    }

    /// Makes another word of one word of a step.
    fn alter_word(&self, step: &mut [String], kind: Kind, rng: &mut Rng) {
        let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit() || c == '#');
        let places: Vec<usize> =
            (0..step.len()).filter(|&at| is_number(&step[at]) == (kind == Kind::Number)).collect();
        let Some(at) = rng.choice(places) else { return };
        step[at] = match kind {
            Kind::Number if step[at].starts_with('#') => format!("#{:x}", rng.u64(..) >> rng.u32(..64)),
            Kind::Number => other_number(&step[at], self, rng),
            _ => {
                let donor = &self.steps[rng.usize(..self.len())];
                let is_name = step[at].starts_with('"');
                let like = |word: &&String| !is_number(word) && word.starts_with('"') == is_name;
                let words: Vec<&String> = donor.iter().filter(like).collect();
                rng.choice(words).cloned().unwrap_or_else(|| "end".to_owned())
            }
        };
    }

    /// A number that stands somewhere in the certificate, or 0.
    fn number(&self, rng: &mut Rng) -> u64 {
        let step = &self.steps[rng.usize(..self.len())];
        let numbers: Vec<u64> = step.iter().filter_map(|word| word.parse().ok()).collect();
        rng.choice(numbers).unwrap_or(0)
    }
}

/// Puts a step in the place of another one, or before it; then nothing was there before.
fn put(steps: &mut Vec<Vec<String>>, at: usize, step: Vec<String>, before: &mut String, rng: &mut Rng) {
    if rng.bool() {
        steps[at] = step;
    } else {
        before.clear();
        steps.insert(at, step);
    }
}

/// A number in place of this one.
fn other_number(word: &str, certificate: &Certificate, rng: &mut Rng) -> String {
    let number: u64 = word.parse().unwrap_or(0);
    let other = match rng.u8(..8) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => number ^ 1,
        3 => rng.u64(..8),
        4 => number ^ 1 << rng.u8(..64),
        5 => number.wrapping_add(rng.u64(..16)).wrapping_sub(8),
        _ => certificate.number(rng),
    };
    other.to_string()
}

/// A place near this one, which is not the first.
fn near(at: usize, len: usize, rng: &mut Rng) -> usize {
    match rng.bool() {
        true => rng.usize(1..len),
        false => (at + rng.usize(1..4)).min(len - 1),
    }
}

fn words(step: &[String]) -> String {
    step.join(" ")
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{}", words(step)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "bvc 1\ncheck 0\nassertion 0\nsymbol \"a b\nc\"\nterm bvadd 2 1 1\nend 0\n";

    #[test]
    fn names_are_words() {
        let certificate = Certificate::of(TEXT);
        assert_eq!((certificate.len(), certificate.to_string()), (6, TEXT.to_owned()));
        assert_eq!(certificate.step(3), ["symbol", "\"a b\nc\""]);
        let altered = certificate.with(2, &["value 8 #5", "end 1"]);
        assert_eq!(altered.to_string(), TEXT.replace("assertion 0", "value 8 #5\nend 1"));
    }

    #[test]
    fn alterations_follow_from_the_seed_and_are_of_all_kinds() {
        let (certificate, other) = (Certificate::of(TEXT), Certificate::of("bvc 1\ncheck 1\nend 7\n"));
        let made = |seed| certificate.altered(&other, &mut Rng::with_seed(seed));
        let mut kinds: Vec<Kind> = (0..2_000).map(|seed| made(seed).kind).collect();
        assert_eq!(made(3), made(3));
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds, Kind::ALL);
        let differ = (0..2_000).filter(|&seed| made(seed).certificate != certificate).count();
        assert!(differ > 1_500, "{differ}");
    }
}
