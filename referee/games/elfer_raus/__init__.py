"""Elfer raus!: rules by slots, their named profiles, one deal in progress, its notation."""
