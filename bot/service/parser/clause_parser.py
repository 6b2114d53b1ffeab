"""The meaning of a clause's words in a position: forms of actions, completed from the legal actions, and a few verbs that
mean more: `lay 57 H11 to H9`, `run best`, `pass`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import NODEFAULT, structs

from bot.engine import HexId, Owner, PrivateId, as_company, is_player, join_and, msg
from bot.engine.notation.text import read_draft, refusal
from bot.engine.notation.verb import Draft, Gap
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import share_unit
from bot.engine.play.steps.waterfall import Waterfall, is_bought
from bot.engine.refusals import AmbiguousMove, IllegalMove, ParseError
from bot.engine.state.actions import Action, Answer, Bid, BuyPrivate, BuyTrain, Done, LayTile, Pass
from bot.i18n import tr

from .preview import exits_of
from .run_clause import run
from .suggestions import short_text

Kind = TypeVar("Kind", bound=Action)


def legal_of(game: Game, kind: type[Kind], by: Owner) -> list[Kind]:
    """The legal actions of one kind, without listing those of other steps."""
    steps = (step for step in game.open_steps() if kind in step.verbs)
    found = (action for step in steps for action in step.options(game))
    return list(dict.fromkeys(action for action in found if isinstance(action, kind) and action.by == by))


def ambiguous(game: Game, sentence: str, actions: Sequence[Action]) -> AmbiguousMove:
    return AmbiguousMove(sentence, instead=tuple(short_text(game, action) for action in actions))


def check_in_game(game: Game, word: str) -> None:
    """Refuse companies and privates of the box that are not among those of this game, if it has any.

    :raises IllegalMove: it is such a clause.
    """
    state, title = game.state, game.title
    for printed, here in ((title.companies, state.companies), (title.privates, state.privates)):
        if word in printed and here and word not in here:
            raise IllegalMove("{name} is not in this game.", "", word)


def read_move(game: Game, by: Owner, verb: str, words: Sequence[str]) -> Action:
    """The action that a verb and its words mean in this position.

    :raises ParseError: none; the sentence says what is missing or unknown.
    :raises AmbiguousMove: several.
    """
    found = SPECIAL[verb](game, by, words) if verb in SPECIAL else None
    return found or complete(game, by, verb, read_draft(game.title, [verb, *words]))


def complete(game: Game, by: Owner, word: str, draft: Draft) -> Action:
    """The action that a draft means: what is not said is as usual, or as in the only legal action like this.

    :raises ParseError: too little is said, or a word is wrong.
    :raises AmbiguousMove: several legal actions differ only in the one field that is missing.
    """
    verb, said = draft.verb, draft.said
    if draft.wrong is not None:
        raise refusal(game.title, draft, word)
    if verb.kind is BuyPrivate and (bought := _bought_at_once(game, by, said)):
        return bought
    said |= {gap.name: gap.type.usual for gap in draft.missing if gap.type.usual is not None}
    missing = [gap for gap in draft.missing if gap.name not in said]
    unsaid = [gap for gap in verb.gaps if gap.type.is_inferred and gap.name not in said]
    action = None if missing else draft.action(by)
    if action is not None and (not unsaid or game.allows(action)):
        return action
    if said and (only := _only_like(game, by, draft, missing, unsaid)):
        return only
    if action is not None:
        return action
    price = _printed_price(game, by, verb.kind, said) if len(missing) < 2 else {}
    if not price:
        raise refusal(game.title, draft, word)
    return verb.kind(by, **said | price)


def _only_like(game: Game, by: Owner, draft: Draft, missing: Sequence[Gap], unsaid: Sequence[Gap]) -> Action | None:
    """The only legal action that agrees with a draft; None where there is none, or too little is said to ask.

    :raises AmbiguousMove: there are several.
    """
    legal = _like(game, by, draft, unsaid)
    if len(legal) == 1:
        return legal[0]
    if not legal or len(missing) > 1:
        return None
    asked = tr("{question} There are several possibilities.", msg((missing or unsaid)[0].type.prompt))
    raise ambiguous(game, asked, legal)


def _printed_price(game: Game, by: Owner, kind: type[Action], said: Mapping[str, Any]) -> dict[str, int]:
    """The price of a private or a train that nobody may buy now, for the rules to refuse; nothing for others.

    :raises IllegalMove: it is not in this game, or is auctioned.
    """
    if kind is BuyPrivate and "private" in said:
        check_in_game(game, said["private"])
        _check_auction(game, by, said["private"])
        return {"price": game.private(said["private"]).price}
    is_plain = kind is BuyTrain and "kind" in said and not said.keys() & {"trade_in", "using"}
    return {"price": game.title.trains[said["kind"]].price} if is_plain else {}


def _like(game: Game, by: Owner, draft: Draft, unsaid: Sequence[Gap]) -> list[Action]:
    """The legal actions that agree with a draft; a sum that is said stands for the sums of a sample."""
    gaps, said = draft.verb.gaps, draft.said
    sums = {gap.name: said[gap.name] for gap in gaps if gap.type.name == "sum" and gap.name in said}
    sums = sums if draft.verb.kind.is_sampled else {}
    usual = {gap.name: gap.default for gap in gaps if gap.default is not NODEFAULT and gap not in unsaid}
    fixed = {name: value for name, value in {**usual, **said}.items() if name not in sums}
    found = (one for one in legal_of(game, draft.verb.kind, by) if all(getattr(one, n) == fixed[n] for n in fixed))
    return list(dict.fromkeys(structs.replace(one, **sums) for one in found))


def without_percent(game: Game, words: Sequence[str]) -> Sequence[str]:
    """The words with a number of shares for a percentage of a company.

    :raises ParseError: that is not a whole number.
    """
    company = next((as_company(word) for word in words if word in game.state.companies), None)
    if company is None:
        return words
    share, found = share_unit(game.company(company)), list[str]()
    for word in words:
        percent = re.fullmatch(r"([0-9]{1,3})%", word)
        if percent and int(percent[1]) % share:
            raise ParseError(
                "Each share of {company} is {percent}%; {number}% is not a whole number of shares.",
                "",
                company,
                share,
                int(percent[1]),
            )
        found.append(str(int(percent[1]) // share) if percent else word)
    return found


# -- track --------------------------------------------------------------------------------------------


def lay(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`lay 57 H11 to H9`, `upgrade H11 to 14`, and without a rotation where only one is legal."""
    spaces, tiles = game.board_rules.map.hexes, game.board_rules.tiles
    cut = words.index("to") if "to" in words else len(words)
    named, targets = list(words[:cut]), list(words[cut + 1 :])
    if "with" in targets:
        at = targets.index("with")
        named, targets = [*named, *targets[at : at + 2]], [*targets[:at], *targets[at + 2 :]]
    if targets and targets[0] in tiles and targets[0] not in spaces:
        named, targets = [*named, *targets], []
    if len(targets) == 1 and targets[0] in spaces and not any(word in spaces for word in named):
        named, targets = [*named, *targets], []
    draft = read_draft(game.title, ["lay", *named])
    if draft.wrong or not {"tile", "hex"} <= draft.said.keys() or (draft.is_whole and not targets):
        return complete(game, by, "lay", draft)
    rotations = [draft.said["rotation"]] if draft.is_whole else range(6)
    options = [LayTile(by, **draft.said | {"rotation": rotation}) for rotation in rotations]
    return _one_lay(game, options, [_beside(game, draft.said["hex"], target) for target in targets])


def _beside(game: Game, space: HexId, target: str) -> HexId:
    """The target, if it is next to the hex.

    :raises ParseError: it does not.
    """
    beside = [other for other in game.board_rules.map.neighbours[space] if other]
    if target not in beside:
        raise ParseError(
            "{target} is not adjacent to {hex}; its neighbours are {hexes}.", "", target, space, ", ".join(beside)
        )
    return HexId(target)


def _one_lay(game: Game, options: Sequence[LayTile], targets: Sequence[HexId]) -> Action:
    """The only legal one of several rotations whose track leads to the targets.

    :raises AmbiguousMove: several are legal.
    :raises Rejected: none is; with the reason against the first.
    """
    what = tr("{tile} on {hex}", options[0].tile, options[0].hex)
    leading = [option for option in options if set(targets) <= set(exits_of(game, option))]
    if not leading:
        raise IllegalMove("In no rotation does {tile} lead to {targets}.", "", what, join_and(targets))
    legal = [option for option in leading if game.allows(option)]
    if not legal:
        fitting = game.board_rules.fitting_rotations(game.state.board, options[0].tile, options[0].hex)
        game.check(next((option for option in leading if option.rotation in fitting), leading[0]))
    shapes = {game.board_rules.tiles[option.tile].rotate(option.rotation).shape: option for option in reversed(legal)}
    found = sorted(shapes.values(), key=lambda option: option.rotation)
    if len(found) == 1:
        return found[0]
    ways = ", ".join(
        tr("{rotation} (to {option})", option.rotation, ", ".join(exits_of(game, option)) or msg("nowhere"))
        for option in found
    )
    raise ambiguous(
        game,
        tr("There are {number} ways to lay {tile}, rotated by {rotations}; choose a rotation.", len(found), what, ways),
        found,
    )


# -- auctions -----------------------------------------------------------------------------------------


def _bought_at_once(game: Game, by: Owner, said: Mapping[str, Any]) -> Bid | None:
    """The bid that buys the cheapest private of a waterfall auction."""
    is_waterfall = any(isinstance(step, Waterfall) for step in game.open_steps())
    if not is_waterfall or "private" not in said or not is_bought(game, said["private"]):
        return None
    bids = [bid for bid in legal_of(game, Bid, by) if bid.lot == said["private"]]
    return Bid(by, said["private"], said.get("price", bids[0].price)) if bids else None


def _check_auction(game: Game, by: Owner, private: PrivateId) -> None:
    """If privates are auctioned and not bought, say why this private cannot be bought.

    :raises IllegalMove: somebody owns it, or it goes to the highest bidder.
    """
    verbs = game.open_verbs()
    if Bid not in verbs or BuyPrivate in verbs:
        return
    owner = game.private(private).owner
    if owner is not None and is_player(owner):
        raise IllegalMove("{private} already belongs to {owner}.", "", private, game.state.name(owner))
    bids = [short_text(game, bid) for bid in legal_of(game, Bid, by) if bid.lot == private]
    if bids:
        raise IllegalMove("{private} goes to the highest bidder.", "", private, instead=tuple(bids))


# -- short answers ------------------------------------------------------------------------------------


def passing(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`pass` refuses an offer, and ends a turn where that is possible."""
    if words:
        return None
    if Answer in game.open_verbs():
        return Answer(by, False)
    if not game.allows(Pass(by)) and game.allows(Done(by)):
        return Done(by)
    return Pass(by)


def done_as_pass(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`done` passes where nothing is ended by it."""
    verbs = game.open_verbs()
    return Pass(by) if not words and Done not in verbs and Pass in verbs else None


SPECIAL: dict[str, Callable[[Game, Owner, Sequence[str]], Action | None]] = {
    "lay": lay,
    "run": run,
    "pass": passing,
    "done": done_as_pass,
}
"""Verbs that mean more than their forms say."""
