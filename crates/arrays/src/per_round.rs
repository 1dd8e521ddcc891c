//! How many lemmas a round may give.
//!
//! One lemma is enough to rule out a model, and each further one may rule out models to come, or be a clause
//! too many. What pays depends on what a search costs, so it is an option.

/// How many lemmas a round may give.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LemmasPerRound {
    /// The first one, and nothing but lemmas about paths (the thesis' way).
    One,
    /// One for each access that breaks a rule.
    Each,
    /// The same; and a read that breaks a rule has, for what depends on it in this round, the element it
    /// should have. So what the next model would break is found in the same round, where reads serve as
    /// indices of reads.
    #[default]
    Repair,
    /// As `Repair`, and where accesses with one index disagree at an array, the lemmas of those that do agree
    /// there as well: in the next model they might not.
    Class,
}

impl LemmasPerRound {
    /// All values, by name.
    pub const ALL: [(&'static str, LemmasPerRound); 4] = [
        ("one", LemmasPerRound::One),
        ("each", LemmasPerRound::Each),
        ("repair", LemmasPerRound::Repair),
        ("class", LemmasPerRound::Class),
    ];

    /// The value of this name.
    pub fn parse(name: &str) -> Option<LemmasPerRound> {
        LemmasPerRound::ALL.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// The name of the value.
    pub fn name(self) -> &'static str {
        LemmasPerRound::ALL.iter().find(|row| row.1 == self).expect("every value has a name").0
    }
}
