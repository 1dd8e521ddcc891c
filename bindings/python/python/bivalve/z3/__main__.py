"""``python -m bivalve.z3 SCRIPT``: runs a script in which ``import z3`` means `bivalve.z3`."""

from . import install
from .._stand_in import run

run("bivalve.z3", install)
