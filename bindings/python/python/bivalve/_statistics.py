"""Statistics: a dictionary that notebooks show as a table."""

from __future__ import annotations

# Nothing is imported that only pictures need; see `_explanation`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator


class Statistics(dict):  # type: ignore[type-arg]
    """What the checks of a solver cost so far: counts and, by phase, seconds. Counts are the same in every run."""

    def rows(self) -> Iterator[tuple[str, Any]]:
        """Names and values, with those of inner dictionaries as ``outer.inner``; lists are left out."""
        todo: list[tuple[str, Any]] = list(self.items())
        while todo:
            name, value = todo.pop(0)
            if isinstance(value, dict):
                todo = [(f"{name}.{inner}", part) for inner, part in value.items()] + todo
            elif not isinstance(value, list):
                yield name, value

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>" for name, value in self.rows())
        return f"<table><tr><th>statistic</th><th>value</th></tr>{rows}</table>"
