"""The data kept about one person: shown, and taken out without hurting the games in which they played."""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from sqlalchemy import String, cast, delete, exists, func, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import ERASED, SEAT, GameId, Message, PersonId, SeatNumber

from .backends.sqlalchemy_async import AsyncConnection
from .bans import digest_of_person
from .errors import StoreDamaged
from .follows import drop_followers
from .kinds import EntryKind, MoveKind, NoticeKind
from .mail import IS_BEGUN, forget_asked
from .moves import decompress_state
from .repository import Repository
from .results import drop_results
from .rows import NOT_READ
from .schema import (
    bans,
    blocks,
    calls,
    departures,
    draws,
    entrants,
    failures,
    follows,
    games,
    ledger,
    links,
    mails,
    moves,
    notes,
    openings,
    orders,
    outbox,
    people,
    questions,
    sandboxes,
    seasons,
    seats,
    snapshots,
    standings,
    talk,
    volunteers,
    wishes,
)
from .seals import rewrite

DELETED = Message("A message was deleted.")


class PrivacyRepository(Repository):
    async def data_of(self, person: PersonId) -> dict[str, list[dict[str, Any]]]:
        own_seats = select(seats.c.game, seats.c.number).where(seats.c.person == person).subquery()
        is_own_seat = (orders.c.game == own_seats.c.game) & (orders.c.seat == own_seats.c.number)
        queries = {
            "people": select(people).where(people.c.person == person),
            "seats": select(seats).where(seats.c.person == person),
            "sits in for": select(seats.c.game, seats.c.number, seats.c.sitter, seats.c.sitter_until).where(
                seats.c.sitter == person
            ),
            "games moderated": select(games).where(games.c.moderator == person),
            "moves": select(moves).where(moves.c.person == person).order_by(moves.c.game, moves.c.number),
            "told of without a seat": select(moves).where(
                moves.c.lines.contains(guest_prefix(person), autoescape=True)
            ),
            "plans": select(orders).join(own_seats, is_own_seat),
            "time": select(ledger).join(
                own_seats, (ledger.c.game == own_seats.c.game) & (ledger.c.seat == own_seats.c.number)
            ),
            "sandboxes": select(sandboxes).where(sandboxes.c.person == person),
            "links to boards": select(links).where(links.c.person == person),
            "notes": select(notes).where(notes.c.person == person),
            "results": select(standings).join(
                own_seats, (standings.c.game == own_seats.c.game) & (standings.c.seat == own_seats.c.number)
            ),
            "games left": select(departures).where(departures.c.person == person),
            "lobbies open to others": select(openings).join(
                games, (games.c.id == openings.c.game) & (games.c.moderator == person)
            ),
            "banned": select(bans).where(bans.c.digest == digest_of_person(person)),
            "follows": select(follows).where(follows.c.person == person),
            "takes over seats": select(volunteers).where(volunteers.c.person == person),
            "seasons organised": select(seasons).where(seasons.c.organiser == person),
            "seasons": select(entrants).where(entrants.c.person == person),
            "tables in seasons": select(draws).where(draws.c.person == person),
            "wishes": select(wishes).where(wishes.c.person == person),
            "kept apart from": select(blocks).where(blocks.c.person == person),
            "talk": select(talk).where(talk.c.person == person),
            "mails": select(mails).where(mails.c.person == person),
            "told of in mails to others": select(mails.c.game, mails.c.made_at, mails.c.lines).where(
                mails.c.person != person, mails.c.lines.contains(guest_prefix(person), autoescape=True)
            ),
            "questions": select(questions).where(questions.c.person == person),
        }
        async with self.database.read_transaction() as connection:
            return {
                name: [dict(row) for row in (await connection.execute(query)).mappings()]
                for name, query in queries.items()
            }

    async def names_of(self, person: PersonId) -> dict[GameId, set[str]]:
        """A person's present and former names, by game: the names of their seats, even of seats that they gave up or
        lost.
        """
        found: dict[GameId, set[str]] = {}
        sitting = select(seats.c.game, seats.c.name).where(seats.c.person == person)
        is_told_of = moves.c.lines.contains(guest_prefix(person), autoescape=True)
        followed = select(moves.c.game, moves.c.lines).where(moves.c.kind == MoveKind.REPLACE, is_told_of)
        async with self.database.read_transaction() as connection:
            for game, name in await connection.execute(sitting):
                found.setdefault(game, set()).add(name)
            for game, lines in await connection.execute(followed):
                guests = [value for value in _guests(lines) if value[1] == person]
                found.setdefault(game, set()).update(name for _, _, name in guests)
            for game, seat, number in await _past_seats(connection, person):
                found.setdefault(game, set()).add(await _name_at(connection, game, seat, number))
        return found

    async def copies_of(self, originals: Collection[GameId]) -> list[tuple[GameId, GameId]]:
        """Games that began as copies of these, or of which these are copies, each with the given game: a clone and an
        export that was imported have the chance of their original."""
        copies = games.alias()
        is_copy = (copies.c.title == games.c.title) & (copies.c.seed == games.c.seed) & (copies.c.id != games.c.id)
        query = select(copies.c.id, games.c.id).join(games, is_copy).where(games.c.id.in_(originals))
        async with self.database.read_transaction() as connection:
            return [(copy, original) for copy, original in (await connection.execute(query)).all()]

    async def begin_erasing(self, person: PersonId, now: float) -> None:
        """Note that a person is being erased: the row goes with them."""
        noted = insert_or_not(people).values(person=person, erasing_at=now)
        await self.database.write(noted.on_conflict_do_update(index_elements=["person"], set_={"erasing_at": now}))

    async def list_erasing(self, before: float) -> list[PersonId]:
        """People whose erasure began before then and has not ended."""
        query = select(people.c.person).where(people.c.erasing_at < before)
        async with self.database.read_transaction() as connection:
            return list((await connection.execute(query)).scalars())

    async def erase(
        self, person: PersonId, renamed: Mapping[GameId, Mapping[str, str]], moderators: Mapping[GameId, PersonId]
    ) -> None:
        """Erase a person: their ids, preferences, address, orders, sandboxes, links, notes and mails are deleted,
        their names are replaced in every record, position and notice of these games. All or nothing; the moves
        stay.
        """
        async with self.database.write_transaction() as connection:
            await self.database.backend.note_erasing(connection)
            # A round that is being drawn, or a table that is being opened, with this person is seen below, or not saved.
            await connection.execute(select(entrants.c.season).where(entrants.c.person == person).with_for_update())
            for game, names in renamed.items():
                await _rename(connection, game, names)
                # Answers that wait to be sent to others may mention this person.
                await connection.execute(update(mails).where(mails.c.game == game).values(lines="[]", attached="[]"))
            await _forget_answers(connection, person, {name for names in renamed.values() for name in names})
            await _forget_waits(connection, person)
            # The figures of their games are computed again without them, and so are the ratings that follow.
            await drop_results(connection, [*renamed])
            await connection.execute(update(seats).where(seats.c.sitter == person).values(sitter="", sitter_until=None))
            await connection.execute(
                update(seats)
                .where(seats.c.person == person)
                .values(person="", zone="UTC", quiet_from=None, quiet_to=None, muted=0, away_until=None)
            )
            for row in (await connection.execute(select(moves).where(moves.c.person == person))).mappings().all():
                await rewrite(connection, moves, row, person=ERASED)
            await connection.execute(update(seasons).where(seasons.c.organiser == person).values(organiser=ERASED))
            own_lobbies = select(games.c.id).where(games.c.moderator == person)
            await connection.execute(delete(openings).where(openings.c.game.in_(own_lobbies)))
            await connection.execute(delete(blocks).where(blocks.c.other == person))
            await drop_followers(connection, person)
            for game, moderator in moderators.items():
                await connection.execute(update(games).where(games.c.id == game).values(moderator=moderator))
            await connection.execute(update(games).where(games.c.moderator == person).values(moderator=ERASED))
            await _forget_address(connection, person)
            own_mails = select(cast(mails.c.id, String)).where(mails.c.person == person)
            await connection.execute(delete(failures).where(failures.c.queue == "mail", failures.c.key.in_(own_mails)))
            await _silence(connection, person)
            own_links = select(links.c.digest).where(links.c.person == person)
            await connection.execute(delete(calls).where(calls.c.link.in_(own_links)))
            for table in (
                *(sandboxes, links, notes, talk, mails, departures),
                *(wishes, blocks, follows, volunteers, entrants, draws, people),
            ):
                await connection.execute(delete(table).where(table.c.person == person))
            retold = {*renamed, *await _forget_guest(connection, person, renamed)}
            await connection.execute(update(games).where(games.c.id.in_(retold)).values(retold=games.c.retold + 1))
            await _replace_everywhere(connection, person)
        self.database.is_unpurged = True
        await self.database.purge()


def guest_prefix(person: PersonId) -> str:
    return f'["guest",{msgspec.json.encode(person).decode()},'


async def _forget_address(connection: AsyncConnection, person: PersonId) -> None:
    """Delete the address of a person where others have named it and nobody has answered, and strangers of whom
    nothing else is known.
    """
    own = (await connection.execute(select(people.c.address).where(people.c.person == person))).scalar_one_or_none()
    if own:
        await forget_asked(connection, (people.c.asked == own) & (people.c.person != person))


async def _forget_answers(connection: AsyncConnection, person: PersonId, names: Collection[str]) -> None:
    """Take answers about no game that mention a person, by a name of theirs in games, seasons or lists of people whom
    others follow, out of the mails to others. Letters that are being obeyed are answered without what was read meanwhile.
    """
    lines = msgspec.json.encode([DELETED]).decode()
    await connection.execute(update(mails).where(IS_BEGUN, mails.c.person != person).values(lines=lines))
    for table, is_theirs in ((entrants, entrants.c.person == person), (follows, follows.c.target == person)):
        names = {*names, *(await connection.execute(select(table.c.name).where(is_theirs))).scalars()}
    written = [msgspec.json.encode(name).decode()[1:-1] for name in names if name]
    words = [re.compile(rf"(?<!\w){re.escape(name)}(?!\w)") for name in written]
    if not words:
        return
    there = (mails.c.game.is_(None), mails.c.person != person, mails.c.lines != "[]")
    for number, said in (await connection.execute(select(mails.c.id, mails.c.lines).where(*there))).all():
        if any(word.search(said) for word in words):
            await connection.execute(update(mails).where(mails.c.id == number).values(lines=lines, attached="[]"))


async def _forget_waits(connection: AsyncConnection, person: PersonId) -> None:
    """Delete when games waited for a person, and their holidays: of every seat that they have, have moved for or have left.
    Time granted to the seats stays for their successors.
    """
    sitting = select(seats.c.game, seats.c.number).where(seats.c.person == person)
    own = {(game, seat) for game, seat in await connection.execute(sitting)}
    own |= {(game, seat) for game, seat, _ in await _past_seats(connection, person)}
    for game, seat in sorted(own):
        theirs = (ledger.c.game == game) & (ledger.c.seat == seat)
        await connection.execute(delete(ledger).where(theirs, ledger.c.kind.in_((EntryKind.WAIT, EntryKind.HOLIDAY))))


async def _silence(connection: AsyncConnection, person: PersonId) -> None:
    """Take what a person has said out of notices."""
    there = exists().where(talk.c.person == person, talk.c.game == outbox.c.game, talk.c.made_at == outbox.c.created_at)
    for row in (
        (await connection.execute(select(outbox).where(outbox.c.kind == NoticeKind.TOLD, there))).mappings().all()
    ):
        lines = msgspec.json.encode([DELETED]).decode()
        await rewrite(connection, outbox, row, lines=lines)


async def _past_seats(connection: AsyncConnection, person: PersonId) -> set[tuple[GameId, SeatNumber, int]]:
    """Games, seats and records after which a person sat there: their first move for each seat, and where they
    left.
    """
    own = moves.c.person == person
    moved = (
        select(moves.c.game, moves.c.seat, func.min(moves.c.number))
        .where(own, moves.c.kind == MoveKind.MOVE, moves.c.seat.is_not(None))
        .group_by(moves.c.game, moves.c.seat)
    )
    found = {(game, seat, number) for game, seat, number in await connection.execute(moved)}
    left = select(moves.c.game, moves.c.number, moves.c.lines).where(own, moves.c.kind == MoveKind.LEAVE)
    for game, number, lines in await connection.execute(left):
        found |= {(game, SeatNumber(int(seat[1:])), number) for seat in SEAT.findall(lines)}
    return found


async def _name_at(connection: AsyncConnection, game_id: GameId, seat: SeatNumber, number: int) -> str:
    """The name of a seat after a record: as in the last kept position before it, and by later holders."""
    earlier = (
        select(snapshots.c.number, snapshots.c.state)
        .where(snapshots.c.game == game_id, snapshots.c.number <= number)
        .order_by(snapshots.c.number.desc())
        .limit(1)
    )
    kept, state = (await connection.execute(earlier)).one()
    name: str = msgspec.json.decode(decompress_state(state, game_id))["players"][seat - 1]["name"]
    since = (
        select(moves.c.lines)
        .where(
            moves.c.game == game_id, moves.c.kind == MoveKind.REPLACE, moves.c.number > kept, moves.c.number <= number
        )
        .order_by(moves.c.number)
    )
    for (lines,) in await connection.execute(since):
        match _guests(lines):
            case [[_, _, new], [_, _, old]] if old == name:
                name = new
    return name


def _guests(lines: str) -> list[list[str]]:
    """The people without a seat in the first sentence of a record: `["guest", person, name]`, in order."""
    return [value for value in msgspec.json.decode(lines)[0][2] if isinstance(value, list) and value[0] == "guest"]


async def _rename(connection: AsyncConnection, game_id: GameId, names: Mapping[str, str]) -> None:
    """Replace names in seats and positions of a game; sentences hold seats."""
    for name, new in names.items():
        await connection.execute(update(seats).where(seats.c.game == game_id, seats.c.name == name).values(name=new))
    states = select(snapshots.c.number, snapshots.c.state).where(snapshots.c.game == game_id)
    for number, packed in (await connection.execute(states)).all():
        state = msgspec.json.decode(decompress_state(packed, game_id))
        for player in state["players"]:
            player["name"] = names.get(player["name"], player["name"])
        await connection.execute(
            update(snapshots)
            .where(snapshots.c.game == game_id, snapshots.c.number == number)
            .values(state=zlib.compress(msgspec.json.encode(state), 1))
        )


async def _forget_guest(
    connection: AsyncConnection, person: PersonId, renamed: Mapping[GameId, Collection[str]]
) -> set[GameId]:
    """Remove a person from sentences that mention them without a seat: by their id; where that was not known, by
    their names in that game. Returns the games whose sentences changed.
    """
    retold = set()

    def without(value: Any, names: Collection[str]) -> Any:
        match value:
            case ["guest", who, name] if who == person or (not who and name in names):
                return msgspec.to_builtins(Message("somebody"))
            case list():
                return [without(one, names) for one in value]
        return value

    for table in (moves, outbox, mails):
        has_guest = table.c.lines.contains('["guest",', autoescape=True)
        there = table.c.lines.contains(guest_prefix(person), autoescape=True) | (has_guest & table.c.game.in_(renamed))
        for row in (await connection.execute(select(table).where(there))).mappings().all():
            names = renamed.get(row["game"], ())
            changed = msgspec.json.encode(without(_sentences(row), names)).decode()
            if changed != row["lines"]:
                await rewrite(connection, table, row, lines=changed)
                retold.add(row["game"])
    about = questions.c.data.contains(f'"{person}"', autoescape=True)
    for number, content in (await connection.execute(select(questions.c.id, questions.c.data).where(about))).all():
        data = msgspec.json.decode(content)
        if data.get("newcomer") == person:
            data["name"] = "somebody"
            changed = msgspec.json.encode(data).decode()
            await connection.execute(update(questions).where(questions.c.id == number).values(data=changed))
    return retold


def _sentences(row: Mapping[Any, Any]) -> Any:
    """The sentences of a row.

    :raises StoreDamaged: nothing that can be read.
    """
    try:
        return msgspec.json.decode(row["lines"])
    except NOT_READ as error:
        raise StoreDamaged(
            "The saved data of game {game} is damaged ({columns}); run: signalbox doctor.", row["game"], "lines"
        ) from error


async def _replace_everywhere(connection: AsyncConnection, person: PersonId) -> None:
    # Others who were asked at the same time are still asked.
    quoted = f'"{person}"'
    for table, column in ((questions, "data"), (outbox, "lines"), (mails, "lines")):
        there = table.c[column].contains(quoted, autoescape=True)
        for row in (await connection.execute(select(table).where(there))).mappings().all():
            await rewrite(connection, table, row, **{column: row[column].replace(quoted, f'"{ERASED}"')})
    await connection.execute(update(questions).where(questions.c.person == person).values(person=ERASED))
