"""Buttons that make a move, or lead to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.commands.discord.interactions.persistent_items import MENU_PATH, MOST_LABEL, Button, PersistentItem


class MoveButton(PersistentItem, form="mv:{game}:{version}:{move:.+}", command="move", is_update=True):
    """A single move; the label is its text command."""

    move: str
    label, is_usual = "", False

    def build(self) -> Button:
        style = discord.ButtonStyle.primary if self.is_usual else discord.ButtonStyle.success
        style = discord.ButtonStyle.secondary if self.move.endswith("pass") else style
        return Button(label=(self.label or self.move)[:MOST_LABEL], style=style)

    def values(self) -> Mapping[str, Any]:
        return {"move": self.move}


class GuideButton(PersistentItem, form=f"gd:{MENU_PATH}:{{page}}"):
    """Opens the menus of a kind of move, or goes to another page of them, or a step back."""

    path, page = (), 0

    def build(self) -> Button:
        style = self.style if self.path or self.page else discord.ButtonStyle.primary
        return Button(label=self.label[:MOST_LABEL], style=style)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.open_menu(interaction, self)


PART = r"open|write|<|\+.+|\?\w*(?::\d{1,3})?|!\d{0,2}"


class CompanyTurnButton(PersistentItem, form=rf"tu:{{game}}:{{version}}:{{made:\d{{1,3}}}}:{{what:{PART}}}"):
    """Part of a company's turn that is composed in private: `open` shows it, `+...` adds moves, `<` removes the last
    move, `?G10:2` shows the third page of the lays on a hex, `write` opens a form, `!2` makes all moves and
    passes twice.

    `made` is the number of moves before, so that a button pressed twice adds nothing twice.
    """

    what: str

    def build(self) -> Button:
        style = discord.ButtonStyle.success if self.what[0] in "!o" else discord.ButtonStyle.primary
        style = style if self.what[0] in "!o+" and not self.what.endswith("pass") else self.style
        return Button(label=self.label[:MOST_LABEL], style=style)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.edit_company_turn(interaction, self)
