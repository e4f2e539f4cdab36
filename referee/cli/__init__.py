"""The command line, one module per command group.

Commands import the database, the protocol and the processes when they run and not before,
so that ``--help`` and completion stay quick.
"""
