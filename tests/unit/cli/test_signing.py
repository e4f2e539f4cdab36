"""The operator's key, and the signatures on records."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import x25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from referee.app.ed25519 import SigningKey
from referee.app.forms import Form, file_name
from referee.app.signing import key_file, load_key, parse_key, shown_key, signed_by
from referee.rpc.codec import decode_envelope, encode_envelope
from tests.unit.cli.conftest import Run, repository_of

MATCH = "demo/ann+bob/1/0"
OTHER = f"ed25519:{'0' * 64}"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


def exported(run: Run, ledger: Path, form: Form = Form.PB) -> Path:
    assert run("replay", "export", MATCH, "--format", form, "--out", "o", "--db", ledger).code == 0
    return Path("o") / file_name(MATCH, form)


def test_a_new_key_is_shown_by_its_public_half(run: Run, config: Path) -> None:
    made = run("key", "new")
    assert made.code == 0
    assert parse_key(made.out.strip())
    file = config / "elfer-referee" / "signing-key.pem"
    assert str(file) in made.err
    assert run("key", "show").out == made.out
    assert f'"public_key": "{made.out.strip()}"' in run("key", "show", "--json").out
    secret = file.read_text().splitlines()[1]
    assert secret not in made.out + made.err


@pytest.mark.linux
def test_a_private_key_is_its_owners(run: Run, config: Path) -> None:
    run("key", "new")
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    key_file().chmod(0o640)
    shown = run("key", "show")
    assert shown.code == 2
    assert "chmod 600" in shown.err


def test_a_key_is_never_overwritten(run: Run, config: Path) -> None:
    run("key", "new")
    before = key_file().read_bytes()
    again = run("key", "new")
    assert again.code == 2
    assert "it is not overwritten" in again.err
    assert key_file().read_bytes() == before
    assert [file.name for file in key_file().parent.iterdir()] == [key_file().name]


def test_no_key(run: Run, config: Path) -> None:
    shown = run("key", "show")
    assert (shown.code, shown.out) == (3, "")
    assert "referee key new" in shown.err


OTHER_KIND = x25519.X25519PrivateKey.generate().private_bytes(
    Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 100, b"-----BEGIN PRIVATE KEY-----\nAA==\n", OTHER_KIND]
)
def test_a_file_that_is_no_key(run: Run, ledger: Path, config: Path, content: bytes) -> None:
    key_file().parent.mkdir(parents=True)
    key_file().write_bytes(content)
    key_file().chmod(0o600)
    for line in (["key", "show"], ["replay", "export", MATCH, "--format", "pb", "--db", ledger]):
        outcome = run(*line)
        assert (outcome.code, outcome.out) == (2, "")
        assert "holds no private Ed25519 key" in outcome.err


def test_a_key_is_found_where_others_keep_theirs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for unset in ("", "relative/path"):
        monkeypatch.setenv("XDG_CONFIG_HOME", unset)
        assert key_file().parent.parent == tmp_path / ".config"
    assert load_key() is None


def test_other_tools_can_use_it(key: SigningKey, tmp_path: Path) -> None:
    signature = key.sign(b"message")
    assert signature == key.sign(b"message")
    assert signed_by(key.public, signature, b"message")
    assert not signed_by(key.public, signature, b"massage")
    assert not signed_by(bytes(32), signature, b"message")
    assert not signed_by(b"", signature, b"message")
    assert SigningKey.from_pem(key.to_pem()).public == key.public
    assert parse_key(shown_key(key.public)) == key.public


def test_an_envelope_is_signed_and_checked(run: Run, ledger: Path, key: SigningKey) -> None:
    file = exported(run, ledger)
    envelope = decode_envelope(file.read_bytes())
    assert signed_by(key.public, envelope.signature, envelope.sha256)
    public = shown_key(key.public)
    assert run("replay", "verify", file).out == f"{file}: holds, signed by {public}\n"
    assert run("replay", "verify", file, "--key", public).code == 0
    wrong = run("replay", "verify", file, "--key", OTHER)
    assert wrong.code == 4
    assert f"signature: expected one by {OTHER}, found one by {public}" in wrong.out


def test_another_signature_is_found(run: Run, ledger: Path, key: SigningKey) -> None:
    file = exported(run, ledger)
    envelope = decode_envelope(file.read_bytes())
    for forged in (
        envelope._replace(signature=bytes(64)),
        envelope._replace(public_key=SigningKey.generate().public),
        envelope._replace(public_key=bytes(range(32))),
    ):
        file.write_bytes(encode_envelope(forged.record, forged.signature, forged.public_key))
        for command in (["verify", file], ["import", file, "--db", "other.db"]):
            outcome = run("replay", *command)
            assert outcome.code == 4
            assert "found another" in outcome.out + outcome.err


@pytest.mark.parametrize("form", list(Form))
def test_what_is_not_signed_is_told_where_a_key_is_asked_for(
    run: Run, ledger: Path, form: Form
) -> None:
    file = exported(run, ledger, form)
    assert run("replay", "verify", file).out == f"{file}: holds\n"
    outcome = run("replay", "verify", file, "--key", OTHER)
    assert outcome.code == 4
    assert f"signature: expected one by {OTHER}, found none" in outcome.out


@pytest.mark.parametrize("text", ["", "ed25519:", OTHER[:-1], OTHER.upper(), f"{OTHER}\n", "\x1b"])
def test_a_key_that_is_none(run: Run, ledger: Path, text: str) -> None:
    outcome = run("replay", "verify", MATCH, "--key", text, "--db", ledger)
    assert outcome.code == 2
    assert "64 hex digits" in outcome.err
    assert "\x1b" not in outcome.err


def test_what_others_signed_or_played_is_not_signed_anew(
    run: Run, ledger: Path, key: SigningKey
) -> None:
    signed = exported(run, ledger)
    unsigned = Path("unsigned.pb")
    unsigned.write_bytes(encode_envelope(other_record(ledger)))
    key_file().unlink()
    run("key", "new")
    assert run("replay", "import", signed, unsigned, "--db", "other.db").code == 0
    for file in (signed, unsigned):
        sha256 = decode_envelope(file.read_bytes()).sha256.hex()
        match = f"imported/{sha256}"
        run("replay", "export", match, "--format", "pb", "--out", "again", "--db", "other.db")
        assert Path("again", file_name(match, Form.PB)).read_bytes() == file.read_bytes()


def other_record(ledger: Path) -> bytes:
    with repository_of(ledger) as repository:
        return repository.get_record("demo/ann+bob/2/0").record


def test_without_the_library_it_says_how_to_get_it(
    run: Run, ledger: Path, key: SigningKey, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = exported(run, ledger)
    monkeypatch.setitem(sys.modules, "referee.app.ed25519", None)
    for line in (
        ["key", "new"],
        ["key", "show"],
        ["replay", "verify", file],
        ["replay", "export", MATCH, "--format", "pb", "--db", ledger],
    ):
        outcome = run(*line)
        assert (outcome.code, outcome.out) == (1, "")
        assert "pip install 'elfer-referee[signing]'" in outcome.err
    key_file().unlink()
    assert run("replay", "export", MATCH, "--format", "pb", "--out", "u", "--db", ledger).code == 0
    assert run("replay", "verify", Path("u") / file.name).code == 0


def test_nothing_else_needs_the_library() -> None:
    code = "import sys, referee.app.archive, referee.app.replay; print(*sys.modules)"
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=50)
    loaded = outcome.stdout.decode().split()
    assert "referee.app.signing" in loaded
    assert "cryptography" not in loaded
