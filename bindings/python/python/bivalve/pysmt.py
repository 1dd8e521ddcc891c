"""A solver for pySMT (https://github.com/pysmt/pysmt), in this process and with terms of its own.

>>> import bivalve.pysmt
>>> from pysmt.shortcuts import BV, BVMul, Equals, Solver, Symbol
>>> from pysmt.typing import BV8
>>> bivalve.pysmt.register()
>>> x = Symbol("x", BV8)
>>> with Solver(name="bivalve") as solver:
...     solver.add_assertion(Equals(BVMul(x, BV(3, 8)), BV(9, 8)))
...     solver.solve(), solver.get_py_value(x)
(True, 3)

Bit-vectors, arrays, functions and declared types, with and without quantifiers (not over declared types); levels, assumptions, models, unsat cores, interpolants. Options by
`solver_options`: those of `bivalve.options()`, and `time` in seconds for each call of `solve`. A call that reaches a
limit raises `SolverReturnedUnknownResultError`, as pySMT's other solvers do.
"""

# pySMT has no types of its own.
# mypy: allow-untyped-decorators, allow-subclassing-any, disable-error-code="import-untyped,import-not-found"

from __future__ import annotations

import functools
import itertools
from typing import Any, Iterator

from pysmt.decorators import catch_conversion_error, clear_pending_pop
from pysmt.environment import get_env
from pysmt.exceptions import (
    ConvertExpressionError,
    PysmtValueError,
    SolverReturnedUnknownResultError,
    SolverStatusError,
)
from pysmt.logics import (
    ARRAYS_CONST_LOGICS,
    BOOL,
    BV,
    QF_ABV,
    QF_AUFBV,
    QF_AX,
    QF_BOOL,
    QF_BV,
    QF_UF,
    QF_UFBV,
    UFBV,
    Logic,
)
from pysmt.solvers.interpolation import Interpolator
from pysmt.solvers.smtlib import SmtLibBasicSolver, SmtLibIgnoreMixin
from pysmt.solvers.solver import Converter, IncrementalTrackingSolver, Model, SolverOptions, UnsatCoreSolver
from pysmt.walkers import DagWalker

from . import _native
from ._native import ArrayValue, BivalveError, Element, Result, Sort, StateError, Term

NAME = "bivalve"


class BivalveOptions(SolverOptions):
    """Options: those of pySMT, of Bivalve, and `time`."""

    def __call__(self, solver: BivalveSolver) -> None:
        options = dict(self.solver_options)
        solver.time = options.pop("time", None)
        if self.random_seed is not None:
            options["seed"] = self.random_seed
        try:
            solver.native.set(**options)
        except ValueError as error:
            raise PysmtValueError(str(error)) from None


class BivalveConverter(Converter, DagWalker):
    """pySMT's formulas as terms, and values as pySMT's constants."""

    def __init__(self, environment: Any) -> None:
        DagWalker.__init__(self, environment)
        self.mgr = environment.formula_manager
        self.context = _native.Context()
        #: The symbols that were met, functions included, and the types that were declared.
        self.symbols: dict[Any, Term] = {}
        self.types: dict[Any, Sort] = {}
        #: The formulas of terms, by their numbers.
        self._formulas: dict[int, Any] = {}

    @catch_conversion_error
    def convert(self, formula: Any) -> Term:
        """The term of a formula."""
        try:
            term: Term = self.walk(formula)
        except (BivalveError, ValueError) as error:
            raise ConvertExpressionError(str(error)) from None
        return term

    def sort(self, of: Any) -> Sort:
        """The sort of a type."""
        if of.is_bool_type():
            return self.context.bool_sort()
        if of.is_bv_type():
            return self.context.bv_sort(of.width)
        if of.is_array_type():
            return self.context.array_sort(self.sort(of.index_type), self.sort(of.elem_type))
        if of.is_function_type():
            return self.context.function_sort([self.sort(param) for param in of.param_types], self.sort(of.return_type))
        if of.is_custom_type():
            if of not in self.types:
                self.types[of] = self.context.declare_sort(str(of))
            return self.types[of]
        raise ConvertExpressionError(f"Bivalve has no type '{of}'")

    def back(self, value: Any, of: Any) -> Any:
        """The constant of a type that a value of a model is."""
        if isinstance(value, bool):
            return self.mgr.Bool(value)
        if isinstance(value, int):
            return self.mgr.BV(value, of.width)
        if isinstance(value, Element):
            return self.mgr.Symbol(f"{of}!val!{value.number}", of)
        if isinstance(value, ArrayValue):
            entries = {self.back(i, of.index_type): self.back(e, of.elem_type) for i, e in value.entries.items()}
            return self.mgr.Array(of.index_type, self.back(value.default, of.elem_type), entries)
        raise ConvertExpressionError("a function has no constant; ask for the values of its applications")

    def formula(self, term: Term) -> Any:
        """The formula of a term over symbols that were met."""
        symbols = {symbol.id: formula for formula, symbol in self.symbols.items()}
        todo = [term]
        while todo:
            last = todo[-1]
            missing = [arg for arg in last.args if arg.id not in self._formulas]
            if last.id in symbols:
                self._formulas[last.id] = symbols[last.id]
            elif missing:
                todo += missing
                continue
            elif last.id not in self._formulas:
                self._formulas[last.id] = self._formed(last, [self._formulas[arg.id] for arg in last.args])
            todo.pop()
        return self._formulas[term.id]

    def _formed(self, term: Term, args: list[Any]) -> Any:
        """The formula of a term, by those of its arguments."""
        mgr, op = self.mgr, term.op
        if op == "constant" and isinstance(term.value, (bool, int)):
            is_bool = isinstance(term.value, bool)
            return mgr.Bool(term.value) if is_bool else mgr.BV(term.value, term.width)
        if op == "apply":
            return mgr.Function(args[0], args[1:])
        if op in ("=", "distinct"):
            same = mgr.Iff if term.args[0].sort.kind == "bool" else mgr.Equals
            pairs = zip(args, args[1:]) if op == "=" else itertools.combinations(args, 2)
            equations = [same(a, b) for a, b in pairs]
            return mgr.And(equations if op == "=" else [mgr.Not(equation) for equation in equations])
        if op == "extract":
            return mgr.BVExtract(args[0], term.indices[1], term.indices[0])
        if op in _STEPS:
            return getattr(mgr, _STEPS[op])(args[0], term.indices[0])
        if op in _FORMED:
            return getattr(mgr, _FORMED[op])(*args)
        if op in _PAIRED:
            return functools.reduce(getattr(mgr, _PAIRED[op]), args)
        raise ConvertExpressionError(f"pySMT has no operator '{op}'")

    def _symbol(self, formula: Any) -> Term:
        found = self.symbols.get(formula)
        if found is None:
            found = self.context.symbol(formula.symbol_name(), self.sort(formula.symbol_type()))
            self.symbols[formula] = found
        return found

    def walk_symbol(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self._symbol(formula)

    def walk_function(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self._symbol(formula.function_name())(*args)

    def walk_bool_constant(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self.context.bool(formula.constant_value())

    def walk_bv_constant(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self.context.bv(int(formula.constant_value()), formula.bv_width())

    def walk_and(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self.context.all(*args)

    def walk_or(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self.context.any(*args)

    def walk_ite(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        condition, then, otherwise = args
        term: Term = condition.ite(then, otherwise)
        return term

    def walk_forall(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self.context.forall([self._symbol(of) for of in formula.quantifier_vars()], args[0])

    def walk_exists(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        return self.context.exists([self._symbol(of) for of in formula.quantifier_vars()], args[0])

    def walk_bv_extract(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        term: Term = args[0].extract(formula.bv_extract_end(), formula.bv_extract_start())
        return term

    def walk_array_value(self, formula: Any, args: Any, **kwargs: Any) -> Term:
        term = self.context.const_array(self.sort(self.env.stc.get_type(formula)), args[0])
        for index, element in zip(args[1::2], args[2::2]):
            term = term.store(index, element)
        return term


def _method(name: str, step: str = "") -> Any:
    """A walk that calls a method of the first argument with the others, or with a number of the formula."""

    def walk(self: Any, formula: Any, args: Any, **kwargs: Any) -> Term:
        others = [getattr(formula, step)()] if step else args[1:]
        term: Term = getattr(args[0], name)(*others)
        return term

    return walk


#: pySMT's operators and the methods of terms that mean the same.
_METHODS = {
    "not": "__invert__",
    "implies": "implies",
    "iff": "equals",
    "equals": "equals",
    "bv_not": "__invert__",
    "bv_and": "__and__",
    "bv_or": "__or__",
    "bv_xor": "__xor__",
    "bv_concat": "concat",
    "bv_ult": "ult",
    "bv_ule": "ule",
    "bv_slt": "slt",
    "bv_sle": "sle",
    "bv_neg": "__neg__",
    "bv_add": "__add__",
    "bv_sub": "__sub__",
    "bv_mul": "__mul__",
    "bv_udiv": "udiv",
    "bv_urem": "urem",
    "bv_sdiv": "sdiv",
    "bv_srem": "srem",
    "bv_lshl": "shl",
    "bv_lshr": "lshr",
    "bv_ashr": "ashr",
    "bv_comp": "comp",
    "array_select": "select",
    "array_store": "store",
}
for _name, _of in _METHODS.items():
    setattr(BivalveConverter, f"walk_{_name}", _method(_of))
for _name, _of, _step in [
    ("rol", "rotate_left", "bv_rotation_step"),
    ("ror", "rotate_right", "bv_rotation_step"),
    ("zext", "zero_extend", "bv_extend_step"),
    ("sext", "sign_extend", "bv_extend_step"),
]:
    setattr(BivalveConverter, f"walk_bv_{_name}", _method(_of, _step))


#: What makes pySMT's formulas of operators: with an index, with all arguments, and of two arguments after the other.
_STEPS = {"rotate_left": "BVRol", "rotate_right": "BVRor", "zero_extend": "BVZExt", "sign_extend": "BVSExt"}
_STEPS["repeat"] = "BVRepeat"
_FORMED = {
    "not": "Not",
    "and": "And",
    "or": "Or",
    "=>": "Implies",
    "ite": "Ite",
    "select": "Select",
    "store": "Store",
    "bvnot": "BVNot",
    "bvneg": "BVNeg",
    "bvnand": "BVNand",
    "bvnor": "BVNor",
    "bvxnor": "BVXnor",
    "bvcomp": "BVComp",
    "bvsub": "BVSub",
    "bvudiv": "BVUDiv",
    "bvurem": "BVURem",
    "bvsdiv": "BVSDiv",
    "bvsrem": "BVSRem",
    "bvsmod": "BVSMod",
    "bvshl": "BVLShl",
    "bvlshr": "BVLShr",
    "bvashr": "BVAShr",
    "bvult": "BVULT",
    "bvule": "BVULE",
    "bvugt": "BVUGT",
    "bvuge": "BVUGE",
    "bvslt": "BVSLT",
    "bvsle": "BVSLE",
    "bvsgt": "BVSGT",
    "bvsge": "BVSGE",
}
_PAIRED = {
    "xor": "Xor",
    "concat": "BVConcat",
    "bvand": "BVAnd",
    "bvor": "BVOr",
    "bvxor": "BVXor",
    "bvadd": "BVAdd",
    "bvmul": "BVMul",
}


class BivalveModel(Model):
    """The model of a call of `solve`; it outlives what comes later."""

    def __init__(self, environment: Any, converter: BivalveConverter, native: Any) -> None:
        Model.__init__(self, environment)
        self._converter, self.native = converter, native

    def get_value(self, formula: Any, model_completion: bool = True) -> Any:
        """The value of a formula as a constant."""
        assert self._converter is not None
        return self._converter.back(self.native[self._converter.convert(formula)], formula.get_type())

    def _variables(self) -> Iterator[Any]:
        assert self._converter is not None
        for formula, symbol in list(self._converter.symbols.items()):
            if not formula.symbol_type().is_function_type() and symbol in self.native:
                yield formula

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        for variable in self._variables():
            yield variable, self.get_value(variable)

    def iterator_over(self, language: Any) -> Iterator[tuple[Any, Any]]:
        """Symbols and their values."""
        for variable in language:
            yield variable, self.get_value(variable)

    def __contains__(self, variable: Any) -> bool:
        return any(variable is other for other in self._variables())


#: Quantified logics that pySMT has no names for; the last one has all that there is.
_QUANTIFIED = [
    Logic(name=name, description="", quantifier_free=False, arrays=True, arrays_const=True, bit_vectors=True, uninterpreted=uf)
    for name, uf in (("ABV*", False), ("AUFBV*", True))
]


class BivalveSolver(IncrementalTrackingSolver, UnsatCoreSolver, SmtLibBasicSolver, SmtLibIgnoreMixin):
    """Bivalve as a solver of pySMT."""

    LOGICS = [QF_BOOL, QF_BV, QF_UFBV, QF_ABV, QF_AUFBV, QF_AX, QF_UF, BOOL, BV, UFBV, *_QUANTIFIED] + [
        logic for logic in ARRAYS_CONST_LOGICS if logic.name in {"QF_ABV*", "QF_AUFBV*", "QF_AX*"}
    ]
    OptionsClass = BivalveOptions

    def __init__(self, environment: Any, logic: Any, **options: Any) -> None:
        IncrementalTrackingSolver.__init__(self, environment=environment, logic=logic, **options)
        self.mgr = environment.formula_manager
        self.converter = BivalveConverter(environment)
        self.native = _native.Solver(self.converter.context)
        self.time: float | None = None
        #: Tracked assertions with their names, and how many there are on each level.
        self._tracked: list[tuple[Any, str | None]] = []
        self._levels: list[int] = []
        self.options(self)

    @clear_pending_pop
    def _reset_assertions(self) -> None:
        self.native.reset_assertions()
        self._tracked, self._levels = [], []

    @clear_pending_pop
    def declare_variable(self, var: Any) -> None:
        """Makes the symbol known."""
        self.converter.convert(var)

    @clear_pending_pop
    def _add_assertion(self, formula: Any, named: str | None = None) -> Any:
        self._assert_is_boolean(formula)
        term = self.converter.convert(formula)
        mode = self.options.unsat_cores_mode
        is_tracked = mode == "all" or (mode == "named" and named is not None)
        try:
            (self.native.add_tracked if is_tracked else self.native.add)(term)
        except BivalveError as error:
            raise ConvertExpressionError(str(error)) from None
        if is_tracked:
            self._tracked.append((formula, named))
        return formula

    @clear_pending_pop
    def _solve(self, assumptions: Any = None) -> bool:
        assumed = [self.converter.convert(assumption) for assumption in assumptions or []]
        result = self.native.check(*assumed, time=self.time)
        if result == Result.UNKNOWN:
            raise SolverReturnedUnknownResultError
        return result == Result.SAT

    @clear_pending_pop
    def _push(self, levels: int = 1) -> None:
        self.native.push(levels)
        self._levels += [len(self._tracked)] * levels

    @clear_pending_pop
    def _pop(self, levels: int = 1) -> None:
        try:
            self.native.pop(levels)
        except BivalveError as error:
            raise SolverStatusError(str(error)) from None
        for _ in range(levels):
            del self._tracked[self._levels.pop() :]

    def _native_model(self) -> Any:
        try:
            return self.native.model()
        except BivalveError as error:
            raise SolverStatusError(str(error)) from None

    def get_model(self) -> BivalveModel:
        """The model of the last call of `solve`."""
        return BivalveModel(self.environment, self.converter, self._native_model())

    def get_value(self, item: Any) -> Any:
        """The value of a formula as a constant."""
        self._assert_no_function_type(item)
        return self.get_model().get_value(item)

    def print_model(self, name_filter: Any = None) -> None:
        """Prints the variables and their values."""
        for variable, value in self.get_model():
            if name_filter is None or not variable.symbol_name().startswith(name_filter):
                print(f"{variable.symbol_name()} = {value}")

    def _core(self) -> list[tuple[Any, str | None]]:
        self._check_unsat_core_config()
        return [self._tracked[position] for position in self.native.unsat_core_positions()]

    def get_unsat_core(self) -> set[Any]:
        """Assertions that contradict each other."""
        return {formula for formula, _ in self._core()}

    def get_named_unsat_core(self) -> dict[str, Any]:
        """The same by name."""
        return {name if name is not None else f"_a{i}": formula for i, (formula, name) in enumerate(self._core())}

    def get_unsat_assumptions(self) -> list[Any]:
        """Of the terms assumed by the last call of `solve`, those that are part of the contradiction."""
        return self.native.unsat_assumptions()

    def _exit(self) -> None:
        self.native.reset()


class BivalveInterpolator(Interpolator):
    """Interpolants of pySMT's formulas, each checked."""

    LOGICS = BivalveSolver.LOGICS

    def __init__(self, environment: Any, logic: Any = None) -> None:
        Interpolator.__init__(self)
        self.environment, self.logic = environment, logic
        self.converter = BivalveConverter(environment)

    def _exit(self) -> None:
        del self.converter

    def binary_interpolant(self, a: Any, b: Any) -> Any:
        """A formula that follows from `a`, contradicts `b`, and has only symbols that both have; `None` if they have a
        model together."""
        found = self.sequence_interpolant([a, b])
        return found if found is None else found[0]

    def sequence_interpolant(self, formulas: Any) -> list[Any] | None:
        """Interpolants between each prefix of the formulas and the rest, each of which follows from the one before it
        and the next formula; `None` if the formulas have a model."""
        if len(formulas) < 2:
            raise PysmtValueError(f"expected two formulas or more, found {len(formulas)}")
        terms = [self.converter.convert(formula) for formula in formulas]
        native = _native.Solver(self.converter.context)
        try:
            native.add(*terms)
            found = native.interpolants([[term] for term in terms])
        except StateError:
            return None
        except BivalveError as error:
            raise SolverReturnedUnknownResultError(str(error)) from None
        return [self.converter.formula(term) for term in found]


def register(environment: Any = None) -> None:
    """Makes the solver known to an environment, by default the one in use, under the name `bivalve`: as its own
    solvers are, for cores and interpolants, too, and last in its list of preferences."""
    factory = (environment or get_env()).factory
    for solvers in (factory._all_solvers, factory._all_unsat_core_solvers):
        solvers[NAME] = BivalveSolver
    if NAME not in factory.solver_preference_list:
        factory.solver_preference_list = [*factory.solver_preference_list, NAME]
    factory._all_interpolators[NAME] = BivalveInterpolator
    if NAME not in factory.interpolation_preference_list:
        factory.interpolation_preference_list = [*factory.interpolation_preference_list, NAME]
