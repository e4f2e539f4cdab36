"""The league file: what is played, by whom, under which limits and conduct.

Read from TOML, checked as a whole, and from then on a frozen value. Durations are
microseconds here and texts such as ``"2s"`` in the file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticCustomError, core_schema

from referee.core.errors import InputError
from referee.files.fields import SLUG_TEXT, Slug
from referee.files.toml import complaint, load_toml
from referee.games.elfer_raus.profiles import CUSTOM
from referee.games.registry import (
    CUSTOM_NAME,
    PROFILE_IDS,
    AnyGame,
    custom_game,
    game_for,
    profile_id,
)
from referee.league.custom import RulesKeys
from referee.league.sections import (
    ConductKeys,
    Entrant,
    Section,
    SeriesKeys,
    TimeKeys,
)

SEAT_COUNTS: Final = range(2, 7)
MOST_DEALS: Final = 1_000_000
MOST_ENTRANTS: Final = 1_000
RESERVED_NAME: Final = "match"
"""The keys of single matches begin with it."""


class LeagueFormat(Section):
    """A league file."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {
                "properties": {"profile": {"enum": [CUSTOM_NAME, CUSTOM]}},
                "required": ["profile"],
            },
            "then": {"required": ["rules"]},
            "else": {"properties": {"rules": False}},
        }
    )

    name: Slug = Field(description=f"{SLUG_TEXT}, and not '{RESERVED_NAME}'")
    profile: str = Field(
        default="ravensburger",
        validate_default=True,
        description=f"with or without the version, one of {', '.join((*PROFILE_IDS, CUSTOM))}",
    )
    rules: RulesKeys | None = Field(
        default=None,
        validate_default=True,
        description=f"a table, with profile = '{CUSTOM_NAME}' only: base and rule slots (§9.8)",
    )
    series: SeriesKeys = Field(
        default=SeriesKeys(games=5),
        description="a table: games = N; or limit = L, with or without cap = C",
    )
    table_size: int = Field(
        default=2,
        ge=SEAT_COUNTS[0],
        le=SEAT_COUNTS[-1],
        validate_default=True,
        description="how many bots sit at a table, 2 to 6, as the profile allows",
    )
    deals: int = Field(
        default=10,
        ge=1,
        le=MOST_DEALS,
        description=f"a whole number from 1 to {MOST_DEALS}: deals for each table",
    )
    rotations: Literal["all", "none"] = Field(
        default="all",
        description="'all' (each deal once per seat, the bots moving on) or 'none' (once)",
    )
    redraw: bool = Field(
        default=False,
        description="true (a deal is replaced by a further one when an attempt at it is void "
        "whose cards bots have seen) or false (it is played again)",
    )
    time: TimeKeys = Field(
        default=TimeKeys(), description=f"a table: {', '.join(TimeKeys.model_fields)}"
    )
    conduct: ConductKeys = Field(
        default=ConductKeys(), description=f"a table: {', '.join(ConductKeys.model_fields)}"
    )
    entrants: tuple[Entrant, ...] = Field(
        max_length=MOST_ENTRANTS,
        strict=False,
        description=f"[[entrants]] tables with path and perhaps name, each name once, "
        f"as many as a table has seats or more, at most {MOST_ENTRANTS}",
    )

    @field_validator("name")
    @classmethod
    def _not_reserved(cls, name: str) -> str:
        if name == RESERVED_NAME:
            raise ValueError("reserved for single matches")
        return name

    @field_validator("profile")
    @classmethod
    def _known(cls, profile: str) -> str:
        if profile in (CUSTOM, CUSTOM_NAME):
            return CUSTOM
        try:
            return profile_id(profile)
        except InputError:
            raise ValueError("there is no such profile") from None

    @field_validator("rules")
    @classmethod
    def _with_custom(cls, rules: RulesKeys | None, info: ValidationInfo) -> RulesKeys | None:
        profile = info.data.get("profile")
        if profile == CUSTOM and rules is None:
            raise PydanticCustomError("missing", "missing")
        if profile not in (CUSTOM, None) and rules is not None:
            raise ValueError(f"profile is {profile}")
        return rules

    @field_validator("table_size")
    @classmethod
    def _playable(cls, table_size: int, info: ValidationInfo) -> int:
        if {"profile", "rules"} <= info.data.keys():
            counts = _seat_counts(info.data["profile"], info.data["rules"])
            if table_size not in counts:
                raise ValueError(_played_by(info.data["profile"], counts))
        return table_size

    @field_validator("entrants")
    @classmethod
    def _enough(cls, entrants: tuple[Entrant, ...], info: ValidationInfo) -> tuple[Entrant, ...]:
        seats = info.data.get("table_size", SEAT_COUNTS[0])
        if len(entrants) < seats:
            raise ValueError(f"{len(entrants)} of them, and table_size is {seats}")
        _check_unique([entrant.name for entrant in entrants])
        return entrants

    @model_validator(mode="after")
    def _tie_can_be_broken(self) -> Self:
        """Any number of seats can be tied at a limit, and those alone play on (§7.2)."""
        counts = _seat_counts(self.profile, self.rules)
        sizes = self.series.resolve().table_sizes(self.table_size)
        if not {*sizes} <= {*counts}:
            raise complaint(
                ("series", "limit"),
                self.series.limit,
                "a tie-break game can have any number of seats (§7.2), and "
                f"{_played_by(self.profile, counts)}",
                f"only with rules for {', '.join(map(str, sizes))} seats",
            )
        return self

    @property
    def game(self) -> AnyGame:
        """What is played at every table."""
        return _game(self.profile, self.rules, self.table_size)

    @property
    def redraw_above(self) -> int | None:
        """Further deals are numbered on from here; ``None`` where no deal is replaced."""
        return self.deals if self.redraw else None

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names, sorted. Raises ``ValueError`` before ``named``."""
        names = [entrant.name for entrant in self.entrants if entrant.name is not None]
        if len(names) < len(self.entrants):
            raise ValueError("an entrant has no name yet")
        return tuple(sorted(names))

    def named(self, names: Sequence[str]) -> Self:
        """Give every entrant without a name its bot's, by position; entrants are then sorted.

        Raises ``InputError`` when a name then stands twice.
        """
        entrants = [
            entrant.model_copy(update={"name": entrant.name or name})
            for entrant, name in zip(self.entrants, names, strict=True)
        ]
        try:
            _check_unique([entrant.name for entrant in entrants])
        except ValueError as error:
            raise InputError(f"league {self.name}: entrants: {error}") from None
        entrants.sort(key=lambda entrant: entrant.name or "")
        return self.model_copy(update={"entrants": tuple(entrants)})

    def canonical_json(self) -> str:
        """Every value resolved, keys sorted: equal for two files that mean the same league."""
        value = self.model_dump(mode="json")
        value["series"] = self.series.model_dump(exclude_none=True)
        if self.rules is None:
            del value["rules"]
        else:
            value["rules"] = self.rules.model_dump(exclude_none=True)
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_canonical(cls, text: str) -> Self:
        """The inverse of ``canonical_json``. Raises ``ValueError``."""
        return cls.model_validate(json.loads(text))


def load_league(path: Path) -> LeagueFormat:
    """Read a league file.

    Raises ``InputError`` with everything that is wrong in it, one line each: file, key, value,
    what is wrong, what is allowed.
    """
    return load_toml(path, LeagueFormat)


def load_conduct(path: Path) -> ConductKeys:
    """Read a conduct from a file of its own, or from the ``[conduct]`` of a league file.

    What is left out has its default. Raises ``InputError`` as ``load_league``.
    """
    return load_toml(path, _ConductFile)


class _ConductFile(ConductKeys):
    @model_validator(mode="before")
    @classmethod
    def _table(cls, values: dict[str, Any]) -> Any:
        table = values.get("conduct")
        # A key beside the table that belongs into it would be overlooked.
        beside = ConductKeys.model_fields.keys() & values.keys()
        return table if isinstance(table, dict) and not beside else values


def schema() -> dict[str, Any]:
    """The JSON Schema of a league file."""
    return LeagueFormat.model_json_schema(mode="validation", schema_generator=_TomlSchema)


class _TomlSchema(GenerateJsonSchema):
    """TOML has no null: what may be absent is absent."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        # Defaults are shown as the file has them: "2s", not microseconds.
        inner: Any = schema["schema"]
        while inner["type"].startswith("function-") and "serialization" not in inner:
            inner = inner["schema"]
        if "serialization" in inner:
            schema = schema.copy()
            schema["default"] = inner["serialization"]["function"](schema["default"])
        return super().default_schema(schema)


def _game(profile: str, rules: RulesKeys | None, seats: int) -> AnyGame:
    return game_for(profile, seats) if rules is None else custom_game(rules.rules, seats)


def _seat_counts(profile: str, rules: RulesKeys | None) -> list[int]:
    """How many seats may play."""
    counts = []
    for seats in SEAT_COUNTS:
        with suppress(InputError):
            _game(profile, rules, seats)
            counts.append(seats)
    return counts


def _played_by(profile: str, counts: Sequence[int]) -> str:
    return f"{profile} is played by {', '.join(map(str, counts))}"


def _check_unique(names: Sequence[str | None]) -> None:
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if name is not None and first.setdefault(name, index) != index:
            raise ValueError(
                f"entrants[{first[name]}] and entrants[{index}] are both named {name!r}"
            )
