"""Rows as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta, Struct

from bot.engine import NOBODY, GameId, Message, PersonId, SeatNumber

from .kinds import (
    Audience,
    Delivery,
    EntryKind,
    FollowKind,
    GameStatus,
    LinkKind,
    LobbyScope,
    NewsInterval,
    Penalty,
    SeasonStatus,
    TableLevel,
)

Count = Annotated[int, Meta(ge=0, lt=2**53)]
Hour = Annotated[int, Meta(ge=0, lt=24)]
AnySeat = Annotated[SeatNumber, Meta(ge=1, le=20)]
Moment = Annotated[float, Meta(ge=0, lt=32_503_680_000)]
"""Seconds since 1970, up to the year 3000."""

Pace = Annotated[float, Meta(gt=0, le=10_000)]
Snowflake = Annotated[str, Meta(pattern="^[0-9]{0,20}$")]
"""A Discord id; empty if no place has been chosen yet."""

# Columns are checked when a row is read, not when a record is made.


Span = Annotated[int, Meta(ge=0, le=366 * 86400)]
"""Seconds, up to a year."""


class ClockAllowance(Struct, frozen=True):
    """The time that a game's clock grants, in seconds: to each seat at the beginning (`game`), for each stock round, each
    turn of a company and each answer, up to a budget of `most`. With `waking`, quiet hours do not count, nor as
    many days of `holiday` for each seat. `penalty` is what happens at zero, `fine` the money for each missing minute.
    """

    game: Span
    stock: Span
    company: Span
    answer: Span
    most: Span
    waking: bool
    penalty: Penalty = Penalty.NONE
    fine: Annotated[int, Meta(ge=0, le=999)] = 0
    holiday: Annotated[int, Meta(ge=0, le=60)] = 14


class GameRecord(Struct):
    """A game: `version` is the number of its last move record,
    `rules` the version of the title's rules by which it is played, `language` that of its posts.

    In its lobby everybody except the opener may take `seats_each` seats; `invitation` is the digest of the code
    that lets people of other servers in. With `asks_always`, no pass is made automatically, however forced;
    with `shows_both`, its records have map and market every time. `retold` counts how often somebody was
    removed from its records: holders of cached records must read them again. Without a `clock`, turns may take as long
    as they like. An `unrated` game changes nobody's rating; a `watchable` game may be followed by anybody.
    """

    id: GameId
    title: str
    options: dict[str, str]
    seed: Count
    status: GameStatus
    moderator: PersonId
    pace_hours: Pace
    version: Count
    created_at: Moment
    updated_at: Moment
    rules: Count = 1
    language: str = ""
    seats_each: Count = 1
    invitation: str = ""
    asks_always: bool = False
    shows_both: bool = False
    retold: Count = 0
    clock: ClockAllowance | None = None
    unrated: bool = False
    watchable: bool = False


class SeatRecord(Struct):
    """A seat: its holder (`person`, empty if there is none) and name.

    Quiet hours are full hours in the person's time zone. Until `away_until` they are on holiday and not reminded; until
    `sitter_until` another person, `sitter`, may move for the seat too.
    """

    game: GameId
    number: AnySeat
    person: PersonId
    name: str
    zone: str = "UTC"
    quiet_from: Hour | None = None
    quiet_to: Hour | None = None
    muted: bool = False
    away_until: Moment | None = None
    sitter: PersonId = NOBODY
    sitter_until: Moment | None = None


class MoveRecord(Struct):
    """Something that was done to a game. Its position is that of record `parent` with this move made;
    an undo, a redo or a rewind has no text, and its parent is not the record before. Records are never changed.

    `kind` is a `MoveKind`, as text, so that the doctor reads others too; `seat` the seat that a move was made for, `person` the person who made it;
    `auto` says that their plan made it, or, without a person, that nothing else was possible.
    """

    game: GameId
    number: Count
    parent: Annotated[int, Meta(ge=-1)]
    kind: str
    person: PersonId
    text: str
    lines: list[Message]
    made_at: Moment
    seat: AnySeat | None = None
    auto: bool = False


class SnapshotRecord(Struct):
    """A kept position, packed: the one after record `number`."""

    game: GameId
    number: Count
    state: bytes


class WaitRecord(Struct):
    """Since when the game waits for a seat (in time, and after which record), how many reminders it has had and
    when the last, and until when it wants none. `due_at`, when the next is due, is calculated from all that. The quiet
    hours are those that the seat had when the clock began.
    """

    game: GameId
    seat: AnySeat
    since: Moment
    due_at: Moment
    reminders: Count = 0
    number: Count = 0
    reminded_at: Moment | None = None
    snoozed_until: Moment | None = None
    zone: str = "UTC"
    quiet_from: Hour | None = None
    quiet_to: Hour | None = None


class LedgerRecord(Struct):
    """An entry in a game's ledger of time, made with record `number`: time granted to a seat (`seconds` at `since`), or a
    span from `since` to `until` in which the game waited for a seat, or in which time did not count (for all without a
    `seat`). A seat has one entry about each `topic`, such as the grant of a round. Entries are only added; one about a
    holiday may end earlier. A wait keeps the quiet hours that the seat had when it began.
    """

    game: GameId
    kind: EntryKind
    topic: str
    since: Moment
    seat: AnySeat | None = None
    number: Count = 0
    until: Moment | None = None
    seconds: Annotated[float, Meta(ge=-1e9, le=1e9)] = 0.0
    zone: str = "UTC"
    quiet_from: Hour | None = None
    quiet_to: Hour | None = None
    id: Count = 0


class PaceRecord(Struct):
    id: GameId
    pace_hours: Pace


@dataclass(frozen=True)
class RunningWait:
    wait: WaitRecord
    seat: SeatRecord
    pace_hours: float


class Notice(Struct):
    """Something to be posted: about the position after record `number`, for a seat or for all.

    Notices of some kinds are posted as they are, under a nonce, so that none is posted twice. While one waits, `reference`
    holds the nonce under which posting it was begun (`nonce 17`), afterwards where it is.
    """

    game: GameId
    number: Count
    kind: str
    lines: list[Message | str]
    created_at: Moment
    seat: AnySeat | None = None
    id: Count = 0
    attempts: Count = 0
    reference: str | None = None


class WholeNotice(Notice):
    """A notice with the column that the posting code does not read."""

    posted_at: Moment | None = None


HEARD = "heard"
"""The slot of the last written move that the bot has read in a game."""

NO_THREAD_YET = "thread"
SERVER_GONE = "server"


def shard_key_of(guild: Snowflake) -> int:
    """The number from which the shard of a server is calculated; 0 if there is no server."""
    return int(guild) >> 22 if guild.isdecimal() else 0


class Place(Struct):
    """The place of a game in Discord: its thread, else the channel itself. `trouble` is what prevents posting there,
    once the moderator was informed, or says that its thread is still to be opened (`NO_THREAD_YET`), or that the bot is not in that
    server any more and the game goes on by direct messages (`SERVER_GONE`).
    """

    game: GameId
    guild: Snowflake
    channel: Snowflake
    thread: Snowflake | None = None
    trouble: str | None = None

    @property
    def spot(self) -> str:
        return self.thread or self.channel

    @property
    def shard_key(self) -> int:
        """Its remainder by the number of shards is the shard of its server; 0 if there is none, as Discord does for
        direct messages.
        """
        return shard_key_of(self.guild)


class PostRecord(Struct):
    """The message that stands in a slot of a game: `card`, `record:<first move>`, `ping:<seat>`, `end`,
    `poll:<question>`, `told:<notice>` (the last three with `:<seat>` where each player gets their own); or a message that is to be deleted (`gone:<message>`, or `gone:<slot>` where it is not known
    whether it was sent); or a player's (`heard`), the last message that was read as a move, which was made or refused.

    Without a `message` its sending was begun with this `nonce` and had no known end. `version` is the last record that
    it reports, or the record that it was made for; `digest` says what it shows (empty: nobody knows); `again` that it
    may be there twice, and says so.
    """

    game: GameId
    slot: str
    message: Snowflake | None
    channel: Snowflake
    nonce: str
    made_at: Moment
    version: Count
    digest: str = ""
    again: bool = False


class OrderRecord(Struct):
    """A state of a seat's plan, which has the number `plan` within its game: as it was given, or after an act or its
    end at record `number`. `data` is the plan then.

    Once it is over, `ended` is the record at which it ended (0: for good) and `reason` says why. The state that counts is the last
    whose record is in the line of records, so that a plan stands again where its end has been taken back.
    """

    game: GameId
    seat: AnySeat
    data: dict[str, Any]
    created_at: Moment
    number: Count
    ended: Count | None = None
    reason: Message = Message("")
    plan: Count = 0
    id: Count = 0


class SandboxRecord(Struct):
    """Moves that a person tries on the position after record `number`, in their exact text forms."""

    game: GameId
    person: PersonId
    number: Count
    texts: list[str]


class LinkRecord(Struct):
    """A link to the board page of a game, made for a person: to `look`, or to `play` as that person, like the link
    in their `mail`s; or the token of a `program` that plays as them. Only the digest of its token is stored. It is valid `until` then, and
    was last used at `used_at`. A `hook` is an address that is called for them: `target` holds it, after the secret of its
    signatures and a space. A `push` is a browser that gets notices for them: `target` holds what it says of itself, as JSON.
    A `notify` is a service that gets notices for them in all their games, however they go on: `target` holds its address.
    A `calendar` shows when their time runs out, in all their games.
    """

    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    game: GameId
    person: PersonId
    kind: LinkKind
    made_at: Moment
    until: Moment
    used_at: Moment | None = None
    target: str = ""

    @property
    def is_personal(self) -> bool:
        """Whether its holder has the rights of its person."""
        return self.kind != LinkKind.LOOK

    @property
    def opens_page(self) -> bool:
        """Whether a browser may keep it, to play on the page."""
        return self.kind in (LinkKind.PLAY, LinkKind.MAIL)


class CallRecord(Struct):
    """A call to the address of the `link` with that digest, which tells of a `notice`: of its kind, about record `number`.
    It is due at `due_at`, after `attempts` that failed; a call that was answered is deleted.
    """

    link: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    notice: Count
    game: GameId
    kind: str
    number: Count
    made_at: Moment
    due_at: Moment
    seat: AnySeat | None = None
    attempts: Count = 0
    id: Count = 0


class NoteRecord(Struct):
    game: GameId
    person: PersonId
    text: str


class TalkRecord(Struct):
    """A person's message to a table, as a sentence with their name."""

    game: GameId
    person: PersonId
    lines: list[Message | str]
    made_at: Moment
    id: Count = 0


class QuestionRecord(Struct):
    """A question that a person put to the table after record `number`: its subject (`kind`, `data`), and how it
    ended.
    """

    game: GameId
    kind: str
    person: PersonId
    data: dict[str, Any]
    number: Count
    created_at: Moment
    closed_at: Moment | None = None
    outcome: str = ""
    id: Count = 0


class AnswerRecord(Struct):
    question: int
    seat: AnySeat
    agree: bool
    made_at: Moment


class PersonRecord(Struct):
    """A person's preferences for every game: time zone, quiet hours, holiday, language.

    To their proven `address` they are sent what they wish (`mail`, one of `DELIVERIES`). At `asked` they were asked
    at `asked_at` whether it is theirs; it becomes the address once they answer from there. `written_at` is when
    the last digest was sent. Since `returned_at` mails come back, and none is sent until they write. Answers
    from their other addresses (`also`, with blanks between) are taken for theirs. `record` says who may see their record,
    `followers` who may follow them.
    """

    person: PersonId
    zone: str = "UTC"
    quiet_from: Hour | None = None
    quiet_to: Hour | None = None
    away_until: Moment | None = None
    language: str = ""
    address: str = ""
    mail: Delivery = Delivery.UNDECIDED
    written_at: Moment | None = None
    returned_at: Moment | None = None
    also: str = ""
    asked: str = ""
    asked_at: Moment | None = None
    erasing_at: Moment | None = None
    record: Audience = Audience.NOBODY
    followers: Audience = Audience.NOBODY


class ResultRecord(Struct):
    """A game that is over, as its moves up to record `version` tell it: how many moves led to its end, whether it was played to
    its end by the rules (`whole`), and whether ratings follow from it.
    """

    game: GameId
    version: Count
    title: str
    began_at: Moment
    ended_at: Moment
    players: Count
    moves: Count
    whole: bool
    rated: bool


class StandingRecord(Struct):
    """A seat at the end of a game: its place and score, the companies that it directed last and the privates that it bought first.
    It is `inherited` if its holder has not held it from the start; that is rated for nobody.

    `answers` are the holder's turns: their number, and the quartiles of the waking hours that they took; empty for a seat without a
    person. After a rated game, the holder's rating in all titles and in this title, and the chance of winning that
    the ratings gave before.
    """

    game: GameId
    seat: AnySeat
    place: Count
    score: int
    inherited: bool
    companies: list[str]
    privates: list[str]
    answers: list[float]
    expected: float | None = None
    mu: float | None = None
    sigma: float | None = None
    title_mu: float | None = None
    title_sigma: float | None = None


class DepartureRecord(Struct):
    """A person who left a game that is over now before it ended."""

    game: GameId
    person: PersonId


class OpeningRecord(Struct):
    """A lobby that is open beyond its server since `opened_at`, and for whom; the opener's `note` is shown there once somebody who
    moderates that server has `vouched` for it.
    """

    game: GameId
    reach: LobbyScope
    level: TableLevel
    note: str
    vouched: bool
    opened_at: Moment


class ServerPageRecord(Struct):
    """A server whose results and seasons anybody may see on a page, by the name that its managers gave."""

    guild: str
    name: str
    since: Moment


class WishRecord(Struct):
    """A person who wants to hear once of a table of a title, from the server where they said so (empty: from none)."""

    person: PersonId
    title: str
    guild: str
    made_at: Moment


class BanRecord(Struct):
    """A person, by their digest and that of their mailbox, whom the operator keeps out of open tables, seasons and messages."""

    digest: str
    since: Moment
    mailbox: str = ""


class FollowRecord(Struct):
    """A game, person or season (`target`) that a person follows, by the name under which they asked for it. The next news come at
    `due_at` and tell of changes since `seen`.
    """

    person: PersonId
    kind: FollowKind
    target: str
    name: str
    seen: str
    since: Moment
    due_at: Moment
    interval: NewsInterval = NewsInterval.DAY


class VolunteerRecord(Struct):
    """A person who takes over seats in games of a title."""

    person: PersonId
    title: str
    since: Moment


class OfferRecord(Struct):
    """A seat that is offered to volunteers."""

    game: GameId
    seat: AnySeat
    offered_at: Moment


class SeasonRecord(Struct):
    """Rounds of games of one title on a server: who enters before `draws_at` plays at a table of about `size` players each round.

    Tables are drawn by lot, or with `by_level` so that players of one strength meet. `round` is 0 until the first draw.
    """

    id: Count
    guild: str
    channel: str
    name: str
    title: str
    size: Count
    rounds: Count
    pace_hours: float
    clock: ClockAllowance | None
    by_level: bool
    language: str
    organiser: PersonId
    seed: Count
    status: SeasonStatus
    round: Count
    opened_at: Moment
    draws_at: Moment


class EntrantRecord(Struct):
    """A person in a season, and since when they are out of it."""

    season: Count
    person: PersonId
    name: str
    entered_at: Moment
    left_at: Moment | None = None


class DrawRecord(Struct):
    """A person at a table of a round, with its game once that is opened. At table 0 people sit the round out."""

    season: Count
    round: Count
    number: Count
    person: PersonId
    game: GameId | None = None


class MailRecord(Struct):
    """A mail to a person, or a letter of theirs that is being obeyed: about a game after record `number`, or about none.

    `kind` is a `MailKind`; else that of the `notice` of which it tells.
    `key` identifies it permanently: one for each letter, one for each notice and person. While it waits to be
    sent, `sent_at` is empty; afterwards `reference` says what became of it. `lines` are the text of an answer, `attached`
    the commands whose pictures and files come with it.
    """

    key: str
    person: PersonId
    kind: str
    made_at: Moment
    game: GameId | None = None
    seat: AnySeat | None = None
    number: Count = 0
    notice: Count | None = None
    lines: list[Message | str] = []
    attached: list[str] = []
    sent_at: Moment | None = None
    reference: str | None = None
    id: Count = 0
    attempts: Count = 0


class FailureRecord(Struct):
    """A row of a queue that could not be built, sent or read: `key` names the row in the queue, `tries` counts the attempts.

    `error` is a short reason for operators, without names, addresses or text by strangers. A row that is set
    aside (`set_aside_at`) is not tried again; `reported_at` is when a person who can do something about it heard of it.
    """

    queue: str
    key: str
    tries: Count
    error: str
    first_at: Moment
    last_at: Moment
    game: GameId | None = None
    set_aside_at: Moment | None = None
    reported_at: Moment | None = None


class LeftSeat(Struct, frozen=True):
    """A seat that somebody leaves: their plans there go with them, and their links of these kinds."""

    seat: AnySeat
    person: PersonId
    links: tuple[str, ...]


@dataclass(frozen=True)
class Ballot:
    """A change of a question to the table, saved whole: the question as it stands now, new while it has no number,
    and these answers. `notice` says so; the number of the question is put before its lines.
    """

    question: QuestionRecord
    answers: Sequence[AnswerRecord]
    notice: Notice


@dataclass(frozen=True)
class GivenOrder:
    """A new plan, which takes the place of the plans of these numbers."""

    order: OrderRecord
    replaced: Sequence[int] = ()


Cause = PostRecord | Ballot | GivenOrder | SandboxRecord
"""The cause of moves, saved with them: the message in which they were written, the vote that they carry out, the
plan that makes them, or the sandbox that they were in, with the moves left in it.
"""


@dataclass(frozen=True)
class Commit:
    """One change to a game, saved whole or not at all.

    `records` are appended; `state` is the encoded position after the last of them, `kept` further positions by
    number. `clocks` lists a fresh clock for every seat that the game waits for now: a running clock goes on,
    unless the seat is among `restarted`. `plan_states` are new states of plans, `left` seats whose holders
    go. In a game with a clock, `waits` are the seats whose clocks may stop, with the most seconds that each wait
    may count, and `entries` are added to its ledger. `columns` of the game's row change too. `None` leaves seats, status, clocks, the version of the rules or the place unchanged.
    """

    game: GameId
    expected_version: int
    records: Sequence[MoveRecord]
    state: bytes | None
    now: float
    status: GameStatus | None = None
    clocks: Sequence[WaitRecord] | None = None
    restarted: Sequence[SeatNumber] = ()
    notices: Sequence[Notice] = ()
    seats: Sequence[SeatRecord] | None = None
    kept: Mapping[int, bytes] = field(default_factory=dict)
    plan_states: Sequence[OrderRecord] = ()
    left: Sequence[LeftSeat] = ()
    rules: int | None = None
    place: Place | None = None
    cause: Cause | None = None
    waits: Mapping[SeatNumber, float] = field(default_factory=dict)
    entries: Sequence[LedgerRecord] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)
