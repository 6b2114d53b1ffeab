"""All commands, in the order in which help lists them."""

from __future__ import annotations

from collections.abc import Mapping

from . import (  # noqa: F401
    account_commands,
    file_commands,
    lobby_commands,
    log_commands,
    move_commands,
    plan_commands,
    position_commands,
    table_commands,
)
from .command import REGISTRY, Command

COMMANDS: Mapping[str, Command] = REGISTRY.commands
