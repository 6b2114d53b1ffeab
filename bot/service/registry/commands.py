"""All commands, in the order in which help lists them."""

from __future__ import annotations

from collections.abc import Mapping

from . import (
    account_commands,
    clock_commands,
    file_commands,
    follow_commands,
    lesson_commands,
    lobby_commands,
    log_commands,
    move_commands,
    open_table_commands,
    plan_commands,
    position_commands,
    record_commands,
    season_commands,
    substitute_commands,
    table_commands,
)
from .command import REGISTRY, Command

MODULES = (
    lesson_commands,
    lobby_commands,
    open_table_commands,
    season_commands,
    follow_commands,
    move_commands,
    position_commands,
    log_commands,
    record_commands,
    plan_commands,
    clock_commands,
    table_commands,
    substitute_commands,
    file_commands,
    account_commands,
)

COMMANDS: Mapping[str, Command] = {
    name: command
    for module in MODULES
    for name, command in REGISTRY.commands.items()
    if command.run.__module__ == module.__name__
}
