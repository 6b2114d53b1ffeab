"""Which of our trains is meant by a number of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.holdings.trains import owned

if TYPE_CHECKING:
    from bot.engine.data.state import Train
    from bot.engine.play.game import Game


class TrainNumbers:
    """The file names one of several trains of a kind that an owner has, our rules take the first of them.

    When the file means another one, the two change their numbers: to the rules they are the same.
    """

    def __init__(self) -> None:
        self._ours: dict[str, str] = {}

    def ours(self, number: str) -> str:
        """The number of our train that has this number in the file."""
        return self._ours.get(number, number)

    def theirs(self, number: str) -> str:
        """The number that our train has in the file."""
        return next((there for there, here in self._ours.items() if here == number), number)

    def go_first(self, game: Game, train: Train) -> None:
        """Give the train's number in the file to the first train of its kind and owner, which our rules take next."""
        first = owned(game, train.owner, train.kind)
        if first is None or first.id == train.id:
            return
        named, other = self.theirs(train.id), self.theirs(first.id)
        self._ours |= {named: first.id, other: train.id}
