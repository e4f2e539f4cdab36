"""The tables within a league file, each with what it resolves to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    WithJsonSchema,
    create_model,
    field_validator,
    model_validator,
)

from referee.files.fields import OFF, SLUG_TEXT, Duration, DurationOrOff, Slug
from referee.match.clock import (
    DEFAULT_HANDSHAKE_LIMIT_US,
    DEFAULT_MOVE_LIMIT_US,
    DEFAULT_START_LIMIT_US,
    TimeControl,
)
from referee.match.conduct import (
    BREACHES,
    DEFAULT_GRACE_US,
    Breach,
    Conduct,
    Consequence,
    Infraction,
    Measure,
)
from referee.match.series import DEFAULT_CAP, Games, Limit, Series

MOST_POINTS: Final = 1_000_000
MOST_RETRIES: Final = 10
MOST_RESTARTS: Final = 10
MOST_STRIKES: Final = 1_000
_SHORTEST_US: Final = 1_000
_LIMIT_TEXT: Final = "a text such as '2s' or '250ms', from 1ms to 1000h, or 'off'"


def _long_enough(microseconds: int | None) -> int | None:
    if microseconds is not None and microseconds < _SHORTEST_US:
        raise ValueError("shorter than 1ms")
    return microseconds


_TimeLimit = Annotated[DurationOrOff, AfterValidator(_long_enough)]
_Points = Annotated[int, Field(ge=0, le=MOST_POINTS)]
_Strikes = Annotated[int, Field(ge=0, le=MOST_STRIKES)]
_StrikeLimit = Annotated[
    Annotated[int, Field(ge=1, le=MOST_STRIKES)] | None,
    BeforeValidator(lambda value: None if value == OFF else value),
    PlainSerializer(lambda limit: OFF if limit is None else limit),
    WithJsonSchema(
        {"anyOf": [{"type": "integer", "minimum": 1, "maximum": MOST_STRIKES}, {"const": OFF}]}
    ),
]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SeriesKeys(Section):
    """What makes a match (§7): ``games``, or ``limit`` with or without ``cap``."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["games"]}, {"required": ["limit"]}]}
    )

    games: int | None = Field(
        default=None,
        ge=1,
        le=DEFAULT_CAP,
        description=f"a whole number from 1 to {DEFAULT_CAP}: so many games (§7.1)",
    )
    limit: int | None = Field(
        default=None,
        ge=1,
        le=MOST_POINTS,
        description=f"a whole number from 1 to {MOST_POINTS}: games to so many points (§7.2)",
    )
    cap: int | None = Field(
        default=None,
        ge=1,
        le=DEFAULT_CAP,
        description=f"a whole number from 1 to {DEFAULT_CAP}, only with limit: "
        "the most games there can be (§7.3)",
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.games is None) == (self.limit is None):
            raise ValueError("either games or limit has to be there, and not both")
        if self.cap is not None and self.limit is None:
            raise ValueError("cap goes with limit only")
        return self

    def resolve(self) -> Series:
        if self.games is not None:
            return Games(self.games)
        if self.limit is not None:
            return Limit(self.limit, DEFAULT_CAP if self.cap is None else self.cap)
        raise AssertionError("refused by _one_kind")


class TimeKeys(Section):
    """Limits on a bot's time."""

    move: _TimeLimit = Field(
        default=DEFAULT_MOVE_LIMIT_US,
        description=f"{_LIMIT_TEXT}: for one turn, with all tries",
    )
    bank: _TimeLimit = Field(
        default=None,
        description=f"{_LIMIT_TEXT}, not without move: "
        "a store for the whole match that turns may draw on past move",
    )
    increment: _TimeLimit = Field(
        default=None,
        description=f"{_LIMIT_TEXT}, not without bank: added to the bank after each turn",
    )
    match: _TimeLimit = Field(
        default=None,
        description=f"{_LIMIT_TEXT}: for all turns of a match together; who used it up forfeits",
    )
    start: _TimeLimit = Field(
        default=DEFAULT_START_LIMIT_US,
        description=f"{_LIMIT_TEXT}: from the start of a bot's process to the hello",
    )
    handshake: _TimeLimit = Field(
        default=DEFAULT_HANDSHAKE_LIMIT_US,
        description=f"{_LIMIT_TEXT}: from opening the stream to the hello",
    )

    @field_validator("bank", "increment")
    @classmethod
    def _goes_with(cls, given: int | None, info: ValidationInfo) -> int | None:
        other = "move" if info.field_name == "bank" else "bank"
        if given is not None and info.data.get(other, given) is None:
            raise ValueError(f"{other} is off")
        return given

    def resolve(self) -> TimeControl:
        return TimeControl(
            move_limit_us=self.move,
            bank_us=self.bank,
            increment_us=self.increment,
            match_limit_us=self.match,
            handshake_limit_us=self.handshake,
            start_limit_us=self.start,
        )


class _ByKind(Section):
    """A table with a key for every kind of breach."""

    def of(self, kind: Infraction) -> Any:
        return getattr(self, kind.value)


def _by_kind(name: str, key: Callable[[Breach], tuple[Any, str, Any]]) -> type[_ByKind]:
    """The table whose keys have the type, allowed values and default that ``key`` gives."""
    keys: dict[str, Any] = {}
    for kind, breach in BREACHES.items():
        annotation, allowed, default = key(breach)
        described = Field(default=default, description=f"{allowed}: {breach.text}")
        keys[kind.value] = (annotation, described)
    return create_model(name, __base__=_ByKind, __module__=__name__, **keys)


def _consequence(breach: Breach) -> tuple[Any, str, str]:
    words = tuple(consequence.value for consequence in breach.allowed)
    return Literal[words], ", ".join(words), breach.default.consequence.value


if TYPE_CHECKING:
    PenaltyKeys = _ByKind
    StrikeKeys = _ByKind
    ConsequenceKeys = _ByKind
else:
    # A kind of breach is a key without a line of its own here.
    PenaltyKeys = _by_kind(
        "PenaltyKeys",
        lambda breach: (_Points, f"points from 0 to {MOST_POINTS}", breach.default.penalty),
    )
    StrikeKeys = _by_kind(
        "StrikeKeys",
        lambda breach: (_Strikes, f"a number from 0 to {MOST_STRIKES}", breach.default.strikes),
    )
    ConsequenceKeys = _by_kind("ConsequenceKeys", _consequence)


class ConductKeys(Section):
    """What a breach costs, and what follows it."""

    retries: int = Field(
        default=Conduct().retries,
        ge=0,
        le=MOST_RETRIES,
        description=f"a whole number from 0 to {MOST_RETRIES}: "
        "how often a refused answer may be given again within the same clock",
    )
    restarts: int = Field(
        default=Conduct().restarts,
        ge=0,
        le=MOST_RESTARTS,
        description=f"a whole number from 0 to {MOST_RESTARTS}: "
        "how often in a match a bot that is gone may be started again",
    )
    strike_limit: _StrikeLimit = Field(
        default=Conduct().strike_limit,
        description=f"a whole number from 1 to {MOST_STRIKES}, or '{OFF}': "
        "with so many strikes in a match a bot forfeits it",
    )
    grace: Duration = Field(
        default=DEFAULT_GRACE_US,
        description="a text such as '2s' or '250ms', from 0s to 1000h: "
        "how long a lost stream may be taken up again",
    )
    list_only: bool = Field(
        default=False,
        description="true or false: penalties are listed and not added to the totals",
    )
    penalties: PenaltyKeys = Field(
        default=PenaltyKeys(), description="a table: points by kind of breach"
    )
    strikes: StrikeKeys = Field(
        default=StrikeKeys(), description="a table: strikes by kind of breach"
    )
    consequences: ConsequenceKeys = Field(
        default=ConsequenceKeys(), description="a table: what follows, by kind of breach"
    )

    def resolve(self) -> Conduct:
        return Conduct(
            retries=self.retries,
            restarts=self.restarts,
            strike_limit=self.strike_limit,
            grace_us=self.grace,
            measures={
                kind: Measure(
                    self.penalties.of(kind),
                    self.strikes.of(kind),
                    Consequence(self.consequences.of(kind)),
                )
                for kind in BREACHES
            },
            list_only=self.list_only,
        )


class Entrant(Section):
    """A bot that takes part."""

    path: str = Field(
        min_length=1,
        max_length=1000,
        pattern=r"^[^\x00]*$",
        description="the bot's folder, as a text of 1 to 1000 characters, "
        "relative to the league file",
    )
    name: Slug | None = Field(
        default=None, description=f"{SLUG_TEXT}; without it the name in the folder's bot.toml"
    )
