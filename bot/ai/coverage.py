"""The parts of a title that games have exercised: its phases, trains, tiles, powers of privates and ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.engine.play import Game, Title

ACQUISITIONS = ("bid", "buy", "reduce")
"""Verbs that name a private without using its power."""


@dataclass
class Coverage:
    """The names of what was exercised so far, by kind; of privates those whose power was used. A tile that is made of others
    (`G14-XM2`) counts as these."""

    phases: set[str] = field(default_factory=set)
    trains: set[str] = field(default_factory=set)
    tiles: set[str] = field(default_factory=set)
    privates: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)

    def note(self, game: Game, text: str) -> None:
        """Count a move in, from its text and the position after it."""
        state = game.state
        self.phases.add(state.phase)
        self.trains |= {train.kind for train in state.trains if train.owner in state.companies}
        self.privates |= {private.id for private in state.privates.values() if private.ability_used}
        self.tiles |= {part for placed in state.board.tiles.values() for part in placed.tile.split("-")}
        words = text.split()
        if not set(words[:2]) & {*ACQUISITIONS}:
            self.privates |= {*words} & {*map(str, game.title.privates)}
        if state.finished:
            self.ends.add(str(state.ending))

    def add(self, other: Coverage) -> None:
        for name in vars(self):
            getattr(self, name).update(getattr(other, name))

    def counts(self, title: Title) -> Iterator[tuple[str, set[str], set[str]]]:
        """Each kind with what there is of it in the title's box, and what of that was exercised. Nothing says how many ends
        there are: those of which a game ended."""
        with_powers = {str(sign) for sign, private in title.privates.items() if private.power}
        yield "phases", {phase.name for phase in title.phases}, self.phases
        yield "trains", {*title.trains}, self.trains
        yield "tiles", {str(tile) for tile in title.land.tiles if "-" not in tile}, self.tiles
        yield "powers", with_powers, self.privates & with_powers
        yield "ends", self.ends, self.ends
