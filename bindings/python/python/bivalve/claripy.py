"""A backend for claripy (https://github.com/angr/claripy), the solver interface of angr, in the place of z3.

>>> import bivalve.claripy
>>> import claripy
>>> backend = bivalve.claripy.register()
>>> x = claripy.BVS("x", 32)
>>> solver = claripy.Solver()
>>> _ = solver.add(x * 3 == 9, x < 100)
>>> solver.eval(x, 2)
(3,)

`register` puts it where claripy has its backend for z3, in the whole process: solvers that are made later use
it, those of angr's states as well; `unregister` takes it away. What Bivalve has not, strings and limits
of memory, goes to the backend that was there: a solver with one such constraint is z3's. Integers of floating-point
numbers that do not fit are any, as the standard has it.

States of a symbolic execution share most of their constraints. So a few native solvers are kept, each with
constraints on levels; a check takes the one that shares most, removes the levels that differ, and adds what
is missing.
"""

# claripy has types of its own, but not for everything.
# mypy: allow-subclassing-any, allow-untyped-calls, disable-error-code="import-untyped,import-not-found"

from __future__ import annotations

import functools
import itertools
import operator
from typing import Any, Callable, Iterable, Iterator

import claripy
from claripy.ast import BV, FP, Bool
from claripy.backends.backend import Backend
from claripy.errors import BackendError, ClaripyOperationError, ClaripySolverInterruptError, UnsatError
from claripy.fp import RM, FSort

from . import _native
from ._native import BivalveError, FloatValue, Model, Result, Sort, Term

#: Native solvers that are kept for each thread.
MOST_SOLVERS = 8


class _Prefix:
    """A native solver, with the constraints of each of its levels."""

    def __init__(self, context: Any, options: dict[str, Any]) -> None:
        self.native = _native.Solver(context, **options)
        self.levels: list[list[int]] = []

    def shared(self, constraints: list[Term]) -> tuple[int, int]:
        """How many levels begin the list, and how many constraints these are."""
        count = 0
        for depth, level in enumerate(self.levels):
            if [term.id for term in constraints[count : count + len(level)]] != level:
                return depth, count
            count += len(level)
        return len(self.levels), count

    def move(self, constraints: list[Term], depth: int, count: int) -> None:
        """Keeps so many levels with so many constraints, and adds the others on one level."""
        self.native.pop(self.native.levels - depth)
        del self.levels[depth:]
        if count < len(constraints):
            self.native.push()
            self.levels.append([term.id for term in constraints[count:]])
            self.native.add(*constraints[count:])


class _Thread:
    """What a thread has: a context, its symbols, and native solvers, the one used last at the end."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.context = _native.Context()
        self.options = options
        self.symbols: dict[tuple[str, str], Term] = {}
        #: What terms are in claripy, by their numbers.
        self.abstracted: dict[int, Any] = {}
        #: Names of symbols that were met with different annotations.
        self.ambiguous: set[str] = set()
        self.prefixes: list[_Prefix] = []

    def solver(self, constraints: list[Term]) -> Any:
        """A native solver that has these constraints. One that would lose more than it keeps is left alone as
        long as there may be another."""
        found, depth, count = None, 0, 0
        for prefix in self.prefixes:
            levels, shared = prefix.shared(constraints)
            if found is None or shared > count:
                found, depth, count = prefix, levels, shared
        lost = sum(map(len, found.levels[depth:])) if found is not None else 0
        if found is None or lost > count:
            depth = count = 0
            if len(self.prefixes) < MOST_SOLVERS:
                found = _Prefix(self.context, self.options)
                self.prefixes.append(found)
            else:
                found = self.prefixes[0]
        self.prefixes.remove(found)
        found.move(constraints, depth, count)
        # An interrupt within has left it away.
        self.prefixes.append(found)
        return found.native


class Constraints:
    """A solver as claripy's frontends have one: constraints, and limits of a check (milliseconds, memory)."""

    def __init__(self, timeout: int | None, memory: int | None) -> None:
        self.timeout = timeout
        self.memory = memory
        self.formulas: dict[Any, Any] = {}
        #: What the last check assumed beside them.
        self.assumed: tuple[Any, ...] = ()
        self.tracked = False
        #: The same as terms of a context.
        self.context: Any = None
        self.terms: list[Term] = []
        #: Is there a constraint, or a limit, that Bivalve has not?
        self.foreign = memory is not None
        #: z3's solver, for this and for expressions of that kind, and how many of the constraints it has.
        self.other: Any = None
        self.others = 0

    def copy(self) -> Constraints:
        copy = Constraints(self.timeout, self.memory)
        copy.formulas, copy.tracked, copy.foreign = dict(self.formulas), self.tracked, self.foreign
        copy.context, copy.terms = self.context, list(self.terms)
        return copy


def _reverse(word: Term) -> Term:
    if word.width is None or word.width % 8 != 0:
        raise ClaripyOperationError("can't reverse non-byte sized bitvectors")
    parts = [word.extract(low + 7, low) for low in range(0, word.width, 8)]
    return functools.reduce(Term.concat, parts)


def _fold(of: Callable[[Term, Term], Term]) -> Callable[..., Term]:
    return lambda *args: functools.reduce(of, args)


def _to_float(*args: Any) -> Term:
    """`fpToFP`: of bits, or of a float or a signed word in a rounding mode."""
    if len(args) == 2:
        word, sort = args
        return word.bits_to_fp(sort)  # type: ignore[no-any-return]
    mode, of, sort = args
    return of.to_fp(sort, mode)  # type: ignore[no-any-return]


#: claripy's operators, and what they are on terms.
_OPERATORS: dict[str, Callable[..., Term]] = {
    "__add__": _fold(operator.add),
    "__sub__": _fold(operator.sub),
    "__mul__": _fold(operator.mul),
    "__and__": _fold(operator.and_),
    "__or__": _fold(operator.or_),
    "__xor__": _fold(operator.xor),
    "__floordiv__": Term.udiv,
    "__mod__": Term.urem,
    "SDiv": Term.sdiv,
    "SMod": Term.srem,
    "__neg__": operator.neg,
    "__invert__": operator.invert,
    "__lshift__": Term.shl,
    "__rshift__": Term.ashr,
    "LShR": Term.lshr,
    "RotateLeft": Term.rotate_left_by,
    "RotateRight": Term.rotate_right_by,
    "Reverse": _reverse,
    "Concat": _fold(Term.concat),
    "Extract": lambda high, low, word: word.extract(high, low),
    "SignExt": lambda count, word: word.sign_extend(count),
    "ZeroExt": lambda count, word: word.zero_extend(count),
    "__eq__": Term.equals,
    "__ne__": Term.distinct,
    "ULT": Term.ult,
    "ULE": Term.ule,
    "UGT": Term.ugt,
    "UGE": Term.uge,
    "SLT": Term.slt,
    "SLE": Term.sle,
    "SGT": Term.sgt,
    "SGE": Term.sge,
    "And": lambda *args: args[0].context.all(*args),
    "Or": lambda *args: args[0].context.any(*args),
    "Not": operator.invert,
    "Xor": operator.xor,
    "If": Term.ite,
    "fpAdd": lambda mode, x, y: x.fp_add(y, mode),
    "fpSub": lambda mode, x, y: x.fp_sub(y, mode),
    "fpMul": lambda mode, x, y: x.fp_mul(y, mode),
    "fpDiv": lambda mode, x, y: x.fp_div(y, mode),
    "fpSqrt": lambda mode, x: x.fp_sqrt(mode),
    "fpAbs": Term.fp_abs,
    "fpNeg": Term.fp_neg,
    "fpEQ": Term.fp_eq,
    "fpNEQ": lambda x, y: ~x.fp_eq(y),
    "fpLT": Term.fp_lt,
    "fpLEQ": Term.fp_leq,
    "fpGT": Term.fp_gt,
    "fpGEQ": Term.fp_geq,
    "fpIsNaN": Term.fp_is_nan,
    "fpIsInf": Term.fp_is_infinite,
    "fpToIEEEBV": Term.fp_to_ieee_bv,
    "fpFP": lambda sign, exponent, fraction: sign.context.app("fp", [], [sign, exponent, fraction]),
    "fpToFP": _to_float,
    "fpToFPUnsigned": lambda mode, word, sort: word.to_fp_unsigned(sort, mode),
    "fpToSBV": lambda mode, x, width: x.fp_to_sbv(width, mode),
    "fpToUBV": lambda mode, x, width: x.fp_to_ubv(width, mode),
}

#: claripy's names of the operators that simplifying leaves.
_NAMES = {
    "not": "Not",
    "and": "And",
    "or": "Or",
    "=": "__eq__",
    "distinct": "__ne__",
    "ite": "If",
    "concat": "Concat",
    "extract": "Extract",
    "zero_extend": "ZeroExt",
    "sign_extend": "SignExt",
    "bvnot": "__invert__",
    "bvneg": "__neg__",
    "bvand": "__and__",
    "bvor": "__or__",
    "bvxor": "__xor__",
    "bvadd": "__add__",
    "bvsub": "__sub__",
    "bvmul": "__mul__",
    "bvudiv": "__floordiv__",
    "bvurem": "__mod__",
    "bvsdiv": "SDiv",
    "bvsrem": "SMod",
    "bvshl": "__lshift__",
    "bvlshr": "LShR",
    "bvashr": "__rshift__",
    "bvult": "ULT",
    "bvule": "ULE",
    "bvugt": "UGT",
    "bvuge": "UGE",
    "bvslt": "SLT",
    "bvsle": "SLE",
    "bvsgt": "SGT",
    "bvsge": "SGE",
    "fp.add": "fpAdd",
    "fp.sub": "fpSub",
    "fp.mul": "fpMul",
    "fp.div": "fpDiv",
    "fp.sqrt": "fpSqrt",
    "fp.abs": "fpAbs",
    "fp.neg": "fpNeg",
    "fp.eq": "fpEQ",
    "fp.lt": "fpLT",
    "fp.leq": "fpLEQ",
    "fp.gt": "fpGT",
    "fp.geq": "fpGEQ",
    "fp.isNaN": "fpIsNaN",
    "fp.isInfinite": "fpIsInf",
    "fp.to_ieee_bv": "fpToIEEEBV",
    "fp.to_sbv": "fpToSBV",
    "fp.to_ubv": "fpToUBV",
    "fp": "fpFP",
    "to_fp": "fpToFP",
    "to_fp_unsigned": "fpToFPUnsigned",
}

#: Of them, those for which constants stand last.
_SYMMETRIC = ("=", "distinct", "bvadd", "bvmul", "bvand", "bvor", "bvxor")


def _or_z3(name: str) -> Callable[..., Any]:
    """A function of backends that is z3's if a constraint or an argument is not one that Bivalve has."""
    of_backends = getattr(Backend, name)

    def answer(self: BackendBivalve, *args: Any, solver: Any = None, **options: Any) -> Any:
        if solver is None or not solver.foreign:
            try:
                return of_backends(self, *args, solver=solver, **options)
            except BackendError:
                pass
        return getattr(self.z3, name)(*args, solver=solver and self._others(solver), **options)

    answer.__name__, answer.__doc__ = name, of_backends.__doc__
    return answer


class BackendBivalve(Backend):
    """Bivalve as a backend of claripy; `z3` is the one for strings.

    Options are those of `bivalve.options()`.
    """

    #: claripy's frontends ask whether a solver may be that of another frontend.
    reuse_z3_solver = False

    def __init__(self, z3: Any, **options: Any) -> None:
        Backend.__init__(self, solver_required=True)
        self.z3 = z3
        self.options = options
        self.solve_count = 0
        self._op_raw.update(_OPERATORS)
        for op in ("BVS", "BVV", "BoolS", "BoolV", "FPS", "FPV"):
            self._op_expr[op] = getattr(self, f"_{op}")

    # Terms of what claripy has.

    @property
    def _thread(self) -> _Thread:
        if not hasattr(self._tls, "thread"):
            self._tls.thread = _Thread(self.options)
        thread: _Thread = self._tls.thread
        return thread

    def downsize(self) -> None:
        """Forgets terms and native solvers of this thread; what is needed of them is made anew."""
        Backend.downsize(self)
        self._tls.__dict__.pop("thread", None)
        self.z3.downsize()

    def _symbol(self, ast: Any, sort: Sort) -> Term:
        thread, key = self._thread, (ast.args[0], str(sort))
        term = thread.symbols.get(key)
        if term is None:
            term = thread.symbols[key] = thread.context.symbol(key[0], sort)
        if thread.abstracted.setdefault(term.id, ast).hash() != ast.hash():
            thread.ambiguous.add(key[0])
        return term

    def _BVS(self, ast: Any) -> Term:
        return self._symbol(ast, self._thread.context.bv_sort(ast.size()))

    def _BoolS(self, ast: Any) -> Term:
        return self._symbol(ast, self._thread.context.bool_sort())

    def _sort(self, sort: FSort) -> Sort:
        return self._thread.context.float_sort(sort.exp, sort.mantissa)

    def _FPS(self, ast: Any) -> Term:
        return self._symbol(ast, self._sort(ast.args[1]))

    def _FPV(self, ast: Any) -> Term:
        return self._thread.context.float(ast.args[0], self._sort(ast.args[1]))

    def _BVV(self, ast: Any) -> Term:
        if ast.args[0] is None or ast.size() == 0:
            raise BackendError("Bivalve has no bit-vectors without bits")
        return self._thread.context.bv(ast.args[0], ast.size())

    def _BoolV(self, ast: Any) -> Term:
        return self._thread.context.bool(ast.args[0])

    def _convert(self, r: Any) -> Any:
        if isinstance(r, bool):
            return self._thread.context.bool(r)
        if isinstance(r, RM):
            return self._thread.context.rounding_mode(r.value[3:])
        if isinstance(r, FSort):
            return self._sort(r)
        if isinstance(r, (int, float, Term)):
            return r
        raise BackendError(f"Bivalve has no {type(r).__name__}")

    def _call(self, op: str, args: Any) -> Any:
        try:
            return super()._call(op, args)
        except (BivalveError, ValueError) as error:
            raise ClaripyOperationError(f"{op}: {error}") from error

    # What claripy has of terms.

    def _abstract(self, e: Term, of: Any = None) -> Any:
        """What a term is; symbols have the annotations that they have in the expression it is made of."""
        known = self._thread.abstracted
        if of is not None and not of.variables.isdisjoint(self._thread.ambiguous):
            known = {self.convert(leaf).id: leaf for leaf in of.leaf_asts() if leaf.symbolic}
        stack = [e]
        while stack:
            term = stack[-1]
            args = [] if term.id in known else _arguments(term)
            missing = [arg for arg in args if arg.id not in known]
            stack += missing
            if not missing:
                stack.pop()
                if term.id not in known:
                    known[term.id] = self._node(term, [known[arg.id] for arg in args])
        return known[e.id]

    def _node(self, term: Term, args: list[Any]) -> Any:
        """A node as it is: claripy's functions would simplify it once more, again and again below others."""
        op, value, width = term.op, term.value, term.width
        if isinstance(value, FloatValue):
            return claripy.FPV(float(value), _fsort(term))
        if term.sort.kind == "rounding_mode" and value is not None:
            return RM(f"RM_{value}")
        if isinstance(value, int):
            return claripy.BoolV(bool(value)) if width is None else claripy.BVV(value, width)
        if _denied(term):
            name = "Or" if op == "not" else "__or__"
        elif op == "not" and args[0].op == "__eq__":
            name, args = "__ne__", list(args[0].args)
        elif op == "bvadd" and len(args) == 2 and args[1].op == "__neg__":
            name, args = "__sub__", [args[0], args[1].args[0]]
        elif op in _NAMES and not (op in ("=", "distinct") and term.args[0].sort.kind == "float"):
            name = _NAMES[op]
        else:
            raise BackendError(f"claripy has no {op}")
        if op in _SYMMETRIC and name != "__sub__":
            args = sorted(args, key=lambda arg: arg.op in ("BVV", "BoolV"))
        elif op == "concat":
            args = [part for arg in args for part in (arg.args if arg.op == "Concat" else (arg,))]
        if op in ("fp.to_sbv", "fp.to_ubv"):
            args = [*args, *term.indices]
        elif term.sort.kind == "float":
            # Of the operators with indices these are the last argument.
            args = [*args, _fsort(term)] if term.indices else args
            return FP(name, tuple(args), length=_fsort(term).length)
        else:
            args = [*term.indices, *args]
        return Bool(name, tuple(args)) if width is None else BV(name, tuple(args), length=width)

    def simplify(self, expr: Any) -> Any:
        """An expression of the same value, simplified by Bivalve's rules."""
        try:
            return self._abstract(self.convert(expr).simplify(), expr)
        except BackendError:
            return self.z3.simplify(expr)

    def _is_true(self, e: Term, *args: Any, **options: Any) -> bool:
        return e.simplify().value is True

    def _is_false(self, e: Term, *args: Any, **options: Any) -> bool:
        return e.simplify().value is False

    def _identical(self, a: Any, b: Any) -> bool:
        return a.is_same(b) if isinstance(a, Term) and isinstance(b, Term) else a == b

    # Solvers.

    def solver(self, timeout: int | None = None, max_memory: int | None = None) -> Constraints:
        """A solver without constraints; `timeout` is in milliseconds. One with a limit of memory is z3's."""
        return Constraints(timeout, max_memory)

    def clone_solver(self, s: Constraints) -> Constraints:
        """A solver with the same constraints."""
        return s.copy()

    def add(self, s: Constraints, c: Iterable[Any], track: bool = False) -> None:
        """Adds constraints that the solver does not have yet."""
        s.tracked = s.tracked or track
        new = [formula for formula in c if formula.hash() not in s.formulas]
        s.formulas.update((formula.hash(), formula) for formula in new)
        s.assumed = ()
        if not s.foreign:
            try:
                s.terms = self._terms(s)
            except BackendError:
                s.foreign = True
        if s.foreign:
            self._others(s)

    def _terms(self, s: Constraints) -> list[Term]:
        """The constraints as terms of the context of now."""
        if s.context is not self._thread.context:
            s.context, s.terms, s.assumed = self._thread.context, [], ()
        missing = list(s.formulas.values())[len(s.terms) :]
        return s.terms + self.convert_list(missing) if missing else s.terms

    def _others(self, s: Constraints) -> Any:
        """z3's solver with the same constraints."""
        if s.other is None:
            s.other = self.z3.solver(timeout=s.timeout, max_memory=s.memory)
        missing = list(s.formulas.values())[s.others :]
        if missing:
            self.z3.add(s.other, missing, track=s.tracked)
            s.others = len(s.formulas)
        return s.other

    def _native(self, s: Constraints) -> Any:
        s.terms = self._terms(s)
        return self._thread.solver(s.terms)

    def _check(self, s: Constraints, native: Any, assumed: Iterable[Any], hook: Any) -> Model | None:
        """The model of a check, which is shown to `hook` as a dictionary; nothing without one."""
        self.solve_count += 1
        s.assumed = tuple(self._convert(formula) for formula in assumed)
        result = native.check(*s.assumed, time=_seconds(s))
        if result == Result.UNKNOWN:
            raise ClaripySolverInterruptError(native.reason_unknown)
        if result == Result.UNSAT:
            return None
        model: Model = native.model()
        if hook is not None:
            hook({symbol.name: _primitive(model[symbol]) for symbol in model.symbols})
        return model

    def _satisfiable(
        self, extra_constraints: Any = (), solver: Any = None, model_callback: Any = None
    ) -> bool:
        return self._check(solver, self._native(solver), extra_constraints, model_callback) is not None

    def _solution(
        self, expr: Term, v: Any, extra_constraints: Any = (), solver: Any = None, model_callback: Any = None
    ) -> bool:
        if isinstance(v, int) and expr.width is not None:
            v %= 1 << expr.width
        return self._satisfiable((expr.equals(v), *extra_constraints), solver, model_callback)

    def _eval(
        self, expr: Any, n: int, extra_constraints: Any = (), solver: Any = None, model_callback: Any = None
    ) -> list[Any]:
        found = self._batch_eval([expr], n, extra_constraints, solver, model_callback)
        return [values[0] for values in found]

    def _batch_eval(
        self,
        exprs: list[Any],
        n: int,
        extra_constraints: Any = (),
        solver: Any = None,
        model_callback: Any = None,
    ) -> list[Any]:
        """Values of expressions in models. The first are those of a model that the hook is shown; those after it
        are enumerated, and no whole models are known for them."""
        native = self._native(solver)
        terms = [expr for expr in exprs if isinstance(expr, Term)]
        model = self._check(solver, native, extra_constraints, model_callback) if n > 0 else None
        if model is None:
            return []

        def values(of: Callable[[Term], Any]) -> tuple[Any, ...]:
            return tuple(_primitive(of(expr)) if isinstance(expr, Term) else expr for expr in exprs)

        found = [values(model.__getitem__)]
        if n == 1 or not terms:
            return found
        native.push()
        try:
            native.add(*solver.assumed)
            if any(term.sort.kind == "float" for term in terms):
                others = itertools.islice(self._more(solver, native, terms, model, model_callback), n - 1)
                return found + [values(other.__getitem__) for other in others]
            for point in itertools.islice(native.models(*terms, time=_seconds(solver)), n):
                value = dict(zip((term.id for term in terms), point))
                new = values(lambda term: value[term.id])
                if new != found[0] and len(found) < n:
                    found.append(new)
            return found
        except BivalveError as error:
            raise ClaripySolverInterruptError(str(error)) from error
        finally:
            native.pop()

    def _more(
        self, solver: Any, native: Any, terms: list[Term], model: Model | None, hook: Any
    ) -> Iterator[Model]:
        """Models in which terms, floating-point numbers among them, have other values than in those before."""
        assumed = solver.assumed
        while model is not None:
            last = model
            native.add(self._thread.context.any(*(term.distinct(last[term]) for term in terms)))
            model = self._check(solver, native, (), hook)
            solver.assumed = assumed
            if model is not None:
                yield model

    def _extreme(self, expr: Term, greatest: bool, signed: bool, solver: Any, extra: Any, hook: Any) -> int:
        """The least or greatest value, with the model of which the hook is shown."""
        native = self._native(solver)
        self.solve_count += 1
        solver.assumed = tuple(self._convert(formula) for formula in extra)
        wanted = [("maximize" if greatest else "minimize", expr, signed)]
        answer, ranges, _ = native.optimize(wanted, *solver.assumed, time=_seconds(solver))
        if answer == Result.UNKNOWN:
            raise ClaripySolverInterruptError(native.reason_unknown or "timeout")
        if answer == Result.UNSAT:
            raise UnsatError(f"there is no value of {expr}")
        if hook is not None:
            model: Model = native.model()
            hook({symbol.name: _primitive(model[symbol]) for symbol in model.symbols})
        optimum: int = ranges[0][0]
        return optimum

    def _min(
        self,
        expr: Term,
        extra_constraints: Any = (),
        signed: bool = False,
        solver: Any = None,
        model_callback: Any = None,
    ) -> int:
        return self._extreme(expr, False, signed, solver, extra_constraints, model_callback)

    def _max(
        self,
        expr: Term,
        extra_constraints: Any = (),
        signed: bool = False,
        solver: Any = None,
        model_callback: Any = None,
    ) -> int:
        return self._extreme(expr, True, signed, solver, extra_constraints, model_callback)

    def unsat_core(self, s: Constraints) -> list[Any]:
        """Constraints that contradict each other, together with what the last check assumed; none if they do
        not."""
        if s.foreign:
            core: list[Any] = self.z3.unsat_core(s.other)
            return core
        native = _native.Solver(self._thread.context, **self.options)
        native.add_tracked(*self._terms(s))
        if self._check(s, native, s.assumed, None) is not None:
            return []
        formulas = list(s.formulas.values())
        return [formulas[position] for position in native.unsat_core_positions()]


_ANSWERS = ("eval", "batch_eval", "min", "max", "satisfiable", "check_satisfiability", "solution")
for _name in (*_ANSWERS, "is_true", "is_false"):
    setattr(BackendBivalve, _name, _or_z3(_name))


def _seconds(s: Constraints) -> float | None:
    """How long a check may take."""
    return None if s.timeout is None else s.timeout / 1000


def _fsort(term: Term) -> FSort:
    """claripy's sort of a floating-point term."""
    return FSort.from_params(term.sort.exponent_bits, term.sort.significand_bits)  # type: ignore[no-any-return]


def _primitive(value: Any) -> Any:
    """The value as claripy has it."""
    return float(value) if isinstance(value, FloatValue) else value


def _denied(term: Term) -> bool:
    """Is it a conjunction of negations, negated?"""
    if term.op not in ("not", "bvnot"):
        return False
    (inner,) = term.args
    conjunction = {"not": "and", "bvnot": "bvand"}[term.op]
    return inner.op == conjunction and all(arg.op == term.op for arg in inner.args)


def _arguments(term: Term) -> list[Term]:
    """The arguments of the node that a term becomes: those that are denied, of a disjunction."""
    return [arg.args[0] for arg in term.args[0].args] if _denied(term) else term.args


def _replace(old: Backend, new: Backend) -> None:
    """Puts a backend in the place of another: in claripy's lists, and defaults of its solvers."""
    backends: Any = claripy.backends
    backends.all_backends[:] = [new if backend is old else backend for backend in backends.all_backends]
    backends.backends_by_type["BackendZ3"] = backends.z3 = new
    for solver in vars(claripy.solvers).values():
        init = getattr(solver, "__init__", None) if isinstance(solver, type) else None
        for name in ("__defaults__", "__kwdefaults__"):
            defaults = getattr(init, name, None)
            if isinstance(defaults, tuple):
                setattr(init, name, tuple(new if value is old else value for value in defaults))
            elif defaults is not None:
                setattr(init, name, {key: new if value is old else value for key, value in defaults.items()})


def register(**options: Any) -> BackendBivalve:
    """Puts Bivalve in the place of claripy's backend for z3, and returns it.

    Its name becomes that of the other, too, by which claripy finds the backends of solvers that were pickled,
    and tells exact ones. Options are those of `bivalve.options()`.
    """
    old = claripy.backends.z3
    z3 = old.z3 if isinstance(old, BackendBivalve) else old
    backend: BackendBivalve = type("BackendZ3", (BackendBivalve,), {})(z3, **options)
    _replace(old, backend)
    return backend


def unregister() -> None:
    """Puts claripy's own backend for z3 back into its place."""
    old = claripy.backends.z3
    if isinstance(old, BackendBivalve):
        _replace(old, old.z3)
