"""Incoming letters, before anybody is asked what they mean: bounds, and the verdicts of servers."""
