"""Positions: read from what is kept, or made again from the log.

The log says all: the first position follows from title, options, seed and seats, every other from the records that lead to
it. Kept positions only save the time to make them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from bot.engine import Rejected, seat
from bot.engine.games.corrections import replay_text
from bot.engine.play import Game, Title
from bot.store import GameRecord, MoveKind, MoveRecord, SeatRecord, StoreDamaged, broken_log, decompress_state

CHANGES = (MoveKind.MOVE, MoveKind.CORRECT)
"""Kinds of records that change the position by their text."""

TitleAt = Callable[[int], Title]
"""The rules by which the record of that number was made."""


class CorruptSnapshot(Exception):
    """A kept position that cannot be used; the message says why."""


class ForeignSnapshot(CorruptSnapshot):
    """A position that can be read, but is not one of this game."""


# -- rules --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RulesTimeline:
    """The versions of the rules by which a game was played: `moved` are the records at which they changed, with
    the older and the newer version; `present` is the version today.

    The time of a record counts, not its parent: a player who goes back behind such a record plays on by the
    newer rules.
    """

    present: int
    moved: tuple[tuple[int, int, int], ...] = ()

    def version_at(self, number: int) -> int:
        return next((old for at, old, _ in self.moved if at > number), self.present)


def timeline_of(present: int, records: Iterable[MoveRecord]) -> RulesTimeline:
    """The changes of rules in the records.

    :raises StoreDamaged: one of them names no versions.
    """
    return RulesTimeline(
        present, tuple((move.number, *versions_of(move)) for move in records if move.kind == MoveKind.RULES)
    )


def versions_of(move: MoveRecord) -> tuple[int, int]:
    """The older and the newer version in a record about a change of rules.

    :raises StoreDamaged: it names none.
    """
    words = move.text.split()
    if len(words) != 2 or not all(word.isdecimal() and len(word) < 6 for word in words):
        raise StoreDamaged(
            "Log entry {number} of game {game} is damaged (text); run: signalbox doctor.", move.number, move.game
        )
    return int(words[0]), int(words[1])


# -- reading ------------------------------------------------------------------------------------------


def read_position(title: Title, packed: object, record: GameRecord, seats: Sequence[SeatRecord]) -> Game:
    """The game as it was stored.

    :raises CorruptSnapshot: it cannot be read, is not one of this game, or cannot be.
    """
    game = decode_position(title, packed, record, seats)
    broken = faults_of(game)
    if broken:
        raise CorruptSnapshot(f"it cannot be: {broken[0]}")
    return game


def decode_position(title: Title, packed: object, record: GameRecord, seats: Sequence[SeatRecord]) -> Game:
    """As `read_position`, for a position that may be impossible.

    :raises CorruptSnapshot: it cannot be read, or is not one of this game.
    """
    if packed is None:
        raise CorruptSnapshot("it is not kept")
    try:
        game = Game.decode(title, decompress_state(packed, record.id))
    except (StoreDamaged, msgspec.DecodeError, RecursionError) as error:
        raise CorruptSnapshot("it is damaged and cannot be read") from error
    differing = differences(game, record, seats)
    if differing:
        raise ForeignSnapshot(f"it is one of another game: {' and '.join(differing)} differ")
    return game


def differences(game: Game, record: GameRecord, seats: Sequence[SeatRecord]) -> list[str]:
    state = game.state
    alike = {
        "title": state.title == record.title,
        "options": state.options == record.options,
        "seed": state.seed == record.seed,
        "seats": [player.id for player in state.players] == [seat(sitting.number) for sitting in seats],
    }
    return [what for what, is_so in alike.items() if not is_so]


def faults_of(game: Game) -> list[str]:
    """The faults of a position, which may be rubbish."""
    try:
        return game.audit()
    except Exception as error:
        # Every error of the rules about it is the finding.
        return [f"{type(error).__name__}: {error}"]


# -- making again -------------------------------------------------------------------------------------


def initial_position(title: Title, record: GameRecord, seats: Sequence[SeatRecord]) -> Game:
    """The first position of a game.

    :raises Rejected: these seats or options do not fit the title.
    """
    return Game.new(title, [sitting.name for sitting in seats], record.options, record.seed)


def replay_moves(game: Game, records: Iterable[MoveRecord], title_at: TitleAt) -> Game:
    """The game after these records; it is changed. After a change of the rules, it goes on by the newer rules.

    :raises StoreDamaged: one of them cannot be made again.
    """
    for record in records:
        try:
            game = with_rules(game, title_at(record.number))
            replay_move(game, record)
        except Exception as error:
            # Also what a rule raises about a move that nobody ever made.
            raise StoreDamaged(
                "Game {game} cannot be opened: log entry {number} cannot be replayed ({error}); run: signalbox doctor.",
                record.game,
                record.number,
                error.said if isinstance(error, Rejected | StoreDamaged) else type(error).__name__,
            ) from error
    return game


def replay_move(game: Game, record: MoveRecord) -> None:
    """Make a record again, as far as it changes the position.

    :raises Rejected: the rules forbid it now.
    """
    if record.kind in CHANGES:
        replay_text(game, record.text, was_accepted=True)


def with_rules(game: Game, title: Title) -> Game:
    """The game by other rules.

    :raises StoreDamaged: they do not know such a position.
    """
    try:
        return game if game.title is title else Game.decode(title, game.encode())
    except msgspec.DecodeError as error:
        raise StoreDamaged(
            "Version {version} of the rules of {name} cannot read this position.", title.version, title.name
        ) from error


def rebuild(
    record: GameRecord,
    seats: Sequence[SeatRecord],
    line: Sequence[MoveRecord],
    kept: Mapping[int, object],
    title_at: TitleAt,
) -> tuple[Game, int | None]:
    """The position at the end of a line, and the record from whose kept position it was made: the nearest sound
    position, which is what the players saw; None for the beginning of the game.

    :raises StoreDamaged: it cannot be made.
    """
    is_strange = False
    for at in reversed(range(len(line))):
        number = line[at].number
        try:
            game = read_position(title_at(number), kept.get(number), record, seats)
        except ForeignSnapshot:
            is_strange = True
        except CorruptSnapshot:
            continue
        else:
            return replay_moves(game, line[at + 1 :], title_at), number
    if is_strange:
        # The positions may be right, and what is known of the game wrong: nothing is made of that unseen.
        raise StoreDamaged("The saved data of game {game} is inconsistent; run: signalbox doctor.", record.id)
    if line[0].number:
        raise broken_log(record.id, line[0].number)
    try:
        game = initial_position(title_at(0), record, seats)
    except Rejected as refusal:
        raise StoreDamaged(
            "Game {game} cannot be opened: {reason} Run: signalbox doctor.", record.id, refusal.sentence_with_rule
        ) from refusal
    return replay_moves(game, line, title_at), None


def rename(game: Game, seats: Sequence[SeatRecord]) -> None:
    """Give the players the names of their seats' present holders."""
    for sitting in seats:
        game.state.player(seat(sitting.number)).name = sitting.name
