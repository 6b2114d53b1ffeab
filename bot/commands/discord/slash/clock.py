"""Reminders, quiet hours, holidays, and how long turns take."""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import app_commands

from bot.commands.discord.interactions import completion
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import current_game
from bot.commands.discord.interactions.responses import edit, escape, person_of, respond
from bot.engine import GameId
from bot.i18n import tr

from . import lobby

clock_group = app_commands.Group(
    name="clock", description="Reminders, quiet hours, holidays, turn times", guild_only=True
)


class SnoozeButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"sn:(?P<game>\d{1,9})"):
    """Delays the next reminder by a day."""

    def __init__(self, game_id: GameId) -> None:
        self.game = game_id
        button = discord.ui.Button[Any](
            label=tr("Remind me tomorrow"), style=discord.ButtonStyle.secondary, custom_id=f"sn:{game_id}"
        )
        super().__init__(button)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> SnoozeButton:
        return cls(GameId(int(match["game"])))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction):
            await snooze_game(interaction, self.game, 24)


async def snooze_game(interaction: Interaction, game_id: GameId, hours: int) -> None:
    until = await interaction.client.tables.reminders.snooze(game_id, person_of(interaction.user), hours)
    await edit(
        interaction, tr("You will get no reminders of this game before {until}.", discord.utils.format_dt(until))
    )


@clock_group.command(name="snooze", description="No reminders of this game for some hours")
@app_commands.describe(hours="For how many hours")
async def snooze(interaction: Interaction, hours: app_commands.Range[int, 1, 336] = 24) -> None:
    async with respond(interaction):
        await snooze_game(interaction, await current_game(interaction), hours)


@clock_group.command(name="mute", description="Turn reminders of this game off, or on again")
@app_commands.describe(muted="Reminders off, or on again")
async def mute(interaction: Interaction, muted: bool = True) -> None:
    async with respond(interaction):
        await interaction.client.tables.reminders.mute(
            await current_game(interaction), person_of(interaction.user), muted
        )
        await edit(interaction, "No more reminders of this game." if muted else "You will get reminders again.")


@clock_group.command(name="away", description="On holiday: no reminders in any game for some days (0: back again)")
@app_commands.describe(days="For how many days; 0 when you are back")
async def away(interaction: Interaction, days: app_commands.Range[int, 0, 60]) -> None:
    async with respond(interaction):
        until = await interaction.client.tables.reminders.set_holiday(person_of(interaction.user), days)
        text = (
            tr("Away until {until}; your tables can see it.", discord.utils.format_dt(until))
            if until
            else "Welcome back."
        )
        await edit(interaction, text)


@clock_group.command(name="quiet", description="Hours without reminders, in all your games")
@app_commands.describe(
    zone="Your time zone, e.g. Europe/Berlin", begin="First quiet hour, 0-23", end="First waking hour, 0-23"
)
async def quiet(
    interaction: Interaction,
    zone: app_commands.Range[str, 1, 64],
    begin: app_commands.Range[int, 0, 23],
    end: app_commands.Range[int, 0, 23],
) -> None:
    """Quiet hours in all games."""
    async with respond(interaction):
        games = await interaction.client.tables.reminders.set_default_quiet_hours(
            person_of(interaction.user), zone, begin, end
        )
        await edit(
            interaction,
            tr(
                "You will get no reminders from {begin}:00 to {end}:00 ({zone}), in {games} game(s) and in new games.",
                begin,
                end,
                zone,
                games,
            ),
        )


@clock_group.command(name="times", description="How long each player takes for a turn")
async def times(interaction: Interaction) -> None:
    async with respond(interaction):
        found = await interaction.client.tables.queries.turn_times(await current_game(interaction))
        lines = [
            tr(
                "{name}: {turns} turns, usually {median}, at most {longest}",
                escape(one.name),
                one.turns,
                hours(one.median),
                hours(one.longest),
            )
            for one in sorted(found, key=lambda one: one.median)
        ]
        await edit(interaction, "\n".join(lines) or "Nobody has moved yet.")


def hours(number: float) -> str:
    if number < 1:
        return tr("{number} min", f"{number * 60:.0f}")
    return f"{number:.0f} h" if number < 48 else tr("{number} days", f"{number / 24:.1f}")


_command: app_commands.Command[Any, ..., Any]
for _command in (quiet, lobby.quiet):
    _command.autocomplete("zone")(completion.zones)
