"""The referee: deals, asks, times, judges and records matches between bots."""

__version__ = "0.1.0"
