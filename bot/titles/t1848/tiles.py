"""The tile sheet of 1848 (tile manifest, last page of the rules)."""

from bot.engine.board import parse_tiles

TILES = parse_tiles(
    """
    1x1 2x1 5x3 6x4 7x4 8x9 9x12 14x3 15x6 16x1 18x1 19x1 20x1 23x2 24x2 25x2 26x1 27x1 28x1 29x1 30x1 31x1 39x1
    40x1 41x1 42x1 43x1 44x1 45x1 46x1 47x1 55x1 56x1 57x3 59x2
    64 brown x1 'OO' city:50 city:50 | 0-c0 c0-2 3-c1 c1-4
    65 brown x1 'OO' city:50 city:50 | 0-c0 c0-4 2-c1 c1-3
    66 brown x1 'OO' city:50 city:50 | 0-c0 c0-3 1-c1 c1-2
    67x1 68x1 69x1 70x1
    235 yellow x3 'OO' city:30 city:30 | 0-c0
    236 green x1 'K' city:40/2 | 0-c0 1-c0 3-c0
    237 green x1 'K' city:40/2 | 0-c0 5-c0 3-c0
    238 green x2 'K' city:40/2 | 0-c0 1-c0 2-c0
    239 brown x3 'K' city:60/3 | 0-c0 1-c0 2-c0 3-c0
    240 gray x2 'K' city:80/3 | 0-c0 1-c0 2-c0 3-c0
    241 blue x1 'TAS' *anchor offboard:50 | 2-o0! 1-o0!
    611x4 915x1
    """
)
