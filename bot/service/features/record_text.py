"""Records of people and titles in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from bot.engine import Text, isolate, literal, msg
from bot.i18n import tr
from bot.service.features.records import PersonalRecord, PlayedGame, RatedPlayer, TitleSummary, mean_place
from bot.store import FinishedGame
from bot.titles.registry import NAMES

DAY = 86400
MOST_NAMES = 6
MOST_RATED = 20


def person_lines(record: PersonalRecord) -> list[str]:
    games = record.games
    if not games:
        lines = [tr("No game has been finished yet.")]
        return [*lines, tr("{number} game(s) left early.", record.left)] if record.left else lines
    lines = [tr("Record of {name}", literal(record.name)), summary(tr("All titles"), games, record.rating_in())]
    lines += [
        summary(NAMES.get(title, title), record.of_title(title), record.rating_in(title)) for title in record.titles
    ]
    lines.append(tr("Players: {parts}", ", ".join(by_group(games, lambda one: one.outcome.result.players))))
    lines.append(tr("Seats: {parts}", ", ".join(by_group(games, lambda one: one.seat.standing.seat))))
    lines += holdings(games)
    days = median(length_in_days(one.outcome) for one in games)
    lines.append(tr("Half of the games took up to {days} days.", f"{days:.0f}"))
    if record.answers is not None:
        turns, half, most = record.answers
        lines.append(
            tr(
                "{turns} turns: half within {half}, three quarters within {most} waking hours.",
                turns,
                f"{half:.1f}",
                f"{most:.1f}",
            )
        )
    ends = msg("{left} left early, {broken} abandoned by the table.", record.left, record.broken)
    return [*lines, tr(ends)]


def title_lines(record: TitleSummary) -> list[str]:
    name, outcomes = NAMES.get(record.title, record.title), record.outcomes
    if not outcomes:
        return [tr("No game of {title} has been finished here yet.", name)]
    days = median(length_in_days(one) for one in outcomes)
    moves = median(one.result.moves for one in outcomes)
    lines = [
        tr(
            "{title}: {games} game(s), half of them within {days} days and {moves} moves.",
            name,
            len(outcomes),
            f"{days:.0f}",
            f"{moves:.0f}",
        )
    ]
    lines += seat_lines(outcomes)
    lines += holding_lines(outcomes)
    if record.best:
        lines.append(tr("Ratings of computers, and of players who let you see theirs:"))
        lines += [f"{player}: {tr(rating_text(rated))}" for player, rated in record.best[:MOST_RATED]]
    return lines


def seat_lines(outcomes: Sequence[FinishedGame]) -> list[str]:
    """How often each seat won, by the number of players."""
    lines = []
    for size in sorted({one.result.players for one in outcomes}):
        games = [one for one in outcomes if one.result.players == size]
        wins = Counter(int(held.standing.seat) for one in games for held in one.seats if held.standing.place == 1)
        seats = ", ".join(f"{seat}: {wins[seat]}" for seat in range(1, size + 1))
        lines.append(tr("{players} players, {games} game(s); wins by seat: {seats}", size, len(games), seats))
    return lines


def holding_lines(outcomes: Sequence[FinishedGame]) -> list[str]:
    """How often the director of each company, and the first owner of each private, won."""
    standings = [held.standing for one in outcomes for held in one.seats]
    lines = []
    for label, held in (
        ("Wins by each company's last director: {parts}", [(one.companies, one.place) for one in standings]),
        ("Wins by each private's first owner: {parts}", [(one.privates, one.place) for one in standings]),
    ):
        every = Counter(name for names, _ in held for name in names)
        won = Counter(name for names, place in held for name in names if place == 1)
        if every:
            lines.append(
                tr(label, ", ".join(f"{isolate(name)} {won[name]}/{number}" for name, number in sorted(every.items())))
            )
    return lines


def summary(label: str, games: Sequence[PlayedGame], rated: RatedPlayer | None) -> str:
    whole, tenths = divmod(round(10 * mean_place(games)), 10)
    line = tr(
        "{what}: {games} game(s), {won} won ({expected} expected), place {whole}.{tenths} on average",
        label,
        len(games),
        sum(one.is_won for one in games),
        f"{sum(one.win_chance for one in games):.1f}",
        whole,
        tenths,
    )
    return line if rated is None else f"{line}; {tr(rating_text(rated))}"


def rating_text(rated: RatedPlayer) -> Text:
    text = "rating {rating} ± {sigma}, provisional" if rated.is_provisional else "rating {rating} ± {sigma}"
    return msg(text, f"{rated.rating.mu:.1f}", f"{rated.rating.sigma:.1f}")


def by_group(games: Iterable[PlayedGame], key: Callable[[PlayedGame], int]) -> list[str]:
    """`3: 4 of 9 won` for each group."""
    groups: dict[int, list[PlayedGame]] = {}
    for one in games:
        groups.setdefault(key(one), []).append(one)
    return [
        tr("{group}: {won} of {games} won", group, sum(one.is_won for one in held), len(held))
        for group, held in sorted(groups.items())
    ]


def holdings(games: Sequence[PlayedGame]) -> list[str]:
    """The companies and privates that the player held most often."""
    lines = []
    companies = Counter(name for one in games for name in one.seat.standing.companies)
    privates = Counter(name for one in games for name in one.seat.standing.privates)
    for label, found in (("Companies: {names}", companies), ("Privates: {names}", privates)):
        if found:
            names = ", ".join(f"{name} {number}" for name, number in found.most_common(MOST_NAMES))
            lines.append(tr(label, names))
    return lines


def length_in_days(outcome: FinishedGame) -> float:
    return (outcome.result.ended_at - outcome.result.began_at) / DAY
