"""Requests that people cause, to addresses that they name: only to public addresses, without redirects, bounded in time."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector, ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.service.features.public_addresses import is_public, literal_address, split_address

SECONDS = 10.0
MOST_CONNECTIONS = 8
FAILURES = (ClientError, OSError, TimeoutError, ValueError)
"""Errors with which a request may end; a forbidden address is among them."""


class ForbiddenAddress(OSError):
    """An address that is not public."""


class PublicResolver(AbstractResolver):
    """Finds addresses once for each connection, which goes to what was found; all of them must be allowed."""

    def __init__(self, allows: Callable[[IPv4Address | IPv6Address], bool]) -> None:
        self.allows, self.inner = allows, ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self.inner.resolve(host, port, family)
        if not all(self.allows(ip_address(one["host"].partition("%")[0])) for one in found):
            raise ForbiddenAddress("not a public address")
        return found

    async def close(self) -> None:
        await self.inner.close()


class PublicClient:
    """Posts to addresses that people name. Tests allow others."""

    def __init__(
        self,
        allows: Callable[[IPv4Address | IPv6Address], bool] = is_public,
        schemes: tuple[str, ...] = ("https",),
        seconds: float = SECONDS,
    ) -> None:
        self.allows, self.schemes, self.seconds = allows, schemes, seconds
        self._session: ClientSession | None = None

    async def post(self, address: str, body: bytes, headers: Mapping[str, str], method: str = "POST") -> int:
        """The status of the answer, whose content is not read.

        :raises ForbiddenAddress: the address is not public.
        :raises OSError: (or what else `FAILURES` names) there was no answer.
        """
        parts = split_address(address)
        literal = literal_address(parts.hostname) if parts is not None and parts.hostname else None
        if parts is None or parts.scheme not in self.schemes or (literal is not None and not self.allows(literal)):
            raise ForbiddenAddress("not a public address")
        if self._session is None:
            connector = TCPConnector(
                resolver=PublicResolver(self.allows), use_dns_cache=False, force_close=True, limit=MOST_CONNECTIONS
            )
            timeout = ClientTimeout(total=self.seconds)
            # Cookies would be sent with the calls of other people to the same server.
            self._session = ClientSession(
                connector=connector, timeout=timeout, headers={"User-Agent": "Signalbox"}, cookie_jar=DummyCookieJar()
            )
        sent = self._session.request(method, address, data=body, headers=headers, allow_redirects=False)
        async with sent as answer:
            return answer.status

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
