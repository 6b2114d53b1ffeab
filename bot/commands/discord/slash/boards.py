"""The board page: links to it, and the board in words for whoever does without."""

from __future__ import annotations

from discord import app_commands

from bot.commands.discord.interactions.boards import doors, show_key, show_link
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import asker_of, here
from bot.commands.discord.interactions.responses import answering, edit
from bot.i18n import say
from bot.service.views import position_text

from .info_commands import say_or_send
from .move_commands import position

board_group = app_commands.Group(
    name="board", description="The live board in a browser, and the board in words", guild_only=True
)


@board_group.command(name="link", description="A look link: anyone can watch this game in a browser")
async def board_link(interaction: Interaction) -> None:
    """A link to look, for all who read here."""
    async with answering(interaction, private=False):
        doors(interaction)
        await show_link(interaction, await here(interaction))


@board_group.command(name="mine", description="Your play link: see and make your moves in a browser")
async def board_mine(interaction: Interaction) -> None:
    """A personal link."""
    async with answering(interaction):
        doors(interaction)
        await show_key(interaction, await here(interaction))


@board_group.command(name="withdraw", description="End your links to this game; the moderator ends all look links")
async def board_withdraw(interaction: Interaction) -> None:
    """Links that are good no more."""
    async with answering(interaction):
        number = await here(interaction)
        ended = await interaction.client.tables.links.withdraw(number, await asker_of(interaction, number))
        await edit(interaction, say("Links withdrawn: {ended}.", ended))


@board_group.command(name="words", description="The board in words, hex by hex, for screen readers")
async def board_words(interaction: Interaction) -> None:
    """A text-only board."""
    async with answering(interaction):
        _, game = await position(interaction)
        text = "\n".join(
            [position_text.status_text(game), "", position_text.market_text(game), "", position_text.map_text(game)]
        )
        await say_or_send(interaction, text, "board.txt")
