"""The first oracle, continued: registered commands."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from tests.discord_double.errors import invalid
from tests.discord_double.limits import choice_faults, length
from tests.discord_double.model import Json

CHAT_INPUT, SUBCOMMAND, GROUP = 1, 1, 2
CHAT_COMMANDS, CONTEXT_COMMANDS, OPTIONS, COMMAND_TEXT, NAME, DESCRIPTION = 100, 15, 25, 8000, 32, 100
CREATES_A_DAY = 200
BOUNDED = (4, 10)
"""Option types with `min_value` and `max_value`."""


def check_commands(commands: Sequence[Json]) -> None:
    """A whole set of commands, as registered at once.

    :raises ApiError: a limit is passed.
    """
    faults = []
    kinds = Counter(command.get("type") or CHAT_INPUT for command in commands)
    for kind, count in kinds.items():
        most = CHAT_COMMANDS if kind == CHAT_INPUT else CONTEXT_COMMANDS
        if count > most:
            faults.append(f"{count} commands of type {kind}, {most} allowed")
    names = Counter((command.get("type") or CHAT_INPUT, command.get("name")) for command in commands)
    faults += [f"two commands are called {name}" for (_, name), count in names.items() if count > 1]
    for command in commands:
        faults += command_faults(command)
    if faults:
        raise invalid(faults, "limits")


def command_faults(command: Json) -> list[str]:
    """What is wrong with one command."""
    name = str(command.get("name"))
    if (command.get("type") or CHAT_INPUT) != CHAT_INPUT:
        return length(f"/{name}: name", command.get("name"), NAME, 1)
    faults = _entry_faults(command, f"/{name}", depth=0)
    if (size := text_size(command)) > COMMAND_TEXT:
        faults.append(f"/{name}: {size} characters in all, {COMMAND_TEXT} allowed")
    return faults


def text_size(entry: Json) -> int:
    """Characters of names, descriptions and values, which Discord adds up."""
    own = len(entry.get("name") or "") + len(entry.get("description") or "")
    own += sum(len(choice["name"]) + len(str(choice["value"])) for choice in entry.get("choices") or [])
    return own + sum(text_size(option) for option in entry.get("options") or [])


def is_command_name(name: object) -> bool:
    """Whether a name matches Discord's pattern: letters, digits, - _ ', Devanagari and Thai signs, lower case."""
    if not isinstance(name, str) or not 1 <= len(name) <= NAME or name != name.lower():
        return False
    return all(
        sign in "-_'"
        or unicodedata.category(sign)[0] in "LN"
        or "\u0900" <= sign <= "\u097f"
        or "\u0e00" <= sign <= "\u0e7f"
        for sign in name
    )


def _entry_faults(entry: Json, where: str, depth: int) -> list[str]:
    faults = [] if is_command_name(entry.get("name")) else [f"{where}: {entry.get('name')!r} is no command name"]
    faults += length(f"{where}: description", entry.get("description"), DESCRIPTION, 1)
    options = entry.get("options") or []
    if len(options) > OPTIONS:
        faults.append(f"{where}: {len(options)} options or subcommands, {OPTIONS} allowed")
    counts = Counter(option.get("name") for option in options)
    faults += [f"{where}: {name} stands {count} times" for name, count in counts.items() if count > 1]
    has_branches = any(option.get("type") in (SUBCOMMAND, GROUP) for option in options)
    if has_branches and any(option.get("type") not in (SUBCOMMAND, GROUP) for option in options):
        faults.append(f"{where}: subcommands and options are mixed")
    required = [bool(option.get("required")) for option in options]
    if not has_branches and required != sorted(required, reverse=True):
        faults.append(f"{where}: a required option stands after an optional one")
    for option in options:
        place = f"{where} {option.get('name')}"
        if option.get("type") in (SUBCOMMAND, GROUP):
            if depth + (option["type"] == GROUP) > 1:
                faults.append(f"{place}: nested too deep")
            faults += _entry_faults(option, place, depth + 1)
        else:
            faults += _option_faults(option, place)
    return faults


def _option_faults(option: Json, where: str) -> list[str]:
    faults = [] if is_command_name(option.get("name")) else [f"{where}: {option.get('name')!r} is no option name"]
    faults += length(f"{where}: description", option.get("description"), DESCRIPTION, 1)
    choices = option.get("choices") or []
    faults += choice_faults(choices, f"{where}: choices")
    if choices and option.get("autocomplete"):
        faults.append(f"{where}: choices and autocomplete exclude each other")
    if option.get("type") not in BOUNDED and ("min_value" in option or "max_value" in option):
        faults.append(f"{where}: only numbers have bounds")
    return faults
