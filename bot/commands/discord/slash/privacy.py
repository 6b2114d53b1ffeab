"""The questions that people may ask about themselves."""

from __future__ import annotations

from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.responses import edit, person_of, respond
from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.render.painting.picture import Picture

privacy_group = app_commands.Group(name="privacy", description="What is stored about you, and how to be erased")


@privacy_group.command(name="export", description="Everything stored about you, as a file only for you")
async def export(interaction: Interaction) -> None:
    async with respond(interaction):
        data = await interaction.client.tables.privacy.personal_data(person_of(interaction.user))
        await edit(
            interaction,
            tr(
                "This is everything stored about you; Discord stores the messages in Discord. {promise}",
                interaction.client.tables.privacy.promise,
            ),
            [Picture("my-data.json", data, "What is stored about you, as JSON")],
        )


@privacy_group.command(name="erase", description="Be erased: your seats become free, your name is removed")
@app_commands.describe(confirm="Type: forget me")
async def erase(interaction: Interaction, confirm: str) -> None:
    async with respond(interaction):
        if confirm.strip().casefold() != "forget me":
            raise IllegalMove(
                "This cannot be undone. {promise} If you mean it: /privacy erase confirm: forget me",
                "",
                interaction.client.tables.privacy.promise,
            )
        games = await interaction.client.tables.privacy.forget_person(person_of(interaction.user))
        await edit(
            interaction,
            tr(
                "You are erased, in {games} game(s). {promise} You can delete your messages in Discord yourself.",
                games,
                interaction.client.tables.privacy.promise,
            ),
        )
