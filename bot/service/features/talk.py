"""Messages of people at a table to all others there."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import GameId, IllegalMove, Message, PersonId, literal, msg
from bot.i18n import tr_lines
from bot.service.sessions import Actor, SessionManager, display_name
from bot.store import Notice, NoticeKind, TalkRecord

LONGEST_TALK = 500
MOST_AN_HOUR, HOUR = 20, 3600.0


class Talk:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def say(self, game_id: GameId, asker: Actor | PersonId, text: str) -> Message:
        """Tell everybody at a table something; returns the sentence that they read.

        :raises IllegalMove: they have no part in the game, the text is empty or too long, or they write too much.
        """
        table = await self.desk.table(game_id)
        who = self.desk.check(table, asker, "talk")
        await self.desk.check_ban(who.person)
        plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
        if not plain or len(plain) > LONGEST_TALK:
            raise IllegalMove("A message has 1 to {most} characters.", "", LONGEST_TALK)
        now = self.desk.now()
        if await self.desk.store.talk.count_since(who.person, now - HOUR) >= MOST_AN_HOUR:
            raise IllegalMove("You can write {most} messages in an hour.", "", MOST_AN_HOUR)
        said = msg("{name}: {text}", display_name(table.record, table.seats, who), literal(plain))
        notice = Notice(game_id, table.record.version, NoticeKind.TOLD, [said], now)
        await self.desk.store.talk.add(TalkRecord(game_id, who.person, [said], now), notice)
        await self.desk.notify(game_id)
        return said

    async def latest(self, game_id: GameId, asker: Actor | PersonId, most: int) -> Sequence[str]:
        """The latest messages at a table, oldest first, in the reader's language.

        :raises IllegalMove: they may not look at it.
        """
        table = await self.desk.table(game_id)
        self.desk.check(table, asker, "look")
        records = await self.desk.store.talk.list_of(game_id, most)
        said = [line for record in records for line in record.lines if isinstance(line, Message)]
        return tr_lines(said, table.names)

    async def has_said(self, game_id: GameId, person: PersonId, text: str, since: float) -> bool:
        """Whether somebody has said that since then."""
        return any(
            isinstance(line, Message) and line.values[-1:] == (literal(text),)
            for record in await self.desk.store.talk.list_of(game_id, MOST_AN_HOUR)
            if record.person == person and record.made_at >= since
            for line in record.lines[:1]
        )
