"""z3's `z3util`: small functions on expressions, for scripts that look at formulas."""

from __future__ import annotations

from typing import Any, Callable, Iterable

from .exprs import And, Const, Implies, Not, Or, is_const, is_expr, _refuse
from .kinds import Z3_OP_AND, Z3_OP_IMPLIES, Z3_OP_OR, Z3_OP_UNINTERPRETED
from .results import sat, unknown, unsat
from .solver import ModelRef, Solver, get_version


def vset(seq: Iterable[Any], idfun: Callable[[Any], Any] | None = None, as_list: bool = True) -> Any:
    """The members without repetition, in order; by `idfun`, if it is given."""
    found: dict[Any, Any] = {}
    for member in seq:
        found.setdefault(member if idfun is None else idfun(member), member)
    return list(found.values()) if as_list else iter(found.values())


def get_z3_version(as_str: bool = False) -> Any:
    """The version of this solver, which is not z3."""
    version = get_version()
    return ".".join(map(str, version)) if as_str else version


def ehash(v: Any) -> str:
    """A text that tells expressions apart."""
    if not is_expr(v):
        raise ValueError(f"ehash expects a Z3 expression, got {type(v)}")
    return f"{v}_{v.hash()}_{v.sort_kind()}"


def is_expr_var(v: Any) -> bool:
    """Constant symbols."""
    return is_const(v) and v.decl().kind() == Z3_OP_UNINTERPRETED


def is_expr_val(v: Any) -> bool:
    """Values."""
    return is_const(v) and v.decl().kind() != Z3_OP_UNINTERPRETED


def get_vars(f: Any, rs: list[Any] | None = None) -> list[Any]:
    """The constant symbols of an expression in the order of its text, behind those of `rs`."""
    found = {str(symbol): symbol for symbol in rs or []}
    seen, todo = set(), [f]
    while todo:
        part = todo.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if is_expr_var(part):
            found.setdefault(str(part), part)
        todo += part.children()[::-1]
    return list(found.values())


def mk_var(name: str, vsort: Any) -> Any:
    """A symbol of a sort."""
    return Const(name, vsort)


def get_models(f: Any, k: int) -> Any:
    """Up to `k` models of a formula; `False` if there is none, `None` if that is not known."""
    solver = Solver()
    solver.add(f)
    models: list[ModelRef] = []
    answer = solver.check()
    while answer == sat and len(models) < k:
        model = solver.model()
        if not len(model):
            break
        models.append(model)
        solver.add(Not(And([symbol() == model[symbol] for symbol in model])))
        answer = solver.check()
    if answer == unknown:
        return None
    return False if answer == unsat and not models else models


def prove(claim: Any, assume: Any = None, verbose: int = 0) -> Any:
    """Whether the claim follows from the assumption, and a model under which it does not; `None` for both if that is
    not known."""
    if assume is not None and assume is not True:
        if prove(Not(assume))[0] is not False:
            raise AssertionError("Assumption is always False!")
        claim = Implies(assume, claim)
    if verbose >= 2:
        print("to_prove: ")
        print(claim)
    models = get_models(Not(claim), k=1)
    if models is None:
        print("E: cannot solve !")
        return None, None
    if models is False:
        return True, None
    return False, models[0] if models else []


def is_tautology(claim: Any, verbose: int = 0) -> Any:
    """Whether a formula always holds."""
    return prove(claim, verbose=verbose)[0]


def is_contradiction(claim: Any, verbose: int = 0) -> Any:
    """Whether a formula never holds."""
    return prove(Not(claim), verbose=verbose)[0]


def exact_one_model(f: Any) -> bool:
    """Whether there is one model and no other."""
    models = get_models(f, k=2)
    return isinstance(models, list) and len(models) == 1


def myBinOp(op: int, *L: Any) -> Any:
    """The connective of the expressions among the arguments; `None` for none, the one itself for one."""
    args = L[0] if len(L) == 1 and isinstance(L[0], (list, tuple)) else L
    if any(isinstance(arg, bool) for arg in args):
        raise AssertionError("expected expressions, found a bool")
    parts = [arg for arg in args if is_expr(arg)]
    if len(parts) < 2:
        return parts[0] if parts else None
    if op == Z3_OP_OR:
        return Or(parts)
    if op == Z3_OP_AND:
        return And(parts)
    return Implies(parts[0], parts[1]) if op == Z3_OP_IMPLIES else _refuse(f"no connective has the number {op}")


def myAnd(*L: Any) -> Any:
    """The conjunction of the expressions among the arguments."""
    return myBinOp(Z3_OP_AND, *L)


def myOr(*L: Any) -> Any:
    """The disjunction of the expressions among the arguments."""
    return myBinOp(Z3_OP_OR, *L)


def myImplies(a: Any, b: Any) -> Any:
    """The implication."""
    return myBinOp(Z3_OP_IMPLIES, [a, b])


def Iff(f: Any) -> Any:
    """Both implications of two formulas."""
    return And(Implies(f[0], f[1]), Implies(f[1], f[0]))


def model_str(m: Any, as_str: bool = True) -> Any:
    """The symbols and values of a model by name."""
    if not m:
        return str(m) if as_str else m
    rows = sorted(((symbol, m[symbol]) for symbol in m), key=lambda row: str(row[0]))
    return "\n".join(f"{symbol} = {value}" for symbol, value in rows) if as_str else rows
