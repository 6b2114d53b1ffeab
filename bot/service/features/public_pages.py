"""Public pages: the records of titles, of servers whose managers want a page, of their seasons, and of people who want theirs.

Their readers are strangers: a person who has not made their record public is "a player" there, without a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from bot.engine import NOBODY, IllegalMove, PersonId, isolate
from bot.i18n import tr
from bot.service.sessions import SessionManager, clean_name, is_computer
from bot.store import SITS_OUT, FinishedGame, RatedSeat, SeasonRecord, ServerPageRecord
from bot.titles.registry import NAMES

from .open_tables import OpenTables
from .record_text import person_lines, title_lines
from .records import Records
from .results import score_of
from .seasons import Seasons, SeasonView

MARK_LETTERS = 16
MOST_GAMES, MOST_PEOPLE, MOST_SEASONS = 20, 500, 50
NO_PAGE = "There is no such page."


@dataclass(frozen=True)
class PageLine:
    """A line of a page, in the reader's language; with an `address` it is a link."""

    text: str
    address: str = ""


@dataclass(frozen=True)
class PageSection:
    heading: str
    lines: Sequence[PageLine] = ()
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class PublicPage:
    heading: str
    sections: Sequence[PageSection] = field(default_factory=tuple)


class PublicPages:
    def __init__(self, desk: SessionManager, records: Records, seasons: Seasons, open_tables: OpenTables) -> None:
        self.desk, self.records, self.seasons, self.open_tables = desk, records, seasons, open_tables

    # -- what managers want -------------------------------------------------------------------------

    async def show_server(self, guild: str, name: str) -> str:
        """Give a server a page; returns the name that it bears there.

        :raises IllegalMove: it cannot be used as a name.
        """
        name = clean_name(name)
        await self.desk.store.openings.set_page(guild, ServerPageRecord(guild, name, self.desk.now()))
        return name

    async def drop_server(self, guild: str) -> None:
        await self.desk.store.openings.set_page(guild, None)

    async def revision(self) -> tuple[object, ...]:
        """Everything that people and managers allow: a page that was made before it changed is not shown any more."""
        return (*await self.records.public_people(), *map(repr, await self.desk.store.openings.list_pages()))

    # -- pages --------------------------------------------------------------------------------------

    async def index(self) -> PublicPage:
        """All pages, in the reader's language."""
        servers = [PageLine(one.name, f"/servers/{one.guild}") for one in await self.desk.store.openings.list_pages()]
        titles = [PageLine(NAMES[title], f"/titles/{title}") for title in sorted(self.desk.titles) if title in NAMES]
        people = []
        for person in (await self.records.public_people())[:MOST_PEOPLE]:
            record = await self.records.record_of(person, NOBODY, ())
            if record.name:
                people.append(PageLine(record.name, f"/people/{mark_of_person(person)}"))
        found = [(tr("Titles"), titles), (tr("Servers"), servers)]
        found.append((tr("Players"), sorted(people, key=lambda one: one.text.casefold())))
        return PublicPage(tr("Records"), [PageSection(heading, lines) for heading, lines in found if lines])

    async def title(self, title: str) -> PublicPage:
        """:raises IllegalMove: there is no such title."""
        if title not in self.desk.titles or title not in NAMES:
            raise IllegalMove(NO_PAGE)
        lines = title_lines(await self.records.record_of_title(title, NOBODY, ()))
        opened = [PageLine(tr(one.line)) for one in await self.open_tables.list_open() if one.title.id == title]
        sections = [PageSection("", [PageLine(line) for line in lines])]
        return PublicPage(NAMES[title], [*sections, *([PageSection(tr("Open tables"), opened)] if opened else [])])

    async def person(self, mark: str) -> PublicPage:
        """:raises IllegalMove: nobody with this mark has a page."""
        found = [person for person in await self.records.public_people() if mark_of_person(person) == mark]
        if len(found) != 1:
            raise IllegalMove(NO_PAGE)
        record = await self.records.record_of(found[0], NOBODY, ())
        heading, *lines = person_lines(record)
        return PublicPage(heading, [PageSection("", [PageLine(line) for line in lines])] if lines else [])

    async def server(self, guild: str) -> PublicPage:
        """:raises IllegalMove: the server has no page."""
        page = await self._page_of(guild)
        seasons = [
            PageLine(tr((await self.seasons.view(one)).heading), f"/seasons/{one.id}")
            for one in await self.desk.store.seasons.list_of(guild, NOBODY, MOST_SEASONS)
        ]
        opened = [PageLine(tr(one.line)) for one in await self.open_tables.list_open() if one.lobby.guild == guild]
        outcomes, shown = await self.records.outcomes(guild), {*await self.records.public_people()}
        played = Counter(outcome.result.title for outcome in outcomes if outcome.result.whole)
        rows = [(NAMES.get(title, title), str(number)) for title, number in played.most_common()]
        games = [PageLine(result_line(outcome, shown)) for outcome in outcomes[:MOST_GAMES]]
        sections = [
            PageSection(tr("Seasons"), seasons),
            PageSection(tr("Open tables"), opened),
            PageSection(tr("Finished games"), games, (tr("Title"), tr("Games")) if rows else (), rows),
        ]
        return PublicPage(page.name, [one for one in sections if one.lines or one.rows])

    async def season(self, season_id: int) -> PublicPage:
        """:raises IllegalMove: there is no such season, or its server has no page."""
        season = await self.desk.store.seasons.find(season_id)
        if season is None:
            raise IllegalMove(NO_PAGE)
        page = await self._page_of(season.guild)
        view, shown = await self.seasons.view(season), {*await self.records.public_people()}
        sections = [PageSection("", [PageLine(tr(view.heading)), PageLine(page.name, f"/servers/{season.guild}")])]
        if season.round:
            heads = (tr("Place"), tr("Name"), tr("Points"), tr("Games"))
            sections.append(PageSection(tr("Standings"), heads=heads, rows=standing_rows(view, shown)))
            sections.append(
                PageSection(tr("Round {round}", season.round), await self._table_lines(season, view, shown))
            )
        return PublicPage(season.name, sections)

    async def _page_of(self, guild: str) -> ServerPageRecord:
        found = next((one for one in await self.desk.store.openings.list_pages() if one.guild == guild), None)
        if found is None:
            raise IllegalMove(NO_PAGE)
        return found

    async def _table_lines(self, season: SeasonRecord, view: SeasonView, shown: Collection[PersonId]) -> list[PageLine]:
        """The tables of this round."""
        names = {one.entrant.person: one.entrant.name for one in view.standings}
        tables: dict[int, list[str]] = {}
        for one in await self.desk.store.seasons.draws_of(season.id):
            if one.round == season.round:
                tables.setdefault(one.number, []).append(name_shown(one.person, names.get(one.person, ""), shown))
        lines = []
        for number, people in sorted(tables.items()):
            game_id = view.tables[number][0] if number in view.tables else None
            who = ", ".join(people)
            text = "Table {number}: {names}" if game_id not in view.over else "Table {number}, over: {names}"
            lines.append(tr("Sitting this round out: {names}", who) if number == SITS_OUT else tr(text, number, who))
        return [PageLine(line) for line in lines]


def mark_of_person(person: PersonId) -> str:
    """The part of an address that stands for a person."""
    return sha256(b"page" + person.encode()).hexdigest()[:MARK_LETTERS]


def name_shown(person: PersonId, name: str, shown: Collection[PersonId]) -> str:
    """A name on a public page."""
    return name if person and (person in shown or is_computer(person)) else tr("a player")


def result_line(outcome: FinishedGame, shown: Collection[PersonId]) -> str:
    """A finished game with the places of its players."""
    ended = datetime.fromtimestamp(outcome.result.ended_at, UTC)
    broken = "" if outcome.result.whole else f" ({tr('abandoned')})"
    names = ", ".join(seat_words(outcome, one, shown) for one in outcome.seats)
    return f"{NAMES.get(outcome.result.title, outcome.result.title)}, {ended:%Y-%m-%d}{broken}: {names}"


def seat_words(outcome: FinishedGame, seat: RatedSeat, shown: Collection[PersonId]) -> str:
    name = name_shown(seat.held.person, seat.held.name, shown)
    return f"{seat.standing.place}. {isolate(name)} {score_of(outcome, seat)}"


def standing_rows(view: SeasonView, shown: Collection[PersonId]) -> list[tuple[str, str, str, str]]:
    return [
        (str(place), name_shown(one.entrant.person, one.entrant.name, shown), f"{one.points:g}", str(one.games))
        for place, one in enumerate(view.standings, 1)
    ]
