"""Parameters of z3: what they mean here, and which of them change only how z3 works.

A parameter that z3 does not have is refused by `Solver.set`, as by z3. `set_param`, which is a script's first line
and reaches parts of z3 that have no counterpart here, warns and goes on. So do both for limits that are not kept.
"""

from __future__ import annotations

import warnings
from typing import Any

#: Those that mean an option of Bivalve.
OPTIONS = {
    "random_seed": "seed",
    "seed": "seed",
    "max_conflicts": "conflict_limit",
    "core.minimize": "minimize_core",
    "core_minimize": "minimize_core",
    "minimize": "minimize_core",
}

#: Limits of time, in milliseconds.
TIMES = {"timeout", "solver2_timeout"}

#: Limits that Bivalve has not.
UNKEPT = {"rlimit", "max_memory", "memory_max_size", "memory_high_watermark", "max_steps", "memory_max_alloc_count"}

#: Parts of z3 whose parameters, `part.name`, change only how it works.
PARTS = {
    *"smt sat sls solver parallel rewriter model model_evaluator pp nlsat opt fp proof tactic algebraic nnf rcf".split(),
    *"ackermannization parser combined_solver lp euf arith array bv core dack ff finite_set mbqi pb q qi".split(),
    *"restart seq solve_eqs threads up xor trace".split(),
}

#: Others that change only how z3 works, or are always as they are asked for here.
WORKINGS = set(
    """
    abstract algebraic_number_evaluator arith_ineq_lhs arith_lhs auto_config axioms2files bit2bool blast_distinct
    blast_distinct_threshold blast_eq_value blast_select_store bound_simplifier bv_extract_prop
    bv_ineq_consistency_test_max bv_ite2id bv_le2extract bv_le_extra bv_not_simpl bv_sort_ac cache_all
    cancel_backup_file candidate_models case_split case_split_relevant_first clause_proof compact compile_equality
    completion context_solve ctrl_c cube_depth dack debug_ref_count delay_units delay_units_threshold
    distribute_forall dot_proof_file dt_lazy_splits dump_models elim_and elim_ite elim_rem elim_sign_ext elim_to_real
    elim_unconstrained eliminate_mod ematching enable_der encoding eq2ineq expand_nested_stores expand_power
    expand_select_ite expand_select_store expand_store_eq expand_tan fail_if_inconclusive flat flat_and_or
    gcd_rounding hi_div0 ho_matching ho_matching_bound ho_qmatcher hoist_ite hoist_mul
    ignore_patterns_on_ground_qbody ignore_solver1 induction inline_def instantiations2console ite_extra_rules
    ite_solver lemma_gc_strategy lemmas2console local_ctx local_ctx_limit logic macro_finder max_degree max_rounds
    mbqi model model_validate mul2concat mul_to_power partial phase_caching_off phase_caching_on phase_selection
    produce_models produce_unsat_cores proof propagate_eq propagate_values pull_cheap_ite pull_nested_quantifiers
    push_ite_arith push_ite_bv push_to_real qsat_use_qel quasi_macros recfun_finder refine_inj_axioms relevancy
    restart_factor restart_strategy restricted_quasi_macros rewrite_patterns slice smtlib2_compliant smtlib2_log
    solve_eqs solve_eqs_max_occs solver2_unknown som som_blowup sort_disjunctions sort_store sort_sums
    split_concat_eq stats string_solver term_enumeration theory_aware_branching theory_case_split theory_solver
    threads trace trace_file_name type_check unfold_recursive_functions unicode unsat_core user_functions v1 v2
    verbose warning well_sorted_check
    """.split()
)

#: Those of z3's printer; what they say of lines is kept (see `printer.OPTIONS`), the rest has no effect.
PRINTER = set(
    """
    max_depth max_args max_width max_lines max_indent max_visited bounded rational_to_decimal precision html_mode
    fpa_pretty use_unicode encoding pp_unicode
    """.split()
)

#: The part of a name that does not tell it from the others.
_PREFIXES = ("smt.", "sat.", "solver.")


def plain(name: str) -> str:
    """A name as z3 compares it: without a colon, hyphens, capitals, and the names of its solvers in front."""
    name = name.lstrip(":").replace("-", "_").lower()
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def is_known(name: str) -> bool:
    """Whether z3 has the parameter, given in plain form."""
    part = name.split(".")[0]
    return name in WORKINGS or name in PRINTER or name in UNKEPT or ("." in name and part in PARTS)


def pairs_of(args: Any, keys: dict[str, Any]) -> dict[str, Any]:
    """Names and values, given as a list of both in turn and by keyword."""
    pairs = {str(name): value for name, value in zip(args[::2], args[1::2])}
    pairs.update(keys)
    return pairs


def meant(name: str, known: list[str]) -> str:
    """Which of the known names was probably meant, as a part of a sentence."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known), n=1)
    return f" (did you mean '{near[0]}'?)" if near else ""


def hint(name: str) -> str:
    """What was probably meant, as a part of a sentence, and what there is."""
    known = [*TIMES, *OPTIONS, *WORKINGS, *UNKEPT, *PRINTER]
    return f"{meant(name, known)}; Bivalve has timeout, random_seed, max_conflicts, core.minimize, and its own options by bivalve.Solver"


def warn_unkept(name: str, level: int) -> None:
    """Says that a limit is not kept."""
    text = f"the limit '{name}' of z3 is not kept here; 'timeout' and 'max_conflicts' are"
    warnings.warn(text, RuntimeWarning, stacklevel=level + 1)


def warn_unknown(name: str, level: int) -> None:
    """Says that a parameter has no effect."""
    warnings.warn(f"parameter '{name}' has no effect here{hint(name)}", RuntimeWarning, stacklevel=level + 1)
