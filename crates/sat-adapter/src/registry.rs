//! The backends by name.
//!
//! One row per backend; the order is the order of preference. Lists, documentation, tests and options read
//! this table. A backend is named by a *spec*: its name, or its name, a colon, and an argument (options for
//! `cadical`, a command for `dimacs`).

use crate::backends::naive::Naive;
use crate::{Capabilities, Incremental, SatSolver};

#[cfg(feature = "batsat")]
use crate::backends::batsat::Batsat;
#[cfg(feature = "cadical")]
use crate::backends::cadical::Cadical;
#[cfg(feature = "dimacs")]
use crate::backends::dimacs::Dimacs;
#[cfg(feature = "splr")]
use crate::backends::splr::Splr;

/// A backend that is compiled in.
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
    make: fn(&str) -> Result<Box<dyn SatSolver>, String>,
}

/// Whether a spec has an argument; the text says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `name` only.
    None,
    /// `name` or `name:argument`.
    Optional(&'static str),
    /// `name:argument` only.
    Required(&'static str),
}

/// Why a spec names no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownBackend {
    /// There is no backend of that name, or it is not compiled in.
    #[error("unknown SAT backend '{name}'; there are {}", known())]
    Name {
        /// The name as given.
        name: String,
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
            UnknownBackend::Argument { name, problem } => {
                format!("a SAT backend that can be used ('{name}': {problem})")
            }
        }
    }
}

const BACKENDS: &[BackendInfo] = &[
    #[cfg(feature = "cadical")]
    BackendInfo {
        name: "cadical",
        about: "CaDiCaL 3: inprocessing, the most robust on hard queries",
        argument: Argument::Optional("OPTION=VALUE,..."),
        capabilities: Cadical::CAPABILITIES,
        make: |options| Ok(Box::new(Cadical::with_options(options)?)),
    },
    #[cfg(feature = "batsat")]
    BackendInfo {
        name: "batsat",
        about: "BatSat: MiniSat in pure Rust, quick on many small queries",
        argument: Argument::None,
        capabilities: Batsat::CAPABILITIES,
        make: |_| Ok(Box::new(Batsat::new())),
    },
    #[cfg(feature = "splr")]
    BackendInfo {
        name: "splr",
        about: "Splr: Glucose-style in pure Rust, starts over at every query",
        argument: Argument::None,
        capabilities: Splr::CAPABILITIES,
        make: |_| Ok(Box::new(Incremental::new(Splr::default()))),
    },
    #[cfg(feature = "dimacs")]
    BackendInfo {
        name: "dimacs",
        about: "any program that reads a DIMACS file, started at every query",
        argument: Argument::Required("COMMAND [ARGUMENT ...]"),
        capabilities: Dimacs::CAPABILITIES,
        make: |command| Ok(Box::new(Incremental::new(Dimacs::of_command(command)?))),
    },
    BackendInfo {
        name: "naive",
        about: "a small reference solver for tests, starts over at every query",
        argument: Argument::None,
        capabilities: Naive::CAPABILITIES,
        make: |_| Ok(Box::new(Incremental::new(Naive::default()))),
    },
];

/// The backends that are compiled in, the preferred first.
pub fn backends() -> &'static [BackendInfo] {
    BACKENDS
}

/// The preferred backend that needs no argument: `cadical`, else `batsat`, else whatever is there.
pub const fn default_backend() -> &'static str {
    if cfg!(feature = "cadical") {
        "cadical"
    } else if cfg!(feature = "batsat") {
        "batsat"
    } else if cfg!(feature = "splr") {
        "splr"
    } else {
        "naive"
    }
}

/// Makes a solver from a spec such as `cadical`, `cadical:phase=0`, `dimacs:kissat -q`.
///
/// # Errors
///
/// When no backend of that name is compiled in, or the argument does not suit it.
pub fn create(spec: &str) -> Result<Box<dyn SatSolver>, UnknownBackend> {
    let (name, argument) = match spec.split_once(':') {
        Some((name, argument)) => (name.trim(), argument.trim()),
        None => (spec.trim(), ""),
    };
    let Some(backend) = BACKENDS.iter().find(|backend| backend.name == name) else {
        return Err(UnknownBackend::Name { name: name.to_owned() });
    };
    let made = match backend.argument {
        Argument::None if !argument.is_empty() => Err(format!("it takes no argument, so not '{argument}'")),
        Argument::Required(form) if argument.is_empty() => Err(format!("write it as {name}:{form}")),
        Argument::None | Argument::Optional(_) | Argument::Required(_) => (backend.make)(argument),
    };
    made.map_err(|problem| UnknownBackend::Argument { name: backend.name, problem })
}

/// The forms of all specs, separated by commas.
fn known() -> String {
    let form = |backend: &BackendInfo| match backend.argument {
        Argument::None => backend.name.to_owned(),
        Argument::Optional(form) => format!("{}[:{form}]", backend.name),
        Argument::Required(form) => format!("{}:{form}", backend.name),
    };
    BACKENDS.iter().map(form).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(spec: &str) -> String {
        create(spec).err().expect("the spec is wrong").to_string()
    }

    #[test]
    fn the_table_makes_what_it_says() {
        for backend in backends() {
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
        let message = failure("minisat");
        assert!(message.starts_with("unknown SAT backend 'minisat'; there are "), "{message}");
        assert!(backends().iter().all(|backend| message.contains(backend.name)), "{message}");
        assert_eq!(failure("naive:x"), "SAT backend 'naive': it takes no argument, so not 'x'");
        assert!(failure("").starts_with("unknown SAT backend ''"));
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
