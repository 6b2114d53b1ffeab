"""The display of our commands in Discord's client, in its language."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.i18n import ENGLISH, language_of, tr, use_language

LONGEST_DESCRIPTION = 100


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
