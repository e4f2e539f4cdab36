"""The tables within a league file, each with what it resolves to."""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from referee.files.fields import SLUG_TEXT, DurationOrOff, Slug
from referee.match.clock import (
    DEFAULT_HANDSHAKE_LIMIT_US,
    DEFAULT_MOVE_LIMIT_US,
    TimeControl,
)
from referee.match.conduct import BREACHES, Conduct, Infraction
from referee.match.series import DEFAULT_CAP, Games, Limit, Series

MOST_POINTS: Final = 1_000_000
MOST_RETRIES: Final = 10
_SHORTEST_US: Final = 1_000
_LIMIT_TEXT: Final = "a text such as '2s' or '250ms', from 1ms to 1000h, or 'off'"


def _long_enough(microseconds: int | None) -> int | None:
    if microseconds is not None and microseconds < _SHORTEST_US:
        raise ValueError("shorter than 1ms")
    return microseconds


_TimeLimit = Annotated[DurationOrOff, AfterValidator(_long_enough)]
_Points = Annotated[int, Field(ge=0, le=MOST_POINTS)]
# An enumeration's member is never found in a file, only its value.
_Kind = Annotated[Infraction, Field(strict=False)]


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
    handshake: _TimeLimit = Field(
        default=DEFAULT_HANDSHAKE_LIMIT_US,
        description=f"{_LIMIT_TEXT}: from opening the stream to the hello",
    )

    def resolve(self) -> TimeControl:
        return TimeControl(move_limit_us=self.move, handshake_limit_us=self.handshake)


class ConductKeys(Section):
    """What a breach costs."""

    retries: int = Field(
        default=Conduct().retries,
        ge=0,
        le=MOST_RETRIES,
        description=f"a whole number from 0 to {MOST_RETRIES}: "
        "how often a refused answer may be given again within the same clock",
    )
    penalties: dict[_Kind, _Points] = Field(
        default_factory=dict,
        validate_default=True,
        description=f"points from 0 to {MOST_POINTS} for any of: {', '.join(Infraction)}",
    )
    list_only: bool = Field(
        default=False,
        description="true or false: penalties are listed and not added to the totals",
    )

    @field_validator("penalties")
    @classmethod
    def _every_kind(cls, given: dict[Infraction, int]) -> dict[Infraction, int]:
        return {kind: given.get(kind, breach.penalty) for kind, breach in BREACHES.items()}

    def resolve(self) -> Conduct:
        return Conduct(self.retries, self.penalties, self.list_only)


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
