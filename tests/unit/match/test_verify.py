"""The verifier names the first thing in a record that does not hold."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.dice import commitment, deal_seed, seated
from referee.core.game import Ruling
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct, Consequence, Fault, Infraction
from referee.match.player import Fault as NoAnswer
from referee.match.record import GivenAnswer, MatchRecord, SeatRecord, digest_of
from referee.match.series import Games
from referee.match.verify import verify, verify_transcript
from tests.support.faulty import CONDUCTS, CONTROLS, faulty, unruly
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup


def sample(seats: int = 3, games: int = 2) -> MatchRecord:
    control = TimeControl(bank_us=5_000_000, increment_us=10, match_limit_us=60_000_000)
    players = [unruly(seat) for seat in range(seats)]
    conduct = Conduct(strike_limit=None)
    match = setup(seats, series=Games(games), time_control=control, conduct=conduct)
    return record_of(play(match, players), time_control=control, conduct=conduct)


RECORD = sample()


@given(
    st.integers(0, 2**32),
    st.integers(2, 6),
    st.floats(0, 0.5),
    CONDUCTS,
    st.just(TimeControl()) | CONTROLS,
)
@settings(max_examples=60)
def test_whatever_bots_do_the_record_verifies(
    seed: int, seats: int, share: float, conduct: Conduct, control: TimeControl
) -> None:
    players = [faulty(seed + seat, share) for seat in range(seats)]
    deal = seed.to_bytes(32, "big")
    match = setup(seats, series=Games(2), seed=deal, conduct=conduct, time_control=control)
    played = play(match, players)
    record = record_of(played, seed=deal, conduct=conduct, time_control=control)
    assert verify(record) is None
    assert verify_transcript(played.transcript) is None
    for ask in played.asks:
        left = (ask.limit_us, ask.bank_us, ask.match_left_us)
        assert min(us for us in (*left, ask.counted_us) if us is not None) >= 0


def altered(record: MatchRecord, name: str, index: int, **values: Any) -> MatchRecord:
    rows = list(getattr(record, name))
    rows[index] = replace(rows[index], **values)
    changed: dict[str, Any] = {name: tuple(rows)}
    return replace(record, **changed)


def refused(record: MatchRecord) -> int:
    return next(
        index
        for index, ask in enumerate(record.asks)
        if ask.ruling is not None and ask.ruling.code not in Infraction.__members__.values()
    )


def accepted(record: MatchRecord) -> int:
    return next(index for index, ask in enumerate(record.asks) if ask.ruling is None)


ALTERATIONS: dict[str, tuple[Callable[[MatchRecord], MatchRecord], str]] = {
    "format": (lambda r: replace(r, format_version=2), "format_version"),
    "digest": (lambda r: replace(r, play_digest=bytes(32)), "play_digest"),
    "attempt": (lambda r: replace(r, attempt=0), "attempt"),
    "a seat less": (lambda r: replace(r, seats=r.seats[:-1]), "number of seats"),
    "seats out of order": (lambda r: replace(r, seats=r.seats[::-1]), "seats[0].seat"),
    "time runs backwards": (
        lambda r: replace(r, end_time=r.start_time - timedelta(microseconds=1)),
        "end_time",
    ),
    "key of a league": (lambda r: replace(r, match_key="demo/a+b/1/0"), "match_key"),
    "deal key": (lambda r: replace(r, deal_key="match/2"), "deal_key"),
    "commitment": (lambda r: replace(r, seed_commitment=bytes(32)), "seed_commitment"),
    "points": (lambda r: replace(r, result=replace(r.result, points=(0, 0, 0))), "result.points"),
    "winner": (lambda r: replace(r, result=replace(r.result, winners=())), "result.winners"),
    "place": (lambda r: replace(r, result=replace(r.result, places=(1, 1, 1))), "result.places"),
    "penalty": (lambda r: altered(r, "infractions", 0, penalty=0), "infractions[0].penalty"),
    "strikes": (lambda r: altered(r, "infractions", 0, strikes=9), "infractions[0].strikes"),
    "fault": (lambda r: altered(r, "infractions", 0, fault=Fault.HOST), "infractions[0].fault"),
    "consequence": (
        lambda r: altered(r, "infractions", 0, consequence=Consequence.NONE),
        "infractions[0].consequence",
    ),
    "counted time": (lambda r: altered(r, "asks", 0, counted_us=0), "asks[0].counted_us"),
    "limit": (lambda r: altered(r, "asks", 0, limit_us=1), "asks[0].limit_us"),
    "bank": (lambda r: altered(r, "asks", 5, bank_us=1), "asks[5].bank_us"),
    "match budget": (
        lambda r: altered(r, "asks", 5, match_left_us=None),
        "asks[5].match_left_us",
    ),
    "time excused": (lambda r: altered(r, "asks", 5, excused_us=50), "asks[5].counted_us"),
    "another bank": (
        lambda r: replace(r, time_control=replace(r.time_control, bank_us=1_000)),
        "asks[0].bank_us",
    ),
    "fewer retries": (
        lambda r: replace(r, conduct=replace(r.conduct, retries=0)),
        "",
    ),
    "a strike limit": (lambda r: replace(r, conduct=replace(r.conduct, strike_limit=1)), ""),
    "ruling hidden": (lambda r: altered(r, "asks", refused(r), ruling=None), "asks["),
    "ruling invented": (
        lambda r: altered(
            r, "asks", accepted(r), ruling=Ruling("not_adjacent", "§4.3", 1, "does not fit")
        ),
        "asks[",
    ),
    "other section": (
        lambda r: altered(r, "asks", refused(r), ruling=_moved(r.asks[refused(r)].ruling)),
        f"asks[{refused(RECORD)}].ruling",
    ),
    "other answer": (
        lambda r: altered(r, "asks", accepted(r), answer=GivenAnswer((80,), 1)),
        "",
    ),
    "absurd count": (
        lambda r: altered(r, "asks", accepted(r), answer=GivenAnswer((1,), 2**32 - 1)),
        "answer to the question",
    ),
    "an ask less": (lambda r: replace(r, asks=r.asks[:-1]), ""),
    "an ask more": (lambda r: replace(r, asks=(*r.asks, r.asks[-1])), "number of asks"),
    "an infraction less": (lambda r: replace(r, infractions=r.infractions[:-1]), ""),
    "an infraction more": (lambda r: replace(r, infractions=r.infractions * 2), ""),
}


def _moved(ruling: Ruling | None) -> Ruling:
    assert ruling is not None
    return ruling._replace(section="§9.9")


def test_the_sample_holds_and_has_what_is_altered() -> None:
    assert verify(RECORD) is None
    assert len({found.kind for found in RECORD.infractions}) == 3


@pytest.mark.parametrize("name", ALTERATIONS)
def test_an_altered_record_is_refused_by_what_was_altered(name: str) -> None:
    alter, where = ALTERATIONS[name]
    difference = verify(alter(RECORD))
    assert difference is not None
    assert difference.where.startswith(where)


@given(st.data())
@settings(max_examples=150)
def test_an_altered_line_is_refused(data: st.DataObject) -> None:
    lines = RECORD.transcript.split("\n")
    index = data.draw(st.integers(0, len(lines) - 2))
    line = lines[index]
    change = data.draw(st.sampled_from(["drop", "double", "swap", "digit", "space", "letter"]))
    match change:
        case "drop":
            del lines[index]
        case "double":
            lines.insert(index, line)
        case "swap":
            lines[index], lines[index - 1] = lines[index - 1], line
        case "digit":
            digits = [place for place, sign in enumerate(line) if sign.isdigit()]
            if not digits:
                return
            place = data.draw(st.sampled_from(digits))
            lines[index] = line[:place] + str((int(line[place]) + 1) % 10) + line[place + 1 :]
        case "space":
            lines[index] = line + " "
        case _:
            place = data.draw(st.integers(0, len(line)))
            lines[index] = line[:place] + "x" + line[place:]
    text = "\n".join(lines)
    changed = replace(RECORD, transcript=text, play_digest=digest_of(text))
    seed_line = index == 4 and change == "digit"
    assert verify(changed) is not None
    # Another seed can hardly fit the play; every other change is seen in the text alone.
    assert verify_transcript(text) is not None or seed_line


@pytest.mark.parametrize("line", range(RECORD.transcript.count("\n")))
def test_a_long_line_is_told_briefly(line: int) -> None:
    lines = RECORD.transcript.split("\n")
    lines[line] += "x" * 10_000
    difference = verify_transcript("\n".join(lines))
    assert difference is not None
    assert difference.where == f"transcript line {line + 1}"
    assert len(str(difference)) < 1000


@pytest.mark.parametrize("cut", [0, 1, 40, 200, -1, -2])
def test_a_cut_transcript_is_refused(cut: int) -> None:
    text = RECORD.transcript[:cut]
    assert verify_transcript(text) is not None


def test_after_a_forfeit_the_house_alone_plays_the_seat() -> None:
    gone = ScriptedPlayer(lambda _: NoAnswer(Infraction.DISCONNECTED, QUICK, ""))
    text = play(setup(2), [gone, honest(1)]).transcript
    assert verify_transcript(text) is None
    assert " 0 house lay " in text
    difference = verify_transcript(text.replace(" 0 house lay ", " 0 lay ", 1))
    assert difference is not None
    assert difference.expected == "the house player's act for a forfeited seat"


def test_an_unknown_profile_version_is_refused_by_name() -> None:
    text = RECORD.transcript.replace("ravensburger@1", "ravensburger@2")
    difference = verify_transcript(text)
    assert difference is not None
    assert difference.where == "transcript line 2"
    assert re.search("version '2' of ravensburger", difference.found)


LEAGUE_SEED = bytes(range(1, 33))


def league_record(rotation: int = 1) -> MatchRecord:
    names = ("ann", "bob", "cy")
    table = "+".join(names)
    deal_key = f"club/{table}/4"
    seed = deal_seed(LEAGUE_SEED, deal_key)
    control = TimeControl()
    played = play(setup(3, seed=seed, time_control=control), [honest(n) for n in range(3)])
    bots = seated(LEAGUE_SEED, names, table, 4, rotation)
    return replace(
        record_of(played, seed=seed),
        league="club",
        match_key=f"{deal_key}/{rotation}",
        deal_key=deal_key,
        seats=tuple(SeatRecord(seat, bot, "1", bytes(32), "", "") for seat, bot in enumerate(bots)),
        seed_commitment=commitment(LEAGUE_SEED),
    )


def test_with_the_league_seed_deals_and_seats_are_derived() -> None:
    record = league_record()
    assert verify(record) is None
    assert verify(record, LEAGUE_SEED) is None
    for alter, where in [
        (replace(record, match_key=record.match_key[:-1] + "2"), "seats"),
        (replace(record, seed_commitment=bytes(32)), "seed_commitment"),
        (
            replace(
                record,
                match_key=record.match_key.replace("/4/", "/5/"),
                deal_key=record.deal_key.replace("/4", "/5"),
            ),
            "seed",
        ),
    ]:
        assert verify(alter) is None or where == "seed_commitment"
        difference = verify(alter, LEAGUE_SEED)
        assert difference is not None
        assert difference.where == where


@pytest.mark.parametrize(
    "key",
    [
        "club/ann+bob+cy/4",
        "club/ann+bob+cy/04/1",
        "club/ann+bob/4/1",
        "x/ann+bob+cy/4/1",
        "club/ann+bob+cy/0/1",
    ],
)
def test_a_league_key_names_league_table_deal_and_rotation(key: str) -> None:
    difference = verify(replace(league_record(), match_key=key))
    assert difference is not None
    assert difference.where == "match_key"
