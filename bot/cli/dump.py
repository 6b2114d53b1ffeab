"""`signalbox dump`: the moves and totals of games that have ended here, without persons, for people who study them."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, nullcontext

import msgspec

from bot.engine import Rejected
from bot.engine.games.game_record import GameRecordFile
from bot.ops.lifecycle import open_tables
from bot.ops.privileges import as_owner
from bot.service.game_service import GameService
from bot.service.imports.file_io import encode_game_file
from bot.service.sessions import GameSession, is_computer
from bot.store import GameStatus, StoreDamaged
from bot.titles.registry import TITLES
from bot.untrusted_input import InvalidFile

from .main import data_folder, present_database


def dump(arguments: argparse.Namespace) -> int:
    """Exit 1 if a game could not be read; the others are written all the same."""
    if arguments.title and arguments.title not in TITLES:
        raise InvalidFile(f"there is no title {arguments.title}; there are: {', '.join(TITLES)}")
    with as_owner(data_folder()):
        return asyncio.run(_dump(arguments))


async def _dump(arguments: argparse.Namespace) -> int:
    number = 0
    damaged: list[int] = []
    async with open_tables(present_database()) as tables:
        with arguments.out.open("wb") if arguments.out else nullcontext(sys.stdout.buffer) as out:
            async with aclosing(finished_games(tables, arguments.title, damaged)) as games:
                async for course in games:
                    out.write(msgspec.json.format(encode_game_file(course), indent=0) + b"\n")
                    number += 1
    for game_id in damaged:
        print(f"signalbox: game {game_id} cannot be read and was left out; see signalbox doctor", file=sys.stderr)
    print(f"{number} games", file=sys.stderr)
    return 1 if damaged else 0


async def finished_games(tables: GameService, title: str, damaged: list[int]) -> AsyncGenerator[GameRecordFile, None]:
    """Every game that was played to its end, one at a time, without its people; those that cannot be read are `damaged`."""
    for record in await tables.desk.store.games.list_all(GameStatus.FINISHED):
        if title not in ("", record.title):
            continue
        try:
            table, game = await tables.desk.require_started(record.id)
            course = await tables.queries.game_file(record.id)
        except (Rejected, StoreDamaged):
            damaged.append(record.id)
            continue
        if game.state.finished:
            yield without_people(table, course)


def without_people(table: GameSession, course: GameRecordFile) -> GameRecordFile:
    """The game with `Player 1` or `Computer 2 (strong)` in place of names; moves name nobody but seats."""
    names = {}
    for held, name in zip(table.seats, course.players, strict=True):
        strength = held.person.partition(":")[2]
        names[name] = f"Computer {held.number} ({strength})" if is_computer(held.person) else f"Player {held.number}"
    result = {names[name]: total for name, total in course.result.items()}
    return msgspec.structs.replace(course, players=tuple(names[name] for name in course.players), result=result)
