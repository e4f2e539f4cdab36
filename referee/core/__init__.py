"""The contract that every game meets: state, decision, view, act, dice, outcome."""
