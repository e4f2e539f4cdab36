"""A league in one file: written, verified without a database, and imported into another one.

``docs/archive.md`` is the format.
"""

from __future__ import annotations

from referee.app.archive.bring_in import import_archive
from referee.app.archive.verify import judge_archive
from referee.app.archive.write import LeagueArchive

__all__ = ["LeagueArchive", "import_archive", "judge_archive"]
