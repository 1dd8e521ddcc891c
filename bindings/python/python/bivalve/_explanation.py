"""Explanations: dictionaries that people can read."""

from __future__ import annotations

# Importing `typing` and `html` takes longer than all else here, and neither is needed before something is shown.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._native import Term


def escape(text: Any) -> str:
    """The text for HTML."""
    from html import escape

    return escape(str(text))


class Explanation(dict):  # type: ignore[type-arg]
    """Why an answer is what it is.

    ``answer`` is ``"sat"``, ``"unsat"`` or ``"unknown"``. ``inputs``, after ``sat``, has ``parts`` (``of``, ``symbol``, ``value``, and
    ``pattern`` with a star for each digit that may be anything), ``free`` (symbols that may have any value), ``assertions``
    with their ``inputs``, and ``is_minimal``. ``contradiction``, after ``unsat``, has ``conjuncts`` (``place``, ``text`` and
    ``term``), ``of`` how many they are, ``is_minimal``, and ``bits`` (``symbol``, ``unit``, ``width``, and ``relevant``, pairs of
    highest and lowest bit; ``None`` if the budget ended) with ``bits_are_minimal``. Places count the assertions, the lowest
    level first, and then the assumptions, from 1. ``timeline`` has the events of the check, if they were recorded: ``event``
    is ``"phase"`` with a ``text``, or ``"lemma"`` with the ``rule``, its ``meaning``, the terms ``from`` which it was learned,
    the symbols that it is ``about``, and the ``clause``; ``at`` is in milliseconds.
    """

    def __init__(self, fields: dict[str, Any], text: str, terms: list[Term]) -> None:
        wanted = ("answer", "inputs", "contradiction", "timeline")
        super().__init__((name, fields[name]) for name in wanted if fields[name] is not None)
        self._text = text
        for conjunct, term in zip(self.get("contradiction", {}).get("conjuncts", []), terms):
            conjunct["term"] = term

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self._why() + self._course()

    def _why(self) -> str:
        if self["answer"] == "unknown":
            return "<p>unknown</p>"
        if "inputs" in self:
            inputs = self["inputs"]
            rows = [(part["of"], _shown(part["value"], part["pattern"])) for part in inputs["parts"]]
            rows += [(name, "<i>any value</i>") for name in inputs["free"]]
            head, is_minimal = ("input", "what matters of it"), inputs["is_minimal"]
        else:
            found = self["contradiction"]
            rows = [(part["place"], f"<code>{escape(part['text'])}</code>") for part in found["conjuncts"]]
            for part in found["bits"] or []:
                runs = [str(high) if high == low else f"{high}..{low}" for high, low in part["relevant"]]
                rows.append((part["symbol"], f"bits {', '.join(runs)} of {part['width']}" if runs else "no bit"))
            head = ("formula or symbol", "what is contradictory of it")
            is_minimal = found["is_minimal"] and found["bits_are_minimal"]
        body = "".join(f"<tr><td><code>{escape(name)}</code></td><td>{text}</td></tr>" for name, text in rows)
        words = "nothing can be left out" if is_minimal else "it was not found whether something can be left out"
        return f"<table><tr><th>{head[0]}</th><th>{head[1]}</th></tr>{body}</table><p>{self['answer']}; {words}</p>"

    def _course(self) -> str:
        """The lemmas of the check, if they were recorded."""
        lemmas = [event for event in self["timeline"] if event["event"] == "lemma"]
        cells = ((lemma["rule"], lemma["meaning"], " and ".join(lemma["from"])) for lemma in lemmas)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in cells)
        return f"<table><tr><th>lemma</th><th>meaning</th><th>from</th></tr>{rows}</table>" if rows else ""


def _shown(value: str, pattern: str) -> str:
    """The value, with the digits that do not matter in grey."""
    digits = []
    for digit, kept in zip(value, pattern):
        text = escape(digit)
        digits.append(text if digit == kept else f'<span style="opacity: 0.4">{text}</span>')
    return f"<code>{''.join(digits)}</code>"
