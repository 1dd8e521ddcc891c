//! The options of Boolector by number, with their names, defaults and ranges.
//!
//! Programs set them by number, and walk through them by name. Those that mean something here are translated
//! where they are set ([`super::btor`]); the others steer parts of Boolector that Bivalve does not have. They
//! are kept and returned, and change nothing.

/// An option: long and short name, default, least and greatest value.
pub(super) type Row = (&'static str, &'static str, u32, u32, u32);

/// Values without a bound of their own.
const ANY: u32 = u32::MAX;

/// The options by number.
#[rustfmt::skip]
pub(super) const ROWS: [Row; 94] = [
    ("model-gen", "m", 0, 0, 2),
    ("incremental", "i", 0, 0, 1),
    ("incremental-smt1", "I", 1, 1, 2),
    ("input-format", "", 0, 0, 4),
    ("output-number-format", "", 1, 1, 3),
    ("output-format", "", 0, 0, 4),
    ("engine", "E", 1, 1, 5),
    ("sat-engine", "SE", 3, 0, 4),
    ("auto-cleanup", "ac", 0, 0, 1),
    ("pretty-print", "p", 1, 0, 1),
    ("exit-codes", "e", 1, 0, 1),
    ("seed", "s", 0, 0, ANY),
    ("verbosity", "v", 0, 0, 4),
    ("loglevel", "l", 0, 0, ANY),
    ("rewrite-level", "rwl", 3, 0, 3),
    ("skeleton-preproc", "sp", 1, 0, 1),
    ("ackermannize", "ack", 0, 0, 1),
    ("beta-reduce", "br", 0, 0, 2),
    ("eliminate-slices", "es", 1, 0, 1),
    ("var-subst", "vs", 1, 0, 1),
    ("ucopt", "uc", 0, 0, 1),
    ("merge-lambdas", "ml", 1, 0, 1),
    ("extract-lambdas", "xl", 1, 0, 1),
    ("normalize", "norm", 1, 0, 1),
    ("normalize-add", "nadd", 1, 0, 1),
    ("fun-preprop", "", 0, 0, 1),
    ("fun-presls", "", 0, 0, 1),
    ("fun-dual-prop", "fun-dp", 0, 0, 1),
    ("fun-dual-prop-qsort", "", 1, 1, 3),
    ("fun-just", "fun-ju", 0, 0, 1),
    ("fun-just-heuristic", "", 2, 1, 3),
    ("fun-lazy-synthesize", "fun-ls", 0, 0, 1),
    ("fun-eager-lemmas", "fun-el", 1, 0, 2),
    ("fun-store-lambdas", "fun-sl", 0, 0, 1),
    ("dump-dimacs", "dd", 0, 0, 1),
    ("sls-nflips", "", 0, 0, ANY),
    ("sls-strategy", "", 1, 1, 5),
    ("sls-just", "", 0, 0, 1),
    ("sls-move-gw", "", 0, 0, 1),
    ("sls-move-range", "", 0, 0, 1),
    ("sls-move-segment", "", 0, 0, 1),
    ("sls-move-rand-walk", "", 0, 0, 1),
    ("sls-prob-move-rand-walk", "", 100, 0, 1000),
    ("sls-move-rand-all", "", 0, 0, 1),
    ("sls-move-rand-range", "", 0, 0, 1),
    ("sls-move-prop", "", 0, 0, 1),
    ("sls-move-prop-n-prop", "", 1, 0, ANY),
    ("sls-move-prop-n-sls", "", 1, 0, ANY),
    ("sls-move-prop-force-rw", "", 0, 0, 1),
    ("sls-move-inc-move-test", "", 0, 0, 1),
    ("sls-use-restarts", "", 1, 0, 1),
    ("sls-use-bandit", "", 1, 0, 1),
    ("prop-nprops", "", 0, 0, ANY),
    ("prop-use-restarts", "", 0, 0, 1),
    ("prop-use-bandit", "", 0, 0, 1),
    ("prop-path-sel", "", 2, 1, 3),
    ("prop-prob-use-inv-value", "", 990, 0, 1000),
    ("prop-prob-flip-cond", "", 100, 0, 1000),
    ("prop-prob-flip-cond-const", "", 100, 0, 1000),
    ("prop-flip-cond-const-delta", "", 100, 0, 2147483647),
    ("prop-flip-cond-const-npathsel", "", 500, 0, 2147483647),
    ("prop-prob-slice-keep-dc", "", 500, 0, 1000),
    ("prop-prob-conc-flip", "", 900, 0, 1000),
    ("prop-prob-slice-flip", "", 0, 0, 1000),
    ("prop-prob-eq-flip", "", 0, 0, 1000),
    ("prop-prob-and-flip", "", 0, 0, 1000),
    ("prop-no-move-on-conflict", "", 0, 0, 1),
    ("aigprop-use-restarts", "", 0, 0, 1),
    ("aigprop-use-bandit", "", 0, 0, 1),
    ("quant-synth", "", 4, 0, 4),
    ("quant-dual", "", 1, 0, 1),
    ("quant-synthlimit", "", 10000, 0, ANY),
    ("quant-synthqi", "", 1, 0, 1),
    ("quant-der", "", 1, 0, 1),
    ("quant-cer", "", 1, 0, 1),
    ("quant-ms", "", 1, 0, 1),
    ("sort-exp", "", 1, 0, 1),
    ("sort-aig", "", 1, 0, 1),
    ("sort-aigvec", "", 1, 0, 1),
    ("auto-cleanup-internal", "", 0, 0, 1),
    ("simplify-constraints", "", 1, 0, 1),
    ("chk-failed-assumptions", "", 1, 0, 1),
    ("chk-model", "", 1, 0, 1),
    ("chk-unconstrained", "", 1, 0, 1),
    ("parse-interactive", "", 1, 0, 1),
    ("sat-engine-lgl-fork", "", 1, 0, 1),
    ("sat-engine-cadical-freeze", "", 0, 0, 1),
    ("sat-engine-n-threads", "", 1, 1, ANY),
    ("simp-norm-adds", "", 0, 0, 1),
    ("declsort-bv-width", "", 0, 0, ANY),
    ("quant-synthcomplete", "", 1, 0, 1),
    ("quant-fixsynth", "", 1, 0, 1),
    ("rw-zero-lower-slice", "", 0, 0, 1),
    ("nondestr-subst", "", 0, 0, 1),
];

/// Numbers of options that are looked at.
pub(super) const MODEL_GEN: u32 = 0;
pub(super) const INCREMENTAL: u32 = 1;
pub(super) const OUTPUT_NUMBER_FORMAT: u32 = 4;
pub(super) const SEED: u32 = 11;
pub(super) const REWRITE_LEVEL: u32 = 14;
