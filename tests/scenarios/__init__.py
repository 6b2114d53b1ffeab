"""Whole games in Discord's double, played by people who follow a script of chance."""
