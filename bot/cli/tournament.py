"""`signalbox tournament`: computer players against each other and against chance."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, quantiles
from typing import Any, NamedTuple

from bot.ai.fuzzer import NoLegalMove
from bot.ai.tournament import FORMER, PLAYERS, RANDOM, Match, play_match, rotate_seats
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import Game, chosen_options, options_for_chance
from bot.jobs.job_types import JobType
from bot.service.imports.file_io import encode_game_file
from bot.titles.registry import TITLES
from bot.untrusted_input import InvalidFile

from .former_players import FormerPlayers, checkout_of
from .games import progress_bar, run_in_parallel


class MatchJob(NamedTuple):
    title: str
    seats: tuple[str, ...]
    seed: int
    moves: int
    is_varied: bool = False
    checkout: str = ""


def tournament(arguments: argparse.Namespace) -> int:
    """Games with the seats rotated; exit 1 when an audit fails."""
    title = TITLES.get(arguments.title)
    if title is None:
        raise InvalidFile(f"there is no title {arguments.title}; there are: {', '.join(TITLES)}")
    seats = tuple(arguments.seats.split(","))
    if unknown := [name for name in seats if name not in PLAYERS]:
        raise InvalidFile(f"there is no player {unknown[0]}; there are: {', '.join(PLAYERS)}")
    if len(seats) not in title.players:
        raise InvalidFile(f"{title.name} is for {title.players.start} to {title.players.stop - 1} players")
    if not arguments.against:
        return play_all(title.id, seats, arguments, "")
    with checkout_of(arguments.against) as checkout:
        former = (name if name == RANDOM else FORMER + name for name in seats[1:])
        return play_all(title.id, (seats[0], *former), arguments, str(checkout))


def play_all(title: str, seats: Sequence[str], arguments: argparse.Namespace, checkout: str) -> int:
    orders = [
        MatchJob(
            title,
            tuple(rotate_seats(seats, number)),
            arguments.seed + number,
            arguments.moves,
            arguments.varied,
            checkout,
        )
        for number in range(arguments.games)
    ]
    matches, failures = [], []
    for found in progress_bar(run_in_parallel(TOURNAMENT, orders, arguments), "playing", len(orders)):
        if isinstance(found, Match):
            matches.append(found)
            if arguments.out:
                _write(arguments.out, found)
        else:
            failures.append(found)
    report = build_report(matches)
    if arguments.json:
        print(json.dumps({"ok": not failures, **report, "failures": failures}))
    else:
        _print(report, failures)
    return 1 if failures else 0


def run_match(order: MatchJob) -> Match | str:
    former: list[FormerPlayers] = []

    def rivals(game: Game) -> FormerPlayers:
        former.append(FormerPlayers(Path(order.checkout), game))
        return former[0]

    try:
        asked = rivals if order.checkout else None
        return play_match(TITLES[order.title], order.seats, order.seed, order.moves, order.is_varied, asked)
    except (NoLegalMove, InvalidFile) as error:
        return str(error)
    finally:
        for process in former:
            process.close()


TOURNAMENT: JobType[MatchJob, Match | str] = JobType("tournament", MatchJob, Match | str, run_match, seconds=3 * 3600)


def build_report(matches: Sequence[Match]) -> dict[str, Any]:
    """Who won how often, what everybody had, and how long decisions took, in milliseconds of work."""
    names = list(dict.fromkeys(name for match in matches for name in match.seats))
    rows = []
    for name in names:
        scores = [
            score for match in matches for seat, score in zip(match.seats, match.scores, strict=True) if seat == name
        ]
        won = sum(name in match.winners for match in matches)
        rows.append(
            {"player": name, "won": won, "mean": round(mean(scores)), "least": min(scores), "most": max(scores)}
        )
    games = [
        {"seed": match.seed, "seats": match.seats, "scores": match.scores, "sets": match.sets, "reason": match.reason}
        for match in matches
    ]
    times = _times([s for match in matches for s in match.seconds])
    return {"players": rows, "games": games, "course": _course(matches), "milliseconds": times}


def _course(matches: Sequence[Match]) -> dict[str, float]:
    """Averages over a game, and the part of the stock rounds in which somebody kept much money for nothing."""
    if not matches:
        return {}
    names = {"moves": None, "floated": "CompanyFloated", "trains": "TrainBought", "presidencies": "PresidentChanged"}
    found = {
        name: round(mean(match.happened.get(event, 0) if event else len(match.texts) for match in matches), 1)
        for name, event in names.items()
    }
    leavings = sum(match.leavings for match in matches)
    return {**found, "idle": round(sum(match.idle for match in matches) / leavings, 3) if leavings else 0.0}


def _times(seconds: list[float]) -> dict[str, int]:
    if len(seconds) < 2:
        return {}
    cuts = quantiles(seconds, n=100, method="inclusive")
    return {"p50": round(1000 * cuts[49]), "p95": round(1000 * cuts[94]), "max": round(1000 * max(seconds))}


def _write(folder: Path, match: Match) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    title = TITLES[match.title]
    names = tuple(f"{name} {at}" for at, name in enumerate(match.seats, 1))
    options = chosen_options(title, options_for_chance(title, {}))
    result = dict(zip(names, match.scores, strict=True)) if match.reason else {}
    course = GameRecordFile(match.title, names, tuple(match.texts), options, match.seed, title.version, result)
    (folder / f"{match.title}-{match.seed}.json").write_bytes(encode_game_file(course))


def _print(report: dict[str, Any], failures: Sequence[str]) -> None:
    for game in report["games"]:
        ends = ", ".join(f"{name} {score}" for name, score in zip(game["seats"], game["scores"], strict=True))
        print(f"seed {game['seed']}: {ends}; {game['sets']} sets; {game['reason'] or 'broken off'}")
    for row in report["players"]:
        print(f"{row['player']:>8}  won {row['won']:>3}  mean {row['mean']:>6}  {row['least']} to {row['most']}")
    if course := report["course"]:
        print(
            f"a game: {course['moves']} moves, {course['floated']} companies launched, {course['trains']} trains bought, "
            f"{course['presidencies']} presidencies changed; idle money in {course['idle']:.1%} of stock rounds"
        )
    if times := report["milliseconds"]:
        print(f"decisions: p50 {times['p50']} ms, p95 {times['p95']} ms, most {times['max']} ms")
    for failure in failures:
        print(f"FAILED {failure}")
