"""In which language somebody is spoken to, and in which a game's posts are written."""

from __future__ import annotations

import msgspec

from bot.engine import GameId, IllegalMove, PersonId
from bot.i18n import LANGUAGES
from bot.service.sessions import Actor, SessionManager


class Languages:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def chosen_language(self, person: PersonId) -> str:
        """Empty if the person has not chosen any."""
        return (await self.desk.store.people.find(person)).language

    async def set_language(self, person: PersonId, language: str) -> None:
        """Set a person's language; empty: as their program is set.

        :raises IllegalMove: there is no such language.
        """
        check_language(language)
        await self.desk.store.people.save(
            msgspec.structs.replace(await self.desk.store.people.find(person), language=language)
        )

    async def set_game_language(self, game_id: GameId, asker: Actor | PersonId, language: str) -> None:
        """Write a game's posts in that language from now on.

        :raises IllegalMove: not the moderator, or there is no such language.
        """
        check_language(language)
        async with self.desk.lock(game_id):
            self.desk.check(await self.desk.table(game_id), asker, "language")
            await self.desk.store.games.change(game_id, language=language)


def check_language(language: str) -> None:
    """Refuse a language that the program does not speak.

    :raises IllegalMove: with those that it does.
    """
    if language and language not in LANGUAGES:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise IllegalMove("The language {language} is not available; choose from: {known}.", "", language, known)
