"""Matches shown, verified, written out and brought in again."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy

from referee.app.forms import Form, file_name
from referee.match.conduct import Conduct, Infraction
from referee.match.player import Fault, Reply
from referee.match.record import MatchRecord, digest_of
from referee.rpc.codec import decode_record, encode_envelope, encode_record
from tests.support import matches, played
from tests.unit.cli.conftest import Run, repository_of
from tests.unit.cli.test_main import REFEREE

KEY = "demo/ann+bob/1/0"
FORMS = list(Form)


@pytest.fixture
def exported(run: Run, ledger: Path, tmp_path: Path) -> Callable[[Form], Path]:
    """Writes the match to a file of a form."""

    def export(form: Form) -> Path:
        outcome = run("replay", "export", KEY, "--format", form, "--out", "out", "--db", ledger)
        assert outcome.code == 0, outcome.err
        return tmp_path / "out" / file_name(KEY, form)

    return export


def test_show_tells_every_turn(run: Run, ledger: Path) -> None:
    out = run("replay", "show", KEY, "--db", ledger).out
    with repository_of(ledger) as repository:
        record = decode_record(repository.get_record(KEY).record)
    turns = [line.split(" ", 2) for line in record.transcript.splitlines() if line[0].isdigit()]
    shown = [line for line in out.splitlines() if line.startswith("Game 1, turn ")]
    assert len(shown) == len(turns)
    assert [act for _, _, act in turns if f"{act}\n" not in out] == []
    assert out.count("accepted") == len(record.asks)
    assert max(map(len, out.splitlines())) <= 100


def test_show_takes_a_beginning(run: Run, ledger: Path) -> None:
    whole = run("replay", "show", KEY, "--db", ledger)
    assert whole.code == 0
    assert run("replay", "show", "demo/ann+bob/1/0", "--db", ledger) == whole
    several = run("replay", "show", "demo", "--db", ledger)
    assert several.code == 2
    assert KEY in several.err


def test_show_tells_rulings_infractions_and_forfeits(run: Run, tmp_path: Path) -> None:
    answers = iter([Reply((80, 1), matches.QUICK), Reply((), matches.QUICK)])
    clumsy = matches.honest()
    legal = clumsy.answer
    clumsy.answer = lambda ask: next(answers, None) or legal(ask)
    gone = matches.ScriptedPlayer(
        lambda _: Fault(Infraction.CRASHED, matches.QUICK, "exit status 1\x1b[2J")
    )
    record = matches.record_of(matches.play(matches.setup(3), [clumsy, gone, matches.honest()]))
    file = tmp_path / "match.pb"
    file.write_bytes(encode_envelope(encode_record(record)))
    out = run("replay", "show", file).out
    assert "refused" in out
    assert "(§4" in out
    assert "illegal" in out
    assert r"exit status 1\x1b[2J" in out
    assert "seat 1 bot-1 forfeits" in out
    assert "the house: " in out


def test_show_tells_how_a_match_was_cut_short(run: Run, tmp_path: Path) -> None:
    gone = [
        matches.ScriptedPlayer(lambda _: Fault(Infraction.CRASHED, matches.QUICK, "exit status 1"))
        for _ in range(2)
    ]
    conduct = Conduct(restarts=0)
    cut = matches.play(matches.setup(2, conduct=conduct), gone)
    record = matches.record_of(cut, conduct=conduct)
    file = tmp_path / "match.pb"
    file.write_bytes(encode_envelope(encode_record(record)))
    outcome = run("replay", "show", file)
    assert outcome.code == 0
    assert outcome.out.count("crashed (exit status 1)") == 2
    assert outcome.out.endswith("The match was cut short.\n")


def test_show_of_a_transcript_alone(run: Run, exported: Callable[[Form], Path]) -> None:
    out = run("replay", "show", exported(Form.TRANSCRIPT)).out
    assert "Game 1, turn 1: seat " in out
    assert "ann" not in out


def test_show_stops_at_what_does_not_hold(run: Run, exported: Callable[[Form], Path]) -> None:
    file = exported(Form.TRANSCRIPT)
    file.write_text(file.read_text().replace("\nend ", "\n99 0 stuck\nend "))
    outcome = run("replay", "show", file)
    assert outcome.code == 4
    assert outcome.out.count("turn") > 1
    assert "transcript line" in outcome.err


def test_verify_a_league(run: Run, ledger: Path) -> None:
    outcome = run("replay", "verify", "--league", "demo", "--db", ledger)
    assert outcome == (0, "4 of 4 matches hold\n", "")


def test_verify_takes_matches_and_every_form_of_file(
    run: Run, ledger: Path, exported: Callable[[Form], Path]
) -> None:
    files = [exported(form) for form in FORMS]
    outcome = run("replay", "verify", KEY, *files, "--db", ledger)
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        f"{KEY}: holds",
        *(f"{file}: holds" for file in files),
        "4 of 4 matches hold",
    ]


def test_verify_needs_no_database_for_files(run: Run, exported: Callable[[Form], Path]) -> None:
    assert run("replay", "verify", exported(Form.PB)).code == 0


def _shorter(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _other_points(content: bytes) -> bytes:
    return content.replace(b"total points ", b"total points 9")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("damage", [_shorter, _other_points])
def test_verify_finds_damage(
    run: Run, exported: Callable[[Form], Path], form: Form, damage: Callable[[bytes], bytes]
) -> None:
    file = exported(form)
    file.write_bytes(damage(file.read_bytes()))
    outcome = run("replay", "verify", file)
    assert outcome.code == 4
    assert outcome.out.startswith(f"{file}: ")
    assert "holds" not in outcome.out
    assert outcome.err == ""


def test_verify_names_the_first_difference_of_each(run: Run, ledger: Path) -> None:
    _store_otherwise(ledger, KEY, lambda record: replace(record, attempt=1, referee_version="9"))
    _store_otherwise(
        ledger,
        "demo/ann+bob/2/1",
        lambda record: replace(record, result=replace(record.result, winners=(0, 1))),
    )
    outcome = run("replay", "verify", "--league", "demo", "--db", ledger)
    assert outcome.code == 4
    wrong, summary = outcome.out.splitlines()
    assert wrong.startswith("demo/ann+bob/2/1: result")
    assert summary == "3 of 4 matches hold"
    found = json.loads(run("replay", "verify", "--league", "demo", "--json", "--db", ledger).out)
    assert (found["hold"], found["differ"]) == (3, 1)
    assert [match["problem"] for match in found["matches"] if match["holds"]] == [None] * 3


def test_a_record_altered_in_the_database_is_found(run: Run, ledger: Path) -> None:
    engine = sqlalchemy.create_engine(f"sqlite:///{ledger}")
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("UPDATE records SET record = x'00' WHERE id = 1"))
    engine.dispose()
    outcome = run("replay", "verify", "--league", "demo", "--db", ledger)
    assert outcome.code == 4
    assert "altered" in outcome.out
    assert outcome.out.endswith("3 of 4 matches hold\n")


@pytest.mark.parametrize(
    ("column", "value", "where"),
    [
        ("penalty", 9, "result.penalties"),
        ("total", 7777, "result.totals"),
        ("bot", "zoe", "seats[1].bot"),
        ("answer_times", '{"sum_us":1,"buckets":[]}', "seats[1].times"),
    ],
)
def test_a_result_altered_beside_its_record_is_found(
    run: Run, ledger: Path, column: str, value: object, where: str
) -> None:
    engine = sqlalchemy.create_engine(f"sqlite:///{ledger}")
    with engine.begin() as connection:
        connection.execute(
            sqlalchemy.text(
                f"UPDATE seats SET {column} = :value WHERE attempt_id = 1 AND seat = 1"
            ),
            {"value": value},
        )
    engine.dispose()
    outcome = run("replay", "verify", "--league", "demo", "--db", ledger)
    assert outcome.code == 4
    assert f"the database's {where}" in outcome.out


def _store_otherwise(
    ledger: Path, match_key: str, change: Callable[[MatchRecord], MatchRecord]
) -> None:
    """Forge a record in the database, digest and all."""
    with repository_of(ledger) as repository:
        old = repository.get_record(match_key)
    content = encode_record(change(decode_record(old.record)))
    engine = sqlalchemy.create_engine(f"sqlite:///{ledger}")
    with engine.begin() as connection:
        connection.execute(
            sqlalchemy.text("UPDATE records SET record = :new, sha256 = :sha WHERE sha256 = :old"),
            {"new": content, "sha": hashlib.sha256(content).digest(), "old": old.sha256},
        )
    engine.dispose()


def test_export_of_a_league(run: Run, ledger: Path, tmp_path: Path) -> None:
    line = ("replay", "export", "--league", "demo", "--format", "json", "--out", "a/b")
    first = run(*line, "--db", ledger)
    assert first == (0, "4 files in a/b\n", "")
    assert sorted(file.name for file in (tmp_path / "a" / "b").iterdir()) == [
        f"demo~ann+bob~{deal}~{rotation}.json" for deal in (1, 2) for rotation in (0, 1)
    ]
    assert run(*line, "--db", ledger) == first


def test_export_overwrites_nothing(
    run: Run, ledger: Path, exported: Callable[[Form], Path]
) -> None:
    file = exported(Form.JSON)
    file.write_text("mine")
    outcome = run("replay", "export", KEY, "--format", "json", "--out", "out", "--db", ledger)
    assert outcome.code == 2
    assert "is not overwritten" in outcome.err
    assert [(other.name, other.read_text()) for other in file.parent.iterdir()] == [
        (file.name, "mine")
    ]


def test_export_to_standard_output(run: Run, ledger: Path) -> None:
    with repository_of(ledger) as repository:
        stored = repository.get_record(KEY)
    outcome = subprocess.run(
        [*REFEREE, "replay", "export", KEY, "--format", "pb", "--db", str(ledger)],
        capture_output=True,
        timeout=50,
    )
    assert outcome.stdout == encode_envelope(stored.record)
    text = run("replay", "export", KEY, "--format", "transcript", "--db", ledger).out
    assert text == decode_record(stored.record).transcript


def test_bytes_are_not_for_a_terminal(
    run: Run, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    outcome = run("replay", "export", KEY, "--format", "pb", "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert "not for a terminal" in outcome.err
    assert run("replay", "export", KEY, "--format", "json", "--db", ledger).code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--league", "demo"], "4 matches: say --out DIR"),
        ([], "no match is named"),
        ([KEY, "--league", "demo"], "allowed is one of them"),
    ],
)
def test_export_wants_to_know_what_and_where(
    run: Run, ledger: Path, arguments: list[str], told: str
) -> None:
    outcome = run("replay", "export", *arguments, "--format", "pb", "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


@pytest.mark.parametrize(
    ("match_key", "name"),
    [
        ("match/3f", "match~3f.pb"),
        ("demo/a+b/1/0", "demo~a+b~1~0.pb"),
        ("../../etc/passwd", None),
        ("demo/a\x00/1/0", None),
        ("", None),
        ("demo/" + "a" * 200 + "/1/0", None),
    ],
)
def test_names_of_files_are_plain(match_key: str, name: str | None) -> None:
    digest = hashlib.sha256(match_key.encode()).hexdigest()[:32]
    assert file_name(match_key, Form.PB) == (name or f"{digest}.pb")


def test_a_deal_that_is_not_over_stays_secret(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.db"
    league = played.league_format(deals=2)
    plans = sorted(played.plans(league), key=lambda plan: (plan.deal, plan.rotation))
    with repository_of(file) as repository:
        played.open_league(repository, league)
        for plan in plans[:3]:
            played.count(repository, plan)
    secret = plans[2].match_key
    for line in (
        ["show", secret],
        ["explain", secret, "--game", "1", "--turn", "1"],
        ["export", secret, "--format", "json"],
        ["export", secret, "--format", "transcript"],
    ):
        outcome = run("replay", *line, "--db", file)
        assert (outcome.code, outcome.out) == (2, "")
        assert "§10.4" in outcome.err
    assert run("replay", "show", plans[1].match_key, "--db", file).code == 0
    outcome = run(
        "replay", "export", "--league", "demo", "--format", "pb", "--out", "o", "--db", file
    )
    assert (outcome.code, outcome.out) == (0, "2 files in o\n")
    assert "1 held back" in outcome.err
    assert run("replay", "verify", "--league", "demo", "--db", file).code == 0


def test_import(run: Run, exported: Callable[[Form], Path]) -> None:
    file = exported(Form.PB)
    line = ("replay", "import", file, "--db", "other.db")
    first = run(*line)
    assert first.code == 0
    assert "kept as imported/" in first.out
    assert "was here already" in run(*line).out
    assert run("replay", "verify", "imported/", "--db", "other.db").code == 0
    assert run("standings", "demo", "--db", "other.db").code == 3
    (match,) = json.loads(run("match", "list", "--json", "--db", "other.db").out)["matches"]
    assert match["state"] == "imported"


def test_import_keeps_nothing_when_one_does_not_hold(
    run: Run, exported: Callable[[Form], Path], tmp_path: Path
) -> None:
    good = exported(Form.PB)
    record = matches.record_of(matches.play(matches.setup(2), [matches.honest()] * 2))
    transcript = record.transcript.replace("\ntotal points ", "\ntotal points 9")
    forged = replace(record, transcript=transcript, play_digest=digest_of(transcript))
    bad = tmp_path / "bad.pb"
    bad.write_bytes(encode_envelope(encode_record(forged)))
    outcome = run("replay", "import", good, bad, "--db", "other.db")
    assert outcome.code == 4
    assert outcome.err.startswith(f"error: {bad}: does not hold: ")
    assert json.loads(run("match", "list", "--json", "--db", "other.db").out) == {"matches": []}


@pytest.mark.parametrize("form", [Form.JSON, Form.TRANSCRIPT])
def test_import_takes_envelopes_only(
    run: Run, exported: Callable[[Form], Path], form: Form, tmp_path: Path
) -> None:
    outcome = run("replay", "import", exported(form), "--db", "other.db")
    assert outcome.code == 2
    assert "only envelopes" in outcome.err
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("command", ["show", "verify"])
@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("demo/ann+bob/9/0", 3, "there is no match 'demo/ann+bob/9/0'"),
        ("match/1", 3, "there is no match 'match/1'"),
        ("match.json", 3, "there is no match 'match.json' in this database, and no file of"),
        ("no such\x1b file", 3, "no match key"),
    ],
)
def test_an_unknown_match(
    run: Run, ledger: Path, command: str, name: str, code: int, told: str
) -> None:
    outcome = run("replay", command, name, "--db", ledger)
    assert outcome.code == code
    assert told in outcome.err
    assert "\x1b" not in outcome.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no record"),
        (b"{}", "format_version"),
        (b'{"match_key": 1', "JSON"),
        (b"elfer 1 house 1\n", "line 2"),
        (b"elfer \xff", "not UTF-8"),
        (b"\x00\x01\x02", "envelope"),
    ],
)
def test_a_file_that_is_no_match(run: Run, tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "match.pb"
    file.write_bytes(content)
    for command in ("show", "verify"):
        outcome = run("replay", command, file)
        assert outcome.code == 4
        assert told in outcome.out + outcome.err


def test_a_folder_is_no_match(run: Run, tmp_path: Path) -> None:
    outcome = run("replay", "show", tmp_path)
    assert (outcome.code, outcome.out) == (2, "")
    assert "not a regular file" in outcome.err


def test_a_name_that_is_nothing_says_where_it_was_looked_for(run: Run) -> None:
    outcome = run("replay", "show", "lost.pb")
    assert outcome.code == 5
    assert "lost.pb: no file of this name" in outcome.err
