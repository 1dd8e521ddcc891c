//! The options of the solver: one table, a row for each.
//!
//! Of a row come a private field of [`Settings`] with its default, a method of [`SettingsBuilder`], and an
//! [`OptionRow`], which sets the field from text. The command line, `set-option`, `get-option`, `--help`, the
//! manual and the option fuzzers all read these rows; all other code of the solver sees settings, not option
//! names. What a value may be is the business of its kind (`options/kinds.rs`), how the three are made of a
//! row that of a macro (`options/table.rs`).
//!
//! Every way to set a field checks its value, so settings that exist are valid: a solver made with them finds
//! the SAT backend, the strategy and the encoding that they name. New rows break no caller.

mod kinds;
#[macro_use]
mod table;

use bivalve_approx::encodings::encoding;
use bivalve_approx::policies::{POLICIES, policy};
use bivalve_arrays::{LemmasPerRound, STRATEGIES, strategy};
use bivalve_preprocess::{PASSES, PassSet};
use bivalve_sat_adapter as sat;
use kinds::{Backend, Kind, Limit, Name, Number, Passes, PerRound, Switch};
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

impl OptionRow {
    /// The values that have names, where they can be listed: words, SAT backends, passes. Numbers have none.
    pub fn values(&self) -> Vec<&'static str> {
        match self.name {
            "sat" => sat::backends().iter().map(|backend| backend.name).collect(),
            "without-passes" => std::iter::once("none").chain(PASSES.iter().map(|pass| pass.name)).collect(),
            _ if self.placeholder.contains('|') => self.placeholder.split('|').collect(),
            _ => vec![],
        }
    }
}

/// Sets one setting after the other, and builds [`Settings`].
///
/// ```
/// use bivalve::Settings;
///
/// let settings = Settings::builder().sat("naive")?.rewrite_level(1).conflict_limit(10_000).build();
/// assert_eq!(settings.get("conflict-limit")?, "10000");
/// assert_eq!(
///     Settings::builder().set("array-lemmas", "two").unwrap_err().to_string(),
///     "option 'array-lemmas' expects one, each, repair or class, found 'two'"
/// );
/// # Ok::<(), bivalve::OptionError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SettingsBuilder {
    pub(crate) settings: Settings,
}

options! {
    sat: String = sat::default_backend().to_owned(), named by Backend,
        everyday "sat" "NAME"
        "SAT backend; 'list' prints all, what each can do, and how to get those that this build leaves out";
    rewrite_level: u8 = 2, plain by Number(0..=3),
        research "rewrite-level" "0|1|2|3"
        "simplification before gates are built: 0 none, 1 local rules and definitions, 2 all passes that pay, 3 arithmetic in normal form, too";
    without_passes: PassSet = PassSet::default(), plain by Passes,
        research "without-passes" "PASS,..."
        "passes of simplification to leave out, by name; none for none of them";
    rewrite_from: u64 = 400, plain by Number(0..=u64::MAX),
        research "rewrite-from" "N"
        "leave assertions of fewer than about N gates as they are, which costs less than loading rules, until a search has 200 conflicts";
    abstract_from: u32 = 100, plain by Number(0..=u64::from(u32::MAX)),
        research "abstract-from" "BITS"
        "refine products, quotients and remainders of at least BITS bits by lemmas, before they get gates; 0 for none";
    lemmas_first: u64 = 20_000, plain by Number(0..=u64::MAX),
        research "lemmas-first" "N"
        "try lemmas alone for shorter products, quotients and remainders, too, in the first check, for N conflicts; 0 for never";
    afresh_after: u64 = 2000, plain by Number(0..=1 << 32),
        research "afresh-after" "N"
        "after N conflicts of a later check of a session, ask a solver that has no past; after a twentieth of that, local search; 0 for never";
    orders_from: u64 = 8, plain by Number(0..=u64::MAX),
        research "orders-from" "N"
        "leave symbols that are only compared, in at least N comparisons with each other, to lemmas about orders; 0 for never";
    distinct_from: u32 = 129, plain by Number(0..=u64::from(u32::MAX)),
        research "distinct-from" "N"
        "leave `distinct` over at least N words to lemmas about those that are equal in a model; 0 for never";
    array_lemmas: LemmasPerRound = LemmasPerRound::default(), plain by PerRound,
        research "array-lemmas" "one|each|repair|class"
        "lemmas about arrays and functions in a round: one, one for each access that breaks a rule, with its value repaired, or also for those that agree where others do not";
    array_strategy: &'static str = STRATEGIES[0].name,
        named by Name("demand, eager, reads or writes", |text| strategy(text).map(|row| row.name)),
        research "array-strategy" "demand|eager|reads|writes"
        "axioms about reads besides lemmas: none, all before the search, or as STP refines reads or writes";
    approx: &'static str = "auto",
        named by Name("none, sign, zero, one, classes or auto", |text| match text {
            "none" => Some("none"),
            "auto" => Some("auto"),
            _ => encoding(text).map(|row| row.name),
        }),
        research "approx" "none|sign|zero|one|classes|auto"
        "search bit-vectors among few of their values first: high bits equal the sign, zero or one, or bits equal others; auto: by the sign, where there are many very wide words";
    approx_refine: &'static str = POLICIES[0].name,
        named by Name("global or local", |text| policy(text).map(|row| row.name)),
        research "approx-refine" "global|local"
        "when an approximation fails, widen all, or those that the failure has used";
    approx_width: u32 = 1, plain by Number(1..=u64::from(u32::MAX)),
        research "approx-width" "N"
        "effective bits that an approximation begins with";
    approx_limit: Option<u64> = None, limit by Limit,
        research "approx-limit" "N"
        "give approximations up after N conflicts of one check under them; 0 is no limit";
    probe: bool = true, plain by Switch,
        research "probe" "on|off"
        "try assignments before gates are built: a few, then those of local search";
    local_search: u64 = 8, plain by Number(0..=u64::MAX),
        research "local-search" "STEPS"
        "change symbols of what is false, in the first check, for so many steps for each gate that would be built; 0 for none";
    small_models: bool = false, plain by Switch,
        everyday "small-models" "on|off"
        "make models small: few effective bits, small numbers, few entries of arrays; some more searches";
    minimize_core: bool = false, plain by Switch,
        everyday "minimize-core" "on|off"
        "remove redundant members from unsat cores; one more search for each member";
    rebuild_from: u64 = 1024, plain by Number(0..=u64::MAX),
        research "rebuild-from" "N"
        "from N variables on, build what is live anew when most of it is garbage of popped levels and assumptions";
    words_after: Option<u64> = Some(2000), limit by Limit,
        research "words-after" "N"
        "after N conflicts compare words as sums of weighted bits, products with their netlists; 0 for never";
    seed: u64 = 0, plain by Number(0..=u64::MAX),
        everyday "seed" "N"
        "start the random choices of local search and of the SAT backend here; changes their course, never an answer";
    conflict_limit: Option<u64> = None, limit by Limit,
        everyday "conflict-limit" "N"
        "answer unknown after N conflicts of one check; 0 is no limit; the same on every machine";
    gate_limit: u64 = 100_000_000, plain by Number(1..=u64::MAX),
        research "gate-limit" "N"
        "answer unknown when the circuits of the assertions exceed N gates";
    #[cfg(feature = "faults")]
    plant: Option<bivalve_faults::Fault> = None, plain by kinds::Planted,
        research "plant" "FAULT"
        "be wrong in this way, none if it is 'none'; for tests of those who look for faults";
}

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

    #[test]
    fn numbers_that_a_program_gives_are_brought_into_their_range() {
        let settings = Settings::builder().rewrite_level(9).approx_width(0).gate_limit(0).build();
        let values = ["rewrite-level", "approx-width", "gate-limit"].map(|name| settings.get(name).unwrap());
        assert_eq!(values, ["3", "1", "1"]);
        let settings = Settings::builder().conflict_limit(7).conflict_limit(None).build();
        assert_eq!(settings, Settings::default());
    }

    /// The setters kept a limit of 0 as a limit, so that each search ended at once.
    #[test]
    fn a_limit_of_zero_that_a_program_gives_is_none() {
        let settings = Settings::builder().conflict_limit(0).words_after(0).approx_limit(0).build();
        let read = ["conflict-limit", "words-after", "approx-limit"];
        let mut expected = Settings::default();
        read.iter().for_each(|name| expected.set(name, "0").unwrap());
        assert_eq!(settings, expected);
    }
}
