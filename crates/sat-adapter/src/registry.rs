//! The backends by name.
//!
//! One row per backend, compiled in or not; the order is the order of preference. Lists, documentation, tests
//! and options read this table. A backend is named by a *spec*: its name, or its name, a colon, and an
//! argument (options for `cadical`, a command for `dimacs`, a file for `ipasir`).

use std::sync::LazyLock;

use crate::{Capabilities, Incremental, SatSolver};

/// A backend.
#[derive(Clone, Copy, Debug)]
pub struct BackendInfo {
    /// The name in a spec.
    pub name: &'static str,
    /// One line on what it is and when to use it.
    pub about: &'static str,
    /// What may or must follow the name and a colon in a spec.
    pub argument: Argument,
    /// What its solvers can do.
    pub capabilities: Capabilities,
    /// The licence of the engine.
    pub licence: &'static str,
    /// The cargo feature that compiles it in; `None` when it is always there.
    pub feature: Option<&'static str>,
    /// `None` when it is left out of this build.
    make: Option<Make>,
}

type Make = fn(&str) -> Result<Box<dyn SatSolver>, String>;

impl BackendInfo {
    /// Whether it is part of this build.
    pub const fn is_compiled_in(&self) -> bool {
        self.make.is_some()
    }

    /// How it is written in a spec.
    pub fn form(&self) -> String {
        match self.argument {
            Argument::None => self.name.to_owned(),
            Argument::Optional(form) => format!("{}[:{form}]", self.name),
            Argument::Required(form) => format!("{}:{form}", self.name),
        }
    }
}

/// Whether a spec has an argument; the text says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `name` only.
    None,
    /// `name` or `name:argument`.
    Optional(&'static str),
    /// `name:argument` only; it names what is run or loaded.
    Required(&'static str),
}

/// Why a spec names no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownBackend {
    /// There is no backend of that name.
    #[error("unknown SAT backend '{name}'; there are {}", known())]
    Name {
        /// The name as given.
        name: String,
    },
    /// It is left out of this build.
    #[error("SAT backend '{name}' is not in this build; it comes with the cargo feature '{feature}'")]
    LeftOut {
        /// The backend's name.
        name: &'static str,
        /// What to build with.
        feature: &'static str,
    },
    /// The argument does not suit the backend.
    #[error("SAT backend '{name}': {problem}")]
    Argument {
        /// The backend's name.
        name: &'static str,
        /// A sentence on what is wrong.
        problem: String,
    },
}

impl UnknownBackend {
    /// What was expected instead, as a noun phrase.
    pub fn expected(&self) -> String {
        match self {
            UnknownBackend::Name { .. } => format!("one of the SAT backends {}", known()),
            UnknownBackend::LeftOut { feature, .. } => {
                format!("one of the SAT backends {}, or a build with the feature '{feature}'", known())
            }
            UnknownBackend::Argument { name, problem } => {
                format!("a SAT backend that can be used ('{name}': {problem})")
            }
        }
    }
}

/// How a backend is made, if its feature is on.
macro_rules! with {
    ($feature:literal, $make:expr) => {{
        #[cfg(feature = $feature)]
        let make: Option<Make> = Some($make);
        #[cfg(not(feature = $feature))]
        let make: Option<Make> = None;
        make
    }};
}

const BACKENDS: &[BackendInfo] = &[
    BackendInfo {
        name: "cadical",
        about: "CaDiCaL 3: inprocessing, the most robust on hard queries",
        argument: Argument::Optional("OPTION=VALUE,..."),
        capabilities: Capabilities::ALL,
        licence: "MIT",
        feature: Some("cadical"),
        make: with!("cadical", |options| Ok(Box::new(crate::backends::cadical::Cadical::with_options(
            options
        )?))),
    },
    BackendInfo {
        name: "batsat",
        about: "BatSat: MiniSat in pure Rust, quick on many small queries",
        argument: Argument::None,
        capabilities: Capabilities::ALL,
        licence: "MIT",
        feature: Some("batsat"),
        make: with!("batsat", |_| Ok(Box::new(crate::backends::batsat::Batsat::new()))),
    },
    BackendInfo {
        name: "splr",
        about: "Splr: Glucose-style in pure Rust, starts over at every query",
        argument: Argument::None,
        capabilities: Capabilities::ONE_SHOT,
        licence: "MPL-2.0",
        feature: Some("splr"),
        make: with!("splr", |_| Ok(Box::new(Incremental::new(crate::backends::splr::Splr::default())))),
    },
    BackendInfo {
        name: "glucose",
        about: "Glucose 4: MiniSat with clauses rated by their levels",
        argument: Argument::None,
        capabilities: Capabilities::INCREMENTAL,
        licence: "MIT",
        feature: Some("glucose"),
        make: with!("glucose", |_| Ok(crate::backends::glucose::new())),
    },
    BackendInfo {
        name: "minisat",
        about: "MiniSat 2.2 in C++, for comparison",
        argument: Argument::None,
        capabilities: Capabilities::INCREMENTAL,
        licence: "MIT",
        feature: Some("minisat"),
        make: with!("minisat", |_| Ok(crate::backends::minisat::new())),
    },
    BackendInfo {
        name: "ipasir",
        about: "any shared library with the functions of IPASIR; a budget if it tells what it learns",
        argument: Argument::Required("LIBRARY"),
        capabilities: Capabilities::INCREMENTAL,
        licence: "its own",
        feature: Some("ipasir"),
        make: with!("ipasir", |path| Ok(Box::new(crate::backends::ipasir::Ipasir::open(path)?))),
    },
    BackendInfo {
        name: "dimacs",
        about: "any program that reads a DIMACS file, started at every query",
        argument: Argument::Required("COMMAND [ARGUMENT ...]"),
        capabilities: Capabilities::ONE_SHOT,
        licence: "its own",
        feature: Some("dimacs"),
        make: with!("dimacs", |command| {
            Ok(Box::new(Incremental::new(crate::backends::dimacs::Dimacs::of_command(command)?)))
        }),
    },
    BackendInfo {
        name: "naive",
        about: "a small reference solver for tests, starts over at every query",
        argument: Argument::None,
        capabilities: Capabilities { budget: true, steady: true, ..Capabilities::ONE_SHOT },
        licence: "MIT OR Apache-2.0",
        feature: None,
        make: Some(|_| Ok(Box::new(Incremental::new(crate::backends::naive::Naive::default())))),
    },
];

/// The backends that are compiled in, the preferred first.
pub fn backends() -> &'static [BackendInfo] {
    static COMPILED_IN: LazyLock<Vec<BackendInfo>> =
        LazyLock::new(|| BACKENDS.iter().copied().filter(BackendInfo::is_compiled_in).collect());
    &COMPILED_IN
}

/// All backends that there are, also those that are left out of this build.
pub const fn all_backends() -> &'static [BackendInfo] {
    BACKENDS
}

/// The preferred backend that is compiled in and needs no argument.
pub const fn default_backend() -> &'static str {
    let mut row = 0;
    while !BACKENDS[row].is_compiled_in() || matches!(BACKENDS[row].argument, Argument::Required(_)) {
        row += 1;
    }
    BACKENDS[row].name
}

/// Makes a solver from a spec such as `cadical`, `cadical:phase=0`, `dimacs:kissat -q`,
/// `ipasir:libsolver.so`.
///
/// # Errors
///
/// When there is no backend of that name, it is not compiled in, or the argument does not suit it.
pub fn create(spec: &str) -> Result<Box<dyn SatSolver>, UnknownBackend> {
    let (name, argument) = match spec.split_once(':') {
        Some((name, argument)) => (name.trim(), argument.trim()),
        None => (spec.trim(), ""),
    };
    let Some(backend) = BACKENDS.iter().find(|backend| backend.name == name) else {
        return Err(UnknownBackend::Name { name: name.to_owned() });
    };
    let Some(make) = backend.make else {
        let feature = backend.feature.unwrap_or(backend.name);
        return Err(UnknownBackend::LeftOut { name: backend.name, feature });
    };
    let made = match backend.argument {
        Argument::None if !argument.is_empty() => Err(format!("it takes no argument, so not '{argument}'")),
        Argument::Required(_) if argument.is_empty() => Err(format!("write it as {}", backend.form())),
        Argument::None | Argument::Optional(_) | Argument::Required(_) => make(argument),
    };
    made.map_err(|problem| UnknownBackend::Argument { name: backend.name, problem })
}

/// The forms of all specs, separated by commas.
fn known() -> String {
    backends().iter().map(BackendInfo::form).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(spec: &str) -> String {
        create(spec).err().expect("the spec is wrong").to_string()
    }

    #[test]
    fn the_table_makes_what_it_says() {
        for backend in backends().iter().filter(|row| row.name != "ipasir") {
            let spec = match backend.argument {
                Argument::Required(_) => format!("{}:true", backend.name),
                Argument::None | Argument::Optional(_) => backend.name.to_owned(),
            };
            let solver = create(&spec).unwrap();
            assert_eq!(solver.name(), backend.name);
            assert_eq!(solver.capabilities(), backend.capabilities);
            assert!(solver.signature().starts_with(backend.name), "{}", solver.signature());
        }
        assert_eq!(create(default_backend()).unwrap().name(), default_backend());
        assert_eq!(backends()[0].name, default_backend());
    }

    #[test]
    fn wrong_specs_say_what_is_wrong() {
        let message = failure("zchaff");
        assert!(message.starts_with("unknown SAT backend 'zchaff'; there are "), "{message}");
        assert!(backends().iter().all(|backend| message.contains(backend.name)), "{message}");
        assert_eq!(failure("naive:x"), "SAT backend 'naive': it takes no argument, so not 'x'");
        assert!(failure("").starts_with("unknown SAT backend ''"));
    }

    #[test]
    fn what_is_left_out_says_how_to_get_it() {
        for row in all_backends().iter().filter(|row| !row.is_compiled_in()) {
            let message = failure(row.name);
            let feature = row.feature.expect("what can be left out has a feature");
            let end = format!("is not in this build; it comes with the cargo feature '{feature}'");
            assert!(message.ends_with(&end), "{message}");
        }
    }

    #[cfg(feature = "ipasir")]
    #[test]
    fn a_library_is_a_file_with_the_functions_of_ipasir() {
        assert_eq!(failure("ipasir:"), "SAT backend 'ipasir': write it as ipasir:LIBRARY");
        assert_eq!(failure("ipasir:no/lib.so"), "SAT backend 'ipasir': there is no file 'no/lib.so'");
        assert_eq!(failure("ipasir:src"), "SAT backend 'ipasir': 'src' is no file");
        let message = failure("ipasir:Cargo.toml");
        assert!(message.contains("the library 'Cargo.toml' cannot be loaded: "), "{message}");
        let message = failure("ipasir:libnone-of-that-name.so");
        assert!(message.contains("the library 'libnone-of-that-name.so' cannot be loaded: "), "{message}");
        if cfg!(target_os = "linux") {
            let message = failure("ipasir:libc.so.6");
            let end = "'libc.so.6' is no IPASIR library: it has no function 'ipasir_signature'";
            assert!(message.ends_with(end), "{message}");
        }
    }

    #[cfg(feature = "dimacs")]
    #[test]
    fn a_command_needs_words() {
        assert_eq!(failure("dimacs: "), "SAT backend 'dimacs': write it as dimacs:COMMAND [ARGUMENT ...]");
        let message = failure("dimacs:no-such-program -q");
        assert_eq!(
            message,
            "SAT backend 'dimacs': there is no program 'no-such-program' that can be executed"
        );
    }

    #[cfg(feature = "cadical")]
    #[test]
    fn options_of_cadical_are_checked() {
        assert!(create("cadical:stabilize=0, walk=0, factor=1").is_ok());
        assert_eq!(failure("cadical:frob=1"), "SAT backend 'cadical': CaDiCaL has no option 'frob'");
        assert_eq!(failure("cadical:walk"), "SAT backend 'cadical': 'walk' is not of the form name=value");
        assert_eq!(failure("cadical:walk=x"), "SAT backend 'cadical': the value of 'walk=x' is not a number");
        assert!(failure("cadical:checkfrozen=1").contains("does not go with"));
    }
}
