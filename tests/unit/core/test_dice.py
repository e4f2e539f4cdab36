"""Streams, shuffles, lots and commitments: the vectors of rulebook §10."""

import hashlib
import hmac

import pytest

from elfer.cards import PACK, cards_of
from referee.core.dice import Dice, Stream, bot_seed, commitment, deal_seed, seated

A = bytes(32)
B = bytes(range(32))
DISCARDS = bytes(29) + bytes.fromhex("104346")


@pytest.mark.parametrize(
    ("seed", "label", "first"),
    [
        (A, "deal/1/0", "R11 R14 B18 Y1 G17 G4 B15 R15"),
        (A, "deal/2/1", "Y5 G12 R4 Y7 G4 G5 R17 R11"),
        (B, "deal/1/0", "B2 R2 B18 R5 Y12 B20 Y4 G9"),
        (B, "deal/2/1", "Y2 B4 Y4 G6 R1 B1 B17 R13"),
        (DISCARDS, "deal/1/0", "B17 R20 Y18 G16 R10 R16 G13 B10"),
    ],
)
def test_shuffle(seed: bytes, label: str, first: str) -> None:
    cards = list(cards_of(PACK))
    Dice(seed).stream(label).shuffle(cards)
    assert " ".join(card.name for card in cards[:8]) == first
    assert sorted(cards) == list(cards_of(PACK))


def test_a_word_past_the_bound_is_discarded() -> None:
    """The third vector is only one because its shuffle meets such a word."""
    words = b"".join(
        hashlib.sha256(DISCARDS + b"deal/1/0" + block.to_bytes(8, "big")).digest()
        for block in range(10)
    )
    drawn = [int.from_bytes(words[4 * i : 4 * i + 4], "big") for i in range(79)]
    bounds = [2**32 - 2**32 % m for m in range(80, 1, -1)]
    assert any(word >= bound for word, bound in zip(drawn, bounds, strict=True))


@pytest.mark.parametrize(
    ("seed", "commits", "deals"),
    [
        (
            A,
            "d7c6188e240c2c5eaddc564080e4ae837fa22e8fa91c759c5f9a729ac6b3ab12",
            "6fd19622ca5e32ee70b0425334b9072a42fc478c00f92166bcdc22948fc074ad",
        ),
        (
            B,
            "737ba3b8b14c8e3cb64b492819e085c759aec2a99531d74fc05b229aa617ada5",
            "f23999ad14a9edf4ab64cf6327f7c336fa07e2dcdc0b8972136bb0689e90998b",
        ),
    ],
)
def test_commitment_and_deal_seed(seed: bytes, commits: str, deals: str) -> None:
    assert commitment(seed).hex() == commits
    assert deal_seed(seed, "demo/0/1").hex() == deals


def test_bot_seeds_differ_by_match_and_seat() -> None:
    expected = hmac.digest(A, b"demo/a+b/1/0/bot/1", "sha256")
    assert bot_seed(A, "demo/a+b/1/0", 1) == expected
    assert len({bot_seed(A, f"demo/a+b/1/{r}", s) for r in range(2) for s in range(2)}) == 4


def test_a_table_is_seated_by_its_sorted_names_shuffled() -> None:
    names, table = ["dov", "bea", "ann", "cid"], "ann+bea+cid+dov"
    order = sorted(names)
    Stream(A, f"order/{table}/1").shuffle(order)
    assert seated(A, names, table, 1, 0) == tuple(order)
    assert seated(A, names[::-1], table, 1, 0) == tuple(order)
    assert len({seated(A, names, table, deal, 0) for deal in range(1, 200)}) == 24


def test_a_rotation_moves_every_entrant_on_by_one_seat() -> None:
    names, table = ["ann", "bea", "cid"], "ann+bea+cid"
    before = seated(B, names, table, 2, 0)
    for rotation in range(1, 3):
        after = seated(B, names, table, 2, rotation)
        for name in names:
            assert after.index(name) == (before.index(name) + rotation) % 3


def test_below_is_within_bounds_and_uniform() -> None:
    stream = Stream(B, "test")
    counts = [0] * 7
    for _ in range(70_000):
        counts[stream.below(7)] += 1
    # 5 standard deviations of a binomial share of 1/7.
    assert all(abs(count - 10_000) < 5 * (70_000 * 6 / 49) ** 0.5 for count in counts)


def test_the_same_label_starts_again() -> None:
    dice = Dice(A)
    first, second = dice.stream("x"), dice.stream("x")
    assert [first.below(100) for _ in range(20)] == [second.below(100) for _ in range(20)]


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_is_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Dice(bytes(length))
