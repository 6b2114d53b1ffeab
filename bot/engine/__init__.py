"""The rules of the games: no Discord, no files, no clock, no randomness but its own."""
