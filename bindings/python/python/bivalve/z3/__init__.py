"""The names of z3's Python interface for bit-vectors, arrays and functions without quantifiers.

A script that keeps to these theories runs after ``from z3 import *`` has become ``from bivalve.z3 import *``.
Meanings are those that z3 documents: ``<``, ``/``, ``%`` and ``>>`` are signed, an integer beside a bit-vector is
taken modulo 2^width, division by zero is that of SMT-LIB, ``x == y`` is a formula and ``bool(x == y)`` is structural.
Where several answers are right (models, cores, normal forms of ``simplify``), they need not be those of z3. What
Bivalve does not decide (integers, quantifiers, optimization, ...) is refused where it is used.

Source: the documentation of z3's Python interface, https://z3prover.github.io/api/html/namespacez3py.html.
"""

from . import exprs as _exprs
from . import kinds as _kinds
from . import solver as _solver
from .counting import AtLeast, AtMost, PbEq, PbGe, PbLe
from .exprs import *  # noqa: F403
from .kinds import *  # noqa: F403
from .refused import REFUSED as _REFUSED
from .solver import *  # noqa: F403

globals().update(_REFUSED)

_COUNTING = {"AtLeast", "AtMost", "PbEq", "PbGe", "PbLe"}
_PRIVATE = {"Any", "Iterable", "Iterator", "NoReturn", "Sequence", "BivalveError", "Sort", "Term"}
__all__ = sorted(
    name
    for name in {*vars(_exprs), *vars(_kinds), *_solver.__all__, *_REFUSED, *_COUNTING}
    if not name.startswith("_") and name not in _PRIVATE | {"annotations", "kinds", "weakref", "sort_text", "term_text", "KINDS", "SORT_KINDS", "os", "re", "sort_in", "term_in"}
)
