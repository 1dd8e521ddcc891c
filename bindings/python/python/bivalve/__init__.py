"""Bivalve: an SMT solver for quantifier-free formulas over bit-vectors, floating point, arrays and functions.

>>> from bivalve import Context, Solver, sat
>>> ctx = Context()
>>> x = ctx.bv_symbol("x", 8)
>>> solver = Solver(ctx)
>>> solver.add(x * x == 0x51, x.ugt(100))
>>> solver.check()
sat
>>> root = solver.model()[x]
>>> root * root % 256 == 0x51 and root > 100
True

Every answer ``sat`` comes with a model that was validated on the assertions as they were made. `bivalve.z3` has
the names of z3's Python interface, `bivalve.pyboolector` those of Boolector's, `bivalve.pysmt` is a solver for pySMT,
`bivalve.claripy` a backend for claripy.

Sources: the theories Core, ArraysEx, FixedSizeBitVectors and FloatingPoint of SMT-LIB 2.7 (https://smt-lib.org) say what each
operator means, division by zero included.
"""

from ._explanation import Explanation
from ._native import (
    ArrayValue,
    BivalveError,
    Context,
    Element,
    FloatValue,
    FunctionValue,
    IllSorted,
    InternalError,
    Model,
    ParseError,
    Result,
    Solver,
    Sort,
    StateError,
    Term,
    __version__,
    check_certificate,
    options,
    run_script,
)
from ._statistics import Statistics

sat = Result.SAT
unsat = Result.UNSAT
unknown = Result.UNKNOWN

__all__ = [
    "ArrayValue",
    "BivalveError",
    "Context",
    "Element",
    "Explanation",
    "FloatValue",
    "FunctionValue",
    "IllSorted",
    "InternalError",
    "Model",
    "ParseError",
    "Result",
    "Solver",
    "Sort",
    "StateError",
    "Statistics",
    "Term",
    "__version__",
    "check_certificate",
    "options",
    "run_script",
    "sat",
    "unknown",
    "unsat",
]
