"""The protocol, generated from proto/ by make proto."""
