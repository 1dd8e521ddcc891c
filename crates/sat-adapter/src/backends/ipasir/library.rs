//! The functions of an IPASIR library, and a solver that they made.
//!
//! The numbers of IPASIR: a clause and a set of learned literals end with 0; a search answers 10 for sat, 20
//! for unsat, and 0 when it was ended; a value is the literal when that is true, its negation when it is
//! false, and 0 when either would do.

#![expect(unsafe_code, reason = "functions of a shared library are found by name and called")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::backends::conflicts::Conflicts;
use crate::{Budget, Lit, Stop};

/// Asked by a library whether its search is to end.
type Terminate = extern "C" fn(*mut c_void) -> c_int;

/// Told by a library what it has learned.
type Learn = extern "C" fn(*mut c_void, *const i32);

/// The functions of the standard, with the types that it gives them.
struct Functions {
    signature: unsafe extern "C" fn() -> *const c_char,
    init: unsafe extern "C" fn() -> *mut c_void,
    release: unsafe extern "C" fn(*mut c_void),
    add: unsafe extern "C" fn(*mut c_void, i32),
    assume: unsafe extern "C" fn(*mut c_void, i32),
    solve: unsafe extern "C" fn(*mut c_void) -> c_int,
    val: unsafe extern "C" fn(*mut c_void, i32) -> i32,
    failed: unsafe extern "C" fn(*mut c_void, i32) -> c_int,
    set_terminate: unsafe extern "C" fn(*mut c_void, *mut c_void, Terminate),
    set_learn: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, Learn)>,
}

/// A library that was loaded. It stays loaded, so its functions can be called at any time.
pub(super) struct Library {
    path: PathBuf,
    functions: Functions,
    signature: String,
    tells: OnceLock<bool>,
}

/// Those of this process. Loading one twice gives the same one.
static LOADED: Mutex<Vec<&Library>> = Mutex::new(Vec::new());

impl Library {
    /// The library at this path, or of this name.
    pub(super) fn load(text: &str) -> Result<&'static Library, String> {
        let path = find(text)?;
        // Nothing is left half done there by a thread that panics.
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = loaded.iter().find(|library| library.path == path) {
            return Ok(library);
        }
        let opened =
            open(&path).map_err(|problem| format!("the library '{text}' cannot be loaded: {problem}"))?;
        let functions = Functions::find(&opened)
            .map_err(|name| format!("'{text}' is no IPASIR library: it has no function '{name}'"))?;
        std::mem::forget(opened);
        // SAFETY: the standard says that it returns a text that ends with 0 and stays.
        let signature = unsafe {
            let text = (functions.signature)();
            if text.is_null() { "without a name".into() } else { CStr::from_ptr(text).to_string_lossy() }
        };
        let signature = signature.into_owned();
        let library = Box::leak(Box::new(Library { path, functions, signature, tells: OnceLock::new() }));
        loaded.push(library);
        Ok(library)
    }

    /// Whether it tells what it learns; a trial says so, once.
    pub(super) fn tells(&self, trial: impl FnOnce() -> bool) -> bool {
        *self.tells.get_or_init(|| self.functions.set_learn.is_some() && trial())
    }
}

/// The file that is meant.
fn find(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    match path.canonicalize() {
        Ok(file) if file.is_file() => Ok(file),
        Err(_) if path.components().count() == 1 => Ok(path.to_owned()),
        Ok(_) => Err(format!("'{text}' is no file")),
        Err(_) => Err(format!("there is no file '{text}'")),
    }
}

/// Loads a library with all that it needs; its symbols are found in it only.
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: what a library does when it is loaded is its own affair; naming it is trusting it.
    unsafe {
        #[cfg(unix)]
        {
            use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
            Library::open(Some(path), RTLD_NOW | RTLD_LOCAL).map(Into::into)
        }
        #[cfg(not(unix))]
        libloading::Library::new(path)
    }
}

impl Functions {
    /// All of them, or the name of one that is missing.
    fn find(library: &libloading::Library) -> Result<Functions, &'static str> {
        /// A function by its name.
        fn get<T: Copy>(library: &libloading::Library, name: &'static str) -> Result<T, &'static str> {
            // SAFETY: the caller gives the function the type that the standard gives it.
            unsafe { library.get::<T>(name) }.map(|function| *function).map_err(|_| name)
        }
        Ok(Functions {
            signature: get(library, "ipasir_signature")?,
            init: get(library, "ipasir_init")?,
            release: get(library, "ipasir_release")?,
            add: get(library, "ipasir_add")?,
            assume: get(library, "ipasir_assume")?,
            solve: get(library, "ipasir_solve")?,
            val: get(library, "ipasir_val")?,
            failed: get(library, "ipasir_failed")?,
            set_terminate: get(library, "ipasir_set_terminate")?,
            set_learn: get(library, "ipasir_set_learn").ok(),
        })
    }
}

/// What a search answers.
pub(super) enum Verdict {
    Satisfiable,
    Unsatisfiable,
    /// It was ended, or gave up.
    Ended,
    /// Something that the standard does not know.
    Other,
}

/// A solver of a library.
pub(super) struct Engine {
    library: &'static Library,
    solver: *mut c_void,
    /// What the library has the address of.
    watch: Arc<Watch>,
}

impl Engine {
    /// A new solver, if the library makes one.
    pub(super) fn new(library: &'static Library, stop: Stop) -> Option<Engine> {
        // SAFETY: it can be called at any time.
        let solver = unsafe { (library.functions.init)() };
        if solver.is_null() {
            return None;
        }
        let mut engine = Engine { library, solver, watch: Arc::default() };
        engine.watch(stop);
        Some(engine)
    }

    /// From now on searches look at this flag.
    pub(super) fn watch(&mut self, stop: Stop) {
        let conflicts = AtomicU64::new(self.conflicts());
        let watch = Arc::new(Watch { stop, conflicts, ..Watch::default() });
        let (state, functions) = (Arc::as_ptr(&watch).cast_mut().cast(), &self.library.functions);
        // SAFETY: the solver is alive. It calls these functions with this address, which stays until the
        // solver was given another one, or is gone.
        unsafe {
            (functions.set_terminate)(self.solver, state, terminate);
            if let Some(set_learn) = functions.set_learn {
                set_learn(self.solver, state, c_int::MAX, learn);
            }
        }
        self.watch = watch;
    }

    /// Name and version.
    pub(super) fn signature(&self) -> &'static str {
        &self.library.signature
    }

    /// Clauses that it has told of.
    pub(super) fn conflicts(&self) -> u64 {
        self.watch.conflicts.load(Ordering::Relaxed)
    }

    /// Adds a clause.
    pub(super) fn add(&mut self, clause: &[Lit]) {
        for number in clause.iter().map(|lit| lit.to_dimacs()).chain([0]) {
            // SAFETY: the solver is alive, and clauses may be added at any time between searches.
            unsafe { (self.library.functions.add)(self.solver, number) }
        }
    }

    /// Searches, on so many clauses.
    pub(super) fn solve(&mut self, assumptions: &[Lit], budget: &Budget, clauses: u64) -> Verdict {
        self.watch.begin(budget, clauses);
        // SAFETY: the solver is alive; assumptions are said right before the search.
        let answer = unsafe {
            for lit in assumptions {
                (self.library.functions.assume)(self.solver, lit.to_dimacs());
            }
            (self.library.functions.solve)(self.solver)
        };
        match answer {
            10 => Verdict::Satisfiable,
            20 => Verdict::Unsatisfiable,
            0 => Verdict::Ended,
            _ => Verdict::Other,
        }
    }

    /// After sat: the value of a literal whose variable was mentioned.
    pub(super) fn value(&mut self, lit: Lit) -> Option<bool> {
        // SAFETY: the caller asks after sat only.
        let value = unsafe { (self.library.functions.val)(self.solver, lit.to_dimacs()) };
        let same = value == lit.to_dimacs();
        (same || value == (!lit).to_dimacs()).then_some(same)
    }

    /// After unsat: whether an assumption is in the core.
    pub(super) fn failed(&mut self, lit: Lit) -> bool {
        // SAFETY: the caller asks after unsat only, and about assumptions.
        unsafe { (self.library.functions.failed)(self.solver, lit.to_dimacs()) != 0 }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the solver is alive, and is not used after this.
        unsafe { (self.library.functions.release)(self.solver) }
    }
}

/// What a library asks while it searches, and what it has told. It may have threads of its own.
#[derive(Default)]
struct Watch {
    stop: Stop,
    /// All conflicts, and those at which the budget of the search is spent.
    conflicts: AtomicU64,
    enough: AtomicU64,
    steps: Conflicts,
}

impl Watch {
    fn begin(&self, budget: &Budget, clauses: u64) {
        let granted = budget.conflicts.unwrap_or(u64::MAX);
        let enough = self.conflicts.load(Ordering::Relaxed).saturating_add(granted);
        self.enough.store(enough, Ordering::Relaxed);
        self.steps.begin(clauses);
    }

    fn is_over(&self) -> bool {
        let is_spent = self.conflicts.load(Ordering::Relaxed) >= self.enough.load(Ordering::Relaxed);
        self.steps.poll(&self.stop).is_some() || is_spent
    }
}

extern "C" fn terminate(state: *mut c_void) -> c_int {
    // SAFETY: it is the address that was handed over together with this function.
    let watch = unsafe { &*state.cast_const().cast::<Watch>() };
    c_int::from(watch.is_over())
}

extern "C" fn learn(state: *mut c_void, _clause: *const i32) {
    // SAFETY: it is the address that was handed over together with this function.
    let watch = unsafe { &*state.cast_const().cast::<Watch>() };
    watch.conflicts.fetch_add(1, Ordering::Relaxed);
    watch.stop.count_conflict();
    watch.steps.count();
}
