"""Buttons that make a move, or lead to one. The effect of pressing the last two is in `move_menus` and `whatif`; the bot joins
both."""

from __future__ import annotations

import re
from typing import Any

import discord

from bot.commands.discord.interactions.responses import is_ephemeral
from bot.engine import GameId

LONGEST_ID = 100


class MoveButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"mv:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<move>.+)"
):
    """A single move; the label is its text command."""

    def __init__(self, game_id: GameId, version: int, move: str, label: str = "", is_usual: bool = False) -> None:
        self.game, self.version, self.move = game_id, version, move
        style = discord.ButtonStyle.primary if is_usual else discord.ButtonStyle.success
        style = discord.ButtonStyle.secondary if move.endswith("pass") else style
        shown = (label or move)[:80]
        super().__init__(discord.ui.Button(label=shown, style=style, custom_id=f"mv:{game_id}:{version}:{move}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> MoveButton:
        return cls(GameId(int(match["game"])), int(match["version"]), match["move"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Make the move, if the position is the button's."""
        await interaction.client.run_command(
            interaction, "move", {"move": self.move}, self.game, self.version, is_update=is_ephemeral(interaction)
        )


class GuideButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"gd:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*):(?P<page>\d{1,9})",
):
    """Opens the menus of a kind of move, or goes to another page of them, or a step back."""

    def __init__(
        self, game_id: GameId, version: int, kind: str, path: tuple[int, ...] = (), page: int = 0, label: str = ""
    ) -> None:
        self.game, self.version, self.kind, self.path, self.page = game_id, version, kind, path, page
        super().__init__(
            discord.ui.Button(
                label=label[:80] or "…",
                style=discord.ButtonStyle.secondary if path or page else discord.ButtonStyle.primary,
                custom_id=f"gd:{game_id}:{version}:{kind}:{format_path(path)}:{page}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> GuideButton:
        return cls(
            GameId(int(match["game"])),
            int(match["version"]),
            match["kind"],
            parse_path(match["path"]),
            int(match["page"]),
        )


class CompanyTurnButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"tu:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<made>\d{1,3}):(?P<what>.+)",
):
    """Part of a company's turn that is composed in private: `open` shows it, `+...` adds moves, `<` removes the last
    move, `?G10:2` shows the third page of the lays on a hex, `write` opens a form, `!2` makes all moves and
    passes twice.

    `made` is the number of moves before, so that a button pressed twice adds nothing twice.
    """

    def __init__(self, game_id: GameId, version: int, made: int, what: str, label: str = "") -> None:
        self.game, self.version, self.made, self.what = game_id, version, made, what
        style = discord.ButtonStyle.success if what[0] in "!o" else discord.ButtonStyle.primary
        style = style if what[0] in "!o+" and not what.endswith("pass") else discord.ButtonStyle.secondary
        shown = discord.ui.Button[Any](
            label=label[:80] or "…", style=style, custom_id=f"tu:{game_id}:{version}:{made}:{what}"
        )
        super().__init__(shown)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> CompanyTurnButton:
        return cls(GameId(int(match["game"])), int(match["version"]), int(match["made"]), match["what"])


def format_path(path: tuple[int, ...]) -> str:
    """A path as in custom ids: `3.0.2`."""
    return ".".join(map(str, path))


def parse_path(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(".") if word)
