import json
from pathlib import Path

import pytest

from referee.core.errors import InputError
from referee.league.changes import changes, new_keys
from referee.league.format import LeagueFormat, load_league, schema
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Consequence, Infraction, Measure
from referee.match.series import Games, Limit

TWO = """
[[entrants]]
path = "a"
[[entrants]]
path = "b"
"""

FULL = """
name = "spring-cup"
profile = "classic@1"
series = { limit = 300, cap = 20 }
table_size = 3
deals = 7
rotations = "none"

[time]
move = "250ms"
bank = "1m"
increment = "50ms"
match = "1h"
start = "20s"
handshake = "off"

[conduct]
retries = 2
restarts = 0
strike_limit = "off"
grace = "500ms"
list_only = true

[conduct.penalties]
late = 7
stale = 1

[conduct.strikes]
late = 2

[conduct.consequences]
late = "forfeit"
crashed = "forfeit"

[[entrants]]
path = "bots/a"
name = "ada"
[[entrants]]
path = "bots/b"
name = "bob"
[[entrants]]
path = "bots/c"
name = "cyd"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "league.toml"


def load(file: Path, text: str) -> LeagueFormat:
    file.write_text(text, encoding="utf-8")
    return load_league(file)


def complaints(file: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(file, text)
    lines = str(caught.value).split("\n")
    prefix = f"{file}: "
    assert all(line.startswith(prefix) for line in lines)
    assert all(line.isprintable() for line in lines)
    return [line.removeprefix(prefix) for line in lines]


def test_defaults(file: Path) -> None:
    league = load(file, 'name = "x"' + TWO)
    assert league.profile == "ravensburger@1"
    assert league.series.resolve() == Games(5)
    assert (league.table_size, league.deals, league.rotations) == (2, 10, "all")
    assert league.time.resolve() == TimeControl()
    assert league.conduct.resolve() == Conduct()


def test_every_key(file: Path) -> None:
    league = load(file, FULL)
    assert league.name == "spring-cup"
    assert league.profile == "classic@1"
    assert league.series.resolve() == Limit(300, 20)
    assert (league.table_size, league.deals, league.rotations) == (3, 7, "none")
    assert league.time.resolve() == TimeControl(
        move_limit_us=250_000,
        bank_us=60_000_000,
        increment_us=50_000,
        match_limit_us=3_600_000_000,
        handshake_limit_us=None,
        start_limit_us=20_000_000,
    )
    assert league.conduct.resolve() == Conduct(
        retries=2,
        restarts=0,
        strike_limit=None,
        grace_us=500_000,
        measures={kind: breach.default for kind, breach in BREACHES.items()}
        | {
            Infraction.LATE: Measure(7, 2, Consequence.FORFEIT),
            Infraction.STALE: Measure(1, 1, Consequence.NONE),
            Infraction.CRASHED: Measure(50, 1, Consequence.FORFEIT),
        },
        list_only=True,
    )
    assert league.names == ("ada", "bob", "cyd")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("deals = 0", "deals = 0: too small; allowed: a whole number from 1 to 1000000"),
        ("deals = 1000001", "deals = 1000001: too large; allowed: a whole number from 1"),
        ("deals = 1.0", "deals = 1.0: not a whole number; allowed: a whole number from 1"),
        ("deals = true", "deals = true: not a whole number; allowed: "),
        ('deals = "10"', "deals = '10': not a whole number; allowed: "),
        ("deals = 0x" + "f" * 9999, "deals = a number of more than 64 bits: too large; allowed: "),
        ("deals = nan", "deals = nan: not a whole number; allowed: "),
        ("deals = 2024-01-01", "deals = 2024-01-01: not a whole number; allowed: "),
        ("table_size = 1", "table_size = 1: too small; allowed: how many bots sit at a table, 2"),
        ("table_size = 7", "table_size = 7: too large; allowed: how many bots sit at a table, 2"),
        ("table_size = 3", "entrants = a list: 2 of them, and table_size is 3; allowed: "),
        ('rotations = "some"', "rotations = 'some': not one of these; allowed: 'all'"),
        ('profile = "poker"', "profile = 'poker': there is no such profile; allowed: with or"),
        ('profile = "classic@9"', "profile = 'classic@9': there is no such profile; allowed: "),
        ("profile = 1", "profile = 1: not a text; allowed: "),
        ("series = 5", "series = 5: not a table; allowed: a table: games = N; or limit = L"),
        ("series = {}", "series = a table: either games or limit has to be there, and not both"),
        ("series = { games = 5, limit = 5 }", "series = a table: either games or limit has to"),
        ("series = { games = 5, cap = 9 }", "series = a table: cap goes with limit only; all"),
        ("series = { games = 1001 }", "series.games = 1001: too large; allowed: a whole number"),
        ("series = { limit = 0 }", "series.limit = 0: too small; allowed: a whole number from 1"),
        ("series.gmaes = 5", "series.gmaes is not a known key; allowed: games, limit, cap"),
        ("time = { move = 2 }", "time.move = 2: not a duration; allowed: a text such as '2s'"),
        ('time = { move = "0s" }', "time.move = '0s': shorter than 1ms; allowed: "),
        ('time = { move = "-2s" }', "time.move = '-2s': not a duration; allowed: "),
        ('time = { handshake = "9999h" }', "time.handshake = '9999h': longer than 1000h; allow"),
        ('time.move = "off"\ntime.bank = "2s"', "time.bank = '2s': move is off; allowed: a text"),
        ('time = { increment = "1s" }', "time.increment = '1s': bank is off; allowed: a text s"),
        ('time = { bank = "0s" }', "time.bank = '0s': shorter than 1ms; allowed: a text such"),
        ('time = { match = "0s" }', "time.match = '0s': shorter than 1ms; allowed: a text such"),
        ('time = { start = "1" }', "time.start = '1': not a duration; allowed: a text such as"),
        ("time = { sudden = 1 }", "time.sudden is not a known key; allowed: move, bank, increm"),
        ("conduct = { retries = -1 }", "conduct.retries = -1: too small; allowed: a whole num"),
        ("conduct = { list_only = 1 }", "conduct.list_only = 1: not true or false; allowed: "),
        ("conduct.penalties.late = -1", "conduct.penalties.late = -1: too small; allowed: poi"),
        ("conduct.penalties.rude = 1", "conduct.penalties.rude is not a known key; allowed: res"),
        ("conduct.penalties = 1", "conduct.penalties = 1: not a table; allowed: a table: poin"),
        ("conduct.strikes.late = 1001", "conduct.strikes.late = 1001: too large; allowed: a nu"),
        ("conduct = { restarts = 11 }", "conduct.restarts = 11: too large; allowed: a whole nu"),
        ("conduct = { strike_limit = 0 }", "conduct.strike_limit = 0: too small; allowed: a wh"),
        ('conduct = { strike_limit = "no" }', "conduct.strike_limit = 'no': not a whole number"),
        ('conduct = { grace = "off" }', "conduct.grace = 'off': not a duration; allowed: a text"),
        (
            'conduct.consequences.late = "retry"',
            "conduct.consequences.late = 'retry': not one of these; allowed: house, forfeit: The",
        ),
        (
            'conduct.consequences.resigned = "none"',
            "conduct.consequences.resigned = 'none': not one of these; allowed: forfeit: The bot",
        ),
        ('conduct.consequences.rude = "house"', "conduct.consequences.rude is not a known key;"),
        ("tabel_size = 2", "tabel_size is not a known key; allowed: name, profile, rules, ser"),
        ('"a\\u001bb" = 2', "a\\x1bb is not a known key; allowed: "),
    ],
)
def test_a_wrong_value_names_key_value_and_what_is_allowed(
    file: Path, line: str, expected: str
) -> None:
    (complaint,) = complaints(file, f'name = "x"\n{line}\n{TWO}')
    assert complaint.startswith(expected)
    assert complaint.count("allowed:") == 1


@pytest.mark.parametrize(
    "name", ["", "Cup", "a b", "a/b", "a+b", ".a", "-a", "..", "ä", "a\\n", "a" * 65, "match"]
)
def test_names_that_are_no_slug_are_refused(file: Path, name: str) -> None:
    (complaint,) = complaints(file, f'name = "{name}"\n{TWO}')
    assert complaint.startswith("name = ")
    assert "allowed: 1 to 64 of a-z" in complaint


@pytest.mark.parametrize(
    ("entrants", "expected"),
    [
        ("", "entrants is missing; allowed: [[entrants]] tables with path"),
        ("entrants = 3", "entrants = 3: not a list; allowed: [[entrants]] tables"),
        ("entrants = []", "entrants = a list: 0 of them, and table_size is 2; allowed: "),
        ('entrants = [{path = "a"}]', "entrants = a list: 1 of them, and table_size is 2; "),
        ('entrants = [{path = "a"}, 4]', "entrants[1] = 4: not a table; allowed: [[entrants]]"),
        ('entrants = [{path = "a"}, {}]', "entrants[1].path is missing; allowed: the bot's fo"),
        ('entrants = [{path = "a"}, {path = ""}]', "entrants[1].path = '': empty; allowed: "),
        (
            'entrants = [{path = "a"}, {path = "a\\u0000"}]',
            "entrants[1].path = 'a\\x00': not of the allowed form; allowed: ",
        ),
        (
            'entrants = [{path = "a", name = "A"}, {path = "b"}]',
            "entrants[0].name = 'A': not of the allowed form; allowed: 1 to 64 of",
        ),
        (
            'entrants = [{path = "a", name = "x"}, {path = "b", name = "x"}]',
            "entrants = a list: entrants[0] and entrants[1] are both named 'x'; allowed: ",
        ),
    ],
)
def test_wrong_entrants(file: Path, entrants: str, expected: str) -> None:
    (complaint,) = complaints(file, f'name = "x"\n{entrants}\n')
    assert complaint.startswith(expected)


def test_everything_wrong_is_told_at_once(file: Path) -> None:
    text = 'deals = 0\ntable_size = "2"\n[time]\nmove = 1\n[[entrants]]\nname = "a"\nx = 1\n'
    assert [complaint.split(" ")[0] for complaint in complaints(file, text)] == [
        "name",
        "table_size",
        "deals",
        "time.move",
        "entrants[0].path",
        "entrants[0].x",
    ]


def test_very_many_complaints_are_cut_short(file: Path) -> None:
    keys = "\n".join(f"k{n} = 1" for n in range(500))
    lines = complaints(file, f'name = "x"\n{keys}\n{TWO}')
    assert len(lines) == 51
    assert lines[-1] == "and 450 more"


def test_broken_toml_names_the_line(file: Path) -> None:
    (complaint,) = complaints(file, 'name = "x"\ndeals = = 3\n')
    assert complaint.startswith("not valid TOML: ")
    assert "line 2" in complaint


@pytest.mark.parametrize(
    "text",
    [
        "deals = " + "[" * 10_000 + "]" * 10_000,
        "deals = " + "{a=" * 10_000 + "1" + "}" * 10_000,
        "deals = " + "9" * 10_000,
        ".".join("a" * 1_000) + " = 1",
    ],
)
def test_hostile_toml_is_one_short_complaint(file: Path, text: str) -> None:
    (complaint,) = complaints(file, f'name = "x"\n{text}\n{TWO}')
    assert len(complaint) < 300


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        load_league(tmp_path / "missing.toml")
    with pytest.raises(InputError, match="not a regular file"):
        load_league(tmp_path)
    file = tmp_path / "file.toml"
    file.write_bytes(b'name = "\xff"')
    with pytest.raises(InputError, match="not UTF-8 at byte 8"):
        load_league(file)
    file.write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(InputError, match="larger than 1 MiB"):
        load_league(file)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match="loop: "):
        load_league(tmp_path / "loop")


def test_a_frozen_value(file: Path) -> None:
    league = load(file, FULL)
    with pytest.raises(ValueError, match="frozen"):
        league.deals = 3


def test_names_come_from_the_file_or_the_bot(file: Path) -> None:
    text = 'name = "x"\n[[entrants]]\npath = "b"\n[[entrants]]\npath = "a"\nname = "first"\n'
    league = load(file, text)
    with pytest.raises(ValueError, match="no name yet"):
        _ = league.names
    named = league.named(["random", "ignored"])
    assert named.names == ("first", "random")
    assert [entrant.path for entrant in named.entrants] == ["a", "b"]
    with pytest.raises(InputError, match=r"entrants\[0\] and entrants\[1\] are both named 'first'"):
        league.named(["first", "ignored"])


def test_canonical_json_is_the_meaning_of_the_file(file: Path) -> None:
    short = load(file, 'name = "x"' + TWO).named(["ada", "bob"])
    spelled_out = load(
        file,
        """
        rotations = "all"
        profile = "ravensburger"
        deals = 10
        name = "x"
        time = { handshake = "5000ms", move = "2s" }
        series.games = 5
        conduct.penalties.late = 20
        conduct.consequences.late = "house"
        [[entrants]]
        path = "b"
        name = "bob"
        [[entrants]]
        name = "ada"
        path = "a"
        """,
    ).named(["?", "?"])
    assert spelled_out.canonical_json() == short.canonical_json()
    assert changes(short.canonical_json(), spelled_out.canonical_json()) == ()


def test_canonical_json_reads_back(file: Path) -> None:
    for text in (FULL, FULL.replace("limit = 300, cap = 20", "games = 3")):
        league = load(file, text).named(["?"] * 3)
        assert LeagueFormat.from_canonical(league.canonical_json()) == league


@pytest.mark.parametrize("kind", BREACHES)
def test_every_consequence_that_is_allowed_can_be_chosen(file: Path, kind: Infraction) -> None:
    for consequence in BREACHES[kind].allowed:
        line = f'conduct.consequences.{kind} = "{consequence}"'
        conduct = load(file, f'name = "x"\n{line}\n{TWO}').conduct.resolve()
        assert conduct.measures[kind].consequence is consequence


def test_a_league_of_an_older_referee_is_read_and_told_by_what_it_lacks(file: Path) -> None:
    text = load(file, FULL).named(["?"] * 3).canonical_json()
    assert new_keys(text) == ()
    older = json.loads(text)
    older["time"] = {"handshake": "5s", "move": "2s"}
    penalties = older["conduct"]["penalties"]
    older["conduct"] = {"list_only": False, "penalties": penalties, "retries": 1}
    assert LeagueFormat.from_canonical(json.dumps(older)).names == ("ada", "bob", "cyd")
    assert new_keys(json.dumps(older)) == (
        "conduct.consequences",
        "conduct.grace",
        "conduct.restarts",
        "conduct.strike_limit",
        "conduct.strikes",
        "time.bank",
        "time.increment",
        "time.match",
        "time.start",
    )


def test_changes_name_dotted_keys_and_both_values(file: Path) -> None:
    old = load(file, FULL).named(["?"] * 3)
    new = load(
        file,
        FULL.replace("deals = 7", "deals = 8")
        .replace("late = 7", "late = 9")
        .replace("limit = 300, cap = 20", "games = 3")
        .replace("20s", "off")
        .replace("bots/a", "bots/z")
        .replace('"cyd"', '"dot"'),
    ).named(["?"] * 3)
    assert list(map(str, changes(old.canonical_json(), new.canonical_json()))) == [
        "conduct.penalties.late was 7 and is 9",
        "deals was 7 and is 8",
        'entrants.ada.path was "bots/a" and is "bots/z"',
        'entrants.cyd.path was "bots/c" and is nothing',
        'entrants.dot.path was nothing and is "bots/c"',
        "series.cap was 20 and is nothing",
        "series.games was nothing and is 3",
        "series.limit was 300 and is nothing",
        'time.start was "20s" and is "off"',
    ]


def test_the_schema_knows_every_key_and_no_null() -> None:
    text = json.dumps(schema())
    assert '"null"' not in text
    assert '"default": null' not in text
    keys = schema()["properties"]
    assert keys.keys() == LeagueFormat.model_fields.keys()
    assert all("description" in value for value in keys.values())
    assert keys["deals"]["maximum"] == 1_000_000
    assert schema()["required"] == ["name", "entrants"]


def test_the_schema_has_defaults_and_choices_as_the_file_writes_them() -> None:
    keys = {name: table["properties"] for name, table in schema()["$defs"].items()}
    assert keys["TimeKeys"]["move"]["default"] == "2s"
    assert "default" not in keys["TimeKeys"]["bank"]
    assert keys["ConductKeys"]["grace"]["default"] == "2s"
    assert keys["ConsequenceKeys"]["late"]["enum"] == ["house", "forfeit"]
    assert keys["PenaltyKeys"].keys() == keys["StrikeKeys"].keys() == {*BREACHES}


def test_the_demo_league_is_a_league() -> None:
    demo = load_league(Path(__file__).parents[3] / "sample_bots" / "demo.toml")
    assert demo.name == "demo"
    assert [entrant.path.split("/")[-1] for entrant in demo.entrants] == [
        "random",
        "greedy",
        "holdback",
    ]
