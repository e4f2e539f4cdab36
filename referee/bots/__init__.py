"""Bots as processes: manifest, bundle, launcher, supervisor."""
