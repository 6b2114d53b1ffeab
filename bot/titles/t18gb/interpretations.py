"""The readings of 18GB: by the rulebook or as 18xx.games plays it (option `rules`), and by which version of the
rules."""

from __future__ import annotations

from bot.engine.play.interpretations import PEER_SITE, Interpretation, InterpretationFlags

from .components import SALES_OPTION


class Interpretations18GB(InterpretationFlags):
    starts_second_tier_at_once = Interpretation()
    """All companies can be started in the first stock round (scenarios)."""
    capital_by_present_price = Interpretation()
    """A company's capital is based on the current price (floating)."""
    pays_for_whole_certificate = Interpretation(since=2)
    """A buyer of the president's certificate from the pool needs the price of the whole certificate (stock rounds)."""
    new_presidents_buy_twice = Interpretation(there=False, before=2)
    """A player made president by a purchase may buy a second share in the green area (stock rounds)."""
    converters_buy_twice = Interpretation(before=2)
    """A player who has converted a company in this turn may buy a second share of it in the green area (stock
    rounds).
    """
    asks_whoever_has_money = Interpretation()
    """After a purchase in the green area, or a conversion, every player with money and room is asked (stock rounds)."""
    buys_two_after_conversion = Interpretation()
    """After a conversion in need the president buys two shares in the green area (conversion)."""
    sells_excess_first = Interpretation(since=2)
    """A player above the certificate limit must sell before converting (conversion)."""
    private_lays_need_no_use = Interpretation()
    """A private's extra lay does not need usable track (privates)."""
    private_lays_meet_track = Interpretation(since=2)
    """A private's tile meets track that the company reaches, or is on its token's hex (privates)."""
    privates_help_at_any_time = Interpretation()
    """LS's lay and the tokens of GN and MC are available at any time of a turn (privates)."""
    tokens_are_free_where_track_points = Interpretation(there=False, before=2)
    """A private's token is free where the company's track leads up to the hex (privates)."""
    first_player_runs_receivership = Interpretation()
    """The first player in order decides for companies in receivership (receivership)."""
    receivership_leases_in_need = Interpretation()
    """Companies in receivership begin to lease only with a route, and without money for the cheapest train
    (receivership).
    """
    money_makes_solvent = Interpretation(until=2)
    """An insolvent company that can pay for a train is solvent before it runs (receivership)."""
    receivership_buys_after_lease = Interpretation()
    """They convert and buy automatically only after a run with a leased train (receivership)."""
    receivership_keeps_a_pound = Interpretation()
    """They never spend their last pound (receivership)."""
    receivership_buys_one_train = Interpretation(since=2)
    """They buy no train beyond the train they have (receivership)."""
    discards_in_turns_alone = Interpretation()
    """Trains above a limit lowered by an export are given up after the next company's dividend (trains)."""
    trades_without_consent = Interpretation()
    """Another director's train is bought without their consent (trains)."""
    nx_trains_end_in_towns = Interpretation()
    """An nX train may run from a city to a town (trains)."""

    @property
    def sells_in_first_round(self) -> bool:
        """Shares may also be sold in the first stock round (stock rounds; option `first_sales`, unknown to version 1,
        which allows it).
        """
        choice = self.game.state.options.get(SALES_OPTION.name)
        return choice != SALES_OPTION.default or self.game.state.options.get("rules") == PEER_SITE


interpretation_flags = Interpretations18GB
