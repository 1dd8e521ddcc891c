"""Exceptions, where z3 has them."""

from __future__ import annotations


class Z3Exception(Exception):
    """What z3 raises for wrong arguments and wrong states; here, too, and for what Bivalve does not decide."""

    @property
    def value(self) -> str:
        """The text."""
        return str(self)
