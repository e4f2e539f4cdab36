"""One match: the loop at the table, its law, and its record."""
