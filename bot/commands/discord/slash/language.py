"""Languages in Discord: which one somebody reads, and what the client shows of our commands."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import asker_of, here
from bot.commands.discord.interactions.responses import answering, edit, person_of
from bot.i18n import ENGLISH, LANGUAGES, language_of, say, speak, speaking

LONGEST_DESCRIPTION = 100
AS_SET = "discord"
"""Chosen by whoever wants the language that Discord is set to."""

CHOICES = [app_commands.Choice(name=name, value=code) for code, name in LANGUAGES.items()]

language_group = app_commands.Group(name="language", description="The language I use: Sprache")


@language_group.command(name="mine", description="The language I use with you, in every game")
@app_commands.describe(language="Which language")
@app_commands.choices(language=[*CHOICES, app_commands.Choice(name="same as Discord", value=AS_SET)])
async def mine(interaction: Interaction, language: str) -> None:
    """A person's language."""
    async with answering(interaction):
        chosen = "" if language == AS_SET else language
        await interaction.client.tables.languages.set_language(person_of(interaction.user), chosen)
        speak(chosen or str(interaction.locale))
        await edit(interaction, "I will use English with you.")


@language_group.command(name="game", description="The language of this game's posts (for its moderator)")
@app_commands.describe(language="Which language")
@app_commands.choices(language=CHOICES)
@app_commands.guild_only()
async def game(interaction: Interaction, language: str) -> None:
    """A game's language."""
    async with answering(interaction):
        number = await here(interaction)
        await interaction.client.tables.languages.set_game_language(
            number, await asker_of(interaction, number), language
        )
        with speaking(language):
            text = say("This game's posts are in English from now on.")
        await edit(interaction, text)


class Descriptions(app_commands.Translator):
    """What Discord shows of our commands to people who use it in one of our languages."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """A description or the name of a choice; commands and their parameters are called the same everywhere."""
        places = app_commands.TranslationContextLocation
        language = language_of(str(locale))
        if language == ENGLISH or context.location in (
            places.command_name,
            places.group_name,
            places.parameter_name,
        ):
            return None
        with speaking(language):
            template = string.extras.get("said", string.message)
            said = say(template)
        return said if said != string.message and len(said) <= LONGEST_DESCRIPTION else None
