"""The kinds of database that tests run on."""

from __future__ import annotations

import os

# CI always tests both; elsewhere PostgreSQL is tested where there is a server.
_WITH_A_SERVER = os.environ.get("REFEREE_TEST_POSTGRES") or os.environ.get("CI") == "true"
SERVERS = ["postgresql"] if _WITH_A_SERVER else []
KINDS = ["sqlite", *SERVERS]
