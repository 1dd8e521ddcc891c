"""Tactics, as far as they make solvers.

In z3 a tactic is a way of solving, and `Then("simplify", "bit-blast", "sat").solver()` a solver that goes it. Bivalve
has its own way, so each such solver is a plain one, whatever simplifications the tactic names; what it answers is the
same. A goal can be given to tactics that simplify or decide. What others make of a goal (clauses, bits) is not to be
had here, and applying them is refused; so are tactics for theories that Bivalve does not decide, and probes.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

from .exprs import (
    BoolRef,
    BoolVal,
    Context,
    _context_of,
    _ctx,
    _formulas,
    _refuse,
    And,
    Or,
    is_and,
    is_false,
    is_or,
    is_true,
    simplify,
)
from .parameters import meant
from .printer import listed, shown
from .results import unknown, unsat
from .solver import ModelRef, Solver
from .z3consts import Z3_GOAL_PRECISE

#: Those that leave an equivalent goal: here, its formulas simplified.
_SIMPLIFYING = set(
    """
    simplify propagate-values propagate-values2 ctx-simplify ctx-solver-simplify dom-simplify unit-subsume-simplify
    solver-subsumption elim-and elim-term-ite cofactor-term-ite blast-term-ite propagate-ineqs propagate-bv-bounds
    propagate-bv-bounds2 bv-divrem-bounds bv_bound_chk bv-slice injectivity demodulator symmetry-reduce
    collect-statistics distribute-forall der skip
    """.split()
)

#: Those that decide a goal.
_DECIDING = set(
    """
    smt psmt sat psat default bv qfbv qfaufbv qfufbv qfufbv_ackr qfauflia qfuf qffd pqffd qfbv-sls sls-smt smtfd
    """.split()
)

#: Those whose outcome has another form or other symbols. In a solver they change nothing that can be seen.
_TRANSFORMING = set(
    """
    bit-blast bv1-blast aig tseitin-cnf tseitin-cnf-core nnf snf solve-eqs elim-uncnstr elim-uncnstr2 elim-predicates
    elim-small-bv reduce-args reduce-args2 reduce-bv-size max-bv-sharing ackermannize_bv bvarray2uf card2bv pb2bv
    pb-preprocess lia2card lia2pb eq2bv dt2bv euf-completion sat-preprocess split-clause occf macro-finder
    quasi-macros ufbv-rewriter fold-unfold special-relations fail fail-if-undecided
    """.split()
)

#: Those of theories that Bivalve does not decide.
_FOREIGN = set(
    """
    subpaving factor nlsat degree-shift purify-arith fm fpa2bv qffplra ff2bv horn-simplify horn qffpbv qffp ff-unique
    ff-simplify ff-solve ff-sat nra qfidl lira lia lra aufnira auflira auflia uflra ufnia qfnra qfnia qflia nlqsat qe
    diff-neq fix-dl-var add-bounds normalize-bounds recover-01 qflra qfnra-nlsat nla2bv qe_rec qe2 qsat qe-light ufbv
    """.split()
)

#: The parameters that `With` may give to a solver.
_FOR_SOLVERS = {"timeout", "random_seed", "seed", "max_conflicts"}


class Goal:
    """A conjunction of formulas."""

    def __init__(
        self,
        models: bool = True,
        unsat_cores: bool = False,
        proofs: bool = False,
        ctx: Context | None = None,
        goal: Any = None,
    ) -> None:
        del models, unsat_cores, proofs, goal
        self.ctx = _ctx(ctx)
        self._formulas: list[BoolRef] = []
        #: The model that decided the goal which this one is what is left of.
        self._model: ModelRef | None = None

    def assert_exprs(self, *args: Any) -> None:
        """Adds formulas, given one by one or as lists; conjunctions as their parts."""
        todo = [BoolRef(term, self.ctx) for term in _formulas(args, self.ctx)][::-1]
        while todo:
            formula = todo.pop()
            if is_and(formula):
                todo += formula.children()[::-1]
            elif is_false(formula):
                self._formulas = [formula]
                return
            elif not is_true(formula) and not self.inconsistent():
                self._formulas.append(formula)

    add = append = insert = assert_exprs

    def inconsistent(self) -> bool:
        """Whether one of the formulas is false."""
        return len(self._formulas) == 1 and is_false(self._formulas[0])

    def prec(self) -> int:
        """One of the numbers `Z3_GOAL_...`: tactics leave goals that hold where the first one does."""
        return Z3_GOAL_PRECISE

    precision = prec

    def depth(self) -> int:
        """How many tactics it has gone through; not counted here."""
        return 0

    def size(self) -> int:
        """The number of formulas."""
        return len(self._formulas)

    def __len__(self) -> int:
        return len(self._formulas)

    def get(self, i: int) -> BoolRef:
        """A formula."""
        return self._formulas[i]

    def __getitem__(self, i: int) -> BoolRef:
        return self._formulas[i]

    def __iter__(self) -> Iterator[BoolRef]:
        return iter(self._formulas)

    def as_expr(self) -> BoolRef:
        """The conjunction."""
        if len(self._formulas) == 1:
            return self._formulas[0]
        return And(*self._formulas) if self._formulas else BoolVal(True, self.ctx)

    def simplify(self, *arguments: Any, **keywords: Any) -> Goal:
        """The goal with its formulas simplified."""
        simple = Goal(ctx=self.ctx)
        simple.add([simplify(formula) for formula in self._formulas])
        simple._model = self._model
        return simple

    def convert_model(self, model: ModelRef) -> ModelRef:
        """A model of the goal that this one was made of."""
        return model if self._model is None else self._model

    def translate(self, target: Context) -> Goal:
        """The same goal in another context."""
        other = Goal(ctx=target)
        other._formulas = [formula.translate(target) for formula in self._formulas]
        return other

    def __copy__(self) -> Goal:
        return self.translate(self.ctx)

    def __deepcopy__(self, memo: Any) -> Goal:
        return self.translate(self.ctx)

    def sexpr(self) -> str:
        """The goal in the syntax of z3."""
        return "(goal\n" + "".join(f"  {formula.sexpr()}\n" for formula in self._formulas) + "  :precision precise :depth 0)"

    def dimacs(self, include_names: bool = True) -> str:
        """Refused: there are no clauses here."""
        return _refuse("Goal.dimacs: clauses are not to be had here; `bivalve --dump-cnf FILE` writes those of a script")

    def __repr__(self) -> str:
        return shown(listed([formula._doc() for formula in self._formulas]))


class ApplyResult:
    """The goals that a tactic has left: the formula holds if one of them does."""

    def __init__(self, goals: list[Goal], ctx: Context) -> None:
        self._goals, self.ctx = goals, ctx

    def __len__(self) -> int:
        return len(self._goals)

    def __getitem__(self, i: int) -> Goal:
        return self._goals[i]

    def __iter__(self) -> Iterator[Goal]:
        return iter(self._goals)

    def as_expr(self) -> BoolRef:
        """The disjunction of the goals."""
        if len(self._goals) == 1:
            return self._goals[0].as_expr()
        return Or(*(goal.as_expr() for goal in self._goals)) if self._goals else BoolVal(False, self.ctx)

    def sexpr(self) -> str:
        """The goals in the syntax of z3."""
        return "(goals\n" + "\n".join(goal.sexpr() for goal in self._goals) + "\n)"

    def __repr__(self) -> str:
        return repr(self._goals)


class _Failed(Exception):
    """A tactic has not reached what it is for."""


def _simplified(goal: Goal) -> list[Goal]:
    return [goal.simplify()]


def _decided(goal: Goal) -> list[Goal]:
    solver = Solver(ctx=goal.ctx)
    solver.add(list(goal))
    answer = solver.check()
    if answer == unknown:
        raise _Failed(solver.reason_unknown())
    left = Goal(ctx=goal.ctx)
    if answer == unsat:
        left.add(BoolVal(False, goal.ctx))
    else:
        left._model = solver.model()
    return [left]


def _split(goal: Goal) -> list[Goal]:
    """The goals for the parts of its first disjunction."""
    for i, formula in enumerate(goal):
        if is_or(formula):
            parts = []
            for part in formula.children():
                left = Goal(ctx=goal.ctx)
                left.add(part, [other for j, other in enumerate(goal) if j != i])
                parts.append(left)
            return parts
    raise _Failed("split-clause tactic failed, goal does not contain any clause")


def _step(name: str) -> Callable[[Goal], list[Goal]]:
    """What a tactic of z3 does with a goal."""

    def refuse(goal: Goal) -> list[Goal]:
        advice = "its solver() can be used" + ("; `bivalve --dump-cnf FILE` writes clauses" if "cnf" in name else "")
        return _refuse(f"tactic '{name}': what it makes of a goal is not to be had here; {advice}")

    def fail(goal: Goal) -> list[Goal]:
        decided = len(goal) == 0 or goal.inconsistent()
        if name == "fail" or not decided:
            raise _Failed("fail tactic" if name == "fail" else "fail-if-undecided tactic")
        return [goal]

    if name in _SIMPLIFYING:
        return _simplified if name != "skip" else lambda goal: [goal]
    if name in _DECIDING:
        return _decided
    if name in _TRANSFORMING:
        return {"split-clause": _split, "fail": fail, "fail-if-undecided": fail}.get(name, refuse)
    if name in _FOREIGN:
        _refuse(f"tactic '{name}' is for theories that Bivalve does not decide; it decides bit-vectors, arrays and functions")
    return _refuse(f"unknown tactic '{name}'{meant(name, tactics())}")


class Tactic:
    """A way of solving, by z3's name for it."""

    def __init__(self, tactic: Any, ctx: Context | None = None) -> None:
        self.ctx = _ctx(ctx)
        self._parameters: dict[str, Any] = {}
        self._apply: Callable[[Goal], list[Goal]]
        self._text: str
        if isinstance(tactic, Tactic):
            self._apply, self._parameters, self._text = tactic._apply, tactic._parameters, tactic._text
        elif isinstance(tactic, str):
            self._apply, self._text = _step(tactic), tactic
        else:
            _refuse(f"expected a tactic or its name, found {tactic!r}")

    def solver(self, logFile: Any = None) -> Solver:
        """A solver; it goes Bivalve's way."""
        solver = Solver(ctx=self.ctx, logFile=logFile)
        solver.set(**self._parameters)
        return solver

    def apply(self, goal: Any, *arguments: Any, **keywords: Any) -> ApplyResult:
        """What is left of a goal, or of a formula."""
        if not isinstance(goal, Goal):
            whole = Goal(ctx=_context_of([goal], self.ctx))
            whole.add(goal)
            goal = whole
        try:
            return ApplyResult(self._apply(goal), goal.ctx)
        except _Failed as failure:
            return _refuse(str(failure))

    def __call__(self, goal: Any, *arguments: Any, **keywords: Any) -> ApplyResult:
        return self.apply(goal, *arguments, **keywords)

    def help(self) -> None:
        """Prints which parameters there are."""
        print("solvers of tactics have the parameters of Solver.set")

    def __repr__(self) -> str:
        return f"Tactic({self._text!r})"


def _tactic(of: Any, ctx: Context | None) -> Tactic:
    return of if isinstance(of, Tactic) else Tactic(of, ctx)


def _combined(
    word: str, parts: list[Tactic], apply: Callable[[Goal], list[Goal]], parameters: dict[str, Any] | None = None
) -> Tactic:
    whole = Tactic(parts[0], parts[0].ctx)
    whole._parameters = {name: value for part in parts for name, value in part._parameters.items()}
    whole._parameters.update(parameters or {})
    whole._apply, whole._text = apply, f"{word}({', '.join(part._text for part in parts)})"
    return whole


def _several(ts: Any, ks: dict[str, Any]) -> list[Tactic]:
    ctx = ks.get("ctx")
    parts = [_tactic(of, ctx) for of in ts]
    return parts or _refuse("At least two arguments expected")


def Then(*ts: Any, **ks: Any) -> Tactic:
    """One tactic after the other."""
    parts = _several(ts, ks)

    def apply(goal: Goal) -> list[Goal]:
        goals = [goal]
        for part in parts:
            left = []
            for one in goals:
                for made in part._apply(one):
                    made._model = made._model or one._model
                    left.append(made)
            goals = left
        return goals

    return _combined("Then", parts, apply)


AndThen = ParThen = ParAndThen = Then


def OrElse(*ts: Any, **ks: Any) -> Tactic:
    """The first of the tactics that does not fail."""
    parts = _several(ts, ks)

    def apply(goal: Goal) -> list[Goal]:
        for part in parts[:-1]:
            try:
                return part._apply(goal)
            except _Failed:
                pass
        return parts[-1]._apply(goal)

    return _combined("OrElse", parts, apply)


ParOr = OrElse


def Repeat(t: Any, max: int = 4294967295, ctx: Context | None = None) -> Tactic:
    """A tactic until it changes nothing, fails, or has been applied so often."""
    part = _tactic(t, ctx)

    def apply(goal: Goal) -> list[Goal]:
        done: list[Goal] = []
        todo = [(goal, max)]
        while todo:
            one, left = todo.pop()
            try:
                made = part._apply(one) if left > 0 else [one]
            except _Failed:
                made = [one]
            if len(made) == 1 and list(made[0]) == list(one):
                done.append(made[0])
            else:
                todo += [(other, left - 1) for other in made[::-1]]
        return done

    return _combined("Repeat", [part], apply)


def TryFor(t: Any, ms: int, ctx: Context | None = None) -> Tactic:
    """A tactic; its solver has so many milliseconds for each check."""
    part = _tactic(t, ctx)
    return _combined("TryFor", [part], part._apply, {"timeout": ms})


def With(t: Any, *args: Any, **keys: Any) -> Tactic:
    """A tactic with parameters. Those of z3's simplifier have no effect; its solver takes a limit or a seed."""
    part = _tactic(t, keys.pop("ctx", None))
    pairs = {str(name): value for name, value in zip(args[::2], args[1::2])}
    pairs.update(keys)
    return _combined("With", [part], part._apply, {name: pairs[name] for name in pairs if name in _FOR_SOLVERS})


def WithParams(t: Any, p: Any) -> Tactic:
    """A tactic with parameters; see `With`."""
    return With(t, **p.values)


class ParamsRef:
    """Names and values of parameters."""

    def __init__(self, ctx: Context | None = None, params: Any = None) -> None:
        self.ctx = _ctx(ctx)
        self.values: dict[str, Any] = dict(params.values) if isinstance(params, ParamsRef) else {}

    def set(self, name: str, val: Any) -> None:
        """Sets a parameter."""
        self.values[name] = val

    def validate(self, ds: Any) -> None:
        """Nothing: names are looked at where they are used."""

    def __repr__(self) -> str:
        return "(params" + "".join(f" {name} {str(value).lower()}" for name, value in self.values.items()) + ")"


def args2params(arguments: Any, keywords: dict[str, Any], ctx: Context | None = None) -> ParamsRef:
    """The parameters of a list of names and values in turn, and of keywords."""
    params = ParamsRef(ctx)
    for name, value in [*zip(arguments[::2], arguments[1::2]), *keywords.items()]:
        params.set(str(name), value)
    return params


def tactics(ctx: Context | None = None) -> list[str]:
    """The names of the tactics that are taken here."""
    return sorted(_SIMPLIFYING | _DECIDING | _TRANSFORMING)


def tactic_description(name: str, ctx: Context | None = None) -> str:
    """What a tactic does here."""
    Tactic(name, ctx)
    if name in _DECIDING:
        return "decides a goal"
    return "simplifies a goal" if name in _SIMPLIFYING else "of use in the solver of a tactic only"


def describe_tactics() -> None:
    """Prints the tactics that are taken here."""
    for name in tactics():
        print(f"{name} : {tactic_description(name)}")


__all__ = [
    "AndThen",
    "ApplyResult",
    "Goal",
    "OrElse",
    "ParAndThen",
    "ParOr",
    "ParThen",
    "ParamsRef",
    "Repeat",
    "Tactic",
    "Then",
    "TryFor",
    "With",
    "WithParams",
    "args2params",
    "describe_tactics",
    "tactic_description",
    "tactics",
]
