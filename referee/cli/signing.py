"""``referee key``: the key with which the operator signs."""

from __future__ import annotations

import typer

from referee.cli.options import AsJson
from referee.cli.output import print_json, remark, say
from referee.core.errors import NotFoundError

app = typer.Typer(help="The key with which you sign records and archives.", no_args_is_help=True)


@app.command()
def new() -> None:
    """Make your key, and print its public half. A key that is there is never overwritten."""
    from referee.app.signing import key_file, new_key, shown_key

    key = new_key()
    remark(f"private key: {key_file()}")
    say(shown_key(key.public))


@app.command()
def show(as_json: AsJson = False) -> None:
    """Print your public key, for others to verify with: --key."""
    from referee.app.signing import key_file, load_key, shown_key

    key = load_key()
    if key is None:
        raise NotFoundError(f"there is no key in {key_file()}; make one: referee key new")
    public = shown_key(key.public)
    if as_json:
        print_json({"public_key": public})
    else:
        say(public)
