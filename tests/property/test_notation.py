"""The text of acts: ``parse`` takes exactly what ``text`` prints."""

from hypothesis import given
from hypothesis import strategies as st

from elfer.cards import Card
from referee.games.elfer_raus.notation import DRAW, LAY, OPEN, PASS, STUCK, Act, parse, text

CARDS = st.lists(st.sampled_from(Card), min_size=1, max_size=80, unique=True).map(tuple)
SEATS = st.tuples(st.integers(0, 5))
ACTS = st.one_of(
    st.builds(lambda seats, card: Act(seats, OPEN, (card,)), SEATS, st.sampled_from(Card)),
    st.builds(lambda seats, cards: Act(seats, LAY, cards), SEATS, CARDS),
    st.builds(lambda seats, cards: Act(seats, DRAW, cards), SEATS, CARDS),
    st.builds(lambda seats, cards: Act(seats, DRAW, cards, cards[-1]), SEATS, CARDS),
    st.tuples(SEATS, st.sampled_from([STUCK, PASS])).map(lambda pair: Act(*pair)),
)
WORDS = st.sampled_from(
    ["open", "lay", "draw", "stuck", "pass", "house", "R1", "R11", "Y4", "G20", "r1", "R01", "3"]
)
NEAR_MISSES = st.one_of(
    st.lists(WORDS, max_size=6).map(" ".join),
    st.text(alphabet="RYGB0123456789 layopendrwstuck\n", max_size=12),
)


@given(ACTS)
def test_parse_inverts_text(act: Act) -> None:
    assert parse(act.seats, text(act)) == act


@given(NEAR_MISSES)
def test_what_parses_is_what_text_prints(line: str) -> None:
    try:
        act = parse((0,), line)
    except ValueError:
        return
    assert text(act) == line


@given(ACTS, st.data())
def test_a_changed_line_is_another_act_or_none(act: Act, data: st.DataObject) -> None:
    line = text(act)
    place = data.draw(st.integers(0, len(line)))
    with_more = line[:place] + data.draw(st.sampled_from(" RYGB019lay\n")) + line[place:]
    with_less = line[: max(place - 1, 0)] + line[place:]
    for changed in {with_more, with_less} - {line}:
        try:
            other = parse(act.seats, changed)
        except ValueError:
            continue
        assert text(other) == changed
        assert other != act
