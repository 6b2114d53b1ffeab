"""Short and roundabout ways to say a move, verb by verb: `lay 57 H11 to H9`, `buy 3`, `sell QR 2`, `run best`.

Each takes the game, who acts and the words after the verb in their printed spelling, and returns None when the words
say the move in its plain form or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from bot.engine import (
    BANK,
    DEPOT,
    IPO,
    POOL,
    HexId,
    Owner,
    PrivateId,
    TileId,
    as_company,
    as_private,
    is_player,
)
from bot.engine.message import join_and, msg
from bot.engine.notation.text import parse_words
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import share_unit
from bot.engine.play.steps.waterfall import Waterfall, is_bought
from bot.engine.refusals import AmbiguousMove, IllegalMove, ParseError
from bot.engine.state.actions import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    SellShares,
)
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


# -- track and tokens ---------------------------------------------------------------------------------


def lay(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`lay 57 H11 to H9`, `lay H11 57`, `upgrade H11 to 14`, without a rotation where only one is legal."""
    spaces, tiles = game.board_rules.map.hexes, game.board_rules.tiles
    words, using = _with(game, list(words))
    cut = next((place for place, word in enumerate(words) if word in ("to", "towards", "toward")), len(words))
    named, targets = words[:cut], words[cut + 1 :]
    hex_id = next((word for word in named if word in spaces), None)
    rest = [word for word in named if word != hex_id]
    if targets and targets[0] in tiles and targets[0] not in spaces:
        rest, targets = [*rest, *targets], []
    if hex_id is None and len(targets) == 1 and targets[0] in spaces:
        hex_id, targets = targets[0], []
    if hex_id is None or not rest or rest[0] not in tiles or len(rest) > 2:
        return None
    tile, space = TileId(rest[0]), HexId(hex_id)
    if len(rest) == 2:
        rotation = re.fullmatch(r"r?([0-5])", rest[1].lower())
        return LayTile(by, tile, space, int(rotation[1]), using) if rotation and not targets else None
    options = [LayTile(by, tile, space, rotation, using) for rotation in range(6)]
    return _one_lay(game, options, [_beside(game, space, target) for target in targets])


def _with(game: Game, words: list[str]) -> tuple[list[str], PrivateId | None]:
    """The words without `with P2`, and the private.

    :raises ParseError: there is no such private.
    """
    if "with" not in words and "using" not in words:
        return words, None
    at = words.index("with" if "with" in words else "using")
    if len(words) <= at + 1 or words[at + 1] not in game.title.privates:
        raise ParseError("with is followed by a private, for example: with P2.")
    return [*words[:at], *words[at + 2 :]], as_private(words[at + 1])


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


def token(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`token G10 1`; without a number the first city, or the only one where a token may go."""
    if len(words) == 2 and words[0] in game.board_rules.map.hexes and re.fullmatch(r"[0-9]", words[1]):
        return PlaceToken(by, HexId(words[0]), int(words[1]))
    if len(words) != 1 or words[0] not in game.board_rules.map.hexes:
        return None
    first = PlaceToken(by, HexId(words[0]))
    others = [action for action in legal_of(game, PlaceToken, by) if action.hex == words[0]]
    return others[0] if len(others) == 1 and not game.allows(first) else first


# -- buying and selling -------------------------------------------------------------------------------


TRADING = re.compile(r"\b(in )?exchange for\b|\btrading( in)?\b|\btrade in\b")
DETAIL_WORDS = ("from", "for", "with", "trade")


def buy(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`buy 3` for its price, `buy P4 220`, `buy VR` from wherever it is available."""
    fields, details = _details(words)
    if not fields or details is None:
        return None
    title = game.title
    if fields[-1] in title.companies and len(fields) <= 2:
        return _buy_shares(game, by, fields, details)
    if len(fields) == 2 and fields[1].isdecimal() and "for" not in details:
        fields, details = fields[:1], {**details, "for": fields[1]}
    if len(fields) == 1 and details.keys() <= {"for"} and fields[0] in title.privates:
        bought = _bought_at_once(game, by, as_private(fields[0]), details.get("for", ""))
        if bought is not None:
            return bought
    if len(fields) != 1 or "for" in details:
        return parse_words(title, [by, "buy", *fields, *(word for detail in details.items() for word in detail)])
    if fields[0] in title.privates:
        return _buy_private(game, by, as_private(fields[0]))
    return _buy_train(game, by, fields[0], details) if fields[0] in title.trains else None


def _details(words: Sequence[str]) -> tuple[list[str], dict[str, str] | None]:
    """The words before the first detail, and the details by name; None when one lacks its value."""
    text = TRADING.sub("trade", " ".join(words))
    synonyms = {"at": "for", "using": "with"}
    said = [synonyms.get(word, word) for word in text.split()]
    begin = next((place for place, word in enumerate(said) if word in DETAIL_WORDS), len(said))
    rest = said[begin:]
    if len(rest) % 2 or any(word not in DETAIL_WORDS for word in rest[::2]):
        return said[:begin], None
    return said[:begin], dict(zip(rest[::2], rest[1::2], strict=True))


def _buy_shares(game: Game, by: Owner, fields: Sequence[str], details: dict[str, str]) -> Action | None:
    if not set(details) <= {"from"} or not all(field.isdecimal() for field in fields[:-1]):
        return None
    company, shares = as_company(fields[-1]), int(fields[0][:9]) if len(fields) == 2 else 1
    places = {"bank": IPO, "treasury": IPO, "market": POOL}
    if "from" in details:
        source = places.get(details["from"].lower(), Owner(details["from"]))
        return BuyShares(by, company, source, shares)
    first, second = BuyShares(by, company, IPO, shares), BuyShares(by, company, POOL, shares)
    return second if not game.allows(first) and game.allows(second) else first


def _bought_at_once(game: Game, by: Owner, private: PrivateId, price: str) -> Bid | None:
    """The bid that buys the cheapest private of a waterfall auction."""
    if not any(isinstance(step, Waterfall) for step in game.open_steps()):
        return None
    if not is_bought(game, private) or (price and not price.isdecimal()):
        return None
    bids = [bid for bid in legal_of(game, Bid, by) if bid.lot == private]
    return Bid(by, private, int(price[:9]) if price else bids[0].price) if bids else None


def _buy_private(game: Game, by: Owner, private: PrivateId) -> Action:
    """For the price at the auction, or the only one that may be paid.

    :raises AmbiguousMove: the price is free.
    :raises IllegalMove: it is not in this game, or where privates are auctioned it has an owner, or there are bids for it.
    """
    check_in_game(game, private)
    at_auction = BuyPrivate(by, private, game.private(private).price)
    legal = [action for action in legal_of(game, BuyPrivate, by) if action.private == private]
    if len(legal) > 1:
        raise ambiguous(game, tr("For how much? {private} can be bought for any price in this range.", private), legal)
    if not legal:
        _check_auction(game, by, private)
    return legal[0] if legal else at_auction


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


def _buy_train(game: Game, by: Owner, kind: str, details: dict[str, str]) -> Action | None:
    """From the bank unless the words name another seller; for the only price with these details.

    :raises AmbiguousMove: the price is free.
    """
    source = DEPOT if details.get("from", DEPOT) in (BANK, DEPOT) else Owner(details["from"])
    wanted = (kind, source, details.get("trade"), details.get("with"))
    legal = [
        action
        for action in legal_of(game, BuyTrain, by)
        if (action.kind, action.source, action.trade_in, action.using) == wanted
    ]
    if len(legal) > 1:
        raise ambiguous(
            game, tr("For how much? {owner} sells its {kind} for any price in this range.", source, kind), legal
        )
    if legal:
        return legal[0]
    if details.keys() & {"trade", "with"}:
        return None
    return BuyTrain(by, kind, game.title.trains[kind].price, source)


def sell(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`sell 2 QR`, `sell QR 2`, `sell QR`, `sell 20% QR`."""
    names = [word for word in words if word in game.title.companies]
    numbers = [word for word in words if word not in names]
    if len(names) != 1 or len(numbers) > 1:
        return None
    company = as_company(names[0])
    found = re.fullmatch(r"([0-9]{1,3})(%?)", numbers[0]) if numbers else None
    if numbers and not found:
        return None
    number = int(found[1]) if found else 1
    if found and found[2]:
        share = share_unit(game.company(company))
        if number % share:
            raise ParseError(
                "Each share of {company} is {percent}%; {number}% is not a whole number of shares.",
                "",
                company,
                share,
                number,
            )
        number //= share
    return SellShares(by, company, number)


def par(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`par 90 VR`; without a price the only legal one."""
    if len(words) == 2 and words[0].isdecimal() and words[1] in game.title.companies:
        return Par(by, as_company(words[1]), int(words[0][:9]))
    if len(words) != 1 or words[0] not in game.title.companies:
        return None
    legal = [action for action in legal_of(game, Par, by) if action.company == words[0]]
    if len(legal) > 1:
        raise ambiguous(game, tr("At which par price? {company} has several.", words[0]), legal)
    return legal[0] if legal else None


def bid(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`bid 175 P4`; `bid 175` where there is only one lot."""
    if len(words) == 2 and words[0].isdecimal() and not words[1].isdecimal():
        return Bid(by, Owner(words[1]), int(words[0][:9]))
    lots = dict.fromkeys(action.lot for action in legal_of(game, Bid, by)) if len(words) == 1 else {}
    return Bid(by, next(iter(lots)), int(words[0][:9])) if len(lots) == 1 and words[0].isdecimal() else None


# -- short answers ------------------------------------------------------------------------------------


def passing(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`pass` refuses an offer, and ends a turn where that is possible."""
    if words:
        return None
    steps = game.open_steps()
    if any(Answer in step.verbs for step in steps):
        return Answer(by, False)
    if not game.allows(Pass(by)) and game.allows(Done(by)):
        return Done(by)
    return Pass(by)


def done(game: Game, by: Owner, words: Sequence[str]) -> Action | None:
    """`done` passes where nothing is ended by it."""
    verbs = game.open_verbs()
    return Pass(by) if not words and Done not in verbs and Pass in verbs else None


SHORTCUTS: dict[str, Callable[[Game, Owner, Sequence[str]], Action | None]] = {
    "lay": lay,
    "token": token,
    "run": run,
    "buy": buy,
    "sell": sell,
    "par": par,
    "bid": bid,
    "pass": passing,
    "done": done,
}
