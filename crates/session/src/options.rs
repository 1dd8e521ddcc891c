//! What `set-option` sets: the standard's options, the solver's own, and those of other solvers that are
//! ignored.
//!
//! Clients send options of the solver they were written for. A published list of those is accepted in
//! silence, because many clients take any answer but `success` for the answer of the next command. What is on
//! no list is `unsupported`. An option of the command line is set in the options that a session begins with,
//! by the same function.

use crate::reply::Reply;
use bivalve::terms::{FunctionValue, Pool, Sort, Term, Value};
use bivalve::{OPTIONS, OptionError, Settings, sat};
use bivalve_formats::ModelFormat;
use bivalve_formats::smtlib::AttributeValue;
use bivalve_formats::smtlib::print::{self, BitVecFormat};
use bivalve_optimise::Priority;
use bivalve_portfolio::Threads;
use std::time::Duration;

/// The options of a session.
#[derive(Clone, Debug)]
pub struct Options {
    /// The options of the solver.
    pub settings: Settings,
    /// How bit-vector values are printed, if that was asked for.
    pub format: Option<BitVecFormat>,
    /// How models are printed.
    pub model_format: ModelFormat,
    /// How the value of a function is printed by `get-value`.
    function_format: FunctionFormat,
    /// Print `Bool` as `(_ BitVec 1)` in functions of models.
    bools_as_bits: bool,
    /// The limit of time for each check.
    pub check_time: Option<Duration>,
    /// Other engines beside the solver, in threads.
    pub threads: Option<Threads>,
    /// With several engines, the first answer wins.
    racing: bool,
    /// Without threads, other engines have a small part of the first check.
    courses: bool,
    /// How several objectives are combined.
    pub(crate) priority: Priority,
    /// Answer `success` to commands that have no other answer.
    pub(crate) print_success: bool,
    /// Declarations survive `pop`.
    pub(crate) global_declarations: bool,
    /// Everything that was set, as text; for most standard options nothing else happens.
    remembered: Vec<(String, String)>,
}

/// How the value of a function is printed by `get-value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FunctionFormat {
    /// `(lambda ((x S)) ...)`, as the standard, cvc5 and Bitwuzla have it.
    Lambda,
    /// `(store ((as const (Array S T)) v) ...)`, as Z3 and Yices have it.
    Stores,
}

/// Standard options that are true or false. Named assertions are tracked under the one for cores; for the
/// others, what they ask for is always on, or is not offered.
const SWITCHES: &[&str] = &[
    ":produce-assertions",
    ":produce-assignments",
    ":produce-models",
    ":produce-proofs",
    ":produce-unsat-assumptions",
    ":produce-unsat-cores",
];

/// Options that a session heeds itself.
const OWN: &[&str] = &[
    ":bools-as-bits",
    ":courses",
    ":function-values",
    ":global-declarations",
    ":minimal-unsat-cores",
    ":opt.priority",
    ":print-success",
    ":racing",
    ":reproducible-resource-limit",
    ":threads",
    ":timeout",
];

/// Standard options whose values are checked and remembered.
const REMEMBERED: &[&str] = &[":diagnostic-output-channel", ":regular-output-channel", ":verbosity"];

/// Other names of options.
const ALIASES: &[(&str, &str)] = &[
    (":global-decls", ":global-declarations"),
    (":interactive-mode", ":produce-assertions"),
    (":model", ":produce-models"),
    (":proof", ":produce-proofs"),
    (":random-seed", ":seed"),
    (":rlimit", ":reproducible-resource-limit"),
    (":smt.core.minimize", ":minimal-unsat-cores"),
    (":tlimit-per", ":timeout"),
    (":unsat-core", ":produce-unsat-cores"),
    (":verbose", ":verbosity"),
];

/// Options of other solvers that clients send and that change no answer.
const IGNORED: &[&str] = &[
    ":auto-config",
    ":ctrl-c",
    ":debug-ref-count",
    ":dump-models",
    ":encoding",
    ":incremental",
    ":memory-high-watermark",
    ":memory-max-alloc-count",
    ":memory-max-size",
    ":model-validate",
    ":produce-abducts",
    ":produce-difficulty",
    ":produce-interpolants",
    ":produce-interpolation",
    ":produce-learned-literals",
    ":smtlib2-compliant",
    ":stats",
    ":trace",
    ":trace-file-name",
    ":type-check",
    ":warning",
    ":well-sorted-check",
];

/// Families of such options: the modules of Z3.
const IGNORED_FAMILIES: &[&str] = &[
    ":ackermannization.",
    ":algebraic.",
    ":combined-solver.",
    ":fp.",
    ":lp.",
    ":model-evaluator.",
    ":model.",
    ":nlsat.",
    ":nnf.",
    ":opt.",
    ":parallel.",
    ":parser.",
    ":pi.",
    ":pp.",
    ":rcf.",
    ":rewriter.",
    ":sat.",
    ":sls.",
    ":smt.",
    ":solver.",
    ":tactic.",
];

/// The name of an option in this table: Z3 takes capitals for small letters and `_` for `-`, and its clients
/// make use of that.
fn canonical(keyword: &str) -> String {
    let folded = keyword.to_ascii_lowercase().replace('_', "-");
    let alias = ALIASES.iter().find(|(alias, _)| *alias == folded);
    alias.map_or(folded, |(_, name)| (*name).to_owned())
}

impl Default for Options {
    fn default() -> Options {
        Options::new(Settings::default())
    }
}

impl Options {
    /// Options as a session begins with them.
    pub fn new(settings: Settings) -> Options {
        Options {
            settings,
            format: None,
            model_format: ModelFormat::default(),
            function_format: FunctionFormat::Lambda,
            bools_as_bits: false,
            check_time: None,
            threads: None,
            racing: false,
            courses: true,
            priority: Priority::default(),
            print_success: false,
            global_declarations: false,
            remembered: vec![],
        }
    }

    /// The keywords of the options that have an effect, those of the solver among them.
    pub fn keywords() -> impl Iterator<Item = String> {
        let here = [OWN, SWITCHES, REMEMBERED].into_iter().flatten().map(|&keyword| keyword.to_owned());
        here.chain(OPTIONS.iter().map(|row| format!(":{}", row.name)))
    }

    /// Sets an option as `(set-option :name value)` does, from text of a command line. The colon may be
    /// missing.
    ///
    /// # Errors
    ///
    /// When there is no such option, or the value is none of its values; the text tells which.
    pub fn set_text(&mut self, name: &str, value: &str) -> Result<(), String> {
        let keyword = format!(":{}", name.trim_start_matches(':'));
        let is_numeral = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        let parsed = match is_numeral {
            true => AttributeValue::Numeral(value.to_owned()),
            false => AttributeValue::Symbol(value.to_owned()),
        };
        self.set(&keyword, Some(&parsed)).map_err(|refusal| match refusal.error() {
            Some(text) => text.into_owned(),
            None => format!("unknown option '{keyword}'"),
        })
    }

    /// Prints values of a model.
    pub(crate) fn printer<'a>(&self, pool: &'a Pool) -> print::Values<'a> {
        print::Values::new(pool, self.format.unwrap_or_default()).with_bools_as_bits(self.bools_as_bits)
    }

    /// Prints a model.
    pub(crate) fn model(&self, pool: &Pool, model: &[(Term, Value)]) -> String {
        self.model_format.print(pool, &self.printer(pool), self.format, model)
    }

    /// The value of a function, as `get-value` prints it.
    pub(crate) fn function_value(&self, pool: &Pool, sort: Sort, value: &FunctionValue) -> String {
        match self.function_format {
            FunctionFormat::Lambda => self.printer(pool).lambda(sort, value),
            FunctionFormat::Stores => self.printer(pool).stores(sort, value),
        }
    }

    /// Whether unsat cores are asked for.
    pub(crate) fn unsat_cores(&self) -> bool {
        self.is_on(":produce-unsat-cores")
    }

    /// The threads of the engines beside the solver, if there are any.
    pub(crate) fn engines(&self) -> Option<Threads> {
        self.threads.or(self.courses.then(Threads::spare))
    }

    /// Whether proofs are asked for.
    pub(crate) fn proofs(&self) -> bool {
        self.is_on(":produce-proofs")
    }

    /// Whether assertions are asked for.
    pub(crate) fn keeps_assertions(&self) -> bool {
        self.is_on(":produce-assertions")
    }

    fn is_on(&self, switch: &str) -> bool {
        self.get(switch).is_some_and(|value| value == "true")
    }

    /// Carries out `(set-option keyword value)`.
    pub(crate) fn set(&mut self, keyword: &str, value: Option<&AttributeValue>) -> Result<(), Reply> {
        let name = canonical(keyword);
        self.apply(&name, value)?;
        let text = value.map(written).unwrap_or_default();
        self.remembered.retain(|(set, _)| *set != name);
        self.remembered.push((name, text));
        Ok(())
    }

    /// Does what an option asks for.
    fn apply(&mut self, keyword: &str, value: Option<&AttributeValue>) -> Result<(), Reply> {
        match keyword {
            ":print-success" => self.print_success = boolean(keyword, value)?,
            ":global-declarations" => self.global_declarations = boolean(keyword, value)?,
            ":timeout" => {
                let milliseconds = number(keyword, value)?;
                self.check_time = (milliseconds > 0).then(|| Duration::from_millis(milliseconds));
            }
            ":threads" => {
                let threads = Threads::new(number(keyword, value)?);
                let threads =
                    threads.map_err(|refusal| Reply::Error(format!("option '{keyword}': {refusal}")))?;
                self.threads = Some(threads.racing(self.racing));
            }
            ":racing" => {
                self.racing = boolean(keyword, value)?;
                self.threads = self.threads.map(|threads| threads.racing(self.racing));
            }
            ":courses" => self.courses = boolean(keyword, value)?,
            ":reproducible-resource-limit" => {
                let conflicts = number(keyword, value)?;
                self.settings = self.settings.to_builder().conflict_limit(conflicts).build();
            }
            ":minimal-unsat-cores" => {
                let minimize = boolean(keyword, value)?;
                self.settings = self.settings.to_builder().minimize_core(minimize).build();
            }
            ":function-values" => {
                self.function_format = match value.map(AttributeValue::text) {
                    Some("lambda") => FunctionFormat::Lambda,
                    Some("stores") => FunctionFormat::Stores,
                    _ => return Err(expected(keyword, "lambda or stores", value)),
                };
            }
            ":opt.priority" => {
                let priority = value.and_then(|value| Priority::parse(value.text()));
                self.priority = priority.ok_or_else(|| expected(keyword, "lex, box or pareto", value))?;
            }
            ":bools-as-bits" => self.bools_as_bits = boolean(keyword, value)?,
            _ if SWITCHES.contains(&keyword) => drop(boolean(keyword, value)?),
            ":verbosity" => drop(number(keyword, value)?),
            ":regular-output-channel" => channel(keyword, value, &["stdout"])?,
            ":diagnostic-output-channel" => channel(keyword, value, &["stderr", "stdout"])?,
            _ if IGNORED.contains(&keyword) || IGNORED_FAMILIES.iter().any(|f| keyword.starts_with(f)) => {}
            _ => return self.set_own(keyword, value),
        }
        Ok(())
    }

    /// The value of an option as `get-option` prints it; `None` for unknown ones.
    pub(crate) fn get(&self, keyword: &str) -> Option<String> {
        let keyword = &*canonical(keyword);
        match keyword {
            ":print-success" => Some(self.print_success.to_string()),
            ":global-declarations" => Some(self.global_declarations.to_string()),
            ":threads" => self.threads.map(|threads| threads.count().to_string()),
            ":racing" => Some(self.racing.to_string()),
            ":opt.priority" => Some(self.priority.to_string()),
            ":courses" => Some(self.courses.to_string()),
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
    fn set_own(&mut self, keyword: &str, value: Option<&AttributeValue>) -> Result<(), Reply> {
        let name = keyword.strip_prefix(':').unwrap_or(keyword);
        if !OPTIONS.iter().any(|row| row.name == name) {
            return Err(Reply::Unsupported);
        }
        let text = value.map(|value| value.text().to_owned()).unwrap_or_default();
        if name == "sat" && runs_what_it_names(&text) {
            let what = format!(
                "option 'sat': a script can neither start programs nor load libraries; say --sat '{text}' on \
                 the command line"
            );
            return Err(Reply::Error(what));
        }
        self.settings.set(name, &text).map_err(|e: OptionError| Reply::Error(e.to_string()))
    }
}

/// Whether a SAT backend of this spec starts a program or loads a library. These are the backends that need
/// an argument. Scripts come from anywhere, so they must do neither.
fn runs_what_it_names(spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default().trim();
    let backend = sat::all_backends().iter().find(|backend| backend.name == name);
    backend.is_some_and(|backend| matches!(backend.argument, sat::Argument::Required(_)))
}

/// The default of the standard, or what is always done here.
fn default_of(keyword: &str) -> &'static str {
    match keyword {
        ":diagnostic-output-channel" => "\"stderr\"",
        ":regular-output-channel" => "\"stdout\"",
        ":verbosity" => "0",
        ":produce-models" => "true",
        _ => "false",
    }
}

fn boolean(keyword: &str, value: Option<&AttributeValue>) -> Result<bool, Reply> {
    value.and_then(AttributeValue::as_bool).ok_or_else(|| expected(keyword, "true or false", value))
}

fn number(keyword: &str, value: Option<&AttributeValue>) -> Result<u64, Reply> {
    value.and_then(AttributeValue::as_u64).ok_or_else(|| expected(keyword, "a numeral", value))
}

/// Checks the name of a channel. Replies go to standard output, errors among them; what is shown to people
/// besides goes to standard error, unless the two may be one. So these are the channels that there are.
fn channel(keyword: &str, value: Option<&AttributeValue>, channels: &[&str]) -> Result<(), Reply> {
    match value {
        Some(AttributeValue::String(name)) if channels.contains(&&**name) => Ok(()),
        Some(AttributeValue::String(_)) => Err(Reply::Unsupported),
        _ => Err(expected(keyword, "a string", value)),
    }
}

/// The refusal of a value.
fn expected(keyword: &str, expected: &str, value: Option<&AttributeValue>) -> Reply {
    let found = value.map_or("nothing".into(), |value| format!("'{}'", value.text()));
    Reply::Error(format!("option '{keyword}' expects {expected}, found {found}"))
}

/// An attribute value as it is written in a script.
fn written(value: &AttributeValue) -> String {
    match value {
        AttributeValue::String(text) => print::string(text),
        AttributeValue::Symbol(name) => print::symbol(name).into_owned(),
        _ => value.text().to_owned(),
    }
}
