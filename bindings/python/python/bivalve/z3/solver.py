"""Solvers and models, by z3's names."""

from __future__ import annotations

from typing import Any, Iterator, overload

from .. import _native
from .._native import ArrayValue, BivalveError, Element, FloatValue, FunctionValue, Sort, Term
from . import parameters
from .exprs import (
    And,
    ArrayRef,
    BitVecNumRef,
    BitVecRef,
    BoolRef,
    Context,
    ExprRef,
    FuncDeclRef,
    SortRef,
    _ctx,
    _formulas,
    _refuse,
    _to_expr,
    Bool,
    Implies,
    Not,
    Or,
    declared,
    parse_smt2_file,
    parse_smt2_string,
)
from .floats import FPNumRef, FPRef
from .printer import FLOATS as PRINTED_FLOATS
from .printer import OPTIONS as PRINTED
from .printer import Doc, Group, Row, listed, shown
from .refused import not_pickled, without
from .results import CheckSatResult, answer_of, sat, unknown, unsat
from .z3types import Z3Exception

#: What z3 says for the reasons of `unknown`.
_REASONS = {
    "timeout": "timeout",
    "memout": "max. memory exceeded",
    "resourceout": "max. resource limit exceeded",
    "interrupted": "interrupted from keyboard",
    "incomplete": "(incomplete)",
}

#: What `set_param` has set, by plain name.
_global_options: dict[str, Any] = {}


class AstVector(list):  # type: ignore[type-arg]
    """A list of expressions."""

    def size(self) -> int:
        """The number of expressions."""
        return len(self)

    def push(self, item: Any) -> None:
        """Adds an expression."""
        self.append(item)

    def __repr__(self) -> str:
        return shown(listed([item._doc() for item in self]))

    def resize(self, sz: int) -> None:
        """Cuts it to so many expressions."""
        del self[sz:]

    def translate(self, other_ctx: Context) -> AstVector:
        """The expressions in another context."""
        return AstVector([item.translate(other_ctx) for item in self])

    def __contains__(self, item: Any) -> bool:
        return any(item.eq(other) for other in self)

    def sexpr(self) -> str:
        """The expressions in SMT-LIB syntax."""
        return "(ast-vector\n  " + "\n  ".join(item.sexpr() for item in self) + ")"


class AstMap(dict):  # type: ignore[type-arg]
    """A dictionary whose keys are expressions."""

    def erase(self, k: Any) -> None:
        """Removes a key."""
        del self[k]

    def reset(self) -> None:
        """Removes all keys."""
        self.clear()

    def keys(self) -> AstVector:  # type: ignore[override]
        """The keys."""
        return AstVector(self)


class Statistics:
    """What the checks of a solver cost so far."""

    def __init__(self, native: Any) -> None:
        self._rows = list(native.rows())

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, i: int) -> tuple[str, Any]:
        return self._rows[i]  # type: ignore[no-any-return]

    def keys(self) -> list[str]:
        """The names."""
        return [name for name, _ in self._rows]

    def get_key_value(self, key: str) -> Any:
        """The value of a name."""
        for name, value in self._rows:
            if name == key:
                return value
        return _refuse("unknown key")

    def __getattr__(self, name: str) -> Any:
        known = {key.replace(" ", "_").replace("-", "_"): value for key, value in self.__dict__.get("_rows", [])}
        if name not in known:
            raise AttributeError(name)
        return known[name]

    def __repr__(self) -> str:
        return "(" + "\n ".join(f":{name} {value}" for name, value in self._rows) + ")"


@not_pickled("send the text, by to_smt2(), and read it there by from_string()")
@without("view of its search", "cube cube_vars non_units proof trail trail_levels units")
@without("clauses at hand (`bivalve --dump-cnf FILE` writes those of a script)", "dimacs")
@without("congruence classes", "congruence_explain congruence_next congruence_root")
@without("values to begin with", "set_initial_value")
@without("parameters of z3's, see Solver.set", "help param_descrs")
@without("model converters", "import_model_converter solve_for")
class Solver:
    """A solver for quantifier-free formulas over bit-vectors, floating-point numbers, arrays and functions."""

    def __init__(self, solver: Any = None, ctx: Context | None = None, logFile: Any = None) -> None:
        if solver is not None or logFile is not None:
            _refuse("solvers are made by Solver(), SimpleSolver() and SolverFor(logic)")
        self.ctx = _ctx(ctx)
        self.native = _native.Solver(self.ctx.native)
        #: The assertions, each with the literal that it is tracked by, and how many there were before each
        #: level.
        self._asserted: list[tuple[BoolRef, BoolRef | None]] = []
        self._levels: list[int] = []
        self._timeout: float | None = None
        self._parameters: dict[str, Any] = dict(_global_options)
        self.ctx.solvers.add(self)
        for name, value in _global_options.items():
            self._set(name, value)

    def set(self, *args: Any, **keys: Any) -> None:
        """Sets parameters: `timeout` in milliseconds, `random_seed`, `max_conflicts`, `core.minimize`. What else
        z3 has changes only how it works, and has no effect."""
        for name, value in parameters.pairs_of(args, keys).items():
            if not self._set(parameters.plain(name), value):
                _refuse(f"unknown parameter '{name}'{parameters.hint(parameters.plain(name))}")
            self._parameters[name] = value

    def _set(self, name: str, value: Any) -> bool:
        """Sets a parameter by its plain name; whether there is such a one."""
        if name in parameters.TIMES:
            # z3's own values for none.
            self._timeout = int(value) / 1000 if 0 < int(value) < 2**32 - 1 else None
        elif name in parameters.OPTIONS:
            value = 0 if name == "max_conflicts" and int(value) >= 2**32 - 1 else value
            value = bool(value) if parameters.OPTIONS[name] == "minimize_core" else value
            try:
                self.native.set(**{parameters.OPTIONS[name]: value})
            except ValueError as error:
                raise Z3Exception(str(error)) from None
        elif name in parameters.UNKEPT:
            parameters.warn_unkept(name, 3)
        else:
            return parameters.is_known(name)
        return True

    def __enter__(self) -> Solver:
        self.push()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.pop()

    def push(self) -> None:
        """Opens a level."""
        self.native.push()
        self._levels.append(len(self._asserted))

    def pop(self, num: int = 1) -> None:
        """Drops levels."""
        try:
            self.native.pop(num)
        except (BivalveError, ValueError) as error:
            raise Z3Exception(str(error)) from None
        for _ in range(num):
            del self._asserted[self._levels.pop() :]

    def num_scopes(self) -> int:
        """The number of levels."""
        return self.native.levels

    def reset(self) -> None:
        """Drops all assertions and levels."""
        self.native.reset_assertions()
        self._asserted, self._levels = [], []

    def assert_exprs(self, *args: Any) -> None:
        """Asserts formulas, given one by one, as lists or by iterators."""
        formulas = list(_formulas(args, self.ctx))
        try:
            self.native.add(*formulas)
        except BivalveError as error:
            raise Z3Exception(str(error)) from None
        self._asserted += [(BoolRef(formula, self.ctx), None) for formula in formulas]

    add = append = insert = assert_exprs

    def __iadd__(self, fml: Any) -> Solver:
        self.add(fml)
        return self

    def assert_and_track(self, a: Any, p: Any) -> None:
        """Asserts a formula that may be part of unsat cores, under the Boolean symbol `p`, or one of that
        name."""
        literal = Bool(p, self.ctx) if isinstance(p, str) else p
        if not (isinstance(literal, BoolRef) and literal.native.op == "symbol"):
            _refuse("expected a Boolean symbol to track with")
        (formula,) = _formulas([a], self.ctx)
        try:
            implication = literal.native.implies(formula)
        except BivalveError as error:
            raise Z3Exception(str(error)) from None
        self._assert_tracked(BoolRef(implication, self.ctx), literal)

    def _assert_tracked(self, implication: BoolRef, literal: BoolRef) -> None:
        """Asserts what a literal implies. In z3, too, the literal is what is tracked."""
        try:
            self.native.add(implication.native)
            self.native.add_tracked(literal.native)
        except BivalveError as error:
            raise Z3Exception(str(error)) from None
        self._asserted.append((implication, literal))

    def check(self, *assumptions: Any) -> CheckSatResult:
        """Is there a model? Assumptions are for this check only."""
        try:
            return answer_of(self.native.check(*_formulas(assumptions, self.ctx), time=self._timeout))
        except BivalveError as error:
            raise Z3Exception(str(error)) from None

    def model(self) -> ModelRef:
        """The model of the last check."""
        try:
            return ModelRef(self.native.model(), self.ctx)
        except BivalveError:
            raise Z3Exception("model is not available") from None

    def unsat_core(self) -> AstVector:
        """Literals of tracked assertions, and assumptions, that contradict the other assertions."""
        literals = [literal for _, literal in self._asserted if literal is not None]
        try:
            tracked = [literals[i] for i in self.native.unsat_core_positions()]
            failed = [_to_expr(term, self.ctx) for term in self.native.unsat_assumptions()]
        except BivalveError:
            raise Z3Exception("unsat core is not available") from None
        return AstVector([*tracked, *failed])

    def reason_unknown(self) -> str:
        """Why the last answer was unknown, in z3's words."""
        return _REASONS.get(self.native.reason_unknown or "", "")

    def assertions(self) -> AstVector:
        """The assertions; of a tracked one that its literal implies it."""
        return AstVector([formula for formula, _ in self._asserted])

    def statistics(self) -> Statistics:
        """What the checks cost so far."""
        return Statistics(self.native.statistics())

    def interrupt(self) -> None:
        """Ends the running check, from another thread."""
        self.native.interrupt()

    def from_string(self, s: str) -> None:
        """Asserts the formulas of a script."""
        self.add(parse_smt2_string(s, ctx=self.ctx))

    def from_file(self, filename: str) -> None:
        """Asserts the formulas of a script in a file."""
        self.add(parse_smt2_file(filename, ctx=self.ctx))

    def consequences(self, assumptions: Any, variables: Any) -> tuple[CheckSatResult, list[BoolRef]]:
        """The variables that have one value under the assumptions: implications, each from assumptions that it
        follows from."""
        assumptions = list(assumptions)
        found: list[BoolRef] = []
        answer = self.check(*assumptions)
        if answer != sat:
            return answer, []
        model = self.model()
        for variable in variables:
            value = model.eval(variable, model_completion=True)
            if isinstance(variable, BoolRef):
                literal = variable if value else Not(variable)
            else:
                literal = variable == value
            answer = self.check(*assumptions, Not(literal))
            if answer == unknown:
                return answer, found
            if answer == unsat:
                core = self.unsat_core()
                failed = [of for of in assumptions if of in core]
                found.append(Implies(And(*failed), literal))
        return sat, found

    def solutions(self, t: Any) -> Iterator[Any]:
        """All values of an expression, or of several together, one after the other."""
        solver = self.translate(self.ctx)
        several = list(t) if isinstance(t, (list, tuple)) else [t]
        while solver.check() == sat:
            model = solver.model()
            values = [model.eval(of, model_completion=True) for of in several]
            yield values if isinstance(t, (list, tuple)) else values[0]
            solver.add(Or(*(of != value for of, value in zip(several, values))))

    def sexpr(self) -> str:
        """The declarations and assertions in SMT-LIB syntax."""
        return declared(self.native.to_smt2())

    def to_smt2(self) -> str:
        """The assertions as an SMT-LIB script."""
        return self.native.to_smt2()

    def translate(self, target: Context) -> Solver:
        """A solver with the same assertions and parameters in another context; as in z3, it has no levels."""
        other = Solver(ctx=target)
        for name, value in self._parameters.items():
            other._set(parameters.plain(name), value)
            other._parameters[name] = value
        for formula, literal in self._asserted:
            if literal is None:
                other.add(formula.translate(target))
            else:
                other._assert_tracked(formula.translate(target), literal.translate(target))
        return other

    def __copy__(self) -> Solver:
        return self.translate(self.ctx)

    def __deepcopy__(self, memo: Any) -> Solver:
        return self.__copy__()

    def __repr__(self) -> str:
        return repr(self.assertions())

    def _repr_html_(self) -> str:
        return self.native._repr_html_()


def SimpleSolver(ctx: Context | None = None, logFile: Any = None) -> Solver:
    """A solver."""
    return Solver(ctx=ctx, logFile=logFile)


#: Logics whose formulas are decided.
_LOGICS = {"QF_BV", "QF_ABV", "QF_UFBV", "QF_AUFBV", "QF_UF", "QF_AX", "QF_FD", "QF_BOOL", "ALL"}
_LOGICS |= {"QF_FP", "QF_FPBV", "QF_BVFP", "QF_ABVFP", "QF_AUFBVFP", "QF_UFFP"}
_LOGICS |= {"BV", "ABV", "UFBV", "AUFBV", "FP", "BVFP", "ABVFP", "AUFBVFP"}


def SolverFor(logic: str, ctx: Context | None = None, logFile: Any = None) -> Solver:
    """A solver for a logic, which is to be one that Bivalve decides."""
    if str(logic) not in _LOGICS:
        _refuse(f"expected one of the logics {' '.join(sorted(_LOGICS))}, found {logic}")
    return Solver(ctx=ctx, logFile=logFile)


class FuncEntry:
    """Arguments of a function and the result for them."""

    def __init__(self, args: list[Any], result: Any) -> None:
        self._args, self._result = args, result

    def num_args(self) -> int:
        """The number of arguments."""
        return len(self._args)

    def arg_value(self, i: int) -> Any:
        """An argument."""
        return self._args[i]

    def value(self) -> Any:
        """The result."""
        return self._result

    def as_list(self) -> list[Any]:
        """Arguments and result."""
        return [*self._args, self._result]

    def __repr__(self) -> str:
        return repr(self.as_list())


class FuncInterp:
    """The value of a function: results for finitely many arguments, and for all others."""

    def __init__(self, entries: list[FuncEntry], default: Any, arity: int) -> None:
        self._entries, self._default, self._arity = entries, default, arity

    def num_entries(self) -> int:
        """The number of entries."""
        return len(self._entries)

    def arity(self) -> int:
        """The number of arguments."""
        return self._arity

    def entry(self, i: int) -> FuncEntry:
        """An entry."""
        return self._entries[i]

    def translate(self, other_ctx: Context) -> FuncInterp:
        """The value in another context."""
        entries = [
            FuncEntry([arg.translate(other_ctx) for arg in entry._args], entry.value().translate(other_ctx))
            for entry in self._entries
        ]
        return FuncInterp(entries, self._default.translate(other_ctx), self._arity)

    def else_value(self) -> Any:
        """The result for arguments that have no entry."""
        return self._default

    def as_list(self) -> list[Any]:
        """The entries as lists, and the result for all others."""
        return [*(entry.as_list() for entry in self._entries), self._default]

    def __repr__(self) -> str:
        return shown(self._doc())

    def _doc(self) -> Doc:
        def entry(of: FuncEntry) -> Doc:
            args = [of.arg_value(i)._doc() for i in range(of.num_args())]
            return Row([args[0] if len(args) == 1 else Group("(", args, ", ", ")"), " -> ", of.value()._doc()], 2)

        return listed([*map(entry, self._entries), Row(["else -> ", self._default._doc()], 2)])


@not_pickled("send the values, for example as integers by as_long()")
@without("models that change, or go to another context", "translate update_value")
@without("projections of models", "project project_with_witness")
class ModelRef:
    """The model of a check."""

    def __init__(self, native: Any, ctx: Context) -> None:
        self.native, self.ctx = native, ctx
        self._symbols = native.symbols

    def eval(self, t: Any, model_completion: bool = False) -> Any:
        """The value of an expression. Symbols without a value stay, unless `model_completion` gives them the
        default of their sort."""
        if not isinstance(t, ExprRef):
            _refuse(f"expected an expression, found {t!r}")
        if model_completion:
            return _to_expr(self.native.constant(t.native), self.ctx)
        return _to_expr(self.native.partial(t.native), self.ctx)

    evaluate = eval

    def _value(self, sort: Sort, value: Any) -> Any:
        """A value of the model as an expression."""
        native = self.ctx.native
        if isinstance(value, Element):
            return self._element(sort, value.number)
        if isinstance(value, ArrayValue):
            assert sort.index is not None and sort.element is not None
            array = native.const_array(sort, self._value(sort.element, value.default).native)
            for index, element in value.entries.items():
                array = array.store(self._value(sort.index, index).native, self._value(sort.element, element).native)
            return _to_expr(array, self.ctx)
        if isinstance(value, tuple):
            name, *fields = value
            sorts = dict(sort.constructors or [])[name]
            parts = [self._value(of, part).native for (_, of), part in zip(sorts, fields)]
            return _to_expr(native.record(sort, name, *parts), self.ctx)
        if isinstance(value, FloatValue):
            constant = native.float(value, sort)
        elif isinstance(value, str):
            constant = native.rounding_mode(value)
        else:
            constant = native.bool(value) if isinstance(value, bool) else native.bv(value, sort.width or 0)
        return _to_expr(constant, self.ctx)

    def get_interp(self, decl: Any) -> Any:
        """The value of a symbol or a function; `None` if the model has none, since any would do."""
        symbol = decl._symbol if isinstance(decl, FuncDeclRef) else decl.native
        if symbol is None or symbol not in self.native:
            return None
        value, sort = self.native[symbol], symbol.sort
        if not isinstance(value, FunctionValue):
            return self._value(sort, value)
        assert sort.params is not None and sort.result is not None
        params, result = sort.params, sort.result
        entries = [
            FuncEntry([self._value(of, arg) for of, arg in zip(params, args)], self._value(result, what))
            for args, what in value.entries.items()
        ]
        return FuncInterp(entries, self._value(result, value.default), len(params))

    def decls(self) -> list[FuncDeclRef]:
        """The symbols that have a value."""
        return [FuncDeclRef(symbol, self.ctx) for symbol in self._symbols]

    def get_universe(self, s: SortRef) -> AstVector | None:
        """The elements of a declared sort that the values of the model have; `None` for other sorts."""
        if s not in self.sorts():
            return None
        found: set[int] = set()

        def collect(sort: Sort | None, value: Any) -> None:
            if isinstance(value, Element) and sort == s.native:
                found.add(value.number)
            elif isinstance(value, ArrayValue) and sort is not None:
                collect(sort.element, value.default)
                for index, element in value.entries.items():
                    collect(sort.index, index)
                    collect(sort.element, element)
            elif isinstance(value, FunctionValue) and sort is not None:
                collect(sort.result, value.default)
                for args, result in value.entries.items():
                    for param, arg in zip(sort.params or [], args):
                        collect(param, arg)
                    collect(sort.result, result)

        for symbol in self._symbols:
            collect(symbol.sort, self.native[symbol])
        # No sort is empty.
        return AstVector([self._element(s.native, number) for number in sorted(found or {0})])

    def _element(self, sort: Sort, number: int) -> Any:
        return _to_expr(self.ctx.symbol(f"{sort.name}!val!{number}", sort), self.ctx)

    def sorts(self) -> list[SortRef]:
        """The declared sorts of the symbols that have a value, by name."""
        found: dict[str, Sort] = {}
        for symbol in self._symbols:
            sort = symbol.sort
            for part in [*(sort.params or []), sort.result, sort.index, sort.element, sort]:
                if part is not None and part.kind not in ("bool", "bitvec", "array", "function", "float", "rounding_mode"):
                    found[str(part)] = part
        return [SortRef(found[name], self.ctx) for name in sorted(found)]

    def num_sorts(self) -> int:
        """The number of `sorts`."""
        return len(self.sorts())

    def get_sort(self, idx: int) -> SortRef:
        """One of `sorts` by its number."""
        return self.sorts()[idx]

    def __len__(self) -> int:
        return len(self._symbols)

    @overload
    def __getitem__(self, idx: BitVecRef) -> BitVecNumRef: ...
    @overload
    def __getitem__(self, idx: BoolRef) -> BoolRef: ...
    @overload
    def __getitem__(self, idx: ArrayRef) -> ArrayRef: ...
    @overload
    def __getitem__(self, idx: FPRef) -> FPNumRef: ...
    @overload
    def __getitem__(self, idx: int) -> FuncDeclRef: ...
    @overload
    def __getitem__(self, idx: FuncDeclRef) -> Any: ...
    @overload
    def __getitem__(self, idx: SortRef) -> AstVector | None: ...
    @overload
    def __getitem__(self, idx: ExprRef) -> Any: ...
    def __getitem__(self, idx: Any) -> Any:
        """The value of a symbol; for a number, the symbol of that number; for a sort its universe."""
        if isinstance(idx, int):
            if not 0 <= idx < len(self):
                raise IndexError(idx)
            return FuncDeclRef(self._symbols[idx], self.ctx)
        if isinstance(idx, SortRef):
            return self.get_universe(idx)
        if isinstance(idx, (FuncDeclRef, ExprRef)):
            return self.get_interp(idx)
        return _refuse("Integer, Z3 declaration, or Z3 constant expected")

    def __iter__(self) -> Iterator[FuncDeclRef]:
        return iter(self.decls())

    def __copy__(self) -> ModelRef:
        return self

    def __deepcopy__(self, memo: Any) -> ModelRef:
        return self

    def sexpr(self) -> str:
        """The definitions of the symbols in SMT-LIB syntax."""
        return str(self.native)

    def __repr__(self) -> str:
        return shown(listed([Group(f"{decl} = ", [self[decl]._doc()], "", "") for decl in self.decls()]))

    def _repr_html_(self) -> str:
        return str(self.native._repr_html_())


def Model(ctx: Context | None = None, eval: dict[Any, Any] = {}) -> ModelRef:  # noqa: B006
    """A model in which constant symbols have given values."""
    solver = Solver(ctx=ctx)
    solver.add([symbol == value for symbol, value in eval.items()])
    if solver.check() != sat:
        _refuse("Model: these values contradict each other")
    return solver.model()


def _show(solver: Solver, args: Any, keywords: Any, words: tuple[str, str, str], heads: bool = False) -> None:
    """Prints what comes out, in words for `unsat`, `unknown`, and before a model."""
    show = keywords.pop("show", False)
    solver.set(**keywords)
    solver.add(*args)
    if show:
        print(f"Problem:\n{solver}" if heads else solver)
    right, failed, wrong = words
    if show and heads:
        wrong = "Solution:"
    result = solver.check()
    if result == unsat:
        print(right)
    elif result == unknown:
        print(failed)
    else:
        if wrong:
            print(wrong)
        print(solver.model())


_SOLVED = ("no solution", "failed to solve", "")


def solve(*args: Any, **keywords: Any) -> None:
    """Prints a model of the constraints, or that there is none."""
    _show(Solver(), args, keywords, _SOLVED)


def solve_using(s: Solver, *args: Any, **keywords: Any) -> None:
    """Adds constraints to a solver, and prints a model, or that there is none."""
    _show(s, args, keywords, _SOLVED, heads=True)


def prove(claim: Any, show: bool = False, **keywords: Any) -> None:
    """Prints that the claim holds under all assignments, or one under which it does not."""
    _show(Solver(), [Not(claim)], {"show": show, **keywords}, ("proved", "failed to prove", "counterexample"))


def set_param(*args: Any, **keys: Any) -> None:
    """Sets parameters of the solvers that are made from now on. Those of z3's printer have no effect, and those that
    are unknown none but a warning."""
    for name, value in parameters.pairs_of(args, keys).items():
        name = parameters.plain(name)
        if name in parameters.TIMES or name in parameters.OPTIONS:
            Solver()._set(name, value)
            _global_options[name] = value
        elif set_pp_option(name, value):
            pass
        elif name in parameters.UNKEPT:
            parameters.warn_unkept(name, 2)
        elif not parameters.is_known(name):
            parameters.warn_unknown(name, 2)


set_option = set_param


def reset_params() -> None:
    """Forgets what `set_param` has set for solvers."""
    _global_options.clear()


def get_param(name: str) -> str:
    """The value that `set_param` has set."""
    plain = parameters.plain(name)
    return str(_global_options[plain]) if plain in _global_options else _refuse(f"parameter '{name}' has not been set")


def set_html_mode(flag: bool = True) -> None:
    """Nothing: notebooks have the text of an expression with its sort."""


def in_html_mode() -> bool:
    """Whether texts are HTML."""
    return False


def set_fpa_pretty(flag: bool = True) -> None:
    """Whether floating-point expressions are printed in short."""
    PRINTED_FLOATS.pretty = bool(flag)


def get_fpa_pretty() -> bool:
    """Whether floating-point expressions are printed in short."""
    return PRINTED_FLOATS.pretty


def z3_debug() -> bool:
    """Whether arguments are checked: always."""
    return True


def set_pp_option(k: str, v: Any) -> bool:
    """Sets an option of texts: `max_width`, `max_lines`, `max_depth`, `max_args` and so on; whether it is one."""
    if k == "fpa_pretty":
        set_fpa_pretty(v)
    if k in PRINTED:
        if not isinstance(v, int) or v < 0:
            _refuse(f"expected a number from 0 on for '{k}', found {v!r}")
        PRINTED[k] = v
    return k in PRINTED or k in parameters.PRINTER


def get_version() -> tuple[int, int, int, int]:
    """The version of this solver, which is not z3, and a zero."""
    major, minor, patch = (int(part) for part in _native.__version__.split("-")[0].split("."))
    return major, minor, patch, 0


def get_version_string() -> str:
    """The version of this solver, which is not z3."""
    return str(_native.__version__)


def get_full_version() -> str:
    """The name and version of this solver, which is not z3."""
    return f"Bivalve {_native.__version__}"


__all__ = [
    "AstMap",
    "AstVector",
    "CheckSatResult",
    "FuncEntry",
    "FuncInterp",
    "Model",
    "ModelRef",
    "SimpleSolver",
    "Solver",
    "SolverFor",
    "Statistics",
    "get_fpa_pretty",
    "get_full_version",
    "get_param",
    "get_version",
    "get_version_string",
    "in_html_mode",
    "prove",
    "reset_params",
    "sat",
    "set_fpa_pretty",
    "set_html_mode",
    "set_option",
    "set_param",
    "set_pp_option",
    "solve",
    "solve_using",
    "unknown",
    "unsat",
    "z3_debug",
]
