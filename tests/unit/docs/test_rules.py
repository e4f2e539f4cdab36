"""``docs/rules.md`` is the rulebook that the code cites."""

import re

import pytest

from elfer.cards import Card
from referee.core.dice import Dice, commitment, deal_seed
from referee.games.elfer_raus.profiles import PROFILES
from referee.match.conduct import Conduct
from referee.match.result import derive
from referee.match.series import Played, parse_series
from tests.support.examples import BLOCK, Example
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


EXAMPLES: list[str] = BLOCK.findall(PAGE)


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: block.partition(",")[0])
def test_an_example_is_what_the_engine_says(block: str) -> None:
    assert Example.read(block).write() == block


def test_every_profile_has_an_example_in_its_order() -> None:
    shown = dict.fromkeys(Example.read(block).profile for block in EXAMPLES)
    assert list(shown) == [profile.partition("@")[0] for profile in PROFILES]
    assert PAGE.count("```position\n") == len(EXAMPLES)


def test_the_example_of_a_series() -> None:
    (block,) = re.findall(r"```series\n(.*?)```\n", PAGE, re.DOTALL)
    first, *games, _ = block.splitlines()
    text, seats_text = re.fullmatch(r"(.+), ([0-9]) seats", first).groups()  # type: ignore[union-attr]
    series, seats = parse_series(text), int(seats_text)
    played: list[Played] = []
    written = [first]
    for line in games:
        points = tuple(map(int, line.partition(": points ")[2].split()))
        pairing = series.next(seats, played)
        assert pairing is not None
        played.append(Played(pairing, points))
        who = " ".join(map(str, pairing.seats))
        shown = " ".join(map(str, points))
        written.append(
            f"game {pairing.number}   dealer {pairing.dealer}, seats {who}: points {shown}"
        )
    assert series.next(seats, played) is None
    result = derive(seats, played, (), (), Conduct())
    totals, places = (" ".join(map(str, row)) for row in (result.points, result.places))
    written.append(f"end      points {totals}, places {places}")
    assert block.splitlines() == written
