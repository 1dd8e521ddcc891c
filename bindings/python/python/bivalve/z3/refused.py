"""What z3 has and Bivalve does not: each name is there, and using it says why it is refused.

So a script fails where it uses such a thing, not where it imports it, and nothing is answered otherwise than z3
would. Classes of such things are there, too: nothing is an instance of them.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable, NoReturn, TypeVar

from .z3types import Z3Exception

_INTEGERS = "integers and real variables"
_COUNTS = f"{_INTEGERS} (of Booleans that hold AtMost, AtLeast, PbLe, PbGe and PbEq say how many; BitVec has words)"
_LAMBDAS = "lambdas"
_STRINGS = "strings, sequences and regular expressions"
_DATA = "data types with parameters or recursion, and finite sets"
_FIELDS = "finite fields and finite domains"
_RULES = "fixed points of Horn clauses"
_PROPAGATORS = "propagators of the user and views of its inferences"
_MAPS = "maps over arrays (sets have SetAdd, SetDel and IsMember)"

#: Functions by what they would need.
_FUNCTIONS = {
    _COUNTS: "Int Ints IntVal IntVector FreshInt Real Reals RealVector FreshReal IntSort RealSort",
    _INTEGERS: "ToReal ToInt IsInt Sqrt Cbrt BV2Int Int2BV Abs RealVar RealVarVector Complex ComplexVal Complexes "
    "ComplexSort RealPart ImagPart Diff",
    _LAMBDAS: "Lambda",
    "substitution of functions": "substitute_funs",
    _STRINGS: "String Strings StringVal StringSort SeqSort Empty Full Unit Length Contains PrefixOf SuffixOf IndexOf "
    "LastIndexOf Replace Re ReSort InRe Star Plus Option Union Intersect Complement Loop Range AllChar SubString "
    "SubSeq SeqMap SeqMapI SeqFoldLeft SeqFoldLeftI SeqPower StrToInt IntToStr StrToCode StrFromCode CharSort CharVal "
    "CharFromBv CharToBv CharToInt CharIsDigit",
    _DATA: "CreatePolymorphicDatatype DatatypeSort DeclareTypeVar "
    "FiniteSetSort FiniteSetEmpty FiniteSetMember FiniteSetUnion FiniteSetIntersect FiniteSetDifference "
    "FiniteSetSubset FiniteSetSize FiniteSetRange FiniteSetMap FiniteSetFilter Singleton In",
    _FIELDS: "FiniteFieldSort FiniteFieldVal FiniteFieldElem FiniteFieldElems FiniteFieldBitsum FiniteDomainSort "
    "FiniteDomainVal",
    "special relations": "PartialOrder LinearOrder TreeOrder PiecewiseLinearOrder TransitiveClosure",
    "probes": "FailIf When Cond probes probe_description describe_probes",
    "parameters of z3's simplifier": "help_simplify simplify_param_descrs simplifier_name simplifier_description "
    "num_simplifiers",
    "recursive functions": "RecFunction RecAddDefinition",
    _MAPS: "Map Ext SetUnion SetIntersect SetComplement SetDifference IsSubset get_map_func get_as_array_func",
    _PROPAGATORS: "PropagateFunction ensure_prop_closures",
    "log of its calls": "open_log append_log enable_trace disable_trace",
}

#: Classes by what they would need.
_CLASSES = {
    _INTEGERS: "IntNumRef AlgebraicNumRef ComplexRef ComplexSortRef",
    _STRINGS: "SeqRef SeqSortRef ReRef ReSortRef CharRef CharSortRef",
    _DATA: "ScopedConstructor ScopedConstructorList TypeVarRef FiniteSetRef "
    "FiniteSetSortRef",
    _FIELDS: "FiniteFieldRef FiniteFieldSortRef FiniteDomainRef FiniteDomainNumRef FiniteDomainSortRef",
    _RULES: "Fixedpoint",
    _PROPAGATORS: "UserPropagateBase OnClause PropClosures",
    "probes": "Probe",
    "simplifiers beside its own": "Simplifier",
    "parsers that remember": "ParserContext",
    "parameters of z3's": "ParamDescrsRef",
}

#: Modules of z3's by what they would need.
_MODULES = {
    "interface of z3 in C": "z3core",
    "algebraic numbers": "z3num z3rcf",
    "polynomials": "z3poly",
    "regular expressions": "z3regex",
    "printer of z3's": "z3printer",
}


def _text(name: str, theory: str) -> str:
    return f"{name}: Bivalve has no {theory}; it decides bit-vectors, floating point, arrays, functions, records and quantifiers"


def _refusing(name: str, theory: str) -> Callable[..., Any]:
    def refuse(*args: Any, **keywords: Any) -> Any:
        raise Z3Exception(_text(name, theory))

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Refused: Bivalve has no {theory}."
    return refuse


def _refusing_class(name: str, theory: str) -> type:
    return type(name, (), {"__new__": _refusing(name, theory), "__doc__": f"Refused: Bivalve has no {theory}."})


class _Missing(Z3Exception, AttributeError):
    """So that `hasattr` says no."""


class _Module(ModuleType):
    def __getattr__(self, name: str) -> NoReturn:
        raise _Missing(_text(f"{self.__name__}.{name}", self.__doc__ or ""))


_Class = TypeVar("_Class", bound=type)


def without(theory: str, names: str) -> Callable[[_Class], _Class]:
    """Gives a class the methods with these names, which refuse."""

    def extend(of: _Class) -> _Class:
        for name in names.split():
            setattr(of, name, _refusing(f"{of.__name__}.{name}", theory))
        return of

    return extend


def not_pickled(advice: str) -> Callable[[_Class], _Class]:
    """Makes pickle refuse the objects of a class, and say what to do instead."""

    def extend(of: _Class) -> _Class:
        def refuse(self: Any, protocol: Any = None) -> NoReturn:
            raise TypeError(f"'{of.__name__}' belongs to this process and cannot be pickled; {advice}")

        of.__reduce_ex__ = refuse  # type: ignore[method-assign]
        return of

    return extend


def c_function(name: str) -> NoReturn:
    """Refuses a function of z3's interface in C."""
    raise _Missing(_text(name, "interface of z3 in C; what it does has a function or a method in z3's Python interface"))


def _made(table: dict[str, str], make: Callable[[str, str], Any]) -> dict[str, Any]:
    return {name: make(name, theory) for theory, names in table.items() for name in names.split()}


#: What is refused, by name: functions and classes.
REFUSED = {**_made(_FUNCTIONS, _refusing), **_made(_CLASSES, _refusing_class)}

#: Modules of z3 whose members are refused.
MODULES = _made(_MODULES, _Module)
