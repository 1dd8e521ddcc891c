"""Options of Boolector by name and number, with their ranges; those that mean nothing here are kept, and no more."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Iterator

#: Names by number, from 0; each with its short name, default, least and greatest value, where these differ from
#: none and 0, 0, 1.
_TABLE = """
MODEL_GEN m 0 0 2, INCREMENTAL i, INCREMENTAL_SMT1 I 1 1 2, INPUT_FORMAT - 0 0 4, OUTPUT_NUMBER_FORMAT - 1 1 3,
OUTPUT_FORMAT - 0 0 4, ENGINE E 1 1 5, SAT_ENGINE SE 3 0 4, AUTO_CLEANUP ac, PRETTY_PRINT p 1, EXIT_CODES e 1,
SEED s 0 0 *, VERBOSITY v 0 0 4, LOGLEVEL l 0 0 *, REWRITE_LEVEL rwl 3 0 3, SKELETON_PREPROC sp 1, ACKERMANN ack,
BETA_REDUCE br 0 0 2, ELIMINATE_SLICES es 1, VAR_SUBST vs 1, UCOPT uc, MERGE_LAMBDAS ml 1, EXTRACT_LAMBDAS xl 1,
NORMALIZE norm 1, NORMALIZE_ADD nadd 1, FUN_PREPROP, FUN_PRESLS, FUN_DUAL_PROP fun-dp, FUN_DUAL_PROP_QSORT - 1 1 3,
FUN_JUST fun-ju, FUN_JUST_HEURISTIC - 2 1 3, FUN_LAZY_SYNTHESIZE fun-ls, FUN_EAGER_LEMMAS fun-el 1 0 2,
FUN_STORE_LAMBDAS fun-sl, PRINT_DIMACS dd, SLS_NFLIPS - 0 0 *, SLS_STRATEGY - 1 1 5, SLS_JUST, SLS_MOVE_GW,
SLS_MOVE_RANGE, SLS_MOVE_SEGMENT, SLS_MOVE_RAND_WALK, SLS_PROB_MOVE_RAND_WALK - 100 0 1000, SLS_MOVE_RAND_ALL,
SLS_MOVE_RAND_RANGE, SLS_MOVE_PROP, SLS_MOVE_PROP_N_PROP - 1 0 *, SLS_MOVE_PROP_N_SLS - 1 0 *,
SLS_MOVE_PROP_FORCE_RW, SLS_MOVE_INC_MOVE_TEST, SLS_USE_RESTARTS - 1, SLS_USE_BANDIT - 1, PROP_NPROPS - 0 0 *,
PROP_USE_RESTARTS, PROP_USE_BANDIT, PROP_PATH_SEL - 2 1 3, PROP_PROB_USE_INV_VALUE - 990 0 1000,
PROP_PROB_FLIP_COND - 100 0 1000, PROP_PROB_FLIP_COND_CONST - 100 0 1000, PROP_FLIP_COND_CONST_DELTA - 100 0 *,
PROP_FLIP_COND_CONST_NPATHSEL - 500 0 *, PROP_PROB_SLICE_KEEP_DC - 500 0 1000, PROP_PROB_CONC_FLIP - 900 0 1000,
PROP_PROB_SLICE_FLIP - 0 0 1000, PROP_PROB_EQ_FLIP - 0 0 1000, PROP_PROB_AND_FLIP - 0 0 1000,
PROP_NO_MOVE_ON_CONFLICT, AIGPROP_USE_RESTARTS, AIGPROP_USE_BANDIT, QUANT_SYNTH - 4 0 4, QUANT_DUAL_SOLVER - 1,
QUANT_SYNTH_LIMIT - 10000 0 *, QUANT_SYNTH_QI - 1, QUANT_DER - 1, QUANT_CER - 1, QUANT_MINISCOPE - 1, SORT_EXP - 1,
SORT_AIG - 1, SORT_AIGVEC - 1, AUTO_CLEANUP_INTERNAL, SIMPLIFY_CONSTRAINTS - 1, CHK_FAILED_ASSUMPTIONS - 1,
CHK_MODEL - 1, CHK_UNCONSTRAINED - 1, PARSE_INTERACTIVE - 1, SAT_ENGINE_LGL_FORK - 1, SAT_ENGINE_CADICAL_FREEZE,
SAT_ENGINE_N_THREADS - 1 1 *, SIMP_NORMAMLIZE_ADDERS, DECLSORT_BV_WIDTH - 0 0 *, QUANT_SYNTH_ITE_COMPLETE - 1,
QUANT_FIXSYNTH - 1, RW_ZERO_LOWER_SLICE, NONDESTR_SUBST
"""

#: What the options do here; of the others each says that it has no effect.
_MEANINGS = {
    "MODEL_GEN": "values can be asked for after SAT",
    "INCREMENTAL": "more than one check, assumptions and levels",
    "OUTPUT_NUMBER_FORMAT": "base of values: 1 binary, 2 hexadecimal, 3 decimal",
    "SEED": "seed of random numbers",
    "REWRITE_LEVEL": "how much is rewritten, from 0",
}

#: Long names that are not those of the enumeration.
_LONG = {
    "ACKERMANN": "ackermannize",
    "PRINT_DIMACS": "dump-dimacs",
    "QUANT_DUAL_SOLVER": "quant-dual",
    "QUANT_SYNTH_LIMIT": "quant-synthlimit",
    "QUANT_SYNTH_QI": "quant-synthqi",
    "QUANT_MINISCOPE": "quant-ms",
    "SIMP_NORMAMLIZE_ADDERS": "simp-norm-adds",
    "QUANT_SYNTH_ITE_COMPLETE": "quant-synthcomplete",
}

_MOST = 2**32 - 1


class BoolectorOpt:
    """An option of an instance."""

    def __init__(self, name: str, shrt: str | None, dflt: int, least: int, most: int) -> None:
        #: Its long and its short name, what it does here, and its values.
        self.lng = _LONG.get(name, name.lower().replace("_", "-"))
        self.shrt = shrt
        self.desc = _MEANINGS.get(name, "no effect here")
        self.val = self.dflt = dflt
        self.min, self.max = least, most
        self.tunable = False

    def __str__(self) -> str:
        return f"{self.lng}, [{self.min}, {self.max}], default: {self.dflt}"


def _options() -> list[tuple[str, BoolectorOpt]]:
    rows = [row.split() for row in _TABLE.replace("\n", " ").split(",")]
    found = []
    for name, *rest in rows:
        shrt, dflt, least, most = [*rest, *["-", "0", "0", "1"][len(rest) :]]
        greatest = _MOST if most == "*" else int(most)
        found.append((name, BoolectorOpt(name, None if shrt == "-" else shrt, int(dflt), int(least), greatest)))
    return found


_NAMES = [*(name for name, _ in _options()), "NUM_OPTS"]
BtorOption: Any = IntEnum("BtorOption", [(f"BTOR_OPT_{name}", i) for i, name in enumerate(_NAMES)])  # type: ignore[misc]


class BoolectorOptions:
    """The options of an instance."""

    def __init__(self) -> None:
        self.all = [option for _, option in _options()]

    def __iter__(self) -> Iterator[BoolectorOpt]:
        return iter(self.all)

    def of(self, number: int) -> BoolectorOpt | None:
        """The option of a number."""
        return self.all[number] if 0 <= int(number) < len(self.all) else None


#: Other enumerations: the beginning of their members' names, the first number, and what follows.
_ENUMERATIONS = {
    "BtorOptOutputBase": ("BTOR_OUTPUT_BASE_", 1, "BIN HEX DEC"),
    "BtorOptInputFormat": ("BTOR_INPUT_FORMAT_", 0, "NONE BTOR BTOR2 SMT1 SMT2"),
    "BtorOptOutputFormat": ("BTOR_OUTPUT_FORMAT_", 0, "NONE BTOR SMT2 AIGER_ASCII AIGER_BINARY"),
    "BtorOptEngine": ("BTOR_ENGINE_", 1, "FUN SLS PROP AIGPROP QUANT"),
    "BtorOptSatEngine": ("BTOR_SAT_ENGINE_", 0, "LINGELING PICOSAT MINISAT CADICAL CMS"),
    "BtorOptIncrementalSMT1": ("BTOR_INCREMENTAL_SMT1_", 1, "BASIC CONTINUE"),
    "BtorOptBetaReduceMode": ("BTOR_BETA_REDUCE_", 0, "NONE FUN ALL"),
    "BtorOptDPQsort": ("BTOR_DP_QSORT_", 1, "JUST ASC DESC"),
    "BtorOptFunEagerLemmas": ("BTOR_FUN_EAGER_LEMMAS_", 0, "NONE CONF ALL"),
    "BtorOptJustHeur": ("BTOR_JUST_HEUR_BRANCH_", 1, "LEFT MIN_APP MIN_DEP"),
    "BtorOptPropPathSel": ("BTOR_PROP_PATH_SEL_", 1, "CONTROLLING ESSENTIAL RANDOM"),
    "BtorOptQuantSynth": ("BTOR_QUANT_SYNTH_", 0, "NONE EL ELMC EL_ELMC ELMR"),
    "BtorOptSLSStrat": ("BTOR_SLS_STRAT_", 1, "BEST_MOVE RAND_WALK FIRST_BEST_MOVE BEST_SAME_MOVE ALWAYS_PROP"),
}


def _enumeration(name: str, prefix: str, first: int, members: str) -> Any:
    return IntEnum(name, [(prefix + member, first + i) for i, member in enumerate(members.split())])


class BtorSolverResult(IntEnum):
    """Answers to checks."""

    BTOR_RESULT_UNKNOWN = 0
    BTOR_RESULT_SAT = 10
    BTOR_RESULT_UNSAT = 20


#: All enumerations by name.
ENUMERATIONS = {
    "BtorOption": BtorOption,
    "BtorSolverResult": BtorSolverResult,
    **{name: _enumeration(name, *row) for name, row in _ENUMERATIONS.items()},
}
