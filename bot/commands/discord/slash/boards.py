"""The board page: links to it, and the board in words for people who do without."""

from __future__ import annotations

from discord import app_commands

from bot.commands.discord.interactions.boards import authenticator, show_key, show_link
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import asker_of, current_game
from bot.commands.discord.interactions.responses import edit, respond
from bot.i18n import tr
from bot.service.views import position_text

from .info_commands import say_or_send
from .move_commands import position

board_group = app_commands.Group(
    name="board", description="The live board in a browser, and the board in words", guild_only=True
)


@board_group.command(name="link", description="A look link: anyone can watch this game in a browser")
async def board_link(interaction: Interaction) -> None:
    async with respond(interaction, private=False):
        authenticator(interaction)
        await show_link(interaction, await current_game(interaction))


@board_group.command(name="mine", description="Your play link: see and make your moves in a browser")
async def board_mine(interaction: Interaction) -> None:
    async with respond(interaction):
        authenticator(interaction)
        await show_key(interaction, await current_game(interaction))


@board_group.command(name="withdraw", description="End your links to this game; the moderator ends all look links")
async def board_withdraw(interaction: Interaction) -> None:
    async with respond(interaction):
        number = await current_game(interaction)
        ended = await interaction.client.tables.links.withdraw(number, await asker_of(interaction, number))
        await edit(interaction, tr("Links withdrawn: {ended}.", ended))


@board_group.command(name="words", description="The board in words, hex by hex, for screen readers")
async def board_words(interaction: Interaction) -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        text = "\n".join(
            [position_text.status_text(game), "", position_text.market_text(game), "", position_text.map_text(game)]
        )
        await say_or_send(interaction, text, "board.txt")
