"""Where 18GB is read in more than one way: by the rulebook or as 18xx.games plays it (option `rules`), and by which
version of the rules. docs/titles/18GB.md has the rulebook's side of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.engine.play.game import Game

from .nouns import SALES_OPTION


@dataclass(frozen=True)
class Readings:
    """What holds in a game beside, or instead of, what the rulebook says; by the rulebook and today's version nothing
    does, but for what is sold by option."""

    starts_second_tier_at_once: bool
    """All companies can be started in the first stock round (scenarios)."""
    sells_in_first_round: bool
    """Shares are sold in the first stock round too (stock rounds; option `first_sales`)."""
    capital_by_present_price: bool
    """A company's capital is counted from the present price (floating)."""
    pays_for_whole_certificate: bool
    """Who buys the president's certificate out of the pool has the price of all of it (stock rounds)."""
    new_presidents_buy_twice: bool
    """Whom a purchase made president may buy a second share in the green area (stock rounds)."""
    converters_buy_twice: bool
    """Whoever has converted a company in his turn may buy a second share of it in the green area (stock rounds)."""
    asks_whoever_has_money: bool
    """After a purchase in the green area, or a conversion, whoever has money and room is asked (stock rounds)."""
    buys_two_after_conversion: bool
    """After a conversion in need the president buys two shares in the green area (conversion)."""
    private_lays_need_no_use: bool
    """A private's extra lay needs no track that can be used (privates)."""
    private_lays_meet_track: bool
    """Its tile meets track that the company reaches, or lies on its token (privates)."""
    privates_help_at_any_time: bool
    """LS's lay and the tokens of GN and MC help at any time of a turn (privates)."""
    tokens_are_free_where_track_points: bool
    """A private's token is free where the company's track leads up to the space (privates)."""
    first_player_runs_receivership: bool
    """The first player in order decides for companies in receivership (receivership)."""
    receivership_leases_in_need: bool
    """They begin to lease only with a route, and without money for the cheapest train (receivership)."""
    money_makes_solvent: bool
    """An insolvent company that can pay for a train is solvent before it runs (receivership)."""
    receivership_buys_after_lease: bool
    """They convert and buy by themselves only after a run with a leased train (receivership)."""
    receivership_keeps_a_pound: bool
    """They never spend all that they have (receivership)."""
    receivership_buys_one_train: bool
    """They buy no train beside the one that they have (receivership)."""
    discards_in_turns_alone: bool
    """Trains above a limit that an export lowers are given up after the next company's dividend (trains)."""
    trades_without_consent: bool
    """Another director's train is bought without asking him (trains)."""
    nx_trains_end_in_towns: bool
    """An nX train may run from a city to a town (trains)."""


def readings(game: Game) -> Readings:
    """How this game is read; version 1 knows no option `first_sales`, and sells."""
    options = game.state.options
    return read(options.get("rules", ""), options.get(SALES_OPTION.name) != SALES_OPTION.default, game.title.version)


@cache
def read(rules: str, first_sales: bool, version: int) -> Readings:
    """How games with these choices are read by a version. Version 1 did not know all that 18xx.games does."""
    is_there = rules == "18xx.games"
    is_now = is_there and version > 1
    return Readings(
        starts_second_tier_at_once=is_there,
        sells_in_first_round=is_there or first_sales,
        capital_by_present_price=is_there,
        pays_for_whole_certificate=is_now,
        new_presidents_buy_twice=version < 2,
        converters_buy_twice=is_there or version < 2,
        asks_whoever_has_money=is_there,
        buys_two_after_conversion=is_there,
        private_lays_need_no_use=is_there,
        private_lays_meet_track=is_now,
        privates_help_at_any_time=is_there,
        tokens_are_free_where_track_points=version < 2,
        first_player_runs_receivership=is_there,
        receivership_leases_in_need=is_there,
        money_makes_solvent=is_there and version < 2,
        receivership_buys_after_lease=is_there,
        receivership_keeps_a_pound=is_there,
        receivership_buys_one_train=is_now,
        discards_in_turns_alone=is_there,
        trades_without_consent=is_there,
        nx_trains_end_in_towns=is_there,
    )
