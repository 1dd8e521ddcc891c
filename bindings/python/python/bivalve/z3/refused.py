"""What z3 has and Bivalve does not: each name is there, and using it says why it is refused.

So a script fails where it uses such a thing, not where it imports it, and nothing is answered otherwise than z3
would."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from .exprs import Z3Exception

_THEORIES = {
    "integers and reals": "Int Ints IntVal IntSort IntVector Real Reals RealVal RealSort RealVector Q ToInt ToReal IsInt "
    "Sqrt Cbrt BV2Int Int2BV Abs FreshInt FreshReal",
    "quantifiers and lambdas": "ForAll Exists Lambda MultiPattern Var substitute_funs",
    "floating point": "FP FPs FPVal FPSort Float16 Float32 Float64 Float128 fpAdd fpSub fpMul fpDiv fpLT fpGT fpEQ "
    "fpToFP fpToSBV fpToUBV fpNaN RNE RTZ",
    "strings, sequences and regular expressions": "String Strings StringVal StringSort SeqSort Unit Length Contains "
    "PrefixOf SuffixOf IndexOf Replace Re ReSort InRe Star Plus Option Union",
    "data types and finite sets": "Datatype EnumSort TupleSort DisjointSum CreateDatatypes SetSort EmptySet FullSet "
    "IsMember IsSubset SetUnion SetIntersect",
    "optimization": "Optimize",
    "fixed points of Horn clauses": "Fixedpoint",
    "tactics, goals and probes": "Tactic Then OrElse Repeat With Goal Probe TryFor ParThen ParOr "
    "describe_tactics describe_probes tactics probes",
    "options of z3's simplifier": "help_simplify simplify_param_descrs",
    "recursive functions": "RecFunction RecAddDefinition",
    "maps and extensions of arrays": "Map Ext Default",
    "propagators of the user": "UserPropagateBase",
}


def _refusing(name: str, theory: str) -> Callable[..., Any]:
    def refuse(*args: Any, **keywords: Any) -> Any:
        raise Z3Exception(f"{name}: Bivalve has no {theory}; it decides bit-vectors, arrays and functions")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Refused: Bivalve has no {theory}."
    return refuse


_Class = TypeVar("_Class", bound=type)


def without(theory: str, names: str) -> Callable[[_Class], _Class]:
    """Gives a class the methods with these names, which refuse."""

    def extend(of: _Class) -> _Class:
        for name in names.split():
            setattr(of, name, _refusing(f"{of.__name__}.{name}", theory))
        return of

    return extend


#: Functions that refuse, by name.
REFUSED = {name: _refusing(name, theory) for theory, names in _THEORIES.items() for name in names.split()}
