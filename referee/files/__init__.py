"""Files that a user names: read with limits, written whole, refused in plain words."""
