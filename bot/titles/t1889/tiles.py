"""The tile sheet of 1889. A private lays 437; Kotohira (H), Kouchi (K) and Takamatsu (T) have tiles of their own."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    3x2 5x2 6x2 7x2 8x5 9x5 12x1 13x1 14x1 15x3 16x1 19x1 20x1 23x2 24x2 25x1 26x1 27x1 28x1 29x1
    39x1 40x1 41x1 42x1 45x1 46x1 47x1 57x2 58x3 205x1 206x1
    437 yellow x1 private:MF *port town:30 | 0-t0 t0-2
    438 yellow x1 cost:80 'H' city:40 | 0-c0 2-c0
    439 green x1 cost:80 'H' city:60/2 | 0-c0 2-c0 4-c0
    440 green x1 'T' city:40/2 | 0-c0 1-c0 2-c0
    448x4
    465 brown x1 'K' city:60/3 | 0-c0 1-c0 2-c0 3-c0
    466 brown x1 'T' city:60/2 | 0-c0 1-c0 2-c0
    492 brown x1 'H' city:80/3 | 0-c0 1-c0 2-c0 3-c0 4-c0 5-c0
    611x2
    """
)

BEGINNERS_TILES = parse_tiles(
    """
    Beg6 yellow x2 city:20 | 0-c0 2-c0
    Beg7 yellow x1 | 0-1
    Beg8 yellow x1 | 0-2
    Beg9 yellow x1 | 0-3
    Beg23 green x1 | 0-3 0-4
    Beg24 green x1 | 0-3 0-2
    """
)
"""Tiles that the option for beginners adds."""
