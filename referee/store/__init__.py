"""The ledger: every attempt at a match, in a database."""
