"""A profile more: one literal, and everything plays it. Run as a program of its own.

Here alone it can be there before anything else is imported.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from referee.games.elfer_raus import profiles
from referee.games.elfer_raus.rules import Passing, start_drawn_from

NAME: Final = "made-up@1"

profiles.PROFILES[NAME] = replace(
    profiles.CLASSIC,
    numbers=(3, 17),
    start=start_drawn_from(9, 10, 11),
    draw=2,
    passing=Passing.FREE,
    hand=(15, 12, 10, 8, 6),
)


def main() -> None:
    from referee.cli.main import main as referee
    from referee.games.elfer_raus.game import ElferRaus
    from referee.league.format import LeagueFormat
    from referee.match.series import Limit
    from referee.match.verify import verify
    from referee.rpc.codec import decode_record, encode_record
    from tests.support.matches import honest, play, record_of, setup
    from tests.support.promises import assert_both_agree

    file = Path("transcript.txt")
    for seats in range(2, 7):
        match = setup(seats, profile="made-up", series=Limit(60))
        played = play(match, [honest(seat) for seat in range(seats)])
        assert f"\nrules {NAME} colours=RYGB numbers=3-17 " in played.transcript
        record = decode_record(encode_record(record_of(played)))
        assert (differs := verify(record)) is None, differs
        assert_both_agree(ElferRaus.of_profile(NAME, seats), match.seed, 0)
        file.write_text(played.transcript, encoding="utf-8", newline="\n")

    for command in (
        ["replay", "verify", str(file)],
        ["replay", "show", str(file)],
        ["rules", "list"],
        ["rules", "show", NAME],
        ["rules", "diff", "classic", "made-up"],
    ):
        assert referee(command) == 0, command

    entrants = [{"path": name, "name": name} for name in "abc"]
    league = {"name": "x", "table_size": 3, "entrants": entrants}
    assert LeagueFormat.model_validate(league | {"profile": "made-up"}).profile == NAME
    LeagueFormat.model_validate(league | {"profile": "custom", "rules": {"base": NAME}})


if __name__ == "__main__":
    main()
