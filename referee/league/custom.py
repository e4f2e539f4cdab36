"""The ``[rules]`` table of a league file: rule slots that a league fills itself (§9.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from pydantic import (
    Field,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails

from referee.core.errors import InputError
from referee.files.toml import complaint
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.elfer_raus.rules import Rules, SlotError
from referee.games.elfer_raus.slots import SLOTS, Slot, rules_of
from referee.games.registry import profile_id, rules_for
from referee.league.sections import Section

_BY_NAME: Final = {slot.name: slot for slot in SLOTS}


class _Table(Section):
    """Once read it has every slot, and no base."""

    base: str | None = Field(
        default=None,
        description="a named profile such as 'classic', for the slots that are not given; "
        "without it every slot has to be",
    )

    @field_validator("base")
    @classmethod
    def _known(cls, base: str | None) -> str | None:
        try:
            return None if base is None else profile_id(base)
        except InputError:
            raise ValueError("there is no such profile") from None

    @field_validator("*")
    @classmethod
    def _readable(cls, value: Any, info: ValidationInfo) -> Any:
        slot = _BY_NAME.get(info.field_name or "")
        if slot is not None and value is not None:
            try:
                slot.parse(slot.text(value))
            except (KeyError, ValueError):
                reason = "not one of these" if slot.words else "not of the allowed form"
                raise ValueError(reason) from None
        return value

    @model_validator(mode="after")
    def _filled(self) -> Self:
        given = self.model_dump(exclude={"base"}, exclude_none=True)
        values = {} if self.base is None else _values(rules_for(self.base))
        values |= given
        if missing := [slot.name for slot in SLOTS if slot.name not in values]:
            raise ValidationError.from_exception_data(
                "missing",
                [InitErrorDetails(type="missing", loc=(name,), input=given) for name in missing],
            )
        try:
            rules = _rules(values)
        except SlotError as error:
            value = values[error.slot]
            whole = error.value == _BY_NAME[error.slot].text(value)
            reason = "not allowed" if whole else f"{error.value} is not allowed"
            if error.slot not in given:
                reason += f" (from {self.base})"
            raise complaint((error.slot,), value, reason, error.allowed) from None
        return self.model_copy(update={"base": None} | _values(rules))

    @property
    def rules(self) -> Rules:
        return _rules(self.model_dump(exclude_none=True))


def _values(rules: Rules) -> dict[str, Any]:
    return {slot.name: slot.given(rules) for slot in SLOTS}


def _rules(values: dict[str, Any]) -> Rules:
    return rules_of({slot.name: slot.text(values[slot.name]) for slot in SLOTS})


def _key(slot: Slot) -> tuple[Any, Any]:
    """A slot as a key of the table."""
    allowed = "true or false" if slot.kind is bool else slot.allowed
    examples = dict.fromkeys(slot.given(rules) for rules in PROFILES.values())
    return slot.kind | None, Field(
        default=None,
        description=f"{allowed}: {slot.meaning} ({slot.section})",
        json_schema_extra={"enum" if slot.words else "examples": [*(slot.words or examples)]},
    )


if TYPE_CHECKING:
    RulesKeys = _Table
else:
    # A slot is a key without a line of its own here.
    RulesKeys = create_model(
        "RulesKeys",
        __base__=_Table,
        __module__=__name__,
        **{slot.name: _key(slot) for slot in SLOTS},
    )
