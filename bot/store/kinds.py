"""Stored records: their kinds and statuses, by the words that databases hold."""

from __future__ import annotations

from enum import StrEnum


class GameStatus(StrEnum):
    """Where a game is on its way from the lobby to its end."""

    LOBBY = "lobby"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


class MoveKind(StrEnum):
    """The act of a record of a game's log."""

    START = "start"
    MOVE = "move"
    CORRECT = "correct"
    UNDO = "undo"
    REDO = "redo"
    REWIND = "rewind"
    RULES = "rules"
    REPLACE = "replace"
    LEAVE = "leave"
    SITTER = "sitter"
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"


class NoticeKind(StrEnum):
    """The kind of a post about a game."""

    BOARD = "board"
    """The log has gone on, which its record tells."""
    LOBBY = "lobby"
    """A post is to be opened for it."""
    TURN = "turn"
    """A seat is asked."""
    REMINDER = "reminder"
    """A seat is asked again."""
    QUESTION = "question"
    """The table votes."""
    VOTED = "voted"
    """A vote has another answer, or is over."""
    PRIVATE = "private"
    MOVED = "moved"
    """The game is played elsewhere from now on."""
    TOLD = "told"


class MailKind(StrEnum):
    """The kind of a mail that belongs to no notice."""

    LETTER = "letter"
    """A letter to the bot that has no answer yet."""
    ANSWER = "answer"
    WELCOME = "welcome"
    """It asks whether an address is the person's."""
    COUNTED = "counted"
    """No mail: it counts mails."""


class LinkKind(StrEnum):
    """The rights of the holder of a link to the board page."""

    LOOK = "look"
    PLAY = "play"
    MAIL = "mail"
    """Play, by a link in a mail."""


class PollKind(StrEnum):
    """The question of a vote of the table."""

    END = "end"
    UNDO = "undo"
    REPLACE = "replace"
    COMPUTER = "computer"
    SKIP = "skip"
    FINE = "fine"


class PollOutcome(StrEnum):
    """How a vote ended that the table decided."""

    AGREED = "agreed"
    REFUSED = "refused"


class Delivery(StrEnum):
    """Which mails a person wants."""

    UNDECIDED = ""
    TURNS = "turns"
    """Every turn and notice."""
    DIGEST = "digest"
    """The same, once a day."""
    REMINDERS = "reminders"
    NOTHING = "nothing"


DELIVERIES = tuple(wish for wish in Delivery if wish)
"""The wishes that a person may choose."""
