//! The settings of a solver, and their builder.
//!
//! Fields are private and every way to set one checks its value, so settings that exist are valid: a solver
//! made with them finds the SAT backend, the strategy and the encoding that they name. Values come from text
//! through the option table (`options.rs`), or typed through [`Settings::builder`]. New fields break no
//! caller.

use crate::options::OptionError;
use crate::statistics::Clock;
use bivalve_approx::policies::POLICIES;
use bivalve_arrays::{Policy, STRATEGIES};
use bivalve_preprocess::{self as preprocess, PassSet};
use bivalve_sat_adapter as sat;

/// How a solver works.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The SAT backend by name, as understood by the SAT seam.
    pub(crate) sat: String,
    /// 0: terms go to the circuits as asserted; 1: local rules and definitions; 2: all passes that pay; 3:
    /// arithmetic in normal form, too.
    pub(crate) rewrite_level: u8,
    /// Passes that are switched off.
    pub(crate) without_passes: PassSet,
    /// Formulas lighter than this many gates, roughly, are not rewritten: searching costs less than loading
    /// rules.
    pub(crate) rewrite_from: u64,
    /// Products, quotients and remainders of at least so many bits are refined by lemmas; 0 for none.
    pub(crate) abstract_from: u32,
    /// How many lemmas about arrays and functions a round may give.
    pub(crate) array_lemmas: Policy,
    /// What is said of reads besides lemmas: a name of [`STRATEGIES`].
    pub(crate) array_strategy: &'static str,
    /// How bit-vectors are under-approximated: a name of [`ENCODINGS`](bivalve_approx::ENCODINGS), `none` or
    /// `auto`.
    pub(crate) approx: &'static str,
    /// What is eased when an approximation fails: a name of [`POLICIES`].
    pub(crate) approx_refine: &'static str,
    /// Effective bits to begin with, at least 1.
    pub(crate) approx_width: u32,
    /// Conflicts that one check may spend under approximations before they are given up; `None` is no limit.
    pub(crate) approx_limit: Option<u64>,
    /// Try a few assignments before gates are built.
    pub(crate) probe: bool,
    /// Make models small after they were found.
    pub(crate) small_models: bool,
    /// Remove redundant members from unsat cores; one more search for each member.
    pub(crate) minimize_core: bool,
    /// Collect garbage, left behind by popped levels and former assumptions, from so many variables on.
    pub(crate) rebuild_from: u64,
    /// Where the random choices of the SAT backend start, if it has any; 0 is where they start anyway.
    pub(crate) seed: u64,
    /// Conflicts that one check may cost; `None` is no limit.
    pub(crate) conflict_limit: Option<u64>,
    /// Gates that one check may build, so that a huge multiplication ends in `unknown`, not in exhausted
    /// memory.
    pub(crate) gate_limit: u64,
    /// The deliberate fault that is in force, in a build for tests.
    #[cfg(feature = "faults")]
    pub(crate) plant: Option<bivalve_faults::Fault>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            sat: sat::default_backend().to_owned(),
            rewrite_level: 2,
            without_passes: PassSet::default(),
            rewrite_from: 400,
            abstract_from: 100,
            array_lemmas: Policy::default(),
            array_strategy: STRATEGIES[0].name,
            approx: "auto",
            approx_refine: POLICIES[0].name,
            approx_width: 1,
            approx_limit: None,
            probe: true,
            small_models: false,
            minimize_core: false,
            rebuild_from: 1024,
            seed: 0,
            conflict_limit: None,
            gate_limit: 100_000_000,
            #[cfg(feature = "faults")]
            plant: None,
        }
    }
}

impl Settings {
    /// What the preprocessor is told.
    pub(crate) fn preprocessing(&self, clock: Clock) -> preprocess::Settings {
        preprocess::Settings {
            level: self.rewrite_level,
            without: self.without_passes,
            rewrite_from: self.rewrite_from,
            cost: Some(preprocess::CostModel {
                term: bivalve_bitblast::cost,
                formulas: bivalve_bitblast::gates,
            }),
            clock,
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
    settings: Settings,
}

/// Setters that cannot fail.
macro_rules! setters {
    ($($(#[$doc:meta])* $field:ident: $type:ty;)*) => {
        $($(#[$doc])* pub fn $field(mut self, $field: $type) -> SettingsBuilder {
            self.settings.$field = $field;
            self
        })*
    };
}

/// Setters of names, which may be unknown.
macro_rules! named {
    ($($(#[$doc:meta])* $field:ident $option:literal;)*) => {
        $($(#[$doc])*
        ///
        /// # Errors
        ///
        /// When there is none of this name.
        pub fn $field(self, name: &str) -> Result<SettingsBuilder, OptionError> {
            self.set($option, name)
        })*
    };
}

impl SettingsBuilder {
    setters! {
        /// Switches passes off.
        without_passes: PassSet;
        /// Leaves formulas lighter than this many gates, roughly, as they are.
        rewrite_from: u64;
        /// Refines products, quotients and remainders of at least so many bits by lemmas; 0 for none.
        abstract_from: u32;
        /// How many lemmas about arrays and functions a round may give.
        array_lemmas: Policy;
        /// Tries a few assignments before gates are built.
        probe: bool;
        /// Makes models small after they were found.
        small_models: bool;
        /// Removes from unsat cores what can be removed; one more search for each member.
        minimize_core: bool;
        /// Looks for dead gates, left behind by popped levels, when there are more than so many gates.
        rebuild_from: u64;
        /// Where the random choices of the SAT backend start.
        seed: u64;
        /// Gates that one check may build.
        gate_limit: u64;
    }

    named! {
        /// The SAT backend, as [`sat::create`] understands it.
        sat "sat";
        /// Axioms about reads besides lemmas: `demand`, `eager`, `reads` or `writes`.
        array_strategy "array-strategy";
        /// The under-approximation to begin with: `none`, `sign`, `zero`, `one`, `classes` or `auto`.
        approx "approx";
        /// What is widened when an approximation fails: `global` or `local`.
        approx_refine "approx-refine";
    }

    /// 0: terms go to the circuits as asserted; 1: local rules and definitions; 2: all passes that pay; 3 and
    /// above: arithmetic in normal form, too.
    pub fn rewrite_level(mut self, level: u8) -> SettingsBuilder {
        self.settings.rewrite_level = level.min(3);
        self
    }

    /// Effective bits that an approximation begins with; at least 1.
    pub fn approx_width(mut self, bits: u32) -> SettingsBuilder {
        self.settings.approx_width = bits.max(1);
        self
    }

    /// Conflicts that one check may spend under approximations; `None` is no limit.
    pub fn approx_limit(mut self, conflicts: impl Into<Option<u64>>) -> SettingsBuilder {
        self.settings.approx_limit = conflicts.into();
        self
    }

    /// Conflicts that one check may cost; `None` is no limit.
    pub fn conflict_limit(mut self, conflicts: impl Into<Option<u64>>) -> SettingsBuilder {
        self.settings.conflict_limit = conflicts.into();
        self
    }

    /// Sets an option of the table [`OPTIONS`](crate::OPTIONS) from text, as on the command line.
    ///
    /// # Errors
    ///
    /// When there is no such option, or it does not accept the value.
    pub fn set(mut self, option: &str, value: &str) -> Result<SettingsBuilder, OptionError> {
        self.settings.set(option, value)?;
        Ok(self)
    }

    /// The settings.
    #[must_use]
    pub fn build(self) -> Settings {
        self.settings
    }
}

impl Settings {
    /// A builder that begins with the default settings.
    pub fn builder() -> SettingsBuilder {
        SettingsBuilder::default()
    }

    /// A builder that begins with these settings.
    pub fn to_builder(&self) -> SettingsBuilder {
        SettingsBuilder { settings: self.clone() }
    }
}

/// Settings may go from thread to thread.
const _: () = {
    const fn is_send<T: Send + Sync>() {}
    is_send::<Settings>();
};
