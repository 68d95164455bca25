"""Results with the keys of ``taut --json``."""

from __future__ import annotations

import html
import json
from typing import Any, Callable, Dict, List, NoReturn, Tuple

__all__ = ["Report", "Values"]


def _frozen(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("a result cannot be changed")


class Values(Dict[str, Any]):
    """Object of a result: a key is an attribute too. The text is the verdict."""

    _verdict = ""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no value {name!r}: expected one of {', '.join(map(str, self))}") from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self]

    def __str__(self) -> str:
        return self._verdict or super().__repr__()

    def __reduce__(self) -> Tuple[Any, ...]:
        return (parse, (json.dumps(self), self._verdict))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(str(key))}</th><td>{html.escape(_short(value))}</td></tr>" for key, value in self.items()
        )
        return f"<p>{html.escape(self._verdict)}</p><table>{rows}</table>"

    __setitem__ = __delitem__ = __setattr__ = __delattr__ = _frozen
    clear = pop = popitem = setdefault = update = __ior__ = _frozen


class Report(Values):
    """Results of reports on a trace, or on several. ``str()`` has the verdicts."""

    _render: Callable[[str], str]

    @property
    def figures(self) -> Any:
        """Figures of the report, if one was named; otherwise of all, by name."""
        reports = self["reports"]
        return next(iter(reports.values())) if len(reports) == 1 else reports

    @property
    def verdict(self) -> str:
        """The verdicts, one line each."""
        return self._verdict

    def html(self) -> str:
        """The page of ``taut analyze --format html``, without a date and a command line."""
        return self._render("html")

    def markdown(self) -> str:
        """The text of ``taut analyze --format markdown``."""
        return self._render("markdown")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 100 else text[:99] + "…"


def parse(text: str, verdict: str = "", kind: type = Values) -> Any:
    """Values of a JSON text."""
    value = json.loads(text, object_pairs_hook=Values)
    if isinstance(value, Values):
        value = kind(value)
        object.__setattr__(value, "_verdict", verdict)
    return value
