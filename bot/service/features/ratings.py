"""Ratings of players by OpenSkill's Plackett-Luce model: in all titles, and in each title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec

from bot.engine import PersonId
from bot.store import FinishedGame, ResultRecord, StandingRecord, Store

if TYPE_CHECKING:
    from openskill.models import PlackettLuce, PlackettLuceRating

BEGINNER_MU, BEGINNER_SIGMA = 25.0, 25.0 / 3
"""The rating of everybody before their first game."""

PROVISIONAL = 5
"""Number of rated games before a rating is no longer provisional."""

PART = 200
"""Number of games that are rated before their ratings are saved."""


@dataclass(frozen=True)
class Rating:
    """A player's strength (25 is the beginner's) and its uncertainty: two of three true strengths are within `sigma`."""

    mu: float = BEGINNER_MU
    sigma: float = BEGINNER_SIGMA


BEGINNER = Rating()


class Ratings:
    """Ratings computed from finished games, in the order in which they ended."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def catch_up(self) -> int:
        """Rate every game that can be rated and is not; returns how many."""
        known: dict[tuple[PersonId, str], Rating] = {}
        number = 0
        while outcomes := await self.store.results.list_unrated(PART):
            rated: list[StandingRecord] = []
            for outcome in outcomes:
                rated += await self._rate(outcome, known)
            await self.store.results.save_ratings(rated)
            number += len(outcomes)
        return number

    async def _rate(self, outcome: FinishedGame, known: dict[tuple[PersonId, str], Rating]) -> list[StandingRecord]:
        result = outcome.result
        people = [PersonId("") if one.standing.inherited else one.held.person for one in outcome.seats]
        places = [one.standing.place for one in outcome.seats]
        after: dict[str, list[Rating]] = {}
        chances: list[float] = []
        for title in ("", result.title):
            before = [await self._rating(person, title, result, known) for person in people]
            chances = win_chances(before)
            after[title] = rate(before, places)
            for person in set(people) - {""}:
                # Only a kind of computer player has several seats in a rated game.
                own = [new for one, new in zip(people, after[title], strict=True) if one == person]
                mean = Rating(fmean(new.mu for new in own), fmean(new.sigma for new in own))
                known[person, title] = mean
                after[title] = [mean if one == person else new for one, new in zip(people, after[title], strict=True)]
        return [
            msgspec.structs.replace(
                one.standing,
                expected=chance,
                mu=overall.mu,
                sigma=overall.sigma,
                title_mu=own.mu,
                title_sigma=own.sigma,
            )
            for one, chance, overall, own in zip(outcome.seats, chances, after[""], after[result.title], strict=True)
        ]

    async def _rating(
        self, person: PersonId, title: str, before: ResultRecord, known: dict[tuple[PersonId, str], Rating]
    ) -> Rating:
        if not person:
            return BEGINNER
        if (person, title) not in known:
            last = await self.store.results.newest_rating(person, title, before)
            known[person, title] = BEGINNER if last is None else rating_of(last, bool(title))
        return known[person, title]


def rating_of(standing: StandingRecord, is_of_title: bool) -> Rating:
    """The rating after a rated game."""
    mu, sigma = (standing.title_mu, standing.title_sigma) if is_of_title else (standing.mu, standing.sigma)
    return BEGINNER if mu is None or sigma is None else Rating(mu, sigma)


def rate(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game with these places; equal places are a tie."""
    found = model().rate([[_rating(one)] for one in before], ranks=[float(place) for place in places])
    return [Rating(float(one.mu), float(one.sigma)) for (one,) in found]


def win_chances(ratings: Sequence[Rating]) -> list[float]:
    """Everybody's chance of winning; together 1."""
    return [float(chance) for chance in model().predict_win([[_rating(one)] for one in ratings])]


@cache
def model() -> PlackettLuce:
    """OpenSkill's model, imported when something is rated: a program that begins needs none."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=BEGINNER_MU, sigma=BEGINNER_SIGMA)


def _rating(rating: Rating) -> PlackettLuceRating:
    return model().rating(mu=rating.mu, sigma=rating.sigma)
