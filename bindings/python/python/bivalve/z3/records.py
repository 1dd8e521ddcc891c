"""Data types without recursion by z3's names: enumerations, tuples, unions, and what `Datatype` declares.

A sort knows its parts by name, as in z3: `Pair.mk`, `Pair.is_mk` and `Pair.left` are a constructor, its tester and a
selector, and a constructor without fields is an expression, `Color.red`. Types that mention themselves are refused:
Bivalve has values of a fixed size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from .._native import Sort, Term
from . import kinds
from .exprs import (
    Context,
    ExprRef,
    FuncDeclRef,
    SortRef,
    _built,
    _ctx,
    _operand,
    _refuse,
    _to_expr,
    _to_sort,
    register,
    register_decls,
)
from .printer import sort_text
from .refused import without

__all__ = [
    "CreateDatatypes",
    "Datatype",
    "DatatypeRef",
    "DatatypeSortRef",
    "DisjointSum",
    "EnumSort",
    "TupleSort",
]

_KINDS = {
    "constructor": kinds.Z3_OP_DT_CONSTRUCTOR,
    "tester": kinds.Z3_OP_DT_IS,
    "selector": kinds.Z3_OP_DT_ACCESSOR,
    "update": kinds.Z3_OP_DT_UPDATE_FIELD,
}


def _constructors(sort: Sort) -> list[tuple[str, list[tuple[str, Sort]]]]:
    return sort.constructors or []


def _fields(sort: Sort) -> list[tuple[str, Sort]]:
    """The fields of all constructors in a row, as they are numbered."""
    return [field for _, fields in _constructors(sort) for field in fields]


class DatatypeDeclRef(FuncDeclRef):
    """A constructor, a tester, a selector or an update of a data type; `number` is that of the constructor or field."""

    __slots__ = ("op", "of", "number")

    def __init__(self, op: str, of: Sort, number: int, ctx: Context) -> None:
        self.op, self.of, self.number, self.ctx = op, of, number, ctx

    @property
    def _symbol(self) -> Term | None:
        return None

    def _signature(self) -> tuple[list[Sort], Sort]:
        if self.op == "constructor":
            return [sort for _, sort in _constructors(self.of)[self.number][1]], self.of
        if self.op == "tester":
            return [self.of], self.ctx.native.bool_sort()
        sort = _fields(self.of)[self.number][1]
        return ([self.of], sort) if self.op == "selector" else ([self.of, sort], self.of)

    def name(self) -> str:
        """The name: that of the constructor or the field, `"is"` of a tester, `"update_field"` of an update."""
        if self.op == "constructor":
            return _constructors(self.of)[self.number][0]
        return {"tester": "is", "update": "update_field"}.get(self.op) or _fields(self.of)[self.number][0]

    def __str__(self) -> str:
        return f"is({_constructors(self.of)[self.number][0]})" if self.op == "tester" else self.name()

    def kind(self) -> int:
        """One of the numbers `Z3_OP_DT_...`."""
        return _KINDS[self.op]

    def params(self) -> list[Any]:
        """Of a tester its constructor, of an update the selector of the field; none of others."""
        other = {"tester": "constructor", "update": "selector"}.get(self.op)
        return [DatatypeDeclRef(other, self.of, self.number, self.ctx)] if other else []

    def __call__(self, *args: Any) -> Any:
        params = self._signature()[0]
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = tuple(args[0])
        if len(args) != len(params):
            _refuse(f"'{self.name()}' expects {len(params)} arguments, found {len(args)}")
        terms = [_operand(arg, sort, self.ctx) for arg, sort in zip(args, params)]
        native = self.ctx.native
        if self.op == "constructor":
            return _to_expr(_built(native.record, self.of, self.number, *terms), self.ctx)
        if terms[0].sort != self.of:
            _refuse(f"'{self.name()}' expects sort {sort_text(self.of)}, found {sort_text(terms[0].sort)}")
        return _to_expr(_built(native.app, self.op, [self.number], terms), self.ctx)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DatatypeDeclRef):
            return False
        return (self.op, self.number) == (other.op, other.number) and self.of == other.of

    def __hash__(self) -> int:
        return hash((self.op, self.number, self.of))

    def translate(self, target: Context) -> FuncDeclRef:
        """The same declaration in another context."""
        of = _to_sort(self.of, self.ctx).translate(target)
        return DatatypeDeclRef(self.op, of.native, self.number, target)


class DatatypeSortRef(SortRef):
    """A data type without recursion."""

    __slots__ = ()

    def num_constructors(self) -> int:
        """The number of its constructors."""
        return len(_constructors(self.native))

    def _decl(self, op: str, number: int, count: int) -> DatatypeDeclRef:
        if not 0 <= number < count:
            _refuse(f"expected a number below {count}, found {number}")
        return DatatypeDeclRef(op, self.native, number, self.ctx)

    def constructor(self, idx: int) -> FuncDeclRef:
        """A constructor, counted from 0."""
        return self._decl("constructor", idx, self.num_constructors())

    def recognizer(self, idx: int) -> FuncDeclRef:
        """The tester of a constructor, counted from 0."""
        return self._decl("tester", idx, self.num_constructors())

    def accessor(self, i: int, j: int) -> FuncDeclRef:
        """The selector of field `j` of constructor `i`, both counted from 0."""
        self.constructor(i)
        before = sum(len(fields) for _, fields in _constructors(self.native)[:i])
        count = len(_constructors(self.native)[i][1])
        if not 0 <= j < count:
            _refuse(f"expected a number below {count}, found {j}")
        return DatatypeDeclRef("selector", self.native, before + j, self.ctx)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        names = [constructor for constructor, _ in _constructors(self.native)]
        if name in names:
            decl = self.constructor(names.index(name))
            return decl if decl.arity() else decl()
        if name.startswith("is_") and name[3:] in names:
            return self.recognizer(names.index(name[3:]))
        fields = [field for field, _ in _fields(self.native)]
        if name in fields:
            return DatatypeDeclRef("selector", self.native, fields.index(name), self.ctx)
        raise AttributeError(f"sort {self.native} has no constructor, tester or selector '{name}'")


class DatatypeRef(ExprRef):
    """An expression of a data type."""

    __slots__ = ()

    def update_field(self, field_accessor: FuncDeclRef, new_value: Any) -> DatatypeRef:
        """The same value with another value of a field, if it has that field."""
        if not isinstance(field_accessor, DatatypeDeclRef) or field_accessor.op != "selector":
            _refuse(f"expected a selector of {self.sort()}, found {field_accessor}")
        update = DatatypeDeclRef("update", field_accessor.of, field_accessor.number, self.ctx)
        return update(self, new_value)  # type: ignore[no-any-return]


def _decl_of(native: Term, ctx: Context) -> FuncDeclRef:
    of = native.sort if native.op == "constructor" else native.args[0].sort
    return DatatypeDeclRef(native.op, of, native.indices[-1], ctx)


register("record", DatatypeSortRef, DatatypeRef)
register_decls(_KINDS, _decl_of)

_Field = Union[SortRef, "Datatype"]


@without("data types with parameters", "create_polymorphic")
class Datatype:
    """A data type that is being declared: `declare` its constructors, then `create` the sort."""

    def __init__(self, name: str, ctx: Context | None = None) -> None:
        self.ctx, self.name = _ctx(ctx), str(name)
        self.constructors: list[tuple[str, tuple[tuple[str, _Field], ...]]] = []

    def declare_core(self, name: str, rec_name: str, *args: tuple[str, _Field]) -> None:
        """Adds a constructor; the tester is called after it here, whatever `rec_name` says."""
        for field in args:
            if not (isinstance(field, tuple) and len(field) == 2 and isinstance(field[1], (SortRef, Datatype))):
                _refuse(f"expected a pair of a name and a sort as a field of '{name}', found {field!r}")
        self.constructors.append((str(name), args))

    def declare(self, name: str, *args: tuple[str, _Field]) -> None:
        """Adds a constructor with fields, which are pairs of a name and a sort."""
        if not name:
            _refuse("Constructor name cannot be empty")
        self.declare_core(name, f"is-{name}", *args)

    def create(self) -> Any:
        """The sort."""
        return CreateDatatypes([self])[0]

    def __deepcopy__(self, memo: Any) -> Datatype:
        copy = Datatype(self.name, self.ctx)
        copy.constructors = list(self.constructors)
        return copy

    def __repr__(self) -> str:
        return f"Datatype({self.name}, {self.constructors})"


def CreateDatatypes(*ds: Any) -> list[Any]:
    """The sorts of data types that may mention each other, but not in a circle."""
    types: list[Datatype] = list(ds[0]) if len(ds) == 1 and isinstance(ds[0], (list, tuple)) else list(ds)
    if not types or not all(isinstance(d, Datatype) for d in types):
        _refuse("expected at least one Datatype")
    made: dict[int, DatatypeSortRef] = {}

    def mentioned(d: Datatype) -> list[Datatype]:
        return [sort for _, fields in d.constructors for _, sort in fields if isinstance(sort, Datatype)]

    for d in types:
        if not d.constructors:
            _refuse(f"expected constructors of '{d.name}', found none")
        for other in mentioned(d):
            if not any(other is known for known in types):
                _refuse(f"'{d.name}' mentions '{other.name}', which is not created with it")
    while len(made) < len(types):
        ready = [d for d in types if id(d) not in made and all(id(other) in made for other in mentioned(d))]
        if not ready:
            names = ", ".join(f"'{d.name}'" for d in types if id(d) not in made)
            _refuse(f"data types that mention themselves have no bound on their size, and Bivalve has none: {names}")
        for d in ready:
            constructors = [
                (name, [(field, made[id(sort)].native if isinstance(sort, Datatype) else sort.native) for field, sort in fields])
                for name, fields in d.constructors
            ]
            sort = _built(d.ctx.native.record_sort, d.name, constructors)
            made[id(d)] = DatatypeSortRef(sort, d.ctx)
    return [made[id(d)] for d in types]


def EnumSort(name: str, values: Sequence[str], ctx: Context | None = None) -> tuple[DatatypeSortRef, list[Any]]:
    """An enumeration, and its values."""
    if not values or not all(isinstance(value, str) for value in values):
        _refuse("expected the names of the values")
    d = Datatype(name, ctx)
    for value in values:
        d.declare(value)
    sort = d.create()
    return sort, [sort.constructor(i)() for i in range(len(values))]


def TupleSort(name: str, sorts: Sequence[SortRef], ctx: Context | None = None) -> tuple[DatatypeSortRef, Any, list[Any]]:
    """A sort of tuples, their constructor, and the selectors `project0`, `project1`, ..."""
    d = Datatype(name, ctx)
    d.declare(name, *[(f"project{i}", sort) for i, sort in enumerate(sorts)])
    sort = d.create()
    return sort, sort.constructor(0), [sort.accessor(0, i) for i in range(len(sorts))]


def DisjointSum(name: str, sorts: Sequence[SortRef], ctx: Context | None = None) -> tuple[DatatypeSortRef, list[Any]]:
    """A union of sorts, and for each of them how a value goes in and comes out."""
    d = Datatype(name, ctx)
    for i, sort in enumerate(sorts):
        d.declare(f"inject{i}", (f"project{i}", sort))
    made = d.create()
    return made, [(made.constructor(i), made.accessor(i, 0)) for i in range(len(sorts))]

