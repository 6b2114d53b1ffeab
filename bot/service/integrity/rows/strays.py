"""Rows that belong to no game, and what is known of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bot.engine import NOBODY
from bot.service.integrity.findings import Problem
from bot.store import FailureRecord, PersonRecord, Row, RowFix, unreadable_columns

from .case import format_unreadable

OWN = ("moves", "seats")
"""Tables whose rows a game cannot do without: they are kept for somebody who can put them back."""


def stray_faults(strays: Mapping[str, Sequence[Row]], homes: Mapping[int, int]) -> Iterator[Problem]:
    """Rows whose game or question does not exist; `homes` are the games to which records belong for certain, by rowid."""
    for table, rows in strays.items():
        column = "question" if table == "answers" else "game"
        for parent in dict.fromkeys(row[column] for row in rows):
            lost = [row for row in rows if row[column] == parent]
            what = f"{len(lost)} row(s) belong to {column} {parent!r}, which there is not"
            cures: tuple[RowFix, ...] = ()
            cured = ""
            if table not in OWN:
                cures, cured = (
                    tuple(RowFix(table, row["rowid"]) for row in lost),
                    f"{table}: {len(lost)} row(s) dropped",
                )
            elif table == "moves" and len(lost) == 1 and lost[0]["rowid"] in homes:
                home = homes[lost[0]["rowid"]]
                cures = (RowFix(table, lost[0]["rowid"], {"game": home}),)
                cured = f"record {lost[0]['number']} belongs to game {home} now, the only game that lacks it"
            yield Problem(table, what, cures=cures, cured=cured)


def people_faults(rows: Sequence[Row]) -> Iterator[Problem]:
    """Preferences that cannot be read become the defaults."""
    usual = msgspec.to_builtins(PersonRecord(NOBODY))
    for row in rows:
        bad = unreadable_columns(row, PersonRecord)
        if not bad:
            continue
        values = None if "person" in bad else {column: usual[column] for column in bad}
        cured = "dropped" if values is None else "the defaults now"
        where = f"habits of {row['person']!r}"
        yield Problem(
            where, format_unreadable(bad), cures=(RowFix("people", row["rowid"], values),), cured=f"{where}: {cured}"
        )


def failure_faults(rows: Sequence[Row]) -> Iterator[Problem]:
    """A note of a failed row that cannot be read is dropped: the row is tried again."""
    for row in rows:
        if bad := unreadable_columns(row, FailureRecord):
            where = f"failure {row['queue']} {row['key']}"
            yield Problem(
                where, format_unreadable(bad), cures=(RowFix("failures", row["rowid"]),), cured=f"{where}: dropped"
            )
