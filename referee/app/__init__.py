"""Use cases: play a sitting, run a league, check a bot, replay."""
