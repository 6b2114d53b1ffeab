"""The ways to write a run: the best run, trains by their kind, stops by their hex, or only the hexes."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import islice, product

from bot.engine import CompanyId, HexId, IllegalMove, Owner, ParseError, msg
from bot.engine.notation.fields import near_words
from bot.engine.play.game import Game
from bot.engine.state.actions import Action, Run, RunRoutes

from .suggestions import passed_by, short_text

MOST_WAYS = 64
"""Maximum number of combinations of stops tried for a route that names only hexes."""


def run(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`run` and `run best` take the best routes; a route may name stops by their hex and trains by their kind, or
    leave out the train: `run G4-F5`.

    :raises IllegalMove: no company, or it has nothing to run in this turn.
    """
    if list(words) == ["nothing"]:
        return None
    if words and all("=" in word for word in words):
        return _named_routes(game, by, words)
    if by not in game.state.companies:
        raise IllegalMove("Companies run trains.")
    _check_can_run(game, CompanyId(by))
    from bot.engine.play.steps.routes import best_run

    best: RunRoutes = best_run(game, CompanyId(by), time.monotonic)
    if list(words) in ([], ["best"]):
        return best
    plain = re.sub(r"\s*[>-]\s*", ">", " ".join(words)).split()
    if all(">" in word and "=" not in word for word in plain):
        return _routes_between(game, by, plain)
    raise ParseError("Write a route like this:", "", instead=(short_text(game, best),) if best.runs else ())


def _check_can_run(game: Game, company: CompanyId) -> None:
    """Say why the company in turn is never asked to run in this turn.

    :raises IllegalMove: it has no train, or no route.
    """
    here, record = game.state.round, game.company(company)
    has_run = record.last_run is not None and record.last_run.round == f"{here.number}.{here.part}"
    if company != game.frame.entity or has_run:
        return
    if any(RunRoutes in position.open_verbs() for position in (game, *(trial for _, trial in passed_by(game)))):
        return
    if not game.title.rules.runs_with(game, company):
        raise IllegalMove("{company} has no train to run.", "", company)
    raise IllegalMove("No train of {company} finds a route, so it does not run.", "", company)


def _routes_between(game: Game, by: Owner, words: Sequence[str]) -> Action:
    """The first legal run of the trains in their order through these hexes, whichever stops of them are meant."""
    stops = [_stops(game, space) for word in words for space in word.split(">")]
    lengths = [word.count(">") + 1 for word in words]
    runs = []
    for chosen in islice(product(*stops), MOST_WAYS):
        left = iter(chosen)
        runs.append(_named_routes(game, by, ["=" + ">".join(islice(left, length)) for length in lengths]))
    return next((run for run in runs if game.allows(run)), runs[0])


def _stops(game: Game, space: str) -> list[str]:
    """The stops of a hex by their full names; the word itself where there are none."""
    nodes = game.tile_at(HexId(space)).nodes if space in game.board_rules.map.hexes else ()
    return [f"{space}.{node.id}" for node in nodes if node.kind != "junction"] or [space]


def _named_routes(game: Game, by: Owner, words: Sequence[str]) -> Action:
    left = list(game.title.rules.runs_with(game, CompanyId(by)))
    runs = []
    for word in words:
        name, _, path = word.partition("=")
        card = next((train for train in left if name in (train.id, train.kind, "")), None)
        if card is not None:
            left.remove(card)
        runs.append(Run(card.id if card else name, tuple(_stop(game, space) for space in path.split(">"))))
    known = [space.partition(".")[0] for run in runs for space in run.path]
    unknown = next((space for space in known if space not in game.board_rules.map.hexes), None)
    if unknown is not None:
        raise ParseError(
            "There is no hex {unknown}{hexes}.",
            "",
            unknown or msg("without a name"),
            near_words(unknown, game.board_rules.map.hexes),
        )
    return RunRoutes(by, tuple(runs))


def _stop(game: Game, word: str) -> str:
    """The stop of a hex that has only one; other words as they are."""
    if "." in word or word not in game.board_rules.map.hexes:
        return word
    stops = _stops(game, word)
    passes_by = any(path.is_track and len(path.edges) == 2 for path in game.tile_at(HexId(word)).paths)
    return stops[0] if len(stops) == 1 and not passes_by else word
