"""Archives that were altered, cut or invented: the first thing that differs is named."""

import io
import json
import os
import tarfile
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.app.archive.form import (
    FORMAT,
    LEAGUE,
    LONGEST_LINE,
    MANIFEST,
    MATCHES,
    MOST_BYTES,
    SIGNATURE,
    STANDINGS,
    record_file,
)
from referee.app.ed25519 import SigningKey
from referee.core.dice import commitment
from referee.files.tar import header
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.rpc.codec import decode_envelope, encode_envelope
from tests.support import played
from tests.support.archives import Parts, content, write_archive
from tests.unit.cli.conftest import Outcome, Run

FIRST, SECOND, LAST = "demo/ann+bob/1/0", "demo/ann+bob/1/1", "demo/ann+bob/2/1"
OTHER_SEED = bytes(32)


@pytest.fixture(scope="session")
def _archive(_ledger_template: Path) -> bytes:
    return write_archive(
        _ledger_template, _ledger_template.with_name("demo.tar"), SigningKey.generate()
    ).read_bytes()


@pytest.fixture
def archive(_archive: bytes, tmp_path: Path) -> Path:
    """Signed."""
    file = tmp_path / "demo.tar"
    file.write_bytes(_archive)
    return file


@pytest.fixture
def parts(archive: Path) -> Parts:
    """Not signed: who forges an archive has no key."""
    parts = Parts.of(archive)
    del parts[SIGNATURE]
    parts.change(MANIFEST, lambda value: value.update(public_key=None))
    return parts


@pytest.fixture
def verify(run: Run) -> Callable[[bytes], Outcome]:
    def verify_bytes(data: bytes) -> Outcome:
        Path("forged.tar").write_bytes(data)
        return run("league", "verify", "forged.tar")

    return verify_bytes


Verify = Callable[[bytes], Outcome]


def assert_refused(outcome: Outcome, told: str) -> None:
    assert outcome.code == 4, outcome
    assert outcome.err == ""
    assert outcome.out.startswith("forged.tar: ")
    assert outcome.out.count("\n") == 1
    assert told in outcome.out
    assert len(outcome.out) < 1000


def test_the_parts_hold(verify: Verify, parts: Parts) -> None:
    assert verify(parts.forged()).code == 0


def test_every_altered_byte_is_found(verify: Verify, archive: Path) -> None:
    whole = archive.read_bytes()
    random = Random(5)
    starts = [whole.index(header(name, len(data))) for name, data in Parts.of(archive).items()]
    anywhere = [random.randrange(len(whole)) for _ in range(30)]
    for at in [*starts, *(start + 512 for start in starts), len(whole) - 1, *anywhere]:
        altered = bytearray(whole)
        altered[at] ^= 1 << random.randrange(8)
        assert_refused(verify(bytes(altered)), "")


def test_every_file_has_its_digest(verify: Verify, parts: Parts) -> None:
    for name in list(parts)[1:]:
        altered = Parts(parts)
        altered[name] = altered[name][:-2] + bytes([altered[name][-2] ^ 1]) + altered[name][-1:]
        assert_refused(verify(altered.packed()), f"SHA-256 of {name}: expected ")


def test_one_that_is_cut_or_goes_on(verify: Verify, archive: Path) -> None:
    whole = archive.read_bytes()
    for size in (0, 1, 511, 512, 513, len(whole) // 2, len(whole) - 512, len(whole) - 1):
        assert_refused(verify(whole[:size]), "")
    for more in (b"\0", bytes(10240), whole):
        assert_refused(verify(whole + more), "something stands where the file should end")


def test_a_signature_is_over_the_manifest(verify: Verify, archive: Path) -> None:
    signed = Parts.of(archive)
    public_key = json.loads(signed[MANIFEST])["public_key"]
    signed.change(STANDINGS, lambda rows: rows[0].update(wins=4.0))
    assert_refused(verify(signed.forged()), f"signature: expected one by {public_key}, found ano")
    signed[SIGNATURE] = signed[SIGNATURE][:63]
    assert_refused(verify(signed.packed()), "expected the file manifest.sig of 64 bytes, found one")


Change = Callable[[Any], object]

FORGERIES: list[tuple[str, Change, str]] = [
    (
        FORMAT,
        lambda league: league["conduct"]["penalties"].update(late=0),
        f"{FIRST}: conduct of late: expected ",
    ),
    (
        FORMAT,
        lambda league: league["conduct"].update(retries=3),
        f"{FIRST}: conduct.retries: expected 3, found 1",
    ),
    (
        FORMAT,
        lambda league: league["time"].update(move="1s"),
        f"{FIRST}: time_control.move_limit_us: expected 1000000, found 2000000",
    ),
    (
        FORMAT,
        lambda league: league.update(profile="classic@1"),
        f"{FIRST}: transcript line 2: expected 'rules classic@1",
    ),
    (
        FORMAT,
        lambda league: league.update(series={"games": 2}),
        f"{FIRST}: transcript line 3: expected 'series games 2', found 'series games 1'",
    ),
    (FORMAT, lambda league: league.update(deals=3), "matches of manifest.json: expected 6 or more"),
    (
        FORMAT,
        lambda league: league.update(deals=1),
        "expected a match of the league, found demo/ann+bob/2/0",
    ),
    (
        FORMAT,
        lambda league: league.update(name="other"),
        "league of manifest.json: expected other, found demo",
    ),
    (
        FORMAT,
        lambda league: league["entrants"][0].update(name="al"),
        "entrants of league.json: expected ('al', 'bob'), found ('ann', 'bob')",
    ),
    (FORMAT, lambda league: league["entrants"][0].update(name=None), "an entrant has no name"),
    (FORMAT, lambda league: league.update(profile="none"), "format.json: profile: Value error"),
    (FORMAT, lambda league: league.update(more=1), "format.json: more: Extra inputs"),
    (LEAGUE, lambda head: head.update(seed=OTHER_SEED.hex()), "seed_commitment of league.json"),
    (
        LEAGUE,
        lambda head: head.update(
            seed=OTHER_SEED.hex(), seed_commitment=commitment(OTHER_SEED).hex()
        ),
        f"{FIRST}: seed_commitment: expected {commitment(OTHER_SEED).hex()}",
    ),
    (LEAGUE, lambda head: head.update(seed=None), "seed of league.json: expected one, found none"),
    (LEAGUE, lambda head: head.update(state="open"), "expected none, as the league is not over"),
    (LEAGUE, lambda head: head.update(state="won"), "league.json: state: Input should be"),
    (
        LEAGUE,
        lambda head: head["entrants"][1].update(bundle_sha256="11" * 32),
        f"{FIRST}: seats[0].bundle_sha256: expected 1111",
    ),
    (
        LEAGUE,
        lambda head: head["entrants"][0].update(author="Al"),
        f"{FIRST}: seats[1].author: expected Al, found Ann",
    ),
    (LEAGUE, lambda head: head["entrants"].pop(), "entrants of league.json"),
    (
        LEAGUE,
        lambda head: head["entrants"][0].update(author="\u202eAl"),
        "league.json: entrants.0.author: Value error, control characters",
    ),
    (
        LEAGUE,
        lambda head: head.update(created_at="2026-01-01T13:00:00+01:00"),
        "league.json: it is not written as a referee writes it",
    ),
    (
        STANDINGS,
        lambda rows: rows[0].update(score=1.0),
        "standings.json, row 1: score: expected 0.5, found 1.0",
    ),
    (STANDINGS, lambda rows: rows[1].pop("wins"), "row 2: wins: expected 2.0, found None"),
    (STANDINGS, lambda rows: rows[0].update(elo=9), "row 1: elo: expected None, found 9"),
    (STANDINGS, lambda rows: rows.pop(), "rows of standings.json: expected 2, found 1"),
    (STANDINGS, lambda rows: rows.reverse(), "row 1: bot: expected ann, found bob"),
    (
        MANIFEST,
        lambda value: value.update(matches=5),
        "number of matches that count: expected 5, found 4",
    ),
    (MANIFEST, lambda value: value.update(matches=10**9), "expected 1000000000, found 4"),
    (MANIFEST, lambda value: value.update(matches=10**30), "manifest.json: matches: "),
    (MANIFEST, lambda value: value.update(matches=-1), "manifest.json: matches: "),
    (MANIFEST, lambda value: value.update(league="other"), "league of manifest.json"),
    (MANIFEST, lambda value: value.update(league="../demo"), "manifest.json: league: String"),
    (MANIFEST, lambda value: value.update(format_version=2), "this referee reads 1"),
    (MANIFEST, lambda value: value.pop("format_version"), "format_version: Field required"),
    (MANIFEST, lambda value: value.update(public_key="me"), "manifest.json: public_key: Value"),
]


@pytest.mark.parametrize(("name", "change", "told"), FORGERIES, ids=[case[2] for case in FORGERIES])
def test_a_forgery_with_right_digests(
    verify: Verify, parts: Parts, name: str, change: Change, told: str
) -> None:
    parts.change(name, change)
    forged = parts.packed() if name == MANIFEST else parts.forged()
    assert_refused(verify(forged), told)


def attempt(**other: Any) -> Change:
    return lambda match: match["attempts"][0].update(other)


def two_attempts(**other: Any) -> Change:
    """A second attempt before the one that counts."""

    def change(match: Any) -> None:
        (counted,) = match["attempts"]
        void = counted | {"status": "void", "cause": "host"} | other
        match["attempts"] = [void, counted | {"number": 2}]

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            attempt(number=2),
            "its attempts: expected 1, 2, 3 and so on, found 2 in the place of 1",
        ),
        (attempt(number=2**31), "matches.jsonl: line 2: attempts.0.number: Input"),
        (attempt(status="void"), "attempt 1: expected a cause where it is void, found None"),
        (attempt(cause="host"), "attempt 1: expected a cause where it is void, found host"),
        (attempt(status="void", cause="host"), "attempts that count: expected 1, found 0"),
        (attempt(status="running"), "attempt 1: expected one that has ended, found a running one"),
        (attempt(status="lost"), "line 2: attempts.0.status"),
        (attempt(ended_at="2026-01-01T12:00:06Z"), "end_time: expected 2026-01-01 12:00:06"),
        (attempt(ended_at="2026-01-01T12:00:05"), "line 2: attempts.0.ended_at"),
        (attempt(host="here\x1b[2J"), "attempts.0.host: Value error, control characters"),
        (attempt(standing={"ann": -1}), "attempts.0.standing.ann"),
        (attempt(more=1), "attempts.0.more: Extra inputs"),
        (two_attempts(), f"{SECOND}: attempt: expected 2, found 1"),
        (two_attempts(status="counted", cause=None), "attempts that count: expected 1, found 2"),
        (lambda match: match["attempts"].clear(), f"{SECOND}: numbers of its attempts"),
        (lambda match: match.update(record=None), "attempts that count: expected 0, found 1"),
        (lambda match: match.update(match_key=FIRST), "expected a match that comes after"),
        (
            lambda match: match.update(match_key="demo/ann+bob/2/2"),
            "expected a match of the league",
        ),
        (
            lambda match: match.update(match_key="demo/ann+bob/3/0"),
            "expected a match of the league",
        ),
        (lambda match: match.update(match_key="demo/ann+bob/01/1"), "a match of the league"),
        (lambda match: match.update(match_key="demo/bob+ann/1/1"), "a match of the league"),
        (lambda match: match.update(match_key="demo/ann+ann/1/1"), "a match of the league"),
        (lambda match: match.update(match_key="demo/ann+zoe/1/1"), "a match of the league"),
        (lambda match: match.update(match_key="demo/ann/1/1"), "a match of the league"),
        (lambda match: match.update(match_key="cup/ann+bob/1/1"), "a match of the league"),
        (lambda match: match.update(match_key="../../etc/passwd"), "a match of the league"),
        (lambda match: match.update(match_key="demo/ann+bob/1/\u0661"), "a match of the league"),
        (lambda match: match.update(match_key="\x1b[2J"), r"found \x1b[2J"),
    ],
)
def test_a_forged_line_of_the_matches(
    verify: Verify, parts: Parts, change: Change, told: str
) -> None:
    record = parts[record_file(SECOND)]
    parts.change_match(1, change)
    match = json.loads(parts[MATCHES].splitlines()[1])
    parts.setdefault(record_file(match["match_key"]), record)
    assert_refused(verify(parts.forged()), told)


def test_matches_left_out_or_twice(verify: Verify, parts: Parts) -> None:
    lines = [json.loads(text) for text in parts[MATCHES].splitlines()]
    for otherwise, told in (
        (lines[:3], "number of matches that count: expected 4, found 3"),
        (lines[:1] + lines, f"expected a match that comes after demo/ann+bob/1/0, found {FIRST}"),
        (lines[::-1], f"expected a match that comes after {LAST}, found demo/ann+bob/2/0"),
    ):
        forged = Parts({name: data for name, data in parts.items() if "records" not in name})
        forged.set_matches(otherwise)
        for match in dict.fromkeys(match["match_key"] for match in otherwise):
            forged[record_file(match)] = parts[record_file(match)]
        assert_refused(verify(forged.forged()), told)


RECORDS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda record: replace(record, league="cup"), "league: expected demo, found cup"),
    (lambda record: replace(record, match_key=LAST), f"match_key: expected {SECOND}, found {LAST}"),
    (lambda record: replace(record, attempt=2), "attempt: expected 1, found 2"),
    (
        lambda record: replace(record, end_time=record.end_time + timedelta(seconds=1)),
        "end_time: expected 2026-01-01 12:00:05+00:00, found 2026-01-01 12:00:06",
    ),
    (lambda record: replace(record, seed_commitment=bytes(32)), "seed_commitment: expected "),
    (
        lambda record: replace(record, time_control=TimeControl(move_limit_us=1)),
        "time_control.move_limit_us: expected 2000000, found 1",
    ),
    (lambda record: replace(record, conduct=Conduct(retries=9)), "conduct.retries: expected 1"),
    (lambda record: replace(record, conduct=Conduct(list_only=True)), "conduct.list_only"),
    (
        lambda record: replace(
            record, seats=(replace(record.seats[0], version="2"), record.seats[1])
        ),
        "seats[0].version: expected 1.0.0, found 2",
    ),
    (
        lambda record: replace(
            record, seats=(replace(record.seats[0], bot="zoe"), record.seats[1])
        ),
        "seats[0].bot: expected an entrant, found zoe",
    ),
    (
        lambda record: replace(
            record,
            seats=(
                replace(record.seats[1], seat=0),
                replace(record.seats[0], seat=1),
            ),
        ),
        "seats: expected ann bob, found bob ann",
    ),
    (
        lambda record: replace(record, result=replace(record.result, winners=())),
        "result.winners: expected ",
    ),
    (
        lambda record: replace(record, transcript=record.transcript.replace("1 open", "1 lay", 1)),
        "transcript line ",
    ),
    (lambda record: replace(record, asks=record.asks[:-1]), "asks: expected "),
]


@pytest.mark.parametrize(("change", "told"), RECORDS, ids=[case[1] for case in RECORDS])
def test_a_forged_record(
    verify: Verify, parts: Parts, change: Callable[[Any], Any], told: str
) -> None:
    parts.change_record(SECOND, change)
    outcome = verify(parts.forged())
    assert_refused(outcome, f"{SECOND}: ")
    assert told in outcome.out


def test_the_records_of_two_matches_changed_over(verify: Verify, parts: Parts) -> None:
    first, second = record_file(FIRST), record_file(SECOND)
    parts[first], parts[second] = parts[second], parts[first]
    assert_refused(verify(parts.forged()), f"{FIRST}: match_key: expected {FIRST}, found {SECOND}")


def test_another_seed_for_one_deal(verify: Verify, parts: Parts) -> None:
    league = played.league_format()
    (plan,) = [plan for plan in played.plans(league) if plan.match_key == SECOND]
    forged = played.record_of(replace(plan, seed=OTHER_SEED))
    parts.change_record(SECOND, lambda _: forged)
    assert_refused(
        verify(parts.forged()), f"{SECOND}: seed: expected {plan.seed.hex()}, found 0000"
    )


def test_a_forged_envelope(verify: Verify, archive: Path) -> None:
    signed = Parts.of(archive)
    del signed[SIGNATURE]
    signed.change(MANIFEST, lambda value: value.update(public_key=None))
    name = record_file(SECOND)
    envelope = decode_envelope(signed[name])
    for data, told in (
        (encode_envelope(envelope.record, bytes(64), envelope.public_key), "signature: expected"),
        (b"", f"{name}: the envelope holds no record"),
        (signed[name][:-1], f"{name}: this is no envelope"),
        (b"\xff" * 100, f"{name}: this is no envelope"),
        (encode_envelope(b"\xff" * 100), f"{SECOND}: this is no record"),
    ):
        signed[name] = data
        assert_refused(verify(signed.forged()), told)


DEEP = b"[" * 10_000 + b"]" * 10_000
DEEP_OBJECTS = b'{"a":' * 10_000 + b"1" + b"}" * 10_000


@pytest.mark.parametrize("name", [MANIFEST, FORMAT, LEAGUE, STANDINGS, MATCHES])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"null\n",
        b"[]\n",
        b"{}\n",
        b'"text"\n',
        b"1e999\n",
        b"NaN\n",
        b"9" * 10_000 + b"\n",
        b"\xff\xfe\n",
        b'"\\ud800"\n',
        b"\0" * 100,
        DEEP + b"\n",
        DEEP_OBJECTS + b"\n",
        b'{"seed":' + DEEP + b"}\n",
        b"[" + b"{}," * 200_000 + b"{}]\n",
    ],
    ids=lambda data: str(data[:10]),
)
def test_json_that_is_none(verify: Verify, parts: Parts, name: str, data: bytes) -> None:
    parts[name] = data
    files = {one: content(parts[one]) for one in (FORMAT, LEAGUE, STANDINGS, MATCHES)}
    if name != MANIFEST:
        parts.change(MANIFEST, lambda value: value.update(files=files))
    assert_refused(verify(parts.packed()), "")


def test_other_forms_of_the_same_values(verify: Verify, parts: Parts) -> None:
    for name in (MANIFEST, FORMAT, LEAGUE, STANDINGS, MATCHES):
        text = parts[name].decode()
        for other in (
            text.replace(":", ": ", 1),
            text.replace("{", '{"league":"","seed":"","name":"","bot":"","match_key":"",', 1),
            text.rstrip() if text.endswith("\n") else text + "\n",
            text + "\n",
            text.replace("demo", "d\\u0065mo").replace("ann", "\\u0061nn"),
        ):
            forged = Parts(parts)
            forged[name] = other.encode()
            if name != MANIFEST:
                files = {one: content(forged[one]) for one in (FORMAT, LEAGUE, STANDINGS, MATCHES)}
                forged.change(MANIFEST, partial(dict.update, files=files))
            assert_refused(verify(forged.packed()), name)


def test_sizes_that_are_absurd(verify: Verify, parts: Parts) -> None:
    for name, size, told in (
        (STANDINGS, MOST_BYTES + 1, "standings.json: 8388609 bytes are too much"),
        (MATCHES, 8**11 - 1, "matches.jsonl: cut short"),
        (MATCHES, 8**11, "files.matches.jsonl.size"),
        (LEAGUE, 10**40, "files.league.json.size"),
    ):
        forged = Parts(parts)
        files = {one: content(parts[one]) for one in (FORMAT, LEAGUE, STANDINGS, MATCHES)}
        files[name]["size"] = size
        forged.change(MANIFEST, partial(dict.update, files=files))
        data = forged.packed()
        if size < 8**11:
            old = header(name, len(parts[name]))
            data = data.replace(old, header(name, size))
        assert_refused(verify(data), told)


def test_a_record_that_is_too_large(verify: Verify, parts: Parts) -> None:
    parts.change_match(0, lambda match: match["record"].update(size=64 * 2**20 + 1))
    parts.change(MANIFEST, lambda value: value["files"].update({MATCHES: content(parts[MATCHES])}))
    assert_refused(verify(parts.packed()), "67108865 bytes are too much; it has at most 67108864")


def test_a_long_line(verify: Verify, parts: Parts) -> None:
    parts.change_match(0, lambda match: match["attempts"][0].update(detail="x" * LONGEST_LINE))
    assert_refused(verify(parts.forged()), f"line 1 is longer than {LONGEST_LINE} bytes")


def test_hostile_files_take_little_memory(run: Run, parts: Parts) -> None:
    """Thirty megabytes of lines, of which none is a match."""
    parts[MATCHES] = b"{}\n" * 10_000_000
    parts.change(MANIFEST, lambda value: value["files"].update({MATCHES: content(parts[MATCHES])}))
    Path("forged.tar").write_bytes(parts.packed())
    parts.clear()
    tracemalloc.start()
    outcome = run("league", "verify", "forged.tar")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "line 1: match_key: Field required" in outcome.out
    assert most < 60_000_000


def members(*infos: tuple[tarfile.TarInfo, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for info, data in infos:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return file.getvalue()


def info_of(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    "data",
    [
        b"",
        bytes(1024),
        b"\x1f\x8b" + bytes(1000),
        b"x" * 100_000,
        members((info_of("../manifest.json"), b"{}")),
        members((info_of("/etc/passwd"), b"{}")),
        members((info_of("manifest.json", tarfile.SYMTYPE, "/etc/passwd"), b"")),
        members((info_of("manifest.json", tarfile.LNKTYPE, "league.json"), b"")),
        members((info_of("manifest.json", tarfile.FIFOTYPE), b"")),
        members((info_of("manifest.json", tarfile.CHRTYPE), b"")),
        members((info_of("manifest.json"), b"{}"), (info_of("manifest.json"), b"{}")),
        members((info_of("n" * 5000), b"{}")),
    ],
    ids=range(12),
)
def test_files_that_are_no_archive(verify: Verify, data: bytes) -> None:
    assert_refused(verify(data), "")


def test_an_archive_that_another_tool_packed(verify: Verify, parts: Parts) -> None:
    forged = members(*((info_of(name), data) for name, data in parts.items()))
    assert_refused(verify(forged), "expected the file manifest.json of")


@pytest.mark.linux
def test_files_that_are_none(run: Run, tmp_path: Path) -> None:
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    for name, told in (
        ("none.tar", "there is no such file"),
        (".", "not a regular file"),
        ("pipe", "not a regular file"),
        ("/dev/zero", "not a regular file"),
        ("loop", "there is no such file"),
        ("x" * 5000, "cannot be read"),
    ):
        for command in (["verify", name], ["import", name, "--db", "other.db"]):
            outcome = run("league", *command)
            assert (outcome.code, outcome.out) == (2, "")
            assert told in outcome.err
