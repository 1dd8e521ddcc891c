//! The ends of the builder of [`Settings`], and what the stages are told of them.
//!
//! Values come typed, by the methods that the option table gives (`options.rs`), or from text through it.

use crate::options::{OptionError, Settings, SettingsBuilder};
use crate::statistics::Clock;
use bivalve_preprocess as preprocess;
use bivalve_terms::{Op, Pool, Sort, Term};

impl Settings {
    /// What the preprocessor is told.
    pub(crate) fn preprocessing(&self, clock: Clock) -> preprocess::Settings {
        preprocess::Settings {
            level: self.rewrite_level,
            without: self.without_passes,
            rewrite_from: self.rewrite_from,
            cost: Some(preprocess::CostModel { term: cost, formulas: bivalve_bitblast::gates }),
            clock,
        }
    }
}

/// About how many gates the operator of a term takes. A read or a write has no circuit, but its index is
/// compared with others in lemmas, and an element follows: one such comparison is counted.
fn cost(pool: &Pool, term: Term) -> u64 {
    let array = pool.args(term).first().filter(|_| matches!(pool.op(term), Op::Select | Op::Store));
    let Some(&array) = array else { return bivalve_bitblast::cost(pool, term) };
    let width = |sort: Sort| u64::from(sort.width().unwrap_or(1));
    pool.sorts().array_parts(pool.sort(array)).map_or(0, |(index, element)| 2 * width(index) + width(element))
}

impl SettingsBuilder {
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

    /// Are unsat cores to be minimal?
    pub fn minimizes_cores(&self) -> bool {
        self.minimize_core
    }

    /// Does a check end with `unknown` after some number of conflicts?
    pub fn limits_conflicts(&self) -> bool {
        self.conflict_limit.is_some()
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
