"""Sorts, expressions and their builders, by z3's names and with the meanings that z3 documents.

An expression is a term of Bivalve and its context. As in z3, `BitVec("x", 8)` is the same symbol each time, an
integer beside a bit-vector is taken modulo 2^width, `<`, `/`, `%` and `>>` are signed, and division by zero is
that of SMT-LIB.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Callable, NoReturn

from .. import _native
from .._native import BivalveError, FloatValue, Sort, Term
from . import kinds
from .printer import LONG, Doc, sort_text, term_doc, term_text
from .refused import not_pickled, without
from .translation import sort_in, term_in
from .z3types import Z3Exception


def _refuse(problem: str) -> NoReturn:
    raise Z3Exception(problem)


@without("interface of z3 in C", "ref")
@not_pickled("send texts, by Solver.sexpr() or ExprRef.serialize(), and read them there")
class Context:
    """A store of expressions; `main_ctx()` is the one that is used where none is named."""

    def __init__(self) -> None:
        self.native = _native.Context()
        self.symbols: dict[tuple[str, Sort], Term] = {}
        self.sorts: dict[str, Sort] = {}
        #: Data types of other contexts, as they are here.
        self.records: dict[Sort, Sort] = {}
        #: What `Var` makes, by number and sort, and the numbers of these.
        self.variables: dict[tuple[int, Sort], Term] = {}
        self.indices: dict[int, int] = {}
        self.solvers: weakref.WeakSet[Any] = weakref.WeakSet()

    def interrupt(self) -> None:
        """Ends the running checks of this context's solvers, from any thread."""
        for solver in list(self.solvers):
            solver.interrupt()

    def symbol(self, name: object, sort: Sort) -> Term:
        """The symbol of this name and sort."""
        key = (str(name), sort)
        found = self.symbols.get(key)
        if found is None:
            found = self.symbols[key] = self.native.symbol(key[0], sort)
        return found

    def sort(self, name: str) -> Sort:
        """The declared sort of this name."""
        found = self.sorts.get(name)
        if found is None:
            found = self.sorts[name] = self.native.declare_sort(name)
        return found

    def __copy__(self) -> Context:
        return self

    def __deepcopy__(self, memo: Any) -> Context:
        return self


_main = Context()


def main_ctx() -> Context:
    """The context that is used where none is named."""
    return _main


def get_ctx(ctx: Context | None) -> Context:
    """The context, or the one that is used where none is named."""
    return _ctx(ctx)


def _ctx(ctx: Context | None) -> Context:
    return _main if ctx is None else ctx


@without("interface of z3 in C", "as_ast ctx_ref")
@not_pickled("send the text, by serialize(), and read it there by deserialize()")
class AstRef:
    """What expressions, sorts and declarations have in common."""

    __slots__ = ("ctx",)
    ctx: Context

    def __repr__(self) -> str:
        return str(self)

    def use_pp(self) -> bool:
        """Whether it is printed as z3 prints it."""
        return True

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


class SortRef(AstRef):
    """A sort."""

    __slots__ = ("native",)

    def __init__(self, native: Sort, ctx: Context) -> None:
        self.native, self.ctx = native, ctx

    def name(self) -> str:
        """`"Bool"`, `"bv"`, `"Array"`, or the name of a declared sort."""
        kind = self.native.kind
        names = {"bool": "Bool", "bitvec": "bv", "array": "Array", "float": "FloatingPoint"}
        return names.get(kind) or str(self.native.name or self.native)

    def __str__(self) -> str:
        return sort_text(self.native)

    def sexpr(self) -> str:
        """The sort in SMT-LIB syntax."""
        return str(self.native)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SortRef) and self.native == other.native

    def eq(self, other: object) -> bool:
        """Whether they are the same sort."""
        return self == other

    def __hash__(self) -> int:
        return hash(self.native)

    def cast(self, value: Any) -> Any:
        """The value as an expression of this sort."""
        return _to_expr(_operand(value, self.native, self.ctx), self.ctx)

    def kind(self) -> int:
        """One of `Z3_BOOL_SORT`, `Z3_BV_SORT`, `Z3_ARRAY_SORT`, `Z3_UNINTERPRETED_SORT`."""
        return kinds.SORT_KINDS.get(self.native.kind, kinds.Z3_UNINTERPRETED_SORT)

    def __gt__(self, other: SortRef) -> bool:
        return self == other

    def subsort(self, other: SortRef) -> bool:
        """Whether every value of this sort is one of the other."""
        return self == other

    def translate(self, target: Context) -> SortRef:
        """The same sort in another context."""
        return self if target is self.ctx else _to_sort(sort_in(target, self.native), target)


class BoolSortRef(SortRef):
    """The sort of Booleans."""

    __slots__ = ()


class BitVecSortRef(SortRef):
    """A sort of bit-vectors."""

    __slots__ = ()

    def size(self) -> int:
        """The number of bits."""
        return int(self.native.width or 0)


class ArraySortRef(SortRef):
    """A sort of arrays."""

    __slots__ = ()

    def domain(self) -> SortRef:
        """The sort of the indices."""
        assert self.native.index is not None
        return _to_sort(self.native.index, self.ctx)

    def range(self) -> SortRef:
        """The sort of the elements."""
        assert self.native.element is not None
        return _to_sort(self.native.element, self.ctx)

    def domain_n(self, i: int) -> SortRef:
        """The sort of the indices: there is one."""
        return self.domain() if i == 0 else _refuse(f"expected 0, found {i}: arrays have one index here")


_SORTS: dict[str, type[SortRef]] = {"bool": BoolSortRef, "bitvec": BitVecSortRef, "array": ArraySortRef}
_EXPRS: dict[str, type[ExprRef]] = {}
_CONSTANTS: dict[str, type[ExprRef]] = {}
_NUMBERS: dict[str, Callable[[Any, Sort, Context], Term]] = {}


def register(
    kind: str,
    sort: type[SortRef],
    expr: type[ExprRef],
    constant: type[ExprRef] | None = None,
    number: Callable[[Any, Sort, Context], Term] | None = None,
) -> None:
    """Adds a kind of sorts that has a file of its own: its classes, and what a Python number becomes there."""
    _SORTS[kind], _EXPRS[kind] = sort, expr
    if constant is not None:
        _CONSTANTS[kind] = constant
    if number is not None:
        _NUMBERS[kind] = number


_DECLS: dict[str, Callable[[Term, Context], FuncDeclRef]] = {}


def register_decls(ops: Iterable[str], decl: Callable[[Term, Context], FuncDeclRef]) -> None:
    """Adds operators whose declarations are of a class of their own."""
    _DECLS.update(dict.fromkeys(ops, decl))


_FORMS: dict[str, Callable[[Term, Context], ExprRef | None]] = {}


def register_form(op: str, form: Callable[[Term, Context], ExprRef | None]) -> None:
    """Adds an operator some of whose expressions are of a class of their own."""
    _FORMS[op] = form


def _to_sort(native: Sort, ctx: Context) -> SortRef:
    return _SORTS.get(native.kind, SortRef)(native, ctx)


def _number(value: Any) -> int:
    """An integer as z3 takes it: also a Boolean, or digits."""
    if isinstance(value, str):
        digits = value[1:] if value[:1] == "-" else value
        return int(value) if digits.isascii() and digits.isdigit() else _refuse(f"expected digits, found {value!r}")
    if hasattr(value, "__index__"):
        return int(value.__index__())
    return _refuse(f"expected an integer or an expression, found {value!r}")


def _operand(value: Any, sort: Sort | None, ctx: Context) -> Term:
    """The term of a value; integers and Booleans become constants of `sort`."""
    if isinstance(value, ExprRef):
        return value.native
    if sort is None:
        return _refuse(f"expected an expression, found {value!r}; integers have no sort of their own here")
    if sort.width is not None:
        return ctx.native.bv(_number(value) % (1 << sort.width), sort.width)
    if sort.kind == "bool" and isinstance(value, bool):
        return ctx.native.bool(value)
    if sort.kind in _NUMBERS:
        return _NUMBERS[sort.kind](value, sort, ctx)
    return _refuse(f"expected an expression of sort {sort_text(sort)}, found {value!r}")


def _built(build: Any, *args: Any) -> Any:
    """A term or a sort, or z3's exception with the reason why there is none."""
    try:
        return build(*args)
    except (BivalveError, TypeError, ValueError, OverflowError, IndexError) as error:
        raise Z3Exception(str(error)) from None


def _as_z3(text: str) -> str:
    """The text, with constants of 4, 8, 12 ... bits in hexadecimal, and rounding modes by their long names; quoted
    symbols stay."""
    import re

    def constant(found: re.Match[str]) -> str:
        text, width = found[0], len(found[0]) - 2
        if text[0] == "R":
            return f"r{LONG[text][1:]}"
        if text[0] == "|" or width % 4:
            return text
        return f"#x{int(text[2:], 2):0{width // 4}x}"

    return re.sub(r"\|[^|]*\||#b[01]+|(?<![^\s()])(?:RNE|RNA|RTP|RTN|RTZ)(?![^\s()])", constant, text)


class ExprRef(AstRef):
    """An expression."""

    __slots__ = ("native",)

    def __init__(self, native: Term, ctx: Context) -> None:
        self.native, self.ctx = native, ctx

    def __str__(self) -> str:
        return term_text(self.native)

    def _doc(self) -> Doc:
        return term_doc(self.native)

    def _repr_html_(self) -> str:
        return self.native._repr_html_()

    def sexpr(self) -> str:
        """The text in SMT-LIB syntax. Constants of 4, 8, 12 ... bits are hexadecimal, as z3 writes them."""
        return _as_z3(str(self.native))

    def sort(self) -> Any:
        """The sort."""
        return _to_sort(self.native.sort, self.ctx)

    def sort_kind(self) -> int:
        """The kind of the sort."""
        return int(self.sort().kind())

    def eq(self, other: object) -> bool:
        """Whether they are the same expression."""
        return isinstance(other, ExprRef) and self.native.is_same(other.native)

    def get_id(self) -> int:
        """A number that no other expression of the context has."""
        return self.native.id

    def kind(self) -> int:
        """The kind of the operator: one of the numbers `Z3_OP_...`."""
        return self.decl().kind()

    def hash(self) -> int:
        """The hash."""
        return hash(self.native)

    def __hash__(self) -> int:
        return hash(self.native)

    def children(self) -> list[Any]:
        """The arguments."""
        args = self.native.args
        return [_to_expr(arg, self.ctx) for arg in (args[1:] if self.native.op == "apply" else args)]

    def num_args(self) -> int:
        """The number of arguments."""
        return len(self.native.args) - (self.native.op == "apply")

    def arg(self, i: int) -> Any:
        """An argument, counted from 0."""
        children = self.children()
        if not 0 <= i < len(children):
            _refuse("Invalid argument index")
        return children[i]

    def decl(self) -> FuncDeclRef:
        """The operator, or the function symbol."""
        return _DECLS.get(self.native.op, FuncDeclRef)(self.native, self.ctx)

    def params(self) -> list[Any]:
        """The indices of an indexed operator."""
        return self.decl().params()

    def update(self, *args: Any) -> Any:
        """The operator with other arguments."""
        if len(args) != self.num_args():
            _refuse(f"expected {self.num_args()} arguments, found {len(args)}")
        native, op = self.native, self.native.op
        if not args:
            return self
        terms = [_operand(arg, of.native.sort, self.ctx) for arg, of in zip(args, self.children())]
        if op == "const":
            return _to_expr(_built(self.ctx.native.const_array, native.sort, terms[0]), self.ctx)
        function = native.args[:1] if op == "apply" else []
        return _to_expr(_built(self.ctx.native.app, op, native.indices, [*function, *terms]), self.ctx)

    def serialize(self) -> str:
        """A text from which `deserialize` makes the expression again."""
        function = Function("F", self.sort(), BoolSort(self.ctx))
        return declared(self.ctx.native.to_smt2(function(self).native))

    def _with(self, other: Any) -> tuple[Term, Term]:
        if not isinstance(other, ExprRef):
            return self.native, _operand(other, self.native.sort, self.ctx)
        mine, others = self.native, other.native
        if mine.width != others.width or (mine.width is None and mine.sort != others.sort):
            if isinstance(other, BitVecRef) and isinstance(self, BitVecRef):
                _refuse(f"bit-vectors of {self.size()} and {other.size()} bits do not go together")
            _refuse(f"sorts {self.sort()} and {other.sort()} do not go together")
        return mine, others

    def __eq__(self, other: object) -> Any:
        if other is None:
            return False
        x, y = self._with(other)
        return BoolRef(_built(x.equals, y), self.ctx)

    def __ne__(self, other: object) -> Any:
        if other is None:
            return True
        x, y = self._with(other)
        return BoolRef(_built(x.distinct, y), self.ctx)

    def __bool__(self) -> bool:
        term = self.native
        if term.op == "constant" and term.sort.kind == "bool":
            return bool(term.value)
        if term.op == "=" and len(term.args) == 2:
            return term.args[0].is_same(term.args[1])
        return bool(_refuse("Symbolic expressions cannot be cast to concrete Boolean values."))

    def translate(self, target: Context) -> Any:
        """The same expression in another context, over the symbols with the same names there."""
        return self if target is self.ctx else _to_expr(term_in(target, self.native), target)


class BoolRef(ExprRef):
    """A Boolean expression."""

    __slots__ = ()

    def __and__(self, other: Any) -> BoolRef:
        return And(self, other)

    def __rand__(self, other: Any) -> BoolRef:
        return And(other, self)

    def __or__(self, other: Any) -> BoolRef:
        return Or(self, other)

    def __ror__(self, other: Any) -> BoolRef:
        return Or(other, self)

    def __xor__(self, other: Any) -> BoolRef:
        return Xor(self, other)

    def __rxor__(self, other: Any) -> BoolRef:
        return Xor(other, self)

    def __invert__(self) -> BoolRef:
        return Not(self)

    def __add__(self, other: Any) -> NoReturn:
        _refuse(
            "a sum of Booleans is an integer, and integers are not decided here; AtMost, AtLeast, PbLe, PbGe and PbEq "
            "say how many hold, and sums of If(p, BitVecVal(1, n), 0) are words"
        )

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        """The other factor if this holds, else zero."""
        return If(self, other, 0) if isinstance(other, BitVecRef) else self.__add__(other)

    __rmul__ = __mul__

    def py_value(self) -> bool | None:
        """The value of a constant; `None` for others."""
        return self.native.value if self.native.op == "constant" else None  # type: ignore[return-value]


# The operators of bit-vectors are what most time goes into, so they ask the native half first, and look for what is
# wrong only if it refuses.


def _beside(self: BitVecRef, other: Any) -> Any:
    """What the native half takes for the other operand."""
    if isinstance(other, BitVecRef):
        return other.native
    return other % (1 << self.size()) if type(other) is int else self._with(other)[1]


def _refused(self: BitVecRef, other: Any, error: Exception) -> NoReturn:
    self._with(other)
    raise Z3Exception(str(error)) from None


def _operator(build: Callable[[Term, Any], Term]) -> Callable[[BitVecRef, Any], BitVecRef]:
    def method(self: BitVecRef, other: Any) -> BitVecRef:
        try:
            return BitVecRef(build(self.native, _beside(self, other)), self.ctx)
        except BivalveError as error:
            _refused(self, other, error)

    return method


def _reflected(build: Callable[[Term, Any], Term]) -> Callable[[BitVecRef, Any], BitVecRef]:
    def method(self: BitVecRef, other: Any) -> BitVecRef:
        x, y = self._with(other)
        return BitVecRef(build(y, x), self.ctx)

    return method


def _comparison(build: Callable[[Term, Any], Term]) -> Callable[[BitVecRef, Any], BoolRef]:
    def method(self: BitVecRef, other: Any) -> BoolRef:
        try:
            return BoolRef(build(self.native, _beside(self, other)), self.ctx)
        except BivalveError as error:
            _refused(self, other, error)

    return method


class BitVecRef(ExprRef):
    """A bit-vector expression."""

    __slots__ = ()

    def size(self) -> int:
        """The number of bits."""
        return int(self.native.width or 0)

    __add__, __radd__ = _operator(Term.__add__), _reflected(Term.__add__)
    __sub__, __rsub__ = _operator(Term.__sub__), _reflected(Term.__sub__)
    __mul__, __rmul__ = _operator(Term.__mul__), _reflected(Term.__mul__)
    __and__, __rand__ = _operator(Term.__and__), _reflected(Term.__and__)
    __or__, __ror__ = _operator(Term.__or__), _reflected(Term.__or__)
    __xor__, __rxor__ = _operator(Term.__xor__), _reflected(Term.__xor__)
    __truediv__, __rtruediv__ = _operator(Term.sdiv), _reflected(Term.sdiv)
    __mod__, __rmod__ = _operator(Term.smod), _reflected(Term.smod)
    __lshift__, __rlshift__ = _operator(Term.shl), _reflected(Term.shl)
    __rshift__, __rrshift__ = _operator(Term.ashr), _reflected(Term.ashr)
    __div__, __rdiv__ = __truediv__, __rtruediv__
    __lt__ = _comparison(Term.slt)
    __le__ = _comparison(Term.sle)
    __gt__ = _comparison(Term.sgt)
    __ge__ = _comparison(Term.sge)

    def __neg__(self) -> BitVecRef:
        return BitVecRef(-self.native, self.ctx)

    def __pos__(self) -> BitVecRef:
        return self

    def __invert__(self) -> BitVecRef:
        return BitVecRef(~self.native, self.ctx)


class BitVecNumRef(BitVecRef):
    """A bit-vector constant."""

    __slots__ = ()

    def as_long(self) -> int:
        """The unsigned number."""
        return int(self.native.value)  # type: ignore[arg-type]

    def as_signed_long(self) -> int:
        """The number in two's complement."""
        value = self.as_long()
        return value - (1 << self.size()) if value >> (self.size() - 1) else value

    def as_string(self) -> str:
        """The unsigned number in decimal."""
        return str(self.as_long())

    def as_binary_string(self) -> str:
        """The unsigned number in binary, without zeros in front."""
        return f"{self.as_long():b}"

    def py_value(self) -> int:
        """The unsigned number."""
        return self.as_long()


class ArrayRef(ExprRef):
    """An array expression."""

    __slots__ = ()

    def domain(self) -> SortRef:
        """The sort of the indices."""
        return self.sort().domain()  # type: ignore[no-any-return]

    def range(self) -> SortRef:
        """The sort of the elements."""
        return self.sort().range()  # type: ignore[no-any-return]

    def __iter__(self) -> NoReturn:
        # Python would read at 0, 1, 2 and so on, without an end.
        raise TypeError("an array has too many elements to walk through")

    def __getitem__(self, index: Any) -> Any:
        return Select(self, index)

    def domain_n(self, i: int) -> SortRef:
        """The sort of the indices: there is one."""
        return self.domain() if i == 0 else _refuse(f"expected 0, found {i}: arrays have one index here")

    def default(self) -> Any:
        """The element that all indices without a write have; of arrays over a constant one."""
        return Default(self)


def _to_expr(native: Term, ctx: Context) -> Any:
    op = native.op
    if native.width is not None:
        return (BitVecNumRef if op == "constant" else BitVecRef)(native, ctx)
    kind = native.sort.kind
    if kind == "function":
        return FuncDeclRef(native, ctx)
    if op in _FORMS and (formed := _FORMS[op](native, ctx)) is not None:
        return formed
    if op == "constant" and kind in _CONSTANTS:
        return _CONSTANTS[kind](native, ctx)
    return _EXPRS.get(kind, ExprRef)(native, ctx)


_EXPRS |= {"bool": BoolRef, "array": ArrayRef}


#: The names of constants of floating-point sorts that are no plain numbers.
_FLOAT_NAMES = {
    kinds.Z3_OP_FPA_NAN: "NaN",
    kinds.Z3_OP_FPA_PLUS_INF: "+oo",
    kinds.Z3_OP_FPA_MINUS_INF: "-oo",
    kinds.Z3_OP_FPA_PLUS_ZERO: "+zero",
    kinds.Z3_OP_FPA_MINUS_ZERO: "-zero",
}


def _float_kind(value: FloatValue) -> int:
    if value.is_nan:
        return kinds.Z3_OP_FPA_NAN
    if value.is_infinite:
        return kinds.Z3_OP_FPA_MINUS_INF if value.sign else kinds.Z3_OP_FPA_PLUS_INF
    if value.is_zero:
        return kinds.Z3_OP_FPA_MINUS_ZERO if value.sign else kinds.Z3_OP_FPA_PLUS_ZERO
    return kinds.Z3_OP_FPA_NUM


#: Operators whose declarations z3 calls otherwise.
_NAMES = {"ite": "if", "const": "const"}


class FuncDeclRef(AstRef):
    """A function symbol, a constant symbol, or the operator of an expression."""

    __slots__ = ("native",)

    def __init__(self, native: Term, ctx: Context) -> None:
        self.native, self.ctx = native, ctx

    @property
    def _symbol(self) -> Term | None:
        """The symbol that this is the declaration of."""
        if self.native.op == "apply":
            return self.native.args[0]
        return self.native if self.native.op == "symbol" else None

    def _signature(self) -> tuple[list[Sort], Sort]:
        sort = self._symbol.sort if self._symbol is not None else self.native.sort
        if self._symbol is None:
            return [arg.sort for arg in self.native.args], sort
        return (sort.params or []), (sort.result or sort)

    def name(self) -> str:
        """The name; of an operator that of SMT-LIB."""
        if self._symbol is not None:
            return str(self._symbol.name)
        if self.native.op == "constant":
            kind = self.native.sort.kind
            if kind == "float":
                return _FLOAT_NAMES.get(self.kind(), "fp.numeral")
            if kind == "rounding_mode":
                return _as_z3(str(self.native))
            if kind == "real":
                return "Real"
            return "bv" if self.native.width else str(self.native.value).lower()
        return _NAMES.get(self.native.op, self.native.op)

    def arity(self) -> int:
        """The number of arguments; 0 for a constant symbol."""
        return len(self._signature()[0])

    def domain(self, i: int) -> SortRef:
        """The sort of an argument, counted from 0."""
        return _to_sort(self._signature()[0][i], self.ctx)

    def range(self) -> SortRef:
        """The sort of the result."""
        return _to_sort(self._signature()[1], self.ctx)

    def kind(self) -> int:
        """The kind of the operator: one of the numbers `Z3_OP_...`."""
        if self.native.op == "constant":
            value = self.native.value
            if self.native.width:
                return kinds.Z3_OP_BNUM
            if isinstance(value, FloatValue):
                return _float_kind(value)
            if self.native.sort.kind == "rounding_mode":
                return kinds.MODES[str(value)]
            if self.native.sort.kind == "real":
                return kinds.Z3_OP_ANUM
            return kinds.Z3_OP_TRUE if self.native.value else kinds.Z3_OP_FALSE
        return kinds.KINDS.get(self.native.op, kinds.Z3_OP_INTERNAL)

    def params(self) -> list[int]:
        """The indices of an indexed operator."""
        return list(self.native.indices)

    def __call__(self, *args: Any) -> Any:
        symbol = self._symbol
        if symbol is None:
            return _refuse(f"the operator {self.name()} is applied by its own function, not by its declaration")
        params = self._signature()[0]
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = tuple(args[0])
        if len(args) != len(params):
            _refuse(f"'{self.name()}' expects {len(params)} arguments, found {len(args)}")
        if not params:
            return _to_expr(symbol, self.ctx)
        terms = [_operand(arg, sort, self.ctx) for arg, sort in zip(args, params)]
        return _to_expr(_built(symbol, *terms), self.ctx)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FuncDeclRef):
            return False
        mine, others = self._symbol, other._symbol
        if mine is None or others is None:
            return mine is others and (self.kind(), self._signature()) == (other.kind(), other._signature())
        return mine.is_same(others)

    def eq(self, other: object) -> bool:
        """Whether they are the same declaration."""
        return self == other

    def __hash__(self) -> int:
        return hash(self._symbol) if self._symbol is not None else hash(self.native.op)

    def __str__(self) -> str:
        return self.name()

    def translate(self, target: Context) -> FuncDeclRef:
        """The same declaration in another context."""
        return self if target is self.ctx else FuncDeclRef(term_in(target, self.native), target)

    def sexpr(self) -> str:
        """The declaration in SMT-LIB syntax."""
        params, result = self._signature()
        return f"(declare-fun {self.name()} ({' '.join(map(str, params))}) {result})"


# Sorts.


def BoolSort(ctx: Context | None = None) -> BoolSortRef:
    """The sort of Booleans."""
    return BoolSortRef(_ctx(ctx).native.bool_sort(), _ctx(ctx))


def BitVecSort(sz: int, ctx: Context | None = None) -> BitVecSortRef:
    """The sort of bit-vectors of `sz` bits."""
    try:
        return BitVecSortRef(_ctx(ctx).native.bv_sort(sz), _ctx(ctx))
    except (TypeError, ValueError, OverflowError) as error:
        raise Z3Exception(str(error)) from None


def ArraySort(*sig: SortRef) -> ArraySortRef:
    """The sort of arrays from the first sort to the second."""
    if len(sig) != 2:
        _refuse("arrays have one index sort and one element sort here")
    domain, range_ = sig
    return ArraySortRef(_native_sort(domain.ctx, domain.native, range_.native), domain.ctx)


def _native_sort(ctx: Context, index: Sort, element: Sort) -> Sort:
    return _built(ctx.native.array_sort, index, element)  # type: ignore[no-any-return]


def DeclareSort(name: str, ctx: Context | None = None) -> SortRef:
    """The uninterpreted sort of this name; the same each time."""
    ctx = _ctx(ctx)
    return SortRef(ctx.sort(str(name)), ctx)


# Symbols and constants.


def Const(name: object, sort: SortRef) -> Any:
    """The symbol of this name and sort."""
    return _to_expr(sort.ctx.symbol(name, sort.native), sort.ctx)


def Consts(names: str | Sequence[str], sort: SortRef) -> list[Any]:
    """Symbols by their names, which are separated by blanks."""
    return [Const(name, sort) for name in _names(names)]


def _names(names: str | Sequence[str]) -> Sequence[str]:
    return names.split() if isinstance(names, str) else names


def Bool(name: object, ctx: Context | None = None) -> BoolRef:
    """A Boolean symbol."""
    return Const(name, BoolSort(ctx))  # type: ignore[no-any-return]


def Bools(names: str | Sequence[str], ctx: Context | None = None) -> list[BoolRef]:
    """Boolean symbols by their names, which are separated by blanks."""
    return [Bool(name, ctx) for name in _names(names)]


def BoolVector(prefix: str, sz: int, ctx: Context | None = None) -> list[BoolRef]:
    """Boolean symbols `prefix__0` and so on."""
    return [Bool(f"{prefix}__{i}", ctx) for i in range(sz)]


def BoolVal(val: Any, ctx: Context | None = None) -> BoolRef:
    """A Boolean constant."""
    return BoolRef(_ctx(ctx).native.bool(bool(val)), _ctx(ctx))


def BitVec(name: object, bv: int | BitVecSortRef, ctx: Context | None = None) -> BitVecRef:
    """A bit-vector symbol of `bv` bits."""
    return Const(name, bv if isinstance(bv, BitVecSortRef) else BitVecSort(bv, ctx))  # type: ignore[no-any-return]


def BitVecs(names: str | Sequence[str], bv: int | BitVecSortRef, ctx: Context | None = None) -> list[BitVecRef]:
    """Bit-vector symbols by their names, which are separated by blanks."""
    return [BitVec(name, bv, ctx) for name in _names(names)]


def BitVecVal(val: Any, bv: int | BitVecSortRef, ctx: Context | None = None) -> BitVecNumRef:
    """The bit-vector constant `val` modulo 2^width."""
    sort = bv if isinstance(bv, BitVecSortRef) else BitVecSort(bv, ctx)
    return BitVecNumRef(_operand(_number(val), sort.native, sort.ctx), sort.ctx)


def Array(name: object, *sorts: SortRef) -> ArrayRef:
    """An array symbol."""
    return Const(name, ArraySort(*sorts))  # type: ignore[no-any-return]


def Function(name: object, *sig: SortRef) -> FuncDeclRef:
    """A function symbol; the last sort is that of the result. Without others it is a constant symbol."""
    sorts = _list(sig)
    if not sorts or not all(isinstance(sort, SortRef) for sort in sorts):
        _refuse("At least two arguments expected: a name and sorts")
    ctx, result = sorts[0].ctx, sorts[-1].native
    params = [param.native for param in sorts[:-1]]
    sort = _built(ctx.native.function_sort, params, result) if params else result
    return FuncDeclRef(ctx.symbol(name, sort), ctx)


def _fresh(prefix: str, sort: SortRef) -> Any:
    ctx = sort.ctx
    return _to_expr(ctx.native.symbol(f"{prefix}!{len(ctx.native)}", sort.native), ctx)


def FreshConst(sort: SortRef, prefix: str = "c") -> Any:
    """A symbol that no other one is."""
    return _fresh(prefix, sort)


def FreshFunction(*sig: SortRef) -> FuncDeclRef:
    """A function symbol that no other one is; the last sort is that of the result."""
    return Function(f"f!{len(sig[0].ctx.native)}", *sig) if sig else _refuse("At least one sort expected")


def FreshBool(prefix: str = "b", ctx: Context | None = None) -> BoolRef:
    """A Boolean symbol that no other one is."""
    return _fresh(prefix, BoolSort(ctx))  # type: ignore[no-any-return]


# Core.


#: What may stand for several arguments.
_LISTS = (list, tuple, set, frozenset, Iterator)


def _list(args: Sequence[Any]) -> list[Any]:
    """Arguments that may be given as one list or iterator."""
    return list(args[0] if len(args) == 1 and isinstance(args[0], _LISTS) else args)


def _context_of(args: Iterable[Any], ctx: Context | None = None) -> Context:
    return next((arg.ctx for arg in args if isinstance(arg, AstRef)), _ctx(ctx))


def _connective(name: str, args: Sequence[Any]) -> BoolRef:
    if args and isinstance(args[-1], Context):
        ctx, args = args[-1], args[:-1]
        args = _list(args)
    else:
        args = _list(args)
        ctx = _context_of(args)
    terms = [_operand(arg, ctx.native.bool_sort(), ctx) for arg in args]
    return BoolRef(_built(getattr(ctx.native, name), *terms), ctx)


def And(*args: Any) -> BoolRef:
    """Conjunction of Booleans, given one by one or as a list."""
    return _connective("all", args)


def Or(*args: Any) -> BoolRef:
    """Disjunction of Booleans, given one by one or as a list."""
    return _connective("any", args)


def _boolean(value: Any, ctx: Context) -> Term:
    return _operand(value, ctx.native.bool_sort(), ctx)


def _formulas(args: Any, ctx: Context) -> Iterator[Term]:
    """Formulas that are given one by one, as lists or by iterators."""
    for arg in args:
        if isinstance(arg, _LISTS):
            yield from _formulas(arg, ctx)
        elif isinstance(arg, ExprRef) and not isinstance(arg, BoolRef):
            _refuse(f"expected a Boolean, found sort {arg.sort()}")
        else:
            yield _boolean(arg, ctx)


def Not(a: Any, ctx: Context | None = None) -> BoolRef:
    """Negation of a Boolean."""
    ctx = _context_of([a], ctx)
    term = _boolean(a, ctx)
    if term.sort.kind != "bool":
        _refuse(f"expected a Boolean, found sort {sort_text(term.sort)}")
    return BoolRef(~term, ctx)


def Implies(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """Implication of Booleans."""
    ctx = _context_of([a, b], ctx)
    return BoolRef(_built(_boolean(a, ctx).implies, _boolean(b, ctx)), ctx)


def Xor(a: Any, b: Any, ctx: Context | None = None) -> BoolRef:
    """Exclusive disjunction of Booleans."""
    ctx = _context_of([a, b], ctx)
    x, y = _boolean(a, ctx), _boolean(b, ctx)
    if x.sort.kind != "bool":
        _refuse(f"expected a Boolean, found sort {sort_text(x.sort)}")
    return BoolRef(_built(x.__xor__, y), ctx)


def If(a: Any, b: Any, c: Any, ctx: Context | None = None) -> Any:
    """If the Boolean `a` is true `b`, else `c`."""
    ctx = _context_of([a, b, c], ctx)
    sort = next((part.native.sort for part in (b, c) if isinstance(part, ExprRef)), None)
    if sort is None and isinstance(b, bool) and isinstance(c, bool):
        sort = ctx.native.bool_sort()
    term = _built(_boolean(a, ctx).ite, _operand(b, sort, ctx), _operand(c, sort, ctx))
    return _to_expr(term, ctx)


def Distinct(*args: Any) -> BoolRef:
    """All of them differ from each other."""
    args = tuple(_list(args))
    ctx = _context_of(args)
    sort = next((arg.native.sort for arg in args if isinstance(arg, ExprRef)), None)
    if sort is None:
        _refuse("at least one of the arguments is an expression")
    return BoolRef(_built(ctx.native.distinct, *(_operand(arg, sort, ctx) for arg in args)), ctx)


# Bit-vectors.


def _bits(a: Any) -> BitVecRef:
    return a if isinstance(a, BitVecRef) else _refuse(f"expected a bit-vector, found {a!r}")


def _pair(a: Any, b: Any) -> tuple[Term, Term, Context]:
    """Two bit-vectors, one of which may be an integer."""
    one = a if isinstance(a, BitVecRef) else _bits(b)
    x, y = one._with(b if one is a else a)
    return (x, y, one.ctx) if one is a else (y, x, one.ctx)


def BvNand(a: Any, b: Any) -> BitVecRef:
    """The complement of the bitwise conjunction."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.nand(y), ctx)


def BvNor(a: Any, b: Any) -> BitVecRef:
    """The complement of the bitwise disjunction."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.nor(y), ctx)


def BvXnor(a: Any, b: Any) -> BitVecRef:
    """The complement of the bitwise exclusive disjunction."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.xnor(y), ctx)


def ULT(a: Any, b: Any) -> BoolRef:
    """Unsigned `a < b`."""
    x, y, ctx = _pair(a, b)
    return BoolRef(x.ult(y), ctx)


def ULE(a: Any, b: Any) -> BoolRef:
    """Unsigned `a <= b`."""
    x, y, ctx = _pair(a, b)
    return BoolRef(x.ule(y), ctx)


def UGT(a: Any, b: Any) -> BoolRef:
    """Unsigned `a > b`."""
    x, y, ctx = _pair(a, b)
    return BoolRef(x.ugt(y), ctx)


def UGE(a: Any, b: Any) -> BoolRef:
    """Unsigned `a >= b`."""
    x, y, ctx = _pair(a, b)
    return BoolRef(x.uge(y), ctx)


def UDiv(a: Any, b: Any) -> BitVecRef:
    """Unsigned quotient; all ones when the divisor is zero."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.udiv(y), ctx)


def URem(a: Any, b: Any) -> BitVecRef:
    """Unsigned remainder; the dividend when the divisor is zero."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.urem(y), ctx)


def SRem(a: Any, b: Any) -> BitVecRef:
    """Signed remainder with the sign of the dividend."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.srem(y), ctx)


def LShR(a: Any, b: Any) -> BitVecRef:
    """Shift to the right; zeros move in."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.lshr(y), ctx)


def RotateLeft(a: Any, b: Any) -> BitVecRef:
    """Rotation to the left by an expression or an integer, modulo the width."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.rotate_left_by(y), ctx)


def RotateRight(a: Any, b: Any) -> BitVecRef:
    """Rotation to the right by an expression or an integer, modulo the width."""
    x, y, ctx = _pair(a, b)
    return BitVecRef(x.rotate_right_by(y), ctx)


def Concat(*args: Any) -> BitVecRef:
    """Concatenation; the first holds the most significant bits."""
    parts = [_bits(arg) for arg in _list(args)]
    if len(parts) < 2:
        _refuse("At least two arguments expected.")
    term = parts[0].native
    for part in parts[1:]:
        term = _built(term.concat, part.native)
    return BitVecRef(term, parts[0].ctx)


def Extract(high: int, low: int, a: Any) -> BitVecRef:
    """Bits `high` down to `low`, both included."""
    return BitVecRef(_built(_bits(a).native.extract, high, low), a.ctx)


def ZeroExt(n: int, a: Any) -> BitVecRef:
    """`n` zeros put in front."""
    return BitVecRef(_built(_bits(a).native.zero_extend, n), a.ctx)


def SignExt(n: int, a: Any) -> BitVecRef:
    """`n` copies of the sign bit put in front."""
    return BitVecRef(_built(_bits(a).native.sign_extend, n), a.ctx)


def RepeatBitVec(n: int, a: Any) -> BitVecRef:
    """`n` copies in a row."""
    return BitVecRef(_built(_bits(a).native.repeat, n), a.ctx)


def BVRedAnd(a: Any) -> BitVecRef:
    """One bit: the conjunction of all bits."""
    return BitVecRef(_bits(a).native.redand(), a.ctx)


def BVRedOr(a: Any) -> BitVecRef:
    """One bit: the disjunction of all bits."""
    return BitVecRef(_bits(a).native.redor(), a.ctx)


def _within(a: Any, b: Any, name: str, low: bool, high: bool) -> BoolRef:
    """Whether the exact signed result is at least the least (`low`), and at most the greatest value (`high`)."""
    x, y, ctx = _pair(a, b)
    width = int(x.width or 0)
    extra = width if name == "__mul__" else 1
    exact = getattr(x.sign_extend(extra), name)(y.sign_extend(extra))
    bounds = [exact.sge(-(1 << (width - 1)))] * low + [exact.sle((1 << (width - 1)) - 1)] * high
    return BoolRef(ctx.native.all(*bounds), ctx)


def BVAddNoOverflow(a: Any, b: Any, signed: bool) -> BoolRef:
    """The sum is not too large."""
    x, y, ctx = _pair(a, b)
    return _within(a, b, "__add__", False, True) if signed else BoolRef(~x.uadd_overflows(y), ctx)


def BVAddNoUnderflow(a: Any, b: Any) -> BoolRef:
    """The signed sum is not too small."""
    return _within(a, b, "__add__", True, False)


def BVSubNoOverflow(a: Any, b: Any) -> BoolRef:
    """The signed difference is not too large."""
    return _within(a, b, "__sub__", False, True)


def BVSubNoUnderflow(a: Any, b: Any, signed: bool) -> BoolRef:
    """The difference is not too small."""
    return _within(a, b, "__sub__", True, False) if signed else UGE(a, b)


def BVMulNoOverflow(a: Any, b: Any, signed: bool) -> BoolRef:
    """The product is not too large."""
    x, y, ctx = _pair(a, b)
    return _within(a, b, "__mul__", False, True) if signed else BoolRef(~x.umul_overflows(y), ctx)


def BVMulNoUnderflow(a: Any, b: Any) -> BoolRef:
    """The signed product is not too small."""
    return _within(a, b, "__mul__", True, False)


def BVSDivNoOverflow(a: Any, b: Any) -> BoolRef:
    """The signed quotient is not too large: it is not that of the least value by -1."""
    x, y, ctx = _pair(a, b)
    return BoolRef(~x.sdiv_overflows(y), ctx)


def BVSNegNoOverflow(a: Any) -> BoolRef:
    """The negation is not too large: it is not that of the least value."""
    return BoolRef(~_bits(a).native.neg_overflows(), a.ctx)


def Sum(*args: Any) -> BitVecRef | int:
    """The sum of bit-vectors; 0 for none."""
    return _folded(_list(args), lambda x, y: x + y, 0)


def Product(*args: Any) -> BitVecRef | int:
    """The product of bit-vectors; 1 for none."""
    return _folded(_list(args), lambda x, y: x * y, 1)


def _folded(args: list[Any], join: Any, none: int) -> BitVecRef | int:
    if not args:
        return none
    if not any(isinstance(arg, BitVecRef) for arg in args):
        _refuse(
            "at least one of the arguments is a bit-vector; integers are not decided here (AtMost, AtLeast, PbLe, PbGe "
            "and PbEq say how many Booleans hold)"
        )
    total: Any = none
    for arg in args:
        total = join(total, arg)
    return total  # type: ignore[no-any-return]


# Arrays.


def _array(a: Any) -> ArrayRef:
    return a if isinstance(a, ArrayRef) else _refuse(f"expected an array, found {a!r}")


def Select(a: Any, i: Any) -> Any:
    """The element of an array at an index."""
    index = _operand(i, _array(a).native.sort.index, a.ctx)
    return _to_expr(_built(a.native.select, index), a.ctx)


def Store(a: Any, *args: Any) -> ArrayRef:
    """The array but for an index, where the element is another."""
    if len(args) != 2:
        _refuse("expected an array, an index and an element")
    sort = _array(a).native.sort
    index, element = _operand(args[0], sort.index, a.ctx), _operand(args[1], sort.element, a.ctx)
    return ArrayRef(_built(a.native.store, index, element), a.ctx)


Update = Store


def Default(a: Any) -> Any:
    """The element that all indices without a write have; of arrays over a constant one, or a choice of such."""
    below = _array(a)
    while is_store(below):
        below = below.arg(0)
    if is_const_array(below):
        return below.arg(0)
    if is_app_of(below, kinds.Z3_OP_ITE):
        condition, then, otherwise = below.children()
        return If(condition, Default(then), Default(otherwise))
    return _refuse("Default: only arrays over a constant one, K, have a default here")


# Sets, which are arrays of Booleans.


def SetSort(s: SortRef) -> ArraySortRef:
    """The sort of sets of elements of a sort."""
    return ArraySort(s, BoolSort(s.ctx))


def EmptySet(s: SortRef) -> ArrayRef:
    """The set without elements."""
    return K(s, BoolVal(False, s.ctx))


def FullSet(s: SortRef) -> ArrayRef:
    """The set of all elements."""
    return K(s, BoolVal(True, s.ctx))


def SetAdd(s: Any, e: Any) -> ArrayRef:
    """The set with an element."""
    return Store(s, e, True)


def SetDel(s: Any, e: Any) -> ArrayRef:
    """The set without an element."""
    return Store(s, e, False)


def IsMember(e: Any, s: Any) -> BoolRef:
    """Whether an element is in the set."""
    return Select(s, e)  # type: ignore[no-any-return]


def K(dom: SortRef, v: Any) -> ArrayRef:
    """The array over `dom` whose elements are all `v`."""
    if not isinstance(v, ExprRef):
        _refuse(f"expected an expression, found {v!r}; integers have no sort of their own here")
    sort = _native_sort(dom.ctx, dom.native, v.native.sort)
    return ArrayRef(_built(dom.ctx.native.const_array, sort, v.native), dom.ctx)


# What is what.


def is_ast(a: Any) -> bool:
    """Expressions, sorts and declarations."""
    return isinstance(a, AstRef)


def is_expr(a: Any) -> bool:
    """Expressions."""
    return isinstance(a, ExprRef)


def is_app(a: Any) -> bool:
    """Expressions but quantified formulas and their variables: applications of operators, symbols, values."""
    if not isinstance(a, ExprRef) or is_var(a):
        return False
    form = _FORMS.get(a.native.op)
    return form is None or form(a.native, a.ctx) is None


def is_sort(a: Any) -> bool:
    """Sorts."""
    return isinstance(a, SortRef)


def is_func_decl(a: Any) -> bool:
    """Declarations."""
    return isinstance(a, FuncDeclRef)


def is_const(a: Any) -> bool:
    """Expressions without arguments: symbols and values."""
    return is_app(a) and a.num_args() == 0


def is_var(a: Any) -> bool:
    """Variables of quantified formulas, in their bodies."""
    return isinstance(a, ExprRef) and a.native.id in a.ctx.indices


def is_app_of(a: Any, k: int) -> bool:
    """Expressions whose operator is of kind `k`."""
    return is_app(a) and a.decl().kind() == k


def is_bool(a: Any) -> bool:
    """Boolean expressions."""
    return isinstance(a, BoolRef)


def is_true(a: Any) -> bool:
    """The constant true."""
    return is_app_of(a, kinds.Z3_OP_TRUE)


def is_false(a: Any) -> bool:
    """The constant false."""
    return is_app_of(a, kinds.Z3_OP_FALSE)


def is_and(a: Any) -> bool:
    """Conjunctions."""
    return is_app_of(a, kinds.Z3_OP_AND)


def is_or(a: Any) -> bool:
    """Disjunctions."""
    return is_app_of(a, kinds.Z3_OP_OR)


def is_not(a: Any) -> bool:
    """Negations."""
    return is_app_of(a, kinds.Z3_OP_NOT)


def is_implies(a: Any) -> bool:
    """Implications."""
    return is_app_of(a, kinds.Z3_OP_IMPLIES)


def is_eq(a: Any) -> bool:
    """Equalities."""
    return is_app_of(a, kinds.Z3_OP_EQ)


def is_distinct(a: Any) -> bool:
    """Disequalities."""
    return is_app_of(a, kinds.Z3_OP_DISTINCT)


def is_bv_sort(s: Any) -> bool:
    """Sorts of bit-vectors."""
    return isinstance(s, BitVecSortRef)


def is_bv(a: Any) -> bool:
    """Bit-vector expressions."""
    return isinstance(a, BitVecRef)


def is_bv_value(a: Any) -> bool:
    """Bit-vector constants."""
    return isinstance(a, BitVecNumRef)


def is_array_sort(a: Any) -> bool:
    """Sorts of arrays."""
    return isinstance(a, ArraySortRef)


def is_array(a: Any) -> bool:
    """Array expressions."""
    return isinstance(a, ArrayRef)


def is_select(a: Any) -> bool:
    """Reads of arrays."""
    return is_app_of(a, kinds.Z3_OP_SELECT)


def is_store(a: Any) -> bool:
    """Writes of arrays."""
    return is_app_of(a, kinds.Z3_OP_STORE)


def is_const_array(a: Any) -> bool:
    """Arrays whose elements are all equal, by `K`."""
    return is_app_of(a, kinds.Z3_OP_CONST_ARRAY)


is_K = is_const_array


def _never(a: Any) -> bool:
    """There are no such expressions here."""
    return False


is_add = is_sub = is_mul = is_div = is_idiv = is_mod = is_is_int = _never
is_int = is_int_value = is_algebraic_value = _never
is_to_int = is_to_real = is_complex = is_complex_sort = _never
is_string = is_string_value = is_seq = is_re = is_finite_set = is_finite_set_sort = _never
is_finite_domain = is_finite_domain_sort = is_finite_domain_value = _never
is_map = is_default = is_as_array = is_probe = _never


def eq(a: AstRef, b: AstRef) -> bool:
    """Whether they are the same expression."""
    return bool(a.eq(b))  # type: ignore[attr-defined]


# Rewriting and text.


def mk_not(a: Any) -> BoolRef:
    """The negation; of a negation what it negates."""
    return a.arg(0) if is_not(a) else Not(a)


def deserialize(st: str) -> Any:
    """The expression of which `ExprRef.serialize` has made this text."""
    formulas = parse_smt2_string(st)
    if len(formulas) != 1:
        _refuse("single assertion expected")
    if formulas[0].num_args() != 1:
        _refuse("dummy function 'F' expected")
    return formulas[0].arg(0)


def declared(script: str) -> str:
    """The declarations and assertions of a script that was printed."""
    lines = script.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("(set-logic", "(check-sat")))


def print_matrix(m: Any) -> None:
    """Prints a list of rows, or of values."""
    print(m)


def simplify(a: Any, *arguments: Any, **keywords: Any) -> Any:
    """An expression of the same value under every assignment. The normal form is that of Bivalve's rules, and
    z3's options for its own have no effect."""
    if not isinstance(a, ExprRef):
        _refuse(f"expected an expression, found {a!r}")
    return _to_expr(a.native.simplify(), a.ctx)


def substitute(t: Any, *m: Any) -> Any:
    """The expression with others in place of some, all at once; pairs, or a list of pairs."""
    pairs = m[0] if len(m) == 1 and isinstance(m[0], list) else m
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, ExprRef) for part in pair)):
            _refuse("Z3 invalid substitution, expression pairs expected.")
    return _to_expr(_built(t.native.substitute, {x.native: y.native for x, y in pairs}), t.ctx)


def substitute_vars(t: Any, *m: Any) -> Any:
    """The expression with others in place of `Var(0)` and so on."""
    pairs = {}
    for (index, sort), term in t.ctx.variables.items():
        if index < len(m) and m[index].native.sort == sort:
            pairs[term] = m[index].native
    return _to_expr(_built(t.native.substitute, pairs), t.ctx)


def obj_to_string(a: Any) -> str:
    """The text of an expression, a sort, a model and so on."""
    return str(a)


def parse_smt2_string(
    s: str,
    sorts: dict[str, SortRef] | None = None,
    decls: dict[str, Any] | None = None,
    ctx: Context | None = None,
) -> list[BoolRef]:
    """The assertions of a script. Its sorts and symbols are those of the context with these names; `decls` are
    declared before it begins, by their own names."""
    if sorts:
        _refuse("sorts are to be declared in the text")
    ctx = _ctx(ctx)
    known = []
    for name, of in (decls or {}).items():
        if of.native.name != name:
            _refuse(f"expected the symbol {name} under its own name, found {of}")
        known.append(of.native)
    try:
        assertions, symbols = ctx.native.parse(s, known)
    except BivalveError as error:
        raise Z3Exception(str(error)) from None
    if any(sort_in(ctx, symbol.sort) != symbol.sort for symbol in symbols.values()):
        return [BoolRef(term_in(ctx, assertion), ctx) for assertion in assertions]
    pairs = {}
    for name, symbol in symbols.items():
        same = ctx.symbol(name, symbol.sort)
        if not same.is_same(symbol):
            pairs[symbol] = same
    return [BoolRef(assertion.substitute(pairs) if pairs else assertion, ctx) for assertion in assertions]


def parse_smt2_file(
    f: str,
    sorts: dict[str, SortRef] | None = None,
    decls: dict[str, Any] | None = None,
    ctx: Context | None = None,
) -> list[BoolRef]:
    """The assertions of a script in a file."""
    # Not the number of an open file, which would be closed.
    with open(os.fspath(f), encoding="utf-8") as file:
        return parse_smt2_string(file.read(), sorts, decls, ctx)
