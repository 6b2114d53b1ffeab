"""How the board of 18BF looks: London once more, bonuses by phase (18BF §10.6), privates where they earn one."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import Text, join_values, msg
from bot.engine.play import Game
from bot.engine.play.board_style import BoardStyle, Marker, SideBox
from bot.engine.play.steps import unstarted_companies

from .auction import is_unsold, lots
from .components import COMPANIES, IRISH_BONUS, LONDON, RAILWAY_PRIVATES, STOP_BONUS
from .state import title_state


def marks(game: Game) -> Iterator[Marker]:
    """Companies' privates on the places where they earn more, ferries to Ireland in the areas they serve this round."""
    places = {**STOP_BONUS, **{sign: (area, IRISH_BONUS) for sign, area in title_state(game).ferries.items()}}
    for private in game.state.privates.values():
        owner = next((company for company in COMPANIES if company == private.owner), None)
        if owner and not private.closed and private.id in places:
            place, bonus = places[private.id]
            yield Marker(place, f"{private.id}+{bonus}", owner)


def lines(game: Game) -> Iterator[Text]:
    """Public information: the auction, private railways to come, minors on offer and set aside (§7.2, §9.2, §9.4)."""
    record, state = title_state(game), game.state
    if record.lot is not None and record.lot.bidder is not None:
        bidder = state.name(record.lot.bidder)
        yield msg("Auction of {lot}: £{price} by {bidder}", record.lot.lot, record.lot.price, bidder)
    railways = [sign for sign in RAILWAY_PRIVATES if sign in state.privates and is_unsold(state.privates[sign])]
    if railways:
        lowest = (msg("{sign} from £{price}", sign, game.private(sign).price) for sign in railways)
        yield msg("Private railways, in order: {railways}", join_values(", ", lowest))
    now = lots(game)
    for title, batch in zip(("Minors", "From the second stock round", "From phase 3"), record.batches, strict=True):
        waiting = [minor for minor in unstarted_companies(game, "minor") if minor in batch]
        if waiting:
            is_first = title == "Minors" and railways
            template = "{batch} (on offer): {minors}" if waiting[0] in now else "{batch}: {minors}"
            yield msg(template, msg("Minors, when these are sold" if is_first else title), ", ".join(waiting))


LOOK = BoardStyle(
    zones={
        "c": "#3a3a3a",
        "b": "#d8b48a",
        "r": "#f4aaa2",
        "p": "#d4bfea",
        "y": "#f5d800",
        "m": "#3f8f5f",
    },  # §9.2, §12.1
    insets=(LONDON,),
    notes=(
        SideBox("London–red", (20, 20, 30, 30)),
        SideBox("England–Scotland", (10, 20, 30, 40)),
        SideBox("England–Wales", (10, 20, 20, 30)),
        SideBox("Mine (G-trains)", (0, 0, 50, 60)),
    ),
    marks=marks,
    lines=lines,
)
