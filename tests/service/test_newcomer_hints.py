"""Where somebody who knows 18xx but not this bot hesitated at play: what he asked himself is said now."""

from __future__ import annotations

import pytest

from bot.commands.web.log_view import round_label
from bot.engine.ids import BANK, IPO, POOL, CompanyId, HexId, Owner, PrivateId
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_set, has_any_route
from bot.engine.play.title import Title
from bot.engine.refusals import IllegalMove, Rejected
from bot.engine.state import events as facts
from bot.engine.state.actions import Action, Answer, BuyTrain, LayTile, Pass, RunRoutes
from bot.i18n import tr, use_language
from bot.i18n import tr_error as in_german
from bot.render.scenes.market import Grid, heading
from bot.render.scenes.tables import market_alt
from bot.render.shapes.scene import Text
from bot.render.shapes.text_metrics import width_of
from bot.service.parser.components_info import leads, lots_now
from bot.service.parser.moves import check_in_its_time, parse_moves, would_be_legal
from bot.service.parser.preview import outcome, tells
from bot.service.parser.suggestions import help_lines, help_text, legal_options, why_no_pass
from bot.service.parser.vocabulary import default_actor
from bot.service.registry.command_line import english_word
from bot.service.views.apply_and_narrate import fallback_message
from bot.service.views.position_text import hex_line, thing_text
from bot.service.views.turn_text import company_cash_lines
from tests.message_helpers import told
from tests.service.test_components_info import ANN, EVERY, new, play
from tests.service.test_move_explanations import random_game
from tests.service.test_parser import at_track
from tests.titles.builders_18bf import after_privates, merger_round, minor, reach_phase


def headings(game: Game) -> list[str]:
    return [line for line in help_lines(game, with_words=False) if line.startswith(("To ", "You cannot "))]


def refused(game: Game, text: str) -> Rejected:
    with pytest.raises(Rejected) as refusal:
        for action in parse_moves(game, text):
            check_in_its_time(game, action)
            game.check(action)
    return refusal.value


@pytest.mark.parametrize(
    ("title", "verb"), [("1820", "bid"), ("1820", "overpay"), ("1830", "exchange"), ("18GB", "close")]
)
def test_who_is_asked_need_not_type_their_own_name(title: str, verb: str) -> None:
    """A company is in turn, or several players are asked at once; the lines that are listed can be typed."""

    def own(game: Game) -> dict[str, Action | None]:
        asked = {*game.players_to_act()}
        listed = legal_options(game, [min(asked)]) if asked else {}
        return {text: action for text, action in listed.items() if text.split()[0] == verb}

    game = random_game(title, lambda game: bool(own(game)) and default_actor(game) not in {*game.players_to_act()})
    assert [parse_moves(game, text, [min(game.players_to_act())])[-1] for text in own(game)] == [*own(game).values()]
    assert all(action and action.by == min(game.players_to_act()) for action in own(game).values())


# -- what is asked ------------------------------------------------------------------------------------


def test_what_is_asked_stands_before_what_may_be_done_besides() -> None:
    """1820 named the loan first, which takes less room than all lays."""
    game = random_game("1820", lambda game: "To take a loan:" in headings(game) and "To build track:" in headings(game))
    assert headings(game)[0] == "To build track:"


@pytest.mark.parametrize("title", ["1830", "1844", "1848"])
def test_who_can_buy_no_train_reads_that_passing_alone_is_possible(title: str) -> None:
    """And he can buy none: of trains every one that may be bought is listed at some price."""

    def is_stuck(game: Game) -> bool:
        steps = game.open_steps()
        step = next((step for step in steps if BuyTrain in step.verbs), None)
        return step is not None and all(isinstance(option, Pass) for option in step.options(game))

    game = random_game(title, is_stuck)
    assert "You cannot buy trains now, only:" in headings(game)
    company = game.company_in_turn
    sources = [*(other for other in game.state.companies if other != company), "depot"]
    prices = {1, 2, game.state.cash[company], *(kind.price for kind in game.title.trains.values())}
    tries = [
        BuyTrain(company, kind, price, CompanyId(source))
        for kind in game.title.trains
        for source in sources
        for price in prices
    ]
    assert len(tries) > 100 and not any(game.allows(one) for one in tries)


def test_1830_says_whose_first_price_is_set_and_that_it_costs_nothing() -> None:
    game = play(new("1830"), "bid BO 225; bid CA 165; bid MH 115; bid DH 75; bid CS 45; buy SV")
    assert headings(game) == ["To set the par price of B&O:"]
    assert "It costs nothing." in help_lines(game)[1]


# -- cost and consequence -----------------------------------------------------------------------------


def test_a_marker_without_track_leads_nowhere() -> None:
    game = random_game("1844", lambda game: any(step.name.startswith("put the mountain") for step in game.open_steps()))
    lay = next(action for action in game.legal_actions() if isinstance(action, LayTile))
    assert outcome(game, lay).startswith("It costs nothing. ")


def test_a_sum_in_francs_is_named_once() -> None:
    assert tells(["Bob pays sfr 141 back."], "Bob", "sfr 141")
    assert not tells(["Bob pays sfr 141 back."], "Bob", "sfr 14")


def test_a_price_that_falls_by_steps_falls_in_one_sentence() -> None:
    def sales(game: Game) -> list[str]:
        return [line for line in help_lines(game) if line.strip().startswith("sell 3 ") and "falls" in line]

    line = sales(random_game("1830", lambda game: "To buy or sell shares:" in headings(game) and bool(sales(game))))[0]
    assert line.count("falls") == 1


def test_whoever_may_close_a_private_reads_what_that_is_good_for() -> None:
    game = random_game("18GB", lambda game: "To close a private:" in headings(game))
    line = next(line for line in help_lines(game) if "close GN" in line)
    assert "closing it: a token in York (I14)" in line


def test_standing_bids_leave_the_rest_free() -> None:
    game = play(new("18GB"), "bid LB 40; bid AF 30; bid GN 70; bid LM 45")
    assert leads(game)[-1] == "Cash not committed to bids: £245 (Ann), £300 (Bob), £260 (Cid)."
    # Where one lot is sold after the other, whoever leads binds nothing.
    assert leads(play(new("1844"), "bid P1 20")) == ["Ann leads with sfr 20 for P1."]


def test_1830_names_every_bid_that_waits() -> None:
    game = play(new("1830"), "bid DH 75; bid DH 80; bid CA 165")
    assert leads(game) == [
        "Bob leads with $80 for DH.",
        "Ann has bid $75 for DH.",
        "Cid leads with $165 for CA.",
        "Cash not committed to bids: $725 (Ann), $720 (Bob), $635 (Cid).",
    ]


# -- refusals -----------------------------------------------------------------------------------------


def test_what_comes_later_in_the_turn_is_refused_by_its_own_rule() -> None:
    refusal = refused(at_track(), "buy 3 for 200")
    assert "The bank does not sell a 3 now" in refusal.sentence and refusal.rule
    assert "is asked to" in refused(at_track(), "sell VR").sentence


def test_of_several_moves_the_one_that_fails_is_named() -> None:
    game = at_track()
    assert refused(game, "lay 57 H11 1; buy 3 for 200").sentence.startswith("buy 3 for 200: ")
    assert refused(game, "lay 57 H11 1; buy 2; lay 57 H9 1").sentence.startswith("lay 57 H9 1: ")


def test_a_refusal_offers_no_track_twice() -> None:
    offered = would_be_legal(at_track(), "lay 57 H11 0")
    assert "lay 57 H11 1" in offered and "lay 57 H11 4" not in offered


# -- things -------------------------------------------------------------------------------------------


def test_a_sign_of_another_game_is_said_to_be_one() -> None:
    with pytest.raises(IllegalMove) as refusal:
        thing_text(new("1848"), "sds")
    assert refusal.value.sentence.startswith("sds is not in 1848 Australia, but in 1820. Companies: BOE")
    with pytest.raises(IllegalMove) as refusal:
        thing_text(new("1848"), "VRR")
    assert refusal.value.sentence.startswith("There is no VRR; perhaps VR")


def test_a_company_of_1844_names_its_target() -> None:
    assert "target G20 (Altdorf)" in thing_text(new("1844"), "FNM").splitlines()


def test_what_comes_with_a_private_of_1844_is_told() -> None:
    game, lines = new("1844"), list[str]()
    for lot in ("P1 20", "P2 50", "P3 80", "P4 110", "P5 140"):
        play(game, f"bid {lot}; pass")
        lines += told(game, game.apply(Pass(game.player_in_turn)))
    assert "Cid gets T1 Tunnel company 1." in lines and "Bob gets 10% of MOB from the bank." in lines


def test_a_ferry_is_no_drive() -> None:
    assert (english_word("Fähre"), english_word("fahre"), english_word("kleinbahn")) == (
        "ferry",
        "fahre",
        "minor",
    )
    game = new("18BF")
    with use_language("de"):
        assert refused(game, "fähre F1").sentence.startswith("fähre F1: ferry braucht")
        assert refused(game, "fahre F1").sentence == "fahre F1: Companies run trains."


# -- pictures -----------------------------------------------------------------------------------------


@EVERY
def test_the_heading_of_the_market_keeps_its_two_texts_apart(title: Title) -> None:
    game = new(title)
    left, right = (shape for shape in heading(game, Grid(game)).sprite.shapes if isinstance(shape, Text))
    if right.anchor == "end":
        begins = right.at[0] - width_of(right.text, right.size)
        assert begins - (left.at[0] + width_of(left.text, left.size, bold=True)) > 2 * left.size
    else:
        assert right.at[1] - right.size > left.at[1], "below it"


# -- German -------------------------------------------------------------------------------------------


def test_shares_come_out_of_the_pool_and_out_of_a_treasury_in_german() -> None:
    """A value stands as it is: `von dem Pool`, `von der Kasse von CR` is not how one speaks."""
    pool = facts.SharesBought(Owner("@1"), CompanyId("FNM"), POOL, 10, 90)
    treasury = facts.SharesBought(Owner("@1"), CompanyId("LSR"), IPO, 20, 55)
    assert told(new("1844"), [pool]) == ["Ann buys 10% of FNM from the pool for sfr 90."]
    assert told(new("1820"), [treasury]) == ["Ann buys 20% of LSR from LSR's treasury for £55."]
    with use_language("de"):
        assert told(new("1844"), [pool]) == ["Ann kauft 10% FNM aus dem Pool für sfr 90."]
        assert told(new("1820"), [treasury]) == ["Ann kauft 20% LSR aus der Kasse von LSR für £55."]


def test_the_things_of_1844_are_called_in_german() -> None:
    game = new("1844")
    with use_language("de"):
        assert thing_text(game, "B1").startswith("B1 Bergbahn 1: Ertrag sfr 40; wird auf einen Berg gesetzt;")
        assert thing_text(game, "T2").startswith("T2 Tunnelgesellschaft 2: ")
        bought = facts.PrivateBought(Owner("@1"), PrivateId("B1"), BANK, 150)
        assert told(game, [bought]) == ["Ann kauft B1 Bergbahn 1 für sfr 150."]


def test_the_money_of_a_minor_that_converts_goes_with_it() -> None:
    game = after_privates()
    minor(game, "BE", "@2", at=120, money=77)
    reach_phase(game, "3")
    line = next(line for line in help_lines(merger_round(game)) if "convert to" in line)
    assert " becomes " in line and "pays" not in line


def test_an_answer_is_told_as_one() -> None:
    game = new("1848")
    assert tr(fallback_message(game, Answer(ANN, True)), names=game.state.names) == "Ann agrees."


def test_whoever_passes_reads_who_gets_the_private_by_it_and_the_log_tells_it_once() -> None:
    for title, currency in (("1844", "sfr "), ("18BF", "£")):
        game = play(new(title), "bid P1 20; pass")
        line = next(line for line in help_lines(game) if line.strip().startswith("pass"))
        sentence = f"Ann buys P1 {game.title.privates[PrivateId('P1')].name} for {currency}20."
        assert line.strip() == f"pass  — {sentence}"
        assert [line for line in told(game, game.apply(Pass(game.player_in_turn))) if "20" in line] == [sentence]


def test_whoever_wants_to_buy_what_is_auctioned_is_told_how_to_bid_for_it() -> None:
    game = play(new("18BF"), "bid P1 20; pass; pass")
    sign = next(iter(game.title.words.lots(game))).sign
    assert all(text.startswith(f"bid {sign} ") for text in would_be_legal(game, f"buy {sign}"))
    assert would_be_legal(game, "run best")[0] == "pass"


def test_a_bid_that_buys_at_once_says_so() -> None:
    lines = [line.strip() for line in help_lines(new("1830"))]
    assert next(line for line in lines if line.startswith("bid SV 20")).endswith(
        "Ann buys SV Schuylkill Valley for $20."
    )
    assert not any("buys" in line for line in lines if line.startswith("bid CS"))


# -- what comes later, and what there is not ------------------------------------------------------------


def test_a_private_that_is_not_in_this_game_is_said_to_be_none() -> None:
    """18BF and 18GB leave out some of the box; `buy P7` was a fault of the program."""
    for title in ("18BF", "18GB", "1820"):
        game = new(title)
        for sign in {*game.title.companies, *game.title.privates} - {*game.state.companies, *game.state.privates}:
            assert refused(game, f"buy {sign}").sentence == f"buy {sign}: {sign} is not in this game."
    assert refused(new("18GB"), "start MC").sentence == "start MC: MC is not in this game."


def test_what_is_out_of_place_is_refused_with_its_time() -> None:
    assert refused(at_track(), "sell VR").sentence.endswith(
        "It is possible when the decision is: buy or sell shares; sell shares to pay the compensation."
    )
    at_18gb = play(new("18GB"), "bid LB 40")
    assert refused(at_18gb, "@2 buy AF for 30").sentence.endswith("18GB has no such step.")
    with use_language("de"):
        assert in_german(refused(at_track(), "reduce P1")).endswith(
            "Es geht bei der Entscheidung: eine Privatbahn kaufen oder einen Preis senken."
        )


def test_whoever_has_nothing_to_run_reads_why() -> None:
    assert refused(at_track(), "run best").sentence == "run best: VR has no train to run."
    game = random_game("18GB", has_train_without_route)
    company = game.company_in_turn
    assert refused(game, "run").sentence == f"run: No train of {company} finds a route, so it does not run."


def has_train_without_route(game: Game) -> bool:
    if not any(LayTile in step.verbs for step in game.open_steps()):
        return False
    company = game.company_in_turn
    return bool(game.state.trains_of(company)) and not has_any_route(game, company)


def test_a_route_is_written_as_the_log_tells_it() -> None:
    game = random_game("18GB", lambda game: any(RunRoutes in step.verbs for step in game.open_steps()))
    best = best_set(game, game.company_in_turn)
    route = next(route for route in best.routes if route.stops)
    stops = " - ".join(stop.hex for stop in route.stops)
    assert game.allows(parse_moves(game, f"run {stops}")[0])
    refusal = refused(game, "run nowhere fast")
    assert all(game.allows(parse_moves(game, text)[0]) for text in refusal.instead) and refusal.instead


def test_in_an_auction_buying_is_refused_with_whose_it_is_or_how_it_is_had() -> None:
    game = play(new("1830"), "buy SV")
    assert refused(game, "buy SV").sentence == "buy SV: SV already belongs to Ann."
    refusal = refused(game, "buy MH")
    assert refusal.sentence == "buy MH: MH goes to the highest bidder."
    assert refusal.instead and all(text.startswith("bid MH ") for text in refusal.instead)


def test_lots_of_both_kinds_are_among_the_examples() -> None:
    game = new("18BF")
    while len(leading := lots_now(game)) == 1:
        play(game, f"bid {leading[0].sign} {leading[0].price}; pass; pass")
    shown = {line.split()[1] for line in help_lines(game) if line.startswith("    bid ")}
    assert shown & {*game.state.privates} and shown & {*game.state.companies}
    assert parse_moves(game, "auction F1 50")[0] == parse_moves(game, "bid F1 50")[0]


def test_who_must_buy_reads_that_he_cannot_pass_and_why() -> None:
    game = play(at_track().copy(), "pass")
    step = game.step
    assert step is not None and not why_no_pass(game, step)
    game = random_game("18GB", lambda game: "To buy trains:" in headings(game) and not passes(game))
    lines = help_lines(game)
    at = lines.index("To buy trains:")
    assert lines[at + 1] == f"  Passing is not possible: {game.company_in_turn} must own a train. (18GB trains)"


def passes(game: Game) -> bool:
    return game.allows(Pass(game.company_in_turn))


def test_a_space_that_a_private_keeps_names_it() -> None:
    game = new("18GB")
    assert hex_line(game, HexId("F21")).endswith("here private LB")
    game.private(PrivateId("LB")).closed = True
    assert "LB" not in hex_line(game, HexId("F21")).replace("LNWR", "")


def test_a_move_of_another_time_is_refused_with_its_time_also_where_it_is_half_written() -> None:
    assert refused(new("1848"), "lay").sentence.endswith(
        " It is possible when the decision is: lay track; lay the Tasmania tile."
    )
    assert "It is possible" not in refused(at_track(), "buy").sentence


def test_a_company_that_cannot_be_floated_so_is_offered_another_way() -> None:
    """1820 lists none where every city needs a tile."""
    game = play(new("1820"), "pass; pass; pass")
    game = play(game, "@1 pass; @2 pass; @3 pass; fund 40; fund 50; pass; pass; pass")
    game = play(game, f"float LSR 5 at 71 on M15 to {game.player_in_turn}:2")
    instead = would_be_legal(game, f"float OW&WR 5 at 71 on G7=5/4 to {game.player_in_turn}:2")
    assert instead and all(text.startswith("float ") and "=" in text for text in instead)


def test_who_pays_more_for_a_cousin_reads_that_done_pays_his_bid() -> None:
    game = new("1820")
    sign = lots_now(game)[0].sign
    game = play(game, f"bid {sign} 20; pass; pass; pass")
    assert refused(game, f"overpay {sign} 20").sentence.startswith(
        f"You can pay more than your bid of £20 for {sign}, up to £"
    )


def test_in_german_a_company_has_no_train_and_rounds_have_german_letters() -> None:
    with use_language("de"):
        assert company_cash_lines(at_track()) == ["VR: £900, kein Zug."]
        assert round_label("operating", "2.1") == "BR 2.1"
    assert round_label("operating", "2.1") == "OR 2.1"


def test_the_cost_of_business_stands_in_the_text_beside_the_picture_too() -> None:
    assert "maintenance of a train: none" in market_alt(new("1820"))
    with use_language("de"):
        assert "Geschäftskosten (1820 Abb. 10.1), Spalte 1 von 17: Phase gelb" in market_alt(new("1820"))


def test_whoever_has_laid_his_tile_is_not_told_of_a_private_that_nobody_named() -> None:
    """1830 spoke of the Champlain & St. Lawrence, which another player had."""
    game = play(new("1830"), "buy SV; buy CS; buy DH; buy MH; buy CA; buy BO; par B&O 67; par PRR 67; buy PRR; buy PRR")
    game = play(game, "buy PRR; buy PRR; buy PRR; pass; pass; pass; lay 57 H10 1")
    refusal = refused(game, "lay 8 G11 0")
    assert (refusal.sentence, refusal.rule) == ("PRR can now lay track only by using a private.", "1830")
    assert refused(play(game, "pass"), "done").sentence == "PRR must own a train."


def test_where_nobody_may_pass_it_is_not_said_where_one_may() -> None:
    game = play(new("1830"), "buy SV; buy CS; buy DH; buy MH; buy CA; buy BO")
    assert refused(game, "pass").sentence.endswith("You cannot pass here.")


def test_a_player_who_may_pass_in_his_companys_step_reads_nothing_else() -> None:
    """1820: players sell shares of the growing company of whose frame the step is."""
    name = "sell shares of the growing company or pass"
    game = random_game("1820", lambda game: game.step is not None and game.step.name == name)
    assert any(line.split()[-1] == "pass" for line in help_lines(game))
    assert not any("Passing is not possible" in line for line in help_lines(game))


def test_the_example_of_several_moves_is_no_other_players() -> None:
    game = play(new("1889"), "buy TE; buy MF; buy ER; buy SMR; buy DR; buy SIR")
    assert game.players_to_act() == (ANN,) and "Several moves at once: Bob lay " in help_text(game)
    assert "Several moves at once: separate them with ;" in help_text(game, (ANN,))
