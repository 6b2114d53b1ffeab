"""Where 18GB is read in more than one way: by the rulebook or as 18xx.games plays it (option `rules`), and by which
version of the rules. docs/titles/18GB.md has the rulebook's side of each."""

from __future__ import annotations

from bot.engine.play.interpretations import THERE, Interpretation, InterpretationFlags

from .components import SALES_OPTION


class Interpretations18GB(InterpretationFlags):
    starts_second_tier_at_once = Interpretation()
    """All companies can be started in the first stock round (scenarios)."""
    capital_by_present_price = Interpretation()
    """A company's capital is counted from the present price (floating)."""
    pays_for_whole_certificate = Interpretation(since=2)
    """Who buys the president's certificate out of the pool has the price of all of it (stock rounds)."""
    new_presidents_buy_twice = Interpretation(there=False, before=2)
    """Whom a purchase made president may buy a second share in the green area (stock rounds)."""
    converters_buy_twice = Interpretation(before=2)
    """Whoever has converted a company in his turn may buy a second share of it in the green area (stock rounds)."""
    asks_whoever_has_money = Interpretation()
    """After a purchase in the green area, or a conversion, whoever has money and room is asked (stock rounds)."""
    buys_two_after_conversion = Interpretation()
    """After a conversion in need the president buys two shares in the green area (conversion)."""
    sells_excess_first = Interpretation(since=2)
    """Whoever is above his certificate limit converts nothing before he has sold (conversion)."""
    private_lays_need_no_use = Interpretation()
    """A private's extra lay needs no track that can be used (privates)."""
    private_lays_meet_track = Interpretation(since=2)
    """Its tile meets track that the company reaches, or lies on its token (privates)."""
    privates_help_at_any_time = Interpretation()
    """LS's lay and the tokens of GN and MC help at any time of a turn (privates)."""
    tokens_are_free_where_track_points = Interpretation(there=False, before=2)
    """A private's token is free where the company's track leads up to the space (privates)."""
    first_player_runs_receivership = Interpretation()
    """The first player in order decides for companies in receivership (receivership)."""
    receivership_leases_in_need = Interpretation()
    """They begin to lease only with a route, and without money for the cheapest train (receivership)."""
    money_makes_solvent = Interpretation(until=2)
    """An insolvent company that can pay for a train is solvent before it runs (receivership)."""
    receivership_buys_after_lease = Interpretation()
    """They convert and buy by themselves only after a run with a leased train (receivership)."""
    receivership_keeps_a_pound = Interpretation()
    """They never spend all that they have (receivership)."""
    receivership_buys_one_train = Interpretation(since=2)
    """They buy no train beside the one that they have (receivership)."""
    discards_in_turns_alone = Interpretation()
    """Trains above a limit that an export lowers are given up after the next company's dividend (trains)."""
    trades_without_consent = Interpretation()
    """Another director's train is bought without asking him (trains)."""
    nx_trains_end_in_towns = Interpretation()
    """An nX train may run from a city to a town (trains)."""

    @property
    def sells_in_first_round(self) -> bool:
        """Shares are sold in the first stock round too (stock rounds; option `first_sales`, which version 1 does not know: it
        sells)."""
        choice = self.game.state.options.get(SALES_OPTION.name)
        return choice != SALES_OPTION.default or self.game.state.options.get("rules") == THERE


readings = Interpretations18GB
