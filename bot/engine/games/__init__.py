"""Whole games from outside: played by chance, told round by round, put right by hand."""
