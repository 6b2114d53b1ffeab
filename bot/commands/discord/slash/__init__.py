"""Slash commands and menus, one module a subject."""
