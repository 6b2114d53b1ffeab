"""Companies and privates as printed in the family's boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.engine import HexId, PrivateId, as_company, as_private
from bot.engine.play import CompanySpec, PrivateSpec

from .powers import Power


def corporation(
    sign: str,
    name: str,
    home: str,
    tokens: tuple[int, ...],
    colour: str,
    text: str = "#ffffff",
    city: int | None = None,
    shares: tuple[int, ...] = (20, 10, 10, 10, 10, 10, 10, 10, 10),
    otherwise: tuple[tuple[int, ...], ...] = (),
) -> CompanySpec:
    """A company with its home token and these prices of further tokens; in some games its certificates are `otherwise`."""
    return CompanySpec(
        as_company(sign),
        name,
        "corporation",
        shares,
        (0, *tokens),
        (HexId(home),),
        colour,
        text,
        home_city=city,
        otherwise=otherwise,
    )


def private(
    sign: str,
    name: str,
    price: int,
    income: int,
    *powers: Power,
    power: str = "",
    brings: str = "",
    is_sold: bool = True,
    prices: tuple[int, int] | None = None,
) -> tuple[PrivateSpec, tuple[Power, ...]]:
    """A private with its powers; if it `is_sold` to companies, they pay one of `prices`, else half to twice its price."""
    span = (prices or (-(-price // 2), 2 * price)) if is_sold else None
    return PrivateSpec(as_private(sign), name, price, income, power, span, brings=brings), powers


def box_privates(
    section: str, *printed: tuple[PrivateSpec, tuple[Power, ...]]
) -> tuple[Mapping[PrivateId, PrivateSpec], Mapping[PrivateId, tuple[Power, ...]]]:
    """The privates of a box and their powers, by sign; `section` is quoted with them."""
    return {spec.id: replace(spec, section=section) for spec, _ in printed}, {
        spec.id: powers for spec, powers in printed
    }
