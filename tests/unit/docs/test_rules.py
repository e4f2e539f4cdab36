"""``docs/rules.md`` is the rulebook that the code cites."""

import re

import pytest

from elfer.cards import Card
from referee.core.dice import Dice, commitment, deal_seed
from referee.games.elfer_raus.profiles import PROFILES
from tests.support.pages import DOCS, ROOT, page, section

PAGE = page("rules")
FOLDERS = ("referee", "sdk", "proto", "sample_bots", "docs", "tests/support", "tests/property")


def test_every_section_that_is_cited_is_there() -> None:
    sections = set(re.findall(r"^(?:## |- )(§[0-9]+(?:\.[0-9]+)?) ", PAGE, re.MULTILINE))
    assert len(sections) > 50
    cited = {
        (path.relative_to(ROOT).as_posix(), number)
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".proto", ".md", ".toml"}
        for number in re.findall(r"§[0-9]+(?:\.[0-9]+)?", path.read_text(encoding="utf-8"))
    }
    assert len(cited) > 100
    assert [where for where in sorted(cited) if where[1] not in sections] == []


def test_every_profile_is_there() -> None:
    text = section(PAGE, "§9 Profiles")
    assert {f"`{name.partition('@')[0]}`" for name in PROFILES} <= set(
        re.findall("`[a-z0-9-]+`", text)
    )


def test_pages_that_are_linked_are_there() -> None:
    for file in (*DOCS.glob("*.md"), ROOT / "README.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), f"{file.name}: {target}"


SEEDS = {
    "A": bytes(32),
    "B": bytes(range(32)),
    "29 zero bytes then 10 43 46 (a word is discarded)": bytes(29) + bytes.fromhex("104346"),
}
VECTORS: list[tuple[str, str, str]] = re.findall(
    r"^\| (.+?) \| (deal/\S+) \| (.+?) \|$", PAGE, re.MULTILINE
)


@pytest.mark.parametrize(("name", "label", "cards"), VECTORS)
def test_the_shuffles_that_it_gives(name: str, label: str, cards: str) -> None:
    deck = list(Card)
    Dice(SEEDS[name.partition(" = ")[0]]).stream(label).shuffle(deck)
    assert " ".join(card.name for card in deck[:8]) == cards


@pytest.mark.parametrize("name", ["A", "B"])
def test_the_commitments_that_it_gives(name: str) -> None:
    seed = SEEDS[name]
    deal = deal_seed(seed, "demo/0/1")
    assert f"{name}: commitment {commitment(seed).hex()}, deal seed {deal.hex()}." in PAGE
