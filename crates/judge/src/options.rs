//! Options at random: Bivalve's own from its table, those of others from pools of words.
//!
//! A defect often shows under one combination of options only. Which values an option of ours takes is read
//! off its row: words between bars are the choices, passes are left out one at a time, anything else is a
//! number, tried at values that turn features off, on and to extremes. So an option that is added to the
//! table is tried by every campaign from then on, without a word here.
//!
//! Limits are no subject of chance: those of the settings given stay.

use bivalve::sat::{Argument, backends};
use bivalve::{OPTIONS, Settings, preprocess::PASSES};
use fastrand::Rng;

/// Options that bound effort and change no search, and what makes the solver wrong on purpose in a build for
/// tests.
const LIMITS: [&str; 3] = ["conflict-limit", "gate-limit", "plant"];

/// Numbers worth trying.
const NUMBERS: [&str; 9] = ["0", "1", "2", "3", "8", "32", "150", "1024", "100000"];

/// One option, set.
pub type Choice = (&'static str, String);

/// The SAT backends that are compiled in, fast enough to be chosen by chance, and can be stopped. Splr
/// cannot: what it has not answered in time goes on beside all later cases, and an hour of torture has left
/// four such threads behind.
pub fn quick_backends() -> Vec<&'static str> {
    let is_quick = |name: &&str| !["naive", "splr"].contains(name);
    let free = backends().iter().filter(|backend| !matches!(backend.argument, Argument::Required(_)));
    free.map(|backend| backend.name).filter(is_quick).collect()
}

/// The values of an option that has few of them: its words, or each pass and `none`; nothing else.
pub fn all_values(option: &str) -> Vec<String> {
    let Some(row) = OPTIONS.iter().find(|row| row.name == option) else { return vec![] };
    let words = if row.name == "sat" { quick_backends() } else { row.values() };
    words.into_iter().map(str::to_owned).collect()
}

/// Settings with some options at random, and which they are. SAT backends are chosen from `backends`.
pub fn random_settings(base: &Settings, backends: &[&str], rng: &mut Rng) -> (Settings, Vec<Choice>) {
    let (mut settings, mut chosen) = (base.clone(), vec![]);
    for row in OPTIONS.iter().filter(|row| !LIMITS.contains(&row.name)) {
        if rng.bool() {
            continue;
        }
        let words: Vec<&str> = match (row.name, row.placeholder.contains('|')) {
            ("sat", _) => backends.to_vec(),
            ("without-passes", _) => PASSES.iter().map(|pass| pass.name).collect(),
            (_, true) => row.placeholder.split('|').collect(),
            (_, false) => NUMBERS.to_vec(),
        };
        let Some(word) = rng.choice(words) else { continue };
        // A number may be beyond the range of its option.
        if settings.set(row.name, word).is_ok() {
            chosen.push((row.name, word.to_owned()));
        }
    }
    (settings, chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_gets_its_turn_and_limits_stay() {
        let mut seen: Vec<Choice> = vec![];
        for seed in 0..400 {
            let (settings, chosen) =
                random_settings(&Settings::default(), &["naive"], &mut Rng::with_seed(seed));
            for (name, value) in &chosen {
                assert_eq!(&settings.get(name).unwrap(), value, "{name}");
            }
            seen.extend(chosen);
        }
        for row in OPTIONS {
            let values: std::collections::BTreeSet<&String> =
                seen.iter().filter(|(name, _)| *name == row.name).map(|(_, value)| value).collect();
            let enough = if LIMITS.contains(&row.name) {
                0..=0
            } else if row.name == "sat" {
                1..=1
            } else {
                2..=usize::MAX
            };
            assert!(enough.contains(&values.len()), "{}: {values:?}", row.name);
        }
    }
}
