"""Who may do what to a game: one table, asked of what is so at the moment of use.

Seats, sitters and the opener are read from the database with the game; the place where somebody is, and what their
roles let them do there, comes with each request from Discord (`Actor`) and is never kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.engine import FormerPlayer, IllegalMove, NotYourTurn, PersonId, Rejected, Value, msg, seat
from bot.store import GameRecord, SeatRecord

from .names import plain_name


class Role(StrEnum):
    """The roles a person can have in a game. One person may have several at once; a person with none is a
    stranger.
    """

    MEMBER = "member"
    """They ask from the place where the game is played; for a lobby, from its server."""
    INVITED = "invited"
    """They show the invitation that the opener made for this lobby."""
    GUEST = "guest"
    """The lobby is open to them, from where they ask."""
    SEATED = "seated"
    SITTER = "sitter"
    OPENER = "opener"
    """They opened the game, or it was handed over to them, and they have not left its server."""
    MODERATOR = "moderator by role"
    """Their roles let them manage threads where the game is played, now."""


@dataclass(frozen=True)
class Actor:
    """The person who asks, with their present rights at the game's own place: `is_there`, and `manages` threads
    there; or `is_gone`, has left its server. `guild` is the server from which they ask.
    """

    person: PersonId
    name: str = ""
    is_there: bool = False
    manages: bool = False
    is_invited: bool = False
    is_gone: bool = False
    is_guest: bool = False
    guild: str = ""


@dataclass(frozen=True)
class Right:
    parts: frozenset[Role]
    refusal: str
    kind: type[Rejected] = IllegalMove


def _for(*parts: Role, refusal: str, kind: type[Rejected] = IllegalMove) -> Right:
    return Right(frozenset(parts), refusal, kind)


BANNED = "The operator of this bot does not let you take part in open tables, seasons and messages."
KEPT_OUT = "{name} cannot take part in open tables and seasons."

_NO_SEAT = "You have no seat in this game."
_MODERATORS = _for(Role.OPENER, Role.MODERATOR, refusal="Only the moderator of the game may do that.")
_AROUND = _for(
    Role.MEMBER,
    Role.SEATED,
    Role.SITTER,
    Role.OPENER,
    Role.MODERATOR,
    refusal="That game is not played here, and you are not in it.",
)
_SEATED = _for(Role.SEATED, refusal=_NO_SEAT)

RIGHTS: Mapping[str, Right] = {
    "look": _AROUND,
    "export": _AROUND,
    "copy": _AROUND,
    "join": _for(
        Role.MEMBER,
        Role.INVITED,
        Role.GUEST,
        Role.OPENER,
        refusal="That lobby is on another server and not open to you; its opener can invite you (/game invite).",
    ),
    "leave": _SEATED,
    "invite": _for(Role.OPENER, refusal="Only the opener of the game can invite people from other servers."),
    "open": _for(Role.OPENER, refusal="Only the opener of the game can open it to others."),
    "vouch": _for(Role.MODERATOR, refusal="Only somebody who may manage threads here can vouch for this lobby."),
    "computer": _MODERATORS,
    "options": _MODERATORS,
    "start": _MODERATORS,
    "move": _for(Role.SEATED, Role.SITTER, refusal=_NO_SEAT, kind=NotYourTurn),
    "undo": _for(Role.SEATED, Role.SITTER, Role.OPENER, refusal="You have nothing to take back here."),
    "order": _SEATED,
    "remind": _SEATED,
    "mail": _SEATED,
    "advice": _SEATED,
    "own": _SEATED,
    "ask": _for(
        Role.SEATED, Role.SITTER, Role.OPENER, Role.MODERATOR, refusal="Only players of this game can start a vote."
    ),
    "talk": _for(
        Role.SEATED,
        Role.SITTER,
        Role.OPENER,
        Role.MODERATOR,
        refusal="Only players of this game can write to its table.",
    ),
    "answer": _for(Role.SEATED, refusal="You have no vote here."),
    "act": _MODERATORS,
    "rewind": _MODERATORS,
    "status": _MODERATORS,
    "correct": _MODERATORS,
    "replace": _MODERATORS,
    "sitter": _MODERATORS,
    "pace": _MODERATORS,
    "clock": _MODERATORS,
    "language": _MODERATORS,
    "rules": _MODERATORS,
    "handover": _MODERATORS,
    "place": _MODERATORS,
    "link": _AROUND,
    "key": _for(Role.SEATED, Role.SITTER, refusal=_NO_SEAT),
    "unlink": _MODERATORS,
    "note": _for(Role.SEATED, Role.SITTER, refusal=_NO_SEAT),
    "succeed": _for(
        Role.OPENER,
        Role.MODERATOR,
        refusal="Another game was played here; only its moderator can start a new game in this channel.",
    ),
}
"""Who may do what. `own` is giving up a seat of your own, or naming a sitter for it, or leaving; `replace` and `sitter`
are the same for other people's seats; `place` is choosing where the game is played, `succeed` giving the place of a
finished game to another; `link` is having a link with which anybody can see the board page, `key` a personal link,
`unlink` withdrawing those of others; `mail` is getting mail about the game.
"""


def as_actor(asker: Actor | PersonId) -> Actor:
    """The actor; of a person without more, only the records are known."""
    return Actor(asker) if isinstance(asker, str) else asker


def roles_of(record: GameRecord, seats: Iterable[SeatRecord], asker: Actor) -> set[Role]:
    """A person's present roles in a game; sitters whose time is over must be out of the seats."""
    facts = {
        Role.MEMBER: asker.is_there,
        Role.INVITED: asker.is_invited,
        Role.GUEST: asker.is_guest,
        Role.OPENER: asker.person == record.moderator and not asker.is_gone,
        Role.MODERATOR: asker.manages,
    }
    sitting = list(seats)
    facts[Role.SEATED] = any(seat.person == asker.person for seat in sitting)
    facts[Role.SITTER] = any(seat.sitter == asker.person for seat in sitting)
    return {part for part, is_so in facts.items() if is_so and asker.person}


def check_right(record: GameRecord, seats: Iterable[SeatRecord], asker: Actor | PersonId, wanted: str) -> Actor:
    """Refuse an asker without the right; returns the asker.

    :raises IllegalMove: they do not have it.
    """
    if not has_right(record, seats, asker, wanted):
        right = RIGHTS[wanted]
        raise right.kind(right.refusal)
    return as_actor(asker)


def has_right(record: GameRecord, seats: Iterable[SeatRecord], asker: Actor | PersonId, wanted: str) -> bool:
    return bool(roles_of(record, seats, as_actor(asker)) & RIGHTS[wanted].parts)


def display_name(record: GameRecord, seats: Iterable[SeatRecord], asker: Actor | PersonId) -> Value:
    """The table's name for a person: by seat, by role in the game, or by their own name."""
    asker = as_actor(asker)
    own = next((held.number for held in seats if asker.person and held.person == asker.person), None)
    if own is not None:
        return seat(own)
    if asker.person == record.moderator:
        return msg("the moderator")
    if not asker.manages:
        return msg("somebody")
    name = plain_name(asker.name)
    return FormerPlayer(asker.person, name) if name else msg("a moderator")
