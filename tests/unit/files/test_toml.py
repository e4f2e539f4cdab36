from pathlib import Path

import pytest
from pydantic import BaseModel, Field, ValidationError

from referee.core.errors import InputError
from referee.files.fields import OFF, Duration, DurationOrOff, Slug
from referee.files.toml import MOST_MIB, load_toml


class Inner(BaseModel, extra="forbid"):
    limit: Duration = Field(description="a text such as '2s'")


class Outer(BaseModel, extra="forbid"):
    inner: Inner = Field(description="a table: limit")
    several: list[Inner] = Field(default=[], description="tables: limit")


def complaints(path: Path, content: str | bytes) -> list[str]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as caught:
        load_toml(path, Outer)
    lines = str(caught.value).splitlines()
    assert all(line.isprintable() and line.startswith(f"{path}: ") for line in lines)
    return [line.removeprefix(f"{path}: ") for line in lines]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.toml"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("inner.limit = 3", "inner.limit = 3: not a duration; allowed: a text such as '2s'"),
        ("inner.wrong = 3\ninner.limit = '2s'", "inner.wrong is not a known key; allowed: limit"),
        ("[inner]", "inner.limit is missing; allowed: a text such as '2s'"),
        ("inner = 3", "inner = 3: not a table; allowed: a table: limit"),
        (
            "[inner]\nlimit = '2s'\n[[several]]",
            "several[0].limit is missing; allowed: a text such as '2s'",
        ),
    ],
)
def test_a_complaint_names_the_key_in_full_and_what_is_allowed(
    path: Path, content: str, said: str
) -> None:
    assert complaints(path, content) == [said]


def test_all_that_is_wrong_is_told_at_once(path: Path) -> None:
    said = complaints(path, "more = 1\ninner.limit = 3\nseveral = 1")
    assert [line.split(" ")[0] for line in said] == ["inner.limit", "several", "more"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"name = ", "not valid TOML: Invalid value"),
        (b"name = 'a'\nname = 'b'", "not valid TOML: Cannot overwrite a value"),
        (b"n = " + b"9" * 5000, "not valid TOML"),
        (b"name = '\xff'", "not UTF-8 at byte 8"),
        (b"#" * (MOST_MIB * 1024 * 1024 + 1), "larger than 1 MiB"),
        (b"a = " + b"[" * 5000, "nested too deeply"),
        (b"a = " + b"{a=" * 5000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_toml_is_refused(path: Path, content: bytes, said: str) -> None:
    (complaint,) = complaints(path, content)
    assert complaint.startswith(said)


@pytest.mark.parametrize("part", ["a", "'a'", '"a"', r'"\""', "a-b "])
@pytest.mark.parametrize("form", ["{} = 1", "[{}]", "x = {{ {} = 1 }}"])
def test_a_key_of_very_many_parts_is_refused_before_it_is_parsed(
    path: Path, part: str, form: str
) -> None:
    # The parser would take minutes.
    (complaint,) = complaints(path, form.format(".".join([part] * 100_000)))
    assert complaint == "a key has more than 16 parts"


def test_dots_in_texts_and_numbers_are_no_parts_of_a_key(path: Path) -> None:
    path.write_text(
        f"inner.limit = '2s' # {'.' * 99}\n[[several]]\nlimit = '1.5s' # {'1.5 ' * 99}\n"
    )
    assert [inner.limit for inner in load_toml(path, Outer).several] == [1_500_000]


def test_a_duration_is_written_as_it_is_read() -> None:
    assert Inner.model_validate({"limit": "1.5s"}).model_dump() == {"limit": "1500ms"}


class Limits(BaseModel):
    limit: DurationOrOff


@pytest.mark.parametrize(("text", "value"), [(OFF, None), ("2s", 2_000_000)])
def test_a_limit_may_be_off(text: str, value: int | None) -> None:
    limits = Limits.model_validate({"limit": text})
    assert limits.limit == value
    assert limits.model_dump() == {"limit": text}


class Named(BaseModel):
    name: Slug


@pytest.mark.parametrize("name", ["", "A", "a b", ".a", "a\n", "a" * 65, "é"])
def test_other_names_are_no_slugs(name: str) -> None:
    with pytest.raises(ValidationError):
        Named(name=name)
