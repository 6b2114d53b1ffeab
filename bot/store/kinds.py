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
    CLOCK = "clock"
    """Another clock, or a seat whose time is up and which has lost."""
    REPLACE = "replace"
    LEAVE = "leave"
    SITTER = "sitter"
    ELECT = "elect"
    """The table has another moderator."""
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
    CALL = "call"
    """A message to somebody without a seat, sent directly and once."""


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
    PROGRAM = "program"
    """Play, by a program: no link, but the token that it sends with each request."""
    HOOK = "hook"
    """No link: an address that is called when the game moves on."""
    PUSH = "push"
    """No link: a browser that gets notices when its person is asked, and of the end."""
    NOTIFY = "notify"
    """No link: a service that gets notices when the person is asked, in all their games, and of their ends."""
    CALENDAR = "calendar"
    """Read the person's deadlines in all their games, by a calendar program."""


class PollKind(StrEnum):
    """The question of a vote of the table."""

    END = "end"
    UNDO = "undo"
    REPLACE = "replace"
    COMPUTER = "computer"
    SKIP = "skip"
    FINE = "fine"
    CLOCK = "clock"
    MODERATOR = "moderator"


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


class Audience(StrEnum):
    """Who may see a person's record beside themselves, or follow them."""

    NOBODY = ""
    TABLES = "tables"
    """The people in their games."""
    EVERYBODY = "everybody"
    PUBLIC = "public"
    """Also strangers, on the public pages."""


class FollowKind(StrEnum):
    """The kind of a thing that people follow."""

    GAME = "game"
    PERSON = "person"
    SEASON = "season"


class NewsInterval(StrEnum):
    """How often a person gets the news of what they follow."""

    DAY = "day"
    ROUND = "round"


class LobbyScope(StrEnum):
    """To whom a lobby is open."""

    SERVER = "server"
    SHARED = "shared"
    """Also to the servers that share their lobbies."""
    EVERYBODY = "everybody"


class TableLevel(StrEnum):
    """The experience that a table looks for."""

    ANY = ""
    BEGINNERS = "beginners"
    EXPERIENCED = "experienced"


class SeasonStatus(StrEnum):
    SIGN_UP = "sign-up"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class Penalty(StrEnum):
    """The penalty of a player whose time budget is used up."""

    NONE = "none"
    """The budget only shows it."""
    PASS = "pass"
    """They pass, or a computer player makes this one move."""
    MINDER = "minder"
    """A computer player moves for them until they return."""
    FINE = "fine"
    """Missing minutes are taken off the final score."""
    LOSS = "loss"
    """They are ranked last, and a computer player moves for them."""


class EntryKind(StrEnum):
    """The kind of an entry in a game's ledger of time."""

    SET = "set"
    """The seat begins, or goes on by another clock, with this budget: entries before no longer count."""
    STOCK = "stock"
    COMPANY = "company"
    ANSWER = "answer"
    WAIT = "wait"
    """The game waited for the seat."""
    HOLIDAY = "holiday"
    OUTAGE = "outage"
    """No program ran."""
    WARNED = "warned"


DELIVERIES = tuple(wish for wish in Delivery if wish)
"""The wishes that a person may choose."""
