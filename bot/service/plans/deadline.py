"""The day until which a plan counts, as people write it: `2026-12-05`, `5.12.`, `Friday`, `morgen`."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from bot.engine import IllegalMove, ParseError

LONGEST = timedelta(days=366)
ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
GERMAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})?")
WEEKDAYS = (
    ("monday", "montag"),
    ("tuesday", "dienstag"),
    ("wednesday", "mittwoch"),
    ("thursday", "donnerstag"),
    ("friday", "freitag"),
    ("saturday", "samstag", "sonnabend"),
    ("sunday", "sonntag"),
)
SOON = {"today": 0, "heute": 0, "tomorrow": 1, "morgen": 1}


def read_day(text: str, now: datetime) -> date | None:
    """The day that a text names, from a moment in its reader's time zone on; None where it names none.

    :raises ParseError: there is no such day.
    :raises IllegalMove: it is past, or more than a year ahead.
    """
    word, today = text.strip().lower(), now.date()
    day = today + timedelta(SOON[word]) if word in SOON else _next_weekday(word, today)
    if day is None and (found := ISO.fullmatch(word)):
        day = _day(text, int(found[1]), int(found[2]), int(found[3]))
    if day is None and (found := GERMAN.fullmatch(word)):
        day = _day(text, int(found[3] or today.year), int(found[2]), int(found[1]))
        if day < today and not found[3]:
            day = _day(text, today.year + 1, int(found[2]), int(found[1]))
    if day is not None and not today <= day <= today + LONGEST:
        raise IllegalMove("A plan counts until a day from today on, a year ahead at most; {day} is not.", "", str(day))
    return day


def _next_weekday(word: str, today: date) -> date | None:
    """The next day of that name; today's name means a week from now."""
    number = next((number for number, names in enumerate(WEEKDAYS) if word in names), None)
    return None if number is None else today + timedelta((number - today.weekday() - 1) % 7 + 1)


def _day(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise ParseError("There is no day {day}.", "", text[:20]) from None


def end_of_day(day: date, now: datetime) -> float:
    """The moment at which a day is over in the time zone of `now`, in seconds since 1970."""
    return datetime.combine(day + timedelta(1), time(), now.tzinfo).timestamp()
