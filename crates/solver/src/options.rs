//! The options of the solver: one table, two stages.
//!
//! A row names an option, says what it accepts, what it is by default and what it does, and sets one field of
//! [`Settings`]. The command line, `set-option`, `get-option`, `--help` and the option fuzzers all read these
//! rows; all other code of the solver sees settings, not option names. A new option is a row and a
//! field.
//!
//! Values are given as text, as they stand on a command line or after a keyword, and are checked here: a
//! refusal says what was expected and what was found.

use crate::settings::Settings;
use bivalve_approx::encodings::encoding;
use bivalve_approx::policies::policy;
use bivalve_arrays::{Policy, strategy};
use bivalve_preprocess::PassSet;
use bivalve_sat_adapter as sat;
use thiserror::Error;

/// Why an option was refused.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no option of that name.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// The value is not one that the option accepts.
    #[error("option '{name}' expects {expected}, found '{found}'")]
    Value {
        /// The option's name.
        name: &'static str,
        /// What it accepts.
        expected: String,
        /// The text given.
        found: String,
    },
}

/// One row of the option table.
pub struct OptionRow {
    /// The name: `--name VALUE` on the command line, `:name` in a script.
    pub name: &'static str,
    /// How the value is called in `--help`.
    pub placeholder: &'static str,
    /// What the option does, in a sentence.
    pub help: &'static str,
    /// It is there for experiments with the solver; others have no need of it.
    pub is_research: bool,
    set: fn(&mut Settings, &str) -> Result<(), String>,
    get: fn(&Settings) -> String,
}

/// The option table.
pub static OPTIONS: &[OptionRow] = &[
    OptionRow {
        name: "sat",
        placeholder: "NAME",
        help: "SAT backend; 'list' prints those that were compiled in and what each can do",
        is_research: false,
        set: |settings, text| {
            sat::create(text).map_err(|refusal| refusal.expected())?;
            settings.sat = text.to_owned();
            Ok(())
        },
        get: |settings| settings.sat.clone(),
    },
    OptionRow {
        name: "rewrite-level",
        placeholder: "0|1|2|3",
        help: "simplification before gates are built: 0 none, 1 local rules and definitions, 2 all passes that pay, 3 arithmetic in normal form, too",
        is_research: true,
        set: |settings, text| {
            settings.rewrite_level = number(text, 0..=3)? as u8;
            Ok(())
        },
        get: |settings| settings.rewrite_level.to_string(),
    },
    OptionRow {
        name: "without-passes",
        placeholder: "PASS,...",
        help: "passes of simplification to leave out, by name; none for none of them",
        is_research: true,
        set: |settings, text| {
            settings.without_passes = PassSet::parse(text)?;
            Ok(())
        },
        get: |settings| settings.without_passes.to_string(),
    },
    OptionRow {
        name: "rewrite-from",
        placeholder: "N",
        help: "leave assertions of fewer than about N gates as they are; loading rules costs more than such a search",
        is_research: true,
        set: |settings, text| {
            settings.rewrite_from = number(text, 0..=u64::MAX)?;
            Ok(())
        },
        get: |settings| settings.rewrite_from.to_string(),
    },
    OptionRow {
        name: "abstract-from",
        placeholder: "BITS",
        help: "refine products, quotients and remainders of at least BITS bits by lemmas, before they get gates; 0 for none",
        is_research: true,
        set: |settings, text| {
            settings.abstract_from = number(text, 0..=u64::from(u32::MAX))? as u32;
            Ok(())
        },
        get: |settings| settings.abstract_from.to_string(),
    },
    OptionRow {
        name: "array-lemmas",
        placeholder: "one|each|repair|class",
        help: "lemmas about arrays and functions in a round: one, one for each access that breaks a rule, with its value repaired, or also for those that agree where others do not",
        is_research: true,
        set: |settings, text| {
            settings.array_lemmas = Policy::parse(text).ok_or("one, each, repair or class")?;
            Ok(())
        },
        get: |settings| settings.array_lemmas.name().to_owned(),
    },
    OptionRow {
        name: "array-strategy",
        placeholder: "demand|eager|reads|writes",
        help: "axioms about reads besides lemmas: none, all before the search, or as STP refines reads or writes",
        is_research: true,
        set: |settings, text| {
            settings.array_strategy = strategy(text).ok_or("demand, eager, reads or writes")?.name;
            Ok(())
        },
        get: |settings| settings.array_strategy.to_owned(),
    },
    OptionRow {
        name: "approx",
        placeholder: "none|sign|zero|one|classes|auto",
        help: "search bit-vectors among few of their values first: high bits equal the sign, zero or one, or bits equal others; auto: by the sign, where there are many very wide words",
        is_research: true,
        set: |settings, text| {
            settings.approx = match text {
                "none" => "none",
                "auto" => "auto",
                _ => encoding(text).ok_or("none, sign, zero, one, classes or auto")?.name,
            };
            Ok(())
        },
        get: |settings| settings.approx.to_owned(),
    },
    OptionRow {
        name: "approx-refine",
        placeholder: "global|local",
        help: "when an approximation fails, widen all, or those that the failure has used",
        is_research: true,
        set: |settings, text| {
            settings.approx_refine = policy(text).ok_or("global or local")?.name;
            Ok(())
        },
        get: |settings| settings.approx_refine.to_owned(),
    },
    OptionRow {
        name: "approx-width",
        placeholder: "N",
        help: "effective bits that an approximation begins with",
        is_research: true,
        set: |settings, text| {
            settings.approx_width = number(text, 1..=u64::from(u32::MAX))? as u32;
            Ok(())
        },
        get: |settings| settings.approx_width.to_string(),
    },
    OptionRow {
        name: "approx-limit",
        placeholder: "N",
        help: "give approximations up after N conflicts of one check under them; 0 is no limit",
        is_research: true,
        set: |settings, text| {
            settings.approx_limit = Some(number(text, 0..=u64::MAX)?).filter(|&n| n > 0);
            Ok(())
        },
        get: |settings| settings.approx_limit.unwrap_or(0).to_string(),
    },
    OptionRow {
        name: "probe",
        placeholder: "on|off",
        help: "try a few assignments before gates are built",
        is_research: true,
        set: |settings, text| {
            settings.probe = switch(text)?;
            Ok(())
        },
        get: |settings| if settings.probe { "on" } else { "off" }.to_owned(),
    },
    OptionRow {
        name: "small-models",
        placeholder: "on|off",
        help: "make models small: few effective bits, small numbers, few entries of arrays; some more searches",
        is_research: false,
        set: |settings, text| {
            settings.small_models = switch(text)?;
            Ok(())
        },
        get: |settings| if settings.small_models { "on" } else { "off" }.to_owned(),
    },
    OptionRow {
        name: "minimize-core",
        placeholder: "on|off",
        help: "remove redundant members from unsat cores; one more search for each member",
        is_research: false,
        set: |settings, text| {
            settings.minimize_core = switch(text)?;
            Ok(())
        },
        get: |settings| if settings.minimize_core { "on" } else { "off" }.to_owned(),
    },
    OptionRow {
        name: "rebuild-from",
        placeholder: "N",
        help: "from N variables on, build what is live anew when most of it is garbage of popped levels and assumptions",
        is_research: true,
        set: |settings, text| {
            settings.rebuild_from = number(text, 0..=u64::MAX)?;
            Ok(())
        },
        get: |settings| settings.rebuild_from.to_string(),
    },
    OptionRow {
        name: "seed",
        placeholder: "N",
        help: "start the random choices of the SAT backend here; changes its course, never an answer",
        is_research: false,
        set: |settings, text| {
            settings.seed = number(text, 0..=u64::MAX)?;
            Ok(())
        },
        get: |settings| settings.seed.to_string(),
    },
    OptionRow {
        name: "conflict-limit",
        placeholder: "N",
        help: "answer unknown after N conflicts of one check; 0 is no limit; the same on every machine",
        is_research: false,
        set: |settings, text| {
            settings.conflict_limit = Some(number(text, 0..=u64::MAX)?).filter(|&n| n > 0);
            Ok(())
        },
        get: |settings| settings.conflict_limit.unwrap_or(0).to_string(),
    },
    OptionRow {
        name: "gate-limit",
        placeholder: "N",
        help: "answer unknown when the circuits of the assertions exceed N gates",
        is_research: true,
        set: |settings, text| {
            settings.gate_limit = number(text, 1..=u64::MAX)?;
            Ok(())
        },
        get: |settings| settings.gate_limit.to_string(),
    },
    #[cfg(feature = "faults")]
    OptionRow {
        name: "plant",
        placeholder: "FAULT",
        help: "be wrong in this way, none if it is 'none'; for tests of those who look for faults",
        is_research: true,
        set: |settings, text| {
            let fault = bivalve_faults::Fault::parse(text);
            if fault.is_none() && text != "none" {
                return Err("the name of a fault, or none".to_owned());
            }
            settings.plant = fault;
            Ok(())
        },
        get: |settings| settings.plant.map_or("none", bivalve_faults::Fault::name).to_owned(),
    },
];

impl Settings {
    /// Sets the option `name` from text.
    ///
    /// # Errors
    ///
    /// When there is no such option, or it does not accept the value; nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let row = row(name)?;
        (row.set)(self, value).map_err(|expected| OptionError::Value {
            name: row.name,
            expected,
            found: value.to_owned(),
        })
    }

    /// The value of the option `name` as text.
    ///
    /// # Errors
    ///
    /// When there is no such option.
    pub fn get(&self, name: &str) -> Result<String, OptionError> {
        row(name).map(|row| (row.get)(self))
    }
}

fn row(name: &str) -> Result<&'static OptionRow, OptionError> {
    OPTIONS.iter().find(|row| row.name == name).ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

/// A switch, or what was expected.
fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err("on or off".to_owned()),
    }
}

/// A numeral within a range, or what was expected.
fn number(text: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, String> {
    let expected = || match (*range.start(), *range.end()) {
        (0, u64::MAX) => "a numeral".to_owned(),
        (low, u64::MAX) => format!("a numeral of at least {low}"),
        (low, high) => format!("a numeral from {low} to {high}"),
    };
    text.parse().ok().filter(|n| range.contains(n)).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_reads_back_its_default() {
        for row in OPTIONS {
            let mut settings = Settings::default();
            let text = settings.get(row.name).unwrap();
            settings.set(row.name, &text).unwrap();
            assert_eq!(settings, Settings::default(), "{}", row.name);
        }
    }

    #[test]
    fn refusals_say_what_was_expected_and_what_was_found() {
        let mut settings = Settings::default();
        let refusal = settings.set("rewrite-level", "7").unwrap_err();
        assert_eq!(refusal.to_string(), "option 'rewrite-level' expects a numeral from 0 to 3, found '7'");
        assert_eq!(settings.set("frob", "1").unwrap_err().to_string(), "unknown option 'frob'");
        let refusal = settings.set("sat", "nonesuch").unwrap_err().to_string();
        assert!(refusal.starts_with("option 'sat' expects one of the SAT backends "), "{refusal}");
        assert!(refusal.ends_with("naive, found 'nonesuch'"), "{refusal}");
        assert_eq!(settings, Settings::default());
    }
}
