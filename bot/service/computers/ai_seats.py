"""Computer players take their turns: thought out in a helper process while the table is free, saved a stretch at a time.

Their moves are automatic ones, as those of standing orders: whoever takes back the move before takes them along.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TypeVar

from bot.ai.title_parameters import STRENGTHS
from bot.engine.ids import PlayerId, is_player, seat
from bot.engine.message import Message, joined, said, verbatim
from bot.engine.notation.text import action_of, text_of
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Answer, BuyShares, SellShares
from bot.process_pool import end, helpers, run
from bot.service.features.moves import Moves, check_sound
from bot.service.sessions.computer_seats import computer, is_computer, mover
from bot.service.sessions.session_manager import GameSession, SessionManager, log
from bot.service.views.apply_and_narrate import made
from bot.store import MoveRecord

from .ai_request import ThinkRequest

NICENESS = 5
"""People's moves come first."""

LONGEST = 120.0
"""Seconds after which a stretch is given up; the next move of anybody begins it again."""

REMEMBERED = 60
"""So many records back it is remembered what was refused, and told why something was done."""

ADVISER = "strong"
"""Who gives advice."""

Found = TypeVar("Found")


class AiSeats:
    """Whoever waits for a computer player waits for `settled`; without a helper process (`begin`) a thread thinks."""

    def __init__(self, desk: SessionManager, play: Moves) -> None:
        self.desk, self.play = desk, play
        self._pool: ProcessPoolExecutor | None = None
        self._working: dict[int, asyncio.Task[None]] = {}
        desk.listeners.append(self.listen)

    def begin(self) -> None:
        """Think in a process from now on."""
        self._pool = helpers(niceness=NICENESS)

    def close(self) -> None:
        """End what is under way."""
        for task in self._working.values():
            task.cancel()
        if self._pool is not None:
            end(self._pool)
            self._pool = None

    async def listen(self, game: int, saved: GameSession | None = None) -> None:
        """Somebody has moved: a computer player may be asked now."""
        is_for_people = saved is not None and not awaited(saved)
        if game in self._working or is_for_people or not await self.desk.is_ours(game):
            return
        if awaited(await self.desk.table(game)):
            task = self._working[game] = asyncio.create_task(
                self._play_on(game), name=f"computer players of game {game}"
            )
            task.add_done_callback(lambda done: self._working.pop(game, None))

    async def wake(self) -> None:
        """After a start: play on wherever a computer player is asked."""
        for strength in STRENGTHS:
            for record in await self.desk.store.games_of(computer(strength)):
                try:
                    await self.listen(record.id)
                except Exception:
                    # One game that cannot be opened keeps no computer player from another.
                    log.exception("computer players cannot go on", extra={"game": record.id})

    def is_at_work(self, game: int) -> bool:
        """Whether a computer player of the game is thinking."""
        return game in self._working

    async def settled(self, game: int) -> None:
        """Until no computer player of the game is asked, or none can move."""
        if (task := self._working.get(game)) is not None:
            await asyncio.wait({task})

    async def _play_on(self, game: int) -> None:
        try:
            while await self._stretch(game):
                pass
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("a computer player's process was given up: %s", type(error).__name__, extra={"game": game})
            if self._pool is not None:
                end(self._pool)
                self.begin()
        except Exception:
            log.exception("a computer player could not move", extra={"game": game})

    async def _stretch(self, game: int) -> bool:
        """One stretch; whether there may be more to do."""
        table, current = await self.desk.begun(game)
        if not awaited(table):
            return False
        from .ai_process import stretch

        strengths = {seat(held.number): strength_of(mover(held)) for held in table.seats if mover(held)}
        moves = await self._think(stretch, await self._thought(table, current, strengths))
        async with self.desk.lock(game):
            now, current = await self.desk.begun(game)
            if now.record.version != table.record.version or now.record.status != "running":
                return True
            await self.play.save_moves(now, current, partial(self._made, now, current, moves))
        await self.desk.tell(game)
        return True

    async def _think(self, function: Callable[[ThinkRequest], Found], thought: ThinkRequest) -> Found:
        if self._pool is None:
            return await asyncio.to_thread(function, thought)
        from .ai_process import in_time

        return await run(self._pool, in_time, function, thought, seconds=LONGEST)

    async def _thought(self, table: GameSession, current: Game, strengths: dict[PlayerId, str]) -> ThinkRequest:
        record = table.record
        ruled_out = await self._ruled_out(table, current) if strengths else {}
        return ThinkRequest(record.title, record.rules, current.encode(), strengths, record.id, ruled_out)

    async def _ruled_out(self, table: GameSession, current: Game) -> dict[PlayerId, tuple[str, ...]]:
        """What has been proposed and refused lately, by the proposers' seats, and sales of what each has bought since a
        company moved last: that is since the stock round began."""
        line = await self.desk.store.line(table.record.id, table.record.version, REMEMBERED)
        refused, bought = defaultdict[PlayerId, list[str]](list), defaultdict[PlayerId, list[str]](list)
        proposal: MoveRecord | None = None
        for move in reversed(line):
            action = action_of(current.title, move.text) if move.kind == "move" else None
            if isinstance(action, Answer):
                if not action.agree and proposal is not None and proposal.seat:
                    refused[seat(proposal.seat)].append(proposal.text)
            elif action is not None:
                proposal = move
                if not is_player(action.by):
                    bought.clear()
                elif isinstance(action, BuyShares):
                    sale = SellShares(action.by, action.company, action.shares)
                    bought[PlayerId(action.by)].append(text_of(sale))
        return {player: (*refused[player], *bought[player]) for player in {*refused, *bought}}

    def _made(
        self, table: GameSession, current: Game, moves: Sequence[tuple[str, Message | None]]
    ) -> tuple[Game, list[MoveRecord]]:
        records: list[MoveRecord] = []
        after, now = current.copy(), self.desk.now()
        # The helper has searched for these runs; they are not searched for again.
        after.is_redoing = True
        for text, reason in moves:
            action = action_of(after.title, text)
            player = after.decider(action.by)
            held = next(held for held in table.seats if seat(held.number) == player)
            lines = [*made(after, action), *([joined("", ["(", reason, ")"])] if reason is not None else [])]
            check_sound(after, action, table.record.id)
            number = table.record.version + len(records) + 1
            records.append(
                MoveRecord(
                    table.record.id, number, number - 1, "move", mover(held), text, lines, now, held.number, True
                )
            )
        after.is_redoing = False
        return after, records

    # -- explaining ---------------------------------------------------------------------------------

    async def advise(self, game: int, person: str) -> str:
        """What a strong player would do in the seat that is asked, and why; only where nobody but this person plays.

        :raises IllegalMove: others play too, or he is not asked.
        """
        table, current = await self.desk.begun(game)
        self.desk.check(table, person, "advice")
        if any(held.person not in ("", person) and not is_computer(held.person) for held in table.seats):
            raise IllegalMove("Advice is only available in games of one person against computer players.")
        player = next((player for player in current.asked() if player in table.seats_of(person)), None)
        if player is None:
            raise IllegalMove("It is not your turn.")
        from .ai_process import advice

        text, reason = await self._think(advice, await self._thought(table, current, {player: ADVISER}))
        move = verbatim(text.split(" ", 1)[1] if text.startswith("@") else text)
        return " ".join(table.told([said("{move}.", move), *([reason] if reason is not None else [])]))

    async def why(self, game: int) -> list[str]:
        """What computer players have done lately, with their reasons.

        :raises IllegalMove: the game has not begun.
        """
        table, _ = await self.desk.begun(game)
        line = await self.desk.store.line(game, table.record.version, REMEMBERED)
        return [*table.told(one for move in reversed(line) if is_computer(move.person) for one in move.lines)]


def awaited(table: GameSession) -> bool:
    """Whether the table waits for a computer player."""
    if table.record.status != "running" or table.game is None:
        return False
    asked = table.game.asked()
    return any(mover(held) and seat(held.number) in asked for held in table.seats)


def strength_of(person: str) -> str:
    """The strength in a computer player's person."""
    return person.partition(":")[2]
