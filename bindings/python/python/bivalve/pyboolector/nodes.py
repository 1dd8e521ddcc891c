"""Nodes: the terms of an instance, and what Python's operators make of them.

Boolector has no Booleans beside words of one bit. A node of one bit that came from a comparison or a connective keeps
the formula, and becomes a word only where it is used as one, so that formulas stay formulas.

`< <= > >=`, `/`, `%` and `>>` are unsigned. An integer beside a node becomes a constant of its width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from .._native import ArrayValue, BivalveError, FunctionValue, Sort, Term

if TYPE_CHECKING:
    from .instance import Boolector


class BoolectorException(Exception):
    """Something that is refused."""

    def __init__(self, msg: object = "") -> None:
        super().__init__(msg)
        self.msg = msg

    def __str__(self) -> str:
        return f"[pybtor] {self.msg}"


def refuse(problem: str) -> NoReturn:
    """Raises the exception with this text."""
    raise BoolectorException(problem)


def built(build: Any, *args: Any) -> Any:
    """A term, or the exception with the reason why there is none."""
    try:
        return build(*args)
    except (BivalveError, TypeError, ValueError, OverflowError, IndexError) as error:
        raise BoolectorException(str(error)) from None


class BoolectorSort:
    """A sort."""

    def __init__(self, btor: Boolector, native: Sort) -> None:
        self._btor, self._native = btor, native


class _BoolectorBitVecSort(BoolectorSort):
    """A sort of words."""


class _BoolectorBoolSort(_BoolectorBitVecSort):
    """The sort of words of one bit."""


class _BoolectorArraySort(BoolectorSort):
    """A sort of arrays."""


class _BoolectorFunSort(BoolectorSort):
    """A sort of functions."""


def whole(value: Any) -> int:
    """An integer, or what converts itself to one."""
    if isinstance(value, (float, str)) or not (hasattr(value, "__index__") or hasattr(value, "__int__")):
        refuse(f"Cannot convert type '{type(value)}' to bit vector")
    return int(value)


def constant(btor: Boolector, value: Any, width: int) -> Term:
    """The word of an integer, a Boolean or binary digits."""
    if isinstance(value, str):
        if not value or set(value) - {"0", "1"}:
            refuse(f"Given constant string is not in binary format: {value!r}")
        return built(btor._ctx.bv, int(value, 2), len(value))  # type: ignore[no-any-return]
    number = whole(value)
    if number.bit_length() > width and number >= 0:
        refuse(f"Value of constant {number} (bit width {number.bit_length()}) exceeds bit width of {width}")
    return built(btor._ctx.bv, number % (1 << width), width)  # type: ignore[no-any-return]


class BoolectorNode:
    """A term of an instance."""

    __slots__ = ("_btor", "_term")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, btor: Boolector, term: Term) -> None:
        self._btor, self._term = btor, term

    @property
    def btor(self) -> Boolector:
        """The instance."""
        return self._btor

    def _word(self) -> Term:
        """The term itself."""
        return self._term

    def _symbol(self) -> str | None:
        return self._btor._symbols.get(self._word().id)

    @property
    def symbol(self) -> str | None:
        """The symbol; it can be set."""
        return self._symbol()

    @symbol.setter
    def symbol(self, name: str) -> None:
        self._btor._name(self._word(), name)

    @property
    def width(self) -> int:
        """The number of bits; those of an element or a result of arrays and functions."""
        sort = self._word().sort
        return int(sort.width or (sort.element or sort.result or sort).width or 0)

    @property
    def assignment(self) -> Any:
        """The value after SAT: digits of a word, pairs of index and element of an array, arguments and result of a
        function."""
        return self._btor._value(self._word())

    def Dump(self, format: str = "btor", outfile: str | None = None) -> None:
        """Writes the node as a text: formulas in both formats, other nodes in SMT-LIB."""
        self._btor._dump_node(self, format, outfile)

    def __eq__(self, other: object) -> Any:
        return self._btor.Eq(self, other)

    def __ne__(self, other: object) -> Any:
        return self._btor.Ne(self, other)

    def _no_order(self, other: Any) -> Any:
        return refuse("expected words, found another node; only words have an order")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def __reduce__(self) -> NoReturn:
        raise TypeError("a node belongs to its instance and cannot be pickled; send the text that Dump writes")


class BoolectorBVNode(BoolectorNode):
    """A word."""

    __slots__ = ("_formula",)
    __hash__ = None

    def __init__(self, btor: Boolector, term: Term | None, formula: Term | None = None) -> None:
        self._btor = btor
        #: One of the two at least: the word, or what says whether it is one.
        self._term = term  # type: ignore[assignment]
        self._formula = formula

    def _word(self) -> Term:
        if self._term is None:
            assert self._formula is not None
            one, zero = self._btor._bits
            self._term = self._formula.ite(one, zero)
        return self._term

    def _truth(self) -> Term:
        """What says whether the word, of one bit, is one."""
        if self._formula is None:
            self._formula = self._term == self._btor._bits[0]
        return self._formula

    @property
    def width(self) -> int:
        """The number of bits."""
        return 1 if self._term is None else int(self._term.width or 0)

    def __lt__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Ult(self, other)

    def __le__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Ulte(self, other)

    def __gt__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Ugt(self, other)

    def __ge__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Ugte(self, other)

    def __add__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Add(self, other)

    def __radd__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Add(other, self)

    def __sub__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Sub(self, other)

    def __rsub__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Sub(other, self)

    def __mul__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Mul(self, other)

    def __rmul__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Mul(other, self)

    def __truediv__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Udiv(self, other)

    def __rtruediv__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Udiv(other, self)

    __div__ = __truediv__

    def __mod__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Urem(self, other)

    def __rmod__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Urem(other, self)

    def __and__(self, other: Any) -> BoolectorBVNode:
        return self._btor.And(self, other)

    def __rand__(self, other: Any) -> BoolectorBVNode:
        return self._btor.And(other, self)

    def __or__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Or(self, other)

    def __ror__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Or(other, self)

    def __xor__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Xor(self, other)

    def __rxor__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Xor(other, self)

    def __lshift__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Sll(self, other)

    def __rshift__(self, other: Any) -> BoolectorBVNode:
        return self._btor.Srl(self, other)

    def __neg__(self) -> BoolectorBVNode:
        return self._btor.Neg(self)

    def __invert__(self) -> BoolectorBVNode:
        return self._btor.Not(self)

    def __getitem__(self, item: int | slice) -> BoolectorBVNode:
        if not isinstance(item, slice):
            return self._btor.Slice(self, item, item)
        if item.step is not None:
            refuse("Step of slices is not supported")
        upper = self.width - 1 if item.start is None else item.start
        return self._btor.Slice(self, upper, 0 if item.stop is None else item.stop)


class BoolectorConstNode(BoolectorBVNode):
    """A constant."""

    __slots__ = ()
    __hash__ = None

    @property
    def bits(self) -> str:
        """The binary digits."""
        return f"{int(self._term.value or 0):0{self.width}b}"  # type: ignore[arg-type]


class _BoolectorParamNode(BoolectorBVNode):
    """A parameter of a function that is defined by a term."""

    __slots__ = ()
    __hash__ = None


class BoolectorArrayNode(BoolectorNode):
    """An array."""

    __slots__ = ()
    __hash__ = None

    @property
    def index_width(self) -> int:
        """The number of bits of an index."""
        index = self._term.sort.index
        return int(index.width or 0) if index is not None else 0

    def __getitem__(self, index: Any) -> BoolectorBVNode:
        return self._btor.Read(self, index)


class BoolectorFunNode(BoolectorNode):
    """A function: uninterpreted, or defined by a term over parameters."""

    __slots__ = ("_params",)
    __hash__ = None

    def __init__(self, btor: Boolector, term: Term, params: list[Term] | None = None) -> None:
        super().__init__(btor, term)
        self._params = params

    def _symbol(self) -> str | None:
        return None if self._params is not None else super()._symbol()

    @property
    def assignment(self) -> Any:
        """Arguments and results of an uninterpreted function after SAT."""
        if self._params is not None:
            refuse("a function that a term defines has no assignment; apply it")
        return self._btor._value(self._term)

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self._params if self._params is not None else self._term.sort.params or [])

    def __call__(self, *args: Any) -> BoolectorBVNode:
        return self._btor.Apply(list(args), self)


class BoolectorQuantNode(BoolectorBVNode):
    """A quantified formula: there are none here."""

    __slots__ = ()


class BoolectorForallNode(BoolectorQuantNode):
    """A universally quantified formula: there are none here."""

    __slots__ = ()


class BoolectorExistsNode(BoolectorQuantNode):
    """An existentially quantified formula: there are none here."""

    __slots__ = ()


def digits(value: Any, sort: Sort, base: int) -> str:
    """A word as digits: binary (1), hexadecimal (2) or decimal (3)."""
    width = int(sort.width or 1)
    if base == 3:
        return str(int(value))
    return f"{int(value):0{-(-width // 4)}x}" if base == 2 else f"{int(value):0{width}b}"


def value_of(value: Any, sort: Sort, base: int) -> Any:
    """A value as `assignment` has it."""
    if isinstance(value, ArrayValue):
        assert sort.index is not None and sort.element is not None
        index, element = sort.index, sort.element
        pairs = [(digits(at, index, base), digits(of, element, base)) for at, of in value.entries.items()]
        return [*pairs, ("*", digits(value.default, element, base))] if value.default else pairs
    if isinstance(value, FunctionValue):
        assert sort.params is not None and sort.result is not None
        rows = []
        for args, of in value.entries.items():
            shown = [digits(arg, param, base) for arg, param in zip(args, sort.params)]
            rows.append((shown, digits(of, sort.result, base)))
        return rows
    return digits(value, sort, base)
