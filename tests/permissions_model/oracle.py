"""What an act has changed, held against what the model gives."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.permissions_model.facts import Facts, Key
from tests.permissions_model.rights_page import (
    CHANGES,
    DECIDED,
    MODERATOR,
    OPENER,
    UNDER_WAY,
    Act,
    Game,
    Server,
    alternatives,
    granted,
    has,
    is_banned,
    parts,
    people_of,
)

FREE = ("act", "correct", "rewind", "replace", "status", "rules", "start", "clock")
"""Rights that are not about one's own seats."""


def wrongs(act: Act, before: Facts, after: Facts, servers: dict[int, Server]) -> list[str]:
    """Every change that the model does not give."""
    given = {game.number: game for game in granted(act, before.games, servers)}
    found = []
    for key in sorted({*before.all, *after.all}, key=repr):
        old, new = before.all.get(key), after.all.get(key)
        if old == new:
            continue
        game = key[0]
        if game in before.games and (is_computers_own(key, before, after) or is_due_reminder(key, old, new)):
            continue
        if game not in before.games:
            found += [] if is_own(act, after.games[game]) else [f"a new game {game} that is not all his: {key} {new}"]
        elif game not in given:
            found.append(f"no right to {act.right}, but {key}: {old} -> {new}")
        else:
            found += [f"{why}, but {key}: {old} -> {new}" for why in objections(act, key, before, after, servers)]
    return found + list(crowds(after)) + list(intruders(before, after))


def is_own(act: Act, game: Game) -> bool:
    """Whether a new game is wholly its maker's, in the server where they made it; the other seats of a puzzle are computers'."""
    holders = {game.opener, *(seat.person for seat in game.seats if not str(seat.person).startswith("computer:"))}
    makes = ("new", "copy", "import", "own")
    return act.right in makes and holders == {act.person} and game.server == act.spot.server


def is_computers_own(key: Key, before: Facts, after: Facts) -> bool:
    """A move that a computer player made for its own seat, whoever acts meanwhile, or clocks that follow from one."""
    number, kind, what = key
    older, seats = before.of(number, "move"), before.games[number].seats
    made = {
        record
        for record, (_, done, maker, _, seat, is_auto) in after.of(number, "move").items()
        if record not in older and done == "move" and is_auto and str(maker).startswith("computer:")
        if any(one.number == seat and one.person == maker for one in seats)
    }
    return what in made if kind == "move" else kind == "clock" and bool(made)


def is_due_reminder(key: Key, old: tuple[float, float] | None, new: tuple[float, float] | None) -> bool:
    """A reminder that the bot sent in its own time, whoever acts meanwhile; the turn began when it did, and the next one is due later."""
    if key[1] != "clock" or old is None or new is None:
        return False
    return old[0] == new[0] and old[1] <= time.time() < new[1]


def is_unrelated_plan(act: Act, key: Key, before: Facts, after: Facts) -> bool:
    """Whether a plan is another's. If a plan moves at once, others' may follow, and their states change with their moves."""
    number = key[0]
    if {*after.of(number, "move")} > {*before.of(number, "move")}:
        return False
    return (after.all.get(key) or before.all[key])[0] not in before.games[number].own_seats(act.person)


def intruders(before: Facts, after: Facts) -> Iterator[str]:
    """Banned people who came to strangers, by whatever act."""
    for number, game in after.games.items():
        came = people_of(game) - people_of(before.games[number]) if number in before.games else set()
        yield from (
            f"{who} is banned, and came to game {number}" for who in came if game.reach and is_banned(who, game)
        )


def crowds(after: Facts) -> Iterator[str]:
    """Two games under way at one place."""
    spots: dict[int, int] = {}
    for game in after.games.values():
        if game.status in UNDER_WAY and game.spot:
            if game.spot in spots:
                yield f"games {spots[game.spot]} and {game.number} are played at one place"
            spots[game.spot] = game.number


def objections(act: Act, key: Key, before: Facts, after: Facts, servers: dict[int, Server]) -> Iterator[str]:
    """What is wrong with a change in a game over which the actor has the right that he used."""
    number, kind, what = key
    game, new = before.games[number], after.all.get(key)
    was = parts(game, act.person, act.spot, servers, act.is_invited)
    if kind == "sandbox":
        if what != act.person and act.right not in ("move", "act"):
            yield "another's sandbox"
        return
    allowed = {change for right in alternatives(act.right) for change in CHANGES[right]}
    if kind == "link" and act.right == "link":
        person, purpose = new or before.all[key]
        if person != act.person and (new is not None or purpose != "look" or not has("unlink", was)):
            yield "another's link"
    if kind not in allowed:
        if act.right in ("ask", "answer"):
            yield from undecided(act, key, before, after)
        else:
            yield f"{act.right} changes no {kind}"
        return
    if kind == "move" and act.right not in FREE and new is not None:
        yield from of_others(act, key, game, before, after)
    if kind == "note" and what != act.person:
        yield "another's notes"
    if kind == "order" and act.right == "order" and is_unrelated_plan(act, key, before, after):
        yield "another's order"
    if kind == "answer" and what[1] not in game.own_seats(act.person):
        yield "another's answer"
    if kind in ("habits", "clock") and act.right == "remind" and what not in game.own_seats(act.person):
        yield "another's reminders"
    if kind in ("seat", "sitter"):
        yield from of_seats(act, key, game, after, has(act.right, was) and act.right in ("replace", "sitter"))
    if kind == "opener":
        if new != act.named:
            yield "handed over to somebody else than named"
        if OPENER not in was and MODERATOR in was and new == act.person:
            yield "handed over to oneself"
        elif OPENER not in was and new not in {seat.person for seat in game.seats}:
            yield "handed over to one who is no player"


def of_seats(act: Act, key: Key, game: Game, after: Facts, is_moderating: bool) -> Iterator[str]:
    """What is wrong with a change of seats and sitters."""
    _, kind, what = key
    new = after.all.get(key)
    if act.right == "join" and kind == "seat":
        own = [seat for seat in after.games[game.number].seats if seat.person == act.person]
        if new is None or new[0] != act.person:
            yield "joined for somebody else"
        elif act.person != game.opener and len(own) > game.each:
            yield f"{len(own)} seats for one who may take {game.each}"
    if act.right == "leave" and kind == "seat":
        left = {name for person, name in after.of(game.number, "seat").values() if person != act.person}
        if left != {seat.name for seat in game.seats if seat.person != act.person}:
            yield "somebody else has left"
    if act.right in ("replace", "own", "sitter"):
        if not is_moderating and what not in game.own_seats(act.person):
            yield "another's seat"
        if kind == "seat" and new is not None and new[0] != act.named:
            yield "given to somebody else than named"
        if kind == "sitter" and new is not None and new[0] not in ("", act.named):
            yield "a sitter who was not named"


def of_others(act: Act, key: Key, game: Game, before: Facts, after: Facts) -> Iterator[str]:
    """What is wrong with a new record: a move for a seat that is not his, or another's move taken back."""
    parent, kind, person, _, seat, is_auto = after.all[key]
    if key in before.all:
        yield "a record was changed"
    elif kind == "move" and not is_auto:
        if seat not in game.seats_of(act.person) or person != act.person:
            yield "a move for another's seat"
    elif kind == "undo":
        records = before.of(game.number, "move")
        for number in chain(records, parent):
            _, taken, maker, _, taken_seat, was_auto = records[number]
            if taken == "move" and maker != act.person and not (was_auto and taken_seat in game.seats_of(act.person)):
                yield f"another's move {number} taken back"


def chain(records: dict[int, tuple[object, ...]], until: int) -> Iterator[int]:
    """The records that stand, from the last one back to one of them."""
    number = max(records, default=until)
    while number != until and number in records and number > 0:
        yield number
        number = int(str(records[number][0]))


def undecided(act: Act, key: Key, before: Facts, after: Facts) -> Iterator[str]:
    """Whether a change was decided by the table: by all who are asked, where all have to agree."""
    number, kind, _ = key
    closed = [
        (which, row)
        for which, row in after.of(number, "question").items()
        if row[3] is not None and before.of(number, "question").get(which, (None,) * 6)[3] is None
    ]
    missing: set[int] = set()
    for which, (asked, asker, _, _, _, _) in closed:
        if kind not in DECIDED[asked]:
            continue
        game = before.games[number]
        agreed = {seat for (question, seat), yes in after.of(number, "answer").items() if question == which and yes}
        others = [seat for seat in game.seats if seat.person not in ("", asker)]
        missing = {seat.number for seat in others if not seat.person.startswith("computer:")} - agreed
        # Of several questions that end at once, one is enough.
        if asked != "end" or not missing:
            return
    yield f"the game ended, though seats {missing} have not agreed" if missing else f"{act.right} changes no {kind}"
