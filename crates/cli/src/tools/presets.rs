//! Presets of campaigns: names for command lines that are typed often.
//!
//! A preset stands for further words of the command line, in which `{count}`, `{seed}` and `{from}` are
//! replaced; what is typed beside it is added, or wins. All of them ask Bivalve in this process three times:
//! twice under options drawn at random, SAT backends included, and once as plainly as it can, under budgets
//! that keep every case short. In a quarter of the tasks of torture and sessions the second has its unsat
//! answers certified, and the certificates checked. Broken scripts are read more strictly by the checker, and
//! some lemmas of differential ones need more instances than a certificate may have.

use clap::ValueEnum;

/// A preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Preset {
    /// All generators in turn
    Torture,
    /// Formulas from the root down, also decided by the reference semantics and without arrays
    Differential,
    /// Sessions with levels, assumptions, names, resets
    Sessions,
    /// Broken scripts, at the lowest and the highest level of simplification
    Broken,
}

/// The generators and further solvers of the presets.
const WORDS: &[(Preset, &[&str])] = &[
    (Preset::Torture, &["--fuzz=--style mixed --count {count} --number {from} --seed {seed}"]),
    (
        Preset::Differential,
        &[
            "--fuzz=--style root --theory all --size 20 --count {count} --number {from} --seed {seed}",
            "--reference",
        ],
    ),
    (
        Preset::Sessions,
        &[
            "--fuzz=--style session --shape everything --count {count} --number {from} --seed {seed}",
            "--fuzz=--style commands --theory all --size 8 --max-width 33 --steps 60 --count {count} \
             --number {from} --seed {seed}",
            "--reference",
        ],
    ),
    (
        Preset::Broken,
        &[
            "--fuzz=--style broken --count {count} --number {from} --seed {seed}",
            "--fixed=simplified:rewrite-level=3,rewrite-from=0,conflict-limit=200,gate-limit=2000000",
        ],
    ),
];

/// What all presets have.
const COMMON: &[&str] = &[
    "--inside=first:conflict-limit=2000,gate-limit=2000000",
    "--inside=second:conflict-limit=2000,gate-limit=2000000,check-unsat={certified}",
    "--fixed=plain:conflict-limit=2000,gate-limit=2000000,rewrite-level=0,probe=off,abstract-from=0,array-lemmas=each",
    "--random-options={seed}",
    "--time-limit=10",
];

/// The words of a preset.
pub(super) fn words(preset: Preset, count: u64, from: u64, seed: u64) -> Vec<String> {
    let own = WORDS.iter().find(|(name, _)| *name == preset).map_or(&[][..], |(_, words)| words);
    let filled = |word: &&str| {
        let is_certified = matches!(preset, Preset::Torture | Preset::Sessions);
        let word = word.replace("{certified}", if is_certified { "sometimes" } else { "off" });
        let word = word.replace("{count}", &count.to_string()).replace("{from}", &from.to_string());
        word.replace("{seed}", &seed.to_string())
    };
    own.iter().chain(COMMON).map(filled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_words() {
        for preset in Preset::value_variants() {
            let words = words(*preset, 7, 3, 5);
            assert!(words.iter().any(|word| word.contains("--count 7 --number 3 --seed 5")), "{words:?}");
            assert!(words.iter().all(|word| !word.contains(['{', '}'])), "{words:?}");
        }
    }
}
