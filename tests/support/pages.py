"""The pages of docs/, for tests that hold them to the code."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def section(text: str, title: str, level: int = 2) -> str:
    """What stands under a heading, up to the next of its level or above."""
    _, after = text.split(f"\n{'#' * level} {title}\n")
    return re.split(rf"\n#{{2,{level}}} ", after)[0]


def rows(text: str) -> list[tuple[str, ...]]:
    """The cells of all tables' rows that begin with code, without code marks."""
    found = re.findall(r"^\| (`.*) \|$", text, re.MULTILINE)
    return [tuple(cell.strip(" `") for cell in re.split(r"(?<!\\)\|", row)) for row in found]
