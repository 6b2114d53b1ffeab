"""The one door to a game."""
