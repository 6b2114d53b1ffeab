"""The board page: links to it, and the board in words for whoever does without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.commands.discord.interactions.answers import answering, edit, person_of
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.places import asker_of, here
from bot.engine.refusals import NotAllowed
from bot.language import say
from bot.tables.texts import panel

from .look import say_or_send
from .play import position

if TYPE_CHECKING:
    from bot.web.links import Doors

board_group = app_commands.Group(
    name="board", description="The live board in a browser, and the board in words", guild_only=True
)


def doors(interaction: Interaction) -> Doors:
    """The ways to the pages.

    :raises NotAllowed: this bot serves none.
    """
    if interaction.client.board is None:
        raise NotAllowed("This bot shows no boards in the browser; whoever runs it can turn that on.")
    return interaction.client.board.doors


@board_group.command(name="link", description="A link with which everybody can watch this game in a browser")
async def board_link(interaction: Interaction) -> None:
    """A link to look, for all who read here."""
    async with answering(interaction, private=False):
        there, number = doors(interaction), await here(interaction)
        token = await interaction.client.tables.links.make(number, await asker_of(interaction, number))
        await show(interaction, "The board", there.look_address(token))


@board_group.command(name="mine", description="Your own link: with it you see and make your moves in a browser")
async def board_mine(interaction: Interaction) -> None:
    """A personal link."""
    async with answering(interaction):
        there, number = doors(interaction), await here(interaction)
        token = await interaction.client.tables.links.make(number, person_of(interaction.user), "play")
        await show(
            interaction,
            "With this link you play; give it to nobody. The one that you had before is not good any more.",
            there.play_address(token),
        )


async def show(interaction: Interaction, text: str, address: str) -> None:
    """A link as a button."""
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label=say("Board"), url=address))
    await edit(interaction, f"{say(text)}\n<{address}>", view=view)


@board_group.command(name="withdraw", description="End your links to this game; the moderator ends all that look")
async def board_withdraw(interaction: Interaction) -> None:
    """Links that are good no more."""
    async with answering(interaction):
        number = await here(interaction)
        ended = await interaction.client.tables.links.withdraw(number, await asker_of(interaction, number))
        await edit(interaction, say("Links withdrawn: {ended}.", ended))


@board_group.command(name="words", description="The board in words, space by space, for screen readers")
async def board_words(interaction: Interaction) -> None:
    """A text-only board."""
    async with answering(interaction):
        _, game = await position(interaction)
        text = "\n".join([panel.status_text(game), "", panel.market_text(game), "", panel.map_text(game)])
        await say_or_send(interaction, text, "board.txt")
