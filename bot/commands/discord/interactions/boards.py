"""Links to the board page, as they are shown to the person who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.commands.discord.interactions.client import Interaction
from bot.engine import GameId, IllegalMove
from bot.i18n import tr

from .game_channels import asker_of
from .responses import edit, person_of

if TYPE_CHECKING:
    from bot.commands.web.auth import Authenticator


def authenticator(interaction: Interaction) -> Authenticator:
    """The authenticator of the pages.

    :raises IllegalMove: this bot serves none.
    """
    if interaction.client.board is None:
        raise IllegalMove("This bot shows no boards in the browser; its operator can turn that on.")
    return interaction.client.board.doors


async def show_link(interaction: Interaction, game_id: GameId) -> None:
    token = await interaction.client.tables.links.make(game_id, await asker_of(interaction, game_id))
    await _show(interaction, "The board", authenticator(interaction).look_address(token))


async def show_key(interaction: Interaction, game_id: GameId) -> None:
    token = await interaction.client.tables.links.make(game_id, person_of(interaction.user), "play")
    await _show(
        interaction,
        "This is your play link; keep it secret. Your previous link no longer works.",
        authenticator(interaction).play_address(token),
    )


async def show_own(interaction: Interaction, game_id: GameId) -> None:
    """Show the personal link to the holder of a seat, the look link to everybody else."""
    table = await interaction.client.tables.desk.table(game_id)
    has_seat = bool(table.seats_of(person_of(interaction.user)))
    await (show_key if has_seat else show_link)(interaction, game_id)


async def _show(interaction: Interaction, text: str, address: str) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label=tr("Board"), url=address))
    await edit(interaction, f"{tr(text)}\n<{address}>", view=view)
