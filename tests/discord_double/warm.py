"""Imported by the server that forks the helpers of bots under test: their painters know the first pictures already."""

from __future__ import annotations

from bot.engine.play.game import Game
from bot.render import worker
from bot.titles.registry import TITLES

position = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"]).encode()
for kind in ("map", "market"):
    worker.paint_sync("1848", position, kind, (), "", "en")
