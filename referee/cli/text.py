"""Numbers and times as tables show them."""

from __future__ import annotations

from datetime import datetime


def span(seconds: float) -> str:
    """A stretch of time for people: ``42 s``, ``3 min 5 s``, ``2 h 10 min``."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def milliseconds(microseconds: float | None) -> str:
    """Such as ``0.42``, ``12.3``, ``1500``."""
    if microseconds is None:
        return "-"
    value = microseconds / 1000
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def moment(when: datetime | None) -> str:
    return "-" if when is None else f"{when:%Y-%m-%d %H:%M:%S}"


def decimal(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def wins(value: float) -> str:
    """Wins with shared ones as fractions: ``3``, ``2.5``, ``1.33``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def replaced(deal: int | None) -> str:
    """What is told of a deal that another one replaces; of any other nothing."""
    return "" if deal is None else f"replaced by deal {deal}"


def share(part: int, whole: int) -> str:
    """Such as ``2.5%``; none of nothing is no share."""
    return f"{part / whole:.1%}" if whole else "-"
