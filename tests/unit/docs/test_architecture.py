"""``docs/architecture.md`` says what stands."""

import importlib
import itertools
import pkgutil
import re
import tomllib

import pytest

import referee
from tests.support.pages import ROOT, page, rows, section

PAGE = page("architecture")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_it_is_short() -> None:
    assert len(PAGE.splitlines()) < 200


def test_the_layers_are_those_of_the_contract() -> None:
    (drawn,) = re.findall(r"```\n(referee\.cli\n.*?)```", PAGE, re.DOTALL)
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    assert [re.findall(r"^elfer|referee\.\w+", line) for line in drawn.splitlines()] == [
        layer.split(" | ") for layer in layers
    ]


def test_every_package_has_its_paragraph() -> None:
    text = section(PAGE, "Packages")
    packages = {
        f"referee.{module.name}"
        for module in pkgutil.iter_modules(referee.__path__)
        if module.ispkg
    }
    assert packages | {"elfer"} == set(re.findall(r"\*\*`(\S+)`\*\*", text))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:referee|elfer)\.[\w.]+)`", PAGE))))
def test_what_it_names_is_there(name: str) -> None:
    importlib.import_module(name)


def test_the_names_in_it_are_there() -> None:
    files = [*(ROOT / "referee").rglob("*.py"), *(ROOT / "sdk/python/elfer").rglob("*.py")]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    names = set(re.findall(r"`([A-Z][a-z]+\w*|[a-z]+_[a-z_]+)`", PAGE))
    assert len(names) > 30
    for name in names - {"play_digest", "open_spiel"}:
        assert re.search(rf"\b(?:class|def) {name}\b", code), name


def test_every_dependency_has_its_reason() -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = {
        re.split(r"[\[><=]", requirement)[0]
        for requirement in itertools.chain(PROJECT["project"]["dependencies"], *extras)
    } - {PROJECT["project"]["name"]}
    told = {name for row in rows(section(PAGE, "Dependencies")) for name in row[0].split("`, `")}
    assert told == wanted
