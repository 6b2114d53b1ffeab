"""Languages in Discord: which one somebody reads, and what the client shows of our commands."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import asker_of, current_game
from bot.commands.discord.interactions.responses import edit, person_of, respond
from bot.i18n import ENGLISH, LANGUAGES, language_of, set_reader_language, tr, use_language

LONGEST_DESCRIPTION = 100
AS_SET = "discord"
"""Means the language that Discord is set to."""

CHOICES = [app_commands.Choice(name=name, value=code) for code, name in LANGUAGES.items()]

language_group = app_commands.Group(name="language", description="The language I use: Sprache")


@language_group.command(name="mine", description="The language I use with you, in every game")
@app_commands.describe(language="Which language")
@app_commands.choices(language=[*CHOICES, app_commands.Choice(name="same as Discord", value=AS_SET)])
async def set_own_language(interaction: Interaction, language: str) -> None:
    async with respond(interaction):
        chosen = "" if language == AS_SET else language
        await interaction.client.tables.languages.set_language(person_of(interaction.user), chosen)
        set_reader_language(chosen or str(interaction.locale))
        await edit(interaction, "I will use English with you.")


@language_group.command(name="game", description="The language of this game's posts (for its moderator)")
@app_commands.describe(language="Which language")
@app_commands.choices(language=CHOICES)
@app_commands.guild_only()
async def game(interaction: Interaction, language: str) -> None:
    async with respond(interaction):
        number = await current_game(interaction)
        await interaction.client.tables.languages.set_game_language(
            number, await asker_of(interaction, number), language
        )
        with use_language(language):
            text = tr("This game's posts are in English from now on.")
        await edit(interaction, text)


class Descriptions(app_commands.Translator):
    """Translations of our commands' descriptions, shown to users by the language of their Discord."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """A description or the name of a choice; commands and their parameters have the same names everywhere."""
        places = app_commands.TranslationContextLocation
        language = language_of(str(locale))
        if language == ENGLISH or context.location in (
            places.command_name,
            places.group_name,
            places.parameter_name,
        ):
            return None
        with use_language(language):
            template = string.extras.get("said", string.message)
            said = tr(template)
        return said if said != string.message and len(said) <= LONGEST_DESCRIPTION else None
