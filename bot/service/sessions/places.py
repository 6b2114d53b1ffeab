"""The places of games: one place for one game, and the game that somebody means who speaks there."""

from __future__ import annotations

from bot.engine import NOBODY, GameId, IllegalMove, Message, PersonId, msg
from bot.store import NO_THREAD_YET, SERVER_GONE, GameStatus, Notice, NoticeKind, Place, PlaceTaken

from .rights import Actor, check_right
from .session_manager import SessionManager

UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


class Places:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def place(self, game_id: GameId) -> Place | None:
        return await self.desk.store.games.place(game_id)

    async def place_with_thread(self, game_id: GameId) -> Place | None:
        """The place of a game that begins; if it has no thread, one is still to be opened there. None: it has none."""
        place = await self.place(game_id)
        if place is not None and not place.thread:
            place.trouble = NO_THREAD_YET
        return place

    async def set_place(self, place: Place) -> None:
        """Remember where a game is played.

        :raises PlaceTaken: another game is played there.
        """
        await self.desk.store.games.set_place(place)

    async def leave_server(self, guild: str) -> int:
        """Let the games of a server go on by direct messages, since the bot is not in it any more; everybody at their tables hears of
        it. Returns how many there are.
        """
        gone = [one for one in await self.desk.store.games.places_in(guild) if one.trouble != SERVER_GONE]
        for place in gone:
            line = msg(
                "I am no longer in the server where this game was played. The game goes on by direct messages, by mail and on its board page. To play it in another server, its moderator types there: /moderate here game:{game}",
                place.game,
            )
            await self._change_door(place, SERVER_GONE, line)
        return len(gone)

    async def return_to_server(self, guild: str) -> None:
        """Let the games of a server that the bot had left go on in their channels."""
        for place in await self.desk.store.games.places_in(guild):
            if place.trouble == SERVER_GONE:
                await self._change_door(
                    place, None, msg("I am back in the server of this game; it goes on in its channel.")
                )

    async def _change_door(self, place: Place, trouble: str | None, line: Message) -> None:
        record = await self.desk.store.games.find(place.game)
        if record is None:
            return
        now, version = self.desk.now(), record.version
        notices = [Notice(place.game, version, NoticeKind.TOLD, [line], now)]
        if record.status != GameStatus.LOBBY:
            # The player in turn is asked once more, where they read it now.
            notices.append(Notice(place.game, version, NoticeKind.BOARD, [], now))
        await self.desk.store.games.change_door(place, trouble, notices)
        await self.desk.notify(place.game)

    async def places_under_way(self) -> list[Place]:
        """Ordered by the games' numbers."""
        return await self.desk.store.games.places_under_way()

    async def count_games_in(self, guild: str) -> int:
        """Games that are not over."""
        return await self.desk.store.games.count_in(guild)

    async def game_in_thread(self, thread: str) -> GameId | None:
        for game in await self.desk.store.games.list_at(thread):
            place = await self.desk.store.games.place(game.id)
            if place is not None and place.thread == thread:
                return game.id
        return None

    async def game_at(self, spot: str, person: PersonId = NOBODY) -> GameId | None:
        """The game meant in a thread or channel: the game under way there; in a channel, the only game (or the only
        one of this person) in its threads; else a lobby, else the last game played there. None: there is none.

        :raises IllegalMove: it could be several.
        """
        here = await self.desk.store.games.list_at(spot)
        playing = min((game.id for game in here if game.status in UNDER_WAY), default=None)
        if playing is not None:
            return playing
        below = await self.desk.store.games.places_below(spot)
        own = {game.id for game in await self.desk.store.games.list_of(person)} if len(below) > 1 and person else set()
        meant = [place for place in below if place.game in own] or below
        if len(meant) == 1:
            return meant[0].game
        if meant:
            threads = ", ".join(f"<#{place.spot}>" for place in meant[:10])
            raise IllegalMove(
                "Several games are played in threads of this channel; go to your game's thread: {threads}.", "", threads
            )
        return here[0].id if here else None

    async def lobby_at(self, spot: str) -> GameId:
        """The lobby that is open in a channel.

        :raises IllegalMove: there is none, or several.
        """
        found = [game.id for game in await self.desk.store.games.list_at(spot) if game.status == GameStatus.LOBBY]
        if not found:
            raise IllegalMove("No lobby is open in this channel. Open one with /game new.")
        if len(found) > 1:
            numbers = ", ".join(map(str, sorted(found)))
            raise IllegalMove("Several lobbies are open here: {numbers}. Say which game.", "", numbers)
        return found[0]

    async def check_free(self, place: Place) -> None:
        """Refuse a place where another game is under way, before anything is prepared for it there.

        :raises IllegalMove: with that game.
        """
        here = [game.id for game in await self.desk.store.games.list_at(place.spot) if game.status in UNDER_WAY]
        if any(game != place.game for game in here):
            raise IllegalMove("{reason}", "", PlaceTaken(here[0]).said)

    async def move_place(self, asker: Actor, place: Place, newcomer: Actor) -> None:
        """Move a game to another place. `asker` is the person at the old place, `newcomer` the same person at the new
        place: they must be allowed to write there (`is_there`), and in another server to manage threads. The old
        place gets a notice.

        :raises IllegalMove: a right is missing at one of the two, or another game is under way at the new place.
        """
        async with self.desk.lock(place.game), self.desk.post_lock(place.game):
            table = await self.desk.table(place.game)
            who = self.desk.check(table, asker, "place")
            old = await self.desk.store.games.place(place.game)
            if old is not None and old.spot == place.spot:
                raise IllegalMove("Game {game} is already being played here.", "", place.game)
            if not newcomer.is_there:
                raise IllegalMove("You may not write here, so you cannot move a game here.")
            if (old is None or old.guild != place.guild) and not newcomer.manages:
                raise IllegalMove("To move a game to another server, you need the right to manage threads there.")
            await self.check_free(place)
            await self._check_successor(place, newcomer)
            notices: list[Notice] = []
            if old is not None and old.guild:
                template = "{name} moves game {game} to another channel: {link}"
                told = msg(template, table.name_of(who), place.game, link(place, old))
                lines: list[Message | str] = [old.guild, old.channel, old.thread or "", told]
                notices.append(Notice(place.game, table.record.version, NoticeKind.MOVED, lines, self.desk.now()))
            if table.game is not None:
                notices.append(Notice(place.game, table.record.version, NoticeKind.BOARD, [], self.desk.now()))
            try:
                await self.desk.store.games.set_place(place, notices)
            except PlaceTaken as taken:
                raise IllegalMove("{reason}", "", taken.said) from taken

    async def _check_successor(self, place: Place, newcomer: Actor) -> None:
        """Refuse to hide a game that was played there, if the newcomer has no rights over it.

        :raises IllegalMove: that is so.
        """
        for other in await self.desk.store.games.list_at(place.spot):
            if other.id != place.game and other.status != GameStatus.LOBBY:
                check_right(other, await self.desk.store.games.seats(other.id), newcomer, "succeed")


def link(place: Place, seen_from: Place) -> str:
    """The name of a place as seen from another: a mention works only in its own server."""
    if place.guild == seen_from.guild:
        return f"<#{place.spot}>"
    return f"https://discord.com/channels/{place.guild}/{place.spot}"
