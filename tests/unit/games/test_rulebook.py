"""The sentences that rulings quote are the rulebook's own."""

import re
from pathlib import Path

import pytest

from elfer.ruling import SECTION
from referee.games.elfer_raus import explanation
from referee.games.elfer_raus.rulebook import SENTENCES
from referee.match.conduct import CONDUCT_SECTION
from tests.support.pages import page

PLAIN = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "*": None})


def words(text: str) -> str:
    """Without what only a page has: bold, long dashes, line ends, marks of fill-ins."""
    unmarked = re.sub(r"\[fill-in\] ?", "", text.translate(PLAIN).replace(" · ", ", "))
    return " ".join(unmarked.split())


def paragraph(section: str) -> str:
    (found,) = re.findall(
        rf"^- {section} (.*?)(?=^- §|^#)", page("rules"), re.DOTALL | re.MULTILINE
    )
    return words(found)


@pytest.mark.parametrize("section", SENTENCES)
def test_each_sentence_stands_in_its_section(section: str) -> None:
    assert SENTENCES[section] in paragraph(section)


def test_every_section_that_is_ruled_or_explained_by_has_its_sentence() -> None:
    source = Path(explanation.__file__).read_text(encoding="utf-8")
    explained = set(re.findall(r"\((§[0-9]+\.[0-9]+)\)", source))
    assert len(explained) > 5
    assert {*SECTION.values(), CONDUCT_SECTION, *explained} == set(SENTENCES)
