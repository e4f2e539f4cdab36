"""Leagues as pure functions: format, schedule, standings."""
