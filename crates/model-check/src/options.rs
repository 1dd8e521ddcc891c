//! What is asked of a model checker.

use bivalve::Settings;
use bivalve_systems::Claim;

/// The ways to decide a property.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Engine {
    /// BMC, induction, IC3 with and without help and on narrow words, and random simulation in turn, IC3 with
    /// most of the steps, in rounds that double. Where a violation may not be a shortest one, shorter ones
    /// are looked for, for an eighth of the steps that it has taken.
    #[default]
    Auto,
    /// Bounded model checking: finds shortest violations, and ends without one only where constraints leave
    /// no run.
    Bmc,
    /// Bounded model checking, and induction over `k` frames; violations are shortest ones.
    Induction,
    /// IC3 on the gates of the system; violations may be longer than they need to be.
    Ic3,
    /// Invariants between a step and refutations of bounded model checking behind it, on the gates of the
    /// system; violations are shortest ones.
    Interpolation,
    /// Single frames far ahead: finds deep violations that are easy where no frame before has to be refuted;
    /// they are not shortest ones. It proves nothing, and ends where the frames do.
    Leaps,
    /// IC3 on the gates of a system in which arithmetic, comparisons and equations of wide words are free
    /// inputs until a violation needs what they are; violations may be longer than they need to be.
    Cuts,
}

/// The options of a model checker.
#[derive(Clone, Debug)]
pub struct Options {
    /// How properties are decided.
    pub engine: Engine,
    /// The properties that are to be decided; others stay unknown. None for all.
    pub asked: Option<Vec<Claim>>,
    /// The most frames of bounded model checking, and of a step of induction.
    pub most_frames: Option<usize>,
    /// The frames before this one are not searched. Only bounded model checking alone may leave frames out.
    pub first_frame: usize,
    /// Whether the first violation ends the search; other properties may be undecided then.
    pub stop_at_first: bool,
    /// Whether induction says that the frames of its step have different states.
    pub simple_paths: bool,
    /// Memories of at most so many bits become registers where an engine has no arrays.
    pub memory_bits: u64,
    /// Whether each proof is checked by a fresh solver before it is reported; invariants always are.
    pub recheck: bool,
    /// Whether verdicts come with what their proofs come down to, for certificates.
    pub obligations: bool,
    /// Whether verdicts come with a witness circuit: words stay whole then.
    pub circuit: bool,
    /// The bytes that all engines together may take. One that would need more gives way to the others.
    pub memory: Option<u64>,
    /// So many engines run beside each other; verdicts do not depend on it.
    pub threads: usize,
    /// Whether threads do not wait for each other: the first answer wins, so witnesses and proofs depend on
    /// time.
    pub racing: bool,
    /// Settings of the solvers of words.
    pub settings: Settings,
}

impl Options {
    /// Whether a property is to be decided.
    pub fn asks(&self, property: Claim) -> bool {
        self.asked.as_ref().is_none_or(|asked| asked.contains(&property))
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            engine: Engine::Auto,
            asked: None,
            most_frames: None,
            first_frame: 0,
            stop_at_first: false,
            simple_paths: true,
            memory_bits: 8192,
            recheck: false,
            obligations: false,
            circuit: false,
            memory: None,
            threads: 1,
            racing: false,
            settings: Settings::default(),
        }
    }
}
