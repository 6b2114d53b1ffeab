"""Commands for standing orders, which only their owner sees."""

from __future__ import annotations

from bot.engine import GameId, PlayerId
from bot.engine.message import Text, literal, msg
from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.service.features.standing_orders.orders import WAKE
from bot.service.features.standing_orders.parser import EXAMPLES
from bot.service.parser.vocabulary import player_named

from .command import Choice, Flag, Number, Plans, Reply, Request, Words, command, parameter
from .completion import lots, own_plans, plan_texts, playing_companies

REVENUE = Choice({"pay": "pay", "withhold": "withhold", "half": "half"})
ASKED = Choice({"track": "track", "token": "token", "trains": "trains", "routes": "routes", "dividend": "dividend"})
ANY_TRADE = "sale buy start president"
WAKE_UP = Choice(
    {
        "": "nothing: until the round ends",
        ANY_TRADE: "anyone buys or sells shares, starts or takes over a company",
        **dict(WAKE.items()),
    }
)


@command(
    "auto say",
    "Give a standing order in words, e.g. pass until sale start",
    right="order",
    changes=True,
    words=("auto",),
    order=parameter(
        Words(200), "pass until ... | buy VR to 60 max 100 | bid P4 up to 200 | run VR pay | refuse", plan_texts
    ),
    example="auto pass until sale",
)
async def give_plan(request: Request, order: str = "") -> Reply:
    """`Ann: pass` gives it for the seat of that name."""
    if not order:
        return await list_plans(request)
    game_id = await request.game_id()
    name, sign, said = order.partition(":")
    player: PlayerId | None = None
    if sign:
        player = player_named(await request.position(), name.strip())
        if player is None:
            raise IllegalMove("There is no player {name}.", "", literal(name.strip()))
    text = said.strip() if sign else order
    given = await request.tables.orders.give_order(game_id, request.person, text, player)
    return await plans_reply(request, game_id, msg("Noted, visible only to you: {order}", given.text))


async def plans_reply(request: Request, game_id: GameId, *before: Text) -> Reply:
    """One's own plans: the text of each, its present effect, why it has ended."""
    table = await request.tables.desk.table(game_id)
    names = {held.number: held.name for held in table.seats}
    found = await request.tables.orders.own_orders(game_id, request.person)
    several = len({held.number for held in table.seats if held.person == request.person}) > 1
    lines: list[Text] = list(before)
    for number, plan in enumerate(found, 1):
        who = f"{names.get(plan.record.seat, '')}: " if several else ""
        now = [tr("Over: {now}" if plan.is_over else "Now it would: {now}", plan.now)] if plan.now else []
        lines.append(" ".join([f"{number}. {who}{plan.text}", *now]))
    if not found:
        lines.append(msg("You have no standing orders here. Only you see them until they act."))
    example = ", ".join(EXAMPLES[:6])
    lines.append(
        msg("To give an order: {command}; for example {example}.", request.spell("auto say", order="…"), example)
    )
    return Reply(lines, subject=Plans(game_id, found))


@command(
    "auto pass",
    "Pass for you until something happens",
    right="order",
    changes=True,
    form_of="auto say",
    wake=parameter(WAKE_UP, "Event that ends it immediately"),
    every_round=parameter(Flag(), "Also in later rounds"),
)
async def plan_to_pass(request: Request, wake: str = "", every_round: bool = False) -> Reply:
    return await give_plan(request, f"pass{' all' if every_round else ''}{f' until {wake}' if wake else ''}")


@command(
    "auto buy",
    "Buy shares of a company, one per turn",
    right="order",
    changes=True,
    form_of="auto say",
    company=parameter(Words(20), "Its abbreviation, e.g. VR", playing_companies),
    to=parameter(Number(1, 100), "Until you hold this percentage"),
    most=parameter(Number(1, 9_999), "Maximum price per share"),
)
async def plan_to_buy(request: Request, company: str, to: int | None = None, most: int | None = None) -> Reply:
    return await give_plan(request, f"buy {company}{f' to {to}' if to else ''}{f' max {most}' if most else ''}")


@command(
    "auto bid",
    "Bid on a lot up to a secret maximum",
    right="order",
    changes=True,
    form_of="auto say",
    lot=parameter(Words(20), "The lot you bid for, e.g. P4", lots),
    most=parameter(Number(1, 99_999), "Your highest bid"),
)
async def plan_to_bid(request: Request, lot: str, most: int) -> Reply:
    return await give_plan(request, f"bid {lot} up to {most}")


@command(
    "auto run",
    "Run a company: no track, no token, best routes, pay or withhold",
    right="order",
    changes=True,
    form_of="auto say",
    company=parameter(Words(20), "Its abbreviation, e.g. VR", playing_companies),
    revenue=parameter(REVENUE, "Pay or withhold the revenue"),
    ask=parameter(ASKED, "Decisions you still want to make yourself"),
)
async def plan_to_run(request: Request, company: str, revenue: str = "pay", ask: str = "") -> Reply:
    return await give_plan(request, f"run {company} {revenue}{f' {ask} ask' if ask else ''}")


@command("auto list", "Your standing orders, what each would do now, and why some ended", right="order")
async def list_plans(request: Request) -> Reply:
    return await plans_reply(request, await request.game_id())


@command(
    "auto drop",
    "Drop a standing order in this game, or all of them",
    right="order",
    changes=True,
    order=parameter(Number(1, 999), "Its number; by default all of them", own_plans),
    example="auto drop 1",
)
async def drop_plan(request: Request, order: int | None = None) -> Reply:
    game_id = await request.game_id()
    chosen = None
    if order is not None:
        found = await request.tables.orders.own_orders(game_id, request.person)
        if order > len(found):
            raise IllegalMove("You have {number} standing orders here.", "", len(found))
        chosen = found[order - 1].record.id
    dropped = await request.tables.orders.cancel_orders(game_id, request.person, chosen)
    return await plans_reply(request, game_id, msg("{number} dropped.", dropped))
