"""The slash commands, made from the declarations of all commands."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.commands.discord.interactions import Forum, Interaction, person_of
from bot.engine import PersonId
from bot.service.registry.command import (
    Choice,
    Command,
    Door,
    Flag,
    ForumChannel,
    GameFile,
    Kind,
    Member,
    Number,
    Parameter,
    Person,
    SeatOf,
    Words,
)
from bot.service.registry.commands import COMMANDS
from bot.service.registry.lobby_commands import TITLE
from bot.service.sessions.names import plain_name

from .replies import run_command
from .request import DiscordRequest

GROUPS = {
    "game": "Open, join and run games",
    "moderate": "For the moderator of a game",
    "auto": "Plans: private until they act",
    "board": "The live board in a browser, and the board in words",
    "clock": "Reminders, quiet hours, holidays, turn times",
    "whatif": "A private sandbox of the position",
    "follow": "Follow games, people and seasons",
    "season": "Seasons: rounds of games on this server",
    "substitute": "Take over seats of players who left",
    "tables": "Open tables, here and elsewhere",
    "vote": "Ask the table",
    "privacy": "Your stored data, and how to erase it",
    "language": "The language I use: Sprache",
    "notify": "Notices on your phone or in a chat",
    "mail": "Mail: your turns and reminders, sent to your address",
}
"""The first word of the commands that have two."""

EVERYWHERE = {
    *("help", "games", "tables", "substitute", "record", "privacy", "language", "mail", "notify"),
    *("move", "undo", "redo", "try", "whatif", "plan", "auto", "vote", "clock"),
    *("status", "turn", "map", "market", "history", "log", "routes", "company", "player", "trains", "tiles", "ledger"),
    *("board", "chart", "timelapse", "report", "results", "review", "why", "advice"),
}
"""The first words of the commands that can be typed in direct messages too."""

MOST_SEATS = 7
MOST_OFFERS, LONGEST_OFFER = 25, 100


def add_commands(tree: app_commands.CommandTree[Any], hidden: Collection[str] = ()) -> None:
    """Add every command that Discord has. Titles in `hidden` are no choice."""
    groups: dict[str, app_commands.Group] = {}
    for command in COMMANDS.values():
        if not command.is_at(Door.DISCORD):
            continue
        first, _, second = command.name.partition(" ")
        is_guild_only = first not in EVERYWHERE
        if not second:
            found = build_command(command, first, hidden)
            found.guild_only = is_guild_only
            tree.add_command(found)
            continue
        if first not in groups:
            groups[first] = app_commands.Group(name=first, description=GROUPS[first], guild_only=is_guild_only)
            tree.add_command(groups[first])
        groups[first].add_command(build_command(command, second, hidden))
    for known in tree.get_commands():
        known.allowed_contexts = app_commands.AppCommandContext(
            guild=True, dm_channel=not known.guild_only, private_channel=False
        )


def build_command(command: Command, name: str, hidden: Collection[str] = ()) -> app_commands.Command[Any, ..., Any]:
    """A slash command: its options are the parameters of the declaration."""

    async def callback(interaction: Interaction, **options: Any) -> None:
        values = {one.name: _value(one.kind, options[one.name]) for one in command.parameters}
        is_private = not command.is_public or _is_for_forum(interaction, command, values)
        await run_command(interaction, command.name, values, is_private=is_private)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)
    callback.__signature__ = inspect.Signature([first, *map(_option, command.parameters)])  # type: ignore[attr-defined]
    built: app_commands.Command[Any, ..., Any] = app_commands.Command(
        name=name, description=command.help, callback=callback
    )
    app_commands.describe(**{one.name: app_commands.locale_str(one.help) for one in command.parameters})(built)
    app_commands.choices(
        **{
            one.name: _choices(one.kind, hidden if one.kind is TITLE else ())
            for one in command.parameters
            if isinstance(one.kind, Choice) and not _is_switch(one.kind)
        }
    )(built)
    for one in command.parameters:
        if one.complete is not None:
            built.autocomplete(one.name)(_completion(one))
    return built


def _option(parameter: Parameter) -> inspect.Parameter:
    """A parameter as the library reads it from a signature."""
    default = parameter.default
    if not parameter.is_needed and _is_switch(parameter.kind):
        default = default == "on"
    return inspect.Parameter(
        parameter.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=_annotation(parameter)
    )


def _annotation(parameter: Parameter) -> Any:
    match parameter.kind:
        case Words(most):
            return app_commands.Range[str, 1 if parameter.is_needed else 0, most]
        case Number(least, most):
            found: Any = app_commands.Range[int, least, most]
        case SeatOf():
            found = app_commands.Range[int, 1, MOST_SEATS]
        case Member():
            found = discord.Member
        case GameFile():
            found = discord.Attachment
        case ForumChannel():
            found = app_commands.Transform[discord.ForumChannel, Forum]
        case Flag():
            return bool
        case _:
            return bool if _is_switch(parameter.kind) else str
    return found if parameter.default is not None else found | None


def _is_switch(kind: Kind) -> bool:
    """Whether a choice is one between on and off, which Discord shows as true and false."""
    return isinstance(kind, Choice) and set(kind.meanings) == {"on", "off"}


def _choices(kind: Choice, hidden: Collection[str]) -> list[app_commands.Choice[str]]:
    shown = [(value, meaning or value) for value, meaning in kind.meanings.items() if value not in hidden]
    return [
        app_commands.Choice(name=app_commands.locale_str(str(meaning), said=meaning), value=value)
        for value, meaning in shown
    ]


def _value(kind: Kind, given: Any) -> Any:
    """Discord's value for an option as the command wants it."""
    if _is_switch(kind):
        return "on" if given else "off"
    if isinstance(given, discord.Member):
        return Person(person_of(given), plain_name(given.display_name) or given.display_name)
    return given


def _is_for_forum(interaction: Interaction, command: Command, values: Mapping[str, Any]) -> bool:
    """Whether the answer is shown in a forum, so that nothing is said here."""
    forums = [one.name for one in command.parameters if isinstance(one.kind, ForumChannel)]
    return any(values[name] or DiscordRequest(interaction).forum_here() for name in forums)


class Typing:
    """A person who types into an option: the client asks with every letter and shows only the answer to the last."""

    def __init__(self) -> None:
        self.turn, self.newest = asyncio.Lock(), 0


TYPING: WeakValueDictionary[PersonId, Typing] = WeakValueDictionary()


def _completion(parameter: Parameter) -> Any:
    async def complete(interaction: Interaction, typed: str) -> Sequence[app_commands.Choice[Any]]:
        assert parameter.complete is not None
        request = DiscordRequest(interaction)
        request.chosen = vars(interaction.namespace)
        typing = TYPING.setdefault(request.person, Typing())
        typing.newest = interaction.id
        async with typing.turn:
            found = await parameter.complete(request, typed) if typing.newest == interaction.id else ()
        is_number = isinstance(parameter.kind, Number | SeatOf)
        return [
            app_commands.Choice[Any](name=label[:LONGEST_OFFER], value=int(value) if is_number else value)
            for value, label in found
            if len(value) <= LONGEST_OFFER
        ][:MOST_OFFERS]

    return complete
