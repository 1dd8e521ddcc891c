//! What `set-option` sets: the standard's options, the solver's own, and those of other solvers that are
//! ignored.
//!
//! Clients send options of the solver they were written for. A published list of those is accepted in
//! silence, because many clients take any answer but `success` for the answer of the next command. What is on
//! no list is `unsupported`.

use crate::args::Invocation;
use crate::limits::Limits;
use crate::session::Refusal;
use bivalve::{OPTIONS, OptionError, Settings, sat};
use bivalve_formats::smtlib::AttributeValue;
use bivalve_formats::smtlib::print::BitVecFormat;
use std::time::Duration;

/// The options of a session.
pub(crate) struct ScriptOptions {
    /// The options of the solver.
    pub(crate) settings: Settings,
    /// Answer `success` to commands that have no other answer.
    pub(crate) print_success: bool,
    /// Declarations survive `pop`.
    pub(crate) global_declarations: bool,
    /// How bit-vector values are printed.
    pub(crate) format: BitVecFormat,
    /// Whatever was set, as text; for most standard options nothing else happens.
    remembered: Vec<(String, String)>,
}

/// Standard options that are true or false. Named assertions are tracked under the one for cores; for the
/// others, what they ask for is always on, or has no place here.
const SWITCHES: &[&str] = &[
    ":interactive-mode",
    ":produce-assertions",
    ":produce-assignments",
    ":produce-models",
    ":produce-proofs",
    ":produce-unsat-assumptions",
    ":produce-unsat-cores",
];

/// Other standard options; they change nothing.
const REMEMBERED: &[&str] =
    &[":diagnostic-output-channel", ":random-seed", ":regular-output-channel", ":verbosity"];

/// Options of other solvers that clients send and that change no answer.
const IGNORED: &[&str] =
    &[":auto_config", ":incremental", ":smtlib2_compliant", ":produce-abducts", ":stats"];

/// Families of such options.
const IGNORED_FAMILIES: &[&str] = &[":pp.", ":model.", ":smt.", ":sat.", ":opt.", ":parallel."];

impl ScriptOptions {
    /// The options as the command line left them.
    pub(crate) fn new(invocation: &Invocation) -> ScriptOptions {
        let mut options = ScriptOptions {
            settings: invocation.settings.clone(),
            print_success: false,
            global_declarations: false,
            format: invocation.format,
            remembered: vec![],
        };
        // They were tried before: see `refused_preset`.
        let _ = options.preset(invocation);
        options
    }

    /// Why an option that the command line sets cannot be set.
    pub(crate) fn refused_preset(invocation: &Invocation) -> Option<String> {
        match ScriptOptions::new(invocation).preset(invocation) {
            Ok(()) => None,
            Err((name, Refusal::Error(text) | Refusal::Fault(text))) => Some(format!("{name}: {text}")),
            Err((name, Refusal::Unsupported | Refusal::Hangup)) => Some(format!("unknown option '{name}'")),
        }
    }

    /// Sets what the command line says is to be set. Limits have flags of their own.
    fn preset(&mut self, invocation: &Invocation) -> Result<(), (String, Refusal)> {
        for (name, value) in &invocation.presets {
            let is_numeral = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
            let parsed = match is_numeral {
                true => AttributeValue::Numeral(value.clone()),
                false => AttributeValue::Symbol(value.clone()),
            };
            let set = self.set(name, Some(&parsed), &mut Limits::default());
            set.map_err(|refusal| (name.clone(), refusal))?;
        }
        Ok(())
    }

    /// Is it asked for unsat cores?
    pub(crate) fn unsat_cores(&self) -> bool {
        self.get(":produce-unsat-cores").is_some_and(|value| value == "true")
    }

    /// Carries out `(set-option keyword value)`.
    pub(crate) fn set(
        &mut self,
        keyword: &str,
        value: Option<&AttributeValue>,
        limits: &mut Limits,
    ) -> Result<(), Refusal> {
        self.apply(keyword, value, limits)?;
        let text = value.map(written).unwrap_or_default();
        self.remembered.retain(|(name, _)| name != keyword);
        self.remembered.push((keyword.to_owned(), text));
        Ok(())
    }

    /// Does what an option asks for.
    fn apply(
        &mut self,
        keyword: &str,
        value: Option<&AttributeValue>,
        limits: &mut Limits,
    ) -> Result<(), Refusal> {
        match keyword {
            ":print-success" => self.print_success = boolean(keyword, value)?,
            ":global-declarations" => self.global_declarations = boolean(keyword, value)?,
            ":timeout" | ":tlimit-per" => {
                let milliseconds = number(keyword, value)?;
                limits.check_time = (milliseconds > 0).then(|| Duration::from_millis(milliseconds));
            }
            ":reproducible-resource-limit" | ":rlimit" => {
                let conflicts = number(keyword, value)?;
                let limit = (conflicts > 0).then_some(conflicts);
                self.settings = self.settings.to_builder().conflict_limit(limit).build();
            }
            ":minimal-unsat-cores" | ":smt.core.minimize" => {
                let minimize = boolean(keyword, value)?;
                self.settings = self.settings.to_builder().minimize_core(minimize).build();
            }
            _ if SWITCHES.contains(&keyword) => drop(boolean(keyword, value)?),
            _ if REMEMBERED.contains(&keyword) => {}
            _ if IGNORED.contains(&keyword) || IGNORED_FAMILIES.iter().any(|f| keyword.starts_with(f)) => {}
            _ => return self.set_own(keyword, value),
        }
        Ok(())
    }

    /// The value of an option as `get-option` prints it; `None` for unknown ones.
    pub(crate) fn get(&self, keyword: &str) -> Option<String> {
        match keyword {
            ":print-success" => Some(self.print_success.to_string()),
            ":global-declarations" => Some(self.global_declarations.to_string()),
            ":reproducible-resource-limit" => self.settings.get("conflict-limit").ok(),
            _ => match self.settings.get(keyword.strip_prefix(':')?) {
                Ok(own) => Some(own),
                Err(_) => match self.remembered.iter().find(|(name, _)| name == keyword) {
                    Some((_, value)) => Some(value.clone()),
                    None => (REMEMBERED.contains(&keyword) || SWITCHES.contains(&keyword))
                        .then(|| default_of(keyword).to_owned()),
                },
            },
        }
    }

    /// An option of the solver's own table.
    fn set_own(&mut self, keyword: &str, value: Option<&AttributeValue>) -> Result<(), Refusal> {
        let name = keyword.strip_prefix(':').unwrap_or(keyword);
        if !OPTIONS.iter().any(|row| row.name == name) {
            return Err(Refusal::Unsupported);
        }
        let text = value.map(|value| value.text().to_owned()).unwrap_or_default();
        if name == "sat" && starts_a_program(&text) {
            let what = format!(
                "option 'sat': a script cannot start programs; say --sat '{text}' on the command line"
            );
            return Err(Refusal::Error(what));
        }
        self.settings.set(name, &text).map_err(|e: OptionError| Refusal::Error(e.to_string()))
    }
}

/// Does a SAT backend of this spec run a command? These are the ones that cannot do without an argument.
/// Scripts come from anywhere, and whoever reads one does not expect it to run what it likes.
fn starts_a_program(spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default().trim();
    let backend = sat::backends().iter().find(|backend| backend.name == name);
    backend.is_some_and(|backend| matches!(backend.argument, sat::Argument::Required(_)))
}

/// What the standard says, and what is done here without being told.
fn default_of(keyword: &str) -> &'static str {
    match keyword {
        ":diagnostic-output-channel" => "\"stderr\"",
        ":regular-output-channel" => "\"stdout\"",
        ":random-seed" | ":verbosity" => "0",
        ":produce-models" => "true",
        _ => "false",
    }
}

fn boolean(keyword: &str, value: Option<&AttributeValue>) -> Result<bool, Refusal> {
    let found = || value.map_or("nothing".into(), |value| format!("'{}'", value.text()));
    let refusal = || Refusal::Error(format!("option '{keyword}' expects true or false, found {}", found()));
    value.and_then(AttributeValue::as_bool).ok_or_else(refusal)
}

fn number(keyword: &str, value: Option<&AttributeValue>) -> Result<u64, Refusal> {
    let found = || value.map_or("nothing".into(), |value| format!("'{}'", value.text()));
    let refusal = || Refusal::Error(format!("option '{keyword}' expects a numeral, found {}", found()));
    value.and_then(AttributeValue::as_u64).ok_or_else(refusal)
}

/// An attribute value as it is written in a script.
fn written(value: &AttributeValue) -> String {
    match value {
        AttributeValue::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        _ => value.text().to_owned(),
    }
}
