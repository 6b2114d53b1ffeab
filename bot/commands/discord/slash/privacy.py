"""What a person may ask about himself."""

from __future__ import annotations

from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.responses import answering, edit, person_of
from bot.engine.refusals import IllegalMove
from bot.i18n import say
from bot.render.painting.picture import Picture

privacy_group = app_commands.Group(name="privacy", description="What is kept about you, and how to be forgotten")


@privacy_group.command(name="export", description="Everything that is kept about you, as a file for you alone")
async def export(interaction: Interaction) -> None:
    """One's own data."""
    async with answering(interaction):
        data = await interaction.client.tables.privacy.personal_data(person_of(interaction.user))
        await edit(
            interaction,
            say(
                "This is all that is kept about you; messages in Discord are kept by Discord. {promise}",
                interaction.client.tables.privacy.promise,
            ),
            [Picture("my-data.json", data, "What is kept about you, as JSON")],
        )


@privacy_group.command(name="erase", description="Be forgotten: your seats become free, your name is taken out")
@app_commands.describe(confirm="Type: forget me")
async def erase(interaction: Interaction, confirm: str) -> None:
    """Erase one's own data."""
    async with answering(interaction):
        if confirm.strip().casefold() != "forget me":
            raise IllegalMove(
                "This cannot be undone. {promise} If you mean it: /privacy erase confirm: forget me",
                "",
                interaction.client.tables.privacy.promise,
            )
        games = await interaction.client.tables.privacy.forget_person(person_of(interaction.user))
        await edit(
            interaction,
            say(
                "You are forgotten, in {games} game(s). {promise} Messages in Discord are yours to delete.",
                games,
                interaction.client.tables.privacy.promise,
            ),
        )
