"""``docs/archive.md`` says what an archive holds."""

import re
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import BaseModel

from referee.app.archive import form
from referee.app.ed25519 import SigningKey
from referee.rpc.codec.checks import MOST_BYTES
from tests.support.pages import page, rows, section

PAGE = page("archive")
FILE = section(PAGE, "The file")


def names(text: str) -> list[str]:
    return re.findall(r"`([a-z0-9_]+)`", text)


def test_every_file_in_its_order() -> None:
    head, *_ = FILE.split("`manifest.json`:")
    assert [row[0] for row in rows(head)] == [
        form.MANIFEST,
        form.SIGNATURE,
        *form.NAMED,
        form.record_file("*").replace(form.record_file("*")[8:-3], "*"),
    ]


@pytest.mark.parametrize(
    ("title", "model", "inner"),
    [
        ("`manifest.json`:", form.Manifest, [form.Content]),
        ("`league.json`:", form.LeagueHead, [form.Entrant, form.Redraw]),
        ("A line of `matches.jsonl`:", form.Match, [form.Attempt, form.Content]),
    ],
)
def test_every_field(title: str, model: type[BaseModel], inner: list[type[BaseModel]]) -> None:
    text = FILE.split(f"\n{title}\n")[1].split("\n\n")[0]
    table = rows(text)
    told = [name for row in table for name in row[0].split("`, `")]
    assert told == list(model.model_fields)
    for part in inner:
        assert set(part.model_fields) <= set(names(text))


def test_the_numbers_in_the_text() -> None:
    mib = 2**20
    assert f"At most {form.MOST_BYTES // mib} MiB for each JSON file" in FILE
    assert f"{form.LONGEST_LINE // mib} MiB for a line of that, {MOST_BYTES // mib} MiB" in FILE
    assert f"| `format_version` | {form.FORMAT_VERSION};" in FILE


def test_other_tools_can_check_the_signature(tmp_path: Path) -> None:
    (line,) = re.findall(r"^openssl .*", FILE, re.MULTILINE)
    key = SigningKey.generate()
    public = Ed25519PublicKey.from_public_bytes(key.public)
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "operator.pem").write_bytes(pem)
    (tmp_path / "manifest.json").write_bytes(b"{}\n")
    (tmp_path / "manifest.sig").write_bytes(key.sign(b"{}\n"))
    try:
        outcome = subprocess.run(line.split(), cwd=tmp_path, capture_output=True, timeout=50)
    except FileNotFoundError:
        pytest.skip("there is no openssl")
    assert outcome.returncode == 0, outcome.stderr
