"""The names of z3's Python interface for bit-vectors, floating point, arrays, functions, data types without recursion,
and quantifiers over these.

A script that keeps to these theories runs after ``from z3 import *`` has become ``from bivalve.z3 import *``.
Meanings are those that z3 documents: ``<``, ``/``, ``%`` and ``>>`` are signed, an integer beside a bit-vector is
taken modulo 2^width, division by zero is that of SMT-LIB, ``x == y`` is a formula and ``bool(x == y)`` is structural.
Where several answers are right (models, cores, normal forms of ``simplify``), they need not be those of z3. What
Bivalve does not decide (integers, strings, ...) is refused where it is used. ``python -m bivalve.z3
SCRIPT`` runs a script in which ``import z3`` means this module, and `install` does that in a running program.

Source: the documentation of z3's Python interface, https://z3prover.github.io/api/html/namespacez3py.html.
"""

import builtins
import contextlib
import copy
import io
import math
import os
import sys
from typing import Any, Callable, Iterable, Iterator, Sequence

from . import exprs as _exprs
from . import floats as _floats
from . import interpolation as _interpolation
from . import kinds as _kinds
from . import optimize as _optimize
from . import quantifiers as _quantifiers
from . import reals as _reals
from . import records as _records
from . import refused as _refused
from . import solver as _solver
from . import tactics as _tactics
from . import z3consts, z3types, z3util
from .counting import AtLeast, AtMost, PbEq, PbGe, PbLe
from .exprs import *  # noqa: F403
from .floats import *  # noqa: F403
from .interpolation import *  # noqa: F403
from .kinds import *  # noqa: F403
from .optimize import *  # noqa: F403
from .quantifiers import *  # noqa: F403
from .reals import *  # noqa: F403
from .records import *  # noqa: F403
from .solver import *  # noqa: F403
from .tactics import *  # noqa: F403
from .z3types import Z3Exception

globals().update(_refused.REFUSED)
globals().update(_refused.MODULES)

#: The star import brings the name of the module itself, as that of z3 does.
z3 = sys.modules[__name__]

_COUNTING = {"AtLeast", "AtMost", "PbEq", "PbGe", "PbLe"}
#: What z3's star import brings of Python's own, and scripts use without importing it.
_OF_PYTHON = {"Any", "Callable", "Iterable", "Iterator", "Sequence", "builtins", "contextlib", "copy", "io", "math", "os", "sys"}
_INTERNAL = {"NoReturn", "BivalveError", "Sort", "Term", "KINDS", "SORT_KINDS", "annotations", "declared", "kinds", "register", "register_decls", "register_form", "FloatValue", "LONG", "MODES", "MODE_OF_KIND"}
_INTERNAL |= {"Doc", "term_doc", "not_pickled", "re", "sort_in", "sort_text", "term_in", "term_text", "weakref", "without"}
_NAMES = {*vars(_exprs), *vars(_kinds), *_floats.__all__, *_interpolation.__all__, *_solver.__all__, *_tactics.__all__, *_optimize.__all__, *_quantifiers.__all__, *_reals.__all__, *_records.__all__, *_refused.REFUSED, *_refused.MODULES}
_NAMES |= _COUNTING | _OF_PYTHON | {"Z3Exception", "z3", "z3consts", "z3types", "z3util"}
__all__ = sorted(name for name in _NAMES - _INTERNAL if not name.startswith("_"))


def install() -> None:
    """Makes `import z3` mean this module from now on, in this process."""
    sys.modules["z3"] = z3
    for name in ("z3consts", "z3types", "z3util", *_refused.MODULES):
        sys.modules[f"z3.{name}"] = getattr(z3, name)


def __getattr__(name: str) -> Any:
    if name.startswith("Z3_"):
        _refused.c_function(name)
    raise AttributeError(f"module 'bivalve.z3' has no attribute '{name}'")
