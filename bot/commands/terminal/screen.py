"""The console's output: plain lines for a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from bot.engine import LocalisedError, PlayerId, Rejected, Text, Value
from bot.engine.play.game import Game
from bot.engine.state.actions import Action
from bot.i18n import tr, tr_error
from bot.service.views import position_text

if TYPE_CHECKING:
    from bot.render.painting.picture import Picture
    from bot.render.scenes.character_map import MapCell

COLUMNS = 80
"""Width of a map where no window tells it."""


class Screen:
    """Plain lines. `write` gets whole texts."""

    def __init__(self, write: Callable[[str], None] = print) -> None:
        self.write = write

    def say(self, text: Text, *values: Value) -> None:
        """Show a sentence, or some lines of text, in the reader's language."""
        self.write(tr(text, *values))

    def echo(self, line: str) -> None:
        self.write(f"> {line}")

    def spinner(self, what: str) -> AbstractContextManager[object]:
        """Show, on a terminal, that something takes time."""
        return nullcontext()

    def show_error(self, reason: object) -> None:
        self.write(format_error(reason))

    def status(self, game: Game) -> None:
        self.say(position_text.status_text(game))

    def keys(self) -> None:
        """Tell the keys; who writes lines from elsewhere has none."""

    def begin(self) -> None:
        """A line has been typed."""

    pace = 0.0
    """Seconds between lines about the moves of others in a lesson."""

    def events(self, entries: Sequence[Sequence[str]], is_taught: bool = False) -> Sequence[str]:
        """The lines to show of the log since the last own move: on a terminal a digest, and less of it in a lesson."""
        return [sentence for sentences in entries for sentence in sentences]

    def own_events(self, sentences: Sequence[str]) -> Sequence[str]:
        """The lines to show of the reader's own moves: on a terminal as many as leave room for the table."""
        return sentences

    def keep_room(self, lines: int) -> None:
        """Leave this number of lines free below the table."""

    @property
    def columns(self) -> int:
        return COLUMNS

    @property
    def columns_beside(self) -> int:
        """Room for a map beside the table; 0 where none is shown."""
        return 0

    def table(
        self,
        game: Game,
        otherwise: str,
        beside: Sequence[Sequence[MapCell]] = (),
        own: Collection[PlayerId] = (),
        below: Sequence[str] = (),
        wanted: Action | None = None,
    ) -> None:
        """Show the table after something has happened: here `otherwise`, and the lines `below`."""
        self.say("\n".join([otherwise, *below]))

    def pages(self, text: str, page: int, about: str = "") -> None:
        """Show a page of a long text about something; here all of it."""
        self.write(text)

    def map(self, lines: Sequence[Sequence[MapCell]], words: str, *, is_told: bool = False) -> None:
        """The map in characters, `is_told` also in words; only in words where characters cannot be written."""
        if not can_write(lines):
            self.say(words)
            return
        for cells in lines:
            self.draw(cells)
        if is_told:
            self.say(words)
        else:
            self.say("In words: map words.")

    def draw(self, cells: Sequence[MapCell]) -> None:
        self.write("".join(cell.character for cell in cells).rstrip())

    def picture(self, picture: Picture, path: Path) -> None:
        """Show a picture that has been written to `path`."""
        self.write(f"{tr('Picture:')} {path}")


def can_write(lines: Sequence[Sequence[MapCell]]) -> bool:
    """Whether the output has all characters of a map."""
    try:
        "".join(cell.character for cells in lines for cell in cells).encode(
            getattr(sys.stdout, "encoding", None) or "utf-8"
        )
    except UnicodeEncodeError:
        return False
    return True


def format_error(reason: object) -> str:
    """In the reader's language."""
    return f"{tr('No:')} {tr_error(reason) if isinstance(reason, Rejected) else tr(reason.said if isinstance(reason, LocalisedError) else str(reason))}"
