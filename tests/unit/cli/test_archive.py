"""A league in one file: written, verified and imported by command."""

import json
import os
import shutil
from pathlib import Path

import pytest

from referee.app.archive.form import MATCHES, record_file
from referee.app.ed25519 import SigningKey
from referee.app.signing import shown_key, signed_by
from referee.league.results import match_result
from referee.rpc.codec import decode_envelope, decode_record
from referee.store.entries import LeagueState, VoidCause
from tests.support import ledgers, played
from tests.support.archives import Parts, write_archive
from tests.unit.cli.conftest import Run, repository_of

MATCH = "demo/ann+bob/1/0"


@pytest.fixture
def archive(ledger: Path, tmp_path: Path) -> Path:
    return write_archive(ledger, tmp_path / "demo.tar")


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    """A league of which one deal is over, one has begun, and an attempt was void."""
    file = tmp_path / "open.db"
    league = played.league_format()
    plans = sorted(played.plans(league), key=lambda plan: (plan.deal, plan.rotation))
    with repository_of(file) as repository:
        played.open_league(repository, league)
        for plan in (plans[0], plans[3]):
            attempt = ledgers.open_one(repository, plan)
            repository.void(attempt, VoidCause.HOST, "no memory", bot="ann", standing={"ann": 3})
        for plan in plans[:3]:
            played.count(repository, plan)
        ledgers.open_one(repository, plans[3])
    return file


def imported_name(run: Run, database: str) -> str:
    (league,) = json.loads(run("league", "list", "--json", "--db", database).out)["leagues"]
    name: str = league["league"]
    return name


def test_archive_and_verify(run: Run, ledger: Path) -> None:
    written = run("league", "archive", "demo", "--out", "demo.tar", "--db", ledger)
    size = Path("demo.tar").stat().st_size
    assert written == (0, f"demo.tar: 4 matches, {size} bytes\n", "")
    verified = run("league", "verify", "demo.tar")
    assert verified == (0, "demo.tar: holds: league demo, finished, 4 matches, not signed\n", "")
    assert json.loads(run("league", "verify", "demo.tar", "--json").out) == {
        "archive": "demo.tar",
        "holds": True,
        "problem": None,
        "league": "demo",
        "state": "finished",
        "matches": 4,
        "signed_by": None,
    }


def test_verify_needs_no_database(
    run: Run, archive: Path, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.unlink()
    monkeypatch.setenv("REFEREE_DB", "postgresql://nobody@localhost:1/none")
    assert run("league", "verify", archive).code == 0


def test_the_same_league_gives_the_same_bytes(
    run: Run, ledger: Path, archive: Path, key: SigningKey
) -> None:
    assert write_archive(ledger, Path("again.tar")).read_bytes() == archive.read_bytes()
    signed = [write_archive(ledger, Path(name), key).read_bytes() for name in ("a.tar", "b.tar")]
    assert signed[0] == signed[1] != archive.read_bytes()


def test_a_signed_archive(run: Run, ledger: Path, key: SigningKey) -> None:
    public = shown_key(key.public)
    written = run("league", "archive", "demo", "--out", "demo.tar", "--db", ledger)
    assert written.out.endswith(f", signed by {public}\n")
    verified = run("league", "verify", "demo.tar", "--key", public)
    assert verified.code == 0
    assert verified.out.endswith(f"4 matches, signed by {public}\n")
    parts = Parts.of(Path("demo.tar"))
    assert signed_by(key.public, parts["manifest.sig"], parts["manifest.json"])
    envelope = decode_envelope(parts[record_file(MATCH)])
    assert signed_by(key.public, envelope.signature, envelope.sha256)


def test_a_key_that_has_not_signed(run: Run, archive: Path, ledger: Path, key: SigningKey) -> None:
    public, other = shown_key(key.public), shown_key(SigningKey.generate().public)
    signed = write_archive(ledger, Path("signed.tar"), key)
    for file, found in ((archive, "none"), (signed, f"one by {public}")):
        outcome = run("league", "verify", file, "--key", other)
        assert outcome.code == 4
        assert f"{file}: signature: expected one by {other}, found {found}\n" == outcome.out


def test_records_of_an_archive_are_envelopes(run: Run, archive: Path) -> None:
    shutil.unpack_archive(archive, "unpacked", filter="data")
    assert run("replay", "verify", *Path("unpacked/records").iterdir()).code == 0


def test_what_a_record_gives_is_what_the_database_says(ledger: Path, archive: Path) -> None:
    parts = Parts.of(archive)
    with repository_of(ledger) as repository:
        results = list(repository.results("demo"))
    records = [decode_envelope(parts[record_file(result.match_key)]) for result in results]
    assert [match_result(decode_record(envelope.record)) for envelope in records] == results


def test_an_archive_is_never_overwritten(run: Run, ledger: Path) -> None:
    Path("demo.tar").write_text("mine")
    outcome = run("league", "archive", "demo", "--out", "demo.tar", "--db", ledger)
    assert outcome.code == 2
    assert "it is not overwritten" in outcome.err
    assert Path("demo.tar").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["none", "--out", "demo.tar"], 3, "there is no league 'none'"),
        (["demo", "--out", "no/such/folder.tar"], 2, "there is no folder no/such"),
        (["demo", "--out", "."], 2, "exists already"),
        (["demo"], 2, "--out"),
    ],
)
def test_what_cannot_be_archived(
    run: Run, ledger: Path, tmp_path: Path, arguments: list[str], code: int, told: str
) -> None:
    outcome = run("league", "archive", *arguments, "--db", ledger)
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".tar"] == []


def test_a_failure_leaves_nothing(
    run: Run, ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", _no_space)
    outcome = run("league", "archive", "demo", "--out", "demo.tar", "--db", ledger)
    assert outcome.code == 6
    assert "demo.tar: cannot be written: No space left on device" in outcome.err
    assert [file.name for file in tmp_path.iterdir() if "tar" in file.name] == []


def _no_space(_: int) -> None:
    raise OSError(28, os.strerror(28))


def test_a_league_that_is_not_over(run: Run, unfinished: Path) -> None:
    line = ("league", "archive", "demo", "--out", "demo.tar", "--db", unfinished)
    refused = run(*line)
    assert (refused.code, refused.out) == (2, "")
    assert "league demo is not over" in refused.err
    assert "§10.4" in refused.err

    partial = run(*line, "--partial")
    assert partial.code == 0
    assert partial.out.startswith("demo.tar: 2 matches")
    assert "1 held back" in partial.err
    assert run("league", "verify", "demo.tar").out == (
        "demo.tar: holds: league demo, open, 2 matches, not signed\n"
    )
    parts = Parts.of(Path("demo.tar"))
    assert played.SEED.hex().encode() not in Path("demo.tar").read_bytes()
    matches = [json.loads(text) for text in parts[MATCHES].splitlines()]
    assert [match["match_key"] for match in matches] == [MATCH, "demo/ann+bob/1/1"]
    assert [attempt["status"] for attempt in matches[0]["attempts"]] == ["void", "counted"]
    assert matches[0]["attempts"][0]["cause"] == "host"
    assert matches[0]["attempts"][0]["standing"] == {"ann": 3}

    brought = run("league", "import", "demo.tar", "--db", "other.db")
    assert brought.code == 2
    assert "allowed are archives of whole leagues" in brought.err


def test_import(run: Run, archive: Path, ledger: Path) -> None:
    line = ("league", "import", archive, "--db", "other.db")
    assert "kept as demo@" in run(*line).out
    name = imported_name(run, "other.db")
    again = run(*line)
    assert f"was here already as {name}" in again.out
    assert json.loads(run(*line, "--json").out) == {"league": name, "matches": 4, "new": False}
    for command in (["standings"], ["crosstable"], ["infractions"]):
        theirs = json.loads(run(*command, "demo", "--json", "--db", ledger).out)
        here = json.loads(run(*command, name, "--json", "--db", "other.db").out)
        assert theirs.pop("league") != here.pop("league")
        assert theirs.pop("state", None) in ("finished", None)
        assert here.pop("state", None) in ("imported", None)
        assert here == theirs
    matches = json.loads(run("match", "list", "--json", "--db", "other.db").out)["matches"]
    assert {match["state"] for match in matches} == {"imported"}
    assert all(match["match_key"].startswith(f"{name}/ann+bob/") for match in matches)
    assert run("replay", "verify", "--league", name, "--db", "other.db").out == (
        "4 of 4 matches hold\n"
    )
    assert run("replay", "show", f"{name}/ann+bob/1/0", "--db", "other.db").code == 0


def test_an_import_keeps_voids(run: Run, unfinished: Path) -> None:
    league = played.league_format()
    with repository_of(unfinished) as repository:
        last = max(played.plans(league), key=lambda plan: (plan.deal, plan.rotation))
        repository.take_lease("demo", lambda _: True, host="here", worker="1")
        played.count(repository, last)
        ledgers.finish(repository)
    write_archive(unfinished, Path("demo.tar"))
    assert run("league", "import", "demo.tar", "--db", "other.db").code == 0
    name = imported_name(run, "other.db")
    theirs = json.loads(run("attempts", "demo", "--json", "--db", unfinished).out)["attempts"]
    here = json.loads(run("attempts", name, "--json", "--db", "other.db").out)["attempts"]
    for attempt in here:
        attempt["match_key"] = attempt["match_key"].replace(f"{name}/", "demo/")
    assert here == theirs
    assert [attempt["cause"] for attempt in here].count("host") == 2


def test_an_imported_league_never_meets_ones_own(run: Run, archive: Path, tmp_path: Path) -> None:
    league = played.league_format()
    file = tmp_path / "own.db"
    with repository_of(file) as repository:
        played.open_league(repository, league)
        before = repository.get_league("demo")
        assert run("league", "import", archive, "--db", file).code == 0
        assert repository.get_league("demo") == before
        assert repository.counted_keys("demo") == set()
        assert list(repository.results("demo")) == []
        assert list(repository.attempts("demo")) == []
        assert [known.imported for known in repository.list_leagues()] == [False, True]
    assert json.loads(run("standings", "demo", "--json", "--db", file).out)["matches"] == 0


@pytest.mark.parametrize("way", ["own", "single"])
def test_what_is_here_already_is_not_taken_twice(
    run: Run, archive: Path, ledger: Path, way: str
) -> None:
    database = ledger
    if way == "single":
        database = Path("other.db")
        Path("one.pb").write_bytes(Parts.of(archive)[record_file("demo/ann+bob/2/1")])
        assert run("replay", "import", "one.pb", "--db", database).code == 0
    before = run("match", "list", "--db", database).out
    outcome = run("league", "import", archive, "--db", database)
    assert outcome.code == 2
    assert "is here already, as" in outcome.err
    assert "another database" in outcome.err
    assert run("match", "list", "--db", database).out == before


def test_another_league_of_the_name(run: Run, archive: Path) -> None:
    run("league", "import", archive, "--db", "other.db")
    name = imported_name(run, "other.db")
    with repository_of(Path("clash.db")) as repository:
        played.open_league(repository, played.league_format(name="demo"))
        with repository._database.writing() as session:
            session.connection().exec_driver_sql(f"UPDATE leagues SET name = '{name}'")
    outcome = run("league", "import", archive, "--db", "clash.db")
    assert outcome.code == 2
    assert f"there is another league '{name}'" in outcome.err


def test_an_imported_league_is_not_archived_again(run: Run, archive: Path) -> None:
    run("league", "import", archive, "--db", "other.db")
    name = imported_name(run, "other.db")
    outcome = run("league", "archive", name, "--out", "again.tar", "--db", "other.db")
    assert outcome.code == 2
    assert "was imported" in outcome.err


def test_import_keeps_nothing_of_what_does_not_hold(run: Run, archive: Path) -> None:
    parts = Parts.of(archive)
    parts.change_match(3, lambda match: match["attempts"][0].update(number=2))
    Path("bad.tar").write_bytes(parts.forged())
    outcome = run("league", "import", "bad.tar", "--db", "other.db")
    assert (outcome.code, outcome.out) == (4, "")
    assert "bad.tar: does not hold: demo/ann+bob/2/1: numbers of its attempts" in outcome.err
    with repository_of(Path("other.db")) as repository:
        assert repository.list_leagues() == []
        assert list(repository.list_matches()) == []


def test_a_league_that_came_from_an_archive_was_over(archive: Path, run: Run) -> None:
    run("league", "import", archive, "--db", "other.db")
    with repository_of(Path("other.db")) as repository:
        (league,) = repository.list_leagues()
    assert league.state is LeagueState.FINISHED
    assert league.seed == played.SEED
