"""In which language somebody is spoken to, and in which a game's posts are written."""

from __future__ import annotations

import msgspec

from bot.engine.refusals import NotAllowed
from bot.language import LANGUAGES
from bot.tables.desk.desk import Desk
from bot.tables.desk.rights import Asker


class Languages:
    """Choosing them."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def chosen_by(self, person: str) -> str:
        """The language that a person has chosen; empty where he has not."""
        return (await self.desk.store.person(person)).language

    async def set_language(self, person: str, language: str) -> None:
        """Speak to a person in that language from now on; empty: as his program is set.

        :raises NotAllowed: there is no such language.
        """
        check_language(language)
        await self.desk.store.set_person(
            msgspec.structs.replace(await self.desk.store.person(person), language=language)
        )

    async def set_game_language(self, game: int, asker: Asker | str, language: str) -> None:
        """Write a game's posts in that language from now on.

        :raises NotAllowed: not the moderator, or there is no such language.
        """
        check_language(language)
        async with self.desk.lock(game):
            self.desk.check(await self.desk.table(game), asker, "language")
            await self.desk.store.set_game(game, language=language)


def check_language(language: str) -> None:
    """Refuse a language that the program does not speak.

    :raises NotAllowed: with those that it does.
    """
    if language and language not in LANGUAGES:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise NotAllowed("There is no language {language}; there are: {known}.", "", language, known)
