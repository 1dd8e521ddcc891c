"""The names of Boolector's Python interface, `pyboolector`, for bit-vectors, arrays and functions.

``from bivalve.pyboolector import Boolector`` stands for ``from pyboolector import Boolector``. Where a program itself
imports `pyboolector`, `install` makes that name mean this module, and ``python -m bivalve.pyboolector SCRIPT`` runs a
script so. Nodes are words, comparisons are words of one bit, and operators are unsigned, as there. Quantifiers are
refused; options that only change how Boolector works are kept without an effect.

Source: the documentation of Boolector's Python interface, https://boolector.github.io/docs/pyboolector.html.
"""

import sys

from .instance import Boolector
from .nodes import (
    BoolectorArrayNode,
    BoolectorBVNode,
    BoolectorConstNode,
    BoolectorException,
    BoolectorExistsNode,
    BoolectorForallNode,
    BoolectorFunNode,
    BoolectorNode,
    BoolectorQuantNode,
    BoolectorSort,
)
from .options import ENUMERATIONS as _ENUMERATIONS
from .options import BoolectorOpt, BoolectorOptions

#: Older versions have the members of the enumerations as names of the module itself.
_MEMBERS = {member.name: member for enumeration in _ENUMERATIONS.values() for member in enumeration}
globals().update(_ENUMERATIONS)
globals().update(_MEMBERS)

__all__ = [
    "Boolector",
    "BoolectorArrayNode",
    "BoolectorBVNode",
    "BoolectorConstNode",
    "BoolectorException",
    "BoolectorExistsNode",
    "BoolectorForallNode",
    "BoolectorFunNode",
    "BoolectorNode",
    "BoolectorOpt",
    "BoolectorOptions",
    "BoolectorQuantNode",
    "BoolectorSort",
    *_ENUMERATIONS,
    *_MEMBERS,
]


def install() -> None:
    """Makes `import pyboolector` mean this module from now on, in this process."""
    sys.modules["pyboolector"] = sys.modules[__name__]
