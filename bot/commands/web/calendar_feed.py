"""Somebody's deadlines as a calendar that their calendar program reads again and again (iCalendar, RFC 5545).

It is written without a library: ten properties of one component need no time zones or recurrence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from urllib.parse import urlsplit

from aiohttp import ETag, hdrs, web

from bot.engine import PersonId, SeatNumber, Text
from bot.i18n import set_reader_language, tr
from bot.service.features.board_links import CALENDAR, SPACING_OF_USES
from bot.service.game_service import GameService
from bot.service.views.clock_text import AT_ZERO_YOU, zero_message
from bot.store import GameRecord, GameStatus, LinkKind

from .auth import Authenticator
from .views import PageViews, accepted_language

MOST_EVENTS = 100
LONGEST_LINE = 75
"""Bytes of a line; a longer line is folded."""
REFRESHED = "PT1H"
"""How often calendar programs are asked to read it."""
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": ""})


@dataclass(frozen=True)
class Deadline:
    """The end of the time of a seat that is asked: since when, after which log entry, what it is asked."""

    record: GameRecord
    seat: SeatNumber
    number: int
    since: datetime
    until: datetime
    question: Text


class CalendarFeed:
    def __init__(self, looking: PageViews) -> None:
        self.looking, self.tables = looking, looking.tables

    def add_to(self, router: web.UrlDispatcher) -> None:
        router.add_get(f"{CALENDAR}/{{token}}.ics", self.calendar)

    @property
    def doors(self) -> Authenticator:
        return self.looking.doors

    async def calendar(self, request: web.Request) -> web.StreamResponse:
        set_reader_language(accepted_language(request))
        visit = await self.doors.by_token(request.match_info["token"], LinkKind.CALENDAR)
        self.looking.check_rate_limit(visit)
        link = visit.links[0]
        set_reader_language(await self.tables.languages.chosen_language(link.person) or accepted_language(request))
        await self.tables.links.mark_used(link, SPACING_OF_USES)
        text = calendar_text(await deadlines_of(self.tables, link.person), self.doors.address.origin)
        version = blake2b(text.encode(), digest_size=12).hexdigest()
        headers = {hdrs.CACHE_CONTROL: "private, no-cache", hdrs.ETAG: f'"{version}"', hdrs.VARY: "Accept-Language"}
        if ETag(version) in (request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        return web.Response(text=text, content_type="text/calendar", headers=headers)


async def deadlines_of(tables: GameService, person: PersonId) -> list[Deadline]:
    """The ends of all times that run for this person, by their present seats; the first first."""
    found = []
    for status in await tables.queries.games_of(person):
        asked = {one.seat.number: one for one in status.waiting if person in (one.seat.person, one.seat.sitter)}
        if not asked or status.record.clock is None or status.record.status != GameStatus.RUNNING:
            continue
        budgets = await tables.desk.budgets(await tables.desk.table(status.record.id))
        found += [
            Deadline(status.record, number, budget.number, one.since, budget.runs_out, status.question)
            for number, one in asked.items()
            if (budget := budgets.get(number)) is not None and budget.runs_out is not None
        ]
    return sorted(found, key=lambda one: one.until)[:MOST_EVENTS]


def calendar_text(deadlines: Iterable[Deadline], origin: str) -> str:
    name = tr("Signalbox: your deadlines")
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Signalbox//Signalbox//EN", "CALSCALE:GREGORIAN"]
    lines += [f"NAME:{escaped_text(name)}", f"X-WR-CALNAME:{escaped_text(name)}"]
    lines += [f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESHED}", f"X-PUBLISHED-TTL:{REFRESHED}"]
    for one in deadlines:
        lines += event_lines(one, origin)
    return "".join(f"{part}\r\n" for line in (*lines, "END:VCALENDAR") for part in folded_lines(line))


def event_lines(deadline: Deadline, origin: str) -> Iterator[str]:
    record, host = deadline.record, urlsplit(origin).hostname or ""
    page = f"{origin}/g/{record.id}/"
    told = [tr(deadline.question), *([tr(zero_message(AT_ZERO_YOU, record.clock))] if record.clock else []), page]
    yield "BEGIN:VEVENT"
    yield f"UID:game-{record.id}-{deadline.seat}-{deadline.number}@{host}"
    yield f"DTSTAMP:{utc_text(deadline.since)}"
    yield f"DTSTART:{utc_text(deadline.until)}"
    yield f"SUMMARY:{escaped_text(tr('{title} #{number}: your time runs out', record.title, record.id))}"
    yield f"DESCRIPTION:{escaped_text(chr(10).join(told))}"
    yield f"URL:{page}"
    yield "TRANSP:TRANSPARENT"
    yield "CLASS:PRIVATE"
    yield "END:VEVENT"


def utc_text(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escaped_text(text: str) -> str:
    """A text value; controls have no place in a line."""
    kept = "".join(sign for sign in text if sign in "\n\t" or sign >= " ")
    return kept.translate(ESCAPES)


def folded_lines(line: str) -> Iterator[str]:
    """The line in parts of at most `LONGEST_LINE` bytes; each after the first begins with a space. No letter is divided."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > LONGEST_LINE:
            yield part
            part = " "
        part += letter
    yield part
