"""Whole games from outside: their course, told round by round, put right by hand."""
