"""``python -m bivalve.pyboolector SCRIPT``: runs a script in which ``import pyboolector`` means this module."""

from . import install
from .._stand_in import run

run("bivalve.pyboolector", install)
