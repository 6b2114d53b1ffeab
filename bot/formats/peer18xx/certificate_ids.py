"""The train of ours that a number of the file means, and the holder of each numbered certificate there; ours are only
counted by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bot.engine import POOL, CompanyId, Owner
from bot.engine.play.holdings import choose_certificates, find_train, share_unit

if TYPE_CHECKING:
    from bot.engine.play import Game
    from bot.engine.state import Company, Train

PRESIDENT = 0

Holdings = dict[Owner, list[int]]
"""The numbers of a company's certificates by owner, in order of acquisition."""


class ShareNumbers:
    """The certificates of every company by number. When a presidency changes hands there, the new president gives the
    certificates that they got first; ours give others, so that numbers must be followed."""

    def __init__(self, game: Game) -> None:
        self._of: dict[CompanyId, Holdings] = {}
        self._settled: dict[CompanyId, list[tuple[int, Owner]]] = {}
        for company in game.state.companies.values():
            self._of[company.id] = {}
            for number, certificate in enumerate(company.certificates):
                self._numbers_of(company.id, certificate.owner).append(number)

    def holdings_of(self, company: CompanyId) -> Holdings:
        """In the order in which owners came to hold any."""
        return self._of[company]

    def holder(self, company: CompanyId) -> Owner:
        return next(owner for owner, held in self._of[company].items() if PRESIDENT in held)

    def _numbers_of(self, company: CompanyId, owner: Owner) -> list[int]:
        return self._of[company].setdefault(owner, [])

    def names(self, company: CompanyId, numbers: Iterable[int]) -> list[str]:
        """`VR_2` is a certificate of VR."""
        return [f"{company}_{number}" for number in numbers]

    def to_buy(self, company: Company, source: Owner, percent: int) -> int:
        """The first ordinary certificate of that size there; the president's, if no other is in the pool.

        :raises ValueError: there is none.
        """
        held = self._numbers_of(company.id, source)
        ordinary = [number for number in held if number or not company.has_president]
        for number in ordinary:
            if company.certificates[number].percent == percent:
                return number
        if PRESIDENT in held:
            return PRESIDENT
        raise ValueError(f"{source} has no certificate of {company.id} of {percent}%")

    def to_sell(self, company: Company, owner: Owner, shares: int, doubles: int | None) -> list[int]:
        """Certificates for `shares` shares; if the ordinary certificates are too few, all of them and the
        president's.
        """
        held = self._numbers_of(company.id, owner)
        ordinary = [number for number in held if number or not company.has_president]
        records = {id(company.certificates[number]): number for number in ordinary}
        chosen = choose_certificates(
            [company.certificates[number] for number in ordinary], share_unit(company), shares, doubles
        )
        if chosen is not None:
            return [records[id(record)] for record in chosen]
        return [*ordinary, PRESIDENT]

    def move(self, company: CompanyId, numbers: Sequence[int], source: Owner, target: Owner) -> None:
        for number in numbers:
            self._numbers_of(company, source).remove(number)
            self._numbers_of(company, target).append(number)

    def record_sale(self, company: Company, numbers: Sequence[int], seller: Owner, shares: int) -> None:
        """After a sale: the certificates are in the pool, a new president has theirs, and what was sold too much
        comes back.
        """
        self.move(company.id, numbers, seller, POOL)
        heir = company.certificates[PRESIDENT].owner
        excess = sum(company.certificates[number].percent for number in numbers) // share_unit(company) - shares
        holder = self.holder(company.id)
        if company.has_president and heir not in (holder, seller):
            kept = sum(company.certificates[number].percent for number in self._numbers_of(company.id, seller))
            whole = company.certificates[PRESIDENT].percent
            self.exchange(company, holder, heir, seller if kept >= whole else POOL)
        if excess > 0:
            self.move(company.id, self._numbers_of(company.id, POOL)[:excess], POOL, seller)

    def exchange(self, company: Company, holder: Owner, heir: Owner, swap_to: Owner) -> None:
        """The heir gets the president's certificate and gives the same number of shares for it."""
        held = self._numbers_of(company.id, heir)
        whole = company.certificates[PRESIDENT].percent
        same = [number for number in held if company.certificates[number].percent == whole]
        shares = whole // share_unit(company)
        given = same[:1] if same else held[:shares]
        self.move(company.id, given, heir, swap_to)
        self.move(company.id, [PRESIDENT], holder, heir)

    def settle(self, game: Game) -> None:
        """Follow all other changes of certificates: surplus certificates of one owner go to owners who lack some."""
        for company in game.state.companies.values():
            known = [(certificate.percent, certificate.owner) for certificate in company.certificates]
            if company.closed or self._settled.get(company.id) == known:
                continue
            self._settled[company.id] = known
            self._count_new(company)
            self._settle_president(company)
            for percent in {certificate.percent for certificate in company.certificates}:
                self._settle_size(company, percent)

    def _count_new(self, company: Company) -> None:
        known = sum(len(held) for held in self._of[company.id].values())
        for number in range(known, len(company.certificates)):
            self._numbers_of(company.id, company.certificates[number].owner).append(number)

    def _settle_president(self, company: Company) -> None:
        """Exchange certificates if the presidency changed other than by a sale."""
        heir = company.certificates[PRESIDENT].owner
        holder = self.holder(company.id)
        if not company.has_president or heir == holder:
            return
        if len(self._numbers_of(company.id, heir)) > company.count_of(heir) - 1:
            self.exchange(company, holder, heir, holder)
        else:
            self.move(company.id, [PRESIDENT], holder, heir)

    def _settle_size(self, company: Company, percent: int) -> None:
        start = 1 if company.has_president else 0
        wanted: dict[Owner, int] = {}
        for certificate in company.certificates[start:]:
            if certificate.percent == percent:
                wanted[certificate.owner] = wanted.get(certificate.owner, 0) + 1
        spare: list[tuple[Owner, int]] = []
        for owner, held in self._of[company.id].items():
            of_size = [n for n in held if n >= start and company.certificates[n].percent == percent]
            spare += [(owner, number) for number in of_size[: max(0, len(of_size) - wanted.get(owner, 0))]]
            wanted[owner] = wanted.get(owner, 0) - len(of_size)
        for owner, lacking in wanted.items():
            for _ in range(lacking):
                source, number = spare.pop(0)
                self.move(company.id, [number], source, owner)


class TrainNumbers:
    """The file names one of several trains of a kind that an owner has, our rules take the first of them.

    If the file means another certificate, the two change their numbers: to the rules they are the same.
    """

    def __init__(self) -> None:
        self._ours: dict[str, str] = {}

    def own_number(self, number: str) -> str:
        return self._ours.get(number, number)

    def peer_number(self, number: str) -> str:
        return next((there for there, here in self._ours.items() if here == number), number)

    def go_first(self, game: Game, train: Train) -> None:
        """Give the train's number in the file to the first train of its kind and owner, which our rules take next."""
        first = find_train(game, train.owner, train.kind)
        if first is None or first.id == train.id:
            return
        named, other = self.peer_number(train.id), self.peer_number(first.id)
        self._ours |= {named: first.id, other: train.id}
