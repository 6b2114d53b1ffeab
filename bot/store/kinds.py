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
    """What was done to a game by a record of its log."""

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
    """What is to be posted about a game."""

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
    PRIVATE = "private"
    MOVED = "moved"
    """The game is played elsewhere from now on."""
    TOLD = "told"


class MailKind(StrEnum):
    """What a mail is that tells of no notice."""

    LETTER = "letter"
    """A letter to the bot that has no answer yet."""
    ANSWER = "answer"
    WELCOME = "welcome"
    """It asks whether an address is the person's."""
    COUNTED = "counted"
    """No mail: it counts mails."""


class LinkKind(StrEnum):
    """What a link to the board page lets its holder do."""

    LOOK = "look"
    PLAY = "play"
    MAIL = "mail"
    """Play, by a link in a mail."""


class PollKind(StrEnum):
    """What the table votes on."""

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
