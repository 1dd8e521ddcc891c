"""Instances: where nodes are made, asserted and checked."""

from __future__ import annotations

import os
import sys
from threading import Event, Thread
from typing import Any, Callable

from .. import _native
from .._native import BivalveError, Result, Sort, Term
from .nodes import (
    BoolectorArrayNode,
    BoolectorBVNode,
    BoolectorConstNode,
    BoolectorFunNode,
    BoolectorNode,
    BoolectorSort,
    _BoolectorArraySort,
    _BoolectorBitVecSort,
    _BoolectorBoolSort,
    _BoolectorFunSort,
    _BoolectorParamNode,
    built,
    constant,
    refuse,
    value_of,
    whole,
)
from .options import BoolectorOpt, BoolectorOptions, BtorOption, BtorSolverResult

_INCREMENTAL = BtorOption["BTOR_OPT_INCREMENTAL"]
_MODEL_GEN = BtorOption["BTOR_OPT_MODEL_GEN"]
_NUMBER_FORMAT = BtorOption["BTOR_OPT_OUTPUT_NUMBER_FORMAT"]

#: Options of Boolector that mean one of Bivalve.
_MEANT = {BtorOption["BTOR_OPT_SEED"]: "seed", BtorOption["BTOR_OPT_REWRITE_LEVEL"]: "rewrite_level"}

#: Seconds between two calls of what `Set_term` was given.
_PAUSE = 0.02

_RESULTS = {
    Result.SAT: BtorSolverResult.BTOR_RESULT_SAT,
    Result.UNSAT: BtorSolverResult.BTOR_RESULT_UNSAT,
    Result.UNKNOWN: BtorSolverResult.BTOR_RESULT_UNKNOWN,
}


def _written(text: str, outfile: str | None) -> None:
    if outfile is None:
        sys.stdout.write(text)
    else:
        with open(outfile, "w", encoding="utf-8") as file:
            file.write(text)


def _need_word(of: Any, what: str) -> BoolectorBVNode:
    if isinstance(of, BoolectorBVNode):
        return of
    raise TypeError(f"Argument '{what}' has incorrect type (expected BoolectorBVNode, got {type(of).__name__})")


class Boolector:
    """An instance: nodes, assertions, checks and values, by the names of Boolector's Python interface."""

    UNKNOWN = 0
    SAT = 10
    UNSAT = 20
    PARSE_ERROR = 1

    def __init__(self, parent: Boolector | None = None) -> None:
        # A clone has the terms of its parent, which nothing changes, so nodes match by themselves.
        self._ctx: _native.Context = _native.Context() if parent is None else parent._ctx
        self._solver = _native.Solver(self._ctx)
        self._symbols: dict[int, str] = {} if parent is None else dict(parent._symbols)
        self._named: dict[str, Term] = {} if parent is None else dict(parent._named)
        self._bits = (self._ctx.bv(1, 1), self._ctx.bv(0, 1))
        self._options = BoolectorOptions()
        self._assumed: list[Term] = []
        self._failed: dict[int, bool] = {}
        #: The assertions with the level of each.
        self._log: list[tuple[int, Term]] = []
        self._checks = 0
        self._last = self.UNKNOWN
        self._model: Any = None
        self._terminator: Callable[[], bool] | None = None
        if parent is not None:
            for number, option in enumerate(parent._options):
                if option.val != option.dflt:
                    self.Set_opt(number, option.val)
            self._load(parent)

    def _load(self, parent: Boolector) -> None:
        levels: list[list[Term]] = [[]]
        for level, term in parent._log:
            while len(levels) <= level:
                levels.append([])
            levels[level].append(term)
        while len(levels) <= parent._solver.levels:
            levels.append([])
        for i, terms in enumerate(levels):
            if i:
                self._solver.push()
            self._solver.add(*terms)
        self._log = list(parent._log)
        self._assumed = list(parent._assumed)

    # What is asked of the instance itself.

    def Copyright(self) -> str:
        """Whose work this is."""
        return "Bivalve, by the names of Boolector's Python interface; MIT or Apache-2.0\n"

    def Version(self) -> str:
        """The version of Bivalve, which is not Boolector."""
        return str(_native.__version__)

    def GitId(self) -> str:
        """The name and version of Bivalve."""
        return f"bivalve-{_native.__version__}"

    def Set_opt(self, opt: int, value: int) -> None:
        """Sets an option."""
        option, value = self._option(opt), int(value)
        if not option.min <= value <= option.max:
            refuse(f"invalid option value '{value}' for option '{option.lng}'")
        option.val = value
        meant = _MEANT.get(opt)  # type: ignore[call-overload]
        if meant is not None:
            self._solver.set(**{meant: value})

    def _option(self, opt: int) -> BoolectorOpt:
        option = self._options.of(opt)
        return option if option is not None else refuse(f"invalid option '{opt}'")

    def Get_opt(self, opt: int) -> BoolectorOpt:
        """An option."""
        return self._option(opt)

    def Options(self) -> BoolectorOptions:
        """All options."""
        return self._options

    def Set_sat_solver(self, solver: str, clone: bool = True) -> None:
        """Nothing: the SAT solver is chosen by `bivalve.Solver`'s own options."""
        if self._checks:
            refuse("setting the SAT solver must be done before calling 'boolector_sat'")

    def Set_term(self, fun: Callable[..., Any], args: Any) -> None:
        """Ends checks when `fun` returns true; it is asked from another thread while a check runs."""
        given = args if isinstance(args, (list, tuple)) else [args]
        self._terminator = lambda: bool(fun(*given))

    def Terminate(self) -> bool:
        """Whether what `Set_term` was given says that it is time to end."""
        return self._terminator is not None and self._terminator()

    # Sorts.

    def BoolSort(self) -> _BoolectorBoolSort:
        """The sort of words of one bit."""
        return _BoolectorBoolSort(self, self._ctx.bv_sort(1))

    def BitVecSort(self, width: int) -> _BoolectorBitVecSort:
        """The sort of words of `width` bits."""
        return _BoolectorBitVecSort(self, built(self._ctx.bv_sort, whole(width)))

    def ArraySort(self, index: BoolectorSort, elem: BoolectorSort) -> _BoolectorArraySort:
        """The sort of arrays."""
        return _BoolectorArraySort(self, built(self._ctx.array_sort, self._sort(index), self._sort(elem)))

    def FunSort(self, domain: list[BoolectorSort], codomain: BoolectorSort) -> _BoolectorFunSort:
        """The sort of functions."""
        params = [self._sort(param) for param in domain]
        return _BoolectorFunSort(self, built(self._ctx.function_sort, params, self._sort(codomain)))

    def _sort(self, of: Any, kind: type = BoolectorSort) -> Sort:
        if not isinstance(of, BoolectorSort):
            raise TypeError(f"Argument 'sort' has incorrect type (expected BoolectorSort, got {type(of).__name__})")
        if not isinstance(of, kind):
            refuse(f"Sort must be of sort '{kind.__name__}'")
        if of._btor._ctx != self._ctx:
            refuse("argument 'sort' belongs to different Boolector instance")
        return of._native

    # Leaves.

    def _name(self, term: Term, name: str | None) -> None:
        if name is None:
            return
        if name in self._named and not self._named[name].is_same(term):
            refuse(f"symbol '{name}' is already in use in the current context")
        self._named.pop(self._symbols.get(term.id, ""), None)
        self._symbols[term.id], self._named[name] = name, term

    def _symbol(self, sort: Sort, name: str | None, prefix: str) -> Term:
        if name is not None and name in self._named:
            refuse(f"symbol '{name}' is already in use in the current context")
        term = self._ctx.symbol(f"{prefix}{len(self._ctx)}" if name is None else str(name), sort)
        self._name(term, name)
        return term

    def Const(self, c: Any, width: int = 1) -> BoolectorConstNode:
        """The constant of an integer, a Boolean or binary digits."""
        if isinstance(c, BoolectorConstNode):
            return c
        return BoolectorConstNode(self, constant(self, c, whole(width)))

    def Var(self, sort: BoolectorSort, symbol: str | None = None) -> BoolectorBVNode:
        """A new word."""
        return BoolectorBVNode(self, self._symbol(self._sort(sort, _BoolectorBitVecSort), symbol, "v"))

    def Param(self, sort: BoolectorSort, symbol: str | None = None) -> BoolectorBVNode:
        """A parameter for `Fun`."""
        return _BoolectorParamNode(self, self._symbol(self._sort(sort, _BoolectorBitVecSort), symbol, "p"))

    def Array(self, sort: BoolectorSort, symbol: str | None = None) -> BoolectorArrayNode:
        """A new array."""
        return BoolectorArrayNode(self, self._symbol(self._sort(sort, _BoolectorArraySort), symbol, "a"))

    def ConstArray(self, sort: BoolectorSort, value: Any) -> BoolectorArrayNode:
        """The array whose elements are all equal."""
        native = self._sort(sort, _BoolectorArraySort)
        assert native.element is not None
        element = self._as_word(value, int(native.element.width or 0))
        return BoolectorArrayNode(self, built(self._ctx.const_array, native, element))

    def UF(self, sort: BoolectorSort, symbol: str | None = None) -> BoolectorFunNode:
        """A new function."""
        return BoolectorFunNode(self, self._symbol(self._sort(sort, _BoolectorFunSort), symbol, "f"))

    # Operators.

    def _own(self, node: BoolectorNode) -> BoolectorNode:
        if node._btor._ctx != self._ctx:
            refuse("argument belongs to different Boolector instance")
        return node

    def _as_word(self, of: Any, width: int) -> Term:
        """The word of a node, or of what becomes a constant of this width."""
        if isinstance(of, BoolectorNode):
            return self._own(of)._word()
        return constant(self, of, width)

    def _pair(self, a: Any, b: Any) -> tuple[Term, Term]:
        """Two words of one width, one of which may be a constant."""
        one = a if isinstance(a, BoolectorBVNode) else b
        if not isinstance(one, BoolectorBVNode):
            refuse("At least one of the operands must be of type 'BoolectorBVNode'")
        x, y = self._as_word(a, one.width), self._as_word(b, one.width)
        if x.width != y.width:
            refuse("Both operands must have the same bit width")
        return x, y

    def _is_bits(self, *nodes: Any) -> bool:
        """Whether all are of one bit, and one is a formula, so that the outcome is best one, too."""
        has_formula = False
        for node in nodes:
            if isinstance(node, BoolectorBVNode):
                if node.width != 1 or node._btor._ctx != self._ctx:
                    return False
                has_formula = has_formula or node._term is None
            elif not isinstance(node, bool) and node not in (0, 1):
                return False
        return has_formula

    def _truth(self, of: Any) -> Any:
        return of._truth() if isinstance(of, BoolectorBVNode) else bool(of)

    def _join(self, name: str, a: Any, b: Any) -> BoolectorBVNode:
        """A bitwise operator, or the connective of formulas."""
        if self._is_bits(a, b):
            x, y = (self._truth(of) for of in (a, b))
            x, y = (x, y) if isinstance(x, Term) else (y, x)
            return BoolectorBVNode(self, None, getattr(x, name)(y))
        x, y = self._pair(a, b)
        return BoolectorBVNode(self, getattr(x, name)(y))

    def _word(self, name: str, a: Any, b: Any) -> BoolectorBVNode:
        x, y = self._pair(a, b)
        return BoolectorBVNode(self, getattr(x, name)(y))

    def _test(self, name: str, a: Any, b: Any) -> BoolectorBVNode:
        x, y = self._pair(a, b)
        return BoolectorBVNode(self, None, getattr(x, name)(y))

    def _one(self, name: str, n: Any) -> BoolectorBVNode:
        return BoolectorBVNode(self, getattr(self._own(_need_word(n, "n"))._word(), name)())

    def _bit_pair(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Two words of one bit as formulas; one at least is a node."""
        x, y = self._pair(a, b)
        if x.width != 1:
            refuse("bit-width of 'e0' and 'e1' must be 1")
        x, y = (self._truth(of) if isinstance(of, BoolectorBVNode) else self._ctx.bool(bool(int(of))) for of in (a, b))
        return x, y

    def _shift(self, name: str, a: Any, b: Any) -> BoolectorBVNode:
        """A shift or rotation by a word of the same width, or of its logarithm if that is whole."""
        x = self._own(_need_word(a, "a"))._word()
        width = int(x.width or 0)
        narrow = width.bit_length() - 1 if width > 1 and width & (width - 1) == 0 else 0
        if not isinstance(b, BoolectorBVNode) and not narrow:
            refuse("bit-width of 'e0' must be a power of 2, or the other operand of the same width")
        y = self._as_word(b, narrow)
        if y.width == narrow and narrow:
            y = y.zero_extend(width - narrow)
        if y.width != width:
            refuse("bit-width of 'e1' must be equal to log2(bit-width of 'e0'), or to that of 'e0'")
        return BoolectorBVNode(self, getattr(x, name)(y))

    def Not(self, n: Any) -> BoolectorBVNode:
        """Complement."""
        if self._is_bits(_need_word(n, "n")):
            return BoolectorBVNode(self, None, ~n._truth())
        return self._one("__invert__", n)

    def Neg(self, n: Any) -> BoolectorBVNode:
        """Two's complement."""
        return self._one("__neg__", n)

    def Redor(self, n: Any) -> BoolectorBVNode:
        """Whether a bit is one."""
        return self._one("redor", n)

    def Redxor(self, n: Any) -> BoolectorBVNode:
        """Parity."""
        return self._one("redxor", n)

    def Redand(self, n: Any) -> BoolectorBVNode:
        """Whether all bits are one."""
        return self._one("redand", n)

    def Slice(self, n: Any, upper: int, lower: int) -> BoolectorBVNode:
        """Bits from `upper` down to `lower`."""
        word = self._own(_need_word(n, "n"))._word()
        upper, lower = whole(upper), whole(lower)
        if upper < 0 or lower < 0:
            raise OverflowError("can't convert negative value to uint32_t")
        if upper == int(word.width or 0) - 1 and lower == 0:
            return n  # type: ignore[no-any-return]
        return BoolectorBVNode(self, built(word.extract, upper, lower))

    def Uext(self, n: Any, width: int) -> BoolectorBVNode:
        """`width` zeros put in front."""
        return BoolectorBVNode(self, built(self._own(_need_word(n, "n"))._word().zero_extend, whole(width)))

    def Sext(self, n: Any, width: int) -> BoolectorBVNode:
        """`width` copies of the sign put in front."""
        return BoolectorBVNode(self, built(self._own(_need_word(n, "n"))._word().sign_extend, whole(width)))

    def Inc(self, n: Any) -> BoolectorBVNode:
        """The word and one."""
        return self.Add(_need_word(n, "n"), 1)

    def Dec(self, n: Any) -> BoolectorBVNode:
        """The word less one."""
        return self.Sub(_need_word(n, "n"), 1)

    def Implies(self, a: Any, b: Any) -> BoolectorBVNode:
        """Implication of words of one bit."""
        x, y = self._bit_pair(a, b)
        return BoolectorBVNode(self, None, x.implies(y))

    def Iff(self, a: Any, b: Any) -> BoolectorBVNode:
        """Equivalence of words of one bit."""
        x, y = self._bit_pair(a, b)
        return BoolectorBVNode(self, None, x.equals(y))

    def Xor(self, a: Any, b: Any) -> BoolectorBVNode:
        """Bitwise exclusive disjunction."""
        return self._join("__xor__", a, b)

    def Xnor(self, a: Any, b: Any) -> BoolectorBVNode:
        """Its complement."""
        return self.Not(self.Xor(a, b))

    def And(self, a: Any, b: Any) -> BoolectorBVNode:
        """Bitwise conjunction."""
        return self._join("__and__", a, b)

    def Nand(self, a: Any, b: Any) -> BoolectorBVNode:
        """Its complement."""
        return self.Not(self.And(a, b))

    def Or(self, a: Any, b: Any) -> BoolectorBVNode:
        """Bitwise disjunction."""
        return self._join("__or__", a, b)

    def Nor(self, a: Any, b: Any) -> BoolectorBVNode:
        """Its complement."""
        return self.Not(self.Or(a, b))

    def Eq(self, a: Any, b: Any) -> BoolectorBVNode:
        """Equality of words, arrays or functions."""
        if isinstance(a, BoolectorBVNode) or isinstance(b, BoolectorBVNode):
            if self._is_bits(a, b):
                return self.Iff(a, b)
            return self._test("equals", a, b)
        if not (isinstance(a, BoolectorNode) and isinstance(b, BoolectorNode)):
            refuse("At least one of the operands must be of type 'BoolectorBVNode'")
        return BoolectorBVNode(self, None, built(self._own(a)._word().equals, self._own(b)._word()))

    def Ne(self, a: Any, b: Any) -> BoolectorBVNode:
        """Its negation."""
        return self.Not(self.Eq(a, b))

    def Add(self, a: Any, b: Any) -> BoolectorBVNode:
        """Sum."""
        return self._word("__add__", a, b)

    def Uaddo(self, a: Any, b: Any) -> BoolectorBVNode:
        """Does the unsigned sum overflow?"""
        return self._test("uadd_overflows", a, b)

    def Saddo(self, a: Any, b: Any) -> BoolectorBVNode:
        """Does the signed sum overflow?"""
        return self._test("sadd_overflows", a, b)

    def Mul(self, a: Any, b: Any) -> BoolectorBVNode:
        """Product."""
        return self._word("__mul__", a, b)

    def Umulo(self, a: Any, b: Any) -> BoolectorBVNode:
        """Does the unsigned product overflow?"""
        return self._test("umul_overflows", a, b)

    def Smulo(self, a: Any, b: Any) -> BoolectorBVNode:
        """Does the signed product overflow?"""
        return self._test("smul_overflows", a, b)

    def Ult(self, a: Any, b: Any) -> BoolectorBVNode:
        """Unsigned less than."""
        return self._test("ult", a, b)

    def Slt(self, a: Any, b: Any) -> BoolectorBVNode:
        """Signed less than."""
        return self._test("slt", a, b)

    def Ulte(self, a: Any, b: Any) -> BoolectorBVNode:
        """Unsigned less than or equal."""
        return self._test("ule", a, b)

    def Slte(self, a: Any, b: Any) -> BoolectorBVNode:
        """Signed less than or equal."""
        return self._test("sle", a, b)

    def Ugt(self, a: Any, b: Any) -> BoolectorBVNode:
        """Unsigned greater than."""
        return self._test("ugt", a, b)

    def Sgt(self, a: Any, b: Any) -> BoolectorBVNode:
        """Signed greater than."""
        return self._test("sgt", a, b)

    def Ugte(self, a: Any, b: Any) -> BoolectorBVNode:
        """Unsigned greater than or equal."""
        return self._test("uge", a, b)

    def Sgte(self, a: Any, b: Any) -> BoolectorBVNode:
        """Signed greater than or equal."""
        return self._test("sge", a, b)

    def Sll(self, a: Any, b: Any) -> BoolectorBVNode:
        """Shift to the left."""
        return self._shift("shl", a, b)

    def Srl(self, a: Any, b: Any) -> BoolectorBVNode:
        """Shift to the right; zeros move in."""
        return self._shift("lshr", a, b)

    def Sra(self, a: Any, b: Any) -> BoolectorBVNode:
        """Shift to the right; copies of the sign move in."""
        return self._shift("ashr", a, b)

    def Rol(self, a: Any, b: Any) -> BoolectorBVNode:
        """Rotation to the left."""
        return self._shift("rotate_left_by", a, b)

    def Ror(self, a: Any, b: Any) -> BoolectorBVNode:
        """Rotation to the right."""
        return self._shift("rotate_right_by", a, b)

    def Sub(self, a: Any, b: Any) -> BoolectorBVNode:
        """Difference."""
        return self._word("__sub__", a, b)

    def Usubo(self, a: Any, b: Any) -> BoolectorBVNode:
        """Does the unsigned difference overflow?"""
        return self._test("usub_overflows", a, b)

    def Ssubo(self, a: Any, b: Any) -> BoolectorBVNode:
        """Does the signed difference overflow?"""
        return self._test("ssub_overflows", a, b)

    def Udiv(self, a: Any, b: Any) -> BoolectorBVNode:
        """Unsigned quotient; all ones when the divisor is zero."""
        return self._word("udiv", a, b)

    def Sdiv(self, a: Any, b: Any) -> BoolectorBVNode:
        """Signed quotient."""
        return self._word("sdiv", a, b)

    def Sdivo(self, a: Any, b: Any) -> BoolectorBVNode:
        """Does the signed quotient overflow?"""
        return self._test("sdiv_overflows", a, b)

    def Urem(self, a: Any, b: Any) -> BoolectorBVNode:
        """Unsigned remainder; the dividend when the divisor is zero."""
        return self._word("urem", a, b)

    def Srem(self, a: Any, b: Any) -> BoolectorBVNode:
        """Signed remainder with the sign of the dividend."""
        return self._word("srem", a, b)

    def Smod(self, a: Any, b: Any) -> BoolectorBVNode:
        """Signed remainder with the sign of the divisor."""
        return self._word("smod", a, b)

    def Concat(self, a: Any, b: Any) -> BoolectorBVNode:
        """Concatenation; the first holds the most significant bits."""
        high, low = (self._own(_need_word(of, what))._word() for of, what in ((a, "a"), (b, "b")))
        return BoolectorBVNode(self, built(high.concat, low))

    def Repeat(self, a: Any, n: int) -> BoolectorBVNode:
        """`n` copies in a row."""
        return BoolectorBVNode(self, built(self._own(_need_word(a, "a"))._word().repeat, whole(n)))

    def Read(self, a: Any, b: Any) -> BoolectorBVNode:
        """The element of an array."""
        array = self._array(a)
        assert array.sort.index is not None
        return BoolectorBVNode(self, built(array.select, self._as_word(b, int(array.sort.index.width or 0))))

    def Write(self, array: Any, index: Any, value: Any) -> BoolectorArrayNode:
        """The array with another element."""
        term = self._array(array)
        assert term.sort.index is not None and term.sort.element is not None
        at = self._as_word(index, int(term.sort.index.width or 0))
        of = self._as_word(value, int(term.sort.element.width or 0))
        return BoolectorArrayNode(self, built(term.store, at, of))

    def _array(self, of: Any) -> Term:
        if isinstance(of, BoolectorArrayNode):
            return self._own(of)._word()
        raise TypeError(f"Argument has incorrect type (expected BoolectorArrayNode, got {type(of).__name__})")

    def Cond(self, cond: Any, a: Any, b: Any) -> Any:
        """If the first, of one bit, is one `a`, else `b`."""
        if isinstance(cond, BoolectorBVNode):
            if self._own(cond).width != 1:
                refuse("bit-width of 'e_cond' must be equal to 1")
            test = cond._truth()
        else:
            test = self._ctx.bool(bool(int(constant(self, cond, 1).value or 0)))  # type: ignore[arg-type]
        if isinstance(a, BoolectorArrayNode) and isinstance(b, BoolectorArrayNode):
            return BoolectorArrayNode(self, built(test.ite, self._own(a)._word(), self._own(b)._word()))
        if self._is_bits(a, b):
            x, y = self._bit_pair(a, b)
            return BoolectorBVNode(self, None, test.ite(x, y))
        x, y = self._pair(a, b)
        return BoolectorBVNode(self, built(test.ite, x, y))

    def Fun(self, params: list[BoolectorBVNode], body: BoolectorBVNode) -> BoolectorFunNode:
        """The function of these parameters that a term defines."""
        if not params or not all(isinstance(param, _BoolectorParamNode) for param in params):
            refuse("expected parameters, made by Param")
        return BoolectorFunNode(self, self._own(body)._word(), [self._own(param)._word() for param in params])

    def Apply(self, args: list[Any], fun: BoolectorFunNode) -> BoolectorBVNode:
        """A function applied to arguments."""
        self._own(fun)
        if len(args) != fun.arity:
            refuse("number of arguments must be equal to the number of parameters in 'e_fun'")
        if fun._params is None:
            sorts = fun._term.sort.params or []
            terms = [self._as_word(arg, int(sort.width or 0)) for arg, sort in zip(args, sorts)]
            return BoolectorBVNode(self, built(fun._term, *terms))
        terms = [self._as_word(arg, int(param.width or 0)) for arg, param in zip(args, fun._params)]
        return BoolectorBVNode(self, built(fun._term.substitute, dict(zip(fun._params, terms))))

    def Exists(self, params: Any, body: Any) -> Any:
        """Refused: there are no quantifiers here."""
        return refuse("Bivalve has no quantifiers; it decides bit-vectors, arrays and functions")

    def Forall(self, params: Any, body: Any) -> Any:
        """Refused: there are no quantifiers here."""
        return refuse("Bivalve has no quantifiers; it decides bit-vectors, arrays and functions")

    # Assertions and checks.

    def _formulas(self, nodes: tuple[Any, ...], word: str) -> list[Term]:
        found = []
        for i, node in enumerate(nodes):
            if not isinstance(node, BoolectorBVNode):
                refuse(f"Argument at position {i} is not a BoolectorNode")
            if self._own(node).width != 1:
                refuse(f"{word} term at position {i} must be of bit width one")
            found.append(node._truth())
        return found

    def _need_incremental(self, name: str) -> None:
        if not self._option(_INCREMENTAL).val:
            refuse(f"{name}: incremental usage has not been enabled")

    def Assert(self, *assertions: Any) -> None:
        """Asserts words of one bit."""
        self._add(self._formulas(assertions, "Asserted"))

    def _add(self, terms: list[Term]) -> None:
        built(self._solver.add, *terms)
        self._log += [(self._solver.levels, term) for term in terms]
        self._model = None

    def Assume(self, *assumptions: Any) -> None:
        """Assumes words of one bit, for the next check."""
        self._need_incremental("Assume")
        self._assumed += self._formulas(assumptions, "Assumed")

    def Failed(self, *assumptions: Any) -> list[bool]:
        """Whether assumptions of the last check are among those that contradict the assertions."""
        if self._last != self.UNSAT:
            refuse("cannot check failed assumptions if input formula is not UNSAT")
        answers = []
        for term in self._formulas(assumptions, "Assumed"):
            if term.id not in self._failed:
                refuse("'exp' must be an assumption")
            answers.append(self._failed[term.id])
        return answers

    def Fixate_assumptions(self) -> None:
        """Asserts the assumptions made since the last check."""
        assumed, self._assumed = self._assumed, []
        self._add(assumed)

    def Reset_assumptions(self) -> None:
        """Forgets the assumptions made since the last check."""
        self._assumed = []

    def Push(self, level: int = 1) -> None:
        """Opens levels."""
        self._need_incremental("Push")
        if self._last == self.SAT and self._model is None:
            self._get_model()
        built(self._solver.push, whole(level))

    def Pop(self, level: int = 1) -> None:
        """Drops levels."""
        self._need_incremental("Pop")
        level = whole(level)
        if level > self._solver.levels:
            refuse(f"can not pop more levels ({level}) than created via push ({self._solver.levels})")
        built(self._solver.pop, level)
        self._log = [(at, term) for at, term in self._log if at <= self._solver.levels]
        self._model = None

    def Sat(self, lod_limit: int = -1, sat_limit: int = -1) -> int:
        """Is there a model of assertions and assumptions? `sat_limit` is the number of conflicts at most."""
        if self._checks:
            self._need_incremental("Sat may only be called once")
        assumed, self._assumed = self._assumed, []
        self._checks += 1
        conflicts = max(whole(sat_limit), 1) if sat_limit >= 0 else None
        self._model = None
        try:
            answer = self._watched(lambda: self._solver.check(*assumed, conflicts=conflicts))
        except BivalveError as error:
            refuse(str(error))
        self._last = int(_RESULTS[answer])
        self._failed = {}
        if answer == Result.UNSAT:
            failed = {term.id for term in self._solver.unsat_assumptions()}
            self._failed = {term.id: term.id in failed for term in assumed}
        return self._last

    def _watched(self, check: Callable[[], Result]) -> Result:
        """A check that ends when `Set_term` says so."""
        terminator = self._terminator
        if terminator is None:
            return check()
        if terminator():
            return Result.UNKNOWN
        ended = Event()

        def watch() -> None:
            while not ended.wait(_PAUSE):
                if terminator():
                    self._solver.interrupt()

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            return check()
        finally:
            ended.set()
            watcher.join()

    def Simplify(self) -> int:
        """Whether rewriting alone decides the assertions."""
        simple = self._ctx.all(*self._solver.assertions).simplify()
        if simple.op != "constant":
            return self.UNKNOWN
        return self.SAT if simple.value else self.UNSAT

    def _value(self, term: Term) -> Any:
        if self._last != self.SAT or (self._model is None and not self._get_model()):
            refuse("cannot retrieve model if input formula is not SAT")
        if not self._option(_MODEL_GEN).val:
            refuse("model generation has not been enabled")
        return value_of(self._model[term], term.sort, self._option(_NUMBER_FORMAT).val)

    def _get_model(self) -> bool:
        try:
            self._model = self._solver.model()
        except BivalveError:
            return False
        return True

    # Clones.

    def Clone(self) -> Boolector:
        """An instance with the same assertions, assumptions and options. Nodes of the one match those of the other."""
        return type(self)(self) if type(self) is Boolector else Boolector(self)

    def Match(self, n: BoolectorNode) -> Any:
        """The node of this instance for that of another one, which it is a clone of or that is a clone of it."""
        self._own(n)
        if isinstance(n, BoolectorBVNode):
            return type(n)(self, n._term, n._formula) if type(n) is BoolectorBVNode else type(n)(self, n._word())
        return BoolectorFunNode(self, n._term, n._params) if isinstance(n, BoolectorFunNode) else type(n)(self, n._term)

    def Match_by_symbol(self, s: str) -> Any:
        """The node with a symbol."""
        term = self._named.get(s)
        if term is None:
            return refuse(f"invalid symbol '{s}', no matching node in given Boolector instance")
        kind = {"bitvec": BoolectorBVNode, "array": BoolectorArrayNode}.get(term.sort.kind, BoolectorFunNode)
        return kind(self, term)

    # Texts.

    def Parse(self, infile: str, outfile: str | None = None) -> tuple[int, int, str | None]:
        """Reads a file in SMT-LIB, BTOR or BTOR2, and checks it if it says so; answer, status and error."""
        if not os.path.isfile(infile):
            refuse(f"File '{infile}' does not exist")
        with open(infile, encoding="utf-8") as file:
            text = file.read()
        try:
            assertions, symbols = self._ctx.parse(text)
        except BivalveError as error:
            return self.PARSE_ERROR, self.UNKNOWN, infile + str(error).removeprefix("text")
        for name, symbol in symbols.items():
            self._name(symbol, name)
        self._add(assertions)
        status = {"sat": self.SAT, "unsat": self.UNSAT}.get(text.partition(":status")[2].split(")")[0].strip(), 0)
        return (self.Sat() if "(check-sat" in text else self.UNKNOWN), status, None

    def Dump(self, format: str = "btor", outfile: str | None = None) -> None:
        """Writes the assertions as a text, in BTOR ("btor") or SMT-LIB ("smt2")."""
        _written(self._text(self._solver.assertions, format), outfile)

    def _text(self, terms: list[Term], format: str) -> str:
        renamed = {
            term: self._ctx.symbol(name, term.sort)
            for name, term in self._named.items()
            if term.op == "symbol" and term.name != name
        }
        terms = [term.substitute(renamed) for term in terms] if renamed else terms
        if format == "smt2":
            return self._ctx.to_smt2(*terms)
        if format != "btor":
            refuse(f"Invalid dump format '{format}'; expected btor or smt2")
        return built(self._ctx.to_btor, *terms)  # type: ignore[no-any-return]

    def _dump_node(self, node: BoolectorNode, format: str, outfile: str | None) -> None:
        if isinstance(node, BoolectorBVNode) and node.width == 1:
            _written(self._text([node._truth()], format), outfile)
        elif format == "smt2":
            _written(f"{node._word()}\n", outfile)
        else:
            refuse(f"a node of {node.width} bits is no formula; it can be dumped in SMT-LIB (\"smt2\")")

    def Print_model(self, format: str = "btor", outfile: str | None = None) -> None:
        """Writes the values of all symbols, in Boolector's own format ("btor") or SMT-LIB ("smt2")."""
        if format == "smt2":
            self._value(self._bits[0])
            _written(f"(\n{self._model})\n", outfile)
            return
        lines = []
        for term in sorted(self._named.values(), key=lambda term: term.id):
            value, name = self._value(term), self._symbols[term.id]
            if isinstance(value, str):
                lines.append(f"{term.id} {value} {name}\n")
                continue
            for at, of in value:
                lines.append(f"{term.id}[{at if isinstance(at, str) else ' '.join(at)}] {of} {name}\n")
        _written("".join(lines), outfile)

    def __reduce__(self) -> Any:
        raise TypeError("an instance belongs to this process and cannot be pickled; send the text that Dump writes")
