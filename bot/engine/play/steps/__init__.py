"""Steps that more than one title can use: what may be done now, and what doing it changes."""
