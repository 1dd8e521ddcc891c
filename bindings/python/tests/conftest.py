"""What the tests share."""

import pytest

import bivalve


@pytest.fixture
def ctx():
    return bivalve.Context()


@pytest.fixture
def solver(ctx):
    return bivalve.Solver(ctx)


@pytest.fixture
def hard(ctx):
    """A solver with a question that takes far longer than any test: multiplication of 48 bits is associative."""
    x, y, z = (ctx.bv_symbol(name, 48) for name in "xyz")
    solver = bivalve.Solver(ctx, rewrite_level=0)
    solver.add((x * y) * (z + 1) != x * (y * (z + 1)))
    return solver
