"""The input line for a person at a terminal, with completion."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from bot.engine.play.game import Game
from bot.service.parser.moves import suggest
from bot.service.registry.command import Door
from bot.service.registry.command_line import spellings
from bot.service.registry.help import german_commands
from bot.store import make_file

from .commands import KEYS_WANTED, Console

MOST_COMPLETIONS = 60
MENU = 6
"""Number of lines that are kept for completions, once something is typed: earlier, the table would leave the screen
for nothing.
"""


class LegalMoves(Completer):
    """Completion: commands for the first word, and legal moves of the position, also for the last of several."""

    def __init__(self) -> None:
        self.game: Game | None = None

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """All candidates that begin with, or for moves contain, the typed text."""
        typed = document.text_before_cursor
        if not typed.strip() and not complete_event.completion_requested:
            return
        words = [
            word
            for word in (*sorted(spellings(Door.TERMINAL)), *german_commands())
            if typed and word.startswith(typed.lower())
        ]
        moves = suggest(self.game, typed, MOST_COMPLETIONS) if self.game else []
        for text in dict.fromkeys([*words, *moves]):
            yield Completion(text, -len(typed))


def keys_of_history(console: Console) -> KeyBindings:
    """Alt with the left or right arrow shows earlier and later boards, `?` on an empty line the keys."""
    keys = KeyBindings()
    for key, step in (("left", -1), ("right", 1)):

        @keys.add("escape", key)
        def show(event: KeyPressEvent, step: int = step) -> None:
            event.app.exit(result=console.line_of_history(step))

    @keys.add(KEYS_WANTED, filter=Condition(lambda: not get_app().current_buffer.text))
    def show_keys(event: KeyPressEvent) -> None:
        event.app.exit(result=KEYS_WANTED)

    return keys


def line_for_typing(completer: Completer, history: History, keys: KeyBindings | None = None) -> PromptSession[str]:
    """The input line of a terminal; completions get room below it as soon as something is typed."""
    return PromptSession(
        completer=completer,
        complete_while_typing=Condition(lambda: bool(get_app().current_buffer.text)),
        reserve_space_for_menu=MENU,
        complete_in_thread=True,
        history=history,
        key_bindings=keys,
    )


async def typed_lines(console: Console) -> AsyncIterator[str]:
    """Typed lines, until end of file."""
    completer = LegalMoves()
    history = console.data / "console-history"
    make_file(history)
    session = line_for_typing(completer, FileHistory(str(history)), keys_of_history(console))
    while True:
        game = await console.find_position()
        completer.game = game.copy() if game else None
        try:
            yield await session.prompt_async("> ")
        except KeyboardInterrupt:
            console.screen.say("Type quit to leave; the game stays.")
        except EOFError:
            return
